//! Statistics of samples: means with their errors, quantiles, bootstrap intervals, pairs, slopes.
//!
//! Everything is deterministic: resamples are drawn from a fixed seed with the simulator's random numbers.

mod answer;
mod bootstrap;
mod fit;
mod paired;

pub use answer::TriState;
pub use bootstrap::{
    FEW, Interval, bootstrap, bootstrap_each, bootstrap_many, bootstrap_parts, bootstrap_places,
};
pub use fit::{Fit, log_log};
pub use paired::{Paired, paired};

/// Returns the mean; 0 if there are no values.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Returns the standard deviation of the sample (n - 1 in the denominator); 0 if there are fewer than two values.
pub fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// Returns the standard error of the mean.
pub fn standard_error(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { deviation(values) / (values.len() as f64).sqrt() }
}

/// Returns the `q` quantile of `sorted`, interpolated between adjacent values; 0 if there are no values.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = q.clamp(0.0, 1.0) * last as f64;
    #[expect(clippy::cast_sign_loss, reason = "a place is not negative")]
    let below = place as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// Statistics of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Summary {
    /// Number of values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Standard error of the mean.
    pub error: f64,
    /// 95 % bootstrap interval of the mean.
    pub interval: Interval,
    /// Minimum.
    pub min: f64,
    /// First quartile.
    pub q25: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q75: f64,
    /// 95 % quantile.
    pub q95: f64,
    /// Maximum.
    pub max: f64,
}

impl Summary {
    /// Summarizes a sample.
    pub fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Self {
            n: values.len(),
            mean: mean(values),
            error: standard_error(values),
            interval: bootstrap(values, mean),
            min: quantile(&sorted, 0.0),
            q25: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            q75: quantile(&sorted, 0.75),
            q95: quantile(&sorted, 0.95),
            max: quantile(&sorted, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fleetfoot_sim::generate::SeededRng;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
    }

    /// Returns samples of many sizes.
    fn samples(least: u32) -> impl Iterator<Item = Vec<f64>> {
        let mut dice = SeededRng::new(11);
        (0..300).map(move |_| {
            let n = least + dice.below(60 - least);
            (0..n).map(|_| f64::from(dice.below(2_000_001)) / 1000.0 - 1000.0).collect()
        })
    }

    #[test]
    fn agrees_with_naive_formulas() {
        for values in samples(2) {
            let n = values.len() as f64;
            let (sum, squares) = values.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
            assert!(near(mean(&values), sum / n));
            let variance = (squares - sum * sum / n) / (n - 1.0);
            assert!((deviation(&values).powi(2) - variance).abs() < 1e-5);
            assert!((standard_error(&values).powi(2) - variance / n).abs() < 1e-5);
            let summary = Summary::of(&values);
            let counted = values.iter().filter(|v| **v <= summary.median).count() * 2;
            assert!(counted >= values.len());
            assert!(summary.min <= summary.q25 && summary.q25 <= summary.median);
            assert!(summary.median <= summary.q75 && summary.q75 <= summary.max);
            assert!(values.contains(&summary.min) && values.contains(&summary.max));
            let (low, high) = (summary.interval.low, summary.interval.high);
            assert!(low <= summary.mean + 1e-9 && summary.mean <= high + 1e-9);
        }
    }

    /// Checks that a quantile at the position of a value is that value.
    #[test]
    fn quantiles_hit_values() {
        for mut values in samples(1) {
            values.sort_by(f64::total_cmp);
            for k in 0..values.len() {
                let q = if values.len() == 1 { 0.3 } else { k as f64 / (values.len() - 1) as f64 };
                assert!((quantile(&values, q) - values[k]).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn known_values() {
        assert!(near(deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), (32.0f64 / 7.0).sqrt()));
        assert!(near(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), 1.75));
        assert_eq!(Summary::of(&[]), Summary::default());
        let one = Summary::of(&[3.0]);
        assert!(near(one.mean, 3.0) && near(one.error, 0.0) && near(one.interval.high, 3.0));
    }
}
