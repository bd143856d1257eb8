//! The connected components of a map.

use super::{GridMap, is_passable};

/// The connected components of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Component of each cell, or [`Components::BLOCKED`].
    pub labels: Vec<u32>,
    /// Number of cells of each component. Components are numbered in the order of their first cells.
    pub sizes: Vec<u32>,
}

impl Components {
    /// The label of blocked cells.
    pub const BLOCKED: u32 = u32::MAX;

    /// Returns the number and size of the largest component, the first of several.
    pub fn largest(&self) -> Option<(u32, u32)> {
        // Backwards, since `max_by_key` returns the last of equals.
        let backwards = (0..self.sizes.len() as u32).rev();
        backwards.map(|label| (label, self.sizes[label as usize])).max_by_key(|&(_, size)| size)
    }

    /// Computes components in two passes in memory order: a flood fill would miss the cache at every row change of a
    /// large map.
    pub(super) fn of(map: &GridMap) -> Self {
        let width = map.width as usize;
        let mut labels = vec![Self::BLOCKED; map.cells.len()];
        let mut sets = Sets::default();
        for (index, &letter) in map.cells.iter().enumerate() {
            if !is_passable(letter) {
                continue;
            }
            let left = if index.is_multiple_of(width) { Self::BLOCKED } else { labels[index - 1] };
            let above = if index < width { Self::BLOCKED } else { labels[index - width] };
            labels[index] = match (left, above) {
                (Self::BLOCKED, Self::BLOCKED) => sets.push(),
                (Self::BLOCKED, only) | (only, Self::BLOCKED) => only,
                (left, above) => sets.join(left, above),
            };
        }
        let (numbers, count) = sets.numbered();
        let mut sizes = vec![0; count as usize];
        for label in labels.iter_mut().filter(|label| **label != Self::BLOCKED) {
            *label = numbers[*label as usize];
            sizes[*label as usize] += 1;
        }
        Self { labels, sizes }
    }
}

/// Disjoint sets whose root is always their smallest member.
#[derive(Default)]
pub(crate) struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    pub(crate) fn with_len(len: u32) -> Self {
        Self { parent: (0..len).collect() }
    }

    /// Resets to `len` members, each in a set of its own.
    pub(crate) fn restart(&mut self, len: u32) {
        self.parent.clear();
        self.parent.extend(0..len);
    }

    fn push(&mut self) -> u32 {
        let new = self.parent.len() as u32;
        self.parent.push(new);
        new
    }

    pub(crate) fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let grandparent = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    /// Joins two sets and returns the common root.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let (a, b) = (self.find(a), self.find(b));
        let root = a.min(b);
        self.parent[a.max(b) as usize] = root;
        root
    }

    /// Returns the number of each member's set, without gaps, and the number of sets.
    fn numbered(mut self) -> (Vec<u32>, u32) {
        let mut count = 0;
        for member in 0..self.parent.len() {
            let parent = self.parent[member] as usize;
            // Roots are the smallest members, so a parent already has its final number.
            self.parent[member] = if parent == member { count } else { self.parent[parent] };
            count += u32::from(parent == member);
        }
        (self.parent, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_ignore_diagonals() {
        let map = GridMap::from_rows(&[".@...", "@.@@.", "..@.."]).unwrap();
        let parts = map.components();
        assert_eq!(parts.sizes, [1, 6, 3]);
        assert_eq!(parts.labels[1], Components::BLOCKED);
        assert_eq!((parts.labels[0], parts.labels[4], parts.labels[6]), (0, 1, 2));
        assert_eq!(map.largest_component(), Some((1, 6)));
        assert_eq!(GridMap::new(2, 2, b'@').unwrap().largest_component(), None);
        assert_eq!(GridMap::from_rows(&[".@."]).unwrap().largest_component(), Some((0, 1)));
    }

    #[test]
    fn components_of_a_spiral_are_joined_late() {
        let rows = [".......", ".@@@@@.", ".@...@.", ".@.@.@.", ".@.@@@.", ".@.....", "@@@@@@@"];
        let parts = GridMap::from_rows(&rows).unwrap().components();
        assert_eq!(parts.sizes.len(), 1);
    }
}
