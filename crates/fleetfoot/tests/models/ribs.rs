//! RIBS, compared step by step with a model of its specification, and with its proved properties. The properties of
//! all planners are tested in `conformance.rs`.

mod model;

use std::collections::BTreeSet;

use fleetfoot::planners::{Avoid, LookAhead, Ribs, RibsConfig, Rtaa};
use fleetfoot::{
    Belief, ChangeLog, Cost, CsrBuilder, Decision, Diagonal, Graph, Grid, Heuristic, ImplicitGraph,
    Landmarks, Meter, Neighborhood, NodeId, Planner, PlannerState, Prices, ReverseStateSpace, Rules, Scratch,
    SearchEvent, SearchProbe, StateSpace, StepContext, SymmetricSpace, Undirected, WithHeuristic, WorkKind,
};
use fleetfoot_sim::generate::corner;
use fleetfoot_sim::world::Terrain;
use fleetfoot_testkit::{Rng, oracle, worlds};

use self::model::{Answer, Model};

const EXACT: RibsConfig = RibsConfig { pruning: true, expansions: Some(1), step: 0 };

/// Records expansions with their order and g.
#[derive(Default)]
struct Watch {
    expanded: Vec<(NodeId, Cost)>,
    roots: Vec<NodeId>,
}

impl SearchProbe for Watch {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Expand { node, g, .. } => self.expanded.push((node, g)),
            SearchEvent::Search { root } => self.roots.push(root),
            _ => {}
        }
    }
}

struct Agent<P> {
    planner: P,
    scratch: Scratch,
    at: NodeId,
    goal: NodeId,
    watch: Watch,
    steps: usize,
    cost: Cost,
}

impl<P> Agent<P> {
    fn new(planner: P, (at, goal): (NodeId, NodeId)) -> Self {
        let (scratch, watch) = (Scratch::new(), Watch::default());
        Self { planner, scratch, at, goal, watch, steps: 0, cost: Cost::ZERO }
    }

    fn step<G: Graph>(&mut self, graph: &G, changes: &ChangeLog, mut meter: Meter) -> Decision
    where
        P: Planner<G>,
    {
        let (at, goal, before) = (self.at, self.goal, self.watch.expanded.len());
        let decision = self.planner.step(
            StepContext::new(graph, at, goal, &mut meter, &mut self.scratch)
                .with_changes(changes)
                .with_probe(&mut self.watch),
        );
        assert_eq!(meter.work()[WorkKind::Expand] as usize, self.watch.expanded.len() - before);
        self.steps += 1;
        if let Decision::Go(to) = decision {
            let cost = oracle::edge(graph, at, to);
            assert!(cost.is_finite(), "{at} to {to} is no move");
            (self.at, self.cost) = (to, self.cost + cost);
        }
        decision
    }

    /// Performs steps until the agent has arrived or there is no path. Returns `true` if it has arrived.
    fn walk<G: Graph>(&mut self, graph: &G, most: usize, meter: impl Fn() -> Meter) -> bool
    where
        P: Planner<G>,
    {
        let log = ChangeLog::new();
        for _ in 0..most {
            if self.at == self.goal {
                return true;
            }
            if self.step(graph, &log, meter()) == Decision::NoPath {
                return false;
            }
        }
        panic!("still at {} after {most} steps", self.at)
    }
}

/// Counts the cases of a sweep, so that an empty sweep fails.
#[derive(Debug, Default)]
struct Tally {
    solved: usize,
    unsolvable: usize,
    dead: usize,
    only_redundant: usize,
    revived: usize,
    raises: usize,
}

/// Returns the minimum increase of the limit.
fn least_rise<G: Graph>(graph: &G, config: RibsConfig) -> Cost {
    Cost::new((u64::from(graph.max_edge_cost().raw()) * u64::from(config.step) / 1_000_000) as u32)
}

