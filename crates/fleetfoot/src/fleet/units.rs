//! Units: what they are told, how they fare, and what is kept of each.

use core::fmt;

use super::ground::{NONE, OWN};
use super::ways::Head;
use crate::corners::Cell;
use crate::graph::GridError;
use crate::id::{Cost, NodeId};

/// A unit of a fleet. The id of a unit that was removed is never that of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitId {
    pub(super) number: u32,
    pub(super) generation: u32,
}

impl UnitId {
    /// Its place in a table of units: below the number of units that there were at one time.
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
pub struct TeamId(pub(super) u16);

impl TeamId {
    /// The team that every fleet has: it knows the whole map.
    pub const FIRST: Self = Self(0);

    /// The team with this number, counted from 0 in the order in which teams were added. Where there is none, nobody can be
    /// spawned in it.
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Its number, counted from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a team knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Vision {
    /// The map as it is.
    All,
    /// What its units have seen, so many cells far in every direction (at least one), and free ground everywhere else.
    Radius(u32),
}

/// Where units are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Goal {
    /// To this cell and no other. Only one unit can stay there; two with the same cell drive each other away.
    At(NodeId),
    /// To this cell and those around it, each unit to one of its own: the nearest that are free, joined with it and wanted
    /// by nobody else. Units that are sent to the same cell exchange theirs where that fills the place sooner.
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
    /// A move in every so many ticks; 1 is the fastest.
    EveryTicks(u32),
    /// So many hundredths of a cell a tick: a diagonal move takes longer than a straight one. 100 and more is a straight
    /// move a tick.
    Hundredths(u32),
}

impl Default for Speed {
    fn default() -> Self {
        Self::EveryTicks(1)
    }
}

/// How a unit fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// It has no order.
    Idle,
    /// It sets out towards its goal, and waits for a search to find its way.
    Seeking,
    /// It follows its way.
    Underway,
    /// It has been at its goal under this order; if others push it off, it comes back.
    Arrived,
    /// No way leads to its goal. It goes on as far as its way does, stands there, and sets out again when the map opens
    /// one.
    Unreachable,
    /// A wall was built on it. It stands until it is taken out.
    Buried,
}

/// What happens in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Event {
    /// A unit has moved.
    Moved {
        /// Which.
        unit: UnitId,
        /// Where it was.
        from: NodeId,
        /// Where it is.
        to: NodeId,
    },
    /// A unit stands on its goal, for the first time under its order.
    Arrived {
        /// Which.
        unit: UnitId,
    },
    /// A unit stands because another one is in its way: that stands, after the moves, where it wanted to most. Told when that
    /// begins, or when it is another's turn.
    Blocked {
        /// Which.
        unit: UnitId,
        /// By whom.
        by: UnitId,
    },
    /// A unit has come no nearer for long, and units that have arrived shut off its goal, or it.
    Sealed {
        /// Which.
        unit: UnitId,
        /// One of those around.
        by: UnitId,
    },
    /// A unit has another way than before: a change of the map has broken its old one, or opened a shorter one.
    Rerouted {
        /// Which.
        unit: UnitId,
    },
    /// Two units that were sent to the same place have exchanged their goals.
    Exchanged {
        /// Who has settled on the other one's goal.
        unit: UnitId,
        /// Who has its old goal now.
        with: UnitId,
    },
    /// No way leads to a unit's goal, as far as its team knows.
    Unreachable {
        /// Which.
        unit: UnitId,
        /// The cell nearest to the goal that it can reach; none if that could not be found.
        nearest: Option<NodeId>,
    },
    /// A wall was built on a unit.
    Buried {
        /// Which.
        unit: UnitId,
    },
}

/// Why something cannot be done with a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FleetError {
    /// The cell is blocked, or not on the map.
    Blocked,
    /// Another unit stands there.
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
            Self::Taken => "another unit stands there; choose a cell that nobody stands on",
            Self::NoUnit => "there is no such unit; it was removed, or is of another fleet",
            Self::NoTeam => "there is no such team; add it with Fleet::add_team",
            Self::TooManyTeams => "a fleet has at most 65,535 teams; let units share one",
        })
    }
}

impl core::error::Error for FleetError {}

