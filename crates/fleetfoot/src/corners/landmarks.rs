//! Lower bounds on distances from exact distances to a few landmarks, by the triangle inequality (Goldberg and Harrelson,
//! SODA 2005). They keep searches out of dead ends.
//!
//! The bounds are made for a *base*: the free cells of the map at that time, and its doors, which are cells that edits have
//! opened. A cell of the base that is blocked later does no harm, since distances only grow. A free cell outside the base
//! may shorten paths. Until the landmarks have been rebuilt, bounds take into account the rectangles around such cells: a
//! path either avoids them all, or leads to one of them and from one of them to its end. So bounds hold at any time,
//! whatever is edited, and a door that opens again and again costs one rebuild.

mod at_once;
mod base;
mod build;
mod groups;
mod list;
mod upkeep;

use alloc::vec;
use alloc::vec::Vec;

pub(crate) use self::base::{Base, Doors};
pub(crate) use self::build::{Builder, Progress};
pub(crate) use self::list::CornerList;
pub(crate) use self::upkeep::LandmarkUpkeep;
#[cfg(feature = "serde")]
pub(crate) use self::upkeep::Saved;
use super::cell;
use crate::graph::Graph;
use crate::grid::Grid;
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

/// Distances from landmarks to corners.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    pub(crate) listed: CornerList,
    /// By corner of the list: its distances. Empty until all corners are listed.
    pub(crate) rows: Vec<Row>,
    /// Distinguishes these bounds from all others that searches may have used.
    pub(crate) edition: u32,
    /// How the map differs from the one that the distances were measured on.
    pub(crate) base: Base,
}

/// Bounds on the distances between landmarks and the goal of a search, on the base.
#[derive(Clone, Debug)]
pub(crate) struct GoalBounds {
    /// The edition of the landmarks. `None` if there are no bounds.
    pub(super) edition: Option<u32>,
    /// Infinite where nothing is known.
    pub(super) upper: Row,
    /// Zero where nothing is known. Paths to the goal that avoid opened cells outside the base are not shorter.
    pub(super) lower: Row,
    /// Lower bound on the cost from the opened cells outside the base to the goal.
    pub(super) from_opened: Cost,
}

impl GoalBounds {
    pub(crate) const NONE: Self =
        Self { edition: None, upper: [Cost::INF; COUNT], lower: [Cost::ZERO; COUNT], from_opened: Cost::INF };

    /// Returns `true` if these bounds were made by the landmarks as they are now.
    pub(crate) fn are_of(&self, landmarks: &Landmarks) -> bool {
        self.edition == Some(landmarks.edition)
    }
}

impl Landmarks {
    /// Creates landmarks without distances.
    pub(crate) fn empty(edition: u32) -> Self {
        Self { listed: CornerList::new(), rows: Vec::new(), edition, base: Base::new() }
    }

    /// Returns the corners that have rows, in the order of their numbers.
    pub(crate) fn corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.listed.tiles()).flat_map(|tile| self.listed.nodes(tile))
    }

    /// Returns the distances of a corner.
    #[inline]
    pub(crate) fn row(&self, n: NodeId) -> Option<&Row> {
        self.rows.get(self.listed.rank(n)?)
    }

    /// Gives every corner of the list a row of infinite distances.
    fn add_rows(&mut self) {
        self.rows = vec![[Cost::INF; COUNT]; self.listed.len()];
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
            return GoalBounds { edition, upper: row, lower: row.map(known), from_opened };
        }
        let (mut upper, mut lower) = ([Cost::INF; COUNT], [Cost::INF; COUNT]);
        ends(&mut |end| {
            // Nothing bounds the distance to a corner that is newer than the landmarks.
            let Some(row) = self.row(end) else {
                lower = [Cost::ZERO; COUNT];
                return;
            };
            let last = grid.h(end, goal);
            // Where the last leg may lead over an opened cell, the base need not have it.
            let is_in_base = !self.base.has_opened() || {
                let ends = [end, goal].map(|n| cell(grid, n));
                !self.base.may_pass_opened(grid, ends)
            };
            for (k, &to_end) in row.iter().enumerate() {
                lower[k] = lower[k].min(to_end + last);
                if is_in_base {
                    upper[k] = upper[k].min(to_end + last);
                }
            }
        });
        GoalBounds { edition, upper, lower: lower.map(known), from_opened }
    }

    /// Returns a lower bound on the cost from a cell to the goal of a search. It is zero if nothing is known.
    #[inline]
    pub(crate) fn bound(&self, grid: &Grid, n: NodeId, goal: &GoalBounds) -> Cost {
        if !goal.are_of(self) {
            return Cost::ZERO;
        }
        let Some(row) = self.row(n) else { return Cost::ZERO };
        let bound = difference(row, goal);
        if self.base.has_opened() {
            bound.min(self.base.cost_to_opened(grid, cell(grid, n)) + goal.from_opened)
        } else {
            bound
        }
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Row>() * self.rows.capacity() + self.listed.memory_bytes() + self.base.memory_bytes()
    }

    /// Returns the bytes that landmarks of a grid with this many corners hold.
    pub(crate) fn bytes_of(grid: &Grid, corners: usize) -> usize {
        (size_of::<Row>() + size_of::<u8>()) * corners + size_of::<u32>() * (grid.bound() / 256 + 1)
    }

    /// Returns `true` if landmarks pay on a map with this many corners.
    pub(crate) fn pay_off(corners: usize, max_corners: usize) -> bool {
        (MIN_CORNERS..=max_corners).contains(&corners)
    }
}

