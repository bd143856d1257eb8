//! The stored connections of corners, by tiles of 16×16 cells.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::links::{Connections, Link};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

/// Bytes of an index that are always granted, so that small maps have their connections stored as well.
const LEAST_ROOM: usize = 1 << 16;
/// Maximum bytes of an index for each cell of the map: 16 bits.
const BYTES_PER_CELL: usize = 2;
/// Maximum bytes for each cell where many searches are made. Most maps need much less.
const BYTES_PER_CELL_IF_WIDE: usize = 8;

/// A set of the cells of a tile.
type Mask = [u64; 4];

/// A tile that waits to be repaired, and its corners that are up to date.
#[cfg(feature = "serde")]
pub(crate) type Stale = (u32, Mask);

/// The connections of a tile's corners.
#[derive(Clone, Debug, Default)]
struct Tile {
    /// The corners that have a list, in the order of their numbers.
    listed: Mask,
    /// The corners whose list is up to date.
    clean: Mask,
    /// By corner with a list: the index where its list ends.
    ends: Box<[u32]>,
    links: Box<[Link]>,
    /// Whether the tile waits for a repair.
    is_stale: bool,
    /// Whether its lists did not fit into the memory limit.
    is_crowded: bool,
}

impl Tile {
    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.ends) + size_of_val(&*self.links)
    }
}

/// The lists of all corners, as far as there is room for them.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    tiles: Vec<Option<Box<Tile>>>,
    /// Tiles with corners whose list is out of date.
    stale: Vec<u32>,
    /// Bytes held by tiles, and their maximum.
    held: usize,
    room: usize,
    /// Whether the memory limit has been raised.
    pub(super) is_wide: bool,
    /// Number of tiles whose lists did not fit.
    crowded: usize,
    /// Whether lists are kept at all.
    pub(super) are_kept: bool,
}

impl Lists {
    /// Creates empty lists. The rest of the index has `fixed` bytes.
    pub(super) fn new(grid: &Grid, fixed: usize) -> Self {
        let tiles = grid.bound() / 256;
        let fixed = fixed + tiles * (size_of::<Option<Box<Tile>>>() + size_of::<u32>());
        let all = BYTES_PER_CELL * grid.width() as usize * grid.height() as usize;
        let room = all.saturating_sub(fixed).max(LEAST_ROOM);
        let stale = Vec::with_capacity(tiles); // each of them once at most
        let tiles = (0..tiles).map(|_| None).collect();
        Self { tiles, stale, held: 0, room, is_wide: false, crowded: 0, are_kept: true }
    }

    /// Creates lists with as much room, of which those of some tiles, in this order, are out of date.
    pub(super) fn out_of_date(&self, has_corners: impl Fn(u32) -> bool) -> Self {
        let Self { room, is_wide, .. } = *self;
        let all = self.tiles.len();
        let (tiles, stale) = ((0..all).map(|_| None).collect(), Vec::with_capacity(all));
        let mut lists = Self { tiles, stale, held: 0, room, is_wide, crowded: 0, are_kept: true };
        for k in (0..all as u32).filter(|&k| has_corners(k)) {
            lists.tiles[k as usize] = Some(Box::new(Tile { is_stale: true, ..Tile::default() }));
            lists.stale.push(k);
            lists.held += size_of::<Tile>();
        }
        lists
    }

    /// Drops all lists. They are rebuilt once lists are kept again.
    pub(super) fn forget(&mut self) {
        self.are_kept = false;
        (self.held, self.crowded) = (0, 0);
        for (k, slot) in self.tiles.iter_mut().enumerate() {
            // A tile whose last corner is gone is as good as none: a restored index has none there.
            slot.take_if(|tile| !tile.is_stale && !tile.is_crowded && tile.listed == [0; 4]);
            let Some(tile) = slot else { continue };
            if !tile.is_stale {
                self.stale.push(k as u32);
            }
            **tile = Tile { is_stale: true, ..Tile::default() };
            self.held += size_of::<Tile>();
        }
    }

    /// Raises the memory limit. Returns the tiles whose lists now may fit and that do not wait for a repair.
    pub(super) fn widen(&mut self, grid: &Grid) -> Vec<u32> {
        if self.is_wide {
            return Vec::new();
        }
        self.is_wide = true;
        self.room = self.room.max(BYTES_PER_CELL_IF_WIDE * grid.width() as usize * grid.height() as usize);
        let is_crowded = |tile: &Tile| tile.is_crowded && !tile.is_stale;
        let crowded =
            self.tiles.iter().enumerate().filter(|(_, tile)| tile.as_deref().is_some_and(is_crowded));
        crowded.map(|(k, _)| k as u32).collect()
    }

