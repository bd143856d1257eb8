//! Lower bounds on distances from exact distances to a few landmarks, by the triangle inequality (Goldberg and Harrelson,
//! SODA 2005). They keep searches out of dead ends.
//!
//! The bounds are made for a *base*: the free cells of the map at that time, and its doors, which are cells that edits have
//! opened. A cell of the base that is blocked later does no harm, since distances only grow. A free cell outside the base
//! may shorten paths. Until the landmarks have been rebuilt, bounds take into account the rectangles around such cells: a
//! path either avoids them all, or leads to one of them and from one of them to its end. So bounds hold at any time,
//! whatever is edited, and a door that opens again and again costs one rebuild.

mod base;
mod build;
mod upkeep;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

pub(crate) use self::base::{Base, Doors};
pub(crate) use self::build::{Builder, Progress};
pub(crate) use self::upkeep::LandmarkUpkeep;
#[cfg(feature = "serde")]
pub(crate) use self::upkeep::Saved;
use super::{Corners, cell, node};
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};

/// Number of landmarks: their distances fill one cache line for each corner.
pub(crate) const COUNT: usize = 16;
/// Searches over fewer corners than this are short without landmarks.
pub(crate) const MIN_CORNERS: usize = 64;
/// Building landmarks for more corners than this takes longer than most maps are searched, and more memory than is
/// granted without being asked for.
pub(crate) const MAX_CORNERS: usize = 1 << 17;

/// The distances of a corner to all landmarks.
pub(crate) type Row = [Cost; COUNT];

/// The rows of the corners in a tile of 16×16 cells.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) corners: [u64; 4],
    pub(crate) rows: Box<[Row]>,
}

/// Distances from landmarks to corners.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    pub(crate) tiles: Vec<Option<Box<Tile>>>,
    /// Distinguishes these bounds from all others that searches may have used.
    pub(crate) edition: u32,
    /// How the map differs from the one that the distances were measured on.
    pub(crate) base: Base,
}

/// Bounds on the distances between landmarks and the goal of a search.
#[derive(Clone, Debug)]
pub(crate) struct GoalBounds {
    /// The edition of the landmarks; none if there are no bounds.
    pub(super) edition: Option<u32>,
    pub(super) row: Row,
    /// Lower bound on the cost from the opened cells outside the base to the goal.
    pub(super) from_opened: Cost,
}

impl GoalBounds {
    pub(crate) const NONE: Self = Self { edition: None, row: [Cost::INF; COUNT], from_opened: Cost::INF };

    /// Returns `true` if these bounds were made by the landmarks as they are now.
    pub(crate) fn are_of(&self, landmarks: &Landmarks) -> bool {
        self.edition == Some(landmarks.edition)
    }
}

impl Landmarks {
    /// Creates landmarks without distances.
    pub(crate) fn empty(grid: &Grid, edition: u32) -> Self {
        Self { tiles: vec![None; grid.bound() / 256], edition, base: Base::new() }
    }

    /// Returns the corners that have rows, in the order of their numbers.
    pub(crate) fn corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        let tiles = self.tiles.iter().enumerate().filter_map(|(k, tile)| Some((k, tile.as_deref()?)));
        tiles.flat_map(|(k, tile)| tile.nodes(k))
    }

    /// Returns the distances of a corner.
    #[inline]
    pub(crate) fn row(&self, n: NodeId) -> Option<&Row> {
        let tile = self.tiles.get(n.index() / 256)?.as_deref()?;
        tile.rank(n).map(|rank| &tile.rows[rank])
    }

    /// Takes into account that a cell has been blocked or freed.
    pub(crate) fn edit(&mut self, grid: &Grid, n: NodeId, is_free: bool) {
        if self.base.edit(cell(grid, n), n, is_free) {
            // Bounds of running searches must be made again.
            self.edition = self.edition.wrapping_add(1);
        }
    }

    /// Returns bounds for a goal that is reached over one of the corners that `ends` lists, or is a corner itself.
    pub(crate) fn bounds_of(
        &self,
        grid: &Grid,
        goal: NodeId,
        ends: impl FnOnce(&mut dyn FnMut(NodeId)),
    ) -> GoalBounds {
        let edition = Some(self.edition);
        let from_opened = self.base.cost_from_opened(grid, cell(grid, goal));
        if let Some(&row) = self.row(goal) {
            return GoalBounds { edition, row, from_opened };
        }
        let (mut row, mut all_known) = ([Cost::INF; COUNT], true);
        ends(&mut |end| match self.row(end) {
            Some(known) => {
                let last = grid.h(end, goal);
                row.iter_mut().zip(known).for_each(|(least, &known)| *least = (*least).min(known + last));
            }
            // The corner is newer than the landmarks.
            None => all_known = false,
        });
        if !all_known {
            row = [Cost::INF; COUNT];
        }
        GoalBounds { edition, row, from_opened }
    }

    /// Returns a lower bound on the cost from a cell to the goal of a search; zero if nothing is known.
    #[inline]
    pub(crate) fn bound(&self, grid: &Grid, n: NodeId, goal: &GoalBounds) -> Cost {
        if !goal.are_of(self) {
            return Cost::ZERO;
        }
        let Some(row) = self.row(n) else { return Cost::ZERO };
        let bound = difference(row, &goal.row);
        if self.base.has_opened() {
            bound.min(self.base.cost_to_opened(grid, cell(grid, n)) + goal.from_opened)
        } else {
            bound
        }
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        let rows = self.tiles.iter().flatten().map(|tile| size_of::<Tile>() + size_of_val(&*tile.rows));
        8 * self.tiles.capacity() + rows.sum::<usize>() + self.base.memory_bytes()
    }

    /// Returns `true` if landmarks pay on a map with this many corners.
    pub(crate) fn pay_off(corners: usize) -> bool {
        (MIN_CORNERS..=MAX_CORNERS).contains(&corners)
    }
}

