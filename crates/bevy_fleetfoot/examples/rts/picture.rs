//! Draws the state of the game: fog, walls, doors, units and their paths.

use std::fs;
use std::io::BufWriter;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_fleetfoot::prelude::*;
use bevy_fleetfoot::{FrameCost, Unit};
use bevy_math::UVec2;
use bevy_transform::components::Transform;
use fleetfoot_view::canvas::{Area, Canvas, Colour, Point, blend};

use super::game::{Door, SIZE, Selected};

/// Size of a cell in pixels.
const CELL: u32 = 10;
/// Height of the bar at the bottom in pixels.
const BAR: u32 = 12;
const FLOOR: Colour = [236, 232, 222];
const WALL: Colour = [84, 88, 96];
const UNSEEN: Colour = [40, 44, 58];
const SHUT: Colour = [168, 92, 44];
const OPEN: Colour = [222, 190, 150];
const OURS: Colour = [36, 104, 190];
const THEIRS: Colour = [196, 58, 58];
const CHOSEN: Colour = [120, 200, 90];

/// Writes a PNG file, through a temporary file, so that it is always complete.
pub(crate) fn write(app: &mut App, file: &str) -> std::io::Result<()> {
    let beside = format!("{file}.part");
    draw(app).write(&mut BufWriter::new(fs::File::create(&beside)?))?;
    fs::rename(beside, file)
}

fn draw(app: &mut App) -> Canvas {
    let (width, height) = (SIZE.x * CELL, SIZE.y * CELL);
    let mut canvas = Canvas::new(width, height + BAR, UNSEEN);
    let frame = Area { left: 0, top: 0, right: width, bottom: height };
    let mut doors = app.world_mut().query::<&Door>();
    let doors: Vec<(Obstacle, bool)> =
        doors.iter(app.world()).map(|door| (door.place, door.is_open)).collect();
    let mut units = app.world_mut().query::<(&Transform, &Unit, &Team, Has<Selected>)>();
    let world = app.world();
    let map = world.resource::<FleetMap>();
    for y in 0..height {
        for x in 0..width {
            let cell = UVec2::new(x / CELL, y / CELL);
            let truth = if map.is_free(cell) { FLOOR } else { WALL };
            let door = doors
                .iter()
                .find(|(place, _)| (cell.cmpge(place.from) & cell.cmplt(place.from + place.size)).all());
            let truth = door.map_or(truth, |&(_, is_open)| if is_open { OPEN } else { SHUT });
            let is_seen = map.has_seen(Team(1), cell);
            canvas.set((x, y), if is_seen { truth } else { blend(UNSEEN, truth, 0.12) });
        }
    }
    let middle = |x: f64, y: f64| ((x + 0.5) * f64::from(CELL), (y + 0.5) * f64::from(CELL));
    for (transform, unit, &team, _) in units.iter(world) {
        let Some(unit) = unit.id().filter(|_| team == Team(1)) else { continue };
        let place = transform.translation;
        let mut last: Point = middle(f64::from(place.x), f64::from(place.y));
        for turn in map.fleet().corners_ahead(unit) {
            let turn = map.cell(turn);
            let next = middle(f64::from(turn.x), f64::from(turn.y));
            canvas.line(frame, (last, next), 1.0, blend(OURS, FLOOR, 0.6));
            last = next;
        }
    }
    for (transform, _, &team, is_selected) in units.iter(world) {
        let place = middle(f64::from(transform.translation.x), f64::from(transform.translation.y));
        if is_selected {
            canvas.disc(frame, place, 5.0, CHOSEN);
        }
        canvas.disc(frame, place, 3.6, if team == Team(1) { OURS } else { THEIRS });
    }
    bar(&mut canvas, world, (width, height));
    canvas
}

/// Draws how much of its budget the last tick has used.
fn bar(canvas: &mut Canvas, world: &World, (width, height): (u32, u32)) {
    let FrameBudget::WorkPerTick(budget) = *world.resource::<FrameBudget>() else { return };
    let spent = world.resource::<FrameCost>().work.min(budget);
    let filled = (u64::from(width) * spent / budget.max(1)) as u32;
    for x in 0..filled {
        for y in height + 2..height + BAR - 2 {
            canvas.set((x, y), CHOSEN);
        }
    }
}
