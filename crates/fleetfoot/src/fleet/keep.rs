//! Saving a fleet between two ticks, in mid-search, and bringing it back: it goes on exactly as if nothing had happened.
//!
//! Every number is checked against the map and against the others. What passes may be wrong if the bytes were forged, but
//! never panics, and never puts two units on a cell.

mod desks;
mod teams;
mod units;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::courses::{Course, Slopes};
use super::crowds::Crowds;
use super::desks::Desks;
use super::front::{Fleet, FleetConfig, Summary};
use super::ground::NONE;
use super::pace::Pace;
use super::resolve::Resolver;
use super::rows::Rows;
use super::sight::Sight;
use super::teams::Team;
use super::units::{Details, Ranks, Speed, Status, Unit};
use super::upkeep::Upkeep;
use super::ways::Ways;
use crate::corners::Corners;
use crate::graph::{Belief, Graph, Grid, Limits};
use crate::id::{Cost, NodeId};
use crate::map::Map;
use crate::save::{SaveError, Sink, Source, checksum};

/// Of the format.
const VERSION: u32 = 9;

/// A fleet between two ticks, as plain data.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedFleet {
    map: Map,
    /// What teams know that do not know everything, in their order.
    beliefs: Vec<Belief>,
    /// The units, their ways and searches.
    bytes: Vec<u8>,
}

impl Fleet {
    /// The fleet as plain data, with its map (feature `serde` writes it in any format).
    pub fn save(&self) -> SavedFleet {
        let mut out = Vec::new();
        self.write(&mut out);
        let sum = checksum(&out);
        out.u64(sum);
        let fogs = self.teams.iter().filter_map(|team| team.fog.as_ref());
        SavedFleet {
            map: self.map.clone(),
            beliefs: fogs.map(|fog| fog.belief.clone()).collect(),
            bytes: out,
        }
    }

    /// The fleet that was saved.
    pub fn load(saved: &SavedFleet) -> Result<Self, SaveError> {
        let (body, sum) =
            saved.bytes.split_last_chunk().ok_or_else(|| SaveError::new("it ends too early"))?;
        let from = &mut Source::new(body);
        let version = from.u32()?;
        if version != VERSION {
            let what =
                format!("it has format version {version}, this library reads {VERSION}; save it again");
            return Err(SaveError::new(what));
        }
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(SaveError::new("its checksum is wrong, so it is damaged; use another copy"));
        }
        let fleet = Self::read(saved, from)?;
        from.end()?;
        Ok(fleet)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.u32(VERSION);
        out.u64(self.map.grid().fingerprint());
        flag(out, self.config.collisions);
        out.u64(self.config.least_group as u64);
        out.u64(self.config.resolver.seed);
        for x in [self.tick, self.upkeep.end, self.upkeep.debt, self.owed] {
            out.u64(x);
        }
        out.u32(self.teams.len() as u32);
        self.teams.iter().for_each(|team| team.write(out));
        out.u32(self.units.len() as u32);
        for (unit, details) in self.units.iter().zip(&self.details) {
            unit.write(details, out);
            let way = self.ways.walk(unit.way());
            out.u32(way.count() as u32);
            for point in self.ways.walk(unit.way()) {
                out.node(point.cell);
                out.cost(point.rest);
            }
        }
        write_list(out, self.free.iter().map(|&number| NodeId::new(number)));
        self.crowds.write(out);
        flag(out, self.rows.is_some());
        if let Some(rows) = &self.rows {
            let (goals, unused) = rows.goals();
            write_list(out, goals);
            write_list(out, unused.iter().map(|&row| NodeId::new(row)));
            out.u64(rows.after);
        }
        self.desks.write(out);
        if let Some(resolver) = &self.resolver {
            resolver.save(out);
        }
    }

    fn read(saved: &SavedFleet, from: &mut Source<'_>) -> Result<Self, SaveError> {
        let mut map = saved.map.clone();
        map.change_corners(Corners::widen);
        let grid = map.grid();
        if from.u64()? != grid.fingerprint() {
            return Err(SaveError::new("its map is another one"));
        }
        let mut config = FleetConfig { collisions: from.choice(2)? == 1, ..FleetConfig::default() };
        config.least_group = usize::try_from(from.u64()?).unwrap_or(usize::MAX);
        config.resolver.seed = from.u64()?;
        let tick = from.count()?;
        let upkeep = Upkeep { end: from.u64()?, debt: from.count()? };
        let owed = from.count()?;
        let mut beliefs = saved.beliefs.iter();
        let mut teams = Vec::new();
        for _ in 0..from.len(16)? {
            teams.push(Team::read(grid, &mut beliefs, from)?);
        }
        if teams.is_empty() || beliefs.next().is_some() {
            return Err(SaveError::new("its teams are others than those of its map"));
        }
        let (mut units, mut details, mut ways) = (Vec::new(), Vec::new(), Ways::new());
        for _ in 0..from.len(70)? {
            let (mut unit, rest) = Unit::read(grid, teams.len(), from)?;
            unit.set_way(read_way(grid, &mut ways, from)?);
            let goes_nowhere = unit.crowd != NONE || !is_inside(grid, unit.goal);
            if unit.status == Status::Unreachable && unit.way() != NONE && goes_nowhere {
                return Err(SaveError::new("a unit follows a way to nowhere"));
            }
            units.push(unit);
            details.push(rest);
        }
        let numbers = Limits::new(units.len(), Cost::ZERO);
        let free: Vec<u32> = read_list(from, &numbers)?.into_iter().map(NodeId::raw).collect();
        let crowds = Crowds::read(grid, teams.len(), (&units, &mut details), from)?;
        let mut wanted = BTreeMap::new();
        for unit in units.iter().filter(|unit: &&Unit| unit.goal.is_some()) {
            *wanted.entry(unit.goal).or_insert(0) += 1;
        }
        let rows = if from.choice(2)? == 1 { Some(read_rows(grid, &units, from)?) } else { None };
        if rows.is_none() && units.iter().any(|unit: &Unit| unit.row != NONE) {
            return Err(SaveError::new("a unit goes by distances that are not there"));
        }
        let roster = Roster { units: &units, details: &details };
        let desks = Desks::read(grid, &teams, roster, from)?;
        let resolver = if config.collisions { Some(Resolver::load(grid, from)?) } else { None };
        if let Some(resolver) = &resolver {
            config.resolver = resolver.config;
        }
        let has_speeds = details.iter().any(|details: &Details| details.speed != Speed::EveryTicks(1));
        let fleet = Self {
            config,
            sight: Sight::new(grid),
            teams,
            ranks: alloc::vec![Ranks::NONE; units.len()],
            ranked: alloc::vec![0; units.len()],
            courses: alloc::vec![Course::IDLE; units.len()],
            slopes: Slopes::new(grid),
            edited: 0,
            events: alloc::sync::Arc::new(Vec::with_capacity(3 * units.len())),
            units,
            details,
            free,
            ways,
            rows,
            resolver,
            desks,
            wanted,
            crowds,
            around: None,
            summary: Summary::default(),
            tick,
            has_speeds,
            upkeep,
            // All look again, and see what they have seen.
            looked: None,
            owed,
            // By the clock nothing is the same twice.
            pace: Pace::default(),
            map,
        };
        fleet.check()?;
        Ok(fleet)
    }

    /// Whether the units are where the resolver has them, and those that are not there are free to be used again.
    fn check(&self) -> Result<(), SaveError> {
        let is_sound = if let Some(resolver) = &self.resolver {
            let cells = resolver.cells().map(NodeId::some);
            let mine = self.units.iter().map(|unit| unit.is_there.then_some(unit.at));
            self.free.is_empty() && cells.eq(mine)
        } else {
            let mut free: Vec<u32> = self.free.clone();
            free.sort_unstable();
            let gone = (0..self.units.len() as u32).filter(|&k| !self.units[k as usize].is_there);
            gone.eq(free)
        };
        let is_unit = |number: u32| number == NONE || (number as usize) < self.units.len();
        let is_sound = is_sound && self.units.iter().all(|unit| is_unit(unit.blocked_by));
        if is_sound { Ok(()) } else { Err(SaveError::new("its units stand elsewhere than they should")) }
    }
}