/// What every tick asks for of each unit: a line of the processor's cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Unit {
    pub(super) at: NodeId,
    /// None while it has no order.
    pub(super) goal: NodeId,
    /// See [`Unit::way`]; set by [`Unit::set_way`] alone.
    pub(super) way: u32,
    /// The first points of its way, once it has gone by it.
    pub(super) head: Head,
    /// The row of distances that it goes by instead, and how many moves are left; [`NONE`] while it has none.
    pub(super) row: u32,
    pub(super) moves: u32,
    pub(super) generation: u32,
    /// Who was in its way in the last tick, or [`NONE`].
    pub(super) blocked_by: u32,
    /// Ticks without a point of its way in sight.
    pub(super) lost: u32,
    /// The crowd that it is one of; [`NONE`] if its goal is its own alone.
    pub(super) crowd: u32,
    pub(super) team: u16,
    pub(super) status: Status,
    pub(super) is_there: bool,
    /// Whether it wants a search, and stands in a queue for it.
    pub(super) is_queued: bool,
    /// Whether it stands since it can see no way on, and has been put to the head of the line for that.
    pub(super) is_stranded: bool,
    /// Whether its way leads all the way to its goal.
    pub(super) is_whole: bool,
    /// Whether it stands on its goal, which is one of its crowd's slots, and makes room for the others of the crowd.
    pub(super) is_settled: bool,
}

/// What is kept of each unit beside that: ordinary ticks do not ask for it.
#[derive(Clone, Debug)]
pub(super) struct Details {
    /// Counts its orders: what was begun for an old one is of no use to a new one.
    pub(super) orders: u32,
    /// The cell that it shares a search with others for, if it does.
    pub(super) centre: NodeId,
    /// Its place among the members of its crowd.
    pub(super) seat: u32,
    /// Where it goes in this tick, where nobody keeps off anybody.
    pub(super) next: NodeId,
    /// It does not move before this tick.
    pub(super) ready: u64,
    /// When its sealed goal was last looked at.
    pub(super) looked: u64,
    /// From where it last looked around, in the fog.
    pub(super) outlook: NodeId,
    pub(super) speed: Speed,
    /// Hundredths of a cell that it may go, for units that are fast by distance.
    pub(super) balance: i32,
    /// Whether searches for it come first.
    pub(super) is_preferred: bool,
}

impl Unit {
    pub(super) const NEW: Self = Self {
        generation: 0,
        team: 0,
        is_there: false,
        is_queued: false,
        is_stranded: false,
        is_whole: false,
        status: Status::Idle,
        at: NodeId::NONE,
        goal: NodeId::NONE,
        crowd: NONE,
        is_settled: false,
        way: NONE,
        head: Head::NONE,
        row: NONE,
        moves: 0,
        blocked_by: NONE,
        lost: 0,
    };

    /// Its way; [`NONE`] while it has none.
    #[inline]
    pub(super) fn way(&self) -> u32 {
        self.way
    }

    /// Gives it another way, whose first points are not at hand yet; the one that it had.
    pub(super) fn set_way(&mut self, way: u32) -> u32 {
        self.head = Head::NONE;
        core::mem::replace(&mut self.way, way)
    }
}

impl Details {
    pub(super) const NEW: Self = Self {
        orders: 0,
        centre: NodeId::NONE,
        seat: 0,
        next: NodeId::NONE,
        ready: 0,
        looked: 0,
        outlook: NodeId::NONE,
        speed: Speed::EveryTicks(1),
        balance: 0,
        is_preferred: false,
    };
}

/// What the cells around a unit and its own are worth to it, as of one tick: what it ranks its moves by is asked again by
/// those who would be in its way.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Ranks {
    /// The unit's own cell.
    pub(super) middle: Cell,
    /// By direction, its own last: what the cells are worth at least.
    pub(super) values: [Cost; 9],
    /// A bit for each that is worth just that.
    pub(super) known: u32,
    /// How much more the others can be worth.
    pub(super) slack: Cost,
}

impl Ranks {
    pub(super) const NONE: Self = Self { middle: (0, 0), values: [Cost::INF; 9], known: 0, slack: Cost::INF };

    /// The place of a cell among the values; nothing if it lies farther away.
    #[inline]
    pub(super) fn place(&self, (x, y): Cell) -> Option<usize> {
        place((x - self.middle.0, y - self.middle.1))
    }

    /// What a place is worth, if that is known.
    #[inline]
    pub(super) fn known(&self, place: usize) -> Option<Cost> {
        (self.known >> place & 1 == 1).then(|| self.values[place])
    }

    /// What a place is worth at most.
    #[inline]
    pub(super) fn at_most(&self, place: usize) -> Cost {
        if self.known >> place & 1 == 1 { self.values[place] } else { self.values[place] + self.slack }
    }
}

const _: () = assert!(size_of::<Unit>() == 64 && size_of::<Ranks>() == 64, "lines of the cache");

/// The place of a cell so many columns and rows away among those around one; nothing if it lies farther away.
#[inline]
pub(super) fn place((dx, dy): Cell) -> Option<usize> {
    const PLACES: [u8; 9] = [7, 3, 6, 2, OWN as u8, 0, 5, 1, 4];
    let is_near = (-1..=1).contains(&dx) && (-1..=1).contains(&dy);
    is_near.then(|| PLACES[(3 * dy + dx + 4).cast_unsigned() as usize] as usize)
}
