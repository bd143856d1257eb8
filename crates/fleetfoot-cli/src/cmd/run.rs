//! `fleetfoot run`: planners on problems.

mod suited;

use std::path::Path;
use std::sync::Arc;

use fleetfoot::registry;
use fleetfoot::{Diagonal, Neighbours, Prices, Rules};
use fleetfoot_lab::places::rules_text;
use fleetfoot_sim::budget::{Budget, monotonic_nanos, thread_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::{Terrain, WorldSpec};
use indicatif::{ProgressBar, ProgressStyle};

use self::suited::{check_trend, planners};
use super::database;
use super::picture::{self, Subject};
use super::replay;
use crate::args::{ClockArg, DiagonalArg, Format, LimitArgs, MovesArg, PricesArg, RulesArgs, RunArgs};
use crate::batch::{Batch, Entry};
use crate::failure::{Failure, warn};
use crate::output::columns::whole;
use crate::output::{Report, print};
use crate::parallel::cores;
use crate::problems::Tasks;
use crate::row::Row;
use crate::source::Source;

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    args.output.check()?;
    args.output.replay.as_deref().map_or(Ok(false), replay::is_bare)?;
    let budgets = args.limits.budgets()?;
    let planners = planners(args, &budgets)?;
    let source = Source::open(&args.map)?;
    let tasks = Tasks::choose(&args.problems, &source, &args.world.world)?;
    args.output.spare([Some(Path::new(&source.name)), tasks.file.as_deref(), args.world.world.script()])?;
    database::files(&planners).try_for_each(|file| args.output.spare([Some(file.as_path())]))?;
    let place = |error: InputError| error.with_file(&source.name);
    let mut grid = args.world.rules.terrain.grid(&source.map, args.world.rules.rules()).map_err(place)?;
    if planners.iter().any(|spec| spec.facts().corners) {
        grid.index_corners();
    }
    let grid = Arc::new(grid);
    let world = args.world.world.load(&grid, args.world.rules.terrain.weights())?;
    check_trend(args, &planners, &world)?;
    let batch = Batch {
        map: &source.name,
        tasks: &tasks,
        world: &world,
        world_name: args.world.world.to_string(),
        rules: rules_text(args.world.rules.rules(), args.world.rules.terrain),
        entries: Entry::all(&planners, &budgets),
        prices: args.limits.prices(),
        max_steps: args.limits.max_steps,
        trials: args.trials,
        threads: args.threads.map_or_else(cores, |n| usize::try_from(n).unwrap_or(usize::MAX).min(1024)),
        build: registry::build_embedded_with,
        resources: database::resources(&planners, world.graph())?,
        until: None,
    };
    if args.planners.is_empty() && args.output.format() != Format::Table {
        warn("note", default_note(&args.world.world));
    }
    // First, so that a life which no replay can hold is told of at once.
    let replay = match &args.output.replay {
        Some(file) => replay::record(&batch, &source, file, args.output.thinning())?,
        None => None,
    };
    let rows = batch.run(&progress())?;
    warn_of_other_lengths(args, &batch, &rows);
    let report = Report {
        batch: &batch,
        rows: &rows,
        heading: heading(args, &source, &tasks),
        notes: notes(args, &batch),
    };
    args.output.write(&report)?;
    if let Some(file) = &args.output.output {
        warn("note", format!("wrote {} runs to {}", rows.len(), file.display()));
    }
    let pictures = [(&args.output.picture, Subject::Walks), (&args.output.learned, Subject::Learned)];
    for (file, subject) in pictures {
        file.as_ref().map_or(Ok(()), |file| draw(args, &batch, &source, file, subject))?;
    }
    if let Some(replay) = replay {
        tell(args, &replay.write()?)?;
    }
    Ok(())
}

/// Draws the walks, and tells what is to be seen: where nothing else is told, or between the lines for people.
fn draw(
    args: &RunArgs,
    batch: &Batch<'_>,
    source: &Source,
    file: &Path,
    subject: Subject,
) -> Result<(), Failure> {
    tell(args, &picture::run(batch, source, file, subject)?)
}

