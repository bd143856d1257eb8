//! Anytime D* (Likhachev, Ferguson, Gordon, Stentz & Thrun 2005), resumable: D* Lite with a heuristic that is at first
//! weighted by ε, so that a way is found soon, and then by less and less, until it is the shortest.
//!
//! What a finished search says costs at most ε times the shortest. While it searches on with a lesser ε and no cost has
//! changed, every g is still the cost of a real way, so the agent goes on; after a change that concerns what is known, or
//! any fall before the search has made good all it has found, it waits (or [RTD*](super::Rtd) looks after it) until the
//! search has finished again.
//!
//! When ε or the focus changes, all keys do: `k_m`'s trick does not work, since keys become too large when ε falls. So the
//! whole queue is put anew, ten entries for the price of one expansion, over as many steps as that takes; nothing is
//! expanded meanwhile. A change in mid-search leaves the keys good and only takes up what stood aside, unless it raises
//! ε or finds the agent elsewhere. In between, focus and bounds are as in [D* Lite](super::DStarLite).
//!
//! ε falls by `decrease` after every search, as long as nothing changes; a significant change, one that lies between the
//! agent and its goal, raises it by `increase` (the rule is the RTD* authors' program's; their paper gives the numbers only).
//! Changes that alter no value are never significant here, and one that comes while keys are being renewed leaves ε as
//! it is: those keys are by it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::dstar_lite::Focus;
use crate::graph::{ChangeLog, Graph, Pending, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::part;
use crate::parts::{Field, Halt, Key, Order, Pages, Tools, Vertex, choices};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::probe::SearchEvent;
use crate::registry::{BoxedPlanner, BuildError, Decimal, Facts, PlannerInfo, Spec};
use crate::save::SaveError;

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

/// The row of Anytime D* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "ad-star",
    name: "Anytime D*",
    paper: "Likhachev, Ferguson, Gordon, Stentz, Thrun 2005",
    summary: "D* Lite that finds a longer path sooner and improves it while the agent walks",
    facts: Facts { slice_invariant: false, ..Facts::FULL },
    params: &[EPSILON.param, DECREASE.param, INCREASE.param],
    adjust_facts: anytime_facts,
};

/// Builds it.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    Ok(Box::new(AdStar::new(weights(spec), Focus::PerEpisode, graph)))
}

/// It looks for better ways while the agent walks; for the best one only if its weight falls.
pub(super) fn anytime_facts(spec: &Spec, facts: Facts) -> Facts {
    let falls = spec.get(&DECREASE) > 0 || u64::from(spec.get(&EPSILON)) == ONE;
    Facts { slice_invariant: false, optimal: falls, ..facts }
}

pub(super) fn weights(spec: &Spec) -> Weights {
    Weights { epsilon: spec.get(&EPSILON), decrease: spec.get(&DECREASE), increase: spec.get(&INCREASE) }
}

/// One, in the millionths that ε is kept in; keys are in millionths of a cost, so that nothing is rounded.
const ONE: u64 = 1_000_000;
/// Queue entries put anew for the price of one refresh.
const REKEYED: u32 = 10;

/// How the weight of the heuristic goes up and down, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What it is at first, and at most.
    pub epsilon: u32,
    /// By how much it falls after a search.
    pub decrease: u32,
    /// By how much a significant change raises it.
    pub increase: u32,
}

impl Default for Weights {
    /// As in the RTD* paper: 3, less 0.5, plus 0.1.
    fn default() -> Self {
        Self { epsilon: 3_000_000, decrease: 500_000, increase: 100_000 }
    }
}

/// key(s) = [rhs + ε·h(focus, s); rhs] if s is over-consistent, else [g + h(focus, s); g].
struct Weighted<'a> {
    focus: NodeId,
    epsilon: u64,
    closed: &'a Pages<bool>,
}

impl<G: Graph> Order<G> for Weighted<'_> {
    #[inline]
    fn key(&self, graph: &G, n: NodeId, vertex: &Vertex) -> Key {
        let weight = if vertex.g > vertex.rhs { self.epsilon } else { ONE };
        weighted(vertex.least(), graph.h(self.focus, n), weight)
    }

    fn f(&self, Key(first, _): Key) -> Cost {
        Cost::new(u32::try_from(first / ONE).unwrap_or(u32::MAX))
    }

    fn is_closed(&self, n: NodeId) -> bool {
        self.closed.get(n.index())
    }
}

