//! The ground that units move on, as the step of one tick sees it: cells, who may go where, and what a cell is worth to a
//! unit. The whole map is one ground ([`MapGround`]); a stuck group's patch of it is another
//! ([`Patch`](super::search::Patch)).

use super::Wishes;
use super::clusters::Clusters;
use super::lanes::Lanes;
use super::penalties::Learned;
use super::resolve::Unit;
use super::rings::is_on_ring;
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

    /// Takes a cell away, if it is among them.
    pub(super) fn remove_cell(&mut self, cell: u32) {
        if let Some(k) = self.cells[..self.len as usize].iter().position(|&c| c == cell) {
            self.remove(k);
        }
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

/// Where a unit would go first.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    pub(super) cell: u32,
    pub(super) value: u32,
    /// Whether nobody stands on a cell next to it.
    pub(super) is_alone: bool,
}

/// What one step of the units asks.
pub(super) trait Ground {
    /// The cells next to this one.
    fn around(&self, cell: u32) -> Around;

    /// What a cell is worth to a unit; 0 at its goal alone.
    fn value(&mut self, unit: u32, cell: u32) -> u32;

    /// Whether that is 0.
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        self.value(unit, cell) == 0
    }

    /// Whether a unit takes over the goal of another one rather than push it away.
    fn trades(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Whether a cell has so many ways out that two can always pass each other there.
    fn is_wide(&self, _cell: u32) -> bool {
        false
    }

    /// Whether two units that meet at a move need no swap: it is part of a short ring, so that one pushes the other
    /// round, and neither wants to stay where that would bring it to.
    fn goes_round(&self, _units: (u32, u32), _from: u32, _to: u32) -> bool {
        false
    }

    /// Where a unit would go first: the head of its ranking, which most units need no more of. Nothing if only the whole
    /// ranking tells.
    fn first(&mut self, unit: u32, at: u32, now_on: &[u32]) -> Option<First>;

    /// Where a unit may go, best first.
    fn rank(&mut self, unit: u32, at: u32, now_on: &[u32]) -> Candidates;

    /// The two other cells of the square that a diagonal move crosses.
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)>;
}

/// Breaks ties between cells of equal value, below 2^28: the same on every platform, different every tick.
pub fn tie(seed: u64, tick: u64, unit: u32, cell: u32) -> u32 {
    tie_by(salt(seed, tick, unit), NodeId::new(cell))
}

#[inline]
fn tie_by(salt: u64, cell: NodeId) -> u32 {
    (mix(salt ^ u64::from(cell.raw())) >> 36) as u32
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
    pub(super) units: &'a [Unit],
    /// By unit: what it has learned of cells that bring it no nearer.
    pub(super) learned: &'a [Learned],
    /// Whether the swap rule keeps off rings.
    pub(super) rings: bool,
    /// Whether ties are broken by who would be hindered.
    pub(super) hindrance: bool,
}

