//! Placement, speed, team and interpolation of agents.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_fleetfoot::{HighPriority, Motion, NotPlaced, SpawnFailure, Unit};
use bevy_math::Vec3;
use bevy_transform::components::Transform;

use super::*;

#[test]
fn agents_are_put_where_they_are_or_beside() {
    let mut app = game(open(32, 32));
    app.insert_resource(CellTransform::xz(2.0));
    let all: Vec<Entity> = (0..20).map(|_| unit(&mut app, at(10, 10))).collect();
    let of_place = app.world_mut().spawn((Agent, Transform::from_xyz(40.5, 7.0, 9.0))).id();
    let nowhere = app.world_mut().spawn(Agent).id();
    let teamless = app.world_mut().spawn((Agent, Cell(at(1, 1)), Team(9))).id();
    app.update();
    Referee::new_placed(&mut app, &all);
    assert!(
        all.iter().all(|&it| get::<Cell>(&app, it).0.as_ivec2().distance_squared(at(10, 10).as_ivec2()) <= 8)
    );
    assert_eq!(get::<Cell>(&app, of_place), Cell(at(20, 5)));
    assert_eq!(get::<Status>(&app, nowhere), Status::Unplaced);
    let mut why = told::<NotPlaced>(&app);
    why.sort_unstable_by_key(|told| told.entity == teamless);
    let expected = [(nowhere, SpawnFailure::NoPlace), (teamless, SpawnFailure::NoTeam)];
    assert_eq!(why, expected.map(|(entity, why)| NotPlaced { entity, why }));
    // What was missing is added, so they are tried again.
    app.world_mut().entity_mut(nowhere).insert(Cell(at(3, 3)));
    app.world_mut().entity_mut(teamless).insert(Team(0));
    run(&mut app, 2);
    assert_eq!(get::<Status>(&app, nowhere), Status::Idle);
    assert_eq!(get::<Status>(&app, teamless), Status::Idle);
}

