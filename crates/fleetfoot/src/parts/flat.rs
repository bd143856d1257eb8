//! The flat node table, for the scratch that all agents of a thread share: O(1) per node and per new search.

use alloc::vec;
use alloc::vec::Vec;

use super::{NOWHERE, Nodes, Pools};
use crate::id::{Cost, NodeId};

/// One search in ranks.
const SEARCH: u64 = 1 << 32;
/// The least rank of the first search; blank ranks are of the one before it.
const FIRST: u64 = u64::MAX - 2 * SEARCH + 1;
/// The rank of a node that no search has met.
const BLANK: u64 = u64::MAX;

/// What is known of a node beside its rank.
#[derive(Clone, Copy, Debug)]
struct Link {
    parent: NodeId,
    place: u32,
}

impl Link {
    const BLANK: Self = Self { parent: NodeId::NONE, place: NOWHERE };
}

/// A flat table: 16 bytes per node of the graph.
///
/// Ranks lie apart from the rest: waiting for the rank of a neighbour that no search has met lately is what a search
/// spends most of its time on, and so a line of the cache holds eight of them. The rest is written then, which nobody
/// waits for, and read again soon.
#[derive(Clone, Debug)]
pub struct Flat {
    /// By node: the search that met it in the upper half, g in the lower. Searches are counted down, so that whatever
    /// an earlier one wrote is worse than all that the present one brings: one comparison tells.
    ranks: Vec<u64>,
    links: Vec<Link>,
    /// The rank that g = 0 has in the present search.
    least: u64,
}

/// Whether a rank is of the search with this least rank.
#[inline]
const fn is_of(rank: u64, least: u64) -> bool {
    rank.wrapping_sub(least) < SEARCH
}

impl Flat {
    /// A table for the nodes below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { ranks: vec![BLANK; bound], links: vec![Link::BLANK; bound], least: FIRST }
    }

    /// Makes room for the nodes below `bound`; existing room is kept.
    pub fn reserve(&mut self, bound: usize) {
        if self.ranks.len() < bound {
            self.ranks.resize(bound, BLANK);
            self.links.resize(bound, Link::BLANK);
        }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.ranks.capacity() * size_of::<u64>() + self.links.capacity() * size_of::<Link>()
    }

    /// Begins another search, in O(1), that can still tell what the one before it closed.
    pub(super) fn begin_second(&mut self) {
        // [`Nodes::clear`] leaves room for this, too.
        self.least -= SEARCH;
    }

    /// Whether the search before the [second](Self::begin_second) closed `n`, which has not been met since.
    #[inline]
    pub(super) fn was_closed(&self, n: NodeId) -> bool {
        is_of(self.ranks[n.index()], self.least + SEARCH) && self.links[n.index()].place == NOWHERE
    }

    /// Begins to look back on the present search, in O(1). From here on ranks are, from the least on: values of nodes
    /// that [were left open](Self::leave_open), values of closed nodes, closed nodes that have none yet, and all else.
    /// So what is known of a node, and whether a value is lower, takes one comparison.
    pub(super) fn begin_looking_back(&mut self) {
        // [`Nodes::clear`] leaves room for this.
        self.least -= 2 * SEARCH;
    }

    /// Gives a node that is still open its value. The open list is good for nothing but to be listed afterwards.
    #[inline]
    pub(super) fn leave_open(&mut self, n: NodeId, h: Cost) {
        self.ranks[n.index()] = self.least + u64::from(h.raw());
    }

    /// Whether the search that is looked back on left `n` open.
    #[inline]
    pub(crate) fn was_left_open(&self, n: NodeId) -> bool {
        is_of(self.ranks[n.index()], self.least)
    }

    /// The value of `n` if it was left open or has been given one since; it may be infinite.
    #[inline]
    pub(super) fn drawn(&self, n: NodeId) -> Option<Cost> {
        let rank = self.ranks[n.index()];
        (rank < self.least + 2 * SEARCH).then_some(Cost::new(rank as u32))
    }

    /// The value of `n`, found by looking back; infinite if it has none.
    #[inline]
    pub(crate) fn looked_back(&self, n: NodeId) -> Cost {
        self.drawn(n).unwrap_or(Cost::INF)
    }

    /// If `n` was closed and `value` is lower than what it has: takes it, and answers with its place on the queue.
    #[inline]
    pub(super) fn fall(&mut self, n: NodeId, value: Cost) -> Option<u32> {
        let rank = self.least + SEARCH + u64::from(value.raw());
        let known = &mut self.ranks[n.index()];
        if rank >= *known || *known >= self.least + 3 * SEARCH {
            return None;
        }
        *known = rank;
        Some(self.links[n.index()].place)
    }

    /// What was noted of `n` in the place of a place on the open list.
    #[inline]
    pub(super) fn note(&self, n: NodeId) -> u32 {
        self.link(n).place
    }

    #[inline]
    fn link(&self, n: NodeId) -> Link {
        if is_of(self.ranks[n.index()], self.least) { self.links[n.index()] } else { Link::BLANK }
    }
}

impl Nodes for Flat {
    fn clear(&mut self) {
        self.least -= SEARCH;
        if self.least <= 2 * SEARCH {
            // Once in four billion searches.
            self.ranks.fill(BLANK);
            self.least = FIRST;
        }
    }

    #[inline]
    fn relax(&mut self, n: NodeId, g: Cost, parent: NodeId, _: &mut Pools) -> Option<u32> {
        let rank = self.least + u64::from(g.raw());
        let known = &mut self.ranks[n.index()];
        if rank >= *known {
            return None;
        }
        let link = &mut self.links[n.index()];
        let place = if is_of(*known, self.least) { link.place } else { NOWHERE };
        *known = rank;
        *link = Link { parent, place };
        Some(place)
    }

    #[inline]
    fn close(&mut self, n: NodeId) -> (Cost, NodeId) {
        let link = &mut self.links[n.index()];
        link.place = NOWHERE;
        (Cost::new(self.ranks[n.index()] as u32), link.parent)
    }

    #[inline]
    fn move_to(&mut self, n: NodeId, place: u32) {
        self.links[n.index()].place = place;
    }

    #[inline]
    fn g(&self, n: NodeId) -> Cost {
        let rank = self.ranks[n.index()];
        if is_of(rank, self.least) { Cost::new(rank as u32) } else { Cost::INF }
    }

    #[inline]
    fn parent(&self, n: NodeId) -> NodeId {
        self.link(n).parent
    }

    #[inline]
    fn is_open(&self, n: NodeId) -> bool {
        self.link(n).place != NOWHERE
    }
}
