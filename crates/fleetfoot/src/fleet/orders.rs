//! Orders: who goes where.

use alloc::vec::Vec;

use super::cells::Cells;
use super::desks::Group;
use super::front::Fleet;
use super::ground::NONE;
use super::units::{Goal, Status, Unit, UnitId};
use crate::corners::{Cell, Walk, cell, node};
use crate::graph::{Graph, Grid, Reach};
use crate::id::{Cost, NodeId};
use crate::map::{Map, Nearest};
use crate::meter::{Meter, Prices};

/// What looking for free ground near a blocked goal may cost for one order, in expansions.
const LOOK_AROUND: u64 = 2000;

/// A look around a cell for others that nobody wants.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The team, the cell, and the length of the log of what the team knows of the map.
    key: (u16, NodeId, u64),
    /// Cells, nearest first. All next to the first `passed` are among them.
    cells: Vec<NodeId>,
    seen: Cells,
    passed: usize,
    /// Those before this are wanted by somebody.
    next: usize,
}

impl Slots {
    fn new(key @ (_, centre, _): (u16, NodeId, u64), bound: usize) -> Self {
        let mut seen = Cells::none(bound);
        seen.insert(centre.raw());
        Self { key, cells: Vec::from([centre]), seen, passed: 0, next: 0 }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<NodeId>() + self.seen.memory_bytes()
    }

    /// Nobody wants a cell any more.
    fn release(&mut self, cell: NodeId) {
        if self.seen.has(cell.raw()) {
            let place = self.cells.iter().position(|&other| other == cell);
            self.next = self.next.min(place.unwrap_or(0));
        }
    }
}

/// From so many units on a new order takes a new look around.
const MANY: usize = 16;

impl Fleet {
    /// Sends units somewhere: they set out with the next tick. Units that are no longer there are passed over; how many
    /// have the order. A goal that cannot be reached is told by the next ticks' events.
    pub fn order(&mut self, units: &[UnitId], goal: Goal) -> usize {
        let numbers: Vec<u32> = units.iter().filter_map(|&unit| self.number(unit)).collect();
        match goal {
            Goal::At(cell) => {
                let centre = if numbers.len() < self.config.least_group { NodeId::NONE } else { cell };
                for &number in &numbers {
                    self.assign(number, cell, centre);
                }
                self.seek_together(&numbers, centre);
            }
            Goal::Near(cell) => self.order_near(&numbers, cell),
        }
        numbers.len()
    }

    /// Lets units forget their orders: they stand, and step aside for others.
    pub fn stop(&mut self, units: &[UnitId]) {
        self.expect_many(units.len());
        for &unit in units {
            if let Some(number) = self.number(unit) {
                self.dismiss(number);
                if self.units[number as usize].status != Status::Buried {
                    self.units[number as usize].status = Status::Idle;
                }
                self.renew(number);
            }
        }
    }

    /// So many units are about to forget their goals: to look around anew takes less than to take note of each.
    fn expect_many(&mut self, units: usize) {
        if units > MANY {
            self.around = None;
        }
    }

    /// Each unit has a cell of its own. Teams know different maps, and so have their cells one after the other.
    fn order_near(&mut self, numbers: &[u32], cell: NodeId) {
        self.expect_many(numbers.len());
        for &number in numbers {
            self.dismiss(number);
        }
        let mut left = numbers.to_vec();
        while let Some(&first) = left.first() {
            let team = self.units[first as usize].team;
            let of_team = |number: &u32| self.units[*number as usize].team == team;
            let (mates, others): (Vec<u32>, Vec<u32>) = left.iter().partition(|number| of_team(number));
            self.order_team_near(&mates, cell);
            left = others;
        }
    }

