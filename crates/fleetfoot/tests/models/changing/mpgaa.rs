//! MPGAA* against its published pseudocode without a budget, and against Dijkstra's algorithm.

use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::planners::{Mpgaa, RepeatedAStar, RepeatedAStarConfig};
use fleetfoot::registry::BoxedPlanner;
use fleetfoot::search::{OpenKind, Ties};
use fleetfoot::{
    ChangeLog, Cost, Decision, Graph, Grid, Meter, NodeId, Planner, PlannerState, Prices, ReverseGraph,
    Rules, Scratch, SearchEvent, SearchProbe, StepContext, Work, WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};

use super::harness::{BUDGETS, Budget, Changing, Life, random_grid, random_plane, spec};

/// MPGAA* from its pseudocode (Hernández, Asín & Baier 2015, Figure 1): h, `next` and `support` in arrays, CLOSED
/// updated by a pass, stored paths followed to their end, no budget. Ties in f: larger g, then first in, first out.
struct Model {
    h: Vec<Cost>,
    next: Vec<Option<NodeId>>,
    goal: NodeId,
    expanded: Vec<NodeId>,
}

impl Model {
    fn new<G: Graph>(graph: &G, goal: NodeId) -> Self {
        let h = (0..graph.bound()).map(|n| graph.h(NodeId::from_index(n), goal)).collect();
        Self { h, next: vec![None; graph.bound()], goal, expanded: Vec::new() }
    }

    /// Runs A* with the goal condition, updates CLOSED, and runs `BuildPath`. Returns `false` if there is no path.
    fn search<G: Graph>(&mut self, graph: &G, start: NodeId) -> bool {
        let (mut g, mut parent) = (BTreeMap::from([(start, Cost::ZERO)]), BTreeMap::new());
        let (mut open, mut keys, mut puts) = (BTreeSet::new(), BTreeMap::new(), 0u32);
        let mut closed = Vec::new();
        let key = (self.h[start.index()], !0, puts, start);
        open.insert(key);
        keys.insert(start, key);
        let stop = loop {
            let Some((.., s)) = open.pop_first() else { return false };
            if self.goal_condition(graph, s) {
                break s;
            }
            closed.push(s);
            self.expanded.push(s);
            for edge in graph.succs(s) {
                let (t, by) = (edge.to, g[&s] + edge.cost);
                if g.get(&t).is_none_or(|old| *old > by) {
                    g.insert(t, by);
                    parent.insert(t, s);
                    if let Some(old) = keys.remove(&t) {
                        open.remove(&old);
                    }
                    puts += 1;
                    let key = (by + self.h[t.index()], !by.raw(), puts, t);
                    open.insert(key);
                    keys.insert(t, key);
                }
            }
        };
        let f = g[&stop] + self.h[stop.index()];
        for s in closed {
            self.h[s.index()] = f.saturating_sub(g[&s]);
        }
        let mut s = stop;
        while s != start {
            self.next[parent[&s].index()] = Some(s);
            s = parent[&s];
        }
        true
    }

    fn goal_condition<G: Graph>(&self, graph: &G, mut s: NodeId) -> bool {
        while let Some(t) = self.next[s.index()] {
            if self.h[s.index()] != oracle::edge(graph, s, t) + self.h[t.index()] {
                break;
            }
            s = t;
        }
        s == self.goal
    }

    /// `ReestablishConsistency` after these edges became cheaper.
    fn observe<G: ReverseGraph>(&mut self, graph: &G, fallen: &[(NodeId, NodeId)]) {
        let mut queue = Updates::default();
        for &(s, t) in fallen {
            self.insert_state(s, (t, oracle::edge(graph, s, t)), &mut queue);
        }
        while let Some((.., t)) = queue.entries.pop_first() {
            self.expanded.push(t);
            let support = queue.support[&t];
            if self.next[support.index()].is_some() || support == self.goal {
                self.next[t.index()] = Some(support);
            }
            for edge in graph.preds(t) {
                self.insert_state(edge.to, (t, edge.cost), &mut queue);
            }
        }
    }

