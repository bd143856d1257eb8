//! D* Lite and LPA*: exact after every batch of changes, for every budget and agent position.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::planners::{DStarLite, KeyFocus, Lpa};
use fleetfoot::search::{Halt, QueueKey};
use fleetfoot::{
    Cost, Edge, Graph, Grid, Limits, NodeId, Pending, PlannerState, Prices, ReverseGraph, Rules, WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};

use super::harness::{
    BUDGETS, Budget, Changing, Life, hold_answer, hold_rhs, random_grid, random_plane, spec, walk_down,
};
use super::model::Model;

/// A search in a changing world.
struct Search {
    dstar: DStarLite,
}

impl Search {
    fn new<G: Changing>(mode: KeyFocus, graph: &G) -> Self {
        Self { dstar: DStarLite::new(mode, graph) }
    }

    fn repair<G: Changing>(&mut self, life: &mut Life<G>, budget: Budget) -> Halt {
        let ends = (life.at, life.goal);
        let dstar = &mut self.dstar;
        let (halt, work, _) = life.work(budget, |graph, log, tools| dstar.repair(graph, ends, log, tools));
        assert!(work[WorkKind::Change] < 4096, "as many changes as one step takes");
        halt
    }
}

/// Checks the invariants: rhs matches its definition; exactly the inconsistent nodes are on the queue; their keys
/// are at most the current ones.
fn hold_invariants<G: Changing>(life: &Life<G>, dstar: &DStarLite) {
    let field = dstar.field();
    hold_rhs(&life.graph, field);
    let queue: BTreeMap<NodeId, QueueKey> = field.queue().collect();
    assert_eq!(queue.len(), field.queue().count(), "a state stands twice");
    assert_eq!(queue.len(), field.waiting());
    for n in (0..life.graph.bound()).map(NodeId::from_index) {
        let vertex = field.vertex(n);
        let stands = queue.get(&n);
        assert_eq!(stands.is_some(), vertex.g != vertex.rhs, "{n} on the queue: {stands:?}, {vertex:?}");
        let key = dstar.key(&life.graph, n);
        assert!(
            stands.is_none_or(|stands| *stands <= key),
            "{n} stands under {stands:?}, its key is {key:?}"
        );
    }
    assert_eq!(field.top().map(|top| top.1), queue.values().min().copied());
    let known = field.vertices().filter(|(_, vertex)| vertex.g.is_finite()).count() as u64;
    let (most_open, most_known) = field.peaks();
    assert!((known..=life.graph.bound() as u64).contains(&most_known), "{known} known, at most {most_known}");
    assert!(queue.len() as u64 <= most_open);
}

/// Checks a finished search: the true cost, and a path of that cost.
fn hold_exact<G: Changing>(life: &Life<G>, dstar: &DStarLite, halt: Halt) {
    let truth = life.truth()[life.at.index()];
    hold_answer(halt, truth);
    if halt != Halt::Paused {
        assert_eq!(dstar.cost(life.at), truth, "the cost from {} to {}", life.at, life.goal);
    }
    if halt == Halt::Goal {
        let cost = walk_down(&life.graph, (life.at, life.goal), |n| dstar.next_toward_goal(n));
        assert_eq!(cost, truth, "the way's cost");
    }
}

/// Runs changes and repairs, with moved agents and new goals. Returns the number of finished repairs.
fn exact_life<G: Changing>(graph: G, rng: Rng, mode: KeyFocus, budget: Budget) -> usize {
    let mut life = Life::new(graph, rng);
    life.prices = life.rng.pick(&[Prices::PAPERS, Prices::PAPERS, Prices::ALL_WORK]);
    let mut search = Search::new(mode, &life.graph);
    let mut ended = 0;
    for _ in 0..40 {
        match life.rng.below(8) {
            0..3 => life.change(6),
            3 => life.drift(),
            4 if life.rng.one_in(6) => life.aim(),
            _ => {}
        }
        for _ in 0..life.rng.between(1, 6) {
            let halt = search.repair(&mut life, budget);
            if life.prices == Prices::PAPERS || halt != Halt::Paused {
                // Otherwise changes may be unprocessed.
                hold_invariants(&life, &search.dstar);
            }
            life.hold_told(search.dstar.field());
            hold_exact(&life, &search.dstar, halt);
            ended += usize::from(halt != Halt::Paused);
            if life.rng.one_in(3) {
                life.drift();
            }
        }
    }
    ended
}

