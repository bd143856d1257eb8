//! Work on one crowd, in steps: its ground is made, and how far it is from every spot to the slots that are left.
//!
//! The ground of a crowd of thousands is too large for one step. Members use the old results until the new ones are complete.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::state::crowd::Crowd;
use crate::fleet::state::ground::{DEAREST, FAR, Ground, SLOPE, Spot};
use crate::fleet::state::unit::Unit;
use crate::fleet::types::UnitStatus;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};

/// Spots or members that one step deals with.
const STEP: usize = 64;
/// What it takes to make the ground, for each of its cells, in comparisons: cells around it, and what it takes to enter it.
const PRICE_OF_CELL: u64 = 2;
const PRICE_OF_TOLL: u64 = 1;
/// Spots that are looked at once for the price of a comparison.
const SPOTS_PER_COMPARE: usize = 8;

/// What is done next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing: no crowd is worked on.
    #[default]
    Idle,
    /// Cells around the middle are added to the ground.
    Spread,
    /// Spots at its edge are joined with those next to them.
    Join,
    /// What it takes to enter spots is found out.
    Tolls,
    /// Members take their places on it.
    Seats,
    /// Slots that are left are collected.
    Seeds,
    /// Slots that are joined with those are found.
    Joined,
    /// Distances to slots that are left are found.
    Gaps,
}

/// The phases in the order of their numbers in a save.
pub(crate) const PHASES: [Phase; 8] = [
    Phase::Idle,
    Phase::Spread,
    Phase::Join,
    Phase::Tolls,
    Phase::Seats,
    Phase::Seeds,
    Phase::Joined,
    Phase::Gaps,
];

/// The work that is under way.
#[derive(Clone, Debug)]
pub(crate) struct CrowdWork {
    /// The crowd, or [`NONE`].
    pub(crate) crowd: u32,
    pub(crate) phase: Phase,
    /// The next spot or member.
    pub(crate) next: u32,
    /// The distance that the search has come to.
    pub(crate) gap: u16,
    /// Whether a member's slot lies outside of the ground.
    pub(crate) is_outside: bool,
    /// What [`Ground::is_compact`] is to be.
    pub(crate) is_compact: bool,
    /// Comparisons that are yet to be paid for.
    pub(crate) debt: u64,
    /// A queue for each of the next distances.
    pub(crate) queues: [Vec<u32>; DEAREST + 1],
}

impl Default for CrowdWork {
    fn default() -> Self {
        Self {
            crowd: NONE,
            phase: Phase::Idle,
            next: 0,
            gap: 0,
            is_outside: false,
            is_compact: false,
            debt: 0,
            queues: [const { Vec::new() }; DEAREST + 1],
        }
    }
}

impl CrowdWork {
    /// Begins to work on a crowd: on its ground, or on distances alone.
    pub(crate) fn begin(&mut self, id: u32, crowd: &mut Crowd, grid: &Grid, units: &[Unit]) {
        (self.crowd, self.next, self.is_outside) = (id, 0, false);
        if !crowd.is_void {
            self.begin_search();
            return;
        }
        let mut draft = Box::<Ground>::default();
        let is_open = crowd.middle.index() < grid.bound() && grid.is_free(crowd.middle);
        // Where the middle has become a wall, the slots around it lie equally deep.
        let mut first: Vec<NodeId> = if is_open {
            Vec::from([crowd.middle])
        } else {
            crowd.members.iter().map(|&unit| units[unit as usize].goal).collect()
        };
        // In an order that does not depend on which unit joined first.
        first.sort_unstable();
        first.dedup();
        for n in first.into_iter().filter(|n| n.index() < grid.bound()) {
            draft.add(Spot::new(n, 0, FAR));
        }
        self.debt += draft.spots.len() as u64;
        crowd.draft = Some(draft);
        crowd.is_void = false;
        self.phase = Phase::Spread;
    }

