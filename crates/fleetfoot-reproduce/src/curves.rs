//! Curves of work against quality on two logarithmic axes, and their distance.

use super::Evidence;
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::Measured;
use fleetfoot_lab::stats::{Interval, bootstrap, bootstrap_places, mean, quantile};

/// One setting of a planner: its label, mean expansions per move, cost ratio, and maximum expansions in a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) label: String,
    pub(super) work: f64,
    pub(super) ratio: f64,
    pub(super) interval: Interval,
    pub(super) worst: u64,
    pub(super) arrived: usize,
    /// Work and cost ratio by problem.
    runs: Vec<(f64, f64)>,
}

/// Work and cost ratio of settings, between which work at a quality, or quality at an amount of work, is
/// interpolated.
type Curve = [(f64, f64)];

/// Returns a planner's settings, sorted by work.
pub(super) fn settings(evidence: &Evidence<'_>, labels: &[String]) -> Vec<Setting> {
    let mut all: Vec<Setting> =
        labels.iter().filter(|label| evidence.has(label)).map(|label| setting(evidence, label)).collect();
    all.sort_by(|a, b| a.work.total_cmp(&b.work));
    all
}

fn setting(evidence: &Evidence<'_>, label: &str) -> Setting {
    let rows = evidence.rows(label);
    // A walk that did not end counts with its length so far.
    let ratios = evidence.values(label, |row| row.optimal.map_or(f64::NAN, |optimal| row.cost / optimal));
    let works = evidence.values(label, |row| row.expansions_per_move);
    Setting {
        label: label.to_owned(),
        work: mean(&works),
        ratio: mean(&ratios),
        interval: bootstrap(&ratios, mean),
        worst: rows.iter().map(|row| row.max_expansions).max().unwrap_or(0),
        arrived: rows.iter().filter(|row| row.arrived()).count(),
        runs: works.into_iter().zip(ratios).collect(),
    }
}

impl Setting {
    /// Formats the number of runs that arrived.
    pub(super) fn arrivals(&self) -> String {
        format!("{}/{}", self.arrived, self.runs.len())
    }

    /// Returns its work and ratio on some of the problems.
    fn on(&self, problems: &[usize]) -> (f64, f64) {
        let sum = problems.iter().fold((0.0, 0.0), |(work, ratio), &k| {
            let run = self.runs.get(k).copied().unwrap_or((f64::NAN, f64::NAN));
            (work + run.0, ratio + run.1)
        });
        let n = problems.len() as f64;
        (sum.0 / n, sum.1 / n)
    }
}

/// Computes a number from two planners' curves, with an interval that resamples problems, equally for all settings.
pub(super) fn compared(
    what: impl Into<String>,
    [base, other]: [&[Setting]; 2],
    of: impl Fn(&Curve, &Curve) -> f64,
) -> Measured {
    let value = of(&curve(base, None), &curve(other, None));
    let problems = base.first().map_or(0, |setting| setting.runs.len());
    let redrawn = |places: &[usize]| of(&curve(base, Some(places)), &curve(other, Some(places)));
    Measured::new(what, value, bootstrap_places(problems, redrawn))
}

fn curve(settings: &[Setting], problems: Option<&[usize]>) -> Vec<(f64, f64)> {
    let one = |setting: &Setting| problems.map_or((setting.work, setting.ratio), |places| setting.on(places));
    settings.iter().map(one).collect()
}

/// Returns the settings that no other one beats in both work and quality, sorted by work.
pub(super) fn front(curve: &Curve) -> Vec<(f64, f64)> {
    let beaten = |a: &(f64, f64)| curve.iter().any(|b| b.0 <= a.0 && b.1 <= a.1 && b != a);
    let mut best: Vec<(f64, f64)> = curve.iter().copied().filter(|a| !beaten(a)).collect();
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    best
}

/// Returns the work at which a front reaches a quality, interpolated in logarithms. Returns its least work if it is
/// better everywhere, and `None` if it never reaches the quality.
pub(super) fn work_at(front: &Curve, ratio: f64) -> Option<f64> {
    let logs: Vec<(f64, f64)> = front.iter().rev().map(|(work, ratio)| (excess(*ratio), work.ln())).collect();
    let reaches = logs.first().is_some_and(|best| excess(ratio) >= best.0);
    reaches.then(|| interpolate(&logs, excess(ratio)).exp())
}

