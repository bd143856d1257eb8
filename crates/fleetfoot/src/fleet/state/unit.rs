//! What is stored of each unit.

use crate::fleet::cell_set::NONE;
use crate::fleet::route::store::RouteHead;
use crate::fleet::state::request::OrderId;
use crate::fleet::types::{Speed, UnitStatus};
use crate::id::NodeId;

/// How far a unit's route is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteState {
    /// It has no route and waits for none. What is left of a broken route it may still follow.
    None,
    /// It waits for its first route.
    Queued,
    /// It follows the most promising route so far and waits for a whole one.
    Partial,
    /// Its route leads to its goal.
    Whole,
    /// Its route leads to its goal, and it waits for another one that may be shorter.
    Stale,
    /// Its route leads to its goal. The unit has lost sight of it, and waits for a path back to it.
    Lost,
    /// Its route led to its goal, and it waits for another one.
    Broken,
}

/// The states in the order of their numbers in a save.
pub(crate) const ROUTE_STATES: [RouteState; 7] = [
    RouteState::None,
    RouteState::Queued,
    RouteState::Partial,
    RouteState::Whole,
    RouteState::Stale,
    RouteState::Lost,
    RouteState::Broken,
];

impl RouteState {
    /// Returns `true` if the unit waits for a search.
    #[inline]
    pub(crate) fn is_waiting(self) -> bool {
        !matches!(self, Self::None | Self::Whole)
    }

    /// Returns `true` if the route leads to the goal, or led there before the map changed.
    #[inline]
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::Whole | Self::Stale | Self::Lost | Self::Broken)
    }

    /// Returns the state of a unit whose route is whole or not, and that waits or not.
    pub(crate) fn of(is_whole: bool, is_waiting: bool) -> Self {
        match (is_whole, is_waiting) {
            (false, false) => Self::None,
            (false, true) => Self::Queued,
            (true, false) => Self::Whole,
            (true, true) => Self::Broken,
        }
    }

    /// Returns the state of a unit that waits for a search from now on.
    pub(crate) fn waiting(self) -> Self {
        match self {
            Self::None => Self::Queued,
            Self::Whole | Self::Lost => Self::Broken,
            other => other,
        }
    }

    /// Returns the state of a unit that does not wait any more.
    pub(crate) fn served(self) -> Self {
        match self {
            Self::Queued | Self::Partial => Self::None,
            Self::Stale | Self::Lost | Self::Broken => Self::Whole,
            other => other,
        }
    }
}

/// What every tick asks of each unit: one line of the processor's cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Unit {
    pub(crate) at: NodeId,
    /// None while it has no order.
    pub(crate) goal: NodeId,
    /// Read by [`Unit::route`], set by [`Unit::set_route`] alone.
    pub(crate) route: u32,
    /// The first two points of its route, once it has followed it.
    pub(crate) head: RouteHead,
    /// The row of distances that it follows instead of a route, and the moves left; [`NONE`] while it has none.
    pub(crate) row: u32,
    pub(crate) moves: u32,
    pub(crate) generation: u32,
    /// The unit that blocked it in the last tick, or [`NONE`].
    pub(crate) blocked_by: u32,
    /// Ticks without a point of its route in sight.
    pub(crate) lost: u32,
    /// Its crowd; [`NONE`] if its goal is its own alone.
    pub(crate) crowd: u32,
    pub(crate) team: u16,
    pub(crate) status: UnitStatus,
    pub(crate) is_there: bool,
    pub(crate) route_state: RouteState,
    /// Whether it waits in the queue of stranded units, or has waited there, which happens once for each order.
    pub(crate) is_stranded: bool,
    /// Whether it stays on its goal, a slot of its crowd, and makes room for the other members.
    pub(crate) is_settled: bool,
    /// Whether it was sent near a place to which no path leads: it goes as near to it as it can, and does not arrive.
    pub(crate) is_cut_off: bool,
}

