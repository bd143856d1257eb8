//! Anytime D*: within its bound at any time, and exact in the end.

use std::collections::BTreeSet;

use fleetfoot::planners::{AdStar, AdStarWeights, KeyFocus};
use fleetfoot::search::{Halt, Pools, SearchTools};
use fleetfoot::{
    ChangeLog, Cost, Csr, CsrBuilder, Edge, Graph, Grid, Limits, NodeId, Prices, ReverseGraph, Rules,
};
use fleetfoot_testkit::{Rng, oracle};

use super::harness::{
    BUDGETS, Budget, Changing, Life, hold_answer, hold_rhs, meter, random_grid, random_plane, walk_down,
};

const ONE: u64 = 1_000_000;

/// Returns `true` if `cost` is at most `epsilon` millionths of `shortest`.
fn is_within(cost: Cost, epsilon: u64, shortest: Cost) -> bool {
    u64::from(cost.raw()) * ONE <= u64::from(shortest.raw()) * epsilon
}

fn repair<G: Changing>(search: &mut AdStar, life: &mut Life<G>, budget: Budget) -> Halt {
    let ends = (life.at, life.goal);
    life.work(budget, |graph, log, tools| search.repair(graph, ends, log, tools)).0
}

/// Checks the invariants: rhs matches its definition; inconsistent nodes are on a queue or deferred; all nodes on
/// the queue are inconsistent and have their current key.
fn hold_invariants<G: Changing>(life: &Life<G>, search: &AdStar) {
    let field = search.field();
    hold_rhs(&life.graph, field);
    life.hold_told(field);
    let queue: BTreeSet<_> = field.queue().map(|(n, _)| n).collect();
    assert_eq!(queue.len(), field.queue().count(), "a state stands twice");
    let differing = field.vertices().filter(|(_, v)| v.g != v.rhs).map(|(n, _)| n);
    let differing: BTreeSet<_> = differing.collect();
    for (n, stands) in field.queue() {
        assert_eq!(stands, search.key(&life.graph, n), "the key of {n}");
    }
    assert!(queue.is_subset(&differing), "a consistent state is on the queue");
    assert!(differing.len() <= field.waiting(), "an inconsistent state waits nowhere");
}

/// The bounds for an agent that follows its orders: for its current and next position, the node and the maximum
/// remaining cost in millionths.
#[derive(Default)]
struct Promise([Option<(NodeId, u64)>; 2]);

impl Promise {
    /// Checks the result: the path exists, and is within the bound of the last finished search; if that ended
    /// elsewhere, it is within the bound recorded there.
    fn hold<G: Changing>(&mut self, life: &Life<G>, search: &AdStar, halt: Halt) {
        let truth = life.truth()[life.at.index()];
        hold_answer(halt, truth);
        if halt != Halt::Goal {
            *self = Self::default();
            return;
        }
        let cost = walk_down(&life.graph, (life.at, life.goal), |n| search.next_toward_goal(n));
        assert!(cost <= search.field().vertex(life.at).rhs, "more expensive than its value");
        let (mine, mut most) = (u64::from(cost.raw()) * ONE, u64::from(truth.raw()) * search.bound());
        if mine > most {
            let promise = self.0.iter().flatten().find(|(n, _)| *n == life.at);
            most = promise.expect("a new search, so a new promise").1;
            assert!(mine <= most, "{cost} for {truth}, which is more than was promised");
        }
        let next = search.next_toward_goal(life.at).unwrap_or(life.at);
        let step = if next == life.at { Cost::ZERO } else { oracle::edge(&life.graph, life.at, next) };
        let rest = most.saturating_sub(u64::from(step.raw()) * ONE);
        self.0 = [Some((life.at, most)), Some((next, rest))];
    }
}

fn random_weights(rng: &mut Rng) -> AdStarWeights {
    AdStarWeights {
        epsilon: rng.pick(&[1_000_000, 1_100_000, 2_500_000, 3_000_000, 10_000_000]),
        decrease: rng.pick(&[0, 100_000, 500_000, 3_000_000]),
        increase: rng.pick(&[0, 100_000, 2_000_000]),
    }
}

