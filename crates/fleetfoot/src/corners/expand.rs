//! Expansions of corners, and how root and goal are joined with the corners around them.

use super::names::Names;
use super::search::{CellSearch, CornerSearch, Pending, Table, Terrain, WORD};
use super::{Cell, Scan, Turns, cell, node};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::probe::SearchEvent;
use crate::search::SearchTools;

/// Work in quarters of the reading of a word: a connection that no shortest path follows, one that a shortest path may
/// follow, and a node that is new or reached at a lower cost. Measured by `--bench corners -- prices`.
const LOOK: u32 = 1;
const FOLLOW: u32 = 3;
const OPEN_NODE: u32 = 8;
/// Stored connections followed between two looks at the meter.
const PORTION: usize = 16;
/// Rings of tiles around a cell in which visible corners are looked for: twice as far as the first one lies, and at most
/// this many.
const MAX_RINGS: i32 = 20;
/// Maximum number of corners that are looked at. If there are more right around, or none is visible, a scan finds all
/// that are directly connected, which is as fast there.
const MAX_NEARBY: usize = 48;
/// Work in quarters of a word: a test of visibility, a ring of tiles or two corners' tiles, and eight empty tiles.
const GLANCE: u32 = 3;
const TILE: u32 = 4;
const EIGHT_TILES: u32 = 1;

/// Visible corners nearby.
struct Nearby {
    cells: [Cell; MAX_NEARBY],
    len: usize,
}

impl Nearby {
    fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells[..self.len].iter().copied()
    }
}

/// The node that is being expanded.
#[derive(Clone, Copy)]
struct Source {
    name: NodeId,
    at: Cell,
    g: Cost,
    turns: Turns,
}

impl Terrain<'_> {
    /// Returns `true` if the goal is visible from a cell.
    fn sees(&self, from: NodeId, goal: NodeId) -> bool {
        goal.is_some()
            && self.sight.is_some_and(|sight| sight.is_clear(cell(self.grid, from), cell(self.grid, goal)))
    }

    /// Returns visible corners near a cell and the work that finding them took. Returns `None` if only a scan can find them.
    fn nearby(&self, at: Cell) -> (Option<Nearby>, u32) {
        let Some(sight) = self.sight else { return (None, 0) };
        let mut nearby = Nearby { cells: [(0, 0); MAX_NEARBY], len: 0 };
        let (mut found, mut work) = (0, 0);
        let (mut last, mut is_crowded) = (MAX_RINGS, false);
        for ring in 0..=MAX_RINGS {
            work += EIGHT_TILES * ring.cast_unsigned() + TILE;
            for dy in -ring..=ring {
                // The upper and the lower edge, and the two ends between.
                let step = if dy.abs() == ring { 1 } else { 2 * ring };
                for dx in (-ring..=ring).step_by(step.max(1).cast_unsigned() as usize) {
                    let tile = ((at.0 >> 4) + dx, (at.1 >> 4) + dy);
                    self.corners.for_each_in_tile(self.grid, tile, |corner| {
                        found += 1;
                        if found <= MAX_NEARBY && corner != at && sight.is_clear(at, corner) {
                            nearby.cells[nearby.len] = corner;
                            nearby.len += 1;
                        }
                    });
                }
            }
            // Where the first one lies far away, others may lie a little farther on the other side.
            if nearby.len > 0 {
                last = last.min(2 * ring + 1);
            }
            is_crowded = found > MAX_NEARBY && ring <= 1;
            if ring >= last || found > MAX_NEARBY {
                break;
            }
        }
        work += (GLANCE + TILE / 2) * found.min(MAX_NEARBY) as u32;
        (Some(nearby).filter(|nearby| nearby.len > 0 && !is_crowded), work)
    }
}

