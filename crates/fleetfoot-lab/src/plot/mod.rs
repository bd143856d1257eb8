//! Plots: a description becomes a list of shapes, which is written as SVG or painted as PNG.
//!
//! Series differ in color (the color-blind palette of Okabe & Ito), marker and dashes, so that they are
//! distinguishable in black and white as well.

mod axis;
mod drawing;
mod heat;
mod layout;
mod legend;
mod marks;
mod pdf;
mod png;
mod svg;

pub use axis::{Axis, Scale};
pub use heat::{HeatCell, HeatMap};

use self::drawing::Drawing;
use self::layout::Sheet;

/// Width of a column of a paper, in points.
const COLUMN_POINTS: f64 = 240.0;

/// A point with an interval, if one is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Horizontal coordinate.
    pub x: f64,
    /// Vertical coordinate.
    pub y: f64,
    /// The ends of an error bar.
    pub bar: Option<(f64, f64)>,
}

impl Point {
    /// Creates a point without an error bar.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, bar: None }
    }
}

/// A series of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// The points, in the order of the line.
    pub points: Vec<Point>,
    /// A line joins the points.
    pub line: bool,
    /// Each point has a marker.
    pub marks: bool,
    /// The series with our numbers, if these are the numbers of a paper. Shares its color and marker, hollow and
    /// dotted.
    pub like: Option<usize>,
    /// A label for each point, such as its budget. May be empty.
    pub labels: Vec<String>,
}

impl Series {
    /// Creates points joined by a line.
    pub fn line(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { name: name.into(), points, line: true, marks: true, like: None, labels: Vec::new() }
    }

    /// Creates a line through a large number of points, without markers.
    pub fn curve(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { marks: false, ..Self::line(name, points) }
    }

    /// Creates points without a line.
    pub fn scatter(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self { line: false, ..Self::line(name, points) }
    }

    /// Adds a label to each point.
    #[must_use]
    pub fn labelled(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// Marks the series as a paper's numbers for the series with this index.
    #[must_use]
    pub fn like(self, other: usize) -> Self {
        Self { like: Some(other), ..self }
    }
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Title above the plot.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
}

impl Plot {
    /// Returns the text of an SVG file.
    pub fn svg(&self) -> String {
        svg::write(&Drawing::of(self, Sheet::Screen))
    }

    /// Returns the bytes of a PDF file for a column of a paper: 240 points wide, without a title, with letters as outlines.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::write(&Drawing::of(self, Sheet::Column), COLUMN_POINTS)
    }

    /// Returns the bytes of a PNG file, at twice the size of the SVG, for print.
    pub fn png(&self) -> Vec<u8> {
        png::write(&Drawing::of(self, Sheet::Screen))
    }
}

#[cfg(test)]
mod tests;
