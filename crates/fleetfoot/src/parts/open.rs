//! The open list of a best-first search: a ring where costs allow it, a heap for everything else.

use super::heap::Heap;
use super::ring::Ring;
use super::{NOWHERE, Needs, Nodes, Pools};
use crate::graph::splitmix64;
use crate::id::{Cost, NodeId};

/// Which node comes first when f is equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ties {
    /// The one with the larger g, which is nearer to the goal; then the one put first.
    #[default]
    LargerG,
    /// The one with the smaller g; then the one put first.
    SmallerG,
}

/// Which list to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OpenKind {
    /// Exact-f buckets, constant time, last in first out among equal f: where f rises little enough along
    /// every edge ([`Graph::max_f_increase`](crate::Graph::max_f_increase)), else a heap.
    #[default]
    Ring,
    /// An indexed heap, logarithmic time, with a choice of ties.
    Heap(Ties),
}

/// What the best-first loop asks of an open list. At most one entry per node; no lazy deletion.
pub(crate) trait Open {
    /// The node to be expanded next, and where it stands.
    fn peek(&mut self) -> Option<(NodeId, u32)>;
    /// Takes what [`Open::peek`] has just shown, standing there, off the list (its table must still be told); its f.
    fn pop(&mut self, place: u32, nodes: &mut impl Nodes) -> Cost;
    /// Makes ready for [`Open::peek`], when what follows from a pop has been put.
    #[inline]
    fn settle(&mut self, _: &mut impl Nodes) {}
    /// Puts a node that stood at `place`, or nowhere, where f belongs.
    fn put(&mut self, n: NodeId, f: Cost, g: Cost, place: u32, nodes: &mut impl Nodes, pools: &mut Pools);
    /// Nodes on the list.
    fn len(&self) -> usize;
}

/// Priority on the heap: f, then g as the ties say, then insertion order. Never the node's number, or walks
/// would depend on the numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Priority {
    // In this order f and tie are one word to compare.
    tie: u32,
    f: u32,
    order: u32,
}

impl Priority {
    /// By `rank` alone, then by `order`.
    pub(super) const fn ranked(rank: u32, order: u64) -> Self {
        Self { tie: (order >> 32) as u32, f: rank, order: order as u32 }
    }

    /// The rank and the order of [`Priority::ranked`].
    pub(super) const fn rank_and_order(self) -> (u32, u64) {
        (self.f, (self.tie as u64) << 32 | self.order as u64)
    }

    /// All of it as one number: two comparisons in a row, without a branch.
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

    // The heap compares with these alone.
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

/// Which of two equal nodes comes first, the k-th that was put or another: the lower; as they come, or drawn.
#[inline]
pub(crate) fn order(k: u32, salt: u64) -> u32 {
    if salt == 0 { k } else { (splitmix64(salt.wrapping_add(u64::from(k))) >> 32) as u32 }
}

/// The heap as an open list.
#[derive(Clone, Debug)]
pub struct HeapList {
    heap: Heap<Priority>,
    ties: Ties,
    /// Puts so far, for insertion order.
    puts: u32,
    /// If not zero, nodes that are equal otherwise come in an order drawn from this.
    salt: u64,
}

impl HeapList {
    /// An empty list for at most `bound` nodes.
    pub fn new(bound: usize, ties: Ties) -> Self {
        Self { heap: Heap::new(bound), ties, puts: 0, salt: 0 }
    }

    /// Empties the list.
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
    fn pop(&mut self, _: u32, _: &mut impl Nodes) -> Cost {
        self.heap.take().map_or(Cost::INF, |(_, key)| Cost::new(key.f))
    }

    #[inline]
    fn settle(&mut self, nodes: &mut impl Nodes) {
        self.heap.settle(|n, place| nodes.move_to(n, place));
    }

