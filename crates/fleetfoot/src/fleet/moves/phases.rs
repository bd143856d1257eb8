//! The parts of a tick of the resolver: units plan, move, and groups that are stuck search for a way out.

use crate::fleet::cell_set::NONE;
use crate::fleet::moves::map_ground::MapGround;
use crate::fleet::moves::resolver::{Planned, Resolver};
use crate::fleet::resolver::costs::UnitCosts;
use crate::fleet::types::Report;
use crate::fleet::unjam::progress::Scene;
use crate::grid::{Grid, Neighborhood};
use crate::id::NodeId;

impl Resolver {
    /// Runs the first part of a tick: all units plan, under a deadline as long as there is time. A unit that is skipped stays where it is, and
    /// has its turn in the next ticks.
    pub(crate) fn plan(
        &mut self,
        grid: &Grid,
        costs: &mut impl UnitCosts,
        has_time: Option<impl FnMut() -> bool>,
    ) -> Planned {
        let swapped = self.pibt.swapped;
        self.pibt.begin();
        self.fetch(grid);
        costs.prepare();
        let led = self.fix();
        self.plan_all(grid, costs, has_time);
        Planned { led, swaps: (self.pibt.swapped - swapped) as u32 }
    }

    /// Runs the second part of a tick: all units move or stay.
    pub(crate) fn move_all(
        &mut self,
        grid: &Grid,
        costs: &mut impl UnitCosts,
        Planned { led, swaps }: Planned,
    ) -> Report {
        self.take_stock(grid.unit(), costs);
        let moved = self.finish();
        Report { moved, waiting: self.order.len() as u32, swaps, led, work: 0 }
    }

    /// Fetches from memory what will be asked about units. A game has used the processor's caches for other things since the last tick, and
    /// units plan in an order that the processor cannot predict: it would wait for every line, while here many come at once.
    fn fetch(&self, grid: &Grid) {
        let lanes = self.lanes.as_ref().filter(|lanes| !lanes.is_empty());
        let of_cell = |cell| {
            let of_lanes = lanes.map_or(0, |lanes| lanes.fetch(cell));
            of_lanes ^ u64::from(grid.moves(NodeId::new(cell)))
        };
        core::hint::black_box(self.pibt.fetch(of_cell) ^ self.penalties.fetch());
    }

    /// Runs the third part of a tick: joint searches for groups that are stuck, within a budget and as long as there is time. Returns the work
    /// spent.
    pub(crate) fn think(
        &mut self,
        grid: &Grid,
        costs: &mut impl UnitCosts,
        budget: u64,
        has_time: impl FnMut() -> bool,
    ) -> u64 {
        let mut work = 0;
        if let Some(mut clusters) = self.clusters.take() {
            work = clusters.think(self.scene(), grid, costs, budget, has_time);
            clusters.yielded().for_each(|unit| self.put_last(unit));
            self.clusters = Some(clusters);
        }
        self.tick += 1;
        work
    }

