//! An indexed 4-ary heap on pages: one entry per node, decrease- and increase-key, no copying growth.

use core::hint::select_unpredictable;

use super::{Chunks, NOWHERE, Needs, PAGE, Pool, Pooled, Pools};
use crate::id::NodeId;

/// A node and its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<K> {
    key: K,
    node: NodeId,
}

impl<K: Default> Item<K> {
    pub(super) fn blank() -> Self {
        Self { key: K::default(), node: NodeId::NONE }
    }
}

/// The place of the first item: so the four children of an item start at a multiple of four and lie on one page.
const TOP: usize = 3;

/// The place above one that is not the top.
#[inline]
const fn above(place: usize) -> usize {
    place / 4 + 2
}

/// The first of the four places below one.
#[inline]
const fn below(place: usize) -> usize {
    4 * (place - 2)
}

/// A priority queue of nodes with the least key first. Whoever uses it keeps each node's place: every
/// operation reports where nodes have moved to.
#[derive(Clone, Debug)]
pub(super) struct Heap<K> {
    items: Chunks<Item<K>>,
    /// The first place beyond all items.
    end: usize,
    /// Whether the top has been taken and its place is still to be filled.
    is_topless: bool,
}

impl<K: Copy + Ord + Default> Heap<K> {
    /// A heap for at most `bound` nodes.
    pub(super) fn new(bound: usize) -> Self {
        Self { items: Chunks::new(bound.saturating_add(TOP)), end: TOP, is_topless: false }
    }

    /// Empties the heap in O(1). Places are not reported.
    pub(super) fn clear(&mut self) {
        (self.end, self.is_topless) = (TOP, false);
    }

    /// Nodes on the heap.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.end - self.first()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of the first item that is there.
    #[inline]
    fn first(&self) -> usize {
        TOP + usize::from(self.is_topless)
    }

    /// The node with the least key.
    #[inline]
    pub(super) fn peek(&self) -> Option<(NodeId, K)> {
        debug_assert!(!self.is_topless, "whoever takes the top settles the heap");
        (self.end > TOP).then(|| {
            let item = self.item(TOP);
            (item.node, item.key)
        })
    }

    /// The key of the node at `place`.
    pub(super) fn key(&self, place: u32) -> K {
        self.item(place as usize).key
    }

    /// Puts a node, or gives the node at `place` another key.
    #[inline]
    pub(super) fn put(
        &mut self,
        node: NodeId,
        key: K,
        place: u32,
        pool: &mut Pool<Item<K>>,
        moved: impl FnMut(NodeId, u32),
    ) {
        let item = Item { key, node };
        if place != NOWHERE {
            self.rekey(place as usize, item, moved);
        } else if self.is_topless {
            self.is_topless = false;
            self.sift_down(TOP, item, moved);
        } else {
            self.items.grow_to(self.end, Item::blank(), pool);
            self.end += 1;
            self.sift_up(self.end - 1, item, moved);
        }
    }

    /// Takes the node with the least key. The caller notes that it stands nowhere now.
    #[inline]
    pub(super) fn pop(&mut self, moved: impl FnMut(NodeId, u32)) -> Option<(NodeId, K)> {
        let top = self.take();
        self.settle(moved);
        top
    }

    /// Takes the node with the least key, and leaves its place to the next that is put, which in a search is often
    /// the next to be taken. Until then, or until the heap is [settled](Self::settle), it has no top.
    #[inline]
    pub(super) fn take(&mut self) -> Option<(NodeId, K)> {
        let top = self.peek()?;
        self.is_topless = true;
        Some(top)
    }

    /// Fills the top's place if it is still to be filled.
    #[inline]
    pub(super) fn settle(&mut self, moved: impl FnMut(NodeId, u32)) {
        if self.is_topless {
            self.is_topless = false;
            self.end -= 1;
            if self.end > TOP {
                self.sift_down(TOP, self.item(self.end), moved);
            }
        }
    }

    /// Takes the node in the last place, whatever its key, and that place.
    pub(super) fn take_last(&mut self) -> Option<(NodeId, u32)> {
        debug_assert!(!self.is_topless, "whoever takes the top settles the heap");
        (self.end > TOP).then(|| {
            self.end -= 1;
            (self.item(self.end).node, self.end as u32)
        })
    }

    /// Takes the node at `place` off.
    pub(super) fn remove(&mut self, place: u32, moved: impl FnMut(NodeId, u32)) {
        self.fill(place as usize, moved);
    }

