//! The environment of a fleet: the map, its changes, and the vision of units.

use std::sync::Arc;

use fleetfoot::fleet::Vision;
use fleetfoot::{Grid, NodeId, Rules};

use crate::error::InputError;
use crate::map::GridMap;
use crate::sensor::Sight;
use crate::world::{Terrain, WorldSpec};

/// The environment of a fleet, for any number of runs.
#[derive(Clone, Debug)]
pub struct Ground {
    pub(super) grid: Arc<Grid>,
    /// Tick, cell and new weight, sorted by tick.
    pub(super) edits: Vec<(u64, NodeId, u8)>,
    pub(super) vision: Vision,
}

impl Ground {
    /// Makes it from a map and a world.
    ///
    /// # Errors
    /// If the world's script cannot be read or does not belong to the map, or fleets do not support the world.
    pub fn load(map: &GridMap, rules: Rules, world: &WorldSpec) -> Result<Self, InputError> {
        let grid = Arc::new(Terrain::default().grid(map, rules)?);
        if let WorldSpec::Partial { .. } = world {
            let what = "a fleet knows the whole map at first, or nothing of it";
            return Err(InputError::new(
                what,
                "use known, unknown(radius=R), dynamic(SCRIPT) or dynamic(SCRIPT,radius=R)",
            ));
        }
        let loaded = world.load(&grid, Terrain::default().weights())?;
        if loaded.has_gates() {
            let what = "the script has doors that answer to a single agent";
            let error = InputError::new(what, "use a script without rules");
            return Err(world.script().map_or(error.clone(), |script| error.with_file(script)));
        }
        let sight = match world {
            WorldSpec::Unknown { sight } => Some(sight.unwrap_or(Sight::default_for(rules))),
            WorldSpec::Dynamic { sight, .. } => *sight,
            WorldSpec::Known | WorldSpec::Partial { .. } => None,
        };
        let vision = match sight {
            None => Vision::All,
            Some(Sight::Radius(radius)) => Vision::Radius(radius),
            Some(Sight::Four | Sight::Eight) => Vision::Radius(1),
        };
        let edits = loaded.edits().collect();
        Ok(Self { grid: Arc::new(loaded.truth().clone()), edits, vision })
    }

    /// Returns the grid before the first tick.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the vision of units.
    pub fn vision(&self) -> Vision {
        self.vision
    }

    /// Returns `true` if the map ever changes.
    pub fn is_dynamic(&self) -> bool {
        !self.edits.is_empty()
    }
}
