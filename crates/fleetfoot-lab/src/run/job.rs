//! One run to be made: where, from where to where, who, and on what terms.

use std::fmt;
use std::sync::Arc;

use fleetfoot::registry::Spec;
use fleetfoot_sim::budget::{Budget, PriceList};
use fleetfoot_sim::episode::{RunLimits, Task};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::World;

use super::row::Row;
use crate::places::{DataFile, Place};

/// From where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its number among the problems of its map.
    pub index: u64,
    /// Where the agent begins, as (column, row).
    pub start: (u32, u32),
    /// Where it wants to be.
    pub goal: (u32, u32),
}

/// One run to be made.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where.
    pub place: Arc<Place>,
    /// From where to where.
    pub problem: Problem,
    /// Who.
    pub spec: Spec,
    /// The file that is its planner's database, if it names one. A [`Plan`](super::Plan) looks for it where the spec says,
    /// unless it is here already.
    pub database: Option<Arc<DataFile>>,
    /// What may be spent in a step.
    pub budget: Budget,
    /// What work costs.
    pub prices: PriceList,
    /// After so many steps the agent gives up; by default when no complete planner would still be on its way.
    pub max_steps: Option<u64>,
    /// How often the agent makes its trip, if more than once: it keeps what it has seen and learned.
    pub trials: Option<u64>,
    /// Which repetition this is; whatever depends on it says so itself, in a spec or a map.
    pub seed: u64,
    /// Whether the time is taken. Such runs have the machine to themselves as far as the laboratory is concerned, and so
    /// have those whose budget is a time: see [`Job::is_timed`].
    pub timed: bool,
    /// Whether the walk is looked at for [`Row::strayed`](super::Row::strayed), and the records of its planner for
    /// [`Row::links`](super::Row::links), which takes time and memory.
    pub watched: bool,
    /// What reports call the planner and its budget: rows of one label belong together.
    pub label: String,
}

impl Job {
    /// Creates the run of a planner under a budget, called by its spec and budget. All work is charged.
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

    /// The same under another name.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The text that identifies the run: the same text, the same result. It holds everything that the result
    /// depends on, contents of files included, and the problem's number, since random problems may come twice.
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

    /// Whether these rows of the run are all of it: one, or trial after trial up to the last, or to one that only repeats the one
    /// before. (An agent that gives up in the same way twice makes no third trial.)
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

    /// Whether the run needs the machine for itself: its time is taken, or it depends on it.
    pub fn is_timed(&self) -> bool {
        self.timed || matches!(self.budget, Budget::Interval { .. })
    }

    /// From where to where, in its world.
    ///
    /// # Errors
    /// If one cannot be there.
    pub fn trip<'w>(&self, world: &'w World) -> Result<Task<'w>, InputError> {
        let Problem { start, goal, .. } = self.problem;
        Task::new(world, start, goal).map_err(|error| error.with_file(self.place.map.to_string()))
    }

    /// On what terms, in its world.
    pub fn terms(&self, world: &World) -> RunLimits {
        let patience = || world.patience(self.spec.facts().complete);
        let max_steps = Some(self.max_steps.unwrap_or_else(patience));
        RunLimits { budget: self.budget, prices: self.prices.prices(), max_steps }
    }

    /// Whether both are about the same way in the same world, so that they share it.
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
