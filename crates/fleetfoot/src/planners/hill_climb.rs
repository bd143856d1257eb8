//! Hill climbing, the reachability test of kNN LRTA* (Bulitko, Björnsson & Lawrence 2010), as a planner. For a
//! single step, see [`climb`](crate::search::climb).
//!
//! For comparison: it learns nothing, stores nothing and is not complete. If no neighbor has a smaller h it waits,
//! since the world may change or the agent may be moved. h decreases with every move, so there are no cycles. It
//! proves that there is no path only if the agent's node has no edges.
//!
//! A step is one step of hill climbing ([`WorkKind::Climb`]), not an expansion: the neighbors are examined, but
//! nothing is searched. With the papers' prices it is free, as it is in the papers' record tests.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::graph::{Graph, ReverseGraph};
use crate::id::NodeId;
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::SaveError;
use crate::search::{Climb, climb};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

/// The row of hill climbing in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "hill-climb",
    name: "hill climbing",
    paper: "as in Bulitko, Björnsson, Lawrence 2010",
    summary: "moves to the best neighbor that is closer to the goal, until there is none; for comparison",
    facts: Facts { complete: false, proves_no_path: false, optimal: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, _: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(HillClimb))
}

/// The planner that climbs hills.
#[derive(Clone, Copy, Debug, Default)]
pub struct HillClimb;

planner_part! { HillClimb { saved: ; fixed: } }

impl PlannerState for HillClimb {
    fn graph_bound(&self) -> usize {
        usize::MAX
    }

    fn reset(&mut self, _: Reset) {}

    fn search_stats(&self) -> Stats {
        Stats::default()
    }

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

impl<G: Graph> Planner<G> for HillClimb {
    fn plan_step(&mut self, cx: StepContext<'_, G>) -> Decision {
        if cx.at == cx.goal || !cx.meter.charge(WorkKind::Climb) {
            return Decision::Wait;
        }
        match climb(cx.graph, cx.at, cx.goal) {
            Climb::To(n) => Decision::Go(n),
            Climb::Stuck => Decision::Wait,
            Climb::NoNeighbors => Decision::NoPath,
        }
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        Ok(())
    }
}
