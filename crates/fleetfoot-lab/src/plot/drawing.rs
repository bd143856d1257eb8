//! A plot as a list of shapes, for both SVG and PNG.

use fleetfoot_view::canvas::{Anchor, Colour, Point as Place};

use super::layout::{FONT, Layout, Sheet, seen};
use super::legend::Label;
use super::marks::Look;
use super::{Plot, Point, Series};

const BLACK: Colour = [0; 3];
const DARK: Stroke = Stroke { colour: [0x33; 3], width: 1.0, dash: &[] };
const FAINT: Stroke = Stroke { colour: [0xdd; 3], width: 0.8, dash: &[] };

/// The style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    /// Lengths of dashes and gaps, alternating. Empty for a solid line.
    pub(super) dash: &'static [f64],
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) at: Place,
    pub(super) anchor: Anchor,
    pub(super) size: f64,
    /// Runs upward.
    pub(super) upward: bool,
    pub(super) colour: Colour,
    pub(super) words: String,
}

/// A part of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A polyline.
    Line {
        places: Vec<Place>,
        stroke: Stroke,
    },
    /// A polygon, filled if there is a color.
    Polygon {
        corners: Vec<Place>,
        fill: Option<Colour>,
        stroke: Stroke,
    },
    Circle {
        centre: Place,
        radius: f64,
        fill: Colour,
        stroke: Stroke,
    },
    Text(Text),
}

/// Shapes on white paper, in painting order.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// Width and height.
    pub(super) size: (f64, f64),
    pub(super) shapes: Vec<Shape>,
    /// Boxes of the labels of points: left, top, right, bottom.
    labels: Vec<[f64; 4]>,
}

impl Drawing {
    /// Creates an empty drawing.
    pub(super) fn blank(size: (f64, f64)) -> Self {
        Self { size, shapes: Vec::new(), labels: Vec::new() }
    }

    pub(super) fn of(plot: &Plot, sheet: Sheet) -> Self {
        let layout = Layout::of(plot, sheet);
        let mut drawing = Self {
            size: (layout.size.0.round(), layout.size.1.round()),
            shapes: Vec::new(),
            labels: Vec::new(),
        };
        drawing.axes(plot, &layout);
        if sheet == Sheet::Screen {
            drawing.title(plot, &layout);
        }
        for (number, series) in plot.series.iter().enumerate() {
            let look = Look::of(number, series.like);
            drawing.series(plot, &layout, number, look);
            drawing.label(&layout.legend.labels[number], series, look);
        }
        if layout.is_empty {
            let (at, colour) = ((layout.across(0.5), layout.up(0.5)), [0x77; 3]);
            let words = "no data".to_owned();
            drawing.shapes.push(Shape::Text(Text {
                at,
                anchor: Anchor::Middle,
                size: 20.0,
                upward: false,
                colour,
                words,
            }));
        }
        drawing
    }

    fn line(&mut self, from: Place, to: Place, stroke: Stroke) {
        self.shapes.push(Shape::Line { places: vec![from, to], stroke });
    }

    fn text(&mut self, at: Place, anchor: Anchor, words: &str) {
        let text = Text { at, anchor, size: FONT, upward: false, colour: BLACK, words: words.to_owned() };
        self.shapes.push(Shape::Text(text));
    }

    /// Draws axes, ticks, grid lines and titles.
    fn axes(&mut self, plot: &Plot, layout: &Layout) {
        let (left, right) = (layout.left, layout.left + layout.inner.0);
        let (top, bottom) = (layout.top, layout.top + layout.inner.1);
        for tick in &layout.x_ticks {
            let x = layout.across(tick.at);
            let length = if tick.text.is_some() { 6.0 } else { 3.0 };
            if let Some(words) = &tick.text {
                self.line((x, top), (x, bottom), FAINT);
                self.text((x, bottom + 20.0), Anchor::Middle, words);
            }
            self.line((x, bottom), (x, bottom + length), DARK);
        }
        for tick in &layout.y_ticks {
            let y = layout.up(tick.at);
            let length = if tick.text.is_some() { 6.0 } else { 3.0 };
            if let Some(words) = &tick.text {
                self.line((left, y), (right, y), FAINT);
                self.text((left - 9.0, y + FONT * 0.35), Anchor::End, words);
            }
            self.line((left - length, y), (left, y), DARK);
        }
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        self.shapes.push(Shape::Polygon { corners, fill: None, stroke: DARK });
        self.text((f64::midpoint(left, right), bottom + 44.0), Anchor::Middle, &plot.x.label);
        let (words, at) = (plot.y.label.clone(), (18.0, f64::midpoint(top, bottom)));
        self.shapes.push(Shape::Text(Text {
            at,
            anchor: Anchor::Middle,
            size: FONT,
            upward: true,
            colour: BLACK,
            words,
        }));
    }

