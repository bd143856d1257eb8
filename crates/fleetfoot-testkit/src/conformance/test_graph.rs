//! The graphs and problems on which planners are tested.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use fleetfoot::registry::Facts;
use fleetfoot::{
    ChangeLog, Cost, Csr, Graph, Grid, Landmarks, NodeId, Prices, ReverseGraph, Rules, UndirectedCsr,
    WithHeuristic,
};

use super::Subject;
use super::life::{BudgetSequence, Life};
use crate::worlds::{self, TINY};
use crate::{Class, Rng, World, oracle};

/// Whether costs may decrease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Falls {
    Never,
    Sometimes,
}

/// A test graph with problems.
pub(super) struct TestGraph {
    pub(super) name: String,
    pub(super) graph: World,
    /// Whether its costs can change.
    pub(super) changes: bool,
    pub(super) problems: Vec<(NodeId, NodeId)>,
    /// The valid nodes for agents and goals.
    pub(super) places: Vec<NodeId>,
    /// Number of edges.
    edges: usize,
    /// For each goal, the nodes from which an agent reaches it whatever it does first.
    safe: RefCell<BTreeMap<NodeId, Rc<[NodeId]>>>,
}

impl TestGraph {
    fn new(name: impl Into<String>, graph: World, places: Vec<NodeId>) -> Self {
        let edges = places.iter().map(|&n| graph.succs(n).count()).sum();
        let (name, safe) = (name.into(), RefCell::default());
        Self { name, graph, changes: false, problems: Vec::new(), places, edges, safe }
    }

    /// Returns the guarantees of a planner on this graph. A planner that is not polynomial need not reach goals on
    /// large graphs, nor prove that there is no path, so its progress depends on the slicing of the budget. All
    /// other guarantees apply.
    pub(super) fn promises(&self, subject: &Subject) -> Facts {
        let facts = subject.facts;
        if self.suits(subject) {
            facts
        } else {
            Facts { complete: false, proves_no_path: false, slice_invariant: false, ..facts }
        }
    }

    /// Returns `true` if the planner terminates here, even in a step without a budget.
    pub(super) fn suits(&self, subject: &Subject) -> bool {
        subject.facts.polynomial || self.places.len() <= SMALL
    }

    /// Creates an agent at the start of a problem.
    pub(super) fn life(
        &self,
        subject: &Subject,
        ends: (NodeId, NodeId),
        purse: BudgetSequence,
        prices: Prices,
    ) -> Result<Life, String> {
        let planner = subject.build(&self.graph)?;
        let patience = self.patience(subject);
        Ok(Life {
            facts: self.promises(subject),
            patience,
            looks: subject.looks,
            ..Life::new(planner, ends, purse, prices)
        })
    }

    /// Returns a number of steps after which an agent that has not arrived never will.
    fn patience(&self, subject: &Subject) -> usize {
        if subject.facts.polynomial { (subject.patience)(self.places.len(), self.edges) } else { EVERY_WAY }
    }

    /// Returns a random generator that depends on this graph.
    pub(super) fn rng(&self, seed: usize) -> Rng {
        let name =
            self.name.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Rng::new(name.wrapping_add(seed as u64))
    }

    /// Returns the nodes from which an agent reaches `goal`, whatever it does first.
    pub(super) fn safe_places(&self, goal: NodeId) -> Rc<[NodeId]> {
        if let Some(known) = self.safe.borrow().get(&goal) {
            return Rc::clone(known);
        }
        let to_goal = oracle::distances_to(&self.graph, goal);
        let reaches = |n: usize| to_goal[n].is_finite();
        let safe = |&&n: &&NodeId| {
            let around = oracle::distances_from(&self.graph, n);
            (0..around.len()).all(|m| !around[m].is_finite() || reaches(m))
        };
        let reaching = self.places.iter().filter(|n| reaches(n.index()));
        let found: Rc<[NodeId]> = if self.graph.class() == Class::Directed {
            reaching.filter(safe).copied().collect()
        } else {
            reaching.copied().collect()
        };
        self.safe.borrow_mut().insert(goal, Rc::clone(&found));
        found
    }

    /// Adds up to `count` random problems that are fair: the goal is reachable from every node that the agent can
    /// reach, or from none that it can reach at the start.
    fn with_problems(mut self, rng: &mut Rng, count: usize) -> Self {
        for _ in 0..8 * count {
            let (start, goal) = (rng.pick(&self.places), rng.pick(&self.places));
            let reachable = oracle::distance(&self.graph, start, goal).is_finite();
            if self.problems.len() < count && (!reachable || self.safe_places(goal).contains(&start)) {
                self.problems.push((start, goal));
            }
        }
        assert!(!self.problems.is_empty(), "{} has no fair problem", self.name);
        self
    }
}