    fn insert_state(&mut self, s: NodeId, (t, cost): (NodeId, Cost), queue: &mut Updates) {
        let value = cost + self.h[t.index()];
        if self.h[s.index()] > value {
            queue.entries.retain(|entry| entry.2 != s);
            queue.puts += 1;
            queue.entries.insert((value, queue.puts, s));
            queue.support.insert(s, t);
            self.h[s.index()] = value;
            self.next[s.index()] = None;
        }
    }
}

#[derive(Default)]
struct Updates {
    entries: BTreeSet<(Cost, u32, NodeId)>,
    support: BTreeMap<NodeId, NodeId>,
    puts: u32,
}

/// The expanded nodes, in order.
#[derive(Default)]
struct Watch(Vec<NodeId>);

impl SearchProbe for Watch {
    fn event(&mut self, event: SearchEvent) {
        if let SearchEvent::Expand { node, .. } = event {
            self.0.push(node);
        }
    }
}

fn tick<G: Changing>(
    planner: &mut dyn Planner<G>,
    life: &Life<G>,
    budget: Budget,
    scratch: &mut Scratch,
) -> (Decision, Work, Vec<NodeId>) {
    let mut meter = budget.map_or_else(Meter::unlimited, |budget| Meter::priced(budget, life.prices));
    let mut watch = Watch::default();
    let step = StepContext::new(&life.graph, life.at, life.goal, &mut meter, scratch);
    let decision = planner.step(step.with_changes(&life.log).with_probe(&mut watch));
    (decision, *meter.work(), watch.0)
}

/// Checks that h is consistent, so that it never exceeds the true cost.
fn hold_consistency<G: Changing>(life: &Life<G>, planner: &Mpgaa) {
    let h = |n| planner.h(&life.graph, n);
    assert_eq!(h(life.goal), Cost::ZERO);
    for n in (0..life.graph.bound()).map(NodeId::from_index) {
        for edge in life.graph.succs(n) {
            assert!(h(n) <= edge.cost + h(edge.to), "h({n}) = {}, h({}) = {}", h(n), edge.to, h(edge.to));
        }
    }
}

/// Checks that the path ahead is a shortest path in the current world.
fn hold_shortest<G: Changing>(life: &Life<G>, planner: &Mpgaa) {
    let ahead = planner.path(life.at);
    assert_eq!(ahead.last(), Some(&life.goal), "the path ends elsewhere");
    let walk: Vec<_> = [life.at].into_iter().chain(ahead).collect();
    let shortest = oracle::distance(&life.graph, life.at, life.goal);
    assert_eq!(oracle::cost_of(&life.graph, &walk), shortest, "from {} to {}", life.at, life.goal);
}

fn new_planner<G: Changing>(graph: &G) -> Mpgaa {
    Mpgaa::directed(OpenKind::Heap(Ties::LargerG), graph)
}

/// Runs the planner and the model. Returns the number of expansions, and of searches that ended on a stored path.
fn life_beside_the_model<G: Changing>(graph: G, rng: Rng) -> (usize, usize) {
    let mut life = Life::new(graph, rng);
    let (mut planner, mut model) = (new_planner(&life.graph), Model::new(&life.graph, life.goal));
    let mut scratch = Scratch::new();
    let (mut seen, mut was_at, mut found) = (0, NodeId::NONE, false);
    let (mut expanded, mut reused) = (0, 0);
    for _ in 0..150 {
        match life.rng.below(10) {
            0..3 => life.change(4),
            3 if life.rng.one_in(3) => life.drift(),
            _ => {}
        }
        if life.at == life.goal {
            life.drift();
            continue;
        }
        let fell: Vec<_> =
            life.log.since(seen).filter(|change| change.is_decrease()).map(|c| (c.from, c.to)).collect();
        let has_changed = seen != life.log.end();
        seen = life.log.end();
        // The agent forgets the path behind it.
        let is_on_path = found && was_at != life.at && model.next.get(was_at.index()) == Some(&Some(life.at));
        if is_on_path {
            model.next[was_at.index()] = None;
        }
        let is_astray = was_at != life.at && !is_on_path;
        was_at = life.at;
        model.expanded.clear();
        model.observe(&life.graph, &fell);
        let repaired = model.expanded.len();
        if has_changed || !found || is_astray {
            found = model.search(&life.graph, life.at);
        }
        let (decision, _, log) = tick(&mut planner, &life, None, &mut scratch);
        if found {
            assert_eq!(log, model.expanded, "expansions");
            assert_eq!(decision, Decision::Go(model.next[life.at.index()].expect("a path")));
            hold_shortest(&life, &planner);
            let last = planner.path(life.at).len();
            reused += usize::from(log.len() > repaired && log.len() - repaired < last);
        } else {
            assert_eq!(decision, Decision::NoPath);
            assert!(log.starts_with(&model.expanded[..repaired]), "what tells its predecessors");
        }
        for n in (0..life.graph.bound()).map(NodeId::from_index) {
            assert_eq!(planner.h(&life.graph, n), model.h[n.index()], "h of {n}");
        }
        hold_consistency(&life, &planner);
        expanded += log.len();
        if let Decision::Go(to) = decision {
            life.at = to;
        }
    }
    (expanded, reused)
}

