//! Records, their index, and the planner that uses them.

use std::sync::Arc;

use fleetfoot::database::{KnnBuilder, KnnConfig, KnnDatabase, KnnQuery};
use fleetfoot::planners::{KnnLrta, KnnLrtaConfig};
use fleetfoot::registry::{Resource, Resources, SavedPlanner, Spec};
use fleetfoot::search::{Climb, ClimbProgress, ClimbTest, climb};
use fleetfoot::{
    ChangeLog, Cost, Decision, Graph, Grid, Meter, NodeId, Planner, Prices, Rules, Scratch, StepContext,
    WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};
use proptest::prelude::*;

const RANDOM: KnnConfig = KnnConfig { seed: 7, is_exact: false };

fn cave(seed: u64, size: u32, blocked: usize) -> Grid {
    let mut rng = Rng::new(seed);
    Grid::new(size, size, Rules::default(), |_, _| u8::from(rng.below(100) >= blocked)).unwrap()
}

/// Creates rooms with a door in each wall: climbing rarely leads from one to another.
fn rooms(size: u32, room: u32) -> Grid {
    let is_wall = |x: u32, y: u32| {
        let door = |along: u32, across: u32| along % room == (across / room * 3 + 2) % room;
        (x.is_multiple_of(room) && !door(y, x)) || (y.is_multiple_of(room) && !door(x, y))
    };
    Grid::new(size, size, Rules::default(), |x, y| u8::from(!is_wall(x, y))).unwrap()
}

fn climbs(grid: &Grid, a: NodeId, b: NodeId, limit: u32) -> bool {
    ClimbTest::new(a, b, limit).run(grid, &mut u32::MAX.clone(), &mut Meter::unlimited())
        == ClimbProgress::Arrived
}

#[test]
fn links_of_records_can_be_climbed_and_ends_are_the_problems() {
    for (grid, is_exact) in [(rooms(64, 9), false), (rooms(64, 9), true), (cave(3, 60, 30), false)] {
        let builder = KnnBuilder::new(&grid, KnnConfig { is_exact, ..RANDOM });
        let mut bench = builder.workbench();
        for number in 0..200 {
            let (start, goal) = builder.problem(number).unwrap();
            let record = builder.record(&mut bench, number).unwrap();
            assert!(start != goal && record.states.len() >= 2);
            assert_eq!((record.states[0], record.states[record.states.len() - 1]), (start, goal));
            assert!(record.states.windows(2).all(|link| climbs(&grid, link[0], link[1], u32::MAX)));
            // The nodes are on a shortest path.
            let legs: Cost = record
                .states
                .windows(2)
                .fold(Cost::ZERO, |sum, leg| sum + oracle::distance(&grid, leg[0], leg[1]));
            assert_eq!(legs, oracle::distance(&grid, start, goal));
        }
    }
}

#[test]
fn exact_records_are_no_longer() {
    let grid = rooms(80, 11);
    let [fast, exact] =
        [false, true].map(|is_exact| KnnBuilder::new(&grid, KnnConfig { is_exact, ..RANDOM }).build(150));
    assert!(exact.states() <= fast.states(), "{} against {}", exact.states(), fast.states());
}

#[test]
fn without_a_subgoal_graph_records_are_made_by_a_star() {
    let mut rng = Rng::new(5);
    for rules in worlds::all_rules() {
        let grid = worlds::random_grid(&mut rng, (30, 30), rules, 25, 3);
        let builder = KnnBuilder::new(&grid, RANDOM);
        let mut bench = builder.workbench();
        for number in 0..20 {
            let Some(record) = builder.record(&mut bench, number) else { continue };
            assert!(record.states.windows(2).all(|link| climbs(&grid, link[0], link[1], u32::MAX)));
        }
    }
}

