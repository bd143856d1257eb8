//! An agent on a grid map: planner, position and goal in one type.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::corners::{CellPath, cell, node};
use crate::graph::Graph;
use crate::grid::{Grid, Reachability};
use crate::id::NodeId;
use crate::map::Map;
use crate::meter::Meter;
use crate::planner::{BoxedPlanner, Decision, Reset, Scratch, StepContext};
use crate::probe::Stats;
use crate::registry::SavedPlanner;
use crate::save::SaveError;
use crate::spec::{Spec, SpecError};

/// The result of a tick of an [`Agent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TickOutcome {
    /// The agent moved to this cell.
    Moved(NodeId),
    /// The agent did not move; the search is not finished.
    Waiting,
    /// The agent is at its goal.
    Arrived,
    /// The current map has no path to the goal. The agent stays until the map or the goal changes.
    Unreachable,
    /// The planner returned a move that is not legal on the map, so its state is inconsistent: it was loaded from a
    /// damaged save, or it does not support such map changes. The agent stays, and its planner restarts in the next
    /// tick.
    Reset,
}

impl TickOutcome {
    /// Returns `true` if the agent will not move unless the map or its goal changes.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Arrived | Self::Unreachable)
    }
}

/// The reason an agent could not be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentError(String);

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for AgentError {}

/// An agent on a [`Map`].
///
/// It owns its planner and its working memory. Many agents can share one [`Scratch`]
/// ([`tick_with`](Self::tick_with)). For crowds, use a [`Fleet`](crate::fleet::Fleet).
///
/// ```
/// use fleetfoot::{Agent, Map};
/// let mut map = Map::new(64, 64, |x, y| x != 32 || y == 63)?; // a wall with a gap at its lower end
/// let (start, goal) = (map.node(2, 2).unwrap(), map.node(61, 2).unwrap());
/// let mut agent = Agent::new(&map, "auto", start, goal)?;
/// while !agent.tick(&map, 100).is_final() {} // at most 100 expansions' work a tick, and a move in nearly every one
/// assert_eq!(agent.at(), goal);
///
/// map.set(map.node(32, 63).unwrap(), 0)?; // the gap is closed behind it
/// agent.set_goal(start);
/// while !agent.tick(&map, 100).is_final() {}
/// assert_ne!(agent.at(), start);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Agent {
    spec: Spec,
    planner: BoxedPlanner<Grid>,
    at: NodeId,
    goal: NodeId,
    scratch: Scratch,
}

impl Agent {
    /// Creates an agent with the planner that a [spec](Spec) describes. `auto` selects one that suits the map.
    pub fn new(map: &Map, planner: &str, at: NodeId, goal: NodeId) -> Result<Self, AgentError> {
        let spec: Spec = planner.parse().map_err(|e: SpecError| AgentError(e.to_string()))?;
        let planner = spec.build(map.grid()).map_err(|e| AgentError(e.to_string()))?;
        Ok(Self { spec, planner, at, goal, scratch: Scratch::new() })
    }

    /// Plans within `budget`, then makes at most one move. The unit of the budget is an expansion of A* on cells;
    /// all work is charged ([`Prices::ALL_WORK`](crate::Prices::ALL_WORK)).
    pub fn tick(&mut self, map: &Map, budget: u64) -> TickOutcome {
        let mut scratch = core::mem::take(&mut self.scratch);
        let status = self.tick_with(map, &mut Meter::expansions(budget), &mut scratch);
        self.scratch = scratch;
        status
    }

    /// Plans within the limits of `meter`, then makes at most one move. Use it for other prices, for deadlines, to
    /// count work, or to share `scratch` between agents.
    pub fn tick_with(&mut self, map: &Map, meter: &mut Meter, scratch: &mut Scratch) -> TickOutcome {
        if self.at == self.goal {
            return TickOutcome::Arrived;
        }
        if map.reachability(self.at, self.goal) == Reachability::Unreachable {
            return TickOutcome::Unreachable;
        }
        let step = StepContext::new(map.grid(), self.at, self.goal, meter, scratch).with_changes(map.log());
        match self.planner.step(step) {
            Decision::Go(next) if !map.grid().has_move(self.at, next) => {
                self.planner.reset(Reset::Full);
                TickOutcome::Reset
            }
            Decision::Go(next) => {
                self.at = next;
                if next == self.goal { TickOutcome::Arrived } else { TickOutcome::Moved(next) }
            }
            Decision::Wait => TickOutcome::Waiting,
            Decision::NoPath => TickOutcome::Unreachable,
        }
    }

    /// Returns the agent's cell.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Returns the agent's goal.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// Returns the spec of the agent's planner.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the cells of the planned path after the current one, as far as it is decided. For drawing and
    /// smoothing.
    pub fn path(&self, map: &Map) -> Vec<NodeId> {
        let (grid, mut at, mut path) = (map.grid(), self.at, Vec::new());
        let walk = |at, to| CellPath::new(grid.rules().neighborhood, at, to);
        // An agent can be teleported off the map, and the plan of a forged save can lead there.
        let is_on_map = |n: &NodeId| n.index() < grid.bound();
        if !is_on_map(&at) {
            return path;
        }
        for next in self.planner.path(at).into_iter().take_while(is_on_map) {
            path.extend(walk(cell(grid, at), cell(grid, next)).map(|over| node(grid, over)));
            at = next;
        }
        path
    }

    /// Returns the planner's search statistics and memory use.
    pub fn stats(&self) -> Stats {
        self.planner.stats()
    }

    /// Sets a new goal.
    pub fn set_goal(&mut self, goal: NodeId) {
        self.goal = goal;
    }

    /// Moves the agent to another cell at once.
    pub fn teleport(&mut self, at: NodeId) {
        self.at = at;
    }

    /// Saves the agent, including an unfinished search. The map must be saved as well.
    pub fn save(&self, map: &Map) -> SavedAgent {
        let planner = SavedPlanner::new(&self.spec, &*self.planner, map.grid());
        SavedAgent { planner, at: self.at, goal: self.goal }
    }

    /// Restores a saved agent on the map it was saved with. It continues exactly where it stopped.
    pub fn load(map: &Map, saved: &SavedAgent) -> Result<Self, SaveError> {
        let SavedAgent { planner: bytes, at, goal } = saved;
        let (spec, planner) = (bytes.spec()?, bytes.restore(map.grid())?);
        Ok(Self { spec, planner, at: *at, goal: *goal, scratch: Scratch::new() })
    }
}

impl Clone for Agent {
    fn clone(&self) -> Self {
        let (spec, planner) = (self.spec.clone(), self.planner.clone());
        Self { spec, planner, at: self.at, goal: self.goal, scratch: Scratch::new() }
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spec, at, goal, .. } = self;
        f.debug_struct("Agent")
            .field("spec", spec)
            .field("at", at)
            .field("goal", goal)
            .finish_non_exhaustive()
    }
}

/// A saved agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedAgent {
    planner: SavedPlanner,
    at: NodeId,
    goal: NodeId,
}
