//! Compares instruction counts, which a busy machine does not disturb, with those in `instructions.txt`.
//!
//! `cargo bench --bench instructions` fails if a count has risen by more than [`TOLERANCE`]; `-- --bless` writes the
//! file again. Each bench is this same program under callgrind, which counts only while [`measured_region`] runs. So
//! only valgrind is required. The counts are in the repository, so that changes are reviewed; `gungraun` compares
//! with the last run on the same machine, and needs a runner of its own version.

mod common;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use fleetfoot::corners::{CornerPaths, Corners};
use fleetfoot::fleet::{Fleet, Goal, TeamId, UnitId};
use fleetfoot::planners::{AStar, AStarConfig, CornerTba, Direction, OffPathPolicy};
use fleetfoot::registry::{self, Spec};
use fleetfoot::search::{FlatTable, OpenKind, Pools, Search, SearchTools, Ties};
use fleetfoot::{
    ChangeLog, Components, CsrBuilder, Decision, Graph, Grid, Map, Meter, NodeId, Planner, PlannerState,
    Prices, Reset, ReverseGraph, Scratch, StepContext, WorkKind,
};
use fleetfoot_sim::formats::map::{parse_map, write_map_to};

use common::Case;

/// Maximum increase of a count. Counts are reproducible to the last digit; with fewer benches, or another compiler
/// (1.95 and a nightly), none changed by more than 3 %.
const TOLERANCE: f64 = 0.05;

/// Maximum overhead of a search in slices of 100.
const SLICING: f64 = 0.02;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

/// A bench: sets up, has its work measured, and returns the number of units.
type Bench = fn() -> u64;

/// Name, unit, and function.
const BENCHES: &[(&str, &str, Bench)] = &[
    ("flat", "expansion", || flat(OpenKind::Ring, false)),
    ("flat-pruned", "expansion", || flat(OpenKind::Ring, true)),
    ("flat-heap", "expansion", || flat(OpenKind::Heap(Ties::LargerG), false)),
    ("tree", "expansion", || tree(OpenKind::Ring, false, None)),
    ("tree-pruned", "expansion", || tree(OpenKind::Ring, true, None)),
    ("tree-pruned-by-100", "expansion", || tree(OpenKind::Ring, true, Some(100))),
    ("tree-heap", "expansion", || tree(OpenKind::Heap(Ties::LargerG), false, None)),
    ("csr", "expansion", csr),
    ("corner-tba", "expansion", || corner_tba(None)),
    ("corner-tba-by-10", "expansion", || corner_tba(Some(10))),
    ("corner-path", "path", corner_path),
    ("corners-new", "cell", corners_new),
    ("corners-set", "edit", corners_set),
    ("rtaa-10", "planning call", || learner("rtaa", 10)),
    ("rtaa-100", "planning call", || learner("rtaa", 100)),
    ("lss-lrta-10", "planning call", || learner("lss-lrta", 10)),
    ("lss-lrta-100", "planning call", || learner("lss-lrta", 100)),
    ("fleet-moves", "unit and tick", fleet_moves),
    ("fleet-searches", "expansion's worth", fleet_searches),
    ("map-parse", "cell", map_parse),
    ("grid-new", "cell", grid_new),
    ("grid-set", "edit", || edits(false)),
    ("components", "edit", || edits(true)),
    ("start", "search", start),
    ("spec-parse", "spec", spec_parse),
    ("save", "byte", save),
    ("restore", "byte", restore),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--only-this") {
        let bench = BENCHES.iter().find(|bench| bench.0 == args[at + 1]).expect("a bench of this name");
        println!("{}", bench.2());
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("instruction counts need valgrind (apt install valgrind); skipped");
        // Nobody reads that in CI.
        return if std::env::var("CI").as_deref() == Ok("true") {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        };
    }
    let counts: Vec<f64> = BENCHES.iter().map(|bench| count(bench.0)).collect();
    let bless = args.iter().any(|arg| arg == "--bless");
    if bless {
        std::fs::write(FILE, listing(&counts)).expect("the folder of the benches can be written to");
    }
    let good = compare(&counts);
    if good || bless { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns instructions per unit.
fn count(name: &str) -> f64 {
    let this = std::env::current_exe().expect("a program knows its file");
    let valgrind =
        ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*measured_region*"];
    let run = Command::new("valgrind").args(valgrind).arg(this).args(["--only-this", name]).output();
    let run = run.expect("valgrind was there a moment ago");
    let (out, log) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let collected = log.lines().find_map(|line| line.split_once("Collected :"));
    let instructions = collected.and_then(|(_, n)| n.trim().parse::<f64>().ok()).filter(|&n| n > 0.0);
    let units = out.trim().parse::<f64>().ok();
    let (Some(instructions), Some(units)) = (instructions, units) else {
        panic!("{name} was not counted; callgrind said:\n{log}");
    };
    instructions / units
}

fn listing(counts: &[f64]) -> String {
    let mut text =
        format!("# Instructions, by {}; `cargo bench --bench instructions -- --bless`.\n", compiler());
    for ((name, unit, _), count) in BENCHES.iter().zip(counts) {
        writeln!(text, "{name} {count:.1} per {unit}").expect("a string takes everything");
    }
    text
}

fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output();
    version
        .map_or_else(|_| "an unknown rustc".into(), |v| String::from_utf8_lossy(&v.stdout).trim().to_owned())
}

