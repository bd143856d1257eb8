//! RTBA* and TBAA* (Hernández, Baier, Uras, Koenig 2012): TBA* for terrain that reveals itself.
//!
//! Both search under the freespace assumption and start a new TBA* where the agent is when an edge is lost, or
//! becomes dearer, on the path it follows, or on the path being traced. RTBA* forgets its search; TBAA* learns h from it, lazily
//! ([`AdaptiveTree`]), so that a state generated again is better informed. Either way a restart is O(1).
//!
//! Complete in static undirected terrain: every restart means a newly known lost edge, and between restarts TBA* is
//! complete. `NoPath` is a proof, since the searched graph is optimistic. Added to the published description:
//! edges, not cells, are checked (a blocked cell takes the diagonals past its corners with it); each edge is
//! checked again while it is traced, since the tree may have grown through a wall that was seen later; a lost edge
//! met there costs a wait, as the step's expansions are spent. Successors are not pruned.
//!
//! Where a cost falls the search starts afresh and what was learned is forgotten.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::open::OPEN;
use super::reader::{Reader, Reading};
use super::time_bounded::{
    C, FACTS, FIRST_STEP, HOLD, ONE, R, SWITCH_RULE, TimeBounded, TimeBoundedConfig, Verdict, WEIGHT, config,
};
use crate::graph::{Graph, Undirected};
use crate::id::NodeId;
use crate::part;
use crate::parts::{AdaptiveTree, Rooted, Tree};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::registry::{BoxedPlanner, BuildError, Facts, PlannerInfo, Spec};
use crate::save::SaveError;

const RESTARTING: Facts =
    Facts { unknown_terrain: true, rising_costs: true, slice_invariant: false, ..FACTS };

/// The row of RTBA* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "rtba",
    name: "RTBA*",
    paper: "Hernández, Baier, Uras, Koenig 2012",
    summary: "TBA* for unknown terrain: starts again at the agent's cell when its path breaks",
    facts: RESTARTING,
    params: &[R.param, C.param, OPEN.param, FIRST_STEP.param, SWITCH_RULE.param, HOLD.param, WEIGHT.param],
    adjust_facts: |spec, facts| Facts { optimal: facts.optimal && spec.get(&WEIGHT) == ONE, ..facts },
};

/// Builds it.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Rtba::new(config(spec), graph).with_weight(spec.get(&WEIGHT))))
}

/// The row of TBAA* in the list of algorithms.
pub(crate) const ADAPTIVE: PlannerInfo = PlannerInfo {
    key: "tbaa",
    name: "TBAA*",
    paper: "Hernández, Baier, Uras, Koenig 2012",
    summary: "RTBA* that learns a better heuristic from every search it has to drop",
    facts: RESTARTING,
    params: &[R.param, C.param, OPEN.param, FIRST_STEP.param, SWITCH_RULE.param, HOLD.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build_adaptive<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(Tbaa::new(config(spec), graph)))
}

/// RTBA* over a [`Tree`], TBAA* over an [`AdaptiveTree`].
#[derive(Clone, Debug)]
pub struct Restarting<T> {
    inner: TimeBounded<T>,
    reader: Reader,
}

/// Restarting Time-Bounded A*.
pub type Rtba = Restarting<Tree>;
/// Time-Bounded Adaptive A*.
pub type Tbaa = Restarting<AdaptiveTree>;

impl Rtba {
    /// A planner for this graph, or for any other with as many nodes and no dearer edges.
    pub fn new<G: Graph>(config: TimeBoundedConfig, graph: &G) -> Self {
        Self { inner: TimeBounded::new(config, Tree::new(graph.bound()), graph), reader: Reader::default() }
    }

    /// The same with h that counts this much, in millionths; 1,000,000 is RTBA* as published. Paths to the goal may
    /// then cost as many times as much as shortest ones, and are found sooner.
    #[must_use]
    pub fn with_weight(mut self, weight: u32) -> Self {
        self.inner.set_weight(weight);
        self
    }
}

impl Tbaa {
    /// A planner for this graph, or for any other with as many nodes and no dearer edges.
    pub fn new<G: Graph>(config: TimeBoundedConfig, graph: &G) -> Self {
        Self {
            inner: TimeBounded::new(config, AdaptiveTree::lazy(graph.bound()), graph),
            reader: Reader::default(),
        }
    }
}

impl<T: Rooted> Restarting<T> {
    /// Digests what is new in the log; false while some of it is left for the next step.
    fn digest<G>(&mut self, cx: &mut StepContext<'_, G>) -> bool {
        let inner = &mut self.inner;
        let reading = self.reader.read(cx.changes, cx.meter, |change, falls_follow| {
            if change.is_decrease() {
                inner.restart();
                inner.search.forget();
            } else if !inner.found_no_path() && inner.uses(change, cx.at) {
                inner.restart();
            }
            // Nothing further matters to a search that has yet to begin, unless a fall makes it forget.
            inner.is_idle() && !(T::LEARNS && falls_follow)
        });
        if reading == Reading::Lost {
            inner.restart();
            inner.search.forget();
        }
        reading != Reading::Behind
    }
}

part! { [T: Rooted] Restarting<T> { saved: reader, inner; fixed: } }

impl<T: Rooted> PlannerState for Restarting<T> {
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

impl<G: Undirected, T: Rooted> Planner<G> for Restarting<T> {
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
