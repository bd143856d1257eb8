//! The run of one agent, tick by tick, in the game time model: time passes in equal intervals. In each interval the
//! world changes, the agent looks around, and its planner computes within the budget. At the end of the interval the
//! agent makes at most one move. A search that ends within an interval moves in that same interval.

mod trials;

use std::time::Instant;

use fleetfoot::{
    Belief, ChangeLog, Cost, Decision, Graph, Grid, Length, Meter, NodeId, Planner, Prices, Scratch,
    SearchProbe, Stats, StepContext, Work, shortest_path,
};

pub use trials::{Series, Trials};

use crate::budget::Budget;
use crate::error::InputError;
use crate::metrics::{Notes, Outcome, RunMetrics};
use crate::referee::{Floods, Referee, RuleViolation};
use crate::sensor::reveal;
use crate::world::{Truth, World};

/// A start, a goal, and the world that they are in.
#[derive(Clone, Copy, Debug)]
pub struct Task<'w> {
    world: &'w World,
    start: NodeId,
    goal: NodeId,
}

impl<'w> Task<'w> {
    /// Creates a task between two cells, each given as (column, row).
    ///
    /// # Errors
    /// If a cell is outside the map or blocked. In a world that changes the goal may be blocked at first.
    pub fn new(world: &'w World, start: (u32, u32), goal: (u32, u32)) -> Result<Self, InputError> {
        let cell = |name, (x, y), may_be_blocked: bool| {
            let truth = world.truth();
            let Some(node) = truth.node(x, y) else {
                let size = format!("{}x{}", truth.width(), truth.height());
                let what = format!("the {name} ({x}, {y}) is outside the {size} map");
                return Err(InputError::new(what, "columns and rows count from 0"));
            };
            if !truth.is_free(node) && !may_be_blocked {
                return Err(InputError::new(
                    format!("the {name} ({x}, {y}) is blocked"),
                    "choose a free cell",
                ));
            }
            Ok(node)
        };
        let (start, goal) = (cell("start", start, false)?, cell("goal", goal, world.is_dynamic())?);
        Ok(Self { world, start, goal })
    }

    /// Returns the world.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Returns the start.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// Returns the goal.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    fn outcome_at_start(&self) -> Option<Outcome> {
        (self.start == self.goal).then_some(Outcome::Arrived)
    }

    /// Returns the length of a shortest path in the world of the first tick. Returns `None` if there is none.
    pub fn optimal(&self, scratch: &mut Scratch) -> Option<Length> {
        let truth = self.first_truth();
        let meter = &mut Meter::unlimited();
        let (path, _) = shortest_path(truth.grid(), self.start, self.goal, meter, scratch).path()?;
        let lengths = path.windows(2).map(|step| truth.grid().length(step[0], step[1]));
        Some(lengths.fold(Length::ZERO, |sum, length| sum + length))
    }

    /// Returns a shortest path in the world of the first tick, both ends included.
    pub fn initial_shortest_path(&self, scratch: &mut Scratch) -> Option<Vec<NodeId>> {
        let (truth, meter) = (self.first_truth(), &mut Meter::unlimited());
        let found = shortest_path(truth.grid(), self.start, self.goal, meter, scratch);
        found.path().map(|(path, _)| path)
    }

    fn first_truth(&self) -> Truth<'w> {
        let mut truth = Truth::new(self.world);
        truth.advance(0, self.start);
        truth
    }
}

/// The limits of an agent.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Budget of a step.
    pub budget: Budget,
    /// Prices of work.
    pub prices: Prices,
    /// Maximum number of steps. The default is [`World::patience`] of a complete planner.
    pub max_steps: Option<u64>,
}

impl RunLimits {
    /// Creates limits with this budget. All work is charged.
    pub fn new(budget: Budget) -> Self {
        Self { budget, prices: Prices::default(), max_steps: None }
    }
}

/// One executed step.
#[derive(Clone, Copy, Debug)]
pub struct StepRecord {
    /// Its number, from 0.
    pub tick: u64,
    /// Cell of the agent.
    pub at: NodeId,
    /// Answer of the planner.
    pub decision: Decision,
    /// Work of the planner.
    pub work: Work,
    /// Planning time in nanoseconds.
    pub nanos: u64,
}

/// The agent's view of the world.
#[derive(Debug)]
enum Mind<'w> {
    /// The agent knows the truth, which is static: nothing is copied.
    Knows(&'w Grid, ChangeLog),
    Believes(Box<Belief>),
}

impl Mind<'_> {
    fn grid(&self) -> &Grid {
        match self {
            Self::Knows(grid, _) => grid,
            Self::Believes(belief) => belief.grid(),
        }
    }

    fn log(&self) -> &ChangeLog {
        match self {
            Self::Knows(_, log) => log,
            Self::Believes(belief) => belief.log(),
        }
    }
}

/// Buffers that one episode leaves to the next.
#[derive(Debug, Default)]
struct Desk {
    notes: Notes,
    floods: Floods,
}

