//! The last resort for a group that is stuck: a search over the joint moves of all units on a patch of the map (`LaCAM`;
//! Okumura, AAAI-23), kept from tick to tick.
//!
//! A node has the cells of all units. Each visit makes one successor by a PIBT step under a constraint, which prescribes the moves of no
//! unit at first, then of one, then of two, every combination in turn, so that every joint move is tried in the end. The search goes
//! deep first, and is complete on the patch up to its limits.

use alloc::vec;
use alloc::vec::Vec;

use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::neighbors::Around;
use crate::fleet::resolver::pibt::Pibt;
use crate::fleet::unjam::patch::Patch;
use crate::graph::splitmix64;

/// Maximum number of cells of a patch.
pub(crate) const MOST_CELLS: usize = 256;
/// Maximum number of units on it.
pub(crate) const MOST_UNITS: usize = 64;
/// Maximum number of joint states of a search.
pub(crate) const MOST_NODES: usize = 2048;
/// Maximum number of successors that are made.
pub(crate) const MOST_VISITS: usize = 2 * MOST_NODES;
/// Maximum length of a plan.
pub(crate) const LONGEST_PLAN: usize = 256;
/// A joint state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    /// Constraints to be tried, first and last.
    pub(crate) queue: (u32, u32),
}

/// A prescribed move of one unit, in addition to those of `parent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constraint {
    pub(crate) parent: u32,
    pub(crate) unit: u16,
    pub(crate) cell: u16,
    pub(crate) depth: u16,
    /// The next one in its node's queue.
    pub(crate) next: u32,
}

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It has not ended.
    Runs,
    /// It has found a plan, which ends in this node.
    Found(u32),
    /// There is no plan within its limits.
    Failed,
}

/// A search over joint states.
#[derive(Clone, Debug)]
pub(crate) struct JointSearch {
    pub(crate) patch: Patch,
    pibt: Pibt,
    /// The number of units.
    units: usize,
    /// By unit: its target; [`NONE`] if any cell will do.
    pub(crate) targets: Vec<u32>,
    /// By unit: whether it must be on its target in the end.
    pub(crate) bound: Vec<bool>,
    /// By node, then by unit: its cell, and the number of moves since it was last on its target.
    pub(crate) configs: Vec<u16>,
    pub(crate) waits: Vec<u16>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) told: Vec<Constraint>,
    /// Open nodes, deepest last.
    pub(crate) open: Vec<u32>,
    /// Finds nodes by a hash of the cells of all units.
    pub(crate) table: Vec<u32>,
    order: Vec<u32>,
    queue: Vec<u32>,
    pub(crate) visits: usize,
    pub(crate) most_visits: usize,
}

impl JointSearch {
    pub(crate) fn new() -> Self {
        let mut pibt = Pibt::new(MOST_CELLS);
        (pibt.swaps, pibt.empty_pockets) = (true, true);
        for _ in 0..MOST_UNITS {
            pibt.grow();
        }
        let patch = Patch {
            cells: Vec::with_capacity(MOST_CELLS),
            around: Vec::with_capacity(MOST_CELLS),
            places: Vec::with_capacity(MOST_CELLS),
            rows: Vec::with_capacity(MOST_CELLS * MOST_UNITS),
            ..Patch::default()
        };
        Self {
            patch,
            pibt,
            units: 0,
            targets: Vec::with_capacity(MOST_UNITS),
            bound: Vec::with_capacity(MOST_UNITS),
            configs: Vec::with_capacity(MOST_NODES * MOST_UNITS),
            waits: Vec::with_capacity(MOST_NODES * MOST_UNITS),
            nodes: Vec::with_capacity(MOST_NODES),
            told: Vec::with_capacity(10 * MOST_VISITS),
            open: Vec::with_capacity(MOST_NODES + MOST_VISITS),
            table: vec![NONE; 2 * MOST_NODES],
            order: Vec::with_capacity(MOST_UNITS),
            queue: Vec::with_capacity(MOST_CELLS),
            visits: 0,
            most_visits: MOST_VISITS,
        }
    }

