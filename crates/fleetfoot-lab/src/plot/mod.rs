//! Plots: one description, which becomes a list of shapes, which is written as SVG or painted as PNG.
//!
//! Series differ in colour (the palette of Okabe & Ito, made for the colour-blind), in marker and in dashes, so that they
//! can be told apart in print without colour too.

mod axis;
mod drawing;
mod heat;
mod layout;
mod legend;
mod marks;
mod png;
mod svg;

pub use axis::{Axis, Scale};
pub use heat::{HeatCell, HeatMap};

use self::drawing::Drawing;

/// A point with an interval around it, if one is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The ends of an error bar.
    pub bar: Option<(f64, f64)>,
}

impl Point {
    /// Without an error bar.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, bar: None }
    }
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// In the order in which a line goes through them.
    pub points: Vec<Point>,
    /// Whether a line joins them.
    pub line: bool,
    /// Whether each has a marker.
    pub marks: bool,
    /// If these are another's numbers for the same thing (a paper's): the series whose colour and marker they share,
    /// drawn hollow and dotted.
    pub like: Option<usize>,
    /// What stands beside each point, such as its budget; may be empty.
    pub labels: Vec<String>,
}

impl Series {
    /// Points joined by a line.
    pub fn line(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), points, line: true, marks: true, like: None, labels: Vec::new() }
    }

    /// A line through so many points that markers would hide it.
    pub fn curve(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { marks: false, ..Self::line(name, points) }
    }

    /// Points alone.
    pub fn scatter(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { line: false, ..Self::line(name, points) }
    }

    /// The same with a text beside each point.
    #[must_use]
    pub fn labelled(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// The same, as somebody else's numbers for the series with this number.
    #[must_use]
    pub fn like(self, other: usize) -> Self {
        Self { like: Some(other), ..self }
    }
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Above it.
    pub title: String,
    /// Below it.
    pub x: Axis,
    /// On its left.
    pub y: Axis,
    /// What is in it.
    pub series: Vec<Series>,
}

impl Plot {
    /// As a picture of lines: the text of an SVG file.
    pub fn svg(&self) -> String {
        svg::write(&Drawing::of(self))
    }

    /// As a picture of pixels: the bytes of a PNG file, twice as large as the SVG says, for print.
    pub fn png(&self) -> Vec<u8> {
        png::write(&Drawing::of(self))
    }
}

#[cfg(test)]
mod tests;
