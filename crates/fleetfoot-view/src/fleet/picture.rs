//! Pictures of a fleet at one moment, as PNG, and of its run as GIF.

use fleetfoot_sim::error::InputError;

use super::player::{FleetPlayer, UnitState};
use super::record::FleetRecord;
use crate::canvas::{Canvas, Colour};
use crate::palette;
use crate::picture::{bitmap_text, moving};

const MOVES: Colour = [0, 114, 178];
const WAITS: Colour = [213, 94, 0];
const ARRIVED: Colour = [0, 158, 115];
const CANNOT: Colour = [20, 20, 24];
const SHUT: Colour = [150, 20, 60];
const EAST: Colour = MOVES;
const WEST: Colour = WAITS;
const SOUTH: Colour = ARRIVED;
const NORTH: Colour = [122, 31, 255];

/// What the color of a unit shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitColors {
    /// Blue: moved in the last tick. Orange: waits. Green: at its goal. Black: cannot reach its goal.
    #[default]
    Status,
    /// Side of the map that holds the first goal, seen from the start: east blue, west orange, south green, north
    /// purple. Distinguishes streams of units.
    Heading,
}

/// Makes a picture of the units after `tick` ticks, or at the end.
///
/// # Errors
/// If the record has no such tick, or is damaged.
pub fn png(
    record: &FleetRecord,
    tick: Option<u64>,
    side: u32,
    colors: UnitColors,
) -> Result<Vec<u8>, InputError> {
    let end = record.meta.ticks;
    if let Some(tick) = tick.filter(|tick| *tick > end) {
        let what = format!("the record has no tick {tick}");
        return Err(InputError::new(what, format!("choose one from 0 to {end}")));
    }
    let mut player = record.play();
    while player.tick() < tick.unwrap_or(end) && player.advance()? {}
    let mut out = Vec::new();
    Painter::new(record, side, colors)?.draw(&player).write(&mut out).expect("a vector takes everything");
    Ok(out)
}

/// Makes a moving picture of `frames` frames, evenly spread over the record.
///
/// # Errors
/// If the record is damaged.
pub fn gif(record: &FleetRecord, frames: u32, side: u32, colors: UnitColors) -> Result<Vec<u8>, InputError> {
    let painter = Painter::new(record, side, colors)?;
    let end = record.meta.ticks;
    let frames = u64::from(frames.max(1)).min(end + 1);
    moving(frames, |show| {
        let mut player = record.play();
        for k in 0..frames {
            while player.tick() < end * (k + 1) / frames && player.advance()? {}
            show(k, &painter.draw(&player));
        }
        Ok(())
    })
}

/// Draws the moments of one record.
struct Painter<'r> {
    record: &'r FleetRecord,
    /// Pixels per cell, and cells per pixel: one of the two is 1.
    scale: u32,
    every: u32,
    /// Pixels per dot of a letter.
    text: u32,
    /// The color of each unit, if it does not depend on the tick.
    headings: Option<Vec<Colour>>,
}

impl<'r> Painter<'r> {
    fn new(record: &'r FleetRecord, side: u32, colors: UnitColors) -> Result<Self, InputError> {
        let headings = match colors {
            UnitColors::Status => None,
            UnitColors::Heading => Some(headings(record)?),
        };
        let (width, height) = (record.meta.width.max(1), record.meta.height.max(1));
        let text = (side / 320).clamp(1, 4);
        // The label is above the map, and the picture fits into a square of `side` pixels.
        let (across, down) = (side.max(1), side.saturating_sub(bitmap_text::line_height(text)).max(1));
        let scale = (across / width).min(down / height).clamp(1, 24);
        let every = width.div_ceil(across).max(height.div_ceil(down));
        Ok(Self { record, scale, every, text, headings })
    }

    fn draw(&self, player: &FleetPlayer<'_>) -> Canvas {
        let Self { record, scale, every, .. } = *self;
        let (width, height) = (record.meta.width, record.meta.height);
        let size = |cells: u32| (cells.div_ceil(every) * scale).max(1);
        let units = || player.units().iter().enumerate().filter(|(_, unit)| !unit.is_gone());
        let arrived = player.units().len() - units().filter(|(_, unit)| unit.goal != Some(unit.at)).count();
        let label = format!("tick {}: {arrived} of {} arrived", player.tick(), player.units().len());
        // A picture too narrow for its label has none.
        let has_label = bitmap_text::width(&label, self.text) <= size(width);
        let strip = if has_label { bitmap_text::line_height(self.text) } else { 0 };
        let mut canvas = Canvas::new(size(width), size(height) + strip, palette::PAPER);
        if has_label {
            bitmap_text::draw(&mut canvas, (2 * self.text, 0), self.text, palette::INK, &label);
        }
        let mut block = |x: u32, y: u32, inset: u32, colour: Colour| {
            let (left, top) = (x / every * scale, y / every * scale + strip);
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
        for (k, unit) in units() {
            let colour = self.headings.as_ref().map_or_else(|| status_color(unit), |colors| colors[k]);
            block(unit.at % width, unit.at / width, inset, colour);
        }
        canvas
    }
}

/// Returns a color for each unit, by the direction from its start to its first goal.
fn headings(record: &FleetRecord) -> Result<Vec<Colour>, InputError> {
    let mut player = record.play();
    player.advance()?;
    let xy = |cell: u32| (i64::from(cell % record.meta.width), i64::from(cell / record.meta.width));
    let color = |(unit, &start): (&UnitState, &u32)| {
        let ((x, y), (to_x, to_y)) = (xy(start), xy(unit.goal.unwrap_or(start)));
        let (dx, dy) = (to_x - x, to_y - y);
        match (dx.abs() >= dy.abs(), dx >= 0, dy >= 0) {
            (true, true, _) => EAST,
            (true, false, _) => WEST,
            (false, _, true) => SOUTH,
            (false, _, false) => NORTH,
        }
    };
    Ok(player.units().iter().zip(&record.starts).map(color).collect())
}

fn status_color(unit: &UnitState) -> Colour {
    match unit.status() {
        "unreachable" | "buried" => CANNOT,
        _ if unit.goal == Some(unit.at) => ARRIVED,
        _ if unit.has_moved() => MOVES,
        _ => WAITS,
    }
}
