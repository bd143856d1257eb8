//! The state of units and crowds: positions, goals, routes, speeds. Nothing else changes them.
//!
//! State asks later phases for what it needs by [`Request`](request::Request)s, and never calls them.

pub(crate) mod accept;
pub(crate) mod assign;
pub(crate) mod crowd;
pub(crate) mod crowd_work;
pub(crate) mod crowds;
pub(crate) mod follow;
pub(crate) mod ground;
pub(crate) mod map_changes;
pub(crate) mod members;
pub(crate) mod orders;
pub(crate) mod request;
pub(crate) mod results;
pub(crate) mod sealed;
pub(crate) mod slots;
pub(crate) mod speed;
pub(crate) mod unit;

use alloc::vec::Vec;

use crate::fleet::knowledge::Knowledge;
use crate::fleet::route::distance_rows::DistanceRows;
use crate::fleet::route::store::{RouteHead, Routes};
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::request::{OrderId, Outbox};
use crate::fleet::state::slots::Goals;
use crate::fleet::state::unit::{Roster, Unit, UnitDetails};
use crate::fleet::tuning::Tuning;
use crate::fleet::types::{TeamId, UnitId, UnitStatus};
use crate::grid::Grid;
use crate::id::NodeId;

/// All units with their routes and crowds.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) tuning: Tuning,
    pub(crate) tick: u64,
    /// By unit: what every tick asks for, and the rest.
    pub(crate) units: Vec<Unit>,
    pub(crate) details: Vec<UnitDetails>,
    /// Numbers of units that were removed, if there is no resolver that keeps them.
    pub(crate) free: Vec<u32>,
    /// The cells of all units, sorted, if units walk through each other and none has moved since. Not saved.
    pub(crate) by_cell: Option<Vec<(NodeId, u32)>>,
    pub(crate) routes: Routes,
    /// Exact distances, if the map is small.
    pub(crate) rows: Option<DistanceRows>,
    pub(crate) goals: Goals,
    pub(crate) crowds: Crowds,
    /// Whether any unit ever had a speed that differs from a move a tick.
    pub(crate) has_speeds: bool,
    pub(crate) outbox: Outbox,
}

impl State {
    /// Returns the state of a fleet without units.
    pub(crate) fn new(grid: &Grid, tuning: &Tuning) -> Self {
        Self {
            tuning: *tuning,
            tick: 0,
            units: Vec::new(),
            details: Vec::new(),
            free: Vec::new(),
            by_cell: None,
            routes: Routes::new(),
            rows: DistanceRows::new(grid, tuning.route.row_cells),
            goals: Goals::default(),
            crowds: Crowds::default(),
            has_speeds: false,
            outbox: Outbox::default(),
        }
    }

    /// Adds a unit. `number` is the one that the resolver has given it, if there is a resolver.
    pub(crate) fn spawn(&mut self, number: Option<u32>, team: TeamId, at: NodeId) -> u32 {
        let number = number.or_else(|| self.free.pop()).unwrap_or(self.units.len() as u32);
        if number as usize == self.units.len() {
            self.units.push(Unit::NEW);
            self.details.push(UnitDetails::NEW);
        }
        let (unit, details) = (&mut self.units[number as usize], &mut self.details[number as usize]);
        *unit = Unit { generation: unit.generation, team: team.0, is_there: true, at, ..Unit::NEW };
        *details = UnitDetails { orders: details.orders, ..UnitDetails::NEW };
        self.outbox.requests.reserve(16);
        self.by_cell = None;
        number
    }

    /// Removes a unit. Its number is used again by the resolver, if there is one.
    pub(crate) fn remove(&mut self, number: u32, has_resolver: bool) {
        self.dismiss(number);
        self.by_cell = None;
        if !has_resolver {
            self.free.push(number);
        }
        let known = &mut self.units[number as usize];
        *known = Unit { generation: known.generation.wrapping_add(1), ..Unit::NEW };
        let details = &mut self.details[number as usize];
        *details = UnitDetails { orders: details.orders, ..UnitDetails::NEW };
    }

    /// Returns the id of a unit.
    pub(crate) fn id(&self, number: u32) -> UnitId {
        UnitId { number, generation: self.units[number as usize].generation }
    }

