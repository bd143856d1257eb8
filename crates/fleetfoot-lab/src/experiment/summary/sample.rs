//! Samples by map, with intervals of their means.

use std::fmt;

use crate::stats::{Interval, bootstrap_parts, mean};

/// Values by map, the mean of the maps' means, and its 95 % interval.
pub(super) struct Sample {
    pub(super) parts: Vec<Vec<f64>>,
    pub(super) mean: f64,
    pub(super) interval: Interval,
}

impl Sample {
    /// Returns all values.
    pub(super) fn values(&self) -> Vec<f64> {
        self.parts.concat()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.iter().all(Vec::is_empty)
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("–");
        }
        f.write_str(&crate::with_interval(self.mean, self.interval))
    }
}

/// Returns the mean of the parts' means. Parts without values are ignored.
pub(super) fn level(parts: &[Vec<f64>]) -> f64 {
    let means: Vec<f64> = parts.iter().filter(|part| !part.is_empty()).map(|part| mean(part)).collect();
    mean(&means)
}

/// Creates samples of the same runs, which all have the same number of values on each map.
pub(super) fn means<const N: usize>(samples: [Vec<Vec<f64>>; N]) -> [Sample; N] {
    let sizes: Vec<usize> =
        samples.first().map(|parts| parts.iter().map(Vec::len).collect()).unwrap_or_default();
    let intervals = bootstrap_parts(&sizes, |places| {
        samples.each_ref().map(|parts| {
            let of = |(part, places): (&Vec<f64>, &Vec<usize>)| {
                (!part.is_empty()).then(|| places.iter().map(|k| part[*k]).sum::<f64>() / part.len() as f64)
            };
            mean(&parts.iter().zip(places).filter_map(of).collect::<Vec<_>>())
        })
    });
    let mut intervals = intervals.into_iter();
    samples.map(|parts| Sample { mean: level(&parts), interval: intervals.next().unwrap_or_default(), parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::bootstrap;
    use fleetfoot_sim::generate::SeededRng;

    #[test]
    fn one_map_is_as_before_and_of_several_each_counts_the_same() {
        let mut dice = SeededRng::new(5);
        let [a, b] = [0; 2].map(|_| (0..300).map(|_| f64::from(dice.below(1000))).collect::<Vec<_>>());
        let both = means([vec![a.clone()], vec![b.clone()]]);
        assert_eq!([&a, &b].map(|values| bootstrap(values, mean)), both.map(|sample| sample.interval));
        let [none] = means([vec![Vec::new()]]);
        assert_eq!((none.to_string().as_str(), none.interval), ("–", Interval::default()));
        // A hundred short walks and three long ones.
        let [unlike] = means([vec![vec![10.0; 100], vec![1000.0; 3], Vec::new()]]);
        assert!((unlike.mean - 505.0).abs() < 1e-9 && unlike.interval.n == 3);
        assert_eq!(unlike.to_string(), "505 (505 to 505, ⚠ n = 3)");
    }
}
