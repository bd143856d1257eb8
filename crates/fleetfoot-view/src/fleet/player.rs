//! Plays a fleet's record.

use fleetfoot_sim::error::InputError;

use super::record::FleetRecord;
use super::{COLUMNS, LEFT, STANDS, STATES};
use crate::format::bytes::Bytes;
use crate::format::damaged;
use crate::format::section::Section;

/// Number of statistics stored for each tick.
const TOLD: usize = 6;
/// Directions, by number.
const STEPS: [(i64, i64); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// A unit at one moment. Cells are numbered row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitState {
    /// Its cell.
    pub at: u32,
    /// Its goal.
    pub goal: Option<u32>,
    /// The unit that blocked it, if any.
    pub by: Option<u32>,
    pub(super) code: u8,
    pub(super) status: u8,
    /// The waypoints of its route, and how many of them it has passed.
    pub(super) way: Vec<u32>,
    pub(super) passed: usize,
}

impl UnitState {
    pub(super) fn new(at: u32) -> Self {
        Self { at, goal: None, by: None, code: STANDS, status: 0, way: Vec::new(), passed: 0 }
    }

    /// Returns `true` if the unit has left the map.
    pub fn is_gone(&self) -> bool {
        self.code == LEFT
    }

    /// Returns `true` if the unit moved in the last tick.
    pub fn has_moved(&self) -> bool {
        self.code < STANDS
    }

    /// Returns the name of the unit's state.
    pub fn status(&self) -> &'static str {
        STATES[self.status as usize]
    }

    /// Returns the waypoints ahead, the next one first.
    pub fn way(&self) -> &[u32] {
        &self.way[self.passed..]
    }
}

/// Plays a fleet's record, tick by tick.
#[derive(Clone, Debug)]
pub struct FleetPlayer<'r> {
    size: (u32, u32),
    chunks: std::slice::Iter<'r, Section>,
    /// The rest of each column of a section.
    columns: [Vec<u8>; COLUMNS],
    places: [usize; COLUMNS],
    /// Ticks of the section that remain.
    left: u64,
    units: Vec<UnitState>,
    weights: Vec<u8>,
    /// Sight radius, and for each cell whether a unit has seen it.
    sight: Option<u32>,
    seen: Vec<bool>,
    tick: u64,
}

impl<'r> FleetPlayer<'r> {
    pub(super) fn new(record: &'r FleetRecord) -> Self {
        Self {
            size: (record.meta.width, record.meta.height),
            chunks: record.chunks.iter(),
            columns: Default::default(),
            places: [0; COLUMNS],
            left: 0,
            units: record.starts.iter().map(|&at| UnitState::new(at)).collect(),
            weights: record.weights.clone(),
            sight: record.meta.sight,
            seen: vec![record.meta.sight.is_none(); record.weights.len()],
            tick: 0,
        }
    }

    /// Returns the number of ticks played.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the units.
    pub fn units(&self) -> &[UnitState] {
        &self.units
    }

    /// Returns the weight of each cell; 0 is blocked.
    pub fn weights(&self) -> &[u8] {
        &self.weights
    }

    /// Returns for each cell whether a unit has seen it. A unit looks around at the beginning of a tick and sees a
    /// square around its cell, so the record does not store what is seen.
    pub fn seen(&self) -> &[bool] {
        &self.seen
    }