/// A run in progress, for callers that need every tick. [`Runner::run`] executes it to its end.
#[derive(Debug)]
pub struct Episode<'w> {
    trip: Task<'w>,
    terms: RunLimits,
    max_steps: u64,
    truth: Truth<'w>,
    mind: Mind<'w>,
    referee: Referee,
    desk: Desk,
    at: NodeId,
    tick: u64,
    /// The agent has not looked around in its cell yet.
    is_new_here: bool,
    outcome: Option<Outcome>,
}

impl<'w> Episode<'w> {
    /// Creates the episode, with the agent at its start before the first tick.
    pub fn new(trip: &Task<'w>, terms: &RunLimits) -> Self {
        Self::on(Desk::default(), trip, terms)
    }

    fn on(mut desk: Desk, trip: &Task<'w>, terms: &RunLimits) -> Self {
        let world = trip.world;
        desk.notes.restart(world.truth().bound(), trip.start);
        let mind = match world.belief() {
            None => Mind::Knows(world.truth(), ChangeLog::new()),
            Some(belief) => Mind::Believes(Box::new(belief.clone())),
        };
        Self {
            trip: *trip,
            terms: *terms,
            max_steps: terms.max_steps.unwrap_or_else(|| world.patience(true)),
            truth: Truth::new(world),
            mind,
            referee: Referee::new(&terms.budget, terms.prices, world.truth().rules()),
            desk,
            at: trip.start,
            tick: 0,
            is_new_here: true,
            outcome: trip.outcome_at_start(),
        }
    }

    /// Returns the cell of the agent.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Returns the number of ticks that have passed.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// Returns the current world.
    pub fn truth(&self) -> &Grid {
        self.truth.grid()
    }

    /// Returns the cells that changed in the last tick.
    pub fn changed(&self) -> &[NodeId] {
        self.truth.changed()
    }

    /// Returns the world as the agent believes it to be.
    pub fn believed(&self) -> &Grid {
        self.mind.grid()
    }

    /// Returns `true` if the agent has seen a cell, or knew it from the beginning.
    pub fn is_known(&self, cell: NodeId) -> bool {
        match &self.mind {
            Mind::Knows(..) => true,
            Mind::Believes(belief) => belief.is_known(cell),
        }
    }

    /// Returns the outcome, once there is one.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Executes one tick. Call it until there is an outcome.
    ///
    /// # Errors
    /// If the planner broke a rule.
    pub fn tick(
        &mut self,
        planner: &mut dyn Planner<Grid>,
        scratch: &mut Scratch,
        probe: Option<&mut dyn SearchProbe>,
    ) -> Result<StepRecord, RuleViolation> {
        self.observe();
        let tick = self.ask(planner, scratch, probe);
        self.referee.check_work(self.tick, &tick.work)?;
        self.act(tick.decision)?;
        self.tick += 1;
        if self.outcome.is_none() && self.tick >= self.max_steps {
            self.outcome = Some(Outcome::GaveUp);
        }
        Ok(tick)
    }

    /// Changes the world, and updates the agent's belief by what it sees or is informed of.
    fn observe(&mut self) {
        let world = self.trip.world;
        self.truth.advance(self.tick, self.at);
        let must_look = self.is_new_here || !self.truth.changed().is_empty();
        self.is_new_here = false;
        let Mind::Believes(belief) = &mut self.mind else { return };
        match world.sensor() {
            Some(sensor) if must_look => {
                sensor.sense(self.truth.grid(), self.at, belief);
            }
            Some(_) => {}
            None => {
                for &cell in self.truth.changed() {
                    reveal(self.truth.grid(), cell, belief);
                }
            }
        }
    }

    fn ask(
        &mut self,
        planner: &mut dyn Planner<Grid>,
        scratch: &mut Scratch,
        mut probe: Option<&mut dyn SearchProbe>,
    ) -> StepRecord {
        let begin = Begin::now(&self.terms.budget);
        let mut meter: Meter = self.terms.budget.meter(self.terms.prices);
        let grid = self.mind.grid();
        let mut step = StepContext::new(grid, self.at, self.trip.goal, &mut meter, scratch)
            .with_changes(self.mind.log());
        step.probe = lent(&mut probe);
        let decision = planner.step(step);
        let (nanos, overrun) = begin.end();
        self.desk.notes.step(*meter.work(), &self.terms.prices, nanos, overrun);
        StepRecord { tick: self.tick, at: self.at, decision, work: *meter.work(), nanos }
    }

    fn act(&mut self, decision: Decision) -> Result<(), RuleViolation> {
        match decision {
            Decision::Go(to) => {
                self.referee.check_move(self.tick, self.truth.grid(), self.at, to)?;
                self.desk.notes.moved(self.at, to);
                self.at = to;
                self.is_new_here = true;
                if to == self.trip.goal {
                    self.outcome = Some(Outcome::Arrived);
                }
                return Ok(());
            }
            // A proof about the current belief ends a run only if nothing can disprove it: a waiting agent sees
            // nothing new unless the world changes.
            Decision::NoPath if !self.truth.can_change_again(self.tick, self.at) => {
                let (tick, at, goal) = (self.tick, self.at, self.trip.goal);
                self.desk.floods.check_no_path(tick, self.mind.grid(), at, goal)?;
                // A path may have opened out of sight; the agent will not explore.
                let is_true = self.desk.floods.check_no_path(tick, self.truth.grid(), at, goal).is_ok();
                self.outcome = Some(if is_true { Outcome::NoPath } else { Outcome::GaveUp });
            }
            Decision::NoPath | Decision::Wait => {}
        }
        self.desk.notes.waited();
        Ok(())
    }

