//! Paths stored as successors, with marks of the walk that visited a node last.

use super::{Pages, PlannerPart, Pools, pages};
use crate::graph::Limits;
use crate::id::NodeId;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// The entry of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The next node of its path, or `NONE`.
    next: NodeId,
    /// The round that marked it last; 0 if none did.
    round: u32,
}

impl Stop {
    pub(super) const BLANK: Self = Self { next: NodeId::NONE, round: 0 };
}

/// Stored paths. Marks belong to a round of a session. Starting a round or a session is O(1).
#[derive(Clone, Debug)]
pub(crate) struct StoredPaths {
    stops: Pages<Stop>,
    /// The first round of this session.
    first: u32,
    /// The current round.
    latest: u32,
}

impl StoredPaths {
    /// Creates an empty table for `bound` nodes.
    pub(crate) fn new(bound: usize) -> Self {
        Self { stops: Pages::new(bound, Stop::BLANK), first: 1, latest: 1 }
    }

    /// Returns the bound of the node numbers.
    pub(crate) fn nodes(&self) -> usize {
        self.stops.bound()
    }

    /// Removes all paths and marks, in O(1).
    pub(crate) fn clear(&mut self) {
        self.stops.clear();
        (self.first, self.latest) = (1, 1);
    }

    /// Returns the next node of the path through `n`, or `NONE`.
    #[inline]
    pub(crate) fn next(&self, n: NodeId) -> NodeId {
        self.stops.get(n.index()).next
    }

    /// Sets the next node of the path through `n`; `NONE` ends the path there.
    pub(crate) fn set_next(&mut self, n: NodeId, next: NodeId, pools: &mut Pools) {
        self.stops.at(n.index(), &mut pools.stops).next = next;
    }

    /// Removes the path and the mark of `n`.
    pub(crate) fn remove(&mut self, n: NodeId) {
        if let Some(stop) = self.stops.get_live_mut(n.index()) {
            *stop = Stop::BLANK;
        }
    }

    /// Starts a new session: no state counts as marked.
    pub(crate) fn start_session(&mut self) {
        if self.latest == u32::MAX {
            // After 2^32 rounds all paths are lost.
            self.clear();
        } else {
            self.latest += 1;
            self.first = self.latest;
        }
    }

    /// Starts a new round of the same session.
    pub(crate) fn start_round(&mut self) {
        if self.latest == u32::MAX {
            self.clear();
        } else {
            self.latest += 1;
        }
    }

    /// Marks a state in this round.
    pub(crate) fn mark(&mut self, n: NodeId, pools: &mut Pools) {
        self.stops.at(n.index(), &mut pools.stops).round = self.latest;
    }

    /// Returns `true` if a path continues from the node and the node was not marked in this session.
    #[inline]
    pub(crate) fn is_fresh(&self, n: NodeId) -> bool {
        let Stop { next, round } = self.stops.get(n.index());
        next.is_some() && round < self.first
    }

    /// Returns `true` if the state was marked in this round.
    pub(crate) fn is_latest(&self, n: NodeId) -> bool {
        self.stops.get(n.index()).round == self.latest
    }
}

impl PlannerPart for StoredPaths {
    fn write(&self, out: &mut dyn SaveWriter) {
        let round = |stop: Stop| if stop.round >= self.first { stop.round } else { 0 };
        let held = || self.stops.live().filter(|(_, stop)| stop.next.is_some() || round(*stop) > 0);
        out.u32(self.first);
        out.u32(self.latest);
        out.u32(held().count() as u32);
        for (n, stop) in held() {
            out.u32(n as u32);
            out.node(stop.next);
            out.u32(round(stop));
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let (limits, pools) = (&limits.within(self.nodes()), &mut Pools::new());
        self.clear();
        (self.first, self.latest) = (from.u32()?, from.u32()?);
        if self.first == 0 || self.first > self.latest {
            return Err(SaveError::new("its marks are of rounds that never were"));
        }
        for _ in 0..from.len(12)? {
            let (n, next, round) = (from.node(limits)?, from.node_or_none(limits)?, from.u32()?);
            if round > 0 && !(self.first..=self.latest).contains(&round) {
                return Err(SaveError::new("a mark is of a round that never was"));
            }
            *self.stops.at(n.index(), &mut pools.stops) = Stop { next, round };
        }
        Ok(())
    }

    pages! { paged: stops; others: first, latest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_count_in_their_session_and_round() {
        let (mut pools, mut paths) = (Pools::new(), StoredPaths::new(300));
        let (a, b) = (NodeId::new(3), NodeId::new(299));
        paths.set_next(a, b, &mut pools);
        assert!(paths.is_fresh(a) && !paths.is_fresh(b) && !paths.is_latest(a));
        paths.start_session();
        paths.mark(a, &mut pools);
        paths.start_round();
        paths.mark(b, &mut pools);
        assert!(!paths.is_fresh(a) && !paths.is_latest(a) && paths.is_latest(b));
        paths.start_session();
        assert!(paths.is_fresh(a) && !paths.is_latest(b));
        paths.remove(a);
        assert!(!paths.is_fresh(a) && !paths.next(a).is_some());
    }

    #[test]
    fn rounds_may_wrap() {
        let (mut pools, mut paths) = (Pools::new(), StoredPaths::new(300));
        let n = NodeId::new(7);
        paths.latest = u32::MAX;
        paths.mark(n, &mut pools);
        paths.start_round();
        assert!(!paths.is_latest(n));
        paths.latest = u32::MAX;
        paths.start_session();
        paths.mark(n, &mut pools);
        assert!(paths.is_latest(n));
    }
}
