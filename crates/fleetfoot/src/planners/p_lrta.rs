//! P-LRTA*, Prioritized LRTA* (Rayner, Davison, Bulitko, Anderson & Lu 2007; as described with TBA*): LRTA* with a
//! look-ahead of one that propagates its updates. An update h(x) := the minimum over successors t of c(x, t) + h(t)
//! that increases h(x) by Δ puts every predecessor of x on a queue with priority Δ. Before each move up to N nodes
//! from the queue are updated, highest priority first.
//!
//! The queue holds at most N nodes, each once. If it is full, the lowest priority is dropped for a higher one. It
//! is kept between moves and cleared for a new goal. Ties in priority are first in, first out; ties among
//! successors go to the larger c, then to the first. With N = 0 the moves and values are those of LRTA*. N depends
//! on the budget unless it is given. If it decreases, nodes on the queue stay, and are replaced only by higher
//! priorities.
//!
//! h stays consistent, and never decreases while costs do not, since each update is a look-ahead of one. Before the
//! move the agent's node is updated once more, so that h(s) ≥ c(s, n) + h(n) for the selected n, as completeness
//! requires. That update is skipped if no node from the queue was updated, since it would change nothing. So there
//! are at most N + 2 expansions per move, each with at most as many queue operations (logarithmic in N) as the node
//! has predecessors.
//!
//! Choices where the paper is silent: The queue is as long as the number of updates per move. The goal is never put
//! on it, since it has nothing to learn. A node without successors learns nothing, and an agent at such a node has
//! no path. Insertions are prepaid for as many predecessors as a node can have successors. Further ones are
//! inserted only if the budget covers them; what is missing from the queue is learned later.

use alloc::boxed::Box;

use super::learner::{FACTS, Learner, LearnerState, LearningRule};
use crate::graph::{Graph, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Limit, Meter, Prepayment, Work, WorkKind};
use crate::planner::{BoxedPlanner, Decision, StepContext};
use crate::planner_part;
use crate::probe::SearchEvent;
use crate::save::SaveError;
use crate::search::{LearnedValues, SearchTools, UrgencyQueue};
use crate::spec::{BuildError, Facts, IntOr, PlannerInfo, Spec};

const UPDATES: IntOr = IntOr::new(
    "updates",
    "budget",
    "budget",
    0,
    1_000_000_000,
    "N: states on the queue, and updates from it before each move; or all that the budget grants",
);

/// The row of P-LRTA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "p-lrta",
    name: "P-LRTA*",
    paper: "Rayner, Davison, Bulitko, Anderson, Lu 2007",
    summary: "LRTA* that propagates learned values through a priority queue",
    facts: Facts { optimal: false, ..FACTS },
    params: &[UPDATES.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(PLrta::new(spec.get(&UPDATES), graph)))
}

/// Maximum N if the budget is unlimited: forty times the largest published value, a few milliseconds.
const MOST: u64 = 10_000;
/// The end of the updates from the queue under a deadline, in percent of the time.
const QUEUE_SHARE: u64 = 90;

/// The look-ahead and learning rule of P-LRTA*.
#[derive(Clone, Debug)]
pub struct PLrtaMethod {
    updates: Option<u64>,
    queue: UrgencyQueue,
}

/// Prioritized LRTA*.
pub type PLrta = Learner<PLrtaMethod>;

impl PLrta {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes, that updates up to `updates`
    /// nodes from its queue before each move. Default: the step's budget in expansions minus two.
    pub fn new<G: Graph>(updates: Option<u64>, graph: &G) -> Self {
        Self::with(PLrtaMethod { updates, queue: UrgencyQueue::new(graph.bound()) }, 1, graph)
    }

    /// Returns the number of nodes on the queue.
    pub fn queued(&self) -> usize {
        self.method().queue.len()
    }
}

planner_part! { PLrtaMethod { saved: queue; fixed: updates } }

