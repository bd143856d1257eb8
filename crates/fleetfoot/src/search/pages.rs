//! Paged tables: memory grows with the entries that are used, and clearing is one increment.
//!
//! Pages have a fixed size, never move, and come from a pool that the caller can fill, so no step copies a growing
//! table. The directory has two levels, so that a small table on a huge map stays small.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::adaptive::AdaptiveNode;
use super::dfs_stack::Frame;
use super::field::{QueueKey, Vertex};
use super::heap::Item;
use super::nodes::TreeNode;
use super::open::Priority;
use super::paged_hash_map::Entry;
use super::ribs_node::RibsNode;
use super::ring::Link;
use super::route::Route;
use super::stored::Stop;
use super::urgency_queue::Places;
use crate::graph::Edge;
use crate::id::{Cost, NodeId};

/// Number of entries in a page. On grids a page of nodes is a 16×16 tile.
pub const PAGE: usize = 256;
/// Number of pages in a directory block.
const BLOCK: usize = 64;

type Page<T> = Box<[T; PAGE]>;

#[derive(Clone, Debug)]
struct Block<T> {
    slots: [Slot<T>; BLOCK],
}

#[derive(Clone, Debug)]
struct Slot<T> {
    /// The epoch in which the page was cleared last. If it is not the current epoch, the page reads as blank.
    stamp: u32,
    page: Option<Page<T>>,
}

impl<T> Block<T> {
    fn new() -> Box<Self> {
        Box::new(Self { slots: [const { Slot { stamp: 0, page: None } }; BLOCK] })
    }
}

/// A paged table. Entries are blank until written.
#[derive(Clone, Debug)]
pub struct Pages<T> {
    top: Vec<Option<Box<Block<T>>>>,
    bound: usize,
    blank: T,
    epoch: u32,
    held: Held,
}

#[derive(Clone, Copy, Debug, Default)]
struct Held {
    blocks: usize,
    pages: usize,
}

impl Held {
    #[cold]
    #[inline(never)]
    fn take_block<T>(&mut self, pool: &mut Pool<T>) -> Box<Block<T>> {
        self.blocks += 1;
        pool.blocks.pop().unwrap_or_else(Block::new)
    }
}

impl<T: Copy> Slot<T> {
    /// Allocates or clears the page.
    #[cold]
    #[inline(never)]
    fn renew(&mut self, blank: T, epoch: u32, held: &mut Held, pool: &mut Pool<T>) {
        let page = self.page.get_or_insert_with(|| {
            held.pages += 1;
            pool.pages.pop().unwrap_or_else(|| Box::new([blank; PAGE]))
        });
        page.fill(blank);
        self.stamp = epoch;
        pool.page_faults += 1;
    }
}

impl<T: Copy> Pages<T> {
    /// Creates a table for numbers below `bound`. Entries that were not written read as `blank`.
    pub fn new(bound: usize, blank: T) -> Self {
        let top = (0..bound.div_ceil(PAGE * BLOCK)).map(|_| None).collect();
        Self { top, bound, blank, epoch: 1, held: Held::default() }
    }

