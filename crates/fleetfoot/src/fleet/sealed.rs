//! Who shuts off a unit's goal.

use super::front::Fleet;
use super::units::Status;
use crate::graph::Graph;
use crate::id::NodeId;

/// Cells around a goal that are looked at.
const SEALED_CELLS: usize = 128;

impl Fleet {
    /// Who shuts off a unit's goal: a unit that has arrived, on the edge of the ground around the goal that can be reached
    /// without passing such units; none if that ground is large, or the unit stands on it.
    pub(super) fn sealed_by(&self, number: u32) -> Option<u32> {
        let (resolver, unit) = (self.resolver.as_ref()?, &self.units[number as usize]);
        let parked = |n: NodeId| {
            let who = resolver.unit_on(n).filter(|&who| who != number)?;
            (self.units[who as usize].status == Status::Arrived).then_some(who)
        };
        let mut by = parked(unit.goal);
        if by.is_some() {
            return by;
        }
        let (mut cells, mut head) = (Few::new(), 0);
        cells.add(unit.goal);
        while head < cells.len {
            for edge in self.map.grid().succs(cells.list[head]) {
                if edge.to == unit.at {
                    return None;
                }
                if let Some(who) = parked(edge.to) {
                    by = Some(who);
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
struct Few {
    list: [NodeId; SEALED_CELLS],
    len: usize,
    /// Finds them by a hash; twice as many places as there can be cells.
    table: [NodeId; 2 * SEALED_CELLS],
}

impl Few {
    fn new() -> Self {
        Self { list: [NodeId::NONE; SEALED_CELLS], len: 0, table: [NodeId::NONE; 2 * SEALED_CELLS] }
    }

    /// Adds a cell, unless it is there; false if there is no room for it.
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
