//! What a planner may ask of a world: graphs, edges, and how their costs change.
//!
//! A graph is what the agent *believes*, borrowed only for the call. The bounds a planner puts on it are
//! the hypotheses of its theorem: [`Graph`] for forward searches, [`ReverseGraph`] for backward ones,
//! [`Undirected`] where the agent may have to walk back the way it came, [`Embedded`] where positions count.

mod any_of;
mod belief;
mod changes;
mod cliques;
mod components;
mod csr;
mod grid;
mod intern;
mod reversed;

pub use any_of::AnyOf;
pub use belief::Belief;
pub use changes::{ChangeLog, EdgeChange, Unseen};
pub use cliques::{Cliques, Level};
pub use components::{Components, Reach};
pub use csr::{Csr, CsrBuilder, CsrError, UndirectedCsr};
pub use grid::{Diagonal, Grid, GridError, Length, Neighbours, Rules};
pub use intern::{Intern, ReverseSpace, Reversible, Space};
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

/// A finite weighted graph with a heuristic.
///
/// A graph promises: every edge costs more than zero and at most [`dearest`](Graph::dearest);
/// `bound × dearest` stays below [`Cost::INF`] (or no simple path can get that long), so that infinity is
/// never the result of a finite sum; `h` is consistent, `h(a, c) ≤ cost(a, b) + h(b, c)` with `h(a, a) = 0`.
/// Successors come in a fixed order, which is part of every tie-break.
pub trait Graph {
    /// Every node's number is below this.
    fn bound(&self) -> usize;

    /// Every node that there is now is below this; less than the bound only where nodes come into being as they
    /// are met. Saved planners are checked against it.
    fn numbered(&self) -> usize {
        self.bound()
    }

    /// No edge costs more, now or after any later change.
    fn dearest(&self) -> Cost;

    /// No node has more ways out, now or after any later change. Where it is not known (the default) planners that
    /// must pay in advance for what an expansion generates expand one state per step at honest prices.
    fn degree(&self) -> usize {
        usize::MAX
    }

    /// Along no edge does f rise by more than this, whatever the goal: `cost(a, b) + h(b) - h(a)` stays within
    /// it. On undirected graphs twice the dearest edge will do. Infinite (the default) makes searches use a
    /// heap, which is always right; a small value lets them use buckets, which are faster.
    fn steepest(&self) -> Cost {
        Cost::INF
    }

    /// The ways out of `n`, in a fixed order.
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_;

    /// The ways out of `n` for a search that came from `from`: may leave out what `from` reaches at most
    /// as dearly without `n`. Sound only while the graph does not change during the search. `from` is
    /// [`NodeId::NONE`] at the root.
    #[inline]
    fn succs_from(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
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
    fn is_two_way(&self) -> bool {
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
    fn pace(&self) -> Cost {
        Cost::ZERO
    }
}

// A borrowed graph is a graph, so that adapters can hold one without owning it.

impl<G: Graph> Graph for &G {
    #[inline]
    fn bound(&self) -> usize {
        (**self).bound()
    }

    fn numbered(&self) -> usize {
        (**self).numbered()
    }

    fn dearest(&self) -> Cost {
        (**self).dearest()
    }

    fn degree(&self) -> usize {
        (**self).degree()
    }

    fn steepest(&self) -> Cost {
        (**self).steepest()
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        (**self).succs(n)
    }

    #[inline]
    fn succs_from(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        (**self).succs_from(n, from)
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

    fn is_two_way(&self) -> bool {
        (**self).is_two_way()
    }
}

impl<G: Undirected> Undirected for &G {}

impl<G: Embedded> Embedded for &G {
    fn position(&self, n: NodeId) -> (i32, i32) {
        (**self).position(n)
    }

    fn pace(&self) -> Cost {
        (**self).pace()
    }
}

/// The finaliser of `SplitMix64`: spreads every bit of `x` over the whole word. For fingerprints only.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
