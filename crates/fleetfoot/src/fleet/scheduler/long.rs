//! Long searches, some of which run side by side.

use alloc::vec::Vec;

use crate::corners::{Stage, cell};
use crate::fleet::scheduler::queues::Long;
use crate::fleet::scheduler::worker::{Job, Worker, side_by_side};
use crate::fleet::scheduler::{Scheduler, SearchContext, Step, WORKERS};
use crate::fleet::state::accept::{Finished, Outcome};
use crate::fleet::state::request::OrderId;
use crate::graph::Graph;
use crate::id::{Cost, NodeId};
use crate::meter::{Meter, Prices, WorkKind};
use crate::search::SearchTools;

/// Where a worker is between two steps: [`Scheduler::long_step`] goes on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// At the beginning.
    Start,
    /// Among the units of a group, which get their routes one by one.
    InGroup,
}

impl Scheduler {
    /// Returns the order in which workers are served in this tick.
    pub(crate) fn begin_long(&mut self) -> impl Iterator<Item = usize> + Clone + use<> {
        let first = self.turn as usize % WORKERS;
        self.turn = self.turn.wrapping_add(1);
        (first..WORKERS).chain(0..first)
    }

    /// Returns what a worker has found for a unit, or lets it take the next request: [`Step::Runs`] if it has a search to go on with.
    pub(crate) fn long_step(
        &mut self,
        k: usize,
        cursor: &mut Cursor,
        cx: &SearchContext<'_>,
        tools: &mut SearchTools<'_>,
    ) -> Step {
        let stage = self.long[k].seeker.stage;
        match &self.long[k].job {
            &Job::Route(order) if cx.roster.is_awaited(order) => {
                let goal = self.long[k].seeker.goal;
                let finished = match stage {
                    Stage::Running => return Step::Runs,
                    Stage::Done if !self.long[k].pay_trace(goal, tools) => return Step::Stop,
                    Stage::Done => self.found(Some(k), order, cx),
                    _ => self.failed(stage, false, order),
                };
                self.long[k].job = Job::Nothing;
                return Step::Finished(finished);
            }
            Job::Group(group) if *cursor == Cursor::InGroup || group.is_alive(cx.roster) => {
                if stage == Stage::Running {
                    return Step::Runs;
                }
                if stage == Stage::Done {
                    match self.group_step(k, cx, tools) {
                        Step::Again => {}
                        other => {
                            *cursor = Cursor::InGroup;
                            return other;
                        }
                    }
                }
            }
            _ => {}
        }
        self.long[k].job = Job::Nothing;
        *cursor = Cursor::Start;
        let (job, team, from, goal) = match self.queues.take_long(cx.roster) {
            None => return Step::Stop,
            Some(Long::Group(group)) => {
                let (team, centre) = (group.team, group.centre);
                (Job::Group(group), team, centre, NodeId::NONE)
            }
            Some(Long::Single(order)) => {
                let unit = cx.roster.unit(order);
                if cx.knowledge.view(unit.team).is_unreachable(unit.at, unit.goal) {
                    // The map has changed since it joined the queue.
                    return Step::Finished(Finished { order, outcome: Outcome::Unreachable });
                }
                (Job::Route(order), unit.team, unit.at, unit.goal)
            }
        };
        let worker = &mut self.long[k];
        cx.knowledge.view(team).begin(&mut worker.seeker, from, goal, tools);
        worker.job = job;
        Step::Runs
    }

