//! LRTA*, TLA*, LSS-LRTA*, RTAA*, depression avoidance and LRTS: compared step by step with a model of the
//! published algorithms, and with their proved properties. The properties of all planners are tested in
//! `conformance.rs`.

mod harness;
mod look;
mod model;
mod promises;
mod trials;

use fleetfoot::{ChangeLog, Decision, Graph, Landmarks, NodeId, WithHeuristic, Zero};
use fleetfoot_testkit::{Rng, World, oracle, worlds};

use self::harness::{Hidden, Pair, random_budget, random_problem, random_spec, spec};

/// Number of rounds of a comparison.
const ROUNDS: u64 = 400;

/// Every learner, in several variants.
const PLANNERS: &[&str] = &[
    "lrta",
    "lrta(depth=3)",
    "lrta(reach=3)",
    "lrta(depth=3,rule=korf-table)",
    "tla(lookahead=1)",
    "tla(lookahead=5)",
    "lss-lrta(lookahead=1)",
    "lss-lrta(lookahead=7)",
    "lss-lrta(lookahead=7,moves=1)",
    "rtaa(lookahead=1)",
    "rtaa(lookahead=7)",
    "rtaa(lookahead=7,moves=1)",
    "da-lss-lrta(lookahead=4)",
    "da-rtaa(lookahead=4)",
    "da-rtaa(lookahead=1,moves=1)",
    "da-rtaa(lookahead=4,avoid=marked)",
    "lrts(depth=1)",
    "lrts(depth=3)",
    "lrts(depth=2,quota=4)",
];

/// Expansions, learned values, routes and decisions equal those of the publication; h never decreases, is never too
/// large, and is consistent where it should be: after every step, over two trials, with the agent sometimes moved.
#[test]
fn known_grids_are_walked_as_published() {
    let mut turns = 0;
    for seed in 0..ROUNDS {
        let rng = &mut Rng::new(seed);
        let heaviest = rng.pick(&[1, 1, 4]);
        let (grid, ends) = random_problem(rng, 12, heaviest);
        let text = random_spec(rng);
        let mut pair = Pair::new(&text, &grid, ends);
        let budget = random_budget(rng);
        for _ in 0..2 {
            let around = oracle::distances_from(&grid, ends.0);
            for _ in 0..rng.below(3) {
                // A few steps, then it is moved.
                for _ in 0..rng.below(9) {
                    pair.tick(&grid, &ChangeLog::new(), random_budget(rng));
                }
                let cells = worlds::free_cells(&grid);
                let places: Vec<_> = cells.into_iter().filter(|n| around[n.index()].is_finite()).collect();
                pair.agent.at = rng.pick(&places);
            }
            pair.live(&grid, budget);
            pair.agent.begin_again(ends.0);
            pair.model.begin_again();
        }
        turns += pair.model.turns;
    }
    assert!(turns > 100, "LRTS hardly ever turned back: {turns}");
}

#[test]
fn known_graphs_are_walked_as_published() {
    for seed in 0..ROUNDS / 2 {
        let rng = &mut Rng::new(seed);
        let (nodes, edges) = (2 + rng.below(30), rng.below(40));
        let joined = !rng.one_in(4);
        let graph = worlds::random_undirected(rng, nodes, edges, joined, 9);
        let all: Vec<_> = (0..nodes).map(NodeId::from_index).collect();
        let ends = (rng.pick(&all), rng.pick(&all));
        let (text, budget) = (random_spec(rng), random_budget(rng));
        let landmarks = Landmarks::farthest(&graph, ends.0, 2);
        let blind = World::undirected(WithHeuristic::new(graph.clone(), Zero));
        Pair::new(&text, &blind, ends).live(&blind, budget);
        let graph = World::undirected(WithHeuristic::new(graph, landmarks));
        Pair::new(&text, &graph, ends).live(&graph, budget);
    }
}

/// Directed edges: regions without an exit are dead ends, and the agent reports that once it is in one.
#[test]
fn directed_graphs_are_walked_as_published() {
    let (mut arrived, mut dead) = (0, 0);
    for seed in 0..ROUNDS {
        let rng = &mut Rng::new(seed);
        let nodes = 2 + rng.below(30);
        let (edges, strong) = (rng.below(3 * nodes), !rng.one_in(3));
        let graph = worlds::random_directed(rng, nodes, edges, strong, 9);
        let all: Vec<_> = (0..nodes).map(NodeId::from_index).collect();
        let ends = (rng.pick(&all), rng.pick(&all));
        let (text, budget) = (random_spec(rng), random_budget(rng));
        if spec(&text).facts().needs_undirected {
            continue;
        }
        let landmarks = Landmarks::farthest(&graph, ends.1, 2);
        let graph = World::directed(WithHeuristic::new(graph, landmarks));
        let mut pair = Pair::new(&text, &graph, ends);
        arrived += usize::from(pair.live(&graph, budget) && ends.0 != ends.1);
        dead += usize::from(pair.model.h.values().any(|h| *h == model::DEAD));
    }
    assert!(arrived > 100 && dead > 10, "{arrived} arrived, {dead} met dead ends");
}

