//! The map of the game, and the fleet on it.

use std::collections::{BTreeMap, VecDeque};

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_math::{IVec2, UVec2};
use fleetfoot::fleet::{Fleet, FleetConfig, FleetError, SavedFleet, Speed, TeamId, UnitId, Vision};
use fleetfoot::{GridError, Map, NodeId, Reachability};
use serde::{Deserialize, Serialize};

use crate::components::{Obstacle, Team};

/// Maximum distance between the wanted cell of an agent and the cell where it is placed.
const ROOM: u32 = 24;

/// The map with its units. Insert it as a resource. Edit it from any system with [`set`](Self::set), or by spawning
/// and despawning [`Obstacle`]s. Routes that an edit breaks are searched again within the budget.
#[derive(Resource, Clone, Debug)]
pub struct FleetMap {
    pub(crate) fleet: Fleet,
    /// `true` until the agents of the world were added.
    pub(crate) is_new: bool,
    /// The entity of each unit, by index.
    entities: Vec<Option<Entity>>,
    /// Agents waiting to be placed.
    pub(crate) waiting: VecDeque<Waiting>,
    obstacles: EntityHashMap<Obstacle>,
    /// For each covered cell, the number of obstacles and the weight without them.
    covered: BTreeMap<NodeId, (u32, u8)>,
    /// The tick length in seconds for which speeds were computed.
    pub(crate) tick_seconds: f32,
    /// The ends of the teams' logs when unreachable goals were last checked.
    pub(crate) looked: Vec<u64>,
}

/// An agent waiting to be placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) entity: Entity,
    /// `true` if placing it has failed before.
    pub(crate) is_retry: bool,
}

/// A saved map with its fleet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedMap {
    fleet: SavedFleet,
    /// The weights of covered cells without obstacles.
    under: Vec<(NodeId, u8)>,
    looked: Vec<u64>,
}

impl FleetMap {
    /// Creates a map with a fleet with default parameters.
    pub fn new(map: Map) -> Self {
        Self::from_fleet(Fleet::new(map))
    }

    /// Creates a map with a fleet with other parameters, such as units without collisions.
    pub fn with(map: Map, config: FleetConfig) -> Self {
        Self::from_fleet(Fleet::with(map, config))
    }

    fn from_fleet(fleet: Fleet) -> Self {
        Self {
            fleet,
            is_new: true,
            entities: Vec::new(),
            waiting: VecDeque::new(),
            obstacles: EntityHashMap::default(),
            covered: BTreeMap::new(),
            tick_seconds: 0.0,
            looked: Vec::new(),
        }
    }

    /// Returns the fleet for queries. It is controlled by components.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Returns the numbers of columns and rows.
    pub fn size(&self) -> UVec2 {
        let grid = self.fleet.map().grid();
        UVec2::new(grid.width(), grid.height())
    }

    /// Returns `true` if a cell is on the map and free of walls. Units may be on it.
    pub fn is_free(&self, cell: UVec2) -> bool {
        self.node(cell).is_some_and(|n| self.fleet.map().is_free(n))
    }

    /// Returns the weight of a cell: 0 is blocked, 1 is plain ground. `None` outside the map.
    pub fn weight(&self, cell: UVec2) -> Option<u8> {
        self.node(cell).map(|n| self.fleet.map().grid().weight(n))
    }

    /// Sets the weight of a cell: 0 blocks it, 1 is plain ground. Returns `true` if that changes the map now. Under
    /// an [`Obstacle`] the weight takes effect when the obstacle is removed.
    pub fn set(&mut self, cell: UVec2, weight: u8) -> Result<bool, GridError> {
        let n = self.node(cell).unwrap_or(NodeId::NONE);
        if let Some((_, under)) = self.covered.get_mut(&n) {
            *under = weight;
            return Ok(false);
        }
        self.fleet.set(n, weight)
    }

    /// Adds a team that knows what its agents have observed within the given vision. Use the result as a [`Team`]
    /// component.
    pub fn add_team(&mut self, vision: Vision) -> Result<Team, FleetError> {
        self.fleet.add_team(vision).map(|id| Team(id.index() as u16))
    }

    /// Returns `true` if a team has observed a cell.
    pub fn has_seen(&self, team: Team, cell: UVec2) -> bool {
        let id = self.team_id(team);
        id.zip(self.node(cell)).is_some_and(|(team, n)| self.fleet.has_seen(team, n))
    }

    /// Returns the agent on a cell.
    pub fn agent_on(&self, cell: UVec2) -> Option<Entity> {
        self.node(cell).and_then(|n| self.fleet.unit_on(n)).and_then(|unit| self.entity(unit))
    }

    /// Returns the entity of a unit.
    pub fn entity(&self, unit: UnitId) -> Option<Entity> {
        self.fleet.at(unit)?;
        self.entities.get(unit.index()).copied().flatten()
    }

    /// Returns the fleet's node of a cell. `None` outside the map.
    pub fn node(&self, cell: UVec2) -> Option<NodeId> {
        self.fleet.map().node(cell.x, cell.y)
    }

    /// Returns the cell of a node.
    pub fn cell(&self, n: NodeId) -> UVec2 {
        self.fleet.map().xy(n).into()
    }

    /// Returns the cell of the map nearest to one that may be outside.
    pub fn clamp(&self, cell: IVec2) -> UVec2 {
        cell.clamp(IVec2::ZERO, self.size().as_ivec2() - 1).as_uvec2()
    }

    /// Saves the map and the fleet. Agents are saved with their components.
    pub fn save(&self) -> SavedMap {
        let under = self.covered.iter().map(|(&n, &(_, under))| (n, under)).collect();
        SavedMap { fleet: self.fleet.save(), under, looked: self.looked.clone() }
    }

