//! The common part of the time-bounded planners: a single A* that continues from step to step, and paths traced out
//! of its tree a few steps at a time, so that the agent moves before the search is finished.
//!
//! With a budget of R, a step makes ⌊R·r⌋ expansions and (R - ⌊R·r⌋)·c trace steps, at least one of each. No step
//! does work proportional to the path, the open list or the map. Paths are arrays indexed by depth in the tree, so
//! adopting one is a swap, and finding the agent on it is one comparison. If all work is charged, a trace step
//! costs three tenths of an expansion, and the meter grants fewer. With a budget of 1 it then grants none until the
//! goal is found, so the agent waits like that of A*.
//!
//! With a weight w above 1 the search is weighted A* (Pohl 1970): f = g + w·h. It finds a path sooner, which costs
//! at most w times the minimum. Closed nodes are not opened again when they are reached at a lower cost; the bound
//! still holds (Likhachev, Gordon & Thrun 2003). Parents of closed nodes therefore stay final, as tracing requires.
//! f may decrease along a path, so path-max is not applied and the open list is a heap. Nothing is learned from
//! such a search, since the f of its next node is not a lower bound. TBAA* therefore has no weight; it would be
//! RTBA*.

use alloc::vec::Vec;
use core::mem::swap;

use super::open_params::OPEN;
use crate::graph::{Edge, EdgeChange, Graph};
use crate::id::{Cost, NodeId};
use crate::meter::{Limit, Meter, WorkKind};
use crate::planner::follow;
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{
    Halt, OpenKind, PagedTree, Search, SearchTools, SearchTree, TraceStatus, TreePath, enum_part,
};
use crate::spec::{Choice, Decimal, Facts, Int, Share, Spec};

/// The facts of TBA* and its variants.
pub(super) const FACTS: Facts = Facts {
    unknown_terrain: false,
    rising_costs: false,
    falling_costs: false,
    needs_undirected: true,
    ..Facts::FULL
};

pub(super) const R: Share =
    Share::new("r", "0.9", "share of the budget that goes to expansions; the rest goes to tracing");
pub(super) const WEIGHT: Decimal = Decimal::new(
    "weight",
    "1",
    1,
    10,
    "weight of the heuristic: larger finds a path sooner, at most this times the shortest; the open list is then a heap",
);
pub(super) const C: Int = Int::new("c", "10", 1, 1_000_000, "trace steps for one expansion");
pub(super) const FIRST_STEP: Choice<FirstStep> = Choice::new(
    "first-step",
    &["min", "depth"],
    &[FirstStep::Min, FirstStep::Depth],
    "first step: expand no more states than can be traced, or until the tree is that deep",
);
pub(super) const SWITCH_RULE: Choice<bool> = Choice::switch(
    "switch-rule",
    false,
    "keep to the present path while a new one leads less far from the start",
);
pub(super) const HOLD: Choice<bool> = Choice::switch(
    "hold-at-frontier",
    false,
    "wait at the end of the path while the next one is traced, instead of walking back",
);

/// Returns the parameters that all planners of this kind have, and defaults for the others.
pub(super) fn common_config(spec: &Spec) -> TimeBoundedConfig {
    let c = u32::try_from(spec.get(&C)).unwrap_or(u32::MAX);
    TimeBoundedConfig { r: spec.get(&R), c, open: spec.get(&OPEN), ..TimeBoundedConfig::default() }
}

/// Returns all parameters.
pub(super) fn config(spec: &Spec) -> TimeBoundedConfig {
    TimeBoundedConfig {
        first_step: spec.get(&FIRST_STEP),
        switch_rule: spec.get(&SWITCH_RULE),
        hold_at_frontier: spec.get(&HOLD),
        ..common_config(spec)
    }
}

/// How to ensure that the first path can be traced in the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FirstStep {
    /// Expand at most as many nodes as can be traced.
    #[default]
    Min,
    /// Stop expanding when the tree is as deep as can be traced.
    Depth,
}

