//! Graph traits, graph types and the change log.
//!
//! A graph describes the world as the agent knows it. Planners borrow it during a step. The trait states what a
//! planner requires: [`Graph`] for forward searches, [`ReverseGraph`] for backward searches, [`Undirected`] if the
//! agent may have to return the way it came, and [`Embedded`] if nodes have positions.

mod changes;
mod cliques;
mod csr;
mod goal_set;
mod implicit;
mod reversed;

pub use changes::{ChangeLog, EdgeChange, Pending};
pub use cliques::{CliqueAbstraction, Level};
pub use csr::{Csr, CsrBuilder, CsrError, UndirectedCsr};
pub use goal_set::GoalSet;
pub use implicit::{ImplicitGraph, ReverseStateSpace, StateSpace, SymmetricSpace};
pub use reversed::Reversed;

use core::any::Any;

use crate::id::{Cost, NodeId};

/// A directed edge, without its tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The head of the edge.
    pub to: NodeId,
    /// The cost; positive and finite.
    pub cost: Cost,
}

/// Bounds of a graph, which hold now and after every later change. Planners size their tables by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Every node number is below this, now and later.
    pub bound: usize,
    /// Number of nodes that exist now. Smaller than `bound` only for graphs that number their nodes lazily.
    pub current_bound: usize,
    /// A node outside `0..current_bound` that exists as well, such as a virtual goal. `NONE` if there is none.
    pub extra_node: NodeId,
    /// Maximum cost of an edge.
    pub max_edge_cost: Cost,
    /// Maximum number of edges out of a node, or `usize::MAX` if unknown. If it is unknown and all work is charged,
    /// planners that prepay the successors of an expansion expand one node per step.
    pub max_degree: usize,
    /// Maximum increase of f along an edge, for any goal: an upper bound of `cost(a, b) + h(b) - h(a)`. On
    /// undirected graphs, twice the maximum edge cost is always valid. If it is infinite, searches use a heap; if
    /// it is small, they use buckets, which are faster.
    pub max_f_increase: Cost,
}

impl Limits {
    /// Creates limits from the number of nodes and the maximum edge cost. The other limits get values that are
    /// always valid; set them with the `with_*` methods.
    pub const fn new(bound: usize, max_edge_cost: Cost) -> Self {
        Self {
            bound,
            current_bound: bound,
            extra_node: NodeId::NONE,
            max_edge_cost,
            max_degree: usize::MAX,
            max_f_increase: Cost::INF,
        }
    }

    /// Returns `true` if the node exists now. Saved planners are validated with it.
    #[inline]
    pub fn has(&self, n: NodeId) -> bool {
        n.index() < self.current_bound || (n == self.extra_node && n.is_some())
    }

    /// Restricts the limits to node numbers below `nodes`.
    #[must_use]
    pub fn within(self, nodes: usize) -> Self {
        let extra_node = if self.extra_node.index() < nodes { self.extra_node } else { NodeId::NONE };
        Self {
            bound: self.bound.min(nodes),
            current_bound: self.current_bound.min(nodes),
            extra_node,
            ..self
        }
    }

    /// Sets the number of nodes that exist now.
    #[must_use]
    pub const fn with_current_bound(self, current_bound: usize) -> Self {
        Self { current_bound, ..self }
    }

    /// Sets the maximum number of edges out of a node.
    #[must_use]
    pub const fn with_max_degree(self, max_degree: usize) -> Self {
        Self { max_degree, ..self }
    }

    /// Sets the maximum increase of f along an edge.
    #[must_use]
    pub const fn with_max_f_increase(self, max_f_increase: Cost) -> Self {
        Self { max_f_increase, ..self }
    }
}

/// A finite weighted graph with a heuristic.
///
/// Every edge costs more than zero and at most [`max_edge_cost`](Limits::max_edge_cost). The product `bound ×
/// max_edge_cost` is below [`Cost::INF`], or no simple path can reach that cost, so finite sums never become
/// infinite. The heuristic is consistent: `h(a, c) ≤ cost(a, b) + h(b, c)` and `h(a, a) = 0`. Successors have a
/// fixed order, which decides ties.
pub trait Graph {
    /// Returns the bounds of the graph. Adapters pass them on.
    fn limits(&self) -> Limits;

    /// Returns [`Limits::bound`].
    #[inline]
    fn bound(&self) -> usize {
        self.limits().bound
    }

