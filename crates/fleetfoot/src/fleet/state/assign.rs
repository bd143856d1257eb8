//! Goals of single units: given, taken away, given up.

use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::route::repair::{cut, offset};
use crate::fleet::state::State;
use crate::fleet::state::request::Request;
use crate::fleet::state::unit::{RouteState, Unit};
use crate::fleet::types::UnitStatus;
use crate::graph::Graph;
use crate::grid::Reachability;
use crate::id::{Cost, NodeId};

/// Maximum number of slots of its crowd that a unit tries in one tick.
const MOST_SLOTS: u32 = 4;

impl State {
    /// Gives a unit a goal. If `centre` is a cell, the unit waits for a search that serves a group from there.
    pub(crate) fn assign(&mut self, knowledge: &Knowledge, number: u32, goal: NodeId, centre: NodeId) {
        self.dismiss(number);
        let unit = &mut self.units[number as usize];
        unit.goal = goal;
        self.details[number as usize].centre = centre;
        self.goals.add(goal);
        if unit.status == UnitStatus::Buried {
            // It starts when the wall is removed.
            return;
        }
        unit.status = UnitStatus::Seeking;
        self.outbox.ask(Request::Renew(number));
        let unit = &self.units[number as usize];
        if knowledge.view(unit.team).is_unreachable(unit.at, goal) {
            self.give_up(knowledge, number);
        } else if unit.at != goal && !centre.is_some() {
            self.ask_for_route(number);
        }
    }

    /// Gives a unit its order again, if it has one, after a change to the unit. Its route comes from the search that serves a group from a
    /// cell, if that is given.
    pub(crate) fn set_out_again(
        &mut self,
        knowledge: &Knowledge,
        number: u32,
        centre: NodeId,
        change: impl FnOnce(&mut Unit),
    ) {
        let unit = &self.units[number as usize];
        let (at, goal, crowd, middle) = (unit.at, unit.goal, unit.crowd, self.crowds.middle(unit));
        self.dismiss(number);
        change(&mut self.units[number as usize]);
        if self.units[number as usize].at != at {
            self.by_cell = None;
        }
        if self.is_joined_with_place(knowledge, number) {
            self.send_on(knowledge, &[number], usize::MAX);
            return;
        }
        if goal.is_some() {
            self.assign(knowledge, number, goal, centre);
            if let Some(middle) = middle {
                self.rejoin(knowledge, number, crowd, middle);
            }
            let unit = &self.units[number as usize];
            if centre.is_some() && unit.status == UnitStatus::Seeking && unit.at != unit.goal {
                self.ask_with_group(number, centre);
            }
        }
    }

    /// Lets a unit that has left its crowd join it again. The crowd is gone if the unit was its only member.
    fn rejoin(&mut self, knowledge: &Knowledge, number: u32, crowd: u32, middle: NodeId) {
        let is_alive = self.crowds.all[crowd as usize].middle == middle;
        let team = knowledge.same_as(self.units[number as usize].team);
        let crowd = if is_alive { crowd } else { self.crowd_at(team, middle) };
        self.join(number, crowd);
    }

    /// Takes a unit's order away, with its route and all that was begun for it.
    pub(crate) fn dismiss(&mut self, number: u32) {
        self.leave(number);
        self.leave_row(number);
        self.routes.drop(self.units[number as usize].route());
        let unit = &mut self.units[number as usize];
        self.goals.remove(unit.goal);
        unit.set_route(NONE);
        unit.goal = NodeId::NONE;
        (unit.route_state, unit.is_stranded) = (RouteState::None, false);
        (unit.lost, unit.blocked_by) = (0, NONE);
        self.details[number as usize].centre = NodeId::NONE;
        self.void_order(number);
    }

    /// Makes void what was begun for a unit's order.
    pub(crate) fn void_order(&mut self, number: u32) {
        let orders = &mut self.details[number as usize].orders;
        *orders = orders.wrapping_add(1);
    }