impl<T: Table, N: Names> CornerSearch<T, N> {
    /// Does a piece of the work of joining the goal with corners if that must come before `next` is expanded. Returns
    /// `false` if nothing is left to do.
    pub(super) fn join_goal(
        &mut self,
        terrain: &Terrain<'_>,
        next: NodeId,
        tools: &mut SearchTools<'_>,
    ) -> bool {
        let is_root = next == self.root_name;
        if is_root && terrain.sees(self.root, self.goal) {
            // No corner is needed.
            self.joining = Scan::done();
        }
        // A scan finds the goal by itself. With stored connections one must know from where it can be reached, and
        // landmarks bound the cost to the goal by the corners around it.
        let is_stored = || !is_root && terrain.corners.connections(self.names.cell(next)).is_some();
        if !self.joining.is_done() && (terrain.landmarks.is_some() || terrain.sight.is_some() || is_stored())
        {
            self.join_on(terrain, tools);
            return true;
        }
        if let Some(landmarks) = terrain.landmarks.filter(|_| self.goal.is_some())
            && !self.bounds.are_of(landmarks)
        {
            self.bounds = landmarks.bounds_of(terrain.grid, self.goal, |end| self.names.for_each_end(end));
        }
        false
    }

    /// Looks for more corners around the goal.
    fn join_on(&mut self, terrain: &Terrain<'_>, tools: &mut SearchTools<'_>) {
        let around = cell(terrain.grid, self.goal);
        if self.joining == Scan::new(around, around) {
            let (nearby, work) = terrain.nearby(around);
            self.debt += work;
            if let Some(nearby) = nearby {
                for corner in nearby.iter() {
                    self.add_end(terrain.grid, corner, tools);
                }
                self.names.finish_ends();
                self.joining = Scan::done();
                return;
            }
        }
        let (mut scan, mut found) = (self.joining, 0);
        let words = scan.advance(terrain.corners, |corner| {
            found += 1;
            self.add_end(terrain.grid, corner, tools);
        });
        self.joining = scan;
        self.debt += WORD * words + N::RATE * FOLLOW * found;
        if self.joining.is_done() {
            self.names.finish_ends();
        }
    }

    fn add_end(&mut self, grid: &Grid, corner: Cell, tools: &mut SearchTools<'_>) {
        let name = self.names.name(node(grid, corner), tools.pools);
        self.names.add_end(name);
    }

    /// Follows some connections of the node that is being expanded.
    pub(super) fn expand(&mut self, terrain: &Terrain<'_>, tools: &mut SearchTools<'_>) {
        let Terrain { grid, corners, .. } = *terrain;
        let name = self.pending.node;
        let n = self.names.cell(name);
        let is_root = name == self.root_name;
        // A corner that is visible from the root need not be directly connected with it, and may be left in any direction.
        let tree = &self.search.nodes;
        let before = tree.parent(name).some();
        let before = before.filter(|&before| terrain.sight.is_none() || before != self.root_name);
        let at = cell(grid, n);
        let turns =
            before.map_or(Turns::ALL, |before| corners.turns(cell(grid, self.names.cell(before)), at));
        let source = Source { name, at, g: tree.g(name), turns };
        let is_joined = is_root && self.pending.scan.is_none() && self.expand_root(terrain, &source, tools);
        // Nothing leads on from a cell that was blocked after it had been reached.
        if !is_joined && corners.is_free(at) && !self.follow_connections(terrain, &source, tools) {
            return;
        }
        if !is_joined && self.names.is_end(name) {
            self.follow(terrain, &source, offset(at, cell(grid, self.goal)), tools);
        }
        self.search.open_max = self.search.open_max.max(self.search.open.len() as u64);
        self.pending = Pending::NONE;
    }

    /// Joins the root with the goal if that is visible, or else with visible corners nearby. Returns `false` if it must be
    /// scanned from.
    fn expand_root(&mut self, terrain: &Terrain<'_>, source: &Source, tools: &mut SearchTools<'_>) -> bool {
        if terrain.sees(self.root, self.goal) {
            self.debt += GLANCE;
            self.follow(terrain, source, offset(source.at, cell(terrain.grid, self.goal)), tools);
            return true;
        }
        if !terrain.corners.is_free(source.at) {
            return false;
        }
        let (nearby, work) = terrain.nearby(source.at);
        self.debt += work;
        let Some(nearby) = nearby else { return false };
        let root = Source { turns: Turns::ALL, ..*source };
        for to in nearby.iter() {
            self.follow(terrain, &root, offset(source.at, to), tools);
        }
        true
    }

