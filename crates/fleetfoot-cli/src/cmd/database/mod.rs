//! `fleetfoot database`: what is computed of maps beforehand.

mod build;
mod info;
mod journal;
mod merge;
mod product;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot::Grid;
use fleetfoot::database::{DLrtaDatabase, DatabaseKind, KnnDatabase, kind_of};
use fleetfoot::registry::{Resource, Resources, Spec, database};
use fleetfoot_sim::error::InputError;

use crate::args::DatabaseCommand;
use crate::failure::Failure;

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
                resources.insert(name, load(Path::new(name), grid)?);
            }
            None if spec.info().key == "knn-lrta" => resources.provide_parallel(spec, grid),
            _ => resources.provide(spec, grid),
        }
    }
    Ok(resources)
}

fn load(file: &Path, grid: &Grid) -> Result<Resource, Failure> {
    let bytes = fs::read(file).map_err(|cause| InputError::io(file, "read", &cause))?;
    let is_part = journal::read(&bytes).is_ok();
    let read = || match kind_of(&bytes)? {
        DatabaseKind::Knn => Ok(Resource::Knn(Arc::new(KnnDatabase::open(bytes.clone(), grid)?))),
        DatabaseKind::DLrta => Ok(Resource::DLrta(Arc::new(DLrtaDatabase::open(bytes.clone(), grid)?))),
    };
    if is_part {
        let remedy = "finish it by `fleetfoot database build`, or put its shards together by `fleetfoot database merge`";
        return Err(InputError::new("it is a part of a database", remedy).with_file(file).into());
    }
    read().map_err(|error: fleetfoot::database::DatabaseError| {
        InputError::new(error.to_string(), "`fleetfoot database build` makes one").with_file(file).into()
    })
}
