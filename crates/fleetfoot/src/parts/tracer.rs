//! Paths in a search tree: traced a few steps at a time, with membership in O(1).

use alloc::vec::Vec;

use super::{Pages, Part, Pools, Rooted, Tools, pages};
use crate::graph::Limits;
use crate::id::NodeId;
use crate::meter::WorkKind;
use crate::probe::SearchEvent;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// How a trace went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// The path is whole.
    Done,
    /// There is more to trace.
    Paused,
    /// An edge of it can no longer be walked.
    Broken,
}

/// A path in a search tree: an array by depth, of which a stretch is filled.
///
/// Parents of closed nodes are final, so a node has the same depth on every path through it: a path holds
/// node `n` exactly if it has `n` at `n`'s depth.
#[derive(Clone, Debug)]
pub struct Path {
    nodes: Pages<NodeId>,
    /// Depths of the first and of the last node; nothing is held while `first > last`.
    first: u32,
    last: u32,
}

impl Path {
    /// A path, empty yet, in a tree over the nodes below `bound`.
    pub fn new(bound: usize) -> Self {
        Self { nodes: Pages::new(bound, NodeId::NONE), first: 1, last: 0 }
    }

    /// The nodes that the tree may have.
    pub fn nodes(&self) -> usize {
        self.nodes.bound()
    }

    /// Empties the path, in O(1).
    pub fn clear(&mut self) {
        (self.first, self.last) = (1, 0);
    }

    /// Whether the path holds nothing.
    pub fn is_empty(&self) -> bool {
        self.first > self.last
    }

    /// Begins to trace the path to `target`.
    pub fn begin(&mut self, target: NodeId, tree: &impl Rooted, pools: &mut Pools) {
        let depth = tree.depth(target);
        (self.first, self.last) = (depth, depth);
        *self.nodes.at(depth as usize, &mut pools.nodes) = target;
    }

    /// Traces towards the root until `until` or the root is reached, for at most `limit` steps; beyond the first
    /// `granted` as long as the meter grants them. `sound(parent, child)` says whether an edge of the tree can still
    /// be walked.
    pub fn trace(
        &mut self,
        tree: &impl Rooted,
        until: NodeId,
        (granted, limit): (u64, u64),
        sound: impl Fn(NodeId, NodeId) -> bool,
        tools: &mut Tools<'_>,
    ) -> Trace {
        let mut steps = 0;
        let trace = loop {
            let front = self.front();
            let parent = tree.parent(front);
            if front == until || !parent.is_some() || self.first == 0 {
                break Trace::Done;
            }
            if steps == limit {
                break Trace::Paused;
            }
            if steps < granted {
                tools.meter.charge_always(WorkKind::Trace, 1);
            } else if !tools.meter.charge(WorkKind::Trace) {
                break Trace::Paused;
            }
            steps += 1;
            self.first -= 1;
            *self.nodes.at(self.first as usize, &mut tools.pools.nodes) = parent;
            tools.tell(SearchEvent::Trace { node: parent });
            if !sound(parent, front) {
                break Trace::Broken;
            }
        };
        tools.meter.count(WorkKind::Page, tools.pools.fills());
        trace
    }

    /// Lets go of every node before this depth.
    pub fn cut_before(&mut self, depth: u32) {
        self.first = self.first.max(depth);
    }

    /// Lets go of every node beyond this depth.
    pub fn cut_after(&mut self, depth: u32) {
        self.last = self.last.min(depth);
    }

    /// The first node held: where the trace stands.
    pub fn front(&self) -> NodeId {
        self.node(self.first)
    }

    /// The last node: what was traced.
    pub fn back(&self) -> NodeId {
        self.node(self.last)
    }

    /// The node at this depth.
    #[inline]
    pub fn node(&self, depth: u32) -> NodeId {
        if (self.first..=self.last).contains(&depth) { self.nodes.get(depth as usize) } else { NodeId::NONE }
    }

    /// Whether the path goes through `n`.
    #[inline]
    pub fn contains(&self, n: NodeId, tree: &impl Rooted) -> bool {
        n.is_some() && self.node(tree.depth(n)) == n && tree.g(n).is_finite()
    }

    /// The node after `n`, if the path goes through `n` and does not end there.
    #[inline]
    pub fn after(&self, n: NodeId, tree: &impl Rooted) -> Option<NodeId> {
        if self.contains(n, tree) { self.node(tree.depth(n) + 1).some() } else { None }
    }

    /// The nodes after `n`, to the path's end; none if it does not go through `n`.
    pub fn rest(&self, n: NodeId, tree: &impl Rooted) -> Vec<NodeId> {
        // In a tree no node comes twice, so that the path ends; a forged one may not be of a tree.
        let most = (self.last + 1).saturating_sub(self.first) as usize;
        core::iter::successors(self.after(n, tree), |n| self.after(*n, tree)).take(most).collect()
    }
}

impl Part for Path {
    fn write(&self, out: &mut dyn SaveWriter) {
        out.u32(self.first);
        out.u32((self.last + 1).saturating_sub(self.first));
        (self.first..=self.last).for_each(|depth| out.node(self.node(depth)));
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let limits = &limits.within(self.nodes());
        let first = from.u32()?;
        let len = from.len(4)?;
        self.clear();
        if len == 0 {
            return Ok(());
        }
        if first as usize >= limits.bound || len > limits.bound - first as usize {
            return Err(SaveError::new("its path is longer than the graph"));
        }
        let pools = &mut Pools::new();
        for k in 0..len {
            *self.nodes.at(first as usize + k, &mut pools.nodes) = from.node(limits)?;
        }
        (self.first, self.last) = (first, first + len as u32 - 1);
        Ok(())
    }

    pages! { paged: nodes; others: first, last }
}
