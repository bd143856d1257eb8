//! What is judged at the end: units that are able to come to rest have done so.

use fleetfoot::fleet::UnitStatus;

use super::{Known, Run};
use crate::case::{Case, Kind};
use crate::fault::Fault;
use crate::judges::ground::{Cell, NOWHERE};
use crate::judges::oracle;

/// Ticks of a unit that is as slow as units get here, for each move.
const SLOWEST: u64 = 6;

impl Case {
    /// Returns the number of ticks after the last deed in which all units are served: those of the index of reachability, and of a
    /// search of the whole map for each unit.
    pub(crate) fn served_ticks(&self, cells: u64) -> u64 {
        let Kind::Fleet(fleet) = &self.kind else { return 0 };
        let budget = if self.budget == 0 { 1 << 20 } else { self.budget };
        let acts = u64::from(self.acts.end - self.acts.start);
        let units = u64::from(fleet.units.end - fleet.units.start) + acts;
        let teams = u64::from(fleet.teams) + 1;
        // A search of the whole map reads and traces every cell, and edits may make it begin again.
        let search = 6 * cells + 100;
        let searches = 2 * (units + 4) * search;
        let upkeep = 8 * teams * cells;
        64 + (searches + 4 * upkeep).div_ceil(budget)
    }

    /// Returns the number of ticks after which units must have come to rest on a map with this number of cells, for maps without long detours.
    pub(crate) fn quiet_ticks(&self, cells: u64) -> u64 {
        let Kind::Fleet(fleet) = &self.kind else { return 0 };
        let slowest = if fleet.speeds { SLOWEST } else { 1 };
        self.served_ticks(cells) + 6 * slowest * u64::from(self.world.size.0 + self.world.size.1)
    }
}

impl Run<'_> {
    /// Judges the last state: after some quiet ticks no unit waits for its first route, none is wrong about its goal being out of reach, and
    /// all units that no other one can hinder have arrived.
    pub(super) fn judge_end(&mut self) -> Result<(), Fault> {
        let quiet = self.case.ticks - (self.last_deed + 1).min(self.case.ticks);
        let served = self.case.served_ticks(self.ground.len() as u64);
        if quiet < served {
            return Ok(());
        }
        self.tally.rested += 1;
        let slowest = if self.about.speeds { SLOWEST } else { 1 };
        let is_alone =
            !self.about.collide || self.units.iter().filter(|unit| unit.at != NOWHERE).count() == 1;
        let (mut asked, mut arrived) = (0, 0);
        for k in 0..self.units.len() {
            let unit = &self.units[k];
            let (Some(order), Some(status)) = (unit.order, self.fleet.status(unit.id)) else { continue };
            // What the fog hides is not known here.
            if unit.fog.is_some() || !order.is_exact {
                continue;
            }
            let reaches = self.parts.joins(unit.at, order.cell);
            let is_buried = !self.ground.is_free(unit.at);
            let wrong = |what: &str| self.end_fault(k, unit, order.cell, status, what, quiet);
            match status {
                UnitStatus::Seeking => return Err(wrong("still waits for its first route")),
                UnitStatus::Unreachable if reaches => return Err(wrong("has a path")),
                UnitStatus::Buried if !is_buried => return Err(wrong("is on free ground")),
                // A unit that has arrived stays so when its goal becomes a wall later.
                UnitStatus::Underway if !reaches && !is_buried => return Err(wrong("has no path")),
                _ => {}
            }
            if !reaches {
                continue;
            }
            asked += 1;
            arrived += u64::from(status == UnitStatus::Arrived);
            if is_alone && status != UnitStatus::Arrived {
                // Every move of a cheapest path costs at least twice the length of a straight one. Before the unit is served it may have
                // gone anywhere.
                let (straight, _) = self.case.world.lengths();
                let costs = oracle::costs(&self.ground, order.cell, self.case.world.lengths());
                let moves = costs.iter().flatten().max().map_or(0, |cost| cost / (2 * straight)) + 16;
                if quiet >= served + 2 * slowest * moves {
                    return Err(wrong("has not arrived, though no unit is in its way"));
                }
            }
        }
        self.tally.asked += asked;
        self.tally.arrived += arrived;
        Ok(())
    }

    fn end_fault(
        &self,
        k: usize,
        unit: &Known,
        goal: Cell,
        status: UnitStatus,
        what: &str,
        quiet: u64,
    ) -> Fault {
        let (at, goal) = (self.ground.xy(unit.at), self.ground.xy(goal));
        self.fault(
            "end",
            format!(
                "unit {k} at {at:?}, goal {goal:?}, {status:?}, {quiet} ticks after the last event: {what}"
            ),
        )
    }
}
