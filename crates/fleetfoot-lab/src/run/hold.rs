//! A folder is used by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use fleetfoot_sim::error::InputError;

/// The lock of a folder: while this lives, no other process makes runs in it. The system frees it when the process ends,
/// however it ends; the file stays, since to remove it would let two processes lock two files of one name.
#[derive(Debug)]
pub struct Hold {
    _file: File,
    is_locked: bool,
}

impl Hold {
    /// Takes a folder.
    pub(super) fn take(folder: &Path) -> Result<Self, InputError> {
        let path = folder.join(".lock");
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|cause| InputError::io(&path, "write", &cause))?;
        let is_locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => {
                let what = "another process is at work in this folder";
                let remedy = "wait until it is done, end it, or choose another folder with --output";
                return Err(InputError::new(what, remedy).with_file(folder));
            }
            // Some network disks know no locks: no reason not to work there.
            Err(TryLockError::Error(_)) => false,
        };
        Ok(Self { _file: file, is_locked })
    }

    /// Whether the system really keeps others out.
    pub(super) fn is_locked(&self) -> bool {
        self.is_locked
    }
}
