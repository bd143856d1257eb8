//! What the resolver asks of its caller: what it costs each unit to go on from a cell.

use crate::id::{Cost, NodeId};

/// The costs of units: what it costs a unit to go on from a cell to its goal, exact or estimated.
///
/// Zero says that the unit is at its goal there, and of a unit without a goal everywhere. A cell of infinite cost is entered only by a unit
/// that is pushed.
pub trait Costs {
    /// Returns the cost to go from `cell`.
    fn cost(&mut self, unit: u32, cell: NodeId) -> Cost;
}

/// Costs of the cells around a unit and of its own cell, by place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighborCosts {
    /// Lower bounds. Infinite for places without a cell.
    pub(crate) lower: [Cost; 9],
    /// A bit for each place whose bound is the cost itself.
    pub(crate) exact: u32,
}

impl NeighborCosts {
    /// No cells.
    pub(crate) const NONE: Self = Self { lower: [Cost::INF; 9], exact: 0 };

    /// Returns `true` if the bound of a place is its cost.
    #[inline]
    pub(crate) fn is_exact(&self, place: usize) -> bool {
        self.exact >> place & 1 == 1
    }

    /// Sets the cost of a place.
    #[inline]
    pub(crate) fn set(&mut self, place: usize, cost: Cost) {
        self.lower[place] = cost;
        self.exact |= 1 << place;
    }

    /// Returns the places whose bounds are at most `most`, as bits.
    #[inline]
    pub(crate) fn at_most(&self, most: Cost) -> u32 {
        self.lower.iter().enumerate().fold(0, |which, (k, &cost)| which | u32::from(cost <= most) << k)
    }

    /// Returns those of the places in `open` whose bounds are lowest, as bits.
    #[inline]
    pub(crate) fn lowest(&self, open: u32) -> u32 {
        let mut lowest = Cost::INF;
        for (k, &cost) in self.lower.iter().enumerate() {
            lowest = if open >> k & 1 == 1 { lowest.min(cost) } else { lowest };
        }
        self.at_most(lowest) & open
    }
}

/// Costs with shortcuts. Each provided method returns what the plain costs say, and may be overridden if that is faster. The rules of crowds
/// are costs as well: a provider that knows crowds reports which units share one.
pub(crate) trait UnitCosts {
    /// Returns the cost to go from `cell`.
    fn cost(&mut self, unit: u32, cell: NodeId) -> Cost;

    /// Begins a tick: computes what can be computed unit by unit.
    fn prepare(&mut self) {}

    /// Returns the place among those in `which` that is best of all, and its cost, if that is known beforehand.
    fn best(&mut self, _unit: u32, _which: u32) -> Option<(usize, Cost)> {
        None
    }

    /// Writes the costs of the cells around a unit, of the places in `which`.
    fn neighbor_costs(&mut self, unit: u32, cells: &[NodeId; 9], which: u32, out: &mut NeighborCosts) {
        for (k, &cell) in cells.iter().enumerate().filter(|(k, _)| which >> k & 1 == 1) {
            out.lower[k] = self.cost(unit, cell);
        }
        out.exact = which;
    }

    /// Returns the cost of one of these cells.
    fn cost_near(&mut self, unit: u32, cells: &[NodeId; 9], place: usize) -> Cost {
        self.cost(unit, cells[place])
    }

    /// Returns `true` if a unit's own cell or one next to it costs less than another one.
    fn is_nearer(&mut self, unit: u32, cell: NodeId, than: NodeId) -> bool {
        self.cost(unit, cell) < self.cost(unit, than)
    }

    /// Returns `true` if the cost to go from `cell` is zero.
    fn is_free_of_cost(&mut self, unit: u32, cell: NodeId) -> bool {
        self.cost(unit, cell) == Cost::ZERO
    }

    /// Returns `true` if a unit is at its goal on a cell.
    fn is_goal(&mut self, unit: u32, cell: NodeId) -> bool {
        self.cost(unit, cell) == Cost::ZERO
    }

    /// Returns `true` if a unit is at its goal on its own cell.
    fn is_at_goal(&mut self, unit: u32, at: NodeId) -> bool {
        self.is_goal(unit, at)
    }

    /// Returns `true` if both units belong to the same crowd. A unit pushed by a crowd member never enters a cell of infinite cost.
    fn share_crowd(&mut self, _unit: u32, _other: u32) -> bool {
        false
    }

    /// Returns `true` if a unit waits for its place in a crowd, so that no progress is no sign of a jam.
    fn waits_in_crowd(&mut self, _unit: u32) -> bool {
        false
    }

    /// Returns `true` if a unit that was at its goal is still at a goal after it was pushed to this cell.
    fn is_other_goal(&mut self, _unit: u32, _cell: NodeId) -> bool {
        false
    }

    /// Returns `true` if a unit's costs are those of the ground as it is. A unit that discovers the ground, or has no route yet, may make
    /// no progress without a jam, and learns no penalties.
    fn knows_the_ground(&mut self, _unit: u32) -> bool {
        true
    }
}

/// Plain costs, without shortcuts.
pub(crate) struct Plain<'a, C>(pub(crate) &'a mut C);

impl<C: Costs> UnitCosts for Plain<'_, C> {
    #[inline]
    fn cost(&mut self, unit: u32, cell: NodeId) -> Cost {
        self.0.cost(unit, cell)
    }
}