    /// Returns [`Limits::current_bound`].
    fn current_bound(&self) -> usize {
        self.limits().current_bound
    }

    /// Returns `true` if an agent can be at `n` now. For other nodes, planners return that there is no path.
    fn is_node(&self, n: NodeId) -> bool {
        self.limits().has(n)
    }

    /// Returns [`Limits::max_edge_cost`].
    fn max_edge_cost(&self) -> Cost {
        self.limits().max_edge_cost
    }

    /// Returns [`Limits::max_degree`].
    fn max_degree(&self) -> usize {
        self.limits().max_degree
    }

    /// Returns [`Limits::max_f_increase`].
    fn max_f_increase(&self) -> Cost {
        self.limits().max_f_increase
    }

    /// Returns the edges out of `n`, in a fixed order.
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_;

    /// Returns the edges out of `n` for a search that reached `n` from `from`. May omit nodes that `from` reaches
    /// at the same or lower cost without `n`. Sound only if the graph does not change during the search. `from` is
    /// [`NodeId::NONE`] at the root.
    #[inline]
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let _ = from;
        self.succs(n)
    }

    /// Returns a consistent estimate of the cost from `a` to `b`.
    fn h(&self, a: NodeId, b: NodeId) -> Cost;

    /// Returns the cost of the edge from `a` to `b`. Infinite if there is none.
    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.succs(a).filter(|e| e.to == b).map(|e| e.cost).min().unwrap_or(Cost::INF)
    }

    /// Returns the graph, or the one it refers to, for planners that have faster methods for some types of graphs,
    /// such as [`Grid`](crate::Grid). `None` is always valid.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Returns a successor of `at` for hill climbing: no other one has a smaller c + h, and of those with the same sum
    /// none has a larger c. `None` is always valid; then all successors are compared.
    fn toward(&self, at: NodeId, goal: NodeId) -> Option<NodeId> {
        let _ = (at, goal);
        None
    }

    /// Returns a hash of the graph. Saved planners use it to detect a different graph.
    fn fingerprint(&self) -> u64;
}

/// A graph whose edges can be followed backwards.
pub trait ReverseGraph: Graph {
    /// Returns the edges into `n`. The `to` of each is the node it comes from.
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_;

    /// Returns `true` if the edges into every node are known to equal the edges out of it, so planners need only
    /// one of them. `false` is always valid.
    fn is_symmetric(&self) -> bool {
        false
    }
}

/// A graph in which every edge has a reverse edge of the same cost.
pub trait Undirected: ReverseGraph {}

/// A graph whose nodes have positions on a plane.
pub trait Embedded: Undirected {
    /// Returns the position of `n`.
    fn position(&self, n: NodeId) -> (i32, i32);

    /// Returns a lower bound of `h` per unit of Chebyshev distance between two positions. Zero is always valid;
    /// larger values make searches in spatial indices faster.
    fn min_cost_per_unit(&self) -> Cost {
        Cost::ZERO
    }
}

// References to graphs implement the traits too, so that adapters can borrow.

impl<G: Graph> Graph for &G {
    #[inline]
    fn limits(&self) -> Limits {
        (**self).limits()
    }

    fn is_node(&self, n: NodeId) -> bool {
        (**self).is_node(n)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        (**self).succs(n)
    }

    #[inline]
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        (**self).pruned_successors(n, from)
    }

    #[inline]
    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        (**self).h(a, b)
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        (**self).cost(a, b)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        (**self).as_any()
    }

    #[inline]
    fn toward(&self, at: NodeId, goal: NodeId) -> Option<NodeId> {
        (**self).toward(at, goal)
    }

    fn fingerprint(&self) -> u64 {
        (**self).fingerprint()
    }
}

impl<G: ReverseGraph> ReverseGraph for &G {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        (**self).preds(n)
    }

    fn is_symmetric(&self) -> bool {
        (**self).is_symmetric()
    }
}

impl<G: Undirected> Undirected for &G {}

impl<G: Embedded> Embedded for &G {
    fn position(&self, n: NodeId) -> (i32, i32) {
        (**self).position(n)
    }

    fn min_cost_per_unit(&self) -> Cost {
        (**self).min_cost_per_unit()
    }
}

/// The finalizer of `SplitMix64`: mixes all bits of `x`. For fingerprints only.
pub(crate) const fn splitmix64(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
