//! Makes runs: many at once, or one at a time where time is taken.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fleetfoot::registry::Resources;
use fleetfoot::{Kind, Length, NodeId, Scratch, shortest_path};
use fleetfoot_sim::budget::thread_nanos;
use fleetfoot_sim::episode::{Runner, Terms, Tick, Trip, Watch};
use fleetfoot_sim::world::World;

use super::desk::Desk;
use super::job::Job;
use super::journal::{Journal, write_line};
use super::plan::Plan;
use super::row::{Known, Life, OWN_CORE, Row};
use super::stage::Stages;
use super::texts::Texts;
use super::{LabError, Watch as Watcher};

/// A timed run that did not have its core to itself is made again, up to so many times in all.
const TRIES: usize = 3;

/// Where the time of all threads went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// From the first run to the last, on the wall.
    pub wall: Duration,
    /// In planners.
    pub planning: Duration,
    /// In lives: planners, also while they are built, worlds that change, sensors, the referee.
    pub living: Duration,
    /// All of it: lives, worlds made, shortest paths, and the laboratory itself.
    pub busy: Duration,
    /// In making worlds and in A* on their problems, which every problem needs once.
    pub preparing: Duration,
}

impl Times {
    /// What the laboratory itself takes, as a share of planning: everything but lives, worlds and shortest paths.
    pub fn overhead(&self) -> f64 {
        let own = self.busy.saturating_sub(self.living + self.preparing);
        own.as_secs_f64() / self.planning.as_secs_f64().max(1e-9)
    }
}

#[derive(Default)]
struct Clocks {
    planning: AtomicU64,
    living: AtomicU64,
    preparing: AtomicU64,
    busy: AtomicU64,
}

impl Clocks {
    fn add(clock: &AtomicU64, since: Instant) {
        clock.fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}

/// Makes the runs with these numbers and adds their rows to the journal.
pub(super) fn make(
    plan: &Plan,
    pending: &[usize],
    threads: usize,
    journal: Journal,
    watch: &dyn Watcher,
) -> Result<(Vec<Row>, Times), LabError> {
    let (jobs, keys) = (plan.jobs(), plan.keys());
    let begin = Instant::now();
    let clocks = Clocks::default();
    let desk = Desk::new(pending.len());
    // Those whose time is taken come after all others, one at a time.
    let (timed, free): (Vec<usize>, Vec<usize>) = pending.iter().partition(|index| jobs[**index].is_timed());
    thread::scope(|scope| {
        let _open = desk.open();
        scope.spawn(|| desk.write(journal));
        for (pending, threads) in [(free, threads), (timed, 1)] {
            let stages = Stages::new(jobs, &pending);
            let next = AtomicUsize::new(0);
            let work = || {
                let (mut runner, mut texts, mut line) = (Runner::new(), Texts::default(), Vec::new());
                while let Some(&index) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begin = Instant::now();
                    let run = (index, keys[index].as_str());
                    let row = life(&jobs[index], run, &stages, &mut runner, &mut texts, &clocks);
                    if let Ok(row) = &row {
                        write_line(row, &mut line);
                    }
                    let goes_on = desk.take(index, row, &line);
                    Clocks::add(&clocks.busy, begin);
                    watch.one_more();
                    if !goes_on {
                        next.store(pending.len(), Ordering::Relaxed);
                    }
                }
            };
            thread::scope(|scope| {
                for _ in 1..threads.min(pending.len()) {
                    scope.spawn(work);
                }
                work();
            });
        }
    });
    let rows = desk.clear()?;
    let duration = |clock: &AtomicU64| Duration::from_nanos(clock.load(Ordering::Relaxed));
    let Clocks { planning, living, preparing, busy } = &clocks;
    let (planning, living) = (duration(planning), duration(living));
    let (preparing, busy) = (duration(preparing), duration(busy));
    Ok((rows, Times { wall: begin.elapsed(), planning, living, busy, preparing }))
}

