//! The serialized form of the index. It is complete, since a new index of the same grid would give other answers
//! while this one is being updated. A [`Map`](crate::Map) saves it with its grid, and validates it against the
//! grid.

use alloc::vec::Vec;

use super::Components;
use super::forest::Forest;
use super::seeds::Seeds;
use crate::grid::Grid;
use crate::id::NodeId;

#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Plain {
    labels: Vec<u32>,
    forest: Forest,
    queue: Vec<u32>,
    seeds: Vec<u32>,
    taken: usize,
    flood: u64,
    flooding: bool,
    excess: usize,
}

impl From<Components> for Plain {
    fn from(index: Components) -> Self {
        let Components { labels, forest, queue, seeds, taken, flood, flooding, excess } = index;
        Self { labels, forest, queue: queue.into(), seeds: seeds.into_list(), taken, flood, flooding, excess }
    }
}

impl Plain {
    /// Returns the index, or `None` if it does not match the grid.
    pub(crate) fn restore(self, grid: &Grid) -> Option<Components> {
        let Self { labels, forest, queue, seeds: list, taken, flood, flooding, excess } = self;
        let (mut seeds, count) = (Seeds::new(labels.len()), list.len());
        for n in list.into_iter().filter(|n| (*n as usize) < labels.len()) {
            seeds.insert(NodeId::new(n));
        }
        if seeds.len() < count {
            return None; // a cell that does not exist, or one that is listed twice
        }
        let queue = queue.into();
        let index = Components { labels, forest, queue, seeds, taken, flood, flooding, excess };
        index.is_sound(grid).then_some(index)
    }
}
