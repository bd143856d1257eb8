//! TLA*: LRTA* with a look-ahead by A* (named in Bond, Widger, Ruml & Sun 2010).
//!
//! A* from the agent with N expansions over the learned values; h(s) is increased to the f of the next node, and
//! the agent makes one move toward that node. Since only s learns, h becomes inconsistent for N > 1. Two properties
//! of the search handle that: f never decreases along a path (path-max), without which agents can wander forever,
//! and closed nodes that are reached at a lower cost are opened again, without which h could become too large.
//! Complete if the goal stays reachable: the final h(s) is at least the cost of the move plus the h of its target.

use alloc::boxed::Box;

use super::learner::{
    FACTS, LOOKAHEAD, Learner, LearnerState, LearningRule, LookAhead, PrepaidWork, TIES, WorkRate,
    facts_by_lookahead,
};
use crate::graph::{Graph, ReverseGraph};
use crate::meter::{Prepayment, WorkKind};
use crate::planner::{BoxedPlanner, Decision, StepContext};
use crate::planner_part;
use crate::search::Halt;
use crate::spec::{BuildError, PlannerInfo, Spec};

/// The row of TLA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "tla",
    name: "TLA*",
    paper: "as in Bond, Widger, Ruml, Sun 2010",
    summary: "LRTA* that looks ahead by A*: its own value rises to the best f, and it takes one step",
    facts: FACTS,
    params: &[LOOKAHEAD.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Tla::new(spec.get(&LOOKAHEAD), graph).with_ties(spec.get(&TIES))))
}

/// The end of the first phase under a deadline, in percent of the time.
const LOOK_AHEAD_SHARE: u64 = 95;

/// The look-ahead and learning rule of TLA*.
#[derive(Clone, Copy, Debug)]
pub struct TlaMethod {
    ahead: LookAhead,
}

/// LRTA* with a look-ahead by A*.
pub type Tla = Learner<TlaMethod>;

impl Tla {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes, that expands `expansions`
    /// nodes before each move, or as many as the budget covers.
    pub fn new<G: Graph>(expansions: Option<u64>, graph: &G) -> Self {
        Self::with(TlaMethod { ahead: LookAhead { expansions, ..LookAhead::EACH_MOVE } }, 1, graph)
    }
}

planner_part! { TlaMethod { saved: ; fixed: ahead } }

impl LearningRule for TlaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        let prepaid_work =
            PrepaidWork { learn: WorkRate { once: 1, ..WorkRate::default() }, ..PrepaidWork::default() };
        let halt = agent.look_ahead(cx, prepayment, (self.ahead, LOOK_AHEAD_SHARE), prepaid_work);
        if halt == Halt::Empty {
            return Decision::NoPath;
        }
        let Some((target, f)) = cx.scratch.search.top() else { return Decision::Wait };
        if cx.scratch.closed.is_empty() {
            return Decision::Wait;
        }
        agent.raise(cx.graph, cx.at, f, &mut cx.tools());
        prepayment.pay(cx.meter, WorkKind::Learn, 1);
        if agent.is_hopeless(cx.graph, cx.at) {
            return Decision::NoPath;
        }
        agent.set_off(cx, prepayment, target, self.ahead.moves)
    }
}