    /// Ends the work on a crowd that is no more.
    pub(crate) fn drop_crowd(&mut self, id: u32) {
        if self.crowd == id {
            self.queues.iter_mut().for_each(Vec::clear);
            (self.crowd, self.phase) = (NONE, Phase::Idle);
        }
    }

    /// Takes note that a member of a crowd has left its seat, which the last one has now.
    pub(crate) fn left_seat(&mut self, id: u32, seat: u32) {
        if self.crowd == id && self.phase == Phase::Seats {
            self.next = self.next.min(seat);
        }
    }

    /// Goes on as far as the budget goes. Returns `true` if all is done.
    pub(crate) fn go_on(
        &mut self,
        crowd: &mut Crowd,
        grid: &Grid,
        units: &mut [Unit],
        meter: &mut Meter,
    ) -> bool {
        while self.phase != Phase::Idle {
            if self.debt > 0 {
                self.debt -= meter.charge_up_to(WorkKind::Compare, self.debt);
                if self.debt > 0 {
                    return false;
                }
            }
            self.step(crowd, grid, units);
        }
        true
    }

    fn step(&mut self, crowd: &mut Crowd, grid: &Grid, units: &mut [Unit]) {
        match self.phase {
            Phase::Idle => {}
            Phase::Spread | Phase::Join | Phase::Tolls => self.survey(crowd, grid),
            Phase::Seats => self.seat(crowd, units),
            Phase::Seeds | Phase::Joined | Phase::Gaps => {
                let is_done = self.search(crowd.draft.as_deref_mut().unwrap_or(&mut crowd.ground));
                if is_done {
                    self.publish(crowd);
                }
            }
        }
    }

    /// Goes on to make the ground: all cells around the middle, as far out as there are slots, and some more.
    fn survey(&mut self, crowd: &mut Crowd, grid: &Grid) {
        let most = crowd.most_spots();
        let Some(draft) = &mut crowd.draft else { return self.drop_crowd(self.crowd) };
        let mut price = 0;
        for _ in 0..STEP {
            let (k, all) = (self.next as usize, draft.spots.len());
            match self.phase {
                Phase::Spread if k < all && all < most => draft.spread(grid, k),
                Phase::Spread => {
                    self.phase = Phase::Join;
                    continue;
                }
                Phase::Join if k < all => draft.join(grid, k),
                Phase::Join => {
                    (self.phase, self.next) = (Phase::Tolls, 0);
                    continue;
                }
                _ if k < all => draft.set_toll(grid, k),
                _ => {
                    (self.phase, self.next) = (Phase::Seats, 0);
                    break;
                }
            }
            price += if self.phase == Phase::Tolls { PRICE_OF_TOLL } else { PRICE_OF_CELL };
            self.next += 1;
        }
        self.debt += price;
    }

    /// Lets members take their places on the ground.
    fn seat(&mut self, crowd: &mut Crowd, units: &mut [Unit]) {
        let first = (self.next as usize).min(crowd.members.len());
        let end = crowd.members.len().min(first + STEP);
        for seat in first..end {
            let number = crowd.members[seat];
            let unit = &mut units[number as usize];
            let is_on = crowd.draft.as_ref().is_some_and(|draft| draft.spot(unit.goal).is_some());
            let is_there = unit.status == UnitStatus::Arrived && unit.at == unit.goal;
            crowd.settled -= usize::from(unit.is_settled);
            unit.is_settled = is_there && is_on;
            crowd.settled += usize::from(unit.is_settled);
            crowd.own(number, unit);
            crowd.enter(number, unit.at);
            self.is_outside |= !is_on;
        }
        self.next = end as u32;
        self.debt += (end - first) as u64;
        if end == crowd.members.len() {
            self.begin_search();
        }
    }

    fn begin_search(&mut self) {
        self.queues.iter_mut().for_each(Vec::clear);
        (self.phase, self.next, self.gap) = (Phase::Seeds, 0, 0);
    }

