//! The look-ahead of LRTA* on a graph, or on a level of its abstraction, in slices. It can pause and be saved after
//! every unit of work.
//!
//! The interior consists of the nodes fewer than d edges away along the cheapest paths, and is expanded in the
//! order of costs. ([`Lrta`](super::Lrta) completes a look-ahead in one step: it counts the fewest edges and finds
//! the cheapest paths afterwards, which would mean saving two searches. The two differ if the cheapest path has
//! more edges than another.) Other nodes reached form the frontier. They are evaluated by the maximum of γ·g + h
//! along the path ([`Rule::PathMax`](super::FrontierRule::PathMax)): the learned value is then at least γ times the cost of
//! the move plus the value of its target, which completeness requires. The minimum over the frontier is learned,
//! and the first move toward its node is made. The goal is always part of the frontier. Ties: larger g, then the
//! goal, then first reached. γ·g is rounded up, so that every move has a cost.

use crate::graph::{Edge, Graph, Level};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner_part;
use crate::probe::{SearchEvent, SearchProbe};
use crate::save::SaveError;
use crate::search::{
    Halt, LearnedValues, NodeTable, OpenKind, PagedTree, Search, SearchTools, SearchTree, Ties, enum_part,
    reborrow,
};

/// The nodes that a look-ahead searches.
pub(super) trait SearchSpace {
    /// Returns the edges out of a node.
    fn edges(&self, n: NodeId) -> impl Iterator<Item = Edge>;

    /// Returns a consistent estimate.
    fn h(&self, n: NodeId, goal: NodeId) -> Cost;

    /// Returns the graph node that represents a node in search events.
    fn shown(&self, n: NodeId) -> NodeId;
}

impl SearchSpace for Level {
    fn edges(&self, n: NodeId) -> impl Iterator<Item = Edge> {
        Self::edges(self, n)
    }

    fn h(&self, n: NodeId, goal: NodeId) -> Cost {
        Self::h(self, n, goal)
    }

    fn shown(&self, n: NodeId) -> NodeId {
        self.centre(n)
    }
}

/// A graph itself.
pub(super) struct WholeGraph<'g, G>(pub(super) &'g G);

impl<G: Graph> SearchSpace for WholeGraph<'_, G> {
    fn edges(&self, n: NodeId) -> impl Iterator<Item = Edge> {
        self.0.succs(n)
    }

    fn h(&self, n: NodeId, goal: NodeId) -> Cost {
        self.0.h(n, goal)
    }

    fn shown(&self, n: NodeId) -> NodeId {
        n
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// The interior is expanded, and the frontier evaluated.
    Looking,
    /// The value is about to be learned.
    Learning,
    /// The path to the best frontier node is traced back.
    Tracing,
}

enum_part! { Look: Looking, Learning, Tracing }

/// The best frontier node so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    node: NodeId,
    value: Cost,
    g: Cost,
}

planner_part! { Best { saved: node, value, g; fixed: } }

impl Best {
    const NONE: Self = Self { node: NodeId::NONE, value: Cost::INF, g: Cost::ZERO };
}

/// A look-ahead and its learned values.
#[derive(Clone, Debug)]
pub(super) struct SlicedLookAhead {
    depth: u32,
    /// In millionths.
    gamma: u32,
    pub(super) h: LearnedValues,
    pub(super) search: Search<PagedTree>,
    phase: Look,
    root: NodeId,
    best: Best,
    /// The node reached while a path is traced back: to the node being evaluated, or to the best one. `NONE` if not
    /// started.
    cursor: NodeId,
    /// The maximum value along the path.
    peak: Cost,
    pub(super) updates: u64,
    pub(super) h_rise: u64,
}

/// The result of continuing a look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepResult {
    /// The look-ahead is not finished.
    Paused,
    /// Move to this neighbor.
    To(NodeId),
    /// There is no move.
    Nothing,
}

planner_part! {
    SlicedLookAhead {
        within: h;
        saved: phase, root, best, cursor, peak, updates, h_rise, h, search;
        fixed: depth, gamma
    }
}

impl SlicedLookAhead {
    /// Checks that the parts of a saved look-ahead around `root` are consistent.
    pub(super) fn check(&self, root: NodeId) -> Result<(), SaveError> {
        self.search.check(|_| Cost::ZERO)?;
        if self.root != root || self.phase == Look::Tracing && !self.cursor.is_some() {
            return Err(SaveError::new("it turns to nowhere"));
        }
        Ok(())
    }

    /// Creates a look-ahead on `nodes` nodes.
    pub(super) fn new(depth: u32, gamma: u32, nodes: usize) -> Self {
        Self {
            depth: depth.max(1),
            gamma: gamma.clamp(1, 1_000_000),
            h: LearnedValues::new(nodes),
            search: Search::new(PagedTree::new(nodes), OpenKind::Heap(Ties::LargerG), nodes, Cost::INF),
            phase: Look::Looking,
            root: NodeId::NONE,
            best: Best::NONE,
            cursor: NodeId::NONE,
            peak: Cost::ZERO,
            updates: 0,
            h_rise: 0,
        }
    }

    /// Sets the depth. It must not change during a look-ahead.
    pub(super) fn reach(&mut self, depth: u32) {
        self.depth = depth.max(1);
    }

    /// Starts a look-ahead around `root`.
    pub(super) fn begin(&mut self, root: NodeId, land: &impl SearchSpace, tools: &mut SearchTools<'_>) {
        (self.phase, self.root, self.best) = (Look::Looking, root, Best::NONE);
        self.cursor = NodeId::NONE;
        told(land, tools, |tools| self.search.start(root, Cost::ZERO, tools));
    }

