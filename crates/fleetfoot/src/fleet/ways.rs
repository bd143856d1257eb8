//! The ways of all units: lists of cells to walk by over open ground, in one store, and what they say of the cells around.

use alloc::vec::Vec;

use super::courses::AROUND;
use super::ground::{NONE, OWN};
use super::rows::Rows;
use super::sight::Sight;
use super::units::{Ranks, Status, Unit};
use crate::corners::{Cell, cell, node};
use crate::graph::{Graph, Grid, Neighbours};
use crate::id::{Cost, NodeId};

/// A cell that a way leads by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) cell: NodeId,
    /// What is left from there.
    pub(super) rest: Cost,
    /// The next one, nearer to the goal; [`NONE`] at the goal.
    pub(super) next: u32,
}

/// The first two points of a way, kept with the unit that goes by it: ways lie far apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// The way; [`NONE`] for none.
    of: u32,
    pub(super) cell: NodeId,
    pub(super) rest: Cost,
    /// The second point, none if there is no more than one.
    pub(super) after: NodeId,
    after_rest: Cost,
}

impl Head {
    pub(super) const NONE: Self =
        Self { of: NONE, cell: NodeId::NONE, rest: Cost::ZERO, after: NodeId::NONE, after_rest: Cost::ZERO };
}

/// The points of all ways, and those that are free to be used again.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    points: Vec<Point>,
    /// The first free one; they are linked.
    free: u32,
    used: usize,
}

impl Ways {
    pub(super) fn new() -> Self {
        Self { points: Vec::new(), free: NONE, used: 0 }
    }

    /// A point in front of a way; the way with it.
    pub(super) fn put(&mut self, cell: NodeId, rest: Cost, next: u32) -> u32 {
        let point = Point { cell, rest, next };
        self.used += 1;
        if self.free == NONE {
            self.points.push(point);
            return self.points.len() as u32 - 1;
        }
        let number = self.free;
        self.free = self.points[number as usize].next;
        self.points[number as usize] = point;
        number
    }

    #[inline]
    pub(super) fn get(&self, way: u32) -> Option<&Point> {
        self.points.get(way as usize)
    }

    /// The first points of a unit's way, if it has one.
    #[inline]
    pub(super) fn head(&self, unit: &Unit) -> Option<Head> {
        if unit.way() == NONE || unit.head.of == unit.way() {
            return Some(unit.head).filter(|head| head.of != NONE);
        }
        let first = self.get(unit.way())?;
        let (after, after_rest) =
            self.get(first.next).map_or((NodeId::NONE, Cost::ZERO), |p| (p.cell, p.rest));
        Some(Head { of: unit.way(), cell: first.cell, rest: first.rest, after, after_rest })
    }

    /// The cells of the first two points of a way, if it has so many.
    pub(super) fn first_two(&self, way: u32) -> Option<(NodeId, Option<NodeId>)> {
        let first = self.get(way)?;
        Some((first.cell, self.get(first.next).map(|after| after.cell)))
    }

    /// Takes the first point off a way; the way without it.
    pub(super) fn pass(&mut self, way: u32) -> u32 {
        let next = self.points[way as usize].next;
        self.points[way as usize].next = self.free;
        self.free = way;
        self.used -= 1;
        next
    }

    /// Gives all points of a way back.
    pub(super) fn drop(&mut self, mut way: u32) {
        while way != NONE {
            way = self.pass(way);
        }
    }

    /// The points of a way.
    pub(super) fn walk(&self, way: u32) -> impl Iterator<Item = &Point> + '_ {
        core::iter::successors(self.get(way), |point| self.get(point.next))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.points.capacity() * size_of::<Point>()
    }
}

/// What a unit's way says of cells: what is left from there over the farthest point in sight, or exactly where it has a
/// row of distances.
pub(super) struct Outlook<'a> {
    grid: &'a Grid,
    sight: &'a Sight,
    /// The row, its number, where the unit is, and how many moves are left from there.
    row: Option<(&'a Rows, u32, NodeId, u32)>,
    goal: NodeId,
    /// Where the unit is.
    at: Cell,
    /// The point that the unit walks to, what is left from it, and the one after it where that may be in sight.
    to: (Cell, Cost),
    after: Option<(Cell, Cost)>,
    /// What is left from where the unit is.
    here: Cost,
    /// What it costs to see nothing: one straight move. Less, and units lose sight of their ways; more, and they shuffle
    /// along walls. Nothing for a unit that has no way yet.
    blind: Cost,
    /// A straight move.
    unit: Cost,
}

/// Whether a unit has no way yet, and sets out towards its goal without a look at the ground.
#[inline]
pub(super) fn is_blind(unit: &Unit) -> bool {
    unit.way == NONE && unit.status == Status::Seeking
}

