//! What a search has found becomes the route of a unit.

use alloc::vec::Vec;

use crate::corners::cell;
use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::route::repair;
use crate::fleet::state::State;
use crate::fleet::state::request::{OrderId, Request};
use crate::fleet::state::unit::RouteState;
use crate::fleet::types::{Event, UnitStatus};
use crate::id::{Cost, NodeId};

/// Points of a route, the last one first, each with the cost to go from there.
pub(crate) type Points = Vec<(NodeId, Cost)>;

/// What a search has found for a unit.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) order: OrderId,
    pub(crate) outcome: Outcome,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// A route to the goal; `true` if the map has changed since the search began.
    Route(Points, bool),
    /// The most promising route so far, if there is any, of a short search that was cut off.
    Promising(Option<Points>),
    /// The points that lead back to the first point of the route.
    Return(Points),
    /// The row of distances of the goal; the unit is counted among its users.
    Row(u32),
    /// The unit needs no search any more.
    NotNeeded,
    /// No path leads to the goal.
    Unreachable,
    /// Nothing, because the map has changed: a long search is needed.
    Failed,
}

impl State {
    /// Gives a unit what a search has found.
    pub(crate) fn accept(&mut self, knowledge: &Knowledge, Finished { order, outcome }: Finished) {
        let (number, _) = order;
        match outcome {
            Outcome::Route(points, is_old) => {
                self.take_route(knowledge, number, points, true);
                if is_old {
                    self.recheck_route(knowledge, number);
                }
            }
            Outcome::Promising(points) => {
                if let Some(points) = points {
                    self.take_route(knowledge, number, points, false);
                }
                // A row of distances costs no more than a whole search, and is made instead of it.
                if !self.can_have_row(knowledge, number) {
                    self.ask_for_whole_route(number);
                }
            }
            Outcome::Return(points) => self.take_return(knowledge, number, points),
            Outcome::Row(row) => self.take_row(knowledge, number, row),
            Outcome::NotNeeded => self.serve(number),
            Outcome::Unreachable => {
                self.serve(number);
                self.give_up(knowledge, number);
            }
            Outcome::Failed => self.ask_for_whole_route(number),
        }
    }

    fn serve(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        unit.route_state = unit.route_state.served();
    }

    /// Gives a unit another route, from the farthest of its first points in sight on.
    fn take_route(&mut self, knowledge: &Knowledge, number: u32, points: Points, is_whole: bool) {
        let (team, at, old) = {
            let unit = &self.units[number as usize];
            (unit.team, unit.at, unit.route())
        };
        let (grid, sight) = (knowledge.grid(), knowledge.sight(team));
        let is_among_corners = knowledge.map_of(team).grid().corners().is_some();
        let route = repair::store(&mut self.routes, grid, is_among_corners, points.into_iter());
        let from = cell(grid, at);
        let first = self.routes.walk(route).take(self.tuning.route.looks_ahead as usize).enumerate();
        let in_sight = first.filter(|(_, point)| sight.is_open(from, cell(grid, point.cell)));
        let last = in_sight.last().map(|(k, _)| k);
        let passed = last.unwrap_or(0);
        let route = self.routes.pass_some(route, passed);
        self.routes.drop(old);
        let unit = &mut self.units[number as usize];
        let had_route = unit.route_state.is_whole();
        unit.set_route(route);
        // It may have been pushed out of sight since the search began.
        unit.lost = u32::from(last.is_none());
        unit.route_state = if is_whole { RouteState::Whole } else { RouteState::Partial };
        self.outbox.ask(Request::Renew(number));
        if is_whole {
            if unit.status != UnitStatus::Arrived {
                unit.status = UnitStatus::Underway;
            }
            if had_route {
                let unit = self.id(number);
                self.outbox.report(Event::Rerouted { unit });
            }
        }
    }

    /// Puts the points that lead back to a unit's route before it.
    fn take_return(&mut self, knowledge: &Knowledge, number: u32, points: Points) {
        self.serve(number);
        let mut route = self.units[number as usize].route();
        debug_assert!(route != NONE, "a unit returns to its route");
        for (n, rest) in points {
            route = self.routes.put(n, rest, route);
        }
        let unit = &mut self.units[number as usize];
        unit.set_route(route);
        // Its goal is what it was, and so its progress is measured on.
        self.outbox.ask(Request::Recost(number));
        // While it is lost, the leg from where it is now does not count: it may have been pushed since the search began.
        self.recheck_route(knowledge, number);
        self.units[number as usize].lost = 0;
    }
}
