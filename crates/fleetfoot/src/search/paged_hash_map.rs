//! A map from pairs of a subgoal and a node to learned values, for few values that are far apart.
//!
//! Linear hashing (Litwin 1980) on pages from the pool: it grows one bucket at a time, so no insertion moves the
//! whole map, and its size depends on the number of values, not on the size of the game map.

use super::{Chunks, PlannerPart, Pools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// Initial number of buckets.
const LEAST: u32 = 8;
/// Number of values for which the directories have space initially.
const ROOM: usize = 16_384;
/// The end of a chain.
const NIL: u32 = u32::MAX;

/// A value, and the next entry of its bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    goal: NodeId,
    node: NodeId,
    value: Cost,
    next: u32,
}

impl Entry {
    pub(super) const BLANK: Self =
        Self { goal: NodeId::NONE, node: NodeId::NONE, value: Cost::ZERO, next: NIL };
}

/// A map from pairs of a subgoal and a node to values.
#[derive(Clone, Debug)]
pub(crate) struct PagedHashMap {
    entries: Chunks<Entry>,
    len: u32,
    /// The first entry of each bucket.
    heads: Chunks<u32>,
    buckets: u32,
    /// The smallest power of two that is at least `buckets`, minus one.
    mask: u32,
}

impl PagedHashMap {
    /// Creates an empty map. Pages are allocated with the first value. The directories grow beyond 16,384 values.
    pub(crate) fn new() -> Self {
        Self { entries: Chunks::new(ROOM), len: 0, heads: Chunks::new(ROOM), buckets: 0, mask: 0 }
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Clears the map, in O(1).
    pub(crate) fn clear(&mut self) {
        (self.len, self.buckets, self.mask) = (0, 0, 0);
    }

    /// Returns the value of a node for a subgoal, if there is one.
    #[inline]
    pub(crate) fn get(&self, goal: NodeId, node: NodeId) -> Option<Cost> {
        if self.len == 0 {
            return None;
        }
        self.find(goal, node).map(|k| self.entries.get(k as usize).value)
    }

    /// Sets the value of a node for a subgoal.
    pub(crate) fn set(&mut self, goal: NodeId, node: NodeId, value: Cost, pools: &mut Pools) {
        if let Some(k) = self.find(goal, node) {
            self.entries.at(k as usize).value = value;
        } else {
            self.add(goal, node, value, pools);
        }
    }

    /// Returns the index of the entry, inserting a zero entry if there is none.
    #[inline]
    pub(crate) fn find_or_add(&mut self, goal: NodeId, node: NodeId, pools: &mut Pools) -> u32 {
        match self.find(goal, node) {
            Some(k) => k,
            None => self.add(goal, node, Cost::ZERO, pools),
        }
    }

    /// Adds an entry, and returns its index.
    fn add(&mut self, goal: NodeId, node: NodeId, value: Cost, pools: &mut Pools) -> u32 {
        while self.buckets < LEAST || self.buckets < self.len {
            self.split(pools);
        }
        let (bucket, k) = (self.bucket(goal, node), self.len);
        self.entries.grow_to(k as usize, Entry::BLANK, &mut pools.entries);
        let head = self.heads.at(bucket as usize);
        *self.entries.at(k as usize) = Entry { goal, node, value, next: *head };
        *head = k;
        self.len += 1;
        k
    }

    /// Returns the node and the value of the k-th entry.
    #[inline]
    pub(crate) fn entry(&self, k: usize) -> (NodeId, Cost) {
        let entry = self.entries.get(k);
        (entry.node, entry.value)
    }

    /// Sets the value of the k-th entry.
    pub(crate) fn replace(&mut self, k: usize, value: Cost) {
        self.entries.at(k).value = value;
    }

    /// Returns the index of the entry of a node for a subgoal.
    #[inline]
    pub(crate) fn find(&self, goal: NodeId, node: NodeId) -> Option<u32> {
        if self.buckets == 0 {
            return None;
        }
        let mut k = *self.heads.get(self.bucket(goal, node) as usize);
        while k != NIL {
            let entry = self.entries.get(k as usize);
            if entry.node == node && entry.goal == goal {
                return Some(k);
            }
            k = entry.next;
        }
        None
    }

    /// Returns the bucket of a key: as many bits of its hash as the number of buckets requires, one less if that
    /// bucket does not exist yet.
    #[inline]
    fn bucket(&self, goal: NodeId, node: NodeId) -> u32 {
        // Sixteen consecutive nodes have sixteen consecutive buckets, so that a step reads few cache lines. The
        // first bucket of the sixteen, and the order within them, come from the upper half of a product, which
        // depends on all bits; otherwise vertical corridors would collide.
        let key = u64::from(goal.raw()) << 32 | u64::from(node.raw() >> 4);
        let row = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        let hash = row << 4 | (node.raw().wrapping_add(row >> 28) & 15);
        let bucket = hash & self.mask;
        if bucket < self.buckets { bucket } else { bucket & (self.mask >> 1) }
    }

    /// Adds a bucket, and moves entries to it from the bucket that is split.
    fn split(&mut self, pools: &mut Pools) {
        let new = self.buckets;
        self.heads.grow_to(new as usize, NIL, &mut pools.heads);
        *self.heads.at(new as usize) = NIL;
        self.buckets += 1;
        self.mask = self.buckets.next_power_of_two() - 1;
        if new == 0 {
            return;
        }
        let old = new & (self.mask >> 1);
        let mut k = core::mem::replace(self.heads.at(old as usize), NIL);
        while k != NIL {
            let Entry { goal, node, next, .. } = *self.entries.get(k as usize);
            let bucket = self.bucket(goal, node);
            self.entries.at(k as usize).next = core::mem::replace(self.heads.at(bucket as usize), k);
            k = next;
        }
    }
}

impl PlannerPart for PagedHashMap {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.len);
        for k in 0..self.len {
            let Entry { goal, node, value, .. } = *self.entries.get(k as usize);
            out.node(goal);
            out.node(node);
            out.cost(value);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let pools = &mut Pools::new();
        self.clear();
        for _ in 0..from.len(12)? {
            let (goal, node, value) = (from.node(limits)?, from.node(limits)?, from.cost()?);
            if self.get(goal, node).is_some() {
                return Err(SaveError::new("a learned value is there twice"));
            }
            self.set(goal, node, value, pools);
        }
        Ok(())
    }