/// Number of nodes of a graph so small that every path can be tried.
const SMALL: usize = 8;
/// Number of steps in which that can be done with one expansion each, for every limit on the length.
const EVERY_WAY: usize = 50_000;

thread_local! {
    static GROUNDS: Rc<[TestGraph]> = all_grounds().into();
}

/// Returns all test graphs. They are small enough for every planner, and created once per thread.
pub(super) fn grounds() -> Rc<[TestGraph]> {
    GROUNDS.with(Rc::clone)
}

fn all_grounds() -> Vec<TestGraph> {
    let mut all = Vec::new();
    let rules = worlds::all_rules();
    for (k, tiny) in TINY.iter().enumerate() {
        // The two most important rules for every map, the others in turn.
        let turn = rules[2 + k % (rules.len() - 2)];
        for rules in [rules[0], Rules::default(), turn] {
            let (graph, start, goal) = tiny.grid(rules);
            all.push(grid(format!("{}, {}", tiny.name, worlds::describe(rules)), graph, vec![(start, goal)]));
        }
    }
    let mut rng = Rng::new(2026);
    for (k, &rules) in rules.iter().enumerate() {
        let heaviest = if k % 2 == 0 { 4 } else { 1 };
        let graph = worlds::random_grid(&mut rng, (19, 17), rules, 30, heaviest);
        let name = format!("a random grid of weights up to {heaviest}, {}", worlds::describe(rules));
        let places = worlds::free_cells(&graph);
        let problems = (0..2).map(|_| (rng.pick(&places), rng.pick(&places))).collect();
        all.push(grid(name, graph, problems));
    }
    all.extend(explicit_graphs(&mut rng));
    let (puzzle, solved, apart) = worlds::sliding_puzzle();
    // All its states are numbered, so it never changes. A reference to it is `Copy`, the graph is not.
    let puzzle = World::undirected(&*Box::leak(Box::new(puzzle)));
    let problems = vec![(NodeId::new(57), solved), (NodeId::new(300), NodeId::new(7)), (solved, apart)];
    all.push(TestGraph { problems, ..TestGraph::new("the sliding puzzle", puzzle, numbers(720)) });
    all.extend(small_grounds(&mut rng));
    all
}

/// Returns graphs on which planners that are not polynomial still keep all their guarantees.
fn small_grounds(rng: &mut Rng) -> Vec<TestGraph> {
    let mut all = Vec::new();
    for (rules, (width, height)) in [(worlds::all_rules()[0], (4, 2)), (Rules::default(), (3, 2))] {
        let graph = worlds::random_grid(rng, (width, height), rules, 0, 2);
        let name = format!("a small grid of {width} by {height}, {}", worlds::describe(rules));
        let places = worlds::free_cells(&graph);
        let problems = vec![(places[0], places[places.len() - 1]), (rng.pick(&places), rng.pick(&places))];
        all.push(grid(name, graph, problems));
    }
    all.push(explicit_undirected(rng, SMALL, 3, (true, 7)));
    all.push(explicit_undirected(rng, SMALL, 5, (false, 7)));
    all.push(explicit_directed(rng, SMALL, 6, (true, 9)));
    all.push(explicit_directed(rng, SMALL, 12, (false, 9)));
    all
}

fn grid(name: String, graph: Grid, problems: Vec<(NodeId, NodeId)>) -> TestGraph {
    let places = worlds::free_cells(&graph);
    TestGraph { changes: true, problems, ..TestGraph::new(name, World::grid(graph), places) }
}

fn explicit_graphs(rng: &mut Rng) -> Vec<TestGraph> {
    let mut all = Vec::new();
    for kind in [(true, 9), (false, 30), (true, 100_000)] {
        all.push(explicit_undirected(rng, 60, 60, kind));
    }
    for (strong, max_edge_cost, nodes) in
        [(true, 9, 60), (false, 9, 60), (true, 70_000, 60), (true, 20, 150), (true, 9, 18)]
    {
        all.push(explicit_directed(rng, nodes, 2 * nodes - 10, (strong, max_edge_cost)));
    }
    let graph = worlds::random_undirected(rng, 80, 80, true, 50);
    let landmarks = Landmarks::farthest(&graph, NodeId::new(0), 3);
    let graph = World::undirected(WithHeuristic::new(graph, landmarks));
    all.push(TestGraph::new("an undirected graph with landmarks", graph, numbers(80)).with_problems(rng, 3));
    let graph = worlds::random_directed(rng, 80, 160, true, 50);
    let landmarks = Landmarks::farthest(&graph, NodeId::new(0), 3);
    let graph = World::directed(WithHeuristic::new(graph, landmarks));
    all.push(TestGraph::new("a directed graph with landmarks", graph, numbers(80)).with_problems(rng, 3));
    all
}

