//! Saving a fleet between two ticks, in mid-search, and bringing it back: it goes on exactly as if nothing had happened.
//!
//! Every number is checked against the map and against the others. What passes may be wrong if the bytes were forged, but
//! never panics, and never puts two units on a cell.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::vec::Vec;

use super::courses::{Course, Slopes};
use super::crowd::{Crowd, Spot};
use super::crowds::Crowds;
use super::desks::{Desk, Desks, Group, Job, Ticket};
use super::front::{Fleet, FleetConfig, Summary};
use super::ground::NONE;
use super::landmarks::{COUNT, Landmarks, Making, Noting, Row, Tile};
use super::pace::Pace;
use super::resolve::Resolver;
use super::rows::Rows;
use super::seek::{Pending, Seeker, Stage};
use super::sight::Sight;
use super::teams::{CHANGES_PER_CELL, Fog, TOGETHER, Team};
use super::units::{Details, Ranks, Speed, Status, Unit};
use super::upkeep::Upkeep;
use super::ways::Ways;
use crate::corners::{Corners, Scan};
use crate::graph::{Belief, Graph, Grid, Limits};
use crate::id::{Cost, NodeId};
use crate::map::Map;
use crate::parts::{Nodes, Part};
use crate::save::{SaveError, Sink, Source, checksum};

/// Of the format.
const VERSION: u32 = 7;

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
        flag(out, self.landmarks.is_some());
        if let Some(landmarks) = &self.landmarks {
            landmarks.was_free().iter().for_each(|&word| out.u64(word));
        }
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
        let landmarks = if from.choice(2)? == 1 { Some(read_landmarks(grid, from)?) } else { None };
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
            landmarks,
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

/// The landmarks of the map as it was: made again, which gives the same.
fn read_landmarks(grid: &Grid, from: &mut Source<'_>) -> Result<Landmarks, SaveError> {
    let mut words = Vec::with_capacity(grid.bound() / 64);
    for _ in 0..grid.bound() / 64 {
        words.push(from.u64()?);
    }
    let wrong = || SaveError::new("its landmarks are none");
    let was_free = |x, y| {
        let n = grid.node(x, y).map_or(0, NodeId::index);
        (words[n / 64] >> (n % 64) & 1) as u8
    };
    let then = Grid::new(grid.width(), grid.height(), grid.rules(), was_free).map_err(|_| wrong())?;
    let mut landmarks = Landmarks::new(&then.with_corners()).ok_or_else(wrong)?;
    for n in (0..grid.bound()).map(NodeId::from_index) {
        if grid.is_free(n) {
            landmarks.edit(n, true);
        }
    }
    Ok(landmarks)
}

impl Team {
    fn write(&self, out: &mut Vec<u8>) {
        flag(out, self.fog.is_some());
        if let Some(fog) = &self.fog {
            out.u32(fog.radius);
            out.u64(fog.upkeep.end);
            out.u64(fog.upkeep.debt);
            out.u64(fog.paid);
            out.u64(fog.debt);
            out.u32(fog.calm);
            out.u32(fog.late);
            flag(out, fog.keeps);
            fog.seen().iter().for_each(|&word| out.u64(word));
            write_list(out, fog.due.iter().copied());
            out.u32(fog.editions);
            out.u64(fog.begun);
            out.u32(fog.pause);
            flag(out, fog.marks.is_some());
            fog.marks.iter().for_each(|marks| marks.write(out));
            flag(out, fog.making.is_some());
            fog.making.iter().for_each(|making| making.write(out));
        }
        write_list(out, self.opened.iter().copied());
        for x in [self.together, self.next_to_look, self.unchecked, self.next_to_check] {
            out.u32(x);
        }
    }

