//! The run of one agent on a map that is edited meanwhile.

use fleetfoot::registry::{BoxedPlanner, Spec};
use fleetfoot::{Belief, Decision, Graph, Grid, Map, Meter, NodeId, Prices, Scratch, StepContext, Work};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::sensor::Sensor;
use fleetfoot_view::{LiveRecorder, TickInput};
use serde::Serialize;

/// Maximum number of expansions per tick of a planner whose work is exponential in the map. A tick with more could
/// exhaust the time and memory of the page.
const LEASH: u64 = 200_000;

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The agent is on its path.
    Alive,
    /// The agent waits, since it has found that no path exists on the current map.
    Stuck,
    /// It has arrived.
    Arrived,
    /// The run was ended; its note says why.
    Ended,
}

impl State {
    /// Returns `true` if the agent will never move again, whatever happens to the map.
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Arrived | Self::Ended)
    }
}

/// The run of one agent. See the module.
#[derive(Debug)]
pub(crate) struct Life {
    pub(crate) spec: Spec,
    pub(crate) state: State,
    /// A message about it.
    pub(crate) note: Option<String>,
    pub(crate) ticks: u64,
    pub(crate) at: NodeId,
    goal: NodeId,
    budget: Budget,
    prices: Prices,
    planner: Option<DebugPlanner>,
    /// Its belief of the map. `None` if it knows the map.
    belief: Option<Box<Belief>>,
    /// The weight of each node that it has seen.
    seen: Vec<Option<u8>>,
    is_new_here: bool,
    pub(crate) tape: LiveRecorder,
    sights: Vec<(NodeId, u8, u8)>,
}

/// A planner whose debug output is empty.
struct DebugPlanner(BoxedPlanner<Grid>);

impl std::fmt::Debug for DebugPlanner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Planner")
    }
}

/// The input of a tick: the truth, its changes, and the range of sensors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now<'a> {
    pub(crate) truth: &'a Map,
    pub(crate) edits: &'a [(NodeId, u8)],
    pub(crate) sensor: Option<&'a Sensor>,
}

impl Life {
    /// Creates a run. If its planner does not support this world, it ends immediately with a note.
    pub(crate) fn new(
        spec: Spec,
        truth: &Grid,
        belief: Option<Belief>,
        (start, goal): (NodeId, NodeId),
        (budget, prices): (Budget, Prices),
    ) -> Self {
        let graph = belief.as_ref().map_or(truth, Belief::grid);
        let built = if belief.is_some() && !spec.facts().unknown_terrain {
            Err("works in known worlds only; clear the fog, or choose another planner".to_owned())
        } else {
            spec.build(graph).map_err(|error| error.to_string())
        };
        // Addresses may contain any budget.
        let is_endless = !spec.facts().polynomial && budget.expansions().is_none_or(|most| most > LEASH);
        let limit = || format!("gets {LEASH} expansions a tick here, since nothing else limits it");
        let (state, note, planner) = match built {
            Ok(_) if start == goal => (State::Arrived, None, None),
            Ok(planner) => (State::Alive, is_endless.then(limit), Some(DebugPlanner(planner))),
            Err(note) => (State::Ended, Some(note), None),
        };
        Self {
            state,
            note,
            ticks: 0,
            at: start,
            goal,
            budget: if is_endless { Budget::Expansions(LEASH) } else { budget },
            prices,
            planner,
            seen: if belief.is_some() { vec![None; truth.bound()] } else { Vec::new() },
            tape: LiveRecorder::new(graph, truth, belief.is_some(), start, goal),
            belief: belief.map(Box::new),
            is_new_here: true,
            sights: Vec::new(),
            spec,
        }
    }

    /// Returns `true` if the agent prevents a change of the cell.
    pub(crate) fn occupies(&self, cell: NodeId) -> bool {
        !self.state.is_over() && self.at == cell
    }

    /// Handles a change of costs: adds a note if the planner does not support it.
    pub(crate) fn brace(&mut self, rises: bool, falls: bool) {
        let facts = self.spec.facts();
        if self.state.is_over() {
            return;
        }
        if facts.static_only {
            self.end("cannot cope: it works only where nothing changes");
        } else if rises && !facts.rising_costs || falls && !facts.falling_costs {
            let how = if rises && !facts.rising_costs { "blocked or dearer" } else { "open or cheaper" };
            let note =
                format!("promises nothing now that ground has become {how}; it goes on at its own risk");
            self.note = Some(note);
        }
    }

    fn end(&mut self, why: &str) {
        self.state = State::Ended;
        self.note = Some(why.to_owned());
        self.planner = None;
    }

    /// Executes one tick.
    pub(crate) fn tick(&mut self, now: Now<'_>, scratch: &mut Scratch) {
        self.look(now);
        let Some(DebugPlanner(planner)) = &mut self.planner else { return };
        let mut meter: Meter = self.budget.meter(self.prices);
        let map = self.belief.as_ref().map_or(now.truth, |belief| belief.map());
        let step =
            StepContext::new(map.grid(), self.at, self.goal, &mut meter, scratch).with_changes(map.log());
        let decision = planner.step(step.with_probe(&mut self.tape));
        let is_legal = match decision {
            Decision::Go(to) => now.truth.grid().succs(self.at).any(|edge| edge.to == to),
            Decision::Wait | Decision::NoPath => true,
        };
        let decision = if is_legal { decision } else { Decision::Wait };
        self.write(now, decision, *meter.work());
        if !is_legal {
            return self
                .end("cannot cope: it wanted to walk through a wall, since it has not noticed the change");
        }
        self.act(decision);
    }

    fn act(&mut self, decision: Decision) {
        self.state = State::Alive;
        match decision {
            Decision::Go(to) => {
                self.at = to;
                self.is_new_here = true;
                if to == self.goal {
                    self.state = State::Arrived;
                    self.planner = None;
                }
            }
            Decision::NoPath => self.state = State::Stuck,
            Decision::Wait => {}
        }
    }

    /// Updates the agent's belief by what it sees or is informed of.
    fn look(&mut self, Now { truth, edits, sensor }: Now<'_>) {
        self.sights.clear();
        let grid = truth.grid();
        let (Some(belief), Some(sensor)) = (&mut self.belief, sensor) else {
            return self.sights.extend(edits.iter().map(|&(n, weight)| (n, weight, weight)));
        };
        if !self.is_new_here && edits.is_empty() {
            return;
        }
        self.is_new_here = false;
        for cell in sensor.cells(grid, self.at) {
            let weight = grid.weight(cell);
            if self.seen[cell.index()].replace(weight) != Some(weight) {
                belief.reveal(cell, weight).expect("a belief is made for all weights of its world");
                self.sights.push((cell, weight, weight));
            }
        }
    }

    fn write(&mut self, now: Now<'_>, decision: Decision, work: Work) {
        let Self { at, sights, tape, .. } = self;
        tape.tick(&TickInput { at: *at, decision, work, edits: now.edits, sights });
        self.ticks += 1;
    }
}
