//! Tables of colored cells, for ratios that are best at 1 or below.

use fleetfoot_view::canvas::{Anchor, Colour, Point as Place};

use super::drawing::{Drawing, Shape, Stroke, Text};
use super::layout::{FONT, width};
use super::{pdf, png, svg};

/// Width and height of a cell.
const CELL: (f64, f64) = (92.0, 46.0);
/// The gap between two groups of columns.
const GAP: f64 = 22.0;
/// Height above the cells: title, names of groups, names of columns.
const TOP: f64 = 92.0;
/// Height below the cells: the label of the columns, and the scale.
const FOOT: f64 = 88.0;
/// Points per unit of the drawing, so that letters have 8 points; and the width of a page with two columns.
const POINTS: f64 = 8.0 / FONT;
const PAGE_POINTS: f64 = 504.0;
/// Colors of Okabe & Ito, distinguishable for color-blind readers.
const LESS: Colour = [0x56, 0xb4, 0xe9];
const MORE: Colour = [0xd5, 0x5e, 0x00];
const GRAY: Colour = [0xee; 3];
const BORDER: Stroke = Stroke { colour: [0x99; 3], width: 0.8, dash: &[] };

/// A table of ratios. The color of a cell shows its distance from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Title above the table.
    pub title: String,
    /// The name of each group of columns, and the names of its columns.
    pub groups: Vec<(String, Vec<String>)>,
    /// Label below the columns.
    pub x: String,
    /// The name of each row, and a cell for each column; `None` where there are no data.
    pub rows: Vec<(String, Vec<Option<HeatCell>>)>,
    /// The ratio with the strongest color. Larger ones look the same.
    pub most: f64,
}

/// A cell of a [`HeatMap`].
#[derive(Clone, Debug, PartialEq)]
pub struct HeatCell {
    /// The ratio that is shown, as a number and as a color.
    pub value: f64,
    /// A short text below the number.
    pub note: String,
}

impl HeatMap {
    /// Returns the text of an SVG file.
    pub fn svg(&self) -> String {
        svg::write(&self.drawing())
    }

    /// Returns the bytes of a PDF file for a paper, at most as wide as a page with two columns.
    pub fn pdf(&self) -> Vec<u8> {
        let drawing = self.drawing();
        let width = (drawing.size.0 * POINTS).min(PAGE_POINTS);
        pdf::write(&drawing, width)
    }

    /// Returns the bytes of a PNG file, at twice the size of the SVG, for print.
    pub fn png(&self) -> Vec<u8> {
        png::write(&self.drawing())
    }

    fn drawing(&self) -> Drawing {
        let left = 24.0 + self.rows.iter().map(|(name, _)| width(name)).fold(0.0, f64::max);
        let columns: f64 = self.groups.iter().map(|(_, columns)| columns.len() as f64).sum();
        let across = columns * CELL.0 + (self.groups.len().max(1) - 1) as f64 * GAP;
        let bottom = TOP + self.rows.len() as f64 * CELL.1;
        let size = ((left + across + 16.0).max(width(&self.title) * 1.2 + 32.0).round(), bottom + FOOT);
        let mut drawing = Drawing::blank(size);
        drawing.words((16.0, 26.0), Anchor::Start, 15.0, &self.title);
        for (row, (name, _)) in self.rows.iter().enumerate() {
            let y = TOP + (row as f64 + 0.5) * CELL.1 + FONT * 0.35;
            drawing.words((left - 10.0, y), Anchor::End, FONT, name);
        }
        let (mut x, mut first) = (left, 0);
        for (name, columns) in &self.groups {
            let wide = columns.len() as f64 * CELL.0;
            drawing.words((x + wide / 2.0, TOP - 34.0), Anchor::Middle, FONT, name);
            drawing.words((x + wide / 2.0, bottom + 24.0), Anchor::Middle, FONT, &self.x);
            for (k, column) in columns.iter().enumerate() {
                let at = x + k as f64 * CELL.0;
                drawing.words((at + CELL.0 / 2.0, TOP - 10.0), Anchor::Middle, FONT, column);
                for (row, (_, cells)) in self.rows.iter().enumerate() {
                    let cell = cells.get(first + k).and_then(Option::as_ref);
                    self.cell(&mut drawing, (at, TOP + row as f64 * CELL.1), cell);
                }
            }
            (x, first) = (x + wide + GAP, first + columns.len());
        }
        self.scale(&mut drawing, (left, bottom + 44.0));
        drawing
    }

