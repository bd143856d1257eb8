//! Percentile intervals by the bootstrap (Efron 1979): the statistic of samples drawn from the sample.

use std::fmt;

use fleetfoot_sim::generate::SeededRng;

use super::quantile;

/// Number of resamples. The ends of a 95 % interval then rest on the 50 outermost on each side.
const RESAMPLES: usize = 2000;
/// Minimum number of runs for a reliable interval. Intervals of fewer runs are too narrow, and marked.
pub const FEW: usize = 10;
/// Seed of the resamples. Its value does not matter.
const SEED: u64 = 1979;

/// An interval.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Number of runs or problems in the sample; 0 if there was no sample.
    pub n: usize,
}

impl Interval {
    /// The interval without data: no comparison with it is decided.
    pub const NONE: Self = Self { low: f64::NAN, high: f64::NAN, n: 0 };

    /// Creates the interval of an exact number.
    pub const fn exact(value: f64) -> Self {
        Self { low: value, high: value, n: 0 }
    }

    /// Returns the interval multiplied by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor, ..self }
    }

    /// Returns `true` if the sample is too small for a reliable interval.
    pub fn is_of_few(&self) -> bool {
        (1..FEW).contains(&self.n)
    }

    /// Returns `true` if a value is inside, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = crate::alike([self.low, self.high], self.high - self.low);
        write!(f, "{low} to {high}")?;
        if self.is_of_few() { write!(f, ", ⚠ n = {}", self.n) } else { Ok(()) }
    }
}

