//! Connects the components of a map.

use std::collections::BTreeSet;

use crate::map::{Components, GridMap, Sets};

/// Fills all components of fewer than `min_size` cells with `letter`.
pub(super) fn fill_small(map: &mut GridMap, min_size: u32, letter: u8) {
    let parts = map.components();
    for (cell, &label) in map.cells_mut().iter_mut().zip(&parts.labels) {
        if label != Components::BLOCKED && parts.sizes[label as usize] < min_size {
            *cell = letter;
        }
    }
}

/// Connects all components by passages of 2·`radius` + 1 cells where the walls between them are thinnest: one for
/// each pair that is adjacent across a wall no thicker than the thickest that must be crossed. The border of the map
/// is unchanged; no free cell may be on it.
pub(super) fn join_all(map: &mut GridMap, radius: u32) {
    let Components { labels, sizes } = map.components();
    let mut growth = Growth { owner: labels, from: Vec::new(), width: map.width(), height: map.height() };
    growth.from = (0..growth.owner.len() as u32).collect();
    let mut sets = Sets::with_len(sizes.len() as u32);
    let mut met = BTreeSet::new();
    let mut left = sizes.len();
    let mut front: Vec<u32> = (0..)
        .zip(&growth.owner)
        .filter(|(_, owner)| **owner != Components::BLOCKED)
        .map(|(cell, _)| cell)
        .collect();
    // All components grow by one layer at a time, so the first two that meet are nearest to each other.
    while left > 1 && !front.is_empty() {
        let mut next = Vec::new();
        for &cell in &front {
            for neighbour in growth.neighbors(cell) {
                let (mine, other) = (growth.owner[cell as usize], growth.owner[neighbour as usize]);
                if other == Components::BLOCKED {
                    growth.owner[neighbour as usize] = mine;
                    growth.from[neighbour as usize] = cell;
                    next.push(neighbour);
                } else if other != mine && met.insert((mine.min(other), mine.max(other))) {
                    left -= usize::from(sets.find(mine) != sets.find(other));
                    sets.join(mine, other);
                    growth.carve(map, cell, radius);
                    growth.carve(map, neighbour, radius);
                }
            }
        }
        front = next;
    }
}

struct Growth {
    owner: Vec<u32>,
    /// The cell from which a cell was reached; the cell itself at the start of a component.
    from: Vec<u32>,
    width: u32,
    height: u32,
}

impl Growth {
    /// Returns the neighbors of an inner cell, without those on the border.
    fn neighbors(&self, cell: u32) -> impl Iterator<Item = u32> + use<> {
        let (x, y, width) = (cell % self.width, cell / self.width, self.width);
        let inside = [x > 1, x + 2 < self.width, y > 1, y + 2 < self.height];
        let cells = [cell.wrapping_sub(1), cell + 1, cell.wrapping_sub(width), cell + width];
        inside.into_iter().zip(cells).filter(|(inside, _)| *inside).map(|(_, cell)| cell)
    }

    /// Opens the path from a cell back to its component.
    fn carve(&self, map: &mut GridMap, mut cell: u32, radius: u32) {
        loop {
            let (x, y) = (cell % self.width, cell / self.width);
            let (left, top) = (x.saturating_sub(radius).max(1), y.saturating_sub(radius).max(1));
            let (right, bottom) = ((x + radius).min(self.width - 2), (y + radius).min(self.height - 2));
            map.fill(left, top, right + 1 - left, bottom + 1 - top, b'.');
            let from = self.from[cell as usize];
            if from == cell {
                return;
            }
            cell = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_where_walls_are_thin() {
        let rows = ["@@@@@@@@@", "@..@@@@.@", "@..@...@@", "@@@@@@@@@", "@@.@@@@@@", "@@@@@@@@@"];
        let mut map = GridMap::from_rows(&rows).unwrap();
        join_all(&mut map, 0);
        assert_eq!(map.components().sizes.len(), 1);
        assert!(map.passable(3, 2) && map.passable(2, 3));
        assert!((0..9).all(|x| !map.passable(x, 0) && !map.passable(x, 5)));
        // 9 free cells, and one each for three walls of one cell.
        assert_eq!(map.passable_count(), 12);
    }

    #[test]
    fn wide_passages_spare_the_border() {
        let mut map = GridMap::from_rows(&["@@@@@@", "@.@@.@", "@@@@@@"]).unwrap();
        join_all(&mut map, 1);
        assert_eq!(map, GridMap::from_rows(&["@@@@@@", "@....@", "@@@@@@"]).unwrap());
    }

    #[test]
    fn fills() {
        let mut map = GridMap::from_rows(&[".@..@.", "@@@@@."]).unwrap();
        fill_small(&mut map, 2, b'T');
        assert_eq!(map, GridMap::from_rows(&["T@..@.", "@@@@@."]).unwrap());
    }
}
