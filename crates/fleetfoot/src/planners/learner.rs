//! The common part of agent-centered learners: learned values, the route, and the look-ahead by A*.
//!
//! An agent of this kind searches only around itself, increases the h of the searched nodes, and moves. Only learned
//! values are kept; the search uses the [`Scratch`] of the thread. Learning is prepaid: an expansion is granted
//! only if all work that must follow it is covered, so learning is never cut short.

use alloc::vec::Vec;
use core::fmt::Debug;

use crate::graph::{Graph, Limits, ReverseGraph, splitmix64};
use crate::id::{Cost, NodeId};
use crate::meter::{Limit, Meter, Prepayment, Work, WorkKind};
use crate::planner::{Decision, Planner, PlannerState, Reset, Scratch, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{
    FlatTable, Halt, LearnedValues, OpenKind, PageCounts, PlannerPart, Pools, Route, Search, SearchTools,
    Ties, reborrow,
};
use crate::spec::{Facts, IntOr, Spec};

/// The facts of agents that look ahead by A* and learn.
pub(super) const FACTS: Facts =
    Facts { proves_no_path: false, slice_invariant: false, falling_costs: false, ..Facts::FULL };

pub(super) const LOOKAHEAD: IntOr = IntOr::new(
    "lookahead",
    "budget",
    "budget",
    1,
    1_000_000_000,
    "expansions before each decision, as far as the step's budget goes; or all that it grants",
);
pub(super) const MOVES: IntOr = IntOr::new(
    "moves",
    "all",
    "all",
    1,
    1_000_000_000,
    "maximum moves before the next look-ahead, or all to where the last one ended",
);
pub(super) const TIES: IntOr = IntOr::new(
    "ties",
    "first",
    "first",
    0,
    u64::MAX,
    "between states of equal f and g: the first generated, or drawn at random from this seed",
);

/// Returns the limits of look-ahead and moves.
pub(super) fn look_ahead(spec: &Spec) -> LookAhead {
    LookAhead { expansions: spec.get(&LOOKAHEAD), moves: spec.get(&MOVES) }
}

/// Adjusts the facts for a look-ahead that may not reach the goal.
pub(super) fn facts_by_lookahead(spec: &Spec, facts: Facts) -> Facts {
    Facts { optimal: facts.optimal && spec.get(&LOOKAHEAD).is_none(), ..facts }
}

/// The open list of all look-aheads. A heap, for the papers' ties (larger g, then first generated), and because
/// values that are learned one at a time, or on directed edges, can increase by any amount along an edge, which a
/// ring does not support.
pub(super) const OPEN: OpenKind = OpenKind::Heap(Ties::LargerG);

/// The limits of a look-ahead and of the moves that follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    /// Maximum number of expansions per look-ahead. `None` for as many as the budget covers.
    pub expansions: Option<u64>,
    /// Maximum number of moves per look-ahead. `None` for the whole route.
    pub moves: Option<u64>,
}

impl LookAhead {
    /// Expands as long as the budget lasts, and makes one move.
    pub const EACH_MOVE: Self = Self { expansions: None, moves: Some(1) };
}

/// The part of a learner in which the algorithms differ.
pub trait LearningRule: PlannerPart + Clone + Debug + Send + Sync + 'static {
    /// Plans one step: look-ahead, learning, decision. Called only if the agent has no route and is not at its
    /// goal. `prepayment` covers the work of learning.
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision;

    /// Clears data about the route: the agent was moved, or restarts.
    fn lose_way(&mut self) {}

    /// Clears data about the goal.
    fn forget(&mut self) {}

    /// Checks that the parts of a saved state are consistent.
    fn check(&self) -> Result<(), SaveError> {
        Ok(())
    }
}

/// A planner made from an agent-centered learner.
#[derive(Clone, Debug)]
pub struct Learner<M> {
    method: M,
    agent: LearnerState,
}

impl<M: LearningRule> Learner<M> {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes, that keeps learned values for
    /// the last `goals` goals.
    pub(super) fn with<G: Graph>(method: M, goals: usize, graph: &G) -> Self {
        Self { method, agent: LearnerState::new(graph.bound(), goals) }
    }