/// Under the freespace assumption, the route is cleared when a cost on it increases, and only then.
#[test]
fn unknown_grids_are_explored_as_published() {
    let mut dropped = 0;
    for seed in 0..ROUNDS {
        let rng = &mut Rng::new(seed);
        let heaviest = rng.pick(&[1, 1, 3]);
        let (map, ends) = random_problem(rng, 12, heaviest);
        let (text, budget) = (random_spec(rng), random_budget(rng));
        let mut hidden = Hidden::new(&map, heaviest);
        let mut pair = Pair::new(&text, hidden.belief.grid(), ends);
        let truth = oracle::distances_to(&hidden.truth, ends.1);
        let most = if spec(&text).facts().complete { 200 * map.bound() } else { 200 };
        let mut planned = Decision::Wait;
        while pair.agent.at != ends.1 && pair.tick < most {
            hidden.look(pair.agent.at);
            let (at, plans) = (pair.agent.at, pair.model.plans);
            let budget = if seed % 2 == 0 { budget } else { random_budget(rng) };
            planned = pair.tick(hidden.belief.grid(), hidden.belief.log(), budget);
            dropped += usize::from(pair.model.plans > plans);
            if planned == Decision::NoPath {
                break;
            }
            assert!(oracle::edge(&hidden.truth, at, pair.agent.at).is_finite() || at == pair.agent.at);
        }
        if spec(&text).facts().complete || planned == Decision::NoPath {
            let reachable = truth[pair.agent.at.index()].is_finite();
            assert_eq!(reachable, planned != Decision::NoPath, "{text}, seed {seed}");
        }
    }
    assert!(dropped > 1000, "{dropped}");
}

/// Walls appear and weights increase, behind the agent as well: paths back are blocked, routes cleared.
#[test]
fn grids_with_rising_costs_are_walked_as_published() {
    let (mut arrived, mut cut_off) = (0, 0);
    for seed in 0..ROUNDS {
        let rng = &mut Rng::new(seed);
        let (map, ends) = random_problem(rng, 10, 2);
        let mut grid = map.with_weights(1, 4).expect("room for heavier cells");
        // Half of the agents are of the kind that may backtrack.
        let quota = rng.pick(&["0", "2", "10"]);
        let back = format!("lrts(depth={},quota={quota})", rng.between(1, 3));
        let text = if seed % 2 == 0 { random_spec(rng) } else { back };
        let mut pair = Pair::new(&text, &grid, ends);
        let mut log = ChangeLog::new();
        let most = if spec(&text).facts().complete { 2 * harness::patience(&grid) } else { 200 };
        let mut decision = Decision::Wait;
        while pair.agent.at != ends.1 && decision != Decision::NoPath && pair.tick < most {
            let n = rng.pick(&worlds::free_cells(&grid));
            if pair.tick < 60 && rng.one_in(2) && n != ends.1 && n != pair.agent.at {
                let weight = if rng.one_in(2) { 0 } else { grid.weight(n).max(rng.between(2, 4) as u8) };
                grid.set(n, weight, &mut log).expect("a weight of the range");
            }
            let budget = random_budget(rng);
            decision = pair.tick(&grid, &log, budget);
            // Once cut off, it may take long to detect that.
            if pair.tick == 200 && !oracle::distance(&grid, pair.agent.at, ends.1).is_finite() {
                break;
            }
        }
        let reachable = oracle::distance(&grid, pair.agent.at, ends.1).is_finite();
        assert!(decision != Decision::NoPath || !reachable, "{text}, seed {seed}: there is a path");
        assert!(pair.tick < most || !spec(&text).facts().complete, "{text}, seed {seed} never ends");
        arrived += usize::from(pair.agent.at == ends.1);
        cut_off += usize::from(!reachable);
    }
    assert!(arrived > 100 && cut_off > 50, "{arrived} arrived, {cut_off} cut off");
}

/// Without learned values and with the smallest look-ahead they are all equal.
#[test]
fn the_least_look_ahead_makes_them_one() {
    const SAME: [&str; 7] = [
        "lrta",
        "tla(lookahead=1)",
        "lss-lrta(lookahead=1)",
        "rtaa(lookahead=1)",
        "lrta(reach=1)",
        "lrta(rule=korf-table)",
        "lrts(depth=1)",
    ];
    for seed in 0..ROUNDS / 4 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = random_problem(rng, 12, 2);
        let mut agents = SAME.map(|text| harness::Agent::new(text, &grid, ends));
        let log = ChangeLog::new();
        for trial in 0..3 {
            for _ in 0..harness::patience(&grid) {
                let answers = agents.each_mut().map(|agent| {
                    let (decision, _) = agent.tick(&grid, &log, None);
                    (decision, agent.watch.deed.learned.clone())
                });
                for (text, answer) in SAME.iter().zip(&answers) {
                    // RTAA* and its variants detect at once that nothing is left to expand.
                    let enclosed = grid.succs(ends.0).next().is_none();
                    let case = || format!("{text}, seed {seed}, trial {trial}");
                    if !enclosed {
                        assert_eq!(answer, &answers[0], "{}", case());
                    }
                }
                if answers[0].0 == Decision::NoPath || answers[0].0 == Decision::Wait {
                    break;
                }
            }
            for agent in &mut agents {
                agent.begin_again(ends.0);
            }
        }
        for agent in &agents {
            assert_eq!(agent.watch.h, agents[0].watch.h);
        }
    }
}
