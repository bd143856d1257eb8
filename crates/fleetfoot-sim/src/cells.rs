//! A set of cells that can be emptied in time proportional to its size, not to the map's.

use fleetfoot::NodeId;

#[derive(Debug, Default)]
pub(crate) struct CellSet {
    words: Vec<u64>,
    /// Indices of words that are not zero.
    used: Vec<u32>,
}

impl CellSet {
    /// Empties the set and makes room for the nodes below `bound`.
    pub(crate) fn restart(&mut self, bound: usize) {
        for word in self.used.drain(..) {
            self.words[word as usize] = 0;
        }
        let words = bound.div_ceil(64);
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }

    /// Adds a cell. Returns `false` if it was already in the set.
    pub(crate) fn insert(&mut self, cell: NodeId) -> bool {
        let (place, bit) = (cell.index() / 64, 1 << (cell.index() % 64));
        let word = self.words[place];
        if word & bit != 0 {
            return false;
        }
        if word == 0 {
            self.used.push(place as u32);
        }
        self.words[place] = word | bit;
        true
    }

    pub(crate) fn contains(&self, cell: NodeId) -> bool {
        self.words[cell.index() / 64] & 1 << (cell.index() % 64) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in_since_the_restart() {
        let (a, b) = (NodeId::new(63), NodeId::new(64));
        let mut set = CellSet::default();
        set.restart(65);
        assert!(set.insert(a) && !set.insert(a) && set.contains(a) && !set.contains(b));
        set.restart(200);
        assert!(!set.contains(a) && set.insert(b) && set.insert(NodeId::new(199)));
        assert_eq!(set.used.len(), 2);
    }
}
