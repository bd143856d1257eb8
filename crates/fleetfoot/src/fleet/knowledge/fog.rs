//! The knowledge of a team in the fog: what its units have seen.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use crate::belief::Belief;
use crate::corners::{Builder, Corners, Landmarks, MAX_LANDMARK_CORNERS, cell};
use crate::fleet::knowledge::upkeep::Upkeep;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::tuning::FogTuning;
use crate::grid::{Grid, GridError};
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};
use crate::search::SearchTools;

/// The price of one cell's update, in changes: the index of corners around it is rebuilt.
pub(crate) const CHANGES_PER_CELL: u64 = 25;

/// The knowledge of a team in the fog.
#[derive(Clone, Debug)]
pub(crate) struct Fog {
    tuning: FogTuning,
    pub(crate) radius: u32,
    pub(crate) belief: Belief,
    pub(crate) sight: SightLines,
    /// A bit for each cell that has been seen, row by row.
    pub(crate) seen: Vec<u64>,
    stride: usize,
    /// Cells in sight that differ from the belief, which is not updated yet.
    pub(crate) due: VecDeque<NodeId>,
    /// A bit for each of these cells, so that none is listed twice.
    pub(crate) is_due: Vec<u64>,
    /// What has been paid for the first of them, in changes.
    pub(crate) paid: u64,
    /// Words that were read to find changed connections, and that are not paid for yet.
    pub(crate) debt: u64,
    /// Whether connections are stored.
    pub(crate) keeps: bool,
    /// Number of ticks in which hardly anything was new, and number of ticks with pending cells.
    pub(crate) calm: u32,
    pub(crate) late: u32,
    pub(crate) upkeep: Upkeep,
    /// Landmarks of an earlier belief, made when many units waited for searches, and newer ones in progress.
    pub(crate) marks: Option<Box<Landmarks>>,
    pub(crate) making: Option<Box<Builder>>,
    /// The number of landmark sets that were begun, and the length of the belief's log at the last of these.
    pub(crate) editions: u32,
    pub(crate) begun: u64,
    /// The number of ticks until landmarks may be made again.
    pub(crate) pause: u32,
}

impl Fog {
    pub(crate) fn new(truth: &Grid, radius: u32, tuning: FogTuning) -> Result<Self, GridError> {
        let stride = (truth.width() as usize).div_ceil(64);
        let seen = vec![0; stride * truth.height() as usize];
        Ok(Self::restore(Belief::hidden(truth)?, radius, seen, VecDeque::new(), false, tuning))
    }

    /// Returns a fog from a save. All pending cells lie on the map.
    pub(crate) fn restore(
        mut belief: Belief,
        radius: u32,
        seen: Vec<u64>,
        due: VecDeque<NodeId>,
        keeps: bool,
        tuning: FogTuning,
    ) -> Self {
        belief.map_mut().change_corners(Corners::widen);
        if !keeps {
            belief.map_mut().change_corners(|corners, _| corners.forget_connections());
        }
        let grid = belief.grid();
        let stride = (grid.width() as usize).div_ceil(64);
        let is_due = vec![0; stride * grid.height() as usize];
        let mut fog = Self {
            tuning,
            radius,
            sight: SightLines::new(grid),
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

    /// Returns the words of [`has_seen`](Self::has_seen), row by row.
    pub(crate) fn seen(&self) -> &[u64] {
        &self.seen
    }

    fn place(&self, n: NodeId) -> (usize, u64) {
        let (x, y) = self.belief.grid().xy(n);
        (y as usize * self.stride + x as usize / 64, 1 << (x % 64))
    }

    /// Lets a unit look around: lists cells that differ from the belief, and marks cells as seen.
    pub(crate) fn look(&mut self, truth: &Grid, truth_sight: &SightLines, from: NodeId) {
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
                // Cells that match the belief only need their `seen` bit.
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

    /// Updates the belief with what was seen, within the budget. Calls back for every cell that became blocked or free.
    pub(crate) fn learn(
        &mut self,
        truth: &Grid,
        many_wait: bool,
        meter: &mut Meter,
        changed: impl FnMut(NodeId, bool),
    ) {
        let learned = self.take_over(truth, meter, changed);
        let t = &self.tuning;
        let (ticks, cells, rush, late) = if many_wait {
            (t.busy_calm_ticks, t.busy_calm_cells, t.busy_rush as usize, t.busy_late)
        } else {
            (t.calm_ticks, t.calm_cells, t.rush as usize, t.late)
        };
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

    /// Makes landmarks, within the budget, of the ground around a cell where a unit waits for a search. They are rebuilt when much has been
    /// seen since.
    pub(crate) fn make_landmarks(&mut self, around: NodeId, tools: &mut SearchTools<'_>) {
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let (grid, end) = (self.belief.grid(), self.belief.map().log().end());
        let corners = grid.corners().map_or(0, Corners::len) as u64;
        let is_wanted = self.marks.is_none() || end.saturating_sub(self.begun) >= self.tuning.old + corners;
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
            (self.making, self.pause) = (None, self.tuning.pause);
        } else if making.is_done() {
            self.marks = self.making.take().map(|making| Box::new(making.landmarks));
        }
    }

    /// Returns the most useful landmarks.
    pub(crate) fn landmarks(&self) -> Option<&Landmarks> {
        let is_better = |making: &&Builder| self.marks.is_none() || making.searches >= self.tuning.enough;
        let newer = self.making.as_deref().filter(is_better).map(|making| &making.landmarks);
        newer.or(self.marks.as_deref())
    }

    /// Updates the belief with what was seen. Returns the number of cells.
    fn take_over(&mut self, truth: &Grid, meter: &mut Meter, mut changed: impl FnMut(NodeId, bool)) -> u32 {
        let read = |belief: &Belief| belief.grid().corners().map_or(0, Corners::read_for_edits);
        let mut learned = 0;
        while let Some(&n) = self.due.front() {
            self.debt -= meter.charge_up_to(WorkKind::Scan, self.debt);
            if self.debt > 0 {
                break;
            }
            // What is paid now need not be paid in the next ticks: even a small budget learns.
            self.paid += meter.charge_up_to(WorkKind::Change, CHANGES_PER_CELL - self.paid);
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
                    // Landmarks do not know of cells that are nearer now. A cell that opens may do so again.
                    (self.marks, self.making, self.pause) = (None, None, self.tuning.pause);
                }
                self.sight.edit(cell(truth, n), weight > 0);
                changed(n, weight > 0);
            }
            self.debt += read(&self.belief) - before;
        }
        learned
    }

    /// Returns `true` if a cell has been seen.
    pub(crate) fn has_seen(&self, n: NodeId) -> bool {
        let (word, bit) = self.place(n);
        self.seen.get(word).is_some_and(|seen| seen & bit != 0)
    }
}
