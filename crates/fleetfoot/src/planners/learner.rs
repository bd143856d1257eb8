//! What the agent-centred learners share: learned values, the way they are on, and the look-ahead by A*.
//!
//! Such an agent searches around itself only, raises the h of what it has searched, and moves. It keeps no search,
//! only what it has learned; the search runs in the [`Scratch`] that all agents of a thread share. Learning is prepaid:
//! an expansion is granted only if everything that it will owe can be paid for as well, so no lesson is cut short.

use alloc::vec::Vec;
use core::fmt::Debug;

use crate::graph::{Graph, Limits, ReverseGraph, splitmix64};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, Prepayment, Work, WorkKind};
use crate::part;
use crate::parts::{Flat, HTable, Halt, Needs, OpenKind, Part, Pools, Route, Search, Ties, Tools, again};
use crate::planner::{Decision, Planner, PlannerState, Reset, Scratch, Stats, StepContext};
use crate::probe::SearchEvent;
use crate::registry::{Facts, IntOr, Spec};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// What holds for agents that look ahead by A* and learn.
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

/// How far to look, and to walk.
pub(super) fn look_ahead(spec: &Spec) -> LookAhead {
    LookAhead { expansions: spec.get(&LOOKAHEAD), moves: spec.get(&MOVES) }
}

/// What holds with a look-ahead that may not reach the goal.
pub(super) fn facts_by_lookahead(spec: &Spec, facts: Facts) -> Facts {
    Facts { optimal: facts.optimal && spec.get(&LOOKAHEAD).is_none(), ..facts }
}

/// The open list of every look-ahead, for the papers' ties (larger g, then the first generated), and because values that
/// are learned one at a time or over one-way edges may rise by any amount along an edge, which a ring does not bear.
pub(super) const OPEN: OpenKind = OpenKind::Heap(Ties::LargerG);

/// How far to look ahead, and how far to walk on what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAhead {
    /// Expansions before a move, as far as the budget goes; nothing for all that it grants.
    pub expansions: Option<u64>,
    /// Moves before the next look, if the way is that long; nothing for all of it.
    pub moves: Option<u64>,
}

impl LookAhead {
    /// The budget's worth of expansions before every move.
    pub const EACH_MOVE: Self = Self { expansions: None, moves: Some(1) };
}

/// How a learner plans: what sets it apart from the others.
pub trait Method: Part + Clone + Debug + Send + Sync + 'static {
    /// Looks ahead, learns, and decides; the agent is not at its goal and on no way. What it will owe is prepaid by `prepayment`.
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut Agent,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision;

    /// Forgets what belongs to the walk: the agent was moved, or begins again.
    fn lose_way(&mut self) {}

    /// Forgets what belongs to the goal.
    fn forget(&mut self) {}

    /// Whether what was read fits together.
    fn check(&self) -> Result<(), SaveError> {
        Ok(())
    }
}

/// An agent-centred learner as a planner.
#[derive(Clone, Debug)]
pub struct Learner<M> {
    method: M,
    agent: Agent,
}

impl<M: Method> Learner<M> {
    /// A planner for this graph, or for any other with as many nodes, that keeps what it learned for the last
    /// `goals` goals.
    pub(super) fn with<G: Graph>(method: M, goals: usize, graph: &G) -> Self {
        Self { method, agent: Agent::new(graph.bound(), goals) }
    }

    pub(super) fn method(&self) -> &M {
        &self.method
    }

    pub(super) fn method_mut(&mut self) -> &mut M {
        &mut self.method
    }

    /// The same planner, breaking its last ties at random by this seed, or by the order of successors.
    #[must_use]
    pub fn with_ties(mut self, seed: Option<u64>) -> Self {
        self.agent.ties = seed;
        self
    }

    /// The learned values for the present goal.
    pub fn learned(&self) -> &HTable {
        &self.agent.h
    }
}

part! { [M: Method] Learner<M> { saved: agent, method; fixed: } }

