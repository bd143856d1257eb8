//! The fleet: units on a map, what they are told, and what can be asked of them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::courses::{Course, Slopes};
use super::crowds::Crowds;
use super::desks::Desks;
use super::ground::NONE;
use super::orders::Slots;
use super::pace::Pace;
use super::resolve::{PlaceError, Report, Resolver, ResolverConfig};
use super::rows::Rows;
use super::sight::Sight;
use super::teams::Team;
use super::units::{Details, Event, FleetError, Ranks, Speed, Status, TeamId, Unit, UnitId, Vision};
use super::upkeep::Upkeep;
use super::ways::Ways;
use crate::corners::{Cell, Corners, Walk, cell, node};
use crate::graph::{Grid, GridError, Reach};
use crate::id::NodeId;
use crate::map::Map;
use crate::meter::{Meter, Prices};

/// Parameters of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FleetConfig {
    /// Whether units keep off each other. If not, they walk through each other, and any number can stand on a cell.
    pub collisions: bool,
    /// How they keep off each other.
    pub resolver: ResolverConfig,
    /// From so many units of one order on, one search from their common goal serves them all.
    pub least_group: usize,
}

impl Default for FleetConfig {
    fn default() -> Self {
        Self { collisions: true, resolver: ResolverConfig::default(), least_group: 6 }
    }
}

/// What the last tick was like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Units that moved.
    pub moved: u32,
    /// Units that are not at their goals, of those that can get there.
    pub underway: u32,
    /// Units whose way is still being searched for.
    pub seeking: u32,
    /// Units that stood since there was no time for their plans: only where the clock is the limit.
    pub left_out: u32,
    /// What was spent, in expansions; all work is charged.
    pub work: u64,
    /// Searches that came to their end.
    pub searches: u32,
    /// What the resolver says.
    pub resolver: Report,
}

/// The events of a tick, one after the other. They are not bound to the fleet, so that it can be told what to do next while they
/// are looked at. Dropped before the next tick, they cost no memory of their own.
#[derive(Clone, Debug)]
pub struct Events {
    all: Arc<Vec<Event>>,
    next: usize,
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.all.get(self.next).copied();
        self.next += usize::from(event.is_some());
        event
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.all.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Events {}

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
///         fleet.set(door, 0)?; // a wall in the gap: they go round it
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
    pub(super) config: FleetConfig,
    pub(super) map: Map,
    pub(super) sight: Sight,
    pub(super) teams: Vec<Team>,
    /// By unit: what every tick asks for, and the rest.
    pub(super) units: Vec<Unit>,
    pub(super) details: Vec<Details>,
    /// By unit: what the cells around it are worth to it, where its course does not tell.
    pub(super) ranks: Vec<Ranks>,
    /// By unit: the tick that its ranks are of, and one more.
    pub(super) ranked: Vec<u32>,
    /// By unit: where it is heading.
    pub(super) courses: Vec<Course>,
    pub(super) slopes: Slopes,
    /// The tick before which cells were last blocked or freed.
    pub(super) edited: u64,
    /// Numbers of units that were removed, where there is no resolver that keeps them.
    pub(super) free: Vec<u32>,
    pub(super) ways: Ways,
    /// Exact distances, where the map is small.
    pub(super) rows: Option<Rows>,
    pub(super) resolver: Option<Resolver>,
    pub(super) desks: Desks,
    /// By goal: how many units have it.
    pub(super) wanted: BTreeMap<NodeId, u32>,
    pub(super) crowds: Crowds,
    /// The last look for cells around one; made again where it is missing.
    pub(super) around: Option<Slots>,
    pub(super) events: Arc<Vec<Event>>,
    pub(super) summary: Summary,
    pub(super) tick: u64,
    /// Whether any unit was ever given another speed than a move a tick.
    pub(super) has_speeds: bool,
    pub(super) upkeep: Upkeep,
    /// What told the map from others when units in the fog last looked around.
    pub(super) looked: Option<u64>,
    /// Work of the resolver's joint searches that is still to be paid for.
    pub(super) owed: u64,
    /// How time is divided where the clock is the limit.
    pub(super) pace: Pace,
}

