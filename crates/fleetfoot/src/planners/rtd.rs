//! RTD* (Bond, Widger, Ruml & Sun 2010): a global search from the goal that is repaired after changes, and a local
//! search that moves the agent until the global one has reached it.
//!
//! Each step gives a share of its budget to [D* Lite](super::DStarLite) or [Anytime D*](super::AdStar). If that
//! knows a path from the agent, the agent follows it. Otherwise the other share goes to a learner, which always has
//! a move. So the agent moves in every step, within its bound, and follows shortest paths whenever the world is
//! static for long enough. Costs may increase and decrease.
//!
//! Of a budget of L expansions, ⌈ratio·L⌉ belong to the local search and the rest to the global one, as in the
//! authors' program. With a budget of 1 only the learner runs. The learner always gets at least one expansion with
//! its learning, even if all work is charged, and under a deadline.
//!
//! In a static world the agent arrives with every budget, since its learners do. In a changing world no algorithm
//! can guarantee that: two doors, each of which closes when the agent approaches, keep it moving back and forth.
//! Learned values are kept when costs decrease; the global search handles decreases.
//!
//! Without a learner it is RTD* `NoOp`, which waits: the baseline of the paper.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::ad_star::{DECREASE, EPSILON, INCREASE, anytime_facts, weights};
use super::dstar_lite::KeyFocus;
use super::{
    AdStar, Avoid, DStarLite, FrontierRule, LookAhead, LookAheadLimit, Lrta, LrtaConfig, LssLrta, Rtaa, Tla,
};
use crate::graph::{ChangeLog, Graph, Limits, ReverseGraph};
use crate::id::NodeId;
use crate::meter::{Limit, Prices, WorkKind};
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::Stats;
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::{Halt, PageCounts, PlannerPart, Pools, SearchTools, delegate_part, reborrow};
use crate::spec::{BuildError, Choice, Facts, PlannerInfo, Share, Spec};

/// The names of the global searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    DStarLite,
    AdStar,
}

/// The names of the local searches.
#[derive(Clone, Copy)]
enum Near {
    Lrta,
    Tla,
    LssLrta,
    Rtaa,
}

const GLOBAL: Choice<Far> = Choice::new(
    "global",
    &["dstar-lite", "ad-star"],
    &[Far::DStarLite, Far::AdStar],
    "the global search: exact, or weighted at first so that it reaches the agent sooner",
);
const LOCAL: Choice<Near> = Choice::new(
    "local",
    &["lrta", "tla", "lss-lrta", "rtaa"],
    &[Near::Lrta, Near::Tla, Near::LssLrta, Near::Rtaa],
    "the learner that moves the agent meanwhile",
)
.or("lss-lrta");
const RATIO: Share = Share::new(
    "ratio",
    "0.5",
    "the learner's part of the budget; one expansion at least, and with 1 the learner is all there is",
);
const FOCUS: Choice<KeyFocus> = Choice::new(
    "focus",
    &["per-episode", "per-step", "on-change"],
    &[KeyFocus::PerEpisode, KeyFocus::PerStep, KeyFocus::OnChange],
    "move the focus of the global search to the agent: per search; per step, which may starve it; as the paper's program",
);
const NO_PATH: Choice<NoPathPolicy> = Choice::new(
    "no-path",
    &["report", "wait", "local"],
    &[NoPathPolicy::Report, NoPathPolicy::Wait, NoPathPolicy::Local],
    "if there is no path: report it, and wait while the world may change; wait; move by the learner",
);
const SHARE_LEFTOVER: Choice<bool> = Choice::switch(
    "share-leftover",
    false,
    "give the global search what the learner leaves of its budget; not in the paper",
);

/// The row of RTD* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "rtd",
    name: "RTD*",
    paper: "Bond, Widger, Ruml, Sun 2010",
    summary: "a learner moves the agent until a repaired search from the goal reaches it; for changing worlds",
    facts: Facts { proves_no_path: false, slice_invariant: false, ..Facts::FULL },
    params: &[
        GLOBAL.param,
        LOCAL.param,
        RATIO.param,
        FOCUS.param,
        NO_PATH.param,
        SHARE_LEFTOVER.param,
        EPSILON.param,
        DECREASE.param,
        INCREASE.param,
    ],
    adjust_facts: |spec, facts| {
        // Only the learner runs.
        if u64::from(spec.get(&RATIO)) == WHOLE {
            Facts { falling_costs: false, ..facts }
        } else {
            far_facts(spec, facts)
        }
    },
};

