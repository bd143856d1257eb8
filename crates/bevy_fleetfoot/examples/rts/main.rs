//! A small real-time strategy game: select by dragging, send by right click, doors, fog. Here a script holds the mouse,
//! so that it runs anywhere; with a window, a system writes [`Pointer`] from the cursor instead, and nothing else changes.
//!
//! `cargo run --example rts`, or `cargo run --example rts -- picture.png 90` for a picture after 90 ticks.

mod game;
mod picture;

use std::error::Error;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::mouse::MouseButton;
use bevy_math::{UVec2, Vec2};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use game::{Door, Pointer, RtsPlugin, Selected};

/// The actions of the player.
enum Deed {
    /// Presses the left button at the first position and releases it at the second.
    Drag(Vec2, Vec2),
    /// Right click.
    Send(Vec2),
    /// Opens or closes all doors.
    Doors,
}

const SCRIPT: [(u32, Deed); 5] = [
    (2, Deed::Drag(Vec2::new(0.0, 0.0), Vec2::new(30.0, 30.0))),
    (4, Deed::Send(Vec2::new(80.0, 52.0))),
    (40, Deed::Doors),
    (140, Deed::Doors),
    (200, Deed::Send(Vec2::new(20.0, 50.0))),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, ticks) = (arguments.next(), arguments.next().map_or(Ok(320), |ticks| ticks.parse())?);
    let mut app = App::new();
    app.add_plugins((TimePlugin, RtsPlugin)).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let mut arrived = 0;
    for tick in 0..ticks {
        play(&mut app, tick);
        app.update();
        arrived += app.world().resource::<Messages<Arrived>>().iter_current_update_messages().count();
    }
    let mut selected = app.world_mut().query_filtered::<&Status, With<Selected>>();
    let there = selected.iter(app.world()).filter(|&&status| status == Status::Arrived).count();
    let all = selected.iter(app.world()).count();
    println!("{ticks} ticks, {arrived} arrivals; of {all} selected units {there} are at their goals");
    if let Some(file) = file {
        picture::write(&mut app, &file)?;
    }
    Ok(())
}

/// Performs the scripted actions of a tick.
fn play(app: &mut App, tick: u32) {
    app.world_mut().resource_mut::<ButtonInput<MouseButton>>().clear();
    for (when, deed) in &SCRIPT {
        let world = app.world_mut();
        let (place, button, is_down) = match *deed {
            Deed::Drag(from, _) if tick == *when => (from, MouseButton::Left, true),
            Deed::Drag(_, to) if tick == when + 1 => (to, MouseButton::Left, false),
            Deed::Send(to) if tick == *when => (to, MouseButton::Right, true),
            Deed::Send(to) if tick == when + 1 => (to, MouseButton::Right, false),
            Deed::Doors if tick == *when => {
                let mut doors = world.query::<&mut Door>();
                doors.iter_mut(world).for_each(|mut door| door.is_open = !door.is_open);
                continue;
            }
            _ => continue,
        };
        world.resource_mut::<Pointer>().0 = place;
        let mut buttons = world.resource_mut::<ButtonInput<MouseButton>>();
        if is_down {
            buttons.press(button);
        } else {
            buttons.release(button);
        }
    }
}

/// Returns a cell.
fn at(x: u32, y: u32) -> UVec2 {
    UVec2::new(x, y)
}
