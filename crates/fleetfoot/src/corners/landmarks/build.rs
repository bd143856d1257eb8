//! Making landmarks, at once or in slices of a budget.
//!
//! The first search starts at any corner. The corner that lies farthest from its root is the first landmark, and each further
//! landmark is the corner that lies farthest from all landmarks so far. A landmark is used as soon as it is done.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{COUNT, CornerList, Landmarks, MIN_CORNERS, groups};
use crate::corners::search::{CellSearch, Limit, Stage, Terrain, WORD};
use crate::corners::{Cell, Corners, cell, node};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::search::{PlannerPart as _, SearchTools};

/// Work in quarters of the reading of a word: a distance noted, and this many tiles without corners passed.
const NOTE: u32 = 2;
const TILES_PER_QUARTER: u32 = 8;
/// Work in quarters of a word of looking at all connections of a corner, on average.
const CORNER: u32 = 32;

/// Landmarks in the making.
#[derive(Clone, Debug)]
pub(crate) struct Builder {
    pub(crate) landmarks: Landmarks,
    /// The corners of the base, if the base is not the grid as it is.
    pub(crate) ground: Option<Box<Corners>>,
    /// Number of tiles of the grid.
    tiles: usize,
    /// Number of searches that are done.
    pub(crate) searches: u32,
    /// The root of the first search, if only ground that is connected with it matters. Else secluded ground is skipped.
    pub(crate) from: NodeId,
    secluded: Option<Secluded>,
    /// The root of the search under way. None if no search has begun.
    pub(crate) root: NodeId,
    pub(crate) search: CellSearch,
    pub(crate) progress: Progress,
}

/// How far the result of a search has been noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Number of tiles that are done, and of corners in them that the search has reached.
    pub(crate) tiles: u32,
    pub(crate) reached: u32,
    /// The corner among them that lies farthest from all landmarks, and its distance.
    pub(crate) farthest: NodeId,
    pub(crate) distance: Cost,
}

impl Progress {
    const NONE: Self = Self { tiles: 0, reached: 0, farthest: NodeId::NONE, distance: Cost::ZERO };
}

/// Groups of connected corners, for finding those that are connected with few others.
#[derive(Clone, Debug)]
struct Secluded {
    /// By corner: another corner of its group, or itself. Chains end at the group's first corner.
    joined: Vec<u32>,
    /// The tile to be looked at next.
    tile: u32,
}

impl Builder {
    /// Starts making landmarks. If `from` is a node, only of the ground that is connected with it.
    pub(crate) fn new(grid: &Grid, edition: u32, from: NodeId) -> Self {
        Self {
            landmarks: Landmarks::empty(edition),
            ground: None,
            tiles: grid.bound() / 256,
            searches: 0,
            from,
            secluded: None,
            root: NodeId::NONE,
            search: CellSearch::by_cell(grid.bound()),
            progress: Progress::NONE,
        }
    }

    /// Starts making landmarks of a map on which these doors are open.
    pub(crate) fn on_base(grid: &Grid, corners: &Corners, doors: &BTreeSet<NodeId>) -> Self {
        let mut builder = Self::new(grid, 0, NodeId::NONE);
        let closed = doors.iter().copied().filter(|&n| !grid.is_free(n));
        builder.ground = Some(Box::new(corners.with_changes(grid, closed.clone())));
        builder.landmarks.base.changed.extend(closed);
        builder
    }

    /// Starts making landmarks of a base.
    #[cfg(feature = "serde")]
    pub(crate) fn on_base_of(grid: &Grid, corners: &Corners, base: &super::Base) -> Self {
        let mut builder = Self::new(grid, 0, NodeId::NONE);
        builder.ground = Some(Box::new(corners.with_changes(grid, base.changed.iter().copied())));
        builder
    }

    /// Returns `true` if all landmarks are there.
    pub(crate) fn is_done(&self) -> bool {
        self.searches as usize > COUNT
    }

