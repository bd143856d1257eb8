//! The whole map as ground of the resolver: neighbors, costs, ties, and the rules for stuck units.

use crate::fleet::cell_set::CellSet;
use crate::fleet::cell_set::NONE;
use crate::fleet::resolver::candidates::Candidates;
use crate::fleet::resolver::costs::{NeighborCosts, UnitCosts};
use crate::fleet::resolver::ground::{First, Ground};
use crate::fleet::resolver::neighbors::{Around, Neighbors, OWN, Occupancy, bits, salt, tie_by};
use crate::fleet::resolver::ring::is_on_ring;
use crate::fleet::tuning::JamTuning;
use crate::fleet::unjam::groups::StuckGroups;
use crate::fleet::unjam::lanes::Lanes;
use crate::fleet::unjam::penalties::Penalties;
use crate::fleet::unjam::progress::Progress;
use crate::graph::Graph;
use crate::grid::{Grid, Neighborhood};
use crate::id::{Cost, NodeId};

/// By diagonal direction: the two straight directions next to it.
const BETWEEN: [(usize, usize); 4] = [(0, 1), (2, 1), (0, 3), (2, 3)];

/// The whole map.
#[expect(clippy::struct_excessive_bools, reason = "rules that can be switched off one by one")]
pub(crate) struct MapGround<'a, C> {
    pub(crate) grid: &'a Grid,
    pub(crate) costs: &'a mut C,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// Groups that are led: no other unit enters their ground.
    pub(crate) clusters: Option<&'a StuckGroups>,
    pub(crate) lanes: Option<&'a mut Lanes>,
    /// Whether diagonal moves may cross each other.
    pub(crate) may_cross: bool,
    pub(crate) units: &'a [Progress],
    /// What units have learned of cells where they made no progress.
    pub(crate) penalties: &'a Penalties,
    /// Whether the swap rule leaves rings alone.
    pub(crate) rings: bool,
    /// Switches for parts of rules.
    pub(crate) tuning: &'a JamTuning,
    /// Whether ties are broken by the number of units that would be hindered.
    pub(crate) hindrance: bool,
    /// Whether the right one of two moves comes before the left one.
    pub(crate) keeps_right: bool,
}

impl<C: UnitCosts> MapGround<'_, C> {
    /// Returns `true` if a unit is at its goal on its cell.
    #[inline]
    pub(crate) fn is_at_goal(&mut self, unit: u32, at: u32) -> bool {
        self.costs.is_at_goal(unit, NodeId::new(at))
    }

    /// Breaks a tie between the best cells around a unit, which have a bit in `tied`, for the one in this place: below 2^28.
    #[inline]
    fn tie(&self, salt: u64, cell: NodeId, place: usize, tied: u32) -> u32 {
        let tie = tie_by(salt, cell);
        if !self.keeps_right {
            return tie;
        }
        // The four directions are counted clockwise: of two side by side, the right one comes second.
        let is_right = place < 4 && tied >> ((place + 3) & 3) & 1 == 1;
        u32::from(!is_right) << 27 | tie >> 1
    }

    /// Returns the place that comes first for a unit. Costs are found out one by one, as far as they may be the lowest.
    fn least(&mut self, unit: u32, near: &Neighbors, who: Occupancy<'_>) -> First {
        let mut costs = NeighborCosts::NONE;
        self.costs.neighbor_costs(unit, &near.cells, near.open, &mut costs);
        let salt = salt(self.seed, self.tick, unit);
        loop {
            let tied = costs.lowest(near.open);
            let least = costs.lower[tied.trailing_zeros() as usize];
            if let Some(place) = self.first_of(unit, near, &mut costs, tied, salt, who) {
                return First { place, value: least.raw(), may_stay: costs.lower[OWN] == least };
            }
        }
    }

    /// Returns the first of the places in `tied`, whose bounds are equal. Returns `None` if the costs of all of them are higher.
    #[inline]
    fn first_of(
        &mut self,
        unit: u32,
        near: &Neighbors,
        costs: &mut NeighborCosts,
        mut tied: u32,
        salt: u64,
        who: Occupancy<'_>,
    ) -> Option<usize> {
        let mut first = None;
        let all = tied;
        while tied != 0 {
            let mut k = tied.trailing_zeros() as usize;
            let is_only = tied.is_power_of_two() && first.is_none();
            let (mut rest, mut tie) = (if is_only { 0 } else { tied }, u32::MAX);
            while rest != 0 {
                let other = rest.trailing_zeros() as usize;
                let its = self.tie(salt, near.cells[other], other, all);
                if its < tie {
                    (k, tie) = (other, its);
                }
                rest &= rest - 1;
            }
            tied &= !(1 << k);
            let (cell, bound) = (near.cells[k], costs.lower[k]);
            if !costs.is_exact(k) {
                costs.set(k, self.costs.cost_near(unit, &near.cells, k));
                if costs.lower[k] != bound {
                    continue;
                }
            }
            if is_only {
                return Some(k);
            }
            let hindered = if self.hindrance { self.hindered(unit, cell, who) } else { 0 };
            if hindered == 0 {
                return Some(k);
            }
            let key = (hindered, tie);
            if first.is_none_or(|(least, _)| key < least) {
                first = Some((key, k));
            }
        }
        first.map(|(_, k)| k)
    }

    /// Returns the places of the lowest cost, with what the unit has learned.
    fn best_of(&mut self, unit: u32, near: &Neighbors, costs: &mut NeighborCosts, learned: &[u32; 9]) -> u32 {
        loop {
            let tied = costs.lowest(near.open);
            if tied & !costs.exact == 0 {
                return tied;
            }
            for k in bits(tied & !costs.exact) {
                costs.set(k, self.costs.cost_near(unit, &near.cells, k) + Cost::new(learned[k]));
            }
        }
    }

    /// Returns the places in `open` of the lowest cost of all, which is known.
    fn best_by(
        &mut self,
        unit: u32,
        near: &Neighbors,
        open: u32,
        costs: &mut NeighborCosts,
        least: Cost,
    ) -> u32 {
        for k in bits(costs.at_most(least) & open & !costs.exact) {
            costs.set(k, self.costs.cost_near(unit, &near.cells, k));
        }
        // None costs less.
        costs.at_most(least) & open
    }

    /// Returns how many other units want to go to this cell next, and would be hindered there.
    fn hindered(&mut self, unit: u32, cell: NodeId, who: Occupancy<'_>) -> u32 {
        let mut count = 0;
        for edge in self.grid.succs(cell) {
            let other = who.on(edge.to.raw());
            if other != NONE && other != unit {
                count += u32::from(self.costs.is_nearer(other, cell, edge.to));
            }
        }
        count
    }
}

