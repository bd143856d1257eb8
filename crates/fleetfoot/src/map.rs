//! The main type for grid maps: cells, changes and indices.

use alloc::boxed::Box;

use crate::corners::{Corners, LandmarkState, MAX_LANDMARK_CORNERS};
use crate::graph::{ChangeLog, Graph};
use crate::grid::{Components, Grid, GridError, Reachability, Rules};
use crate::id::NodeId;
use crate::meter::{Meter, Prices, WorkKind};
use crate::search::{Pools, SearchTools};

/// A grid with its change log and its indices. All edits go through [`set`](Self::set), which keeps them
/// consistent. With feature `serde` they are saved as one value.
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

/// Number of cells whose flood fill takes as long as scanning a word of 64 cells for corners.
const CELLS_PER_WORD: u64 = 4;
/// Work units charged per cell when the reachability index is updated.
const COMPARES_PER_CELL: u64 = 8;
const PREPARED_CELLS: u64 = 256 * COMPARES_PER_CELL;

/// Selects the indices of a map.
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
    /// The reachability index: 4 bytes per cell.
    pub reachability: bool,
    /// The index of obstacle corners, if rules and weights support it: at most 2 bytes per cell, with landmarks at
    /// most 8. Most maps need less than 1.
    pub corners: bool,
    /// Lower bounds on distances between corners: 65 bytes per corner and 4 per 256 cells.
    pub landmarks: LandmarkMode,
    /// Maximum number of corners for which landmarks are computed; by default 131,072 (9 MB). Larger maps are
    /// searched without landmarks.
    pub max_landmark_corners: usize,
}

impl Default for MapConfig {
    /// Enables all indices, and computes them at once.
    fn default() -> Self {
        let landmarks = LandmarkMode::AtOnce;
        Self { reachability: true, corners: true, landmarks, max_landmark_corners: MAX_LANDMARK_CORNERS }
    }
}

/// When the landmarks of a map are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LandmarkMode {
    /// Never.
    Off,
    /// By [`Map::prepare`], in slices of its budget.
    InSlices,
    /// When the map is created. On game maps this takes about as long as the corner index.
    AtOnce,
}

/// The result of [`Map::nearest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearestCell {
    /// The reachable cell nearest to the requested one.
    Cell(NodeId),
    /// No cell is reachable: the start is blocked or outside the map.
    Nowhere,
    /// The budget ran out before a cell was found.
    OutOfBudget,
}

