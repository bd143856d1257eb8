//! What cells cost a unit by its route, or by its row of distances.

use crate::corners::{Cell, cell, node};
use crate::fleet::cell_set::NONE;
use crate::fleet::guide::heading::AROUND;
use crate::fleet::guide::neighbor_costs::LocalCosts;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::resolver::neighbors::OWN;
use crate::fleet::route::distance_rows::DistanceRows;
use crate::fleet::route::store::Routes;
use crate::fleet::state::unit::Unit;
use crate::graph::Graph;
use crate::grid::{Grid, Neighborhood};
use crate::id::{Cost, NodeId};

/// Costs of cells by a unit's route: over the farthest point in sight, or exact if it has a distance row.
pub(crate) struct RouteCosts<'a> {
    grid: &'a Grid,
    sight: &'a SightLines,
    /// The row, its number, the unit's cell, and the number of moves from there.
    row: Option<(&'a DistanceRows, u32, NodeId, u32)>,
    goal: NodeId,
    /// The unit's cell.
    at: Cell,
    /// The point that the unit walks to with its cost to go, and the point after it if that may be in sight.
    to: (Cell, Cost),
    after: Option<(Cell, Cost)>,
    /// The cost to go from the unit's cell.
    here: Cost,
    /// The extra cost of a cell from which the point is not visible: one straight move, or zero for a unit without a route. With less, units
    /// lose sight of their routes; with more, they shuffle along walls.
    blind: Cost,
    /// A straight move.
    unit: Cost,
}

/// Distance to the next point of a route up to which the one after it is looked for as well.
pub(crate) const NEAR: i32 = 2;

impl<'a> RouteCosts<'a> {
    pub(crate) fn new(
        grid: &'a Grid,
        sight: &'a SightLines,
        rows: Option<&'a DistanceRows>,
        routes: &Routes,
        unit: &Unit,
    ) -> Self {
        let row = rows.filter(|_| unit.row != NONE).map(|rows| (rows, unit.row, unit.at, unit.moves));
        let head = routes.head(unit.route, &unit.head);
        let to = head.map_or((cell(grid, unit.goal), Cost::ZERO), |head| (cell(grid, head.cell), head.rest));
        let at = cell(grid, unit.at);
        let is_near = (to.0.0 - at.0).abs() <= NEAR && (to.0.1 - at.1).abs() <= NEAR;
        let after = head.filter(|head| is_near && head.after.is_some());
        let after = after.map(|head| (cell(grid, head.after), head.after_rest));
        let here = grid.over_open_ground(to.0.0 - at.0, to.0.1 - at.1) + to.1;
        let straight = Cost::new(grid.unit());
        let blind = if unit.is_blind() { Cost::ZERO } else { straight };
        Self { grid, sight, row, goal: unit.goal, at, to, after, here, blind, unit: straight }
    }

    /// Returns the cost to go from the unit's cell, over open ground to the point that it walks to.
    pub(crate) fn here(&self) -> Cost {
        self.here
    }

    /// Returns the cost to go from a cell. A unit with a row asks about its own cell and those around it only.
    #[inline]
    pub(crate) fn value(&self, n: NodeId) -> Cost {
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
        // Cells that lie farther away are not looked at: a unit goes there only if it is pushed.
        let sees = self.blind == Cost::ZERO || direct <= self.here && self.sight.is_open(at, self.to.0);
        if sees { direct } else { direct + self.blind }
    }

    /// Returns lower bounds for the cells around the unit and its own, without any line of sight.
    #[inline]
    pub(crate) fn neighbor_costs(&self) -> LocalCosts {
        let mut neighbor_costs = LocalCosts { middle: self.at, ..LocalCosts::NONE };
        if self.row.is_some() {
            let here = node(self.grid, self.at);
            let (cells, moves) = self.grid.around(here);
            for (k, &n) in cells.iter().enumerate().filter(|(k, _)| moves >> k & 1 == 1) {
                neighbor_costs.costs.lower[k] = self.value(n);
            }
            neighbor_costs.costs.lower[OWN] = self.value(here);
            neighbor_costs.costs.exact = u32::from(moves) | 1 << OWN;
            return neighbor_costs;
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
            neighbor_costs.costs.lower[k] = if is_far { direct + self.blind } else { direct };
            known |= u32::from(is_far) << k;
        }
        if let Some(k) = neighbor_costs.place(cell(self.grid, self.goal)) {
            neighbor_costs.costs.lower[k] = Cost::ZERO;
            known |= 1 << k;
        }
        neighbor_costs.costs.exact = known;
        neighbor_costs.slack = if self.after.is_none() { self.blind } else { Cost::INF };
        neighbor_costs
    }

    /// Returns the cost to go from a cell that is not the goal, for a unit with a row.
    pub(crate) fn by_row(&self, n: NodeId, moves: u32) -> Cost {
        Cost::new(moves.max(1) * self.unit.raw() + self.aside(n))
    }

    /// Returns an extra cost of less than a move by the distance over open ground: of cells that are the same number of moves away, the
    /// nearer one is better, so that no unit walks in zigzags.
    fn aside(&self, n: NodeId) -> u32 {
        if self.grid.rules().neighborhood == Neighborhood::Four {
            return 0;
        }
        (self.grid.h(n, self.goal).raw() / 64).min(self.unit.raw() - 1)
    }

    #[inline]
    fn over(&self, a: Cell, b: Cell) -> Cost {
        self.grid.over_open_ground(b.0 - a.0, b.1 - a.1)
    }
}
