//! One agent's life, tick by tick, in the game time model: time passes in equal intervals; in each the world
//! changes, the agent looks around, its planner thinks within the budget, and at the end of the interval the
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

/// From where to where, and in which world.
#[derive(Clone, Copy, Debug)]
pub struct Task<'w> {
    world: &'w World,
    start: NodeId,
    goal: NodeId,
}

impl<'w> Task<'w> {
    /// A trip between two cells, each given as (column, row).
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

    /// The world.
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// Where the agent begins.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// Where it wants to be.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    fn outcome_at_start(&self) -> Option<Outcome> {
        (self.start == self.goal).then_some(Outcome::Arrived)
    }

    /// The length of a shortest path in the world as the agent finds it in the first tick; nothing if there
    /// is none.
    pub fn optimal(&self, scratch: &mut Scratch) -> Option<Length> {
        let truth = self.first_truth();
        let meter = &mut Meter::unlimited();
        let (path, _) = shortest_path(truth.grid(), self.start, self.goal, meter, scratch).path()?;
        let lengths = path.windows(2).map(|step| truth.grid().length(step[0], step[1]));
        Some(lengths.fold(Length::ZERO, |sum, length| sum + length))
    }

    /// A shortest path in the world as the agent finds it in the first tick, both ends included.
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

/// What an agent is allowed.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// What it may spend in a step.
    pub budget: Budget,
    /// What its work costs.
    pub prices: Prices,
    /// After so many steps it gives up; by default after [`World::patience`] of a complete planner.
    pub max_steps: Option<u64>,
}

impl RunLimits {
    /// Returns the terms of an agent with this budget. All work is charged.
    pub fn new(budget: Budget) -> Self {
        Self { budget, prices: Prices::default(), max_steps: None }
    }
}

/// One step, as it went.
#[derive(Clone, Copy, Debug)]
pub struct StepRecord {
    /// Its number, from 0.
    pub tick: u64,
    /// Where the agent was.
    pub at: NodeId,
    /// What the planner answered.
    pub decision: Decision,
    /// What it did.
    pub work: Work,
    /// How long it took.
    pub nanos: u64,
}

/// What the agent takes for the world.
#[derive(Debug)]
enum Mind<'w> {
    /// It knows the truth, and that stays as it is: nothing is copied.
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

/// Memory that one episode leaves to the next.
#[derive(Debug, Default)]
struct Desk {
    notes: Notes,
    floods: Floods,
}

/// A life under way. [`Runner::run`] lives it to its end; this is for those who want to see every tick.
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
    /// Whether the agent has yet to look around where it is.
    is_new_here: bool,
    outcome: Option<Outcome>,
}

impl<'w> Episode<'w> {
    /// The agent at its start, before the first tick.
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

    /// Where the agent is.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// How many ticks have passed.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// The world as it is.
    pub fn truth(&self) -> &Grid {
        self.truth.grid()
    }

    /// The cells that changed in the last tick.
    pub fn changed(&self) -> &[NodeId] {
        self.truth.changed()
    }

    /// The world as the agent believes it to be.
    pub fn believed(&self) -> &Grid {
        self.mind.grid()
    }

    /// Whether the agent has seen a cell, or knew it from the beginning.
    pub fn is_known(&self, cell: NodeId) -> bool {
        match &self.mind {
            Mind::Knows(..) => true,
            Mind::Believes(belief) => belief.is_known(cell),
        }
    }

    /// How it ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Lives one tick; to be called until there is an outcome.
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

    /// The world changes, and the agent learns what it sees or is told.
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
            // A proof about the present belief, which ends a life only if nothing can come to disprove it:
            // an agent that stays sees nothing new unless the world changes.
            Decision::NoPath if !self.truth.can_change_again(self.tick, self.at) => {
                let (tick, at, goal) = (self.tick, self.at, self.trip.goal);
                self.desk.floods.check_no_path(tick, self.mind.grid(), at, goal)?;
                // A way may have opened out of its sight; it will not go and look.
                let is_true = self.desk.floods.check_no_path(tick, self.truth.grid(), at, goal).is_ok();
                self.outcome = Some(if is_true { Outcome::NoPath } else { Outcome::GaveUp });
            }
            Decision::NoPath | Decision::Wait => {}
        }
        self.desk.notes.waited();
        Ok(())
    }

    /// The row of a life that has ended. What the planner had done before it began, `earlier` tells.
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

/// The probe for the length of a call.
fn lent<'a>(probe: &'a mut Option<&mut dyn SearchProbe>) -> Option<&'a mut dyn SearchProbe> {
    match probe {
        Some(probe) => Some(&mut **probe),
        None => None,
    }
}

/// When a step began, by the clock that times all steps and by the one that limits this one.
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

    /// How long it took, and whether that was too long.
    fn end(self) -> (u64, bool) {
        let nanos = self.wall.elapsed().as_nanos() as u64;
        (nanos, self.limit.is_some_and(|(begin, allowed, clock)| clock() - begin > allowed))
    }
}

/// What is told of a life while it is lived.
#[derive(Default)]
pub struct Watch<'a> {
    /// Sees the planner think.
    pub probe: Option<&'a mut dyn SearchProbe>,
    /// Is told of every tick.
    pub ticks: Option<&'a mut dyn FnMut(&StepRecord)>,
}

/// Lives lives, one after the other, on the same memory: one per thread.
#[derive(Debug, Default)]
pub struct Runner {
    scratch: Scratch,
    /// For which number of nodes and steepness the scratch has room.
    room: Option<(usize, Cost)>,
    desk: Desk,
}

impl Runner {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The working memory that planners share. A planner that is done can be released into it.
    pub fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// Lives a life to its end. The planner should be new, or reset.
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

    /// The same, under the eyes of others.
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

    /// Makes the tables of look-ahead searches before the first clock starts: they are as large as the map, and no step
    /// should have to pay for them.
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

    /// The length of a shortest path of a trip; nothing if there is none.
    pub fn optimal(&mut self, trip: &Task<'_>) -> Option<Length> {
        trip.optimal(&mut self.scratch)
    }
}

#[cfg(test)]
mod tests;
