//! The corners of a grid's obstacles (Uras, Koenig & Hernández 2013): between them lie all shortest paths over ground
//! of one weight.
//!
//! A *corner* is a free cell diagonally across from a blocked one, with both cells between them free. Two cells are
//! *directly connected* if every shortest path between them over open ground is free of obstacles and of corners. A
//! shortest path can be cut at corners into such pieces, so a search over corners and the two ends finds one. There are
//! 10 to 100 times fewer corners than cells, and scaling a map up adds none.
//!
//! This holds for cells of one weight with eight neighbors, if diagonal moves cut no corner, and with four. The reason with
//! four: where a path turns, the two moves can be swapped unless the turn is at a corner. Swaps lead from any path without a
//! step back to every other one between the same cells. So either one of them meets a corner and is cut there, or all are
//! free of corners. A path with steps back has moves in one direction, some across, and moves back. Swapping the former with
//! those across either meets a corner or shows that the path is not shortest.
//!
//! [`Corners`] is an index of a grid. The grid holds it ([`Grid::index_corners`]) and updates it in place. Connections are
//! stored. An edit marks the corners whose connections may have changed, and a [`Scan`] finds these until
//! [`Grid::repair_corners`] has stored them again. Both give the same corners in the same order, which depends on the
//! ground alone and not on its history.

mod bit_rows;
mod cell_path;
mod cells;
mod edit;
mod expand;
mod landmarks;
mod links;
mod lists;
mod names;
mod paths;
mod pruning;
mod save;
mod scan;
mod search;
mod sparse;

use self::bit_rows::Bits;
pub use self::cell_path::CellPath;
#[cfg(feature = "serde")]
pub(crate) use self::landmarks::Saved as SavedLandmarks;
pub(crate) use self::landmarks::{
    Builder, COUNT, LandmarkUpkeep, Landmarks, MAX_CORNERS as MAX_LANDMARK_CORNERS, Progress, Row,
};
pub use self::links::Connections;
use self::lists::Lists;
#[cfg(feature = "serde")]
pub(crate) use self::lists::Stale;
pub(crate) use self::names::{BySlot, Names};
pub use self::paths::CornerPaths;
pub(crate) use self::paths::shortest;
pub(crate) use self::pruning::Turns;
pub use self::scan::Scan;
pub(crate) use self::search::{
    CellSearch, CornerSearch, Limit, LineOfSight, OPEN, Pending, QuerySearch, Stage, Terrain,
};
use self::sparse::Squares;
use crate::grid::{Grid, Neighborhood};
use crate::id::NodeId;
use crate::search::SearchTools;
use alloc::vec::Vec;

/// A cell by column and row.
pub type Cell = (i32, i32);
type Way = (i32, i32);

