//! A fleet of the page: units by index, cells by column and row.

use fleetfoot::fleet::{Fleet, Goal, Summary, TeamId, UnitId, UnitStatus};
use fleetfoot::{Map, Meter, NodeId, Rules};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::SeededRng;
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::world::Terrain;

use crate::setup::TERRAIN;

/// Maximum number of units on a page.
pub const MOST_UNITS: u32 = 20_000;

/// A fleet of the page. See the module.
#[derive(Debug)]
pub struct FleetSession {
    fleet: Fleet,
    units: Vec<UnitId>,
    pub(crate) weighs: bool,
    /// The initial map, the units' starts, and the orders and edits since, by tick.
    pub(crate) map: GridMap,
    pub(crate) starts: Vec<(u32, u32)>,
    pub(crate) deeds: Vec<(u64, Deed)>,
}

/// An order or edit. Column and row come last, and the weight of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Units by index; empty for all units.
    Send(Vec<u32>, u32, u32),
    Set(u32, u32, u8),
}

/// Counts of units by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FleetCounts {
    /// All units.
    pub units: u32,
    /// Units that have been at their goals.
    pub arrived: u32,
    /// Units whose goals are unreachable.
    pub unreachable: u32,
    /// Units that a wall was built on.
    pub buried: u32,
}

impl FleetSession {
    /// Creates a fleet without units.
    ///
    /// # Errors
    /// If the map is too large for such weights.
    pub fn new(map: &GridMap, weighs: bool) -> Result<Self, InputError> {
        let terrain: Terrain = if weighs { TERRAIN.parse()? } else { Terrain::default() };
        let mut grid = terrain.grid(map, Rules::default())?;
        if weighs {
            let (least, most) = terrain.weights().into_inner();
            grid = grid
                .with_weights(least, most)
                .map_err(|error| InputError::new(error.to_string(), "use a smaller map"))?;
        }
        let (fleet, map) = (Fleet::new(Map::from(grid)), map.clone());
        Ok(Self { fleet, units: Vec::new(), weighs, map, starts: Vec::new(), deeds: Vec::new() })
    }

    /// Spawns up to `units` further units on free cells of the largest component. Returns their number.
    pub fn scatter(&mut self, units: u32, seed: u64) -> u32 {
        let (mut dice, free, before) = (SeededRng::new(seed), self.ground(), self.units.len());
        let wanted = units.min(MOST_UNITS.saturating_sub(before as u32));
        for _ in 0..4 * u64::from(wanted) {
            if self.units.len() - before >= wanted as usize || free.is_empty() {
                break;
            }
            let cell = free[dice.below(free.len() as u32) as usize];
            if let Ok(unit) = self.fleet.spawn(TeamId::FIRST, cell) {
                self.units.push(unit);
                self.starts.push(self.fleet.map().xy(cell));
            }
        }
        (self.units.len() - before) as u32
    }

    /// Returns the free cells that are connected to a seed cell: the largest such set of about eight seeds.
    fn ground(&self) -> Vec<NodeId> {
        let map = self.fleet.map();
        let all: Vec<NodeId> = self.cells().filter(|n| map.is_free(*n)).collect();
        let part = |seed: &NodeId| -> Vec<NodeId> {
            let reachable = |n: &&NodeId| map.reachability(*seed, **n) == fleetfoot::Reachability::Maybe;
            all.iter().filter(reachable).copied().collect()
        };
        let tries = all.iter().step_by((all.len() / 8).max(1)).map(part);
        tries.max_by_key(Vec::len).unwrap_or_default()
    }