impl Fleet {
    /// A fleet without units on a map. One team is there, which knows the whole map: [`TeamId::FIRST`].
    pub fn new(map: Map) -> Self {
        Self::with(map, FleetConfig::default())
    }

    /// The same with other parameters.
    pub fn with(mut map: Map, mut config: FleetConfig) -> Self {
        map.change_corners(Corners::widen);
        let grid = map.grid();
        let rows = Rows::new(grid);
        // On small maps, which are soon crowded, chance does better.
        config.resolver.keeps_right &= rows.is_none();
        Self {
            config,
            sight: Sight::new(grid),
            teams: Vec::from([Team::knowing_all()]),
            units: Vec::new(),
            details: Vec::new(),
            ranks: Vec::new(),
            ranked: Vec::new(),
            courses: Vec::new(),
            slopes: Slopes::new(grid),
            edited: 0,
            free: Vec::new(),
            ways: Ways::new(),
            rows,
            resolver: config.collisions.then(|| Resolver::new(grid, config.resolver)),
            desks: Desks::new(grid),
            wanted: BTreeMap::new(),
            crowds: Crowds::default(),
            around: None,
            events: Arc::default(),
            summary: Summary::default(),
            tick: 0,
            has_speeds: false,
            upkeep: Upkeep::new(),
            looked: None,
            owed: 0,
            pace: Pace::default(),
            map,
        }
    }

    /// Adds a team. It takes some bytes for each cell of the map if it does not know everything.
    pub fn add_team(&mut self, vision: Vision) -> Result<TeamId, FleetError> {
        let id = u16::try_from(self.teams.len()).map_err(|_| FleetError::TooManyTeams)?;
        self.teams.push(Team::new(&self.map, vision).map_err(FleetError::Map)?);
        Ok(TeamId(id))
    }

    /// Puts a new unit on a cell.
    pub fn spawn(&mut self, team: TeamId, at: NodeId) -> Result<UnitId, FleetError> {
        if team.index() >= self.teams.len() {
            return Err(FleetError::NoTeam);
        }
        let number = match &mut self.resolver {
            Some(resolver) => resolver.place(self.map.grid(), at).map_err(|error| match error {
                PlaceError::Blocked => FleetError::Blocked,
                PlaceError::Taken => FleetError::Taken,
            })?,
            None if !self.map.is_free(at) => return Err(FleetError::Blocked),
            None => self.free.pop().unwrap_or(self.units.len() as u32),
        };
        if number as usize == self.units.len() {
            self.units.push(Unit::NEW);
            self.details.push(Details::NEW);
            self.ranks.push(Ranks::NONE);
            self.ranked.push(0);
            self.courses.push(Course::IDLE);
        }
        let (unit, details) = (&mut self.units[number as usize], &mut self.details[number as usize]);
        *unit = Unit { generation: unit.generation, team: team.0, is_there: true, at, ..Unit::NEW };
        *details = Details { orders: details.orders, ..Details::NEW };
        (self.ranked[number as usize], self.courses[number as usize]) = (0, Course::IDLE);
        Arc::make_mut(&mut self.events).reserve(3 * self.units.len());
        Ok(self.id(number))
    }

    pub(super) fn id(&self, number: u32) -> UnitId {
        UnitId { number, generation: self.units[number as usize].generation }
    }

    /// The number of a unit that is there.
    pub(super) fn number(&self, unit: UnitId) -> Option<u32> {
        let known = self.units.get(unit.index())?;
        (known.is_there && known.generation == unit.generation).then_some(unit.number)
    }

    /// Takes a unit away; whether it was there.
    pub fn remove(&mut self, unit: UnitId) -> bool {
        let Some(number) = self.number(unit) else { return false };
        self.dismiss(number);
        match &mut self.resolver {
            Some(resolver) => resolver.remove(number),
            None => self.free.push(number),
        }
        let known = &mut self.units[number as usize];
        *known = Unit { generation: known.generation.wrapping_add(1), ..Unit::NEW };
        let details = &mut self.details[number as usize];
        *details = Details { orders: details.orders, ..Details::NEW };
        true
    }

