//! The map of the game, and the fleet on it.

use std::collections::{BTreeMap, VecDeque};

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_math::{IVec2, UVec2};
use fleetfoot::fleet::{Fleet, FleetConfig, FleetError, SavedFleet, Speed, TeamId, UnitId, Vision};
use fleetfoot::{GridError, Map, NodeId, Reachability};
use serde::{Deserialize, Serialize};

use crate::components::{Obstacle, Team};

/// How far from the cell that was asked for an agent is put down at most.
const ROOM: u32 = 24;

/// The map, with everybody who walks on it. Insert it as a resource; edit it from any system by [`set`](Self::set), or by
/// spawning and despawning [`Obstacle`]s. Ways that an edit breaks are found anew within the budget.
#[derive(Resource, Clone, Debug)]
pub struct FleetMap {
    pub(crate) fleet: Fleet,
    /// Whether it knows nobody yet.
    pub(crate) is_new: bool,
    /// Who a unit is, by its index.
    entities: Vec<Option<Entity>>,
    /// Agents that are to be put on the map.
    pub(crate) waiting: VecDeque<Waiting>,
    obstacles: EntityHashMap<Obstacle>,
    /// How many obstacles lie on a cell, and what it weighs without them.
    covered: BTreeMap<NodeId, (u32, u8)>,
    /// The seconds of a tick that speeds were last reckoned with.
    pub(crate) tick_seconds: f32,
    /// The lengths of the teams' logs when goals without a way were last looked at.
    pub(crate) looked: Vec<u64>,
}

/// An agent that is to be put on the map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) entity: Entity,
    /// Whether it has been tried before, in vain.
    pub(crate) is_retry: bool,
}

/// A map and its fleet between two ticks, as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedMap {
    fleet: SavedFleet,
    /// What cells under obstacles weigh without them.
    under: Vec<(NodeId, u8)>,
    looked: Vec<u64>,
}

impl FleetMap {
    /// A map for a fleet with the usual parameters.
    pub fn new(map: Map) -> Self {
        Self::from_fleet(Fleet::new(map))
    }

    /// The same with other parameters: units that walk through each other, say.
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

    /// The fleet, to be asked anything. It is told what to do by components.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Columns and rows.
    pub fn size(&self) -> UVec2 {
        let grid = self.fleet.map().grid();
        UVec2::new(grid.width(), grid.height())
    }

    /// Whether a cell is on the map and free of walls. Units may stand there.
    pub fn is_free(&self, cell: UVec2) -> bool {
        self.node(cell).is_some_and(|n| self.fleet.map().is_free(n))
    }

    /// What a cell weighs: 0 is blocked, 1 plain ground. Nothing outside the map.
    pub fn weight(&self, cell: UVec2) -> Option<u8> {
        self.node(cell).map(|n| self.fleet.map().grid().weight(n))
    }

    /// Gives a cell another weight: 0 blocks it, 1 makes it plain ground. Tells whether that changed anything now; under an
    /// [`Obstacle`] it does so when that is gone.
    pub fn set(&mut self, cell: UVec2, weight: u8) -> Result<bool, GridError> {
        let n = self.node(cell).unwrap_or(NodeId::NONE);
        if let Some((_, under)) = self.covered.get_mut(&n) {
            *under = weight;
            return Ok(false);
        }
        self.fleet.set(n, weight)
    }

    /// Adds a team, which knows what its agents have seen, so many cells far; its number goes into [`Team`].
    pub fn add_team(&mut self, vision: Vision) -> Result<Team, FleetError> {
        self.fleet.add_team(vision).map(|id| Team(id.index() as u16))
    }

    /// Whether a team has seen a cell.
    pub fn has_seen(&self, team: Team, cell: UVec2) -> bool {
        let id = self.team_id(team);
        id.zip(self.node(cell)).is_some_and(|(team, n)| self.fleet.has_seen(team, n))
    }

    /// The agent on a cell.
    pub fn agent_on(&self, cell: UVec2) -> Option<Entity> {
        self.node(cell).and_then(|n| self.fleet.unit_on(n)).and_then(|unit| self.entity(unit))
    }

    /// The agent that a unit is.
    pub fn entity(&self, unit: UnitId) -> Option<Entity> {
        self.fleet.at(unit)?;
        self.entities.get(unit.index()).copied().flatten()
    }

