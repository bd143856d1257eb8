//! Reports of units that cannot reach their goals or are buried.

use crate::fleet::knowledge::nearest::nearest_by_search;
use crate::fleet::scheduler::{Scheduler, SearchContext};
use crate::fleet::state::unit::Unit;
use crate::fleet::types::{Event, UnitId, UnitStatus};
use crate::graph::Graph;
use crate::map::{Map, NearestCell};
use crate::meter::{Meter, WorkKind};

/// The price of a cell of a search for the nearest one, in quarters of the reading of a word.
const QUARTERS_PER_CELL: u32 = 4;

impl Scheduler {
    /// Reports goals that are out of reach, with the cell nearest to them that can be reached, as far as the budget goes. A goal that can be
    /// reached by now is not reported: its unit sets out again.
    pub(crate) fn report(
        &mut self,
        cx: &SearchContext<'_>,
        meter: &mut Meter,
        mut report: impl FnMut(Event),
    ) {
        while let Some(&order) = self.queues.unreported.front() {
            if cx.roster.is_valid(order) {
                let unit = cx.roster.unit(order);
                let id = UnitId { number: order.0, generation: unit.generation };
                if unit.status == UnitStatus::Buried {
                    report(Event::Buried { unit: id });
                } else if unit.status == UnitStatus::Unreachable {
                    let before = *meter.work();
                    let nearest = match self.nearest(cx.knowledge.map_of(unit.team), unit, meter) {
                        NearestCell::Cell(n) => Some(n),
                        NearestCell::Nowhere => None,
                        // With a whole share for one unit alone it is out of reach.
                        NearestCell::OutOfBudget if before[WorkKind::Compare] == 0 => None,
                        NearestCell::OutOfBudget => return,
                    };
                    if nearest != Some(unit.goal) {
                        report(Event::Unreachable { unit: id, nearest });
                    }
                }
            }
            self.queues.unreported.pop_front();
        }
    }

    /// Returns the cell nearest to a unit's goal that it can reach. Where the index does not say what can be reached, a search finds it,
    /// which is paid for in the next ticks.
    fn nearest(&mut self, map: &Map, unit: &Unit, meter: &mut Meter) -> NearestCell {
        let is_on_map = unit.goal.index() < map.grid().bound();
        let place = if is_on_map { map.xy(unit.goal) } else { (u32::MAX, u32::MAX) };
        if map.indices_are_current() || !map.is_free(unit.at) {
            return map.nearest(unit.at, place, meter);
        }
        let debt = &mut self.quick.seeker.debt;
        if *debt >= QUARTERS_PER_CELL || !meter.charge(WorkKind::Compare) {
            return NearestCell::OutOfBudget;
        }
        let (nearest, cells) = nearest_by_search(map, unit.at, place);
        *debt += QUARTERS_PER_CELL * cells;
        NearestCell::Cell(nearest)
    }
}
