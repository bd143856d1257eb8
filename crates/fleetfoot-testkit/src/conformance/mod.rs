//! The kit that every planner runs through: it tests exactly what the [`Facts`](fleetfoot::registry::Facts) of a
//! planner claim, on grids, on undirected and directed explicit graphs and on an interned puzzle, wherever they say
//! that it applies. A [`Subject`] is a planner of the registry or of anybody's.

mod arena;
mod calls;
mod checks;
mod facts;
mod life;
mod memory;
mod saving;
mod specs;
mod subject;
mod unknown;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use self::arena::Arena;
use self::facts::Kept;
pub use self::facts::Promise;
pub use self::life::{Purse, Record, Watch, same_but_pages};
pub use self::specs::{defaults, every_spec};
pub use self::subject::Subject;

/// Something that every planner must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// At every budget and at either prices: each step keeps its budget, each move is legal, the agent arrives
    /// or proves rightly that there is no path; optimal and the same in any slicing where claimed; the same
    /// walk twice. A promise that is kept everywhere must be made. In this and every other check the kit counts
    /// itself what is asked of the graph, and holds that against the work that the planner reports.
    Walks,
    /// Restored from its saved bytes between any two steps, a planner goes on as if nothing had happened.
    Saves,
    /// Saved bytes that were damaged are refused; forged ones never panic nor exceed a budget.
    Forgeries,
    /// The goal changes between steps.
    Goals,
    /// The agent is not where it was sent: knocked back, or somewhere else altogether.
    Displacements,
    /// Costs rise between steps, and fall where the facts claim it, with long and with short logs.
    Changes,
    /// Everything at once: changes, displacements, new goals, varying budgets, saving and restoring.
    Chaos,
    /// A map that reveals itself under the freespace assumption.
    Unknown,
    /// Reset in mid-walk, keeping nothing or what was learned; released; at the goal.
    Resets,
    /// Statistics are sane, and memory grows with what was touched, not with the map.
    Stats,
    /// What a planner holds is covered by what it reports. Needs [`Counting`](crate::alloc::Counting) as the global
    /// allocator.
    Memory,
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Walks,
        Self::Saves,
        Self::Forgeries,
        Self::Goals,
        Self::Displacements,
        Self::Changes,
        Self::Chaos,
        Self::Unknown,
        Self::Resets,
        Self::Stats,
        Self::Memory,
    ];
}

/// What a planner failed to do, and where.
#[derive(Clone, Debug)]
pub struct Failure {
    planner: String,
    check: Check,
    world: String,
    what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} fails {:?} on {}: {}", self.planner, self.check, self.world, self.what)
    }
}

/// Tells which case was under way if a planner panics.
struct UnderWay<'a>(&'a str, Check, &'a str);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("while {} went through {:?} on {}", self.0, self.1, self.2);
        }
    }
}

/// Runs one check for one planner, on every ground where it applies.
pub fn run(check: Check, subject: &Subject) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut note = |world: &str, act: &mut dyn FnMut() -> Result<(), String>| {
        let under_way = UnderWay(&subject.name, check, world);
        if let Err(what) = act() {
            failures.push(Failure { planner: subject.name.clone(), check, world: world.to_string(), what });
        }
        drop(under_way);
    };
    match check {
        Check::Unknown => {
            for world in unknown::worlds() {
                note(&world.name, &mut || world.explore(subject));
            }
        }
        Check::Stats => note("large and small grids", &mut || checks::stats(subject)),
        _ => {
            let mut kept = Kept::default();
            for arena in arena::grounds().iter().filter(|arena| subject.fits(&arena.graph)) {
                note(&arena.name, &mut || on_ground(check, arena, subject, &mut kept));
            }
            for what in kept.understated(&subject.facts, &subject.modest) {
                note("all grounds", &mut || Err(what.clone()));
            }
        }
    }
    failures
}

fn on_ground(check: Check, arena: &Arena, subject: &Subject, kept: &mut Kept) -> Result<(), String> {
    match check {
        Check::Walks => checks::walks(arena, subject, kept),
        Check::Saves => saving::saves(arena, subject),
        Check::Forgeries => saving::forgeries(arena, subject),
        Check::Goals => checks::goals(arena, subject),
        Check::Displacements => checks::displacements(arena, subject),
        Check::Changes => checks::changes(arena, subject),
        Check::Chaos => checks::chaos(arena, subject),
        Check::Resets => checks::resets(arena, subject),
        Check::Memory => memory::covered(arena, subject),
        Check::Unknown | Check::Stats => unreachable!("these have grounds of their own"),
    }
}

/// Runs one check for every planner of the registry, with every choice of its parameters; panics with all
/// failures. `FLEETFOOT_PLANNER=knn-lrta` leaves the others out, for those who write one; `FLEETFOOT_TIMES=1` prints
/// which took longest.
pub fn all_planners(check: Check) {
    let (mut specs, next) = (every_spec(), AtomicUsize::new(0));
    if let Ok(only) = std::env::var("FLEETFOOT_PLANNER") {
        specs.retain(|spec| spec.info().key == only);
    }
    // Two threads share the specs, since one check takes longer than all others.
    let work = || {
        let specs = std::iter::from_fn(|| specs.get(next.fetch_add(1, Ordering::Relaxed)));
        let timed = specs.map(|spec| {
            let begun = Instant::now();
            (run(check, &Subject::of(spec)), begun.elapsed(), spec.to_string())
        });
        timed.collect::<Vec<_>>()
    };
    let mut all = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut all = work();
        all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        all
    });
    if std::env::var_os("FLEETFOOT_TIMES").is_some() {
        all.sort_by_key(|(_, time, _)| Reverse(*time));
        let sum: Duration = all.iter().map(|(_, time, _)| *time).sum();
        let slowest = all.iter().take(8).map(|(_, time, name)| format!("{name} {time:.1?}"));
        eprintln!("{check:?}: {sum:.1?}, of which {}", slowest.collect::<Vec<_>>().join(", "));
    }
    conclude(&all.into_iter().flat_map(|(failures, ..)| failures).collect::<Vec<_>>());
}

/// Runs one check for one planner, given as the text of a spec or as a [`Subject`]; panics with all failures.
pub fn planner(check: Check, subject: impl Into<Subject>) {
    conclude(&run(check, &subject.into()));
}

/// Panics with the first failure of each planner that has one.
fn conclude(failures: &[Failure]) {
    const SHOWN: usize = 200;
    let mut seen = BTreeSet::new();
    let firsts: Vec<_> = failures.iter().filter(|failure| seen.insert(&failure.planner)).collect();
    let shown: Vec<String> = firsts.iter().take(SHOWN).map(ToString::to_string).collect();
    assert!(
        failures.is_empty(),
        "{} failures of {} planners, of which the first:\n{}",
        failures.len(),
        firsts.len(),
        shown.join("\n")
    );
}

/// The whole kit as tests of a module of this name: `conformance!(heap, "astar(open=heap)");` for a planner of the
/// registry, `conformance!(mine, crate::subject());` for any other.
#[macro_export]
macro_rules! conformance {
    ($name:ident, $subject:expr) => {
        mod $name {
            $crate::conformance!(@tests $subject; walks Walks, saves Saves, forgeries Forgeries, goals Goals,
                displacements Displacements, changes Changes, chaos Chaos, unknown Unknown, resets Resets,
                stats Stats, memory Memory);
        }
    };
    (@tests $subject:expr; $($test:ident $check:ident),+) => {
        $(#[test]
        fn $test() {
            $crate::conformance::planner($crate::conformance::Check::$check, $subject);
        })+
    };
}
