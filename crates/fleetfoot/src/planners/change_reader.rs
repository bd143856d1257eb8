//! A cursor into the change log, with a bounded number of changes per step.

use crate::graph::{ChangeLog, EdgeChange, Pending};
use crate::meter::{Meter, WorkKind};
use crate::planner_part;
use crate::search::CHANGES_PER_STEP;

/// The result of reading the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadStatus {
    /// All changes were read.
    Done,
    /// Some changes are left for the next step: the planner's data are older than the graph.
    Behind,
    /// Some changes are no longer in the log: the planner must restart. All others count as read.
    Lost,
}

/// Reads a log, starting where it stopped.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChangeReader {
    pub(super) cursor: u64,
}

planner_part! { ChangeReader { saved: cursor; fixed: } }

impl ChangeReader {
    /// Calls `digest` for each new change, with whether a later one is a decrease, within the limit per step and
    /// the budget. If `digest` returns that the rest does not matter, the rest counts as read.
    pub(super) fn read(
        &mut self,
        log: &ChangeLog,
        meter: &mut Meter,
        mut digest: impl FnMut(&EdgeChange, bool) -> bool,
    ) -> ReadStatus {
        if log.pending(self.cursor) == Pending::Truncated {
            self.cursor = log.end();
            return ReadStatus::Lost;
        }
        let most = if meter.is_limited() { CHANGES_PER_STEP } else { u64::MAX };
        for _ in 0..most {
            let Some(change) = log.get(self.cursor) else { return ReadStatus::Done };
            if !meter.charge(WorkKind::Change) {
                return ReadStatus::Behind;
            }
            self.cursor += 1;
            if digest(change, log.has_decrease_since(self.cursor)) {
                self.cursor = log.end();
            }
        }
        if self.cursor == log.end() { ReadStatus::Done } else { ReadStatus::Behind }
    }
}
