//! Paged tables: an agent pays for what it touches, and starting over is one increment.
//!
//! Pages have a fixed size, never move, and come from a pool that the caller can fill: no step copies a
//! growing table. The directory has two levels, so that an agent on a huge map does not pay for the map.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::adaptive::Twig;
use super::agenda::Places;
use super::field::{Key, Vertex};
use super::heap::Item;
use super::nodes::Branch;
use super::open::Priority;
use super::ring::Link;
use super::route::Route;
use super::sparse::Entry;
use super::stack::Frame;
use super::stored::Stop;
use super::visit::Visit;
use crate::graph::Edge;
use crate::id::{Cost, NodeId};

/// Entries in a page. On grids a page of nodes is a 16×16 tile.
pub const PAGE: usize = 256;
/// Pages in a directory block.
const BLOCK: usize = 64;

type Page<T> = Box<[T; PAGE]>;

#[derive(Clone, Debug)]
struct Block<T> {
    slots: [Slot<T>; BLOCK],
}

#[derive(Clone, Debug)]
struct Slot<T> {
    /// The epoch in which the page was last blanked; another one than now means that it reads as blank.
    stamp: u32,
    page: Option<Page<T>>,
}

impl<T> Block<T> {
    fn new() -> Box<Self> {
        Box::new(Self { slots: [const { Slot { stamp: 0, page: None } }; BLOCK] })
    }
}

/// A table by number, blank until written.
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
    /// Takes or blanks the page.
    #[cold]
    #[inline(never)]
    fn renew(&mut self, blank: T, epoch: u32, held: &mut Held, pool: &mut Pool<T>) {
        let page = self.page.get_or_insert_with(|| {
            held.pages += 1;
            pool.pages.pop().unwrap_or_else(|| Box::new([blank; PAGE]))
        });
        page.fill(blank);
        self.stamp = epoch;
        pool.fills += 1;
    }
}

impl<T: Copy> Pages<T> {
    /// A table for the numbers below `bound`; `blank` is what an entry holds until it is written.
    pub fn new(bound: usize, blank: T) -> Self {
        let top = (0..bound.div_ceil(PAGE * BLOCK)).map(|_| None).collect();
        Self { top, bound, blank, epoch: 1, held: Held::default() }
    }

    /// Makes every entry blank again, in O(1): pages are blanked when they are next written to.
    pub fn clear(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            // Once in four billion searches.
            self.epoch = 1;
            self.top.iter_mut().flatten().flat_map(|block| &mut block.slots).for_each(|slot| slot.stamp = 0);
        }
    }

    /// The entry with this number.
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

    /// The entry with this number, to be written.
    #[inline]
    pub fn at(&mut self, i: usize, pool: &mut Pool<T>) -> &mut T {
        let Self { top, blank, epoch, held, .. } = self;
        // One walk down the directory, whether or not the page must be taken or blanked on the way.
        let block = top[i / (PAGE * BLOCK)].get_or_insert_with(|| held.take_block(pool));
        let slot = &mut block.slots[i / PAGE % BLOCK];
        if slot.stamp != *epoch {
            slot.renew(*blank, *epoch, held, pool);
        }
        let Some(page) = &mut slot.page else { unreachable!("a page is taken before it is stamped") };
        &mut page[i % PAGE]
    }

    /// The same, with a page from the pool of its kind.
    pub fn entry(&mut self, i: usize, pools: &mut Pools) -> &mut T
    where
        T: Pooled,
    {
        self.at(i, T::pool(pools))
    }

    /// The entry with this number, to be written, if its page has been written to since the last clear.
    #[inline]
    pub(super) fn if_live(&mut self, i: usize) -> Option<&mut T> {
        let block = self.top.get_mut(i / (PAGE * BLOCK))?.as_mut()?;
        let slot = &mut block.slots[i / PAGE % BLOCK];
        let page = slot.page.as_mut().filter(|_| slot.stamp == self.epoch)?;
        Some(&mut page[i % PAGE])
    }

    /// An entry on a page that has been written to since the last clear.
    #[inline]
    pub(super) fn there(&mut self, i: usize) -> &mut T {
        let Some(block) = &mut self.top[i / (PAGE * BLOCK)] else { unreachable!("written to before") };
        let Some(page) = &mut block.slots[i / PAGE % BLOCK].page else { unreachable!("written to before") };
        &mut page[i % PAGE]
    }

    /// Gives all pages back to the pool; everything is blank afterwards.
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

    /// Gives all pages back to their pool.
    pub fn give_back(&mut self, pools: &mut Pools)
    where
        T: Pooled,
    {
        self.release(T::pool(pools));
    }

    /// Adds the pages that entries for so many nodes take, and a directory for each where they lie far apart.
    pub fn need(&self, nodes: usize, needs: &mut Needs)
    where
        T: Pooled,
    {
        let (pages, blocks) = (nodes.min(self.bound).div_ceil(PAGE), self.top.len());
        let [all_pages, all_blocks] = T::needs(needs);
        (*all_pages, *all_blocks) = (*all_pages + pages, *all_blocks + pages.min(blocks));
    }

    /// All entries on pages written to since the last clear, in order of their numbers.
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

    /// The numbers below this are the table's.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.top.capacity() * size_of::<Option<Box<Block<T>>>>()
            + self.held.blocks * size_of::<Block<T>>()
            + self.held.pages * size_of::<[T; PAGE]>()
    }
}

