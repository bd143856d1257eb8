//! Plots of a fleet's run: frame time, work, and the numbers of moving and waiting units, over the ticks.

use std::fs;
use std::path::{Path, PathBuf};

use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::fleet::TickRow;
use fleetfoot_sim::formats::write_atomically;

/// Maximum number of points of a plot. Longer runs are divided into portions.
const PORTIONS: usize = 400;

const NAMES: [&str; 4] = ["frame-time", "work", "moving", "waiting"];

/// Returns the files that are written into a folder.
pub(super) fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    NAMES.iter().map(|name| folder.join(format!("{name}.svg")))
}

/// Writes the plots into a folder, creating it if necessary.
pub(super) fn write(folder: &Path, map: &str, rows: &[TickRow], budget: Budget) -> Result<(), InputError> {
    fs::create_dir_all(folder).map_err(|cause| InputError::io(folder, "create", &cause))?;
    let portion = rows.len().div_ceil(PORTIONS).max(1);
    let curve = |name: &str, of: &dyn Fn(&TickRow) -> f64, sum: fn(&[f64]) -> f64| {
        let point = |rows: &[TickRow]| {
            let values: Vec<f64> = rows.iter().map(of).collect();
            Point::new(rows.first().map_or(0.0, |row| row.tick as f64), sum(&values))
        };
        Series::curve(name, rows.chunks(portion).map(point).collect())
    };
    let level = |name: String, value: f64| {
        let ends = [1.0, rows.len() as f64];
        Series::curve(name, ends.map(|x| Point::new(x, value)).to_vec())
    };
    let micros = |row: &TickRow| row.plan_ns as f64 / 1000.0;
    let work = |row: &TickRow| row.work as f64;
    let mut spent = vec![curve("longest", &work, most), curve("mean", &work, mean)];
    if let Some(limit) = budget.expansions() {
        spent.push(level(format!("budget {limit}"), limit as f64));
    }
    let mut frames = vec![curve("longest", &micros, most), curve("mean", &micros, mean)];
    if let Budget::Interval { nanos, .. } = budget {
        frames.push(level(format!("interval {budget}"), nanos as f64 / 1000.0));
    }
    let plots = [
        ("Frame time", "planning per tick (µs)", frames),
        ("Work", "work per tick", spent),
        ("Moving", "units that move", vec![curve("mean", &|row| f64::from(row.moved), mean)]),
        ("Waiting", "units that wait", vec![curve("mean", &|row| f64::from(row.waiting), mean)]),
    ];
    for (file, (title, label, series)) in files(folder).zip(plots) {
        let plot = Plot {
            title: format!("{title}, {map}"),
            x: Axis::linear("tick"),
            y: Axis::linear(label).showing([0.0]),
            series,
        };
        write_atomically(file, |out| out.write_all(plot.svg().as_bytes()))?;
    }
    Ok(())
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