    fn title(&mut self, plot: &Plot, layout: &Layout) {
        let (words, at) = (plot.title.clone(), (layout.left, 24.0));
        self.shapes.push(Shape::Text(Text {
            at,
            anchor: Anchor::Start,
            size: 15.0,
            upward: false,
            colour: BLACK,
            words,
        }));
    }

    fn series(&mut self, plot: &Plot, layout: &Layout, number: usize, look: Look) {
        let (series, aside) = (&plot.series[number], layout.asides[number]);
        let shown = || series.points.iter().enumerate().filter(|(_, point)| seen(plot, point));
        let points: Vec<&Point> = shown().map(|(_, point)| point).collect();
        let places: Vec<Place> =
            points.iter().map(|point| layout.place(point.x, point.y)).map(|(x, y)| (x + aside, y)).collect();
        if series.line && places.len() > 1 {
            self.shapes.push(Shape::Line { places: places.clone(), stroke: look.line() });
        }
        let bar = Stroke { colour: look.colour, width: 1.0, dash: &[] };
        for (point, &(x, y)) in points.iter().zip(&places) {
            if let Some((low, high)) =
                point.bar.filter(|(low, high)| plot.y.shows(*low) && plot.y.shows(*high))
            {
                let ends = [low, high].map(|value| layout.place(point.x, value).1);
                self.line((x, ends[0]), (x, ends[1]), bar);
                for end in ends {
                    self.line((x - 2.5, end), (x + 2.5, end), bar);
                }
            }
            if series.marks {
                self.shapes.push(look.marker(x, y));
            }
        }
        for ((k, _), &(x, y)) in shown().zip(&places) {
            let Some(words) = series.labels.get(k).cloned() else { continue };
            let (size, colour) = (FONT * 0.8, look.colour);
            let (at, anchor) = self.place_label((x, y), &words, size, layout);
            let text = Text { at, anchor, size, upward: false, colour, words };
            self.shapes.push(Shape::Text(text));
        }
    }

    /// Returns a position next to a point where a label covers no earlier one and stays inside the axes: to the right and
    /// above if possible.
    fn place_label(&mut self, (x, y): Place, words: &str, size: f64, layout: &Layout) -> (Place, Anchor) {
        let width = super::layout::width(words) * size / FONT;
        let rows = (0..6).flat_map(|k| [-5.0 - f64::from(k) * size, 12.0 + f64::from(k) * size]);
        let candidates = rows.flat_map(|dy| [(6.0, dy, Anchor::Start), (-6.0, dy, Anchor::End)]);
        let boxed = |(dx, dy, anchor): (f64, f64, Anchor)| {
            let left = if anchor == Anchor::Start { x + dx } else { x + dx - width };
            // A little lower than a row, so that rows next to each other do not touch.
            [left, y + dy - size * 0.78, left + width, y + dy + size * 0.2]
        };
        let covers = |a: &[f64; 4], b: &[f64; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        let is_free = |one: &(f64, f64, Anchor)| !self.labels.iter().any(|other| covers(&boxed(*one), other));
        let is_inside = |one: &(f64, f64, Anchor)| {
            let [left, top, right, bottom] = boxed(*one);
            let (width, height) = layout.inner;
            let across = left > layout.left && right < layout.left + width;
            across && top > layout.top && bottom < layout.top + height
        };
        let best = candidates.clone().find(|one| is_free(one) && is_inside(one));
        let (dx, dy, anchor) =
            best.or_else(|| candidates.clone().find(is_free)).unwrap_or((6.0, -5.0, Anchor::Start));
        self.labels.push(boxed((dx, dy, anchor)));
        ((x + dx, y + dy), anchor)
    }

    fn label(&mut self, label: &Label, series: &Series, look: Look) {
        if series.name.is_empty() {
            return;
        }
        let (x, y) = label.at;
        if series.line {
            self.line((x, y), (x + 28.0, y), look.line());
        }
        if series.marks {
            self.shapes.push(look.marker(x + 14.0, y));
        }
        for (k, words) in label.lines.iter().enumerate() {
            self.text((x + 36.0, y + FONT * 0.35 + 17.0 * k as f64), Anchor::Start, words);
        }
    }
}