    /// The same for units of one team: those that are nearer to the middle have cells that are nearer to it.
    fn order_team_near(&mut self, numbers: &[u32], cell: NodeId) {
        // By one who can go there, if anybody can.
        let can_go = |number: &&u32| {
            let unit = &self.units[**number as usize];
            self.teams[unit.team as usize].map(&self.map).reach(unit.at, cell) == Reach::Maybe
        };
        let Some(&first) = numbers.iter().find(can_go).or(numbers.first()) else { return };
        let unit = &self.units[first as usize];
        let centre = middle(self.teams[unit.team as usize].map(&self.map), unit, cell);
        let grid = self.map.grid();
        if centre.index() >= grid.bound() {
            for &number in numbers {
                self.assign(number, centre, NodeId::NONE);
            }
            return;
        }
        let mut nearest: Vec<(u32, u32)> = Vec::with_capacity(numbers.len());
        for &number in numbers {
            nearest.push((grid.h(self.units[number as usize].at, centre).raw(), number));
        }
        nearest.sort_unstable();
        let slots = self.slots(self.units[first as usize].team, centre, numbers.len());
        let shared = if numbers.len() < self.config.least_group { NodeId::NONE } else { centre };
        for (k, &(_, number)) in nearest.iter().enumerate() {
            // With more units than there are cells, the rest crowds round the middle.
            self.assign(number, slots.get(k).copied().unwrap_or(centre), shared);
            if k < slots.len() {
                self.join(number, centre);
            }
        }
        self.seek_together(numbers, shared);
    }

    /// The free cells around one, nearest first, that nobody else wants. Goes on where the last look around this cell ended, so
    /// that thousands of single orders to one place take no longer than one of thousands.
    fn slots(&mut self, team: u16, centre: NodeId, count: usize) -> Vec<NodeId> {
        let map = self.teams[team as usize].map(&self.map);
        let (grid, key) = (map.grid(), (team, centre, map.log().end()));
        let mut slots = Vec::with_capacity(count);
        if centre.index() >= grid.bound() || !grid.is_free(centre) {
            return slots;
        }
        let last = self.around.take().filter(|around| around.key == key);
        let mut around = last.unwrap_or_else(|| Slots::new(key, grid.bound()));
        while let Some(&n) = around.cells.get(around.next) {
            if !self.wanted.contains_key(&n) {
                slots.push(n);
                if slots.len() == count {
                    break;
                }
            }
            if around.next == around.passed {
                for edge in grid.succs(n) {
                    if !around.seen.has(edge.to.raw()) {
                        around.seen.insert(edge.to.raw());
                        around.cells.push(edge.to);
                    }
                }
                around.passed += 1;
            }
            around.next += 1;
        }
        // Those before the last are given away now.
        self.around = Some(around);
        slots
    }

    /// Gives a unit a goal, which it may share with others around a cell; those wait for one search together.
    pub(super) fn assign(&mut self, number: u32, goal: NodeId, centre: NodeId) {
        self.dismiss(number);
        let unit = &mut self.units[number as usize];
        unit.goal = goal;
        self.details[number as usize].centre = centre;
        *self.wanted.entry(goal).or_insert(0) += 1;
        if unit.status == Status::Buried {
            // It has its order when the wall is taken away.
            return;
        }
        unit.status = Status::Seeking;
        self.renew(number);
        let unit = &self.units[number as usize];
        let map = self.teams[unit.team as usize].map(&self.map);
        if map.reach(unit.at, goal) == Reach::Unreachable {
            self.give_up(number);
        } else if unit.at != goal && !centre.is_some() {
            self.enqueue(number);
        }
    }

    /// A unit has its order anew, if it has one, after something was done to it.
    pub(super) fn set_out_again(&mut self, number: u32, change: impl FnOnce(&mut Unit)) {
        let unit = &self.units[number as usize];
        let (goal, middle) = (unit.goal, self.crowds.middle(unit));
        self.dismiss(number);
        change(&mut self.units[number as usize]);
        if goal.is_some() {
            self.assign(number, goal, NodeId::NONE);
            if let Some(middle) = middle {
                self.join(number, middle);
            }
        }
    }

    /// One search for all of these that can reach their common cell.
    fn seek_together(&mut self, numbers: &[u32], centre: NodeId) {
        if !centre.is_some() {
            return;
        }
        // A team has its own map.
        let mut groups: Vec<Group> = Vec::new();
        for &number in numbers {
            let unit = &mut self.units[number as usize];
            if unit.status != Status::Seeking || unit.at == unit.goal || unit.is_queued {
                continue;
            }
            unit.is_queued = true;
            let (team, ticket) = (unit.team, self.ticket(number));
            match groups.iter_mut().find(|group| group.team == team) {
                Some(group) => group.units.push(ticket),
                None => groups.push(Group { team, centre, units: Vec::from([ticket]), next: 0 }),
            }
        }
        self.desks.groups.extend(groups);
    }

