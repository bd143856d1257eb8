//! Hill climbing, the test for easy stretches in kNN LRTA* (Bulitko, Björnsson, Lawrence 2010), as a planner of its
//! own. What a step of it is, [`parts`](crate::parts::climb) say.
//!
//! For comparison: it learns nothing, keeps nothing and is not complete. Where no neighbour has a smaller h it is stuck
//! and waits, since the world may change or someone may push it. h falls with every move, so it never walks in circles.
//! It has a proof that there is no path only where there is no way out at all.
//!
//! A step is one step of hill climbing ([`WorkKind::Climb`]), not an expansion: a neighbourhood is looked at, but nothing
//! is searched. At the papers' prices that is free, as it is where they climb to test a record.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::graph::{Graph, ReverseGraph};
use crate::id::NodeId;
use crate::meter::WorkKind;
use crate::part;
use crate::parts::{Climb, climb};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::registry::{BoxedPlanner, BuildError, Facts, PlannerInfo, Spec};
use crate::save::SaveError;

/// The row of hill climbing in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "hill-climb",
    name: "hill climbing",
    paper: "as in Bulitko, Björnsson, Lawrence 2010",
    summary: "moves to the best neighbor that is closer to the goal, until there is none; for comparison",
    facts: Facts { complete: false, proves_no_path: false, optimal: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, _: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(HillClimb))
}

/// Hill climbing as a planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct HillClimb;

part! { HillClimb { saved: ; fixed: } }

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
            Climb::Shut => Decision::NoPath,
        }
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        Ok(())
    }
}