    pub(super) fn method(&self) -> &M {
        &self.method
    }

    pub(super) fn method_mut(&mut self) -> &mut M {
        &mut self.method
    }

    /// Breaks final ties at random with this seed, or by the order of successors.
    #[must_use]
    pub fn with_ties(mut self, seed: Option<u64>) -> Self {
        self.agent.ties = seed;
        self
    }

    /// Returns the learned values for the current goal.
    pub fn learned(&self) -> &LearnedValues {
        &self.agent.h
    }
}

planner_part! { [M: LearningRule] Learner<M> { saved: agent, method; fixed: } }

impl<M: LearningRule> PlannerState for Learner<M> {
    fn graph_bound(&self) -> usize {
        self.agent.h.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        self.agent.route.clear();
        self.method.lose_way();
        if keep == Reset::Full {
            self.agent.forget();
            self.method.forget();
        }
    }

    fn search_stats(&self) -> Stats {
        Stats { h_states: self.agent.h.states() as u64, ..self.agent.counts }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.agent.route.rest(at)
    }
}

impl<G: ReverseGraph, M: LearningRule> Planner<G> for Learner<M> {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let Self { method, agent } = self;
        if cx.goal != agent.goal {
            agent.set_goal(cx.goal);
            method.forget();
        }
        if cx.at != agent.expected {
            agent.route.clear();
            method.lose_way();
        }
        agent.notice_changes(&mut cx);
        let (at, goal) = (cx.at, cx.goal);
        let decision = if at == goal {
            Decision::Wait
        } else if let Some(next) = agent.route.next(at) {
            Decision::Go(next)
        } else {
            let mut prepayment = cx.meter.prepay();
            let decision = method.plan(agent, &mut cx, &mut prepayment);
            prepayment.finish(cx.meter);
            decision
        };
        cx.meter.count(WorkKind::Page, cx.scratch.pools.page_faults());
        agent.expected = if let Decision::Go(next) = decision { next } else { at };
        decision
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        self.method.check()
    }
}

/// The common state of learners.
#[derive(Clone, Debug)]
pub struct LearnerState {
    /// Learned values for the current goal.
    pub(super) h: LearnedValues,
    /// Learned values for other goals, latest first; as many as requested, blank until used.
    others: Vec<(NodeId, LearnedValues)>,
    /// The current route.
    pub(super) route: Route,
    goal: NodeId,
    /// The position to which the agent was sent.
    expected: NodeId,
    /// The cursor into the change log.
    cursor: u64,
    /// The seed for final ties. `None` for the order of successors.
    ties: Option<u64>,
    /// Number of searches with random ties since the last full reset.
    draws: u64,
    /// `true` if a cost has decreased since something was learned. Values may then be too large: they prove
    /// nothing, and learning may decrease them.
    pub(super) fell: bool,
    /// Statistics. Memory and the number of learned nodes are computed on request.
    pub(super) counts: Stats,
    shared: Shared,
}

planner_part! { LearnerState { saved: goal, expected, cursor, draws, fell, counts, h, others, route, shared; fixed: ties } }

/// The lists of the look-ahead. They are in the scratch, but use pages on behalf of the agent.
#[derive(Clone, Copy, Debug)]
struct Shared;

impl PlannerPart for Shared {
    fn write(&self, _: &mut dyn SaveWriter) {}

    fn read(&mut self, _: &Limits, _: &mut SaveReader<'_>) -> Result<(), SaveError> {
        Ok(())
    }

    fn release_pages(&mut self, _: &mut Pools) {}

    fn memory_bytes(&self) -> usize {
        0
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        Scratch::need_lists(nodes, needs);
    }
}

impl LearnerState {
    fn new(bound: usize, goals: usize) -> Self {
        Self {
            h: LearnedValues::new(bound),
            others: (1..goals).map(|_| (NodeId::NONE, LearnedValues::new(bound))).collect(),
            route: Route::new(bound),
            goal: NodeId::NONE,
            expected: NodeId::NONE,
            cursor: 0,
            ties: None,
            draws: 0,
            fell: false,
            counts: Stats::default(),
            shared: Shared,
        }
    }