    /// Makes all entries blank, in O(1). Pages are cleared when they are written next.
    pub fn clear(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            // After 2^32 clears.
            self.epoch = 1;
            self.top.iter_mut().flatten().flat_map(|block| &mut block.slots).for_each(|slot| slot.stamp = 0);
        }
    }

    /// Returns the entry with this number.
    #[inline]
    pub fn get(&self, i: usize) -> T {
        if let Some(Some(block)) = self.top.get(i / (PAGE * BLOCK)) {
            let slot = &block.slots[i / PAGE % BLOCK];
            if let (Some(page), true) = (&slot.page, slot.stamp == self.epoch) {
                return page[i % PAGE];
            }
        }
        self.blank
    }

    /// Returns the entry with this number for writing.
    #[inline]
    pub fn at(&mut self, i: usize, pool: &mut Pool<T>) -> &mut T {
        let Self { top, blank, epoch, held, .. } = self;
        // One lookup in the directory, even if the page must be allocated or cleared.
        let block = top[i / (PAGE * BLOCK)].get_or_insert_with(|| held.take_block(pool));
        let slot = &mut block.slots[i / PAGE % BLOCK];
        if slot.stamp != *epoch {
            slot.renew(*blank, *epoch, held, pool);
        }
        let Some(page) = &mut slot.page else { unreachable!("a page is taken before it is stamped") };
        &mut page[i % PAGE]
    }

    /// Returns the entry for writing, with a page from the pool of its kind.
    pub fn entry(&mut self, i: usize, pools: &mut Pools) -> &mut T
    where
        T: Pooled,
    {
        self.at(i, T::pool(pools))
    }

    /// Returns the entry for writing if its page was written since the last clear.
    #[inline]
    pub(super) fn get_live_mut(&mut self, i: usize) -> Option<&mut T> {
        let block = self.top.get_mut(i / (PAGE * BLOCK))?.as_mut()?;
        let slot = &mut block.slots[i / PAGE % BLOCK];
        let page = slot.page.as_mut().filter(|_| slot.stamp == self.epoch)?;
        Some(&mut page[i % PAGE])
    }

    /// Returns an entry for writing. Its page must have been written since the last clear.
    #[inline]
    pub(super) fn live_mut(&mut self, i: usize) -> &mut T {
        let Some(block) = &mut self.top[i / (PAGE * BLOCK)] else { unreachable!("written to before") };
        let Some(page) = &mut block.slots[i / PAGE % BLOCK].page else { unreachable!("written to before") };
        &mut page[i % PAGE]
    }

    /// Returns all pages to the pool. All entries are blank afterwards.
    pub fn release(&mut self, pool: &mut Pool<T>) {
        for slot in &mut self.top {
            let Some(mut block) = slot.take() else { continue };
            for slot in &mut block.slots {
                pool.pages.extend(slot.page.take());
                slot.stamp = 0;
            }
            pool.blocks.push(block);
        }
        (self.held, self.epoch) = (Held::default(), 1);
    }

    /// Returns all pages to their pool.
    pub fn release_pages(&mut self, pools: &mut Pools)
    where
        T: Pooled,
    {
        self.release(T::pool(pools));
    }

    /// Adds the pages that entries for `nodes` nodes need, and a directory block per page if they are far apart.
    pub fn count_pages(&self, nodes: usize, needs: &mut PageCounts)
    where
        T: Pooled,
    {
        let (pages, blocks) = (nodes.min(self.bound).div_ceil(PAGE), self.top.len());
        let [all_pages, all_blocks] = T::needs(needs);
        (*all_pages, *all_blocks) = (*all_pages + pages, *all_blocks + pages.min(blocks));
    }

    /// Returns all entries on pages written since the last clear, ordered by number.
    pub fn live(&self) -> impl Iterator<Item = (usize, T)> + '_ {
        self.top.iter().enumerate().flat_map(move |(b, block)| {
            let block = block.as_deref();
            (0..BLOCK).flat_map(move |p| {
                let slot = block.map(|block| &block.slots[p]).filter(|slot| slot.stamp == self.epoch);
                let page = slot.and_then(|slot| slot.page.as_deref());
                let first = (b * BLOCK + p) * PAGE;
                page.into_iter().flatten().enumerate().map(move |(k, &entry)| (first + k, entry))
            })
        })
    }

    /// Returns the bound of the entry numbers.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.top.capacity() * size_of::<Option<Box<Block<T>>>>()
            + self.held.blocks * size_of::<Block<T>>()
            + self.held.pages * size_of::<[T; PAGE]>()
    }
}

