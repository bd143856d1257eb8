//! An open list of exact-f buckets, for consistent heuristics and bounded edges: everything in constant time.
//!
//! With a consistent h, a search whose current f is F only ever puts nodes with F ≤ f ≤ F + s, where s is the
//! most that f rises along an edge: at most twice the dearest edge on an undirected graph. So a ring of more
//! than s buckets holds them all, one bucket per value of f. Within a bucket the node put last comes first.
//! Entries never move, so a node's place stays good until it is taken.

use alloc::vec;
use alloc::vec::Vec;

use super::open::Open;
use super::{Chunks, NOWHERE, Nodes, Pools};
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

const IS_BUCKET: u32 = 1 << 31;
/// The largest ring.
const MOST_BUCKETS: u32 = 1 << 16;

/// Exact-f buckets.
#[derive(Clone, Debug)]
pub struct Ring {
    /// By bucket: its first entry, good only where its bit is set.
    heads: Vec<u32>,
    /// A bit per bucket that holds something, and a bit per word of these.
    words: Vec<u64>,
    summary: Vec<u64>,
    links: Chunks<Link>,
    /// First of the entries that were taken and may be used again.
    free: u32,
    /// Entries ever used.
    used: u32,
    len: usize,
    /// The current f: nothing on the ring lies below it.
    f: u32,
}

impl Ring {
    /// Whether a ring will do where f rises by up to `steepest` along an edge.
    pub fn suits(steepest: Cost) -> bool {
        steepest.raw() < MOST_BUCKETS
    }

    /// A ring for at most `bound` nodes, where f rises by up to `steepest` along an edge.
    pub fn new(bound: usize, steepest: Cost) -> Self {
        let size = Self::size(steepest);
        Self {
            heads: vec![NOWHERE; size],
            words: vec![0; size / 64],
            summary: vec![0; (size / 64).div_ceil(64)],
            links: Chunks::new(bound),
            free: NOWHERE,
            used: 0,
            len: 0,
            f: 0,
        }
    }

    /// Whether [`Ring::new`] would make one of this size.
    pub(super) fn fits(&self, steepest: Cost) -> bool {
        Self::suits(steepest) && self.heads.len() == Self::size(steepest)
    }

    fn size(steepest: Cost) -> usize {
        (steepest.raw().min(MOST_BUCKETS - 1) + 1).next_power_of_two().max(64) as usize
    }

    /// Whether this f lies on the ring.
    pub(super) fn admits(&self, f: Cost) -> bool {
        f.raw() >= self.f && f.raw() - self.f < self.heads.len() as u32
    }

    /// Empties the ring; the next node lies at `f` or above. The work depends on the edges' costs alone.
    pub(super) fn restart(&mut self, f: Cost) {
        self.words.fill(0);
        self.summary.fill(0);
        (self.free, self.used, self.len, self.f) = (NOWHERE, 0, 0, f.raw());
    }

    /// The current f.
    #[inline]
    pub fn f(&self) -> Cost {
        Cost::new(self.f)
    }

    /// Every node with its f, bucket by bucket from the current one, each from its first to its last.
    pub(super) fn iter(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let size = self.heads.len() as u32;
        (self.f..self.f.saturating_add(size)).flat_map(move |f| {
            let bucket = f & (size - 1);
            let first = if self.is_marked(bucket) { self.heads[bucket as usize] } else { NOWHERE };
            let link = |entry: u32| (entry != NOWHERE).then(|| *self.links.get(entry as usize));
            let links = core::iter::successors(link(first), move |last| link(last.next));
            links.map(move |link| (link.node, Cost::new(f)))
        })
    }

    /// The same, but each bucket from its last to its first.
    pub(super) fn in_put_order(&self) -> Vec<(NodeId, Cost)> {
        let mut all: Vec<_> = self.iter().collect();
        all.chunk_by_mut(|a, b| a.1 == b.1).for_each(<[_]>::reverse);
        all
    }

    pub(super) fn release(&mut self, pools: &mut Pools) {
        self.restart(Cost::ZERO);
        self.links.release(&mut pools.links);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.heads.capacity() * 4
            + (self.words.capacity() + self.summary.capacity()) * 8
            + self.links.memory_bytes()
    }

