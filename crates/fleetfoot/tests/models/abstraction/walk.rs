//! Runs an agent and checks the budget of every step.

use fleetfoot::registry::BoxedPlanner;
use fleetfoot::{ChangeLog, Decision, Grid, Meter, NodeId, Prices, Scratch, StepContext, WorkKind};

/// Returns the cells that the agent visited, and checks each step's work. It must arrive within `most` steps.
pub(crate) fn walk(
    grid: &Grid,
    planner: &mut BoxedPlanner<Grid>,
    (start, goal): (NodeId, NodeId),
    budget: Option<(u64, Prices)>,
    most: usize,
) -> Option<Vec<NodeId>> {
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let mut cells = vec![start];
    for _ in 0..most {
        let at = cells[cells.len() - 1];
        if at == goal {
            return Some(cells);
        }
        let mut meter =
            budget.map_or_else(Meter::unlimited, |(budget, prices)| Meter::priced(budget, prices));
        let step = StepContext::new(grid, at, goal, &mut meter, &mut scratch).with_changes(&log);
        match planner.step(step) {
            Decision::Go(next) => cells.push(next),
            Decision::Wait => {}
            Decision::NoPath => return None,
        }
        if let Some((budget, prices)) = budget {
            let work = *meter.work();
            // The first expansion is granted with its prepayment.
            let owed = if work[WorkKind::Expand] == 1 { work.priced(&prices) } else { 0 };
            assert!(work.priced(&prices) <= owed.max(10 * budget), "{budget}: {work:?}");
        }
    }
    panic!("has not arrived after {most} steps")
}
