//! Locks a folder, so that one process uses it at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use fleetfoot_sim::error::InputError;

/// The lock of a folder: while it exists, no other process executes runs there. The system releases it when the
/// process ends for any reason. The file stays, since removing it would allow two processes to lock two files of one
/// name.
#[derive(Debug)]
pub struct Hold {
    _file: File,
    is_locked: bool,
}

impl Hold {
    /// Locks a folder.
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
            // Some network disks do not support locks, but are usable.
            Err(TryLockError::Error(_)) => false,
        };
        Ok(Self { _file: file, is_locked })
    }

    /// Returns `true` if the system supports the lock.
    pub(super) fn is_locked(&self) -> bool {
        self.is_locked
    }
}