    /// Follows a portion of a node's connections. Returns `true` if it was the last one.
    fn follow_connections(
        &mut self,
        terrain: &Terrain<'_>,
        source: &Source,
        tools: &mut SearchTools<'_>,
    ) -> bool {
        let corners = terrain.corners;
        let may_be_stored = source.name != self.root_name && self.pending.scan.is_none();
        let list = if may_be_stored { corners.connections(self.names.cell(source.name)) } else { None };
        if let Some(mut list) = list {
            if self.pending.next > 0 {
                list.nth(self.pending.next as usize - 1);
            }
            let portion = if tools.meter.is_limited() { PORTION } else { usize::MAX };
            let (mut all, mut ruled_out) = (0, 0);
            for by in list.by_ref().take(portion) {
                // Most are ruled out by the direction from which the node was reached.
                if source.turns.allow(by) {
                    self.follow(terrain, source, by, tools);
                } else {
                    ruled_out += 1;
                }
                all += 1;
            }
            self.pending.next += all;
            self.debt += N::RATE * LOOK * ruled_out;
            return list.is_empty();
        }
        let aim = if self.goal.is_some() { cell(terrain.grid, self.goal) } else { source.at };
        let mut scan = self.pending.scan.unwrap_or_else(|| Scan::new(source.at, aim));
        let words = scan.advance_within(corners, source.turns, |to| {
            self.relax(terrain, source, offset(source.at, to), tools);
        });
        self.debt += WORD * words;
        self.pending.scan = Some(scan);
        scan.is_done()
    }

    /// Follows a connection if a shortest path may follow it.
    #[inline]
    fn relax(&mut self, terrain: &Terrain<'_>, source: &Source, by: Cell, tools: &mut SearchTools<'_>) {
        if source.turns.allow(by) {
            self.follow(terrain, source, by, tools);
        } else {
            self.debt += N::RATE * LOOK;
        }
    }

    /// Reaches the cell that lies `by` columns and rows away. Called from five places, so it is one function.
    #[inline(never)]
    fn follow(&mut self, terrain: &Terrain<'_>, source: &Source, by: Cell, tools: &mut SearchTools<'_>) {
        let grid = terrain.grid;
        let to = node(grid, (source.at.0 + by.0, source.at.1 + by.1));
        self.debt += N::RATE * FOLLOW;
        let name = self.names.name(to, tools.pools);
        let g = source.g + grid.over_open_ground(by.0, by.1);
        let search = &mut self.search;
        let before = if tools.probe.is_some() { search.nodes.learned_h(name) } else { Cost::INF };
        let Some(place) = search.nodes.relax(name, g, source.name, tools.pools) else { return };
        self.debt += N::RATE * OPEN_NODE;
        let (goal, bounds) = (self.goal, &self.bounds);
        let h = search.nodes.estimate(name, || {
            if !goal.is_some() {
                return Cost::ZERO;
            }
            let open_ground = grid.h(to, goal);
            terrain
                .landmarks
                .map_or(open_ground, |landmarks| open_ground.max(landmarks.bound(grid, to, bounds)))
        });
        let f = self.pending.f.max(g + h);
        search.open.put(name, (f, g), place, &mut search.nodes, tools.pools);
        if tools.probe.is_some() {
            if before.is_finite() && h != before {
                tools.emit(SearchEvent::Learn { node: to, old: before, new: h });
            }
            tools.emit(SearchEvent::Open { node: to, parent: self.names.cell(source.name), g, f });
        }
    }
}

impl CellSearch {
    /// Finds the node of a tree of everything through which a cell lies nearest to the root. Returns it with the cost to
    /// the root, and the quarters of words that were read.
    pub(crate) fn nearest_in_tree(&self, grid: &Grid, from: NodeId) -> (Option<(NodeId, Cost)>, u32) {
        let Some(corners) = grid.corners() else {
            let g = self.g(from);
            return (g.is_finite().then_some((from, g)), 1);
        };
        let (at, root) = (cell(grid, from), cell(grid, self.root));
        let (mut scan, mut work) = (Scan::new(at, root), 0);
        let mut best = if self.g(from).is_finite() { Some((from, self.g(from))) } else { None };
        while !scan.is_done() {
            let mut found = 0;
            let words = scan.advance(corners, |to| {
                found += 1;
                let n = node(grid, to);
                let cost = self.g(n) + grid.h(from, n);
                if cost.is_finite() && best.is_none_or(|(_, least)| cost < least) {
                    best = Some((n, cost));
                }
            });
            work += WORD * words + FOLLOW * found;
        }
        (best, work)
    }
}

/// Returns the columns and rows from one cell to another.
fn offset(from: Cell, to: Cell) -> Cell {
    (to.0 - from.0, to.1 - from.1)
}
