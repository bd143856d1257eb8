//! Many agents for a long time in one changing world: no rule is violated.

use fleetfoot::registry::BoxedPlanner;
use fleetfoot::{ChangeLog, Decision, Grid, Meter, NodeId, Prices, Scratch, StepContext, Work, WorkKind};
use fleetfoot_testkit::{Rng, oracle, worlds};

use super::harness::{Changing, spec};

const SPECS: &[&str] = &[
    "dstar-lite",
    "mpgaa",
    "mpgaa(open=heap)",
    "ad-star",
    "ad-star(epsilon=5,decrease=1,increase=0.5)",
    "rtd",
    "rtd(local=lrta,ratio=0.25)",
    "rtd(local=tla,ratio=0.75,focus=per-step)",
    "rtd(local=rtaa,focus=on-change)",
    "rtd(share-leftover=on)",
    "rtd(no-path=local)",
    "rtd(no-path=wait,share-leftover=on,ratio=1)",
    "rtd(global=ad-star)",
    "rtd(global=ad-star,local=lrta,share-leftover=on)",
    "rtd(global=ad-star,local=rtaa,focus=per-step)",
    "rtd-noop",
    "rtd-noop(global=ad-star)",
];

const AGENTS: usize = 100;

/// Duration and rate of changes.
struct Soak {
    /// Total number of changed cells.
    edits: u64,
    /// Maximum number of changed cells per tick, except for floods.
    per_tick: u32,
    side: u32,
    /// Capacity of the log in edges: readers that fall behind must restart.
    memory: usize,
}

struct Agent {
    planner: BoxedPlanner<Grid>,
    text: &'static str,
    at: NodeId,
    goal: NodeId,
    budget: u64,
    prices: Prices,
    arrived: u32,
}

/// Checks the cost of a step: at most its budget, or one expansion with its prepayment.
fn hold_budget(agent: &Agent, work: Work) {
    let Agent { text, budget, prices, .. } = agent;
    assert!(work[WorkKind::Expand] <= *budget, "{text}: {work:?} with a budget of {budget}");
    let price = |kind| work[kind] * u64::from(prices.of(kind));
    let first: u64 =
        [WorkKind::Expand, WorkKind::Learn, WorkKind::Trace, WorkKind::Compare].map(price).iter().sum();
    let most = if work[WorkKind::Expand] == 1 { first.max(10 * budget) } else { 10 * budget };
    assert!(work.priced(prices) <= most, "{text}: {work:?} with a budget of {budget}");
}

fn soak(soak: &Soak, seed: u64) {
    let mut rng = Rng::new(seed);
    let rules = worlds::all_rules()[seed as usize % worlds::all_rules().len()];
    let mut grid = worlds::random_grid(&mut rng, (soak.side, soak.side), rules, 25, 3);
    let (mut log, mut scratch) = (ChangeLog::with_capacity(soak.memory), Scratch::new());
    let cells = worlds::free_cells(&grid);
    let mut agents: Vec<_> = (0..AGENTS)
        .map(|k| {
            let text = SPECS[k % SPECS.len()];
            let budget = rng.pick(&[1, 2, 3, 8, 20, 100]);
            let prices = rng.pick(&[Prices::PAPERS, Prices::ALL_WORK]);
            let (at, goal) = (rng.pick(&cells), rng.pick(&cells));
            Agent {
                planner: spec(text).build(&grid).expect("it can be built"),
                text,
                at,
                goal,
                budget,
                prices,
                arrived: 0,
            }
        })
        .collect();
    let (mut tick, mut edits) = (0, 0);
    while edits < soak.edits {
        if rng.one_in(2) {
            let spared: Vec<_> = agents.iter().flat_map(|agent| [agent.at, agent.goal]).collect();
            // Sometimes more changes than the log can hold.
            let number = if rng.one_in(100) { 80 } else { rng.between(1, soak.per_tick) };
            for _ in 0..number {
                grid.edit(&mut rng, &spared, &mut log);
            }
            edits += u64::from(number);
        }
        for agent in &mut agents {
            if tick % 7 == 0 && rng.one_in(50) {
                // Not at its expected position.
                agent.at = rng.pick(&cells);
            }
            agent.tick(&grid, &log, &mut scratch, &mut rng);
        }
        tick += 1;
    }
    let arrived: u32 = agents.iter().map(|agent| agent.arrived).sum();
    assert!(u64::from(arrived) > soak.edits / 2000, "hardly anyone ever arrives: {arrived} in {tick} ticks");
}

impl Agent {
    fn tick(&mut self, grid: &Grid, log: &ChangeLog, scratch: &mut Scratch, rng: &mut Rng) {
        let mut meter = Meter::priced(self.budget, self.prices);
        let (at, goal) = (self.at, self.goal);
        let step = StepContext::new(grid, at, goal, &mut meter, scratch).with_changes(log);
        let decision = self.planner.step(step);
        hold_budget(self, *meter.work());
        match decision {
            Decision::Go(to) => {
                assert!(oracle::edge(grid, at, to).is_finite(), "{}: no move from {at} to {to}", self.text);
                self.at = to;
            }
            Decision::NoPath => {
                let cost = oracle::distance(grid, at, goal);
                assert!(!cost.is_finite(), "{}: there is a way from {at} to {goal}", self.text);
            }
            Decision::Wait => {}
        }
        if self.at == goal {
            self.arrived += 1;
        }
        if self.at == goal || decision == Decision::NoPath {
            let cells = worlds::free_cells(grid);
            self.goal = rng.pick(&cells);
        }
    }
}

#[test]
fn a_hundred_agents_in_a_changing_world() {
    (0..3).for_each(|seed| soak(&Soak { edits: 400, per_tick: 4, side: 18, memory: 600 }, seed));
}

/// A million changes. `cargo test --release -p fleetfoot --test models -- --ignored soak`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_agents_and_a_million_changes() {
    soak(&Soak { edits: 1_000_000, per_tick: 40, side: 64, memory: 1 << 16 }, 1);
}
