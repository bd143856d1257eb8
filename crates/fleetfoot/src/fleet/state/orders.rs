//! Orders: where units are sent.

use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::state::State;
use crate::fleet::state::request::{Group, Request};
use crate::fleet::types::{Goal, UnitId, UnitStatus};
use crate::graph::Graph;
use crate::grid::Reachability;
use crate::id::NodeId;
use crate::map::{Map, NearestCell};
use crate::meter::{Meter, Prices};

/// Number of units from which on a new order takes a new look around its goal.
const MANY: usize = 16;

impl State {
    /// Sends units somewhere. Skips units that are no longer there, and returns the number of the others. `least_group` or more of them
    /// share one search.
    pub(crate) fn order(
        &mut self,
        knowledge: &Knowledge,
        units: &[UnitId],
        goal: Goal,
        least_group: usize,
    ) -> usize {
        let numbers: Vec<u32> = units.iter().filter_map(|&unit| self.number(unit)).collect();
        for &number in &numbers {
            self.forget_place(number);
        }
        let is_group = numbers.len() >= least_group;
        match goal {
            Goal::At(cell) => {
                let centre = if is_group { cell } else { NodeId::NONE };
                for &number in &numbers {
                    self.assign(knowledge, number, cell, centre);
                }
                self.ask_together(&numbers, centre);
            }
            Goal::Near(cell) => self.order_near(knowledge, &numbers, cell, least_group),
        }
        numbers.len()
    }

    /// Takes units' orders away.
    pub(crate) fn stop(&mut self, units: &[UnitId]) {
        self.expect_many(units.len());
        for &unit in units {
            if let Some(number) = self.number(unit) {
                self.forget_place(number);
                self.dismiss(number);
                let unit = &mut self.units[number as usize];
                if unit.status != UnitStatus::Buried {
                    unit.status = UnitStatus::Idle;
                }
                self.outbox.ask(Request::Renew(number));
            }
        }
    }

    fn expect_many(&mut self, units: usize) {
        if units > MANY {
            self.goals.forget_slots();
        }
    }

    /// Gives each unit a cell of its own. Teams that know different maps get their cells in turn.
    fn order_near(&mut self, knowledge: &Knowledge, numbers: &[u32], cell: NodeId, least_group: usize) {
        self.expect_many(numbers.len());
        for &number in numbers {
            self.dismiss(number);
        }
        let mut left = numbers.to_vec();
        while let Some(&first) = left.first() {
            let team = knowledge.same_as(self.units[first as usize].team);
            let of_team = |number: &u32| knowledge.same_as(self.units[*number as usize].team) == team;
            let (members, others): (Vec<u32>, Vec<u32>) = left.iter().partition(|number| of_team(number));
            self.order_team_near(knowledge, team, &members, cell, least_group);
            left = others;
        }
    }

    /// Gives units of one team, or of teams that know the same, cells around the middle: the nearer a unit is, the nearer its cell. They
    /// join the crowd whose ground that is. Crowds whose slots lie between each other's become one. If none of the units can reach the place,
    /// they gather where they can, and are cut off from it.
    fn order_team_near(
        &mut self,
        knowledge: &Knowledge,
        team: u16,
        numbers: &[u32],
        cell: NodeId,
        least_group: usize,
    ) {
        let map = knowledge.map_of(team);
        // The middle is where one of them can go, if any can.
        let can_go =
            |number: &&u32| map.reachability(self.units[**number as usize].at, cell) == Reachability::Maybe;
        let Some(&first) = numbers.iter().find(can_go).or(numbers.first()) else { return };
        let free_ground = self.tuning.search.free_ground;
        let centre = middle(map, self.units[first as usize].at, cell, free_ground);
        let grid = knowledge.grid();
        let are_cut_off = centre != cell && map.is_free(cell);
        if centre.index() >= grid.bound() {
            for &number in numbers {
                self.assign(knowledge, number, centre, NodeId::NONE);
            }
            return;
        }
        let mut nearest: Vec<(u32, u32)> = Vec::with_capacity(numbers.len());
        for &number in numbers {
            nearest.push((grid.h(self.units[number as usize].at, centre).raw(), number));
        }
        nearest.sort_unstable();
        // A unit that was named twice has one slot.
        nearest.dedup();
        let mut met = Vec::new();
        let slots = self.goals.slots(map, (team, centre), nearest.len(), &mut met);
        let crowd = if slots.is_empty() { NONE } else { self.crowd_at(team, centre) };
        let shared = if numbers.len() < least_group { NodeId::NONE } else { centre };
        for (k, &(_, number)) in nearest.iter().enumerate() {
            // With more units than cells, the rest gathers around the middle.
            self.assign(knowledge, number, slots.get(k).copied().unwrap_or(centre), shared);
            if k < slots.len() {
                self.join(number, crowd);
            }
            if are_cut_off {
                self.cut_off(number, cell);
            }
        }
        if !slots.is_empty() {
            self.merge_all(crowd, &met);
        }
        self.ask_together(numbers, shared);
    }

