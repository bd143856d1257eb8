//! Compressed rows: one direction of an explicit graph.

use alloc::vec;
use alloc::vec::Vec;

use super::build::Kind;
use super::{ChangeLog, Cost, CsrError, Edge, EdgeChange, NodeId, splitmix64};

/// The edges of all nodes in one array, ordered by node. A removed edge keeps its slot with infinite cost, so that
/// the order never changes.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The slots of node n are `first[n]..first[n + 1]`.
    first: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// The length of the longest row.
    pub(super) max_degree: usize,
}

impl Rows {
    /// Sorts edges by tail; the order within a tail is kept.
    pub(super) fn new(nodes: usize, edges: impl ExactSizeIterator<Item = (NodeId, Edge)> + Clone) -> Self {
        let mut first = vec![0; nodes + 1];
        edges.clone().for_each(|(tail, _)| first[tail.index() + 1] += 1);
        for n in 0..nodes {
            first[n + 1] += first[n];
        }
        let mut next = first.clone();
        let mut slots = vec![Edge { to: NodeId::NONE, cost: Cost::INF }; edges.len()];
        for (tail, edge) in edges {
            let slot = &mut next[tail.index()];
            slots[*slot as usize] = edge;
            *slot += 1;
        }
        let max_degree = first.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0);
        Self { first, edges: slots, max_degree }
    }

    pub(super) fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    #[inline]
    pub(super) fn row(&self, n: NodeId) -> &[Edge] {
        &self.edges[self.first[n.index()] as usize..self.first[n.index() + 1] as usize]
    }

    #[inline]
    pub(super) fn live(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.row(n).iter().copied().filter(|e| e.cost.is_finite())
    }

    pub(super) fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.row(a).iter().find(|e| e.to == b).map_or(Cost::INF, |e| e.cost)
    }

    pub(super) fn slot(&self, from: NodeId, to: NodeId) -> Option<usize> {
        let place = self.row(from).iter().position(|e| e.to == to)?;
        Some(self.first[from.index()] as usize + place)
    }

    /// Returns the hash of a slot. The slot number is part of it, since the order of edges decides ties.
    fn slot_hash(&self, slot: usize, from: NodeId) -> u64 {
        let Edge { to, cost } = self.edges[slot];
        splitmix64(
            splitmix64(u64::from(from.raw()) << 32 | u64::from(to.raw()))
                ^ ((slot as u64) << 32 | u64::from(cost.raw())),
        )
    }

    pub(super) fn fingerprint(&self, max_edge_cost: Cost) -> u64 {
        let size = splitmix64((self.nodes() as u64) << 32 | u64::from(max_edge_cost.raw()));
        (0..self.nodes()).fold(size, |sum, n| {
            let slots = self.first[n] as usize..self.first[n + 1] as usize;
            slots.fold(sum, |sum, slot| sum.wrapping_add(self.slot_hash(slot, NodeId::from_index(n))))
        })
    }

    /// Returns the slot of an edge, if the edge may have the cost `new`.
    pub(super) fn checked_slot(
        &self,
        from: NodeId,
        to: NodeId,
        new: Cost,
        max_edge_cost: Cost,
    ) -> Result<usize, CsrError> {
        let nodes = self.nodes();
        if let Some(node) = [from, to].into_iter().find(|n| n.index() >= nodes) {
            return Err(CsrError(Kind::Outside { node, nodes }));
        }
        if new == Cost::ZERO {
            return Err(CsrError(Kind::Cost { from, to, cost: new }));
        }
        if new.is_finite() && new > max_edge_cost {
            return Err(CsrError(Kind::AboveDearest { cost: new, max_edge_cost }));
        }
        self.slot(from, to).ok_or(CsrError(Kind::NoEdge { from, to }))
    }

    /// Sets the cost of a slot, updates the fingerprint, and logs the change.
    pub(super) fn write(
        &mut self,
        slot: usize,
        from: NodeId,
        new: Cost,
        fingerprint: &mut u64,
        log: &mut ChangeLog,
    ) {
        let Edge { to, cost: old } = self.edges[slot];
        if old != new {
            *fingerprint = fingerprint.wrapping_sub(self.slot_hash(slot, from));
            self.edges[slot].cost = new;
            *fingerprint = fingerprint.wrapping_add(self.slot_hash(slot, from));
            log.push(EdgeChange { from, to, old, new });
        }
    }
}
