//! The source of a map.

use std::path::{Path, PathBuf};

use fleetfoot_lab::places::MapSource;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::Generated;
use fleetfoot_sim::generate::builtin::{self, PREFIX};
use fleetfoot_sim::generate::problems::Pair;
use fleetfoot_sim::map::GridMap;

/// A map and its source.
pub(crate) struct Source {
    /// Its argument: the rows' `map`.
    pub(crate) name: String,
    pub(crate) origin: MapSource,
    pub(crate) made: Generated,
}

impl Source {
    /// Opens a map: `FILE` or `builtin:NAME`.
    pub(crate) fn open(argument: &Path) -> Result<Self, InputError> {
        let name = argument.display().to_string();
        let (origin, made) = match MapSource::builtin(&name) {
            Some(builtin) => {
                let origin = builtin?;
                let made = origin.load()?;
                (origin, made)
            }
            None => MapSource::read(&name, argument).map_err(|error| hint(argument, &error))?,
        };
        Ok(Self { name: origin.to_string(), origin, made })
    }

    pub(crate) fn map(&self) -> &GridMap {
        &self.made.map
    }

    /// Returns the problem that the map was made around, if there is one.
    pub(crate) fn pair(&self) -> Option<Pair> {
        self.made.start.zip(self.made.goal)
    }

    /// Returns the file of the map. Returns `None` if it is built in.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        match &self.origin {
            MapSource::File { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns the name that scenarios use for the map: the file name.
    pub(crate) fn file_name(&self) -> String {
        match self.file() {
            Some(file) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            None => format!("{}.map", self.name.trim_start_matches(PREFIX)),
        }
    }
}

/// Adds a suggestion if the argument is not a file but could have another meaning.
fn hint(argument: &Path, error: &InputError) -> InputError {
    let remedy = match argument.to_str() {
        _ if argument.exists() => return error.clone(),
        Some(name) if builtin::find(name).is_ok() => format!("did you mean {PREFIX}{name}?"),
        _ => "check the path; `fleetfoot map list` names the maps that need no file".to_owned(),
    };
    InputError::new(error.what(), remedy).with_file(argument)
}
