//! The contract of every planner: one step per tick, at most one move.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::corners::{self, QuerySearch};
use crate::graph::{ChangeLog, Graph};
use crate::id::{Cost, NodeId};
use crate::meter::Meter;
use crate::parts::{Flat, Needs, OpenKind, OpenList, Part, Pools, Queue, Search, Ties, Tools, again};
use crate::probe::SearchProbe;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// What a planner answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Decision {
    /// Move to this neighbour.
    Go(NodeId),
    /// Stay this tick; the planner is still thinking, or is there.
    Wait,
    /// Proved: in the graph as it is now believed to be, no way leads to the goal.
    NoPath,
}

/// What survives a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// What was learned about the way to the same goal: between trials.
    KeepLearned,
    /// Nothing: a new life.
    Full,
}

/// All that a planner may know in one tick.
#[non_exhaustive]
pub struct StepContext<'a, G> {
    /// The world as the agent believes it to be, with all changes applied.
    pub graph: &'a G,
    /// Where the agent is.
    pub at: NodeId,
    /// Where it wants to be.
    pub goal: NodeId,
    /// The changes that the graph has gone through.
    pub changes: &'a ChangeLog,
    /// What may be spent.
    pub meter: &'a mut Meter,
    /// Working memory that all agents of a thread share.
    pub scratch: &'a mut Scratch,
    /// Receives an event for every expansion and the like, if set.
    pub probe: Option<&'a mut dyn SearchProbe>,
}

/// A world that never changes.
static NO_CHANGES: ChangeLog = ChangeLog::new();

impl<'a, G> StepContext<'a, G> {
    /// A step in a world that has not changed, and that nobody watches.
    pub fn new(
        graph: &'a G,
        at: NodeId,
        goal: NodeId,
        meter: &'a mut Meter,
        scratch: &'a mut Scratch,
    ) -> Self {
        Self { graph, at, goal, changes: &NO_CHANGES, meter, scratch, probe: None }
    }

    /// The same step, with the changes that the graph has gone through. A planner must be given the same log in every
    /// step of its life.
    #[must_use]
    pub fn with_changes(self, changes: &'a ChangeLog) -> Self {
        Self { changes, ..self }
    }

    /// The same step, watched.
    #[must_use]
    pub fn with_probe(self, probe: &'a mut dyn SearchProbe) -> Self {
        Self { probe: Some(probe), ..self }
    }
}

/// What a planner is between two steps, whatever graph it plans on.
///
/// It is a [`Part`], which [`part!`](crate::part) makes of a struct: so it can be saved, restored, released and measured.
pub trait PlannerState: Part {
    /// It was built for graphs with this [bound](crate::Limits::bound); `usize::MAX` if any graph will do.
    fn graph_bound(&self) -> usize;

    /// Begins a new life, in O(1).
    fn reset(&mut self, keep: Reset);

    /// What the planner has done; [`stats`](Self::stats) adds the memory that it holds.
    fn search_stats(&self) -> Stats;

    /// What the planner has done and holds.
    fn stats(&self) -> Stats {
        Stats { memory_bytes: self.memory_bytes() as u64, ..self.search_stats() }
    }

    /// Hands the planner's pages to the pool, for others to use; as after a reset that keeps nothing.
    fn release(&mut self, scratch: &mut Scratch) {
        self.reset(Reset::Full);
        self.give_back(&mut scratch.pools);
    }

    /// Writes the planner's whole state; [`Saved::new`](crate::registry::SavedPlanner::new) wraps it.
    fn save(&self, out: &mut dyn SaveWriter) {
        self.write(out);
    }

    /// The nodes that the planner means to walk to, in order, from an agent at `at` on (which is left out), as far as it
    /// has decided on them; nothing if it has not, or decides anew in every step. The next step may change its mind.
    /// Between two of them that are no neighbours lies open ground, which is crossed diagonal moves first.
    ///
    /// For drawing, and for smoothing a walk. It takes as long as the path is, so keep it out of a tick's budget.
    fn path(&self, at: NodeId) -> Vec<NodeId>;
}

