//! Textbook PIBT with the swap rule, recursive: the reference for the resolver without escalation.

use fleetfoot::fleet::{LONGEST_WALK, tie};
use fleetfoot::{Cost, Graph, Grid, Neighborhood, NodeId};

use super::Rows;

/// The reference model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The cell of each unit.
    pub at: Vec<NodeId>,
    /// For each unit, the ticks since it was at its goal.
    pub waiting: Vec<u32>,
    tick: u64,
    seed: u64,
    rules: Rulebook,
}

/// The enabled rules.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "rules that can be switched off one by one")]
pub struct Rulebook {
    /// The swap rule.
    pub swaps: bool,
    /// Diagonal moves may cross.
    pub may_cross: bool,
    /// Ties between best cells go to the one that fewer other units want.
    pub hindrance: bool,
    /// Further ties between best cells, with four moves, go to the right.
    pub keeps_right: bool,
}

impl Default for Rulebook {
    fn default() -> Self {
        Self { swaps: true, may_cross: false, hindrance: false, keeps_right: false }
    }
}

/// A tick of the model.
struct Tick<'a> {
    grid: &'a Grid,
    rows: &'a Rows,
    model: &'a Model,
    now_on: Vec<Option<usize>>,
    next_on: Vec<Option<usize>>,
    next: Vec<Option<NodeId>>,
}

impl Model {
    /// Creates a model with units on these cells.
    pub fn new(at: Vec<NodeId>, seed: u64, rules: Rulebook) -> Self {
        Self { waiting: vec![0; at.len()], at, tick: 0, seed, rules }
    }

    /// Moves all units except for `resting` ones.
    pub fn tick(&mut self, grid: &Grid, rows: &Rows, resting: &[usize]) {
        let units = self.at.len();
        let mut tick = Tick {
            grid,
            rows,
            model: self,
            now_on: vec![None; grid.bound()],
            next_on: vec![None; grid.bound()],
            next: vec![None; units],
        };
        for (unit, at) in self.at.iter().enumerate() {
            tick.now_on[at.index()] = Some(unit);
        }
        for &unit in resting {
            tick.claim(unit, self.at[unit]);
        }
        let mut order: Vec<usize> = (0..units).collect();
        order.sort_by_key(|&unit| (u32::MAX - self.waiting[unit], unit));
        for unit in order {
            if tick.next[unit].is_none() {
                tick.plan(unit);
            }
        }
        let next = tick.next;
        for (unit, next) in next.into_iter().enumerate() {
            self.at[unit] = next.expect("everybody is planned");
            let is_there = rows.distance(unit, self.at[unit]) == Cost::ZERO;
            self.waiting[unit] = if is_there { 0 } else { self.waiting[unit] + 1 };
        }
        self.tick += 1;
    }
}

