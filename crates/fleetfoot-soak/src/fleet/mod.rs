//! Cases of fleets.

mod deeds;
mod end;
mod judge;

use std::collections::HashMap;

use fleetfoot::fleet::{Event, Fleet, FleetConfig, FleetError, SavedFleet, TeamId, UnitId, Vision};
use fleetfoot::{Meter, NodeId, Prices};

use self::deeds::Deed;
use crate::case::place::Names;
use crate::case::{Case, FleetCase};
use crate::fault::Fault;
use crate::judges::ground::{Cell, Ground, NOWHERE};
use crate::judges::oracle::Parts;
use crate::judges::referee::{Referee, Rules};
use crate::rng::Rng;
use crate::tally::Tally;

/// Ticks for which a fleet that was loaded runs beside the original.
const TWIN_TICKS: u64 = 60;

/// What the judges know of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    id: UnitId,
    /// Its team sees this far; `None` if it knows the whole map.
    fog: Option<u32>,
    /// Where it is; [`NOWHERE`] once it is removed.
    at: Cell,
    order: Option<Order>,
    /// The goal was unreachable in a tick since the order.
    was_cut_off: bool,
    /// It moves every N ticks, as far as that is so.
    every: Option<u32>,
    last_move: Option<u64>,
}

/// The order of a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// The cell; [`NOWHERE`] if it is not on the map.
    cell: Cell,
    /// To this cell and no other.
    is_exact: bool,
}

/// A run of a fleet under judgment.
pub(crate) struct Run<'a> {
    case: &'a Case,
    about: &'a FleetCase,
    ground: Ground,
    names: Names,
    parts: Parts,
    /// A cell was freed, so that teams in the fog may believe in walls that are gone.
    has_opened: bool,
    fleet: Fleet,
    /// What was loaded, and the tick up to which it runs.
    twin: Option<(Fleet, u64)>,
    teams: Vec<(TeamId, Option<u32>)>,
    units: Vec<Known>,
    /// The place in `units` of the unit with this id.
    places: HashMap<UnitId, usize>,
    rules: Rules,
    referee: Referee,
    before: Vec<Cell>,
    after: Vec<Cell>,
    tick: u64,
    last_deed: u64,
    tally: &'a mut Tally,
}

/// Runs a case.
///
/// # Errors
/// The first fault.
pub(crate) fn run(case: &Case, about: &FleetCase, tally: &mut Tally) -> Result<(), Fault> {
    let ground = case.world.ground(case.seed);
    let mut config = FleetConfig::default();
    config.collisions = about.collide;
    if about.rules != 0 {
        let rules = &mut config.resolver;
        rules.seed = about.rules;
        let switches = [
            &mut rules.swaps,
            &mut rules.empty_pockets,
            &mut rules.steady,
            &mut rules.rings,
            &mut rules.lanes,
            &mut rules.penalties,
            &mut rules.joint_searches,
            &mut rules.hindrance,
            &mut rules.keeps_right,
        ];
        for (k, switch) in switches.into_iter().enumerate() {
            *switch &= about.rules >> k & 1 == 0;
        }
        rules.may_cross = about.rules >> 9 & 1 == 1;
    }
    let rules = Rules { collide: about.collide, may_cross: config.resolver.may_cross };
    let fleet = Fleet::with(case.world.map(&ground), config);
    let names = Names::new(&ground, fleet.map().grid());
    let mut run = Run {
        case,
        about,
        parts: Parts::new(&ground),
        ground,
        names,
        has_opened: false,
        fleet,
        twin: None,
        teams: vec![(TeamId::FIRST, None)],
        units: Vec::new(),
        places: HashMap::new(),
        rules,
        referee: Referee::default(),
        before: Vec::new(),
        after: Vec::new(),
        tick: 0,
        last_deed: 0,
        tally,
    };
    run.all()
}

