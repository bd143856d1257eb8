//! Runs: units step until all are at their goals, or take one task after the other; the referee watches every step.

use std::time::{Duration, Instant};

use fleetfoot::fleet::{Resolver, ResolverConfig};
use fleetfoot::{Cost, Grid, NodeId};

use super::instance::{Instance, Lifelong};
use super::model::Rulebook;
use super::{Model, Rows, referee};

/// What moves the units.
#[derive(Debug)]
pub enum Mover {
    /// The plain model.
    Model(Model),
    /// The resolver, and its budget a tick.
    Resolver(Box<Resolver>, u64),
}

impl Mover {
    /// The model with the swap rule.
    pub fn model(starts: &[NodeId], seed: u64) -> Self {
        Self::Model(Model::new(starts.to_vec(), seed, Rulebook::default()))
    }

    /// The resolver.
    pub fn resolver(grid: &Grid, starts: &[NodeId], config: ResolverConfig, budget: u64) -> Self {
        let mut resolver = Resolver::new(grid, config);
        for &start in starts {
            resolver.place(grid, start).expect("starts are free and different");
        }
        Self::Resolver(Box::new(resolver), budget)
    }

    fn tick(&mut self, grid: &Grid, rows: &mut Rows) -> u64 {
        match self {
            Self::Model(model) => {
                model.tick(grid, rows, &[]);
                0
            }
            Self::Resolver(resolver, budget) => resolver.tick(grid, rows, *budget).work,
        }
    }

    fn renew(&mut self, unit: usize) {
        if let Self::Resolver(resolver, _) = self {
            resolver.renew(unit as u32);
        }
    }

    fn at(&self, out: &mut Vec<NodeId>) {
        out.clear();
        match self {
            Self::Model(model) => out.extend(&model.at),
            Self::Resolver(resolver, _) => out.extend(resolver.cells()),
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether all stood on their goals at one time.
    pub solved: bool,
    /// Steps taken.
    pub steps: usize,
    /// Finished tasks, by quarter of the run.
    pub quarters: [usize; 4],
    /// Time in the mover.
    pub time: Duration,
    /// The dearest step.
    pub dearest: Duration,
    /// Work of the ladder.
    pub work: u64,
}

impl Outcome {
    /// Nanoseconds per unit and step.
    pub fn nanos(&self, units: usize) -> f64 {
        self.time.as_nanos() as f64 / (self.steps.max(1) * units.max(1)) as f64
    }
}

/// Steps of a mover, timed and watched.
struct Run<'a> {
    grid: &'a Grid,
    mover: Mover,
    rows: Rows,
    at: Vec<NodeId>,
    before: Vec<NodeId>,
    outcome: Outcome,
}

impl Run<'_> {
    fn step(&mut self) {
        std::mem::swap(&mut self.at, &mut self.before);
        let begun = Instant::now();
        self.outcome.work += self.mover.tick(self.grid, &mut self.rows);
        let took = begun.elapsed();
        self.outcome.time += took;
        self.outcome.dearest = self.outcome.dearest.max(took);
        self.outcome.steps += 1;
        self.mover.at(&mut self.at);
        if let Err(wrong) = referee::check(self.grid, &self.before, &self.at, false) {
            panic!("step {}: {wrong}", self.outcome.steps);
        }
    }
}

fn run<'a>(grid: &'a Grid, mover: Mover, starts: &[NodeId], goals: &[NodeId]) -> Run<'a> {
    let mut rows = Rows::new(grid);
    for &goal in goals {
        rows.push(grid, goal);
    }
    Run { grid, mover, rows, at: starts.to_vec(), before: starts.to_vec(), outcome: Outcome::default() }
}

/// Until all stand on their goals, or for so many steps.
pub fn one_shot(instance: &Instance, mover: Mover, most: usize) -> Outcome {
    let mut run = run(&instance.grid, mover, &instance.starts, &instance.goals);
    while run.outcome.steps < most && run.at != instance.goals {
        run.step();
    }
    run.outcome.solved = run.at == instance.goals;
    run.outcome
}

/// For so many steps. Who stands on its task's cell at the end of a step takes its next one.
pub fn lifelong(instance: &Lifelong, mover: Mover, steps: usize) -> Outcome {
    let units = instance.starts.len();
    let mut task: Vec<usize> = (0..units).collect();
    let cell = |task: usize| instance.tasks[task % instance.tasks.len()];
    let goals: Vec<NodeId> = task.iter().map(|&task| cell(task)).collect();
    let mut run = run(&instance.grid, mover, &instance.starts, &goals);
    for step in 0..steps {
        run.step();
        for (unit, task) in task.iter_mut().enumerate() {
            if run.rows.distance(unit, run.at[unit]) == Cost::ZERO {
                run.outcome.quarters[4 * step / steps] += 1;
                *task += units;
                run.rows.set(&instance.grid, unit, cell(*task));
                run.mover.renew(unit);
            }
        }
    }
    run.outcome
}
