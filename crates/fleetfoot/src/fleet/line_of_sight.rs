//! Lines of sight: whether the ground between two cells is open, in O(1) for all practical lengths. Moves are lines of bits, read a word of
//! 64 at a time, and updated by edits in O(1).

use alloc::vec;
use alloc::vec::Vec;

use crate::corners::{Cell, LineOfSight};
use crate::grid::{Grid, Neighborhood};

/// Lines of bits; a set bit is a blocked cell or move.
#[derive(Clone, Debug)]
struct Lines {
    words: Vec<u64>,
    /// Words in a line.
    stride: usize,
}

impl Lines {
    fn new(lines: usize, length: usize) -> Self {
        let stride = length.div_ceil(64);
        Self { words: vec![0; lines * stride], stride }
    }

    fn put(&mut self, line: i32, at: i32, is_blocked: bool) {
        let word = line.cast_unsigned() as usize * self.stride + (at / 64).cast_unsigned() as usize;
        let bit = 1 << (at % 64);
        self.words[word] = if is_blocked { self.words[word] | bit } else { self.words[word] & !bit };
    }

    /// Returns `true` if none of `len` bits from `first` on is set.
    #[inline]
    fn is_clear(&self, line: i32, first: i32, len: i32) -> bool {
        if len <= 0 {
            return true;
        }
        let start = line.cast_unsigned() as usize * self.stride;
        let last = first + len - 1;
        let (from, to) =
            (start + (first >> 6).cast_unsigned() as usize, start + (last >> 6).cast_unsigned() as usize);
        let (head, tail) = (u64::MAX << (first & 63), u64::MAX >> (63 - (last & 63)));
        if from == to {
            return self.words[from] & head & tail == 0;
        }
        self.words[from] & head == 0
            && self.words[to] & tail == 0
            && self.words[from + 1..to].iter().all(|&word| word == 0)
    }

    fn memory_bytes(&self) -> usize {
        8 * self.words.capacity()
    }
}

/// The open ground of a grid: six bits a cell where moves are eight, two where they are four.
#[derive(Clone, Debug)]
pub(crate) struct SightLines {
    size: (i32, i32),
    cuts_corners: bool,
    /// Blocked cells by rows and by columns.
    rows: Lines,
    columns: Lines,
    /// Blocked diagonal moves, by the column they start in: down to the right, and up to the right. `None` with four moves.
    diagonals: Option<[Lines; 2]>,
}

impl SightLines {
    pub(crate) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let size @ (columns, rows) = (grid.width().cast_signed(), grid.height().cast_signed());
        let rules = grid.rules();
        let mut sight = Self {
            size,
            cuts_corners: rules.cut_corners,
            rows: Lines::new(height, width),
            columns: Lines::new(width, height),
            diagonals: (rules.neighborhood == Neighborhood::Eight)
                .then(|| [Lines::new(width + height, width), Lines::new(width + height, width)]),
        };
        for y in 0..rows {
            for x in 0..columns {
                let node = grid.node(x.cast_unsigned(), y.cast_unsigned());
                if node.is_none_or(|n| !grid.is_free(n)) {
                    sight.rows.put(y, x, true);
                    sight.columns.put(x, y, true);
                }
            }
        }
        for y in 0..rows {
            for x in 0..columns {
                sight.refresh((x, y));
            }
        }
        sight
    }

    /// Updates the lines after a cell has been blocked or freed.
    pub(crate) fn edit(&mut self, (x, y): Cell, is_free: bool) {
        self.rows.put(y, x, !is_free);
        self.columns.put(x, y, !is_free);
        for dy in -1..=1 {
            for dx in -1..=0 {
                let from = (x + dx, y + dy);
                if self.is_inside(from) {
                    self.refresh(from);
                }
            }
        }
    }

    /// Updates the diagonal moves to the right from a cell.
    fn refresh(&mut self, at @ (x, y): Cell) {
        let is_blocked = [1, -1].map(|dy| {
            let beside = self.is_free((x + 1, y)) && self.is_free((x, y + dy));
            !self.is_free(at) || !self.is_free((x + 1, y + dy)) || !self.cuts_corners && !beside
        });
        let height = self.size.1;
        if let Some([down, up]) = &mut self.diagonals {
            down.put(x - y + height - 1, x, is_blocked[0]);
            up.put(x + y, x, is_blocked[1]);
        }
    }

    fn is_inside(&self, (x, y): Cell) -> bool {
        (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y)
    }

    pub(crate) fn is_free(&self, at: Cell) -> bool {
        self.is_inside(at) && self.rows.is_clear(at.1, at.0, 1)
    }

    /// Returns `true` if one of the two plain shortest paths between two cells of the map is free: all diagonal moves first, or all straight
    /// ones first. With four moves: one axis first, or the other.
    #[inline]
    pub(crate) fn is_open(&self, a: Cell, b: Cell) -> bool {
        self.turn(a, b).is_some()
    }

    /// Returns the cell where that path turns. Returns `None` if neither is free.
    #[inline]
    pub(crate) fn turn(&self, a: Cell, b: Cell) -> Option<Cell> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        if dx == 0 || dy == 0 {
            return self.is_straight(a, b).then_some(b);
        }
        if self.diagonals.is_none() {
            let turns = [(b.0, a.1), (a.0, b.1)];
            return turns.into_iter().find(|&turn| self.is_straight(a, turn) && self.is_straight(turn, b));
        }
        let steps = dx.abs().min(dy.abs());
        let (sx, sy) = (steps * dx.signum(), steps * dy.signum());
        let turn = (a.0 + sx, a.1 + sy);
        if self.is_diagonal(a, turn) && self.is_straight(turn, b) {
            return Some(turn);
        }
        let turn = (b.0 - sx, b.1 - sy);
        (self.is_straight(a, turn) && self.is_diagonal(turn, b)).then_some(turn)
    }

    /// Returns `true` if two cells of one row or column and all cells between them are free.
    #[inline]
    fn is_straight(&self, a: Cell, b: Cell) -> bool {
        if a.1 == b.1 {
            self.rows.is_clear(a.1, a.0.min(b.0), (a.0 - b.0).abs() + 1)
        } else {
            self.columns.is_clear(a.0, a.1.min(b.1), (a.1 - b.1).abs() + 1)
        }
    }

    #[inline]
    fn is_diagonal(&self, a: Cell, b: Cell) -> bool {
        let Some([down, up]) = &self.diagonals else { return false };
        let (left, right) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let len = right.0 - left.0;
        if left.1 < right.1 {
            down.is_clear(left.0 - left.1 + self.size.1 - 1, left.0, len)
        } else {
            up.is_clear(left.0 + left.1, left.0, len)
        }
    }

    /// Returns 64 cells of a row; ones are blocked.
    pub(crate) fn blocked_word(&self, row: u32, word: u32) -> u64 {
        self.rows.words[row as usize * self.rows.stride + word as usize]
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let diagonals = self.diagonals.iter().flatten().map(Lines::memory_bytes).sum::<usize>();
        self.rows.memory_bytes() + self.columns.memory_bytes() + diagonals
    }
}

