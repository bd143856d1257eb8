//! Crowds: units that were sent to one place, and how they fill the cells around it.
//!
//! An order for many gives every unit a cell around the middle, and these cells are the slots of a crowd. Which of them a
//! unit ends on matters to nobody. So close to the middle units do not insist on their own:
//!
//! - Who has not settled goes to the best slot on which nobody has: a near one, but rather a farther one that lies nearer to the middle. It
//!   settles where there is no better one. The slot is its goal from then on, and who had it as its goal takes over the other's.
//! - Who has settled, and is pushed by one of the crowd, makes room towards the best slot that is left, and only on slots. So a whole
//!   line moves as one, and nobody is driven out.
//! - Where slots of other crowds lie between those of this one, better slots often lie behind others who stay. There, who is outside
//!   goes to the nearest slot left, and who is on a slot goes on over slots that lie nearer to the middle while there are any next to it.
//!
//! So a crowd fills from the middle, about as fast as its entrances let units through, and who has settled is in nobody's way.
//! It matters that all who come go on inwards: where the middle lies behind a narrow passage, that passage takes longest, so units have to
//! pass it from the beginning. When each took the nearest slot, the ground before such a passage was filled first, and the one behind it last.
//!
//! How far it is to the middle is found out once, to the best slot left again and again, by searches over the ground of the
//! crowd that are paid for tick by tick. These keep off walls: a line that touches both sides of a passage
//! leaves no room for another one beside it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::crowd::{Crowd, DEAREST, FAR};
use super::front::Fleet;
use super::ground::{NONE, OWN};
use super::tick::wants;
use super::units::{Details, Event, Ranks, Status, Unit};
use crate::corners::cell;
use crate::graph::{Grid, Unseen};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};

/// A crowd has no ground before it has so many units: one alone has nobody to get along with.
const LEAST: usize = 2;
/// What it takes to make the ground anew, for each of its cells, in comparisons; a search for gaps takes one.
const PRICE_OF_GROUND: u64 = 4;
/// Where others are in the way, it may be that a crowd gets no further. When nobody more has settled for so many ticks, and one
/// for each unit, its units insist on their goals, as those without a crowd do,
const TRIED: u64 = 16;
/// for so many times as long; and so on in turn.
const INSISTS: u64 = 3;
/// It need not be tried for longer than so many ticks.
const MOST_TRIED: u64 = 128;
/// A unit that could go on to a better slot, but for others in its way, settles when it has stood and come no nearer for so long.
const PATIENCE: u64 = 4;
/// The same for one that moves: better slots may be taken faster than it comes nearer to them. But it must not wander about for ever.
const PATIENCE_UNDERWAY: u64 = 16;

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
    fn place(&self, unit: &Unit) -> Option<(&Crowd, usize)> {
        let crowd = self.all.get(unit.crowd as usize).filter(|crowd| !crowd.insists)?;
        let k = crowd.spot(unit.at)?;
        let spot = &crowd.spots[k];
        (spot.is_slot() || spot.gap != FAR).then_some((crowd, k))
    }

    /// Whether a unit goes where its crowd lets it.
    #[inline]
    pub(super) fn leads(&self, unit: &Unit) -> bool {
        unit.crowd != NONE && self.place(unit).is_some()
    }

    /// What the cells around a unit are worth to it, if it goes where its crowd lets it.
    pub(super) fn ranks(&self, grid: &Grid, unit: &Unit) -> Option<Ranks> {
        let (crowd, k) = self.place(unit)?;
        let values = crowd.values(k, unit.is_settled, grid.unit());
        Some(Ranks { middle: cell(grid, unit.at), values, known: u32::MAX, ..Ranks::NONE })
    }

    /// What a cell is worth to a unit that goes where its crowd lets it.
    pub(super) fn value(&self, grid: &Grid, unit: &Unit, n: NodeId) -> Option<Cost> {
        let (crowd, k) = self.place(unit)?;
        if n == unit.at {
            return Some(crowd.values(k, unit.is_settled, grid.unit())[OWN]);
        }
        let is_within = crowd.spots[k].is_slot() && !unit.is_settled;
        let moves = crowd.spot(n).and_then(|there| {
            let there = &crowd.spots[there];
            match (is_within, crowd.is_compact) {
                (true, true) => there.is_slot().then_some(there.gap),
                (true, false) => there.is_left().then_some(there.depth),
                (false, _) => Some(there.gap),
            }
        });
        Some(moves.map_or(Cost::INF, |moves| Cost::new((u32::from(moves) + 1) * grid.unit())))
    }

    /// Whether a unit that has settled has settled on this cell, too, if it is brought there.
    pub(super) fn is_slot(&self, unit: &Unit, n: NodeId) -> bool {
        let crowd = self.all.get(unit.crowd as usize).filter(|crowd| !crowd.insists);
        crowd.is_some_and(|crowd| crowd.spot(n).is_some_and(|k| crowd.spots[k].is_slot()))
    }

    /// Whether two units are of one crowd, and do not insist on their goals.
    #[inline]
    pub(super) fn are_mates(&self, unit: &Unit, other: &Unit) -> bool {
        unit.crowd != NONE && unit.crowd == other.crowd && !self.all[unit.crowd as usize].insists
    }

    /// A unit of a crowd has moved.
    pub(super) fn moved(&mut self, number: u32, crowd: u32, from: NodeId, to: NodeId) {
        let crowd = &mut self.all[crowd as usize];
        crowd.quit(number, from);
        crowd.enter(number, to);
    }

    /// The middle of a unit's crowd.
    pub(super) fn middle(&self, unit: &Unit) -> Option<NodeId> {
        self.all.get(unit.crowd as usize).map(|crowd| crowd.middle)
    }

    /// Puts a crowd's members back in their places, as it was saved.
    pub(super) fn restore(&mut self, units: &[Unit], details: &mut [Details]) -> bool {
        for (number, unit) in units.iter().enumerate().filter(|(_, unit)| unit.crowd != NONE) {
            let crowd = self.all.get_mut(unit.crowd as usize).filter(|crowd| crowd.team == unit.team);
            let Some(crowd) = crowd else { return false };
            details[number].seat = crowd.members.len() as u32;
            crowd.members.push(number as u32);
            crowd.own(number as u32, unit);
            crowd.enter(number as u32, unit.at);
        }
        for (number, crowd) in self.all.iter().enumerate().filter(|(_, crowd)| !crowd.members.is_empty()) {
            self.by_middle.insert((crowd.team, crowd.middle), number as u32);
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
        all + self.all.iter().map(Crowd::memory_bytes).sum::<usize>()
            + 4 * self.queues.iter().map(Vec::capacity).sum::<usize>()
    }
}

