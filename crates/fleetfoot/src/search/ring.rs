//! An open list of buckets of exact f, for consistent heuristics and bounded edges. All operations take constant
//! time.
//!
//! With a consistent h, a search whose current f is F only inserts nodes with F ≤ f ≤ F + s, where s is the maximum
//! increase of f along an edge: at most twice the maximum edge cost on an undirected graph. A ring of more than s
//! buckets therefore holds them all, one bucket per value of f. Within a bucket, nodes are last in, first out.
//! Entries never move, so the position of a node stays valid until it is removed.
//!
//! The node inserted last at the current f is always the next one. It is kept in `hand`, outside of the buckets,
//! which halves its cost: searches that run straight toward their goal take many nodes from there.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::open::Open;
use super::{Chunks, NOWHERE, NodeTable, PageCounts, Pools};
use crate::id::{Cost, NodeId};

/// An entry of a bucket's list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    node: NodeId,
    next: u32,
    /// The previous entry, or the bucket (with [`IS_BUCKET`]) if this is its first entry.
    prev: u32,
}

impl Link {
    pub(super) const BLANK: Self = Self { node: NodeId::NONE, next: NOWHERE, prev: NOWHERE };
}

/// The first entry of a bucket and its node, so that the next node is known without reading the entry.
#[derive(Clone, Copy, Debug)]
struct Head {
    entry: u32,
    node: NodeId,
}

impl Head {
    const EMPTY: Self = Self { entry: NOWHERE, node: NodeId::NONE };
}

const IS_BUCKET: u32 = 1 << 31;
/// Maximum number of buckets.
const MOST_BUCKETS: u32 = 1 << 16;

/// Buckets of exact f.
#[derive(Clone, Debug)]
pub struct Ring {
    heads: Vec<Head>,
    /// A bit per nonempty bucket, and a bit per word of these.
    words: Vec<u64>,
    summary: Vec<u64>,
    links: Chunks<Link>,
    /// The first unused entry.
    free: u32,
    /// Number of entries that were ever used.
    used: u32,
    /// Number of nodes, including the one in `hand`.
    len: usize,
    /// The current f. No node on the ring has a smaller one.
    f: u32,
    /// The node inserted last at the current f, if it was not removed since.
    hand: Head,
}

impl Ring {
    /// Returns `true` if a ring is large enough for this increase of f along an edge.
    pub fn suits(max_f_increase: Cost) -> bool {
        max_f_increase.raw() < MOST_BUCKETS
    }

    /// Creates a ring for at most `bound` nodes and edges along which f increases by at most `max_f_increase`.
    pub fn new(bound: usize, max_f_increase: Cost) -> Self {
        let size = Self::size(max_f_increase);
        Self {
            heads: vec![Head::EMPTY; size],
            words: vec![0; size / 64],
            summary: vec![0; (size / 64).div_ceil(64)],
            links: Chunks::new(bound),
            free: NOWHERE,
            used: 0,
            len: 0,
            f: 0,
            hand: Head::EMPTY,
        }
    }

    /// Returns `true` if [`Ring::new`] would create a ring of this size.
    pub(super) fn fits(&self, max_f_increase: Cost) -> bool {
        Self::suits(max_f_increase) && self.heads.len() == Self::size(max_f_increase)
    }

    fn size(max_f_increase: Cost) -> usize {
        (max_f_increase.raw().min(MOST_BUCKETS - 1) + 1).next_power_of_two().max(64) as usize
    }

    /// Returns `true` if this f is in the range of the ring.
    pub(super) fn admits(&self, f: Cost) -> bool {
        f.raw() >= self.f && f.raw() - self.f < self.heads.len() as u32
    }

    /// Clears the ring. The next node has at least the f `f`. The time depends only on the range of edge costs.
    pub(super) fn restart(&mut self, f: Cost) {
        let (heads, _) = self.heads.as_chunks_mut::<64>();
        for (word, heads) in self.words.iter_mut().zip(heads) {
            while *word != 0 {
                heads[word.trailing_zeros() as usize % 64] = Head::EMPTY;
                *word &= *word - 1;
            }
        }
        self.summary.fill(0);
        (self.free, self.used, self.len, self.f) = (NOWHERE, 0, 0, f.raw());
        self.hand = Head::EMPTY;
    }

