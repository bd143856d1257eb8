//! What changes of the map mean to units: ways that are broken, and ground that may shorten them.

use super::front::Fleet;
use super::ground::NONE;
use super::teams::Openings;
use super::tick::wants;
use super::units::Status;
use crate::corners::cell;
use crate::graph::{Graph, Reach};
use crate::meter::{Kind, Meter};

/// Points of a way that are looked at for the price of a change.
const POINTS_PER_CHANGE: usize = 8;

impl Fleet {
    /// Units look whether changes have broken their ways, each in its turn.
    pub(super) fn check_ways(&mut self, meter: &mut Meter) {
        let all = self.units.len() as u32;
        for team in 0..self.teams.len() {
            let mut left = self.teams[team].unchecked.min(all);
            let mut next = self.teams[team].next_to_check;
            while left > 0 && meter.charge(Kind::Change) {
                next = if next < all - 1 { next + 1 } else { 0 };
                left -= 1;
                if self.units[next as usize].team as usize == team {
                    self.check_way(next, meter);
                }
            }
            (self.teams[team].unchecked, self.teams[team].next_to_check) = (left, next);
        }
    }

    fn check_way(&mut self, number: u32, meter: &mut Meter) {
        let points = self.recheck_way(number);
        // No more than is left: the look was granted, and is as long as the way.
        meter.charge_some(Kind::Change, (points / POINTS_PER_CHANGE) as u64);
    }

    /// A unit looks whether its way is broken; how many points of it were looked at. Those who wait for a search are not asked: who
    /// has waited asks when it has its way.
    pub(super) fn recheck_way(&mut self, number: u32) -> usize {
        let unit = &self.units[number as usize];
        if !unit.is_there || !wants(unit) || !unit.is_whole || unit.is_queued || unit.row != NONE {
            return 0;
        }
        let sight = self.teams[unit.team as usize].sight(&self.sight);
        let grid = self.map.grid();
        let mut points = 0;
        // One who has lost sight of its way is led back to it anyway.
        let mut last = (unit.lost == 0).then(|| cell(grid, unit.at));
        let is_broken = self.ways.walk(unit.way()).any(|point| {
            points += 1;
            let at = cell(grid, point.cell);
            let from = last.replace(at).unwrap_or(at);
            !sight.is_open(from, at)
        });
        if is_broken {
            self.seek_again(number);
        }
        points
    }

    /// A unit needs another way; it keeps the old one until there is one.
    fn seek_again(&mut self, number: u32) {
        let unit = &self.units[number as usize];
        let map = self.teams[unit.team as usize].map(&self.map);
        if map.reach(unit.at, unit.goal) == Reach::Unreachable {
            self.give_up(number);
        } else if !unit.is_queued {
            self.enqueue_long(number);
        }
    }

    /// The wall on a unit was taken away: it goes on as if it had its order anew.
    pub(super) fn dig_out(&mut self, number: u32) {
        // Whoever was to be told that it was buried need not be any more: its order is another one.
        self.set_out_again(number, |unit| unit.status = Status::Idle);
    }

    /// Units look whether ground that has become free could shorten their ways, or lets them reach their goals.
    pub(super) fn look_at_openings(&mut self, meter: &mut Meter) {
        let all = self.units.len() as u32;
        for team in 0..self.teams.len() {
            while let Some(openings) = self.teams[team].openings(self.map.grid()) {
                let mut next = self.teams[team].next_to_look;
                while next < all && meter.charge(Kind::Change) {
                    if self.units[next as usize].team as usize == team {
                        self.look_at(next, &openings);
                    }
                    next += 1;
                }
                self.teams[team].next_to_look = next;
                if next < all {
                    return;
                }
                self.teams[team].close(&openings);
            }
        }
    }

    fn look_at(&mut self, number: u32, openings: &Openings) {
        let unit = &self.units[number as usize];
        if !unit.is_there {
            return;
        }
        if unit.status == Status::Buried {
            // Its own team may not know of the wall.
            if self.map.is_free(unit.at) {
                self.dig_out(number);
            }
            return;
        }
        let map = self.teams[unit.team as usize].map(&self.map);
        match unit.status {
            Status::Unreachable if map.reach(unit.at, unit.goal) != Reach::Unreachable => {
                self.set_out_again(number, |_| {});
            }
            Status::Underway if unit.is_whole && !unit.is_queued && unit.row == NONE => {
                let grid = self.map.grid();
                let Some(point) = self.ways.get(unit.way()) else { return };
                let rest = grid.h(unit.at, point.cell) + point.rest;
                if openings.may_shorten(grid, unit.at, unit.goal, rest) {
                    self.enqueue_long(number);
                }
            }
            _ => {}
        }
    }
}
