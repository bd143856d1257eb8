//! RTD* and its baselines: the combination of two searches, each within its share of the step.

use fleetfoot::planners::{
    AdStar, AdStarWeights, Avoid, DStarLite, FrontierRule, KeyFocus, LookAhead, LookAheadLimit, Lrta,
    LrtaConfig, LssLrta, NoPathPolicy, Rtaa, Rtd, RtdConfig, RtdGlobal, RtdLocal, Tla,
};
use fleetfoot::registry::{BoxedPlanner, Spec};
use fleetfoot::{
    ChangeLog, Decision, Graph, Grid, NodeId, Planner, Reset, ReverseGraph, Scratch, StepContext, Work,
    WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};

use super::harness::{Budget, Changing, Life, Watch, meter, random_grid, random_plane, spec};

/// RTD*'s learners by name, and each as a planner of its own.
const LEARNERS: [(&str, &str); 4] =
    [("lrta", "lrta(depth=1000000)"), ("tla", "tla"), ("lss-lrta", "lss-lrta"), ("rtaa", "rtaa")];

/// Performs a step of a planner. Returns decision, work and expansions. At the papers' prices it keeps its budget
/// exactly.
fn tick<G: ReverseGraph>(
    planner: &mut dyn Planner<G>,
    (graph, log): (&G, &ChangeLog),
    (at, goal): (NodeId, NodeId),
    budget: Budget,
    scratch: &mut Scratch,
) -> (Decision, Work, Vec<NodeId>) {
    let (mut meter, mut watch) = (meter(budget), Watch::default());
    let step =
        StepContext::new(graph, at, goal, &mut meter, scratch).with_changes(log).with_probe(&mut watch);
    let decision = planner.step(step);
    let work = *meter.work();
    let spent = work[WorkKind::Expand] + work[WorkKind::Refresh];
    assert!(budget.is_none_or(|budget| spent <= budget), "{spent} spent of {budget:?}");
    if let Decision::Go(to) = decision {
        assert!(oracle::edge(graph, at, to).is_finite(), "no move from {at} to {to}");
    }
    (decision, work, watch.0)
}

/// Runs both planners in the same changing world. The agent follows the first one, with disturbances; both must
/// decide identically.
fn decide_the_same<G: Changing>(mut life: Life<G>, texts: [&str; 2], budget: Budget) -> usize {
    let mut planners = texts.map(|text| spec(text).build(&life.graph).expect("it can be built"));
    let (mut scratch, mut moves) = (Scratch::new(), 0);
    for tick_number in 0..80 {
        match life.rng.below(8) {
            0 | 1 => life.change(4),
            2 if life.rng.one_in(3) => life.drift(),
            3 if life.rng.one_in(9) => life.aim(),
            _ => {}
        }
        let ends = (life.at, life.goal);
        let world = (&life.graph, &life.log);
        let [first, second] =
            planners.each_mut().map(|planner| tick(&mut **planner, world, ends, budget, &mut scratch).0);
        assert_eq!(first, second, "{texts:?}, tick {tick_number}, from {} to {}", ends.0, ends.1);
        if let Decision::Go(to) = first {
            life.at = to;
            moves += 1;
        } else {
            life.drift();
        }
    }
    moves
}

fn decide_the_same_everywhere(rounds: u64, budget: Budget, pair: impl Fn(&mut Rng) -> [String; 2]) {
    let mut moves = 0;
    for seed in 0..rounds {
        let mut rng = Rng::new(seed);
        let texts = pair(&mut rng);
        let texts = [texts[0].as_str(), texts[1].as_str()];
        moves += if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 10);
            decide_the_same(Life::new(grid, rng), texts, budget)
        } else {
            let plane = random_plane(&mut rng, 24);
            decide_the_same(Life::new(plane, rng), texts, budget)
        };
    }
    assert!(moves > 10 * rounds as usize, "only {moves} moves");
}

/// Without a limit the local search never decides.
#[test]
fn without_a_limit_it_plans_like_its_far_sighted_search() {
    decide_the_same_everywhere(120, None, |rng| {
        let (global, ratio) = (rng.pick(&["dstar-lite", "ad-star"]), rng.pick(&["0", "0.25", "0.75"]));
        let local = rng.pick(&LEARNERS).0;
        [format!("rtd(global={global},local={local},ratio={ratio})"), global.to_string()]
    });
}

