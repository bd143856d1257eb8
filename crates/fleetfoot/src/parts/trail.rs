//! The way that an agent has come, in stretches that it can walk back.

use super::{Pages, Part, Pools, Route, Tools, pages};
use crate::graph::{Edge, Graph, Limits};
use crate::id::NodeId;
use crate::meter::{Prepayment, WorkKind};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A stack of stretches, each from a state where the agent decided to where it decided next.
#[derive(Clone, Debug)]
pub(crate) struct Trail {
    /// Per stretch: none, then the states that were left, in order.
    nodes: Pages<NodeId>,
    len: usize,
    /// Where the last stretch leads.
    end: NodeId,
}

impl Trail {
    /// Entries at most; when they are used up, the way is forgotten.
    const ROOM: usize = 1 << 16;

    /// No way yet.
    pub(crate) fn new() -> Self {
        Self { nodes: Pages::new(Self::ROOM, NodeId::NONE), len: 0, end: NodeId::NONE }
    }

    /// Forgets the way, in O(1).
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Notes that the agent sets off from `at` to `next` and on along `route`.
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

    /// The agent stands at `at`, perhaps short of where it was to go: shortens the last stretch to there. Forgets the
    /// way if it does not lead there, or if the meter refuses.
    pub(crate) fn shorten(&mut self, at: NodeId, tools: &mut Tools<'_>) {
        while self.len > 0 && self.end != at {
            self.end = self.pop();
            if !self.end.is_some() || !tools.meter.charge(WorkKind::Trace) {
                self.clear();
            }
        }
    }

    /// Takes the last stretch off and makes it the way to walk, from its end `at` to its beginning. So many edges of it
    /// are prepaid. Forgets the way, and answers no, if it cannot be walked back or the meter refuses.
    pub(crate) fn retrace<G: Graph>(
        &mut self,
        at: NodeId,
        graph: &G,
        route: &mut Route,
        (prepaid, prepayment, tools): (usize, &mut Prepayment, &mut Tools<'_>),
    ) -> bool {
        route.clear();
        let mut from = at;
        while self.len > 0 {
            let to = self.pop();
            if !to.is_some() {
                // Popped from the far end on, so that it lies upside down.
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

impl Part for Trail {
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

impl Default for Trail {
    fn default() -> Self {
        Self::new()
    }
}