/// Returns the quality of a front at an amount of work. Beyond its ends it returns that of the ends.
pub(super) fn ratio_at(front: &Curve, work: f64) -> f64 {
    let logs: Vec<(f64, f64)> = front.iter().map(|(work, ratio)| (work.ln(), ratio.ln())).collect();
    interpolate(&logs, work.ln()).exp()
}

/// Returns the logarithm of a ratio, bounded away from zero.
fn excess(ratio: f64) -> f64 {
    ratio.max(1.0 + 1e-9).ln()
}

/// Returns the value at `x` of the line through sorted points.
fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
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

/// Returns the `q` quantile of the values, or NaN if there are none.
pub(super) fn share(mut values: Vec<f64>, q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    if values.is_empty() { f64::NAN } else { quantile(&values, q) }
}

/// Returns the factors by which the settings of `other` need more work than `base` for the same quality, as far as
/// `base` reaches it.
pub(super) fn factors(base: &Curve, other: &Curve) -> Vec<f64> {
    let base = front(base);
    other.iter().filter_map(|(work, ratio)| Some(work / work_at(&base, *ratio)?)).collect()
}

/// Returns the factors by which the settings of `other` have a higher cost than `base` with the same work.
pub(super) fn costs(base: &Curve, other: &Curve) -> Vec<f64> {
    let base = front(base);
    other.iter().map(|(work, ratio)| ratio / ratio_at(&base, *work)).collect()
}

/// Returns the settings as a series of a plot.
pub(super) fn series(name: &str, curve: &[Setting], line: bool) -> Series {
    let point = |s: &Setting| Point { x: s.work, y: s.ratio, bar: Some((s.interval.low, s.interval.high)) };
    // Settings are labeled without the name of the series. A large number of labels would hide each other.
    let label = |s: &Setting| s.label.strip_prefix(name).unwrap_or(&s.label).trim().to_owned();
    let labels = if curve.len() > 20 { Vec::new() } else { curve.iter().map(label).collect() };
    Series { line, ..Series::line(name, curve.iter().map(point).collect()) }.labelled(labels)
}

/// Returns a plot of such series.
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
        // The last one is beaten, and does not count.
        let base = [(1.0, 100.0), (10.0, 10.0), (100.0, 2.0), (200.0, 5.0)];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6 * b;
        assert!(factors(&base, &[(10.0, 100.0), (100.0, 10.0)]).iter().all(|f| near(*f, 10.0)));
        assert!(near(ratio_at(&front(&base), 10f64.sqrt()), 1000f64.sqrt()));
        // Worse than the worst point of `base`: a lower bound. Better than its best: undefined.
        assert!(near(factors(&base, &[(50.0, 1e6)])[0], 50.0));
        assert!(factors(&base, &[(50.0, 1.5)]).is_empty());
        assert!(near(costs(&base, &[(1000.0, 4.0)])[0], 2.0));
        assert!(work_at(&[], 3.0).is_none() && share(Vec::new(), 0.5).is_nan());
    }

    #[test]
    fn intervals_draw_problems() {
        let setting = |works: &[f64]| Setting {
            label: String::new(),
            work: mean(works),
            ratio: 2.0,
            interval: Interval::NONE,
            worst: 0,
            arrived: works.len(),
            runs: works.iter().map(|work| (*work, 2.0)).collect(),
        };
        let (a, b) = (setting(&[1.0, 2.0, 3.0]), setting(&[10.0, 20.0, 30.0]));
        let of = |a: &Curve, b: &Curve| share(factors(a, b), 0.5);
        let measured = compared("x", [&[a], &[b]], of);
        let interval = measured.interval.unwrap();
        // Every problem takes ten times the work, so all samples agree.
        assert!([measured.value, interval.low, interval.high].iter().all(|x| (x - 10.0).abs() < 1e-9));
    }
}
