//! Graphs with all edges reversed.

use super::{Edge, Graph, Limits, ReverseGraph, Undirected, splitmix64};
use crate::id::{Cost, NodeId};

/// A graph with all edges reversed. A backward search on it runs forward on the inner graph.
#[derive(Clone, Copy, Debug)]
pub struct Reversed<G>(pub G);

impl<G: ReverseGraph> Graph for Reversed<G> {
    /// The in-degree, and the increase of f against the edges, are unknown.
    fn limits(&self) -> Limits {
        let Limits { bound, current_bound, extra_node, max_edge_cost, .. } = self.0.limits();
        Limits { current_bound, extra_node, ..Limits::new(bound, max_edge_cost) }
    }

    fn is_node(&self, n: NodeId) -> bool {
        self.0.is_node(n)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.0.preds(n)
    }

    #[inline]
    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        self.0.h(b, a)
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.0.cost(b, a)
    }

    fn fingerprint(&self) -> u64 {
        splitmix64(self.0.fingerprint() ^ 0x5245_5645_5253_4544)
    }
}

impl<G: ReverseGraph> ReverseGraph for Reversed<G> {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.0.succs(n)
    }
}

impl<G: Undirected> Undirected for Reversed<G> {}
