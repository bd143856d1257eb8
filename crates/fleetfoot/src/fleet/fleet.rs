//! The façade: what a game can do with a fleet, and ask of it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::guide::Guide;
use crate::fleet::knowledge::team::Team;
use crate::fleet::knowledge::{Edit, Knowledge};
use crate::fleet::moves::resolver::Resolver;
use crate::fleet::scheduler::Scheduler;
use crate::fleet::scheduler::deadline::TimeReserve;
use crate::fleet::state::State;
use crate::fleet::state::unit::Unit;
use crate::fleet::tuning::FleetConfig;
use crate::fleet::types::{
    Event, Events, FleetError, Goal, Speed, Summary, TeamId, UnitId, UnitStatus, Vision,
};
use crate::grid::{GridError, Reachability};
use crate::id::NodeId;
use crate::map::Map;
use crate::meter::{Meter, Prices};

/// Many units on one map, moved together.
///
/// ```
/// use fleetfoot::fleet::{Event, Fleet, Goal, TeamId};
/// use fleetfoot::Map;
/// let map = Map::new(64, 64, |x, y| x != 32 || (28..36).contains(&y))?;
/// let (door, camp) = (map.node(32, 30).unwrap(), map.node(50, 50).unwrap());
/// let mut fleet = Fleet::new(map);
/// let mut units = Vec::new();
/// for k in 0..40 {
///     let cell = fleet.map().node(2 + k % 8, 2 + k / 8).unwrap();
///     units.push(fleet.spawn(TeamId::FIRST, cell)?);
/// }
/// fleet.order(&units, Goal::near(camp));
/// let mut arrived = 0;
/// for tick in 0..200 {
///     if tick == 20 {
///         fleet.set(door, 0)?; // a wall in the gap: they go around it
///     }
///     for event in fleet.tick(2000) {
///         arrived += u32::from(matches!(event, Event::Arrived { .. }));
///     }
/// }
/// assert_eq!(arrived, 40);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fleet {
    pub(crate) config: FleetConfig,
    /// What teams know.
    pub(crate) knowledge: Knowledge,
    /// Units, crowds, and routes.
    pub(crate) state: State,
    /// Searches, under way and to come.
    pub(crate) scheduler: Scheduler,
    /// What cells cost units.
    pub(crate) guide: Guide,
    /// Moves units so that none share a cell. None if they walk through each other.
    pub(crate) resolver: Option<Resolver>,
    /// The next cells of units that walk through each other.
    pub(crate) next: Vec<NodeId>,
    pub(crate) timing: Timing,
    pub(crate) events: Arc<Vec<Event>>,
    pub(crate) summary: Summary,
}

/// How time and work are divided in later ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing {
    /// Time that is kept for what follows when units have planned, under a deadline.
    pub(crate) reserve: TimeReserve,
    /// Work of joint searches that is still to be paid for.
    pub(crate) owed: u64,
}

impl Fleet {
    /// Returns a fleet without units on a map. It has one team, which knows the whole map: [`TeamId::FIRST`].
    pub fn new(map: Map) -> Self {
        Self::with(map, FleetConfig::default())
    }

    /// Returns a fleet with other parameters.
    pub fn with(map: Map, mut config: FleetConfig) -> Self {
        config.tuning = config.tuning.within_ranges();
        config.resolver.tuning = config.resolver.tuning.within_ranges();
        let tuning = config.tuning;
        let knowledge = Knowledge::new(map, tuning.fog);
        let grid = knowledge.grid();
        let state = State::new(grid, &tuning);
        // On small maps, which are soon crowded, chance does better.
        config.resolver.keeps_right &= state.rows.is_none();
        Self {
            config,
            scheduler: Scheduler::new(grid, tuning.search, config.least_group),
            guide: Guide::new(grid, 0),
            resolver: config.collisions.then(|| Resolver::new(grid, config.resolver)),
            next: Vec::new(),
            timing: Timing::default(),
            events: Arc::default(),
            summary: Summary::default(),
            state,
            knowledge,
        }
    }

    /// Returns the parameters.
    pub fn config(&self) -> FleetConfig {
        self.config
    }

    /// Adds a team. It takes some bytes for each cell of the map unless it knows everything.
    pub fn add_team(&mut self, vision: Vision) -> Result<TeamId, FleetError> {
        self.knowledge.add_team(vision).map(TeamId)
    }

