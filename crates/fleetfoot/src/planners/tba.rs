//! TBA* (Björnsson, Bulitko & Sturtevant 2009): time-bounded A*, for known, static maps.
//!
//! A single A* search from the start continues from step to step. After each slice of expansions, the path to the
//! most promising node is traced back, also in slices, and the agent follows it. If the agent is not on it, it
//! walks back up the tree until it is. So it moves from the first step on, and the expansions are those of A*, in
//! the same order, for any budget. A step costs at most ⌊R·r⌋ expansions and (R - ⌊R·r⌋)·c trace steps (R·c after
//! the goal was found), at least one of each. The memory is that of A*.
//!
//! The paper's two repairs are implemented as its text describes them: the next node is the one *after* the agent
//! on the path, and the node it came from is recorded before it moves. A change of the graph starts a new search.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::open_params::OPEN;
use super::time_bounded::{
    C, FACTS, FIRST_STEP, HOLD, ONE, R, SWITCH_RULE, TimeBounded, TimeBoundedConfig, Verdict, WEIGHT, config,
};
use crate::graph::{Graph, Undirected};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext, follow};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{Halt, NodeTable, OpenKind, PagedTree, Search, SearchTools, SearchTree, Ties};
use crate::spec::{BuildError, Choice, Facts, PlannerInfo, Spec};

const SHORTCUT: Choice<Shortcut> = Choice::new(
    "shortcut",
    &["off", "per-step", "persistent"],
    &[Shortcut::Off, Shortcut::PerStep, Shortcut::Persistent],
    "off the path to the goal: walk back, or look for a shorter path, again in each step or continued; a small gain",
);

/// The row of TBA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "tba",
    name: "TBA*",
    paper: "Björnsson, Bulitko, Sturtevant 2009",
    summary: "moves at once along the most promising path of one A* that goes on from step to step",
    facts: FACTS,
    params: &[
        R.param,
        C.param,
        OPEN.param,
        FIRST_STEP.param,
        SHORTCUT.param,
        SWITCH_RULE.param,
        HOLD.param,
        WEIGHT.param,
    ],
    adjust_facts: |spec, facts| {
        Facts {
            // The start of the shortcut search depends on the agent's position at that time.
            slice_invariant: facts.slice_invariant && spec.get(&SHORTCUT) == Shortcut::Off,
            optimal: facts.optimal && spec.get(&WEIGHT) == ONE,
            ..facts
        }
    },
};

/// Builds the planner.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let config = TbaConfig { bounds: config(spec), shortcut: spec.get(&SHORTCUT) };
    Ok(Box::new(Tba::new(config, graph).with_weight(spec.get(&WEIGHT))))
}

/// What to do if the path to the goal is known and the agent is off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shortcut {
    /// Walk back up the tree.
    #[default]
    Off,
    /// In every step, a bounded A* from the path to the agent, starting from the nodes nearest to where its way
    /// back meets the path. The published variant, with seeding limited to the step's trace budget to keep the
    /// bound.
    PerStep,
    /// One A* from the whole path that continues from step to step. The agent takes the shortcut as soon as the
    /// search has closed its cell. It aims at the agent's position at the start of that search, so nothing needs to
    /// be searched or seeded again. Still, it costs as much as a second search, backward from the goal, and has
    /// only the time of backtracking: it helps if that is long and the map narrow, and rarely on game maps.
    Persistent,
}

/// Parameters of TBA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TbaConfig {
    /// The split of the budget, and the behavior of the agent.
    pub bounds: TimeBoundedConfig,
    /// The shortcut enhancement.
    pub shortcut: Shortcut,
}

/// The planner TBA*.
#[derive(Clone, Debug)]
pub struct Tba {
    shortcut: Shortcut,
    inner: TimeBounded<PagedTree>,
    cursor: u64,
    /// The search from the path back to the agent. Its tree points toward the path.
    back: Search<PagedTree>,
    /// The depth of the path node that the persistent search uses as its next seed.
    next_seed: u32,
    /// The agent's position when `back` started: the target of its estimates.
    aim: NodeId,
    /// `true` if `back` belongs to the current path; in the per-step variant, if it has reached the agent.
    has_back: bool,
}

