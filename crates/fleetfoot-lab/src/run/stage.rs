//! Worlds while they are needed: made by the first run in them, shared by all, gone after the last.

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

/// The world of a place, and what planners need of it that is made beforehand: once for all of them.
#[derive(Debug)]
pub struct Ground {
    place: Arc<Place>,
    world: World,
    prepared: Mutex<Prepared>,
}

#[derive(Debug, Default)]
struct Prepared {
    resources: Resources,
    /// By planner: what making its resources took.
    times: Vec<(Spec, Duration)>,
}

/// How planners come into being: by the registry, except in tests.
pub(crate) type Build = fn(&Spec, &Grid, &Resources) -> Result<BoxedPlanner<Grid>, BuildError>;

/// What was made beforehand for a planner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preparation {
    /// How large it is.
    pub(crate) bytes: u64,
    /// How long it took, on all cores.
    pub(crate) time: Duration,
}

impl Ground {
    /// With the world that was made of a place.
    pub fn new(place: &Arc<Place>, world: World) -> Self {
        Self { place: Arc::clone(place), world, prepared: Mutex::default() }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// A new planner for a run here.
    ///
    /// # Errors
    /// If it needs a file that cannot be used, or does not go with the map.
    pub fn planner(&self, job: &Job) -> Result<BoxedPlanner<Grid>, LabError> {
        self.build(job, &self.prepare(job)?.0, Spec::build_with)
    }

    /// The same with what was prepared before.
    pub(crate) fn build(
        &self,
        job: &Job,
        resources: &Resources,
        build: Build,
    ) -> Result<BoxedPlanner<Grid>, LabError> {
        build(&job.spec, self.world.graph(), resources)
            .map_err(|error| LabError::Build(format!("planner {}: {error}", job.spec)))
    }

    /// What a planner needs beforehand, made by all cores if it is not there yet.
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

/// Records that were made for a planner because it names no file.
#[derive(Clone, Copy, Debug)]
pub struct Records {
    /// How many.
    pub count: u32,
    /// How many problems of a hundred find one that fits them.
    pub serve: f64,
    /// How long making them took, on all cores.
    pub time: Duration,
}

impl Ground {
    /// The records of a planner that was built here; nothing if it has none or names their file.
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

    /// How straight the records of a planner are climbed; nothing if it has none.
    pub(crate) fn links(&self, spec: &Spec, resources: &Resources, scratch: &mut Scratch) -> Option<Links> {
        let databases = Resources::names(spec);
        let mut records = databases.iter().filter_map(|name| match resources.get(name) {
            Some(Resource::Knn(database)) => Some(database),
            _ => None,
        });
        Some(Links::of(records.next()?, self.world.truth(), scratch))
    }
}

/// Something that is made once, used by some, and then dropped.
#[derive(Debug)]
struct Shared<T> {
    value: Mutex<Option<T>>,
    /// How many will still ask for it.
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
        // The last one takes it along.
        let is_last = self.left.fetch_sub(1, Ordering::Relaxed) == 1;
        let got = if is_last { value.take() } else { value.clone() };
        Ok(got.expect("was just made"))
    }
}

/// The worlds and problems of the runs that are to be made.
#[derive(Debug)]
pub(crate) struct Stages<'p> {
    jobs: &'p [Job],
    /// A world that is there already.
    given: Option<Arc<Ground>>,
    /// By run: its world and its problem among the following.
    of: Vec<(usize, usize)>,
    worlds: Vec<Shared<Arc<Ground>>>,
    problems: Vec<Shared<Known>>,
}

impl<'p> Stages<'p> {
    /// For the runs with these numbers, which are in order.
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

    /// The world of a run, and what is known of its problem. To be asked once per run.
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

/// A* on the problem with the map known: how long the shortest path is and how hard it is to find.
fn know(job: &Job, world: &World, runner: &mut Runner) -> Result<Known, LabError> {
    let trip = job.trip(world)?;
    let still = World::known(&Arc::new(world.truth().clone()));
    let as_known = Task::new(&still, job.problem.start, job.problem.goal);
    // The goal of a changing world may be closed at first: then there is nothing to know yet.
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

    /// A database that is added to is the same as one that was made in one go, whatever was made before.
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
        // One that only bears the name of a database that was made is not trusted with more than it says it is.
        let file = KnnBuilder::new(&grid, KnnConfig { seed: 9, is_exact: false }).build(10);
        shared.insert("knn-lrta(records=10,seed=3)", Resource::Knn(Arc::new(file)));
        assert_eq!(provide(&mut shared, "knn-lrta(records=20,seed=3)"), alone("knn-lrta(records=20,seed=3)"));
    }
}