#[test]
fn dstar_lite_is_exact_whatever_changes() {
    let (mut ended, mut paused) = (0, 0);
    for seed in 0..30 {
        for (k, budget) in BUDGETS.into_iter().enumerate() {
            for mode in [KeyFocus::PerEpisode, KeyFocus::PerStep] {
                let mut rng = Rng::new(seed << 8 | k as u64);
                let more = if seed % 2 == 0 {
                    let grid = random_grid(&mut rng, 9);
                    exact_life(grid, rng, mode, budget)
                } else {
                    let plane = random_plane(&mut rng, 24);
                    exact_life(plane, rng, mode, budget)
                };
                (ended, paused) = (ended + more, paused + usize::from(more == 0));
            }
        }
    }
    assert!(ended > 15_000 && paused < 30, "{ended} searches ended, in {paused} lives none");
}

/// With keys that may be wrong a search can end too early, so its path may not be shortest. Values still match
/// their definition, every move exists, and existing paths are not denied.
#[test]
fn keys_renewed_on_changes_alone_give_moves_that_exist() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let grid = random_grid(&mut rng, 9);
        let mut life = Life::new(grid, rng);
        let mut search = Search::new(KeyFocus::OnChange, &life.graph);
        for _ in 0..60 {
            if life.rng.one_in(3) {
                life.change(4);
            }
            let budget = life.rng.pick(&BUDGETS);
            let halt = search.repair(&mut life, budget);
            hold_rhs(&life.graph, search.dstar.field());
            assert!(halt != Halt::Empty || !life.truth()[life.at.index()].is_finite(), "there is a way");
            if let (Halt::Goal, true) = (halt, life.at != life.goal) {
                let to = search.dstar.next_toward_goal(life.at).expect("a way");
                assert!(oracle::edge(&life.graph, life.at, to).is_finite(), "no such move");
                life.at = to;
            } else {
                life.drift();
            }
        }
    }
}

/// A log that drops entries: a reader that has missed some restarts, and is exact again.
#[test]
fn lost_changes_do_no_harm() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut life = Life::new(random_grid(&mut rng, 8), rng);
        life.log = fleetfoot::ChangeLog::with_capacity(12);
        let (mut search, mut lpa) = (Search::new(KeyFocus::PerEpisode, &life.graph), Lpa::new(&life.graph));
        let (mut read, mut lost) = (0, 0);
        let ends = (life.at, life.goal);
        for _ in 0..12 {
            life.change(5);
            lost += usize::from(life.log.pending(read) == Pending::Truncated);
            let halt = search.repair(&mut life, None);
            hold_exact(&life, &search.dstar, halt);
            hold_invariants(&life, &search.dstar);
            life.work(None, |graph, log, tools| lpa.repair(graph, ends, log, tools));
            assert_eq!(lpa.cost(life.goal), life.truth()[life.at.index()]);
            read = life.log.end();
        }
        assert!(lost > 0, "nothing was ever lost");
    }
}

