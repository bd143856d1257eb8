//! Which corners are directly connected with a cell: found by walks along rays, a few words of bits at a time.

mod quadrant;

use super::{Cell, Corners, DIAGONALS, STRAIGHTS, Turns, along};
use crate::graph::Limits;
use crate::grid::Neighborhood;
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{PlannerPart, no_pages};

/// A distance that is larger than any map.
const FAR: i32 = 1 << 28;
/// Maximum number of diagonal steps over bare ground at once.
const STRIDE: i32 = 8;
/// What these take, in words.
const BARE_WORDS: u32 = 4;

/// Looks from a cell for the corners that are directly connected with it, and can pause after every ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    from: Cell,
    /// A cell that is found as if it were a corner. It is `from` if there is none.
    aim: Cell,
    /// The index of the direction: four straight ones, then four diagonals or the quadrants around them.
    way: u8,
    /// Steps that the diagonal walk has made, and how far the cells before it were clear on either side. In a quadrant: the
    /// number of rows (or columns) looked at, how far all of them were clear, and 1 for columns.
    steps: i32,
    clear: [i32; 2],
}

impl Scan {
    /// Starts a scan from a cell. It finds `aim` as if that were a corner; pass `from` if there is none.
    pub fn new(from: Cell, aim: Cell) -> Self {
        Self { from, aim, way: 0, steps: 0, clear: [0; 2] }
    }

    /// Creates a scan that is done.
    pub fn done() -> Self {
        Self { way: 8, ..Self::new((0, 0), (0, 0)) }
    }

    /// Returns `true` if everything has been found.
    pub fn is_done(&self) -> bool {
        self.way >= 8
    }

    /// Looks along one ray, or makes one diagonal step and looks to both sides. With four neighbors it looks along a row. It
    /// skips any number of empty rows and columns. Returns the number of words read.
    #[inline]
    pub fn advance(&mut self, corners: &Corners, found: impl FnMut(Cell)) -> u32 {
        self.advance_within(corners, Turns::ALL, found)
    }

    /// Advances the scan in some directions only. It skips the others, or does not report what lies there.
    #[inline]
    pub(crate) fn advance_within(
        &mut self,
        corners: &Corners,
        turns: Turns,
        mut found: impl FnMut(Cell),
    ) -> u32 {
        if self.way < 4 {
            let way = STRAIGHTS[self.way as usize];
            self.way += 1;
            if !turns.allow(way) {
                return 0;
            }
            let halt = corners.halt(self.from, way, FAR);
            self.look(corners, self.from, (way, FAR), halt, &mut found);
            return words(halt);
        }
        let diagonal @ (dx, dy) = DIAGONALS[self.way as usize & 3];
        // Every path to one of its sides begins with a diagonal move as well.
        if !turns.allow(diagonal) {
            self.turn();
            return 0;
        }
        if corners.neighborhood == Neighborhood::Four {
            return self.advance_in_quadrant(corners, found);
        }
        let sides = [(dx, 0), (0, dy)];
        let mut read = 1;
        if self.steps == 0 {
            // Beyond a diagonal step, cells are reached over all those before it: no farther to the side than there.
            let clear = |side| if turns.allow(side) { corners.halt(self.from, side, FAR) - 1 } else { 0 };
            self.clear = sides.map(clear);
            read += words(self.clear[0]) + words(self.clear[1]);
        }
        let before = along(self.from, diagonal, self.steps);
        let empty = self.empty_steps(corners, before, diagonal);
        if empty > 1 {
            self.steps += empty;
            let at = along(before, diagonal, empty);
            self.clear = [0, 1].map(|k| self.clear[k].min(corners.to_border(at, sides[k]) - 1));
            return read;
        }
        if self.steps & (STRIDE - 1) == 0 {
            let passed = self.pass_bare_rows(corners, before, diagonal);
            if passed > 0 {
                self.steps += passed;
                let at = along(before, diagonal, passed);
                for (clear, side) in self.clear.iter_mut().zip(sides).filter(|(clear, _)| **clear > 0) {
                    *clear = (*clear).min(corners.halt(at, side, *clear) - 1);
                }
                return read + BARE_WORDS;
            }
        }
        if !corners.passes(before, diagonal) {
            self.turn();
            return read;
        }
        self.steps += 1;
        let at = along(before, diagonal, 1);
        let is_halt = corners.is_halt(at);
        if is_halt || at == self.aim {
            found(at);
        }
        if is_halt {
            self.turn();
            return read;
        }
        for (k, side) in sides.into_iter().enumerate() {
            if self.clear[k] > 0 {
                let halt = corners.halt(at, side, self.clear[k]);
                self.look(corners, at, (side, self.clear[k]), halt, &mut found);
                self.clear[k] = self.clear[k].min(halt - 1);
                read += words(halt.min(self.clear[k]));
            }
        }
        read
    }