/// The split of a step's budget, and the behavior of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBoundedConfig {
    /// The share of expansions in the budget, in millionths (r in the paper).
    pub r: u32,
    /// Number of trace steps per expansion (c in the paper).
    pub c: u32,
    /// The kind of the open list.
    pub open: OpenKind,
    /// The rule for the first step.
    pub first_step: FirstStep,
    /// Whether to keep the current path unless a new one leads at least as far from the start.
    pub switch_rule: bool,
    /// Whether to wait at the end of the path while the next one is traced, instead of walking back.
    pub hold_at_frontier: bool,
}

impl Default for TimeBoundedConfig {
    fn default() -> Self {
        Self {
            r: 900_000,
            c: 10,
            open: OpenKind::Ring,
            first_step: FirstStep::Min,
            switch_rule: false,
            hold_at_frontier: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Idle,
    Searching,
    /// The goal was selected; its path may not be traced yet.
    Found,
    NoPath,
}

enum_part! { Stage: Idle, Searching, Found, NoPath }

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Go(NodeId),
    Wait,
    NoPath,
    /// The tree contains an edge that no longer exists.
    Broken,
}

/// The state of a time-bounded planner.
#[derive(Clone, Debug)]
pub(super) struct TimeBounded<T> {
    config: TimeBoundedConfig,
    pub(super) search: Search<T>,
    /// The path being traced, if `tracing`.
    new: TreePath,
    pub(super) follow: TreePath,
    stage: Stage,
    /// `true` until the first step after the start of the search.
    first: bool,
    tracing: bool,
    /// `true` if the current path is the one to the goal.
    pub(super) traced: bool,
    pub(super) start: NodeId,
    pub(super) goal: NodeId,
    /// The agent's previous position, and the position to which it was sent.
    prev: NodeId,
    sent: NodeId,
    /// For late-acting planners: a neighbor of the start for moving back and forth until the path to the goal is
    /// complete. `NONE` otherwise.
    pub(super) pacing: NodeId,
    searches: u64,
    /// The weight of h, in millionths.
    weight: u32,
}

planner_part! {
    [T: SearchTree] TimeBounded<T> {
        saved: stage, first, tracing, traced, start, goal, prev, sent, pacing, searches, search, new, follow;
        fixed: config, weight
    }
}

/// A weight of 1, in millionths.
pub(super) const ONE: u32 = 1_000_000;

/// Multiplies an estimate by a weight. Finite if the estimate is.
#[inline]
fn inflated(h: Cost, weight: u32) -> Cost {
    if weight == ONE || !h.is_finite() {
        return h;
    }
    let weighted = u64::from(h.raw()) * u64::from(weight) / u64::from(ONE);
    Cost::new(u32::try_from(weighted).unwrap_or(u32::MAX).min(u32::MAX - 1))
}

impl TimeBounded<PagedTree> {
    /// Sets the weight of h in millionths for later searches, at least 1.
    pub(super) fn set_weight(&mut self, weight: u32) {
        if weight > ONE {
            let bound = self.graph_bound();
            self.weight = weight;
            self.search = Search::inflated(PagedTree::without_reopening(bound), bound);
        }
    }
}

impl<T: SearchTree> TimeBounded<T> {
    pub(super) fn new<G: Graph>(config: TimeBoundedConfig, table: T, graph: &G) -> Self {
        let bound = graph.bound();
        // Learned values stay consistent; on an undirected graph they differ along an edge by at most its cost.
        let max_f_increase =
            if T::LEARNS { graph.max_edge_cost() + graph.max_edge_cost() } else { graph.max_f_increase() };
        Self {
            config,
            search: Search::new(table, config.open, bound, max_f_increase),
            new: TreePath::new(bound),
            follow: TreePath::new(bound),
            stage: Stage::Idle,
            first: true,
            tracing: false,
            traced: false,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            prev: NodeId::NONE,
            sent: NodeId::NONE,
            pacing: NodeId::NONE,
            searches: 0,
            weight: ONE,
        }
    }

    /// Clears search and paths, in O(1). The next step starts at the agent's position.
    pub(super) fn restart(&mut self) {
        self.stage = Stage::Idle;
        self.follow.clear();
        self.new.clear();
        (self.tracing, self.traced) = (false, false);
        (self.prev, self.sent, self.pacing) = (NodeId::NONE, NodeId::NONE, NodeId::NONE);
    }

