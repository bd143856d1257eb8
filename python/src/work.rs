//! Long operations: on threads of their own, while Python's other threads run, Ctrl-C is handled and progress is
//! reported.

use std::panic;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use fleetfoot_lab::run::Watch;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval between checks for Ctrl-C and progress updates.
const OFTEN: Duration = Duration::from_millis(100);
/// Time that the work has after Ctrl-C to end by itself. Otherwise it continues in the background to the end of the
/// current run.
const GRACE: Duration = Duration::from_millis(400);

/// The progress of the work, and whether it is still wanted.
#[derive(Default)]
pub(crate) struct Progress {
    all: AtomicU64,
    done: AtomicU64,
    is_stopped: AtomicBool,
    notes: Mutex<Vec<String>>,
}

impl Progress {
    /// Sets the amount of work.
    pub(crate) fn begin(&self, all: u64) {
        self.all.store(all, Ordering::Relaxed);
    }

    /// Adds finished work.
    pub(crate) fn advance(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }

    /// Returns `true` if the work is no longer wanted.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Calls `tell(done, all, notes)`.
    fn tell(&self, py: Python<'_>, tell: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(tell) = tell else { return Ok(()) };
        let notes = std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner));
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        tell.call1(py, (done, all, notes)).map(drop)
    }
}

impl Watch for Progress {
    fn begin(&self, to_make: usize, _: usize) {
        self.begin(to_make as u64);
    }

    fn one_more(&self) {
        self.advance(1);
    }

    fn end(&self) {}

    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn is_stopped(&self) -> bool {
        self.is_over()
    }
}

/// Executes work on a thread of its own. An exception raised meanwhile, by Ctrl-C or by `tell`, ends it.
pub(crate) fn supervise<T: Send + 'static>(
    py: Python<'_>,
    tell: Option<Py<PyAny>>,
    work: impl FnOnce(&Progress) -> T + Send + 'static,
) -> PyResult<T> {
    let progress = Arc::new(Progress::default());
    let (to_us, from_it) = channel();
    let its = Arc::clone(&progress);
    let thread = thread::Builder::new().name("fleetfoot".into()).spawn(move || {
        // The receiver is gone if the result is no longer wanted.
        let _ = to_us.send(work(&its));
    })?;
    // A receiver may be used by one thread only, which is this one.
    let from_it = Mutex::new(from_it);
    let wait = |time| py.detach(|| from_it.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time));
    loop {
        match wait(OFTEN) {
            Ok(done) => {
                progress.tell(py, tell.as_ref())?;
                return Ok(done);
            }
            Err(RecvTimeoutError::Disconnected) => {
                let text = match py.detach(|| thread.join()) {
                    Err(cause) => panic::AssertUnwindSafe(cause).downcast_ref::<String>().cloned(),
                    Ok(()) => None,
                };
                let text = text.unwrap_or_else(|| "a thread of fleetfoot has panicked".into());
                return Err(PyRuntimeError::new_err(text));
            }
            Err(RecvTimeoutError::Timeout) => {
                let heard = py.check_signals().and_then(|()| progress.tell(py, tell.as_ref()));
                if let Err(error) = heard {
                    progress.is_stopped.store(true, Ordering::Relaxed);
                    let _ = wait(GRACE);
                    return Err(error);
                }
            }
        }
    }
}
