//! RTAA* (Koenig & Likhachev 2006): one bounded A*, then h(x) := f(s̄) - g(x) for every closed node x, where s̄ is
//! the next node of the search.
//!
//! h stays consistent and never decreases while costs do not. Learning is one subtraction per closed node. The
//! agent follows the path to s̄, by default to its end, or until a cost on it increases. Complete if the goal stays
//! reachable. With `avoid` it is daRTAA* or aRTAA* ([`Avoid`]).

use alloc::boxed::Box;

use super::avoid::AVOID;
use super::learner::{
    FACTS, LOOKAHEAD, Learner, LearnerState, LearningRule, LookAhead, MOVES, PrepaidWork, TIES, WorkRate,
    facts_by_lookahead, look_ahead,
};
use super::{Avoid, avoid};
use crate::graph::{Graph, ReverseGraph};
use crate::meter::{Prepayment, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Scratch, StepContext};
use crate::planner_part;
use crate::search::{Halt, NodeTable, SearchTools, reborrow};
use crate::spec::{BuildError, PlannerInfo, Spec};

/// The row of RTAA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "rtaa",
    name: "RTAA*",
    paper: "Koenig, Likhachev 2006",
    summary: "LSS-LRTA* with an update of one subtraction per state: cheaper, slightly less informed",
    facts: FACTS,
    params: &[LOOKAHEAD.param, MOVES.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Rtaa::new(look_ahead(spec), Avoid::Nothing, graph).with_ties(spec.get(&TIES))))
}

/// The row of daRTAA* in the table of algorithms.
pub(crate) const AVOIDING: PlannerInfo = PlannerInfo {
    key: "da-rtaa",
    name: "daRTAA*",
    paper: "Hernández, Baier 2012",
    summary: "RTAA* that leaves heuristic depressions by their border",
    facts: FACTS,
    params: &[LOOKAHEAD.param, MOVES.param, AVOID.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds the planner with depression avoidance.
pub(crate) fn build_avoiding<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Rtaa::new(look_ahead(spec), spec.get(&AVOID), graph).with_ties(spec.get(&TIES))))
}

/// The end of the first phase under a deadline, in percent of the time.
const LOOK_AHEAD_SHARE: u64 = 90;

/// The look-ahead and learning rule of RTAA*.
#[derive(Clone, Copy, Debug)]
pub struct RtaaMethod {
    ahead: LookAhead,
    avoid: Avoid,
}

/// Real-Time Adaptive A*.
pub type Rtaa = Learner<RtaaMethod>;

impl Rtaa {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(ahead: LookAhead, avoid: Avoid, graph: &G) -> Self {
        Self::with(RtaaMethod { ahead, avoid }, 1, graph)
    }
}

planner_part! { RtaaMethod { saved: ; fixed: ahead, avoid } }

impl LearningRule for RtaaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        let learn = WorkRate { expanded: 1, ..WorkRate::default() };
        let prepaid_work = PrepaidWork { learn, compare: self.avoid.prepaid_work() };
        let halt = agent.look_ahead(cx, prepayment, (self.ahead, LOOK_AHEAD_SHARE), prepaid_work);
        if halt == Halt::Empty {
            return Decision::NoPath;
        }
        let Some(target) = avoid::choose(agent, (cx, prepayment), self.avoid, halt) else {
            return Decision::Wait;
        };
        learn_from(agent, cx, prepayment);
        if agent.is_hopeless(cx.graph, cx.at) {
            return Decision::NoPath;
        }
        agent.set_off(cx, prepayment, target, self.ahead.moves)
    }
}

/// Updates the learned values: every closed node is at least f(s̄) - g from the goal.
fn learn_from<G: Graph>(agent: &mut LearnerState, cx: &mut StepContext<'_, G>, prepayment: &mut Prepayment) {
    let Scratch { pools, search, closed, .. } = &mut *cx.scratch;
    let mut tools = SearchTools { meter: cx.meter, pools, probe: reborrow(&mut cx.probe) };
    let Some((_, f)) = search.top() else { return };
    for &x in &*closed {
        if agent.fell && search.nodes.is_open(x) {
            // The node was opened again, which requires an inconsistent h.
            continue;
        }
        agent.learn(cx.graph, x, f.saturating_sub(search.nodes.g(x)), &mut tools);
    }
    prepayment.pay(tools.meter, WorkKind::Learn, closed.len() as u64);
}
