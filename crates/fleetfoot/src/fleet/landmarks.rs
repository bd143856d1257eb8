//! Exact distances from a few corners to all others: by the triangle inequality they tell how far it is at least between
//! any two, and keep searches from looking into dead ends (Goldberg and Harrelson, SODA 2005).
//!
//! They are made of the map as it was once. While no cell is free that was blocked then, distances can only have grown, and
//! what is told stays right: doors that shut, and open again, do no harm.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::seek::Seeker;
use crate::corners::{Corners, cell};
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::Meter;
use crate::parts::{Pools, Tools};

/// How many there are: a line of the processor's cache for each corner.
pub(super) const COUNT: usize = 16;
/// With fewer corners than these, searches are short anyway.
const LEAST_CORNERS: usize = 64;
/// Where the corners are so many that distances would take longer to make than they save, there are none.
const MOST_CORNERS: usize = 1 << 17;

/// The distances of a corner.
pub(super) type Row = [Cost; COUNT];

/// The rows of the corners of a tile of 16×16 cells.
#[derive(Clone, Debug)]
struct Tile {
    corners: [u64; 4],
    rows: Box<[Row]>,
}

/// Distances from landmarks.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    tiles: Vec<Option<Box<Tile>>>,
    /// By cell: whether it was free.
    was_free: Vec<u64>,
    /// How many cells are free that were not.
    opened: usize,
}

impl Landmarks {
    /// Landmarks of a grid; none where there is no index of corners, or where they would not pay.
    pub(super) fn new(grid: &Grid) -> Option<Self> {
        let corners = grid.corners()?;
        if !(LEAST_CORNERS..=MOST_CORNERS).contains(&corners.len()) {
            return None;
        }
        let mut landmarks = Self {
            tiles: (0..grid.bound() / 256).map(|tile| Tile::new(grid, corners, tile)).collect(),
            was_free: vec![0; grid.bound() / 64],
            opened: 0,
        };
        for n in (0..grid.bound()).map(NodeId::from_index) {
            landmarks.was_free[n.index() / 64] |= u64::from(grid.is_free(n)) << (n.index() % 64);
        }
        let all: Vec<NodeId> = landmarks.corners().collect();
        let mut seeker = Seeker::new(grid.bound());
        let mut pools = Pools::new();
        // By corner: how far the nearest landmark is. The first one lies far from some corner.
        let mut nearest = vec![Cost::INF; all.len()];
        let mut next = *all.first()?;
        for k in 0..=COUNT {
            let tools = &mut Tools { meter: &mut Meter::unlimited(), pools: &mut pools, probe: None };
            seeker.begin(grid, next, NodeId::NONE, 0, tools);
            seeker.go_on(grid, None, None, 0, u64::MAX, tools);
            for (&n, nearest) in all.iter().zip(&mut nearest) {
                let g = seeker.g(n);
                if k > 0 {
                    *nearest = (*nearest).min(g);
                    landmarks.set(n, k - 1, g);
                }
            }
            let far = |g: Cost| if g.is_finite() { g } else { Cost::ZERO };
            let farthest = if k == 0 {
                all.iter().copied().max_by_key(|&n| far(seeker.g(n)))
            } else {
                // Ground that no landmark reaches comes first.
                all.iter().copied().zip(&nearest).max_by_key(|(_, g)| **g).map(|(n, _)| n)
            };
            next = farthest?;
        }
        Some(landmarks)
    }

    fn corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        let tiles = self.tiles.iter().enumerate().filter_map(|(k, tile)| Some((k, tile.as_deref()?)));
        tiles.flat_map(|(k, tile)| {
            let inside = (0..256).filter(|&c: &usize| tile.corners[c / 64] >> (c % 64) & 1 == 1);
            inside.map(move |c| NodeId::from_index(256 * k + c))
        })
    }

    /// What is known of a corner.
    #[inline]
    pub(super) fn row(&self, n: NodeId) -> Option<&Row> {
        let tile = self.tiles.get(n.index() / 256)?.as_deref()?;
        tile.rank(n).map(|rank| &tile.rows[rank])
    }

    fn set(&mut self, n: NodeId, k: usize, distance: Cost) {
        if let Some(tile) = &mut self.tiles[n.index() / 256]
            && let Some(rank) = tile.rank(n)
        {
            tile.rows[rank][k] = distance;
        }
    }

    /// Takes over that a cell has been blocked or freed.
    pub(super) fn edit(&mut self, n: NodeId, is_free: bool) {
        if self.was_free[n.index() / 64] >> (n.index() % 64) & 1 == 0 {
            self.opened = if is_free { self.opened + 1 } else { self.opened.saturating_sub(1) };
        }
    }

    /// Whether what they tell is right.
    pub(super) fn is_valid(&self) -> bool {
        self.opened == 0
    }

    /// By cell, 64 to a word: whether it was free when they were made.
    pub(super) fn was_free(&self) -> &[u64] {
        &self.was_free
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let rows = self.tiles.iter().flatten().map(|tile| size_of::<Tile>() + size_of_val(&*tile.rows));
        8 * (self.tiles.capacity() + self.was_free.capacity()) + rows.sum::<usize>()
    }
}

impl Tile {
    fn new(grid: &Grid, corners: &Corners, tile: usize) -> Option<Box<Self>> {
        let mut mask = [0; 4];
        for k in 0..256 {
            let at = cell(grid, NodeId::from_index(256 * tile + k));
            let is_inside = at.0.cast_unsigned() < grid.width() && at.1.cast_unsigned() < grid.height();
            mask[k / 64] |= u64::from(is_inside && corners.is_corner(at)) << (k % 64);
        }
        let count = mask.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        let rows = vec![[Cost::INF; COUNT]; count].into_boxed_slice();
        (count > 0).then(|| Box::new(Self { corners: mask, rows }))
    }

    /// The place of a corner among those of the tile.
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

/// How far it is at least between two places of which these are the rows.
#[inline]
pub(super) fn at_least(a: &Row, b: &Row) -> Cost {
    let mut most = 0;
    for (a, b) in a.iter().zip(b) {
        let apart = a.raw().abs_diff(b.raw());
        // Ground that cannot be reached from the landmark tells nothing.
        if a.is_finite() && b.is_finite() && apart > most {
            most = apart;
        }
    }
    Cost::new(most)
}
