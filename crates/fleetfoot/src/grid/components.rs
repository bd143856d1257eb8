//! Connected components of a grid that is edited: detects unreachable goals without a search.
//!
//! Every free cell has an id. Ids are joined in a union-find forest to *classes*. Connected cells always belong to
//! the same class, so cells of different classes are proved unreachable from each other. Opening a cell joins
//! classes at once. Closing a cell may split its class: a flood fill then starts from a cell of each possible
//! piece, all in parallel. It assigns new ids, which form *groups*. Groups that meet are joined; a group that
//! cannot grow is a complete component and becomes a class. Until then a group counts as its old class. If a cell
//! is closed inside a group, the group is dissolved and flooded again. The flood ends when no class has more than
//! one group. It visits about as many cells as the smaller pieces have, or the detour around the closed cell; after
//! the last edit, never more cells than the grid has.

mod flood;
mod forest;
#[cfg(feature = "serde")]
mod plain;
mod seeds;
#[cfg(any(test, feature = "serde"))]
mod sound;

#[cfg(feature = "serde")]
pub(crate) use self::plain::Plain;

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use self::forest::{Forest, NONE};
use self::seeds::Seeds;
use super::{Grid, Neighborhood};
use crate::graph::Graph;
use crate::id::NodeId;

/// The answer of [`Components::reachability`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachability {
    /// There is no path. This is proved.
    Unreachable,
    /// There is a path if the index is [exact](Components::is_exact); otherwise there may be one.
    Maybe,
}

/// Flag of a label: the cell is blocked.
const CLOSED: u32 = 1 << 31;
/// Flag of a label: the cell is in the queue of its id's flood.
const QUEUED: u32 = 1 << 30;
/// The straight moves of a cell.
const STRAIGHT: u8 = 0b1111;

/// An index of a grid's connected components.
///
/// Report each opened or closed cell with [`update_after_edit`](Self::update_after_edit) before the next query.
///
/// ```
/// use fleetfoot::{ChangeLog, Components, Grid, Reachability, Rules};
/// let mut grid = Grid::new(5, 1, Rules::default(), |_, _| 1)?;
/// let mut index = Components::new(&grid);
/// let (a, door, b) = (grid.node(0, 0).unwrap(), grid.node(2, 0).unwrap(), grid.node(4, 0).unwrap());
/// grid.set(door, 0, &mut ChangeLog::new())?;
/// index.update_after_edit(&grid, door);
/// assert_eq!(index.reachability(a, b), Reachability::Maybe); // not known yet
/// while !index.repair(&grid, 2) {}
/// assert_eq!(index.reachability(a, b), Reachability::Unreachable);
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Components {
    /// The id and two flags of each node.
    labels: Vec<u32>,
    forest: Forest,
    /// Flooded cells whose neighbors are still to be visited, without duplicates.
    queue: VecDeque<u32>,
    /// Cells to flood from: at least one in each piece of a class that may be split.
    seeds: Seeds,
    /// Number of seeds that the current flood has used.
    taken: usize,
    /// The number of the current flood. No entry has it if there is no flood.
    flood: u64,
    flooding: bool,
    /// Sum over all classes with groups of the number of groups minus one.
    excess: usize,
}

impl Components {
    /// Builds the index of a grid. Linear in the number of cells.
    pub fn new(grid: &Grid) -> Self {
        let labels = vec![CLOSED | NONE; grid.bound()];
        let (forest, queue, seeds) = (Forest::new(), VecDeque::new(), Seeds::new(grid.bound()));
        let mut index = Self { labels, forest, queue, seeds, taken: 0, flood: 1, flooding: false, excess: 0 };
        let mut stack = Vec::new();
        for n in (0..grid.bound()).map(NodeId::from_index).filter(|&n| grid.is_free(n)) {
            if index.is_open(n) {
                continue;
            }
            let class = index.forest.fresh(NONE, 0);
            index.assign(n, class);
            stack.push(n);
            while let Some(n) = stack.pop() {
                for e in grid.succs(n) {
                    if !index.is_open(e.to) {
                        index.assign(e.to, class);
                        stack.push(e.to);
                    }
                }
            }
        }
        index
    }

    /// Returns whether `b` can be reached from `a`. A blocked cell reaches only itself, and is reached only from
    /// itself.
    pub fn reachability(&self, a: NodeId, b: NodeId) -> Reachability {
        let class = |n| self.forest.class(self.forest.root(self.id(n)));
        let possible = a == b || (self.is_open(a) && self.is_open(b) && class(a) == class(b));
        if possible { Reachability::Maybe } else { Reachability::Unreachable }
    }

    /// Returns `true` if [`Reachability::Maybe`] means that there is a path.
    pub fn is_exact(&self) -> bool {
        !self.flooding
    }

    /// Returns the number of bytes held.
    pub fn memory_bytes(&self) -> usize {
        let cells = self.labels.capacity() + self.queue.capacity();
        cells * size_of::<u32>() + self.seeds.memory_bytes() + self.forest.memory_bytes()
    }

    /// Updates the index after a cell was opened or closed. After several edits, call it for each cell, in any
    /// order.
    pub fn update_after_edit(&mut self, grid: &Grid, n: NodeId) {
        match (grid.is_free(n), self.is_open(n)) {
            (true, false) => self.opened(grid, n),
            (false, true) => self.closed(grid, n),
            _ => {}
        }
    }

