//! Exact distances on small maps: for each goal a row with a bit or two for each free cell, shared by all units that go there.
//!
//! In crowds on cluttered ground nothing is as good as exact distances, and on small maps they are cheap: at most a kilobyte for
//! each goal, and a search of microseconds. A distance is in moves, which take a tick each, and a row holds it modulo 4: a unit
//! knows its own distance, and a move makes a difference of one at most. With four moves, a cell's color on the chessboard says whether
//! its distance is even, and one bit is enough. A question about a cell farther away makes the whole distances again ([`Survey`]).

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec;
use alloc::vec::Vec;

use crate::graph::Graph;
use crate::grid::{Grid, Neighborhood};
use crate::id::NodeId;

/// Maximum number of cells of a row, whatever the tuning says: a cell's place has 15 bits, and rows are made in one go.
const MOST_CELLS: usize = 4096;
/// Farther than any cell.
const FAR: u16 = u16::MAX;
/// The place of a cell that has none.
const NOWHERE: u16 = u16::MAX;
/// A place's bit for its color on the chessboard.
const COLOUR: u16 = 1 << 15;
/// Number of ticks without rows after a map edit: the map may change again.
const QUIET: u64 = 64;
/// Maximum number of unused rows for each used one. They are kept for later units.
const SPARE: usize = 16;

/// A row.
#[derive(Clone, Debug)]
struct Row {
    goal: NodeId,
    /// The number of units that use it.
    users: u32,
    /// Whether it is in the list of unused rows. It may be in use again.
    is_listed: bool,
}

/// All rows.
#[derive(Clone, Debug)]
pub(crate) struct DistanceRows {
    /// Maximum number of free cells of the map.
    most: usize,
    /// By node: its place in a row, and its color; [`NOWHERE`] for blocked cells.
    places: Vec<u16>,
    cells: usize,
    /// Whether a cell has one bit in a row, not two.
    has_colours: bool,
    /// By place: the index in `next` of the first place next to it; one more at the end.
    first: Vec<u32>,
    next: Vec<u16>,
    all: Vec<Row>,
    /// The distances of all rows modulo 4, `words` words each.
    bits: Vec<u64>,
    words: usize,
    by_goal: BTreeMap<NodeId, u32>,
    /// Unused rows, longest unused first. Some may be in use again.
    unused: VecDeque<u32>,
    /// There are no rows before this tick.
    pub(crate) after: u64,
    /// Whether places are those of the map before the last edits.
    is_stale: bool,
    /// The goal of the last row that was made or asked about, with all distances.
    pub(crate) survey: Survey,
}

/// The distances of all cells to one goal, as a search finds them. They can be made again at any time, and are not saved.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    goal: NodeId,
    /// Places in the order in which they are reached, and their distances by place.
    queue: Vec<u16>,
    reached: Vec<u16>,
}

impl DistanceRows {
    /// Returns the rows of a map, none yet, or `None` if it has more than `most` free cells.
    pub(crate) fn new(grid: &Grid, most: u64) -> Option<Self> {
        let mut rows = Self::stale(most);
        rows.is_stale = false;
        (grid.is_uniform() && rows.place(grid)).then_some(rows)
    }

    /// Returns the rows of a map that has changed: none. It can have rows while it has at most `most` free cells.
    pub(crate) fn stale(most: u64) -> Self {
        Self {
            most: most.min(MOST_CELLS as u64) as usize,
            is_stale: true,
            places: Vec::new(),
            cells: 0,
            has_colours: false,
            first: Vec::new(),
            next: Vec::new(),
            all: Vec::new(),
            bits: Vec::new(),
            words: 0,
            by_goal: BTreeMap::new(),
            unused: VecDeque::new(),
            after: 0,
            survey: Survey::default(),
        }
    }

    /// Gives every free cell its place. Returns `false` if there are too many.
    fn place(&mut self, grid: &Grid) -> bool {
        let free = |n: &NodeId| grid.is_free(*n);
        self.cells = (0..grid.bound()).map(NodeId::from_index).filter(free).take(self.most + 1).count();
        if self.cells > self.most {
            return false;
        }
        self.has_colours = grid.rules().neighborhood == Neighborhood::Four;
        self.words = (self.cells * self.width()).div_ceil(64);
        self.places = vec![NOWHERE; grid.bound()];
        for (place, n) in (0..grid.bound()).map(NodeId::from_index).filter(free).enumerate() {
            let (x, y) = grid.xy(n);
            self.places[n.index()] = place as u16 | if (x + y) % 2 == 1 { COLOUR } else { 0 };
        }
        self.first.clear();
        self.next.clear();
        for n in (0..grid.bound()).map(NodeId::from_index).filter(free) {
            self.first.push(self.next.len() as u32);
            self.next.extend(grid.succs(n).map(|edge| self.places[edge.to.index()] & !COLOUR));
        }
        self.first.push(self.next.len() as u32);
        self.survey = Survey::default();
        true
    }

