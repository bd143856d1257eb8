//! P-LRTA*, IDA* and hill climbing, compared with simple models and reference results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use fleetfoot::planners::{Avoid, HillClimb, Ida, LookAhead, PLrta, Rtaa};
use fleetfoot::search::LearnedValues;
use fleetfoot::{
    ChangeLog, Cost, Decision, Graph, Grid, Meter, NodeId, Planner, PlannerState, Prices, Reset,
    ReverseGraph, Rules, Scratch, SearchEvent, SearchProbe, StepContext, Work, WorkKind,
};
use fleetfoot_testkit::worlds::{self, Tiny};
use fleetfoot_testkit::{Rng, oracle};

/// Records expansions.
#[derive(Default)]
struct Expanded(Vec<NodeId>);

impl SearchProbe for Expanded {
    fn event(&mut self, event: SearchEvent) {
        if let SearchEvent::Expand { node, .. } = event {
            self.0.push(node);
        }
    }
}

struct Agent<P> {
    planner: P,
    scratch: Scratch,
    at: NodeId,
    goal: NodeId,
    expanded: Expanded,
}

impl<P> Agent<P> {
    fn new(planner: P, (at, goal): (NodeId, NodeId)) -> Self {
        Self { planner, scratch: Scratch::new(), at, goal, expanded: Expanded::default() }
    }

    /// Performs a step and its move.
    fn tick<G: Graph>(&mut self, graph: &G, log: &ChangeLog, mut meter: Meter) -> (Decision, Work)
    where
        P: Planner<G>,
    {
        let decision = self.planner.step(
            StepContext::new(graph, self.at, self.goal, &mut meter, &mut self.scratch)
                .with_changes(log)
                .with_probe(&mut self.expanded),
        );
        if let Decision::Go(to) = decision {
            self.at = to;
        }
        (decision, *meter.work())
    }
}

fn all_nodes<G: Graph>(graph: &G) -> impl Iterator<Item = NodeId> + use<G> {
    (0..graph.bound()).map(NodeId::from_index)
}

fn h<G: Graph>(table: &LearnedValues, graph: &G, goal: NodeId, n: NodeId) -> Cost {
    table.get(n, || graph.h(n, goal))
}

/// Creates a random grid with two connected cells; every other grid has weights.
fn grid_and_ends(rng: &mut Rng, size: (u32, u32), blocked: u32) -> (Grid, (NodeId, NodeId)) {
    let (rules, heaviest) = (worlds::all_rules(), if rng.one_in(2) { 1 } else { 3 });
    loop {
        let rules = rng.pick(&rules);
        let grid = worlds::random_grid(rng, size, rules, blocked, heaviest);
        let cells = worlds::free_cells(&grid);
        let ends = (rng.pick(&cells), rng.pick(&cells));
        if ends.0 != ends.1 && oracle::distance(&grid, ends.0, ends.1).is_finite() {
            return (grid, ends);
        }
    }
}

/// A simple model of P-LRTA*: a list that is searched linearly.
struct Model {
    h: BTreeMap<NodeId, Cost>,
    queue: Vec<(Cost, NodeId)>,
    room: usize,
    goal: NodeId,
}

impl Model {
    fn new(room: usize, goal: NodeId) -> Self {
        Self { h: BTreeMap::new(), queue: Vec::new(), room, goal }
    }

    fn h<G: Graph>(&self, graph: &G, n: NodeId) -> Cost {
        self.h.get(&n).copied().unwrap_or_else(|| graph.h(n, self.goal))
    }

    fn state_update<G: ReverseGraph>(&mut self, graph: &G, x: NodeId) -> Option<NodeId> {
        let ways: Vec<_> = graph.succs(x).filter(|e| e.to != x).collect();
        // `min_by_key` returns the first of equal ones.
        let value = |c: Cost, n| (c + self.h(graph, n), u32::MAX - c.raw());
        let best = ways.iter().min_by_key(|e| value(e.cost, e.to))?;
        let v = value(best.cost, best.to).0;
        let old = self.h(graph, x);
        if v > old {
            self.h.insert(x, v);
            let goal = self.goal;
            for p in graph.preds(x).map(|e| e.to).filter(|&p| p != x && p != goal) {
                self.enqueue(p, v.saturating_sub(old));
            }
        }
        Some(best.to)
    }

