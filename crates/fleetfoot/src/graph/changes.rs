//! The change log: numbered edge changes. Readers hold cursors, so nothing is copied per agent.

#[cfg(feature = "serde")]
use alloc::collections::BTreeMap;
use alloc::collections::VecDeque;

#[cfg(feature = "serde")]
use super::Graph;
use super::Limits;
use crate::id::{Cost, NodeId};

/// A change of the cost of a directed edge. Infinite means that the edge does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EdgeChange {
    /// The tail of the edge.
    pub from: NodeId,
    /// The head of the edge.
    pub to: NodeId,
    /// The previous cost.
    pub old: Cost,
    /// The new cost.
    pub new: Cost,
}

impl EdgeChange {
    /// Returns `true` if the edge became cheaper or was added.
    pub fn is_decrease(&self) -> bool {
        self.new < self.old
    }
}

/// The changes that a reader has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// Number of unread entries; all are available.
    Entries(u64),
    /// Some entries are no longer available: the reader must restart its search.
    Truncated,
}

/// A log of edge changes, in order. The changes are already applied to the graph.
///
/// Entries are numbered from 0. The log keeps the newest `capacity` entries. A reader that has fallen behind gets
/// [`Pending::Truncated`] and must restart its search.
///
/// Planners hold cursors into the log, so save the log together with its planners (feature `serde`). A
/// [`Map`](crate::Map) validates its log when it is loaded. Validate a log that is loaded separately with
/// [`fits`](Self::fits).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "plain::Plain"))]
pub struct ChangeLog {
    entries: VecDeque<EdgeChange>,
    first: u64,
    capacity: usize,
    /// Number of the last cost decrease plus 1.
    after_last_fall: u64,
}

impl ChangeLog {
    /// Creates a log that keeps 65,536 changes.
    pub const fn new() -> Self {
        Self { entries: VecDeque::new(), first: 0, capacity: 1 << 16, after_last_fall: 0 }
    }

    /// Creates a log that keeps `capacity` changes, at least one. Memory grows with the number of changes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { entries: VecDeque::new(), first: 0, capacity: capacity.max(1), after_last_fall: 0 }
    }

    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<EdgeChange>()
    }

    /// Returns `true` if every change names nodes of a graph with these limits. Planners rely on it.
    pub fn fits(&self, limits: &Limits) -> bool {
        self.entries.iter().all(|change| limits.has(change.from) && limits.has(change.to))
    }

    /// Returns `true` if the changes lead to the current state of `graph`: the changes of each edge are
    /// consecutive, and the last one left it at its current cost.
    #[cfg(feature = "serde")]
    pub(crate) fn led_to<G: Graph>(&self, graph: &G) -> bool {
        let mut later = BTreeMap::new();
        self.fits(&graph.limits())
            && self.entries.iter().rev().all(|&EdgeChange { from, to, old, new }| {
                let expected = later.insert((from, to), old).unwrap_or_else(|| graph.cost(from, to));
                new == expected
            })
    }

    /// Appends a change, and drops the oldest one if the log is full.
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

    /// Returns `true` if a cost has decreased since `cursor`.
    pub fn has_decrease_since(&self, cursor: u64) -> bool {
        self.after_last_fall > cursor
    }

    /// Returns the number of the next change, which is the cursor of a reader that has seen all.
    #[inline]
    pub fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// Returns what a reader at `cursor` has not seen. A cursor beyond the end belongs to another log, and counts
    /// as truncated.
    pub fn pending(&self, cursor: u64) -> Pending {
        if cursor < self.first || cursor > self.end() {
            Pending::Truncated
        } else {
            Pending::Entries(self.end() - cursor)
        }
    }

    /// Returns the change with this number. `None` if it was dropped or does not exist yet.
    #[inline]
    pub fn get(&self, number: u64) -> Option<&EdgeChange> {
        self.entries.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Returns the available changes from `cursor` on.
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
    //! The serialized form of a log.

    use alloc::collections::VecDeque;

    use super::{ChangeLog, EdgeChange};

    /// Maximum number of changes in a saved log, so that counting on cannot overflow.
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
            // Changes are dropped only if the log is full.
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
