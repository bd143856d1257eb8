//! Shards back into a whole.

use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;

use super::folder::Folder;
use super::plan::About;
use super::row::Row;

/// A whole experiment again.
#[derive(Debug)]
pub struct Merged {
    /// What it is.
    pub about: About,
    /// All its rows, in order.
    pub rows: Vec<Row>,
}

/// Whether a folder holds an experiment, or a shard of one.
pub fn is_experiment(path: &Path) -> bool {
    Folder::at(path).is_one()
}

/// Joins the rows of folders that hold shards of one experiment, and leaves them in `out`.
///
/// # Errors
/// If the folders do not belong together, or runs are missing.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, InputError> {
    let mut manifest = None;
    let mut rows: Vec<Row> = Vec::new();
    for part in parts {
        let folder = Folder::at(part);
        let its = folder.read_manifest()?;
        if manifest.get_or_insert_with(|| its.clone()) != &its {
            let what = format!("this is not a shard of the experiment in {}", parts[0].display());
            let remedy = "merge shards of the same experiment, made with the same maps";
            return Err(InputError::new(what, remedy).with_file(part));
        }
        rows.extend(folder.read_rows()?);
    }
    let Some(manifest) = manifest else {
        return Err(InputError::new("there is nothing to merge", "name the folders of the shards"));
    };
    rows.sort_by_key(|row| row.index);
    rows.dedup_by_key(|row| row.index);
    let missing = manifest.runs - rows.len() as u64;
    if missing > 0 {
        let what = format!("{missing} of {} runs are missing", manifest.runs);
        let remedy = "make the other shards first, or let those that were interrupted go on";
        return Err(InputError::new(what, remedy));
    }
    std::fs::create_dir_all(out).map_err(|cause| InputError::io(out, "create", &cause))?;
    let folder = Folder::at(out);
    folder.write_manifest(&manifest)?;
    folder.finish(&rows)?;
    Ok(Merged { about: manifest.about, rows })
}
