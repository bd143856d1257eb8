//! The one best-first search over corners. It pauses at any point and resumes in a later tick.
//!
//! [`shortest_path`](crate::shortest_path), [Corner TBA*](crate::planners::CornerTba), the routes of a fleet and the
//! making of [landmarks](super::landmarks) all use it. Whether connections are stored or scanned for, whether landmarks
//! bound the cost to go, and at which prices work is charged changes how much work it takes, not what it finds.
//!
//! On grids without an index of corners a search goes from cell to cell (see `cells.rs`).

use super::landmarks::{GoalBounds, Landmarks};
use super::names::{ByCell, Names};
use super::{Corners, Scan, cell};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::probe::SearchEvent;
use crate::search::{
    AdaptiveTree, FlatTable, HashTree, NodeTable, OpenKind, Search, SearchTools, SearchTree, Ties,
};

/// The open list of searches over corners. Along a connection f can rise by as much as the map is wide, so no ring.
pub(crate) const OPEN: OpenKind = OpenKind::Heap(Ties::LargerG);

/// Quarters of a word. What a search reads is counted in quarters and charged in whole words.
pub(crate) const WORD: u32 = 4;

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// No search has begun, or the map changed under one that found nothing.
    Idle,
    /// The search can go on.
    Running,
    /// The goal has been reached, or everything if there is no goal.
    Done,
    /// The goal cannot be reached.
    NoPath,
}

/// The expansion under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    /// The node's name. None if no expansion is under way.
    pub(crate) node: NodeId,
    pub(crate) f: Cost,
    /// Number of stored connections that have been followed.
    pub(crate) next: u32,
    /// The scan around the node if its connections are not stored.
    pub(crate) scan: Option<Scan>,
}

impl Pending {
    pub(crate) const NONE: Self = Self { node: NodeId::NONE, f: Cost::ZERO, next: 0, scan: None };
}

/// Tests whether the straight walk between two cells is free, faster than by walking it.
pub(crate) trait LineOfSight: Sync {
    /// Returns `true` if the walk between two cells is free.
    fn is_clear(&self, from: super::Cell, to: super::Cell) -> bool;
}

/// The ground that a search goes over.
#[derive(Clone, Copy)]
pub(crate) struct Terrain<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) corners: &'a Corners,
    /// Bounds on the cost to go, if there are any that hold.
    pub(crate) landmarks: Option<&'a Landmarks>,
    /// If set, root and goal are joined with visible corners nearby instead of all directly connected ones. Paths are
    /// near-shortest then; a search that finds none is repeated with all connections.
    pub(crate) sight: Option<&'a dyn LineOfSight>,
    /// Number of changes that the map has logged.
    pub(crate) log: u64,
}

impl<'a> Terrain<'a> {
    /// The ground of a grid with an index of corners and its own landmarks.
    pub(crate) fn new(grid: &'a Grid, corners: &'a Corners) -> Self {
        Self { grid, corners, landmarks: corners.landmarks(), sight: None, log: 0 }
    }
}

/// The work that one call may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) expansions: u64,
    /// Words read, whatever their price.
    pub(crate) words: u64,
}

impl Limit {
    /// No limit but the meter's.
    pub(crate) const NONE: Self = Self { expansions: u64::MAX, words: u64::MAX };
}

/// What a search over corners needs of the table that stores its tree. What is provided is right for tables that do not learn.
pub(crate) trait Table: NodeTable {
    /// The estimate that a search begun now would use for a node; `base` is the graph's.
    fn initial_estimate(&self, _: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        base()
    }

    /// The estimate for a node that has just been relaxed; `base` is the graph's.
    #[inline]
    fn estimate(&mut self, _: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        base()
    }
}

impl Table for HashTree {}

impl Table for FlatTable {}

impl Table for AdaptiveTree {
    fn initial_estimate(&self, n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        SearchTree::initial_estimate(self, n, base)
    }

    #[inline]
    fn estimate(&mut self, n: NodeId, base: impl FnOnce() -> Cost) -> Cost {
        SearchTree::estimate(self, n, base)
    }
}

