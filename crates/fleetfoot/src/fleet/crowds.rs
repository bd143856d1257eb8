//! Crowds: units that were sent to one place, and how they fill the cells around it.
//!
//! An order for many gives every unit a cell around the middle, and these cells are the slots of a crowd. Which of them a
//! unit ends on matters to nobody. So close to the middle units do not insist on their own:
//!
//! - Who is outside goes to the nearest slot on which nobody has settled.
//! - Who is on a slot goes on to slots nearer to the middle while there are any, and settles where there are none. The slot
//!   is its goal from then on, and who had it as its goal takes over the other's.
//! - Who has settled, and is pushed by one of the crowd, makes room towards the nearest slot that is left, and only
//!   towards one. So a whole line moves as one, and nobody is driven out for nothing.
//!
//! A crowd so fills from the middle, as fast as its entrances let units through, and none that has settled is in the way of
//! those who come later. How far it is to the middle is found out once, to the nearest slot left again and again, by
//! searches over the ground of the crowd that are paid for tick by tick.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::front::Fleet;
use super::ground::{NONE, OWN};
use super::units::{Event, Ranks, Status, Unit};
use crate::corners::cell;
use crate::graph::{Graph, Grid, Neighbours, Unseen};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};

/// No way leads there, as far as is known.
const FAR: u16 = u16::MAX;
/// A crowd has no ground before it has so many units: one alone has nobody to get along with.
const LEAST: usize = 2;
/// Cells around the slots that belong to a crowd's ground at least; half as many as there are slots beside that.
const MARGIN: usize = 64;
/// Cells that are searched for slots that lie apart, beside four for each unit.
const MOST_APART: usize = 1024;
/// Cells that a search goes over for the price of a comparison.
const CELLS_PER_COMPARE: u64 = 2;
/// What it takes to make the ground anew, for each of its cells, in cells that a search goes over.
const CELLS_PER_SPOT: u64 = 4;
/// What it takes to enter a cell beside a wall, where others take one.
const DEAREST: usize = 3;
/// A unit that could go on towards the middle, but for others who have not settled, settles when it has waited so long.
const PATIENCE: u64 = 4;

/// A cell in or around a crowd.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) cell: NodeId,
    /// By direction: the places of the spots next to it; [`NONE`] where no move leads to one.
    near: [u32; 8],
    /// Whose goal it is; [`NONE`] if it is no slot.
    owner: u32,
    /// Moves to the middle.
    pub(super) depth: u16,
    /// How far it is to the nearest slot on which nobody has settled, as of the last search.
    pub(super) gap: u16,
    /// What it takes to enter it: more beside walls, so that ways that all would go leave room for others on both sides.
    toll: u8,
    /// Whether its owner has settled there.
    is_settled: bool,
    /// Who of the crowd is there; [`NONE`] if nobody is.
    who: u32,
}

impl Spot {
    pub(super) fn new(cell: NodeId, depth: u16, gap: u16) -> Self {
        Self { cell, near: [NONE; 8], owner: NONE, depth, gap, toll: 1, is_settled: false, who: NONE }
    }

    /// Whether it is a slot on which nobody has settled.
    #[inline]
    fn is_left(&self) -> bool {
        self.owner != NONE && !self.is_settled
    }
}

/// Units of a team that were sent to one place.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub(super) team: u16,
    pub(super) middle: NodeId,
    pub(super) members: Vec<u32>,
    /// How many of them have settled.
    settled: usize,
    /// The ground, nearest to the middle first.
    pub(super) spots: Vec<Spot>,
    /// Finds spots by a hash of their cells: twice as many places as there are spots, at least.
    places: Vec<u32>,
    /// The length of the log of what the team knows of the map when the ground was made, or found to be the same.
    pub(super) as_of: u64,
    /// Whether the ground is yet to be made, or has to be made anew.
    pub(super) is_void: bool,
    /// Whether others have settled than when gaps were last searched for.
    pub(super) is_stale: bool,
    /// What has been paid for the next search, in comparisons.
    pub(super) paid: u64,
}

impl Crowd {
    pub(super) fn new(team: u16, middle: NodeId) -> Self {
        Self {
            team,
            middle,
            members: Vec::new(),
            settled: 0,
            spots: Vec::new(),
            places: Vec::new(),
            as_of: 0,
            is_void: true,
            is_stale: false,
            paid: 0,
        }
    }

