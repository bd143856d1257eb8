//! Properties against a simple Dijkstra: all variants of A* on random grids and graphs, `shortest_path`,
//! heuristics, and the invariants of the best-first loop.

use fleetfoot::registry::{PlannerGraph, Spec};
use fleetfoot::search::{Halt, NodeTable, OpenKind, PagedTree, Pools, Search, SearchTools, Ties};
use fleetfoot::{
    ChangeLog, Cost, Decision, GoalSet, Graph, Grid, Landmarks, Meter, NodeId, Prices, ReverseGraph, Rules,
    Scratch, SearchEvent, SearchProbe, StepContext, WithHeuristic, shortest_path,
};
use fleetfoot_testkit::conformance::every_spec;
use fleetfoot_testkit::{Rng, World, cases, oracle, worlds};
use proptest::prelude::*;

/// A grid with any rules, a start and a goal. Shrinks toward small, open, unweighted grids.
fn problems() -> impl Strategy<Value = (Grid, NodeId, NodeId)> {
    let size = (1..20u32, 1..20u32, 0..worlds::all_rules().len(), 1..5u8, 0..50u8);
    let with_cells = size.prop_flat_map(|(width, height, rules, heaviest, blocked)| {
        let cells = prop::collection::vec(0..100u8, (width * height) as usize);
        (Just((width, height, rules, heaviest, blocked)), cells, any::<[u16; 2]>())
    });
    with_cells.prop_map(|((width, height, rules, heaviest, blocked), cells, ends)| {
        let rules = worlds::all_rules()[rules];
        let weight = |x: u32, y: u32| match cells[(y * width + x) as usize] {
            cell if cell >= 100 - blocked => 0,
            cell => 1 + cell % heaviest,
        };
        let grid = Grid::new(width, height, rules, weight).expect("a valid grid");
        let [start, goal] = ends.map(|end| {
            let cell = u32::from(end) % (width * height);
            grid.node(cell % width, cell / width).expect("a cell of the grid")
        });
        (grid, start, goal)
    })
}

/// Returns the cost of an agent's walk with an unlimited budget. Infinite if the planner reports that there is no
/// path.
fn walk<G: PlannerGraph>(spec: &Spec, graph: &G, start: NodeId, goal: NodeId) -> Cost {
    let mut planner = spec.build(graph).expect("planners for directed graphs");
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let (mut at, mut cost) = (start, Cost::ZERO);
    for _ in 0..=graph.bound() {
        let (meter, scratch) = (&mut Meter::unlimited(), &mut scratch);
        match planner.step(StepContext::new(graph, at, goal, meter, scratch).with_changes(&log)) {
            Decision::Go(to) => {
                cost += oracle::edge(graph, at, to);
                at = to;
            }
            Decision::NoPath => return Cost::INF,
            Decision::Wait => {
                assert_eq!(at, goal, "{spec} waits though its budget is endless");
                return cost;
            }
        }
    }
    panic!("{spec} walks for ever")
}

/// Returns the planners that are optimal with an unlimited budget and have no requirements.
fn optimal_specs() -> Vec<Spec> {
    let fits = |spec: &Spec| {
        let facts = spec.facts();
        // If configured not to report a missing path, a planner waits or wanders.
        let speaks = ["", "report"].contains(&spec.value("no-path"));
        facts.optimal && facts.polynomial && speaks && !facts.needs_undirected && !facts.needs_positions
    };
    every_spec().into_iter().filter(fits).collect()
}

/// Compares all optimal planners and `shortest_path` with the reference.
fn hold_against_the_truth<G: PlannerGraph>(graph: &G, start: NodeId, goal: NodeId) {
    let truth = oracle::distance(graph, start, goal);
    for spec in optimal_specs() {
        assert_eq!(walk(&spec, graph, start, goal), truth, "{spec} from {start} to {goal}");
    }
    match shortest_path(graph, start, goal, &mut Meter::unlimited(), &mut Scratch::new()).path() {
        None => assert_eq!(truth, Cost::INF),
        Some((path, cost)) => {
            assert_eq!(cost, truth);
            assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
            assert_eq!(oracle::cost_of(graph, &path), cost);
        }
    }
}

