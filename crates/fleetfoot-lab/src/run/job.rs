//! A run to be executed: environment, problem, planner, and limits.

use std::fmt;
use std::sync::Arc;

use fleetfoot::registry::Spec;
use fleetfoot_sim::budget::{Budget, PriceList};
use fleetfoot_sim::episode::{RunLimits, Task};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::spec::problems::Problem;
use fleetfoot_sim::world::World;

use super::row::Row;
use crate::places::{DataFile, Place};

/// A run to be executed.
#[derive(Clone, Debug)]
pub struct Job {
    /// The environment.
    pub place: Arc<Place>,
    /// Start and goal.
    pub problem: Problem,
    /// The planner.
    pub spec: Spec,
    /// The file of its planner's database, if it names one. Set by [`Plan`](super::Plan) from the spec unless given.
    pub database: Option<Arc<DataFile>>,
    /// Budget of a step.
    pub budget: Budget,
    /// Prices of work.
    pub prices: PriceList,
    /// Maximum number of steps. The default is a limit that no complete planner needs.
    pub max_steps: Option<u64>,
    /// Number of trials, if more than one. The agent keeps what it has seen and learned.
    pub trials: Option<u64>,
    /// Number of the repetition. Specs and maps contain it if they depend on it.
    pub seed: u64,
    /// Measures times. Such runs are executed alone, as are runs whose budget is a time: see [`Job::is_timed`].
    pub timed: bool,
    /// Collects [`Row::strayed`](super::Row::strayed) from the walk and [`Row::links`](super::Row::links) from the
    /// planner's records, which takes time and memory.
    pub watched: bool,
    /// Label of planner and budget in reports. Rows of one label form a group.
    pub label: String,
}

impl Job {
    /// Creates the run of a planner with a budget, labeled with both. All work is charged.
    pub fn new(place: &Arc<Place>, problem: Problem, spec: Spec, budget: Budget) -> Self {
        let label = format!("{spec} at {budget}");
        Self {
            place: Arc::clone(place),
            problem,
            spec,
            database: None,
            budget,
            prices: PriceList::default(),
            max_steps: None,
            trials: None,
            seed: 0,
            timed: false,
            watched: false,
            label,
        }
    }

    /// Sets the label.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Returns the text that identifies the run: equal texts give equal results. It contains everything that the
    /// result depends on, including checksums of files, and the problem's number, since random problems may occur
    /// twice.
    pub fn key(&self) -> String {
        let Self { place, problem: Problem { index, start, goal }, spec, budget, prices, seed, .. } = self;
        let most = self.max_steps.map(|most| format!("|max={most}")).unwrap_or_default();
        let trials = self.trials.map(|most| format!("|trials={most}")).unwrap_or_default();
        let timed = if self.is_timed() { "|timed" } else { "" };
        let watched = if self.watched { "|watched" } else { "" };
        let database = self.database.as_ref().map(|file| file.mark()).unwrap_or_default();
        format!(
            "{}|{}|{}|{index}:{},{}>{},{}|{spec}{database}|{budget}|{}|{seed}{most}{trials}{timed}{watched}",
            place.map.key(),
            place.rules_text(),
            place.scene.key(),
            start.0,
            start.1,
            goal.0,
            goal.1,
            prices.name()
        )
    }

    /// Returns `true` if these rows are the whole run: one row, or consecutive trials up to the last one or to one
    /// that repeats its predecessor. (An agent that gives up in the same way twice makes no third trial.)
    pub(super) fn is_whole(&self, rows: &[&Row]) -> bool {
        let Some(most) = self.trials else { return rows.len() == 1 };
        let Some(last) = rows.last() else { return false };
        let in_order = (1..).zip(rows).all(|(trial, row)| row.trial == Some(trial));
        let same =
            |row: &Row| (row.outcome.clone(), row.walk.clone(), row.moves, row.episodes, row.expansions);
        let before = rows.len().checked_sub(2).map(|k| rows[k]);
        let repeats = before.is_some_and(|before| same(before) == same(last) && last.h_increase <= 0.0);
        in_order && (rows.len() as u64 == most || last.converged == Some(true) || repeats)
    }

    /// Returns `true` if the run must be executed alone: its time is measured, or it depends on the time.
    pub fn is_timed(&self) -> bool {
        self.timed || matches!(self.budget, Budget::Interval { .. })
    }

    /// Returns its task in its world.
    ///
    /// # Errors
    /// If start or goal is blocked.
    pub fn trip<'w>(&self, world: &'w World) -> Result<Task<'w>, InputError> {
        let Problem { start, goal, .. } = self.problem;
        Task::new(world, start, goal).map_err(|error| error.with_file(self.place.map.to_string()))
    }

    /// Returns its limits in its world.
    pub fn terms(&self, world: &World) -> RunLimits {
        let patience = || world.patience(self.spec.facts().complete);
        let max_steps = Some(self.max_steps.unwrap_or_else(patience));
        RunLimits { budget: self.budget, prices: self.prices.prices(), max_steps }
    }

    /// Returns `true` if both have the same problem in the same world, so that they can share it.
    pub(crate) fn shares_trip(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.place, &other.place) && self.problem == other.problem
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, problem, spec, budget, .. } = self;
        let Problem { index, start: (sx, sy), goal: (gx, gy) } = problem;
        let (map, scene) = (&place.map, &place.scene);
        write!(f, "{map}, {scene}, problem {index} ({sx},{sy} to {gx},{gy}), {spec}, budget {budget}")
    }
}