/// More changes than a step can process, even if all work is charged: they take several steps without expansions,
/// and the result is exact.
#[test]
fn floods_of_changes_are_digested_over_some_steps() {
    use fleetfoot::Meter;
    use fleetfoot::search::SearchTools;
    for (prices, budget) in [(Prices::PAPERS, 20), (Prices::ALL_WORK, 300)] {
        let mut rng = Rng::new(3);
        let grid = worlds::random_grid(&mut rng, (20, 20), Rules::default(), 20, 4);
        let mut life = Life::new(grid, rng);
        let mut dstar = DStarLite::new(KeyFocus::PerEpisode, &life.graph);
        let ends = (life.at, life.goal);
        life.work(None, |graph, log, tools| dstar.repair(graph, ends, log, tools));
        while life.log.end() < 9000 {
            life.change(9);
        }
        let mut steps = 0;
        let mut halt = Halt::Paused;
        while halt == Halt::Paused && steps < 10_000 {
            let mut meter = Meter::priced(budget, prices);
            let tools = &mut SearchTools { meter: &mut meter, pools: &mut life.pools, probe: None };
            halt = dstar.repair(&life.graph, ends, &life.log, tools);
            let work = meter.work();
            assert!(work[WorkKind::Change] <= 4096, "{work:?}");
            assert!(work.priced(&prices) <= 10 * budget || work[WorkKind::Expand] == 1, "{work:?}");
            if steps < 2 {
                assert_eq!(
                    work[WorkKind::Expand] + work[WorkKind::Refresh],
                    0,
                    "before all changes are seen"
                );
            }
            steps += 1;
        }
        assert!(steps > 3, "{steps} steps");
        hold_exact(&life, &dstar, halt);
        hold_invariants(&life, &dstar);
    }
}

/// A search is counted when the agent's path changes, not at every change: the episodes of Koenig & Likhachev
/// (2006).
#[test]
fn searches_are_counted_when_the_way_changes() {
    let (mut silent, mut counted) = (0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut life = Life::new(random_grid(&mut rng, 12), rng);
        let mut search = Search::new(KeyFocus::PerEpisode, &life.graph);
        search.repair(&mut life, None);
        let searches = |search: &Search| search.dstar.stats().searches;
        assert_eq!(searches(&search), 1);
        for _ in 0..20 {
            let (before, way) = (searches(&search), search.dstar.next_toward_goal(life.at));
            let cost = search.dstar.cost(life.at);
            life.change(2);
            search.repair(&mut life, None);
            let is_news = search.dstar.next_toward_goal(life.at) != way || search.dstar.cost(life.at) != cost;
            assert_eq!(searches(&search) - before, u64::from(is_news));
            silent += usize::from(!is_news);
            counted += usize::from(is_news);
        }
    }
    assert!(silent > 50 && counted > 50, "{silent} and {counted}");
}

/// Compares the search with the published pseudocode: the same values wherever both are final, and for the agent.
///
/// The pseudocode moves its focus to the agent before every search. So does a focus that stays while a search is
/// unfinished, if every search ends and something changes before each.
fn side_by_side<G: Changing>(graph: G, rng: Rng, mode: KeyFocus) -> (u64, u64) {
    let mut life = Life::new(graph, rng);
    let mut search = Search::new(mode, &life.graph);
    let mut model = Model::new(&life.graph, life.at, life.goal);
    let mut expanded = 0;
    for _ in 0..25 {
        let from = life.log.end();
        if mode == KeyFocus::PerEpisode || life.rng.one_in(2) {
            life.change(4);
        }
        if mode == KeyFocus::PerEpisode && life.log.end() == from {
            continue;
        }
        life.drift();
        let changed: BTreeSet<_> = life.log.since(from).map(|change| change.from).collect();
        model.repair(&life.graph, life.at, &changed);
        let ends = (life.at, life.goal);
        let (_, work, _) = life.work(None, |graph, log, tools| search.dstar.repair(graph, ends, log, tools));
        expanded += work[WorkKind::Expand];
        // The stored successor saves recomputations, not expansions.
        assert_eq!(expanded, model.expanded, "expansions");
        let (field, truth) = (search.dstar.field(), life.truth());
        assert_eq!(field.vertex(life.at).rhs, model.rhs[life.at.index()]);
        for (n, vertex) in field.vertices() {
            let (g, rhs) = (model.g[n.index()], model.rhs[n.index()]);
            if vertex.g == vertex.rhs && g == rhs && dstar_has_settled(&search.dstar, &life.graph, n) {
                assert_eq!((vertex.g, g), (truth[n.index()], truth[n.index()]), "{n}");
            }
        }
    }
    (expanded, model.expanded)
}