/// Checks the contract of graphs on the given nodes.
fn hold_promises<G: ReverseGraph>(graph: &G, nodes: &[NodeId], goal: NodeId) {
    let to_goal = oracle::distances_to(graph, goal);
    assert_eq!(graph.h(goal, goal), Cost::ZERO);
    for &a in nodes {
        assert!(graph.h(a, goal) <= to_goal[a.index()], "h overestimates at {a}");
        for edge in graph.succs(a) {
            let (here, there) = (graph.h(a, goal), graph.h(edge.to, goal));
            assert!(Cost::ZERO < edge.cost && edge.cost <= graph.max_edge_cost());
            assert!(here <= edge.cost + there, "h is inconsistent from {a} to {}", edge.to);
            assert!(
                (edge.cost + there).saturating_sub(here) <= graph.max_f_increase(),
                "f rises too steeply at {a}"
            );
            assert_eq!(graph.cost(a, edge.to), edge.cost);
            assert_eq!(graph.preds(edge.to).filter(|back| back.to == a && back.cost == edge.cost).count(), 1);
        }
        for back in graph.preds(a) {
            assert_eq!(oracle::edge(graph, back.to, a), back.cost);
            // For backward searches, h(goal, ·) is consistent with the edges.
            let (here, there) = (graph.h(goal, a), graph.h(goal, back.to));
            assert!(here <= there + back.cost, "h is inconsistent backwards from {a} to {}", back.to);
            assert!(
                (back.cost + there).saturating_sub(here) <= graph.max_f_increase(),
                "f rises too steeply backwards at {a}"
            );
        }
    }
}

struct Expansions(Vec<(NodeId, NodeId, Cost, Cost)>);

impl SearchProbe for Expansions {
    fn event(&mut self, event: SearchEvent) {
        if let SearchEvent::Expand { node, parent, g, f } = event {
            self.0.push((node, parent, g, f));
        }
    }
}

