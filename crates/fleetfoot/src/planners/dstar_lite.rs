//! D* Lite (Koenig & Likhachev 2002), the optimised version with `k_m`, resumable: it searches backwards from the goal, and
//! when costs rise or fall it repairs what that breaks instead of searching anew.
//!
//! On its own it waits while it searches or repairs, then walks downhill. As the far-sighted half of
//! [RTD*](super::Rtd) it is given a share of each step. A step expands at most what its budget grants; a queue entry whose
//! key is out of date counts as an expansion (as in the RTD* paper's Figure 1); where all work is charged so does, in part, every
//! value that is computed anew when a cost has risen, and an expansion stops half-way where that cannot be paid for. Changes are digested in their order, at most 4,096 a step,
//! and nothing is expanded before all are: more than that in every step starve it.
//!
//! Deviations, both of the papers' own kind: the best successor of a state is stored, so that only states that led
//! through a broken one are looked at again, not all of equal cost; and keys are by a *focus* that stays where it is while
//! the search is unfinished ([`Focus`]), where the paper takes the agent's place. A consistent heuristic towards any fixed
//! place keeps the theorems: when the least key is no less than the key of the agent's state, that state's rhs is its
//! true cost.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::graph::{ChangeLog, Graph, Pending, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::part;
use crate::parts::{Field, Halt, Key, Order, Tools, Vertex};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::probe::SearchEvent;
use crate::registry::{BoxedPlanner, BuildError, Facts, PlannerInfo, Spec};
use crate::save::SaveError;

/// The row of D* Lite in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "dstar-lite",
    name: "D* Lite",
    paper: "Koenig, Likhachev 2002",
    summary: "searches back from the goal, and repairs that search when costs rise or fall; waits meanwhile",
    facts: Facts::FULL,
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// The row of Non-RTD* in the list of algorithms.
pub(crate) const UNBOUNDED: PlannerInfo = PlannerInfo {
    key: "non-rtd",
    name: "Non-RTD*",
    paper: "Bond, Widger, Ruml, Sun 2010",
    summary: "D* Lite without a bound on its steps; for comparison",
    facts: Facts { bounded: false, ..Facts::FULL },
    params: &[],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(_: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(DStarLite::new(Focus::PerEpisode, graph)))
}

/// When a search that goes on while its agent moves turns its attention to where the agent is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Focus {
    /// When it begins to search or to repair, and while little stands on its queue: keys stay good meanwhile.
    #[default]
    PerEpisode,
    /// In every step, as the RTD* paper prints it. Every move then makes almost every key out of date, and renewing
    /// them can use up the whole budget for ever.
    PerStep,
    /// Keys by the agent's place in every step, but `k_m` raised only when costs change: as the RTD* paper's program did. Keys
    /// may be wrong between changes, and what it finds then need not be a shortest path.
    OnChange,
}

/// Keys that stay lower bounds while the focus moves: key(s) = [min(g, rhs) + h(focus, s) + `k_m`; min(g, rhs)].
#[derive(Clone, Copy, Debug)]
struct Drift {
    focus: NodeId,
    km: u64,
}

part! { Drift { saved: focus, km; fixed: } }

impl<G: Graph> Order<G> for Drift {
    #[inline]
    fn key(&self, graph: &G, n: NodeId, vertex: &Vertex) -> Key {
        Self::key_ahead(u64::from(graph.h(self.focus, n).raw()) + self.km, vertex)
    }
}

impl Drift {
    /// The key of a state that lies so far ahead of the focus, `k_m` included.
    #[inline]
    fn key_ahead(ahead: u64, vertex: &Vertex) -> Key {
        let least = vertex.least();
        if least.is_finite() { Key(u64::from(least.raw()) + ahead, least.raw()) } else { Key::LAST }
    }
}

/// D* Lite: the search, and a planner that waits for it.
#[derive(Clone, Debug)]
pub struct DStarLite {
    mode: Focus,
    field: Field,
    drift: Drift,
    /// Where `k_m` was last raised.
    last: NodeId,
    /// The changes seen so far.
    pub(super) cursor: u64,
    /// Whether the last step ended the search, for the agent's place and the costs of then.
    is_done: bool,
    /// The first search, and repairs that changed the way ahead or took longer than a step.
    searches: u64,
}

