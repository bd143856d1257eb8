//! Saved games: the map, the fleet in mid-search, and the agents, as plain data.
//!
//! All components are `Reflect` and serde, so that a scene saves them as well; save [`FleetMap::save`] next to it.
//! What is here does both in one call, for games without scenes.

use bevy_ecs::prelude::*;
use fleetfoot::SaveError;
use serde::{Deserialize, Serialize};

use crate::components::{
    Agent, Cell, DesiredVelocity, Goal, HighPriority, Motion, NextCell, Obstacle, Order, Path, Speed, Status,
    Team, Unit,
};
use crate::map::{FleetMap, SavedMap};

/// A saved game: map, fleet, agents and obstacles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedGame {
    map: SavedMap,
    agents: Vec<SavedAgent>,
    obstacles: Vec<(Entity, Obstacle)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedAgent {
    entity: Entity,
    unit: Unit,
    cell: Option<Cell>,
    goal: Option<Goal>,
    order: Order,
    team: Team,
    speed: Speed,
    status: Status,
    motion: Motion,
    velocity: DesiredVelocity,
    next: NextCell,
    is_preferred: bool,
    shows_path: bool,
}

impl SavedGame {
    /// Saves the game between two ticks. Returns `None` if there is no [`FleetMap`].
    pub fn save(world: &mut World) -> Option<Self> {
        let map = world.get_resource::<FleetMap>()?.save();
        let mut query = world.query_filtered::<EntityRef, With<Agent>>();
        let agents = query.iter(world).map(|agent| saved(&agent)).collect();
        let mut query = world.query::<(Entity, &Obstacle)>();
        let obstacles = query.iter(world).map(|(entity, &obstacle)| (entity, obstacle)).collect();
        Some(Self { map, agents, obstacles })
    }

    /// Restores the game: current agents and obstacles are despawned, and the saved ones are spawned. Returns pairs
    /// of saved and new entities, so that the game can restore its own components. A [`Goal::Follow`] of an entity
    /// that is neither must be set again.
    pub fn load(&self, world: &mut World) -> Result<Vec<(Entity, Entity)>, SaveError> {
        let map = FleetMap::load(&self.map)?;
        let mut query = world.query_filtered::<Entity, Or<(With<Agent>, With<Obstacle>)>>();
        for entity in query.iter(world).collect::<Vec<_>>() {
            world.despawn(entity);
        }
        world.insert_resource(map);
        let entities: Vec<Entity> = self.agents.iter().map(|_| world.spawn_empty().id()).collect();
        let mut pairs: Vec<(Entity, Entity)> =
            self.agents.iter().zip(&entities).map(|(agent, &entity)| (agent.entity, entity)).collect();
        let mut sorted = pairs.clone();
        sorted.sort_unstable();
        let now = |goal: Goal| match goal {
            Goal::Follow(was) => {
                let found = sorted.binary_search_by_key(&was, |&(was, _)| was);
                found.map_or(goal, |k| Goal::Follow(sorted[k].1))
            }
            other => other,
        };
        for (agent, &entity) in self.agents.iter().zip(&entities) {
            let order = Order { given: agent.order.given.map(now), ..agent.order };
            let mut entity = world.entity_mut(entity);
            entity.insert((agent.unit, order, agent.team, agent.speed, agent.status));
            entity.insert((agent.motion, agent.velocity, agent.next));
            if let Some(cell) = agent.cell {
                entity.insert(cell);
            }
            if let Some(goal) = agent.goal {
                entity.insert(now(goal));
            }
            if agent.is_preferred {
                entity.insert(HighPriority);
            }
            if agent.shows_path {
                entity.insert(Path::default());
            }
            entity.insert(Agent);
        }
        pairs.extend(self.obstacles.iter().map(|&(was, obstacle)| (was, world.spawn(obstacle).id())));
        Ok(pairs)
    }
}

fn saved(agent: &EntityRef) -> SavedAgent {
    SavedAgent {
        entity: agent.id(),
        unit: agent.get().copied().unwrap_or_default(),
        cell: agent.get().copied(),
        goal: agent.get().copied(),
        order: agent.get().copied().unwrap_or_default(),
        team: agent.get().copied().unwrap_or_default(),
        speed: agent.get().copied().unwrap_or_default(),
        status: agent.get().copied().unwrap_or_default(),
        motion: agent.get().copied().unwrap_or_default(),
        velocity: agent.get().copied().unwrap_or_default(),
        next: agent.get().copied().unwrap_or_default(),
        is_preferred: agent.contains::<HighPriority>(),
        shows_path: agent.contains::<Path>(),
    }
}
