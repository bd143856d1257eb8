//! PR LRTA* against a simple model: the whole look-ahead by Dijkstra's algorithm, then A* in one region.

use std::collections::BTreeMap;
use std::sync::Arc;

use fleetfoot::planners::{PrLrta, PrLrtaConfig};
use fleetfoot::registry::{BoxedPlanner, Spec};
use fleetfoot::{CliqueAbstraction, Cost, Graph, Grid, NodeId, Planner, Prices, Rules, WorkKind};
use fleetfoot_testkit::{Rng, oracle};
use proptest::prelude::*;

use super::look::Look;
use super::walk::walk;
use super::worlds;

/// The model: the next region, and the values of regions.
struct Model<'a> {
    grid: &'a Grid,
    cliques: CliqueAbstraction,
    config: PrLrtaConfig,
    h: BTreeMap<NodeId, u64>,
}

impl Model<'_> {
    /// Looks ahead from a region, learns, and returns the next region.
    fn next_region(&mut self, root: NodeId, goal: NodeId) -> NodeId {
        let level = self.cliques.level(self.config.level).expect("a level");
        let edges = |n| level.edges(n).collect();
        let h = |n, goal| u64::from(level.h(n, goal).raw());
        let PrLrtaConfig { depth, gamma, .. } = self.config;
        Look { depth, gamma, edges, h, learned: &mut self.h }.next(root, goal)
    }

    /// Returns the cost of the cheapest path from `at` within a region to a cell that `is_end` accepts and that
    /// minimizes cost plus estimate.
    fn leg(&self, at: NodeId, goal: NodeId, inside: NodeId, is_end: impl Fn(NodeId) -> bool) -> Cost {
        let region = |n| self.cliques.node_at_level(n, self.config.level);
        let mut costs = BTreeMap::from([(at, Cost::ZERO)]);
        let mut open = vec![at];
        while let Some(n) = open.pop() {
            if is_end(n) || region(n) != inside {
                continue;
            }
            for edge in self.grid.succs(n) {
                let cost = costs[&n] + edge.cost;
                let is_news = costs.get(&edge.to).is_none_or(|old| cost < *old);
                if is_news && (region(edge.to) == inside || is_end(edge.to)) {
                    costs.insert(edge.to, cost);
                    open.push(edge.to);
                }
            }
        }
        let ends = costs.iter().filter(|(n, _)| is_end(**n));
        ends.map(|(n, cost)| *cost + self.grid.h(*n, goal)).min().expect("there is a way")
    }
}

/// Compares a planner's walk with the model: each episode enters the model's region by a best path.
fn follows_the_model(grid: &Grid, config: PrLrtaConfig, ends: (NodeId, NodeId)) {
    let cliques = CliqueAbstraction::new(grid);
    let mut planner: BoxedPlanner<Grid> = Box::new(PrLrta::new(config, Arc::new(cliques.clone()), grid));
    let walked = walk(grid, &mut planner, ends, None, 100_000).expect("there is a way");
    let level = config.level.min(cliques.level_count());
    let config = PrLrtaConfig { level, ..config };
    let mut model = Model { grid, cliques, config, h: BTreeMap::new() };
    let (goal, mut k) = (ends.1, 0);
    let of = |model: &Model<'_>, n| model.cliques.node_at_level(n, level);
    while walked[k] != goal {
        let at = walked[k];
        let (region, last) = (of(&model, at), of(&model, goal));
        let is_end: Box<dyn Fn(NodeId) -> bool> = if region == last {
            Box::new(|n| n == goal)
        } else {
            let next = model.next_region(region, last);
            let cliques = model.cliques.clone();
            Box::new(move |n| cliques.node_at_level(n, level) == next)
        };
        let mut cost = Cost::ZERO;
        while !is_end(walked[k]) {
            assert_eq!(of(&model, walked[k]), region, "it stays in its region until it is there");
            cost += oracle::edge(grid, walked[k], walked[k + 1]);
            k += 1;
        }
        assert_eq!(cost + grid.h(walked[k], goal), model.leg(at, goal, region, &is_end));
    }
}

fn problem(grid: &Grid, seed: u64) -> Option<(NodeId, NodeId)> {
    let (mut rng, nodes) = (Rng::new(seed), worlds::nodes(grid));
    let tries = (0..40).map(|_| (rng.pick(&nodes), rng.pick(&nodes)));
    tries.into_iter().find(|&(a, b)| a != b && oracle::distance(grid, a, b).is_finite())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_episode_is_the_models(
        kind in 0..4u32, side in 12..30u32, seed: u64, level in 1..5usize, depth in 1..6u32, gamma in 0..3usize,
    ) {
        let grid = worlds::grid(&worlds::map(kind, side, seed), Rules::default());
        let gamma = [200_000, 600_000, 1_000_000][gamma];
        if let Some(ends) = problem(&grid, seed) {
            follows_the_model(&grid, PrLrtaConfig { level, depth, gamma }, ends);
        }
    }

    /// For all budgets and prices the agent walks the same way, and no step exceeds its budget.
    #[test]
    fn any_budget_will_do(kind in 0..4u32, side in 12..40u32, seed: u64, budget in 1..50u64, all_work: bool) {
        let grid = worlds::grid(&worlds::map(kind, side, seed), Rules::default());
        let spec: Spec = "pr-lrta(level=2,depth=3)".parse().expect("a spec");
        if let Some(ends) = problem(&grid, seed) {
            let build = || spec.build(&grid).expect("a planner for grids");
            let prices = if all_work { Prices::ALL_WORK } else { Prices::PAPERS };
            let free = walk(&grid, &mut build(), ends, None, 200_000);
            let bound = walk(&grid, &mut build(), ends, Some((budget, prices)), 2_000_000);
            prop_assert_eq!(free, bound);
        }
    }
}

/// No episode expands more than the proved bound.
#[test]
fn episodes_keep_the_proved_bound() {
    for (seed, level, depth) in [(1, 2, 3), (2, 3, 5), (3, 4, 1)] {
        let grid = worlds::grid(&worlds::map(1, 64, seed), Rules::default());
        let cliques = Arc::new(CliqueAbstraction::new(&grid));
        let most = cliques.most_expansions(level, depth);
        let config = PrLrtaConfig { level, depth: depth as u32, gamma: 1_000_000 };
        let mut planner = PrLrta::new(config, cliques, &grid);
        let (mut at, goal) = problem(&grid, seed).expect("a cave is connected");
        let (mut scratch, log) = (fleetfoot::Scratch::new(), fleetfoot::ChangeLog::new());
        while at != goal {
            let mut meter = fleetfoot::Meter::unlimited();
            let decision = planner.step(
                fleetfoot::StepContext::new(&grid, at, goal, &mut meter, &mut scratch).with_changes(&log),
            );
            assert!(meter.work()[WorkKind::Expand] <= most);
            let fleetfoot::Decision::Go(next) = decision else { panic!("an episode fits an endless step") };
            at = next;
        }
    }
}
