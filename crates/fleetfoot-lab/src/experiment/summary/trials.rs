//! Shows what agents learn from trial to trial.

use std::collections::BTreeMap;

use super::sample::{Sample, means};
use super::{Maps, word};
use crate::number;
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Table};
use crate::run::Row;

/// A label's agents: trials by run.
type Agents<'a> = BTreeMap<u64, Vec<&'a Row>>;

/// Returns the curve and the table, if there were trials.
pub(super) fn told(rows: &[Row], maps: &Maps) -> Option<(Figure, Table)> {
    let most = rows.iter().filter_map(|row| row.trial).max()?;
    let mut labels: Vec<(&str, Agents<'_>)> = Vec::new();
    for row in rows {
        let k = labels.iter().position(|(label, _)| *label == row.label).unwrap_or_else(|| {
            labels.push((&row.label, Agents::new()));
            labels.len() - 1
        });
        labels[k].1.entry(row.index).or_default().push(row);
    }
    let columns =
        ["planner and budget", "trial", "arrived", "cost / optimal", "expansions", "converged by then"];
    let mut table = Table::new("Learning: trial by trial", &columns);
    let mut series = Vec::new();
    for (label, agents) in &labels {
        let mut points = Vec::new();
        for trial in 1..=most {
            let now: Vec<&Row> = agents.values().filter_map(|rows| at(rows, trial)).collect();
            let [ratio] = means([maps.split(&now, |row| row.ratio)]);
            let [work] = means([maps.split(&now, |row| Some(row.expansions as f64))]);
            if !ratio.is_empty() {
                points.push(point(trial, &ratio));
            }
            if is_shown(trial, most) {
                let arrived = now.iter().filter(|row| row.arrived()).count();
                let done =
                    |row: &&&Row| row.converged == Some(true) && row.trial.is_some_and(|own| own <= trial);
                let converged = now.iter().filter(done).count();
                table.push(vec![
                    (*label).to_owned(),
                    trial.to_string(),
                    format!("{arrived}/{}", now.len()),
                    ratio.to_string(),
                    work.to_string(),
                    format!("{converged}/{}", now.len()),
                ]);
            }
        }
        series.push(Series { marks: most <= 40, ..Series::line(*label, points) });
    }
    let counting = if maps.names.len() > 1 { " Every map counts the same." } else { "" };
    let note = format!(
        "An agent makes its trip again and again, up to {} times, and keeps what it has seen and learned. One that only repeats its last \
         trial has converged, and counts with that trial from then on. All other tables are about the first trial.{counting}",
        number(most as f64)
    );
    let figure = Figure {
        name: word("learning"),
        caption: format!("Means with 95 % intervals. {note}"),
        plot: Plot {
            title: "Learning: cost by trial".into(),
            x: Axis::log("trial"),
            y: Axis::log("cost / optimal"),
            series,
        },
    };
    Some((figure, table.noted(note)))
}

/// Returns an agent's row in a trial. An agent that has stopped repeats its last trial.
fn at<'a>(rows: &[&'a Row], trial: u64) -> Option<&'a Row> {
    rows.iter().copied().filter(|row| row.trial.is_some_and(|own| own <= trial)).max_by_key(|row| row.trial)
}

fn point(trial: u64, Sample { mean, interval, .. }: &Sample) -> Point {
    Point { x: trial as f64, y: *mean, bar: Some((interval.low, interval.high)) }
}

/// Selects the first few trials, then every doubling, and the last one.
fn is_shown(trial: u64, most: u64) -> bool {
    most <= 10 || trial <= 4 || trial.is_power_of_two() || trial == most
}