/// An array that grows by pages and never moves its entries. For lists with dense indices, so one directory level
/// suffices.
#[derive(Clone, Debug)]
pub(super) struct Chunks<T> {
    chunks: Vec<Page<T>>,
    /// Initial capacity of the directory.
    room: usize,
}

impl<T: Copy> Chunks<T> {
    /// Creates an array for at most `bound` entries. Its directory has space for 16,384 of them before it grows.
    pub(super) fn new(bound: usize) -> Self {
        let room = bound.div_ceil(PAGE).min(64);
        Self { chunks: Vec::with_capacity(room), room }
    }

    /// Adds the page of entry `i`, the first that does not exist.
    #[inline]
    pub(super) fn grow_to(&mut self, i: usize, blank: T, pool: &mut Pool<T>) {
        if i / PAGE >= self.chunks.len() {
            pool.page_faults += 1;
            self.chunks.push(pool.pages.pop().unwrap_or_else(|| Box::new([blank; PAGE])));
        }
    }

    /// Returns the first page, if there is one.
    #[inline]
    pub(super) fn first(&mut self) -> Option<&mut [T; PAGE]> {
        self.chunks.first_mut().map(|page| &mut **page)
    }

    #[inline]
    pub(super) fn get(&self, i: usize) -> &T {
        &self.chunks[i / PAGE][i % PAGE]
    }

    #[inline]
    pub(super) fn at(&mut self, i: usize) -> &mut T {
        &mut self.chunks[i / PAGE][i % PAGE]
    }

    /// Returns the four entries from `i` on, which must be a multiple of four.
    #[inline]
    pub(super) fn four(&self, i: usize) -> &[T; 4] {
        let (fours, _) = self.chunks[i / PAGE].as_chunks::<4>();
        &fours[i % PAGE / 4]
    }

    pub(super) fn release_pages(&mut self, pools: &mut Pools)
    where
        T: Pooled,
    {
        T::pool(pools).pages.append(&mut self.chunks);
        self.chunks.shrink_to(self.room);
    }

    /// Adds the pages that `nodes` entries need.
    #[expect(clippy::unused_self, reason = "asked like tables, whose needs depend on their bound")]
    pub(super) fn count_pages(&self, nodes: usize, needs: &mut PageCounts)
    where
        T: Pooled,
    {
        // One additional page if the list does not start at the first position.
        T::needs(needs)[0] += nodes.div_ceil(PAGE) + 1;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<Page<T>>() + self.chunks.len() * size_of::<[T; PAGE]>()
    }
}

/// Spare pages of one kind.
#[derive(Debug)]
pub struct Pool<T> {
    pages: Vec<Page<T>>,
    blocks: Vec<Box<Block<T>>>,
    /// Number of pages allocated or cleared since the last query.
    page_faults: u64,
}

impl<T: Copy> Pool<T> {
    const fn new() -> Self {
        Self { pages: Vec::new(), blocks: Vec::new(), page_faults: 0 }
    }

    /// Reserves pages and directory blocks.
    fn reserve(&mut self, [pages, blocks]: [usize; 2], blank: T) {
        while self.pages.len() < pages {
            self.pages.push(Box::new([blank; PAGE]));
        }
        while self.blocks.len() < blocks {
            self.blocks.push(Block::new());
        }
    }
}

/// A type that is stored on pages. Each type has its own pool.
pub trait Pooled: Copy {
    /// Returns the pool of this type.
    fn pool(pools: &mut Pools) -> &mut Pool<Self>;

    /// Returns the numbers of pages and directory blocks of this type.
    fn needs(needs: &mut PageCounts) -> &mut [usize; 2];
}