    /// Returns what the search for jams reads.
    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene {
            tick: self.tick,
            pibt: &self.pibt,
            units: &self.units,
            order: &self.order,
            stuck: &self.stuck,
            lanes: self.lanes.as_ref(),
        }
    }

    /// Moves a unit to the end of the order: it has waited longest around it, and no search has helped it.
    fn put_last(&mut self, unit: u32) {
        if self.units[unit as usize].waiting > 0 {
            self.order.retain(|&other| other != unit);
            self.order.push(unit);
            self.units[unit as usize].waiting = 1;
        }
    }

    /// Decides the moves of units that have no choice: those that rest, and those that are led. Returns the number of the latter.
    fn fix(&mut self) -> u32 {
        let is_anybody_resting = core::mem::take(&mut self.is_anybody_resting);
        let resting = if is_anybody_resting { &mut self.units[..] } else { &mut [] };
        for (unit, known) in resting.iter_mut().enumerate() {
            let at = self.pibt.at(unit as u32);
            if core::mem::take(&mut known.rests) && at != NONE {
                self.pibt.fix(unit as u32, at);
            }
        }
        self.clusters.as_mut().map_or(0, |clusters| clusters.lead(&mut self.pibt))
    }

    fn plan_all(&mut self, grid: &Grid, costs: &mut impl UnitCosts, has_time: Option<impl FnMut() -> bool>) {
        // The unit that has waited longest goes straight on, and so gets to its goal wherever there are rings.
        if let Some(&first) = self.order.first().filter(|_| self.config.tuning.eldest_forgets) {
            self.penalties.forget(first);
        }
        self.turns.begin();
        let mut ground = MapGround {
            grid,
            costs,
            seed: self.config.seed,
            tick: self.tick,
            clusters: self.clusters.as_ref(),
            lanes: self.lanes.as_mut(),
            may_cross: self.config.may_cross,
            units: &self.units,
            penalties: &self.penalties,
            rings: self.config.rings,
            tuning: &self.config.tuning,
            hindrance: self.config.hindrance,
            keeps_right: self.config.keeps_right && grid.rules().neighborhood == Neighborhood::Four,
        };
        let is_over = if let Some(has_time) = has_time {
            let per_reading = self.config.tuning.units_per_reading as usize;
            let least = self.units.len() / self.config.tuning.plan_at_least as usize + per_reading;
            !self.turns.plan((&mut self.pibt, &mut ground), &self.order, (least, per_reading), has_time)
        } else {
            self.turns.end_round();
            for &unit in &self.order {
                if !self.pibt.is_planned(unit) {
                    self.pibt.plan(&mut ground, unit);
                }
            }
            false
        };
        // A unit with a new order starts at once, unless the time was up before.
        for unit in 0..self.units.len() as u32 {
            let at = self.pibt.at(unit);
            if at == NONE || self.pibt.is_planned(unit) {
                continue;
            }
            // A unit at its goal that no unit has pushed would rank its own cell first and stay.
            if self.units[unit as usize].waiting == 0 && ground.is_at_goal(unit, at) {
                self.pibt.stay(unit);
                continue;
            }
            if is_over {
                // No unit has claimed its cell, or it would have been pushed.
                self.pibt.fix(unit, at);
                self.turns.leave_out(unit);
            } else {
                self.pibt.plan(&mut ground, unit);
            }
        }
        debug_assert!(self.pibt.is_sound(), "every unit has its cell");
    }

    /// Updates the progress of units. Units without progress raise the costs of their cells; `step` is the cost of a move.
    fn take_stock(&mut self, step: u32, costs: &mut impl UnitCosts) {
        let (now, tuning) = (self.now(), self.config.tuning);
        let Self { units, pibt, penalties, stuck, at_home, turns, .. } = self;
        stuck.clear();
        at_home.clear();
        for (number, (known, piece)) in units.iter_mut().zip(&pibt.pieces).enumerate() {
            let (at, next, unit) = (piece.at, NodeId::new(piece.next), number as u32);
            if at == NONE {
                continue;
            }
            if turns.was_left_out(unit) {
                // It waits, but has not tried to make progress.
                if known.waiting == 0 {
                    known.since = now;
                    self.order.push(unit);
                } else {
                    (known.gained, known.since) = (known.gained.wrapping_add(1), known.since.wrapping_add(1));
                }
                known.waiting = known.waiting.saturating_add(1);
                continue;
            }
            let mut value = piece.worth;
            if value != 0 && known.waiting == 0 && costs.is_other_goal(unit, next) {
                value = 0;
            } else if value == NONE {
                // Its cell was not chosen from a ranking.
                value = costs.cost(unit, next).raw();
            }
            let is_nearer = value < known.best;
            if self.config.penalties && known.waiting > 0 {
                let stalled = now.wrapping_sub(known.since);
                if is_nearer || value == 0 {
                    penalties.forget(unit);
                } else if stalled >= tuning.learns_after
                    && costs.knows_the_ground(unit)
                    && !costs.waits_in_crowd(unit)
                {
                    let by = if stalled >= tuning.learns_firmly_after { step } else { step.div_ceil(2) };
                    penalties.raise(unit, at, by);
                }
            }
            if is_nearer {
                (known.best, known.gained, known.since) = (value, now, now);
            }
            if value == 0 {
                known.waiting = 0;
                at_home.insert(unit);
                continue;
            }
            if known.waiting == 0 {
                known.since = now;
                known.ousted = known.ousted.saturating_add(u32::from(known.best == 0));
                self.order.push(unit);
            }
            known.waiting = known.waiting.saturating_add(1);
            if now.wrapping_sub(known.since) >= tuning.stall || known.ousted >= tuning.ousted {
                stuck.insert(unit);
            }
        }
        self.order.retain(|&unit| !at_home.has(unit));
    }

    /// Moves all units, and returns how many moved.
    fn finish(&mut self) -> u32 {
        if let Some(lanes) = &mut self.lanes {
            if !lanes.is_empty() {
                for piece in
                    self.pibt.pieces.iter().filter(|piece| piece.at != piece.next && piece.at != NONE)
                {
                    lanes.moved(piece.at, piece.next);
                }
            }
            lanes.turn();
        }
        self.pibt.commit()
    }
}
