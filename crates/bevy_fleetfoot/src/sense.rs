//! Passes the game's changes since the last tick to the fleet.

use std::mem;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_math::UVec2;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use fleetfoot::NodeId;

use crate::components::{
    Agent, Cell, DesiredVelocity, Goal, HighPriority, Motion, Obstacle, Order, Speed, Status, Team, Unit,
};
use crate::map::{FleetMap, Waiting};
use crate::messages::{NotPlaced, SpawnFailure};
use crate::tiles::CellTransform;

/// Maximum number of agents per tick that are placed again after a failure.
const TRIES: usize = 16;

/// Length of a tick in seconds without a fixed time step: Bevy's default of 64 ticks per second.
const TICK: f32 = 1.0 / 64.0;

/// The length of a tick.
#[derive(Resource, Clone, Copy, Debug)]
pub(crate) struct TickLength {
    /// `None` for the fixed time step.
    pub(crate) seconds: Option<f32>,
    /// `true` if ticks run in the fixed time step.
    pub(crate) is_fixed: bool,
}

/// Initializes a new map: everything is passed to it again.
pub(crate) fn begin(
    mut map: ResMut<FleetMap>,
    obstacles: Query<(Entity, &Obstacle)>,
    agents: Query<Entity, With<Agent>>,
) {
    if !map.is_new {
        return;
    }
    for (entity, &obstacle) in &obstacles {
        map.cover(entity, obstacle);
    }
    map.waiting = agents.iter().map(|entity| Waiting { entity, is_retry: false }).collect();
}

/// Blocks the cells of obstacles.
pub(crate) fn cover(mut map: ResMut<FleetMap>, obstacles: Query<(Entity, &Obstacle), Changed<Obstacle>>) {
    for (entity, &obstacle) in &obstacles {
        map.cover(entity, obstacle);
    }
}

/// Updates the length of a tick, and all speeds if it has changed.
pub(crate) fn time_ticks(
    mut map: ResMut<FleetMap>,
    length: Res<TickLength>,
    fixed: Option<Res<Time<Fixed>>>,
    agents: Query<(&Unit, &Speed), With<Agent>>,
) {
    let fixed = fixed.map(|fixed| fixed.timestep().as_secs_f32());
    let seconds = length.seconds.or(fixed).unwrap_or(TICK);
    if map.tick_seconds.to_bits() == seconds.to_bits() {
        return;
    }
    map.tick_seconds = seconds;
    for (unit, speed) in &agents {
        if let Some(unit) = unit.0 {
            map.set_speed(unit, speed.per_tick(seconds));
        }
    }
}

/// A unit has a fixed team. An agent that changes its team is removed and placed again.
pub(crate) fn change_sides(
    mut map: ResMut<FleetMap>,
    mut agents: Query<(Entity, &mut Unit, &Team), (With<Agent>, Changed<Team>)>,
) {
    for (entity, mut unit, team) in &mut agents {
        let Some(id) = unit.0 else { continue };
        if map.fleet.team(id).is_some_and(|was| was.index() != team.0 as usize) {
            map.release(id, entity);
            unit.0 = None;
            map.waiting.push_back(Waiting { entity, is_retry: false });
        }
    }
}

/// Places new agents on the map.
pub(crate) fn place(
    mut map: ResMut<FleetMap>,
    tiles: Res<CellTransform>,
    news: Query<Entity, Added<Agent>>,
    mut agents: Query<NewAgent, With<Agent>>,
    mut commands: Commands,
    mut told: MessageWriter<NotPlaced>,
) {
    // On a new map all agents are waiting already.
    if !mem::replace(&mut map.is_new, false) {
        map.waiting.extend(news.iter().map(|entity| Waiting { entity, is_retry: false }));
    }
    let mut tries = TRIES;
    for _ in 0..map.waiting.len() {
        let Some(waiting) = map.waiting.pop_front() else { break };
        let entity = waiting.entity;
        let Ok(mut agent) = agents.get_mut(entity) else { continue };
        if let (Some(id), Some(cell)) = (agent.unit.0, &agent.cell)
            && map.adopt(id, entity, cell.0)
        {
            // What was removed from it since it was saved.
            map.prefer(id, entity, agent.is_preferred);
            if !agent.has_goal && map.fleet.goal(id).is_some() {
                map.stop(id, entity);
            }
            continue;
        }
        if waiting.is_retry && tries == 0 {
            map.waiting.push_back(waiting);
            continue;
        }
        tries -= usize::from(waiting.is_retry);
        match agent.put_on(&mut map, &tiles, entity) {
            Ok(at) => {
                if agent.cell.is_none() {
                    commands.entity(entity).insert(Cell(at));
                }
            }
            Err(why) => {
                map.waiting.push_back(Waiting { entity, is_retry: true });
                agent.unit.0 = None;
                if !waiting.is_retry {
                    agent.status.set_if_neq(Status::Unplaced);
                    told.write(NotPlaced { entity, why });
                    commands.trigger(NotPlaced { entity, why });
                }
            }
        }
    }
}