    fn enqueue(&mut self, p: NodeId, delta: Cost) {
        let lowest = self.queue.iter().map(|e| e.0).min().unwrap_or(Cost::INF);
        if let Some(entry) = self.queue.iter_mut().find(|e| e.1 == p) {
            entry.0 = entry.0.max(delta);
        } else if self.queue.len() < self.room {
            self.queue.push((delta, p));
        } else if delta > lowest {
            let last = self.queue.iter().rposition(|e| e.0 == lowest).expect("the lowest is there");
            self.queue.remove(last);
            self.queue.push((delta, p));
        }
    }

    fn step<G: ReverseGraph>(&mut self, graph: &G, s: NodeId) -> Option<NodeId> {
        self.state_update(graph, s);
        for _ in 0..self.room {
            let Some(most) = self.queue.iter().map(|e| e.0).max() else { break };
            let first = self.queue.iter().position(|e| e.0 == most).expect("the highest is there");
            let (_, x) = self.queue.remove(first);
            self.state_update(graph, x);
        }
        self.state_update(graph, s)
    }
}

/// Compares the planner with the model for two trials.
fn walk_beside_the_model<G: ReverseGraph>(graph: &G, ends: (NodeId, NodeId), n: usize) {
    let mut agent = Agent::new(PLrta::new(Some(n as u64), graph), ends);
    let mut model = Model::new(n, ends.1);
    for _ in 0..2 {
        agent.at = ends.0;
        agent.planner.reset(Reset::KeepLearned);
        let mut steps = 0;
        while agent.at != agent.goal {
            let expected = model.step(graph, agent.at).expect("there is a way");
            let (decision, _) = agent.tick(graph, &ChangeLog::new(), Meter::unlimited());
            assert_eq!(decision, Decision::Go(expected), "N = {n}, step {steps}");
            assert_eq!(agent.planner.queued(), model.queue.len());
            steps += 1;
            assert!(steps < 100_000, "it arrives");
        }
        let learned: BTreeMap<_, _> = agent.planner.learned().iter().collect();
        assert_eq!(learned, model.h);
    }
}

#[test]
fn p_lrta_does_what_the_model_does() {
    let mut rng = Rng::new(1);
    for n in [0, 1, 3, 10, 40] {
        for _ in 0..6 {
            let (grid, ends) = grid_and_ends(&mut rng, (16, 13), 30);
            walk_beside_the_model(&grid, ends, n);
        }
        for _ in 0..6 {
            // Directed edges, parallel ones, and dead ends.
            let graph = worlds::random_directed(&mut rng, 40, 90, true, 9);
            walk_beside_the_model(&graph, (NodeId::new(0), NodeId::new(1 + rng.below(39) as u32)), n);
        }
    }
}

/// LRTA* with a look-ahead of one: P-LRTA*(0) and RTAA*(1) have the same moves and values.
fn walk_as_lrta<G: ReverseGraph>(
    graph: &mut G,
    ends: (NodeId, NodeId),
    mut change: impl FnMut(&mut G, NodeId, &mut ChangeLog),
) {
    let one = LookAhead { expansions: Some(1), moves: None };
    let mut p_lrta = Agent::new(PLrta::new(Some(0), graph), ends);
    let mut rtaa = Agent::new(Rtaa::new(one, Avoid::Nothing, graph), ends);
    let mut log = ChangeLog::new();
    for _ in 0..3 {
        (p_lrta.at, rtaa.at) = (ends.0, ends.0);
        for _ in 0..3000 {
            change(graph, p_lrta.at, &mut log);
            let (decision, work) = p_lrta.tick(graph, &log, Meter::priced(5, Prices::PAPERS));
            assert_eq!(decision, rtaa.tick(graph, &log, Meter::priced(5, Prices::PAPERS)).0);
            assert!(work[WorkKind::Expand] <= 1);
            if decision == Decision::Wait || decision == Decision::NoPath {
                break;
            }
        }
        let values = |table: &LearnedValues| table.iter().collect::<Vec<_>>();
        assert_eq!(values(p_lrta.planner.learned()), values(rtaa.planner.learned()));
        assert_eq!(p_lrta.planner.queued(), 0);
    }
}

