//! What each rule of the fleet contributes: every case is run with all rules, and once more without each of them.
//!
//! Work is limited by a budget, not by time, so that every figure can be made again.

use std::path::{Path, PathBuf};
use std::time::Instant;

use fleetfoot::Neighborhood::{self, Eight, Four};
use fleetfoot::fleet::{Fleet, FleetConfig, Goal, TeamId, UnitId, Vision};
use fleetfoot::{Grid, Map, NodeId};
use fleetfoot_sim::formats::map::read_map;
use fleetfoot_sim::generate::{cave, rooms::Rooms};
use fleetfoot_sim::map::GridMap;
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance::{self, Instance, Lifelong, joined, some};
use fleetfoot_testkit::fleet::rules::RULES;
use fleetfoot_testkit::fleet::solvable;
use fleetfoot_testkit::worlds::random_grid;

use crate::BUDGET;

/// Seeds of a case. One-shot cases are short and depend much on chance. The quick form takes the first one only.
const SEEDS: u64 = 3;
const ONCE_SEEDS: u64 = 12;
/// A case with goals that are not all reached ends after this number of ticks.
const MOST_TICKS: u64 = 4000;

/// What units are sent for.
enum Orders {
    /// One task after another, for this number of ticks. Scored by tasks.
    Lifelong(Vec<NodeId>, u64),
    /// Each to a goal. Scored by ticks until all are there at the same time.
    Once(Vec<NodeId>),
    /// All near one cell. Scored by ticks until all are there.
    Near(NodeId),
}

/// Units on a map.
struct Scene {
    grid: Grid,
    starts: Vec<NodeId>,
    orders: Orders,
    /// How far every second unit sees, which is then of a team in the fog.
    sight: Option<u32>,
}

/// A name, the number of seeds, and a function from the seed to the scene.
struct Case {
    name: &'static str,
    seeds: u64,
    make: Box<dyn Fn(u64) -> Scene>,
}

fn lifelong(name: &'static str, units: usize, ticks: u64, grid: impl Fn(u64) -> Grid + 'static) -> Case {
    let make = move |seed| {
        let Lifelong { grid, starts, tasks } = Lifelong::random(grid(seed), units, 40_000, seed);
        Scene { grid, starts, orders: Orders::Lifelong(tasks, ticks), sight: None }
    };
    Case { name, seeds: SEEDS, make: Box::new(make) }
}

fn once(name: &'static str, instance: impl Fn(u64) -> Instance + 'static) -> Case {
    let make = move |seed| {
        let Instance { grid, starts, goals } = instance(seed);
        Scene { grid, starts, orders: Orders::Once(goals), sight: None }
    };
    Case { name, seeds: ONCE_SEEDS, make: Box::new(make) }
}

fn near(name: &'static str, units: usize, sight: Option<u32>, grid: impl Fn(u64) -> Grid + 'static) -> Case {
    let make = move |seed| {
        let grid = grid(seed);
        let (mut rng, cells) = (Rng::new(seed), joined(&grid));
        let starts = some(&mut rng, &cells, units);
        Scene { orders: Orders::Near(rng.pick(&cells)), grid, starts, sight }
    };
    Case { name, seeds: ONCE_SEEDS / 2, make: Box::new(make) }
}

/// A dead-end passage with one place to pass, and three units: instances that have a solution.
fn puzzle(seed: u64) -> Instance {
    let grid = instance::grid_of(&[".@@@", "....", ".@@@", ".@@@", ".@@@"], Four);
    let mut random = (1000 * seed..).map(|seed| Instance::random(grid.clone(), 3, seed));
    let is_solvable = |i: &Instance| solvable::makespan(&i.grid, &i.starts, &i.goals).is_some();
    random.find(is_solvable).expect("most have a solution")
}

fn clutter(side: u32, percent: u32, neighborhood: Neighborhood) -> impl Fn(u64) -> Grid {
    move |seed| random_grid(&mut Rng::new(seed), (side, side), instance::rules(neighborhood), percent, 1)
}