    fn read<'a>(
        grid: &Grid,
        beliefs: &mut impl Iterator<Item = &'a Belief>,
        from: &mut Source<'_>,
    ) -> Result<Self, SaveError> {
        let mut team = Self::knowing_all();
        if from.choice(2)? == 1 {
            let fits = |belief: &&Belief| {
                let theirs = belief.grid();
                (theirs.width(), theirs.height(), theirs.rules())
                    == (grid.width(), grid.height(), grid.rules())
            };
            let belief = beliefs.next().filter(fits);
            let belief = belief.ok_or_else(|| SaveError::new("what a team knows is of another map"))?.clone();
            let radius = from.u32()?;
            let upkeep = Upkeep { end: from.u64()?, debt: from.count()? };
            let paid = from.count()?.min(CHANGES_PER_CELL - 1);
            let (debt, calm, late) = (from.count()?, from.u32()?, from.u32()?);
            let keeps = from.choice(2)? == 1;
            let words = (grid.width() as usize).div_ceil(64) * grid.height() as usize;
            let mut seen = Vec::new();
            for _ in 0..words {
                seen.push(from.u64()?);
            }
            let mut due = VecDeque::new();
            for _ in 0..from.len(4)? {
                due.push_back(inside(grid, from)?);
            }
            let mut fog = Fog::restore(belief, radius, seen, due, keeps);
            (fog.upkeep, fog.paid, fog.debt) = (upkeep, paid, debt);
            (fog.calm, fog.late) = (calm, late);
            (fog.editions, fog.begun, fog.pause) = (from.u32()?, from.u64()?, from.u32()?);
            if from.choice(2)? == 1 {
                fog.marks = Some(Box::new(Landmarks::read(grid, from)?));
            }
            if from.choice(2)? == 1 {
                fog.making = Some(Box::new(Making::read(grid, from)?));
            }
            team.fog = Some(Box::new(fog));
        }
        for _ in 0..from.len(4)? {
            team.opened.push_back(inside(grid, from)?);
        }
        (team.together, team.next_to_look) = (from.choice(TOGETHER as u32 + 1)?, from.u32()?);
        (team.unchecked, team.next_to_check) = (from.u32()?, from.u32()?);
        Ok(team)
    }
}

const STATUSES: [Status; 6] =
    [Status::Idle, Status::Seeking, Status::Underway, Status::Arrived, Status::Unreachable, Status::Buried];

impl Unit {
    fn write(&self, details: &Details, out: &mut Vec<u8>) {
        let Self { generation, team, at, goal, row, moves, blocked_by, lost, .. } = *self;
        let Self { is_there, is_queued, is_whole, status, .. } = *self;
        let Details { orders, centre, speed, ready, is_preferred, balance, looked, .. } = *details;
        for x in [generation, orders, u32::from(team), row, moves, blocked_by, lost, balance.cast_unsigned()]
        {
            out.u32(x);
        }
        let Self { is_stranded, is_settled, crowd, .. } = *self;
        for is_set in [is_there, is_preferred, is_queued, is_stranded, is_whole, is_settled] {
            flag(out, is_set);
        }
        out.u32(STATUSES.iter().position(|&other| other == status).unwrap_or(0) as u32);
        for n in [at, goal, centre] {
            out.node(n);
        }
        out.u32(crowd);
        let (kind, rate) = match speed {
            Speed::EveryTicks(ticks) => (0, ticks),
            Speed::Hundredths(hundredths) => (1, hundredths),
        };
        out.u32(kind);
        out.u32(rate);
        out.u64(ready);
        out.u64(looked);
    }