impl<C: UnitCosts> Ground for MapGround<'_, C> {
    #[inline]
    fn around(&self, cell: u32) -> Around {
        let mut around = Around::EMPTY;
        self.grid.succs(NodeId::new(cell)).for_each(|edge| around.push(edge.to.raw()));
        around
    }

    #[inline]
    fn degree(&self, cell: u32) -> usize {
        self.grid.degree_of(NodeId::new(cell)) as usize
    }

    #[inline]
    fn value(&mut self, unit: u32, cell: u32) -> u32 {
        self.costs.cost(unit, NodeId::new(cell)).raw()
    }

    #[inline]
    fn is_home(&mut self, unit: u32, cell: u32) -> bool {
        self.costs.is_goal(unit, NodeId::new(cell))
    }

    #[inline]
    fn share_crowd(&mut self, unit: u32, other: u32) -> bool {
        self.costs.share_crowd(unit, other)
    }

    #[inline]
    fn is_wide(&self, cell: u32) -> bool {
        // With five moves one is diagonal. Where corners are not cut it leads to a cell with three exits at least, and so do the two straight
        // moves next to it: three cells that are no pockets.
        !self.grid.rules().cut_corners && self.grid.degree_of(NodeId::new(cell)) >= 5
    }

    fn is_ring_move(&mut self, (one, other): (u32, u32), from: u32, to: u32) -> bool {
        if self.tuning.crowds_push && self.costs.share_crowd(one, other) {
            return true;
        }
        let was_home = |unit: u32| self.tuning.displaced_units_swap && self.units[unit as usize].best == 0;
        self.rings
            && !was_home(one)
            && !was_home(other)
            && is_on_ring(self.grid, self.grid.xy(NodeId::new(from)), self.grid.xy(NodeId::new(to)))
    }

    #[inline]
    fn near(&self, at: u32, taken: &CellSet) -> Neighbors {
        let (cells, moves) = self.grid.around(NodeId::new(at));
        let mut near = Neighbors::new(at);
        near.cells[..OWN].copy_from_slice(&cells);
        near.busy = u32::from(taken.among(&cells, at) & moves);
        near.open |= u32::from(moves);
        if let Some(clusters) = self.clusters.filter(|clusters| clusters.holds_ground()) {
            near.open &= !u32::from(clusters.held.among(&cells, at));
        }
        near
    }

    #[inline]
    fn which(&self, set: &CellSet, near: &Neighbors) -> u32 {
        let [around @ .., _] = &near.cells;
        u32::from(set.among(around, near.at())) | u32::from(set.has(near.at())) << OWN
    }

    #[inline]
    fn first(&mut self, unit: u32, near: &Neighbors, who: Occupancy<'_>) -> Option<First> {
        if !self.penalties.is_empty(unit) {
            return None;
        }
        let first = match self.costs.best(unit, near.open) {
            Some((place, value)) => First { place, value: value.raw(), may_stay: false },
            None => self.least(unit, near, who),
        };
        let cell = near.cells[first.place].raw();
        if let Some(lanes) = &mut self.lanes
            && !lanes.is_far(cell)
        {
            return None;
        }
        Some(first)
    }

    #[inline]
    fn value_near(&mut self, unit: u32, near: &Neighbors, place: usize) -> u32 {
        let value = self.costs.cost_near(unit, &near.cells, place);
        (value + Cost::new(self.penalties.extra(unit, near.cells[place]))).raw()
    }

    fn rank(
        &mut self,
        unit: u32,
        near: &Neighbors,
        mut closed: u32,
        least: Option<u32>,
        who: Occupancy<'_>,
    ) -> Candidates {
        let mut costs = NeighborCosts::NONE;
        let mut wanted = 0_u32;
        let mut learned = [0; 9];
        let gates = self.lanes.as_ref().is_some_and(|lanes| {
            lanes.may_be_near(near.at()) && near.places().any(|k| !lanes.is_far(near.cells[k].raw()))
        });
        if gates {
            // A lane counts every unit that would enter it.
            closed = 0;
        }
        let open = near.open & !closed;
        self.costs.neighbor_costs(unit, &near.cells, near.open, &mut costs);
        let best = if !self.penalties.is_empty(unit) {
            wanted = self.best_of(unit, near, &mut costs, &learned);
            learned = self.penalties.of(unit, &near.cells);
            costs.lower.iter_mut().zip(learned).for_each(|(cost, extra)| *cost += Cost::new(extra));
            self.best_of(unit, near, &mut costs, &learned)
        } else if let Some(least) = least {
            // Which of two moves is the right one depends on closed cells as well.
            let which = if self.keeps_right { near.open } else { open };
            self.best_by(unit, near, which, &mut costs, Cost::new(least))
        } else {
            wanted = self.best_of(unit, near, &mut costs, &learned);
            wanted
        };
        let mut ranked = Candidates::new(open, &costs, salt(self.seed, self.tick, unit));
        if wanted >> OWN & 1 == 0 && wanted != 0 {
            ranked.wanted = wanted.trailing_zeros() as u8;
        }
        if (best & open).count_ones() > 1 {
            for k in bits(best & open) {
                let hindered = if self.hindrance { self.hindered(unit, near.cells[k], who) } else { 0 };
                ranked.set_tie(k, hindered << 28 | self.tie(ranked.salt, near.cells[k], k, best));
            }
        }
        if gates && let Some(lanes) = &mut self.lanes {
            let costs = &mut *self.costs;
            ranked.settle_all(near, &mut |k| {
                (costs.cost_near(unit, &near.cells, k) + Cost::new(learned[k])).raw()
            });
            let value = |cell| costs.cost(unit, NodeId::new(cell)).raw();
            lanes.gate(unit, near, &mut ranked, self.grid, value);
        }
        ranked
    }

    #[inline]
    fn crossed(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        if self.may_cross || self.grid.rules().neighborhood == Neighborhood::Four {
            return None;
        }
        let ((ax, ay), (bx, by)) = (self.grid.xy(NodeId::new(from)), self.grid.xy(NodeId::new(to)));
        if ax == bx || ay == by {
            return None;
        }
        let cell = |x, y| self.grid.node(x, y).map_or(NONE, NodeId::raw);
        Some((cell(ax, by), cell(bx, ay)))
    }

    #[inline]
    fn between(&self, near: &Neighbors, place: usize) -> Option<(u32, u32)> {
        if !(4..OWN).contains(&place) || self.may_cross || near.busy == 0 {
            return None;
        }
        // A unit on held ground may cross the move as well.
        let (a, b) = BETWEEN[place - 4];
        let is_busy = near.busy & (1 << a | 1 << b) != 0;
        is_busy.then(|| (near.cells[a].raw(), near.cells[b].raw()))
    }
}
