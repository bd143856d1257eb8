//! Teams: what their units have seen, and what has changed of that.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use super::sight::Sight;
use super::units::Vision;
use super::upkeep::Upkeep;
use crate::corners::{
    Builder, Cell, CellSearch, Corners, Landmarks, Limit, MAX_LANDMARK_CORNERS, Stage, Terrain, cell, node,
};
use crate::graph::{Belief, Graph, Grid, GridError};
use crate::id::{Cost, NodeId};
use crate::map::Map;
use crate::meter::{Kind, Meter};
use crate::parts::Tools;

/// What taking over one cell costs, in changes: the index of corners around it is made anew.
pub(super) const CHANGES_PER_CELL: u64 = 25;

/// When connections between corners are stored: after so many ticks in which a team has taken over no more than so many cells, and
/// until it has so many to take over, or has not been done with that for so many ticks. They make searches many times faster, and
/// every further cell many times dearer.
struct Calm {
    ticks: u32,
    cells: u32,
    rush: usize,
    late: u32,
}
/// Where few wait for searches, what is seen is to be known at once.
const AT_LEISURE: Calm = Calm { ticks: 16, cells: 8, rush: 64, late: 16 };
/// Where many wait, they matter more.
const AT_WORK: Calm = Calm { ticks: 8, cells: 64, rush: 512, late: 256 };
/// So many are many.
pub(super) const MANY_WAIT: usize = 32;
/// Landmarks are made anew when so many moves are others than when they were begun, and one for each corner.
const OLD: u64 = 2048;
/// None are made for so many ticks after a cell has become free, or where there was nothing to make them of.
const PAUSE: u32 = 64;
/// When so many of the new ones are there, they are better than old ones.
const ENOUGH: u32 = 5;

/// Cells that have become free and are looked at together, at most, and how far they lie from the first.
pub(super) const TOGETHER: usize = 16;
const NEAR: i32 = 16;

/// A team.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub(super) fog: Option<Box<Fog>>,
    /// Cells that have become free for this team, and wait to be looked at: somebody may have a shorter way.
    pub(super) opened: VecDeque<NodeId>,
    /// How many of the first of them are looked at together, and the unit that is to look next.
    pub(super) together: u32,
    pub(super) next_to_look: u32,
    /// How many units have still to look whether their ways are broken, and the next of them.
    pub(super) unchecked: u32,
    pub(super) next_to_check: u32,
    /// How many units wait for searches, and where the first of them stands: of the tick, where it is asked.
    pub(super) waiting: u32,
    pub(super) around: NodeId,
}

/// Some cells that have become free, and the corners of the rectangle around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Openings {
    cells: [NodeId; TOGETHER],
    len: usize,
    least: Cell,
    most: Cell,
}

/// What a team knows that does not know everything.
#[derive(Clone, Debug)]
pub(super) struct Fog {
    pub(super) radius: u32,
    pub(super) belief: Belief,
    pub(super) sight: Sight,
    /// A bit for each cell that has been seen, row by row.
    seen: Vec<u64>,
    stride: usize,
    /// Cells in sight that are other than believed, and are still to be taken over.
    pub(super) due: VecDeque<NodeId>,
    /// The same as bits, so that none is there twice.
    is_due: Vec<u64>,
    /// What has been paid for the first of them, in changes.
    pub(super) paid: u64,
    /// Words read for those that have been taken over, to find whose connections are others now, that are still to be paid for.
    pub(super) debt: u64,
    /// Whether connections are stored.
    pub(super) keeps: bool,
    /// For how many ticks hardly anything has been new, and for how many something has been left to be taken over.
    pub(super) calm: u32,
    pub(super) late: u32,
    pub(super) upkeep: Upkeep,
    /// Landmarks of what was known, once many have waited for searches, and newer ones that are being made.
    pub(super) marks: Option<Box<Landmarks>>,
    pub(super) making: Option<Box<Builder>>,
    /// How many sets of them have been begun, and the length of the log of what is known when the last one was.
    pub(super) editions: u32,
    pub(super) begun: u64,
    /// For how many ticks none are made.
    pub(super) pause: u32,
}