    /// Detects a new goal, and an agent that is not at its expected position.
    pub(super) fn notice(&mut self, at: NodeId, goal: NodeId) {
        if goal != self.goal {
            self.restart();
            self.search.forget();
        }
        if self.stage == Stage::Idle || at == self.sent {
            return;
        }
        self.prev = NodeId::NONE;
        if self.stage == Stage::NoPath || !self.search.nodes.g(at).is_finite() {
            self.restart();
        } else if !self.follow.contains(at, &self.search.nodes) {
            // In the tree: walking back works from here, but the paths may start below.
            (self.tracing, self.traced) = (false, false);
        }
    }

    /// Searches, traces and decides. `succs` and `base` are those of a search; `sound(a, b)` returns `true` if the
    /// tree edge from `a` to `b` still exists.
    pub(super) fn step<I: Iterator<Item = Edge>>(
        &mut self,
        (at, goal): (NodeId, NodeId),
        succs: impl FnMut(NodeId, NodeId) -> I,
        base: impl Fn(NodeId) -> Cost,
        sound: impl Fn(NodeId, NodeId) -> bool,
        tools: &mut SearchTools<'_>,
    ) -> Verdict {
        if at == goal {
            return Verdict::Wait;
        }
        let weight = self.weight;
        let base = |n| inflated(base(n), weight);
        if self.stage == Stage::Idle {
            self.begin(at, goal, base, tools);
        }
        let before = tools.meter.work()[WorkKind::Expand];
        let limit = self.look_ahead(succs, base, tools);
        let expansions = tools.meter.work()[WorkKind::Expand] - before;
        let granted = if tools.meter.is_timed() { self.granted(expansions) } else { 0 };
        if self.stage == Stage::NoPath {
            return Verdict::NoPath;
        }
        let wanted = !self.traced && (self.stage == Stage::Found || !self.pacing.is_some());
        if wanted && self.trace(at, (granted, limit), &sound, tools) == TraceStatus::Broken {
            return Verdict::Broken;
        }
        self.first = false;
        self.act(at, sound)
    }

    fn begin(
        &mut self,
        at: NodeId,
        goal: NodeId,
        base: impl Fn(NodeId) -> Cost,
        tools: &mut SearchTools<'_>,
    ) {
        let f = self.search.top().map_or(Cost::INF, |(_, f)| f);
        let concluded = self.search.nodes.finish_search(f, tools);
        debug_assert!(concluded, "tables of this family learn lazily, in O(1)");
        let h = self.search.nodes.initial_estimate(at, || base(at));
        self.search.start(at, h, tools);
        self.search.nodes.estimate(at, || h);
        (self.start, self.goal, self.sent) = (at, goal, at);
        (self.stage, self.first) = (Stage::Searching, true);
        self.searches += 1;
    }

    /// Splits the remaining budget into expansions and trace steps, at least one of each.
    pub(super) fn split(&self, meter: &Meter) -> (u64, u64) {
        let Some(budget) = meter.expansions_left() else { return (u64::MAX, u64::MAX) };
        let expansions = (u128::from(budget) * u128::from(self.config.r) / 1_000_000).max(1) as u64;
        (expansions, self.traces(budget.saturating_sub(expansions), meter))
    }

    /// Returns the number of trace steps that the remaining budget covers.
    pub(super) fn all_traces(&self, meter: &Meter) -> u64 {
        meter.expansions_left().map_or(u64::MAX, |budget| self.traces(budget, meter))
    }

    /// Returns the number of trace steps that a part of a budget covers: c per expansion, or fewer if they are
    /// charged, so that the first step does not search farther than it can trace.
    fn traces(&self, budget: u64, meter: &Meter) -> u64 {
        let affordable = match u64::from(meter.prices().of(WorkKind::Trace)) {
            0 => u64::MAX,
            price => budget.saturating_mul(10) / price,
        };
        budget.saturating_mul(u64::from(self.config.c)).min(affordable).max(1)
    }

