//! One agent in a few lines: a planner, where it is, and where it wants to be.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::corners::{CellPath, cell, node};
use crate::graph::{Grid, Reachability};
use crate::id::NodeId;
use crate::map::Map;
use crate::meter::Meter;
use crate::planner::{BoxedPlanner, Decision, Reset, Scratch, Stats, StepContext};
use crate::registry::{SavedPlanner, Spec, SpecError};
use crate::save::SaveError;

/// How an agent has fared in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TickOutcome {
    /// It has moved to this cell.
    Moved(NodeId),
    /// It stands, and thinks.
    Waiting,
    /// It stands on its goal.
    Arrived,
    /// On the map as it is now no way leads to the goal. It stands until the map changes, or the goal.
    Unreachable,
    /// The planner decided on a move that the map does not have, so its state is wrong: it was loaded from a damaged save, or
    /// it does not support such changes of the map. The agent stays, and its planner starts afresh in the next tick.
    Reset,
}

impl TickOutcome {
    /// Whether the agent will stay where it is, unless the map or its goal changes.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Arrived | Self::Unreachable)
    }
}

/// Why there is no such agent.
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
/// It owns its planner and working memory. Where there are many agents, let them share one [`Scratch`]
/// ([`tick_with`](Self::tick_with)), or use a fleet.
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
    /// An agent with a planner by its [spec](Spec); `auto` takes what suits the map.
    pub fn new(map: &Map, planner: &str, at: NodeId, goal: NodeId) -> Result<Self, AgentError> {
        let spec: Spec = planner.parse().map_err(|e: SpecError| AgentError(e.to_string()))?;
        let planner = spec.build(map.grid()).map_err(|e| AgentError(e.to_string()))?;
        Ok(Self { spec, planner, at, goal, scratch: Scratch::new() })
    }

    /// Plans within a budget, then makes at most one move. The budget is given in expansions of A* on cells, and all work is
    /// charged to it ([`Prices::ALL_WORK`](crate::Prices::ALL_WORK)).
    pub fn tick(&mut self, map: &Map, budget: u64) -> TickOutcome {
        let mut scratch = core::mem::take(&mut self.scratch);
        let status = self.tick_with(map, &mut Meter::expansions(budget), &mut scratch);
        self.scratch = scratch;
        status
    }

    /// Plans within a meter, then makes at most one move. Use it for other prices, deadlines and counts of work; the working
    /// memory can be shared by agents.
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

    /// Where it is.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Where it wants to be.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// Its planner.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The cells that it means to walk, the next one first, as far as that is decided. For drawing and smoothing.
    pub fn path(&self, map: &Map) -> Vec<NodeId> {
        let (grid, mut at, mut path) = (map.grid(), self.at, Vec::new());
        let walk = |at, to| CellPath::new(grid.rules().neighborhood, at, to);
        for next in self.planner.path(self.at) {
            path.extend(walk(cell(grid, at), cell(grid, next)).map(|over| node(grid, over)));
            at = next;
        }
        path
    }

    /// What its planner has done and holds.
    pub fn stats(&self) -> Stats {
        self.planner.stats()
    }

    /// Sends it elsewhere.
    pub fn set_goal(&mut self, goal: NodeId) {
        self.goal = goal;
    }

    /// Puts it elsewhere.
    pub fn teleport(&mut self, at: NodeId) {
        self.at = at;
    }

    /// The agent as plain data, in mid-search. The map must be saved beside it.
    pub fn save(&self, map: &Map) -> SavedAgent {
        let planner = SavedPlanner::new(&self.spec, &*self.planner, map.grid());
        SavedAgent { planner, at: self.at, goal: self.goal }
    }

    /// The agent that was saved, on its map: it goes on as if nothing had happened.
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

/// An agent as plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedAgent {
    planner: SavedPlanner,
    at: NodeId,
    goal: NodeId,
}