impl<W: Wishes> MapGround<'_, W> {
    #[inline]
    fn is_calm(&self, unit: u32) -> bool {
        self.clusters.is_some_and(|clusters| clusters.is_calm(unit, self.tick))
    }

    /// A cell, and those next to it that a unit may enter; how many they are.
    #[inline]
    fn choices(&self, at: u32) -> ([NodeId; 9], usize) {
        let mut cells = [NodeId::new(at); 9];
        let mut len = 1;
        for edge in self.grid.succs(NodeId::new(at)) {
            if self.clusters.is_none_or(|clusters| !clusters.held[edge.to.index()]) {
                cells[len] = edge.to;
                len += 1;
            }
        }
        (cells, len)
    }

    /// The first of the cells with a bit in `tied`, whose values are equal as far as is known; nothing if all of them are
    /// worth less in truth.
    #[inline]
    fn first_of(
        &mut self,
        unit: u32,
        (cells, values): (&[NodeId; 9], &mut [Cost; 9]),
        mut tied: u32,
        is_true: &mut u32,
        salt: u64,
        now_on: &[u32],
    ) -> Option<u32> {
        let mut first = None;
        while tied != 0 {
            let mut k = tied.trailing_zeros() as usize & 15;
            let is_only = tied.is_power_of_two() && first.is_none();
            let (mut rest, mut tie) = (if is_only { 0 } else { tied }, u32::MAX);
            while rest != 0 {
                let other = rest.trailing_zeros() as usize & 15;
                let its = tie_by(salt, cells[other]);
                if its < tie {
                    (k, tie) = (other, its);
                }
                rest &= rest - 1;
            }
            tied &= !(1 << k);
            let (cell, value) = (cells[k], values[k]);
            if *is_true >> k & 1 == 0 {
                *is_true |= 1 << k;
                values[k] = self.wishes.value(unit, cell);
                if values[k] != value {
                    continue;
                }
            }
            if is_only {
                return Some(cell.raw());
            }
            let hindered = if self.hindrance { self.hindered(unit, cell, now_on) } else { 0 };
            if hindered == 0 {
                return Some(cell.raw());
            }
            let key = (hindered, tie);
            if first.is_none_or(|(least, _)| key < least) {
                first = Some((key, cell.raw()));
            }
        }
        first.map(|(_, cell)| cell)
    }

    /// Raises the values of cells that have brought a unit no nearer.
    #[inline]
    fn add_learned(&self, unit: u32, cells: &[NodeId], values: &mut [Cost]) {
        let learned = &self.learned[unit as usize];
        if !learned.is_empty() {
            for (value, cell) in values.iter_mut().zip(cells) {
                *value = *value + Cost::new(learned.of(cell.raw()));
            }
        }
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
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        !self.is_calm(unit) && self.wishes.is_home(unit, NodeId::new(cell))
    }

    #[inline]
    fn trades(&mut self, unit: u32, other: u32) -> bool {
        self.wishes.trades(unit, other)
    }

    #[inline]
    fn is_wide(&self, cell: u32) -> bool {
        // With five moves one is diagonal. Where corners are not cut it leads to a cell with three ways out at least, and so
        // do the straight moves beside it: three that are no pockets.
        !self.grid.rules().cut_corners && self.grid.degree_of(NodeId::new(cell)) >= 5
    }

    fn goes_round(&self, (one, other): (u32, u32), from: u32, to: u32) -> bool {
        let was_home = |unit: u32| self.units[unit as usize].best == 0;
        self.rings
            && !was_home(one)
            && !was_home(other)
            && is_on_ring(self.grid, self.grid.xy(NodeId::new(from)), self.grid.xy(NodeId::new(to)))
    }

    #[inline]
    fn first(&mut self, unit: u32, at: u32, now_on: &[u32]) -> Option<First> {
        if self.is_calm(unit) || !self.learned[unit as usize].is_empty() {
            return None;
        }
        let (cells, len) = self.choices(at);
        let mut values = [Cost::INF; 9];
        let all_true = self.wishes.at_least(unit, &cells[..len], &mut values[..len]);
        let mut is_true: u32 = if all_true { u32::MAX } else { 0 };
        let salt = salt(self.seed, self.tick, unit);
        // Values are found out one by one, as far as they may be the least.
        let (cell, value) = loop {
            let least = values[..len].iter().min().copied()?;
            let mut tied = 0_u32;
            values[..len].iter().enumerate().for_each(|(k, &value)| tied |= u32::from(value == least) << k);
            if let Some(cell) = self.first_of(unit, (&cells, &mut values), tied, &mut is_true, salt, now_on) {
                break (cell, least);
            }
        };
        if let Some(lanes) = &mut self.lanes
            && !lanes.is_far(cell)
        {
            return None;
        }
        // Who stands on ground that is held may cross its way, too.
        let is_all = len as u32 == 1 + self.grid.degree_of(NodeId::new(at));
        let is_alone = is_all && cells[1..len].iter().all(|n| now_on[n.index()] == NONE);
        Some(First { cell, value: value.raw(), is_alone })
    }

    #[inline]
    fn rank(&mut self, unit: u32, at: u32, now_on: &[u32]) -> Candidates {
        let (cells, len) = self.choices(at);
        let mut values = [Cost::INF; 9];
        let is_calm = self.is_calm(unit);
        if !is_calm {
            self.wishes.values(unit, &cells[..len], &mut values[..len]);
            self.add_learned(unit, &cells[..len], &mut values[..len]);
        }
        let salt = salt(self.seed, self.tick, unit);
        let mut ranked = Candidates::EMPTY;
        let best = values[..len].iter().min().copied();
        let is_tied =
            self.hindrance && !is_calm && values[..len].iter().filter(|&&v| Some(v) == best).count() > 1;
        for (&cell, value) in cells[..len].iter().zip(values) {
            let hindered = if is_tied && Some(value) == best { self.hindered(unit, cell, now_on) } else { 0 };
            ranked.insert(cell.raw(), value.raw(), hindered << 28 | tie_by(salt, cell));
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
