//! A session: up to four agents on one map, tick by tick.

use fleetfoot::{Belief, Graph, Map, Meter, NodeId, Prices, Scratch, shortest_path};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::script::{Change, ChangeKind, Script};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::sensor::Sensor;
use fleetfoot_view::{Costs, Meta, TrackMeta, kinds, prices};

use crate::life::{Life, Now, State};
use crate::setup::Setup;
use crate::swing::swung;

/// Maximum number of ticks of a session, since its history stays in memory.
pub const MOST_TICKS: u64 = 200_000;

/// A session. See the module.
#[derive(Debug)]
pub struct Session {
    pub(crate) setup: Setup,
    pub(crate) map: GridMap,
    truth: Map,
    sensor: Option<Sensor>,
    lives: Vec<Life>,
    scratch: Scratch,
    tick: u64,
    /// Index of the next edit.
    next: usize,
    /// Edits so far. Swings of doors follow from their period.
    pub(crate) happened: Vec<Change>,
    /// Doors that close as soon as their cells are free, as in the simulator.
    late: Vec<usize>,
    optimal: Option<f64>,
    /// Weight of each cell before the first tick.
    weights: Vec<u8>,
}

impl Session {
    /// Creates a session before its first tick.
    ///
    /// # Errors
    /// If the setup makes no sense on this map.
    pub fn new(setup: Setup, map: GridMap) -> Result<Self, InputError> {
        let grid = setup.truth(&map)?;
        let (start, goal) = setup.ends(&grid)?;
        let specs = setup.specs()?;
        if let Some(sight) = setup.sight() {
            sight.check(grid.rules())?;
        }
        let belief = match setup.sight() {
            None => None,
            Some(_) => Some(
                Belief::partial(&grid, setup.terrain().weights(), |_, _| true)
                    .map_err(|error| InputError::new(error.to_string(), "use a smaller map"))?,
            ),
        };
        let terms = (setup.budget(), setup.prices.prices());
        let live = |spec| Life::new(spec, &grid, belief.clone(), (start, goal), terms);
        let lives = specs.into_iter().map(live).collect();
        let mut scratch = Scratch::new();
        scratch.reserve_search(grid.bound(), grid.max_f_increase());
        let found = shortest_path(&grid, start, goal, &mut Meter::unlimited(), &mut scratch);
        let lengths = found.path().map(|(path, _)| {
            let moves = path.windows(2).map(|step| grid.length(step[0], step[1]));
            moves.fold(fleetfoot::Length::ZERO, |sum, length| sum + length)
        });
        let optimal = lengths.map(|length| length.value(grid.rules().diagonal));
        let mut session = Self {
            sensor: setup.sight().map(Sensor::new),
            weights: cells(&map).map(|(x, y)| grid.node(x, y).map_or(0, |n| grid.weight(n))).collect(),
            truth: Map::without_index(grid),
            lives,
            scratch,
            tick: 0,
            next: 0,
            happened: Vec::new(),
            late: Vec::new(),
            optimal,
            setup,
            map,
        };
        session.setup.changes.sort_by_key(|change| change.0);
        Ok(session)
    }

    /// Returns the number of ticks that have passed.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// Returns `true` if nothing more will happen unless the map is edited.
    pub fn is_at_rest(&self) -> bool {
        let is_over = self.lives.iter().all(|life| life.state.is_over());
        let is_stuck = self.lives.iter().all(|life| life.state != State::Alive);
        let is_waiting = self.next == self.setup.changes.len() && !self.swings();
        self.tick >= MOST_TICKS || is_over || is_stuck && is_waiting
    }

    pub(crate) fn swings(&self) -> bool {
        self.setup.swing > 0 && !self.setup.doors.is_empty()
    }

    /// Executes up to `ticks` ticks. Returns their number.
    pub fn live(&mut self, ticks: u64) -> u64 {
        let begin = self.tick;
        while self.tick - begin < ticks && !self.is_at_rest() {
            let edits = self.change();
            let now = Now { truth: &self.truth, edits: &edits, sensor: self.sensor.as_ref() };
            for life in self.lives.iter_mut().filter(|life| !life.state.is_over()) {
                life.tick(now, &mut self.scratch);
            }
            self.tick += 1;
        }
        self.tick - begin
    }

    /// Edits a cell before the next tick. Returns `false` if an agent occupies it, or nothing changes.
    ///
    /// # Errors
    /// If there is no such cell, or the terrain has no such weight.
    pub fn edit(&mut self, x: u32, y: u32, weight: u8) -> Result<bool, InputError> {
        let Some(node) = self.truth.node(x, y) else {
            return Err(InputError::new(format!("there is no cell {x}, {y}"), "draw on the map"));
        };
        let weights = self.setup.terrain().weights();
        if weight > 0 && !weights.contains(&weight) {
            let what = format!("ground of weight {weight} needs a map with weights");
            return Err(InputError::new(what, "turn weights on first"));
        }
        if self.pending(x, y) == weight || self.is_occupied(node) {
            return Ok(false);
        }
        // Drops later edits: they belong to the old timeline.
        self.setup.changes.retain(|change| change.0 <= self.tick);
        self.setup.changes.push((self.tick, x, y, weight));
        Ok(true)
    }

    /// Returns the weight of a cell in the next tick, as far as edits determine it.
    fn pending(&self, x: u32, y: u32) -> u8 {
        let waiting = self.setup.changes[self.next..].iter().rev();
        let now = self.truth.node(x, y).map_or(0, |n| self.truth.grid().weight(n));
        waiting
            .filter(|change| change.0 <= self.tick)
            .find(|change| (change.1, change.2) == (x, y))
            .map_or(now, |change| change.3)
    }

    fn is_occupied(&self, node: NodeId) -> bool {
        self.lives.iter().any(|life| life.occupies(node))
    }

