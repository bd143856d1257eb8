//! An agent that knows its map, or one that learns of it while it walks: the library's side of a case.

use fleetfoot::registry::{BoxedPlanner, SavedPlanner, Spec};
use fleetfoot::{
    Agent, Belief, Decision, Grid, Map, Meter, NodeId, Prices, SavedAgent, Scratch, StepContext, TickOutcome,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::case::{AgentCase, Case};
use crate::judges::ground::Ground;

/// What an agent did in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Went(NodeId),
    Waits,
    Arrived,
    NoPath,
    /// Its planner returned a move that there is not.
    Reset,
}

/// The map that an agent knows, and the agent.
pub(crate) enum Walker {
    Known {
        map: Box<Map>,
        agent: Box<Agent>,
        scratch: Box<Scratch>,
    },
    Learns {
        belief: Box<Belief>,
        spec: Spec,
        planner: BoxedPlanner<Grid>,
        at: NodeId,
        goal: NodeId,
        scratch: Box<Scratch>,
    },
}

/// Writes a value and reads it again.
fn through_text<T: Serialize + DeserializeOwned>(value: &T) -> Result<T, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

impl Walker {
    /// Creates an agent. Returns `None` if there is no such planner for the map.
    pub(crate) fn new(
        case: &Case,
        about: &AgentCase,
        spec: &Spec,
        ground: &Ground,
        (at, goal): (NodeId, NodeId),
    ) -> Option<Self> {
        let scratch = Box::new(Scratch::new());
        if about.sight == 0 {
            let map = Box::new(case.world.map(ground));
            let agent = Box::new(Agent::new(&map, &about.planner, at, goal).ok()?);
            return Some(Self::Known { map, agent, scratch });
        }
        let weights = 1..=case.world.weights;
        let belief = Belief::unknown(ground.width, ground.height, case.world.belief_rules(), weights).ok()?;
        let planner = spec.build(belief.grid()).ok()?;
        Some(Self::Learns { belief: Box::new(belief), spec: spec.clone(), planner, at, goal, scratch })
    }

    pub(crate) fn set(&mut self, n: NodeId, weight: u8) {
        if let Self::Known { map, .. } = self {
            map.set(n, weight).expect("a weight of this map");
        }
    }

    pub(crate) fn reveal(&mut self, n: NodeId, weight: u8) {
        if let Self::Learns { belief, .. } = self {
            belief.reveal(n, weight).expect("a weight of this map");
        }
    }

    pub(crate) fn teleport(&mut self, to: NodeId) {
        match self {
            Self::Known { agent, .. } => agent.teleport(to),
            Self::Learns { at, .. } => *at = to,
        }
    }

    pub(crate) fn set_goal(&mut self, to: NodeId) {
        match self {
            Self::Known { agent, .. } => agent.set_goal(to),
            Self::Learns { goal, .. } => *goal = to,
        }
    }

    /// Returns the cell of the agent.
    pub(crate) fn at(&self) -> NodeId {
        match self {
            Self::Known { agent, .. } => agent.at(),
            Self::Learns { at, .. } => *at,
        }
    }

    /// Runs a step, and returns what the agent did and the meter. The indices of its map are brought up to date by some cells first.
    pub(crate) fn step(&mut self, budget: u64, prices: Prices, repaired: usize) -> (Answer, Meter) {
        let mut meter = if budget == 0 { Meter::unlimited() } else { Meter::priced(budget, prices) };
        let answer = match self {
            Self::Known { map, agent, scratch } => {
                if repaired > 0 {
                    map.update_indices(repaired);
                }
                match agent.tick_with(map, &mut meter, scratch) {
                    TickOutcome::Moved(to) => Answer::Went(to),
                    TickOutcome::Waiting => Answer::Waits,
                    TickOutcome::Arrived => Answer::Arrived,
                    TickOutcome::Unreachable => Answer::NoPath,
                    _ => Answer::Reset,
                }
            }
            Self::Learns { at, goal, .. } if at == goal => Answer::Arrived,
            Self::Learns { belief, planner, at, goal, scratch, .. } => {
                let step = StepContext::new(belief.grid(), *at, *goal, &mut meter, scratch);
                match planner.step(step.with_changes(belief.log())) {
                    Decision::Go(to) => {
                        *at = to;
                        if to == *goal { Answer::Arrived } else { Answer::Went(to) }
                    }
                    Decision::Wait => Answer::Waits,
                    Decision::NoPath => Answer::NoPath,
                }
            }
        };
        (answer, meter)
    }

    /// Saves the agent with its map, and loads both.
    pub(crate) fn reload(&self, as_text: bool) -> Result<Self, String> {
        let scratch = Box::new(Scratch::new());
        match self {
            Self::Known { map, agent, .. } => {
                let saved = agent.save(map);
                let (map, saved): (Map, SavedAgent) = if as_text {
                    (through_text(&**map)?, through_text(&saved)?)
                } else {
                    ((**map).clone(), saved)
                };
                let agent = Agent::load(&map, &saved).map_err(|error| error.to_string())?;
                Ok(Self::Known { map: Box::new(map), agent: Box::new(agent), scratch })
            }
            Self::Learns { belief, spec, planner, at, goal, .. } => {
                let saved = SavedPlanner::new(spec, &**planner, belief.grid());
                let (belief, saved) = if as_text {
                    (through_text(&**belief)?, through_text(&saved)?)
                } else {
                    ((**belief).clone(), saved)
                };
                let planner = saved.restore(belief.grid()).map_err(|error| error.to_string())?;
                let (spec, at, goal) = (spec.clone(), *at, *goal);
                Ok(Self::Learns { belief: Box::new(belief), spec, planner, at, goal, scratch })
            }
        }
    }
}
