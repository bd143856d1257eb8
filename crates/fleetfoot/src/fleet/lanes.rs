//! One-way traffic for passages one cell wide: two streams pass in platoons instead of exchanging places one by one.
//!
//! A lane is a chain of cells with two ways out each. Whoever is first to enter sets its direction; who comes from the
//! other side waits outside. After a while with somebody waiting the lane closes, runs empty and turns round. The gate
//! only ranks entering behind standing still: a unit that is pushed may still go in.

use alloc::vec;
use alloc::vec::Vec;

use super::ground::{Candidates, NONE};
use crate::graph::{Graph, Grid};
use crate::id::NodeId;

/// Shorter chains are corners of rooms and doorways, where waiting costs more than passing.
const SHORTEST: usize = 3;
/// Longer chains are cut, so that a change of the map has bounded work.
const LONGEST: usize = 256;
/// A lane turns after so many ticks with somebody waiting, and as many as `PER_CELL` for each of its cells: enough for a
/// platoon longer than the lane.
const PATIENCE: u64 = 16;
/// See [`PATIENCE`].
const PER_CELL: u64 = 2;

/// The direction of a lane: by which end it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By either.
    Open,
    /// By this end.
    By(u8),
    /// By none until it is empty; then by the other end.
    Closing(u8),
}

/// A chain of cells.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    /// The first and the last cell.
    pub(super) ends: [u32; 2],
    pub(super) len: u32,
    pub(super) way: Way,
    /// When the way was set.
    pub(super) since: u64,
    /// Units inside.
    pub(super) inside: u32,
    /// When somebody last wanted in, by end.
    pub(super) wanted: [u64; 2],
}

/// All lanes of a map.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    /// By cell: the lane that it is in.
    lane_of: Vec<u32>,
    /// By cell: whether a lane ends beside it.
    mouths: Vec<bool>,
    /// By unit: the tick after that in which a lane last kept it out.
    gated: Vec<u64>,
    pub(super) lanes: Vec<Lane>,
    /// Lanes that have a direction.
    directed: Vec<u32>,
    /// Numbers of lanes that a change of the map has dissolved.
    free: Vec<u32>,
    now: u64,
}

impl Lanes {
    pub(super) fn new(grid: &Grid) -> Self {
        let mut lanes = Self::blank(grid);
        for cell in 0..grid.bound() {
            lanes.trace(grid, cell as u32);
        }
        lanes.directed.reserve(lanes.lanes.len());
        for lane in &lanes.lanes {
            for end in lane.ends {
                for edge in grid.succs(NodeId::new(end)) {
                    let n = edge.to.index();
                    lanes.mouths[n] = lanes.lane_of[n] == NONE;
                }
            }
        }
        lanes
    }

    pub(super) fn blank(grid: &Grid) -> Self {
        let lane_of = vec![NONE; grid.bound()];
        let mouths = vec![false; grid.bound()];
        Self {
            lane_of,
            mouths,
            gated: Vec::new(),
            lanes: Vec::new(),
            directed: Vec::new(),
            free: Vec::new(),
            now: 0,
        }
    }

    /// The lanes that there are, in no particular order.
    pub(super) fn live(&self) -> impl Iterator<Item = &Lane> {
        self.lanes.iter().filter(|lane| lane.len > 0)
    }

    /// Makes the chain through this cell a lane, if it is one and is none yet.
    fn trace(&mut self, grid: &Grid, cell: u32) {
        if self.lane_of[cell as usize] != NONE || !is_narrow(grid, cell) {
            return;
        }
        let mut ends = [cell; 2];
        let mut len = 1;
        for (k, next) in grid.succs(NodeId::new(cell)).enumerate().take(2) {
            let (mut from, mut to) = (cell, next.to.raw());
            while len < LONGEST && to != ends[0] && self.lane_of[to as usize] == NONE && is_narrow(grid, to) {
                ends[k] = to;
                len += 1;
                (from, to) = (to, past(grid, from, to));
            }
        }
        if len >= SHORTEST {
            let lane = Lane { ends, len: len as u32, way: Way::Open, since: 0, inside: 0, wanted: [0; 2] };
            self.add(grid, lane);
        }
    }

