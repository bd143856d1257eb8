//! A paged map from nodes to nodes.

use super::{Pages, PlannerPart, Pools, pages};
use crate::graph::Limits;
use crate::id::NodeId;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A map from nodes to nodes. Memory grows with the number of entries.
#[derive(Clone, Debug)]
pub struct NodeMap {
    to: Pages<NodeId>,
}

impl NodeMap {
    /// Creates an empty map for `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { to: Pages::new(bound, NodeId::NONE) }
    }

    /// Returns the bound of the node numbers.
    pub fn nodes(&self) -> usize {
        self.to.bound()
    }

    /// Returns the entry of `n`, or `NONE`.
    #[inline]
    pub fn get(&self, n: NodeId) -> NodeId {
        self.to.get(n.index())
    }

    /// Sets the entry of `n`.
    #[inline]
    pub fn set(&mut self, n: NodeId, to: NodeId, pools: &mut Pools) {
        *self.to.at(n.index(), &mut pools.nodes) = to;
    }

    /// Clears the map, in O(1).
    pub fn clear(&mut self) {
        self.to.clear();
    }

    fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.to.live().filter(|(_, to)| to.is_some()).map(|(n, to)| (NodeId::from_index(n), to))
    }
}

impl PlannerPart for NodeMap {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.iter().count() as u32);
        for (n, to) in self.iter() {
            out.node(n);
            out.node(to);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.nodes()), &mut Pools::new());
        self.clear();
        for _ in 0..from.len(8)? {
            let (n, to) = (from.node(limits)?, from.node(limits)?);
            self.set(n, to, pools);
        }
        Ok(())
    }

    pages! { paged: to; others: }
}
