//! A search tree for searches that touch few nodes spread over a large map. The first nodes are in a hash table,
//! which a new search need not clear. Further nodes are on the pages of a [`PagedTree`].

use alloc::vec;
use alloc::vec::Vec;

use super::{NOWHERE, NodeTable, PageCounts, PagedTree, PlannerPart, Pools, SearchTree};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// Number of slots; half of them are used. The table fits into the L1 cache.
const PLACES: usize = 2048;
/// Number of bits of a hash below 2^32 that do not select the slot.
const SHIFT: u32 = 32 - PLACES.trailing_zeros();

#[derive(Clone, Copy, Debug)]
struct HashTreeNode {
    /// The number of the search that wrote the entry. The slot is free if it differs from the current search.
    epoch: u32,
    n: NodeId,
    g: Cost,
    parent: NodeId,
    place: u32,
    depth: u32,
}

impl HashTreeNode {
    const BLANK: Self =
        Self { epoch: 0, n: NodeId::NONE, g: Cost::INF, parent: NodeId::NONE, place: NOWHERE, depth: 0 };
}

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct HashTree {
    adaptive_nodes: Vec<HashTreeNode>,
    len: usize,
    epoch: u32,
    /// The nodes that did not fit into the table.
    others: PagedTree,
    depth: u32,
    bound: usize,
}

impl HashTree {
    /// Creates a tree for `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        let adaptive_nodes = vec![HashTreeNode::BLANK; PLACES];
        Self { adaptive_nodes, len: 0, epoch: 1, others: PagedTree::new(bound), depth: 0, bound }
    }

    /// Returns the slot of a node, or the slot where it would be inserted.
    #[inline]
    fn find(&self, n: NodeId) -> usize {
        let mut k = (n.raw().wrapping_mul(0x9e37_79b1) >> SHIFT) as usize;
        loop {
            let node = &self.adaptive_nodes[k % PLACES];
            if node.epoch != self.epoch || node.n == n {
                return k % PLACES;
            }
            k += 1;
        }
    }

    /// Returns the entry of a node in the table.
    #[inline]
    fn node(&self, n: NodeId) -> Option<&HashTreeNode> {
        Some(&self.adaptive_nodes[self.find(n)]).filter(|node| node.epoch == self.epoch)
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.len >= PLACES / 2
    }

    /// Returns all generated nodes, ordered by number.
    pub(crate) fn generated(&self) -> Vec<NodeId> {
        let near = self.adaptive_nodes.iter().filter(|node| node.epoch == self.epoch).map(|node| node.n);
        let mut all: Vec<NodeId> = near.chain(self.others.generated().map(|(n, ..)| n)).collect();
        all.sort_unstable();
        all
    }
}

impl NodeTable for HashTree {
    fn clear(&mut self) {
        if self.len > 0 {
            self.epoch = self.epoch.wrapping_add(1);
            if self.epoch == 0 {
                // After 2^32 searches.
                self.adaptive_nodes.fill(HashTreeNode::BLANK);
                self.epoch = 1;
            }
        }
        self.others.clear();
        (self.len, self.depth) = (0, 0);
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, pools: &mut Pools) -> Option<u32> {
        let k = self.find(n);
        let is_full = self.is_full();
        let node = &mut self.adaptive_nodes[k];
        let depth = if parent.is_some() { self.depth + 1 } else { 0 };
        if node.epoch == self.epoch {
            if g >= node.g {
                return None;
            }
            (node.g, node.parent, node.depth) = (g, parent, depth);
            return Some(node.place);
        }
        if is_full {
            self.others.set_depth(self.depth);
            return self.others.relax(n, g, parent, pools);
        }
        *node = HashTreeNode { epoch: self.epoch, n, g, parent, place: NOWHERE, depth };
        self.len += 1;
        Some(NOWHERE)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        let k = self.find(n);
        let node = &mut self.adaptive_nodes[k];
        if node.epoch == self.epoch {
            node.place = NOWHERE;
            self.depth = node.depth;
            return (node.g, node.parent);
        }
        let known = self.others.close(n);
        self.depth = self.others.last_depth();
        known
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        let k = self.find(n);
        let node = &mut self.adaptive_nodes[k];
        if node.epoch == self.epoch {
            node.place = place;
        } else {
            self.others.move_to(n, place);
        }
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        self.node(n).map_or_else(|| self.others.g(n), |node| node.g)
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.node(n).map_or_else(|| self.others.parent(n), |node| node.parent)
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.node(n).map_or_else(|| self.others.is_open(n), |node| node.place != NOWHERE)
    }
}

