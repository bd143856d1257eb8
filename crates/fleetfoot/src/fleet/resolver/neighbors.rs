//! The cells around a unit, the units on cells, and ties between cells of equal cost.

use crate::fleet::cell_set::{CellSet, NONE};
use crate::graph::splitmix64;
use crate::id::NodeId;

/// A cell's neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    cells: [u32; 8],
    len: u8,
}

impl Around {
    pub(crate) const EMPTY: Self = Self { cells: [NONE; 8], len: 0 };

    #[inline]
    pub(crate) fn push(&mut self, cell: u32) {
        self.cells[self.len as usize & 7] = cell;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells[..self.len as usize]
    }
}

/// The place of a cell itself among those around it.
pub(crate) const OWN: usize = 8;

/// A cell and those around it, by place: by direction where the ground is the whole map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbors {
    pub(crate) cells: [NodeId; 9],
    /// A bit for each that a unit on the cell may go to, and for the cell itself.
    pub(crate) open: u32,
    /// A bit for each next to it that is occupied, open or not.
    pub(crate) busy: u32,
}

impl Neighbors {
    #[inline]
    pub(crate) fn new(at: u32) -> Self {
        Self { cells: [NodeId::new(at); 9], open: 1 << OWN, busy: 0 }
    }

    #[inline]
    pub(crate) fn at(&self) -> u32 {
        self.cells[OWN].raw()
    }

    /// Adds a cell next to this one; `is_taken` if it is occupied.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, cell: u32, is_taken: bool) {
        self.cells[place] = NodeId::new(cell);
        self.open |= 1 << place;
        self.busy |= u32::from(is_taken) << place;
    }

    /// Returns the places that a unit may go to.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        bits(self.open)
    }
}

/// The units on cells.
#[derive(Clone, Copy)]
pub(crate) struct Occupancy<'a> {
    pub(crate) now_on: &'a [u32],
    pub(crate) taken: &'a CellSet,
}

impl Occupancy<'_> {
    /// Returns the unit on a cell, or [`NONE`].
    #[inline]
    pub(crate) fn on(self, cell: u32) -> u32 {
        if self.taken.has(cell) { self.now_on[cell as usize] } else { NONE }
    }
}

/// Returns the numbers of the bits that are set.
#[inline]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let k = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        k
    })
}

/// Breaks ties between cells of equal cost by a number below 2^28: the same on every platform, different every tick.
pub fn tie(seed: u64, tick: u64, unit: u32, cell: u32) -> u32 {
    tie_by(salt(seed, tick, unit), NodeId::new(cell))
}

#[inline]
pub(crate) fn tie_by(salt: u64, cell: NodeId) -> u32 {
    (splitmix64(salt ^ u64::from(cell.raw())) >> 36) as u32
}

/// Returns the part of a tie's hash that does not depend on the cell.
#[inline]
pub(crate) fn salt(seed: u64, tick: u64, unit: u32) -> u64 {
    splitmix64(seed ^ (tick << 32) ^ u64::from(unit)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}
