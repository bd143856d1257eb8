//! The map as the judges know it: cells row by row, and the rules of moves.

/// A cell: its row times the width, plus its column.
pub(crate) type Cell = u32;

/// No cell.
pub(crate) const NOWHERE: Cell = u32::MAX;

/// Which moves there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Straight ones.
    Four,
    /// Diagonal moves as well, if both adjacent cells are free.
    Eight,
    /// Diagonal moves as well, whatever the adjacent cells are.
    Cutting,
}

/// Cells with their weights; 0 is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) moves: Moves,
    weights: Vec<u8>,
}

impl Ground {
    /// Creates a map from the weights of its cells, row by row.
    pub(crate) fn new(width: u32, height: u32, moves: Moves, weights: Vec<u8>) -> Self {
        assert_eq!(weights.len(), width as usize * height as usize, "one weight for each cell");
        Self { width, height, moves, weights }
    }

    /// Returns the number of cells.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns the weight of a cell.
    pub(crate) fn weight(&self, cell: Cell) -> u8 {
        self.weights.get(cell as usize).copied().unwrap_or(0)
    }

    /// Returns `true` if a cell is on the map and not blocked.
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.weight(cell) > 0
    }

    /// Sets the weight of a cell.
    pub(crate) fn set(&mut self, cell: Cell, weight: u8) {
        self.weights[cell as usize] = weight;
    }

    /// Returns column and row.
    pub(crate) fn xy(&self, cell: Cell) -> (u32, u32) {
        (cell % self.width, cell / self.width)
    }

    /// Returns the cell in a column and a row.
    pub(crate) fn cell(&self, x: u32, y: u32) -> Option<Cell> {
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Returns all free cells.
    pub(crate) fn free(&self) -> Vec<Cell> {
        (0..self.len() as u32).filter(|&cell| self.is_free(cell)).collect()
    }

    /// Returns `true` if there is a move between two cells.
    pub(crate) fn has_move(&self, from: Cell, to: Cell) -> bool {
        if from == to || !self.is_free(from) || !self.is_free(to) {
            return false;
        }
        let ((ax, ay), (bx, by)) = (self.xy(from), self.xy(to));
        if ax.abs_diff(bx) > 1 || ay.abs_diff(by) > 1 {
            return false;
        }
        if ax == bx || ay == by {
            return true;
        }
        match self.moves {
            Moves::Four => false,
            Moves::Eight => self.is_free(ay * self.width + bx) && self.is_free(by * self.width + ax),
            Moves::Cutting => true,
        }
    }

    /// Returns the cells that one move leads to.
    pub(crate) fn next(&self, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        let (x, y) = self.xy(from);
        let around = (0..9u32)
            .filter(|&k| k != 4)
            .filter_map(move |k| self.cell((x + k % 3).wrapping_sub(1), (y + k / 3).wrapping_sub(1)));
        around.filter(move |&to| self.has_move(from, to))
    }

    /// Returns the cost of a move: its length (of a straight and of a diagonal one) times the sum of both weights.
    pub(crate) fn cost(&self, from: Cell, to: Cell, (straight, diagonal): (u64, u64)) -> u64 {
        let ((ax, ay), (bx, by)) = (self.xy(from), self.xy(to));
        let length = if ax != bx && ay != by { diagonal } else { straight };
        length * (u64::from(self.weight(from)) + u64::from(self.weight(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_follow_the_rules() {
        // A wall in the middle of the upper row.
        let ground = |moves| Ground::new(3, 2, moves, vec![1, 0, 1, 1, 1, 1]);
        let next = |moves, from| ground(moves).next(from).collect::<Vec<_>>();
        assert_eq!(next(Moves::Four, 4), [3, 5]);
        assert_eq!(next(Moves::Eight, 4), [3, 5]);
        assert_eq!(next(Moves::Cutting, 4), [0, 2, 3, 5]);
        assert!(next(Moves::Cutting, 1).is_empty(), "none lead from a wall");
        assert!(!ground(Moves::Cutting).has_move(2, 3), "rows do not wrap");
    }
}
