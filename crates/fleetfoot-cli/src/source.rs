//! Where a map comes from.

use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::map::read_map;
use fleetfoot_sim::generate::Generated;
use fleetfoot_sim::map::GridMap;

use fleetfoot_sim::generate::builtin::{self, PREFIX};

/// A map, and where it comes from.
pub(crate) struct Source {
    /// As it was asked for: the rows' `map`.
    pub(crate) name: String,
    pub(crate) map: GridMap,
    /// Nothing if the map is built in.
    pub(crate) file: Option<PathBuf>,
    /// The problem that the map was made around, if it is built in and there is one.
    pub(crate) pair: Option<Pair>,
}

/// Start and goal, each as (column, row).
pub(crate) type Pair = ((u32, u32), (u32, u32));

impl Source {
    /// Reads or makes a map: `FILE` or `builtin:NAME`.
    pub(crate) fn open(argument: &Path) -> Result<Self, InputError> {
        let name = argument.display().to_string();
        if let Some(name) = argument.to_str().and_then(|text| text.strip_prefix(PREFIX)) {
            let Generated { map, start, goal, .. } = builtin::find(name)?.make()?;
            let name = format!("{PREFIX}{name}");
            return Ok(Self { name, map, file: None, pair: start.zip(goal) });
        }
        let map = read_map(argument).map_err(|error| hint(argument, error))?;
        Ok(Self { name, map, file: Some(argument.to_owned()), pair: None })
    }

    /// The name that scenarios call the map by: the file's, without its folder.
    pub(crate) fn file_name(&self) -> String {
        match &self.file {
            Some(file) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            None => format!("{}.map", self.name.trim_start_matches(PREFIX)),
        }
    }
}

/// Says more where a name was given that is no file but could have been meant otherwise.
fn hint(argument: &Path, error: InputError) -> InputError {
    let missing = !argument.exists();
    match argument.to_str() {
        Some(name) if missing && builtin::find(name).is_ok() => {
            InputError::new(error.what(), format!("did you mean {PREFIX}{name}?")).with_file(argument)
        }
        _ if missing => {
            let remedy = "check the path; `fleetfoot map list` names the maps that need no file";
            InputError::new(error.what(), remedy).with_file(argument)
        }
        _ => error,
    }
}
