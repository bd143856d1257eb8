//! Saving a resolver between two ticks, and bringing it back: it goes on exactly as if nothing had happened.
//!
//! Every number is checked against the grid and against the others. What passes may be wrong but never panics, and never
//! puts two units on a cell.

use alloc::vec::Vec;

use super::ground::NONE;
use super::lanes::{Lane, Lanes, MOST_STRIKES, Way};
use super::resolve::{Resolver, ResolverConfig, Unit};
use crate::graph::{Graph, Grid};
use crate::save::{SaveError, Sink, Source};

/// Of the format.
const VERSION: u32 = 4;

impl Resolver {
    /// Writes everything that it needs to go on.
    pub fn save(&self, out: &mut impl Sink) {
        out.u32(VERSION);
        out.u64(self.config.seed);
        for flag in flags(self.config) {
            out.u32(u32::from(flag));
        }
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
        (0..self.units.len() as u32).for_each(|unit| self.lessons.save(unit, out));
        if let Some(lanes) = &self.lanes {
            lanes.save(out);
        }
        if let Some(clusters) = &self.clusters {
            clusters.save(out);
        }
    }

    /// Reads a resolver that was saved on this grid.
    pub fn load(grid: &Grid, from: &mut Source<'_>) -> Result<Self, SaveError> {
        if from.u32()? != VERSION {
            return Err(SaveError::new("another version of the library has written it"));
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
            fleet.lessons.load(unit, grid, from)?;
        }
        if let Some(lanes) = &mut fleet.lanes {
            *lanes = Lanes::load(grid, from, &fleet.pibt.now_on, units, fleet.tick)?;
        }
        if let Some(mut clusters) = fleet.clusters.take() {
            clusters.load(grid, from, &fleet)?;
            fleet.clusters = Some(clusters);
        }
        Ok(fleet)
    }

    fn load_unit(&mut self, grid: &Grid, from: &mut Source<'_>) -> Result<(), SaveError> {
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
        self.units.push(Unit { waiting, best, gained, since, ousted, rests });
        self.is_anybody_resting |= rests;
        if let Some(cell) = at.some() {
            if self.unit_on(cell).is_some() {
                return Err(SaveError::new("two units stand on one cell"));
            }
            self.pibt.place(unit, cell.raw());
        }
        Ok(())
    }

    /// Every unit that waits is in the order, longest first; every one that is not there is free.
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

fn flags(config: ResolverConfig) -> [bool; 10] {
    let ResolverConfig {
        seed: _,
        swaps,
        empty_pockets,
        steady,
        rings,
        lanes,
        learns,
        clusters,
        may_cross,
        hindrance,
        keeps_right,
    } = config;
    [swaps, empty_pockets, steady, rings, lanes, learns, clusters, may_cross, hindrance, keeps_right]
}

fn load_config(from: &mut Source<'_>) -> Result<ResolverConfig, SaveError> {
    let seed = from.u64()?;
    let mut flag = || from.choice(2).map(|x| x == 1);
    Ok(ResolverConfig {
        seed,
        swaps: flag()?,
        empty_pockets: flag()?,
        steady: flag()?,
        rings: flag()?,
        lanes: flag()?,
        learns: flag()?,
        clusters: flag()?,
        may_cross: flag()?,
        hindrance: flag()?,
        keeps_right: flag()?,
    })
}

pub(super) fn save_list(out: &mut impl Sink, list: &[u32]) {
    out.u32(list.len() as u32);
    for &x in list {
        out.u32(x);
    }
}

/// A list of numbers below `bound`.
pub(super) fn load_list(from: &mut Source<'_>, bound: usize) -> Result<Vec<u32>, SaveError> {
    let len = from.len(4)?;
    let mut list = Vec::with_capacity(len.max(bound));
    for _ in 0..len {
        list.push(from.choice(u32::try_from(bound).unwrap_or(u32::MAX))?);
    }
    Ok(list)
}

/// Whether no number is there twice.
pub(super) fn all_differ(list: &[u32]) -> bool {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.is_sorted_by(|a, b| a < b)
}

impl Lanes {
    fn save(&self, out: &mut impl Sink) {
        for &tick in &self.gated {
            out.u64(tick);
        }
        out.u32(self.live().count() as u32);
        for lane in self.live() {
            save_list(out, &lane.cells);
            let (kind, end) = match lane.way {
                Way::Open => (0, 0),
                Way::By(end) => (1, end),
                Way::Closing(end) => (2, end),
            };
            out.u32(kind);
            out.u32(u32::from(end));
            for x in [lane.since, lane.wanted[0], lane.wanted[1], lane.off] {
                out.u64(x);
            }
            out.u32(u32::from(lane.strikes));
        }
    }

    fn load(
        grid: &Grid,
        from: &mut Source<'_>,
        now_on: &[u32],
        units: usize,
        now: u64,
    ) -> Result<Self, SaveError> {
        let late = || SaveError::new("a lane has been used in a tick that is yet to come");
        let mut lanes = Self::blank(grid);
        lanes.now = now;
        for _ in 0..units {
            let tick = from.u64()?;
            lanes.gated.push(if tick <= now { tick } else { return Err(late()) });
        }
        for _ in 0..from.len(36)? {
            let cells = load_list(from, grid.bound())?;
            if cells.is_empty() || !all_differ(&cells) || cells.iter().any(|&cell| lanes.is_in_lane(cell)) {
                return Err(SaveError::new("its lanes overlap"));
            }
            let (kind, end) = (from.choice(3)?, from.choice(2)? as u8);
            let way = [Way::Open, Way::By(end), Way::Closing(end)][kind as usize];
            let (since, wanted) = (from.u64()?, [from.u64()?, from.u64()?]);
            if since.max(wanted[0]).max(wanted[1]) > now {
                return Err(late());
            }
            let (off, strikes) = (from.u64()?, from.choice(u32::from(MOST_STRIKES) + 1)? as u8);
            lanes.add(grid, Lane { way, since, wanted, off, strikes, ..Lane::new(cells) }, now_on);
        }
        Ok(lanes)
    }
}
