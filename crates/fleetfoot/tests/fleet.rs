//! The fleet, and its resolver: held tick by tick against a plain model and a referee, and against what they promise.

#[path = "fleet/changes.rs"]
mod changes;
#[path = "fleet/clock.rs"]
mod clock;
#[path = "fleet/crowds.rs"]
mod crowds;
#[path = "fleet/edge_cases.rs"]
mod edge_cases;
#[path = "fleet/escalation.rs"]
mod escalation;
#[path = "fleet/fairness.rs"]
mod fairness;
#[path = "fleet/invariants.rs"]
mod invariants;
#[path = "fleet/layers.rs"]
mod layers;
#[path = "fleet/model.rs"]
mod model;
#[path = "fleet/regimes.rs"]
mod regimes;
#[path = "fleet/repairs.rs"]
mod repairs;
#[path = "fleet/rest.rs"]
mod rest;
#[path = "fleet/rules.rs"]
mod rules;
#[path = "fleet/saved.rs"]
mod saved;
#[path = "fleet/through.rs"]
mod through;
#[path = "fleet/tuning.rs"]
mod tuning;
#[path = "fleet/units.rs"]
mod units;
#[path = "fleet/unreachable.rs"]
mod unreachable;
#[path = "fleet/whole.rs"]
mod whole;

use fleetfoot::fleet::{Resolver, ResolverConfig};
use fleetfoot::{Cost, Grid, NodeId};
use fleetfoot_testkit::alloc::Counting;
use fleetfoot_testkit::fleet::{Rows, referee};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Units with goals under a resolver, and a referee who watches.
struct Fleet<'a> {
    grid: &'a Grid,
    resolver: Resolver,
    rows: Rows,
    may_cross: bool,
}

impl<'a> Fleet<'a> {
    fn new(grid: &'a Grid, starts: &[NodeId], goals: &[NodeId], config: ResolverConfig) -> Self {
        let mut resolver = Resolver::new(grid, config);
        let mut rows = Rows::new(grid);
        for (&start, &goal) in starts.iter().zip(goals) {
            resolver.place(grid, start).expect("starts are free and differ");
            rows.push(grid, goal);
        }
        Self { grid, resolver, rows, may_cross: config.may_cross }
    }

    fn at(&self) -> Vec<NodeId> {
        self.resolver.cells().collect()
    }

    fn tick(&mut self, budget: u64) {
        let before = self.at();
        let report = self.resolver.tick(self.grid, &mut self.rows, budget);
        // Gathering a group is charged when it is done.
        assert!(report.work <= budget + 256 * 17, "{report:?}");
        referee::check(self.grid, &before, &self.at(), self.may_cross).expect("a legal joint move");
    }

    fn is_there(&self, unit: usize) -> bool {
        self.resolver.at(unit as u32).is_some_and(|at| self.rows.distance(unit, at) == Cost::ZERO)
    }
}
