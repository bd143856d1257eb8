//! Costs of the cells around a unit that is led by its crowd.

use crate::corners::cell;
use crate::fleet::cell_set::NONE;
use crate::fleet::guide::neighbor_costs::LocalCosts;
use crate::fleet::resolver::costs::NeighborCosts;
use crate::fleet::resolver::neighbors::OWN;
use crate::fleet::state::crowd::Crowd;
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::ground::{FAR, STRAIGHT};
use crate::fleet::state::unit::Unit;
use crate::grid::Grid;
use crate::id::{Cost, NodeId};

impl Crowd {
    /// Returns the costs of the cells around a spot and of the spot itself for a unit there, where a move costs `step`. A unit pushed by a
    /// crowd member never enters a cell of infinite cost.
    pub(crate) fn values(&self, k: usize, is_settled: bool, step: u32) -> [Cost; 9] {
        let here = &self.ground.spots[k];
        let far = |moves: u16| Cost::new((u32::from(moves) + 1) * step);
        let mut values = [Cost::INF; 9];
        let around = here.near.map(|there| self.ground.spots.get(there as usize));
        for (d, (value, there)) in values.iter_mut().zip(around).enumerate() {
            let worth = match there {
                None if here.is_slot() => continue,
                None => far(here.gap) + far(1),
                // Among other crowds' slots, a unit on a slot that has not settled continues towards the middle over slots of its crowd.
                Some(there) if here.is_slot() && !is_settled && !self.ground.is_compact => {
                    if there.is_left() {
                        far(there.depth)
                    } else {
                        continue;
                    }
                }
                Some(there) if there.is_left() => far(there.gap),
                // Settled units are pushed aside or back as well: the best free slot is the same for many, and the next ones lie elsewhere.
                Some(there) if there.is_settled && there.gap != FAR => far(there.gap),
                // But no unit is pushed off its slot, unless nothing else helps: other crowds' slots may lie between those of this one.
                Some(there) if here.is_slot() && (here.is_joined || there.gap >= here.gap) => continue,
                // Stepping aside is better than waiting: around a corner, the best routes of all units use the same cells.
                Some(there) => far(there.gap) + Cost::new(if there.who == NONE { 0 } else { 2 }),
            };
            // Two units side by side in a passage must not cross each other: near walls, straight moves are preferred.
            *value = worth + Cost::new(u32::from(here.toll > 1 && d >= STRAIGHT));
        }
        values[OWN] = match (here.is_slot(), is_settled) {
            (true, true) => Cost::ZERO,
            (true, false) if !self.ground.is_compact => far(here.depth) + Cost::new(1),
            _ => far(here.gap) + Cost::new(1),
        };
        values
    }
}

impl Crowds {
    /// Returns the costs of the cells around a unit, if it is led by its crowd.
    pub(crate) fn neighbor_costs(&self, grid: &Grid, unit: &Unit) -> Option<LocalCosts> {
        let (crowd, k) = self.place(unit)?;
        let lower = crowd.values(k, unit.is_settled, grid.unit());
        let costs = NeighborCosts { lower, exact: u32::MAX };
        Some(LocalCosts { middle: cell(grid, unit.at), costs, ..LocalCosts::NONE })
    }

    /// Returns the cost of a cell for a unit that is led by its crowd.
    pub(crate) fn value(&self, grid: &Grid, unit: &Unit, n: NodeId) -> Option<Cost> {
        let (crowd, k) = self.place(unit)?;
        if n == unit.at {
            return Some(crowd.values(k, unit.is_settled, grid.unit())[OWN]);
        }
        let is_within = crowd.ground.spots[k].is_slot() && !unit.is_settled;
        let moves = crowd.spot(n).and_then(|there| {
            let there = &crowd.ground.spots[there];
            match (is_within, crowd.ground.is_compact) {
                (true, true) => there.is_slot().then_some(there.gap),
                (true, false) => there.is_left().then_some(there.depth),
                (false, _) => Some(there.gap),
            }
        });
        Some(moves.map_or(Cost::INF, |moves| Cost::new((u32::from(moves) + 1) * grid.unit())))
    }
}
