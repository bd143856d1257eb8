//! Where a depth-first search stands: the path to it, and what is still to be tried beside that path.

use super::route::Route;
use super::{Chunks, NOWHERE, Part, Pools, pages};
use crate::graph::{Edge, Limits, splitmix64};
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A node of the path; and, apart from that, a bucket of the table that finds nodes on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    node: NodeId,
    g: Cost,
    /// How much was to be tried before this node was reached: its own successors lie above that.
    floor: u32,
    /// The next node, towards the root, in this node's bucket.
    older: u32,
    /// The last node in the bucket that has this frame's number.
    youngest: u32,
}

impl Frame {
    pub(super) const BLANK: Self =
        Self { node: NodeId::NONE, g: Cost::INF, floor: 0, older: NOWHERE, youngest: NOWHERE };
}

/// The path of a depth-first search with the untried successors of its nodes. Memory is linear in the path's length,
/// and so is nothing else: whether a node is on the path is found by linear hashing, which adds one bucket for each
/// node by which the path outgrows all before it.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    frames: Chunks<Frame>,
    len: usize,
    /// Ways to be tried, those of the path's last node on top, the next one topmost.
    untried: Chunks<Edge>,
    waiting: usize,
    buckets: usize,
}

impl Stack {
    /// Empty yet, on a graph with at most `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        Self { frames: Chunks::new(bound), len: 0, untried: Chunks::new(bound), waiting: 0, buckets: 0 }
    }

    /// Forgets everything, in O(1).
    pub(crate) fn clear(&mut self) {
        // A bucket is blanked when it is added.
        (self.len, self.waiting, self.buckets) = (0, 0, 0);
    }

    /// Nodes on the path.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Ways to be tried, along the whole path.
    pub(crate) fn untried(&self) -> usize {
        self.waiting
    }

    /// The path's last node and what it costs to get there.
    pub(crate) fn last(&self) -> Option<(NodeId, Cost)> {
        self.len.checked_sub(1).map(|k| {
            let frame = self.frames.get(k);
            (frame.node, frame.g)
        })
    }

    /// The node so many edges along the path.
    pub(crate) fn node(&self, k: usize) -> Option<NodeId> {
        (k < self.len).then(|| self.frames.get(k).node)
    }

    /// How many edges along the path `n` is, if it is on it.
    pub(crate) fn find(&self, n: NodeId) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let mut k = self.frames.get(self.bucket(n)).youngest;
        while k != NOWHERE && self.frames.get(k as usize).node != n {
            k = self.frames.get(k as usize).older;
        }
        (k != NOWHERE).then_some(k as usize)
    }

    /// Notes a way out of the path's last node, to be tried before those noted already.
    pub(crate) fn note(&mut self, edge: Edge, pools: &mut Pools) {
        self.untried.grow_to(self.waiting, Route::BLANK, &mut pools.edges);
        *self.untried.at(self.waiting) = edge;
        self.waiting += 1;
    }

    /// Has the ways out of the path's last node tried in the order in which they were noted.
    pub(crate) fn reverse_untried(&mut self) {
        let (mut low, mut high) = (self.floor(), self.waiting);
        while low + 1 < high {
            high -= 1;
            let edge = *self.untried.get(low);
            *self.untried.at(low) = *self.untried.get(high);
            *self.untried.at(high) = edge;
            low += 1;
        }
    }

    /// The way to be tried next; none if the path's last node has no more.
    pub(crate) fn peek(&self) -> Option<Edge> {
        (self.waiting > self.floor()).then(|| *self.untried.get(self.waiting - 1))
    }

    /// Takes what [`Stack::peek`] shows off the list and goes there.
    pub(crate) fn advance(&mut self, pools: &mut Pools) {
        if let Some(edge) = self.peek() {
            let g = self.last().map_or(Cost::ZERO, |(_, g)| g);
            self.waiting -= 1;
            self.push(edge.to, g + edge.cost, self.waiting, pools);
        }
    }

    /// Goes back by one node, and forgets what was to be tried from there.
    pub(crate) fn retreat(&mut self) {
        let Some(k) = self.len.checked_sub(1) else { return };
        let Frame { node, floor, older, .. } = *self.frames.get(k);
        let bucket = self.bucket(node);
        // What came last is the youngest in its bucket.
        self.frames.at(bucket).youngest = older;
        (self.len, self.waiting) = (k, floor as usize);
    }

    fn floor(&self) -> usize {
        self.len.checked_sub(1).map_or(0, |k| self.frames.get(k).floor as usize)
    }

    fn push(&mut self, node: NodeId, g: Cost, floor: usize, pools: &mut Pools) {
        let k = self.len;
        self.frames.grow_to(k, Frame::BLANK, &mut pools.frames);
        if self.buckets == k {
            self.add_bucket();
        }
        let bucket = self.bucket(node);
        let older = self.frames.get(bucket).youngest;
        let frame = self.frames.at(k);
        *frame = Frame { node, g, floor: floor as u32, older, youngest: frame.youngest };
        self.frames.at(bucket).youngest = k as u32;
        self.len += 1;
    }

    /// The bucket of a node: as many bits of its hash as there are buckets for, or one bit less.
    fn bucket(&self, n: NodeId) -> usize {
        let mask = self.buckets.next_power_of_two() - 1;
        let bucket = splitmix64(u64::from(n.raw())) as usize & mask;
        if bucket < self.buckets { bucket } else { bucket & (mask >> 1) }
    }

    /// Adds a bucket and moves there what now belongs there, from the one bucket that has had it; each of the two
    /// stays in order.
    fn add_bucket(&mut self) {
        let new = self.buckets;
        self.buckets += 1;
        self.frames.at(new).youngest = NOWHERE;
        let Some(highest) = new.checked_ilog2() else { return };
        let old = new ^ (1 << highest);
        let mut k = core::mem::replace(&mut self.frames.at(old).youngest, NOWHERE);
        let mut ends = [NOWHERE; 2];
        while k != NOWHERE {
            let Frame { node, older, .. } = *self.frames.get(k as usize);
            let bucket = self.bucket(node);
            let end = core::mem::replace(&mut ends[usize::from(bucket == new)], k);
            if end == NOWHERE {
                self.frames.at(bucket).youngest = k;
            } else {
                self.frames.at(end as usize).older = k;
            }
            self.frames.at(k as usize).older = NOWHERE;
            k = older;
        }
    }
}

