//! Samples with intervals of their means.

use std::fmt;

use crate::number;
use crate::stats::{Interval, bootstrap_each, mean};

/// Values, and a 95 % interval of their mean.
pub(super) struct Sample {
    pub(super) values: Vec<f64>,
    pub(super) interval: Interval,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.values.is_empty() {
            return f.write_str("–");
        }
        write!(f, "{} ({})", number(mean(&self.values)), self.interval)
    }
}

/// Samples of the same runs, all of which have as many values.
pub(super) fn means<const N: usize>(samples: [Vec<f64>; N]) -> [Sample; N] {
    let intervals = bootstrap_each(samples.each_ref().map(Vec::as_slice), |drawn| drawn.map(mean));
    let mut intervals = intervals.into_iter();
    samples.map(|values| Sample { values, interval: intervals.next().unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Paired, bootstrap, paired};
    use fleetfoot_sim::generate::Dice;

    #[test]
    fn the_same_as_each_on_its_own() {
        let mut dice = Dice::new(5);
        let [a, b] = [0; 2].map(|_| (0..300).map(|_| f64::from(dice.below(1000))).collect::<Vec<_>>());
        let both = means([a.clone(), b.clone()]);
        assert_eq!([&a, &b].map(|values| bootstrap(values, mean)), both.map(|sample| sample.interval));
        let Paired { difference_interval, ratio_interval, .. } = paired(&a, &b);
        let found = bootstrap_each([&a, &b], |[a, b]| [mean(b) - mean(a), mean(b) / mean(a)]);
        assert_eq!(found, [difference_interval, ratio_interval]);
        let [none] = means([Vec::new()]);
        assert_eq!((none.to_string().as_str(), none.interval), ("–", Interval::default()));
    }
}
