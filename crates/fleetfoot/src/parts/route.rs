//! The way that an agent is on, as far as its last search looked ahead.

use alloc::vec::Vec;

use super::{Chunks, Nodes, Part, Pools, Tools, pages};
use crate::graph::{Edge, Graph, Limits};
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::probe::SearchEvent;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The edges that an agent has yet to walk, the next one on top, at the costs they had when the way was found.
#[derive(Clone, Debug)]
pub struct Route {
    edges: Chunks<Edge>,
    len: usize,
    /// How many of them may still be walked.
    moves: u64,
    /// Where the agent must be to walk the next.
    at: NodeId,
}

impl Route {
    pub(super) const BLANK: Edge = Edge { to: NodeId::NONE, cost: Cost::INF };

    /// No way yet, on a graph with at most `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { edges: Chunks::new(bound), len: 0, moves: 0, at: NodeId::NONE }
    }

    /// Forgets the way.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Edges left to walk.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Takes the way to `target` from a search whose root is the agent's place, to walk at most `moves` edges of it.
    /// Prepaid: at most one trace step for each expansion of the search.
    pub fn trace(
        &mut self,
        target: NodeId,
        nodes: &impl Nodes,
        moves: u64,
        (prepayment, tools): (&mut Prepayment, &mut Tools<'_>),
    ) {
        (self.len, self.moves, self.at) = (0, moves, target);
        while let Some(parent) = nodes.parent(self.at).some() {
            let cost = nodes.g(self.at).saturating_sub(nodes.g(parent));
            self.push(Edge { to: self.at, cost }, tools.pools);
            self.at = parent;
            tools.tell(SearchEvent::Trace { node: parent });
        }
        prepayment.pay(tools.meter, WorkKind::Trace, self.len as u64);
        tools.tell(SearchEvent::AdoptPath);
    }

    /// The states that are left to walk through, in order.
    pub fn ahead(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.len).rev().map(|k| self.edges.get(k).to)
    }

    /// What an agent at `at` will walk; nothing if the way does not lead through there.
    pub fn rest(&self, at: NodeId) -> Vec<NodeId> {
        let moves = if at == self.at { usize::try_from(self.moves).unwrap_or(usize::MAX) } else { 0 };
        self.ahead().take(moves).collect()
    }

    /// Turns the stack upside down: what was pushed first is walked first, from `at` on, all of it.
    pub(super) fn reverse(&mut self, at: NodeId) {
        for k in 0..self.len / 2 {
            let other = self.len - 1 - k;
            let (first, last) = (*self.edges.get(k), *self.edges.get(other));
            (*self.edges.at(k), *self.edges.at(other)) = (last, first);
        }
        (self.moves, self.at) = (u64::MAX, at);
    }

    pub(super) fn push(&mut self, edge: Edge, pools: &mut Pools) {
        self.edges.grow_to(self.len, Self::BLANK, &mut pools.edges);
        *self.edges.at(self.len) = edge;
        self.len += 1;
    }

    /// The next move of an agent at `at`; none if the way has been walked, or does not lead through there.
    pub fn next(&mut self, at: NodeId) -> Option<NodeId> {
        if self.len == 0 || self.moves == 0 || at != self.at {
            self.clear();
            return None;
        }
        self.len -= 1;
        self.moves -= 1;
        self.at = self.edges.get(self.len).to;
        if self.moves == 0 {
            // Nothing of the rest will be walked, so nobody need check it.
            self.clear();
        }
        Some(self.at)
    }

    /// Forgets the way if an edge of it has become dearer, or if the meter does not grant looking at all of them.
    pub fn check<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) {
        let mut from = self.at;
        for k in (0..self.len).rev() {
            let edge = *self.edges.get(k);
            if !tools.meter.charge(WorkKind::Trace) || graph.cost(from, edge.to) > edge.cost {
                self.clear();
                return;
            }
            from = edge.to;
        }
    }
}

impl Part for Route {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.node(self.at);
        out.u64(self.moves);
        out.u32(self.len as u32);
        for k in 0..self.len {
            let edge = self.edges.get(k);
            out.node(edge.to);
            out.cost(edge.cost);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let pools = &mut Pools::new();
        self.clear();
        self.at = from.node_or_none(limits)?;
        self.moves = from.u64()?;
        for _ in 0..from.len(8)? {
            let edge = Edge { to: from.node(limits)?, cost: from.cost()? };
            self.push(edge, pools);
        }
        if self.len > 0 && !self.at.is_some() {
            return Err(SaveError::new("its way begins nowhere"));
        }
        Ok(())
    }

    pages! { paged: edges; others: len, moves, at }
}