    /// Returns the current f.
    #[inline]
    pub fn f(&self) -> Cost {
        Cost::new(self.f)
    }

    /// Returns every node with its f, bucket by bucket from the current one, each from first to last.
    pub(super) fn iter(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let size = self.heads.len() as u32;
        let buckets = (self.f..self.f.saturating_add(size)).flat_map(move |f| {
            let first = self.heads[(f & (size - 1)) as usize].entry;
            let link = |entry: u32| (entry != NOWHERE).then(|| *self.links.get(entry as usize));
            let links = core::iter::successors(link(first), move |last| link(last.next));
            links.map(move |link| (link.node, Cost::new(f)))
        });
        self.hand.node.some().map(|n| (n, self.f())).into_iter().chain(buckets)
    }

    /// Returns every node with its f, bucket by bucket from the current one, each from last to first.
    pub(super) fn in_put_order(&self) -> Vec<(NodeId, Cost)> {
        let mut all: Vec<_> = self.iter().collect();
        all.chunk_by_mut(|a, b| a.1 == b.1).for_each(<[_]>::reverse);
        all
    }

    pub(super) fn release_pages(&mut self, pools: &mut Pools) {
        self.restart(Cost::ZERO);
        self.links.release_pages(pools);
    }

    pub(super) fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        self.links.count_pages(nodes, needs);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.heads.capacity() * size_of::<Head>()
            + (self.words.capacity() + self.summary.capacity()) * 8
            + self.links.memory_bytes()
    }

    /// Returns the bucket of nodes with this f.
    #[inline(always)]
    fn bucket(&self, f: u32) -> u32 {
        f & (self.heads.len() as u32 - 1)
    }

    /// Returns the bucket for this f. A smaller f than the current one is clamped to it, as path-max does for an
    /// inconsistent h. An f beyond the ring means that the graph violates its
    /// [`max_f_increase`](crate::Graph::max_f_increase); it is clamped to the last bucket.
    #[inline(always)]
    fn nearest_bucket(&self, f: Cost) -> u32 {
        let mask = self.heads.len() as u32 - 1;
        let mut f = f.raw();
        if f.wrapping_sub(self.f) > mask {
            f = f.clamp(self.f, self.f.saturating_add(mask));
        }
        f & mask
    }

    #[inline(always)]
    fn mark(&mut self, bucket: u32) {
        let w = bucket as usize / 64;
        self.words[w] |= 1 << (bucket % 64);
        self.summary[w / 64] |= 1 << (w % 64);
    }

    #[inline(always)]
    fn unmark(&mut self, bucket: u32) {
        let w = bucket as usize / 64;
        self.words[w] &= !(1 << (bucket % 64));
        if self.words[w] == 0 {
            self.summary[w / 64] &= !(1 << (w % 64));
        }
    }

    /// Advances to the next nonempty bucket, wrapping around. There must be one.
    #[inline(never)]
    fn advance(&mut self) -> Head {
        let bucket = self.bucket(self.f);
        let w = bucket as usize / 64;
        let here = self.words[w] >> (bucket % 64);
        let first = if here != 0 { bucket + here.trailing_zeros() } else { self.first_after_word(w) };
        self.f = self.f.wrapping_add(self.bucket(first.wrapping_sub(self.f)));
        self.heads[first as usize]
    }

    /// Returns the first nonempty bucket after word `w`, wrapping around.
    fn first_after_word(&self, w: usize) -> u32 {
        let (s, rest) = (w / 64, !0 << (w % 64) << 1);
        let turns = self.summary.len();
        let mut bits = self.summary[s] & rest;
        let mut at = s;
        for _ in 0..=turns {
            if bits != 0 {
                break;
            }
            at = (at + 1) % turns;
            bits = self.summary[at];
        }
        let word = at * 64 + bits.trailing_zeros() as usize % 64;
        (word * 64) as u32 + self.words[word].trailing_zeros() % 64
    }

    /// Adds a new entry to the free list, which is empty.
    #[cold]
    #[inline(never)]
    fn add_free(&mut self, pools: &mut Pools) {
        self.links.grow_to(self.used as usize, Link::BLANK, &mut pools.links);
        self.links.at(self.used as usize).next = NOWHERE;
        self.free = self.used;
        self.used += 1;
    }

    /// Inserts a node at the first free entry, which must exist. Not inlined, so that the calling loop has more
    /// registers.
    #[inline(never)]
    fn insert(&mut self, node: NodeId, f: Cost) {
        let mut head = Head { entry: self.free, node };
        self.free = self.links.get(head.entry as usize).next;
        self.len += 1;
        if f.raw() <= self.f {
            let before = self.hand;
            self.hand = head;
            if before.entry == NOWHERE {
                return;
            }
            // It is no longer the last one.
            head = before;
        }
        self.link(head, f);
    }

    /// Moves an entry according to f.
    #[inline(never)]
    fn relocate(&mut self, entry: u32, f: Cost) {
        if entry == self.hand.entry {
            // It is in the lowest bucket.
            return;
        }
        let node = self.unlink(entry);
        let mut head = Head { entry, node };
        if f.raw() <= self.f {
            mem::swap(&mut head, &mut self.hand);
            if head.entry == NOWHERE {
                return;
            }
        }
        self.link(head, f);
    }

    /// Adds an entry without a bucket to the front of the bucket of f.
    #[inline(always)]
    fn link(&mut self, head: Head, f: Cost) {
        let bucket = self.nearest_bucket(f);
        let next = self.push(bucket, head);
        *self.links.at(head.entry as usize) = Link { node: head.node, next, prev: IS_BUCKET | bucket };
    }

    /// Adds an entry to the front of its bucket, and returns the previous front.
    #[inline(always)]
    fn push(&mut self, bucket: u32, head: Head) -> u32 {
        let next = mem::replace(&mut self.heads[bucket as usize], head).entry;
        if next == NOWHERE {
            self.mark(bucket);
        } else {
            self.links.at(next as usize).prev = head.entry;
        }
        next
    }

    /// Makes an entry, or none, the front of its bucket after the previous front was removed.
    #[inline(always)]
    fn succeed(&mut self, bucket: u32, entry: u32) {
        self.heads[bucket as usize] = if entry == NOWHERE {
            self.unmark(bucket);
            Head::EMPTY
        } else {
            let link = self.links.at(entry as usize);
            link.prev = IS_BUCKET | bucket;
            Head { entry, node: link.node }
        };
    }

    /// Removes an entry from its bucket, and returns its node.
    #[inline(always)]
    fn unlink(&mut self, entry: u32) -> NodeId {
        let Link { node, next, prev } = *self.links.get(entry as usize);
        if prev & IS_BUCKET != 0 {
            self.succeed(prev & !IS_BUCKET, next);
        } else {
            self.links.at(prev as usize).next = next;
            if next != NOWHERE {
                self.links.at(next as usize).prev = prev;
            }
        }
        node
    }
}

