//! Measures what recording costs: the same runs without and with it, as ratios of the processor time of the agent's
//! thread (the time that recording takes from the agent) and of wall time (comparable only if two more cores are
//! idle).
//! `cargo bench -p fleetfoot-view --bench recorder`

use std::sync::Arc;
use std::time::Instant;

use fleetfoot::registry::Spec;
use fleetfoot::{Graph, Prices, Rules, Scratch};
use fleetfoot_sim::budget::{Budget, thread_nanos};
use fleetfoot_sim::episode::{Episode, RunLimits, Task};
use fleetfoot_sim::generate::cave;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::{Terrain, World};
use fleetfoot_view::{Label, RecordFilter, record};

const ROUNDS: usize = 7;

fn main() {
    let map = cave::generate(1024, 1024, 1).expect("a map").map;
    let grid = Arc::new(Terrain::default().grid(&map, Rules::default()).expect("a grid"));
    let known = World::known(&grid);
    let unknown = World::unknown(&grid, 1..=1, Sight::Radius(7)).expect("a world");
    println!("planner            budget    ticks  without ms   with ms  ratio  wall ratio      bytes");
    for (spec, world, budget) in [
        ("astar", &known, 10),
        ("astar", &known, 100),
        ("tba", &known, 10),
        ("tba", &known, 100),
        ("rtaa", &known, 10),
        ("rtaa", &known, 100),
        ("lss-lrta", &known, 10),
        ("lrta", &known, 10),
        ("tbaa", &unknown, 10),
        ("repeated-astar", &unknown, 100),
    ] {
        measure(spec, world, budget);
    }
}

fn measure(spec: &str, world: &World, budget: u64) {
    let trip = Task::new(world, (136, 665), (848, 727)).expect("a trip");
    let terms = RunLimits {
        prices: Prices::PAPERS,
        max_steps: Some(20_000),
        ..RunLimits::new(Budget::Expansions(budget))
    };
    let parsed: Spec = spec.parse().expect("a planner");
    let planner = || parsed.build(world.graph()).expect("a planner");
    let mut scratch = Scratch::new();
    let (mut without, mut with) = ((u64::MAX, f64::MAX), (u64::MAX, f64::MAX));
    let (mut ticks, mut bytes) = (0, 0);
    for _ in 0..ROUNDS {
        let mut walker = planner();
        keep_least(&mut without, || {
            scratch.reserve_search(world.truth().bound(), world.truth().max_f_increase());
            let mut episode = Episode::new(&trip, &terms);
            while episode.outcome().is_none() {
                episode.tick(&mut *walker, &mut scratch, None).expect("no foul");
            }
        });
        let mut walker = planner();
        let label = Label { planner: spec.into(), name: spec.into() };
        keep_least(&mut with, || {
            let life = record(&trip, &terms, &mut *walker, &mut scratch, label, RecordFilter::default());
            let life = life.expect("short enough");
            (ticks, bytes) = (life.meta().ticks, life.size());
        });
    }
    let (ratio, wall) = (with.0 as f64 / without.0 as f64, with.1 / without.1);
    let (without, with) = (without.0 as f64 / 1e6, with.0 as f64 / 1e6);
    println!(
        "{spec:<18} {budget:>6} {ticks:>8} {without:>11.1} {with:>9.1} {ratio:>6.2} {wall:>11.2} {bytes:>10}"
    );
}

/// Runs `run` and lowers both minima: processor time of this thread in nanoseconds, wall time in seconds.
fn keep_least(least: &mut (u64, f64), run: impl FnOnce()) {
    let (thread, wall) = (thread_nanos(), Instant::now());
    run();
    *least = (least.0.min(thread_nanos() - thread), least.1.min(wall.elapsed().as_secs_f64()));
}