/// Runs the planner and the model, and compares both with the reference.
fn side_by_side<G: Undirected>(graph: &G, ends: (NodeId, NodeId), config: RibsConfig, tally: &mut Tally) {
    let (start, goal) = ends;
    if start == goal {
        return;
    }
    let from_start = oracle::distances_from(graph, start);
    let step = least_rise(graph, config);
    let mut agent = Agent::new(Ribs::new(config, graph), ends);
    let mut model = Model::new(graph, ends, config.pruning, step);
    let mut expanded = BTreeSet::new();
    // The possible limits: the cost of a best path to a node, then to its neighbor, plus its h.
    let f_values: BTreeSet<Cost> = (0..graph.current_bound())
        .map(NodeId::from_index)
        .flat_map(|s| graph.succs(s).map(move |e| (s, e)))
        .map(|(s, e)| from_start[s.index()] + e.cost + graph.h(e.to, goal))
        .chain([graph.h(start, goal)])
        .collect();
    let log = ChangeLog::new();
    let mut limit = graph.h(start, goal);
    loop {
        let at = agent.at;
        let answer = model.step(graph, at, &expanded);
        let decision = agent.step(graph, &log, Meter::priced(1, Prices::PAPERS));
        let expected = match answer {
            Answer::AtGoal => Decision::Wait,
            Answer::Move(n) => Decision::Go(n),
            Answer::Unsolvable => Decision::NoPath,
        };
        assert_eq!(decision, expected, "{config:?}, {ends:?}, step {} at {at}", agent.steps);
        assert_eq!(agent.planner.limit(), model.limit);
        if answer == Answer::AtGoal {
            break;
        }
        let &(node, g) = agent.watch.expanded.last().expect("a step expands");
        let exact = from_start[node.index()];
        assert_eq!(node, at);
        if step == Cost::ZERO {
            assert_eq!(g, exact, "g of {node} when it is expanded");
            assert!(f_values.contains(&model.limit), "{} is no f", model.limit);
        }
        assert!(g >= exact && model.limit >= limit, "limits do not fall");
        tally.raises += usize::from(model.limit > limit);
        limit = model.limit;
        expanded.insert(node);
        if answer == Answer::Unsolvable {
            break;
        }
    }
    assert_eq!(agent.at == goal, from_start[goal.index()].is_finite(), "{ends:?}");
    for n in (0..graph.current_bound()).map(NodeId::from_index) {
        assert_eq!(agent.planner.g(n), model.g.get(&n).copied().unwrap_or(Cost::INF));
    }
    if agent.at == goal {
        let (g, exact) = (agent.planner.g(goal), from_start[goal.index()]);
        assert!(g == exact || g < exact + step, "{g} on arrival where {exact} is right");
        tally.solved += 1;
    } else {
        tally.unsolvable += 1;
    }
    assert!(step > Cost::ZERO || model.revived == 0, "a better way to a state that had been expanded");
    tally.revived += model.revived;
    tally.dead += model.dead.len();
    tally.only_redundant += model.redundant.difference(&model.dead).count();
}

/// All movement rules on random grids, and random graphs, with and without a heuristic.
fn sweep(config: RibsConfig, tally: &mut Tally) {
    let mut rng = Rng::new(40);
    for rules in worlds::all_rules() {
        let dense = rules.neighborhood == Neighborhood::Eight && rules.diagonal == Diagonal::Sqrt2;
        for k in 0..140 {
            let side = if dense { rng.between(3, 7) } else { rng.between(3, 14) };
            let heaviest = if k % 4 == 0 && !dense { 3 } else { 1 };
            let blocked = rng.between(10, 55);
            let grid = worlds::random_grid(&mut rng, (side, side), rules, blocked, heaviest);
            let free = worlds::free_cells(&grid);
            if !free.is_empty() {
                side_by_side(&grid, (rng.pick(&free), rng.pick(&free)), config, tally);
            }
        }
    }
    for k in 0..120 {
        let (nodes, edges) = (rng.between(2, 40) as usize, rng.between(1, 160) as usize);
        let max_edge_cost = rng.pick(&[1, 2, 3, 9, 1000]);
        let graph = worlds::random_undirected(&mut rng, nodes, edges, k % 3 > 0, max_edge_cost);
        let ends = (NodeId::from_index(rng.below(nodes)), NodeId::from_index(rng.below(nodes)));
        side_by_side(&graph, ends, config, tally);
        let landmarks = Landmarks::farthest(&graph, NodeId::new(0), 2);
        side_by_side(&WithHeuristic::new(graph, landmarks), ends, config, tally);
    }
}

