//! How far an experiment is: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fleetfoot_lab::run::Watch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::warn;

/// Where there is no terminal, a line is printed when this has passed since the last one.
const EVERY: Duration = Duration::from_secs(30);

/// Tells on the standard error how an experiment goes.
pub(super) struct Progress {
    bar: ProgressBar,
    lines: Option<OnceLock<Lines>>,
}

impl Progress {
    pub(super) fn new() -> Self {
        let template = "{bar:40} {pos}/{len} runs, {elapsed} gone, {eta} to go";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let is_terminal = io::stderr().is_terminal();
        Self { bar: ProgressBar::no_length().with_style(style), lines: (!is_terminal).then(OnceLock::new) }
    }
}

impl Watch for Progress {
    fn begin(&self, to_make: usize, made_before: usize) {
        if made_before > 0 && to_make > 0 {
            warn("note", format!("{made_before} runs were made before, {to_make} are to be made"));
        }
        if let Some(lines) = &self.lines {
            // It begins only once.
            let _ = lines.set(Lines::new(to_make as u64));
        } else {
            self.bar.set_length(to_make as u64);
            self.bar.reset();
            self.bar.enable_steady_tick(Duration::from_millis(500));
        }
    }

    fn one_more(&self) {
        let Some(lines) = &self.lines else { return self.bar.inc(1) };
        if let Some(line) = lines.get().and_then(|lines| lines.one_more(lines.begun.elapsed())) {
            warn("note", line);
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn note(&self, text: &str) {
        warn("note", text);
    }
}

/// What is told where there is no terminal.
struct Lines {
    begun: Instant,
    all: u64,
    done: AtomicU64,
    /// When the next line is due, in nanoseconds since the beginning.
    due: AtomicU64,
}

impl Lines {
    fn new(all: u64) -> Self {
        let due = AtomicU64::new(EVERY.as_nanos() as u64);
        Self { begun: Instant::now(), all, done: AtomicU64::new(0), due }
    }

    /// One run more is made after so much time: what is to be told, if anything.
    fn one_more(&self, gone: Duration) -> Option<String> {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let (now, due) = (gone.as_nanos() as u64, self.due.load(Ordering::Relaxed));
        let next = now.saturating_add(EVERY.as_nanos() as u64);
        // Of several threads that find it due, one tells.
        let is_mine = || self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        (now >= due && done < self.all && is_mine()).then(|| {
            let to_go = gone.mul_f64(self.all.saturating_sub(done) as f64 / done as f64);
            format!("{done}/{} runs, {} gone, about {} to go", self.all, span(gone), span(to_go))
        })
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
        let lines = Lines::new(1000);
        let told: Vec<(u64, String)> =
            (1..=1000).filter_map(|k| Some((k, lines.one_more(Duration::from_millis(100 * k))?))).collect();
        let (at, texts): (Vec<u64>, Vec<String>) = told.into_iter().unzip();
        assert_eq!(at, [300, 600, 900]);
        assert_eq!(texts[0], "300/1000 runs, 30 s gone, about 70 s to go");
        assert_eq!(texts[2], "900/1000 runs, 90 s gone, about 10 s to go");
    }

    #[test]
    fn short_experiments_say_nothing() {
        let lines = Lines::new(50);
        assert!((1..=50).all(|k| lines.one_more(Duration::from_millis(599 * k)).is_none()));
        let long = Lines::new(2);
        assert_eq!(
            long.one_more(Duration::from_secs(7300)).unwrap(),
            "1/2 runs, 2 h 1 min gone, about 2 h 1 min to go"
        );
        assert_eq!(long.one_more(Duration::from_secs(9999)), None, "the end is told otherwise");
    }
}
