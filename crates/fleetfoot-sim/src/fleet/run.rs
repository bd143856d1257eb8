//! A run of a fleet, tick by tick.

use std::collections::{BTreeMap, HashSet};

use fleetfoot::fleet::{Fleet, FleetConfig, Goal, ResolverConfig, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Grid, Map, Meter, NodeId, Prices, Scratch, shortest_path};

use super::ground::Ground;
use super::measures::{Measures, Quantiles, TickRow};
use super::referee::{Conflicts, Referee};
use super::setup::{Assignments, FleetSetup, Place};
use crate::budget::{Budget, thread_nanos};
use crate::error::InputError;

/// Ticks without progress toward its goal after which a unit counts as stuck.
pub const STUCK: u64 = 64;

/// Maximum memory of all teams, if each unit has a map of its own.
const MOST_MEMORY: usize = 4 << 30;

/// The limits of a fleet's run.
#[derive(Clone, Copy, Debug)]
pub struct FleetLimits {
    /// Budget of a tick.
    pub budget: Budget,
    /// Maximum number of ticks.
    pub ticks: u64,
    /// Units share searches and knowledge of the map. Otherwise each unit searches and sees for itself.
    pub share: bool,
    /// Units avoid collisions.
    pub collisions: bool,
    /// Seed of ties.
    pub seed: u64,
}

impl Default for FleetLimits {
    fn default() -> Self {
        Self { budget: Budget::Expansions(10_000), ticks: 5_000, share: true, collisions: true, seed: 0 }
    }
}

/// What is known of a unit from outside.
#[derive(Clone, Copy, Debug)]
struct Unit {
    id: UnitId,
    /// `NONE` before the first order, and after the unit has left the map.
    goal: NodeId,
    /// Its cell when it got its order, and the tick.
    from: NodeId,
    since: u64,
    /// Moves of a shortest path at that time, if it must be computed immediately.
    shortest: Option<u32>,
    /// Index of its next task.
    task: usize,
    /// The unit has been at its goal during this order.
    has_arrived: bool,
    is_gone: bool,
    /// Tick of its first move, or 0.
    first_move: u64,
    /// Tick of its last move.
    last_move: u64,
}

/// An arrival, for the ratio.
type Arrival = (NodeId, NodeId, u64, Option<u32>);

/// A run of a fleet.
#[derive(Debug)]
pub struct FleetRun<'a> {
    ground: &'a Ground,
    muster: &'a FleetSetup,
    terms: FleetLimits,
    fleet: Fleet,
    units: Vec<Unit>,
    /// Cells of units. `NONE` for units that have left.
    at: Vec<NodeId>,
    before: Vec<NodeId>,
    referee: Referee,
    conflicts: Conflicts,
    /// Changes that are delayed until their cell is free, and the index of the next change.
    late: Vec<(NodeId, u8)>,
    next_edit: usize,
    /// Changes of the last tick.
    changed: Vec<(NodeId, u8)>,
    /// Units that take their next task, or leave, at the beginning of the next tick.
    due: Vec<usize>,
    /// Units with an order for this tick.
    ordered: Vec<usize>,
    rows: Vec<TickRow>,
    arrivals: Vec<Arrival>,
    scratch: Scratch,
}

impl<'a> FleetRun<'a> {
    /// Places the units on the map. Their orders come with the first tick.
    ///
    /// # Errors
    /// If there are no units, or a start is blocked or occupied by another unit.
    pub fn new(ground: &'a Ground, muster: &'a FleetSetup, terms: &FleetLimits) -> Result<Self, InputError> {
        let mut config = FleetConfig::default();
        config.collisions = terms.collisions;
        config.resolver = ResolverConfig { seed: terms.seed, ..config.resolver };
        if !terms.share {
            config.least_group = usize::MAX;
        }
        let mut fleet = Fleet::with(Map::from(Grid::clone(ground.grid())), config);
        if muster.is_empty() {
            return Err(InputError::new("a fleet of 0 units has nothing to do", "ask for at least one unit"));
        }
        let mut teams = Teams { vision: ground.vision, share: terms.share, last: None };
        let mut units = Vec::with_capacity(muster.len());
        for (k, &(x, y)) in muster.starts.iter().enumerate() {
            let cell = fleet.map().node(x, y).unwrap_or(NodeId::NONE);
            let team = teams.next(&mut fleet, muster.len())?;
            let id = fleet.spawn(team, cell).map_err(|error| {
                let text = error.to_string();
                let (what, remedy) = text.split_once("; ").unwrap_or((&text, "choose another cell"));
                InputError::new(format!("unit {k} cannot begin in ({x}, {y}): {what}"), remedy)
            })?;
            units.push(Unit {
                id,
                goal: NodeId::NONE,
                from: cell,
                since: 0,
                shortest: None,
                task: k,
                has_arrived: false,
                is_gone: false,
                first_move: 0,
                last_move: 0,
            });
        }
        let at: Vec<NodeId> = units.iter().map(|unit| unit.from).collect();
        Ok(Self {
            ground,
            muster,
            terms: *terms,
            fleet,
            before: at.clone(),
            at,
            referee: Referee::default(),
            conflicts: Conflicts::default(),
            late: Vec::new(),
            next_edit: 0,
            changed: Vec::new(),
            due: Vec::new(),
            ordered: Vec::new(),
            rows: Vec::new(),
            arrivals: Vec::new(),
            scratch: Scratch::new(),
            units,
        })
    }

