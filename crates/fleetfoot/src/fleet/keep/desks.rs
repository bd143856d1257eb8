//! The searches of a fleet, under way and to come.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::{Roster, inside};
use crate::corners::CellSearch;
use crate::fleet::desks::{Desk, Desks, Group, Job, Ticket};
use crate::fleet::teams::Team;
use crate::fleet::units::Status;
use crate::graph::{Graph, Grid};
use crate::parts::Part;
use crate::save::{SaveError, Sink, Source};

fn write_line(out: &mut Vec<u8>, line: &VecDeque<Ticket>) {
    out.u32(line.len() as u32);
    for &ticket in line {
        write_ticket(out, ticket);
    }
}

fn write_ticket(out: &mut Vec<u8>, (number, orders): Ticket) {
    out.u32(number);
    out.u32(orders);
}

/// The unit of a ticket that is good has a goal on the map, unless its owner is to be told that it gets nowhere.
fn read_ticket(roster: Roster<'_>, grid: &Grid, from: &mut Source<'_>) -> Result<Ticket, SaveError> {
    let (number, orders) = (from.choice(roster.units.len() as u32)?, from.u32()?);
    let unit = &roster.units[number as usize];
    if unit.is_there
        && roster.details[number as usize].orders == orders
        && !matches!(unit.status, Status::Unreachable | Status::Buried)
        && unit.goal.index() >= grid.bound()
    {
        return Err(SaveError::new("a unit waits for a way to nowhere"));
    }
    Ok((number, orders))
}

impl Group {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.u32(u32::from(self.team));
        out.node(self.centre);
        out.u32(self.next as u32);
        out.u32(self.units.len() as u32);
        self.units.iter().for_each(|&ticket| write_ticket(out, ticket));
    }

    pub(super) fn read(
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut Source<'_>,
    ) -> Result<Self, SaveError> {
        let team = from.choice(teams.len() as u32)? as u16;
        let (centre, next) = (inside(grid, from)?, from.u32()? as usize);
        let mut tickets = Vec::new();
        for _ in 0..from.len(8)? {
            let ticket = read_ticket(roster, grid, from)?;
            let unit = &roster.units[ticket.0 as usize];
            if unit.is_there && roster.details[ticket.0 as usize].orders == ticket.1 && unit.team != team {
                return Err(SaveError::new("a group is of two teams"));
            }
            tickets.push(ticket);
        }
        Ok(Self { team, centre, units: tickets, next })
    }
}

impl Desks {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.quick.write(out);
        self.long.iter().for_each(|desk| desk.write(out));
        for x in [self.turn, self.taken] {
            out.u32(x);
        }
        for line in [&self.new, &self.lost, &self.exact, &self.preferred, &self.others, &self.hopeless] {
            write_line(out, line);
        }
        out.u32(self.groups.len() as u32);
        self.groups.iter().for_each(|group| group.write(out));
    }

    pub(super) fn read(
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut Source<'_>,
    ) -> Result<Self, SaveError> {
        let mut desks = Self::new(grid);
        desks.quick.read(grid, teams, roster, from)?;
        for desk in &mut desks.long {
            desk.read(grid, teams, roster, from)?;
        }
        (desks.turn, desks.taken) = (from.u32()? % desks.long.len() as u32, from.u32()?);
        let Self { new, lost, exact, preferred, others, hopeless, groups, .. } = &mut desks;
        for line in [new, lost, exact, preferred, others, hopeless] {
            for _ in 0..from.len(8)? {
                line.push_back(read_ticket(roster, grid, from)?);
            }
        }
        for _ in 0..from.len(16)? {
            groups.push_back(Group::read(grid, teams, roster, from)?);
        }
        Ok(desks)
    }
}

impl Desk {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match &self.job {
            Job::Nothing => out.u32(0),
            Job::Way(ticket) => {
                out.u32(1);
                write_ticket(out, *ticket);
            }
            Job::Back(ticket, goal) => {
                out.u32(2);
                write_ticket(out, *ticket);
                out.node(*goal);
            }
            Job::Group(group) => {
                out.u32(3);
                group.write(out);
            }
        }
        // What the last search has read may still have to be paid for.
        out.u32(self.seeker.debt);
        if !matches!(self.job, Job::Nothing) {
            write_search(&self.seeker, out);
        }
    }

    pub(super) fn read(
        &mut self,
        grid: &Grid,
        teams: &[Team],
        roster: Roster<'_>,
        from: &mut Source<'_>,
    ) -> Result<(), SaveError> {
        self.job = match from.choice(4)? {
            0 => Job::Nothing,
            1 => Job::Way(read_ticket(roster, grid, from)?),
            2 => Job::Back(read_ticket(roster, grid, from)?, inside(grid, from)?),
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
        if is_sound { Ok(()) } else { Err(SaveError::new("a search is for somebody else")) }
    }
}

/// Writes a search in its middle.
pub(super) fn write_search(search: &CellSearch, out: &mut Vec<u8>) {
    search.write(out);
}

/// Reads a search in its middle, and checks that it belongs to the grid.
pub(super) fn read_search(
    search: &mut CellSearch,
    grid: &Grid,
    from: &mut Source<'_>,
) -> Result<(), SaveError> {
    search.read(&grid.limits(), from)?;
    search.verify(grid, search.search.nodes.generated())
}
