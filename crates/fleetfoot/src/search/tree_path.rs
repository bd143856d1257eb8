//! Paths in a search tree, traced a few steps at a time, with membership tests in O(1).

use alloc::vec::Vec;

use super::{Pages, PlannerPart, Pools, SearchTools, SearchTree, pages};
use crate::graph::Limits;
use crate::id::NodeId;
use crate::meter::WorkKind;
use crate::probe::SearchEvent;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The result of tracing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceStatus {
    /// The path is complete.
    Done,
    /// Tracing is not finished.
    Paused,
    /// An edge of the path is no longer valid.
    Broken,
}

/// A path in a search tree: an array indexed by depth, of which a range is filled.
///
/// Parents of closed nodes are final, so a node has the same depth on every path through it. A path contains node
/// `n` exactly if it has `n` at `n`'s depth.
#[derive(Clone, Debug)]
pub struct TreePath {
    nodes: Pages<NodeId>,
    /// Depths of the first and last node. The path is empty if `first > last`.
    first: u32,
    last: u32,
}

impl TreePath {
    /// Creates an empty path in a tree of `bound` nodes.
    pub fn new(bound: usize) -> Self {
        Self { nodes: Pages::new(bound, NodeId::NONE), first: 1, last: 0 }
    }

    /// Returns the bound of the node numbers.
    pub fn nodes(&self) -> usize {
        self.nodes.bound()
    }

    /// Clears the path, in O(1).
    pub fn clear(&mut self) {
        (self.first, self.last) = (1, 0);
    }

    /// Returns `true` if the path is empty.
    pub fn is_empty(&self) -> bool {
        self.first > self.last
    }

    /// Starts tracing the path to `target`.
    pub fn begin(&mut self, target: NodeId, tree: &impl SearchTree, pools: &mut Pools) {
        let depth = tree.depth(target);
        (self.first, self.last) = (depth, depth);
        *self.nodes.at(depth as usize, &mut pools.nodes) = target;
    }

    /// Traces toward the root until `until` or the root is reached, by at most `limit` steps. The first `granted`
    /// steps are always charged; further ones only if the budget covers them. `sound(parent, child)` returns `true`
    /// if an edge of the tree is still valid.
    pub fn trace(
        &mut self,
        tree: &impl SearchTree,
        until: NodeId,
        (granted, limit): (u64, u64),
        sound: impl Fn(NodeId, NodeId) -> bool,
        tools: &mut SearchTools<'_>,
    ) -> TraceStatus {
        let mut steps = 0;
        let trace = loop {
            let front = self.front();
            let parent = tree.parent(front);
            if front == until || !parent.is_some() || self.first == 0 {
                break TraceStatus::Done;
            }
            if steps == limit {
                break TraceStatus::Paused;
            }
            if steps < granted {
                tools.meter.charge_always(WorkKind::Trace, 1);
            } else if !tools.meter.charge(WorkKind::Trace) {
                break TraceStatus::Paused;
            }
            steps += 1;
            self.first -= 1;
            *self.nodes.at(self.first as usize, &mut tools.pools.nodes) = parent;
            tools.emit(SearchEvent::Trace { node: parent });
            if !sound(parent, front) {
                break TraceStatus::Broken;
            }
        };
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        trace
    }

    /// Removes all nodes above this depth, toward the root.
    pub fn cut_before(&mut self, depth: u32) {
        self.first = self.first.max(depth);
    }

    /// Removes all nodes below this depth.
    pub fn cut_after(&mut self, depth: u32) {
        self.last = self.last.min(depth);
    }

    /// Returns the first node, where tracing continues.
    pub fn front(&self) -> NodeId {
        self.node(self.first)
    }

    /// Returns the last node, the target.
    pub fn back(&self) -> NodeId {
        self.node(self.last)
    }

    /// Returns the node at this depth, or `NONE`.
    #[inline]
    pub fn node(&self, depth: u32) -> NodeId {
        if (self.first..=self.last).contains(&depth) { self.nodes.get(depth as usize) } else { NodeId::NONE }
    }

    /// Returns `true` if `n` is on the path.
    #[inline]
    pub fn contains(&self, n: NodeId, tree: &impl SearchTree) -> bool {
        n.is_some() && self.node(tree.depth(n)) == n && tree.g(n).is_finite()
    }

    /// Returns the node after `n`. `None` if `n` is not on the path, or is its end.
    #[inline]
    pub fn after(&self, n: NodeId, tree: &impl SearchTree) -> Option<NodeId> {
        if self.contains(n, tree) { self.node(tree.depth(n) + 1).some() } else { None }
    }

    /// Returns the nodes after `n`. Empty if `n` is not on the path.
    pub fn rest(&self, n: NodeId, tree: &impl SearchTree) -> Vec<NodeId> {
        // Nodes of a tree are distinct, so the path ends. Forged data may not form a tree.
        let most = (self.last + 1).saturating_sub(self.first) as usize;
        core::iter::successors(self.after(n, tree), |n| self.after(*n, tree)).take(most).collect()
    }
}

impl PlannerPart for TreePath {
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
