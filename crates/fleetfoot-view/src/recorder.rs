//! Recording: an [`EventCollector`](crate::watcher::EventCollector) collects the events of a run. Two other threads
//! encode and pack them, so that the agent hardly waits.

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

/// Maximum number of bytes of a track. The tracks of a record share its limit.
const MOST_BYTES: u64 = MAX_RAW / MAX_TRACKS as u64 - (1 << 20);
/// Maximum number of batches that wait to be encoded.
const WAITING: usize = 64;

/// The part of a run that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordFilter {
    /// Records one of `every` searches. Moves, work, observations, changes and updates are always recorded.
    pub every: u64,
    /// The first and the last recorded moment, as numbers of ticks.
    pub window: (u64, u64),
}

impl Default for RecordFilter {
    fn default() -> Self {
        Self { every: 1, window: (0, u64::MAX) }
    }
}

/// Name of the planner, shown in the replay.
#[derive(Clone, Debug)]
pub struct Label {
    /// The planner, as on the command line.
    pub planner: String,
    /// Display name of the planner.
    pub name: String,
}

/// The reason that there is no record.
#[derive(Debug)]
pub enum RecordError {
    /// The planner broke a rule.
    RuleViolation(RuleViolation),
    /// There is too much to record.
    TooLong(InputError),
    /// The run ended before the first tick to be recorded.
    TooShort(InputError),
}

/// Executes a run to its end, or to the end of the window, and records it. The planner should be new, or reset.
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

/// Records a later trial of an agent that has performed its task `before` times and kept what it has seen and
/// learned.
///
/// # Errors
/// As for [`record`], and if the world changes, since a task cannot be repeated there.
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

/// Executes the run and sends the collected batches.
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
    let what = format!("the run ends at tick {end}, before tick {first}, where recording begins");
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
        "keep fewer searches, such as --replay-every {every}, or a part of the run, such as --replay-window \
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

/// Returns all nodes of a grid, row by row.
pub(crate) fn nodes(grid: &Grid) -> impl Iterator<Item = NodeId> {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).filter_map(move |x| grid.node(x, y)))
}
