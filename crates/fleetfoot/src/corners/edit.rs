//! Updates of an index: when a cell is blocked or freed, the corners whose connections may change are marked.
//!
//! The connections of a corner follow from what its scan reads. Of that an edit changes the state (free, blocked, corner)
//! of cells in the 3×3 block around the edited one, and diagonal moves past it.
//! - A cell with another state is read by the corners that it is directly connected with: they are found by a scan from
//!   there, since being connected is symmetric.
//!   A corner that reads the cell in only one of its two states reads it before it is blocked, or after it is freed. So one
//!   scan is enough.
//! - With eight neighbors: a diagonal move past the edited cell is made on the diagonal of a scan, so the corner whose scan it is lies behind it
//!   on this diagonal: the first one met there.

use alloc::vec::Vec;

use super::{Cell, Corners, DIAGONALS, along, is_inside, node};
use crate::grid::{Grid, Neighborhood};

/// Diagonal steps that take as long as the reading of a word.
const STEPS_PER_WORD: u64 = 4;

impl Corners {
    /// Updates the index after a cell of the map has been blocked or freed.
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

        if !is_free {
            self.mark_around(grid, &block, changed);
        }
        self.blocked.put(at.1, at.0, !is_free);
        for (k, &(x, y)) in block.iter().enumerate().filter(|(k, _)| changed[*k]) {
            let halts = is[k] || !self.is_free((x, y));
            self.halts[0].put(y, x, halts);
            self.halts[1].put(x, y, halts);
            self.lists.mark(node(grid, (x, y)));
            self.len = self.len + usize::from(is[k]) - usize::from(was[k]);
        }
        let last = [grid.width(), grid.height()].map(|length| length.cast_signed() - 1);
        for (dx, dy) in DIAGONALS {
            self.update_square(((at.0 + dx).clamp(0, last[0]), (at.1 + dy).clamp(0, last[1])));
        }
        if is_free {
            self.mark_around(grid, &block, changed);
        }
        self.landmarks.edit(grid, node(grid, at), is_free);
    }

    /// Marks the corners that read cells whose state changes, or make a diagonal move past the middle of the block.
    fn mark_around(&mut self, grid: &Grid, block: &[Cell; 9], changed: [bool; 9]) {
        if !self.lists.are_kept {
            return;
        }
        let mut marks = Vec::new();
        for (k, &from) in block.iter().enumerate().filter(|(_, c)| is_inside(grid, **c)) {
            if changed[k] {
                self.read += self.for_each_direct(from, |corner| marks.push(corner));
            } else if k % 2 == 1 && self.neighborhood == Neighborhood::Eight {
                // Next to the edited cell.
                for way in DIAGONALS {
                    let (corner, steps) = self.first_along(from, way);
                    marks.extend(corner);
                    self.read += steps / STEPS_PER_WORD;
                }
                marks.extend(Some(from).filter(|at| self.is_corner(*at)));
            }
        }
        for corner in marks {
            self.lists.mark(node(grid, corner));
        }
    }

    /// Returns the first corner along a diagonal, if there is one, and the number of steps that were looked at.
    fn first_along(&self, mut at: Cell, way: Cell) -> (Option<Cell>, u64) {
        let mut steps = 0;
        while self.passes(at, way) {
            at = along(at, way, 1);
            steps += 1;
            if self.is_corner(at) {
                return (Some(at), steps);
            }
        }
        (None, steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{ChangeLog, Graph};
    use crate::grid::Rules;
    use crate::id::NodeId;

    /// An index that forgot its connections and stores them again equals a new index.
    #[test]
    fn connections_that_were_forgotten_are_found_again() {
        let mut dice = 7_u32;
        let mut roll = |below: u32| {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (dice >> 8) % below
        };
        for neighborhood in [Neighborhood::Four, Neighborhood::Eight] {
            let rules = Rules { neighborhood, ..Rules::default() };
            let mut grid = Grid::new(50, 40, rules, |_, _| u8::from(roll(5) > 0)).unwrap().with_corners();
            for round in 0..12 {
                grid.change_corners(|corners, _| corners.forget_connections());
                for _ in 0..roll(30) {
                    let n = grid.node(roll(50), roll(40)).unwrap();
                    grid.set(n, u8::from(!grid.is_free(n)), &mut ChangeLog::new()).unwrap();
                }
                let corners = grid.corners().unwrap();
                assert!(corners.is_up_to_date() && corners.stored() == 0, "nothing is kept");
                grid.change_corners(|corners, _| corners.keep_connections());
                while !grid.corners().unwrap().is_up_to_date() {
                    grid.change_corners(Corners::repair_tile);
                }
                let (mine, fresh) = (grid.corners().unwrap(), Corners::new(&grid).unwrap());
                assert_eq!(mine.memory_bytes(), fresh.memory_bytes(), "in round {round}");
                for n in (0..grid.bound()).map(NodeId::from_index) {
                    let lists =
                        [mine, &fresh].map(|corners| corners.connections(n).map(Iterator::collect::<Vec<_>>));
                    assert_eq!(lists[0], lists[1], "in round {round}");
                }
            }
        }
    }
}
