//! The store of all routes: lists of points, each in sight of the one before.

use alloc::vec::Vec;

use crate::corners::{Cell, CellPath, cell, node};
use crate::fleet::cell_set::NONE;
use crate::fleet::line_of_sight::SightLines;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};

/// A point of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) cell: NodeId,
    /// The cost to go from there.
    pub(crate) rest: Cost,
    /// The next point, nearer to the goal; [`NONE`] at the end.
    pub(crate) next: u32,
}

/// The first two points of a route, stored with the unit that follows it, because routes lie far apart in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RouteHead {
    /// The route; [`NONE`] for none.
    of: u32,
    pub(crate) cell: NodeId,
    pub(crate) rest: Cost,
    /// The second point, or `NONE` if there is only one.
    pub(crate) after: NodeId,
    pub(crate) after_rest: Cost,
}

impl RouteHead {
    pub(crate) const NONE: Self =
        Self { of: NONE, cell: NodeId::NONE, rest: Cost::ZERO, after: NodeId::NONE, after_rest: Cost::ZERO };
}

/// The points of all routes.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    points: Vec<Point>,
    /// The first unused point. Unused points are linked.
    free: u32,
}

impl Routes {
    pub(crate) fn new() -> Self {
        Self { points: Vec::new(), free: NONE }
    }

    /// Puts a point before a route, and returns the route with it.
    pub(crate) fn put(&mut self, cell: NodeId, rest: Cost, next: u32) -> u32 {
        let point = Point { cell, rest, next };
        if self.free == NONE {
            self.points.push(point);
            return self.points.len() as u32 - 1;
        }
        let number = self.free;
        self.free = self.points[number as usize].next;
        self.points[number as usize] = point;
        number
    }

    /// Returns the first point of a route.
    #[inline]
    pub(crate) fn get(&self, route: u32) -> Option<&Point> {
        self.points.get(route as usize)
    }

    /// Returns the first points of a route, if there is one. `stored` is what is stored with its unit.
    #[inline]
    pub(crate) fn head(&self, route: u32, stored: &RouteHead) -> Option<RouteHead> {
        if route == NONE || stored.of == route {
            return Some(*stored).filter(|head| head.of != NONE);
        }
        let first = self.get(route)?;
        let (after, after_rest) =
            self.get(first.next).map_or((NodeId::NONE, Cost::ZERO), |p| (p.cell, p.rest));
        Some(RouteHead { of: route, cell: first.cell, rest: first.rest, after, after_rest })
    }

    /// Returns the cells of the first two points of a route, as far as there are any.
    pub(crate) fn first_two(&self, route: u32) -> Option<(NodeId, Option<NodeId>)> {
        let first = self.get(route)?;
        Some((first.cell, self.get(first.next).map(|after| after.cell)))
    }

    /// Takes the first point off a route, and returns the rest.
    pub(crate) fn pass(&mut self, route: u32) -> u32 {
        let next = self.points[route as usize].next;
        self.points[route as usize].next = self.free;
        self.free = route;
        next
    }

    /// Takes `count` points off a route, and returns the rest.
    pub(crate) fn pass_some(&mut self, route: u32, count: usize) -> u32 {
        (0..count).fold(route, |route, _| self.pass(route))
    }

    /// Drops a route.
    pub(crate) fn drop(&mut self, mut route: u32) {
        while route != NONE {
            route = self.pass(route);
        }
    }

    /// Returns the points of a route.
    pub(crate) fn walk(&self, route: u32) -> impl Iterator<Item = &Point> + '_ {
        core::iter::successors(self.get(route), |point| self.get(point.next))
    }

    /// Returns the cells of a route from a cell, as far as each point is in sight of the one before.
    pub(crate) fn path(&self, route: u32, grid: &Grid, sight: &SightLines, mut at: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        for next in self.walk(route).map(|point| point.cell) {
            // A unit that has lost sight of its route is led back to it first.
            let (from, to) = (cell(grid, at), cell(grid, next));
            let Some(turn) = sight.turn(from, to) else { break };
            path.extend(leg(grid, from, turn).chain(leg(grid, turn, to)));
            at = next;
        }
        path
    }

    /// Returns the first cell of a route from a cell, if that is in sight.
    pub(crate) fn next(&self, route: u32, grid: &Grid, sight: &SightLines, at: NodeId) -> Option<NodeId> {
        let to = self.walk(route).map(|point| point.cell).find(|&n| n != at)?;
        let (from, to) = (cell(grid, at), cell(grid, to));
        let turn = sight.turn(from, to)?;
        leg(grid, from, turn).chain(leg(grid, turn, to)).next()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>()
    }
}

/// Returns the cells of a straight or diagonal line but for the first.
fn leg(grid: &Grid, from: Cell, to: Cell) -> impl Iterator<Item = NodeId> + '_ {
    CellPath::new(grid.rules().neighborhood, from, to).map(|over| node(grid, over))
}

/// Returns the cells at which a path turns, and its last one.
pub(crate) fn turns(grid: &Grid, from: NodeId, path: &[NodeId]) -> Vec<NodeId> {
    let mut turns = Vec::new();
    let (mut last, mut direction) = (from, None);
    for &next in path {
        let ((ax, ay), (bx, by)) = (cell(grid, last), cell(grid, next));
        let step = (bx - ax, by - ay);
        if direction.is_some_and(|direction| direction != step) {
            turns.push(last);
        }
        (last, direction) = (next, Some(step));
    }
    turns.extend(path.last());
    turns
}