    /// Puts a unit elsewhere. It keeps its order.
    pub fn teleport(&mut self, unit: UnitId, to: NodeId) -> Result<(), FleetError> {
        let number = self.number(unit).ok_or(FleetError::NoUnit)?;
        if !self.map.is_free(to) {
            return Err(FleetError::Blocked);
        }
        if self.units[number as usize].at == to {
            return Ok(());
        }
        if let Some(resolver) = &mut self.resolver {
            resolver.move_to(self.map.grid(), number, to).map_err(|_| FleetError::Taken)?;
        }
        self.set_out_again(number, |unit| (unit.at, unit.status) = (to, Status::Idle));
        Ok(())
    }

    /// Gives a unit another speed.
    pub fn set_speed(&mut self, unit: UnitId, speed: Speed) -> Result<(), FleetError> {
        let number = self.number(unit).ok_or(FleetError::NoUnit)?;
        let known = &mut self.details[number as usize];
        known.speed = speed;
        self.has_speeds |= speed != Speed::EveryTicks(1);
        // A move that was made at the old speed is rested from no longer than at the new one.
        match speed {
            Speed::EveryTicks(ticks) => {
                known.ready = known.ready.min(self.tick + u64::from(ticks.max(1)) - 1);
            }
            Speed::Hundredths(_) => known.ready = 0,
        }
        Ok(())
    }

    /// How fast a unit is.
    pub fn speed(&self, unit: UnitId) -> Option<Speed> {
        self.number(unit).map(|number| self.details[number as usize].speed)
    }

    /// Lets the searches for a unit come before those for others, or no longer: for units that are on the screen, say. The
    /// others still have their share.
    pub fn prefer(&mut self, unit: UnitId, first: bool) -> Result<(), FleetError> {
        let number = self.number(unit).ok_or(FleetError::NoUnit)?;
        self.details[number as usize].is_preferred = first;
        Ok(())
    }

    /// Gives a cell of the map another weight: 0 blocks it, 1 makes it plain ground. A unit that stands on a cell that is
    /// blocked is buried: it stands until it is put elsewhere, or the cell is freed. Tells whether the cell was another.
    pub fn set(&mut self, at: NodeId, weight: u8) -> Result<bool, GridError> {
        let was_free = self.map.is_free(at);
        if !self.map.set(at, weight)? {
            return Ok(false);
        }
        let is_free = weight > 0;
        if was_free != is_free {
            self.sight.edit(cell(self.map.grid(), at), is_free);
            self.edited = self.tick;
            for team in self.teams.iter_mut().filter(|team| team.fog.is_none()) {
                team.changed(at, is_free);
            }
        }
        // Weights change which ways are good, too.
        if was_free == is_free {
            for team in self.teams.iter_mut().filter(|team| team.fog.is_none()) {
                team.changed(at, true);
            }
        }
        if let Some(resolver) = &mut self.resolver {
            resolver.map_changed(self.map.grid(), at);
        }
        self.void_rows();
        if !was_free && is_free {
            // Its own team may never have learned of the wall.
            let is_buried = |unit: &Unit| unit.is_there && unit.at == at && unit.status == Status::Buried;
            if let Some(number) = self.units.iter().position(is_buried) {
                self.dig_out(number as u32);
            }
        }
        if was_free && !is_free {
            for number in 0..self.units.len() as u32 {
                if self.units[number as usize].is_there && self.units[number as usize].at == at {
                    self.bury(number);
                }
            }
        }
        Ok(true)
    }

    /// Moves all units, then continues searches, for at most so many expansions' worth of work; all work is charged
    /// ([`Prices::ALL_WORK`]). Returns what happened, in order.
    pub fn tick(&mut self, work: u64) -> Events {
        self.tick_with(&mut Meter::priced(work, Prices::ALL_WORK))
    }

