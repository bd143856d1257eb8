//! What writer and reader both know of a life so far, and what they foresee from it.
//!
//! A search mostly does what can be foreseen: an expanded node has the g, f and parent that it was opened with; a
//! neighbour's g is one move more, its f that plus its h. Only what differs is written.

use crate::format::meta::Costs;

/// Not a cell.
pub(crate) const NONE: u32 = u32::MAX;

/// Right, down, left, up, then the diagonals: the order of a cell's moves, as in `fleetfoot::Grid`.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The direction of a step to a neighbour.
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
    /// How much its h was seen to be above the initial one.
    pub(crate) excess: i32,
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// 2^56 / width, rounded up.
    inverse: u64,
    costs: Costs,
    goal: u32,
    /// What the present search looks for.
    target: u32,
    pub(crate) nodes: Vec<Node>,
    /// The planner's other search, if it has turned to one; and which of the two is the present one.
    other: Other,
    pub(crate) is_near: bool,
    /// By cell: what the agent takes it to weigh.
    pub(crate) believed: Vec<u8>,
    /// The end of the path that is being traced.
    pub(crate) traced: u32,
    /// The last `new + g` of a lesson.
    lesson: i64,
    is_skipping: bool,
    pub(crate) purse: EntryQuota,
}

/// A search that is not the present one. Each has its own tree.
#[derive(Clone, Debug)]
struct Other {
    target: u32,
    nodes: Vec<Node>,
    is_skipping: bool,
}

const BLANK: Node = Node { g: 0, f: 0, parent: NONE, excess: 0 };

/// How many entries may still be written that take no byte of their own, so that a small file of ill will is not read
/// for hours: in a tick one for each cell, in a life some hundred million.
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

    /// The cell one move away, if it is on the map.
    #[inline]
    pub(crate) fn neighbour(&self, cell: u32, d: usize) -> Option<u32> {
        let ((x, y), (dx, dy)) = (self.xy(cell), DIRECTIONS[d]);
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// The initial h of a cell, for the present target.
    #[inline]
    fn base(&self, cell: u32, target: u32) -> u32 {
        let ((x, y), (tx, ty)) = (self.xy(cell), self.xy(target));
        self.costs.distance(x.abs_diff(tx), y.abs_diff(ty))
    }

    #[inline]
    pub(crate) fn node(&self, cell: u32) -> Node {
        self.nodes[cell as usize]
    }

    /// A search begins. One that begins at the goal looks for the agent.
    pub(crate) fn search(&mut self, root: u32, at: u32) {
        self.is_skipping = false;
        self.target = if root == self.goal { at } else { self.goal };
        let f = self.base(root, self.target).saturating_add_signed(self.node(root).excess);
        let node = &mut self.nodes[root as usize];
        (node.g, node.f, node.parent) = (0, f, NONE);
    }

    /// The planner turns to its other search.
    pub(crate) fn swap_searches(&mut self) {
        let Other { target, nodes, is_skipping } = &mut self.other;
        // Most planners never have another.
        nodes.resize(self.nodes.len(), BLANK);
        std::mem::swap(target, &mut self.target);
        std::mem::swap(nodes, &mut self.nodes);
        std::mem::swap(is_skipping, &mut self.is_skipping);
        self.is_near = !self.is_near;
    }

    /// A cell's parent in one of the planner's searches.
    pub(crate) fn parent(&self, is_near: bool, cell: u32) -> u32 {
        let nodes = if is_near == self.is_near { &self.nodes } else { &self.other.nodes };
        nodes.get(cell as usize).map_or(NONE, |node| node.parent)
    }

    /// The g that a neighbour should have, reached by a move in direction `d`.
    #[inline]
    pub(crate) fn next_g(&self, from: u32, d: usize, to: u32) -> u32 {
        let weight = |cell: u32| self.believed[cell as usize];
        self.node(from).g.saturating_add(self.costs.cost(d, weight(from), weight(to)))
    }

    /// The f that a cell should have with this g and parent: f never falls along a path.
    #[inline]
    pub(crate) fn next_f(&self, from: u32, to: u32, g: u32) -> u32 {
        let h = self.base(to, self.target).saturating_add_signed(self.node(to).excess);
        g.saturating_add(h).max(self.node(from).f)
    }

    /// A cell was opened as foreseen.
    #[inline]
    pub(crate) fn set_predicted(&mut self, cell: u32, parent: u32, g: u32, f: u32) {
        let node = &mut self.nodes[cell as usize];
        (node.g, node.f, node.parent) = (g, f, parent);
    }

    /// A cell was opened, or expanded, not as foreseen: its h is another than was thought.
    pub(crate) fn told(&mut self, cell: u32, parent: u32, g: u32, f: u32) {
        let base = self.base(cell, self.target);
        let node = &mut self.nodes[cell as usize];
        (node.g, node.f, node.parent) = (g, f, parent);
        let excess = i64::from(f) - i64::from(g) - i64::from(base);
        node.excess = i32::try_from(excess).unwrap_or(if excess < 0 { i32::MIN } else { i32::MAX });
    }

    /// A search begins that is left out: nothing will be known of its g.
    pub(crate) fn skip(&mut self) {
        self.is_skipping = true;
    }

    /// What a lesson is told against: the last `new + g`, which is the same for all states of a search under RTAA*, less
    /// the state's g; or, where g is unknown, the value before.
    fn foreseen_lesson(&self, cell: u32) -> i64 {
        if self.is_skipping {
            return i64::from(self.base(cell, self.goal)) + i64::from(self.node(cell).excess);
        }
        self.lesson - i64::from(self.node(cell).g)
    }

    /// A lesson: what is written of it, given the new value.
    pub(crate) fn lesson(&mut self, cell: u32, new: u32) -> i64 {
        let told = i64::from(new) - self.foreseen_lesson(cell);
        self.learned(cell, new);
        told
    }

    /// The new value of a lesson, given what was written.
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

    /// How far a cell's learned value is above the initial one.
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