    /// Lets the workers that have a search go on side by side, with equal parts of what is left. What a worker does depends on its part
    /// alone, so that threads change nothing. Returns `true` if any did something.
    pub(crate) fn round(
        &mut self,
        mut runs: [bool; WORKERS],
        mut order: impl Iterator<Item = usize>,
        cx: &SearchContext<'_>,
        meter: &mut Meter,
    ) -> bool {
        let mut busy = runs.iter().filter(|&&runs| runs).count() as u64;
        if !meter.can_afford(busy) {
            // Too little for all: one has it, another one in the next tick.
            let next = order.find(|&k| runs[k]);
            runs = core::array::from_fn(|k| Some(k) == next);
            busy = busy.min(1);
        }
        // Under a deadline, no worker is to wait for long.
        let most = if meter.is_timed() { self.tuning.round } else { u64::MAX };
        let mut parts: [Option<Meter>; WORKERS] = [const { None }; WORKERS];
        for (k, part) in parts.iter_mut().enumerate().filter(|(k, _)| runs[*k]) {
            let left_to_have = runs[k..].iter().filter(|&&runs| runs).count() as u64;
            *part = Some(meter.split_off(left_to_have, most));
        }
        let (knowledge, roster) = (cx.knowledge, cx.roster);
        let go_on = |worker: &mut Worker, part: &mut Option<Meter>| {
            let Some(part) = part else { return };
            let team = match &worker.job {
                Job::Route(order) => roster.unit(*order).team,
                Job::Group(group) => group.team,
                _ => return,
            };
            worker.go_on(knowledge, team, part);
        };
        side_by_side(&mut self.long, &mut parts, busy, go_on);
        let mut did = false;
        for (worker, part) in self.long.iter().zip(&parts) {
            let Some(part) = part else { continue };
            // Pages cost nothing, and how many are taken depends on what was done before.
            did |= worker.seeker.stage != Stage::Running || part.work().priced(&Prices::ALL_WORK) > 0;
            meter.merge(part);
        }
        did
    }

    /// Gives the next unit of a group its route: the tree of their common goal is complete. Returns [`Step::Again`] once all have theirs.
    fn group_step(&mut self, k: usize, cx: &SearchContext<'_>, tools: &mut SearchTools<'_>) -> Step {
        loop {
            let Worker { job, seeker, .. } = &mut self.long[k];
            let Job::Group(group) = job else { return Step::Again };
            let Some(&order) = group.units.get(group.next) else { return Step::Again };
            if !seeker.settle(tools) || !tools.meter.charge(WorkKind::Scan) {
                return Step::Stop;
            }
            group.next += 1;
            if cx.roster.is_valid(order) {
                return Step::Finished(self.group_route(k, order, cx));
            }
        }
    }

    fn group_route(&mut self, k: usize, order: OrderId, cx: &SearchContext<'_>) -> Finished {
        let unit = cx.roster.unit(order);
        let view = cx.knowledge.view(unit.team);
        let grid = view.map.grid();
        let seeker = &mut self.long[k].seeker;
        let (joined, words) = seeker.nearest_in_tree(grid, unit.at);
        let is_cut_off = !view.may_reach(unit.at, unit.goal);
        let Some((n, _)) = joined.filter(|_| !is_cut_off) else {
            seeker.debt += words;
            // Else the map has changed since the tree was begun: it is joined with what is newer by nothing.
            let outcome = if is_cut_off { Outcome::Unreachable } else { Outcome::Failed };
            return Finished { order, outcome };
        };
        let mut nodes: Vec<NodeId> = seeker.back_from(n).map(|(n, _)| n).collect();
        // The unit's own cell lies near the common one; the last corner may see it directly.
        let goal = unit.goal;
        let last_in_sight = nodes.iter().rposition(|&n| view.sight.is_open(cell(grid, n), cell(grid, goal)));
        match last_in_sight {
            Some(last) if goal != nodes[last] => {
                nodes.truncate(last + 1);
                nodes.push(goal);
            }
            Some(_) => {}
            None => nodes.push(goal),
        }
        // The routes of others cost the same from a common corner on, but for their last legs.
        let mut rests = Vec::with_capacity(nodes.len());
        let mut rest = Cost::ZERO;
        for pair in nodes.windows(2).rev() {
            rests.push(rest);
            rest += grid.h(pair[0], pair[1]);
        }
        rests.push(rest);
        let last_first = nodes.iter().rev().copied().zip(rests);
        let points: Vec<(NodeId, Cost)> = last_first.filter(|(n, _)| *n != unit.at).collect();
        let is_old = view.map.log().end() != seeker.begun;
        seeker.debt += words + 4 * points.len() as u32;
        self.done += 1;
        Finished { order, outcome: Outcome::Route(points, is_old) }
    }
}
