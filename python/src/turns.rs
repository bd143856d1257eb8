//! Values shared by Python threads. One rule prevents deadlocks: no Python runs while a value is locked, and no
//! thread with Python's lock waits for a value. So arguments are read before, and arrays and errors are made after.
//! Values are accessible only through these types.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use pyo3::prelude::*;

/// A value that threads use in turn: a thread that releases it does not overtake a waiting one.
#[derive(Debug, Default)]
pub(crate) struct Turns<T> {
    /// Held while a thread waits for the value.
    next: Mutex<()>,
    value: Mutex<T>,
}

impl<T: Send> Turns<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { next: Mutex::new(()), value: Mutex::new(value) }
    }

    /// Locks the value. For threads without Python's lock.
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        let _next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `act` on the value while Python's other threads run.
    pub(crate) fn with<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut T) -> R + Send) -> R {
        py.detach(|| act(&mut self.lock()))
    }

    /// Runs `act`, which must be short. Python's other threads run only if it must wait.
    pub(crate) fn briefly<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut T) -> R + Send) -> R {
        match self.value.try_lock() {
            Ok(mut value) => act(&mut value),
            Err(TryLockError::Poisoned(poisoned)) => act(&mut poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => self.with(py, act),
        }
    }
}

/// A value with many readers or one writer.
#[derive(Debug)]
pub(crate) struct Shared<T>(RwLock<T>);

impl<T: Send + Sync> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(RwLock::new(value))
    }

    /// Waits until the value can be read. For threads without Python's lock.
    pub(crate) fn lock(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_to_write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the value while Python's other threads run.
    pub(crate) fn read<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&T) -> R + Send) -> R {
        py.detach(|| act(&self.lock()))
    }

    /// Reads the value for a moment. Python's other threads run only if it must wait.
    pub(crate) fn briefly<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&T) -> R + Send) -> R {
        match self.0.try_read() {
            Ok(value) => act(&value),
            Err(TryLockError::Poisoned(poisoned)) => act(&poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => self.read(py, act),
        }
    }

    /// Changes the value while Python's other threads run.
    pub(crate) fn write<R: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut T) -> R + Send) -> R {
        py.detach(|| act(&mut self.lock_to_write()))
    }
}