/// Returns a distance, or zero if it is infinite: then it bounds nothing from below.
fn known(distance: Cost) -> Cost {
    if distance.is_finite() { distance } else { Cost::ZERO }
}

/// Larger differences mean that the distance to a landmark is infinite.
const MAX_DIFFERENCE: i32 = 1 << 29;

/// Returns the largest difference between the row of a cell and the bounds of the goal: a lower bound on the cost between
/// them. Without a branch and in signed numbers, so that processors compare four landmarks at a time; searches spend most of
/// their time here.
#[inline]
fn difference(row: &Row, goal: &GoalBounds) -> Cost {
    // Infinity becomes the greatest number.
    let signed = |cost: Cost| (cost.raw() & i32::MAX.cast_unsigned()).cast_signed();
    let mut most = 0;
    for ((&distance, &upper), &lower) in row.iter().zip(&goal.upper).zip(&goal.lower) {
        let distance = signed(distance);
        let (beyond, before) = (distance - signed(upper), signed(lower) - distance);
        most = most.max(before).max(if beyond > MAX_DIFFERENCE { 0 } else { beyond });
    }
    Cost::new(most.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corners::LandmarkState;
    use crate::corners::{CellSearch, Corners, Limit, Stage, Terrain};
    use crate::graph::splitmix64;
    use crate::grid::{Neighborhood, Rules};
    use crate::map::{LandmarkMode, Map, MapConfig};
    use crate::meter::{Meter, WorkKind};
    use crate::search::{Pools, SearchTools};
    use alloc::collections::BTreeSet;

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
            for (a, b) in [(row(a), row(b)), (row(b), row(a))] {
                let bounds = GoalBounds { upper: b, lower: b.map(known), ..GoalBounds::NONE };
                assert_eq!(difference(&a, &bounds), Cost::new(most), "{a:?} and {b:?}");
            }
        }
    }

    /// Returns the cost from every cell to the goal, by plain Dijkstra.
    fn costs_to(grid: &Grid, goal: NodeId) -> Vec<Cost> {
        let mut costs = vec![Cost::INF; grid.bound()];
        let mut queue = BTreeSet::from([(Cost::ZERO, goal)]);
        costs[goal.index()] = Cost::ZERO;
        while let Some((cost, n)) = queue.pop_first() {
            for edge in grid.succs(n) {
                let better = cost + edge.cost;
                if better < costs[edge.to.index()] {
                    costs[edge.to.index()] = better;
                    queue.insert((better, edge.to));
                }
            }
        }
        costs
    }

    fn search(grid: &Grid, ends: (NodeId, NodeId), with_landmarks: bool) -> (CellSearch, Stage, u64) {
        let corners = grid.corners().expect("an index");
        let mut terrain = Terrain::new(grid, corners);
        terrain.landmarks = terrain.landmarks.filter(|_| with_landmarks);
        let mut search = CellSearch::by_cell(grid.bound());
        let mut meter = Meter::unlimited();
        let tools = &mut SearchTools { meter: &mut meter, pools: &mut Pools::new(), probe: None };
        search.begin((grid, Some(corners)), ends, 0, tools);
        let stage = search.advance(&terrain, Limit::NONE, tools);
        let expanded = meter.work()[WorkKind::Expand];
        (search, stage, expanded)
    }

    /// Whatever is edited, and however far better landmarks have come: no bound exceeds the true cost, paths over corners
    /// are shortest, and a saved map goes on with the same landmarks.
    #[test]
    fn bounds_hold_under_any_edits() {
        let mut seed = 1_u64;
        let mut roll = move |below: u64| {
            seed += 1;
            splitmix64(seed) % below
        };
        let (mut bounded, mut rebuilt, mut kept) = (0, 0, 0);
        for round in 0..40 {
            let neighborhood = if round % 4 == 3 { Neighborhood::Four } else { Neighborhood::Eight };
            let rules = Rules { neighborhood, ..Rules::default() };
            let (width, height, density) = (20 + roll(50) as u32, 20 + roll(40) as u32, 3 + roll(8));
            let grid = Grid::new(width, height, rules, |_, _| u8::from(roll(density) > 0)).expect("a grid");
            let mut config = MapConfig::default();
            if round % 3 == 0 {
                config.landmarks = LandmarkMode::InSlices;
            }
            let mut map = Map::with_config(grid, config);
            let doors: Vec<(u32, u32)> =
                (0..6).map(|_| (roll(u64::from(width)) as u32, roll(u64::from(height)) as u32)).collect();
            for _ in 0..60 {
                for _ in 0..roll(4) {
                    let (x, y) = if roll(2) == 0 {
                        doors[roll(6) as usize]
                    } else {
                        (roll(u64::from(width)) as u32, roll(u64::from(height)) as u32)
                    };
                    let n = map.node(x, y).expect("on the map");
                    map.set(n, u8::from(!map.is_free(n))).expect("0 and 1");
                }
                let was_pending = map.landmarks() == LandmarkState::Pending;
                let work = [400, 20_000][roll(2) as usize];
                if map.prepare(&mut Meter::expansions(roll(work))) && was_pending {
                    rebuilt += 1;
                }
                let mut pick = || {
                    let cells = (0..map.grid().bound()).map(NodeId::from_index).filter(|&n| map.is_free(n));
                    let cells: Vec<NodeId> = cells.collect();
                    cells[roll(cells.len() as u64) as usize]
                };
                let ends @ (from, goal) = (pick(), pick());
                let costs = costs_to(map.grid(), goal);
                let (with, stage, expanded) = search(map.grid(), ends, true);
                let (_, _, without) = search(map.grid(), ends, false);
                assert_eq!(stage == Stage::Done, costs[from.index()].is_finite());
                if stage == Stage::Done {
                    assert_eq!(with.g(goal), costs[from.index()], "round {round}: {from} to {goal}");
                }
                kept += without;
                bounded += expanded;
                let Some(landmarks) = map.grid().corners().and_then(Corners::landmarks) else { continue };
                let ends: Vec<NodeId> = with.names.ends.clone();
                let bounds = landmarks.bounds_of(map.grid(), goal, |end| ends.iter().copied().for_each(end));
                // Only bounds of what leads to the goal over its ends matter.
                let is_joined = !ends.is_empty() || landmarks.row(goal).is_some();
                let is_corner = |n: &NodeId| {
                    map.grid().corners().is_some_and(|corners| corners.is_corner(cell(map.grid(), *n)))
                };
                for n in landmarks.corners().filter(is_corner).filter(|_| is_joined) {
                    let bound = landmarks.bound(map.grid(), n, &bounds);
                    assert!(bound <= costs[n.index()], "round {round}: {n} to {goal}");
                }
            }
            #[cfg(feature = "serde")]
            {
                let saved = serde_json::to_string(&map).expect("a map can be saved");
                let mut twin: Map = serde_json::from_str(&saved).expect("and loaded");
                let upkeep =
                    |map: &Map| map.grid().corners().map(|corners| corners.landmark_upkeep().progress());
                assert_eq!(upkeep(&map), upkeep(&twin), "round {round}");
                for _ in 0..20 {
                    assert_eq!(map.landmarks(), twin.landmarks());
                    let table = |map: &Map| {
                        let landmarks = map.grid().corners().and_then(Corners::landmarks);
                        landmarks.map(|l| {
                            (l.edition, l.corners().map(|n| *l.row(n).expect("a row")).collect::<Vec<Row>>())
                        })
                    };
                    assert_eq!(table(&map), table(&twin), "round {round}");
                    let work = roll(300);
                    let [mine, theirs] = [&mut map, &mut twin].map(|map| {
                        let is_ready = map.prepare(&mut Meter::expansions(work));
                        let upkeep = map.grid().corners().map(Corners::landmark_upkeep).cloned();
                        (
                            is_ready,
                            map.indices_are_current(),
                            map.are_corners_stored(),
                            upkeep.map(|u| u.progress()),
                        )
                    });
                    assert_eq!(mine, theirs, "round {round}");
                }
            }
        }
        assert!(rebuilt > 20, "{rebuilt} rebuilds");
        assert!(2 * bounded < 2 * kept, "{bounded} expansions with landmarks, {kept} without");
    }
}
