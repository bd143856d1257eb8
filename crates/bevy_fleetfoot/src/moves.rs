//! Writes the results of a tick to components, and sends messages.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use fleetfoot::fleet::Event;

use crate::components::{
    Agent, Cell, DesiredVelocity, Goal, Motion, NextCell, Order, Path, Speed, Status, Unit,
};
use crate::map::FleetMap;
use crate::messages::{Arrived, Blocked, Buried, CutOff, Rerouted, Unreachable};
use crate::orders::Groups;
use crate::sense::TickLength;
use crate::tiles::CellTransform;

/// Writes positions and states of agents.
pub(crate) fn write(
    map: Res<FleetMap>,
    tiles: Res<CellTransform>,
    mut agents: Query<
        (&Unit, &Order, &Speed, &mut Cell, &mut Motion, &mut NextCell, &mut DesiredVelocity, &mut Status),
        With<Agent>,
    >,
) {
    let (fleet, now) = (&map.fleet, map.fleet.ticks());
    for (unit, order, speed, mut cell, mut motion, mut next, mut velocity, mut status) in &mut agents {
        let Some(id) = unit.0 else { continue };
        let (Some(at), Some(fares)) = (fleet.at(id), fleet.status(id)) else { continue };
        let (at, was) = (map.cell(at), cell.0);
        if at != was {
            let is_diagonal = at.x != was.x && at.y != was.y;
            let ticks = speed.ticks(map.tick_seconds, is_diagonal);
            let way = tiles.to_world(at) - tiles.to_world(was);
            *cell = Cell(at);
            *motion = Motion { from: was, to: at, begun: now, ticks };
            velocity.set_if_neq(DesiredVelocity(way / (ticks * map.tick_seconds)));
        } else if velocity.0 != Vec3::ZERO && now as f32 >= motion.begun as f32 + motion.ticks {
            *velocity = DesiredVelocity::default();
        }
        status.set_if_neq(told(fares, order.is_short));
        next.set_if_neq(NextCell(fleet.next(id).map(|n| map.cell(n))));
    }
}

/// Converts the fleet's state of a unit to the plugin's.
fn told(fares: fleetfoot::fleet::UnitStatus, is_short: bool) -> Status {
    use fleetfoot::fleet::UnitStatus as Fares;
    match fares {
        Fares::Seeking | Fares::Underway | Fares::Arrived if is_short => Status::Short,
        Fares::Seeking => Status::Seeking,
        Fares::Underway => Status::Underway,
        Fares::Arrived => Status::Arrived,
        Fares::Unreachable => Status::Unreachable,
        Fares::Buried => Status::Buried,
        _ => Status::Idle,
    }
}

/// Writes the routes of agents that have a [`Path`].
pub(crate) fn write_paths(map: Res<FleetMap>, mut agents: Query<(&Unit, &mut Path), With<Agent>>) {
    for (unit, mut path) in &mut agents {
        let Some(unit) = unit.0 else { continue };
        let turns = || map.fleet.corners_ahead(unit).map(|n| map.cell(n));
        if !turns().eq(path.turns.iter().copied()) {
            path.turns.clear();
            path.turns.extend(turns());
        }
    }
}

/// The message writers.
#[derive(SystemParam)]
pub(crate) struct Told<'w> {
    arrived: MessageWriter<'w, Arrived>,
    blocked: MessageWriter<'w, Blocked>,
    sealed: MessageWriter<'w, CutOff>,
    unreachable: MessageWriter<'w, Unreachable>,
    rerouted: MessageWriter<'w, Rerouted>,
    buried: MessageWriter<'w, Buried>,
}

/// Sends messages, and sends agents with unreachable goals as near as they can get.
pub(crate) fn tell(
    mut map: ResMut<FleetMap>,
    mut orders: Query<(&Goal, &mut Order), With<Agent>>,
    mut told: Told,
    mut commands: Commands,
    mut events: Local<Vec<Event>>,
) {
    events.clear();
    events.extend(map.fleet.events().iter().filter(|event| !matches!(event, Event::Moved { .. })));
    let mut groups = Groups::default();
    for &event in &*events {
        match event {
            Event::Arrived { unit } => {
                let Some(entity) = map.entity(unit) else { continue };
                if orders.get(entity).is_ok_and(|(_, order)| order.is_short) {
                    continue;
                }
                told.arrived.write(Arrived { entity });
                commands.trigger(Arrived { entity });
            }
            Event::Blocked { unit, by } => {
                let (Some(entity), Some(by)) = (map.entity(unit), map.entity(by)) else { continue };
                told.blocked.write(Blocked { entity, by });
                commands.trigger(Blocked { entity, by });
            }
            Event::Sealed { unit, by } => {
                let (Some(entity), Some(by)) = (map.entity(unit), map.entity(by)) else { continue };
                told.sealed.write(CutOff { entity, by });
                commands.trigger(CutOff { entity, by });
            }
            Event::Rerouted { unit } => {
                let Some(entity) = map.entity(unit) else { continue };
                told.rerouted.write(Rerouted { entity });
                commands.trigger(Rerouted { entity });
            }
            Event::Buried { unit } => {
                let Some(entity) = map.entity(unit) else { continue };
                told.buried.write(Buried { entity });
                commands.trigger(Buried { entity });
            }
            Event::Unreachable { unit, nearest } => {
                let Some(entity) = map.entity(unit) else { continue };
                let message = Unreachable { entity, nearest: nearest.map(|n| map.cell(n)) };
                told.unreachable.write(message);
                commands.trigger(message);
                if let (Ok((goal, mut order)), Some(n)) = (orders.get_mut(entity), nearest)
                    && !matches!(goal, Goal::Exact(_))
                {
                    order.is_short = true;
                    groups.add(&map, unit, n, false);
                }
            }
            _ => {}
        }
    }
    groups.give(&mut map);
}

/// Interpolates `Transform`s from cell to cell. Their component perpendicular to the ground is not changed.
pub(crate) fn glide(
    map: Res<FleetMap>,
    tiles: Res<CellTransform>,
    length: Res<TickLength>,
    fixed: Option<Res<Time<Fixed>>>,
    mut agents: Query<(&Motion, &Unit, &mut Transform), With<Agent>>,
) {
    let part = fixed.filter(|_| length.is_fixed).map_or(0.0, |fixed| fixed.overstep_fraction());
    let now = map.fleet.ticks();
    let normal = tiles.column.cross(tiles.row).normalize_or_zero();
    for (motion, unit, mut transform) in &mut agents {
        if unit.0.is_none() {
            continue;
        }
        let passed = now.saturating_sub(motion.begun) as f32 + part;
        let (from, to) = (tiles.to_world(motion.from), tiles.to_world(motion.to));
        let place = from.lerp(to, (passed / motion.ticks.max(1.0)).clamp(0.0, 1.0));
        let height = (transform.translation - tiles.origin).dot(normal);
        let place = place + normal * height;
        if transform.translation != place {
            transform.translation = place;
        }
    }
}