    pages! { paged: entries, heads; others: len, buckets, mask }
}

impl Default for PagedHashMap {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::splitmix64;
    use std::collections::HashMap;
    use std::vec::Vec;

    #[test]
    fn it_is_a_map() {
        let mut pools = Pools::new();
        let (mut sparse, mut model) = (PagedHashMap::new(), HashMap::new());
        let mut x = 1_u64;
        for round in 0..3 {
            for _ in 0..[20_000, 5, 700][round] {
                x = splitmix64(x.wrapping_add(0x9e37_79b9_7f4a_7c15));
                let (goal, node) = (NodeId::new(x as u32 % 40), NodeId::new((x >> 32) as u32 % 900));
                let value = Cost::new((x >> 20) as u32 % 1000);
                assert_eq!(sparse.get(goal, node), model.get(&(goal.raw(), node.raw())).copied());
                sparse.set(goal, node, value, &mut pools);
                model.insert((goal.raw(), node.raw()), value);
                assert_eq!(sparse.get(goal, node), Some(value));
            }
            assert_eq!(sparse.len(), model.len());
            let all = (0..40).flat_map(|g| (0..900).map(move |n| (g, n)));
            assert!(
                all.into_iter().all(|(g, n)| {
                    sparse.get(NodeId::new(g), NodeId::new(n)) == model.get(&(g, n)).copied()
                })
            );
            let mut bytes = Vec::new();
            sparse.write(&mut bytes);
            let mut copy = PagedHashMap::new();
            copy.read(&Limits::new(900, Cost::new(1)), &mut SaveReader::new(&bytes)).unwrap();
            assert!(model.iter().all(|(&(g, n), &v)| copy.get(NodeId::new(g), NodeId::new(n)) == Some(v)));
            if round == 0 {
                sparse.clear();
            } else {
                sparse.release_pages(&mut pools);
            }
            model.clear();
        }
    }
}
