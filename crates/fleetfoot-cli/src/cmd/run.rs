//! `fleetfoot run`: planners on problems.

mod suited;

use std::path::Path;

use fleetfoot::planners::{Auto, CostChanges};
use fleetfoot::{Diagonal, Neighborhood, Rules};
use fleetfoot_lab::places::{Files, Place, Scene};
use fleetfoot_lab::run::Row;
use fleetfoot_sim::budget::{Budget, describe, monotonic_nanos, thread_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::Terrain;

use self::suited::{check_trend, note_hopeless, planners};
use super::database;
use super::picture::{self, Subject};
use super::progress::Progress;
use super::replay;
use crate::args::{ClockArg, DiagonalArg, Format, LimitArgs, MovesArg, RulesArgs, RunArgs, threads};
use crate::batch::{Batch, Entry, SharedOptions};
use crate::failure::{Failure, warn};
use crate::output::columns::whole;
use crate::output::{Results, print};
use crate::problems::ProblemSet;
use crate::source::Source;

/// Printed if no planner is named.
const DEFAULT_NOTE: &str = "no --planner named: auto, which takes what suits the map";

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    args.output.check()?;
    let is_bare = args.output.replay.as_deref().map_or(Ok(false), replay::is_bare)?;
    if is_bare && args.output.story {
        let what = "--story is for a page, and a bare record is to be written";
        return Err(InputError::new(what, "name a file that ends in .html").into());
    }
    let budgets = args.limits.budgets()?;
    let planners = planners(args, &budgets)?;
    let source = Source::open(&args.map)?;
    let mut tasks = ProblemSet::choose(&args.problems, &source, &args.world.world)?;
    let read = [Some(Path::new(&source.name)), tasks.file.as_deref(), args.world.world.script()];
    args.output.spare(read.into_iter().flatten())?;
    args.output.spare(database::files(&planners))?;
    args.output.check_names()?;
    let place = Place {
        map: source.origin.clone(),
        rules: args.world.rules.rules(),
        terrain: args.world.rules.terrain,
        scene: Scene::of(args.world.world.clone(), &Files::at(Path::new("")))?,
    };
    let world = place.world_on(&source.made)?;
    check_trend(args, &planners, &world)?;
    note_hopeless(args, &planners, &world, &mut tasks);
    database::check(&planners)?;
    let common = SharedOptions {
        prices: args.limits.prices,
        max_steps: args.limits.max_ticks,
        trials: args.trials,
        threads: threads(args.threads),
        seed: args.problems.seed,
    };
    let batch = Batch::new((&source, &tasks), (place, world), Entry::all(&planners, &budgets), common)?;
    batch.check()?;
    database::tell(&planners, &batch.ground);
    if args.planners.is_empty() && args.output.format() != Format::Table {
        warn("note", DEFAULT_NOTE);
    }
    // Made first, so that a run that no replay can hold is reported immediately.
    let replay = match &args.output.replay {
        Some(file) => Some(replay::record(&batch, file, args.output.thinning(), args.output.story)?),
        None => None,
    };
    let rows = batch.run(None, &Progress::new("runs"))?;
    warn_of_other_lengths(args, &batch, &rows);
    let results = Results {
        batch: &batch,
        rows: &rows,
        heading: heading(args, &source, &tasks, &budgets) + &auto_choices(args, &batch, &budgets),
        notes: notes(args, &batch),
    };
    args.output.write(&results)?;
    if let Some(file) = &args.output.output {
        warn("note", format!("wrote {} runs to {}", rows.len(), file.display()));
    }
    let pictures = [(&args.output.picture, Subject::Walks), (&args.output.learned, Subject::Learned)];
    for (file, subject) in pictures {
        file.as_ref().map_or(Ok(()), |file| draw(args, &batch, file, subject))?;
    }
    if let Some(replay) = replay {
        tell(args, &replay.write()?)?;
    }
    Ok(())
}

/// Draws the picture and prints its legend: to stderr if rows go to stdout, otherwise below the table.
fn draw(args: &RunArgs, batch: &Batch<'_>, file: &Path, subject: Subject) -> Result<(), Failure> {
    tell(args, &picture::run(batch, file, subject)?)
}

/// Prints the legend of a picture or replay, separate from rows for programs.
fn tell(args: &RunArgs, legend: &str) -> Result<(), Failure> {
    if args.output.prints_rows() {
        warn("note", legend.trim_end());
        return Ok(());
    }
    let is_below_table = args.output.output.is_none();
    print(|out| write!(out, "{}{legend}", if is_below_table { "\n" } else { "" }))
}

impl LimitArgs {
    fn budgets(&self) -> Result<Vec<Budget>, InputError> {
        if self.interval.is_empty() {
            return Ok(self.budget.clone());
        }
        let clock = match self.clock {
            ClockArg::Wall => monotonic_nanos,
            ClockArg::Cpu => thread_nanos,
        };
        self.interval.iter().map(|text| Budget::interval(text, clock)).collect()
    }
}