impl SearchTree for HashTree {
    const LEARNS: bool = false;

    #[inline]
    fn depth(&self, n: NodeId) -> u32 {
        self.node(n).map_or_else(|| self.others.depth(n), |node| node.depth)
    }

    fn last_depth(&self) -> u32 {
        self.depth
    }
}

/// The saved form is that of a [`PagedTree`].
impl PlannerPart for HashTree {
    fn write(&self, out: &mut dyn SaveWriter) {
        let all = self.generated();
        out.u32(all.len() as u32);
        for n in all {
            out.node(n);
            out.cost(self.g(n));
            out.node(self.parent(n));
            out.u32(self.depth(n));
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.bound), &mut Pools::new());
        self.clear();
        for _ in 0..from.len(16)? {
            let (n, g) = (from.node(limits)?, from.cost()?);
            let (parent, depth) = (from.node_or_none(limits)?, from.u32()?);
            if depth as usize >= limits.bound || !g.is_finite() || self.g(n).is_finite() {
                return Err(SaveError::new("a node of its tree is out of range or there twice"));
            }
            self.relax(n, g, NodeId::NONE, pools);
            let k = self.find(n);
            let node = &mut self.adaptive_nodes[k];
            if node.epoch == self.epoch {
                (node.parent, node.depth) = (parent, depth);
            } else {
                self.others.put(n, g, (parent, depth), pools);
            }
        }
        // Depths estimate the number of trace steps: if a node is reached again at a lower cost, the depths of its
        // descendants are not updated.
        let leads_back = |n: NodeId| self.parent(n).some().is_none_or(|parent| self.g(parent) < self.g(n));
        if self.generated().into_iter().all(leads_back) {
            Ok(())
        } else {
            Err(SaveError::new("its search tree is not a tree"))
        }
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        self.clear();
        self.others.release_pages(pools);
    }

    fn memory_bytes(&self) -> usize {
        self.adaptive_nodes.capacity() * size_of::<HashTreeNode>() + self.others.memory_bytes()
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.others.count_pages(nodes, needs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::splitmix64;

    /// Compares the tree with a [`PagedTree`] over many searches of all sizes.
    #[test]
    fn a_bush_is_a_tree() {
        let bound = 1 << 16;
        let (mut bush, mut tree, mut pools) = (HashTree::new(bound), PagedTree::new(bound), Pools::new());
        for round in 0..6_u64 {
            bush.clear();
            tree.clear();
            let nodes = [10, 900, 1023, 1025, 4000, 300][round as usize];
            for step in 0..4 * nodes {
                let random = splitmix64(round << 32 | step);
                let n = NodeId::new(splitmix64(random % nodes) as u32 % bound as u32);
                let (g, parent) =
                    (Cost::new((random >> 20) as u32 % 1000), NodeId::new((random >> 40) as u32 % 99));
                let parent = if random & 1 == 0 { parent } else { NodeId::NONE };
                let place = bush.relax(n, g, parent, &mut pools);
                assert_eq!(place, tree.relax(n, g, parent, &mut pools));
                if place.is_some() {
                    bush.move_to(n, step as u32);
                    tree.move_to(n, step as u32);
                }
                if random & 6 == 0 {
                    assert_eq!(bush.close(n), tree.close(n));
                    assert_eq!(bush.last_depth(), tree.last_depth());
                }
                assert_eq!(bush.is_open(n), tree.is_open(n));
                assert_eq!((bush.g(n), bush.parent(n)), (tree.g(n), tree.parent(n)));
                assert_eq!(bush.depth(n), tree.depth(n));
            }
            let all: Vec<NodeId> = tree.generated().map(|(n, ..)| n).collect();
            assert_eq!(bush.generated(), all);
        }
    }
}