    /// Floods at most `cells` cells. Returns `true` if the index is exact. After the last edit that takes at most
    /// as many calls as the grid has cells, divided by `cells` and rounded up.
    pub fn repair(&mut self, grid: &Grid, cells: usize) -> bool {
        for _ in 0..cells {
            if !self.flooding || self.is_settled() {
                break;
            }
            // One seed and one cell per iteration: a seed without a flood is a cell that is blocked, already
            // flooded, or never flooded. So there are at most as many iterations as cells.
            self.take_seed();
            self.spread(grid);
        }
        if self.flooding && self.is_settled() {
            // The remaining groups keep counting as their classes.
            self.stop_flood();
            self.seeds.clear();
            self.flooding = false;
        }
        !self.flooding
    }

    fn opened(&mut self, grid: &Grid, n: NodeId) {
        let (mut class, mut group, mut id) = (NONE, NONE, NONE);
        for to in beside(grid, n) {
            if self.is_open(to) {
                id = self.id(to);
                let root = self.forest.find(id);
                class = self.join_classes(class, self.forest.class(root));
                if self.forest.is_group(root, self.flood) {
                    group = self.join_groups(group, root);
                }
            }
        }
        let left = self.waits_in(n);
        if group == NONE && left == NONE {
            let id = if id == NONE { self.forest.fresh(NONE, 0) } else { id };
            self.assign(n, id);
            return;
        }
        // The flood must pass through this cell. If the cell was closed while it was in the queue, it is still in
        // the queue, for its new group.
        let group = if group == NONE { self.launch(class) } else { group };
        let more = self.forest.count(group, self.flood) + 1;
        self.forest.put_count(group, self.flood, more);
        if left == NONE {
            self.queue.push_back(n.raw());
        } else {
            self.leave(left);
        }
        self.assign(n, group | QUEUED);
    }

    fn closed(&mut self, grid: &Grid, n: NodeId) {
        let (pieces, count) = Self::pieces(grid, n, |c| self.is_open(c));
        let root = self.forest.find(self.id(n));
        if self.forest.is_group(root, self.flood) {
            // The flooded part may be split, but the part not flooded yet may still connect it.
            let is_in_group = |c| self.is_open(c) && self.forest.root(self.id(c)) == root;
            if Self::pieces(grid, n, is_in_group).1 > 1 {
                self.dissolve(root);
            }
        }
        if count > 1 {
            if !core::mem::replace(&mut self.flooding, true) {
                self.stop_flood();
            }
            self.forest.doubt(root);
            // Components that were complete may have to be flooded again.
            self.taken = 0;
        }
        if self.waits_in(n) == NONE {
            self.assign(n, CLOSED | NONE);
        } else {
            self.labels[n.index()] |= CLOSED;
        }
        let handed_on = count == 1 && self.flooding && self.seeds.contains(n);
        if count > 1 || handed_on {
            pieces[..count].iter().for_each(|&piece| self.seeds.insert(piece));
        }
        if handed_on {
            // Every piece needs a seed. This one may have been used already, while it was blocked.
            self.flood_from(pieces[0]);
        }
    }

    /// Returns one open neighbor of `n` per set of neighbors that is connected within the ring around `n`.
    /// `is_open` must reflect the state of this index, so that edits can be reported after all were made.
    fn pieces(grid: &Grid, n: NodeId, is_open: impl Fn(NodeId) -> bool) -> ([NodeId; 4], usize) {
        const RING: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        let (x, y) = grid.xy(n);
        let ring = RING.map(|(dx, dy)| {
            let cell = grid.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            cell.filter(|&c| is_open(c))
        });
        let open = |k: usize| ring[k & 7].is_some();
        // Without corner cutting, diagonal moves connect nothing that straight moves do not.
        let cut = grid.rules().cut_corners && grid.rules().neighborhood == Neighborhood::Eight;
        let joined = |k: usize| open(k) && open(k + 2) && (cut || open(k + 1));
        let (mut pieces, mut count) = ([NodeId::NONE; 4], 0);
        for (k, cell) in ring.iter().enumerate() {
            let first = if k % 2 == 0 { !joined(k + 6) } else { cut && !open(k + 1) && !open(k + 7) };
            if let (Some(cell), true) = (cell, first) {
                pieces[count] = *cell;
                count += 1;
            }
        }
        match ring[0] {
            // All four sides are connected in a circle, which has no first one.
            Some(cell) if count == 0 => ([cell; 4], 1),
            _ => (pieces, count),
        }
    }

    /// Returns the group for which a cell is in the queue.
    fn waits_in(&self, n: NodeId) -> u32 {
        if self.labels[n.index()] & QUEUED == 0 {
            return NONE;
        }
        let root = self.forest.root(self.id(n));
        if self.forest.is_group(root, self.flood) { root } else { NONE }
    }

    /// Sets the id and the flags of a cell.
    fn assign(&mut self, n: NodeId, label: u32) {
        if label & NONE != NONE {
            self.forest.retain(label & NONE);
        }
        let old = core::mem::replace(&mut self.labels[n.index()], label);
        self.forest.release(old & NONE);
    }

    fn id(&self, n: NodeId) -> u32 {
        self.labels[n.index()] & NONE
    }

    fn is_open(&self, n: NodeId) -> bool {
        self.labels[n.index()] & CLOSED == 0
    }
}

/// Returns the cells connected to a cell directly. Without corner cutting, diagonal moves connect nothing that
/// straight moves do not.
fn beside(grid: &Grid, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let all = grid.moves(n) & if grid.rules().cut_corners { u8::MAX } else { STRAIGHT };
    let left = core::iter::successors(Some(all), |moves| Some(moves & moves.wrapping_sub(1)));
    left.take_while(|moves| *moves != 0).map(move |moves| grid.beside(n, moves.trailing_zeros() as usize))
}

#[cfg(test)]
mod tests;
