//! FRIT, compared with a simple model of the published algorithm: one that follows the tree to its end from each node,
//! and searches a list linearly.

use std::collections::{BTreeMap, BTreeSet};

use fleetfoot::planners::Frit;
use fleetfoot::{
    ChangeLog, Cost, Decision, Grid, Meter, NodeId, Planner, Prices, Reset, Scratch, StepContext,
};
use fleetfoot::{Graph, PlannerState};
use fleetfoot_testkit::{Rng, oracle, worlds};

/// FRIT(BFS). The parent of a node is computed once; `None` is stored if there is none.
struct Model {
    parents: BTreeMap<NodeId, Option<NodeId>>,
    goal: NodeId,
}

impl Model {
    fn new(goal: NodeId) -> Self {
        Self { parents: BTreeMap::new(), goal }
    }

    fn parent(&mut self, grid: &Grid, n: NodeId) -> Option<NodeId> {
        let parent = if let Some(stored) = self.parents.get(&n) {
            stored.filter(|&to| grid.cost(n, to).is_finite())
        } else {
            let h = grid.h(n, self.goal);
            grid.succs(n).find(|edge| edge.cost + grid.h(edge.to, self.goal) == h).map(|edge| edge.to)
        };
        self.parents.insert(n, parent);
        parent
    }

    /// Follows the tree to its end. Nodes in `failed` are known not to lead to the goal.
    fn leads_to_goal(&mut self, grid: &Grid, from: NodeId, failed: &mut BTreeSet<NodeId>) -> bool {
        let mut n = from;
        while n != self.goal {
            if failed.contains(&n) {
                return false;
            }
            let parent = self.parent(grid, n);
            failed.insert(n);
            let Some(next) = parent else { return false };
            n = next;
        }
        true
    }

    /// Searches for the nearest node that leads to the goal, and connects the agent's node with it. Among equal costs
    /// the node that was queued last is taken first. Returns `false` if there is no such node.
    fn reconnect(&mut self, grid: &Grid, at: NodeId) -> bool {
        let mut open = vec![(Cost::ZERO, at)];
        let mut best = BTreeMap::from([(at, (Cost::ZERO, at))]);
        let (mut closed, mut failed) = (BTreeSet::new(), BTreeSet::new());
        loop {
            let Some(least) = open.iter().map(|entry| entry.0).min() else { return false };
            let last = open.iter().rposition(|entry| entry.0 == least).expect("the least is there");
            let (g, n) = open.remove(last);
            if closed.contains(&n) || best[&n].0 < g {
                continue;
            }
            if self.leads_to_goal(grid, n, &mut failed) {
                let mut join = n;
                while join != at {
                    let before = best[&join].1;
                    self.parents.insert(before, Some(join));
                    join = before;
                }
                return true;
            }
            closed.insert(n);
            for edge in grid.succs(n) {
                let through = g + edge.cost;
                if best.get(&edge.to).is_none_or(|(known, _)| through < *known) {
                    best.insert(edge.to, (through, n));
                    open.push((through, edge.to));
                }
            }
        }
    }

    /// Returns the next node. `None` if there is no path.
    fn step(&mut self, grid: &Grid, at: NodeId) -> Option<NodeId> {
        if self.parent(grid, at).is_none() && !self.reconnect(grid, at) {
            return None;
        }
        self.parent(grid, at)
    }
}

fn tick(
    planner: &mut Frit,
    grid: &Grid,
    ends: (NodeId, NodeId),
    log: &ChangeLog,
    mut meter: Meter,
) -> Decision {
    planner.step(StepContext::new(grid, ends.0, ends.1, &mut meter, &mut Scratch::new()).with_changes(log))
}

fn random_problem(rng: &mut Rng) -> (Grid, NodeId, NodeId) {
    let (rules, heaviest) = (worlds::all_rules(), if rng.one_in(3) { 3 } else { 1 });
    let (rules, blocked) = (rng.pick(&rules), 15 + rng.below(25) as u32);
    let grid = worlds::random_grid(rng, (18, 15), rules, blocked, heaviest);
    let cells = worlds::free_cells(&grid);
    let (start, goal) = (rng.pick(&cells), rng.pick(&cells));
    (grid, start, goal)
}

/// Several walks to one goal, in which cells close. The stored parents remain between them.
#[test]
fn walks_are_those_of_the_model_while_cells_close() {
    let mut rng = Rng::new(1);
    let (mut arrived, mut blocked) = (0, 0);
    for _ in 0..120 {
        let (mut grid, start, goal) = random_problem(&mut rng);
        let (cells, closes) = (worlds::free_cells(&grid), rng.one_in(2));
        let (mut planner, mut model, mut log) = (Frit::new(&grid), Model::new(goal), ChangeLog::new());
        for _ in 0..3 {
            let mut at = start;
            planner.reset(Reset::KeepLearned);
            for step in 0.. {
                assert!(step < 5_000, "a walk ends");
                let cell = rng.pick(&cells);
                if closes && rng.one_in(6) && ![at, goal, start].contains(&cell) {
                    grid.set(cell, 0, &mut log).expect("a cell of the grid");
                }
                let decision = tick(&mut planner, &grid, (at, goal), &log, Meter::unlimited());
                if at == goal {
                    assert_eq!(decision, Decision::Wait);
                    arrived += 1;
                    break;
                }
                let expected = model.step(&grid, at);
                assert_eq!(decision, expected.map_or(Decision::NoPath, Decision::Go), "at {at}, step {step}");
                let Some(next) = expected else {
                    assert_eq!(oracle::distance(&grid, at, goal), Cost::INF);
                    blocked += 1;
                    break;
                };
                at = next;
            }
        }
    }
    assert!(arrived > 100 && blocked > 10, "{arrived} walks arrived, {blocked} were blocked");
}

/// A small budget spreads a search over several steps. The moves remain the same.
#[test]
fn a_small_budget_delays_moves_and_does_not_change_them() {
    let mut rng = Rng::new(2);
    for _ in 0..60 {
        let (grid, start, goal) = random_problem(&mut rng);
        for budget in [1, 2, 7, 50] {
            let (mut planner, mut model) = (Frit::new(&grid), Model::new(goal));
            let (mut at, mut waits) = (start, 0);
            while at != goal {
                let meter = Meter::priced(budget, Prices::ALL_WORK);
                match tick(&mut planner, &grid, (at, goal), &ChangeLog::new(), meter) {
                    Decision::Wait => waits += 1,
                    decision => {
                        let expected = model.step(&grid, at);
                        assert_eq!(
                            decision,
                            expected.map_or(Decision::NoPath, Decision::Go),
                            "budget {budget}"
                        );
                        let Some(next) = expected else { break };
                        at = next;
                    }
                }
                assert!(waits < 20_000, "it arrives with a budget of {budget}");
            }
        }
    }
}
