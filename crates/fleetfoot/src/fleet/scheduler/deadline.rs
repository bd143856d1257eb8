//! Ticks under a deadline: how much time must be left when units have planned.
//!
//! After planning, units are moved, their progress is noted and events are made, and searches have a minimum of work, whatever the time. How long that takes
//! is known from the ticks before, by how much there is to do.

use crate::meter::Meter;

/// Load of a unit that has somewhere to go, in units that have not.
const PER_WAITING: u64 = 8;
/// Divisor of the maximum growth of the estimate in a tick, so that one long tick means little,
const GROWS: u64 = 4;
/// and of the difference by which it shrinks.
const SHRINKS: u64 = 8;
/// Divisor of the time of a tick above which much time is left.
const MUCH: u64 = 8;
/// Number of parts of the clock's unit in which averages are stored: the unit may be a millisecond.
const PARTS: u64 = 1 << 20;

/// Returns the load of a tick in which `waiting` of all units have somewhere to go.
pub(crate) fn load(all: usize, waiting: usize) -> u64 {
    all as u64 + (PER_WAITING - 1) * waiting as u64
}

/// A stopwatch for the work that follows planning, and an estimate from the ticks before.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeReserve {
    /// The estimate for a load of 1; `None` while it is not known.
    rate: Option<u64>,
    /// The time of the tick: no estimate is higher, so that a long measurement is soon forgotten.
    whole: u64,
    /// When the stopwatch was last started, and what it showed then.
    begun: u64,
    took: u64,
}

impl TimeReserve {
    /// Begins a tick.
    pub(crate) fn start(&mut self, meter: &Meter) {
        self.whole = meter.time_left();
    }

    /// Returns the time that must be left when units have planned: at most three quarters of the tick.
    pub(crate) fn rest(&self, meter: &Meter, load: u64) -> u64 {
        let time = meter.time_left();
        (self.rate.unwrap_or(0).saturating_mul(load) / PARTS).min(time - time / 4)
    }

    /// Starts the stopwatch, because units have planned.
    pub(crate) fn begin(&mut self, meter: &Meter) {
        (self.begun, self.took) = (meter.now(), 0);
    }

    /// Pauses the stopwatch while it runs something.
    pub(crate) fn pause<T>(&mut self, meter: &mut Meter, other: impl FnOnce(&mut Meter) -> T) -> T {
        self.took += meter.now().saturating_sub(self.begun);
        let result = other(meter);
        self.begun = meter.now();
        result
    }

    /// Ends the measurement. If a unit was skipped although much time is left, the estimate was too high.
    pub(crate) fn end(&mut self, meter: &Meter, load: u64, is_anybody_left_out: bool) {
        if is_anybody_left_out && meter.time_left() > self.whole / MUCH {
            self.rate = None;
        }
        let took = (self.took + meter.now().saturating_sub(self.begun)).min(self.whole);
        let now = took.saturating_mul(PARTS) / load.max(1);
        self.rate = Some(match self.rate {
            None => now,
            Some(before) if now > before => now.min(before.saturating_add(before / GROWS + 1)),
            Some(before) => before - (before - now).div_ceil(SHRINKS),
        });
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Runs `count` ticks in which the work takes this long, and returns the time reserved in the next one.
    fn ticks(pace: &mut TimeReserve, count: u32, time: u64, load: u64) -> u64 {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let pass = |time: u64| NOW.fetch_add(time, Ordering::Relaxed);
        let begin = || Meter::until(|| NOW.load(Ordering::Relaxed), NOW.load(Ordering::Relaxed) + 1_000_000);
        for _ in 0..count {
            let mut meter = begin();
            pace.start(&meter);
            pass(777);
            pace.begin(&meter);
            pass(time / 2);
            pace.pause(&mut meter, |_| pass(10_000));
            pass(time - time / 2);
            pace.end(&meter, load, false);
        }
        pace.rest(&begin(), load)
    }

    /// One test, since there is one clock.
    #[test]
    fn what_is_left_follows_what_it_takes() {
        let pace = &mut TimeReserve::default();
        assert_eq!(ticks(pace, 1, 800, 100), 800);
        assert_eq!(ticks(pace, 1, 80_000, 100), 1000, "one long tick means little");
        assert_eq!(ticks(pace, 60, 80_000, 100), 80_000, "many mean all");
        assert_eq!(ticks(pace, 300, 800, 100), 800, "and are forgotten");
        assert_eq!(ticks(pace, 0, 0, 1000), 8000, "with ten times as much to do");
        // Something is left for plans, whatever was measured.
        let pace = &mut TimeReserve::default();
        assert_eq!(ticks(pace, 1, 5_000_000, 100), 750_000);
        let meter = Meter::until(|| 0, 1_000_000);
        pace.begin(&meter);
        pace.end(&meter, 100, true);
        assert_eq!(pace.rest(&meter, 100), 0, "a unit was skipped without need");
        // A coarse clock will do.
        let pace = &mut TimeReserve::default();
        assert!(ticks(pace, 50, 2, 80_000) > 0);
        assert_eq!(ticks(pace, 300, 0, 80_000), 0);
        // It may show anything.
        ticks(pace, 3, u64::MAX / 8, 1);
    }
}
