//! `fleetfoot map scale`.

use std::path::Path;

use fleetfoot_sim::formats::map::write_map;

use crate::failure::Failure;
use crate::source::Source;

pub(super) fn run(map: &Path, factor: u32, output: &Path) -> Result<(), Failure> {
    let source = Source::open(map)?;
    let scaled = source.map().scaled(factor).map_err(|error| error.with_file(&source.name))?;
    Ok(write_map(output, &scaled)?)
}