    /// Goes on to search how far it is from every spot to the slots that are left. Returns `true` if that is known.
    fn search(&mut self, ground: &mut Ground) -> bool {
        match self.phase {
            Phase::Seeds => {
                if self.next == 0 {
                    self.is_compact = ground.are_slots_together();
                    self.debt += (ground.spots.len() / SPOTS_PER_COMPARE) as u64;
                }
                let end = ground.spots.len().min(self.next as usize + STEP);
                for k in self.next as usize..end {
                    let slope = self.slope();
                    let spot = &mut ground.spots[k];
                    (spot.next_gap, spot.is_next_joined) = (FAR, spot.is_left());
                    if spot.is_next_joined {
                        spot.next_gap = spot.drawback(slope);
                        self.queues[1].push(k as u32);
                    }
                }
                self.debt += (STEP / SPOTS_PER_COMPARE) as u64;
                self.next = end as u32;
                if end == ground.spots.len() {
                    self.phase = Phase::Joined;
                }
                false
            }
            Phase::Joined => {
                for _ in 0..STEP {
                    let Some(k) = self.queues[1].pop() else {
                        (self.phase, self.next) = (Phase::Gaps, 0);
                        break;
                    };
                    for there in ground.spots[k as usize].near {
                        if let Some(spot) = ground.spots.get_mut(there as usize)
                            && spot.is_slot()
                            && !core::mem::replace(&mut spot.is_next_joined, true)
                        {
                            self.queues[1].push(there);
                        }
                    }
                }
                self.debt += (STEP / SPOTS_PER_COMPARE) as u64;
                false
            }
            _ => {
                self.debt += (STEP / 2) as u64;
                (0..STEP).any(|_| self.next_spot(ground))
            }
        }
    }

    /// What each move from the middle counts.
    fn slope(&self) -> u16 {
        if self.is_compact { SLOPE } else { 0 }
    }

    /// Passes the spot that is nearest to a slot that is left. Returns `true` if there is none any more.
    fn next_spot(&mut self, ground: &mut Ground) -> bool {
        let (slope, gap) = (self.slope(), self.gap);
        // Spots lie in the order of their depths, so slots that are left come in when it is their turn.
        if let Some(spot) = ground.spots.get(self.next as usize).filter(|spot| spot.drawback(slope) <= gap) {
            if spot.next_gap == spot.drawback(slope) {
                self.queues[gap as usize % (DEAREST + 1)].push(self.next);
            }
            self.next += 1;
            return false;
        }
        let Some(k) = self.queues[gap as usize % (DEAREST + 1)].pop() else {
            if !self.queues.iter().all(Vec::is_empty) {
                self.gap += 1;
            } else if let Some(spot) = ground.spots.get(self.next as usize) {
                self.gap = spot.drawback(slope);
            } else {
                return true;
            }
            return false;
        };
        let spot = &ground.spots[k as usize];
        if spot.next_gap != gap || gap >= FAR - 1 - DEAREST as u16 {
            return false;
        }
        // The toll is that of the spot that the way leads on to.
        let farther = gap + u16::from(spot.toll);
        for there in spot.near {
            if let Some(spot) = ground.spots.get_mut(there as usize)
                && farther < spot.next_gap
            {
                spot.next_gap = farther;
                self.queues[farther as usize % (DEAREST + 1)].push(there);
            }
        }
        false
    }

    /// Lets members use what was found.
    fn publish(&mut self, crowd: &mut Crowd) {
        if let Some(draft) = crowd.draft.take() {
            crowd.ground = *draft;
            // Where slots lie apart, the ground is made once more, with more cells.
            crowd.is_void |= self.is_outside && !crowd.lies_apart;
            crowd.lies_apart = self.is_outside;
        }
        crowd.ground.is_compact = self.is_compact;
        for spot in &mut crowd.ground.spots {
            (spot.gap, spot.is_joined) = (spot.next_gap, spot.is_next_joined);
        }
        self.debt += (crowd.ground.spots.len() / SPOTS_PER_COMPARE) as u64;
        (self.crowd, self.phase) = (NONE, Phase::Idle);
    }
}
