//! The state that writer and reader share, and the predictions derived from it.
//!
//! Most of a search can be predicted: an expanded node has the g, f and parent that it was opened with; a neighbor's
//! g is one move more, its f that g plus its h. Only deviations are written.

use crate::format::meta::Costs;

/// Stands for no cell.
pub(crate) const NONE: u32 = u32::MAX;

/// Right, down, left, up, then the diagonals: the order of moves in `fleetfoot::Grid`.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// Returns the direction of a step to a neighbor.
#[inline]
pub(crate) fn direction(dx: i32, dy: i32) -> Option<usize> {
    const BY_STEP: [u8; 9] = [7, 3, 6, 2, 8, 0, 5, 1, 4];
    if dx.abs() > 1 || dy.abs() > 1 {
        return None;
    }
    let d = BY_STEP[((dy + 1) * 3 + dx + 1).cast_unsigned() as usize];
    (d < 8).then_some(d as usize)
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) g: u32,
    pub(crate) f: u32,
    /// Its parent in the search tree.
    pub(crate) parent: u32,
    /// Observed difference between its h and the initial one.
    pub(crate) excess: i32,
}

/// The shared state. See the module.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// 2^56 / width, rounded up.
    inverse: u64,
    costs: Costs,
    goal: u32,
    /// The target of the current search.
    target: u32,
    pub(crate) nodes: Vec<Node>,
    /// The planner's other search, if it has one; and which of the two is the current one.
    other: Other,
    pub(crate) is_near: bool,
    /// Believed weight of each cell.
    pub(crate) believed: Vec<u8>,
    /// The last cell of the path that is being traced.
    pub(crate) traced: u32,
    /// The last `new + g` of a value backup.
    lesson: i64,
    is_skipping: bool,
    pub(crate) purse: EntryQuota,
}

/// The search that is not the current one. Each search has its own tree.
#[derive(Clone, Debug)]
struct Other {
    target: u32,
    nodes: Vec<Node>,
    is_skipping: bool,
}

const BLANK: Node = Node { g: 0, f: 0, parent: NONE, excess: 0 };

/// Quota of zero-byte entries: one per cell in a tick, a few hundred million in a track. Bounds the decoding time of
/// malicious files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryQuota {
    cells: u64,
    tick: u64,
    life: u64,
}

impl EntryQuota {
    pub(crate) fn refill(&mut self) {
        self.tick = self.cells;
    }

    #[inline]
    pub(crate) fn take(&mut self) -> bool {
        if self.tick == 0 || self.life == 0 {
            return false;
        }
        self.tick -= 1;
        self.life -= 1;
        true
    }
}

impl Model {
    pub(crate) fn new(width: u32, height: u32, costs: Costs, goal: u32, believed: Vec<u8>) -> Self {
        let nodes = vec![BLANK; believed.len()];
        let purse = EntryQuota { cells: nodes.len() as u64, tick: 0, life: 1 << 28 };
        Self {
            width,
            height,
            inverse: (1 << 56) / u64::from(width) + 1,
            costs,
            goal,
            target: goal,
            nodes,
            other: Other { target: goal, nodes: Vec::new(), is_skipping: false },
            is_near: false,
            believed,
            traced: NONE,
            lesson: 0,
            is_skipping: false,
            purse,
        }
    }

    #[inline]
    pub(crate) fn xy(&self, cell: u32) -> (u32, u32) {
        // cell / width without a division: exact, since cells and widths are at most 2^28.
        let row = ((u128::from(cell) * u128::from(self.inverse)) >> 56) as u32;
        (cell - row * self.width, row)
    }

