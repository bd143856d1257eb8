//! What searches have found becomes the ways of units.

use alloc::vec::Vec;

use super::desks::{Job, Ticket};
use super::front::Fleet;
use super::ground::NONE;
use super::units::{Event, Status};
use crate::corners::{Stage, cell};
use crate::graph::{Graph, Reach};
use crate::id::{Cost, NodeId};
use crate::meter::Kind;
use crate::parts::Tools;

/// How many points of a new way are looked at for the farthest in sight.
const SOME_POINTS: usize = 16;
/// Cells along a way before it has a point again, where searches are among cells: the ground may have weights.
const LONGEST_LEG: usize = 8;

impl Fleet {
    /// A search has found the way of a unit: it is taken, unless a change has broken it.
    pub(super) fn found(&mut self, desk: Option<usize>, ticket: Ticket) {
        let unit = &self.units[ticket.0 as usize];
        let map = self.teams[unit.team as usize].map(&self.map);
        if map.reach(unit.at, unit.goal) == Reach::Unreachable {
            self.units[ticket.0 as usize].is_queued = false;
            self.give_up(ticket.0);
            return;
        }
        let seeker = self.seeker(desk);
        let (goal, root, all) = (seeker.goal, seeker.root, seeker.g(seeker.goal));
        let nodes: Vec<(NodeId, Cost)> = seeker.back_from(goal).take_while(|(n, _)| *n != root).collect();
        let nodes = nodes.into_iter().map(|(n, g)| (n, all.minus(g)));
        let is_old = map.log().end() != seeker.begun;
        let way = self.lay(ticket.0, nodes);
        self.take_way(ticket, way, true);
        if is_old {
            self.recheck_way(ticket.0);
        }
    }

    /// Makes a way of nodes, the last first, each with what is left from there.
    fn lay(&mut self, number: u32, nodes: impl Iterator<Item = (NodeId, Cost)>) -> u32 {
        let unit = &self.units[number as usize];
        let is_among_corners = self.teams[unit.team as usize].map(&self.map).grid().corners().is_some();
        let grid = self.map.grid();
        let mut way = NONE;
        let (mut last, mut skipped) = (None, 0);
        let mut direction = (0, 0);
        for (n, rest) in nodes {
            if is_among_corners {
                way = self.ways.put(n, rest, way);
                continue;
            }
            // Among cells: those where the way turns, and some between.
            let (x, y) = cell(grid, n);
            let step = last.map_or((0, 0), |(lx, ly)| (x - lx, y - ly));
            let turns = last.is_none() || step != direction || skipped + 1 >= LONGEST_LEG;
            if turns {
                way = self.ways.put(n, rest, way);
                skipped = 0;
            } else {
                skipped += 1;
            }
            (last, direction) = (Some((x, y)), step);
        }
        way
    }

    /// Gives a unit its new way, from the farthest of its first points in sight on.
    fn take_way(&mut self, ticket: Ticket, way: u32, is_whole: bool) {
        let (number, _) = ticket;
        let unit = &self.units[number as usize];
        let sight = self.teams[unit.team as usize].sight(&self.sight);
        let (grid, at) = (self.map.grid(), cell(self.map.grid(), unit.at));
        let points = self.ways.walk(way).take(SOME_POINTS).enumerate();
        let in_sight = points.filter(|(_, point)| sight.is_open(at, cell(grid, point.cell)));
        let passed = in_sight.last().map_or(0, |(k, _)| k);
        let mut way = way;
        for _ in 0..passed {
            way = self.ways.pass(way);
        }
        let had_way = unit.is_whole;
        let old = unit.way();
        self.ways.drop(old);
        let unit = &mut self.units[number as usize];
        unit.set_way(way);
        (unit.is_whole, unit.lost) = (is_whole, 0);
        unit.is_queued = !is_whole;
        self.renew(number);
        if is_whole {
            self.desks.done += 1;
            let unit = &mut self.units[number as usize];
            if unit.status != Status::Arrived {
                unit.status = Status::Underway;
            }
            if had_way {
                self.tell(Event::Rerouted { unit: self.id(number) });
            }
        }
    }

    /// A search in a hurry has not come to its end: the unit follows the most promising way so far, and waits for a whole
    /// search.
    pub(super) fn set_out(&mut self, ticket: Ticket) {
        let seeker = &mut self.desks.quick.seeker;
        if let Some((n, f)) = seeker.most_promising() {
            let root = seeker.root;
            let nodes: Vec<(NodeId, Cost)> = seeker.back_from(n).take_while(|(n, _)| *n != root).collect();
            let nodes = nodes.into_iter().map(|(n, g)| (n, f.minus(g)));
            let way = self.lay(ticket.0, nodes);
            self.take_way(ticket, way, false);
        }
        // Exact distances are made for who waits for them instead of a whole search, and cost as much.
        if !self.can_have_row(ticket.0) {
            self.enqueue_long(ticket.0);
        }
    }