    /// Returns the list of a corner, if it is stored and up to date.
    #[inline]
    pub(super) fn get(&self, n: NodeId) -> Option<Connections<'_>> {
        let tile = self.tiles.get(n.index() >> 8)?.as_deref()?;
        let (word, bit) = (n.index() >> 6 & 3, 1_u64 << (n.index() & 63));
        if tile.clean[word] & bit == 0 {
            return None;
        }
        let before: u32 = tile.listed[..word].iter().map(|w| w.count_ones()).sum();
        let rank = (before + (tile.listed[word] & (bit - 1)).count_ones()) as usize;
        let first = if rank == 0 { 0 } else { tile.ends[rank - 1] };
        Some(Connections(&tile.links[first as usize..tile.ends[rank] as usize]))
    }

    /// Returns `true` if the tile of a cell has or had corners.
    #[inline]
    pub(super) fn has_tile(&self, n: NodeId) -> bool {
        self.tiles.get(n.index() >> 8).is_some_and(Option::is_some)
    }

    /// Marks the list of a cell as out of date. The cell is, was or will be a corner.
    pub(super) fn mark(&mut self, n: NodeId) {
        let held = &mut self.held;
        let tile = self.tiles[n.index() >> 8].get_or_insert_with(|| {
            *held += size_of::<Tile>();
            Box::default()
        });
        tile.clean[n.index() >> 6 & 3] &= !(1 << (n.index() & 63));
        if !tile.is_stale {
            tile.is_stale = true;
            self.stale.push(n.raw() >> 8);
        }
    }

    /// Returns the tiles that wait for a repair, and in each the corners that are up to date.
    #[cfg(feature = "serde")]
    pub(super) fn stale_tiles(&self) -> Vec<Stale> {
        let clean = |tile: u32| self.tiles[tile as usize].as_ref().map_or([0; 4], |tile| tile.clean);
        self.stale.iter().map(|&tile| (tile, clean(tile))).collect()
    }

    /// Marks the corners of a tile as out of date, except those in the mask.
    #[cfg(feature = "serde")]
    pub(super) fn put_out_of_date(&mut self, (number, clean): Stale) {
        if let Some(slot) = self.tiles.get_mut(number as usize) {
            let held = &mut self.held;
            let tile = slot.get_or_insert_with(|| {
                *held += size_of::<Tile>();
                Box::default()
            });
            tile.clean.iter_mut().zip(clean).for_each(|(mine, theirs)| *mine &= theirs);
            if !core::mem::replace(&mut tile.is_stale, true) {
                self.stale.push(number);
            }
        }
    }

    /// Returns the next tile to repair, or `None` while lists are not kept.
    pub(super) fn next_stale(&self) -> Option<u32> {
        self.stale.last().copied().filter(|_| self.are_kept)
    }

    /// Removes the next tile to repair from the queue.
    pub(super) fn settle(&mut self) {
        if let Some(tile) = self.stale.pop()
            && let Some(tile) = &mut self.tiles[tile as usize]
        {
            tile.is_stale = false;
        }
    }

    /// Stores the lists of a tile's corners, which follow each other in `links`. If they do not fit into the memory limit, the
    /// tile stores none.
    pub(super) fn store(&mut self, tile: u32, listed: Mask, ends: Vec<u32>, links: Vec<Link>) {
        let Some(tile) = &mut self.tiles[tile as usize] else { return };
        self.held -= tile.bytes();
        let bytes = size_of::<Tile>() + size_of_val(&*ends) + size_of_val(&*links);
        self.crowded -= usize::from(tile.is_crowded);
        **tile = if self.held + bytes <= self.room {
            let (ends, links) = (ends.into_boxed_slice(), links.into_boxed_slice());
            Tile { listed, clean: listed, ends, links, is_stale: tile.is_stale, is_crowded: false }
        } else {
            Tile { is_stale: tile.is_stale, is_crowded: true, ..Tile::default() }
        };
        self.crowded += usize::from(tile.is_crowded);
        self.held += tile.bytes();
    }

    /// Returns `true` if all lists fit into the memory limit.
    pub(super) fn is_whole(&self) -> bool {
        self.crowded == 0
    }

    pub(super) fn stored(&self) -> usize {
        self.tiles.iter().flatten().map(|tile| Connections(&tile.links).count()).sum()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let directory = self.tiles.capacity() * size_of::<Option<Box<Tile>>>();
        directory + self.stale.capacity() * size_of::<u32>() + self.held
    }
}
