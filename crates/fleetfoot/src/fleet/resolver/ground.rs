//! The ground that units move on, as the step of one tick sees it: cells, who may go where, and what a cell is worth to a
//! unit. The whole map is one ground, a patch around a stuck group is another.

use crate::fleet::cell_set::{CellSet, NONE};
use crate::fleet::resolver::candidates::Candidates;
use crate::graph::mix;
use crate::id::NodeId;

/// A cell's neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    cells: [u32; 8],
    len: u8,
}

impl Around {
    pub(crate) const EMPTY: Self = Self { cells: [NONE; 8], len: 0 };

    #[inline]
    pub(crate) fn push(&mut self, cell: u32) {
        self.cells[self.len as usize & 7] = cell;
        self.len += 1;
    }

    #[inline]
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells[..self.len as usize]
    }
}

/// The place of a cell itself among those around it.
pub(crate) const OWN: usize = 8;

/// A cell and those around it, by place: by direction where the ground is the whole map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbors {
    pub(crate) cells: [NodeId; 9],
    /// A bit for each that a unit on the cell may go to, and for the cell itself.
    pub(crate) open: u32,
    /// A bit for each next to it that somebody stands on, open or not.
    pub(crate) busy: u32,
}

impl Neighbors {
    #[inline]
    pub(crate) fn new(at: u32) -> Self {
        Self { cells: [NodeId::new(at); 9], open: 1 << OWN, busy: 0 }
    }

    #[inline]
    pub(crate) fn at(&self) -> u32 {
        self.cells[OWN].raw()
    }

    /// A cell next to this one, and whether somebody stands there.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, cell: u32, is_taken: bool) {
        self.cells[place] = NodeId::new(cell);
        self.open |= 1 << place;
        self.busy |= u32::from(is_taken) << place;
    }

    /// The places that a unit may go to.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        bits(self.open)
    }
}

/// The units on cells.
#[derive(Clone, Copy)]
pub(crate) struct Occupancy<'a> {
    pub(crate) now_on: &'a [u32],
    pub(crate) taken: &'a CellSet,
}

impl Occupancy<'_> {
    /// The unit on a cell, or [`NONE`].
    #[inline]
    pub(crate) fn on(self, cell: u32) -> u32 {
        if self.taken.has(cell) { self.now_on[cell as usize] } else { NONE }
    }
}

/// The numbers of the bits that are set.
#[inline]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let k = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        k
    })
}

/// Where a unit would go first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    pub(crate) place: usize,
    pub(crate) value: u32,
    /// Whether it may as well stay.
    pub(crate) may_stay: bool,
}

/// What one step of the units asks.
pub(crate) trait Ground {
    /// The cells next to this one.
    fn around(&self, cell: u32) -> Around;

    /// How many cells are next to this one.
    fn degree(&self, cell: u32) -> usize {
        self.around(cell).cells().len()
    }

    /// What a cell is worth to a unit; 0 at its goal alone.
    fn value(&mut self, unit: u32, cell: u32) -> u32;

    /// Whether that is 0.
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        self.value(unit, cell) == 0
    }

    /// Whether two units fill the same place, and need not pass each other.
    fn share_crowd(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Whether a cell has so many ways out that two can always pass each other there.
    fn is_wide(&self, _cell: u32) -> bool {
        false
    }

    /// A cell and those around it. Somebody stands on those that are `taken`.
    fn near(&self, at: u32, taken: &CellSet) -> Neighbors;

    /// The places around a unit, its own included, that are in a set of cells: a bit for each.
    #[inline]
    fn which(&self, set: &CellSet, near: &Neighbors) -> u32 {
        near.places().fold(0, |which, k| which | u32::from(set.has(near.cells[k].raw())) << k)
    }

    /// Whether two units that meet at a move need no swap: it is part of a short ring, so that one pushes the other
    /// round, and neither wants to stay where that would bring it to.
    fn is_ring_move(&mut self, _units: (u32, u32), _from: u32, _to: u32) -> bool {
        false
    }

    /// Where a unit would go first: the head of its ranking, which most units need no more of. Nothing if only the whole
    /// ranking tells.
    fn first(&mut self, unit: u32, near: &Neighbors, who: Occupancy<'_>) -> Option<First>;

    /// Where a unit may go. Places with a bit in `closed` are left out. The best one of all is worth `least`, if that is known.
    fn rank(
        &mut self,
        unit: u32,
        near: &Neighbors,
        closed: u32,
        least: Option<u32>,
        who: Occupancy<'_>,
    ) -> Candidates;

    /// What one of the cells around a unit is worth to it, by its place.
    fn value_near(&mut self, unit: u32, near: &Neighbors, place: usize) -> u32;

    /// The two other cells of the square that a diagonal move crosses.
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)>;

    /// The same for a move to one of the cells around a unit, if others may cross it.
    #[inline]
    fn between(&self, near: &Neighbors, place: usize) -> Option<(u32, u32)> {
        self.crossed(near.at(), near.cells[place].raw())
    }
}

/// Breaks ties between cells of equal value, below 2^28: the same on every platform, different every tick.
pub fn tie(seed: u64, tick: u64, unit: u32, cell: u32) -> u32 {
    tie_by(salt(seed, tick, unit), NodeId::new(cell))
}

#[inline]
pub(crate) fn tie_by(salt: u64, cell: NodeId) -> u32 {
    (mix(salt ^ u64::from(cell.raw())) >> 36) as u32
}

/// The part of a tie's hash that does not depend on the cell.
#[inline]
pub(crate) fn salt(seed: u64, tick: u64, unit: u32) -> u64 {
    mix(seed ^ (tick << 32) ^ u64::from(unit)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}
