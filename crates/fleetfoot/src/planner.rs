//! The planner interface: one step per tick, at most one move per step.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::corners::{self, QuerySearch};
use crate::graph::{ChangeLog, Graph};
use crate::id::{Cost, NodeId};
use crate::meter::Meter;
use crate::probe::{SearchProbe, Stats};
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{
    FlatTable, OpenKind, OpenList, PageCounts, PlannerPart, Pools, Queue, Search, SearchTools, Ties, reborrow,
};

/// The result of a planner step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Decision {
    /// Move to this neighbor.
    Go(NodeId),
    /// Stay in this tick: the search is not finished, or the agent is at its goal.
    Wait,
    /// No path to the goal exists in the graph as currently known. This is proved, not guessed.
    NoPath,
}

/// What a planner keeps when it is reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Keeps learned values for the same goal. Used between trials.
    KeepLearned,
    /// Clears everything.
    Full,
}

/// The input of a planner step.
#[non_exhaustive]
pub struct StepContext<'a, G> {
    /// The graph as the agent knows it, with all changes applied.
    pub graph: &'a G,
    /// The agent's node.
    pub at: NodeId,
    /// The agent's goal.
    pub goal: NodeId,
    /// All changes of the graph so far.
    pub changes: &'a ChangeLog,
    /// The budget of this step.
    pub meter: &'a mut Meter,
    /// Working memory, shared by all agents of a thread.
    pub scratch: &'a mut Scratch,
    /// Receives search events, if set.
    pub probe: Option<&'a mut dyn SearchProbe>,
}

/// The log of a graph that never changes.
static NO_CHANGES: ChangeLog = ChangeLog::new();

impl<'a, G> StepContext<'a, G> {
    /// Creates a step on an unchanged graph, without a probe.
    pub fn new(
        graph: &'a G,
        at: NodeId,
        goal: NodeId,
        meter: &'a mut Meter,
        scratch: &'a mut Scratch,
    ) -> Self {
        Self { graph, at, goal, changes: &NO_CHANGES, meter, scratch, probe: None }
    }

    /// Sets the change log of the graph. A planner must receive the same log in every step.
    #[must_use]
    pub fn with_changes(self, changes: &'a ChangeLog) -> Self {
        Self { changes, ..self }
    }

    /// Sets a probe that receives the search events of this step.
    #[must_use]
    pub fn with_probe(self, probe: &'a mut dyn SearchProbe) -> Self {
        Self { probe: Some(probe), ..self }
    }
}

/// The part of a planner that does not depend on the type of the graph: saving, resetting, statistics.
///
/// It extends [`PlannerPart`]: the state can be written, read, released and measured. Implement that with
/// [`planner_part!`](crate::planner_part).
pub trait PlannerState: PlannerPart {
    /// Returns the [bound](crate::Limits::bound) of the graphs that the planner was built for, or `usize::MAX` if
    /// it accepts any graph.
    fn graph_bound(&self) -> usize;

    /// Clears the state in O(1), except for what `keep` retains.
    fn reset(&mut self, keep: Reset);

    /// Returns the planner's search statistics, without its memory use. [`stats`](Self::stats) adds that.
    fn search_stats(&self) -> Stats;

    /// Returns the planner's search statistics and memory use.
    fn stats(&self) -> Stats {
        Stats { memory_bytes: self.memory_bytes() as u64, ..self.search_stats() }
    }

    /// Resets the planner completely and returns its pages to the pool of `scratch`.
    fn release(&mut self, scratch: &mut Scratch) {
        self.reset(Reset::Full);
        self.release_pages(&mut scratch.pools);
    }

    /// Writes the whole state. [`SavedPlanner::new`](crate::registry::SavedPlanner::new) adds a header and a
    /// checksum.
    fn save(&self, out: &mut dyn SaveWriter) {
        self.write(out);
    }

    /// Returns the planned nodes after `at`, in order. Empty if the planner has no plan or decides in every step.
    /// The next step may change the plan. If two consecutive nodes are not adjacent, the cells between them are
    /// free; such a segment is walked diagonal moves first.
    ///
    /// For drawing and smoothing. The cost is linear in the length of the path and is not charged to a budget.
    fn path(&self, at: NodeId) -> Vec<NodeId>;
}

