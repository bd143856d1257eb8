//! The way out for a group that is stuck: a search over the joint moves of all units on a patch of the map (`LaCAM`;
//! Okumura, AAAI-23), kept from tick to tick.
//!
//! A node is where everybody stands. Each visit makes one successor by a PIBT step under a constraint: nobody is told
//! where to go at first, then one unit, then two, every combination in turn, so that in the end every joint move is
//! tried. The search goes deep first, and is complete on the patch up to its limits.

use alloc::vec;
use alloc::vec::Vec;

use super::cells::Cells;
use super::ground::{Around, Candidates, First, Ground, NONE, Near, Who, salt};
use super::pibt::Pibt;
use crate::graph::mix;
use crate::id::Cost;

/// Most cells of a patch.
pub(super) const MOST_CELLS: usize = 256;
/// Most units on it.
pub(super) const MOST_UNITS: usize = 64;
/// Most joint states of a search.
pub(super) const MOST_NODES: usize = 2048;
/// Most successors that are made.
pub(super) const MOST_VISITS: usize = 2 * MOST_NODES;
/// Longest plan.
pub(super) const LONGEST_PLAN: usize = 256;
/// No way.
const FAR: u16 = u16::MAX;

/// A part of the map, its cells numbered from 0, and what they are worth to the units on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    /// By number: the cell of the map.
    pub(super) cells: Vec<u32>,
    pub(super) around: Vec<Around>,
    /// By number: its place on the plane, to tell which diagonal moves cross.
    pub(super) places: Vec<(u32, u32)>,
    /// By unit, then by cell: how far it is from the unit's target.
    rows: Vec<u16>,
    /// Whether diagonal moves may cross, or there are none.
    pub(super) may_cross: bool,
    seed: u64,
    /// Counts the joint moves: every one has other ties.
    visit: u64,
}

impl Patch {
    /// What the ties depend on.
    pub(super) fn luck(&self) -> (u64, u64) {
        (self.seed, self.visit)
    }

    pub(super) fn set_luck(&mut self, seed: u64, visit: u64) {
        (self.seed, self.visit) = (seed, visit);
    }

    fn row(&self, unit: u32, cell: u32) -> u16 {
        self.rows[unit as usize * self.cells.len() + cell as usize]
    }

    /// A unit more that wants to this cell; one that does not care without.
    fn aim(&mut self, target: Option<u32>, queue: &mut Vec<u32>) {
        let (first, fill) = (self.rows.len(), if target.is_some() { FAR } else { 0 });
        self.rows.resize(first + self.cells.len(), fill);
        let Some(target) = target else { return };
        let row = &mut self.rows[first..];
        row[target as usize] = 0;
        queue.clear();
        queue.push(target);
        let mut head = 0;
        while head < queue.len() {
            let cell = queue[head];
            head += 1;
            for &next in self.around[cell as usize].cells() {
                if row[next as usize] == FAR {
                    row[next as usize] = row[cell as usize] + 1;
                    queue.push(next);
                }
            }
        }
    }
}

impl Ground for Patch {
    #[inline]
    fn around(&self, cell: u32) -> Around {
        self.around[cell as usize]
    }

    #[inline]
    fn value(&mut self, unit: u32, cell: u32) -> u32 {
        u32::from(self.row(unit, cell))
    }

    #[inline]
    fn near(&self, at: u32, taken: &Cells) -> Near {
        let mut near = Near::new(at);
        for (k, &cell) in self.around[at as usize].cells().iter().enumerate() {
            near.put(k, cell, taken.has(cell));
        }
        near
    }

    fn first(&mut self, _: u32, _: &Near, _: Who<'_>) -> Option<First> {
        None
    }

    #[inline]
    fn rank(&mut self, unit: u32, near: &Near, closed: u32, _: Option<u32>, _: Who<'_>) -> Candidates {
        let mut values = [Cost::INF; 9];
        for k in near.places() {
            values[k] = Cost::new(u32::from(self.row(unit, near.cells[k].raw())));
        }
        Candidates::new(near.open & !closed, &values, u32::MAX, salt(self.seed, self.visit, unit))
    }

    #[inline]
    fn value_near(&mut self, unit: u32, near: &Near, place: usize) -> u32 {
        self.value(unit, near.cells[place].raw())
    }

    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let ((ax, ay), (bx, by)) = (self.places[from as usize], self.places[to as usize]);
        if self.may_cross || ax == bx || ay == by {
            return None;
        }
        // Who crosses stands on a neighbour of this cell, and goes to another of them.
        let find = |x, y| {
            let around = self.around[from as usize];
            around.cells().iter().copied().find(|&c| self.places[c as usize] == (x, y)).unwrap_or(NONE)
        };
        Some((find(ax, by), find(bx, ay)))
    }
}