#[test]
fn mpgaa_expands_what_its_pseudo_code_does() {
    let (mut expanded, mut reused) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let more = if seed % 3 == 0 {
            let plane = random_plane(&mut rng, 24);
            life_beside_the_model(plane, rng)
        } else {
            let grid = random_grid(&mut rng, 14);
            life_beside_the_model(grid, rng)
        };
        (expanded, reused) = (expanded + more.0, reused + more.1);
    }
    assert!(expanded > 40_000 && reused > 1000, "{expanded} expansions, {reused} paths reused");
}

/// Runs the planner with a budget, for any changes at any time. Returns the number of moves.
fn budgeted_life<G: Changing, P: Fn(&G) -> Mpgaa>(graph: G, rng: Rng, budget: Budget, new: P) -> usize {
    let mut life = Life::new(graph, rng);
    life.prices = life.rng.pick(&[Prices::PAPERS, Prices::ALL_WORK]);
    let (mut planner, mut scratch, mut moves) = (new(&life.graph), Scratch::new(), 0);
    for _ in 0..150 {
        match life.rng.below(14) {
            0..2 => life.change(5),
            2 => life.drift(),
            3 if life.rng.one_in(6) => life.aim(),
            4 if life.rng.one_in(6) => planner.reset(fleetfoot::Reset::KeepLearned),
            _ => {}
        }
        let (decision, work, log) = tick(&mut planner, &life, budget, &mut scratch);
        assert_eq!(work[WorkKind::Expand], log.len() as u64);
        assert!(
            budget.is_none_or(|budget| work.priced(&life.prices) <= 10 * budget),
            "{work:?} of {budget:?}"
        );
        if decision != Decision::Wait {
            assert!(planner.is_consistent());
            hold_consistency(&life, &planner);
        }
        match decision {
            Decision::Go(to) => {
                hold_shortest(&life, &planner);
                (life.at, moves) = (to, moves + 1);
            }
            Decision::NoPath => {
                assert!(!oracle::distance(&life.graph, life.at, life.goal).is_finite(), "there is a path");
            }
            Decision::Wait => assert!(budget.is_some() || life.at == life.goal, "no need to wait"),
        }
        if life.at == life.goal && life.rng.one_in(3) {
            life.drift();
        }
    }
    moves
}

#[test]
fn mpgaa_walks_shortest_paths_whatever_changes_under_any_budget() {
    let mut moves = 0;
    for seed in 0..200 {
        for (k, budget) in BUDGETS.into_iter().enumerate() {
            let mut rng = Rng::new(seed << 8 | k as u64);
            moves += if seed % 3 == 0 {
                let plane = random_plane(&mut rng, 24);
                budgeted_life(plane, rng, budget, new_planner)
            } else {
                let kind = rng.pick(&[OpenKind::Ring, OpenKind::Heap(Ties::SmallerG)]);
                let grid = random_grid(&mut rng, 12);
                budgeted_life(grid, rng, budget, |grid| Mpgaa::undirected(kind, grid))
            };
        }
    }
    assert!(moves > 15_000, "{moves} moves");
}

