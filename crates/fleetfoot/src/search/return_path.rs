//! The path that an agent has come, in segments that it can walk back.

use super::{Pages, PlannerPart, Pools, Route, SearchTools, pages};
use crate::graph::{Edge, Graph, Limits};
use crate::id::NodeId;
use crate::meter::{Prepayment, WorkKind};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A stack of segments. Each leads from the node of one decision to the node of the next.
#[derive(Clone, Debug)]
pub(crate) struct ReturnPath {
    /// For each segment: `NONE`, then the nodes that were left, in order.
    nodes: Pages<NodeId>,
    len: usize,
    /// The end of the last segment.
    end: NodeId,
}

impl ReturnPath {
    /// Maximum number of entries. When it is exceeded, the path is forgotten.
    const ROOM: usize = 1 << 16;

    /// Creates an empty path.
    pub(crate) fn new() -> Self {
        Self { nodes: Pages::new(Self::ROOM, NodeId::NONE), len: 0, end: NodeId::NONE }
    }

    /// Clears the path, in O(1).
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a segment from `at` to `next` and on along `route`.
    pub(crate) fn set_off(&mut self, at: NodeId, next: NodeId, route: &Route, pools: &mut Pools) {
        if self.len + route.len() + 2 > Self::ROOM {
            self.clear();
        }
        self.end = next;
        self.push(NodeId::NONE, pools);
        self.push(at, pools);
        for n in route.ahead() {
            self.push(self.end, pools);
            self.end = n;
        }
    }

    /// Shortens the last segment to `at`, where the agent is. Clears the path if it does not contain `at`, or if
    /// the budget is exhausted.
    pub(crate) fn shorten(&mut self, at: NodeId, tools: &mut SearchTools<'_>) {
        while self.len > 0 && self.end != at {
            self.end = self.pop();
            if !self.end.is_some() || !tools.meter.charge(WorkKind::Trace) {
                self.clear();
            }
        }
    }

    /// Removes the last segment, and sets `route` to walk it back from its end `at` to its start. The first
    /// `prepaid` edges are prepaid. Returns `false` and clears the path if the segment cannot be walked back, or if
    /// the budget is exhausted.
    pub(crate) fn retrace<G: Graph>(
        &mut self,
        at: NodeId,
        graph: &G,
        route: &mut Route,
        (prepaid, prepayment, tools): (usize, &mut Prepayment, &mut SearchTools<'_>),
    ) -> bool {
        route.clear();
        let mut from = at;
        while self.len > 0 {
            let to = self.pop();
            if !to.is_some() {
                // The edges were pushed from the end of the segment, so the route must be reversed.
                route.reverse(at);
                self.end = from;
                return true;
            }
            let cost = graph.cost(from, to);
            if route.len() < prepaid {
                prepayment.pay(tools.meter, WorkKind::Trace, 1);
            } else if !tools.meter.charge(WorkKind::Trace) {
                break;
            }
            if !cost.is_finite() {
                break;
            }
            route.push(Edge { to, cost }, tools.pools);
            from = to;
        }
        route.clear();
        self.clear();
        false
    }

    fn push(&mut self, n: NodeId, pools: &mut Pools) {
        *self.nodes.at(self.len, &mut pools.nodes) = n;
        self.len += 1;
    }

    fn pop(&mut self) -> NodeId {
        self.len -= 1;
        self.nodes.get(self.len)
    }
}

impl PlannerPart for ReturnPath {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.node(self.end);
        out.u32(self.len as u32);
        (0..self.len).for_each(|k| out.node(self.nodes.get(k)));
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let pools = &mut Pools::new();
        self.clear();
        self.end = from.node_or_none(limits)?;
        for _ in 0..from.len(4)? {
            if self.len == Self::ROOM {
                return Err(SaveError::new("the way that it has come is too long"));
            }
            self.push(from.node_or_none(limits)?, pools);
        }
        Ok(())
    }

    pages! { paged: nodes; others: len, end }
}

impl Default for ReturnPath {
    fn default() -> Self {
        Self::new()
    }
}
