//! Bringing the indices of a map up to date after changes, within the budget: what can be reached from where, and which corners
//! are connected. It comes before searches: one for a goal that cannot be reached looks at everything that can be, and one that
//! has to scan for connections takes several times as long.

use crate::corners::Corners;
use crate::map::Map;
use crate::meter::{Meter, WorkKind};

/// Cells looked at for what can be reached, in a tick at least.
const LEAST_CELLS: usize = 8;
/// The same between two looks at the meter.
const SOME_CELLS: u64 = 256;
/// A cell was measured at 290 instructions, where an expansion takes 360.
const COMPARES_PER_CELL: u64 = 8;

/// How far the indices of a map are up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upkeep {
    /// The length of the map's log when they were.
    pub(crate) end: u64,
    /// Words read for connections between corners that are still to be paid for.
    pub(crate) debt: u64,
}

impl Upkeep {
    /// Of a map whose indices may be out of date.
    pub(crate) fn new() -> Self {
        Self { end: u64::MAX, debt: 0 }
    }

    /// Connections are to be stored that were not kept so far.
    pub(crate) fn begin_again(&mut self) {
        self.end = u64::MAX;
    }

    /// Pays for what was read; whether all of it is paid for.
    fn settle(&mut self, meter: &mut Meter) -> bool {
        self.debt -= meter.charge_up_to(WorkKind::Scan, self.debt);
        self.debt == 0
    }

    /// Goes on as far as the budget goes.
    pub(crate) fn go_on(&mut self, map: &mut Map, meter: &mut Meter) {
        let end = map.log().end();
        if self.end == end {
            return;
        }
        let is_exact = !map.has_index() || map.repair_reach(LEAST_CELLS);
        // Connections first, since all searches need them; but what can be reached is to be found out at some time, too.
        let are_stored = meter.with_fraction(7, 8, |meter| self.store(map, meter));
        let is_exact = is_exact || Self::find_reach(map, meter);
        if is_exact && (are_stored || self.store(map, meter)) {
            self.end = end;
        }
    }

    /// Stores connections between corners; whether all are stored, and paid for.
    fn store(&mut self, map: &mut Map, meter: &mut Meter) -> bool {
        while self.settle(meter) {
            if map.are_corners_stored() {
                return true;
            }
            self.debt += 1 + map.change_corners(Corners::repair_tile).unwrap_or(0);
        }
        false
    }

    /// Finds out what can be reached from where; whether that is known now.
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
