//! The grounds that planners are tested on: a graph, problems, and the door of the registry that leads in.

use std::cell::RefCell;
use std::sync::Arc;

use fleetfoot::database::{DLrtaBuilder, DLrtaScratch};
use fleetfoot::registry::{BoxedPlanner, BuildError, Facts, Plannable, Resource, Resources, Saved, Spec};
use fleetfoot::{
    ChangeLog, Cliques, Cost, Csr, Embedded, Graph, Grid, Guided, Landmarks, NodeId, Prices, ReverseGraph,
    Rules, SaveError, Scratch, Undirected, UndirectedCsr,
};

use super::life::{Life, Purse, Watch};
use super::{Check, checks, saving};
use crate::worlds::{self, TINY};
use crate::{Rng, oracle};

/// What a graph offers to planners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Offers {
    Directed,
    Undirected,
    Positions,
}

/// How planners are built and restored on a graph of this type.
pub(super) struct Door<G> {
    offers: Offers,
    pub(super) build: fn(&Spec, &G) -> Result<BoxedPlanner<G>, BuildError>,
    pub(super) restore: fn(&Saved, &G) -> Result<BoxedPlanner<G>, SaveError>,
}

fn directed<G: Plannable>() -> Door<G> {
    Door { offers: Offers::Directed, build: Spec::build, restore: Saved::restore }
}

fn undirected<G: Plannable + Undirected>() -> Door<G> {
    Door { offers: Offers::Undirected, build: Spec::build, restore: Saved::restore }
}

fn embedded<G: Plannable + Embedded>() -> Door<G> {
    Door {
        offers: Offers::Positions,
        build: |spec, graph| {
            beforehand(spec, graph);
            MADE.with_borrow(|made| spec.build_with(graph, &made.resources))
        },
        restore: |saved, graph| {
            MADE.with_borrow(|made| {
                let is_of_graph = made.graph == graph.fingerprint();
                let resources = if is_of_graph { &made.resources } else { &Resources::NONE };
                saved.restore_with(graph, resources)
            })
        },
    }
}

/// What planners would make at the start, made once for each ground: lives are short, and a planner that is restored
/// would make it again.
#[derive(Default)]
struct Made {
    spec: String,
    graph: u64,
    resources: Resources,
}

thread_local! {
    static MADE: RefCell<Made> = RefCell::default();
}

fn beforehand<G: Embedded>(spec: &Spec, graph: &G) {
    let (text, fingerprint) = (spec.to_string(), graph.fingerprint());
    if MADE.with_borrow(|made| made.spec == text && made.graph == fingerprint) {
        return;
    }
    let mut resources = Resources::NONE;
    if spec.facts().coordinates {
        let cliques = Arc::new(Cliques::new(graph));
        resources.insert(Resources::CLIQUES, Resource::Cliques(Arc::clone(&cliques)));
        if spec.info().key == "d-lrta" {
            let (level, depth) = (spec.whole("level") as u32, spec.whole("depth") as u32);
            let builder = DLrtaBuilder::with_cliques(graph, cliques, level, depth);
            let mut scratch = DLrtaScratch::new(&builder);
            let rows: Vec<_> = (0..builder.rows()).map(|k| builder.row(&mut scratch, k)).collect();
            let database = builder.assemble(&rows).expect("rows of this builder");
            resources.insert("none", Resource::DLrta(Arc::new(database)));
        }
    }
    MADE.set(Made { spec: text, graph: fingerprint, resources });
}

/// How a graph of this type is copied, and changed at random. A change leaves the two nodes given alone
/// where it takes nodes away; it only raises costs unless told that they may fall.
pub(super) struct Editor<G> {
    pub(super) copy: fn(&G) -> G,
    pub(super) change: fn(&mut G, &mut Rng, Falls, [NodeId; 2], &mut ChangeLog),
    /// Takes away the move between two nodes.
    pub(super) close: fn(&mut G, NodeId, NodeId, &mut ChangeLog),
}

/// Whether costs may fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Falls {
    Never,
    Sometimes,
}