impl LineOfSight for SightLines {
    fn is_clear(&self, from: Cell, to: Cell) -> bool {
        self.is_open(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{ChangeLog, Graph, splitmix64};
    use crate::grid::{Diagonal, Rules};
    use crate::id::{Cost, NodeId};

    fn cell(grid: &Grid, n: NodeId) -> Cell {
        let (x, y) = grid.xy(n);
        (x.cast_signed(), y.cast_signed())
    }

    /// Walks cell by cell, in the two orders.
    fn walks(grid: &Grid, a: NodeId, b: NodeId, first: bool) -> bool {
        let four = grid.rules().neighborhood == Neighborhood::Four;
        let (mut at, to) = (a, b);
        while at != to {
            let ((x, y), (tx, ty)) = (cell(grid, at), cell(grid, to));
            let (dx, dy) = (tx - x, ty - y);
            let (sx, sy) = (dx.signum(), dy.signum());
            let step = if dx == 0 || dy == 0 {
                (sx, sy)
            } else if four {
                if first { (sx, 0) } else { (0, sy) }
            } else if first || dx.abs() == dy.abs() {
                (sx, sy)
            } else if dx.abs() > dy.abs() {
                (sx, 0)
            } else {
                (0, sy)
            };
            let next = grid.node((x + step.0).cast_unsigned(), (y + step.1).cast_unsigned()).unwrap();
            if grid.cost(at, next) == Cost::INF {
                return false;
            }
            at = next;
        }
        true
    }

    #[test]
    fn open_ground_is_what_can_be_walked_plainly_and_edits_keep_it_so() {
        let rules = [(Neighborhood::Four, false), (Neighborhood::Eight, false), (Neighborhood::Eight, true)];
        for (k, (neighborhood, cut_corners)) in rules.into_iter().enumerate() {
            for (width, height) in [(70, 9), (9, 70), (130, 5), (1, 66), (66, 1), (20, 20)] {
                let rules = Rules { neighborhood, cut_corners, diagonal: Diagonal::D15 };
                let random = |a: u64, b: u64| splitmix64(a << 40 | b << 8 | k as u64);
                let mut grid = Grid::new(width, height, rules, |x, y| {
                    u8::from(random(u64::from(x), u64::from(y)) % 9 != 0)
                })
                .unwrap();
                let mut sight = SightLines::new(&grid);
                let mut log = ChangeLog::new();
                for round in 0..600 {
                    let pick = |salt: u64| {
                        let r = random(salt, round);
                        grid.node(r as u32 % width, (r >> 32) as u32 % height).unwrap()
                    };
                    let (a, b) = (pick(1000), pick(2000));
                    if grid.is_free(a) && grid.is_free(b) {
                        let open = walks(&grid, a, b, true) || walks(&grid, a, b, false);
                        assert_eq!(sight.is_open(cell(&grid, a), cell(&grid, b)), open);
                    }
                    let n = pick(3000);
                    let is_free = !grid.is_free(n);
                    grid.set(n, u8::from(is_free), &mut log).unwrap();
                    sight.edit(cell(&grid, n), is_free);
                }
            }
        }
    }
}
