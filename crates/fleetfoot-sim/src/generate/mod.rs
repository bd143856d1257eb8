//! Seeded generators of maps and problems, and of scripts by which maps change.
//!
//! The same parameters and seed give the same on every platform: all arithmetic is on integers, and the
//! random numbers are drawn by [`SeededRng`], not by a library whose sampling may change between versions. Golden
//! checksums in the tests tell when a generator changes, since that changes every experiment built on it.

pub mod builtin;
pub mod cave;
pub mod corner;
pub mod corridors;
mod join;
pub mod maze;
pub mod meeting;
mod noise;
pub mod problems;
pub mod random;
pub mod rooms;
pub mod scripts;

use crate::error::InputError;
use crate::map::GridMap;

/// What a generator made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The map.
    pub map: GridMap,
    /// Where the agent begins, if the map was made around one problem.
    pub start: Option<(u32, u32)>,
    /// Where it has to go.
    pub goal: Option<(u32, u32)>,
    /// Cells that may be closed and opened again in a changing world, row by row.
    pub doors: Vec<(u32, u32)>,
}

impl Generated {
    fn plain(map: GridMap) -> Self {
        Self { map, start: None, goal: None, doors: Vec::new() }
    }

    fn problem(map: GridMap, start: (u32, u32), goal: (u32, u32)) -> Self {
        Self { map, start: Some(start), goal: Some(goal), doors: Vec::new() }
    }
}

/// Random integers that depend on the seed alone: PCG XSL RR 128/64 (MCG), O'Neill 2014. It is written out here, since every
/// generated map depends on each of its bits.
#[derive(Clone, Debug)]
pub struct SeededRng(u128);

impl SeededRng {
    /// Dice that always roll the same for the same seed.
    pub fn new(seed: u64) -> Self {
        // Four words of a smaller generator, PCG32, make the state; it has to be odd.
        let mut small = seed;
        let mut word = |_| {
            small = small.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0xa176_54e4_6fbe_17f3);
            let mixed = (((small >> 18) ^ small) >> 27) as u32;
            u128::from(mixed.rotate_right((small >> 59) as u32))
        };
        let [a, b, c, d] = [0; 4].map(&mut word);
        Self(a | b << 32 | c << 64 | d << 96 | 1)
    }

    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
        let folded = (self.0 >> 64) as u64 ^ self.0 as u64;
        folded.rotate_right((self.0 >> 122) as u32) as u32
    }

    /// A number from 0 to `n` - 1, all equally likely; 0 if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        // Lemire's method: the high half of a product, without the draws that would favour some numbers.
        let mut product = u64::from(self.next()) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u32) < unfair {
                product = u64::from(self.next()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// Brings a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            list.swap(last, other);
        }
    }
}

fn check_percent(name: &str, percent: u32) -> Result<(), InputError> {
    if percent > 100 {
        return Err(InputError::new(format!("{name} is {percent} %"), "give a percentage from 0 to 100"));
    }
    Ok(())
}

/// How many rooms of `size` cells with walls of one cell around them fit into `side` cells.
fn rooms_along(name: &str, side: u32, size: u32) -> Result<u32, InputError> {
    // In u64: a size of u32::MAX must not wrap to a small period.
    let period = u64::from(size) + 1;
    let rooms = u64::from(side).saturating_sub(1) / period;
    if rooms == 0 {
        let what = format!("a {name} of {side} has no room for {size} free cells between two walls");
        return Err(InputError::new(what, format!("make the {name} at least {}", period + 1)));
    }
    Ok(rooms as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn checksum(map: &GridMap) -> u64 {
        map.checksum()
    }

    /// Lengths of shortest paths from a cell, in thousandths, eight-connected without corner cutting.
    pub(super) fn distances(map: &GridMap, from: (u32, u32)) -> impl Fn(u32, u32) -> Option<u64> {
        let width = map.width() as usize;
        let mut best = vec![None; map.cells().len()];
        let mut heap = std::collections::BinaryHeap::from([(std::cmp::Reverse(0), from.0, from.1)]);
        while let Some((std::cmp::Reverse(length), x, y)) = heap.pop() {
            let known = &mut best[map.index(x, y)];
            if known.is_some() {
                continue;
            }
            *known = Some(length);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                // Past the upper and left edge this wraps to far outside, which is blocked too.
                let (nx, ny) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if map.passable(nx, ny) && map.passable(nx, y) && map.passable(x, ny) {
                    let step = if dx * dy == 0 { 1000 } else { 1414 };
                    heap.push((std::cmp::Reverse(length + step), nx, ny));
                }
            }
        }
        move |x, y| best[y as usize * width + x as usize]
    }

    #[test]
    fn dice_are_fair_and_stable() {
        let mut dice = SeededRng::new(1);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[dice.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
        assert_eq!((dice.below(0), dice.below(1)), (0, 0));
        assert!(!(0..1000).any(|_| dice.percent(0)));
        assert!((0..1000).all(|_| dice.percent(100)));
        let mut dice = SeededRng::new(7);
        assert_eq!(
            [0; 4].map(|_| dice.below(1 << 31)),
            [1_244_431_943, 252_125_081, 873_357_141, 825_582_470]
        );
        let mut list = [0, 1, 2, 3, 4, 5];
        dice.shuffle(&mut list);
        assert_ne!(list, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn rooms_that_do_not_fit() {
        assert_eq!(rooms_along("width", 151, 1).unwrap(), 75);
        assert!(rooms_along("width", u32::MAX, u32::MAX).is_err());
        assert!(rooms_along("width", 0, 0).is_err());
        let error = rooms_along("width", 4, 3).unwrap_err().to_string();
        assert_eq!(
            error,
            "a width of 4 has no room for 3 free cells between two walls; make the width at least 5"
        );
    }
}