/// A planner: called once per tick, it returns a decision within the budget of the meter.
///
/// A planner holds no reference to its graph. It can be stored, cloned and saved between any two steps. Between
/// steps the graph may change, the agent may be moved, the goal may change, and budgets may vary.
pub trait Planner<G>: PlannerState {
    /// Plans, then returns at most one move.
    ///
    /// Returns [`Decision::NoPath`] without planning if `at` or `goal` is not a node of the graph, or if the
    /// graph's bound is not the one that the planner was built for. Exception: an agent at its goal has arrived,
    /// even if its node has been blocked.
    fn step(&mut self, cx: StepContext<'_, G>) -> Decision
    where
        G: Graph,
    {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let is_sound = graph.is_node(at) && graph.is_node(goal) || at == goal && at.index() < graph.bound();
        let fits = [graph.bound(), usize::MAX].contains(&self.graph_bound());
        if is_sound && fits { self.plan_step(cx) } else { Decision::NoPath }
    }

    /// Performs a step whose input was validated. Callers use [`step`](Self::step).
    fn plan_step(&mut self, cx: StepContext<'_, G>) -> Decision;

    /// Checks a state that was just read against `graph`: its parts must be consistent, and every invariant that a
    /// step relies on must hold. A forged state may pass and lead to wrong paths, but never to a panic or to an
    /// exceeded bound.
    fn check(&self, graph: &G) -> Result<(), SaveError>;

    /// Reads a state that [`PlannerState::save`] wrote, and checks it.
    fn load(&mut self, graph: &G, from: &mut SaveReader<'_>) -> Result<(), SaveError>
    where
        G: Graph,
    {
        self.read(&graph.limits(), from)?;
        self.check(graph)
    }
}

/// An object-safe, cloneable planner. Implemented for every [`Planner`] that is `Clone + Send + Sync`.
pub trait DynPlanner<G>: Planner<G> + Send + Sync {
    /// Returns a boxed copy.
    fn boxed_clone(&self) -> BoxedPlanner<G>;
}

impl<G, P: Planner<G> + Clone + Send + Sync + 'static> DynPlanner<G> for P {
    fn boxed_clone(&self) -> BoxedPlanner<G> {
        Box::new(self.clone())
    }
}

/// A planner of any type, as built by [`Spec::build`](crate::registry::Spec::build).
pub type BoxedPlanner<G> = Box<dyn DynPlanner<G>>;

impl<G> Clone for BoxedPlanner<G> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// Follows `next` from `at`, and returns the nodes after `at`. Stops if `next` returns `None` or `at`, or after
/// `most` nodes.
pub(crate) fn follow(at: NodeId, most: usize, next: impl Fn(NodeId) -> Option<NodeId>) -> Vec<NodeId> {
    core::iter::successors(next(at), |n| next(*n)).take_while(|n| *n != at).take(most).collect()
}

/// Working memory that is not kept between steps, and spare pages. Use one per thread; all its agents share it.
#[derive(Debug)]
pub struct Scratch {
    /// Spare pages.
    pub pools: Pools,
    /// The search of planners that start a new search in every step.
    pub(crate) search: Search<FlatTable>,
    /// The search that answers queries on the corner graph.
    corners: Option<Box<QuerySearch>>,
    /// A second open list, whose kind differs from that of `search`.
    spare: OpenList,
    /// Nodes closed by `search`, in order.
    pub(crate) closed: Vec<NodeId>,
    /// The queue of the value backup after a look-ahead.
    pub(crate) queue: Queue,
}

impl Scratch {
    /// Creates an empty scratch. Memory is allocated on first use.
    pub fn new() -> Self {
        let kind = OpenKind::Heap(Ties::LargerG);
        Self {
            pools: Pools::new(),
            search: Search::new(FlatTable::new(0), kind, 0, Cost::INF),
            corners: None,
            spare: OpenList::new(kind, 0, Cost::INF),
            closed: Vec::new(),
            queue: Queue::new(0),
        }
    }

    /// Reserves the pages that one such planner needs to touch `nodes` nodes, so that its steps do not allocate. On
    /// a grid, count every cell of each touched tile. Call it once per planner.
    pub fn reserve(&mut self, planner: &dyn PlannerState, nodes: usize) {
        let mut needs = PageCounts::default();
        planner.count_pages(nodes, &mut needs);
        self.pools.reserve(&needs);
    }

    /// Adds the pages that look-ahead searches over `nodes` nodes need.
    pub(crate) fn need_lists(nodes: usize, needs: &mut PageCounts) {
        OpenList::new(OpenKind::Heap(Ties::LargerG), 0, Cost::INF).count_pages(nodes, needs);
        Queue::new(0).count_pages(nodes, needs);
    }

    /// Reserves 28 bytes per node, so that look-ahead searches allocate nothing but pages on graphs with this
    /// `bound` and [`max_f_increase`](crate::Limits::max_f_increase).
    pub fn reserve_search(&mut self, bound: usize, max_f_increase: Cost) {
        self.search.nodes.reserve(bound);
        self.search.open = OpenList::new(OpenKind::Ring, bound, max_f_increase);
        self.spare = OpenList::new(OpenKind::Heap(Ties::LargerG), bound, max_f_increase);
        self.queue = Queue::new(bound);
        // Each node is closed at most once, unless costs have decreased.
        self.closed.clear();
        self.closed.reserve(bound);
    }

    /// Runs a query on the corner graph of a grid with at most `bound` nodes. It uses the memory of the look-ahead
    /// search.
    pub(crate) fn query_corners<R>(
        &mut self,
        bound: usize,
        run: impl FnOnce(&mut QuerySearch, &mut Pools) -> R,
    ) -> R {
        self.fit(corners::OPEN, bound, Cost::INF);
        let mut query = self.corners.take().unwrap_or_else(|| Box::new(QuerySearch::for_queries(0)));
        core::mem::swap(&mut query.search, &mut self.search);
        let result = run(&mut query, &mut self.pools);
        core::mem::swap(&mut query.search, &mut self.search);
        self.corners = Some(query);
        result
    }

    /// Prepares the look-ahead search for a graph with this bound. Swaps the two open lists if the spare one fits
    /// better, and allocates only if neither fits.
    pub(crate) fn fit(&mut self, kind: OpenKind, bound: usize, max_f_increase: Cost) {
        self.search.nodes.reserve(bound);
        if !self.search.open.fits(kind, max_f_increase) {
            core::mem::swap(&mut self.search.open, &mut self.spare);
        }
        if !self.search.open.fits(kind, max_f_increase) {
            self.search.open = OpenList::new(kind, bound, max_f_increase);
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl<G> StepContext<'_, G> {
    /// Returns meter, pools and probe for a search.
    pub fn tools(&mut self) -> SearchTools<'_> {
        SearchTools { meter: self.meter, pools: &mut self.scratch.pools, probe: reborrow(&mut self.probe) }
    }
}