impl Tba {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(config: TbaConfig, graph: &G) -> Self {
        let bound = if config.shortcut == Shortcut::Off { 0 } else { graph.bound() };
        let heap = OpenKind::Heap(Ties::LargerG);
        Self {
            shortcut: config.shortcut,
            inner: TimeBounded::new(config.bounds, PagedTree::new(graph.bound()), graph),
            cursor: 0,
            back: Search::new(PagedTree::new(bound), heap, bound, Cost::INF),
            next_seed: 0,
            aim: NodeId::NONE,
            has_back: false,
        }
    }

    /// Sets the weight of h in millionths; 1,000,000 is TBA* as published. With larger weights, the path is found
    /// sooner, and costs at most the weight times the minimum.
    #[must_use]
    pub fn with_weight(mut self, weight: u32) -> Self {
        self.inner.set_weight(weight);
        self
    }

    fn restart(&mut self) {
        self.inner.restart();
        self.has_back = false;
    }

    /// Returns the first move of a shortcut from `at` to the path, if one is known.
    fn cut_short<G: Undirected>(
        &mut self,
        graph: &G,
        at: NodeId,
        tools: &mut SearchTools<'_>,
    ) -> Option<NodeId> {
        // Already on a shortcut: all its cells were closed by the search that found it.
        if self.has_back && self.back.nodes.is_closed(at) {
            return self.back.nodes.parent(at).some();
        }
        let (expansions, traces) = self.inner.split(tools.meter);
        tools.emit_switch(true);
        let found = match self.shortcut {
            Shortcut::Off => false,
            Shortcut::PerStep => self.search_once(graph, at, (expansions, traces), tools),
            Shortcut::Persistent => self.search_on(graph, at, (expansions, traces), tools),
        };
        tools.emit_switch(false);
        if found { self.back.nodes.parent(at).some() } else { None }
    }

    /// Runs one bounded A* from the path to the agent.
    fn search_once<G: Undirected>(
        &mut self,
        graph: &G,
        at: NodeId,
        (expansions, mut traces): (u64, u64),
        tools: &mut SearchTools<'_>,
    ) -> bool {
        let tree = &self.inner.search.nodes;
        let mut meeting = at;
        while !self.inner.follow.contains(meeting, tree) {
            if traces == 0 || !tools.meter.charge(WorkKind::Trace) {
                return false;
            }
            traces -= 1;
            meeting = tree.parent(meeting);
        }
        self.back.clear(Cost::ZERO);
        tools.emit(SearchEvent::Search { root: meeting });
        (self.has_back, self.aim) = (false, at);
        let all = tree.g(self.inner.goal);
        let mut seed = Some(meeting);
        while let Some(n) = seed {
            if traces == 0 || !tools.meter.charge(WorkKind::Trace) {
                break;
            }
            traces -= 1;
            let (g, h) = (all.saturating_sub(tree.g(n)), graph.h(n, at));
            self.back.seed(n, g, h, tools);
            tools.emit(SearchEvent::Open { node: n, parent: NodeId::NONE, g, f: g + h });
            seed = self.inner.follow.after(n, tree);
        }
        let outer = tools.meter.narrow(tools.meter.limit(expansions));
        let halt = self.back.run(|n, _| graph.succs(n), |_, n| graph.h(n, at), at, tools);
        tools.meter.widen(outer);
        // The agent's cell is the next to be closed: the path to it is final, and its cells are closed.
        self.has_back = halt == Halt::Goal && self.back.nodes.parent(at).is_some();
        self.has_back
    }