impl Part for Stack {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.waiting as u32);
        for k in 0..self.waiting {
            let edge = self.untried.get(k);
            out.node(edge.to);
            out.cost(edge.cost);
        }
        out.u32(self.len as u32);
        for k in 0..self.len {
            let frame = self.frames.get(k);
            out.node(frame.node);
            out.cost(frame.g);
            out.u32(frame.floor);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let pools = &mut Pools::new();
        self.clear();
        for _ in 0..from.len(8)? {
            let edge = Edge { to: from.node(limits)?, cost: from.cost()? };
            self.note(edge, pools);
        }
        for _ in 0..from.len(12)? {
            let (node, g, floor) = (from.node(limits)?, from.cost()?, from.u32()? as usize);
            if self.find(node).is_some() || floor < self.floor() || floor > self.waiting {
                return Err(SaveError::new("its path meets itself or forgets what to try"));
            }
            self.push(node, g, floor, pools);
        }
        Ok(())
    }

    pages! { paged: frames, untried; others: len, waiting, buckets }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A path that grows and shrinks at random; every node is found where it is, and no other.
    #[test]
    fn nodes_are_found_where_they_are() {
        let (mut trail, mut pools, mut path) = (Stack::new(5000), Pools::new(), Vec::new());
        for round in 0..4u32 {
            for k in 0..3000 {
                let random = splitmix64(u64::from(3000 * round + k));
                let n = NodeId::new((random >> 40) as u32 % 5000);
                assert_eq!(trail.find(n), path.iter().position(|m| *m == n));
                // Upwards in the first half of a round, downwards in the second.
                if random % 10 < if k < 1500 { 3 } else { 7 } {
                    assert_eq!(path.pop().is_some(), !trail.is_empty());
                    trail.retreat();
                } else if trail.find(n).is_none() {
                    trail.note(Edge { to: n, cost: Cost::new(1) }, &mut pools);
                    trail.advance(&mut pools);
                    path.push(n);
                }
                assert_eq!((trail.len(), trail.last().map(|l| l.0)), (path.len(), path.last().copied()));
            }
            assert!(
                (0..path.len()).all(|k| trail.node(k) == Some(path[k]) && trail.find(path[k]) == Some(k))
            );
            if round == 2 {
                trail.clear();
                path.clear();
            }
        }
    }

    #[test]
    fn ways_are_tried_in_order_and_forgotten_on_the_way_back() {
        let (mut trail, mut pools) = (Stack::new(10), Pools::new());
        let edge = |n| Edge { to: NodeId::new(n), cost: Cost::new(1) };
        trail.note(edge(0), &mut pools);
        trail.advance(&mut pools);
        for n in [1, 2, 3] {
            trail.note(edge(n), &mut pools);
        }
        trail.reverse_untried();
        trail.advance(&mut pools);
        trail.note(edge(4), &mut pools);
        assert_eq!((trail.last(), trail.peek()), (Some((NodeId::new(1), Cost::new(2))), Some(edge(4))));
        trail.retreat();
        assert_eq!((trail.peek(), trail.untried()), (Some(edge(2)), 2));
    }
}
