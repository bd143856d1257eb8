//! A simple model of the agent-centered learners: lists that are searched linearly, and values found by relaxing
//! every edge until nothing changes. Uses only graphs and costs of the library.
//!
//! The model runs step by step with the planner. Where the publication does not determine which of several equally
//! cheap paths is used, it adopts the planner's path after checking that it is one of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fleetfoot::registry::Spec;
use fleetfoot::{Cost, Decision, Edge, Graph, NodeId};

use super::look::{Ball, Look, brute_force, route_along, tight_parents};

/// What a step did: as observed, or as the model predicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deed {
    /// The expanded nodes, in order.
    pub(crate) expanded: Vec<NodeId>,
    /// The values that changed.
    pub(crate) learned: BTreeMap<NodeId, (Cost, Cost)>,
    /// The nodes of the new route, from the target's parent back to the agent.
    pub(crate) traced: Vec<NodeId>,
}

/// The value of a dead end.
pub(crate) const DEAD: Cost = Cost::new(u32::MAX - 1);

/// Learned values.
type Table = BTreeMap<NodeId, Cost>;

/// One agent.
#[derive(Clone)]
pub(crate) struct Model {
    spec: Spec,
    /// Learned values for the current goal.
    pub(crate) h: Table,
    /// Learned values for other goals, latest first.
    others: Vec<(NodeId, Table)>,
    goal: NodeId,
    expected: NodeId,
    /// The edges of the route with their costs, and the number of moves allowed.
    route: Vec<Edge>,
    moves: u64,
    /// For LRTS: the amount learned since the start, up to the quota, and the segments walked, each with its first
    /// and last node.
    quota_used: u64,
    stretches: Vec<Vec<NodeId>>,
    /// Number of decisions, and of backtracking moves.
    pub(crate) plans: usize,
    pub(crate) turns: usize,
}

impl Model {
    pub(crate) fn new(spec: &Spec) -> Self {
        Self {
            spec: spec.clone(),
            h: Table::new(),
            others: Vec::new(),
            goal: NodeId::NONE,
            expected: NodeId::NONE,
            route: Vec::new(),
            moves: 0,
            quota_used: 0,
            stretches: Vec::new(),
            plans: 0,
            turns: 0,
        }
    }

    /// Starts another trial; learned values are kept.
    pub(crate) fn begin_again(&mut self) {
        self.route.clear();
        self.lose_way();
    }

    fn lose_way(&mut self) {
        self.quota_used = 0;
        self.stretches.clear();
    }

    pub(crate) fn estimate(&self, graph: &impl Graph, n: NodeId) -> Cost {
        self.h.get(&n).copied().unwrap_or_else(|| graph.h(n, self.goal))
    }

    fn turn_to(&mut self, goal: NodeId) {
        self.begin_again();
        self.others.insert(0, (self.goal, std::mem::take(&mut self.h)));
        if let Some(k) = self.others.iter().position(|(other, _)| *other == goal) {
            self.h = self.others.remove(k).1;
        }
        let goals = if self.spec.info().key == "lrta" { self.spec.whole("goals") as usize } else { 1 };
        self.others.truncate(goals - 1);
        self.goal = goal;
    }

    /// Performs a step of which the planner has made `seen`, and returns what it should have been.
    pub(crate) fn step(
        &mut self,
        graph: &impl Graph,
        (at, goal): (NodeId, NodeId),
        budget: Option<u64>,
        seen: &Deed,
    ) -> (Decision, Deed) {
        if goal != self.goal {
            self.turn_to(goal);
        }
        if at != self.expected {
            self.begin_again();
        }
        let mut from = at;
        let dearer = self.route.iter().any(|edge| {
            let tail = std::mem::replace(&mut from, edge.to);
            graph.cost(tail, edge.to) > edge.cost
        });
        if dearer || self.moves == 0 {
            self.route.clear();
        }
        let mut deed = Deed::default();
        let decision = if at == goal {
            Decision::Wait
        } else if self.route.is_empty() {
            self.plans += 1;
            let decision = self.plan(graph, at, budget.unwrap_or(u64::MAX), seen, &mut deed);
            self.h.extend(deed.learned.iter().map(|(n, (_, new))| (*n, *new)));
            decision
        } else {
            Decision::Go(NodeId::NONE)
        };
        let decision = match decision {
            Decision::Go(_) if !self.route.is_empty() => {
                self.moves -= 1;
                Decision::Go(self.route.remove(0).to)
            }
            other => other,
        };
        self.expected = if let Decision::Go(to) = decision { to } else { at };
        (decision, deed)
    }