    /// Returns the number of trace steps that are made even after the deadline: as many as the step's expansions
    /// would leave for tracing in a budget of work. So the first step can trace what it has searched, and tracing
    /// never starves.
    fn granted(&self, expansions: u64) -> u64 {
        let r = u64::from(self.config.r.clamp(1, 1_000_000));
        (expansions * (1_000_000 - r) * u64::from(self.config.c) / r).max(1)
    }

    /// Expands within the share of the budget, unless the goal was found. Returns the number of trace steps left.
    fn look_ahead<I: Iterator<Item = Edge>>(
        &mut self,
        mut succs: impl FnMut(NodeId, NodeId) -> I,
        base: impl Fn(NodeId) -> Cost,
        tools: &mut SearchTools<'_>,
    ) -> u64 {
        let budget = tools.meter.expansions_left();
        if self.stage != Stage::Searching {
            return self.all_traces(tools.meter);
        }
        let (goal, (expansions, traces)) = (self.goal, self.split(tools.meter));
        let (slice, most) = match self.config.first_step {
            FirstStep::Min if self.first => (u64::MAX, expansions.min(traces)),
            // One at a time, to check the depth of the tree.
            FirstStep::Depth if self.first => (1, expansions),
            _ => (u64::MAX, expansions),
        };
        let before = tools.meter.work()[WorkKind::Expand];
        // A deadline is split like a budget.
        let time = if tools.meter.is_timed() {
            tools.meter.fraction(u64::from(self.config.r), 1_000_000)
        } else {
            Limit::NONE
        };
        let outer = tools.meter.narrow(time.and(tools.meter.limit(most)));
        let halt = loop {
            let before = tools.meter.work()[WorkKind::Expand];
            let inner = tools.meter.narrow(tools.meter.limit(slice));
            let h = |nodes: &mut T, n| nodes.estimate(n, || base(n));
            let halt = self.search.run_until(&mut succs, h, |_, n| n == goal, tools);
            tools.meter.widen(inner);
            let is_refused = tools.meter.work()[WorkKind::Expand] == before;
            let is_deep = u64::from(self.search.nodes.last_depth()) + 1 >= traces;
            if slice == u64::MAX || halt != Halt::Paused || is_deep || is_refused {
                break halt;
            }
        };
        tools.meter.widen(outer);
        match halt {
            Halt::Goal => {
                self.stage = Stage::Found;
                let spent = tools.meter.work()[WorkKind::Expand] - before;
                budget.map_or(u64::MAX, |r| self.traces(r.saturating_sub(spent), tools.meter))
            }
            Halt::Empty => {
                self.stage = Stage::NoPath;
                0
            }
            Halt::Paused => traces,
        }
    }

    /// Continues the current trace, or starts one to the most promising node.
    fn trace(
        &mut self,
        at: NodeId,
        limits: (u64, u64),
        sound: impl Fn(NodeId, NodeId) -> bool,
        tools: &mut SearchTools<'_>,
    ) -> TraceStatus {
        if !self.tracing {
            let target =
                if self.stage == Stage::Found { Some(self.goal) } else { self.search.top().map(|t| t.0) };
            let Some(target) = target else { return TraceStatus::Paused };
            self.new.begin(target, &self.search.nodes, tools.pools);
            self.tracing = true;
        }
        let trace = self.new.trace(&self.search.nodes, at, limits, sound, tools);
        if trace == TraceStatus::Done {
            self.tracing = false;
            if self.accepts_new(at) {
                swap(&mut self.follow, &mut self.new);
                self.traced = self.follow.back() == self.goal;
                tools.emit(SearchEvent::AdoptPath);
            }
        }
        trace
    }

    /// The switch rule: a path that leads less far from the start than the current one is not adopted. The path to
    /// the goal always is: with a consistent h no earlier target had a larger g, and with an inflated h it is what
    /// was searched for.
    fn accepts_new(&self, at: NodeId) -> bool {
        let tree = &self.search.nodes;
        !self.config.switch_rule
            || self.new.back() == self.goal
            || self.follow.after(at, tree).is_none()
            || tree.g(self.new.back()) >= tree.g(self.follow.back())
    }

