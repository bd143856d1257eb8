//! The resolver: one joint move of all units a tick.

use alloc::vec::Vec;
use core::fmt;

use crate::fleet::cell_set::CellSet;
use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::costs::{Costs, Plain};
use crate::fleet::resolver::neighbors::OWN;
use crate::fleet::resolver::pibt::Pibt;
use crate::fleet::resolver::rounds::PlanningRounds;
use crate::fleet::tuning::ResolverConfig;
use crate::fleet::types::Report;
use crate::fleet::unjam::groups::StuckGroups;
use crate::fleet::unjam::lanes::Lanes;
use crate::fleet::unjam::penalties::Penalties;
use crate::fleet::unjam::progress::Progress;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

/// Why a unit cannot be put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceError {
    /// The cell is blocked, or not on the map.
    Blocked,
    /// Another unit occupies the cell.
    Taken,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocked => "no unit can stand on a blocked cell or outside the map; choose a free one",
            Self::Taken => "another unit stands there; choose a cell without a unit",
        })
    }
}

impl core::error::Error for PlaceError {}

impl From<PlaceError> for crate::fleet::types::FleetError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Blocked => Self::Blocked,
            PlaceError::Taken => Self::Taken,
        }
    }
}

/// What came of units' plans.
pub(crate) struct Planned {
    pub(crate) led: u32,
    pub(crate) swaps: u32,
}

/// Moves all units of a map, tick by tick.
#[derive(Clone, Debug)]
pub struct Resolver {
    pub(crate) config: ResolverConfig,
    pub(crate) tick: u64,
    pub(crate) pibt: Pibt,
    pub(crate) units: Vec<Progress>,
    /// Units that are not at their goal, longest waiting first, then by number.
    pub(crate) order: Vec<u32>,
    pub(crate) penalties: Penalties,
    /// Units that may lead a group out of a jam, because they have made no progress for long, as of this tick.
    pub(crate) stuck: CellSet,
    /// Units that are at their goals after this tick.
    pub(crate) at_home: CellSet,
    /// The numbers of units that were removed.
    pub(crate) free: Vec<u32>,
    /// Whether any unit must not move in this tick.
    pub(crate) is_anybody_resting: bool,
    /// The turns of units to plan, if there is no time for all. Not saved: it depends on the clock alone.
    pub(crate) turns: PlanningRounds,
    pub(crate) lanes: Option<Lanes>,
    pub(crate) clusters: Option<StuckGroups>,
}

impl Resolver {
    /// Returns a resolver without units.
    pub fn new(grid: &Grid, config: ResolverConfig) -> Self {
        let mut pibt = Pibt::new(grid.bound());
        (pibt.swaps, pibt.empty_pockets, pibt.steady) = (config.swaps, config.empty_pockets, config.steady);
        Self {
            config,
            tick: 0,
            pibt,
            units: Vec::new(),
            order: Vec::new(),
            penalties: Penalties::default(),
            stuck: CellSet::default(),
            at_home: CellSet::default(),
            free: Vec::new(),
            is_anybody_resting: false,
            turns: PlanningRounds::default(),
            lanes: config.lanes.then(|| Lanes::new(grid, config.tuning)),
            clusters: config.joint_searches.then(|| StuckGroups::new(grid, config)),
        }
    }

