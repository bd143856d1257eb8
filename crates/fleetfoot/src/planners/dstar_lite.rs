//! D* Lite (Koenig & Likhachev 2002), the optimized version with `k_m`, resumable: it searches backward from the
//! goal, and repairs the search when costs change.
//!
//! On its own it waits while it searches or repairs, then follows the best successors. As the global search of
//! [RTD*](super::Rtd) it gets a share of each step. A step expands at most what its budget covers. A queue entry
//! with an outdated key counts as an expansion (as in Figure 1 of the RTD* paper). If all work is charged, so do,
//! at a lower price, values that are recomputed after a cost has increased; an expansion then stops partway if they
//! cannot be paid. Changes are processed in order, at most 4,096 per step, and nothing is expanded before all are
//! processed. More changes than that in every step starve the search.
//!
//! Deviations, both in the spirit of the papers: The best successor of a node is stored, so that only nodes that
//! depend on a broken one are recomputed, not all of equal cost. Keys refer to a *focus* that does not move while
//! the search is unfinished ([`KeyFocus`]); the paper uses the agent's position. A heuristic that is consistent toward
//! any fixed node keeps the theorems: when the smallest key is at least the key of the agent's node, the rhs of
//! that node is its true cost.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::graph::{ChangeLog, Graph, Pending, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{CostField, Halt, KeyPolicy, QueueKey, SearchTools, Vertex};
use crate::spec::{BuildError, Facts, PlannerInfo, Spec};

/// The row of D* Lite in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "dstar-lite",
    name: "D* Lite",
    paper: "Koenig, Likhachev 2002",
    summary: "searches back from the goal, and repairs that search when costs rise or fall; waits meanwhile",
    facts: Facts::FULL,
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// The row of Non-RTD* in the table of algorithms.
pub(crate) const UNBOUNDED: PlannerInfo = PlannerInfo {
    key: "non-rtd",
    name: "Non-RTD*",
    paper: "Bond, Widger, Ruml, Sun 2010",
    summary: "D* Lite without a bound on its steps; for comparison",
    facts: Facts { bounded: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(DStarLite::new(KeyFocus::PerEpisode, graph)))
}

/// When the focus of a search follows the moving agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum KeyFocus {
    /// When a search or repair starts, and while the queue is short. Keys stay valid meanwhile.
    #[default]
    PerEpisode,
    /// In every step, as printed in the RTD* paper. Every move then outdates almost every key, and updating them
    /// can use the whole budget forever.
    PerStep,
    /// Keys use the agent's position in every step, but `k_m` increases only when costs change, as in the program
    /// of the RTD* paper. Keys may be wrong between changes, so paths may not be shortest.
    OnChange,
}

/// Keys that stay lower bounds while the focus moves: key(s) = [min(g, rhs) + h(focus, s) + `k_m`; min(g, rhs)].
#[derive(Clone, Copy, Debug)]
struct Drift {
    focus: NodeId,
    km: u64,
}

planner_part! { Drift { saved: focus, km; fixed: } }

impl<G: Graph> KeyPolicy<G> for Drift {
    #[inline]
    fn key(&self, graph: &G, n: NodeId, vertex: &Vertex) -> QueueKey {
        Self::key_ahead(u64::from(graph.h(self.focus, n).raw()) + self.km, vertex)
    }
}

impl Drift {
    /// Returns the key of a node at the distance `ahead` from the focus, `k_m` included.
    #[inline]
    fn key_ahead(ahead: u64, vertex: &Vertex) -> QueueKey {
        let least = vertex.min_value();
        if least.is_finite() { QueueKey(u64::from(least.raw()) + ahead, least.raw()) } else { QueueKey::LAST }
    }
}

/// D* Lite: the search, and a planner that waits for it.
#[derive(Clone, Debug)]
pub struct DStarLite {
    mode: KeyFocus,
    field: CostField,
    drift: Drift,
    /// The focus when `k_m` was last increased.
    last: NodeId,
    /// The cursor into the change log.
    pub(super) cursor: u64,
    /// `true` if the last step finished the search, for the agent's position and the costs at that time.
    is_done: bool,
    /// Number of searches: the first one, and repairs that changed the path or took more than one step.
    searches: u64,
}

impl DStarLite {
    /// Creates a planner for `graph`, or for any graph with the same number of nodes.
    pub fn new<G: Graph>(mode: KeyFocus, graph: &G) -> Self {
        Self {
            mode,
            field: CostField::new(graph.bound()),
            drift: Drift { focus: NodeId::NONE, km: 0 },
            last: NodeId::NONE,
            cursor: 0,
            is_done: false,
            searches: 0,
        }
    }

    /// Returns the current values.
    pub fn field(&self) -> &CostField {
        &self.field
    }

    /// Returns the current key of a node. Its key on the queue may be smaller.
    pub fn key<G: Graph>(&self, graph: &G, n: NodeId) -> QueueKey {
        self.drift.key(graph, n, &self.field.vertex(n))
    }

    /// Clears the search, in O(1).
    pub fn forget(&mut self) {
        self.field.clear();
        self.is_done = false;
    }

