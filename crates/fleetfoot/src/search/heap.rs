//! An indexed 4-ary heap on pages: one entry per node, decrease-key and increase-key, no reallocation.

use core::hint::select_unpredictable;

use super::{Chunks, NOWHERE, PAGE, PageCounts, Pool, Pooled, Pools};
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

/// The position of the first item. The four children of an item then start at a multiple of four and are on one
/// page.
const TOP: usize = 3;

/// Returns the position of the parent.
#[inline]
const fn above(place: usize) -> usize {
    place / 4 + 2
}

/// Returns the position of the first of the four children.
#[inline]
const fn below(place: usize) -> usize {
    4 * (place - 2)
}

/// A priority queue of nodes, smallest key first. The caller stores the position of each node: every operation
/// reports moved nodes.
#[derive(Clone, Debug)]
pub(super) struct Heap<K> {
    items: Chunks<Item<K>>,
    /// The position after the last item.
    end: usize,
    /// `true` if the top was taken and its position is still empty.
    is_topless: bool,
}

impl<K: Copy + Ord + Default> Heap<K> {
    /// Creates a heap for at most `bound` nodes.
    pub(super) fn new(bound: usize) -> Self {
        Self { items: Chunks::new(bound.saturating_add(TOP)), end: TOP, is_topless: false }
    }

    /// Clears the heap in O(1). Moves are not reported.
    pub(super) fn clear(&mut self) {
        (self.end, self.is_topless) = (TOP, false);
    }

    /// Returns the number of nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.end - self.first()
    }

    /// Returns `true` if the heap is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the position of the first item.
    #[inline]
    fn first(&self) -> usize {
        TOP + usize::from(self.is_topless)
    }

    /// Returns the node with the smallest key.
    #[inline]
    pub(super) fn peek(&self) -> Option<(NodeId, K)> {
        debug_assert!(!self.is_topless, "taking the top restores the heap");
        (self.end > TOP).then(|| {
            let item = self.item(TOP);
            (item.node, item.key)
        })
    }

    /// Returns the key of the node at `place`.
    pub(super) fn key(&self, place: u32) -> K {
        self.item(place as usize).key
    }

    /// Inserts a node, or changes the key of the node at `place`.
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

    /// Removes the node with the smallest key. The caller must clear its stored position.
    #[inline]
    pub(super) fn pop(&mut self, moved: impl FnMut(NodeId, u32)) -> Option<(NodeId, K)> {
        let top = self.take();
        self.settle(moved);
        top
    }

    /// Takes the node with the smallest key, and leaves its position empty for the next inserted node, which in a
    /// search is often the next to be taken. Until then, or until the heap is [settled](Self::settle), it has no
    /// top.
    #[inline]
    pub(super) fn take(&mut self) -> Option<(NodeId, K)> {
        let top = self.peek()?;
        self.is_topless = true;
        Some(top)
    }

    /// Fills the position of the top if it is empty.
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

    /// Removes the node at the last position, whatever its key, and returns it with that position.
    pub(super) fn take_last(&mut self) -> Option<(NodeId, u32)> {
        debug_assert!(!self.is_topless, "taking the top restores the heap");
        (self.end > TOP).then(|| {
            self.end -= 1;
            (self.item(self.end).node, self.end as u32)
        })
    }

    /// Removes the node at `place`.
    pub(super) fn remove(&mut self, place: u32, moved: impl FnMut(NodeId, u32)) {
        self.fill(place as usize, moved);
    }

    /// Returns all nodes with their keys, unordered.
    pub(super) fn iter(&self) -> impl Iterator<Item = (NodeId, K)> + '_ {
        (self.first()..self.end).map(|place| {
            let item = self.item(place);
            (item.node, item.key)
        })
    }

    /// Returns all pages to the pool.
    pub(super) fn release_pages(&mut self, pools: &mut Pools)
    where
        Item<K>: Pooled,
    {
        self.clear();
        self.items.release_pages(pools);
    }

    /// Returns the number of bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.items.memory_bytes()
    }

    /// Adds the pages that `nodes` nodes need.
    pub(super) fn count_pages(&self, nodes: usize, needs: &mut PageCounts)
    where
        Item<K>: Pooled,
    {
        self.items.count_pages(nodes, needs);
    }

    #[inline]
    fn item(&self, place: usize) -> Item<K> {
        *self.items.get(place)
    }

    /// Fills an unused position with the last item.
    fn fill(&mut self, place: usize, moved: impl FnMut(NodeId, u32)) {
        self.end -= 1;
        if place < self.end {
            self.rekey(place, self.item(self.end), moved);
        }
    }

    /// Replaces an item, and moves the new one to where it belongs.
    #[inline]
    fn rekey(&mut self, place: usize, item: Item<K>, moved: impl FnMut(NodeId, u32)) {
        if self.item(place).key < item.key {
            self.sift_down(place, item, moved);
        } else {
            self.sift_up(place, item, moved);
        }
    }

    fn sift_up(&mut self, place: usize, item: Item<K>, moved: impl FnMut(NodeId, u32)) {
        // Nothing can move above the children of an empty top.
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

/// Access to the items: on any number of pages, or on one page. The second case, with the small look-aheads of most
/// agents, needs no directory and no bounds checks.
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

/// Returns the index of the smallest key among the first `count` items. Four items are compared in two pairs and a
/// final, without branches, since the winner cannot be predicted.
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
