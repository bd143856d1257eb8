//! Progress: one line that is updated on a terminal, or an occasional line elsewhere.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use fleetfoot_lab::run::Watch;

use super::interrupt;
use crate::failure::warn;

/// Interval between lines without a terminal.
const SELDOM: Duration = Duration::from_secs(30);
/// Interval between updates on a terminal.
const OFTEN: Duration = Duration::from_millis(200);
/// Width of the bar in letters.
const BAR: u64 = 40;

/// Reports progress on the standard error.
pub(super) struct Progress {
    /// Name of the counted items.
    noun: &'static str,
    is_terminal: bool,
    /// Ctrl-C stops the work.
    is_stoppable: bool,
    threads: usize,
    count: OnceLock<Count>,
}

impl Progress {
    pub(super) fn new(noun: &'static str) -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { noun, is_terminal, is_stoppable: false, threads: 1, count: OnceLock::new() }
    }

    /// Makes the progress of an experiment on `threads` threads stoppable by Ctrl-C.
    pub(super) fn stoppable(self, threads: usize) -> Self {
        interrupt::listen();
        Self { is_stoppable: true, threads, ..self }
    }

    /// Returns the message after Ctrl-C.
    pub(super) fn kept(&self, out: &Path) -> String {
        let Some(count) = self.count.get() else { return "stopped before the first run".into() };
        let made = count.before + count.done.load(Ordering::Relaxed);
        let (all, noun, folder) = (count.before + count.all, self.noun, out.display());
        format!(
            "stopped: {made} of {all} {noun} are made and kept in {folder}; the same command goes on from there"
        )
    }

    /// Adds `n` finished items.
    pub(super) fn advance(&self, n: u64) {
        let Some(count) = self.count.get() else { return };
        let Some(line) = count.advance(n, count.begun.elapsed(), self.noun) else { return };
        if self.is_terminal {
            // A failure to print is no reason to stop.
            let _ = write!(io::stderr(), "\r{} {line}\x1b[K", count.bar());
        } else {
            warn("note", line);
        }
    }
}

impl Watch for Progress {
    fn begin(&self, to_make: usize, made_before: usize) {
        if made_before > 0 && to_make > 0 {
            warn("note", format!("{made_before} {} were made before, {to_make} remain", self.noun));
        }
        let every = if self.is_terminal { OFTEN } else { SELDOM };
        // It begins only once.
        let _ = self.count.set(Count { before: made_before as u64, ..Count::new(to_make as u64, every) });
    }

    fn alone(&self, runs: usize) {
        let Some(count) = self.count.get() else { return };
        count.alone.store(runs as u64, Ordering::Relaxed);
        // Each is executed at least twice, while the other threads are idle.
        count.weight.store(2 * self.threads as u64, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stoppable && interrupt::is_pressed()
    }

    fn one_more(&self) {
        self.advance(1);
    }

    fn end(&self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn note(&self, text: &str) {
        warn("note", text);
    }
}

/// Minimum number of finished items for an estimate.
const FEW: u64 = 5;

/// Counts finished items, and schedules messages.
struct Count {
    begun: Instant,
    /// Number of items finished by earlier calls.
    before: u64,
    all: u64,
    done: AtomicU64,
    /// Number of items that come last, one at a time, and their weight in other items.
    alone: AtomicU64,
    weight: AtomicU64,
    every: Duration,
    /// Time of the next message, in nanoseconds since the beginning.
    due: AtomicU64,
    /// Earlier times, with the work done by then.
    past: Mutex<Vec<(Duration, u64)>>,
}

impl Count {
    fn new(all: u64, every: Duration) -> Self {
        let due = AtomicU64::new(every.as_nanos() as u64);
        let (done, alone, weight) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(1));
        let past = Mutex::new(Vec::new());
        Self { begun: Instant::now(), before: 0, all, done, alone, weight, every, due, past }
    }

    /// Adds `n` items after the elapsed time. Returns a message if one is due.
    fn advance(&self, n: u64, gone: Duration, noun: &str) -> Option<String> {
        let done = self.done.fetch_add(n, Ordering::Relaxed) + n;
        let (now, due) = (gone.as_nanos() as u64, self.due.load(Ordering::Relaxed));
        let next = now.saturating_add(self.every.as_nanos() as u64);
        // Only one of several threads reports.
        let is_mine = || self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        (now >= due && done < self.all && is_mine())
            .then(|| format!("{done}/{} {noun}, {} gone, {}", self.all, span(gone), self.to_go(done, gone)))
    }

    /// Estimates the remaining time, from the average pace and from that of the last third of the time. They differ
    /// if runs become longer, or if other programs use the machine.
    fn to_go(&self, done: u64, gone: Duration) -> String {
        let work = self.work(done);
        let mut past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = past.iter().rfind(|(then, _)| *then <= gone.mul_f64(2.0 / 3.0)).copied();
        past.push((gone, work));
        if past.len() > 4096 {
            // Drops every second entry.
            let mut k = 0;
            past.retain(|_| {
                k += 1;
                k % 2 == 0
            });
        }
        if done < FEW {
            return "too few for an estimate".into();
        }
        let left = self.work(self.all).saturating_sub(work) as f64;
        let whole = gone.mul_f64(left / work.max(1) as f64);
        let lately = match recent {
            Some((then, before)) if work > before => {
                gone.saturating_sub(then).mul_f64(left / (work - before) as f64)
            }
            _ => whole,
        };
        let (low, high) = (whole.min(lately), whole.max(lately));
        if high <= low.mul_f64(1.25) || span(low) == span(high) {
            return format!("about {} to go", span(lately));
        }
        format!("{} to {} to go", span(low), span(high))
    }

    /// Returns the work of `done` items.
    fn work(&self, done: u64) -> u64 {
        let free = self.all.saturating_sub(self.alone.load(Ordering::Relaxed));
        done.min(free) + done.saturating_sub(free) * self.weight.load(Ordering::Relaxed)
    }

    fn bar(&self) -> String {
        let full = BAR * self.done.load(Ordering::Relaxed).min(self.all) / self.all.max(1);
        (0..BAR).map(|k| if k < full { '#' } else { '-' }).collect()
    }
}

fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_now_and_then() {
        let count = Count::new(1000, SELDOM);
        let told: Vec<(u64, String)> = (1..=1000)
            .filter_map(|k| Some((k, count.advance(1, Duration::from_millis(100 * k), "runs")?)))
            .collect();
        let (at, texts): (Vec<u64>, Vec<String>) = told.into_iter().unzip();
        assert_eq!(at, [300, 600, 900]);
        assert_eq!(texts[0], "300/1000 runs, 30 s gone, about 70 s to go");
        assert_eq!(texts[2], "900/1000 runs, 90 s gone, about 10 s to go");
    }