/// A search over corners. `T` stores the tree, `N` maps cells to the numbers under which the tree stores them.
#[derive(Clone, Debug)]
pub(crate) struct CornerSearch<T, N> {
    pub(crate) search: Search<T>,
    pub(crate) names: N,
    pub(crate) stage: Stage,
    pub(crate) pending: Pending,
    /// The scan around the goal for the corners from which it can be reached directly.
    pub(crate) joining: Scan,
    /// Bounds on the distances between landmarks and the goal.
    pub(crate) bounds: GoalBounds,
    /// Quarters of words that have been read and not been paid for.
    pub(crate) debt: u32,
    pub(crate) root: NodeId,
    /// The goal. None if the search is for everything.
    pub(crate) goal: NodeId,
    /// The names of root and goal.
    pub(crate) root_name: NodeId,
    pub(crate) goal_name: NodeId,
    /// Number of changes that the map had logged when the search began.
    pub(crate) begun: u64,
    /// Steps of the path that have been paid for.
    pub(crate) traced: u64,
    /// Whether root and goal are joined with all directly connected corners, not only with visible ones nearby.
    pub(crate) is_thorough: bool,
}

/// A search whose tree is numbered by cell: of fleets, and of landmarks in slices. Its memory does not grow with the map.
pub(crate) type CellSearch = CornerSearch<HashTree, ByCell>;

/// A search of whole queries. It has room for the whole map, and a thread needs one.
pub(crate) type QuerySearch = CornerSearch<FlatTable, ByCell>;

impl QuerySearch {
    /// Creates a search for grids with at most `bound` nodes.
    pub(crate) fn for_queries(bound: usize) -> Self {
        Self::new(FlatTable::new(bound), ByCell::default(), bound)
    }
}

impl CellSearch {
    /// Creates a search for grids with at most `bound` nodes.
    pub(crate) fn by_cell(bound: usize) -> Self {
        Self::new(HashTree::new(bound), ByCell::default(), bound)
    }

    /// Returns the nodes that have been reached and not expanded.
    pub(crate) fn open(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.search.open.iter().map(|(n, _)| n)
    }

    /// Returns the number of connections between the root and a node.
    pub(crate) fn depth(&self, n: NodeId) -> u32 {
        self.search.nodes.depth(n)
    }
}

impl<T: Table> CornerSearch<T, ByCell> {
    /// Returns the cost from the root to a node; infinite if it has not been reached.
    pub(crate) fn g(&self, n: NodeId) -> Cost {
        self.search.nodes.g(n)
    }

    /// Returns the nodes from this one back to the root, both included, each with its cost from the root.
    pub(crate) fn back_from(&self, n: NodeId) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let tree = &self.search.nodes;
        core::iter::successors(n.some(), |&n| tree.parent(n).some()).map(|n| (n, tree.g(n)))
    }
}

impl<T: Table, N: Names> CornerSearch<T, N> {
    pub(crate) fn new(tree: T, names: N, bound: usize) -> Self {
        Self {
            search: Search::new(tree, OPEN, bound, Cost::INF),
            names,
            stage: Stage::Idle,
            pending: Pending::NONE,
            joining: Scan::done(),
            bounds: GoalBounds::NONE,
            debt: 0,
            root: NodeId::NONE,
            goal: NodeId::NONE,
            root_name: NodeId::NONE,
            goal_name: NodeId::NONE,
            begun: 0,
            traced: 0,
            is_thorough: false,
        }
    }

    /// Begins a search from `root` to `goal`, or to everything if `goal` is none, over a grid and its corners if it has an
    /// index of them. `log` is the number of changes that the map has logged.
    pub(crate) fn begin(
        &mut self,
        ground: (&Grid, Option<&Corners>),
        (root, goal): (NodeId, NodeId),
        log: u64,
        tools: &mut SearchTools<'_>,
    ) {
        self.is_thorough = false;
        (self.root, self.goal, self.begun) = (root, goal, log);
        self.start(ground, tools);
    }

    fn start(&mut self, (grid, corners): (&Grid, Option<&Corners>), tools: &mut SearchTools<'_>) {
        let (root, goal) = (self.root, self.goal);
        self.traced = 0;
        self.names.clear_ends();
        self.goal_name = if goal.is_some() { self.names.name(goal, tools.pools) } else { NodeId::NONE };
        self.root_name = self.names.name(root, tools.pools);
        let base = if goal.is_some() { grid.h(root, goal) } else { Cost::ZERO };
        let h = self.search.nodes.initial_estimate(self.root_name, || base);
        self.search.clear(h);
        // Unwatched: the tree knows names, and a probe knows cells.
        let unwatched = &mut SearchTools { meter: tools.meter, pools: tools.pools, probe: None };
        self.search.seed(self.root_name, Cost::ZERO, h, unwatched);
        self.search.nodes.estimate(self.root_name, || base);
        tools.emit(SearchEvent::Search { root });
        self.pending = Pending::NONE;
        self.bounds = GoalBounds::NONE;
        self.joining = Scan::done();
        if let Some(corners) = corners.filter(|_| goal.is_some()) {
            let around = cell(grid, goal);
            // A goal that is a corner is found like any other.
            if !corners.is_corner(around) {
                self.joining = Scan::new(around, around);
            }
        }
        self.stage = Stage::Running;
    }