fn of_map(map: &GridMap, neighborhood: Neighborhood) -> Grid {
    let weight = |x, y| u8::from(map.passable(x, y));
    Grid::new(map.width(), map.height(), instance::rules(neighborhood), weight).expect("a map of grid size")
}

fn cave_of(side: u32) -> impl Fn(u64) -> Grid {
    move |seed| of_map(&cave::generate(side, side, seed).expect("a cave").map, Eight)
}

fn rooms_of(side: u32, room: u32, neighborhood: Neighborhood) -> impl Fn(u64) -> Grid {
    move |seed| {
        let (width, height) = (side, side);
        let rooms = Rooms { width, height, size: room, door_percent: 70, centred: false, connected: true };
        of_map(&rooms.generate(seed).expect("rooms").map, neighborhood)
    }
}

/// Repeats a picture downwards and to the right, with a rim of free cells.
fn tiles(tile: &[&str], (across, down): (usize, usize), neighborhood: Neighborhood) -> Grid {
    let rows = tile.iter().cycle().take(tile.len() * down).map(|row| row.repeat(across) + ".");
    let lines: Vec<String> = rows.chain([".".repeat(tile[0].len() * across + 1)]).collect();
    instance::grid_of(&lines.iter().map(String::as_str).collect::<Vec<_>>(), neighborhood)
}

/// Halls joined by passages one cell wide.
fn halls(neighborhood: Neighborhood) -> Grid {
    let (hall, wall) = (".........", "@@@@@@@@@@@@@@");
    let closed = [hall, wall, hall, wall, hall].concat();
    let open = [hall, &".".repeat(14), hall, &".".repeat(14), hall].concat();
    let lines: Vec<&str> = (0..15).map(|y| if y % 5 == 2 { &open[..] } else { &closed[..] }).collect();
    instance::grid_of(&lines, neighborhood)
}

/// The cases that need no files.
fn generated() -> Vec<Case> {
    const AISLES: [&str; 3] = ["..........", ".@@@@@@@@@", ".@@@@@@@@@"];
    const STREETS: [&str; 8] =
        ["........", "........", "..@@@@@@", "..@@@@@@", "..@@@@@@", "..@@@@@@", "..@@@@@@", "..@@@@@@"];
    vec![
        lifelong("clutter 20 %, 4 moves", 300, 1000, clutter(32, 20, Four)),
        lifelong("clutter 30 %, 4 moves", 150, 2000, clutter(32, 30, Four)),
        lifelong("clutter 20 %, large, 4 moves", 1200, 300, clutter(96, 20, Four)),
        lifelong("clutter 30 %, large", 800, 300, clutter(96, 30, Eight)),
        lifelong("cave", 900, 300, cave_of(128)),
        lifelong("rooms", 900, 300, rooms_of(100, 9, Eight)),
        lifelong("rooms, 4 moves", 250, 500, rooms_of(50, 6, Four)),
        Case { seeds: 6, ..lifelong("maze", 40, 2000, |seed| instance::maze(41, seed, Eight)) },
        lifelong("aisles, 4 moves", 220, 500, |_| tiles(&AISLES, (6, 10), Four)),
        lifelong("streets", 700, 300, |_| tiles(&STREETS, (9, 9), Eight)),
        lifelong("halls", 120, 600, |_| halls(Eight)),
        lifelong("halls, 4 moves", 120, 600, |_| halls(Four)),
        lifelong("open", 1400, 200, |_| tiles(&["."], (50, 50), Eight)),
        once("corridor 1", |_| Instance::streams(50, 1, 30, Eight)),
        once("corridor 1, 4 moves", |_| Instance::streams(50, 1, 30, Four)),
        once("corridor 2", |_| Instance::streams(50, 2, 30, Eight)),
        once("corridor 3, 4 moves", |_| Instance::streams(50, 3, 30, Four)),
        once("doorway, 4 moves", |_| Instance::streams(100, 1, 1, Four)),
        once("crossing", |_| Instance::crossing(40, 4, Eight)),
        once("field, 4 moves", |_| Instance::field(300, Four)),
        Case {
            seeds: SEEDS,
            ..once("maze, large, once", |seed| Instance::random(instance::maze(101, seed, Eight), 130, seed))
        },
        Case {
            seeds: SEEDS,
            ..once("maze, large, once, 4 moves", |seed| {
                Instance::random(instance::maze(129, seed, Four), 120, seed)
            })
        },
        once("maze, once, 4 moves", |seed| Instance::random(instance::maze(41, seed, Four), 24, seed)),
        Case { seeds: 4 * ONCE_SEEDS, ..once("puzzles, 4 moves", puzzle) },
        Case { seeds: SEEDS, ..once("field, large, 4 moves", |_| Instance::field(800, Four)) },
        Case { seeds: SEEDS, ..once("crossing, large, 4 moves", |_| Instance::crossing(400, 10, Four)) },
        Case { seeds: SEEDS, ..once("corridor 4, large, 4 moves", |_| Instance::streams(500, 4, 40, Four)) },
        lifelong("streets, 4 moves", 700, 300, |_| tiles(&STREETS, (9, 9), Four)),
        once("clutter 25 %, once, 4 moves", |seed| Instance::random(clutter(32, 25, Four)(seed), 200, seed)),
        near("rally, cave", 500, None, cave_of(100)),
        near("rally, rooms", 300, None, rooms_of(60, 7, Eight)),
        near("rally, clutter, 4 moves", 300, None, clutter(40, 28, Four)),
        near("rally, maze", 120, None, |seed| instance::maze(41, seed, Eight)),
        near("rally, two teams", 160, Some(8), clutter(60, 30, Four)),
        near("rally, large clutter", 900, None, clutter(90, 30, Eight)),
    ]
}

