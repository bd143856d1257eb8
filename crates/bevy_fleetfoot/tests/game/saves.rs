//! Saving by reflection: every component as a scene would write it, and the map.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_fleetfoot::SavedMap;
use bevy_fleetfoot::prelude::*;
use bevy_reflect::serde::{ReflectDeserializer, ReflectSerializer};
use serde::de::DeserializeSeed;

use super::*;

/// Returns all reflected components of all agents as JSON.
fn written(app: &mut App) -> Vec<Vec<String>> {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let mut query = app.world_mut().query_filtered::<EntityRef, With<Agent>>();
    let all = query.iter(app.world()).map(|agent| {
        let kinds = registry.iter().filter_map(|kind| kind.data::<ReflectComponent>());
        let values = kinds.filter_map(|kind| kind.reflect(agent));
        values
            .map(|value| {
                serde_json::to_string(&ReflectSerializer::new(value.as_partial_reflect(), &registry)).unwrap()
            })
            .collect()
    });
    all.collect()
}

/// Spawns agents from saved components.
fn read(app: &mut App, written: &[Vec<String>]) {
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for values in written {
        let mut agent = app.world_mut().spawn_empty();
        for value in values {
            let mut json = serde_json::Deserializer::from_str(value);
            let value = ReflectDeserializer::new(&registry).deserialize(&mut json).unwrap();
            let info = value.get_represented_type_info().unwrap();
            let kind = registry.get_type_data::<ReflectComponent>(info.type_id()).unwrap();
            kind.insert(&mut agent, &*value, &registry);
        }
    }
}

#[test]
fn a_scene_and_a_map_are_a_saved_game() {
    let mut one = game(rooms(49));
    one.insert_resource(FrameBudget::WorkPerTick(100));
    for k in 0..60 {
        let it = unit(&mut one, at(1 + k % 12, 1 + k / 12));
        send(&mut one, it, Goal::Cell(at(40 - k % 3, 40)));
    }
    run(&mut one, 12);
    let text = serde_json::to_string(&one.world().resource::<FleetMap>().save()).unwrap();
    let scene = written(&mut one);
    assert_eq!(scene.len(), 60);
    let mut two = game(open(4, 4));
    two.insert_resource(FrameBudget::WorkPerTick(100));
    let saved: SavedMap = serde_json::from_str(&text).unwrap();
    two.insert_resource(FleetMap::load(&saved).unwrap());
    read(&mut two, &scene);
    for tick in 0..80 {
        one.update();
        two.update();
        assert_eq!(state(&mut one), state(&mut two), "tick {tick}");
    }
    assert!(state(&mut two).iter().any(|&(_, _, status)| status == Status::Arrived));
}

#[test]
fn agents_of_an_old_map_leave_a_loaded_one_alone() {
    for is_stopped in [false, true] {
        let mut app = game(open(40, 4));
        let it = unit(&mut app, at(1, 1));
        send(&mut app, it, Goal::Cell(at(38, 1)));
        run(&mut app, 5);
        let cell = get::<Cell>(&app, it);
        let (saved, scene) = (app.world().resource::<FleetMap>().save(), written(&mut app));
        // The loaded map is inserted before the agents of the old one are removed.
        app.insert_resource(FleetMap::load(&saved).unwrap());
        app.world_mut().despawn(it);
        read(&mut app, &scene);
        let again = app.world_mut().query_filtered::<Entity, With<Agent>>().single(app.world()).unwrap();
        if is_stopped {
            app.world_mut().entity_mut(again).remove::<Goal>();
        }
        run(&mut app, 3);
        let status = if is_stopped { Status::Idle } else { Status::Underway };
        assert_eq!(get::<Status>(&app, again), status);
        assert_eq!(get::<Cell>(&app, again) == cell, is_stopped);
    }
}

#[test]
fn a_damaged_save_is_refused() {
    let app = game(open(8, 8));
    let text = serde_json::to_string(&app.world().resource::<FleetMap>().save()).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let bytes = json["fleet"]["bytes"].as_array_mut().unwrap();
    bytes[20] = (bytes[20].as_u64().unwrap() ^ 1).into();
    let saved: SavedMap = serde_json::from_value(json).unwrap();
    assert!(FleetMap::load(&saved).unwrap_err().to_string().contains("damaged"));
}
