//! What a fleet's record says about itself, as JSON.

use fleetfoot_sim::error::InputError;
use serde::{Deserialize, Serialize};

use crate::format::damaged;
use crate::record::MOST_TICKS;

/// A fleet, and how it lived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FleetMeta {
    /// Which program wrote the record.
    pub generator: String,
    /// What the units do, for people. Records of single agents have no such entry.
    pub fleet: String,
    /// The map's name.
    pub map: String,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// What units know and what changes, as on the command line.
    pub world: String,
    /// The rules of movement, for people.
    pub rules: String,
    /// How many units there are at first.
    pub units: u32,
    /// The budget of a tick, as on the command line.
    pub budget: String,
    /// How many ticks were recorded.
    pub ticks: u64,
    /// How far units see, if they do not know the map.
    #[serde(default)]
    pub sight: Option<u32>,
    /// Whether each unit knows only what it has seen itself; else all know what one of them has seen.
    #[serde(default)]
    pub alone: bool,
}

impl FleetMeta {
    /// Whether it fits itself and the map.
    pub(super) fn check(&self, letters: &[u8], weights: &[u8]) -> Result<(), InputError> {
        let cells = u64::from(self.width) * u64::from(self.height);
        if cells == 0 || cells != letters.len() as u64 || cells != weights.len() as u64 {
            return Err(damaged("the map has another size than it says"));
        }
        if self.ticks > MOST_TICKS || u64::from(self.units) > cells.saturating_mul(4) {
            return Err(damaged("it has too many ticks or units"));
        }
        Ok(())
    }
}
