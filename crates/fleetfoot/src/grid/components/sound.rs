//! Consistency checks, for restored indices and for tests.

use alloc::vec;
use alloc::vec::Vec;

use super::forest::NONE;
use super::{Components, QUEUED, beside};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

impl Components {
    /// Returns `true` if this can be an index of that grid: connected cells are in one class, all counts are
    /// correct, and the flood will find every class that is split. A forged index that passes gives correct
    /// answers, and no operation on it fails.
    pub(crate) fn is_sound(&self, grid: &Grid) -> bool {
        self.labels.len() == grid.bound()
            && self.forest.is_sound(self.labels.iter().map(|label| label & NONE), self.flood)
            && self.has_sound_labels(grid)
            && self.has_sound_lists()
            && self.has_sound_counts()
            && self.has_sound_groups(grid)
            && self.has_sound_classes(grid)
    }

    fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.labels.len()).map(NodeId::from_index)
    }

    fn has_sound_labels(&self, grid: &Grid) -> bool {
        let class = |n| self.forest.class(self.forest.root(self.id(n)));
        let is_sound = |n: NodeId| {
            let (open, labelled) = (self.is_open(n), self.id(n) != NONE);
            let waits = self.labels[n.index()] & QUEUED != 0;
            open == grid.is_free(n)
                && if open { labelled } else { labelled == waits }
                && (!open || grid.succs(n).all(|e| self.id(e.to) != NONE && class(e.to) == class(n)))
        };
        self.nodes().all(is_sound)
    }

    /// Returns `true` if the lists have no duplicates and the queue contains exactly the cells with the flag.
    fn has_sound_lists(&self) -> bool {
        let are_known = self.queue.iter().all(|&n| (n as usize) < self.labels.len());
        let mut queued: Vec<u32> = self.queue.iter().copied().collect();
        queued.sort_unstable();
        let waiting = self.nodes().filter(|&n| self.waits_in(n) != NONE).map(NodeId::raw);
        let is_idle = self.seeds.len() == 0 && self.queue.is_empty();
        are_known
            && waiting.eq(queued)
            && self.taken <= self.seeds.len()
            && (self.flooding || is_idle)
            && (1..u64::MAX / 2).contains(&self.flood)
    }

    fn has_sound_counts(&self) -> bool {
        let most = self.forest.roots().max().map_or(0, |root| root as usize + 1);
        let (mut waiting, mut groups) = (vec![0; most], vec![0; most]);
        for &n in &self.queue {
            waiting[self.waits_in(NodeId::new(n)) as usize] += 1;
        }
        for root in self.forest.roots().filter(|&root| self.forest.is_group(root, self.flood)) {
            groups[self.forest.class(root) as usize] += 1;
        }
        let excess: u32 = groups.iter().map(|&n: &u32| n.saturating_sub(1)).sum();
        let is_counted = |root: u32| {
            let has = self.forest.count(root, self.flood);
            if self.forest.is_group(root, self.flood) {
                // A group without a cell in the queue would never end.
                has == waiting[root as usize] && has > 0
            } else {
                has == groups[root as usize]
            }
        };
        self.excess == excess as usize && self.forest.roots().all(is_counted)
    }

    /// Returns `true` if the flood is complete: a cell of a group whose neighbors were visited has no neighbor
    /// outside of the group.
    fn has_sound_groups(&self, grid: &Grid) -> bool {
        let root = |n| self.forest.root(self.id(n));
        let has_spread = |n: NodeId| {
            let (label, group) = (self.labels[n.index()], root(n));
            label & QUEUED != 0
                || !self.forest.is_group(group, self.flood)
                || beside(grid, n).all(|to| root(to) == group)
        };
        self.nodes().filter(|&n| self.is_open(n)).all(has_spread)
    }

    /// Returns `true` if each piece of a split class has an unused seed or a group that floods it, and each class
    /// marked as a single component is one.
    fn has_sound_classes(&self, grid: &Grid) -> bool {
        let class = |n| self.forest.class(self.forest.root(self.id(n)));
        let mut is_due = vec![false; self.labels.len()];
        for n in (self.taken..self.seeds.len()).filter_map(|k| self.seeds.get(k)) {
            is_due[n.index()] = true;
        }
        let most = self.forest.roots().max().map_or(0, |root| root as usize + 1);
        // For each class, its pieces, and those that the flood will not reach.
        let mut pieces = vec![(0_u32, 0_u32); most];
        let (mut is_seen, mut stack) = (vec![false; self.labels.len()], Vec::new());
        for first in self.nodes().filter(|&n| self.is_open(n)) {
            if core::mem::replace(&mut is_seen[first.index()], true) {
                continue;
            }
            let mut is_reached = false;
            stack.push(first);
            while let Some(n) = stack.pop() {
                is_reached |= is_due[n.index()];
                is_reached |= self.forest.is_group(self.forest.root(self.id(n)), self.flood);
                for e in grid.succs(n) {
                    if !core::mem::replace(&mut is_seen[e.to.index()], true) {
                        stack.push(e.to);
                    }
                }
            }
            let (all, lost) = &mut pieces[class(first) as usize];
            *all += 1;
            *lost += u32::from(!is_reached);
        }
        let is_sound = |root: u32| {
            let (all, lost) = pieces[root as usize];
            all <= 1 || lost == 0 && !self.forest.is_whole(root, self.flood)
        };
        self.forest.roots().all(is_sound)
    }
}