    /// Returns the neighbor in direction `d`, if it is on the map.
    #[inline]
    pub(crate) fn neighbour(&self, cell: u32, d: usize) -> Option<u32> {
        let ((x, y), (dx, dy)) = (self.xy(cell), DIRECTIONS[d]);
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Returns the initial h of a cell for a target.
    #[inline]
    fn base(&self, cell: u32, target: u32) -> u32 {
        let ((x, y), (tx, ty)) = (self.xy(cell), self.xy(target));
        self.costs.distance(x.abs_diff(tx), y.abs_diff(ty))
    }

    #[inline]
    pub(crate) fn node(&self, cell: u32) -> Node {
        self.nodes[cell as usize]
    }

    /// Begins a search. One that begins at the goal searches for the agent.
    pub(crate) fn search(&mut self, root: u32, at: u32) {
        self.is_skipping = false;
        self.target = if root == self.goal { at } else { self.goal };
        let f = self.base(root, self.target).saturating_add_signed(self.node(root).excess);
        let node = &mut self.nodes[root as usize];
        (node.g, node.f, node.parent) = (0, f, NONE);
    }

    /// Switches to the planner's other search.
    pub(crate) fn swap_searches(&mut self) {
        let Other { target, nodes, is_skipping } = &mut self.other;
        // Most planners never have a second search.
        nodes.resize(self.nodes.len(), BLANK);
        std::mem::swap(target, &mut self.target);
        std::mem::swap(nodes, &mut self.nodes);
        std::mem::swap(is_skipping, &mut self.is_skipping);
        self.is_near = !self.is_near;
    }

    /// Returns a cell's parent in one of the planner's searches.
    pub(crate) fn parent(&self, is_near: bool, cell: u32) -> u32 {
        let nodes = if is_near == self.is_near { &self.nodes } else { &self.other.nodes };
        nodes.get(cell as usize).map_or(NONE, |node| node.parent)
    }

    /// Predicts the g of a neighbor that is reached by a move in direction `d`.
    #[inline]
    pub(crate) fn next_g(&self, from: u32, d: usize, to: u32) -> u32 {
        let weight = |cell: u32| self.believed[cell as usize];
        self.node(from).g.saturating_add(self.costs.cost(d, weight(from), weight(to)))
    }

    /// Predicts the f of a cell with this g and parent: f never decreases along a path.
    #[inline]
    pub(crate) fn next_f(&self, from: u32, to: u32, g: u32) -> u32 {
        let h = self.base(to, self.target).saturating_add_signed(self.node(to).excess);
        g.saturating_add(h).max(self.node(from).f)
    }

    /// Sets g, f and parent of a cell that was opened as predicted.
    #[inline]
    pub(crate) fn set_predicted(&mut self, cell: u32, parent: u32, g: u32, f: u32) {
        let node = &mut self.nodes[cell as usize];
        (node.g, node.f, node.parent) = (g, f, parent);
    }

    /// Sets g, f and parent of a cell that differs from the prediction, and updates its excess h.
    pub(crate) fn told(&mut self, cell: u32, parent: u32, g: u32, f: u32) {
        let base = self.base(cell, self.target);
        let node = &mut self.nodes[cell as usize];
        (node.g, node.f, node.parent) = (g, f, parent);
        let excess = i64::from(f) - i64::from(g) - i64::from(base);
        node.excess = i32::try_from(excess).unwrap_or(if excess < 0 { i32::MIN } else { i32::MAX });
    }

    /// Begins a search that is not recorded, so its g are unknown.
    pub(crate) fn skip(&mut self) {
        self.is_skipping = true;
    }

    /// Predicts the value of an update: the last `new + g`, which RTAA* shares between all states of a search, minus
    /// the state's g. If g is unknown, it is the previous value.
    fn foreseen_lesson(&self, cell: u32) -> i64 {
        if self.is_skipping {
            return i64::from(self.base(cell, self.goal)) + i64::from(self.node(cell).excess);
        }
        self.lesson - i64::from(self.node(cell).g)
    }

    /// Returns the number that is written for an update to the value `new`.
    pub(crate) fn lesson(&mut self, cell: u32, new: u32) -> i64 {
        let told = i64::from(new) - self.foreseen_lesson(cell);
        self.learned(cell, new);
        told
    }

    /// Returns the new value of an update, given the number that was written.
    pub(crate) fn decode_value(&mut self, cell: u32, told: i64) -> Option<u32> {
        let new = u32::try_from(self.foreseen_lesson(cell).checked_add(told)?).ok()?;
        self.learned(cell, new);
        Some(new)
    }

    fn learned(&mut self, cell: u32, new: u32) {
        self.lesson = i64::from(new) + i64::from(self.node(cell).g);
        let excess = i64::from(new) - i64::from(self.base(cell, self.goal));
        self.nodes[cell as usize].excess = i32::try_from(excess).unwrap_or(i32::MAX);
    }

    /// Returns the difference between a cell's learned and its initial value.
    pub(crate) fn rise(&self, cell: u32, new: u32) -> u32 {
        new.saturating_sub(self.base(cell, self.goal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_are_exact() {
        let costs = Costs {
            unit: 1,
            straight: 1,
            diagonal: 1,
            weighted: false,
            h_straight: 1,
            h_diagonal: 2,
            least: 1,
        };
        for width in [1, 2, 3, 7, 100, 1023, 1024, 65_537, 1 << 27, (1 << 28) - 1, 1 << 28] {
            let model = Model::new(width, 1, costs, 0, Vec::new());
            for row in [0, 1, 2, 5, 1000, (1 << 28) / width - 1].map(u64::from) {
                for column in [0, 1, width / 2, width - 1].map(u64::from) {
                    let cell = row * u64::from(width) + column;
                    // No map has more cells.
                    if column < u64::from(width) && cell < 1 << 28 {
                        assert_eq!(model.xy(cell as u32), (column as u32, row as u32), "{width}");
                    }
                }
            }
        }
    }

    #[test]
    fn directions_are_those_of_the_table() {
        for (d, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            assert_eq!(direction(dx, dy), Some(d));
        }
        assert_eq!((direction(0, 0), direction(2, 0), direction(-1, 3)), (None, None, None));
    }
}
