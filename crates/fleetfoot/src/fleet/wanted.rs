//! What the units of a fleet want of the resolver: what cells are worth to them, by their ways, by rows of distances, or by
//! what is left of the place that their crowd fills.

use super::Wishes;
use super::courses::{AROUND, Course, Slopes};
use super::crowds::Crowds;
use super::ground::{NONE, OWN};
use super::rows::{Rows, Survey};
use super::sight::Sight;
use super::teams::Team;
use super::tick::{rests, wants};
use super::units::{Details, Ranks, Unit, place};
use super::ways::{NEAR, Outlook, Ways, is_blind};
use crate::corners::cell;
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};

/// Points of its way by which cells that lie farther from a unit are judged.
const POINTS_AHEAD: usize = 48;

/// What a cell is worth to a unit that has nowhere to go: it stays where it is, if it is let.
fn at_rest(unit: &Unit, n: NodeId) -> Cost {
    Cost::new(u32::from(n != unit.at))
}

/// A cell from which a move leads to another, and to which a move leads from `at`.
fn two_moves_away(grid: &Grid, at: NodeId, n: NodeId) -> Option<NodeId> {
    grid.succs(at).map(|edge| edge.to).find(|&between| grid.succs(between).any(|edge| edge.to == n))
}

/// What is known of what a place around a unit is worth to it.
struct Worth {
    place: usize,
    least: Cost,
    most: Cost,
    /// Whether it is worth just the least. Where no move leads it need not be known, though both may be infinite.
    is_known: bool,
}

/// What the units want of the resolver, by their ways.
#[expect(clippy::struct_excessive_bools, reason = "what holds for all units in one tick")]
pub(super) struct Wanted<'a> {
    pub(super) grid: &'a Grid,
    pub(super) sight: &'a Sight,
    pub(super) teams: &'a [Team],
    pub(super) units: &'a [Unit],
    pub(super) details: &'a [Details],
    pub(super) rows: Option<&'a Rows>,
    pub(super) survey: &'a mut Survey,
    pub(super) ways: &'a Ways,
    pub(super) crowds: &'a Crowds,
    pub(super) ranks: &'a mut [Ranks],
    pub(super) ranked: &'a mut [u32],
    pub(super) courses: &'a mut [Course],
    pub(super) slopes: &'a Slopes,
    /// That of all teams, if none is in the fog.
    pub(super) only_sight: Option<&'a Sight>,
    /// Whether moves are eight.
    pub(super) is_eight: bool,
    /// Whether the map has changed since the last tick.
    pub(super) is_edited: bool,
    /// Whether the clock is the limit.
    pub(super) is_timed: bool,
    /// Whether some units are slower than others.
    pub(super) has_speeds: bool,
    pub(super) stamp: u64,
    /// Who was asked last, and how things look to it.
    pub(super) last: Option<(u32, Outlook<'a>)>,
}