    #[inline]
    fn is_marked(&self, bucket: u32) -> bool {
        self.words[bucket as usize / 64] >> (bucket % 64) & 1 == 1
    }

    #[inline(always)]
    fn unmark(&mut self, bucket: u32) {
        let w = bucket as usize / 64;
        self.words[w] &= !(1 << (bucket % 64));
        if self.words[w] == 0 {
            self.summary[w / 64] &= !(1 << (w % 64));
        }
    }

    /// The first bucket that holds something, from `bucket` on and round the ring. There is one.
    #[inline(always)]
    fn first_from(&self, bucket: u32) -> u32 {
        let w = bucket as usize / 64;
        let here = self.words[w] >> (bucket % 64);
        if here != 0 { bucket + here.trailing_zeros() } else { self.first_after_word(w) }
    }

    /// As above, beyond word `w` and round to it.
    #[inline(never)]
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

    #[inline(always)]
    fn new_entry(&mut self, pools: &mut Pools) -> u32 {
        self.len += 1;
        let entry = self.free;
        if entry != NOWHERE {
            self.free = self.links.get(entry as usize).next;
            return entry;
        }
        self.used += 1;
        self.links.grow_to(self.used as usize - 1, Link::BLANK, &mut pools.links);
        self.used - 1
    }

    #[inline(always)]
    fn unlink(&mut self, link: Link) {
        if link.prev & IS_BUCKET == 0 {
            self.links.at(link.prev as usize).next = link.next;
        } else {
            let bucket = link.prev & !IS_BUCKET;
            self.heads[bucket as usize] = link.next;
            if link.next == NOWHERE {
                self.unmark(bucket);
            }
        }
        if link.next != NOWHERE {
            self.links.at(link.next as usize).prev = link.prev;
        }
    }
}

impl Open for Ring {
    #[inline(always)]
    fn peek(&mut self) -> Option<(NodeId, u32)> {
        if self.len == 0 {
            return None;
        }
        let mask = self.heads.len() as u32 - 1;
        let bucket = self.first_from(self.f & mask);
        self.f = self.f.wrapping_add(bucket.wrapping_sub(self.f) & mask);
        let entry = self.heads[bucket as usize];
        Some((self.links.get(entry as usize).node, entry))
    }

    /// Takes what [`Open::peek`] has just shown.
    #[inline(always)]
    fn pop(&mut self, entry: u32, _: &mut impl Nodes) -> Cost {
        let bucket = self.f & (self.heads.len() as u32 - 1);
        let free = self.free;
        let link = self.links.at(entry as usize);
        let next = link.next;
        link.next = free;
        self.free = entry;
        self.heads[bucket as usize] = next;
        if next == NOWHERE {
            self.unmark(bucket);
        } else {
            self.links.at(next as usize).prev = IS_BUCKET | bucket;
        }
        self.len -= 1;
        Cost::new(self.f)
    }

    /// An f below the current one is taken for the current one, which is what path-max does for an
    /// inconsistent h; an f beyond the ring can only come from a graph that broke its promise of
    /// [`steepest`](crate::Graph::steepest), and is put as far away as the ring goes.
    #[inline(always)]
    fn put(&mut self, n: NodeId, f: Cost, _: Cost, place: u32, nodes: &mut impl Nodes, pools: &mut Pools) {
        let mask = self.heads.len() as u32 - 1;
        let mut f = f.raw();
        if f.wrapping_sub(self.f) > mask {
            f = f.clamp(self.f, self.f.saturating_add(mask));
        }
        let bucket = f & mask;
        let entry = if place == NOWHERE {
            let entry = self.new_entry(pools);
            nodes.move_to(n, entry);
            entry
        } else {
            let link = *self.links.get(place as usize);
            self.unlink(link);
            place
        };
        let (w, bit) = (bucket as usize / 64, 1 << (bucket % 64));
        let next = if self.words[w] & bit != 0 {
            let head = self.heads[bucket as usize];
            self.links.at(head as usize).prev = entry;
            head
        } else {
            self.words[w] |= bit;
            self.summary[w / 64] |= 1 << (w % 64);
            NOWHERE
        };
        self.heads[bucket as usize] = entry;
        *self.links.at(entry as usize) = Link { node: n, next, prev: IS_BUCKET | bucket };
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }
}
