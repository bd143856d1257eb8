//! Corner TBA*: time-bounded A* on obstacle corners, for grids that are known, explored, or changing. Not from a
//! paper.
//!
//! A single A* search over the grid's corner index ([`Corners`]) continues from step to step, rooted at the agent's
//! position when it started. From the first step on the agent moves toward the most promising corner, along the
//! edges of the search tree. If it is not on the path there, it walks back up the tree until it is. There are 10 to
//! 100 times fewer corners than cells, so a small budget covers most of the search.
//!
//! A step makes as many expansions as its budget covers. Scans for connections that are not stored, and following
//! connections, are charged as [`WorkKind::Scan`]. If that is free, a step is limited to [`SCANS`] of them per
//! expansion of its budget, so that no step depends on the size of the map. The scans around the goal and around a
//! corner pause when the budget is exhausted, and continue in the next step. Within a search, the order of
//! expansions does not depend on the pauses.
//!
//! For changes, see `changes.rs`. Searches toward the same goal improve h as Adaptive A* does, until a cost
//! decreases.

mod changes;
mod follow;
mod save;

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use self::follow::Leg;
use super::change_reader::ChangeReader;
use crate::corners::{BySlot, CornerSearch, Corners, Limit, Names as _, Pending, Stage, Terrain, cell};
use crate::graph::{Graph, Undirected};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::meter::WorkKind;
use crate::planner::{BoxedPlanner, Decision, Planner, PlannerState, Reset, StepContext};
use crate::probe::Stats;
use crate::save::SaveError;
use crate::search::{AdaptiveTree, SearchTools, SearchTree, TreePath};
use crate::spec::{BuildError, Choice, Facts, PlannerInfo, Spec};

const OFF_WAY: Choice<OffPathPolicy> = Choice::new(
    "off-way",
    &["choose", "walk-back"],
    &[OffPathPolicy::Choose, OffPathPolicy::WalkBack],
    "the goal is found and the agent is off the path: search again if that can save much, or always walk back",
);

/// The row of Corner TBA* in the table of algorithms.
pub(crate) const INFO: PlannerInfo = PlannerInfo {
    key: "corner-tba",
    name: "Corner TBA*",
    paper: "our own; corners as in Uras, Koenig, Hernández 2013",
    summary: "TBA* over the corners of obstacles: nearly the whole search at small budgets, in any world of plain grids",
    facts: Facts { slice_invariant: false, needs_undirected: true, needs_corner_index: true, ..Facts::FULL },
    params: &[OFF_WAY.param],
    adjust_facts: |_, facts| facts,
};

/// Builds the planner on a grid with a corner index.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let refuse = |why: &str| {
        BuildError::new(format!(
            "Corner TBA* searches the corners of a plain grid, and here {why}; use tba on known maps, tbaa where \
             ground becomes known, rtd(share-leftover=on) where it changes"
        ))
    };
    let grid = Grid::of(graph).ok_or_else(|| refuse("the graph is no grid"))?;
    if grid.corners().is_none() {
        let why =
            Corners::unsupported_reason(grid).unwrap_or("the grid has no index of them (Grid::with_corners)");
        return Err(refuse(why));
    }
    Ok(Box::new(CornerTba::new(spec.get(&OFF_WAY), grid)))
}

/// Words scanned, or connections followed, per expansion of the budget if they are free.
const SCANS: u64 = 256;
/// Trace steps per expansion of the budget if they are free.
const TRACES: u64 = 10;
/// The share of the budget for searching if tracing is charged.
const SEARCH_SHARE: (u64, u64) = (9, 10);
/// The same share for the smallest budgets, so that a trace step can always be paid.
const SEARCH_SHARE_SMALL: (u64, u64) = (7, 10);

/// What to do if the goal was found and the agent is off the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OffPathPolicy {
    /// Search again from the agent's position if that can save enough, otherwise walk back up the tree.
    #[default]
    Choose,
    /// Walk back up the tree.
    WalkBack,
}

/// The planner Corner TBA*.
///
/// Its search numbers cells when it meets them. These numbers are called slots here.
#[derive(Clone, Debug)]
pub struct CornerTba {
    off_way: OffPathPolicy,
    search: CornerSearch<AdaptiveTree, BySlot>,
    /// The f reached by the last search that was discarded; infinite if there was none.
    last_f: Cost,
    /// The path being traced, if `tracing`; the next field is the path being followed.
    new: TreePath,
    follow: TreePath,
    tracing: bool,
    leg: Leg,
    /// The position to which the agent was sent.
    sent: NodeId,
    /// `true` if a move toward this goal was made before the first search result.
    has_strayed: bool,
    /// `true` if walking back was compared with a new search.
    has_weighed: bool,
    reader: ChangeReader,
    news: changes::PendingChanges,
    searches: u64,
}

impl CornerTba {
    /// Creates a planner for `grid`, or for any grid of the same size.
    pub fn new(off_way: OffPathPolicy, grid: &Grid) -> Self {
        let bound = grid.bound();
        Self {
            off_way,
            search: CornerSearch::new(AdaptiveTree::lazy(bound), BySlot::new(), bound),
            last_f: Cost::INF,
            new: TreePath::new(bound),
            follow: TreePath::new(bound),
            tracing: false,
            leg: Leg::NONE,
            sent: NodeId::NONE,
            has_strayed: false,
            has_weighed: false,
            reader: ChangeReader::default(),
            news: changes::PendingChanges::NONE,
            searches: 0,
        }
    }

