//! The flood fill: seeds, groups and classes.

use super::forest::NONE;
use super::{CLOSED, Components, QUEUED, beside};
use crate::grid::Grid;
use crate::id::NodeId;

impl Components {
    pub(super) fn take_seed(&mut self) {
        let Some(seed) = self.seeds.get(self.taken) else { return };
        self.taken += 1;
        if self.is_open(seed) {
            self.flood_from(seed);
        }
    }

    /// Adds a cell to the flood, unless it is part of it or of a complete component.
    pub(super) fn flood_from(&mut self, n: NodeId) {
        let root = self.forest.find(self.id(n));
        if !self.forest.is_group(root, self.flood) && !self.forest.is_whole(root, self.flood) {
            let group = self.launch(self.forest.class(root));
            self.join_flood(n, group);
        }
    }

    /// Visits the neighbors of the next cell in the queue.
    pub(super) fn spread(&mut self, grid: &Grid) {
        let Some(n) = self.queue.pop_front().map(NodeId::new) else { return };
        let id = self.id(n);
        let mut group = self.forest.find(id);
        self.labels[n.index()] &= !QUEUED;
        if self.is_open(n) {
            for to in beside(grid, n) {
                // Most neighbors were flooded from here.
                let label = self.labels[to.index()];
                if label & CLOSED != 0 || label & NONE == id {
                    continue;
                }
                let root = self.forest.find(label & NONE);
                if self.forest.is_group(root, self.flood) {
                    group = self.join_groups(group, root);
                } else {
                    self.join_flood(to, group);
                }
            }
            self.leave(group);
        } else {
            self.leave(group);
            self.assign(n, CLOSED | NONE);
        }
    }

    fn join_flood(&mut self, n: NodeId, group: u32) {
        self.forest.put_count(group, self.flood, self.forest.count(group, self.flood) + 1);
        self.assign(n, group | QUEUED);
        self.queue.push_back(n.raw());
    }

    /// Creates a group of a class.
    pub(super) fn launch(&mut self, class: u32) -> u32 {
        let class = if class == NONE { self.forest.fresh(NONE, 0) } else { class };
        let groups = self.forest.count(class, self.flood);
        self.forest.put_count(class, self.flood, groups + 1);
        self.excess += usize::from(groups > 0);
        self.forest.fresh(class, self.flood)
    }

    /// Removes a cell of a group from the queue. A group without cells in the queue is a complete component.
    pub(super) fn leave(&mut self, group: u32) {
        let waiting = self.forest.count(group, self.flood) - 1;
        self.forest.put_count(group, self.flood, waiting);
        if waiting == 0 {
            self.one_group_less(self.forest.class(group));
            self.forest.settle(group);
        }
    }

    fn one_group_less(&mut self, class: u32) {
        let groups = self.forest.count(class, self.flood) - 1;
        self.forest.put_count(class, self.flood, groups);
        self.excess -= usize::from(groups > 0);
    }

    pub(super) fn join_groups(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || a == b {
            return b;
        }
        debug_assert_eq!(self.forest.class(a), self.forest.class(b), "an edit was not reported");
        self.one_group_less(self.forest.class(a));
        self.forest.union(a, b, self.flood)
    }

    pub(super) fn join_classes(&mut self, a: u32, b: u32) -> u32 {
        if a == NONE || a == b {
            return b;
        }
        let groups = |c| self.forest.count(c, self.flood);
        self.excess += usize::from(groups(a) > 0 && groups(b) > 0);
        self.forest.union(a, b, self.flood)
    }

    /// Dissolves a group of the current flood. All seeds are used again.
    pub(super) fn dissolve(&mut self, group: u32) {
        self.one_group_less(self.forest.class(group));
        self.forest.forget(group);
        let Self { queue, forest, labels, .. } = self;
        queue.retain(|&n| forest.root(labels[n as usize] & NONE) != group);
        self.taken = 0;
    }

    /// Ends the current flood. All entries with its number become invalid.
    pub(super) fn stop_flood(&mut self) {
        self.flood += 1;
        self.queue.clear();
        (self.taken, self.excess) = (0, 0);
    }

    pub(super) fn is_settled(&self) -> bool {
        self.taken == self.seeds.len() && self.excess == 0
    }
}