#[test]
fn p_lrta_without_a_queue_is_lrta() {
    let mut rng = Rng::new(2);
    for _ in 0..30 {
        let (mut grid, ends) = grid_and_ends(&mut rng, (20, 15), 33);
        walk_as_lrta(&mut grid, ends, |_, _, _| {});
        // A world that closes step by step.
        let cells = worlds::free_cells(&grid);
        walk_as_lrta(&mut grid, ends, |grid, at, log| {
            let n = rng.pick(&cells);
            if rng.one_in(9) && n != at && n != ends.1 {
                grid.set(n, 0, log).expect("a cell of the grid");
            }
        });
    }
    for _ in 0..30 {
        let strong = rng.one_in(2);
        let mut graph = worlds::random_directed(&mut rng, 50, 100, strong, 9);
        let ends = (NodeId::new(rng.below(50) as u32), NodeId::new(rng.below(50) as u32));
        walk_as_lrta(&mut graph, ends, |_, _, _| {});
    }
}

/// After every step: no value has decreased, none exceeds the true distance, all are consistent; at most N + 2
/// expansions and N queued nodes.
fn learn_soundly<G: ReverseGraph>(
    graph: &G,
    ends: (NodeId, NodeId),
    n: Option<u64>,
    meter: impl Fn() -> Meter,
) {
    let truth = oracle::distances_to(graph, ends.1);
    let mut agent = Agent::new(PLrta::new(n, graph), ends);
    let most = n.unwrap_or_else(|| meter().expansions_left().map_or(10_000, |r| r.saturating_sub(2)));
    let mut before: Vec<Cost> = all_nodes(graph).map(|n| graph.h(n, ends.1)).collect();
    let mut steps = 0;
    while agent.at != agent.goal {
        let (decision, work) = agent.tick(graph, &ChangeLog::new(), meter());
        assert!(matches!(decision, Decision::Go(_)), "there is a way: {decision:?}");
        assert!(work[WorkKind::Expand] <= most + 2 && agent.planner.queued() as u64 <= most);
        if most == 0 {
            assert_eq!(work[WorkKind::Expand], 1);
        }
        let now: Vec<Cost> = all_nodes(graph).map(|n| h(agent.planner.learned(), graph, ends.1, n)).collect();
        for n in all_nodes(graph) {
            assert!(before[n.index()] <= now[n.index()] && now[n.index()] <= truth[n.index()], "{n}");
            for edge in graph.succs(n) {
                assert!(now[n.index()] <= edge.cost + now[edge.to.index()], "inconsistent at {n}");
            }
        }
        before = now;
        steps += 1;
        assert!(steps < 20_000, "it arrives");
    }
}

#[test]
fn p_lrta_learns_soundly() {
    let mut rng = Rng::new(3);
    for n in [Some(0), Some(1), Some(10), Some(40), None] {
        for budget in [1, 2, 3, 7, 30, 200] {
            let (grid, ends) = grid_and_ends(&mut rng, (14, 12), 33);
            learn_soundly(&grid, ends, n, || Meter::priced(budget, Prices::PAPERS));
            learn_soundly(&grid, ends, n, || Meter::priced(budget, Prices::ALL_WORK));
            let graph = worlds::random_directed(&mut rng, 40, 70, true, 9);
            learn_soundly(&graph, (NodeId::new(3), NodeId::new(5)), n, || {
                Meter::priced(budget, Prices::ALL_WORK)
            });
        }
        let (grid, ends) = grid_and_ends(&mut rng, (14, 12), 33);
        learn_soundly(&grid, ends, n, Meter::unlimited);
    }
}

