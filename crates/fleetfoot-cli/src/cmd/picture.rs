//! `fleetfoot run --picture` and `--learned`: walks, or the values learned on them, side by side, with a legend.

use std::io::{self, Write};
use std::path::Path;

use fleetfoot::{Decision, Length};
use fleetfoot_lab::run::Problem;
use fleetfoot_sim::episode::{Runner, StepRecord, Task, Watch};
use fleetfoot_sim::formats::write_atomically;
use fleetfoot_sim::metrics::{Outcome, RunMetrics};
use fleetfoot_view::picture::walks::{self, Picture, Walk, WalkRecorder};

use crate::batch::{Batch, Entry};
use crate::failure::Failure;
use crate::output::columns::{Columns, whole};

/// Maximum number of panels. More would be too small.
const MOST: usize = 4;

/// The subject of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Walks,
    Learned,
}

/// Repeats the walks of the first problem with each planner and budget, draws them, and returns the legend.
///
/// With a budget of time these walks differ from those of the table, so the legend has their own numbers.
pub(super) fn run(batch: &Batch<'_>, file: &Path, subject: Subject) -> Result<String, Failure> {
    let (world, map) = (batch.world(), batch.source.map());
    let trip = &batch.job(0, 0).trip(world)?;
    let ends = (trip.start(), trip.goal());
    let mut runner = Runner::new();
    let optimal = runner.optimal(trip);
    let way = initial_shortest_path(trip, &mut runner);
    let (mut drawn, mut runs) = (Vec::new(), Vec::new());
    if subject == Subject::Learned {
        // The initial values of every agent.
        drawn.push(WalkRecorder::new(world.truth()).finish(ends, &[]));
    }
    for entry in 0..batch.entries.len().min(MOST - drawn.len()) {
        let mut scribe = WalkRecorder::new(world.truth());
        let mut moves = Vec::new();
        let mut note = |tick: &StepRecord| {
            if let Decision::Go(to) = tick.decision {
                moves.push((tick.tick, to));
            }
        };
        let watch = Watch { probe: Some(&mut scribe), ticks: Some(&mut note) };
        let job = batch.job(entry, 0);
        let mut planner = batch.ground.planner(job)?;
        let run = runner.run_watched(trip, &job.terms(world), &mut *planner, watch);
        runs.push(run.map_err(|foul| Failure::RuleViolation(format!("{job}: {foul}")))?);
        planner.release(runner.scratch());
        let mut walk = scribe.finish(ends, &moves);
        walk.note_changes(world, way.clone());
        drawn.push(walk);
    }
    let problem = batch.tasks.list[0].problem;
    let pair = (problem.start, problem.goal);
    let unit = world.truth().unit();
    let highest = drawn.iter().map(Walk::highest).max().unwrap_or(0);
    let band = band(highest / unit.max(1));
    let Picture { canvas, places } = match subject {
        Subject::Walks => walks::draw(map, &drawn, pair),
        Subject::Learned => walks::draw_values(map, &drawn, pair, band * unit),
    };
    write_atomically(file, |out| canvas.write(out))?;
    let mut text = Vec::new();
    legend(batch, file, (&runs, optimal), &places[drawn.len() - runs.len()..], &mut text)?;
    match subject {
        Subject::Walks => {
            writeln!(text, "\n{MARKS}")?;
            let changes = Walk::describe_changes(&drawn);
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

/// Returns the shortest path in the first tick if the world changes, otherwise an empty one.
fn initial_shortest_path(trip: &Task<'_>, runner: &mut Runner) -> Vec<(u32, u32)> {
    let world = trip.world();
    let way = if world.is_dynamic() { trip.initial_shortest_path(runner.scratch()) } else { None };
    way.into_iter().flatten().map(|node| world.truth().xy(node)).collect()
}

/// Returns a width that makes about a dozen bands.
fn band(highest: u32) -> u32 {
    let wanted = (highest / 12).max(1);
    [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|width| *width >= wanted).unwrap_or(1000)
}

fn legend(
    batch: &Batch<'_>,
    file: &Path,
    (runs, optimal): (&[RunMetrics], Option<Length>),
    places: &[&str],
    out: &mut dyn Write,
) -> io::Result<()> {
    let Problem { index, start: (sx, sy), goal: (gx, gy) } = batch.tasks.list[0].problem;
    writeln!(out, "{}: problem {index}, from {sx},{sy} to {gx},{gy}", file.display())?;
    for (what, all, shown) in [
        ("problems", batch.tasks.list.len(), 1),
        ("combinations of planner and budget", batch.entries.len(), runs.len()),
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
    let diagonal = batch.world().truth().rules().diagonal;
    for (k, (run, Entry { spec, budget })) in runs.iter().zip(&batch.entries).enumerate() {
        let ratio = optimal.filter(|_| run.outcome == Outcome::Arrived);
        let ratio = ratio.map(|length| run.ratio(length, diagonal));
        columns.push(vec![
            places[k].into(),
            spec.to_string(),
            budget.to_string(),
            run.outcome.name().into(),
            whole(run.moves),
            whole(run.waits),
            whole(run.first_move),
            ratio.map_or("-".into(), |ratio| format!("{ratio:.4}")),
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