impl Referee {
    fn new_placed(app: &mut App, all: &[Entity]) {
        let mut cells: Vec<(u32, u32)> = all.iter().map(|&it| get::<Cell>(app, it).0.into()).collect();
        cells.sort_unstable();
        assert!(cells.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn a_cell_that_the_game_writes_teleports() {
    let mut app = game(Map::new(16, 16, |x, _| x != 8).unwrap());
    let it = unit(&mut app, at(2, 2));
    send(&mut app, it, Goal::Cell(at(12, 2)));
    run(&mut app, 10);
    assert_eq!(get::<Status>(&app, it), Status::Short);
    app.world_mut().entity_mut(it).insert(Cell(at(10, 10)));
    run_until(&mut app, it, Status::Arrived, 40);
    assert_eq!(get::<Cell>(&app, it), Cell(at(12, 2)));
    for bad in [at(8, 3), at(99, 99)] {
        app.world_mut().entity_mut(it).insert(Cell(bad));
        app.update();
        assert_eq!(told::<NotPlaced>(&app).last().unwrap().why, SpawnFailure::NoSuchCell);
        assert_eq!(get::<Cell>(&app, it), Cell(at(12, 2)));
    }
}

#[test]
fn speeds_are_cells_per_second() {
    let mut app = game(open(64, 4));
    let slow = app.world_mut().spawn((Agent, Cell(at(0, 0)), Speed::CellsPerSecond(8.0))).id();
    let fast = app.world_mut().spawn((Agent, Cell(at(0, 2)), Speed::CellsPerSecond(32.0))).id();
    send(&mut app, slow, Goal::Cell(at(63, 0)));
    send(&mut app, fast, Goal::Cell(at(63, 2)));
    run(&mut app, 64); // a second
    let (slow_x, fast_x) = (get::<Cell>(&app, slow).0.x, get::<Cell>(&app, fast).0.x);
    assert!((7..=9).contains(&slow_x) && (31..=33).contains(&fast_x), "{slow_x} {fast_x}");
    app.world_mut().entity_mut(slow).insert(Speed::EveryTicks(1));
    run(&mut app, 20);
    assert!(get::<Cell>(&app, slow).0.x >= slow_x + 19);
}

#[test]
fn transforms_glide_and_velocities_say_how() {
    let mut app = game(open(64, 4));
    app.insert_resource(CellTransform::xy(10.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(3906)));
    let it = app
        .world_mut()
        .spawn((Agent, Transform::from_xyz(0.0, 0.0, 5.0), Speed::CellsPerSecond(4.0), Goal::Cell(at(20, 0))))
        .id();
    let (mut last, mut longest) = (0.0_f32, 0.0_f32);
    for _ in 0..1000 {
        app.update();
        let place = get::<Transform>(&app, it).translation;
        assert_eq!((place.y, place.z), (0.0, 5.0), "the height is the game's");
        assert!(place.x >= last, "it never glides back");
        longest = longest.max(place.x - last);
        last = place.x;
    }
    // At 40 units per second a quarter of a tick is 0.16 units; remainders of a tick are not lost.
    assert!(last > 120.0 && longest < 1.5, "{last} {longest}");
    let velocity = get::<DesiredVelocity>(&app, it).0;
    assert!(velocity.y == 0.0 && (36.0..44.0).contains(&velocity.x), "{velocity}");
    assert_eq!(get::<NextCell>(&app, it).0, Some(get::<Cell>(&app, it).0 + at(1, 0)));
    app.world_mut().entity_mut(it).remove::<Goal>();
    run(&mut app, 200);
    assert_eq!(get::<DesiredVelocity>(&app, it).0, Vec3::ZERO);
    let (place, cell) = (get::<Transform>(&app, it).translation, get::<Cell>(&app, it).0);
    assert_eq!(place, Vec3::new(10.0 * cell.x as f32, 0.0, 5.0));
}

#[test]
fn without_transforms_they_are_left_alone() {
    let mut app = App::new();
    app.add_plugins(FleetfootPlugin::in_schedule(Update).without_transforms())
        .insert_resource(FleetMap::new(open(16, 16)));
    let it = unit(&mut app, at(2, 2));
    app.world_mut().entity_mut(it).insert((Transform::from_xyz(2.0, 2.0, 0.0), Goal::Cell(at(9, 9))));
    run(&mut app, 20);
    assert_eq!(get::<Transform>(&app, it).translation, Vec3::new(2.0, 2.0, 0.0));
    assert_eq!(get::<Cell>(&app, it), Cell(at(9, 9)));
}

#[test]
fn paths_are_kept_where_they_are_wanted() {
    let mut app = game(Map::new(32, 16, |x, y| x != 16 || y == 12).unwrap());
    let it = unit(&mut app, at(2, 2));
    app.world_mut().entity_mut(it).insert((Path::default(), Goal::Cell(at(30, 2))));
    run(&mut app, 4);
    let path = get::<Path>(&app, it);
    assert_eq!(path.turns.last(), Some(&at(30, 2)));
    assert!(path.turns.len() >= 2, "{path:?}");
    run(&mut app, 60);
    assert_eq!(get::<Path>(&app, it).turns, []);
}

#[test]
fn agents_change_sides() {
    let mut app = game(open(40, 40));
    let team = app.world_mut().resource_mut::<FleetMap>().add_team(Vision::Radius(3)).unwrap();
    let it = unit(&mut app, at(5, 5));
    send(&mut app, it, Goal::Cell(at(30, 30)));
    run(&mut app, 5);
    let cell = get::<Cell>(&app, it).0;
    app.world_mut().entity_mut(it).insert((team, HighPriority));
    app.update();
    let unit = get::<Unit>(&app, it).id().unwrap();
    let map = app.world().resource::<FleetMap>();
    assert_eq!((map.fleet().team(unit).unwrap().index(), map.fleet().units().count()), (1, 1));
    assert!(map.has_seen(team, cell));
    // It keeps its goal.
    run_until(&mut app, it, Status::Arrived, 60);
    // Without the component it is not on the map.
    app.world_mut().entity_mut(it).remove::<Agent>();
    assert_eq!(app.world().resource::<FleetMap>().fleet().units().count(), 0);
    app.world_mut().entity_mut(it).insert(Agent);
    run(&mut app, 2);
    assert_eq!(app.world().resource::<FleetMap>().fleet().units().count(), 1);
}

#[test]
fn a_new_level_takes_everybody_along() {
    let mut app = game(open(16, 16));
    let it = unit(&mut app, at(12, 12));
    send(&mut app, it, Goal::Cell(at(1, 1)));
    run(&mut app, 3);
    app.insert_resource(FleetMap::new(open(30, 30)));
    run(&mut app, 30);
    assert_eq!((get::<Cell>(&app, it), get::<Status>(&app, it)), (Cell(at(1, 1)), Status::Arrived));
    // Without a map nothing happens.
    app.world_mut().remove_resource::<FleetMap>();
    run(&mut app, 3);
    app.world_mut().despawn(it);
    app.update();
}

#[test]
fn a_wall_on_an_agent_buries_it() {
    let mut app = game(open(16, 16));
    let it = unit(&mut app, at(5, 5));
    app.update();
    let wall = app.world_mut().spawn(Obstacle { from: at(4, 4), size: at(3, 3) }).id();
    run_until(&mut app, it, Status::Buried, 5);
    app.world_mut().despawn(wall);
    send(&mut app, it, Goal::Cell(at(9, 9)));
    run_until(&mut app, it, Status::Arrived, 20);
    let motion = get::<Motion>(&app, it);
    assert_eq!(motion.to, at(9, 9));
}
