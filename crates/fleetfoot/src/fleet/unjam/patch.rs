//! A part of the map as ground of a joint search.

use crate::fleet::cell_set::CellSet;
use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::candidates::Candidates;
use crate::fleet::resolver::costs::NeighborCosts;
use crate::fleet::resolver::ground::{First, Ground};
use crate::fleet::resolver::neighbors::{Around, Neighbors, Occupancy, salt};
use crate::id::Cost;
use alloc::vec::Vec;

/// The distance of cells from which no moves lead to the target.
const FAR: u16 = u16::MAX;

/// A part of the map, its cells numbered from 0, and their costs for the units on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    /// By number: the cell of the map.
    pub(crate) cells: Vec<u32>,
    pub(crate) around: Vec<Around>,
    /// By number: column and row, by which crossing diagonal moves are found.
    pub(crate) places: Vec<(u32, u32)>,
    /// By unit, then by cell: the moves to the unit's target.
    pub(crate) rows: Vec<u16>,
    /// Whether diagonal moves may cross, or there are none.
    pub(crate) may_cross: bool,
    pub(crate) seed: u64,
    /// The number of joint moves so far: each breaks ties in its own way.
    pub(crate) visit: u64,
}

impl Patch {
    /// Returns what the ties depend on.
    pub(crate) fn luck(&self) -> (u64, u64) {
        (self.seed, self.visit)
    }

    pub(crate) fn set_luck(&mut self, seed: u64, visit: u64) {
        (self.seed, self.visit) = (seed, visit);
    }

    pub(crate) fn row(&self, unit: u32, cell: u32) -> u16 {
        self.rows[unit as usize * self.cells.len() + cell as usize]
    }

    /// Adds a unit with this target; without one, all cells are equal to it.
    pub(crate) fn aim(&mut self, target: Option<u32>, queue: &mut Vec<u32>) {
        let (first, fill) = (self.rows.len(), if target.is_some() { FAR } else { 0 });
        self.rows.resize(first + self.cells.len(), fill);
        let Some(target) = target else { return };
        let row = &mut self.rows[first..];
        row[target as usize] = 0;
        queue.clear();
        queue.push(target);
        let mut head = 0;
        while head < queue.len() {
            let cell = queue[head];
            head += 1;
            for &next in self.around[cell as usize].cells() {
                if row[next as usize] == FAR {
                    row[next as usize] = row[cell as usize] + 1;
                    queue.push(next);
                }
            }
        }
    }
}

impl Ground for Patch {
    #[inline]
    fn around(&self, cell: u32) -> Around {
        self.around[cell as usize]
    }

    #[inline]
    fn value(&mut self, unit: u32, cell: u32) -> u32 {
        u32::from(self.row(unit, cell))
    }

    #[inline]
    fn near(&self, at: u32, taken: &CellSet) -> Neighbors {
        let mut near = Neighbors::new(at);
        for (k, &cell) in self.around[at as usize].cells().iter().enumerate() {
            near.put(k, cell, taken.has(cell));
        }
        near
    }

    fn first(&mut self, _: u32, _: &Neighbors, _: Occupancy<'_>) -> Option<First> {
        None
    }

    #[inline]
    fn rank(
        &mut self,
        unit: u32,
        near: &Neighbors,
        closed: u32,
        _: Option<u32>,
        _: Occupancy<'_>,
    ) -> Candidates {
        let mut costs = NeighborCosts { exact: u32::MAX, ..NeighborCosts::NONE };
        for k in near.places() {
            costs.lower[k] = Cost::new(u32::from(self.row(unit, near.cells[k].raw())));
        }
        Candidates::new(near.open & !closed, &costs, salt(self.seed, self.visit, unit))
    }

    #[inline]
    fn value_near(&mut self, unit: u32, near: &Neighbors, place: usize) -> u32 {
        self.value(unit, near.cells[place].raw())
    }

    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let ((ax, ay), (bx, by)) = (self.places[from as usize], self.places[to as usize]);
        if self.may_cross || ax == bx || ay == by {
            return None;
        }
        // A unit that crosses comes from a neighbor of this cell, and goes to another neighbor.
        let find = |x, y| {
            let around = self.around[from as usize];
            around.cells().iter().copied().find(|&c| self.places[c as usize] == (x, y)).unwrap_or(NONE)
        };
        Some((find(ax, by), find(bx, ay)))
    }
}
