//! Walking over open ground between two cells that are directly connected: diagonal moves first.

use super::{Cell, Corners, along};

/// A way from cell to cell with its diagonal moves first, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    at: Cell,
    to: Cell,
}

impl Walk {
    /// From one cell to another.
    pub fn new(at: Cell, to: Cell) -> Self {
        Self { at, to }
    }
}

impl Iterator for Walk {
    type Item = Cell;

    /// The next cell; the last is where the walk ends.
    fn next(&mut self) -> Option<Cell> {
        if self.at == self.to {
            return None;
        }
        self.at = along(self.at, way(self.at, self.to), 1);
        Some(self.at)
    }
}

impl Corners {
    /// Whether one can move from a free cell to the next one of a walk.
    pub fn is_open_step(&self, at: Cell, to: Cell) -> bool {
        let way = way(at, to);
        if way.0 != 0 && way.1 != 0 { self.passes(at, way) } else { self.is_free(along(at, way, 1)) }
    }

    /// Whether the walk between two cells is free; then it is a shortest way. It is free wherever the two are directly
    /// connected.
    pub fn is_open_between(&self, mut at: Cell, to: Cell) -> bool {
        Walk::new(at, to).all(|next| {
            let is_open = self.is_open_step(at, next);
            at = next;
            is_open
        })
    }
}

/// The direction of the next move, diagonal ones first.
fn way(at: Cell, to: Cell) -> Cell {
    ((to.0 - at.0).signum(), (to.1 - at.1).signum())
}