    /// Returns the number of bits of a cell in a row.
    #[inline]
    fn width(&self) -> usize {
        if self.has_colours { 1 } else { 2 }
    }

    /// Discards all rows and their users' numbers, because the map has changed.
    pub(crate) fn void(&mut self, now: u64) {
        self.all.clear();
        self.bits.clear();
        self.by_goal.clear();
        self.unused.clear();
        self.survey.goal = NodeId::NONE;
        (self.is_stale, self.after) = (true, now + QUIET);
    }

    /// Returns `true` if there can be rows now. After edits the map is examined once it has been quiet for some time; removed walls may have
    /// made it too large.
    pub(crate) fn is_ready(&mut self, grid: &Grid, now: u64) -> bool {
        if self.after > now {
            return false;
        }
        if core::mem::take(&mut self.is_stale) && !self.place(grid) {
            (self.is_stale, self.after) = (true, u64::MAX);
        }
        !self.is_stale
    }

    /// Returns `true` if any unit follows a row.
    pub(crate) fn are_used(&self) -> bool {
        self.all.iter().any(|row| row.users > 0)
    }

    /// Returns the row of a goal, if there is one, and counts another user.
    pub(crate) fn take(&mut self, goal: NodeId) -> Option<u32> {
        let &row = self.by_goal.get(&goal)?;
        self.all[row as usize].users += 1;
        Some(row)
    }

    /// Counts one user less of a row.
    pub(crate) fn give_back(&mut self, row: u32) {
        if let Some(known) = self.all.get_mut(row as usize) {
            known.users -= 1;
            if known.users == 0 && !core::mem::replace(&mut known.is_listed, true) {
                self.unused.push_back(row);
            }
        }
    }

    /// Makes the row of a goal for its first user. Also returns the number of cells examined.
    pub(crate) fn make(&mut self, goal: NodeId) -> (u32, usize) {
        let number = self.spare();
        self.all[number as usize] = Row { goal, users: 1, is_listed: false };
        let looked = self.fill(number);
        self.by_goal.insert(goal, number);
        (number, looked)
    }

    /// Writes a row. Returns the number of cells examined.
    fn fill(&mut self, row: u32) -> usize {
        let mut survey = core::mem::take(&mut self.survey);
        let goal = self.all[row as usize].goal;
        let looked = survey.search(self, goal);
        let colour = self.places.get(goal.index()).map_or(0, |place| place / COLOUR);
        let (first, width) = (row as usize * self.words, self.width());
        let words = &mut self.bits[first..first + self.words];
        // Counted from the goal's color, distances are even on the white cells.
        let (skipped, mask, from) = if self.has_colours { (1, 1, colour) } else { (0, 3, 0) };
        let bits = |far: u16| u64::from(far.wrapping_add(from) >> skipped & mask);
        for (word, far) in words.iter_mut().zip(survey.reached.chunks(64 / width)) {
            *word = far.iter().rev().fold(0, |word, &far| word << width | bits(far));
        }
        self.survey = survey;
        looked
    }

