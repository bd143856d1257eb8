//! Subgoal graphs (Uras, Koenig & Hernández 2013): shortest paths on a uniform grid that stands still, found among the
//! corners of its obstacles.
//!
//! A *subgoal* is a free cell at a convex corner: diagonally across from a blocked cell, with both cells between them
//! free. Two cells are *directly* connected if every shortest way between them over open ground is free of obstacles and
//! of subgoals. Every shortest path can be cut at subgoals into such pieces, so a search over subgoals and the two ends
//! finds one. There are about as many subgoals as corners, and scaling a map up adds none.
//!
//! Holds for eight neighbours, cells of one weight, and diagonal moves that cut no corner.

mod bits;
mod search;

use alloc::vec::Vec;

use self::bits::Bits;
pub use self::search::SubgoalSearch;
use crate::graph::{Edge, Graph, Grid, Neighbours};
use crate::id::NodeId;

/// A cell by column and row.
type Cell = (i32, i32);
type Way = (i32, i32);

const DIAGONALS: [Way; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const STRAIGHTS: [Way; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The corners of a grid, and which of them are directly connected.
#[derive(Clone, Debug)]
pub struct SubgoalGraph {
    /// The subgoals, row by row, and the columns they lie in.
    subgoals: Vec<NodeId>,
    columns: Vec<u32>,
    /// By row: the number of its first subgoal.
    rows: Vec<u32>,
    /// By subgoal: its first edge. Edges lead to subgoals by their numbers.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// Where a walk along a row or a column must halt: obstacles and subgoals.
    halts: [Bits; 2],
    /// By rows.
    blocked: Bits,
}

impl SubgoalGraph {
    /// The subgoal graph of a grid; nothing where the rules or weights are others than it holds for.
    pub fn new(grid: &Grid) -> Option<Self> {
        let rules = grid.rules();
        if rules.neighbours != Neighbours::Eight || rules.cut_corners || !grid.is_uniform() {
            return None;
        }
        let mut graph = Self::bare(grid);
        graph.find_subgoals(grid);
        graph.first.push(0);
        for k in 0..graph.subgoals.len() {
            let (from, mut edges) = (graph.subgoals[k], core::mem::take(&mut graph.edges));
            graph.for_each_direct(cell(grid, from), |subgoal| {
                let cost = grid.h(from, graph.subgoals[subgoal as usize]);
                edges.push(Edge { to: NodeId::new(subgoal), cost });
            });
            graph.first.push(edges.len() as u32);
            graph.edges = edges;
        }
        Some(graph)
    }

    /// The obstacles alone.
    fn bare(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut blocked = Bits::new(height, width);
        let mut halts = [blocked.clone(), Bits::new(width, height)];
        for y in 0..height.cast_signed() {
            for x in 0..width.cast_signed() {
                if !grid.is_free(node(grid, (x, y))) {
                    blocked.set(y, x);
                    halts[0].set(y, x);
                    halts[1].set(x, y);
                }
            }
        }
        let (subgoals, columns, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { subgoals, columns, rows, first: Vec::new(), edges: Vec::new(), halts, blocked }
    }

    fn find_subgoals(&mut self, grid: &Grid) {
        for y in 0..grid.height().cast_signed() {
            self.rows.push(self.subgoals.len() as u32);
            for x in 0..grid.width().cast_signed() {
                if self.is_corner((x, y)) {
                    self.subgoals.push(node(grid, (x, y)));
                    self.columns.push(x.cast_unsigned());
                    self.halts[0].set(y, x);
                    self.halts[1].set(x, y);
                }
            }
        }
        self.rows.push(self.subgoals.len() as u32);
    }

    fn is_corner(&self, (x, y): Cell) -> bool {
        self.is_free((x, y))
            && DIAGONALS.iter().any(|&(dx, dy)| {
                !self.is_free((x + dx, y + dy)) && self.is_free((x + dx, y)) && self.is_free((x, y + dy))
            })
    }

    fn is_free(&self, (x, y): Cell) -> bool {
        !self.blocked.get(y, x)
    }

    /// Steps to the first obstacle or subgoal along a straight way.
    #[inline]
    fn halt(&self, (x, y): Cell, way: Way) -> i32 {
        match way {
            (1, 0) => self.halts[0].after(y, x),
            (-1, 0) => self.halts[0].before(y, x),
            (0, 1) => self.halts[1].after(x, y),
            _ => self.halts[1].before(x, y),
        }
    }

    /// Whether one can move diagonally.
    #[inline]
    fn passes(&self, (x, y): Cell, (dx, dy): Way) -> bool {
        self.is_free((x + dx, y + dy)) && self.is_free((x + dx, y)) && self.is_free((x, y + dy))
    }

    /// Calls for every subgoal that is directly connected with a free cell.
    fn for_each_direct(&self, from: Cell, mut found: impl FnMut(u32)) {
        let mut look = |at: Cell| {
            if self.is_free(at) {
                found(self.number(at));
            }
        };
        for way in STRAIGHTS {
            look(along(from, way, self.halt(from, way)));
        }
        for diagonal @ (dx, dy) in DIAGONALS {
            let sides = [(dx, 0), (0, dy)];
            // Beyond a diagonal step, cells are reached over all those before it: no farther to the side than there.
            let mut clear = sides.map(|side| self.halt(from, side) - 1);
            let mut at = from;
            while self.passes(at, diagonal) {
                at = along(at, diagonal, 1);
                if self.halts[0].get(at.1, at.0) {
                    look(at);
                    break;
                }
                for (side, clear) in sides.into_iter().zip(&mut clear) {
                    if *clear > 0 {
                        let halt = self.halt(at, side);
                        if halt <= *clear {
                            look(along(at, side, halt));
                        }
                        *clear = (*clear).min(halt - 1);
                    }
                }
            }
        }
    }

    /// The number of the subgoal in a cell that has one.
    fn number(&self, (x, y): Cell) -> u32 {
        let row = y.cast_unsigned() as usize;
        let (first, end) = (self.rows[row], self.rows[row + 1]);
        let columns = &self.columns[first as usize..end as usize];
        first + columns.partition_point(|&column| column < x.cast_unsigned()) as u32
    }

    /// Edges from a subgoal to others, by their numbers.
    fn edges(&self, subgoal: usize) -> &[Edge] {
        &self.edges[self.first[subgoal] as usize..self.first[subgoal + 1] as usize]
    }

    /// How many subgoals there are.
    pub fn len(&self) -> usize {
        self.subgoals.len()
    }

    /// Whether there are no subgoals: the ground is all open, or there is no way round anything.
    pub fn is_empty(&self) -> bool {
        self.subgoals.is_empty()
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let numbers = self.columns.capacity() + self.rows.capacity() + self.first.capacity();
        let bits = self.halts.iter().chain([&self.blocked]).map(Bits::memory_bytes).sum::<usize>();
        4 * (self.subgoals.capacity() + numbers) + size_of::<Edge>() * self.edges.capacity() + bits
    }
}

fn along((x, y): Cell, (dx, dy): Way, steps: i32) -> Cell {
    (x + steps * dx, y + steps * dy)
}

fn cell(grid: &Grid, n: NodeId) -> Cell {
    let (x, y) = grid.xy(n);
    (x.cast_signed(), y.cast_signed())
}

/// The node of a cell on the map.
fn node(grid: &Grid, (x, y): Cell) -> NodeId {
    grid.node(x.cast_unsigned(), y.cast_unsigned()).unwrap_or(NodeId::NONE)
}
