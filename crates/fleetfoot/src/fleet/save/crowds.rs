//! Crowds, their ground, and the work on it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{flag, inside, read_list, write_list};
use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::team::Team;
use crate::fleet::state::crowd::Crowd;
use crate::fleet::state::crowd_work::{CrowdWork, PHASES, Phase};
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::ground::{Ground, Spot};
use crate::fleet::state::unit::{Unit, UnitDetails};
use crate::graph::{Graph, Limits};
use crate::grid::Grid;
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

impl Ground {
    fn write(&self, out: &mut Vec<u8>) {
        flag(out, self.is_compact);
        out.u32(self.spots.len() as u32);
        for spot in &self.spots {
            out.node(spot.cell);
            out.u32(u32::from(spot.depth) << 16 | u32::from(spot.gap));
            let is_joined = u32::from(spot.is_joined) | u32::from(spot.is_next_joined) << 1;
            out.u32(u32::from(spot.next_gap) << 16 | is_joined << 8 | u32::from(spot.moves()));
        }
    }

    fn read(grid: &Grid, from: &mut SaveReader<'_>) -> Result<Self, SaveError> {
        let mut ground = Self::default();
        ground.is_compact = from.choice(2)? == 1;
        let mut moves = Vec::new();
        for _ in 0..from.len(12)? {
            let (cell, far, rest) = (inside(grid, from)?, from.u32()?, from.u32()?);
            if ground.spot(cell).is_some() {
                return Err(SaveError::new("a crowd has a cell twice"));
            }
            let mut spot = Spot::new(cell, (far >> 16) as u16, far as u16);
            spot.next_gap = (rest >> 16) as u16;
            (spot.is_joined, spot.is_next_joined) = (rest >> 8 & 1 == 1, rest >> 9 & 1 == 1);
            ground.add(spot);
            moves.push(rest as u8);
        }
        moves.iter().enumerate().for_each(|(k, &moves)| ground.join_by(grid, k, moves));
        (0..ground.spots.len()).for_each(|k| ground.set_toll(grid, k));
        Ok(ground)
    }
}

impl Crowd {
    fn write(&self, out: &mut Vec<u8>) {
        out.u32(u32::from(self.team));
        out.node(self.middle);
        out.node(self.entry);
        out.u64(self.as_of);
        out.u64(self.gained);
        out.u32(self.most);
        for is_set in [self.insists, self.lies_apart, self.is_void, self.is_stale, self.draft.is_some()] {
            flag(out, is_set);
        }
        self.ground.write(out);
        self.draft.iter().for_each(|draft| draft.write(out));
    }

    fn read(grid: &Grid, teams: &[Team], from: &mut SaveReader<'_>) -> Result<Self, SaveError> {
        let team = from.choice(u32::try_from(teams.len()).unwrap_or(u32::MAX))? as u16;
        let mut crowd = Self::new(team, from.node_or_any()?);
        crowd.entry = from.node_or_none(&grid.limits())?;
        (crowd.as_of, crowd.gained, crowd.most) = (from.count()?, from.count()?, from.u32()?);
        (crowd.insists, crowd.lies_apart) = (from.choice(2)? == 1, from.choice(2)? == 1);
        (crowd.is_void, crowd.is_stale) = (from.choice(2)? == 1, from.choice(2)? == 1);
        let has_draft = from.choice(2)? == 1;
        crowd.ground = Ground::read(grid, from)?;
        crowd.draft = if has_draft { Some(Box::new(Ground::read(grid, from)?)) } else { None };
        Ok(crowd)
    }
}

impl CrowdWork {
    fn write(&self, out: &mut Vec<u8>) {
        out.u32(self.crowd);
        out.u32(PHASES.iter().position(|&phase| phase == self.phase).unwrap_or(0) as u32);
        out.u32(self.next);
        out.u32(u32::from(self.gap));
        flag(out, self.is_outside);
        flag(out, self.is_compact);
        out.u64(self.debt);
        for queue in &self.queues {
            write_list(out, queue.iter().map(|&k| NodeId::new(k)));
        }
    }

    fn read(crowds: &[Crowd], from: &mut SaveReader<'_>) -> Result<Self, SaveError> {
        let mut work = Self { crowd: from.u32()?, ..Self::default() };
        work.phase = PHASES[from.choice(PHASES.len() as u32)? as usize];
        (work.next, work.gap) = (from.u32()?, from.choice(1 << 16)? as u16);
        (work.is_outside, work.is_compact) = (from.choice(2)? == 1, from.choice(2)? == 1);
        work.debt = from.count()?;
        let crowd = crowds.get(work.crowd as usize);
        let ground = crowd.map(|crowd| crowd.draft.as_deref().unwrap_or(&crowd.ground));
        let spots = Limits::new(ground.map_or(0, |ground| ground.spots.len()), Cost::ZERO);
        for queue in &mut work.queues {
            *queue = read_list(from, &spots)?.into_iter().map(NodeId::raw).collect();
        }
        let has_draft = |number: usize| crowds[number].draft.is_some();
        let is_making = matches!(work.phase, Phase::Spread | Phase::Join | Phase::Tolls | Phase::Seats);
        let is_sound = match crowd {
            None => work.crowd == NONE && work.phase == Phase::Idle,
            Some(_) => work.phase != Phase::Idle && (!is_making || has_draft(work.crowd as usize)),
        };
        let others = (0..crowds.len()).filter(|&number| number != work.crowd as usize);
        let is_sound = is_sound && others.into_iter().all(|number| !has_draft(number));
        if is_sound { Ok(work) } else { Err(SaveError::new("the work on a crowd is not its own")) }
    }
}

impl Crowds {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.u32(self.all.len() as u32);
        self.all.iter().for_each(|crowd| crowd.write(out));
        write_list(out, self.free.iter().map(|&number| NodeId::new(number)));
        out.u32(self.next);
        self.work.write(out);
    }

    /// Returns the crowds with their members.
    pub(crate) fn read(
        grid: &Grid,
        teams: &[Team],
        (units, details): (&[Unit], &[UnitDetails]),
        from: &mut SaveReader<'_>,
    ) -> Result<Self, SaveError> {
        let mut crowds = Self::default();
        for _ in 0..from.len(56)? {
            crowds.all.push(Crowd::read(grid, teams, from)?);
        }
        let numbers = Limits::new(crowds.all.len(), Cost::ZERO);
        crowds.free = read_list(from, &numbers)?.into_iter().map(NodeId::raw).collect();
        crowds.next = from.u32()?;
        crowds.work = CrowdWork::read(&crowds.all, from)?;
        let is_sound = crowds.restore(units, details, teams);
        let is_sound = is_sound
            && crowds.all.get(crowds.work.crowd as usize).is_none_or(|crowd| !crowd.members.is_empty());
        if is_sound { Ok(crowds) } else { Err(SaveError::new("its crowds are none of its units'")) }
    }
}