impl Open for Ring {
    #[inline(always)]
    fn peek(&mut self) -> Option<(NodeId, u32)> {
        let mut head = self.hand;
        if head.entry == NOWHERE {
            if self.len == 0 {
                return None;
            }
            head = self.heads[self.bucket(self.f) as usize];
            if head.entry == NOWHERE {
                head = self.advance();
            }
        }
        Some((head.node, head.entry))
    }

    /// Removes the node that [`Open::peek`] returned.
    #[inline(always)]
    fn pop(&mut self, entry: u32, _: &mut impl NodeTable) -> Cost {
        let next = mem::replace(&mut self.links.at(entry as usize).next, self.free);
        self.free = entry;
        self.len -= 1;
        if entry == self.hand.entry {
            self.hand = Head::EMPTY;
        } else {
            self.succeed(self.bucket(self.f), next);
        }
        Cost::new(self.f)
    }

    #[inline(always)]
    fn put(
        &mut self,
        n: NodeId,
        f: Cost,
        _: Cost,
        place: u32,
        nodes: &mut impl NodeTable,
        pools: &mut Pools,
    ) {
        if place == NOWHERE {
            if self.free == NOWHERE {
                self.add_free(pools);
            }
            nodes.move_to(n, self.free);
            self.insert(n, f);
        } else {
            self.relocate(place, f);
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }
}