/// A planner: it is asked once per tick and answers within the meter's budget.
///
/// It holds no graph and no lifetime, so it can be stored, cloned, saved between any two steps, and the world
/// may change between them. An agent that is not where it was sent, a goal that has moved, a budget that
/// differs from step to step: all are fine.
pub trait Planner<G>: PlannerState {
    /// Thinks, and decides on at most one move.
    ///
    /// Where the agent's place or its goal is no node of the graph, or the graph is of another size than the one that the
    /// planner was built for, there is no path, and the planner is not asked. (An agent at its goal has arrived, even if that has been
    /// blocked since.)
    fn step(&mut self, cx: StepContext<'_, G>) -> Decision
    where
        G: Graph,
    {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let is_sound = graph.is_node(at) && graph.is_node(goal) || at == goal && at.index() < graph.bound();
        let fits = [graph.bound(), usize::MAX].contains(&self.graph_bound());
        if is_sound && fits { self.plan_step(cx) } else { Decision::NoPath }
    }

    /// What a step does once its question is known to make sense. Call [`step`](Self::step).
    fn plan_step(&mut self, cx: StepContext<'_, G>) -> Decision;

    /// Whether a state that was just read makes sense on this graph: whether what belongs together fits, and nothing that is
    /// relied on fails. What passes may be wrong if the bytes were forged, but never panics nor exceeds a bound.
    fn check(&self, graph: &G) -> Result<(), SaveError>;

    /// Takes a state that [`PlannerState::save`] wrote.
    fn load(&mut self, graph: &G, from: &mut SaveReader<'_>) -> Result<(), SaveError>
    where
        G: Graph,
    {
        self.read(&graph.limits(), from)?;
        self.check(graph)
    }
}

/// A planner whose type is not known, and that can be cloned all the same, for a component of an entity or a look into
/// the future. Every planner that can be cloned is one.
pub trait DynPlanner<G>: Planner<G> + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> BoxedPlanner<G>;
}

impl<G, P: Planner<G> + Clone + Send + Sync + 'static> DynPlanner<G> for P {
    fn boxed_clone(&self) -> BoxedPlanner<G> {
        Box::new(self.clone())
    }
}

/// A planner of any type, such as [`Spec::build`](crate::registry::Spec::build) makes.
pub type BoxedPlanner<G> = Box<dyn DynPlanner<G>>;

impl<G> Clone for BoxedPlanner<G> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// The nodes after `at`, each the `next` of the one before it, until that is none or leads back to `at`; no more than
/// `most`, so that an end is certain.
pub(crate) fn follow(at: NodeId, most: usize, next: impl Fn(NodeId) -> Option<NodeId>) -> Vec<NodeId> {
    core::iter::successors(next(at), |n| next(*n)).take_while(|n| *n != at).take(most).collect()
}

/// What a planner has done in its life and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// Searches begun: the papers' episodes.
    pub searches: u64,
    /// The most states open at once.
    pub open_max: u64,
    /// The most states closed at once.
    pub closed_max: u64,
    /// States with a learned value.
    pub h_states: u64,
    /// Updates of learned values, those that changed nothing included.
    pub updates: u64,
    /// By how much learned values rose, all updates together, in cost units.
    pub h_rise: u64,
    /// Bytes held by this planner alone.
    pub memory_bytes: u64,
}

/// Working memory that does not survive a step, and spare pages: one per thread, shared by its agents.
#[derive(Debug)]
pub struct Scratch {
    /// Spare pages.
    pub pools: Pools,
    /// The look-ahead search of agents that keep no tree.
    pub(crate) search: Search<Flat>,
    /// The search over corners of whole queries.
    corners: Option<Box<QuerySearch>>,
    /// An open list of another kind, for agents that want that.
    spare: OpenList,
    /// What it has closed, in order.
    pub(crate) closed: Vec<NodeId>,
    /// The open list of searches that look back over what it closed.
    pub(crate) queue: Queue,
}

impl Scratch {
    /// Empty: everything is taken on first need.
    pub fn new() -> Self {
        let kind = OpenKind::Heap(Ties::LargerG);
        Self {
            pools: Pools::new(),
            search: Search::new(Flat::new(0), kind, 0, Cost::INF),
            corners: None,
            spare: OpenList::new(kind, 0, Cost::INF),
            closed: Vec::new(),
            queue: Queue::new(0),
        }
    }

    /// Makes sure of the pages that one such planner takes while it touches no more than so many nodes (or, on a grid, tiles
    /// with so many cells): its steps then allocate nothing. For several planners call it once for each of them.
    pub fn reserve(&mut self, planner: &dyn PlannerState, nodes: usize) {
        let mut needs = Needs::default();
        planner.need(nodes, &mut needs);
        self.pools.reserve(&needs);
    }

    /// Adds the pages that look-ahead searches over so many nodes take.
    pub(crate) fn need_lists(nodes: usize, needs: &mut Needs) {
        OpenList::new(OpenKind::Heap(Ties::LargerG), 0, Cost::INF).need(nodes, needs);
        Queue::new(0).need(nodes, needs);
    }

    /// Makes sure that look-ahead searches over graphs with `bound` nodes and edges along which f rises by
    /// at most `max_f_increase` allocate nothing but pages: 28 bytes per node.
    pub fn reserve_search(&mut self, bound: usize, max_f_increase: Cost) {
        self.search.nodes.reserve(bound);
        self.search.open = OpenList::new(OpenKind::Ring, bound, max_f_increase);
        self.spare = OpenList::new(OpenKind::Heap(Ties::LargerG), bound, max_f_increase);
        self.queue = Queue::new(bound);
        // At most every node once, unless costs have fallen.
        self.closed.clear();
        self.closed.reserve(bound);
    }

    /// Runs a query over the corners of a grid with at most `bound` nodes, in the memory of the look-ahead search.
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

    /// Makes the look-ahead search fit for such a graph. Allocates only where it did not fit before: the lists of
    /// two kinds change places.
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
    /// The tools that searches need, apart from the rest.
    pub fn tools(&mut self) -> Tools<'_> {
        Tools { meter: self.meter, pools: &mut self.scratch.pools, probe: again(&mut self.probe) }
    }
}
