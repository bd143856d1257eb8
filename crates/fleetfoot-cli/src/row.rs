//! One run as a row: its columns, in their order, for every format that writes rows.

use fleetfoot::{Diagonal, Kind, Length, Prices, Work};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::metrics::{Outcome, Run};

use crate::batch::Batch;

/// What came of one run.
pub(crate) struct Row {
    /// Which of the batch's entries.
    pub(crate) entry: usize,
    /// Which of its tasks.
    pub(crate) task: usize,
    /// The length of a shortest path, if there is one.
    pub(crate) optimal: Option<Length>,
    pub(crate) run: Run,
    /// If there were trials: which one, counted from 1.
    pub(crate) trial: Option<Trial>,
}

/// One of several trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    /// Counted from 1.
    pub(crate) number: u64,
    /// Whether it only repeated the one before.
    pub(crate) converged: bool,
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Nothing,
    Whole(u64),
    Number(f64),
    Truth(bool),
    Text(String),
    Cell((u32, u32)),
    Work(Work),
}

/// The pieces of work by kind, in a fixed order.
pub(crate) fn kinds(work: &Work) -> impl Iterator<Item = (&'static str, u64)> + '_ {
    Kind::ALL.into_iter().map(|kind| (kind.name(), work[kind]))
}

impl Row {
    /// How many times as long as a shortest path the walk was; nothing if it did not arrive, or if there was
    /// no path at first.
    pub(crate) fn ratio(&self, diagonal: Diagonal) -> Option<f64> {
        let optimal = self.optimal.filter(|_| self.run.outcome == Outcome::Arrived)?;
        Some(self.run.ratio(optimal, diagonal))
    }

    /// All columns with their names.
    pub(crate) fn fields(&self, batch: &Batch<'_>) -> Vec<(&'static str, Field)> {
        let mut fields = self.question(batch);
        fields.extend(self.answer(batch));
        if matches!(batch.entries[self.entry].budget, Budget::Interval { .. }) {
            fields.push(("overruns", Field::Whole(self.run.overruns)));
        }
        if let Some(Trial { number, converged }) = self.trial {
            fields.extend([("converged", Field::Truth(converged)), ("trial", Field::Whole(number))]);
        }
        fields
    }

    /// What was run.
    fn question(&self, batch: &Batch<'_>) -> Vec<(&'static str, Field)> {
        let (entry, task) = (&batch.entries[self.entry], &batch.tasks.list[self.task]);
        let budget = match entry.budget {
            Budget::Expansions(limit) => Field::Whole(limit),
            other => Field::Text(other.to_string()),
        };
        vec![
            ("map", Field::Text(batch.map.to_owned())),
            ("problem", Field::Whole(task.index as u64)),
            ("start", Field::Cell(task.start)),
            ("goal", Field::Cell(task.goal)),
            ("planner", Field::Text(entry.spec.to_string())),
            ("budget", budget),
            ("world", Field::Text(batch.world_name.clone())),
        ]
    }

    /// What came of it.
    fn answer(&self, batch: &Batch<'_>) -> Vec<(&'static str, Field)> {
        let (run, diagonal) = (&self.run, batch.world.truth().rules().diagonal);
        let number = |value: Option<f64>| value.map_or(Field::Nothing, Field::Number);
        vec![
            ("outcome", Field::Text(run.outcome.name().to_owned())),
            ("optimal", number(self.optimal.map(|length| length.value(diagonal)))),
            ("cost", Field::Number(run.length)),
            ("ratio", number(self.ratio(diagonal))),
            ("moves", Field::Whole(run.moves)),
            ("waits", Field::Whole(run.waits)),
            ("steps", Field::Whole(run.steps)),
            ("first_move", Field::Whole(run.first_move)),
            ("episodes", Field::Whole(run.episodes)),
            ("expansions", Field::Whole(run.expansions)),
            ("max_expansions", Field::Whole(run.max_expansions)),
            ("max_work", Field::Work(run.max_work)),
            ("open_max", Field::Whole(run.open_max)),
            ("closed_max", Field::Whole(run.closed_max)),
            ("h_states", Field::Whole(run.h_states)),
            ("updates", Field::Whole(run.updates)),
            ("h_increase", Field::Number(run.h_increase)),
            ("reversals", Field::Whole(run.reversals)),
            ("revisits", Field::Whole(run.revisits)),
            ("plan_ns_total", Field::Whole(run.plan_ns_total)),
            ("plan_ns_p50", Field::Whole(run.plan_ns_p50)),
            ("plan_ns_p99", Field::Whole(run.plan_ns_p99)),
            ("plan_ns_max", Field::Whole(run.plan_ns_max)),
            ("memory_bytes", Field::Whole(run.memory_bytes)),
            ("rules", Field::Text(batch.rules.clone())),
            ("prices", Field::Text(prices(&batch.prices).to_owned())),
        ]
    }
}

fn prices(prices: &Prices) -> &'static str {
    match *prices {
        Prices::PAPERS => "papers",
        Prices::EXPANSIONS => "expansions",
        _ => "honest",
    }
}
