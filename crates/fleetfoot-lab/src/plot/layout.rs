//! Where the parts of a plot go.

use super::axis::{Span, Tick};
use super::{Plot, Point};

/// The size of letters.
pub(super) const FONT: f64 = 13.0;
/// The place for points, without axes and legend.
const INNER: (f64, f64) = (520.0, 360.0);

/// Everything that is known before anything is drawn.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) x: Span,
    pub(super) y: Span,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) inner: (f64, f64),
    pub(super) legend: f64,
    pub(super) size: (f64, f64),
}

impl Layout {
    pub(super) fn of(plot: &Plot) -> Self {
        let points = || plot.series.iter().flat_map(|series| &series.points).filter(|p| seen(plot, p));
        let x = plot.x.span(points().map(|point| point.x));
        let bars = || points().filter_map(|point| point.bar).flat_map(|(low, high)| [low, high]);
        let y = plot.y.span(points().map(|point| point.y).chain(bars()));
        let (x_ticks, y_ticks) = (x.ticks(&plot.x.ticks), y.ticks(&plot.y.ticks));
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(width).fold(0.0, f64::max);
        let left = 40.0 + widest(&mut y_ticks.iter().filter_map(|tick| tick.text.as_deref()));
        let top = if plot.title.is_empty() { 16.0 } else { 40.0 };
        let names = widest(&mut plot.series.iter().map(|series| series.name.as_str()));
        let legend = if plot.series.len() < 2 && names < 1.0 { 20.0 } else { 62.0 + names };
        let rows = plot.series.len() as f64 * 20.0 + 10.0;
        let inner = (INNER.0.max(width(&plot.title) * 1.1 - legend), INNER.1.max(rows));
        let size = (left + inner.0 + legend, top + inner.1 + 56.0);
        Self { x, y, x_ticks, y_ticks, left, top, inner, legend: left + inner.0 + 16.0, size }
    }

    /// Where a point is drawn.
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

/// Whether a point has a place on both axes.
pub(super) fn seen(plot: &Plot, point: &Point) -> bool {
    plot.x.shows(point.x) && plot.y.shows(point.y)
}

/// About how wide a text is.
fn width(text: &str) -> f64 {
    text.chars().count() as f64 * FONT * 0.6
}