impl Tile {
    /// Creates a tile with the corners of a grid's tile; none if there are no corners in it.
    fn new(grid: &Grid, corners: &Corners, tile: usize) -> Option<Box<Self>> {
        let first = cell(grid, NodeId::from_index(256 * tile));
        let mut mask = [0; 4];
        corners.for_each_in_tile(grid, (first.0 >> 4, first.1 >> 4), |at| {
            let k = node(grid, at).index() % 256;
            mask[k / 64] |= 1 << (k % 64);
        });
        Self::with(mask)
    }

    /// Creates a tile with these corners and infinite distances; none if there are no corners.
    pub(crate) fn with(corners: [u64; 4]) -> Option<Box<Self>> {
        let count = corners.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        let rows = vec![[Cost::INF; COUNT]; count].into_boxed_slice();
        (count > 0).then(|| Box::new(Self { corners, rows }))
    }

    /// Returns the corners of the `k`-th tile in the order of their rows.
    pub(crate) fn nodes(&self, k: usize) -> impl Iterator<Item = NodeId> + use<> {
        let words = self.corners.into_iter().enumerate();
        words.flat_map(move |(w, word)| {
            let bits = core::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            let bits = bits.take_while(|&rest| rest != 0).map(|rest| rest.trailing_zeros() as usize);
            bits.map(move |bit| NodeId::from_index(256 * k + 64 * w + bit))
        })
    }

    /// Returns the index of a corner's row.
    #[inline]
    fn rank(&self, n: NodeId) -> Option<usize> {
        let (word, bit) = (n.index() >> 6 & 3, 1_u64 << (n.index() & 63));
        if self.corners[word] & bit == 0 {
            return None;
        }
        let before: u32 = self.corners[..word].iter().map(|w| w.count_ones()).sum();
        Some((before + (self.corners[word] & (bit - 1)).count_ones()) as usize)
    }
}

/// Larger differences mean that at least one of the two distances is infinite.
const MAX_DIFFERENCE: i32 = 1 << 29;

/// Returns the largest difference between two rows: a lower bound on the cost between their cells. Without a branch and in
/// signed numbers, so that processors compare four landmarks at a time; searches spend most of their time here.
#[inline]
pub(crate) fn difference(a: &Row, b: &Row) -> Cost {
    let mut most = 0;
    for k in 0..COUNT {
        // Infinity becomes the greatest number on this side and a large negative one on that side: far from all finite
        // numbers, and from each other.
        let a = (a[k].raw() & i32::MAX.cast_unsigned()).cast_signed();
        let b = if b[k].is_finite() { b[k].raw().cast_signed() } else { -MAX_DIFFERENCE - 1 };
        let apart = a.wrapping_sub(b).wrapping_abs();
        most = most.max(if apart > MAX_DIFFERENCE { 0 } else { apart });
    }
    Cost::new(most.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_distances_bound_nothing() {
        let row = |costs: [u32; 3]| core::array::from_fn(|k| Cost::new(costs[k % 3]));
        for (a, b, most) in [
            ([10, 200, 0], [50, 90, 0], 110),
            ([10, u32::MAX, 7], [50, 90, 0], 40),
            ([10, u32::MAX, 7], [50, u32::MAX, 0], 40),
            ([u32::MAX, 3, u32::MAX], [u32::MAX, u32::MAX, 7], 0),
            ([0, 1 << 29, 0], [0, 0, 0], 1 << 29),
        ] {
            assert_eq!(difference(&row(a), &row(b)), Cost::new(most), "{a:?} and {b:?}");
            assert_eq!(difference(&row(b), &row(a)), Cost::new(most), "{b:?} and {a:?}");
        }
    }
}
