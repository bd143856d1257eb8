//! The oracle: which cells are connected, and at what cost, by the plainest algorithms.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ground::{Cell, Ground, NOWHERE};

/// Returns for each cell the number of its connected part, from 1; 0 for blocked cells.
pub(crate) fn parts(ground: &Ground) -> Vec<u32> {
    let mut parts = vec![0; ground.len()];
    let (mut last, mut stack) = (0, Vec::new());
    for first in 0..ground.len() as Cell {
        if parts[first as usize] != 0 || !ground.is_free(first) {
            continue;
        }
        last += 1;
        parts[first as usize] = last;
        stack.push(first);
        while let Some(cell) = stack.pop() {
            for to in ground.next(cell) {
                if parts[to as usize] == 0 {
                    parts[to as usize] = last;
                    stack.push(to);
                }
            }
        }
    }
    parts
}

/// Returns for each cell the cost of a cheapest path to `goal`, which is also that from it. `None` where there is none.
pub(crate) fn costs(ground: &Ground, goal: Cell, lengths: (u64, u64)) -> Vec<Option<u64>> {
    let mut best = vec![None; ground.len()];
    let mut open = BinaryHeap::new();
    if ground.is_free(goal) {
        open.push((Reverse(0), goal));
    }
    while let Some((Reverse(cost), cell)) = open.pop() {
        if best[cell as usize].is_some() {
            continue;
        }
        best[cell as usize] = Some(cost);
        for to in ground.next(cell).filter(|&to| best[to as usize].is_none()) {
            open.push((Reverse(cost + ground.cost(cell, to, lengths)), to));
        }
    }
    best
}

/// Which cells are connected, as of the last edit.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    parts: Vec<u32>,
    edits: u32,
}

impl Parts {
    /// Finds the parts of a map.
    pub(crate) fn new(ground: &Ground) -> Self {
        Self { parts: parts(ground), edits: 0 }
    }

    /// Notes that the map has changed.
    pub(crate) fn edited(&mut self) {
        self.edits += 1;
    }

    /// Finds the parts again if the map has changed. Returns the number of edits since the last call.
    pub(crate) fn refresh(&mut self, ground: &Ground) -> u32 {
        let edits = std::mem::take(&mut self.edits);
        if edits > 0 {
            self.parts = parts(ground);
        }
        edits
    }

    /// Returns `true` if a path leads from one cell to another one, as of the last refresh.
    pub(crate) fn joins(&self, a: Cell, b: Cell) -> bool {
        if a == NOWHERE || b == NOWHERE {
            return false;
        }
        let part = |cell: Cell| self.parts.get(cell as usize).copied().unwrap_or(0);
        part(a) != 0 && part(a) == part(b)
    }

    /// Returns the number of cells of the part of a cell.
    pub(crate) fn size(&self, cell: Cell) -> usize {
        let Some(&part) = self.parts.get(cell as usize) else { return 0 };
        if part == 0 { 0 } else { self.parts.iter().filter(|&&other| other == part).count() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ground::Moves;
    use super::*;

    #[test]
    fn parts_and_costs_agree() {
        let mut weights = vec![1; 25];
        (0..5).for_each(|y| weights[y * 5 + 2] = 0);
        let mut ground = Ground::new(5, 5, Moves::Eight, weights);
        let mut parts = Parts::new(&ground);
        assert!(!parts.joins(0, 4) && parts.joins(0, 6));
        assert_eq!((parts.size(0), parts.size(2)), (10, 0));
        assert_eq!(costs(&ground, 0, (2, 3))[4], None);
        ground.set(2, 3);
        parts.edited();
        assert_eq!(parts.refresh(&ground), 1);
        assert!(parts.joins(0, 4));
        // Two plain moves, and two between plain ground and weight 3.
        assert_eq!(costs(&ground, 0, (2, 3))[4], Some(2 * (2 + 4 + 4 + 2)));
        assert_eq!(costs(&ground, 0, (2, 3))[6], Some(6));
    }
}
