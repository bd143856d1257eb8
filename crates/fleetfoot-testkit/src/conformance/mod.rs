//! The conformance kit for planners. It tests what the [`Facts`](fleetfoot::registry::Facts) of a planner claim, on
//! grids, undirected and directed graphs, and an implicit graph, wherever they apply. A [`Subject`] is a planner of
//! the registry or of your own.

mod calls;
mod checks;
mod facts;
mod life;
mod memory;
mod saving;
mod specs;
mod subject;
mod test_graph;
mod unknown;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fleetfoot::registry::Spec;

use self::facts::Kept;
pub use self::facts::Promise;
pub use self::life::{BudgetSequence, Record, Watch, same_but_pages};
pub use self::specs::{defaults, every_spec};
pub use self::subject::Subject;
use self::test_graph::TestGraph;
use crate::is_thorough;

/// A property that every planner must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// For all budgets and prices: each step keeps its budget, each move is legal, and the agent arrives or
    /// correctly proves that there is no path. Paths are optimal, and independent of the slicing, if claimed.
    /// Repeated walks are identical. A guarantee that is kept everywhere must be claimed. In all checks, the kit
    /// counts the calls of the graph, and compares them with the reported work.
    Walks,
    /// A planner that is saved and restored between any two steps continues unchanged.
    Saves,
    /// Damaged saves are rejected. Forged saves never cause a panic or exceed a budget.
    Forgeries,
    /// The goal changes between steps.
    Goals,
    /// The agent is not at its expected position: moved back, or somewhere else.
    Displacements,
    /// Costs increase between steps, and decrease if the facts support it, with long and short logs.
    Changes,
    /// All disturbances combined: changes, displacements, new goals, varying budgets, saving and restoring.
    Chaos,
    /// An unknown map under the freespace assumption.
    Unknown,
    /// Resets during a walk, with and without learned values; release; agents at the goal.
    Resets,
    /// Statistics are plausible, and memory grows with the touched nodes, not with the map.
    Stats,
    /// The reported memory covers what the planner holds. Requires [`Counting`](crate::alloc::Counting) as the
    /// global allocator.
    Memory,
}

impl Check {
    /// All checks.
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

/// A failed check, and where it failed.
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

/// Prints the current case if a planner panics.
struct UnderWay<'a>(&'a str, Check, &'a str);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("while {} went through {:?} on {}", self.0, self.1, self.2);
        }
    }
}

/// Runs one check for one planner on all graphs to which it applies.
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
            for arena in test_graph::grounds().iter().filter(|arena| subject.fits(&arena.graph)) {
                note(&arena.name, &mut || on_ground(check, arena, subject, &mut kept));
            }
            for what in kept.understated(&subject.facts, &subject.unclaimed) {
                note("all grounds", &mut || Err(what.clone()));
            }
        }
    }
    failures
}

fn on_ground(check: Check, arena: &TestGraph, subject: &Subject, kept: &mut Kept) -> Result<(), String> {
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

/// A spec with other parameters goes through one of this number of checks.
const SAMPLE: usize = 4;

/// Returns the specs that a check is run for: all of them in thorough tests. Otherwise those with default parameters, and a
/// fixed part of the others. Each of them goes through at least two checks.
fn sampled_specs(check: Check) -> Vec<Spec> {
    let (defaults, turn) = (defaults(), check as usize);
    let is_taken = |(k, spec): &(usize, Spec)| {
        is_thorough() || defaults.contains(spec) || (k + turn).is_multiple_of(SAMPLE)
    };
    every_spec().into_iter().enumerate().filter(is_taken).map(|(_, spec)| spec).collect()
}

/// Runs one check for every planner of the registry, with every value of its parameters or a [sample](is_thorough) of them.
/// Panics with all failures. `FLEETFOOT_PLANNER=knn-lrta` selects one planner with all values; `FLEETFOOT_TIMES=1` prints
/// the slowest.
pub fn all_planners(check: Check) {
    let next = AtomicUsize::new(0);
    let specs = match std::env::var("FLEETFOOT_PLANNER") {
        Ok(only) => every_spec().into_iter().filter(|spec| spec.info().key == only).collect(),
        Err(_) => sampled_specs(check),
    };
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

/// Runs one check for one planner, given as a spec or as a [`Subject`]. Panics with all failures.
pub fn planner(check: Check, subject: impl Into<Subject>) {
    conclude(&run(check, &subject.into()));
}

/// Panics with the first failure of each planner.
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

/// Defines the whole kit as tests in a module: `conformance!(heap, "astar(open=heap)");` for a planner of the
/// registry, `conformance!(mine, crate::subject());` for your own.
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
