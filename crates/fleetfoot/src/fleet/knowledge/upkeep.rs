//! The upkeep of a map's indices after edits, within the budget: which cells are joined, and which corners are connected. It comes before
//! searches: a search for an unreachable goal examines everything reachable, and a search that has to scan for connections takes several
//! times as long.

use crate::corners::Corners;
use crate::map::Map;
use crate::meter::{Meter, WorkKind};

/// Minimum number of cells examined for reachability in a tick.
const LEAST_CELLS: usize = 8;
/// Number of cells examined between two readings of the meter.
const SOME_CELLS: u64 = 256;
/// A cell was measured at 290 instructions, where an expansion takes 360.
const COMPARES_PER_CELL: u64 = 8;

/// The state of a map's indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upkeep {
    /// The length of the map's log when they were last up to date.
    pub(crate) end: u64,
    /// Words that were read for connections between corners, and that are not paid for yet.
    pub(crate) debt: u64,
}

impl Upkeep {
    /// Returns the state of a map whose indices may be out of date.
    pub(crate) fn new() -> Self {
        Self { end: u64::MAX, debt: 0 }
    }

    /// Begins to store connections that were not stored so far.
    pub(crate) fn begin_again(&mut self) {
        self.end = u64::MAX;
    }

    /// Pays for what was read. Returns `true` if all of it is paid for.
    fn settle(&mut self, meter: &mut Meter) -> bool {
        self.debt -= meter.charge_up_to(WorkKind::Scan, self.debt);
        self.debt == 0
    }

    /// Continues within the budget.
    pub(crate) fn go_on(&mut self, map: &mut Map, meter: &mut Meter) {
        let end = map.log().end();
        if self.end == end {
            return;
        }
        let is_exact = !map.has_index() || map.repair_reach(LEAST_CELLS);
        // Connections come first, since all searches need them; but reachability must have its turn as well.
        let are_stored = meter.with_fraction(7, 8, |meter| self.store(map, meter));
        let is_exact = is_exact || Self::find_reach(map, meter);
        if is_exact && (are_stored || self.store(map, meter)) {
            self.end = end;
        }
    }

    /// Stores connections between corners. Returns `true` if all are stored and paid for.
    fn store(&mut self, map: &mut Map, meter: &mut Meter) -> bool {
        while self.settle(meter) {
            if map.are_corners_stored() {
                return true;
            }
            self.debt += 1 + map.change_corners(Corners::repair_tile).unwrap_or(0);
        }
        false
    }

    /// Updates reachability. Returns `true` if it is up to date.
    fn find_reach(map: &mut Map, meter: &mut Meter) -> bool {
        loop {
            let cells =
                meter.charge_up_to(WorkKind::Compare, SOME_CELLS * COMPARES_PER_CELL) / COMPARES_PER_CELL;
            if cells == 0 {
                return false;
            }
            if map.repair_reach(cells as usize) {
                return true;
            }
        }
    }
}
