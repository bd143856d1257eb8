//! A flow field for each goal: distances of all cells, which units descend.

use std::collections::VecDeque;

use fleetfoot::fleet::{Costs, Resolver};
use fleetfoot::{Cost, Graph, Grid, Map, NodeId};

use crate::Rival;
use crate::walkers::resolver;

const FAR: u16 = u16::MAX;

struct Field {
    goal: NodeId,
    /// Empty until computed. Straight moves cost 2, diagonal ones 3.
    values: Vec<u16>,
    /// Distance at which a unit counts as arrived: units that share a goal cannot all be on it.
    near: u16,
    is_due: bool,
}

impl Field {
    fn value(&self, cell: NodeId) -> u32 {
        match self.values.get(cell.index()) {
            None => 0,
            Some(&FAR) => u32::MAX >> 2,
            Some(value) => u32::from(value.saturating_sub(self.near)),
        }
    }
}

pub(crate) struct Fields {
    at: Vec<NodeId>,
    all: Vec<Field>,
    /// Field of each unit.
    field_of: Vec<usize>,
    due: VecDeque<usize>,
    resolver: Option<Resolver>,
    truth: Map,
    known: Map,
}

impl Fields {
    /// Creates fields with one goal for all units, or one for each.
    pub(crate) fn new(
        (truth, known): (Map, Map),
        starts: &[NodeId],
        goals: &[NodeId],
        collisions: bool,
    ) -> Self {
        let one = goals.len() == 1;
        let near = |grid: &Grid, goal| if one { room(grid, goal, starts.len()) } else { 0 };
        let field = |&goal: &NodeId| {
            let near = near(truth.grid(), goal);
            Field { goal, values: Vec::new(), near, is_due: false }
        };
        Self {
            at: starts.to_vec(),
            all: goals.iter().map(field).collect(),
            field_of: (0..starts.len()).map(|unit| if one { 0 } else { unit }).collect(),
            due: VecDeque::new(),
            resolver: collisions.then(|| resolver(truth.grid(), starts)),
            truth,
            known,
        }
    }

    fn enqueue(&mut self, field: usize) {
        if !std::mem::replace(&mut self.all[field].is_due, true) {
            self.due.push_back(field);
        }
    }
}

impl Rival for Fields {
    fn order(&mut self) {
        (0..self.all.len()).for_each(|field| self.enqueue(field));
    }

    fn set(&mut self, cell: NodeId, weight: u8) {
        if self.truth.set(cell, weight).expect("on the map")
            && let Some(resolver) = &mut self.resolver
        {
            resolver.map_changed(self.truth.grid(), cell);
        }
        if self.known.set(cell, weight).expect("on the map") {
            (0..self.all.len()).for_each(|field| self.enqueue(field));
        }
    }

    fn tick(&mut self, budget: u64) {
        let mut spent = 0;
        while spent < budget
            && let Some(k) = self.due.pop_front()
        {
            let field = &mut self.all[k];
            field.is_due = false;
            spent += flood(self.known.grid(), field.goal, &mut field.values, u64::MAX);
        }
        let (grid, fields, field_of) = (self.truth.grid(), &self.all, &self.field_of);
        match &mut self.resolver {
            Some(resolver) => {
                let mut downhill = Downhill { fields, field_of, at: &self.at };
                resolver.tick(grid, &mut downhill, budget / 6);
                self.at.clear();
                self.at.extend(resolver.cells());
            }
            None => {
                for (at, &field) in self.at.iter_mut().zip(field_of) {
                    let field = &fields[field];
                    let next = grid.succs(*at).map(|edge| edge.to).min_by_key(|&to| field.value(to));
                    *at = next.filter(|&next| field.value(next) < field.value(*at)).unwrap_or(*at);
                }
            }
        }
    }

    fn at(&self, unit: usize) -> NodeId {
        self.at[unit]
    }

    fn has_way(&self, unit: usize) -> bool {
        !self.all[self.field_of[unit]].values.is_empty()
    }

    fn is_there(&self, unit: usize) -> bool {
        self.has_way(unit) && self.all[self.field_of[unit]].value(self.at[unit]) == 0
    }

    fn bytes(&self) -> usize {
        let fields = self.all.iter().map(|field| size_of::<Field>() + 2 * field.values.capacity());
        let resolver = self.resolver.as_ref().map_or(0, Resolver::unit_bytes);
        fields.sum::<usize>() + 12 * self.at.len() + resolver
    }
}

struct Downhill<'a> {
    fields: &'a [Field],
    field_of: &'a [usize],
    at: &'a [NodeId],
}

impl Costs for Downhill<'_> {
    fn cost(&mut self, unit: u32, cell: NodeId) -> Cost {
        let field = &self.fields[self.field_of[unit as usize]];
        if field.values.is_empty() {
            Cost::new(u32::from(cell != self.at[unit as usize]))
        } else {
            Cost::new(field.value(cell))
        }
    }
}

/// Runs Dijkstra's algorithm with one bucket for each cost, from the goal to the first `most` cells. Returns the
/// number of expansions.
fn flood(grid: &Grid, goal: NodeId, values: &mut Vec<u16>, most: u64) -> u64 {
    values.clear();
    values.resize(grid.bound(), FAR);
    if !grid.is_free(goal) {
        return 1;
    }
    let mut buckets: [Vec<NodeId>; 4] = Default::default();
    values[goal.index()] = 0;
    buckets[0].push(goal);
    let (mut now, mut left, mut expanded) = (0_u16, 1_usize, 0);
    while left > 0 && expanded < most {
        while let Some(n) = buckets[usize::from(now % 4)].pop() {
            left -= 1;
            if values[n.index()] != now {
                continue;
            }
            expanded += 1;
            let (x, y) = grid.xy(n);
            for edge in grid.succs(n) {
                let (to_x, to_y) = grid.xy(edge.to);
                let value = now + if x != to_x && y != to_y { 3 } else { 2 };
                if value < values[edge.to.index()] {
                    values[edge.to.index()] = value;
                    buckets[usize::from(value % 4)].push(edge.to);
                    left += 1;
                }
            }
        }
        now += 1;
    }
    expanded
}

/// Returns the distance within which `units` units find space around the goal, with a margin of a fifth, since they
/// do not pack densely.
fn room(grid: &Grid, goal: NodeId, units: usize) -> u16 {
    let mut values = Vec::new();
    flood(grid, goal, &mut values, units as u64 * 13 / 10);
    let mut values: Vec<u16> = values.into_iter().filter(|&value| value != FAR).collect();
    values.sort_unstable();
    values[(units * 12 / 10).min(values.len() - 1)]
}