impl<'a> Wanted<'a> {
    #[inline]
    fn outlook(&mut self, number: u32) -> &Outlook<'a> {
        let (grid, units, teams) = (self.grid, self.units, self.teams);
        if self.last.as_ref().is_some_and(|(last, _)| *last != number) {
            self.last = None;
        }
        let (_, outlook) = self.last.get_or_insert_with(|| {
            let unit = &units[number as usize];
            let sight = teams[unit.team as usize].sight(self.sight);
            (number, Outlook::new(grid, sight, self.rows, self.ways, unit))
        });
        outlook
    }

    /// Where a unit is heading.
    #[inline]
    fn set_course(&self, number: usize) -> Course {
        let unit = &self.units[number];
        let is_led = self.crowds.leads(unit);
        if !unit.is_there || !wants(unit) {
            return Course::idle(!is_led || unit.is_settled);
        }
        let grid = self.grid;
        let (at, head) = (cell(grid, unit.at), self.ways.head(unit));
        let (to, rest) = head.map_or((unit.goal, Cost::ZERO), |head| (head.cell, head.rest));
        let goal = cell(grid, unit.goal);
        let to = if head.is_none() { goal } else { cell(grid, to) };
        let (dx, dy) = (to.0 - at.0, to.1 - at.1);
        let here = grid.over_open_ground(dx, dy) + rest;
        // So near, the point after it is looked for as well.
        let is_near = dx.abs().max(dy.abs()) <= NEAR;
        let turns = is_near && head.is_some_and(|head| head.after.is_some());
        let is_at_hand = (goal.0 - at.0).abs().max((goal.1 - at.1).abs()) <= 1;
        let goes_by_way = unit.row == NONE && !turns && !is_led;
        let kind = (goes_by_way && !is_at_hand, is_blind(unit));
        let mut course = Course::new(at, to, here, self.stamp, kind);
        if unit.is_settled || at == goal && !is_led {
            course.set_home();
        }
        let is_plain = self.is_eight && goes_by_way && at != goal && (!is_at_hand || goal == to);
        let Some(place) = place((dx.signum(), dy.signum())).filter(|&place| is_plain && place != OWN) else {
            return course;
        };
        if self.has_speeds && rests(&self.details[number], self.stamp - 1) {
            return course;
        }
        let is_known = !self.is_edited && !is_near && !is_at_hand && self.only_sight.is_some();
        let goes_on = is_known && course.goes_on(&self.courses[number]);
        let may_go = || grid.moves(unit.at) >> place & 1 == 1;
        // Who goes on has seen that it can, unless it does not look at the ground.
        if goes_on && (!is_blind(unit) || may_go()) {
            debug_assert!(may_go() && self.leads_on(&course, unit, place).is_some(), "as one who looks");
            course.goes(place, true);
        } else if may_go()
            && let Some(leads_on) = self.leads_on(&course, unit, place)
        {
            course.goes(place, leads_on);
        }
        course
    }

    /// Whether the point that a unit walks to is in sight from a place next to it, and the diagonal moves from there come first; nothing
    /// if it is not, and has to be.
    fn leads_on(&self, course: &Course, unit: &Unit, place: usize) -> Option<bool> {
        let (from, to) = ((course.at.0 + AROUND[place].0, course.at.1 + AROUND[place].1), course.to);
        if is_blind(unit) {
            return Some(true);
        }
        let turn = self.sight_of(unit).turn(from, to)?;
        let (dx, dy) = (turn.0 - from.0, turn.1 - from.1);
        Some(from.0 == to.0 || from.1 == to.1 || dx.abs() == dy.abs())
    }

    #[inline]
    fn sight_of(&self, unit: &Unit) -> &'a Sight {
        self.only_sight.unwrap_or_else(|| self.teams[unit.team as usize].sight(self.sight))
    }

    /// What a cell around a unit, or its own, is worth to it; nothing if it lies farther away.
    fn range(&mut self, unit: u32, n: NodeId) -> Option<Worth> {
        let at = cell(self.grid, n);
        let course = &self.courses[unit as usize];
        let place = place((at.0 - course.at.0, at.1 - course.at.1))?;
        let (least, most, is_known) = if course.is_plain() {
            let (least, most) = self.slopes.range(course, place);
            (least, most, least == most)
        } else {
            let ranks = self.ranks_of(unit);
            (ranks.values[place], ranks.at_most(place), ranks.known(place).is_some())
        };
        Some(Worth { place, least, most, is_known })
    }

    /// What is known of the cells around a unit for which its course does not tell.
    fn ranks_of(&mut self, unit: u32) -> &mut Ranks {
        if core::mem::replace(&mut self.ranked[unit as usize], self.stamp as u32) != self.stamp as u32 {
            let known = &self.units[unit as usize];
            let led = if known.crowd == NONE { None } else { self.crowds.ranks(self.grid, known) };
            self.ranks[unit as usize] = led.unwrap_or_else(|| self.outlook(unit).ranks());
        }
        &mut self.ranks[unit as usize]
    }

    /// Looks what a cell next to a unit is worth to it.
    fn find_out(&mut self, unit: u32, n: NodeId, place: usize) -> Cost {
        let course = &self.courses[unit as usize];
        if course.is_plain() {
            let (from, to) = ((course.at.0 + AROUND[place].0, course.at.1 + AROUND[place].1), course.to);
            let over = self.slopes.over(course, place);
            let sees = self.sight_of(&self.units[unit as usize]).is_open(from, to);
            self.courses[unit as usize].look(place, sees);
            return if sees { over } else { over + self.slopes.unseen };
        }
        let value = self.outlook(unit).value(n);
        let ranks = &mut self.ranks[unit as usize];
        ranks.values[place] = value;
        ranks.known |= 1 << place;
        value
    }
}

impl Wanted<'_> {
    /// What a cell is worth that does not lie next to a unit: groups that are stuck ask where to bring it. By the farthest point of
    /// its way in sight from there, or by way of where it is.
    fn value_afar(&mut self, unit: u32, n: NodeId) -> Cost {
        let known = &self.units[unit as usize];
        if let Some(value) = self.crowds.value(self.grid, known, n) {
            return value;
        }
        if n == known.goal {
            return Cost::ZERO;
        }
        if let Some(rows) = self.rows.filter(|_| known.row != NONE) {
            let moves = match two_moves_away(self.grid, known.at, n) {
                Some(between) => {
                    let by = rows.farther(known.row, n, between) + rows.farther(known.row, between, known.at);
                    known.moves.checked_add_signed(by)
                }
                None => self.survey.distance(rows, known.row, n),
            };
            return moves.map_or(Cost::INF, |moves| self.outlook(unit).by_row(n, moves));
        }
        let (grid, sight) = (self.grid, self.teams[known.team as usize].sight(self.sight));
        let (from, at) = (cell(grid, n), cell(grid, known.at));
        let over = |to: (i32, i32)| grid.over_open_ground(to.0 - from.0, to.1 - from.1);
        let points =
            self.ways.walk(known.way()).take(POINTS_AHEAD).map(|point| (cell(grid, point.cell), point.rest));
        let in_sight = points.filter(|&(to, _)| sight.is_open(from, to)).last();
        let goal =
            Some(cell(grid, known.goal)).filter(|&goal| known.way() == NONE && sight.is_open(from, goal));
        match in_sight.or(goal.map(|goal| (goal, Cost::ZERO))) {
            Some((to, rest)) => over(to) + rest,
            None => self.outlook(unit).here() + over(at),
        }
    }
}