    /// Puts a unit on a cell, and returns its number.
    pub fn place(&mut self, grid: &Grid, cell: NodeId) -> Result<u32, PlaceError> {
        if cell.index() >= grid.bound() || !grid.is_free(cell) {
            return Err(PlaceError::Blocked);
        }
        if self.unit_on(cell).is_some() {
            return Err(PlaceError::Taken);
        }
        let unit = self.free.pop().unwrap_or_else(|| {
            self.add_room();
            self.units.push(Progress::NEW);
            self.units.len() as u32 - 1
        });
        self.units[unit as usize] = Progress { gained: self.now(), since: self.now(), ..Progress::NEW };
        self.pibt.place(unit, cell.raw());
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_at(cell.raw());
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.entered(cell.raw());
        }
        Ok(unit)
    }

    /// Makes room for another unit in all tables, so that ticks allocate nothing.
    pub(crate) fn add_room(&mut self) {
        self.pibt.grow();
        self.penalties.grow();
        self.stuck.grow(self.pibt.pieces.len());
        self.at_home.grow(self.pibt.pieces.len());
        self.turns.grow(self.pibt.pieces.len());
        self.order.reserve(self.units.len() + 1);
        self.free.reserve(self.units.len() + 1);
        if let Some(clusters) = &mut self.clusters {
            clusters.grow();
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.grow();
        }
    }

    /// Takes a unit off the map. Its number may be given to another one later.
    pub fn remove(&mut self, unit: u32) {
        let Some(cell) = self.at(unit) else { return };
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_unit(unit);
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.left(cell.raw());
        }
        self.pibt.lift(unit);
        self.order.retain(|&other| other != unit);
        self.units[unit as usize] = Progress::NEW;
        self.penalties.forget(unit);
        self.free.push(unit);
    }

    /// Puts a unit on another cell.
    pub fn move_to(&mut self, grid: &Grid, unit: u32, to: NodeId) -> Result<(), PlaceError> {
        if to.index() >= grid.bound() || !grid.is_free(to) {
            return Err(PlaceError::Blocked);
        }
        if self.unit_on(to).is_some_and(|other| other != unit) {
            return Err(PlaceError::Taken);
        }
        let Some(from) = self.at(unit) else { return Ok(()) };
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_unit(unit);
            clusters.drop_at(to.raw());
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.moved(from.raw(), to.raw());
        }
        self.pibt.lift(unit);
        self.pibt.place(unit, to.raw());
        self.renew(unit);
        Ok(())
    }

    /// Returns for how many ticks a unit has made no progress towards its goal.
    pub fn stalled(&self, unit: u32) -> u64 {
        let known = self.units.get(unit as usize).filter(|unit| unit.waiting > 0);
        known.map_or(0, |unit| u64::from(self.age(unit.since)))
    }

    /// Returns this tick, as stored with units.
    pub(crate) fn now(&self) -> u32 {
        self.tick as u32
    }

    /// Returns the number of ticks since `then`.
    pub(crate) fn age(&self, then: u32) -> u32 {
        self.now().wrapping_sub(then)
    }

    /// Returns the bytes held for units.
    pub fn unit_bytes(&self) -> usize {
        let tries = self.clusters.as_ref().map_or(0, StuckGroups::unit_bytes);
        let sets = self.stuck.memory_bytes() + self.at_home.memory_bytes() + self.turns.memory_bytes();
        let lists = 4 * (self.order.capacity() + self.free.capacity());
        self.units.capacity() * size_of::<Progress>()
            + lists
            + tries
            + sets
            + self.penalties.memory_bytes()
            + self.pibt.unit_bytes()
    }

    /// Returns the bytes held for the map and for joint searches, whatever the number of units.
    pub fn map_bytes(&self) -> usize {
        let lanes = self.lanes.as_ref().map_or(0, Lanes::memory_bytes);
        let clusters = self.clusters.as_ref().map_or(0, StuckGroups::map_bytes);
        self.pibt.map_bytes() + lanes + clusters
    }

    /// Returns the cell of a unit. Returns `None` if there is no such unit.
    pub fn at(&self, unit: u32) -> Option<NodeId> {
        self.pibt.pieces.get(unit as usize).and_then(|piece| NodeId::new(piece.at).some())
    }

    /// Returns the cells of all units, by number; [`NodeId::NONE`] for removed units.
    pub fn cells(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.pibt.pieces.iter().map(|piece| NodeId::new(piece.at))
    }

    /// Returns the unit on a cell.
    pub fn unit_on(&self, cell: NodeId) -> Option<u32> {
        self.pibt.now_on.get(cell.index()).copied().filter(|&unit| unit != NONE)
    }

    /// Returns the unit that occupies, after the moves, the cell that this unit wanted most.
    pub(crate) fn blocker(&self, grid: &Grid, unit: u32) -> Option<u32> {
        let place = self.pibt.pieces[unit as usize].wanted as usize;
        let at = self.at(unit).filter(|_| place != OWN)?;
        self.unit_on(grid.beside(at, place))
    }

    /// Returns the number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// Keeps a unit where it is in the next tick. The others plan around it: for slower units.
    pub fn rest(&mut self, unit: u32) {
        if let Some(unit) = self.units.get_mut(unit as usize) {
            unit.rests = true;
            self.is_anybody_resting = true;
        }
    }

    /// Forgets a unit's progress, because its goal has changed.
    pub fn renew(&mut self, unit: u32) {
        let now = self.now();
        if let Some(known) = self.units.get_mut(unit as usize) {
            (known.best, known.gained, known.since) = (NONE, now, now);
            known.ousted = 0;
            self.penalties.forget(unit);
            if let Some(clusters) = &mut self.clusters {
                clusters.drop_leader(unit);
            }
        }
    }

    /// Updates what depends on the map, because the grid has changed at this cell.
    pub fn map_changed(&mut self, grid: &Grid, cell: NodeId) {
        if cell.index() >= grid.bound() {
            return;
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.map_changed(grid, cell, &self.pibt.now_on);
        }
        if let Some(clusters) = &mut self.clusters {
            clusters.drop_all();
        }
    }

    /// Moves all units by one tick. `budget` limits the joint searches for groups that are stuck, in moves of single units; the rest of the
    /// work is fixed: one ranking per unit.
    pub fn tick(&mut self, grid: &Grid, costs: &mut impl Costs, budget: u64) -> Report {
        let costs = &mut Plain(costs);
        let planned = self.plan(grid, costs, None::<fn() -> bool>);
        let mut report = self.move_all(grid, costs, planned);
        report.work = self.think(grid, costs, budget, || true);
        report
    }
}