/// A budget of R expansions at the papers' prices gives N = R - 2, and all of it can be used.
#[test]
fn p_lrta_takes_its_updates_from_the_budget() {
    let mut rng = Rng::new(4);
    let mut full = 0;
    for r in [1, 2, 3, 12, 52] {
        let (grid, ends) = grid_and_ends(&mut rng, (24, 24), 35);
        let mut by_budget = Agent::new(PLrta::new(None, &grid), ends);
        let mut by_number = Agent::new(PLrta::new(Some(r - 2.min(r)), &grid), ends);
        let log = ChangeLog::new();
        while by_budget.at != by_budget.goal {
            let (decision, work) = by_budget.tick(&grid, &log, Meter::priced(r, Prices::PAPERS));
            assert_eq!((decision, work), by_number.tick(&grid, &log, Meter::unlimited()));
            full += u64::from(r > 2 && work[WorkKind::Expand] == r);
        }
    }
    assert!(full > 0, "some move used all of its budget");
}

/// Over trials the walk becomes shortest, and learning stops.
#[test]
fn p_lrta_converges() {
    let mut rng = Rng::new(5);
    for n in [0, 5, 40] {
        let (grid, ends) = grid_and_ends(&mut rng, (12, 10), 30);
        let mut agent = Agent::new(PLrta::new(Some(n), &grid), ends);
        let learned = |agent: &Agent<PLrta>| agent.planner.stats().h_rise;
        let mut trials = 0;
        loop {
            let (before, mut cost) = (learned(&agent), Cost::ZERO);
            agent.at = ends.0;
            agent.planner.reset(Reset::KeepLearned);
            while agent.at != agent.goal {
                let from = agent.at;
                agent.tick(&grid, &ChangeLog::new(), Meter::unlimited());
                cost += oracle::edge(&grid, from, agent.at);
            }
            if learned(&agent) == before {
                assert_eq!(cost, oracle::distance(&grid, ends.0, ends.1), "N = {n} after {trials} trials");
                break;
            }
            trials += 1;
            assert!(trials < 2000, "N = {n} converges");
        }
    }
}

#[test]
fn p_lrta_forgets_its_queue_with_its_goal() {
    let (grid, start, goal) = Tiny::named("dead-end").grid(Rules::default());
    let mut agent = Agent::new(PLrta::new(Some(4), &grid), (start, goal));
    while agent.planner.queued() < 4 {
        agent.tick(&grid, &ChangeLog::new(), Meter::unlimited());
    }
    agent.tick(&grid, &ChangeLog::new(), Meter::priced(1, Prices::PAPERS));
    assert!(agent.planner.queued() > 0, "it persists between moves");
    agent.goal = agent.at;
    agent.tick(&grid, &ChangeLog::new(), Meter::unlimited());
    assert_eq!(agent.planner.queued(), 0);
}

/// Under a deadline it stops in time, and the agent always moves.
#[test]
fn p_lrta_keeps_time() {
    static NOW: AtomicU64 = AtomicU64::new(0);
    let clock = || NOW.fetch_add(1, Ordering::Relaxed);
    let (grid, start, goal) = Tiny::named("spiral").grid(Rules::default());
    for time in [0, 1, 8] {
        let mut agent = Agent::new(PLrta::new(None, &grid), (start, goal));
        let (mut steps, mut most) = (0, 0);
        while agent.at != goal {
            let meter = Meter::until(clock, NOW.load(Ordering::Relaxed) + time);
            let (decision, work) = agent.tick(&grid, &ChangeLog::new(), meter);
            assert!(matches!(decision, Decision::Go(_)));
            most = most.max(work[WorkKind::Expand]);
            steps += 1;
            assert!(steps < 10_000, "it arrives");
        }
        // The clock advances by one per read, every 32 charges.
        assert!((2..=32 * (time + 2)).contains(&most), "{most} expansions in {time}");
    }
}