/// Computes a 95 % interval of a statistic of one sample.
pub fn bootstrap(values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Interval {
    let mut sample = vec![0.0; values.len()];
    bootstrap_places(values.len(), |places| {
        for (slot, place) in sample.iter_mut().zip(places) {
            *slot = values[*place];
        }
        statistic(&sample)
    })
}

/// Computes a 95 % interval of a statistic of several samples whose values correspond by index (several measures of
/// the same runs, or several planners on the same problems). Whole indices are resampled.
///
/// # Panics
/// If the samples differ in length.
pub fn bootstrap_many<const N: usize>(
    samples: [&[f64]; N],
    statistic: impl Fn([&[f64]; N]) -> f64,
) -> Interval {
    let [interval] = bootstrap_each(samples, |drawn| [statistic(drawn)]);
    interval
}

/// Computes 95 % intervals of several statistics from the same resamples, since drawing takes longer than summing.
///
/// # Panics
/// If the samples differ in length.
pub fn bootstrap_each<const N: usize, const K: usize>(
    samples: [&[f64]; N],
    statistics: impl Fn([&[f64]; N]) -> [f64; K],
) -> [Interval; K] {
    let n = samples.first().map_or(0, |sample| sample.len());
    assert!(samples.iter().all(|sample| sample.len() == n), "samples belong together place by place");
    let mut drawn = samples.map(<[f64]>::to_vec);
    draw(n, |places| {
        for (drawn, sample) in drawn.iter_mut().zip(samples) {
            for (slot, place) in drawn.iter_mut().zip(places) {
                *slot = sample[*place];
            }
        }
        statistics(drawn.each_ref().map(Vec::as_slice))
    })
}

/// Computes a 95 % interval of a statistic of resampled indices. Returns the default interval if `n` is 0.
pub fn bootstrap_places(n: usize, mut statistic: impl FnMut(&[usize]) -> f64) -> Interval {
    let [interval] = draw(n, |places| [statistic(places)]);
    interval
}

/// Computes 95 % intervals of statistics of samples in parts, such as by map. Indices are resampled within each part,
/// so that every part keeps its size. The `n` of the interval is that of the smallest part.
pub fn bootstrap_parts<const K: usize>(
    sizes: &[usize],
    mut statistics: impl FnMut(&[Vec<usize>]) -> [f64; K],
) -> [Interval; K] {
    let Some(least) = sizes.iter().copied().filter(|size| *size > 0).min() else {
        return [Interval::default(); K];
    };
    let mut dice = SeededRng::new(SEED);
    let mut places: Vec<Vec<usize>> = sizes.iter().map(|size| vec![0; *size]).collect();
    let mut found = [(); K].map(|()| Vec::with_capacity(RESAMPLES));
    for _ in 0..RESAMPLES {
        for part in &mut places {
            let n = part.len() as u32;
            part.fill_with(|| dice.below(n) as usize);
        }
        for (found, value) in found.iter_mut().zip(statistics(&places)) {
            found.push(value);
        }
    }
    found.map(|found| middle(found, least))
}

/// Returns the middle 95 % of each statistic over resamples.
fn draw<const K: usize>(n: usize, mut statistics: impl FnMut(&[usize]) -> [f64; K]) -> [Interval; K] {
    if n == 0 {
        return [Interval::default(); K];
    }
    let mut dice = SeededRng::new(SEED);
    let mut places = vec![0; n];
    let mut found = [(); K].map(|()| Vec::with_capacity(RESAMPLES));
    for _ in 0..RESAMPLES {
        places.fill_with(|| dice.below(n as u32) as usize);
        for (found, value) in found.iter_mut().zip(statistics(&places)) {
            found.push(value);
        }
    }
    found.map(|found| middle(found, n))
}

fn middle(mut found: Vec<f64>, n: usize) -> Interval {
    found.sort_by(f64::total_cmp);
    Interval { low: quantile(&found, 0.025), high: quantile(&found, 0.975), n }
}

#[cfg(test)]
mod tests {
    use super::super::{mean, standard_error};
    use super::*;

    /// Checks that the interval of the mean of a large sample is that of the normal distribution.
    #[test]
    fn agrees_with_the_normal_distribution() {
        let mut dice = SeededRng::new(3);
        let values: Vec<f64> = (0..400).map(|_| f64::from(dice.below(1000))).collect();
        let (mean_, error) = (mean(&values), standard_error(&values));
        let Interval { low, high, n } = bootstrap(&values, mean);
        assert_eq!(n, 400);
        assert!((low - (mean_ - 1.96 * error)).abs() < 0.25 * error, "{low}");
        assert!((high - (mean_ + 1.96 * error)).abs() < 0.25 * error, "{high}");
        assert_eq!(bootstrap(&values, mean), Interval { low, high, n }, "the same every time");
    }

    /// Checks that a true mean is missed in about 5 % of the cases.
    #[test]
    fn covers_as_it_says() {
        let mut dice = SeededRng::new(11);
        let hit = |_: &i32| {
            let values: Vec<f64> = (0..60).map(|_| f64::from(dice.below(101))).collect();
            bootstrap(&values, mean).contains(50.0)
        };
        let hits = (0..200).filter(hit).count();
        assert!((180..=198).contains(&hits), "{hits}");
    }

    /// Checks that one part equals no parts, and that differences between parts do not widen the interval.
    #[test]
    fn parts_keep_their_sizes() {
        let values: Vec<f64> = (0..50).map(f64::from).collect();
        let [one] =
            bootstrap_parts(&[50], |drawn| [mean(&drawn[0].iter().map(|k| values[*k]).collect::<Vec<_>>())]);
        assert_eq!(one, bootstrap(&values, mean));
        let levels = [0.0, 1000.0];
        let [two] = bootstrap_parts(&[20, 30], |drawn| {
            assert_eq!((drawn[0].len(), drawn[1].len()), (20, 30));
            let part =
                |k: usize| levels[k] + mean(&drawn[k].iter().map(|place| values[*place]).collect::<Vec<_>>());
            [f64::midpoint(part(0), part(1))]
        });
        assert!(two.high - two.low < 10.0 && two.n == 20, "{two:?}");
        assert_eq!(bootstrap_parts(&[0], |_| [1.0]), [Interval::default()]);
    }

    #[test]
    fn places_stay_together() {
        let a: Vec<f64> = (0..50).map(f64::from).collect();
        let b: Vec<f64> = a.iter().map(|x| 2.0 * x).collect();
        let ratio = bootstrap_many([&a, &b], |[a, b]| mean(b) / mean(a));
        assert!((ratio.low - 2.0).abs() < 1e-12 && (ratio.high - 2.0).abs() < 1e-12);
        assert_eq!(bootstrap(&[], mean), Interval::default());
    }
}
