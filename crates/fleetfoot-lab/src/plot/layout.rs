//! The layout of a plot.

use super::axis::{Span, Tick};
use super::legend::Legend;
use super::{Plot, Point};

/// Size of letters.
pub(super) const FONT: f64 = 13.0;

/// What a plot is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sheet {
    /// A page on a screen.
    Screen,
    /// A column of a paper: narrow, the legend below, and no title, since papers have captions.
    Column,
}

impl Sheet {
    /// The place for points, without axes and legend, where ticks of the y axis end at `left`.
    fn inner(self, left: f64) -> (f64, f64) {
        match self {
            Self::Screen => (520.0, 360.0),
            Self::Column => (COLUMN - left - 20.0, 220.0),
        }
    }
}

/// Width of a plot in a column: letters have 8 points where the column has 240.
pub(super) const COLUMN: f64 = 390.0;

/// All positions that are computed before drawing.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) x: Span,
    pub(super) y: Span,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) inner: (f64, f64),
    pub(super) legend: Legend,
    /// Horizontal offset of the points of each series.
    pub(super) asides: Vec<f64>,
    pub(super) size: (f64, f64),
    /// There is nothing to draw.
    pub(super) is_empty: bool,
}

impl Layout {
    pub(super) fn of(plot: &Plot, sheet: Sheet) -> Self {
        let points = || plot.series.iter().flat_map(|series| &series.points).filter(|p| seen(plot, p));
        let x = plot.x.span(points().map(|point| point.x));
        let bars = || points().filter_map(|point| point.bar).flat_map(|(low, high)| [low, high]);
        let y = plot.y.span(points().map(|point| point.y).chain(bars()));
        let (mut x_ticks, mut y_ticks) = (x.ticks(&plot.x.ticks), y.ticks(&plot.y.ticks));
        let is_empty = points().next().is_none();
        if is_empty {
            // An axis without data has no numbers.
            (x_ticks, y_ticks) = (Vec::new(), Vec::new());
        }
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(width).fold(0.0, f64::max);
        let left = 40.0 + widest(&mut y_ticks.iter().filter_map(|tick| tick.text.as_deref()));
        let inner = sheet.inner(left);
        let has_title = sheet == Sheet::Screen && !plot.title.is_empty();
        let top = if has_title { 40.0 } else { 16.0 };
        let rows = plot.series.len() as f64 * 20.0 + 10.0;
        let mut legend = Legend::of(plot, sheet);
        let titled = if has_title { width(&plot.title) * 1.1 - legend.width } else { 0.0 };
        let room = inner.0.max(titled);
        let inner = (room, if legend.is_below { inner.1 } else { inner.1.max(rows) });
        let foot = top + inner.1 + 56.0;
        let (origin, across) = match (sheet, legend.is_below) {
            // Long names need the whole width of a column.
            (Sheet::Column, _) => ((12.0, foot), left + inner.0),
            (Sheet::Screen, true) => ((left, foot), inner.0),
            (Sheet::Screen, false) => ((left + room + 16.0, top), 0.0),
        };
        let height = legend.arrange(origin, across);
        let size = (left + inner.0 + legend.width, if legend.is_below { foot + height } else { foot });
        let asides = asides(plot, |value| x.place(value) * inner.0);
        Self { x, y, x_ticks, y_ticks, left, top, inner, legend, asides, size, is_empty }
    }

    /// Returns the position of a point.
    pub(super) fn place(&self, x: f64, y: f64) -> (f64, f64) {
        (self.across(self.x.place(x)), self.up(self.y.place(y)))
    }

    pub(super) fn across(&self, share: f64) -> f64 {
        self.left + share * self.inner.0
    }

    pub(super) fn up(&self, share: f64) -> f64 {
        self.top + (1.0 - share) * self.inner.1
    }
}

/// Returns `true` if both axes can show a point.
pub(super) fn seen(plot: &Plot, point: &Point) -> bool {
    plot.x.shows(point.x) && plot.y.shows(point.y)
}

/// Returns the offset of each series. Error bars at the same x would cover each other, so series are moved by a few
/// pixels, and never so far that a point could be mistaken for the next one.
fn asides(plot: &Plot, across: impl Fn(f64) -> f64) -> Vec<f64> {
    let barred = |point: &&Point| point.bar.is_some() && seen(plot, point);
    let has_bars: Vec<bool> =
        plot.series.iter().map(|series| series.points.iter().any(|p| barred(&p))).collect();
    let count = has_bars.iter().filter(|has| **has).count();
    let points = plot.series.iter().flat_map(|series| series.points.iter().filter(barred));
    let mut places: Vec<f64> = points.map(|point| across(point.x)).collect();
    places.sort_by(f64::total_cmp);
    let apart = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.01);
    let gap = apart.fold(f64::INFINITY, f64::min);
    let step = ((0.4 * gap).min(30.0) / count.max(1) as f64).min(5.0);
    let mut rank = 0.0;
    let aside = |has: bool| {
        rank += f64::from(has);
        if has { (rank - 1.0 - (count as f64 - 1.0) / 2.0) * step } else { 0.0 }
    };
    has_bars.into_iter().map(aside).collect()
}

/// Estimates the width of a text.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * FONT * 0.6
}