    /// Sets a new goal: restores learned values for it if they were kept, and clears the route.
    fn set_goal(&mut self, goal: NodeId) {
        self.route.clear();
        let kept = self.others.iter().position(|(other, _)| *other == goal);
        if let Some(k) = kept.or(self.others.len().checked_sub(1)) {
            self.others[..=k].rotate_right(1);
            let (other, table) = &mut self.others[0];
            core::mem::swap(table, &mut self.h);
            *other = self.goal;
        }
        if kept.is_none() {
            self.h.clear();
            self.fell &= !self.others.is_empty();
        }
        self.goal = goal;
    }

    fn forget(&mut self) {
        for (goal, table) in &mut self.others {
            *goal = NodeId::NONE;
            table.clear();
        }
        self.h.clear();
        (self.fell, self.draws) = (false, 0);
    }

    /// Clears the route if the cost of one of its edges has increased, and records decreases.
    fn notice_changes<G: Graph>(&mut self, cx: &mut StepContext<'_, G>) {
        let (graph, log) = (cx.graph, cx.changes);
        if log.end() != self.cursor {
            self.fell |= log.has_decrease_since(self.cursor);
            self.cursor = log.end();
            self.route.check(graph, &mut cx.tools());
        }
    }

    /// Returns the seed for the ties of the next search. Zero if they are not random.
    pub(super) fn draw(&mut self) -> u64 {
        let Some(seed) = self.ties else { return 0 };
        self.draws += 1;
        splitmix64(seed ^ splitmix64(self.draws)) | 1
    }

    /// Returns the estimated cost from `n` to the goal.
    #[inline]
    pub(super) fn h<G: Graph>(&self, graph: &G, n: NodeId) -> Cost {
        self.h.get(n, || graph.h(n, self.goal))
    }

    /// Returns `true` if the value of `n` proves that there is no path to the goal: values are never too large, and
    /// no simple path of the graph is that long.
    pub(super) fn is_hopeless<G: Graph>(&self, graph: &G, n: NodeId) -> bool {
        let longest = graph.bound() as u64 * u64::from(graph.max_edge_cost().raw());
        !self.fell && u64::from(self.h(graph, n).raw()) >= longest
    }

    /// Sets the value of `n` to `new`. Infinite means that no path leads on from it.
    #[inline]
    pub(super) fn learn<G: Graph>(&mut self, graph: &G, n: NodeId, new: Cost, tools: &mut SearchTools<'_>) {
        let new = new.min(LearnedValues::DEAD_END);
        let old = self.h.replace(n, new, || graph.h(n, self.goal), tools.pools);
        self.counts.updates += 1;
        if new != old {
            self.counts.h_rise += u64::from(new.saturating_sub(old).raw());
            tools.emit(SearchEvent::Learn { node: n, old, new });
        }
    }

    /// Increases the value of `n` to `new` if it is smaller.
    pub(super) fn raise<G: Graph>(&mut self, graph: &G, n: NodeId, new: Cost, tools: &mut SearchTools<'_>) {
        let new = new.max(self.h(graph, n));
        self.learn(graph, n, new, tools);
    }

    /// Runs A* from the agent's position with its learned values, within the limits of `ahead` and the budget. When
    /// it stops, the best node is on top of the open list.
    pub(super) fn look_ahead<G: Graph>(
        &mut self,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
        (ahead, share): (LookAhead, u64),
        prepaid_work: PrepaidWork,
    ) -> Halt {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let h = |table: &LearnedValues, n| table.get(n, || graph.h(n, goal));
        self.explore(
            cx,
            prepayment,
            (ahead.expansions, share),
            prepaid_work,
            |search, closed, table, tools| {
                if closed.is_empty() {
                    search.start(at, h(table, at), tools);
                }
                let succs = |n, _| {
                    closed.push(n);
                    graph.succs(n)
                };
                search.run(succs, |_, n| h(table, n), goal, tools)
            },
        )
    }