    /// Returns the number of diagonal steps, 8 at most, over rows and columns that have no corner as far as they are clear.
    ///
    /// Nothing is found there, and only the last of these rows matters for how far the next ones are clear: if a row were
    /// clear for farther than the one before, there would be a corner at the end of the one before. The diagonal moves
    /// ensure that no row ends next to the diagonal. The same holds for columns.
    #[inline]
    fn pass_bare_rows(&self, corners: &Corners, at: Cell, way @ (dx, dy): Cell) -> i32 {
        let most = if self.aim == self.from {
            STRIDE
        } else {
            // The aim is found from its row and from its column.
            let to_aim = [(self.aim.0 - at.0) * dx, (self.aim.1 - at.1) * dy];
            to_aim.into_iter().filter(|steps| *steps > 0).fold(STRIDE, |least, steps| least.min(steps - 1))
        };
        let (first, last) = (along(at, way, 1), along(at, way, STRIDE));
        if most < 2
            || corners.may_have_corners(false, first, (last.0 + self.clear[0] * dx, last.1))
            || corners.may_have_corners(true, first, (last.0, last.1 + self.clear[1] * dy))
        {
            return 0;
        }
        (0..most).find(|&steps| !corners.passes(along(at, way, steps), way)).unwrap_or(most)
    }

    /// Returns the number of diagonal steps over rows and columns in which there is nothing to find.
    #[inline]
    fn empty_steps(&self, corners: &Corners, at: Cell, way: Cell) -> i32 {
        let empty = corners.empty_steps(at, way);
        if self.aim == self.from {
            return empty;
        }
        // The aim is found from its row and from its column.
        let to_aim = [(self.aim.0 - at.0) * way.0, (self.aim.1 - at.1) * way.1];
        to_aim.into_iter().filter(|steps| *steps > 0).fold(empty, |least, steps| least.min(steps - 1))
    }

    fn turn(&mut self) {
        self.way += 1;
        self.steps = 0;
    }

    /// Finds what lies on a ray up to its halt, no farther than it is clear.
    #[inline]
    fn look(
        &self,
        corners: &Corners,
        at: Cell,
        (way, clear): ((i32, i32), i32),
        halt: i32,
        found: &mut impl FnMut(Cell),
    ) {
        if self.aim != self.from {
            let (x, y) = (self.aim.0 - at.0, self.aim.1 - at.1);
            let steps = x * way.0 + y * way.1;
            if (1..halt).contains(&steps) && steps <= clear && along(at, way, steps) == self.aim {
                found(self.aim);
            }
        }
        if halt <= clear {
            let end = along(at, way, halt);
            if corners.is_free(end) {
                found(end);
            }
        }
    }

    /// Returns `true` if the scan fits a map of this size. A forged scan may find wrong corners, but none outside the map.
    pub(crate) fn fits(&self, size: (u32, u32), neighborhood: Neighborhood) -> bool {
        let is_inside = |(x, y): Cell| x.cast_unsigned() < size.0 && y.cast_unsigned() < size.1;
        let (dx, dy) = match neighborhood {
            Neighborhood::Four => self.axes().0,
            Neighborhood::Eight => DIAGONALS[self.way as usize & 3],
        };
        let at = (
            i64::from(self.from.0) + i64::from(self.steps) * i64::from(dx),
            i64::from(self.from.1) + i64::from(self.steps) * i64::from(dy),
        );
        let stands = (0..i64::from(size.0)).contains(&at.0) && (0..i64::from(size.1)).contains(&at.1);
        is_inside(self.from) && is_inside(self.aim) && self.way <= 8 && self.steps >= 0 && stands
    }
}

impl PlannerPart for Scan {
    fn write(&self, out: &mut dyn SaveWriter) {
        let Self { from, aim, way, steps, clear } = *self;
        for number in [from.0, from.1, aim.0, aim.1, i32::from(way), steps, clear[0], clear[1]] {
            out.u32(number.cast_unsigned());
        }
    }

    /// Reads a scan. The caller must check that it fits the map.
    fn read(&mut self, _: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let mut number = || from.u32().map(u32::cast_signed);
        *self = Self {
            from: (number()?, number()?),
            aim: (number()?, number()?),
            way: u8::try_from(number()?).unwrap_or(u8::MAX),
            steps: number()?,
            clear: [number()?, number()?],
        };
        Ok(())
    }

    no_pages!();
}