    /// Leads a unit back to the first point of its way.
    pub(super) fn lead_back(&mut self, ticket: Ticket, goal: NodeId) {
        let unit = &mut self.units[ticket.0 as usize];
        unit.is_queued = false;
        let first = self.ways.get(unit.way()).filter(|point| point.cell == goal);
        // It may have passed that point by now.
        let Some(&first) = first else { return };
        let seeker = &self.desks.quick.seeker;
        let all = seeker.g(goal) + first.rest;
        let root = seeker.root;
        let nodes: Vec<(NodeId, Cost)> =
            seeker.back_from(goal).skip(1).take_while(|(n, _)| *n != root).collect();
        let mut way = self.units[ticket.0 as usize].way();
        for (n, g) in nodes {
            way = self.ways.put(n, all.minus(g), way);
        }
        let unit = &mut self.units[ticket.0 as usize];
        unit.set_way(way);
        unit.lost = 0;
        // Its goal is what it was: whether it comes nearer is measured on.
        (self.ranked[ticket.0 as usize], self.courses[ticket.0 as usize].stamp) = (0, 0);
        self.desks.done += 1;
        self.recheck_way(ticket.0);
    }

    /// A search has ended without a way.
    pub(super) fn fail(&mut self, desk: Option<usize>, ticket: Ticket) {
        let stage = self.seeker(desk).stage;
        let is_back = desk.is_none() && matches!(self.desks.quick.job, Job::Back(..));
        self.desks.done += 1;
        let unit = &mut self.units[ticket.0 as usize];
        unit.is_queued = false;
        if stage == Stage::NoPath && !is_back {
            self.give_up(ticket.0);
        } else {
            // The map has changed meanwhile, or the way led over ground that is cut off now.
            self.enqueue_long(ticket.0);
        }
    }

    /// The tree of a group's goal is complete: its units have their ways one after the other. Whether all have.
    pub(super) fn lead_group(&mut self, k: usize, tools: &mut Tools<'_>) -> bool {
        loop {
            let Job::Group(group) = &self.desks.long[k].job else { return true };
            let Some(&ticket) = group.units.get(group.next) else { return true };
            if !self.desks.long[k].seeker.settle(tools) || !tools.meter.charge(Kind::Scan) {
                return false;
            }
            if let Job::Group(group) = &mut self.desks.long[k].job {
                group.next += 1;
            }
            if self.is_good(ticket) {
                self.lead_one(k, ticket);
            }
        }
    }

    fn lead_one(&mut self, k: usize, ticket: Ticket) {
        let unit = &self.units[ticket.0 as usize];
        let map = self.teams[unit.team as usize].map(&self.map);
        let sight = self.teams[unit.team as usize].sight(&self.sight);
        let grid = map.grid();
        let seeker = &self.desks.long[k].seeker;
        let (joined, words) = seeker.nearest_in_tree(grid, unit.at);
        let is_cut_off = map.reach(unit.at, unit.goal) != Reach::Maybe;
        let Some((n, _)) = joined.filter(|_| !is_cut_off) else {
            self.desks.long[k].seeker.debt += words;
            self.units[ticket.0 as usize].is_queued = false;
            if is_cut_off {
                self.give_up(ticket.0);
            } else {
                // The map has changed since the tree was begun: it is joined with what is newer by nothing.
                self.enqueue_long(ticket.0);
            }
            return;
        };
        let mut nodes: Vec<NodeId> = seeker.back_from(n).map(|(n, _)| n).collect();
        // The unit's own cell lies near the common one; the last corner may see it directly.
        let goal = unit.goal;
        let last_in_sight = nodes.iter().rposition(|&n| sight.is_open(cell(grid, n), cell(grid, goal)));
        match last_in_sight {
            Some(last) if goal != nodes[last] => {
                nodes.truncate(last + 1);
                nodes.push(goal);
            }
            Some(_) => {}
            None => nodes.push(goal),
        }
        // The ways of others cost the same from a common corner on, but for their last legs.
        let mut rests = Vec::with_capacity(nodes.len());
        let mut rest = Cost::ZERO;
        for pair in nodes.windows(2).rev() {
            rests.push(rest);
            rest += grid.h(pair[0], pair[1]);
        }
        rests.push(rest);
        let at = unit.at;
        let last_first = nodes.iter().rev().copied().zip(rests);
        let path: Vec<(NodeId, Cost)> = last_first.filter(|(n, _)| *n != at).collect();
        let is_old = map.log().end() != seeker.begun;
        self.desks.long[k].seeker.debt += words + 4 * path.len() as u32;
        let way = self.lay(ticket.0, path.into_iter());
        self.take_way(ticket, way, true);
        if is_old {
            self.recheck_way(ticket.0);
        }
    }
}