/// A joint state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) depth: u32,
    /// Constraints to be tried, first and last.
    pub(super) queue: (u32, u32),
}

/// A unit that is told where to go, on top of those of `parent`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) parent: u32,
    pub(super) unit: u16,
    pub(super) cell: u16,
    pub(super) depth: u16,
    /// The next one in its node's queue.
    pub(super) next: u32,
}

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It goes on.
    Runs,
    /// It has found a way to this node.
    Found(u32),
    /// There is none within its limits.
    Failed,
}

/// A search over joint states.
#[derive(Clone, Debug)]
pub(super) struct JointSearch {
    pub(super) patch: Patch,
    pibt: Pibt,
    /// How many units there are.
    units: usize,
    /// By unit: where it wants to; [`NONE`] if it does not care.
    pub(super) targets: Vec<u32>,
    /// By unit: whether it has to be on its target in the end.
    pub(super) bound: Vec<bool>,
    /// By node, then by unit: where it stands, and for how many moves it has been off its target.
    pub(super) configs: Vec<u16>,
    pub(super) waits: Vec<u16>,
    pub(super) nodes: Vec<Node>,
    pub(super) told: Vec<Told>,
    /// Nodes to be visited, deepest last.
    pub(super) open: Vec<u32>,
    /// Finds nodes by a hash of where everybody stands.
    pub(super) table: Vec<u32>,
    order: Vec<u32>,
    queue: Vec<u32>,
    pub(super) visits: usize,
    pub(super) most_visits: usize,
}

impl JointSearch {
    pub(super) fn new() -> Self {
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

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let states = 2 * (self.configs.capacity() + self.waits.capacity() + self.patch.rows.capacity());
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.told.capacity() * size_of::<Told>();
        let patch = self.patch.around.capacity() * size_of::<Around>() + 12 * self.patch.cells.capacity();
        states + nodes + patch + 4 * (self.open.capacity() + self.table.capacity())
    }

    /// An empty patch without units.
    pub(super) fn clear(&mut self, seed: u64) {
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

    /// A unit more on a cell of the patch, which is complete; `is_bound` if it has to end on its target.
    pub(super) fn add(&mut self, at: u32, target: Option<u32>, is_bound: bool) {
        self.configs.push(at as u16);
        self.waits.push(0);
        self.add_unit(target, is_bound);
    }

    pub(super) fn add_unit(&mut self, target: Option<u32>, is_bound: bool) {
        self.patch.aim(target, &mut self.queue);
        self.targets.push(target.unwrap_or(NONE));
        self.bound.push(is_bound);
        self.units += 1;
    }

    /// Where a unit stood when the search began.
    pub(super) fn start(&self, unit: usize) -> usize {
        self.configs[unit] as usize
    }

    pub(super) fn units(&self) -> usize {
        self.units
    }

    /// Begins with the units where they are.
    pub(super) fn begin(&mut self, most_visits: usize) {
        self.most_visits = most_visits.min(MOST_VISITS);
        let first = self.tell(NONE, 0, 0, 0);
        self.nodes.push(Node { parent: NONE, depth: 0, queue: (first, first) });
        let slot = self.find(0);
        self.table[slot] = 0;
        self.open.push(0);
    }

    /// Makes one successor, which costs a move of each unit.
    pub(super) fn visit(&mut self) -> Progress {
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

    /// Whether the units can go from one joint state to another in one move.
    pub(super) fn is_move(&mut self, from: &[u16], to: &[u16]) -> bool {
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

    /// Queues the constraints that tell one unit more.
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
        self.told.push(Told { parent, unit: unit as u16, cell: cell as u16, depth, next: NONE });
        self.told.len() as u32 - 1
    }

    /// Plans a joint move under a constraint; whether there is one.
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

    /// Takes the planned move's outcome as a node, or finds it among those that there are.
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

    /// Where in the table a node's joint state is, or would be.
    pub(super) fn find(&self, node: u32) -> usize {
        let config = |node: u32| &self.configs[node as usize * self.units..][..self.units];
        let mine = config(node);
        let hash = mine.iter().fold(0, |hash: u64, &cell| mix(hash ^ u64::from(cell)).wrapping_add(1));
        let mut slot = hash as usize % self.table.len();
        while self.table[slot] != NONE && config(self.table[slot]) != mine {
            slot = (slot + 1) % self.table.len();
        }
        slot
    }

    /// Where everybody stands, step by step, on the way to a node: cells of the patch, unit after unit.
    pub(super) fn plan(&self, node: u32, out: &mut Vec<u16>) {
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
        // A shorter way to a node in the middle was found: what is missing in front is not there.
        out.drain(..end);
    }
}
