//! What changes of the map do to units: routes that break, and ground that may shorten them.

use alloc::vec::Vec;

use crate::fleet::knowledge::team::Openings;
use crate::fleet::knowledge::{Edit, Knowledge};
use crate::fleet::route::repair::is_broken;
use crate::fleet::state::State;
use crate::fleet::state::unit::RouteState;
use crate::fleet::types::UnitStatus;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};

/// Points of a route that are looked at for the price of a change.
const POINTS_PER_CHANGE: usize = 8;

impl State {
    /// Takes note of an edit of the cell that these units are on: rows of distances are void, units are buried or freed.
    pub(crate) fn apply_edit(&mut self, knowledge: &Knowledge, edit: Edit, numbers: Vec<u32>) {
        self.void_rows(knowledge);
        if !matches!(edit, Edit::Freed | Edit::Blocked) {
            return;
        }
        for number in numbers {
            if edit == Edit::Blocked {
                self.bury(number);
            } else if self.units[number as usize].status == UnitStatus::Buried {
                // Its own team may never have learned of the wall.
                self.dig_out(knowledge, number);
            }
        }
    }

    /// Returns the units on a cell, where units walk through each other. Sorts all units by cell unless none has moved since the last call.
    pub(crate) fn units_on(&mut self, at: NodeId) -> Vec<u32> {
        let units = &self.units;
        let by_cell = self.by_cell.get_or_insert_with(|| {
            let there = units.iter().zip(0..).filter(|(unit, _)| unit.is_there);
            let mut by_cell: Vec<(NodeId, u32)> = there.map(|(unit, number)| (unit.at, number)).collect();
            by_cell.sort_unstable();
            by_cell
        });
        let first = by_cell.partition_point(|&(cell, _)| cell < at);
        by_cell[first..].iter().take_while(|&&(cell, _)| cell == at).map(|&(_, number)| number).collect()
    }

    /// Checks routes that edits may have broken, unit by unit, as far as the budget goes.
    pub(crate) fn check_routes(&mut self, knowledge: &mut Knowledge, meter: &mut Meter) {
        let all = self.units.len() as u32;
        for team in 0..knowledge.teams.len() {
            let mut left = knowledge.teams[team].unchecked.min(all);
            let mut next = knowledge.teams[team].next_to_check;
            while left > 0 && meter.charge(WorkKind::Change) {
                next = if next < all - 1 { next + 1 } else { 0 };
                left -= 1;
                if self.units[next as usize].team as usize == team {
                    let points = self.recheck_route(knowledge, next);
                    // No more than is left: the look was granted, and is as long as the route.
                    meter.charge_up_to(WorkKind::Change, (points / POINTS_PER_CHANGE) as u64);
                }
            }
            (knowledge.teams[team].unchecked, knowledge.teams[team].next_to_check) = (left, next);
        }
    }

    /// Checks a unit's route and asks for another one if it is broken. Returns the number of points that were looked at. A unit that waits
    /// for a search is checked when it has its route.
    pub(crate) fn recheck_route(&mut self, knowledge: &Knowledge, number: u32) -> usize {
        let unit = &self.units[number as usize];
        let is_whole = matches!(unit.route_state, RouteState::Whole | RouteState::Stale);
        if !unit.is_there || !unit.has_destination() || !is_whole || unit.goes_by_row().is_some() {
            return 0;
        }
        // A unit that has lost sight of its route is led back to it anyway.
        let from = (unit.lost == 0).then_some(unit.at);
        let points = self.routes.walk(unit.route());
        let (is_broken, count) = is_broken(knowledge.grid(), knowledge.sight(unit.team), from, points);
        if is_broken {
            if knowledge.view(unit.team).is_unreachable(unit.at, unit.goal) {
                self.give_up(knowledge, number);
            } else {
                // It follows the old route until it has another one.
                self.ask_for_repair(knowledge, number);
            }
        }
        count
    }

    /// Asks for another route for a unit whose route is broken: by one search for all units of its group that wait, if it has its order
    /// together with others.
    fn ask_for_repair(&mut self, knowledge: &Knowledge, number: u32) {
        let (unit, centre) = (&mut self.units[number as usize], self.details[number as usize].centre);
        if unit.route_state == RouteState::Stale {
            // It waits for another one already.
            unit.route_state = RouteState::Broken;
        } else if centre.is_some() && knowledge.view(unit.team).may_reach(unit.at, centre) {
            self.ask_with_group(number, centre);
        } else {
            self.ask_for_whole_route(number);
        }
    }

    /// Frees a unit on which a wall was built: it starts as if it had its order again.
    pub(crate) fn dig_out(&mut self, knowledge: &Knowledge, number: u32) {
        self.set_out_again(knowledge, number, NodeId::NONE, |unit| unit.status = UnitStatus::Idle);
    }

    /// Checks whether cells that have become free shorten routes or open ways to goals, unit by unit, as far as the budget goes.
    /// `least_group` is the size from which on units that set out for one place share a search.
    pub(crate) fn look_at_openings(
        &mut self,
        knowledge: &mut Knowledge,
        least_group: usize,
        meter: &mut Meter,
    ) {
        let all = self.units.len() as u32;
        let mut joined = Vec::new();
        for team in 0..knowledge.teams.len() {
            loop {
                let Knowledge { teams, map, .. } = &mut *knowledge;
                let Some(openings) = teams[team].openings(map.grid()) else { break };
                let mut next = teams[team].next_to_look;
                while next < all && meter.charge(WorkKind::Change) {
                    if self.units[next as usize].team as usize == team {
                        if self.is_joined_with_place(knowledge, next) {
                            joined.push(next);
                        } else {
                            self.look_at(knowledge, next, &openings);
                        }
                    }
                    next += 1;
                }
                knowledge.teams[team].next_to_look = next;
                self.send_on(knowledge, &core::mem::take(&mut joined), least_group);
                if next < all {
                    return;
                }
                knowledge.teams[team].close(&openings);
            }
        }
    }

    fn look_at(&mut self, knowledge: &Knowledge, number: u32, openings: &Openings) {
        let unit = &self.units[number as usize];
        if !unit.is_there {
            return;
        }
        match unit.status {
            // Its own team may not know of the wall.
            UnitStatus::Buried if knowledge.map.is_free(unit.at) => self.dig_out(knowledge, number),
            UnitStatus::Unreachable if !knowledge.view(unit.team).is_unreachable(unit.at, unit.goal) => {
                let (centre, view) = (self.details[number as usize].centre, knowledge.view(unit.team));
                let is_joined = centre.is_some() && view.may_reach(unit.at, centre);
                let centre = if is_joined { centre } else { NodeId::NONE };
                self.set_out_again(knowledge, number, centre, |_| {});
            }
            UnitStatus::Underway if unit.route_state == RouteState::Whole && unit.goes_by_row().is_none() => {
                let grid = knowledge.grid();
                let Some(point) = self.routes.get(unit.route()) else { return };
                let rest = grid.h(unit.at, point.cell) + point.rest;
                if openings.may_shorten(grid, unit.at, unit.goal, rest) {
                    self.units[number as usize].route_state = RouteState::Stale;
                    self.ask_for_whole_route(number);
                }
            }
            _ => {}
        }
    }
}