    /// The place of a cell among the spots.
    #[inline]
    pub(super) fn spot(&self, n: NodeId) -> Option<usize> {
        let mask = self.places.len().checked_sub(1)?;
        let mut place = hash(n) & mask;
        loop {
            let k = self.places[place];
            if k == NONE {
                return None;
            }
            if self.spots[k as usize].cell == n {
                return Some(k as usize);
            }
            place = (place + 1) & mask;
        }
    }

    /// One more spot, which is not there yet; its place.
    pub(super) fn add(&mut self, spot: Spot) -> u32 {
        if self.places.len() <= 2 * self.spots.len() {
            let room = (4 * self.spots.len()).next_power_of_two().max(64);
            self.places.clear();
            self.places.resize(room, NONE);
            for k in 0..self.spots.len() {
                self.note(k as u32);
            }
        }
        let k = self.spots.len() as u32;
        self.spots.push(spot);
        self.note(k);
        k
    }

    /// Lets a spot be found.
    fn note(&mut self, k: u32) {
        let mask = self.places.len() - 1;
        let mut place = hash(self.spots[k as usize].cell) & mask;
        while self.places[place] != NONE {
            place = (place + 1) & mask;
        }
        self.places[place] = k;
    }

    fn clear(&mut self) {
        self.spots.clear();
        self.places.fill(NONE);
    }

    /// The ground: all cells around the middle, as far out as there are slots, and some more. `blocked` middles have none.
    fn survey(&mut self, grid: &Grid, units: &[Unit]) {
        self.clear();
        let is_open = self.middle.index() < grid.bound() && grid.is_free(self.middle);
        // Where the middle has become a wall, the slots around it lie equally deep.
        let count = if is_open { 1 } else { self.members.len() };
        for k in 0..count {
            let n = if is_open { self.middle } else { units[self.members[k] as usize].goal };
            if n.index() < grid.bound() && self.spot(n).is_none() {
                self.add(Spot::new(n, 0, FAR));
            }
        }
        let slots = self.members.len();
        let mut next = self.spread(grid, 0, slots + slots / 2 + MARGIN);
        let is_covered = |crowd: &Self, &unit: &u32| crowd.spot(units[unit as usize].goal).is_some();
        if !self.members.iter().all(|unit| is_covered(self, unit)) {
            next = self.spread(grid, next, 4 * slots + MOST_APART);
        }
        for k in next..self.spots.len() {
            self.join_spot(grid, k);
        }
        self.set_tolls(grid);
    }

    /// Adds the cells around spots, from one on, until there are so many; the first spot whose neighbours may be missing.
    fn spread(&mut self, grid: &Grid, from: usize, most: usize) -> usize {
        let mut k = from;
        while k < self.spots.len() && self.spots.len() < most {
            let (n, depth) = (self.spots[k].cell, self.spots[k].depth);
            for edge in grid.succs(n) {
                if self.spot(edge.to).is_none() {
                    self.add(Spot::new(edge.to, depth.saturating_add(1).min(FAR - 1), FAR));
                }
            }
            self.join_spot(grid, k);
            k += 1;
        }
        k
    }

    /// Notes which spots lie next to one.
    pub(super) fn join_spot(&mut self, grid: &Grid, k: usize) {
        let (cells, moves) = grid.around(self.spots[k].cell);
        for (d, &n) in cells.iter().enumerate() {
            let there = if moves >> d & 1 == 1 { self.spot(n) } else { None };
            self.spots[k].near[d] = there.map_or(NONE, |k| k as u32);
        }
    }

    /// What it takes to enter each spot: most of all beside walls, and some more than elsewhere next to that.
    pub(super) fn set_tolls(&mut self, grid: &Grid) {
        let all = if grid.rules().neighbours == Neighbours::Four { 4 } else { 8 };
        let is_beside_wall = |spot: &Spot| spot.near.iter().filter(|&&there| there != NONE).count() < all;
        for k in 0..self.spots.len() {
            let spot = &self.spots[k];
            let mut around = spot.near.iter().filter_map(|&there| self.spots.get(there as usize));
            self.spots[k].toll = match is_beside_wall(spot) {
                true => DEAREST as u8,
                false => 1 + u8::from(around.any(is_beside_wall)),
            };
        }
    }

