//! Learning: how much, for which goal, and over many trials.

use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::planners::{Avoid, FrontierRule, LookAhead, LookAheadLimit, Lrta, LrtaConfig, LssLrta, Rtaa};
use fleetfoot::{
    ChangeLog, Cost, Decision, Graph, Grid, Heuristic, Meter, NodeId, Planner, Rules, Scratch, StepContext,
    WithHeuristic,
};
use fleetfoot_testkit::{Rng, World, oracle, worlds};

use super::harness::{Agent, Hidden, Pair, patience, random_problem, random_spec};
use super::{PLANNERS, spec};

/// A learned heuristic.
#[derive(Clone, Debug)]
struct Learned(BTreeMap<NodeId, Cost>);

impl Heuristic<Grid> for Learned {
    fn h(&self, graph: &Grid, a: NodeId, b: NodeId) -> Cost {
        self.0.get(&a).copied().unwrap_or_else(|| graph.h(a, b))
    }
}

/// From equal h and the same look-ahead, RTAA* learns at most what LSS-LRTA* learns, for every node, and neither
/// decreases h.
#[test]
fn rtaa_learns_no_more_than_lss_lrta() {
    let (mut less, mut equal) = (0, 0);
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = random_problem(rng, 14, 3);
        let mut teacher = Agent::new("lss-lrta(lookahead=5)", &grid, ends);
        teacher.live(&grid, None, rng.below(12));
        let at = teacher.at;
        let guided = World::undirected(WithHeuristic::new(grid.clone(), Learned(teacher.watch.h)));
        let lookahead = 1 + rng.below(40);
        let lesson = |key: &str| {
            let text = format!("{key}(lookahead={lookahead})");
            let mut agent = Agent::new(&text, &guided, (at, ends.1));
            agent.tick(&guided, &ChangeLog::new(), None);
            let closed: BTreeSet<_> = agent.watch.deed.expanded.iter().copied().collect();
            (closed, (0..grid.bound()).map(|n| agent.h(&guided, NodeId::from_index(n))).collect::<Vec<_>>())
        };
        let ((closed, rtaa), (also_closed, lss)) = (lesson("rtaa"), lesson("lss-lrta"));
        assert_eq!(closed, also_closed, "the same look-ahead");
        for n in (0..grid.bound()).map(NodeId::from_index) {
            let (r, l) = (rtaa[n.index()], lss[n.index()]);
            assert!(guided.h(n, ends.1) <= r && r <= l, "seed {seed}: {r} and {l} at {n}");
            assert!(closed.contains(&n) || l == guided.h(n, ends.1), "learned about what was not searched");
            less += usize::from(r < l);
            equal += usize::from(r == l && closed.contains(&n));
        }
        // And the variants with depression avoidance learn the same.
        assert!(lesson("da-rtaa").1 == rtaa && lesson("da-lss-lrta").1 == lss);
    }
    assert!(less > 100 && equal > 300, "{less} less, {equal} equal");
}

/// With a look-ahead to the goal, every plan is a shortest path in the believed world.
#[test]
fn looking_ahead_to_the_end_plans_shortest_paths() {
    let mut planned = 0;
    for seed in 0..120 {
        let rng = &mut Rng::new(seed);
        let heaviest = rng.pick(&[1, 3]);
        let (map, ends) = random_problem(rng, 14, heaviest);
        for text in
            ["rtaa", "lss-lrta", "tla", "da-rtaa", "da-lss-lrta", "rtaa(moves=1)", "lss-lrta(moves=3)"]
        {
            let mut hidden = Hidden::new(&map, heaviest);
            let mut agent = Agent::new(text, hidden.belief.grid(), ends);
            for _ in 0..patience(&map) {
                hidden.look(agent.at);
                let (at, graph) = (agent.at, hidden.belief.grid());
                let (decision, _) = agent.tick(graph, hidden.belief.log(), None);
                let mut path: Vec<_> = agent.watch.deed.traced.iter().rev().copied().collect();
                if !path.is_empty() {
                    path.push(ends.1);
                    planned += 1;
                    assert_eq!(oracle::cost_of(graph, &path), oracle::distance(graph, at, ends.1), "{text}");
                }
                if agent.at == ends.1 || decision == Decision::NoPath {
                    break;
                }
            }
            let reachable = oracle::distance(&hidden.truth, ends.0, ends.1).is_finite();
            assert_eq!(agent.at == ends.1, reachable, "{text}, seed {seed}");
        }
    }
    assert!(planned > 2000, "{planned}");
}

