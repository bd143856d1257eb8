//! Compares two planners on the same problems.

use super::{Interval, bootstrap_many, mean};

/// The comparison of `b` with `a` on the same problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// Number of problems.
    pub n: usize,
    /// Mean of `b` - `a`.
    pub difference: f64,
    /// Its 95 % interval.
    pub difference_interval: Interval,
    /// Mean of `b` divided by the mean of `a`.
    pub ratio: f64,
    /// Its 95 % interval.
    pub ratio_interval: Interval,
    /// Number of problems with `b` less than `a`.
    pub less: usize,
    /// Number of problems with equal values.
    pub equal: usize,
    /// Number of problems with `b` greater than `a`.
    pub more: usize,
}

/// Compares two planners' measures on the same problems.
///
/// # Panics
/// If the samples differ in length.
pub fn paired(a: &[f64], b: &[f64]) -> Paired {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
    let count = |is_so: fn(f64) -> bool| differences.iter().filter(|d| is_so(**d)).count();
    let quotient = |a: f64, b: f64| if a == 0.0 { f64::NAN } else { b / a };
    Paired {
        n: a.len(),
        difference: mean(&differences),
        difference_interval: bootstrap_many([a, b], |[a, b]| mean(b) - mean(a)),
        ratio: quotient(mean(a), mean(b)),
        ratio_interval: bootstrap_many([a, b], |[a, b]| quotient(mean(a), mean(b))),
        less: count(|d| d < 0.0),
        equal: count(|d| d == 0.0),
        more: count(|d| d > 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs() {
        let a = [1.0, 2.0, 3.0, 4.0];
        let b = [1.0, 1.0, 4.0, 8.0];
        let p = paired(&a, &b);
        assert_eq!((p.n, p.less, p.equal, p.more), (4, 1, 1, 2));
        assert!((p.difference - 1.0).abs() < 1e-12 && (p.ratio - 1.4).abs() < 1e-12);
        assert!(p.ratio_interval.contains(1.4) && p.difference_interval.contains(1.0));
        // Common variation does not widen the interval of the difference.
        let a: Vec<f64> = (1..100).map(f64::from).collect();
        let b: Vec<f64> = a.iter().map(|x| x + 1.0).collect();
        let p = paired(&a, &b);
        assert!(
            (p.difference_interval.low - 1.0).abs() < 1e-9 && (p.difference_interval.high - 1.0).abs() < 1e-9
        );
        assert_eq!(p.more, 99);
    }

    #[test]
    fn nothing_to_compare() {
        let p = paired(&[], &[]);
        assert!(p.n == 0 && p.ratio.is_nan());
    }
}
