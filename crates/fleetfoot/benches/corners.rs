//! Measures the index of corners and Corner TBA*, on maps named by `FLEETFOOT_MAPS` (folders of `MovingAI` maps with
//! scenarios).
//!
//! - `cargo bench --bench corners -- walks SET LEAST WORLD BUDGETS [papers]`: mean ratio, ticks, expansions and
//!   memory by budget. `WORLD` as in the program: `known`, `unknown`, `unknown(radius=7)`, `dynamic(FILE)`.
//! - `cargo bench --bench corners -- index SET`: building, edits, memory, and whole queries compared with A* on
//!   cells.
//! - `cargo bench --bench corners -- doors SET`: how many expansions landmarks save before and after 1,000 random edits.
//! - `cargo bench --bench corners -- prices SET`: time of expansions, connections and scanned words.
//!
//! Eight neighbors; four with `FLEETFOOT_MOVES=4`.
//!
//! Every time is the minimum over repeats, which removes the influence of the scheduler.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use fleetfoot::corners::Scan;
use fleetfoot::planners::{AStar, AStarConfig, CornerTba, OffPathPolicy};
use fleetfoot::{
    ChangeLog, Grid, LandmarkMode, Map, MapConfig, Meter, Neighborhood, NodeId, Planner, PlannerState,
    Prices, Reset, Rules, Scratch, StepContext, WorkKind, shortest_path,
};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::episode::{RunLimits, Runner, Task};
use fleetfoot_sim::formats::map::read_map;
use fleetfoot_sim::formats::scen::{Problem, read_scen};
use fleetfoot_sim::metrics::Outcome;
use fleetfoot_sim::world::WorldSpec;

const PROBLEMS_PER_MAP: usize = 15;

struct Place {
    name: String,
    grid: Grid,
    problems: Vec<Problem>,
}

fn places(set: &str, lengths: std::ops::Range<f64>) -> Vec<Place> {
    let root = std::env::var("FLEETFOOT_MAPS").expect("FLEETFOOT_MAPS names the folder of map sets");
    let all = Path::new(&root).join(set);
    let mut maps: Vec<PathBuf> = if all.is_dir() {
        std::fs::read_dir(&all).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
    } else {
        vec![all]
    };
    maps.retain(|path| path.extension().is_some_and(|ext| ext == "map"));
    maps.sort();
    maps.iter().map(|path| place(path, &lengths)).collect()
}

/// Returns rules with eight neighbors, or four if `FLEETFOOT_MOVES` is 4.
fn rules() -> Rules {
    let four = std::env::var("FLEETFOOT_MOVES").is_ok_and(|moves| moves == "4");
    Rules { neighborhood: if four { Neighborhood::Four } else { Neighborhood::Eight }, ..Rules::default() }
}

fn place(path: &Path, lengths: &std::ops::Range<f64>) -> Place {
    let map = read_map(path).expect("a map");
    // Without an index: searches on cells must not search corners.
    let free = |x, y| u8::from(map.passable(x, y));
    let grid = Grid::new(map.width(), map.height(), rules(), free).expect("a grid");
    let mut problems = read_scen(path.with_extension("map.scen")).unwrap_or_default();
    problems.retain(|problem| lengths.contains(&problem.optimal));
    let every = (problems.len() / PROBLEMS_PER_MAP).max(1);
    let problems = problems.into_iter().step_by(every).take(PROBLEMS_PER_MAP).collect();
    Place { name: path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into()), grid, problems }
}

#[derive(Default)]
struct Sums {
    runs: f64,
    arrived: f64,
    ratio: f64,
    ticks: f64,
    expansions: f64,
    scans: f64,
    searches: f64,
    memory: f64,
    first: f64,
    nanos: f64,
}

