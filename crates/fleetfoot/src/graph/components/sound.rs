//! Whether an index is sound: of restored ones, and of all in tests.

use alloc::vec;
use alloc::vec::Vec;

use super::forest::NONE;
use super::{Components, QUEUED};
use crate::graph::{Graph, Grid};
use crate::id::NodeId;

impl Components {
    /// Whether this can be an index of that grid: nothing that is connected lies in two classes, and everything that
    /// is counted is counted rightly. What passes may have been forged, but no operation on it can fail.
    pub(crate) fn is_sound(&self, grid: &Grid) -> bool {
        self.labels.len() == grid.bound()
            && self.forest.is_sound(self.labels.iter().map(|label| label & NONE))
            && self.has_sound_labels(grid)
            && self.has_sound_lists()
            && self.has_sound_counts()
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

    /// No cell stands twice in a list, and those wait in the queue that are marked so.
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
                has == waiting[root as usize]
            } else {
                has == groups[root as usize]
            }
        };
        self.excess == excess as usize && self.forest.roots().all(is_counted)
    }
}
