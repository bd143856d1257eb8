//! One tick: the list of its phases, with the share of the budget that each may spend.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::corners::Cell;
use crate::fleet::fleet::Fleet;
use crate::fleet::guide::Guide;
use crate::fleet::guide::unit_costs::FleetCosts;
use crate::fleet::moves::resolver::Resolver;
use crate::fleet::scheduler::deadline::load;
use crate::fleet::scheduler::long::Cursor;
use crate::fleet::scheduler::{SearchContext, Step, WORKERS};
use crate::fleet::state::request::Request;
use crate::fleet::state::results::{Counts, MoveResults};
use crate::fleet::types::Summary;
use crate::id::NodeId;
use crate::meter::{Meter, Prices, WorkKind};
use crate::search::{Pools, SearchTools};

impl Fleet {
    /// Runs one tick.
    pub(crate) fn run_tick(&mut self, meter: &mut Meter) {
        let kept = meter.time_left() / self.config.tuning.budget.punctuality;
        meter.ending_early(kept, |meter| self.run_phases(meter));
    }

    fn run_phases(&mut self, meter: &mut Meter) {
        let before = *meter.work();
        let load = self.begin(meter);
        let shares = self.config.tuning.budget;
        // What teams know. A part each, so that a map that changes all the time leaves something for searches.
        self.look();
        meter.with_fraction(1, shares.learn, |meter| {
            self.knowledge.learn(self.scheduler.queues.waiting(), meter);
        });
        meter.with_fraction(1, shares.repair, |meter| self.knowledge.repair(shares.repair_in_haste, meter));
        meter.with_fraction(1, shares.landmarks, |meter| self.make_landmarks(meter));
        meter.with_fraction(1, shares.check_routes, |meter| {
            self.state.check_routes(&mut self.knowledge, meter);
        });
        meter.with_fraction(1, shares.openings, |meter| {
            let least_group = self.config.least_group;
            self.state.look_at_openings(&mut self.knowledge, least_group, meter);
        });
        self.submit();
        // Under a deadline, moves come before searches, which have what they leave.
        let is_timed = meter.is_timed();
        if !is_timed {
            self.search_crowds(meter);
            meter.with_fraction(1, shares.reports, |meter| self.report(meter));
            self.search_short(meter);
        }
        self.move_units(meter, load);
        self.follow_moves();
        if is_timed {
            // Moves may take all the time in every tick: searches still have a little.
            let mut least =
                Meter::priced(self.state.units.len() as u64 / shares.units_per_work + 1, Prices::ALL_WORK);
            self.search_short(&mut least);
            self.search_long(&mut least);
            meter.merge(&least);
            self.search_crowds(meter);
            if self.resolver.is_some() {
                self.timing.reserve.end(meter, load, self.summary.left_out > 0);
            }
            meter.with_fraction(1, shares.reports, |meter| self.report(meter));
            self.search_short(meter);
        }
        self.search_long(meter);
        self.state.tick += 1;
        *Arc::make_mut(&mut self.events) = core::mem::take(&mut self.state.outbox.events);
        let spent = meter.work().since(before).priced(&Prices::ALL_WORK).div_ceil(10);
        self.summary.work += spent;
        self.summary.searches = self.scheduler.done;
    }

    /// Begins a tick, and returns its load.
    fn begin(&mut self, meter: &Meter) -> u64 {
        // The list is used again if no caller holds it any more.
        let events = Arc::get_mut(&mut self.events).map(core::mem::take);
        let mut events = events.unwrap_or_else(|| {
            let room = self.events.capacity();
            self.events = Arc::default();
            Vec::with_capacity(room)
        });
        events.clear();
        self.state.outbox.events = events;
        self.scheduler.done = 0;
        let all = self.state.units.len();
        let waiting = self.resolver.as_ref().map_or(all, |resolver| resolver.order.len());
        self.timing.reserve.start(meter);
        load(all, waiting)
    }

    /// Hands the requests of units to the phases that serve them.
    pub(crate) fn submit(&mut self) {
        for request in self.state.outbox.requests.drain(..) {
            match request {
                Request::Renew(number) => {
                    self.guide.renew(number);
                    if let Some(resolver) = &mut self.resolver {
                        resolver.renew(number);
                    }
                }
                Request::Recost(number) => self.guide.renew(number),
                other => self.scheduler.put(other, &self.knowledge),
            }
        }
    }

    /// Lets units in the fog look around.
    fn look(&mut self) {
        let units = self.state.units.iter().zip(&mut self.state.details);
        let units = units.filter(|(unit, _)| unit.is_there);
        self.knowledge.look(units.map(|(unit, details)| (unit.team, unit.at, &mut details.outlook)));
    }