fn walks(places: &[Place], world: &str, budget: Budget, prices: Prices) {
    let (mut sums, mut runner, mut scratch) = (Sums::default(), Runner::new(), Scratch::new());
    for place in places {
        let grid = Arc::new(place.grid.clone().with_landmarks());
        let world = world.parse::<WorldSpec>().expect("a world").load(&grid, 1..=1).expect("a world");
        for problem in &place.problems {
            let trip = Task::new(&world, problem.start, problem.goal).expect("a problem of the map");
            let Some(optimal) = trip.optimal(&mut scratch) else { continue };
            let mut planner = CornerTba::new(OffPathPolicy::Choose, world.graph());
            let terms = RunLimits { prices, max_steps: Some(200_000), ..RunLimits::new(budget) };
            let run = runner.run(&trip, &terms, &mut planner).expect("no foul");
            let stats = planner.stats();
            sums.runs += 1.0;
            sums.arrived += f64::from(u8::from(run.outcome == Outcome::Arrived));
            sums.ratio += run.ratio(optimal, Rules::default().diagonal);
            sums.ticks += run.steps as f64;
            sums.expansions += run.work[WorkKind::Expand] as f64;
            sums.scans += run.work[WorkKind::Scan] as f64;
            sums.searches += stats.searches as f64;
            sums.memory += stats.memory_bytes as f64 / 1024.0;
            sums.first += run.first_move as f64;
            sums.nanos += run.plan_ns_total as f64;
            planner.release(runner.scratch());
        }
    }
    let n = sums.runs;
    println!(
        "{budget:?} {n} runs, {} arrived: ratio {:.4} ticks {:.1} expansions {:.1} scans {:.0} searches {:.2} memory {:.1} KB first {:.2} us/run {:.1}",
        sums.arrived,
        sums.ratio / n,
        sums.ticks / n,
        sums.expansions / n,
        sums.scans / n,
        sums.searches / n,
        sums.memory / n,
        sums.first / n,
        sums.nanos / n / 1000.0
    );
}

/// Returns the minimum time over repeats, in microseconds.
fn least<T>(repeats: usize, mut act: impl FnMut() -> T) -> f64 {
    let time = || {
        let begun = Instant::now();
        black_box(act());
        begun.elapsed().as_nanos() as f64 / 1000.0
    };
    std::iter::repeat_with(time).take(repeats).fold(f64::INFINITY, f64::min)
}

/// Measures the cost of an index of corners with landmarks, and its benefit for whole queries.
fn index(place: &Place) {
    let grid = &place.grid;
    let build = least(5, || grid.clone().with_corners()) - least(5, || grid.clone());
    let with_landmarks = least(3, || grid.clone().with_landmarks()) - least(3, || grid.clone());
    let plain_index = grid.clone().with_corners();
    let mut indexed = grid.clone().with_landmarks();
    let count = indexed.corners().expect("a plain grid").len() as f64;
    let bytes = (indexed.memory_bytes() - plain_index.memory_bytes()) as f64 / count;
    // Edits of cells near obstacles, where doors and walls are, and of random cells.
    let median = |grid: &mut Grid| {
        let mut edits: Vec<f64> = (0..200_u64).map(|k| edit(grid, k)).collect();
        edits.sort_by(f64::total_cmp);
        while !grid.repair_corners(1000) {}
        edits[edits.len() / 2]
    };
    let edits = [median(&mut plain_index.clone()), median(&mut indexed)];
    let (mut plain, mut over_corners, mut worst) = (0.0, 0.0, 0.0_f64);
    let mut scratch = Scratch::new();
    for problem in &place.problems {
        let node = |(x, y)| grid.node(x, y).expect("on the map");
        let (a, b) = (node(problem.start), node(problem.goal));
        let (old, new) = (
            least(3, || shortest_path(grid, a, b, &mut Meter::unlimited(), &mut scratch)),
            least(5, || shortest_path(&indexed, a, b, &mut Meter::unlimited(), &mut scratch)),
        );
        let mut length =
            |g| shortest_path(g, a, b, &mut Meter::unlimited(), &mut scratch).path().map(|(_, cost)| cost);
        let lengths = [grid, &indexed].map(&mut length);
        assert_eq!(lengths[0], lengths[1], "both are shortest");
        (plain, over_corners, worst) = (plain + old, over_corners + new, worst.max(new / old));
    }
    let queries = place.problems.len() as f64;
    println!(
        "{:20} {}x{} corners {count}: index {:.2} ms, with landmarks {:.2} ms ({:.2} times), {bytes:.1} bytes a corner more; \
         edit {:.2} us, {:.2} times; a query A* {:.1} us, corners {:.1} us: {:.2} times, worst {worst:.2}; \
         index, landmarks and one query are {:.1} A* queries",
        place.name,
        grid.width(),
        grid.height(),
        build / 1000.0,
        with_landmarks / 1000.0,
        with_landmarks / build,
        edits[1],
        edits[1] / edits[0],
        plain / queries,
        over_corners / queries,
        plain / over_corners,
        (with_landmarks + over_corners / queries) / (plain / queries),
    );
}

