//! Late-acting TBA*: the baseline in Table 1 of the TBA* paper.
//!
//! It searches like TBA* and must move in every step, but it does not follow any path until the path to the goal is
//! found and traced. Until then it moves back and forth between the start and a neighbor, which is chosen at random
//! by a seed. (A fixed straight neighbor would favor it.) The difference to TBA* is the gain of early moves.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::open_params::OPEN;
use super::time_bounded::{C, FACTS, R, TimeBounded, TimeBoundedConfig, Verdict, common_config};
use crate::graph::{Graph, Undirected, splitmix64};
use crate::id::NodeId;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::SaveError;
use crate::search::PagedTree;
use crate::spec::{BuildError, Int, PlannerInfo, Spec};

const SEED: Int = Int::new("seed", "0", 0, u64::MAX, "selects the neighbor to pace to");

/// The row of late-acting TBA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "late-tba",
    name: "late-acting TBA*",
    paper: "Björnsson, Bulitko, Sturtevant 2009",
    summary: "baseline: paces near its start until the path to the goal is complete",
    facts: FACTS,
    params: &[R.param, C.param, OPEN.param, SEED.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(LateTba::new(common_config(spec), spec.get(&SEED), graph)))
}

/// The planner late-acting TBA*.
#[derive(Clone, Debug)]
pub struct LateTba {
    seed: u64,
    inner: TimeBounded<PagedTree>,
    cursor: u64,
}

impl LateTba {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes and no larger edge costs.
    pub fn new<G: Graph>(config: TimeBoundedConfig, seed: u64, graph: &G) -> Self {
        Self { seed, inner: TimeBounded::new(config, PagedTree::new(graph.bound()), graph), cursor: 0 }
    }

    /// Returns the neighbor to pace to. Not the goal, where the agent would arrive before the path is known.
    fn draw<G: Graph>(&self, graph: &G, at: NodeId, goal: NodeId) -> NodeId {
        let others = || graph.succs(at).filter(|edge| edge.to != goal);
        let count = others().count().max(1) as u64;
        let k = splitmix64(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(at.raw())) % count;
        others().nth(k as usize).map_or(NodeId::NONE, |edge| edge.to)
    }
}

planner_part! { LateTba { saved: cursor, inner; fixed: seed } }

impl PlannerState for LateTba {
    fn graph_bound(&self) -> usize {
        self.inner.graph_bound()
    }

    fn reset(&mut self, _: Reset) {
        self.inner.restart();
    }

    fn search_stats(&self) -> Stats {
        self.inner.search_stats()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        self.inner.path(at)
    }
}

impl<G: Undirected> Planner<G> for LateTba {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        if self.cursor != cx.changes.end() {
            self.cursor = cx.changes.end();
            self.inner.restart();
        }
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        self.inner.notice(at, goal);
        if self.inner.is_idle() {
            self.inner.pacing = self.draw(graph, at, goal);
        }
        let succs = |n, from| graph.pruned_successors(n, from);
        match self.inner.step((at, goal), succs, |n| graph.h(n, goal), |_, _| true, &mut cx.tools()) {
            Verdict::Go(next) => Decision::Go(next),
            Verdict::NoPath => Decision::NoPath,
            Verdict::Wait | Verdict::Broken => Decision::Wait,
        }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.inner.verify(graph)
    }
}
