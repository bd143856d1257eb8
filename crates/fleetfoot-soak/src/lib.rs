//! A soak: random worlds for agents and fleets, run for as long as there is time.
//!
//! Each [`Case`] is drawn from a seed: a map, rules, walkers, edits, fog, teams, teleports, removals, speeds, orders that can be met and
//! orders that cannot, saves, budgets from one expansion to a million. A referee and an oracle that share no code with the library judge
//! every tick. A case that fails is made [smaller](shrink::smallest), and its line of text runs it again.
//!
//! [`soak::run`] runs cases in threads, and goes on where an earlier call has stopped. [`deadline`] measures ticks that have to end in time
//! while other processes want the same cores.

mod agent;
mod case;
pub mod deadline;
mod fault;
mod fleet;
mod judges;
mod rng;
pub mod served;
pub mod shrink;
pub mod soak;
mod stage;
mod tally;

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

pub use case::Case;
pub use fault::Fault;
pub use tally::Tally;

thread_local! {
    /// Where and why this thread panicked, while a case runs in it.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static IS_WATCHED: RefCell<bool> = const { RefCell::new(false) };
}

/// Runs a case, and adds what was done to `tally`. A panic is a fault.
///
/// # Errors
/// The first fault.
pub fn run_case(case: &Case, tally: &mut Tally) -> Result<(), Fault> {
    watch_panics();
    let mut mine = Tally::default();
    IS_WATCHED.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(|| match &case.kind {
        case::Kind::Fleet(about) => {
            mine.fleets = 1;
            fleet::run(case, about, &mut mine)
        }
        case::Kind::Agent(about) => {
            mine.agents = 1;
            agent::run(case, about, &mut mine)
        }
    }));
    IS_WATCHED.set(false);
    *tally += mine;
    result.unwrap_or_else(|_| {
        let text = PANIC.take().unwrap_or_else(|| "for an unknown reason".into());
        Err(Fault::new("panic", 0, text))
    })
}

/// Keeps what a panic says, instead of printing it, in threads that run a case.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let other = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IS_WATCHED.with_borrow(|is_watched| *is_watched) {
                PANIC.set(Some(info.to_string()));
            } else {
                other(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_cases_have_no_fault() {
        let mut tally = Tally::default();
        for seed in 0..400 {
            let case = Case::draw(seed);
            run_case(&case, &mut tally).unwrap_or_else(|fault| panic!("{case}: {fault}"));
        }
        assert!(tally.unit_ticks > 100_000 && tally.agent_steps > 10_000, "{tally:?}");
        assert!(tally.saves > 50 && tally.edits > 500 && tally.unreachable > 50, "{tally:?}");
        assert!(tally.rested > 5 && tally.asked > 20 && tally.walked > 20, "{tally:?}");
    }

    #[test]
    fn a_case_runs_the_same_from_its_text() {
        for seed in 0..20 {
            let case = Case::draw(seed);
            let again: Case = case.to_string().parse().unwrap();
            let (mut first, mut second) = (Tally::default(), Tally::default());
            assert_eq!(run_case(&case, &mut first), run_case(&again, &mut second));
            assert_eq!(first, second);
        }
    }
}
