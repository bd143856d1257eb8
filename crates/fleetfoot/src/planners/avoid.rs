//! Depression avoidance: where to go after a look-ahead (Hernández & Baier's daRTAA*, daLSS-LRTA*, and the earlier
//! aRTAA*, aLSS-LRTA*).
//!
//! A state whose h was raised lies in a heuristic depression, or did. The agent heads for the border of what it has
//! learned about rather than for the least f; what it learns is the same. Better on open maps with a small
//! look-ahead; worse in narrow corridors, where raised values block the way. Moves may go up in f, so completeness is
//! not that of the plain learners; it was proved by the authors for finite spaces. Trials come to an end, too, but not
//! always with a shortest walk: one that learns nothing more may still lead round a region that was raised once.

use super::learner::{Agent, Due};
use crate::graph::Graph;
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::parts::Halt;
use crate::planner::StepContext;
use crate::registry::Choice;

pub(super) const AVOID: Choice<Avoid> = Choice::new(
    "avoid",
    &["depressions", "marked"],
    &[Avoid::Depressions, Avoid::Marked],
    "go to the open state whose value was raised least, or to the best of those never raised",
);

/// Which of the open states to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Avoid {
    /// The one with the least f.
    #[default]
    Nothing,
    /// The one whose h was raised least, then that with the least f: "da".
    Depressions,
    /// The one with the least f of those whose h was never raised, if there is any: "a", mark and avoid.
    Marked,
}

impl Avoid {
    /// Comparisons that choosing will take.
    pub(super) fn dues(self) -> Due {
        Due { generated: u64::from(self != Self::Nothing), ..Due::default() }
    }
}

/// The open state to go to after a look-ahead that halted like this; none if it has expanded nothing.
pub(super) fn choose<G: Graph>(
    agent: &Agent,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    avoid: Avoid,
    halt: Halt,
) -> Option<NodeId> {
    let (graph, goal) = (cx.graph, cx.goal);
    if cx.scratch.closed.is_empty() {
        return None;
    }
    let search = &mut cx.scratch.search;
    if avoid == Avoid::Nothing || halt == Halt::Goal {
        return search.top().map(|(n, _)| n);
    }
    prepayment.pay(cx.meter, WorkKind::Compare, search.open().len() as u64);
    search.open().first_by(|n| {
        let raised = agent.h(graph, n).saturating_sub(graph.h(n, goal));
        if avoid == Avoid::Marked { raised.min(Cost::new(1)) } else { raised }
    })
}
