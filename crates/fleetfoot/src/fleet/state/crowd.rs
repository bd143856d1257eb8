//! One crowd: its ground around the middle, which of that are slots, who has settled, and how far it is to what is left.

use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::state::unit::Unit;
use crate::graph::{Graph, Grid, Neighborhood};
use crate::id::NodeId;

/// No way leads there, as far as is known.
pub(crate) const FAR: u16 = u16::MAX;
/// Cells around the slots that belong to a crowd's ground at least; half as many as there are slots beside that.
const MARGIN: usize = 64;
/// Cells that are searched for slots that lie apart, beside four for each unit.
const MOST_APART: usize = 1024;
/// What it takes to enter a cell beside a wall, where others take one.
pub(crate) const DEAREST: usize = 3;
/// What a slot lacks for each move that it lies from the middle: more than a move takes anywhere, so that units go on as long as they can.
const SLOPE: u16 = DEAREST as u16 + 1;
/// So many of the eight directions are straight, and they come first.
pub(crate) const STRAIGHT: usize = 4;

/// A cell in or around a crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) cell: NodeId,
    /// By direction: the places of the spots next to it; [`NONE`] where no move leads to one.
    pub(crate) near: [u32; 8],
    /// Whose goal it is; [`NONE`] if it is no slot.
    pub(crate) owner: u32,
    /// Moves to the middle.
    pub(crate) depth: u16,
    /// How far it is to a slot on which nobody has settled, as of the last search: to the nearest one. Of a compact crowd to the best one,
    /// with what that lacks to be as good as the middle.
    pub(crate) gap: u16,
    /// What it takes to enter it: more beside walls, so that ways that all would go leave room for others on both sides.
    pub(crate) toll: u8,
    /// Whether its owner has settled there.
    pub(crate) is_settled: bool,
    /// Whether slots alone lead from it to one that is left, as of the last search.
    pub(crate) is_joined: bool,
    /// The member of the crowd that is there; [`NONE`] if nobody is.
    pub(crate) who: u32,
}

impl Spot {
    pub(crate) fn new(cell: NodeId, depth: u16, gap: u16) -> Self {
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
    pub(crate) fn moves(&self) -> u8 {
        self.near.iter().rev().fold(0, |moves, &there| moves << 1 | u8::from(there != NONE))
    }

    /// What it lacks to be as good as the middle, where each move counts so much.
    #[inline]
    pub(crate) fn drawback(&self, differences: u16) -> u16 {
        self.depth.saturating_mul(differences).min(FAR - 2 - DEAREST as u16)
    }

    /// Whether it is somebody's goal.
    #[inline]
    pub(crate) fn is_slot(&self) -> bool {
        self.owner != NONE
    }

    /// Whether it is a slot on which nobody has settled.
    #[inline]
    pub(crate) fn is_left(&self) -> bool {
        self.is_slot() && !self.is_settled
    }
}

/// Units of a team, or of teams that know the same, that were sent to one place.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of the crowd, and they are independent"
)]
pub(crate) struct Crowd {
    pub(crate) team: u16,
    pub(crate) middle: NodeId,
    /// Where slots are looked for while the middle is blocked; none if that was not needed so far.
    pub(crate) entry: NodeId,
    pub(crate) members: Vec<u32>,
    /// How many of them have settled.
    pub(crate) settled: usize,
    /// The ground, nearest to the middle first.
    pub(crate) spots: Vec<Spot>,
    /// Finds spots by a hash of their cells: twice as many places as there are spots, at least.
    places: Vec<u32>,
    /// The length of the log of what the team knows of the map when the ground was made, or found to be the same.
    pub(crate) as_of: u64,
    /// Whether the ground is yet to be made, or has to be made anew.
    pub(crate) is_void: bool,
    /// Whether some slots lie so far from the middle that it takes more ground.
    pub(crate) lies_apart: bool,
    /// Whether its slots are all cells around the middle, as far out as they go, as of the last search. Where they are not, slots of
    /// other crowds lie between them.
    pub(crate) is_compact: bool,
    /// Whether others have settled than when gaps were last searched for.
    pub(crate) is_stale: bool,
    /// What has been paid for the next search, in comparisons.
    pub(crate) paid: u64,
    /// The most that had settled at one time, and when that was.
    pub(crate) most: u32,
    pub(crate) gained: u64,
    /// Whether its units insist on their goals for now.
    pub(crate) insists: bool,
}

