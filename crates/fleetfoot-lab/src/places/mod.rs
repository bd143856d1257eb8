//! Environments of runs: a map, the rules of movement, and a world on it.

mod suited;
mod told;

use std::sync::Arc;

use fleetfoot::Rules;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::Generated;
use fleetfoot_sim::world::{Terrain, World};

pub(crate) use fleetfoot_sim::spec::checksum;
pub use fleetfoot_sim::spec::{DataFile, Files, Made, MapSource, Movement, Scene};
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
        Movement { rules: self.rules, terrain: self.terrain }.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Checks that a change of any byte, and of the length, changes the checksum.
    #[test]
    fn files_are_known_by_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let sum = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            checksum(&path).unwrap()
        };
        let mut seen = std::collections::HashSet::new();
        for length in [0, 1, 7, 8, 9, 63, (1 << 18) - 1, 1 << 18, (1 << 18) + 1] {
            let mut bytes = vec![0; length];
            assert!(seen.insert(sum(&bytes)), "{length}");
            for place in [0, length / 2, length.saturating_sub(1)] {
                let Some(byte) = bytes.get_mut(place) else { continue };
                *byte ^= 0x80;
                let changed = sum(&bytes);
                seen.insert(changed);
                bytes[place] ^= 0x80;
                assert!(changed != sum(&bytes), "{length}, {place}");
            }
        }
        let file = DataFile::new(&path).unwrap();
        file.check().unwrap();
        sum(b"other");
        assert!(file.check().unwrap_err().to_string().contains("has changed"));
        let told = DataFile::new(folder.path()).unwrap_err().to_string();
        assert!(told.contains("this is a folder"), "{told}");
    }

    #[test]
    fn each_is_looked_at_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "1").unwrap();
        let files = Files::at(folder.path());
        let first = files.get("a").unwrap();
        std::fs::write(folder.path().join("a"), "2").unwrap();
        assert!(Arc::ptr_eq(&first, &files.get("a").unwrap()));
        assert!(files.get("b").unwrap_err().to_string().contains("cannot read"));
    }
}
