//! Units, and the crowds that they belong to.

use alloc::vec::Vec;

use super::{flag, inside, is_inside, read_list, write_list};
use crate::fleet::cell_set::NONE;
use crate::fleet::knowledge::team::Team;
use crate::fleet::state::crowd::{Crowd, Spot};
use crate::fleet::state::crowds::Crowds;
use crate::fleet::state::unit::{RouteState, Unit, UnitDetails};
use crate::fleet::types::{Speed, UnitStatus};
use crate::graph::{Graph, Grid, Limits};
use crate::id::{Cost, NodeId};
use crate::save::{SaveError, SaveReader, SaveWriter};

const STATUSES: [UnitStatus; 6] = [
    UnitStatus::Idle,
    UnitStatus::Seeking,
    UnitStatus::Underway,
    UnitStatus::Arrived,
    UnitStatus::Unreachable,
    UnitStatus::Buried,
];

impl Unit {
    pub(crate) fn write(&self, details: &UnitDetails, out: &mut Vec<u8>) {
        let Self { generation, team, at, goal, row, moves, blocked_by, lost, .. } = *self;
        let Self { is_there, route_state, status, .. } = *self;
        let UnitDetails { orders, centre, speed, ready, is_preferred, balance, looked, .. } = *details;
        for x in [generation, orders, u32::from(team), row, moves, blocked_by, lost, balance.cast_unsigned()]
        {
            out.u32(x);
        }
        let Self { is_stranded, is_settled, crowd, .. } = *self;
        for is_set in [
            is_there,
            is_preferred,
            route_state.is_waiting(),
            is_stranded,
            route_state.is_whole(),
            is_settled,
        ] {
            flag(out, is_set);
        }
        out.u32(STATUSES.iter().position(|&other| other == status).unwrap_or(0) as u32);
        for n in [at, goal, centre] {
            out.node(n);
        }
        out.u32(crowd);
        let (kind, rate) = match speed {
            Speed::EveryTicks(ticks) => (0, ticks),
            Speed::Hundredths(hundredths) => (1, hundredths),
        };
        out.u32(kind);
        out.u32(rate);
        out.u64(ready);
        out.u64(looked);
    }

    pub(crate) fn read(
        grid: &Grid,
        teams: usize,
        from: &mut SaveReader<'_>,
    ) -> Result<(Self, UnitDetails), SaveError> {
        let mut unit = Self { generation: from.u32()?, ..Self::NEW };
        let mut details = UnitDetails { orders: from.u32()?, ..UnitDetails::NEW };
        unit.team = from.choice(u32::try_from(teams).unwrap_or(u32::MAX))? as u16;
        (unit.row, unit.moves, unit.blocked_by) = (from.u32()?, from.u32()?.min(1 << 20), from.u32()?);
        (unit.lost, details.balance) = (from.u32()?.min(1 << 30), from.u32()?.cast_signed());
        let mut next = || from.choice(2).map(|x| x == 1);
        (unit.is_there, details.is_preferred) = (next()?, next()?);
        let is_waiting = next()?;
        unit.is_stranded = next()?;
        unit.route_state = RouteState::of(next()?, is_waiting);
        unit.is_settled = next()?;
        unit.status = STATUSES[from.choice(STATUSES.len() as u32)? as usize];
        let limits = grid.limits();
        unit.at = from.node_or_none(&limits)?;
        // Orders may name what is no cell of the map: nobody goes there.
        (unit.goal, details.centre, unit.crowd) = (from.node_or_any()?, from.node_or_any()?, from.u32()?);
        let kind = from.choice(2)?;
        let rate = from.u32()?;
        details.speed = if kind == 0 { Speed::EveryTicks(rate) } else { Speed::Hundredths(rate) };
        (details.ready, details.looked) = (from.count()?, from.count()?);
        let is_on_map = |n: NodeId| is_inside(grid, n);
        // One who follows or seeks a way has a goal on the map; one who is there stands on it.
        let goes = matches!(unit.status, UnitStatus::Seeking | UnitStatus::Underway | UnitStatus::Arrived);
        let is_sound = unit.is_there == unit.at.is_some()
            && (!unit.is_there || is_on_map(unit.at))
            && (!goes || is_on_map(unit.goal))
            && (unit.goal.is_some() || !goes)
            && (!goes || !details.centre.is_some() || is_on_map(details.centre))
            && (unit.crowd == NONE || unit.is_there && unit.goal.is_some())
            && (!unit.is_settled || unit.at == unit.goal && unit.crowd != NONE);
        if is_sound { Ok((unit, details)) } else { Err(SaveError::new("a unit is nowhere, or goes nowhere")) }
    }
}

