//! LPA* (Koenig, Likhachev & Furcy 2004): a shortest path between two places that stay where they are, repaired when
//! costs change.
//!
//! It is [D* Lite](super::DStarLite) on the graph with every edge turned round, with an agent that does not move: the
//! same queue, the same repairs. A part of planners and an oracle for tests, not a planner: its search is rooted at the
//! start, and an agent whose way back to there is cut off might never meet it again.

use alloc::vec::Vec;

use super::DStarLite;
use super::dstar_lite::Focus;
use crate::graph::{ChangeLog, EdgeChange, Graph, ReverseGraph, Reversed};
use crate::id::{Cost, NodeId};
use crate::parts::{Halt, Tools};

/// Lifelong planning A*.
#[derive(Clone, Debug)]
pub struct Lpa {
    search: DStarLite,
    /// The changes, each edge turned round.
    log: ChangeLog,
    /// How much of the graph's own log has been turned round.
    cursor: u64,
}

impl Lpa {
    /// For this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(graph: &G) -> Self {
        Self { search: DStarLite::new(Focus::PerEpisode, graph), log: ChangeLog::new(), cursor: 0 }
    }

    /// Searches or repairs as far as the meter goes: until the cost from `start` to `goal` is known
    /// ([`Halt::Goal`]), it is proved that there is no way, or the meter refuses.
    pub fn repair<G: ReverseGraph>(
        &mut self,
        graph: &G,
        (start, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut Tools<'_>,
    ) -> Halt {
        if log.get(self.cursor).is_none() && self.cursor != log.end() {
            // Changes were lost before they could be seen.
            self.search.forget();
            self.cursor = log.end();
        }
        while let Some(&EdgeChange { from, to, old, new }) = log.get(self.cursor) {
            self.log.push(EdgeChange { from: to, to: from, old, new });
            self.cursor += 1;
        }
        self.search.repair(&Reversed(graph), (goal, start), &self.log, tools)
    }

    /// What it costs to get from the start to `n`, once `n` is on the path.
    pub fn cost(&self, n: NodeId) -> Cost {
        self.search.cost(n)
    }

    /// The path from the start to `goal`, both included, once it is found; before that, an end of one.
    pub fn path(&self, goal: NodeId) -> Vec<NodeId> {
        let before = |n: &NodeId| self.search.downhill(*n).filter(|m| self.cost(*m) < self.cost(*n));
        let mut path: Vec<_> = core::iter::successors(Some(goal), before).collect();
        path.reverse();
        path
    }
}
