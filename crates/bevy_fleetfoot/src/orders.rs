//! Converts goals to orders, for groups if agents share a goal.

use std::collections::{BTreeMap, BTreeSet};

use bevy_ecs::prelude::*;
use bevy_math::UVec2;
use bevy_transform::components::GlobalTransform;
use fleetfoot::fleet::UnitId;
use fleetfoot::{NodeId, Reachability};

use crate::components::{Agent, Cell, Goal, Order, Team, Unit};
use crate::map::{FleetMap, ring};
use crate::messages::TargetLost;
use crate::tiles::CellTransform;

/// Maximum distance of a follower's cell from the followed entity.
const SEATS: u32 = 12;
/// A follower keeps its order if it is at least this many times as far away as its target has moved.
const NEAR_ENOUGH: u32 = 8;

/// Units that are sent to the same cell, by team, cell, and whether the cell must be exact.
#[derive(Default)]
pub(crate) struct Groups(BTreeMap<(u16, NodeId, bool), Vec<UnitId>>);

impl Groups {
    pub(crate) fn add(&mut self, map: &FleetMap, unit: UnitId, n: NodeId, is_exact: bool) {
        let team = map.fleet.team(unit).map_or(0, |team| team.index() as u16);
        self.0.entry((team, n, is_exact)).or_default().push(unit);
    }

    /// Gives the orders. They do not depend on the order in which units were added.
    pub(crate) fn give(self, map: &mut FleetMap) {
        use fleetfoot::fleet::Goal;
        for ((_, n, is_exact), mut units) in self.0 {
            units.sort_unstable();
            // Units whose goal is unreachable are sent to that cell: the fleet reports, within its budget, how near
            // they can get.
            let (cut_off, rest): (Vec<UnitId>, Vec<UnitId>) = units.into_iter().partition(|&unit| {
                is_exact || map.fleet.reachability(unit, n) == Some(Reachability::Unreachable)
            });
            map.fleet.order(&cut_off, Goal::at(n));
            map.fleet.order(&rest, Goal::near(n));
        }
    }
}

/// Converts new and changed goals to orders.
pub(crate) fn give(
    mut map: ResMut<FleetMap>,
    tiles: Res<CellTransform>,
    mut agents: Query<(&Unit, &Goal, &mut Order), (With<Agent>, Or<(Changed<Goal>, Changed<Unit>)>)>,
) {
    let mut groups = Groups::default();
    for (unit, goal, mut order) in &mut agents {
        let Some(unit) = unit.0 else { continue };
        if order.given == Some(*goal) {
            continue;
        }
        let cell = match *goal {
            Goal::Cell(cell) | Goal::Exact(cell) => Some(cell),
            Goal::Position(place) => Some(map.clamp(tiles.to_cell(place))),
            Goal::Follow(_) => None,
        };
        *order = Order { given: Some(*goal), cell, is_short: false };
        if let Some(cell) = cell {
            // A cell outside the map counts as blocked: the nearest cell of the edge is used.
            let n = map.node(cell).or_else(|| map.node(cell.min(map.size().saturating_sub(UVec2::ONE))));
            groups.add(&map, unit, n.unwrap_or(NodeId::NONE), matches!(goal, Goal::Exact(_)));
        }
    }
    groups.give(&mut map);
}

/// Sends followers after entities that have moved.
pub(crate) fn follow(
    mut map: ResMut<FleetMap>,
    tiles: Res<CellTransform>,
    mut agents: Query<(Entity, &Unit, &Goal, &mut Order), With<Agent>>,
    places: Query<(Option<&Cell>, Option<&GlobalTransform>)>,
    mut commands: Commands,
    mut told: MessageWriter<TargetLost>,
) {
    // Sorted by the target's position, so that orders do not depend on the order of agents.
    let mut due: Vec<(UVec2, UnitId, Entity)> = Vec::new();
    for (entity, unit, goal, order) in &agents {
        let (Some(unit), Goal::Follow(target)) = (unit.0, *goal) else { continue };
        let place = places.get(target).ok().and_then(|(cell, place)| {
            let of_place = || place.map(|place| map.clamp(tiles.to_cell(place.translation())));
            cell.map(|cell| cell.0).or_else(of_place)
        });
        let Some(place) = place else {
            told.write(TargetLost { entity });
            commands.entity(entity).remove::<Goal>();
            commands.trigger(TargetLost { entity });
            continue;
        };
        let at = map.fleet.at(unit).map_or(place, |at| map.cell(at));
        let moved = order.cell.map_or(u32::MAX, |was| apart(was, place));
        if moved > apart(at, place) / NEAR_ENOUGH {
            due.push((place, unit, entity));
        }
    }
    if due.is_empty() {
        return;
    }
    due.sort_unstable_by_key(|&(place, unit, _)| (place.y, place.x, unit));
    let is_due: BTreeSet<UnitId> = due.iter().map(|&(_, unit, _)| unit).collect();
    let followers = agents.iter().filter(|(_, _, goal, _)| matches!(goal, Goal::Follow(_)));
    let others = followers.filter_map(|(_, unit, _, _)| unit.0).filter(|unit| !is_due.contains(unit));
    let mut taken: BTreeSet<NodeId> = others.filter_map(|unit| map.fleet.goal(unit)).collect();
    for (place, unit, entity) in due {
        let seat = (1..=SEATS).flat_map(|radius| ring(place, radius, map.size())).find_map(|cell| {
            let n = map.node(cell)?;
            let is_good = map.is_free(cell)
                && !taken.contains(&n)
                && map.fleet.reachability(unit, n) != Some(Reachability::Unreachable);
            is_good.then_some(n)
        });
        let n = seat.or_else(|| map.node(place)).unwrap_or(NodeId::NONE);
        taken.insert(n);
        if map.fleet.goal(unit) != Some(n) {
            map.fleet.order(&[unit], fleetfoot::fleet::Goal::at(n));
        }
        if let Ok((_, _, _, mut order)) = agents.get_mut(entity) {
            (order.cell, order.is_short) = (Some(place), false);
        }
    }
}

fn apart(a: UVec2, b: UVec2) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// Sends agents with unreachable goals on when the map has opened a path.
pub(crate) fn go_on(mut map: ResMut<FleetMap>, mut agents: Query<(&Unit, &Team, &mut Order), With<Agent>>) {
    let mut is_due = vec![false; map.fleet.teams()];
    map.looked.resize(is_due.len(), 0);
    for (team, is_due) in is_due.iter_mut().enumerate() {
        let known = map.team_id(Team(team as u16)).and_then(|id| map.fleet.known_map(id));
        let Some(known) = known else { continue };
        let end = known.log().end();
        // While the reachability index is being updated, many answers would be false hopes.
        if map.looked[team] != end && known.indices_are_current() {
            (map.looked[team], *is_due) = (end, true);
        }
    }
    if !is_due.contains(&true) {
        return;
    }
    let mut groups = Groups::default();
    for (unit, team, mut order) in &mut agents {
        let (Some(unit), Some(cell), true) = (unit.0, order.cell, order.is_short) else { continue };
        let Some(n) = map.node(cell) else { continue };
        if is_due.get(team.0 as usize) == Some(&true)
            && map.fleet.reachability(unit, n) == Some(Reachability::Maybe)
        {
            order.is_short = false;
            groups.add(&map, unit, n, false);
        }
    }
    groups.give(&mut map);
}
