//! The components of agents: those that the game writes, and those that the plugin writes.

use bevy_ecs::entity::MapEntities;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectMapEntities;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{UVec2, Vec3};
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use fleetfoot::fleet::UnitId;
use serde::{Deserialize, Serialize};

use crate::map::FleetMap;

/// An entity that walks on the map. It starts at its [`Cell`], or at its `Transform` if it has none; at the nearest
/// free cell if that one is occupied. All other components of an agent are required by this one. Despawning the
/// entity, or removing this component, removes the unit from the map at once.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
#[require(Team, Speed, Status, DesiredVelocity, NextCell, Motion, Unit, Order)]
#[component(on_remove = agent_removed)]
pub struct Agent;

fn agent_removed(mut world: DeferredWorld, context: HookContext) {
    let unit = world.get::<Unit>(context.entity).and_then(|unit| unit.0);
    if let (Some(unit), Some(mut map)) = (unit, world.get_resource_mut::<FleetMap>()) {
        map.release(unit, context.entity);
    }
}

/// The agent's cell. Written by the plugin; a game that writes it teleports the agent.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Clone, PartialEq, Hash, Serialize, Deserialize)]
pub struct Cell(pub UVec2);

/// The goal of an agent. Insert, change or remove it at any time.
///
/// Agents that get the same goal in the same tick move as a group: they share a search, and each gets a cell of its
/// own. For unreachable goals the plugin sends [`Unreachable`](crate::Unreachable), and the agent goes as near as
/// it can, unless the goal is [`Exact`](Self::Exact). If the map opens a path later, the agent continues.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MapEntities)]
#[reflect(Component, Clone, PartialEq, Serialize, Deserialize, MapEntities)]
#[component(map_entities, on_remove = goal_removed)]
pub enum Goal {
    /// This cell, or the nearest one that no other agent wants.
    Cell(UVec2),
    /// A position in the world; see [`Cell`](Self::Cell).
    Position(Vec3),
    /// Exactly this cell. If it is unreachable, the agent stays where it is.
    Exact(UVec2),
    /// A cell next to this entity; the agent follows when it moves. The entity is an agent, or has a `Transform`.
    Follow(#[entities] Entity),
}

fn goal_removed(mut world: DeferredWorld, context: HookContext) {
    let unit = world.get::<Unit>(context.entity).and_then(|unit| unit.0);
    if let Some(mut order) = world.get_mut::<Order>(context.entity) {
        *order = Order::default();
    }
    if let (Some(unit), Some(mut map)) = (unit, world.get_resource_mut::<FleetMap>()) {
        map.stop(unit, context.entity);
    }
}

/// An agent's team; the agents of a team share their knowledge. Team 0 knows the whole map; [`FleetMap::add_team`]
/// adds others.
#[derive(
    Component,
    Reflect,
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
)]
#[reflect(Component, Default, Clone, PartialEq, Hash, Serialize, Deserialize)]
pub struct Team(pub u16);

/// The speed of an agent.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub enum Speed {
    /// Cells per second, at most one cell per tick. Rounded to hundredths of a cell per tick, at least one
    /// hundredth.
    CellsPerSecond(f32),
    /// One move every N ticks, straight or diagonal. 1 is the fastest.
    EveryTicks(u32),
}

impl Default for Speed {
    fn default() -> Self {
        Self::CellsPerSecond(4.0)
    }
}

impl Speed {
    /// Converts to the fleet's unit, for a tick of `tick` seconds.
    pub(crate) fn per_tick(self, tick: f32) -> fleetfoot::fleet::Speed {
        match self {
            Self::EveryTicks(ticks) => fleetfoot::fleet::Speed::EveryTicks(ticks.max(1)),
            Self::CellsPerSecond(speed) => {
                // NaN becomes 0, which becomes the slowest speed.
                let hundredths = (speed * tick * 100.0).round().clamp(0.0, 1000.0) as u32;
                fleetfoot::fleet::Speed::Hundredths(hundredths.max(1))
            }
        }
    }