/// The cases of public benchmarks: `maps/` and `lifelong/` in `folder`.
fn of_mapf(folder: &Path) -> Vec<Case> {
    let lists = [
        ("random_100", "random-32-32-20", "random_100", 500),
        ("random_400", "random-32-32-20", "random_400", 1000),
        ("random_800", "random-32-32-20", "random_800", 2000),
        ("warehouse_small_800", "warehouse_small", "warehouse_small", 400),
        ("paris_1000", "Paris_1_256", "paris_1000", 250),
    ];
    let mut all: Vec<Case> = Vec::new();
    for (agents, map, tasks, ticks) in lists {
        let folder = folder.to_path_buf();
        let make = move |_| {
            let read = Lifelong::read(&folder, (map, agents, tasks), Four);
            let Lifelong { grid, starts, tasks } = read.unwrap_or_else(|error| panic!("{error}"));
            Scene { grid, starts, orders: Orders::Lifelong(tasks, ticks), sight: None }
        };
        all.push(Case { name: agents, seeds: SEEDS, make: Box::new(make) });
    }
    for (name, map, units, neighborhood, seeds) in [
        ("random-32-32-20, once", "random-32-32-20", 400, Four, ONCE_SEEDS),
        ("maze-128-128-2, once", "maze-128-128-2", 300, Four, SEEDS),
        ("room-64-64-8, once", "room-64-64-8", 500, Four, ONCE_SEEDS),
        ("den312d, once", "den312d", 500, Eight, ONCE_SEEDS),
    ] {
        let path = folder.join(format!("maps/{map}.map"));
        let read = move |seed| {
            let grid = instance::read_map(&path, neighborhood).unwrap_or_else(|error| panic!("{error}"));
            Instance::random(grid, units, seed)
        };
        all.push(Case { seeds, ..once(name, read) });
    }
    all
}

/// Lifelong cases on game maps and streets.
fn of_maps(folder: &Path) -> Vec<Case> {
    let maps = ["bg512/AR0400SR", "sc1/Aurora", "dao/den501d", "street/Berlin_0_512", "room/8room_000"];
    let of_map_file = |name: &'static str| {
        let path = folder.join(format!("{name}.map"));
        let read = move |_| {
            let map = read_map(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            of_map(&map, Eight)
        };
        Case { seeds: 1, ..lifelong(name, 1500, 200, read) }
    };
    maps.into_iter().map(of_map_file).collect()
}

