//! Runs an agent and checks every step: budgets, legality of moves, and proofs against the oracle.

use fleetfoot::registry::{BoxedPlanner, Facts};
use fleetfoot::{
    ChangeLog, Cost, Decision, Meter, NodeId, Prices, Scratch, SearchEvent, SearchProbe, StepContext, Work,
    WorkKind,
};

use super::calls;
use crate::{Rng, World, oracle};

/// A sequence of budgets.
#[derive(Clone, Debug)]
pub enum BudgetSequence {
    /// A constant budget.
    Every(u64),
    /// No limit.
    Endless,
    /// From 1 to 40, and sometimes much larger.
    Varying(Rng),
}

impl BudgetSequence {
    /// Returns the budget of the next step. `None` if there is no limit.
    pub fn budget(&mut self) -> Option<u64> {
        match self {
            Self::Every(budget) => Some(*budget),
            Self::Endless => None,
            Self::Varying(rng) => {
                let (least, most) = if rng.one_in(10) { (100, 1000) } else { (1, 40) };
                Some(u64::from(rng.between(least, most)))
            }
        }
    }
}

/// Records the events of a step.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// The expanded nodes of the whole walk, in order.
    pub expanded: Vec<NodeId>,
    /// The values learned in this step: node, before, after.
    pub learned: Vec<(NodeId, Cost, Cost)>,
}

impl SearchProbe for Watch {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Expand { node, .. } => self.expanded.push(node),
            SearchEvent::Learn { node, old, new } => self.learned.push((node, old, new)),
            _ => {}
        }
    }
}

/// The record of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The agent's position.
    pub at: NodeId,
    /// The planner's decision.
    pub decision: Decision,
    /// The work of the step.
    pub work: Work,
}

/// Returns `true` if two steps are equal except for allocated pages: a restored planner holds the pages it needs
/// now, not those that the original once needed.
pub fn same_but_pages(a: &Record, b: &Record) -> bool {
    let pageless = |record: &Record| {
        let mut record = *record;
        record.work[WorkKind::Page] = 0;
        record
    };
    pageless(a) == pageless(b)
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Arrived,
    NoPath,
}

/// An agent, its planner, and its record.
pub(super) struct Life {
    pub(super) planner: BoxedPlanner<World>,
    pub(super) scratch: Scratch,
    pub(super) at: NodeId,
    pub(super) goal: NodeId,
    pub(super) purse: BudgetSequence,
    pub(super) prices: Prices,
    pub(super) facts: Facts,
    pub(super) records: Vec<Record>,
    pub(super) watch: Watch,
    pub(super) cost: Cost,
    /// Number of steps after which an agent that has not arrived never will.
    pub(super) patience: usize,
    /// How often the neighbors of an expanded node are enumerated.
    pub(super) looks: u64,
}

/// Number of steps for which a planner without guarantees is run.
const IN_VAIN: usize = 150;

impl Life {
    /// Creates an agent of which nothing is expected.
    pub(super) fn new(
        planner: BoxedPlanner<World>,
        (at, goal): (NodeId, NodeId),
        purse: BudgetSequence,
        prices: Prices,
    ) -> Self {
        Self {
            planner,
            scratch: Scratch::new(),
            at,
            goal,
            purse,
            prices,
            facts: Facts::MINIMAL,
            records: Vec::new(),
            watch: Watch::default(),
            cost: Cost::ZERO,
            patience: 0,
            looks: 1,
        }
    }

    /// Copies the agent in its current state.
    pub(super) fn copy(&self) -> Self {
        let Self { facts, patience, looks, .. } = *self;
        let planner = self.planner.boxed_clone();
        let life = Self::new(planner, (self.at, self.goal), self.purse.clone(), self.prices);
        Self { facts, patience, looks, ..life }
    }

    /// Performs a step and the move it decided on.
    pub(super) fn tick(&mut self, graph: &World, log: &ChangeLog) -> Result<Decision, String> {
        let decision = self.tick_bounded(graph, log)?;
        self.judge_lessons(log)
            .and_then(|()| self.judge_decision(graph, decision))
            .map_err(|what| self.told(&what))?;
        if let Decision::Go(to) = decision {
            self.cost += oracle::edge(graph, self.at, to);
            self.at = to;
        }
        Ok(decision)
    }

