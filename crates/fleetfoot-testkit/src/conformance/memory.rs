//! Checks that a planner reports all of its memory: what its destruction frees is compared with its statistics.

use fleetfoot::{ChangeLog, Prices};

use super::Subject;
use super::life::BudgetSequence;
use super::test_graph::TestGraph;
use crate::alloc::{counted, is_counting};

/// Number of bytes that a planner may hold without reporting: its own fields, and unused capacity of its lists.
const UNREPORTED: u64 = 2048;

/// Numbers of steps after which memory is measured: at the start, during the search, late.
const MOMENTS: [usize; 4] = [0, 1, 10, 200];

pub(super) fn covered(arena: &TestGraph, subject: &Subject) -> Result<(), String> {
    if !is_counting() {
        return Err("to count memory the test program needs \
                    `#[global_allocator] static ALLOCATOR: fleetfoot_testkit::alloc::Counting = \
                    fleetfoot_testkit::alloc::Counting;`"
            .to_string());
    }
    let log = ChangeLog::new();
    for &problem in &arena.problems {
        for moment in MOMENTS {
            let mut life = arena.life(subject, problem, BudgetSequence::Every(20), Prices::PAPERS)?;
            for _ in 0..moment {
                life.tick(&arena.graph, &log)?;
            }
            let reported = life.planner.stats().memory_bytes;
            let planner = life.planner;
            let held = counted(|| drop(planner)).1.returned;
            if held > reported + UNREPORTED {
                return Err(format!("after {moment} steps it holds {held} bytes and reports {reported}"));
            }
        }
    }
    Ok(())
}