impl LearningRule for PLrtaMethod {
    fn plan<G: ReverseGraph>(
        &mut self,
        agent: &mut LearnerState,
        cx: &mut StepContext<'_, G>,
        prepayment: &mut Prepayment,
    ) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        let room = self.updates_with(cx.meter);
        let mut tools = cx.tools();
        let timed = tools.meter.is_timed();
        prepayment.add_per_expansion(
            tools.meter,
            WorkKind::Learn,
            (graph.max_degree() as u64).saturating_add(1),
        );
        if !tools.meter.expand() {
            return Decision::Wait;
        }
        agent.counts.searches += 1;
        tools.emit(SearchEvent::Search { root: at });
        let mut lesson = Lesson { graph, goal, room, prepayment, agent, queue: &mut self.queue };
        let mut next = lesson.update(at, &mut tools);
        let outer = tools.meter.narrow(tools.meter.all_but(1));
        let share = if timed { tools.meter.fraction(QUEUE_SHARE, 100) } else { Limit::NONE };
        let inner = tools.meter.narrow(share);
        let updated = lesson.update_queued(&mut tools);
        tools.meter.widen(inner);
        tools.meter.widen(outer);
        if updated > 0 {
            // Reserved above, so it is granted without a check.
            tools.meter.grant(1);
            next = lesson.update(at, &mut tools);
        }
        match next {
            Some(next) if !agent.is_hopeless(graph, at) => Decision::Go(next),
            _ => Decision::NoPath,
        }
    }

    fn forget(&mut self) {
        self.queue.clear();
    }

    fn check(&self) -> Result<(), SaveError> {
        if self.queue.len() as u64 <= self.updates.unwrap_or(u64::MAX) {
            Ok(())
        } else {
            Err(SaveError::new("its queue is too long"))
        }
    }
}

impl PLrtaMethod {
    /// Returns N.
    fn updates_with(&self, meter: &Meter) -> u64 {
        let of_budget = || meter.expansions_left().map_or(MOST, |r| r.saturating_sub(2));
        self.updates.unwrap_or_else(of_budget)
    }
}

/// The learning before a move.
struct Lesson<'a, G> {
    graph: &'a G,
    goal: NodeId,
    /// N.
    room: u64,
    prepayment: &'a mut Prepayment,
    agent: &'a mut LearnerState,
    queue: &'a mut UrgencyQueue,
}

impl<G: ReverseGraph> Lesson<'_, G> {
    /// Updates up to N nodes from the queue, and returns their number.
    fn update_queued(&mut self, tools: &mut SearchTools<'_>) -> u64 {
        let mut done = 0;
        while done < self.room && !self.queue.is_empty() && tools.meter.expand() {
            if let Some(x) = self.queue.pop() {
                self.update(x, tools);
            }
            done += 1;
        }
        done
    }

    /// Updates `x`, for which an expansion was granted. Returns the successor that its value comes from, if any.
    fn update(&mut self, x: NodeId, tools: &mut SearchTools<'_>) -> Option<NodeId> {
        let (graph, old) = (self.graph, self.agent.h(self.graph, x));
        tools.emit(SearchEvent::Expand { node: x, parent: NodeId::NONE, g: Cost::ZERO, f: old });
        let mut best: Option<(Cost, Cost, NodeId)> = None;
        for edge in graph.succs(x).filter(|edge| edge.to != x) {
            let v = edge.cost + self.agent.h(graph, edge.to);
            if best.is_none_or(|(least, c, _)| v < least || v == least && edge.cost > c) {
                best = Some((v, edge.cost, edge.to));
            }
        }
        if let Some((v, ..)) = best {
            let v = v.min(LearnedValues::DEAD_END);
            self.agent.raise(graph, x, v, tools);
            self.prepayment.pay(tools.meter, WorkKind::Learn, 1);
            if v > old {
                self.put_predecessors(x, v.saturating_sub(old), tools);
            }
        }
        // What was prepaid for missing predecessors pays for further updates.
        self.prepayment.refund_unused(tools.meter, &Work::NONE);
        best.map(|(.., n)| n)
    }

    fn put_predecessors(&mut self, x: NodeId, delta: Cost, tools: &mut SearchTools<'_>) {
        let prepaid = self.graph.max_degree();
        for (k, edge) in self.graph.preds(x).enumerate() {
            if k < prepaid {
                self.prepayment.pay(tools.meter, WorkKind::Learn, 1);
            } else if !tools.meter.charge(WorkKind::Learn) {
                break;
            }
            if edge.to != x && edge.to != self.goal {
                self.queue.put(edge.to, delta, self.room, tools.pools);
            }
        }
        let longest = &mut self.agent.counts.open_max;
        *longest = (*longest).max(self.queue.len() as u64);
    }
}