    /// Continues the search from the path. Returns `true` if it has closed the agent's cell.
    fn search_on<G: Undirected>(
        &mut self,
        graph: &G,
        at: NodeId,
        (expansions, traces): (u64, u64),
        tools: &mut SearchTools<'_>,
    ) -> bool {
        if !self.has_back {
            let front = self.inner.follow.front();
            self.back.clear(Cost::ZERO);
            (self.has_back, self.aim) = (true, at);
            self.next_seed = self.inner.search.nodes.depth(front);
            tools.emit(SearchEvent::Search { root: front });
        }
        // Closed nodes are final only if all seeds are in place. If seeding takes more than a step's trace steps,
        // it also uses the share of the expansions, like tracing after the goal was found.
        match self.seed_on(graph, tools) {
            Some(seeds) if seeds <= traces => {}
            _ => return false,
        }
        let aim = self.aim;
        let outer = tools.meter.narrow(tools.meter.limit(expansions));
        self.back.run(|n, _| graph.succs(n), |_, n| graph.h(n, aim), NodeId::NONE, tools);
        tools.meter.widen(outer);
        self.back.nodes.is_closed(at)
    }

    /// Continues seeding with nodes of the path. Returns their number once all are in place.
    fn seed_on<G: Undirected>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> Option<u64> {
        let (tree, follow) = (&self.inner.search.nodes, &self.inner.follow);
        let (all, most) = (tree.g(self.inner.goal), self.inner.all_traces(tools.meter));
        let mut seeds = 0;
        while let Some(n) = follow.node(self.next_seed).some() {
            if seeds == most || !tools.meter.charge(WorkKind::Trace) {
                break;
            }
            seeds += 1;
            self.next_seed += 1;
            let (g, h) = (all.saturating_sub(tree.g(n)), graph.h(n, self.aim));
            self.back.seed(n, g, h, tools);
            tools.emit(SearchEvent::Open { node: n, parent: NodeId::NONE, g, f: g + h });
        }
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        if follow.node(self.next_seed).is_some() { None } else { Some(seeds) }
    }
}

planner_part! { Tba { saved: cursor, inner, has_back, next_seed, aim, back; fixed: shortcut } }

impl PlannerState for Tba {
    fn graph_bound(&self) -> usize {
        self.inner.graph_bound()
    }

    fn reset(&mut self, _: Reset) {
        self.restart();
    }

    fn search_stats(&self) -> Stats {
        self.inner.search_stats()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        if !(self.has_back && self.back.nodes.is_closed(at)) {
            return self.inner.path(at);
        }
        // The shortcut to the path, then along it.
        let mut path = follow(at, self.graph_bound(), |n| self.back.nodes.parent(n).some());
        path.extend(self.inner.path(path.last().copied().unwrap_or(at)));
        path
    }
}

impl<G: Undirected> Planner<G> for Tba {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        if self.cursor != cx.changes.end() {
            self.cursor = cx.changes.end();
            self.restart();
        }
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        self.inner.notice(at, goal);
        let tools = &mut cx.tools();
        if self.shortcut != Shortcut::Off && self.inner.is_off_path(at) {
            if let Some(next) = self.cut_short(graph, at, tools) {
                self.inner.send(at, next);
                return Decision::Go(next);
            }
        } else if !self.inner.traced {
            self.has_back = false;
        }
        let succs = |n, from| graph.pruned_successors(n, from);
        match self.inner.step((at, goal), succs, |n| graph.h(n, goal), |_, _| true, tools) {
            Verdict::Go(next) => Decision::Go(next),
            Verdict::NoPath => Decision::NoPath,
            Verdict::Wait | Verdict::Broken => Decision::Wait,
        }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.inner.verify(graph)?;
        if !self.has_back {
            // The rest of an older search is cleared before the next one starts.
            return Ok(());
        }
        if self.shortcut == Shortcut::Off {
            return Err(SaveError::new("it has a shortcut, and its kind takes none"));
        }
        let aim = self.aim;
        self.back.check(|n| if aim.is_some() { graph.h(n, aim) } else { Cost::INF })
    }
}
