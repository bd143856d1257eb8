//! Searches for units within one purse: who is served, and when.
//!
//! A unit with a new goal is looked up in a hurry first: some expansions, which find short ways whole and tell the first
//! corners of long ones. Then it waits in a line for a whole search. Units that were pushed out of sight of their way wait
//! in another line, for a short search back to it. Half of a tick's budget is for the short searches, the rest and what
//! they leave is for the long ones, some of which run side by side in equal shares, so that none holds up the others.
//!
//! So nobody starves. Every line is served first come, first served. Of the searches that long desks take, one of two is for a single
//! unit if one waits, and of these one of four is for one that is not preferred. So with a budget of B a tick, a unit that joins a
//! line behind k others, where no search takes more than C (at most a search of the whole map), is served within
//! 8 · (k + desks) · C / (B / 2) ticks, whatever comes after it. One exception: who stands without a way goes before all that are
//! preferred, once for each of its orders.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::front::Fleet;
use super::ground::NONE;
use super::sight::Sight;
use super::teams::{MANY_WAIT, Team};
use super::tick::wants;
use super::units::{Event, Status};
use crate::corners::{CellSearch, Limit, Stage, cell};
use crate::graph::{Graph, Grid, Neighbours, Reach};
use crate::id::NodeId;
use crate::map::{Map, Nearest};
use crate::meter::{Kind, Meter, Prices};
use crate::parts::{Part, Pools, Tools};

/// Long searches that run side by side.
const DESKS: usize = 4;
/// Expansions of a search in a hurry, which finds most ways whole.
const HURRY: u64 = 40;
/// The same where so many wait that they are to set out first, and where they will have exact distances, which cost no more than
/// a whole search.
const GREAT_HURRY: u64 = 12;
const MANY_NEW: usize = 16;
/// Work of a long search in a round where the clock is the limit, in expansions.
const QUANTUM: u64 = 256;
/// Threads are asked for help with rounds in which every search has so much to do, in expansions.
#[cfg(feature = "rayon")]
const WORTH_A_THREAD: u64 = 256;

/// Looking at a cell for a row of distances, in quarters of the reading of a word: where moves are four, and where they are
/// eight.
const QUARTERS_PER_CELL: [u32; 2] = [2, 3];

/// A unit, and the order for which it waits.
pub(super) type Ticket = (u32, u32);

/// Units with a common goal.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) team: u16,
    pub(super) centre: NodeId,
    pub(super) units: Vec<Ticket>,
    /// The next one to have its way.
    pub(super) next: usize,
}

/// What a desk works at.
#[derive(Clone, Debug)]
pub(super) enum Job {
    Nothing,
    /// A whole way for a unit.
    Way(Ticket),
    /// A way for a unit back to the first point of its way.
    Back(Ticket, NodeId),
    /// Ways for a group.
    Group(Group),
}

/// A search under way, and for whom.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    pub(super) job: Job,
    pub(super) seeker: CellSearch,
    spare: Spare,
}

/// Working memory, which is no part of what a fleet is.
#[derive(Debug, Default)]
struct Spare(Option<Pools>);

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// All desks, and the lines before them.
#[derive(Clone, Debug)]
pub(super) struct Desks {
    /// For searches in a hurry, and back to ways.
    pub(super) quick: Desk,
    pub(super) long: Vec<Desk>,
    /// The long desk whose turn it is, and how many tickets have been taken from the long lines.
    pub(super) turn: u32,
    pub(super) taken: u32,
    /// Units that have a new goal.
    pub(super) new: VecDeque<Ticket>,
    /// Units that have lost sight of their way.
    pub(super) lost: VecDeque<Ticket>,
    /// Units that are to have exact distances, which take longer than a first look.
    pub(super) exact: VecDeque<Ticket>,
    /// Units that wait for a whole search: preferred ones, and the others.
    pub(super) preferred: VecDeque<Ticket>,
    pub(super) others: VecDeque<Ticket>,
    pub(super) groups: VecDeque<Group>,
    /// Units that cannot reach their goal, whose owners have not been told.
    pub(super) hopeless: VecDeque<Ticket>,
    /// Searches that came to their end in this tick.
    pub(super) done: u32,
}