    fn read(grid: &Grid, teams: usize, from: &mut Source<'_>) -> Result<(Self, Details), SaveError> {
        let mut unit = Self { generation: from.u32()?, ..Self::NEW };
        let mut details = Details { orders: from.u32()?, ..Details::NEW };
        unit.team = from.choice(u32::try_from(teams).unwrap_or(u32::MAX))? as u16;
        (unit.row, unit.moves, unit.blocked_by) = (from.u32()?, from.u32()?.min(1 << 20), from.u32()?);
        (unit.lost, details.balance) = (from.u32()?.min(1 << 30), from.u32()?.cast_signed());
        let mut next = || from.choice(2).map(|x| x == 1);
        (unit.is_there, details.is_preferred) = (next()?, next()?);
        (unit.is_queued, unit.is_stranded) = (next()?, next()?);
        (unit.is_whole, unit.is_settled) = (next()?, next()?);
        unit.status = STATUSES[from.choice(STATUSES.len() as u32)? as usize];
        let limits = grid.limits();
        unit.at = from.node_or_none(&limits)?;
        // Orders may name what is no cell of the map: nobody goes there.
        (unit.goal, details.centre, unit.crowd) = (from.node_or_any()?, from.node_or_any()?, from.u32()?);
        let kind = from.choice(2)?;
        let rate = from.u32()?;
        details.speed = if kind == 0 { Speed::EveryTicks(rate) } else { Speed::Hundredths(rate) };
        (details.ready, details.looked) = (from.count()?, from.count()?);
        let is_on_map = |n: NodeId| is_inside(grid, n);
        // One who follows or seeks a way has a goal on the map; one who is there stands on it.
        let goes = matches!(unit.status, Status::Seeking | Status::Underway | Status::Arrived);
        let is_sound = unit.is_there == unit.at.is_some()
            && (!unit.is_there || is_on_map(unit.at))
            && (!goes || is_on_map(unit.goal))
            && (unit.goal.is_some() || !goes)
            && (!goes || !details.centre.is_some() || is_on_map(details.centre))
            && (unit.crowd == NONE || unit.is_there && unit.goal.is_some())
            && (!unit.is_settled || unit.at == unit.goal && unit.crowd != NONE);
        if is_sound { Ok((unit, details)) } else { Err(SaveError::new("a unit is nowhere, or goes nowhere")) }
    }
}

impl Crowds {
    fn write(&self, out: &mut Vec<u8>) {
        out.u32(self.all.len() as u32);
        for crowd in &self.all {
            out.u32(u32::from(crowd.team));
            out.node(crowd.middle);
            out.u64(crowd.as_of);
            out.u64(crowd.paid);
            out.u64(crowd.gained);
            out.u32(crowd.most);
            flag(out, crowd.insists);
            flag(out, crowd.lies_apart);
            flag(out, crowd.is_void);
            flag(out, crowd.is_stale);
            out.u32(crowd.spots.len() as u32);
            for spot in &crowd.spots {
                out.node(spot.cell);
                out.u32(u32::from(spot.depth) << 16 | u32::from(spot.gap));
                out.u32(u32::from(spot.is_joined) << 8 | u32::from(spot.moves()));
            }
        }
        write_list(out, self.free.iter().map(|&number| NodeId::new(number)));
        out.u32(self.next);
    }

    /// The crowds with their members.
    fn read(
        grid: &Grid,
        teams: usize,
        (units, details): (&[Unit], &mut [Details]),
        from: &mut Source<'_>,
    ) -> Result<Self, SaveError> {
        let mut crowds = Self::default();
        for _ in 0..from.len(48)? {
            let team = from.choice(u32::try_from(teams).unwrap_or(u32::MAX))? as u16;
            let mut crowd = Crowd::new(team, from.node_or_any()?);
            (crowd.as_of, crowd.paid) = (from.count()?, from.count()?);
            (crowd.gained, crowd.most) = (from.count()?, from.u32()?);
            (crowd.insists, crowd.lies_apart) = (from.choice(2)? == 1, from.choice(2)? == 1);
            (crowd.is_void, crowd.is_stale) = (from.choice(2)? == 1, from.choice(2)? == 1);
            let mut moves = Vec::new();
            for _ in 0..from.len(12)? {
                let (cell, far) = (inside(grid, from)?, from.u32()?);
                if crowd.spot(cell).is_some() {
                    return Err(SaveError::new("a crowd has a cell twice"));
                }
                let joined = from.choice(512)?;
                let mut spot = Spot::new(cell, (far >> 16) as u16, far as u16);
                spot.is_joined = joined >> 8 == 1;
                crowd.add(spot);
                moves.push(joined as u8);
            }
            moves.iter().enumerate().for_each(|(k, &moves)| crowd.join_by(grid, k, moves));
            crowd.set_tolls(grid);
            crowds.all.push(crowd);
        }
        let numbers = Limits::new(crowds.all.len(), Cost::ZERO);
        crowds.free = read_list(from, &numbers)?.into_iter().map(NodeId::raw).collect();
        crowds.next = from.u32()?;
        let is_sound = crowds.restore(units, details);
        if is_sound { Ok(crowds) } else { Err(SaveError::new("its crowds are none of its units'")) }
    }
}