    /// Asks for a short search, unless the unit waits already.
    pub(crate) fn ask_for_route(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        if !unit.is_waiting() {
            unit.route_state = unit.route_state.waiting();
            let order = self.order_of(number);
            self.outbox.ask(Request::Route(order));
        }
    }

    /// Asks for a search that serves all units of a group from a cell.
    pub(crate) fn ask_with_group(&mut self, number: u32, centre: NodeId) {
        let unit = &mut self.units[number as usize];
        unit.route_state = unit.route_state.waiting();
        let team = unit.team;
        let order = self.order_of(number);
        self.outbox.ask(Request::JoinGroup(order, team, centre));
    }

    /// Asks for a long search.
    pub(crate) fn ask_for_whole_route(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        unit.route_state = unit.route_state.waiting();
        let order = self.order_of(number);
        self.outbox.ask(Request::WholeRoute(order, self.details[number as usize].is_preferred));
    }

    /// Lets a unit follow the row of its goal from now on, unless that shows that the goal is out of reach.
    pub(crate) fn take_row(&mut self, knowledge: &Knowledge, number: u32, row: u32) {
        let (Some(rows), unit) = (&self.rows, &self.units[number as usize]) else { return };
        let Some(moves) = rows.distance(knowledge.grid(), row, unit.at) else {
            self.units[number as usize].row = row;
            self.give_up(knowledge, number);
            return;
        };
        self.routes.drop(unit.route());
        let unit = &mut self.units[number as usize];
        unit.set_route(NONE);
        (unit.row, unit.moves) = (row, moves);
        (unit.route_state, unit.lost) = (RouteState::Whole, 0);
        if unit.status == UnitStatus::Seeking {
            unit.status = UnitStatus::Underway;
        }
        self.void_order(number);
        self.outbox.ask(Request::Renew(number));
    }

    /// Returns `true` if the unit's goal has a row of distances, or may have one: the map is small, and its team knows it.
    pub(crate) fn can_have_row(&mut self, knowledge: &Knowledge, number: u32) -> bool {
        let (is_known, now) = (knowledge.knows_all(self.units[number as usize].team), self.tick);
        is_known && self.rows.as_mut().is_some_and(|rows| rows.is_ready(knowledge.grid(), now))
    }

    /// Lets a unit leave its row.
    pub(crate) fn leave_row(&mut self, number: u32) {
        let row = core::mem::replace(&mut self.units[number as usize].row, NONE);
        if let Some(rows) = self.rows.as_mut().filter(|_| row != NONE) {
            rows.give_back(row);
        }
    }

    /// Turns rows into routes after a change of the map, as far as they lead. Units that followed a row ask for a route.
    pub(crate) fn void_rows(&mut self, knowledge: &Knowledge) {
        let Some(rows) = &mut self.rows else { return };
        if !rows.are_used() {
            rows.void(self.tick);
            return;
        }
        let grid = knowledge.grid();
        let mut walk = Vec::new();
        for unit in self.units.iter_mut().filter(|unit| unit.row != NONE) {
            walk.clear();
            walk.push(unit.at);
            walk.extend(rows.downhill(grid, unit.row, unit.at));
            let (mut last, mut route) = (unit.goal, NONE);
            let mut rest = Cost::ZERO;
            // It counts as whole if the row is broken, so that the next route is reported as another one.
            unit.route_state = RouteState::of(walk.last() != Some(&last), unit.is_waiting());
            for k in (1..walk.len()).rev() {
                let step = |k: usize| offset(grid, walk[k - 1], walk[k]);
                // Where it turns, and at the end.
                if k + 1 == walk.len() || step(k) != step(k + 1) {
                    rest += grid.h(walk[k], last);
                    last = walk[k];
                    route = self.routes.put(last, rest, route);
                }
            }
            let old = unit.set_route(route);
            self.routes.drop(old);
        }
        rows.void(self.tick);
        for number in 0..self.units.len() as u32 {
            let unit = &mut self.units[number as usize];
            let went_by_row = core::mem::replace(&mut unit.row, NONE) != NONE;
            if went_by_row && unit.at != unit.goal && !unit.is_waiting() && knowledge.map.is_free(unit.at) {
                self.ask_for_route(number);
            }
        }
    }

