//! The measurements of a fleet's run.

use super::referee::Conflicts;

/// One tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickRow {
    /// Number of the tick, counted from 1.
    pub tick: u64,
    /// Units that moved.
    pub moved: u32,
    /// Units that waited although their goal is reachable and they were not at it.
    pub waiting: u32,
    /// Units that waited because their plans were skipped for lack of time.
    pub left_out: u32,
    /// Units whose route was still being searched.
    pub seeking: u32,
    /// Units at their goals.
    pub arrived: u32,
    /// Tasks finished in this tick.
    pub finished: u32,
    /// Number of conflicts found by the referee.
    pub conflicts: u64,
    /// Work spent.
    pub work: u64,
    /// Processor time in the library, which other programs do not disturb: for map edits, orders, and the tick.
    pub plan_ns: u64,
}

/// Quantiles of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantiles {
    /// Median.
    pub p50: u64,
    /// 99 % quantile.
    pub p99: u64,
    /// Maximum.
    pub max: u64,
}

impl Quantiles {
    /// Computes the quantiles; 0 if there are no values.
    pub fn of(mut values: Vec<u64>) -> Self {
        values.sort_unstable();
        let at = |percent: usize| {
            let rank = (values.len() * percent).div_ceil(100).max(1);
            values.get(rank - 1).copied().unwrap_or(0)
        };
        Self { p50: at(50), p99: at(99), max: at(100) }
    }
}

/// The measurements of a fleet's run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// Units at the beginning.
    pub agents: usize,
    /// Number of ticks.
    pub ticks: u64,
    /// Finished tasks; if each unit has one goal, units that have reached it.
    pub finished: u64,
    /// Finished tasks by quarter of the ticks.
    pub finished_by_quarter: [u64; 4],
    /// Units at their goals at the end, or that have left through their exits.
    pub arrived: usize,
    /// Units whose goal is known to be unreachable.
    pub unreachable: usize,
    /// Other units that are not at their goals and have made no progress for [`STUCK`](super::STUCK) ticks, or are
    /// enclosed.
    pub stuck: usize,
    /// Conflicts found by the referee in all ticks.
    pub conflicts: Conflicts,
    /// Tick of the first move of units with a reachable goal. Units that never moved count with all ticks.
    pub first_move: Quantiles,
    /// Maximum work in a tick.
    pub work_max: u64,
    /// Nanoseconds of processor time in the library by tick.
    pub plan_ns: Quantiles,
    /// Mean over arrivals of the ticks until arrival divided by the moves of a shortest path. `None` without
    /// arrivals.
    pub ratio: Option<f64>,
    /// Total ticks in which a unit waited although its goal is reachable and it was not at it.
    pub waits: u64,
    /// Total ticks in which a unit waited because its plan was skipped for lack of time. Only if the budget is a
    /// time.
    pub left_out: u64,
    /// Memory that grows with the number of units, in bytes.
    pub unit_bytes: usize,
    /// Memory shared by units, in bytes: the map, its indices, teams' knowledge, searches.
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