    /// How far it is from every spot to the nearest slot that is left: a search with a queue for each of the next distances.
    fn look_for_gaps(&mut self, queues: &mut [Vec<u32>; DEAREST + 1]) {
        queues.iter_mut().for_each(Vec::clear);
        for (k, spot) in self.spots.iter_mut().enumerate() {
            spot.gap = FAR;
            if spot.is_left() {
                spot.gap = 0;
                queues[0].push(k as u32);
            }
        }
        let (mut gap, mut empty) = (0_u16, 0);
        while empty <= DEAREST {
            let Some(k) = queues[gap as usize % (DEAREST + 1)].pop() else {
                (gap, empty) = (gap.saturating_add(1), empty + 1);
                continue;
            };
            empty = 0;
            let spot = &self.spots[k as usize];
            if spot.gap != gap || gap >= FAR - 1 - DEAREST as u16 {
                continue;
            }
            // It costs as much to come from there as to go there: the toll is that of the spot that is left.
            let farther = gap + u16::from(spot.toll);
            for there in spot.near {
                if let Some(spot) = self.spots.get_mut(there as usize)
                    && farther < spot.gap
                {
                    spot.gap = farther;
                    queues[farther as usize % (DEAREST + 1)].push(there);
                }
            }
        }
    }

    /// Whether a unit on a spot could go on to a slot that is nearer to the middle, or will be able to.
    fn goes_on(&self, k: usize) -> bool {
        let is_deeper = |there: u32| {
            self.spots
                .get(there as usize)
                .is_some_and(|spot| spot.is_left() && spot.depth < self.spots[k].depth)
        };
        self.spots[k].near.iter().any(|&there| is_deeper(there))
    }

    /// What the cells around a spot and the spot itself are worth to a unit there, where a move costs `step`. An infinite value
    /// says that nobody of the crowd can push it there.
    fn values(&self, k: usize, is_settled: bool, step: u32) -> [Cost; 9] {
        let here = &self.spots[k];
        let far = |moves: u16| Cost::new((u32::from(moves) + 1) * step);
        let is_slot = here.owner != NONE;
        let mut values = [Cost::INF; 9];
        for (value, &there) in values.iter_mut().zip(&here.near) {
            *value = match self.spots.get(there as usize) {
                Some(there) if is_slot && !is_settled => {
                    if there.is_left() { far(there.depth) } else { continue }
                }
                Some(there) if there.is_left() => far(0),
                // Aside or back as well: the nearest slot left is the same for many, and the next ones lie elsewhere.
                Some(there) if there.is_settled => far(there.gap),
                // Rather aside than wait, where there is room: round a corner, the best ways of all lead by the same cells.
                Some(there) if !is_slot => far(there.gap) + Cost::new(if there.who == NONE { 0 } else { 2 }),
                _ if is_slot => continue,
                _ => far(here.gap) + far(1),
            };
        }
        values[OWN] = match (is_slot, is_settled) {
            (true, true) => Cost::ZERO,
            (true, false) => far(here.depth) + Cost::new(1),
            (false, _) => far(here.gap) + Cost::new(1),
        };
        values
    }

    fn memory_bytes(&self) -> usize {
        4 * (self.members.capacity() + self.places.capacity()) + self.spots.capacity() * size_of::<Spot>()
    }
}

#[inline]
fn hash(n: NodeId) -> usize {
    (n.raw().wrapping_mul(0x9e37_79b9) >> 8) as usize
}

/// All crowds.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowds {
    /// Those without members are free to be used again.
    pub(super) all: Vec<Crowd>,
    pub(super) free: Vec<u32>,
    by_middle: BTreeMap<(u16, NodeId), u32>,
    /// Whose turn it is to be searched.
    pub(super) next: u32,
    /// Working memory of searches.
    queues: [Vec<u32>; DEAREST + 1],
}

