//! Searches for units: from a unit to its goal, or from a goal to everywhere, for all units that share it. They pause when
//! the budget ends and go on in the next tick, whatever has changed on the map meanwhile; who takes a way out of one
//! looks whether it is still open.
//!
//! Where the grid has an index of corners the search is among corners, else among cells.

use alloc::vec::Vec;

use crate::corners::{Cell, Corners, OPEN, Scan, Turns, cell, node};
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::Kind;
use crate::parts::{Halt, Nodes, Rooted, Search, Tools, Tree};

/// Following a connection takes as long as reading so many words.
const WORDS_PER_CONNECTION: u32 = 3;
/// Connections between two looks at the meter.
const SOME: usize = 16;
/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// None has begun.
    Idle,
    /// It goes on.
    Runs,
    /// The goal has been reached, or everything where there is none.
    Done,
    /// There is no way.
    NoWay,
}

/// A node that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// None if no expansion is under way.
    pub(super) node: NodeId,
    pub(super) f: Cost,
    /// How many of its stored connections have been followed.
    pub(super) next: u32,
    /// The look around it, if its connections are not stored.
    pub(super) scan: Option<Scan>,
}

impl Pending {
    pub(super) const NONE: Self = Self { node: NodeId::NONE, f: Cost::ZERO, next: 0, scan: None };
}

/// A search.
#[derive(Clone, Debug)]
pub(super) struct Seeker {
    pub(super) search: Search<Tree>,
    pub(super) stage: Stage,
    pub(super) pending: Pending,
    /// The look around the goal, and the corners that it has found: sorted once it is done.
    pub(super) joining: Scan,
    pub(super) ends: Vec<NodeId>,
    /// Words read that are still to be paid for.
    pub(super) debt: u32,
    pub(super) root: NodeId,
    /// None if everything is sought.
    pub(super) goal: NodeId,
    /// The length of the map's log when it began.
    pub(super) begun: u64,
    /// Steps of its way that have been paid for.
    pub(super) traced: u64,
}

impl Seeker {
    pub(super) fn new(bound: usize) -> Self {
        Self {
            search: Search::new(Tree::new(bound), OPEN, bound, Cost::INF),
            stage: Stage::Idle,
            pending: Pending::NONE,
            joining: Scan::done(),
            ends: Vec::new(),
            debt: 0,
            root: NodeId::NONE,
            goal: NodeId::NONE,
            begun: 0,
            traced: 0,
        }
    }

    /// Begins a search; `goal` is none if it is to reach everything. `log` is the length of the map's log.
    pub(super) fn begin(&mut self, grid: &Grid, root: NodeId, goal: NodeId, log: u64, tools: &mut Tools<'_>) {
        (self.root, self.goal, self.begun, self.traced) = (root, goal, log, 0);
        let h = self.h(grid, root);
        self.search.clear(h);
        self.search.seed(root, Cost::ZERO, h, tools);
        self.pending = Pending::NONE;
        self.ends.clear();
        let around = grid.corners().filter(|_| goal.is_some()).map(|corners| (corners, cell(grid, goal)));
        self.joining = match around {
            // A goal that is a corner is found like any other.
            Some((corners, at)) if !corners.is_corner(at) => Scan::new(at, at),
            _ => Scan::done(),
        };
        self.stage = Stage::Runs;
    }

