//! The kit that every planner runs through, driven by the registry: it tests exactly what the
//! [`Facts`](fleetfoot::registry::Facts) of an algorithm claim, on grids, on undirected and directed explicit
//! graphs and on an interned puzzle, wherever they say that it applies.

mod arena;
mod checks;
mod life;
mod saving;
mod specs;
mod unknown;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fleetfoot::registry::Spec;

pub use self::life::{Purse, Record, Watch, same_but_pages};
pub use self::specs::{defaults, every_spec};

/// Something that every planner must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// At every budget and at either prices: each step keeps its budget, each move is legal, the agent arrives
    /// or proves rightly that there is no path; optimal and the same in any slicing where claimed; the same
    /// walk twice.
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
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 10] = [
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
    ];
}

/// What a planner failed to do, and where.
#[derive(Clone, Debug)]
pub struct Failure {
    spec: String,
    check: Check,
    world: String,
    what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} fails {:?} on {}: {}", self.spec, self.check, self.world, self.what)
    }
}

/// Tells which case was under way if a planner panics.
struct UnderWay<'a>(&'a Spec, Check, &'a str);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("while {} went through {:?} on {}", self.0, self.1, self.2);
        }
    }
}

/// Runs one check for one planner, on every ground where it applies.
pub fn run(check: Check, spec: &Spec) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut note = |world: &str, act: &dyn Fn() -> Result<(), String>| {
        let under_way = UnderWay(spec, check, world);
        if let Err(what) = act() {
            failures.push(Failure { spec: spec.to_string(), check, world: world.to_string(), what });
        }
        drop(under_way);
    };
    match check {
        Check::Unknown => {
            for world in unknown::worlds() {
                note(&world.name, &|| world.explore(spec));
            }
        }
        Check::Stats => note("large and small grids", &|| checks::stats(spec)),
        _ => {
            for ground in arena::grounds() {
                if ground.serves(spec) {
                    note(ground.name(), &|| ground.run(check, spec));
                }
            }
        }
    }
    failures
}

/// Runs one check for every planner of the registry, with every choice of its parameters; panics with all
/// failures. `FLEETFOOT_PLANNER=knn-lrta` leaves the others out, for those who write one.
pub fn all_planners(check: Check) {
    let (mut specs, next) = (every_spec(), AtomicUsize::new(0));
    if let Ok(only) = std::env::var("FLEETFOOT_PLANNER") {
        specs.retain(|spec| spec.info().key == only);
    }
    // The longest check takes minutes; two threads share its specs.
    let work = || {
        let specs = std::iter::from_fn(|| specs.get(next.fetch_add(1, Ordering::Relaxed)));
        specs.flat_map(|spec| run(check, spec)).collect::<Vec<_>>()
    };
    let failures = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut failures = work();
        failures.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        failures
    });
    conclude(&failures);
}

/// Runs one check for one planner, given as text; panics with all failures.
pub fn planner(check: Check, spec: &str) {
    conclude(&run(check, &spec.parse().expect("a valid spec")));
}

fn conclude(failures: &[Failure]) {
    const SHOWN: usize = 8;
    let shown: Vec<String> = failures.iter().take(SHOWN).map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{} failures, of which the first:\n{}", failures.len(), shown.join("\n"));
}

/// The whole kit as tests of a module of this name: `conformance!(heap, "astar(open=heap)");`.
#[macro_export]
macro_rules! conformance {
    ($name:ident, $spec:expr) => {
        mod $name {
            use $crate::conformance::{Check, planner};
            $crate::conformance!(@tests $spec; walks Walks, saves Saves, forgeries Forgeries, goals Goals,
                displacements Displacements, changes Changes, chaos Chaos, unknown Unknown, resets Resets,
                stats Stats);
        }
    };
    (@tests $spec:expr; $($test:ident $check:ident),+) => {
        $(#[test]
        fn $test() {
            planner(Check::$check, $spec);
        })+
    };
}