    fn cell(&self, drawing: &mut Drawing, (x, y): Place, cell: Option<&HeatCell>) {
        let Some(HeatCell { value, note }) = cell else {
            drawing.field((x, y), CELL, GRAY);
            drawing.words((x + CELL.0 / 2.0, y + CELL.1 * 0.6), Anchor::Middle, FONT, "–");
            return;
        };
        drawing.field((x, y), CELL, self.color(*value));
        let number = if *value < 99.5 { format!("{value:.2}") } else { format!("{value:.0}") };
        drawing.words((x + CELL.0 / 2.0, y + 20.0), Anchor::Middle, 14.0, &number);
        // Long names are smaller, so that they fit.
        let small = (FONT * 0.8).min(FONT * (CELL.0 - 6.0) / width(note).max(1.0));
        drawing.words((x + CELL.0 / 2.0, y + 37.0), Anchor::Middle, small, note);
    }

    /// Returns the color of a ratio: white at 1, and equally strong for inverse ratios.
    fn color(&self, value: f64) -> Colour {
        let strength = value.ln() / self.most.ln();
        let end = if strength < 0.0 { LESS } else { MORE };
        let share = strength.abs().clamp(0.0, 1.0) * 0.85;
        #[expect(clippy::cast_sign_loss, reason = "between 0 and 255")]
        let mix = |part: u8| (255.0 + (f64::from(part) - 255.0) * share).round() as u8;
        end.map(mix)
    }

    /// Draws the scale of colors.
    fn scale(&self, drawing: &mut Drawing, (x, y): Place) {
        let root = self.most.sqrt();
        let steps = [1.0 / root, 1.0, root.sqrt(), root, self.most / root.sqrt(), self.most];
        for (k, value) in steps.into_iter().enumerate() {
            let at = x + k as f64 * 62.0;
            drawing.field((at, y), (62.0, 14.0), self.color(value));
            let more = if k + 1 == steps.len() { "≥ " } else { "" };
            let words = format!("{more}{}", crate::number((value * 100.0).round() / 100.0));
            drawing.words((at + 31.0, y + 30.0), Anchor::Middle, FONT * 0.85, &words);
        }
    }
}

impl Drawing {
    fn words(&mut self, at: Place, anchor: Anchor, size: f64, words: &str) {
        let text = Text { at, anchor, size, upward: false, colour: [0; 3], words: words.to_owned() };
        self.shapes.push(Shape::Text(text));
    }

    fn field(&mut self, (x, y): Place, (wide, high): (f64, f64), fill: Colour) {
        let corners = vec![(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)];
        self.shapes.push(Shape::Polygon { corners, fill: Some(fill), stroke: BORDER });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> HeatMap {
        let cell = |value: f64| Some(HeatCell { value, note: "tbaa".into() });
        HeatMap {
            title: "Regret <of auto>".into(),
            groups: vec![("a".into(), vec!["1".into(), "10".into()]), ("b".into(), vec!["1".into()])],
            x: "expansions".into(),
            rows: vec![
                ("known".into(), vec![cell(1.0), cell(123.4), None]),
                ("doors".into(), vec![cell(0.9)]),
            ],
            most: 8.0,
        }
    }

    #[test]
    fn every_cell_is_drawn_with_its_number() {
        let svg = map().svg();
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let named = |name: &str| tree.descendants().filter(|node| node.tag_name().name() == name).count();
        // Two rows of three cells, one of them without a number and two without data, and six steps of the scale.
        assert_eq!(named("polygon"), 12);
        for words in [">1.00<", ">123<", ">0.90<", ">known<", ">doors<", "&lt;of auto&gt;"] {
            assert!(svg.contains(words), "{words}");
        }
        assert_eq!(svg.matches(">–<").count(), 3);
        assert!(!svg.contains("NaN") && svg == map().svg());
        assert_eq!(map().png()[1..4], *b"PNG");
    }

    #[test]
    fn colors_say_how_far_from_one() {
        let map = map();
        let dark = |value: f64| map.color(value).map(u32::from).iter().sum::<u32>();
        assert_eq!(map.color(1.0), [255; 3]);
        assert!(dark(1.5) > dark(3.0) && dark(3.0) > dark(8.0));
        assert_eq!(map.color(8.0), map.color(80.0));
        assert_ne!(map.color(0.5), map.color(2.0));
    }
}
