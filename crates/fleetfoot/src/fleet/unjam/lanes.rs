//! One-way traffic for passages one cell wide: two streams pass in platoons instead of exchanging places one by one.
//!
//! A lane is a chain of cells with two neighbors each, from one open place to another: where passages lead into passages, a unit that
//! waits outside would block others. The first unit that enters sets the direction; units from the other side wait outside. When some
//! have waited for a while, the lane closes, runs empty and turns around. The gate only ranks entering behind staying: a unit that is
//! pushed may still enter.

use alloc::vec;
use alloc::vec::Vec;

use crate::fleet::cell_set::CellSet;
use crate::fleet::cell_set::NONE;
use crate::fleet::tuning::JamTuning;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

/// Maximum number of cells of a lane. Longer chains are cut, so that a map edit has bounded work.
const LONGEST: usize = 256;

/// Maximum number of doublings of the time without a direction.
pub(crate) const MOST_STRIKES: u8 = 4;

/// The direction of a lane: the end by which units enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Units enter by either end.
    Open,
    /// Units enter by this end.
    By(u8),
    /// No unit enters until the lane is empty; then units enter by the other end.
    Closing(u8),
}

/// A chain of cells.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    /// Its cells from end to end; empty if a map edit has dissolved it.
    pub(crate) cells: Vec<u32>,
    pub(crate) direction: Direction,
    /// The tick in which the direction was set.
    pub(crate) since: u64,
    /// The number of units inside.
    pub(crate) inside: u32,
    /// By end: the tick in which a unit last wanted to enter.
    pub(crate) wanted: [u64; 2],
    /// The lane has no direction before this tick.
    pub(crate) off: u64,
    /// How often it did not run empty in time, minus how often it did.
    pub(crate) strikes: u8,
}

impl Lane {
    pub(crate) fn new(cells: Vec<u32>) -> Self {
        Self { cells, direction: Direction::Open, since: 0, inside: 0, wanted: [0; 2], off: 0, strikes: 0 }
    }

    /// Returns the number of the end that a cell is.
    pub(crate) fn end(&self, cell: u32) -> u8 {
        u8::from(self.cells.last() == Some(&cell))
    }
}

/// All lanes of a map.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    pub(crate) tuning: JamTuning,
    /// By cell: the lane that it is in.
    pub(crate) lane_of: Vec<u32>,
    /// By cell: whether it is a mouth, next to an end of a lane.
    pub(crate) mouths: Vec<bool>,
    /// Cells that are or were in a lane, or a mouth.
    pub(crate) marked: CellSet,
    /// Marked cells, and the cells around them.
    pub(crate) vicinity: CellSet,
    /// By unit: one more than the tick in which a lane last kept it out.
    pub(crate) gated: Vec<u64>,
    pub(crate) all: Vec<Lane>,
    /// Lanes that have a direction.
    pub(crate) directed: Vec<u32>,
    /// Numbers of lanes that are dissolved.
    pub(crate) free: Vec<u32>,
    pub(crate) now: u64,
}

impl Lanes {
    pub(crate) fn new(grid: &Grid, tuning: JamTuning) -> Self {
        let mut lanes = Self::blank(grid, tuning);
        for cell in 0..grid.bound() {
            lanes.trace(grid, cell as u32, &[]);
        }
        lanes
    }

    pub(crate) fn blank(grid: &Grid, tuning: JamTuning) -> Self {
        Self {
            tuning,
            lane_of: vec![NONE; grid.bound()],
            mouths: vec![false; grid.bound()],
            marked: CellSet::none(grid.bound()),
            vicinity: CellSet::none(grid.bound()),
            gated: Vec::new(),
            all: Vec::new(),
            directed: Vec::new(),
            free: Vec::new(),
            now: 0,
        }
    }

    /// Returns the bytes held for the map.
    pub(crate) fn memory_bytes(&self) -> usize {
        let cells: usize = self.all.iter().map(|lane| 4 * lane.cells.capacity() + size_of::<Lane>()).sum();
        4 * self.lane_of.capacity() + self.mouths.capacity() + 2 * self.marked.memory_bytes() + cells
    }

    /// Returns `true` if there never was a lane.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Reads the words of the sets that `is_far` reads, to fetch them from memory.
    #[inline]
    pub(crate) fn fetch(&self, cell: u32) -> u64 {
        self.marked.word(cell) ^ self.vicinity.word(cell)
    }

    /// Returns the lanes that are not dissolved.
    pub(crate) fn live(&self) -> impl Iterator<Item = &Lane> {
        self.all.iter().filter(|lane| !lane.cells.is_empty())
    }