    /// How many nodes have been expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.search.closed()
    }

    #[inline]
    fn h(&self, grid: &Grid, n: NodeId) -> Cost {
        if self.goal.is_some() { grid.h(n, self.goal) } else { Cost::ZERO }
    }

    /// Goes on as far as the budget goes, and no farther than so many expansions.
    pub(super) fn go_on(&mut self, grid: &Grid, log: u64, most: u64, tools: &mut Tools<'_>) -> Stage {
        let Some(corners) = grid.corners() else { return self.among_cells(grid, log, most, tools) };
        let mut left = most;
        while self.stage == Stage::Runs && self.step(grid, corners, log, &mut left, tools) {}
        tools.meter.count(Kind::Page, tools.pools.fills());
        self.stage
    }

    /// The search has come to its end: nothing is left to be expanded.
    fn end(&mut self, log: u64) {
        self.stage = if !self.goal.is_some() {
            Stage::Done
        } else if log == self.begun {
            Stage::NoWay
        } else {
            // What has changed meanwhile may have opened a way.
            Stage::Idle
        };
    }

    fn among_cells(&mut self, grid: &Grid, log: u64, most: u64, tools: &mut Tools<'_>) -> Stage {
        let goal = self.goal;
        let h = |n: NodeId| if goal.is_some() { grid.h(n, goal) } else { Cost::ZERO };
        let search = &mut self.search;
        let halt = tools.within(most, |tools| search.run(|n, _| grid.succs(n), |_, n| h(n), goal, tools));
        match halt {
            Halt::Goal => self.stage = Stage::Done,
            Halt::Empty => self.end(log),
            Halt::Paused => {}
        }
        self.stage
    }

    /// One piece of work; false if the search has ended or the meter refuses.
    fn step(
        &mut self,
        grid: &Grid,
        corners: &Corners,
        log: u64,
        left: &mut u64,
        tools: &mut Tools<'_>,
    ) -> bool {
        self.debt -= tools.meter.charge_some(Kind::Scan, u64::from(self.debt)) as u32;
        if self.debt > 0 {
            return false;
        }
        if self.pending.node.is_some() {
            self.expand_on(grid, corners, tools);
            return true;
        }
        let Some((n, f)) = self.search.top() else {
            self.end(log);
            return false;
        };
        if n == self.goal {
            self.stage = Stage::Done;
            return false;
        }
        // A scan finds the goal by itself; where connections are stored one must know from where it can be reached.
        if !self.joining.is_done() && n != self.root && corners.connections(n).is_some() {
            self.join_on(grid, corners);
            return true;
        }
        if *left == 0 || !tools.meter.expand() {
            return false;
        }
        *left -= 1;
        self.search.skip();
        self.search.closed += 1;
        self.pending = Pending { node: n, f, ..Pending::NONE };
        true
    }

    /// Looks on around the goal.
    fn join_on(&mut self, grid: &Grid, corners: &Corners) {
        let (ends, mut found) = (&mut self.ends, 0);
        let words = self.joining.advance(corners, |corner| {
            found += 1;
            ends.push(node(grid, corner));
        });
        self.debt += words + WORDS_PER_CONNECTION * found;
        if self.joining.is_done() {
            self.ends.sort_unstable();
        }
    }

    /// Follows some more connections of the node that is being expanded.
    fn expand_on(&mut self, grid: &Grid, corners: &Corners, tools: &mut Tools<'_>) {
        let Pending { node: n, next, scan, .. } = self.pending;
        let at = cell(grid, n);
        let before = self.search.nodes.parent(n).some();
        let turns = before.map_or(Turns::ALL, |before| corners.turns(cell(grid, before), at));
        let list = if n == self.root || scan.is_some() { None } else { corners.connections(n) };
        let is_last = if !corners.is_free(at) {
            true
        } else if let Some(list) = list {
            let rest = list.get(next as usize..).unwrap_or(&[]);
            let now = &rest[..rest.len().min(SOME)];
            for &to in now {
                self.relax(grid, (n, at, turns), to, tools);
            }
            self.pending.next += now.len() as u32;
            self.debt += WORDS_PER_CONNECTION * now.len() as u32;
            let is_last = now.len() == rest.len();
            if is_last && self.ends.binary_search(&n).is_ok() {
                self.relax(grid, (n, at, turns), self.goal, tools);
            }
            is_last
        } else {
            let aim = if self.goal.is_some() { cell(grid, self.goal) } else { at };
            let mut scan = scan.unwrap_or_else(|| Scan::new(at, aim));
            let mut found = 0;
            let words = scan.advance(corners, |to| {
                found += 1;
                self.relax(grid, (n, at, turns), node(grid, to), tools);
            });
            self.debt += words + WORDS_PER_CONNECTION * found;
            self.pending.scan = Some(scan);
            scan.is_done()
        };
        if is_last {
            self.pending = Pending::NONE;
        }
    }

    /// The node being expanded leads to this one.
    #[inline]
    fn relax(
        &mut self,
        grid: &Grid,
        (n, at, turns): (NodeId, Cell, Turns),
        to: NodeId,
        tools: &mut Tools<'_>,
    ) {
        let there = cell(grid, to);
        let (dx, dy) = (there.0 - at.0, there.1 - at.1);
        if !turns.allow((dx, dy)) {
            return;
        }
        let g = self.search.nodes.g(n) + grid.over_open_ground(dx, dy);
        let search = &mut self.search;
        let Some(place) = search.nodes.relax(to, g, n, tools.pools) else { return };
        let h = if self.goal.is_some() { grid.h(to, self.goal) } else { Cost::ZERO };
        let f = self.pending.f.max(g + h);
        search.open.put(to, (f, g), place, &mut search.nodes, tools.pools);
    }

    /// How many nodes there are on the way to this one.
    pub(super) fn depth(&self, n: NodeId) -> u32 {
        self.search.nodes.depth(n)
    }

    /// What it costs from the root to a node; infinite if it was not reached.
    pub(super) fn g(&self, n: NodeId) -> Cost {
        self.search.nodes.g(n)
    }

    /// The nodes from this one back to the root, both included, each with its cost from the root.
    pub(super) fn back_from(&self, n: NodeId) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let tree = &self.search.nodes;
        core::iter::successors(n.some(), |&n| tree.parent(n).some()).map(|n| (n, tree.g(n)))
    }

    /// The end of the most promising way so far, and what a way over it costs at least.
    pub(super) fn most_promising(&mut self) -> Option<(NodeId, Cost)> {
        let next = self.pending.node.some().map(|n| (n, self.pending.f));
        next.or_else(|| self.search.top()).filter(|(n, _)| *n != self.root)
    }

    /// The node of a tree of everything over which a cell lies nearest to the root, and the cost of that; the words read.
    pub(super) fn join(&self, grid: &Grid, from: NodeId) -> (Option<(NodeId, Cost)>, u32) {
        let Some(corners) = grid.corners() else {
            let g = self.g(from);
            return (g.is_finite().then_some((from, g)), 1);
        };
        let (at, root) = (cell(grid, from), cell(grid, self.root));
        let (mut scan, mut words) = (Scan::new(at, root), 0);
        let mut best = if self.g(from).is_finite() { Some((from, self.g(from))) } else { None };
        while !scan.is_done() {
            let mut found = 0;
            let read = scan.advance(corners, |to| {
                found += 1;
                let n = node(grid, to);
                let cost = self.g(n) + grid.h(from, n);
                if cost.is_finite() && best.is_none_or(|(_, least)| cost < least) {
                    best = Some((n, cost));
                }
            });
            words += read + found;
        }
        (best, words)
    }
}