impl Desk {
    fn new(grid: &Grid) -> Self {
        Self { job: Job::Nothing, seeker: CellSearch::by_cell(grid.bound()), spare: Spare::default() }
    }

    /// Whether a search is under way.
    pub(super) fn is_busy(&self) -> bool {
        !matches!(self.job, Job::Nothing) && self.seeker.stage == Stage::Running
    }

    /// The search goes on as far as this purse goes.
    fn go_on(&mut self, team: &Team, truth: &Map, sight: &Sight, purse: &mut Meter) {
        let mut pools = self.spare.0.take().unwrap_or_default();
        let tools = &mut Tools { meter: purse, pools: &mut pools, probe: None };
        team.advance(&mut self.seeker, (truth, sight), Limit::NONE, tools);
        self.spare.0 = Some(pools);
    }
}

impl Desks {
    pub(super) fn new(grid: &Grid) -> Self {
        Self {
            quick: Desk::new(grid),
            long: (0..DESKS).map(|_| Desk::new(grid)).collect(),
            turn: 0,
            taken: 0,
            new: VecDeque::new(),
            lost: VecDeque::new(),
            exact: VecDeque::new(),
            preferred: VecDeque::new(),
            others: VecDeque::new(),
            groups: VecDeque::new(),
            hopeless: VecDeque::new(),
            done: 0,
        }
    }

    /// Whether nobody waits for a long search.
    pub(super) fn is_idle(&self) -> bool {
        let is_free = |desk: &Desk| matches!(desk.job, Job::Nothing);
        self.long.iter().all(is_free)
            && self.preferred.is_empty()
            && self.others.is_empty()
            && self.groups.is_empty()
    }

    /// How many wait for a long search.
    pub(super) fn waiting(&self) -> usize {
        self.preferred.len() + self.others.len()
    }

    fn has_no_tickets(&self) -> bool {
        self.preferred.is_empty() && self.others.is_empty()
    }

    /// The next in the long lines.
    fn next_long(&mut self) -> Option<Ticket> {
        self.taken = self.taken.wrapping_add(1);
        let (first, second) = if self.taken.is_multiple_of(4) {
            (&mut self.others, &mut self.preferred)
        } else {
            (&mut self.preferred, &mut self.others)
        };
        first.pop_front().or_else(|| second.pop_front())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let tickets = [&self.new, &self.lost, &self.exact, &self.preferred, &self.others, &self.hopeless];
        let lines = tickets.iter().map(|line| line.capacity() * size_of::<Ticket>()).sum::<usize>();
        let desks = self.long.iter().chain([&self.quick]);
        lines + desks.map(|desk| desk.seeker.search.memory_bytes()).sum::<usize>()
    }
}

impl Fleet {
    /// The ticket of a unit, good until it has another order.
    pub(super) fn ticket(&self, number: u32) -> Ticket {
        (number, self.details[number as usize].orders)
    }

    /// A unit has a new goal.
    pub(super) fn enqueue(&mut self, number: u32) {
        if !core::mem::replace(&mut self.units[number as usize].is_queued, true) {
            let ticket = self.ticket(number);
            self.desks.new.push_back(ticket);
        }
    }

    /// A unit needs a whole search.
    pub(super) fn enqueue_long(&mut self, number: u32) {
        self.units[number as usize].is_queued = true;
        let (ticket, is_preferred) = (self.ticket(number), self.details[number as usize].is_preferred);
        let line = if is_preferred { &mut self.desks.preferred } else { &mut self.desks.others };
        line.push_back(ticket);
    }

    /// What was begun for a unit is of no use any more.
    pub(super) fn void_tickets(&mut self, number: u32) {
        let orders = &mut self.details[number as usize].orders;
        *orders = orders.wrapping_add(1);
    }

    /// Whether a ticket is still good: the unit is there, and has the same order.
    pub(super) fn is_good(&self, ticket: Ticket) -> bool {
        self.units.get(ticket.0 as usize).is_some_and(|unit| unit.is_there && self.ticket(ticket.0) == ticket)
    }

    /// Whether a ticket is good, and its unit still waits: one who stood without a way has two, and is served by the first.
    fn is_awaited(&self, ticket: Ticket) -> bool {
        self.is_good(ticket) && self.units[ticket.0 as usize].is_queued
    }