impl Fleet {
    /// A unit that has a goal is one of those around a cell.
    pub(super) fn join(&mut self, number: u32, middle: NodeId) {
        let unit = &mut self.units[number as usize];
        let id = self.crowds.find(unit.team, middle);
        let crowd = &mut self.crowds.all[id as usize];
        (unit.crowd, unit.is_settled) = (id, false);
        self.details[number as usize].seat = crowd.members.len() as u32;
        crowd.members.push(number);
        crowd.own(number, unit);
        crowd.enter(number, unit.at);
        (crowd.most, crowd.gained) = (crowd.settled as u32, self.tick);
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
        (crowd.most, crowd.gained) = (crowd.settled as u32, self.tick);
        crowd.is_stale = true;
        let seat = self.details[number as usize].seat;
        crowd.members.swap_remove(seat as usize);
        if let Some(&other) = crowd.members.get(seat as usize) {
            self.details[other as usize].seat = seat;
        } else if crowd.members.is_empty() {
            self.crowds.by_middle.remove(&(crowd.team, crowd.middle));
            *crowd = Crowd::new(0, NodeId::NONE);
            self.crowds.free.push(id);
        }
    }

    /// Crowds are searched for the slots that are left, in turn, as far as a part of the budget goes.
    pub(super) fn search_crowds(&mut self, meter: &mut Meter) {
        if self.resolver.is_none() || self.crowds.by_middle.is_empty() {
            return;
        }
        for crowd in self.crowds.all.iter_mut().filter(|crowd| !crowd.spots.is_empty()) {
            let tried = (TRIED + crowd.members.len() as u64).min(MOST_TRIED);
            let is_over = self.tick.saturating_sub(crowd.gained) % (tried * (1 + INSISTS)) >= tried;
            crowd.insists = is_over && crowd.settled < crowd.members.len();
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
        // Once all have settled, nobody asks.
        if !crowd.is_void && (crowd.settled == count || !crowd.is_stale) {
            return true;
        }
        let cost = if crowd.is_void {
            PRICE_OF_GROUND * crowd.most_spots() as u64
        } else {
            crowd.spots.len() as u64
        };
        crowd.paid += meter.charge_some(Kind::Compare, cost.saturating_sub(crowd.paid));
        if crowd.paid < cost {
            return false;
        }
        crowd.paid = 0;
        if crowd.is_void {
            // Where slots lie apart, the ground is made once more, with more cells.
            let is_covered = crowd.survey(grid, &self.units);
            crowd.is_void = !is_covered && !core::mem::replace(&mut crowd.lies_apart, !is_covered);
            (crowd.settled, crowd.as_of) = (0, log.end());
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
        let place = crowd.spot(unit.at);
        if unit.is_settled {
            crowd.is_stale = true;
            // Unless somebody has settled on its old slot by now.
            if let Some(old) = crowd.spot(from).filter(|&old| crowd.spots[old].owner == number) {
                crowd.spots[old].is_settled = false;
            }
        }
        let place = place.filter(|&k| {
            if crowd.insists { crowd.spots[k].owner == number } else { crowd.spots[k].is_slot() }
        });
        let Some(k) = place else {
            crowd.settled -= usize::from(core::mem::take(&mut unit.is_settled));
            let is_led = !crowd.insists && crowd.spot(unit.at).is_some_and(|k| crowd.spots[k].gap != FAR);
            return if is_led { Seat::Queues } else { Seat::Elsewhere };
        };
        if !unit.is_settled {
            let stalled = self.resolver.as_ref().map_or(0, |resolver| resolver.stalled(number));
            let patience = if has_moved { PATIENCE_UNDERWAY } else { PATIENCE };
            // Who insists on its goal is there.
            if !crowd.insists && crowd.goes_on(k) && stalled < patience {
                return Seat::Queues;
            }
            unit.is_settled = true;
            crowd.settled += 1;
            if crowd.settled > crowd.most as usize {
                (crowd.most, crowd.gained) = (crowd.settled as u32, self.tick);
            }
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
        if self.crowds.leads(unit) {
            // What its cells are worth does not depend on its goal.
            return;
        }
        if wants(unit) && unit.way() == NONE && !unit.is_queued && unit.at != old {
            self.enqueue(other);
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