/// An array that grows by pages and never moves what it holds: for lists, whose numbers are dense from 0 on,
/// so that one level of directory will do.
#[derive(Clone, Debug)]
pub(super) struct Chunks<T> {
    chunks: Vec<Page<T>>,
    /// Room in the directory to begin with.
    room: usize,
}

impl<T: Copy> Chunks<T> {
    /// An array for at most `bound` entries. Its directory has room for 16,384 of them before it grows.
    pub(super) fn new(bound: usize) -> Self {
        let room = bound.div_ceil(PAGE).min(64);
        Self { chunks: Vec::with_capacity(room), room }
    }

    /// Makes sure of entry `i`, the first that is not there.
    #[inline]
    pub(super) fn grow_to(&mut self, i: usize, blank: T, pool: &mut Pool<T>) {
        if i / PAGE >= self.chunks.len() {
            pool.fills += 1;
            self.chunks.push(pool.pages.pop().unwrap_or_else(|| Box::new([blank; PAGE])));
        }
    }

    /// The first page, if there is one.
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

    /// The four entries from `i` on, a multiple of four.
    #[inline]
    pub(super) fn four(&self, i: usize) -> &[T; 4] {
        let (fours, _) = self.chunks[i / PAGE].as_chunks::<4>();
        &fours[i % PAGE / 4]
    }

    pub(super) fn give_back(&mut self, pools: &mut Pools)
    where
        T: Pooled,
    {
        T::pool(pools).pages.append(&mut self.chunks);
        self.chunks.shrink_to(self.room);
    }

    /// Adds the pages that so many entries take.
    #[expect(clippy::unused_self, reason = "asked like tables, whose needs depend on their bound")]
    pub(super) fn need(&self, nodes: usize, needs: &mut Needs)
    where
        T: Pooled,
    {
        // One more for a list that does not begin at its first place.
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
    /// Pages taken or blanked since last asked.
    fills: u64,
}

impl<T: Copy> Pool<T> {
    const fn new() -> Self {
        Self { pages: Vec::new(), blocks: Vec::new(), fills: 0 }
    }

    /// Makes sure of so many spare pages and directory blocks.
    fn reserve(&mut self, [pages, blocks]: [usize; 2], blank: T) {
        while self.pages.len() < pages {
            self.pages.push(Box::new([blank; PAGE]));
        }
        while self.blocks.len() < blocks {
            self.blocks.push(Block::new());
        }
    }
}

/// What can lie on pages: there is a pool for each kind.
pub trait Pooled: Copy {
    /// The pool of this kind.
    fn pool(pools: &mut Pools) -> &mut Pool<Self>;

    /// How many pages of this kind are needed, and how many directory blocks.
    fn needs(needs: &mut Needs) -> &mut [usize; 2];
}

/// Declares the kinds of pages: each once.
macro_rules! pools {
    ($($visible:vis $pool:ident: $kind:ty = $blank:expr;)*) => {
        /// The spare pages of every kind that planners use.
        #[derive(Debug)]
        pub struct Pools {
            $($visible $pool: Pool<$kind>,)*
        }

        /// Pages of every kind, and directory blocks for them, that a planner takes.
        #[derive(Clone, Debug, Default)]
        pub struct Needs {
            $($pool: [usize; 2],)*
        }

        impl Pools {
            /// Empty pools.
            pub const fn new() -> Self {
                Self { $($pool: Pool::new(),)* }
            }

            /// Makes sure of so many spare pages, so that steps which need no more allocate nothing.
            pub fn reserve(&mut self, needs: &Needs) {
                $(self.$pool.reserve(needs.$pool, $blank);)*
            }

            /// Pages taken or blanked since this was last asked.
            pub(crate) fn fills(&mut self) -> u64 {
                [$(&mut self.$pool.fills,)*].into_iter().map(core::mem::take).sum()
            }
        }

        $(impl Pooled for $kind {
            #[inline]
            fn pool(pools: &mut Pools) -> &mut Pool<Self> {
                &mut pools.$pool
            }

            fn needs(needs: &mut Needs) -> &mut [usize; 2] {
                &mut needs.$pool
            }
        })*
    };
}

pools! {
    pub(super) branches: Branch = Branch::BLANK;
    pub(super) twigs: Twig = Twig::BLANK;
    pub(super) links: Link = Link::BLANK;
    pub(super) items: Item<Priority> = Item::blank();
    pub(crate) nodes: NodeId = NodeId::NONE;
    pub(super) costs: Cost = Cost::INF;
    pub(super) edges: Edge = Route::BLANK;
    pub(super) keys: Item<u32> = Item::blank();
    pub(crate) visits: Visit = Visit::BLANK;
    pub(super) places: Places = Places::NOWHERE;
    pub(super) frames: Frame = Frame::BLANK;
    pub(super) vertices: Vertex = Vertex::BLANK;
    pub(super) repairs: Item<Key> = Item::blank();
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
        assert_eq!(pool.fills, 3);
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
