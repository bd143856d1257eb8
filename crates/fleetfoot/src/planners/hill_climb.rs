//! Hill climbing, the test for easy stretches in kNN LRTA* (Bulitko, Björnsson, Lawrence 2010), as a planner of its
//! own. What a step of it is, [`parts`](crate::parts::climb) say.
//!
//! For comparison: it learns nothing, keeps nothing and is not complete. Where no neighbour has a smaller h it is stuck
//! and waits, since the world may change or someone may push it. h falls with every move, so it never walks in circles.
//! It has a proof that there is no path only where there is no way out at all.
//!
//! A step is one step of hill climbing ([`Kind::Climb`]), not an expansion: a neighbourhood is looked at, but nothing
//! is searched. At the papers' prices that is free, as it is where they climb to test a record.

use alloc::vec::Vec;

use crate::graph::Graph;
use crate::id::NodeId;
use crate::meter::Kind;
use crate::parts::{Climb, climb};
use crate::planner::{Decision, Keep, Planner, PlannerState, Scratch, Stats, Step};
use crate::save::{SaveError, Sink, Source};

/// Hill climbing as a planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct HillClimb;

impl PlannerState for HillClimb {
    fn nodes(&self) -> usize {
        usize::MAX
    }

    fn reset(&mut self, _: Keep) {}

    fn stats(&self) -> Stats {
        Stats::default()
    }

    fn release(&mut self, _: &mut Scratch) {}

    fn save(&self, _: &mut dyn Sink) {}

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        Vec::new()
    }
}

impl<G: Graph> Planner<G> for HillClimb {
    fn plan(&mut self, cx: Step<'_, G>) -> Decision {
        if cx.at == cx.goal || !cx.meter.charge(Kind::Climb) {
            return Decision::Wait;
        }
        match climb(cx.graph, cx.at, cx.goal) {
            Climb::To(n) => Decision::Go(n),
            Climb::Stuck => Decision::Wait,
            Climb::Shut => Decision::NoPath,
        }
    }

    fn load(&mut self, _: &G, _: &mut Source<'_>) -> Result<(), SaveError> {
        Ok(())
    }
}
