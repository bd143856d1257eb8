//! A* (Hart, Nilsson & Raphael 1968), resumable: the agent waits until its path is complete, then follows it.
//!
//! The baseline of all comparisons. A step costs at most the budget; the price is the waiting time. With the
//! papers' prices, tracing is free and the whole path is traced in the step in which the search ends, so the agent
//! arrives after ⌈E/k⌉ - 1 + moves steps for E expansions and a budget of k. If all work is charged, the path is
//! traced in slices as well. A change of the world, a new goal, or an agent off its path restart the search, in
//! O(1). For worlds that are explored, see [`RepeatedAStar`](super::RepeatedAStar).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::open_params::{OPEN, TIES, open_with_ties};
use crate::corners::{self, Stage};
use crate::graph::{EdgeChange, Graph, ReverseGraph};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::meter::Meter;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, Scratch, StepContext, follow};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{
    FlatTable, Halt, NodeTable, OpenKind, PagedTree, Search, SearchTools, SearchTree, TraceStatus, TreePath,
    enum_part,
};
use crate::spec::{BuildError, Choice, Facts, PlannerInfo, Spec};

/// The direction of the search.
pub(super) const DIRECTION: Choice<Direction> = Choice::new(
    "direction",
    &["forward", "backward"],
    &[Direction::Forward, Direction::Backward],
    "search from the agent to the goal, or from the goal to the agent",
);
const PRUNE: Choice<bool> =
    Choice::switch("prune", true, "forward only: search one of all equally good ways over open ground");

/// The row of A* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "astar",
    name: "A*",
    paper: "Hart, Nilsson, Raphael 1968",
    summary: "waits until its shortest path is complete, then walks it; searches again after any change",
    facts: Facts::FULL,
    params: &[DIRECTION.param, OPEN.param, TIES.param, PRUNE.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let config =
        AStarConfig { direction: spec.get(&DIRECTION), open: open_with_ties(spec)?, prune: spec.get(&PRUNE) };
    Ok(Box::new(AStar::new(config, graph)))
}

/// The direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// From the agent to the goal.
    #[default]
    Forward,
    /// From the goal to the agent, along incoming edges.
    Backward,
}

/// Parameters of A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AStarConfig {
    /// The direction of the search.
    pub direction: Direction,
    /// The kind of the open list.
    pub open: OpenKind,
    /// Whether a forward search omits successors that the parent reaches at the same cost
    /// ([`Graph::pruned_successors`]). Path costs are the same, and fewer nodes are generated.
    pub prune: bool,
}

impl Default for AStarConfig {
    fn default() -> Self {
        Self { direction: Direction::Forward, open: OpenKind::Ring, prune: true }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No search was started.
    Idle,
    Searching,
    Tracing,
    Walking,
    NoPath,
}

enum_part! { Phase: Idle, Searching, Tracing, Walking, NoPath }

/// The planner A*.
#[derive(Clone, Debug)]
pub struct AStar<T = PagedTree> {
    config: AStarConfig,
    search: Search<T>,
    pub(super) path: TreePath,
    phase: Phase,
    /// The agent's position at the start of the search.
    start: NodeId,
    goal: NodeId,
    /// The cursor into the change log.
    cursor: u64,
    searches: u64,
}

impl AStar {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(config: AStarConfig, graph: &G) -> Self {
        Self::with_table(config, PagedTree::new(graph.bound()), graph.bound(), graph.max_f_increase())
    }
}

impl<T: SearchTree> AStar<T> {
    /// Creates a planner whose search uses this table.
    pub(super) fn with_table(config: AStarConfig, table: T, bound: usize, max_f_increase: Cost) -> Self {
        Self {
            config,
            search: Search::new(table, config.open, bound, max_f_increase),
            path: TreePath::new(bound),
            phase: Phase::Idle,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            cursor: 0,
            searches: 0,
        }
    }

    /// Clears the search and the path, in O(1).
    pub(super) fn drop_path(&mut self) {
        self.phase = Phase::Idle;
        self.path.clear();
    }

    /// Clears learned values: they may be invalid, or the planner was reset.
    pub(super) fn forget(&mut self) {
        self.search.forget();
    }