impl Team {
    pub(super) fn knowing_all() -> Self {
        Self {
            fog: None,
            opened: VecDeque::new(),
            together: 0,
            next_to_look: 0,
            unchecked: 0,
            next_to_check: 0,
            waiting: 0,
            around: NodeId::NONE,
        }
    }

    pub(super) fn new(truth: &Map, vision: Vision) -> Result<Self, GridError> {
        let fog = match vision {
            Vision::All => None,
            // Who does not see the cells around it would walk against walls for ever.
            Vision::Radius(radius) => Some(Box::new(Fog::new(truth.grid(), radius.max(1))?)),
        };
        Ok(Self { fog, ..Self::knowing_all() })
    }

    pub(super) fn vision(&self) -> Vision {
        self.fog.as_ref().map_or(Vision::All, |fog| Vision::Radius(fog.radius))
    }

    /// The map as the team knows it.
    pub(super) fn map<'a>(&'a self, truth: &'a Map) -> &'a Map {
        self.fog.as_ref().map_or(truth, |fog| fog.belief.map())
    }

    /// The open ground as the team knows it.
    pub(super) fn sight<'a>(&'a self, truth: &'a Sight) -> &'a Sight {
        self.fog.as_ref().map_or(truth, |fog| &fog.sight)
    }

    /// Continues a search on the map as the team knows it.
    pub(super) fn advance(
        &self,
        search: &mut CellSearch,
        (map, sight): (&Map, &Sight),
        limit: Limit,
        tools: &mut Tools<'_>,
    ) -> Stage {
        let (map, sight) = (self.map(map), self.sight(sight));
        let (grid, log) = (map.grid(), map.log().end());
        let Some(corners) = grid.corners() else {
            return search.advance_over_cells(grid, log, limit, tools);
        };
        let landmarks = match &self.fog {
            Some(fog) => fog.landmarks(),
            None => corners.landmarks(),
        };
        search.advance(&Terrain { grid, corners, landmarks, sight: Some(sight), log }, limit, tools)
    }

    /// A cell is free now, or blocked, as the team knows the map.
    pub(super) fn changed(&mut self, n: NodeId, is_free: bool) {
        if is_free {
            self.opened.push_back(n);
        } else {
            self.unchecked = u32::MAX;
        }
    }

    /// The cells that are to be looked at next, as those of a door are: near each other, and not too many.
    pub(super) fn openings(&mut self, grid: &Grid) -> Option<Openings> {
        let first = cell(grid, *self.opened.front()?);
        if self.together == 0 || self.together as usize > self.opened.len() {
            let is_near = |&&n: &&NodeId| {
                let (x, y) = cell(grid, n);
                (x - first.0).abs().max((y - first.1).abs()) <= NEAR
            };
            let near = self.opened.iter().take(TOGETHER).take_while(is_near);
            self.together = near.count() as u32;
        }
        let mut openings = Openings { cells: [NodeId::NONE; TOGETHER], len: 0, least: first, most: first };
        for &n in self.opened.iter().take(self.together as usize) {
            let (x, y) = cell(grid, n);
            openings.cells[openings.len] = n;
            openings.len += 1;
            openings.least = (openings.least.0.min(x), openings.least.1.min(y));
            openings.most = (openings.most.0.max(x), openings.most.1.max(y));
        }
        Some(openings)
    }

    /// All units have looked at these.
    pub(super) fn close(&mut self, openings: &Openings) {
        self.opened.drain(..openings.len);
        (self.together, self.next_to_look) = (0, 0);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let fog = self.fog.as_ref().map_or(0, |fog| {
            let bits = 8 * (fog.seen.capacity() + fog.is_due.capacity()) + 4 * fog.due.capacity();
            let marks = fog.marks.as_ref().map_or(0, |marks| marks.memory_bytes());
            let making = fog.making.as_ref().map_or(0, |making| making.memory_bytes());
            let marks = marks + making;
            fog.belief.map().memory_bytes() + fog.sight.memory_bytes() + bits + marks
        });
        fog + 4 * self.opened.capacity()
    }
}

