//! The description of a fleet's record, stored as JSON.

use fleetfoot_sim::error::InputError;
use serde::{Deserialize, Serialize};

use crate::format::damaged;
use crate::record::MOST_TICKS;

/// Describes a fleet and its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FleetMeta {
    /// The program that wrote the record.
    pub generator: String,
    /// What the units do, for readers. Records of single agents have no such entry.
    pub fleet: String,
    /// Name of the map.
    pub map: String,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// What units know and what changes, as on the command line.
    pub world: String,
    /// The rules of movement, for readers.
    pub rules: String,
    /// Number of units at the beginning.
    pub units: u32,
    /// The budget of a tick, as on the command line.
    pub budget: String,
    /// Number of recorded ticks.
    pub ticks: u64,
    /// Sight radius of units in unknown terrain.
    #[serde(default)]
    pub sight: Option<u32>,
    /// Each unit knows only what it has seen itself. Otherwise all units share their observations.
    #[serde(default)]
    pub alone: bool,
}

impl FleetMeta {
    /// Returns an error if the description contradicts itself or the map.
    pub(super) fn check(&self, letters: &[u8], weights: &[u8]) -> Result<(), InputError> {
        let cells = u64::from(self.width) * u64::from(self.height);
        if cells == 0 || cells != letters.len() as u64 || cells != weights.len() as u64 {
            return Err(damaged("the map's size differs from the one in its description"));
        }
        if self.ticks > MOST_TICKS || u64::from(self.units) > cells.saturating_mul(4) {
            return Err(damaged("it has too many ticks or units"));
        }
        Ok(())
    }
}
