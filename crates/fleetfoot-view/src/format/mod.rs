//! The file format: compressed sections, each with a checksum. `FORMAT.md` describes every byte.

pub(crate) mod bytes;
pub(crate) mod meta;
pub(crate) mod section;

use fleetfoot_sim::error::InputError;

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;

/// Reports content that this project never writes.
pub(crate) fn damaged(what: impl std::fmt::Display) -> InputError {
    InputError::new(format!("the record is damaged: {what}"), "record the run again, or copy the file again")
}
