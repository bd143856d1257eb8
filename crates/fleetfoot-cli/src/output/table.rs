//! A table for readers: a line per planner and budget, or per trial, with means over the runs.

use std::io::{self, Write};

use fleetfoot::registry::Spec;
use fleetfoot_lab::run::Row;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::metrics::Outcome;

use super::Results;
use super::columns::{Columns, bytes, fold, mean, micros, whole};
use crate::batch::Entry;

const NAMES: [&str; 18] = [
    "planner",
    "budget",
    "trial",
    "converged",
    "arrived",
    "no path",
    "gave up",
    "ratio",
    "steps",
    "1st move",
    "expanded",
    "max/step",
    "reversals",
    "revisits",
    "µs/step",
    "p99",
    "overruns",
    "memory",
];

type Question = fn(&Results<'_>) -> bool;

/// Columns that are hidden if they are uninformative, and when they are shown.
const RARE: [(&str, Question); 11] = [
    ("trial", has_trials),
    ("converged", has_trials),
    ("no path", |results| has(results, |row| row.outcome == Outcome::NoPath.name())),
    ("gave up", |results| has(results, |row| row.outcome == Outcome::GaveUp.name())),
    ("reversals", wanders),
    ("revisits", wanders),
    ("overruns", is_timed),
    // Trials are about changes from one to the next.
    ("1st move", |results| !has_trials(results)),
    ("max/step", |results| !has_trials(results)),
    ("p99", |results| !has_trials(results)),
    ("memory", |results| !has_trials(results)),
];

fn has(results: &Results<'_>, is_so: fn(&Row) -> bool) -> bool {
    results.rows.iter().any(is_so)
}

fn has_trials(results: &Results<'_>) -> bool {
    results.batch.common.trials.is_some()
}

/// Returns `true` if any agent visited a cell twice. Both columns are shown or neither, so that tables compare.
fn wanders(results: &Results<'_>) -> bool {
    has(results, |row| row.reversals > 0 || row.revisits > 0)
}

fn is_timed(results: &Results<'_>) -> bool {
    results.batch.entries.iter().any(|entry| matches!(entry.budget, Budget::Interval { .. }))
}

/// Width above which the planners' specs are placed above their lines.
const WIDEST: usize = 120;

/// Columns that are hidden in narrow terminals, in this order.
const DISPENSABLE: [&str; 9] =
    ["p99", "max/step", "revisits", "memory", "reversals", "1st move", "expanded", "overruns", "µs/step"];

/// The format of a table.
pub(super) struct Look<'a> {
    /// Width of the terminal.
    pub(super) width: Option<usize>,
    /// The requested columns, or `all`. Empty for those that fit.
    pub(super) columns: &'a [String],
    /// Explains the columns.
    pub(super) explain: bool,
}

/// Refuses unknown columns.
pub(super) fn check_columns(columns: &[String]) -> Result<(), InputError> {
    let is_known = |name: &&String| *name == "all" || NAMES.contains(&name.as_str());
    match columns.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => {
            let remedy = format!("name some of {}, or all", NAMES.join(", "));
            Err(InputError::new(format!("there is no column `{name}`"), remedy))
        }
    }
}

const LEGEND: &str = "\
ratio: length walked / shortest, of the runs that arrived. Means per run: steps (ticks lived), 1st move (its tick),
expanded states, reversals, revisits, p99 (µs that 99 % of the steps kept to), memory. Over all runs: max/step (most
expansions in a step), µs/step.";

const WANDERING: &str = "\
reversals: steps back to the cell just left; revisits: moves to a cell where the agent had been before.";

const TRIALS: &str = "\
converged: problems of which a trial only repeated the one before; they count on with that trial. ratio: length
walked / shortest, of the runs that arrived. Means per run: steps (ticks lived), expanded states, reversals, revisits.";

