//! What moves mean to units: they arrive, pass points of their routes, lose sight of them, or are blocked.

use crate::corners::cell;
use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::route::store::RouteHead;
use crate::fleet::state::State;
use crate::fleet::state::members::CrowdPlace;
use crate::fleet::state::request::Request;
use crate::fleet::state::results::{Counts, MoveResults};
use crate::fleet::state::unit::RouteState;
use crate::fleet::types::{Event, UnitStatus};
use crate::id::NodeId;

impl State {
    /// Takes note of what the joint move means to one unit.
    #[inline]
    pub(crate) fn follow_move(
        &mut self,
        knowledge: &Knowledge,
        number: u32,
        results: &impl MoveResults,
        counts: &mut Counts,
    ) {
        let unit = &self.units[number as usize];
        if !unit.is_there {
            return;
        }
        let from = unit.at;
        let next = results.cell(number).unwrap_or(from);
        if from != next {
            self.step(knowledge, number, next);
            let unit = self.id(number);
            self.outbox.report(Event::Moved { unit, from, to: next });
            counts.moved += 1;
        }
        if !self.units[number as usize].has_destination() {
            return;
        }
        let is_member = self.units[number as usize].crowd != NONE;
        let place =
            if is_member { self.take_crowd_place(number, from, results) } else { CrowdPlace::Elsewhere };
        let unit = &self.units[number as usize];
        if place == CrowdPlace::Settled || place == CrowdPlace::Elsewhere && unit.at == unit.goal {
            self.arrive(number);
            return;
        }
        let can_arrive = unit.status != UnitStatus::Unreachable;
        counts.underway += u32::from(can_arrive && !unit.is_cut_off);
        let is_seeking = unit.status == UnitStatus::Seeking || unit.route_state == RouteState::Broken;
        counts.seeking += u32::from(can_arrive && is_seeking && !unit.is_cut_off);
        if results.was_skipped(number) {
            // Nothing has changed for it.
            return;
        }
        if place == CrowdPlace::Elsewhere {
            self.follow_route(knowledge, number, results);
        }
        if from == next && can_arrive {
            self.note_blocker(knowledge, number, results);
            self.ask_if_stranded(number);
        } else {
            self.units[number as usize].blocked_by = NONE;
        }
    }

    /// Moves a unit to another cell.
    #[inline]
    fn step(&mut self, knowledge: &Knowledge, number: u32, to: NodeId) {
        let from = self.units[number as usize].at;
        if self.has_speeds {
            self.charge_move(number, knowledge.grid(), from, to);
        }
        let unit = &mut self.units[number as usize];
        if let Some(rows) = self.rows.as_ref().filter(|_| unit.row != NONE) {
            unit.moves = unit.moves.saturating_add_signed(rows.farther(unit.row, to, from));
        }
        if unit.crowd != NONE {
            self.crowds.moved(number, unit.crowd, from, to);
        }
        unit.at = to;
    }

    /// Lets a unit arrive: it needs no route any more, unless it is pushed away. A row serves other units as well.
    fn arrive(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        (unit.lost, unit.blocked_by) = (0, NONE);
        let was = core::mem::replace(&mut unit.status, UnitStatus::Arrived);
        if was != UnitStatus::Arrived && !unit.is_cut_off {
            let unit = self.id(number);
            self.outbox.report(Event::Arrived { unit });
        }
        let unit = &mut self.units[number as usize];
        let route = unit.set_route(NONE);
        let was_waiting = unit.is_waiting();
        unit.route_state = if unit.row == NONE { RouteState::None } else { RouteState::Whole };
        if was_waiting {
            self.void_order(number);
        }
        self.routes.drop(route);
    }

