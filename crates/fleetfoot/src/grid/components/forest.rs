//! A union-find forest with reference counts. Unreferenced ids are reused.

use alloc::vec::Vec;

/// No id.
pub(super) const NONE: u32 = (1 << 30) - 1;
/// Maximum rank: a tree of a higher rank would have 2^64 ids.
#[cfg(any(test, feature = "serde"))]
const HIGHEST: u8 = 64;

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Id {
    /// The parent; the id itself for a root; the next free id for an unused id.
    parent: u32,
    /// Number of cells, children and groups that refer to this id.
    refs: u32,
    /// For a group, the class in which it was created. `NONE` for a class.
    class: u32,
    /// For a group, the number of its cells in the queue. For a class, the number of its groups.
    count: u32,
    /// The flood for which `count` and `whole` are valid.
    flood: u64,
    /// `true` if the class is known to be a single component.
    whole: bool,
    rank: u8,
}

/// Trees of two kinds: *classes*, and *groups*, each of which counts as a class.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Forest {
    ids: Vec<Id>,
    spare: u32,
}

impl Forest {
    pub(super) fn new() -> Self {
        Self { ids: Vec::new(), spare: NONE }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.ids.capacity() * size_of::<Id>()
    }

    /// Creates a class, or a group of `class`. The caller must add a reference.
    pub(super) fn fresh(&mut self, class: u32, flood: u64) -> u32 {
        let id = if self.spare == NONE { self.ids.len() as u32 } else { self.spare };
        let new = Id { parent: id, refs: 0, class, count: 0, flood, whole: false, rank: 0 };
        if self.spare == NONE {
            assert!(id < NONE, "no more ids than cells");
            self.ids.push(new);
        } else {
            self.spare = self.ids[id as usize].parent;
            self.ids[id as usize] = new;
        }
        if class != NONE {
            self.retain(class);
        }
        id
    }

    pub(super) fn retain(&mut self, id: u32) {
        self.ids[id as usize].refs += 1;
    }

    /// Removes a reference. An id without references is freed, and its own references are removed.
    pub(super) fn release(&mut self, mut id: u32) {
        while id != NONE {
            let entry = &mut self.ids[id as usize];
            entry.refs -= 1;
            if entry.refs > 0 {
                return;
            }
            let next = if entry.parent == id { entry.class } else { entry.parent };
            entry.parent = self.spare;
            self.spare = id;
            id = next;
        }
    }

    /// Returns the root of an id's tree. Takes at most as many steps as the rank of the tree.
    pub(super) fn root(&self, mut id: u32) -> u32 {
        while self.ids[id as usize].parent != id {
            id = self.ids[id as usize].parent;
        }
        id
    }

    /// Returns the class of a root.
    pub(super) fn class(&self, root: u32) -> u32 {
        let class = self.ids[root as usize].class;
        if class == NONE { root } else { self.root(class) }
    }

    /// Returns the root of an id's tree, and halves the path to it.
    pub(super) fn find(&mut self, mut id: u32) -> u32 {
        loop {
            let parent = self.ids[id as usize].parent;
            let above = self.ids[parent as usize].parent;
            if above == parent {
                return parent;
            }
            self.ids[id as usize].parent = above;
            self.retain(above);
            self.release(parent);
            id = above;
        }
    }

    /// Returns `true` if a root is a group of this flood.
    pub(super) fn is_group(&self, root: u32, flood: u64) -> bool {
        let entry = &self.ids[root as usize];
        entry.class != NONE && entry.flood == flood
    }

    /// Returns the count of a root; zero if it is from an earlier flood.
    pub(super) fn count(&self, root: u32, flood: u64) -> u32 {
        let entry = &self.ids[root as usize];
        if entry.flood == flood { entry.count } else { 0 }
    }

    pub(super) fn put_count(&mut self, root: u32, flood: u64, count: u32) {
        let entry = &mut self.ids[root as usize];
        entry.whole &= entry.flood == flood;
        (entry.flood, entry.count) = (flood, count);
    }

