//! Members of crowds: how they join and leave, settle, and exchange goals.

use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::state::State;
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::ground::{FAR, Ground};
use crate::fleet::state::request::Request;
use crate::fleet::state::results::MoveResults;
use crate::fleet::types::Event;
use crate::graph::Pending;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};

impl State {
    /// Returns the crowd that units sent to a cell join: the one that has a slot there, or that around the cell.
    pub(crate) fn crowd_at(&mut self, team: u16, middle: NodeId) -> u32 {
        let owner = self.goals.crowd_of(middle);
        let owner = owner.filter(|&crowd| self.crowds.all[crowd as usize].team == team);
        owner.unwrap_or_else(|| self.crowds.find(team, middle))
    }

    /// Adds a unit that has a goal to a crowd.
    pub(crate) fn join(&mut self, number: u32, id: u32) {
        self.units[number as usize].is_settled = false;
        self.seat(number, id);
    }

    /// Adds a unit to a crowd, settled or not.
    fn seat(&mut self, number: u32, id: u32) {
        let unit = &mut self.units[number as usize];
        let crowd = &mut self.crowds.all[id as usize];
        unit.crowd = id;
        self.goals.set_crowd(unit.goal, id);
        self.details[number as usize].seat = crowd.members.len() as u32;
        crowd.members.push(number);
        crowd.settled += usize::from(unit.is_settled);
        crowd.own(number, unit);
        crowd.enter(number, unit.at);
        (crowd.most, crowd.gained) = (crowd.settled as u32, self.tick);
        crowd.is_stale = true;
        let is_outside = |ground: &Ground| ground.spot(unit.goal).is_none();
        crowd.is_void |= is_outside(&crowd.ground) || crowd.draft.as_deref().is_some_and(is_outside);
    }

    /// Makes one crowd of several that share their ground: else members of one would push those of another off their slots forever. The
    /// largest one remains.
    pub(crate) fn merge_all(&mut self, mut crowd: u32, met: &[u32]) {
        for &other in met {
            let all = &self.crowds.all;
            let (mine, its) = (&all[crowd as usize], &all[other as usize]);
            if other == crowd || its.members.is_empty() || its.team != mine.team {
                continue;
            }
            let is_larger = its.members.len() > mine.members.len();
            let (into, from) = if is_larger { (other, crowd) } else { (crowd, other) };
            for number in self.crowds.dissolve(from) {
                self.seat(number, into);
            }
            crowd = into;
        }
    }

    /// A unit is no longer one of its crowd.
    pub(crate) fn leave(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        let id = core::mem::replace(&mut unit.crowd, NONE);
        let Some(crowd) = self.crowds.all.get_mut(id as usize) else { return };
        self.goals.set_crowd(unit.goal, NONE);
        crowd.settled -= usize::from(core::mem::take(&mut unit.is_settled));
        crowd.quit(number, unit.at);
        crowd.disown(number, unit.goal);
        (crowd.most, crowd.gained) = (crowd.settled as u32, self.tick);
        crowd.is_stale = true;
        let seat = self.details[number as usize].seat;
        crowd.members.swap_remove(seat as usize);
        self.crowds.work.left_seat(id, seat);
        if let Some(&other) = crowd.members.get(seat as usize) {
            self.details[other as usize].seat = seat;
        } else if crowd.members.is_empty() {
            self.crowds.dissolve(id);
        }
    }

    /// Crowds are searched for the slots that are left, in turn, as far as a part of the budget goes.
    pub(crate) fn search_crowds(&mut self, knowledge: &Knowledge, share: u64, meter: &mut Meter) {
        let tuning = self.tuning.crowd;
        if self.crowds.by_middle.is_empty() {
            return;
        }
        for crowd in self.crowds.all.iter_mut().filter(|crowd| !crowd.ground.spots.is_empty()) {
            let tried = (tuning.tried + crowd.members.len() as u64).min(tuning.tried_at_most);
            let is_over = self.tick.saturating_sub(crowd.gained) % (tried * (1 + tuning.insists)) >= tried;
            crowd.insists = is_over && crowd.settled < crowd.members.len();
        }
        meter.with_fraction(1, share, |meter| {
            let all = self.crowds.all.len() as u32;
            // A crowd that is worked on comes first, whatever crowds were added since: the work on another one would replace it.
            if self.crowds.work.crowd < all {
                self.crowds.next = self.crowds.work.crowd;
            }
            for _ in 0..all {
                let id = self.crowds.next % all;
                if !self.search_crowd(knowledge, id, meter) {
                    return;
                }
                self.crowds.next = id + 1;
            }
        });
    }