    /// Applies all changes of this tick, and informs the agents about the kinds of changes.
    fn change(&mut self) -> Vec<(NodeId, u8)> {
        let mut edits = Vec::new();
        for k in std::mem::take(&mut self.late) {
            self.swing(k, false, &mut edits);
        }
        while let Some(&(tick, x, y, weight)) = self.setup.changes.get(self.next) {
            if tick > self.tick {
                break;
            }
            self.next += 1;
            self.make((x, y), weight, &mut edits);
        }
        if self.swings() && self.tick > 0 {
            for k in 0..self.setup.doors.len() {
                if let Some(is_open) = swung(self.tick, self.setup.swing, k) {
                    self.late.retain(|late| *late != k);
                    self.swing(k, is_open, &mut edits);
                }
            }
        }
        edits
    }

    /// Opens or closes a door. A door that an agent occupies closes once it is free.
    fn swing(&mut self, k: usize, is_open: bool, edits: &mut Vec<(NodeId, u8)>) {
        let ((x, y), by_hand) = (self.setup.doors[k], self.happened.len());
        if !is_open && self.truth.node(x, y).is_some_and(|node| self.is_occupied(node)) {
            self.late.push(k);
        } else {
            self.make((x, y), u8::from(is_open), edits);
        }
        // Swings follow from their period: only edits are listed.
        self.happened.truncate(by_hand);
    }

    /// Changes a cell, unless an agent occupies it.
    fn make(&mut self, (x, y): (u32, u32), weight: u8, edits: &mut Vec<(NodeId, u8)>) {
        let Some(node) = self.truth.node(x, y).filter(|node| !self.is_occupied(*node)) else { return };
        let before = self.truth.grid().weight(node);
        if before == weight || self.truth.set(node, weight).is_err() {
            return;
        }
        edits.push((node, weight));
        let what = match weight {
            0 => ChangeKind::Close,
            1 if before == 0 => ChangeKind::Open,
            weight => ChangeKind::Weight(weight),
        };
        // Opening a cell with a weight above 1 takes two lines of a script.
        if before == 0 && weight > 1 {
            self.happened.push(Change { tick: self.tick, x, y, what: ChangeKind::Open });
        }
        self.happened.push(Change { tick: self.tick, x, y, what });
        let rises = weight == 0 || before > 0 && weight > before;
        self.lives.iter_mut().for_each(|life| life.brace(rises, !rises));
    }

    /// Returns the chunks of a track since the last call.
    pub fn chunks(&mut self, life: usize) -> Vec<Vec<u8>> {
        self.lives.get_mut(life).map(|life| life.tape.take()).unwrap_or_default()
    }

    /// Returns the state of a run, and a message about it.
    pub fn state(&self, life: usize) -> Option<(State, Option<&str>)> {
        self.lives.get(life).map(|life| (life.state, life.note.as_deref()))
    }

    /// Returns column and row of an agent.
    pub fn at(&self, life: usize) -> Option<(u32, u32)> {
        self.lives.get(life).map(|life| self.truth.xy(life.at))
    }

    /// Returns the weight of each cell before the first tick.
    pub fn weights(&self) -> &[u8] {
        &self.weights
    }

    /// Returns edits, and swings of doors up to the current tick, as a script.
    pub fn script(&self) -> Script {
        let mut changes = self.happened.clone();
        let swings = |tick| (0..self.setup.doors.len()).filter_map(move |k| self.swing_of(tick, k));
        changes.extend((0..self.tick).flat_map(swings));
        // Edits come first, and their order within a tick is kept.
        changes.sort_by_key(|change| change.tick);
        Script { changes, ..Script::empty(self.map.width(), self.map.height()) }
    }

    /// Returns the swing of a door at a tick.
    fn swing_of(&self, tick: u64, k: usize) -> Option<Change> {
        let (x, y) = self.setup.doors[k];
        let is_open = swung(tick, self.setup.swing, k)?;
        Some(Change { tick, x, y, what: if is_open { ChangeKind::Open } else { ChangeKind::Close } })
    }

    /// Returns the description of this session's record so far.
    pub fn meta(&self) -> Meta {
        let setup = &self.setup;
        Meta {
            generator: concat!("fleetfoot ", env!("CARGO_PKG_VERSION")).into(),
            map: setup.name.clone(),
            width: self.map.width(),
            height: self.map.height(),
            world: setup.radius.map_or_else(|| "known".into(), |radius| format!("unknown(radius={radius})")),
            sighted: setup.radius.is_some(),
            rules: String::new(),
            problem: 0,
            start: setup.start,
            goal: setup.goal,
            costs: Costs::of(self.graph()),
            kinds: kinds(),
            prices: prices(&setup.prices.prices()),
            all_work: prices(&Prices::ALL_WORK),
            optimal: self.optimal,
            lives: self.lives.iter().map(|life| self.life_meta(life)).collect(),
        }
    }

    fn graph(&self) -> &fleetfoot::Grid {
        self.truth.grid()
    }

    fn life_meta(&self, life: &Life) -> TrackMeta {
        TrackMeta {
            planner: life.spec.to_string(),
            name: life.spec.info().name.into(),
            budget: self.setup.budget().to_string(),
            expansions: self.setup.budget,
            first: 0,
            ticks: life.ticks,
            at: self.setup.start,
            outcome: (life.state == State::Arrived).then(|| "arrived".into()),
            length: life.tape.length(),
            every: 1,
            near: life.tape.has_near(),
            highest: life.tape.highest(),
        }
    }
}

/// Returns columns and rows, row by row.
fn cells(map: &GridMap) -> impl Iterator<Item = (u32, u32)> {
    let (width, height) = (map.width(), map.height());
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}