    /// Returns the number of ticks for which a move is animated.
    pub(crate) fn ticks(self, tick: f32, is_diagonal: bool) -> f32 {
        match self.per_tick(tick) {
            fleetfoot::fleet::Speed::Hundredths(speed) => {
                (if is_diagonal { 141.0 } else { 100.0 } / speed as f32).max(1.0)
            }
            fleetfoot::fleet::Speed::EveryTicks(ticks) => ticks as f32,
            _ => 1.0,
        }
    }
}

/// Gives the agent's searches priority, for example if it is on the screen.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
#[component(on_remove = preferred_removed)]
pub struct HighPriority;

fn preferred_removed(mut world: DeferredWorld, context: HookContext) {
    let unit = world.get::<Unit>(context.entity).and_then(|unit| unit.0);
    if let (Some(unit), Some(mut map)) = (unit, world.get_resource_mut::<FleetMap>()) {
        map.prefer(unit, context.entity, false);
    }
}

/// A wall, building or door: the cells of a rectangle are blocked while the entity has this component. Change it to
/// block other cells. Where several overlap, a cell is free once the last one is removed.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Clone, PartialEq, Serialize, Deserialize)]
#[component(on_remove = obstacle_removed)]
pub struct Obstacle {
    /// The cell with the smallest column and row.
    pub from: UVec2,
    /// Number of columns and rows.
    pub size: UVec2,
}

fn obstacle_removed(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut map) = world.get_resource_mut::<FleetMap>() {
        map.uncover(context.entity);
    }
}

impl Obstacle {
    /// Creates an obstacle on one cell.
    pub fn cell(cell: UVec2) -> Self {
        Self { from: cell, size: UVec2::ONE }
    }
}

/// The state of an agent. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// Not on the map yet: no free cell was found near its position, or its team does not exist.
    #[default]
    Unplaced,
    /// Without a goal.
    Idle,
    /// Moving toward its goal while the search for a route continues.
    Seeking,
    /// Following its route.
    Underway,
    /// Arrived. If others push it away, it returns.
    Arrived,
    /// As near to its goal as it can get, or on the way there: the goal is unreachable.
    Short,
    /// Its goal is unreachable. It follows its route as far as possible, waits there, and continues when the map
    /// opens a path.
    Unreachable,
    /// A wall was built on it. It stays until the wall is removed.
    Buried,
}

/// The agent's velocity over the ground in world units per second, for games that move bodies themselves. Zero if
/// it does not move. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct DesiredVelocity(pub Vec3);

/// The cell that the agent will enter next if no other agent is in the way. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Hash, Serialize, Deserialize)]
pub struct NextCell(pub Option<UVec2>);

/// The known part of an agent's route. Insert an empty one to have it updated.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// The cells at which the route turns, the next one first. The cells between two of them are free.
    pub turns: Vec<UVec2>,
}

/// The last move of an agent, from which its `Transform` is interpolated. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// The previous cell.
    pub from: UVec2,
    /// The current cell.
    pub to: UVec2,
    /// The tick in which the move started.
    pub begun: u64,
    /// Duration of the move in ticks, as displayed.
    pub ticks: f32,
}

/// The fleet unit of an agent that is on the map. It is saved with the agent, so that a loaded fleet finds its
/// agents.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unit(pub(crate) Option<UnitId>);

impl Unit {
    /// Returns the unit, for queries of [`FleetMap::fleet`].
    pub fn id(self) -> Option<UnitId> {
        self.0
    }
}

/// The orders that an agent has received, so that each is given once. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, MapEntities)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize, MapEntities)]
#[component(map_entities)]
pub struct Order {
    /// The goal as set by the game.
    #[entities]
    pub(crate) given: Option<Goal>,
    /// The cell of that goal, once it is known.
    pub(crate) cell: Option<UVec2>,
    /// `true` if the goal was unreachable and the agent goes as near as it can.
    pub(crate) is_short: bool,
}
