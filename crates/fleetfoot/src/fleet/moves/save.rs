//! Saving a resolver between two ticks, and bringing it back: it goes on exactly as if nothing had happened.
//!
//! Every number is checked against the grid and against the others. What passes may be wrong but never panics, and never
//! puts two units on a cell.

use alloc::format;

use crate::fleet::cell_set::NONE;
use crate::fleet::moves::resolver::Resolver;
use crate::fleet::tuning::{ResolverConfig, check};
use crate::fleet::unjam::lanes::Lanes;
use crate::fleet::unjam::lists::{all_differ, load_list, save_list};
use crate::fleet::unjam::progress::Progress;
use crate::graph::{Graph, Limits};
use crate::grid::Grid;
use crate::id::Cost;
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::PlannerPart;

/// The version of the format.
const VERSION: u32 = 7;

impl Resolver {
    /// Writes everything that it needs to go on.
    pub fn save(&self, out: &mut impl SaveWriter) {
        out.u32(VERSION);
        self.config.write(out);
        out.u64(self.tick);
        out.u32(self.units.len() as u32);
        for (unit, piece) in self.units.iter().zip(&self.pibt.pieces) {
            for x in [piece.at, unit.waiting, unit.best, unit.ousted, u32::from(unit.rests)] {
                out.u32(x);
            }
            out.u64(self.tick - u64::from(self.age(unit.gained)));
            out.u64(self.tick - u64::from(self.age(unit.since)));
        }
        save_list(out, &self.order);
        save_list(out, &self.free);
        (0..self.units.len() as u32).for_each(|unit| self.penalties.save(unit, out));
        if let Some(lanes) = &self.lanes {
            lanes.save(out);
        }
        if let Some(clusters) = &self.clusters {
            clusters.save(out);
        }
    }

    /// Reads a resolver that was saved on this grid.
    pub fn load(grid: &Grid, from: &mut SaveReader<'_>) -> Result<Self, SaveError> {
        let version = from.u32()?;
        if version != VERSION {
            let what = format!(
                "its resolver has format version {version}, this library reads {VERSION}; save it again"
            );
            return Err(SaveError::new(what));
        }
        let mut fleet = Self::new(grid, load_config(from)?);
        fleet.tick = from.count()?;
        let units = from.len(36)?;
        for _ in 0..units {
            fleet.load_unit(grid, from)?;
        }
        fleet.order = load_list(from, units)?;
        fleet.free = load_list(from, units)?;
        fleet.check_lists()?;
        for unit in 0..fleet.units.len() as u32 {
            fleet.penalties.load(unit, grid, from)?;
        }
        if let Some(lanes) = &mut fleet.lanes {
            *lanes = Lanes::load(grid, fleet.config.tuning, from, &fleet.pibt.now_on, units, fleet.tick)?;
        }
        if let Some(mut clusters) = fleet.clusters.take() {
            clusters.load(grid, from, fleet.scene())?;
            fleet.clusters = Some(clusters);
        }
        Ok(fleet)
    }

    fn load_unit(&mut self, grid: &Grid, from: &mut SaveReader<'_>) -> Result<(), SaveError> {
        let at = from.node_or_none(&grid.limits())?;
        let (waiting, best, ousted) = (from.u32()?, from.u32()?, from.u32()?);
        let rests = from.choice(2)? == 1;
        let (gained, since) = (from.u64()?, from.u64()?);
        if since.max(gained) > self.tick {
            return Err(SaveError::new("a unit has come nearer in a tick that is yet to come"));
        }
        let [gained, since] = [gained, since].map(|then| {
            let age = u32::try_from(self.tick - then).unwrap_or(u32::MAX);
            self.now().wrapping_sub(age)
        });
        let unit = self.units.len() as u32;
        self.add_room();
        self.units.push(Progress { waiting, best, gained, since, ousted, rests });
        self.is_anybody_resting |= rests;
        if let Some(cell) = at.some() {
            if self.unit_on(cell).is_some() {
                return Err(SaveError::new("two units are on one cell"));
            }
            self.pibt.place(unit, cell.raw());
        }
        Ok(())
    }

    /// Checks that every unit that waits is in the order, longest first, and that every removed unit is in the list of free numbers.
    fn check_lists(&self) -> Result<(), SaveError> {
        let key = |&unit: &u32| self.units[unit as usize].waiting;
        let is_there = |&unit: &u32| self.pibt.at(unit) != NONE;
        let waiting = (0..self.units.len() as u32).filter(|unit| is_there(unit) && key(unit) > 0).count();
        let sound = self.order.iter().all(|unit| is_there(unit) && key(unit) > 0)
            && self.order.is_sorted_by(|a, b| key(a) >= key(b))
            && all_differ(&self.order)
            && self.order.len() == waiting
            && self.free.iter().all(|unit| !is_there(unit))
            && all_differ(&self.free)
            && self.free.len() == self.pibt.pieces.iter().filter(|piece| piece.at == NONE).count();
        if sound { Ok(()) } else { Err(SaveError::new("its lists of units do not fit together")) }
    }
}

fn load_config(from: &mut SaveReader<'_>) -> Result<ResolverConfig, SaveError> {
    let mut config = ResolverConfig::default();
    config.read(&Limits::new(0, Cost::ZERO), from)?;
    check(&config.tuning, &config.tuning.within_ranges())?;
    Ok(config)
}