    /// Whether any unit of a group still has the order.
    fn is_alive(&self, group: &Group) -> bool {
        group.units[group.next.min(group.units.len())..].iter().any(|&ticket| self.is_good(ticket))
    }

    /// Short searches go on as far as half of the budget goes, and as far as all of it where nobody waits for a long one.
    pub(super) fn think_quickly(&mut self, meter: &mut Meter) {
        let part = if self.desks.is_idle() && self.desks.exact.is_empty() { 1 } else { 2 };
        let mut pools = self.desks.quick.spare.0.take().unwrap_or_default();
        meter.share(1, part, |meter| {
            let tools = &mut Tools { meter, pools: &mut pools, probe: None };
            while self.quick_step(tools) {}
        });
        self.desks.quick.spare.0 = Some(pools);
    }

    /// Long searches go on as far as the budget goes: in rounds, all side by side with equal shares of what is left. What a
    /// desk does in a round depends on its share alone, so that threads change nothing.
    pub(super) fn think(&mut self, meter: &mut Meter) {
        let first = self.desks.turn as usize % DESKS;
        self.desks.turn = self.desks.turn.wrapping_add(1);
        loop {
            let mut runs = [false; DESKS];
            for k in (first..DESKS).chain(0..first) {
                runs[k] = self.serve(k, meter);
            }
            if !self.round(runs, first, meter) {
                break;
            }
        }
        self.make_rows(meter);
    }

    /// Some of the long searches go on; whether any did.
    fn round(&mut self, mut runs: [bool; DESKS], first: usize, meter: &mut Meter) -> bool {
        let mut busy = runs.iter().filter(|&&runs| runs).count() as u64;
        if !meter.is_worth(busy) {
            // Too little for all: one has it, another one in the next tick.
            let next = (first..DESKS).chain(0..first).find(|&k| runs[k]);
            runs = core::array::from_fn(|k| Some(k) == next);
            busy = busy.min(1);
        }
        // Where the clock is the limit, nobody is to wait for long.
        let most = if meter.is_timed() { QUANTUM } else { u64::MAX };
        let mut purses: [Option<Meter>; DESKS] = [const { None }; DESKS];
        for (k, purse) in purses.iter_mut().enumerate().filter(|(k, _)| runs[*k]) {
            let left_to_have = runs[k..].iter().filter(|&&runs| runs).count() as u64;
            *purse = Some(meter.hand_out(left_to_have, most));
        }
        let Self { desks, units, teams, map, sight, .. } = self;
        let go_on = |desk: &mut Desk, purse: &mut Option<Meter>| {
            let Some(purse) = purse else { return };
            let team = match &desk.job {
                Job::Way(ticket) => units[ticket.0 as usize].team,
                Job::Group(group) => group.team,
                _ => return,
            };
            desk.go_on(&teams[team as usize], map, sight, purse);
        };
        side_by_side(&mut desks.long, &mut purses, busy, go_on);
        let mut did = false;
        for (desk, purse) in desks.long.iter().zip(&purses) {
            let Some(purse) = purse else { continue };
            // Pages cost nothing, and how many are taken depends on what was done before.
            did |= desk.seeker.stage != Stage::Running || purse.work().priced(&Prices::ALL_WORK) > 0;
            meter.take_back(purse);
        }
        did
    }

    /// Tells of goals that cannot be reached, and what can be reached instead.
    pub(super) fn tell_hopeless(&mut self, meter: &mut Meter) {
        meter.share(1, 4, |meter| {
            while let Some(&ticket) = self.desks.hopeless.front() {
                let (number, _) = ticket;
                if self.is_good(ticket) && self.units[number as usize].status == Status::Buried {
                    self.tell(Event::Buried { unit: self.id(number) });
                } else if self.is_good(ticket) && self.units[number as usize].status == Status::Unreachable {
                    let unit = &self.units[number as usize];
                    let map = self.teams[unit.team as usize].map(&self.map);
                    let is_on_map = unit.goal.index() < map.grid().bound();
                    let place = if is_on_map { map.xy(unit.goal) } else { (u32::MAX, u32::MAX) };
                    let before = *meter.work();
                    let nearest = match map.nearest(unit.at, place, meter) {
                        Nearest::Cell(n) => Some(n),
                        Nearest::Nowhere => None,
                        // With a whole share for one alone it is out of reach.
                        Nearest::OutOfBudget if before[Kind::Compare] == 0 => None,
                        Nearest::OutOfBudget => return,
                    };
                    self.tell(Event::Unreachable { unit: self.id(number), nearest });
                }
                self.desks.hopeless.pop_front();
            }
        });
    }