#[test]
fn it_walks_as_specified_and_g_is_optimal_when_first_expanded() {
    let mut tally = Tally::default();
    sweep(EXACT, &mut tally);
    assert!(tally.solved > 500 && tally.unsolvable > 60, "{tally:?}");
    assert!(tally.dead > 1000 && tally.only_redundant > 500 && tally.raises > 1000, "{tally:?}");
}

#[test]
fn without_pruning_too() {
    let mut tally = Tally::default();
    sweep(RibsConfig { pruning: false, ..EXACT }, &mut tally);
    assert!(tally.solved > 500 && tally.unsolvable > 60 && tally.dead + tally.only_redundant == 0);
}

#[test]
fn with_a_step_it_still_arrives_and_g_is_too_large_by_less() {
    let mut tally = Tally::default();
    for (step, pruning) in [(250_000, true), (1_000_000, true), (1_000_000, false)] {
        sweep(RibsConfig { step, pruning, ..EXACT }, &mut tally);
    }
    // Only then do expanded nodes get a better g.
    assert!(tally.revived > 100, "{}", tally.revived);
}

#[test]
fn with_the_largest_step_there_are_fewer_limits() {
    let iterations = |step| {
        let grid = worlds::random_grid(&mut Rng::new(7), (60, 60), Rules::default(), 25, 1);
        let free = worlds::free_cells(&grid);
        let ends = (free[0], free[free.len() - 1]);
        let mut agent = Agent::new(Ribs::new(RibsConfig { step, ..EXACT }, &grid), ends);
        assert!(agent.walk(&grid, 10_000_000, || Meter::priced(1, Prices::PAPERS)));
        let iterations = agent.planner.stats().searches;
        println!("step {step}: {iterations} iterations, {} steps", agent.steps);
        (iterations, agent.steps)
    };
    let (exact, coarse) = (iterations(0), iterations(1_000_000));
    assert!(5 * coarse.0 < exact.0 && 2 * coarse.1 < exact.1, "{exact:?} and {coarse:?}");
}

/// The agent follows a virtual one. For any budget the virtual agent walks the same tree, and both arrive.
#[test]
fn the_virtual_agent_walks_alike_and_the_agent_arrives() {
    let mut rng = Rng::new(41);
    let (mut arrived, mut lagged) = (0, false);
    for k in 0..200 {
        let rules = worlds::all_rules()[[0, 2, 3, 5, 6][k % 5]];
        let grid = worlds::random_grid(&mut rng, (12, 12), rules, 30, 1);
        let free = worlds::free_cells(&grid);
        let ends = (rng.pick(&free), rng.pick(&free));
        let shortest = oracle::distance(&grid, ends.0, ends.1);
        for pruning in [true, false] {
            let config = RibsConfig { pruning, ..EXACT };
            let mut alone = Agent::new(Ribs::new(config, &grid), ends);
            let there = alone.walk(&grid, 100_000, || Meter::priced(1, Prices::PAPERS));
            for expansions in [Some(2), Some(3), Some(20), None] {
                let config = RibsConfig { expansions, ..config };
                let budget = u64::from(rng.between(1, 30));
                let mut agent = Agent::new(Ribs::new(config, &grid), ends);
                assert_eq!(agent.walk(&grid, 100_000, || Meter::priced(budget, Prices::PAPERS)), there);
                assert_eq!(agent.watch.expanded, alone.watch.expanded, "{expansions:?} under {budget}");
                // After the goal was found, at most the lengths of both paths are left to walk.
                let rate = expansions.unwrap_or(u64::MAX).min(budget) as usize;
                let searching = agent.watch.expanded.len().div_ceil(rate);
                assert!(agent.steps <= searching + 2 * free.len());
                lagged |= there && agent.steps > searching + 3;
                let mut free_agent =
                    Agent::new(Ribs::new(RibsConfig { expansions: None, ..config }, &grid), ends);
                assert_eq!(free_agent.walk(&grid, 10_000, Meter::unlimited), there);
                assert!(!there || free_agent.cost == shortest, "without a limit it walks a shortest path");
            }
            arrived += usize::from(there);
        }
    }
    assert!(arrived > 150 && lagged, "{arrived}");
}

