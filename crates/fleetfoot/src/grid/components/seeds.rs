//! A list of distinct cells that is cleared at once.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::id::NodeId;

/// For each cell of a page, its position in the list. Valid if the list agrees.
type Page = [u32; 256];

/// The list, and pages with the position of each cell. Pages are allocated when one of their cells is added, so
/// memory grows with the edited part of the map.
#[derive(Clone, Debug)]
pub(super) struct Seeds {
    list: Vec<u32>,
    pages: Vec<Option<Box<Page>>>,
    taken: usize,
}

impl Seeds {
    pub(super) fn new(bound: usize) -> Self {
        Self { list: Vec::new(), pages: alloc::vec![None; bound.div_ceil(256)], taken: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, k: usize) -> Option<NodeId> {
        self.list.get(k).copied().map(NodeId::new)
    }

    pub(super) fn contains(&self, n: NodeId) -> bool {
        let page = self.pages[n.index() >> 8].as_ref();
        page.is_some_and(|page| self.get(page[n.index() & 255] as usize) == Some(n))
    }

    pub(super) fn insert(&mut self, n: NodeId) {
        if !self.contains(n) {
            let page = self.pages[n.index() >> 8].get_or_insert_with(|| {
                self.taken += 1;
                Box::new([u32::MAX; 256])
            });
            page[n.index() & 255] = self.list.len() as u32;
            self.list.push(n.raw());
        }
    }

    /// Returns the cells in order.
    #[cfg(feature = "serde")]
    pub(super) fn into_list(self) -> Vec<u32> {
        self.list
    }

    /// Clears the list. The pages become invalid, since the list no longer agrees.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<u32>()
            + self.pages.capacity() * size_of::<Option<Box<Page>>>()
            + self.taken * size_of::<Page>()
    }
}
