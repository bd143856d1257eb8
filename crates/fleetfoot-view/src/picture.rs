//! Pictures of maps, walks and records, as PNG, and of records moving as GIF.

pub(crate) mod bitmap_text;
mod colours;
pub mod map;
mod panel;
mod record;
pub mod walks;

use std::path::Path;

use fleetfoot_sim::error::InputError;

use self::colours::Palette;
use self::panel::{Layout, Style};
use self::record::draw;
use crate::canvas::Canvas;
use crate::decode::Player;
use crate::record::Record;
use crate::state::State;

/// Duration of each frame of a moving picture, in hundredths of a second, and of the last one.
const DELAY: u16 = 6;
const LAST: u16 = 250;

const STYLE: Style = Style { gap: 8, edge: 0, largest: 24, margin: 3, label: 0 };

/// Refuses names of picture files that do not end in `.png`.
///
/// # Errors
/// If the name does not end in `.png`.
pub fn check_name(file: &Path) -> Result<(), InputError> {
    if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return Ok(());
    }
    let what = "pictures are written as PNG, and this name has a different ending";
    Err(InputError::new(what, "name a file that ends in .png").with_file(file))
}

/// All tracks of a record, played side by side.
struct Cast<'r> {
    players: Vec<(Player<'r>, State)>,
    /// Number of ticks applied.
    now: u64,
}

impl<'r> Cast<'r> {
    fn new(record: &'r Record) -> Self {
        let player = |life: usize| (record.play(life), State::new(record, life));
        let first = record.meta.lives.iter().map(|life| life.first).min().unwrap_or(0);
        Self { players: (0..record.lives.len()).map(player).collect(), now: first }
    }

    /// Plays until `tick` ticks have passed or all tracks have ended.
    fn play_to(&mut self, tick: u64) -> Result<(), InputError> {
        for (player, state) in &mut self.players {
            while state.now < tick {
                let Some(frame) = player.advance()? else { break };
                state.apply(&frame, player);
            }
        }
        self.now = tick;
        Ok(())
    }

    fn states(&self) -> Vec<&State> {
        self.players.iter().map(|(_, state)| state).collect()
    }
}

/// Returns the first and the last moment of a record.
fn span(record: &Record) -> (u64, u64) {
    let lives = &record.meta.lives;
    let first = lives.iter().map(|life| life.first).min().unwrap_or(0);
    (first, lives.iter().map(|life| life.first + life.ticks).max().unwrap_or(0))
}

/// Draws the state after `tick` ticks, or at the end, as PNG.
///
/// # Errors
/// If the record has no such tick, or is damaged.
pub fn png(record: &Record, tick: Option<u64>, side: u32) -> Result<Vec<u8>, InputError> {
    let (first, end) = span(record);
    if let Some(tick) = tick.filter(|tick| !(first..=end).contains(tick)) {
        let what = format!("the record has no tick {tick}");
        return Err(InputError::new(what, format!("choose one from {first} to {end}")));
    }
    let layout = layout(record, side)?;
    let mut cast = Cast::new(record);
    cast.play_to(tick.unwrap_or(end))?;
    let mut out = Vec::new();
    draw(record, &cast.states(), &layout, cast.now).write(&mut out).expect("a vector takes everything");
    Ok(out)
}

/// Draws a record as a GIF of `frames` evenly spaced frames.
///
/// # Errors
/// If the record is damaged.
pub fn gif(record: &Record, frames: u32, side: u32) -> Result<Vec<u8>, InputError> {
    let layout = layout(record, side)?;
    let (first, end) = span(record);
    let frames = u64::from(frames.max(1)).min(end - first + 1);
    moving(frames, |show| {
        let mut cast = Cast::new(record);
        for k in 0..frames {
            cast.play_to(first + (end - first) * (k + 1) / frames)?;
            show(k, &draw(record, &cast.states(), &layout, cast.now));
        }
        Ok(())
    })
}

/// Receives the frames in order.
type Show<'a> = dyn FnMut(u64, &Canvas) + 'a;

/// Encodes a moving picture. `play` runs twice: once to collect the colors, once to encode the frames. Holding all
/// canvases would take too much memory.
pub(crate) fn moving(
    frames: u64,
    play: impl Fn(&mut Show<'_>) -> Result<(), InputError>,
) -> Result<Vec<u8>, InputError> {
    let (mut palette, mut size) = (Palette::default(), (1, 1));
    play(&mut |_, canvas| {
        palette.count(canvas);
        size = canvas.size();
    })?;
    let palette = palette.finish();
    let mut out = Vec::new();
    let (width, height) = size;
    let trouble = |error: gif::EncodingError| InputError::new(error.to_string(), "choose a smaller --side");
    let size = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    let mut encoder =
        gif::Encoder::new(&mut out, size(width), size(height), palette.colours()).map_err(trouble)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(trouble)?;
    let mut before: Option<Vec<u8>> = None;
    let mut failed = None;
    play(&mut |k, canvas| {
        let pixels = palette.indices(canvas);
        let mut frame = colours::changed(before.as_deref(), &pixels, width, palette.nothing());
        frame.delay = if k + 1 == frames { LAST } else { DELAY };
        frame.make_lzw_pre_encoded();
        failed = failed.take().or_else(|| encoder.write_lzw_pre_encoded_frame(&frame).err());
        before = Some(pixels);
    })?;
    drop(encoder);
    failed.map_or(Ok(out), |error| Err(trouble(error)))
}

/// Arranges the panels around all cells that are walked or expanded.
fn layout(record: &Record, side: u32) -> Result<Layout, InputError> {
    let mut cells = vec![record.meta.start, record.meta.goal];
    let xy = |cell: u32| (cell % record.meta.width, cell / record.meta.width);
    for life in 0..record.lives.len() {
        let mut player = record.play(life);
        let (mut low, mut high) = (record.lives[life].meta.at, record.lives[life].meta.at);
        while let Some(frame) = player.advance()? {
            let expanded = frame.events.iter().filter_map(|event| match event {
                crate::RecordedEvent::Expand(visit) => Some(visit.cell),
                _ => None,
            });
            for (x, y) in expanded.chain([player.at()]).map(xy) {
                (low, high) = ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)));
            }
        }
        cells.extend([low, high]);
    }
    let style = Style { label: bitmap_text::line_height((side / 400).clamp(1, 4)), ..STYLE };
    Ok(Layout::new(style, (record.meta.width, record.meta.height), &cells, record.lives.len() as u32, side))
}