impl Map {
    /// Creates a map of free and blocked cells, with the [default rules](Rules::default): eight neighbors, no
    /// corner cutting.
    pub fn new(
        width: u32,
        height: u32,
        mut is_free: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, GridError> {
        Grid::new(width, height, Rules::default(), |x, y| u8::from(is_free(x, y))).map(Self::from)
    }

    /// Creates a map whose cells are blocked (0) or have a weight, with other movement rules.
    pub fn with_rules(
        width: u32,
        height: u32,
        rules: Rules,
        weight: impl FnMut(u32, u32) -> u8,
    ) -> Result<Self, GridError> {
        Grid::new(width, height, rules, weight).map(Self::from)
    }

    /// Creates a map without a reachability index. [`reachability`](Self::reachability) then only detects blocked
    /// cells. Saves 4 bytes per cell.
    pub fn without_index(grid: Grid) -> Self {
        Self { grid, log: ChangeLog::new(), components: None }
    }

    /// Creates a map with all indices except for landmarks, unless the grid has them.
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

    /// Updates all indices within the budget: reachability, connections between corners, and landmarks. Returns
    /// `true` once all are current. Call it every tick if the map changes, or repeatedly on a loading screen. Until
    /// it returns `true`, searches are correct but slower.
    pub fn prepare(&mut self, meter: &mut Meter) -> bool {
        let is_exact = self.components.is_none() || {
            let outer = meter.narrow(meter.fraction(1, 3));
            let is_exact = loop {
                let cells = meter.charge_up_to(WorkKind::Compare, PREPARED_CELLS);
                if self.repair_reach((cells / COMPARES_PER_CELL) as usize) {
                    break true;
                }
                if cells < PREPARED_CELLS {
                    break false;
                }
            };
            meter.widen(outer);
            is_exact
        };
        while !self.are_corners_stored() {
            // A tile is charged after it was scanned, so the budget is exceeded by at most one tile.
            let words = self.grid.change_corners(Corners::repair_tile).unwrap_or(0);
            if meter.charge_up_to(WorkKind::Scan, words) < words {
                return false;
            }
        }
        let tools = &mut SearchTools { meter, pools: &mut Pools::new(), probe: None };
        self.prepare_landmarks(tools) && is_exact
    }

    /// Continues to compute landmarks. Returns `true` once they are complete, or if they are disabled.
    pub(crate) fn prepare_landmarks(&mut self, tools: &mut SearchTools<'_>) -> bool {
        self.change_corners(|corners, grid| corners.prepare_landmarks(grid, tools)).unwrap_or(true)
    }

    /// Returns the state of the landmarks.
    pub fn landmarks(&self) -> LandmarkState {
        self.grid.corners().map_or(LandmarkState::Off, |corners| corners.landmark_state(&self.grid))
    }

    /// Applies `change` to the corner index, if there is one.
    pub(crate) fn change_corners<R>(&mut self, change: impl FnOnce(&mut Corners, &Grid) -> R) -> Option<R> {
        self.grid.change_corners(change)
    }

    /// Builds the corner index if rules and weights support it; see [`Grid::index_corners`].
    pub(crate) fn index_corners(&mut self) {
        self.grid.index_corners();
    }

    /// Returns the grid: cells and movement rules, the graph that planners search.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the grid, and its corner index if it has one.
    pub(crate) fn ground(&self) -> (&Grid, Option<&Corners>) {
        (&self.grid, self.grid.corners())
    }

    /// Returns the log of all edge changes, which planners read.
    pub fn log(&self) -> &ChangeLog {
        &self.log
    }

    /// Returns the cell at column `x` and row `y`, free or blocked. Returns `None` outside the map.
    pub fn node(&self, x: u32, y: u32) -> Option<NodeId> {
        self.grid.node(x, y)
    }

    /// Returns column and row of a cell.
    pub fn xy(&self, n: NodeId) -> (u32, u32) {
        self.grid.xy(n)
    }

    /// Returns `true` if `n` is a free cell of the map.
    pub fn is_free(&self, n: NodeId) -> bool {
        n.index() < self.grid.bound() && self.grid.is_free(n)
    }

    /// Sets the weight of a cell: 0 blocks it, 1 is plain ground. Returns `true` if the weight changed.
    pub fn set(&mut self, n: NodeId, weight: u8) -> Result<bool, GridError> {
        let differs = n.index() < self.grid.bound() && self.grid.weight(n) != weight;
        self.grid.set(n, weight, &mut self.log)?;
        if let (true, Some(components)) = (differs, &mut self.components) {
            components.update_after_edit(&self.grid, n);
        }
        Ok(differs)
    }

    /// Returns whether `b` can be reached from `a`, without a search. Blocked or invalid cells cannot be reached.
    pub fn reachability(&self, a: NodeId, b: NodeId) -> Reachability {
        match &self.components {
            _ if !self.is_free(a) || !self.is_free(b) => Reachability::Unreachable,
            Some(components) => components.reachability(a, b),
            None => Reachability::Maybe,
        }
    }

    /// Updates the reachability index by at most `cells` cells, and the connections between corners by a similar
    /// amount of work. Returns `true` once the index is exact: then [`Reachability::Maybe`] means that a path
    /// exists. Call it every tick. After the last edit, the number of calls is at most the number of cells of the
    /// map divided by `cells`.
    pub fn update_indices(&mut self, cells: usize) -> bool {
        let words = cells as u64 / CELLS_PER_WORD;
        if self.grid.repair_corners(words) {
            let prices = Prices::EXPANSIONS.with(WorkKind::Scan, 10);
            let meter = &mut Meter::priced(words.max(1), prices);
            self.prepare_landmarks(&mut SearchTools { meter, pools: &mut Pools::new(), probe: None });
        }
        self.repair_reach(cells)
    }

    /// Updates only the reachability index, like [`update_indices`](Self::update_indices).
    pub(crate) fn repair_reach(&mut self, cells: usize) -> bool {
        self.components.as_mut().is_some_and(|components| components.repair(&self.grid, cells))
    }

    /// Returns `true` if all connections between corners are current.
    pub(crate) fn are_corners_stored(&self) -> bool {
        self.grid.corners().is_none_or(Corners::is_up_to_date)
    }

    /// Returns the size of cells, log and indices in bytes.
    pub fn memory_bytes(&self) -> usize {
        let components = self.components.as_ref().map_or(0, |components| components.memory_bytes());
        self.grid.memory_bytes() + self.log.memory_bytes() + components
    }

    /// Returns `true` if there is a reachability index.
    pub(crate) fn has_index(&self) -> bool {
        self.components.is_some()
    }

    /// Returns `true` if the reachability index is exact: then [`Reachability::Maybe`] means that a path exists.
    pub fn indices_are_current(&self) -> bool {
        self.components.as_ref().is_some_and(|components| components.is_exact())
    }

    /// Returns the cell nearest to `goal`, by straight-line distance, that can be reached from `from`; `goal`
    /// itself if it is reachable. Use it for goals that are blocked, cut off or outside the map. Each examined cell
    /// is charged as one [`WorkKind::Compare`], a tenth of an expansion if all work is charged. [`Prices::PAPERS`]
    /// does not limit the number of examined cells. While the index [is not exact](Self::indices_are_current), the
    /// returned cell may be cut off.
    pub fn nearest(&self, from: NodeId, goal: (u32, u32), meter: &mut Meter) -> NearestCell {
        if !self.is_free(from) {
            return NearestCell::Nowhere;
        }
        let (width, height) = (self.grid.width(), self.grid.height());
        let centre = (goal.0.min(width - 1), goal.1.min(height - 1));
        let mut best: Option<(u64, NodeId)> = None;
        for radius in 0..width.max(height) {
            // A cell of this ring is at least `radius` away.
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

/// Returns the cells of the map on the square ring around a cell, row by row.
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
    //! The serialized form of a map.

    use alloc::boxed::Box;
    use alloc::string::String;

    use super::Map;
    use crate::graph::ChangeLog;
    use crate::grid::{ComponentsPlain, Grid};

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
