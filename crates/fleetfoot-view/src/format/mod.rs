//! The file: sections of compressed bytes, each with a checksum. `FORMAT.md` beside this crate describes every byte.

pub(crate) mod bytes;
pub(crate) mod meta;
pub(crate) mod section;

use fleetfoot_sim::error::InputError;

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;

/// Something that no writer of ours has written.
pub(crate) fn damaged(what: impl std::fmt::Display) -> InputError {
    InputError::new(format!("the record is damaged: {what}"), "record the run again, or copy the file anew")
}
