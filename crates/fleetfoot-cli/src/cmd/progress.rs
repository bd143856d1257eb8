//! How far something is: one line that is written over on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fleetfoot_lab::run::Watch;

use crate::failure::warn;

/// A line is printed when this has passed since the last one: where there is no terminal,
const SELDOM: Duration = Duration::from_secs(30);
/// and on one.
const OFTEN: Duration = Duration::from_millis(200);
/// Letters of the bar.
const BAR: u64 = 40;

/// Tells on the standard error how something goes.
pub(super) struct Progress {
    /// What is counted.
    noun: &'static str,
    is_terminal: bool,
    count: OnceLock<Count>,
}

impl Progress {
    pub(super) fn new(noun: &'static str) -> Self {
        Self { noun, is_terminal: io::stderr().is_terminal(), count: OnceLock::new() }
    }

    /// So many more are made.
    pub(super) fn advance(&self, n: u64) {
        let Some(count) = self.count.get() else { return };
        let Some(line) = count.advance(n, count.begun.elapsed(), self.noun) else { return };
        if self.is_terminal {
            // What cannot be shown is no reason to stop.
            let _ = write!(io::stderr(), "\r{} {line}\x1b[K", count.bar());
        } else {
            warn("note", line);
        }
    }
}

impl Watch for Progress {
    fn begin(&self, to_make: usize, made_before: usize) {
        if made_before > 0 && to_make > 0 {
            warn("note", format!("{made_before} {} were made before, {to_make} are to be made", self.noun));
        }
        let every = if self.is_terminal { OFTEN } else { SELDOM };
        // It begins only once.
        let _ = self.count.set(Count::new(to_make as u64, every));
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

/// How many are made, and when that is told.
struct Count {
    begun: Instant,
    all: u64,
    done: AtomicU64,
    every: Duration,
    /// When the next line is due, in nanoseconds since the beginning.
    due: AtomicU64,
}

impl Count {
    fn new(all: u64, every: Duration) -> Self {
        let due = AtomicU64::new(every.as_nanos() as u64);
        Self { begun: Instant::now(), all, done: AtomicU64::new(0), every, due }
    }

    /// So many more are made after so much time: what is to be told, if anything.
    fn advance(&self, n: u64, gone: Duration, noun: &str) -> Option<String> {
        let done = self.done.fetch_add(n, Ordering::Relaxed) + n;
        let (now, due) = (gone.as_nanos() as u64, self.due.load(Ordering::Relaxed));
        let next = now.saturating_add(self.every.as_nanos() as u64);
        // Of several threads that find it due, one tells.
        let is_mine = || self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        (now >= due && done < self.all && is_mine()).then(|| {
            let to_go = gone.mul_f64(self.all.saturating_sub(done) as f64 / done.max(1) as f64);
            format!("{done}/{} {noun}, {} gone, about {} to go", self.all, span(gone), span(to_go))
        })
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
        let long = Count::new(2, SELDOM);
        assert_eq!(
            long.advance(1, Duration::from_secs(7300), "runs").unwrap(),
            "1/2 runs, 2 h 1 min gone, about 2 h 1 min to go"
        );
        assert_eq!(long.advance(1, Duration::from_secs(9999), "runs"), None, "the end is told otherwise");
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
