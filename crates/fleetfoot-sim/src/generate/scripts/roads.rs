//! Lengths of paths, and sites for new passages.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::map::GridMap;

/// The lengths of a straight and of a diagonal move.
pub(super) const STRAIGHT: u64 = 408;
const DIAGONAL: u64 = 577;

/// A straight run of blocked cells between two free ones, along a row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The free cell before its first blocked one.
    pub from: (u32, u32),
    /// The free cell behind its last blocked one.
    pub to: (u32, u32),
}

impl Span {
    /// Returns the blocked cells, in order.
    pub fn cells(self) -> impl Iterator<Item = (u32, u32)> {
        let ((x, y), (last_x, last_y)) = (self.from, self.to);
        let (dx, dy) = (u32::from(last_x > x), u32::from(last_y > y));
        (1..self.moves()).map(move |k| (x + k * dx, y + k * dy))
    }

    /// Returns the number of moves from one free cell to the other.
    pub fn moves(self) -> u32 {
        (self.to.0 - self.from.0) + (self.to.1 - self.from.1)
    }
}

/// Returns all spans of at most `longest` blocked cells whose letters are in `over`: along rows first, then along
/// columns.
pub(super) fn spans(map: &GridMap, longest: u32, over: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut scan = |length: u32, cell: &dyn Fn(u32) -> (u32, u32)| {
        let mut from = None;
        for k in 0..length {
            let (x, y) = cell(k);
            if map.passable(x, y) {
                let span = from.filter(|from| (2..=longest.saturating_add(1)).contains(&(k - from)));
                spans.extend(span.map(|from| Span { from: cell(from), to: (x, y) }));
                from = Some(k);
            } else if !over.contains(&map.letter(x, y)) {
                from = None;
            }
        }
    };
    for y in 0..map.height() {
        scan(map.width(), &|x| (x, y));
    }
    for x in 0..map.width() {
        scan(map.height(), &|y| (x, y));
    }
    spans
}

/// Lengths of shortest paths from a cell by the default rules of movement (eight moves, no corner cutting), up to a
/// limit. Reusable: it resets only the cells that it reached.
pub(super) struct Roads {
    width: u32,
    lengths: Vec<u64>,
    reached: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Roads {
    const UNREACHED: u64 = u64::MAX;

    pub(super) fn new(map: &GridMap) -> Self {
        let lengths = vec![Self::UNREACHED; map.cells().len()];
        Self { width: map.width(), lengths, reached: Vec::new(), heap: BinaryHeap::new() }
    }

    /// Finds all cells within `most` of `from`.
    pub(super) fn measure(&mut self, map: &GridMap, from: (u32, u32), most: u64) {
        for cell in self.reached.drain(..) {
            self.lengths[cell as usize] = Self::UNREACHED;
        }
        self.relax(from, 0);
        while let Some(Reverse((length, cell))) = self.heap.pop() {
            if length > self.lengths[cell as usize] {
                continue;
            }
            let (x, y) = (cell % self.width, cell / self.width);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                // Wraps to far outside at the upper and left edge, which is blocked as well.
                let (nx, ny) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let step = if dx == 0 || dy == 0 { STRAIGHT } else { DIAGONAL };
                let is_legal = map.passable(nx, ny) && map.passable(nx, y) && map.passable(x, ny);
                if is_legal && length + step <= most {
                    self.relax((nx, ny), length + step);
                }
            }
        }
    }

    fn relax(&mut self, (x, y): (u32, u32), length: u64) {
        let cell = y * self.width + x;
        let known = &mut self.lengths[cell as usize];
        if length < *known {
            if *known == Self::UNREACHED {
                self.reached.push(cell);
            }
            *known = length;
            self.heap.push(Reverse((length, cell)));
        }
    }

    /// Returns the length of a shortest path to a cell, if it was found.
    pub(super) fn length(&self, (x, y): (u32, u32)) -> Option<u64> {
        let length = self.lengths[y as usize * self.width as usize + x as usize];
        (length != Self::UNREACHED).then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_lie_between_free_cells() {
        let map = GridMap::from_rows(&[".@@.W.", "@@@@@@", "......"]).unwrap();
        let found = |longest, over: &[u8]| {
            let spans = spans(&map, longest, over).into_iter();
            spans.map(|span| (span.from, span.to, span.cells().count())).collect::<Vec<_>>()
        };
        let rows = [((0, 0), (3, 0), 2), ((3, 0), (5, 0), 1)];
        let columns = [((0, 0), (0, 2), 1), ((3, 0), (3, 2), 1), ((5, 0), (5, 2), 1)];
        assert_eq!(found(2, b"@W"), [&rows[..], &columns].concat());
        assert_eq!(found(1, b"@W"), [&rows[1..], &columns].concat());
        assert_eq!(found(9, b"W"), rows[1..]);
        assert_eq!(found(u32::MAX, b"@"), [&rows[..1], &columns].concat());
        let span = Span { from: (3, 0), to: (3, 3) };
        assert_eq!((span.moves(), span.cells().collect::<Vec<_>>()), (3, vec![(3, 1), (3, 2)]));
    }

    #[test]
    fn lengths_are_those_of_dijkstra_as_far_as_asked_for() {
        let map = crate::generate::random::generate(30, 20, 30, 3).unwrap().map;
        let mut roads = Roads::new(&map);
        let free: Vec<_> = (0..600).map(|k| (k % 30, k / 30)).filter(|&(x, y)| map.passable(x, y)).collect();
        for &from in free.iter().step_by(17) {
            let thousandths = crate::generate::tests::distances(&map, from);
            for most in [u64::MAX, 5 * STRAIGHT] {
                roads.measure(&map, from, most);
                for &(x, y) in &free {
                    let near =
                        |length: u64| (length * 1000 / STRAIGHT).abs_diff(thousandths(x, y).unwrap()) < 40;
                    match roads.length((x, y)) {
                        Some(length) => assert!(length <= most && near(length)),
                        None => assert!(thousandths(x, y).is_none_or(|length| length > 5 * 1000 - 40)),
                    }
                }
            }
        }
    }
}
