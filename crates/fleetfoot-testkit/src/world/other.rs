//! Graphs of any type behind a pointer, with their own storage of edges.

use std::any::Any;
use std::fmt::Debug;

use fleetfoot::{Cost, Edge, Graph, Limits, NodeId, ReverseGraph};

/// A list of edges that does not allocate for a few of them, since allocations of a step are detected.
pub(super) struct Edges {
    few: [Edge; FEW],
    more: Vec<Edge>,
    len: usize,
    next: usize,
}

/// Nearly every node of the test graphs has at most this many edges.
const FEW: usize = 8;

impl Edges {
    fn collect(ways: impl Iterator<Item = Edge>) -> Self {
        let none = Edge { to: NodeId::NONE, cost: Cost::INF };
        let mut edges = Self { few: [none; FEW], more: Vec::new(), len: 0, next: 0 };
        for edge in ways {
            match edges.few.get_mut(edges.len) {
                Some(place) => *place = edge,
                None => edges.more.push(edge),
            }
            edges.len += 1;
        }
        edges
    }
}

impl Iterator for Edges {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        let k = self.next;
        self.next += usize::from(k < self.len);
        (k < self.len).then(|| self.few.get(k).copied().unwrap_or_else(|| self.more[k - FEW]))
    }
}

/// A graph of any type, behind a pointer.
pub(super) trait Other: Debug {
    fn limits(&self) -> Limits;
    fn is_node(&self, n: NodeId) -> bool;
    fn succs(&self, n: NodeId) -> Edges;
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> Edges;
    fn preds(&self, n: NodeId) -> Edges;
    fn is_symmetric(&self) -> bool;
    fn h(&self, a: NodeId, b: NodeId) -> Cost;
    fn cost(&self, a: NodeId, b: NodeId) -> Cost;
    fn fingerprint(&self) -> u64;
    fn copy(&self) -> Box<dyn Other>;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: ReverseGraph + Clone + Debug + 'static> Other for G {
    fn limits(&self) -> Limits {
        Graph::limits(self)
    }

    fn is_node(&self, n: NodeId) -> bool {
        Graph::is_node(self, n)
    }

    fn succs(&self, n: NodeId) -> Edges {
        Edges::collect(Graph::succs(self, n))
    }

    fn pruned_successors(&self, n: NodeId, from: NodeId) -> Edges {
        Edges::collect(Graph::pruned_successors(self, n, from))
    }

    fn preds(&self, n: NodeId) -> Edges {
        Edges::collect(ReverseGraph::preds(self, n))
    }

    fn is_symmetric(&self) -> bool {
        ReverseGraph::is_symmetric(self)
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        Graph::h(self, a, b)
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        Graph::cost(self, a, b)
    }

    fn fingerprint(&self) -> u64 {
        Graph::fingerprint(self)
    }

    fn copy(&self) -> Box<dyn Other> {
        Box::new(self.clone())
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for Box<dyn Other> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}
