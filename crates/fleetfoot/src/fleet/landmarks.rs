//! Exact distances from a few corners to all others: by the triangle inequality they tell how far it is at least between
//! any two, and keep searches from looking into dead ends (Goldberg and Harrelson, SODA 2005).
//!
//! They are made of the map as it was once. While no cell is free that was blocked then, distances can only have grown, and
//! what is told stays right: doors that shut, and open again, do no harm.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::seek::{Seeker, Stage};
use crate::corners::{Cell, Corners, cell, node};
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};
use crate::parts::{Part, Pools, Tools};

/// How many there are: a line of the processor's cache for each corner.
pub(super) const COUNT: usize = 16;
/// With fewer corners than these, searches are short anyway.
const LEAST_CORNERS: usize = 64;
/// What it takes to note how far a corner is, in quarters of the reading of a word, and so many tiles without corners.
const NOTE: u32 = 2;
const TILES_PER_QUARTER: u32 = 8;
/// Where the corners are so many that distances would take longer to make than they save, there are none.
const MOST_CORNERS: usize = 1 << 17;

/// The distances of a corner.
pub(super) type Row = [Cost; COUNT];

/// The rows of the corners of a tile of 16×16 cells.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) corners: [u64; 4],
    pub(super) rows: Box<[Row]>,
}

/// Distances from landmarks.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    pub(super) tiles: Vec<Option<Box<Tile>>>,
    /// Tells them from others that were there before.
    pub(super) edition: u32,
    /// By cell: whether it was free. Not kept in the fog, where they are dropped when a cell becomes free.
    was_free: Vec<u64>,
    /// How many cells are free that were not.
    opened: usize,
}

/// Landmarks that are made within a budget. Those that are done are of use at once.
#[derive(Clone, Debug)]
pub(super) struct Making {
    pub(super) landmarks: Landmarks,
    /// How many tiles have been looked at for corners, and how many searches are done. The first search only tells
    /// where to begin.
    pub(super) tiles: u32,
    pub(super) searches: u32,
    /// Where the first search begins, if only ground that is joined with it matters.
    pub(super) from: NodeId,
    /// Where the search under way has begun; none while tiles are looked at.
    pub(super) next: NodeId,
    pub(super) seeker: Seeker,
    pub(super) noting: Noting,
}

/// How far what a search has found is noted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noting {
    /// Tiles that are done, and how many corners in them the search has reached.
    pub(super) tiles: u32,
    pub(super) reached: u32,
    /// The corner among them that is farthest from all landmarks, and how far that is.
    pub(super) farthest: NodeId,
    pub(super) far: Cost,
}

impl Noting {
    const NONE: Self = Self { tiles: 0, reached: 0, farthest: NodeId::NONE, far: Cost::ZERO };
}

impl Landmarks {
    /// Landmarks of a grid; none where there is no index of corners, or where they would not pay.
    pub(super) fn new(grid: &Grid) -> Option<Self> {
        if !Making::pays(grid) {
            return None;
        }
        let mut making = Making::new(grid, 0, NodeId::NONE);
        let tools = &mut Tools { meter: &mut Meter::unlimited(), pools: &mut Pools::new(), probe: None };
        making.list_corners(grid, tools);
        making.leave_out_niches(grid);
        making.go_on(grid, 0, tools);
        let mut landmarks = making.landmarks;
        landmarks.was_free = vec![0; grid.bound() / 64];
        for n in (0..grid.bound()).map(NodeId::from_index) {
            landmarks.was_free[n.index() / 64] |= u64::from(grid.is_free(n)) << (n.index() % 64);
        }
        Some(landmarks)
    }

    /// No landmarks yet.
    pub(super) fn none(grid: &Grid, edition: u32) -> Self {
        Self { tiles: vec![None; grid.bound() / 256], edition, was_free: Vec::new(), opened: 0 }
    }

