//! LRTS(d, γ, T) (Bulitko & Lee 2006): LRTA* with costs weighted by γ. It learns the best value of its levels,
//! walks its whole look-ahead, and backtracks once it has learned more than its quota T.
//!
//! h(s) is increased to the maximum of `m_1` … `m_d`, where `m_i` is the minimum of γ·g + h over the nodes i edges
//! away. The agent then walks the whole path to the best node of the last level. Once more than T was learned since
//! the start, it walks back to its previous decision and decides again. T = ∞ with d = γ = 1 is LRTA*, T = 0 is
//! SLA*, values in between are SLA*T; T = 0 with d > 1 and γ < 1 is close to γ-trap. h never decreases and never
//! exceeds the true distance.
//!
//! Our choices where the publication leaves them open:
//! - γ·g is rounded up to whole cost units, so that every move has a cost.
//! - A visible goal belongs to every level, including the last one.
//! - If the budget ends within a level, the last level consists of the rest of it and of the nodes generated
//!   beyond.
//! - If the path back is blocked, forgotten (beyond 65,536 moves), or longer than the budget covers, the agent
//!   moves forward.
//!
//! Backtracking requires reversible moves.

use alloc::boxed::Box;
use core::cmp::Reverse;

use super::learner::{FACTS, Learner, LearnerState, LearningRule, PrepaidWork, WorkRate};
use crate::graph::{Edge, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Scratch, StepContext};
use crate::planner_part;
use crate::search::{FlatTable, Halt, NodeTable, ReturnPath};
use crate::spec::{BuildError, Facts, Int, IntOr, PlannerInfo, Share, Spec};

const DEPTH: Int =
    Int::new("depth", "1", 1, DEEPEST, "levels to look ahead, as far as the budget goes, and then to walk");
const GAMMA: Share = Share::new("gamma", "1", "weight of the cost of the way against what is left");
const QUOTA: IntOr = IntOr::new(
    "quota",
    "inf",
    "inf",
    0,
    1_000_000_000,
    "maximum learning before it backtracks to its last decision, in most expensive edges",
);

/// The row of LRTS in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "lrts",
    name: "LRTS",
    paper: "Bulitko, Lee 2006",
    summary: "LRTA* with weighted costs that walks its whole look-ahead and backtracks when it learns too much",
    facts: Facts { optimal: false, ..FACTS },
    params: &[DEPTH.param, GAMMA.param, QUOTA.param],
    adjust_facts: |spec, facts| {
        // With a quota the agent must be able to walk back.
        Facts { needs_undirected: spec.get(&QUOTA).is_some(), ..facts }
    },
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let (depth, quota) = (spec.get(&DEPTH), spec.get(&QUOTA));
    let gamma = positive(spec.get(&GAMMA))?;
    Ok(Box::new(Lrts::new(LrtsConfig { depth, gamma, quota }, graph)))
}

/// Rejects a weight of zero, with which all paths would be equal.
pub(super) fn positive(gamma: u32) -> Result<u32, BuildError> {
    if gamma > 0 { Ok(gamma) } else { Err(BuildError::new("gamma must be more than 0, such as 0.2")) }
}

/// The end of the first phase under a deadline, in percent of the time.
const LOOK_AHEAD_SHARE: u64 = 50;
/// Maximum number of levels.
pub(crate) const DEEPEST: u64 = 64;

/// Parameters of LRTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LrtsConfig {
    /// Number of levels of the look-ahead, and of moves: at most 64.
    pub depth: u64,
    /// The weight of path costs in millionths: greater than zero, at most one million.
    pub gamma: u32,
    /// The amount that may be learned before the agent backtracks, in multiples of the maximum edge cost. `None`
    /// for no limit.
    pub quota: Option<u64>,
}

/// The look-ahead and learning rule of LRTS.
#[derive(Clone, Debug)]
pub struct LrtsMethod {
    config: LrtsConfig,
    /// The amount learned so far, up to the quota.
    learned: u64,
    trail: ReturnPath,
}

/// Learning real-time search.
pub type Lrts = Learner<LrtsMethod>;

impl Lrts {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(config: LrtsConfig, graph: &G) -> Self {
        let config = LrtsConfig {
            depth: config.depth.clamp(1, DEEPEST),
            gamma: config.gamma.clamp(1, 1_000_000),
            ..config
        };
        Self::with(LrtsMethod { config, learned: 0, trail: ReturnPath::new() }, 1, graph)
    }
}

planner_part! { LrtsMethod { saved: learned, trail; fixed: config } }

