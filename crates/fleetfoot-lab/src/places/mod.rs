//! Environments of runs: a map, the rules of movement, and a world on it.

mod data;
mod maps;
mod rules;
mod scene;
mod suited;
mod told;

use std::sync::Arc;

use fleetfoot::Rules;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::Generated;
use fleetfoot_sim::world::{Terrain, World};

pub(crate) use data::checksum;
pub use data::{DataFile, Files};
pub use maps::{Made, MapSource};
pub use rules::rules_text;
pub use scene::Scene;
pub use suited::{Incompatible, check_cost_changes, check_knowledge};
pub(crate) use told::told_maps;

/// A map, the rules of movement, and a world on it. This is a description; [`Place::world`] makes the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The map.
    pub map: MapSource,
    /// The rules of movement.
    pub rules: Rules,
    /// The weights of the map's letters.
    pub terrain: Terrain,
    /// What the agent knows and what changes.
    pub scene: Scene,
}

impl Place {
    /// Creates an environment with default rules: eight moves, √2, no corner cutting, no weights.
    pub fn new(map: MapSource, scene: Scene) -> Self {
        Self { map, rules: Rules::default(), terrain: Terrain::default(), scene }
    }

    /// Makes the world.
    ///
    /// # Errors
    /// If a file cannot be read, or map, rules and world do not fit together.
    pub fn world(&self) -> Result<World, InputError> {
        self.world_on(&self.map.load()?)
    }

    /// Makes the world on a map that was loaded before.
    ///
    /// # Errors
    /// As for [`Place::world`].
    pub fn world_on(&self, made: &Generated) -> Result<World, InputError> {
        let place = |error: InputError| error.with_file(self.map.to_string());
        let grid = Arc::new(self.terrain.grid(&made.map, self.rules).map_err(place)?);
        self.scene.load(made, &grid, self.terrain).map_err(place)
    }

    /// Returns the rules as text.
    pub fn rules_text(&self) -> String {
        rules_text(self.rules, self.terrain)
    }
}