/// An agent that is moved restarts at its position.
#[test]
fn not_where_it_was_sent_it_starts_afresh_there() {
    let grid = Grid::new(9, 9, Rules { diagonal: Diagonal::D14, ..Rules::default() }, |x, y| {
        u8::from(!(x == 4 && y > 0))
    });
    let grid = grid.expect("a valid grid");
    let cell = |x, y| grid.node(x, y).expect("a cell");
    let mut agent = Agent::new(Ribs::new(EXACT, &grid), (cell(0, 8), cell(8, 8)));
    for _ in 0..9 {
        agent.step(&grid, &ChangeLog::new(), Meter::priced(1, Prices::PAPERS));
    }
    agent.at = cell(1, 1);
    assert!(agent.walk(&grid, 10_000, || Meter::priced(1, Prices::PAPERS)));
    assert_eq!(agent.watch.roots, [cell(0, 8), cell(1, 1)]);
    assert_eq!(agent.planner.g(cell(8, 8)), oracle::distance(&grid, cell(1, 1), cell(8, 8)));
    agent.goal = cell(0, 0);
    assert!(agent.walk(&grid, 10_000, || Meter::priced(1, Prices::PAPERS)));
    assert_eq!(agent.watch.roots[2..], [cell(8, 8)]);
}

/// If all neighbors are observed before they are expanded, discoveries are ahead of the search: it is never
/// discarded, whether everything is hidden or only a part. The walk is that of the known world.
#[test]
fn discoveries_do_not_disturb_it() {
    let mut rng = Rng::new(42);
    let mut discovered = 0;
    for k in 0..140 {
        let rules = worlds::all_rules()[[0, 2, 3, 5, 6][k % 5]];
        let truth = worlds::random_grid(&mut rng, (12, 12), rules, 35, 1 + (k % 3) as u8);
        let free = worlds::free_cells(&truth);
        let ends = (rng.pick(&free), rng.pick(&free));
        let hidden = [100, 40][k % 2];
        let mut belief =
            Belief::partial(&truth, 1..=3, |_, _| rng.below(100) < hidden).expect("valid weights");
        let mut agent = Agent::new(Ribs::new(EXACT, belief.grid()), ends);
        let known = Grid::clone(&truth).with_weights(1, 3).expect("valid weights");
        let mut told = Agent::new(Ribs::new(EXACT, &known), ends);
        while agent.at != agent.goal {
            let (x, y) = truth.xy(agent.at);
            let around = (y.saturating_sub(1)..=y + 1)
                .flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)))
                .filter(|&(a, b)| rules.neighborhood == Neighborhood::Eight || a == x || b == y);
            for n in around.filter_map(|(x, y)| truth.node(x, y)) {
                discovered += usize::from(belief.reveal(n, truth.weight(n)).expect("a valid weight"));
            }
            let decision = agent.step(belief.grid(), belief.log(), Meter::priced(1, Prices::PAPERS));
            assert_eq!(decision, told.step(&known, &ChangeLog::new(), Meter::priced(1, Prices::PAPERS)));
            if decision == Decision::NoPath {
                assert!(!oracle::distance(&truth, agent.at, agent.goal).is_finite());
                break;
            }
        }
        assert!(agent.watch.roots.len() <= 1, "{:?}", agent.watch.roots);
    }
    assert!(discovered > 1000, "{discovered}");
}