fn write_line(out: &mut Vec<u8>, line: &VecDeque<Ticket>) {
    out.u32(line.len() as u32);
    for &ticket in line {
        write_ticket(out, ticket);
    }
}

fn write_ticket(out: &mut Vec<u8>, (number, orders): Ticket) {
    out.u32(number);
    out.u32(orders);
}

/// What is known of the units.
#[derive(Clone, Copy)]
struct Roster<'a> {
    units: &'a [Unit],
    details: &'a [Details],
}

/// The unit of a ticket that is good has a goal on the map, unless its owner is to be told that it gets nowhere.
fn read_ticket(roster: Roster<'_>, grid: &Grid, from: &mut Source<'_>) -> Result<Ticket, SaveError> {
    let (number, orders) = (from.choice(roster.units.len() as u32)?, from.u32()?);
    let unit = &roster.units[number as usize];
    if unit.is_there
        && roster.details[number as usize].orders == orders
        && !matches!(unit.status, Status::Unreachable | Status::Buried)
        && unit.goal.index() >= grid.bound()
    {
        return Err(SaveError::new("a unit waits for a way to nowhere"));
    }
    Ok((number, orders))
}

impl Group {
    fn write(&self, out: &mut Vec<u8>) {
        out.u32(u32::from(self.team));
        out.node(self.centre);
        out.u32(self.next as u32);
        out.u32(self.units.len() as u32);
        self.units.iter().for_each(|&ticket| write_ticket(out, ticket));
    }

    fn read(
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut Source<'_>,
    ) -> Result<Self, SaveError> {
        let team = from.choice(teams.len() as u32)? as u16;
        let (centre, next) = (inside(grid, from)?, from.u32()? as usize);
        let mut tickets = Vec::new();
        for _ in 0..from.len(8)? {
            let ticket = read_ticket(roster, grid, from)?;
            let unit = &roster.units[ticket.0 as usize];
            if unit.is_there && roster.details[ticket.0 as usize].orders == ticket.1 && unit.team != team {
                return Err(SaveError::new("a group is of two teams"));
            }
            tickets.push(ticket);
        }
        Ok(Self { team, centre, units: tickets, next })
    }
}

impl Desks {
    fn write(&self, out: &mut Vec<u8>) {
        self.quick.write(out);
        self.long.iter().for_each(|desk| desk.write(out));
        for x in [self.turn, self.taken] {
            out.u32(x);
        }
        for line in [&self.new, &self.lost, &self.exact, &self.preferred, &self.others, &self.hopeless] {
            write_line(out, line);
        }
        out.u32(self.groups.len() as u32);
        self.groups.iter().for_each(|group| group.write(out));
    }

    fn read(
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut Source<'_>,
    ) -> Result<Self, SaveError> {
        let mut desks = Self::new(grid);
        desks.quick.read(grid, teams, roster, from)?;
        for desk in &mut desks.long {
            desk.read(grid, teams, roster, from)?;
        }
        (desks.turn, desks.taken) = (from.u32()? % desks.long.len() as u32, from.u32()?);
        let Self { new, lost, exact, preferred, others, hopeless, groups, .. } = &mut desks;
        for line in [new, lost, exact, preferred, others, hopeless] {
            for _ in 0..from.len(8)? {
                line.push_back(read_ticket(roster, grid, from)?);
            }
        }
        for _ in 0..from.len(16)? {
            groups.push_back(Group::read(grid, teams, roster, from)?);
        }
        Ok(desks)
    }
}

