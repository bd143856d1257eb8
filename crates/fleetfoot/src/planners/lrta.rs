//! LRTA* (Korf 1990): examines the nodes around the agent, increases its h to the best value found, and makes a
//! move.
//!
//! The look-ahead has an interior, which is expanded, and a frontier, which is evaluated. The interior is limited
//! by depth (fewer than d edges away) or by cost (g plus the maximum edge cost within a limit). The cost g is that
//! of the cheapest path through the interior, not that of the path with the fewest edges. The goal is always part
//! of the frontier. If the budget ends first, the interior consists of the nodes expanded so far, which is valid as
//! well. Ties: larger g, then the fixed order.
//!
//! For d > 1 the published rule, V(x) = g(x) + h(x) over the frontier alone, can loop forever: it ignores values
//! that were increased *within* the look-ahead. A corridor with a dead end and d = 2 suffice. [`FrontierRule::PathMax`] and
//! [`FrontierRule::KorfTable`] fix this: the final h(s) is at least the cost of the move plus the h of its target, which is
//! what completeness requires (if the goal stays reachable). h never decreases and never exceeds the true distance,
//! but is consistent only for d = 1.
//!
//! With a small budget, a look-ahead by depth is not cut back to complete layers: all expanded nodes are used.
//! Korf's rule then evaluates only the first neighbors by look-ahead, and the others by their current h.
//!
//! Values are learned per goal. They can be kept for the last few goals, so that a database of subgoals can guide
//! the agent by changing its goal.

use alloc::boxed::Box;
use core::cmp::Reverse;

use super::learner::{FACTS, Learner, LearnerState, LearningRule, PrepaidWork, TIES, WorkRate};
use crate::graph::{Edge, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Scratch, StepContext};
use crate::planner_part;
use crate::probe::SearchEvent;
use crate::search::{FlatTable, NodeTable, order};
use crate::spec::{BuildError, Choice, Facts, Int, IntOr, PlannerInfo, Spec};

const DEPTH: Int =
    Int::new("depth", "1", 1, 1_000_000, "look ahead by this many edges, as far as the budget goes");
const REACH: IntOr = IntOr::new(
    "reach",
    "depth",
    "depth",
    1,
    1_000_000,
    "look ahead by cost instead: up to this many times the most expensive edge",
);
const RULE: Choice<FrontierRule> = Choice::new(
    "rule",
    &["pathmax", "korf-table", "published"],
    &[FrontierRule::PathMax, FrontierRule::KorfTable, FrontierRule::Published],
    "value of a state: largest g+h on the path; Korf's table of neighbors; g+h alone, which may loop forever",
);
const GOALS: Int =
    Int::new("goals", "1", 1, 1000, "for how many goals to keep what was learned, the present one included");

/// The row of LRTA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "lrta",
    name: "LRTA*",
    paper: "Korf 1990",
    summary: "looks at its neighbors, raises its own value to the best of theirs, makes one move",
    facts: Facts { optimal: false, ..FACTS },
    params: &[DEPTH.param, REACH.param, RULE.param, GOALS.param, TIES.param],
    adjust_facts: |spec, facts| {
        let looks_far = spec.is_set(DEPTH.param.name) || spec.is_set(REACH.param.name);
        Facts { complete: !(looks_far && spec.get(&RULE) == FrontierRule::Published), ..facts }
    },
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let reach = match spec.get(&REACH) {
        Some(_) if spec.is_set(DEPTH.param.name) => {
            return Err(BuildError::new(
                "it looks ahead by `depth` or by `reach`, not by both; leave one of them out",
            ));
        }
        Some(times) => LookAheadLimit::Cost(times),
        None => LookAheadLimit::Depth(spec.get(&DEPTH)),
    };
    let config = LrtaConfig { reach, rule: spec.get(&RULE), goals: spec.get(&GOALS) as usize };
    Ok(Box::new(Lrta::new(config, graph).with_ties(spec.get(&TIES))))
}

/// The end of the first phase under a deadline, in percent of the time.
const LOOK_AHEAD_SHARE: u64 = 50;

/// The limit of the look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookAheadLimit {
    /// The interior consists of the nodes fewer than this many edges away.
    Depth(u64),
    /// The interior consists of the nodes whose neighbors are at most this many times the maximum edge cost away.
    Cost(u64),
}

