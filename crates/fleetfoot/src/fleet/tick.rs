//! One tick: teams look around and take over what has changed, everybody moves, and searches go on.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::crowds::Seat;
use super::front::{Fleet, Summary};
use super::ground::{NONE, tie};
use super::pace::load;
use super::teams::MANY_WAIT;
use super::units::{Details, Event, Speed, Status, Unit};
use super::wanted::Wanted;
use super::ways::{Head, Outlook};
use crate::corners::cell;
use crate::graph::{Graph, Neighbours};
use crate::id::NodeId;
use crate::meter::{Kind, Meter, Prices};

/// A move of one unit in a joint search takes as long as so many expansions.
const WORK_PER_MOVE: u64 = 3;
/// Joint searches have this part of a budget while long searches wait, else all of it.
const LADDER: u64 = 8;
/// The same where the clock is the limit, in moves: of the time that is left, too.
const LADDER_BY_CLOCK: u64 = 2000;
/// Where the clock is the limit, searches have an expansion's worth of work for so many units in any case.
const UNITS_PER_WORK: u64 = 8;
/// Where the clock is the limit, this part of the time is kept back: the clock is asked now and then only.
const PUNCTUAL: u64 = 16;
/// A unit that has not seen its way for so many ticks is led back to it.
const LOST: u32 = 2;
/// A unit that cannot get to its goal, and has come no nearer to the end of its way for so many ticks, stays where it is.
const RESIGNS: u64 = 8;
/// A team in the fog that sees much that is new has this part of what there is for the upkeep of indices.
const UPKEEP_IN_HASTE: u64 = 4;
/// Points of its way that a unit passes in one tick at most.
const MOST_PASSED: usize = 4;
/// So near to the next point of its way, a unit looks every tick whether the one after it is in sight; else every so many.
const LOOKS_ON: i32 = 3;
/// See [`LOOKS_ON`].
const LOOKS_EVERY: u64 = 8;
/// A unit that has come no nearer for so many ticks looks whether it is sealed off, and again after as many, or half of the time
/// that it has come no nearer.
const SEALED: u64 = 48;

impl Fleet {
    pub(super) fn advance(&mut self, meter: &mut Meter) {
        let kept = meter.time_left() / PUNCTUAL;
        meter.ending_early(kept, |meter| self.go_on(meter));
    }

    fn go_on(&mut self, meter: &mut Meter) {
        self.clear_events();
        let before = *meter.work();
        let waiting = self.resolver.as_ref().map_or(self.units.len(), |resolver| resolver.order.len());
        let load = load(self.units.len(), waiting);
        self.pace.start(meter);
        self.look();
        self.learn(meter);
        meter.share(1, 4, |meter| self.repair(meter));
        meter.share(1, 4, |meter| self.make_landmarks(meter));
        // A part each, so that a map that changes all the time leaves something for searches.
        meter.share(1, 4, |meter| self.check_ways(meter));
        meter.share(1, 4, |meter| self.look_at_openings(meter));
        self.desks.done = 0;
        // Where the clock is the limit, moving comes before searches, which have what it leaves.
        let is_timed = meter.is_timed();
        if !is_timed {
            self.search_crowds(meter);
            self.tell_hopeless(meter);
            self.think_quickly(meter);
        }
        self.move_all(meter, load);
        self.track();
        if is_timed {
            // Moving may take all the time, in every tick: searches have a little all the same.
            let mut least = Meter::priced(self.units.len() as u64 / UNITS_PER_WORK + 1, Prices::ALL_WORK);
            self.think_quickly(&mut least);
            self.think(&mut least);
            meter.take_back(&least);
            self.search_crowds(meter);
            if self.resolver.is_some() {
                self.pace.end(meter, load, self.summary.left_out > 0);
            }
            self.tell_hopeless(meter);
            self.think_quickly(meter);
        }
        self.think(meter);
        self.tick += 1;
        let spent = meter.work().since(before).priced(&Prices::ALL_WORK).div_ceil(10);
        let summary = &mut self.summary;
        (summary.work, summary.searches) = (summary.work + spent, self.desks.done);
    }

    /// Takes the list of events back if nobody looks at it any more, else another one.
    fn clear_events(&mut self) {
        match Arc::get_mut(&mut self.events) {
            Some(events) => events.clear(),
            None => self.events = Arc::new(Vec::with_capacity(self.events.capacity())),
        }
    }

    /// Notes what has happened.
    pub(super) fn tell(&mut self, event: Event) {
        Arc::make_mut(&mut self.events).push(event);
    }

