//! Reports of units that cannot reach their goals or are buried.

use crate::fleet::knowledge::nearest::nearest_by_search;
use crate::fleet::scheduler::{Scheduler, SearchContext};
use crate::fleet::types::{Event, UnitId, UnitStatus};
use crate::graph::Graph;
use crate::id::NodeId;
use crate::map::{Map, NearestCell};
use crate::meter::Meter;

/// The price of a cell of a search for the nearest one, in quarters of the reading of a word.
const QUARTERS_PER_CELL: u32 = 4;

impl Scheduler {
    /// Reports goals that are out of reach, with the cell nearest to them that can be reached, as far as the budget goes. A goal that has
    /// become reachable is not reported: its unit requests a route.
    pub(crate) fn report(
        &mut self,
        cx: &SearchContext<'_>,
        meter: &mut Meter,
        mut report: impl FnMut(Event),
    ) {
        let mut is_first = true;
        while let Some(&order) = self.queues.unreported.front() {
            let (unit, details) = (cx.roster.unit(order), &cx.roster.details[order.0 as usize]);
            let id = UnitId { number: order.0, generation: unit.generation };
            let is_valid = cx.roster.is_valid(order);
            // A unit that gathers elsewhere may have its route already, or may have arrived.
            let is_cut_off = unit.is_cut_off && details.place_order == order.1;
            if is_valid && unit.status == UnitStatus::Buried {
                report(Event::Buried { unit: id });
            } else if is_cut_off || is_valid && unit.status == UnitStatus::Unreachable {
                let goal = if is_cut_off { details.place } else { unit.goal };
                let map = cx.knowledge.map_of(unit.team);
                let nearest = match self.nearest(map, unit.at, goal, is_first, meter) {
                    NearestCell::Cell(n) => Some(n),
                    NearestCell::Nowhere => None,
                    NearestCell::OutOfBudget => return,
                };
                is_first = false;
                if nearest != Some(goal) {
                    report(Event::Unreachable { unit: id, nearest });
                }
            }
            self.queues.unreported.pop_front();
        }
    }

    /// Returns the cell nearest to a goal that can be reached from a cell, if it can be paid for. Where the index does not say what can be
    /// reached, or the whole share of a tick (`is_first`) is not enough to look at all cells around the goal, a search from the cell finds
    /// it, which is paid for in the next ticks.
    fn nearest(
        &mut self,
        map: &Map,
        at: NodeId,
        goal: NodeId,
        is_first: bool,
        meter: &mut Meter,
    ) -> NearestCell {
        let is_on_map = goal.index() < map.grid().bound();
        let place = if is_on_map { map.xy(goal) } else { (u32::MAX, u32::MAX) };
        if map.indices_are_current() || !map.is_free(at) {
            let nearest = map.nearest(at, place, meter);
            if nearest != NearestCell::OutOfBudget || !is_first {
                return nearest;
            }
        }
        let debt = &mut self.quick.seeker.debt;
        if *debt >= QUARTERS_PER_CELL {
            return NearestCell::OutOfBudget;
        }
        let (nearest, cells) = nearest_by_search(map, at, place);
        *debt += QUARTERS_PER_CELL * cells;
        NearestCell::Cell(nearest)
    }
}
