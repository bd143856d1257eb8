//! A queue of nodes whose learned value has decreased and whose predecessors were not updated, lowest value first.

use alloc::vec::Vec;

use super::heap::Heap;
use super::open::Priority;
use super::{NOWHERE, Pages, PlannerPart, Pools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A priority queue with one entry per node. Ties are first in, first out.
#[derive(Clone, Debug)]
pub(crate) struct Fallen {
    heap: Heap<Priority>,
    places: Pages<u32>,
    /// Number of insertions so far, to break ties.
    puts: u64,
}

impl Fallen {
    /// Creates an empty queue for `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        Self { heap: Heap::new(bound), places: Pages::new(bound, NOWHERE), puts: 0 }
    }

    /// Clears the queue, in O(1).
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
        self.places.clear();
        self.puts = 0;
    }

    /// Returns `true` if the queue is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Inserts a node, or changes its value.
    pub(crate) fn put(&mut self, n: NodeId, value: Cost, pools: &mut Pools) {
        let Self { heap, places, puts } = self;
        let place = *places.at(n.index(), &mut pools.heads);
        let key = Priority::ranked(value.raw(), *puts);
        *puts += 1;
        heap.put(n, key, place, &mut pools.items, |n, place| *places.live_mut(n.index()) = place);
    }

    /// Removes the node with the lowest value, and returns it with its value.
    pub(crate) fn pop(&mut self) -> Option<(NodeId, Cost)> {
        let Self { heap, places, .. } = self;
        let (n, key) = heap.pop(|n, place| *places.live_mut(n.index()) = place)?;
        *places.live_mut(n.index()) = NOWHERE;
        Some((n, Cost::new(key.rank_and_order().0)))
    }
}

impl PlannerPart for Fallen {
    fn write(&self, out: &mut dyn SaveWriter) {
        let key = |(n, key): (NodeId, Priority)| (key.rank_and_order().1, n, key.rank_and_order().0);
        let mut all: Vec<_> = self.heap.iter().map(key).collect();
        all.sort_unstable();
        out.u32(all.len() as u32);
        for (_, n, value) in all {
            out.node(n);
            out.u32(value);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.places.bound()), &mut Pools::new());
        self.clear();
        for _ in 0..from.len(8)? {
            let (n, value) = (from.node(limits)?, from.cost()?);
            if !value.is_finite() || self.places.get(n.index()) != NOWHERE {
                return Err(SaveError::new("a state on its queue has no value or is there twice"));
            }
            self.put(n, value, pools);
        }
        Ok(())
    }

    pages! { paged: heap, places; others: puts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::vec;

    /// Compares the queue with a plain map.
    #[test]
    fn pops_the_lowest_of_what_was_put() {
        let (mut pools, mut x) = (Pools::new(), 7u64);
        let mut random = |below: u64| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) % below
        };
        let (mut queue, mut plain) = (Fallen::new(500), BTreeMap::new());
        for k in 0..5000 {
            if random(3) == 0 {
                let lowest = plain.iter().min_by_key(|(_, key)| **key).map(|(n, (value, _))| (*n, *value));
                assert_eq!(queue.pop(), lowest);
                plain.retain(|n, _| lowest.is_none_or(|(lowest, _)| *n != lowest));
            } else {
                let (n, value) = (NodeId::new(random(300) as u32), Cost::new(random(40) as u32));
                queue.put(n, value, &mut pools);
                plain.insert(n, (value, k));
            }
            assert_eq!(queue.is_empty(), plain.is_empty());
        }
        let (mut saved, mut again) = (vec![], Fallen::new(500));
        queue.write(&mut saved);
        again.read(&Limits::new(500, Cost::new(1)), &mut SaveReader::new(&saved)).unwrap();
        while let Some(popped) = queue.pop() {
            assert_eq!(again.pop(), Some(popped));
        }
        assert!(again.is_empty());
    }
}
