//! Rows, found by label.

use std::collections::BTreeMap;

use fleetfoot_lab::report::Measured;
use fleetfoot_lab::run::{About, Row};
use fleetfoot_lab::stats::{Interval, bootstrap, bootstrap_many, bootstrap_places, mean, standard_error};

/// The rows of a study, by label. Rows of one label are in the order of the problems, so the rows of two labels with
/// the same problems correspond index by index.
#[derive(Debug)]
pub struct Evidence<'a> {
    /// Describes the runs.
    pub about: &'a About,
    by_label: BTreeMap<&'a str, Vec<&'a Row>>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(about: &'a About, rows: &'a [Row]) -> Self {
        let mut by_label: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            by_label.entry(&row.label).or_default().push(row);
        }
        Self { about, by_label }
    }

    /// Returns `true` if the study has the paper's number of problems.
    pub fn is_full(&self) -> bool {
        self.about.scale == "full"
    }

    /// Returns the rows of a label. Empty if no row has that label.
    pub fn rows(&self, label: &str) -> &[&'a Row] {
        self.by_label.get(label).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` if there are rows of this label.
    pub fn has(&self, label: &str) -> bool {
        !self.rows(label).is_empty()
    }

    /// Returns all labels that begin with `start`, in alphabetical order.
    pub fn labels(&self, start: &str) -> Vec<&'a str> {
        self.by_label.keys().copied().filter(|label| label.starts_with(start)).collect()
    }

    /// Returns the reason that times of labels that begin with `start` cannot be used, if any. Runs that shared their
    /// core have no times.
    pub fn disturbed(&self, start: &str) -> Option<String> {
        let timed =
            || self.by_label.iter().filter(|(label, _)| label.starts_with(start)).flat_map(|(_, rows)| rows);
        let all = timed().filter(|row| row.core_share.is_some()).count();
        let bad = timed().filter(|row| row.core_share.is_some() && row.plan_ns_total.is_none()).count();
        (bad > 0 || all == 0)
            .then(|| format!("{bad} of {all} timed runs had to share their core with other programs; run it again on a quiet machine"))
    }

    /// Returns a measure of all rows of a label.
    pub fn values(&self, label: &str, of: impl Fn(&Row) -> f64) -> Vec<f64> {
        self.rows(label).iter().map(|row| of(row)).collect()
    }

    /// Returns the mean of a measure over the rows of a label, or NaN if there are none.
    pub fn mean(&self, label: &str, of: impl Fn(&Row) -> f64) -> f64 {
        mean_or_none(&self.values(label, of))
    }

    /// Returns the standard error of the mean.
    pub fn error(&self, label: &str, of: impl Fn(&Row) -> f64) -> f64 {
        standard_error(&self.values(label, of))
    }

    /// Returns the mean with its interval, as a measured number.
    pub fn measured(&self, what: &str, label: &str, of: impl Fn(&Row) -> f64) -> Measured {
        let values = self.values(label, of);
        Measured::new(what, mean_or_none(&values), bootstrap(&values, mean))
    }

    /// Computes a statistic of the means of several labels with the same problems, with an interval that resamples
    /// problems equally for all labels.
    pub fn joint(
        &self,
        labels: &[String],
        of: impl Fn(&Row) -> f64,
        statistic: impl Fn(&[f64]) -> f64,
    ) -> (f64, Interval) {
        let samples: Vec<Vec<f64>> = labels.iter().map(|label| self.values(label, &of)).collect();
        let n = samples.first().map_or(0, Vec::len);
        if n == 0 || samples.iter().any(|sample| sample.len() != n) {
            return (f64::NAN, Interval::NONE);
        }
        let means = |places: &[usize]| -> f64 {
            let mean =
                |sample: &Vec<f64>| places.iter().map(|k| sample[*k]).sum::<f64>() / places.len() as f64;
            statistic(&samples.iter().map(mean).collect::<Vec<_>>())
        };
        (means(&(0..n).collect::<Vec<_>>()), bootstrap_places(n, means))
    }

    /// Returns the mean of one measure divided by the mean of another over the same rows, with an interval.
    pub fn quotient(
        &self,
        label: &str,
        over: impl Fn(&Row) -> f64,
        under: impl Fn(&Row) -> f64,
    ) -> (f64, Interval) {
        quotient(&self.values(label, over), &self.values(label, under))
    }

    /// Returns the mean of a measure of one label divided by that of another on the same problems, with an interval.
    pub fn ratio(&self, over: &str, under: &str, of: impl Fn(&Row) -> f64) -> (f64, Interval) {
        quotient(&self.values(over, &of), &self.values(under, &of))
    }
}

/// Returns the mean of a sample, or NaN if it is empty, so that no conclusion can follow from it.
pub(super) fn mean_or_none(values: &[f64]) -> f64 {
    if values.is_empty() { f64::NAN } else { mean(values) }
}

/// Returns the quotient of two means, and an interval that resamples whole problems.
pub(super) fn quotient(over: &[f64], under: &[f64]) -> (f64, Interval) {
    let divide = |over: &[f64], under: &[f64]| mean(over) / mean(under);
    if over.len() != under.len() || over.is_empty() {
        return (f64::NAN, Interval::NONE);
    }
    (divide(over, under), bootstrap_many([over, under], |[over, under]| divide(over, under)))
}
