//! Explicit graphs in compressed sparse rows: road networks, waypoint graphs, meshes.

mod build;
mod rows;

use alloc::vec;

pub use build::{CsrBuilder, CsrError};

use self::build::Kind;
use self::rows::Rows;
use super::{ChangeLog, Edge, EdgeChange, Graph, Limits, ReverseGraph, Undirected, splitmix64};
use crate::id::{Cost, NodeId};

/// An explicit directed graph. Its heuristic is zero; [`WithHeuristic`](crate::WithHeuristic) gives it a better one.
#[derive(Clone, Debug)]
pub struct Csr {
    out: Rows,
    into: Rows,
    max_edge_cost: Cost,
    fingerprint: u64,
}

impl Csr {
    /// Gives an edge another cost, infinite to remove it, and logs the change. A removed edge can come
    /// back, in its old place. Takes time in the number of ways out of `from` and into `to`.
    ///
    /// # Errors
    /// There was no such edge when the graph was built, or the cost is zero or above [`Graph::max_edge_cost`];
    /// then nothing changes.
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

    /// The same graph for planners that need every move to be one that can be taken back: checks that
    /// every edge, removed ones too, has its twin at the same cost.
    ///
    /// # Errors
    /// Names an edge without twin.
    pub fn into_undirected(self) -> Result<UndirectedCsr, CsrError> {
        // Each node's ways in are noted by where they come from, and compared with its ways out.
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
    /// With no estimates f rises by the edge alone.
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

/// An explicit undirected graph: every edge has a twin of the same cost, now and after every edit.
/// Made by [`Csr::into_undirected`].
#[derive(Clone, Debug)]
pub struct UndirectedCsr {
    rows: Rows,
    max_edge_cost: Cost,
    fingerprint: u64,
}

impl UndirectedCsr {
    /// Gives the edge between two nodes another cost both ways, infinite to remove it, and logs both
    /// changes.
    ///
    /// # Errors
    /// As [`Csr::set_cost`].
    pub fn set_cost(&mut self, a: NodeId, b: NodeId, new: Cost, log: &mut ChangeLog) -> Result<(), CsrError> {
        let there = self.rows.checked_slot(a, b, new, self.max_edge_cost)?;
        let back = self.rows.checked_slot(b, a, new, self.max_edge_cost)?;
        self.rows.write(there, a, new, &mut self.fingerprint, log);
        self.rows.write(back, b, new, &mut self.fingerprint, log);
        Ok(())
    }
}

impl Graph for UndirectedCsr {
    /// With no estimates f rises by the edge alone.
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
