//! The ground that units move on: cells, moves between them, and the costs of units. The whole map is one ground, a patch around a stuck
//! group is another.

use crate::fleet::cell_set::CellSet;
use crate::fleet::resolver::candidates::Candidates;
use crate::fleet::resolver::neighbors::{Around, Neighbors, Occupancy};

/// The first choice of a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    pub(crate) place: usize,
    pub(crate) value: u32,
    /// Whether staying is as good.
    pub(crate) may_stay: bool,
}

/// What a joint move of all units asks.
pub(crate) trait Ground {
    /// Returns the cells next to this one.
    fn around(&self, cell: u32) -> Around;

    /// Returns the number of cells next to this one.
    fn degree(&self, cell: u32) -> usize {
        self.around(cell).cells().len()
    }

    /// Returns the cost to go from a cell; 0 at the unit's goal alone.
    fn value(&mut self, unit: u32, cell: u32) -> u32;

    /// Returns `true` if a unit is at its goal on a cell.
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        self.value(unit, cell) == 0
    }

    /// Returns `true` if both units belong to the same crowd, and need not pass each other.
    fn share_crowd(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Returns `true` if a cell has enough exits for two units to pass each other there in any case.
    fn is_wide(&self, _cell: u32) -> bool {
        false
    }

    /// Returns a cell and those around it. Those in `taken` are occupied.
    fn near(&self, at: u32, taken: &CellSet) -> Neighbors;

    /// Returns the places around a unit, its own included, that are in a set of cells: a bit for each.
    #[inline]
    fn which(&self, set: &CellSet, near: &Neighbors) -> u32 {
        near.places().fold(0, |which, k| which | u32::from(set.has(near.cells[k].raw())) << k)
    }

    /// Returns `true` if two units that meet at a move need no swap: it is part of a short ring, one pushes the other along it, and
    /// neither wants to stay on it.
    fn is_ring_move(&mut self, _units: (u32, u32), _from: u32, _to: u32) -> bool {
        false
    }

    /// Returns the first choice of a unit: most units need nothing more of their ranking. Returns `None` if only the whole ranking has it.
    fn first(&mut self, unit: u32, near: &Neighbors, who: Occupancy<'_>) -> Option<First>;

    /// Returns the places that a unit may go to, without those that have a bit in `closed`. `least` is the lowest cost of all, if known.
    fn rank(
        &mut self,
        unit: u32,
        near: &Neighbors,
        closed: u32,
        least: Option<u32>,
        who: Occupancy<'_>,
    ) -> Candidates;

    /// Returns the cost of one of the cells around a unit.
    fn value_near(&mut self, unit: u32, near: &Neighbors, place: usize) -> u32;

    /// Returns the two other cells of the square that a diagonal move crosses.
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)>;

    /// Returns these two cells for a move to one of the cells around a unit, if other units may cross it.
    #[inline]
    fn between(&self, near: &Neighbors, place: usize) -> Option<(u32, u32)> {
        self.crossed(near.at(), near.cells[place].raw())
    }
}
