//! Repeated A* (as in Koenig & Likhachev 2006): a new A* search whenever the path ahead is broken.
//!
//! The complete baseline for terrain that is explored while the agent walks. It does not learn. Forward searches
//! are much cheaper than backward searches there: changes are near the agent, and far from it the heuristic is
//! perfect. A step processes a bounded number of changes, and the agent waits while some are unread. Two kinds of
//! changes can therefore starve it: more changes in every step than it can process (4096, fewer if all work is
//! charged), and changes that keep breaking a search of many steps. Successors are never pruned, since pruning
//! relies on edges that a later change may remove.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::astar::{AStar, AStarConfig, DIRECTION, Direction};
use super::change_reader::{ChangeReader, ReadStatus};
use super::open_params::{OPEN, TIES, open_with_ties};
use crate::graph::{EdgeChange, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::SaveError;
use crate::search::{OpenKind, PagedTree, SearchTree};
use crate::spec::{BuildError, Choice, Facts, PlannerInfo, Spec};

const REPLAN: Choice<Replan> = Choice::new(
    "replan",
    &["needed", "broken", "any-change"],
    &[Replan::Needed, Replan::Broken, Replan::AnyChange],
    "on a rise ahead or a fall that may help; on a rise ahead only; on any change",
);

/// The row of Repeated A* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "repeated-astar",
    name: "Repeated A*",
    paper: "as in Koenig, Likhachev 2006",
    summary: "A* again from scratch whenever the path ahead breaks; for unknown terrain",
    facts: Facts::FULL,
    params: &[DIRECTION.param, OPEN.param, TIES.param, REPLAN.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let (direction, replan) = (spec.get(&DIRECTION), spec.get(&REPLAN));
    let config = RepeatedAStarConfig { direction, open: open_with_ties(spec)?, replan };
    Ok(Box::new(RepeatedAStar::new(config, graph)))
}

/// The changes after which an agent with a path searches again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replan {
    /// An edge of the path ahead became more expensive, or an edge out of an expanded node became cheaper. No other
    /// change can open a better path: a node that was not expanded has an f of at least the cost of the path.
    #[default]
    Needed,
    /// An edge of the path ahead became more expensive.
    Broken,
    /// Any change.
    AnyChange,
}

/// Parameters of Repeated A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RepeatedAStarConfig {
    /// The direction of the search.
    pub direction: Direction,
    /// The kind of the open list.
    pub open: OpenKind,
    /// When to search again.
    pub replan: Replan,
}

/// The planner Repeated A*.
#[derive(Clone, Debug)]
pub struct RepeatedAStar<T = PagedTree> {
    replan: Replan,
    inner: AStar<T>,
    reader: ChangeReader,
}

impl RepeatedAStar {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(config: RepeatedAStarConfig, graph: &G) -> Self {
        Self::with_table(config, PagedTree::new(graph.bound()), graph.bound(), graph.max_f_increase())
    }
}

impl<T: SearchTree> RepeatedAStar<T> {
    /// Creates a planner whose searches use this table.
    pub(super) fn with_table(
        config: RepeatedAStarConfig,
        table: T,
        bound: usize,
        max_f_increase: Cost,
    ) -> Self {
        let RepeatedAStarConfig { direction, open, replan } = config;
        let config = AStarConfig { direction, open, prune: false };
        Self {
            replan,
            inner: AStar::with_table(config, table, bound, max_f_increase),
            reader: ChangeReader::default(),
        }
    }

    /// Processes new changes. Returns `false` if some are left for the next step.
    fn digest<G>(&mut self, cx: &mut StepContext<'_, G>) -> bool {
        let Self { inner, reader, replan } = self;
        let reading = reader.read(cx.changes, cx.meter, |change, falls_follow| {
            let stale = is_stale(inner, *replan, change, cx.at);
            if change.is_decrease() {
                inner.forget();
            }
            if stale {
                inner.drop_path();
            }
            // Further changes do not affect a search that has not started, unless a decrease clears learned values.
            inner.is_idle() && !(T::LEARNS && falls_follow)
        });
        if reading == ReadStatus::Lost {
            inner.drop_path();
            inner.forget();
        }
        reading != ReadStatus::Behind
    }
}

/// Returns `true` if a change invalidates the search, or the path it found.
fn is_stale<T: SearchTree>(inner: &mut AStar<T>, replan: Replan, change: &EdgeChange, at: NodeId) -> bool {
    if change.is_decrease() && T::LEARNS {
        // Learned values may be too large.
        return true;
    }
    if inner.is_thinking() {
        // Edges out of nodes that are not expanded yet will be used with their new cost.
        return inner.has_used(change);
    }
    match replan {
        Replan::AnyChange => true,
        Replan::Needed if change.is_decrease() => inner.has_used(change),
        Replan::Broken if change.is_decrease() => inner.found_no_path(),
        Replan::Needed | Replan::Broken => inner.lies_ahead(change, at),
    }
}

planner_part! { [T: SearchTree] RepeatedAStar<T> { saved: reader, inner; fixed: replan } }

impl<T: SearchTree> PlannerState for RepeatedAStar<T> {
    fn graph_bound(&self) -> usize {
        self.inner.path.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        self.inner.drop_path();
        if keep == Reset::Full {
            self.inner.forget();
        }
    }

    fn search_stats(&self) -> Stats {
        self.inner.statistics()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.inner.rest(at)
    }
}

impl<G: ReverseGraph, T: SearchTree> Planner<G> for RepeatedAStar<T> {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        if self.digest(&mut cx) { self.inner.proceed(cx) } else { Decision::Wait }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.inner.verify(graph)
    }
}
