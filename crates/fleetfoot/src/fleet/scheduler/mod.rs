//! Searches for units within the budget: which unit is served, and when.
//!
//! A unit with a new goal gets a short search first: some expansions, which find short routes whole and the first corners of long ones.
//! Then it waits in a queue for a long search. Units that were pushed out of sight of their route wait in another queue, for a short search
//! back to it. Half of a tick's budget is for short searches. The rest and what they leave is for long ones. Some of these run side by side
//! with equal parts, so that none holds up the others.
//!
//! # No unit starves
//! Every queue is served first come, first served, and queues take turns ([`Queues::take_long`]). So, whatever comes after it:
//!
//! A unit that waits for a long search behind k others in its queue has it within 8 · (k + 2) · C / L ticks, where C is the cost of the
//! most expensive search and L what a tick leaves for long searches.
//!
//! Proof. A unit behind k others in its queue has its turn with the 8 · (k + 1)-th request that is taken, at the latest: at most 8 · k + 7
//! searches begin before its own. At most four more were under way when it joined the queue. Workers go on with equal parts, so that while
//! its own search runs, each of the three others gets at most as much as that costs. Together this is less than
//! (8 · k + 7) + 4 + 1 + 3 = 8 · k + 15 searches, each of cost C at most. As long as a unit waits, ticks spend all of L on long searches.
//!
//! C is at most two searches of the whole map (one that finds no path begins again, with all connections of its root and goal), and the
//! steps of the routes that are handed out. L depends on what comes before: with the shares of [`BudgetTuning`] and a budget of B,
//! teams in the fog take 1/2 of B at most, each of six other phases (indices, landmarks, broken routes, openings, crowds, reports) 1/4 of
//! what is left, short searches 1/2, and joint searches 1/8. So L is at least B / 26, even if all of these have work in every tick. A
//! search that ends without a path after the map has changed under it proves nothing: its unit joins the queue again.
//!
//! The scheduler reads state and changes none of it: it returns what it has [`Finished`].
//!
//! [`BudgetTuning`]: crate::fleet::tuning::BudgetTuning

pub(crate) mod deadline;
pub(crate) mod long;
pub(crate) mod queues;
pub(crate) mod report;
pub(crate) mod short;
pub(crate) mod worker;

use alloc::vec::Vec;

use crate::corners::Stage;
use crate::fleet::knowledge::Knowledge;
use crate::fleet::route::distance_rows::DistanceRows;
use crate::fleet::route::store::Routes;
use crate::fleet::scheduler::queues::Queues;
use crate::fleet::scheduler::worker::{Job, Worker};
use crate::fleet::state::State;
use crate::fleet::state::accept::{Finished, Outcome};
use crate::fleet::state::request::{OrderId, Request};
use crate::fleet::state::unit::Roster;
use crate::fleet::tuning::SearchTuning;
use crate::grid::Grid;
use crate::id::NodeId;
use crate::search::PlannerPart;

/// Number of long searches that run side by side.
pub(crate) const WORKERS: usize = 4;

/// All workers and queues.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler {
    tuning: SearchTuning,
    /// For short searches.
    pub(crate) quick: Worker,
    pub(crate) long: Vec<Worker>,
    /// Counts ticks: another long worker comes first in each.
    pub(crate) turn: u32,
    pub(crate) queues: Queues,
    /// Searches that were finished in this tick.
    pub(crate) done: u32,
}

/// What the scheduler reads. It adds rows of distances.
pub(crate) struct SearchContext<'a> {
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) roster: Roster<'a>,
    pub(crate) routes: &'a Routes,
    pub(crate) rows: Option<&'a mut DistanceRows>,
    pub(crate) now: u64,
}

impl<'a> SearchContext<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, state: &'a mut State) -> Self {
        let State { units, details, routes, rows, tick, .. } = state;
        Self { knowledge, roster: Roster { units, details }, routes, rows: rows.as_mut(), now: *tick }
    }

    /// Returns `true` if the unit's goal has a row of distances, or may have one: the map is small, and its team knows it.
    fn can_have_row(&mut self, order: OrderId) -> bool {
        let is_known = self.knowledge.knows_all(self.roster.unit(order).team);
        is_known && self.rows.as_mut().is_some_and(|rows| rows.is_ready(self.knowledge.grid(), self.now))
    }
}

/// The result of a step of the scheduler.
pub(crate) enum Step {
    /// Nothing yet: another step may follow.
    Again,
    /// Nothing more in this phase: the budget is spent, or no unit waits.
    Stop,
    /// A search is under way that goes on in the next round.
    Runs,
    /// Something for a unit.
    Finished(Finished),
}

impl Scheduler {
    pub(crate) fn new(grid: &Grid, tuning: SearchTuning, least_group: usize) -> Self {
        Self {
            tuning,
            quick: Worker::new(grid),
            long: (0..WORKERS).map(|_| Worker::new(grid)).collect(),
            turn: 0,
            queues: Queues { least_group, ..Queues::default() },
            done: 0,
        }
    }

    /// Puts a request into its queue. A unit of a group joins a search of the group that has begun, if that search knows all changes of the
    /// map.
    pub(crate) fn put(&mut self, request: Request, knowledge: &Knowledge) {
        if let Request::JoinGroup(order, team, centre) = request {
            let now = knowledge.map_of(team).log().end();
            let mut running = self.long.iter_mut().filter(|worker| worker.seeker.begun == now);
            let group = running.find_map(|worker| match &mut worker.job {
                Job::Group(group) if group.team == team && group.centre == centre => Some(group),
                _ => None,
            });
            if let Some(group) = group {
                group.units.push(order);
                return;
            }
        }
        self.queues.put(request);
    }

    /// Returns `true` if no unit waits for a long search.
    pub(crate) fn is_idle(&self) -> bool {
        self.long.iter().all(Worker::is_free) && self.queues.has_no_long() && self.queues.groups.is_empty()
    }

    /// Returns the corners that long searches under way have found and not expanded.
    pub(crate) fn open_corners(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.long.iter().filter(|worker| worker.is_busy()).flat_map(|worker| worker.seeker.open())
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let workers = self.long.iter().chain([&self.quick]);
        self.queues.memory_bytes() + workers.map(|worker| worker.seeker.search.memory_bytes()).sum::<usize>()
    }

    /// Returns the route that a search has found, unless a change has cut off its goal.
    fn found(&mut self, worker: Option<usize>, order: OrderId, cx: &SearchContext<'_>) -> Finished {
        let unit = cx.roster.unit(order);
        let view = cx.knowledge.view(unit.team);
        if view.is_unreachable(unit.at, unit.goal) {
            return Finished { order, outcome: Outcome::Unreachable };
        }
        let seeker = &worker.map_or(&self.quick, |k| &self.long[k]).seeker;
        let (goal, root, all) = (seeker.goal, seeker.root, seeker.g(seeker.goal));
        let nodes = seeker.back_from(goal).take_while(|(n, _)| *n != root);
        let points = nodes.map(|(n, g)| (n, all.saturating_sub(g))).collect();
        let is_old = view.map.log().end() != seeker.begun;
        self.done += 1;
        Finished { order, outcome: Outcome::Route(points, is_old) }
    }

    /// Returns what a search that has found nothing means to its unit.
    fn failed(&mut self, stage: Stage, is_back: bool, order: OrderId) -> Finished {
        self.done += 1;
        // Else the map has changed meanwhile, or the route led over ground that is cut off now.
        let is_proof = stage == Stage::NoPath && !is_back;
        Finished { order, outcome: if is_proof { Outcome::Unreachable } else { Outcome::Failed } }
    }
}