    /// Makes progress as far as the budget allows. Returns `false` if there is nothing to continue with: hardly any corners are
    /// connected with `from`. `log` is the number of changes that the map has logged.
    ///
    /// Without a copy of the base's corners, cells that are blocked in the meantime do little harm: a search may find
    /// distances that are larger than the base's, but hardly larger than those on the map.
    pub(crate) fn advance(&mut self, grid: &Grid, log: u64, tools: &mut SearchTools<'_>) -> bool {
        while let Some(ground) = self.ground.as_deref_mut().filter(|ground| !ground.is_up_to_date()) {
            if !self.search.settle(tools) {
                return true;
            }
            self.search.debt += WORD * ground.repair_tile(grid) as u32;
        }
        let ground = self.ground.take();
        let goes_on = match ground.as_deref().or(grid.corners()) {
            Some(corners) => {
                let terrain = Terrain { grid, corners, landmarks: None, sight: None, log };
                self.advance_on(&terrain, tools)
            }
            None => true,
        };
        self.ground = ground;
        goes_on
    }

    fn advance_on(&mut self, terrain: &Terrain<'_>, tools: &mut SearchTools<'_>) -> bool {
        if !self.list_corners(terrain, tools) || !self.leave_out_secluded(terrain, tools) {
            return true;
        }
        while !self.is_done() {
            if !self.root.is_some() {
                let first = self.from.some().or_else(|| self.landmarks.corners().next());
                let Some(first) = first else { return false };
                self.begin(terrain, first, tools);
            }
            self.search.advance(terrain, Limit::NONE, tools);
            if self.search.stage == Stage::Running || !self.note(tools) {
                return true;
            }
            let Progress { reached, farthest, .. } = core::mem::replace(&mut self.progress, Progress::NONE);
            if !farthest.is_some() || self.from.is_some() && (reached as usize) < MIN_CORNERS {
                return false;
            }
            self.searches += 1;
            if !self.is_done() {
                self.begin(terrain, farthest, tools);
            }
        }
        true
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let ground = self.ground.as_ref().map_or(0, |ground| ground.memory_bytes());
        let secluded = self.secluded.as_ref().map_or(0, |s| 4 * s.joined.capacity());
        self.landmarks.memory_bytes() + self.search.memory_bytes() + ground + secluded
    }

    fn begin(&mut self, terrain: &Terrain<'_>, root: NodeId, tools: &mut SearchTools<'_>) {
        self.root = root;
        let ground = (terrain.grid, Some(terrain.corners));
        self.search.begin(ground, (root, NodeId::NONE), terrain.log, tools);
    }

    /// Lists the corners, tile by tile. Returns `true` once all are listed.
    fn list_corners(&mut self, terrain: &Terrain<'_>, tools: &mut SearchTools<'_>) -> bool {
        let listed = &mut self.landmarks.listed;
        if listed.tiles() == 0 {
            *listed = CornerList::with_room(self.tiles, terrain.corners.len());
        }
        while listed.tiles() < self.tiles {
            if !tools.meter.charge(WorkKind::Scan) {
                return false;
            }
            listed.add_tile_of(terrain.grid, terrain.corners);
        }
        true
    }

    /// Notes what a search has found, tile by tile, and finds the corner that lies farthest from all landmarks so far. Ground
    /// that no landmark reaches comes first, unless only that around a cell matters. Returns `true` once all is noted and
    /// paid for.
    fn note(&mut self, tools: &mut SearchTools<'_>) -> bool {
        let Self { landmarks, search, progress, .. } = self;
        while search.settle(tools) {
            let tile = progress.tiles as usize;
            if tile >= landmarks.listed.tiles() {
                return true;
            }
            let rows = &mut landmarks.rows[landmarks.listed.first(tile)..];
            for (row, n) in rows.iter_mut().zip(landmarks.listed.nodes(tile)) {
                let mut distance = search.g(n);
                progress.reached += u32::from(distance.is_finite());
                if let Some(last) = self.searches.checked_sub(1) {
                    row[last as usize] = distance;
                    distance = row.iter().copied().fold(Cost::INF, Cost::min);
                }
                let comes_first = self.searches > 0 && !self.from.is_some();
                if (distance.is_finite() || comes_first) && distance >= progress.distance {
                    (progress.distance, progress.farthest) = (distance, n);
                }
                search.debt += NOTE;
            }
            search.debt += u32::from(progress.tiles.is_multiple_of(TILES_PER_QUARTER));
            progress.tiles += 1;
        }
        false
    }

