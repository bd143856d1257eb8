//! D LRTA*: its database against reference distances, its walks against a model, its cycle guard, its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use fleetfoot::database::{DLrtaBuilder, DLrtaDatabase, DLrtaScratch};
use fleetfoot::planners::DLrta;
use fleetfoot::registry::{BoxedPlanner, Resource, Resources, SavedPlanner, Spec};
use fleetfoot::{
    ChangeLog, CliqueAbstraction, Decision, Graph, Grid, Meter, NodeId, Prices, Rules, Scratch, StepContext,
};
use fleetfoot_testkit::{Rng, oracle};
use proptest::prelude::*;

use super::look::Look;
use super::walk::walk;
use super::worlds;

fn build(builder: &DLrtaBuilder<'_, Grid>) -> DLrtaDatabase {
    let mut scratch = DLrtaScratch::new(builder);
    let rows: Vec<_> = (0..builder.rows()).map(|k| builder.row(&mut scratch, k)).collect();
    builder.assemble(&rows).expect("rows of this builder")
}

fn lrta(grid: &Grid, depth: u32) -> BoxedPlanner<Grid> {
    let spec: Spec = format!("lrta(depth={depth})").parse().expect("a spec");
    spec.build(grid).expect("a planner for grids")
}

fn step(planner: &mut BoxedPlanner<Grid>, grid: &Grid, (at, goal): (NodeId, NodeId)) -> NodeId {
    let (log, mut scratch, mut meter) = (ChangeLog::new(), Scratch::new(), Meter::unlimited());
    let step = StepContext::new(grid, at, goal, &mut meter, &mut scratch).with_changes(&log);
    match planner.step(step) {
        Decision::Go(next) => next,
        other => panic!("{other:?} where there is a way"),
    }
}

/// Compares every entry with its definition.
fn follows_its_definition(grid: &Grid, level: u32, depth: u32, with_published_goals: bool) {
    let builder = DLrtaBuilder::new(grid, level, depth);
    let builder = if with_published_goals { builder.with_published_goals() } else { builder };
    let (database, cliques) = (build(&builder), CliqueAbstraction::new(grid));
    let Some(regions) = cliques.level(level as usize) else { return };
    assert_eq!(
        (database.regions() as usize, database.level(), database.depth()),
        (regions.len(), level, depth)
    );
    let all = || (0..regions.len()).map(NodeId::from_index);
    for to in all() {
        let ahead = oracle::distances_from(grid, regions.centre(to));
        for from in all() {
            let (state, chosen) = database.entry(from, to);
            let middle = regions.centre(from);
            if from == to || !ahead[middle.index()].is_finite() {
                assert_eq!((state, chosen), (NodeId::NONE, 1));
                continue;
            }
            let region = |n| cliques.node_at_level(n, level as usize);
            let behind = oracle::distances_from(grid, middle);
            let on_the_way = |n: NodeId| behind[n.index()] + ahead[n.index()] == ahead[middle.index()];
            let serves = |n| {
                let nearer = ahead[regions.centre(region(n)).index()] < ahead[middle.index()];
                region(n) != from && (with_published_goals || nearer)
            };
            // Some shortest path contains the node before any other valid one.
            let mut seen = vec![middle];
            let mut k = 0;
            while k < seen.len() {
                let n = seen[k];
                k += 1;
                if !serves(n) {
                    let more = grid.succs(n).filter(|edge| {
                        on_the_way(edge.to) && behind[n.index()] + edge.cost == behind[edge.to.index()]
                    });
                    let more: Vec<_> = more.map(|edge| edge.to).filter(|to| !seen.contains(to)).collect();
                    seen.extend(more);
                }
            }
            assert!(serves(state) && seen.contains(&state));
            let is_best = |d| {
                let next = step(&mut lrta(grid, d), grid, (middle, state));
                oracle::edge(grid, middle, next) + ahead[next.index()] == ahead[middle.index()]
            };
            assert!((1..chosen).all(|d| !is_best(d)) && (chosen == depth || is_best(chosen)));
        }
    }
}

/// The rules of D LRTA*. Gives up after `most` moves; with or without the guard.
fn model(
    grid: &Grid,
    database: &DLrtaDatabase,
    (start, goal): (NodeId, NodeId),
    most: usize,
    guarded: bool,
) -> Vec<NodeId> {
    let cliques = CliqueAbstraction::new(grid);
    let region = |n| cliques.node_at_level(n, database.level() as usize);
    let mut asked: BTreeMap<NodeId, u32> = BTreeMap::new();
    let (mut walked, mut alone) = (vec![start], false);
    let (mut target, mut depth, mut learned) = (NodeId::NONE, 1, BTreeMap::new());
    while walked.len() <= most && walked[walked.len() - 1] != goal {
        let at = walked[walked.len() - 1];
        if !alone && (at == target || !asked.contains_key(&region(at))) {
            let times = asked.entry(region(at)).or_default();
            *times += 1;
            alone = guarded && *times > 2;
            let (state, deep) = database.entry(region(at), region(goal));
            let (state, deep) =
                if alone { (goal, database.depth()) } else { (state.some().unwrap_or(goal), deep) };
            // Learned values belong to a target.
            if state != target {
                learned.clear();
            }
            (target, depth) = (state, deep);
        }
        let edges = |n| grid.succs(n).collect();
        let h = |n, goal| u64::from(grid.h(n, goal).raw());
        let mut look = Look { depth, gamma: 1_000_000, edges, h, learned: &mut learned };
        walked.push(look.next(at, target));
    }
    walked
}

