//! The messages from agents to the game. Each is a message (`MessageReader<Arrived>`) and an event for observers
//! (`On<Arrived>`), of one entity or of all. Observers run after the components of the tick are written.

use bevy_ecs::prelude::*;
use bevy_math::UVec2;
use bevy_reflect::Reflect;

/// An agent has reached its goal, for the first time since the goal was set.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
}

/// An agent waits because another one is in its way. Sent when that begins, and when the other agent changes.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The agent.
    pub entity: Entity,
    /// The agent in its way.
    pub by: Entity,
}

/// An agent has made no progress for long, and agents that have arrived enclose its goal or the agent itself.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutOff {
    /// The agent.
    pub entity: Entity,
    /// One of the enclosing agents.
    pub by: Entity,
}

/// There is no path to an agent's goal, as far as its team knows.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The agent.
    pub entity: Entity,
    /// The reachable cell nearest to the goal, if one was found. The agent goes there unless its goal is
    /// [`Goal::Exact`](crate::Goal::Exact).
    pub nearest: Option<UVec2>,
}

/// An agent has a new route: a change of the map has broken the old one, or opened a shorter one.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rerouted {
    /// The agent.
    pub entity: Entity,
}

/// A wall was built on an agent.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buried {
    /// The agent.
    pub entity: Entity,
}

/// The entity that an agent followed no longer exists. The agent stops, and its goal is removed.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
}

/// An agent could not be placed, or not be moved to where the game put it. Agents without a cell are tried again.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPlaced {
    /// The agent.
    pub entity: Entity,
    /// The reason.
    pub why: SpawnFailure,
}

/// The reason an agent could not be placed.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnFailure {
    /// It has neither a `Cell` nor a `Transform`. Add one.
    NoPlace,
    /// Its team does not exist. Add it with `FleetMap::add_team`.
    NoTeam,
    /// There is no free cell nearby.
    NoRoom,
    /// It was moved to a cell that is blocked, occupied or outside the map. It stays where it was.
    NoSuchCell,
}