/// A ground.
pub(super) struct Arena<G> {
    name: String,
    pub(super) graph: G,
    pub(super) door: Door<G>,
    pub(super) editor: Option<Editor<G>>,
    pub(super) problems: Vec<(NodeId, NodeId)>,
    /// Where an agent may be put and what may be its goal.
    pub(super) places: Vec<NodeId>,
}

/// A ground of any type.
pub(super) trait Ground {
    fn name(&self) -> &str;
    fn serves(&self, spec: &Spec) -> bool;
    fn run(&self, check: Check, spec: &Spec) -> Result<(), String>;
}

impl<G: ReverseGraph> Ground for Arena<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn serves(&self, spec: &Spec) -> bool {
        let Facts { undirected, coordinates, .. } = spec.facts();
        let needs = match (coordinates, undirected) {
            (true, _) => Offers::Positions,
            (_, true) => Offers::Undirected,
            _ => Offers::Directed,
        };
        let has_corners = || self.graph.as_grid().is_some_and(|grid| grid.corners().is_some());
        self.door.offers >= needs && (!spec.facts().corners || has_corners())
    }

    fn run(&self, check: Check, spec: &Spec) -> Result<(), String> {
        match check {
            Check::Walks => checks::walks(self, spec),
            Check::Saves => saving::saves(self, spec),
            Check::Forgeries => saving::forgeries(self, spec),
            Check::Goals => checks::goals(self, spec),
            Check::Displacements => checks::displacements(self, spec),
            Check::Changes => checks::changes(self, spec),
            Check::Chaos => checks::chaos(self, spec),
            Check::Resets => checks::resets(self, spec),
            Check::Unknown | Check::Stats => Ok(()),
        }
    }
}

impl<G: ReverseGraph> Arena<G> {
    /// What a planner promises here. One that does not scale need not arrive on large grounds, nor prove that it
    /// cannot, so how far it gets there depends on how the budget is sliced; all else it must do there as well.
    pub(super) fn promises(&self, spec: &Spec) -> Facts {
        let mut facts = spec.facts();
        if !self.suits(spec) {
            (facts.complete, facts.proves_no_path, facts.slice_invariant) = (false, false, false);
        }
        facts
    }

    /// Whether the planner comes to an end here, also in a step without a budget.
    pub(super) fn suits(&self, spec: &Spec) -> bool {
        spec.facts().scales || self.places.len() <= SMALL
    }

    /// The life of an agent that is about to begin.
    pub(super) fn life(
        &self,
        spec: &Spec,
        (start, goal): (NodeId, NodeId),
        purse: Purse,
        prices: Prices,
    ) -> Life<G> {
        Life {
            planner: (self.door.build)(spec, &self.graph).expect("the ground offers what the planner needs"),
            scratch: Scratch::new(),
            at: start,
            goal,
            purse,
            prices,
            facts: self.promises(spec),
            records: Vec::new(),
            watch: Watch::default(),
            cost: Cost::ZERO,
            patience: self.patience(spec),
        }
    }

    /// Steps after which an agent that has not arrived never will. RIBS without its pruning walks its whole tree, at
    /// most two moves for each state, under each limit; limits are costs of a way to a state's neighbour.
    fn patience(&self, spec: &Spec) -> usize {
        let states = self.places.len();
        let edges = || self.places.iter().map(|&n| self.graph.succs(n).count()).sum::<usize>();
        match spec.facts().scales {
            false => EVERY_WAY,
            _ if spec.is("pruning", "off") => 1000 + 2 * states * edges(),
            _ => 1000 + 100 * states,
        }
    }

    /// Random numbers of this ground's own.
    pub(super) fn rng(&self, seed: usize) -> Rng {
        let name =
            self.name.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
        Rng::new(name.wrapping_add(seed as u64))
    }

