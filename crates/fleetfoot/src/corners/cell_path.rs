//! Walks over open ground between two cells that are directly connected: diagonal moves first, or with four neighbors along
//! the longer side first.

use super::{Cell, Corners, along};
use crate::grid::Neighborhood;

/// A shortest path over open ground from cell to cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPath {
    neighborhood: Neighborhood,
    at: Cell,
    to: Cell,
}

impl CellPath {
    /// Creates a walk from one cell to another, on a grid with this neighborhood.
    pub fn new(neighborhood: Neighborhood, at: Cell, to: Cell) -> Self {
        Self { neighborhood, at, to }
    }

    /// Returns the direction of the next move.
    #[inline]
    fn way(&self) -> Cell {
        let (dx, dy) = (self.to.0 - self.at.0, self.to.1 - self.at.1);
        match self.neighborhood {
            Neighborhood::Eight => (dx.signum(), dy.signum()),
            Neighborhood::Four if dx.abs() >= dy.abs() => (dx.signum(), 0),
            Neighborhood::Four => (0, dy.signum()),
        }
    }
}

impl Iterator for CellPath {
    type Item = Cell;

    /// Returns the next cell. The last one is the end of the walk.
    fn next(&mut self) -> Option<Cell> {
        if self.at == self.to {
            return None;
        }
        self.at = along(self.at, self.way(), 1);
        Some(self.at)
    }
}

impl Corners {
    /// Returns the walk between two cells.
    #[inline]
    pub fn cells(&self, at: Cell, to: Cell) -> CellPath {
        CellPath::new(self.neighborhood, at, to)
    }

    /// Returns `true` if the move from a free cell to the next one of a walk is possible.
    pub fn is_open_step(&self, at: Cell, to: Cell) -> bool {
        let way = self.cells(at, to).way();
        if way.0 != 0 && way.1 != 0 { self.passes(at, way) } else { self.is_free(along(at, way, 1)) }
    }

    /// Returns `true` if the walk between two cells is free. Then it is a shortest path. It is free wherever the two are
    /// directly connected.
    pub fn is_open_between(&self, mut at: Cell, to: Cell) -> bool {
        self.cells(at, to).all(|next| {
            let is_open = self.is_open_step(at, next);
            at = next;
            is_open
        })
    }
}