/// Runs a scene, and returns its score: tasks in a tick, or 1 by ticks. More is better.
fn score(scene: &Scene, seed: u64, change: impl FnOnce(&mut FleetConfig)) -> f64 {
    let mut config = FleetConfig::default();
    config.resolver.seed = seed;
    change(&mut config);
    let mut fleet = Fleet::with(Map::from(scene.grid.clone()), config);
    let second = scene.sight.map(|radius| fleet.add_team(Vision::Radius(radius)).expect("a second team"));
    let teams = [TeamId::FIRST, second.unwrap_or(TeamId::FIRST)];
    let spawn = |(k, &start): (usize, &NodeId)| {
        fleet.spawn(teams[k % 2], start).expect("starts are free and different")
    };
    let units: Vec<UnitId> = scene.starts.iter().enumerate().map(spawn).collect();
    match &scene.orders {
        Orders::Lifelong(tasks, ticks) => {
            let task = |k: usize| tasks[k % tasks.len()];
            let mut next: Vec<usize> = (0..units.len()).collect();
            for (&unit, &k) in units.iter().zip(&next) {
                fleet.order(&[unit], Goal::at(task(k)));
            }
            let mut finished = 0;
            for _ in 0..*ticks {
                fleet.tick(BUDGET);
                for (&unit, k) in units.iter().zip(&mut next) {
                    if fleet.at(unit) == Some(task(*k)) {
                        finished += 1;
                        *k += units.len();
                        fleet.order(&[unit], Goal::at(task(*k)));
                    }
                }
            }
            f64::from(finished) / *ticks as f64
        }
        Orders::Once(goals) => {
            for (&unit, &goal) in units.iter().zip(goals) {
                fleet.order(&[unit], Goal::at(goal));
            }
            let are_there =
                |fleet: &Fleet| units.iter().zip(goals).all(|(&u, &goal)| fleet.at(u) == Some(goal));
            1.0 / until(&mut fleet, are_there) as f64
        }
        Orders::Near(goal) => {
            fleet.order(&units, Goal::near(*goal));
            let are_there = |fleet: &Fleet| units.iter().all(|&u| fleet.goal(u) == fleet.at(u));
            1.0 / until(&mut fleet, are_there) as f64
        }
    }
}

/// Runs ticks until a condition holds, and returns their number.
fn until(fleet: &mut Fleet, is_over: impl Fn(&Fleet) -> bool) -> u64 {
    (1..MOST_TICKS)
        .find(|_| {
            fleet.tick(BUDGET);
            is_over(fleet)
        })
        .unwrap_or(MOST_TICKS)
}

/// What a rule contributes to a case: the mean over seeds of log(with ÷ without), and its standard error.
#[derive(Clone, Copy)]
struct Gain {
    mean: f64,
    error: f64,
}

