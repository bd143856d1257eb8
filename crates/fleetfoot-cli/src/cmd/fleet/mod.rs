//! `fleetfoot fleet`: units on one map.

mod output;
mod plots;

use std::path::{Path, PathBuf};

use fleetfoot::{Neighborhood, Rules};
use fleetfoot_lab::run::Watch;
use fleetfoot_sim::budget::{Budget, monotonic_nanos};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::fleet::{FleetLimits, FleetRun, FleetSetup, Ground, Measures};
use fleetfoot_sim::formats::write_atomically;
use fleetfoot_view::fleet::{FleetRecorder, FleetScene};
use fleetfoot_view::html;

use self::output::{Report, csv};
use super::progress::Progress;
use super::replay::is_bare;
use crate::args::{FleetArgs, FleetFormat, MovesArg};
use crate::failure::{Failure, warn};
use crate::output::columns::{self, whole};
use crate::output::{check_files, check_folder, print, refuse_overwriting_inputs, require_distinct};
use crate::source::Source;

/// Default number of ticks: of runs that end by themselves, and of others.
const TICKS: [u64; 2] = [5000, 1000];

pub(crate) fn run(args: &FleetArgs) -> Result<(), Failure> {
    args.check()?;
    let threads = usize::try_from(args.threads).unwrap_or(usize::MAX);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| InputError::new(format!("--threads {threads}: {error}"), "take fewer"))?;
    pool.install(|| live(args))
}

fn live(args: &FleetArgs) -> Result<(), Failure> {
    let map = args.map.clone().unwrap_or_else(|| PathBuf::from(args.scenario.default_map()));
    let source = Source::open(&map)?;
    args.spare(&map)?;
    let neighborhood = match args.moves {
        MovesArg::Four => Neighborhood::Four,
        MovesArg::Eight => Neighborhood::Eight,
    };
    let ground = Ground::load(source.map(), Rules { neighborhood, ..Rules::default() }, &args.world)?;
    let muster = args.muster(&source)?;
    let terms = args.terms(&muster)?;
    let mut run = FleetRun::new(&ground, &muster, &terms)?;
    let progress = Progress::new("ticks");
    let mut recorder = args.replay.as_ref().map(|_| args.recorder(&source, &run, terms.budget));
    progress.begin(usize::try_from(terms.ticks).unwrap_or(usize::MAX), 0);
    while let Some(row) = run.tick() {
        if let Some(recorder) = &mut recorder {
            recorder.note(&run, &row);
        }
        progress.one_more();
    }
    progress.end();
    let measures = run.measures();
    let report = Report { args, source: &source, measures: &measures, budget: terms.budget };
    if let (Some(file), Some(recorder)) = (&args.replay, recorder) {
        write_replay(file, recorder)?;
    }
    let write = |out: &mut dyn std::io::Write| match args.format() {
        FleetFormat::Table => report.table(out),
        FleetFormat::Json => report.json(out),
    };
    match &args.output {
        Some(path) => write_atomically(path, write)?,
        None => print(write)?,
    }
    if let Some(path) = &args.csv {
        write_atomically(path, |out| csv(run.rows(), out))?;
    }
    if let Some(folder) = &args.plots {
        plots::write(folder, &source.name, run.rows(), terms.budget)?;
    }
    judge(args, &measures, terms.budget)
}

fn write_replay(file: &Path, recorder: FleetRecorder) -> Result<(), Failure> {
    let is_full = recorder.is_full();
    let record = recorder.finish();
    let bytes = if is_bare(file)? { record.to_bytes() } else { html::fleet_page(&record).into_bytes() };
    write_atomically(file, |out| out.write_all(&bytes))?;
    let (ticks, size) = (whole(record.meta().ticks), columns::bytes(bytes.len() as f64));
    let cut = if is_full { "; later ones do not fit a page" } else { "" };
    warn("note", format!("{}: {ticks} ticks, {size}{cut}", file.display()));
    Ok(())
}

