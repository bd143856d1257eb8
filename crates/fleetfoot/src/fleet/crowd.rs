//! One crowd: its ground around the middle, which of that are slots, who has settled, and how far it is to what is left.

use alloc::vec::Vec;

use super::ground::{NONE, OWN};
use super::units::Unit;
use crate::graph::{Graph, Grid, Neighbours};
use crate::id::{Cost, NodeId};

/// No way leads there, as far as is known.
pub(super) const FAR: u16 = u16::MAX;
/// Cells around the slots that belong to a crowd's ground at least; half as many as there are slots beside that.
const MARGIN: usize = 64;
/// Cells that are searched for slots that lie apart, beside four for each unit.
const MOST_APART: usize = 1024;
/// What it takes to enter a cell beside a wall, where others take one.
pub(super) const DEAREST: usize = 3;
/// What a slot lacks for each move that it lies from the middle: more than a move takes anywhere, so that units go on as long as they can.
const SLOPE: u16 = DEAREST as u16 + 1;
/// So many of the eight directions are straight, and they come first.
const STRAIGHT: usize = 4;

/// A cell in or around a crowd.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) cell: NodeId,
    /// By direction: the places of the spots next to it; [`NONE`] where no move leads to one.
    near: [u32; 8],
    /// Whose goal it is; [`NONE`] if it is no slot.
    pub(super) owner: u32,
    /// Moves to the middle.
    pub(super) depth: u16,
    /// How far it is to a slot on which nobody has settled, as of the last search: to the nearest one. Of a compact crowd to the best one,
    /// with what that lacks to be as good as the middle.
    pub(super) gap: u16,
    /// What it takes to enter it: more beside walls, so that ways that all would go leave room for others on both sides.
    toll: u8,
    /// Whether its owner has settled there.
    pub(super) is_settled: bool,
    /// Whether slots alone lead from it to one that is left, as of the last search.
    pub(super) is_joined: bool,
    /// Who of the crowd is there; [`NONE`] if nobody is.
    who: u32,
}

impl Spot {
    pub(super) fn new(cell: NodeId, depth: u16, gap: u16) -> Self {
        Self {
            cell,
            near: [NONE; 8],
            owner: NONE,
            depth,
            gap,
            toll: 1,
            is_settled: false,
            is_joined: false,
            who: NONE,
        }
    }

    /// The directions in which moves lead to other spots.
    pub(super) fn moves(&self) -> u8 {
        self.near.iter().rev().fold(0, |moves, &there| moves << 1 | u8::from(there != NONE))
    }

    /// What it lacks to be as good as the middle, where each move counts so much.
    #[inline]
    fn drawback(&self, slope: u16) -> u16 {
        self.depth.saturating_mul(slope).min(FAR - 2 - DEAREST as u16)
    }

    /// Whether it is somebody's goal.
    #[inline]
    pub(super) fn is_slot(&self) -> bool {
        self.owner != NONE
    }

    /// Whether it is a slot on which nobody has settled.
    #[inline]
    pub(super) fn is_left(&self) -> bool {
        self.is_slot() && !self.is_settled
    }
}