impl LearningRule for LrtsMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        let (graph, at) = (cx.graph, cx.at);
        self.trail.shorten(at, &mut cx.tools());
        let levels = look_ahead(agent, cx, prepayment, self.config.depth);
        if cx.scratch.closed.is_empty() {
            return Decision::Wait;
        }
        let (value, target) = self.judge(agent, (cx, prepayment), &levels);
        let before = agent.h(graph, at);
        agent.raise(graph, at, value, &mut cx.tools());
        prepayment.pay(cx.meter, WorkKind::Learn, 1);
        if !target.is_some() || agent.is_hopeless(graph, at) {
            return Decision::NoPath;
        }
        let Some(quota) = self.config.quota else { return agent.set_off(cx, prepayment, target, None) };
        let quota = quota.saturating_mul(u64::from(graph.max_edge_cost().raw()));
        self.learned += u64::from(value.saturating_sub(before).raw());
        if self.learned > quota {
            self.learned = quota;
            // Each expansion has prepaid tracing one edge.
            let prepaid = cx.scratch.closed.len();
            let turns =
                self.trail.retrace(at, graph, &mut agent.route, (prepaid, prepayment, &mut cx.tools()));
            if let (true, Some(next)) = (turns, agent.route.next(at)) {
                return Decision::Go(next);
            }
        }
        let decision = agent.set_off(cx, prepayment, target, None);
        if let Decision::Go(next) = decision {
            self.trail.set_off(at, next, &agent.route, &mut cx.scratch.pools);
        }
        decision
    }

    fn lose_way(&mut self) {
        self.trail.clear();
        self.learned = 0;
    }

    fn forget(&mut self) {
        self.lose_way();
    }
}

/// The completely expanded levels: their number, and the end of each in `scratch.closed`.
struct Levels {
    count: usize,
    ends: [usize; DEEPEST as usize],
}

/// Expands all nodes fewer than `depth` edges away, except for the goal, level by level.
fn look_ahead<G: ReverseGraph>(
    agent: &mut LearnerState,
    cx: &mut StepContext<'_, G>,
    prepayment: &mut Prepayment,
    depth: u64,
) -> Levels {
    let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
    // The update, a removal from the queue per expanded node, and a comparison per node and for the goal.
    let learn = WorkRate { once: 1, expanded: 1, generated: 0 };
    let compare = WorkRate { once: 1, expanded: 1, generated: 1 };
    let mut levels = Levels { count: 0, ends: [0; DEEPEST as usize] };
    agent.explore(
        cx,
        prepayment,
        (None, LOOK_AHEAD_SHARE),
        PrepaidWork { learn, compare },
        |search, closed, _, tools| {
            if closed.is_empty() {
                search.start(at, Cost::ZERO, tools);
            }
            while levels.count < depth as usize {
                let succs = |n, _| {
                    closed.push(n);
                    let others = graph.succs(n).filter(|edge| edge.to != goal);
                    others.map(|edge| Edge { cost: Cost::new(1), ..edge })
                };
                let is_below = |nodes: &FlatTable, n| nodes.g(n).raw() as usize > levels.count;
                let halt = search.run_until(succs, |_, _| Cost::ZERO, is_below, tools);
                if halt != Halt::Goal {
                    return halt;
                }
                levels.ends[levels.count] = closed.len();
                levels.count += 1;
            }
            Halt::Goal
        },
    );
    levels
}

impl LrtsMethod {
    /// Returns the maximum over the levels of their minimum values, and the best node of the frontier. The frontier
    /// is the last level, unless the budget or the graph ended before. Returns `None` if there is no move.
    fn judge<G: ReverseGraph>(
        &self,
        agent: &LearnerState,
        (cx, prepayment): (&mut StepContext<'_, G>, &mut Prepayment),
        levels: &Levels,
    ) -> (Cost, NodeId) {
        let (graph, goal) = (cx.graph, cx.goal);
        let Scratch { pools, search, closed, queue, .. } = &mut *cx.scratch;
        let h = |n| agent.h(graph, n);
        let pops = search.look_within(cx.at, |n| graph.succs(n), h, queue, pools);
        prepayment.pay(cx.meter, WorkKind::Learn, pops);
        prepayment.pay(cx.meter, WorkKind::Compare, (closed.len() + search.open().len() + 1) as u64);
        let g = |n| search.nodes.g(n);
        let value = |n| self.weigh(g(n)) + h(n);
        let in_sight = g(goal).is_finite().then_some(goal);
        // If all else is equal, the goal is better than other nodes.
        let key = |n| (value(n), Reverse(g(n)), n != goal);
        let best = search.open().first_by(key).into_iter().chain(in_sight).min_by_key(|n| key(*n));
        let on_frontier = best.map_or(Cost::INF, value);
        let level =
            |ends: &[usize]| closed[ends[0]..ends[1]].iter().map(|n| value(*n)).min().unwrap_or(Cost::INF);
        let within = levels.ends[..levels.count].windows(2).map(level).max().unwrap_or(Cost::ZERO);
        let at_goal = in_sight.map_or(Cost::INF, value);
        (on_frontier.max(within).min(at_goal), best.unwrap_or(NodeId::NONE))
    }

    /// Returns γ·g, rounded up.
    fn weigh(&self, g: Cost) -> Cost {
        let weighed = (u64::from(g.raw()) * u64::from(self.config.gamma)).div_ceil(1_000_000);
        if g.is_finite() { Cost::new(weighed as u32) } else { Cost::INF }
    }
}
