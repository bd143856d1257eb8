//! Common parts of `bench`, `merge` and `reproduce`: a plan is executed, a report is written.

use std::path::Path;
use std::time::Duration;

use fleetfoot_lab::report::Report;
use fleetfoot_lab::run::{About, Done, LabError, Plan, Row, Settings, Times, carry_out};
use fleetfoot_reproduce::report;

use super::progress::Progress;
use crate::args::{HowArgs, threads};
use crate::failure::{Failure, warn};

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Input(error) => error.into(),
            LabError::Build(text) => Self::Input(text),
            error @ LabError::Stopped => Self::input(error),
            LabError::RuleViolation(text) => Self::RuleViolation(text),
        }
    }
}

/// Executes a plan, and reports on it unless it is a shard.
pub(super) fn carry(plan: &Plan, how: &HowArgs, out: &Path) -> Result<Option<Report>, Failure> {
    let threads = threads(how.threads);
    let progress = Progress::new("runs").stoppable(threads);
    for pair in &plan.about.skipped {
        warn("note", format!("skipped: {pair}"));
    }
    let settings = Settings { out, threads, shard: how.shard, fresh: how.fresh, watch: &progress };
    let done = match carry_out(plan, &settings) {
        Err(LabError::Stopped) => return Err(Failure::Stopped(progress.kept(out))),
        done => done?,
    };
    // Held until the report is written.
    let Done { about, rows, made_now, times, hold: _hold, .. } = done;
    if made_now > 0 {
        warn("note", told(made_now, threads, &times));
    }
    if !how.shard.is_whole() {
        let part =
            format!("part {} is in {}; join the parts with `fleetfoot merge`", how.shard, out.display());
        warn("note", part);
        return Ok(None);
    }
    write(&about, &rows, out).map(Some)
}

/// Number of rows whose report takes seconds.
const MANY: usize = 50_000;

/// Writes the report of a whole experiment.
pub(super) fn write(about: &About, rows: &[Row], out: &Path) -> Result<Report, Failure> {
    if rows.len() >= MANY {
        warn("note", format!("writing the report of {} rows", rows.len()));
    }
    let report = report(about, rows)?;
    report.write(out, rows)?;
    Ok(report)
}

/// Prints the budget of a tick, and what was charged.
pub(super) fn note_budgets(report: &Report) {
    if let Some(budgets) = report.condition("budgets") {
        warn("note", format!("budgets: {budgets}"));
    }
}

/// Describes how the time was spent.
fn told(made: usize, threads: usize, times: &Times) -> String {
    let share = |part: Duration| 100.0 * part.as_secs_f64() / times.busy.as_secs_f64().max(1e-9);
    let threads = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    format!(
        "{made} runs in {:.1} s on {threads}: {:.1} % planning, {:.1} % worlds and referee, {:.1} % maps and \
         shortest paths; the laboratory itself took {:.2} % of the planning time",
        times.wall.as_secs_f64(),
        share(times.planning),
        share(times.living.saturating_sub(times.planning)),
        share(times.preparing),
        100.0 * times.overhead()
    )
}
