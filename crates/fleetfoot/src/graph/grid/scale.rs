//! Integer costs on a fixed scale, and true lengths.

use core::f64::consts::SQRT_2;
use core::ops::{Add, AddAssign};

use super::{Neighborhood, Rules};
use crate::id::Cost;

/// The length of a diagonal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Diagonal {
    /// The square root of 2, as a ratio of integers: 577/408 (within 1.6 ppm), on grids so large that
    /// 32-bit costs could overflow 239/169 (9 ppm), 99/70 (52 ppm) or 41/29 (298 ppm). Lengths are
    /// reported exactly all the same.
    Sqrt2,
    /// 1.4, exactly.
    D14,
    /// 1.5, exactly.
    D15,
}

impl Diagonal {
    /// The length as a number.
    pub fn length(self) -> f64 {
        match self {
            Self::Sqrt2 => SQRT_2,
            Self::D14 => 1.4,
            Self::D15 => 1.5,
        }
    }

    /// Straight and diagonal cost, the finest first.
    pub(super) fn scales(self) -> &'static [(u32, u32)] {
        match self {
            Self::Sqrt2 => &[(408, 577), (169, 239), (70, 99), (29, 41)],
            Self::D14 => &[(5, 7)],
            Self::D15 => &[(2, 3)],
        }
    }
}

/// The length of a walk, exact whatever the cost scale: sums of cell weights, kept apart for straight and
/// for diagonal moves, and counted in halves since a move weighs the mean of its two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Length {
    straight: u64,
    diagonal: u64,
}

impl Length {
    /// No way at all.
    pub const ZERO: Self = Self { straight: 0, diagonal: 0 };

    pub(super) const fn straight(halves: u64) -> Self {
        Self { straight: halves, diagonal: 0 }
    }

    pub(super) const fn diagonal(halves: u64) -> Self {
        Self { straight: 0, diagonal: halves }
    }

    /// How many half lengths of a straight and of a diagonal move it is made of: exact, whatever a diagonal's length.
    /// (Halves, since over ground of different weight a move costs the mean of two weights.)
    pub const fn halves(self) -> (u64, u64) {
        (self.straight, self.diagonal)
    }

    /// The length as a number, given how long a diagonal is.
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

/// What moves cost on one grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    /// By direction: the cost of a move between two cells of weight 1; on weighted grids half of it, since
    /// there it is multiplied by the sum of two weights.
    moves: [u32; 8],
    /// What a length of 1 costs.
    pub(super) unit: u32,
    /// Cost of a straight and of a diagonal step over the lightest ground, for the heuristic.
    least: (u32, u32),
}

impl Scale {
    /// The finest scale on which no simple path over `cells` cells of such weights reaches infinity.
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

    /// The cost of a move on a grid without weights; half of it on one with weights.
    #[inline]
    pub(super) fn plain(&self, d: usize) -> Cost {
        Cost::new(self.moves[d])
    }

    /// The cost of a move between cells of these weights.
    #[inline]
    pub(super) fn cost(&self, d: usize, a: u8, b: u8) -> Cost {
        let factor = if self.unit == self.moves[0] { 1 } else { u32::from(a) + u32::from(b) };
        Cost::new(self.moves[d] * factor)
    }

    /// The dearest move that cells of at most this weight allow.
    pub(super) fn max_edge_cost(&self, rules: Rules, weight: u8) -> Cost {
        let d = if rules.neighborhood == Neighborhood::Four { 0 } else { 4 };
        self.cost(d, weight, weight)
    }

    /// The octile distance (Manhattan with four neighbours) over the lightest ground.
    #[inline]
    pub(super) fn distance(&self, dx: u32, dy: u32) -> Cost {
        Cost::new(dx.max(dy) * self.least.0 + dx.min(dy) * (self.least.1 - self.least.0))
    }

    /// A number that tells scales apart.
    pub(super) fn key(&self) -> u64 {
        u64::from(self.moves[0]) << 40
            | u64::from(self.moves[4]) << 20
            | u64::from(self.unit) << 8
            | u64::from(self.least.0 & 255)
    }
}
