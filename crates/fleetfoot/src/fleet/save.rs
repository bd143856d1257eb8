//! Saves of a fleet between two ticks, in mid-search. A loaded fleet continues exactly as if nothing had happened.
//!
//! Every number is checked against the map and against the others. What passes may be wrong if the bytes were forged, but
//! never panics, and never puts two units on a cell.

mod crowds;
mod scheduler;
mod teams;
mod units;

use alloc::format;
use alloc::vec::Vec;

use crate::belief::Belief;
use crate::corners::Corners;
use crate::fleet::cell_set::NONE;
use crate::fleet::fleet::{Fleet, Timing};
use crate::fleet::guide::Guide;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::knowledge::team::Team;
use crate::fleet::knowledge::upkeep::Upkeep;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::moves::resolver::Resolver;
use crate::fleet::route::distance_rows::DistanceRows;
use crate::fleet::route::store::Routes;
use crate::fleet::scheduler::Scheduler;
use crate::fleet::state::State;
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::unit::Unit;
use crate::fleet::tuning::{FleetConfig, check};
use crate::fleet::types::Summary;
use crate::fleet::types::{Speed, UnitStatus};
use crate::graph::{Graph, Limits};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::map::Map;
use crate::save::{SaveError, SaveReader, SaveWriter, checksum};
use crate::search::PlannerPart;

/// The version of the format.
const VERSION: u32 = 14;

/// A fleet between two ticks, as plain data.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedFleet {
    map: Map,
    /// The knowledge of teams in the fog, in their order.
    beliefs: Vec<Belief>,
    /// The units, their routes and searches.
    bytes: Vec<u8>,
}

impl Fleet {
    /// Returns the fleet as plain data, with its map (feature `serde` writes it in any format).
    pub fn save(&self) -> SavedFleet {
        let mut out = Vec::new();
        self.write(&mut out);
        let sum = checksum(&out);
        out.u64(sum);
        let fogs = self.knowledge.teams.iter().filter_map(|team| team.fog.as_ref());
        SavedFleet {
            map: self.knowledge.map.clone(),
            beliefs: fogs.map(|fog| fog.belief.clone()).collect(),
            bytes: out,
        }
    }

    /// Returns the fleet that was saved.
    pub fn load(saved: &SavedFleet) -> Result<Self, SaveError> {
        let (body, sum) =
            saved.bytes.split_last_chunk().ok_or_else(|| SaveError::new("it ends too early"))?;
        let from = &mut SaveReader::new(body);
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
        let Self { config, knowledge, state, scheduler, resolver, timing, .. } = self;
        out.u32(VERSION);
        out.u64(knowledge.grid().fingerprint());
        flag(out, config.collisions);
        // Units that walk through each other have no resolver, but break ties by its seed.
        out.u64(config.resolver.seed);
        out.u64(config.least_group as u64);
        config.tuning.write(out);
        for x in [state.tick, knowledge.upkeep.end, knowledge.upkeep.debt, timing.owed] {
            out.u64(x);
        }
        out.u32(knowledge.teams.len() as u32);
        knowledge.teams.iter().for_each(|team| team.write(out));
        out.u32(state.units.len() as u32);
        for (unit, details) in state.units.iter().zip(&state.details) {
            unit.write(details, out);
            let route = state.routes.walk(unit.route());
            out.u32(route.count() as u32);
            for point in state.routes.walk(unit.route()) {
                out.node(point.cell);
                out.cost(point.rest);
            }
        }
        write_list(out, state.free.iter().map(|&number| NodeId::new(number)));
        state.crowds.write(out);
        flag(out, state.rows.is_some());
        if let Some(rows) = &state.rows {
            let (goals, unused) = rows.goals();
            write_list(out, goals);
            write_list(out, unused.iter().map(|&row| NodeId::new(row)));
            out.u64(rows.after);
        }
        scheduler.write(out);
        if let Some(resolver) = resolver {
            resolver.save(out);
        }
    }

    fn read(saved: &SavedFleet, from: &mut SaveReader<'_>) -> Result<Self, SaveError> {
        let mut map = saved.map.clone();
        map.change_corners(Corners::widen);
        let grid = map.grid();
        if from.u64()? != grid.fingerprint() {
            return Err(SaveError::new("its map is another one"));
        }
        let mut config = FleetConfig { collisions: from.choice(2)? == 1, ..FleetConfig::default() };
        config.resolver.seed = from.u64()?;
        config.least_group = usize::try_from(from.u64()?).unwrap_or(usize::MAX);
        config.tuning.read(&grid.limits(), from)?;
        check(&config.tuning, &config.tuning.within_ranges())?;
        let tick = from.count()?;
        let upkeep = Upkeep { end: from.u64()?, debt: from.count()? };
        let owed = from.count()?;
        let mut beliefs = saved.beliefs.iter();
        let mut teams = Vec::new();
        for _ in 0..from.len(16)? {
            teams.push(Team::read(grid, config.tuning.fog, &mut beliefs, from)?);
        }
        if teams.is_empty() || beliefs.next().is_some() {
            return Err(SaveError::new("its teams are not those of its map"));
        }
        let mut state = State { tick, ..State::new(grid, &config.tuning) };
        read_units(grid, &teams, &mut state, from)?;
        let row_cells = config.tuning.route.row_cells;
        let has_rows = from.choice(2)? == 1;
        state.rows = if has_rows { Some(read_rows(grid, row_cells, &state.units, from)?) } else { None };
        if state.rows.is_none() && state.units.iter().any(|unit| unit.row != NONE) {
            return Err(SaveError::new("a unit goes by distances that are not there"));
        }
        let scheduler = Scheduler::read(grid, &config, &teams, state.roster(), from)?;
        let resolver = if config.collisions { Some(Resolver::load(grid, from)?) } else { None };
        if let Some(resolver) = &resolver {
            config.resolver = resolver.config;
        }
        let units = state.units.len();
        let fleet = Self {
            config,
            state,
            scheduler,
            guide: Guide::new(grid, units),
            resolver,
            next: Vec::new(),
            // Under a deadline nothing is the same twice.
            timing: Timing { owed, ..Timing::default() },
            events: alloc::sync::Arc::new(Vec::with_capacity(3 * units)),
            summary: Summary::default(),
            // All units look again, and see what they have seen.
            knowledge: Knowledge {
                sight: SightLines::new(grid),
                teams,
                upkeep,
                looked: None,
                edited: 0,
                tuning: config.tuning.fog,
                map,
            },
        };
        fleet.check()?;
        Ok(fleet)
    }