    /// Adds a lane whose cells are a chain from end to end.
    pub(super) fn add(&mut self, grid: &Grid, lane: Lane) -> bool {
        let number = self.free.pop().unwrap_or(self.lanes.len() as u32);
        let mut from = grid
            .succs(NodeId::new(lane.ends[0]))
            .map(|edge| edge.to.raw())
            .find(|&outside| {
                // The neighbour from which the chain leads to the other end.
                let (mut from, mut to) = (outside, lane.ends[0]);
                (1..lane.len).for_each(|_| (from, to) = (to, past(grid, from, to)));
                to == lane.ends[1]
            })
            .unwrap_or(NONE);
        if from == NONE {
            return false;
        }
        let mut cell = lane.ends[0];
        for _ in 0..lane.len {
            self.lane_of[cell as usize] = number;
            (from, cell) = (cell, past(grid, from, cell));
        }
        if lane.way != Way::Open {
            self.directed.push(number);
        }
        if number as usize == self.lanes.len() {
            self.lanes.push(lane);
        } else {
            self.lanes[number as usize] = lane;
        }
        true
    }

    /// Takes note that the moves around a cell have changed. `now_on` tells who stands where.
    pub(super) fn map_changed(&mut self, grid: &Grid, cell: NodeId, now_on: &[u32]) {
        let (x, y) = grid.xy(cell);
        let around = |r: u32| {
            let rows = y.saturating_sub(r)..=y + r;
            rows.flat_map(move |y| (x.saturating_sub(r)..=x + r).map(move |x| (x, y)))
        };
        for node in around(2).filter_map(|(x, y)| grid.node(x, y)) {
            let number = self.lane_of[node.index()];
            if number != NONE {
                self.dissolve(number);
            }
        }
        let first = self.lanes.len();
        for node in around(2).filter_map(|(x, y)| grid.node(x, y)) {
            self.trace(grid, node.raw());
        }
        let _ = first;
        self.count(now_on);
    }

    fn dissolve(&mut self, number: u32) {
        self.lane_of.iter_mut().filter(|lane| **lane == number).for_each(|lane| *lane = NONE);
        self.lanes[number as usize].len = 0;
        self.directed.retain(|&directed| directed != number);
        self.free.push(number);
    }

    /// Counts who is inside.
    pub(super) fn count(&mut self, now_on: &[u32]) {
        self.lanes.iter_mut().for_each(|lane| lane.inside = 0);
        for (&lane, &unit) in self.lane_of.iter().zip(now_on) {
            if lane != NONE && unit != NONE {
                self.lanes[lane as usize].inside += 1;
            }
        }
    }

    /// Takes away the moves that enter a lane against its direction, or its mouth while others come out of it. Who
    /// stands in the mouth steps aside.
    pub(super) fn gate(
        &mut self,
        unit: u32,
        at: u32,
        ranked: &mut Candidates,
        grid: &Grid,
        mut value_of: impl FnMut(u32) -> u32,
    ) {
        let here = self.lane_of[at as usize];
        let (mut k, mut first) = (0, true);
        while let Some((to, value)) = ranked.get(k) {
            let is_best = core::mem::replace(&mut first, false);
            let closed = if to == at {
                false
            } else if self.mouths[to as usize] {
                self.is_kept_clear(here, to, value, grid, &mut value_of)
            } else {
                let lane = self.lane_of[to as usize];
                lane != NONE && lane != here && self.is_against(lane, to, is_best)
            };
            if closed {
                ranked.remove(k);
                if is_best {
                    self.gated[unit as usize] = self.now + 1;
                }
                if is_best && self.mouths[at as usize] {
                    ranked.last(at);
                }
            } else {
                k += 1;
            }
        }
    }

