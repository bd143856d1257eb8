//! Runs: units move until all are at their goals, or perform one task after another. The referee checks every step.

use std::time::{Duration, Instant};

use fleetfoot::fleet::{Resolver, ResolverConfig};
use fleetfoot::{Cost, Grid, NodeId};

use super::instance::{Instance, Lifelong};
use super::model::Rulebook;
use super::{Model, Rows, referee};

/// The algorithm that moves the units.
#[derive(Debug)]
pub enum Mover {
    /// The reference model.
    Model(Model),
    /// The resolver, and its budget per tick.
    Resolver(Box<Resolver>, u64),
}

impl Mover {
    /// Creates the model with the swap rule.
    pub fn model(starts: &[NodeId], seed: u64) -> Self {
        Self::Model(Model::new(starts.to_vec(), seed, Rulebook::default()))
    }

    /// Creates the resolver.
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

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// `true` if all units were at their goals at the same time.
    pub solved: bool,
    /// Number of steps.
    pub steps: usize,
    /// Finished tasks, by quarter of the run.
    pub quarters: [usize; 4],
    /// Time spent in the mover.
    pub time: Duration,
    /// The longest step.
    pub dearest: Duration,
    /// Work of the escalation.
    pub work: u64,
}

impl Outcome {
    /// Returns nanoseconds per unit and step.
    pub fn nanos(&self, units: usize) -> f64 {
        self.time.as_nanos() as f64 / (self.steps.max(1) * units.max(1)) as f64
    }
}

/// Steps of a mover, timed and checked.
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

/// Runs until all units are at their goals, for at most `most` steps.
pub fn one_shot(instance: &Instance, mover: Mover, most: usize) -> Outcome {
    let mut run = run(&instance.grid, mover, &instance.starts, &instance.goals);
    while run.outcome.steps < most && run.at != instance.goals {
        run.step();
    }
    run.outcome.solved = run.at == instance.goals;
    run.outcome
}

/// Runs for `steps` steps. A unit at its task's cell at the end of a step gets its next task.
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
