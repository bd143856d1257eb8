//! Which squares of 8×8 cells have corners, so that scans pass over ground without corners several steps at a time.

use alloc::vec;
use alloc::vec::Vec;

use super::bit_rows::Bits;

/// The side of a square.
const SIDE: i32 = 8;

/// A bit for each square of 8×8 cells, by rows of squares and by columns of squares.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    /// By rows, and by columns.
    lines: [Vec<u64>; 2],
    /// Words in a line.
    strides: [usize; 2],
}

impl Squares {
    /// Creates squares without corners for a map of this size.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let [across, down] = [width, height].map(|length| length.div_ceil(SIDE.cast_unsigned()) as usize);
        let strides = [across.div_ceil(64), down.div_ceil(64)];
        Self { lines: [vec![0; strides[0] * down], vec![0; strides[1] * across]], strides }
    }

    /// Finds out again whether the square around a cell of the map has corners.
    pub(super) fn update(&mut self, (x, y): (i32, i32), halts: &Bits, blocked: &Bits) {
        let (column, row) = (x / SIDE, y / SIDE);
        // Bit b of word w is at 64 w + b - 1: the bits of a square may lie in two words.
        let first = (SIDE * column + 1).cast_unsigned();
        let (word, bit) = ((first / 64) as usize, first % 64);
        let has_corners = (SIDE * row..(SIDE * (row + 1)).min(halts.lines())).any(|y| {
            let (halts, blocked) = (halts.line(y), blocked.line(y));
            let corners = |w: usize| halts.get(w).map_or(0, |halts| halts & !blocked[w]);
            let after = if bit > 56 { corners(word + 1) << (64 - bit) } else { 0 };
            (corners(word) >> bit | after) & 0xff != 0
        });
        for (k, (line, at)) in [(row, column), (column, row)].into_iter().enumerate() {
            let (line, at) = (line.cast_unsigned() as usize, at.cast_unsigned() as usize);
            let word = &mut self.lines[k][line * self.strides[k] + at / 64];
            *word = *word & !(1 << (at % 64)) | u64::from(has_corners) << (at % 64);
        }
    }

    /// Returns `true` if a square that meets the rectangle of cells between two corners of it, both included, may have
    /// corners. What lies outside the map is skipped. It looks along rows of squares, or along columns.
    #[inline]
    pub(super) fn may_have_corners(&self, by_columns: bool, a: (i32, i32), b: (i32, i32)) -> bool {
        let k = usize::from(by_columns);
        let turned = |(x, y): (i32, i32)| if by_columns { (y, x) } else { (x, y) };
        let ((ax, ay), (bx, by)) = (turned(a), turned(b));
        let stride = self.strides[k];
        let square = |at: i32| at.max(0).cast_unsigned() as usize / SIDE.cast_unsigned() as usize;
        let [first, last] = [ax.min(bx), ax.max(bx)].map(|at| square(at).min(64 * stride - 1));
        let lines = self.lines[k].chunks_exact(stride).take(square(ay.max(by)) + 1).skip(square(ay.min(by)));
        let (head, tail) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        for line in lines {
            let found = if first / 64 == last / 64 {
                line[first / 64] & head & tail
            } else {
                let between = line[first / 64 + 1..last / 64].iter().fold(0, |all, word| all | word);
                line[first / 64] & head | between | line[last / 64] & tail
            };
            if found != 0 {
                return true;
            }
        }
        false
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.lines.iter().map(|lines| 8 * lines.capacity()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares rectangles with their cells, on maps of many sizes, while cells change.
    #[test]
    fn rectangles_without_corners_are_told_from_others() {
        let mut state = 3_u32;
        let mut roll = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for (width, height) in [(1, 1), (7, 9), (64, 63), (130, 70), (600, 20), (20, 600), (512, 512)] {
            let (mut halts, blocked) = (Bits::new(height, width), Bits::new(height, width));
            let mut squares = Squares::new(width, height);
            for _ in 0..60 {
                let (x, y) = (roll(width).cast_signed(), roll(height).cast_signed());
                halts.put(y, x, roll(3) > 0);
                squares.update((x, y), &halts, &blocked);
                let mut pick = |length: u32| roll(length + 12).cast_signed() - 6;
                let (a, b) = ((pick(width), pick(height)), (pick(width), pick(height)));
                let span = |p: i32, q: i32, length: u32| {
                    let (least, most) = (p.min(q).max(0) / SIDE * SIDE, p.max(q).max(0) / SIDE * SIDE + SIDE);
                    least..most.min(length.cast_signed())
                };
                let mut cells =
                    span(a.1, b.1, height).flat_map(|y| span(a.0, b.0, width).map(move |x| (x, y)));
                let has_corners = cells.any(|(x, y)| halts.get(y, x));
                for by_columns in [false, true] {
                    let may_have = squares.may_have_corners(by_columns, a, b);
                    assert!(may_have || !has_corners, "{a:?} {b:?}");
                    // Rectangles outside the map may be taken for squares at its border.
                    let is_inside = a.0.min(b.0) < width.cast_signed() && a.1.min(b.1) < height.cast_signed();
                    assert!(has_corners || !may_have || !is_inside, "{a:?} {b:?}");
                }
            }
        }
    }
}