    /// Lets a unit pass points of its route, and notes whether it has lost sight of it.
    #[inline]
    fn follow_route(&mut self, knowledge: &Knowledge, number: u32, results: &impl MoveResults) {
        let unit = &self.units[number as usize];
        if unit.row != NONE {
            return;
        }
        // A unit that has no route yet cannot lose it.
        if unit.route() == NONE && unit.is_waiting() {
            return;
        }
        let head = self.head(unit);
        self.units[number as usize].head = head.unwrap_or(RouteHead::NONE);
        let unit = &self.units[number as usize];
        let (sight, grid, tuning) = (knowledge.sight(unit.team), knowledge.grid(), self.tuning.route);
        let (at, here) = (cell(grid, unit.at), unit.at);
        let mut route = unit.route();
        // Far from the next point, the guide has looked whether that is in sight; the one after it seldom is.
        let to = cell(grid, head.map_or(unit.goal, |head| head.cell));
        let is_far = (to.0 - at.0).abs().max((to.1 - at.1).abs()) > tuning.looks_within.cast_signed();
        let is_due = self.tick.wrapping_add(u64::from(number)).is_multiple_of(tuning.looks_every);
        // For a unit without any route the guide has not looked.
        let has_looked = route != NONE || unit.status != UnitStatus::Seeking;
        if is_far && !is_due && has_looked {
            // Where the guide has not looked, one look decides: routes depend on what units can see, not on what happened to be asked.
            if results.has_seen(number, at, to) || sight.is_open(at, to) {
                self.units[number as usize].lost = 0;
                return;
            }
        }
        // The first points are at hand; further ones lie far apart.
        let mut points = head.map(|head| (head.cell, head.after.some()));
        for _ in 0..tuning.passes {
            let Some((first, after)) = points else { break };
            if first != here && after.is_none_or(|after| !sight.is_open(at, cell(grid, after))) {
                break;
            }
            route = self.routes.pass(route);
            points = self.routes.first_two(route);
        }
        let first = points.map_or(unit.goal, |(first, _)| first);
        let is_lost = !sight.is_open(at, cell(grid, first));
        let unit = &mut self.units[number as usize];
        if unit.route() != route {
            unit.set_route(route);
        }
        unit.lost = if is_lost { unit.lost + 1 } else { 0 };
        if unit.status == UnitStatus::Unreachable {
            // It stays at the end of what was left of its route, and where it is pushed from there or others are in its way.
            if unit.lost >= tuning.lost || results.stalled(number) >= tuning.resigns {
                self.routes.drop(route);
                self.units[number as usize].set_route(NONE);
            }
            return;
        }
        if unit.is_waiting() || unit.lost < tuning.lost {
            return;
        }
        if route == NONE {
            // It was pushed away from its goal, out of sight.
            self.ask_for_route(number);
        } else if unit.route_state == RouteState::Whole {
            unit.route_state = RouteState::Lost;
            let order = self.order_of(number);
            self.outbox.ask(Request::Return(order));
        } else {
            // What it follows does not lead to its goal.
            self.ask_for_whole_route(number);
        }
    }

    /// Notes the unit that blocks a unit which has not moved, and whether its goal is sealed off.
    fn note_blocker(&mut self, knowledge: &Knowledge, number: u32, results: &impl MoveResults) {
        let by = results.blocker(number).unwrap_or(NONE);
        let unit = &self.units[number as usize];
        let (stalled, sealed) = (results.stalled(number), self.tuning.route.sealed);
        // A unit that waits for its slot in a crowd is shut off by no unit, and one that waits for its route has not been anywhere near.
        let is_due = stalled >= sealed
            && unit.status != UnitStatus::Seeking
            && self.tick >= self.details[number as usize].looked + sealed.max(stalled / 2)
            && !self.crowds.leads(unit);
        if by != NONE && by != unit.blocked_by {
            let (unit, by) = (self.id(number), self.id(by));
            self.outbox.report(Event::Blocked { unit, by });
        }
        self.units[number as usize].blocked_by = by;
        if is_due {
            self.details[number as usize].looked = self.tick;
            if let Some(by) = self.sealed_by(knowledge.grid(), number, |n| results.unit_on(n)) {
                let (unit, by) = (self.id(number), self.id(by));
                self.outbox.report(Event::Sealed { unit, by });
            }
        }
    }

    /// Asks for a search before those of most others if a unit without a route stays though no unit blocks it: from there, nothing that it
    /// can see is nearer to its goal. Happens once for each order.
    fn ask_if_stranded(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        let is_waiting = unit.status == UnitStatus::Seeking && unit.is_waiting();
        if !is_waiting || unit.is_stranded || unit.blocked_by != NONE {
            return;
        }
        let details = &self.details[number as usize];
        if !details.centre.is_some() && !details.is_resting(self.tick) {
            unit.is_stranded = true;
            let order = self.order_of(number);
            self.outbox.ask(Request::Stranded(order));
        }
    }
}