    /// Makes landmarks: of the map, and of what teams in the fog believe.
    fn make_landmarks(&mut self, meter: &mut Meter) {
        let mut pools = self.scheduler.quick.take_pools();
        let tools = &mut SearchTools { meter, pools: &mut pools, probe: None };
        self.knowledge.prepare_landmarks(tools);
        if !self.knowledge.is_without_fog() {
            let waiting = self.state.units.iter().filter(|unit| unit.is_waiting());
            let waiting = waiting.map(|unit| (unit.team, unit.at));
            self.knowledge.make_landmarks(waiting, self.state.tick, tools);
        }
        self.scheduler.quick.put_pools(pools);
    }

    /// Lets crowds look for slots that are left.
    fn search_crowds(&mut self, meter: &mut Meter) {
        if self.resolver.is_some() {
            let share = self.config.tuning.budget.crowds;
            self.state.search_crowds(&self.knowledge, share, meter);
        }
    }

    /// Reports goals that are out of reach.
    fn report(&mut self, meter: &mut Meter) {
        let mut events = core::mem::take(&mut self.state.outbox.events);
        let cx = SearchContext::new(&self.knowledge, &mut self.state);
        self.scheduler.report(&cx, meter, |event| events.push(event));
        self.state.outbox.events = events;
    }

    /// Runs short searches: as far as half of the budget goes, and all of it if no unit waits for a long one.
    fn search_short(&mut self, meter: &mut Meter) {
        let is_idle = self.scheduler.is_idle() && self.scheduler.queues.exact.is_empty();
        let part = if is_idle { 1 } else { self.config.tuning.budget.short_searches };
        let mut pools = self.scheduler.quick.take_pools();
        meter.with_fraction(1, part, |meter| {
            let tools = &mut SearchTools { meter, pools: &mut pools, probe: None };
            loop {
                let cx = &mut SearchContext::new(&self.knowledge, &mut self.state);
                let step = self.scheduler.short_step(cx, tools);
                if !self.accept(step) {
                    break;
                }
            }
        });
        self.scheduler.quick.put_pools(pools);
    }

    /// Runs long searches as far as the budget goes, in rounds, then makes rows of distances.
    fn search_long(&mut self, meter: &mut Meter) {
        let order = self.scheduler.begin_long();
        loop {
            let mut runs = [false; WORKERS];
            for k in order.clone() {
                let mut pools = self.scheduler.long[k].take_pools();
                runs[k] = self.serve(k, meter, &mut pools);
                self.scheduler.long[k].put_pools(pools);
            }
            let cx = &SearchContext::new(&self.knowledge, &mut self.state);
            if !self.scheduler.round(runs, order.clone(), cx, meter) {
                break;
            }
        }
        if self.scheduler.queues.exact.is_empty() {
            return;
        }
        let mut pools = self.scheduler.quick.take_pools();
        let tools = &mut SearchTools { meter, pools: &mut pools, probe: None };
        loop {
            let cx = &mut SearchContext::new(&self.knowledge, &mut self.state);
            let step = self.scheduler.row_step(cx, tools);
            if !self.accept(step) {
                break;
            }
        }
        self.scheduler.quick.put_pools(pools);
    }

    /// Lets a long worker hand over what it has found, and take the next request. Returns `true` if it has a search to go on with.
    fn serve(&mut self, k: usize, meter: &mut Meter, pools: &mut Pools) -> bool {
        let tools = &mut SearchTools { meter, pools, probe: None };
        let mut cursor = Cursor::Start;
        loop {
            let cx = &SearchContext::new(&self.knowledge, &mut self.state);
            let step = self.scheduler.long_step(k, &mut cursor, cx, tools);
            if matches!(step, Step::Runs) {
                return true;
            }
            if !self.accept(step) {
                return false;
            }
        }
    }

    /// Gives a unit what a search has found. Returns `true` if another step may follow.
    fn accept(&mut self, step: Step) -> bool {
        match step {
            Step::Again | Step::Runs => true,
            Step::Stop => false,
            Step::Finished(finished) => {
                self.state.accept(&self.knowledge, finished);
                self.submit();
                true
            }
        }
    }

