//! How the map differs from the base of its landmarks.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::corners::Cell;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};

/// Maximum number of rectangles around opened cells. Each costs a comparison for every node that a search reaches.
pub(super) const MAX_AREAS: usize = 8;
/// Cells that lie at most this far from a rectangle join it.
const MARGIN: i32 = 4;

/// A rectangle of cells: left, top, right, bottom, all included.
pub(crate) type Area = [i32; 4];

/// How the map differs from the base of its landmarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Base {
    /// Cells that are blocked and belong to the base, or are free and do not.
    pub(crate) changed: BTreeSet<NodeId>,
    /// Number of free cells among them.
    pub(crate) opened: usize,
    /// Rectangles around the free cells among them; empty if there are none.
    pub(crate) areas: Vec<Area>,
}

impl Base {
    /// Creates a base that equals the map.
    pub(crate) fn new() -> Self {
        Self { changed: BTreeSet::new(), opened: 0, areas: Vec::with_capacity(MAX_AREAS) }
    }

    /// Takes into account that a cell has been blocked or freed. Returns `true` if the opened cells are others now.
    pub(crate) fn edit(&mut self, at: Cell, n: NodeId, is_free: bool) -> bool {
        let is_back = self.changed.remove(&n);
        if !is_back {
            self.changed.insert(n);
        }
        if is_back == is_free {
            // A cell of the base.
            return false;
        }
        if is_free {
            self.opened += 1;
            self.add_area(at);
        } else {
            self.opened = self.opened.saturating_sub(1);
            if self.opened == 0 {
                self.areas.clear();
            }
        }
        true
    }

    /// Returns the number of cells of the base that are blocked.
    pub(crate) fn blocked(&self) -> usize {
        self.changed.len() - self.opened
    }

    /// Returns `true` if cells outside the base are free.
    #[inline]
    pub(crate) fn has_opened(&self) -> bool {
        !self.areas.is_empty()
    }

    fn add_area(&mut self, at @ (x, y): Cell) {
        let apart = |area: &Area| {
            let (dx, dy) = offset(area, at);
            dx.max(dy)
        };
        let is_full = self.areas.len() >= MAX_AREAS;
        let nearest = self.areas.iter_mut().min_by_key(|area| apart(area));
        let nearest = nearest.filter(|area| is_full || apart(area) <= MARGIN);
        match nearest {
            Some([left, top, right, bottom]) => {
                (*left, *top) = ((*left).min(x), (*top).min(y));
                (*right, *bottom) = ((*right).max(x), (*bottom).max(y));
            }
            None => self.areas.push([x, y, x, y]),
        }
    }

    /// Returns a lower bound on the cost from a cell to the nearest opened cell outside the base.
    pub(crate) fn cost_to_opened(&self, grid: &Grid, at: Cell) -> Cost {
        let costs = self.areas.iter().map(|area| {
            let (dx, dy) = offset(area, at);
            grid.over_open_ground(dx, dy)
        });
        costs.min().unwrap_or(Cost::INF)
    }

    /// Returns `true` if a shortest walk over open ground between two cells may lead over an opened cell outside the base.
    pub(crate) fn may_pass_opened(&self, grid: &Grid, [a, b]: [Cell; 2]) -> bool {
        self.cost_to_opened(grid, a) + self.cost_from_opened(grid, b)
            <= grid.over_open_ground(b.0 - a.0, b.1 - a.1)
    }

    /// Returns a lower bound on the cost from the nearest opened cell outside the base to a cell.
    pub(crate) fn cost_from_opened(&self, grid: &Grid, at: Cell) -> Cost {
        // Moves cost the same both ways.
        self.cost_to_opened(grid, at)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        // Nodes of the set hold 11 cells each and are two thirds full on average.
        8 * self.changed.len() + size_of::<Area>() * self.areas.capacity()
    }
}

/// Returns the columns and rows between a rectangle and a cell. Both are zero inside and next to the rectangle, since an
/// opened cell also opens the diagonal moves past it.
#[inline]
fn offset(&[left, top, right, bottom]: &Area, (x, y): Cell) -> (i32, i32) {
    ((left - x).max(x - right).max(1) - 1, (top - y).max(y - bottom).max(1) - 1)
}

/// Cells that edits have opened lately: the next base contains them even while they are blocked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doors {
    /// Opened since the last rebuild began, and between the two before.
    pub(crate) recent: BTreeSet<NodeId>,
    pub(crate) older: BTreeSet<NodeId>,
}

impl Doors {
    /// Records that an edit has opened a cell.
    pub(crate) fn add(&mut self, n: NodeId) {
        self.recent.insert(n);
    }

    /// Returns all doors, and forgets those that have not been opened since the last call.
    pub(crate) fn begin_rebuild(&mut self) -> BTreeSet<NodeId> {
        let recent = core::mem::take(&mut self.recent);
        let mut all = core::mem::replace(&mut self.older, recent);
        all.extend(&self.older);
        all
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        8 * (self.recent.len() + self.older.len())
    }
}
