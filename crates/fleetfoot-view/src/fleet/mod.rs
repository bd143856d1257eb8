//! Records of fleets: the position and goal of every unit in every tick, and which unit blocked it.
//!
//! A record stores changes only. A unit that keeps its direction, or keeps waiting, takes no byte. `FORMAT.md`
//! describes the format.

mod meta;
mod picture;
mod player;
mod record;
mod recorder;

pub use meta::FleetMeta;
pub use picture::{UnitColors, gif, png};
pub use player::{FleetPlayer, UnitState};
pub use record::FleetRecord;
pub use recorder::{FleetRecorder, FleetScene};

/// Codes of a unit's action in a tick: 0 to 7 are directions, then waiting and having left the map.
const STANDS: u8 = 8;
const LEFT: u8 = 9;

/// The states of units, by number. 0 is a unit without an order.
pub(crate) const STATES: [&str; 6] = ["idle", "seeking", "underway", "arrived", "unreachable", "buried"];

/// Number of ticks in a section.
const CHUNK: usize = 64;

/// Number of columns in a section.
const COLUMNS: usize = 6;