impl Desk {
    fn write(&self, out: &mut Vec<u8>) {
        match &self.job {
            Job::Nothing => out.u32(0),
            Job::Way(ticket) => {
                out.u32(1);
                write_ticket(out, *ticket);
            }
            Job::Back(ticket, goal) => {
                out.u32(2);
                write_ticket(out, *ticket);
                out.node(*goal);
            }
            Job::Group(group) => {
                out.u32(3);
                group.write(out);
            }
        }
        // What the last search has read may still have to be paid for.
        out.u32(self.seeker.debt);
        if !matches!(self.job, Job::Nothing) {
            self.seeker.write(out);
        }
    }

    fn read(
        &mut self,
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut Source<'_>,
    ) -> Result<(), SaveError> {
        self.job = match from.choice(4)? {
            0 => Job::Nothing,
            1 => Job::Way(read_ticket(roster, grid, from)?),
            2 => Job::Back(read_ticket(roster, grid, from)?, inside(grid, from)?),
            _ => Job::Group(Group::read(grid, teams, roster, from)?),
        };
        self.seeker.debt = from.choice(1 << 24)?;
        if matches!(self.job, Job::Nothing) {
            return Ok(());
        }
        self.seeker.read(grid, from)?;
        let is_sound = match &self.job {
            Job::Group(_) => !self.seeker.goal.is_some(),
            Job::Back(_, goal) => self.seeker.goal == *goal,
            _ => self.seeker.goal.is_some(),
        };
        if is_sound { Ok(()) } else { Err(SaveError::new("a search is for somebody else")) }
    }
}

fn read_row(from: &mut Source<'_>) -> Result<Row, SaveError> {
    let mut row = [Cost::INF; COUNT];
    for cost in &mut row {
        *cost = from.cost()?;
    }
    Ok(row)
}

impl Landmarks {
    fn write(&self, out: &mut Vec<u8>) {
        out.u32(self.edition);
        for tile in &self.tiles {
            flag(out, tile.is_some());
            if let Some(tile) = tile {
                tile.corners.iter().for_each(|&word| out.u64(word));
                tile.rows.iter().flatten().for_each(|&cost| out.cost(cost));
            }
        }
    }

    fn read(grid: &Grid, from: &mut Source<'_>) -> Result<Self, SaveError> {
        let wrong = || SaveError::new("its landmarks are none");
        let mut landmarks = Self::none(grid, from.u32()?);
        for (k, tile) in landmarks.tiles.iter_mut().enumerate() {
            if from.choice(2)? == 0 {
                continue;
            }
            let corners = [from.u64()?, from.u64()?, from.u64()?, from.u64()?];
            let mut known = Tile::with(corners).ok_or_else(wrong)?;
            if !known.nodes(k).all(|n| is_inside(grid, n)) {
                return Err(wrong());
            }
            for row in &mut known.rows {
                *row = read_row(from)?;
            }
            *tile = Some(known);
        }
        Ok(landmarks)
    }
}

impl Making {
    fn write(&self, out: &mut Vec<u8>) {
        self.landmarks.write(out);
        out.u32(self.tiles);
        out.u32(self.searches);
        out.node(self.from);
        let Noting { tiles, reached, farthest, far } = self.noting;
        out.u32(tiles);
        out.u32(reached);
        out.node(farthest);
        out.cost(far);
        out.node(self.next);
        out.u32(self.seeker.debt);
        if self.next.is_some() {
            self.seeker.write(out);
        }
    }