/// With a budget of 1 the global search never runs.
#[test]
fn with_a_budget_of_one_it_is_its_learner() {
    decide_the_same_everywhere(160, Some(1), |rng| {
        let (local, alone) = rng.pick(&LEARNERS);
        let (global, ratio) = (rng.pick(&["dstar-lite", "ad-star"]), rng.pick(&["0", "0.25", "0.5", "1"]));
        [format!("rtd(global={global},local={local},ratio={ratio})"), alone.to_string()]
    });
}

/// With a share of 100 %, it behaves like its learner, for every budget.
#[test]
fn with_the_whole_budget_for_the_learner_it_is_that() {
    decide_the_same_everywhere(80, Some(9), |rng| {
        let (local, alone) = rng.pick(&LEARNERS);
        [format!("rtd(local={local},ratio=1)"), alone.to_string()]
    });
}

fn far_sighted<G: Graph>(kind: usize, focus: KeyFocus, graph: &G) -> RtdGlobal {
    if kind == 0 {
        RtdGlobal::DStarLite(DStarLite::new(focus, graph))
    } else {
        RtdGlobal::AdStar(AdStar::new(AdStarWeights::default(), focus, graph))
    }
}

fn learner<G: Graph>(kind: usize, graph: &G) -> RtdLocal {
    let ahead = LookAhead { expansions: None, moves: None };
    let config = LrtaConfig { reach: LookAheadLimit::Depth(u64::MAX), rule: FrontierRule::PathMax, goals: 1 };
    match kind {
        0 => RtdLocal::Lrta(Lrta::new(config, graph)),
        1 => RtdLocal::Tla(Tla::new(None, graph)),
        2 => RtdLocal::LssLrta(LssLrta::new(ahead, Avoid::Nothing, graph)),
        _ => RtdLocal::Rtaa(Rtaa::new(ahead, Avoid::Nothing, graph)),
    }
}

/// Returns every value and every queue entry of a search.
fn known(global: &RtdGlobal) -> String {
    let field = match global {
        RtdGlobal::DStarLite(search) => search.field(),
        RtdGlobal::AdStar(search) => search.field(),
    };
    let vertices: Vec<_> = field.vertices().map(|(n, v)| (n, v.g, v.rhs, v.next)).collect();
    let queue: Vec<_> = field.queue().map(|(n, key)| (n, key.0)).collect();
    format!("{vertices:?} {queue:?}")
}

/// Compares RTD* with its two searches, each alone with exactly its share: ⌈L·ratio⌉ for the learner, the rest for
/// the other. The learner also gets what the other has not used.
fn sum_of_its_parts<G: Changing>(mut life: Life<G>, percent: u64, budget: u64) -> [usize; 2] {
    let (kind, local_kind) = (life.rng.below(2), life.rng.below(4));
    let focus = life.rng.pick(&[KeyFocus::PerEpisode, KeyFocus::PerStep, KeyFocus::OnChange]);
    let config =
        RtdConfig { ratio: percent as u32 * 10_000, no_way: NoPathPolicy::Report, share_leftover: false };
    let graph = &life.graph;
    let mut rtd = Rtd::new(config, far_sighted(kind, focus, graph), learner(local_kind, graph));
    let mut far: RtdGlobal = far_sighted(kind, focus, graph);
    let mut near: BoxedPlanner<G> = spec(LEARNERS[local_kind].1).build(graph).expect("it can be built");
    let (mut scratch, mut spare) = (Scratch::new(), Scratch::new());
    let mut decided = [0, 0];
    for tick_number in 0..60 {
        match life.rng.below(8) {
            0 => life.change(3),
            1 if life.rng.one_in(3) => life.drift(),
            _ => {}
        }
        let ends @ (at, goal) = (life.at, life.goal);
        if at == goal {
            life.drift();
            continue;
        }
        let world = (&life.graph, &life.log);
        let (decision, work, expanded) = tick(&mut rtd, world, ends, Some(budget), &mut scratch);
        let share = budget - (budget * percent).div_ceil(100);
        let mut wanted = (Decision::Wait, Work::NONE, vec![]);
        if share > 0 {
            wanted = match &mut far {
                RtdGlobal::DStarLite(search) => tick(search, world, ends, Some(share), &mut spare),
                RtdGlobal::AdStar(search) => tick(search, world, ends, Some(share), &mut spare),
            };
        }
        if wanted.0 == Decision::Wait {
            let left = budget - wanted.1[WorkKind::Expand] - wanted.1[WorkKind::Refresh];
            let more = tick(&mut *near, world, ends, Some(left), &mut spare);
            wanted.2.extend(more.2);
            wanted.0 = more.0;
            decided[1] += 1;
        } else {
            decided[0] += 1;
            assert_eq!(work[WorkKind::Refresh], wanted.1[WorkKind::Refresh], "the other part is left alone");
            if let Decision::Go(_) = wanted.0 {
                near.reset(Reset::KeepLearned);
            }
        }
        assert_eq!((decision, expanded), (wanted.0, wanted.2), "tick {tick_number}, {percent}% of {budget}");
        assert_eq!(known(rtd.global()), known(&far), "tick {tick_number}");
        match decision {
            Decision::Go(to) => life.at = to,
            _ => life.drift(),
        }
    }
    decided
}

