//! Planners on the same problems.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Group;
use crate::number;
use crate::report::Table;
use crate::run::Row;
use crate::stats::{Interval, bootstrap_each, mean};

/// A number of a row, and its name.
type Measure = (&'static str, fn(&Row) -> f64);

const MEASURES: [Measure; 3] = [
    ("cost", |row| row.cost),
    ("steps", |row| row.steps as f64),
    ("expansions", |row| row.expansions as f64),
];

/// What makes two runs comparable: everything but the planner.
fn question(row: &Row) -> ([&str; 5], [(u32, u32); 2], u64) {
    let texts = [&row.map, &row.world, &row.rules, &row.budget, &row.prices];
    (texts.map(String::as_str), [row.start, row.goal], row.seed)
}

/// Every planner against the first one on the same problems under the same budget.
pub(super) fn table(groups: &[Group<'_>]) -> Option<Table> {
    let columns = [
        "planner and budget",
        "against",
        "measure",
        "n",
        "difference of means",
        "ratio of means",
        "less",
        "equal",
        "more",
    ];
    let mut table = Table::new("Pairs: the same problems, the same budget", &columns);
    let first = groups.first()?.entrant();
    let mut both: Vec<(&Group<'_>, &Group<'_>)> = Vec::new();
    for base in groups.iter().filter(|group| group.entrant() == first) {
        both.extend(groups.iter().filter(|group| group.label != base.label).map(|group| (base, group)));
    }
    let lines: Vec<Vec<Vec<String>>> = both.par_iter().map(|(base, group)| compared(base, group)).collect();
    lines.into_iter().flatten().for_each(|line| table.push(line));
    let is_empty = table.lines.is_empty();
    let note = "Less: on how many problems the planner was below the one it is compared with. Only problems on which both arrived.";
    (!is_empty).then(|| table.noted(note))
}

/// One against another: a line per measure.
fn compared(base: &Group<'_>, group: &Group<'_>) -> Vec<Vec<String>> {
    let theirs: BTreeMap<_, &Row> = base.arrived().map(|row| (question(row), row)).collect();
    let pairs: Vec<(&Row, &Row)> =
        group.arrived().filter_map(|row| Some((*theirs.get(&question(row))?, row))).collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let column =
        |of: fn(&Row) -> f64| -> (Vec<f64>, Vec<f64>) { pairs.iter().map(|(a, b)| (of(a), of(b))).unzip() };
    let [(a, b), (c, d), (e, f)] = MEASURES.map(|(_, of)| column(of));
    let found = bootstrap_each([&a, &b, &c, &d, &e, &f], |[a, b, c, d, e, f]| {
        let [a, b, c, d, e, f] = [a, b, c, d, e, f].map(mean);
        [b - a, quotient(a, b), d - c, quotient(c, d), f - e, quotient(e, f)]
    });
    let columns = [(a, b), (c, d), (e, f)];
    let lines = MEASURES.iter().zip(&columns).zip(found.chunks(2));
    lines
        .map(|(((measure, _), (a, b)), found)| {
            let mut line = [group.label, base.label, measure].map(str::to_owned).to_vec();
            line.extend(numbers(a, b, found));
            line
        })
        .collect()
}

/// How many there are, difference and ratio of the means with their intervals, and on how many which was less.
fn numbers(a: &[f64], b: &[f64], intervals: &[Interval]) -> [String; 6] {
    let with = |value: f64, interval: Interval| format!("{} ({interval})", number(value));
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
    let count = |is_so: fn(f64) -> bool| differences.iter().filter(|d| is_so(**d)).count().to_string();
    [
        differences.len().to_string(),
        with(mean(&differences), intervals[0]),
        with(quotient(mean(a), mean(b)), intervals[1]),
        count(|d| d < 0.0),
        count(|d| d == 0.0),
        count(|d| d > 0.0),
    ]
}

fn quotient(a: f64, b: f64) -> f64 {
    if a == 0.0 { f64::NAN } else { b / a }
}