fn flag(out: &mut Vec<u8>, is_set: bool) {
    out.u32(u32::from(is_set));
}

fn write_list(out: &mut Vec<u8>, list: impl ExactSizeIterator<Item = NodeId>) {
    out.u32(list.len() as u32);
    list.for_each(|n| out.node(n));
}

fn read_list(from: &mut Source<'_>, limits: &Limits) -> Result<Vec<NodeId>, SaveError> {
    (0..from.len(4)?).map(|_| from.node(limits)).collect()
}

fn read_way(grid: &Grid, ways: &mut Ways, from: &mut Source<'_>) -> Result<u32, SaveError> {
    let mut points = Vec::new();
    for _ in 0..from.len(8)? {
        points.push((inside(grid, from)?, from.cost()?));
    }
    Ok(points.into_iter().rev().fold(NONE, |way, (cell, rest)| ways.put(cell, rest, way)))
}

/// A cell of the map itself, not of the rest of its last tiles.
fn inside(grid: &Grid, from: &mut Source<'_>) -> Result<NodeId, SaveError> {
    let n = from.node(&grid.limits())?;
    if is_inside(grid, n) { Ok(n) } else { Err(SaveError::new("a cell lies outside its map")) }
}

fn is_inside(grid: &Grid, n: NodeId) -> bool {
    let (x, y) = if n.index() < grid.bound() { grid.xy(n) } else { (u32::MAX, u32::MAX) };
    x < grid.width() && y < grid.height()
}

/// The rows of distances, made again.
fn read_rows(grid: &Grid, units: &[Unit], from: &mut Source<'_>) -> Result<Rows, SaveError> {
    let wrong = || SaveError::new("its rows of distances are none");
    // Changes may have made the map too large for rows since there were any.
    let fits = Rows::new(grid);
    let can_have_goals = fits.is_some();
    let mut rows = fits.unwrap_or_else(Rows::stale);
    let mut goals = Vec::new();
    for _ in 0..from.len(4)? {
        goals.push(from.node_or_none(&grid.limits())?);
    }
    if !can_have_goals && !goals.is_empty() {
        return Err(wrong());
    }
    let numbers = Limits::new(goals.len(), Cost::ZERO);
    let unused = read_list(from, &numbers)?.into_iter().map(NodeId::raw).collect();
    rows.restore(grid, &goals, unused);
    rows.after = from.u64()?;
    let used = |unit: &&Unit| unit.row != NONE;
    if units.iter().filter(used).all(|unit| rows.use_again(unit.row, unit.goal)) {
        Ok(rows)
    } else {
        Err(wrong())
    }
}

/// What is known of the units.
#[derive(Clone, Copy)]
struct Roster<'a> {
    units: &'a [Unit],
    details: &'a [Details],
}