impl Tick<'_> {
    fn at(&self, unit: usize) -> NodeId {
        self.model.at[unit]
    }

    fn claim(&mut self, unit: usize, to: NodeId) {
        self.next_on[to.index()] = Some(unit);
        self.next[unit] = Some(to);
    }

    fn around(&self, n: NodeId) -> Vec<NodeId> {
        self.grid.succs(n).map(|edge| edge.to).collect()
    }

    fn is_open(&self, from: NodeId, to: NodeId) -> bool {
        let goes =
            |a: NodeId, b: NodeId| self.now_on[a.index()].is_some_and(|unit| self.next[unit] == Some(b));
        if self.next_on[to.index()].is_some() || from != to && goes(to, from) {
            return false;
        }
        let ((ax, ay), (bx, by)) = (self.grid.xy(from), self.grid.xy(to));
        if ax == bx || ay == by || self.model.rules.may_cross {
            return true;
        }
        let (c, d) =
            (self.grid.node(ax, by).expect("on the map"), self.grid.node(bx, ay).expect("on the map"));
        !goes(c, d) && !goes(d, c)
    }

    fn plan(&mut self, unit: usize) -> bool {
        let at = self.at(unit);
        let mut candidates = self.around(at);
        candidates.push(at);
        let best = candidates.iter().map(|&n| self.rows.distance(unit, n)).min();
        candidates.sort_by_key(|&n| {
            let value = self.rows.distance(unit, n);
            let is_best = Some(value) == best && self.model.rules.hindrance;
            let hindered = if is_best { self.hindered(unit, n) } else { 0 };
            let tie = tie(self.model.seed, self.model.tick, unit as u32, n.raw());
            let keeps_right =
                self.model.rules.keeps_right && self.grid.rules().neighborhood == Neighborhood::Four;
            if Some(value) != best || !keeps_right {
                return (value, hindered, false, tie);
            }
            let is_left = self.left_of(at, n).is_none_or(|left| Some(self.rows.distance(unit, left)) != best);
            (value, hindered, is_left, tie >> 1)
        });
        let partner = if self.model.rules.swaps { self.partner(unit, candidates[0]) } else { None };
        if partner.is_some() {
            candidates.reverse();
        }
        for (k, &to) in candidates.iter().enumerate() {
            if !self.is_open(at, to) {
                continue;
            }
            self.claim(unit, to);
            if let Some(other) = self.now_on[to.index()]
                && other != unit
                && self.next[other].is_none()
                && !self.plan(other)
            {
                continue;
            }
            if let (0, Some(partner)) = (k, partner)
                && self.next[partner].is_none()
                && self.is_open(self.at(partner), at)
            {
                self.claim(partner, at);
            }
            return true;
        }
        self.claim(unit, at);
        false
    }

    /// Returns the cell reached by a move to the left of the one from `at` to `to`, if there is one.
    fn left_of(&self, at: NodeId, to: NodeId) -> Option<NodeId> {
        let ((ax, ay), (bx, by)) = (self.grid.xy(at), self.grid.xy(to));
        let (dx, dy) = (bx.cast_signed() - ax.cast_signed(), by.cast_signed() - ay.cast_signed());
        let left = self.grid.node(ax.wrapping_add_signed(dy), ay.wrapping_add_signed(-dx))?;
        (at != to && self.around(at).contains(&left)).then_some(left)
    }

    /// Returns the number of other units that would go to this cell next.
    fn hindered(&self, unit: usize, n: NodeId) -> usize {
        let wants = |&other: &usize| {
            other != unit && self.rows.distance(other, n) < self.rows.distance(other, self.at(other))
        };
        self.around(n).into_iter().filter_map(|n| self.now_on[n.index()]).filter(wants).count()
    }

    fn partner(&self, unit: usize, best: NodeId) -> Option<usize> {
        let at = self.at(unit);
        if let Some(there) = self.now_on[best.index()]
            && there != unit
            && self.next[there].is_none()
            && self.is_required((unit, at), (there, best))
            && self.is_possible(best, at)
        {
            return Some(there);
        }
        if best == at {
            return None;
        }
        self.around(at)
            .into_iter()
            .filter(|&n| n != best)
            .filter_map(|n| self.now_on[n.index()])
            .find(|&behind| self.is_required((behind, at), (unit, best)) && self.is_possible(best, at))
    }

    fn is_required(&self, (pusher, mut a): (usize, NodeId), (puller, mut b): (usize, NodeId)) -> bool {
        let d = |unit, n| self.rows.distance(unit, n);
        for _ in 0..LONGEST_WALK {
            if d(pusher, b) >= d(pusher, a) {
                break;
            }
            match self.onward(a, b)[..] {
                [] => break,
                [next] => (a, b) = (b, next),
                _ => return false,
            }
        }
        d(puller, a) < d(puller, b) && (d(pusher, a) == Cost::ZERO || d(pusher, b) < d(pusher, a))
    }

    fn is_possible(&self, from: NodeId, to: NodeId) -> bool {
        let (mut a, mut b) = (from, to);
        for _ in 0..LONGEST_WALK {
            if b == from {
                return false;
            }
            match self.onward(a, b)[..] {
                [] => return false,
                [next] => (a, b) = (b, next),
                _ => return true,
            }
        }
        true
    }

    /// Returns the edges out of `n`, except for the one to `from` and for dead ends whose occupant is at its goal.
    fn onward(&self, from: NodeId, n: NodeId) -> Vec<NodeId> {
        let mut around = self.around(n);
        around.retain(|&to| {
            let at_home = |unit| self.rows.distance(unit, to) == Cost::ZERO;
            to != from && !(self.around(to).len() == 1 && self.now_on[to.index()].is_some_and(at_home))
        });
        around
    }
}