const DIAGONALS: [Way; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const STRAIGHTS: [Way; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The state of a map's landmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LandmarkState {
    /// Landmarks are disabled, or the map has no corner index.
    Off,
    /// Searches are fast without landmarks, since the map has few corners.
    TooFewCorners,
    /// The map has more corners than [`MapConfig::max_landmark_corners`](crate::MapConfig::max_landmark_corners). Raise that to at least `corners` to get
    /// landmarks of about `bytes` bytes.
    TooManyCorners {
        /// Number of corners of the map.
        corners: usize,
        /// Size of their landmarks in bytes.
        bytes: usize,
    },
    /// Landmarks are missing or can be improved: call [`Map::prepare`](crate::Map::prepare).
    Pending,
    /// Landmarks are complete.
    Ready,
}

/// The corners of a grid, and which of them are directly connected.
#[derive(Clone, Debug)]
pub struct Corners {
    neighborhood: Neighborhood,
    /// By rows.
    blocked: Bits,
    /// Where a walk along a row or a column must halt: obstacles and corners.
    halts: [Bits; 2],
    squares: Squares,
    lists: Lists,
    len: usize,
    /// Words read so far to find whose connections edits change.
    read: u64,
    landmarks: LandmarkUpkeep,
}

impl Corners {
    /// Finds the corners of a grid. Returns `None` if its rules or weights do not allow an index (see [`unsupported_reason`](Self::unsupported_reason)).
    pub fn new(grid: &Grid) -> Option<Self> {
        if Self::unsupported_reason(grid).is_some() {
            return None;
        }
        let (width, height) = (grid.width(), grid.height());
        let blocked = Bits::new(height, width);
        let halts = [blocked.clone(), Bits::new(width, height)];
        let squares = Squares::new(width, height);
        let bits = blocked.memory_bytes() + halts.iter().map(Bits::memory_bytes).sum::<usize>();
        let fixed = bits + squares.memory_bytes();
        let neighborhood = grid.rules().neighborhood;
        let mut corners = Self {
            neighborhood,
            blocked,
            halts,
            squares,
            lists: Lists::new(grid, fixed),
            len: 0,
            read: 0,
            landmarks: LandmarkUpkeep::default(),
        };
        corners.find_obstacles(grid);
        corners.find_corners(grid);
        for y in (0..height.cast_signed()).step_by(8) {
            (0..width.cast_signed()).step_by(8).for_each(|x| corners.update_square((x, y)));
        }
        while !corners.repair(grid, u64::MAX) {}
        Some(corners)
    }

    /// Drops stored connections, so that each search scans for them and edits are cheap. For maps with more edits than
    /// searches, such as a map that is being discovered.
    pub(crate) fn forget_connections(&mut self) {
        self.lists.forget();
    }

    /// Enables stored connections again. [`repair`](Self::repair) stores them.
    pub(crate) fn keep_connections(&mut self) {
        self.lists.are_kept = true;
    }

    /// Returns the number of words read so far to find which connections edits change: the cost of edits beyond a fixed amount.
    pub(crate) fn read_for_edits(&self) -> u64 {
        self.read
    }

    /// Returns the reason why a grid cannot have an index of corners, if there is one.
    pub fn unsupported_reason(grid: &Grid) -> Option<&'static str> {
        let rules = grid.rules();
        if rules.cut_corners && rules.neighborhood == Neighborhood::Eight {
            Some("diagonal moves cut corners")
        } else if !grid.is_uniform() {
            Some("cells have weights")
        } else {
            None
        }
    }

    fn find_obstacles(&mut self, grid: &Grid) {
        for y in 0..grid.height().cast_signed() {
            for x in 0..grid.width().cast_signed() {
                if !grid.is_free(node(grid, (x, y))) {
                    self.blocked.put(y, x, true);
                }
            }
        }
    }

    /// Finds corners, 64 cells at a time: free cells for which the cell on one of the four diagonals is blocked and both between
    /// are free.
    fn find_corners(&mut self, grid: &Grid) {
        let stride = self.blocked.stride();
        for y in 0..grid.height().cast_signed() {
            for w in 0..stride {
                let [up, here, down] = [-1, 0, 1].map(|dy| around(self.blocked.line(y + dy), w));
                let beside = |row: [u64; 3]| {
                    !row[1] & (row[0] & !here[0] | row[2] & !here[2]) // west and east
                };
                let corners = !here[1] & (beside(up) | beside(down));
                self.len += corners.count_ones() as usize;
                let mut rest = here[1] | corners;
                while rest != 0 {
                    let x = (64 * w as u32 + rest.trailing_zeros()).cast_signed() - 1;
                    if (0..grid.width().cast_signed()).contains(&x) {
                        self.halts[0].put(y, x, true);
                        self.halts[1].put(x, y, true);
                        if corners & (rest & rest.wrapping_neg()) != 0 {
                            self.lists.mark(node(grid, (x, y)));
                        }
                    }
                    rest &= rest - 1;
                }
            }
        }
    }

    /// Finds out again whether the square around a cell has corners.
    fn update_square(&mut self, at: Cell) {
        self.squares.update(at, &self.halts[0], &self.blocked);
    }

    /// Stores connections that are out of date, scanning `words` words or little more. Returns `true` once all are stored.
    pub(crate) fn repair(&mut self, grid: &Grid, words: u64) -> bool {
        let mut spent = 0;
        while !self.is_up_to_date() {
            if spent >= words {
                return false;
            }
            spent += self.repair_tile(grid);
        }
        true
    }

    /// Stores the connections of one tile that are out of date. Returns the number of words scanned.
    pub(crate) fn repair_tile(&mut self, grid: &Grid) -> u64 {
        let Some(tile) = self.lists.next_stale() else { return 0 };
        let words = self.list_again(grid, tile);
        self.lists.settle();
        words
    }

    /// Raises the memory limit and stores the connections that did not fit before: for maps with many searches.
    pub(crate) fn widen(&mut self, grid: &Grid) {
        for tile in self.lists.widen(grid) {
            self.list_again(grid, tile);
        }
    }

    /// Returns `true` if the memory limit has been raised by [`widen`](Self::widen).
    #[cfg(feature = "serde")]
    pub(crate) fn is_wide(&self) -> bool {
        self.lists.is_wide
    }

    /// Stores the connections of a tile's corners. Returns the number of words scanned for those that were out of date.
    fn list_again(&mut self, grid: &Grid, tile: u32) -> u64 {
        let (mut ends, mut all, mut words) = (Vec::new(), Vec::new(), 0);
        let mut listed = [0; 4];
        for k in 0..256 {
            let n = NodeId::new(tile << 8 | k);
            let at = cell(grid, n);
            if !(is_inside(grid, at) && self.is_corner(at)) {
                continue;
            }
            listed[k as usize / 64] |= 1 << (k % 64);
            if let Some(list) = self.lists.get(n) {
                all.extend_from_slice(list.0);
            } else {
                words += self.for_each_direct(at, |(x, y)| links::push((x - at.0, y - at.1), &mut all));
            }
            ends.push(all.len() as u32);
        }
        self.lists.store(tile, listed, ends, all);
        words
    }

    /// Returns `true` if a cell of the map is a corner.
    #[inline]
    pub fn is_corner(&self, (x, y): Cell) -> bool {
        self.halts[0].get(y, x) && self.is_free((x, y))
    }

    /// Returns `true` if a cell of the map, or on its border, is free.
    #[inline]
    pub fn is_free(&self, (x, y): Cell) -> bool {
        !self.blocked.get(y, x)
    }

    /// Returns `true` if the obstacles around a cell make it a corner.
    fn looks_like_corner(&self, (x, y): Cell) -> bool {
        self.is_free((x, y))
            && DIAGONALS.iter().any(|&(dx, dy)| {
                !self.is_free((x + dx, y + dy)) && self.is_free((x + dx, y)) && self.is_free((x, y + dy))
            })
    }

    /// Returns the number of steps to the first obstacle or corner in a straight direction. Where that exceeds the limit, returns
    /// any number above the limit.
    #[inline]
    fn halt(&self, (x, y): Cell, way: Way, limit: i32) -> i32 {
        match way {
            (1, 0) => self.halts[0].after(y, x, limit),
            (-1, 0) => self.halts[0].before(y, x, limit),
            (0, 1) => self.halts[1].after(x, y, limit),
            _ => self.halts[1].before(x, y, limit),
        }
    }

    /// Returns `true` for an obstacle, a corner, or the border.
    #[inline]
    fn is_halt(&self, (x, y): Cell) -> bool {
        self.halts[0].get(y, x)
    }

    /// Returns `true` if a rectangle of cells, given by two corners of it, may have corners. It looks along rows, or along
    /// columns.
    #[inline]
    fn may_have_corners(&self, by_columns: bool, a: Cell, b: Cell) -> bool {
        self.squares.may_have_corners(by_columns, a, b)
    }

    /// Returns the number of diagonal steps from a cell over rows and columns without obstacles or corners.
    #[inline]
    fn empty_steps(&self, (x, y): Cell, (dx, dy): Way) -> i32 {
        self.halts[0].next_busy(y, dy > 0).min(self.halts[1].next_busy(x, dx > 0)) - 1
    }

    /// Returns the number of rows (or columns) without obstacles or corners that come next in a straight direction.
    #[inline]
    fn empty_lines(&self, (x, y): Cell, (dx, dy): Way) -> i32 {
        let busy =
            if dy != 0 { self.halts[0].next_busy(y, dy > 0) } else { self.halts[1].next_busy(x, dx > 0) };
        busy - 1
    }

    /// Returns the number of steps to the border in a straight direction.
    #[inline]
    fn to_border(&self, (x, y): Cell, way: Way) -> i32 {
        match way {
            (1, 0) => self.halts[0].length() - x,
            (-1, 0) => x + 1,
            (0, 1) => self.halts[1].length() - y,
            _ => y + 1,
        }
    }

    /// Returns `true` if a diagonal move is possible.
    #[inline]
    fn passes(&self, (x, y): Cell, (dx, dy): Way) -> bool {
        self.is_free((x + dx, y + dy)) && self.is_free((x + dx, y)) && self.is_free((x, y + dy))
    }

    /// Calls `found` with every corner of a tile of 16×16 cells. The tile is given by its column and row among tiles.
    pub(crate) fn for_each_in_tile(&self, grid: &Grid, (tx, ty): Cell, mut found: impl FnMut(Cell)) {
        let (left, top) = (16 * tx, 16 * ty);
        if !is_inside(grid, (left, top)) || !self.lists.has_tile(node(grid, (left, top))) {
            return;
        }
        // Bit b of word w is at 64 w + b - 1: the bits of a tile may lie in two words.
        let (word, bit) = (((left + 1) / 64).cast_unsigned() as usize, (left + 1).cast_unsigned() % 64);
        for y in top..(top + 16).min(self.halts[1].length()) {
            let (halts, blocked) = (self.halts[0].line(y), self.blocked.line(y));
            let corners = |w: usize| halts.get(w).map_or(0, |halts| halts & !blocked[w]);
            let mut row = corners(word) >> bit;
            if bit > 48 {
                row |= corners(word + 1) << (64 - bit);
            }
            row &= 0xffff;
            while row != 0 {
                found((left + row.trailing_zeros().cast_signed(), y));
                row &= row - 1;
            }
        }
    }

    /// Returns the corners that are directly connected with a corner, if they are stored.
    #[inline]
    pub fn connections(&self, corner: NodeId) -> Option<Connections<'_>> {
        self.lists.get(corner)
    }

    /// Calls `found` with every corner that is directly connected with a cell. Returns the number of words scanned.
    pub(crate) fn for_each_direct(&self, from: Cell, mut found: impl FnMut(Cell)) -> u64 {
        let (mut scan, mut words) = (Scan::new(from, from), 0);
        while !scan.is_done() {
            words += u64::from(scan.advance(self, &mut found));
        }
        words
    }

    /// Returns the tiles that are out of date, in the order in which edits marked them.
    #[cfg(feature = "serde")]
    pub(crate) fn stale(&self) -> Vec<Stale> {
        self.lists.stale_tiles()
    }

    /// Marks tiles as out of date, in an index that was rebuilt when a map was loaded. Skips tiles that do not exist.
    #[cfg(feature = "serde")]
    pub(crate) fn put_out_of_date(&mut self, stale: &[Stale]) {
        for &tile in stale {
            self.lists.put_out_of_date(tile);
        }
    }

    /// Returns `true` if all connections are stored.
    pub(crate) fn is_up_to_date(&self) -> bool {
        self.lists.next_stale().is_none()
    }

    /// Returns bounds on the distances between corners, if there are any.
    #[inline]
    pub(crate) fn landmarks(&self) -> Option<&Landmarks> {
        self.landmarks.table.as_deref()
    }

    /// Replaces the landmarks and their upkeep.
    pub(crate) fn put_landmarks(&mut self, landmarks: LandmarkUpkeep) {
        self.landmarks = landmarks;
    }

    /// Makes landmarks, the first ones or better ones after edits, as far as the budget allows. Returns `true` once they are
    /// ready.
    pub(crate) fn prepare_landmarks(&mut self, grid: &Grid, tools: &mut SearchTools<'_>) -> bool {
        let mut landmarks = core::mem::take(&mut self.landmarks);
        let are_ready = landmarks.advance(grid, self, tools);
        self.landmarks = landmarks;
        are_ready
    }

    /// Returns how far the landmarks are made.
    pub(crate) fn landmark_state(&self, grid: &Grid) -> LandmarkState {
        self.landmarks.state(grid, self.len)
    }

    /// Returns the landmarks and their upkeep.
    pub(crate) fn landmark_upkeep(&self) -> &LandmarkUpkeep {
        &self.landmarks
    }

    /// Returns a copy on which some cells have been blocked or freed. Its connections are out of date.
    pub(crate) fn with_changes(&self, grid: &Grid, changed: impl Iterator<Item = NodeId>) -> Self {
        let Self { neighborhood, blocked, halts, squares, lists, len, read: _, landmarks: _ } = self;
        let mut copy = Self {
            neighborhood: *neighborhood,
            blocked: blocked.clone(),
            halts: halts.clone(),
            squares: squares.clone(),
            lists: lists.out_of_date(|_| true),
            len: *len,
            read: 0,
            landmarks: LandmarkUpkeep::default(),
        };
        copy.lists.are_kept = false;
        for n in changed {
            let at = cell(grid, n);
            copy.edit(grid, at, !copy.is_free(at));
        }
        // In an order that does not depend on the history of the ground.
        let has_corners = |k: u32| {
            let (mut has_any, first) = (false, cell(grid, NodeId::new(k << 8)));
            copy.for_each_in_tile(grid, (first.0 >> 4, first.1 >> 4), |_| has_any = true);
            has_any
        };
        copy.lists = lists.out_of_date(has_corners);
        copy
    }

    /// Returns the number of words that a copy takes over.
    pub(crate) fn words(&self) -> usize {
        self.halts.iter().chain([&self.blocked]).map(Bits::memory_bytes).sum::<usize>() / 8
    }

    /// Returns the number of corners.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no corners: the ground is all open, or no path leads around an obstacle.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of stored connections, each counted from both its ends.
    pub fn stored(&self) -> usize {
        self.lists.stored()
    }

    /// Returns the bytes held.
    pub fn memory_bytes(&self) -> usize {
        let bits = self.halts.iter().chain([&self.blocked]).map(Bits::memory_bytes).sum::<usize>();
        bits + self.squares.memory_bytes() + self.lists.memory_bytes() + self.landmarks.memory_bytes()
    }
}

