//! Shortest paths among corners, in one go.

use alloc::vec::Vec;

use super::{Cell, Connections, Corners, Scan, Turns, cell, node};
use crate::graph::{Edge, Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::{Kind, Meter};
use crate::parts::{Flat, Halt, Nodes, OpenKind, Pools, Search, Ties, Tools};

/// With fewer cells to a corner than this, cells are searched instead. Chosen between what was measured: at 20 cells (small
/// rooms) corners were some 6 times as fast; on random clutter, at 3 to 6, an earlier form was half as fast.
const LEAST_CELLS_PER_CORNER: usize = 12;

/// The open list of searches among corners. Along a connection f can rise by as much as the map is wide, so no ring.
pub(crate) const OPEN: OpenKind = OpenKind::Heap(Ties::LargerG);

/// Working memory for searches among the corners of grids; one per thread.
#[derive(Debug)]
pub struct CornerSearch {
    search: Search<Flat>,
    pools: Pools,
    expanded: u64,
}

impl CornerSearch {
    /// Memory for this grid.
    pub fn new(grid: &Grid) -> Self {
        let bound = grid.bound();
        let search = Search::new(Flat::new(bound), OPEN, bound, Cost::INF);
        Self { search, pools: Pools::new(), expanded: 0 }
    }

    /// Corners expanded so far, in all searches.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// A shortest path between two free cells, both included; empty if there is none. The corners must be the grid's.
    pub fn path(&mut self, corners: &Corners, grid: &Grid, a: NodeId, b: NodeId) -> Vec<NodeId> {
        let mut meter = Meter::unlimited();
        let mut tools = Tools { meter: &mut meter, pools: &mut self.pools, probe: None };
        let found = shortest(&mut self.search, corners, grid, (a, b), &mut tools);
        self.expanded += meter.work()[Kind::Expand];
        found.map_or_else(Vec::new, |(path, _)| path)
    }
}

impl Corners {
    /// Whether a shortest path is found sooner among these corners than among all cells.
    pub(crate) fn are_few(&self, grid: &Grid) -> bool {
        let cells = grid.width() as usize * grid.height() as usize;
        self.len() * LEAST_CELLS_PER_CORNER < cells && self.lists.is_whole()
    }

    /// The ways on from a cell that a shortest path took from `before`; all of them if that is none.
    fn ways<'a>(&'a self, grid: &'a Grid, from: NodeId, before: NodeId) -> Ways<'a> {
        let at = cell(grid, from);
        let source = match self.connections(from) {
            Some(list) => Source::Stored(list),
            None => Source::Scanned(Sight {
                corners: self,
                scan: Scan::new(at, at),
                found: [at; 3],
                len: 0,
                next: 0,
            }),
        };
        Ways { grid, at, turns: self.turns_after(grid, before, at), source }
    }

    fn turns_after(&self, grid: &Grid, before: NodeId, at: Cell) -> Turns {
        before.some().map_or(Turns::ALL, |before| self.turns(cell(grid, before), at))
    }
}

/// A shortest path and its cost. The search must have a heap.
pub(crate) fn shortest(
    search: &mut Search<Flat>,
    corners: &Corners,
    grid: &Grid,
    (a, b): (NodeId, NodeId),
    tools: &mut Tools<'_>,
) -> Option<(Vec<NodeId>, Cost)> {
    let (from, to) = (cell(grid, a), cell(grid, b));
    if !corners.is_free(from) || !corners.is_free(to) {
        return None;
    }
    let mut path = Vec::from([a]);
    if corners.is_open_between(from, to) {
        path.extend(corners.walk(from, to).map(|at| node(grid, at)));
        return Some((path, grid.h(a, b)));
    }
    // The corners from which the goal can be reached directly; if it is one itself, its neighbours have it stored.
    let mut ends = Vec::new();
    if corners.connections(b).is_none() {
        corners.for_each_direct(to, |corner| ends.push(node(grid, corner)));
        ends.sort_unstable();
    }
    let succs = |n: NodeId, before: NodeId| {
        let last = ends.binary_search(&n).is_ok().then(|| Edge { to: b, cost: grid.h(n, b) });
        corners.ways(grid, n, before).chain(last)
    };
    search.start(a, grid.h(a, b), tools);
    if search.run(succs, |_, n| grid.h(n, b), b, tools) != Halt::Goal {
        return None;
    }
    let mut turns = Vec::from([to]);
    let mut n = search.nodes.parent(b);
    while n.is_some() {
        turns.push(cell(grid, n));
        n = search.nodes.parent(n);
    }
    let mut at: Cell = from;
    for &turn in turns.iter().rev() {
        path.extend(corners.walk(at, turn).map(|at| node(grid, at)));
        at = turn;
    }
    Some((path, search.nodes.g(b)))
}

/// The ways from a cell to corners that it is directly connected with.
struct Ways<'a> {
    grid: &'a Grid,
    at: Cell,
    turns: Turns,
    source: Source<'a>,
}

enum Source<'a> {
    Stored(Connections<'a>),
    Scanned(Sight<'a>),
}

impl Iterator for Ways<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        loop {
            let offset @ (dx, dy) = match &mut self.source {
                Source::Stored(list) => list.next()?,
                Source::Scanned(sight) => sight.next().map(|(x, y)| (x - self.at.0, y - self.at.1))?,
            };
            if self.turns.allow(offset) {
                let to = node(self.grid, (self.at.0 + dx, self.at.1 + dy));
                return Some(Edge { to, cost: self.grid.over_open_ground(dx, dy) });
            }
        }
    }
}

/// A scan as an iterator.
struct Sight<'a> {
    corners: &'a Corners,
    scan: Scan,
    /// What one advance has found: a diagonal's end, or a corner on either side.
    found: [Cell; 3],
    len: usize,
    next: usize,
}

impl Sight<'_> {
    fn next(&mut self) -> Option<Cell> {
        while self.next == self.len {
            if self.scan.is_done() {
                return None;
            }
            (self.len, self.next) = (0, 0);
            let Self { corners, scan, found, len, .. } = self;
            scan.advance(corners, |at| {
                found[*len] = at;
                *len += 1;
            });
        }
        self.next += 1;
        Some(self.found[self.next - 1])
    }
}