/// Returns the limits that IDA* needs: the largest f on each simple path from the start, none above that of the
/// path found.
fn limits_needed<G: Graph>(graph: &G, (start, goal): (NodeId, NodeId), cost: Cost) -> Vec<Cost> {
    fn extend<G: Graph>(
        graph: &G,
        goal: NodeId,
        path: &mut Vec<NodeId>,
        (g, most): (Cost, Cost),
        all: &mut BTreeSet<Cost>,
    ) {
        let n = path[path.len() - 1];
        let most = most.max(g + graph.h(n, goal));
        all.insert(most);
        for edge in graph.succs(n) {
            if !path.contains(&edge.to) {
                path.push(edge.to);
                extend(graph, goal, path, (g + edge.cost, most), all);
                path.pop();
            }
        }
    }
    let mut all = BTreeSet::new();
    extend(graph, goal, &mut vec![start], (Cost::ZERO, Cost::ZERO), &mut all);
    all.into_iter().filter(|&f| f <= cost).collect()
}

/// Searches one expansion at a time, then walks. Returns the limits, the cost of the walk, and the last decision.
fn deepen<G: Graph>(graph: &G, ends: (NodeId, NodeId)) -> (Vec<Cost>, Cost, Decision) {
    let mut agent = Agent::new(Ida::new(graph), ends);
    let (mut limits, mut cost) = (Vec::new(), Cost::ZERO);
    loop {
        let from = agent.at;
        // If all work is charged, backtracking takes steps of its own, so that every limit is observed.
        let (decision, work) = agent.tick(graph, &ChangeLog::new(), Meter::priced(1, Prices::ALL_WORK));
        let searched = work[WorkKind::Expand] + work[WorkKind::Trace] > 0;
        if searched && limits.last() != Some(&agent.planner.limit()) {
            limits.push(agent.planner.limit());
        }
        match decision {
            Decision::Go(to) => cost += oracle::edge(graph, from, to),
            Decision::Wait if agent.at != agent.goal => {
                assert!(searched, "it waits for nothing");
            }
            _ => return (limits, cost, decision),
        }
    }
}

fn hold_ida<G: Graph>(graph: &G, ends: (NodeId, NodeId)) {
    let truth = oracle::distance(graph, ends.0, ends.1);
    let (limits, cost, decision) = deepen(graph, ends);
    assert!(limits.is_sorted_by(|a, b| a < b), "limits rise strictly: {limits:?}");
    if truth.is_finite() {
        assert_eq!((cost, decision), (truth, Decision::Wait));
        assert_eq!(limits, if ends.0 == ends.1 { vec![] } else { limits_needed(graph, ends, truth) });
    } else {
        assert_eq!(decision, Decision::NoPath);
        assert_eq!(limits, limits_needed(graph, ends, Cost::INF));
    }
}

#[test]
fn ida_is_optimal_and_its_limits_are_those_needed() {
    let mut rng = Rng::new(6);
    for k in 0..60 {
        let rules = worlds::all_rules()[k % 7];
        let grid = worlds::random_grid(&mut rng, (4, 3), rules, 25, 3);
        let cells = worlds::free_cells(&grid);
        if !cells.is_empty() {
            hold_ida(&grid, (rng.pick(&cells), rng.pick(&cells)));
        }
        let nodes: Vec<_> = (0..9).map(NodeId::new).collect();
        let graph = worlds::random_directed(&mut rng, 9, 14, k % 2 == 0, 9);
        hold_ida(&graph, (rng.pick(&nodes), rng.pick(&nodes)));
        let graph = worlds::random_undirected(&mut rng, 9, 6, k % 2 == 0, 9);
        hold_ida(&graph, (rng.pick(&nodes), rng.pick(&nodes)));
    }
}

/// For any slicing it expands the same nodes in the same order, even if it does not terminate.
#[test]
fn ida_does_not_care_for_slices() {
    let mut rng = Rng::new(7);
    for _ in 0..20 {
        let (grid, ends) = grid_and_ends(&mut rng, (18, 18), 25);
        let expanded = |budget: &mut dyn FnMut() -> Meter| {
            let mut agent = Agent::new(Ida::new(&grid), ends);
            while agent.expanded.0.len() < 4000 && agent.at == ends.0 {
                agent.tick(&grid, &ChangeLog::new(), budget());
            }
            agent.expanded.0.truncate(4000);
            agent.expanded.0
        };
        let whole = expanded(&mut || Meter::priced(4000, Prices::PAPERS));
        assert_eq!(whole, expanded(&mut || Meter::priced(1, Prices::PAPERS)));
        assert_eq!(whole, expanded(&mut || Meter::priced(u64::from(rng.between(1, 20)), Prices::ALL_WORK)));
    }
}