    /// Returns the metrics of a finished run. `earlier` has the planner's statistics from before the run.
    fn row(&mut self, outcome: Outcome, earlier: &Stats, stats: Stats) -> RunMetrics {
        let stats = Stats {
            searches: stats.searches - earlier.searches,
            updates: stats.updates - earlier.updates,
            h_rise: stats.h_rise - earlier.h_rise,
            ..stats
        };
        let walk = (self.referee.cost(), self.truth().rules().diagonal);
        let unit = self.mind.grid().unit();
        self.desk.notes.run(outcome, walk, &stats, unit)
    }
}

/// Reborrows the probe for the duration of a call.
fn lent<'a>(probe: &'a mut Option<&mut dyn SearchProbe>) -> Option<&'a mut dyn SearchProbe> {
    match probe {
        Some(probe) => Some(&mut **probe),
        None => None,
    }
}

/// The start time of a step, on the clock of all steps and on the clock of its limit.
struct Begin {
    wall: Instant,
    limit: Option<(u64, u64, fleetfoot::Clock)>,
}

impl Begin {
    fn now(budget: &Budget) -> Self {
        let limit = match *budget {
            Budget::Interval { nanos, clock } => Some((clock(), nanos, clock)),
            Budget::Expansions(_) | Budget::Unlimited => None,
        };
        Self { limit, wall: Instant::now() }
    }

    /// Returns the duration of the step, and whether it exceeded the limit.
    fn end(self) -> (u64, bool) {
        let nanos = self.wall.elapsed().as_nanos() as u64;
        (nanos, self.limit.is_some_and(|(begin, allowed, clock)| clock() - begin > allowed))
    }
}

/// Receives events of a run while it goes on.
#[derive(Default)]
pub struct Watch<'a> {
    /// Receives the events of the planner.
    pub probe: Option<&'a mut dyn SearchProbe>,
    /// Receives every tick.
    pub ticks: Option<&'a mut dyn FnMut(&StepRecord)>,
}

/// Runs episodes one after another and reuses their buffers. Use one per thread.
#[derive(Debug, Default)]
pub struct Runner {
    scratch: Scratch,
    /// Number of nodes, and maximum increase of f, for which the scratch has memory.
    room: Option<(usize, Cost)>,
    desk: Desk,
}

impl Runner {
    /// Creates a runner without buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the working memory that planners share. A finished planner can release its pages into it.
    pub fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// Executes a run to its end. The planner should be new, or reset.
    ///
    /// # Errors
    /// If the planner broke a rule.
    pub fn run(
        &mut self,
        trip: &Task<'_>,
        terms: &RunLimits,
        planner: &mut dyn Planner<Grid>,
    ) -> Result<RunMetrics, RuleViolation> {
        self.run_watched(trip, terms, planner, Watch::default())
    }

    /// Executes a run to its end, and reports its events to observers.
    ///
    /// # Errors
    /// If the planner broke a rule.
    pub fn run_watched(
        &mut self,
        trip: &Task<'_>,
        terms: &RunLimits,
        planner: &mut dyn Planner<Grid>,
        mut watch: Watch<'_>,
    ) -> Result<RunMetrics, RuleViolation> {
        self.make_room(trip);
        let earlier = planner.stats();
        let mut episode = Episode::on(std::mem::take(&mut self.desk), trip, terms);
        let ended = self.live(&mut episode, planner, &mut watch);
        let run = ended.map(|outcome| episode.row(outcome, &earlier, planner.stats()));
        self.desk = episode.desk;
        run
    }

    /// Creates the tables of look-ahead searches before the first clock starts. They are as large as the map, and no
    /// step should pay for them.
    fn make_room(&mut self, trip: &Task<'_>) {
        let grid = trip.world.truth();
        let room = (grid.bound(), grid.max_f_increase());
        if self.room != Some(room) {
            self.scratch.reserve_search(room.0, room.1);
            self.room = Some(room);
        }
    }

    fn live(
        &mut self,
        episode: &mut Episode<'_>,
        planner: &mut dyn Planner<Grid>,
        watch: &mut Watch<'_>,
    ) -> Result<Outcome, RuleViolation> {
        loop {
            if let Some(outcome) = episode.outcome() {
                return Ok(outcome);
            }
            let tick = episode.tick(planner, &mut self.scratch, lent(&mut watch.probe))?;
            if let Some(ticks) = &mut watch.ticks {
                ticks(&tick);
            }
        }
    }

    /// Returns the length of a shortest path of a task. Returns `None` if there is none.
    pub fn optimal(&mut self, trip: &Task<'_>) -> Option<Length> {
        trip.optimal(&mut self.scratch)
    }
}

#[cfg(test)]
mod tests;
