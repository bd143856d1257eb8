//! Recording: a life is lived under the eyes of a [`Probe`], which only notes what it is told. Two other threads write
//! that down and pack it, so that the agent is hardly kept waiting.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

use fleetfoot::{Graph, Grid, NodeId, Planner, Reset, Scratch};
use fleetfoot_sim::episode::{Episode, RunLimits, Task};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::metrics::Outcome;
use fleetfoot_sim::referee::RuleViolation;

use crate::format::meta::TrackMeta;
use crate::format::section::{MAX_RAW, Section, TICKS};
use crate::record::{MAX_TRACKS, MOST_TICKS, Track};
use crate::watcher::{Batch, EventCollector};
use crate::writer::{Summary, Writer};

/// The lives of a record share what may be written.
const MOST_BYTES: u64 = MAX_RAW / MAX_TRACKS as u64 - (1 << 20);
/// Batches that may wait to be written.
const WAITING: usize = 64;

/// What of a life is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordFilter {
    /// Every so many searches one is recorded. All moves are, all work, and all that is seen, changed and learned.
    pub every: u64,
    /// The moments that are recorded: after so many ticks, to after so many.
    pub window: (u64, u64),
}

impl Default for RecordFilter {
    fn default() -> Self {
        Self { every: 1, window: (0, u64::MAX) }
    }
}

/// Who lives, for those who look on.
#[derive(Clone, Debug)]
pub struct Label {
    /// The planner, as on the command line.
    pub planner: String,
    /// The planner's name in print.
    pub name: String,
}

/// Why there is no record.
#[derive(Debug)]
pub enum RecordError {
    /// The planner broke a rule.
    RuleViolation(RuleViolation),
    /// There is too much to be recorded.
    TooLong(InputError),
    /// The life was over before the first tick that was to be recorded.
    TooShort(InputError),
}

/// Lives a life to its end, or to that of the window, and records it. The planner should be new, or reset.
///
/// # Errors
/// If the planner broke a rule, or there is too much to be recorded, or nothing.
pub fn record(
    trip: &Task<'_>,
    terms: &RunLimits,
    planner: &mut dyn Planner<Grid>,
    scratch: &mut Scratch,
    label: Label,
    thinning: RecordFilter,
) -> Result<Track, RecordError> {
    record_trial(trip, terms, planner, scratch, label, thinning, 0)
}

/// The same for a later trial of an agent, which has made its trip `before` times and kept what it has seen and learned.
///
/// # Errors
/// As for [`record`], and if the world changes, in which nothing can be made again.
pub fn record_trial(
    trip: &Task<'_>,
    terms: &RunLimits,
    planner: &mut dyn Planner<Grid>,
    scratch: &mut Scratch,
    label: Label,
    thinning: RecordFilter,
    before: u64,
) -> Result<Track, RecordError> {
    let truth = trip.world().truth();
    scratch.reserve_search(truth.bound(), truth.max_f_increase());
    let written = AtomicU64::new(0);
    thread::scope(|scope| {
        let (batches, to_write) = sync_channel(WAITING);
        let (chunks, to_pack) = channel();
        let packer = scope.spawn(move || pack(&to_pack));
        let writer = scope.spawn(|| {
            let writer = Writer::new(trip, terms, thinning.every, chunks);
            write(writer, to_write, &written)
        });
        let lived = live(trip, terms, planner, scratch, (thinning, before), batches, &written);
        let summary = writer.join().expect("the writer does not panic");
        let chunks = packer.join().expect("the packer does not panic");
        let (outcome, ticks) = lived?;
        let meta = describe(label, terms, thinning, (outcome, ticks), summary);
        Ok(Track { meta, chunks })
    })
}

/// Lives, and sends on what is noted.
fn live(
    trip: &Task<'_>,
    terms: &RunLimits,
    planner: &mut dyn Planner<Grid>,
    scratch: &mut Scratch,
    (thinning, before): (RecordFilter, u64),
    batches: SyncSender<Batch>,
    written: &AtomicU64,
) -> Result<(Option<Outcome>, u64), RecordError> {
    let mut episode = Episode::new(trip, terms);
    let mut watcher = EventCollector::new(trip, &episode, (thinning.window.0, before > 0), batches);
    for _ in 0..before {
        while episode.outcome().is_none() {
            episode.tick(planner, scratch, Some(&mut watcher)).map_err(RecordError::RuleViolation)?;
            watcher.remember();
        }
        planner.reset(Reset::KeepLearned);
        episode.again().map_err(RecordError::TooShort)?;
    }
    while episode.outcome().is_none() && episode.ticks() < thinning.window.1 {
        let tick = episode.tick(planner, scratch, Some(&mut watcher)).map_err(RecordError::RuleViolation)?;
        watcher.tick(&episode, &tick);
        let bytes = written.load(Ordering::Relaxed);
        if watcher.ticks > MOST_TICKS || bytes > MOST_BYTES {
            return Err(RecordError::TooLong(too_long(tick.tick, bytes > MOST_BYTES, thinning)));
        }
    }
    let ticks = watcher.ticks;
    if ticks == 0 && thinning.window.0 > 0 {
        return Err(RecordError::TooShort(too_short(episode.ticks(), thinning.window.0)));
    }
    watcher.finish();
    Ok((episode.outcome(), ticks))
}

fn write(mut writer: Writer<'_>, batches: Receiver<Batch>, written: &AtomicU64) -> Summary {
    for batch in batches {
        writer.write(&batch);
        written.store(writer.bytes(), Ordering::Relaxed);
    }
    writer.finish()
}

fn pack(chunks: &Receiver<Vec<u8>>) -> Vec<Section> {
    chunks.iter().map(|raw| Section::pack(TICKS, &raw)).collect()
}

fn too_short(end: u64, first: u64) -> InputError {
    let what = format!("the life ends at tick {end}, and was to be recorded from tick {first} on");
    InputError::new(
        what,
        format!("choose a window that begins earlier, such as --replay-window {}..", end / 2),
    )
}

fn too_long(tick: u64, by_bytes: bool, thinning: RecordFilter) -> InputError {
    let first = thinning.window.0;
    if !by_bytes {
        let what = format!("the life goes on after {MOST_TICKS} ticks, the most that a replay holds");
        let remedy = format!(
            "record a part of it, such as --replay-window {first}..{}, or end it with --max-ticks \
             (--replay-every leaves out searches, and no ticks)",
            first + MOST_TICKS / 2
        );
        return InputError::new(what, remedy);
    }
    let (every, half) = (thinning.every.saturating_mul(10), first + (tick - first) / 2 + 1);
    let what = format!("the searches up to tick {tick} are more than a replay holds");
    let remedy = format!(
        "keep fewer searches, such as --replay-every {every}, or a part of the life, such as --replay-window \
         {first}..{half}"
    );
    InputError::new(what, remedy)
}

fn describe(
    label: Label,
    terms: &RunLimits,
    thinning: RecordFilter,
    (outcome, ticks): (Option<Outcome>, u64),
    summary: Summary,
) -> TrackMeta {
    TrackMeta {
        planner: label.planner,
        name: label.name,
        budget: terms.budget.to_string(),
        expansions: terms.budget.expansions(),
        first: thinning.window.0,
        ticks,
        at: summary.first_at,
        outcome: outcome.map(|outcome| outcome.name().into()),
        length: summary.length,
        every: thinning.every.max(1),
        near: summary.has_near,
        highest: summary.highest,
    }
}

/// All nodes of a grid, row by row.
pub(crate) fn nodes(grid: &Grid) -> impl Iterator<Item = NodeId> {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y)))
}