impl<M: Method> PlannerState for Learner<M> {
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

impl<G: ReverseGraph, M: Method> Planner<G> for Learner<M> {
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
        cx.meter.count(WorkKind::Page, cx.scratch.pools.fills());
        agent.expected = if let Decision::Go(next) = decision { next } else { at };
        decision
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        self.method.check()
    }
}

/// What every learner keeps.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Learned values for the present goal.
    pub(super) h: HTable,
    /// The same for other goals, the latest first; as many as were asked for, blank until used.
    others: Vec<(NodeId, HTable)>,
    /// The way that the agent is on.
    pub(super) route: Route,
    goal: NodeId,
    /// Where the agent was sent.
    expected: NodeId,
    /// The changes seen so far.
    cursor: u64,
    /// Draws the last ties; nothing for the order of successors.
    ties: Option<u64>,
    /// Searches whose ties were drawn in this life.
    draws: u64,
    /// Whether a cost has fallen since something was learned. Values may then be too large: they prove nothing, and
    /// a lesson may lower them.
    pub(super) fell: bool,
    /// What was done so far; memory and learned states are counted when asked for.
    pub(super) counts: Stats,
    shared: Shared,
}

part! { Agent { saved: goal, expected, cursor, draws, fell, counts, h, others, route, shared; fixed: ties } }

/// The lists of the look-ahead: they lie in the scratch, and take pages as the agent needs them.
#[derive(Clone, Copy, Debug)]
struct Shared;

impl Part for Shared {
    fn write(&self, _: &mut dyn SaveWriter) {}

    fn read(&mut self, _: &Limits, _: &mut SaveReader<'_>) -> Result<(), SaveError> {
        Ok(())
    }

    fn give_back(&mut self, _: &mut Pools) {}

    fn memory_bytes(&self) -> usize {
        0
    }

    fn need(&self, nodes: usize, needs: &mut Needs) {
        Scratch::need_lists(nodes, needs);
    }
}

