//! Exact distances on small maps: for each goal a row with a byte for each free cell, shared by all units that go there.
//!
//! In crowds on cluttered ground nothing is as good as exact distances, and on small maps they are cheap: at most as many
//! bytes as a unit may have, and a search of microseconds. A distance is in moves, which take a tick each, and its byte
//! holds it modulo 256; a unit knows how far it is itself, so that it can tell all cells within 127 moves apart.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec;
use alloc::vec::Vec;

use crate::graph::{Graph, Grid};
use crate::id::NodeId;

/// Larger maps have no rows.
const MOST_CELLS: usize = 4096;
/// Farther than any cell.
const FAR: u16 = u16::MAX;
/// For so many ticks after a change of the map there are no rows: it may change again.
const QUIET: u64 = 64;
/// Rows that nobody uses are kept for those who come later, up to so many for each that is used.
const SPARE: usize = 16;

/// A row.
#[derive(Clone, Debug)]
struct Row {
    goal: NodeId,
    /// Units that use it.
    users: u32,
    /// Whether it is in the list of those that nobody uses. It may be used again since.
    is_listed: bool,
    distances: Vec<u8>,
}

/// All rows.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// By node: its place in a row; `u16::MAX` for those that have none.
    places: Vec<u16>,
    cells: usize,
    /// By place: the places next to it, from where on in `next`; one more at the end.
    first: Vec<u32>,
    next: Vec<u16>,
    all: Vec<Row>,
    by_goal: BTreeMap<NodeId, u32>,
    /// Rows that nobody uses, longest unused first. Some may be used again.
    unused: VecDeque<u32>,
    /// There are no rows before this tick.
    pub(super) after: u64,
    /// Whether places are those of the map as it was.
    is_stale: bool,
    /// Working memory of a search: places in the order in which they are reached, and how far they are.
    queue: Vec<u16>,
    reached: Vec<u16>,
}

impl Rows {
    /// No rows yet; nothing where the map is too large for them.
    pub(super) fn new(grid: &Grid) -> Option<Self> {
        let mut rows = Self::stale();
        rows.is_stale = false;
        (grid.is_uniform() && rows.place(grid)).then_some(rows)
    }

    /// No rows, of a map that has changed.
    pub(super) fn stale() -> Self {
        Self {
            is_stale: true,
            places: Vec::new(),
            cells: 0,
            first: Vec::new(),
            next: Vec::new(),
            all: Vec::new(),
            by_goal: BTreeMap::new(),
            unused: VecDeque::new(),
            after: 0,
            queue: Vec::new(),
            reached: Vec::new(),
        }
    }

    /// Gives every free cell its place; false if they are too many.
    fn place(&mut self, grid: &Grid) -> bool {
        let free = |n: &NodeId| grid.is_free(*n);
        self.cells = (0..grid.bound()).map(NodeId::from_index).filter(free).take(MOST_CELLS + 1).count();
        if self.cells > MOST_CELLS {
            return false;
        }
        self.places = vec![u16::MAX; grid.bound()];
        for (place, n) in (0..grid.bound()).map(NodeId::from_index).filter(free).enumerate() {
            self.places[n.index()] = place as u16;
        }
        self.first.clear();
        self.next.clear();
        for n in (0..grid.bound()).map(NodeId::from_index).filter(free) {
            self.first.push(self.next.len() as u32);
            self.next.extend(grid.succs(n).map(|edge| self.places[edge.to.index()]));
        }
        self.first.push(self.next.len() as u32);
        // One place more than there are cells, since a search writes one beyond what it has reached.
        self.queue = vec![0; self.cells + 1];
        self.reached = vec![FAR; self.cells];
        true
    }

    /// The map has changed: all rows are void, and so are their users' numbers.
    pub(super) fn void(&mut self, now: u64) {
        self.all.clear();
        self.by_goal.clear();
        self.unused.clear();
        (self.is_stale, self.after) = (true, now + QUIET);
    }

    /// Whether there can be rows now. After changes the map is looked at once it has been quiet for some time; walls may have
    /// been torn down until it is too large.
    pub(super) fn is_ready(&mut self, grid: &Grid, now: u64) -> bool {
        if self.after > now {
            return false;
        }
        if core::mem::take(&mut self.is_stale) && !self.place(grid) {
            (self.is_stale, self.after) = (true, u64::MAX);
        }
        !self.is_stale
    }

    /// The row of a goal, if there is one; it has a user more.
    pub(super) fn take(&mut self, goal: NodeId) -> Option<u32> {
        let &row = self.by_goal.get(&goal)?;
        self.all[row as usize].users += 1;
        Some(row)
    }

    /// A row has a user less.
    pub(super) fn give_back(&mut self, row: u32) {
        if let Some(known) = self.all.get_mut(row as usize) {
            known.users -= 1;
            if known.users == 0 && !core::mem::replace(&mut known.is_listed, true) {
                self.unused.push_back(row);
            }
        }
    }