impl Run<'_> {
    fn all(&mut self) -> Result<(), Fault> {
        for k in 1..self.about.teams {
            let fog = (self.about.fog > 0 && k % 2 == 1).then_some(self.about.fog);
            let vision = fog.map_or(Vision::All, Vision::Radius);
            let team = self.fleet.add_team(vision).map_err(|error| self.fault("call", error))?;
            self.teams.push((team, fog));
        }
        if self.about.fog > 0 && self.about.teams == 1 {
            let team = self.fleet.add_team(Vision::Radius(self.about.fog));
            self.teams = vec![(team.map_err(|error| self.fault("call", error))?, Some(self.about.fog))];
        }
        let deeds = deeds::all(self.case, self.about, &self.ground, self.teams.len());
        let mut next = deeds.iter().peekable();
        while self.tick < self.case.ticks {
            while let Some((_, deed)) = next.next_if(|(tick, _)| *tick <= self.tick) {
                self.last_deed = self.tick;
                self.perform(deed)?;
            }
            self.refresh();
            self.run_tick()?;
        }
        self.judge_end()
    }

    fn fault(&self, kind: &str, text: impl std::fmt::Display) -> Fault {
        Fault::new(kind, self.tick, text)
    }

    /// Calls both fleets, and compares what they return.
    fn both<T: PartialEq + std::fmt::Debug>(&mut self, call: impl Fn(&mut Fleet) -> T) -> Result<T, Fault> {
        let result = call(&mut self.fleet);
        if let Some((twin, _)) = &mut self.twin {
            let other = call(twin);
            if other != result {
                return Err(
                    self.fault("twin", format!("a call returned {other:?} after loading, not {result:?}"))
                );
            }
        }
        Ok(result)
    }

    /// Finds out again which goals are out of reach if the map has changed.
    fn refresh(&mut self) {
        match self.parts.refresh(&self.ground) {
            0 => return,
            1 => {}
            // What was out of reach between two edits of one tick is not known.
            _ => self.units.iter_mut().for_each(|unit| unit.was_cut_off = true),
        }
        for unit in &mut self.units {
            let is_reachable = |order: Order| self.parts.joins(unit.at, order.cell);
            unit.was_cut_off |= !unit.order.is_some_and(is_reachable);
        }
    }

    fn run_tick(&mut self) -> Result<(), Fault> {
        let meter = || match self.case.budget {
            0 => Meter::unlimited(),
            budget => Meter::priced(budget, Prices::ALL_WORK),
        };
        let mut mine = meter();
        let events: Vec<Event> = self.fleet.tick_with(&mut mine).collect();
        self.judge_tick(&mine, &events)?;
        if let Some((twin, until)) = &mut self.twin {
            let others: Vec<Event> = twin.tick_with(&mut meter()).collect();
            let until = *until;
            if events != others {
                let differs = events.iter().zip(&others).take_while(|(a, b)| a == b).count();
                let (mine, other) = (events.get(differs), others.get(differs));
                return Err(
                    self.fault("twin", format!("event {differs} is {other:?} after loading, not {mine:?}"))
                );
            }
            if twin.summary() != self.fleet.summary() {
                let (other, mine) = (twin.summary(), self.fleet.summary());
                return Err(
                    self.fault("twin", format!("the summary is {other:?} after loading, not {mine:?}"))
                );
            }
            if self.tick >= until {
                self.twin = None;
            }
        }
        self.tick += 1;
        Ok(())
    }

    /// Does one deed, and compares the result with what the judges know.
    fn perform(&mut self, deed: &Deed) -> Result<(), Fault> {
        match *deed {
            Deed::Spawn { team, cell, every } => self.spawn(team, cell, every),
            Deed::Edit { cell, weight } => self.edit(cell, weight),
            Deed::Order { ref units, cell, is_exact } => self.order(units, cell, is_exact),
            Deed::Teleport { unit, cell } => self.teleport(unit, cell),
            Deed::Remove { unit } => {
                let Some(known) = self.known(unit) else { return Ok(()) };
                let (id, was_there) = (known.id, known.at != NOWHERE);
                let removed = self.both(|fleet| fleet.remove(id))?;
                self.expect("remove", &removed, &was_there)?;
                self.change(unit, |known| known.at = NOWHERE);
                Ok(())
            }
            Deed::Speed { unit, speed, every } => {
                let Some(known) = self.known(unit) else { return Ok(()) };
                let (id, is_there) = (known.id, known.at != NOWHERE);
                let result = self.both(|fleet| fleet.set_speed(id, speed))?;
                self.expect("set_speed", &result, &if is_there { Ok(()) } else { Err(FleetError::NoUnit) })?;
                self.change(unit, |known| (known.every, known.last_move) = (every, None));
                Ok(())
            }
            Deed::Prefer { unit, first } => {
                let Some(known) = self.known(unit) else { return Ok(()) };
                let (id, is_there) = (known.id, known.at != NOWHERE);
                let result = self.both(|fleet| fleet.prefer(id, first))?;
                self.expect("prefer", &result, &if is_there { Ok(()) } else { Err(FleetError::NoUnit) })
            }
            Deed::Stop { unit } => {
                let Some(id) = self.known(unit).map(|known| known.id) else { return Ok(()) };
                self.both(|fleet| fleet.stop(&[id]))?;
                self.change(unit, |known| known.order = None);
                Ok(())
            }
            Deed::Save { as_text } => self.save(as_text),
        }
    }

    /// Returns what is known of unit `k` of those that were ever spawned, repeatedly.
    fn known(&self, k: u32) -> Option<&Known> {
        let count = self.units.len();
        (count > 0).then(|| &self.units[k as usize % count])
    }

    fn change<T>(&mut self, k: u32, change: impl FnOnce(&mut Known) -> T) {
        let count = self.units.len();
        change(&mut self.units[k as usize % count]);
    }

    fn expect<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        result: &T,
        expected: &T,
    ) -> Result<(), Fault> {
        if result == expected {
            return Ok(());
        }
        Err(self.fault("call", format!("{what} returned {result:?}, not {expected:?}")))
    }

    fn is_taken(&self, cell: Cell) -> bool {
        self.about.collide && self.units.iter().any(|unit| unit.at == cell)
    }

    /// Returns how a unit can be put on a cell.
    fn placing(&self, cell: Cell) -> Result<(), FleetError> {
        if !self.ground.is_free(cell) {
            Err(FleetError::Blocked)
        } else if self.is_taken(cell) {
            Err(FleetError::Taken)
        } else {
            Ok(())
        }
    }

    fn spawn(&mut self, team: u32, cell: Cell, every: Option<u32>) -> Result<(), Fault> {
        let ((team, fog), n) = (self.teams[team as usize % self.teams.len()], self.names.node(cell));
        let result = self.both(|fleet| fleet.spawn(team, n))?;
        self.expect("spawn", &result.clone().map(drop), &self.placing(cell))?;
        let Ok(id) = result else { return Ok(()) };
        if let Some(every) = every {
            let speed = fleetfoot::fleet::Speed::EveryTicks(every);
            let result = self.both(|fleet| fleet.set_speed(id, speed))?;
            self.expect("set_speed", &result, &Ok(()))?;
        }
        self.places.insert(id, self.units.len());
        self.units.push(Known {
            id,
            fog,
            at: cell,
            order: None,
            was_cut_off: false,
            every: every.or(Some(1)),
            last_move: None,
        });
        Ok(())
    }

    fn teleport(&mut self, unit: u32, cell: Cell) -> Result<(), Fault> {
        let Some(known) = self.known(unit) else { return Ok(()) };
        let (id, at, n) = (known.id, known.at, self.names.node(cell));
        let expected = if at == NOWHERE {
            Err(FleetError::NoUnit)
        } else if at == cell && self.ground.is_free(cell) {
            Ok(())
        } else {
            self.placing(cell)
        };
        let result = self.both(|fleet| fleet.teleport(id, n))?;
        self.expect("teleport", &result, &expected)?;
        if result.is_ok() {
            self.refresh();
            let parts = self.parts.clone();
            self.change(unit, |known| {
                known.at = cell;
                known.was_cut_off |= !known.order.is_some_and(|order| parts.joins(cell, order.cell));
            });
        }
        Ok(())
    }

    fn edit(&mut self, cell: Cell, weight: u8) -> Result<(), Fault> {
        let n = self.names.node(cell);
        let result = self.both(|fleet| fleet.set(n, weight).ok())?;
        let is_valid = cell != NOWHERE && weight <= self.case.world.weights;
        let expected = is_valid.then(|| self.ground.weight(cell) != weight);
        self.expect("set", &result, &expected)?;
        if expected == Some(true) {
            self.tally.edits += 1;
            self.has_opened |= self.ground.weight(cell) == 0;
            self.ground.set(cell, weight);
            self.parts.edited();
        }
        Ok(())
    }

    fn order(&mut self, units: &[u32], cell: Cell, is_exact: bool) -> Result<(), Fault> {
        let count = self.units.len();
        if count == 0 {
            return Ok(());
        }
        let mut places: Vec<usize> = units.iter().map(|&k| k as usize % count).collect();
        places.sort_unstable();
        places.dedup();
        let ids: Vec<UnitId> = places.iter().map(|&k| self.units[k].id).collect();
        let n = self.names.node(cell);
        let goal = if is_exact { fleetfoot::fleet::Goal::at(n) } else { fleetfoot::fleet::Goal::near(n) };
        let result = self.both(|fleet| fleet.order(&ids, goal))?;
        places.retain(|&k| self.units[k].at != NOWHERE);
        if result > places.len() {
            return Err(self.fault("call", format!("{result} of {} units have an order", places.len())));
        }
        self.tally.orders += places.len() as u64;
        self.refresh();
        for k in places {
            let unit = &mut self.units[k];
            unit.order = Some(Order { cell, is_exact });
            unit.was_cut_off = !self.parts.joins(unit.at, cell);
        }
        Ok(())
    }

    fn save(&mut self, as_text: bool) -> Result<(), Fault> {
        let mut saved = self.fleet.save();
        if as_text {
            let text = serde_json::to_string(&saved).map_err(|error| self.fault("save", error))?;
            saved = serde_json::from_str::<SavedFleet>(&text).map_err(|error| self.fault("save", error))?;
        }
        let twin = Fleet::load(&saved).map_err(|error| self.fault("save", error))?;
        self.twin = Some((twin, self.tick + TWIN_TICKS));
        self.tally.saves += 1;
        Ok(())
    }

    fn cell(&self, n: NodeId) -> Cell {
        self.names.cell(n)
    }

    /// Returns the generator for what is looked at in this tick.
    fn rng(&self) -> Rng {
        Rng::of(self.case.seed, 99, self.tick)
    }
}
