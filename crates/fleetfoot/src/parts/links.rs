//! From nodes to nodes: paged, so an agent pays for the nodes that it has noted.

use super::{Pages, Part, Pools, pages};
use crate::graph::Limits;
use crate::id::NodeId;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A node for each of some nodes.
#[derive(Clone, Debug)]
pub struct Links {
    to: Pages<NodeId>,
}

impl Links {
    /// For the nodes below `bound`; none has one yet.
    pub fn new(bound: usize) -> Self {
        Self { to: Pages::new(bound, NodeId::NONE) }
    }

    /// The nodes that it is for.
    pub fn nodes(&self) -> usize {
        self.to.bound()
    }

    /// What `n` has; none if nothing was set.
    #[inline]
    pub fn get(&self, n: NodeId) -> NodeId {
        self.to.get(n.index())
    }

    /// Gives `n` another.
    #[inline]
    pub fn set(&mut self, n: NodeId, to: NodeId, pools: &mut Pools) {
        *self.to.at(n.index(), &mut pools.nodes) = to;
    }

    /// Forgets everything, in O(1).
    pub fn clear(&mut self) {
        self.to.clear();
    }

    fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.to.live().filter(|(_, to)| to.is_some()).map(|(n, to)| (NodeId::from_index(n), to))
    }
}

impl Part for Links {
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
