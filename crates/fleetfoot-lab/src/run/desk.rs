//! Collects the rows of all threads, and writes them to the journal.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::LabError;
use super::journal::Journal;
use super::row::Row;

/// Maximum delay before finished rows are written, and so the work that a crash can lose. Writing each row
/// immediately, or waking the writer more often, would take as long as short runs do.
const WAIT: Duration = Duration::from_millis(500);

/// Collects rows of several threads.
#[derive(Debug)]
pub(super) struct Desk {
    tray: Mutex<Tray>,
    /// Signals that no more rows will come.
    bell: Condvar,
}

#[derive(Debug, Default)]
struct Tray {
    rows: Vec<Row>,
    /// Lines that are not in the journal yet.
    lines: Vec<u8>,
    /// The first run that failed.
    failure: Option<(usize, LabError)>,
    is_closed: bool,
}

/// Closes the collector when dropped, even if a run panics, so that the writer does not wait forever.
pub(super) struct Open<'d>(&'d Desk);

impl Desk {
    /// Creates a collector for `rows` rows.
    pub(super) fn new(rows: usize) -> Self {
        let tray = Tray { rows: Vec::with_capacity(rows), ..Tray::default() };
        Self { tray: Mutex::new(tray), bell: Condvar::new() }
    }

    fn tray(&self) -> MutexGuard<'_, Tray> {
        self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the collector open while the returned value lives.
    pub(super) fn open(&self) -> Open<'_> {
        Open(self)
    }

    /// Adds the result of a run: its rows, and their lines if there is a journal. Returns `true` if further runs are
    /// wanted.
    pub(super) fn take(&self, index: usize, rows: Result<Vec<Row>, LabError>, lines: &[u8]) -> bool {
        let mut tray = self.tray();
        match rows {
            Ok(rows) => {
                tray.rows.extend(rows);
                tray.lines.extend_from_slice(lines);
            }
            Err(error) => tray.fail(index, error),
        }
        tray.failure.is_none()
    }

    /// Writes lines as they arrive, until the collector is closed.
    pub(super) fn write(&self, mut journal: Journal) {
        let mut lines = Vec::new();
        loop {
            let waited = self.bell.wait_timeout_while(self.tray(), WAIT, |tray| !tray.is_closed);
            let (mut tray, _) = waited.unwrap_or_else(PoisonError::into_inner);
            mem::swap(&mut tray.lines, &mut lines);
            let is_closed = tray.is_closed;
            drop(tray);
            if let Err(error) = journal.write(&lines) {
                // A failed run is the better explanation.
                self.tray().fail(usize::MAX, error.into());
                return;
            }
            lines.clear();
            if is_closed {
                return;
            }
        }
    }

    /// Returns all rows, or the first failure.
    pub(super) fn clear(self) -> Result<Vec<Row>, LabError> {
        let Tray { rows, failure, .. } = self.tray.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(rows), |(_, error)| Err(error))
    }
}

impl Tray {
    /// Keeps the failure with the smallest index: runs are started in order, so it is the same for any number of
    /// threads.
    fn fail(&mut self, index: usize, error: LabError) {
        if self.failure.as_ref().is_none_or(|(first, _)| index < *first) {
            self.failure = Some((index, error));
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.tray().is_closed = true;
        self.0.bell.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::super::journal::{line, read};
    use super::super::row::tests::row;
    use super::*;

    /// Checks that rows from before a panic are on the disk, and that the writer ends.
    #[test]
    fn a_panic_leaves_whole_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let journal = Journal::open(&path).unwrap();
        let (desk, row) = (Desk::new(9), row());
        let work = || {
            thread::scope(|scope| {
                let open = desk.open();
                scope.spawn(|| desk.write(journal));
                for index in 0..9 {
                    assert!(index < 7, "a run panics");
                    desk.take(index, Ok(vec![row.clone()]), &line(&row));
                }
                drop(open);
            });
        };
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert_eq!(read(&path, true).unwrap().rows, vec![row; 7]);
    }

    /// Checks that a row is written soon without a further row.
    #[test]
    fn a_row_does_not_wait_for_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let journal = Journal::open(&path).unwrap();
        let (desk, row) = (Desk::new(1), row());
        thread::scope(|scope| {
            let open = desk.open();
            scope.spawn(|| desk.write(journal));
            desk.take(0, Ok(vec![row.clone()]), &line(&row));
            // Ends when the row is there, however long that takes on a busy machine.
            while read(&path, true).unwrap().rows.is_empty() {
                thread::sleep(Duration::from_millis(5));
            }
            drop(open);
        });
        assert_eq!(desk.clear().unwrap(), [row]);
    }

    #[test]
    fn the_first_failure_counts() {
        let desk = Desk::new(0);
        let fail = |index| desk.take(index, Err(LabError::RuleViolation(index.to_string())), &[]);
        assert!(!fail(5) && !fail(3) && !fail(8));
        assert_eq!(desk.clear().unwrap_err().to_string(), "3");
    }
}
