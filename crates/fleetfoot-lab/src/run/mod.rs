//! Runs: described by [`Job`]s, collected in a [`Plan`], carried out into a folder of [`Row`]s.
//!
//! Whatever the number of threads and shards, and however often it was interrupted, the rows are the same to the last
//! byte (the columns of time aside): a run depends on its [`Job::key`] alone, and rows are sorted by their number.

mod build;
mod desk;
mod engine;
mod folder;
mod hold;
mod job;
mod journal;
mod links;
mod manifest;
mod merge;
mod others;
mod plan;
mod row;
mod seal;
mod shard;
mod stage;
mod texts;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use fleetfoot_sim::error::InputError;

pub use build::made_by;
pub use engine::Times;
pub use fleetfoot_sim::budget::PriceList;
pub use hold::Hold;
pub use job::{Job, Problem};
pub use merge::{Merged, is_experiment, merge};
pub use plan::{About, Plan, Source};
pub use row::Row;
pub(crate) use row::micros;
pub use shard::Shard;
pub use stage::{Ground, Records};

use self::engine::Conduct;
use self::folder::{Folder, Opened};
use self::manifest::Manifest;

/// Why an experiment ends before it is done.
#[derive(Debug)]
pub enum LabError {
    /// Something outside cannot be used: a file, a text, a disk.
    Input(InputError),
    /// A planner cannot be built for a map.
    Build(String),
    /// A planner broke a rule, and which run it was in.
    RuleViolation(String),
    /// Whoever watches it has asked for the end.
    Stopped,
}

impl From<InputError> for LabError {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Build(text) | Self::RuleViolation(text) => f.write_str(text),
            Self::Stopped => f.write_str("stopped before all was done; the same call goes on from here"),
        }
    }
}

impl std::error::Error for LabError {}

/// Who is told how an experiment goes.
pub trait Watch: Sync {
    /// It begins: so many runs are to be made, so many others were made before.
    fn begin(&self, to_make: usize, made_before: usize);
    /// So many of them come last, one at a time, since their time is taken.
    fn alone(&self, _runs: usize) {}
    /// One run more is made.
    fn one_more(&self);
    /// All are made.
    fn end(&self);
    /// Something that one should know.
    fn note(&self, _text: &str) {}
    /// Whether no further run is to be begun: then the experiment ends with [`LabError::Stopped`].
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Watch for Silent {
    fn begin(&self, _: usize, _: usize) {}
    fn one_more(&self) {}
    fn end(&self) {}
}

/// How to carry out an experiment.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The folder for everything.
    pub out: &'a Path,
    /// Runs at once.
    pub threads: usize,
    /// Which part of it.
    pub shard: Shard,
    /// Whether to forget rows that were made before.
    pub fresh: bool,
    /// Who is told.
    pub watch: &'a dyn Watch,
}

/// What came of it.
#[derive(Debug)]
pub struct Done {
    /// What it is, and who made it.
    pub about: About,
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// How many runs were made before,
    pub made_before: usize,
    /// and how many now. A run of several trials has several rows.
    pub made_now: usize,
    /// Where the time went.
    pub times: Times,
    /// Keeps other processes out of the folder until it is dropped: reports are to be written before.
    pub hold: Hold,
}

/// How to make runs whose rows stay in memory.
#[derive(Clone)]
pub struct Live<'a> {
    /// Runs at once.
    pub threads: usize,
    /// How often each agent makes its trip, if more than once: it keeps what it has seen and learned.
    pub trials: Option<u64>,
    /// No run is begun after this moment.
    pub until: Option<Instant>,
    /// A world that is there already.
    pub ground: Option<Arc<Ground>>,
    /// Who is told.
    pub watch: &'a dyn Watch,
}

/// Makes all runs of a plan, or as many as there is time for. Each has its times, whatever else the machine does meanwhile.
/// Rows come in the order of the runs, and of trials.
///
/// # Errors
/// If a file cannot be read, or a planner breaks a rule.
pub fn make(plan: &Plan, live: &Live<'_>) -> Result<Vec<Row>, LabError> {
    let Live { threads, trials, until, ref ground, watch } = *live;
    let all: Vec<usize> = (0..plan.jobs().len()).collect();
    let conduct =
        Conduct { trials, until, is_rough: true, ground: ground.clone(), ..Conduct::new(threads, watch) };
    watch.begin(all.len(), 0);
    let made = engine::make(plan, &all, &conduct, None);
    watch.end();
    let (mut rows, _) = made?;
    rows.sort_by_key(|row| (row.index, row.trial));
    Ok(rows)
}

/// Makes the runs of a plan that are not yet there, and leaves all rows in the folder's `rows.jsonl`. Rows that are there
/// and not wanted are kept in `others.jsonl` until they are.
///
/// # Errors
/// If a file cannot be read or written, or a planner breaks a rule. What was done by then stays; calling it again goes on
/// from there.
pub fn carry_out(plan: &Plan, settings: &Settings<'_>) -> Result<Done, LabError> {
    let folder = Folder::at(settings.out);
    let (trips, Settings { shard, watch, .. }) = (plan.trips(), *settings);
    let wanted = |index: usize| shard.has(trips[index]);
    let Opened { hold, journal, mut kept } = folder.open(plan, &wanted, settings.fresh, watch)?;
    let mut is_made = vec![false; trips.len()];
    for (row, _) in &kept {
        is_made[row.index as usize] = true;
    }
    let made_before = is_made.iter().filter(|is_made| **is_made).count();
    let pending: Vec<usize> = (0..trips.len()).filter(|index| !is_made[*index] && wanted(*index)).collect();
    watch.begin(pending.len(), made_before);
    let conduct = Conduct::new(settings.threads, watch);
    let made = engine::make(plan, &pending, &conduct, Some(journal));
    watch.end();
    let ((new, times), made_now) = (made?, pending.len());
    kept.extend(new.into_iter().map(|row| (row, build::ours())));
    kept.sort_by_key(|(row, _)| (row.index, row.trial));
    folder.finish(Manifest::of(plan, &[]), &kept)?;
    let made = build::told(kept.iter().map(|(_, build)| build));
    let about = About { made, ..plan.about.clone() };
    Ok(Done {
        about,
        rows: kept.into_iter().map(|(row, _)| row).collect(),
        made_before,
        made_now,
        times,
        hold,
    })
}
