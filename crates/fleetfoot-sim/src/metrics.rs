//! The metrics of a run, as in a report's row.

use fleetfoot::{Diagonal, Length, NodeId, Prices, Stats, Work, WorkKind};

use crate::cells::CellSet;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The agent is at its goal.
    Arrived,
    /// The planner has proved that no path exists, and the world does not change any more.
    NoPath,
    /// The maximum number of steps was reached.
    GaveUp,
}

impl Outcome {
    /// Returns its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::NoPath => "no-path",
            Self::GaveUp => "gave-up",
        }
    }
}

/// The metrics of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMetrics {
    /// Its outcome.
    pub outcome: Outcome,
    /// Length of the walk, exact.
    pub cost: Length,
    /// Length of the walk as a number.
    pub length: f64,
    /// Number of moves.
    pub moves: u64,
    /// Number of steps without a move.
    pub waits: u64,
    /// Number of moves and waits.
    pub steps: u64,
    /// Step of the first move, counted from 1; 0 if there was none.
    pub first_move: u64,
    /// Number of searches.
    pub episodes: u64,
    /// Number of steps with at least one expansion.
    pub working: u64,
    /// Number of expanded states.
    pub expansions: u64,
    /// Maximum number of states expanded in a step.
    pub max_expansions: u64,
    /// Work of all kinds.
    pub work: Work,
    /// Maximum charge of a step, in tenths of an expansion at the prices of the run.
    pub max_work: u64,
    /// Maximum number of open states.
    pub open_max: u64,
    /// Maximum number of closed states.
    pub closed_max: u64,
    /// Number of states with a learned value at the end.
    pub h_states: u64,
    /// Updates of learned values, including those that changed nothing.
    pub updates: u64,
    /// Mean increase of a learned value per update, as a length.
    pub h_increase: f64,
    /// Number of moves back to the cell that the previous move had left.
    pub reversals: u64,
    /// Number of moves to a cell visited before.
    pub revisits: u64,
    /// Checksum of the walk without waits. Collisions are practically impossible.
    pub walk: u64,
    /// Planning time of all steps in nanoseconds, measured from outside, like all planning times.
    pub plan_ns_total: u64,
    /// Median of the time of a step.
    pub plan_ns_p50: u64,
    /// 99 % quantile of the time of a step.
    pub plan_ns_p99: u64,
    /// Maximum time of a step.
    pub plan_ns_max: u64,
    /// Number of steps that exceeded their interval, if the budget was one.
    pub overruns: u64,
    /// Memory of the planner at the end, in bytes.
    pub memory_bytes: u64,
}

impl RunMetrics {
    /// Returns the length of the walk divided by `optimal`; 1 if both are zero.
    pub fn ratio(&self, optimal: Length, diagonal: Diagonal) -> f64 {
        if self.cost == optimal { 1.0 } else { self.length / optimal.value(diagonal) }
    }

    /// Returns `true` if this trial only repeats the previous one, so that further trials would repeat it again: the
    /// same walk, which has shown nothing new in a static world, with the same numbers of searches and expansions,
    /// and without increased values. (The number of searches matters for planners that learn from a search when they
    /// begin the next one.)
    pub fn repeats(&self, before: &Self) -> bool {
        let same = |run: &Self| (run.outcome, run.walk, run.moves, run.episodes, run.expansions);
        same(self) == same(before) && self.h_increase <= 0.0
    }
}

/// The records of an episode in progress. The buffers are reused for the next one.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    visited: CellSet,
    times: Times,
    tally: Tally,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    moves: u64,
    waits: u64,
    working: u64,
    first_move: u64,
    work: Work,
    max_expansions: u64,
    max_work: u64,
    reversals: u64,
    revisits: u64,
    overruns: u64,
    walk: u64,
    /// The cell that the last move left.
    left: Option<NodeId>,
}

impl Notes {
    /// Begins a run at `start` in a world with nodes below `bound`.
    pub(crate) fn restart(&mut self, bound: usize, start: NodeId) {
        self.visited.restart(bound);
        self.visited.insert(start);
        self.times.restart();
        self.tally = Tally::default();
    }