    /// Returns the bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        let states = 2 * (self.configs.capacity() + self.waits.capacity() + self.patch.rows.capacity());
        let nodes =
            self.nodes.capacity() * size_of::<Node>() + self.told.capacity() * size_of::<Constraint>();
        let patch = self.patch.around.capacity() * size_of::<Around>() + 12 * self.patch.cells.capacity();
        states + nodes + patch + 4 * (self.open.capacity() + self.table.capacity())
    }

    /// Clears the patch and all units.
    pub(crate) fn clear(&mut self, seed: u64) {
        let patch = &mut self.patch;
        (patch.seed, patch.visit) = (seed, 0);
        patch.cells.clear();
        patch.around.clear();
        patch.places.clear();
        patch.rows.clear();
        self.lift_all();
        self.units = 0;
        self.targets.clear();
        self.bound.clear();
        self.configs.clear();
        self.waits.clear();
        self.nodes.clear();
        self.told.clear();
        self.open.clear();
        self.table.fill(NONE);
        self.visits = 0;
    }

    /// Adds a unit on a cell of the patch, which is complete; `is_bound` if it must end on its target.
    pub(crate) fn add(&mut self, at: u32, target: Option<u32>, is_bound: bool) {
        self.configs.push(at as u16);
        self.waits.push(0);
        self.add_unit(target, is_bound);
    }

    pub(crate) fn add_unit(&mut self, target: Option<u32>, is_bound: bool) {
        self.patch.aim(target, &mut self.queue);
        self.targets.push(target.unwrap_or(NONE));
        self.bound.push(is_bound);
        self.units += 1;
    }

    /// Returns the cell of a unit when the search began.
    pub(crate) fn start(&self, unit: usize) -> usize {
        self.configs[unit] as usize
    }

    pub(crate) fn units(&self) -> usize {
        self.units
    }

    /// Begins the search with the units on their cells.
    pub(crate) fn begin(&mut self, most_visits: usize) {
        self.most_visits = most_visits.min(MOST_VISITS);
        let first = self.tell(NONE, 0, 0, 0);
        self.nodes.push(Node { parent: NONE, depth: 0, queue: (first, first) });
        let slot = self.find(0);
        self.table[slot] = 0;
        self.open.push(0);
    }

    /// Makes one successor, which costs a move of each unit.
    pub(crate) fn visit(&mut self) -> Progress {
        let Some(&top) = self.open.last() else { return Progress::Failed };
        if self.is_goal(top) {
            return Progress::Found(top);
        }
        self.visits += 1;
        if self.visits >= self.most_visits || self.nodes.len() >= MOST_NODES {
            return Progress::Failed;
        }
        let (told, last) = self.nodes[top as usize].queue;
        if told == NONE || self.nodes[top as usize].depth as usize >= LONGEST_PLAN {
            self.open.pop();
            return Progress::Runs;
        }
        let next = self.told[told as usize].next;
        self.nodes[top as usize].queue = (next, if next == NONE { NONE } else { last });
        self.stand(top);
        self.tell_more(top, told);
        if self.make_move(told) {
            self.keep(top);
        }
        self.pibt.take_back();
        Progress::Runs
    }

    fn is_goal(&self, node: u32) -> bool {
        let bound = self.bound.iter().enumerate().filter(|(_, is_bound)| **is_bound);
        bound.map(|(unit, _)| unit).all(|unit| {
            let cell = self.configs[node as usize * self.units + unit];
            self.patch.row(unit as u32, u32::from(cell)) == 0
        })
    }

    /// Puts the units where a node has them, and orders them: longest off its target first.
    fn stand(&mut self, node: u32) {
        let first = node as usize * self.units;
        self.lift_all();
        self.order.clear();
        for unit in 0..self.units {
            self.pibt.place(unit as u32, u32::from(self.configs[first + unit]));
            let wait = self.waits[first + unit];
            let mut k = self.order.len();
            self.order.push(unit as u32);
            while k > 0 && self.waits[first + self.order[k - 1] as usize] < wait {
                self.order.swap(k - 1, k);
                k -= 1;
            }
        }
    }

    fn lift_all(&mut self) {
        for unit in 0..self.units as u32 {
            if self.pibt.at(unit) != NONE {
                self.pibt.lift(unit);
            }
        }
    }

    /// Returns `true` if the units can go from one joint state to another in one move.
    pub(crate) fn is_move(&mut self, from: &[u16], to: &[u16]) -> bool {
        self.lift_all();
        for (unit, &cell) in from.iter().enumerate() {
            if self.pibt.now_on[cell as usize] != NONE {
                return false;
            }
            self.pibt.place(unit as u32, u32::from(cell));
        }
        let mut is_sound = true;
        for (unit, (&from, &to)) in from.iter().zip(to).enumerate() {
            let (from, to) = (u32::from(from), u32::from(to));
            let is_near = from == to || self.patch.around[from as usize].cells().contains(&to);
            is_sound &= is_near && self.pibt.is_open(&self.patch, from, to);
            if !is_sound {
                break;
            }
            self.pibt.fix(unit as u32, to);
        }
        self.pibt.take_back();
        is_sound
    }

    /// Queues the constraints that prescribe the move of one more unit.
    fn tell_more(&mut self, node: u32, told: u32) {
        let depth = self.told[told as usize].depth;
        if depth as usize >= self.units {
            return;
        }
        let unit = self.order[depth as usize];
        let at = self.pibt.at(unit);
        let around = self.patch.around[at as usize];
        for &cell in around.cells().iter().chain([&at]) {
            let new = self.tell(told, unit, cell, depth + 1);
            let (first, last) = self.nodes[node as usize].queue;
            if first == NONE {
                self.nodes[node as usize].queue = (new, new);
            } else {
                self.told[last as usize].next = new;
                self.nodes[node as usize].queue = (first, new);
            }
        }
    }

    fn tell(&mut self, parent: u32, unit: u32, cell: u32, depth: u16) -> u32 {
        self.told.push(Constraint { parent, unit: unit as u16, cell: cell as u16, depth, next: NONE });
        self.told.len() as u32 - 1
    }

    /// Plans a joint move under a constraint. Returns `true` if there is one.
    fn make_move(&mut self, told: u32) -> bool {
        let mut told = self.told[told as usize];
        while told.depth > 0 {
            let (unit, cell) = (u32::from(told.unit), u32::from(told.cell));
            if !self.pibt.is_open(&self.patch, self.pibt.at(unit), cell) {
                return false;
            }
            self.pibt.fix(unit, cell);
            told = self.told[told.parent as usize];
        }
        self.patch.visit += 1;
        for k in 0..self.units {
            if !self.pibt.is_planned(self.order[k]) {
                self.pibt.plan(&mut self.patch, self.order[k]);
            }
        }
        self.pibt.is_sound()
    }

    /// Adds the outcome of the planned move as a node, unless there is such a node.
    fn keep(&mut self, from: u32) {
        let (first, new) = (from as usize * self.units, self.nodes.len() as u32);
        for unit in 0..self.units {
            let cell = self.pibt.next(unit as u32);
            let is_there = self.patch.row(unit as u32, cell) == 0;
            let wait = self.waits[first + unit];
            self.configs.push(cell as u16);
            self.waits.push(if is_there { 0 } else { wait.saturating_add(1) });
        }
        let depth = self.nodes[from as usize].depth + 1;
        let slot = self.find(new);
        let known = self.table[slot];
        if known == NONE {
            let told = self.tell(NONE, 0, 0, 0);
            self.nodes.push(Node { parent: from, depth, queue: (told, told) });
            self.table[slot] = new;
            self.open.push(new);
            return;
        }
        self.configs.truncate(new as usize * self.units);
        self.waits.truncate(new as usize * self.units);
        let node = &mut self.nodes[known as usize];
        if depth < node.depth {
            (node.parent, node.depth) = (from, depth);
        }
        self.open.push(known);
    }

    /// Returns the index of a node's joint state in the table, or the index at which it would be.
    pub(crate) fn find(&self, node: u32) -> usize {
        let config = |node: u32| &self.configs[node as usize * self.units..][..self.units];
        let mine = config(node);
        let hash = mine.iter().fold(0, |hash: u64, &cell| splitmix64(hash ^ u64::from(cell)).wrapping_add(1));
        let mut slot = hash as usize % self.table.len();
        while self.table[slot] != NONE && config(self.table[slot]) != mine {
            slot = (slot + 1) % self.table.len();
        }
        slot
    }

    /// Writes the joint states from the first one to a node: for each step, the cell of each unit, numbered within the patch.
    pub(crate) fn plan(&self, node: u32, out: &mut Vec<u16>) {
        out.clear();
        let steps = self.nodes[node as usize].depth as usize + 1;
        out.resize(steps * self.units, 0);
        let (mut node, mut end) = (node, out.len());
        loop {
            let config = &self.configs[node as usize * self.units..][..self.units];
            out[end - self.units..end].copy_from_slice(config);
            end -= self.units;
            node = self.nodes[node as usize].parent;
            if node == NONE || end == 0 {
                break;
            }
        }
        // A shorter path to a node in the middle was found: the steps missing in front do not exist.
        out.drain(..end);
    }
}