    /// Every unit of a team in the fog looks around, unless it has done so from there and the map is what it was.
    fn look(&mut self) {
        if self.teams.iter().all(|team| team.fog.is_none()) {
            return;
        }
        // Not the log: it tells of moves, and a cell among walls has none.
        let now = Some(self.map.grid().fingerprint());
        let has_changed = core::mem::replace(&mut self.looked, now) != now;
        for (unit, details) in self.units.iter().zip(&mut self.details).filter(|(unit, _)| unit.is_there) {
            if let Some(fog) = &mut self.teams[unit.team as usize].fog
                && (core::mem::replace(&mut details.outlook, unit.at) != unit.at || has_changed)
            {
                fog.look(self.map.grid(), &self.sight, unit.at);
            }
        }
    }

    /// Teams take over what was seen.
    fn learn(&mut self, meter: &mut Meter) {
        let truth = self.map.grid();
        let many_wait = self.desks.waiting() >= MANY_WAIT;
        meter.share(1, 2, |meter| {
            for team in &mut self.teams {
                let Some(mut fog) = team.fog.take() else { continue };
                fog.learn(truth, many_wait, meter, |n, is_free| team.changed(n, is_free));
                team.fog = Some(fog);
            }
        });
    }

    /// Indices of the map and of what teams know of it are brought up to date.
    fn repair(&mut self, meter: &mut Meter) {
        self.upkeep.go_on(&mut self.map, meter);
        for fog in self.teams.iter_mut().filter_map(|team| team.fog.as_mut()) {
            // As long as much is new, little of what is found out will last.
            let part = if fog.keeps { 1 } else { UPKEEP_IN_HASTE };
            meter.share(1, part, |meter| fog.upkeep.go_on(fog.belief.map_mut(), meter));
        }
    }

    /// Everybody moves, or stands.
    fn move_all(&mut self, meter: &mut Meter, load: u64) {
        let now = self.tick;
        let mut resolver = self.resolver.take();
        let slow = if self.has_speeds { &mut self.details[..] } else { &mut [] };
        for (number, details) in slow.iter_mut().enumerate() {
            let is_there = self.units[number].is_there;
            if details.speed != Speed::EveryTicks(1) && is_there && is_resting(details, now) {
                match &mut resolver {
                    Some(resolver) => resolver.rest(number as u32),
                    None => details.ready = now + 1,
                }
            }
        }
        let mut survey = self.rows.as_mut().map(|rows| core::mem::take(&mut rows.survey)).unwrap_or_default();
        let mut wishes = Wanted {
            grid: self.map.grid(),
            sight: &self.sight,
            teams: &self.teams,
            units: &self.units,
            details: &self.details,
            rows: self.rows.as_ref(),
            survey: &mut survey,
            ways: &self.ways,
            crowds: &self.crowds,
            ranks: &mut self.ranks,
            ranked: &mut self.ranked,
            courses: &mut self.courses,
            slopes: &self.slopes,
            only_sight: self.teams.iter().all(|team| team.fog.is_none()).then_some(&self.sight),
            is_eight: self.map.grid().rules().neighbours == Neighbours::Eight,
            is_edited: self.edited == now,
            is_timed: meter.is_timed(),
            has_speeds: self.has_speeds,
            stamp: now + 1,
            last: None,
        };
        self.summary = Summary::default();
        if let Some(resolver) = &mut resolver {
            let grid = self.map.grid();
            let part = if self.desks.is_idle() { 1 } else { LADDER };
            let budget = meter.expansions_left().map_or(LADDER_BY_CLOCK, |left| left / part / WORK_PER_MOVE);
            let (rest, is_timed) = (self.pace.rest(meter, load), meter.is_timed());
            let planned = meter.ending_early(rest, |meter| {
                resolver.plan(grid, &mut wishes, is_timed.then_some(|| meter.in_time()))
            });
            self.pace.begin(meter);
            let mut report = resolver.move_all(grid, &mut wishes, planned);
            report.work = self.pace.pause(meter, |meter| {
                meter.ending_early(rest, |meter| {
                    meter.share(1, part, |meter| {
                        resolver
                            .think(grid, &mut wishes, budget.saturating_sub(self.owed), || meter.in_time())
                    })
                })
            });
            // What was done beyond the budget is paid for in the next ticks.
            let paid = (report.work + self.owed).min(budget);
            self.owed = report.work + self.owed - paid;
            meter.overdraw(Kind::Expand, paid * WORK_PER_MOVE);
            (self.summary.left_out, self.summary.resolver) = (resolver.turns.left_out(), report);
        } else {
            self.walk_through(now);
        }
        self.resolver = resolver;
        if let Some(rows) = &mut self.rows {
            rows.survey = survey;
        }
    }