    /// Returns the fleet.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Returns the cell of a unit. Returns `None` if it has left the map.
    pub fn at(&self, unit: usize) -> Option<NodeId> {
        self.units.get(unit).filter(|unit| !unit.is_gone).map(|_| self.at[unit])
    }

    /// Returns the fleet's id of a unit.
    pub fn id(&self, unit: usize) -> UnitId {
        self.units[unit].id
    }

    /// Returns the goal of a unit. Returns `None` before the first tick, or if it has left the map.
    pub fn goal(&self, unit: usize) -> Option<NodeId> {
        self.units.get(unit).and_then(|unit| unit.goal.some())
    }

    /// Returns the number of units at the beginning.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Returns `true` if there are no units, which cannot happen.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Returns the cells that changed in the last tick, with their new weights.
    pub fn changed(&self) -> &[(NodeId, u8)] {
        &self.changed
    }

    /// Returns the ticks so far.
    pub fn rows(&self) -> &[TickRow] {
        &self.rows
    }

    /// Executes one tick. Returns `None` if the run is over: after the last tick, or when all units are at their
    /// goals or cannot reach them.
    pub fn tick(&mut self) -> Option<TickRow> {
        let tick = self.rows.len() as u64 + 1;
        if tick > self.terms.ticks || (tick > 1 && self.is_settled()) {
            return None;
        }
        self.changed = self.edits(tick);
        let begun = thread_nanos();
        for &(cell, weight) in &self.changed {
            let made = self.fleet.set(cell, weight);
            made.expect("the grid was made for all weights of the script");
        }
        self.give_orders(tick);
        let mut meter = self.terms.budget.meter(Prices::ALL_WORK);
        let _ = self.fleet.tick_with(&mut meter);
        let plan_ns = thread_nanos() - begun;
        self.note_goals(tick);
        let mut row = TickRow { tick, plan_ns, work: self.fleet.summary().work, ..TickRow::default() };
        (row.seeking, row.left_out) = (self.fleet.summary().seeking, self.fleet.summary().left_out);
        self.look(&mut row);
        self.rows.push(row);
        Some(row)
    }

    /// Collects the positions of all units, and the conflicts.
    fn look(&mut self, row: &mut TickRow) {
        std::mem::swap(&mut self.before, &mut self.at);
        self.at.clear();
        let gone = NodeId::NONE;
        self.at.extend(self.units.iter().map(|unit| self.fleet.at(unit.id).unwrap_or(gone)));
        let there = |list: &[NodeId]| -> Vec<NodeId> {
            list.iter().zip(&self.units).filter(|(_, unit)| !unit.is_gone).map(|(at, _)| *at).collect()
        };
        let (before, after) = (there(&self.before), there(&self.at));
        let found = self.referee.judge(self.fleet.map().grid(), &before, &after, false);
        row.conflicts = found.total();
        self.conflicts.no_move += found.no_move;
        self.conflicts.shared += found.shared;
        self.conflicts.exchanged += found.exchanged;
        self.conflicts.crossed += found.crossed;
        self.due.clear();
        for k in 0..self.units.len() {
            self.look_at(k, row);
        }
    }

    fn look_at(&mut self, k: usize, row: &mut TickRow) {
        let (at, has_moved) = (self.at[k], self.at[k] != self.before[k]);
        let unit = &mut self.units[k];
        if unit.is_gone {
            return;
        }
        if has_moved {
            row.moved += 1;
            unit.last_move = row.tick;
            if unit.first_move == 0 {
                unit.first_move = row.tick;
            }
        }
        if at != unit.goal {
            let status = self.fleet.status(unit.id);
            let can_go =
                matches!(status, Some(UnitStatus::Seeking | UnitStatus::Underway | UnitStatus::Arrived));
            row.waiting += u32::from(can_go && !has_moved);
            return;
        }
        row.arrived += 1;
        let takes_next = matches!(self.muster.errands, Assignments::Tasks(_) | Assignments::Leave(_));
        if takes_next {
            self.due.push(k);
        } else if unit.has_arrived {
            return;
        }
        unit.has_arrived = true;
        row.finished += 1;
        if unit.from != unit.goal {
            self.arrivals.push((unit.from, unit.goal, row.tick + 1 - unit.since, unit.shortest));
        }
    }