/// Defines the types that are stored on pages.
macro_rules! pools {
    ($($visible:vis $pool:ident: $kind:ty = $blank:expr;)*) => {
        /// Spare pages of all kinds.
        #[derive(Debug)]
        pub struct Pools {
            $($visible $pool: Pool<$kind>,)*
        }

        /// Numbers of pages and directory blocks of each kind.
        #[derive(Clone, Debug, Default)]
        pub struct PageCounts {
            $($pool: [usize; 2],)*
        }

        impl Pools {
            /// Creates empty pools.
            pub const fn new() -> Self {
                Self { $($pool: Pool::new(),)* }
            }

            /// Reserves spare pages, so that steps that need no more do not allocate.
            pub fn reserve(&mut self, needs: &PageCounts) {
                $(self.$pool.reserve(needs.$pool, $blank);)*
            }

            /// Returns the number of pages allocated or cleared since the last call.
            pub(crate) fn page_faults(&mut self) -> u64 {
                [$(&mut self.$pool.page_faults,)*].into_iter().map(core::mem::take).sum()
            }
        }

        $(impl Pooled for $kind {
            #[inline]
            fn pool(pools: &mut Pools) -> &mut Pool<Self> {
                &mut pools.$pool
            }

            fn needs(needs: &mut PageCounts) -> &mut [usize; 2] {
                &mut needs.$pool
            }
        })*
    };
}

pools! {
    pub(super) tree_nodes: TreeNode = TreeNode::BLANK;
    pub(super) adaptive_nodes: AdaptiveNode = AdaptiveNode::BLANK;
    pub(super) links: Link = Link::BLANK;
    pub(super) items: Item<Priority> = Item::blank();
    pub(crate) nodes: NodeId = NodeId::NONE;
    pub(super) costs: Cost = Cost::INF;
    pub(super) edges: Edge = Route::BLANK;
    pub(super) keys: Item<u32> = Item::blank();
    pub(crate) visits: RibsNode = RibsNode::BLANK;
    pub(super) places: Places = Places::NOWHERE;
    pub(super) frames: Frame = Frame::BLANK;
    pub(super) vertices: Vertex = Vertex::BLANK;
    pub(super) repairs: Item<QueueKey> = Item::blank();
    pub(crate) flags: bool = false;
    pub(super) entries: Entry = Entry::BLANK;
    pub(super) heads: u32 = 0;
    pub(super) stops: Stop = Stop::BLANK;
}

impl Default for Pools {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_until_written_and_after_clear() {
        let mut pool = Pool::new();
        let mut table = Pages::new(100_000, 7u8);
        assert_eq!(table.get(99_999), 7);
        assert_eq!(table.get(5_000_000), 7);
        *table.at(99_999, &mut pool) = 1;
        *table.at(3, &mut pool) = 2;
        assert_eq!((table.get(99_999), table.get(3), table.get(4)), (1, 2, 7));
        assert_eq!(table.live().filter(|e| e.1 != 7).collect::<Vec<_>>(), [(3, 2), (99_999, 1)]);
        table.clear();
        assert_eq!((table.get(99_999), table.get(3)), (7, 7));
        assert_eq!(*table.at(3, &mut pool), 7);
        assert_eq!(pool.page_faults, 3);
        assert_eq!(table.held.pages, 2);
    }

    #[test]
    fn epochs_may_wrap() {
        let mut pool = Pool::new();
        let mut table = Pages::new(300, 0u8);
        *table.at(1, &mut pool) = 9;
        table.epoch = u32::MAX;
        *table.at(2, &mut pool) = 8;
        table.clear();
        assert_eq!((table.get(1), table.get(2)), (0, 0));
        assert_eq!(*table.at(1, &mut pool), 0);
    }

    #[test]
    fn released_pages_are_used_again() {
        let mut pool = Pool::new();
        let mut table = Pages::new(1000, 0u8);
        *table.at(1, &mut pool) = 9;
        table.release(&mut pool);
        assert_eq!((table.get(1), table.held.pages, pool.pages.len()), (0, 0, 1));
        let mut other = Pages::new(1000, 0u8);
        assert_eq!(*other.at(700, &mut pool), 0);
        assert!(pool.pages.is_empty() && pool.blocks.is_empty());
    }
}