    /// Restores a saved map and fleet. Agents that are spawned with their saved components, including
    /// [`Unit`](crate::Unit), become its units.
    pub fn load(saved: &SavedMap) -> Result<Self, fleetfoot::SaveError> {
        let mut map = Self::from_fleet(Fleet::load(&saved.fleet)?);
        map.covered = saved.under.iter().map(|&(n, under)| (n, (0, under))).collect();
        map.looked.clone_from(&saved.looked);
        Ok(map)
    }

    pub(crate) fn team_id(&self, team: Team) -> Option<TeamId> {
        ((team.0 as usize) < self.fleet.teams()).then_some(TeamId::new(team.0))
    }

    /// Returns `true` if the entity is, or becomes, the agent of this unit.
    pub(crate) fn adopt(&mut self, unit: UnitId, entity: Entity, cell: UVec2) -> bool {
        let is_there = self.fleet.at(unit).is_some_and(|at| self.cell(at) == cell);
        if !is_there || self.entity(unit).is_some_and(|other| other != entity) {
            return false;
        }
        self.note(unit, entity);
        true
    }

    fn note(&mut self, unit: UnitId, entity: Entity) {
        if self.entities.len() <= unit.index() {
            self.entities.resize(unit.index() + 1, None);
        }
        self.entities[unit.index()] = Some(entity);
    }

    /// Places an agent on the map, on a cell or near it.
    pub(crate) fn place(&mut self, entity: Entity, team: Team, cell: UVec2) -> Option<UnitId> {
        let team = self.team_id(team)?;
        let size = self.size();
        // From a wall, any nearest free cell will do; otherwise only reachable ones.
        let home = self.node(cell).filter(|&n| self.fleet.map().is_free(n));
        for radius in 0..=ROOM {
            for at in ring(cell, radius, size) {
                let Some(n) = self.node(at) else { continue };
                if home
                    .is_some_and(|home| self.fleet.map().reachability(home, n) == Reachability::Unreachable)
                {
                    continue;
                }
                if let Ok(unit) = self.fleet.spawn(team, n) {
                    self.note(unit, entity);
                    return Some(unit);
                }
            }
        }
        None
    }

    /// Removes the unit of an agent.
    pub(crate) fn release(&mut self, unit: UnitId, entity: Entity) {
        if self.entity(unit) == Some(entity) {
            self.fleet.remove(unit);
            self.entities[unit.index()] = None;
        }
    }

    /// Sets the speed of a unit if it has changed. Setting it again would lose the fraction of its current move.
    pub(crate) fn set_speed(&mut self, unit: UnitId, speed: Speed) {
        if self.fleet.speed(unit) != Some(speed) {
            // A removed unit needs no speed.
            let _ = self.fleet.set_speed(unit, speed);
        }
    }

    /// Cancels the orders of an agent. On a new or loaded map the unit may belong to another agent, which
    /// continues.
    pub(crate) fn stop(&mut self, unit: UnitId, entity: Entity) {
        if self.entity(unit) == Some(entity) {
            self.fleet.stop(&[unit]);
        }
    }

    /// Sets the priority of an agent. On a new or loaded map the unit may belong to another agent.
    pub(crate) fn prefer(&mut self, unit: UnitId, entity: Entity, first: bool) {
        if self.entity(unit) == Some(entity) {
            // The unit exists, so this cannot fail.
            let _ = self.fleet.prefer(unit, first);
        }
    }

    /// Adds a new or changed obstacle.
    pub(crate) fn cover(&mut self, entity: Entity, obstacle: Obstacle) {
        if self.obstacles.get(&entity) == Some(&obstacle) {
            return;
        }
        // New cells first, so that cells that stay covered are never opened.
        for n in self.cells_of(obstacle) {
            let weight = self.fleet.map().grid().weight(n);
            self.covered.entry(n).or_insert((0, weight)).0 += 1;
            // The cell is on the map, and 0 is a valid weight everywhere.
            let _ = self.fleet.set(n, 0);
        }
        if let Some(before) = self.obstacles.insert(entity, obstacle) {
            self.open(before);
        }
    }

    /// Removes an obstacle.
    pub(crate) fn uncover(&mut self, entity: Entity) {
        if let Some(before) = self.obstacles.remove(&entity) {
            self.open(before);
        }
    }

    fn open(&mut self, obstacle: Obstacle) {
        for n in self.cells_of(obstacle) {
            let Some((count, under)) = self.covered.get_mut(&n) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0 {
                let under = *under;
                self.covered.remove(&n);
                // If the map rejects the weight, the cell stays blocked.
                let _ = self.fleet.set(n, under);
            }
        }
    }

    /// Returns the cells under an obstacle.
    fn cells_of(&self, obstacle: Obstacle) -> Vec<NodeId> {
        let end = obstacle.from.saturating_add(obstacle.size).min(self.size());
        let rows = obstacle.from.y..end.y;
        rows.flat_map(|y| (obstacle.from.x..end.x).filter_map(move |x| self.node(UVec2::new(x, y)))).collect()
    }
}

/// Returns the cells of the square ring around a cell, row by row.
pub(crate) fn ring(centre: UVec2, radius: u32, size: UVec2) -> impl Iterator<Item = UVec2> {
    let rows =
        centre.y.saturating_sub(radius)..=centre.y.saturating_add(radius).min(size.y.saturating_sub(1));
    rows.flat_map(move |y| {
        let columns =
            centre.x.saturating_sub(radius)..=centre.x.saturating_add(radius).min(size.x.saturating_sub(1));
        let is_edge = y.abs_diff(centre.y) == radius;
        columns.filter(move |x| is_edge || x.abs_diff(centre.x) == radius).map(move |x| UVec2::new(x, y))
    })
}
