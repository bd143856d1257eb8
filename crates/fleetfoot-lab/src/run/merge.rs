//! Merges shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;

use super::Watch;
use super::build;
use super::folder::Folder;
use super::hold::Hold;
use super::manifest::{Made, Manifest};
use super::plan::About;
use super::row::Row;

/// A merged experiment.
#[derive(Debug)]
pub struct Merged {
    /// Its description.
    pub about: About,
    /// All its rows, in order.
    pub rows: Vec<Row>,
    /// Locks the folder until it is dropped. Write reports before.
    pub hold: Hold,
}

/// Returns `true` if a folder contains an experiment, or a shard of one.
pub fn is_experiment(path: &Path) -> bool {
    Folder::at(path).is_one()
}

/// Merges the rows of folders that contain shards of one experiment, and writes them to `out`.
///
/// # Errors
/// If the folders do not belong together, or runs are missing.
pub fn merge(parts: &[PathBuf], out: &Path, watch: &dyn Watch) -> Result<Merged, InputError> {
    let mut manifest: Option<Manifest> = None;
    let mut all: BTreeMap<(u64, Option<u64>), Made> = BTreeMap::new();
    for part in parts {
        let (its, rows) = Folder::at(part).read(watch)?;
        let manifest = manifest.get_or_insert_with(|| its.clone());
        if !manifest.is_of(&its) {
            let what = format!("this is not a shard of the experiment in {}", parts[0].display());
            let remedy = "merge shards of the same experiment, made with the same maps";
            return Err(InputError::new(what, remedy).with_file(part));
        }
        for made in rows {
            let (index, trial, run) = (made.0.index, made.0.trial, made.0.run.clone());
            let (first, _) = all.entry((index, trial)).or_insert(made);
            if first.run != run || index >= manifest.runs {
                return Err(foreign(&run).with_file(part));
            }
        }
    }
    let Some(manifest) = manifest else {
        return Err(InputError::new("there is nothing to merge", "name the folders of the shards"));
    };
    // Indices of runs are in range, and the first row of each run is unique.
    let there = all.keys().filter(|(_, trial)| trial.is_none_or(|trial| trial == 1)).count();
    let missing = manifest.runs.saturating_sub(there as u64);
    if missing > 0 {
        let what = format!("{missing} of {} runs are missing", manifest.runs);
        let remedy = "make the other shards first, or let those that were interrupted go on";
        return Err(InputError::new(what, remedy));
    }
    let rows: Vec<Made> = all.into_values().collect();
    if !manifest.is_whole(&rows) {
        let what = "the rows are not those of the experiment that lab.json describes";
        let remedy =
            "make the shards again with the commands that made them: rows that belong there are kept";
        return Err(InputError::new(what, remedy).with_file(&parts[0]));
    }
    let made = build::told(rows.iter().map(|(_, build)| build));
    let (about, folder) = (About { made, ..manifest.about.clone() }, Folder::at(out));
    let hold = folder.take(watch)?;
    folder.replace(manifest, &rows, watch)?;
    Ok(Merged { about, rows: rows.into_iter().map(|(row, _)| row).collect(), hold })
}

fn foreign(run: &str) -> InputError {
    let what = format!("the row of `{run}` is not of the experiment that lab.json describes");
    let remedy = "make the shard again with the command that made it: rows that belong there are kept";
    InputError::new(what, remedy)
}
