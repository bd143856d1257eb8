//! Reported paths, invalid inputs, and states of other planners.

use fleetfoot::corners::CellPath;
use fleetfoot::planners::{AStar, AStarConfig, Avoid, DStarLite, KeyFocus, LookAhead, LssLrta};
use fleetfoot::registry::{ALGORITHMS, SavedPlanner, Spec};
use fleetfoot::{
    Decision, GoalSet, Graph, Grid, ImplicitGraph, Meter, NodeId, Planner, Rules, SaveReader, Scratch,
    Shortest, StepContext, shortest_path,
};
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::worlds::{self, Sliding};

/// Returns every planner with its defaults, and specs that move differently.
fn specs() -> Vec<Spec> {
    let others = [
        "astar(direction=backward)",
        "tba(shortcut=persistent)",
        "tba(shortcut=per-step)",
        "tba(hold-at-frontier=on)",
        "ribs(expansions=budget)",
        "rtd(share-leftover=on)",
        "rtd(global=ad-star)",
        "lrts(depth=5,quota=3)",
        "rtaa(lookahead=20,moves=3)",
    ];
    let all = ALGORITHMS.iter().map(|info| info.key).chain(others);
    all.map(|text| text.parse().expect("a spec")).collect()
}

/// Returns `true` if the first node of a reported path is always the next move, depending on whether the path ends
/// at the goal.
fn keeps_to(spec: &Spec, leads_to_goal: bool) -> bool {
    match spec.info().key {
        // They improve their path while they walk.
        "tba" if spec.to_string().contains("shortcut") => false,
        "rtd" if spec.to_string().contains("ad-star") => false,
        // So does the first; the paths of the others are traced or searched again from the agent's position.
        "ad-star" | "auto" | "corner-tba" => false,
        // Until the path to the goal is known they head for the most promising node; RTD*'s learner, until its
        // search takes over.
        "tba" | "late-tba" | "rtba" | "tbaa" | "ribs" | "rtd" => leads_to_goal,
        _ => true,
    }
}

/// Returns the cells of a path. Between nodes that are not adjacent it is walked like a `CellPath`.
fn over_open_ground(grid: &Grid, mut at: NodeId, nodes: &[NodeId]) -> Vec<NodeId> {
    let cell = |n: NodeId| {
        let (x, y) = grid.xy(n);
        (x.cast_signed(), y.cast_signed())
    };
    let mut path = Vec::new();
    for &next in nodes {
        let cells = CellPath::new(grid.rules().neighborhood, cell(at), cell(next));
        path.extend(cells.filter_map(|(x, y)| grid.node(x.cast_unsigned(), y.cast_unsigned())));
        at = next;
    }
    path
}

/// Runs an agent, and compares the reported path with the graph and the next move. Returns the number of reported
/// paths.
fn live(spec: &Spec, grid: &Grid, (mut at, goal): (NodeId, NodeId), budget: u64) -> usize {
    let mut planner = spec.build(grid).expect("a planner for grids");
    let (mut scratch, mut said) = (Scratch::new(), 0);
    for tick in 0..400 {
        let path = over_open_ground(grid, at, &planner.path(at));
        let edges = std::iter::once(&at).chain(&path).zip(&path);
        for (a, b) in edges {
            assert!(grid.cost(*a, *b).is_finite(), "{spec}, tick {tick}: no move from {a} to {b}");
        }
        let mut meter = Meter::expansions(budget);
        let decision = planner.step(StepContext::new(grid, at, goal, &mut meter, &mut scratch));
        if let Some(&first) = path.first()
            && at != goal
        {
            said += 1;
            let is_certain = keeps_to(spec, path.last() == Some(&goal));
            assert!(!is_certain || decision == Decision::Go(first), "{spec}, tick {tick}: not to {first}");
        }
        match decision {
            Decision::Go(to) => at = to,
            Decision::NoPath => break,
            Decision::Wait if at == goal => break,
            Decision::Wait => {}
        }
    }
    said
}

