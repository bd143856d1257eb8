//! Anytime D* (Likhachev, Ferguson, Gordon, Stentz & Thrun 2005), resumable: D* Lite with a heuristic weighted by
//! ε. A large ε finds a path soon; ε then decreases until the path is shortest.
//!
//! A finished search returns a path of at most ε times the minimum cost. While the search continues with a smaller
//! ε and no cost has changed, every g is still the cost of an existing path, so the agent moves. The agent waits,
//! or is moved by [RTD*](super::Rtd), until the search has finished again after one of these:
//! - a change that affects a known value
//! - any decrease before the search has processed all inconsistent nodes
//!
//! When ε or the focus changes, all keys change: the offset `k_m` does not help, since keys become too large when ε
//! decreases. The whole queue is rekeyed, ten entries for the price of one expansion, over as many steps as needed.
//! Nothing is expanded meanwhile. A change during a search keeps the keys valid and only requeues deferred nodes,
//! unless it increases ε or the agent has moved. Otherwise focus and bounds are as in [D* Lite](super::DStarLite).
//!
//! ε decreases by `decrease` after every search while nothing changes. A significant change, one that lies between
//! the agent and its goal, increases it by `increase`. (The paper on RTD* gives only the numbers; the rule is that
//! of its authors' program.) Changes that affect no value are not significant, and a change that arrives while the
//! queue is rekeyed does not change ε.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::dstar_lite::KeyFocus;
use crate::graph::{ChangeLog, Graph, Pending, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{CostField, Halt, KeyPolicy, Pages, QueueKey, SearchTools, Vertex, enum_part};
use crate::spec::{BuildError, Decimal, Facts, PlannerInfo, Spec};

pub(super) const EPSILON: Decimal = Decimal::new(
    "epsilon",
    "3",
    1,
    100,
    "AD*: first weight of the heuristic; paths cost at most this times the shortest",
);
pub(super) const DECREASE: Decimal =
    Decimal::new("decrease", "0.5", 0, 100, "AD*: by how much the weight falls after each search");
pub(super) const INCREASE: Decimal = Decimal::new(
    "increase",
    "0.1",
    0,
    100,
    "AD*: by how much a change between the agent and its goal raises the weight",
);

/// The row of Anytime D* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "ad-star",
    name: "Anytime D*",
    paper: "Likhachev, Ferguson, Gordon, Stentz, Thrun 2005",
    summary: "D* Lite that finds a longer path sooner and improves it while the agent walks",
    facts: Facts { slice_invariant: false, ..Facts::FULL },
    params: &[EPSILON.param, DECREASE.param, INCREASE.param],
    adjust_facts: anytime_facts,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(AdStar::new(weights(spec), KeyFocus::PerEpisode, graph)))
}

/// Anytime D* improves the path while the agent moves. It is optimal only if the weight decreases.
pub(super) fn anytime_facts(spec: &Spec, facts: Facts) -> Facts {
    let falls = spec.get(&DECREASE) > 0 || u64::from(spec.get(&EPSILON)) == ONE;
    Facts { slice_invariant: false, optimal: falls, ..facts }
}

pub(super) fn weights(spec: &Spec) -> AdStarWeights {
    AdStarWeights {
        epsilon: spec.get(&EPSILON),
        decrease: spec.get(&DECREASE),
        increase: spec.get(&INCREASE),
    }
}

/// One, in millionths. ε is stored in millionths and keys in millionths of a cost, so nothing is rounded.
const ONE: u64 = 1_000_000;
/// Number of queue entries that are rekeyed for the price of one refresh.
const REKEYED: u32 = 10;

/// The weight of the heuristic and its changes, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdStarWeights {
    /// The initial and maximum weight.
    pub epsilon: u32,
    /// Decrease after a search.
    pub decrease: u32,
    /// Increase after a significant change.
    pub increase: u32,
}

impl Default for AdStarWeights {
    /// The values of the RTD* paper: 3, decreased by 0.5, increased by 0.1.
    fn default() -> Self {
        Self { epsilon: 3_000_000, decrease: 500_000, increase: 100_000 }
    }
}

/// The key of s: [rhs + ε·h(focus, s); rhs] if s is overconsistent, otherwise [g + h(focus, s); g].
struct Weighted<'a> {
    focus: NodeId,
    epsilon: u64,
    closed: &'a Pages<bool>,
}

