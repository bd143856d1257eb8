//! Directions, tile arithmetic, and canonical pruning.

use super::{Neighborhood, Rules};
use crate::id::NodeId;

/// Right, down, left, up, then the diagonals: the order of a cell's moves. A right turn from the straight direction
/// `d` is `(d + 1) % 4`.
pub(super) const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The class of each position within a tile (left edge, inside, right edge × top, inside, bottom). Only moves at
/// the edge leave the tile.
pub(super) const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut n = 0;
    while n < 256 {
        class[n] = kind(n as u32 & 15) + 3 * kind(n as u32 >> 4);
        n += 1;
    }
    class
};

const fn kind(coordinate: u32) -> u8 {
    match coordinate {
        0 => 0,
        15 => 2,
        _ => 1,
    }
}

/// A move in one direction from cells of one class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// The wrapping offset of the node number.
    pub(super) offset: u32,
    /// The cost between cells of weight 1; half of it on grids with weights.
    pub(super) cost: u32,
}

impl Step {
    #[inline]
    pub(super) fn from(self, n: NodeId) -> NodeId {
        NodeId::new(n.raw().wrapping_add(self.offset))
    }
}

/// Returns all moves by class and direction, without costs.
pub(super) fn steps(tiles: u32) -> [[Step; 8]; 9] {
    let across = |k: usize, step: i32, within: i32, tile: i32| match (k, step) {
        (_, 0) => 0,
        (0, -1) => 15 * within - tile,
        (2, 1) => tile - 15 * within,
        _ => step * within,
    };
    let row = (tiles << 8).cast_signed();
    core::array::from_fn(|class| {
        DIRECTIONS.map(|(dx, dy)| {
            let offset = across(class % 3, dx, 1, 256).wrapping_add(across(class / 3, dy, 16, row));
            Step { offset: offset.cast_unsigned(), cost: 0 }
        })
    })
}

/// Directions, by the two lowest bits of the row and column differences.
const BY_STEP: [u8; 16] = {
    let mut table = [0; 16];
    let mut d = 0;
    while d < 8 {
        let (dx, dy) = DIRECTIONS[d];
        table[((dy & 3) << 2 | (dx & 3)).cast_unsigned() as usize] = d as u8;
        d += 1;
    }
    table
};

/// Returns the direction of a step of -1, 0 or 1 columns and rows. `None` if both are 0.
#[inline]
pub(super) fn towards(dx: i32, dy: i32) -> Option<usize> {
    let k = ((dy & 3) << 2 | (dx & 3)).cast_unsigned() as usize;
    (k != 0).then_some(BY_STEP[k] as usize)
}

/// Returns the direction of a move between neighbors. Both coordinates differ by at most 1, so their two lowest
/// bits suffice.
#[inline]
pub(super) fn direction(from: NodeId, to: NodeId) -> usize {
    let dx = to.raw().wrapping_sub(from.raw()) & 3;
    let dy = (to.raw() >> 4).wrapping_sub(from.raw() >> 4) & 3;
    BY_STEP[(dy << 2 | dx) as usize] as usize
}

/// Returns the moves to keep in a cell that was entered in direction `d`, by `[d][moves]`: those to cells that the
/// parent does not reach at the same or lower cost without this cell. `moves` are the legal moves of the parent, or
/// with corner cutting those of the cell itself.
pub(super) fn kept(rules: Rules) -> [[u8; 256]; 8] {
    let rule = match (rules.neighborhood, rules.cut_corners) {
        (Neighborhood::Four, _) => four,
        (Neighborhood::Eight, false) => eight,
        (Neighborhood::Eight, true) => eight_cutting,
    };
    core::array::from_fn(|d| core::array::from_fn(|moves| rule(d, moves as u8)))
}

/// Returns the legal moves of a free cell, by the set of its free neighbors.
pub(super) fn legal(rules: Rules) -> [u8; 256] {
    let last = if rules.neighborhood == Neighborhood::Four { 4 } else { 8 };
    core::array::from_fn(|free| {
        let is_free = |dx, dy| free as u8 & bit(dx, dy) != 0;
        DIRECTIONS[..last].iter().enumerate().fold(0, |mask, (d, &(dx, dy))| {
            let open = is_free(dx, dy) && (d < 4 || rules.cut_corners || is_free(dx, 0) && is_free(0, dy));
            mask | u8::from(open) << d
        })
    })
}

const fn bit(dx: i32, dy: i32) -> u8 {
    let mut d = 0;
    while d < 8 {
        if DIRECTIONS[d].0 == dx && DIRECTIONS[d].1 == dy {
            return 1 << d;
        }
        d += 1;
    }
    0
}

/// Returns the straight and diagonal moves on one side of the straight direction `d`.
const fn beside(d: usize, side: usize) -> u8 {
    let (dx, dy) = DIRECTIONS[d];
    let (sx, sy) = DIRECTIONS[side];
    bit(sx, sy) | bit(dx + sx, dy + sy)
}

/// Returns the direction itself, and for a diagonal its two straight components.
const fn natural(d: usize) -> u8 {
    let (dx, dy) = DIRECTIONS[d];
    if d < 4 { 1 << d } else { 1 << d | bit(dx, 0) | bit(0, dy) }
}

/// Without corner cutting: going straight, a side is searched only if the cell beside the parent is blocked.
/// Otherwise the parent turns earlier.
fn eight(d: usize, there: u8) -> u8 {
    let side = |s: usize| if there & 1 << s == 0 { beside(d, s) } else { 0 };
    natural(d) | if d < 4 { side((d + 1) & 3) | side((d + 3) & 3) } else { 0 }
}

/// With corner cutting: a diagonal past a blocked cell is kept, since the detour costs more.
fn eight_cutting(d: usize, here: u8) -> u8 {
    let (dx, dy) = DIRECTIONS[d];
    let past = |blocked: u8, diagonal: u8| if here & blocked == 0 { diagonal } else { 0 };
    natural(d)
        | if d < 4 {
            let side = |s: usize| {
                let (sx, sy) = DIRECTIONS[s];
                past(1 << s, bit(dx + sx, dy + sy))
            };
            side((d + 1) & 3) | side((d + 3) & 3)
        } else {
            past(bit(-dx, 0), bit(-dx, dy)) | past(bit(0, -dy), bit(dx, -dy))
        }
}

/// Four neighbors: horizontal moves come first. After a vertical move, a turn is kept only if the parent could not
/// make it.
fn four(d: usize, there: u8) -> u8 {
    if d & 1 == 0 {
        // After a horizontal move: straight, or a turn.
        1 << d | 1 << 1 | 1 << 3
    } else {
        1 << d | (!there & (1 << 0 | 1 << 2))
    }
}
