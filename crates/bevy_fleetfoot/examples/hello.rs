//! A unit walks through a gap in a wall, in ten lines. `cargo run --example hello`
use bevy_app::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_math::UVec2;

fn main() {
    let map = Map::new(32, 16, |x, y| x != 16 || y == 12).unwrap();
    let mut app = App::new();
    app.add_plugins(FleetfootPlugin::in_schedule(Update)).insert_resource(FleetMap::new(map));
    let unit = app.world_mut().spawn((Agent, Cell(UVec2::new(2, 2)), Goal::Cell(UVec2::new(30, 2)))).id();
    while app.world().get::<Status>(unit) != Some(&Status::Arrived) {
        app.update();
    }
    println!("{:?}", app.world().get::<Cell>(unit));
}