/// Prints the table. Returns `true` if no count is too high.
fn compare(counts: &[f64]) -> bool {
    let text = std::fs::read_to_string(Path::new(FILE)).unwrap_or_default();
    let known = |name: &str| -> Option<f64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        line.split(' ').next()?.parse().ok()
    };
    let mut good = true;
    println!("{:20}{:>12}{:>12}{:>10}   instructions per", "", "expected", "now", "change");
    for ((name, unit, _), &now) in BENCHES.iter().zip(counts) {
        let Some(before) = known(name) else {
            println!("{name:20}{:>12}{now:>12.1}{:>10}   {unit}   NOT LISTED", "-", "-");
            good = false;
            continue;
        };
        let change = now / before - 1.0;
        let verdict = match change {
            _ if change > TOLERANCE => "   TOO DEAR",
            _ if change < -TOLERANCE => "   cheaper: bless it",
            _ => "",
        };
        good &= change <= TOLERANCE;
        println!("{name:20}{before:>12.1}{now:>12.1}{:>+9.1}%   {unit}{verdict}", 100.0 * change);
    }
    let of = |name: &str| {
        BENCHES.iter().zip(counts).find(|(bench, _)| bench.0 == name).map_or(0.0, |(_, count)| *count)
    };
    let slicing = of("tree-pruned-by-100") / of("tree-pruned") - 1.0;
    println!("slices of 100 cost {:+.2} % (at most {:.0})", 100.0 * slicing, 100.0 * SLICING);
    good &= slicing < SLICING;
    if !good {
        println!(
            "If this is meant, or due to another compiler ({} here), `-- --bless` and say why.",
            compiler()
        );
        println!("{}", text.lines().next().unwrap_or("there is no instructions.txt"));
    }
    good
}

/// Runs the work that callgrind measures. Not generic, so that its name is one symbol that no other contains.
#[inline(never)]
fn measured_region(work: &mut dyn FnMut()) {
    work();
}

/// Measures the second of two runs: the first takes the pages.
fn measured<T>(mut work: impl FnMut() -> T) -> T {
    black_box(work());
    let mut result = None;
    measured_region(&mut || result = Some(work()));
    result.expect("the work was done")
}

fn cave() -> Case {
    Case::cave(256, 1, 4)
}

fn flat(kind: OpenKind, prune: bool) -> u64 {
    let Case { grid, problems, .. } = cave();
    search(&grid, &problems, kind, prune)
}

fn search<G: Graph>(graph: &G, problems: &[(NodeId, NodeId)], kind: OpenKind, prune: bool) -> u64 {
    let mut search = Search::new(FlatTable::new(graph.bound()), kind, graph.bound(), graph.max_f_increase());
    let mut pools = Pools::new();
    measured(|| {
        let mut expansions = 0;
        for &(from, to) in problems {
            let meter = &mut Meter::unlimited();
            let mut tools = SearchTools { meter, pools: &mut pools, probe: black_box(None) };
            search.start(from, graph.h(from, to), &mut tools);
            let h = |_: &mut FlatTable, n| graph.h(n, to);
            if prune {
                search.run(|n, p| graph.pruned_successors(n, p), h, to, &mut tools);
            } else {
                search.run(|n, _| graph.succs(n), h, to, &mut tools);
            }
            expansions += tools.meter.work()[WorkKind::Expand];
        }
        expansions
    })
}

fn tree(open: OpenKind, prune: bool, budget: Option<u64>) -> u64 {
    let Case { grid, problems, .. } = cave();
    let mut planner = AStar::new(AStarConfig { direction: Direction::Forward, open, prune }, &grid);
    let mut scratch = Scratch::new();
    measured(|| {
        problems.iter().map(|&(at, goal)| solve(&mut planner, &grid, at, goal, budget, &mut scratch)).sum()
    })
}

