//! Drawings as PNG, with our own letters, so that they are the same on machines without fonts.

use fleetfoot_view::canvas::{Canvas, Colour, Point as Place, TextStyle};

use super::drawing::{Drawing, Shape, Stroke, Text};

/// Pixels per unit of the drawing.
const FINE: f64 = 2.0;
/// Number of corners of a circle.
const CORNERS: u32 = 32;
/// Maximum number of pixels of a side.
const MOST: f64 = 20_000.0;

pub(super) fn write(drawing: &Drawing) -> Vec<u8> {
    #[expect(clippy::cast_sign_loss, reason = "sizes are positive")]
    let side = |length: f64| (length * FINE).ceil().clamp(1.0, MOST) as u32;
    let mut canvas = Canvas::new(side(drawing.size.0), side(drawing.size.1), [255; 3]);
    for shape in &drawing.shapes {
        match shape {
            Shape::Line { places, stroke } => line(&mut canvas, &fine(places), stroke),
            Shape::Polygon { corners, fill, stroke } => {
                polygon(&mut canvas, fine(corners), *fill, stroke);
            }
            Shape::Circle { centre: (x, y), radius, fill, stroke } => {
                let corner = |k: u32| {
                    let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / f64::from(CORNERS)).sin_cos();
                    (x + radius * cos, y + radius * sin)
                };
                let corners: Vec<Place> = (0..CORNERS).map(corner).collect();
                polygon(&mut canvas, fine(&corners), Some(*fill), stroke);
            }
            Shape::Text(Text { at, anchor, size, upward, colour, words }) => {
                let style =
                    TextStyle { size: size * FINE, anchor: *anchor, upward: *upward, colour: *colour };
                canvas.text((at.0 * FINE, at.1 * FINE), style, words);
            }
        }
    }
    let mut bytes = Vec::new();
    canvas.write(&mut bytes).expect("memory takes everything");
    bytes
}

fn fine(places: &[Place]) -> Vec<Place> {
    places.iter().map(|(x, y)| (x * FINE, y * FINE)).collect()
}

fn polygon(canvas: &mut Canvas, mut corners: Vec<Place>, fill: Option<Colour>, stroke: &Stroke) {
    if let Some(fill) = fill {
        canvas.fill(&[corners.clone()], fill);
    }
    corners.extend_from_within(..2.min(corners.len()));
    line(canvas, &corners, stroke);
}

/// Draws a polyline with flat ends and round joints.
fn line(canvas: &mut Canvas, places: &[Place], stroke: &Stroke) {
    let width = stroke.width * FINE;
    let mut dashes = Dashes::new(stroke.dash);
    for (k, pair) in places.windows(2).enumerate() {
        if k > 0 && dashes.is_on() {
            canvas.dot(pair[0], width / 2.0, stroke.colour);
        }
        dashes.cut(pair[0], pair[1], |from, to| piece(canvas, (from, to), width, stroke.colour));
    }
}

fn piece(canvas: &mut Canvas, (a, b): (Place, Place), width: f64, colour: Colour) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).sqrt();
    if length > 0.0 {
        let (x, y) = (-dy / length * width / 2.0, dx / length * width / 2.0);
        let corners = vec![(a.0 + x, a.1 + y), (b.0 + x, b.1 + y), (b.0 - x, b.1 - y), (a.0 - x, a.1 - y)];
        canvas.fill(&[corners], colour);
    }
}

/// The position within a pattern of dashes and gaps.
struct Dashes {
    /// Lengths in pixels: dash, gap, dash, …
    lengths: Vec<f64>,
    /// The current length, and the rest of it.
    now: usize,
    left: f64,
}

impl Dashes {
    fn new(pattern: &[f64]) -> Self {
        // With an odd number of lengths, the second repetition begins with a gap.
        let twice = pattern.len() % 2 + 1;
        let lengths: Vec<f64> =
            (0..twice).flat_map(|_| pattern).map(|length| (length * FINE).max(1.0)).collect();
        let left = lengths.first().copied().unwrap_or(f64::INFINITY);
        Self { lengths, now: 0, left }
    }

    fn is_on(&self) -> bool {
        self.now.is_multiple_of(2)
    }

    /// Goes from `a` to `b`, and draws the dashes.
    fn cut(&mut self, a: Place, b: Place, mut draw: impl FnMut(Place, Place)) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        let at = |gone: f64| (a.0 + dx * gone / length, a.1 + dy * gone / length);
        let mut gone = 0.0;
        while gone < length {
            let end = gone + self.left;
            if self.is_on() {
                draw(at(gone), at(end.min(length)));
            }
            if end >= length {
                self.left = end - length;
                return;
            }
            gone = end;
            self.now = (self.now + 1) % self.lengths.len();
            self.left = self.lengths[self.now];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that dashes continue around corners and add up to the expected length.
    #[test]
    fn dashes_go_on_from_piece_to_piece() {
        let zigzag: Vec<Place> =
            (0..4000u32).map(|k| (f64::from(k) * 0.37, f64::from(k * k % 17) / 3.0)).collect();
        let far = |a: Place, b: Place| ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt();
        let all: f64 = zigzag.windows(2).map(|pair| far(pair[0], pair[1])).sum();
        for (pattern, share) in
            [(&[][..], 1.0), (&[2.0, 2.5], 2.0 / 4.5), (&[8.0, 3.0, 2.0, 3.0], 10.0 / 16.0)]
        {
            let (mut dashes, mut drawn) = (Dashes::new(pattern), 0.0);
            for pair in zigzag.windows(2) {
                dashes.cut(pair[0], pair[1], |from, to| drawn += far(from, to));
            }
            assert!((drawn / all - share).abs() < 0.01, "{drawn} of {all}");
        }
    }
}