    /// The moves of units that walk through each other: each to the best of the cells around it.
    fn walk_through(&mut self, now: u64) {
        let grid = self.map.grid();
        for number in 0..self.units.len() {
            let (unit, details) = (&self.units[number], &mut self.details[number]);
            details.next = NodeId::NONE;
            if !unit.is_there || details.ready > now || !wants(unit) {
                continue;
            }
            let sight = self.teams[unit.team as usize].sight(&self.sight);
            let outlook = Outlook::new(grid, sight, self.rows.as_ref(), &self.ways, unit);
            let around = grid.succs(unit.at).map(|edge| edge.to).chain([unit.at]);
            let luck = |n: NodeId| tie(self.config.resolver.seed, now, number as u32, n.raw());
            let best = around.min_by_key(|&n| (outlook.value(n), luck(n)));
            details.next = best.unwrap_or(unit.at);
        }
    }

    /// Takes note of where everybody is now: who has arrived, who has passed a point of its way, who is lost, who is blocked.
    fn track(&mut self) {
        let mut events = core::mem::take(Arc::make_mut(&mut self.events));
        for number in 0..self.units.len() as u32 {
            let unit = &self.units[number as usize];
            if !unit.is_there {
                continue;
            }
            let next = match &self.resolver {
                Some(resolver) => resolver.at(number).unwrap_or(unit.at),
                None => self.details[number as usize].next.some().unwrap_or(unit.at),
            };
            let from = unit.at;
            if from != next {
                self.step(number, next);
                events.push(Event::Moved { unit: self.id(number), from, to: next });
                self.summary.moved += 1;
            }
            let unit = &self.units[number as usize];
            if !wants(unit) {
                continue;
            }
            let seat = self.take_seat(number, from, &mut events);
            let unit = &self.units[number as usize];
            if seat == Seat::Settled || seat == Seat::Elsewhere && unit.at == unit.goal {
                self.arrive(number, &mut events);
                continue;
            }
            let can_arrive = unit.status != Status::Unreachable;
            self.summary.underway += u32::from(can_arrive);
            self.summary.seeking += u32::from(unit.status == Status::Seeking);
            if self.resolver.as_ref().is_some_and(|resolver| resolver.turns.was_left_out(number)) {
                // Nothing is new to it.
                continue;
            }
            if seat == Seat::Elsewhere {
                self.follow(number);
            }
            if from == next && can_arrive {
                self.blame(number, &mut events);
                self.help_on(number);
            } else {
                self.units[number as usize].blocked_by = NONE;
            }
        }
        *Arc::make_mut(&mut self.events) = events;
    }

    /// A unit has moved.
    fn step(&mut self, number: u32, to: NodeId) {
        let unit = &mut self.units[number as usize];
        if self.has_speeds {
            let details = &mut self.details[number as usize];
            match details.speed {
                Speed::EveryTicks(ticks) => details.ready = self.tick + u64::from(ticks.max(1)),
                Speed::Hundredths(_) => {
                    let ((ax, ay), (bx, by)) = (self.map.grid().xy(unit.at), self.map.grid().xy(to));
                    details.balance -= if ax != bx && ay != by { 141 } else { 100 };
                }
            }
        }
        if let Some(rows) = self.rows.as_ref().filter(|_| unit.row != NONE) {
            unit.moves = unit.moves.saturating_add_signed(rows.farther(unit.row, to, unit.at));
        }
        if unit.crowd != NONE {
            self.crowds.moved(number, unit.crowd, unit.at, to);
        }
        unit.at = to;
        if self.resolver.is_none() {
            self.details[number as usize].next = NodeId::NONE;
        }
    }

    fn arrive(&mut self, number: u32, events: &mut Vec<Event>) {
        let unit = &mut self.units[number as usize];
        (unit.lost, unit.blocked_by) = (0, NONE);
        if core::mem::replace(&mut unit.status, Status::Arrived) != Status::Arrived {
            events.push(Event::Arrived { unit: self.id(number) });
        }
        // It needs no way any more, unless it is pushed away; a row is there for others, too.
        let unit = &mut self.units[number as usize];
        let way = unit.set_way(NONE);
        unit.is_whole = unit.row != NONE;
        if core::mem::take(&mut unit.is_queued) {
            self.void_tickets(number);
        }
        self.ways.drop(way);
    }