    /// All nodes with their keys, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (NodeId, K)> + '_ {
        (self.first()..self.end).map(|place| {
            let item = self.item(place);
            (item.node, item.key)
        })
    }

    /// Gives all pages back.
    pub(super) fn give_back(&mut self, pools: &mut Pools)
    where
        Item<K>: Pooled,
    {
        self.clear();
        self.items.give_back(pools);
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.items.memory_bytes()
    }

    /// Adds the pages that so many nodes take.
    pub(super) fn need(&self, nodes: usize, needs: &mut Needs)
    where
        Item<K>: Pooled,
    {
        self.items.need(nodes, needs);
    }

    #[inline]
    fn item(&self, place: usize) -> Item<K> {
        *self.items.get(place)
    }

    /// Fills a place, whose item is no longer wanted, with the last item.
    fn fill(&mut self, place: usize, moved: impl FnMut(NodeId, u32)) {
        self.end -= 1;
        if place < self.end {
            self.rekey(place, self.item(self.end), moved);
        }
    }

    /// Puts an item in the place of another, and then where it belongs.
    #[inline]
    fn rekey(&mut self, place: usize, item: Item<K>, moved: impl FnMut(NodeId, u32)) {
        if self.item(place).key < item.key {
            self.sift_down(place, item, moved);
        } else {
            self.sift_up(place, item, moved);
        }
    }

    fn sift_up(&mut self, place: usize, item: Item<K>, moved: impl FnMut(NodeId, u32)) {
        // Nothing rises to a top that is yet to be filled: the four places below it are as high as it goes.
        let highest = if self.is_topless { TOP + 4 } else { TOP };
        match self.items.first() {
            Some(page) if self.end <= PAGE => sift_up(page, highest, place, item, moved),
            _ => sift_up(&mut self.items, highest, place, item, moved),
        }
    }

    fn sift_down(&mut self, place: usize, item: Item<K>, moved: impl FnMut(NodeId, u32)) {
        match self.items.first() {
            Some(page) if self.end <= PAGE => sift_down(page, self.end, place, item, moved),
            _ => sift_down(&mut self.items, self.end, place, item, moved),
        }
    }
}

/// Where items are: on any number of pages, or on one, as with the small look-aheads of most agents. There a place is
/// an index that needs neither a look at the directory nor a check.
trait Places<K> {
    fn item(&self, place: usize) -> &Item<K>;
    fn four(&self, place: usize) -> &[Item<K>; 4];
    fn set(&mut self, place: usize, item: Item<K>);
}

impl<K: Copy> Places<K> for Chunks<Item<K>> {
    #[inline]
    fn item(&self, place: usize) -> &Item<K> {
        self.get(place)
    }

    #[inline]
    fn four(&self, place: usize) -> &[Item<K>; 4] {
        Self::four(self, place)
    }

    #[inline]
    fn set(&mut self, place: usize, item: Item<K>) {
        *self.at(place) = item;
    }
}

impl<K: Copy> Places<K> for [Item<K>; PAGE] {
    #[inline]
    fn item(&self, place: usize) -> &Item<K> {
        &self[place % PAGE]
    }

    #[inline]
    fn four(&self, place: usize) -> &[Item<K>; 4] {
        &self.as_chunks::<4>().0[place % PAGE / 4]
    }

    #[inline]
    fn set(&mut self, place: usize, item: Item<K>) {
        self[place % PAGE] = item;
    }
}

#[inline]
fn sift_up<K: Copy + Ord>(
    items: &mut impl Places<K>,
    highest: usize,
    mut place: usize,
    item: Item<K>,
    mut moved: impl FnMut(NodeId, u32),
) {
    while place > highest {
        let other = *items.item(above(place));
        if other.key <= item.key {
            break;
        }
        items.set(place, other);
        moved(other.node, place as u32);
        place = above(place);
    }
    items.set(place, item);
    moved(item.node, place as u32);
}

#[inline]
fn sift_down<K: Copy + Ord>(
    items: &mut impl Places<K>,
    end: usize,
    mut place: usize,
    item: Item<K>,
    mut moved: impl FnMut(NodeId, u32),
) {
    while below(place) < end {
        let children = items.four(below(place));
        let least = least(children, end - below(place));
        let child = children[least];
        if item.key <= child.key {
            break;
        }
        items.set(place, child);
        moved(child.node, place as u32);
        place = below(place) + least;
    }
    items.set(place, item);
    moved(item.node, place as u32);
}

/// Which of the first `count` items has the least key. Of four, two pairs are compared and then their winners, by
/// selection: which one wins no processor can guess.
#[inline]
fn least<K: Copy + Ord>(items: &[Item<K>; 4], count: usize) -> usize {
    let less = |a: usize, b: usize| items[a & 3].key < items[b & 3].key;
    if count >= 4 {
        let (a, b) = (usize::from(less(1, 0)), 2 + usize::from(less(3, 2)));
        select_unpredictable(less(b, a), b, a)
    } else {
        (1..count).fold(0, |least, c| if less(c, least) { c } else { least })
    }
}