    /// Returns a row that can be written: the longest unused one, or a new one.
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
        self.add(NodeId::NONE);
        self.all.len() as u32 - 1
    }

    fn add(&mut self, goal: NodeId) {
        self.all.push(Row { goal, users: 0, is_listed: false });
        self.bits.resize(self.bits.len() + self.words, 0);
    }

    /// Returns the distance from one cell minus that from another, which a move leads to, or which is the same.
    #[inline]
    pub(crate) fn farther(&self, row: u32, from: NodeId, to: NodeId) -> i32 {
        debug_assert!(from == to || self.joins(from, to), "rows have differences of single moves only");
        let first = row as usize * self.words;
        let words = &self.bits[first..first + self.words];
        let at = |n: NodeId| {
            let place = self.places[n.index()];
            let bit = (place & !COLOUR) as usize * self.width();
            let bits = words.get(bit / 64).map_or(0, |word| word >> (bit % 64));
            if self.has_colours { (bits & 1) << 1 | u64::from(place >> 15) } else { bits & 3 }
        };
        match at(from).wrapping_sub(at(to)) & 3 {
            0 => 0,
            1 => 1,
            _ => -1,
        }
    }

    /// Returns `true` if a move led from one cell to another when the rows were made.
    fn joins(&self, from: NodeId, to: NodeId) -> bool {
        let place = |n: NodeId| self.places[n.index()];
        if place(from) == NOWHERE || place(to) == NOWHERE {
            return false;
        }
        let (from, to) = ((place(from) & !COLOUR) as usize, place(to) & !COLOUR);
        self.next[self.first[from] as usize..self.first[from + 1] as usize].contains(&to)
    }

    /// Returns the distance from a cell, by following the row. Returns `None` if no path leads to the goal.
    pub(crate) fn distance(&self, grid: &Grid, row: u32, from: NodeId) -> Option<u32> {
        let goal = self.all.get(row as usize)?.goal;
        let (moves, end) = self.downhill(grid, row, from).fold((0, from), |(moves, _), n| (moves + 1, n));
        (end == goal).then_some(moves)
    }

    /// Returns the cells from one to the goal, each a move nearer. If the map has changed since, as far as its old moves lead.
    pub(crate) fn downhill<'a>(
        &'a self,
        grid: &'a Grid,
        row: u32,
        from: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'a {
        let goal = self.all.get(row as usize).map_or(NodeId::NONE, |row| row.goal);
        let next = move |n: &NodeId| {
            let nearer = |to: &NodeId| self.joins(*n, *to) && self.farther(row, *n, *to) == 1;
            if *n == goal { None } else { grid.succs(*n).map(|edge| edge.to).find(nearer) }
        };
        core::iter::successors(Some(from), next).skip(1).take(MOST_CELLS)
    }

    /// Returns the goals of all rows with their users, in order, and the order in which rows became unused. These and the map are enough to
    /// rebuild the rows.
    pub(crate) fn goals(&self) -> (impl ExactSizeIterator<Item = NodeId> + '_, &VecDeque<u32>) {
        (self.all.iter().map(|row| row.goal), &self.unused)
    }

    /// Rebuilds saved rows, without users yet.
    pub(crate) fn restore(&mut self, grid: &Grid, goals: &[NodeId], unused: VecDeque<u32>) {
        for &goal in goals {
            let row = self.all.len() as u32;
            self.add(goal);
            if goal.is_some() && grid.is_free(goal) {
                self.fill(row);
                self.by_goal.insert(goal, row);
            }
        }
        for &row in &unused {
            self.all[row as usize].is_listed = true;
        }
        self.unused = unused;
    }

    /// Counts a loaded unit as a user of a row. Returns `false` if there is no such row, or it leads elsewhere.
    pub(crate) fn use_again(&mut self, row: u32, goal: NodeId) -> bool {
        let known = self.all.get_mut(row as usize).filter(|row| row.goal == goal);
        known.map(|row| row.users += 1).is_some()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let rows = self.all.len() * (size_of::<Row>() + 8 * self.words);
        let ground = 2 * (self.places.capacity() + self.next.capacity()) + 4 * self.first.capacity();
        rows + ground + self.survey.memory_bytes()
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self { goal: NodeId::NONE, queue: Vec::new(), reached: Vec::new() }
    }
}

impl Survey {
    /// Searches breadth first, without a branch for every neighbor, which the processor could not predict. Returns the number of cells
    /// examined.
    fn search(&mut self, rows: &DistanceRows, goal: NodeId) -> usize {
        let Self { queue, reached, .. } = self;
        // One place more than there are cells, since a search writes one beyond what it has reached.
        queue.resize(rows.cells + 1, 0);
        reached.clear();
        reached.resize(rows.cells, FAR);
        self.goal = goal;
        let Some(place) = rows.places.get(goal.index()).copied().filter(|&place| place != NOWHERE) else {
            return 0;
        };
        queue[0] = place & !COLOUR;
        reached[queue[0] as usize] = 0;
        let (mut head, mut end) = (0, 1);
        while head < end {
            let place = queue[head] as usize;
            head += 1;
            let farther = reached[place] + 1;
            for &next in &rows.next[rows.first[place] as usize..rows.first[place + 1] as usize] {
                let known = &mut reached[next as usize];
                let is_new = *known == FAR;
                *known = (*known).min(farther);
                queue[end] = next;
                end += usize::from(is_new);
            }
        }
        end
    }

    /// Returns the distance from a cell to the goal of a row, or `None` if no path leads there. Takes a search, unless the last question was
    /// about the same goal.
    pub(crate) fn distance(&mut self, rows: &DistanceRows, row: u32, from: NodeId) -> Option<u32> {
        let goal = rows.all[row as usize].goal;
        if self.goal != goal {
            self.search(rows, goal);
        }
        let place = rows.places[from.index()] & !COLOUR;
        self.reached.get(place as usize).filter(|&&far| far != FAR).map(|&far| u32::from(far))
    }

    fn memory_bytes(&self) -> usize {
        2 * (self.queue.capacity() + self.reached.capacity())
    }
}

#[cfg(test)]
mod tests;
