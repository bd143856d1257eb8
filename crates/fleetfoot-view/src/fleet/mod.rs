//! Records of fleets: where every unit was in every tick, where it meant to go, and why it stood.
//!
//! A record holds what changes: a unit that goes on as before, or stands as before, takes no byte. `FORMAT.md` describes
//! it.

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

/// What a unit does in a tick: 0 to 7 are directions, as everywhere; it stands, or has left the map.
const STANDS: u8 = 8;
const LEFT: u8 = 9;

/// How units fare, by number; 0 is a unit that has no order.
pub(crate) const STATES: [&str; 6] = ["idle", "seeking", "underway", "arrived", "unreachable", "buried"];

/// Ticks in a section.
const CHUNK: usize = 64;

/// Columns of a section.
const COLUMNS: usize = 6;
