//! PR LRTA* (Bulitko, Sturtevant, Lu & Yau 2007): LRTA* on a level of a clique abstraction. Only the first move is
//! refined to a path on the map.
//!
//! In an episode, the agent's region performs a look-ahead of depth d on its level, learns ([`SlicedLookAhead`]), and
//! selects an adjacent region. A* then searches within the agent's own region, with estimates to the goal, until it
//! selects a node of the other region. The agent walks there, and the next episode starts. In the goal's region it
//! searches for the goal instead. The cells of a region are connected and every edge of a level corresponds to an
//! edge of the map, so such a path always exists.
//!
//! Both searches are sliced: they do what the budget covers, and the agent waits meanwhile. Any budget works, and
//! the expansions do not depend on it. An episode expands at most the largest ball of its depth on its level, and
//! the largest region ([`CliqueAbstraction::most_expansions`]).
//!
//! Complete: learned values of regions increase with every episode and are never too large, as for LRTA* on any
//! graph. The last level of the abstraction shows at once whether a path exists. The abstraction must match the
//! graph, so the world must be static. Otherwise the agent starts new episodes, and may wait forever.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::lrts::{DEEPEST, positive};
use super::sliced_lookahead::{SlicedLookAhead, StepResult};
use super::time_bounded::FACTS;
use crate::graph::{CliqueAbstraction, Embedded, Graph, Level, ReverseGraph};
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::planner_part;
use crate::probe::{SearchEvent, Stats};
use crate::save::SaveError;
use crate::search::{Halt, OpenKind, PagedTree, Search, SearchTools, TraceStatus, TreePath, enum_part};
use crate::spec::{BuildError, Facts, Int, IntOr, PlannerInfo, Resource, Resources, Share, Spec};

/// The facts of planners on an abstraction of a known map.
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
/// Maximum number of cells per region, and minimum number of regions, of a level that is chosen automatically.
/// Higher levels give shorter paths. But the agent waits while it searches within its region, so from some level on
/// it needs more ticks in total. With regions of this size no move took more than 1000 expansions, the limit that
/// the papers use.
const LARGEST: u32 = 1400;
const FEWEST: usize = 8;
const DEPTH: Int = Int::new("depth", "5", 1, DEEPEST, "look ahead by this many regions");
const GAMMA: Share =
    Share::new("gamma", "1", "weight of costs already paid: less makes it more daring; more than 0");

/// The row of PR LRTA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "pr-lrta",
    name: "PR LRTA*",
    paper: "Bulitko, Sturtevant, Lu, Yau 2007",
    summary: "LRTA* over the regions of an abstraction; only the path into the next region is searched",
    facts: ABSTRACT,
    params: &[LEVEL.param, DEPTH.param, GAMMA.param],
    adjust_facts: PlannerInfo::FIXED,
};

/// Builds the planner.
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

/// Returns the level for a map if the spec names none.
fn suitable_level(cliques: &CliqueAbstraction) -> usize {
    let suits = |level: &Level| level.len() >= FEWEST && level.largest() <= LARGEST;
    let levels = (1..=HIGHEST.min(cliques.level_count())).rev();
    levels.into_iter().find(|&level| cliques.level(level).is_some_and(suits)).unwrap_or(1)
}

/// Returns the names of the planner's resources.
pub(crate) fn resource_names(_: &Spec) -> Vec<String> {
    alloc::vec![Resources::CLIQUES.to_string()]
}

/// Computes a resource.
pub(crate) fn make_resource<G: Embedded>(_: &str, _: &Spec, graph: &G, _: &Resources) -> Option<Resource> {
    Some(Resource::Cliques(Arc::new(CliqueAbstraction::new(graph))))
}

/// The abstraction is not computed in parallel.
#[cfg(feature = "rayon")]
pub(crate) use make_resource as make_resource_parallel;

/// Parameters of PR LRTA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrLrtaConfig {
    /// The level of the abstraction; the last one if the number is too large.
    pub level: usize,
    /// The depth of the look-ahead.
    pub depth: u32,
    /// The weight of path costs in millionths: greater than zero, at most one million.
    pub gamma: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Episode {
    /// The next step starts an episode.
    Idle,
    Looking,
    Refining,
    Tracing,
    Walking,
}

enum_part! { Episode: Idle, Looking, Refining, Tracing, Walking }

/// The planner PR LRTA*.
#[derive(Clone, Debug)]
pub struct PrLrta {
    level: usize,
    cliques: Arc<CliqueAbstraction>,
    look_ahead: SlicedLookAhead,
    search: Search<PagedTree>,
    path: TreePath,
    phase: Episode,
    /// The agent's position at the start of the episode.
    start: NodeId,
    goal: NodeId,
    /// The regions of the start and of the goal, and the target region. The target is the start's own region if
    /// that contains the goal.
    regions: Regions,
    /// The cursor into the change log.
    cursor: u64,
    episodes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Regions {
    start: NodeId,
    goal: NodeId,
    next: NodeId,
}

planner_part! { Regions { saved: start, goal, next; fixed: } }

impl Regions {
    const NONE: Self = Self { start: NodeId::NONE, goal: NodeId::NONE, next: NodeId::NONE };
}

impl PrLrta {
    /// Creates a planner for the graph of `cliques`.
    pub fn new<G: Graph>(config: PrLrtaConfig, cliques: Arc<CliqueAbstraction>, graph: &G) -> Self {
        let (bound, level) = (graph.bound(), config.level.max(1).min(cliques.level_count()));
        let nodes = cliques.level(level).map_or(0, Level::len);
        Self {
            level,
            cliques,
            look_ahead: SlicedLookAhead::new(config.depth, config.gamma, nodes),
            search: Search::new(PagedTree::new(bound), OpenKind::Ring, bound, graph.max_f_increase()),
            path: TreePath::new(bound),
            phase: Episode::Idle,
            start: NodeId::NONE,
            goal: NodeId::NONE,
            regions: Regions::NONE,
            cursor: 0,
            episodes: 0,
        }
    }

