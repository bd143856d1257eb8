//! What agents tell the game. Each is a message (`MessageReader<Arrived>`) and an event for observers (`On<Arrived>`), of
//! one entity or of all. Observers are called when the components of the tick are written.

use bevy_ecs::prelude::*;
use bevy_math::UVec2;
use bevy_reflect::Reflect;

/// An agent stands on its goal, for the first time since it was given.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Which.
    pub entity: Entity,
}

/// An agent stands because another one is in its way: told when that begins, or when it is another's turn.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Which.
    pub entity: Entity,
    /// By whom.
    pub by: Entity,
}

/// An agent has come no nearer for long, and agents that have arrived shut off its goal, or it.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Which.
    pub entity: Entity,
    /// One of those around.
    pub by: Entity,
}

/// No way leads to an agent's goal, as far as its team knows.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// Which.
    pub entity: Entity,
    /// The cell nearest to the goal that it can reach; none if that could not be found. It goes there, unless its goal is
    /// [`Goal::Exact`](crate::Goal::Exact).
    pub nearest: Option<UVec2>,
}

/// An agent has another way than before: a change of the map has broken its old one, or opened a shorter one.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rerouted {
    /// Which.
    pub entity: Entity,
}

/// A wall was built on an agent.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buried {
    /// Which.
    pub entity: Entity,
}

/// The entity that an agent followed is no more. The agent stands; its goal is taken away.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetLost {
    /// Which.
    pub entity: Entity,
}

/// An agent could not be put on the map, or not where the game has moved it. One that is on no cell is tried again.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPlaced {
    /// Which.
    pub entity: Entity,
    /// Why.
    pub why: WhyNot,
}

/// Why an agent could not be put somewhere.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// It has neither a `Cell` nor a `Transform`; give it one.
    NoPlace,
    /// There is no such team; add it by `FleetMap::add_team`.
    NoTeam,
    /// No cell near there is free.
    NoRoom,
    /// It was moved to a cell that is blocked, taken or outside; it stays where it was.
    NoSuchCell,
}