impl Agent {
    fn new(bound: usize, goals: usize) -> Self {
        Self {
            h: HTable::new(bound),
            others: (1..goals).map(|_| (NodeId::NONE, HTable::new(bound))).collect(),
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

    /// A new goal: takes up what was learned about it, if that was kept, and forgets the way.
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

    /// Drops the way if an edge of it has become dearer, and notes falls.
    fn notice_changes<G: Graph>(&mut self, cx: &mut StepContext<'_, G>) {
        let (graph, log) = (cx.graph, cx.changes);
        if log.end() != self.cursor {
            self.fell |= log.has_decrease_since(self.cursor);
            self.cursor = log.end();
            self.route.check(graph, &mut cx.tools());
        }
    }

    /// What the ties of the next search are drawn from; zero if they are not.
    pub(super) fn draw(&mut self) -> u64 {
        let Some(seed) = self.ties else { return 0 };
        self.draws += 1;
        splitmix64(seed ^ splitmix64(self.draws)) | 1
    }

    /// What the agent takes for the cost from `n` to its goal.
    #[inline]
    pub(super) fn h<G: Graph>(&self, graph: &G, n: NodeId) -> Cost {
        self.h.get(n, || graph.h(n, self.goal))
    }

    /// Whether the value of `n` proves that no way leads from there to the goal: values are never too large, and
    /// none of the graph's simple paths is that long.
    pub(super) fn is_hopeless<G: Graph>(&self, graph: &G, n: NodeId) -> bool {
        let longest = graph.bound() as u64 * u64::from(graph.max_edge_cost().raw());
        !self.fell && u64::from(self.h(graph, n).raw()) >= longest
    }

    /// Gives `n` the value `new`, infinite if no way leads on from it.
    #[inline]
    pub(super) fn learn<G: Graph>(&mut self, graph: &G, n: NodeId, new: Cost, tools: &mut Tools<'_>) {
        let new = new.min(HTable::dead());
        let old = self.h.replace(n, new, || graph.h(n, self.goal), tools.pools);
        self.counts.updates += 1;
        if new != old {
            self.counts.h_rise += u64::from(new.saturating_sub(old).raw());
            tools.tell(SearchEvent::Learn { node: n, old, new });
        }
    }

    /// Raises `n` to `new`, if that is more than it has.
    pub(super) fn raise<G: Graph>(&mut self, graph: &G, n: NodeId, new: Cost, tools: &mut Tools<'_>) {
        let new = new.max(self.h(graph, n));
        self.learn(graph, n, new, tools);
    }

    /// A* from the agent's place over its learned values, as far as `ahead` says and the meter goes. When it halts,
    /// the best state is on top of the open list.
    pub(super) fn look_ahead<G: Graph>(
        &mut self,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
        (ahead, share): (LookAhead, u64),
        dues: Dues,
    ) -> Halt {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let h = |table: &HTable, n| table.get(n, || graph.h(n, goal));
        self.explore(cx, prepayment, (ahead.expansions, share), dues, |search, closed, table, tools| {
            if closed.is_empty() {
                search.start(at, h(table, at), tools);
            }
            let succs = |n, _| {
                closed.push(n);
                graph.succs(n)
            };
            search.run(succs, |_, n| h(table, n), goal, tools)
        })
    }

    /// Lets `run` search the agent's surroundings and list what it expands. It is called again while there is
    /// something left to spend. Each expansion prepays tracing one edge and `dues`. By the clock it stops at `share`
    /// hundredths of the time.
    pub(super) fn explore<G: Graph>(
        &mut self,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
        (most, share): (Option<u64>, u64),
        dues: Dues,
        mut run: impl FnMut(&mut Search<Flat>, &mut Vec<NodeId>, &HTable, &mut Tools<'_>) -> Halt,
    ) -> Halt {
        cx.scratch.fit(OPEN, cx.graph.bound(), Cost::INF);
        let Scratch { pools, search, closed, .. } = &mut *cx.scratch;
        let mut tools = Tools { meter: cx.meter, pools, probe: again(&mut cx.probe) };
        dues.prepay(prepayment, tools.meter, cx.graph.max_degree() as u64);
        closed.clear();
        search.open_max = 0;
        search.open.shuffle(self.draw());
        let most = most.unwrap_or(u64::MAX);
        let is_timed = tools.meter.is_timed();
        let halt = loop {
            let halt = tools.with_limit(most - closed.len() as u64, |tools| {
                let mut run = |tools: &mut Tools<'_>| run(search, closed, &self.h, tools);
                if is_timed { tools.with_fraction(share, 100, run) } else { run(tools) }
            });
            // What was prepaid for states that turned out to be known already buys further expansions.
            let can_go_on = prepayment
                .refund_unused(tools.meter, &dues.reckon(closed.len() as u64, search.open().len() as u64));
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

    /// Sets off for `target`, which the look-ahead has reached, and makes the first move.
    pub(super) fn set_off<G>(
        &mut self,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
        target: NodeId,
        moves: Option<u64>,
    ) -> Decision {
        let Scratch { pools, search, .. } = &mut *cx.scratch;
        let mut tools = Tools { meter: cx.meter, pools, probe: again(&mut cx.probe) };
        self.route.trace(target, &search.nodes, moves.unwrap_or(u64::MAX), (prepayment, &mut tools));
        self.route.next(cx.at).map_or(Decision::Wait, Decision::Go)
    }
}

/// Work that a look-ahead will owe, beside one trace step for each state expanded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dues {
    pub(super) learn: Due,
    pub(super) compare: Due,
}

/// Work of one kind: in any case, for each state expanded, and for each generated and not expanded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Due {
    pub(super) once: u64,
    pub(super) expanded: u64,
    pub(super) generated: u64,
}

impl Dues {
    /// Makes each expansion pay for the most that it can come to owe where no state has more than `degree` successors.
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

    /// What is owed after so many expansions when so many states are open.
    fn reckon(self, closed: u64, open: u64) -> Work {
        let of = |due: Due| due.once + due.expanded * closed + due.generated * open;
        let mut owed = Work::NONE;
        owed[WorkKind::Trace] = closed;
        owed[WorkKind::Learn] = of(self.learn);
        owed[WorkKind::Compare] = of(self.compare);
        owed
    }
}
