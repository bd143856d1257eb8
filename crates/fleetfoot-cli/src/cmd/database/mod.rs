//! `fleetfoot database`: what is computed of maps beforehand.

mod build;
mod info;
mod journal;
mod merge;
mod product;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use fleetfoot::Grid;
use fleetfoot::registry::{Resources, Spec, database};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::database::read_database;

use crate::args::DatabaseCommand;
use crate::failure::{Failure, warn};

pub(crate) fn run(command: &DatabaseCommand) -> Result<(), Failure> {
    match command {
        DatabaseCommand::Build(args) => build::run(args),
        DatabaseCommand::Merge(args) => merge::run(args),
        DatabaseCommand::Info { file } => info::run(file),
    }
}

/// The files that planners name.
pub(crate) fn files(specs: &[Spec]) -> impl Iterator<Item = PathBuf> + '_ {
    specs.iter().filter_map(database).map(PathBuf::from)
}

/// What planners need that is made beforehand: read from the files that they name, or made now, once for all.
pub(crate) fn resources(specs: &[Spec], grid: &Grid) -> Result<Resources, Failure> {
    let mut resources = Resources::default();
    for spec in specs {
        match database(spec) {
            Some(name) if resources.get(name).is_none() => {
                refuse_part(Path::new(name))?;
                resources.insert(name, read_database(name, grid)?);
            }
            None if spec.info().key == "knn-lrta" => {
                warn(
                    "note",
                    format!(
                        "making records for {spec}; `fleetfoot database build` makes more, and keeps them"
                    ),
                );
                resources.provide_parallel(spec, grid);
            }
            _ => {}
        }
        resources.provide(spec, grid);
    }
    Ok(resources)
}

/// What an unfinished build has left is not to be used.
fn refuse_part(file: &Path) -> Result<(), Failure> {
    // Its first bytes will do: a database can have a hundred megabytes.
    let mut head = [0; 8];
    let has_head = File::open(file).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    if has_head && journal::is_one(&head) {
        let remedy = "finish it by `fleetfoot database build`, or put its shards together by `fleetfoot database merge`";
        return Err(InputError::new("it is a part of a database", remedy).with_file(file).into());
    }
    Ok(())
}

/// Refuses to write where nothing can be written, or over what is read.
fn spare(output: &Path, read: &[&Path]) -> Result<(), Failure> {
    let refuse = |what: &str| Err(InputError::new(what, "choose another --output").with_file(output).into());
    if output.is_dir() {
        return refuse("it is a folder");
    }
    let Ok(here) = output.canonicalize() else { return Ok(()) };
    if read.iter().any(|file| file.canonicalize().is_ok_and(|file| file == here)) {
        return refuse("it is one of the files that are read");
    }
    Ok(())
}