    /// Takes a unit's order from it, and all that was done for it.
    pub(super) fn dismiss(&mut self, number: u32) {
        self.leave(number);
        self.leave_row(number);
        self.ways.drop(self.units[number as usize].way());
        let unit = &mut self.units[number as usize];
        if let Some(count) = self.wanted.get_mut(&unit.goal) {
            *count -= 1;
            if *count == 0 {
                self.wanted.remove(&unit.goal);
                if let Some(around) = &mut self.around {
                    around.release(unit.goal);
                }
            }
        }
        unit.set_way(NONE);
        unit.goal = NodeId::NONE;
        (unit.is_queued, unit.is_stranded, unit.is_whole) = (false, false, false);
        (unit.lost, unit.blocked_by) = (0, NONE);
        let details = &mut self.details[number as usize];
        (details.centre, details.next) = (NodeId::NONE, NodeId::NONE);
        self.void_tickets(number);
    }

    /// A unit goes by the row of its goal from now on, unless that shows that no way leads there.
    pub(super) fn take_row(&mut self, number: u32, row: u32) {
        let (Some(rows), unit) = (&self.rows, &self.units[number as usize]) else { return };
        let Some(moves) = rows.distance(self.map.grid(), row, unit.at) else {
            self.units[number as usize].row = row;
            self.give_up(number);
            return;
        };
        self.ways.drop(unit.way());
        let unit = &mut self.units[number as usize];
        unit.set_way(NONE);
        (unit.row, unit.moves) = (row, moves);
        (unit.is_whole, unit.is_queued, unit.lost) = (true, false, 0);
        if unit.status == Status::Seeking {
            unit.status = Status::Underway;
        }
        self.void_tickets(number);
        self.renew(number);
    }

    /// A unit does not go by a row any more.
    pub(super) fn leave_row(&mut self, number: u32) {
        let row = core::mem::replace(&mut self.units[number as usize].row, NONE);
        if let Some(rows) = self.rows.as_mut().filter(|_| row != NONE) {
            rows.give_back(row);
        }
    }

    /// The map has changed: who went by a row needs a way. It counts as another one if the old one is broken. Until then it goes
    /// on by its row, as far as that leads.
    pub(super) fn void_rows(&mut self) {
        let Some(rows) = &mut self.rows else { return };
        let grid = self.map.grid();
        let mut walk = Vec::new();
        for unit in self.units.iter_mut().filter(|unit| unit.row != NONE) {
            walk.clear();
            walk.push(unit.at);
            walk.extend(rows.downhill(grid, unit.row, unit.at));
            let (mut last, mut way) = (unit.goal, NONE);
            let mut rest = Cost::ZERO;
            unit.is_whole = walk.last() != Some(&last);
            for k in (1..walk.len()).rev() {
                let step = |k: usize| offset(grid, walk[k - 1], walk[k]);
                // Where it turns, and at the end.
                if k + 1 == walk.len() || step(k) != step(k + 1) {
                    rest += grid.h(walk[k], last);
                    last = walk[k];
                    way = self.ways.put(last, rest, way);
                }
            }
            let old = unit.set_way(way);
            self.ways.drop(old);
        }
        rows.void(self.tick);
        for number in 0..self.units.len() as u32 {
            let unit = &mut self.units[number as usize];
            let went_by_row = core::mem::replace(&mut unit.row, NONE) != NONE;
            if went_by_row && unit.at != unit.goal && !unit.is_queued && self.map.is_free(unit.at) {
                self.enqueue(number);
            }
        }
    }

    /// What a unit's cells are worth to it is measured anew.
    pub(super) fn renew(&mut self, number: u32) {
        (self.ranked[number as usize], self.courses[number as usize].stamp) = (0, 0);
        if let Some(resolver) = &mut self.resolver {
            resolver.renew(number);
        }
    }

