//! Connected components of a grid that is edited: which goals are out of reach, without a search.
//!
//! Every free cell has an id, and ids are joined in a union-find forest into *classes*. Classes never split
//! what is connected, so two cells of different classes are proved unreachable from each other. Opening a
//! cell joins classes at once. Closing one that may have cut its class in pieces starts a flood from a cell of
//! each piece, all in step. The flood gives cells new ids, which form *groups*: groups that meet are joined,
//! and a group with nowhere left to go is a whole component and becomes a class of its own. Until then a group
//! stands for the class it came from. A closing within a group dissolves that group, and its cells are flooded again; others
//! go on. The flood ends when no class has more than one group left, so it costs about as much as the smaller pieces, or as the
//! way around; never more than all cells after the last edit.

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
use super::{Graph, Grid, Neighborhood};
use crate::id::NodeId;

/// What [`Components::reachability`] can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachability {
    /// There is no way: proved.
    Unreachable,
    /// There is a way if the index is [exact](Components::is_exact); otherwise there may be one.
    Maybe,
}

/// In a label, beside the id: the cell is blocked,
const CLOSED: u32 = 1 << 31;
/// it waits in the queue of the flood that its id belongs to.
const QUEUED: u32 = 1 << 30;
/// The straight ones of a cell's moves.
const STRAIGHT: u8 = 0b1111;

/// An index of a grid's connected components.
///
/// It must hear of every cell that is opened or closed ([`edited`](Self::edited)) before it is asked again.
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
    /// By node: an id and the two marks.
    labels: Vec<u32>,
    forest: Forest,
    /// Flooded cells whose neighbours are still to be seen; no cell twice.
    queue: VecDeque<u32>,
    /// Cells to flood from: one at least in every piece of a class that may have been cut.
    seeds: Seeds,
    /// How many seeds the present flood has taken up.
    taken: usize,
    /// The number of the present flood; nothing is marked with it when there is none.
    flood: u64,
    flooding: bool,
    /// By how many groups the classes that have groups have more than one.
    excess: usize,
}

impl Components {
    /// The index of a grid as it is. Looks at every cell.
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

    /// Whether `b` can be reached from `a`. Nothing reaches a blocked cell, and a blocked cell reaches nothing
    /// but itself.
    pub fn reachability(&self, a: NodeId, b: NodeId) -> Reachability {
        let class = |n| self.forest.class(self.forest.root(self.id(n)));
        let possible = a == b || (self.is_open(a) && self.is_open(b) && class(a) == class(b));
        if possible { Reachability::Maybe } else { Reachability::Unreachable }
    }

    /// Whether [`Reachability::Maybe`] means that there is a way.
    pub fn is_exact(&self) -> bool {
        !self.flooding
    }

    /// How much memory the index holds.
    pub fn memory_bytes(&self) -> usize {
        let cells = self.labels.capacity() + self.queue.capacity();
        cells * size_of::<u32>() + self.seeds.memory_bytes() + self.forest.memory_bytes()
    }

    /// Takes notice that a cell has been opened or closed in the grid. After several edits, to be called for each
    /// of the cells, in any order.
    pub fn update_after_edit(&mut self, grid: &Grid, n: NodeId) {
        match (grid.is_free(n), self.is_open(n)) {
            (true, false) => self.opened(grid, n),
            (false, true) => self.closed(grid, n),
            _ => {}
        }
    }

    /// Floods at most so many cells; true when the index is exact. That takes at most as many calls as the
    /// grid has cells, divided by `cells` and rounded up, counted from the last edit.
    pub fn repair(&mut self, grid: &Grid, cells: usize) -> bool {
        for _ in 0..cells {
            if !self.flooding || self.is_settled() {
                break;
            }
            // One seed and one cell in the same breath: a seed that needs no flood is a cell that is blocked,
            // flooded already or never to be flooded, so both together still take no more turns than there are cells.
            self.take_seed();
            self.spread(grid);
        }
        if self.flooding && self.is_settled() {
            // What is left of a group keeps standing for its class.
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
        // The flood must come through here. If the cell was closed while it waited in the queue it still
        // has its place there, and takes it up for its new group.
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
            // What has been flooded from here may have come apart, though what has not been may still join it.
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
            // What was settled before may have to be flooded after all.
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
            // No piece may ever lack a seed; and this one may have had its turn already, while it was blocked.
            self.flood_from(pieces[0]);
        }
    }

    /// One open neighbour of `n` for each set of them that is connected within the ring around `n`. What is open is to be
    /// the state that this index knows, so that edits can be told one by one after all were made.
    fn pieces(grid: &Grid, n: NodeId, is_open: impl Fn(NodeId) -> bool) -> ([NodeId; 4], usize) {
        const RING: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        let (x, y) = grid.xy(n);
        let ring = RING.map(|(dx, dy)| {
            let cell = grid.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            cell.filter(|&c| is_open(c))
        });
        let open = |k: usize| ring[k & 7].is_some();
        // Without cut corners, diagonals connect nothing that straight moves do not.
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
            // All four sides are joined in a circle, which has no first.
            Some(cell) if count == 0 => ([cell; 4], 1),
            _ => (pieces, count),
        }
    }

    /// The group in whose name a cell waits in the queue.
    fn waits_in(&self, n: NodeId) -> u32 {
        if self.labels[n.index()] & QUEUED == 0 {
            return NONE;
        }
        let root = self.forest.root(self.id(n));
        if self.forest.is_group(root, self.flood) { root } else { NONE }
    }

    /// Gives a cell another id and other marks.
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

/// The cells that a cell is joined with directly. Without cut corners, diagonals connect nothing that straight moves do not.
fn beside(grid: &Grid, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let all = grid.moves(n) & if grid.rules().cut_corners { u8::MAX } else { STRAIGHT };
    let left = core::iter::successors(Some(all), |moves| Some(moves & moves.wrapping_sub(1)));
    left.take_while(|moves| *moves != 0).map(move |moves| grid.beside(n, moves.trailing_zeros() as usize))
}

#[cfg(test)]
mod tests;
