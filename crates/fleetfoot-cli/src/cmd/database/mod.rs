//! `fleetfoot database`: data computed for maps in advance.

mod build;
mod info;
mod journal;
mod merge;
mod product;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use fleetfoot::registry::{Spec, database};
use fleetfoot_lab::run::{Ground, Records};
use fleetfoot_sim::error::InputError;

use crate::args::DatabaseCommand;
use crate::failure::{Failure, warn};
use crate::output::columns::plural;

pub(crate) fn run(command: &DatabaseCommand) -> Result<(), Failure> {
    match command {
        DatabaseCommand::Build(args) => build::run(args),
        DatabaseCommand::Merge(args) => merge::run(args),
        DatabaseCommand::Info { file } => info::run(file),
    }
}

/// Returns the files that planners name.
pub(crate) fn files(specs: &[Spec]) -> impl Iterator<Item = PathBuf> + '_ {
    specs.iter().filter_map(database).map(PathBuf::from)
}

/// Refuses files that are only parts of a database.
pub(crate) fn check(specs: &[Spec]) -> Result<(), Failure> {
    specs.iter().filter_map(database).try_for_each(|name| refuse_part(Path::new(name)))
}

/// Reports the records that were computed for planners that name no file, and how many problems they cover.
pub(crate) fn tell(specs: &[Spec], ground: &Ground) {
    for spec in specs {
        let Some(Records { count, serve, time }) = ground.records(spec) else { continue };
        let text = format!(
            "{spec}: made {} in {:.1} s, of which {serve:.0} of 100 problems find one that fits; without one it is LRTA*. \
             records=N makes N, `fleetfoot database build` keeps them",
            plural(u64::from(count), "record"),
            time.as_secs_f64()
        );
        warn("note", text);
    }
}

/// Refuses a file that an unfinished build has left.
fn refuse_part(file: &Path) -> Result<(), Failure> {
    // Reads only the first bytes: a database can have hundreds of megabytes.
    let mut head = [0; 8];
    let has_head = File::open(file).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    if has_head && journal::is_one(&head) {
        let remedy = "finish it by `fleetfoot database build`, or put its shards together by `fleetfoot database merge`";
        return Err(InputError::new("it is a part of a database", remedy).with_file(file).into());
    }
    Ok(())
}
