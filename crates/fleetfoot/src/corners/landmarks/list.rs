//! The corners that have distances to landmarks, by tiles of 16×16 cells.

use alloc::vec;
use alloc::vec::Vec;

use crate::corners::{Corners, cell, node};
use crate::grid::Grid;
use crate::id::NodeId;

/// In tiles with more corners than this, a corner is found by bisection.
const MANY: usize = 16;

/// Corners in the order of their numbers. A corner takes a byte, and a tile four.
#[derive(Clone, Debug, Default)]
pub(crate) struct CornerList {
    /// By tile: the number of corners in all tiles before it; and the number of all corners.
    first: Vec<u32>,
    /// By corner: its place in its tile.
    places: Vec<u8>,
}

impl CornerList {
    /// Creates a list without tiles.
    pub(crate) fn new() -> Self {
        Self { first: vec![0], places: Vec::new() }
    }

    /// Creates a list without tiles that has room for the tiles of a grid and this many corners.
    pub(crate) fn with_room(tiles: usize, corners: usize) -> Self {
        let mut first = Vec::with_capacity(tiles + 1);
        first.push(0);
        Self { first, places: Vec::with_capacity(corners) }
    }

    /// Returns the number of tiles that are listed.
    #[inline]
    pub(crate) fn tiles(&self) -> usize {
        self.first.len() - 1
    }

    /// Returns the number of corners.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Adds the next tile of a grid with all its corners.
    pub(crate) fn add_tile_of(&mut self, grid: &Grid, corners: &Corners) {
        let first = cell(grid, NodeId::from_index(256 * self.tiles()));
        let mut mask = [0; 4];
        corners.for_each_in_tile(grid, (first.0 >> 4, first.1 >> 4), |at| {
            let k = node(grid, at).index() % 256;
            mask[k / 64] |= 1 << (k % 64);
        });
        self.add_tile(mask);
    }

    /// Adds the next tile with a set of its cells.
    pub(crate) fn add_tile(&mut self, mask: [u64; 4]) {
        for (w, mut rest) in mask.into_iter().enumerate() {
            while rest != 0 {
                self.places.push(64 * w as u8 + rest.trailing_zeros() as u8);
                rest &= rest - 1;
            }
        }
        self.first.push(self.places.len() as u32);
    }

    /// Returns the indices of the first corner of a tile, and of the first one after it.
    #[inline]
    fn ends(&self, tile: usize) -> Option<(usize, usize)> {
        let &[first, end] = self.first.get(tile..tile + 2)? else { return None };
        Some((first as usize, end as usize))
    }

    /// Returns the index of a corner.
    #[inline]
    pub(crate) fn rank(&self, n: NodeId) -> Option<usize> {
        let (first, end) = self.ends(n.index() / 256)?;
        let (places, place) = (&self.places[first..end], (n.index() % 256) as u8);
        let at = if places.len() > MANY {
            places.binary_search(&place).ok()
        } else {
            places.iter().position(|&other| other == place)
        };
        Some(first + at?)
    }

    /// Returns the index of the first corner of a tile.
    pub(crate) fn first(&self, tile: usize) -> usize {
        self.first[tile] as usize
    }

    /// Returns the corners of a tile.
    pub(crate) fn nodes(&self, tile: usize) -> impl Iterator<Item = NodeId> + '_ {
        let (first, end) = self.ends(tile).unwrap_or((0, 0));
        self.places[first..end].iter().map(move |&place| NodeId::from_index(256 * tile + usize::from(place)))
    }

    /// Keeps some of the corners, by their indices.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let (mut kept, mut from) = (0, 0);
        for tile in 0..self.tiles() {
            let end = self.first[tile + 1] as usize;
            for k in (from..end).filter(|&k| is_kept(k)) {
                self.places[kept] = self.places[k];
                kept += 1;
            }
            (from, self.first[tile + 1]) = (end, kept as u32);
        }
        self.places.truncate(kept);
        self.places.shrink_to_fit();
    }

    /// Removes the last tiles, down to this many. Returns `false` if one of them has corners.
    pub(crate) fn truncate(&mut self, tiles: usize) -> bool {
        self.first.truncate(tiles + 1);
        self.first.last().is_some_and(|&all| all as usize == self.places.len())
    }

    /// Removes all corners.
    pub(crate) fn clear(&mut self) {
        self.first.fill(0);
        self.places = Vec::new();
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<u32>() * self.first.capacity() + self.places.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, splitmix64};
    use crate::grid::Rules;

    /// A list has the corners of the grid, each at its index, and those that are kept.
    #[test]
    fn a_list_has_every_corner_at_its_index() {
        for blocked in [1, 4, 25] {
            let free = |x: u32, y: u32| u8::from(splitmix64(u64::from(1000 * y + x)) % 100 >= blocked);
            let grid = Grid::new(70, 50, Rules::default(), free).expect("a grid").with_corners();
            let corners = grid.corners().expect("an index");
            let mut list = CornerList::with_room(grid.bound() / 256, corners.len());
            (0..grid.bound() / 256).for_each(|_| list.add_tile_of(&grid, corners));
            let check = |list: &CornerList, is_listed: &dyn Fn(NodeId) -> bool| {
                let all: Vec<NodeId> = (0..list.tiles()).flat_map(|tile| list.nodes(tile)).collect();
                assert_eq!(list.len(), all.len());
                assert!(all.iter().enumerate().all(|(k, &n)| list.rank(n) == Some(k)));
                let inside = (0..50).flat_map(|y| (0..70).map(move |x| (x, y)));
                for n in inside.filter_map(|(x, y)| grid.node(x, y)) {
                    assert_eq!(list.rank(n).is_some(), is_listed(n), "{n}");
                }
            };
            let is_corner = |n: NodeId| corners.is_corner(cell(&grid, n));
            check(&list, &is_corner);
            let before = list.clone();
            list.retain(|k| k % 3 == 1);
            check(&list, &|n| before.rank(n).is_some_and(|k| k % 3 == 1));
            list.clear();
            check(&list, &|_| false);
            assert_eq!(list.rank(NodeId::NONE), None);
        }
    }
}
