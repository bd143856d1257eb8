//! The error of this crate: an unusable input, its position, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An input (a file, or the parameters of a generator) that cannot be used.
///
/// Shown as `FILE:LINE: what is wrong; what to do`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    file: Option<PathBuf>,
    line: Option<usize>,
    what: String,
    remedy: String,
}

impl InputError {
    /// Creates an error without a line: `what` is wrong, and `remedy` fixes it.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { file: None, line: None, what: what.into(), remedy: remedy.into() }
    }

    /// Creates an error in the given line, counted from 1.
    pub fn at(line: usize, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::new(what, remedy) }
    }

    /// Creates an error about a file or folder that the system does not let us use for `purpose` ("read", "write").
    pub fn io(path: impl Into<PathBuf>, purpose: &str, cause: &io::Error) -> Self {
        let remedy = match cause.kind() {
            io::ErrorKind::NotFound if purpose == "read" => "check the path",
            io::ErrorKind::NotFound => "create the folder first, or choose another path",
            io::ErrorKind::PermissionDenied => "check the permissions, also those of the folders above",
            io::ErrorKind::IsADirectory => "name a file in this folder instead",
            io::ErrorKind::NotADirectory => "name a folder; a part of this path is a file",
            io::ErrorKind::StorageFull => "free some space or choose another disk",
            _ => "check the path and the disk",
        };
        let what = match cause.kind() {
            io::ErrorKind::IsADirectory => format!("cannot {purpose}: this is a folder"),
            io::ErrorKind::NotADirectory => format!("cannot {purpose}: this is no folder"),
            _ => format!("cannot {purpose}: {cause}"),
        };
        Self::new(what, remedy).with_file(path)
    }

    /// Sets the file. An earlier file is kept, since it is nearer to the cause.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.file.get_or_insert_with(|| path.into());
        self
    }

    /// Returns the file, if one was involved.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns the line in the file, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns what is wrong.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns what to do about it.
    pub fn remedy(&self) -> &str {
        &self.remedy
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, Some(line)) => write!(f, "line {line}: ")?,
            (None, None) => {}
        }
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

impl std::error::Error for InputError {}

impl From<fleetfoot::registry::SpecSyntaxError> for InputError {
    fn from(error: fleetfoot::registry::SpecSyntaxError) -> Self {
        Self::new(error.what, error.remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_place_fault_and_remedy() {
        let error = InputError::at(7, "row too short", "pad it");
        assert_eq!(error.to_string(), "line 7: row too short; pad it");
        let error = error.with_file("maps/foo.map").with_file("other");
        assert_eq!(error.to_string(), "maps/foo.map:7: row too short; pad it");
        assert_eq!(InputError::new("a", "b").to_string(), "a; b");
        assert_eq!(InputError::new("a", "b").with_file("f").to_string(), "f: a; b");
        assert_eq!((error.line(), error.what(), error.remedy()), (Some(7), "row too short", "pad it"));
    }

    #[test]
    fn distinguishes_files_from_folders() {
        let text = |purpose, kind: io::ErrorKind| InputError::io("a", purpose, &kind.into()).to_string();
        assert_eq!(
            text("read", io::ErrorKind::IsADirectory),
            "a: cannot read: this is a folder; name a file in this folder instead"
        );
        assert!(
            text("read", io::ErrorKind::NotADirectory).starts_with("a: cannot read: this is no folder; name")
        );
        assert!(text("read", io::ErrorKind::NotFound).ends_with("; check the path"));
        assert!(
            text("write", io::ErrorKind::NotFound)
                .ends_with("; create the folder first, or choose another path")
        );
    }
}
