//! The integer cost scale, and exact lengths.

use core::f64::consts::SQRT_2;
use core::ops::{Add, AddAssign};

use super::{Neighborhood, Rules};
use crate::id::Cost;

/// The length of a diagonal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Diagonal {
    /// The square root of 2 as a fraction: 577/408 (error 1.6 ppm). On grids so large that 32-bit costs could
    /// overflow, 239/169 (9 ppm), 99/70 (52 ppm) or 41/29 (298 ppm). Reported lengths are always exact.
    Sqrt2,
    /// 1.4, exactly.
    D14,
    /// 1.5, exactly.
    D15,
}

impl Diagonal {
    /// Returns the length as a number.
    pub fn length(self) -> f64 {
        match self {
            Self::Sqrt2 => SQRT_2,
            Self::D14 => 1.4,
            Self::D15 => 1.5,
        }
    }

    /// Returns straight and diagonal costs, the finest scale first.
    pub(super) fn scales(self) -> &'static [(u32, u32)] {
        match self {
            Self::Sqrt2 => &[(408, 577), (169, 239), (70, 99), (29, 41)],
            Self::D14 => &[(5, 7)],
            Self::D15 => &[(2, 3)],
        }
    }
}

/// The length of a path, independent of the cost scale: sums of weights for straight and for diagonal moves, in
/// halves, since a move counts the mean weight of its two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Length {
    straight: u64,
    diagonal: u64,
}

impl Length {
    /// Length zero.
    pub const ZERO: Self = Self { straight: 0, diagonal: 0 };

    pub(super) const fn straight(halves: u64) -> Self {
        Self { straight: halves, diagonal: 0 }
    }

    pub(super) const fn diagonal(halves: u64) -> Self {
        Self { straight: 0, diagonal: halves }
    }

    /// Returns the number of half straight and half diagonal moves. Exact for any diagonal cost.
    pub const fn halves(self) -> (u64, u64) {
        (self.straight, self.diagonal)
    }

    /// Returns the length as a number, for a given diagonal length.
    pub fn value(self, diagonal: Diagonal) -> f64 {
        0.5 * (self.straight as f64 + self.diagonal as f64 * diagonal.length())
    }
}

impl Add for Length {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { straight: self.straight + other.straight, diagonal: self.diagonal + other.diagonal }
    }
}

impl AddAssign for Length {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The costs of moves on a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    /// For each direction, the cost of a move between cells of weight 1. Half of it on grids with weights, where it
    /// is multiplied by the sum of two weights.
    moves: [u32; 8],
    /// The cost of length 1.
    pub(super) unit: u32,
    /// The cost of straight and diagonal moves at the minimum weight, for the heuristic.
    least: (u32, u32),
}

impl Scale {
    /// Returns the finest scale on which no simple path over `cells` cells of these weights reaches infinity.
    pub(super) fn choose(rules: Rules, cells: u64, (min, max): (u8, u8)) -> Option<Self> {
        let plain = (min, max) == (1, 1);
        let scales: &[_] =
            if rules.neighborhood == Neighborhood::Four { &[(1, 1)] } else { rules.diagonal.scales() };
        let factor = |weight: u8| if plain { 1 } else { 2 * u32::from(weight) };
        scales.iter().find(|s| cells * u64::from(s.1 * factor(max)) < u64::from(u32::MAX)).map(|s| {
            let diagonal = if rules.neighborhood == Neighborhood::Four { 2 * s.0 } else { s.1 };
            Self {
                moves: core::array::from_fn(|d| if d < 4 { s.0 } else { s.1 }),
                unit: s.0 * factor(1),
                least: (s.0 * factor(min), diagonal * factor(min)),
            }
        })
    }

    /// Returns the cost of a move on a grid without weights; half of it on grids with weights.
    #[inline]
    pub(super) fn plain(&self, d: usize) -> Cost {
        Cost::new(self.moves[d])
    }

    /// Returns the cost of a move between cells of these weights.
    #[inline]
    pub(super) fn cost(&self, d: usize, a: u8, b: u8) -> Cost {
        let factor = if self.unit == self.moves[0] { 1 } else { u32::from(a) + u32::from(b) };
        Cost::new(self.moves[d] * factor)
    }

    /// Returns the maximum cost of a move between cells of at most this weight.
    pub(super) fn max_edge_cost(&self, rules: Rules, weight: u8) -> Cost {
        let d = if rules.neighborhood == Neighborhood::Four { 0 } else { 4 };
        self.cost(d, weight, weight)
    }

    /// Returns the octile distance (Manhattan with four neighbors) at the minimum weight.
    #[inline]
    pub(super) fn distance(&self, dx: u32, dy: u32) -> Cost {
        Cost::new(dx.max(dy) * self.least.0 + dx.min(dy) * (self.least.1 - self.least.0))
    }

    /// Returns a number that distinguishes scales.
    pub(super) fn key(&self) -> u64 {
        u64::from(self.moves[0]) << 40
            | u64::from(self.moves[4]) << 20
            | u64::from(self.unit) << 8
            | u64::from(self.least.0 & 255)
    }
}
