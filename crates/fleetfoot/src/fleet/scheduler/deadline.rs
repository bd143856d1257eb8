//! Where the clock is the limit: how much of a tick has to be left when units have planned.
//!
//! After planning, units are moved, noted and told of, and searches have what they have in any case, whatever the time. How long that takes
//! is known from the ticks before, by how much there is to do.

use crate::meter::Meter;

/// A unit that has somewhere to go takes as long as so many that have not.
const PER_WAITING: u64 = 8;
/// What something takes is thought to grow by this part in a tick at most, so that one long tick means little,
const GROWS: u64 = 4;
/// and to shrink by this part of the difference.
const SHRINKS: u64 = 8;
/// Much time is this part of a tick's.
const MUCH: u64 = 8;
/// So many parts of the clock's unit are told apart: it may be a millisecond.
const PARTS: u64 = 1 << 20;

/// How much there is to do where so many of all units have somewhere to go.
pub(crate) fn load(all: usize, waiting: usize) -> u64 {
    all as u64 + (PER_WAITING - 1) * waiting as u64
}

/// A stopwatch for what follows when units have planned, and what it has shown in the ticks before.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeReserve {
    /// What that is thought to take for a load of 1; nothing while it is not known.
    rate: Option<u64>,
    /// What there is for the tick: nothing is thought to take longer, so that it is soon forgotten if it did.
    whole: u64,
    /// When the stopwatch was last set off, and what it showed then.
    begun: u64,
    took: u64,
}

impl TimeReserve {
    /// A tick begins.
    pub(crate) fn start(&mut self, meter: &Meter) {
        self.whole = meter.time_left();
    }

    /// How much time is to be left when units have planned: three quarters of what there is at most.
    pub(crate) fn rest(&self, meter: &Meter, load: u64) -> u64 {
        let time = meter.time_left();
        (self.rate.unwrap_or(0).saturating_mul(load) / PARTS).min(time - time / 4)
    }

    /// Units have planned.
    pub(crate) fn begin(&mut self, meter: &Meter) {
        (self.begun, self.took) = (meter.now(), 0);
    }

    /// Does something that is not part of what is measured.
    pub(crate) fn pause<T>(&mut self, meter: &mut Meter, other: impl FnOnce(&mut Meter) -> T) -> T {
        self.took += meter.now().saturating_sub(self.begun);
        let result = other(meter);
        self.begun = meter.now();
        result
    }

    /// All of it is done. Where somebody was left out and much time is left all the same, too much was kept for it.
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

    /// So many ticks in which that takes so long; what is to be left for it in the next one.
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
        assert_eq!(pace.rest(&meter, 100), 0, "somebody was left out without need");
        // A coarse clock will do.
        let pace = &mut TimeReserve::default();
        assert!(ticks(pace, 50, 2, 80_000) > 0);
        assert_eq!(ticks(pace, 300, 0, 80_000), 0);
        // It may show anything.
        ticks(pace, 3, u64::MAX / 8, 1);
    }
}