impl Crowds {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.u32(self.all.len() as u32);
        for crowd in &self.all {
            out.u32(u32::from(crowd.team));
            out.node(crowd.middle);
            out.node(crowd.entry);
            out.u64(crowd.as_of);
            out.u64(crowd.paid);
            out.u64(crowd.gained);
            out.u32(crowd.most);
            flag(out, crowd.insists);
            flag(out, crowd.lies_apart);
            flag(out, crowd.is_compact);
            flag(out, crowd.is_void);
            flag(out, crowd.is_stale);
            out.u32(crowd.spots.len() as u32);
            for spot in &crowd.spots {
                out.node(spot.cell);
                out.u32(u32::from(spot.depth) << 16 | u32::from(spot.gap));
                out.u32(u32::from(spot.is_joined) << 8 | u32::from(spot.moves()));
            }
        }
        write_list(out, self.free.iter().map(|&number| NodeId::new(number)));
        out.u32(self.next);
    }

    /// The crowds with their members.
    pub(crate) fn read(
        grid: &Grid,
        teams: &[Team],
        (units, details): (&[Unit], &mut [UnitDetails]),
        from: &mut SaveReader<'_>,
    ) -> Result<Self, SaveError> {
        let mut crowds = Self::default();
        for _ in 0..from.len(56)? {
            let team = from.choice(u32::try_from(teams.len()).unwrap_or(u32::MAX))? as u16;
            let mut crowd = Crowd::new(team, from.node_or_any()?);
            crowd.entry = from.node_or_none(&grid.limits())?;
            (crowd.as_of, crowd.paid) = (from.count()?, from.count()?);
            (crowd.gained, crowd.most) = (from.count()?, from.u32()?);
            (crowd.insists, crowd.lies_apart) = (from.choice(2)? == 1, from.choice(2)? == 1);
            crowd.is_compact = from.choice(2)? == 1;
            (crowd.is_void, crowd.is_stale) = (from.choice(2)? == 1, from.choice(2)? == 1);
            let mut moves = Vec::new();
            for _ in 0..from.len(12)? {
                let (cell, far) = (inside(grid, from)?, from.u32()?);
                if crowd.spot(cell).is_some() {
                    return Err(SaveError::new("a crowd has a cell twice"));
                }
                let joined = from.choice(512)?;
                let mut spot = Spot::new(cell, (far >> 16) as u16, far as u16);
                spot.is_joined = joined >> 8 == 1;
                crowd.add(spot);
                moves.push(joined as u8);
            }
            moves.iter().enumerate().for_each(|(k, &moves)| crowd.join_by(grid, k, moves));
            crowd.set_tolls(grid);
            crowds.all.push(crowd);
        }
        let numbers = Limits::new(crowds.all.len(), Cost::ZERO);
        crowds.free = read_list(from, &numbers)?.into_iter().map(NodeId::raw).collect();
        crowds.next = from.u32()?;
        let is_sound = crowds.restore(units, details, teams);
        if is_sound { Ok(crowds) } else { Err(SaveError::new("its crowds are none of its units'")) }
    }
}