/// Runs changes and repairs. Returns the number of results that the agent followed, and how many of them came
/// before the search had finished.
fn bounded_life<G: Changing>(graph: G, mut rng: Rng, budget: Budget) -> (usize, usize) {
    let weights = random_weights(&mut rng);
    let mode = rng.pick(&[KeyFocus::PerEpisode, KeyFocus::PerEpisode, KeyFocus::PerStep, KeyFocus::OnChange]);
    let mut life = Life::new(graph, rng);
    life.prices = life.rng.pick(&[Prices::PAPERS, Prices::ALL_WORK]);
    let mut search = AdStar::new(weights, mode, &life.graph);
    let (mut acted, mut meanwhile) = (0, 0);
    let mut promise = Promise::default();
    for _ in 0..120 {
        match life.rng.below(12) {
            0..3 => life.change(5),
            3 => life.drift(),
            4 if life.rng.one_in(6) => {
                life.aim();
                promise = Promise::default();
            }
            _ => {}
        }
        let halt = repair(&mut search, &mut life, budget);
        if life.prices == Prices::PAPERS || halt != Halt::Paused {
            // Otherwise changes may be unprocessed.
            hold_invariants(&life, &search);
        }
        promise.hold(&life, &search, halt);
        if let (Halt::Goal, Some(to)) = (halt, search.next_toward_goal(life.at)) {
            acted += 1;
            meanwhile += usize::from(!search.is_finished());
            life.at = to;
        } else if life.rng.one_in(3) {
            life.drift();
        }
    }
    (acted, meanwhile)
}

#[test]
fn ad_star_keeps_within_its_bound_whatever_changes() {
    let (mut acted, mut meanwhile) = (0, 0);
    for seed in 0..300 {
        for (k, budget) in BUDGETS.into_iter().enumerate() {
            let mut rng = Rng::new(seed << 8 | k as u64);
            let more = if seed % 2 == 0 {
                let grid = random_grid(&mut rng, 9);
                bounded_life(grid, rng, budget)
            } else {
                let plane = random_plane(&mut rng, 24);
                bounded_life(plane, rng, budget)
            };
            (acted, meanwhile) = (acted + more.0, meanwhile + more.1);
        }
    }
    assert!(acted > 10_000 && meanwhile > 500, "{acted} steps taken, {meanwhile} while searching on");
}

/// With ε = 1 it is exact, like D* Lite.
#[test]
fn without_weight_it_is_exact() {
    let weights = AdStarWeights { epsilon: 1_000_000, ..AdStarWeights::default() };
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut life = Life::new(random_grid(&mut rng, 10), rng);
        let mut search = AdStar::new(weights, KeyFocus::PerEpisode, &life.graph);
        for _ in 0..40 {
            if life.rng.one_in(3) {
                life.change(4);
            }
            life.drift();
            let budget = life.rng.pick(&BUDGETS);
            let halt = repair(&mut search, &mut life, budget);
            hold_answer(halt, life.truth()[life.at.index()]);
            if halt != Halt::Paused && search.is_finished() {
                assert_eq!(search.field().vertex(life.at).rhs, life.truth()[life.at.index()]);
            }
        }
    }
}