    fn plan(
        &mut self,
        graph: &impl Graph,
        at: NodeId,
        budget: u64,
        seen: &Deed,
        deed: &mut Deed,
    ) -> Decision {
        match self.spec.info().key {
            "lrta" => self.plan_lrta(graph, at, budget, seen, deed),
            "lrts" => self.plan_lrts(graph, at, budget, seen, deed),
            _ => self.plan_by_astar(graph, at, budget, deed),
        }
    }

    /// Records a value if it has changed.
    fn learn(&self, graph: &impl Graph, n: NodeId, value: Cost, deed: &mut Deed) {
        let old = self.estimate(graph, n);
        let value = if value >= Cost::new(u32::MAX - 2) { DEAD } else { value };
        if value != old {
            assert!(value > old, "the description lowers the value of {n} from {old} to {value}");
            deed.learned.insert(n, (old, value));
        }
    }

    fn is_hopeless(&self, graph: &impl Graph, n: NodeId, deed: &Deed) -> bool {
        let value = deed.learned.get(&n).map_or_else(|| self.estimate(graph, n), |(_, new)| *new);
        u64::from(value.raw()) >= graph.bound() as u64 * u64::from(graph.max_edge_cost().raw())
    }

    /// Plans for TLA*, LSS-LRTA*, RTAA*, and depression avoidance.
    fn plan_by_astar(&mut self, graph: &impl Graph, at: NodeId, budget: u64, deed: &mut Deed) -> Decision {
        let (key, goal) = (self.spec.info().key, self.goal);
        let most = self.spec.whole_or("lookahead").unwrap_or(u64::MAX).min(budget);
        let h = |n| self.estimate(graph, n);
        let look = Look::run(at, |n| graph.succs(n), h, |n, _| n == goal, most);
        deed.expanded.clone_from(&look.closed);
        let Some(best) = look.top() else { return Decision::NoPath };
        let known = |n: NodeId| look.known[&n];
        let rank = |n: NodeId| (known(n).f, Reverse(known(n).g), known(n).put);
        let raised = |n: NodeId| h(n).saturating_sub(graph.h(n, goal));
        let target = match (key, best == goal) {
            ("da-lss-lrta" | "da-rtaa", false) => {
                let marks = self.spec.is("avoid", "marked");
                let delta = |n| if marks { Cost::new(u32::from(raised(n) > Cost::ZERO)) } else { raised(n) };
                let all = look.open.iter().copied();
                all.min_by_key(|&n| (delta(n), rank(n))).unwrap_or(best)
            }
            _ => best,
        };
        let lesson: Vec<(NodeId, Cost)> = match key {
            "tla" => vec![(at, known(best).f.max(h(at)))],
            "rtaa" | "da-rtaa" => look
                .closed
                .iter()
                .map(|&x| (x, (known(best).g + h(best)).saturating_sub(known(x).g)))
                .collect(),
            _ => brute_force(graph, &look, h).into_iter().collect(),
        };
        for (x, value) in lesson {
            self.learn(graph, x, value, deed);
        }
        // The path is traced before LSS-LRTA* learns, and after the others have learned.
        let hopeless = self.is_hopeless(graph, at, deed);
        if !hopeless || key.ends_with("lss-lrta") {
            let (mut route, mut n) = (Vec::new(), target);
            while known(n).parent.is_some() {
                let parent = known(n).parent;
                route.insert(0, Edge { to: n, cost: known(n).g.saturating_sub(known(parent).g) });
                deed.traced.push(parent);
                n = parent;
            }
            self.route = route;
        }
        if hopeless {
            self.route.clear();
            return Decision::NoPath;
        }
        self.moves = if key == "tla" { 1 } else { self.spec.whole_or("moves").unwrap_or(u64::MAX) };
        Decision::Go(target)
    }

    fn ball(&self, graph: &impl Graph, root: NodeId, reach: (bool, u64), most: u64) -> Ball {
        Ball::around(graph, (root, self.goal), reach, most)
    }

