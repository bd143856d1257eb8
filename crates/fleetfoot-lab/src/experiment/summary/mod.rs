//! What an experiment of one's own has to tell: everything from its rows.

mod pairs;
mod sample;
mod tables;

use std::collections::BTreeMap;

use rayon::prelude::*;

use self::sample::{Sample, means};
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Report, conditions};
use crate::run::{About, Row};
use crate::stats::mean;

/// The report of an experiment.
pub fn summarise(about: &About, rows: &[Row]) -> Report {
    let groups = groups(rows);
    let mut tables = vec![tables::means(&groups), tables::spread(&groups), tables::problems(rows)];
    if rows.iter().any(|row| row.core_share.is_some()) {
        tables.push(tables::times(&groups));
    }
    tables.extend(pairs::table(&groups));
    Report {
        title: about.title.clone(),
        conditions: conditions(about, rows),
        source: about.source.clone(),
        setup: about.notes.clone(),
        tables,
        figures: vec![pareto(&groups)],
        ..Report::default()
    }
}

/// Rows with the same label, and what is shown of them more than once.
struct Group<'a> {
    label: &'a str,
    rows: Vec<&'a Row>,
    ratio: Sample,
    steps: Sample,
    expansions: Sample,
}

impl<'a> Group<'a> {
    fn new((label, rows): (&'a str, Vec<&'a Row>)) -> Self {
        let ratios = rows.iter().filter_map(|row| row.ratio).collect();
        let of = |of: fn(&Row) -> f64| rows.iter().map(|row| of(row)).collect::<Vec<_>>();
        let [ratio] = means([ratios]);
        let [steps, expansions] = means([of(|row| row.steps as f64), of(|row| row.expansions as f64)]);
        Self { label, rows, ratio, steps, expansions }
    }

    fn arrived(&self) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().copied().filter(|row| row.arrived())
    }

    /// Who ran: the label without the budget, and without prices and worlds, which stand behind it.
    fn entrant(&self) -> &'a str {
        let budget = self.rows.first().map(|row| format!(" at {}", row.budget)).unwrap_or_default();
        self.label.split_once(&budget).map_or(self.label, |(name, _)| name)
    }
}

/// Rows by label, in the order in which labels first appear.
fn groups(rows: &[Row]) -> Vec<Group<'_>> {
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        let k = *place.entry(&row.label).or_insert_with(|| {
            groups.push((&row.label, Vec::new()));
            groups.len() - 1
        });
        groups[k].1.push(row);
    }
    // Resampling takes nearly all the time that a report takes.
    groups.into_par_iter().map(Group::new).collect()
}

/// Work per move against the quality of the walk: who is nearest to the lower left corner?
fn pareto(groups: &[Group<'_>]) -> Figure {
    let mut series: Vec<Series> = Vec::new();
    for Group { label, rows, ratio, .. } in groups {
        let Some(first) = rows.first().filter(|_| !ratio.values.is_empty()) else { continue };
        // One line per planner, one point per budget.
        let name = label.replacen(&format!(" at {}", first.budget), "", 1);
        let work = mean(&rows.iter().map(|row| row.expansions_per_move).collect::<Vec<_>>());
        let bar = Some((ratio.interval.low, ratio.interval.high));
        let point = Point { x: work, y: mean(&ratio.values), bar };
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series::line(name, vec![point])),
        }
    }
    Figure {
        name: "pareto".into(),
        caption: "Means over all runs that arrived, one point per budget; bars: 95 % intervals. Lower left is better.".into(),
        plot: Plot {
            title: "Work per move against cost".into(),
            x: Axis::log("expansions per move"),
            y: Axis::log("cost / optimal"),
            series,
        },
    }
}

#[cfg(test)]
mod tests;
