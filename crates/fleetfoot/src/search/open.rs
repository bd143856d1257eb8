//! Open lists: a ring of buckets if costs allow it, otherwise a heap.

use super::heap::Heap;
use super::ring::Ring;
use super::{NOWHERE, NodeTable, PageCounts, Pools};
use crate::graph::splitmix64;
use crate::id::{Cost, NodeId};

/// The order of nodes with equal f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ties {
    /// Larger g first, then first in, first out. Nodes with a larger g are nearer to the goal.
    #[default]
    LargerG,
    /// Smaller g first, then first in, first out.
    SmallerG,
}

/// The kind of an open list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OpenKind {
    /// Buckets of exact f: constant time, last in, first out among equal f. Falls back to a heap if
    /// [`Graph::max_f_increase`](crate::Graph::max_f_increase) is too large.
    #[default]
    Ring,
    /// An indexed heap: logarithmic time, with a choice of ties.
    Heap(Ties),
}

/// The open list of the best-first loop. At most one entry per node, no lazy deletion.
pub(crate) trait Open {
    /// Returns the next node and its position.
    fn peek(&mut self) -> Option<(NodeId, u32)>;
    /// Removes the node that [`Open::peek`] returned, at its position, and returns its f. The caller updates the
    /// node table.
    fn pop(&mut self, place: u32, nodes: &mut impl NodeTable) -> Cost;
    /// Prepares for [`Open::peek`] after the successors of a removed node were inserted.
    #[inline]
    fn settle(&mut self, _: &mut impl NodeTable) {}
    /// Inserts a node, or moves the node at `place`, according to f.
    fn put(&mut self, n: NodeId, f: Cost, g: Cost, place: u32, nodes: &mut impl NodeTable, pools: &mut Pools);
    /// Returns the number of nodes on the list.
    fn len(&self) -> usize;
}

/// Priority on the heap: f, then g according to the ties, then insertion order. Never the node number, or results
/// would depend on the numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Priority {
    // In this layout f and tie are compared as one word.
    tie: u32,
    f: u32,
    order: u32,
}

impl Priority {
    /// Creates a priority of a rank and an order.
    pub(super) const fn ranked(rank: u32, order: u64) -> Self {
        Self { tie: (order >> 32) as u32, f: rank, order: order as u32 }
    }

    /// Returns rank and order of [`Priority::ranked`].
    pub(super) const fn rank_and_order(self) -> (u32, u64) {
        (self.f, (self.tie as u64) << 32 | self.order as u64)
    }

    /// Returns the priority as one number, for comparisons without branches.
    #[inline]
    fn word(self) -> u128 {
        let upper = u64::from(self.f) << 32 | u64::from(self.tie);
        u128::from(upper) << 64 | u128::from(self.order)
    }
}

impl Ord for Priority {
    #[inline]
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.word().cmp(&other.word())
    }
}

impl PartialOrd for Priority {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }

    // The heap uses only this comparison.
    #[inline]
    fn lt(&self, other: &Self) -> bool {
        self.word() < other.word()
    }

    #[inline]
    fn le(&self, other: &Self) -> bool {
        self.word() <= other.word()
    }
}

impl Default for Priority {
    fn default() -> Self {
        Self { f: u32::MAX, tie: 0, order: 0 }
    }
}

/// Returns the tie-breaking number of the k-th node: k itself, or a random number if `salt` is not zero. Lower
/// numbers come first.
#[inline]
pub(crate) fn order(k: u32, salt: u64) -> u32 {
    if salt == 0 { k } else { (splitmix64(salt.wrapping_add(u64::from(k))) >> 32) as u32 }
}

/// An open list on a heap.
#[derive(Clone, Debug)]
pub struct HeapList {
    heap: Heap<Priority>,
    ties: Ties,
    /// Number of insertions so far.
    puts: u32,
    /// If not zero, ties are broken by a random order with this seed.
    salt: u64,
}

impl HeapList {
    /// Creates an empty list for at most `bound` nodes.
    pub fn new(bound: usize, ties: Ties) -> Self {
        Self { heap: Heap::new(bound), ties, puts: 0, salt: 0 }
    }

    /// Clears the list.
    pub(crate) fn restart(&mut self) {
        self.heap.clear();
        self.puts = 0;
    }
}

impl Open for HeapList {
    #[inline]
    fn peek(&mut self) -> Option<(NodeId, u32)> {
        self.heap.peek().map(|(n, _)| (n, NOWHERE))
    }

    #[inline]
    fn pop(&mut self, _: u32, _: &mut impl NodeTable) -> Cost {
        self.heap.take().map_or(Cost::INF, |(_, key)| Cost::new(key.f))
    }