#[test]
fn every_connected_pair_is_as_likely() {
    // Components of two, three and four cells: 2 + 6 + 12 ordered pairs.
    let grid = Grid::new(11, 1, Rules::default(), |x, _| u8::from(x != 2 && x != 6)).unwrap();
    let builder = KnnBuilder::new(&grid, RANDOM);
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..20_000 {
        let (a, b) = builder.problem(number).unwrap();
        *counts.entry((grid.xy(a).0, grid.xy(b).0)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 20);
    assert!(counts.values().all(|count| (800..1200).contains(count)), "{counts:?}");
    let lonely = Grid::new(5, 1, Rules::default(), |x, _| u8::from(x % 2 == 0)).unwrap();
    assert_eq!(KnnBuilder::new(&lonely, RANDOM).problem(0), None);
    assert_eq!(KnnBuilder::new(&lonely, RANDOM).build(9).records(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The index returns what a linear scan does, for any slicing.
    #[test]
    fn the_index_is_a_linear_scan(seed: u64, records in 0..300_u32, most in 1..14_usize, portion in 1..40_u64) {
        let grid = cave(seed, 50, 20);
        let database = KnnBuilder::new(&grid, KnnConfig { seed, ..RANDOM }).build(records);
        let (mut rng, cells) = (Rng::new(seed), worlds::free_cells(&grid));
        let mut nearest = KnnQuery::new(most);
        for _ in 0..5 {
            let (start, goal) = (rng.pick(&cells), rng.pick(&cells));
            let mut all: Vec<_> = (0..database.records())
                .map(|record| {
                    let (first, end) = database.problem(record);
                    (grid.h(start, first).max(grid.h(end, goal)), record)
                })
                .collect();
            all.sort_unstable();
            all.truncate(most);
            nearest.ask(&database, start, goal);
            let compare = Prices::EXPANSIONS.with(WorkKind::Compare, 10);
            let mut turns = 0;
            while !nearest.run(&grid, &database, &mut Meter::priced(portion, compare)) {
                turns += 1;
                prop_assert!(turns <= 1 + u64::from(records) / portion);
            }
            prop_assert!(nearest.found().eq(all.iter().map(|(_, record)| *record)));
        }
    }
}

#[test]
fn the_index_looks_at_few_records() {
    let grid = Grid::new(400, 400, Rules::default(), |_, _| 1).unwrap();
    let database = KnnBuilder::new(&grid, RANDOM).build(20_000);
    let (mut rng, mut meter, mut nearest) = (Rng::new(1), Meter::unlimited(), KnnQuery::new(10));
    let cells = worlds::free_cells(&grid);
    for _ in 0..100 {
        nearest.ask(&database, rng.pick(&cells), rng.pick(&cells));
        assert!(nearest.run(&grid, &database, &mut meter));
    }
    let mean = meter.work()[WorkKind::Compare] / 100;
    assert!(mean < 2000, "{mean} of 20,000 compared");
}

#[test]
fn files_are_what_they_say() {
    let (grid, other) = (rooms(40, 7), rooms(40, 8));
    let database = KnnBuilder::new(&grid, RANDOM).build(50);
    let bytes = database.as_bytes().to_vec();
    assert!(bytes.len() <= 24 + 40 + 8 + 4 * database.states() as usize + 16 * 50);
    let copy = KnnDatabase::open(bytes.clone(), &grid).unwrap();
    assert!((0..50).all(|record| copy.record(record).eq(database.record(record))));
    assert_eq!(copy.origin(), database.origin());
    let error = |bytes: Vec<u8>, grid: &Grid| KnnDatabase::open(bytes, grid).unwrap_err().to_string();
    assert!(error(bytes.clone(), &other).contains("another map"));
    assert!(error(b"type octile".to_vec(), &grid).contains("not a Fleetfoot database"));
    assert!(error(Vec::new(), &grid).contains("not a Fleetfoot database"));
    for cut in [9, 30, bytes.len() - 1] {
        assert!(error(bytes[..cut].to_vec(), &grid).contains("damaged"));
    }
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(error(newer, &grid).contains("format version 9"));
    for k in (24..bytes.len()).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[k] ^= 1 << (k % 8);
        assert!(error(damaged, &grid).contains("damaged"), "byte {k}");
    }
}

/// The file does not depend on the order of records.
#[test]
fn the_order_of_records_does_not_matter() {
    let grid = rooms(40, 7);
    let builder = KnnBuilder::new(&grid, RANDOM);
    let mut bench = builder.workbench();
    let records: Vec<_> = (0..99).filter_map(|number| builder.record(&mut bench, number)).collect();
    let mut mixed = records.clone();
    mixed.sort_by_key(|record| record.path_edges * 7919 % 101);
    assert_eq!(builder.assemble(records, false).as_bytes(), builder.assemble(mixed, false).as_bytes());
}

struct Walk {
    cells: Vec<NodeId>,
    ticks: usize,
    /// Maximum of each kind per step.
    expansions: u64,
    climbs: u64,
}

fn walk(
    grid: &Grid,
    planner: &mut dyn Planner<Grid>,
    (start, goal): (NodeId, NodeId),
    meter: &Meter,
) -> Walk {
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let mut walk = Walk { cells: vec![start], ticks: 0, expansions: 0, climbs: 0 };
    let mut at = start;
    while at != goal {
        let mut meter = meter.clone();
        let step = StepContext::new(grid, at, goal, &mut meter, &mut scratch).with_changes(&log);
        match planner.step(step) {
            Decision::Go(to) => {
                assert!(oracle::edge(grid, at, to).is_finite());
                walk.cells.push(to);
                at = to;
            }
            Decision::Wait => {}
            Decision::NoPath => panic!("there is a way"),
        }
        walk.ticks += 1;
        walk.expansions = walk.expansions.max(meter.work()[WorkKind::Expand]);
        walk.climbs = walk.climbs.max(meter.work()[WorkKind::Climb]);
        assert!(walk.ticks < 1_000_000, "it walks forever");
    }
    walk
}

/// A simple model of the retrieval, followed by LRTA* from subgoal to subgoal as in the paper or, with
/// `by_climbing`, by the tested climbs.
fn model(
    grid: &Grid,
    database: &KnnDatabase,
    config: KnnLrtaConfig,
    (start, goal): (NodeId, NodeId),
    by_climbing: bool,
) -> Vec<NodeId> {
    let KnnLrtaConfig { candidates, limit, direct } = config;
    let mut all: Vec<u32> = (0..database.records()).collect();
    all.sort_by_key(|&record| {
        let (first, end) = database.problem(record);
        (grid.h(start, first).max(grid.h(end, goal)), record)
    });
    all.truncate(candidates);
    let usable = |record: &u32| {
        let (first, end) = database.problem(*record);
        climbs(grid, start, first, limit) && climbs(grid, end, goal, limit)
    };
    let is_direct = direct && climbs(grid, start, goal, limit);
    let record = all.into_iter().find(usable).filter(|_| !is_direct);
    let is_climbed = by_climbing && (is_direct || record.is_some());
    let mut subgoals: Vec<NodeId> =
        record.map(|record| database.record(record).collect()).unwrap_or_default();
    subgoals.push(goal);
    let (mut at, mut cells) = (start, vec![start]);
    let mut tables = std::collections::BTreeMap::new();
    for subgoal in subgoals {
        while at != subgoal && at != goal {
            if is_climbed {
                let Climb::To(next) = climb(grid, at, subgoal) else {
                    panic!("it was found to be climbable")
                };
                at = next;
                cells.push(at);
                continue;
            }
            let h = |tables: &std::collections::BTreeMap<_, _>, n: NodeId| {
                tables.get(&(subgoal.raw(), n.raw())).copied().unwrap_or_else(|| grid.h(n, subgoal))
            };
            let value =
                |edge: &fleetfoot::Edge| (edge.cost + h(&tables, edge.to), std::cmp::Reverse(edge.cost));
            let best = grid.succs(at).min_by_key(value).unwrap();
            let old = h(&tables, at);
            tables.insert((subgoal.raw(), at.raw()), old.max(value(&best).0));
            at = best.to;
            cells.push(at);
        }
    }
    cells
}

#[test]
fn it_walks_as_the_model_does_at_every_budget() {
    for (grid, records) in [(rooms(64, 9), 400), (rooms(64, 9), 0), (cave(9, 60, 33), 150)] {
        let builder = KnnBuilder::new(&grid, RANDOM);
        let database = Arc::new(builder.build(records));
        let mut led = 0;
        for number in 1_000_000..1_000_060 {
            let problem = builder.problem(number).unwrap();
            for (candidates, limit, direct) in [(10, 250, true), (3, 20, false)] {
                let config = KnnLrtaConfig { candidates, limit, direct };
                let expected = model(&grid, &database, config, problem, false);
                for meter in [
                    Meter::priced(1, Prices::PAPERS),
                    Meter::priced(1, Prices::ALL_WORK),
                    Meter::priced(40, Prices::ALL_WORK),
                    Meter::unlimited(),
                ] {
                    let mut planner = KnnLrta::new(config, database.clone(), grid.bound());
                    let walk = walk(&grid, &mut planner, problem, &meter);
                    assert_eq!(walk.cells, expected);
                    assert!(walk.expansions <= 1);
                    assert!(!meter.is_limited() || walk.climbs <= u64::from(limit));
                    let waits = walk.ticks - (walk.cells.len() - 1);
                    assert!(meter.is_limited() || waits == 0, "it has all the time it wants");
                    led += usize::from(planner.record().is_some());
                }
            }
        }
        assert!(records == 0 || led > 0, "some problems should be led by a record to the end");
    }
}

/// On weighted terrain LRTA* would turn back from expensive cells that a climb crosses.
#[test]
fn weights_do_not_lead_it_astray() {
    let mut rng = Rng::new(3);
    let grid = worlds::random_grid(&mut rng, (60, 60), Rules::default(), 20, 9);
    let builder = KnnBuilder::new(&grid, RANDOM);
    let database = Arc::new(builder.build(300));
    let config = KnnLrtaConfig { candidates: 10, limit: 250, direct: true };
    let cost = |cells: &[NodeId]| u64::from(oracle::cost_of(&grid, cells).raw());
    let (mut ours, mut by_lrta, mut shortest) = (0, 0, 0);
    for number in 1_000_000..1_000_060 {
        let problem = builder.problem(number).unwrap();
        let mut planner = KnnLrta::new(config, database.clone(), grid.bound());
        let walk = walk(&grid, &mut planner, problem, &Meter::priced(1, Prices::PAPERS));
        assert_eq!(walk.cells, model(&grid, &database, config, problem, true));
        ours += cost(&walk.cells);
        by_lrta += cost(&model(&grid, &database, config, problem, false));
        shortest += u64::from(oracle::distance(&grid, problem.0, problem.1).raw());
    }
    assert!(3 * ours < 2 * by_lrta && ours < 2 * shortest, "{ours}, LRTA* {by_lrta}, shortest {shortest}");
}

/// More records give shorter paths; with as many records as problems they are short.
#[test]
fn records_make_ways_short() {
    let grid = rooms(96, 12);
    let builder = KnnBuilder::new(&grid, RANDOM);
    let config = KnnLrtaConfig { candidates: 10, limit: 250, direct: true };
    let mut ratios = Vec::new();
    for records in [0, 1000, 20_000] {
        let database = Arc::new(builder.build(records));
        let (mut walked, mut shortest) = (0, 0);
        for number in 1_000_000..1_000_100 {
            let problem = builder.problem(number).unwrap();
            let walk = walk(
                &grid,
                &mut KnnLrta::new(config, database.clone(), grid.bound()),
                problem,
                &Meter::priced(1, Prices::PAPERS),
            );
            walked += u64::from(oracle::cost_of(&grid, &walk.cells).raw());
            shortest += u64::from(oracle::distance(&grid, problem.0, problem.1).raw());
        }
        ratios.push(walked as f64 / shortest as f64);
    }
    assert!(ratios[0] > 3.0 && ratios[1] < ratios[0] && ratios[2] < 1.2, "{ratios:?}");
}

#[test]
fn resources_are_named_checked_and_saved_by_checksum() {
    let (grid, other) = (rooms(40, 7), rooms(40, 8));
    let database =
        |seed| Resource::Knn(Arc::new(KnnBuilder::new(&grid, KnnConfig { seed, ..RANDOM }).build(50)));
    let mut resources = Resources::default();
    resources.insert("a.knn", database(1));
    let spec: Spec = "knn-lrta(database=a.knn)".parse().unwrap();
    let planner = spec.build_with(&grid, &resources).unwrap();
    let error = |spec: &str, grid: &Grid| {
        spec.parse::<Spec>()
            .unwrap()
            .build_with(grid, &resources)
            .err()
            .map(|error| error.to_string())
            .unwrap()
    };
    assert!(error("knn-lrta(database=a.knn)", &other).contains("another map"));
    assert!(error("knn-lrta(database=b.knn)", &grid).contains("`b.knn` was not handed in"));
    assert!(error("knn-lrta(database=a.knn,records=9)", &grid).contains("leave them out"));
    assert!(spec.build(&grid).is_err());
    let saved = SavedPlanner::new(&spec, &*planner, &grid);
    assert!(saved.restore_with(&grid, &resources).is_ok());
    let mut others = Resources::default();
    others.insert("a.knn", database(2));
    let error = saved.restore_with(&grid, &others).err().unwrap().to_string();
    assert!(error.contains("another database"), "{error}");
}