/// Toggles a cell twice. Returns the time of one of both edits, in microseconds.
fn edit(grid: &mut Grid, k: u64) -> f64 {
    let mut log = ChangeLog::new();
    let random = |k: u64| (k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as u32;
    let (mut x, y) = (random(2 * k + 1) % grid.width(), random(2 * k + 2) % grid.height());
    let is_free = |grid: &Grid, x| grid.node(x, y).is_some_and(|n| grid.is_free(n));
    // Takes the first free cell from there on: editing a blocked cell would cost nothing.
    while !is_free(grid, x) && x + 1 < grid.width() {
        x += 1;
    }
    let n: NodeId = grid.node(x, y).expect("on the map");
    let was = grid.weight(n);
    let begun = Instant::now();
    grid.set(n, 1 - was, &mut log).expect("0 and 1");
    grid.set(n, was, &mut log).expect("0 and 1");
    begun.elapsed().as_nanos() as f64 / 2000.0
}

/// Opens and closes random cells a thousand times, as many doors would in a second, and prints how many expansions
/// landmarks save before, right afterwards, and when they have been prepared again.
fn doors(place: &Place) {
    let config = |landmarks| {
        let mut config = MapConfig::default();
        config.landmarks = landmarks;
        config
    };
    let [mut with, mut without] = [LandmarkMode::AtOnce, LandmarkMode::Off]
        .map(|landmarks| Map::with_config(place.grid.clone(), config(landmarks)));
    let mut scratch = Scratch::new();
    let mut saved = |maps: [&Map; 2]| {
        let mut expansions = [0, 0];
        for problem in &place.problems {
            for (map, sum) in maps.into_iter().zip(&mut expansions) {
                let node = |(x, y)| map.node(x, y).expect("on the map");
                let (from, to, meter) = (node(problem.start), node(problem.goal), &mut Meter::unlimited());
                black_box(shortest_path(map.grid(), from, to, meter, &mut scratch));
                *sum += meter.work()[WorkKind::Expand];
            }
        }
        100.0 * (1.0 - expansions[0] as f64 / expansions[1].max(1) as f64)
    };
    let before = saved([&with, &without]);
    let random = |k: u64| (k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as u32;
    let is_end = |at| place.problems.iter().any(|problem| problem.start == at || problem.goal == at);
    for k in 0..1000 {
        // A hundred cells in turn, so that most of them are opened and closed several times.
        let door = u64::from(random(k + 1) % 100);
        let at = (random(2 * door + 501) % place.grid.width(), random(2 * door + 502) % place.grid.height());
        if is_end(at) {
            continue;
        }
        for map in [&mut with, &mut without] {
            let n = map.node(at.0, at.1).expect("on the map");
            map.set(n, u8::from(!map.is_free(n))).expect("0 and 1");
        }
    }
    while !without.prepare(&mut Meter::unlimited()) {}
    let at_once = saved([&with, &without]);
    while !with.prepare(&mut Meter::unlimited()) {}
    let prepared = saved([&with, &without]);
    println!(
        "{:20} landmarks save {before:.1} % of the expansions; after 1,000 edits {at_once:.1} %, once prepared {prepared:.1} %",
        place.name
    );
}

/// Measures the time of scans, connections and expansions, for their prices.
fn prices(place: &Place) {
    let indexed = place.grid.clone().with_landmarks();
    let corners = indexed.corners().expect("a plain grid");
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let scan = |(x, y): (u32, u32)| {
        let from = (x.cast_signed(), y.cast_signed());
        let (mut scan, mut words) = (Scan::new(from, from), 0);
        while !scan.is_done() {
            words += u64::from(scan.advance(corners, |cell| _ = black_box(cell)));
        }
        words
    };
    // Each with its time and amount.
    let [mut words, mut cells, mut among] = [(0.0, 0); 3];
    let mut scans = 0;
    for problem in &place.problems {
        let node = |(x, y)| indexed.node(x, y).expect("on the map");
        let (at, goal) = (node(problem.start), node(problem.goal));
        // A search makes these two scans.
        for end in [problem.start, problem.goal] {
            words = (words.0 + least(20, || scan(end)), words.1 + scan(end));
        }
        let mut step = |planner: &mut dyn Planner<Grid>| {
            let mut meter = Meter::priced(u64::MAX, Prices::PAPERS);
            let (meter, scratch) = (&mut meter, &mut scratch);
            planner.reset(Reset::Full);
            let (graph, changes) = (&indexed, &log);
            planner.step(StepContext::new(graph, at, goal, meter, scratch).with_changes(changes));
            *meter.work()
        };
        let mut astar = AStar::new(AStarConfig::default(), &indexed);
        cells = (cells.0 + least(5, || step(&mut astar)), cells.1 + step(&mut astar)[WorkKind::Expand]);
        let mut planner = CornerTba::new(OffPathPolicy::Choose, &indexed);
        let done = step(&mut planner);
        among = (among.0 + least(5, || step(&mut planner)), among.1 + done[WorkKind::Expand]);
        scans += done[WorkKind::Scan];
    }
    let (nanos, expanding) = (1000.0 * cells.0 / cells.1 as f64, 1000.0 * (among.0 - words.0));
    let (tenth, n) = (nanos / 10.0, place.problems.len() as f64);
    let followed = scans.saturating_sub(words.1) as f64;
    println!(
        "{:20} a cell expanded {nanos:.1} ns; a word scanned {:.1} ns = {:.2} tenths; a corner expanded {:.0} ns = {:.1} tenths; of connections {:.2} tenths a scan; a search {:.1} us: {:.1} words, {:.1} expansions, {:.1} scans for connections",
        place.name,
        1000.0 * words.0 / words.1 as f64,
        1000.0 * words.0 / words.1 as f64 / tenth,
        expanding / among.1 as f64,
        expanding / among.1 as f64 / tenth,
        (expanding / tenth - 10.0 * among.1 as f64) / followed,
        among.0 / n,
        words.1 as f64 / n,
        among.1 as f64 / n,
        followed / n,
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let arg = |k: usize, default: &str| args.get(k).cloned().unwrap_or_else(|| default.to_string());
    match arg(0, "").as_str() {
        "walks" => {
            let lengths: Vec<f64> = arg(2, "100").split("..").filter_map(|x| x.parse().ok()).collect();
            let to = lengths.get(1).copied().unwrap_or(f64::INFINITY);
            let places = places(&arg(1, "wc3maps512"), lengths[0]..to);
            let prices = if arg(5, "") == "papers" { Prices::PAPERS } else { Prices::ALL_WORK };
            for budget in arg(4, "1,5,10,50,100").split(',') {
                let budget = budget.parse().map_or(Budget::Unlimited, Budget::Expansions);
                walks(&places, &arg(3, "known"), budget, prices);
            }
        }
        // For profilers: whole queries on corners only, repeated.
        "queries" => {
            let mut scratch = Scratch::new();
            for place in places(&arg(1, "wc3maps512"), 100.0..f64::INFINITY) {
                let grid = place.grid.clone().with_landmarks();
                for problem in place.problems.iter().cycle().take(20_000) {
                    let node = |(x, y)| grid.node(x, y).expect("on the map");
                    let (a, b) = (node(problem.start), node(problem.goal));
                    black_box(shortest_path(&grid, a, b, &mut Meter::unlimited(), &mut scratch));
                }
            }
        }
        "prices" => places(&arg(1, "wc3maps512"), 100.0..f64::INFINITY).iter().for_each(prices),
        "doors" => places(&arg(1, "wc3maps512"), 100.0..f64::INFINITY).iter().for_each(doors),
        "index" => places(&arg(1, "wc3maps512"), 100.0..f64::INFINITY).iter().for_each(index),
        _ => println!(
            "walks SET LEAST WORLD BUDGETS [papers], index SET, doors SET, or prices SET; see the head of benches/corners.rs"
        ),
    }
}
