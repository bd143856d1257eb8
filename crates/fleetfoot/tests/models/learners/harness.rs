//! Observed agents, alone or next to their model, and worlds for them.

use std::collections::BTreeMap;

use fleetfoot::registry::{BoxedPlanner, PlannerGraph, Spec};
use fleetfoot::{
    Belief, ChangeLog, Cost, Decision, Graph, Grid, Meter, NodeId, Prices, Reset, ReverseGraph, Scratch,
    SearchEvent, SearchProbe, StepContext, Work, WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};

use super::model::{DEAD, Deed, Model};

/// Parses a spec.
pub(crate) fn spec(text: &str) -> Spec {
    text.parse().expect("a valid spec")
}

/// Maps the largest values, which all mean that there is no path, to one.
fn capped(value: Cost) -> Cost {
    if value >= Cost::new(u32::MAX - 2) { DEAD } else { value }
}

/// Records the events of a planner, and all learned values.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) deed: Deed,
    pub(crate) h: BTreeMap<NodeId, Cost>,
}

impl SearchProbe for Watch {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Expand { node, .. } => self.deed.expanded.push(node),
            SearchEvent::Trace { node } => self.deed.traced.push(node),
            SearchEvent::Learn { node, old, new } => {
                let (old, new) = (capped(old), capped(new));
                if old == new {
                    return;
                }
                let known = self.h.insert(node, new);
                assert!(known.is_none_or(|known| known == old), "the value of {node} is another");
                assert!(self.deed.learned.insert(node, (old, new)).is_none(), "{node} learned twice");
            }
            _ => {}
        }
    }
}

/// An observed agent.
pub(crate) struct Agent<G> {
    pub(crate) planner: BoxedPlanner<G>,
    scratch: Scratch,
    pub(crate) at: NodeId,
    pub(crate) goal: NodeId,
    pub(crate) watch: Watch,
    pub(crate) walk: Vec<NodeId>,
    pub(crate) prices: Prices,
}

impl<G: PlannerGraph> Agent<G> {
    pub(crate) fn new(text: &str, graph: &G, (at, goal): (NodeId, NodeId)) -> Self {
        let planner = spec(text).build(graph).expect("it can be built");
        let (scratch, watch) = (Scratch::new(), Watch::default());
        Self { planner, scratch, at, goal, watch, walk: vec![at], prices: Prices::PAPERS }
    }

    pub(crate) fn h(&self, graph: &G, n: NodeId) -> Cost {
        self.watch.h.get(&n).copied().unwrap_or_else(|| graph.h(n, self.goal))
    }

    /// Performs a step, and records its events and its move.
    pub(crate) fn tick(&mut self, graph: &G, log: &ChangeLog, budget: Option<u64>) -> (Decision, Work) {
        let mut meter = budget.map_or_else(Meter::unlimited, |budget| Meter::priced(budget, self.prices));
        self.watch.deed = Deed::default();
        let decision = self.planner.step(
            StepContext::new(graph, self.at, self.goal, &mut meter, &mut self.scratch)
                .with_changes(log)
                .with_probe(&mut self.watch),
        );
        let work = *meter.work();
        assert_eq!(work[WorkKind::Expand], self.watch.deed.expanded.len() as u64);
        if let Some(budget) = budget {
            let one = work[WorkKind::Expand] <= 1;
            assert!(work[WorkKind::Expand] <= budget || one && budget == 0, "more expansions than {budget}");
            assert!(work.priced(&self.prices) <= 10 * budget || one, "more work than {budget}");
        }
        if let Decision::Go(to) = decision {
            assert!(oracle::edge(graph, self.at, to).is_finite(), "no move from {} to {to}", self.at);
            self.at = to;
            self.walk.push(to);
        }
        (decision, work)
    }

