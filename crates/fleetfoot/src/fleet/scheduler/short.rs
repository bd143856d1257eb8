//! Short searches, and rows of distances.

use crate::corners::{Limit, Stage, cell};
use crate::fleet::scheduler::queues::Short;
use crate::fleet::scheduler::worker::{Job, Worker};
use crate::fleet::scheduler::{Scheduler, SearchContext, Step};
use crate::fleet::state::accept::{Finished, Outcome};
use crate::fleet::state::request::OrderId;
use crate::fleet::types::UnitStatus;
use crate::grid::Neighborhood;
use crate::id::NodeId;
use crate::search::SearchTools;

/// The price of a cell of a row of distances, in quarters of the reading of a word, with four moves and with eight.
const QUARTERS_PER_CELL: [u32; 2] = [2, 3];

impl Scheduler {
    /// Goes on with the next short search. Call it until it returns [`Step::Stop`].
    pub(crate) fn short_step(&mut self, cx: &mut SearchContext<'_>, tools: &mut SearchTools<'_>) -> Step {
        if self.quick.is_free() {
            // What the last search has read may still have to be paid for.
            if !self.quick.seeker.settle(tools) {
                return Step::Stop;
            }
            match self.begin_short(cx, tools) {
                Step::Runs => {}
                other => return other,
            }
        }
        let (order, goal) = match self.quick.job {
            Job::Route(order) => (order, cx.roster.unit(order).goal),
            Job::Back(order, goal) => (order, goal),
            _ => return Step::Stop,
        };
        if !cx.roster.is_awaited(order) {
            self.quick.job = Job::Nothing;
            return Step::Again;
        }
        let view = cx.knowledge.view(cx.roster.unit(order).team);
        let is_great = cx.rows.is_some() || self.queues.new.len() as u64 >= self.tuning.many;
        let hurry = if is_great { self.tuning.very_short } else { self.tuning.short };
        let Worker { job, seeker, .. } = &mut self.quick;
        let is_back = matches!(job, Job::Back(..));
        let expansions = if is_back { u64::MAX } else { hurry.saturating_sub(seeker.expanded()) };
        let stage = view.advance(seeker, Limit { expansions, ..Limit::NONE }, tools);
        let finished = match stage {
            Stage::Running if is_back || seeker.expanded() < hurry => return Step::Stop,
            Stage::Running => self.promising(order, cx),
            Stage::Done if !self.quick.pay_trace(goal, tools) => return Step::Stop,
            Stage::Done if is_back => self.back(order, goal, cx),
            Stage::Done => self.found(None, order, cx),
            Stage::NoPath | Stage::Idle => self.failed(stage, is_back, order),
        };
        self.quick.job = Job::Nothing;
        Step::Finished(finished)
    }

    /// Begins the next short search, if a unit waits for one, or returns what a unit gets without a search.
    fn begin_short(&mut self, cx: &mut SearchContext<'_>, tools: &mut SearchTools<'_>) -> Step {
        let Some(short) = self.queues.take_short(cx.roster) else { return self.make_row(cx) };
        let (Short::New(order) | Short::Lost(order)) = short;
        let unit = cx.roster.unit(order);
        let view = cx.knowledge.view(unit.team);
        let mut goal = unit.goal;
        self.quick.job = if matches!(short, Short::Lost(_)) {
            let grid = view.map.grid();
            let point = cx.routes.get(unit.route()).filter(|point| {
                // It may see its route again.
                !view.sight.is_open(cell(grid, unit.at), cell(grid, point.cell))
            });
            let Some(point) = point else {
                return Step::Finished(Finished { order, outcome: Outcome::NotNeeded });
            };
            goal = point.cell;
            Job::Back(order, goal)
        } else {
            if let Some(finished) = self.known_row(order, cx) {
                return Step::Finished(finished);
            }
            Job::Route(order)
        };
        view.begin(&mut self.quick.seeker, unit.at, goal, tools);
        Step::Runs
    }

