//! A planner's place in the change log: a bounded number of changes per step, nothing copied.

use crate::graph::{ChangeLog, EdgeChange, Pending};
use crate::meter::{Meter, WorkKind};
use crate::part;
use crate::parts::CHANGES_PER_STEP;

/// What came of reading on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Everything has been seen.
    Done,
    /// Some changes are left for the next step: what the planner knows lags behind the graph.
    Behind,
    /// Some changes were forgotten before they could be seen: the planner must start afresh. All others count as
    /// seen.
    Lost,
}

/// Reads a log from where it stopped.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reader {
    pub(super) cursor: u64,
}

part! { Reader { saved: cursor; fixed: } }

impl Reader {
    /// Shows every change that is new to `digest`, as far as one step and the meter allow, and whether one of those
    /// after it is a fall. If `digest` answers that the rest does not matter, the rest counts as seen.
    pub(super) fn read(
        &mut self,
        log: &ChangeLog,
        meter: &mut Meter,
        mut digest: impl FnMut(&EdgeChange, bool) -> bool,
    ) -> Reading {
        if log.pending(self.cursor) == Pending::Truncated {
            self.cursor = log.end();
            return Reading::Lost;
        }
        let most = if meter.is_limited() { CHANGES_PER_STEP } else { u64::MAX };
        for _ in 0..most {
            let Some(change) = log.get(self.cursor) else { return Reading::Done };
            if !meter.charge(WorkKind::Change) {
                return Reading::Behind;
            }
            self.cursor += 1;
            if digest(change, log.has_decrease_since(self.cursor)) {
                self.cursor = log.end();
            }
        }
        if self.cursor == log.end() { Reading::Done } else { Reading::Behind }
    }
}