    /// Runs the search as far as meter and limit allow.
    pub(crate) fn advance(
        &mut self,
        terrain: &Terrain<'_>,
        limit: Limit,
        tools: &mut SearchTools<'_>,
    ) -> Stage {
        let landmarks = terrain.landmarks;
        let sight = terrain.sight.filter(|_| self.goal.is_some() && !self.is_thorough);
        let mut terrain = Terrain { landmarks, sight, ..*terrain };
        let mut left = limit;
        while self.stage == Stage::Running && self.step(&terrain, &mut left, tools) {}
        if self.stage == Stage::NoPath && terrain.sight.is_some() {
            // Only a search with all connections of root and goal proves that there is no path.
            self.is_thorough = true;
            terrain.sight = None;
            self.begun = terrain.log;
            self.start((terrain.grid, Some(terrain.corners)), tools);
            while self.stage == Stage::Running && self.step(&terrain, &mut left, tools) {}
        }
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        self.search.closed_max = self.search.closed_max.max(self.search.closed);
        self.stage
    }

    /// Does one piece of work. Returns `false` if the search has ended, or the meter or the limit refuses.
    fn step(&mut self, terrain: &Terrain<'_>, left: &mut Limit, tools: &mut SearchTools<'_>) -> bool {
        if !self.pay(&mut left.words, tools) {
            return false;
        }
        if self.pending.node.is_some() {
            self.expand(terrain, tools);
            return true;
        }
        let Some((n, f)) = self.search.top() else {
            self.end(terrain.log);
            return false;
        };
        if n == self.goal_name {
            self.stage = Stage::Done;
            return false;
        }
        if self.join_goal(terrain, n, tools) {
            return true;
        }
        if left.expansions == 0 || !tools.meter.expand() {
            return false;
        }
        left.expansions -= 1;
        self.search.skip();
        self.search.closed += 1;
        if tools.probe.is_some() {
            let (g, parent) = (self.search.nodes.g(n), self.search.nodes.parent(n));
            let parent = parent.some().map_or(NodeId::NONE, |parent| self.names.cell(parent));
            tools.emit(SearchEvent::Expand { node: self.names.cell(n), parent, g, f });
        }
        self.pending = Pending { node: n, f, ..Pending::NONE };
        self.expand(terrain, tools);
        true
    }

    /// Ends the search: nothing is left to expand.
    pub(super) fn end(&mut self, log: u64) {
        self.stage = if !self.goal.is_some() {
            Stage::Done
        } else if log == self.begun {
            Stage::NoPath
        } else {
            // A change may have opened a path in the meantime.
            Stage::Idle
        };
    }

    /// Pays for what has been read. Returns `true` if less than a word is left to pay.
    pub(crate) fn settle(&mut self, tools: &mut SearchTools<'_>) -> bool {
        self.pay(&mut { u64::MAX }, tools)
    }

    fn pay(&mut self, words: &mut u64, tools: &mut SearchTools<'_>) -> bool {
        let granted = tools.meter.charge_up_to(WorkKind::Scan, u64::from(self.debt / WORD).min(*words));
        *words -= granted;
        self.debt -= WORD * granted as u32;
        self.debt < WORD
    }

    /// Forgets what the tree has learned, and the search with it.
    pub(crate) fn forget(&mut self)
    where
        T: SearchTree,
    {
        self.search.forget();
        self.names.clear();
        (self.stage, self.pending, self.joining) = (Stage::Idle, Pending::NONE, Scan::done());
        (self.root, self.root_name) = (NodeId::NONE, NodeId::NONE);
        (self.goal, self.goal_name) = (NodeId::NONE, NodeId::NONE);
    }

    /// Returns the number of nodes that have been expanded.
    pub(crate) fn expanded(&self) -> u64 {
        self.search.closed()
    }

    /// Returns the node to be expanded next and its f, unless that is the root.
    pub(crate) fn most_promising(&mut self) -> Option<(NodeId, Cost)> {
        let next = self.pending.node.some().map(|n| (n, self.pending.f));
        next.or_else(|| self.search.top()).filter(|(n, _)| *n != self.root_name)
    }
}
