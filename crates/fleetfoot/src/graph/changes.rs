//! The change log: numbered edge changes, read by cursor, so that nothing is copied per agent.

#[cfg(feature = "serde")]
use alloc::collections::BTreeMap;
use alloc::collections::VecDeque;

#[cfg(feature = "serde")]
use super::Graph;
use super::Limits;
use crate::id::{Cost, NodeId};

/// One directed edge whose cost has changed; infinite means that the edge is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EdgeChange {
    /// The edge's tail.
    pub from: NodeId,
    /// The edge's head.
    pub to: NodeId,
    /// Its cost before.
    pub old: Cost,
    /// Its cost now.
    pub new: Cost,
}

impl EdgeChange {
    /// Whether the edge became cheaper, or appeared.
    pub fn is_decrease(&self) -> bool {
        self.new < self.old
    }
}

/// What a cursor has not seen yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// So many entries, all still in the log.
    Entries(u64),
    /// Some entries have been forgotten: whoever holds this cursor must start afresh.
    Truncated,
}

/// Edge changes in the order in which they happened, already applied to the graph beside which the log lives.
///
/// Entries are numbered from 0. The log keeps the newest `capacity` of them; a reader whose cursor has
/// fallen behind the tail is told so ([`Pending::Truncated`]) and starts its search afresh.
///
/// Planners hold cursors into it, so a saved planner needs its log saved beside it (feature `serde`). A [`Map`](crate::Map)
/// checks its log when it is loaded; a log that is loaded by itself is to be checked against its graph
/// ([`fits`](Self::fits)).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "plain::Plain"))]
pub struct ChangeLog {
    entries: VecDeque<EdgeChange>,
    first: u64,
    capacity: usize,
    /// The number after that of the last change that was a fall.
    after_last_fall: u64,
}

impl ChangeLog {
    /// A log that remembers 65,536 changes.
    pub const fn new() -> Self {
        Self { entries: VecDeque::new(), first: 0, capacity: 1 << 16, after_last_fall: 0 }
    }

    /// A log that remembers `capacity` changes (at least one). Memory is taken as changes come.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { entries: VecDeque::new(), first: 0, capacity: capacity.max(1), after_last_fall: 0 }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<EdgeChange>()
    }

    /// Returns `true` if every change names nodes of a graph with these limits. Planners rely on it.
    pub fn fits(&self, limits: &Limits) -> bool {
        self.entries.iter().all(|change| limits.has(change.from) && limits.has(change.to))
    }

    /// Returns `true` if these changes led to the graph as it is: the changes of an edge follow one another, and the last
    /// one left it at its present cost.
    #[cfg(feature = "serde")]
    pub(crate) fn led_to<G: Graph>(&self, graph: &G) -> bool {
        let mut later = BTreeMap::new();
        self.fits(&graph.limits())
            && self.entries.iter().rev().all(|&EdgeChange { from, to, old, new }| {
                let expected = later.insert((from, to), old).unwrap_or_else(|| graph.cost(from, to));
                new == expected
            })
    }

    /// Adds a change; the oldest is forgotten when the log is full.
    pub fn push(&mut self, change: EdgeChange) {
        if self.entries.len() == self.capacity {
            self.entries.pop_front();
            self.first += 1;
        }
        self.entries.push_back(change);
        if change.is_decrease() {
            self.after_last_fall = self.end();
        }
    }

    /// Whether any change from `cursor` on is a fall.
    pub fn has_decrease_since(&self, cursor: u64) -> bool {
        self.after_last_fall > cursor
    }

    /// The number that the next change will have; a reader that has seen everything holds this cursor.
    #[inline]
    pub fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// What lies between `cursor` and the end. A cursor beyond the end belongs to another log: lost.
    pub fn pending(&self, cursor: u64) -> Pending {
        if cursor < self.first || cursor > self.end() {
            Pending::Truncated
        } else {
            Pending::Entries(self.end() - cursor)
        }
    }

    /// The change with this number, unless it is forgotten or still to come.
    #[inline]
    pub fn get(&self, number: u64) -> Option<&EdgeChange> {
        self.entries.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// The changes from `cursor` on that are still remembered.
    pub fn since(&self, cursor: u64) -> impl Iterator<Item = &EdgeChange> {
        let skip = usize::try_from(cursor.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.entries.iter().skip(skip)
    }
}

impl Default for ChangeLog {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "serde")]
mod plain {
    //! A log as it is read.

    use alloc::collections::VecDeque;

    use super::{ChangeLog, EdgeChange};

    /// More changes than this can never have happened, and counting on from there overflows nothing.
    const MOST: u64 = 1 << 60;

    #[derive(serde::Deserialize)]
    pub(super) struct Plain {
        entries: VecDeque<EdgeChange>,
        first: u64,
        capacity: usize,
        after_last_fall: u64,
    }

    impl TryFrom<Plain> for ChangeLog {
        type Error = &'static str;

        fn try_from(plain: Plain) -> Result<Self, Self::Error> {
            let Plain { entries, first, capacity, after_last_fall } = plain;
            if first > MOST {
                return Err("this saved log of changes is damaged: it counts more changes than there can be");
            }
            // The oldest change goes only when there is no room left.
            if capacity == 0 || entries.len() > capacity || first > 0 && entries.len() < capacity {
                return Err("this saved log of changes is damaged: it remembers too many or too few of them");
            }
            let last_fall = (first..).zip(&entries).filter(|(_, change)| change.is_decrease()).last();
            if last_fall.map_or(after_last_fall > first, |(number, _)| after_last_fall != number + 1) {
                return Err("this saved log of changes is damaged: the last fall is not where it says");
            }
            Ok(Self { entries, first, capacity, after_last_fall })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(k: u32) -> EdgeChange {
        EdgeChange { from: NodeId::new(k), to: NodeId::new(k + 1), old: Cost::new(1), new: Cost::INF }
    }

    #[test]
    fn falls_are_remembered() {
        let mut log = ChangeLog::with_capacity(2);
        log.push(change(0));
        assert!(!log.has_decrease_since(0));
        log.push(EdgeChange { new: Cost::ZERO, ..change(1) });
        log.push(change(2));
        assert!(log.has_decrease_since(0) && log.has_decrease_since(1) && !log.has_decrease_since(2));
    }

    #[test]
    fn a_full_log_forgets_the_oldest_and_says_so() {
        let mut log = ChangeLog::with_capacity(3);
        for k in 0..5 {
            log.push(change(k));
        }
        assert_eq!(log.end(), 5);
        assert_eq!(log.pending(5), Pending::Entries(0));
        assert_eq!(log.pending(2), Pending::Entries(3));
        assert_eq!(log.pending(1), Pending::Truncated);
        assert_eq!(log.pending(6), Pending::Truncated);
        assert_eq!(log.get(2), Some(&change(2)));
        assert_eq!(log.get(1), None);
        assert_eq!(log.get(5), None);
        assert_eq!(log.since(3).copied().collect::<alloc::vec::Vec<_>>(), [change(3), change(4)]);
    }
}