    /// Returns `true` if no further event is expected.
    fn is_settled(&self) -> bool {
        let edits_come = self.next_edit < self.ground.edits.len();
        let settled = |(unit, at): (&Unit, &NodeId)| {
            unit.is_gone || *at == unit.goal || self.fleet.status(unit.id) == Some(UnitStatus::Unreachable)
        };
        self.muster.ends() && !edits_come && self.units.iter().zip(&self.at).all(settled)
    }

    /// Returns the changes of this tick. A change that would enclose a unit is delayed until the unit has gone, as
    /// are later changes of that cell.
    fn edits(&mut self, tick: u64) -> Vec<(NodeId, u8)> {
        let due: Vec<(NodeId, u8)> = self.ground.edits[self.next_edit..]
            .iter()
            .take_while(|edit| edit.0 < tick)
            .map(|&(_, cell, weight)| (cell, weight))
            .collect();
        self.next_edit += due.len();
        if due.is_empty() && self.late.is_empty() {
            return due;
        }
        let taken: HashSet<NodeId> = self.at.iter().copied().collect();
        let mut held: HashSet<NodeId> = HashSet::new();
        let mut now = Vec::new();
        for (cell, weight) in std::mem::take(&mut self.late).into_iter().chain(due) {
            if held.contains(&cell) || (weight == 0 && taken.contains(&cell)) {
                held.insert(cell);
                self.late.push((cell, weight));
            } else {
                now.push((cell, weight));
            }
        }
        now
    }

    /// Gives orders to all units in the first tick, and later to units that have finished a task.
    fn give_orders(&mut self, tick: u64) {
        let muster = self.muster;
        match &muster.errands {
            Assignments::Tasks(tasks) => {
                let due =
                    if tick == 1 { (0..self.units.len()).collect() } else { std::mem::take(&mut self.due) };
                for k in due {
                    let task = self.units[k].task;
                    self.units[k].task = task + self.units.len();
                    self.send(k, tasks[task % tasks.len()]);
                }
            }
            Assignments::Leave(_) if tick > 1 => {
                for k in std::mem::take(&mut self.due) {
                    self.fleet.remove(self.units[k].id);
                    (self.units[k].is_gone, self.units[k].goal) = (true, NodeId::NONE);
                }
            }
            _ if tick > 1 => {}
            Assignments::Once(goals) => {
                for (k, &goal) in goals.iter().enumerate() {
                    self.send(k, goal);
                }
            }
            Assignments::Leave(exits) => {
                let mut groups: BTreeMap<Place, Vec<UnitId>> = BTreeMap::new();
                for (k, &exit) in exits.iter().enumerate() {
                    groups.entry(exit).or_default().push(self.units[k].id);
                }
                self.ordered.extend(0..self.units.len());
                for ((x, y), ids) in groups {
                    let exit = self.fleet.map().node(x, y).unwrap_or(NodeId::NONE);
                    self.fleet.order(&ids, Goal::at(exit));
                }
            }
            Assignments::Rally((x, y)) => {
                let centre = self.fleet.map().node(*x, *y).unwrap_or(NodeId::NONE);
                let ids: Vec<UnitId> = self.units.iter().map(|unit| unit.id).collect();
                self.ordered.extend(0..ids.len());
                self.fleet.order(&ids, Goal::near(centre));
            }
        }
    }

    /// Gives an order to one unit.
    fn send(&mut self, k: usize, (x, y): Place) {
        let goal = self.fleet.map().node(x, y).unwrap_or(NodeId::NONE);
        self.fleet.order(&[self.units[k].id], Goal::at(goal));
        self.ordered.push(k);
    }

    /// Records the orders of this tick. Called after it, so that recording is not timed.
    fn note_goals(&mut self, tick: u64) {
        let is_dynamic = self.ground.is_dynamic();
        for k in std::mem::take(&mut self.ordered) {
            let (from, goal) = (self.at[k], self.fleet.goal(self.units[k].id).unwrap_or(NodeId::NONE));
            // On a changing map the shortest path may differ at the end.
            let shortest = is_dynamic.then(|| {
                let grid = self.fleet.map().grid();
                goal.some().and_then(|goal| moves(grid, from, goal, &mut self.scratch)).unwrap_or(0)
            });
            let unit = &mut self.units[k];
            (unit.goal, unit.from, unit.since) = (goal, from, tick);
            (unit.shortest, unit.has_arrived) = (shortest, false);
        }
        // Units of one order exchange their goals if that is better for both.
        if matches!(self.muster.errands, Assignments::Rally(_)) {
            for unit in &mut self.units {
                unit.goal = self.fleet.goal(unit.id).unwrap_or(NodeId::NONE);
            }
        }
    }

