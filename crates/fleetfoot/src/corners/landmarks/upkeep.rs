//! The landmarks of a map over its edits: when they are made again, and how they are saved.

use alloc::boxed::Box;

use super::{Builder, Doors, Landmarks, MIN_CORNERS};
use crate::corners::Corners;
use crate::corners::LandmarkState;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::meter::WorkKind;
use crate::search::SearchTools;

/// Landmarks are made again when this many cells more than the map has corners have been blocked since.
const MIN_BLOCKED: usize = 256;
/// Copying the index of corners for a rebuild reads this many of its words for the price of one.
const COPIED_PER_WORD: u64 = 16;

/// The landmarks of a map, and those that are being made for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LandmarkUpkeep {
    /// Maximum number of corners for which landmarks are made; zero if the map is to have none.
    pub(crate) max_corners: usize,
    pub(crate) table: Option<Box<Landmarks>>,
    doors: Doors,
    /// Number of blocked cells of the base when the table was made.
    blocked: usize,
    builder: Option<Box<Builder>>,
    /// Expansions made and words read for the builder.
    spent: u64,
    /// Words read for the copy of the index of corners that are still to be paid for.
    debt: u64,
}

impl LandmarkUpkeep {
    /// Creates the upkeep of a map that has no landmarks yet.
    pub(crate) fn none_yet(max_corners: usize) -> Self {
        Self { max_corners, ..Self::default() }
    }

    /// Makes the landmarks of a grid at once if they pay.
    pub(crate) fn make_at_once(&mut self, grid: &Grid, corners: &Corners) {
        let pay_off = Landmarks::pay_off(corners.len(), self.max_corners);
        self.table = pay_off.then(|| Box::new(Landmarks::new(grid, corners)));
    }

    /// Takes into account that a cell has been blocked or freed.
    pub(crate) fn edit(&mut self, grid: &Grid, n: NodeId, is_free: bool) {
        if self.max_corners == 0 {
            return;
        }
        if let Some(table) = &mut self.table {
            table.edit(grid, n, is_free);
        }
        if let Some(builder) = &mut self.builder {
            builder.landmarks.edit(grid, n, is_free);
        }
        if is_free {
            self.doors.add(n);
        }
    }

    /// Returns `true` if the landmarks are as good as they can be made.
    pub(crate) fn is_ready(&self, corners: usize) -> bool {
        if self.max_corners == 0 || self.builder.is_some() {
            return self.max_corners == 0;
        }
        match &self.table {
            Some(table) => {
                let new = table.base.blocked().saturating_sub(self.blocked);
                table.base.opened == 0 && new < MIN_BLOCKED + corners
            }
            None => !Landmarks::pay_off(corners, self.max_corners),
        }
    }

    /// Returns how far the landmarks of a grid with this many corners are made.
    pub(crate) fn state(&self, grid: &Grid, corners: usize) -> LandmarkState {
        if self.max_corners == 0 {
            LandmarkState::Off
        } else if !self.is_ready(corners) {
            LandmarkState::Pending
        } else if self.table.is_some() {
            LandmarkState::Ready
        } else if corners < MIN_CORNERS {
            LandmarkState::TooFewCorners
        } else {
            LandmarkState::TooManyCorners { corners, bytes: Landmarks::bytes_of(grid, corners) }
        }
    }

    /// Makes landmarks as far as the budget allows. Returns `true` once they are ready.
    pub(crate) fn advance(&mut self, grid: &Grid, corners: &Corners, tools: &mut SearchTools<'_>) -> bool {
        loop {
            if self.is_ready(corners.len()) {
                return true;
            }
            if self.builder.is_none() {
                let base = self.doors.begin_rebuild();
                let copied = corners.words() as u64 / COPIED_PER_WORD + base.len() as u64;
                self.debt += copied;
                self.builder = Some(Box::new(Builder::on_base(grid, corners, &base)));
                self.spent = 0;
            }
            // On a large map the copy costs more than a small budget has in a tick.
            self.debt -= tools.meter.charge_up_to(WorkKind::Scan, self.debt);
            if self.debt > 0 {
                return false;
            }
            let Some(builder) = &mut self.builder else { return true };
            let before = *tools.meter.work();
            let goes_on = builder.advance(grid, 0, tools) && !builder.is_done();
            let done = tools.meter.work().since(before);
            self.spent += done[WorkKind::Expand] + done[WorkKind::Scan];
            if goes_on {
                return false;
            }
            self.finish();
        }
    }

    /// Replaces the table with the builder's landmarks.
    fn finish(&mut self) {
        let Some(builder) = self.builder.take() else { return };
        let mut table = builder.landmarks;
        let edition = self.table.as_ref().map_or(0, |old| old.edition);
        table.edition = edition.wrapping_add(1);
        self.blocked = table.base.blocked();
        self.table = Some(Box::new(table));
        self.spent = 0;
    }

    #[cfg(test)]
    pub(crate) fn progress(&self) -> (Option<(u32, u32, usize, u32)>, u64) {
        let progress = |b: &Builder| {
            (b.landmarks.listed.tiles() as u32, b.searches, b.landmarks.base.changed.len(), b.search.debt)
        };
        (self.builder.as_deref().map(progress), self.spent)
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        let table = self.table.as_ref().map_or(0, |table| table.memory_bytes());
        let builder = self.builder.as_ref().map_or(0, |builder| builder.memory_bytes());
        table + builder + self.doors.memory_bytes()
    }
}

#[cfg(feature = "serde")]
pub(crate) use self::saved::Saved;

