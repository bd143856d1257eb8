//! Pictures of a fleet at one moment, as PNG, and of its run as GIF.

use fleetfoot_sim::error::InputError;

use super::player::{FleetPlayer, UnitState};
use super::record::FleetRecord;
use crate::canvas::{Canvas, Colour};
use crate::palette;
use crate::picture::moving;

const MOVES: Colour = [0, 114, 178];
const WAITS: Colour = [213, 94, 0];
const ARRIVED: Colour = [0, 158, 115];
const CANNOT: Colour = [20, 20, 24];
const SHUT: Colour = [150, 20, 60];

/// A picture of how things stand after so many ticks, or after the last one: units that moved are blue, that waited
/// orange, that have arrived green, that cannot get to their goals black.
///
/// # Errors
/// If the record has no such tick, or is damaged.
pub fn png(record: &FleetRecord, tick: Option<u64>, side: u32) -> Result<Vec<u8>, InputError> {
    let end = record.meta.ticks;
    if let Some(tick) = tick.filter(|tick| *tick > end) {
        let what = format!("the record has no tick {tick}");
        return Err(InputError::new(what, format!("choose one from 0 to {end}")));
    }
    let mut player = record.play();
    while player.tick() < tick.unwrap_or(end) && player.advance()? {}
    let mut out = Vec::new();
    draw(record, &player, side).write(&mut out).expect("a vector takes everything");
    Ok(out)
}

/// All of a record as a moving picture of so many frames, evenly spread.
///
/// # Errors
/// If the record is damaged.
pub fn gif(record: &FleetRecord, frames: u32, side: u32) -> Result<Vec<u8>, InputError> {
    let end = record.meta.ticks;
    let frames = u64::from(frames.max(1)).min(end + 1);
    moving(frames, |show| {
        let mut player = record.play();
        for k in 0..frames {
            while player.tick() < end * (k + 1) / frames && player.advance()? {}
            show(k, &draw(record, &player, side));
        }
        Ok(())
    })
}

/// Pixels of a cell, or cells of a pixel.
fn draw(record: &FleetRecord, player: &FleetPlayer<'_>, side: u32) -> Canvas {
    let (width, height) = (record.meta.width, record.meta.height);
    let longer = width.max(height).max(1);
    let scale = (side / longer).clamp(1, 24);
    let every = longer.div_ceil(side.max(1)).max(1);
    let size = |cells: u32| (cells.div_ceil(every) * scale).max(1);
    let mut canvas = Canvas::new(size(width), size(height), palette::PAPER);
    let mut block = |x: u32, y: u32, inset: u32, colour: Colour| {
        let (left, top) = (x / every * scale, y / every * scale);
        for py in top + inset..top + scale - inset {
            for px in left + inset..left + scale - inset {
                canvas.set((px, py), colour);
            }
        }
    };
    for (cell, (&letter, &weight)) in record.letters.iter().zip(player.weights()).enumerate() {
        let ground = palette::ground(letter);
        let colour = match (player.seen()[cell], weight) {
            (true, 0) if record.weights[cell] > 0 => SHUT,
            (true, _) => ground,
            (false, 0) => palette::HIDDEN,
            (false, _) => palette::FOG,
        };
        block(cell as u32 % width, cell as u32 / width, 0, colour);
    }
    let inset = if scale >= 6 { scale / 6 } else { 0 };
    for unit in player.units().iter().filter(|unit| !unit.is_gone()) {
        block(unit.at % width, unit.at / width, inset, colour(unit));
    }
    canvas
}

fn colour(unit: &UnitState) -> Colour {
    match unit.status() {
        "unreachable" | "buried" => CANNOT,
        _ if unit.goal == Some(unit.at) => ARRIVED,
        _ if unit.has_moved() => MOVES,
        _ => WAITS,
    }
}