    /// Continues the current phase: searching, tracing or walking.
    pub(super) fn proceed<G: ReverseGraph>(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        if goal != self.goal || self.is_astray(at) {
            self.drop_path();
        }
        if at == goal {
            return Decision::Wait;
        }
        let mut tools = cx.tools();
        if self.phase == Phase::Idle {
            if goal != self.goal {
                self.search.forget();
            }
            let f = self.search.top().map_or(Cost::INF, |(_, f)| f);
            if !self.search.nodes.finish_search(f, &mut tools) {
                return Decision::Wait;
            }
            (self.start, self.goal) = (at, goal);
            self.begin(graph, &mut tools);
        }
        if self.phase == Phase::Searching {
            match self.look_on(graph, &mut tools) {
                Halt::Goal => {
                    self.path.begin(self.target(), &self.search.nodes, tools.pools);
                    self.phase = Phase::Tracing;
                }
                Halt::Empty => self.phase = Phase::NoPath,
                Halt::Paused => {}
            }
        }
        if self.phase == Phase::Tracing {
            let tree = &self.search.nodes;
            if self.path.trace(tree, NodeId::NONE, (0, u64::MAX), |_, _| true, &mut tools)
                == TraceStatus::Done
            {
                self.phase = Phase::Walking;
                tools.emit(SearchEvent::AdoptPath);
            }
        }
        match self.phase {
            Phase::Walking => self.next(at).map_or(Decision::Wait, Decision::Go),
            Phase::NoPath => Decision::NoPath,
            _ => Decision::Wait,
        }
    }

    /// Returns `true` if the agent is at a node that neither the search nor the path can use.
    fn is_astray(&self, at: NodeId) -> bool {
        match self.phase {
            Phase::Idle => false,
            Phase::Walking => !self.path.contains(at, &self.search.nodes),
            Phase::Searching | Phase::Tracing | Phase::NoPath => at != self.start,
        }
    }

    fn begin<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
        let (start, goal) = (self.start, self.goal);
        let root = if self.config.direction == Direction::Forward { start } else { goal };
        let h = self.search.nodes.initial_estimate(root, || graph.h(start, goal));
        self.search.start(root, h, tools);
        self.search.nodes.estimate(root, || h);
        self.searches += 1;
        self.phase = Phase::Searching;
    }

    fn look_on<G: ReverseGraph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> Halt {
        let (start, goal) = (self.start, self.goal);
        match (self.config.direction, self.config.prune) {
            (Direction::Forward, true) => {
                let h = |nodes: &mut T, n| nodes.estimate(n, || graph.h(n, goal));
                self.search.run(|n, from| graph.pruned_successors(n, from), h, goal, tools)
            }
            (Direction::Forward, false) => {
                let h = |nodes: &mut T, n| nodes.estimate(n, || graph.h(n, goal));
                self.search.run(|n, _| graph.succs(n), h, goal, tools)
            }
            (Direction::Backward, _) => {
                let h = |nodes: &mut T, n| nodes.estimate(n, || graph.h(start, n));
                self.search.run(|n, _| graph.preds(n), h, start, tools)
            }
        }
    }

    /// Returns the target of the search, the node opposite to the root.
    fn target(&self) -> NodeId {
        if self.config.direction == Direction::Forward { self.goal } else { self.start }
    }

    /// Returns the node after `at` on the path to the goal.
    fn next(&self, at: NodeId) -> Option<NodeId> {
        let tree = &self.search.nodes;
        match self.config.direction {
            Direction::Forward => self.path.after(at, tree),
            Direction::Backward => tree.parent(at).some(),
        }
    }

    /// Returns the path after `at`, once there is one.
    pub(super) fn rest(&self, at: NodeId) -> Vec<NodeId> {
        let walks = self.phase == Phase::Walking && self.path.contains(at, &self.search.nodes);
        if walks { follow(at, self.path.nodes(), |n| self.next(n)) } else { Vec::new() }
    }

    /// Returns `true` if the next step starts a new search.
    pub(super) fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Returns `true` if a search is running or its path is being traced.
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.phase, Phase::Searching | Phase::Tracing)
    }

    /// Returns `true` if the search has used this edge with its old cost.
    pub(super) fn has_used(&self, change: &EdgeChange) -> bool {
        let expanded = match self.config.direction {
            Direction::Forward => change.from,
            Direction::Backward => change.to,
        };
        self.phase != Phase::Idle && self.search.nodes.is_closed(expanded)
    }

    /// Returns `true` if this edge is ahead of the agent on its path. If it is behind, the path is cut there; an
    /// agent that is moved back beyond it has left the path.
    pub(super) fn lies_ahead(&mut self, change: &EdgeChange, at: NodeId) -> bool {
        let tree = &self.search.nodes;
        let walked = self.phase == Phase::Walking && self.path.contains(change.from, tree);
        if !walked || self.next(change.from) != Some(change.to) {
            return false;
        }
        let (here, there) = (tree.depth(at), tree.depth(change.from));
        match self.config.direction {
            Direction::Forward if there < here => self.path.cut_before(there + 1),
            Direction::Backward if there > here => self.path.cut_after(there - 1),
            _ => return true,
        }
        false
    }

    /// Returns `true` if the last search ended without a path.
    pub(super) fn found_no_path(&self) -> bool {
        self.phase == Phase::NoPath
    }

    /// Checks that the parts of a saved state are consistent.
    pub(super) fn verify<G: Graph>(&self, graph: &G) -> Result<(), SaveError> {
        let (start, goal) = (self.start, self.goal);
        let both = start.is_some() && goal.is_some();
        self.search.check(|n| match self.config.direction {
            _ if !both => Cost::INF,
            Direction::Forward => graph.h(n, goal),
            Direction::Backward => graph.h(start, n),
        })?;
        let traced = matches!(self.phase, Phase::Tracing | Phase::Walking);
        if self.phase != Phase::Idle && (!both || traced && self.path.is_empty()) {
            return Err(SaveError::new("its search has no start, goal or path"));
        }
        Ok(())
    }

    pub(super) fn statistics(&self) -> Stats {
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
}