/// The evaluation of nodes on the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FrontierRule {
    /// By the maximum of g + h along the path.
    #[default]
    PathMax,
    /// Korf's rule: a neighbor with a learned value has that value; others have the minimum of g + h around them,
    /// one edge less deep.
    KorfTable,
    /// By g + h. For comparison; not complete.
    Published,
}

/// Parameters of LRTA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LrtaConfig {
    /// The limit of the look-ahead.
    pub reach: LookAheadLimit,
    /// The evaluation of the frontier.
    pub rule: FrontierRule,
    /// Number of goals for which learned values are kept, including the current one.
    pub goals: usize,
}

/// The look-ahead and learning rule of LRTA*.
#[derive(Clone, Copy, Debug)]
pub struct LrtaMethod {
    reach: LookAheadLimit,
    rule: FrontierRule,
}

/// Learning real-time A*.
pub type Lrta = Learner<LrtaMethod>;

impl Lrta {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(config: LrtaConfig, graph: &G) -> Self {
        Self::with(LrtaMethod { reach: config.reach, rule: config.rule }, config.goals, graph)
    }

    /// Sets the limit of the look-ahead.
    pub(crate) fn look(&mut self, reach: LookAheadLimit) {
        self.method_mut().reach = reach;
    }
}

planner_part! { LrtaMethod { saved: ; fixed: reach, rule } }

impl LearningRule for LrtaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        if self.reach.is_one_edge() {
            return look_around(agent, cx, prepayment, |agent, cx, _, edge| agent.h(cx.graph, edge.to));
        }
        if self.rule == FrontierRule::KorfTable {
            let reach = self.reach.less_one();
            return look_around(agent, cx, prepayment, |agent, cx, prepayment, edge| {
                by_table(agent, (cx, prepayment), edge, reach)
            });
        }
        let at = cx.at;
        let Some(seen) = ball(agent, (cx, prepayment), at, self.reach, self.rule) else {
            return Decision::Wait;
        };
        agent.raise(cx.graph, cx.at, seen.value, &mut cx.tools());
        prepayment.pay(cx.meter, WorkKind::Learn, 1);
        if !seen.target.is_some() || agent.is_hopeless(cx.graph, cx.at) {
            return Decision::NoPath;
        }
        agent.set_off(cx, prepayment, seen.target, Some(1))
    }
}

impl LookAheadLimit {
    /// Returns `true` if the interior is the agent's node alone.
    fn is_one_edge(self) -> bool {
        matches!(self, Self::Depth(..=1) | Self::Cost(..=1))
    }

    fn less_one(self) -> Self {
        match self {
            Self::Depth(d) => Self::Depth(d - 1),
            Self::Cost(c) => Self::Cost(c - 1),
        }
    }
}

