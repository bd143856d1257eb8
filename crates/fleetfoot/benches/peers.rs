//! Compares our A* with `pathfinding` and `petgraph`, on the same problems in one run, as ratios of expansions per
//! second. Only ratios are printed, since times on a shared machine mean little.
//!
//! `cargo bench --bench peers [-- --quick]`; with `FLEETFOOT_MAPS=folder` also on published maps.

mod common;
mod peers {
    pub(crate) mod contenders;
    pub(crate) mod race;
    pub(crate) mod worlds;
}

use std::hint::black_box;

use fleetfoot::planners::{AStar, AStarConfig};
use fleetfoot::search::{OpenKind, Ties};
use fleetfoot::{ChangeLog, Grid, Meter, Planner, Rules, Scratch, StepContext, WithHeuristic};
use fleetfoot_sim::budget::thread_nanos;
use fleetfoot_sim::formats::map::{parse_map, write_map_to};

use common::{Case, grid};
use peers::contenders::{self, explicit};
use peers::race::{Aim, Contender, Table, race};
use peers::worlds;

const RING: OpenKind = OpenKind::Ring;
const HEAP: OpenKind = OpenKind::Heap(Ties::LargerG);

fn main() {
    // Cargo passes `--bench`.
    let quick = std::env::args().any(|arg| arg == "--quick");
    let repeats = if quick { 3 } else { 5 };
    println!("Trust only ratios on which several runs agree.");
    println!("`flat`: Search<Flat>, as in shortest_path; `astar(…)`: the planner, on its paged tree.");

    let cases = worlds::game_like(quick);
    on_grids("512² to 1024²", &cases, repeats, [3.3, 5.0]);
    on_explicit_graphs(&cases, repeats);
    drop(cases);
    if !quick {
        on_grids("4096²", &worlds::huge(), 3, [0.0, 7.0]);
    }
    slicing(repeats);
    starting();
    loading();
}

/// Compares on grids. `plain` and `pruned` are the target ratios without and with pruning.
fn on_grids(title: &str, cases: &[(String, Case)], repeats: usize, [plain, pruned]: [f64; 2]) {
    let least = if plain > 0.0 { 2.7 } else { 0.0 };
    let aims = [(plain, least), (pruned, 0.0), (plain, least), (pruned, 0.0), (0.0, 0.0)];
    let mut table =
        Table::new(&format!("grids {title}"), aims.map(|(mean, least)| Aim { mean, least }).into());
    for (name, case) in cases {
        let (grid, problems) = (&case.grid, &case.problems[..]);
        let contenders = vec![
            contenders::pathfinding(grid, problems),
            contenders::flat("flat", grid, problems, RING, false),
            contenders::flat("flat+prune", grid, problems, RING, true),
            contenders::planner("astar(prune=off)", grid, problems, RING, false),
            contenders::planner("astar", grid, problems, RING, true),
            contenders::planner("astar(open=heap)", grid, problems, HEAP, false),
        ];
        table.row(name, &race(contenders, problems.len(), repeats));
    }
    table.finish();
}

/// Compares on the same maps as explicit graphs with positions.
fn on_explicit_graphs(cases: &[(String, Case)], repeats: usize) {
    let aims = [0.0, 2.0, 2.0].map(|mean| Aim { mean, least: 0.0 });
    let mut table = Table::new("explicit graphs (CSR) of the same maps", aims.into());
    for (name, case) in cases {
        let (csr, octile) = explicit(&case.grid);
        let peer = contenders::petgraph_of(&csr);
        let graph = WithHeuristic::new(csr, &octile);
        let problems = &case.problems[..];
        let contenders = vec![
            contenders::pathfinding(&graph, problems),
            contenders::petgraph(&peer, &octile, problems),
            contenders::flat("flat", &graph, problems, RING, false),
            contenders::planner("astar", &graph, problems, RING, true),
        ];
        table.row(name, &race(contenders, problems.len(), repeats));
    }
    table.finish();
}

/// Compares a budget of 100 per step with an unlimited one.
fn slicing(repeats: usize) {
    let case = Case::cave(1024, 1, 8);
    let sliced = |name, budget: Option<u64>| -> Contender<'_> {
        contenders::sliced(name, &case.grid, &case.problems, budget)
    };
    let scores = race(vec![sliced("whole", None), sliced("by 100", Some(100))], 8, 3 * repeats);
    let more = 100.0 * (scores[1].seconds / scores[0].seconds - 1.0);
    println!("\nslicing into budgets of 100: {more:+.1} % time (target < 2; exact in `instructions`)");
}

/// Checks that starting a search does no work proportional to the map.
fn starting() {
    println!("\nstarting a search to a goal three cells away:");
    for side in [256, 4096] {
        let grid = Grid::new(side, side, Rules::default(), |_, _| 1).expect("a grid");
        let node = |x, y| grid.node(x, y).expect("inside");
        let (middle, goals) =
            (node(side / 2, side / 2), [node(side / 2 + 3, side / 2), node(side / 2, side / 2 - 3)]);
        let (mut planner, mut scratch, log) =
            (AStar::new(AStarConfig::default(), &grid), Scratch::new(), ChangeLog::new());
        let mut best = u64::MAX;
        for _ in 0..20 {
            let begin = thread_nanos();
            for k in 0..1000 {
                let (meter, goal) = (&mut Meter::unlimited(), goals[k % 2]);
                let mut step = StepContext::new(&grid, middle, goal, meter, &mut scratch).with_changes(&log);
                step.probe = black_box(None);
                black_box(planner.step(step));
            }
            best = best.min((thread_nanos() - begin) / 1000);
        }
        println!("  {side:>4}²: {best} ns");
    }
}

/// Measures loading a grid from the bytes of a map file.
fn loading() {
    let map = fleetfoot_sim::generate::cave::generate(1024, 1024, 1).expect("a cave").map;
    let mut bytes = Vec::new();
    write_map_to(&mut bytes, &map).expect("a vector takes everything");
    let mut best = [u64::MAX; 2];
    for _ in 0..5 {
        let begin = thread_nanos();
        let map = black_box(parse_map(&bytes).expect("we wrote it"));
        let parsed = thread_nanos();
        black_box(grid(&map));
        best = [best[0].min(parsed - begin), best[1].min(thread_nanos() - parsed)];
    }
    let [parse, build] = best.map(|nanos| nanos as f64 * 1e-6);
    println!("\nloading a 1024² map: {parse:.1} ms to parse, {build:.1} ms to build the grid");
}