    #[inline]
    fn put(&mut self, n: NodeId, f: Cost, g: Cost, place: u32, nodes: &mut impl Nodes, pools: &mut Pools) {
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

/// A ring or a heap.
#[derive(Clone, Debug)]
pub enum OpenList {
    /// Exact-f buckets.
    Ring(Ring),
    /// An indexed 4-ary heap.
    Heap(HeapList),
}

impl OpenList {
    /// A list of this kind for at most `bound` nodes and edges along which f rises by at most `max_f_increase`.
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

    /// Empties the list; the next search begins at `f`.
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
        nodes: &mut impl Nodes,
        pools: &mut Pools,
    ) {
        match self {
            Self::Ring(ring) => ring.put(n, f, g, place, nodes, pools),
            Self::Heap(list) => list.put(n, f, g, place, nodes, pools),
        }
    }

    /// From now on a heap draws the order of nodes that are equal otherwise from `salt`; zero for the order in which
    /// they are put.
    pub(crate) fn shuffle(&mut self, salt: u64) {
        if let Self::Heap(list) = self {
            list.salt = salt;
        }
    }

    /// The node to be expanded next and its f.
    pub fn top(&mut self) -> Option<(NodeId, Cost)> {
        match self {
            Self::Ring(ring) => ring.peek().map(|(n, _)| (n, ring.f())),
            Self::Heap(list) => list.heap.peek().map(|(n, key)| (n, Cost::new(key.f))),
        }
    }

    /// Nodes on the list.
    pub fn len(&self) -> usize {
        match self {
            Self::Ring(ring) => ring.len(),
            Self::Heap(list) => list.len(),
        }
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every node with its f, in an order in which putting them again gives the same list.
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

    /// Every node with its f, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let (ring, heap) = match self {
            Self::Ring(ring) => (Some(ring.iter()), None),
            Self::Heap(list) => (None, Some(list.heap.iter().map(|(n, key)| (n, Cost::new(key.f))))),
        };
        ring.into_iter().flatten().chain(heap.into_iter().flatten())
    }

    /// The node for which `what` is least, and of several the one that would be expanded first.
    pub(crate) fn first_by<K: Ord>(&self, mut what: impl FnMut(NodeId) -> K) -> Option<NodeId> {
        match self {
            // In the order of expansion, and of equal ones the first is kept.
            Self::Ring(ring) => ring.iter().map(|(n, _)| n).min_by_key(|n| what(*n)),
            Self::Heap(list) => list.heap.iter().min_by_key(|(n, key)| (what(*n), *key)).map(|(n, _)| n),
        }
    }

    /// Whether this list would do where [`OpenList::new`] is asked for one.
    pub(crate) fn fits(&self, kind: OpenKind, max_f_increase: Cost) -> bool {
        match (self, kind) {
            (Self::Ring(ring), OpenKind::Ring) => ring.fits(max_f_increase),
            (Self::Heap(list), OpenKind::Heap(ties)) => list.ties == ties,
            (Self::Heap(list), OpenKind::Ring) => !Ring::suits(max_f_increase) && list.ties == Ties::LargerG,
            (Self::Ring(_), OpenKind::Heap(_)) => false,
        }
    }

    /// Whether a node with this f can be put without bending it.
    pub(crate) fn admits(&self, f: Cost) -> bool {
        match self {
            Self::Ring(ring) => ring.admits(f),
            Self::Heap(_) => true,
        }
    }

    /// Where the ring stands; the f of the last node taken.
    pub(crate) fn floor(&self) -> Cost {
        match self {
            Self::Ring(ring) => ring.f(),
            Self::Heap(_) => Cost::ZERO,
        }
    }

    /// Gives all pages back.
    pub fn give_back(&mut self, pools: &mut Pools) {
        match self {
            Self::Ring(ring) => ring.give_back(pools),
            Self::Heap(list) => list.heap.give_back(pools),
        }
    }

    /// Adds the pages that so many nodes take.
    pub fn need(&self, nodes: usize, needs: &mut Needs) {
        match self {
            Self::Ring(ring) => ring.need(nodes, needs),
            Self::Heap(list) => list.heap.need(nodes, needs),
        }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Ring(ring) => ring.memory_bytes(),
            Self::Heap(list) => list.heap.memory_bytes(),
        }
    }
}