/// So near to the point that a unit walks to the next one is looked for as well.
pub(super) const NEAR: i32 = 2;

impl<'a> Outlook<'a> {
    pub(super) fn new(
        grid: &'a Grid,
        sight: &'a Sight,
        rows: Option<&'a Rows>,
        ways: &Ways,
        unit: &Unit,
    ) -> Self {
        let row = rows.filter(|_| unit.row != NONE).map(|rows| (rows, unit.row, unit.at, unit.moves));
        let head = ways.head(unit);
        let to = head.map_or((cell(grid, unit.goal), Cost::ZERO), |head| (cell(grid, head.cell), head.rest));
        let at = cell(grid, unit.at);
        let is_near = (to.0.0 - at.0).abs() <= NEAR && (to.0.1 - at.1).abs() <= NEAR;
        let after = head.filter(|head| is_near && head.after.is_some());
        let after = after.map(|head| (cell(grid, head.after), head.after_rest));
        let here = grid.over_open_ground(to.0.0 - at.0, to.0.1 - at.1) + to.1;
        let straight = Cost::new(grid.unit());
        let blind = if is_blind(unit) { Cost::ZERO } else { straight };
        Self { grid, sight, row, goal: unit.goal, at, to, after, here, blind, unit: straight }
    }

    /// What is left from where the unit is, over open ground to the point that it walks to.
    pub(super) fn here(&self) -> Cost {
        self.here
    }

    /// What is left from a cell. A unit that goes by a row asks about its own and those that it may go to next.
    #[inline]
    pub(super) fn value(&self, n: NodeId) -> Cost {
        if n == self.goal {
            return Cost::ZERO;
        }
        if let Some((rows, row, at, moves)) = self.row {
            return self.by_row(n, moves.saturating_add_signed(rows.farther(row, n, at)));
        }
        let at = cell(self.grid, n);
        if let Some((after, rest)) = self.after
            && self.sight.is_open(at, after)
        {
            return self.over(at, after) + rest;
        }
        let direct = self.over(at, self.to.0) + self.to.1;
        // Cells that lie farther away are not looked at: who has to go there is pushed.
        let sees = self.blind == Cost::ZERO || direct <= self.here && self.sight.is_open(at, self.to.0);
        if sees { direct } else { direct + self.blind }
    }

    /// What is left at least from the cells around the unit and its own, found out without a look at the ground.
    #[inline]
    pub(super) fn ranks(&self) -> Ranks {
        let mut ranks = Ranks { middle: self.at, ..Ranks::NONE };
        if self.row.is_some() {
            let here = node(self.grid, self.at);
            let (cells, moves) = self.grid.around(here);
            for (k, &n) in cells.iter().enumerate().filter(|(k, _)| moves >> k & 1 == 1) {
                ranks.values[k] = self.value(n);
            }
            ranks.values[OWN] = self.value(here);
            ranks.known = u32::from(moves) | 1 << OWN;
            return ranks;
        }
        let ((to, rest), limit) = match self.after {
            Some(after) => (after, Cost::INF),
            None => (self.to, self.here),
        };
        let mut known = if self.blind == Cost::ZERO { u32::MAX } else { 0 };
        for (k, (dx, dy)) in AROUND.into_iter().enumerate() {
            let direct = self.over((self.at.0 + dx, self.at.1 + dy), to) + rest;
            // Cells that lie farther away are not looked at.
            let is_far = direct > limit;
            ranks.values[k] = if is_far { direct + self.blind } else { direct };
            known |= u32::from(is_far) << k;
        }
        if let Some(k) = ranks.place(cell(self.grid, self.goal)) {
            ranks.values[k] = Cost::ZERO;
            known |= 1 << k;
        }
        ranks.known = known;
        ranks.slack = if self.after.is_none() { self.blind } else { Cost::INF };
        ranks
    }

    /// What is left from a cell that is not the goal, for a unit that goes by a row.
    pub(super) fn by_row(&self, n: NodeId, moves: u32) -> Cost {
        Cost::new(moves.max(1) * self.unit.raw() + self.aside(n))
    }

    /// Of cells that are equally many moves away, the one that lies nearer is better, so that nobody walks in zigzags: less
    /// than a move.
    fn aside(&self, n: NodeId) -> u32 {
        if self.grid.rules().neighbours == Neighbours::Four {
            return 0;
        }
        (self.grid.h(n, self.goal).raw() / 64).min(self.unit.raw() - 1)
    }

    #[inline]
    fn over(&self, a: Cell, b: Cell) -> Cost {
        self.grid.over_open_ground(b.0 - a.0, b.1 - a.1)
    }
}