/// Executes steps until the first move. Returns the number of expansions.
fn solve<G: ReverseGraph>(
    planner: &mut AStar,
    graph: &G,
    at: NodeId,
    goal: NodeId,
    budget: Option<u64>,
    scratch: &mut Scratch,
) -> u64 {
    let changes = &ChangeLog::new();
    let mut expansions = 0;
    loop {
        let meter = &mut Meter::priced(budget.unwrap_or(u64::MAX), Prices::PAPERS);
        let step = StepContext::new(graph, at, goal, meter, scratch).with_changes(changes);
        let decision = planner.step(step);
        expansions += meter.work()[WorkKind::Expand];
        if decision != Decision::Wait {
            return expansions;
        }
    }
}

fn csr() -> u64 {
    let Case { grid, problems, .. } = cave();
    let mut builder = CsrBuilder::new(grid.bound());
    for n in (0..grid.bound()).map(NodeId::from_index) {
        for e in grid.succs(n) {
            builder.edge(n, e.to, e.cost);
        }
    }
    search(&builder.build().expect("a small graph"), &problems, OpenKind::Ring, false)
}

/// Walks with Corner TBA* from start to goal. Returns the number of expanded corners.
fn corner_tba(budget: Option<u64>) -> u64 {
    let Case { grid, problems, .. } = cave();
    let grid = grid.with_corners();
    let mut planner = CornerTba::new(OffPathPolicy::Choose, &grid);
    let (mut scratch, changes) = (Scratch::new(), ChangeLog::new());
    measured(|| {
        let mut expansions = 0;
        for &(mut at, goal) in &problems {
            planner.reset(Reset::Full);
            while at != goal {
                let meter = &mut Meter::priced(budget.unwrap_or(u64::MAX), Prices::PAPERS);
                let mut step = StepContext::new(&grid, at, goal, meter, &mut scratch).with_changes(&changes);
                step.probe = black_box(None);
                if let Decision::Go(next) = planner.step(step) {
                    at = next;
                }
                expansions += meter.work()[WorkKind::Expand];
            }
        }
        expansions
    })
}

fn corner_path() -> u64 {
    let Case { grid, problems, .. } = cave();
    let grid = grid.with_corners();
    let corners = grid.corners().expect("a plain grid");
    let mut search = CornerPaths::new(&grid);
    measured(|| {
        for &(from, to) in &problems {
            drop(black_box(search.path(corners, &grid, from, to)));
        }
    });
    problems.len() as u64
}

fn corners_new() -> u64 {
    let Case { grid, .. } = cave();
    measured(|| drop(black_box(Corners::new(&grid))));
    256 * 256
}

/// Closes and opens cells of a cave with an index.
fn corners_set() -> u64 {
    let Case { grid, .. } = cave();
    edited(&mut grid.with_corners(), |_, _| {})
}

/// Executes the first steps of a learner on each problem. Returns the number of steps that planned.
fn learner(spec: &str, look_ahead: u64) -> u64 {
    let Case { grid, problems, .. } = cave();
    let spec: Spec = spec.parse().expect("a planner of the registry");
    let mut planner = spec.build(&grid).expect("a planner for grids");
    let (mut scratch, changes) = (Scratch::new(), ChangeLog::new());
    measured(|| {
        let mut calls = 0;
        for &(mut at, goal) in &problems {
            planner.reset(Reset::Full);
            for _ in 0..500 {
                let meter = &mut Meter::priced(look_ahead, Prices::PAPERS);
                let mut step = StepContext::new(&grid, at, goal, meter, &mut scratch).with_changes(&changes);
                step.probe = black_box(None);
                if let Decision::Go(next) = planner.step(step) {
                    at = next;
                }
                calls += u64::from(meter.work()[WorkKind::Expand] > 0);
            }
        }
        calls
    })
}

/// Returns a fleet of `units` units in a cave, each with a goal of its own, and their starts.
fn crowd(units: usize) -> (Fleet, Vec<UnitId>, Vec<NodeId>) {
    let Case { grid, .. } = cave();
    let cells: Vec<NodeId> = (0..grid.bound()).map(NodeId::from_index).filter(|&n| grid.is_free(n)).collect();
    let starts: Vec<NodeId> = cells.iter().copied().step_by(cells.len() / units).take(units).collect();
    let mut fleet = Fleet::new(Map::from(grid));
    let spawned = starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell"));
    let ids: Vec<UnitId> = spawned.collect();
    send(&mut fleet, &ids, &starts, 7919);
    (fleet, ids, starts)
}

/// Sends units to each other's cells; `stride` is a prime that does not divide their number.
fn send(fleet: &mut Fleet, ids: &[UnitId], cells: &[NodeId], stride: usize) {
    for (k, &unit) in ids.iter().enumerate() {
        fleet.order(&[unit], Goal::at(cells[(k * stride + 1) % cells.len()]));
    }
}