    /// Whether entering a lane by this end is against its direction. Who wants in most may set it.
    fn is_against(&mut self, number: u32, to: u32, is_best: bool) -> bool {
        let lane = &mut self.lanes[number as usize];
        let end = u8::from(lane.ends[1] == to);
        if is_best {
            lane.wanted[end as usize] = self.now;
            if lane.way == Way::Open {
                (lane.way, lane.since) = (Way::By(end), self.now);
                self.directed.push(number);
            }
        }
        lane.way != Way::By(end) && lane.way != Way::Open
    }

    /// Whether this mouth leads a unit, which is not in the lane, into a lane that others come out of there.
    fn is_kept_clear(
        &mut self,
        here: u32,
        mouth: u32,
        value: u32,
        grid: &Grid,
        value_of: &mut impl FnMut(u32) -> u32,
    ) -> bool {
        for edge in grid.succs(NodeId::new(mouth)) {
            let cell = edge.to.raw();
            let number = self.lane_of[cell as usize];
            if number == NONE || number == here {
                continue;
            }
            let lane = &mut self.lanes[number as usize];
            let end = u8::from(lane.ends[1] == cell);
            let comes_out = lane.way == Way::By(1 - end) || lane.way == Way::Closing(1 - end);
            if comes_out && value_of(cell) < value {
                lane.wanted[end as usize] = self.now;
                return true;
            }
        }
        false
    }

    /// Whether a lane has kept this unit out lately.
    pub(super) fn was_gated(&self, unit: u32) -> bool {
        self.gated[unit as usize] + 4 > self.now
    }

    /// Room for a unit more.
    pub(super) fn grow(&mut self) {
        self.gated.push(0);
    }

    /// A unit was put on a cell.
    pub(super) fn entered(&mut self, cell: u32) {
        if let Some(lane) = self.lanes.get_mut(self.lane_of[cell as usize] as usize) {
            lane.inside += 1;
        }
    }

    /// A unit was taken off a cell.
    pub(super) fn left(&mut self, cell: u32) {
        if let Some(lane) = self.lanes.get_mut(self.lane_of[cell as usize] as usize) {
            lane.inside -= 1;
        }
    }

    /// A unit has moved.
    #[inline]
    pub(super) fn moved(&mut self, from: u32, to: u32) {
        let (old, new) = (self.lane_of[from as usize], self.lane_of[to as usize]);
        if old != new {
            if old != NONE {
                self.lanes[old as usize].inside -= 1;
            }
            if new != NONE {
                self.lanes[new as usize].inside += 1;
            }
        }
    }

    /// The end of a tick: lanes close, turn round and open again.
    pub(super) fn turn(&mut self) {
        let now = self.now;
        for k in (0..self.directed.len()).rev() {
            let number = self.directed[k];
            let lane = &mut self.lanes[number as usize];
            let patience = PATIENCE + PER_CELL * u64::from(lane.len);
            let waited = now - lane.since >= patience;
            lane.way = match lane.way {
                Way::By(end) if lane.wanted[1 - end as usize] == now => {
                    if lane.inside == 0 && lane.wanted[end as usize] != now {
                        lane.since = now;
                        Way::By(1 - end)
                    } else if waited {
                        lane.since = now;
                        Way::Closing(end)
                    } else {
                        Way::By(end)
                    }
                }
                Way::By(_) if lane.inside == 0 => Way::Open,
                // Somebody may be at home inside, so that it never runs empty.
                Way::Closing(end) if lane.inside == 0 || now - lane.since >= 4 * patience => {
                    lane.since = now;
                    Way::By(1 - end)
                }
                way => way,
            };
            if lane.way == Way::Open {
                self.directed.swap_remove(k);
            }
        }
        self.now += 1;
    }

    pub(super) fn now(&self) -> u64 {
        self.now
    }

    pub(super) fn set_now(&mut self, now: u64) {
        self.now = now;
    }
}

fn is_narrow(grid: &Grid, cell: u32) -> bool {
    grid.succs(NodeId::new(cell)).count() == 2
}

/// Where a chain goes on that comes from `from`.
fn past(grid: &Grid, from: u32, cell: u32) -> u32 {
    grid.succs(NodeId::new(cell)).map(|edge| edge.to.raw()).find(|&to| to != from).unwrap_or(NONE)
}
