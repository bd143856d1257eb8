//! Real-time search in dynamic worlds: unknown ones and ones with doors.

pub(super) mod fig3;
pub(super) mod fig4;

use fleetfoot::registry::Spec;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::Evidence;
use crate::number;
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Table};
use crate::run::Row;
use crate::stats::{Interval, bootstrap, mean};

const PAPER: &str = "Bond, Widger, Ruml, Sun: Real-Time Search in Dynamic Worlds, 2010";

/// Expansions per step.
const LIMITS: [u64; 8] = [1, 8, 16, 32, 64, 128, 256, 512];

fn label(name: &str, limit: u64) -> String {
    format!("{name} at {limit}")
}

fn spec(text: &str) -> Result<Spec, InputError> {
    text.parse().map_err(|error| InputError::new(format!("{error}"), "use a later version"))
}

fn budget(limit: u64) -> Budget {
    Budget::Expansions(limit)
}

/// A curve over the limits.
fn points(evidence: &Evidence<'_>, name: &str, limits: &[u64], of: fn(&Row) -> f64) -> Vec<Point> {
    let point = |limit: &u64| {
        let values = evidence.values(&label(name, *limit), of);
        let Interval { low, high } = bootstrap(&values, mean);
        Point { x: *limit as f64, y: mean(&values), bar: Some((low, high)) }
    };
    limits.iter().map(point).collect()
}

fn figure(name: &str, title: &str, y: &str, series: Vec<Series>) -> Figure {
    Figure {
        name: name.into(),
        caption: "Means with 95 % intervals.".into(),
        plot: Plot {
            title: title.into(),
            x: Axis::log("expansions per step").with_ticks(LIMITS.map(|limit| limit as f64)),
            y: Axis::log(y),
            series,
        },
    }
}

fn table(evidence: &Evidence<'_>, title: &str, names: &[&str], of: fn(&Row) -> f64) -> Table {
    let columns: Vec<String> = std::iter::once("planner".to_owned())
        .chain(LIMITS.iter().map(ToString::to_string))
        .chain(["arrived".into()])
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(title, &columns);
    for name in names {
        let mut line = vec![(*name).to_owned()];
        let (mut arrived, mut all) = (0, 0);
        for limit in LIMITS {
            let rows = evidence.rows(&label(name, limit));
            arrived += rows.iter().filter(|row| row.arrived()).count();
            all += rows.len();
            let values = evidence.values(&label(name, limit), of);
            line.push(if values.is_empty() {
                "–".into()
            } else {
                format!("{} ± {}", number(mean(&values)), number(crate::stats::standard_error(&values)))
            });
        }
        line.push(format!("{arrived}/{all}"));
        table.push(line);
    }
    table.noted("mean ± standard error")
}