/// Builds the planner.
pub(crate) fn build<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let global = global(spec, graph)?;
    let ahead = LookAhead { expansions: None, moves: None };
    let lrta = LrtaConfig { reach: LookAheadLimit::Depth(u64::MAX), rule: FrontierRule::PathMax, goals: 1 };
    let local = match spec.get(&LOCAL) {
        Near::Lrta => RtdLocal::Lrta(Lrta::new(lrta, graph)),
        Near::Tla => RtdLocal::Tla(Tla::new(None, graph)),
        Near::LssLrta => RtdLocal::LssLrta(LssLrta::new(ahead, Avoid::Nothing, graph)),
        Near::Rtaa => RtdLocal::Rtaa(Rtaa::new(ahead, Avoid::Nothing, graph)),
    };
    let (ratio, no_way, share_leftover) = (spec.get(&RATIO), spec.get(&NO_PATH), spec.get(&SHARE_LEFTOVER));
    Ok(Box::new(Rtd::new(RtdConfig { ratio, no_way, share_leftover }, global, local)))
}

/// The row of RTD* `NoOp` in the table of algorithms.
pub(crate) const NO_OP: PlannerInfo = PlannerInfo {
    key: "rtd-noop",
    name: "RTD* NoOp",
    paper: "Bond, Widger, Ruml, Sun 2010",
    summary: "RTD* without a learner: waits until the repaired search reaches it; for comparison",
    facts: Facts::FULL,
    params: &[GLOBAL.param, FOCUS.param, EPSILON.param, DECREASE.param, INCREASE.param],
    adjust_facts: far_facts,
};

/// Builds the planner without a learner.
pub(crate) fn build_no_op<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let config = RtdConfig { ratio: 0, no_way: NoPathPolicy::Report, share_leftover: false };
    Ok(Box::new(Rtd::new(config, global(spec, graph)?, RtdLocal::NoOp)))
}

/// Returns the facts for a global search.
fn far_facts(spec: &Spec, facts: Facts) -> Facts {
    match (spec.get(&FOCUS), spec.get(&GLOBAL)) {
        // Its keys may be wrong.
        (KeyFocus::OnChange, _) => Facts { optimal: false, ..facts },
        (_, Far::AdStar) => anytime_facts(spec, facts),
        (_, Far::DStarLite) => facts,
    }
}

fn global<G: ReverseGraph>(spec: &Spec, graph: &G) -> Result<RtdGlobal, BuildError> {
    let focus = spec.get(&FOCUS);
    if spec.get(&GLOBAL) == Far::AdStar {
        if focus == KeyFocus::OnChange {
            return Err(BuildError::new(
                "`focus=on-change` is about D* Lite's keys; leave it out, or take global=dstar-lite",
            ));
        }
        return Ok(RtdGlobal::AdStar(AdStar::new(weights(spec), focus, graph)));
    }
    if [EPSILON, DECREASE, INCREASE].iter().any(|weight| spec.is_set(weight.param.name)) {
        return Err(BuildError::new(
            "`epsilon`, `decrease` and `increase` are Anytime D*'s; add global=ad-star",
        ));
    }
    Ok(RtdGlobal::DStarLite(DStarLite::new(focus, graph)))
}

/// The global search.
#[derive(Clone, Debug)]
pub enum RtdGlobal {
    /// D* Lite.
    DStarLite(DStarLite),
    /// Anytime D*.
    AdStar(AdStar),
}

impl RtdGlobal {
    fn repair<G: ReverseGraph>(
        &mut self,
        graph: &G,
        ends: (NodeId, NodeId),
        log: &ChangeLog,
        tools: &mut SearchTools<'_>,
    ) -> Halt {
        match self {
            Self::DStarLite(search) => search.repair(graph, ends, log, tools),
            Self::AdStar(search) => search.repair(graph, ends, log, tools),
        }
    }

    /// Returns `true` if all changes were processed.
    fn has_seen(&self, log: &ChangeLog) -> bool {
        match self {
            Self::DStarLite(search) => search.cursor == log.end(),
            Self::AdStar(search) => search.cursor == log.end(),
        }
    }

    fn next_toward_goal(&self, at: NodeId) -> Option<NodeId> {
        match self {
            Self::DStarLite(search) => search.next_toward_goal(at),
            Self::AdStar(search) => search.next_toward_goal(at),
        }
    }

    fn state(&self) -> &dyn PlannerState {
        match self {
            Self::DStarLite(search) => search,
            Self::AdStar(search) => search,
        }
    }

