//! What is in a record, in words.

/// Something that happened in a tick; cells are numbered by rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedEvent {
    /// A search began at this cell.
    Search {
        /// Its root.
        root: u32,
    },
    /// A search began that was left out of the record.
    Skipped,
    /// A cell was expanded.
    Expand(Visit),
    /// A cell was opened, or improved on the open list.
    Open(Visit),
    /// A cell was taken off the open list without being expanded.
    Leave {
        /// The cell.
        cell: u32,
    },
    /// A cell's learned value changed.
    Learn {
        /// The cell.
        cell: u32,
        /// Its value now, in cost units.
        new: u32,
    },
    /// A path is being traced, coming from its far end, and has reached this cell.
    Trace {
        /// The cell.
        cell: u32,
    },
    /// The traced path is the one followed from now on.
    Follow,
    /// From now on the agent makes for this cell: a sub-goal, or, where it has no other, its goal.
    Lead {
        /// The cell.
        cell: u32,
        /// The record of a database that it comes from, if it comes from one.
        record: Option<u32>,
    },
    /// What follows is of the planner's other search; the first one is the far-sighted one.
    Turn {
        /// Whether that is the near-sighted one.
        is_near: bool,
    },
}

/// A cell in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The cell.
    pub cell: u32,
    /// Its parent in the search tree; nothing for a root.
    pub parent: Option<u32>,
    /// Its cost from the root.
    pub g: u32,
    /// Its priority.
    pub f: u32,
}

/// What the planner answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It moved to this cell.
    Go(u32),
    /// It stayed.
    Wait,
    /// It had a proof that there is no way, as far as it knew.
    NoPath,
}

/// One tick of a life. The moment after the tick with number N is tick N everywhere; 0 is the moment before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its number, counted from 1.
    pub tick: u64,
    /// Where the agent was.
    pub at: u32,
    /// What it did.
    pub answer: Answer,
    /// Work by kind.
    pub work: Vec<u64>,
    /// Cells that changed before the agent looked, and what they weigh now.
    pub edits: Vec<(u32, u8)>,
    /// Cells that the agent has seen, and what it now takes them to weigh.
    pub sights: Vec<(u32, u8)>,
    /// What the planner did, in order.
    pub events: Vec<RecordedEvent>,
}