    /// Joins two classes or two groups, and adds their counts.
    pub(super) fn union(&mut self, a: u32, b: u32, flood: u64) -> u32 {
        let sum = self.count(a, flood) + self.count(b, flood);
        let (ra, rb) = (self.ids[a as usize].rank, self.ids[b as usize].rank);
        let (root, child) = if ra < rb { (b, a) } else { (a, b) };
        self.ids[root as usize].rank += u8::from(ra == rb);
        self.detach(child);
        self.ids[child as usize].parent = root;
        self.retain(root);
        self.put_count(root, flood, sum);
        self.ids[root as usize].whole = false;
        root
    }

    /// Turns a group of the current flood into a class.
    pub(super) fn settle(&mut self, group: u32) {
        self.detach(group);
        self.ids[group as usize].whole = true;
    }

    /// Ends a group: like the groups of earlier floods, it only counts as its class.
    pub(super) fn forget(&mut self, group: u32) {
        self.put_count(group, 0, 0);
    }

    /// Records that a class may be split.
    pub(super) fn doubt(&mut self, root: u32) {
        self.ids[root as usize].whole = false;
    }

    /// Returns `true` if a root became a class in this flood and nothing was joined to it since.
    pub(super) fn is_whole(&self, root: u32, flood: u64) -> bool {
        let entry = &self.ids[root as usize];
        entry.whole && entry.flood == flood
    }

    fn detach(&mut self, group: u32) {
        let class = core::mem::replace(&mut self.ids[group as usize].class, NONE);
        self.release(class);
    }
}

#[cfg(any(test, feature = "serde"))]
impl Forest {
    /// Returns `true` if no operation can fail: every id is in range, every tree has a root, all reference counts
    /// match the labels, every unused id is in the free list, and no entry is from a later flood than `flood`.
    pub(super) fn is_sound(&self, labels: impl Iterator<Item = u32>, flood: u64) -> bool {
        let known = |id: u32| (id as usize) < self.ids.len();
        let mut refs = alloc::vec![0; self.ids.len()];
        let mut spare = alloc::vec![false; self.ids.len()];
        let mut id = self.spare;
        while id != NONE {
            if !known(id) || core::mem::replace(&mut spare[id as usize], true) {
                return false;
            }
            id = self.ids[id as usize].parent;
        }
        for id in labels.filter(|&id| id != NONE) {
            if !known(id) {
                return false;
            }
            refs[id as usize] += 1;
        }
        for (k, entry) in self.ids.iter().enumerate().filter(|(k, _)| !spare[*k]) {
            if !known(entry.parent) || (entry.class != NONE && !known(entry.class)) {
                return false;
            }
            if entry.flood > flood || entry.rank > HIGHEST {
                return false;
            }
            let is_root = entry.parent as usize == k;
            // Ranks increase toward the root, so there are no cycles. Only roots have a class.
            if !is_root && (self.ids[entry.parent as usize].rank <= entry.rank || entry.class != NONE) {
                return false;
            }
            refs[entry.parent as usize] += u32::from(!is_root);
            if entry.class != NONE {
                refs[entry.class as usize] += 1;
            }
        }
        let agrees = |k: usize| refs[k] == self.ids[k].refs && spare[k] == (refs[k] == 0);
        // A group counts as a class, not as another group.
        let is_plain = |e: &Id| e.class == NONE || self.ids[self.root(e.class) as usize].class == NONE;
        (0..self.ids.len()).all(agrees)
            && self.ids.iter().enumerate().all(|(k, entry)| spare[k] || is_plain(entry))
    }

    /// Returns the roots of all trees in use.
    pub(super) fn roots(&self) -> impl Iterator<Item = u32> {
        let used = self.ids.iter().enumerate().filter(|(_, entry)| entry.refs > 0);
        used.filter(|(k, entry)| entry.parent as usize == *k).map(|(k, _)| k as u32)
    }

    /// Returns the number of ids in use.
    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        self.ids.iter().filter(|entry| entry.refs > 0).count()
    }
}
