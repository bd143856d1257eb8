//! Keeping an index up to date: a cell is blocked or freed, and the corners whose connections that may change are marked.
//!
//! The connections of a corner follow from what its scan reads. Of that an edit changes the state (free, blocked, corner)
//! of cells in the 3×3 block around the edited one, and diagonal moves past it.
//! - A cell with another state is read by the corners that it is directly connected with, before or after: they are found
//!   by a scan from there, since being connected is symmetric.
//! - With eight neighbours: a diagonal move past the edited cell is made on the diagonal of a scan, so the corner whose scan it is lies behind it
//!   on this diagonal: the first one met there.

use alloc::vec::Vec;

use super::{Cell, Corners, DIAGONALS, along, is_inside, node};
use crate::graph::{Grid, Neighbours};

impl Corners {
    /// Takes over that a cell of the map has been blocked or freed.
    pub(crate) fn edit(&mut self, grid: &Grid, at: Cell, is_free: bool) {
        if self.is_free(at) == is_free {
            return;
        }
        let block = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|k| (at.0 + k % 3 - 1, at.1 + k / 3 - 1));
        let was = block.map(|c| is_inside(grid, c) && self.is_corner(c));
        self.blocked.put(at.1, at.0, !is_free);
        let is = block.map(|c| is_inside(grid, c) && self.looks_like_corner(c));
        self.blocked.put(at.1, at.0, is_free);
        let changed: [bool; 9] = core::array::from_fn(|k| was[k] != is[k] || block[k] == at);

        self.mark_around(grid, &block, changed);
        self.blocked.put(at.1, at.0, !is_free);
        for (k, &(x, y)) in block.iter().enumerate().filter(|(k, _)| changed[*k]) {
            let halts = is[k] || !self.is_free((x, y));
            self.halts[0].put(y, x, halts);
            self.halts[1].put(x, y, halts);
            self.lists.mark(node(grid, (x, y)));
            self.len = self.len + usize::from(is[k]) - usize::from(was[k]);
        }
        self.mark_around(grid, &block, changed);
    }

    /// Marks the corners that read cells whose state changes, or make a diagonal move past the middle of the block.
    fn mark_around(&mut self, grid: &Grid, block: &[Cell; 9], changed: [bool; 9]) {
        if !self.lists.are_kept {
            return;
        }
        let mut marks = Vec::new();
        for (k, &from) in block.iter().enumerate().filter(|(_, c)| is_inside(grid, **c)) {
            if changed[k] {
                self.for_each_direct(from, |corner| marks.push(corner));
            } else if k % 2 == 1 && self.neighbours == Neighbours::Eight {
                // Beside the edited cell.
                marks.extend(DIAGONALS.into_iter().filter_map(|way| self.first_along(from, way)));
                marks.extend(Some(from).filter(|at| self.is_corner(*at)));
            }
        }
        for corner in marks {
            self.lists.mark(node(grid, corner));
        }
    }

    /// The first corner along a diagonal.
    fn first_along(&self, mut at: Cell, way: Cell) -> Option<Cell> {
        while self.passes(at, way) {
            at = along(at, way, 1);
            if self.is_corner(at) {
                return Some(at);
            }
        }
        None
    }
}