    /// A wall was built on a unit: it stands, and its owner is told.
    pub(super) fn bury(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        (unit.status, unit.blocked_by) = (Status::Buried, NONE);
        unit.is_queued = false;
        self.void_tickets(number);
        self.desks.hopeless.push_back(self.ticket(number));
    }

    /// There is no way to a unit's goal: it goes on as far as its old way leads, if it has one, and its owner is told.
    pub(super) fn give_up(&mut self, number: u32) {
        if self.settle_elsewhere(number) {
            return;
        }
        self.leave_row(number);
        let way = self.cut_way(number);
        let unit = &mut self.units[number as usize];
        unit.set_way(way);
        (unit.is_whole, unit.is_queued) = (false, false);
        (unit.status, unit.blocked_by) = (Status::Unreachable, NONE);
        self.desks.hopeless.push_back(self.ticket(number));
        self.renew(number);
    }

    /// What is left of a unit's way before the wall that breaks it: where it waits for a door to open.
    fn cut_way(&mut self, number: u32) -> u32 {
        let unit = &self.units[number as usize];
        let (grid, old) = (self.map.grid(), unit.way());
        let sight = self.teams[unit.team as usize].sight(&self.sight);
        let mut left = Vec::new();
        let mut from = cell(grid, unit.at);
        let goes_on = unit.crowd == NONE && unit.goal.index() < grid.bound();
        for point in self.ways.walk(old).filter(|_| goes_on) {
            let to = cell(grid, point.cell);
            if sight.is_open(from, to) {
                left.push((point.cell, point.rest));
                from = to;
                continue;
            }
            let mut end = from;
            for next in Walk::new(grid.rules().neighbours, from, to) {
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
        self.ways.drop(old);
        left.into_iter().rev().fold(NONE, |way, (cell, rest)| self.ways.put(cell, rest, way))
    }

    /// A unit of an order has another cell around the middle, since no way leads to its own; whether there is one. In the fog, cells
    /// that were given away turn out to be walls.
    fn settle_elsewhere(&mut self, number: u32) -> bool {
        let unit = &self.units[number as usize];
        let Some(centre) = self.crowds.middle(unit) else { return false };
        let (team, at, old) = (unit.team, unit.at, unit.goal);
        let map = self.teams[team as usize].map(&self.map);
        // Its cell is joined with the middle, unless it has become a wall or was cut off: no way leads there, either.
        let is_known = self.teams[team as usize].fog.is_none();
        let is_being_repaired = map.has_index() && !map.is_exact();
        let is_joined = map.is_free(old) && map.reach(old, centre) == Reach::Maybe;
        if is_known && is_joined && !is_being_repaired {
            return false;
        }
        let is_seen_to_be_a_wall = !is_known && !map.is_free(centre);
        let middle = if map.reach(at, centre) == Reach::Maybe {
            centre
        } else if is_seen_to_be_a_wall {
            middle(map, unit, centre)
        } else {
            // It is cut off as a whole: it is waited for.
            return false;
        };
        let Some(&goal) = self.slots(team, middle, 1).first() else { return false };
        let map = self.teams[team as usize].map(&self.map);
        if goal == old || map.reach(at, goal) != Reach::Maybe {
            return false;
        }
        self.assign(number, goal, NodeId::NONE);
        self.join(number, middle);
        true
    }
}

/// The cell that an order is about: the one that was named, or the nearest that can be reached.
fn middle(map: &Map, unit: &Unit, goal: NodeId) -> NodeId {
    if map.reach(unit.at, goal) == Reach::Maybe {
        return goal;
    }
    let place = if goal.index() < map.grid().bound() { map.xy(goal) } else { return goal };
    match map.nearest(unit.at, place, &mut Meter::priced(LOOK_AROUND, Prices::ALL_WORK)) {
        Nearest::Cell(n) => n,
        _ => goal,
    }
}

/// Columns and rows from one cell to another.
fn offset(grid: &Grid, from: NodeId, to: NodeId) -> Cell {
    let (from, to) = (cell(grid, from), cell(grid, to));
    (to.0 - from.0, to.1 - from.1)
}
