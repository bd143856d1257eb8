//! A case: everything a run depends on, as one line of text.

pub(crate) mod draw;
pub(crate) mod place;
mod text;

use std::ops::Range;

use crate::judges::ground::Moves;

/// A random world, and what happens in it.
///
/// Events of a kind are numbered, and each depends on the seed and its number alone. A range of them can be skipped, and the others stay
/// what they are: that is how failing cases become smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub(crate) seed: u64,
    pub(crate) world: World,
    /// Ticks in which events may happen.
    pub(crate) span: u64,
    /// Ticks of the run. The judges of the end need some after the last event.
    pub(crate) ticks: u64,
    /// Expansions for each tick; 0 is no limit.
    pub(crate) budget: u64,
    pub(crate) edits: Range<u32>,
    /// Teleports, removals, changes of speed, new goals.
    pub(crate) acts: Range<u32>,
    /// Saves. What is loaded goes on beside the original.
    pub(crate) saves: Range<u32>,
    pub(crate) kind: Kind,
}

/// The map of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) map: MapKind,
    pub(crate) size: (u32, u32),
    pub(crate) moves: Moves,
    pub(crate) diagonal: DiagonalKind,
    /// The highest weight of a cell.
    pub(crate) weights: u8,
    pub(crate) index: IndexKind,
}

/// What walks in the world of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Fleet(FleetCase),
    Agent(AgentCase),
}

/// A fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FleetCase {
    pub(crate) units: Range<u32>,
    pub(crate) orders: Range<u32>,
    /// How far the units of every other team see; 0 if all teams know the whole map.
    pub(crate) fog: u32,
    /// Number of teams.
    pub(crate) teams: u32,
    pub(crate) collide: bool,
    /// Some units are slow.
    pub(crate) speeds: bool,
    /// Which rules of the resolver are switched off, drawn from this number; 0 for none.
    pub(crate) rules: u64,
}

/// One agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AgentCase {
    pub(crate) planner: String,
    /// How far it sees; 0 if it knows the whole map.
    pub(crate) sight: u32,
    /// Whether all work is charged, or what papers charge.
    pub(crate) all_work: bool,
}

/// Defines an enum with a word for each variant.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),* }

        impl $name {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns its word.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// Returns the variant of this word.
            pub(crate) fn read(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.word() == word)
            }
        }
    };
}

words! {
    /// How a map is made.
    MapKind {
        Field = "field", Maze = "maze", WideMaze = "wide-maze", Rooms = "rooms", Random = "random", Dense = "dense", Corner = "corner",
        Cave = "cave", Corridors = "corridors", Meeting = "meeting", Crossing = "crossing",
    }
}

words! {
    /// The length of a diagonal move.
    DiagonalKind { Sqrt2 = "sqrt2", D14 = "1.4", D15 = "1.5" }
}

words! {
    /// The indices of a map.
    IndexKind { Full = "full", Slices = "slices", Corners = "corners", None = "none" }
}
