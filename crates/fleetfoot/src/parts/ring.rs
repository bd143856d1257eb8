//! An open list of exact-f buckets, for consistent heuristics and bounded edges: everything in constant time.
//!
//! With a consistent h, a search whose current f is F only ever puts nodes with F ≤ f ≤ F + s, where s is the
//! most that f rises along an edge: at most twice the dearest edge on an undirected graph. So a ring of more
//! than s buckets holds them all, one bucket per value of f. Within a bucket the node put last comes first.
//! Entries never move, so a node's place stays good until it is taken.
//!
//! The node that was put last at the current f is next in any case. Its entry is kept in hand, in no bucket: searches
//! that run straight towards their goal take many nodes from there, at half the price.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use super::open::Open;
use super::{Chunks, NOWHERE, Needs, Nodes, Pools};
use crate::id::{Cost, NodeId};

/// An entry of a bucket's list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    node: NodeId,
    next: u32,
    /// The entry before, or the bucket (with [`IS_BUCKET`]) whose first entry this is.
    prev: u32,
}

impl Link {
    pub(super) const BLANK: Self = Self { node: NodeId::NONE, next: NOWHERE, prev: NOWHERE };
}

/// The first entry of a bucket, and its node, so that what comes next is known without a look at the entry.
#[derive(Clone, Copy, Debug)]
struct Head {
    entry: u32,
    node: NodeId,
}

impl Head {
    const EMPTY: Self = Self { entry: NOWHERE, node: NodeId::NONE };
}

const IS_BUCKET: u32 = 1 << 31;
/// The largest ring.
const MOST_BUCKETS: u32 = 1 << 16;

/// Exact-f buckets.
#[derive(Clone, Debug)]
pub struct Ring {
    heads: Vec<Head>,
    /// A bit per bucket that holds something, and a bit per word of these.
    words: Vec<u64>,
    summary: Vec<u64>,
    links: Chunks<Link>,
    /// First of the entries that were taken and may be used again.
    free: u32,
    /// Entries ever used.
    used: u32,
    /// Nodes on the ring, the one in hand included.
    len: usize,
    /// The current f: nothing on the ring lies below it.
    f: u32,
    /// What was put last at the current f, if it has not been taken since.
    hand: Head,
}

impl Ring {
    /// Whether a ring will do where f rises by up to `max_f_increase` along an edge.
    pub fn suits(max_f_increase: Cost) -> bool {
        max_f_increase.raw() < MOST_BUCKETS
    }

    /// A ring for at most `bound` nodes, where f rises by up to `max_f_increase` along an edge.
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

    /// Whether [`Ring::new`] would make one of this size.
    pub(super) fn fits(&self, max_f_increase: Cost) -> bool {
        Self::suits(max_f_increase) && self.heads.len() == Self::size(max_f_increase)
    }

    fn size(max_f_increase: Cost) -> usize {
        (max_f_increase.raw().min(MOST_BUCKETS - 1) + 1).next_power_of_two().max(64) as usize
    }

    /// Whether this f lies on the ring.
    pub(super) fn admits(&self, f: Cost) -> bool {
        f.raw() >= self.f && f.raw() - self.f < self.heads.len() as u32
    }

    /// Empties the ring; the next node lies at `f` or above. The work depends on the edges' costs alone.
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

    /// The current f.
    #[inline]
    pub fn f(&self) -> Cost {
        Cost::new(self.f)
    }

    /// Every node with its f, bucket by bucket from the current one, each from its first to its last.
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

    /// The same, but each bucket from its last to its first.
    pub(super) fn in_put_order(&self) -> Vec<(NodeId, Cost)> {
        let mut all: Vec<_> = self.iter().collect();
        all.chunk_by_mut(|a, b| a.1 == b.1).for_each(<[_]>::reverse);
        all
    }

    pub(super) fn give_back(&mut self, pools: &mut Pools) {
        self.restart(Cost::ZERO);
        self.links.give_back(pools);
    }

    pub(super) fn need(&self, nodes: usize, needs: &mut Needs) {
        self.links.need(nodes, needs);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.heads.capacity() * size_of::<Head>()
            + (self.words.capacity() + self.summary.capacity()) * 8
            + self.links.memory_bytes()
    }

    /// The bucket in which nodes with this f stand.
    #[inline(always)]
    fn bucket(&self, f: u32) -> u32 {
        f & (self.heads.len() as u32 - 1)
    }

    /// The bucket for this f. An f below the current one is taken for the current one, which is what path-max does
    /// for an inconsistent h; an f beyond the ring can only come from a graph that broke its promise of
    /// [`max_f_increase`](crate::Graph::max_f_increase), and is put as far away as the ring goes.
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

    /// Moves on to the first bucket that holds something, round the ring. There is one.
    #[inline(never)]
    fn advance(&mut self) -> Head {
        let bucket = self.bucket(self.f);
        let w = bucket as usize / 64;
        let here = self.words[w] >> (bucket % 64);
        let first = if here != 0 { bucket + here.trailing_zeros() } else { self.first_after_word(w) };
        self.f = self.f.wrapping_add(self.bucket(first.wrapping_sub(self.f)));
        self.heads[first as usize]
    }

    /// The first bucket that holds something beyond word `w` and round to it.
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

    /// Puts an entry that was never used on the free list, which is empty.
    #[cold]
    #[inline(never)]
    fn add_free(&mut self, pools: &mut Pools) {
        self.links.grow_to(self.used as usize, Link::BLANK, &mut pools.links);
        self.links.at(self.used as usize).next = NOWHERE;
        self.free = self.used;
        self.used += 1;
    }

    /// Puts a node, at the first free entry. There is one. Not inlined: its few registers leave the loop of whoever
    /// calls it the others.
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
            // It was put last no longer.
            head = before;
        }
        self.link(head, f);
    }

    /// Moves an entry to where f belongs.
    #[inline(never)]
    fn relocate(&mut self, entry: u32, f: Cost) {
        if entry == self.hand.entry {
            // It stands as low as can be.
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

    /// Puts an entry that is in no bucket first in the one for f.
    #[inline(always)]
    fn link(&mut self, head: Head, f: Cost) {
        let bucket = self.nearest_bucket(f);
        let next = self.push(bucket, head);
        *self.links.at(head.entry as usize) = Link { node: head.node, next, prev: IS_BUCKET | bucket };
    }

    /// Makes an entry the first of its bucket; the one that was.
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

    /// Makes an entry the first of its bucket since the one before it has gone; there may be none.
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

    /// Takes an entry out of its bucket; its node.
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

    /// Takes what [`Open::peek`] has just shown.
    #[inline(always)]
    fn pop(&mut self, entry: u32, _: &mut impl Nodes) -> Cost {
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
    fn put(&mut self, n: NodeId, f: Cost, _: Cost, place: u32, nodes: &mut impl Nodes, pools: &mut Pools) {
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