    /// Returns the row of a unit's goal if another unit went there before. Else the unit waits for a row, if there are rows.
    fn known_row(&mut self, order: OrderId, cx: &mut SearchContext<'_>) -> Option<Finished> {
        if !cx.can_have_row(order) {
            return None;
        }
        let goal = cx.roster.unit(order).goal;
        if let Some(row) = cx.rows.as_mut().and_then(|rows| rows.take(goal)) {
            self.done += 1;
            return Some(Finished { order, outcome: Outcome::Row(row) });
        }
        self.queues.exact.push_back(order);
        None
    }

    /// Makes the row of distances for the next unit that waits for one.
    pub(crate) fn make_row(&mut self, cx: &mut SearchContext<'_>) -> Step {
        let Some(order) = self.queues.exact.pop_front() else { return Step::Stop };
        if !cx.roster.is_valid(order) {
            return Step::Again;
        }
        let unit = cx.roster.unit(order);
        let is_needed = unit.goes_by_row().is_none()
            && unit.at != unit.goal
            && unit.has_destination()
            && unit.status != UnitStatus::Unreachable;
        let Some(rows) = cx.rows.as_mut().filter(|_| is_needed) else {
            // A unit at its goal may be pushed off, and ask again.
            let not_needed = Finished { order, outcome: Outcome::NotNeeded };
            return if cx.roster.is_awaited(order) { Step::Finished(not_needed) } else { Step::Again };
        };
        let grid = cx.knowledge.grid();
        if !rows.is_ready(grid, cx.now) {
            // The map has changed: it needs a search after all.
            let is_awaited = cx.roster.is_awaited(order);
            let failed = Finished { order, outcome: Outcome::Failed };
            return if is_awaited { Step::Finished(failed) } else { Step::Again };
        }
        let row = rows.take(unit.goal).unwrap_or_else(|| {
            let (row, looked) = rows.make(unit.goal);
            let has_eight = grid.rules().neighborhood == Neighborhood::Eight;
            self.quick.seeker.debt += QUARTERS_PER_CELL[usize::from(has_eight)] * looked as u32;
            row
        });
        self.done += 1;
        Step::Finished(Finished { order, outcome: Outcome::Row(row) })
    }

    /// Makes the next row of distances if the last one is paid for.
    pub(crate) fn row_step(&mut self, cx: &mut SearchContext<'_>, tools: &mut SearchTools<'_>) -> Step {
        if self.quick.seeker.settle(tools) { self.make_row(cx) } else { Step::Stop }
    }

    /// Returns the most promising route so far of a short search that is cut off.
    fn promising(&mut self, order: OrderId, cx: &mut SearchContext<'_>) -> Finished {
        // There may be rows by now though there were none when the search began. Requests lie at the end of the queue if they are there.
        if cx.can_have_row(order) && !self.queues.exact.iter().rev().any(|&other| other == order) {
            self.queues.exact.push_back(order);
        }
        let seeker = &mut self.quick.seeker;
        let points = seeker.most_promising().map(|(n, f)| {
            let root = seeker.root;
            let nodes = seeker.back_from(n).take_while(|(n, _)| *n != root);
            nodes.map(|(n, g)| (n, f.saturating_sub(g))).collect()
        });
        Finished { order, outcome: Outcome::Promising(points) }
    }

    /// Returns the points that lead back to the first point of a unit's route, unless the unit has passed that by now.
    fn back(&mut self, order: OrderId, goal: NodeId, cx: &SearchContext<'_>) -> Finished {
        let unit = cx.roster.unit(order);
        let Some(first) = cx.routes.get(unit.route()).filter(|point| point.cell == goal) else {
            return Finished { order, outcome: Outcome::NotNeeded };
        };
        let seeker = &self.quick.seeker;
        let (all, root) = (seeker.g(goal) + first.rest, seeker.root);
        let nodes = seeker.back_from(goal).skip(1).take_while(|(n, _)| *n != root);
        let points = nodes.map(|(n, g)| (n, all.saturating_sub(g))).collect();
        self.done += 1;
        Finished { order, outcome: Outcome::Return(points) }
    }
}