/// What ordinary ticks do not ask of a unit.
#[derive(Clone, Debug)]
pub(crate) struct UnitDetails {
    /// The count of its orders: searches begun for an older one are void.
    pub(crate) orders: u32,
    /// The cell from which one search serves its group, if it has its order together with others.
    pub(crate) centre: NodeId,
    /// The place that it was sent near if it is cut off from that, and the count of its orders then.
    pub(crate) place: NodeId,
    pub(crate) place_order: u32,
    /// Its index among the members of its crowd.
    pub(crate) seat: u32,
    /// The tick before which it does not move.
    pub(crate) ready: u64,
    /// The tick in which it last looked whether its goal is sealed off.
    pub(crate) looked: u64,
    /// The last tick in which it got another slot of its crowd because its own was out of reach, and the number of slots in that tick.
    /// Not saved, since no tick is.
    pub(crate) last_slots: (u64, u32),
    /// The cell from which it last looked around in the fog.
    pub(crate) outlook: NodeId,
    pub(crate) speed: Speed,
    /// Hundredths of a cell that it may still move, for speeds by distance.
    pub(crate) balance: i32,
    /// Whether its searches come before those of others.
    pub(crate) is_preferred: bool,
}

impl Unit {
    pub(crate) const NEW: Self = Self {
        generation: 0,
        team: 0,
        is_there: false,
        route_state: RouteState::None,
        is_stranded: false,
        status: UnitStatus::Idle,
        at: NodeId::NONE,
        goal: NodeId::NONE,
        crowd: NONE,
        is_settled: false,
        is_cut_off: false,
        route: NONE,
        head: RouteHead::NONE,
        row: NONE,
        moves: 0,
        blocked_by: NONE,
        lost: 0,
    };

    /// Returns its route; [`NONE`] while it has none.
    #[inline]
    pub(crate) fn route(&self) -> u32 {
        self.route
    }

    /// Returns the row of distances that it follows, if it has one.
    #[inline]
    pub(crate) fn goes_by_row(&self) -> Option<u32> {
        (self.row != NONE).then_some(self.row)
    }

    /// Gives it another route, and returns the one that it had.
    pub(crate) fn set_route(&mut self, route: u32) -> u32 {
        self.head = RouteHead::NONE;
        core::mem::replace(&mut self.route, route)
    }

    /// Returns `true` if it waits for a search.
    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        self.route_state.is_waiting()
    }

    /// Returns `true` if it has no route yet and sets out towards its goal without a look at the ground.
    #[inline]
    pub(crate) fn is_blind(&self) -> bool {
        self.route == NONE && self.status == UnitStatus::Seeking
    }

    /// Returns `true` if it has somewhere to go.
    #[inline]
    pub(crate) fn has_destination(&self) -> bool {
        match self.status {
            UnitStatus::Seeking | UnitStatus::Underway | UnitStatus::Arrived => true,
            UnitStatus::Unreachable => self.route != NONE,
            UnitStatus::Idle | UnitStatus::Buried => false,
        }
    }
}

impl UnitDetails {
    pub(crate) const NEW: Self = Self {
        orders: 0,
        centre: NodeId::NONE,
        place: NodeId::NONE,
        place_order: 0,
        seat: 0,
        ready: 0,
        looked: 0,
        last_slots: (0, 0),
        outlook: NodeId::NONE,
        speed: Speed::EveryTicks(1),
        balance: 0,
        is_preferred: false,
    };
}

const _: () = assert!(size_of::<Unit>() == 64, "a line of the processor's cache");

/// All units, to be read.
#[derive(Clone, Copy)]
pub(crate) struct Roster<'a> {
    pub(crate) units: &'a [Unit],
    pub(crate) details: &'a [UnitDetails],
}

impl<'a> Roster<'a> {
    /// Returns the unit of an order.
    #[inline]
    pub(crate) fn unit(self, (number, _): OrderId) -> &'a Unit {
        &self.units[number as usize]
    }

    /// Returns `true` if the unit is there and still has that order.
    pub(crate) fn is_valid(self, (number, orders): OrderId) -> bool {
        self.units.get(number as usize).is_some_and(|unit| unit.is_there)
            && self.details[number as usize].orders == orders
    }

    /// Returns `true` if the order is valid and its unit still waits. A stranded unit has two requests in the queues; the first one to be
    /// served wins.
    pub(crate) fn is_awaited(self, order: OrderId) -> bool {
        self.is_valid(order) && self.unit(order).is_waiting()
    }
}
