//! What an agent is made of: what the game writes, and what the plugin writes.

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

/// An entity that walks on the map. It starts at its [`Cell`], or, without one, where its `Transform` is; if somebody
/// stands there, beside it. All that belongs to an agent comes with this component; despawning the entity, or taking the component
/// away, takes the unit off the map at once.
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

/// Where an agent is. The plugin writes it; a game that writes it teleports the agent.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Clone, PartialEq, Hash, Serialize, Deserialize)]
pub struct Cell(pub UVec2);

/// Where an agent is to go. Insert it, change it, take it away: the agent sets out, turns, stands.
///
/// Agents that are given the same goal in the same tick go as a group: one search serves them all, and each has a cell of its
/// own. What cannot be reached is answered by [`Unreachable`](crate::Unreachable), and walked towards as far as that
/// goes, except with [`Exact`](Self::Exact). When the map opens a way, they go on by themselves.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MapEntities)]
#[reflect(Component, Clone, PartialEq, Serialize, Deserialize, MapEntities)]
#[component(map_entities, on_remove = goal_removed)]
pub enum Goal {
    /// To this cell, or to the nearest one that nobody else wants.
    Cell(UVec2),
    /// The same for a place in the world.
    Position(Vec3),
    /// To this cell and no other: without a way there, the agent stands.
    Exact(UVec2),
    /// To a cell beside this entity, and after it when it moves. It is an agent, or has a `Transform`.
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

/// An agent's team: agents that know the same. Team 0 knows the whole map; others come from
/// [`FleetMap::add_team`].
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

/// How fast an agent is.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub enum Speed {
    /// Cells in a second, at most one cell a tick. It is kept to a hundredth of a cell per tick, at least one.
    CellsPerSecond(f32),
    /// A move in every so many ticks, straight or diagonal; 1 is the fastest.
    EveryTicks(u32),
}

impl Default for Speed {
    fn default() -> Self {
        Self::CellsPerSecond(4.0)
    }
}

impl Speed {
    /// As the fleet takes it, with so many seconds in a tick.
    pub(crate) fn per_tick(self, tick: f32) -> fleetfoot::fleet::Speed {
        match self {
            Self::EveryTicks(ticks) => fleetfoot::fleet::Speed::EveryTicks(ticks.max(1)),
            Self::CellsPerSecond(speed) => {
                // What is no number becomes 0, and that the slowest.
                let hundredths = (speed * tick * 100.0).round().clamp(0.0, 1000.0) as u32;
                fleetfoot::fleet::Speed::Hundredths(hundredths.max(1))
            }
        }
    }

    /// How many ticks a move takes to the eye.
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

/// Searches for agents with this come before those for others: for what is on the screen, say.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
#[component(on_remove = preferred_removed)]
pub struct Preferred;

fn preferred_removed(mut world: DeferredWorld, context: HookContext) {
    let unit = world.get::<Unit>(context.entity).and_then(|unit| unit.0);
    if let (Some(unit), Some(mut map)) = (unit, world.get_resource_mut::<FleetMap>()) {
        map.prefer(unit, context.entity, false);
    }
}

/// A wall, building or door of its own: the cells of a rectangle are blocked while the entity has this. Change it and other cells
/// are; where several overlap, cells are free when the last one has gone.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Clone, PartialEq, Serialize, Deserialize)]
#[component(on_remove = obstacle_removed)]
pub struct Obstacle {
    /// The cell with the least column and row.
    pub from: UVec2,
    /// How many columns and rows.
    pub size: UVec2,
}

fn obstacle_removed(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut map) = world.get_resource_mut::<FleetMap>() {
        map.uncover(context.entity);
    }
}

impl Obstacle {
    /// On one cell.
    pub fn cell(cell: UVec2) -> Self {
        Self { from: cell, size: UVec2::ONE }
    }
}

/// How an agent fares. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// It is not on the map yet: no free cell was found near it, or its team does not exist.
    #[default]
    Unplaced,
    /// It has no goal.
    Idle,
    /// It sets out towards its goal, while a search for its way goes on.
    Seeking,
    /// It follows its way.
    Underway,
    /// It has been at its goal; if others push it off, it comes back.
    Arrived,
    /// It has gone, or goes, as near to its goal as it can; no way leads there.
    Short,
    /// No way leads to its goal. It goes on as far as its way does, stands there, and sets out again when the map opens one.
    Unreachable,
    /// A wall was built on it. It stands until it is taken out.
    Buried,
}

/// How the agent moves over the ground, in world units a second: for games that move bodies themselves. Zero when it stands.
/// Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct DesiredVelocity(pub Vec3);

/// The cell that an agent means to enter next, if nobody is in its way. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Hash, Serialize, Deserialize)]
pub struct NextCell(pub Option<UVec2>);

/// The way ahead of an agent as far as it is known. Insert an empty one on agents whose ways you want to see: it is kept up to date.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// The cells at which it turns, the next one first. Between two of them the ground is open.
    pub turns: Vec<UVec2>,
}

/// The last move of an agent, by which it glides from cell to cell. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Where it was.
    pub from: UVec2,
    /// Where it is.
    pub to: UVec2,
    /// The tick in which it left.
    pub begun: u64,
    /// How many ticks the move takes to the eye.
    pub ticks: f32,
}

/// The unit of the fleet that an agent is, once it stands on the map. It is saved with an agent, so that a fleet
/// that is loaded knows its agents again.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unit(pub(crate) Option<UnitId>);

impl Unit {
    /// For asking [`FleetMap::fleet`] about it.
    pub fn id(self) -> Option<UnitId> {
        self.0
    }
}

/// What an agent has been told so far, so that it is told once. Written by the plugin.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, MapEntities)]
#[reflect(Component, Default, Clone, PartialEq, Serialize, Deserialize, MapEntities)]
#[component(map_entities)]
pub struct Order {
    /// The goal as the game gave it.
    #[entities]
    pub(crate) given: Option<Goal>,
    /// The cell that it stands for, once that is known.
    pub(crate) cell: Option<UVec2>,
    /// Whether there was no way, and the agent goes as near as it can.
    pub(crate) is_short: bool,
}
