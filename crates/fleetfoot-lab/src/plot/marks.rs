//! How series look.

/// Okabe & Ito's colours, the yellow left out, which paper swallows.
const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"];
const DASHES: [&str; 5] = ["", "7 3", "2 2.5", "8 3 2 3", "12 4"];

/// The look of one series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) colour: &'static str,
    pub(super) dash: &'static str,
    /// Which shape the marker has.
    shape: usize,
    /// Whether the marker is not filled.
    hollow: bool,
}

impl Look {
    pub(super) fn of(number: usize, like: Option<usize>) -> Self {
        let model = like.unwrap_or(number);
        Self {
            colour: COLOURS[model % COLOURS.len()],
            dash: if like.is_some() { "1.5 3" } else { DASHES[number % DASHES.len()] },
            shape: model % 7,
            hollow: like.is_some() || model % 14 >= 7,
        }
    }

    /// The marker at a place.
    pub(super) fn marker(&self, x: f64, y: f64) -> String {
        let fill = if self.hollow { "#ffffff" } else { self.colour };
        let paint = format!("fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1.2\"", self.colour);
        let polygon = |corners: &[(f64, f64)]| {
            let points: Vec<String> =
                corners.iter().map(|(dx, dy)| format!("{:.2},{:.2}", x + dx, y + dy)).collect();
            format!("<polygon points=\"{}\" {paint}/>", points.join(" "))
        };
        match self.shape {
            0 => format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3.6\" {paint}/>"),
            1 => polygon(&[(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)]),
            2 => polygon(&[(0.0, -4.4), (4.1, 3.2), (-4.1, 3.2)]),
            3 => polygon(&[(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)]),
            4 => polygon(&[(0.0, 4.4), (4.1, -3.2), (-4.1, -3.2)]),
            5 => polygon(&[
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
            ]),
            _ => polygon(&[(0.0, -4.6), (4.4, -1.4), (2.7, 3.8), (-2.7, 3.8), (-4.4, -1.4)]),
        }
    }
}