fn life(
    job: &Job,
    (index, key): (usize, &str),
    stages: &Stages<'_>,
    runner: &mut Runner,
    texts: &mut Texts,
    clocks: &Clocks,
) -> Result<Row, LabError> {
    let begin = Instant::now();
    let (ground, known) = stages.enter(index, runner)?;
    let (resources, preparation) = ground.prepare(job)?;
    Clocks::add(&clocks.preparing, begin);
    let world = &ground.world;
    let trip = Trip::new(world, job.problem.start, job.problem.goal)
        .map_err(|error| error.with_file(job.place.map.to_string()))?;
    if job.is_timed() {
        // Memory that is touched for the first time is not the planner's slowness.
        lived(job, (world, &resources, known), &trip, runner, clocks)?;
    }
    let tries = if job.is_timed() { TRIES } else { 1 };
    let mut best: Option<(Life, f64)> = None;
    for _ in 0..tries {
        let (life, share) = lived(job, (world, &resources, known), &trip, runner, clocks)?;
        if best.as_ref().is_none_or(|(_, other)| share > *other) {
            best = Some((life, share));
        }
        if share >= OWN_CORE {
            break;
        }
    }
    let (life, share) = best.expect("there is at least one try");
    let begin = Instant::now();
    let links = job.watched.then(|| ground.links(&job.spec, &resources, runner.scratch())).flatten();
    Clocks::add(&clocks.preparing, begin);
    let core_share = job.is_timed().then_some((share * 1e4).round() / 1e4);
    Ok(Row::new((index, key), job, texts.of(job), known, &Life { core_share, preparation, links, ..life }))
}

/// One life, and for how much of it its thread was on a core.
fn lived(
    job: &Job,
    (world, resources, known): (&World, &Resources, Known),
    trip: &Trip<'_>,
    runner: &mut Runner,
    clocks: &Clocks,
) -> Result<(Life, f64), LabError> {
    let refuse = |error: &dyn std::fmt::Display| LabError::Foul(format!("{job}: {error}"));
    let begin = Instant::now();
    let mut planner = job.spec.build_with(world.graph(), resources).map_err(|error| refuse(&error))?;
    let patience = || world.patience(job.spec.facts().complete);
    let terms = Terms {
        budget: job.budget,
        prices: job.prices.prices(),
        max_steps: Some(job.max_steps.unwrap_or_else(patience)),
    };
    let (started, on_core) = (Instant::now(), thread_nanos());
    let (mut working, mut walk) = (0, Walk::default());
    let mut note = |tick: &Tick| {
        let works = tick.work[Kind::Expand] > 0;
        working += u64::from(works);
        if job.watched {
            walk.note(tick, works);
        }
    };
    let watch = Watch { ticks: Some(&mut note), ..Watch::default() };
    let run = runner.run_watched(trip, &terms, &mut *planner, watch).map_err(|foul| refuse(&foul))?;
    let share = (thread_nanos() - on_core) as f64 / started.elapsed().as_nanos().max(1) as f64;
    clocks.planning.fetch_add(run.plan_ns_total, Ordering::Relaxed);
    planner.release(runner.scratch());
    Clocks::add(&clocks.living, begin);
    let begin = Instant::now();
    let strayed = job.watched.then(|| walk.strayed(trip, known, runner.scratch()));
    Clocks::add(&clocks.preparing, begin);
    let life = Life { run, working, strayed, core_share: None, preparation: None, links: None };
    Ok((life, share.min(1.0)))
}

/// Where the agent was when its last search ended.
#[derive(Default)]
struct Walk {
    at: Option<NodeId>,
}

impl Walk {
    fn note(&mut self, tick: &Tick, works: bool) {
        if works {
            self.at = Some(tick.at);
        }
    }

    /// Whether no shortest path leads by there: the way to there and the way from there are longer than one.
    fn strayed(&self, trip: &Trip<'_>, known: Known, scratch: &mut Scratch) -> bool {
        let grid = trip.world().truth();
        let (Some(at), Some(optimal)) = (self.at, known.optimal) else { return false };
        let mut length = |from: NodeId, to: NodeId| {
            let (path, _) = shortest_path(grid, from, to, scratch)?;
            let steps = path.windows(2).map(|step| grid.length(step[0], step[1]));
            Some(steps.fold(Length::ZERO, |sum, step| sum + step))
        };
        let ways = (length(trip.start(), at), length(at, trip.goal()));
        let (Some(to), Some(from)) = ways else { return false };
        let diagonal = grid.rules().diagonal;
        (to + from).value(diagonal) > optimal.value(diagonal) + 1e-6
    }
}
