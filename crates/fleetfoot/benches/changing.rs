//! Measures planning in changing worlds, as ratios within one process. `cargo bench --bench changing [-- --quick]`.
//!
//! - D* Lite's first plan, compared with a backward A* that expands the same states.
//! - Repairing a plan after one cell near the agent was toggled, compared with new searches by that A* and by
//!   Repeated A* (forward), on 1024².
//! - RTD*'s most expensive step by the size of the map, in a world in which cells close and open all the time.
//!
//! Every time is the minimum over repeats, which removes the influence of the scheduler.

mod common;

use std::hint::black_box;
use std::time::Instant;

use fleetfoot::registry::{BoxedPlanner, Spec};
use fleetfoot::{ChangeLog, Decision, Grid, Meter, NodeId, Prices, Reset, Scratch, StepContext, WorkKind};

use common::Case;

/// An A* that expands the same states as D* Lite's first search.
const BACKWARD: &str = "repeated-astar(direction=backward,open=heap,ties=smaller-g)";

struct Subject {
    planner: BoxedPlanner<Grid>,
    scratch: Scratch,
}

impl Subject {
    fn new(spec: &str, grid: &Grid) -> Self {
        let spec: Spec = spec.parse().expect("a planner of the registry");
        let planner = spec.build(grid).expect("a planner for grids");
        Self { planner, scratch: Scratch::new() }
    }

    /// Executes one step. Returns its time, its expansions, and its decision.
    fn step(
        &mut self,
        (graph, changes): (&Grid, &ChangeLog),
        (at, goal): (NodeId, NodeId),
        mut meter: Meter,
    ) -> (u64, u64, Decision) {
        let mut cx = StepContext::new(graph, at, goal, &mut meter, &mut self.scratch).with_changes(changes);
        cx.probe = black_box(None);
        let begun = Instant::now();
        let decision = self.planner.step(cx);
        let nanos = begun.elapsed().as_nanos() as u64;
        (nanos, meter.work()[WorkKind::Expand], decision)
    }
}

fn first_plan(case: &Case, repeats: usize) {
    let log = ChangeLog::new();
    let mut subjects = ["dstar-lite", BACKWARD].map(|spec| Subject::new(spec, &case.grid));
    let mut ratios = Vec::new();
    for &problem in &case.problems {
        let (mut least, mut expansions) = ([u64::MAX; 2], [0; 2]);
        for _ in 0..repeats {
            for (k, subject) in subjects.iter_mut().enumerate() {
                subject.planner.reset(Reset::Full);
                let (nanos, done, _) = subject.step((&case.grid, &log), problem, Meter::unlimited());
                (least[k], expansions[k]) = (least[k].min(nanos), done);
            }
        }
        assert_eq!(expansions[0], expansions[1], "both expand the same states");
        ratios.push(least[0] as f64 / least[1] as f64);
    }
    println!(
        "first plan, {0}x{0}: {1:.2} times a backward A* with the same expansions (at most 1.6), maximum {2:.2}",
        case.grid.width(),
        ratios.iter().sum::<f64>() / ratios.len() as f64,
        ratios.iter().fold(0.0, |a: f64, b| a.max(*b)),
    );
}

/// Returns a free cell on the agent's path a few steps ahead, or next to it.
fn victim(grid: &Grid, dstar: &mut Subject, log: &ChangeLog, problem: (NodeId, NodeId), k: u32) -> NodeId {
    let (mut at, goal) = problem;
    for _ in 0..=k % 4 {
        match dstar.step((grid, log), (at, goal), Meter::unlimited()).2 {
            Decision::Go(to) if to != goal => at = to,
            _ => break,
        }
    }
    let (x, y) = grid.xy(at);
    let (dx, dy) = [(0, 0), (1, 0), (0, 1), (1, 1)][k as usize / 4 % 4];
    let beside = grid.node(x + dx, y + dy).filter(|n| grid.is_free(*n) && *n != problem.0 && *n != goal);
    beside.unwrap_or(at)
}

