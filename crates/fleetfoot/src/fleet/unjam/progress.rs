//! The progress of units, by which jams are found.

use crate::fleet::cell_set::{CellSet, NONE};
use crate::fleet::resolver::pibt::Pibt;
use crate::fleet::unjam::lanes::Lanes;

/// The progress of a unit towards its goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Ticks since it was last at its goal: its priority.
    pub(crate) waiting: u32,
    /// The lowest cost that it has reached under its order.
    pub(crate) best: u32,
    /// When it reached that: the last 32 bits of the tick, so that units take less of the cache.
    pub(crate) gained: u32,
    /// When it last reached a lower cost or left its goal: it has made no progress since.
    pub(crate) since: u32,
    /// How often it had to leave its goal again under its order.
    pub(crate) ousted: u32,
    /// Whether it may not move this tick.
    pub(crate) rests: bool,
}

impl Progress {
    pub(crate) const NEW: Self =
        Self { waiting: 0, best: NONE, gained: 0, since: 0, ousted: 0, rests: false };
}

/// What the search for jams reads of the resolver.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) tick: u64,
    pub(crate) pibt: &'a Pibt,
    pub(crate) units: &'a [Progress],
    /// Units that are not at their goal, longest waiting first.
    pub(crate) order: &'a [u32],
    /// Units that have made no progress for so long that they may lead a group.
    pub(crate) stuck: &'a CellSet,
    pub(crate) lanes: Option<&'a Lanes>,
}

impl Scene<'_> {
    /// Returns the number of ticks since `then`.
    pub(crate) fn age(&self, then: u32) -> u32 {
        (self.tick as u32).wrapping_sub(then)
    }
}