/// Says what a picture or replay shows, out of the way of rows for programs.
fn tell(args: &RunArgs, legend: &str) -> Result<(), Failure> {
    if args.output.prints_rows() {
        warn("note", legend.trim_end());
        return Ok(());
    }
    let is_below_table = args.output.output.is_none();
    print(|out| write!(out, "{}{legend}", if is_below_table { "\n" } else { "" }))
}

/// A bar on a terminal, nothing elsewhere.
fn progress() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len}, {elapsed} gone, {eta} to go");
    ProgressBar::no_length().with_style(style.expect("the template is well formed"))
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

    fn prices(&self) -> Prices {
        match self.prices {
            PricesArg::Papers => Prices::PAPERS,
            PricesArg::Expansions => Prices::EXPANSIONS,
            PricesArg::Honest => Prices::HONEST,
        }
    }
}

impl RulesArgs {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            neighbours: match self.moves {
                MovesArg::Four => Neighbours::Four,
                MovesArg::Eight => Neighbours::Eight,
            },
            cut_corners: self.cut_corners,
            diagonal: match self.diagonal {
                DiagonalArg::Sqrt2 => Diagonal::Sqrt2,
                DiagonalArg::D14 => Diagonal::D14,
                DiagonalArg::D15 => Diagonal::D15,
            },
        }
    }

    /// Whether lengths mean what they mean in scenarios.
    fn is_standard(&self) -> bool {
        self.rules() == Rules::default() && self.terrain == Terrain::default()
    }
}

/// Tells once if the scenario states other optimal lengths than we find.
fn warn_of_other_lengths(args: &RunArgs, batch: &Batch<'_>, rows: &[Row]) {
    if !args.world.rules.is_standard() {
        return;
    }
    let differs = |row: &&Row| {
        let ours = row.optimal.map_or(f64::INFINITY, |length| length.value(Diagonal::Sqrt2));
        let stated = batch.tasks.list[row.task].stated;
        stated.is_some_and(|(_, stated)| (ours - stated).abs() > 1e-5 * ours.max(stated).min(f64::MAX))
    };
    let is_first = |row: &&Row| row.entry == 0 && row.trial.is_none_or(|trial| trial.number == 1);
    let mut others = rows.iter().filter(is_first).filter(differs);
    let Some(first) = others.next() else { return };
    let (Some(file), Some((line, stated))) = (&batch.tasks.file, batch.tasks.list[first.task].stated) else {
        return;
    };
    let ours = first.optimal.map_or("no path".into(), |length| length.value(Diagonal::Sqrt2).to_string());
    let more = match others.count() {
        0 => String::new(),
        1 => "; 1 more problem differs too".into(),
        n => format!("; {n} more problems differ too"),
    };
    let text =
        format!("{}:{line}: the stated optimal length is {stated}, ours is {ours}{more}", file.display());
    warn("warning", text);
}

/// What was run, in two lines.
fn heading(args: &RunArgs, source: &Source, tasks: &Tasks) -> String {
    let map = &source.map;
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
    match args.limits.prices {
        PricesArg::Papers => {}
        PricesArg::Expansions => rules.push("key refreshes free".into()),
        PricesArg::Honest => rules.push("honest prices".into()),
    }
    let (width, height) = (map.width(), map.height());
    let map = format!("{}: {width}x{height}, {free} free cells; {}", source.name, tasks.about);
    let mut lines = vec![map, rules.join(", ")];
    if args.planners.is_empty() {
        lines.push(default_note(&args.world.world));
    }
    lines.join("\n")
}

/// Who runs because nobody was named.
fn default_note(world: &WorldSpec) -> String {
    let kind = match world {
        WorldSpec::Known => "a known world",
        WorldSpec::Unknown { .. } | WorldSpec::Partial { .. } => "a world that has to be discovered",
        WorldSpec::Dynamic { .. } => "a world that changes",
    };
    format!("no --planner named: {}, the default for {kind}", world.default_planner())
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
    if batch.threads > 1 {
        let text =
            format!("Times were taken with {} runs at once; --threads 1 gives steadier ones.", batch.threads);
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
