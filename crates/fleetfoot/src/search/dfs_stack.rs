//! The state of a depth-first search: the path, and its untried edges.

use super::route::Route;
use super::{Chunks, NOWHERE, PlannerPart, Pools, pages};
use crate::graph::{Edge, Limits, splitmix64};
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

/// A node of the path. Each frame also stores an unrelated bucket of the table that finds nodes on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    node: NodeId,
    g: Cost,
    /// Number of untried edges when this node was reached; its own edges are above.
    floor: u32,
    /// The next node, toward the root, in this node's bucket.
    older: u32,
    /// The last node of the bucket with this frame's number.
    youngest: u32,
}

impl Frame {
    pub(super) const BLANK: Self =
        Self { node: NodeId::NONE, g: Cost::INF, floor: 0, older: NOWHERE, youngest: NOWHERE };
}

/// The path of a depth-first search, and the untried edges of its nodes. Memory is linear in the length of the
/// path. Membership tests use linear hashing, which adds a bucket whenever the path becomes longer than ever
/// before.
#[derive(Clone, Debug)]
pub(crate) struct DfsStack {
    frames: Chunks<Frame>,
    len: usize,
    /// Untried edges: those of the last node on top, the next one topmost.
    untried: Chunks<Edge>,
    waiting: usize,
    buckets: usize,
}

impl DfsStack {
    /// Creates an empty stack for a graph with at most `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        Self { frames: Chunks::new(bound), len: 0, untried: Chunks::new(bound), waiting: 0, buckets: 0 }
    }

    /// Clears the stack, in O(1).
    pub(crate) fn clear(&mut self) {
        // A bucket is cleared when it is added.
        (self.len, self.waiting, self.buckets) = (0, 0, 0);
    }

    /// Returns the number of nodes on the path.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the path is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of untried edges along the whole path.
    pub(crate) fn untried(&self) -> usize {
        self.waiting
    }

    /// Returns the last node of the path, and its cost.
    pub(crate) fn last(&self) -> Option<(NodeId, Cost)> {
        self.len.checked_sub(1).map(|k| {
            let frame = self.frames.get(k);
            (frame.node, frame.g)
        })
    }

    /// Returns the `k`-th node of the path.
    pub(crate) fn node(&self, k: usize) -> Option<NodeId> {
        (k < self.len).then(|| self.frames.get(k).node)
    }

    /// Returns the index of `n` on the path, if it is on it.
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

    /// Adds an edge out of the last node. It is tried before those already added.
    pub(crate) fn note(&mut self, edge: Edge, pools: &mut Pools) {
        self.untried.grow_to(self.waiting, Route::BLANK, &mut pools.edges);
        *self.untried.at(self.waiting) = edge;
        self.waiting += 1;
    }

    /// Reverses the untried edges of the last node, so that they are tried in the order in which they were added.
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

    /// Returns the next edge to try. `None` if the last node has no more.
    pub(crate) fn peek(&self) -> Option<Edge> {
        (self.waiting > self.floor()).then(|| *self.untried.get(self.waiting - 1))
    }

    /// Takes the edge that [`DfsStack::peek`] returns, and appends its head to the path.
    pub(crate) fn advance(&mut self, pools: &mut Pools) {
        if let Some(edge) = self.peek() {
            let g = self.last().map_or(Cost::ZERO, |(_, g)| g);
            self.waiting -= 1;
            self.push(edge.to, g + edge.cost, self.waiting, pools);
        }
    }

    /// Removes the last node with its untried edges.
    pub(crate) fn retreat(&mut self) {
        let Some(k) = self.len.checked_sub(1) else { return };
        let Frame { node, floor, older, .. } = *self.frames.get(k);
        let bucket = self.bucket(node);
        // The last node added is the youngest of its bucket.
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

    /// Returns the bucket of a node: as many bits of its hash as the number of buckets requires, or one less.
    fn bucket(&self, n: NodeId) -> usize {
        let mask = self.buckets.next_power_of_two() - 1;
        let bucket = splitmix64(u64::from(n.raw())) as usize & mask;
        if bucket < self.buckets { bucket } else { bucket & (mask >> 1) }
    }

    /// Adds a bucket, and moves entries to it from the bucket that is split. Both stay in order.
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

impl PlannerPart for DfsStack {
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

    /// A path that grows and shrinks at random: exactly its nodes are found.
    #[test]
    fn nodes_are_found_where_they_are() {
        let (mut trail, mut pools, mut path) = (DfsStack::new(5000), Pools::new(), Vec::new());
        for round in 0..4u32 {
            for k in 0..3000 {
                let random = splitmix64(u64::from(3000 * round + k));
                let n = NodeId::new((random >> 40) as u32 % 5000);
                assert_eq!(trail.find(n), path.iter().position(|m| *m == n));
                // Grows in the first half of a round, shrinks in the second.
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
        let (mut trail, mut pools) = (DfsStack::new(10), Pools::new());
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