/// Returns an error if a rule was broken.
fn judge(args: &FleetArgs, measures: &Measures, budget: Budget) -> Result<(), Failure> {
    if let Some(limit) = budget.expansions().filter(|limit| measures.work_max > *limit) {
        warn("warning", format!("a tick took {} work units, the budget is {limit}", measures.work_max));
    }
    let found = measures.conflicts;
    let (fouls, what) = if args.no_collisions {
        (found.no_move, "moves that the map does not have")
    } else {
        (found.total(), "conflicts")
    };
    if fouls == 0 {
        return Ok(());
    }
    Err(Failure::RuleViolation(format!(
        "the referee counted {fouls} {what}: {} moves that the map does not have, {} units on another's cell, {} exchanges, {} crossings",
        found.no_move, found.shared, found.exchanged, found.crossed
    )))
}

impl FleetArgs {
    fn outputs(&self) -> impl Iterator<Item = &PathBuf> + Clone {
        [&self.output, &self.csv, &self.replay].into_iter().flatten()
    }

    /// Checks that all files can be written before any work is done.
    fn check(&self) -> Result<(), InputError> {
        check_files(self.outputs())?;
        if let Some(folder) = &self.plots {
            check_folder(folder)?;
            require_distinct(self.outputs().cloned().chain(plots::files(folder)))?;
        }
        self.replay.as_deref().map_or(Ok(()), |file| is_bare(file).map(drop))
    }

    /// Refuses to overwrite inputs.
    fn spare(&self, map: &Path) -> Result<(), InputError> {
        let read = [Some(map), self.scen.as_deref(), self.world.script()];
        let lists = self.lifelong.iter().map(PathBuf::as_path);
        refuse_overwriting_inputs(self.outputs(), read.into_iter().flatten().chain(lists))
    }

    fn recorder(&self, source: &Source, run: &FleetRun<'_>, budget: Budget) -> FleetRecorder {
        let rules = if matches!(self.moves, MovesArg::Four) { "4 moves" } else { "8 moves" };
        let scene = FleetScene {
            map_name: &source.name,
            map: source.map(),
            world: &self.world.to_string(),
            rules,
            fleet: &self.errand(),
            budget: &budget.to_string(),
        };
        FleetRecorder::new(&scene, run)
    }

    /// Describes the task of the units.
    fn errand(&self) -> String {
        match (&self.lifelong[..], &self.scen) {
            ([agents, tasks, ..], _) => format!("tasks of {} for {}", tasks.display(), agents.display()),
            (_, Some(scen)) => scen.display().to_string(),
            _ => format!("scenario {}, seed {}", self.scenario, self.seed),
        }
    }

    fn format(&self) -> FleetFormat {
        let ending = self.output.as_deref().and_then(Path::extension);
        let by_name = if ending.is_some_and(|ending| ending == "json") {
            FleetFormat::Json
        } else {
            FleetFormat::Table
        };
        self.format.unwrap_or(by_name)
    }

    fn muster(&self, source: &Source) -> Result<FleetSetup, InputError> {
        let most = self.agents.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        match (&self.lifelong[..], &self.scen) {
            ([agents, tasks, ..], _) => FleetSetup::from_lists(source.map(), agents, tasks, most),
            (_, Some(scen)) => FleetSetup::from_scen(source.map(), &source.file_name(), scen, most),
            _ => {
                let units = most.unwrap_or(self.scenario.usual_units());
                self.scenario.muster(source.map(), units, self.seed)
            }
        }
    }

    fn terms(&self, muster: &FleetSetup) -> Result<FleetLimits, InputError> {
        let budget = match &self.interval {
            Some(text) => Budget::interval(text, monotonic_nanos)?,
            None => self.budget,
        };
        let ticks = self.max_ticks.unwrap_or(TICKS[usize::from(!muster.ends())]);
        let (share, collisions) = (!self.no_share, !self.no_collisions);
        Ok(FleetLimits { budget, ticks, share, collisions, seed: self.seed })
    }
}