    /// Clears search and paths, in O(1). The next step starts at the agent's position.
    fn restart(&mut self) {
        self.search.stage = Stage::Idle;
        if self.search.pending.node.is_some() {
            self.last_f = self.search.pending.f;
        }
        self.search.pending = Pending::NONE;
        self.follow.clear();
        self.new.clear();
        self.tracing = false;
        self.leg = Leg::NONE;
    }

    /// Clears learned values and the search.
    fn forget(&mut self) {
        self.restart();
        self.search.forget();
        self.has_strayed = false;
        self.news = changes::PendingChanges::NONE;
    }

    /// Returns the search tree.
    fn tree(&self) -> &AdaptiveTree {
        &self.search.search.nodes
    }

    /// Returns the cell of a slot.
    #[inline]
    fn place(&self, slot: NodeId) -> NodeId {
        self.search.names.cell(slot)
    }

    /// Starts a search at the agent's cell.
    fn begin(&mut self, world: &World<'_>, goal: NodeId, tools: &mut SearchTools<'_>) {
        self.settle_news(tools);
        self.search.begin((world.grid, Some(world.corners)), (world.at, goal), 0, tools);
        (self.has_weighed, self.last_f) = (false, Cost::INF);
        self.sent = world.at;
        self.searches += 1;
        self.stand(self.search.root_name);
    }

    /// Continues the search within the budget.
    fn think(&mut self, world: &World<'_>, tools: &mut SearchTools<'_>) {
        if self.search.stage != Stage::Running {
            return;
        }
        let is_free = tools.meter.prices().of(WorkKind::Trace) == 0 && !tools.meter.is_timed();
        let is_poor = tools.meter.expansions_left().is_some_and(|left| left < 4);
        let (part, whole) = if is_free {
            (1, 1)
        } else if is_poor {
            SEARCH_SHARE_SMALL
        } else {
            SEARCH_SHARE
        };
        let terrain = Terrain::new(world.grid, world.corners);
        let limit = Limit { words: world.scans, ..Limit::NONE };
        let outer = tools.meter.narrow(tools.meter.fraction(part, whole));
        self.search.advance(&terrain, limit, tools);
        tools.meter.widen(outer);
    }

    fn decide(&mut self, grid: &Grid, corners: &Corners, cx: &mut StepContext<'_, impl Graph>) -> Decision {
        let (at, goal) = (cx.at, cx.goal);
        if goal != self.search.goal {
            self.forget();
        }
        if at != self.sent && self.search.stage != Stage::Idle {
            self.restart();
        }
        let caught_up = self.digest(grid, cx.changes, (at, goal), cx.meter);
        if at == goal {
            return Decision::Wait;
        }
        if !corners.is_free(cell(grid, at)) || !corners.is_free(cell(grid, goal)) {
            self.restart();
            self.sent = at;
            return Decision::NoPath;
        }
        let tools = &mut cx.tools();
        let world = World { grid, corners, at, scans: scans(tools) };
        self.arrive(at);
        self.recheck(&world, tools);
        if self.wants_search(&world, tools) {
            self.restart();
        }
        if self.search.stage == Stage::Idle {
            self.begin(&world, goal, tools);
        }
        self.think(&world, tools);
        if self.search.stage == Stage::NoPath {
            self.sent = at;
            // "No path" is not proved if changes are unread, or arrived meanwhile.
            if caught_up && !self.news.any {
                return Decision::NoPath;
            }
            self.restart();
            return Decision::Wait;
        }
        self.trace(&world, tools);
        let decision = self.act(&world);
        self.has_strayed = true;
        decision
    }
}

/// The input of a step.
struct World<'a> {
    grid: &'a Grid,
    corners: &'a Corners,
    /// The agent's cell.
    at: NodeId,
    /// Number of words that the step may read, whatever their price.
    scans: u64,
}

impl World<'_> {
    /// Returns the cost of a path between two cells over free ground.
    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.grid.h(a, b)
    }

    fn cell(&self, n: NodeId) -> (i32, i32) {
        cell(self.grid, n)
    }
}

/// Returns the number of words that a step may read.
fn scans(tools: &SearchTools<'_>) -> u64 {
    tools.meter.expansions_left().map_or(u64::MAX, |budget| budget.max(1).saturating_mul(SCANS))
}

impl PlannerState for CornerTba {
    fn graph_bound(&self) -> usize {
        self.new.nodes()
    }

    fn reset(&mut self, keep: Reset) {
        self.restart();
        (self.has_strayed, self.search.debt) = (false, 0);
        if keep == Reset::Full {
            self.forget();
        }
    }

    fn search_stats(&self) -> Stats {
        let (h_states, updates, h_rise) = self.tree().learned();
        Stats {
            searches: self.searches,
            open_max: self.search.search.open_max,
            closed_max: self.search.search.closed_max,
            h_states,
            updates,
            h_rise,
            ..Stats::default()
        }
    }

    fn path(&self, _: NodeId) -> Vec<NodeId> {
        self.ahead()
    }
}

impl<G: Undirected> Planner<G> for CornerTba {
    fn plan_step(&mut self, mut cx: StepContext<'_, G>) -> Decision {
        let grid = Grid::of(cx.graph);
        // The planner is only built for grids with a corner index. If the index is removed later, the agent stays.
        let Some((grid, corners)) = grid.and_then(|grid| Some((grid, grid.corners()?))) else {
            return Decision::Wait;
        };
        self.decide(grid, corners, &mut cx)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        let grid = Grid::of(graph).ok_or_else(|| SaveError::new("it walks on grids only"))?;
        self.verify(grid)
    }
}
