//! The numbers under which a search tree stores cells, and the corners from which the goal can be reached directly.

use alloc::vec::Vec;

use crate::id::{Cost, NodeId};
use crate::search::{PagedHashMap, Pools};

/// Maps cells to the names under which a search tree stores them, and marks the *ends*: the corners from which the goal
/// can be reached directly.
pub(crate) trait Names {
    /// What following a connection costs, in multiples of the least price. Measured by `--bench corners -- prices`: at an
    /// agent's budgets a connection takes 8 to 14 tenths of an expansion. Fleets share the caches among many searches
    /// and are charged the least.
    const RATE: u32;

    /// Returns the name of a cell, and gives it one if it has none.
    fn name(&mut self, cell: NodeId, pools: &mut Pools) -> NodeId;

    /// Returns the cell with this name.
    fn cell(&self, name: NodeId) -> NodeId;

    /// Forgets all names and ends.
    fn clear(&mut self);

    /// Forgets all ends.
    fn clear_ends(&mut self);

    /// Marks a named cell as an end.
    fn add_end(&mut self, name: NodeId);

    /// Sorts the ends. Must follow the last [`add_end`](Self::add_end) of a search.
    fn finish_ends(&mut self) {}

    /// Returns `true` if the cell with this name is an end.
    fn is_end(&self, name: NodeId) -> bool;

    /// Calls `found` with the cell of every end.
    fn for_each_end(&self, found: impl FnMut(NodeId));
}

/// Cells keep their own numbers: for trees that are hash tables, or as large as the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByCell {
    /// Sorted once all are there.
    pub(crate) ends: Vec<NodeId>,
}

impl Names for ByCell {
    const RATE: u32 = 1;

    #[inline]
    fn name(&mut self, cell: NodeId, _: &mut Pools) -> NodeId {
        cell
    }

    #[inline]
    fn cell(&self, name: NodeId) -> NodeId {
        name
    }

    fn clear(&mut self) {
        self.clear_ends();
    }

    fn clear_ends(&mut self) {
        self.ends.clear();
    }

    fn add_end(&mut self, name: NodeId) {
        self.ends.push(name);
    }

    fn finish_ends(&mut self) {
        self.ends.sort_unstable();
    }

    #[inline]
    fn is_end(&self, name: NodeId) -> bool {
        self.ends.binary_search(&name).is_ok()
    }

    fn for_each_end(&self, found: impl FnMut(NodeId)) {
        self.ends.iter().copied().for_each(found);
    }
}

/// The key under which all slots are filed.
const FILE: NodeId = NodeId::new(0);

/// Cells are numbered in the order in which they are met, so that an agent's tree is as large as what it has met. Such a
/// number is called a *slot*.
#[derive(Clone, Debug)]
pub(crate) struct BySlot {
    /// By slot: its cell, and for an end the slot of the previous end plus 2, or 1 if it is the first; else 0.
    pub(crate) slots: PagedHashMap,
    /// The slot of the last end. None if there are no ends.
    pub(crate) last_end: NodeId,
}

impl BySlot {
    pub(crate) fn new() -> Self {
        Self { slots: PagedHashMap::new(), last_end: NodeId::NONE }
    }

    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns the end that was marked before this one.
    fn previous(&self, end: NodeId) -> NodeId {
        let link = self.slots.entry(end.index()).1.raw();
        if link >= 2 { NodeId::new(link - 2) } else { NodeId::NONE }
    }

    fn ends(&self) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.last_end.some(), |&end| self.previous(end).some())
    }

    /// Returns `true` if the ends form a list, as they do unless a save was forged.
    pub(crate) fn is_sound(&self) -> bool {
        let is_slot = |n: NodeId| !n.is_some() || n.index() < self.len();
        let links = (0..self.len()).map(|k| (k, self.previous(NodeId::from_index(k))));
        let marked = (0..self.len()).filter(|&k| self.slots.entry(k).1 != Cost::ZERO).count();
        is_slot(self.last_end)
            && links.into_iter().all(|(_, previous)| is_slot(previous))
            && self.ends().take(marked + 1).count() == marked
    }
}

impl Names for BySlot {
    const RATE: u32 = 3;

    #[inline]
    fn name(&mut self, cell: NodeId, pools: &mut Pools) -> NodeId {
        NodeId::new(self.slots.find_or_add(FILE, cell, pools))
    }

    #[inline]
    fn cell(&self, name: NodeId) -> NodeId {
        self.slots.entry(name.index()).0
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.last_end = NodeId::NONE;
    }

    fn clear_ends(&mut self) {
        while let Some(end) = self.last_end.some() {
            self.last_end = self.previous(end);
            self.slots.replace(end.index(), Cost::ZERO);
        }
    }

    fn add_end(&mut self, name: NodeId) {
        if !self.is_end(name) {
            let link = self.last_end.some().map_or(1, |last| last.raw() + 2);
            self.slots.replace(name.index(), Cost::new(link));
            self.last_end = name;
        }
    }

    #[inline]
    fn is_end(&self, name: NodeId) -> bool {
        self.slots.entry(name.index()).1 != Cost::ZERO
    }

    fn for_each_end(&self, mut found: impl FnMut(NodeId)) {
        self.ends().for_each(|end| found(self.cell(end)));
    }
}
