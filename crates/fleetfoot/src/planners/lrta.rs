//! LRTA* (Korf 1990): looks at the states around the agent, raises its h to the best value found, and takes one step.
//!
//! The look-ahead has an interior, which is expanded, and a frontier, which is valued: by depth (interior: fewer than d
//! edges away) or by cost (interior: g plus the dearest edge within a limit). Costs g are those of the cheapest ways
//! over the interior, not of the fewest edges. The goal always belongs to the frontier. If the budget ends first, the
//! interior is what was expanded by then, which is as sound. Ties go to the larger g, then to the fixed order.
//!
//! With d > 1 the published rule, V(x) = g(x) + h(x) over the frontier alone, can loop for ever: it never sees the
//! values it has raised *within* the look-ahead. In a corridor with a dead end d = 2 suffices. [`Rule::PathMax`] and
//! [`Rule::KorfTable`] mend this: h(s) ends no lower than the cost of the move plus the h of where it leads, on which
//! completeness rests (wherever the goal stays reachable). h never falls and never exceeds the true distance, but is
//! consistent for d = 1 only.
//!
//! Under a budget that does not suffice for all of it, the look-ahead by depth is not cut back to whole layers: what is
//! expanded is used. Korf's rule then looks below the first neighbours only, and values the others by h as it stands.
//!
//! Values are learned per goal, and kept for the last few goals on request, so that a database of sub-goals can steer
//! the agent by changing its goal.

use alloc::boxed::Box;
use core::cmp::Reverse;

use super::learner::{Agent, Due, Dues, FACTS, Learner, Method, TIES};
use crate::graph::{Edge, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::part;
use crate::parts::{Flat, Nodes, order};
use crate::planner::{Decision, Scratch, StepContext};
use crate::probe::SearchEvent;
use crate::registry::{BoxedPlanner, BuildError, Choice, Facts, Int, IntOr, PlannerInfo, Spec};

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
const RULE: Choice<Rule> = Choice::new(
    "rule",
    &["pathmax", "korf-table", "published"],
    &[Rule::PathMax, Rule::KorfTable, Rule::Published],
    "value of a state: largest g+h on the path; Korf's table of neighbors; g+h alone, which may loop forever",
);
const GOALS: Int =
    Int::new("goals", "1", 1, 1000, "for how many goals to keep what was learned, the present one included");

/// The row of LRTA* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "lrta",
    name: "LRTA*",
    paper: "Korf 1990",
    summary: "looks at its neighbors, raises its own value to the best of theirs, makes one move",
    facts: Facts { optimal: false, ..FACTS },
    params: &[DEPTH.param, REACH.param, RULE.param, GOALS.param, TIES.param],
    adjust_facts: |spec, facts| {
        let looks_far = spec.is_set(DEPTH.param.name) || spec.is_set(REACH.param.name);
        Facts { complete: !(looks_far && spec.get(&RULE) == Rule::Published), ..facts }
    },
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let reach = match spec.get(&REACH) {
        Some(_) if spec.is_set(DEPTH.param.name) => {
            return Err(BuildError::new(
                "it looks ahead by `depth` or by `reach`, not by both; leave one of them out",
            ));
        }
        Some(times) => Reach::Cost(times),
        None => Reach::Depth(spec.get(&DEPTH)),
    };
    let config = LrtaConfig { reach, rule: spec.get(&RULE), goals: spec.get(&GOALS) as usize };
    Ok(Box::new(Lrta::new(config, graph).with_ties(spec.get(&TIES))))
}

/// Where the first phase ends by the clock, in hundredths of the time.
const LOOK_AHEAD_SHARE: u64 = 50;

/// How far the look-ahead reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The interior are the states fewer than so many edges away.
    Depth(u64),
    /// The interior are the states whose neighbours are no farther than so many times the dearest edge.
    Cost(u64),
}

/// How the states of the frontier are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rule {
    /// By the greatest g + h on the way there.
    #[default]
    PathMax,
    /// Korf's own: a neighbour with a learned value has that; others have the least g + h one edge less around them.
    KorfTable,
    /// By g + h. For comparison: not complete.
    Published,
}

/// Parameters of LRTA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LrtaConfig {
    /// How far to look.
    pub reach: Reach,
    /// How to value what is seen.
    pub rule: Rule,
    /// For how many goals learned values are kept, the present one included.
    pub goals: usize,
}

/// LRTA*'s way to plan.
#[derive(Clone, Copy, Debug)]
pub struct LrtaMethod {
    reach: Reach,
    rule: Rule,
}

/// Learning real-time A*.
pub type Lrta = Learner<LrtaMethod>;