fn numbers(n: usize) -> Vec<NodeId> {
    (0..n).map(NodeId::from_index).collect()
}

fn explicit_undirected(
    rng: &mut Rng,
    nodes: usize,
    edges: usize,
    (joined, max_edge_cost): (bool, u32),
) -> TestGraph {
    let graph = World::undirected(worlds::random_undirected(rng, nodes, edges, joined, max_edge_cost));
    let name = format!("an undirected graph, joined {joined}, edges up to {max_edge_cost}");
    TestGraph { changes: true, ..TestGraph::new(name, graph, numbers(nodes)) }.with_problems(rng, 2)
}

fn explicit_directed(
    rng: &mut Rng,
    nodes: usize,
    edges: usize,
    (strong, max_edge_cost): (bool, u32),
) -> TestGraph {
    let graph = World::directed(worlds::random_directed(rng, nodes, edges, strong, max_edge_cost));
    let name = format!("a directed graph of {nodes}, strong {strong}, edges up to {max_edge_cost}");
    TestGraph { changes: true, ..TestGraph::new(name, graph, numbers(nodes)) }.with_problems(rng, 3)
}

/// Changes a world at random. The given nodes are not removed. Costs only increase unless `falls` allows decreases.
pub(super) fn change(
    world: &mut World,
    rng: &mut Rng,
    falls: Falls,
    spared: [NodeId; 2],
    log: &mut ChangeLog,
) {
    if let Some(grid) = world.get_mut() {
        change_grid(grid, rng, falls, spared, log);
    } else if let Some(graph) = world.get_mut::<UndirectedCsr>() {
        change_edge(graph, rng, falls, |graph, a, b, new| graph.set_cost(a, b, new, log).is_ok());
    } else if let Some(graph) = world.get_mut::<Csr>() {
        change_edge(graph, rng, falls, |graph, a, b, new| graph.set_cost(a, b, new, log).is_ok());
    } else {
        unreachable!("other worlds are static");
    }
}

/// Blocks a cell or increases its weight, or the reverse.
fn change_grid(grid: &mut Grid, rng: &mut Rng, falls: Falls, spared: [NodeId; 2], log: &mut ChangeLog) {
    let (x, y) = (rng.below(grid.width() as usize) as u32, rng.below(grid.height() as usize) as u32);
    let n = grid.node(x, y).expect("a cell of the grid");
    let weight = if rng.one_in(2) { 0 } else { rng.between(1, 4) as u8 };
    let rises = grid.is_free(n) && (weight == 0 || weight > grid.weight(n));
    if (rises || falls == Falls::Sometimes) && !(weight == 0 && spared.contains(&n)) {
        // A weight outside of the grid's range is refused, and nothing changes.
        let _ = grid.set(n, weight, log);
    }
}

/// Sets the cost of an edge: removed, or anything up to the maximum.
fn change_edge<G: ReverseGraph>(
    graph: &mut G,
    rng: &mut Rng,
    falls: Falls,
    mut set: impl FnMut(&mut G, NodeId, NodeId, Cost) -> bool,
) {
    let nodes = graph.bound();
    for _ in 0..TRIES {
        let (a, b) = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
        let (old, max_edge_cost) = (graph.cost(a, b), graph.max_edge_cost());
        let new = if rng.one_in(3) { Cost::INF } else { Cost::new(rng.between(1, max_edge_cost.raw())) };
        if set(graph, a, b, if falls == Falls::Sometimes { new } else { new.max(old) }) {
            return;
        }
    }
}

/// Number of attempts to find an edge. A pair of nodes without an edge is refused.
const TRIES: usize = 40;

/// Removes the edge between two nodes; on a grid, blocks its target.
pub(super) fn close(world: &mut World, from: NodeId, to: NodeId, log: &mut ChangeLog) {
    if let Some(grid) = world.get_mut::<Grid>() {
        grid.set(to, 0, log).expect("a cell of the grid");
    } else if let Some(graph) = world.get_mut::<UndirectedCsr>() {
        graph.set_cost(from, to, Cost::INF, log).expect("an edge of the graph");
    } else if let Some(graph) = world.get_mut::<Csr>() {
        graph.set_cost(from, to, Cost::INF, log).expect("an edge of the graph");
    } else {
        unreachable!("other worlds are static");
    }
}