    /// A unit goes on along its way: passes points, and notes whether it has lost sight of it.
    fn follow(&mut self, number: u32) {
        let unit = &self.units[number as usize];
        if unit.row != NONE {
            return;
        }
        // One who has no way yet cannot lose it.
        if unit.way() == NONE && unit.is_queued {
            return;
        }
        let head = self.ways.head(unit);
        self.units[number as usize].head = head.unwrap_or(Head::NONE);
        let unit = &self.units[number as usize];
        let sight = self.teams[unit.team as usize].sight(&self.sight);
        let grid = self.map.grid();
        let (at, here) = (cell(grid, unit.at), unit.at);
        let mut way = unit.way();
        // Far from the next point, the ranking has looked whether that is in sight; the one after it seldom is.
        let to = cell(grid, head.map_or(unit.goal, |head| head.cell));
        let is_far = (to.0 - at.0).abs().max((to.1 - at.1).abs()) > LOOKS_ON;
        let is_due = self.tick.wrapping_add(u64::from(number)).is_multiple_of(LOOKS_EVERY);
        // Who has no way at all has not looked.
        let has_looked = way != NONE || unit.status != Status::Seeking;
        if is_far && !is_due && has_looked {
            // Where it is not known from the ranking, one look tells: where units go depends on what they can see, not on what somebody
            // happened to ask.
            let course = &self.courses[number as usize];
            let is_now = course.stamp == (self.tick + 1) as u32 && course.to == to;
            if is_now && course.is_seen_from(at) || sight.is_open(at, to) {
                self.units[number as usize].lost = 0;
                return;
            }
        }
        // The first points are at hand; further ones lie far apart.
        let mut points = head.map(|head| (head.cell, head.after.some()));
        for _ in 0..MOST_PASSED {
            let Some((first, after)) = points else { break };
            if first != here && after.is_none_or(|after| !sight.is_open(at, cell(grid, after))) {
                break;
            }
            way = self.ways.pass(way);
            points = self.ways.first_two(way);
        }
        let first = points.map_or(unit.goal, |(first, _)| first);
        let is_lost = !sight.is_open(at, cell(grid, first));
        let unit = &mut self.units[number as usize];
        if unit.way() != way {
            unit.set_way(way);
        }
        unit.lost = if is_lost { unit.lost + 1 } else { 0 };
        if unit.status == Status::Unreachable {
            // At the end of what was left of its way it stands, and so it does where it is pushed from that or others stand in its way.
            let stalled = self.resolver.as_ref().map_or(0, |resolver| resolver.stalled(number));
            if unit.lost >= LOST || stalled >= RESIGNS {
                self.ways.drop(way);
                self.units[number as usize].set_way(NONE);
            }
            return;
        }
        if unit.is_queued || unit.lost < LOST {
            return;
        }
        if way == NONE {
            // Pushed away from its goal, out of sight.
            self.enqueue(number);
        } else if unit.is_whole {
            unit.is_queued = true;
            self.desks.lost.push_back(self.ticket(number));
        }
    }

    /// A unit has not moved: who is in its way?
    fn blame(&mut self, number: u32, events: &mut Vec<Event>) {
        let Some(resolver) = &self.resolver else { return };
        let unit = &self.units[number as usize];
        let by = resolver.who_blocks(self.map.grid(), number).unwrap_or(NONE);
        let stalled = resolver.stalled(number);
        if by != NONE && by != unit.blocked_by {
            events.push(Event::Blocked { unit: self.id(number), by: self.id(by) });
        }
        // Who waits for its slot in a crowd is shut off by nobody, and who waits for its way has not been anywhere near.
        let is_due = stalled >= SEALED
            && unit.status != Status::Seeking
            && self.tick >= self.details[number as usize].looked + SEALED.max(stalled / 2)
            && !self.crowds.leads(unit);
        self.units[number as usize].blocked_by = by;
        if is_due {
            self.details[number as usize].looked = self.tick;
            if let Some(by) = self.sealed_by(number) {
                events.push(Event::Sealed { unit: self.id(number), by: self.id(by) });
            }
        }
    }

    /// A unit that has no way yet stands though nobody is in its way: from there, nothing that it can see is nearer to its
    /// goal. It comes first in the line, once for each order.
    fn help_on(&mut self, number: u32) {
        let unit = &mut self.units[number as usize];
        if unit.status != Status::Seeking || !unit.is_queued || unit.is_stranded || unit.blocked_by != NONE {
            return;
        }
        let details = &self.details[number as usize];
        if !details.centre.is_some() && details.ready <= self.tick {
            unit.is_stranded = true;
            self.desks.preferred.push_front(self.ticket(number));
        }
    }
}

/// Whether a unit has somewhere to go.
pub(super) fn wants(unit: &Unit) -> bool {
    match unit.status {
        Status::Seeking | Status::Underway | Status::Arrived => true,
        Status::Unreachable => unit.way() != NONE,
        Status::Idle | Status::Buried => false,
    }
}

/// Whether a unit is too slow to move in this tick.
fn is_resting(unit: &mut Details, now: u64) -> bool {
    match unit.speed {
        Speed::EveryTicks(_) => unit.ready > now,
        Speed::Hundredths(speed) => {
            let speed = i32::try_from(speed).unwrap_or(i32::MAX).min(1000);
            unit.balance = unit.balance.saturating_add(speed).min(speed);
            rests(unit, now)
        }
    }
}

/// The same, for one that has been asked in this tick.
pub(super) fn rests(unit: &Details, now: u64) -> bool {
    match unit.speed {
        Speed::EveryTicks(_) => unit.ready > now,
        Speed::Hundredths(_) => unit.balance <= 0,
    }
}