    /// Performs steps in a static world until the goal is reached or given up. Returns `None` if that takes too
    /// long.
    pub(crate) fn live(&mut self, graph: &G, budget: Option<u64>, patience: usize) -> Option<Decision> {
        let log = ChangeLog::new();
        for _ in 0..patience {
            if self.at == self.goal {
                return Some(Decision::Wait);
            }
            if self.tick(graph, &log, budget).0 == Decision::NoPath {
                return Some(Decision::NoPath);
            }
        }
        None
    }

    /// Starts another trial; learned values are kept.
    pub(crate) fn begin_again(&mut self, start: NodeId) {
        self.planner.reset(Reset::KeepLearned);
        self.at = start;
        self.walk = vec![start];
    }
}

/// Returns the number of steps after which an agent counts as wandering forever.
pub(crate) fn patience<G: Graph>(graph: &G) -> usize {
    60 * graph.bound() + 4000
}

/// Returns `true` if h must stay consistent for any look-ahead.
pub(crate) fn stays_consistent(spec: &Spec) -> bool {
    match spec.info().key {
        "lrta" => spec.whole_or("reach").map_or(spec.whole("depth") == 1, |times| times == 1),
        "tla" => spec.whole_or("lookahead") == Some(1),
        "lrts" => spec.whole("depth") == 1 && spec.is("gamma", "1"),
        _ => true,
    }
}

/// Checks that h never exceeds the true distance, and is consistent where it must be.
pub(crate) fn hold_sound<G: ReverseGraph>(
    graph: &G,
    goal: NodeId,
    consistent: bool,
    h: impl Fn(NodeId) -> Cost,
) {
    let truth = oracle::distances_to(graph, goal);
    for n in (0..graph.bound()).map(NodeId::from_index) {
        assert!(h(n) <= truth[n.index()], "h is too large at {n}: {} above {}", h(n), truth[n.index()]);
        // Dead ends have the largest finite value.
        if consistent && h(n) < DEAD {
            for edge in graph.succs(n) {
                assert!(h(n) <= edge.cost + h(edge.to), "h is inconsistent from {n} to {}", edge.to);
            }
        }
    }
}

/// A planner and its model.
pub(crate) struct Pair<G> {
    pub(crate) agent: Agent<G>,
    pub(crate) model: Model,
    spec: Spec,
    pub(crate) tick: usize,
}

impl<G: PlannerGraph> Pair<G> {
    pub(crate) fn new(text: &str, graph: &G, ends: (NodeId, NodeId)) -> Self {
        let spec = spec(text);
        Self { agent: Agent::new(text, graph, ends), model: Model::new(&spec), spec, tick: 0 }
    }

    /// Performs a step of both; they must not differ, and learned values must be valid.
    pub(crate) fn tick(&mut self, graph: &G, log: &ChangeLog, budget: Option<u64>) -> Decision {
        let ends = (self.agent.at, self.agent.goal);
        let (decision, _) = self.agent.tick(graph, log, budget);
        let deed = &self.agent.watch.deed;
        let wanted = self.model.step(graph, ends, budget, deed);
        assert_eq!(
            (decision, deed),
            (wanted.0, &wanted.1),
            "{}, tick {} from {} to {}, budget {budget:?}",
            self.spec,
            self.tick,
            ends.0,
            ends.1
        );
        assert!(deed.learned.values().all(|(old, new)| new > old), "h falls");
        if !deed.learned.is_empty() {
            let consistent = stays_consistent(&self.spec);
            hold_sound(graph, ends.1, consistent, |n| self.model.estimate(graph, n));
        }
        self.tick += 1;
        decision
    }

