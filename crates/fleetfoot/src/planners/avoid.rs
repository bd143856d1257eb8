//! Depression avoidance: the choice of the target after a look-ahead (Hernández & Baier's daRTAA*, daLSS-LRTA*, and
//! the earlier aRTAA*, aLSS-LRTA*).
//!
//! A node whose h was increased is, or was, in a heuristic depression. The agent moves toward the border of the
//! region where it has learned, instead of toward the smallest f; learning is unchanged. Better on open maps with a
//! small look-ahead, worse in narrow corridors, where increased values block the path. Moves may increase f, so the
//! completeness proof of the plain learners does not apply; the authors proved it for finite spaces. Trials
//! converge, but not always to a shortest path: the final path may still avoid a region whose values were increased
//! once.

use super::learner::{LearnerState, WorkRate};
use crate::graph::Graph;
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::planner::StepContext;
use crate::search::Halt;
use crate::spec::Choice;

pub(super) const AVOID: Choice<Avoid> = Choice::new(
    "avoid",
    &["depressions", "marked"],
    &[Avoid::Depressions, Avoid::Marked],
    "go to the open state whose value was raised least, or to the best of those never raised",
);

/// The criterion for the target among the open nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Avoid {
    /// The smallest f.
    #[default]
    Nothing,
    /// The smallest increase of h, then the smallest f ("da").
    Depressions,
    /// The smallest f among nodes whose h was never increased, if there are any ("a", mark and avoid).
    Marked,
}

impl Avoid {
    /// Returns the comparisons that the choice takes.
    pub(super) fn prepaid_work(self) -> WorkRate {
        WorkRate { generated: u64::from(self != Self::Nothing), ..WorkRate::default() }
    }
}

/// Returns the target after a look-ahead that ended with `halt`. `None` if nothing was expanded.
pub(super) fn choose<G: Graph>(
    agent: &LearnerState,
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
