//! Worlds with changing costs, and searches that are repaired.

use std::collections::BTreeSet;

use fleetfoot::graph::Edge;
use fleetfoot::registry::{PlannerGraph, Spec};
use fleetfoot::search::{CostField, Halt, Pools, SearchTools};
use fleetfoot::{
    ChangeLog, Cost, Csr, CsrBuilder, Graph, Grid, Limits, Meter, NodeId, Prices, ReverseGraph, SearchEvent,
    SearchProbe, Work, WorkKind,
};
use fleetfoot_testkit::{Rng, World, oracle, worlds};

/// Parses a spec.
pub(crate) fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A budget; `None` is unlimited.
pub(crate) type Budget = Option<u64>;

/// Budgets from the minimum to unlimited.
pub(crate) const BUDGETS: [Budget; 5] = [Some(1), Some(2), Some(7), Some(50), None];

/// Creates a meter with this budget at the papers' prices.
pub(crate) fn meter(budget: Budget) -> Meter {
    budget.map_or_else(Meter::unlimited, |budget| Meter::priced(budget, Prices::PAPERS))
}

/// A world that can be changed.
pub(crate) trait Changing: PlannerGraph + Clone {
    /// Makes a random change, up or down. The nodes in `spared` are not blocked.
    fn edit(&mut self, rng: &mut Rng, spared: &[NodeId], log: &mut ChangeLog);

    /// Returns the valid positions of agents.
    fn places(&self) -> Vec<NodeId>;
}

/// Maximum weight of cells.
const HEAVIEST: u8 = 4;

impl Changing for Grid {
    fn edit(&mut self, rng: &mut Rng, spared: &[NodeId], log: &mut ChangeLog) {
        let (x, y) = (rng.below(self.width() as usize) as u32, rng.below(self.height() as usize) as u32);
        let n = self.node(x, y).expect("a cell of the grid");
        let weight = if rng.one_in(2) { 0 } else { rng.between(1, u32::from(HEAVIEST)) as u8 };
        // Grids without weights reject them, and nothing changes.
        if !(weight == 0 && spared.contains(&n)) && self.set(n, weight, log).is_err() {
            self.set(n, 1, log).expect("plain ground");
        }
    }

    fn places(&self) -> Vec<NodeId> {
        worlds::free_cells(self)
    }
}

/// A directed graph on a plane: every edge costs at least the distance of its ends.
#[derive(Clone, Debug)]
struct Plane {
    graph: Csr,
    edges: Vec<(NodeId, NodeId)>,
    at: Vec<(u32, u32)>,
}

/// The width of the plane, and the maximum cost of edges above their length.
const WIDE: u32 = 12;
const EXTRA: u32 = 9;

impl Plane {
    fn random(rng: &mut Rng, nodes: usize, edges: usize) -> Self {
        let at: Vec<_> = (0..nodes).map(|_| (rng.between(0, WIDE), rng.between(0, WIDE))).collect();
        let (mut builder, mut all) = (CsrBuilder::new(nodes), Vec::new());
        for k in 0..nodes + edges {
            // Each node has an outgoing edge, so that few are cut off.
            let a = if k < nodes { k } else { rng.below(nodes) };
            let (a, b) = (NodeId::from_index(a), NodeId::from_index(rng.below(nodes)));
            if a != b && !all.contains(&(a, b)) {
                builder.edge(a, b, Cost::new(apart(&at, a, b) + rng.between(1, EXTRA)));
                all.push((a, b));
            }
        }
        let graph = builder.max_edge_cost(Cost::new(2 * WIDE + EXTRA)).build().expect("a small graph");
        Self { graph, edges: all, at }
    }
}

fn apart(at: &[(u32, u32)], a: NodeId, b: NodeId) -> u32 {
    let ((ax, ay), (bx, by)) = (at[a.index()], at[b.index()]);
    ax.abs_diff(bx) + ay.abs_diff(by)
}