    /// Performs a step and checks its budget, but not its decision.
    pub(super) fn tick_bounded(&mut self, graph: &World, log: &ChangeLog) -> Result<Decision, String> {
        let budget = if self.facts.bounded { self.purse.budget() } else { None };
        let mut meter = budget.map_or_else(Meter::unlimited, |budget| Meter::priced(budget, self.prices));
        let before = self.watch.expanded.len();
        self.watch.learned.clear();
        graph.take_calls();
        let step = StepContext::new(graph, self.at, self.goal, &mut meter, &mut self.scratch);
        let decision = self.planner.step(step.with_changes(log).with_probe(&mut self.watch));
        let (calls, work) = (graph.take_calls(), *meter.work());
        self.records.push(Record { at: self.at, decision, work });
        let seen = (self.watch.expanded.len() - before) as u64;
        self.judge_work(budget, work, seen)
            .and_then(|()| calls::judge(calls, work, graph.widest(), self.looks))
            .map_err(|what| self.told(&format!("budget {budget:?}: {what}")))?;
        Ok(decision)
    }

    fn told(&self, what: &str) -> String {
        let tick = self.records.len() - 1;
        let Record { at, decision, work } = self.records[tick];
        format!("tick {tick}, at {at}, goal {}, {decision:?}, {work:?}: {what}", self.goal)
    }

    /// Checks that learned values increase, unless values learned before a decrease are too large.
    fn judge_lessons(&self, log: &ChangeLog) -> Result<(), String> {
        let mut fallen = self.watch.learned.iter().filter(|(_, old, new)| new < old);
        match fallen.next() {
            Some((node, old, new)) if !log.has_decrease_since(0) => {
                Err(format!("the value of {node} fell from {old} to {new}"))
            }
            _ => Ok(()),
        }
    }

    fn judge_work(&self, budget: Option<u64>, work: Work, seen: u64) -> Result<(), String> {
        if seen != work[WorkKind::Expand] {
            return Err(format!("the probe saw {seen} expansions"));
        }
        let Some(budget) = budget else { return Ok(()) };
        if work[WorkKind::Expand] > budget {
            return Err("more expansions than the budget".to_string());
        }
        // One expansion is always granted, with its learning.
        let price = |kind| work[kind] * u64::from(self.prices.of(kind));
        let owed =
            [WorkKind::Expand, WorkKind::Learn, WorkKind::Trace, WorkKind::Compare].map(price).iter().sum();
        let first = if work[WorkKind::Expand] == 1 { owed } else { 0 };
        let (spent, allowed) = (work.priced(&self.prices), first.max(10 * budget));
        if spent > allowed {
            return Err(format!("spent {spent} tenths where {allowed} are allowed"));
        }
        Ok(())
    }

    fn judge_decision(&self, graph: &World, decision: Decision) -> Result<(), String> {
        match decision {
            Decision::Wait => Ok(()),
            _ if self.at == self.goal => Err("at the goal the answer is to wait".to_string()),
            Decision::Go(to) if oracle::edge(graph, self.at, to).is_finite() => Ok(()),
            Decision::Go(_) => Err("there is no such move".to_string()),
            Decision::NoPath => match oracle::distance(graph, self.at, self.goal) {
                Cost::INF => Ok(()),
                cost => Err(format!("there is a path, of cost {cost}")),
            },
        }
    }

    /// Performs steps in a static world until the end.
    pub(super) fn live(&mut self, graph: &World, log: &ChangeLog) -> Result<Option<End>, String> {
        let reachable = oracle::distance(graph, self.at, self.goal).is_finite();
        let ends = if reachable { self.facts.complete } else { self.facts.proves_no_path };
        for _ in 0..if ends { self.patience } else { IN_VAIN } {
            if self.at == self.goal {
                self.tick(graph, log)?;
                return Ok(Some(End::Arrived));
            }
            if self.tick(graph, log)? == Decision::NoPath {
                return Ok(Some(End::NoPath));
            }
        }
        let lost = !oracle::distance(graph, self.at, self.goal).is_finite();
        if ends && (self.facts.proves_no_path || !lost) {
            return Err(format!("still at {} after {} steps", self.at, self.records.len()));
        }
        Ok(None)
    }
}
