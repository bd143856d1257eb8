//! What cells cost each unit: the guide turns routes, distances and crowds into neighbor costs.

pub(crate) mod crowd;
pub(crate) mod heading;
pub(crate) mod neighbor_costs;
pub(crate) mod route_costs;
pub(crate) mod unit_costs;

use alloc::vec::Vec;

use crate::corners::Cell;
use crate::fleet::guide::heading::{Heading, HeadingCosts};
use crate::fleet::guide::neighbor_costs::LocalCosts;
use crate::fleet::guide::route_costs::RouteCosts;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::resolver::neighbors::tie;
use crate::fleet::state::State;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;

/// What is stored of the costs of all units.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    /// By unit: the costs of the cells around it, where its heading does not say them.
    pub(crate) neighbor_costs: Vec<LocalCosts>,
    /// By unit: the tick of its neighbor costs, plus one.
    pub(crate) ranked: Vec<u32>,
    /// By unit: its heading.
    pub(crate) headings: Vec<Heading>,
    pub(crate) heading_costs: HeadingCosts,
}

impl Guide {
    /// Returns a guide for this number of units.
    pub(crate) fn new(grid: &Grid, units: usize) -> Self {
        Self {
            neighbor_costs: alloc::vec![LocalCosts::NONE; units],
            ranked: alloc::vec![0; units],
            headings: alloc::vec![Heading::IDLE; units],
            heading_costs: HeadingCosts::new(grid),
        }
    }

    /// Makes room for a new unit.
    pub(crate) fn spawn(&mut self, number: u32) {
        if number as usize == self.headings.len() {
            self.neighbor_costs.push(LocalCosts::NONE);
            self.ranked.push(0);
            self.headings.push(Heading::IDLE);
        }
        (self.ranked[number as usize], self.headings[number as usize]) = (0, Heading::IDLE);
    }

    /// Discards a unit's costs, so that they are computed again.
    pub(crate) fn renew(&mut self, number: u32) {
        (self.ranked[number as usize], self.headings[number as usize].stamp) = (0, 0);
    }

    /// Returns `true` if the point that a unit walks to is known to be in sight from a cell.
    pub(crate) fn has_seen(&self, number: u32, now: u64, from: Cell, to: Cell) -> bool {
        let heading = &self.headings[number as usize];
        heading.stamp == (now + 1) as u32 && heading.to == to && heading.is_seen_from(from)
    }

    /// Writes the next cell of each unit to `next`, where units walk through each other: the best of the cells around it. None for those
    /// that do not move.
    pub(crate) fn walk_through(knowledge: &Knowledge, state: &State, seed: u64, next: &mut Vec<NodeId>) {
        let (grid, now) = (knowledge.grid(), state.tick);
        next.clear();
        next.resize(state.units.len(), NodeId::NONE);
        for (number, (unit, details)) in state.units.iter().zip(&state.details).enumerate() {
            if !unit.is_there || details.is_resting(now) || !unit.has_destination() {
                continue;
            }
            let sight = knowledge.sight(unit.team);
            let costs = RouteCosts::new(grid, sight, state.rows.as_ref(), &state.routes, unit);
            let around = grid.succs(unit.at).map(|edge| edge.to).chain([unit.at]);
            let luck = |n: NodeId| tie(seed, now, number as u32, n.raw());
            let best = around.min_by_key(|&n| (costs.value(n), luck(n)));
            next[number] = best.unwrap_or(unit.at);
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.neighbor_costs.capacity() * (size_of::<LocalCosts>() + size_of::<Heading>() + 4)
    }
}