fn repair(case: &Case, toggles: u32) {
    let mut grid = case.grid.clone();
    let mut log = ChangeLog::new();
    let mut ratios = [Vec::new(), Vec::new()];
    let mut expansions = Vec::new();
    let mut dstar = Subject::new("dstar-lite", &grid);
    let mut others = [BACKWARD, "repeated-astar"].map(|spec| Subject::new(spec, &grid));
    for &problem in &case.problems {
        dstar.planner.reset(Reset::Full);
        dstar.step((&grid, &log), problem, Meter::unlimited());
        for k in 0..toggles {
            let cell = victim(&grid, &mut dstar, &log, problem, k);
            if cell == problem.0 {
                continue;
            }
            dstar.step((&grid, &log), problem, Meter::unlimited());
            for weight in [0, 1] {
                grid.set(cell, weight, &mut log).expect("weights of 0 and 1");
                let (nanos, done, _) = dstar.step((&grid, &log), problem, Meter::unlimited());
                expansions.push(done);
                for (other, ratios) in others.iter_mut().zip(&mut ratios) {
                    other.planner.reset(Reset::Full);
                    let (anew, ..) = other.step((&grid, &log), problem, Meter::unlimited());
                    ratios.push(anew as f64 / nanos as f64);
                }
            }
        }
    }
    let middle = |values: &mut Vec<f64>| {
        values.sort_unstable_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let [backward, forward] = ratios.each_mut().map(middle);
    expansions.sort_unstable();
    println!(
        "a repair after one cell near the agent was toggled, {0}x{0}, {1} repairs: {backward:.0} times cheaper than \
         planning anew backwards (at least 20), {forward:.0} than forwards (medians); {2} expansions (median)",
        grid.width(),
        expansions.len(),
        expansions[expansions.len() / 2],
    );
}

/// Walks while cells near the middle of the map close and open. Repeats the walk, takes the minimum time of each
/// step, and returns the median and maximum over steps.
fn dearest(case: &Case, budget: u64, repeats: usize) -> (f64, f64) {
    let mut least: Vec<u64> = Vec::new();
    let mut subject = Subject::new("rtd", &case.grid);
    for _ in 0..repeats {
        let (mut grid, mut log) = (case.grid.clone(), ChangeLog::new());
        let mut dice = 1u64;
        let mut random = |below: u32| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((dice >> 33) % u64::from(below)) as u32
        };
        subject.planner.reset(Reset::Full);
        let (mut at, goal) = case.problems[0];
        for tick in 0..3000 {
            if at == goal {
                break;
            }
            let (x, y) = (random(grid.width()), random(grid.height()));
            if let Some(cell) = grid.node(x, y).filter(|n| *n != at && *n != goal) {
                grid.set(cell, u8::from(!grid.is_free(cell)), &mut log).expect("weights of 0 and 1");
            }
            let (nanos, _, decision) =
                subject.step((&grid, &log), (at, goal), Meter::priced(budget, Prices::PAPERS));
            match least.get_mut(tick) {
                Some(before) => *before = nanos.min(*before),
                None => least.push(nanos),
            }
            if let Decision::Go(to) = decision {
                at = to;
            }
        }
    }
    least.sort_unstable();
    (least[least.len() / 2] as f64 / 1000.0, least[least.len() - 1] as f64 / 1000.0)
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    let repeats = if quick { 3 } else { 9 };
    for side in [512, 1024] {
        first_plan(&Case::cave(side, 7, if quick { 3 } else { 8 }), repeats);
    }
    repair(&Case::cave(1024, 7, if quick { 3 } else { 10 }), 16);
    let sides: &[u32] = if quick { &[256, 1024] } else { &[256, 512, 1024, 2048, 4096] };
    for &side in sides {
        let (middle, most) = dearest(&Case::cave(side, 7, 1), 100, repeats);
        println!(
            "RTD* with a budget of 100, {side}x{side}: median step {middle:.1} µs, maximum {most:.1} µs"
        );
    }
}
