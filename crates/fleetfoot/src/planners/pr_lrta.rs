//! PR LRTA* (Bulitko, Sturtevant, Lu & Yau 2007): LRTA* on a level of a clique abstraction, of which only the first
//! move is worked out on the ground.
//!
//! An episode: the agent's region looks ahead d regions far on its level, learns ([`Outlook`]), and decides on a neighbouring
//! region. A* then looks for a way there, over the ground of the agent's own region alone, by the estimates to the goal: the
//! first state of the other region that it selects ends it. The agent walks there, and the next episode begins. In the
//! goal's own region it looks for the goal instead. The ground of a region is connected and every edge of a level is one of
//! the ground, so there is always such a way.
//!
//! Both searches are sliced: they do what the meter grants, and the agent waits meanwhile. So any budget will do, and what is
//! expanded does not depend on it. An episode expands no more than the largest ball of its depth on its level and the largest
//! region ([`CliqueAbstraction::most_expansions`]).
//!
//! Complete: learned values of regions rise with every episode, and are never too large, as for LRTA* on any graph.
//! Whether there is a way at all the abstraction's last level tells at once. It must be that of the graph as it is: the
//! world has to stand still. Where it does not, the agent begins new episodes, and may wait for ever.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::lrts::{DEEPEST, positive};
use super::outlook::{Outlook, View};
use super::time_bounded::FACTS;
use crate::graph::{CliqueAbstraction, Embedded, Graph, Level, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::part;
use crate::parts::{Halt, OpenKind, Path, Search, Tools, Trace, Tree, choices};
use crate::planner::{Decision, Planner, PlannerState, Reset, Stats, StepContext};
use crate::probe::SearchEvent;
use crate::registry::{
    BoxedPlanner, BuildError, Facts, Int, IntOr, PlannerInfo, Resource, Resources, Share, Spec,
};
use crate::save::SaveError;

/// What holds for those that think on an abstraction of a map that they know.
pub(super) const ABSTRACT: Facts =
    Facts { optimal: false, needs_positions: true, static_only: true, ..FACTS };

const LEVEL: IntOr = IntOr::new(
    "level",
    "auto",
    "auto",
    1,
    HIGHEST as u64,
    "level of the clique abstraction to think on; a region there has up to 4 to its power cells, and tails. By itself the \
     highest with regions of at most 1400 cells, and eight of them",
);
const HIGHEST: usize = 8;
/// Cells of a region at most, and regions at least, on a level that is chosen for a map. The higher the level, the shorter the
/// walks; but the agent stands while it searches the ground of a region, so that it takes more ticks in all from some level
/// on. With regions of that size no move was seen to take more than 1000 expansions, where the papers draw their line.
const LARGEST: u32 = 1400;
const FEWEST: usize = 8;
const DEPTH: Int = Int::new("depth", "5", 1, DEEPEST, "look ahead by this many regions");
const GAMMA: Share =
    Share::new("gamma", "1", "weight of costs already paid: less makes it more daring; more than 0");

/// The row of PR LRTA* in the list of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "pr-lrta",
    name: "PR LRTA*",
    paper: "Bulitko, Sturtevant, Lu, Yau 2007",
    summary: "LRTA* over the regions of an abstraction; only the path into the next region is searched",
    facts: ABSTRACT,
    params: &[LEVEL.param, DEPTH.param, GAMMA.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds it.
pub(crate) fn build<G: Embedded>(
    spec: &Spec,
    graph: &G,
    resources: &Resources,
) -> Result<BoxedPlanner<G>, BuildError> {
    let cliques = resources.cliques(graph)?;
    let level = spec.get(&LEVEL).map_or_else(|| suitable_level(&cliques), |level| level as usize);
    let config = PrLrtaConfig { level, depth: spec.get(&DEPTH) as u32, gamma: positive(spec.get(&GAMMA))? };
    Ok(Box::new(PrLrta::new(config, cliques, graph)))
}

/// The level that suits a map, where nobody says which.
fn suitable_level(cliques: &CliqueAbstraction) -> usize {
    let suits = |level: &Level| level.len() >= FEWEST && level.largest() <= LARGEST;
    let levels = (1..=HIGHEST.min(cliques.level_count())).rev();
    levels.into_iter().find(|&level| cliques.level(level).is_some_and(suits)).unwrap_or(1)
}

/// The names of what it uses.
pub(crate) fn resource_names(_: &Spec) -> Vec<String> {
    alloc::vec![Resources::CLIQUES.to_string()]
}

/// Makes what it uses.
pub(crate) fn make_resource<G: Embedded>(_: &str, _: &Spec, graph: &G, _: &Resources) -> Option<Resource> {
    Some(Resource::Cliques(Arc::new(CliqueAbstraction::new(graph))))
}

/// The same: it is not made by many threads.
#[cfg(feature = "rayon")]
pub(crate) use make_resource as make_resource_parallel;

/// Parameters of PR LRTA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrLrtaConfig {
    /// The level to think on; the last one that there is for larger numbers.
    pub level: usize,
    /// How many edges far to look there.
    pub depth: u32,
    /// Weight of costs already paid, in millionths: at most a million, and more than nothing.
    pub gamma: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Episode {
    /// The next step begins an episode.
    Idle,
    Looking,
    Refining,
    Tracing,
    Walking,
}

choices! { Episode: Idle, Looking, Refining, Tracing, Walking }

/// PR LRTA* as a planner.
#[derive(Clone, Debug)]
pub struct PrLrta {
    level: usize,
    cliques: Arc<CliqueAbstraction>,
    outlook: Outlook,
    search: Search<Tree>,
    path: Path,
    phase: Episode,
    /// Where the agent was when the episode began.
    start: NodeId,
    goal: NodeId,
    /// The regions of the start and of the goal, and the one to go to: the start's own if the goal lies there.
    regions: Regions,
    /// The changes seen so far.
    cursor: u64,
    episodes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Regions {
    start: NodeId,
    goal: NodeId,
    next: NodeId,
}

part! { Regions { saved: start, goal, next; fixed: } }

impl Regions {
    const NONE: Self = Self { start: NodeId::NONE, goal: NodeId::NONE, next: NodeId::NONE };
}

impl PrLrta {
    /// A planner for the graph that `cliques` were made of.
    pub fn new<G: Graph>(config: PrLrtaConfig, cliques: Arc<CliqueAbstraction>, graph: &G) -> Self {
        let (bound, level) = (graph.bound(), config.level.max(1).min(cliques.level_count()));
        let nodes = cliques.level(level).map_or(0, Level::len);
        Self {
            level,
            cliques,
            outlook: Outlook::new(config.depth, config.gamma, nodes),
            search: Search::new(Tree::new(bound), OpenKind::Ring, bound, graph.max_f_increase()),
            path: Path::new(bound),
            phase: Episode::Idle,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            regions: Regions::NONE,
            cursor: 0,
            episodes: 0,
        }
    }

    fn set_goal(&mut self, goal: NodeId) {
        self.outlook.h.clear();
        self.goal = goal;
        self.end_episode();
    }

    /// Forgets searches and path, in O(1).
    fn end_episode(&mut self) {
        self.phase = Episode::Idle;
        self.outlook.search.clear(Cost::ZERO);
        self.search.clear(Cost::ZERO);
        self.path.clear();
    }

    /// Whether the agent is somewhere that the episode has no use for.
    fn is_astray(&self, at: NodeId) -> bool {
        match self.phase {
            Episode::Idle => false,
            Episode::Walking => self.path.after(at, &self.search.nodes).is_none(),
            Episode::Looking | Episode::Refining | Episode::Tracing => at != self.start,
        }
    }

    /// Begins an episode; false if no way leads to the goal.
    fn begin<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut Tools<'_>) -> bool {
        let Self { cliques, level, goal, .. } = self;
        if !cliques.is_connected(at, *goal) {
            return false;
        }
        let (start, of_goal) = (cliques.node_at_level(at, *level), cliques.node_at_level(*goal, *level));
        self.regions = Regions { start, goal: of_goal, next: start };
        (self.start, self.phase) = (at, Episode::Looking);
        self.episodes += 1;
        if start == of_goal {
            self.refine(graph, tools);
        } else if let Some(level) = self.cliques.level(self.level) {
            self.outlook.begin(start, level, tools);
        }
        true
    }

    /// Begins to look for a way on the ground.
    fn refine<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) {
        self.phase = Episode::Refining;
        self.outlook.search.clear(Cost::ZERO);
        self.search.start(self.start, graph.h(self.start, self.goal), tools);
    }

    fn look_on<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) {
        let Some(level) = self.cliques.level(self.level) else { return };
        match self.outlook.look_on(self.regions.goal, level, tools) {
            View::Paused => {}
            View::Nothing => self.end_episode(),
            View::To(next) => {
                self.regions.next = next;
                self.refine(graph, tools);
            }
        }
    }

    fn search_on<G: Graph>(&mut self, graph: &G, tools: &mut Tools<'_>) {
        let (goal, Regions { start, next, .. }) = (self.goal, self.regions);
        let (cliques, level) = (&*self.cliques, self.level);
        let region = |n| cliques.node_at_level(n, level);
        let succs = |n, _| {
            graph.succs(n).filter(move |edge| {
                let there = region(edge.to);
                there == start || there == next
            })
        };
        let is_there = |_: &Tree, n| if next == start { n == goal } else { region(n) == next };
        match self.search.run_until(succs, |_, n| graph.h(n, goal), is_there, tools) {
            Halt::Goal => {
                let target = self.search.top().map_or(self.start, |(n, _)| n);
                tools.tell(SearchEvent::Subgoal { node: target, record: None });
                self.path.begin(target, &self.search.nodes, tools.pools);
                self.phase = Episode::Tracing;
            }
            // The abstraction is not that of the graph as it is.
            Halt::Empty => self.end_episode(),
            Halt::Paused => {}
        }
    }

    fn think<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut Tools<'_>) -> Decision {
        if self.phase == Episode::Idle && !self.begin(graph, at, tools) {
            return Decision::NoPath;
        }
        if self.phase == Episode::Looking {
            self.look_on(graph, tools);
        }
        if self.phase == Episode::Refining {
            self.search_on(graph, tools);
        }
        if self.phase == Episode::Tracing {
            let tree = &self.search.nodes;
            if self.path.trace(tree, NodeId::NONE, (0, u64::MAX), |_, _| true, tools) == Trace::Done {
                self.phase = Episode::Walking;
                tools.tell(SearchEvent::AdoptPath);
            }
        }
        match self.phase {
            Episode::Walking => self.path.after(at, &self.search.nodes).map_or(Decision::Wait, Decision::Go),
            _ => Decision::Wait,
        }
    }
}