    #[inline]
    fn settle(&mut self, nodes: &mut impl NodeTable) {
        self.heap.settle(|n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn put(
        &mut self,
        n: NodeId,
        f: Cost,
        g: Cost,
        place: u32,
        nodes: &mut impl NodeTable,
        pools: &mut Pools,
    ) {
        let tie = match self.ties {
            Ties::LargerG => !g.raw(),
            Ties::SmallerG => g.raw(),
        };
        let key = Priority { f: f.raw(), tie, order: order(self.puts, self.salt) };
        self.puts = self.puts.wrapping_add(1);
        self.heap.put(n, key, place, &mut pools.items, |n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn len(&self) -> usize {
        self.heap.len()
    }
}

/// An open list: a ring or a heap.
#[derive(Clone, Debug)]
pub enum OpenList {
    /// Buckets of exact f.
    Ring(Ring),
    /// An indexed 4-ary heap.
    Heap(HeapList),
}

impl OpenList {
    /// Creates a list of this kind for at most `bound` nodes and edges along which f increases by at most
    /// `max_f_increase`.
    pub fn new(kind: OpenKind, bound: usize, max_f_increase: Cost) -> Self {
        match kind {
            OpenKind::Ring if Ring::suits(max_f_increase) => Self::Ring(Ring::new(bound, max_f_increase)),
            OpenKind::Ring => Self::heap(bound, Ties::LargerG),
            OpenKind::Heap(ties) => Self::heap(bound, ties),
        }
    }

    fn heap(bound: usize, ties: Ties) -> Self {
        Self::Heap(HeapList::new(bound, ties))
    }

    /// Clears the list. The next search starts at `f`.
    pub(crate) fn restart(&mut self, f: Cost) {
        match self {
            Self::Ring(ring) => ring.restart(f),
            Self::Heap(list) => list.restart(),
        }
    }

    pub(crate) fn put(
        &mut self,
        n: NodeId,
        (f, g): (Cost, Cost),
        place: u32,
        nodes: &mut impl NodeTable,
        pools: &mut Pools,
    ) {
        match self {
            Self::Ring(ring) => ring.put(n, f, g, place, nodes, pools),
            Self::Heap(list) => list.put(n, f, g, place, nodes, pools),
        }
    }

    /// Breaks ties on a heap by a random order with the seed `salt`, or by insertion order if it is zero.
    pub(crate) fn shuffle(&mut self, salt: u64) {
        if let Self::Heap(list) = self {
            list.salt = salt;
        }
    }

    /// Returns the next node and its f.
    pub fn top(&mut self) -> Option<(NodeId, Cost)> {
        match self {
            Self::Ring(ring) => ring.peek().map(|(n, _)| (n, ring.f())),
            Self::Heap(list) => list.heap.peek().map(|(n, key)| (n, Cost::new(key.f))),
        }
    }

    /// Returns the number of nodes on the list.
    pub fn len(&self) -> usize {
        match self {
            Self::Ring(ring) => ring.len(),
            Self::Heap(list) => list.len(),
        }
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns every node with its f, in an order in which inserting them creates the same list.
    pub(crate) fn in_put_order(&self) -> alloc::vec::Vec<(NodeId, Cost)> {
        match self {
            Self::Ring(ring) => ring.in_put_order(),
            Self::Heap(list) => {
                let mut all: alloc::vec::Vec<_> = list.heap.iter().collect();
                all.sort_unstable_by_key(|(_, key)| key.order);
                all.into_iter().map(|(n, key)| (n, Cost::new(key.f))).collect()
            }
        }
    }

    /// Returns every node with its f, unordered.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let (ring, heap) = match self {
            Self::Ring(ring) => (Some(ring.iter()), None),
            Self::Heap(list) => (None, Some(list.heap.iter().map(|(n, key)| (n, Cost::new(key.f))))),
        };
        ring.into_iter().flatten().chain(heap.into_iter().flatten())
    }

    /// Returns the node for which `what` is smallest. Ties: the node that would be expanded first.
    pub(crate) fn first_by<K: Ord>(&self, mut what: impl FnMut(NodeId) -> K) -> Option<NodeId> {
        match self {
            // The iteration is in the order of expansion, and `min_by_key` keeps the first.
            Self::Ring(ring) => ring.iter().map(|(n, _)| n).min_by_key(|n| what(*n)),
            Self::Heap(list) => list.heap.iter().min_by_key(|(n, key)| (what(*n), *key)).map(|(n, _)| n),
        }
    }

    /// Returns `true` if [`OpenList::new`] would create an equivalent list.
    pub(crate) fn fits(&self, kind: OpenKind, max_f_increase: Cost) -> bool {
        match (self, kind) {
            (Self::Ring(ring), OpenKind::Ring) => ring.fits(max_f_increase),
            (Self::Heap(list), OpenKind::Heap(ties)) => list.ties == ties,
            (Self::Heap(list), OpenKind::Ring) => !Ring::suits(max_f_increase) && list.ties == Ties::LargerG,
            (Self::Ring(_), OpenKind::Heap(_)) => false,
        }
    }

    /// Returns `true` if a node with this f can be inserted without clamping f.
    pub(crate) fn admits(&self, f: Cost) -> bool {
        match self {
            Self::Ring(ring) => ring.admits(f),
            Self::Heap(_) => true,
        }
    }

    /// Returns the current f of the ring: that of the node taken last.
    pub(crate) fn floor(&self) -> Cost {
        match self {
            Self::Ring(ring) => ring.f(),
            Self::Heap(_) => Cost::ZERO,
        }
    }

    /// Returns all pages to the pool.
    pub fn release_pages(&mut self, pools: &mut Pools) {
        match self {
            Self::Ring(ring) => ring.release_pages(pools),
            Self::Heap(list) => list.heap.release_pages(pools),
        }
    }

    /// Adds the pages that `nodes` nodes need.
    pub fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        match self {
            Self::Ring(ring) => ring.count_pages(nodes, needs),
            Self::Heap(list) => list.heap.count_pages(nodes, needs),
        }
    }

    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Ring(ring) => ring.memory_bytes(),
            Self::Heap(list) => list.heap.memory_bytes(),
        }
    }
}
