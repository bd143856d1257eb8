//! Every planner under every budget on every problem.

use std::time::Instant;

use fleetfoot::registry::{BoxedPlanner, BuildError, Resources, Spec};
use fleetfoot::{Grid, Length, Prices};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::episode::{Runner, Terms, Trip, Watch};
use fleetfoot_sim::metrics::Run;
use fleetfoot_sim::referee::Foul;
use fleetfoot_sim::world::World;
use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::parallel::parallel;
use crate::problems::{Task, Tasks};
use crate::row::{Row, Trial};

/// A planner under a budget: what a line of the table is about.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) spec: Spec,
    pub(crate) budget: Budget,
}

impl Entry {
    /// All combinations. A planner that keeps to no budget runs once, without one.
    pub(crate) fn all(specs: &[Spec], budgets: &[Budget]) -> Vec<Self> {
        let entries = |spec: &Spec| {
            let budgets = if spec.facts().bounded { budgets } else { &[Budget::Unlimited] };
            budgets.iter().map(|&budget| Self { spec: spec.clone(), budget }).collect::<Vec<_>>()
        };
        specs.iter().flat_map(entries).collect()
    }
}

/// How planners come into being: [`Spec::build_with`], except in tests.
pub(crate) type Build = fn(&Spec, &Grid, &Resources) -> Result<BoxedPlanner<Grid>, BuildError>;

/// What is to be run.
pub(crate) struct Batch<'a> {
    /// The map's name.
    pub(crate) map: &'a str,
    pub(crate) tasks: &'a Tasks,
    pub(crate) world: &'a World,
    /// The world as text.
    pub(crate) world_name: String,
    /// The rules of movement as text.
    pub(crate) rules: String,
    pub(crate) entries: Vec<Entry>,
    pub(crate) prices: Prices,
    pub(crate) max_steps: Option<u64>,
    /// How often each trip may be made, if more than one life of its own is asked for.
    pub(crate) trials: Option<u64>,
    pub(crate) threads: usize,
    pub(crate) build: Build,
    /// What planners use that was made beforehand.
    pub(crate) resources: Resources,
    /// No run begins after this moment.
    pub(crate) until: Option<Instant>,
}

