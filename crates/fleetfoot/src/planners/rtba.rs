//! RTBA* and TBAA* (Hernández, Baier, Uras & Koenig 2012): TBA* for terrain that is explored.
//!
//! Both search under the freespace assumption. They start a new TBA* at the agent's position when an edge of the
//! path being followed or traced is lost or becomes more expensive. RTBA* discards its search; TBAA* learns h from
//! it, lazily ([`AdaptiveTree`]), so that nodes generated again are better informed. Either way a restart is O(1).
//!
//! Complete in static undirected terrain: every restart is caused by a newly discovered lost edge, and between
//! restarts TBA* is complete. `NoPath` is a proof, since the searched graph is optimistic. Additions to the
//! publication: edges are checked, not cells, since a blocked cell also removes the diagonals past its corners.
//! Each edge is checked again while it is traced, since the tree may contain edges that were lost later; such an
//! edge costs one step of waiting, as the step's expansions are spent. Successors are not pruned.
//!
//! If a cost decreases, the search restarts and learned values are cleared.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::change_reader::{ChangeReader, ReadStatus};
use super::open_params::OPEN;
use super::time_bounded::{
    C, FACTS, FIRST_STEP, HOLD, ONE, R, SWITCH_RULE, TimeBounded, TimeBoundedConfig, Verdict, WEIGHT, config,
};
use crate::graph::{Graph, Undirected};
use crate::id::NodeId;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::SaveError;
use crate::search::{AdaptiveTree, PagedTree, SearchTree};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

const RESTARTING: Facts =
    Facts { unknown_terrain: true, rising_costs: true, slice_invariant: false, ..FACTS };

/// The row of RTBA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "rtba",
    name: "RTBA*",
    paper: "Hernández, Baier, Uras, Koenig 2012",
    summary: "TBA* for unknown terrain: starts again at the agent's cell when its path breaks",
    facts: RESTARTING,
    params: &[R.param, C.param, OPEN.param, FIRST_STEP.param, SWITCH_RULE.param, HOLD.param, WEIGHT.param],
    adjust_facts: |spec, facts| Facts { optimal: facts.optimal && spec.get(&WEIGHT) == ONE, ..facts },
};

/// Builds the planner.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Rtba::new(config(spec), graph).with_weight(spec.get(&WEIGHT))))
}

/// The row of TBAA* in the table of algorithms.
pub(crate) const ADAPTIVE: PlannerInfo = PlannerInfo {
    key: "tbaa",
    name: "TBAA*",
    paper: "Hernández, Baier, Uras, Koenig 2012",
    summary: "RTBA* that learns a better heuristic from every search it has to drop",
    facts: RESTARTING,
    params: &[R.param, C.param, OPEN.param, FIRST_STEP.param, SWITCH_RULE.param, HOLD.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner with learning.
pub(crate) fn build_adaptive<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Tbaa::new(config(spec), graph)))
}

/// RTBA* with a [`PagedTree`], TBAA* with an [`AdaptiveTree`].
#[derive(Clone, Debug)]
pub struct RestartingTba<T> {
    inner: TimeBounded<T>,
    reader: ChangeReader,
}

/// Restarting Time-Bounded A*.
pub type Rtba = RestartingTba<PagedTree>;
/// Time-Bounded Adaptive A*.
pub type Tbaa = RestartingTba<AdaptiveTree>;

impl Rtba {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(config: TimeBoundedConfig, graph: &G) -> Self {
        Self {
            inner: TimeBounded::new(config, PagedTree::new(graph.bound()), graph),
            reader: ChangeReader::default(),
        }
    }

    /// Sets the weight of h in millionths; 1,000,000 is RTBA* as published. With larger weights, paths are found
    /// sooner, and cost at most the weight times the minimum.
    #[must_use]
    pub fn with_weight(mut self, weight: u32) -> Self {
        self.inner.set_weight(weight);
        self
    }
}

impl Tbaa {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(config: TimeBoundedConfig, graph: &G) -> Self {
        Self {
            inner: TimeBounded::new(config, AdaptiveTree::lazy(graph.bound()), graph),
            reader: ChangeReader::default(),
        }
    }
}

impl<T: SearchTree> RestartingTba<T> {
    /// Processes new changes. Returns `false` if some are left for the next step.
    fn digest<G>(&mut self, cx: &mut StepContext<'_, G>) -> bool {
        let inner = &mut self.inner;
        let reading = self.reader.read(cx.changes, cx.meter, |change, falls_follow| {
            if change.is_decrease() {
                inner.restart();
                inner.search.forget();
            } else if !inner.found_no_path() && inner.uses(change, cx.at) {
                inner.restart();
            }
            // Further changes do not affect a search that has not started, unless a decrease clears learned values.
            inner.is_idle() && !(T::LEARNS && falls_follow)
        });
        if reading == ReadStatus::Lost {
            inner.restart();
            inner.search.forget();
        }
        reading != ReadStatus::Behind
    }
}

planner_part! { [T: SearchTree] RestartingTba<T> { saved: reader, inner; fixed: } }

impl<T: SearchTree> PlannerState for RestartingTba<T> {
    fn graph_bound(&self) -> usize {
        self.inner.graph_bound()
    }

    fn reset(&mut self, keep: Reset) {
        self.inner.restart();
        if keep == Reset::Full {
            self.inner.search.forget();
        }
    }

    fn search_stats(&self) -> Stats {
        self.inner.search_stats()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.inner.path(at)
    }
}

impl<G: Undirected, T: SearchTree> Planner<G> for RestartingTba<T> {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        self.inner.notice(cx.at, cx.goal);
        if !self.digest(&mut cx) {
            return Decision::Wait;
        }
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let verdict = self.inner.step(
            (at, goal),
            |n, _| graph.succs(n),
            |n| graph.h(n, goal),
            |a, b| graph.cost(a, b).is_finite(),
            &mut cx.tools(),
        );
        match verdict {
            Verdict::Go(next) => Decision::Go(next),
            Verdict::Wait => Decision::Wait,
            Verdict::NoPath => Decision::NoPath,
            Verdict::Broken => {
                self.inner.restart();
                Decision::Wait
            }
        }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.inner.verify(graph)
    }
}
