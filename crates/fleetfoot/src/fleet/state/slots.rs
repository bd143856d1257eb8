//! Free cells around one cell that no unit has as its goal, nearest first.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::fleet::cell_set::{CellSet, NONE};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::map::Map;

/// A look around a cell, which goes on where it ended.
#[derive(Clone, Debug)]
struct Slots {
    /// The team, the cell, and the length of the log of the map as the team believes it.
    key: (u16, NodeId, u64),
    /// Cells, nearest first. All neighbors of the first `passed` are among them.
    cells: Vec<NodeId>,
    seen: CellSet,
    passed: usize,
    /// All cells before this index are goals.
    next: usize,
}

impl Slots {
    fn new(key @ (_, centre, _): (u16, NodeId, u64), bound: usize) -> Self {
        let mut seen = CellSet::none(bound);
        seen.insert(centre.raw());
        Self { key, cells: Vec::from([centre]), seen, passed: 0, next: 0 }
    }

    /// Takes note that a cell is no goal any more.
    fn release(&mut self, cell: NodeId) {
        if self.seen.has(cell.raw()) {
            let place = self.cells.iter().position(|&other| other == cell);
            self.next = self.next.min(place.unwrap_or(0));
        }
    }

    /// Adds the neighbors of the next cell, if that has not been done.
    fn spread(&mut self, grid: &Grid) {
        if self.next == self.passed {
            for edge in grid.succs(self.cells[self.passed]) {
                if !self.seen.has(edge.to.raw()) {
                    self.seen.insert(edge.to.raw());
                    self.cells.push(edge.to);
                }
            }
            self.passed += 1;
        }
        self.next += 1;
    }
}

/// The goals of all units, and the last look for cells that are none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    /// By goal: the number of units that have it, and the crowd of the member whose slot it is, or [`NONE`].
    counts: BTreeMap<NodeId, (u32, u32)>,
    /// Made again where it is missing.
    around: Option<Slots>,
}

impl Goals {
    /// Adds a unit with this goal.
    pub(crate) fn add(&mut self, goal: NodeId) {
        self.counts.entry(goal).or_insert((0, NONE)).0 += 1;
    }

    /// Takes note that a goal is a slot of a crowd, or of none any more.
    pub(crate) fn set_crowd(&mut self, goal: NodeId, crowd: u32) {
        if let Some((_, of)) = self.counts.get_mut(&goal) {
            *of = crowd;
        }
    }

    /// Returns the crowd that a cell is a slot of, if it is one.
    pub(crate) fn crowd_of(&self, cell: NodeId) -> Option<u32> {
        self.counts.get(&cell).map(|&(_, crowd)| crowd).filter(|&crowd| crowd != NONE)
    }

    /// Removes a unit with this goal.
    pub(crate) fn remove(&mut self, goal: NodeId) {
        if let Some((count, _)) = self.counts.get_mut(&goal) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&goal);
                if let Some(around) = &mut self.around {
                    around.release(goal);
                }
            }
        }
    }

    /// Forgets the last look, because many goals are about to be removed: another look takes less than to take note of each.
    pub(crate) fn forget_slots(&mut self) {
        self.around = None;
    }

    /// Returns the free cells around one, nearest first, that are no goals. Goes on where the last look around this cell ended, so that
    /// thousands of single orders to one place take no longer than one order of thousands. Adds the crowds whose slots lie between those
    /// cells to `met`.
    pub(crate) fn slots(
        &mut self,
        map: &Map,
        (team, centre): (u16, NodeId),
        count: usize,
        met: &mut Vec<u32>,
    ) -> Vec<NodeId> {
        let (grid, key) = (map.grid(), (team, centre, map.log().end()));
        let mut slots = Vec::with_capacity(count);
        if centre.index() >= grid.bound() || !grid.is_free(centre) {
            return slots;
        }
        let last = self.around.take().filter(|around| around.key == key);
        let mut around = last.unwrap_or_else(|| Slots::new(key, grid.bound()));
        while let Some(&n) = around.cells.get(around.next) {
            match self.counts.get(&n) {
                Some(&(_, crowd)) if crowd != NONE && met.last() != Some(&crowd) => met.push(crowd),
                Some(_) => {}
                None => {
                    slots.push(n);
                    if slots.len() == count {
                        break;
                    }
                }
            }
            around.spread(grid);
        }
        // Cells before the last one become goals now.
        self.around = Some(around);
        slots
    }

    /// Returns the number of different goals.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns the bytes held by the last look.
    pub(crate) fn slot_bytes(&self) -> usize {
        let bytes =
            |around: &Slots| around.cells.capacity() * size_of::<NodeId>() + around.seen.memory_bytes();
        self.around.as_ref().map_or(0, bytes)
    }
}