/// Returns `true` if no node on the queue can still change this node.
fn dstar_has_settled<G: Changing>(dstar: &DStarLite, graph: &G, n: NodeId) -> bool {
    dstar.field().top().is_none_or(|(_, top)| top >= dstar.key(graph, n))
}

#[test]
fn dstar_lite_is_the_published_one() {
    let (mut ours, mut theirs) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let mode = [KeyFocus::PerStep, KeyFocus::PerEpisode][seed as usize / 2 % 2];
        let (a, b) = if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 10);
            side_by_side(grid, rng, mode)
        } else {
            let plane = random_plane(&mut rng, 30);
            side_by_side(plane, rng, mode)
        };
        (ours, theirs) = (ours + a, theirs + b);
    }
    assert!(ours == theirs && theirs > 3000, "{ours} expansions where the description has {theirs}");
}

/// The first search has the expansions of a backward A* that prefers smaller g.
#[test]
fn the_first_search_is_a_backward_a_star() {
    let astar = spec("astar(direction=backward,open=heap,ties=smaller-g)");
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 14);
            first_searches_agree(Life::new(grid, rng), &astar);
        } else {
            let plane = random_plane(&mut rng, 50);
            first_searches_agree(Life::new(plane, rng), &astar);
        }
    }
}

fn first_searches_agree<G: Changing>(mut life: Life<G>, astar: &fleetfoot::registry::Spec) {
    let ends = (life.at, life.goal);
    if ends.0 == ends.1 {
        return;
    }
    let mut dstar = DStarLite::new(KeyFocus::PerEpisode, &life.graph);
    let (_, _, ours) = life.work(None, |graph, log, tools| dstar.repair(graph, ends, log, tools));
    let (mut planner, mut scratch) =
        (astar.build(&life.graph).expect("it can be built"), fleetfoot::Scratch::new());
    let (mut meter, mut watch) = (fleetfoot::Meter::unlimited(), super::harness::Watch::default());
    planner.step(
        fleetfoot::StepContext::new(&life.graph, ends.0, ends.1, &mut meter, &mut scratch)
            .with_changes(&life.log)
            .with_probe(&mut watch),
    );
    let set = |all: &[NodeId]| all.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(ours.len(), set(&ours).len(), "no state twice");
    let truth = life.truth()[ends.0.index()];
    let (ours, theirs) = (set(&ours), set(&watch.0));
    // Nodes that differ tie with the agent's key in its first component, so the order at the end is not determined.
    let from_goal = life.truth();
    for n in ours.symmetric_difference(&theirs) {
        let f = from_goal[n.index()] + life.graph.h(ends.0, *n);
        assert!(
            f == truth && from_goal[n.index()] == truth,
            "{n} is expanded by one alone: f {f}, truth {truth}"
        );
    }
}

#[test]
fn lpa_is_exact_whatever_changes() {
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        if seed % 2 == 0 {
            let grid = random_grid(&mut rng, 9);
            lpa_life(Life::new(grid, rng));
        } else {
            let plane = random_plane(&mut rng, 24);
            lpa_life(Life::new(plane, rng));
        }
    }
}

