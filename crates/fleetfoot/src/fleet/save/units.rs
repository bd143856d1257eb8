//! Units.

use alloc::vec::Vec;

use super::{flag, is_inside};
use crate::fleet::cell_set::NONE;
use crate::fleet::state::unit::{ROUTE_STATES, Unit, UnitDetails};
use crate::fleet::types::{Speed, UnitStatus};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::id::NodeId;
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
        let UnitDetails {
            orders,
            centre,
            place,
            place_order,
            speed,
            ready,
            is_preferred,
            balance,
            looked,
            seat,
            ..
        } = *details;
        for x in [generation, orders, u32::from(team), row, moves, blocked_by, lost, balance.cast_unsigned()]
        {
            out.u32(x);
        }
        let Self { is_stranded, is_settled, is_cut_off, crowd, .. } = *self;
        for is_set in [is_there, is_preferred, is_stranded, is_settled, is_cut_off] {
            flag(out, is_set);
        }
        out.u32(ROUTE_STATES.iter().position(|&other| other == route_state).unwrap_or(0) as u32);
        out.u32(STATUSES.iter().position(|&other| other == status).unwrap_or(0) as u32);
        for n in [at, goal, centre, place] {
            out.node(n);
        }
        out.u32(place_order);
        out.u32(crowd);
        out.u32(if crowd == NONE { NONE } else { seat });
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
        (unit.is_stranded, unit.is_settled, unit.is_cut_off) = (next()?, next()?, next()?);
        unit.route_state = ROUTE_STATES[from.choice(ROUTE_STATES.len() as u32)? as usize];
        unit.status = STATUSES[from.choice(STATUSES.len() as u32)? as usize];
        let limits = grid.limits();
        unit.at = from.node_or_none(&limits)?;
        // Orders may name a cell outside the map: no unit goes there.
        (unit.goal, details.centre) = (from.node_or_any()?, from.node_or_any()?);
        (details.place, details.place_order) = (from.node_or_none(&limits)?, from.u32()?);
        unit.crowd = from.u32()?;
        let seat = from.u32()?;
        details.seat = if unit.crowd == NONE { 0 } else { seat };
        let kind = from.choice(2)?;
        let rate = from.u32()?;
        details.speed = if kind == 0 { Speed::EveryTicks(rate) } else { Speed::Hundredths(rate) };
        (details.ready, details.looked) = (from.count()?, from.count()?);
        let is_on_map = |n: NodeId| is_inside(grid, n);
        // A unit that follows or waits for a route has a goal on the map; a unit that has arrived occupies it.
        let goes = matches!(unit.status, UnitStatus::Seeking | UnitStatus::Underway | UnitStatus::Arrived);
        let is_sound = unit.is_there == unit.at.is_some()
            && (!unit.is_there || is_on_map(unit.at))
            && (!goes || is_on_map(unit.goal))
            && (unit.goal.is_some() || !goes)
            && (!goes || !details.centre.is_some() || is_on_map(details.centre))
            && (!unit.is_cut_off || is_on_map(details.place))
            && (unit.crowd == NONE || unit.is_there && unit.goal.is_some())
            && (!unit.is_settled || unit.at == unit.goal && unit.crowd != NONE);
        if is_sound { Ok((unit, details)) } else { Err(SaveError::new("a unit is nowhere, or goes nowhere")) }
    }
}
