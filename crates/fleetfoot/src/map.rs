//! A map and its changes: the front door for grids.

use alloc::boxed::Box;

use crate::corners::{Corners, MAX_LANDMARK_CORNERS};
use crate::graph::{ChangeLog, Components, Graph, Grid, GridError, Reachability, Rules};
use crate::id::NodeId;
use crate::meter::{Meter, Prices, WorkKind};
use crate::parts::{Pools, Tools};

/// A grid, the log of its changes, and what is derived from it. It is edited here alone ([`set`](Self::set)), so that
/// these can never disagree, and saved and restored as one (feature `serde`).
///
/// ```
/// use fleetfoot::{Map, Reachability};
/// let mut map = Map::new(5, 1, |_, _| true)?;
/// let (a, door, b) = (map.node(0, 0).unwrap(), map.node(2, 0).unwrap(), map.node(4, 0).unwrap());
/// map.set(door, 0)?; // close it
/// while !map.update_indices(100) {} // or once a tick, with what that may cost
/// assert_eq!(map.reachability(a, b), Reachability::Unreachable);
/// map.set(door, 1)?;
/// assert_eq!(map.reachability(a, b), Reachability::Maybe);
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "plain::Plain", try_from = "plain::Plain"))]
pub struct Map {
    grid: Grid,
    log: ChangeLog,
    components: Option<Box<Components>>,
}

/// Flooding this many cells takes as long as scanning a word of 64 cells for corners, about.
const CELLS_PER_WORD: u64 = 4;
/// Units of work charged for a cell looked at for what can be reached, and units between two looks at the meter.
const COMPARES_PER_CELL: u64 = 8;
const PREPARED_CELLS: u64 = 256 * COMPARES_PER_CELL;

/// Which indices a map has besides its cells.
///
/// ```
/// use fleetfoot::{Grid, LandmarkMode, LandmarkState, Map, MapConfig, Meter, Rules};
/// let grid = Grid::new(256, 256, Rules::default(), |x, y| u8::from(x % 16 != 8 || y % 16 == 8))?;
/// let mut config = MapConfig::default();
/// config.landmarks = LandmarkMode::InSlices; // the map is ready at once, and searches become faster later
/// let mut map = Map::with_config(grid, config);
/// while !map.prepare(&mut Meter::expansions(1000)) {} // once a tick, or on a loading screen
/// assert_eq!(map.landmarks(), LandmarkState::Ready);
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapConfig {
    /// What can be reached from where: four bytes a cell.
    pub reachability: bool,
    /// The corners of obstacles, where rules and weights allow an index of them: up to two bytes a cell, and up to eight if
    /// there are landmarks. Most maps need less than one.
    pub corners: bool,
    /// Lower bounds on distances between corners: some 70 bytes a corner.
    pub landmarks: LandmarkMode,
    /// Maximum number of corners for which landmarks are made, by default 131,072 (9 MB). Maps with more corners are searched
    /// without landmarks.
    pub max_landmark_corners: usize,
}

impl Default for MapConfig {
    /// All indices, made at once.
    fn default() -> Self {
        let landmarks = LandmarkMode::AtOnce;
        Self { reachability: true, corners: true, landmarks, max_landmark_corners: MAX_LANDMARK_CORNERS }
    }
}

/// When the landmarks of a map are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LandmarkMode {
    /// Never.
    Off,
    /// By [`Map::prepare`], in slices of its budget.
    InSlices,
    /// With the map. On game maps that takes about as long as the index of corners.
    AtOnce,
}

/// How far the landmarks of a map are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LandmarkState {
    /// The map has none: they are switched off, or it has no index of corners.
    Off,
    /// The map has so few corners that searches are short without landmarks.
    TooFewCorners,
    /// The map has more corners than [`MapConfig::max_landmark_corners`]; raise that to at least this number to have landmarks
    /// of about this many bytes.
    TooManyCorners {
        /// Corners of the map.
        corners: usize,
        /// Bytes that their landmarks would take.
        bytes: usize,
    },
    /// There are none yet, or better ones can be made: call [`Map::prepare`].
    Pending,
    /// They are as good as they can be made.
    Ready,
}

