//! A bounded queue of nodes by urgency, without duplicates.

use alloc::vec::Vec;

use super::heap::Heap;
use super::open::Priority;
use super::{NOWHERE, Pages, PlannerPart, Pools, pages};
use crate::graph::Limits;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The positions of a node on the two heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    first: u32,
    last: u32,
}

impl Places {
    pub(super) const NOWHERE: Self = Self { first: NOWHERE, last: NOWHERE };
}

/// A double-ended priority queue: the most urgent node is next, and the least urgent one is dropped if the queue is
/// full. It uses two heaps, so all operations are logarithmic. Ties are first in, first out.
#[derive(Clone, Debug)]
pub(crate) struct UrgencyQueue {
    /// The most urgent node on top.
    first: Heap<Priority>,
    /// The least urgent node on top.
    last: Heap<Priority>,
    places: Pages<Places>,
    /// Number of insertions so far, to break ties.
    puts: u64,
}

impl UrgencyQueue {
    /// Creates an empty queue for `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        let places = Pages::new(bound, Places::NOWHERE);
        Self { first: Heap::new(bound), last: Heap::new(bound), places, puts: 0 }
    }

    /// Clears the queue, in O(1).
    pub(crate) fn clear(&mut self) {
        self.first.clear();
        self.last.clear();
        self.places.clear();
        self.puts = 0;
    }

    /// Returns the number of nodes on the queue.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// Returns `true` if the queue is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Inserts a node, or increases its urgency if it is on the queue and less urgent. If the queue holds `room`
    /// nodes, the least urgent one is dropped, or `n` is ignored if it is not more urgent.
    pub(crate) fn put(&mut self, n: NodeId, urgency: Cost, room: u64, pools: &mut Pools) {
        let places = self.places.get(n.index());
        if places.first != NOWHERE {
            let (rank, order) = self.first.key(places.first).rank_and_order();
            if urgency.raw() > !rank {
                self.set(n, urgency, order, pools);
            }
            return;
        }
        if self.len() as u64 >= room {
            let Some((least, key)) = self.last.peek() else { return };
            if urgency.raw() <= key.rank_and_order().0 {
                return;
            }
            self.remove(least);
        }
        self.set(n, urgency, self.puts, pools);
        self.puts += 1;
    }

    /// Removes and returns the most urgent node.
    pub(crate) fn pop(&mut self) -> Option<NodeId> {
        let (n, _) = self.first.peek()?;
        self.remove(n);
        Some(n)
    }

    /// Sets the keys of `n` on both heaps.
    fn set(&mut self, n: NodeId, urgency: Cost, order: u64, pools: &mut Pools) {
        let Self { first, last, places, .. } = self;
        let Places { first: before, last: behind } = *places.at(n.index(), &mut pools.places);
        let (soon, late) = (Priority::ranked(!urgency.raw(), order), Priority::ranked(urgency.raw(), !order));
        first.put(n, soon, before, &mut pools.items, |n, place| places.live_mut(n.index()).first = place);
        last.put(n, late, behind, &mut pools.items, |n, place| places.live_mut(n.index()).last = place);
    }

    fn remove(&mut self, n: NodeId) {
        let Self { first, last, places, .. } = self;
        let at = places.get(n.index());
        first.remove(at.first, |n, place| places.live_mut(n.index()).first = place);
        last.remove(at.last, |n, place| places.live_mut(n.index()).last = place);
        *places.live_mut(n.index()) = Places::NOWHERE;
    }
}

impl PlannerPart for UrgencyQueue {
    fn write(&self, out: &mut dyn SaveWriter) {
        let key = |(n, key): (NodeId, Priority)| (key.rank_and_order().1, n, !key.rank_and_order().0);
        let mut all: Vec<_> = self.first.iter().map(key).collect();
        all.sort_unstable();
        out.u32(all.len() as u32);
        for (_, n, urgency) in all {
            out.node(n);
            out.u32(urgency);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.places.bound()), &mut Pools::new());
        self.clear();
        let len = from.len(8)?;
        for k in 0..len {
            let (n, urgency) = (from.node(limits)?, from.cost()?);
            self.put(n, urgency, u64::MAX, pools);
            if self.len() != k + 1 {
                return Err(SaveError::new("its queue has a state twice"));
            }
        }
        Ok(())
    }

    pages! { paged: first, last, places; others: puts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Compares the queue with a plain list.
    #[test]
    fn it_does_what_a_list_does() {
        let (mut pools, mut x) = (Pools::new(), 1u64);
        let mut random = |below: u64| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) % below
        };
        for room in [0, 1, 2, 5, 40] {
            let mut agenda = UrgencyQueue::new(1000);
            let mut list: Vec<(u64, NodeId)> = vec![];
            for _ in 0..3000 {
                if random(3) == 0 {
                    let most = list.iter().map(|e| e.0).max();
                    let k = list.iter().position(|e| Some(e.0) == most);
                    assert_eq!(agenda.pop(), k.map(|k| list.remove(k).1));
                } else {
                    let (n, urgency) = (NodeId::new(random(60) as u32), 1 + random(9));
                    agenda.put(n, Cost::new(urgency as u32), room, &mut pools);
                    let least = list.iter().map(|e| e.0).min();
                    if let Some(entry) = list.iter_mut().find(|e| e.1 == n) {
                        entry.0 = entry.0.max(urgency);
                    } else if (list.len() as u64) < room {
                        list.push((urgency, n));
                    } else if let Some(k) = list.iter().rposition(|e| Some(e.0) == least && e.0 < urgency) {
                        list.remove(k);
                        list.push((urgency, n));
                    }
                }
                assert!(agenda.len() == list.len() && agenda.len() as u64 <= room);
            }
            let (mut saved, mut again) = (vec![], UrgencyQueue::new(1000));
            agenda.write(&mut saved);
            again.read(&Limits::new(1000, Cost::new(1)), &mut SaveReader::new(&saved)).unwrap();
            while let Some(n) = agenda.pop() {
                assert_eq!(again.pop(), Some(n));
            }
            assert!(again.is_empty());
        }
    }
}