    fn cells(&self) -> impl Iterator<Item = NodeId> + '_ {
        let grid = self.fleet.map().grid();
        (0..grid.height()).flat_map(move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y)))
    }

    /// Sends units near a cell, or near the free cell next to it. Returns the number of units that have a place
    /// there.
    pub fn order(&mut self, units: &[u32], (x, y): (u32, u32)) -> u32 {
        let mut numbers = units.to_vec();
        numbers.retain(|&k| (k as usize) < self.units.len());
        if numbers.is_empty() {
            return 0;
        }
        let units: Vec<UnitId> = numbers.iter().map(|&k| self.units[k as usize]).collect();
        let map = self.fleet.map();
        let Some(centre) = map.node(x, y) else { return 0 };
        let distance = |n: &NodeId| {
            let (nx, ny) = map.xy(*n);
            u64::from(nx.abs_diff(x)).pow(2) + u64::from(ny.abs_diff(y)).pow(2)
        };
        let nearest = if map.is_free(centre) {
            Some(centre)
        } else {
            self.cells().filter(|n| map.is_free(*n)).min_by_key(distance)
        };
        let Some(goal) = nearest else { return 0 };
        let (x, y) = map.xy(goal);
        if numbers.len() == self.units.len() {
            numbers.clear();
        }
        self.note(Deed::Send(numbers, x, y));
        self.fleet.order(&units, Goal::near(goal)) as u32
    }

    /// Sends every unit to a random cell of its own.
    pub fn roam(&mut self, seed: u64) {
        let (mut dice, free) = (SeededRng::new(seed), self.ground());
        if free.is_empty() {
            return;
        }
        for (k, unit) in self.units.clone().into_iter().enumerate() {
            let goal = free[dice.below(free.len() as u32) as usize];
            let (x, y) = self.fleet.map().xy(goal);
            self.note(Deed::Send(vec![k as u32], x, y));
            self.fleet.order(&[unit], Goal::near(goal));
        }
    }

    fn note(&mut self, deed: Deed) {
        self.deeds.push((self.fleet.ticks(), deed));
    }

    /// Returns the goal of each unit, if it has an order.
    pub(crate) fn goals(&self) -> impl Iterator<Item = Option<(u32, u32)>> + '_ {
        self.units.iter().map(|unit| self.fleet.goal(*unit).map(|goal| self.fleet.map().xy(goal)))
    }

    /// Edits a cell. Does nothing if a wall would be built on a unit.
    ///
    /// # Errors
    /// If there is no such cell, or the terrain has no such weight.
    pub fn edit(&mut self, x: u32, y: u32, weight: u8) -> Result<bool, InputError> {
        let Some(node) = self.fleet.map().node(x, y) else {
            return Err(InputError::new(format!("there is no cell {x}, {y}"), "draw on the map"));
        };
        if weight > 1 && !self.weighs {
            let what = format!("ground of weight {weight} needs a map with weights");
            return Err(InputError::new(what, "turn weights on first"));
        }
        if weight == 0 && self.fleet.unit_on(node).is_some() {
            return Ok(false);
        }
        let set = self.fleet.set(node, weight);
        let has_changed = set.map_err(|error| InputError::new(error.to_string(), "draw something else"))?;
        if has_changed {
            self.note(Deed::Set(x, y, weight));
        }
        Ok(has_changed)
    }

    /// Executes a tick.
    pub fn tick(&mut self, meter: &mut Meter) {
        let _ = self.fleet.tick_with(meter);
    }

    /// Returns the cell of each unit, row by row, with its state in the highest four bits: 0 idle, 1 seeking, 2
    /// underway, 3 arrived, 4 unreachable, 5 buried.
    pub fn places(&self) -> Vec<u32> {
        let grid = self.fleet.map().grid();
        let place = |unit: &UnitId| {
            let (x, y) = grid.xy(self.fleet.at(*unit).unwrap_or(NodeId::new(0)));
            let status = match self.fleet.status(*unit) {
                Some(UnitStatus::Seeking) => 1,
                Some(UnitStatus::Underway) => 2,
                Some(UnitStatus::Arrived) => 3,
                Some(UnitStatus::Unreachable) => 4,
                Some(UnitStatus::Buried) => 5,
                _ => 0,
            };
            (y * grid.width() + x) | status << 28
        };
        self.units.iter().map(place).collect()
    }

    /// Returns the weight of each cell.
    pub fn weights(&self) -> Vec<u8> {
        let grid = self.fleet.map().grid();
        self.cells().map(|n| grid.weight(n)).collect()
    }

    /// Returns the cells ahead of a unit, row by row.
    pub fn path(&self, unit: u32) -> Vec<u32> {
        let Some(unit) = self.units.get(unit as usize) else { return Vec::new() };
        let grid = self.fleet.map().grid();
        let number = |n: NodeId| {
            let (x, y) = grid.xy(n);
            y * grid.width() + x
        };
        self.fleet.path(*unit).into_iter().map(number).collect()
    }

    /// Returns the unit that blocked this one in the last tick, and its goal: column and row.
    pub fn reason(&self, unit: u32) -> (Option<u32>, Option<(u32, u32)>) {
        let Some(&id) = self.units.get(unit as usize) else { return (None, None) };
        let by = self.fleet.blocked_by(id).and_then(|by| self.units.iter().position(|other| *other == by));
        (by.map(|by| by as u32), self.fleet.goal(id).map(|goal| self.fleet.map().xy(goal)))
    }

    /// Returns statistics of the last tick.
    pub fn summary(&self) -> Summary {
        self.fleet.summary()
    }

    /// Returns the number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.fleet.ticks()
    }

    /// Counts units by state.
    pub fn tally(&self) -> FleetCounts {
        let mut tally = FleetCounts { units: self.units.len() as u32, ..FleetCounts::default() };
        for unit in &self.units {
            match self.fleet.status(*unit) {
                Some(UnitStatus::Arrived) => tally.arrived += 1,
                Some(UnitStatus::Unreachable) => tally.unreachable += 1,
                Some(UnitStatus::Buried) => tally.buried += 1,
                _ => {}
            }
        }
        tally
    }
}