/// The data that are needed to place an agent.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct NewAgent {
    unit: &'static mut Unit,
    status: &'static mut Status,
    order: &'static mut Order,
    motion: &'static mut Motion,
    velocity: &'static mut DesiredVelocity,
    team: &'static Team,
    speed: &'static Speed,
    cell: Option<&'static mut Cell>,
    transform: Option<&'static Transform>,
    is_preferred: Has<HighPriority>,
    has_goal: Has<Goal>,
}

impl NewAgentItem<'_, '_> {
    /// Places the agent at or near its wanted position, and returns the cell.
    fn put_on(
        &mut self,
        map: &mut FleetMap,
        tiles: &CellTransform,
        entity: Entity,
    ) -> Result<UVec2, SpawnFailure> {
        let wanted = match (&self.cell, self.transform) {
            (Some(cell), _) => cell.0,
            (None, Some(transform)) => map.clamp(tiles.to_cell(transform.translation)),
            (None, None) => return Err(SpawnFailure::NoPlace),
        };
        if map.team_id(*self.team).is_none() {
            return Err(SpawnFailure::NoTeam);
        }
        let id = map.place(entity, *self.team, wanted).ok_or(SpawnFailure::NoRoom)?;
        let at = map.fleet.at(id).map_or(wanted, |at| map.cell(at));
        let speed = self.speed.per_tick(map.tick_seconds);
        map.set_speed(id, speed);
        map.prefer(id, entity, self.is_preferred);
        self.unit.0 = Some(id);
        *self.order = Order::default();
        *self.motion = Motion { from: at, to: at, begun: map.fleet.ticks(), ticks: 1.0 };
        self.velocity.set_if_neq(DesiredVelocity::default());
        *self.status = Status::Idle;
        if let Some(cell) = &mut self.cell {
            cell.set_if_neq(Cell(at));
        }
        Ok(at)
    }
}

/// Updates speeds and priorities of agents.
pub(crate) fn settle(
    mut map: ResMut<FleetMap>,
    speeds: Query<(&Unit, &Speed), (With<Agent>, Changed<Speed>)>,
    preferred: Query<(Entity, &Unit), (With<Agent>, Added<HighPriority>)>,
) {
    for (unit, speed) in &speeds {
        if let Some(unit) = unit.0 {
            let speed = speed.per_tick(map.tick_seconds);
            map.set_speed(unit, speed);
        }
    }
    for (entity, unit) in &preferred {
        if let Some(unit) = unit.0 {
            map.prefer(unit, entity, true);
        }
    }
}

/// Moves agents that the game has teleported.
pub(crate) fn teleport(
    mut map: ResMut<FleetMap>,
    mut agents: Query<(Entity, &mut Unit, &mut Order, &mut Cell, &mut Motion), (With<Agent>, Changed<Cell>)>,
    mut commands: Commands,
    mut told: MessageWriter<NotPlaced>,
) {
    for (entity, mut unit, mut order, mut cell, mut motion) in &mut agents {
        let Some(id) = unit.0 else { continue };
        let Some(at) = map.fleet.at(id) else { continue };
        let (at, wanted) = (map.cell(at), cell.0);
        if at == wanted {
            continue;
        }
        let n = map.node(wanted).unwrap_or(NodeId::NONE);
        if map.fleet.teleport(id, n).is_ok() {
            *motion = Motion { from: wanted, to: wanted, begun: map.fleet.ticks(), ticks: 1.0 };
            if order.is_short {
                // There may be a path from here.
                order.given = None;
                unit.set_changed();
            }
        } else {
            *cell = Cell(at);
            told.write(NotPlaced { entity, why: SpawnFailure::NoSuchCell });
            commands.trigger(NotPlaced { entity, why: SpawnFailure::NoSuchCell });
        }
    }
}
