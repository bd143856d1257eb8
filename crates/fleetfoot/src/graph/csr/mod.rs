//! Explicit graphs in compressed sparse rows: road networks, waypoint graphs, meshes.

mod build;
mod rows;

use alloc::vec;

pub use build::{CsrBuilder, CsrError};

use self::build::Kind;
use self::rows::Rows;
use super::{ChangeLog, Edge, EdgeChange, Graph, Limits, ReverseGraph, Undirected, splitmix64};
use crate::id::{Cost, NodeId};

/// An explicit directed graph. Its heuristic is zero; use [`WithHeuristic`](crate::WithHeuristic) for a better one.
#[derive(Clone, Debug)]
pub struct Csr {
    out: Rows,
    into: Rows,
    max_edge_cost: Cost,
    fingerprint: u64,
}

impl Csr {
    /// Sets the cost of an edge, or removes it if `new` is infinite, and logs the change. A removed edge can be
    /// restored; it keeps its position. Linear in the out-degree of `from` and the in-degree of `to`.
    ///
    /// # Errors
    /// Fails if the graph was built without this edge, or if the cost is zero or above [`Graph::max_edge_cost`].
    /// Nothing changes then.
    pub fn set_cost(
        &mut self,
        from: NodeId,
        to: NodeId,
        new: Cost,
        log: &mut ChangeLog,
    ) -> Result<(), CsrError> {
        let slot = self.out.checked_slot(from, to, new, self.max_edge_cost)?;
        self.out.write(slot, from, new, &mut self.fingerprint, log);
        if let Some(back) = self.into.slot(to, from) {
            self.into.edges[back].cost = new;
        }
        Ok(())
    }

    /// Converts the graph for planners that require undirected graphs. Every edge, including removed ones, must
    /// have a reverse edge of the same cost.
    ///
    /// # Errors
    /// Returns an edge without a matching reverse edge.
    pub fn into_undirected(self) -> Result<UndirectedCsr, CsrError> {
        // Mark the edges into each node by their tails, then compare with the edges out of it.
        let mut noted = vec![(NodeId::NONE, Cost::INF); self.bound()];
        for n in (0..self.bound()).map(NodeId::from_index) {
            for e in self.into.row(n) {
                noted[e.to.index()] = (n, e.cost);
            }
            if let Some(e) = self.out.row(n).iter().find(|e| noted[e.to.index()] != (n, e.cost)) {
                return Err(CsrError(Kind::OneWay { from: n, to: e.to }));
            }
        }
        Ok(UndirectedCsr { rows: self.out, max_edge_cost: self.max_edge_cost, fingerprint: self.fingerprint })
    }
}

impl Graph for Csr {
    /// The heuristic is zero, so f increases by the cost of the edge.
    #[inline]
    fn limits(&self) -> Limits {
        Limits::new(self.out.nodes(), self.max_edge_cost)
            .with_max_degree(self.out.max_degree)
            .with_max_f_increase(self.max_edge_cost)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.out.live(n)
    }

    #[inline]
    fn h(&self, _: NodeId, _: NodeId) -> Cost {
        Cost::ZERO
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.out.cost(a, b)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

impl ReverseGraph for Csr {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.into.live(n)
    }
}

/// An explicit undirected graph: every edge has a reverse edge of the same cost, also after edits. Created by
/// [`Csr::into_undirected`].
#[derive(Clone, Debug)]
pub struct UndirectedCsr {
    rows: Rows,
    max_edge_cost: Cost,
    fingerprint: u64,
}

impl UndirectedCsr {
    /// Sets the cost of the edge between two nodes in both directions, or removes it if `new` is infinite, and logs
    /// both changes.
    ///
    /// # Errors
    /// See [`Csr::set_cost`].
    pub fn set_cost(&mut self, a: NodeId, b: NodeId, new: Cost, log: &mut ChangeLog) -> Result<(), CsrError> {
        let there = self.rows.checked_slot(a, b, new, self.max_edge_cost)?;
        let back = self.rows.checked_slot(b, a, new, self.max_edge_cost)?;
        self.rows.write(there, a, new, &mut self.fingerprint, log);
        self.rows.write(back, b, new, &mut self.fingerprint, log);
        Ok(())
    }
}

impl Graph for UndirectedCsr {
    /// The heuristic is zero, so f increases by the cost of the edge.
    #[inline]
    fn limits(&self) -> Limits {
        Limits::new(self.rows.nodes(), self.max_edge_cost)
            .with_max_degree(self.rows.max_degree)
            .with_max_f_increase(self.max_edge_cost)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.rows.live(n)
    }

    #[inline]
    fn h(&self, _: NodeId, _: NodeId) -> Cost {
        Cost::ZERO
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.rows.cost(a, b)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

impl ReverseGraph for UndirectedCsr {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.rows.live(n)
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

impl Undirected for UndirectedCsr {}

#[cfg(test)]
mod tests;