impl Openings {
    /// Whether a way over one of the cells may be shorter than so much.
    pub(super) fn may_shorten(&self, grid: &Grid, from: NodeId, to: NodeId, rest: Cost) -> bool {
        // Most units have nothing to do with a door: a look at the rectangle around its cells tells that.
        let nearest = |n: NodeId| {
            let (x, y) = cell(grid, n);
            node(grid, (x.clamp(self.least.0, self.most.0), y.clamp(self.least.1, self.most.1)))
        };
        grid.h(from, nearest(from)) + grid.h(nearest(to), to) < rest
            && self.cells[..self.len].iter().any(|&n| grid.h(from, n) + grid.h(n, to) < rest)
    }
}

impl Fog {
    fn new(truth: &Grid, radius: u32) -> Result<Self, GridError> {
        let stride = (truth.width() as usize).div_ceil(64);
        let seen = vec![0; stride * truth.height() as usize];
        Ok(Self::restore(Belief::hidden(truth)?, radius, seen, VecDeque::new(), false))
    }

    /// A fog as it was saved; all cells that are due lie on the map.
    pub(super) fn restore(
        mut belief: Belief,
        radius: u32,
        seen: Vec<u64>,
        due: VecDeque<NodeId>,
        keeps: bool,
    ) -> Self {
        belief.map_mut().change_corners(Corners::widen);
        if !keeps {
            belief.map_mut().change_corners(|corners, _| corners.forget_connections());
        }
        let grid = belief.grid();
        let stride = (grid.width() as usize).div_ceil(64);
        let is_due = vec![0; stride * grid.height() as usize];
        let mut fog = Self {
            radius,
            sight: Sight::new(grid),
            seen,
            is_due,
            stride,
            due,
            upkeep: Upkeep::new(),
            belief,
            paid: 0,
            debt: 0,
            keeps,
            calm: 0,
            late: 0,
            marks: None,
            making: None,
            editions: 0,
            begun: 0,
            pause: 0,
        };
        for k in 0..fog.due.len() {
            let (word, bit) = fog.place(fog.due[k]);
            fog.is_due[word] |= bit;
        }
        fog
    }

    /// The words of [`has_seen`](Self::has_seen), row by row.
    pub(super) fn seen(&self) -> &[u64] {
        &self.seen
    }

    fn place(&self, n: NodeId) -> (usize, u64) {
        let (x, y) = self.belief.grid().xy(n);
        (y as usize * self.stride + x as usize / 64, 1 << (x % 64))
    }

    /// A unit looks around: notes what is other than believed, or seen for the first time.
    pub(super) fn look(&mut self, truth: &Grid, truth_sight: &Sight, from: NodeId) {
        let (x, y) = truth.xy(from);
        let radius = self.radius;
        let (left, right) = (x.saturating_sub(radius), x.saturating_add(radius).min(truth.width() - 1));
        let rows = y.saturating_sub(radius)..=y.saturating_add(radius).min(truth.height() - 1);
        for y in rows {
            for word in left / 64..=right / 64 {
                let first = if word == left / 64 { u64::MAX << (left % 64) } else { u64::MAX };
                let last = if word == right / 64 { u64::MAX >> (63 - right % 64) } else { u64::MAX };
                let k = y as usize * self.stride + word as usize;
                let differs = truth_sight.blocked_word(y, word) ^ self.sight.blocked_word(y, word);
                let is_new = if truth.is_uniform() { !self.seen[k] } else { u64::MAX };
                let mut news = (differs | is_new) & first & last & !self.is_due[k];
                // What looks as believed needs no more than to be known.
                if truth.is_uniform() {
                    self.seen[k] |= first & last;
                    news &= differs;
                }
                while news != 0 {
                    let x = 64 * word + news.trailing_zeros();
                    news &= news - 1;
                    let Some(n) = truth.node(x, y) else { continue };
                    let is_known = self.seen[k] >> (x % 64) & 1 == 1;
                    if is_known && truth.weight(n) == self.belief.grid().weight(n) {
                        continue;
                    }
                    self.is_due[k] |= 1 << (x % 64);
                    self.due.push_back(n);
                }
            }
        }
    }

