//! The ground that units move on, as the step of one tick sees it: cells, who may go where, and what a cell is worth to a
//! unit. The whole map is one ground ([`MapGround`]); a stuck group's patch of it is another
//! ([`Patch`](super::search::Patch)).

use super::Wishes;
use super::clusters::Clusters;
use super::lanes::Lanes;
use crate::graph::{Graph, Grid, Neighbours, mix};
use crate::id::{Cost, NodeId};

/// No cell, no unit.
pub(super) const NONE: u32 = u32::MAX;

/// A cell's neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    cells: [u32; 8],
    len: u8,
}

impl Around {
    pub(super) const EMPTY: Self = Self { cells: [NONE; 8], len: 0 };

    #[inline]
    pub(super) fn push(&mut self, cell: u32) {
        self.cells[self.len as usize & 7] = cell;
        self.len += 1;
    }

    #[inline]
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells[..self.len as usize]
    }
}

/// Where a unit may go next, its own cell included, best first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    cells: [u32; 9],
    /// Value and tie of each.
    keys: [u64; 9],
    len: u8,
}

impl Candidates {
    pub(super) const EMPTY: Self = Self { cells: [NONE; 9], keys: [0; 9], len: 0 };

    /// Puts a cell where it belongs.
    #[inline]
    pub(super) fn insert(&mut self, cell: u32, value: u32, tie: u32) {
        let key = u64::from(value) << 32 | u64::from(tie);
        let mut k = self.len as usize;
        while k > 0 && self.keys[k - 1] > key {
            (self.cells[k], self.keys[k]) = (self.cells[k - 1], self.keys[k - 1]);
            k -= 1;
        }
        (self.cells[k], self.keys[k]) = (cell, key);
        self.len += 1;
    }

    /// Takes the k-th away.
    pub(super) fn remove(&mut self, k: usize) {
        let len = self.len as usize;
        self.cells.copy_within(k + 1..len, k);
        self.keys.copy_within(k + 1..len, k);
        self.len -= 1;
    }

    /// Puts a cell behind all others.
    pub(super) fn last(&mut self, cell: u32) {
        let len = self.len as usize;
        if let Some(k) = self.cells[..len].iter().position(|&c| c == cell) {
            self.cells[k..len].rotate_left(1);
            self.keys[k..len].rotate_left(1);
        }
    }

    /// The swap rule: worst first.
    pub(super) fn reverse(&mut self) {
        self.cells[..self.len as usize].reverse();
        self.keys[..self.len as usize].reverse();
    }

    #[inline]
    pub(super) fn get(&self, k: usize) -> Option<(u32, u32)> {
        (k < self.len as usize).then(|| (self.cells[k], (self.keys[k] >> 32) as u32))
    }
}

/// What one step of the units asks.
pub(super) trait Ground {
    /// The cells next to this one.
    fn around(&self, cell: u32) -> Around;

    /// What a cell is worth to a unit; 0 at its goal alone.
    fn value(&mut self, unit: u32, cell: u32) -> u32;

    /// Where a unit may go, best first.
    fn rank(&mut self, unit: u32, at: u32, now_on: &[u32]) -> Candidates;

    /// The two other cells of the square that a diagonal move crosses.
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)>;
}

/// Breaks ties between cells of equal value, below 2^28: the same on every platform, different every tick.
pub fn tie(seed: u64, tick: u64, unit: u32, cell: u32) -> u32 {
    (mix(salt(seed, tick, unit) ^ u64::from(cell)) >> 36) as u32
}

/// The part of a tie's hash that does not depend on the cell.
#[inline]
fn salt(seed: u64, tick: u64, unit: u32) -> u64 {
    mix(seed ^ (tick << 32) ^ u64::from(unit)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The whole map.
pub(super) struct MapGround<'a, W> {
    pub(super) grid: &'a Grid,
    pub(super) wishes: &'a mut W,
    pub(super) seed: u64,
    pub(super) tick: u64,
    /// Groups that are led: nobody else enters their ground.
    pub(super) clusters: Option<&'a Clusters>,
    pub(super) lanes: Option<&'a mut Lanes>,
    /// Whether diagonal moves may cross each other.
    pub(super) may_cross: bool,
    /// Whether ties are broken by who would be hindered.
    pub(super) hindrance: bool,
}

impl<W: Wishes> MapGround<'_, W> {
    #[inline]
    fn is_calm(&self, unit: u32) -> bool {
        self.clusters.is_some_and(|clusters| clusters.is_calm(unit, self.tick))
    }

    /// How many others want to this cell next, and would be in this unit's way there.
    fn hindered(&mut self, unit: u32, cell: NodeId, now_on: &[u32]) -> u32 {
        let mut count = 0;
        for edge in self.grid.succs(cell) {
            let who = now_on[edge.to.index()];
            if who != NONE && who != unit {
                count += u32::from(self.wishes.value(who, cell) < self.wishes.value(who, edge.to));
            }
        }
        count
    }
}

impl<W: Wishes> Ground for MapGround<'_, W> {
    #[inline]
    fn around(&self, cell: u32) -> Around {
        let mut around = Around::EMPTY;
        self.grid.succs(NodeId::new(cell)).for_each(|edge| around.push(edge.to.raw()));
        around
    }

    #[inline]
    fn value(&mut self, unit: u32, cell: u32) -> u32 {
        if self.is_calm(unit) { NONE } else { self.wishes.value(unit, NodeId::new(cell)).raw() }
    }

    #[inline]
    fn rank(&mut self, unit: u32, at: u32, now_on: &[u32]) -> Candidates {
        let (mut cells, mut values) = ([NodeId::new(at); 9], [Cost::INF; 9]);
        let mut len = 1;
        for edge in self.grid.succs(NodeId::new(at)) {
            if self.clusters.is_none_or(|clusters| !clusters.held[edge.to.index()]) {
                cells[len] = edge.to;
                len += 1;
            }
        }
        let is_calm = self.is_calm(unit);
        if !is_calm {
            self.wishes.values(unit, &cells[..len], &mut values[..len]);
        }
        let salt = salt(self.seed, self.tick, unit);
        let mut ranked = Candidates::EMPTY;
        let best = values[..len].iter().min().copied();
        let is_tied =
            self.hindrance && !is_calm && values[..len].iter().filter(|&&v| Some(v) == best).count() > 1;
        for (&cell, value) in cells[..len].iter().zip(values) {
            let hindered = if is_tied && Some(value) == best { self.hindered(unit, cell, now_on) } else { 0 };
            let tie = (mix(salt ^ u64::from(cell.raw())) >> 36) as u32;
            ranked.insert(cell.raw(), value.raw(), hindered << 28 | tie);
        }
        if let Some(lanes) = &mut self.lanes {
            let wishes = &mut *self.wishes;
            lanes.gate(unit, at, &mut ranked, self.grid, |cell| wishes.value(unit, NodeId::new(cell)).raw());
        }
        ranked
    }

    #[inline]
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        if self.may_cross || self.grid.rules().neighbours == Neighbours::Four {
            return None;
        }
        let ((ax, ay), (bx, by)) = (self.grid.xy(NodeId::new(from)), self.grid.xy(NodeId::new(to)));
        if ax == bx || ay == by {
            return None;
        }
        let cell = |x, y| self.grid.node(x, y).map_or(NONE, NodeId::raw);
        Some((cell(ax, by), cell(bx, ay)))
    }
}