    /// Brings up to date what is known of a crowd's ground. Returns `true` if that could be paid for.
    fn search_crowd(&mut self, knowledge: &Knowledge, id: u32, meter: &mut Meter) -> bool {
        let Crowds { all, work, .. } = &mut self.crowds;
        let crowd = &mut all[id as usize];
        let count = crowd.members.len();
        let is_small = (count as u64) < self.tuning.crowd.least && crowd.ground.spots.is_empty();
        if count == 0 || is_small && work.crowd != id {
            return true;
        }
        let map = knowledge.map_of(crowd.team);
        let (grid, log) = (map.grid(), map.log());
        while crowd.as_of != log.end() && !crowd.is_void {
            if log.pending(crowd.as_of) == Pending::Truncated {
                crowd.is_void = true;
            } else if let Some(change) = log.get(crowd.as_of) {
                if !meter.charge(WorkKind::Change) {
                    return false;
                }
                crowd.is_void = crowd.has_spot(change.from) || crowd.has_spot(change.to);
                crowd.as_of += 1;
            } else {
                crowd.as_of = log.end();
            }
        }
        if work.crowd != id {
            // Once all have settled, no member asks.
            if !crowd.is_void && (crowd.settled == count || !crowd.is_stale) {
                return true;
            }
            if crowd.is_void {
                crowd.as_of = log.end();
            }
            work.begin(id, crowd, grid, &self.units);
            crowd.is_stale = false;
        }
        work.go_on(crowd, grid, &mut self.units, meter)
    }

    /// A unit of a crowd has moved, or stands: whether it is on the crowd's ground, and has settled there.
    pub(crate) fn take_crowd_place(
        &mut self,
        number: u32,
        from: NodeId,
        results: &impl MoveResults,
    ) -> CrowdPlace {
        let unit = &mut self.units[number as usize];
        let Some(crowd) = self.crowds.all.get_mut(unit.crowd as usize) else { return CrowdPlace::Elsewhere };
        let has_moved = unit.at != from;
        if unit.is_settled && !has_moved {
            return CrowdPlace::Settled;
        }
        let place = crowd.spot(unit.at);
        if unit.is_settled {
            crowd.is_stale = true;
            // Unless another member has settled on its old slot by now.
            crowd.vacate(number, from);
        }
        let place = place.filter(|&k| {
            if crowd.insists {
                crowd.ground.spots[k].owner == number
            } else {
                crowd.ground.spots[k].is_slot()
            }
        });
        let Some(k) = place else {
            crowd.settled -= usize::from(core::mem::take(&mut unit.is_settled));
            let is_led =
                !crowd.insists && crowd.spot(unit.at).is_some_and(|k| crowd.ground.spots[k].gap != FAR);
            return if is_led { CrowdPlace::Queues } else { CrowdPlace::Elsewhere };
        };
        if !unit.is_settled {
            let stalled = results.stalled(number);
            let tuning = self.tuning.crowd;
            let patience = if has_moved { tuning.patience_underway } else { tuning.patience };
            // A unit that insists on its goal is there.
            if !crowd.insists && crowd.goes_on(k) && stalled < patience {
                return CrowdPlace::Queues;
            }
            unit.is_settled = true;
            crowd.settled += 1;
            if crowd.settled > crowd.most as usize {
                (crowd.most, crowd.gained) = (crowd.settled as u32, self.tick);
            }
            crowd.is_stale = true;
        }
        let (at, old) = (unit.at, unit.goal);
        let other = crowd.settle(number, at, old);
        if other != number {
            self.pass_goal(number, at, other, old);
            let (unit, with) = (self.id(number), self.id(other));
            self.outbox.report(Event::Exchanged { unit, with });
        }
        CrowdPlace::Settled
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
        // Its route still leads to the crowd; without one it needs a new one.
        let unit = &self.units[other as usize];
        if self.crowds.leads(unit) {
            // What its cells are worth does not depend on its goal.
            return;
        }
        if unit.has_destination() && unit.route() == NONE && !unit.is_waiting() && unit.at != old {
            self.ask_for_route(other);
        }
        self.outbox.ask(Request::Renew(other));
    }
}

/// Where a unit of a crowd is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CrowdPlace {
    /// Not where its crowd leads it.
    Elsewhere,
    /// It waits for its slot, or goes on to one.
    Queues,
    /// It has settled on a slot.
    Settled,
}
