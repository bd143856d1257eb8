//! How much of each pixel outlines cover.
//!
//! Every edge adds, in the rows that it crosses, the area to its right with the sign of its direction. What is summed up
//! from the left is then the share of a pixel inside: exact for outlines that do not cross.

use super::Point;

/// A part of a canvas, and by pixel the change of what is covered from the pixel on its left.
pub(super) struct Cover {
    left: f64,
    top: f64,
    width: usize,
    rows: usize,
    change: Vec<f64>,
}

impl Cover {
    /// Nothing is covered yet. The part is given by its first column and row, and its size.
    pub(super) fn new((left, top): (u32, u32), (width, rows): (u32, u32)) -> Self {
        let (width, rows) = (width as usize, rows as usize);
        // An edge tells two pixels at least; the last ones are outside.
        let change = vec![0.0; (width + 2) * rows];
        Self { left: f64::from(left), top: f64::from(top), width, rows, change }
    }

    /// Adds a closed outline.
    pub(super) fn add(&mut self, outline: &[Point]) {
        for (k, &from) in outline.iter().enumerate() {
            self.edge(from, outline[(k + 1) % outline.len()]);
        }
    }

    fn edge(&mut self, from: Point, to: Point) {
        let sign = if from.1 < to.1 { 1.0 } else { -1.0 };
        let (a, b) = if from.1 < to.1 { (from, to) } else { (to, from) };
        let (a, b) = ((a.0 - self.left, a.1 - self.top), (b.0 - self.left, b.1 - self.top));
        let (begin, end) = (a.1.max(0.0), b.1.min(self.rows as f64));
        if begin >= end {
            return;
        }
        let x_at = |y: f64| (a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1)).clamp(0.0, self.width as f64);
        #[expect(clippy::cast_sign_loss, reason = "clamped to the canvas")]
        let rows = begin as usize..(end.ceil() as usize).min(self.rows);
        for row in rows {
            let (upper, lower) = (begin.max(row as f64), end.min((row + 1) as f64));
            let (x0, x1) = (x_at(upper), x_at(lower));
            spread(
                &mut self.change[row * (self.width + 2)..][..self.width + 2],
                (x0.min(x1), x0.max(x1)),
                sign * (lower - upper),
            );
        }
    }

    /// By pixel, row by row: the share that is covered, from 0 to 1.
    pub(super) fn shares(&self) -> impl Iterator<Item = impl Iterator<Item = f64>> {
        self.change.chunks(self.width + 2).map(|row| {
            let mut sum = 0.0;
            row[..self.width].iter().map(move |change| {
                sum += change;
                sum.abs().min(1.0)
            })
        })
    }
}

/// An edge goes from `x0` to `x1` over so much of a row: what it changes in each pixel.
fn spread(row: &mut [f64], (x0, x1): (f64, f64), height: f64) {
    #[expect(clippy::cast_sign_loss, reason = "clamped to the canvas")]
    let (first, last) = (x0 as usize, x1 as usize);
    // The area right of the edge in the pixels up to this place, divided by the height.
    let area_to = |x: f64| {
        let x = x.max(x0);
        if x >= x1 { x - f64::midpoint(x0, x1) } else { (x - x0) * (x - x0) / (2.0 * (x1 - x0)) }
    };
    let (mut area_before, mut share_before) = (0.0, 0.0);
    for pixel in first..=(last + 1).min(row.len() - 1) {
        let area = area_to((pixel + 1) as f64);
        let share = area - area_before;
        row[pixel] += height * (share - share_before);
        (area_before, share_before) = (area, share);
    }
}
