//! Goals: cells, positions, entities, unreachable cells, doors and fog.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_fleetfoot::TargetLost;
use bevy_fleetfoot::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::{GlobalTransform, Transform};

use super::*;

/// Returns a map with a wall from top to bottom with one gap.
fn wall_with_gap() -> Map {
    Map::new(32, 16, |x, y| x != 16 || y == 8).unwrap()
}

#[test]
fn a_unit_walks_to_a_cell_and_reports_arrival() {
    let mut app = game(wall_with_gap());
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(30, 2)));
    app.update();
    assert!(matches!(get::<Status>(&app, it), Status::Seeking | Status::Underway));
    run_until(&mut app, it, Status::Arrived, 60);
    assert_eq!(get::<Cell>(&app, it), Cell(at(30, 2)));
    assert_eq!(told::<Arrived>(&app), [Arrived { entity: it }]);
    // A goal that is changed, and one that is removed.
    *app.world_mut().get_mut::<Goal>(it).unwrap() = Goal::Position(Vec3::new(2.2, 3.9, 0.0));
    run_until(&mut app, it, Status::Arrived, 60);
    assert_eq!(get::<Cell>(&app, it), Cell(at(2, 4)));
    send(&mut app, it, Goal::Cell(at(30, 2)));
    run(&mut app, 5);
    app.world_mut().entity_mut(it).remove::<Goal>();
    run(&mut app, 2);
    let stands = get::<Cell>(&app, it);
    run(&mut app, 5);
    assert_eq!((get::<Cell>(&app, it), get::<Status>(&app, it)), (stands, Status::Idle));
}

#[test]
fn observers_receive_all_messages() {
    #[derive(Resource, Default)]
    struct Heard(Vec<Entity>);
    let mut app = game(open(16, 16));
    app.init_resource::<Heard>();
    app.add_observer(|arrived: On<Arrived>, mut heard: ResMut<Heard>| heard.0.push(arrived.entity));
    let all: Vec<Entity> = (0..5).map(|k| unit(&mut app, at(k, 0))).collect();
    for &it in &all {
        send(&mut app, it, Goal::Cell(at(8, 8)));
    }
    run(&mut app, 40);
    let heard = &app.world().resource::<Heard>().0;
    assert!(heard.len() == 5 && all.iter().all(|it| heard.contains(it)));
}

#[test]
fn observers_see_written_components() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(Cell, Status)>);
    let mut app = game(open(16, 16));
    app.init_resource::<Seen>();
    app.add_observer(|arrived: On<Arrived>, agents: Query<(&Cell, &Status)>, mut seen: ResMut<Seen>| {
        seen.0.extend(agents.get(arrived.entity).map(|(&cell, &status)| (cell, status)));
    });
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(8, 8)));
    run(&mut app, 20);
    assert_eq!(app.world().resource::<Seen>().0, [(Cell(at(8, 8)), Status::Arrived)]);
}

#[test]
fn a_blocked_unit_reports_its_blocker() {
    let mut app = game(open(40, 1));
    let (fast, slow) = (unit(&mut app, at(0, 0)), unit(&mut app, at(3, 0)));
    app.world_mut().entity_mut(slow).insert(Speed::EveryTicks(8));
    send(&mut app, fast, Goal::Cell(at(30, 0)));
    send(&mut app, slow, Goal::Cell(at(38, 0)));
    let mut blocked = Vec::new();
    for _ in 0..30 {
        app.update();
        blocked.extend(told::<Blocked>(&app));
    }
    assert!(blocked.contains(&Blocked { entity: fast, by: slow }), "{blocked:?}");
}

#[test]
fn a_goal_behind_a_closed_door_is_neared_and_reached_when_it_opens() {
    let mut app = game(wall_with_gap());
    let door = app.world_mut().spawn(Obstacle::cell(at(16, 8))).id();
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(18, 8)));
    let mut answers = Vec::new();
    for _ in 0..60 {
        app.update();
        answers.extend(told::<Unreachable>(&app));
    }
    assert_eq!(answers[0], Unreachable { entity: it, nearest: Some(at(15, 8)) });
    assert_eq!((get::<Cell>(&app, it), get::<Status>(&app, it)), (Cell(at(15, 8)), Status::Short));
    assert_eq!(told::<Arrived>(&app), []);
    app.world_mut().despawn(door);
    run_until(&mut app, it, Status::Arrived, 40);
    assert_eq!(get::<Cell>(&app, it), Cell(at(18, 8)));
}

/// Too little time to look at all cells between the goals and the shore of the agents.
#[test]
fn with_little_time_agents_near_unreachable_goals_all_the_same() {
    let mut app = game(Map::new(300, 64, |x, _| !(30..=290).contains(&x)).unwrap());
    app.insert_resource(FrameBudget::TimePerFrame(Duration::from_micros(20)));
    let all: Vec<Entity> = (0..60).map(|k| unit(&mut app, at(k % 20, 2 * (k / 20)))).collect();
    for (k, &it) in (0..).zip(&all) {
        send(&mut app, it, Goal::Cell(at(299, k)));
    }
    for _ in 0..3000 {
        app.update();
        assert!(told::<Unreachable>(&app).iter().all(|answer| answer.nearest.is_some()));
        if all.iter().all(|&it| get::<Status>(&app, it) == Status::Short && get::<Cell>(&app, it).0.x > 19) {
            return;
        }
    }
    panic!("agents stay where they were");
}