impl<G: Graph> KeyPolicy<G> for Weighted<'_> {
    #[inline]
    fn key(&self, graph: &G, n: NodeId, vertex: &Vertex) -> QueueKey {
        let weight = if vertex.g > vertex.rhs { self.epsilon } else { ONE };
        weighted(vertex.min_value(), graph.h(self.focus, n), weight)
    }

    fn f(&self, QueueKey(first, _): QueueKey) -> Cost {
        Cost::new(u32::try_from(first / ONE).unwrap_or(u32::MAX))
    }

    fn is_closed(&self, n: NodeId) -> bool {
        self.closed.get(n.index())
    }
}

#[inline]
fn weighted(least: Cost, h: Cost, weight: u64) -> QueueKey {
    if !least.is_finite() {
        return QueueKey::LAST;
    }
    QueueKey(u64::from(least.raw()) * ONE + u64::from(h.raw()) * weight, least.raw())
}

/// The progress of the search with the current ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// The queue is being rekeyed, or deferred nodes are being requeued.
    Rekeying,
    Searching,
    /// The search has finished for the agent's position.
    Finished,
}

enum_part! { Progress: Rekeying, Searching, Finished }

/// Anytime D*: the search, and a planner that waits for its first result.
#[derive(Clone, Debug)]
pub struct AdStar {
    weights: AdStarWeights,
    mode: KeyFocus,
    field: CostField,
    /// The nodes expanded in this search.
    closed: Pages<bool>,
    focus: NodeId,
    epsilon: u64,
    /// The ε of the last finished search.
    bound: u64,
    /// The cursor into the change log.
    pub(super) cursor: u64,
    progress: Progress,
    /// `true` if a search has finished since costs last changed and the agent last left its path.
    is_fit: bool,
    /// The expected positions of the agent: the current node and the next one.
    expected: [NodeId; 2],
    searches: u64,
}

impl AdStar {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(weights: AdStarWeights, mode: KeyFocus, graph: &G) -> Self {
        Self {
            weights,
            mode,
            field: CostField::requeueing(graph.bound()),
            closed: Pages::new(graph.bound(), false),
            focus: NodeId::NONE,
            epsilon: u64::from(weights.epsilon),
            bound: u64::from(weights.epsilon),
            cursor: 0,
            progress: Progress::Searching,
            is_fit: false,
            expected: [NodeId::NONE; 2],
            searches: 0,
        }
    }

    /// Returns the current values.
    pub fn field(&self) -> &CostField {
        &self.field
    }

    /// Returns the weight of the current search in millionths, or that of the last finished one if no search is
    /// running.
    pub fn epsilon(&self) -> u64 {
        self.epsilon
    }

    /// Returns the weight of the last finished search in millionths. Its path costs at most this many times the
    /// minimum.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Returns `true` if the search with the current weight has finished for the agent's position.
    pub fn is_finished(&self) -> bool {
        self.progress == Progress::Finished
    }

    /// Returns the current key of a node.
    pub fn key<G: Graph>(&self, graph: &G, n: NodeId) -> QueueKey {
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        order.key(graph, n, &self.field.vertex(n))
    }

    /// Clears the search, in O(1).
    pub fn forget(&mut self) {
        self.field.clear();
        self.closed.clear();
        (self.is_fit, self.progress) = (false, Progress::Searching);
    }

