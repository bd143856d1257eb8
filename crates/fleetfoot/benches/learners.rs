//! Measures planning calls of agent-centered learners, in units of one expansion of `pathfinding`'s A* on the same
//! problems, alternating within one process. `cargo bench --bench learners [-- --quick]`; with
//! `FLEETFOOT_MAPS=folder` on published 512² maps, otherwise on generated ones.
//!
//! Every step's time is the minimum over repeats of the same walk with the same (warm) planner, which removes the
//! influence of the scheduler. Planning calls are the steps that expand something; reading the clock is part of each.

mod common;
mod peers {
    #[expect(dead_code, reason = "shared with the race between A* searches")]
    pub(crate) mod contenders;
    #[expect(dead_code, reason = "shared with the race between A* searches")]
    pub(crate) mod race;
    #[expect(dead_code, reason = "shared with the race between A* searches")]
    pub(crate) mod worlds;
}

use std::hint::black_box;
use std::time::Instant;

use fleetfoot::registry::{BoxedPlanner, Spec};
use fleetfoot::{Decision, Grid, Meter, NodeId, Prices, Reset, Scratch, StepContext, WorkKind};

use fleetfoot_sim::budget::thread_nanos;
use peers::{contenders, worlds};

/// Planner, look-ahead, and the target for a planning call; 0 without a target.
const SUBJECTS: [(&str, u64, f64); 10] = [
    ("lrta", 1, 3.0),
    ("rtaa", 10, 0.0),
    ("lss-lrta", 10, 12.0),
    ("da-rtaa", 10, 0.0),
    ("da-lss-lrta", 10, 0.0),
    ("tla", 10, 0.0),
    ("rtaa", 100, 0.0),
    ("lss-lrta", 100, 90.0),
    ("da-lss-lrta", 100, 0.0),
    ("tla", 100, 0.0),
];

/// Maximum number of measured steps of a walk; learners can walk for long.
const STEPS: usize = 2000;

/// A planner, and the measured times of its planning calls.
struct Subject {
    planner: BoxedPlanner<Grid>,
    scratch: Scratch,
    nanos: u64,
    calls: u64,
}

impl Subject {
    fn new(spec: &str, grid: &Grid) -> Self {
        let spec: Spec = spec.parse().expect("a planner of the registry");
        let planner = spec.build(grid).expect("a planner for grids");
        Self { planner, scratch: Scratch::new(), nanos: 0, calls: 0 }
    }

    /// Walks a problem `repeats` times and adds the minimum time of each step.
    fn walk(&mut self, grid: &Grid, problem: (NodeId, NodeId), budget: u64, repeats: usize) {
        let mut calls: Vec<u64> = Vec::new();
        for _ in 0..repeats {
            self.planner.reset(Reset::Full);
            let (mut at, goal) = problem;
            let mut call = 0;
            for _ in 0..STEPS {
                if at == goal {
                    break;
                }
                let mut meter = Meter::priced(budget, Prices::PAPERS);
                let mut cx = StepContext::new(grid, at, goal, &mut meter, &mut self.scratch);
                cx.probe = black_box(None);
                let begun = Instant::now();
                let decision = self.planner.step(cx);
                let nanos = begun.elapsed().as_nanos() as u64;
                if meter.work()[WorkKind::Expand] > 0 {
                    match calls.get_mut(call) {
                        Some(least) => *least = nanos.min(*least),
                        None => calls.push(nanos),
                    }
                    call += 1;
                }
                if let Decision::Go(next) = decision {
                    at = next;
                }
            }
        }
        self.nanos += calls.iter().sum::<u64>();
        self.calls += calls.len() as u64;
    }

    fn mean(&self) -> f64 {
        self.nanos as f64 / self.calls.max(1) as f64
    }
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    let repeats = if quick { 3 } else { 7 };
    let mut sums = [0.0; SUBJECTS.len()];
    let maps: Vec<_> =
        worlds::game_like(quick).into_iter().filter(|(_, case)| case.grid.width() == 512).collect();
    print!("{:<22}{:>8}", "map", "ns/exp.");
    for (name, k, _) in SUBJECTS {
        print!("{:>16}", format!("{name}({k})"));
    }
    println!();
    for (name, case) in &maps {
        let mut subjects = SUBJECTS.map(|(spec, ..)| Subject::new(spec, &case.grid));
        let mut peer = contenders::pathfinding(&case.grid, &case.problems);
        let (mut nanos, mut expansions) = (0, 0);
        for (k, &problem) in case.problems.iter().enumerate() {
            let mut least = u64::MAX;
            let mut done = 0;
            for _ in 0..repeats {
                // Uses the thread's own time: a search is long enough to be interrupted on a busy machine.
                let begun = thread_nanos();
                done = (peer.run)(k).expansions;
                least = least.min(thread_nanos() - begun);
            }
            (nanos, expansions) = (nanos + least, expansions + done);
            for (subject, (_, budget, _)) in subjects.iter_mut().zip(SUBJECTS) {
                subject.walk(&case.grid, problem, budget, repeats);
            }
        }
        let unit = nanos as f64 / expansions as f64;
        print!("{name:<22}{unit:>8.0}");
        for (subject, sum) in subjects.iter().zip(&mut sums) {
            let units = subject.mean() / unit;
            *sum += units;
            print!("{units:>16.1}");
        }
        println!();
    }
    println!();
    for ((name, k, aim), sum) in SUBJECTS.iter().zip(sums) {
        let mean = sum / maps.len() as f64;
        let verdict = match *aim {
            0.0 => String::new(),
            aim => format!("  at most {aim}: {}", if mean <= aim { "reached" } else { "MISSED" }),
        };
        println!("{name}({k}): {mean:.1} expansions of `pathfinding` per planning call{verdict}");
    }
}
