//! The contenders. Each counts its expansions exactly. Tables that a program would keep between searches are created
//! before the clock starts.

use std::hint::black_box;

use fleetfoot::planners::{AStar, AStarConfig, Direction};
use fleetfoot::search::{FlatTable, NodeTable, OpenKind, Pools, Search, SearchTools};
use fleetfoot::{
    ChangeLog, Cost, CsrBuilder, Decision, Graph, Grid, Heuristic, Meter, NodeId, Planner, PlannerState,
    Prices, Reset, ReverseGraph, Scratch, StepContext, UndirectedCsr, WorkKind,
};

use super::race::{Contender, Outcome};

type Problems = [(NodeId, NodeId)];

fn contender<'a>(name: &'static str, run: impl FnMut(usize) -> Outcome + 'a) -> Contender<'a> {
    Contender { name, run: Box::new(run) }
}

/// Returns the bare search on a flat table. The probe is hidden from the compiler, as it is in planners.
pub(crate) fn flat<'a, G: Graph>(
    name: &'static str,
    graph: &'a G,
    problems: &'a Problems,
    kind: OpenKind,
    prune: bool,
) -> Contender<'a> {
    let bound = graph.bound();
    let mut search = Search::new(FlatTable::new(bound), kind, bound, graph.max_f_increase());
    let mut pools = Pools::new();
    contender(name, move |k| {
        let (from, to) = problems[k];
        let meter = &mut Meter::unlimited();
        let mut tools = SearchTools { meter, pools: &mut pools, probe: black_box(None) };
        search.start(from, graph.h(from, to), &mut tools);
        let h = |_: &mut FlatTable, n| graph.h(n, to);
        if prune {
            search.run(|n, p| graph.pruned_successors(n, p), h, to, &mut tools);
        } else {
            search.run(|n, _| graph.succs(n), h, to, &mut tools);
        }
        Outcome { expansions: tools.meter.work()[WorkKind::Expand], cost: Some(search.nodes.g(to).raw()) }
    })
}

/// Returns the planner on its paged tree, including its path.
pub(crate) fn planner<'a, G: ReverseGraph>(
    name: &'static str,
    graph: &'a G,
    problems: &'a Problems,
    open: OpenKind,
    prune: bool,
) -> Contender<'a> {
    planner_with(name, graph, problems, AStarConfig { direction: Direction::Forward, open, prune }, None)
}

/// Returns the planner with default options and a budget per step.
pub(crate) fn sliced<'a, G: ReverseGraph>(
    name: &'static str,
    graph: &'a G,
    problems: &'a Problems,
    budget: Option<u64>,
) -> Contender<'a> {
    planner_with(name, graph, problems, AStarConfig::default(), budget)
}

fn planner_with<'a, G: ReverseGraph>(
    name: &'static str,
    graph: &'a G,
    problems: &'a Problems,
    config: AStarConfig,
    budget: Option<u64>,
) -> Contender<'a> {
    let mut planner = AStar::new(config, graph);
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    contender(name, move |k| {
        let (at, goal) = problems[k];
        let mut expansions = 0;
        loop {
            let meter = &mut Meter::priced(budget.unwrap_or(u64::MAX), Prices::PAPERS);
            let mut step = StepContext::new(graph, at, goal, meter, &mut scratch).with_changes(&log);
            step.probe = black_box(None);
            let decision = planner.step(step);
            expansions += meter.work()[WorkKind::Expand];
            if decision != Decision::Wait {
                // A repeated problem must be searched again.
                planner.reset(Reset::Full);
                return Outcome { expansions, cost: None };
            }
        }
    })
}

/// Returns `pathfinding` in its best use: small states, successors not collected.
pub(crate) fn pathfinding<'a, G: Graph>(graph: &'a G, problems: &'a Problems) -> Contender<'a> {
    contender("pathfinding", move |k| {
        let ((from, to), mut expansions) = (problems[k], 0);
        let succs = |&n: &u32| {
            expansions += 1;
            graph.succs(NodeId::new(n)).map(|e| (e.to.raw(), e.cost.raw()))
        };
        let h = |&n: &u32| graph.h(NodeId::new(n), to).raw();
        let found = pathfinding::prelude::astar(&from.raw(), succs, h, |&n| n == to.raw());
        Outcome { expansions, cost: found.map(|(_, cost)| cost) }
    })
}

/// petgraph's own compressed rows.
pub(crate) type Peer = petgraph::csr::Csr<(), u32, petgraph::Directed, u32>;

/// Converts a graph for petgraph.
pub(crate) fn petgraph_of(graph: &UndirectedCsr) -> Peer {
    let node = |n: usize| NodeId::from_index(n);
    let mut edges: Vec<(u32, u32, u32)> = (0..graph.bound())
        .flat_map(|n| graph.succs(node(n)).map(move |e| (n as u32, e.to.raw(), e.cost.raw())))
        .collect();
    edges.sort_unstable();
    let mut peer = Peer::from_sorted_edges(&edges).expect("sorted edges");
    while peer.node_count() < graph.bound() {
        peer.add_node(());
    }
    peer
}

/// Returns petgraph's A*. It also tests for the goal at stale entries of its queue, so an expansion is counted when
/// the edges of a different node are requested.
pub(crate) fn petgraph<'a>(peer: &'a Peer, octile: &'a Octile, problems: &'a Problems) -> Contender<'a> {
    use petgraph::visit::EdgeRef;
    contender("petgraph", move |k| {
        let ((from, to), mut expansions, mut last) = (problems[k], 0, u32::MAX);
        let cost = |e: petgraph::csr::EdgeReference<'_, u32, petgraph::Directed, u32>| {
            expansions += u64::from(e.source() != last);
            last = e.source();
            *e.weight()
        };
        let h = |n: u32| octile.between(n as usize, to.index());
        let found = petgraph::algo::astar(peer, from.raw(), |n| n == to.raw(), cost, h);
        Outcome { expansions, cost: found.map(|(cost, _)| cost) }
    })
}

/// A heuristic for explicit graphs with positions, equal for all contenders.
pub(crate) struct Octile {
    positions: Vec<(u32, u32)>,
    straight: u32,
    diagonal: u32,
}

impl Octile {
    fn between(&self, a: usize, b: usize) -> u32 {
        let ((ax, ay), (bx, by)) = (self.positions[a], self.positions[b]);
        let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
        dx.min(dy) * self.diagonal + dx.abs_diff(dy) * self.straight
    }
}

impl<G: Graph> Heuristic<G> for Octile {
    fn h(&self, _: &G, a: NodeId, b: NodeId) -> Cost {
        Cost::new(self.between(a.index(), b.index()))
    }

    fn max_f_increase(&self, graph: &G) -> Cost {
        graph.max_edge_cost() + graph.max_edge_cost()
    }
}

/// Converts a grid to an explicit graph with the same numbers of cells.
pub(crate) fn explicit(grid: &Grid) -> (UndirectedCsr, Octile) {
    let mut builder = CsrBuilder::new(grid.bound());
    let nodes = || (0..grid.bound()).map(NodeId::from_index);
    for n in nodes() {
        grid.succs(n).for_each(|e| {
            builder.edge(n, e.to, e.cost);
        });
    }
    let graph =
        builder.build().and_then(fleetfoot::Csr::into_undirected).expect("a grid's moves go both ways");
    let node = |x, y| grid.node(x, y).expect("inside");
    let diagonal = grid.h(node(0, 0), node(1, 1)).raw();
    let positions = nodes().map(|n| grid.xy(n)).collect();
    (graph, Octile { positions, straight: grid.unit(), diagonal })
}
