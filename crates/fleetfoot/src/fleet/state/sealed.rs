//! Goals that are sealed off by units that have arrived.

use crate::fleet::state::State;
use crate::fleet::types::UnitStatus;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

/// Maximum number of cells around a goal that are looked at.
const SEALED_CELLS: usize = 128;

impl State {
    /// Returns a unit that seals off a unit's goal: one that has arrived, on the edge of the ground around the goal that can be reached
    /// without passing such units. Returns `None` if that ground is large or the unit is on it.
    pub(crate) fn sealed_by(
        &self,
        grid: &Grid,
        number: u32,
        unit_on: impl Fn(NodeId) -> Option<u32>,
    ) -> Option<u32> {
        let unit = &self.units[number as usize];
        let parked = |n: NodeId| {
            let other = unit_on(n).filter(|&other| other != number)?;
            (self.units[other as usize].status == UnitStatus::Arrived).then_some(other)
        };
        let mut by = parked(unit.goal);
        if by.is_some() {
            return by;
        }
        let (mut cells, mut head) = (CellList::new(), 0);
        cells.add(unit.goal);
        while head < cells.len {
            for edge in grid.succs(cells.list[head]) {
                if edge.to == unit.at {
                    return None;
                }
                if let Some(other) = parked(edge.to) {
                    by = Some(other);
                } else if !cells.add(edge.to) {
                    return None;
                }
            }
            head += 1;
        }
        by
    }
}

/// Up to [`SEALED_CELLS`] cells, each once, in the order in which they came.
struct CellList {
    list: [NodeId; SEALED_CELLS],
    len: usize,
    /// Finds them by a hash; twice as many places as there can be cells.
    table: [NodeId; 2 * SEALED_CELLS],
}

impl CellList {
    fn new() -> Self {
        Self { list: [NodeId::NONE; SEALED_CELLS], len: 0, table: [NodeId::NONE; 2 * SEALED_CELLS] }
    }

    /// Adds a cell, unless it is there. Returns `false` if there is no room for it.
    fn add(&mut self, n: NodeId) -> bool {
        let mut slot = n.raw().wrapping_mul(0x9e37_79b9) as usize >> 16;
        loop {
            slot %= self.table.len();
            if self.table[slot] == n {
                return true;
            }
            if !self.table[slot].is_some() {
                break;
            }
            slot += 1;
        }
        let Some(place) = self.list.get_mut(self.len) else { return false };
        (*place, self.table[slot]) = (n, n);
        self.len += 1;
        true
    }
}
