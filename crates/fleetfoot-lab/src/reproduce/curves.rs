//! Work against quality: curves on two logarithmic axes, and how far they are apart.

use super::Evidence;
use crate::plot::{Axis, Plot, Point, Series};
use crate::stats::{Interval, bootstrap, mean, quantile};

/// One setting of a planner: its label, expansions per move, cost ratio, and the most expansions in any move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) label: String,
    pub(super) work: f64,
    pub(super) ratio: f64,
    pub(super) interval: Interval,
    pub(super) worst: u64,
}

/// A planner's settings, the least work first.
pub(super) fn settings(evidence: &Evidence<'_>, labels: &[String]) -> Vec<Setting> {
    let mut all: Vec<Setting> =
        labels.iter().filter(|label| evidence.has(label)).map(|label| setting(evidence, label)).collect();
    all.sort_by(|a, b| a.work.total_cmp(&b.work));
    all
}

fn setting(evidence: &Evidence<'_>, label: &str) -> Setting {
    // A walk that did not end counts as long as it got.
    let ratios = evidence.values(label, |row| row.optimal.map_or(f64::NAN, |optimal| row.cost / optimal));
    Setting {
        label: label.to_owned(),
        work: evidence.mean(label, |row| row.expansions_per_move),
        ratio: mean(&ratios),
        interval: bootstrap(&ratios, mean),
        worst: evidence.rows(label).iter().map(|row| row.max_expansions).max().unwrap_or(0),
    }
}

/// The work at which a curve reaches a quality, between its points in logarithms; at its ends where it does not reach.
pub(super) fn work_at(curve: &[Setting], ratio: f64) -> f64 {
    let by_quality = |k: usize| (curve[k].ratio.max(1.0 + 1e-9).ln(), curve[k].work.max(1e-9).ln());
    interpolate((0..curve.len()).map(by_quality).collect(), ratio.max(1.0 + 1e-9).ln()).exp()
}

/// The quality of a curve at an amount of work.
pub(super) fn ratio_at(curve: &[Setting], work: f64) -> f64 {
    let by_work = |k: usize| (curve[k].work.max(1e-9).ln(), curve[k].ratio.max(1e-9).ln());
    interpolate((0..curve.len()).map(by_work).collect(), work.max(1e-9).ln()).exp()
}

fn interpolate(mut points: Vec<(f64, f64)>, x: f64) -> f64 {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return f64::NAN };
    if x <= first.0 {
        return first.1;
    }
    if x >= last.0 {
        return last.1;
    }
    let k = points.iter().position(|point| point.0 >= x).unwrap_or(points.len() - 1).max(1);
    let ((x0, y0), (x1, y1)) = (points[k - 1], points[k]);
    if x1 - x0 < 1e-12 { y1 } else { y0 + (y1 - y0) * (x - x0) / (x1 - x0) }
}

/// How many times the work of `base` the settings of `other` take for the same quality: least, median and most; no
/// numbers if there are no settings.
pub(super) fn factors(base: &[Setting], other: &[Setting]) -> [f64; 3] {
    let mut all: Vec<f64> = other.iter().map(|setting| setting.work / work_at(base, setting.ratio)).collect();
    all.sort_by(f64::total_cmp);
    if all.is_empty() {
        return [f64::NAN; 3];
    }
    [quantile(&all, 0.0), quantile(&all, 0.5), quantile(&all, 1.0)]
}

/// The settings as a series of a plot.
pub(super) fn series(name: &str, curve: &[Setting], line: bool) -> Series {
    let point = |s: &Setting| Point { x: s.work, y: s.ratio, bar: Some((s.interval.low, s.interval.high)) };
    Series { line, ..Series::line(name, curve.iter().map(point).collect()) }
}

/// A plot of such series.
pub(super) fn plot(title: &str, series: Vec<Series>) -> Plot {
    Plot {
        title: title.into(),
        x: Axis::log("states expanded per action, mean"),
        y: Axis::log("cost / optimal, mean"),
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_compared_at_equal_quality() {
        let make = |points: &[(f64, f64)]| -> Vec<Setting> {
            let setting = |(work, ratio): &(f64, f64)| Setting {
                label: String::new(),
                work: *work,
                ratio: *ratio,
                interval: Interval::default(),
                worst: 0,
            };
            points.iter().map(setting).collect()
        };
        let base = make(&[(1.0, 100.0), (10.0, 10.0), (100.0, 2.0)]);
        let other = make(&[(10.0, 100.0), (100.0, 10.0)]);
        assert!(factors(&base, &other).iter().all(|f| (f - 10.0).abs() < 1e-6));
        assert!((ratio_at(&base, 10f64.sqrt()) - 1000f64.sqrt()).abs() < 1e-6);
        // Worse than the base's worst: at least so much.
        assert!((factors(&base, &make(&[(50.0, 1e6)]))[1] - 50.0).abs() < 1e-6);
        assert!(work_at(&[], 3.0).is_nan());
    }
}