    /// Adds a step: its work, and what that costs at the prices of the run.
    pub(crate) fn step(&mut self, work: Work, prices: &Prices, nanos: u64, overrun: bool) {
        self.tally.work += work;
        self.tally.working += u64::from(work[WorkKind::Expand] > 0);
        self.tally.max_expansions = self.tally.max_expansions.max(work[WorkKind::Expand]);
        self.tally.max_work = self.tally.max_work.max(work.priced(prices));
        self.tally.overruns += u64::from(overrun);
        self.times.add(nanos);
    }

    /// Records that the step ended with a move.
    pub(crate) fn moved(&mut self, from: NodeId, to: NodeId) {
        let tally = &mut self.tally;
        tally.moves += 1;
        if tally.first_move == 0 {
            tally.first_move = tally.moves + tally.waits;
        }
        tally.reversals += u64::from(tally.left == Some(to));
        tally.left = Some(from);
        tally.walk = mix(tally.walk, to);
        tally.revisits += u64::from(!self.visited.insert(to));
    }

    /// Records that the step ended without a move.
    pub(crate) fn waited(&mut self) {
        self.tally.waits += 1;
    }

    /// Returns the metrics. `stats` are the planner's statistics of this run; `unit` is the cost of a length of 1.
    pub(crate) fn run(
        &mut self,
        outcome: Outcome,
        walk: (Length, Diagonal),
        stats: &Stats,
        unit: u32,
    ) -> RunMetrics {
        let Tally { moves, waits, first_move, work, max_expansions, max_work, .. } = self.tally;
        let Tally { working, reversals, revisits, overruns, walk: fingerprint, .. } = self.tally;
        let [p50, p99] = self.times.quantiles([50, 99]);
        let rise = stats.h_rise as f64 / f64::from(unit);
        RunMetrics {
            outcome,
            cost: walk.0,
            length: walk.0.value(walk.1),
            moves,
            waits,
            steps: moves + waits,
            first_move,
            episodes: stats.searches,
            working,
            expansions: work[WorkKind::Expand],
            max_expansions,
            work,
            max_work,
            open_max: stats.open_max,
            closed_max: stats.closed_max,
            h_states: stats.h_states,
            updates: stats.updates,
            h_increase: if stats.updates == 0 { 0.0 } else { rise / stats.updates as f64 },
            reversals,
            revisits,
            walk: fingerprint,
            plan_ns_total: self.times.total,
            plan_ns_p50: p50,
            plan_ns_p99: p99,
            plan_ns_max: self.times.max,
            overruns,
            memory_bytes: stats.memory_bytes,
        }
    }
}