#[test]
fn the_next_move_is_the_first_of_the_path() {
    // They plan for the current step only, or cannot report a path without the graph.
    let silent = ["lrta", "tla", "p-lrta", "lrts", "d-lrta", "knn-lrta", "hill-climb", "ribs"];
    for spec in specs() {
        let mut said = 0;
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let size = (rng.between(6, 24), rng.between(6, 24));
            let rules = rng.pick(&worlds::all_rules());
            let rules = if spec.facts().needs_corner_index { Rules::default() } else { rules };
            let grid = if spec.info().key == "ida" {
                Grid::new(6, 6, Rules::default(), |_, _| 1).expect("a small grid")
            } else {
                worlds::random_grid(&mut rng, size, rules, 25, 1)
            };
            let free = worlds::free_cells(&grid);
            let ends = (rng.pick(&free), rng.pick(&free));
            said += live(&spec, &grid, ends, [3, 20, 1000][seed as usize % 3]);
        }
        let is_silent = silent.contains(&spec.to_string().as_str());
        assert_eq!(said == 0, is_silent, "{spec} says something of its path {said} times");
    }
}

#[test]
fn what_is_no_node_has_no_path() {
    let plain = |w, h, free: fn(u32) -> bool| {
        Grid::new(w, h, Rules::default(), |x, _| u8::from(free(x))).expect("a small grid").with_corners()
    };
    let grid = plain(20, 9, |x| x != 10);
    let (larger, smaller) = (plain(60, 60, |_| true), plain(5, 5, |_| true));
    let node = |x, y| grid.node(x, y).expect("inside");
    let (free, wall) = (node(1, 1), node(10, 1));
    let padding = NodeId::new(node(3, 8).raw() + 16);
    assert!(grid.is_node(free) && ![wall, padding, NodeId::NONE].iter().any(|n| grid.is_node(*n)));
    let nonsense = [(free, wall), (wall, free), (free, padding), (NodeId::NONE, free), (free, NodeId::NONE)];
    let no_corners = Grid::new(20, 9, Rules::default(), |x, _| u8::from(x != 10)).expect("a small grid");
    for (grid, (at, goal)) in
        [&grid, &no_corners].into_iter().flat_map(|grid| nonsense.map(|ends| (grid, ends)))
    {
        let found = shortest_path(grid, at, goal, &mut Meter::unlimited(), &mut Scratch::new());
        assert_eq!(found, Shortest::NoPath, "from {at} to {goal}");
    }
    for spec in specs() {
        let mut planner = spec.build(&grid).expect("a planner for grids");
        let scratch = &mut Scratch::new();
        for (at, goal) in nonsense {
            let mut meter = Meter::expansions(5);
            let decision = planner.step(StepContext::new(&grid, at, goal, &mut meter, scratch));
            assert_eq!(decision, Decision::NoPath, "{spec}: from {at} to {goal}");
        }
        // A map of another size has no path for it, whatever the planner has stored.
        for (other, last) in [(&larger, 59), (&smaller, 4)] {
            for _ in 0..3 {
                let mut meter = Meter::expansions(5);
                planner.step(StepContext::new(&grid, free, node(9, 7), &mut meter, scratch));
                let (from, to) = (other.node(1, 1).expect("inside"), other.node(last, last).expect("inside"));
                let mut meter = Meter::expansions(5);
                let decision = planner.step(StepContext::new(other, from, to, &mut meter, scratch));
                assert!(decision == Decision::NoPath || planner.graph_bound() == usize::MAX, "{spec}");
            }
        }
        let mut meter = Meter::expansions(5);
        let decision = planner.step(StepContext::new(&grid, free, node(2, 1), &mut meter, scratch));
        assert_ne!(decision, Decision::NoPath, "{spec} is as good as new");
    }
}

