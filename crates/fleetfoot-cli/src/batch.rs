//! All runs of a command: every planner with every budget on every problem.

use std::sync::Arc;
use std::time::Instant;

use fleetfoot::registry::Spec;
use fleetfoot_lab::places::Place;
use fleetfoot_lab::run::{About, Ground, Job, Live, Plan, PriceList, Row, Watch, make};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::world::World;

use crate::failure::Failure;
use crate::problems::{ProblemSet, StatedProblem};
use crate::source::Source;

/// A planner with a budget: a line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) spec: Spec,
    pub(crate) budget: Budget,
}

impl Entry {
    /// Returns all combinations. A planner that ignores budgets runs once, without one.
    pub(crate) fn all(specs: &[Spec], budgets: &[Budget]) -> Vec<Self> {
        let entries = |spec: &Spec| {
            let budgets = if spec.facts().bounded { budgets } else { &[Budget::Unlimited] };
            budgets.iter().map(|&budget| Self { spec: spec.clone(), budget }).collect::<Vec<_>>()
        };
        specs.iter().flat_map(entries).collect()
    }
}

/// Options of all runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SharedOptions {
    pub(crate) prices: PriceList,
    pub(crate) max_steps: Option<u64>,
    /// Number of trials of each run, if requested.
    pub(crate) trials: Option<u64>,
    pub(crate) threads: usize,
    /// Seed of random problems, which the rows name.
    pub(crate) seed: u64,
}

/// Ticks after which a planner gives up an unreachable goal that it cannot prove unreachable. A learner would first
/// raise every value in its component to the length of the longest path, which takes the square of their number of
/// ticks.
pub(crate) const HOPELESS_STEPS: u64 = 100_000;

/// All runs of a command.
pub(crate) struct Batch<'a> {
    pub(crate) source: &'a Source,
    pub(crate) tasks: &'a ProblemSet,
    pub(crate) entries: Vec<Entry>,
    pub(crate) common: SharedOptions,
    pub(crate) ground: Arc<Ground>,
    /// By problem, then by entry: runs of one problem share their preparation.
    plan: Plan,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(
        (source, tasks): (&'a Source, &'a ProblemSet),
        (place, world): (Place, World),
        entries: Vec<Entry>,
        common: SharedOptions,
    ) -> Result<Self, Failure> {
        let place = Arc::new(place);
        let job = |task: usize, Entry { spec, budget }: &Entry| {
            let StatedProblem { problem, is_hopeless, .. } = tasks.list[task];
            let is_endless = is_hopeless && !spec.facts().proves_no_path;
            let max_steps = common.max_steps.or(is_endless.then_some(HOPELESS_STEPS));
            let job = Job::new(&place, problem, spec.clone(), *budget);
            Job { prices: common.prices, max_steps, seed: common.seed, ..job }
        };
        let jobs = (0..tasks.list.len()).flat_map(|task| entries.iter().map(move |entry| (task, entry)));
        let jobs = jobs.map(|(task, entry)| job(task, entry)).collect();
        let plan = Plan::new(About::default(), jobs)?;
        let ground = Arc::new(Ground::new(&place, world));
        Ok(Self { source, tasks, entries, common, ground, plan })
    }

    /// Refuses unusable problems, and planners that cannot be built, before anything is run.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for entry in 0..self.entries.len() {
            self.ground.planner(self.job(entry, 0))?;
        }
        for (index, task) in self.tasks.list.iter().enumerate() {
            let trip = self.job(0, index).trip(self.world());
            trip.map_err(|error| match (&self.tasks.file, task.stated) {
                (Some(file), Some((line, _))) => {
                    Failure::input(format!("{}:{line}: {}; {}", file.display(), error.what(), error.remedy()))
                }
                _ => error.into(),
            })?;
        }
        Ok(())
    }

    /// Executes all runs, or those that begin before `until`. Rows are sorted by entry, then by problem.
    pub(crate) fn run(&self, until: Option<Instant>, watch: &dyn Watch) -> Result<Vec<Row>, Failure> {
        let SharedOptions { threads, trials, .. } = self.common;
        let live = Live { threads, trials, until, ground: Some(Arc::clone(&self.ground)), watch };
        let mut rows = make(&self.plan, &live)?;
        rows.sort_by_key(|row| (self.entry(row), self.task(row)));
        Ok(rows)
    }

    pub(crate) fn world(&self) -> &World {
        self.ground.world()
    }

    /// Returns the run of an entry on a problem.
    pub(crate) fn job(&self, entry: usize, task: usize) -> &Job {
        &self.plan.jobs()[task * self.entries.len() + entry]
    }

    /// Returns the entry of a row.
    pub(crate) fn entry(&self, row: &Row) -> usize {
        row.index as usize % self.entries.len()
    }

    /// Returns the problem of a row.
    pub(crate) fn task(&self, row: &Row) -> usize {
        row.index as usize / self.entries.len()
    }
}
