//! LSS-LRTA* (Koenig & Sun; in the papers also K LRTA*): one bounded A*, then the largest consistent h for everything
//! that it closed: h(x) := min over open t of d(x, t) + h(t), found by Dijkstra's algorithm backwards from the open list.
//!
//! More informed than RTAA* after the same search, for a second search's price. h stays consistent and never falls
//! while costs do not. Closed states from which no open one can be reached are dead ends; that takes one-way edges.
//! The agent follows the path to s̄, by default to its end, or until a cost on it rises. Complete wherever the goal
//! stays reachable. With `avoid` it is daLSS-LRTA* or aLSS-LRTA* ([`Avoid`]).

use alloc::boxed::Box;

use super::avoid::AVOID;
use super::learner::{
    Agent, Due, Dues, FACTS, LOOKAHEAD, Learner, LookAhead, MOVES, Method, TIES, facts_by_lookahead,
    look_ahead,
};
use super::{Avoid, avoid};
use crate::graph::{Graph, ReverseGraph};
use crate::meter::{Prepayment, WorkKind};
use crate::part;
use crate::parts::{Halt, Tools, again};
use crate::planner::{Decision, Scratch, StepContext};
use crate::registry::{BoxedPlanner, BuildError, PlannerInfo, Spec};

/// The row of LSS-LRTA* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "lss-lrta",
    name: "LSS-LRTA*",
    paper: "Koenig, Sun 2009; as LRTA* in Koenig, Likhachev 2006",
    summary: "looks ahead by A*, learns the largest consistent values for all expanded states, moves to the border",
    facts: FACTS,
    params: &[LOOKAHEAD.param, MOVES.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(LssLrta::new(look_ahead(spec), Avoid::Nothing, graph).with_ties(spec.get(&TIES))))
}

/// The row of daLSS-LRTA* in the list of algorithms.
pub(crate) const AVOIDING: PlannerInfo = PlannerInfo {
    key: "da-lss-lrta",
    name: "daLSS-LRTA*",
    paper: "Hernández, Baier 2012",
    summary: "LSS-LRTA* that leaves heuristic depressions by their border",
    facts: FACTS,
    params: &[LOOKAHEAD.param, MOVES.param, AVOID.param, TIES.param],
    adjust_facts: facts_by_lookahead,
};

/// Builds it.
pub(crate) fn build_avoiding<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(LssLrta::new(look_ahead(spec), spec.get(&AVOID), graph).with_ties(spec.get(&TIES))))
}

/// Where the first phase ends by the clock, in hundredths of the time.
const LOOK_AHEAD_SHARE: u64 = 40;

/// LSS-LRTA*'s way to plan.
#[derive(Clone, Copy, Debug)]
pub struct LssLrtaMethod {
    ahead: LookAhead,
    avoid: Avoid,
}

/// Local search space, learning real-time A*.
pub type LssLrta = Learner<LssLrtaMethod>;

impl LssLrta {
    /// A planner for this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(ahead: LookAhead, avoid: Avoid, graph: &G) -> Self {
        Self::with(LssLrtaMethod { ahead, avoid }, 1, graph)
    }
}

part! { LssLrtaMethod { saved: ; fixed: ahead, avoid } }

impl Method for LssLrtaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut Agent,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        // Two looks at each closed state at most.
        let learn = Due { expanded: 2, ..Due::default() };
        let dues = Dues { learn, compare: self.avoid.dues() };
        let halt = agent.look_ahead(cx, prepayment, (self.ahead, LOOK_AHEAD_SHARE), dues);
        if halt == Halt::Empty {
            return Decision::NoPath;
        }
        let Some(target) = avoid::choose(agent, (cx, prepayment), self.avoid, halt) else {
            return Decision::Wait;
        };
        // Before the lesson, which uses the search's table.
        let decision = agent.set_off(cx, prepayment, target, self.ahead.moves);
        learn_from(agent, cx, prepayment);
        if agent.is_hopeless(cx.graph, cx.at) {
            agent.route.clear();
            return Decision::NoPath;
        }
        decision
    }
}

/// The lesson.
fn learn_from<G: ReverseGraph>(agent: &mut Agent, cx: &mut StepContext<'_, G>, prepayment: &mut Prepayment) {
    let graph = cx.graph;
    let Scratch { pools, search, closed, queue, .. } = &mut *cx.scratch;
    search.look_back(closed, graph, |n| agent.h(graph, n), queue, pools);
    let mut tools = Tools { meter: cx.meter, pools, probe: again(&mut cx.probe) };
    for &x in &*closed {
        // A state that was opened again keeps its value.
        if !search.nodes.was_left_open(x) {
            agent.learn(graph, x, search.nodes.looked_back(x), &mut tools);
        }
    }
    prepayment.pay(tools.meter, WorkKind::Learn, 2 * closed.len() as u64);
}