    /// Takes over what was seen, as far as the budget goes; calls for every cell that is now blocked or free and was not.
    pub(super) fn learn(
        &mut self,
        truth: &Grid,
        many_wait: bool,
        meter: &mut Meter,
        changed: impl FnMut(NodeId, bool),
    ) {
        let learned = self.take_over(truth, meter, changed);
        let Calm { ticks, cells, rush, late } = if many_wait { AT_WORK } else { AT_LEISURE };
        let is_calm = learned <= cells && self.due.is_empty();
        self.calm = if is_calm { self.calm.saturating_add(1) } else { 0 };
        self.late = if self.due.is_empty() { 0 } else { self.late.saturating_add(1) };
        if self.keeps && (self.due.len() > rush || self.late > late) {
            self.keeps = false;
            self.belief.map_mut().change_corners(|corners, _| corners.forget_connections());
        } else if !self.keeps && self.calm >= ticks {
            self.keeps = true;
            self.belief.map_mut().change_corners(|corners, _| corners.keep_connections());
            self.upkeep.begin_again();
        }
    }

    /// Makes landmarks, as far as the budget goes, of the ground around a cell from which somebody waits for a search. They are made anew when
    /// much has been seen since.
    pub(super) fn make_landmarks(&mut self, around: NodeId, tools: &mut Tools<'_>) {
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let (grid, end) = (self.belief.grid(), self.belief.map().log().end());
        let corners = grid.corners().map_or(0, Corners::len) as u64;
        let is_wanted = self.marks.is_none() || end.saturating_sub(self.begun) >= OLD + corners;
        if self.making.is_none()
            && self.keeps
            && is_wanted
            && Landmarks::pay_off(corners as usize, MAX_LANDMARK_CORNERS)
        {
            (self.editions, self.begun) = (self.editions.wrapping_add(1), end);
            self.making = Some(Box::new(Builder::new(grid, self.editions, around)));
        }
        let Some(making) = &mut self.making else { return };
        if !making.advance(grid, end, tools) {
            (self.making, self.pause) = (None, PAUSE);
        } else if making.is_done() {
            self.marks = self.making.take().map(|making| Box::new(making.landmarks));
        }
    }

    /// The landmarks that are of most use.
    fn landmarks(&self) -> Option<&Landmarks> {
        let is_better = |making: &&Builder| self.marks.is_none() || making.searches >= ENOUGH;
        let newer = self.making.as_deref().filter(is_better).map(|making| &making.landmarks);
        newer.or(self.marks.as_deref())
    }

    /// Takes over what was seen; how many cells.
    fn take_over(&mut self, truth: &Grid, meter: &mut Meter, mut changed: impl FnMut(NodeId, bool)) -> u32 {
        let read = |belief: &Belief| belief.grid().corners().map_or(0, Corners::read_for_edits);
        let mut learned = 0;
        while let Some(&n) = self.due.front() {
            self.debt -= meter.charge_some(Kind::Scan, self.debt);
            if self.debt > 0 {
                break;
            }
            // What is paid now need not be paid in the next ticks: a small budget learns, too.
            self.paid += meter.charge_some(Kind::Change, CHANGES_PER_CELL - self.paid);
            if self.paid < CHANGES_PER_CELL {
                break;
            }
            self.paid = 0;
            learned += 1;
            self.due.pop_front();
            let (word, bit) = self.place(n);
            self.is_due[word] &= !bit;
            self.seen[word] |= bit;
            let (was, weight) = (self.belief.grid().is_free(n), truth.weight(n));
            let before = read(&self.belief);
            // The belief was made for the truth's weights.
            if self.belief.reveal(n, weight).is_ok() && was != (weight > 0) {
                if weight > 0 {
                    // What is nearer now, landmarks do not know of. What opens may do so again.
                    (self.marks, self.making, self.pause) = (None, None, PAUSE);
                }
                self.sight.edit(cell(truth, n), weight > 0);
                changed(n, weight > 0);
            }
            self.debt += read(&self.belief) - before;
        }
        learned
    }

    /// Whether a cell has been seen.
    pub(super) fn has_seen(&self, n: NodeId) -> bool {
        let (word, bit) = self.place(n);
        self.seen.get(word).is_some_and(|seen| seen & bit != 0)
    }
}
