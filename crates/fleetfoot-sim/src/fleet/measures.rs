//! What is left of a fleet's run.

use super::referee::Conflicts;

/// One tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickRow {
    /// Counted from 1.
    pub tick: u64,
    /// Units that moved.
    pub moved: u32,
    /// Units that stood although their goal can be reached and they were not on it.
    pub waiting: u32,
    /// Units that stood since there was no time for their plans.
    pub left_out: u32,
    /// Units whose way was still being searched for.
    pub seeking: u32,
    /// Units that stand on their goals.
    pub arrived: u32,
    /// Tasks that were finished in this tick.
    pub finished: u32,
    /// What the referee found.
    pub conflicts: u64,
    /// Work spent.
    pub work: u64,
    /// Processor time spent in the library, which other programs do not disturb: on changes of the map, orders, and the
    /// tick.
    pub plan_ns: u64,
}

/// Half, nearly all, and all of the values are at most this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantiles {
    /// Half of them.
    pub p50: u64,
    /// 99 of 100.
    pub p99: u64,
    /// All.
    pub max: u64,
}

impl Quantiles {
    /// Of these values; 0 of none.
    pub fn of(mut values: Vec<u64>) -> Self {
        values.sort_unstable();
        let at = |percent: usize| {
            let rank = (values.len() * percent).div_ceil(100).max(1);
            values.get(rank - 1).copied().unwrap_or(0)
        };
        Self { p50: at(50), p99: at(99), max: at(100) }
    }
}

/// What is left of a fleet's run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// Units at the beginning.
    pub agents: usize,
    /// Ticks lived.
    pub ticks: u64,
    /// Finished tasks; where each unit has one goal, units that have been there.
    pub finished: u64,
    /// The same by quarter of the ticks.
    pub finished_by_quarter: [u64; 4],
    /// Units that stand on their goals at the end, or have left through their exits.
    pub arrived: usize,
    /// Units whose goal cannot be reached, as far as is known.
    pub unreachable: usize,
    /// Others that are not at their goals and have come no nearer for long, or are walled in.
    pub stuck: usize,
    /// What the referee found, over all ticks.
    pub conflicts: Conflicts,
    /// The tick of units' first moves, of those that had somewhere to go and could get there; units that never moved
    /// count with all ticks.
    pub first_move: Quantiles,
    /// The most work in a tick.
    pub work_max: u64,
    /// Nanoseconds of processor time in the library by tick.
    pub plan_ns: Quantiles,
    /// Ticks until arrival / moves of a shortest way, mean over arrivals; none if nobody arrived.
    pub ratio: Option<f64>,
    /// Ticks in which a unit stood although its goal can be reached and it was not on it, over all units.
    pub waits: u64,
    /// Ticks in which a unit stood since there was no time for its plan, over all units: only where the clock is the limit.
    pub left_out: u64,
    /// Bytes that grow with the number of units.
    pub unit_bytes: usize,
    /// Bytes that units share: the map, its indices, what teams know, searches.
    pub shared_bytes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_list() {
        assert_eq!(Quantiles::of(Vec::new()), Quantiles::default());
        assert_eq!(Quantiles::of(vec![7]), Quantiles { p50: 7, p99: 7, max: 7 });
        assert_eq!(Quantiles::of((1..=200).rev().collect()), Quantiles { p50: 100, p99: 198, max: 200 });
    }
}
