//! The route of an agent, up to the end of its last look-ahead.

use alloc::vec::Vec;

use super::{Chunks, NodeTable, PlannerPart, Pools, SearchTools, pages};
use crate::graph::{Edge, Graph, Limits};
use crate::id::{Cost, NodeId};
use crate::meter::{Prepayment, WorkKind};
use crate::probe::SearchEvent;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The edges that an agent has yet to walk, the next one on top, with their costs when the route was found.
#[derive(Clone, Debug)]
pub struct Route {
    edges: Chunks<Edge>,
    len: usize,
    /// Maximum number of moves along the route.
    moves: u64,
    /// The node where the agent must be for the next move.
    at: NodeId,
}

impl Route {
    pub(super) const BLANK: Edge = Edge { to: NodeId::NONE, cost: Cost::INF };

    /// Creates an empty route on a graph with at most `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { edges: Chunks::new(bound), len: 0, moves: 0, at: NodeId::NONE }
    }

    /// Clears the route.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the number of edges left.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the route is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Sets the route to `target` from a search whose root is the agent's node, limited to `moves` moves. At most
    /// one trace step per expansion of the search must be prepaid.
    pub fn trace(
        &mut self,
        target: NodeId,
        nodes: &impl NodeTable,
        moves: u64,
        (prepayment, tools): (&mut Prepayment, &mut SearchTools<'_>),
    ) {
        (self.len, self.moves, self.at) = (0, moves, target);
        while let Some(parent) = nodes.parent(self.at).some() {
            let cost = nodes.g(self.at).saturating_sub(nodes.g(parent));
            self.push(Edge { to: self.at, cost }, tools.pools);
            self.at = parent;
            tools.emit(SearchEvent::Trace { node: parent });
        }
        prepayment.pay(tools.meter, WorkKind::Trace, self.len as u64);
        tools.emit(SearchEvent::AdoptPath);
    }

    /// Returns the remaining nodes of the route, in order.
    pub fn ahead(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.len).rev().map(|k| self.edges.get(k).to)
    }

    /// Returns the nodes that an agent at `at` will walk. Empty if the route does not continue from there.
    pub fn rest(&self, at: NodeId) -> Vec<NodeId> {
        let moves = if at == self.at { usize::try_from(self.moves).unwrap_or(usize::MAX) } else { 0 };
        self.ahead().take(moves).collect()
    }

    /// Reverses the stack: the edge pushed first is walked first. The route starts at `at`, without a limit of
    /// moves.
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

    /// Returns the next move of an agent at `at`. `None` if the route is finished, or does not continue from there.
    pub fn next(&mut self, at: NodeId) -> Option<NodeId> {
        if self.len == 0 || self.moves == 0 || at != self.at {
            self.clear();
            return None;
        }
        self.len -= 1;
        self.moves -= 1;
        self.at = self.edges.get(self.len).to;
        if self.moves == 0 {
            // The rest will not be walked, so it need not be checked.
            self.clear();
        }
        Some(self.at)
    }

    /// Clears the route if the cost of an edge has increased, or if the budget does not allow checking all edges.
    pub fn check<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
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

impl PlannerPart for Route {
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