    /// Moves all units.
    fn move_units(&mut self, meter: &mut Meter, load: u64) {
        self.summary = Summary::default();
        let Self { knowledge, state, guide, resolver, scheduler, timing, .. } = self;
        let Some(resolver) = resolver else {
            state.rest_slow_units(|_| {});
            Guide::walk_through(knowledge, state, self.config.resolver.seed, &mut self.next);
            return;
        };
        state.rest_slow_units(|number| resolver.rest(number));
        let mut survey =
            state.rows.as_mut().map(|rows| core::mem::take(&mut rows.survey)).unwrap_or_default();
        let is_timed = meter.is_timed();
        let costs = &mut FleetCosts::new(knowledge, state, guide, &mut survey, is_timed);
        let grid = knowledge.grid();
        let shares = self.config.tuning.budget;
        let part = if scheduler.is_idle() { 1 } else { shares.joint_searches };
        let budget = meter
            .expansions_left()
            .map_or(shares.joint_search_moves, |left| left / part / shares.work_per_move);
        let rest = timing.reserve.rest(meter, load);
        let planned = meter.ending_early(rest, |meter| {
            resolver.plan(grid, costs, is_timed.then_some(|| meter.before_deadline()))
        });
        timing.reserve.begin(meter);
        let left = budget.saturating_sub(timing.owed);
        let mut report = resolver.move_all(grid, costs, planned);
        report.work = timing.reserve.pause(meter, |meter| {
            meter.ending_early(rest, |meter| {
                meter.with_fraction(1, part, |meter| {
                    resolver.think(grid, costs, left, || meter.before_deadline())
                })
            })
        });
        // What was done beyond the budget is paid for in the next ticks.
        let paid = (report.work + timing.owed).min(budget);
        timing.owed = report.work + timing.owed - paid;
        meter.charge_always(WorkKind::Expand, paid * shares.work_per_move);
        (self.summary.left_out, self.summary.resolver) = (resolver.turns.left_out(), report);
        if let Some(rows) = &mut state.rows {
            rows.survey = survey;
        }
    }

    /// Takes note of what the moves mean to units.
    fn follow_moves(&mut self) {
        let mut counts = Counts::default();
        self.state.by_cell = None;
        for number in 0..self.state.units.len() as u32 {
            let Self { knowledge, state, guide, .. } = self;
            let (now, grid) = (state.tick, knowledge.grid());
            if let Some(resolver) = &self.resolver {
                let results = Resolved { resolver, guide, grid, now };
                state.follow_move(knowledge, number, &results, &mut counts);
            } else {
                let results = WalkedThrough { next: &self.next, guide, now };
                state.follow_move(knowledge, number, &results, &mut counts);
            }
            if !self.state.outbox.requests.is_empty() {
                self.submit();
            }
        }
        let Counts { moved, underway, seeking } = counts;
        (self.summary.moved, self.summary.underway, self.summary.seeking) = (moved, underway, seeking);
    }
}

/// The results of the resolver.
struct Resolved<'a> {
    resolver: &'a Resolver,
    guide: &'a Guide,
    grid: &'a crate::grid::Grid,
    now: u64,
}

impl MoveResults for Resolved<'_> {
    #[inline]
    fn cell(&self, unit: u32) -> Option<NodeId> {
        self.resolver.at(unit)
    }

    fn stalled(&self, unit: u32) -> u64 {
        self.resolver.stalled(unit)
    }

    #[inline]
    fn was_skipped(&self, unit: u32) -> bool {
        self.resolver.turns.was_left_out(unit)
    }

    fn blocker(&self, unit: u32) -> Option<u32> {
        self.resolver.blocker(self.grid, unit)
    }

    fn unit_on(&self, cell: NodeId) -> Option<u32> {
        self.resolver.unit_on(cell)
    }

    #[inline]
    fn has_seen(&self, unit: u32, from: Cell, to: Cell) -> bool {
        self.guide.has_seen(unit, self.now, from, to)
    }
}

/// The moves of units that walk through each other.
struct WalkedThrough<'a> {
    next: &'a [NodeId],
    guide: &'a Guide,
    now: u64,
}

impl MoveResults for WalkedThrough<'_> {
    fn cell(&self, unit: u32) -> Option<NodeId> {
        self.next.get(unit as usize).and_then(|n| n.some())
    }

    fn stalled(&self, _: u32) -> u64 {
        0
    }

    fn was_skipped(&self, _: u32) -> bool {
        false
    }

    fn blocker(&self, _: u32) -> Option<u32> {
        None
    }

    fn unit_on(&self, _: NodeId) -> Option<u32> {
        None
    }

    fn has_seen(&self, unit: u32, from: Cell, to: Cell) -> bool {
        self.guide.has_seen(unit, self.now, from, to)
    }
}