impl Gain {
    fn new(with: &[f64], without: &[f64]) -> Self {
        let logs: Vec<f64> = with.iter().zip(without).map(|(with, without)| (with / without).ln()).collect();
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let squares = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
        let error = if logs.len() > 1 { (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
        Self { mean, error }
    }

    /// Returns the gain in percent.
    fn percent(self) -> f64 {
        (self.mean.exp() - 1.0) * 100.0
    }

    /// Returns `true` if the gain differs from zero by at least two standard errors.
    fn is_clear(self) -> bool {
        self.mean.abs() >= 2.0 * self.error
    }
}

/// Runs cases, and prints what each rule contributes. `words` names rules and cases; all of those if it names none. `quick`
/// runs one seed of each generated case, and a number that many seeds of every case.
pub(crate) fn print(words: &[&str]) {
    let is_quick = words.contains(&"quick");
    let seeds = words.iter().find_map(|word| word.parse().ok()).or(is_quick.then_some(1));
    let is_name = |word: &&&str| **word != "quick" && word.parse::<u64>().is_err();
    let only: Vec<&str> = words.iter().filter(is_name).copied().collect();
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|_| !is_quick);
    let mut cases = generated();
    cases.extend(folder("FLEETFOOT_MAPF").iter().flat_map(|folder| of_mapf(folder)));
    cases.extend(folder("FLEETFOOT_MAPS").iter().flat_map(|folder| of_maps(folder)));
    let mut rules: Vec<_> = RULES.iter().collect();
    let is_known =
        |word: &&str| rules.iter().any(|r| r.name == *word) || cases.iter().any(|c| c.name == *word);
    if let Some(wrong) = only.iter().find(|word| !is_known(word)) {
        let names: Vec<&str> = rules.iter().map(|r| r.name).chain(cases.iter().map(|c| c.name)).collect();
        eprintln!("there is no rule or case {wrong}; choose of {}", names.join("; "));
        std::process::exit(2);
    }
    if rules.iter().any(|rule| only.contains(&rule.name)) {
        rules.retain(|rule| only.contains(&rule.name));
    }
    if cases.iter().any(|case| only.contains(&case.name)) {
        cases.retain(|case| only.contains(&case.name));
    }
    println!(
        "Gain of each rule in percent: tasks with it ÷ tasks without it, or ticks without it ÷ ticks with it."
    );
    println!("After ±: the standard error over the seeds. {BUDGET} expansions a tick.\n");
    let names: Vec<&str> = rules.iter().map(|rule| rule.name).collect();
    println!("| case | score | {} |\n|---|---:|{}", names.join(" | "), "---:|".repeat(names.len()));
    let mut gains: Vec<Vec<Gain>> = vec![Vec::new(); rules.len()];
    let begun = Instant::now();
    for case in &cases {
        let seeds = seeds.unwrap_or(case.seeds);
        let scenes: Vec<(u64, Scene)> = (1..=seeds).map(|seed| (seed, (case.make)(seed))).collect();
        let scores = |change: fn(&mut FleetConfig)| -> Vec<f64> {
            scenes.iter().map(|(seed, scene)| score(scene, *seed, change)).collect()
        };
        let with = scores(|_| {});
        let mean = with.iter().sum::<f64>() / with.len() as f64;
        let (mean, unit) = match scenes[0].1.orders {
            Orders::Lifelong(..) => (mean, "a tick"),
            _ => (1.0 / mean, "ticks"),
        };
        print!("| {} | {mean:.4} {unit} |", case.name);
        for (rule, gains) in rules.iter().zip(&mut gains) {
            let gain = Gain::new(&with, &scores(rule.switch_off));
            gains.push(gain);
            print!(" {:.1} ± {:.1} |", gain.percent(), gain.error * 100.0);
        }
        println!();
        eprintln!("{}: {:.0} s", case.name, begun.elapsed().as_secs_f64());
    }
    println!("\n| rule | mean | most | where | least | where | clear gains of 2 % | clear losses of 2 % |");
    println!("|---|---:|---:|---|---:|---|---:|---:|");
    for (rule, gains) in rules.iter().zip(&gains) {
        let all = || gains.iter().zip(&cases);
        let order = |a: &(&Gain, &Case), b: &(&Gain, &Case)| a.0.mean.total_cmp(&b.0.mean);
        let (Some(most), Some(least)) = (all().max_by(order), all().min_by(order)) else { continue };
        let count = |is_meant: &dyn Fn(f64) -> bool| {
            gains.iter().filter(|gain| gain.is_clear() && is_meant(gain.percent())).count()
        };
        let mean =
            Gain { mean: gains.iter().map(|gain| gain.mean).sum::<f64>() / gains.len() as f64, error: 0.0 };
        println!(
            "| {} | {:.1} | {:.1} | {} | {:.1} | {} | {} | {} |",
            rule.name,
            mean.percent(),
            most.0.percent(),
            most.1.name,
            least.0.percent(),
            least.1.name,
            count(&|percent| percent >= 2.0),
            count(&|percent| percent <= -2.0),
        );
    }
}