/// Over trials the walk converges to a shortest path, and learning stops.
///
/// With weighted costs or depression avoidance, it converges to some path: a detour without increased values is
/// preferred to a shortest path with one.
#[test]
fn trials_converge() {
    for seed in 0..25 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = random_problem(rng, 9, if seed % 2 == 0 { 1 } else { 3 });
        let optimum = oracle::distance(&grid, ends.0, ends.1);
        if !optimum.is_finite() {
            continue;
        }
        for text in PLANNERS.iter().copied().chain(["lrts(gamma=0.4)", "lrts(depth=2,gamma=0.6,quota=1)"]) {
            let mut agent = Agent::new(text, &grid, ends);
            let mut calm = 0;
            for trial in 0.. {
                assert!(trial < 3000, "{text} never stops learning, seed {seed}");
                let before = agent.watch.h.clone();
                assert_eq!(
                    agent.live(&grid, None, patience(&grid)),
                    Some(Decision::Wait),
                    "{text}, seed {seed}"
                );
                // After a trial without learning, nothing is ever learned.
                let is_calm = agent.watch.h == before;
                assert!(is_calm || calm == 0, "{text} learns again, seed {seed}");
                calm += usize::from(is_calm);
                let cost = oracle::cost_of(&grid, &agent.walk);
                assert!(
                    !is_calm || cost == optimum || text.contains("gamma") || text.starts_with("da-"),
                    "{text}, seed {seed}: {cost} instead of {optimum}"
                );
                if calm == 3 {
                    break;
                }
                agent.begin_again(ends.0);
            }
        }
    }
}

/// Values are kept for three goals, or for one.
#[test]
fn what_was_learned_is_kept_for_as_many_goals_as_asked() {
    let mut forgotten = 0;
    for seed in 0..60 {
        let rng = &mut Rng::new(seed);
        let (grid, (start, first)) = random_problem(rng, 10, 1);
        let near = oracle::distances_from(&grid, start);
        let cells = worlds::free_cells(&grid);
        let places: Vec<_> = cells.into_iter().filter(|n| near[n.index()].is_finite()).collect();
        if places.len() < 5 || !places.contains(&first) {
            continue;
        }
        let goals = [first, rng.pick(&places), rng.pick(&places)];
        if goals[0] == goals[1] || goals[1] == goals[2] || goals[0] == goals[2] {
            continue;
        }
        for (kept, depth) in [(3, 1), (3, 2), (2, 1), (1, 1)] {
            let text = format!("lrta(depth={depth},goals={kept})");
            let mut pair = Pair::new(&text, &grid, (start, first));
            let alone = format!("lrta(depth={depth})");
            let mut single = goals.map(|goal| Agent::new(&alone, &grid, (start, goal)));
            for round in 0..3 {
                for (goal, single) in goals.into_iter().zip(&mut single) {
                    pair.agent.goal = goal;
                    pair.agent.at = start;
                    pair.agent.watch.h.clear();
                    pair.model.begin_again();
                    pair.agent.planner.reset(fleetfoot::Reset::KeepLearned);
                    pair.agent.walk = vec![start];
                    pair.live(&grid, None);
                    single.begin_again(start);
                    single.live(&grid, None, patience(&grid));
                    if kept == 3 {
                        assert_eq!(
                            pair.agent.walk, single.walk,
                            "it goes on where it left off, round {round}"
                        );
                    } else if round > 0 {
                        forgotten += usize::from(pair.agent.walk != single.walk);
                    }
                }
            }
            let states = pair.agent.planner.stats().h_states;
            assert_eq!(states, pair.model.h.len() as u64);
        }
    }
    assert!(forgotten > 20, "{forgotten}");
}

/// Four goals with a memory of three: the least recent one is forgotten.
#[test]
fn the_goal_longest_ago_is_forgotten() {
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let grid = worlds::random_grid(rng, (9, 9), Rules::default(), 30, 1);
        let cells = worlds::free_cells(&grid);
        let start = rng.pick(&cells);
        let near = oracle::distances_from(&grid, start);
        let places: Vec<_> = cells.into_iter().filter(|n| near[n.index()].is_finite()).collect();
        let goals: Vec<_> = (0..4).map(|_| rng.pick(&places)).collect();
        let mut pair = Pair::new("lrta(goals=3)", &grid, (start, goals[0]));
        for _ in 0..14 {
            // During a walk as well; the model knows what is kept.
            pair.agent.goal = rng.pick(&goals);
            pair.agent.watch.h.clear();
            let ticks = rng.below(30);
            (0..ticks).for_each(|_| _ = pair.tick(&grid, &ChangeLog::new(), None));
        }
    }
}