    /// Returns an error unless the units are where the resolver has them, and those that are not there are free to be used again.
    fn check(&self) -> Result<(), SaveError> {
        let state = &self.state;
        let is_sound = if let Some(resolver) = &self.resolver {
            let cells = resolver.cells().map(NodeId::some);
            let mine = state.units.iter().map(|unit| unit.is_there.then_some(unit.at));
            state.free.is_empty() && cells.eq(mine)
        } else {
            let mut free: Vec<u32> = state.free.clone();
            free.sort_unstable();
            let gone = (0..state.units.len() as u32).filter(|&k| !state.units[k as usize].is_there);
            gone.eq(free)
        };
        let is_unit = |number: u32| number == NONE || (number as usize) < state.units.len();
        let is_sound = is_sound && state.units.iter().all(|unit| is_unit(unit.blocked_by));
        if is_sound { Ok(()) } else { Err(SaveError::new("its units are not on the cells of its resolver")) }
    }
}

/// Reads units with their routes and crowds.
fn read_units(
    grid: &Grid,
    teams: &[Team],
    state: &mut State,
    from: &mut SaveReader<'_>,
) -> Result<(), SaveError> {
    for _ in 0..from.len(78)? {
        let (mut unit, rest) = Unit::read(grid, teams.len(), from)?;
        unit.set_route(read_route(grid, &mut state.routes, from)?);
        let goes_nowhere = unit.crowd != NONE || !is_inside(grid, unit.goal);
        if unit.status == UnitStatus::Unreachable && unit.route() != NONE && goes_nowhere {
            return Err(SaveError::new("a unit follows a way to nowhere"));
        }
        if unit.goal.is_some() {
            state.goals.add(unit.goal);
        }
        state.has_speeds |= rest.speed != Speed::EveryTicks(1);
        state.units.push(unit);
        state.details.push(rest);
    }
    let numbers = Limits::new(state.units.len(), Cost::ZERO);
    state.free = read_list(from, &numbers)?.into_iter().map(NodeId::raw).collect();
    state.crowds = Crowds::read(grid, teams, (&state.units, &state.details), from)?;
    for unit in state.units.iter().filter(|unit| unit.crowd != NONE) {
        state.goals.set_crowd(unit.goal, unit.crowd);
    }
    Ok(())
}

fn flag(out: &mut Vec<u8>, is_set: bool) {
    out.u32(u32::from(is_set));
}

fn write_list(out: &mut Vec<u8>, list: impl ExactSizeIterator<Item = NodeId>) {
    out.u32(list.len() as u32);
    list.for_each(|n| out.node(n));
}

fn read_list(from: &mut SaveReader<'_>, limits: &Limits) -> Result<Vec<NodeId>, SaveError> {
    (0..from.len(4)?).map(|_| from.node(limits)).collect()
}

fn read_route(grid: &Grid, routes: &mut Routes, from: &mut SaveReader<'_>) -> Result<u32, SaveError> {
    let mut points = Vec::new();
    for _ in 0..from.len(8)? {
        points.push((inside(grid, from)?, from.cost()?));
    }
    Ok(points.into_iter().rev().fold(NONE, |route, (cell, rest)| routes.put(cell, rest, route)))
}

/// Reads a cell of the map itself, not of the rest of its last tiles.
fn inside(grid: &Grid, from: &mut SaveReader<'_>) -> Result<NodeId, SaveError> {
    let n = from.node(&grid.limits())?;
    if is_inside(grid, n) { Ok(n) } else { Err(SaveError::new("a cell lies outside its map")) }
}

fn is_inside(grid: &Grid, n: NodeId) -> bool {
    let (x, y) = if n.index() < grid.bound() { grid.xy(n) } else { (u32::MAX, u32::MAX) };
    x < grid.width() && y < grid.height()
}

/// Rebuilds the distance rows.
fn read_rows(
    grid: &Grid,
    most: u64,
    units: &[Unit],
    from: &mut SaveReader<'_>,
) -> Result<DistanceRows, SaveError> {
    let wrong = || SaveError::new("its rows of distances are none");
    // Since there were rows, edits may have made the map too large for them.
    let fits = DistanceRows::new(grid, most);
    let can_have_goals = fits.is_some();
    let mut rows = fits.unwrap_or_else(|| DistanceRows::stale(most));
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