    /// Takes note that a unit cannot reach the place that it was sent near. It has an order to gather elsewhere.
    fn cut_off(&mut self, number: u32, place: NodeId) {
        let order = self.order_of(number);
        self.units[number as usize].is_cut_off = true;
        let details = &mut self.details[number as usize];
        (details.place, details.place_order) = (place, details.orders);
        self.outbox.ask(Request::Report(order));
    }

    /// Lets a unit forget the place that it could not reach.
    fn forget_place(&mut self, number: u32) {
        self.units[number as usize].is_cut_off = false;
        self.details[number as usize].place = NodeId::NONE;
    }

    /// Returns `true` if a unit was cut off from its place, and a path may lead there now.
    pub(crate) fn is_joined_with_place(&self, knowledge: &Knowledge, number: u32) -> bool {
        let unit = &self.units[number as usize];
        let place = self.details[number as usize].place;
        unit.is_cut_off && unit.is_there && knowledge.view(unit.team).may_reach(unit.at, place)
    }

    /// Sends units near the places from which they were cut off.
    pub(crate) fn send_on(&mut self, knowledge: &Knowledge, numbers: &[u32], least_group: usize) {
        let mut left = numbers.to_vec();
        while let Some(&first) = left.first() {
            let place = self.details[first as usize].place;
            let has_this = |number: &u32| self.details[*number as usize].place == place;
            let (these, others): (Vec<u32>, Vec<u32>) = left.iter().partition(|number| has_this(number));
            for &number in &these {
                self.forget_place(number);
            }
            self.order_near(knowledge, &these, place, least_group);
            left = others;
        }
    }

    /// Asks for one search for all of these that can reach their common cell, team by team.
    fn ask_together(&mut self, numbers: &[u32], centre: NodeId) {
        if !centre.is_some() {
            return;
        }
        let mut groups: Vec<Group> = Vec::new();
        for &number in numbers {
            let unit = &mut self.units[number as usize];
            if unit.status != UnitStatus::Seeking || unit.at == unit.goal || unit.is_waiting() {
                continue;
            }
            unit.route_state = unit.route_state.waiting();
            let (team, order) = (unit.team, self.order_of(number));
            match groups.iter_mut().find(|group| group.team == team) {
                Some(group) => group.units.push(order),
                None => groups.push(Group { team, centre, units: Vec::from([order]), next: 0 }),
            }
        }
        for group in groups {
            self.outbox.ask(Request::GroupRoutes(group));
        }
    }
}

/// Returns the cell that an order is about: the one that was named, or the nearest one that can be reached and is found within
/// `free_ground` expansions.
pub(crate) fn middle(map: &Map, at: NodeId, goal: NodeId, free_ground: u64) -> NodeId {
    if map.reachability(at, goal) == Reachability::Maybe {
        return goal;
    }
    let place = if goal.index() < map.grid().bound() { map.xy(goal) } else { return goal };
    match map.nearest(at, place, &mut Meter::priced(free_ground, Prices::ALL_WORK)) {
        NearestCell::Cell(n) => n,
        _ => goal,
    }
}