/// Units of a team that were sent to one place.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of the crowd, and they are independent"
)]
pub(super) struct Crowd {
    pub(super) team: u16,
    pub(super) middle: NodeId,
    pub(super) members: Vec<u32>,
    /// How many of them have settled.
    pub(super) settled: usize,
    /// The ground, nearest to the middle first.
    pub(super) spots: Vec<Spot>,
    /// Finds spots by a hash of their cells: twice as many places as there are spots, at least.
    places: Vec<u32>,
    /// The length of the log of what the team knows of the map when the ground was made, or found to be the same.
    pub(super) as_of: u64,
    /// Whether the ground is yet to be made, or has to be made anew.
    pub(super) is_void: bool,
    /// Whether some slots lie so far from the middle that it takes more ground.
    pub(super) lies_apart: bool,
    /// Whether its slots are all cells around the middle, as far out as they go, as of the last search. Where they are not, slots of
    /// other crowds lie between them.
    pub(super) is_compact: bool,
    /// Whether others have settled than when gaps were last searched for.
    pub(super) is_stale: bool,
    /// What has been paid for the next search, in comparisons.
    pub(super) paid: u64,
    /// The most that had settled at one time, and when that was.
    pub(super) most: u32,
    pub(super) gained: u64,
    /// Whether its units insist on their goals for now.
    pub(super) insists: bool,
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
            lies_apart: false,
            is_compact: false,
            is_stale: false,
            paid: 0,
            most: 0,
            gained: 0,
            insists: false,
        }
    }

    /// The place of a cell among the spots.
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

    /// How many cells the ground has at most.
    pub(super) fn most_spots(&self) -> usize {
        let slots = self.members.len();
        if self.lies_apart { 4 * slots + MOST_APART } else { slots + slots / 2 + MARGIN }
    }

    /// The ground: all cells around the middle, as far out as there are slots, and some more. Whether all slots are on it.
    pub(super) fn survey(&mut self, grid: &Grid, units: &[Unit]) -> bool {
        self.clear();
        let is_open = self.middle.index() < grid.bound() && grid.is_free(self.middle);
        // Where the middle has become a wall, the slots around it lie equally deep.
        let mut first: Vec<NodeId> = if is_open {
            Vec::from([self.middle])
        } else {
            self.members.iter().map(|&unit| units[unit as usize].goal).collect()
        };
        // In an order that does not depend on who came first.
        first.sort_unstable();
        for n in first {
            if n.index() < grid.bound() && self.spot(n).is_none() {
                self.add(Spot::new(n, 0, FAR));
            }
        }
        let next = self.spread(grid, self.most_spots());
        for k in next..self.spots.len() {
            self.join_spot(grid, k);
        }
        self.set_tolls(grid);
        self.members.iter().all(|&unit| self.spot(units[unit as usize].goal).is_some())
    }

    /// Adds the cells around spots until there are so many; the first spot whose neighbours may be missing.
    fn spread(&mut self, grid: &Grid, most: usize) -> usize {
        let mut k = 0;
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
    fn join_spot(&mut self, grid: &Grid, k: usize) {
        let (_, moves) = grid.around(self.spots[k].cell);
        self.join_by(grid, k, moves);
    }

    /// The same, where moves lead in these directions: the ground may have been another one when it was made.
    pub(super) fn join_by(&mut self, grid: &Grid, k: usize, moves: u8) {
        let (cells, _) = grid.around(self.spots[k].cell);
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
            self.spots[k].toll =
                if is_beside_wall(spot) { DEAREST as u8 } else { 1 + u8::from(around.any(is_beside_wall)) };
        }
    }

    /// How far it is from every spot to the slots that are left: a search with a queue for each of the next distances.
    pub(super) fn look_for_gaps(&mut self, queues: &mut [Vec<u32>; DEAREST + 1]) {
        queues.iter_mut().for_each(Vec::clear);
        let first_other = self.spots.iter().find(|spot| !spot.is_slot()).map_or(FAR, |spot| spot.depth);
        let last_slot = self.spots.iter().rfind(|spot| spot.is_slot()).map_or(0, |spot| spot.depth);
        self.is_compact = last_slot <= first_other;
        let slope = if self.is_compact { SLOPE } else { 0 };
        for (k, spot) in self.spots.iter_mut().enumerate() {
            (spot.gap, spot.is_joined) = (FAR, spot.is_left());
            if spot.is_left() {
                spot.gap = spot.drawback(slope);
                queues[1].push(k as u32);
            }
        }
        while let Some(k) = queues[1].pop() {
            for there in self.spots[k as usize].near {
                if let Some(spot) = self.spots.get_mut(there as usize)
                    && spot.is_slot()
                    && !core::mem::replace(&mut spot.is_joined, true)
                {
                    queues[1].push(there);
                }
            }
        }
        // Spots lie in the order of their depths, so slots that are left come in when it is their turn.
        let (mut gap, mut next) = (0_u16, 0);
        loop {
            while let Some(spot) = self.spots.get(next).filter(|spot| spot.drawback(slope) <= gap) {
                if spot.is_left() && spot.gap == spot.drawback(slope) {
                    queues[gap as usize % (DEAREST + 1)].push(next as u32);
                }
                next += 1;
            }
            let Some(k) = queues[gap as usize % (DEAREST + 1)].pop() else {
                if !queues.iter().all(Vec::is_empty) {
                    gap += 1;
                } else if let Some(spot) = self.spots.get(next) {
                    gap = spot.drawback(slope);
                } else {
                    break;
                }
                continue;
            };
            let spot = &self.spots[k as usize];
            if spot.gap != gap || gap >= FAR - 1 - DEAREST as u16 {
                continue;
            }
            // The toll is that of the spot that the way leads on to.
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

    /// Whether a unit on a slot could go on to one that is nearer to the middle, or will be able to.
    pub(super) fn goes_on(&self, k: usize) -> bool {
        let here = &self.spots[k];
        if self.is_compact {
            return here.gap < here.drawback(SLOPE);
        }
        let mut around = here.near.iter().filter_map(|&there| self.spots.get(there as usize));
        around.any(|spot| spot.is_left() && spot.depth < here.depth)
    }

    /// What the cells around a spot and the spot itself are worth to a unit there, where a move costs `step`. An infinite value
    /// says that nobody of the crowd can push it there.
    pub(super) fn values(&self, k: usize, is_settled: bool, step: u32) -> [Cost; 9] {
        let here = &self.spots[k];
        let far = |moves: u16| Cost::new((u32::from(moves) + 1) * step);
        let mut values = [Cost::INF; 9];
        let around = here.near.map(|there| self.spots.get(there as usize));
        for (d, (value, there)) in values.iter_mut().zip(around).enumerate() {
            let worth = match there {
                None if here.is_slot() => continue,
                None => far(here.gap) + far(1),
                // Among others' slots, who is on a slot and has not settled goes on towards the middle over those of its crowd.
                Some(there) if here.is_slot() && !is_settled && !self.is_compact => {
                    if there.is_left() {
                        far(there.depth)
                    } else {
                        continue;
                    }
                }
                Some(there) if there.is_left() => far(there.gap),
                // Those who have settled are pushed aside or back as well: the best slot left is the same for many, and
                // the next ones lie elsewhere.
                Some(there) if there.is_settled && there.gap != FAR => far(there.gap),
                // But nobody off its slot, unless nothing else helps: other crowds' slots may lie between this one's.
                Some(there) if here.is_slot() && (here.is_joined || there.gap >= here.gap) => continue,
                // Rather aside than wait, where there is room: round a corner, the best ways of all lead by the same cells.
                Some(there) => far(there.gap) + Cost::new(if there.who == NONE { 0 } else { 2 }),
            };
            // Two who are side by side in a passage must not cross each other: near walls, straight moves are rather taken.
            *value = worth + Cost::new(u32::from(here.toll > 1 && d >= STRAIGHT));
        }
        values[OWN] = match (here.is_slot(), is_settled) {
            (true, true) => Cost::ZERO,
            (true, false) if !self.is_compact => far(here.depth) + Cost::new(1),
            _ => far(here.gap) + Cost::new(1),
        };
        values
    }

    /// A member is on a cell.
    pub(super) fn enter(&mut self, number: u32, at: NodeId) {
        if let Some(k) = self.spot(at) {
            self.spots[k].who = number;
        }
    }

    /// A member has left a cell.
    pub(super) fn quit(&mut self, number: u32, from: NodeId) {
        if let Some(k) = self.spot(from).filter(|&k| self.spots[k].who == number) {
            self.spots[k].who = NONE;
        }
    }

    /// Notes whose slot a member's goal is, and whether it has settled there.
    pub(super) fn own(&mut self, number: u32, unit: &Unit) {
        self.settled += usize::from(unit.is_settled);
        if let Some(k) = self.spot(unit.goal) {
            (self.spots[k].owner, self.spots[k].is_settled) = (number, unit.is_settled);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.members.capacity() + self.places.capacity()) + self.spots.capacity() * size_of::<Spot>()
    }
}

#[inline]
fn hash(n: NodeId) -> usize {
    (n.raw().wrapping_mul(0x9e37_79b9) >> 8) as usize
}
