//! The results of joint moves, as state reads them.

use crate::corners::Cell;
use crate::id::NodeId;

/// The results of a joint move.
pub(crate) trait MoveResults {
    /// Returns the cell of a unit after the move, or `None` if it has not moved.
    fn cell(&self, unit: u32) -> Option<NodeId>;

    /// Returns the number of ticks for which a unit has made no progress.
    fn stalled(&self, unit: u32) -> u64;

    /// Returns `true` if there was no time to plan for the unit.
    fn was_skipped(&self, unit: u32) -> bool;

    /// Returns the unit that occupies the cell that a unit wanted most, if one does.
    fn blocker(&self, unit: u32) -> Option<u32>;

    /// Returns the unit on a cell.
    fn unit_on(&self, cell: NodeId) -> Option<u32>;

    /// Returns `true` if the point that a unit walks to is known to be in sight from its new cell.
    fn has_seen(&self, unit: u32, from: Cell, to: Cell) -> bool;
}

/// Counts of one tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) moved: u32,
    pub(crate) underway: u32,
    pub(crate) seeking: u32,
}