fn lpa_life<G: Changing>(mut life: Life<G>) {
    let (mut lpa, ends) = (Lpa::new(&life.graph), (life.at, life.goal));
    let mut ended = 0;
    for _ in 0..30 {
        life.change(5);
        for budget in BUDGETS {
            let (halt, _, _) = life.work(budget, |graph, log, tools| lpa.repair(graph, ends, log, tools));
            let truth = oracle::distance(&life.graph, ends.0, ends.1);
            hold_answer(halt, truth);
            if halt == Halt::Goal {
                let path = lpa.path(ends.1);
                assert_eq!((path[0], path[path.len() - 1]), ends, "the path's ends");
                assert_eq!((lpa.cost(ends.1), oracle::cost_of(&life.graph, &path)), (truth, truth));
            }
            ended += usize::from(halt != Halt::Paused);
        }
    }
    assert!(ended >= 30, "without a limit every search ends");
}

/// An agent that moves back and forth between two cells outdates almost every key in every step. Updating them in
/// every step, as printed in the paper, uses the whole budget. Keys that stay valid while the search is unfinished
/// let it end after a bounded number of steps.
#[test]
fn a_focus_that_moves_in_every_step_starves() {
    let grid = Grid::new(60, 60, Rules::default(), |x, y| u8::from(x != 30 || y < 2)).expect("a small grid");
    let cell = |x, y| grid.node(x, y).expect("a cell of the grid");
    let (goal, places) = (cell(57, 57), [cell(2, 57), cell(3, 57)]);
    let repairs = |mode, limit, most| {
        let mut life = Life::new(grid.clone(), Rng::new(0));
        let mut dstar = DStarLite::new(mode, &grid);
        (1..=most).find(|k| {
            let ends = (places[k % 2], goal);
            let (halt, ..) =
                life.work(Some(limit), |graph, log, tools| dstar.repair(graph, ends, log, tools));
            halt == Halt::Goal
        })
    };
    let all = repairs(KeyFocus::PerEpisode, 1, 20_000).expect("it ends") as u64;
    for limit in [1, 2, 4, 8, 16, 32, 64] {
        assert_eq!(repairs(KeyFocus::PerStep, limit, 20_000), None, "limit {limit}");
        let steps = repairs(KeyFocus::PerEpisode, limit, 20_000).expect("it ends") as u64;
        let (least, most) = (all / limit * 9 / 10, all.div_ceil(limit) + 3);
        assert!((least..=most).contains(&steps), "limit {limit}: {steps} steps, with a limit of 1 {all}");
    }
    assert!((1000..4000).contains(&all), "{all} steps");
}

/// A graph that counts its calls.
struct Asked<'a> {
    graph: &'a Grid,
    succs: Cell<u64>,
    preds: Cell<u64>,
}

impl Graph for Asked<'_> {
    fn limits(&self) -> Limits {
        Limits::new(self.graph.bound(), self.graph.max_edge_cost()).with_max_degree(self.graph.max_degree())
    }

    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.succs.set(self.succs.get() + 1);
        self.graph.succs(n)
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        self.graph.h(a, b)
    }

    fn fingerprint(&self) -> u64 {
        self.graph.fingerprint()
    }
}

impl ReverseGraph for Asked<'_> {
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.preds.set(self.preds.get() + 1);
        self.graph.preds(n)
    }
}

/// Every enumeration of incoming edges is counted as an expansion, and every enumeration of outgoing edges as a
/// recomputed value: no work is uncounted.
#[test]
fn all_that_is_done_is_counted() {
    let mut anew = 0;
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut life = Life::new(random_grid(&mut rng, 12), rng);
        let mut dstar = DStarLite::new(KeyFocus::PerEpisode, &life.graph);
        for _ in 0..30 {
            life.change(4);
            life.drift();
            let (ends, budget) = ((life.at, life.goal), life.rng.pick(&BUDGETS));
            let (asked, work, _) = life.work(budget, |graph, log, tools| {
                let graph = Asked { graph, succs: Cell::new(0), preds: Cell::new(0) };
                dstar.repair(&graph, ends, log, tools);
                (graph.preds.get(), graph.succs.get())
            });
            assert_eq!(asked, (work[WorkKind::Expand], work[WorkKind::Rhs]));
            anew += asked.1;
        }
    }
    assert!(anew > 500, "{anew}");
}
