//! The scan with four neighbors, which looks at a quadrant row by row.
//!
//! A cell is directly connected with another if nothing but the two lies in the rectangle between them. So rows are looked
//! along in order of their distance from the start, each as far as all before it were clear. Columns take the place of rows
//! where there are fewer of them.

use super::{Cell, Corners, DIAGONALS, FAR, Scan, along, words};

impl Scan {
    /// Returns the directions from row to row, and along the rows.
    #[inline]
    pub(super) fn axes(&self) -> (Cell, Cell) {
        let (dx, dy) = DIAGONALS[self.way as usize & 3];
        if self.clear[1] == 0 { ((0, dy), (dx, 0)) } else { ((dx, 0), (0, dy)) }
    }

    /// Looks along one row, or skips empty ones. Returns the number of words read.
    #[inline]
    pub(super) fn advance_in_quadrant(&mut self, corners: &Corners, mut found: impl FnMut(Cell)) -> u32 {
        let mut read = 1;
        if self.steps == 0 {
            let (dx, dy) = DIAGONALS[self.way as usize & 3];
            let [row, column] = [(dx, 0), (0, dy)].map(|way| corners.halt(self.from, way, FAR) - 1);
            self.clear = if column <= row { [row, 0] } else { [column, 1] };
            read += words(row) + words(column);
        }
        let (on, side) = self.axes();
        let before = along(self.from, on, self.steps);
        let empty = self.empty_rows(corners, before, on);
        if empty > 1 {
            self.steps += empty;
            return read;
        }
        let at = along(before, on, 1);
        let clear = self.clear[0];
        if clear <= 0 || corners.is_halt(at) {
            self.turn();
            return read;
        }
        self.steps += 1;
        let halt = corners.halt(at, side, clear);
        self.look(corners, at, (side, clear), halt, &mut found);
        self.clear[0] = clear.min(halt - 1);
        read + words(halt.min(clear))
    }

    /// Returns the number of next rows in which there is nothing to find.
    #[inline]
    fn empty_rows(&self, corners: &Corners, at: Cell, on: Cell) -> i32 {
        let empty = corners.empty_lines(at, on);
        let to_aim = (self.aim.0 - at.0) * on.0 + (self.aim.1 - at.1) * on.1;
        if to_aim > 0 { empty.min(to_aim - 1) } else { empty }
    }
}