    /// The next short search, or some more of it; false if there is none or the meter refuses.
    fn quick_step(&mut self, tools: &mut Tools<'_>) -> bool {
        if matches!(self.desks.quick.job, Job::Nothing) {
            // What the last one has read may still have to be paid for.
            if !self.desks.quick.seeker.settle(tools) || !self.take_quick(tools) {
                return false;
            }
            if matches!(self.desks.quick.job, Job::Nothing) {
                return true;
            }
        }
        let (ticket, goal) = match self.desks.quick.job {
            Job::Way(ticket) => (ticket, self.units[ticket.0 as usize].goal),
            Job::Back(ticket, goal) => (ticket, goal),
            _ => return false,
        };
        if !self.is_awaited(ticket) {
            self.desks.quick.job = Job::Nothing;
            return true;
        }
        let team = &self.teams[self.units[ticket.0 as usize].team as usize];
        let is_great = self.rows.is_some() || self.desks.new.len() >= MANY_NEW;
        let hurry = if is_great { GREAT_HURRY } else { HURRY };
        let Desk { job, seeker, .. } = &mut self.desks.quick;
        let expansions =
            if matches!(job, Job::Way(_)) { hurry.saturating_sub(seeker.expanded()) } else { u64::MAX };
        let limit = Limit { expansions, ..Limit::NONE };
        let stage = team.advance(seeker, (&self.map, &self.sight), limit, tools);
        match stage {
            Stage::Running if seeker.expanded() < hurry || matches!(job, Job::Back(..)) => return false,
            Stage::Running => self.set_out(ticket),
            Stage::Done => {
                if !self.pay_trace(None, goal, tools) {
                    return false;
                }
                let is_back = matches!(self.desks.quick.job, Job::Back(..));
                if is_back { self.lead_back(ticket, goal) } else { self.found(None, ticket) }
            }
            Stage::NoPath | Stage::Idle => self.fail(None, ticket),
        }
        self.desks.quick.job = Job::Nothing;
        true
    }

    /// Takes the next ticket for a short search: those who have lost their way and those who have a new goal in turn.
    fn take_quick(&mut self, tools: &mut Tools<'_>) -> bool {
        loop {
            let desks = &mut self.desks;
            desks.taken = desks.taken.wrapping_add(1);
            let lost_first = desks.taken.is_multiple_of(2);
            let lost = if lost_first || desks.new.is_empty() { desks.lost.pop_front() } else { None };
            let Some(ticket) = lost.or_else(|| desks.new.pop_front()) else { return self.take_exact() };
            if !self.is_awaited(ticket) {
                continue;
            }
            if lost.is_none() && self.has_row(ticket) {
                return true;
            }
            let unit = &mut self.units[ticket.0 as usize];
            let team = &self.teams[unit.team as usize];
            let map = team.map(&self.map);
            let job = if lost.is_some() {
                unit.is_queued = false;
                let Some(point) = self.ways.get(unit.way()) else { continue };
                let grid = map.grid();
                if team.sight(&self.sight).is_open(cell(grid, unit.at), cell(grid, point.cell)) {
                    continue;
                }
                unit.is_queued = true;
                Job::Back(ticket, point.cell)
            } else {
                Job::Way(ticket)
            };
            let goal = if let Job::Back(_, goal) = job { goal } else { unit.goal };
            let at = unit.at;
            self.desks.quick.job = job;
            self.desks.quick.seeker.begin(map.ground(), (at, goal), map.log().end(), tools);
            return true;
        }
    }