/// Runs an agent that sees its eight neighbors in unknown terrain. Returns the number of expansions.
fn discover(truth: &Grid, (start, goal): (NodeId, NodeId), mut planner: BoxedPlanner<Grid>) -> u64 {
    let rules = Rules::default();
    let mut belief = Grid::new(truth.width(), truth.height(), rules, |_, _| 1).expect("open ground");
    let (mut log, mut scratch) = (ChangeLog::new(), Scratch::new());
    let (mut at, mut expanded, mut cost, mut least) = (start, 0, Cost::ZERO, Cost::ZERO);
    while at != goal {
        let (x, y) = truth.xy(at);
        for (dx, dy) in (0..9).map(|k| (k % 3, k / 3)) {
            let (x, y) = ((x + dx).wrapping_sub(1), (y + dy).wrapping_sub(1));
            if let Some(n) = truth.node(x, y).filter(|n| truth.weight(*n) == 0) {
                belief.set(n, 0, &mut log).expect("a cell");
            }
        }
        let mut meter = Meter::unlimited();
        let step = StepContext::new(&belief, at, goal, &mut meter, &mut scratch);
        let decision = planner.step(step.with_changes(&log));
        expanded += meter.work()[WorkKind::Expand];
        let Decision::Go(to) = decision else { panic!("{decision:?} at {at}") };
        // Every move is the first of a shortest path in the belief, and the estimated total cost never decreases.
        let (here, there) = (oracle::distance(&belief, at, goal), oracle::distance(&belief, to, goal));
        let step = oracle::edge(&belief, at, to);
        assert_eq!(here, step + there, "no shortest path goes from {at} to {to}");
        assert!(cost + here >= least);
        (least, cost, at) = (cost + here, cost + step, to);
    }
    expanded
}

/// In unknown terrain it needs fewer expansions than Repeated A*.
#[test]
fn mpgaa_discovers_a_map_with_fewer_expansions_than_repeated_astar() {
    let (mut mine, mut plain, mut walks) = (0, 0, 0);
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let truth = worlds::random_grid(&mut rng, (28, 28), Rules::default(), 34, 1);
        let cells = worlds::free_cells(&truth);
        let ends = (rng.pick(&cells), rng.pick(&cells));
        if !oracle::distance(&truth, ends.0, ends.1).is_finite() {
            continue;
        }
        mine += discover(&truth, ends, spec("mpgaa").build(&truth).expect("it can be built"));
        let repeated: BoxedPlanner<Grid> =
            Box::new(RepeatedAStar::new(RepeatedAStarConfig::default(), &truth));
        plain += discover(&truth, ends, repeated);
        walks += 1;
    }
    assert!(walks >= 5 && 4 * mine < 3 * plain, "{mine} expansions, Repeated A* {plain}, on {walks} walks");
}

/// A wall on a stored path that is being followed, behind the node reached so far: the path is broken, and is
/// followed again from its start.
#[test]
fn a_wall_behind_the_state_reached_breaks_the_stored_path() {
    let mut broken = 0;
    for ticks in 0..14 {
        let mut grid = Grid::new(40, 5, Rules::default(), |_, _| 1).expect("open ground");
        let node = |grid: &Grid, x, y| grid.node(x, y).expect("a cell");
        let (mut log, mut scratch) = (ChangeLog::new(), Scratch::new());
        let (mut at, goal) = (node(&grid, 0, 2), node(&grid, 39, 2));
        let mut planner = Mpgaa::undirected(OpenKind::Ring, &grid);
        let mut meter = Meter::unlimited();
        planner.step(StepContext::new(&grid, at, goal, &mut meter, &mut scratch).with_changes(&log));
        // Placed beside the path, with a budget of three hops per step.
        at = node(&grid, 0, 1);
        for tick in 0..200 {
            if tick == ticks {
                let wall = node(&grid, 4, 2);
                let is_followed = planner.path(at).is_empty();
                grid.set(wall, 0, &mut log).expect("a cell");
                broken += usize::from(is_followed);
            }
            let mut meter = Meter::priced(1, Prices::ALL_WORK);
            let step = StepContext::new(&grid, at, goal, &mut meter, &mut scratch);
            if let Decision::Go(to) = planner.step(step.with_changes(&log)) {
                let walk: Vec<_> = [at].into_iter().chain(planner.path(at)).collect();
                assert_eq!(oracle::cost_of(&grid, &walk), oracle::distance(&grid, at, goal), "{ticks} ticks");
                at = to;
                if tick > ticks {
                    break;
                }
            }
        }
    }
    assert!(broken > 5, "{broken}");
}
