//! The opcodes of entries, shared by writer and reader.

/// The kinds of entries, by number.
pub(crate) mod op {
    pub(crate) const SEARCH: u8 = 0;
    /// An expansion as predicted, whose neighbors were opened as predicted.
    pub(crate) const EXPAND: u8 = 1;
    /// An expansion as predicted, whose neighbors were opened with a different f.
    pub(crate) const EXPAND_F: u8 = 2;
    /// An expansion that was not predicted.
    pub(crate) const EXPAND_TOLD: u8 = 3;
    pub(crate) const OPEN: u8 = 4;
    pub(crate) const LEARN: u8 = 5;
    pub(crate) const TRACE: u8 = 6;
    /// A trace that continues with the parent.
    pub(crate) const TRACE_ON: u8 = 7;
    pub(crate) const FOLLOW: u8 = 8;
    pub(crate) const SKIPPED: u8 = 9;
    /// A cell that was removed from the open list.
    pub(crate) const LEAVE: u8 = 10;
    /// A cell that was opened as before with a different f.
    pub(crate) const RENEW: u8 = 12;
    /// The following entries belong to the planner's other search.
    pub(crate) const TURN: u8 = 11;
    /// The cell that the agent is heading for.
    pub(crate) const LEAD: u8 = 13;
}

/// The low bits of the first byte of a tick: 0 to 7 are the directions of moves.
pub(crate) const WAIT: u8 = 8;
pub(crate) const NO_PATH: u8 = 9;
pub(crate) const DECISION: u8 = 0x0f;
pub(crate) const HAS_EDITS: u8 = 0x10;
pub(crate) const HAS_SIGHTS: u8 = 0x20;
pub(crate) const HAS_ENTRIES: u8 = 0x40;
pub(crate) const HAS_SEARCH: u8 = 0x80;

/// The cells that steps are relative to, one for each kind of entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursors {
    /// The cell of the current search and that of the planner's other one.
    pub(crate) search: u32,
    pub(crate) other: u32,
    pub(crate) learn: u32,
    pub(crate) trace: u32,
    pub(crate) world: u32,
    pub(crate) lead: u32,
}

impl Cursors {
    pub(crate) fn at(cell: u32) -> Self {
        Self { search: cell, other: cell, learn: cell, trace: cell, world: cell, lead: cell }
    }

    /// Swaps the cells of the planner's two searches.
    pub(crate) fn swap_searches(&mut self) {
        std::mem::swap(&mut self.search, &mut self.other);
    }
}
