//! What is judged in every tick.

use fleetfoot::fleet::{Event, UnitId, UnitStatus};
use fleetfoot::{Meter, Reachability, WorkKind};

use super::Run;
use crate::case::IndexKind;
use crate::fault::Fault;
use crate::judges::ground::{Cell, NOWHERE};

/// The prices of all kinds of work, in tenths of an expansion, as the library states them.
const TENTHS: [(WorkKind, u64); 9] = [
    (WorkKind::Expand, 10),
    (WorkKind::Learn, 3),
    (WorkKind::Trace, 3),
    (WorkKind::Refresh, 5),
    (WorkKind::Change, 2),
    (WorkKind::Climb, 5),
    (WorkKind::Compare, 1),
    (WorkKind::Rhs, 5),
    (WorkKind::Scan, 3),
];

/// Returns what a tick has spent, in tenths of an expansion.
pub(crate) fn tenths(meter: &Meter) -> u64 {
    TENTHS.iter().map(|&(kind, price)| meter.work()[kind] * price).sum()
}

impl Run<'_> {
    /// Judges a tick: moves, budget, events, and what the fleet says of its units.
    pub(super) fn judge_tick(&mut self, meter: &Meter, events: &[Event]) -> Result<(), Fault> {
        self.before.clear();
        self.after.clear();
        for unit in &self.units {
            let after = if unit.at == NOWHERE { None } else { self.fleet.at(unit.id) };
            self.before.push(unit.at);
            self.after.push(after.map_or(NOWHERE, |n| self.names.cell(n)));
        }
        self.tally.unit_ticks += self.before.iter().filter(|&&cell| cell != NOWHERE).count() as u64;
        let legal = self.referee.judge(&self.ground, &self.before, &self.after, self.rules);
        legal.map_err(|text| self.fault("move", text))?;
        let (spent, budget) = (tenths(meter), self.case.budget);
        if budget > 0 && spent > 10 * budget {
            return Err(self.fault(
                "budget",
                format!("{spent} tenths of an expansion where {} are allowed", 10 * budget),
            ));
        }
        if budget > 0 && self.fleet.summary().work > budget {
            return Err(
                self.fault("budget", format!("the summary says {} of {budget}", self.fleet.summary().work))
            );
        }
        for k in 0..self.units.len() {
            if self.before[k] != self.after[k] {
                self.judge_speed(k)?;
                self.units[k].at = self.after[k];
            }
        }
        self.judge_events(events)?;
        self.judge_answers()
    }

    fn judge_speed(&mut self, k: usize) -> Result<(), Fault> {
        let tick = self.tick;
        let unit = &mut self.units[k];
        let last = unit.last_move.replace(tick);
        if let (Some(every), Some(last)) = (unit.every, last)
            && tick - last < u64::from(every)
        {
            return Err(self.fault(
                "speed",
                format!("unit {k} moves every {every} ticks, and did after {}", tick - last),
            ));
        }
        Ok(())
    }

    fn judge_events(&mut self, events: &[Event]) -> Result<(), Fault> {
        let place = |id: UnitId| {
            let known = self.places.get(&id).copied().filter(|&k| self.units[k].at != NOWHERE);
            known.ok_or_else(|| self.fault("event", format!("an event names {id:?}, which is not there")))
        };
        let (mut moved, mut unreachable) = (0, 0);
        for event in events {
            let wrong = |text: &str| self.fault("event", format!("{event:?}: {text}"));
            match *event {
                Event::Moved { unit, from, to } => {
                    let k = place(unit)?;
                    moved += 1;
                    if (self.before[k], self.after[k]) != (self.cell(from), self.cell(to)) || from == to {
                        return Err(wrong("the unit did not make this move"));
                    }
                }
                Event::Arrived { unit } => {
                    let k = place(unit)?;
                    let Some(order) = self.units[k].order else { return Err(wrong("the unit has no order")) };
                    if order.is_exact && order.cell != self.after[k] {
                        return Err(wrong("the unit is not at its goal"));
                    }
                    if self.fleet.goal(unit) != self.fleet.at(unit) {
                        return Err(wrong("the unit is not at what the fleet calls its goal"));
                    }
                }
                Event::Blocked { unit, by } | Event::Sealed { unit, by } => {
                    let k = place(unit)?;
                    place(by)?;
                    if self.before[k] != self.after[k] && matches!(event, Event::Blocked { .. }) {
                        return Err(wrong("the unit has moved"));
                    }
                    if unit == by {
                        return Err(wrong("the unit blocks itself"));
                    }
                }
                Event::Rerouted { unit } => drop(place(unit)?),
                Event::Exchanged { unit, with } => {
                    for k in [place(unit)?, place(with)?] {
                        if self.units[k].order.is_none_or(|order| order.is_exact) {
                            return Err(wrong("the unit was not sent near a cell"));
                        }
                    }
                }
                Event::Unreachable { unit, nearest } => {
                    let k = place(unit)?;
                    unreachable += 1;
                    self.judge_unreachable(k, nearest.map_or(NOWHERE, |n| self.cell(n)))
                        .map_err(|text| wrong(&text))?;
                }
                Event::Buried { unit } => {
                    let k = place(unit)?;
                    if self.ground.is_free(self.after[k]) && self.tick > self.last_deed {
                        return Err(wrong("the unit is on free ground"));
                    }
                }
                _ => {}
            }
        }
        self.tally.unreachable += unreachable;
        let did = self.before.iter().zip(&self.after).filter(|(from, to)| from != to).count();
        if moved != did {
            return Err(self.fault("event", format!("{moved} moves are reported, and {did} were made")));
        }
        Ok(())
    }

    /// Checks a report that no path leads to a goal: it is right only if there was a moment without one since the order.
    fn judge_unreachable(&self, k: usize, nearest: Cell) -> Result<(), String> {
        let unit = &self.units[k];
        let Some(order) = unit.order else { return Err("the unit has no order".into()) };
        // What a team in the fog believes follows from the truth only while no cell is freed.
        let is_judged = unit.fog.is_none() || !self.has_opened;
        // The ground around the goal of a crowd may be full.
        let has_room = order.is_exact || self.parts.size(order.cell) > 2 * self.units.len();
        // Another slot may be in reach, but a slot that was chosen in the fog can turn out to be cut off.
        let slot = self.fleet.goal(unit.id).map_or(NOWHERE, |n| self.cell(n));
        let is_slot_cut_off = !order.is_exact && !self.parts.joins(unit.at, slot);
        if is_judged && has_room && !unit.was_cut_off && !is_slot_cut_off {
            return Err(format!(
                "a path led from {:?} to {:?} all the time",
                self.ground.xy(unit.at),
                self.ground.xy(order.cell)
            ));
        }
        // The edits of a run make answers that were right in the last tick wrong in this one, and without an index neither can be decided.
        let is_static = self.case.edits.is_empty() && self.case.world.index != IndexKind::None;
        if is_static && unit.fog.is_none() && nearest != NOWHERE && !self.parts.joins(unit.at, nearest) {
            return Err("the nearest cell cannot be reached either".into());
        }
        Ok(())
    }

    /// Asks the fleet about one unit and one cell.
    fn judge_answers(&self) -> Result<(), Fault> {
        if self.units.is_empty() {
            return Ok(());
        }
        let rng = &mut self.rng();
        let unit = &self.units[rng.below(self.units.len())];
        let status = self.fleet.status(unit.id);
        if unit.at == NOWHERE {
            return self.expect("status of a removed unit", &status, &None);
        }
        let wrong = |text: String| Err(self.fault("answer", text));
        let on = self.fleet.unit_on(self.names.node(unit.at));
        if self.about.collide && on != Some(unit.id) {
            return wrong(format!("{on:?} is on the cell of {:?}", unit.id));
        }
        if self.about.collide
            && status == Some(UnitStatus::Buried)
            && self.ground.is_free(unit.at)
            && self.tick > self.last_deed + 1
        {
            return wrong(format!("{:?} is buried on free ground", unit.id));
        }
        let to = rng.below(self.ground.len()) as Cell;
        let reach = self.fleet.reachability(unit.id, self.names.node(to));
        if unit.fog.is_none() && reach == Some(Reachability::Unreachable) && self.parts.joins(unit.at, to) {
            let (from, to) = (self.ground.xy(unit.at), self.ground.xy(to));
            return wrong(format!("{to:?} is said to be out of reach from {from:?}"));
        }
        let path = self.fleet.path(unit.id);
        if path.iter().any(|&n| self.cell(n) == NOWHERE) || path.len() > 16 * self.ground.len() {
            return wrong(format!("the path of {:?} leads off the map or has {} cells", unit.id, path.len()));
        }
        Ok(())
    }
}
