//! A cache of worlds: made by the first run in them, shared by all, dropped after the last.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fleetfoot::database::{KnnBuildInfo, KnnBuilder, KnnConfig};
use fleetfoot::registry::{self, BoxedPlanner, BuildError, Resource, Resources, Spec};
use fleetfoot::{Grid, Scratch};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::episode::{RunLimits, Runner, Task};
use fleetfoot_sim::formats::database::read_database;
use fleetfoot_sim::metrics::Outcome;
use fleetfoot_sim::world::World;

use super::LabError;
use super::job::Job;
use super::links::Links;
use super::row::Known;
use crate::places::Place;

/// The world of an environment, with the data that planners need of it in advance, computed once.
#[derive(Debug)]
pub struct Ground {
    place: Arc<Place>,
    world: World,
    prepared: Mutex<Prepared>,
}

#[derive(Debug, Default)]
struct Prepared {
    resources: Resources,
    /// Time of making each planner's resources.
    times: Vec<(Spec, Duration)>,
}

/// The function that builds planners: the registry's, except in tests.
pub(crate) type Build = fn(&Spec, &Grid, &Resources) -> Result<BoxedPlanner<Grid>, BuildError>;

/// The size and time of data computed in advance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preparation {
    /// Size of the data.
    pub(crate) bytes: u64,
    /// Computing time on all cores.
    pub(crate) time: Duration,
}

impl Ground {
    /// Creates it from the world of an environment.
    pub fn new(place: &Arc<Place>, world: World) -> Self {
        Self { place: Arc::clone(place), world, prepared: Mutex::default() }
    }

    /// Returns the world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Creates the planner of a run.
    ///
    /// # Errors
    /// If it needs a file that cannot be used, or does not support the map.
    pub fn planner(&self, job: &Job) -> Result<BoxedPlanner<Grid>, LabError> {
        self.build(job, &self.prepare(job)?.0, Spec::build_with)
    }

    /// Creates the planner of a run from prepared resources.
    pub(crate) fn build(
        &self,
        job: &Job,
        resources: &Resources,
        build: Build,
    ) -> Result<BoxedPlanner<Grid>, LabError> {
        build(&job.spec, self.world.graph(), resources)
            .map_err(|error| LabError::Build(format!("planner {}: {error}", job.spec)))
    }

    /// Returns the resources of a planner. Computes missing ones on all cores.
    ///
    /// # Errors
    /// If it names a file that cannot be used.
    pub(crate) fn prepare(&self, job: &Job) -> Result<(Resources, Option<Preparation>), LabError> {
        let spec = &job.spec;
        let names = Resources::names(spec);
        if names.is_empty() {
            return Ok((Resources::EMPTY, None));
        }
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let Prepared { resources, times } = &mut *prepared;
        if let (Some(name), Some(file)) = (registry::database(spec), &job.database)
            && resources.get(name).is_none()
        {
            file.check()?;
            resources.insert(name, read_database(file.path(), self.world.graph())?);
        }
        let time = times.iter().find(|(other, _)| other == spec).map(|(_, time)| *time);
        let time = time.unwrap_or_else(|| {
            let begin = Instant::now();
            resources.prepare_parallel(spec, self.world.graph());
            times.push((spec.clone(), begin.elapsed()));
            begin.elapsed()
        });
        let sizes = names.iter().filter_map(|name| resources.get(name)).map(Resource::memory_bytes);
        let bytes = sizes.sum::<usize>() as u64;
        Ok((resources.clone(), Some(Preparation { bytes, time })))
    }
}

/// Describes the records that were computed for a planner that names no file.
#[derive(Clone, Copy, Debug)]
pub struct Records {
    /// Number of records.
    pub count: u32,
    /// Percentage of problems with a fitting record.
    pub serve: f64,
    /// Computing time on all cores.
    pub time: Duration,
}

impl Ground {
    /// Returns the records that were computed for a planner. Returns `None` if it has none or names their file.
    pub fn records(&self, spec: &Spec) -> Option<Records> {
        const TRIED: u64 = 200;
        if registry::database(spec).is_some() {
            return None;
        }
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, time) = prepared.times.iter().find(|(other, _)| other == spec)?;
        let names = Resources::names(spec);
        let records = names.iter().find_map(|name| match prepared.resources.get(name) {
            Some(Resource::Knn(records)) => Some(records),
            _ => None,
        })?;
        let KnnBuildInfo { seed, is_exact, .. } = records.origin();
        let builder = KnnBuilder::new(self.world.graph(), KnnConfig { seed, is_exact });
        let served = builder.coverage(records, TRIED);
        Some(Records { count: records.records(), serve: 100.0 * served as f64 / TRIED as f64, time: *time })
    }

    /// Measures how directly a planner's records are climbed. Returns `None` if it has none.
    pub(crate) fn links(&self, spec: &Spec, resources: &Resources, scratch: &mut Scratch) -> Option<Links> {
        let databases = Resources::names(spec);
        let mut records = databases.iter().filter_map(|name| match resources.get(name) {
            Some(Resource::Knn(database)) => Some(database),
            _ => None,
        });
        Some(Links::of(records.next()?, self.world.truth(), scratch))
    }
}

/// A value that is made once, used a known number of times, and then dropped.
#[derive(Debug)]
struct Shared<T> {
    value: Mutex<Option<T>>,
    /// Number of uses that remain.
    left: AtomicUsize,
}

impl<T: Clone> Shared<T> {
    fn new() -> Self {
        Self { value: Mutex::new(None), left: AtomicUsize::new(0) }
    }

