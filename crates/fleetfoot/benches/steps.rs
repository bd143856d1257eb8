//! Measures steps of the time-bounded planners, in units of our own A*'s expansions in the same process, and the
//! ratio of the most expensive step to the median. `cargo bench --bench steps [-- --quick]`.
//!
//! Every step's time is the minimum over repeats of the same walk with the same (warm) planner, which removes the
//! influence of the scheduler. Trust the ratios; nanoseconds depend on the machine.

mod common;

use std::hint::black_box;
use std::time::Instant;

use fleetfoot::planners::{AStar, AStarConfig, Tba, TbaConfig};
use fleetfoot::{
    ChangeLog, Decision, Grid, Meter, NodeId, Planner, PlannerState, Prices, Reset, Scratch, StepContext,
    WorkKind,
};

use common::Case;

/// One step of a walk.
#[derive(Clone, Copy)]
struct Cost {
    nanos: u64,
    expansions: u64,
    traces: u64,
}

/// Walks a problem `repeats` times with one planner. Returns the minimum time of each step.
fn walk(grid: &Grid, problem: (NodeId, NodeId), planner: &mut Tba, budget: u64, repeats: usize) -> Vec<Cost> {
    let (changes, mut scratch) = (ChangeLog::new(), Scratch::new());
    let mut costs: Vec<Cost> = Vec::new();
    for _ in 0..repeats {
        planner.reset(Reset::Full);
        let (mut at, goal) = problem;
        for tick in 0.. {
            if at == goal {
                break;
            }
            let mut meter = Meter::priced(budget, Prices::PAPERS);
            let cx = StepContext::new(grid, at, goal, &mut meter, &mut scratch).with_changes(&changes);
            let begun = Instant::now();
            let decision = planner.step(cx);
            let nanos = begun.elapsed().as_nanos() as u64;
            let (expansions, traces) = (meter.work()[WorkKind::Expand], meter.work()[WorkKind::Trace]);
            match costs.get_mut(tick) {
                Some(cost) => cost.nanos = cost.nanos.min(nanos),
                None => costs.push(Cost { nanos, expansions, traces }),
            }
            match decision {
                Decision::Go(next) => at = next,
                Decision::Wait => {}
                Decision::NoPath => break,
            }
        }
    }
    costs
}

/// Returns nanoseconds per expansion of the A* planner, with the same tables and open list.
fn astar(case: &Case, repeats: usize) -> f64 {
    let (changes, mut scratch) = (ChangeLog::new(), Scratch::new());
    let mut planner = AStar::new(AStarConfig::default(), &case.grid);
    let mut best = f64::MAX;
    for _ in 0..repeats {
        let (mut nanos, mut expansions) = (0, 0);
        for &(at, goal) in &case.problems {
            let mut meter = Meter::unlimited();
            let cx = StepContext::new(&case.grid, at, goal, &mut meter, &mut scratch).with_changes(&changes);
            let begun = Instant::now();
            black_box(planner.step(cx));
            nanos += begun.elapsed().as_nanos();
            expansions += meter.work()[WorkKind::Expand];
        }
        best = best.min(nanos as f64 / expansions as f64);
    }
    best
}

fn median(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    values.get(values.len() / 2).map_or(f64::NAN, |&v| v as f64)
}

fn measure(side: u32, budgets: &[u64], repeats: usize, problems: usize) {
    let case = Case::cave(side, 7, problems);
    let unit = astar(&case, repeats);
    println!("{side}x{side}: an A* expansion takes {unit:.0} ns");
    for &budget in budgets {
        let mut planner = Tba::new(TbaConfig::default(), &case.grid);
        let walks: Vec<_> =
            case.problems.iter().map(|&p| walk(&case.grid, p, &mut planner, budget, repeats)).collect();
        // Reading the clock is part of every step's time.
        let all = || walks.iter().flat_map(|walk| walk.iter().skip(1));
        let searching: Vec<u64> = all().filter(|c| c.expansions > 0).map(|c| c.nanos).collect();
        let following: Vec<u64> =
            all().filter(|c| c.expansions == 0 && c.traces == 0).map(|c| c.nanos).collect();
        let mean = searching.iter().sum::<u64>() as f64 / searching.len().max(1) as f64;
        let dearest = searching.iter().max().copied().unwrap_or(0) as f64;
        println!(
            "  TBA* R={budget:<5} searching step {:6.1} expansions (mean of {}), dearest {:.2}x the median; \
             follow-only {:.0} ns",
            mean / unit,
            searching.len(),
            dearest / median(searching.clone()),
            median(following),
        );
    }
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    let overhead = (0..1000).map(|_| Instant::now().elapsed().as_nanos() as u64).collect();
    println!("asking the clock takes {:.0} ns of every step", median(overhead));
    println!("targets: at most 14 expansions at R=10 and 130 at R=100; follow-only below 50 ns;");
    println!("         dearest step at R=100 at most 2x the median on 512x512, 10x on 4096x4096");
    measure(512, &[10, 100], if quick { 3 } else { 15 }, if quick { 2 } else { 6 });
    if !quick {
        measure(4096, &[100], 5, 2);
    }
}