impl Wishes for Wanted<'_> {
    fn value(&mut self, unit: u32, n: NodeId) -> Cost {
        let known = &self.units[unit as usize];
        if self.courses[unit as usize].is_idle() {
            return at_rest(known, n);
        }
        match self.range(unit, n) {
            None => self.value_afar(unit, n),
            Some(worth) if worth.is_known => worth.least,
            // A row tells all that it can of the cells around.
            Some(_) if known.row != NONE => self.value_afar(unit, n),
            Some(worth) => self.find_out(unit, n, worth.place),
        }
    }

    fn is_worth_nothing(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        if known.row != NONE && wants(known) && !self.crowds.leads(known) {
            return n == known.goal;
        }
        self.value(unit, n) == Cost::ZERO
    }

    #[inline]
    fn value_near(&mut self, unit: u32, cells: &[NodeId; 9], place: usize) -> Cost {
        let course = &self.courses[unit as usize];
        if course.is_idle() {
            return at_rest(&self.units[unit as usize], cells[place]);
        }
        let known = if course.is_plain() {
            let (least, most) = self.slopes.range(course, place);
            (least == most).then_some(least)
        } else {
            self.ranks_of(unit).known(place)
        };
        known.unwrap_or_else(|| self.find_out(unit, cells[place], place))
    }

    fn prepare(&mut self) {
        for unit in 0..self.units.len() {
            self.courses[unit] = self.set_course(unit);
        }
    }

    #[inline]
    fn ahead(&mut self, unit: u32, which: u32) -> Option<(usize, Cost)> {
        let course = &mut self.courses[unit as usize];
        let place = course.ask(which)?;
        Some((place, self.slopes.over(course, place)))
    }

    #[inline]
    fn bounds(&mut self, unit: u32, _: &[NodeId; 9], _: u32, out: &mut [Cost; 9]) -> u32 {
        let course = &self.courses[unit as usize];
        if course.is_plain() {
            return self.slopes.bounds(course, out);
        }
        if course.is_idle() {
            *out = [Cost::new(1); 9];
            out[OWN] = Cost::ZERO;
            return u32::MAX;
        }
        let ranks = self.ranks_of(unit);
        *out = ranks.values;
        ranks.known
    }

    fn is_nearer(&mut self, unit: u32, n: NodeId, than: NodeId) -> bool {
        if !self.courses[unit as usize].is_idle()
            && let (Some(one), Some(other)) = (self.range(unit, n), self.range(unit, than))
        {
            if one.most < other.least {
                return true;
            }
            if one.least >= other.most {
                return false;
            }
        }
        self.value(unit, n) < self.value(unit, than)
    }

    #[inline]
    fn are_mates(&mut self, unit: u32, other: u32) -> bool {
        // Where there are no crowds, units need not be fetched for this.
        !self.crowds.all.is_empty()
            && self.crowds.are_mates(&self.units[unit as usize], &self.units[other as usize])
    }

    fn queues(&mut self, unit: u32) -> bool {
        if self.crowds.all.is_empty() {
            return false;
        }
        let known = &self.units[unit as usize];
        let waits_for_mate = known.blocked_by != NONE && self.are_mates(unit, known.blocked_by);
        waits_for_mate && self.crowds.leads(known)
    }

    fn is_as_good(&mut self, unit: u32, n: NodeId) -> bool {
        // Where there are no crowds, units need not be fetched for this.
        let known = &self.units[unit as usize];
        !self.crowds.all.is_empty() && known.is_settled && self.crowds.is_slot(known, n)
    }

    fn knows_the_ground(&mut self, unit: u32) -> bool {
        // By the clock, to wander about without a way takes time that searches would have.
        if self.is_timed && self.courses[unit as usize].is_blind() {
            return false;
        }
        self.only_sight.is_some() || self.teams[self.units[unit as usize].team as usize].fog.is_none()
    }

    #[inline]
    fn is_at_home(&mut self, unit: u32, _: NodeId) -> bool {
        self.courses[unit as usize].is_home()
    }

    fn is_home(&mut self, unit: u32, n: NodeId) -> bool {
        let known = &self.units[unit as usize];
        if known.is_settled {
            return n == known.at;
        }
        n == if wants(known) { known.goal } else { known.at } && !self.crowds.leads(known)
    }
}