    fn expect_one_more(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self, make: impl FnOnce() -> Result<T, LabError>) -> Result<T, LabError> {
        let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        if value.is_none() {
            *value = Some(make()?);
        }
        // The last user takes the value.
        let is_last = self.left.fetch_sub(1, Ordering::Relaxed) == 1;
        let got = if is_last { value.take() } else { value.clone() };
        Ok(got.expect("was just made"))
    }
}

/// The worlds and problems of the pending runs.
#[derive(Debug)]
pub(crate) struct Stages<'p> {
    jobs: &'p [Job],
    /// A world that exists already.
    given: Option<Arc<Ground>>,
    /// By run: the indices of its world and its problem.
    of: Vec<(usize, usize)>,
    worlds: Vec<Shared<Arc<Ground>>>,
    problems: Vec<Shared<Known>>,
}

impl<'p> Stages<'p> {
    /// Creates the cache for the runs with these indices, which are in order.
    pub(crate) fn new(jobs: &'p [Job], pending: &[usize], given: Option<Arc<Ground>>) -> Self {
        let of = vec![(0, 0); jobs.len()];
        let mut stages = Self { jobs, given, of, worlds: Vec::new(), problems: Vec::new() };
        let mut before: Option<&Job> = None;
        for &index in pending {
            let job = &jobs[index];
            if before.is_none_or(|before| !Arc::ptr_eq(&before.place, &job.place)) {
                stages.worlds.push(Shared::new());
            }
            if before.is_none_or(|before| !before.shares_trip(job)) {
                stages.problems.push(Shared::new());
            }
            let (world, problem) = (stages.worlds.len() - 1, stages.problems.len() - 1);
            stages.worlds[world].expect_one_more();
            stages.problems[problem].expect_one_more();
            stages.of[index] = (world, problem);
            before = Some(job);
        }
        stages
    }

    /// Returns the world of a run, and what is known of its problem. Call it once per run.
    pub(crate) fn enter(&self, index: usize, runner: &mut Runner) -> Result<(Arc<Ground>, Known), LabError> {
        let (job, (world, problem)) = (&self.jobs[index], self.of[index]);
        let place = &job.place;
        let given = self.given.as_ref().filter(|ground| Arc::ptr_eq(&ground.place, place));
        let make = || match given {
            Some(ground) => Ok(Arc::clone(ground)),
            None => Ok(Arc::new(Ground::new(place, place.world()?))),
        };
        let ground = self.worlds[world].get(make)?;
        let known = self.problems[problem].get(|| know(job, &ground.world, runner))?;
        Ok((ground, known))
    }
}

/// Runs A* on the problem with a known map, to determine the length and difficulty of the shortest path.
fn know(job: &Job, world: &World, runner: &mut Runner) -> Result<Known, LabError> {
    let trip = job.trip(world)?;
    let still = World::known(&Arc::new(world.truth().clone()));
    let as_known = Task::new(&still, job.problem.start, job.problem.goal);
    // The goal of a changing world may be blocked at first, so nothing is known yet.
    let Ok(as_known) = as_known else { return Ok(Known { optimal: runner.optimal(&trip), astar: None }) };
    let spec: Spec = "astar".parse().expect("a planner");
    let mut astar =
        spec.build(still.graph()).map_err(|error| LabError::RuleViolation(format!("{job}: A*: {error}")))?;
    let run = runner
        .run(&as_known, &RunLimits::new(Budget::Unlimited), &mut *astar)
        .map_err(|foul| LabError::RuleViolation(format!("{job}: A*: {foul}")))?;
    astar.release(runner.scratch());
    let arrived = run.outcome == Outcome::Arrived;
    let optimal = if world.is_dynamic() { runner.optimal(&trip) } else { arrived.then_some(run.cost) };
    Ok(Known { optimal, astar: arrived.then_some((run.expansions, run.moves)) })
}

#[cfg(test)]
mod tests {
    use fleetfoot::Rules;

    use super::*;

    /// Checks that an extended database equals one that was made at once, whatever was made before.
    #[test]
    fn databases_grow_out_of_smaller_ones() {
        let grid = Grid::new(48, 48, Rules::default(), |x, y| u8::from(x % 7 != 3 || y % 5 == 1)).unwrap();
        let provide = |resources: &mut Resources, text: &str| {
            let spec: Spec = text.parse().unwrap();
            resources.prepare_parallel(&spec, &grid);
            let names = Resources::names(&spec);
            let Some(Resource::Knn(records)) = resources.get(&names[0]) else { panic!("{text} has records") };
            records.as_bytes().to_vec()
        };
        let alone = |text: &str| provide(&mut Resources::default(), text);
        let mut shared = Resources::default();
        for text in [
            "records=30",
            "records=90",
            "records=60,seed=2",
            "records=200",
            "records=90,seed=2",
            "records=50",
        ] {
            let text = format!("knn-lrta({text})");
            assert_eq!(provide(&mut shared, &text), alone(&text), "{text}");
        }
        // A file with the name of a computed database is trusted only as far as its own header.
        let file = KnnBuilder::new(&grid, KnnConfig { seed: 9, is_exact: false }).build(10);
        shared.insert("knn-lrta(records=10,seed=3)", Resource::Knn(Arc::new(file)));
        assert_eq!(provide(&mut shared, "knn-lrta(records=20,seed=3)"), alone("knn-lrta(records=20,seed=3)"));
    }
}