    /// The same within a meter: by the clock, say ([`Meter::with_deadline`]). Moving everybody has a cost of its own for each
    /// unit, some tenths of a microsecond, and a budget of work never refuses it. By the clock it has to be done in time: where there is
    /// not enough for all, units plan in turn ([`Summary::left_out`]), so that the tick ends in time all the same.
    pub fn tick_with(&mut self, meter: &mut Meter) -> Events {
        self.advance(meter);
        Events { all: Arc::clone(&self.events), next: 0 }
    }

    /// What happened in the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What the last tick was like.
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Ticks so far.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// The map. It is edited by [`set`](Self::set).
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The map as a team knows it: what it has not seen is free.
    pub fn known_map(&self, team: TeamId) -> Option<&Map> {
        self.teams.get(team.index()).map(|team| team.map(&self.map))
    }

    /// Whether a team has seen a cell.
    pub fn has_seen(&self, team: TeamId, at: NodeId) -> bool {
        let fog = self.teams.get(team.index()).map(|team| team.fog.as_ref());
        let is_on_map = at.index() < crate::graph::Graph::bound(self.map.grid());
        is_on_map && fog.is_some_and(|fog| fog.is_none_or(|fog| fog.has_seen(at)))
    }

    /// How many teams there are.
    pub fn teams(&self) -> usize {
        self.teams.len()
    }

    /// What a team can know.
    pub fn vision(&self, team: TeamId) -> Option<Vision> {
        self.teams.get(team.index()).map(Team::vision)
    }