planner_part! { [T: SearchTree] AStar<T> { saved: phase, start, goal, cursor, searches, search, path; fixed: config } }

impl PlannerState for AStar {
    fn graph_bound(&self) -> usize {
        self.path.nodes()
    }

    fn reset(&mut self, _: Reset) {
        self.drop_path();
    }

    fn search_stats(&self) -> Stats {
        self.statistics()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.rest(at)
    }
}

impl<G: ReverseGraph> Planner<G> for AStar {
    fn plan_step(&mut self, cx: StepContext<'_, G>) -> Decision {
        if self.cursor != cx.changes.end() {
            self.cursor = cx.changes.end();
            self.drop_path();
        }
        self.proceed(cx)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.verify(graph)
    }
}

/// The result of [`shortest_path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortest {
    /// A shortest path with both ends, and its cost.
    Path(Vec<NodeId>, Cost),
    /// There is no path, or one of the ends is not a node of the graph.
    NoPath,
    /// The budget ran out.
    OutOfBudget,
}

impl Shortest {
    /// Returns the path and its cost, if one was found.
    pub fn path(self) -> Option<(Vec<NodeId>, Cost)> {
        if let Self::Path(path, cost) = self { Some((path, cost)) } else { None }
    }
}

/// Finds a shortest path from `from` to `to` by A* within the meter's budget, without an agent. On a grid with a
/// corner index ([`Grid::with_corners`](crate::Grid::with_corners)) that has not too many corners, it searches the
/// corners.
///
/// If the budget runs out, the search is discarded. Use a planner to continue a search in the next tick.
///
/// ```
/// use fleetfoot::{Grid, Meter, Rules, Scratch, Shortest, shortest_path};
/// let grid = Grid::new(32, 32, Rules::default(), |x, y| u8::from(x != 16 || y == 31))?;
/// let (a, b) = (grid.node(0, 0).unwrap(), grid.node(31, 0).unwrap());
/// let (mut few, mut enough, mut scratch) = (Meter::expansions(9), Meter::unlimited(), Scratch::new());
/// assert_eq!(shortest_path(&grid, a, b, &mut few, &mut scratch), Shortest::OutOfBudget);
/// let (path, cost) = shortest_path(&grid, a, b, &mut enough, &mut scratch).path().unwrap();
/// assert_eq!((path[0], path[path.len() - 1]), (a, b));
/// assert!(cost.is_finite());
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
pub fn shortest_path<G: Graph>(
    graph: &G,
    from: NodeId,
    to: NodeId,
    meter: &mut Meter,
    scratch: &mut Scratch,
) -> Shortest {
    // A path of one node may start at a blocked node.
    if !(graph.limits().has(from) && (from == to || graph.is_node(to))) {
        return Shortest::NoPath;
    }
    if let Some(grid) = Grid::of(graph).filter(|grid| grid.is_node(from))
        && let Some(corners) = grid.corners().filter(|corners| corners.beat_cells(grid))
    {
        let found = scratch.query_corners(graph.bound(), |search, pools| {
            corners::shortest(
                search,
                corners,
                grid,
                (from, to),
                &mut SearchTools { meter, pools, probe: None },
            )
        });
        return match found {
            Ok((path, cost)) => Shortest::Path(path, cost),
            Err(Stage::NoPath) => Shortest::NoPath,
            Err(_) => Shortest::OutOfBudget,
        };
    }
    scratch.fit(OpenKind::Ring, graph.bound(), graph.max_f_increase());
    let search: &mut Search<FlatTable> = &mut scratch.search;
    let mut tools = SearchTools { meter, pools: &mut scratch.pools, probe: None };
    search.start(from, graph.h(from, to), &mut tools);
    match search.run(|n, p| graph.pruned_successors(n, p), |_, n| graph.h(n, to), to, &mut tools) {
        Halt::Goal => {}
        Halt::Empty => return Shortest::NoPath,
        Halt::Paused => return Shortest::OutOfBudget,
    }
    let cost = search.nodes.g(to);
    let mut path = vec![to];
    while let Some(parent) = search.nodes.parent(path[path.len() - 1]).some() {
        path.push(parent);
    }
    path.reverse();
    Shortest::Path(path, cost)
}