    /// Returns the number of a unit that is there.
    pub(crate) fn number(&self, unit: UnitId) -> Option<u32> {
        let known = self.units.get(unit.index())?;
        (known.is_there && known.generation == unit.generation).then_some(unit.number)
    }

    /// Returns a unit that is there.
    pub(crate) fn get(&self, unit: UnitId) -> Option<&Unit> {
        self.number(unit).map(|number| &self.units[number as usize])
    }

    /// Returns the status of a unit that is there. One that is cut off from its place is so wherever it gathers.
    pub(crate) fn status(&self, unit: UnitId) -> Option<UnitStatus> {
        let known = self.get(unit)?;
        let is_on_its_way =
            matches!(known.status, UnitStatus::Seeking | UnitStatus::Underway | UnitStatus::Arrived);
        Some(if known.is_cut_off && is_on_its_way { UnitStatus::Unreachable } else { known.status })
    }

    /// Returns the ids of all units, by number.
    pub(crate) fn ids(&self) -> impl Iterator<Item = UnitId> + '_ {
        (0..self.units.len() as u32).filter(|&k| self.units[k as usize].is_there).map(|k| self.id(k))
    }

    /// Returns the first unit on a cell, of any number that may be there without collisions.
    pub(crate) fn first_on(&self, at: NodeId) -> Option<u32> {
        self.units.iter().position(|unit| unit.is_there && unit.at == at).map(|k| k as u32)
    }

    /// Returns the id of a unit's order, which is valid until it has another one.
    pub(crate) fn order_of(&self, number: u32) -> OrderId {
        (number, self.details[number as usize].orders)
    }

    /// Returns the bytes held for units.
    pub(crate) fn unit_bytes(&self) -> usize {
        let units = self.units.capacity() * (size_of::<Unit>() + size_of::<UnitDetails>());
        let rows = self.rows.as_ref().map_or(0, DistanceRows::memory_bytes);
        units + rows + self.routes.memory_bytes() + 40 * self.goals.len() + self.crowds.memory_bytes()
    }

    /// Returns all units, to be read.
    pub(crate) fn roster(&self) -> Roster<'_> {
        Roster { units: &self.units, details: &self.details }
    }

    /// Returns the first points of a unit's route, if it has one.
    #[inline]
    pub(crate) fn head(&self, unit: &Unit) -> Option<RouteHead> {
        self.routes.head(unit.route, &unit.head)
    }

    /// Returns the cells that a unit is going to walk, the next one first, as far as they are known.
    pub(crate) fn path(&self, knowledge: &Knowledge, unit: UnitId) -> Vec<NodeId> {
        let Some(known) = self.get(unit) else { return Vec::new() };
        if let Some(row) = known.goes_by_row() {
            let rows = self.rows.iter();
            return rows.flat_map(|rows| rows.downhill(knowledge.grid(), row, known.at)).collect();
        }
        self.routes.path(known.route, knowledge.grid(), knowledge.sight(known.team), known.at)
    }

    /// Returns the cell that a unit is going to enter next, if it is known.
    pub(crate) fn next(&self, knowledge: &Knowledge, unit: UnitId) -> Option<NodeId> {
        let known = self.get(unit)?;
        if let Some(row) = known.goes_by_row() {
            return self.rows.as_ref()?.downhill(knowledge.grid(), row, known.at).next();
        }
        self.routes.next(known.route, knowledge.grid(), knowledge.sight(known.team), known.at)
    }

    /// Returns the cells at which a unit is going to turn, the next one first, and its goal, as far as they are known.
    pub(crate) fn corners_ahead(
        &self,
        knowledge: &Knowledge,
        unit: UnitId,
    ) -> impl Iterator<Item = NodeId> + '_ {
        let known = self.get(unit);
        let row = known.and_then(Unit::goes_by_row);
        let path = if row.is_some() { self.path(knowledge, unit) } else { Vec::new() };
        let from = known.map_or(NodeId::NONE, |unit| unit.at);
        let turns = crate::fleet::route::store::turns(knowledge.grid(), from, &path);
        let route = known.map_or(crate::fleet::cell_set::NONE, Unit::route);
        turns.into_iter().chain(self.routes.walk(route).map(|point| point.cell))
    }
}