/// Evaluates each neighbor by the cost of the move plus `below`, learns, and moves to the best.
fn look_around<G: ReverseGraph>(
    agent: &mut LearnerState,
    cx: &mut StepContext<'_, G>,
    prepayment: &mut Prepayment,
    mut below: impl FnMut(&mut LearnerState, &mut StepContext<'_, G>, &mut Prepayment, Edge) -> Cost,
) -> Decision {
    let (graph, at) = (cx.graph, cx.at);
    prepayment.add_per_expansion(cx.meter, WorkKind::Learn, 1);
    if !cx.meter.expand() {
        return Decision::Wait;
    }
    prepayment.pay(cx.meter, WorkKind::Learn, 1);
    prepayment.clear(cx.meter);
    let salt = agent.draw();
    agent.counts.searches += 1;
    let (g, f) = (Cost::ZERO, agent.h(graph, at));
    cx.tools().emit(SearchEvent::Search { root: at });
    cx.tools().emit(SearchEvent::Expand { node: at, parent: NodeId::NONE, g, f });
    let mut best = None;
    let mut neighbors = 0;
    for edge in graph.succs(at).filter(|edge| edge.to != at) {
        neighbors += 1;
        let value = edge.cost + below(agent, cx, prepayment, edge);
        cx.tools().emit(SearchEvent::Open { node: edge.to, parent: at, g: edge.cost, f: value });
        let key = (value, Reverse(edge.cost), order(neighbors, salt));
        best = best.filter(|(least, _)| *least <= key).or(Some((key, edge.to)));
    }
    agent.counts.open_max = agent.counts.open_max.max(u64::from(neighbors));
    agent.counts.closed_max = agent.counts.closed_max.max(1);
    let Some(((value, ..), next)) = best else { return Decision::NoPath };
    agent.raise(graph, at, value, &mut cx.tools());
    if agent.is_hopeless(graph, at) { Decision::NoPath } else { Decision::Go(next) }
}

/// Returns a neighbor's value by Korf's rule.
fn by_table<G: ReverseGraph>(
    agent: &mut LearnerState,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    edge: Edge,
    reach: LookAheadLimit,
) -> Cost {
    if agent.h.learned(edge.to).is_some() || edge.to == cx.goal {
        return agent.h(cx.graph, edge.to);
    }
    let seen = ball(agent, (cx, prepayment), edge.to, reach, FrontierRule::KorfTable);
    prepayment.clear(cx.meter);
    seen.map_or_else(|| agent.h(cx.graph, edge.to), |seen| seen.value)
}

/// The result of evaluating a frontier.
struct Seen {
    /// The best node. `NONE` if the frontier is empty.
    target: NodeId,
    value: Cost,
}

/// Explores around `root` and evaluates the frontier. Returns `None` if the budget does not cover the first
/// expansion.
fn ball<G: ReverseGraph>(
    agent: &mut LearnerState,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    root: NodeId,
    reach: LookAheadLimit,
    rule: FrontierRule,
) -> Option<Seen> {
    let (graph, goal) = (cx.graph, cx.goal);
    expand_interior(agent, (cx, prepayment), root, reach);
    let Scratch { pools, search, closed, queue, .. } = &mut *cx.scratch;
    if closed.is_empty() {
        return None;
    }
    let h = |n| agent.h(graph, n);
    let pops = search.look_within(root, |n| graph.succs(n), h, queue, pools);
    prepayment.pay(cx.meter, WorkKind::Learn, pops);
    prepayment.pay(cx.meter, WorkKind::Compare, search.open().len() as u64 + 1);
    let g = |n| search.nodes.g(n);
    let value = |n| if rule == FrontierRule::PathMax { search.peak(n, h) } else { g(n) + h(n) };
    // If all else is equal, the goal is better than other nodes.
    let key = |n| (value(n), Reverse(g(n)), n != goal);
    let best = search.open().first_by(key).into_iter().chain(g(goal).is_finite().then_some(goal));
    let target = best.min_by_key(|n| key(*n)).unwrap_or(NodeId::NONE);
    Some(Seen { target, value: if target.is_some() { value(target) } else { Cost::INF } })
}

/// Expands the interior, except for the goal, ordered by depth or by cost.
fn expand_interior<G: Graph>(
    agent: &mut LearnerState,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    root: NodeId,
    reach: LookAheadLimit,
) {
    let (graph, goal) = (cx.graph, cx.goal);
    let length =
        |edge: Edge| if matches!(reach, LookAheadLimit::Depth(_)) { Cost::new(1) } else { edge.cost };
    let limit = match reach {
        LookAheadLimit::Depth(d) => d,
        LookAheadLimit::Cost(c) => (c.max(1) - 1) * u64::from(graph.max_edge_cost().raw()) + 1,
    };
    let is_frontier = |nodes: &FlatTable, n| u64::from(nodes.g(n).raw()) >= limit;
    // The update, a removal from the queue per interior node, and a comparison per frontier node and for the goal.
    let learn = WorkRate { once: 1, expanded: 1, generated: 0 };
    let compare = WorkRate { once: 1, expanded: 0, generated: 1 };
    agent.explore(
        cx,
        prepayment,
        (None, LOOK_AHEAD_SHARE),
        PrepaidWork { learn, compare },
        |search, closed, _, tools| {
            if closed.is_empty() {
                search.start(root, Cost::ZERO, tools);
            }
            let succs = |n, _| {
                closed.push(n);
                let others = graph.succs(n).filter(|edge| edge.to != goal);
                others.map(|edge| Edge { cost: length(edge), ..edge })
            };
            search.run_until(succs, |_, _| Cost::ZERO, is_frontier, tools)
        },
    );
}