    /// Takes note that a wall was built on a unit.
    pub(crate) fn bury(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        (unit.status, unit.blocked_by) = (UnitStatus::Buried, NONE);
        unit.route_state = unit.route_state.served();
        self.void_order(number);
        self.outbox.ask(Request::Report(self.order_of(number)));
    }

    /// Takes note that a unit's goal is out of reach. It follows its route as far as that leads, or has another slot of its crowd.
    pub(crate) fn give_up(&mut self, knowledge: &Knowledge, number: u32) {
        if self.settle_elsewhere(knowledge, number) {
            return;
        }
        self.leave_row(number);
        let unit = &self.units[number as usize];
        let (grid, old) = (knowledge.grid(), unit.route());
        let goes_on = unit.crowd == NONE && unit.goal.index() < grid.bound();
        let points = self.routes.walk(old).filter(|_| goes_on);
        let left = cut(grid, knowledge.sight(unit.team), unit.at, points);
        self.routes.drop(old);
        let route =
            left.into_iter().rev().fold(NONE, |route, (cell, rest)| self.routes.put(cell, rest, route));
        let unit = &mut self.units[number as usize];
        unit.set_route(route);
        unit.route_state = RouteState::None;
        (unit.status, unit.blocked_by) = (UnitStatus::Unreachable, NONE);
        self.outbox.ask(Request::Report(self.order_of(number)));
        self.outbox.ask(Request::Renew(number));
    }

    /// Gives a crowd member another slot, since its own is out of reach: in the fog, slots turn out to be walls. Returns `true` if there
    /// is one.
    fn settle_elsewhere(&mut self, knowledge: &Knowledge, number: u32) -> bool {
        let unit = &self.units[number as usize];
        let Some(crowd) = self.crowds.all.get(unit.crowd as usize) else { return false };
        let (team, at, old, id) = (unit.team, unit.at, unit.goal, unit.crowd);
        // Without an index of reachability, every free slot seems to be in reach. Their rows of distances may all be known, so that no budget
        // would end the search for another one.
        let (tick, slots) = &mut self.details[number as usize].last_slots;
        *slots = if *tick == self.tick { *slots + 1 } else { 1 };
        *tick = self.tick;
        if *slots > MOST_SLOTS {
            return false;
        }
        let (centre, entry) = (crowd.middle, crowd.entry);
        let map = knowledge.map_of(team);
        // Its slot is joined with the middle, unless it has become a wall or was cut off: the middle is out of reach as well.
        let is_known = knowledge.knows_all(team);
        let is_being_repaired = map.has_index() && !map.indices_are_current();
        let is_joined = map.is_free(old) && map.reachability(old, centre) == Reachability::Maybe;
        if is_known && is_joined && !is_being_repaired {
            return false;
        }
        let can_enter = |cell: NodeId| cell.is_some() && map.reachability(at, cell) == Reachability::Maybe;
        let from = if can_enter(centre) {
            centre
        } else if map.is_free(centre) {
            // The crowd is cut off as a whole: it waits.
            return false;
        } else if can_enter(entry) {
            entry
        } else {
            let entry = crate::fleet::state::orders::middle(map, at, centre, self.tuning.search.free_ground);
            self.crowds.all[id as usize].entry = entry;
            entry
        };
        let (team, mut met) = (knowledge.same_as(team), Vec::new());
        let Some(&goal) = self.goals.slots(map, (team, from), 1, &mut met).first() else { return false };
        if goal == old || map.reachability(at, goal) != Reachability::Maybe {
            return false;
        }
        self.assign(knowledge, number, goal, NodeId::NONE);
        self.rejoin(knowledge, number, id, centre);
        let crowd = self.units[number as usize].crowd;
        self.merge_all(crowd, &met);
        true
    }
}