#[cfg(feature = "serde")]
mod saved {
    //! Landmarks follow from their base, and those in the making from theirs and the work that was done for them. So only
    //! these are saved, and a save cannot contain bounds that do not hold.

    use alloc::boxed::Box;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::super::base::{Area, Base, Doors};
    use super::{Builder, LandmarkUpkeep, Landmarks};
    use crate::corners::{Corners, cell, is_inside};
    use crate::graph::Graph;
    use crate::grid::Grid;
    use crate::id::NodeId;
    use crate::meter::{Meter, Prices, WorkKind};
    use crate::search::{Pools, SearchTools};

    /// The landmarks of a map as plain data.
    #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    pub(crate) struct Saved {
        max_corners: usize,
        table: Option<SavedBase>,
        edition: u32,
        recent_doors: Vec<u32>,
        older_doors: Vec<u32>,
        blocked: usize,
        builder: Option<(SavedBase, u64)>,
        #[serde(default)]
        debt: u64,
    }

    #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    struct SavedBase {
        changed: Vec<u32>,
        areas: Vec<Area>,
    }

    fn numbers(set: &BTreeSet<NodeId>) -> Vec<u32> {
        set.iter().map(|n| n.raw()).collect()
    }

    impl From<&Base> for SavedBase {
        fn from(base: &Base) -> Self {
            Self { changed: numbers(&base.changed), areas: base.areas.clone() }
        }
    }

    impl SavedBase {
        /// Restores a base. Returns `None` if it does not fit the grid.
        fn restore(self, grid: &Grid) -> Option<Base> {
            let changed = nodes(&self.changed, grid)?;
            let opened: Vec<NodeId> = changed.iter().copied().filter(|&n| grid.is_free(n)).collect();
            let fits = |&[left, top, right, bottom]: &Area| {
                left <= right
                    && top <= bottom
                    && is_inside(grid, (left, top))
                    && is_inside(grid, (right, bottom))
            };
            let covers = |n: &NodeId| {
                let (x, y) = cell(grid, *n);
                self.areas.iter().any(|&[left, top, right, bottom]| {
                    (left..=right).contains(&x) && (top..=bottom).contains(&y)
                })
            };
            let is_sound = self.areas.len() <= super::super::base::MAX_AREAS
                && self.areas.iter().all(fits)
                && opened.iter().all(covers)
                && opened.is_empty() == self.areas.is_empty();
            is_sound.then_some(Base { opened: opened.len(), changed, areas: self.areas })
        }
    }

    /// Returns cells of a grid by their numbers. Returns `None` if one lies outside.
    fn nodes(numbers: &[u32], grid: &Grid) -> Option<BTreeSet<NodeId>> {
        let all: BTreeSet<NodeId> = numbers.iter().map(|&n| NodeId::new(n)).collect();
        let is_cell = |n: &NodeId| n.index() < grid.bound() && is_inside(grid, cell(grid, *n));
        (all.len() == numbers.len() && all.iter().all(is_cell)).then_some(all)
    }

    impl LandmarkUpkeep {
        /// Returns what must be saved. Returns `None` if the map has no landmarks.
        pub(crate) fn save(&self) -> Option<Saved> {
            (self.max_corners > 0).then(|| Saved {
                max_corners: self.max_corners,
                table: self.table.as_ref().map(|table| SavedBase::from(&table.base)),
                edition: self.table.as_ref().map_or(0, |table| table.edition),
                recent_doors: numbers(&self.doors.recent),
                older_doors: numbers(&self.doors.older),
                blocked: self.blocked,
                builder: self.builder.as_ref().map(|b| (SavedBase::from(&b.landmarks.base), self.spent)),
                debt: self.debt,
            })
        }

        /// Restores the landmarks of a grid. Returns `None` if they do not fit it.
        pub(crate) fn restore(saved: Saved, grid: &Grid, corners: &Corners) -> Option<Self> {
            let doors =
                Doors { recent: nodes(&saved.recent_doors, grid)?, older: nodes(&saved.older_doors, grid)? };
            let Saved { max_corners, blocked, debt, .. } = saved;
            // No copy of the index costs more.
            let debt = debt.min((corners.words() + grid.bound()) as u64);
            let mut upkeep = Self { max_corners, doors, blocked, debt, ..Self::default() };
            if let Some(base) = saved.table {
                let base = base.restore(grid)?;
                let then = (!base.changed.is_empty())
                    .then(|| corners.with_changes(grid, base.changed.iter().copied()));
                let mut table = Landmarks::new(grid, then.as_ref().unwrap_or(corners));
                (table.base, table.edition) = (base, saved.edition);
                upkeep.table = Some(Box::new(table));
            }
            if let Some((base, spent)) = saved.builder {
                let base = base.restore(grid)?;
                let mut builder = build(grid, corners, &base, spent);
                builder.landmarks.base = base;
                upkeep.builder = Some(Box::new(builder));
                upkeep.spent = spent;
            }
            Some(upkeep)
        }
    }

    /// Makes the landmarks of a base with the amount of work that had been done for them.
    fn build(grid: &Grid, corners: &Corners, base: &Base, work: u64) -> Builder {
        let mut builder = Builder::on_base_of(grid, corners, base);
        // One unit for each expansion and each word.
        let prices = Prices::EXPANSIONS.with(WorkKind::Scan, 10);
        let meter = &mut Meter::priced(work, prices);
        if work > 0 {
            builder.advance(grid, 0, &mut SearchTools { meter, pools: &mut Pools::new(), probe: None });
        }
        builder
    }
}