part! {
    PrLrta {
        saved: phase, start, goal, regions, cursor, episodes, outlook, search, path;
        fixed: level, cliques
    }
}

impl PlannerState for PrLrta {
    fn graph_bound(&self) -> usize {
        self.path.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        self.end_episode();
        if keep == Reset::Full {
            self.set_goal(NodeId::NONE);
        }
    }

    fn search_stats(&self) -> Stats {
        let Self { outlook, search, .. } = self;
        Stats {
            searches: self.episodes,
            open_max: search.open_max.max(outlook.search.open_max),
            closed_max: search.closed_max.max(outlook.search.closed_max),
            h_states: outlook.h.states() as u64,
            updates: outlook.updates,
            h_rise: outlook.h_rise,
            memory_bytes: 0,
        }
    }

    fn path(&self, at: NodeId) -> Vec<NodeId> {
        if self.phase == Episode::Walking { self.path.rest(at, &self.search.nodes) } else { Vec::new() }
    }
}

impl<G: ReverseGraph> Planner<G> for PrLrta {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let (graph, at, goal) = (cx.graph, cx.at, cx.goal);
        if goal != self.goal {
            self.set_goal(goal);
        }
        if at == goal {
            return Decision::Wait;
        }
        if self.cursor != cx.changes.end() || self.is_astray(at) {
            self.cursor = cx.changes.end();
            self.end_episode();
        }
        let decision = self.think(graph, at, &mut cx.tools());
        cx.meter.count(WorkKind::Page, cx.scratch.pools.fills());
        decision
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        if self.phase == Episode::Idle {
            // Whatever is left of an older episode is cleared before the next begins.
            return Ok(());
        }
        let (here, goal) = (self.start, self.goal);
        let Regions { start, goal: of_goal, next } = self.regions;
        let traced = matches!(self.phase, Episode::Tracing | Episode::Walking);
        let has_ends = here.is_some() && goal.is_some() && next.index() < self.outlook.h.nodes();
        if !has_ends || traced && self.path.is_empty() {
            return Err(SaveError::new("its episode has no start, goal or path"));
        }
        if start != self.cliques.node_at_level(here, self.level)
            || of_goal != self.cliques.node_at_level(goal, self.level)
        {
            return Err(SaveError::new("its regions are not those of its start and goal"));
        }
        self.search.check(|n| graph.h(n, goal))?;
        if self.phase == Episode::Looking { self.outlook.check(start) } else { Ok(()) }
    }
}