impl RulesArgs {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            neighborhood: match self.moves {
                MovesArg::Four => Neighborhood::Four,
                MovesArg::Eight => Neighborhood::Eight,
            },
            cut_corners: self.cut_corners,
            diagonal: match self.diagonal {
                DiagonalArg::Sqrt2 => Diagonal::Sqrt2,
                DiagonalArg::D14 => Diagonal::D14,
                DiagonalArg::D15 => Diagonal::D15,
            },
        }
    }

    /// Returns `true` if lengths have the same meaning as in scenarios.
    fn is_standard(&self) -> bool {
        self.rules() == Rules::default() && self.terrain == Terrain::default()
    }
}

/// Warns once if the scenario's optimal lengths differ from ours.
fn warn_of_other_lengths(args: &RunArgs, batch: &Batch<'_>, rows: &[Row]) {
    if !args.world.rules.is_standard() {
        return;
    }
    let differs = |row: &&Row| {
        let ours = row.optimal.unwrap_or(f64::INFINITY);
        let stated = batch.tasks.list[batch.task(row)].stated;
        stated.is_some_and(|(_, stated)| (ours - stated).abs() > 1e-5 * ours.max(stated).min(f64::MAX))
    };
    let is_first = |row: &&Row| batch.entry(row) == 0 && row.trial.is_none_or(|trial| trial == 1);
    let mut others = rows.iter().filter(is_first).filter(differs);
    let Some(first) = others.next() else { return };
    let (Some(file), Some((line, stated))) = (&batch.tasks.file, batch.tasks.list[batch.task(first)].stated)
    else {
        return;
    };
    let ours = first.optimal.map_or("no path".into(), |length| length.to_string());
    let more = match others.count() {
        0 => String::new(),
        1 => "; 1 more problem differs too".into(),
        n => format!("; {n} more problems differ too"),
    };
    let text =
        format!("{}:{line}: the stated optimal length is {stated}, ours is {ours}{more}", file.display());
    warn("warning", text);
}

/// Returns a description of the runs in three lines: the map with its problems, the world with its rules, and the
/// budget of a tick.
fn heading(args: &RunArgs, source: &Source, tasks: &ProblemSet, budgets: &[Budget]) -> String {
    let map = source.map();
    let free = whole(u64::from(map.passable_count()));
    let mut rules = vec![format!("world {}", args.world.world)];
    match args.world.rules.moves {
        MovesArg::Four => rules.push("4 moves".into()),
        MovesArg::Eight => {
            rules.push(format!("8 moves, diagonals {}", diagonal_name(args.world.rules.diagonal)));
        }
    }
    if args.world.rules.cut_corners {
        rules.push("corners may be cut".into());
    }
    if args.world.rules.terrain != Terrain::default() {
        rules.push(format!("terrain {}", args.world.rules.terrain));
    }
    let (width, height) = (map.width(), map.height());
    let map = format!("{}: {width}x{height}, {free} free cells; {}", source.name, tasks.about);
    let budgets: Vec<String> = budgets.iter().map(Budget::to_string).collect();
    let budgets: Vec<&str> = budgets.iter().map(String::as_str).collect();
    let limits = format!("budget {}", describe(&budgets, &[args.limits.prices]));
    let mut lines = vec![map, rules.join(", "), limits];
    if args.planners.is_empty() {
        lines.push(DEFAULT_NOTE.to_owned());
    }
    lines.join("\n")
}

/// Returns a line for each budget with the choice of `auto` in this world and its reason. Empty without `auto`.
fn auto_choices(args: &RunArgs, batch: &Batch<'_>, budgets: &[Budget]) -> String {
    let is_auto = |entry: &Entry| entry.spec.to_string() == "auto";
    if !batch.entries.iter().any(is_auto) {
        return String::new();
    }
    let world = batch.ground.world();
    let changes = if world.trend().fall {
        CostChanges::Falls
    } else if world.trend().rise || world.sensor().is_some() {
        CostChanges::Rises
    } else {
        CostChanges::None
    };
    let choice = |budget: &Budget| {
        let meter = budget.meter(args.limits.prices.prices());
        let (key, why) = Auto::explain(world.graph(), changes, &meter);
        format!("\nauto -> {key}: {why}, budget {budget}")
    };
    budgets.iter().map(choice).collect()
}

fn diagonal_name(diagonal: DiagonalArg) -> &'static str {
    match diagonal {
        DiagonalArg::Sqrt2 => "√2",
        DiagonalArg::D14 => "1.4",
        DiagonalArg::D15 => "1.5",
    }
}

fn notes(args: &RunArgs, batch: &Batch<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if batch.common.threads > 1 {
        let text = format!(
            "Times were taken with {} runs at once; --threads 1 gives steadier ones.",
            batch.common.threads
        );
        notes.push(text);
    }
    if cfg!(debug_assertions) {
        notes.push("This is a debug build: build with --release for true times.".into());
    }
    if !args.limits.interval.is_empty() {
        let clock = if matches!(args.limits.clock, ClockArg::Wall) { "wall" } else { "processor" };
        notes.push(format!(
            "A budget of time ({clock} clock) gives other walks on other machines. overruns: steps that took longer."
        ));
    }
    notes
}
