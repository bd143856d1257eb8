//! LSS-LRTA* (Koenig & Sun; in the papers also K LRTA*): one bounded A*, then the largest consistent h for all
//! closed nodes: h(x) := the minimum over open nodes t of d(x, t) + h(t), computed by Dijkstra's algorithm backward
//! from the open list.
//!
//! After the same search it is more informed than RTAA*, at the price of a second search. h stays consistent and
//! never decreases while costs do not. Closed nodes from which no open node can be reached are dead ends; they
//! exist only in directed graphs. The agent follows the path to s̄, by default to its end, or until a cost on it
//! increases. Complete if the goal stays reachable. With `avoid` it is daLSS-LRTA* or aLSS-LRTA* ([`Avoid`]).

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
use crate::search::{Halt, SearchTools, reborrow};
use crate::spec::{BuildError, PlannerInfo, Spec};

/// The row of LSS-LRTA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "lss-lrta",
    name: "LSS-LRTA*",
    paper: "Koenig, Sun 2009; as LRTA* in Koenig, Likhachev 2006",
    summary: "looks ahead by A*, learns the largest consistent values for all expanded states, moves to the border",
    facts: FACTS,
    params: &[LOOKAHEAD.param, MOVES.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(LssLrta::new(look_ahead(spec), Avoid::Nothing, graph).with_ties(spec.get(&TIES))))
}

/// The row of daLSS-LRTA* in the table of algorithms.
pub(crate) const AVOIDING: PlannerInfo = PlannerInfo {
    key: "da-lss-lrta",
    name: "daLSS-LRTA*",
    paper: "Hernández, Baier 2012",
    summary: "LSS-LRTA* that leaves heuristic depressions by their border",
    facts: FACTS,
    params: &[LOOKAHEAD.param, MOVES.param, AVOID.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds the planner with depression avoidance.
pub(crate) fn build_avoiding<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(LssLrta::new(look_ahead(spec), spec.get(&AVOID), graph).with_ties(spec.get(&TIES))))
}

/// The end of the first phase under a deadline, in percent of the time.
const LOOK_AHEAD_SHARE: u64 = 40;

/// The look-ahead and learning rule of LSS-LRTA*.
#[derive(Clone, Copy, Debug)]
pub struct LssLrtaMethod {
    ahead: LookAhead,
    avoid: Avoid,
}

/// Local search space, learning real-time A*.
pub type LssLrta = Learner<LssLrtaMethod>;

impl LssLrta {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(ahead: LookAhead, avoid: Avoid, graph: &G) -> Self {
        Self::with(LssLrtaMethod { ahead, avoid }, 1, graph)
    }
}

planner_part! { LssLrtaMethod { saved: ; fixed: ahead, avoid } }

impl LearningRule for LssLrtaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        // Each closed node is visited at most twice.
        let learn = WorkRate { expanded: 2, ..WorkRate::default() };
        let prepaid_work = PrepaidWork { learn, compare: self.avoid.prepaid_work() };
        let halt = agent.look_ahead(cx, prepayment, (self.ahead, LOOK_AHEAD_SHARE), prepaid_work);
        if halt == Halt::Empty {
            return Decision::NoPath;
        }
        let Some(target) = avoid::choose(agent, (cx, prepayment), self.avoid, halt) else {
            return Decision::Wait;
        };
        // Before learning, which overwrites the search's table.
        let decision = agent.set_off(cx, prepayment, target, self.ahead.moves);
        learn_from(agent, cx, prepayment);
        if agent.is_hopeless(cx.graph, cx.at) {
            agent.route.clear();
            return Decision::NoPath;
        }
        decision
    }
}

/// Updates the learned values.
fn learn_from<G: ReverseGraph>(
    agent: &mut LearnerState,
    cx: &mut StepContext<'_, G>,
    prepayment: &mut Prepayment,
) {
    let graph = cx.graph;
    let Scratch { pools, search, closed, queue, .. } = &mut *cx.scratch;
    search.start_backup(closed, graph, |n| agent.h(graph, n), queue, pools);
    let mut tools = SearchTools { meter: cx.meter, pools, probe: reborrow(&mut cx.probe) };
    for &x in &*closed {
        // A node that was opened again keeps its value.
        if !search.nodes.was_left_open(x) {
            agent.learn(graph, x, search.nodes.backed_up_value(x), &mut tools);
        }
    }
    prepayment.pay(tools.meter, WorkKind::Learn, 2 * closed.len() as u64);
}