impl Graph for Plane {
    fn limits(&self) -> Limits {
        Limits::new(self.graph.bound(), self.graph.max_edge_cost()).with_max_degree(self.graph.max_degree())
    }

    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.succs(n)
    }

    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        Cost::new(apart(&self.at, a, b))
    }

    fn fingerprint(&self) -> u64 {
        self.graph.fingerprint()
    }
}

impl ReverseGraph for Plane {
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.graph.preds(n)
    }
}

/// A world that contains a plane.
impl Changing for World {
    fn edit(&mut self, rng: &mut Rng, _: &[NodeId], log: &mut ChangeLog) {
        let plane: &mut Plane = self.get_mut().expect("a plane");
        if plane.edges.is_empty() {
            return;
        }
        let (a, b) = rng.pick(&plane.edges);
        let new = Cost::new(apart(&plane.at, a, b) + rng.between(1, EXTRA));
        let new = if rng.one_in(3) { Cost::INF } else { new };
        plane.graph.set_cost(a, b, new, log).expect("an edge of the graph");
    }

    fn places(&self) -> Vec<NodeId> {
        (0..self.bound()).map(NodeId::from_index).collect()
    }
}

/// Creates a grid with random rules and weights.
pub(crate) fn random_grid(rng: &mut Rng, most: u32) -> Grid {
    let rules = rng.pick(&worlds::all_rules());
    let heaviest = rng.pick(&[1, HEAVIEST]);
    let size = (rng.between(3, most), rng.between(3, most));
    let blocked = rng.between(0, 40);
    let grid = worlds::random_grid(rng, size, rules, blocked, heaviest);
    grid.with_weights(1, heaviest).expect("a small grid")
}

/// Creates a random plane.
pub(crate) fn random_plane(rng: &mut Rng, most: u32) -> World {
    let nodes = rng.between(2, most) as usize;
    let edges = rng.below(4 * nodes);
    World::directed(Plane::random(rng, nodes, edges))
}

/// Records expansions, and the open nodes according to the events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(pub(crate) Vec<NodeId>, BTreeSet<NodeId>);

impl SearchProbe for Watch {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Search { .. } => self.1.clear(),
            SearchEvent::Expand { node, .. } => {
                self.0.push(node);
                self.1.remove(&node);
            }
            SearchEvent::Open { node, .. } => drop(self.1.insert(node)),
            SearchEvent::Discard { node } => drop(self.1.remove(&node)),
            _ => {}
        }
    }
}

/// A changing world with an agent that goes anywhere.
pub(crate) struct Life<G> {
    pub(crate) graph: G,
    pub(crate) log: ChangeLog,
    pub(crate) at: NodeId,
    pub(crate) goal: NodeId,
    pub(crate) rng: Rng,
    pub(crate) pools: Pools,
    pub(crate) prices: Prices,
    /// The open nodes according to the events.
    open: BTreeSet<NodeId>,
}

impl<G: Changing> Life<G> {
    pub(crate) fn new(graph: G, mut rng: Rng) -> Self {
        let (at, goal) = (anywhere(&graph, &mut rng), anywhere(&graph, &mut rng));
        Self {
            graph,
            log: ChangeLog::new(),
            at,
            goal,
            rng,
            pools: Pools::new(),
            prices: Prices::PAPERS,
            open: BTreeSet::new(),
        }
    }

    /// Sets another goal.
    pub(crate) fn aim(&mut self) {
        self.goal = anywhere(&self.graph, &mut self.rng);
    }

    /// Makes several changes.
    pub(crate) fn change(&mut self, most: u32) {
        for _ in 0..self.rng.between(1, most) {
            self.graph.edit(&mut self.rng, &[self.at, self.goal], &mut self.log);
        }
    }

    /// Moves the agent: to a neighbor, rarely anywhere.
    pub(crate) fn drift(&mut self) {
        let near: Vec<_> = self.graph.succs(self.at).map(|edge| edge.to).collect();
        self.at = if near.is_empty() || self.rng.one_in(6) {
            anywhere(&self.graph, &mut self.rng)
        } else {
            self.rng.pick(&near)
        };
    }