impl Crowds {
    /// The crowd of a team around a cell.
    fn find(&mut self, team: u16, middle: NodeId) -> u32 {
        let Self { all, free, by_middle, .. } = self;
        *by_middle.entry((team, middle)).or_insert_with(|| {
            let number = free.pop().unwrap_or(all.len() as u32);
            if number as usize == all.len() {
                all.push(Crowd::new(team, middle));
            } else {
                all[number as usize] = Crowd::new(team, middle);
            }
            number
        })
    }

    /// The crowd of a unit, and its place on the crowd's ground, if it lets itself be led by that: where no slot is left, or none
    /// can be reached, it follows its own way.
    #[inline]
    fn place(&self, unit: &Unit) -> Option<(&Crowd, usize)> {
        let crowd = self.all.get(unit.crowd as usize)?;
        let k = crowd.spot(unit.at)?;
        let spot = &crowd.spots[k];
        (spot.owner != NONE || spot.gap != FAR).then_some((crowd, k))
    }

    /// Whether a unit goes where its crowd lets it.
    #[inline]
    pub(super) fn leads(&self, unit: &Unit) -> bool {
        unit.crowd != NONE && self.place(unit).is_some()
    }

    /// What the cells around a unit are worth to it, if it goes where its crowd lets it.
    pub(super) fn ranks(&self, grid: &Grid, unit: &Unit, stamp: u64) -> Option<Ranks> {
        let (crowd, k) = self.place(unit)?;
        let values = crowd.values(k, unit.is_settled, grid.unit());
        Some(Ranks { stamp, middle: cell(grid, unit.at), values, known: u32::MAX, ..Ranks::NONE })
    }

    /// What a cell is worth to a unit that goes where its crowd lets it.
    pub(super) fn value(&self, grid: &Grid, unit: &Unit, n: NodeId) -> Option<Cost> {
        let (crowd, _) = self.place(unit)?;
        let Some(k) = crowd.spot(n) else { return Some(Cost::INF) };
        let spot = &crowd.spots[k];
        let is_home = unit.is_settled && n == unit.at;
        let moves = if spot.is_left() { 1 } else { u32::from(spot.gap) + 1 };
        Some(Cost::new(if is_home { 0 } else { moves * grid.unit() }))
    }

    /// Whether a unit that has settled has settled on this cell, too, if it is brought there.
    pub(super) fn is_slot(&self, unit: &Unit, n: NodeId) -> bool {
        let crowd = self.all.get(unit.crowd as usize);
        crowd.is_some_and(|crowd| crowd.spot(n).is_some_and(|k| crowd.spots[k].owner != NONE))
    }

    /// The middle of a unit's crowd.
    pub(super) fn middle(&self, unit: &Unit) -> Option<NodeId> {
        self.all.get(unit.crowd as usize).map(|crowd| crowd.middle)
    }

    /// Puts a crowd's members back in their places, as it was saved.
    pub(super) fn restore(&mut self, grids: &[&Grid], units: &mut [Unit]) -> bool {
        for (number, crowd) in self.all.iter_mut().enumerate() {
            let Some(grid) = grids.get(crowd.team as usize) else { return false };
            (0..crowd.spots.len()).for_each(|k| crowd.join_spot(grid, k));
            crowd.set_tolls(grid);
            if !self.free.contains(&(number as u32)) {
                self.by_middle.insert((crowd.team, crowd.middle), number as u32);
            }
        }
        for (number, unit) in units.iter_mut().enumerate().filter(|(_, unit)| unit.crowd != NONE) {
            let crowd = self.all.get_mut(unit.crowd as usize).filter(|crowd| crowd.team == unit.team);
            let Some(crowd) = crowd else { return false };
            unit.seat = crowd.members.len() as u32;
            crowd.members.push(number as u32);
            crowd.own(number as u32, unit);
            crowd.enter(number as u32, unit.at);
        }
        let is_free = |crowd: &Crowd| crowd.members.is_empty();
        let free = self.all.iter().filter(|crowd| is_free(crowd)).count();
        let mut known = self.free.clone();
        known.sort_unstable();
        known.dedup();
        free == self.free.len()
            && known.len() == free
            && known.iter().all(|&k| self.all.get(k as usize).is_some_and(is_free))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let all = self.all.capacity() * size_of::<Crowd>() + 32 * self.by_middle.len();
        all + self.all.iter().map(Crowd::memory_bytes).sum::<usize>() + 4 * self.queues.iter().map(Vec::capacity).sum::<usize>()
    }
}