    fn read(grid: &Grid, from: &mut Source<'_>) -> Result<Self, SaveError> {
        let landmarks = Landmarks::read(grid, from)?;
        let tiles = landmarks.tiles.len() as u32;
        let (looked, searches) = (from.choice(tiles + 1)?, from.choice(COUNT as u32 + 1)?);
        let mut making = Self::new(grid, 0, inside(grid, from)?);
        (making.landmarks, making.tiles, making.searches) = (landmarks, looked, searches);
        let (tiles_noted, reached) = (from.choice(tiles + 1)?, from.choice(u32::MAX)?);
        let (farthest, far) = (from.node_or_none(&grid.limits())?, from.cost()?);
        if farthest.is_some() && !is_inside(grid, farthest) {
            return Err(SaveError::new("its landmarks are none"));
        }
        making.noting = Noting { tiles: tiles_noted, reached, farthest, far };
        (making.next, making.seeker.debt) = (from.node_or_none(&grid.limits())?, from.choice(1 << 24)?);
        if making.next.is_some() {
            making.seeker.read(grid, from)?;
            if making.seeker.goal.is_some() || making.tiles < tiles {
                return Err(SaveError::new("its landmarks are none"));
            }
        }
        Ok(making)
    }
}

const STAGES: [Stage; 4] = [Stage::Idle, Stage::Runs, Stage::Done, Stage::NoWay];

impl Seeker {
    fn write(&self, out: &mut Vec<u8>) {
        let Self { search, stage, pending, joining, ends, row, debt: _, root, goal, begun, traced, .. } =
            self;
        flag(out, self.is_thorough);
        out.u32(STAGES.iter().position(|other| other == stage).unwrap_or(0) as u32);
        out.node(*root);
        out.node(*goal);
        out.u64(*begun);
        out.u64(*traced);
        let Pending { node, f, next, scan } = *pending;
        out.node(node);
        out.cost(f);
        out.u32(next);
        flag(out, scan.is_some());
        scan.unwrap_or(Scan::done()).write(out);
        joining.write(out);
        write_list(out, ends.iter().copied());
        flag(out, row.is_some());
        if let Some((edition, row)) = row {
            out.u32(*edition);
            for &cost in row {
                out.cost(cost);
            }
        }
        search.write(out);
    }

    fn read(&mut self, grid: &Grid, from: &mut Source<'_>) -> Result<(), SaveError> {
        let limits = grid.limits();
        self.is_thorough = from.choice(2)? == 1;
        self.stage = STAGES[from.choice(STAGES.len() as u32)? as usize];
        (self.root, self.goal) = (inside(grid, from)?, from.node_or_none(&limits)?);
        (self.begun, self.traced) = (from.count()?, from.count()?);
        let (node, f, next) = (from.node_or_none(&limits)?, from.cost()?, from.u32()?);
        let has_scan = from.choice(2)? == 1;
        let mut scan = Scan::done();
        scan.read(&limits, from)?;
        self.pending = Pending { node, f, next, scan: has_scan.then_some(scan) };
        self.joining.read(&limits, from)?;
        for _ in 0..from.len(4)? {
            self.ends.push(inside(grid, from)?);
        }
        if from.choice(2)? == 1 {
            let edition = from.u32()?;
            self.row = Some((edition, read_row(from)?));
        }
        self.search.read(&limits, from)?;
        let goal = self.goal;
        let h = |n: NodeId| if goal.is_some() { grid.h(n, goal) } else { Cost::ZERO };
        self.search.check(h)?;
        let size = (grid.width(), grid.height());
        let tree = &self.search.nodes;
        let is_on_map = |n: NodeId| {
            let (x, y) = grid.xy(n);
            x < size.0 && y < size.1
        };
        let neighbours = grid.rules().neighbours;
        let scans = [Some(self.joining), self.pending.scan];
        let scans = scans.into_iter().flatten().all(|scan| scan.fits(size, neighbours));
        let is_sound = scans
            && tree.generated().into_iter().all(is_on_map)
            && (!goal.is_some() || is_on_map(goal))
            && (!node.is_some() || tree.g(node).is_finite() && !tree.is_open(node))
            && (self.stage != Stage::Done || !goal.is_some() || tree.g(goal).is_finite());
        if !is_sound {
            return Err(SaveError::new("a search does not belong to its map"));
        }
        if node.is_some() {
            // It is being expanded: what it leads to lies a step deeper than it does.
            self.search.nodes.close(node);
        }
        Ok(())
    }
}
