//! Reports of units that cannot reach their goals or are buried.

use crate::fleet::scheduler::{Scheduler, SearchContext};
use crate::fleet::types::{Event, UnitId, UnitStatus};
use crate::graph::Graph;
use crate::map::NearestCell;
use crate::meter::{Meter, WorkKind};

impl Scheduler {
    /// Reports goals that are out of reach, with the cell nearest to them that can be reached, as far as the budget goes.
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
                    let map = cx.knowledge.map_of(unit.team);
                    let is_on_map = unit.goal.index() < map.grid().bound();
                    let place = if is_on_map { map.xy(unit.goal) } else { (u32::MAX, u32::MAX) };
                    let before = *meter.work();
                    let nearest = match map.nearest(unit.at, place, meter) {
                        NearestCell::Cell(n) => Some(n),
                        NearestCell::Nowhere => None,
                        // With a whole share for one unit alone it is out of reach.
                        NearestCell::OutOfBudget if before[WorkKind::Compare] == 0 => None,
                        NearestCell::OutOfBudget => return,
                    };
                    report(Event::Unreachable { unit: id, nearest });
                }
            }
            self.queues.unreported.pop_front();
        }
    }
}
