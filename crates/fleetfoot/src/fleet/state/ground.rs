//! The ground of a crowd: cells around its middle, found by a hash, with what is known of each.

use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::graph::Graph;
use crate::grid::{Grid, Neighborhood};
use crate::id::NodeId;

/// No path is known.
pub(crate) const FAR: u16 = u16::MAX;
/// The cost of entering a cell beside a wall; other cells cost one.
pub(crate) const DEAREST: usize = 3;
/// How much worse a slot is for each move that it lies from the middle. More than any move costs, so that units go on as long as they can.
pub(crate) const SLOPE: u16 = DEAREST as u16 + 1;
/// The number of straight directions among the eight; they come first.
pub(crate) const STRAIGHT: usize = 4;

/// A cell in or around a crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) cell: NodeId,
    /// By direction: the places of the spots next to it; [`NONE`] where no move leads to one.
    pub(crate) near: [u32; 8],
    /// The unit whose goal it is; [`NONE`] if it is no slot.
    pub(crate) owner: u32,
    /// Moves to the middle.
    pub(crate) depth: u16,
    /// The distance to the nearest open slot, as of the last search. In a compact crowd: the distance to the best open slot, plus that
    /// slot's drawback.
    pub(crate) gap: u16,
    /// The cost of entering it: higher beside walls, so that routes which many take leave room on both sides.
    pub(crate) toll: u8,
    /// Whether its owner has settled there.
    pub(crate) is_settled: bool,
    /// Whether a path over slots alone leads from it to an open one, as of the last search.
    pub(crate) is_joined: bool,
    /// `gap` and `is_joined` of the search in progress.
    pub(crate) next_gap: u16,
    pub(crate) is_next_joined: bool,
    /// The member of the crowd on this cell; [`NONE`] if it is empty.
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
            next_gap: FAR,
            is_next_joined: false,
            who: NONE,
        }
    }

    /// The directions in which moves lead to other spots.
    pub(crate) fn moves(&self) -> u8 {
        self.near.iter().rev().fold(0, |moves, &there| moves << 1 | u8::from(there != NONE))
    }

    /// Returns how much worse it is than the middle, with this cost per move.
    #[inline]
    pub(crate) fn drawback(&self, differences: u16) -> u16 {
        self.depth.saturating_mul(differences).min(FAR - 2 - DEAREST as u16)
    }

    /// Whether it is the goal of a unit.
    #[inline]
    pub(crate) fn is_slot(&self) -> bool {
        self.owner != NONE
    }

    /// Whether it is an open slot: one on which no unit has settled.
    #[inline]
    pub(crate) fn is_left(&self) -> bool {
        self.is_slot() && !self.is_settled
    }
}

/// Cells with what is known of each. The nearest to the middle come first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    pub(crate) spots: Vec<Spot>,
    /// Finds spots by a hash of their cells: twice as many places as there are spots, at least.
    places: Vec<u32>,
    /// Whether its slots are all cells around the middle, as far out as they go, as of the last search. Where they are not, slots of
    /// other crowds lie between them.
    pub(crate) is_compact: bool,
}

impl Ground {
    /// Returns the index of a cell among the spots.
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

    /// Adds a spot that is not there yet.
    pub(crate) fn add(&mut self, spot: Spot) {
        if self.places.len() <= 2 * self.spots.len() {
            let room = (4 * self.spots.len()).next_power_of_two().max(64);
            self.places.clear();
            self.places.resize(room, NONE);
            for k in 0..self.spots.len() {
                self.note(k as u32);
            }
        }
        self.spots.push(spot);
        self.note(self.spots.len() as u32 - 1);
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

    /// Adds the cells around a spot that are not there yet, and notes which spots lie next to it.
    pub(crate) fn spread(&mut self, grid: &Grid, k: usize) {
        let (n, depth) = (self.spots[k].cell, self.spots[k].depth);
        for edge in grid.succs(n) {
            if self.spot(edge.to).is_none() {
                self.add(Spot::new(edge.to, depth.saturating_add(1).min(FAR - 1), FAR));
            }
        }
        self.join(grid, k);
    }

    /// Notes which spots lie next to one.
    pub(crate) fn join(&mut self, grid: &Grid, k: usize) {
        let (_, moves) = grid.around(self.spots[k].cell);
        self.join_by(grid, k, moves);
    }

    /// Does that for the moves in these directions: the map may have changed since the ground was made.
    pub(crate) fn join_by(&mut self, grid: &Grid, k: usize, moves: u8) {
        let (cells, _) = grid.around(self.spots[k].cell);
        for (d, &n) in cells.iter().enumerate() {
            let there = if moves >> d & 1 == 1 { self.spot(n) } else { None };
            self.spots[k].near[d] = there.map_or(NONE, |k| k as u32);
        }
    }

    /// Sets what it takes to enter a spot: most of all beside walls, and some more than elsewhere next to that.
    pub(crate) fn set_toll(&mut self, grid: &Grid, k: usize) {
        let all = if grid.rules().neighborhood == Neighborhood::Four { 4 } else { 8 };
        let is_beside_wall = |spot: &Spot| spot.near.iter().filter(|&&there| there != NONE).count() < all;
        let spot = &self.spots[k];
        let mut around = spot.near.iter().filter_map(|&there| self.spots.get(there as usize));
        self.spots[k].toll =
            if is_beside_wall(spot) { DEAREST as u8 } else { 1 + u8::from(around.any(is_beside_wall)) };
    }

    /// Returns `true` if the slots are all cells around the middle, as far out as they go.
    pub(crate) fn are_slots_together(&self) -> bool {
        let first_other = self.spots.iter().find(|spot| !spot.is_slot()).map_or(FAR, |spot| spot.depth);
        let last_slot = self.spots.iter().rfind(|spot| spot.is_slot()).map_or(0, |spot| spot.depth);
        last_slot <= first_other
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        4 * self.places.capacity() + self.spots.capacity() * size_of::<Spot>()
    }
}

#[inline]
fn hash(n: NodeId) -> usize {
    (n.raw().wrapping_mul(0x9e37_79b9) >> 8) as usize
}