    /// Processes changes, then searches within the budget. Returns [`Halt::Goal`] if the successors from `at` lead
    /// to the goal, at a cost of at most ε times the minimum, for the ε of the last finished search. The bound
    /// holds for the path from the agent's position at the end of that search.
    pub fn repair<G: ReverseGraph>(
        &mut self,
        graph: &G,
        (at, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) -> Halt {
        if goal != self.field.goal() || log.pending(self.cursor) == Pending::Truncated {
            self.start(graph, (at, goal), log, tools);
        }
        let halt = self.proceed(graph, at, log, tools);
        // Without a result, the agent may have left its path, which is checked later.
        if halt != Halt::Paused {
            self.expected = [at, if halt == Halt::Goal { self.field.vertex(at).next } else { at }];
        }
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        halt
    }

    fn proceed<G: ReverseGraph>(
        &mut self,
        graph: &G,
        at: NodeId,
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) -> Halt {
        if self.cursor != log.end() && !self.apply_changes(graph, at, log, tools) {
            return Halt::Paused;
        }
        let is_astray =
            self.is_fit && !self.expected.contains(&at) && !(self.is_finished() && self.is_found(graph, at));
        self.is_fit &= !is_astray;
        if self.progress != Progress::Rekeying
            && (is_astray || at != self.focus && self.is_time_to_refocus(tools.meter))
        {
            self.search_anew(at);
        }
        loop {
            if !self.rekey(graph, tools) {
                break;
            }
            let is_done = self.compute(graph, at, tools);
            self.progress = if is_done { Progress::Finished } else { Progress::Searching };
            if !is_done {
                break;
            }
            self.bound = self.epsilon;
            if !self.is_fit {
                self.is_fit = true;
                tools.emit(SearchEvent::AdoptPath);
            }
            if !self.field.vertex(at).rhs.is_finite() || !self.fall() {
                break;
            }
            if self.field.waiting() == 0 {
                // With no inconsistent node left, this path is optimal for every ε. The remaining weights are
                // skipped, so that the number of free iterations is bounded.
                self.epsilon = ONE;
            }
            self.search_anew(at);
        }
        match (self.is_fit, self.field.vertex(at).rhs.is_finite()) {
            (false, _) => Halt::Paused,
            (true, true) => Halt::Goal,
            (true, false) => Halt::Empty,
        }
    }

    /// Returns `true` if the focus should move to the agent even though nothing requires it.
    fn is_time_to_refocus(&self, meter: &Meter) -> bool {
        // As for D* Lite, if rekeying takes at most half of the budget.
        let is_cheap = |share| self.field.waiting() as u64 <= share / 2 * u64::from(REKEYED);
        self.mode == KeyFocus::PerStep || !self.is_fit && meter.expansions_left().is_none_or(is_cheap)
    }

    fn start<G: Graph>(
        &mut self,
        graph: &G,
        (at, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) {
        self.forget();
        (self.epsilon, self.bound) = (u64::from(self.weights.epsilon), u64::from(self.weights.epsilon));
        (self.focus, self.expected, self.cursor) = (at, [at; 2], log.end());
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        self.field.start(graph, goal, &order, tools);
        self.searches += 1;
    }

    /// Restarts the search with the current ε and the agent's current position as focus.
    fn search_anew(&mut self, at: NodeId) {
        self.focus = at;
        self.closed.clear();
        self.field.requeue();
        self.progress = Progress::Rekeying;
    }

    /// Processes changes in order. Returns `false` if some are left for the next step.
    fn apply_changes<G: Graph>(
        &mut self,
        graph: &G,
        at: NodeId,
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) -> bool {
        let (mut matters, mut is_significant) = (false, false);
        let has_fallen = log.has_decrease_since(self.cursor);
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        let (unread, goal) = ((log, &mut self.cursor), self.field.goal());
        let is_done = self.field.apply_changes(graph, unread, &order, tools, |change| {
            matters = true;
            is_significant |= lies_between(graph, change.from, (at, goal));
        });
        // A decrease that affects no value now may do so after deferred nodes are expanded again: their g was
        // within the bound for the previous costs.
        let is_loose = has_fallen && (!self.is_finished() || self.field.has_requeue_left());
        if matters || is_loose {
            self.answer(at, is_significant);
        }
        is_done
    }

    /// Restarts the search after a change that matters or may matter.
    fn answer(&mut self, at: NodeId, is_significant: bool) {
        // The agent has moved since: from the old focus the search would expand more nodes.
        let has_left = self.is_fit && at != self.focus;
        self.searches += u64::from(self.is_fit);
        self.is_fit = false;
        let before = self.epsilon;
        if is_significant {
            let raised = self.epsilon + u64::from(self.weights.increase);
            self.epsilon = raised.min(u64::from(self.weights.epsilon));
        } else if self.is_finished() {
            self.fall();
        }
        if self.progress == Progress::Rekeying {
            // Nothing was expanded yet. The pass with the current keys is finished first, with its own ε.
            self.epsilon = before;
        } else if self.is_finished() || has_left || self.epsilon != before {
            self.search_anew(at);
        } else {
            // During a search the keys are valid; only deferred nodes must be requeued.
            self.closed.clear();
            self.progress = Progress::Rekeying;
        }
    }

    /// Decreases ε. Returns `false` if it is already minimal.
    fn fall(&mut self) -> bool {
        let before = self.epsilon;
        self.epsilon = before.saturating_sub(u64::from(self.weights.decrease)).max(ONE);
        self.epsilon < before
    }

    /// Rekeys entries. Returns `false` if some are left for the next step.
    fn rekey<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) -> bool {
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        // Only complete portions, so that none is paid in part.
        while self.progress == Progress::Rekeying {
            if self.field.has_requeue_left() && !tools.meter.charge(WorkKind::Refresh) {
                return false;
            }
            if !(0..REKEYED).all(|_| self.field.requeue_next(graph, &order, tools)) {
                self.progress = Progress::Searching;
            }
        }
        true
    }

    /// Returns `true` if no node on the queue can reduce the cost of the path from `at` by more than the factor ε.
    ///
    /// If the focus is not the agent's position, the agent's own estimate must be weighted as well.
    fn is_found<G: Graph>(&self, graph: &G, at: NodeId) -> bool {
        let here = self.field.vertex(at);
        let key = weighted(here.min_value(), graph.h(self.focus, at), self.epsilon);
        here.rhs <= here.g && self.field.top().is_none_or(|(_, top)| top >= key)
    }

    /// `ComputeorImprovePath` of the paper. Returns `false` if the budget is exhausted.
    fn compute<G: ReverseGraph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) -> bool {
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        if !self.field.finish(graph, &order, tools) {
            return false;
        }
        while !self.is_found(graph, at) {
            let Some((u, _)) = self.field.top() else { break };
            let is_falling = self.field.is_falling(u);
            let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
            if !self.field.expand(graph, u, &order, tools) {
                return false;
            }
            if is_falling {
                *self.closed.at(u.index(), &mut tools.pools.flags) = true;
            }
        }
        true
    }