    /// Returns the next move of an agent at `at`: along the path, or back toward it.
    fn next(&self, at: NodeId) -> Option<NodeId> {
        let tree = &self.search.nodes;
        match self.follow.after(at, tree) {
            Some(next) => Some(next),
            None if self.pacing.is_some() && !self.traced => {
                if at == self.start {
                    Some(self.pacing)
                } else if at == self.pacing {
                    Some(self.start)
                } else {
                    tree.parent(at).some()
                }
            }
            None if self.config.hold_at_frontier && (self.follow.is_empty() || at == self.follow.back()) => {
                None
            }
            None if at != self.start => tree.parent(at).some(),
            None => self.prev.some(),
        }
    }

    /// Makes the next move, if its edge still exists.
    fn act(&mut self, at: NodeId, sound: impl Fn(NodeId, NodeId) -> bool) -> Verdict {
        match self.next(at) {
            Some(next) if !sound(at, next) => Verdict::Broken,
            Some(next) => {
                (self.prev, self.sent) = (at, next);
                Verdict::Go(next)
            }
            None => {
                self.sent = at;
                Verdict::Wait
            }
        }
    }

    /// Returns the bound of the node numbers.
    pub(super) fn graph_bound(&self) -> usize {
        self.follow.nodes()
    }

    /// Returns the nodes that the agent will walk from `at`: back up the tree to the path, then along it.
    pub(super) fn path(&self, at: NodeId) -> Vec<NodeId> {
        let tree = &self.search.nodes;
        let is_placed = matches!(self.stage, Stage::Searching | Stage::Found) && tree.g(at).is_finite();
        let Some(first) = self.next(at).filter(|_| is_placed) else { return Vec::new() };
        follow(at, self.graph_bound(), |n| {
            if n == at {
                Some(first)
            } else if self.follow.contains(n, tree) {
                self.follow.after(n, tree)
            } else if self.follow.is_empty() {
                None
            } else {
                tree.parent(n).some()
            }
        })
    }

    /// Returns `true` if this edge is on a path being traced, or on the current path (ahead of the agent, if the
    /// agent is on it).
    pub(super) fn uses(&self, change: &EdgeChange, at: NodeId) -> bool {
        let tree = &self.search.nodes;
        let on = |path: &TreePath| path.after(change.from, tree) == Some(change.to);
        let behind = || self.follow.contains(at, tree) && tree.depth(change.from) < tree.depth(at);
        (on(&self.follow) && !behind()) || (self.tracing && on(&self.new))
    }

    /// Returns `true` if the next step starts a new search.
    pub(super) fn is_idle(&self) -> bool {
        self.stage == Stage::Idle
    }

    /// Returns `true` if the path to the goal is known and the agent is backtracking to it.
    pub(super) fn is_off_path(&self, at: NodeId) -> bool {
        self.traced && !self.follow.contains(at, &self.search.nodes)
    }

    /// Records a move that was decided elsewhere.
    pub(super) fn send(&mut self, at: NodeId, next: NodeId) {
        (self.prev, self.sent) = (at, next);
    }

    pub(super) fn found_no_path(&self) -> bool {
        self.stage == Stage::NoPath
    }

    pub(super) fn search_stats(&self) -> Stats {
        let (h_states, updates, h_rise) = self.search.nodes.learned();
        Stats {
            searches: self.searches,
            open_max: self.search.open_max,
            closed_max: self.search.closed_max,
            h_states,
            updates,
            h_rise,
            memory_bytes: 0,
        }
    }

    /// Checks that the parts of a saved state are consistent.
    pub(super) fn verify<G: Graph>(&self, graph: &G) -> Result<(), SaveError> {
        let goal = self.goal;
        self.search.check(|n| if goal.is_some() { graph.h(n, goal) } else { Cost::INF })?;
        let both = self.start.is_some() && self.goal.is_some();
        if self.stage != Stage::Idle && (!both || self.tracing && self.new.is_empty()) {
            return Err(SaveError::new("its search has no start, goal or path"));
        }
        Ok(())
    }
}