    fn plan_lrta(
        &mut self,
        graph: &impl Graph,
        at: NodeId,
        budget: u64,
        seen: &Deed,
        deed: &mut Deed,
    ) -> Decision {
        let (by_cost, limit) = match self.spec.whole_or("reach") {
            Some(times) => (true, times),
            None => (false, self.spec.whole("depth")),
        };
        let h = |n| self.estimate(graph, n);
        if limit == 1 || self.spec.is("rule", "korf-table") {
            deed.expanded.push(at);
            let mut best: Option<(Cost, Edge)> = None;
            for edge in graph.succs(at).filter(|edge| edge.to != at) {
                let mut below = h(edge.to);
                let left = budget - deed.expanded.len() as u64;
                if limit > 1 && edge.to != self.goal && !self.h.contains_key(&edge.to) && left > 0 {
                    let ball = self.ball(graph, edge.to, (by_cost, limit - 1), left);
                    below = ball.frontier.iter().map(|x| ball.g[x] + h(*x)).min().unwrap_or(Cost::INF);
                    deed.expanded.extend(ball.look.closed);
                }
                let value = edge.cost + below;
                let better =
                    |(least, to): (Cost, Edge)| value < least || value == least && edge.cost > to.cost;
                if best.is_none_or(better) {
                    best = Some((value, edge));
                }
            }
            let Some((value, edge)) = best else { return Decision::NoPath };
            self.learn(graph, at, value.max(h(at)), deed);
            let hopeless = self.is_hopeless(graph, at, deed);
            return if hopeless { Decision::NoPath } else { Decision::Go(edge.to) };
        }
        let ball = self.ball(graph, at, (by_cost, limit), budget);
        deed.expanded.clone_from(&ball.look.closed);
        let (value, way) = self.judge_frontier(graph, at, &ball, seen);
        self.learn(graph, at, value.max(h(at)), deed);
        let Some(way) = way else { return Decision::NoPath };
        if self.is_hopeless(graph, at, deed) {
            return Decision::NoPath;
        }
        deed.traced.extend(way.iter().rev().skip(1));
        (self.route, self.moves) = (route_along(&way, &ball.g), 1);
        Decision::Go(NodeId::NONE)
    }

    /// Returns LRTA*'s choice: the value, and the path from the agent to its node.
    ///
    /// The publication does not determine which of several cheapest paths is used, and thus the maximum of g + h on
    /// it.
    fn judge_frontier(
        &self,
        graph: &impl Graph,
        at: NodeId,
        ball: &Ball,
        seen: &Deed,
    ) -> (Cost, Option<Vec<NodeId>>) {
        let f = |n: NodeId| ball.g[&n] + self.estimate(graph, n);
        // The minimum and maximum peak over the cheapest paths to each node.
        let mut peaks: BTreeMap<NodeId, (Cost, Cost)> = BTreeMap::from([(at, (Cost::ZERO, Cost::ZERO))]);
        let pathmax = self.spec.is("rule", "pathmax");
        let mut nodes: Vec<NodeId> = ball.g.keys().copied().filter(|&n| n != at).collect();
        nodes.sort_by_key(|n| ball.g[n]);
        for n in nodes {
            let above = tight_parents(graph, ball, n).into_iter().map(|p| peaks[&p]).collect::<Vec<_>>();
            let least = above.iter().map(|peak| peak.0).min().expect("it was reached");
            let most = above.iter().map(|peak| peak.1).max().expect("it was reached");
            peaks.insert(n, if pathmax { (least.max(f(n)), most.max(f(n))) } else { (f(n), f(n)) });
        }
        let put = |x: &NodeId| ball.look.known.get(x).map_or(0, |known| 1 + known.put);
        let rank = |x: &NodeId| (Reverse(ball.g[x]), *x != self.goal, put(x));
        let Some(upper) = ball.frontier.iter().map(|x| peaks[x].1).min() else { return (Cost::INF, None) };
        // The nodes to which the planner's path can lead.
        let to = |x: NodeId| -> Option<(Cost, Vec<NodeId>)> {
            let way: Vec<NodeId> = seen.traced.iter().rev().copied().chain([x]).collect();
            let is_tight = |pair: &[NodeId]| tight_parents(graph, ball, pair[1]).contains(&pair[0]);
            let is_way = way.len() > 1 && way[0] == at && way.windows(2).all(is_tight);
            let peak = way[1..].iter().map(|n| f(*n)).max()?;
            is_way.then_some((if pathmax { peak } else { f(x) }, way))
        };
        let mut fitting = None;
        for &x in &ball.frontier {
            let Some((peak, way)) = to(x) else { continue };
            // No node is certainly better, and none is certainly equal and earlier.
            let is_beaten = |y: &NodeId| {
                let (_, most) = peaks[y];
                most < peak || *y != x && most == peak && rank(y) < rank(&x)
            };
            let told = seen.learned.get(&at).is_none_or(|(_, new)| *new == peak);
            if told && !ball.frontier.iter().any(is_beaten) {
                fitting = Some((peak, way));
            }
        }
        // Without a path, or with a wrong one, there must have been no hope, or the comparison fails.
        fitting.map_or((upper, Some(vec![at, NodeId::NONE])), |(peak, way)| (peak, Some(way)))
    }