/// Returns a word of a line, and its copies shifted so that each bit holds its left and its right neighbor: `[left, here,
/// right]`.
fn around(line: &[u64], w: usize) -> [u64; 3] {
    let before = if w == 0 { u64::MAX } else { line[w - 1] };
    let after = line.get(w + 1).copied().unwrap_or(u64::MAX);
    [line[w] << 1 | before >> 63, line[w], line[w] >> 1 | after << 63]
}

fn along((x, y): Cell, (dx, dy): Way, steps: i32) -> Cell {
    (x + steps * dx, y + steps * dy)
}

/// Returns column and row of a node.
#[inline]
pub(crate) fn cell(grid: &Grid, n: NodeId) -> Cell {
    let (x, y) = grid.xy(n);
    (x.cast_signed(), y.cast_signed())
}

/// Returns `true` if a cell lies on the map.
fn is_inside(grid: &Grid, (x, y): Cell) -> bool {
    x.cast_unsigned() < grid.width() && y.cast_unsigned() < grid.height()
}

/// Returns the node of a cell on the map.
#[inline]
pub(crate) fn node(grid: &Grid, (x, y): Cell) -> NodeId {
    grid.node(x.cast_unsigned(), y.cast_unsigned()).unwrap_or(NodeId::NONE)
}
