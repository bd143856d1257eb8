//! The turns of units to plan, under a deadline that leaves no time for all.
//!
//! Units have their turns in rounds: no unit has a second turn before all have had one. A unit that plans because it is pushed has had its
//! turn, and so has a unit that reaches its goal and gets a new order in the same round.

use crate::fleet::cell_set::CellSet;
use crate::fleet::resolver::ground::Ground;
use crate::fleet::resolver::pibt::Pibt;

/// The units that have had their turn, and those that were skipped.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanningRounds {
    /// Units that have had their turn in this round, while one is under way.
    done: CellSet,
    is_midway: bool,
    /// The units that were skipped in the last tick, and their number.
    left_out: CellSet,
    count: u32,
}

impl PlanningRounds {
    /// Makes room for this number of units.
    pub(crate) fn grow(&mut self, units: usize) {
        self.done.grow(units);
        self.left_out.grow(units);
    }

    /// Begins a tick.
    pub(crate) fn begin(&mut self) {
        if core::mem::take(&mut self.count) > 0 {
            self.left_out.clear();
        }
    }

    /// Ends the round, because there is time for all.
    pub(crate) fn end_round(&mut self) {
        if core::mem::take(&mut self.is_midway) {
            self.done.clear();
        }
    }

    /// Plans units in this order as long as there is time: the first one in any case, then those that have not had their turn in this
    /// round, then the others. `least` of them plan whatever the time. The clock is read once for `per_reading` units. Returns `true` if
    /// there was time for all.
    pub(crate) fn plan(
        &mut self,
        (pibt, ground): (&mut Pibt, &mut impl Ground),
        order: &[u32],
        (least, per_reading): (usize, usize),
        mut has_time: impl FnMut() -> bool,
    ) -> bool {
        let mut planned = 0;
        if let Some(&first) = order.first().filter(|&&first| !pibt.is_planned(first)) {
            pibt.plan(ground, first);
        }
        let rounds = if self.is_midway { 2 } else { 1 };
        for round in 0..rounds {
            for &unit in order {
                let is_due = round > 0 || !self.done.has(unit);
                if !is_due || pibt.is_planned(unit) {
                    continue;
                }
                if planned >= least && planned.is_multiple_of(per_reading) && !has_time() {
                    if round > 0 {
                        self.end_round();
                    }
                    let planned = order.iter().filter(|&&unit| pibt.is_planned(unit));
                    planned.for_each(|&unit| self.done.insert(unit));
                    self.is_midway = true;
                    return false;
                }
                planned += 1;
                pibt.plan(ground, unit);
            }
        }
        self.end_round();
        true
    }

    /// Skips a unit, because there is no time for it.
    pub(crate) fn leave_out(&mut self, unit: u32) {
        self.left_out.insert(unit);
        self.count += 1;
    }

    /// Returns the number of units skipped in the last tick.
    pub(crate) fn left_out(&self) -> u32 {
        self.count
    }

    /// Returns `true` if a unit was skipped in the last tick.
    #[inline]
    pub(crate) fn was_left_out(&self, unit: u32) -> bool {
        self.count > 0 && self.left_out.has(unit)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.done.memory_bytes() + self.left_out.memory_bytes()
    }
}
