//! Databases: files that planners name.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fleetfoot::Grid;
use fleetfoot::database::{DLrtaDatabase, DatabaseError, DatabaseKind, KnnDatabase, detect_kind};
use fleetfoot::registry::Resource;

use crate::error::InputError;

/// Reads the database that a planner names, for this grid.
///
/// # Errors
/// If the file cannot be read, is not a database, is damaged, or belongs to another map.
pub fn read_database(path: impl AsRef<Path>, grid: &Grid) -> Result<Resource, InputError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|cause| InputError::io(path, "read", &cause))?;
    open(bytes, grid).map_err(|error| explained(&error).with_file(path))
}

fn open(bytes: Vec<u8>, grid: &Grid) -> Result<Resource, DatabaseError> {
    Ok(match detect_kind(&bytes)? {
        DatabaseKind::Knn => Resource::Knn(Arc::new(KnnDatabase::open(bytes, grid)?)),
        DatabaseKind::DLrta => Resource::DLrta(Arc::new(DLrtaDatabase::open(bytes, grid)?)),
    })
}

/// Converts a database's error to an input error with a remedy.
pub fn explained(error: &DatabaseError) -> InputError {
    let text = error.to_string();
    match text.rsplit_once("; ") {
        Some((what, remedy)) => InputError::new(what, remedy),
        None => InputError::new(text, "`fleetfoot database build` makes one"),
    }
}