pub(super) fn write(results: &Results<'_>, look: &Look<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", results.heading)?;
    let specs = specs(results);
    let longest = specs.iter().map(|spec| spec.to_string().chars().count()).max().unwrap_or(0);
    let is_narrow = look.width.is_some_and(|width| longest > width / 3);
    let is_wide = is_narrow || columns(results, look, Spec::to_string).width() > WIDEST;
    if is_wide {
        for (k, spec) in specs.iter().enumerate() {
            writeln!(out, "[{}] {spec}", k + 1)?;
        }
        writeln!(out)?;
    }
    let number = |spec: &Spec| specs.iter().position(|other| other == spec).map_or(0, |k| k + 1);
    let label = |spec: &Spec| if is_wide { format!("[{}]", number(spec)) } else { spec.to_string() };
    let mut columns = columns(results, look, label);
    let width = if look.columns.is_empty() { look.width.unwrap_or(usize::MAX) } else { usize::MAX };
    let hidden = columns.shrink(width, &DISPENSABLE);
    columns.write(out)?;
    let mut texts = Vec::new();
    if !hidden.is_empty() {
        texts.push(format!(
            "Hidden in this narrow terminal: {}; --columns all shows them.",
            hidden.join(", ")
        ));
    }
    if look.explain {
        texts.push((if has_trials(results) { TRIALS } else { LEGEND }).replace('\n', " "));
        texts.extend(wanders(results).then(|| WANDERING.into()));
    } else {
        texts.push("--explain describes the columns.".into());
    }
    texts.extend(skewed(results, label));
    texts.extend(results.notes.iter().cloned());
    writeln!(out)?;
    for line in texts.iter().flat_map(|text| fold(text, look.width.unwrap_or(WIDEST).min(WIDEST))) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Reports that a few long steps make the mean of times larger than the 99 % quantile.
fn skewed(results: &Results<'_>, label: impl Fn(&Spec) -> String) -> Vec<String> {
    let tell = |(index, Entry { spec, budget }): (usize, &Entry)| {
        let rows: Vec<&Row> = results.rows.iter().filter(|row| results.batch.entry(row) == index).collect();
        let (mean, p99) = times(&rows);
        let longest = rows.iter().filter_map(|row| row.plan_ns_max).max()?;
        (mean > p99).then(|| {
            let (who, longest) = (label(spec), micros(longest as f64));
            format!("{who} at {budget}: a few long steps make µs/step more than p99; the longest took {longest} µs.")
        })
    };
    if has_trials(results) {
        return Vec::new();
    }
    results.batch.entries.iter().enumerate().filter_map(tell).collect()
}

/// Returns nanoseconds per step over all runs, and the mean of the runs' 99 % quantiles.
fn times(rows: &[&Row]) -> (f64, f64) {
    let sum = |of: fn(&Row) -> u64| rows.iter().map(|row| of(row)).sum::<u64>() as f64;
    let total = sum(|row| row.plan_ns_total.unwrap_or(0)) / sum(|row| row.steps).max(1.0);
    (total, sum(|row| row.plan_ns_p99.unwrap_or(0)) / rows.len().max(1) as f64)
}

/// Returns every planner once.
fn specs(results: &Results<'_>) -> Vec<Spec> {
    let mut specs: Vec<Spec> = Vec::new();
    for Entry { spec, .. } in &results.batch.entries {
        if !specs.contains(spec) {
            specs.push(spec.clone());
        }
    }
    specs
}

/// Returns the table with the requested columns, or without uninformative ones.
fn columns(results: &Results<'_>, look: &Look<'_>, label: impl Fn(&Spec) -> String) -> Columns {
    let mut columns = Columns::new(&NAMES, 1);
    for (index, entry) in results.batch.entries.iter().enumerate() {
        let rows: Vec<&Row> = results.rows.iter().filter(|row| results.batch.entry(row) == index).collect();
        let last = rows.iter().filter_map(|row| row.trial).max();
        for trial in 1..=last.unwrap_or(1) {
            columns.push(line(label(&entry.spec), entry, &up_to(trial, &rows), trial));
        }
    }
    let is_named = |name: &str| look.columns.iter().any(|column| column == name);
    if look.columns.is_empty() || is_named("all") {
        let rare = RARE.iter().filter(|(_, is_wanted)| !is_wanted(results));
        rare.for_each(|(name, _)| columns.drop(name));
    } else {
        NAMES.iter().skip(1).filter(|name| !is_named(name)).for_each(|name| columns.drop(name));
    }
    columns
}

/// Returns the row of this trial for each problem, or of its last trial.
fn up_to<'a>(trial: u64, rows: &[&'a Row]) -> Vec<&'a Row> {
    let mut kept: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| row.trial.is_none_or(|other| other <= trial)) {
        match kept.last_mut() {
            Some(last) if last.index == row.index => *last = row,
            _ => kept.push(row),
        }
    }
    kept
}

fn line(label: String, entry: &Entry, rows: &[&Row], trial: u64) -> Vec<String> {
    let ended = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome.name()).count();
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio).collect();
    let sum = |of: &dyn Fn(&Row) -> u64| rows.iter().map(|row| of(row)).sum::<u64>() as f64;
    let average = |of: &dyn Fn(&Row) -> u64| sum(of) / rows.len().max(1) as f64;
    let (mean_ns, p99_ns) = times(rows);
    let started = rows.iter().filter(|row| row.first_move > 0).count();
    let first_moves = sum(&|row| row.first_move);
    let converged = rows.iter().filter(|row| row.converged == Some(true)).count();
    vec![
        label,
        entry.budget.to_string(),
        trial.to_string(),
        format!("{converged}/{}", rows.len()),
        format!("{}/{}", ended(Outcome::Arrived), rows.len()),
        ended(Outcome::NoPath).to_string(),
        ended(Outcome::GaveUp).to_string(),
        ratio(&ratios),
        mean(average(&|row| row.steps)),
        if started == 0 { "-".into() } else { mean(first_moves / started as f64) },
        mean(average(&|row| row.expansions)),
        whole(rows.iter().map(|row| row.max_expansions).max().unwrap_or(0)),
        mean(average(&|row| row.reversals)),
        mean(average(&|row| row.revisits)),
        micros(mean_ns),
        micros(p99_ns),
        whole(rows.iter().filter_map(|row| row.overruns).sum()),
        bytes(average(&|row| row.memory_bytes)),
    ]
}

fn ratio(ratios: &[f64]) -> String {
    if ratios.is_empty() {
        return "-".into();
    }
    format!("{:.4}", ratios.iter().sum::<f64>() / ratios.len() as f64)
}