    /// Returns the measurements.
    pub fn measures(&self) -> Measures {
        let ticks = self.rows.len() as u64;
        let mut by_quarter = [0; 4];
        for row in &self.rows {
            by_quarter[(4 * (row.tick - 1) / ticks) as usize] += u64::from(row.finished);
        }
        let mut measures = Measures {
            agents: self.units.len(),
            ticks,
            finished: by_quarter.iter().sum(),
            finished_by_quarter: by_quarter,
            conflicts: self.conflicts,
            work_max: self.rows.iter().map(|row| row.work).max().unwrap_or(0),
            plan_ns: Quantiles::of(self.rows.iter().map(|row| row.plan_ns).collect()),
            waits: self.rows.iter().map(|row| u64::from(row.waiting)).sum(),
            left_out: self.rows.iter().map(|row| u64::from(row.left_out)).sum(),
            unit_bytes: self.fleet.memory_bytes(),
            shared_bytes: self.fleet.shared_bytes(),
            ratio: self.ratio(),
            ..Measures::default()
        };
        let mut first_moves = Vec::new();
        for (unit, &at) in self.units.iter().zip(&self.at) {
            let status = self.fleet.status(unit.id);
            if unit.is_gone || at == unit.goal {
                measures.arrived += 1;
            } else if status == Some(UnitStatus::Unreachable) {
                measures.unreachable += 1;
            } else {
                let stands = ticks - unit.last_move >= STUCK;
                let no_nearer = self.fleet.stalled(unit.id) >= STUCK;
                measures.stuck += usize::from(stands || no_nearer || status == Some(UnitStatus::Buried));
            }
            let never_left = unit.first_move == 0;
            if !(never_left && (at == unit.goal || status == Some(UnitStatus::Unreachable))) {
                first_moves.push(if never_left { ticks } else { unit.first_move });
            }
        }
        measures.first_move = Quantiles::of(first_moves);
        measures
    }

    /// Computes the mean ratio of ticks until arrival to moves of a shortest path. Searches run on all cores.
    fn ratio(&self) -> Option<f64> {
        let grid = self.ground.grid();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let portion = self.arrivals.len().div_ceil(cores).max(1);
        let sum = |arrivals: &[Arrival]| {
            let mut scratch = Scratch::new();
            arrivals.iter().fold((0.0, 0u64), |(sum, count), &(from, to, ticks, known)| {
                let found = || moves(grid, from, to, &mut scratch);
                match known.or_else(found) {
                    Some(moves) if moves > 0 => (sum + ticks as f64 / f64::from(moves), count + 1),
                    _ => (sum, count),
                }
            })
        };
        let parts: Vec<(f64, u64)> = std::thread::scope(|scope| {
            let portions = self.arrivals.chunks(portion);
            let threads: Vec<_> = portions.map(|arrivals| scope.spawn(move || sum(arrivals))).collect();
            threads.into_iter().map(|thread| thread.join().expect("searches do not fail")).collect()
        });
        let (total, count) = parts.iter().fold((0.0, 0), |(a, b), (sum, count)| (a + sum, b + count));
        (count > 0).then(|| total / count as f64)
    }
}

/// Returns the number of moves of a shortest path, if there is one.
fn moves(grid: &Grid, from: NodeId, to: NodeId, scratch: &mut Scratch) -> Option<u32> {
    let (path, _) = shortest_path(grid, from, to, &mut Meter::unlimited(), scratch).path()?;
    Some(path.len() as u32 - 1)
}

/// Assigns teams to units.
struct Teams {
    vision: Vision,
    share: bool,
    last: Option<TeamId>,
}

impl Teams {
    fn next(&mut self, fleet: &mut Fleet, units: usize) -> Result<TeamId, InputError> {
        if self.vision == Vision::All {
            return Ok(TeamId::FIRST);
        }
        if let (true, Some(team)) = (self.share, self.last) {
            return Ok(team);
        }
        let before = fleet.shared_bytes();
        let refuse = |what: String| InputError::new(what, "let units share what they know, or ask for fewer");
        let team = fleet.add_team(self.vision).map_err(|error| refuse(error.to_string()))?;
        let each = fleet.shared_bytes() - before;
        if self.last.is_none() && !self.share && each.saturating_mul(units) > MOST_MEMORY {
            let megabytes = each.saturating_mul(units) >> 20;
            return Err(refuse(format!("{units} units with a map of their own take {megabytes} MB")));
        }
        self.last = Some(team);
        Ok(team)
    }
}
