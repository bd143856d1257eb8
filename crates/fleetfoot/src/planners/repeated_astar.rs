//! Repeated A* (as in Koenig & Likhachev 2006): A* again from scratch whenever the walk ahead breaks.
//!
//! The complete baseline for terrain that reveals itself while the agent walks. It learns nothing. Forward
//! searches are far cheaper than backward ones there: what is newly seen is near the agent, and far from it
//! the heuristic is perfect. A step digests a bounded number of changes; while it lags behind the log it
//! waits, so changes that never cease faster than a step can digest them (4096, fewer where all work is charged) starve it,
//! and so do changes that keep breaking a search which takes many steps. Successors are never pruned, since pruning relies on edges that a later change may take away.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::astar::{AStar, AStarConfig, DIRECTION, Direction};
use super::open::{OPEN, TIES, open_with_ties};
use super::reader::{Reader, Reading};
use crate::graph::{EdgeChange, Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::part;
use crate::parts::{OpenKind, Rooted, Tree};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::registry::{BoxedPlanner, BuildError, Choice, Facts, PlannerInfo, Spec};
use crate::save::SaveError;

const REPLAN: Choice<Replan> = Choice::new(
    "replan",
    &["needed", "broken", "any-change"],
    &[Replan::Needed, Replan::Broken, Replan::AnyChange],
    "on a rise ahead or a fall that may help; on a rise ahead only; on any change",
);

/// The row of Repeated A* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "repeated-astar",
    name: "Repeated A*",
    paper: "as in Koenig, Likhachev 2006",
    summary: "A* again from scratch whenever the path ahead breaks; for unknown terrain",
    facts: Facts::FULL,
    params: &[DIRECTION.param, OPEN.param, TIES.param, REPLAN.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let (direction, replan) = (spec.get(&DIRECTION), spec.get(&REPLAN));
    let config = RepeatedAStarConfig { direction, open: open_with_ties(spec)?, replan };
    Ok(Box::new(RepeatedAStar::new(config, graph)))
}

/// Which changes make the agent plan again, once it has a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replan {
    /// A dearer edge on the path ahead, or a cheaper one out of a state that the search had expanded. No other can
    /// have opened a better way: a state not expanded has f no less than the path's cost, whatever lies beyond it.
    #[default]
    Needed,
    /// A dearer edge on the path ahead.
    Broken,
    /// Any change at all.
    AnyChange,
}

/// Parameters of Repeated A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RepeatedAStarConfig {
    /// Which way to search.
    pub direction: Direction,
    /// Which open list to use.
    pub open: OpenKind,
    /// When to plan again.
    pub replan: Replan,
}

/// Repeated A* as a planner.
#[derive(Clone, Debug)]
pub struct RepeatedAStar<T = Tree> {
    replan: Replan,
    inner: AStar<T>,
    reader: Reader,
}

impl RepeatedAStar {
    /// A planner for this graph, or for any other with as many nodes and no dearer edges.
    pub fn new<G: Graph>(config: RepeatedAStarConfig, graph: &G) -> Self {
        Self::with_table(config, Tree::new(graph.bound()), graph.bound(), graph.max_f_increase())
    }
}

impl<T: Rooted> RepeatedAStar<T> {
    /// A planner whose searches use this table.
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
            reader: Reader::default(),
        }
    }

    /// Digests what is new in the log; false while some of it is left for the next step.
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
            // Nothing further matters to a search that has yet to begin, unless a fall makes it forget.
            inner.is_idle() && !(T::LEARNS && falls_follow)
        });
        if reading == Reading::Lost {
            inner.drop_path();
            inner.forget();
        }
        reading != Reading::Behind
    }
}

/// Whether a change means that the search, or the path it found, is no longer good.
fn is_stale<T: Rooted>(inner: &mut AStar<T>, replan: Replan, change: &EdgeChange, at: NodeId) -> bool {
    if change.is_decrease() && T::LEARNS {
        // What was learned may be too much.
        return true;
    }
    if inner.is_thinking() {
        // An edge out of a state not yet expanded will be seen at its new cost.
        return inner.has_used(change);
    }
    match replan {
        Replan::AnyChange => true,
        Replan::Needed if change.is_decrease() => inner.has_used(change),
        Replan::Broken if change.is_decrease() => inner.found_no_path(),
        Replan::Needed | Replan::Broken => inner.lies_ahead(change, at),
    }
}

part! { [T: Rooted] RepeatedAStar<T> { saved: reader, inner; fixed: replan } }

impl<T: Rooted> PlannerState for RepeatedAStar<T> {
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

impl<G: ReverseGraph, T: Rooted> Planner<G> for RepeatedAStar<T> {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        if self.digest(&mut cx) { self.inner.proceed(cx) } else { Decision::Wait }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.inner.verify(graph)
    }
}
