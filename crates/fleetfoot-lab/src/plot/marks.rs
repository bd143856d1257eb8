//! The styles of series.

use fleetfoot_view::canvas::Colour;

use super::drawing::{Shape, Stroke};

/// Okabe & Ito's colors, without yellow, which is invisible on paper.
const COLOURS: [Colour; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0x00, 0x00, 0x00],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
];
const DASHES: [&[f64]; 5] = [&[], &[7.0, 3.0], &[2.0, 2.5], &[8.0, 3.0, 2.0, 3.0], &[12.0, 4.0]];
const DOTS: &[f64] = &[1.5, 3.0];

/// Markers with corners, relative to the middle.
const MARKERS: [&[(f64, f64)]; 6] = [
    &[(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)],
    &[(0.0, -4.4), (4.1, 3.2), (-4.1, 3.2)],
    &[(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)],
    &[(0.0, 4.4), (4.1, -3.2), (-4.1, -3.2)],
    &[
        (-1.2, -4.2),
        (1.2, -4.2),
        (1.2, -1.2),
        (4.2, -1.2),
        (4.2, 1.2),
        (1.2, 1.2),
        (1.2, 4.2),
        (-1.2, 4.2),
        (-1.2, 1.2),
        (-4.2, 1.2),
        (-4.2, -1.2),
        (-1.2, -1.2),
    ],
    &[(0.0, -4.6), (4.4, -1.4), (2.7, 3.8), (-2.7, 3.8), (-4.4, -1.4)],
];

/// The style of one series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) colour: Colour,
    dash: &'static [f64],
    /// Marker: 0 is a circle, the others are in [`MARKERS`].
    marker: usize,
    /// The marker is not filled.
    hollow: bool,
}

impl Look {
    pub(super) fn of(number: usize, like: Option<usize>) -> Self {
        let model = like.unwrap_or(number);
        Self {
            colour: COLOURS[model % COLOURS.len()],
            dash: if like.is_some() { DOTS } else { DASHES[number % DASHES.len()] },
            marker: model % 7,
            hollow: like.is_some() || model % 14 >= 7,
        }
    }

    /// Returns its stroke.
    pub(super) fn line(&self) -> Stroke {
        Stroke { colour: self.colour, width: 1.8, dash: self.dash }
    }

    /// Returns its marker at a position.
    pub(super) fn marker(&self, x: f64, y: f64) -> Shape {
        let fill = if self.hollow { [255; 3] } else { self.colour };
        let stroke = Stroke { colour: self.colour, width: 1.2, dash: &[] };
        if self.marker == 0 {
            return Shape::Circle { centre: (x, y), radius: 3.6, fill, stroke };
        }
        let corners = MARKERS[self.marker - 1].iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        Shape::Polygon { corners, fill: Some(fill), stroke }
    }
}