#[test]
fn boxes_can_be_cloned() {
    let grid = Grid::new(20, 20, Rules::default(), |_, _| 1).expect("a small grid");
    let (at, goal) = (grid.node(0, 0).expect("inside"), grid.node(19, 19).expect("inside"));
    let mut planner = "astar".parse::<Spec>().expect("a spec").build(&grid).expect("A* can be built");
    let scratch = &mut Scratch::new();
    planner.step(StepContext::new(&grid, at, goal, &mut Meter::expansions(10), scratch));
    let mut copy = planner.clone();
    let mut step = |planner: &mut dyn Planner<Grid>| {
        planner.step(StepContext::new(&grid, at, goal, &mut Meter::unlimited(), scratch))
    };
    assert_eq!(step(&mut *planner), step(&mut *copy));
    assert_eq!(planner.path(at), copy.path(at));
}

/// A planner that was saved with the spec of another.
#[test]
fn a_state_of_another_planner_is_named_as_such() {
    let grid = Grid::new(20, 20, Rules::default(), |_, _| 1).expect("a small grid");
    let (at, goal) = (grid.node(0, 0).expect("inside"), grid.node(19, 19).expect("inside"));
    let specs: Vec<Spec> = ["tba", "rtaa", "astar", "dstar-lite", "ad-star", "ribs"]
        .map(|text| text.parse().expect("a spec"))
        .into();
    for (spec, other) in specs.iter().flat_map(|spec| specs.iter().map(move |other| (spec, other))) {
        let mut planner = spec.build(&grid).expect("a planner for grids");
        planner.step(StepContext::new(&grid, at, goal, &mut Meter::expansions(40), &mut Scratch::new()));
        let restored = SavedPlanner::new(other, &*planner, &grid).restore(&grid);
        if spec == other {
            assert!(restored.is_ok(), "{spec}");
        } else {
            let error = restored.err().expect("another planner's state").to_string();
            assert!(error.contains(&format!("no state of `{other}`")), "{error}");
        }
    }
}

/// Returns any two states of the puzzle as goals, with only these states numbered.
fn puzzle(met: impl IntoIterator<Item = [u8; 6]>) -> GoalSet<ImplicitGraph<Sliding>> {
    GoalSet::new(ImplicitGraph::with_states(Sliding, 720, met), [1, 2].map(NodeId::new))
}

/// Saves a planner before every step, and restores it on a puzzle with the same numbered states.
fn hold_taken_up<P: Planner<GoalSet<ImplicitGraph<Sliding>>>>(
    build: impl Fn(&GoalSet<ImplicitGraph<Sliding>>) -> P,
) {
    let (whole, ..) = worlds::sliding_puzzle();
    let graph = puzzle([300, 0, 40].map(|n| *whole.state(NodeId::new(n))));
    let (mut planner, mut at) = (build(&graph), NodeId::new(0));
    for tick in 0..400 {
        let mut bytes = Vec::new();
        planner.save(&mut bytes);
        let fresh = puzzle(graph.graph().states().copied());
        let mut twin = build(&fresh);
        let loaded = twin.load(&fresh, &mut SaveReader::new(&bytes));
        assert_eq!(loaded, Ok(()), "tick {tick}");
        let step = |planner: &mut P, graph: &GoalSet<ImplicitGraph<Sliding>>| {
            let (meter, scratch) = (&mut Meter::expansions(10), &mut Scratch::new());
            planner.step(StepContext::new(graph, at, graph.goal(), meter, scratch))
        };
        let decision = step(&mut planner, &graph);
        assert_eq!(step(&mut twin, &fresh), decision, "tick {tick}");
        match decision {
            Decision::Go(to) if graph.is_goal(to) => return,
            Decision::Go(to) => at = to,
            Decision::Wait => {}
            Decision::NoPath => panic!("there is a way"),
        }
    }
    panic!("it never arrives");
}

/// The number of the virtual goal is beyond those of the numbered states.
#[test]
fn a_goal_beyond_what_was_met_is_restored() {
    hold_taken_up(|graph| AStar::new(AStarConfig::default(), graph));
    hold_taken_up(|graph| DStarLite::new(KeyFocus::PerEpisode, graph));
    hold_taken_up(|graph| LssLrta::new(LookAhead::EACH_MOVE, Avoid::Nothing, graph));
}
