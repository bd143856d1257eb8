//! `fleetfoot run --picture` and `--learned`: walks, or what was learned on them, side by side, and what is to be
//! seen there.

use std::io::{self, Write};
use std::path::Path;

use fleetfoot::Decision;
use fleetfoot_sim::episode::{Runner, Tick, Trip, Watch};
use fleetfoot_sim::formats::write_atomically;

use crate::batch::{Batch, Entry};
use crate::failure::Failure;
use crate::output::columns::{Columns, whole};
use crate::row::Row;
use crate::source::Source;
use crate::walks::{self, Layout, Scribe, Walk};

/// More would be too small to see.
const MOST: usize = 4;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Walks,
    Learned,
}

/// Walks the first problem again with each planner and budget, draws it, and says what is where.
///
/// Under a budget of time these are other walks than those of the table, so the numbers told are their own.
pub(super) fn run(
    batch: &Batch<'_>,
    source: &Source,
    file: &Path,
    subject: Subject,
) -> Result<String, Failure> {
    let trips = batch.trips()?;
    let Some(trip) = trips.first() else { return Ok(String::new()) };
    let ends = (trip.start(), trip.goal());
    let mut runner = Runner::new();
    let optimal = runner.optimal(trip);
    let way = first_way(batch, trip, &mut runner);
    let (mut drawn, mut rows) = (Vec::new(), Vec::new());
    if subject == Subject::Learned {
        // What every agent begins with.
        drawn.push(Scribe::new(batch.world.truth()).finish(ends, &[]));
    }
    let entries = &batch.entries[..batch.entries.len().min(MOST - drawn.len())];
    for entry in 0..entries.len() {
        let mut scribe = Scribe::new(batch.world.truth());
        let mut moves = Vec::new();
        let mut note = |tick: &Tick| {
            if let Decision::Go(to) = tick.decision {
                moves.push((tick.tick, to));
            }
        };
        let watch = Watch { probe: Some(&mut scribe), ticks: Some(&mut note) };
        let run = batch.life(&mut runner, (entry, 0), trip, watch)?;
        rows.push(Row { entry, task: 0, optimal, run, trial: None });
        let mut walk = scribe.finish(ends, &moves);
        walk.note_changes(batch.world, way.clone());
        drawn.push(walk);
    }
    let task = &batch.tasks.list[0];
    let pair = (task.start, task.goal);
    let unit = batch.world.truth().unit();
    let highest = drawn.iter().map(Walk::highest).max().unwrap_or(0);
    let band = band(highest / unit.max(1));
    let (canvas, layout) = match subject {
        Subject::Walks => walks::draw(&source.map, &drawn, pair),
        Subject::Learned => walks::draw_values(&source.map, &drawn, pair, band * unit),
    };
    write_atomically(file, |out| canvas.write(out))?;
    let mut text = Vec::new();
    legend(batch, file, &rows, (layout, drawn.len() - rows.len()), &mut text)?;
    match subject {
        Subject::Walks => {
            writeln!(text, "\n{MARKS}")?;
            let changes = Walk::changes_told(&drawn);
            if !changes.is_empty() {
                writeln!(text, "{changes}")?;
            }
        }
        Subject::Learned => writeln!(
            text,
            "\nThe first panel is the heuristic, the others what it has become at the end: bright is near the goal, a \
             band is {band} cells wide.\nA depression is a place where bands close round the agent instead of \
             leading on. Blue square: start; pink diamond: goal."
        )?,
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The shortest way in the first tick, if the world changes: what the walk would have been like otherwise.
fn first_way(batch: &Batch<'_>, trip: &Trip<'_>, runner: &mut Runner) -> Vec<(u32, u32)> {
    let way = if batch.world.is_dynamic() { trip.first_way(runner.scratch()) } else { None };
    way.into_iter().flatten().map(|node| batch.world.truth().xy(node)).collect()
}

/// A width of bands that makes about a dozen of them.
fn band(highest: u32) -> u32 {
    let wanted = (highest / 12).max(1);
    [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|width| *width >= wanted).unwrap_or(1000)
}

fn legend(
    batch: &Batch<'_>,
    file: &Path,
    rows: &[Row],
    (layout, before): (Layout, usize),
    out: &mut dyn Write,
) -> io::Result<()> {
    let task = &batch.tasks.list[0];
    let ((sx, sy), (gx, gy)) = (task.start, task.goal);
    writeln!(out, "{}: problem {}, from {sx},{sy} to {gx},{gy}", file.display(), task.index)?;
    for (what, all, shown) in [
        ("problems", batch.tasks.list.len(), 1),
        ("combinations of planner and budget", batch.entries.len(), rows.len()),
    ] {
        if all > shown {
            writeln!(
                out,
                "(of {all} {what} the first {} drawn)",
                if shown == 1 { "is".into() } else { format!("{shown} are") }
            )?;
        }
    }
    writeln!(out)?;
    let names = [
        "panel",
        "planner",
        "budget",
        "outcome",
        "moves",
        "waits",
        "1st move",
        "ratio",
        "reversals",
        "revisits",
    ];
    let mut columns = Columns::new(&names, 2);
    let diagonal = batch.world.truth().rules().diagonal;
    for (k, row) in rows.iter().enumerate() {
        let Entry { spec, budget } = &batch.entries[row.entry];
        let run = &row.run;
        columns.push(vec![
            layout.place(before + k).into(),
            spec.to_string(),
            budget.to_string(),
            run.outcome.name().into(),
            whole(run.moves),
            whole(run.waits),
            whole(run.first_move),
            row.ratio(diagonal).map_or("-".into(), |ratio| format!("{ratio:.4}")),
            whole(run.reversals),
            whole(run.revisits),
        ]);
    }
    columns.drop_if_all("panel", "");
    columns.write(out)
}

const MARKS: &str = "\
The line is the walk: dark blue at its first move, purple, pink, orange at its last. White dots: the agent stepped
back to the cell it had just left. Blue square: start; pink diamond: goal. Pale blue: expanded at least once.";
