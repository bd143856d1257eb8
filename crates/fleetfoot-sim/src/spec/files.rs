//! Files that runs depend on besides their maps: databases of planners, scripts of worlds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::InputError;

/// A file with a checksum, so that rows of a different file of the same name are not reused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    path: PathBuf,
    sum: u64,
}

impl DataFile {
    /// Computes the checksum of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, InputError> {
        let path = path.into();
        let sum = checksum(&path).map_err(|cause| InputError::io(&path, "read", &cause))?;
        Ok(Self { path, sum })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a text that identifies its contents, to be appended to its name.
    pub fn mark(&self) -> String {
        format!("#{:016x}", self.sum)
    }

    /// Refuses a file whose contents have changed.
    ///
    /// # Errors
    /// If they have, or the file cannot be read.
    pub fn check(&self) -> Result<(), InputError> {
        if Self::new(&self.path)?.sum == self.sum {
            return Ok(());
        }
        let what = "the file has changed while the experiment was running";
        Err(InputError::new(what, "start again").with_file(&self.path))
    }
}

/// Files with names relative to a folder, each read once.
#[derive(Debug)]
pub struct Files {
    base: PathBuf,
    seen: RefCell<HashMap<PathBuf, Arc<DataFile>>>,
}

impl Files {
    /// Creates a set of files with names relative to this folder.
    pub fn at(base: &Path) -> Self {
        Self { base: base.to_owned(), seen: RefCell::default() }
    }

    /// Returns the file of this name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn get(&self, name: impl AsRef<Path>) -> Result<Arc<DataFile>, InputError> {
        let path = self.base.join(name);
        if let Some(file) = self.seen.borrow().get(&path) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(DataFile::new(&path)?);
        self.seen.borrow_mut().insert(path, Arc::clone(&file));
        Ok(file)
    }
}

/// Computes a checksum of a file's contents.
///
/// # Errors
/// If it cannot be read, or is not a regular file.
pub fn checksum(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // A device has no end.
    if !about.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(fleetfoot::database::checksum(&bytes))
}