fn problem(grid: &Grid, seed: u64) -> Option<(NodeId, NodeId)> {
    let (mut rng, nodes) = (Rng::new(seed), worlds::nodes(grid));
    let tries = (0..40).map(|_| (rng.pick(&nodes), rng.pick(&nodes)));
    tries.into_iter().find(|&(a, b)| a != b && oracle::distance(grid, a, b).is_finite())
}

fn planner(grid: &Grid, database: &Arc<DLrtaDatabase>) -> BoxedPlanner<Grid> {
    Box::new(DLrta::new(Arc::clone(database), Arc::new(CliqueAbstraction::new(grid)), grid))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn entries_follow_their_definition(kind in 0..4u32, side in 8..18u32, seed: u64, level in 1..4u32, with_published_goals: bool) {
        // Caves are larger, and tested below.
        let kind = if kind == 1 { 2 } else { kind };
        follows_its_definition(&worlds::grid(&worlds::map(kind, side, seed), Rules::default()), level, 4, with_published_goals);
    }

    #[test]
    fn every_move_is_the_models(kind in 0..4u32, side in 10..30u32, seed: u64, level in 2..5u32, with_published_goals: bool) {
        let grid = worlds::grid(&worlds::map(kind, side, seed), Rules::default());
        let builder = DLrtaBuilder::new(&grid, level, 5);
        let database = Arc::new(build(&if with_published_goals { builder.with_published_goals() } else { builder }));
        for k in 0..4 {
            let Some(ends) = problem(&grid, seed.wrapping_add(k)) else { return Ok(()) };
            let walked = walk(&grid, &mut planner(&grid, &database), ends, None, 100_000).expect("there is a way");
            prop_assert_eq!(walked, model(&grid, &database, ends, 100_000, true));
        }
    }

    /// For all budgets and prices the agent walks the same way, and no step exceeds its budget.
    #[test]
    fn any_budget_will_do(kind in 0..4u32, side in 10..40u32, seed: u64, budget in 1..50u64, all_work: bool) {
        let grid = worlds::grid(&worlds::map(kind, side, seed), Rules::default());
        let database = Arc::new(build(&DLrtaBuilder::new(&grid, 3, 16)));
        let prices = if all_work { Prices::ALL_WORK } else { Prices::PAPERS };
        if let Some(ends) = problem(&grid, seed) {
            let free = walk(&grid, &mut planner(&grid, &database), ends, None, 1_000_000);
            let bound = walk(&grid, &mut planner(&grid, &database), ends, Some((budget, prices)), 10_000_000);
            prop_assert!(free.is_some());
            prop_assert_eq!(free, bound);
        }
    }

    /// Rows do not depend on rows computed before.
    #[test]
    fn rows_are_independent(kind in 0..4u32, side in 10..30u32, seed: u64) {
        let grid = worlds::grid(&worlds::map(kind, side, seed), Rules::default());
        let builder = DLrtaBuilder::new(&grid, 2, 8);
        let database = build(&builder);
        let mut scratch = DLrtaScratch::new(&builder);
        let mut rows: Vec<_> = (0..builder.rows()).rev().map(|k| builder.row(&mut scratch, k)).collect();
        rows.reverse();
        let again = builder.assemble(&rows).expect("all rows");
        prop_assert_eq!(again.as_bytes(), database.as_bytes());
        prop_assert_eq!(database.as_bytes().len() as u64, DLrtaDatabase::size(builder.rows() as u64));
    }
}

/// Returns a region on the way to another one from which the subgoals lead back to it.
fn circle(database: &DLrtaDatabase, cliques: &CliqueAbstraction) -> Option<(NodeId, NodeId)> {
    let all = || (0..database.regions() as usize).map(NodeId::from_index);
    let next = |from, to| {
        let state = database.entry(from, to).0;
        state.some().map(|state| cliques.node_at_level(state, database.level() as usize))
    };
    all().flat_map(|to| all().map(move |from| (from, to))).find(|&(from, to)| {
        let once = next(from, to);
        once.is_some_and(|once| once != to && next(once, to) == Some(from))
    })
}