    /// Performs steps until the goal is reached, or correctly given up. Returns `true` if it was reached. Planners
    /// that may loop are stopped after a while.
    pub(crate) fn live(&mut self, graph: &G, budget: Option<u64>) -> bool {
        let log = ChangeLog::new();
        let most = if self.spec.facts().complete { patience(graph) } else { 200 };
        let from = self.tick;
        while self.agent.at != self.agent.goal && self.tick - from < most {
            if self.tick(graph, &log, budget) == Decision::NoPath {
                let left = oracle::distance(graph, self.agent.at, self.agent.goal);
                assert!(!left.is_finite(), "{}: there is a path", self.spec);
                // The next step returns the same.
                assert_eq!(self.tick(graph, &log, budget), Decision::NoPath, "{}", self.spec);
                return false;
            }
        }
        assert!(
            self.agent.at == self.agent.goal || !self.spec.facts().complete,
            "{} never arrives",
            self.spec
        );
        true
    }
}

/// Returns a random spec of any learner.
pub(crate) fn random_spec(rng: &mut Rng) -> String {
    let lookahead = rng.pick(&["1", "2", "4", "10", "50", "budget"]);
    let moves = rng.pick(&["1", "3", "all"]);
    let rule = rng.pick(&["pathmax", "korf-table", "published"]);
    let avoid = rng.pick(&["depressions", "marked"]);
    match rng.below(10) {
        0 => format!("lrta(depth={},rule={rule})", rng.between(1, 5)),
        1 => format!("lrta(reach={},rule={rule})", rng.between(1, 4)),
        2 => format!("tla(lookahead={lookahead})"),
        3 => format!("lss-lrta(lookahead={lookahead},moves={moves})"),
        4 => format!("rtaa(lookahead={lookahead},moves={moves})"),
        5 => format!("da-lss-lrta(lookahead={lookahead},moves={moves},avoid={avoid})"),
        6 => format!("da-rtaa(lookahead={lookahead},moves={moves},avoid={avoid})"),
        7 => format!("lrts(depth={},gamma={})", rng.between(1, 6), rng.pick(&["1", "0.5", "0.2"])),
        8 => format!(
            "lrts(depth={},gamma={},quota={})",
            rng.between(1, 4),
            rng.pick(&["1", "0.7"]),
            rng.pick(&["0", "1", "5", "30"])
        ),
        _ => "lrta(depth=1)".to_string(),
    }
}

/// Returns a budget, often unlimited.
pub(crate) fn random_budget(rng: &mut Rng) -> Option<u64> {
    rng.one_in(3).then(|| u64::from(rng.between(1, 30)))
}

/// Creates a random grid with two free cells.
pub(crate) fn random_problem(rng: &mut Rng, most: u32, heaviest: u8) -> (Grid, (NodeId, NodeId)) {
    loop {
        let rules = rng.pick(&worlds::all_rules());
        let (size, blocked) = ((rng.between(2, most), rng.between(2, most)), rng.between(0, 42));
        let grid = worlds::random_grid(rng, size, rules, blocked, heaviest);
        let cells = worlds::free_cells(&grid);
        if cells.len() > 1 {
            let ends = (rng.pick(&cells), rng.pick(&cells));
            return (grid, ends);
        }
    }
}

/// An unknown world: an agent sees the eight cells around it.
pub(crate) struct Hidden {
    pub(crate) truth: Grid,
    pub(crate) belief: Belief,
}

impl Hidden {
    pub(crate) fn new(map: &Grid, heaviest: u8) -> Self {
        let unknown =
            || Belief::unknown(map.width(), map.height(), map.rules(), 1..=heaviest).expect("a small map");
        let mut all = unknown();
        for y in 0..map.height() {
            for n in (0..map.width()).filter_map(|x| map.node(x, y)) {
                all.reveal(n, map.weight(n)).expect("a weight of the range");
            }
        }
        // With the scale of the belief.
        Self { truth: all.grid().clone(), belief: unknown() }
    }

    pub(crate) fn look(&mut self, at: NodeId) {
        let (x, y) = self.truth.xy(at);
        for v in y.saturating_sub(1)..=y + 1 {
            for n in (x.saturating_sub(1)..=x + 1).filter_map(|u| self.truth.node(u, v)) {
                self.belief.reveal(n, self.truth.weight(n)).expect("a weight of the range");
            }
        }
    }
}
