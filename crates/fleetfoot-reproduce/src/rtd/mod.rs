//! The experiments with RTD*: static unknown worlds, and rooms whose doors open and close.

mod changes;
pub(super) mod fig3;
pub(super) mod fig4;
mod gates;
mod still;

use super::Evidence;
use super::limits::{cell, label, series};
use fleetfoot_lab::number;
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Table};
use fleetfoot_lab::run::Row;
use fleetfoot_lab::stats::{bootstrap, mean};

/// Where it was published.
const PAPER: &str = "Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, 2010";

/// Expansions per step, as in the paper.
const LIMITS: [u64; 8] = [1, 8, 16, 32, 64, 128, 256, 512];

/// D* Lite without a limit: the reference line.
const NON_RTD: &str = "Non-RTD*";

/// A planner of a study: its name and its spec.
type Entry = (&'static str, &'static str);

/// Returns a mean by planner and limit, with the reference in a line of its own.
fn table(evidence: &Evidence<'_>, title: &str, planners: &[&str], of: fn(&Row) -> f64) -> Table {
    let limits: Vec<String> = LIMITS.iter().map(ToString::to_string).collect();
    let columns: Vec<&str> =
        ["planner"].into_iter().chain(limits.iter().map(String::as_str)).chain(["arrived"]).collect();
    let mut table = Table::new(title, &columns);
    for planner in planners {
        let names = LIMITS.map(|limit| label(planner, limit));
        let rows = || names.iter().flat_map(|name| evidence.rows(name));
        let mut line = vec![(*planner).to_owned()];
        line.extend(
            names.iter().map(|name| if evidence.has(name) { cell(evidence, name, of) } else { "–".into() }),
        );
        line.push(format!("{}/{}", rows().filter(|row| row.arrived()).count(), rows().count()));
        table.push(line);
    }
    let reference = evidence.values(NON_RTD, of);
    table.noted(format!(
        "Means with 95 % intervals; {NON_RTD}: {} ({}). The text of the paper gives no numbers.",
        number(mean(&reference)),
        bootstrap(&reference, mean)
    ))
}

/// Returns a figure in the paper's form: both axes logarithmic, the reference as a horizontal line.
fn figure(
    evidence: &Evidence<'_>,
    (name, title, y): (&str, &str, &str),
    planners: &[&str],
    of: fn(&Row) -> f64,
) -> Figure {
    let mut all: Vec<Series> =
        planners.iter().map(|planner| series(evidence, &LIMITS, planner, of)).collect();
    let level = evidence.mean(NON_RTD, of);
    all.push(Series::line(NON_RTD, LIMITS.iter().map(|limit| Point::new(*limit as f64, level)).collect()));
    Figure {
        name: name.into(),
        caption: "Means with 95 % intervals.".into(),
        plot: Plot {
            title: title.into(),
            x: Axis::log("expansions per step").with_ticks(LIMITS.map(|limit| limit as f64)),
            y: Axis::log(y),
            series: all,
        },
    }
}