impl Crowd {
    pub(crate) fn new(team: u16, middle: NodeId) -> Self {
        Self {
            team,
            middle,
            entry: NodeId::NONE,
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
    pub(crate) fn spot(&self, n: NodeId) -> Option<usize> {
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
    pub(crate) fn add(&mut self, spot: Spot) -> u32 {
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
    pub(crate) fn most_spots(&self) -> usize {
        let slots = self.members.len();
        if self.lies_apart { 4 * slots + MOST_APART } else { slots + slots / 2 + MARGIN }
    }

    /// The ground: all cells around the middle, as far out as there are slots, and some more. Whether all slots are on it.
    pub(crate) fn survey(&mut self, grid: &Grid, units: &[Unit]) -> bool {
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
    pub(crate) fn join_by(&mut self, grid: &Grid, k: usize, moves: u8) {
        let (cells, _) = grid.around(self.spots[k].cell);
        for (d, &n) in cells.iter().enumerate() {
            let there = if moves >> d & 1 == 1 { self.spot(n) } else { None };
            self.spots[k].near[d] = there.map_or(NONE, |k| k as u32);
        }
    }

    /// What it takes to enter each spot: most of all beside walls, and some more than elsewhere next to that.
    pub(crate) fn set_tolls(&mut self, grid: &Grid) {
        let all = if grid.rules().neighborhood == Neighborhood::Four { 4 } else { 8 };
        let is_beside_wall = |spot: &Spot| spot.near.iter().filter(|&&there| there != NONE).count() < all;
        for k in 0..self.spots.len() {
            let spot = &self.spots[k];
            let mut around = spot.near.iter().filter_map(|&there| self.spots.get(there as usize));
            self.spots[k].toll =
                if is_beside_wall(spot) { DEAREST as u8 } else { 1 + u8::from(around.any(is_beside_wall)) };
        }
    }

    /// How far it is from every spot to the slots that are left: a search with a queue for each of the next distances.
    pub(crate) fn look_for_gaps(&mut self, queues: &mut [Vec<u32>; DEAREST + 1]) {
        queues.iter_mut().for_each(Vec::clear);
        let first_other = self.spots.iter().find(|spot| !spot.is_slot()).map_or(FAR, |spot| spot.depth);
        let last_slot = self.spots.iter().rfind(|spot| spot.is_slot()).map_or(0, |spot| spot.depth);
        self.is_compact = last_slot <= first_other;
        let differences = if self.is_compact { SLOPE } else { 0 };
        for (k, spot) in self.spots.iter_mut().enumerate() {
            (spot.gap, spot.is_joined) = (FAR, spot.is_left());
            if spot.is_left() {
                spot.gap = spot.drawback(differences);
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
            while let Some(spot) = self.spots.get(next).filter(|spot| spot.drawback(differences) <= gap) {
                if spot.is_left() && spot.gap == spot.drawback(differences) {
                    queues[gap as usize % (DEAREST + 1)].push(next as u32);
                }
                next += 1;
            }
            let Some(k) = queues[gap as usize % (DEAREST + 1)].pop() else {
                if !queues.iter().all(Vec::is_empty) {
                    gap += 1;
                } else if let Some(spot) = self.spots.get(next) {
                    gap = spot.drawback(differences);
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
    pub(crate) fn goes_on(&self, k: usize) -> bool {
        let here = &self.spots[k];
        if self.is_compact {
            return here.gap < here.drawback(SLOPE);
        }
        let mut around = here.near.iter().filter_map(|&there| self.spots.get(there as usize));
        around.any(|spot| spot.is_left() && spot.depth < here.depth)
    }

    /// A member is on a cell.
    pub(crate) fn enter(&mut self, number: u32, at: NodeId) {
        if let Some(k) = self.spot(at) {
            self.spots[k].who = number;
        }
    }

    /// A member has left a cell.
    pub(crate) fn quit(&mut self, number: u32, from: NodeId) {
        if let Some(k) = self.spot(from).filter(|&k| self.spots[k].who == number) {
            self.spots[k].who = NONE;
        }
    }

    /// Notes whose slot a member's goal is, and whether it has settled there.
    pub(crate) fn own(&mut self, number: u32, unit: &Unit) {
        self.settled += usize::from(unit.is_settled);
        if let Some(k) = self.spot(unit.goal) {
            (self.spots[k].owner, self.spots[k].is_settled) = (number, unit.is_settled);
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        4 * (self.members.capacity() + self.places.capacity()) + self.spots.capacity() * size_of::<Spot>()
    }
}

#[inline]
fn hash(n: NodeId) -> usize {
    (n.raw().wrapping_mul(0x9e37_79b9) >> 8) as usize
}