    fn state_mut(&mut self) -> &mut dyn PlannerState {
        match self {
            Self::DStarLite(search) => search,
            Self::AdStar(search) => search,
        }
    }

    fn check<G: ReverseGraph>(&self, graph: &G) -> Result<(), SaveError> {
        match self {
            Self::DStarLite(search) => search.check(graph),
            Self::AdStar(search) => search.check(graph),
        }
    }
}

/// The local search.
#[derive(Clone, Debug)]
pub enum RtdLocal {
    /// None: the agent waits.
    NoOp,
    /// LRTA*, with a depth limited by its share of the budget.
    Lrta(Lrta),
    /// TLA*.
    Tla(Tla),
    /// LSS-LRTA*.
    LssLrta(LssLrta),
    /// RTAA*.
    Rtaa(Rtaa),
}

impl RtdLocal {
    fn state(&self) -> Option<&dyn PlannerState> {
        match self {
            Self::NoOp => None,
            Self::Lrta(learner) => Some(learner),
            Self::Tla(learner) => Some(learner),
            Self::LssLrta(learner) => Some(learner),
            Self::Rtaa(learner) => Some(learner),
        }
    }

    fn state_mut(&mut self) -> Option<&mut dyn PlannerState> {
        match self {
            Self::NoOp => None,
            Self::Lrta(learner) => Some(learner),
            Self::Tla(learner) => Some(learner),
            Self::LssLrta(learner) => Some(learner),
            Self::Rtaa(learner) => Some(learner),
        }
    }

    fn planner_mut<G: ReverseGraph>(&mut self) -> Option<&mut dyn Planner<G>> {
        match self {
            Self::NoOp => None,
            Self::Lrta(learner) => Some(learner),
            Self::Tla(learner) => Some(learner),
            Self::LssLrta(learner) => Some(learner),
            Self::Rtaa(learner) => Some(learner),
        }
    }
}

impl RtdLocal {
    fn check<G: ReverseGraph>(&self, graph: &G) -> Result<(), SaveError> {
        match self {
            Self::NoOp => Ok(()),
            Self::Lrta(learner) => learner.check(graph),
            Self::Tla(learner) => learner.check(graph),
            Self::LssLrta(learner) => learner.check(graph),
            Self::Rtaa(learner) => learner.check(graph),
        }
    }

    /// Returns the cost of the first expansion and its learning, in whole expansions.
    fn first_lesson<G: Graph>(&self, graph: &G, prices: &Prices) -> u64 {
        let price = |kind| u64::from(prices.of(kind));
        let compared = match self {
            Self::Lrta(_) => {
                price(WorkKind::Compare).saturating_mul((graph.max_degree() as u64).saturating_add(1))
            }
            _ => 0,
        };
        let lesson = price(WorkKind::Expand) + 2 * price(WorkKind::Learn) + price(WorkKind::Trace);
        lesson.saturating_add(compared).div_ceil(10)
    }
}

/// What to do while the global search has proved that there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NoPathPolicy {
    /// Report it. The caller decides; if the world can change, the agent waits meanwhile.
    #[default]
    Report,
    /// Wait, as if the search were not finished.
    Wait,
    /// Let the local search move the agent, as in the authors' program.
    Local,
}

/// Parameters of RTD*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtdConfig {
    /// The local search's share of the budget, in millionths.
    pub ratio: u32,
    /// What to do if there is no path.
    pub no_way: NoPathPolicy,
    /// Gives the global search the part of the budget that the local search does not use. Not in the paper.
    pub share_leftover: bool,
}

/// A share of 100 %.
const WHOLE: u64 = 1_000_000;

/// The planner RTD*.
#[derive(Clone, Debug)]
pub struct Rtd {
    config: RtdConfig,
    global: RtdGlobal,
    local: RtdLocal,
}

impl Rtd {
    /// Combines two searches to RTD*.
    pub fn new(config: RtdConfig, global: RtdGlobal, local: RtdLocal) -> Self {
        Self { config, global, local }
    }

    /// Returns the global search.
    pub fn global(&self) -> &RtdGlobal {
        &self.global
    }

