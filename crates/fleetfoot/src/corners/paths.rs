//! Shortest paths over corners in one go.

use alloc::vec::Vec;

use super::search::{Limit, QuerySearch, Stage, Terrain};
use super::{Cell, Corners, cell, node};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, WorkKind};
use crate::search::{Pools, SearchTools};

/// With fewer cells to a corner than this and without landmarks, cells are searched instead. Chosen between what was
/// measured: at 20 cells (small rooms) corners were some 6 times as fast; on random clutter, at 3 to 6, half as fast.
const MIN_CELLS_PER_CORNER: usize = 12;

/// Working memory for shortest paths over the corners of grids; one per thread.
#[derive(Debug)]
pub struct CornerPaths {
    search: QuerySearch,
    pools: Pools,
    expanded: u64,
}

impl CornerPaths {
    /// Creates memory for grids as large as this one.
    pub fn new(grid: &Grid) -> Self {
        Self { search: QuerySearch::for_queries(grid.bound()), pools: Pools::new(), expanded: 0 }
    }

    /// Returns the number of corners expanded in all searches so far.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Returns a shortest path between two free cells, both included; an empty one if there is none. The corners must be
    /// the grid's.
    pub fn path(&mut self, corners: &Corners, grid: &Grid, a: NodeId, b: NodeId) -> Vec<NodeId> {
        let mut meter = Meter::unlimited();
        let mut tools = SearchTools { meter: &mut meter, pools: &mut self.pools, probe: None };
        let found = shortest(&mut self.search, corners, grid, (a, b), &mut tools);
        self.expanded += meter.work()[WorkKind::Expand];
        found.map_or_else(|_| Vec::new(), |(path, _)| path)
    }
}

impl Corners {
    /// Returns `true` if a shortest path is found sooner over these corners than over all cells.
    pub(crate) fn beat_cells(&self, grid: &Grid) -> bool {
        (!self.are_dense(grid) || self.landmarks().is_some()) && self.lists.is_whole()
    }

    /// Returns `true` if there is a corner for every few cells.
    pub(crate) fn are_dense(&self, grid: &Grid) -> bool {
        self.len() * MIN_CELLS_PER_CORNER >= grid.width() as usize * grid.height() as usize
    }
}

/// Returns a shortest path and its cost, or the stage of the search if it ended without one.
pub(crate) fn shortest(
    search: &mut QuerySearch,
    corners: &Corners,
    grid: &Grid,
    (a, b): (NodeId, NodeId),
    tools: &mut SearchTools<'_>,
) -> Result<(Vec<NodeId>, Cost), Stage> {
    let (from, to) = (cell(grid, a), cell(grid, b));
    if !corners.is_free(from) || !corners.is_free(to) {
        return Err(Stage::NoPath);
    }
    let mut path = Vec::from([a]);
    if corners.is_open_between(from, to) {
        path.extend(corners.cells(from, to).map(|at| node(grid, at)));
        return Ok((path, grid.h(a, b)));
    }
    search.begin((grid, Some(corners)), (a, b), 0, tools);
    let stage = search.advance(&Terrain::new(grid, corners), Limit::NONE, tools);
    search.debt = 0;
    if stage != Stage::Done {
        return Err(stage);
    }
    let turns: Vec<Cell> = search.back_from(b).map(|(n, _)| cell(grid, n)).collect();
    for pair in turns.windows(2).rev() {
        path.extend(corners.cells(pair[1], pair[0]).map(|at| node(grid, at)));
    }
    Ok((path, search.g(b)))
}