    /// Makes the row of a goal; its first user is the one who asks. How many cells were looked at.
    pub(super) fn make(&mut self, goal: NodeId) -> (u32, usize) {
        let number = self.spare();
        let mut row = core::mem::replace(
            &mut self.all[number as usize],
            Row { goal, users: 1, is_listed: false, distances: Vec::new() },
        );
        row.distances.clear();
        row.distances.resize(self.cells, 0);
        let looked = self.search(goal, &mut row.distances);
        self.all[number as usize].distances = row.distances;
        self.by_goal.insert(goal, number);
        (number, looked)
    }

    /// A row that can be written: one that nobody has used for long, or a new one.
    fn spare(&mut self) -> u32 {
        let used = self.all.len() - self.unused.len().min(self.all.len());
        while self.unused.len() > SPARE + used / 4 {
            let Some(row) = self.unused.pop_front() else { break };
            self.all[row as usize].is_listed = false;
            if self.all[row as usize].users == 0 {
                self.by_goal.remove(&self.all[row as usize].goal);
                return row;
            }
        }
        self.all.push(Row { goal: NodeId::NONE, users: 0, is_listed: false, distances: Vec::new() });
        self.all.len() as u32 - 1
    }

    /// Breadth first, without a branch for every neighbour: whether it is new is as good as random.
    fn search(&mut self, goal: NodeId, distances: &mut [u8]) -> usize {
        let Self { first, next, queue, reached, .. } = self;
        reached.fill(FAR);
        let Some(place) = self.places.get(goal.index()).copied().filter(|&place| place != u16::MAX) else {
            return 0;
        };
        reached[place as usize] = 0;
        queue[0] = place;
        let (mut head, mut end) = (0, 1);
        while head < end {
            let place = queue[head] as usize;
            head += 1;
            let farther = reached[place] + 1;
            for &next in &next[first[place] as usize..first[place + 1] as usize] {
                let known = &mut reached[next as usize];
                let is_new = *known == FAR;
                *known = (*known).min(farther);
                queue[end] = next;
                end += usize::from(is_new);
            }
        }
        for (byte, &far) in distances.iter_mut().zip(reached.iter()) {
            *byte = far as u8;
        }
        end
    }

    /// How much farther it is from one cell than from another.
    #[inline]
    pub(super) fn farther(&self, row: u32, from: NodeId, to: NodeId) -> i32 {
        let distances = &self.all[row as usize].distances;
        let at = |n: NodeId| distances.get(self.places[n.index()] as usize).copied().unwrap_or(0);
        i32::from(at(from).wrapping_sub(at(to)).cast_signed())
    }

    /// How far it is from a cell: by going downhill. Nothing if no way leads to the goal.
    pub(super) fn distance(&self, grid: &Grid, row: u32, from: NodeId) -> Option<u32> {
        let goal = self.all.get(row as usize)?.goal;
        let (moves, end) = self.downhill(grid, row, from).fold((0, from), |(moves, _), n| (moves + 1, n));
        (end == goal).then_some(moves)
    }

    /// The cells from one to the goal, each a move nearer.
    pub(super) fn downhill<'a>(
        &'a self,
        grid: &'a Grid,
        row: u32,
        from: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'a {
        let goal = self.all.get(row as usize).map_or(NodeId::NONE, |row| row.goal);
        let next = move |n: &NodeId| {
            let nearer = |to: &NodeId| self.farther(row, *n, *to) == 1;
            if *n == goal { None } else { grid.succs(*n).map(|edge| edge.to).find(nearer) }
        };
        core::iter::successors(Some(from), next).skip(1).take(MOST_CELLS)
    }

    /// The goals of all rows with their users, in order, and the order in which rows fell out of use: with these and the map
    /// they can be made again.
    pub(super) fn goals(&self) -> (impl ExactSizeIterator<Item = NodeId> + '_, &VecDeque<u32>) {
        (self.all.iter().map(|row| row.goal), &self.unused)
    }

    /// The same rows again, of nobody yet.
    pub(super) fn restore(&mut self, grid: &Grid, goals: &[NodeId], unused: VecDeque<u32>) {
        for &goal in goals {
            let mut distances = vec![0; self.cells];
            if goal.is_some() && grid.is_free(goal) {
                self.search(goal, &mut distances);
                self.by_goal.insert(goal, self.all.len() as u32);
            }
            self.all.push(Row { goal, users: 0, is_listed: false, distances });
        }
        for &row in &unused {
            self.all[row as usize].is_listed = true;
        }
        self.unused = unused;
    }

    /// A unit uses a row again; false if there is no such row, or it leads elsewhere.
    pub(super) fn use_again(&mut self, row: u32, goal: NodeId) -> bool {
        let known = self.all.get_mut(row as usize).filter(|row| row.goal == goal);
        known.map(|row| row.users += 1).is_some()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let rows = self.all.len() * (size_of::<Row>() + self.cells);
        let ground = 2 * (self.places.capacity() + self.next.capacity()) + 4 * self.first.capacity();
        rows + ground + 2 * (self.queue.capacity() + self.reached.capacity())
    }
}
