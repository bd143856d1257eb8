//! Corner TBA*: time-bounded A* among the corners of obstacles, for grids that are known, reveal themselves, or change.
//! Our own; not in any paper.
//!
//! One A* goes on from step to step, from where the agent stood when it began, over the corners of the grid's index
//! ([`Corners`]). The agent walks towards the most promising corner from the first step on, along the edges of the search's
//! tree; if it is not on the way, it walks back up the tree until it is. There are 10 to 100 times fewer corners than
//! cells, so a small budget buys nearly the whole search.
//!
//! A step makes as many expansions as its budget has. Scans for corners that are not stored, and connections, are charged
//! as [`Kind::Scan`]; where that is free, a step reads at most [`SCANS`] of them for each expansion of its budget, so that
//! no step does work that grows with the map. Both the scan of the goal's surroundings and that of a corner pause when the
//! budget ends and go on with the next step. Within one search, what is expanded and in which order does not depend on
//! where it paused.
//!
//! Changes: see `changes.rs`. Searches towards one goal learn from each other as Adaptive A* does, until a cost falls.

mod changes;
mod look;
mod saved;
mod walk;

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use self::look::Pending;
use self::walk::Leg;
use super::reader::Reader;
use crate::corners::{Corners, Scan, cell};
use crate::graph::{Graph, Grid, Undirected};
use crate::id::{Cost, NodeId};
use crate::parts::{AdaptiveTree, Path, Rooted, Search, Sparse, Tools};
use crate::planner::{Decision, Keep, Planner, PlannerState, Stats, Step};
use crate::registry::{BoxedPlanner, BuildError, Facts, Info, Spec, Word};
use crate::save::SaveError;

const OFF_WAY: Word<OffWay> = Word::new(
    "off-way",
    &["choose", "walk-back"],
    &[OffWay::Choose, OffWay::WalkBack],
    "the goal found and the agent off the way: search anew where that can save much, or walk back",
);

/// The row of Corner TBA* in the list of algorithms.
pub(crate) const INFO: Info = Info {
    key: "corner-tba",
    name: "Corner TBA*",
    paper: "our own; corners as in Uras, Koenig, Hernández 2013",
    summary: "TBA* among the corners of obstacles: nearly the whole search at small budgets, in any world of plain grids",
    facts: Facts { slice_invariant: false, undirected: true, corners: true, ..Facts::COMPLETE },
    params: &[OFF_WAY.param],
    given: |_, facts| facts,
};

/// Builds it, on a grid with an index of its corners.
pub(crate) fn build<G: Undirected>(spec: &Spec, graph: &G) -> Result<BoxedPlanner<G>, BuildError> {
    let refuse = |why: &str| {
        BuildError::new(format!(
            "Corner TBA* searches the corners of a plain grid, and here {why}; use tba on known maps, tbaa where \
             ground becomes known, rtd(purse=on) where it changes"
        ))
    };
    let grid = graph.as_grid().ok_or_else(|| refuse("the graph is no grid"))?;
    if grid.corners().is_none() {
        let why = Corners::refusal(grid).unwrap_or("the grid has no index of them (Grid::with_corners)");
        return Err(refuse(why));
    }
    Ok(Box::new(CornerTba::new(spec.get(&OFF_WAY), grid)))
}

/// Words scanned, or connections followed, for one expansion of the budget where they have no price.
const SCANS: u64 = 256;
/// Steps along parent pointers for one expansion of the budget where they have no price.
const TRACES: u64 = 10;
/// What the search may spend where tracing has a price: nine tenths.
const THINKING: (u64, u64) = (9, 10);
/// The same for the smallest budgets, so that a step of tracing can always be paid for.
const THINKING_POORLY: (u64, u64) = (7, 10);

/// What to do when the goal has been found and the agent is off the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OffWay {
    /// Search anew from where it stands if that can save enough, else walk back up the tree.
    #[default]
    Choose,
    /// Walk back up the tree.
    WalkBack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Idle,
    Searching,
    /// The goal has been selected; its way may not have been traced yet.
    Found,
    NoPath,
}