/// In a static world ε decreases to 1 in steps, and the path becomes shortest.
#[test]
fn it_is_exact_in_the_end() {
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        let budget = rng.pick(&BUDGETS);
        let mut life = Life::new(random_grid(&mut rng, 12), rng);
        let mut search = AdStar::new(AdStarWeights::default(), KeyFocus::PerEpisode, &life.graph);
        let truth = life.truth()[life.at.index()];
        let (mut bounds, mut costs) = (vec![], vec![]);
        for _ in 0..4000 {
            let halt = repair(&mut search, &mut life, budget);
            hold_answer(halt, truth);
            if halt == Halt::Goal && bounds.last() != Some(&search.bound()) {
                bounds.push(search.bound());
                costs.push(walk_down(&life.graph, (life.at, life.goal), |n| search.next_toward_goal(n)));
            }
        }
        if truth.is_finite() {
            assert_eq!((search.epsilon(), search.bound(), search.is_finished()), (ONE, ONE, true));
            assert_eq!(search.field().vertex(life.at).rhs, truth);
            assert!(costs.iter().zip(&bounds).all(|(cost, bound)| is_within(*cost, *bound, truth)));
            assert!(costs.is_sorted_by(|a, b| a >= b), "a path that becomes more expensive: {costs:?}");
            let all = [3_000_000, 2_500_000, 2_000_000, 1_500_000, 1_000_000];
            assert!(bounds.iter().all(|bound| all.contains(bound)) && bounds.last() == Some(&ONE));
        }
    }
}

/// A change between the agent and its goal increases ε by one step, at most to the initial value; after another
/// change it decreases, as without one.
#[test]
fn significant_changes_raise_the_weight() {
    let mut grid = Grid::new(40, 9, Rules::default(), |_, _| 1).expect("a small grid");
    let cell = |grid: &Grid, x, y| grid.node(x, y).expect("a cell of the grid");
    let (at, goal) = (cell(&grid, 10, 4), cell(&grid, 25, 4));
    let weights = AdStarWeights { decrease: 250_000, ..AdStarWeights::default() };
    let mut log = ChangeLog::new();
    let mut search = AdStar::new(weights, KeyFocus::PerEpisode, &grid);
    let mut pools = Pools::new();
    let mut repair = |grid: &Grid, log: &ChangeLog, budget: u64| {
        let mut meter = meter(Some(budget));
        let tools = &mut SearchTools { meter: &mut meter, pools: &mut pools, probe: None };
        let halt = search.repair(grid, (at, goal), log, tools);
        (halt, search.epsilon(), search.bound())
    };
    assert_eq!(repair(&grid, &log, 100_000), (Halt::Goal, ONE, ONE));
    // On the path: it is repaired with the increased ε, which then decreases.
    grid.set(cell(&grid, 17, 4), 0, &mut log).expect("a cell");
    assert_eq!(repair(&grid, &log, 1).1, ONE + 100_000);
    assert_eq!(repair(&grid, &log, 100_000), (Halt::Goal, ONE, ONE));
    // Beyond the goal, within the searched area: it matters, but is not between agent and goal.
    grid.set(cell(&grid, 26, 4), 0, &mut log).expect("a cell");
    assert_eq!(repair(&grid, &log, 1).1, ONE);
    assert_eq!(repair(&grid, &log, 100_000), (Halt::Goal, ONE, ONE));
    // Behind the agent, where nothing is known: it does not matter.
    grid.set(cell(&grid, 0, 0), 0, &mut log).expect("a cell");
    assert_eq!(repair(&grid, &log, 1), (Halt::Goal, ONE, ONE));
}

/// A graph with its own heuristic: shortest distances for the minimum length of each edge.
#[derive(Clone)]
struct Drawn {
    graph: Csr,
    apart: Vec<Vec<Cost>>,
}

impl Drawn {
    /// Creates a graph from edges with length and cost.
    fn new(nodes: usize, edges: &[(u32, u32, u32, u32)]) -> Self {
        let build = |cost: fn(&(u32, u32, u32, u32)) -> u32| {
            let mut builder = CsrBuilder::new(nodes);
            for edge in edges {
                builder.edge(NodeId::new(edge.0), NodeId::new(edge.1), Cost::new(cost(edge)));
            }
            builder.build().expect("a small graph")
        };
        let lengths = build(|edge| edge.2);
        let from = |n| oracle::distances_from(&lengths, NodeId::from_index(n));
        let near = |cost: &mut Cost| {
            if !cost.is_finite() {
                *cost = Cost::ZERO;
            }
        };
        let mut apart: Vec<_> = (0..nodes).map(from).collect();
        apart.iter_mut().flatten().for_each(near);
        Self { graph: build(|edge| edge.3), apart }
    }
}