impl Crowd {
    /// A member is on a cell.
    fn enter(&mut self, number: u32, at: NodeId) {
        if let Some(k) = self.spot(at) {
            self.spots[k].who = number;
        }
    }

    /// A member has left a cell.
    fn quit(&mut self, number: u32, from: NodeId) {
        if let Some(k) = self.spot(from).filter(|&k| self.spots[k].who == number) {
            self.spots[k].who = NONE;
        }
    }

    /// Notes whose slot a member's goal is, and whether it has settled there.
    fn own(&mut self, number: u32, unit: &Unit) {
        self.settled += usize::from(unit.is_settled);
        if let Some(k) = self.spot(unit.goal) {
            (self.spots[k].owner, self.spots[k].is_settled) = (number, unit.is_settled);
        }
    }
}

impl Fleet {
    /// A unit that has a goal is one of those around a cell.
    pub(super) fn join(&mut self, number: u32, middle: NodeId) {
        let unit = &mut self.units[number as usize];
        let id = self.crowds.find(unit.team, middle);
        let crowd = &mut self.crowds.all[id as usize];
        (unit.crowd, unit.seat, unit.is_settled) = (id, crowd.members.len() as u32, false);
        crowd.members.push(number);
        crowd.own(number, unit);
        crowd.enter(number, unit.at);
        crowd.is_stale = true;
        crowd.is_void |= crowd.spot(unit.goal).is_none();
    }

    /// A unit is no longer one of its crowd.
    pub(super) fn leave(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        let id = core::mem::replace(&mut unit.crowd, NONE);
        let Some(crowd) = self.crowds.all.get_mut(id as usize) else { return };
        crowd.settled -= usize::from(core::mem::take(&mut unit.is_settled));
        crowd.quit(number, unit.at);
        if let Some(k) = crowd.spot(unit.goal)
            && crowd.spots[k].owner == number
        {
            (crowd.spots[k].owner, crowd.spots[k].is_settled) = (NONE, false);
        }
        crowd.is_stale = true;
        let seat = unit.seat;
        crowd.members.swap_remove(seat as usize);
        if let Some(&other) = crowd.members.get(seat as usize) {
            self.units[other as usize].seat = seat;
        } else if crowd.members.is_empty() {
            self.crowds.by_middle.remove(&(crowd.team, crowd.middle));
            *crowd = Crowd::new(0, NodeId::NONE);
            self.crowds.free.push(id);
        }
    }

    /// Whether two units are of one crowd.
    pub(super) fn are_mates(unit: &Unit, other: &Unit) -> bool {
        unit.crowd != NONE && unit.crowd == other.crowd
    }

    /// Crowds are searched for the slots that are left, in turn, as far as a part of the budget goes.
    pub(super) fn search_crowds(&mut self, meter: &mut Meter) {
        if self.resolver.is_none() || self.crowds.by_middle.is_empty() {
            return;
        }
        meter.share(1, 4, |meter| {
            let all = self.crowds.all.len() as u32;
            for _ in 0..all {
                let id = self.crowds.next % all;
                if !self.search_crowd(id, meter) {
                    return;
                }
                self.crowds.next = id + 1;
            }
        });
    }

