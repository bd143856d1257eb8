//! Node tables: what a search knows of each node. Starting over is O(1).

use alloc::vec;
use alloc::vec::Vec;

use super::{NOWHERE, Pages, Pools};
use crate::id::{Cost, NodeId};

/// What the best-first loop needs of a node table.
///
/// A node is *generated* once it has a finite g, *open* while it has a place on the open list, and *closed*
/// after that.
pub trait Nodes {
    /// Forgets all nodes, in O(1).
    fn clear(&mut self);

    /// If `g` is better than what `n` has: takes it, with `parent`, and answers with the node's place on
    /// the open list, `u32::MAX` if it has none.
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32>;

    /// Takes `n` off the open list; its g and parent.
    fn close(&mut self, n: NodeId) -> (Cost, NodeId);

    /// Notes where on the open list `n` stands.
    fn move_to(&mut self, n: NodeId, place: u32);

    /// Cost from the root; infinite if not generated.
    fn g(&self, n: NodeId) -> Cost;

    /// Parent in the search tree; none for the root and for nodes not generated.
    fn parent(&self, n: NodeId) -> NodeId;

    /// Whether `n` is on the open list.
    fn is_open(&self, n: NodeId) -> bool;

    /// Whether `n` has been expanded (and not been opened again since).
    fn is_closed(&self, n: NodeId) -> bool {
        self.g(n).is_finite() && !self.is_open(n)
    }
}

#[derive(Clone, Copy, Debug)]
struct Record {
    g: Cost,
    parent: NodeId,
    place: u32,
    /// The search that wrote this record.
    stamp: u32,
}

/// A flat table, for the scratch that all agents of a thread share: one record per node of the graph.
#[derive(Clone, Debug)]
pub struct Flat {
    records: Vec<Record>,
    epoch: u32,
}

impl Flat {
    const BLANK: Record = Record { g: Cost::INF, parent: NodeId::NONE, place: NOWHERE, stamp: 0 };

    /// A table for the nodes below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { records: vec![Self::BLANK; bound], epoch: 1 }
    }

    /// Makes room for the nodes below `bound`; existing room is kept.
    pub fn reserve(&mut self, bound: usize) {
        if self.records.len() < bound {
            self.records.resize(bound, Self::BLANK);
        }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
    }

    #[inline]
    fn record(&self, n: NodeId) -> Record {
        let record = self.records[n.index()];
        if record.stamp == self.epoch { record } else { Self::BLANK }
    }
}

impl Nodes for Flat {
    fn clear(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            // Once in four billion searches.
            self.records.fill(Self::BLANK);
            self.epoch = 1;
        }
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, _: &mut Pools) -> Option<u32> {
        let record = &mut self.records[n.index()];
        if record.stamp != self.epoch {
            *record = Record { g, parent, place: NOWHERE, stamp: self.epoch };
            return Some(NOWHERE);
        }
        if g >= record.g {
            return None;
        }
        (record.g, record.parent) = (g, parent);
        Some(record.place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        let record = &mut self.records[n.index()];
        record.place = NOWHERE;
        (record.g, record.parent)
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.records[n.index()].place = place;
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        self.record(n).g
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.record(n).parent
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.record(n).place != NOWHERE
    }
}

/// A node of a search tree that an agent keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    g: Cost,
    parent: NodeId,
    place: u32,
    depth: u32,
}

impl Branch {
    pub(super) const BLANK: Self = Self { g: Cost::INF, parent: NodeId::NONE, place: NOWHERE, depth: 0 };
}

/// A search tree that an agent keeps over steps: paged, 16 bytes per node of a taken page.
///
/// Each node knows its depth. Two paths in one tree that share a node have it at the same place, counted
/// from the root; so a path is an array by depth, and membership is one comparison, without a hash index.
#[derive(Clone, Debug)]
pub struct Tree {
    branches: Pages<Branch>,
    /// Depth of the node expanded last.
    depth: u32,
}

impl Tree {
    /// A tree over the nodes below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { branches: Pages::new(bound, Branch::BLANK), depth: 0 }
    }

    /// Edges from the root to `n`; final once `n` is closed.
    #[inline]
    pub fn depth(&self, n: NodeId) -> u32 {
        self.branches.get(n.index()).depth
    }

    /// All generated nodes with g and parent, in order of their numbers.
    pub fn generated(&self) -> impl Iterator<Item = (NodeId, Cost, NodeId)> + '_ {
        let all = self.branches.live().filter(|(_, branch)| branch.g.is_finite());
        all.map(|(n, branch)| (NodeId::from_index(n), branch.g, branch.parent))
    }

    /// Puts a saved node back, closed; the open list then claims its own.
    pub(crate) fn plant(&mut self, n: NodeId, g: Cost, parent: NodeId, depth: u32, pools: &mut Pools) {
        *self.branches.at(n.index(), &mut pools.branches) = Branch { g, parent, place: NOWHERE, depth };
    }

    /// Gives all pages back.
    pub fn release(&mut self, pools: &mut Pools) {
        self.branches.release(&mut pools.branches);
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.branches.memory_bytes()
    }
}

impl Nodes for Tree {
    fn clear(&mut self) {
        self.branches.clear();
        self.depth = 0;
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        let branch = self.branches.at(n.index(), &mut pools.branches);
        if g >= branch.g {
            return None;
        }
        let depth = if parent.is_some() { self.depth + 1 } else { 0 };
        *branch = Branch { g, parent, place: branch.place, depth };
        Some(branch.place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        // The page is there: the node has been generated.
        let branch = self.branches.there(n.index());
        branch.place = NOWHERE;
        self.depth = branch.depth;
        (branch.g, branch.parent)
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.branches.there(n.index()).place = place;
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        self.branches.get(n.index()).g
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.branches.get(n.index()).parent
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.branches.get(n.index()).place != NOWHERE
    }
}