    /// Marks a cell that is in a lane, or a mouth.
    fn mark(&mut self, grid: &Grid, n: NodeId) {
        self.marked.insert(n.raw());
        let (x, y) = grid.xy(n);
        let rows = y.saturating_sub(1)..=y + 1;
        let near = rows.flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)));
        near.filter_map(|(x, y)| grid.node(x, y)).for_each(|n| self.vicinity.insert(n.raw()));
    }

    /// Returns `false` if a cell and all cells around it are far from lanes; see [`Lanes::is_far`].
    #[inline]
    pub(crate) fn may_be_near(&self, cell: u32) -> bool {
        self.vicinity.has(cell)
    }

    /// Returns `true` if a cell is neither in a lane nor a mouth.
    #[inline]
    pub(crate) fn is_far(&self, cell: u32) -> bool {
        !self.marked.has(cell) || self.lane_of[cell as usize] == NONE && !self.mouths[cell as usize]
    }

    /// Returns `true` if a cell is in a lane.
    pub(crate) fn is_in_lane(&self, cell: u32) -> bool {
        self.lane_of[cell as usize] != NONE
    }

    /// Makes the chain through this cell a lane, if it is long enough and not yet one.
    fn trace(&mut self, grid: &Grid, cell: u32, now_on: &[u32]) {
        if self.lane_of[cell as usize] != NONE || !is_narrow(grid, cell) {
            return;
        }
        let mut cells = vec![cell];
        for next in grid.succs(NodeId::new(cell)).take(2) {
            let (mut from, mut to) = (cell, next.to.raw());
            while cells.len() < LONGEST
                && !cells.contains(&to)
                && self.lane_of[to as usize] == NONE
                && is_narrow(grid, to)
            {
                cells.push(to);
                (from, to) = (to, past(grid, from, to));
            }
            cells.reverse();
        }
        if cells.len() as u64 >= self.tuning.lane_length && has_room_outside(grid, &cells) {
            self.add(grid, Lane::new(cells), now_on);
        }
    }

    /// Adds a lane. `now_on` has the units by cell; empty if there are no units.
    pub(crate) fn add(&mut self, grid: &Grid, mut lane: Lane, now_on: &[u32]) {
        let number = self.free.pop().unwrap_or(self.all.len() as u32);
        for &cell in &lane.cells {
            self.lane_of[cell as usize] = number;
            self.mark(grid, NodeId::new(cell));
            lane.inside += u32::from(now_on.get(cell as usize).is_some_and(|&unit| unit != NONE));
        }
        for end in [lane.cells.first(), lane.cells.last()].into_iter().flatten() {
            for edge in grid.succs(NodeId::new(*end)) {
                self.mouths[edge.to.index()] = self.lane_of[edge.to.index()] == NONE;
                self.mark(grid, edge.to);
            }
        }
        if lane.direction != Direction::Open {
            self.directed.push(number);
        }
        if number as usize == self.all.len() {
            self.all.push(lane);
        } else {
            self.all[number as usize] = lane;
        }
        self.directed.reserve(self.all.len());
    }

    /// Updates the lanes near a cell whose moves have changed. `now_on` has the units by cell.
    pub(crate) fn map_changed(&mut self, grid: &Grid, cell: NodeId, now_on: &[u32]) {
        let (x, y) = grid.xy(cell);
        let rows = y.saturating_sub(2)..=y + 2;
        let near = rows.flat_map(|y| (x.saturating_sub(2)..=x + 2).map(move |x| (x, y)));
        let near: Vec<u32> = near.filter_map(|(x, y)| grid.node(x, y)).map(NodeId::raw).collect();
        // Cells that may have stopped or started to be mouths. Lanes farther away keep their ends and mouths.
        let mut touched = near.clone();
        for &cell in &near {
            if self.is_in_lane(cell) {
                self.dissolve(grid, self.lane_of[cell as usize], &mut touched);
            }
        }
        for &cell in &near {
            self.trace(grid, cell, now_on);
            if let Some(lane) = self.all.get(self.lane_of[cell as usize] as usize) {
                touched.extend(&lane.cells);
            }
        }
        for cell in touched {
            self.mouths[cell as usize] = self.is_mouth(grid, cell);
        }
    }

    /// Returns `true` if a cell is in no lane, and next to an end of one.
    fn is_mouth(&self, grid: &Grid, cell: u32) -> bool {
        let is_end = |next: NodeId| {
            let lane = self.all.get(self.lane_of[next.index()] as usize);
            lane.is_some_and(|lane| [lane.cells.first(), lane.cells.last()].contains(&Some(&next.raw())))
        };
        !self.is_in_lane(cell) && grid.succs(NodeId::new(cell)).any(|edge| is_end(edge.to))
    }

    /// Dissolves a lane. Adds its cells and its mouths to `touched`: one end may be far from the edit.
    fn dissolve(&mut self, grid: &Grid, number: u32, touched: &mut Vec<u32>) {
        let lane = core::mem::replace(&mut self.all[number as usize], Lane::new(Vec::new()));
        for end in [lane.cells.first(), lane.cells.last()].into_iter().flatten() {
            touched.extend(grid.succs(NodeId::new(*end)).map(|edge| edge.to.raw()));
        }
        for &cell in &lane.cells {
            self.lane_of[cell as usize] = NONE;
        }
        touched.extend(lane.cells);
        self.directed.retain(|&directed| directed != number);
        self.free.push(number);
    }

    /// Returns `true` if a lane has kept this unit out in the last ticks.
    pub(crate) fn was_gated(&self, unit: u32) -> bool {
        self.gated[unit as usize] + 4 > self.now
    }

    /// Makes room for another unit.
    pub(crate) fn grow(&mut self) {
        self.gated.push(0);
    }

    /// Counts a unit that was placed on a cell.
    pub(crate) fn entered(&mut self, cell: u32) {
        if let Some(lane) = self.all.get_mut(self.lane_of[cell as usize] as usize) {
            lane.inside += 1;
        }
    }

    /// Counts a unit that was removed from a cell.
    pub(crate) fn left(&mut self, cell: u32) {
        if let Some(lane) = self.all.get_mut(self.lane_of[cell as usize] as usize) {
            lane.inside -= 1;
        }
    }

    /// Counts a unit that has moved.
    #[inline]
    pub(crate) fn moved(&mut self, from: u32, to: u32) {
        if !self.marked.has(from) && !self.marked.has(to) {
            return;
        }
        let (old, new) = (self.lane_of[from as usize], self.lane_of[to as usize]);
        if old != new {
            if old != NONE {
                self.all[old as usize].inside -= 1;
            }
            if new != NONE {
                self.all[new as usize].inside += 1;
            }
        }
    }

    /// Ends a tick: lanes close, turn around and open again.
    pub(crate) fn turn(&mut self) {
        let (now, tuning) = (self.now, self.tuning);
        for k in (0..self.directed.len()).rev() {
            let number = self.directed[k];
            let lane = &mut self.all[number as usize];
            let patience = tuning.lane_patience + tuning.lane_patience_per_cell * lane.cells.len() as u64;
            let waited = now - lane.since >= patience;
            lane.direction = match lane.direction {
                Direction::By(end) if lane.wanted[1 - end as usize] == now => {
                    if lane.inside == 0 && lane.wanted[end as usize] != now {
                        lane.since = now;
                        Direction::By(1 - end)
                    } else if waited {
                        lane.since = now;
                        Direction::Closing(end)
                    } else {
                        Direction::By(end)
                    }
                }
                Direction::By(_) if lane.inside == 0 => Direction::Open,
                Direction::Closing(end) if lane.inside == 0 => {
                    lane.since = now;
                    lane.strikes = lane.strikes.saturating_sub(1);
                    Direction::By(1 - end)
                }
                // A unit has its goal inside, or turned back there: this is no passage for streams.
                Direction::Closing(_) if waited => {
                    lane.strikes = (lane.strikes + 1).min(MOST_STRIKES);
                    lane.off = now + (tuning.lane_rest << lane.strikes);
                    Direction::Open
                }
                direction => direction,
            };
            if lane.direction == Direction::Open {
                self.directed.swap_remove(k);
            }
        }
        self.now += 1;
    }
}