#[test]
fn it_is_the_sum_of_its_parts() {
    let mut decided = [0, 0];
    for seed in 0..240 {
        let mut rng = Rng::new(seed);
        let (percent, budget) = (rng.pick(&[25, 50, 75]), u64::from(rng.between(1, 20)));
        let more = if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 11);
            sum_of_its_parts(Life::new(grid, rng), percent, budget)
        } else {
            let plane = random_plane(&mut rng, 30);
            sum_of_its_parts(Life::new(plane, rng), percent, budget)
        };
        decided = [decided[0] + more[0], decided[1] + more[1]];
    }
    assert!(decided.iter().all(|n| *n > 1500), "{decided:?} decisions, far and near");
}

/// Returns a grid, a free cell, and another one that can be reached from it.
fn solvable(rng: &mut Rng, most: u32) -> (Grid, (NodeId, NodeId)) {
    loop {
        let grid = random_grid(rng, most);
        let cells = worlds::free_cells(&grid);
        if cells.is_empty() {
            continue;
        }
        let ends = (rng.pick(&cells), rng.pick(&cells));
        if oracle::distance(&grid, ends.0, ends.1).is_finite() {
            return (grid, ends);
        }
    }
}

/// Returns the walk in a static world, and how long the agent waited before its first move.
fn walk(text: &str, grid: &Grid, (at, goal): (NodeId, NodeId), budget: Budget) -> (Vec<NodeId>, u64, u64) {
    let (mut planner, mut scratch, log) =
        (spec(text).build(grid).expect("it can be built"), Scratch::new(), ChangeLog::new());
    let (mut walk, mut waits, mut expanded) = (vec![at], 0, 0);
    for _ in 0..60 * grid.bound() + 4000 {
        let here = walk[walk.len() - 1];
        if here == goal {
            return (walk, waits, expanded);
        }
        let (decision, work, _) = tick(&mut *planner, (grid, &log), (here, goal), budget, &mut scratch);
        expanded += work[WorkKind::Expand];
        match decision {
            Decision::Go(to) => walk.push(to),
            Decision::Wait => waits += 1,
            Decision::NoPath => panic!("{text}: there is a way"),
        }
    }
    panic!("{text}, budget {budget:?}: still at {} after {} moves", walk[walk.len() - 1], walk.len());
}

#[test]
fn it_arrives_with_every_budget() {
    let mut k = 0;
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = solvable(rng, 12);
        for focus in ["per-episode", "per-step", "on-change"] {
            // That mode is about D* Lite's keys.
            let globals = if focus == "on-change" { &["dstar-lite"][..] } else { &["dstar-lite", "ad-star"] };
            for global in globals {
                let (local, purse) = (LEARNERS[k % 4].0, ["off", "on"][k / 4 % 2]);
                let text = format!("rtd(global={global},local={local},focus={focus},share-leftover={purse})");
                let (_, waits, _) = walk(&text, &grid, ends, Some(rng.pick(&[1, 2, 3, 5, 8, 16, 64])));
                assert_eq!(waits, 0, "{text}: the learner always has a move");
                k += 1;
            }
        }
    }
}