impl Graph for Drawn {
    fn limits(&self) -> Limits {
        Limits::new(self.graph.bound(), self.graph.max_edge_cost())
    }

    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.succs(n)
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        self.apart[a.index()][b.index()]
    }

    fn fingerprint(&self) -> u64 {
        self.graph.fingerprint()
    }
}

impl ReverseGraph for Drawn {
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.preds(n)
    }
}

/// A path opens that changes no value, since both of its ends are deferred. The bound held for the previous costs,
/// so the search must continue.
#[test]
fn a_new_path_between_inconsistent_states_is_found() {
    let [s, f, x, y, z, g] = [0, 1, 2, 3, 4, 5];
    let edges = [
        (s, f, 10, 100),
        (s, g, 8, 580),
        (f, x, 10, 10),
        (f, y, 150, 150),
        (f, g, 8, 490),
        (x, z, 65, 65),
        (x, g, 8, 190),
        (y, g, 8, 50),
        (z, g, 8, 8),
    ];
    let [s, f, x, g] = [s, f, x, g].map(NodeId::new);
    for (decrease, budget) in [(0, None), (500_000, Some(1))] {
        let mut graph = Drawn::new(6, &edges);
        let (mut log, mut pools) = (ChangeLog::new(), Pools::new());
        graph.graph.set_cost(f, x, Cost::INF, &mut log).expect("an edge");
        let weights = AdStarWeights { decrease, ..AdStarWeights::default() };
        let mut search = AdStar::new(weights, KeyFocus::PerEpisode, &graph);
        let mut repair = |graph: &Drawn, log: &ChangeLog| {
            let mut meter = meter(budget);
            let tools = &mut SearchTools { meter: &mut meter, pools: &mut pools, probe: None };
            let halt = search.repair(graph, (s, g), log, tools);
            (halt, search.field().vertex(s).rhs, search.bound())
        };
        let mut answer = repair(&graph, &log);
        while answer.0 == Halt::Paused {
            answer = repair(&graph, &log);
        }
        assert_eq!(answer, (Halt::Goal, Cost::new(580), 3_000_000), "the picture is not as drawn");
        graph.graph.set_cost(f, x, Cost::new(10), &mut log).expect("an edge");
        let truth = oracle::distance(&graph, s, g);
        assert_eq!(truth, Cost::new(183));
        for _ in 0..20 {
            let (halt, cost, bound) = repair(&graph, &log);
            assert!(halt == Halt::Paused || is_within(cost, bound, truth), "{cost} for {truth} by {bound}");
        }
    }
}

/// The agent is moved far from the focus: its own estimate must be weighted like those on the queue, or the search
/// ends too early.
#[test]
fn an_agent_far_from_the_focus_is_within_the_bound() {
    let [f, b, m, g] = [0, 1, 2, 3];
    let graph = Drawn::new(4, &[(f, b, 20, 20), (b, m, 25, 25), (b, g, 8, 100), (m, g, 5, 5)]);
    let (log, mut pools) = (ChangeLog::new(), Pools::new());
    let mut search = AdStar::new(AdStarWeights::default(), KeyFocus::PerEpisode, &graph);
    let mut repair = |at| {
        let mut meter = meter(Some(1));
        let tools = &mut SearchTools { meter: &mut meter, pools: &mut pools, probe: None };
        let halt = search.repair(&graph, (NodeId::new(at), NodeId::new(g)), &log, tools);
        (halt, search.field().vertex(NodeId::new(b)).rhs)
    };
    assert_eq!(repair(f), (Halt::Paused, Cost::new(100)), "the picture is not as drawn");
    assert_eq!(repair(b), (Halt::Goal, Cost::new(30)));
}
