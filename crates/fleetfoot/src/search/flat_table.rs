//! The flat node table for the scratch memory of a thread: O(1) per access and per new search.

use alloc::vec;
use alloc::vec::Vec;

use super::{NOWHERE, NodeTable, Pools};
use crate::id::{Cost, NodeId};

/// The range of ranks of one search.
const SEARCH: u64 = 1 << 32;
/// The smallest rank of the first search. Blank ranks are larger.
const FIRST: u64 = u64::MAX - 2 * SEARCH + 1;
/// The rank of a node that was never generated.
const BLANK: u64 = u64::MAX;

/// The data of a node besides its rank.
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
/// Ranks are stored separately. A search spends most of its time on cache misses for the ranks of neighbors that
/// were not generated recently; a cache line holds eight of them. The other data are then only written, without
/// waiting, and read soon after.
#[derive(Clone, Debug)]
pub struct FlatTable {
    /// For each node, the number of the last search that generated it in the upper half, and g in the lower half.
    /// Search numbers decrease, so any older rank is larger than all ranks of the current search: one comparison
    /// suffices.
    ranks: Vec<u64>,
    links: Vec<Link>,
    /// The rank of g = 0 in the current search.
    least: u64,
}

/// Returns `true` if a rank belongs to the search with this smallest rank.
#[inline]
const fn is_of(rank: u64, least: u64) -> bool {
    rank.wrapping_sub(least) < SEARCH
}

impl FlatTable {
    /// Creates a table for `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { ranks: vec![BLANK; bound], links: vec![Link::BLANK; bound], least: FIRST }
    }

    /// Grows the table to `bound` nodes if necessary.
    pub fn reserve(&mut self, bound: usize) {
        if self.ranks.len() < bound {
            self.ranks.resize(bound, BLANK);
            self.links.resize(bound, Link::BLANK);
        }
    }

    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.ranks.capacity() * size_of::<u64>() + self.links.capacity() * size_of::<Link>()
    }

    /// Starts another search in O(1). The nodes closed by the previous search remain known.
    pub(super) fn begin_second(&mut self) {
        // [`NodeTable::clear`] reserves the range for this.
        self.least -= SEARCH;
    }

    /// Returns `true` if the search before the [second one](Self::begin_second) closed `n`, and `n` was not
    /// generated since.
    #[inline]
    pub(super) fn was_closed(&self, n: NodeId) -> bool {
        is_of(self.ranks[n.index()], self.least + SEARCH) && self.links[n.index()].place == NOWHERE
    }

    /// Starts the value backup for the current search, in O(1). Ranks now order nodes as follows:
    /// - values of nodes that [were left open](Self::leave_open)
    /// - values of closed nodes
    /// - closed nodes without a value
    /// - all other nodes
    ///
    /// The state of a node, and whether a value is smaller, take one comparison.
    pub(super) fn begin_looking_back(&mut self) {
        // [`NodeTable::clear`] reserves the range for this.
        self.least -= 2 * SEARCH;
    }

    /// Sets the value of a node that is still open. The open list can then only be iterated.
    #[inline]
    pub(super) fn leave_open(&mut self, n: NodeId, h: Cost) {
        self.ranks[n.index()] = self.least + u64::from(h.raw());
    }

    /// Returns `true` if the search left `n` open.
    #[inline]
    pub(crate) fn was_left_open(&self, n: NodeId) -> bool {
        is_of(self.ranks[n.index()], self.least)
    }

    /// Returns the value of `n` if it was left open or has got a value since. It may be infinite.
    #[inline]
    pub(super) fn first_value(&self, n: NodeId) -> Option<Cost> {
        let rank = self.ranks[n.index()];
        (rank < self.least + 2 * SEARCH).then_some(Cost::new(rank as u32))
    }

    /// Returns the backed-up value of `n`. Infinite if it has none.
    #[inline]
    pub(crate) fn backed_up_value(&self, n: NodeId) -> Cost {
        self.first_value(n).unwrap_or(Cost::INF)
    }

    /// Sets the value of a closed node if `value` is smaller, and returns its position on the queue. Otherwise
    /// returns `None`.
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

    /// Returns the note that was stored in place of the position of `n`.
    #[inline]
    pub(super) fn note(&self, n: NodeId) -> u32 {
        self.link(n).place
    }

    #[inline]
    fn link(&self, n: NodeId) -> Link {
        if is_of(self.ranks[n.index()], self.least) { self.links[n.index()] } else { Link::BLANK }
    }
}

impl NodeTable for FlatTable {
    fn clear(&mut self) {
        self.least -= SEARCH;
        if self.least <= 2 * SEARCH {
            // After 2^32 searches.
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