/// The baselines of the paper in a static world: `NoOp` is D* Lite that waits while it searches, and Non-RTD*
/// follows the same path without waiting.
#[test]
fn the_baselines_walk_what_dstar_lite_walks() {
    for seed in 0..120 {
        let rng = &mut Rng::new(seed);
        let (grid, ends) = solvable(rng, 14);
        if ends.0 == ends.1 {
            continue;
        }
        let (way, waits, expanded) = walk("non-rtd", &grid, ends, None);
        assert_eq!(waits, 0, "all the time it wants");
        assert_eq!(oracle::cost_of(&grid, &way), oracle::distance(&grid, ends.0, ends.1));
        for limit in [1, 2, 7, 50, 1000] {
            let noop = walk("rtd-noop", &grid, ends, Some(limit));
            assert_eq!(noop, walk("dstar-lite", &grid, ends, Some(limit)));
            assert_eq!(noop, (way.clone(), expanded.div_ceil(limit) - 1, expanded), "limit {limit}");
        }
    }
}

/// `NoOp` is the budgeted D* Lite planner also while costs change.
#[test]
fn without_a_learner_it_is_dstar_lite() {
    decide_the_same_everywhere(60, Some(6), |_| ["rtd-noop".to_string(), "dstar-lite".to_string()]);
    decide_the_same_everywhere(60, Some(6), |_| {
        ["rtd-noop(global=ad-star)".to_string(), "ad-star".to_string()]
    });
}

/// If there is no path it reports that, waits, or lets the learner move, as configured.
#[test]
fn the_no_path_policy_applies_without_a_path() {
    let (grid, at, goal) = worlds::Tiny::named("walled-in-goal").grid(fleetfoot::Rules::default());
    for (word, wanted) in [("report", Decision::NoPath), ("wait", Decision::Wait)] {
        for global in ["dstar-lite", "ad-star"] {
            let text: Spec = spec(&format!("rtd(global={global},no-path={word})"));
            let (mut planner, mut scratch) = (text.build(&grid).expect("it can be built"), Scratch::new());
            for _ in 0..3 {
                let world = (&grid, &ChangeLog::new());
                let (decision, ..) = tick(&mut *planner, world, (at, goal), Some(1000), &mut scratch);
                assert_eq!(decision, wanted, "{text}");
            }
        }
    }
    let mut planners =
        ["rtd(no-path=local)", "lss-lrta"].map(|text| spec(text).build(&grid).expect("it can be built"));
    let (mut scratch, mut at) = (Scratch::new(), at);
    for _ in 0..30 {
        let [ours, theirs] = planners.each_mut().map(|planner| {
            // The additional work of the first is for its proof, made in the first step.
            tick(&mut **planner, (&grid, &ChangeLog::new()), (at, goal), Some(12), &mut scratch).0
        });
        if let Decision::Go(to) = ours {
            at = to;
        }
        assert_eq!(matches!(ours, Decision::Go(_)), matches!(theirs, Decision::Go(_)));
    }
}

/// What the learner leaves goes to the other search, even if that has no share of its own, and after changes.
#[test]
fn the_purse_is_never_shut() {
    let mut grid = Grid::new(30, 30, fleetfoot::Rules::default(), |x, y| u8::from(x != 15 || y == 29))
        .expect("a small grid");
    let cell = |grid: &Grid, x, y| grid.node(x, y).expect("a cell of the grid");
    let (mut at, goal) = (cell(&grid, 1, 1), cell(&grid, 28, 1));
    let config = RtdConfig { ratio: 1_000_000, no_way: NoPathPolicy::Report, share_leftover: true };
    let mut rtd = Rtd::new(config, far_sighted(0, KeyFocus::PerEpisode, &grid), learner(2, &grid));
    let (mut log, mut scratch) = (ChangeLog::new(), Scratch::new());
    let mut known = vec![];
    for k in 0..40 {
        if k == 10 {
            grid.set(cell(&grid, 0, 29), 0, &mut log).expect("a cell");
        }
        let (decision, ..) = tick(&mut rtd, (&grid, &log), (at, goal), Some(40), &mut scratch);
        if let Decision::Go(to) = decision {
            at = to;
        }
        let RtdGlobal::DStarLite(search) = rtd.global() else { panic!("another search") };
        known.push(search.field().vertices().count());
    }
    assert!(known[9] > 0, "it never had anything: {known:?}");
    assert!(known[39] > known[10], "it has had nothing since the change: {known:?}");
}
