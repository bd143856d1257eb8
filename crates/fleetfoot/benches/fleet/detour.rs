//! A path queue with the constants of Detour's crowd: a unit with a new goal first searches a few expansions and
//! follows that path; then several units at a time get their searches, distributed over frames. Detour's iterations
//! are polygons of a mesh. Here an iteration is a cell in the first search, and a corner in the second: both take
//! about as long as a polygon.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use fleetfoot::{Graph, Grid, Map, Meter, NodeId, Scratch, Shortest, WorkKind, shortest_path};

use crate::Rival;
use crate::walkers::Walkers;

/// Number of concurrent searches, and of units admitted per frame.
const SLOTS: usize = 8;
/// Iterations of all searches per frame.
const ITERATIONS: u64 = 100;
/// Iterations of the first search.
const FIRST_LOOK: usize = 20;

/// A search that counts as done when its iterations are paid for. It is executed at once, which has no effect on the
/// result.
struct Slot {
    unit: usize,
    path: Vec<NodeId>,
    left: u64,
}

pub(crate) struct Detour {
    walkers: Walkers,
    truth: Map,
    known: Map,
    goals: Vec<NodeId>,
    /// Units that need a path, before the first search.
    asking: Vec<usize>,
    waiting: VecDeque<usize>,
    is_waiting: Vec<bool>,
    slots: VecDeque<Slot>,
    hopeless: Vec<usize>,
    scratch: Scratch,
}

impl Detour {
    pub(crate) fn new(
        (truth, known): (Map, Map),
        starts: &[NodeId],
        goals: &[NodeId],
        collisions: bool,
    ) -> Self {
        Self {
            walkers: Walkers::new(truth.grid(), starts, collisions),
            truth,
            known,
            goals: goals.to_vec(),
            asking: Vec::new(),
            waiting: VecDeque::new(),
            is_waiting: vec![false; starts.len()],
            slots: VecDeque::new(),
            hopeless: Vec::new(),
            scratch: Scratch::new(),
        }
    }

    fn ask(&mut self, unit: usize) {
        if !std::mem::replace(&mut self.is_waiting[unit], true) {
            self.asking.push(unit);
        }
    }

    /// Admits units while there are free slots. Their searches begin where their first path ends.
    fn admit(&mut self) {
        while self.slots.len() < SLOTS
            && let Some(unit) = self.waiting.pop_front()
        {
            let from = self.walkers.ahead(unit).last().copied().unwrap_or(self.walkers.at[unit]);
            let mut meter = Meter::unlimited();
            let found =
                shortest_path(self.known.grid(), from, self.goals[unit], &mut meter, &mut self.scratch);
            let path = if let Shortest::Path(path, _) = found { path } else { Vec::new() };
            self.slots.push_back(Slot { unit, path, left: meter.work()[WorkKind::Expand].max(1) });
        }
    }

    fn search(&mut self) {
        let mut left = ITERATIONS;
        while left > 0
            && let Some(slot) = self.slots.front_mut()
        {
            let some = left.min(slot.left);
            (left, slot.left) = (left - some, slot.left - some);
            if slot.left > 0 {
                break;
            }
            let Some(Slot { unit, path, .. }) = self.slots.pop_front() else { break };
            self.is_waiting[unit] = false;
            let Some(&first) = path.first() else {
                self.hopeless.push(unit);
                continue;
            };
            let mut cells = self.walkers.ahead(unit).to_vec();
            if cells.last() == Some(&first) {
                cells.pop();
            }
            cells.extend(path);
            self.walkers.give(self.truth.grid(), unit, cells);
        }
    }
}

impl Rival for Detour {
    fn order(&mut self) {
        (0..self.goals.len()).for_each(|unit| self.ask(unit));
    }

    fn set(&mut self, cell: NodeId, weight: u8) {
        self.known.set(cell, weight).expect("on the map");
        if self.truth.set(cell, weight).expect("on the map") {
            self.walkers.map_changed(self.truth.grid(), cell);
        }
        if weight > 0 {
            for unit in std::mem::take(&mut self.hopeless) {
                self.ask(unit);
            }
        }
    }

    fn tick(&mut self, budget: u64) {
        for unit in 0..self.goals.len() {
            if !self.is_waiting[unit] && self.walkers.is_broken(self.known.grid(), unit) {
                self.ask(unit);
            }
        }
        for unit in std::mem::take(&mut self.asking) {
            let path = first_look(self.known.grid(), self.walkers.at[unit], self.goals[unit]);
            self.walkers.give(self.truth.grid(), unit, path);
            self.waiting.push_back(unit);
        }
        self.admit();
        self.search();
        self.walkers.step(self.truth.grid(), budget);
    }

    fn at(&self, unit: usize) -> NodeId {
        self.walkers.at[unit]
    }

    fn has_way(&self, unit: usize) -> bool {
        self.walkers.has_path(unit)
    }

    fn is_there(&self, unit: usize) -> bool {
        self.walkers.at[unit] == self.goals[unit]
    }

    fn bytes(&self) -> usize {
        self.walkers.bytes() + 8 * self.waiting.capacity() + 5 * self.goals.len()
    }
}

/// Returns the path to the cell nearest to the goal after a few expansions of A*.
fn first_look(grid: &Grid, from: NodeId, to: NodeId) -> Vec<NodeId> {
    let mut open = BinaryHeap::from([(Reverse(grid.h(from, to).raw()), 0, from)]);
    let mut known = HashMap::from([(from, (0, from))]);
    let mut best = (grid.h(from, to).raw(), from);
    for _ in 0..FIRST_LOOK {
        let Some((_, g, n)) = open.pop() else { break };
        best = best.min((grid.h(n, to).raw(), n));
        for edge in grid.succs(n) {
            let cost = g + edge.cost.raw();
            if known.get(&edge.to).is_none_or(|&(old, _)| cost < old) {
                known.insert(edge.to, (cost, n));
                open.push((Reverse(cost + grid.h(edge.to, to).raw()), cost, edge.to));
            }
        }
    }
    let mut path = vec![best.1];
    while path[path.len() - 1] != from {
        path.push(known[&path[path.len() - 1]].1);
    }
    path.reverse();
    path
}