    /// Gives all corners rows but those that are connected with few others: searches there are short, and if ground that no landmark
    /// reaches came first, most landmarks would be spent on it. Returns `true` once that is done.
    fn leave_out_secluded(&mut self, terrain: &Terrain<'_>, tools: &mut SearchTools<'_>) -> bool {
        if self.root.is_some() {
            return true;
        }
        if self.from.is_some() {
            self.landmarks.add_rows();
            return true;
        }
        let listed = &mut self.landmarks.listed;
        let secluded = self.secluded.get_or_insert_with(|| Secluded::new(listed));
        while (secluded.tile as usize) < listed.tiles() {
            if !self.search.settle(tools) {
                return false;
            }
            for n in listed.nodes(secluded.tile as usize) {
                secluded.join_around(terrain, listed, n);
                self.search.debt += CORNER;
            }
            secluded.tile += 1;
        }
        let are_large = groups::are_large(&mut secluded.joined);
        listed.retain(|k| are_large[k]);
        self.landmarks.add_rows();
        self.secluded = None;
        true
    }
}

impl Secluded {
    fn new(listed: &CornerList) -> Self {
        Self { joined: (0..listed.len() as u32).collect(), tile: 0 }
    }

    /// Joins the group of a corner with those of all corners that it is connected with.
    fn join_around(&mut self, terrain: &Terrain<'_>, listed: &CornerList, n: NodeId) {
        let Terrain { grid, corners, .. } = *terrain;
        let (at, joined) = (cell(grid, n), &mut self.joined);
        let Some(mine) = listed.rank(n) else { return };
        let mut join = |other: Cell| {
            if let Some(other) = listed.rank(node(grid, other)) {
                groups::join(joined, mine as u32, other as u32);
            }
        };
        match corners.connections(n) {
            Some(list) => list.for_each(|(dx, dy)| join((at.0 + dx, at.1 + dy))),
            None => drop(corners.for_each_direct(at, join)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;
    use crate::meter::Meter;
    use crate::search::Pools;

    fn at_once(grid: &Grid) -> Option<Landmarks> {
        let corners = grid.corners().expect("an index");
        Landmarks::pay_off(corners.len(), usize::MAX).then(|| Landmarks::new(grid, corners))
    }

    /// Slices of any size give the same landmarks as a build at once.
    #[test]
    fn slices_give_the_same_landmarks() {
        let mut seed = 5_u32;
        let mut roll = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        for round in 0..12 {
            let (width, height, density) = (30 + roll(90), 30 + roll(60), 4 + roll(12));
            let free = |_, _| u8::from(roll(density) > 0);
            let grid = Grid::new(width, height, Rules::default(), free).expect("a grid").with_corners();
            let Some(whole) = at_once(&grid) else { continue };
            let mut builder = Builder::new(&grid, 0, NodeId::NONE);
            let pools = &mut Pools::new();
            while !builder.is_done() {
                let meter = &mut Meter::priced(1 + u64::from(roll(300)), crate::Prices::EXPANSIONS);
                if !builder.advance(&grid, 0, &mut SearchTools { meter, pools, probe: None }) {
                    break;
                }
            }
            assert_eq!(whole.corners().count(), builder.landmarks.corners().count(), "round {round}");
            for n in whole.corners() {
                assert_eq!(whole.row(n), builder.landmarks.row(n), "round {round}");
            }
        }
    }

    /// Checks many closed rooms without a hall: they have no landmarks, and little work finds that out.
    #[test]
    fn ground_in_many_parts_has_no_landmarks() {
        for side in [32, 40, 400] {
            let free = |x: u32, y: u32| u8::from(x % 8 != 7 && y % 8 != 7 && !(x % 8 == 3 && y % 8 == 3));
            let grid = Grid::new(side, side, Rules::default(), free).expect("a grid").with_corners();
            assert!(at_once(&grid).is_none_or(|landmarks| landmarks.corners().count() == 0));
        }
    }

    /// Checks a hall with pillars next to closed niches: all landmarks are in the hall.
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
            let landmarks = at_once(&grid).expect("corners enough");
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
