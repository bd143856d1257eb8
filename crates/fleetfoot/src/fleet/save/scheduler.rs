//! The searches of a fleet, under way and to come.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::inside;
use crate::corners::CellSearch;
use crate::fleet::knowledge::team::Team;
use crate::fleet::scheduler::Scheduler;
use crate::fleet::scheduler::queues::{Queues, Turns};
use crate::fleet::scheduler::worker::{Job, Worker};
use crate::fleet::state::request::{Group, OrderId};
use crate::fleet::state::unit::Roster;
use crate::fleet::tuning::FleetConfig;
use crate::fleet::types::UnitStatus;
use crate::graph::Graph;
use crate::grid::Grid;
use crate::save::{SaveError, SaveReader, SaveWriter};
use crate::search::PlannerPart;

fn write_queue(out: &mut Vec<u8>, line: &VecDeque<OrderId>) {
    out.u32(line.len() as u32);
    for &request in line {
        write_request(out, request);
    }
}

fn write_request(out: &mut Vec<u8>, (number, orders): OrderId) {
    out.u32(number);
    out.u32(orders);
}

/// Returns an error unless the unit of a valid request has a goal on the map, or the request is for a report that its goal is unreachable.
fn read_request(roster: Roster<'_>, grid: &Grid, from: &mut SaveReader<'_>) -> Result<OrderId, SaveError> {
    let (number, orders) = (from.choice(roster.units.len() as u32)?, from.u32()?);
    let unit = &roster.units[number as usize];
    if unit.is_there
        && roster.details[number as usize].orders == orders
        && !matches!(unit.status, UnitStatus::Unreachable | UnitStatus::Buried)
        && unit.goal.index() >= grid.bound()
    {
        return Err(SaveError::new("a unit waits for a way to nowhere"));
    }
    Ok((number, orders))
}

impl Group {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.u32(u32::from(self.team));
        out.node(self.centre);
        out.u32(self.next as u32);
        out.u32(self.units.len() as u32);
        self.units.iter().for_each(|&request| write_request(out, request));
    }

    pub(crate) fn read(
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut SaveReader<'_>,
    ) -> Result<Self, SaveError> {
        let team = from.choice(teams.len() as u32)? as u16;
        let (centre, next) = (inside(grid, from)?, from.u32()? as usize);
        let mut requests = Vec::new();
        for _ in 0..from.len(8)? {
            let request = read_request(roster, grid, from)?;
            let unit = &roster.units[request.0 as usize];
            if unit.is_there && roster.details[request.0 as usize].orders == request.1 && unit.team != team {
                return Err(SaveError::new("a group is of two teams"));
            }
            requests.push(request);
        }
        Ok(Self { team, centre, units: requests, next })
    }
}

impl Scheduler {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.quick.write(out);
        self.long.iter().for_each(|worker| worker.write(out));
        let Queues {
            turns,
            new,
            lost,
            exact,
            stranded,
            preferred,
            others,
            groups,
            unreported,
            least_group: _,
        } = &self.queues;
        out.u32(self.turn);
        for turn in [turns.short, turns.long, turns.single] {
            out.u32(turn);
        }
        for queue in [new, lost, exact, stranded, preferred, others, unreported] {
            write_queue(out, queue);
        }
        out.u32(groups.len() as u32);
        for group in groups {
            group.write(out);
        }
    }

    pub(crate) fn read(
        grid: &Grid,
        config: &FleetConfig,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut SaveReader<'_>,
    ) -> Result<Self, SaveError> {
        let mut scheduler = Self::new(grid, config.tuning.search, config.least_group);
        scheduler.quick.read(grid, teams, roster, from)?;
        for worker in &mut scheduler.long {
            worker.read(grid, teams, roster, from)?;
        }
        scheduler.turn = from.u32()? % scheduler.long.len() as u32;
        let Queues {
            turns,
            new,
            lost,
            exact,
            stranded,
            preferred,
            others,
            groups,
            unreported,
            least_group: _,
        } = &mut scheduler.queues;
        *turns = Turns { short: from.u32()?, long: from.u32()?, single: from.u32()? };
        for queue in [new, lost, exact, stranded, preferred, others, unreported] {
            for _ in 0..from.len(8)? {
                queue.push_back(read_request(roster, grid, from)?);
            }
        }
        for _ in 0..from.len(16)? {
            groups.push_back(Group::read(grid, teams, roster, from)?);
        }
        Ok(scheduler)
    }
}

impl Worker {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match &self.job {
            Job::Nothing => out.u32(0),
            Job::Route(request) => {
                out.u32(1);
                write_request(out, *request);
            }
            Job::Back(request, goal) => {
                out.u32(2);
                write_request(out, *request);
                out.node(*goal);
            }
            Job::Group(group) => {
                out.u32(3);
                group.write(out);
            }
        }
        // The words that the last search has read may not be paid for yet.
        out.u32(self.seeker.debt);
        if !matches!(self.job, Job::Nothing) {
            write_search(&self.seeker, out);
        }
    }

    pub(crate) fn read(
        &mut self,
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut SaveReader<'_>,
    ) -> Result<(), SaveError> {
        self.job = match from.choice(4)? {
            0 => Job::Nothing,
            1 => Job::Route(read_request(roster, grid, from)?),
            2 => Job::Back(read_request(roster, grid, from)?, inside(grid, from)?),
            _ => Job::Group(Group::read(grid, teams, roster, from)?),
        };
        self.seeker.debt = from.choice(1 << 24)?;
        if matches!(self.job, Job::Nothing) {
            return Ok(());
        }
        read_search(&mut self.seeker, grid, from)?;
        let is_sound = match &self.job {
            Job::Group(_) => !self.seeker.goal.is_some(),
            Job::Back(_, goal) => self.seeker.goal == *goal,
            _ => self.seeker.goal.is_some(),
        };
        if is_sound { Ok(()) } else { Err(SaveError::new("a search belongs to another unit")) }
    }
}

/// Writes a search in its middle.
pub(crate) fn write_search(search: &CellSearch, out: &mut Vec<u8>) {
    search.write(out);
}

/// Reads a search in its middle, and checks that it belongs to the grid.
pub(crate) fn read_search(
    search: &mut CellSearch,
    grid: &Grid,
    from: &mut SaveReader<'_>,
) -> Result<(), SaveError> {
    search.read(&grid.limits(), from)?;
    search.verify(grid, search.search.nodes.generated())
}
