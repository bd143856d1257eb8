//! The contents of a record: events and frames.

/// An event of a tick. Cells are numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedEvent {
    /// A search began at this cell.
    Search {
        /// Its root.
        root: u32,
    },
    /// A search began that is not in the record.
    Skipped,
    /// A cell was expanded.
    Expand(Visit),
    /// A cell was opened, or improved on the open list.
    Open(Visit),
    /// A cell was removed from the open list without being expanded.
    Leave {
        /// The cell.
        cell: u32,
    },
    /// A cell's learned value changed.
    Learn {
        /// The cell.
        cell: u32,
        /// Its new value, in cost units.
        new: u32,
    },
    /// A path is traced from its far end and has reached this cell.
    Trace {
        /// The cell.
        cell: u32,
    },
    /// The agent adopts the traced path.
    Follow,
    /// The agent is now heading for this cell: a subgoal, or its goal if it has no subgoal.
    Lead {
        /// The cell.
        cell: u32,
        /// The database record that the subgoal comes from, if any.
        record: Option<u32>,
    },
    /// The following events belong to the planner's other search. The first one is the global search.
    Turn {
        /// The other search is the local one.
        is_near: bool,
    },
}

/// A cell in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The cell.
    pub cell: u32,
    /// Its parent in the search tree. `None` for a root.
    pub parent: Option<u32>,
    /// Its cost from the root.
    pub g: u32,
    /// Its priority.
    pub f: u32,
}

/// The answer of the planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The agent moved to this cell.
    Go(u32),
    /// The agent stayed.
    Wait,
    /// The planner proved that no path exists, according to the agent's belief.
    NoPath,
}

/// One tick of a track. The moment after tick N is called tick N everywhere; 0 is the moment before the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its number, counted from 1.
    pub tick: u64,
    /// The cell of the agent at the beginning of the tick.
    pub at: u32,
    /// The answer of the planner.
    pub answer: Answer,
    /// Work by kind.
    pub work: Vec<u64>,
    /// Cells that changed before the agent looked around, and their new weights.
    pub edits: Vec<(u32, u8)>,
    /// Cells that the agent has seen, and their believed weights.
    pub sights: Vec<(u32, u8)>,
    /// The events of the planner, in order.
    pub events: Vec<RecordedEvent>,
}