#[test]
fn a_door_that_shuts_and_opens_on_the_way() {
    let mut app = game(wall_with_gap());
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(30, 12)));
    run(&mut app, 5);
    let door = app.world_mut().spawn(Obstacle { from: at(16, 7), size: at(1, 3) }).id();
    run_until(&mut app, it, Status::Short, 60);
    // Another door: they take it.
    app.world_mut().resource_mut::<FleetMap>().set(at(16, 1), 1).unwrap();
    run_until(&mut app, it, Status::Arrived, 80);
    // A moved obstacle frees its old cells and blocks the new ones.
    *app.world_mut().get_mut::<Obstacle>(door).unwrap() = Obstacle::cell(at(16, 1));
    app.update();
    let map = app.world().resource::<FleetMap>();
    assert_eq!([1, 7, 8, 9].map(|y| map.is_free(at(16, y))), [false, false, true, false]);
}

#[test]
fn a_broken_route_is_searched_again() {
    let mut app = game(Map::new(32, 16, |x, y| x != 16 || y == 2 || y == 13).unwrap());
    let it = unit(&mut app, at(4, 2));
    send(&mut app, it, Goal::Cell(at(28, 2)));
    run(&mut app, 4);
    app.world_mut().resource_mut::<FleetMap>().set(at(16, 2), 0).unwrap();
    let mut rerouted = Vec::new();
    for _ in 0..60 {
        app.update();
        rerouted.extend(told::<Rerouted>(&app));
    }
    assert!(rerouted.contains(&Rerouted { entity: it }));
    assert_eq!(get::<Cell>(&app, it), Cell(at(28, 2)));
}

#[test]
fn an_exact_goal_is_never_replaced() {
    let mut app = game(Map::new(16, 16, |x, _| x != 8).unwrap());
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Exact(at(12, 2)));
    run(&mut app, 20);
    assert_eq!((get::<Cell>(&app, it), get::<Status>(&app, it)), (Cell(at(2, 2)), Status::Unreachable));
    app.world_mut().resource_mut::<FleetMap>().set(at(8, 8), 1).unwrap();
    run_until(&mut app, it, Status::Arrived, 60);
}

#[test]
fn goals_outside_the_map_are_neared() {
    let mut app = game(open(16, 16));
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(99, 7)));
    run(&mut app, 30);
    assert_eq!(get::<Cell>(&app, it), Cell(at(15, 7)));
    send(&mut app, it, Goal::Position(Vec3::new(-50.0, 3.0, 0.0)));
    run(&mut app, 30);
    assert_eq!(get::<Cell>(&app, it), Cell(at(0, 3)));
}

#[test]
fn a_group_has_a_cell_for_each() {
    let mut app = game(open(40, 40));
    let all: Vec<Entity> = (0..30).map(|k| unit(&mut app, at(k % 6, k / 6))).collect();
    for &it in &all {
        send(&mut app, it, Goal::Cell(at(30, 30)));
    }
    run(&mut app, 90);
    let mut cells: Vec<(u32, u32)> = all.iter().map(|&it| get::<Cell>(&app, it).0.into()).collect();
    assert!(cells.iter().all(|&(x, y)| x.abs_diff(30) <= 3 && y.abs_diff(30) <= 3));
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 30);
}

#[test]
fn followers_stay_beside_their_leader_until_it_is_no_more() {
    let mut app = game(open(40, 40));
    let leader = unit(&mut app, at(20, 20));
    // An agent without a goal would step aside for others.
    send(&mut app, leader, Goal::Exact(at(20, 20)));
    let pack: Vec<Entity> = (0..6).map(|k| unit(&mut app, at(k, 0))).collect();
    for &it in &pack {
        send(&mut app, it, Goal::Follow(leader));
    }
    run(&mut app, 60);
    let far = |app: &App, it| {
        let (a, b) = (get::<Cell>(app, it).0, get::<Cell>(app, leader).0);
        a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
    };
    assert_eq!(get::<Cell>(&app, leader), Cell(at(20, 20)));
    assert!(pack.iter().all(|&it| far(&app, it) == 1));
    send(&mut app, leader, Goal::Cell(at(2, 36)));
    run(&mut app, 60);
    assert!(pack.iter().all(|&it| far(&app, it) <= 2));
    app.world_mut().despawn(leader);
    app.update();
    assert_eq!(told::<TargetLost>(&app).len(), 6);
    app.update();
    assert!(pack.iter().all(|&it| app.world().get::<Goal>(it).is_none()));
}

#[test]
fn any_entity_can_be_followed() {
    let mut app = game(open(20, 20));
    let flag = app.world_mut().spawn((Transform::default(), GlobalTransform::from_xyz(9.0, 9.0, 0.0))).id();
    let it = unit(&mut app, at(0, 0));
    send(&mut app, it, Goal::Follow(flag));
    run_until(&mut app, it, Status::Arrived, 30);
    let cell = get::<Cell>(&app, it).0;
    assert_eq!(cell.x.abs_diff(9).max(cell.y.abs_diff(9)), 1);
}

#[test]
fn a_team_in_fog_navigates_by_its_observations() {
    // A dead end on the straight path, discovered only by observing it.
    let map = || {
        Map::new(40, 40, |x, y| !((x == 25 && (5..35).contains(&y)) || (y == 5 && (10..25).contains(&x))))
            .unwrap()
    };
    let mut app = game(map());
    let team = app.world_mut().resource_mut::<FleetMap>().add_team(Vision::Radius(4)).unwrap();
    let it = unit(&mut app, at(4, 20));
    app.world_mut().entity_mut(it).insert((team, Goal::Cell(at(36, 20))));
    app.update();
    let seen = |app: &App, cell| app.world().resource::<FleetMap>().has_seen(team, cell);
    assert!(seen(&app, at(6, 20)) && !seen(&app, at(25, 20)));
    run_until(&mut app, it, Status::Arrived, 200);
    assert!(seen(&app, at(25, 20)) && !seen(&app, at(0, 39)));
}