/// Checks the loop: f of removed nodes is nondecreasing; g of a closed node, and of the next one, is its true
/// distance; while paused, every open node has at least the f of the next one.
fn hold_invariants(grid: &Grid, start: NodeId, goal: NodeId, kind: OpenKind, prune: bool, slice: u64) {
    let mut search = Search::new(PagedTree::new(grid.bound()), kind, grid.bound(), grid.max_f_increase());
    let (mut pools, mut seen) = (Pools::new(), Expansions(Vec::new()));
    search.start(
        start,
        grid.h(start, goal),
        &mut SearchTools { meter: &mut Meter::unlimited(), pools: &mut pools, probe: None },
    );
    let truth = oracle::distances_from(grid, start);
    let halt = loop {
        let mut tools = SearchTools {
            meter: &mut Meter::priced(slice, Prices::PAPERS),
            pools: &mut pools,
            probe: Some(&mut seen),
        };
        let h = |_: &mut PagedTree, n| grid.h(n, goal);
        let halt = if prune {
            search.run(|n, from| grid.pruned_successors(n, from), h, goal, &mut tools)
        } else {
            search.run(|n, _| grid.succs(n), h, goal, &mut tools)
        };
        if halt != Halt::Paused {
            break halt;
        }
        let (next, least) = search.top().expect("a paused search has something left");
        assert_eq!(search.nodes.g(next), truth[next.index()]);
        let open = search.nodes.generated().filter(|(n, ..)| search.nodes.is_open(*n));
        for (n, g, _) in open {
            assert!(g + grid.h(n, goal) >= least);
        }
    };
    assert_eq!(halt == Halt::Goal, truth[goal.index()].is_finite());
    let mut last = Cost::ZERO;
    for &(node, parent, g, f) in &seen.0 {
        assert_eq!(g, truth[node.index()], "g of {node}");
        assert_eq!(f, g + grid.h(node, goal));
        assert!(f >= last, "f falls at {node}");
        assert!(!parent.is_some() || truth[parent.index()] + grid.cost(parent, node) == g);
        assert!(search.nodes.is_closed(node));
        last = f;
    }
    let mut nodes: Vec<_> = seen.0.iter().map(|e| e.0).collect();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), seen.0.len(), "no state is expanded twice");
    if halt == Halt::Goal {
        assert_eq!(search.nodes.g(goal), truth[goal.index()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_grids_paths_are_shortest((grid, start, goal) in problems()) {
        hold_against_the_truth(&grid, start, goal);
    }

    #[test]
    fn grids_keep_their_promises((grid, _, goal) in problems()) {
        hold_promises(&grid, &worlds::free_cells(&grid), goal);
    }

    #[test]
    fn the_loop_keeps_its_invariants((grid, start, goal) in problems(), slice in 1..30u64, prune: bool) {
        for kind in [OpenKind::Ring, OpenKind::Heap(Ties::LargerG), OpenKind::Heap(Ties::SmallerG)] {
            hold_invariants(&grid, start, goal, kind, prune, slice);
        }
    }

    #[test]
    fn on_explicit_graphs_paths_are_shortest(
        seed: u64, nodes in 1..60usize, edges in 0..180usize, joined: bool, dear: bool, landmarks in 0..4usize,
    ) {
        let mut rng = Rng::new(seed);
        // Edge costs beyond the range of a ring use the heap.
        let max_edge_cost = if dear { 1_000_000 } else { 12 };
        let all: Vec<_> = (0..nodes).map(NodeId::from_index).collect();
        let (start, goal) = (rng.pick(&all), rng.pick(&all));
        let undirected = worlds::random_undirected(&mut rng, nodes, edges, joined, max_edge_cost);
        hold_against_the_truth(&World::undirected(undirected.clone()), start, goal);
        hold_promises(&undirected, &all, goal);
        let directed = worlds::random_directed(&mut rng, nodes, edges, joined, max_edge_cost);
        hold_against_the_truth(&World::directed(directed.clone()), start, goal);
        hold_promises(&directed, &all, goal);
        let guide = Landmarks::farthest(&directed, start, landmarks);
        let guided = World::directed(WithHeuristic::new(directed, guide));
        hold_against_the_truth(&guided, start, goal);
        hold_promises(&guided, &all, goal);
    }

    #[test]
    fn any_of_several_goals_is_the_nearest((grid, start, goal) in problems(), other: u16) {
        let cells = worlds::free_cells(&grid);
        let other = cells.get(usize::from(other) % cells.len().max(1)).copied().unwrap_or(goal);
        let truth = oracle::distances_from(&grid, start);
        let nearest = truth[goal.index()].min(truth[other.index()]);
        let world = GoalSet::new(&grid, [goal, other]);
        let found = shortest_path(&world, start, world.goal(), &mut Meter::unlimited(), &mut Scratch::new()).path();
        prop_assert_eq!(found.map_or(Cost::INF, |(_, cost)| cost), nearest + GoalSet::<Grid>::ENTRY);
    }
}

/// A larger map, so that searches cross many tiles and the ring wraps around.
#[test]
fn a_large_map_has_no_surprises() {
    let mut rng = Rng::new(3);
    for rules in [Rules::default(), worlds::all_rules()[0], Rules { cut_corners: true, ..Rules::default() }] {
        let grid = worlds::random_grid(&mut rng, (150, 130), rules, 25, 1);
        let cells = worlds::free_cells(&grid);
        let mut scratch = Scratch::new();
        for _ in 0..3 {
            let start = rng.pick(&cells);
            let truth = oracle::distances_from(&grid, start);
            for _ in 0..12 {
                let goal = rng.pick(&cells);
                let found = shortest_path(&grid, start, goal, &mut Meter::unlimited(), &mut scratch).path();
                assert_eq!(found.map_or(Cost::INF, |(_, cost)| cost), truth[goal.index()]);
            }
            let goal = rng.pick(&cells);
            for spec in optimal_specs() {
                assert_eq!(walk(&spec, &grid, start, goal), truth[goal.index()], "{spec}");
            }
        }
    }
}