    /// Puts a new unit on a cell.
    pub fn spawn(&mut self, team: TeamId, at: NodeId) -> Result<UnitId, FleetError> {
        if team.index() >= self.knowledge.teams.len() {
            return Err(FleetError::NoTeam);
        }
        let number = match &mut self.resolver {
            Some(resolver) => Some(resolver.place(self.knowledge.grid(), at)?),
            None if !self.knowledge.map.is_free(at) => return Err(FleetError::Blocked),
            None => None,
        };
        let number = self.state.spawn(number, team, at);
        self.guide.spawn(number);
        Arc::make_mut(&mut self.events).reserve(3 * self.state.units.len());
        Ok(self.state.id(number))
    }

    /// Removes a unit. Returns `true` if it was there.
    pub fn remove(&mut self, unit: UnitId) -> bool {
        let Some(number) = self.state.number(unit) else { return false };
        self.state.remove(number, self.resolver.is_some());
        if let Some(resolver) = &mut self.resolver {
            resolver.remove(number);
        }
        self.submit();
        true
    }

    /// Puts a unit on another cell. It keeps its order.
    pub fn teleport(&mut self, unit: UnitId, to: NodeId) -> Result<(), FleetError> {
        let number = self.state.number(unit).ok_or(FleetError::NoUnit)?;
        if !self.knowledge.map.is_free(to) {
            return Err(FleetError::Blocked);
        }
        if self.at(unit) != Some(to) {
            if let Some(resolver) = &mut self.resolver {
                resolver.move_to(self.knowledge.grid(), number, to)?;
            }
            let place = |unit: &mut Unit| (unit.at, unit.status) = (to, UnitStatus::Idle);
            self.state.set_out_again(&self.knowledge, number, NodeId::NONE, place);
            self.submit();
        }
        Ok(())
    }

    /// Gives a unit another speed.
    pub fn set_speed(&mut self, unit: UnitId, speed: Speed) -> Result<(), FleetError> {
        let number = self.state.number(unit).ok_or(FleetError::NoUnit)?;
        self.state.set_speed(number, speed);
        Ok(())
    }

    /// Returns the speed of a unit.
    pub fn speed(&self, unit: UnitId) -> Option<Speed> {
        self.state.number(unit).map(|number| self.state.details[number as usize].speed)
    }

    /// Lets the searches for a unit come before those for others, or no longer: for units that are on the screen, say. The
    /// others still have their share.
    pub fn prefer(&mut self, unit: UnitId, first: bool) -> Result<(), FleetError> {
        let number = self.state.number(unit).ok_or(FleetError::NoUnit)?;
        self.state.details[number as usize].is_preferred = first;
        Ok(())
    }

    /// Gives a cell of the map another weight: 0 blocks it, 1 makes it plain ground. A unit on a cell that is blocked is buried: it
    /// stays until it is put elsewhere or the cell is freed. Returns `true` if the weight has changed.
    pub fn set(&mut self, at: NodeId, weight: u8) -> Result<bool, GridError> {
        let edit = self.knowledge.set(at, weight, self.state.tick)?;
        if edit != Edit::Nothing {
            if let Some(resolver) = &mut self.resolver {
                resolver.map_changed(self.knowledge.grid(), at);
            }
            let units = match &self.resolver {
                Some(resolver) => resolver.unit_on(at).into_iter().collect(),
                None => self.state.units_on(at),
            };
            self.state.apply_edit(&self.knowledge, edit, units);
            self.submit();
        }
        Ok(edit != Edit::Nothing)
    }

    /// Sends units somewhere: they set out with the next tick. Units that are no longer there are skipped. Returns the number of units that
    /// have the order. The next ticks' events report goals that cannot be reached.
    pub fn order(&mut self, units: &[UnitId], goal: Goal) -> usize {
        let count = self.state.order(&self.knowledge, units, goal, self.config.least_group);
        self.submit();
        count
    }

    /// Lets units forget their orders: they stay, and step aside for others.
    pub fn stop(&mut self, units: &[UnitId]) {
        self.state.stop(units);
        self.submit();
    }

    /// Moves all units, then goes on with searches, for at most `work` expansions' worth of work; all work is charged
    /// ([`Prices::ALL_WORK`]). Returns what happened, in order.
    pub fn tick(&mut self, work: u64) -> Events {
        self.tick_with(&mut Meter::priced(work, Prices::ALL_WORK))
    }

    /// Runs a tick within a meter, such as one with a deadline ([`Meter::with_deadline`]). Moving units has a cost of its own for each
    /// unit, some tenths of a microsecond, and a budget of work never refuses it. Under a deadline it has to be done in time: if there is
    /// not enough for all, units plan in turn ([`Summary::left_out`]), so that the tick still ends in time.
    pub fn tick_with(&mut self, meter: &mut Meter) -> Events {
        self.run_tick(meter);
        Events { all: Arc::clone(&self.events), next: 0 }
    }