    /// Returns the next node of the path from `at`, once one is known.
    pub fn next_toward_goal(&self, at: NodeId) -> Option<NodeId> {
        self.field.vertex(at).next.some()
    }

    pub(super) fn statistics(&self) -> Stats {
        let (open_max, closed_max) = self.field.peaks();
        Stats { searches: self.searches, open_max, closed_max, ..Stats::default() }
    }
}

/// Returns `true` if a node lies between the agent and its goal: nearer to each than they are to each other.
fn lies_between<G: Graph>(graph: &G, x: NodeId, (at, goal): (NodeId, NodeId)) -> bool {
    let whole = graph.h(at, goal);
    let (from, to) = (graph.h(at, x), graph.h(x, goal));
    // The third condition of the original program, that the sum is less than twice the whole, follows.
    to < whole && from < whole
}

planner_part! {
    AdStar {
        saved: focus, epsilon, bound, cursor, searches, progress, is_fit, expected, field, closed;
        fixed: weights, mode
    }
}

impl PlannerState for AdStar {
    fn graph_bound(&self) -> usize {
        self.field.nodes()
    }

    fn reset(&mut self, _: Reset) {
        self.forget();
    }

    fn search_stats(&self) -> Stats {
        self.statistics()
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        if self.is_fit { self.field.path_to_goal(at) } else { Vec::new() }
    }
}

impl<G: ReverseGraph> Planner<G> for AdStar {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal, log) = (cx.graph, cx.at, cx.goal, cx.changes);
        if at == goal {
            return Decision::Wait;
        }
        match self.repair(graph, (at, goal), log, &mut cx.tools()) {
            Halt::Goal => self.next_toward_goal(at).map_or(Decision::Wait, Decision::Go),
            Halt::Empty => Decision::NoPath,
            Halt::Paused => Decision::Wait,
        }
    }

    fn check(&self, _: &G) -> Result<(), SaveError> {
        if self.field.goal().is_some() && !self.focus.is_some() {
            return Err(SaveError::new("its search has no focus"));
        }
        let weights = ONE..=u64::from(self.weights.epsilon).max(ONE);
        if !(weights.contains(&self.epsilon) && weights.contains(&self.bound)) {
            return Err(SaveError::new("its heuristic weighs more than it may"));
        }
        if self.progress != Progress::Rekeying && self.field.is_requeueing() {
            return Err(SaveError::new("half of its queue is forgotten"));
        }
        Ok(())
    }
}
