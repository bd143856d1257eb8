//! LPA* (Koenig, Likhachev & Furcy 2004): a shortest path between two fixed nodes, repaired when costs change.
//!
//! It is [D* Lite](super::DStarLite) on the reversed graph, with an agent that does not move: the same queue and
//! the same repairs. It is a building block and a test oracle, not a planner: its search is rooted at the start,
//! and an agent whose path back to it is cut off might never meet the search again.

use alloc::vec::Vec;

use super::DStarLite;
use super::dstar_lite::KeyFocus;
use crate::graph::{ChangeLog, EdgeChange, Graph, ReverseGraph, Reversed};
use crate::id::{Cost, NodeId};
use crate::search::{Halt, SearchTools};

/// Lifelong Planning A*.
#[derive(Clone, Debug)]
pub struct Lpa {
    search: DStarLite,
    /// The changes, with reversed edges.
    log: ChangeLog,
    /// The cursor into the graph's own log.
    cursor: u64,
}

impl Lpa {
    /// Creates a search for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(graph: &G) -> Self {
        Self { search: DStarLite::new(KeyFocus::PerEpisode, graph), log: ChangeLog::new(), cursor: 0 }
    }

    /// Searches or repairs within the budget. Returns [`Halt::Goal`] once the cost from `start` to `goal` is known,
    /// and [`Halt::Empty`] once it is proved that there is no path.
    pub fn repair<G: ReverseGraph>(
        &mut self,
        graph: &G,
        (start, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) -> Halt {
        if log.get(self.cursor).is_none() && self.cursor != log.end() {
            // The log was truncated.
            self.search.forget();
            self.cursor = log.end();
        }
        while let Some(&EdgeChange { from, to, old, new }) = log.get(self.cursor) {
            self.log.push(EdgeChange { from: to, to: from, old, new });
            self.cursor += 1;
        }
        self.search.repair(&Reversed(graph), (goal, start), &self.log, tools)
    }

    /// Returns the cost from the start to `n`, if `n` is on the path.
    pub fn cost(&self, n: NodeId) -> Cost {
        self.search.cost(n)
    }

    /// Returns the path from the start to `goal` with both ends, once it is found; before that, the end of one.
    pub fn path(&self, goal: NodeId) -> Vec<NodeId> {
        let before = |n: &NodeId| self.search.next_toward_goal(*n).filter(|m| self.cost(*m) < self.cost(*n));
        let mut path: Vec<_> = core::iter::successors(Some(goal), before).collect();
        path.reverse();
        path
    }
}
