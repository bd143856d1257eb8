//! The game, independent of windows: the position of the pointer in the world is a resource.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::mouse::MouseButton;
use bevy_math::{UVec2, Vec2};
use bevy_transform::components::Transform;

use super::at;

/// Columns and rows.
pub(crate) const SIZE: UVec2 = UVec2::new(96, 64);

/// The position of the pointer in the world.
#[derive(Resource, Default)]
pub(crate) struct Pointer(pub(crate) Vec2);

/// The position where the left button was pressed.
#[derive(Resource, Default)]
struct DraggedFrom(Option<Vec2>);

/// A unit that the player has selected.
#[derive(Component)]
pub(crate) struct Selected;

/// A door in a wall. A closed door is an [`Obstacle`].
#[derive(Component)]
pub(crate) struct Door {
    pub(crate) place: Obstacle,
    pub(crate) is_open: bool,
}

/// Three rooms, two walls with doors, and two armies, one of which has fog of war.
pub(crate) struct RtsPlugin;

impl Plugin for RtsPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(FleetfootPlugin::default())
            .insert_resource(FrameBudget::WorkPerTick(1000))
            .init_resource::<ButtonInput<MouseButton>>()
            .init_resource::<Pointer>()
            .init_resource::<DraggedFrom>()
            .add_systems(Startup, set_up)
            .add_systems(Update, (select, send, work_doors));
    }
}

fn set_up(mut commands: Commands) {
    let map = Map::new(SIZE.x, SIZE.y, |x, y| {
        let first = (32..34).contains(&x) && !(12..16).contains(&y) && !(44..48).contains(&y);
        let second = (62..64).contains(&x) && !(28..32).contains(&y) && y < 58;
        let rock = x % 13 < 3 && y % 11 < 3 && x > 36;
        !(first || second || rock)
    });
    // These sizes are valid.
    let Ok(map) = map else { return };
    let mut map = FleetMap::new(map);
    let scouts = map.add_team(Vision::Radius(9)).unwrap_or_default();
    commands.insert_resource(map);
    for k in 0..120 {
        let cell = Cell(at(4 + k % 12, 4 + k / 12));
        commands.spawn((Agent, cell, scouts, Speed::CellsPerSecond(32.0), Transform::default()));
    }
    for k in 0..60 {
        let cell = Cell(at(84 + k % 10, 50 + k / 10));
        let goal = Goal::Cell(at(10, 54));
        commands.spawn((Agent, cell, goal, Speed::CellsPerSecond(24.0), Transform::default()));
    }
    for y in [12, 44] {
        let place = Obstacle { from: at(32, y), size: at(2, 4) };
        commands.spawn(Door { place, is_open: true });
    }
}

/// Selects the units in the dragged rectangle.
fn select(
    pointer: Res<Pointer>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut from: ResMut<DraggedFrom>,
    units: Query<(Entity, &Transform, &Team), With<Agent>>,
    selected: Query<Entity, With<Selected>>,
    mut commands: Commands,
) {
    if buttons.just_pressed(MouseButton::Left) {
        from.0 = Some(pointer.0);
    }
    if !buttons.just_released(MouseButton::Left) {
        return;
    }
    let Some(from) = from.0.take() else { return };
    for entity in &selected {
        commands.entity(entity).remove::<Selected>();
    }
    let (low, high) = (from.min(pointer.0), from.max(pointer.0));
    for (entity, transform, &team) in &units {
        let place = transform.translation.truncate();
        if team != Team(0) && place.cmpge(low).all() && place.cmple(high).all() {
            commands.entity(entity).insert(Selected);
        }
    }
}

/// Sends the selected units to where the right button was pressed.
fn send(
    pointer: Res<Pointer>,
    buttons: Res<ButtonInput<MouseButton>>,
    selected: Query<Entity, With<Selected>>,
    mut commands: Commands,
) {
    if buttons.just_pressed(MouseButton::Right) {
        for entity in &selected {
            commands.entity(entity).insert(Goal::Position(pointer.0.extend(0.0)));
        }
    }
}

/// A closed door is an obstacle, an open one is not.
fn work_doors(doors: Query<(Entity, &Door), Changed<Door>>, mut commands: Commands) {
    for (entity, door) in &doors {
        if door.is_open {
            commands.entity(entity).remove::<Obstacle>();
        } else {
            commands.entity(entity).insert(door.place);
        }
    }
}