/// Corner TBA* as a planner.
///
/// Its search numbers cells as it meets them: `NodeId`s of the search are such numbers, called slots here, so that what an
/// agent keeps is as large as what it has met.
#[derive(Clone, Debug)]
pub struct CornerTba {
    off_way: OffWay,
    /// By slot: its cell, and whether the goal can be reached directly from there: the number of the join that found it.
    names: Sparse,
    search: Search<AdaptiveTree>,
    stage: Stage,
    /// The corner being expanded.
    pending: Pending,
    /// The look around the goal, and its number.
    joining: Scan,
    join: u32,
    /// Words read that are still to be paid for.
    debt: u32,
    /// The f of what was being expanded when the last search was dropped; infinite if nothing was.
    last_f: Cost,
    /// The way being traced, while `tracing`, and the way followed.
    new: Path,
    follow: Path,
    tracing: bool,
    leg: Leg,
    /// Slot of the root.
    root: NodeId,
    /// The goal's cell and slot.
    goal: NodeId,
    end: NodeId,
    /// Where the agent was sent.
    sent: NodeId,
    /// Whether a move was made for this goal before anything was known.
    has_strayed: bool,
    /// Whether the way back has been weighed against a new search.
    has_weighed: bool,
    reader: Reader,
    news: changes::News,
    searches: u64,
}

impl CornerTba {
    /// A planner for this grid, or for any other of its size.
    pub fn new(off_way: OffWay, grid: &Grid) -> Self {
        let bound = grid.bound();
        Self {
            off_way,
            names: Sparse::new(),
            search: Search::new(AdaptiveTree::lazy(bound), crate::corners::OPEN, bound, Cost::INF),
            stage: Stage::Idle,
            pending: Pending::NONE,
            joining: Scan::done(),
            join: 0,
            debt: 0,
            last_f: Cost::INF,
            new: Path::new(bound),
            follow: Path::new(bound),
            tracing: false,
            leg: Leg::NONE,
            root: NodeId::NONE,
            goal: NodeId::NONE,
            end: NodeId::NONE,
            sent: NodeId::NONE,
            has_strayed: false,
            has_weighed: false,
            reader: Reader::default(),
            news: changes::News::NONE,
            searches: 0,
        }
    }

    /// Drops search and ways, in O(1); the next step begins anew where the agent is then.
    fn restart(&mut self) {
        self.stage = Stage::Idle;
        if self.pending.slot.is_some() {
            self.last_f = self.pending.f;
        }
        self.pending = Pending::NONE;
        self.follow.clear();
        self.new.clear();
        self.tracing = false;
        self.leg = Leg::NONE;
    }

    /// Forgets what was learned about the way to the goal, and the search with it.
    fn forget(&mut self) {
        self.restart();
        self.search.forget();
        self.names.clear();
        self.join = 0;
        (self.goal, self.end, self.root) = (NodeId::NONE, NodeId::NONE, NodeId::NONE);
        self.has_strayed = false;
        self.news = changes::News::NONE;
    }

    fn decide(&mut self, grid: &Grid, corners: &Corners, cx: &mut Step<'_, impl Graph>) -> Decision {
        let (at, goal) = (cx.at, cx.goal);
        if goal != self.goal {
            self.forget();
        }
        if at != self.sent && self.stage != Stage::Idle {
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
        if self.stage == Stage::Idle {
            self.begin(&world, goal, tools);
        }
        self.think(&world, tools);
        if self.stage == Stage::NoPath {
            self.sent = at;
            // While changes are left to be read, or came in the meantime, nothing is proved.
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

/// What a step is about.
struct World<'a> {
    grid: &'a Grid,
    corners: &'a Corners,
    /// Where the agent stands.
    at: NodeId,
    /// How many words the step may read whatever their price.
    scans: u64,
}

impl World<'_> {
    /// What the way between two cells costs over open ground.
    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.grid.h(a, b)
    }

    fn cell(&self, n: NodeId) -> (i32, i32) {
        cell(self.grid, n)
    }
}

/// How many words a step may read.
fn scans(tools: &Tools<'_>) -> u64 {
    tools.meter.expansions_left().map_or(u64::MAX, |budget| budget.max(1).saturating_mul(SCANS))
}

impl PlannerState for CornerTba {
    fn nodes(&self) -> usize {
        self.new.nodes()
    }

    fn reset(&mut self, keep: Keep) {
        self.restart();
        (self.has_strayed, self.debt) = (false, 0);
        if keep == Keep::Nothing {
            self.forget();
        }
    }

    fn counts(&self) -> Stats {
        let (h_states, updates, h_rise) = Rooted::learned(&self.search.nodes);
        Stats {
            searches: self.searches,
            open_max: self.search.open_max,
            closed_max: self.search.closed_max,
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
    fn plan(&mut self, mut cx: Step<'_, G>) -> Decision {
        let grid = cx.graph.as_grid();
        // Without its index the planner would not have been built; one who takes the index away gets an agent that stands.
        let Some((grid, corners)) = grid.and_then(|grid| Some((grid, grid.corners()?))) else {
            return Decision::Wait;
        };
        self.decide(grid, corners, &mut cx)
    }

    fn check(&self, graph: &G) -> Result<(), SaveError> {
        let grid = graph.as_grid().ok_or_else(|| SaveError::new("it walks on grids only"))?;
        self.verify(grid)
    }
}