    /// Continues within the budget.
    pub(super) fn look_on(
        &mut self,
        goal: NodeId,
        land: &impl SearchSpace,
        tools: &mut SearchTools<'_>,
    ) -> StepResult {
        while self.phase == Look::Looking {
            let depth = self.depth;
            let is_frontier = |nodes: &PagedTree, n| n == goal || nodes.depth(n) >= depth;
            let halt = told(land, tools, |tools| {
                self.search.run_until(|n, _| land.edges(n), |_, _| Cost::ZERO, is_frontier, tools)
            });
            match halt {
                Halt::Paused => return StepResult::Paused,
                Halt::Goal if !self.judge(goal, land, tools) => return StepResult::Paused,
                Halt::Goal => {}
                Halt::Empty => self.phase = Look::Learning,
            }
        }
        if !self.best.node.is_some() {
            return StepResult::Nothing;
        }
        if self.phase == Look::Learning {
            if !tools.meter.charge(WorkKind::Learn) {
                return StepResult::Paused;
            }
            self.learn(goal, land, tools);
            (self.phase, self.cursor) = (Look::Tracing, self.best.node);
        }
        loop {
            let before = self.search.nodes.parent(self.cursor);
            if !before.is_some() || before == self.root {
                return StepResult::To(self.cursor);
            }
            if !tools.meter.charge(WorkKind::Trace) {
                return StepResult::Paused;
            }
            self.cursor = before;
        }
    }

    /// Evaluates the top node of the open list and removes it. Returns `false` if the budget ends before.
    fn judge(&mut self, goal: NodeId, land: &impl SearchSpace, tools: &mut SearchTools<'_>) -> bool {
        let Some((n, _)) = self.search.top() else { return true };
        if !self.cursor.is_some() {
            if !tools.meter.charge(WorkKind::Compare) {
                return false;
            }
            (self.cursor, self.peak) = (n, self.value(n, goal, land));
        }
        // A path whose end is worse than the best need not be traced.
        while self.peak <= self.best.value {
            let before = self.search.nodes.parent(self.cursor);
            if !before.is_some() || before == self.root {
                break;
            }
            if !tools.meter.charge(WorkKind::Trace) {
                return false;
            }
            (self.cursor, self.peak) = (before, self.peak.max(self.value(before, goal, land)));
        }
        let (g, Best { value, g: most, .. }) = (self.search.nodes.g(n), self.best);
        let is_first = !self.best.node.is_some();
        // Nodes come in the order of g.
        if is_first || self.peak < value || self.peak == value && (g > most || n == goal) {
            self.best = Best { node: n, value: self.peak, g };
        }
        self.cursor = NodeId::NONE;
        self.search.skip();
        true
    }

    /// Returns γ·g + h.
    fn value(&self, n: NodeId, goal: NodeId, land: &impl SearchSpace) -> Cost {
        let g = u64::from(self.search.nodes.g(n).raw());
        let weighed = (g * u64::from(self.gamma)).div_ceil(1_000_000);
        Cost::new(weighed as u32) + self.h.get(n, || land.h(n, goal))
    }

    fn learn(&mut self, goal: NodeId, land: &impl SearchSpace, tools: &mut SearchTools<'_>) {
        let (root, new) = (self.root, self.best.value.min(LearnedValues::DEAD_END));
        let base = || land.h(root, goal);
        let old = self.h.get(root, base);
        let rise = self.h.raise(root, new, base, tools.pools);
        self.updates += 1;
        self.h_rise += u64::from(rise.raw());
        if rise > Cost::ZERO {
            told(land, tools, |tools| tools.emit(SearchEvent::Learn { node: root, old, new }));
        }
    }
}

/// A probe that translates nodes of a level to graph nodes near their centers.
struct RegionProbe<'a, L> {
    probe: &'a mut dyn SearchProbe,
    land: &'a L,
}

impl<L: SearchSpace> SearchProbe for RegionProbe<'_, L> {
    fn event(&mut self, event: SearchEvent) {
        let middle = |n: NodeId| n.some().map_or(n, |n| self.land.shown(n));
        self.probe.event(match event {
            SearchEvent::Search { root } => SearchEvent::Search { root: middle(root) },
            SearchEvent::Expand { node, parent, g, f } => {
                SearchEvent::Expand { node: middle(node), parent: middle(parent), g, f }
            }
            SearchEvent::Open { node, parent, g, f } => {
                SearchEvent::Open { node: middle(node), parent: middle(parent), g, f }
            }
            SearchEvent::Learn { node, old, new } => SearchEvent::Learn { node: middle(node), old, new },
            SearchEvent::Discard { node } => SearchEvent::Discard { node: middle(node) },
            SearchEvent::Trace { node } => SearchEvent::Trace { node: middle(node) },
            SearchEvent::Subgoal { node, record } => SearchEvent::Subgoal { node: middle(node), record },
            other @ (SearchEvent::AdoptPath | SearchEvent::SwitchSearch { .. }) => other,
        });
    }
}

fn told<L: SearchSpace, R>(
    land: &L,
    tools: &mut SearchTools<'_>,
    work: impl FnOnce(&mut SearchTools<'_>) -> R,
) -> R {
    let SearchTools { meter, pools, probe } = tools;
    match reborrow(probe) {
        None => work(&mut SearchTools { meter, pools, probe: None }),
        Some(probe) => {
            let mut middles = RegionProbe { probe, land };
            work(&mut SearchTools { meter, pools, probe: Some(&mut middles) })
        }
    }
}
