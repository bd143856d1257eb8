//! Exact distances to every unit's goal, the usual preference in the multi-agent literature.

use fleetfoot::fleet::Costs;
use fleetfoot::{Cost, Graph, Grid, NodeId};

/// No path.
const FAR: u16 = u16::MAX;

/// A row of distances per unit, over the free cells.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The index of each node in a row.
    index: Vec<u32>,
    free: usize,
    /// The goal of each unit, and the distances to it.
    units: Vec<(NodeId, Vec<u16>)>,
    queue: Vec<(NodeId, u16)>,
    /// `true` if a cell within two steps of another can only be distinguished by costs.
    is_unit: bool,
}

impl Rows {
    /// Creates empty rows for a grid.
    pub fn new(grid: &Grid) -> Self {
        let mut index = vec![u32::MAX; grid.bound()];
        let mut free = 0;
        for n in (0..grid.bound()).map(NodeId::from_index).filter(|&n| grid.is_free(n)) {
            index[n.index()] = free as u32;
            free += 1;
        }
        let is_unit = grid.max_edge_cost() == Cost::new(1);
        Self { index, free, units: Vec::new(), queue: Vec::new(), is_unit }
    }

    /// Returns the number of units.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Returns `true` if there are no units.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Adds a unit with this goal.
    pub fn push(&mut self, grid: &Grid, goal: NodeId) {
        self.units.push((goal, vec![FAR; self.free]));
        self.set(grid, self.units.len() - 1, goal);
    }

    /// Sets the goal of a unit.
    pub fn set(&mut self, grid: &Grid, unit: usize, goal: NodeId) {
        let (place, row) = &mut self.units[unit];
        *place = goal;
        row.fill(FAR);
        row[self.index[goal.index()] as usize] = 0;
        self.queue.clear();
        self.queue.push((goal, 0));
        let mut head = 0;
        while head < self.queue.len() {
            let (n, d) = self.queue[head];
            head += 1;
            if row[self.index[n.index()] as usize] < d {
                continue;
            }
            for edge in grid.succs(n) {
                let known = &mut row[self.index[edge.to.index()] as usize];
                let new = u16::try_from(u32::from(d) + edge.cost.raw()).expect("distances of 16 bits");
                if new < *known {
                    *known = new;
                    self.queue.push((edge.to, new));
                    // Costs of 2 and 3: a short bubble pass keeps the queue sorted.
                    let mut k = self.queue.len() - 1;
                    while !self.is_unit && k > head && self.queue[k - 1].1 > new {
                        self.queue.swap(k - 1, k);
                        k -= 1;
                    }
                }
            }
        }
    }

    /// Returns a unit's goal.
    pub fn goal(&self, unit: usize) -> NodeId {
        self.units[unit].0
    }

    /// Returns the distance from a cell to a unit's goal. Infinite from blocked cells.
    #[inline]
    pub fn distance(&self, unit: usize, cell: NodeId) -> Cost {
        let row = &self.units[unit].1;
        let d = row.get(self.index[cell.index()] as usize).copied().unwrap_or(FAR);
        if d == FAR { Cost::INF } else { Cost::new(u32::from(d)) }
    }
}

impl Costs for Rows {
    #[inline]
    fn cost(&mut self, unit: u32, cell: NodeId) -> Cost {
        self.distance(unit as usize, cell)
    }
}
