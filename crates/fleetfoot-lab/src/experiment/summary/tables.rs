//! Tables of means, spreads, problems and times.

use std::collections::BTreeMap;

use fleetfoot_sim::metrics::Outcome;
use rayon::prelude::*;

use super::sample::means as samples;
use super::{Group, Maps};
use crate::number;
use crate::report::Table;
use crate::run::{Row, micros};
use crate::stats::{mean, quantile, standard_error};

/// Returns two tables: quality, time and work; outcomes and memory.
pub(super) fn means(groups: &[Group<'_>]) -> [Table; 2] {
    let is_one = groups.first().is_none_or(|group| group.maps == 1);
    let title = if is_one { "Means" } else { "Means over all maps" };
    let columns =
        ["planner and budget", "arrived", "cost / optimal", "steps", "first move", "expansions", "per move"];
    let mut main = Table::new(title, &columns);
    let columns = ["planner and budget", "no path", "gave up", "worst step", "open + closed", "memory, KB"];
    let mut rest = Table::new("Outcomes and memory", &columns);
    for group in groups {
        let rows = &group.rows;
        let count = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome.name()).count();
        let worst = rows.iter().map(|row| row.max_expansions).max().unwrap_or(0);
        let average = |of: fn(&Row) -> f64| three(group.level(|row| Some(of(row))));
        main.push(vec![
            group.label.to_owned(),
            format!("{}/{}", count(Outcome::Arrived), rows.len()),
            group.ratio.to_string(),
            group.steps.to_string(),
            average(|row| row.first_move as f64),
            group.expansions.to_string(),
            average(|row| row.expansions_per_move),
        ]);
        rest.push(vec![
            group.label.to_owned(),
            count(Outcome::NoPath).to_string(),
            count(Outcome::GaveUp).to_string(),
            number(worst as f64),
            average(|row| (row.open_max + row.closed_max) as f64),
            average(|row| row.memory_bytes as f64 / 1000.0),
        ]);
    }
    let counting = if is_one {
        ""
    } else {
        " Every map counts the same, however many problems it has and however large it is."
    };
    let main = main.noted(format!("Cost / optimal: of the runs that arrived.{counting}"));
    let rest = rest.noted(
        "No path: the planner reported that none exists. Gave up: it had not arrived within its number of steps. \
         Worst step: most expansions in a step of any run.",
    );
    [main, rest]
}

/// Formats a mean without an interval with three digits.
fn three(x: f64) -> String {
    match x.abs() {
        size if size >= 100.0 => number(x.round()),
        size if size >= 10.0 => number((x * 10.0).round() / 10.0),
        _ => number((x * 100.0).round() / 100.0),
    }
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
        for (name, sample) in measures {
            let values = &sample.values();
            let mut line = vec![(*label).to_owned(), name.to_owned(), values.len().to_string()];
            line.extend([mean(values), standard_error(values)].map(number));
            line.extend(quantiles(values, [0.0, 0.25, 0.5, 0.75, 0.95, 1.0]));
            table.push(line);
        }
    }
    table
}

/// Formats quantiles of the sample.
fn quantiles<const N: usize>(values: &[f64], shares: [f64; N]) -> [String; N] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    shares.map(|share| number(quantile(&sorted, share)))
}

/// Describes the problems by map, counting each problem once.
pub(super) fn problems(rows: &[&Row], maps: &Maps) -> Table {
    let mut once = BTreeMap::new();
    for row in rows {
        once.entry((&row.map, &row.rules, row.start, row.goal)).or_insert(*row);
    }
    let columns = [
        "map",
        "problems",
        "optimal length",
        "least",
        "median",
        "most",
        "A* expansions",
        "A* difficulty",
        "median difficulty",
    ];
    let mut table = Table::new("Problems", &columns);
    let once: Vec<&Row> = once.into_values().collect();
    let part = |of: fn(&Row) -> Option<f64>| maps.split(&once, of);
    let lengths = part(|row| row.optimal);
    let work = part(|row| row.astar_expansions.map(|n| n as f64));
    let hard = part(|row| row.astar_difficulty);
    for (k, name) in maps.names.iter().enumerate() {
        let mut line = vec![name.clone(), lengths[k].len().to_string(), number(mean(&lengths[k]))];
        line.extend(quantiles(&lengths[k], [0.0, 0.5, 1.0]));
        line.extend([mean(&work[k]), mean(&hard[k])].map(number));
        line.extend(quantiles(&hard[k], [0.5]));
        table.push(line);
    }
    table.noted("Means where nothing else is said. A* difficulty: expansions of A*, with the map known, per edge of its path.")
}

pub(super) fn times(groups: &[Group<'_>]) -> Table {
    let columns =
        ["planner and budget", "n", "µs in all", "µs per step", "p99", "longest", "least share of a core"];
    let mut table = Table::new("Times", &columns);
    let line = |group: &Group<'_>| {
        let Group { label, rows, .. } = group;
        let taken = |of: fn(&Row) -> Option<f64>| rows.iter().filter_map(|row| of(row)).collect::<Vec<_>>();
        let parts = |of: fn(&Row) -> Option<f64>| {
            let mut parts = vec![Vec::new(); group.maps];
            rows.iter().zip(&group.map).for_each(|(row, map)| parts[*map].extend(of(row)));
            parts
        };
        let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
        let share = taken(|row| row.core_share).into_iter().fold(1.0, f64::min);
        // Both exist for the same runs.
        let [all, per_step] = samples([parts(Row::plan_us), parts(Row::plan_us_per_step)]);
        vec![
            (*label).to_owned(),
            format!("{}/{}", all.values().len(), rows.len()),
            all.to_string(),
            per_step.to_string(),
            number(group.level(|row| row.plan_ns_p99.map(micros))),
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