/// What [`Map::nearest`] has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearestCell {
    /// The reachable cell that lies nearest to the one asked for.
    Cell(NodeId),
    /// None is reachable: the place asked from is blocked or outside the map.
    Nowhere,
    /// The budget has run out before one was found.
    OutOfBudget,
}

impl Map {
    /// A map of cells that are free or blocked, with [the usual rules](Rules::default): eight neighbours, no cut corners.
    pub fn new(
        width: u32,
        height: u32,
        mut is_free: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, GridError> {
        Grid::new(width, height, Rules::default(), |x, y| u8::from(is_free(x, y))).map(Self::from)
    }

    /// A map of cells that are blocked (0) or have a weight, and other rules of movement.
    pub fn with_rules(
        width: u32,
        height: u32,
        rules: Rules,
        weight: impl FnMut(u32, u32) -> u8,
    ) -> Result<Self, GridError> {
        Grid::new(width, height, rules, weight).map(Self::from)
    }

    /// A map without the index of what can be reached from where: [`reach`](Self::reachability) tells nothing but what is
    /// blocked. For maps that hardly change and whose goals can be reached it saves four bytes a cell.
    pub fn without_index(grid: Grid) -> Self {
        Self { grid, log: ChangeLog::new(), components: None }
    }

    /// Creates a map with all indices but landmarks, unless the grid has them.
    pub(crate) fn without_landmarks(grid: Grid) -> Self {
        Self::with_config(grid, MapConfig { landmarks: LandmarkMode::Off, ..MapConfig::default() })
    }

    /// Creates a map with the indices that `config` names.
    pub fn with_config(grid: Grid, config: MapConfig) -> Self {
        let components = config.reachability.then(|| Box::new(Components::new(&grid)));
        let mut grid = if config.corners && grid.corners().is_none() { grid.with_corners() } else { grid };
        if config.landmarks != LandmarkMode::Off {
            let is_at_once = config.landmarks == LandmarkMode::AtOnce;
            grid.build_landmarks(is_at_once, config.max_landmark_corners);
        }
        Self { components, ..Self::without_index(grid) }
    }

    /// Continues to bring all indices up to date, as far as the budget goes: what can be reached from where, connections
    /// between corners, and landmarks. Returns `true` once nothing is left to do. Call it once a tick with what that may
    /// cost if the map changes, or until it returns `true` on a loading screen. Until then all searches are right, but slower.
    pub fn prepare(&mut self, meter: &mut Meter) -> bool {
        let is_exact = self.components.is_none()
            || meter.with_fraction(1, 3, |meter| {
                loop {
                    let cells = meter.charge_up_to(WorkKind::Compare, PREPARED_CELLS);
                    if self.repair_reach((cells / COMPARES_PER_CELL) as usize) {
                        break true;
                    }
                    if cells < PREPARED_CELLS {
                        break false;
                    }
                }
            });
        while !self.are_corners_stored() {
            // A tile is charged after it has been scanned: at most one more than the budget allows.
            let words = self.grid.change_corners(Corners::repair_tile).unwrap_or(0);
            if meter.charge_up_to(WorkKind::Scan, words) < words {
                return false;
            }
        }
        let tools = &mut Tools { meter, pools: &mut Pools::new(), probe: None };
        self.prepare_landmarks(tools) && is_exact
    }

    /// Continues to make landmarks. Returns `true` once they are ready, or if the map is to have none.
    pub(crate) fn prepare_landmarks(&mut self, tools: &mut Tools<'_>) -> bool {
        self.change_corners(|corners, grid| corners.prepare_landmarks(grid, tools)).unwrap_or(true)
    }

    /// How far the map's landmarks are made.
    pub fn landmarks(&self) -> LandmarkState {
        self.grid.corners().map_or(LandmarkState::Off, Corners::landmark_state)
    }

    /// Does something to the index of the grid's corners, if it has one.
    pub(crate) fn change_corners<R>(&mut self, change: impl FnOnce(&mut Corners, &Grid) -> R) -> Option<R> {
        self.grid.change_corners(change)
    }

    /// Makes an index of the corners of obstacles, where rules and weights allow one; see [`Grid::index_corners`].
    pub(crate) fn index_corners(&mut self) {
        self.grid.index_corners();
    }

    /// The cells and the rules of movement: the graph that planners search.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells, and the index of their corners if there is one.
    pub(crate) fn ground(&self) -> (&Grid, Option<&Corners>) {
        (&self.grid, self.grid.corners())
    }

    /// The changes of edges so far: what planners read.
    pub fn log(&self) -> &ChangeLog {
        &self.log
    }

    /// The cell at column `x`, row `y`, free or not; nothing outside the map.
    pub fn node(&self, x: u32, y: u32) -> Option<NodeId> {
        self.grid.node(x, y)
    }

    /// Column and row of a cell.
    pub fn xy(&self, n: NodeId) -> (u32, u32) {
        self.grid.xy(n)
    }

    /// Whether this is a free cell of the map.
    pub fn is_free(&self, n: NodeId) -> bool {
        n.index() < self.grid.bound() && self.grid.is_free(n)
    }

    /// Gives a cell another weight: 0 blocks it, 1 makes it plain ground. Tells whether it had another one before.
    pub fn set(&mut self, n: NodeId, weight: u8) -> Result<bool, GridError> {
        let differs = n.index() < self.grid.bound() && self.grid.weight(n) != weight;
        self.grid.set(n, weight, &mut self.log)?;
        if let (true, Some(components)) = (differs, &mut self.components) {
            components.update_after_edit(&self.grid, n);
        }
        Ok(differs)
    }

    /// Whether `b` can be reached from `a`, without a search. What cannot be a cell, or is blocked, cannot be reached.
    pub fn reachability(&self, a: NodeId, b: NodeId) -> Reachability {
        match &self.components {
            _ if !self.is_free(a) || !self.is_free(b) => Reachability::Unreachable,
            Some(components) => components.reachability(a, b),
            None => Reachability::Maybe,
        }
    }

    /// Goes on looking at what edits may have cut off, at most so many cells; true when [`reach`](Self::reachability) is exact,
    /// and [`Reachability::Maybe`] means that there is a way. To be called once a tick. After the last edit it takes at most
    /// as many calls as the map has cells, divided by `cells`. As much work goes into connections between corners that
    /// edits have put out of date.
    pub fn update_indices(&mut self, cells: usize) -> bool {
        let words = cells as u64 / CELLS_PER_WORD;
        if self.grid.repair_corners(words) {
            let prices = Prices::EXPANSIONS.with(WorkKind::Scan, 10);
            let meter = &mut Meter::priced(words.max(1), prices);
            self.prepare_landmarks(&mut Tools { meter, pools: &mut Pools::new(), probe: None });
        }
        self.repair_reach(cells)
    }

    /// The same as [`repair`](Self::update_indices), without connections between corners.
    pub(crate) fn repair_reach(&mut self, cells: usize) -> bool {
        self.components.as_mut().is_some_and(|components| components.repair(&self.grid, cells))
    }

    /// Whether no connection between corners waits to be found again.
    pub(crate) fn are_corners_stored(&self) -> bool {
        self.grid.corners().is_none_or(Corners::is_up_to_date)
    }

    /// Bytes held: cells, log and indices.
    pub fn memory_bytes(&self) -> usize {
        let components = self.components.as_ref().map_or(0, |components| components.memory_bytes());
        self.grid.memory_bytes() + self.log.memory_bytes() + components
    }

    /// Whether there is an index of what can be reached from where.
    pub(crate) fn has_index(&self) -> bool {
        self.components.is_some()
    }

    /// Whether [`Reachability::Maybe`] means that there is a way.
    pub fn indices_are_current(&self) -> bool {
        self.components.as_ref().is_some_and(|components| components.is_exact())
    }

    /// The cell nearest to `goal`, as the crow flies, that can be reached from `from`; `goal` itself if it can. For goals
    /// that are blocked, cut off or outside the map. Each cell that is looked at is a [`WorkKind::Compare`]: one tenth of
    /// an expansion where all work is charged. At the papers' prices, where comparing is free, there is no limit but the
    /// map. While the index is [not exact](Self::is_exact) the cell may turn out to be cut off.
    pub fn nearest(&self, from: NodeId, goal: (u32, u32), meter: &mut Meter) -> NearestCell {
        if !self.is_free(from) {
            return NearestCell::Nowhere;
        }
        let (width, height) = (self.grid.width(), self.grid.height());
        let centre = (goal.0.min(width - 1), goal.1.min(height - 1));
        let mut best: Option<(u64, NodeId)> = None;
        for radius in 0..width.max(height) {
            // A cell of this ring lies at least `radius` away.
            if best.is_some_and(|(distance, _)| u64::from(radius).pow(2) > distance) {
                break;
            }
            for (x, y) in ring(centre, radius, (width, height)) {
                if !meter.charge(WorkKind::Compare) {
                    return best.map_or(NearestCell::OutOfBudget, |(_, n)| NearestCell::Cell(n));
                }
                let Some(n) = self.node(x, y) else { continue };
                let (dx, dy) = (u64::from(x.abs_diff(centre.0)), u64::from(y.abs_diff(centre.1)));
                let distance = dx * dx + dy * dy;
                if best.is_none_or(|(least, _)| distance < least)
                    && self.reachability(from, n) == Reachability::Maybe
                {
                    best = Some((distance, n));
                }
            }
        }
        best.map_or(NearestCell::Nowhere, |(_, n)| NearestCell::Cell(n))
    }
}

impl From<Grid> for Map {
    fn from(grid: Grid) -> Self {
        Self::with_config(grid, MapConfig::default())
    }
}

/// The cells of a map that lie on the square ring around a cell, row by row.
fn ring((cx, cy): (u32, u32), radius: u32, (width, height): (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    let rows = cy.saturating_sub(radius)..=cy.saturating_add(radius).min(height - 1);
    rows.flat_map(move |y| {
        let is_edge = y.abs_diff(cy) == radius;
        // A whole row of the ring, or its two ends.
        let step = if is_edge { 1 } else { 2 * radius.max(1) };
        let (first, last) = (i64::from(cx) - i64::from(radius), i64::from(cx) + i64::from(radius));
        let first = if is_edge { first.max(0) } else { first };
        (first..=last.min(i64::from(width) - 1))
            .step_by(step as usize)
            .filter_map(move |x| u32::try_from(x).ok().map(|x| (x, y)))
    })
}

#[cfg(feature = "serde")]
mod plain {
    //! A map as plain data.

    use alloc::boxed::Box;
    use alloc::string::String;

    use super::Map;
    use crate::graph::{ChangeLog, ComponentsPlain, Grid};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Plain {
        grid: Grid,
        log: ChangeLog,
        components: Option<ComponentsPlain>,
    }

    impl From<Map> for Plain {
        fn from(map: Map) -> Self {
            let components = map.components.map(|components| ComponentsPlain::from(*components));
            Self { grid: map.grid, log: map.log, components }
        }
    }

    impl TryFrom<Plain> for Map {
        type Error = String;

        fn try_from(plain: Plain) -> Result<Self, String> {
            let Plain { grid, log, components } = plain;
            if !log.led_to(&grid) {
                return Err("this saved map is damaged: its log of changes does not lead to its cells".into());
            }
            let restore = |components: ComponentsPlain| {
                components.restore(&grid).map(Box::new).ok_or_else(|| {
                    String::from("this saved map is damaged: its index does not belong to its cells")
                })
            };
            let components = components.map(restore).transpose()?;
            Ok(Self { grid, log, components })
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::graph::splitmix64;

    fn random(seed: u64, percent: u64) -> Map {
        Map::new(23, 18, |x, y| splitmix64(seed << 32 | u64::from(y) << 16 | u64::from(x)) % 100 >= percent)
            .unwrap()
    }

    fn cells(map: &Map) -> impl Iterator<Item = NodeId> + '_ {
        let (width, height) = (map.grid().width(), map.grid().height());
        (0..height).flat_map(move |y| (0..width).filter_map(move |x| map.node(x, y)))
    }

    #[test]
    fn the_ring_has_every_cell_once() {
        for (centre, size) in [((3, 4), (9, 7)), ((0, 0), (1, 12)), ((11, 2), (12, 3)), ((5, 0), (6, 1))] {
            let mut seen = Vec::new();
            for radius in 0..12 {
                let before = seen.len();
                seen.extend(ring(centre, radius, size));
                let apart = |&(x, y): &(u32, u32)| x.abs_diff(centre.0).max(y.abs_diff(centre.1));
                assert!(seen[before..].iter().all(|cell| apart(cell) == radius));
            }
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len() as u32, size.0 * size.1);
        }
    }

    #[test]
    fn the_nearest_cell_is_the_nearest_that_can_be_reached() {
        for seed in 0..60 {
            let map = random(seed, 35 + seed % 20);
            let all: Vec<NodeId> = cells(&map).collect();
            let (from, goal) =
                (all[splitmix64(seed) as usize % all.len()], all[splitmix64(seed + 99) as usize % all.len()]);
            let (gx, gy) = map.xy(goal);
            let distance = |n: NodeId| {
                let (x, y) = map.xy(n);
                x.abs_diff(gx).pow(2) + y.abs_diff(gy).pow(2)
            };
            let reachable = all.iter().filter(|&&n| map.reachability(from, n) == Reachability::Maybe);
            let least = reachable.map(|&n| distance(n)).min();
            match map.nearest(from, (gx, gy), &mut Meter::unlimited()) {
                NearestCell::Cell(n) => {
                    assert_eq!(map.reachability(from, n), Reachability::Maybe);
                    assert_eq!(Some(distance(n)), least);
                }
                other => assert_eq!((other, least), (NearestCell::Nowhere, None)),
            }
        }
    }

    #[test]
    fn the_nearest_cell_is_looked_for_within_a_budget() {
        let map = Map::new(200, 200, |x, y| x < 10 && y < 10).unwrap();
        let from = map.node(3, 3).unwrap();
        let mut meter = Meter::priced(100, Prices::ALL_WORK);
        assert_eq!(map.nearest(from, (199, 199), &mut meter), NearestCell::OutOfBudget);
        assert_eq!(meter.work()[WorkKind::Compare], 1000);
        let corner = map.node(9, 9).unwrap();
        let mut plenty = Meter::unlimited();
        assert_eq!(map.nearest(from, (5000, 300), &mut plenty), NearestCell::Cell(corner));
        assert_eq!(map.nearest(NodeId::NONE, (0, 0), &mut plenty), NearestCell::Nowhere);
    }

    #[test]
    fn edits_outside_are_refused_and_change_nothing() {
        let mut map = random(1, 30);
        let before = map.grid().fingerprint();
        assert!(map.set(NodeId::NONE, 1).is_err());
        assert!(map.set(map.node(1, 1).unwrap(), 7).is_err());
        assert_eq!((map.grid().fingerprint(), map.log().end()), (before, 0));
        assert_eq!(map.reachability(NodeId::NONE, NodeId::new(0)), Reachability::Unreachable);
    }
}