    /// Calls `run` to search around the agent and to list the expanded nodes. `run` is called again while budget is
    /// left. Each expansion prepays tracing one edge, and `prepaid_work`. Under a deadline the search stops after `share`
    /// percent of the time.
    pub(super) fn explore<G: Graph>(
        &mut self,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
        (most, share): (Option<u64>, u64),
        prepaid_work: PrepaidWork,
        mut run: impl FnMut(
            &mut Search<FlatTable>,
            &mut Vec<NodeId>,
            &LearnedValues,
            &mut SearchTools<'_>,
        ) -> Halt,
    ) -> Halt {
        cx.scratch.fit(OPEN, cx.graph.bound(), Cost::INF);
        let Scratch { pools, search, closed, .. } = &mut *cx.scratch;
        let mut tools = SearchTools { meter: cx.meter, pools, probe: reborrow(&mut cx.probe) };
        prepaid_work.prepay(prepayment, tools.meter, cx.graph.max_degree() as u64);
        closed.clear();
        search.open_max = 0;
        search.open.shuffle(self.draw());
        let most = most.unwrap_or(u64::MAX);
        let is_timed = tools.meter.is_timed();
        let halt = loop {
            let outer = tools.meter.narrow(tools.meter.limit(most - closed.len() as u64));
            let time = if is_timed { tools.meter.fraction(share, 100) } else { Limit::NONE };
            let inner = tools.meter.narrow(time);
            let halt = run(search, closed, &self.h, &mut tools);
            tools.meter.widen(inner);
            tools.meter.widen(outer);
            // What was prepaid for nodes that were already known pays for further expansions.
            let can_go_on = prepayment.refund_unused(
                tools.meter,
                &prepaid_work.reckon(closed.len() as u64, search.open().len() as u64),
            );
            if halt != Halt::Paused || closed.len() as u64 == most || is_timed || !can_go_on {
                break halt;
            }
        };
        let counts = &mut self.counts;
        counts.searches += 1;
        counts.open_max = counts.open_max.max(search.open_max);
        counts.closed_max = counts.closed_max.max(closed.len() as u64);
        halt
    }

    /// Sets the route to `target`, which the look-ahead has reached, and makes the first move.
    pub(super) fn set_off<G>(
        &mut self,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
        target: NodeId,
        moves: Option<u64>,
    ) -> Decision {
        let Scratch { pools, search, .. } = &mut *cx.scratch;
        let mut tools = SearchTools { meter: cx.meter, pools, probe: reborrow(&mut cx.probe) };
        self.route.trace(target, &search.nodes, moves.unwrap_or(u64::MAX), (prepayment, &mut tools));
        self.route.next(cx.at).map_or(Decision::Wait, Decision::Go)
    }
}

/// The work after a look-ahead, besides one trace step per expanded node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PrepaidWork {
    pub(super) learn: WorkRate,
    pub(super) compare: WorkRate,
}

/// Work of one kind: a constant, per expanded node, and per node generated but not expanded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorkRate {
    pub(super) once: u64,
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl PrepaidWork {
    /// Makes each expansion prepay the maximum work that can follow it if no node has more than `degree`
    /// successors.
    fn prepay(self, prepayment: &mut Prepayment, meter: &mut Meter, degree: u64) {
        prepayment.add_per_expansion(meter, WorkKind::Trace, 1);
        for (kind, due) in [(WorkKind::Learn, self.learn), (WorkKind::Compare, self.compare)] {
            prepayment.add_per_expansion(
                meter,
                kind,
                due.expanded.saturating_add(due.generated.saturating_mul(degree)),
            );
            prepayment.add(meter, kind, due.once);
        }
    }

    /// Returns the work that must follow `closed` expansions with `open` open nodes.
    fn reckon(self, closed: u64, open: u64) -> Work {
        let of = |due: WorkRate| due.once + due.expanded * closed + due.generated * open;
        let mut owed = Work::NONE;
        owed[WorkKind::Trace] = closed;
        owed[WorkKind::Learn] = of(self.learn);
        owed[WorkKind::Compare] = of(self.compare);
        owed
    }
}
