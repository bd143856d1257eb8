//! `fleetfoot database`: what is computed of maps beforehand.

mod build;
mod info;
mod journal;
mod merge;
mod product;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use fleetfoot::registry::{Spec, database};
use fleetfoot_sim::error::InputError;

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

/// Says what will be made beforehand for planners, and refuses files that are only parts of a database.
pub(crate) fn announce(specs: &[Spec]) -> Result<(), Failure> {
    for spec in specs {
        match database(spec) {
            Some(name) => refuse_part(Path::new(name))?,
            None if spec.info().key == "knn-lrta" => {
                let more = "`fleetfoot database build` makes more, and keeps them";
                warn("note", format!("making records for {spec}; {more}"));
            }
            None => {}
        }
    }
    Ok(())
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