    /// Runs the global search with its share of the budget.
    fn look_far<G: ReverseGraph>(&mut self, cx: &mut StepContext<'_, G>) -> Halt {
        let (graph, ends, log) = (cx.graph, (cx.at, cx.goal), cx.changes);
        let lesson = self.local.first_lesson(graph, cx.meter.prices());
        let (mut tools, ratio) = (cx.tools(), u64::from(self.config.ratio));
        let limit = match tools.meter.expansions_left().filter(|_| !tools.meter.is_timed()) {
            _ if matches!(self.local, RtdLocal::NoOp) => Limit::NONE,
            None => tools.meter.fraction(WHOLE - ratio, WHOLE),
            Some(budget) => {
                let local = (u128::from(budget) * u128::from(ratio)).div_ceil(u128::from(WHOLE)) as u64;
                match budget.saturating_sub(local.max(lesson)) {
                    0 => return Halt::Paused,
                    global => tools.meter.limit(global),
                }
            }
        };
        let outer = tools.meter.narrow(limit);
        let halt = self.global.repair(graph, ends, log, &mut tools);
        tools.meter.widen(outer);
        halt
    }

    /// Lets the local search decide.
    fn look_near<G: ReverseGraph>(&mut self, cx: &mut StepContext<'_, G>) -> Decision {
        let Some(local) = self.local.planner_mut::<G>() else { return Decision::Wait };
        // It always has a move, even after the deadline.
        cx.meter.allow_first_expansion();
        cx.tools().emit_switch(true);
        let StepContext { graph, at, goal, changes, meter, scratch, probe } = cx;
        let (graph, at, goal, changes) = (*graph, *at, *goal, *changes);
        let decision =
            local.plan_step(StepContext { graph, at, goal, changes, meter, scratch, probe: reborrow(probe) });
        cx.tools().emit_switch(false);
        let to = if let Decision::Go(to) = decision { to } else { at };
        let is_some_left = cx.meter.expansions_left().is_some_and(|left| left > 0);
        // Changes are processed once per step; here, if the global search has no share of its own.
        let may_search = self.global.has_seen(changes) || cx.meter.work()[WorkKind::Change] == 0;
        if self.config.share_leftover && is_some_left && to != goal && may_search {
            // In the next step the agent will be there.
            self.global.repair(graph, (to, goal), changes, &mut cx.tools());
        }
        match (decision, self.config.no_way) {
            (Decision::NoPath, NoPathPolicy::Wait) => Decision::Wait,
            (decision, _) => decision,
        }
    }
}

delegate_part! { RtdGlobal, search => search.state(), search.state_mut() }

impl PlannerPart for RtdLocal {
    fn write(&self, out: &mut dyn SaveWriter) {
        if let Some(learner) = self.state() {
            learner.write(out);
        }
    }

    fn read(&mut self, limits: &Limits, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        self.state_mut().map_or(Ok(()), |learner| learner.read(limits, from))
    }

    fn release_pages(&mut self, pools: &mut Pools) {
        if let Some(learner) = self.state_mut() {
            learner.release_pages(pools);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.state().map_or(0, PlannerPart::memory_bytes)
    }

    fn count_pages(&self, nodes: usize, needs: &mut PageCounts) {
        if let Some(learner) = self.state() {
            learner.count_pages(nodes, needs);
        }
    }
}

planner_part! { Rtd { saved: global, local; fixed: config } }

impl PlannerState for Rtd {
    fn graph_bound(&self) -> usize {
        self.global.state().graph_bound()
    }

    fn reset(&mut self, keep: Reset) {
        self.global.state_mut().reset(keep);
        if let Some(local) = self.local.state_mut() {
            local.reset(keep);
        }
    }

    fn search_stats(&self) -> Stats {
        let far = self.global.state().search_stats();
        let near = self.local.state().map_or(Stats::default(), PlannerState::search_stats);
        Stats {
            searches: far.searches + near.searches,
            open_max: far.open_max.max(near.open_max),
            closed_max: far.closed_max.max(near.closed_max),
            ..near
        }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        match (self.global.state().path(at), self.local.state()) {
            (path, Some(local)) if path.is_empty() => local.path(at),
            (path, _) => path,
        }
    }
}

impl<G: ReverseGraph> Planner<G> for Rtd {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        if cx.at == cx.goal {
            return Decision::Wait;
        }
        match self.look_far(&mut cx) {
            Halt::Goal => {
                // The local search's route does not continue from the agent's next position.
                if let Some(local) = self.local.state_mut() {
                    local.reset(Reset::KeepLearned);
                }
                self.global.next_toward_goal(cx.at).map_or(Decision::Wait, Decision::Go)
            }
            Halt::Paused => self.look_near(&mut cx),
            Halt::Empty => match self.config.no_way {
                NoPathPolicy::Report => Decision::NoPath,
                NoPathPolicy::Wait => Decision::Wait,
                NoPathPolicy::Local => self.look_near(&mut cx),
            },
        }
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        self.global.check(graph)?;
        self.local.check(graph)
    }
}
