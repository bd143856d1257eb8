//! What a planner may ask of a world: graphs, edges, and how their costs change.
//!
//! A graph is what the agent *believes*, borrowed only for the call. The bounds a planner puts on it are
//! the hypotheses of its theorem: [`Graph`] for forward searches, [`ReverseGraph`] for backward ones,
//! [`Undirected`] where the agent may have to walk back the way it came, [`Embedded`] where positions count.

mod belief;
mod changes;
mod cliques;
mod components;
mod csr;
mod goal_set;
mod grid;
mod implicit;
mod reversed;

pub use belief::Belief;
pub use changes::{ChangeLog, EdgeChange, Pending};
pub use cliques::{CliqueAbstraction, Level};
#[cfg(feature = "serde")]
pub(crate) use components::Plain as ComponentsPlain;
pub use components::{Components, Reachability};
pub use csr::{Csr, CsrBuilder, CsrError, UndirectedCsr};
pub use goal_set::GoalSet;
pub use grid::{Diagonal, Grid, GridError, Length, Neighborhood, Rules};
pub use implicit::{ImplicitGraph, ReverseStateSpace, StateSpace, SymmetricSpace};
pub use reversed::Reversed;

use crate::id::{Cost, NodeId};

/// One way out of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub to: NodeId,
    /// What it costs; positive and finite.
    pub cost: Cost,
}

/// What no node and no edge of a graph exceeds, now or after any later change. Planners size their tables by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Every node's number is below this.
    pub bound: usize,
    /// Every node that there is now is below this; less than the bound only where nodes come into being as they
    /// are met.
    pub current_bound: usize,
    /// One more node that there is although its number is not below `current_bound`; or none.
    pub extra_node: NodeId,
    /// No edge costs more.
    pub max_edge_cost: Cost,
    /// No node has more ways out. Where it is not known planners that must pay in advance for what an expansion
    /// generates expand one state per step where all work is charged.
    pub max_degree: usize,
    /// Along no edge does f rise by more than this, whatever the goal: `cost(a, b) + h(b) - h(a)` stays within
    /// it. On undirected graphs twice the dearest edge will do. Infinite makes searches use a heap, which is always
    /// right; a small value lets them use buckets, which are faster.
    pub max_f_increase: Cost,
}

impl Limits {
    /// Limits of a graph of which no more is known than its size and its dearest edge. The others can be set one by
    /// one; what they are here is always right.
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

    /// Whether there is such a node now. Saved planners are checked by it.
    #[inline]
    pub fn has(&self, n: NodeId) -> bool {
        n.index() < self.current_bound || (n == self.extra_node && n.is_some())
    }

    /// The same for a table of so many nodes: there are no others.
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

    /// The same with so many nodes numbered so far.
    #[must_use]
    pub const fn with_current_bound(self, current_bound: usize) -> Self {
        Self { current_bound, ..self }
    }

    /// The same with at most so many ways out of a node.
    #[must_use]
    pub const fn with_max_degree(self, max_degree: usize) -> Self {
        Self { max_degree, ..self }
    }

    /// The same with this limit to how steeply f rises.
    #[must_use]
    pub const fn with_max_f_increase(self, max_f_increase: Cost) -> Self {
        Self { max_f_increase, ..self }
    }
}

/// A finite weighted graph with a heuristic.
///
/// A graph promises: every edge costs more than zero and at most [`max_edge_cost`](Limits::max_edge_cost);
/// `bound × max_edge_cost` stays below [`Cost::INF`] (or no simple path can get that long), so that infinity is
/// never the result of a finite sum; `h` is consistent, `h(a, c) ≤ cost(a, b) + h(b, c)` with `h(a, a) = 0`.
/// Successors come in a fixed order, which is part of every tie-break.
pub trait Graph {
    /// What its nodes and edges never exceed. An adapter that passes this on has forgotten nothing.
    fn limits(&self) -> Limits;

    /// [`Limits::bound`].
    #[inline]
    fn bound(&self) -> usize {
        self.limits().bound
    }

    /// [`Limits::current_bound`].
    fn current_bound(&self) -> usize {
        self.limits().current_bound
    }

    /// Whether `n` is a node that an agent can be at now. Planners are not asked about others: there is no path.
    fn is_node(&self, n: NodeId) -> bool {
        self.limits().has(n)
    }

    /// [`Limits::max_edge_cost`].
    fn max_edge_cost(&self) -> Cost {
        self.limits().max_edge_cost
    }

    /// [`Limits::max_degree`].
    fn max_degree(&self) -> usize {
        self.limits().max_degree
    }

    /// [`Limits::max_f_increase`].
    fn max_f_increase(&self) -> Cost {
        self.limits().max_f_increase
    }

    /// The ways out of `n`, in a fixed order.
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_;

    /// The ways out of `n` for a search that came from `from`: may leave out what `from` reaches at most
    /// as dearly without `n`. Sound only while the graph does not change during the search. `from` is
    /// [`NodeId::NONE`] at the root.
    #[inline]
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let _ = from;
        self.succs(n)
    }

    /// A consistent estimate of the cost from `a` to `b`.
    fn h(&self, a: NodeId, b: NodeId) -> Cost;

    /// The cost of the edge from `a` to `b`; infinite if there is none.
    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.succs(a).filter(|e| e.to == b).map(|e| e.cost).min().unwrap_or(Cost::INF)
    }

    /// The grid that this graph is, if it is one: what is computed beforehand can make use of that.
    fn as_grid(&self) -> Option<&Grid> {
        None
    }

    /// A number that differs, in all likelihood, between any two graphs that are not the same. It binds
    /// saved planners to their world.
    fn fingerprint(&self) -> u64;
}

/// A graph whose edges can be followed backwards.
pub trait ReverseGraph: Graph {
    /// The ways into `n`: an edge's `to` is where it *comes from*.
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_;

    /// Whether the ways into every node are known to be the ways out of it, at the same costs, so that planners need
    /// not ask for both. False (the default) is always right.
    fn is_symmetric(&self) -> bool {
        false
    }
}

/// A graph in which every move can be taken back at the same cost.
pub trait Undirected: ReverseGraph {}

/// A graph whose nodes have positions on a plane.
pub trait Embedded: Undirected {
    /// Where `n` lies.
    fn position(&self, n: NodeId) -> (i32, i32);

    /// `h` rises by at least this much with each unit that two positions lie apart along either axis. Zero (the default)
    /// is always right; more lets an index of positions leave out what is too far away.
    fn min_cost_per_unit(&self) -> Cost {
        Cost::ZERO
    }
}

// A borrowed graph is a graph, so that adapters can hold one without owning it.

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

    fn as_grid(&self) -> Option<&Grid> {
        (**self).as_grid()
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

/// The finaliser of `SplitMix64`: spreads every bit of `x` over the whole word. For fingerprints only.
pub(crate) const fn splitmix64(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