    fn set_goal(&mut self, goal: NodeId) {
        self.look_ahead.h.clear();
        self.goal = goal;
        self.end_episode();
    }

    /// Clears searches and path, in O(1).
    fn end_episode(&mut self) {
        self.phase = Episode::Idle;
        self.look_ahead.search.clear(Cost::ZERO);
        self.search.clear(Cost::ZERO);
        self.path.clear();
    }

    /// Returns `true` if the agent is at a node that the episode cannot use.
    fn is_astray(&self, at: NodeId) -> bool {
        match self.phase {
            Episode::Idle => false,
            Episode::Walking => self.path.after(at, &self.search.nodes).is_none(),
            Episode::Looking | Episode::Refining | Episode::Tracing => at != self.start,
        }
    }

    /// Starts an episode. Returns `false` if there is no path to the goal.
    fn begin<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) -> bool {
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
            self.look_ahead.begin(start, level, tools);
        }
        true
    }

    /// Starts the search within the region.
    fn refine<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
        self.phase = Episode::Refining;
        self.look_ahead.search.clear(Cost::ZERO);
        self.search.start(self.start, graph.h(self.start, self.goal), tools);
    }

    fn look_on<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
        let Some(level) = self.cliques.level(self.level) else { return };
        match self.look_ahead.look_on(self.regions.goal, level, tools) {
            StepResult::Paused => {}
            StepResult::Nothing => self.end_episode(),
            StepResult::To(next) => {
                self.regions.next = next;
                self.refine(graph, tools);
            }
        }
    }

    fn search_on<G: Graph>(&mut self, graph: &G, tools: &mut SearchTools<'_>) {
        let (goal, Regions { start, next, .. }) = (self.goal, self.regions);
        let (cliques, level) = (&*self.cliques, self.level);
        let region = |n| cliques.node_at_level(n, level);
        let succs = |n, _| {
            graph.succs(n).filter(move |edge| {
                let there = region(edge.to);
                there == start || there == next
            })
        };
        let is_there = |_: &PagedTree, n| if next == start { n == goal } else { region(n) == next };
        match self.search.run_until(succs, |_, n| graph.h(n, goal), is_there, tools) {
            Halt::Goal => {
                let target = self.search.top().map_or(self.start, |(n, _)| n);
                tools.emit(SearchEvent::Subgoal { node: target, record: None });
                self.path.begin(target, &self.search.nodes, tools.pools);
                self.phase = Episode::Tracing;
            }
            // The abstraction does not match the current graph.
            Halt::Empty => self.end_episode(),
            Halt::Paused => {}
        }
    }

    fn think<G: Graph>(&mut self, graph: &G, at: NodeId, tools: &mut SearchTools<'_>) -> Decision {
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
            if self.path.trace(tree, NodeId::NONE, (0, u64::MAX), |_, _| true, tools) == TraceStatus::Done {
                self.phase = Episode::Walking;
                tools.emit(SearchEvent::AdoptPath);
            }
        }
        match self.phase {
            Episode::Walking => self.path.after(at, &self.search.nodes).map_or(Decision::Wait, Decision::Go),
            _ => Decision::Wait,
        }
    }
}

planner_part! {
    PrLrta {
        saved: phase, start, goal, regions, cursor, episodes, look_ahead, search, path;
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
        let Self { look_ahead, search, .. } = self;
        Stats {
            searches: self.episodes,
            open_max: search.open_max.max(look_ahead.search.open_max),
            closed_max: search.closed_max.max(look_ahead.search.closed_max),
            h_states: look_ahead.h.states() as u64,
            updates: look_ahead.updates,
            h_rise: look_ahead.h_rise,
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
        cx.meter.count(WorkKind::Page, cx.scratch.pools.page_faults());
        decision
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        if self.phase == Episode::Idle {
            // The rest of an older episode is cleared before the next one starts.
            return Ok(());
        }
        let (here, goal) = (self.start, self.goal);
        let Regions { start, goal: of_goal, next } = self.regions;
        let traced = matches!(self.phase, Episode::Tracing | Episode::Walking);
        let has_ends = here.is_some() && goal.is_some() && next.index() < self.look_ahead.h.nodes();
        if !has_ends || traced && self.path.is_empty() {
            return Err(SaveError::new("its episode has no start, goal or path"));
        }
        if start != self.cliques.node_at_level(here, self.level)
            || of_goal != self.cliques.node_at_level(goal, self.level)
        {
            return Err(SaveError::new("its regions are not those of its start and goal"));
        }
        self.search.check(|n| graph.h(n, goal))?;
        if self.phase == Episode::Looking { self.look_ahead.check(start) } else { Ok(()) }
    }
}
