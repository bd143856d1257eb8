//! Speeds: which units rest in a tick, and what a move costs a unit that is slow.

use crate::fleet::state::State;
use crate::fleet::state::unit::UnitDetails;
use crate::fleet::types::Speed;
use crate::grid::Grid;
use crate::id::NodeId;

/// Hundredths of a cell that a straight and a diagonal move take.
const STRAIGHT: i32 = 100;
const DIAGONAL: i32 = 141;

impl State {
    /// Gives a unit another speed.
    pub(crate) fn set_speed(&mut self, number: u32, speed: Speed) {
        let known = &mut self.details[number as usize];
        known.speed = speed;
        self.has_speeds |= speed != Speed::EveryTicks(1);
        // A move made at the old speed is rested from no longer than at the new one.
        match speed {
            Speed::EveryTicks(ticks) => {
                known.ready = known.ready.min(self.tick + u64::from(ticks.max(1)) - 1);
            }
            Speed::Hundredths(_) => known.ready = 0,
        }
    }

    /// Adds what units may move in this tick, and calls `rest` for every unit that is too slow to move.
    pub(crate) fn rest_slow_units(&mut self, mut rest: impl FnMut(u32)) {
        let now = self.tick;
        let slow = if self.has_speeds { &mut self.details[..] } else { &mut [] };
        for (number, details) in slow.iter_mut().enumerate() {
            let is_there = self.units[number].is_there;
            if details.speed != Speed::EveryTicks(1) && is_there && details.begin_tick(now) {
                rest(number as u32);
            }
        }
    }

    /// Charges a unit for a move to another cell.
    pub(crate) fn charge_move(&mut self, number: u32, grid: &Grid, from: NodeId, to: NodeId) {
        let details = &mut self.details[number as usize];
        match details.speed {
            Speed::EveryTicks(ticks) => details.ready = self.tick + u64::from(ticks.max(1)),
            Speed::Hundredths(_) => {
                let ((ax, ay), (bx, by)) = (grid.xy(from), grid.xy(to));
                details.balance -= if ax != bx && ay != by { DIAGONAL } else { STRAIGHT };
            }
        }
    }
}

impl UnitDetails {
    /// Adds what the unit may move in this tick. Returns `true` if it is too slow to move.
    fn begin_tick(&mut self, now: u64) -> bool {
        if let Speed::Hundredths(speed) = self.speed {
            let speed = i32::try_from(speed).unwrap_or(i32::MAX).min(1000);
            self.balance = self.balance.saturating_add(speed).min(speed);
        }
        self.is_resting(now)
    }

    /// Returns `true` if the unit is too slow to move in this tick, which has begun.
    pub(crate) fn is_resting(&self, now: u64) -> bool {
        match self.speed {
            Speed::EveryTicks(_) => self.ready > now,
            Speed::Hundredths(_) => self.balance <= 0,
        }
    }
}