/// Returns `true` if there is room to wait and to step aside at both ends of a chain.
fn has_room_outside(grid: &Grid, cells: &[u32]) -> bool {
    let ends = [cells.first(), cells.last()].into_iter().flatten();
    ends.flat_map(|&end| grid.succs(NodeId::new(end)))
        .map(|edge| edge.to)
        .filter(|to| !cells.contains(&to.raw()))
        .all(|mouth| is_roomy(grid, mouth))
}

/// Returns `true` if a cell is part of a square of four free ones.
fn is_roomy(grid: &Grid, cell: NodeId) -> bool {
    let (x, y) = grid.xy(cell);
    let is_free = |x: u32, y: u32| grid.node(x, y).is_some_and(|n| grid.is_free(n));
    [(1, 1), (1, u32::MAX), (u32::MAX, 1), (u32::MAX, u32::MAX)].into_iter().any(|(dx, dy)| {
        let (beside, below) = (x.wrapping_add(dx), y.wrapping_add(dy));
        is_free(beside, y) && is_free(x, below) && is_free(beside, below)
    })
}

fn is_narrow(grid: &Grid, cell: u32) -> bool {
    grid.succs(NodeId::new(cell)).count() == 2
}

/// Returns the next cell of a chain that comes from `from`.
fn past(grid: &Grid, from: u32, cell: u32) -> u32 {
    grid.succs(NodeId::new(cell)).map(|edge| edge.to.raw()).find(|&to| to != from).unwrap_or(NONE)
}

#[cfg(test)]
mod tests;
