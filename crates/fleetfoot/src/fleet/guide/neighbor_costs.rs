//! What the cells around a unit cost it.

use crate::corners::Cell;
use crate::fleet::resolver::costs::NeighborCosts;
use crate::fleet::resolver::neighbors::OWN;
use crate::id::Cost;

/// The costs of the cells around a unit as of one tick. Units that block each other ask for them again.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct LocalCosts {
    /// The unit's own cell.
    pub(crate) middle: Cell,
    pub(crate) costs: NeighborCosts,
    /// The maximum by which a cost exceeds a bound that is not exact.
    pub(crate) slack: Cost,
}

impl LocalCosts {
    pub(crate) const NONE: Self = Self { middle: (0, 0), costs: NeighborCosts::NONE, slack: Cost::INF };

    /// Returns the place of a cell, or `None` if it lies farther away.
    #[inline]
    pub(crate) fn place(&self, (x, y): Cell) -> Option<usize> {
        place((x - self.middle.0, y - self.middle.1))
    }

    /// Returns an upper bound of the cost of a place.
    #[inline]
    pub(crate) fn at_most(&self, place: usize) -> Cost {
        let least = self.costs.lower[place];
        if self.costs.is_exact(place) { least } else { least + self.slack }
    }
}

const _: () = assert!(size_of::<LocalCosts>() == 64, "a line of the processor's cache");

/// Returns the place of the cell this number of columns and rows away. Returns `None` if it lies farther away.
#[inline]
pub(crate) fn place((dx, dy): Cell) -> Option<usize> {
    const PLACES: [u8; 9] = [7, 3, 6, 2, OWN as u8, 0, 5, 1, 4];
    let is_near = (-1..=1).contains(&dx) && (-1..=1).contains(&dy);
    is_near.then(|| PLACES[(3 * dy + dx + 4).cast_unsigned() as usize] as usize)
}