    /// Gives the next unit in its line exact distances; whether there was one.
    fn take_exact(&mut self) -> bool {
        let Some(ticket) = self.desks.exact.pop_front() else { return false };
        let number = ticket.0;
        let is_good = self.is_good(ticket) && {
            let unit = &self.units[number as usize];
            unit.row == NONE && unit.at != unit.goal && wants(unit) && unit.status != Status::Unreachable
        };
        if !is_good {
            return true;
        }
        let Some(rows) = self.rows.as_mut() else { return true };
        if !rows.is_ready(self.map.grid(), self.tick) {
            // The map has changed: it is searched for after all.
            if self.is_awaited(ticket) {
                self.enqueue_long(number);
            }
            return true;
        }
        let goal = self.units[number as usize].goal;
        let row = rows.take(goal).unwrap_or_else(|| {
            let (row, looked) = rows.make(goal);
            let has_eight = self.map.grid().rules().neighbours == Neighbours::Eight;
            self.desks.quick.seeker.debt += QUARTERS_PER_CELL[usize::from(has_eight)] * looked as u32;
            row
        });
        self.desks.done += 1;
        self.take_row(number, row);
        true
    }

    /// Rows of distances are made as far as the budget goes.
    fn make_rows(&mut self, meter: &mut Meter) {
        if self.desks.exact.is_empty() {
            return;
        }
        let mut pools = self.desks.quick.spare.0.take().unwrap_or_default();
        let tools = &mut Tools { meter, pools: &mut pools, probe: None };
        while self.desks.quick.seeker.settle(tools) && self.take_exact() {}
        self.desks.quick.spare.0 = Some(pools);
    }

    /// Teams in the fog make landmarks of what they know.
    pub(super) fn make_landmarks(&mut self, meter: &mut Meter) {
        if self.teams.iter().any(|team| team.fog.is_none()) && self.map.are_corners_stored() {
            let mut pools = self.desks.quick.spare.0.take().unwrap_or_default();
            self.map.prepare_landmarks(&mut Tools { meter, pools: &mut pools, probe: None });
            self.desks.quick.spare.0 = Some(pools);
        }
        if self.teams.iter().all(|team| team.fog.is_none()) {
            return;
        }
        self.teams.iter_mut().for_each(|team| team.waiting = 0);
        for unit in self.units.iter().filter(|unit| unit.is_queued) {
            let team = &mut self.teams[unit.team as usize];
            if team.waiting == 0 {
                team.around = unit.at;
            }
            team.waiting += 1;
        }
        let mut pools = self.desks.quick.spare.0.take().unwrap_or_default();
        let tools = &mut Tools { meter, pools: &mut pools, probe: None };
        // Another one has the first turn in every tick.
        let (first, all) = (self.tick as usize % self.teams.len(), self.teams.len());
        for team in (first..all).chain(0..first) {
            let Team { fog, waiting, around, .. } = &mut self.teams[team];
            if let Some(fog) = fog.as_mut().filter(|_| *waiting as usize >= MANY_WAIT) {
                fog.make_landmarks(*around, tools);
            }
        }
        self.desks.quick.spare.0 = Some(pools);
    }

    /// Whether a unit's goal has distances, or will have: the map is small, and its team knows it.
    pub(super) fn can_have_row(&mut self, number: u32) -> bool {
        let is_known = self.teams[self.units[number as usize].team as usize].fog.is_none();
        is_known && self.rows.as_mut().is_some_and(|rows| rows.is_ready(self.map.grid(), self.tick))
    }

    /// Whether a unit with a new goal has the row of it, since another one went there before; else it waits for one where there
    /// are rows.
    fn has_row(&mut self, ticket: Ticket) -> bool {
        if !self.can_have_row(ticket.0) {
            return false;
        }
        let goal = self.units[ticket.0 as usize].goal;
        if let Some(row) = self.rows.as_mut().and_then(|rows| rows.take(goal)) {
            self.desks.done += 1;
            self.take_row(ticket.0, row);
            return true;
        }
        self.desks.exact.push_back(ticket);
        false
    }