    /// Brings up to date what is known of a crowd's ground; whether that could be paid for.
    fn search_crowd(&mut self, id: u32, meter: &mut Meter) -> bool {
        let Crowds { all, queues, .. } = &mut self.crowds;
        let crowd = &mut all[id as usize];
        let count = crowd.members.len();
        if count == 0 || count < LEAST && crowd.spots.is_empty() {
            return true;
        }
        let map = self.teams[crowd.team as usize].map(&self.map);
        let (grid, log) = (map.grid(), map.log());
        while crowd.as_of != log.end() && !crowd.is_void {
            if log.unseen(crowd.as_of) == Unseen::Lost {
                crowd.is_void = true;
            } else if let Some(change) = log.get(crowd.as_of) {
                if !meter.charge(Kind::Change) {
                    return false;
                }
                crowd.is_void = crowd.spot(change.from).is_some() || crowd.spot(change.to).is_some();
                crowd.as_of += 1;
            } else {
                crowd.as_of = log.end();
            }
        }
        let is_full = crowd.settled == count;
        if is_full && !crowd.is_void || !crowd.is_void && !crowd.is_stale {
            return true;
        }
        let cells = crowd.spots.len().max(count + count / 2 + MARGIN) as u64;
        let cost = cells * if crowd.is_void { CELLS_PER_SPOT } else { 1 } / CELLS_PER_COMPARE;
        crowd.paid += meter.charge_some(Kind::Compare, cost.saturating_sub(crowd.paid));
        if crowd.paid < cost {
            return false;
        }
        crowd.paid = 0;
        if crowd.is_void {
            crowd.survey(grid, &self.units);
            (crowd.settled, crowd.is_void, crowd.as_of) = (0, false, log.end());
            for k in 0..count {
                let number = crowd.members[k];
                let unit = &mut self.units[number as usize];
                let is_there = unit.status == Status::Arrived && unit.at == unit.goal;
                unit.is_settled = is_there && crowd.spot(unit.goal).is_some();
                crowd.own(number, unit);
                crowd.enter(number, unit.at);
            }
        }
        crowd.look_for_gaps(queues);
        crowd.is_stale = false;
        true
    }

    /// A unit of a crowd has moved, or stands: whether it is on the crowd's ground, and has settled there.
    pub(super) fn take_seat(&mut self, number: u32, from: NodeId, events: &mut Vec<Event>) -> Seat {
        let unit = &mut self.units[number as usize];
        let Some(crowd) = self.crowds.all.get_mut(unit.crowd as usize) else { return Seat::Elsewhere };
        let has_moved = unit.at != from;
        if unit.is_settled && !has_moved {
            return Seat::Settled;
        }
        if has_moved {
            crowd.quit(number, from);
            crowd.enter(number, unit.at);
        }
        let place = crowd.spot(unit.at);
        if unit.is_settled {
            crowd.is_stale = true;
            // Unless somebody has settled on its old slot by now.
            if let Some(old) = crowd.spot(from).filter(|&old| crowd.spots[old].owner == number) {
                crowd.spots[old].is_settled = false;
            }
        }
        let place = place.filter(|&k| crowd.spots[k].owner != NONE);
        let Some(k) = place else {
            crowd.settled -= usize::from(core::mem::take(&mut unit.is_settled));
            let is_led = crowd.spot(unit.at).is_some_and(|k| crowd.spots[k].gap != FAR);
            return if is_led { Seat::Queues } else { Seat::Elsewhere };
        };
        if !unit.is_settled {
            let stalled = self.resolver.as_ref().map_or(0, |resolver| resolver.stalled(number));
            if crowd.goes_on(k) && stalled < PATIENCE {
                return Seat::Queues;
            }
            unit.is_settled = true;
            crowd.settled += 1;
            crowd.is_stale = true;
        }
        crowd.spots[k].is_settled = true;
        let (at, old) = (unit.at, unit.goal);
        let other = core::mem::replace(&mut crowd.spots[k].owner, number);
        if other != number {
            if let Some(k) = crowd.spot(old) {
                crowd.spots[k].owner = other;
            }
            self.pass_goal(number, at, other, old);
            events.push(Event::Exchanged { unit: self.id(number), with: self.id(other) });
        }
        Seat::Settled
    }

    /// A unit has settled on what was another one's goal, which has its old one now.
    fn pass_goal(&mut self, number: u32, at: NodeId, other: u32, old: NodeId) {
        self.leave_row(number);
        self.leave_row(other);
        self.units[number as usize].goal = at;
        let unit = &mut self.units[other as usize];
        unit.goal = old;
        if unit.is_settled {
            return;
        }
        // Its way leads to the crowd all the same; without one it needs another.
        let unit = &self.units[other as usize];
        let goes = matches!(unit.status, Status::Seeking | Status::Underway | Status::Arrived);
        if goes && unit.way() == NONE && !unit.is_queued && !self.crowds.leads(unit) && unit.at != old {
            self.desks.enqueue(other, &mut self.units);
        }
        self.renew(other);
    }
}

/// Where a unit of a crowd is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Not where its crowd leads it.
    Elsewhere,
    /// It waits for its slot, or goes on to one.
    Queues,
    /// It has settled on a slot.
    Settled,
}