impl DStarLite {
    /// A planner for this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(mode: Focus, graph: &G) -> Self {
        Self {
            mode,
            field: Field::new(graph.bound()),
            drift: Drift { focus: NodeId::NONE, km: 0 },
            last: NodeId::NONE,
            cursor: 0,
            is_done: false,
            searches: 0,
        }
    }

    /// The values found so far.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The key that this state has now; it may stand on the queue under a lesser one.
    pub fn key<G: Graph>(&self, graph: &G, n: NodeId) -> Key {
        self.drift.key(graph, n, &self.field.vertex(n))
    }

    /// Forgets everything, in O(1).
    pub fn forget(&mut self) {
        self.field.clear();
        self.is_done = false;
    }

    /// Digests what has changed, and searches on as far as the meter goes: until the agent's rhs is what the goal costs
    /// from there ([`Halt::Goal`]), it is proved that there is no way, or the meter refuses.
    pub fn repair<G: ReverseGraph>(
        &mut self,
        graph: &G,
        (at, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut Tools<'_>,
    ) -> Halt {
        if goal != self.field.goal() || log.pending(self.cursor) == Pending::Truncated {
            self.start(graph, (at, goal), log, tools);
        }
        let has_changed = self.cursor != log.end();
        self.refocus(graph, at, has_changed, tools);
        let (was_done, way) = (self.is_done, self.way(at));
        self.is_done &= !has_changed;
        let unread = (log, &mut self.cursor);
        let is_up_to_date = self.field.catch_up(graph, unread, &self.drift, tools, |_| {});
        let halt = if is_up_to_date { self.compute(graph, at, tools) } else { Halt::Paused };
        if halt == Halt::Goal && !self.is_done {
            tools.tell(SearchEvent::AdoptPath);
        }
        self.is_done = halt != Halt::Paused;
        // Koenig & Likhachev (2006) speak of a new search when an action on the way gets dearer, not at every change.
        let is_news = !self.is_done || self.way(at) != way;
        self.searches += u64::from(was_done && has_changed && is_news);
        tools.meter.count(WorkKind::Page, tools.pools.fills());
        halt
    }

    fn start<G: Graph>(
        &mut self,
        graph: &G,
        (at, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut Tools<'_>,
    ) {
        self.drift = Drift { focus: at, km: 0 };
        (self.last, self.cursor, self.is_done) = (at, log.end(), false);
        self.field.start(graph, goal, &self.drift, tools);
        self.searches += 1;
    }

    /// Turns the attention to where the agent is now, if it is time to.
    fn refocus<G: Graph>(&mut self, graph: &G, at: NodeId, has_changed: bool, tools: &Tools<'_>) {
        let is_time = match self.mode {
            Focus::PerStep => true,
            // Later keys could no longer be renewed within a few steps.
            Focus::PerEpisode if !self.is_done => {
                tools.meter.expansions_left().is_none_or(|share| self.field.waiting() as u64 <= share / 2)
            }
            Focus::PerEpisode => has_changed || !self.is_found(graph, at),
            Focus::OnChange => {
                self.drift.focus = at;
                has_changed
            }
        };
        if is_time && at != self.last {
            self.drift.km += u64::from(graph.h(self.last, at).raw());
            (self.last, self.drift.focus) = (at, at);
        }
    }

    /// Whether nothing on the queue can make the way from here any cheaper, and its values are not to be given up.
    fn is_found<G: Graph>(&self, graph: &G, at: NodeId) -> bool {
        let here = self.field.vertex(at);
        let key = self.drift.key(graph, at, &here);
        here.rhs <= here.g && self.field.top().is_none_or(|(_, top)| top >= key)
    }

    /// The paper's `ComputeShortestPath`.
    fn compute<G: ReverseGraph>(&mut self, graph: &G, at: NodeId, tools: &mut Tools<'_>) -> Halt {
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

    /// What the goal costs from here, and the next step to it.
    fn way(&self, at: NodeId) -> (Cost, NodeId) {
        let here = self.field.vertex(at);
        (here.rhs, here.next)
    }

    /// The next step of a shortest path from here, once the search has found one.
    pub fn downhill(&self, at: NodeId) -> Option<NodeId> {
        self.field.vertex(at).next.some()
    }

    /// What the goal costs from here, once the search has found it.
    pub fn cost(&self, at: NodeId) -> Cost {
        self.field.vertex(at).rhs
    }

    pub(super) fn statistics(&self) -> Stats {
        let (open_max, closed_max) = self.field.peaks();
        Stats { searches: self.searches, open_max, closed_max, ..Stats::default() }
    }
}

part! { DStarLite { saved: drift, last, cursor, searches, is_done, field; fixed: mode } }

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
        if self.is_done { self.field.downhill(at) } else { Vec::new() }
    }
}

impl<G: ReverseGraph> Planner<G> for DStarLite {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal, log) = (cx.graph, cx.at, cx.goal, cx.changes);
        if at == goal {
            return Decision::Wait;
        }
        match self.repair(graph, (at, goal), log, &mut cx.tools()) {
            Halt::Goal => self.downhill(at).map_or(Decision::Wait, Decision::Go),
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