    /// The places from which an agent can reach `goal`, whatever it does first.
    pub(super) fn safe_places(&self, goal: NodeId) -> Vec<NodeId> {
        let to_goal = oracle::distances_to(&self.graph, goal);
        let reaches = |n: usize| to_goal[n].is_finite();
        let safe = |&&n: &&NodeId| {
            let around = oracle::distances_from(&self.graph, n);
            (0..around.len()).all(|m| !around[m].is_finite() || reaches(m))
        };
        let reaching = self.places.iter().filter(|n| reaches(n.index()));
        if self.door.offers == Offers::Directed {
            reaching.filter(safe).copied().collect()
        } else {
            reaching.copied().collect()
        }
    }

    /// The arena with up to `count` random problems that are fair: the goal can be reached from wherever
    /// the agent can get to, or from nowhere that it can get to at the start.
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

/// Places of a ground with so few ways through it that each can be tried.
const SMALL: usize = 8;
/// Steps in which that can be done with one expansion each, for every limit on their length.
const EVERY_WAY: usize = 50_000;

/// All grounds, small enough that every planner runs over all of them.
pub(super) fn grounds() -> Vec<Box<dyn Ground>> {
    let mut all: Vec<Box<dyn Ground>> = Vec::new();
    let rules = worlds::all_rules();
    for (k, tiny) in TINY.iter().enumerate() {
        // The rules that matter most for every map, and the others in turn.
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
    let (graph, solved, apart) = worlds::sliding_puzzle();
    let places: Vec<_> = (0..720).map(NodeId::new).collect();
    let problems = vec![(NodeId::new(57), solved), (NodeId::new(300), NodeId::new(7)), (solved, apart)];
    let name = "the sliding puzzle".to_string();
    all.push(Box::new(Arena { name, graph, door: undirected(), editor: None, problems, places }));
    all.extend(small_grounds(&mut rng));
    all
}

/// Grounds on which also planners that do not scale keep all their promises.
fn small_grounds(rng: &mut Rng) -> Vec<Box<dyn Ground>> {
    let mut all: Vec<Box<dyn Ground>> = Vec::new();
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

fn grid(name: String, graph: Grid, problems: Vec<(NodeId, NodeId)>) -> Box<dyn Ground> {
    let editor = Some(Editor { copy: Grid::clone, change: change_grid, close: close_cell });
    let places = worlds::free_cells(&graph);
    Box::new(Arena { name, graph, door: embedded(), editor, problems, places })
}

fn explicit_graphs(rng: &mut Rng) -> Vec<Box<dyn Ground>> {
    let mut all: Vec<Box<dyn Ground>> = Vec::new();
    for kind in [(true, 9), (false, 30), (true, 100_000)] {
        all.push(explicit_undirected(rng, 60, 60, kind));
    }
    for (strong, dearest, nodes) in
        [(true, 9, 60), (false, 9, 60), (true, 70_000, 60), (true, 20, 150), (true, 9, 18)]
    {
        all.push(explicit_directed(rng, nodes, 2 * nodes - 10, (strong, dearest)));
    }
    let graph = worlds::random_undirected(rng, 80, 80, true, 50);
    let landmarks = Landmarks::spread(&graph, NodeId::new(0), 3);
    let arena = Arena {
        name: "an undirected graph with landmarks".to_string(),
        graph: Guided::new(graph, landmarks),
        editor: None,
        door: undirected(),
        problems: Vec::new(),
        places: numbers(80),
    };
    all.push(Box::new(arena.with_problems(rng, 3)));
    let graph = worlds::random_directed(rng, 80, 160, true, 50);
    let landmarks = Landmarks::spread(&graph, NodeId::new(0), 3);
    let arena = Arena {
        name: "a directed graph with landmarks".to_string(),
        graph: Guided::new(graph, landmarks),
        editor: None,
        door: directed(),
        problems: Vec::new(),
        places: numbers(80),
    };
    all.push(Box::new(arena.with_problems(rng, 3)));
    all
}

fn numbers(n: usize) -> Vec<NodeId> {
    (0..n).map(NodeId::from_index).collect()
}

fn explicit_undirected(
    rng: &mut Rng,
    nodes: usize,
    edges: usize,
    (joined, dearest): (bool, u32),
) -> Box<dyn Ground> {
    let graph = worlds::random_undirected(rng, nodes, edges, joined, dearest);
    let arena = Arena {
        name: format!("an undirected graph, joined {joined}, edges up to {dearest}"),
        editor: Some(Editor {
            copy: UndirectedCsr::clone,
            change: change_undirected,
            close: close_both_ways,
        }),
        door: undirected(),
        problems: Vec::new(),
        places: numbers(nodes),
        graph,
    };
    Box::new(arena.with_problems(rng, 2))
}

fn explicit_directed(
    rng: &mut Rng,
    nodes: usize,
    edges: usize,
    (strong, dearest): (bool, u32),
) -> Box<dyn Ground> {
    let graph = worlds::random_directed(rng, nodes, edges, strong, dearest);
    let arena = Arena {
        name: format!("a directed graph of {nodes}, strong {strong}, edges up to {dearest}"),
        editor: Some(Editor { copy: Csr::clone, change: change_directed, close: close_one_way }),
        door: directed(),
        problems: Vec::new(),
        places: numbers(nodes),
        graph,
    };
    Box::new(arena.with_problems(rng, 3))
}

/// Blocks a cell or makes it heavier; opens one or makes it lighter.
fn change_grid(grid: &mut Grid, rng: &mut Rng, falls: Falls, spared: [NodeId; 2], log: &mut ChangeLog) {
    let (x, y) = (rng.below(grid.width() as usize) as u32, rng.below(grid.height() as usize) as u32);
    let n = grid.node(x, y).expect("a cell of the grid");
    let weight = if rng.one_in(2) { 0 } else { rng.between(1, 4) as u8 };
    let rises = grid.is_free(n) && (weight == 0 || weight > grid.weight(n));
    if (rises || falls == Falls::Sometimes) && !(weight == 0 && spared.contains(&n)) {
        // A weight that the grid was not built for is refused, and nothing changes.
        let _ = grid.set(n, weight, log);
    }
}

/// The new cost of an edge that costs `old` now: gone, or anything up to the dearest.
fn new_cost(rng: &mut Rng, old: Cost, dearest: Cost, falls: Falls) -> Cost {
    let new = if rng.one_in(3) { Cost::INF } else { Cost::new(rng.between(1, dearest.raw())) };
    if falls == Falls::Sometimes { new } else { new.max(old) }
}

fn change_undirected(
    graph: &mut UndirectedCsr,
    rng: &mut Rng,
    falls: Falls,
    _: [NodeId; 2],
    log: &mut ChangeLog,
) {
    let nodes = graph.bound();
    for _ in 0..TRIES {
        let (a, b) = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
        let new = new_cost(rng, graph.cost(a, b), graph.dearest(), falls);
        if graph.set_cost(a, b, new, log).is_ok() {
            return;
        }
    }
}

fn change_directed(graph: &mut Csr, rng: &mut Rng, falls: Falls, _: [NodeId; 2], log: &mut ChangeLog) {
    let nodes = graph.bound();
    for _ in 0..TRIES {
        let (a, b) = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
        let new = new_cost(rng, graph.cost(a, b), graph.dearest(), falls);
        if graph.set_cost(a, b, new, log).is_ok() {
            return;
        }
    }
}

fn close_cell(grid: &mut Grid, _: NodeId, to: NodeId, log: &mut ChangeLog) {
    grid.set(to, 0, log).expect("a cell of the grid");
}

fn close_both_ways(graph: &mut UndirectedCsr, from: NodeId, to: NodeId, log: &mut ChangeLog) {
    graph.set_cost(from, to, Cost::INF, log).expect("an edge of the graph");
}

fn close_one_way(graph: &mut Csr, from: NodeId, to: NodeId, log: &mut ChangeLog) {
    graph.set_cost(from, to, Cost::INF, log).expect("an edge of the graph");
}

/// How often to look for a pair of nodes that has an edge; where it never had one the change is refused.
const TRIES: usize = 40;