/// It guarantees nothing if costs change, but makes no illegal move ([`Agent::step`] checks that), proves nothing
/// false, and arrives once the world is static.
#[test]
fn changes_make_it_start_afresh() {
    let mut rng = Rng::new(43);
    let mut restarts = 0;
    for k in 0..80 {
        let rules = worlds::all_rules()[[0, 2, 3, 5, 6][k % 5]];
        let mut grid = worlds::random_grid(&mut rng, (12, 12), rules, 30, 3);
        let free = worlds::free_cells(&grid);
        let ends = (rng.pick(&free), rng.pick(&free));
        let config =
            RibsConfig { expansions: [Some(1), Some(4), None][k % 3], step: [0, 1_000_000][k % 2], ..EXACT };
        let mut agent = Agent::new(Ribs::new(config, &grid), ends);
        let mut log = ChangeLog::with_capacity([4, 1 << 16][k / 2 % 2]);
        for _ in 0..200 {
            let n = rng.pick(&free);
            if rng.one_in(12) && n != agent.at && n != agent.goal {
                grid.set(n, rng.between(0, 3) as u8, &mut log).expect("a valid weight");
            }
            let budget = u64::from(rng.between(1, 9));
            if agent.step(&grid, &log, Meter::priced(budget, Prices::PAPERS)) == Decision::NoPath {
                assert!(!oracle::distance(&grid, agent.at, agent.goal).is_finite());
            }
        }
        restarts += agent.watch.roots.len();
        let reachable = oracle::distance(&grid, agent.at, agent.goal).is_finite();
        let mut quiet = 0;
        while agent.at != agent.goal
            && agent.step(&grid, &log, Meter::priced(9, Prices::PAPERS)) != Decision::NoPath
        {
            quiet += 1;
            assert!(quiet < 100_000, "it never gets there");
        }
        assert_eq!(agent.at == agent.goal, reachable);
    }
    assert!(restarts > 200, "{restarts}");
}

/// A small board with a hole. Each neighbor is reported `TIMES` times at the same cost.
#[derive(Clone, Copy, Debug)]
struct Board<const TIMES: usize>;

const SIDE: u32 = 9;

impl<const TIMES: usize> StateSpace for Board<TIMES> {
    type State = (u32, u32);

    fn succs(&self, &(x, y): &(u32, u32), out: &mut impl FnMut((u32, u32), Cost)) {
        let around = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
        for (x, y) in
            around.into_iter().filter(|&(x, y)| x < SIDE && y < SIDE && !(x == 6 && (2..7).contains(&y)))
        {
            (0..TIMES).for_each(|_| out((x, y), Cost::new(1)));
        }
    }

    fn h(&self, a: &(u32, u32), b: &(u32, u32)) -> Cost {
        Cost::new(a.0.abs_diff(b.0) + a.1.abs_diff(b.1))
    }

    fn max_edge_cost(&self) -> Cost {
        Cost::new(1)
    }

    fn max_degree(&self) -> usize {
        4 * TIMES
    }
}

impl<const TIMES: usize> ReverseStateSpace for Board<TIMES> {
    fn preds(&self, state: &(u32, u32), out: &mut impl FnMut((u32, u32), Cost)) {
        self.succs(state, out);
    }
}

impl<const TIMES: usize> SymmetricSpace for Board<TIMES> {}

/// A parent with two edges to a node is one parent.
#[test]
fn parallel_edges_make_no_difference() {
    fn walk<const TIMES: usize>() -> Vec<(NodeId, Cost)> {
        let graph = ImplicitGraph::new(Board::<TIMES>, 100);
        let [start, goal] = [(0, 4), (8, 4)].map(|cell| graph.intern(cell).expect("there is room"));
        side_by_side(&graph, (start, goal), EXACT, &mut Tally::default());
        let mut agent = Agent::new(Ribs::new(EXACT, &graph), (start, goal));
        assert!(agent.walk(&graph, 10_000, || Meter::priced(1, Prices::PAPERS)));
        agent.watch.expanded
    }
    assert!(walk::<1>().len() > 50);
    assert_eq!(walk::<1>(), walk::<2>());
    assert_eq!(walk::<1>(), walk::<3>());
}