impl Batch<'_> {
    /// Lives all lives. Rows come entry by entry, and in each by problem, whatever the number of threads.
    pub(crate) fn run(&self, progress: &ProgressBar) -> Result<Vec<Row>, Failure> {
        for entry in &self.entries {
            self.planner(&entry.spec)?;
        }
        let trips = self.trips()?;
        let (tasks, runs) = (trips.len(), trips.len() * self.entries.len());
        progress.set_length((tasks + runs) as u64);
        let optimal = self.optimal(&trips, progress);
        let rows = parallel(runs, self.threads, Runner::new, |runner, index| {
            let (entry, task) = (index / tasks, index % tasks);
            let runs = self.lives(runner, entry, task, &trips[task])?;
            progress.inc(1);
            let optimal = optimal[task];
            let row = |(trial, run)| Row { entry, task, optimal, run, trial };
            Ok::<_, Failure>(runs.into_iter().map(row).collect::<Vec<_>>())
        });
        progress.finish_and_clear();
        Ok(rows?.into_iter().flatten().collect())
    }

    pub(crate) fn trips(&self) -> Result<Vec<Trip<'_>>, Failure> {
        let trip = |task: &Task| {
            Trip::new(self.world, task.start, task.goal).map_err(|error| {
                match (&self.tasks.file, task.stated) {
                    (Some(file), Some((line, _))) => {
                        Failure::input(format!("{}:{line}: {error}", file.display()))
                    }
                    _ => error.with_file(self.map).into(),
                }
            })
        };
        self.tasks.list.iter().map(trip).collect()
    }

    /// The lengths of shortest paths.
    fn optimal(&self, trips: &[Trip<'_>], progress: &ProgressBar) -> Vec<Option<Length>> {
        let search = |runner: &mut Runner, index: usize| {
            progress.inc(1);
            Ok::<_, Failure>(runner.optimal(&trips[index]))
        };
        parallel(trips.len(), self.threads, Runner::new, search).unwrap_or_default()
    }

    pub(crate) fn planner(&self, spec: &Spec) -> Result<BoxedPlanner<Grid>, Failure> {
        (self.build)(spec, self.world.graph(), &self.resources)
            .map_err(|error| Failure::input(format!("planner {spec}: {error}")))
    }

    /// The runs of one entry on one problem: one, or as many as there were trials, or none if time is up.
    fn lives(
        &self,
        runner: &mut Runner,
        entry: usize,
        task: usize,
        trip: &Trip<'_>,
    ) -> Result<Vec<(Option<Trial>, Run)>, Failure> {
        if self.until.is_some_and(|until| Instant::now() > until) {
            return Ok(Vec::new());
        }
        let Some(most) = self.trials else {
            let run = self.life(runner, (entry, task), trip, Watch::default())?;
            return Ok(vec![(None, run)]);
        };
        let trials = trip.trials(most)?;
        let entry = &self.entries[entry];
        let mut planner = self.planner(&entry.spec)?;
        let series = runner
            .run_trials(&trials, &self.terms(entry), &mut *planner)
            .map_err(|foul| self.failure(entry, task, &foul))?;
        planner.release(runner.scratch());
        let trial = |number| Some(Trial { number, converged: series.converged == Some(number) });
        Ok((1..).map(trial).zip(series.runs).collect())
    }

    /// One life, under the eyes of others.
    pub(crate) fn life(
        &self,
        runner: &mut Runner,
        (entry, task): (usize, usize),
        trip: &Trip<'_>,
        watch: Watch<'_>,
    ) -> Result<Run, Failure> {
        let entry = &self.entries[entry];
        let mut planner = self.planner(&entry.spec)?;
        let run = runner
            .run_watched(trip, &self.terms(entry), &mut *planner, watch)
            .map_err(|foul| self.failure(entry, task, &foul))?;
        planner.release(runner.scratch());
        Ok(run)
    }

    pub(crate) fn terms(&self, entry: &Entry) -> Terms {
        let patience = || self.world.patience(entry.spec.facts().complete);
        let max_steps = Some(self.max_steps.unwrap_or_else(patience));
        Terms { budget: entry.budget, prices: self.prices, max_steps }
    }

    pub(crate) fn failure(&self, Entry { spec, budget }: &Entry, task: usize, foul: &Foul) -> Failure {
        let Task { index, start: (sx, sy), goal: (gx, gy), .. } = self.tasks.list[task];
        Failure::Foul(format!(
            "{}, problem {index} ({sx},{sy} to {gx},{gy}), {spec}, budget {budget}: {foul}",
            self.map
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fleetfoot::{Decision, Graph, Keep, NodeId, Planner, PlannerState, Rules, SaveError, Stats, Step};
    use fleetfoot_sim::map::GridMap;
    use fleetfoot_sim::world::Terrain;
    use std::sync::Arc;

    /// Walks legally once, then jumps to the goal.
    #[derive(Clone, Default)]
    struct Cheat(bool);

    fleetfoot::part! { Cheat { saved: ; fixed: 0 } }

    impl PlannerState for Cheat {
        fn nodes(&self) -> usize {
            usize::MAX
        }

        fn reset(&mut self, _: Keep) {}

        fn counts(&self) -> Stats {
            Stats::default()
        }

        fn path(&self, _: NodeId) -> Vec<NodeId> {
            Vec::new()
        }
    }

    impl Planner<Grid> for Cheat {
        fn plan(&mut self, cx: Step<'_, Grid>) -> Decision {
            let first = cx.graph.succs(cx.at).next().map_or(NodeId::NONE, |edge| edge.to);
            if std::mem::replace(&mut self.0, true) { Decision::Go(cx.goal) } else { Decision::Go(first) }
        }

        fn check(&self, _: &Grid) -> Result<(), SaveError> {
            Ok(())
        }
    }

    #[test]
    fn a_broken_rule_names_problem_tick_and_rule() {
        let map = GridMap::new(20, 20, b'.').unwrap();
        let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).unwrap());
        let world = World::known(&grid);
        let task = |index| Task { index, start: (2, index as u32), goal: (19, 19), stated: None };
        let tasks = Tasks { list: (7..11).map(task).collect(), about: String::new(), file: None };
        for threads in [1, 3] {
            let batch = Batch {
                map: "m",
                tasks: &tasks,
                world: &world,
                world_name: "known".into(),
                rules: String::new(),
                entries: Entry::all(&["astar".parse().unwrap()], &[Budget::Expansions(5)]),
                prices: Prices::PAPERS,
                max_steps: None,
                trials: None,
                threads,
                build: |_, _, _| Ok(Box::new(Cheat::default())),
                resources: Resources::NONE,
                until: None,
            };
            let Err(Failure::Foul(text)) = batch.run(&ProgressBar::hidden()) else { panic!("no foul") };
            let expected = "m, problem 7 (2,7 to 19,19), astar, budget 5: the planner broke a rule in tick 1: \
                            illegal move: from (3, 7) to (19, 19), which is not a neighbour";
            assert_eq!(text, expected);
        }
    }
}