    fn corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        let tiles = self.tiles.iter().enumerate().filter_map(|(k, tile)| Some((k, tile.as_deref()?)));
        tiles.flat_map(|(k, tile)| tile.nodes(k))
    }

    /// What is known of a corner.
    #[inline]
    pub(super) fn row(&self, n: NodeId) -> Option<&Row> {
        let tile = self.tiles.get(n.index() / 256)?.as_deref()?;
        tile.rank(n).map(|rank| &tile.rows[rank])
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

impl Making {
    /// Nothing yet. Where a cell is named, of the ground that is joined with it: in the fog much else looks free.
    pub(super) fn new(grid: &Grid, edition: u32, from: NodeId) -> Self {
        Self {
            landmarks: Landmarks::none(grid, edition),
            tiles: 0,
            searches: 0,
            from,
            next: NodeId::NONE,
            seeker: Seeker::new(grid.bound()),
            noting: Noting::NONE,
        }
    }

    /// Whether landmarks of a grid would pay: there is an index of corners, and it has neither too few nor too many.
    pub(super) fn pays(grid: &Grid) -> bool {
        grid.corners().is_some_and(|corners| (LEAST_CORNERS..=MOST_CORNERS).contains(&corners.len()))
    }

    /// Whether all are there.
    pub(super) fn is_done(&self) -> bool {
        self.searches as usize > COUNT
    }

    /// Goes on as far as the budget goes; false if there is nothing to go on with: around the cell that was named are hardly any
    /// corners. `log` is the length of the map's log.
    ///
    /// What becomes blocked meanwhile does little harm: cells that are joined now were joined before, and so lie hardly farther apart, as
    /// a search sees it, than they do now.
    pub(super) fn go_on(&mut self, grid: &Grid, log: u64, tools: &mut Tools<'_>) -> bool {
        if !self.list_corners(grid, tools) {
            return true;
        }
        while !self.is_done() {
            if !self.next.is_some() {
                let Some(first) = self.from.some().or_else(|| self.landmarks.corners().next()) else {
                    return false;
                };
                self.begin(grid, first, log, tools);
            }
            self.seeker.go_on(grid, None, None, log, u64::MAX, tools);
            if self.seeker.stage == Stage::Runs || !self.note(tools) {
                return true;
            }
            let Noting { reached, farthest, .. } = core::mem::replace(&mut self.noting, Noting::NONE);
            if !farthest.is_some() || self.from.is_some() && (reached as usize) < LEAST_CORNERS {
                return false;
            }
            self.searches += 1;
            if !self.is_done() {
                self.begin(grid, farthest, log, tools);
            }
        }
        true
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.landmarks.memory_bytes() + self.seeker.search.memory_bytes()
    }

    fn begin(&mut self, grid: &Grid, from: NodeId, log: u64, tools: &mut Tools<'_>) {
        self.next = from;
        self.seeker.begin(grid, from, NodeId::NONE, log, tools);
    }

    /// Lists the corners, tile by tile; whether all are listed.
    fn list_corners(&mut self, grid: &Grid, tools: &mut Tools<'_>) -> bool {
        let Some(corners) = grid.corners() else { return true };
        while let Some(tile) = self.landmarks.tiles.get_mut(self.tiles as usize) {
            if !tools.meter.charge(Kind::Scan) {
                return false;
            }
            *tile = Tile::new(grid, corners, self.tiles as usize);
            self.tiles += 1;
        }
        true
    }

    /// Notes what a search has found, tile by tile, and looks where the next one is to begin: far from all landmarks so far. Ground
    /// that none of them reaches comes first, unless only that around a cell matters. Whether all is noted, and paid for.
    fn note(&mut self, tools: &mut Tools<'_>) -> bool {
        let Self { landmarks, seeker, noting, .. } = self;
        while seeker.settle(tools) {
            let Some(tile) = landmarks.tiles.get_mut(noting.tiles as usize) else { return true };
            if let Some(tile) = tile.as_deref_mut() {
                for (rank, n) in tile.nodes(noting.tiles as usize).enumerate() {
                    let mut far = seeker.g(n);
                    noting.reached += u32::from(far.is_finite());
                    if let Some(last) = self.searches.checked_sub(1) {
                        tile.rows[rank][last as usize] = far;
                        far = tile.rows[rank].iter().copied().fold(Cost::INF, Cost::min);
                    }
                    let comes_first = self.searches > 0 && !self.from.is_some();
                    if (far.is_finite() || comes_first) && far >= noting.far {
                        (noting.far, noting.farthest) = (far, n);
                    }
                }
                seeker.debt += NOTE * tile.rows.len() as u32;
            }
            seeker.debt += u32::from(noting.tiles.is_multiple_of(TILES_PER_QUARTER));
            noting.tiles += 1;
        }
        false
    }

    /// Leaves out corners that are joined with few others: searches there are short, and landmarks are of more use elsewhere.
    fn leave_out_niches(&mut self, grid: &Grid) {
        let Some(corners) = grid.corners() else { return };
        // By tile, how many corners come before its own.
        let mut before = Vec::with_capacity(self.landmarks.tiles.len());
        let mut all = 0;
        for tile in &self.landmarks.tiles {
            before.push(all);
            all += tile.as_ref().map_or(0, |tile| tile.rows.len());
        }
        let place = |n: NodeId| {
            let tile = self.landmarks.tiles.get(n.index() / 256)?.as_deref()?;
            Some(before[n.index() / 256] + tile.rank(n)?)
        };
        // Corners that are joined have a common end.
        let mut joined: Vec<usize> = (0..all).collect();
        for n in self.landmarks.corners() {
            let at = cell(grid, n);
            let mut join = |other: Cell| {
                if let (Some(a), Some(b)) = (place(n), place(node(grid, other))) {
                    let (a, b) = (end(&mut joined, a), end(&mut joined, b));
                    joined[a.max(b)] = a.min(b);
                }
            };
            match corners.connections(n) {
                Some(list) => list.for_each(|(dx, dy)| join((at.0 + dx, at.1 + dy))),
                None => drop(corners.for_each_direct(at, join)),
            }
        }
        let mut sizes = vec![0; all];
        for k in 0..all {
            sizes[end(&mut joined, k)] += 1;
        }
        for (k, tile) in self.landmarks.tiles.iter_mut().enumerate() {
            let Some(known) = tile.as_deref() else { continue };
            let mut mask = known.corners;
            for (rank, n) in known.nodes(k).enumerate() {
                if sizes[end(&mut joined, before[k] + rank)] * COUNT <= all {
                    mask[n.index() >> 6 & 3] &= !(1 << (n.index() & 63));
                }
            }
            *tile = Tile::with(mask);
        }
    }
}

/// The end of a chain, which is made shorter.
fn end(joined: &mut [usize], mut k: usize) -> usize {
    while joined[k] != k {
        joined[k] = joined[joined[k]];
        k = joined[k];
    }
    k
}

impl Tile {
    fn new(grid: &Grid, corners: &Corners, tile: usize) -> Option<Box<Self>> {
        let first = cell(grid, NodeId::from_index(256 * tile));
        let mut mask = [0; 4];
        corners.for_each_in_tile(grid, (first.0 >> 4, first.1 >> 4), |at| {
            let k = node(grid, at).index() % 256;
            mask[k / 64] |= 1 << (k % 64);
        });
        Self::with(mask)
    }

    /// A tile with these corners, of which nothing is known; none if there are none.
    pub(super) fn with(corners: [u64; 4]) -> Option<Box<Self>> {
        let count = corners.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        let rows = vec![[Cost::INF; COUNT]; count].into_boxed_slice();
        (count > 0).then(|| Box::new(Self { corners, rows }))
    }

    /// Its corners, in the order of their rows; it is the `k`-th tile.
    pub(super) fn nodes(&self, k: usize) -> impl Iterator<Item = NodeId> + use<> {
        let words = self.corners.into_iter().enumerate();
        words.flat_map(move |(w, word)| {
            let bits = core::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            let bits = bits.take_while(|&rest| rest != 0).map(|rest| rest.trailing_zeros() as usize);
            bits.map(move |bit| NodeId::from_index(256 * k + 64 * w + bit))
        })
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

/// Differences that are larger tell nothing: at least one of the two is infinite.
const APART: i32 = 1 << 29;

/// How far it is at least between two places of which these are the rows. Without a branch, and in signed numbers, so that four
/// landmarks at a time are compared on every processor: searches ask for little else.
#[inline]
pub(super) fn at_least(a: &Row, b: &Row) -> Cost {
    let mut most = 0;
    for k in 0..COUNT {
        // Infinity is the greatest number on this side, and less than none on that one: far from all that is finite, and from each other.
        let a = (a[k].raw() & i32::MAX.cast_unsigned()).cast_signed();
        let b = if b[k].is_finite() { b[k].raw().cast_signed() } else { -APART - 1 };
        let apart = a.wrapping_sub(b).wrapping_abs();
        most = most.max(if apart > APART { 0 } else { apart });
    }
    Cost::new(most.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Rules;

    #[test]
    fn infinite_costs_tell_nothing() {
        let row = |costs: [u32; 3]| core::array::from_fn(|k| Cost::new(costs[k % 3]));
        for (a, b, most) in [
            ([10, 200, 0], [50, 90, 0], 110),
            ([10, u32::MAX, 7], [50, 90, 0], 40),
            ([10, u32::MAX, 7], [50, u32::MAX, 0], 40),
            ([u32::MAX, 3, u32::MAX], [u32::MAX, u32::MAX, 7], 0),
            ([0, 1 << 29, 0], [0, 0, 0], 1 << 29),
        ] {
            assert_eq!(at_least(&row(a), &row(b)), Cost::new(most), "{a:?} and {b:?}");
            assert_eq!(at_least(&row(b), &row(a)), Cost::new(most), "{b:?} and {a:?}");
        }
    }

    /// Many rooms that are shut, and no hall: there is nothing to know, and that is soon found out.
    #[test]
    fn ground_in_many_parts_has_no_landmarks() {
        for side in [32, 40, 400] {
            let free = |x: u32, y: u32| u8::from(x % 8 != 7 && y % 8 != 7 && !(x % 8 == 3 && y % 8 == 3));
            let grid = Grid::new(side, side, Rules::default(), free).expect("a grid").with_corners();
            assert!(Landmarks::new(&grid).is_none_or(|landmarks| landmarks.corners().count() == 0));
        }
    }

    /// A hall with pillars, and beside it niches that are shut in, each with a pillar of its own.
    #[test]
    fn niches_have_no_landmarks() {
        let is_free = |x: u32, y: u32| {
            let is_hall = x < 60 && !(x % 8 == 4 && y % 8 == 4);
            let is_niche = x > 60 && x % 8 < 5 && y % 8 < 5 && !(x % 8 == 2 && y % 8 == 2);
            u8::from(is_hall || is_niche)
        };
        for is_mirrored in [false, true] {
            let free = |x: u32, y: u32| is_free(if is_mirrored { 99 - x } else { x }, y);
            let grid = Grid::new(100, 64, Rules::default(), free).expect("a grid").with_corners();
            let landmarks = Landmarks::new(&grid).expect("corners enough");
            let in_hall = |n: &NodeId| {
                let x = grid.xy(*n).0;
                if is_mirrored { x > 39 } else { x < 60 }
            };
            let known = |n: NodeId| landmarks.row(n).expect("a corner").iter().all(|cost| cost.is_finite());
            assert!(landmarks.corners().filter(in_hall).count() > 100);
            assert!(landmarks.corners().filter(in_hall).all(known), "all landmarks are in the hall");
        }
    }
}
