//! Tables of means, spreads, problems and times.

use std::collections::BTreeMap;

use fleetfoot_sim::metrics::Outcome;
use rayon::prelude::*;

use super::Group;
use super::sample::{Sample, means as samples};
use crate::number;
use crate::report::Table;
use crate::run::{Row, micros};
use crate::stats::{mean, quantile, standard_error};

/// A number of a row, and its name.
type Measure<T> = (&'static str, fn(&Row) -> T);

pub(super) fn means(groups: &[Group<'_>]) -> Table {
    let columns = [
        "planner and budget",
        "arrived",
        "no path",
        "gave up",
        "cost / optimal",
        "s.e.",
        "steps",
        "first move",
        "expansions",
        "per move",
        "worst step",
        "open + closed",
        "memory, bytes",
    ];
    let mut table = Table::new("Means", &columns);
    for Group { label, rows, ratio, steps, expansions } in groups {
        let count = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome.name()).count();
        let worst = rows.iter().map(|row| row.max_expansions).max().unwrap_or(0);
        let average = |of: fn(&Row) -> f64| number(mean(&rows.iter().map(|row| of(row)).collect::<Vec<_>>()));
        table.push(vec![
            (*label).to_owned(),
            format!("{}/{}", count(Outcome::Arrived), rows.len()),
            count(Outcome::NoPath).to_string(),
            count(Outcome::GaveUp).to_string(),
            ratio.to_string(),
            number(standard_error(&ratio.values)),
            steps.to_string(),
            average(|row| row.first_move as f64),
            expansions.to_string(),
            average(|row| row.expansions_per_move),
            number(worst as f64),
            average(|row| (row.open_max + row.closed_max) as f64),
            average(|row| row.memory_bytes as f64),
        ]);
    }
    table.noted(
        "No path: the planner found that there is none. Gave up: it was still on its way when its steps were used up. \
         Cost / optimal: of the runs that arrived. Worst step: most expansions in a step of any run.",
    )
}

pub(super) fn spread(groups: &[Group<'_>]) -> Table {
    let columns = [
        "planner and budget",
        "measure",
        "n",
        "mean",
        "s.e.",
        "least",
        "25 %",
        "median",
        "75 %",
        "95 %",
        "most",
    ];
    let mut table = Table::new("Spread", &columns);
    for Group { label, ratio, steps, expansions, .. } in groups {
        let measures = [("cost / optimal", ratio), ("steps", steps), ("expansions", expansions)];
        for (name, Sample { values, .. }) in measures {
            let mut line = vec![(*label).to_owned(), name.to_owned(), values.len().to_string()];
            line.extend([mean(values), standard_error(values)].map(number));
            line.extend(quantiles(values, [0.0, 0.25, 0.5, 0.75, 0.95, 1.0]));
            table.push(line);
        }
    }
    table
}

/// Values below which such shares of the sample lie, as text.
fn quantiles<const N: usize>(values: &[f64], shares: [f64; N]) -> [String; N] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    shares.map(|share| number(quantile(&sorted, share)))
}

/// What the problems are like, each counted once.
pub(super) fn problems(rows: &[Row]) -> Table {
    let mut once = BTreeMap::new();
    for row in rows {
        once.entry((&row.map, &row.rules, row.start, row.goal)).or_insert(row);
    }
    let columns = ["of the problems", "n", "mean", "least", "25 %", "median", "75 %", "most"];
    let mut table = Table::new("Problems", &columns);
    let measures: [Measure<Option<f64>>; 3] = [
        ("optimal length", |row| row.optimal),
        ("A* expansions", |row| row.astar_expansions.map(|n| n as f64)),
        ("A* difficulty (expansions per edge of its path)", |row| row.astar_difficulty),
    ];
    for (name, of) in measures {
        let values: Vec<f64> = once.values().filter_map(|row| of(row)).collect();
        let mut line = vec![name.to_owned(), values.len().to_string(), number(mean(&values))];
        line.extend(quantiles(&values, [0.0, 0.25, 0.5, 0.75, 1.0]));
        table.push(line);
    }
    table
}

pub(super) fn times(groups: &[Group<'_>]) -> Table {
    let columns =
        ["planner and budget", "n", "µs in all", "µs per step", "p99", "longest", "least share of a core"];
    let mut table = Table::new("Times", &columns);
    let line = |Group { label, rows, .. }: &Group<'_>| {
        let taken = |of: fn(&Row) -> Option<f64>| rows.iter().filter_map(|row| of(row)).collect::<Vec<_>>();
        let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
        let share = taken(|row| row.core_share).into_iter().fold(1.0, f64::min);
        // Both are there for the same runs.
        let [all, per_step] = samples([taken(Row::plan_us), taken(Row::plan_us_per_step)]);
        vec![
            (*label).to_owned(),
            format!("{}/{}", all.values.len(), rows.len()),
            all.to_string(),
            per_step.to_string(),
            number(mean(&taken(|row| row.plan_ns_p99.map(micros)))),
            number(most(taken(|row| row.plan_ns_max.map(micros)))),
            number(share),
        ]
    };
    let lines: Vec<Vec<String>> = groups.par_iter().map(line).collect();
    for line in lines {
        table.push(line);
    }
    table.noted("n: runs that have times. Timed runs are made one at a time. Those that were on a core for less than 95 % of the time, because of other programs, have no times.")
}