    /// The units that are there, in the order of their numbers.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        (0..self.units.len() as u32).filter(|&k| self.units[k as usize].is_there).map(|k| self.id(k))
    }

    /// Where a unit is.
    pub fn at(&self, unit: UnitId) -> Option<NodeId> {
        self.known(unit).map(|unit| unit.at)
    }

    /// Where a unit is to go: the cell that it was given. Of one that was sent near a cell it may change: others that were sent
    /// there exchange theirs with it ([`Event::Exchanged`]), and where its own turns out to be a wall it has another one.
    pub fn goal(&self, unit: UnitId) -> Option<NodeId> {
        self.known(unit).and_then(|unit| unit.goal.some())
    }

    /// A unit's team.
    pub fn team(&self, unit: UnitId) -> Option<TeamId> {
        self.known(unit).map(|unit| TeamId(unit.team))
    }

    /// How a unit fares.
    pub fn status(&self, unit: UnitId) -> Option<Status> {
        self.known(unit).map(|unit| unit.status)
    }

    /// Who stands in a unit's way, if anybody does.
    pub fn blocked_by(&self, unit: UnitId) -> Option<UnitId> {
        self.known(unit).filter(|unit| unit.blocked_by != NONE).map(|unit| self.id(unit.blocked_by))
    }

    /// For how many ticks a unit has come no nearer to its goal; 0 where units walk through each other.
    pub fn stalled(&self, unit: UnitId) -> u64 {
        let resolver = self.resolver.as_ref();
        self.number(unit).and_then(|number| Some(resolver?.stalled(number))).unwrap_or(0)
    }

    fn known(&self, unit: UnitId) -> Option<&Unit> {
        self.number(unit).map(|number| &self.units[number as usize])
    }

    /// The unit on a cell. Where units walk through each other, the first of them.
    pub fn unit_on(&self, at: NodeId) -> Option<UnitId> {
        let found = match &self.resolver {
            Some(resolver) => resolver.unit_on(at),
            None => self.units.iter().position(|unit| unit.is_there && unit.at == at).map(|k| k as u32),
        };
        found.map(|number| self.id(number))
    }

    /// The cells that a unit means to walk, the next one first, as far as that is known.
    pub fn path(&self, unit: UnitId) -> Vec<NodeId> {
        let Some(known) = self.known(unit) else { return Vec::new() };
        let (grid, mut at, mut path) = (self.map.grid(), known.at, Vec::new());
        if let Some(rows) = self.rows.as_ref().filter(|_| known.row != NONE) {
            return rows.downhill(grid, known.row, at).collect();
        }
        let sight = self.teams[known.team as usize].sight(&self.sight);
        for next in self.corners_ahead(unit) {
            // One who has lost sight of its way is led back to it first.
            let (from, to) = (cell(grid, at), cell(grid, next));
            let Some(turn) = sight.turn(from, to) else { break };
            path.extend(leg(grid, from, turn).chain(leg(grid, turn, to)));
            at = next;
        }
        path
    }

    /// The cell that a unit means to enter next, as far as that is known.
    pub fn next(&self, unit: UnitId) -> Option<NodeId> {
        let known = self.known(unit)?;
        let grid = self.map.grid();
        if let Some(rows) = self.rows.as_ref().filter(|_| known.row != NONE) {
            return rows.downhill(grid, known.row, known.at).next();
        }
        let to = self.ways.walk(known.way()).map(|point| point.cell).find(|&n| n != known.at)?;
        let (from, to) = (cell(grid, known.at), cell(grid, to));
        let turn = self.teams[known.team as usize].sight(&self.sight).turn(from, to)?;
        leg(grid, from, turn).chain(leg(grid, turn, to)).next()
    }

    /// The cells at which a unit means to turn, the next one first, and its goal, as far as that is known.
    pub fn corners_ahead(&self, unit: UnitId) -> impl Iterator<Item = NodeId> + '_ {
        let known = self.known(unit);
        let goes_by_row = known.is_some_and(|unit| unit.row != NONE);
        let path = if goes_by_row { self.path(unit) } else { Vec::new() };
        let way = known.map_or(NONE, Unit::way);
        let turns = turns(self.map.grid(), known.map_or(NodeId::NONE, |unit| unit.at), &path);
        turns.into_iter().chain(self.ways.walk(way).map(|point| point.cell))
    }

    /// The corners (or cells, where the map has no index of corners) that long searches under way have found and not yet expanded:
    /// what a debug view draws. One may be there twice.
    pub fn open_corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.desks.long.iter().filter(|desk| desk.is_busy()).flat_map(|desk| desk.seeker.open())
    }

    /// Whether a goal can be reached by a unit, as far as its team knows.
    pub fn reach(&self, unit: UnitId, goal: NodeId) -> Option<Reach> {
        let known = self.known(unit)?;
        Some(self.teams[known.team as usize].map(&self.map).reach(known.at, goal))
    }

    /// Bytes held for the units: what grows with their number.
    pub fn memory_bytes(&self) -> usize {
        let units = self.units.capacity()
            * (size_of::<Unit>() + size_of::<Details>() + size_of::<Ranks>() + size_of::<Course>() + 4);
        let resolver = self.resolver.as_ref().map_or(0, Resolver::unit_bytes);
        let events = self.events.capacity() * size_of::<Event>();
        let rows = self.rows.as_ref().map_or(0, Rows::memory_bytes);
        let goals = 40 * self.wanted.len() + self.crowds.memory_bytes();
        units + resolver + events + rows + self.ways.memory_bytes() + goals
    }

    /// Bytes that all units share: the map and its indices, what teams know, searches under way.
    pub fn shared_bytes(&self) -> usize {
        let teams = self.teams.iter().map(Team::memory_bytes).sum::<usize>();
        let resolver = self.resolver.as_ref().map_or(0, Resolver::map_bytes);
        let indices = self.map.memory_bytes() + self.sight.memory_bytes();
        let slots = self.around.as_ref().map_or(0, Slots::memory_bytes);
        indices + teams + resolver + slots + self.desks.memory_bytes()
    }
}

/// The cells of a path where it turns, and its last one.
fn turns(grid: &Grid, from: NodeId, path: &[NodeId]) -> Vec<NodeId> {
    let mut turns = Vec::new();
    let (mut last, mut way) = (from, None);
    for &next in path {
        let ((ax, ay), (bx, by)) = (cell(grid, last), cell(grid, next));
        let step = (bx - ax, by - ay);
        if way.is_some_and(|way| way != step) {
            turns.push(last);
        }
        (last, way) = (next, Some(step));
    }
    turns.extend(path.last());
    turns
}

/// The cells of a straight or diagonal line, but for the first.
fn leg(grid: &Grid, from: Cell, to: Cell) -> impl Iterator<Item = NodeId> + '_ {
    Walk::new(grid.rules().neighbours, from, to).map(|over| node(grid, over))
}