/// Measures moving a unit that knows its route, among many.
fn fleet_moves() -> u64 {
    let (mut fleet, ids, _) = crowd(1500);
    while fleet.summary().seeking > 0 || fleet.ticks() == 0 {
        fleet.tick(100_000);
    }
    measured(|| (0..10).for_each(|_| drop(fleet.tick(1))));
    10 * ids.len() as u64
}

/// Measures searches by the work that they report: few units, with new goals repeatedly.
fn fleet_searches() -> u64 {
    let (mut fleet, ids, cells) = crowd(50);
    let mut strides = [7879, 7883, 7901, 7907].into_iter();
    measured(|| {
        let mut work = 0;
        for stride in strides.by_ref().take(2) {
            send(&mut fleet, &ids, &cells, stride);
            for _ in 0..10 {
                drop(fleet.tick(2000));
                work += fleet.summary().work;
            }
        }
        work
    })
}

fn map_parse() -> u64 {
    let map = fleetfoot_sim::generate::cave::generate(256, 256, 1).expect("a cave").map;
    let mut bytes = Vec::new();
    write_map_to(&mut bytes, &map).expect("a vector takes everything");
    measured(|| drop(black_box(parse_map(&bytes))));
    256 * 256
}

fn grid_new() -> u64 {
    let Case { grid, .. } = cave();
    let free = |x, y| grid.node(x, y).map_or(0, |n| grid.weight(n));
    measured(|| drop(black_box(Grid::new(256, 256, grid.rules(), free))));
    256 * 256
}

/// Closes and opens cells of a cave, with or without updating the component index.
fn edits(with_index: bool) -> u64 {
    let Case { mut grid, .. } = cave();
    let mut index = Components::new(&grid);
    edited(&mut grid, |grid, n| {
        if with_index {
            index.update_after_edit(grid, n);
            while !index.repair(grid, 256) {}
        }
    })
}

/// Closes and opens some free cells. Returns the number of edits.
fn edited(grid: &mut Grid, mut then: impl FnMut(&Grid, NodeId)) -> u64 {
    let cells: Vec<NodeId> =
        (0..grid.bound()).step_by(97).map(NodeId::from_index).filter(|&n| grid.is_free(n)).collect();
    let mut log = ChangeLog::new();
    let mut edit = |grid: &mut Grid, n, weight| {
        grid.set(n, weight, &mut log).expect("a free cell");
        then(grid, n);
    };
    measured(|| {
        for &n in &cells {
            edit(grid, n, 0);
        }
        for &n in &cells {
            edit(grid, n, 1);
        }
    });
    2 * cells.len() as u64
}

/// Measures a search to an adjacent goal: the cost of starting a search.
fn start() -> u64 {
    let Case { grid, problems, .. } = cave();
    let mut planner = AStar::new(AStarConfig::default(), &grid);
    let mut scratch = Scratch::new();
    let (at, _) = problems[0];
    let goals: Vec<NodeId> = grid.succs(at).map(|e| e.to).collect();
    let mut turns = goals.iter().cycle();
    measured(|| {
        for _ in 0..100 {
            let goal = *turns.next().expect("the cave's cells have neighbors");
            solve(&mut planner, &grid, at, goal, None, &mut scratch);
        }
    });
    100
}

fn spec_parse() -> u64 {
    measured(|| {
        for _ in 0..100 {
            drop(black_box(
                "repeated-astar( direction = backward, open=heap, ties=smaller-g )".parse::<Spec>(),
            ));
        }
    });
    100
}

/// Returns a planner in mid-search, and its saved bytes.
fn paused(grid: &Grid, (at, goal): (NodeId, NodeId)) -> (Spec, AStar, registry::SavedPlanner) {
    let spec: Spec = "astar".parse().expect("a spec");
    let mut planner = AStar::new(AStarConfig::default(), grid);
    let (meter, scratch) = (&mut Meter::priced(1000, Prices::PAPERS), &mut Scratch::new());
    planner.step(StepContext::new(grid, at, goal, meter, scratch));
    let saved = registry::SavedPlanner::new(&spec, &planner, grid);
    (spec, planner, saved)
}

fn save() -> u64 {
    let Case { grid, problems, .. } = cave();
    let (spec, planner, saved) = paused(&grid, problems[0]);
    measured(|| drop(black_box(registry::SavedPlanner::new(&spec, &planner, &grid))));
    saved.bytes.len() as u64
}

fn restore() -> u64 {
    let Case { grid, problems, .. } = cave();
    let (_, _, saved) = paused(&grid, problems[0]);
    measured(|| drop(black_box(saved.restore(&grid).expect("we saved it"))));
    saved.bytes.len() as u64
}