    /// The fleet's number of a cell; nothing outside the map.
    pub fn node(&self, cell: UVec2) -> Option<NodeId> {
        self.fleet.map().node(cell.x, cell.y)
    }

    /// The cell with a fleet's number.
    pub fn cell(&self, n: NodeId) -> UVec2 {
        self.fleet.map().xy(n).into()
    }

    /// The cell of the map that is nearest to one that may be outside.
    pub fn clamp(&self, cell: IVec2) -> UVec2 {
        cell.clamp(IVec2::ZERO, self.size().as_ivec2() - 1).as_uvec2()
    }

    /// The map and the fleet as plain data; agents are saved with their components.
    pub fn save(&self) -> SavedMap {
        let under = self.covered.iter().map(|(&n, &(_, under))| (n, under)).collect();
        SavedMap { fleet: self.fleet.save(), under, looked: self.looked.clone() }
    }

    /// What was saved. Agents that are spawned with the components that they were saved with, [`Unit`](crate::Unit) among
    /// them, are its units.
    pub fn load(saved: &SavedMap) -> Result<Self, fleetfoot::SaveError> {
        let mut map = Self::from_fleet(Fleet::load(&saved.fleet)?);
        map.covered = saved.under.iter().map(|&(n, under)| (n, (0, under))).collect();
        map.looked.clone_from(&saved.looked);
        Ok(map)
    }

    pub(crate) fn team_id(&self, team: Team) -> Option<TeamId> {
        ((team.0 as usize) < self.fleet.teams()).then_some(TeamId::new(team.0))
    }

    /// Whether this agent is that unit, or can be: nobody else is.
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

    /// Puts an agent on the map, on a cell or near it.
    pub(crate) fn place(&mut self, entity: Entity, team: Team, cell: UVec2) -> Option<UnitId> {
        let team = self.team_id(team)?;
        let size = self.size();
        // Where there is a wall, the nearest free ground will do; else only what can be walked to.
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

    /// An agent is no more.
    pub(crate) fn release(&mut self, unit: UnitId, entity: Entity) {
        if self.entity(unit) == Some(entity) {
            self.fleet.remove(unit);
            self.entities[unit.index()] = None;
        }
    }

    /// Tells a unit how fast it is, if it has not been told so already: it would lose its rest.
    pub(crate) fn set_speed(&mut self, unit: UnitId, speed: Speed) {
        if self.fleet.speed(unit) != Some(speed) {
            // A unit that is no more needs no speed.
            let _ = self.fleet.set_speed(unit, speed);
        }
    }

    /// An agent has no goal any more. On a map that is new or loaded its unit may be another's: that one goes on.
    pub(crate) fn stop(&mut self, unit: UnitId, entity: Entity) {
        if self.entity(unit) == Some(entity) {
            self.fleet.stop(&[unit]);
        }
    }

    /// The same for who comes first.
    pub(crate) fn prefer(&mut self, unit: UnitId, entity: Entity, first: bool) {
        if self.entity(unit) == Some(entity) {
            // It is there, so that this is no error.
            let _ = self.fleet.prefer(unit, first);
        }
    }

    /// An obstacle is new, or has changed.
    pub(crate) fn cover(&mut self, entity: Entity, obstacle: Obstacle) {
        if self.obstacles.get(&entity) == Some(&obstacle) {
            return;
        }
        // First what is new, so that what stays covered is never opened.
        for n in self.cells_of(obstacle) {
            let weight = self.fleet.map().grid().weight(n);
            self.covered.entry(n).or_insert((0, weight)).0 += 1;
            // The cell is on the map, and every map may have walls.
            let _ = self.fleet.set(n, 0);
        }
        if let Some(before) = self.obstacles.insert(entity, obstacle) {
            self.open(before);
        }
    }

    /// An obstacle is no more.
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
                // A weight that the map refuses leaves the wall.
                let _ = self.fleet.set(n, under);
            }
        }
    }

    /// The cells of the map under an obstacle.
    fn cells_of(&self, obstacle: Obstacle) -> Vec<NodeId> {
        let end = obstacle.from.saturating_add(obstacle.size).min(self.size());
        let rows = obstacle.from.y..end.y;
        rows.flat_map(|y| (obstacle.from.x..end.x).filter_map(move |x| self.node(UVec2::new(x, y)))).collect()
    }
}

/// The cells of a map on the square ring around one, row by row.
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
