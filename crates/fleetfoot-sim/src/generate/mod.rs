//! Seeded generators of maps, problems and scripts of changes.
//!
//! The same parameters and seed give the same result on every platform: all arithmetic is on integers, and random
//! numbers come from [`SeededRng`], not from a library whose sampling may change between versions. Golden checksums
//! in the tests detect changes of a generator, since these would change every experiment that uses it.

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

/// The result of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The map.
    pub map: GridMap,
    /// The start, if the map was made around one problem.
    pub start: Option<(u32, u32)>,
    /// The goal, if the map was made around one problem.
    pub goal: Option<(u32, u32)>,
    /// Cells that may close and open in a changing world, row by row.
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

/// Random integers that depend only on the seed: PCG XSL RR 128/64 (MCG), O'Neill 2014. Implemented here, since every
/// generated map depends on each of its bits.
#[derive(Clone, Debug)]
pub struct SeededRng(u128);

impl SeededRng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        // Four words of a smaller generator, PCG32, make the state, which must be odd.
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

    /// Returns a number from 0 to `n` - 1, all equally likely; 0 if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        // Lemire's method: the high half of a product, without the draws that would favor some numbers.
        let mut product = u64::from(self.next()) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u32) < unfair {
                product = u64::from(self.next()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Returns `true` in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// Shuffles a list.
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

/// Returns the number of rooms of `size` cells that fit into `side` cells, with walls of one cell around them.
fn rooms_along(name: &str, side: u32, size: u32) -> Result<u32, InputError> {
    // In u64: a size of `u32::MAX` must not wrap to a small period.
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

    /// Returns the lengths of shortest paths from a cell, in thousandths, with eight neighbors and no corner cutting.
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
                // Wraps to far outside at the upper and left edge, which is blocked as well.
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
