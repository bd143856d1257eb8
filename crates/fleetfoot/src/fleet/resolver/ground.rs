//! The ground that units move on, as the step of one tick sees it: cells, who may go where, and what a cell is worth to a
//! unit. The whole map is one ground, a patch around a stuck group is another.

use crate::fleet::cell_set::CellSet;
use crate::fleet::resolver::candidates::Candidates;
use crate::fleet::resolver::neighbors::{Around, Neighbors, Occupancy};

/// Where a unit would go first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    pub(crate) place: usize,
    pub(crate) value: u32,
    /// Whether it may as well stay.
    pub(crate) may_stay: bool,
}

/// What one step of the units asks.
pub(crate) trait Ground {
    /// The cells next to this one.
    fn around(&self, cell: u32) -> Around;

    /// How many cells are next to this one.
    fn degree(&self, cell: u32) -> usize {
        self.around(cell).cells().len()
    }

    /// Returns the cost to go from a cell; 0 at the unit's goal alone.
    fn value(&mut self, unit: u32, cell: u32) -> u32;

    /// Whether that is 0.
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        self.value(unit, cell) == 0
    }

    /// Whether two units fill the same place, and need not pass each other.
    fn share_crowd(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Returns `true` if a cell has enough exits for two units to pass each other there in any case.
    fn is_wide(&self, _cell: u32) -> bool {
        false
    }

    /// Returns a cell and those around it. Those in `taken` are occupied.
    fn near(&self, at: u32, taken: &CellSet) -> Neighbors;

    /// The places around a unit, its own included, that are in a set of cells: a bit for each.
    #[inline]
    fn which(&self, set: &CellSet, near: &Neighbors) -> u32 {
        near.places().fold(0, |which, k| which | u32::from(set.has(near.cells[k].raw())) << k)
    }

    /// Whether two units that meet at a move need no swap: it is part of a short ring, so that one pushes the other
    /// round, and neither wants to stay where that would bring it to.
    fn is_ring_move(&mut self, _units: (u32, u32), _from: u32, _to: u32) -> bool {
        false
    }

    /// Where a unit would go first: the head of its ranking, which most units need no more of. Nothing if only the whole
    /// ranking tells.
    fn first(&mut self, unit: u32, near: &Neighbors, who: Occupancy<'_>) -> Option<First>;

    /// Where a unit may go. Places with a bit in `closed` are left out. The best one of all is worth `least`, if that is known.
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

    /// The two other cells of the square that a diagonal move crosses.
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)>;

    /// The same for a move to one of the cells around a unit, if others may cross it.
    #[inline]
    fn between(&self, near: &Neighbors, place: usize) -> Option<(u32, u32)> {
        self.crossed(near.at(), near.cells[place].raw())
    }
}