    /// Returns the true cost to the goal from every node.
    pub(crate) fn truth(&self) -> Vec<Cost> {
        oracle::distances_to(&self.graph, self.goal)
    }

    /// Runs a search with this budget, and returns its result and events. It must keep the budget, except for one
    /// expansion with its prepayment; at the papers' prices exactly.
    pub(crate) fn work<R>(
        &mut self,
        budget: Budget,
        search: impl FnOnce(&G, &ChangeLog, &mut SearchTools<'_>) -> R,
    ) -> (R, Work, Vec<NodeId>) {
        let meter = budget.map_or_else(Meter::unlimited, |budget| Meter::priced(budget, self.prices));
        let (mut meter, mut watch) = (meter, Watch(Vec::new(), core::mem::take(&mut self.open)));
        let tools = &mut SearchTools { meter: &mut meter, pools: &mut self.pools, probe: Some(&mut watch) };
        let answer = search(&self.graph, &self.log, tools);
        let work = *meter.work();
        assert_eq!(work[WorkKind::Expand], watch.0.len() as u64, "expansions are counted as they are");
        let is_within = |budget| work.priced(&self.prices) <= 10 * budget;
        assert!(budget.is_none_or(is_within), "{work:?} of {budget:?}");
        self.open = watch.1;
        (answer, work, watch.0)
    }

    /// The events of the search determine which nodes are open.
    pub(crate) fn hold_told(&self, field: &CostField) {
        let open: BTreeSet<_> =
            (0..self.graph.bound()).map(NodeId::from_index).filter(|n| field.is_open(*n)).collect();
        assert_eq!(self.open, open, "open as reported, and as it is");
    }
}

/// Returns a random free node, or any node if all are blocked.
fn anywhere<G: Changing>(graph: &G, rng: &mut Rng) -> NodeId {
    let places = graph.places();
    if places.is_empty() { NodeId::new(0) } else { rng.pick(&places) }
}

/// Follows the best successors from the agent to the goal over existing edges, and returns the cost.
pub(crate) fn walk_down<G: Graph>(
    graph: &G,
    (at, goal): (NodeId, NodeId),
    next: impl Fn(NodeId) -> Option<NodeId>,
) -> Cost {
    let mut walk = vec![at];
    while walk[walk.len() - 1] != goal {
        let n = walk[walk.len() - 1];
        walk.push(next(n).unwrap_or_else(|| panic!("the way ends at {n}")));
        assert!(walk.len() <= graph.bound() + 1, "the path leads around");
    }
    let cost = oracle::cost_of(graph, &walk);
    assert!(cost.is_finite(), "the way leads over a move that is not there");
    cost
}

/// Checks that rhs matches g and the current costs everywhere except for the goal, and that the stored successor
/// determines it.
pub(crate) fn hold_rhs<G: Graph>(graph: &G, field: &CostField) {
    for n in (0..graph.bound()).map(NodeId::from_index) {
        let vertex = field.vertex(n);
        if n == field.goal() {
            assert_eq!(vertex.rhs, Cost::ZERO, "rhs of the goal");
            continue;
        }
        let by = |edge: Edge| edge.cost + field.vertex(edge.to).g;
        let least = graph.succs(n).map(by).min().unwrap_or(Cost::INF);
        if vertex.next.is_some() && vertex.next == field.given_up() {
            assert!(vertex.rhs <= least, "rhs of {n}, which has not been seen to yet");
            continue;
        }
        assert_eq!(vertex.rhs, least, "rhs of {n}");
        let named = oracle::edge(graph, n, vertex.next.some().unwrap_or(n));
        if vertex.rhs.is_finite() {
            assert_eq!(named + field.vertex(vertex.next).g, vertex.rhs, "the successor of {n}");
        }
    }
}

/// Checks whether the result agrees with the existence of a path.
pub(crate) fn hold_answer(halt: Halt, truth: Cost) {
    match halt {
        Halt::Goal => assert!(truth.is_finite(), "a way was found where there is none"),
        Halt::Empty => assert!(!truth.is_finite(), "there is a way, of cost {truth}"),
        Halt::Paused => {}
    }
}