/// Memory depends on the length of the path, not on the number of generated nodes.
#[test]
fn ida_holds_no_more_than_its_path() {
    let graph = worlds::random_undirected(&mut Rng::new(9), 5000, 0, true, 3);
    let to = oracle::distances_from(&graph, NodeId::new(0));
    let farthest = all_nodes(&graph).max_by_key(|n| to[n.index()]).expect("there are nodes");
    let mut agent = Agent::new(Ida::new(&graph), (NodeId::new(0), farthest));
    let empty = agent.planner.stats().memory_bytes;
    agent.tick(&graph, &ChangeLog::new(), Meter::unlimited());
    let met: BTreeSet<_> = agent.expanded.0.iter().collect();
    let stats = agent.planner.stats();
    assert!(stats.closed_max < 100 && met.len() > 4000, "{} states, {stats:?}", met.len());
    // A page holds 256 entries: 20 bytes each for the path, 8 for untried edges.
    let pages = |n: u64| n.div_ceil(256) * 256;
    assert!(stats.memory_bytes - empty <= 20 * pages(stats.closed_max + 1) + 8 * pages(stats.open_max + 4));
}

#[test]
fn hill_climbing_goes_down_in_h_alone() {
    let mut rng = Rng::new(8);
    let (mut arrived, mut stuck) = (0, 0);
    for _ in 0..300 {
        let (grid, ends) = grid_and_ends(&mut rng, (15, 15), 25);
        let mut agent = Agent::new(HillClimb, ends);
        let mut lrta = Agent::new(PLrta::new(Some(0), &grid), ends);
        let mut as_lrta = true;
        loop {
            let from = agent.at;
            let (decision, work) = agent.tick(&grid, &ChangeLog::new(), Meter::priced(1, Prices::ALL_WORK));
            let Decision::Go(to) = decision else { break };
            assert_eq!((work[WorkKind::Climb], work[WorkKind::Expand]), (1, 0));
            assert!(grid.h(to, ends.1) < grid.h(from, ends.1));
            let best = grid.succs(from).filter(|e| grid.h(e.to, ends.1) < grid.h(from, ends.1));
            assert_eq!(
                best.map(|e| e.cost + grid.h(e.to, ends.1)).min(),
                Some(grid.cost(from, to) + grid.h(to, ends.1))
            );
            as_lrta &= lrta.tick(&grid, &ChangeLog::new(), Meter::unlimited()).0 == decision;
        }
        if agent.at == agent.goal {
            arrived += 1;
            // On unweighted terrain a successful climb is LRTA*'s first walk.
            let even = worlds::free_cells(&grid).iter().all(|&n| grid.weight(n) == 1);
            assert!(as_lrta || !even);
        } else {
            stuck += 1;
            let nearer = |n: NodeId| grid.h(n, ends.1) < grid.h(agent.at, ends.1);
            assert!(!grid.succs(agent.at).any(|e| nearer(e.to)), "stuck at {}", agent.at);
            assert_eq!(agent.tick(&grid, &ChangeLog::new(), Meter::unlimited()).0, Decision::Wait);
        }
    }
    assert!(arrived > 20 && stuck > 20, "{arrived} arrived, {stuck} stuck");
}

#[test]
fn hill_climbing_proves_nothing_but_four_walls() {
    for (name, answer) in [("walled-in-start", Decision::NoPath), ("walled-in-goal", Decision::Wait)] {
        let (grid, start, goal) = Tiny::named(name).grid(Rules::default());
        let mut agent = Agent::new(HillClimb, (start, goal));
        let mut last = Decision::Wait;
        (0..30).for_each(|_| last = agent.tick(&grid, &ChangeLog::new(), Meter::priced(1, Prices::PAPERS)).0);
        assert_eq!(last, answer, "{name}");
    }
}