/// The paper's subgoals lead around cycles on some maps: without the guard an agent never arrives. With the guard
/// it does; the default subgoals need no guard.
#[test]
fn the_guard_breaks_circles() {
    const MOVES: usize = 20_000;
    let mut circles = 0;
    for seed in 0..30 {
        let grid = worlds::grid(&worlds::map(1, 64, seed), Rules::default());
        let cliques = CliqueAbstraction::new(&grid);
        let published = Arc::new(build(&DLrtaBuilder::new(&grid, 3, 4).with_published_goals()));
        let Some((from, to)) = circle(&published, &cliques) else { continue };
        let regions = cliques.level(3).expect("a level");
        let ends = (regions.centre(from), regions.centre(to));
        let leading_on = build(&DLrtaBuilder::new(&grid, 3, 4));
        assert!(circle(&leading_on, &cliques).is_none());
        let free = model(&grid, &leading_on, ends, MOVES, false);
        assert_eq!(free[free.len() - 1], ends.1);
        if model(&grid, &published, ends, MOVES, false).len() > MOVES {
            circles += 1;
            assert!(walk(&grid, &mut planner(&grid, &published), ends, None, MOVES).is_some());
        }
    }
    assert!(circles > 0, "no circle was found; try other maps");
}

#[test]
fn files_are_checked() {
    let grid = worlds::grid(&worlds::map(0, 20, 7), Rules::default());
    let other = worlds::grid(&worlds::map(0, 20, 8), Rules::default());
    let database = build(&DLrtaBuilder::new(&grid, 3, 8));
    let bytes = database.as_bytes().to_vec();
    assert_eq!(DLrtaDatabase::open(bytes.clone(), &grid).expect("whole").checksum(), database.checksum());
    assert!(DLrtaDatabase::open_unchecked(bytes.clone()).is_ok());
    let refused =
        |bytes: Vec<u8>, grid: &Grid| DLrtaDatabase::open(bytes, grid).expect_err("refused").to_string();
    assert!(refused(bytes.clone(), &other).contains("another map"));
    assert!(refused(b"no database at all, by no means".to_vec(), &grid).contains("not a Fleetfoot database"));
    for k in (0..bytes.len()).step_by(7) {
        let mut flipped = bytes.clone();
        flipped[k] ^= 4;
        assert!(DLrtaDatabase::open(flipped, &grid).is_err(), "byte {k}");
        assert!(DLrtaDatabase::open(bytes[..k].to_vec(), &grid).is_err(), "cut at {k}");
    }
}

#[test]
fn databases_are_handed_over_by_name() {
    let grid = worlds::grid(&worlds::map(0, 24, 3), Rules::default());
    let other = worlds::grid(&worlds::map(0, 24, 4), Rules::default());
    let database = Arc::new(build(&DLrtaBuilder::new(&grid, 3, 8)));
    let mut resources = Resources::default();
    resources.insert("cave", Resource::DLrta(Arc::clone(&database)));
    let spec = |text: &str| text.parse::<Spec>().expect("a spec");
    let refusal = |text: &str, grid: &Grid| match spec(text).build_with(grid, &resources) {
        Ok(_) => panic!("{text} was built"),
        Err(error) => error.to_string(),
    };
    let named = spec("d-lrta(database=cave)");
    let planner = named.build_with(&grid, &resources).expect("it is there");
    assert!(spec("d-lrta(level=3,depth=8,database=cave)").build_with(&grid, &resources).is_ok());
    assert!(refusal("d-lrta(database=cellar)", &grid).contains("`cellar` was not handed in"));
    assert!(refusal("d-lrta(database=cave)", &other).contains("another map"));
    assert!(refusal("d-lrta(depth=9,database=cave)", &grid).contains("depth=8"));
    assert!(refusal("d-lrta(goals=published,database=cave)", &grid).contains("goals=onward"));
    // A database built at startup has the requested subgoals.
    for (text, published) in [("d-lrta", false), ("d-lrta(goals=published)", true)] {
        let mut made = Resources::default();
        made.prepare(&spec(text), &grid);
        let name = Resources::names(&spec(text)).pop().expect("a database");
        let Some(Resource::DLrta(database)) = made.get(&name) else { panic!("no database of {text}") };
        assert_eq!(database.is_as_published(), published, "{text}");
    }
    // A saved planner requires its own database.
    let saved = SavedPlanner::new(&named, &*planner, &grid);
    assert!(saved.restore_with(&grid, &resources).is_ok());
    let mut exchanged = Resources::default();
    exchanged.insert("cave", Resource::DLrta(Arc::new(build(&DLrtaBuilder::new(&grid, 3, 9)))));
    let Err(error) = saved.restore_with(&grid, &exchanged) else { panic!("another database") };
    assert!(error.to_string().contains("another database"));
    // An abstraction of another map is rejected, and so is another resource.
    for (resource, says) in [
        (Resource::Cliques(Arc::new(CliqueAbstraction::new(&other))), "another map"),
        (Resource::DLrta(database), "for another planner"),
    ] {
        let mut wrong = Resources::default();
        wrong.insert(Resources::CLIQUES, resource);
        let Err(error) = spec("pr-lrta").build_with(&grid, &wrong) else { panic!("{says}") };
        assert!(error.to_string().contains(says), "{error}");
    }
}

/// Large maps require a precomputed database, and the error says so.
#[test]
fn large_maps_need_a_database() {
    let grid = Grid::new(256, 256, Rules::default(), |_, _| 1).expect("a grid");
    let Err(error) = "d-lrta".parse::<Spec>().expect("a spec").build(&grid) else { panic!("it was built") };
    let error = error.to_string();
    assert!(error.contains("1024 regions") && error.contains("database="), "{error}");
}