/// Adds a cell to a checksum (the finish of `SplitMix64`, which is a bijection of states).
fn mix(state: u64, cell: NodeId) -> u64 {
    let mut z = (state ^ u64::from(cell.raw())).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Maximum number of times that are stored individually (32 MB). Beyond it they are counted in buckets.
const EXACT: usize = 1 << 22;

/// Planning times: exact quantiles of some million steps, and within 1 % for any number.
#[derive(Debug, Default)]
struct Times {
    exact: Vec<u64>,
    /// Counts by bucket; empty until needed.
    counts: Vec<u64>,
    steps: u64,
    total: u64,
    max: u64,
}

impl Times {
    fn restart(&mut self) {
        self.exact.clear();
        self.counts.clear();
        (self.steps, self.total, self.max) = (0, 0, 0);
    }

    fn add(&mut self, nanos: u64) {
        self.steps += 1;
        self.total += nanos;
        self.max = self.max.max(nanos);
        if self.exact.len() == EXACT {
            self.pour();
        }
        self.exact.push(nanos);
    }

    /// Moves the individual times to buckets.
    fn pour(&mut self) {
        self.counts.resize(bucket(u64::MAX) + 1, 0);
        for nanos in self.exact.drain(..) {
            self.counts[bucket(nanos)] += 1;
        }
    }

    /// Returns the quantiles for the given percentages.
    fn quantiles<const N: usize>(&mut self, percents: [u64; N]) -> [u64; N] {
        if self.steps == 0 {
            return [0; N];
        }
        let rank = |percent: u64| (self.steps * percent).div_ceil(100).max(1);
        let ranks = percents.map(rank);
        if self.counts.is_empty() {
            self.exact.sort_unstable();
            return ranks.map(|rank| self.exact[rank as usize - 1]);
        }
        self.pour();
        ranks.map(|rank| {
            let mut sum = 0;
            let place = self.counts.iter().position(|count| {
                sum += count;
                sum >= rank
            });
            place.map_or(self.max, |place| longest(place).min(self.max))
        })
    }
}

/// Returns the bucket of a time: buckets of one nanosecond up to 255, then 128 for each doubling.
fn bucket(nanos: u64) -> usize {
    let shift = (u64::BITS - nanos.leading_zeros()).saturating_sub(8);
    shift as usize * 128 + (nanos >> shift) as usize
}

/// Returns the longest time of a bucket.
fn longest(bucket: usize) -> u64 {
    let shift = (bucket / 128).saturating_sub(1);
    let lead = (bucket - shift * 128) as u64;
    (lead << shift) + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_exact() {
        let mut times = Times::default();
        for nanos in (1..=1000).rev() {
            times.add(nanos);
        }
        assert_eq!(times.quantiles([50, 99, 100]), [500, 990, 1000]);
        times.restart();
        times.add(7);
        assert_eq!(times.quantiles([50, 99]), [7, 7]);
        times.restart();
        assert_eq!(times.quantiles([50, 99]), [0, 0]);
    }

    #[test]
    fn buckets_are_narrow_and_cover_everything() {
        assert_eq!((bucket(0), bucket(255), bucket(256), bucket(257), bucket(258)), (0, 255, 256, 256, 257));
        for nanos in (0..64).flat_map(|k| [1 << k, (1 << k) - 1, (1u64 << k).wrapping_mul(3) / 2]) {
            let longest = longest(bucket(nanos));
            assert!(longest >= nanos && longest - nanos <= nanos / 128, "{nanos} {longest}");
        }
        assert_eq!(longest(bucket(u64::MAX)), u64::MAX);
    }

    #[test]
    fn many_times_are_counted() {
        let mut times = Times::default();
        for k in 0..(EXACT as u64 + 1000) {
            times.add(1000 + k % 100_000);
        }
        let [p50, p99] = times.quantiles([50, 99]);
        assert!((50_000..52_500).contains(&p50) && (99_000..101_000).contains(&p99), "{p50} {p99}");
        assert_eq!(times.exact.capacity(), EXACT);
    }

    #[test]
    fn reversals_and_revisits() {
        let [a, b, c] = [1, 2, 3].map(NodeId::new);
        let mut notes = Notes::default();
        notes.restart(10, a);
        notes.waited();
        for (from, to) in [(a, b), (b, a), (a, b), (b, c)] {
            notes.moved(from, to);
            notes.waited();
        }
        notes.moved(c, a);
        let stats = Stats { updates: 4, h_rise: 12, ..Stats::default() };
        let run = notes.run(Outcome::Arrived, (Length::ZERO, Diagonal::Sqrt2), &stats, 2);
        assert_eq!((run.moves, run.waits, run.steps, run.first_move), (5, 5, 10, 2));
        assert_eq!((run.reversals, run.revisits), (2, 3));
        assert!((run.h_increase - 1.5).abs() < 1e-12);
    }

    #[test]
    fn a_trial_repeats_another() {
        let run = |cells: &[u32], waits: u64, stats: Stats| {
            let mut notes = Notes::default();
            notes.restart(10, NodeId::new(0));
            (0..waits).for_each(|_| notes.waited());
            for step in cells.windows(2) {
                notes.moved(NodeId::new(step[0]), NodeId::new(step[1]));
            }
            notes.run(Outcome::Arrived, (Length::ZERO, Diagonal::Sqrt2), &stats, 1)
        };
        let learned = Stats { updates: 4, h_rise: 1, ..Stats::default() };
        let none = Stats { updates: 4, ..Stats::default() };
        let first = run(&[0, 1, 2, 3], 0, learned);
        assert!(
            run(&[0, 1, 2, 3], 5, none).repeats(&first),
            "waits do not count, nor what was learned before"
        );
        assert!(!run(&[0, 1, 2, 3], 0, learned).repeats(&first), "a value rose");
        assert!(!run(&[0, 1, 2, 3], 0, Stats { searches: 1, ..none }).repeats(&first));
        for other in [&[0, 2, 1, 3][..], &[0, 1, 2], &[0, 1, 2, 3, 2, 3], &[0]] {
            assert!(!run(other, 0, none).repeats(&first), "{other:?}");
        }
    }
}
