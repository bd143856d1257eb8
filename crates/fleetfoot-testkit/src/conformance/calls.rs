//! An independent meter: the graph counts the calls of a planner, and they are compared with the work that the
//! planner reports. Detects loops over neighbors that are not charged.

use fleetfoot::{Work, WorkKind};

use crate::Calls;

/// The calls that a unit of work may make.
struct Allowed {
    kind: WorkKind,
    /// Nodes whose edges are enumerated.
    looks: u64,
    /// Estimates: a constant, and per neighbor.
    estimates: (u64, u64),
    /// Queries of edge costs.
    costs: u64,
}

const fn allowed(kind: WorkKind, looks: u64, estimates: (u64, u64), costs: u64) -> Allowed {
    Allowed { kind, looks, estimates, costs }
}

/// The maximum number of calls per unit of each kind of work. The numbers are the smallest with which the
/// registry's planners pass.
const TABLE: [Allowed; WorkKind::ALL.len()] = [
    // The neighbors once; an estimate for each new one, and for the node itself.
    allowed(WorkKind::Expand, 1, (1, 1), 0),
    // A value is computed from the neighbors, or passed to them.
    allowed(WorkKind::Learn, 1, (1, 1), 0),
    // The edge to the next node of the path. TBA*'s shortcut search also estimates the remaining cost.
    allowed(WorkKind::Trace, 0, (1, 0), 1),
    // A key takes one estimate. Anytime D* updates ten keys for the price of one, and then tests whether its path
    // is found.
    allowed(WorkKind::Refresh, 0, (11, 0), 0),
    // The cost of the changed edge, the key of its tail, and for Anytime D* whether the edge is between the agent
    // and its goal.
    allowed(WorkKind::Change, 1, (4, 0), 1),
    // To the best neighbor.
    allowed(WorkKind::Climb, 1, (1, 1), 0),
    // A record has two ends.
    allowed(WorkKind::Compare, 0, (2, 0), 0),
    allowed(WorkKind::Page, 0, (0, 0), 0),
    // All successors, without estimates, and a new key.
    allowed(WorkKind::Rhs, 1, (1, 0), 0),
    // Corners are searched in the grid's index, not in the graph.
    allowed(WorkKind::Scan, 0, (0, 0), 0),
];

/// The calls that a step may make besides its work: the neighbors of its position and of its target, and whether
/// the chosen move still exists.
const STEP: Allowed = allowed(WorkKind::Page, 2, (2, 1), 2);

/// Checks that the calls are covered by the work, for nodes of at most `widest` neighbors. A planner that declares
/// it enumerates the neighbors of an expanded node `looks` times.
pub(super) fn judge(calls: Calls, work: Work, widest: usize, looks: u64) -> Result<(), String> {
    let most = |of: &dyn Fn(&Allowed) -> u64| {
        TABLE.iter().map(|row| work[row.kind] * of(row)).sum::<u64>() + of(&STEP)
    };
    let times = |row: &Allowed| if row.kind == WorkKind::Expand { looks } else { 1 };
    let estimates = |row: &Allowed| row.estimates.0 + times(row) * row.estimates.1 * widest as u64;
    for (what, asked, most) in [
        ("nodes' neighbours", calls.looks, most(&|row| times(row) * row.looks)),
        ("estimates", calls.estimates, most(&estimates)),
        ("costs of edges", calls.costs, most(&|row| row.costs)),
    ] {
        if asked > most {
            return Err(format!("it asked for {asked} {what}; the work that it reports covers {most}"));
        }
    }
    Ok(())
}