    #[test]
    fn short_experiments_say_nothing() {
        let count = Count::new(50, SELDOM);
        assert!((1..=50).all(|k| count.advance(1, Duration::from_millis(599 * k), "runs").is_none()));
        let long = Count::new(12, SELDOM);
        assert_eq!(
            long.advance(1, Duration::from_secs(1217), "runs").unwrap(),
            "1/12 runs, 20 min gone, too few for an estimate"
        );
        let told = long.advance(5, Duration::from_secs(7300), "runs").unwrap();
        assert_eq!(told, "6/12 runs, 2 h 1 min gone, about 2 h 1 min to go");
        assert_eq!(long.advance(6, Duration::from_secs(9999), "runs"), None, "the end has its own message");
    }

    /// Checks that a change of pace shows both estimates at first, and soon only the new one.
    #[test]
    fn a_change_of_pace_is_reported() {
        let count = Count::new(1200, SELDOM);
        let told =
            |seconds: u64, more: u64| count.advance(more, Duration::from_secs(seconds), "runs").unwrap();
        for k in 1..=10 {
            told(30 * k, 60);
        }
        // 600 in 300 s; then other programs take three quarters of the machine.
        for k in 1..=7 {
            told(300 + 30 * k, 15);
        }
        assert_eq!(told(540, 15), "720/1200 runs, 9 min gone, 6 min to 16 min to go");
        for k in 1..=15 {
            told(540 + 30 * k, 15);
        }
        assert_eq!(told(1020, 15), "960/1200 runs, 17 min gone, 4 min to 8 min to go");
    }

    /// Checks that timed runs, which are executed one at a time and repeatedly, have a larger weight in estimates.
    #[test]
    fn timed_runs_weigh_more() {
        let count = Count::new(120, SELDOM);
        count.alone.store(20, Ordering::Relaxed);
        count.weight.store(8, Ordering::Relaxed);
        // 100 others take 100 s; 20 timed ones take as long as 160 of these.
        let told = count.advance(50, Duration::from_secs(50), "runs").unwrap();
        assert_eq!(told, "50/120 runs, 50 s gone, about 3 min to go");
        let told = count.advance(60, Duration::from_secs(180), "runs").unwrap();
        assert_eq!(told, "110/120 runs, 3 min gone, about 80 s to go");
    }

    #[test]
    fn the_bar_fills_up() {
        let count = Count::new(80, OFTEN);
        assert_eq!(count.bar(), "-".repeat(40));
        count.advance(41, Duration::ZERO, "runs");
        assert_eq!(count.bar(), "#".repeat(20) + &"-".repeat(20));
        assert_eq!(Count::new(0, OFTEN).bar(), "-".repeat(40));
    }
}
