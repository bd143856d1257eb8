//! What a game and a fleet say to each other: ids, goals, speeds, states, events, errors.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::grid::GridError;
use crate::id::NodeId;

/// A unit of a fleet. The id of a unit that was removed is never that of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitId {
    pub(crate) number: u32,
    pub(crate) generation: u32,
}

impl UnitId {
    /// Returns its index in a table of units: less than the highest number of units that there were at one time.
    pub fn index(self) -> usize {
        self.number as usize
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)
    }
}

/// A team of a fleet: units that know the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamId(pub(crate) u16);

impl TeamId {
    /// The team that every fleet has: it knows the whole map.
    pub const FIRST: Self = Self(0);

    /// Returns the id of the team with this number, counted from 0 in the order in which teams were added. No unit can be spawned in a
    /// team that does not exist.
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Returns its number, counted from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a team knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Vision {
    /// The map as it is.
    All,
    /// What its units have seen, up to this distance in every direction (at least 1), and free ground everywhere else.
    Radius(u32),
}

/// Where units are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Goal {
    /// To this cell and no other. Only one unit can stay there; two with the same cell drive each other away.
    At(NodeId),
    /// To this cell and those around it, each unit to one of its own: the nearest that are free, joined with it and no goal of another
    /// unit. Units that are sent to the same cell exchange theirs where that fills the place sooner. So do units that are sent to cells so
    /// near each other that the cells of one order lie between those of the other. If the cell becomes a wall, those whose own cells were
    /// blocked get others around it. If none of the units can get to a free cell that they are sent near, they go as near to it as they can,
    /// are [`Unreachable`](UnitStatus::Unreachable), and set out again when the map opens a way. Teams that know the whole map share such a place; any other team has its own.
    Near(NodeId),
}

impl Goal {
    /// To this cell and no other.
    pub fn at(cell: NodeId) -> Self {
        Self::At(cell)
    }

    /// To this cell and those around it, each unit to one of its own.
    pub fn near(cell: NodeId) -> Self {
        Self::Near(cell)
    }
}

/// How fast a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Speed {
    /// A move every N ticks; 1 is the fastest.
    EveryTicks(u32),
    /// Hundredths of a cell per tick: a diagonal move takes longer than a straight one. 100 and more is a straight move per
    /// tick.
    Hundredths(u32),
}

impl Default for Speed {
    fn default() -> Self {
        Self::EveryTicks(1)
    }
}

/// The state of a unit under its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum UnitStatus {
    /// It has no order.
    Idle,
    /// It walks towards its goal, and waits for a search to find its route.
    Seeking,
    /// It follows its route.
    Underway,
    /// It has been at its goal under this order; if others push it off, it comes back.
    Arrived,
    /// No path leads to its goal, or to the cell that it was sent near. It follows its route as far as that leads, waits there, and sets out again when the map opens
    /// one.
    Unreachable,
    /// A wall was built on it. It stays until it is taken out.
    Buried,
}

/// What happens in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Event {
    /// A unit has moved.
    Moved {
        /// The unit.
        unit: UnitId,
        /// Where it was.
        from: NodeId,
        /// Where it is.
        to: NodeId,
    },
    /// A unit is at its goal, for the first time under its order.
    Arrived {
        /// The unit.
        unit: UnitId,
    },
    /// A unit waits because another one blocks it: that one occupies, after the moves, the cell that the unit wanted most. Reported when
    /// that begins, and when the blocker changes.
    Blocked {
        /// The unit.
        unit: UnitId,
        /// The unit that blocks it.
        by: UnitId,
    },
    /// A unit has made no progress for long, and units that have arrived shut off its goal, or it.
    Sealed {
        /// The unit.
        unit: UnitId,
        /// One of the units around.
        by: UnitId,
    },
    /// A unit has a new route: an edit of the map has broken its old one, or opened a shorter one.
    Rerouted {
        /// The unit.
        unit: UnitId,
    },
    /// Two units that were sent to the same place, or to places that share ground, have exchanged their goals.
    Exchanged {
        /// The unit that has settled on the other one's goal.
        unit: UnitId,
        /// The unit that has its old goal now.
        with: UnitId,
    },
    /// No path leads to a unit's goal, as far as its team knows.
    Unreachable {
        /// The unit.
        unit: UnitId,
        /// The cell nearest to the goal that it can reach; `None` if that could not be found.
        nearest: Option<NodeId>,
    },
    /// A wall was built on a unit.
    Buried {
        /// The unit.
        unit: UnitId,
    },
}

/// Why something cannot be done with a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FleetError {
    /// The cell is blocked, or not on the map.
    Blocked,
    /// Another unit is there.
    Taken,
    /// There is no such unit any more.
    NoUnit,
    /// There is no such team.
    NoTeam,
    /// There are as many teams as there can be.
    TooManyTeams,
    /// The map is none that can be known in part.
    Map(GridError),
}

impl fmt::Display for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map(error) => return error.fmt(f),
            Self::Blocked => "no unit can stand on a blocked cell or outside the map; choose a free one",
            Self::Taken => "another unit stands there; choose a cell without a unit",
            Self::NoUnit => "there is no such unit; it was removed, or is of another fleet",
            Self::NoTeam => "there is no such team; add it with Fleet::add_team",
            Self::TooManyTeams => "a fleet has at most 65,535 teams; let units share one",
        })
    }
}

impl core::error::Error for FleetError {}

/// What the last tick was like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Units that moved.
    pub moved: u32,
    /// Units that are not at their goals, of those that can get there.
    pub underway: u32,
    /// Units that wait for a route: for their first one, or for another one because theirs is broken or used up.
    pub seeking: u32,
    /// Units that were skipped because there was no time for their plans: only under a deadline.
    pub left_out: u32,
    /// What was spent, in expansions; all work is charged.
    pub work: u64,
    /// Searches that came to their end.
    pub searches: u32,
    /// What the resolver reports.
    pub resolver: Report,
}

/// The events of a tick, in order. They do not borrow the fleet, so that orders can be given while they are read. Dropped
/// before the next tick, they cost no memory of their own.
#[derive(Clone, Debug)]
pub struct Events {
    pub(crate) all: Arc<Vec<Event>>,
    pub(crate) next: usize,
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.all.get(self.next).copied();
        self.next += usize::from(event.is_some());
        event
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.all.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Events {}

/// What the resolver reports of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Units that moved.
    pub moved: u32,
    /// Units that are not at their goal.
    pub waiting: u32,
    /// Units that gave way by the swap rule.
    pub swaps: u32,
    /// Units that are led by the joint plan of a group.
    pub led: u32,
    /// Work of the joint searches, in moves of single units.
    pub work: u64,
}
