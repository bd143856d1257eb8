//! LRTS(d, γ, T) (Bulitko & Lee 2006): LRTA* that weighs its costs by γ, learns the best of its levels, walks all of its
//! look-ahead, and turns back once it has learned more than its quota T.
//!
//! h(s) rises to the greatest of `m_1` … `m_d`, where `m_i` is the least γ·g + h over the states i edges away; the
//! agent then walks the whole way to the best state of the last level. Once more than T was learned since the start it
//! walks back to where it decided before, and decides there again: T = ∞ with d = γ = 1 is LRTA*, T = 0 is SLA*, in
//! between it is SLA*T; T = 0 with d > 1 and γ < 1 is close to γ-trap. h never falls and never exceeds the true
//! distance.
//!
//! Chosen here, since the published text is silent: γ·g is rounded up to whole cost units, so that every move counts
//! for something; the goal, once in sight, belongs to every level, the last one included; if the budget ends within
//! a level, the last level is what is left of it and what was generated beyond; where the way back is closed or
//! forgotten (beyond 65,536 moves), or is longer than can be paid for, the agent goes forward. Turning back needs moves
//! that can be taken back.

use alloc::boxed::Box;
use core::cmp::Reverse;

use super::learner::{Agent, Due, Dues, FACTS, Learner, Method};
use crate::graph::{Edge, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::part;
use crate::parts::{Flat, Halt, Nodes, Trail};
use crate::planner::{Decision, Scratch, StepContext};
use crate::registry::{BoxedPlanner, BuildError, Facts, Int, IntOr, PlannerInfo, Share, Spec};

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

/// The row of LRTS in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "lrts",
    name: "LRTS",
    paper: "Bulitko, Lee 2006",
    summary: "LRTA* with weighted costs that walks its whole look-ahead and backtracks when it learns too much",
    facts: Facts { optimal: false, ..FACTS },
    params: &[DEPTH.param, GAMMA.param, QUOTA.param],
    adjust_facts: |spec, facts| {
        // With a quota it must be able to walk back.
        Facts { needs_undirected: spec.get(&QUOTA).is_some(), ..facts }
    },
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let (depth, quota) = (spec.get(&DEPTH), spec.get(&QUOTA));
    let gamma = positive(spec.get(&GAMMA))?;
    Ok(Box::new(Lrts::new(LrtsConfig { depth, gamma, quota }, graph)))
}

/// A weight of nothing would make every way as good as any other.
pub(super) fn positive(gamma: u32) -> Result<u32, BuildError> {
    if gamma > 0 { Ok(gamma) } else { Err(BuildError::new("gamma must be more than 0, such as 0.2")) }
}

/// Where the first phase ends by the clock, in hundredths of the time.
const LOOK_AHEAD_SHARE: u64 = 50;
/// Levels at most.
pub(crate) const DEEPEST: u64 = 64;

/// Parameters of LRTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LrtsConfig {
    /// Levels to look ahead, and moves to walk: at most 64.
    pub depth: u64,
    /// Weight of costs already paid, in millionths: at most a million, and more than nothing.
    pub gamma: u32,
    /// How much may be learned before the agent turns back, in multiples of the dearest edge; nothing for no limit.
    pub quota: Option<u64>,
}

/// LRTS's way to plan.
#[derive(Clone, Debug)]
pub struct LrtsMethod {
    config: LrtsConfig,
    /// Learned so far, up to the quota.
    learned: u64,
    trail: Trail,
}

/// Learning real-time search.
pub type Lrts = Learner<LrtsMethod>;

impl Lrts {
    /// A planner for this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(config: LrtsConfig, graph: &G) -> Self {
        let config = LrtsConfig {
            depth: config.depth.clamp(1, DEEPEST),
            gamma: config.gamma.clamp(1, 1_000_000),
            ..config
        };
        Self::with(LrtsMethod { config, learned: 0, trail: Trail::new() }, 1, graph)
    }
}

part! { LrtsMethod { saved: learned, trail; fixed: config } }

impl Method for LrtsMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut Agent,
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
            // Each expansion has prepaid the tracing of one edge.
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

/// The levels that were expanded to the last state: how many there are, and where each ends in `scratch.closed`.
struct Levels {
    count: usize,
    ends: [usize; DEEPEST as usize],
}

/// Expands all states fewer than `depth` edges away, but never the goal, level by level.
fn look_ahead<G: ReverseGraph>(
    agent: &mut Agent,
    cx: &mut StepContext<'_, G>,
    prepayment: &mut Prepayment,
    depth: u64,
) -> Levels {
    let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
    // The update, a pop for each state expanded, and a look at each state and at the goal.
    let learn = Due { once: 1, expanded: 1, generated: 0 };
    let compare = Due { once: 1, expanded: 1, generated: 1 };
    let mut levels = Levels { count: 0, ends: [0; DEEPEST as usize] };
    agent.explore(
        cx,
        prepayment,
        (None, LOOK_AHEAD_SHARE),
        Dues { learn, compare },
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
                let is_below = |nodes: &Flat, n| nodes.g(n).raw() as usize > levels.count;
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
    /// The greatest of the levels' least values, and the best state of the frontier, which is the last level unless the
    /// budget or the graph ended before; none if there is nowhere to go.
    fn judge<G: ReverseGraph>(
        &self,
        agent: &Agent,
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
        // Equal in everything, the goal is better than any other.
        let key = |n| (value(n), Reverse(g(n)), n != goal);
        let best = search.open().first_by(key).into_iter().chain(in_sight).min_by_key(|n| key(*n));
        let on_frontier = best.map_or(Cost::INF, value);
        let level =
            |ends: &[usize]| closed[ends[0]..ends[1]].iter().map(|n| value(*n)).min().unwrap_or(Cost::INF);
        let within = levels.ends[..levels.count].windows(2).map(level).max().unwrap_or(Cost::ZERO);
        let at_goal = in_sight.map_or(Cost::INF, value);
        (on_frontier.max(within).min(at_goal), best.unwrap_or(NodeId::NONE))
    }

    /// γ·g, rounded up.
    fn weigh(&self, g: Cost) -> Cost {
        let weighed = (u64::from(g.raw()) * u64::from(self.config.gamma)).div_ceil(1_000_000);
        if g.is_finite() { Cost::new(weighed as u32) } else { Cost::INF }
    }
}