    /// Processes changes, then searches within the budget. Returns [`Halt::Goal`] once the agent's rhs is the true
    /// cost to the goal, [`Halt::Empty`] once it is proved that there is no path, and [`Halt::Paused`] if the
    /// budget is exhausted.
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
        let has_changed = self.cursor != log.end();
        self.refocus(graph, at, has_changed, tools);
        let (was_done, way) = (self.is_done, self.way(at));
        self.is_done &= !has_changed;
        let unread = (log, &mut self.cursor);
        let is_up_to_date = self.field.apply_changes(graph, unread, &self.drift, tools, |_| {});
        let halt = if is_up_to_date { self.compute(graph, at, tools) } else { Halt::Paused };
        if halt == Halt::Goal && !self.is_done {
            tools.emit(SearchEvent::AdoptPath);
        }
        self.is_done = halt != Halt::Paused;
        // Koenig & Likhachev (2006) count a new search when an edge of the path becomes more expensive, not at
        // every change.
        let is_news = !self.is_done || self.way(at) != way;
        self.searches += u64::from(was_done && has_changed && is_news);
        tools.meter.count(WorkKind::Page, tools.pools.page_faults());
        halt
    }

    fn start<G: Graph>(
        &mut self,
        graph: &G,
        (at, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) {
        self.drift = Drift { focus: at, km: 0 };
        (self.last, self.cursor, self.is_done) = (at, log.end(), false);
        self.field.start(graph, goal, &self.drift, tools);
        self.searches += 1;
    }

    /// Moves the focus to the agent if the mode allows it now.
    fn refocus<G: Graph>(&mut self, graph: &G, at: NodeId, has_changed: bool, tools: &SearchTools<'_>) {
        let is_time = match self.mode {
            KeyFocus::PerStep => true,
            // Larger keys could no longer be updated within a few steps.
            KeyFocus::PerEpisode if !self.is_done => {
                tools.meter.expansions_left().is_none_or(|share| self.field.waiting() as u64 <= share / 2)
            }
            KeyFocus::PerEpisode => has_changed || !self.is_found(graph, at),
            KeyFocus::OnChange => {
                self.drift.focus = at;
                has_changed
            }
        };
        if is_time && at != self.last {
            self.drift.km += u64::from(graph.h(self.last, at).raw());
            (self.last, self.drift.focus) = (at, at);
        }
    }

    /// Returns `true` if no node on the queue can improve the path from `at`, and its values will not be
    /// invalidated.
    fn is_found<G: Graph>(&self, graph: &G, at: NodeId) -> bool {
        let here = self.field.vertex(at);
        let key = self.drift.key(graph, at, &here);
        here.rhs <= here.g && self.field.top().is_none_or(|(_, top)| top >= key)
    }

    /// `ComputeShortestPath` of the paper.
    fn compute<G: ReverseGraph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) -> Halt {
        let Self { field, drift, .. } = self;
        if !field.finish(graph, drift, tools) {
            return Halt::Paused;
        }
        let ahead = u64::from(graph.h(drift.focus, at).raw()) + drift.km;
        while let Some((u, stood)) = field.top() {
            let here = field.vertex(at);
            if here.rhs <= here.g && stood >= Drift::key_ahead(ahead, &here) {
                break;
            }
            let key = drift.key(graph, u, &field.vertex(u));
            if stood < key {
                if !tools.meter.charge(WorkKind::Refresh) {
                    return Halt::Paused;
                }
                field.rekey::<G>(u, key, drift, tools);
            } else if !field.expand(graph, u, drift, tools) {
                return Halt::Paused;
            }
        }
        if field.vertex(at).rhs.is_finite() { Halt::Goal } else { Halt::Empty }
    }

    /// Returns the cost to the goal, and the next node.
    fn way(&self, at: NodeId) -> (Cost, NodeId) {
        let here = self.field.vertex(at);
        (here.rhs, here.next)
    }

    /// Returns the next node of a shortest path, once the search has found one.
    pub fn next_toward_goal(&self, at: NodeId) -> Option<NodeId> {
        self.field.vertex(at).next.some()
    }

    /// Returns the cost to the goal, once the search has found it.
    pub fn cost(&self, at: NodeId) -> Cost {
        self.field.vertex(at).rhs
    }

    pub(super) fn statistics(&self) -> Stats {
        let (open_max, closed_max) = self.field.peaks();
        Stats { searches: self.searches, open_max, closed_max, ..Stats::default() }
    }
}

planner_part! { DStarLite { saved: drift, last, cursor, searches, is_done, field; fixed: mode } }

impl PlannerState for DStarLite {
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
        if self.is_done { self.field.path_to_goal(at) } else { Vec::new() }
    }
}

impl<G: ReverseGraph> Planner<G> for DStarLite {
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
        let is_begun = self.field.goal().is_some();
        if is_begun && !(self.drift.focus.is_some() && self.last.is_some()) {
            return Err(SaveError::new("its search has no focus"));
        }
        Ok(())
    }
}
