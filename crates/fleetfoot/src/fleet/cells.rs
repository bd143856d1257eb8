//! A set of cells (or units), a bit each: so small that it stays near the processor, where tables with a number for each cell do not.

use alloc::vec;
use alloc::vec::Vec;

/// The set.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells(Vec<u64>);

impl Cells {
    /// None of so many.
    pub(super) fn none(cells: usize) -> Self {
        Self(vec![0; cells.div_ceil(64)])
    }

    /// Room for so many.
    pub(super) fn grow(&mut self, cells: usize) {
        self.0.resize(cells.div_ceil(64), 0);
    }

    /// Whether a cell is in the set. What is no cell is not.
    #[inline]
    pub(super) fn has(&self, cell: u32) -> bool {
        self.0.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    #[inline]
    pub(super) fn insert(&mut self, cell: u32) {
        self.0[cell as usize / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, cell: u32) {
        self.0[cell as usize / 64] &= !(1 << (cell % 64));
    }

    /// None of them any more.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        8 * self.0.capacity()
    }
}