    /// Plays a tick. Returns `false` at the end.
    ///
    /// # Errors
    /// If the record is damaged.
    pub fn advance(&mut self) -> Result<bool, InputError> {
        if self.left == 0 {
            let Some(chunk) = self.chunks.next() else { return Ok(false) };
            self.open(&chunk.unpack()?)?;
        }
        let columns = std::mem::take(&mut self.columns);
        let mut readers: [Bytes<'_>; COLUMNS] = std::array::from_fn(|k| Bytes(&columns[k][self.places[k]..]));
        self.play(&mut readers)?;
        for (k, place) in self.places.iter_mut().enumerate() {
            *place = columns[k].len() - readers[k].0.len();
        }
        self.left -= 1;
        self.tick += 1;
        if self.left == 0 && readers.iter().any(|reader| !reader.is_empty()) {
            return Err(damaged("a section holds more than its ticks"));
        }
        self.columns = columns;
        Ok(true)
    }

    fn open(&mut self, raw: &[u8]) -> Result<(), InputError> {
        let mut bytes = Bytes(raw);
        self.left = bytes.number()?;
        for column in &mut self.columns {
            let length = bytes.number()?;
            *column = bytes.take(length)?.to_vec();
        }
        self.places = [0; COLUMNS];
        if self.left == 0 || !bytes.is_empty() {
            return Err(damaged("a section of ticks is wrong"));
        }
        Ok(())
    }

    fn play(
        &mut self,
        [ticks, moves, goals, states, ways, edits]: &mut [Bytes<'_>; COLUMNS],
    ) -> Result<(), InputError> {
        for _ in 0..TOLD {
            ticks.number()?;
        }
        let (width, height) = self.size;
        let cells = self.weights.len() as u64;
        for _ in 0..edits.number()? {
            let (cell, weight) = (edits.number()?, edits.byte()?);
            *self.weights.get_mut(cell as usize).ok_or_else(off_the_map)? = weight;
        }
        // A unit that has not moved sees nothing new.
        let lookers: Vec<usize> = match self.sight {
            Some(_) => {
                (0..self.units.len()).filter(|&k| self.tick == 0 || self.units[k].has_moved()).collect()
            }
            None => Vec::new(),
        };
        each(moves, &mut self.units, |reader, unit| {
            unit.code = reader.byte()?;
            if unit.code > LEFT { Err(damaged("a unit does what none can")) } else { Ok(()) }
        })?;
        for k in lookers {
            self.look(k);
        }
        for unit in self.units.iter_mut().filter(|unit| unit.has_moved()) {
            let (dx, dy) = STEPS[unit.code as usize];
            unit.at = stepped(unit.at, (dx, dy), width, height)?;
        }
        each(goals, &mut self.units, |reader, unit| {
            let goal = reader.number()?;
            if goal > cells {
                return Err(off_the_map());
            }
            unit.goal = (goal > 0).then(|| goal as u32 - 1);
            Ok(())
        })?;
        let count = self.units.len() as u64;
        each(states, &mut self.units, |reader, unit| {
            let (status, by) = (reader.byte()?, reader.number()?);
            if status as usize >= STATES.len() || by > count {
                return Err(damaged("a unit has an unknown state"));
            }
            (unit.status, unit.by) = (status, (by > 0).then(|| by as u32 - 1));
            Ok(())
        })?;
        each(ways, &mut self.units, |reader, unit| {
            let points = reader.number()?;
            if points % 2 == 0 {
                let passed = unit.passed as u64 + points / 2;
                if passed > unit.way.len() as u64 {
                    return Err(damaged("a unit passes more of its way than there is"));
                }
                unit.passed = passed as usize;
                return Ok(());
            }
            (unit.way, unit.passed) = (Vec::new(), 0);
            let mut last = unit.at;
            for _ in 0..points / 2 {
                last = stepped(last, (reader.signed()?, reader.signed()?), width, height)?;
                unit.way.push(last);
            }
            Ok(())
        })
    }
}

impl FleetPlayer<'_> {
    fn look(&mut self, unit: usize) {
        let ((width, height), unit) = (self.size, &self.units[unit]);
        let Some(sight) = self.sight.filter(|_| !unit.is_gone()) else { return };
        let (x, y) = (unit.at % width, unit.at / width);
        let (left, right) = (x.saturating_sub(sight), x.saturating_add(sight).min(width - 1));
        for y in y.saturating_sub(sight)..=y.saturating_add(sight).min(height - 1) {
            let row = y as usize * width as usize;
            self.seen[row + left as usize..=row + right as usize].fill(true);
        }
    }
}

/// Reads a list of units, and new data for each of them with `read`.
fn each(
    reader: &mut Bytes<'_>,
    units: &mut [UnitState],
    mut read: impl FnMut(&mut Bytes<'_>, &mut UnitState) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut unit = 0;
    for _ in 0..reader.number()? {
        unit += reader.number()?;
        let unit = usize::try_from(unit).ok().and_then(|unit| units.get_mut(unit));
        read(reader, unit.ok_or_else(|| damaged("there is no such unit"))?)?;
    }
    Ok(())
}

fn stepped(at: u32, (dx, dy): (i64, i64), width: u32, height: u32) -> Result<u32, InputError> {
    let along = |a: u32, step: i64, side: u32| {
        let to = i64::from(a).checked_add(step).and_then(|to| u32::try_from(to).ok());
        to.filter(|to| *to < side).ok_or_else(off_the_map)
    };
    Ok(along(at / width, dy, height)? * width + along(at % width, dx, width)?)
}

fn off_the_map() -> InputError {
    damaged("a cell is off the map")
}
