//! An indexed 4-ary heap on pages: one entry per node, decrease- and increase-key, no copying growth.

use super::{Chunks, NOWHERE, Pool};
use crate::id::NodeId;

/// A node and its key.
#[derive(Clone, Copy, Debug)]
pub struct Item<K> {
    key: K,
    node: NodeId,
}

impl<K: Default> Item<K> {
    pub(super) fn blank() -> Self {
        Self { key: K::default(), node: NodeId::NONE }
    }
}

/// Items are stored from here on, so that the four children of an item start at a multiple of four and lie
/// on one page.
const FIRST: usize = 3;

/// A priority queue of nodes with the least key first. Whoever uses it keeps each node's place: every
/// operation reports where nodes have moved to.
#[derive(Clone, Debug)]
pub struct Heap<K> {
    items: Chunks<Item<K>>,
    len: usize,
}

impl<K: Copy + Ord + Default> Heap<K> {
    /// A heap for at most `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { items: Chunks::new(bound + FIRST), len: 0 }
    }

    /// Empties the heap in O(1). Places are not reported.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Nodes on the heap.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The node with the least key.
    #[inline]
    pub fn peek(&self) -> Option<(NodeId, K)> {
        (self.len > 0).then(|| {
            let item = self.item(0);
            (item.node, item.key)
        })
    }

    /// The key of the node at `place`.
    pub(super) fn key(&self, place: u32) -> K {
        self.item(place as usize).key
    }

    /// Puts a node, or gives the node at `place` another key.
    #[inline]
    pub fn put(
        &mut self,
        node: NodeId,
        key: K,
        place: u32,
        pool: &mut Pool<Item<K>>,
        moved: impl FnMut(NodeId, u32),
    ) {
        let item = Item { key, node };
        if place == NOWHERE {
            let last = self.len;
            self.len += 1;
            self.items.grow_to(last + FIRST, Item::blank(), pool);
            self.sift_up(last, item, moved);
        } else if self.item(place as usize).key < key {
            self.sift_down(place as usize, item, moved);
        } else {
            self.sift_up(place as usize, item, moved);
        }
    }

    /// Takes the node with the least key. The caller notes that it stands nowhere now.
    #[inline]
    pub fn pop(&mut self, moved: impl FnMut(NodeId, u32)) -> Option<(NodeId, K)> {
        let top = self.peek()?;
        self.len -= 1;
        if self.len > 0 {
            let last = self.item(self.len);
            self.sift_down(0, last, moved);
        }
        Some(top)
    }

    /// Takes the node at `place` off.
    pub fn remove(&mut self, place: u32, moved: impl FnMut(NodeId, u32)) {
        let place = place as usize;
        self.len -= 1;
        if place < self.len {
            let last = self.item(self.len);
            if last.key < self.item(place).key {
                self.sift_up(place, last, moved);
            } else {
                self.sift_down(place, last, moved);
            }
        }
    }

    /// All nodes with their keys, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, K)> + '_ {
        (0..self.len).map(|i| {
            let item = self.item(i);
            (item.node, item.key)
        })
    }

    /// Gives all pages back.
    pub fn release(&mut self, pool: &mut Pool<Item<K>>) {
        self.len = 0;
        self.items.release(pool);
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.items.memory_bytes()
    }

    #[inline]
    fn item(&self, i: usize) -> Item<K> {
        *self.items.get(i + FIRST)
    }

    #[inline]
    fn set(&mut self, i: usize, item: Item<K>) {
        *self.items.at(i + FIRST) = item;
    }

    #[inline]
    fn sift_up(&mut self, mut i: usize, item: Item<K>, mut moved: impl FnMut(NodeId, u32)) {
        while i > 0 {
            let above = (i - 1) / 4;
            let other = self.item(above);
            if other.key <= item.key {
                break;
            }
            self.set(i, other);
            moved(other.node, i as u32);
            i = above;
        }
        self.set(i, item);
        moved(item.node, i as u32);
    }

    #[inline]
    fn sift_down(&mut self, mut i: usize, item: Item<K>, mut moved: impl FnMut(NodeId, u32)) {
        loop {
            let first = 4 * i + 1;
            if first >= self.len {
                break;
            }
            let children = self.items.four(first + FIRST);
            let count = self.len - first;
            let (mut least, mut child) = (0, children[0]);
            for (c, other) in children.iter().enumerate().skip(1) {
                if c < count && other.key < child.key {
                    (least, child) = (c, *other);
                }
            }
            if item.key <= child.key {
                break;
            }
            self.set(i, child);
            moved(child.node, i as u32);
            i = first + least;
        }
        self.set(i, item);
        moved(item.node, i as u32);
    }
}