#[inline]
fn weighted(least: Cost, h: Cost, weight: u64) -> Key {
    if !least.is_finite() {
        return Key::LAST;
    }
    Key(u64::from(least.raw()) * ONE + u64::from(h.raw()) * weight, least.raw())
}

/// How far the search with the present ε has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Keys are being renewed, or what stood aside is taken up.
    Rekeying,
    Searching,
    /// It has finished, for where the agent is.
    Finished,
}

choices! { Progress: Rekeying, Searching, Finished }

/// Anytime D*: the search, and a planner that waits for its first answer.
#[derive(Clone, Debug)]
pub struct AdStar {
    weights: Weights,
    mode: Focus,
    field: Field,
    /// What has been expanded in this search.
    closed: Pages<bool>,
    focus: NodeId,
    epsilon: u64,
    /// ε of the last search that has finished.
    bound: u64,
    /// The changes seen so far.
    pub(super) cursor: u64,
    progress: Progress,
    /// Whether some search has finished since costs last changed and the agent was last thrown off its way.
    is_fit: bool,
    /// Where the agent is when it does what it is told: here, or on the next state.
    expected: [NodeId; 2],
    searches: u64,
}

impl AdStar {
    /// A planner for this graph, or for any other with as many nodes.
    pub fn new<G: Graph>(weights: Weights, mode: Focus, graph: &G) -> Self {
        Self {
            weights,
            mode,
            field: Field::requeueing(graph.bound()),
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

    /// The values found so far.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The weight of the heuristic in the present search, in millionths; of the last one that has finished if there is
    /// none.
    pub fn epsilon(&self) -> u64 {
        self.epsilon
    }

    /// The weight of the heuristic in the last search that has finished, in millionths: what that found costs at most so
    /// many times the shortest way.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Whether the search with the present weight has finished, for where the agent is.
    pub fn is_finished(&self) -> bool {
        self.progress == Progress::Finished
    }

    /// The key that this state has now.
    pub fn key<G: Graph>(&self, graph: &G, n: NodeId) -> Key {
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        order.key(graph, n, &self.field.vertex(n))
    }

    /// Forgets everything, in O(1).
    pub fn forget(&mut self) {
        self.field.clear();
        self.closed.clear();
        (self.is_fit, self.progress) = (false, Progress::Searching);
    }

    /// Digests what has changed, and searches on as far as the meter goes. [`Halt::Goal`] if downhill from here leads to
    /// the goal, at most ε times as dearly as the shortest way by the ε of the last search that finished: the way from
    /// here if that was here, else the whole way from where the agent was then and walked downhill since.
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
        let halt = self.proceed(graph, at, log, tools);
        // Where there is no answer the agent may have been thrown off its way and that not be looked at yet.
        if halt != Halt::Paused {
            self.expected = [at, if halt == Halt::Goal { self.field.vertex(at).next } else { at }];
        }
        tools.meter.count(WorkKind::Page, tools.pools.fills());
        halt
    }

    fn proceed<G: ReverseGraph>(
        &mut self,
        graph: &G,
        at: NodeId,
        log: &ChangeLog,
        tools: &mut Tools<'_>,
    ) -> Halt {
        if self.cursor != log.end() && !self.catch_up(graph, at, log, tools) {
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
                tools.tell(SearchEvent::AdoptPath);
            }
            if !self.field.vertex(at).rhs.is_finite() || !self.fall() {
                break;
            }
            if self.field.waiting() == 0 {
                // With nothing to look at again this way is the best by every ε. Rounds that charge nothing must not be
                // as many as ε has steps.
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

    /// Whether to turn to where the agent is now, though nothing calls for it.
    fn is_time_to_refocus(&self, meter: &Meter) -> bool {
        // As for D* Lite, where renewing all keys takes no more than half of what may be spent.
        let is_cheap = |share| self.field.waiting() as u64 <= share / 2 * u64::from(REKEYED);
        self.mode == Focus::PerStep || !self.is_fit && meter.expansions_left().is_none_or(is_cheap)
    }

    fn start<G: Graph>(
        &mut self,
        graph: &G,
        (at, goal): (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut Tools<'_>,
    ) {
        self.forget();
        (self.epsilon, self.bound) = (u64::from(self.weights.epsilon), u64::from(self.weights.epsilon));
        (self.focus, self.expected, self.cursor) = (at, [at; 2], log.end());
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        self.field.start(graph, goal, &order, tools);
        self.searches += 1;
    }

    /// All that is inconsistent is to be looked at again, by the present ε and from where the agent is now.
    fn search_anew(&mut self, at: NodeId) {
        self.focus = at;
        self.closed.clear();
        self.field.requeue();
        self.progress = Progress::Rekeying;
    }

    /// Digests changes in their order; false if some are left for the next step.
    fn catch_up<G: Graph>(&mut self, graph: &G, at: NodeId, log: &ChangeLog, tools: &mut Tools<'_>) -> bool {
        let (mut matters, mut is_significant) = (false, false);
        let has_fallen = log.has_decrease_since(self.cursor);
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        let (unread, goal) = ((log, &mut self.cursor), self.field.goal());
        let is_done = self.field.catch_up(graph, unread, &order, tools, |change| {
            matters = true;
            is_significant |= lies_between(graph, change.from, (at, goal));
        });
        // A fall that changes no value now may do so once those states have had another turn that stand aside, or will in
        // this search: their g is within the bound by the costs before.
        let is_loose = has_fallen && (!self.is_finished() || self.field.is_to_take_up());
        if matters || is_loose {
            self.answer(at, is_significant);
        }
        is_done
    }

    /// Begins again after a change that matters, or may.
    fn answer(&mut self, at: NodeId, is_significant: bool) {
        // The agent has walked on meanwhile: from an old focus the search would have to come much further.
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
            // Nothing has been expanded yet. One turn at a time: the present keys are finished first, by their own ε.
            self.epsilon = before;
        } else if self.is_finished() || has_left || self.epsilon != before {
            self.search_anew(at);
        } else {
            // In mid-search the keys are good: only what stood aside must come back.
            self.closed.clear();
            self.progress = Progress::Rekeying;
        }
    }

    /// Lowers ε, as far as it goes; whether it did.
    fn fall(&mut self) -> bool {
        let before = self.epsilon;
        self.epsilon = before.saturating_sub(u64::from(self.weights.decrease)).max(ONE);
        self.epsilon < before
    }

    /// Renews keys; false if some are left for the next step.
    fn rekey<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) -> bool {
        let order = Weighted { focus: self.focus, epsilon: self.epsilon, closed: &self.closed };
        // Whole portions only, so that a pause leaves none half paid for.
        while self.progress == Progress::Rekeying {
            if self.field.is_to_take_up() && !tools.meter.charge(WorkKind::Refresh) {
                return false;
            }
            if !(0..REKEYED).all(|_| self.field.take_up(graph, &order, tools)) {
                self.progress = Progress::Searching;
            }
        }
        true
    }

    /// Whether nothing on the queue can bring the way from here below what it costs by more than ε.
    ///
    /// Where the focus is not the agent's place, its own estimate has to be weighted like the others' for that.
    fn is_found<G: Graph>(&self, graph: &G, at: NodeId) -> bool {
        let here = self.field.vertex(at);
        let key = weighted(here.least(), graph.h(self.focus, at), self.epsilon);
        here.rhs <= here.g && self.field.top().is_none_or(|(_, top)| top >= key)
    }

    /// The paper's `ComputeorImprovePath`; false if the meter refused.
    fn compute<G: ReverseGraph>(&mut self, graph: &G, at: NodeId, tools: &mut Tools<'_>) -> bool {
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

    /// The next step of the way from here, once one is found.
    pub fn downhill(&self, at: NodeId) -> Option<NodeId> {
        self.field.vertex(at).next.some()
    }

    pub(super) fn statistics(&self) -> Stats {
        let (open_max, closed_max) = self.field.peaks();
        Stats { searches: self.searches, open_max, closed_max, ..Stats::default() }
    }
}

/// Whether a state lies between the agent and its goal: nearer to each than they are to each other.
fn lies_between<G: Graph>(graph: &G, x: NodeId, (at, goal): (NodeId, NodeId)) -> bool {
    let whole = graph.h(at, goal);
    let (from, to) = (graph.h(at, x), graph.h(x, goal));
    // The third condition of the program that this is from, that both together be less than twice the whole, follows.
    to < whole && from < whole
}

part! {
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
        if self.is_fit { self.field.downhill(at) } else { Vec::new() }
    }
}

impl<G: ReverseGraph> Planner<G> for AdStar {
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
