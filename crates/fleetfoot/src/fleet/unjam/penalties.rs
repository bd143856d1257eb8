//! Penalties for units that make no progress, in the manner of LRTA* (Korf, AIJ 1990; for groups: Veerapaneni and others, AAAI-25): a
//! cell where a unit made no progress costs it more than its distance.
//!
//! Distances ignore other units. Where units block each other, all of them insist on their shortest paths, and a jam that pushing cannot
//! solve stays forever. A unit that has made no progress for a while raises the cost of its own cell, tick by tick, until another cell
//! is better: it leaves the jam, takes a detour, or makes room for units that want out. Once it is nearer than ever it forgets.

use alloc::vec::Vec;

use crate::fleet::cell_set::{CellSet, NONE};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::save::{SaveError, SaveReader, SaveWriter};

/// Number of cells that a unit remembers: the last ones that it occupied.
const MOST: usize = 8;

/// What a unit has learned under its order: a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Learned {
    /// [`NONE`] where there is nothing yet.
    cells: [u32; MOST],
    /// By what the cost of each is raised.
    extra: [u32; MOST],
}

const _: () = assert!(size_of::<Learned>() == 64, "a line of the cache");

/// What all units have learned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Penalties {
    /// By unit.
    all: Vec<Learned>,
    /// By unit: the one of its cells that is overwritten next.
    next: Vec<u8>,
    /// The units that have learned anything: few, and asked about in every tick.
    taught: CellSet,
}

impl Penalties {
    /// Makes room for another unit.
    pub(crate) fn grow(&mut self) {
        self.all.push(Learned::NOTHING);
        self.next.push(0);
        self.taught.grow(self.all.len());
    }

    /// Returns `true` if a unit has learned nothing.
    #[inline]
    pub(crate) fn is_empty(&self, unit: u32) -> bool {
        !self.taught.has(unit)
    }

    /// Reads a word of everything that units have learned, to fetch it from memory.
    pub(crate) fn fetch(&self) -> u64 {
        self.taught.iter().fold(0, |sum, unit| sum ^ u64::from(self.all[unit as usize].cells[0]))
    }

    /// Returns by what the cost of a cell is raised for a unit.
    #[inline]
    pub(crate) fn extra(&self, unit: u32, cell: NodeId) -> u32 {
        if self.is_empty(unit) {
            return 0;
        }
        let learned = &self.all[unit as usize];
        let known = learned.cells.iter().position(|&known| known == cell.raw());
        known.map_or(0, |k| learned.extra[k])
    }

    /// Returns by what the costs of cells are raised for a unit.
    pub(crate) fn of(&self, unit: u32, cells: &[NodeId; 9]) -> [u32; 9] {
        let learned = &self.all[unit as usize];
        let mut all = [0; 9];
        for (&known, &extra) in
            learned.cells.iter().zip(&learned.extra).take_while(|(known, _)| **known != NONE)
        {
            for (sum, cell) in all.iter_mut().zip(cells) {
                *sum = if cell.raw() == known { extra } else { *sum };
            }
        }
        all
    }

    /// Raises the cost of a cell where a unit makes no progress.
    pub(crate) fn raise(&mut self, unit: u32, cell: u32, by: u32) {
        self.all[unit as usize].raise(cell, by, &mut self.next[unit as usize]);
        self.taught.insert(unit);
    }

    /// Forgets all that a unit has learned.
    #[inline]
    pub(crate) fn forget(&mut self, unit: u32) {
        if self.taught.has(unit) {
            (self.all[unit as usize], self.next[unit as usize]) = (Learned::NOTHING, 0);
            self.taught.remove(unit);
        }
    }

    /// Writes what a unit has learned.
    pub(crate) fn save(&self, unit: u32, out: &mut impl SaveWriter) {
        self.all[unit as usize].save(self.next[unit as usize], out);
    }

    /// Reads what a unit has learned.
    pub(crate) fn load(
        &mut self,
        unit: u32,
        grid: &Grid,
        from: &mut SaveReader<'_>,
    ) -> Result<(), SaveError> {
        let (learned, next) = Learned::load(grid, from)?;
        (self.all[unit as usize], self.next[unit as usize]) = (learned, next);
        if !learned.is_empty() {
            self.taught.insert(unit);
        }
        Ok(())
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.all.capacity() * size_of::<Learned>() + self.next.capacity() + self.taught.memory_bytes()
    }
}

impl Learned {
    const NOTHING: Self = Self { cells: [NONE; MOST], extra: [0; MOST] };

    fn is_empty(&self) -> bool {
        self.cells[0] == NONE
    }

    /// Raises the cost of a cell. A new cell replaces the one that is `next`.
    fn raise(&mut self, cell: u32, by: u32, next: &mut u8) {
        let known = self.cells.iter().position(|&known| known == cell);
        let k = known.unwrap_or_else(|| {
            let k = *next as usize % MOST;
            *next = (k as u8 + 1) % MOST as u8;
            (self.cells[k], self.extra[k]) = (cell, 0);
            k
        });
        self.extra[k] = self.extra[k].saturating_add(by);
    }

    fn save(&self, next: u8, out: &mut impl SaveWriter) {
        let known = self.cells.iter().take_while(|&&cell| cell != NONE).count();
        out.u32(known as u32);
        out.u32(u32::from(next));
        for (&cell, &extra) in self.cells.iter().zip(&self.extra).take(known) {
            out.u32(cell);
            out.u32(extra);
        }
    }

    fn load(grid: &Grid, from: &mut SaveReader<'_>) -> Result<(Self, u8), SaveError> {
        let mut learned = Self::NOTHING;
        let known = from.choice(MOST as u32 + 1)? as usize;
        let next = from.choice(MOST as u32)? as u8;
        for k in 0..known {
            (learned.cells[k], learned.extra[k]) = (from.u32()?, from.u32()?);
        }
        let on_map = learned.cells[..known].iter().all(|&cell| (cell as usize) < grid.bound());
        let in_turn = known == MOST || next as usize == known;
        if on_map && in_turn {
            Ok((learned, next))
        } else {
            Err(SaveError::new("a unit has learned of no cell"))
        }
    }
}