/// A new goal clears the values of all other learners; so does a full reset, but not one that keeps learned values.
#[test]
fn values_do_not_outlive_their_goal() {
    for seed in 0..150 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = random_problem(rng, 10, 2);
        let text = if seed % 5 == 0 { "lrta(goals=3)".to_string() } else { random_spec(rng) };
        let near = oracle::distances_from(&grid, ends.0);
        let cells = worlds::free_cells(&grid);
        let places: Vec<_> = cells.into_iter().filter(|n| near[n.index()].is_finite()).collect();
        let goals = [rng.pick(&places), rng.pick(&places), rng.pick(&places)];
        let mut pair = Pair::new(&text, &grid, (ends.0, goals[0]));
        for _ in 0..8 {
            let ticks = rng.below(20);
            (0..ticks).for_each(|_| _ = pair.tick(&grid, &ChangeLog::new(), None));
            if rng.one_in(3) {
                pair.agent.planner.reset(fleetfoot::Reset::Full);
                pair.model = super::model::Model::new(&spec(&text));
                pair.agent.watch.h.clear();
                assert_eq!(pair.agent.planner.stats().h_states, 0);
            } else {
                let goal = rng.pick(&goals);
                if goal != pair.agent.goal {
                    pair.agent.watch.h.clear();
                }
                pair.agent.goal = goal;
            }
        }
    }
}

/// The table that a planner returns equals its learning events.
#[test]
fn the_table_shown_is_the_table_told() {
    let ahead = LookAhead { expansions: Some(6), moves: None };
    let rng = &mut Rng::new(8);
    for _ in 0..30 {
        let (grid, ends) = random_problem(rng, 12, 1);
        let config = LrtaConfig { reach: LookAheadLimit::Depth(2), rule: FrontierRule::PathMax, goals: 1 };
        let mut typed = (
            Lrta::new(config, &grid),
            LssLrta::new(ahead, Avoid::Nothing, &grid),
            Rtaa::new(ahead, Avoid::Depressions, &grid),
        );
        let told = ["lrta(depth=2)", "lss-lrta(lookahead=6)", "da-rtaa(lookahead=6)"].map(|text| {
            let mut agent = Agent::new(text, &grid, ends);
            agent.live(&grid, None, 200);
            (agent.at, agent.watch.h)
        });
        let shown = [
            walk(&mut typed.0, &grid, ends),
            walk(&mut typed.1, &grid, ends),
            walk(&mut typed.2, &grid, ends),
        ];
        let tables = [typed.0.learned(), typed.1.learned(), typed.2.learned()];
        for ((table, at), (told_at, told)) in tables.into_iter().zip(shown).zip(told) {
            assert_eq!((at, table.iter().collect::<BTreeMap<_, _>>()), (told_at, told));
        }
    }
}

fn walk(planner: &mut impl Planner<Grid>, grid: &Grid, (mut at, goal): (NodeId, NodeId)) -> NodeId {
    let mut scratch = Scratch::new();
    for _ in 0..200 {
        let meter = &mut Meter::unlimited();
        match planner.step(StepContext::new(grid, at, goal, meter, &mut scratch)) {
            Decision::Go(to) => at = to,
            Decision::Wait | Decision::NoPath => break,
        }
    }
    at
}

/// SLA*: it backtracks after every increase. Its walk without the moves that were undone is a shortest path, in the
/// first trial.
#[test]
fn without_a_quota_lrts_backs_up_after_every_raise() {
    let mut backed = 0;
    for seed in 0..150 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = random_problem(rng, 12, 3);
        let optimum = oracle::distance(&grid, ends.0, ends.1);
        let mut agent = Agent::new("lrts(quota=0)", &grid, ends);
        let mut stack: Vec<NodeId> = Vec::new();
        while optimum.is_finite() && agent.at != ends.1 {
            let at = agent.at;
            agent.tick(&grid, &ChangeLog::new(), None);
            match stack.pop() {
                Some(back) if !agent.watch.deed.learned.is_empty() => {
                    assert_eq!(agent.at, back);
                    backed += 1;
                }
                last => {
                    stack.extend(last);
                    stack.push(at);
                }
            }
        }
        stack.push(ends.1);
        assert!(!optimum.is_finite() || oracle::cost_of(&grid, &stack) == optimum, "seed {seed}");
    }
    assert!(backed > 1000, "{backed}");
}
