//! A set of cells (or units), a bit each: so small that it stays near the processor, where tables with a number for each cell do not.

use alloc::vec;
use alloc::vec::Vec;

use crate::id::NodeId;

/// No cell, no unit, no route.
pub(crate) const NONE: u32 = u32::MAX;

/// The set.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSet(Vec<u64>);

impl CellSet {
    /// Returns an empty set for this number of cells.
    pub(crate) fn none(cells: usize) -> Self {
        Self(vec![0; cells.div_ceil(64)])
    }

    /// Makes room for this number of cells.
    pub(crate) fn grow(&mut self, cells: usize) {
        self.0.resize(cells.div_ceil(64), 0);
    }

    /// Returns `true` if a cell is in the set. [`NONE`] never is.
    #[inline]
    pub(crate) fn has(&self, cell: u32) -> bool {
        self.0.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// Returns the word that has the bit of a cell.
    #[inline]
    pub(crate) fn word(&self, cell: u32) -> u64 {
        self.0[cell as usize / 64]
    }

    /// Returns the cells, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(k, &word)| {
            let rests = core::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            rests.take_while(|&rest| rest != 0).map(move |rest| 64 * k as u32 + rest.trailing_zeros())
        })
    }

    /// Returns which of the cells around one are in the set, by direction. Returns `None` at the left and right edges of a tile of 16×16, where
    /// the three cells of a row are not adjacent in the set.
    #[inline]
    fn around(&self, cells: &[NodeId; 8], cell: u32) -> Option<u8> {
        if (cell & 15).wrapping_sub(1) > 13 {
            return None;
        }
        // Three cells of a row are bits of one word, as a row of a tile is. Above and below the map there is no such word.
        let row =
            |first: NodeId| self.0.get(first.index() / 64).map_or(0, |word| word >> (first.raw() % 64) & 7);
        let square = row(cells[7]) | row(cells[2]) << 3 | row(cells[5]) << 6;
        // From places in the square to directions: right, down, left, up, then the diagonals.
        let straight = square >> 5 & 1 | square >> 6 & 2 | square >> 1 & 4 | square << 2 & 8;
        let diagonal = square >> 4 & 16 | square >> 1 & 32 | square << 4 & 64 | square << 7 & 128;
        Some((straight | diagonal) as u8)
    }

    /// Returns which of the eight cells around one are in the set, wherever it lies.
    #[inline]
    pub(crate) fn among(&self, cells: &[NodeId; 8], cell: u32) -> u8 {
        self.around(cells, cell).unwrap_or_else(|| {
            cells.iter().enumerate().fold(0, |bits, (k, cell)| bits | u8::from(self.has(cell.raw())) << k)
        })
    }

    #[inline]
    pub(crate) fn insert(&mut self, cell: u32) {
        self.0[cell as usize / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: u32) {
        self.0[cell as usize / 64] &= !(1 << (cell % 64));
    }

    /// Removes all cells.
    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Returns the number of cells.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        8 * self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, splitmix64};
    use crate::grid::{Grid, Rules};

    #[test]
    fn the_cells_around_one_are_those_of_the_grid() {
        let grid = Grid::new(50, 37, Rules::default(), |_, _| 1).unwrap();
        let mut set = CellSet::none(grid.bound());
        (0..grid.bound() as u32)
            .filter(|&n| splitmix64(u64::from(n)).is_multiple_of(3))
            .for_each(|n| set.insert(n));
        let mut inside = 0;
        for n in (1..36).flat_map(|y| (1..49).map(move |x| (x, y))).filter_map(|(x, y)| grid.node(x, y)) {
            let (cells, _) = grid.around(n);
            let expected = (0..8).fold(0, |bits, k| bits | u8::from(set.has(cells[k].raw())) << k);
            if let Some(bits) = set.around(&cells, n.raw()) {
                assert_eq!(bits, expected, "around {n:?}");
                inside += 1;
            }
        }
        assert!(inside > 1000, "only {inside} cells are inside tiles");
    }
}
