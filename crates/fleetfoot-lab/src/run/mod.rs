//! Runs: described by [`Job`]s, collected in a [`Plan`], executed into a folder of [`Row`]s.
//!
//! For any number of threads, shards and interruptions, the rows are equal to the last byte (except for columns of
//! time): a run depends on its [`Job::key`] alone, and rows are sorted by their index.

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
pub use fleetfoot_sim::spec::problems::Problem;
pub use hold::Hold;
pub use job::Job;
pub use merge::{Merged, is_experiment, merge};
pub use plan::{About, Plan, Source};
pub use row::Row;
pub(crate) use row::micros;
pub use shard::Shard;
pub use stage::{Ground, Records};

use self::engine::Conduct;
use self::folder::{Folder, Opened};
use self::manifest::Manifest;

/// The reason that an experiment ended early.
#[derive(Debug)]
pub enum LabError {
    /// A file, a text or a disk cannot be used.
    Input(InputError),
    /// A planner cannot be built for a map.
    Build(String),
    /// A planner broke a rule in the given run.
    RuleViolation(String),
    /// The observer requested to stop.
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

/// Receives progress updates.
pub trait Watch: Sync {
    /// Called at the beginning, with the numbers of runs to execute and of existing runs.
    fn begin(&self, to_make: usize, made_before: usize);
    /// Called with the number of runs that come last, one at a time, since they are timed.
    fn alone(&self, _runs: usize) {}
    /// Called after each run.
    fn one_more(&self);
    /// Called at the end.
    fn end(&self);
    /// Called with notes for the user.
    fn note(&self, _text: &str) {}
    /// Returns `true` if no further run should start. The experiment then ends with [`LabError::Stopped`].
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Ignores all progress updates.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Watch for Silent {
    fn begin(&self, _: usize, _: usize) {}
    fn one_more(&self) {}
    fn end(&self) {}
}

/// Options for executing an experiment.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Folder of all results.
    pub out: &'a Path,
    /// Number of concurrent runs.
    pub threads: usize,
    /// Part of the experiment.
    pub shard: Shard,
    /// Discards existing rows.
    pub fresh: bool,
    /// Receives progress updates.
    pub watch: &'a dyn Watch,
}

/// The result of an experiment.
#[derive(Debug)]
pub struct Done {
    /// Its description, with the builds of its rows.
    pub about: About,
    /// The rows, in order.
    pub rows: Vec<Row>,
    /// Number of existing runs.
    pub made_before: usize,
    /// Number of executed runs. A run of several trials has several rows.
    pub made_now: usize,
    /// Times by activity.
    pub times: Times,
    /// Locks the folder until it is dropped. Write reports before.
    pub hold: Hold,
}

/// Options for runs whose rows stay in memory.
#[derive(Clone)]
pub struct Live<'a> {
    /// Number of concurrent runs.
    pub threads: usize,
    /// Number of trials of each agent, if more than one. It keeps what it has seen and learned.
    pub trials: Option<u64>,
    /// No run starts after this moment.
    pub until: Option<Instant>,
    /// A world that exists already.
    pub ground: Option<Arc<Ground>>,
    /// Receives progress updates.
    pub watch: &'a dyn Watch,
}

/// Executes all runs of a plan, up to the time limit. Each has its times, whatever else the machine does. Rows are in
/// the order of the runs and their trials.
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

/// Executes the missing runs of a plan, and writes all rows to the folder's `rows.jsonl`. Existing rows that the plan
/// does not need are kept in `others.jsonl`.
///
/// # Errors
/// If a file cannot be read or written, or a planner breaks a rule. Finished rows stay; calling it again continues
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
