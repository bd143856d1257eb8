//! Measures by limit: curves, and limits at which one planner is below another.

use fleetfoot::registry::Spec;
use fleetfoot_sim::error::InputError;

use super::Evidence;
use fleetfoot_lab::plot::{Point, Series};
use fleetfoot_lab::report::Measured;
use fleetfoot_lab::run::Row;
use fleetfoot_lab::stats::{Interval, TriState, bootstrap, mean};

/// Returns the label of a planner's runs at a limit.
pub(super) fn label(planner: &str, limit: u64) -> String {
    format!("{planner} at {limit}")
}

/// Parses a spec.
pub(super) fn spec(text: &str) -> Result<Spec, InputError> {
    text.parse().map_err(|error| InputError::new(format!("{error}"), "use a later version"))
}

/// One planner's mean divided by another's at a limit, on the same problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Against {
    pub(super) limit: u64,
    pub(super) ratio: f64,
    pub(super) interval: Interval,
}

impl Against {
    /// Returns whether it is below 1.
    pub(super) fn less(&self) -> TriState {
        self.interval.below(1.0)
    }

    /// Returns whether it is above 1.
    pub(super) fn more(&self) -> TriState {
        self.interval.above(1.0)
    }

    /// Returns whether it differs from 1 by at most a share.
    pub(super) fn even(&self, share: f64) -> TriState {
        self.interval.near(1.0, share)
    }
}

/// Compares one planner with another at all limits.
pub(super) fn against(
    evidence: &Evidence<'_>,
    limits: &[u64],
    (over, under): (&str, &str),
    of: fn(&Row) -> f64,
) -> Vec<Against> {
    let at = |limit: &u64| {
        let (ratio, interval) = evidence.ratio(&label(over, *limit), &label(under, *limit), of);
        Against { limit: *limit, ratio, interval }
    };
    limits.iter().map(at).collect()
}

/// Computes a statistic of one planner's ratios to another at several limits, with an interval that resamples the
/// same problems for all.
pub(super) fn together(
    evidence: &Evidence<'_>,
    limits: &[u64],
    (over, under): (&str, &str),
    of: fn(&Row) -> f64,
    statistic: impl Fn(&[f64]) -> f64,
) -> (f64, Interval) {
    let labels: Vec<String> = limits.iter().flat_map(|k| [label(over, *k), label(under, *k)]).collect();
    evidence.joint(&labels, of, |means| {
        statistic(&means.chunks(2).map(|pair| pair[0] / pair[1]).collect::<Vec<_>>())
    })
}

/// Measures how much larger the ratio is at the second limit than at the first.
pub(super) fn grows(
    evidence: &Evidence<'_>,
    limits: [u64; 2],
    pair: (&str, &str),
    of: fn(&Row) -> f64,
) -> Measured {
    let (value, interval) = together(evidence, &limits, pair, of, |ratios| ratios[1] / ratios[0]);
    Measured::new(format!("the ratio at {} / that at {}", limits[1], limits[0]), value, interval)
}

/// Returns the largest of some numbers divided by the smallest.
pub(super) fn span(values: &[f64]) -> f64 {
    let (least, most) = values.iter().fold((f64::INFINITY, 0.0), |(l, m), v| (v.min(l), v.max(m)));
    most / least
}

/// Returns the ratios as measured numbers.
pub(super) fn measured(what: &str, all: &[Against]) -> Vec<Measured> {
    let one = |a: &Against| Measured::new(format!("{what} at {}", a.limit), a.ratio, a.interval);
    all.iter().map(one).collect()
}

/// Returns the last limit at which the ratios cross 1, interpolated in logarithms.
pub(super) fn crossing(all: &[Against]) -> Option<f64> {
    let last = all.last()?.ratio;
    let k = all.iter().rposition(|a| (a.ratio < 1.0) != (last < 1.0))?;
    let (a, b) = (all[k], all[k + 1]);
    let share = a.ratio.ln() / (a.ratio.ln() - b.ratio.ln());
    let (low, high) = ((a.limit as f64).ln(), (b.limit as f64).ln());
    Some((low + share * (high - low)).exp())
}

/// Returns a mean by limit, with intervals.
pub(super) fn series(evidence: &Evidence<'_>, limits: &[u64], planner: &str, of: fn(&Row) -> f64) -> Series {
    let point = |limit: &u64| {
        let values = evidence.values(&label(planner, *limit), of);
        let Interval { low, high, .. } = bootstrap(&values, mean);
        Point { x: *limit as f64, y: mean(&values), bar: Some((low, high)) }
    };
    let has = |limit: &&u64| evidence.has(&label(planner, **limit));
    Series::line(planner, limits.iter().filter(has).map(point).collect())
}

/// Formats a mean and its interval for tables.
pub(super) fn cell(evidence: &Evidence<'_>, label: &str, of: fn(&Row) -> f64) -> String {
    let values = evidence.values(label, of);
    fleetfoot_lab::with_interval(mean(&values), bootstrap(&values, mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_crossing_counts() {
        let make = |ratios: &[f64]| -> Vec<Against> {
            let at = |(k, ratio): (usize, &f64)| Against {
                limit: 10 * 4u64.pow(k as u32),
                ratio: *ratio,
                interval: Interval::exact(*ratio),
            };
            ratios.iter().enumerate().map(at).collect()
        };
        assert_eq!(crossing(&make(&[0.5, 0.9, 0.7])), None);
        assert_eq!(crossing(&[]), None);
        assert!((crossing(&make(&[2.0, 0.5])).unwrap() - 20.0).abs() < 1e-9);
        // The last crossing is between the third and the fourth, nearer to the third.
        let late = crossing(&make(&[2.0, 0.5, 1.1, 0.2])).unwrap();
        assert!(late > 160.0 && late < 200.0, "{late}");
        assert_eq!((make(&[0.5])[0].less(), make(&[0.5])[0].more()), (TriState::Yes, TriState::No));
        assert_eq!([0.05, 0.5].map(|share| make(&[1.1])[0].even(share)), [TriState::No, TriState::Yes]);
    }
}