impl Lrta {
    /// A planner for this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(config: LrtaConfig, graph: &G) -> Self {
        Self::with(LrtaMethod { reach: config.reach, rule: config.rule }, config.goals, graph)
    }

    /// Looks so far from now on.
    pub(crate) fn look(&mut self, reach: Reach) {
        self.method_mut().reach = reach;
    }
}

part! { LrtaMethod { saved: ; fixed: reach, rule } }

impl Method for LrtaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut Agent,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        if self.reach.is_one_edge() {
            return look_around(agent, cx, prepayment, |agent, cx, _, edge| agent.h(cx.graph, edge.to));
        }
        if self.rule == Rule::KorfTable {
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

impl Reach {
    /// Whether the agent's own state is the whole interior.
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

/// Values each neighbour by the cost of the move plus `below`, learns, and goes to the best.
fn look_around<G: ReverseGraph>(
    agent: &mut Agent,
    cx: &mut StepContext<'_, G>,
    prepayment: &mut Prepayment,
    mut below: impl FnMut(&mut Agent, &mut StepContext<'_, G>, &mut Prepayment, Edge) -> Cost,
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
    cx.tools().tell(SearchEvent::Search { root: at });
    cx.tools().tell(SearchEvent::Expand { node: at, parent: NodeId::NONE, g, f });
    let mut best = None;
    let mut neighbors = 0;
    for edge in graph.succs(at).filter(|edge| edge.to != at) {
        neighbors += 1;
        let value = edge.cost + below(agent, cx, prepayment, edge);
        cx.tools().tell(SearchEvent::Open { node: edge.to, parent: at, g: edge.cost, f: value });
        let key = (value, Reverse(edge.cost), order(neighbors, salt));
        best = best.filter(|(least, _)| *least <= key).or(Some((key, edge.to)));
    }
    agent.counts.open_max = agent.counts.open_max.max(u64::from(neighbors));
    agent.counts.closed_max = agent.counts.closed_max.max(1);
    let Some(((value, ..), next)) = best else { return Decision::NoPath };
    agent.raise(graph, at, value, &mut cx.tools());
    if agent.is_hopeless(graph, at) { Decision::NoPath } else { Decision::Go(next) }
}

/// A neighbour's value by Korf's rule.
fn by_table<G: ReverseGraph>(
    agent: &mut Agent,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    edge: Edge,
    reach: Reach,
) -> Cost {
    if agent.h.learned(edge.to).is_some() || edge.to == cx.goal {
        return agent.h(cx.graph, edge.to);
    }
    let seen = ball(agent, (cx, prepayment), edge.to, reach, Rule::KorfTable);
    prepayment.clear(cx.meter);
    seen.map_or_else(|| agent.h(cx.graph, edge.to), |seen| seen.value)
}

/// The best of a frontier.
struct Seen {
    /// The state; none if the frontier is empty.
    target: NodeId,
    value: Cost,
}

/// Looks at what lies around `root` and values the frontier; nothing if the meter grants not even the first expansion.
fn ball<G: ReverseGraph>(
    agent: &mut Agent,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    root: NodeId,
    reach: Reach,
    rule: Rule,
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
    let value = |n| if rule == Rule::PathMax { search.peak(n, h) } else { g(n) + h(n) };
    // Equal in everything, the goal is better than any other.
    let key = |n| (value(n), Reverse(g(n)), n != goal);
    let best = search.open().first_by(key).into_iter().chain(g(goal).is_finite().then_some(goal));
    let target = best.min_by_key(|n| key(*n)).unwrap_or(NodeId::NONE);
    Some(Seen { target, value: if target.is_some() { value(target) } else { Cost::INF } })
}

/// Expands the interior, but never the goal, in the order of depth or of cost.
fn expand_interior<G: Graph>(
    agent: &mut Agent,
    (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
    root: NodeId,
    reach: Reach,
) {
    let (graph, goal) = (cx.graph, cx.goal);
    let length = |edge: Edge| if matches!(reach, Reach::Depth(_)) { Cost::new(1) } else { edge.cost };
    let limit = match reach {
        Reach::Depth(d) => d,
        Reach::Cost(c) => (c.max(1) - 1) * u64::from(graph.max_edge_cost().raw()) + 1,
    };
    let is_frontier = |nodes: &Flat, n| u64::from(nodes.g(n).raw()) >= limit;
    // The update, a pop for each state of the interior, and a look at each of the frontier and at the goal.
    let learn = Due { once: 1, expanded: 1, generated: 0 };
    let compare = Due { once: 1, expanded: 0, generated: 1 };
    agent.explore(
        cx,
        prepayment,
        (None, LOOK_AHEAD_SHARE),
        Dues { learn, compare },
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