/// A heuristic given as a table.
struct Told(&'static [u32]);

impl<G: Graph> Heuristic<G> for Told {
    fn h(&self, _: &G, a: NodeId, _: NodeId) -> Cost {
        Cost::new(self.0[a.index()])
    }
}

/// The smallest f beyond a limit may be outdated: here that of node 3 over its expensive edge, 5, before the cheap
/// path was found. When it becomes the limit, everything within it is dead, and the agent must go on to the next
/// limit.
#[test]
fn a_limit_without_states_is_skipped() {
    // The start is 0, the goal 5; 1, 2 and 3 are a promising dead end.
    let edges = [(0, 1, 1), (1, 3, 3), (1, 2, 1), (2, 3, 1), (0, 4, 10), (4, 5, 10)];
    let mut builder = CsrBuilder::new(6);
    for (a, b, cost) in edges {
        builder.undirected_edge(NodeId::new(a), NodeId::new(b), Cost::new(cost));
    }
    let graph = builder.build().expect("a valid graph").into_undirected().expect("every edge has its twin");
    let graph = WithHeuristic::new(graph, Told(&[4, 3, 2, 1, 4, 0]));
    let ends = (NodeId::new(0), NodeId::new(5));
    let mut tally = Tally::default();
    side_by_side(&graph, ends, EXACT, &mut tally);
    assert_eq!((tally.solved, tally.dead), (1, 3));
    let mut agent = Agent::new(Ribs::new(EXACT, &graph), ends);
    assert!(agent.walk(&graph, 100, || Meter::priced(1, Prices::PAPERS)));
    let walked: Vec<u32> = agent.watch.expanded.iter().map(|(n, _)| n.raw()).collect();
    assert_eq!(walked, [0, 1, 2, 3, 2, 1, 0, 4, 0, 4], "limits of 4, then 14 past 5, then 20");
}

/// Figure 15 of the chapter: in a corner-shaped depression, the expansions of RIBS grow linearly with the number of
/// nodes, those of LRTA* (RTAA* with a look-ahead of one) with its power of 1.5. They cross near 1,500 nodes.
#[test]
fn it_overtakes_lrta_in_large_depressions() {
    let expansions = |side: u32| {
        let made = corner::generate(side).expect("a valid size");
        let rules = Rules { diagonal: Diagonal::D14, ..Rules::default() };
        let grid = Terrain::default().grid(&made.map, rules).expect("a valid map");
        let ends = (grid.node(0, 0).expect("a cell"), grid.node(side - 1, side - 1).expect("a cell"));
        let mut ribs = Agent::new(Ribs::new(EXACT, &grid), ends);
        let ahead = LookAhead { expansions: Some(1), moves: None };
        let mut lrta = Agent::new(Rtaa::new(ahead, Avoid::Nothing, &grid), ends);
        assert!(ribs.walk(&grid, 10_000_000, || Meter::priced(1, Prices::PAPERS)));
        assert!(lrta.walk(&grid, 10_000_000, || Meter::priced(1, Prices::PAPERS)));
        let counts = [ribs.watch.expanded.len(), lrta.watch.expanded.len()];
        println!(
            "{side}: {} states, RIBS {}, LRTA* {}",
            worlds::free_cells(&grid).len(),
            counts[0],
            counts[1]
        );
        counts.map(|n| n as f64)
    };
    let [small, large, larger] = [24, 54, 108].map(expansions);
    assert!(small[0] > 1.3 * small[1] && large[0] < 0.8 * large[1], "{small:?}, {large:?}");
    // Twice the side is four times the nodes: slopes of about 1 and 1.5.
    let slope = |k: usize| (larger[k] / large[k]).log(4.0);
    assert!((0.9..1.2).contains(&slope(0)) && (1.4..1.6).contains(&slope(1)), "{} {}", slope(0), slope(1));
}
