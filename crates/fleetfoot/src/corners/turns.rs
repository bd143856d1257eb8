//! Which ways on from a corner a shortest path can take.
//!
//! Two moves one after the other whose directions differ by more than 45° can be made shorter, unless both are straight and
//! the cell inside the turn is blocked: then the path bends round it. All shortest ways between cells that are directly
//! connected are free, in any order of their moves; so a way in and a way out belong together only if this holds for each
//! direction of the one with each of the other.
//!
//! With four neighbours only a move and its opposite can be made shorter.

use core::cmp::Ordering;

use super::{Cell, Corners};
use crate::graph::Neighbours;

/// Directions clockwise from the right; the odd ones are diagonal.
const ROUND: [Cell; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// To the right, and the diagonals beside it.
const BESIDE: u8 = 0b1000_0011;

/// A set of directions in which a corner may be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turns(u8);

impl Turns {
    pub(crate) const ALL: Self = Self(u8::MAX);

    /// Whether a way by so many columns and rows begins in such directions only.
    #[inline]
    pub(crate) fn allow(self, offset: Cell) -> bool {
        directions(offset) & !self.0 == 0
    }
}

impl Corners {
    /// The directions in which a shortest path can go on from `at` that came from `before`, directly connected.
    pub(crate) fn turns(&self, before: Cell, at: Cell) -> Turns {
        let offset @ (dx, dy) = (at.0 - before.0, at.1 - before.1);
        if self.neighbours == Neighbours::Four {
            return Turns(!(beside((-dx, 0)) | beside((0, -dy))));
        }
        let mut ways_in = directions(offset);
        let mut all = u8::MAX;
        while ways_in != 0 {
            let u = ways_in.trailing_zeros();
            ways_in &= ways_in - 1;
            all &= self.after(at, u);
        }
        Turns(all)
    }

    /// The directions in which a move in direction `u` to `at` can be followed.
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

/// The directions that lead somewhat this way, which is straight; none if it is no way.
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

/// The directions of the moves that lead so many columns and rows away: one, or a diagonal and the straight one beside it.
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
