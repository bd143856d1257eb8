//! Computes how much of each pixel a set of outlines covers.
//!
//! Every edge adds the area to its right to the rows that it crosses, with the sign of its direction. The sum from
//! the left is then the covered share of a pixel. It is exact for outlines that do not cross.

use super::Point;

/// A part of a canvas. Stores for each pixel the change of the coverage compared with the pixel on its left.
pub(super) struct Cover {
    left: f64,
    top: f64,
    width: usize,
    rows: usize,
    change: Vec<f64>,
}

impl Cover {
    /// Creates an empty cover of the part with this first column and row and this size.
    pub(super) fn new((left, top): (u32, u32), (width, rows): (u32, u32)) -> Self {
        let (width, rows) = (width as usize, rows as usize);
        // An edge writes to two pixels at least; the last ones are outside.
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

    /// Returns the covered share of each pixel, from 0 to 1, row by row.
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

/// Adds an edge that goes from `x0` to `x1` and covers `height` of the row.
fn spread(row: &mut [f64], (x0, x1): (f64, f64), height: f64) {
    #[expect(clippy::cast_sign_loss, reason = "clamped to the canvas")]
    let (first, last) = (x0 as usize, x1 as usize);
    // Returns the area right of the edge in the pixels up to `x`, divided by the height.
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