    /// Returns what happened in the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns a summary of the last tick.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Returns the number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.state.tick
    }

    /// Returns the map. It is edited by [`set`](Self::set).
    pub fn map(&self) -> &Map {
        &self.knowledge.map
    }

    /// Returns the map as a team knows it: what it has not seen is free.
    pub fn known_map(&self, team: TeamId) -> Option<&Map> {
        self.knowledge.teams.get(team.index()).map(|team| team.map(&self.knowledge.map))
    }

    /// Returns `true` if a team has seen a cell.
    pub fn has_seen(&self, team: TeamId, at: NodeId) -> bool {
        self.knowledge.has_seen(team.index(), at)
    }

    /// Returns the number of teams.
    pub fn teams(&self) -> usize {
        self.knowledge.teams.len()
    }

    /// Returns what a team can know.
    pub fn vision(&self, team: TeamId) -> Option<Vision> {
        self.knowledge.teams.get(team.index()).map(Team::vision)
    }

    /// Returns the units that are there, in the order of their numbers.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.state.ids()
    }

    /// Returns the cell of a unit.
    pub fn at(&self, unit: UnitId) -> Option<NodeId> {
        self.state.get(unit).map(|unit| unit.at)
    }

    /// Returns the cell that a unit is sent to. That of a unit that was sent near a cell may change: others that were sent
    /// there exchange theirs with it ([`Event::Exchanged`]), and if its own turns out to be a wall it gets another one.
    pub fn goal(&self, unit: UnitId) -> Option<NodeId> {
        self.state.get(unit).and_then(|unit| unit.goal.some())
    }

    /// Returns a unit's team.
    pub fn team(&self, unit: UnitId) -> Option<TeamId> {
        self.state.get(unit).map(|unit| TeamId(unit.team))
    }

    /// Returns a unit's status.
    pub fn status(&self, unit: UnitId) -> Option<UnitStatus> {
        self.state.status(unit)
    }

    /// Returns the unit that blocks a unit, if one does.
    pub fn blocked_by(&self, unit: UnitId) -> Option<UnitId> {
        let known = self.state.get(unit).filter(|unit| unit.blocked_by != NONE);
        known.map(|unit| self.state.id(unit.blocked_by))
    }

    /// Returns the number of ticks for which a unit has made no progress; 0 if units walk through each other.
    pub fn stalled(&self, unit: UnitId) -> u64 {
        let resolver = self.resolver.as_ref();
        self.state.number(unit).and_then(|number| Some(resolver?.stalled(number))).unwrap_or(0)
    }

    /// Returns the unit on a cell; the first one if units walk through each other.
    pub fn unit_on(&self, at: NodeId) -> Option<UnitId> {
        let number = match &self.resolver {
            Some(resolver) => resolver.unit_on(at),
            None => self.state.first_on(at),
        };
        number.map(|number| self.state.id(number))
    }

    /// Returns the cells that a unit is going to walk, the next one first, as far as they are known.
    pub fn path(&self, unit: UnitId) -> Vec<NodeId> {
        self.state.path(&self.knowledge, unit)
    }

    /// Returns the cell that a unit is going to enter next, if it is known.
    pub fn next(&self, unit: UnitId) -> Option<NodeId> {
        self.state.next(&self.knowledge, unit)
    }

    /// Returns the cells at which a unit is going to turn, the next one first, and its goal, as far as they are known.
    pub fn corners_ahead(&self, unit: UnitId) -> impl Iterator<Item = NodeId> + '_ {
        self.state.corners_ahead(&self.knowledge, unit)
    }

    /// Returns the corners (or cells, if the map has no index of corners) that long searches under way have found and not expanded, for a
    /// debug view. One may be there twice.
    pub fn open_corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.scheduler.open_corners()
    }

    /// Returns whether a unit can reach a goal, as far as its team knows.
    pub fn reachability(&self, unit: UnitId, goal: NodeId) -> Option<Reachability> {
        let known = self.state.get(unit)?;
        Some(self.knowledge.map_of(known.team).reachability(known.at, goal))
    }

    /// Returns the bytes held for units: what grows with their number.
    pub fn memory_bytes(&self) -> usize {
        let resolver = self.resolver.as_ref().map_or(0, Resolver::unit_bytes);
        let events = self.events.capacity() * size_of::<Event>();
        self.state.unit_bytes() + self.guide.memory_bytes() + resolver + events
    }

    /// Returns the bytes that all units share: the map and its indices, what teams know, searches under way.
    pub fn shared_bytes(&self) -> usize {
        let resolver = self.resolver.as_ref().map_or(0, Resolver::map_bytes);
        let slots = self.state.goals.slot_bytes();
        self.knowledge.memory_bytes() + resolver + slots + self.scheduler.memory_bytes()
    }
}
