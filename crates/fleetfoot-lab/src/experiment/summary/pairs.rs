//! Compares planners on the same problems.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Group;
use crate::report::Table;
use crate::run::Row;
use crate::stats::bootstrap_parts;
use crate::with_interval;

/// A number of a row, and its name.
type Measure = (&'static str, fn(&Row) -> f64);

const MEASURES: [Measure; 3] = [
    ("cost", |row| row.cost),
    ("steps", |row| row.steps as f64),
    ("expansions", |row| row.expansions as f64),
];

/// Returns the key of comparable runs: everything except the planner.
fn question(row: &Row) -> ([&str; 5], [(u32, u32); 2], u64) {
    let texts = [&row.map, &row.world, &row.rules, &row.budget, &row.prices];
    (texts.map(String::as_str), [row.start, row.goal], row.seed)
}

/// Compares every planner with the first one on the same problems with the same budget.
pub(super) fn table(groups: &[Group<'_>]) -> Option<Table> {
    let columns =
        ["planner and budget", "against", "measure", "n", "difference", "ratio", "less", "equal", "more"];
    let mut table = Table::new("Pairs: the same problems, the same budget", &columns);
    let first = groups.first()?.entrant();
    let mut both: Vec<(&Group<'_>, &Group<'_>)> = Vec::new();
    for base in groups.iter().filter(|group| group.entrant() == first) {
        both.extend(groups.iter().filter(|group| group.label != base.label).map(|group| (base, group)));
    }
    let lines: Vec<Vec<Vec<String>>> = both.par_iter().map(|(base, group)| compared(base, group)).collect();
    lines.into_iter().flatten().for_each(|line| table.push(line));
    let is_empty = table.lines.is_empty();
    let is_one = groups.first().is_none_or(|group| group.maps == 1);
    let means = if is_one {
        "Difference and ratio of means."
    } else {
        "Difference: of means in which every map counts the same. Ratio: of the means on a map, the geometric mean over maps."
    };
    let note = format!(
        "{means} Less: on how many problems the planner was below the one it is compared with. Only problems on which both arrived."
    );
    (!is_empty).then(|| table.noted(note))
}

/// Compares one group with another. Returns a line per measure.
fn compared(base: &Group<'_>, group: &Group<'_>) -> Vec<Vec<String>> {
    let theirs: BTreeMap<_, &Row> = base.arrived().map(|(_, row)| (question(row), row)).collect();
    let mut pairs: Vec<Vec<(&Row, &Row)>> = vec![Vec::new(); group.maps];
    for (map, row) in group.arrived() {
        pairs[map].extend(theirs.get(&question(row)).map(|other| (*other, row)));
    }
    pairs.retain(|part| !part.is_empty());
    if pairs.is_empty() {
        return Vec::new();
    }
    let sizes: Vec<usize> = pairs.iter().map(Vec::len).collect();
    let line = |(measure, of): &Measure| {
        let values: Vec<Vec<(f64, f64)>> =
            pairs.iter().map(|part| part.iter().map(|(a, b)| (of(a), of(b))).collect()).collect();
        let intervals = bootstrap_parts(&sizes, |places| {
            let drawn = places.iter().zip(&values);
            statistics(drawn.map(|(places, part)| sums(places.iter().map(|k| part[*k]))))
        });
        let found = statistics(values.iter().map(|part| sums(part.iter().copied())));
        let mut line = [group.label, base.label, measure].map(str::to_owned).to_vec();
        line.push(sizes.iter().sum::<usize>().to_string());
        line.extend(found.into_iter().zip(intervals).map(|(value, interval)| with_interval(value, interval)));
        let all = || values.iter().flatten().map(|(a, b)| b - a);
        let count = |is_so: fn(f64) -> bool| all().filter(|d| is_so(*d)).count().to_string();
        line.extend([count(|d| d < 0.0), count(|d| d == 0.0), count(|d| d > 0.0)]);
        line
    };
    MEASURES.iter().map(line).collect()
}

/// Returns the means of both components.
fn sums(values: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut a, mut b, mut n) = (0.0, 0.0, 0.0);
    for value in values {
        (a, b, n) = (a + value.0, b + value.1, n + 1.0);
    }
    (a / n, b / n)
}

/// Returns the mean difference and the geometric mean of the ratios, from the means on each map.
fn statistics(means: impl Iterator<Item = (f64, f64)>) -> [f64; 2] {
    let (mut difference, mut logs, mut n) = (0.0, 0.0, 0.0);
    for (a, b) in means {
        difference += b - a;
        logs += quotient(a, b).ln();
        n += 1.0;
    }
    [difference / n, (logs / n).exp()]
}

fn quotient(a: f64, b: f64) -> f64 {
    if a == 0.0 { f64::NAN } else { b / a }
}