/// Returns the approximate number of words that a ray of this many steps lies in.
#[inline]
fn words(steps: i32) -> u32 {
    1 + (steps.cast_unsigned() >> 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Rules};
    use alloc::vec::Vec;

    /// A scan in some directions finds there what a whole scan finds, and reads no more words.
    #[test]
    fn a_scan_in_some_directions_finds_what_lies_there() {
        let mut state = 7_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let (mut read, mut read_within) = (0, 0);
        for k in 0..60 {
            let neighborhood = [Neighborhood::Four, Neighborhood::Eight][k % 2];
            let blocked = 5 + random() % 30;
            let rules = Rules { neighborhood, ..Rules::default() };
            let grid = Grid::new(30, 20, rules, |_, _| u8::from(random() % 100 >= blocked)).expect("a grid");
            let corners = Corners::new(&grid).expect("one weight");
            let all = (0..20).flat_map(|y| (0..30).map(move |x| (x, y)));
            let all: Vec<Cell> = all.filter(|&at| corners.is_corner(at)).collect();
            let look = |from: Cell, turns: Turns| {
                let (mut scan, mut found, mut words) = (Scan::new(from, from), Vec::new(), 0);
                while !scan.is_done() {
                    words += scan.advance_within(&corners, turns, |at| found.push(at));
                }
                found.retain(|at| turns.allow((at.0 - from.0, at.1 - from.1)));
                (found, words)
            };
            for &before in &all {
                for at in look(before, Turns::ALL).0 {
                    let turns = corners.turns(before, at);
                    let ((whole, words), (part, fewer)) = (look(at, Turns::ALL), look(at, turns));
                    let allowed = whole.into_iter().filter(|to| turns.allow((to.0 - at.0, to.1 - at.1)));
                    assert_eq!(part, allowed.collect::<Vec<Cell>>(), "{before:?} {at:?}");
                    assert!(fewer <= words);
                    (read, read_within) = (read + words, read_within + fewer);
                }
            }
        }
        assert!(2 * read_within < read, "{read_within} of {read} words");
    }

    /// Checks that a scan finds the cells that step by step walks over rows and columns find, on open ground with few
    /// obstacles, where many steps are made at once.
    #[test]
    fn a_scan_finds_what_walks_find() {
        let mut state = 11_u32;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let (mut words, mut steps) = (0, 0);
        for round in 0..80 {
            let (width, height) = (20 + random(120), 20 + random(120));
            let boxes: Vec<[u32; 4]> = (0..=random(12))
                .map(|_| [random(width), random(height), 1 + random(20), 1 + random(20)])
                .collect();
            let is_blocked = |x: u32, y: u32| {
                boxes
                    .iter()
                    .any(|&[left, top, w, h]| (left..left + w).contains(&x) && (top..top + h).contains(&y))
            };
            let free = |x, y| u8::from(!is_blocked(x, y));
            let mut grid = Grid::new(width, height, Rules::default(), free).expect("a grid").with_corners();
            for _ in 0..random(6) {
                let n = grid.node(random(width), random(height)).expect("on the map");
                grid.set(n, u8::from(!grid.is_free(n)), &mut crate::graph::ChangeLog::new())
                    .expect("0 and 1");
            }
            let corners = grid.corners().expect("one weight");
            for _ in 0..30 {
                let mut pick = || (random(width).cast_signed(), random(height).cast_signed());
                let (from, other) = (pick(), pick());
                let aim = if round % 2 == 0 { from } else { other };
                if !corners.is_free(from) || !corners.is_free(aim) {
                    continue;
                }
                let (mut scan, mut found) = (Scan::new(from, aim), Vec::new());
                while !scan.is_done() {
                    words += scan.advance(corners, |at| found.push(at));
                }
                let mut expected = Vec::new();
                let ends = |at: Cell| corners.is_halt(at);
                let mut walk = |mut at: Cell, way: Cell, most: i32| {
                    for step in 1..=most {
                        at = along(at, way, 1);
                        steps += 1;
                        if corners.is_free(at) && (ends(at) || at == aim && aim != from) {
                            expected.push(at);
                        }
                        if ends(at) {
                            return step - 1;
                        }
                    }
                    most
                };
                for way in STRAIGHTS {
                    walk(from, way, FAR);
                }
                for diagonal @ (dx, dy) in DIAGONALS {
                    let mut at = from;
                    let mut clear = [(dx, 0), (0, dy)].map(|side| corners.halt(from, side, FAR) - 1);
                    while corners.passes(at, diagonal) {
                        at = along(at, diagonal, 1);
                        if walk(along(at, diagonal, -1), diagonal, 1) == 0 {
                            break;
                        }
                        for (k, side) in [(dx, 0), (0, dy)].into_iter().enumerate() {
                            clear[k] = clear[k].min(walk(at, side, clear[k]));
                        }
                    }
                }
                assert_eq!(found, expected, "from {from:?}, aim {aim:?}");
            }
        }
        assert!(20 * words < steps, "{words} words, {steps} steps");
    }
}
