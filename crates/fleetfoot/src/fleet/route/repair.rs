//! What changes of the map do to routes, and what searches among cells make of them.

use alloc::vec::Vec;

use crate::corners::{Cell, CellPath, cell, node};
use crate::fleet::cell_set::NONE;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::route::store::{Point, Routes};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};

/// Maximum number of cells along a route between two of its points, if searches are among cells: the ground may have weights.
const LONGEST_LEG: usize = 8;

/// Returns the columns and rows from one cell to another.
pub(crate) fn offset(grid: &Grid, from: NodeId, to: NodeId) -> Cell {
    let (from, to) = (cell(grid, from), cell(grid, to));
    (to.0 - from.0, to.1 - from.1)
}

/// Returns `true` if a point is not in sight of the one before, or of `from` for the first, and the number of points that were looked at.
pub(crate) fn is_broken<'a>(
    grid: &Grid,
    sight: &SightLines,
    from: Option<NodeId>,
    mut points: impl Iterator<Item = &'a Point>,
) -> (bool, usize) {
    let mut count = 0;
    let mut last = from.map(|from| cell(grid, from));
    let is_broken = points.any(|point| {
        count += 1;
        let at = cell(grid, point.cell);
        let from = last.replace(at).unwrap_or(at);
        !sight.is_open(from, at)
    });
    (is_broken, count)
}

/// Returns the points of a route up to the wall that breaks it, and the cell before that wall: where a unit waits for a door to open.
pub(crate) fn cut<'a>(
    grid: &Grid,
    sight: &SightLines,
    at: NodeId,
    points: impl Iterator<Item = &'a Point>,
) -> Vec<(NodeId, Cost)> {
    let mut left = Vec::new();
    let mut from = cell(grid, at);
    for point in points {
        let to = cell(grid, point.cell);
        if sight.is_open(from, to) {
            left.push((point.cell, point.rest));
            from = to;
            continue;
        }
        let mut end = from;
        for next in CellPath::new(grid.rules().neighborhood, from, to) {
            if !sight.is_open(end, next) {
                break;
            }
            end = next;
        }
        if end != from {
            let rest = grid.over_open_ground(to.0 - end.0, to.1 - end.1) + point.rest;
            left.push((node(grid, end), rest));
        }
        break;
    }
    left
}

/// Stores a route made of nodes, the last one first, each with the cost to go from there. Between corners every node is a point; between
/// cells those at which the route turns, and some more.
pub(crate) fn store(
    routes: &mut Routes,
    grid: &Grid,
    is_among_corners: bool,
    nodes: impl Iterator<Item = (NodeId, Cost)>,
) -> u32 {
    let mut route = NONE;
    let (mut last, mut skipped) = (None, 0);
    let mut direction = (0, 0);
    for (n, rest) in nodes {
        if is_among_corners {
            route = routes.put(n, rest, route);
            continue;
        }
        let (x, y) = cell(grid, n);
        let step = last.map_or((0, 0), |(lx, ly)| (x - lx, y - ly));
        let turns = last.is_none() || step != direction || skipped + 1 >= LONGEST_LEG;
        if turns {
            route = routes.put(n, rest, route);
            skipped = 0;
        } else {
            skipped += 1;
        }
        (last, direction) = (Some((x, y)), step);
    }
    route
}
