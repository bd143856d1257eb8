//! The directions in which a shortest path can leave a corner.
//!
//! Two successive moves whose directions differ by more than 45° can be made shorter, unless both are straight and the cell
//! inside the turn is blocked: then the path bends around it. All shortest paths between cells that are directly connected
//! are free, in any order of their moves. So a connection can follow another one only if this holds for each direction of
//! the one with each of the other.
//!
//! With four neighbors only a move and its opposite can be made shorter.

use core::cmp::Ordering;

use super::{Cell, Corners};
use crate::grid::Neighborhood;

/// Directions clockwise from the right. The odd ones are diagonal.
const ROUND: [Cell; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The direction to the right, and the diagonals next to it.
const BESIDE: u8 = 0b1000_0011;

/// The directions in which a corner may be left: those from the first clockwise to the last, at most half of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    first: Cell,
    last: Cell,
}

impl Turns {
    /// All directions.
    pub(crate) const ALL: Self = Self { first: (0, 0), last: (0, 0) };

    /// Returns the directions in a set of two to five that lie side by side.
    fn of(set: u8) -> Self {
        let (first, last) = (set & !set.rotate_left(1), set & !set.rotate_right(1));
        let round = |bit: u8| ROUND[bit.trailing_zeros() as usize & 7];
        Self { first: round(first), last: round(last) }
    }

    /// Returns `true` if the path to an offset in columns and rows begins in these directions only.
    #[inline]
    pub(crate) fn allow(self, (dx, dy): Cell) -> bool {
        let Self { first, last } = self;
        first.0 * dy - first.1 * dx >= 0 && last.1 * dx - last.0 * dy >= 0
    }
}

impl Corners {
    /// Returns the directions in which a shortest path can leave `at` if it came from `before`, which is directly connected.
    pub(crate) fn turns(&self, before: Cell, at: Cell) -> Turns {
        let offset @ (dx, dy) = (at.0 - before.0, at.1 - before.1);
        if self.neighborhood == Neighborhood::Four {
            return Turns::of(!(beside((-dx, 0)) | beside((0, -dy))));
        }
        let mut ways_in = directions(offset);
        let mut all = u8::MAX;
        while ways_in != 0 {
            let u = ways_in.trailing_zeros();
            ways_in &= ways_in - 1;
            all &= self.after(at, u);
        }
        Turns::of(all)
    }

    /// Returns the directions in which a path can go on after a move in direction `u` to `at`.
    fn after(&self, at: Cell, u: u32) -> u8 {
        let mut after = BESIDE.rotate_left(u);
        if u.is_multiple_of(2) {
            let (ux, uy) = ROUND[u as usize];
            for v in [(u + 2) % 8, (u + 6) % 8] {
                let (vx, vy) = ROUND[v as usize];
                after |= u8::from(!self.is_free((at.0 + vx - ux, at.1 + vy - uy))) << v;
            }
        }
        after
    }
}

/// Returns a straight direction and the diagonals next to it. Returns no directions for the offset (0, 0).
#[inline]
fn beside((dx, dy): Cell) -> u8 {
    match (dx.signum(), dy.signum()) {
        (1, _) => BESIDE,
        (-1, _) => BESIDE.rotate_left(4),
        (_, 1) => BESIDE.rotate_left(2),
        (_, -1) => BESIDE.rotate_left(6),
        _ => 0,
    }
}

/// Returns the directions of the moves to an offset in columns and rows: one, or a diagonal and the straight one next to it.
#[inline]
fn directions((dx, dy): Cell) -> u8 {
    const BY_SIGNS: [u8; 9] = [1 << 5, 1 << 4, 1 << 3, 1 << 6, 0, 1 << 2, 1 << 7, 1 << 0, 1 << 1];
    let bit = |sx: i32, sy: i32| BY_SIGNS[((sx + 1) * 3 + sy + 1).unsigned_abs() as usize % 9];
    let (sx, sy) = (dx.signum(), dy.signum());
    let (x, y) = (dx.abs(), dy.abs());
    let straight = match x.cmp(&y) {
        Ordering::Greater => bit(sx, 0),
        Ordering::Less => bit(0, sy),
        Ordering::Equal => 0,
    };
    bit(sx, sy) | straight
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cone allows the offsets whose directions are all in the set that it was made of.
    #[test]
    fn cones_are_sets() {
        let mut cones = 0;
        for set in 0..=u8::MAX {
            let size = set.count_ones();
            if !(2..=5).contains(&size) || (set & !set.rotate_left(1)).count_ones() != 1 {
                continue;
            }
            cones += 1;
            for dx in -4..=4 {
                for dy in -4..=4 {
                    let is_in = directions((dx, dy)) & !set == 0;
                    assert_eq!(
                        Turns::of(set).allow((dx, dy)),
                        is_in || (dx, dy) == (0, 0),
                        "{set:b} {dx} {dy}"
                    );
                    assert!(Turns::ALL.allow((dx, dy)));
                }
            }
        }
        assert_eq!(cones, 32);
    }
}