    /// A long desk hands over what it has found, and takes the next in line; whether it has a search to go on with.
    fn serve(&mut self, k: usize, meter: &mut Meter) -> bool {
        let mut pools = self.desks.long[k].spare.0.take().unwrap_or_default();
        let tools = &mut Tools { meter, pools: &mut pools, probe: None };
        let runs = loop {
            let desk = &self.desks.long[k];
            let (stage, goal) = (desk.seeker.stage, desk.seeker.goal);
            match desk.job {
                Job::Way(ticket) => match stage {
                    _ if !self.is_awaited(ticket) => {}
                    Stage::Running => break true,
                    Stage::Done if !self.pay_trace(Some(k), goal, tools) => break false,
                    Stage::Done => self.found(Some(k), ticket),
                    _ => self.fail(Some(k), ticket),
                },
                Job::Group(ref group) => match stage {
                    _ if !self.is_alive(group) => {}
                    Stage::Running => break true,
                    Stage::Done if !self.lead_group(k, tools) => break false,
                    _ => {}
                },
                _ => {}
            }
            self.desks.long[k].job = Job::Nothing;
            if !self.take_long(k, tools) {
                break false;
            }
        };
        self.desks.long[k].spare.0 = Some(pools);
        runs
    }

    fn take_long(&mut self, k: usize, tools: &mut Tools<'_>) -> bool {
        // Groups and single units in turn.
        let is_groups_turn = self.desks.taken.is_multiple_of(2) || self.desks.has_no_tickets();
        while let Some(group) = if is_groups_turn { self.desks.groups.pop_front() } else { None } {
            if !self.is_alive(&group) {
                continue;
            }
            self.desks.taken = self.desks.taken.wrapping_add(1);
            let map = self.teams[group.team as usize].map(&self.map);
            let desk = &mut self.desks.long[k];
            desk.seeker.begin(map.ground(), (group.centre, NodeId::NONE), map.log().end(), tools);
            desk.job = Job::Group(group);
            return true;
        }
        while let Some(ticket) = self.desks.next_long() {
            if self.is_awaited(ticket) {
                let unit = &self.units[ticket.0 as usize];
                let map = self.teams[unit.team as usize].map(&self.map);
                if map.reach(unit.at, unit.goal) == Reach::Unreachable {
                    // The map has changed since it joined the line.
                    self.give_up(ticket.0);
                    continue;
                }
                let desk = &mut self.desks.long[k];
                desk.seeker.begin(map.ground(), (unit.at, unit.goal), map.log().end(), tools);
                desk.job = Job::Way(ticket);
                return true;
            }
        }
        false
    }

    pub(super) fn seeker(&self, desk: Option<usize>) -> &CellSearch {
        desk.map_or(&self.desks.quick.seeker, |k| &self.desks.long[k].seeker)
    }

    /// Pays for tracing the way to a node; whether that could be paid for.
    fn pay_trace(&mut self, desk: Option<usize>, n: NodeId, tools: &mut Tools<'_>) -> bool {
        let seeker = match desk {
            Some(k) => &mut self.desks.long[k].seeker,
            None => &mut self.desks.quick.seeker,
        };
        let all = u64::from(seeker.depth(n)).saturating_sub(seeker.traced);
        let paid = tools.meter.charge_some(Kind::Trace, all);
        seeker.traced += paid;
        paid == all
    }
}

/// Lets every desk that has a purse go on, `busy` in number.
#[cfg(not(feature = "rayon"))]
fn side_by_side<F: Fn(&mut Desk, &mut Option<Meter>)>(
    desks: &mut [Desk],
    purses: &mut [Option<Meter>],
    _busy: u64,
    go_on: F,
) {
    desks.iter_mut().zip(purses).for_each(|(desk, purse)| go_on(desk, purse));
}

/// The same, by the threads of rayon's current pool where that is worth while.
#[cfg(feature = "rayon")]
fn side_by_side<F: Fn(&mut Desk, &mut Option<Meter>) + Sync>(
    desks: &mut [Desk],
    purses: &mut [Option<Meter>],
    busy: u64,
    go_on: F,
) {
    use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
    let is_worth_it = purses.iter().flatten().any(|purse| purse.is_worth(WORTH_A_THREAD));
    if busy > 1 && is_worth_it {
        desks.par_iter_mut().zip(purses.par_iter_mut()).for_each(|(desk, purse)| go_on(desk, purse));
    } else {
        desks.iter_mut().zip(purses).for_each(|(desk, purse)| go_on(desk, purse));
    }
}
