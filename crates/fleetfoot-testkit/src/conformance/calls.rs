//! An independent meter: what a planner asked of the graph, counted by the graph, is held against the work that the
//! planner reports. A loop over neighbours that is charged to nobody shows here.

use fleetfoot::{Work, WorkKind};

use crate::Calls;

/// What one piece of work may ask of a graph.
struct Allowed {
    kind: WorkKind,
    /// Nodes whose ways out or in are enumerated.
    looks: u64,
    /// Estimates: a few, and for each neighbour.
    estimates: (u64, u64),
    /// Costs of single edges.
    costs: u64,
}

const fn allowed(kind: WorkKind, looks: u64, estimates: (u64, u64), costs: u64) -> Allowed {
    Allowed { kind, looks, estimates, costs }
}

/// By kind of work, the most that one piece of it asks. The numbers are the least with which the registry's planners pass.
const TABLE: [Allowed; WorkKind::ALL.len()] = [
    // Its neighbours once; an estimate for each of them that is new, and for itself.
    allowed(WorkKind::Expand, 1, (1, 1), 0),
    // A value is drawn from its neighbours, or told to them.
    allowed(WorkKind::Learn, 1, (1, 1), 0),
    // The edge to the next node of the path; TBA*'s search for a shortcut asks how far that still is.
    allowed(WorkKind::Trace, 0, (1, 0), 1),
    // A key has one estimate; Anytime D* renews ten keys for the price of one, and then asks whether its way is found.
    allowed(WorkKind::Refresh, 0, (11, 0), 0),
    // The cost of the edge that changed, the key of the state that it leads from, and for Anytime D* whether that lies
    // between the agent and its goal.
    allowed(WorkKind::Change, 1, (4, 0), 1),
    // To the best neighbour.
    allowed(WorkKind::Climb, 1, (1, 1), 0),
    // A record has two ends.
    allowed(WorkKind::Compare, 0, (2, 0), 0),
    allowed(WorkKind::Page, 0, (0, 0), 0),
    // All successors, none of which needs an estimate, and a new key.
    allowed(WorkKind::Rhs, 1, (1, 0), 0),
    // Corners are looked for in the grid's index, not in the graph.
    allowed(WorkKind::Scan, 0, (0, 0), 0),
];

/// What a step may ask beside its work: the neighbours of where it stands and of where it goes, and whether the move
/// that it decided on is still there.
const STEP: Allowed = allowed(WorkKind::Page, 2, (2, 1), 2);

/// Whether what was asked is covered by the work, where no node has more than `widest` neighbours. A planner that says so
/// looks `looks` times at the neighbours of what it expands.
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
