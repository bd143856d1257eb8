//! Many units.

use bevy_ecs::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_fleetfoot::{FrameCost, Unit};

use super::*;

/// Spawns `each` units in the rooms on the left with goals on the right, and as many in the other direction.
fn two_armies(app: &mut App, each: u32, side: u32) -> Vec<Entity> {
    let mut all = Vec::new();
    for k in 0..each {
        let (x, y) = (1 + k % 24, 1 + k / 24);
        all.push(unit(app, at(x, y)));
        all.push(unit(app, at(side - 2 - x, side - 2 - y)));
    }
    for (k, &entity) in all.iter().enumerate() {
        let goal = if k % 2 == 0 { at(side - 20, side - 20) } else { at(20, 20) };
        send(app, entity, Goal::Cell(goal));
    }
    all
}

#[test]
fn two_thousand_units_cross_a_map_of_rooms() {
    let mut app = game(rooms(129));
    let all = two_armies(&mut app, 1000, 129);
    app.update();
    let mut referee = Referee::new(&mut app);
    for _ in 0..600 {
        app.update();
        referee.check(&mut app);
    }
    let arrived = all.iter().filter(|&&entity| get::<Status>(&app, entity) == Status::Arrived).count();
    assert!(arrived >= 1980, "{arrived} of 2000 have arrived");
}

#[test]
fn the_budget_is_kept_in_every_frame() {
    for budget in [200, 1000, 5000] {
        let mut app = game(rooms(129));
        app.insert_resource(FrameBudget::WorkPerTick(budget));
        two_armies(&mut app, 500, 129);
        let (mut most, mut moved) = (0, 0);
        for tick in 0..150 {
            if tick % 10 == 5 {
                let door = at(16, 7 + tick / 10 % 2);
                let mut map = app.world_mut().resource_mut::<FleetMap>();
                let weight = u8::from(!map.is_free(door));
                map.set(door, weight).unwrap();
            }
            app.update();
            let cost = *app.world().resource::<FrameCost>();
            (most, moved) = (most.max(cost.work), moved + cost.moved);
        }
        assert!(most <= budget, "{most} spent of {budget}");
        assert!(moved > 1000, "{moved} moves");
    }
}

#[test]
fn a_third_is_despawned_on_the_way() {
    let mut app = game(rooms(65));
    let all = two_armies(&mut app, 200, 65);
    app.update();
    let mut referee = Referee::new(&mut app);
    for tick in 0..300 {
        if tick == 15 {
            for &entity in all.iter().step_by(3) {
                let cell = get::<Cell>(&app, entity);
                let id = get::<Unit>(&app, entity).id().unwrap();
                app.world_mut().despawn(entity);
                // Its cell is free at once, and its unit no longer exists.
                let map = app.world().resource::<FleetMap>();
                assert_eq!((map.agent_on(cell.0), map.fleet().at(id)), (None, None));
            }
        }
        app.update();
        referee.check(&mut app);
    }
    let left: Vec<Entity> = all.iter().enumerate().filter(|(k, _)| k % 3 != 0).map(|(_, &e)| e).collect();
    assert_eq!(app.world().resource::<FleetMap>().fleet().units().count(), left.len());
    let arrived = left.iter().filter(|&&entity| get::<Status>(&app, entity) == Status::Arrived).count();
    assert!(arrived * 100 >= left.len() * 98, "{arrived} of {} have arrived", left.len());
}

/// A game with orders, doors, fog, spawning, despawning and buildings.
fn eventful(tick: u64, app: &mut App, all: &mut Vec<Entity>) {
    let random =
        |k: u64, n: u64| (tick * 131 + k).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33 & 0xFFFF_FFFF & (n - 1);
    if tick.is_multiple_of(7) {
        let cell = at(1 + random(1, 64) as u32, 1 + random(2, 64) as u32);
        let team = Team(random(3, 2) as u16);
        let speed = if tick.is_multiple_of(2) { Speed::EveryTicks(1) } else { Speed::CellsPerSecond(40.0) };
        all.push(app.world_mut().spawn((Agent, Cell(cell), team, speed)).id());
    }
    if tick.is_multiple_of(5) {
        let goal = Goal::Cell(at(random(4, 64) as u32, random(5, 64) as u32));
        for &entity in all.iter().skip(random(6, 8) as usize).step_by(3) {
            send(app, entity, goal);
        }
    }
    if tick.is_multiple_of(11) {
        let door = at(16 * (1 + random(7, 2) as u32), 7 + random(8, 2) as u32);
        let mut map = app.world_mut().resource_mut::<FleetMap>();
        let weight = u8::from(!map.is_free(door));
        map.set(door, weight).unwrap();
    }
    if tick.is_multiple_of(13) && all.len() > 20 {
        let (gone, leader) = (all.remove(random(9, 16) as usize), all[0]);
        app.world_mut().despawn(gone);
        let follower = all[1 + random(10, 8) as usize];
        send(app, follower, Goal::Follow(leader));
    }
}

fn eventful_game() -> (App, Vec<Entity>) {
    let mut app = game(rooms(81));
    app.insert_resource(FrameBudget::WorkPerTick(300));
    app.world_mut().resource_mut::<FleetMap>().add_team(Vision::Radius(6)).unwrap();
    let mut all = two_armies(&mut app, 60, 81);
    app.update();
    for tick in 1..120 {
        eventful(tick, &mut app, &mut all);
        app.update();
    }
    (app, all)
}

#[test]
fn the_same_game_twice_gives_the_same_states() {
    let ((mut one, mut ours), (mut two, mut theirs)) = (eventful_game(), eventful_game());
    assert_eq!(state(&mut one), state(&mut two));
    for tick in 120..240 {
        eventful(tick, &mut one, &mut ours);
        eventful(tick, &mut two, &mut theirs);
        one.update();
        two.update();
        assert_eq!(state(&mut one), state(&mut two), "tick {tick}");
    }
}

#[test]
fn a_saved_game_goes_on_as_if_nothing_had_happened() {
    let (mut one, mut ours) = eventful_game();
    let saved = bevy_fleetfoot::SavedGame::save(one.world_mut()).unwrap();
    let text = serde_json::to_string(&saved).unwrap();
    let saved: bevy_fleetfoot::SavedGame = serde_json::from_str(&text).unwrap();
    let mut two = game(open(4, 4));
    two.insert_resource(FrameBudget::WorkPerTick(300));
    two.update();
    let pairs = saved.load(two.world_mut()).unwrap();
    let now = |was: Entity| pairs.iter().find(|pair| pair.0 == was).unwrap().1;
    let mut theirs: Vec<Entity> = ours.iter().map(|&entity| now(entity)).collect();
    for tick in 120..240 {
        eventful(tick, &mut one, &mut ours);
        eventful(tick, &mut two, &mut theirs);
        one.update();
        two.update();
        assert_eq!(state(&mut one), state(&mut two), "tick {tick}");
    }
}