    fn plan_lrts(
        &mut self,
        graph: &impl Graph,
        at: NodeId,
        budget: u64,
        seen: &Deed,
        deed: &mut Deed,
    ) -> Decision {
        // Short of the end of the last segment, if the route was cleared.
        if let Some(stretch) = self.stretches.last_mut() {
            let here = stretch.iter().rposition(|&n| n == at).expect("the agent is on its path");
            stretch.truncate(here + 1);
        }
        let ball = self.ball(graph, at, (false, self.spec.whole("depth")), budget);
        deed.expanded.clone_from(&ball.look.closed);
        let value = |n: NodeId| {
            let paid =
                (u64::from(ball.g[&n].raw()) * u64::from(self.spec.share("gamma"))).div_ceil(1_000_000);
            Cost::new(paid as u32) + self.estimate(graph, n)
        };
        // The completely expanded levels, and the frontier. The goal belongs to all of them.
        let depth = |n: &NodeId| ball.look.known[n].g;
        let complete = |level: u32| ball.look.open.iter().all(|x| depth(x) > Cost::new(level));
        let mut new = Cost::ZERO;
        for level in (1..self.spec.whole("depth") as u32).take_while(|&level| complete(level)) {
            let states = ball.look.closed.iter().filter(|x| depth(x) == Cost::new(level));
            if let Some(least) = states.map(|x| value(*x)).min()
                && ball.look.known.values().any(|known| known.g > Cost::new(level))
            {
                new = new.max(least);
            }
        }
        let open = || ball.look.open.iter().copied();
        new = new.max(open().map(value).min().unwrap_or(Cost::INF));
        let in_sight = ball.g.contains_key(&self.goal);
        if in_sight {
            new = new.min(value(self.goal));
        }
        let put = |n: &NodeId| ball.look.known.get(n).map_or((Cost::ZERO, 0), |known| (known.g, known.put));
        let rank = |n: &NodeId| (value(*n), Reverse(ball.g[n]), *n != self.goal, put(n));
        let target = ball.frontier.iter().copied().min_by_key(rank);
        let old = self.estimate(graph, at);
        let new = new.max(old);
        self.learn(graph, at, new, deed);
        let Some(target) = target else { return Decision::NoPath };
        if self.is_hopeless(graph, at, deed) {
            return Decision::NoPath;
        }
        if let Some(quota) = self.spec.whole_or("quota") {
            let quota = quota * u64::from(graph.max_edge_cost().raw());
            self.quota_used += u64::from(new.saturating_sub(old).raw());
            if self.quota_used > quota {
                self.quota_used = quota;
                if let Some(mut back) = self.stretches.pop() {
                    back.reverse();
                    let costs = back.windows(2).map(|pair| graph.cost(pair[0], pair[1])).collect::<Vec<_>>();
                    if costs.iter().all(|cost| cost.is_finite()) {
                        self.turns += 1;
                        let edges = back[1..].iter().zip(costs).map(|(&to, cost)| Edge { to, cost });
                        (self.route, self.moves) = (edges.collect(), u64::MAX);
                        return Decision::Go(NodeId::NONE);
                    }
                    self.stretches.clear();
                }
            }
        }
        let way: Vec<NodeId> = seen.traced.iter().rev().copied().chain([target]).collect();
        let is_tight = |pair: &[NodeId]| tight_parents(graph, &ball, pair[1]).contains(&pair[0]);
        if way.len() < 2 || way[0] != at || !way.windows(2).all(is_tight) {
            // Not a cheapest path to the target: the comparison fails.
            return Decision::Wait;
        }
        deed.traced.clone_from(&seen.traced);
        (self.route, self.moves) = (route_along(&way, &ball.g), u64::MAX);
        self.stretches.push(way);
        Decision::Go(target)
    }
}
