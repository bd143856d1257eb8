//! The sensor of an agent: it sees its neighbors, or all cells within a radius. Nothing blocks its view.

use std::fmt;

use fleetfoot::{Belief, Grid, Neighborhood, NodeId, Rules};

use crate::error::InputError;

/// Maximum radius: a sensor stores all cells within it.
pub const MAX_RADIUS: u32 = 1000;

/// The range of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The agent's own cell, and those to its right, left, above and below.
    Four,
    /// These and the diagonal ones.
    Eight,
    /// All cells whose octile distance, with diagonals of √2, is at most this.
    Radius(u32),
}

impl Sight {
    /// Returns the default: all cells that can be reached in one move.
    pub fn default_for(rules: Rules) -> Self {
        match rules.neighborhood {
            Neighborhood::Four => Self::Four,
            Neighborhood::Eight => Self::Eight,
        }
    }

    /// Checks that an agent with this range sees every cell before it enters it.
    ///
    /// # Errors
    /// If it does not, since it would walk into walls. Or if the radius exceeds [`MAX_RADIUS`].
    pub fn check(self, rules: Rules) -> Result<(), InputError> {
        let enough = match (rules.neighborhood, self) {
            (_, Self::Radius(r)) if r > MAX_RADIUS => {
                let what = format!("a radius of {r} is more than {MAX_RADIUS}");
                return Err(InputError::new(what, "use a smaller radius, or the world `known`"));
            }
            (Neighborhood::Four, Self::Radius(r)) => r >= 1,
            (Neighborhood::Eight, Self::Radius(r)) => r >= 2,
            (Neighborhood::Eight, Self::Four) => false,
            (_, Self::Four | Self::Eight) => true,
        };
        if enough {
            return Ok(());
        }
        let moves = if rules.neighborhood == Neighborhood::Four { 4 } else { 8 };
        let what = format!("with {self} an agent with {moves} moves does not see where it steps");
        Err(InputError::new(what, format!("use sight={moves}, or a radius of at least {}", moves / 4)))
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Four => f.write_str("sight=4"),
            Self::Eight => f.write_str("sight=8"),
            Self::Radius(r) => write!(f, "radius={r}"),
        }
    }
}

/// The visible cells, as offsets from the agent's cell.
#[derive(Clone, Debug)]
pub struct Sensor {
    offsets: Vec<(i32, i32)>,
}

impl Sensor {
    /// Creates a sensor with this range.
    pub fn new(sight: Sight) -> Self {
        let reach = match sight {
            Sight::Four | Sight::Eight => 1,
            Sight::Radius(r) => r.min(MAX_RADIUS).cast_signed(),
        };
        let square = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
        let offsets = square.filter(|&(dx, dy)| match sight {
            Sight::Four => dx == 0 || dy == 0,
            Sight::Eight => true,
            Sight::Radius(_) => within(dx, dy, reach),
        });
        Self { offsets: offsets.collect() }
    }

    /// Returns the cells of the map that are visible from `at`.
    pub fn cells<'a>(&'a self, grid: &'a Grid, at: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        let (x, y) = grid.xy(at);
        // Wraps to far outside at the upper and left edge.
        self.offsets
            .iter()
            .filter_map(move |&(dx, dy)| grid.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)))
    }

    /// Reveals what is seen from `at` to the belief. Returns `true` if anything differed from it.
    pub fn sense(&self, truth: &Grid, at: NodeId, belief: &mut Belief) -> bool {
        self.cells(truth, at).fold(false, |news, cell| reveal(truth, cell, belief) | news)
    }
}

/// Reveals one cell to the belief. Returns `true` if it differed.
pub(crate) fn reveal(truth: &Grid, cell: NodeId, belief: &mut Belief) -> bool {
    belief.reveal(cell, truth.weight(cell)).expect("a belief is made for all weights of its world")
}

/// Returns `true` if straight + √2 · diagonal ≤ reach, in integers.
pub(crate) fn within(dx: i32, dy: i32, reach: i32) -> bool {
    let (dx, dy) = (dx.abs(), dy.abs());
    let rest = reach - (dx - dy).abs();
    rest >= 0 && 2 * dx.min(dy).pow(2) <= rest.pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_cells_in_sight() {
        let count = |sight| Sensor::new(sight).offsets.len();
        assert_eq!((count(Sight::Four), count(Sight::Eight)), (5, 9));
        assert_eq!((count(Sight::Radius(0)), count(Sight::Radius(1)), count(Sight::Radius(2))), (1, 5, 13));
        // (2, 1) has length 2.41, (2, 2) has 2.83.
        assert_eq!(count(Sight::Radius(3)), 13 + 4 + 8 + 4);
    }

    #[test]
    fn radius_is_octile_distance() {
        let sensor = Sensor::new(Sight::Radius(7));
        for dx in -9i32..=9 {
            for dy in -9i32..=9 {
                let (long, short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
                let length = f64::from(long - short) + f64::from(short) * std::f64::consts::SQRT_2;
                assert_eq!(sensor.offsets.contains(&(dx, dy)), length <= 7.0, "{dx}, {dy}");
            }
        }
    }

    #[test]
    fn sees_no_cell_beyond_the_edge() {
        let grid = Grid::new(20, 3, Rules::default(), |_, _| 1).unwrap();
        let sensor = Sensor::new(Sight::Radius(2));
        let seen = |x, y| sensor.cells(&grid, grid.node(x, y).unwrap()).count();
        assert_eq!((seen(0, 0), seen(19, 2), seen(10, 1)), (6, 6, 11));
    }

    #[test]
    fn refuses_sight_that_walks_into_walls() {
        let eight = Rules::default();
        let four = Rules { neighborhood: Neighborhood::Four, ..eight };
        for (rules, bad) in [(eight, Sight::Four), (eight, Sight::Radius(1)), (four, Sight::Radius(0))] {
            assert!(bad.check(rules).unwrap_err().to_string().contains("does not see where it steps"));
        }
        for (rules, good) in
            [(eight, Sight::Eight), (eight, Sight::Radius(2)), (four, Sight::Four), (four, Sight::Radius(1))]
        {
            good.check(rules).unwrap();
        }
        assert!(Sight::Radius(1001).check(eight).unwrap_err().to_string().contains("more than 1000"));
    }
}
