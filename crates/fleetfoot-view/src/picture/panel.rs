//! A part of a map, once or several times side by side. Shared by all pictures of maps.

use super::bitmap_text;
use crate::canvas::{Area, Canvas, Colour, Point};
use crate::palette::{GOAL, INK, PAPER, START};

/// A cell as (column, row).
pub(super) type Cell = (u32, u32);

/// The dimensions of panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Pixels between two panels.
    pub(super) gap: u32,
    /// Pixels around all panels.
    pub(super) edge: u32,
    /// Maximum number of pixels per cell.
    pub(super) largest: u32,
    /// Minimum number of cells around the content.
    pub(super) margin: u32,
    /// Pixels above each panel, for a label.
    pub(super) label: u32,
}

/// How panels are arranged, and which part of the map they show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// First column and row, and numbers of columns and rows.
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) zoom: Zoom,
    pub(super) style: Style,
}

/// The size of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zoom {
    /// Pixels per cell.
    In(u32),
    /// Cells per pixel.
    Out(u32),
}

impl Zoom {
    pub(super) fn pixels(self, cells: u32) -> u32 {
        match self {
            Self::In(k) => cells * k,
            Self::Out(k) => cells.div_ceil(k),
        }
    }

    pub(super) fn factor(self) -> f64 {
        match self {
            Self::In(k) => f64::from(k),
            Self::Out(k) => 1.0 / f64::from(k),
        }
    }
}

impl Layout {
    /// Arranges panels that show these cells of a map with a margin. The picture is as large as fits into a square of
    /// `side` pixels. Panels are side by side unless another arrangement is larger.
    pub(super) fn new(style: Style, map: (u32, u32), cells: &[Cell], panels: u32, side: u32) -> Self {
        let span = |of: fn(&Cell) -> u32, all: u32| {
            let (low, high) = cells.iter().map(of).fold((u32::MAX, 0), |(a, b), k| (a.min(k), b.max(k)));
            let margin = (high.saturating_sub(low) / 12).max(style.margin);
            let (low, high) = (low.saturating_sub(margin), (high + margin + 1).min(all));
            // A part that is almost the whole map is extended to all of it.
            if (high - low) * 5 >= all * 4 { (0, all) } else { (low, high - low) }
        };
        let ((left, width), (top, height)) = (span(|c| c.0, map.0), span(|c| c.1, map.1));
        let arrange = |columns: u32| {
            let rows = panels.div_ceil(columns);
            let around = |panels: u32| style.gap * (panels - 1) + 2 * style.edge;
            let room = |panels: u32| (side.saturating_sub(around(panels)) / panels).max(1);
            let (across, down) = (room(columns), room(rows).saturating_sub(style.label).max(1));
            let zoom = match (across / width).min(down / height) {
                0 => Zoom::Out(width.div_ceil(across).max(height.div_ceil(down))),
                k => Zoom::In(k.min(style.largest)),
            };
            Self { columns, rows, left, top, width, height, zoom, style }
        };
        let better = |a: Self, b: Self| if b.zoom.factor() > a.zoom.factor() { b } else { a };
        (1..=panels)
            .rev()
            .filter(|columns| panels.is_multiple_of(*columns))
            .map(arrange)
            .reduce(better)
            .unwrap_or_else(|| arrange(1))
    }

    /// Returns the size of the picture in pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        let Style { gap, edge, label, .. } = self.style;
        let side = |panels: u32, cells: u32| panels * self.zoom.pixels(cells) + gap * (panels - 1) + 2 * edge;
        (side(self.columns, self.width), side(self.rows, self.height) + self.rows * label)
    }

    /// Returns the area of a panel.
    pub(super) fn frame(&self, panel: u32) -> Area {
        let Style { gap, edge, label, .. } = self.style;
        let (width, height) = (self.zoom.pixels(self.width), self.zoom.pixels(self.height));
        let left = edge + panel % self.columns * (width + gap);
        let top = edge + label + panel / self.columns * (height + gap + label);
        Area { left, top, right: left + width, bottom: top + height }
    }

    /// Returns the middle of a cell in a panel.
    pub(super) fn centre(&self, frame: Area, (x, y): Cell) -> Point {
        let place = |edge: u32, cell: u32, first: u32| {
            f64::from(edge) + (f64::from(cell) - f64::from(first) + 0.5) * self.zoom.factor()
        };
        (place(frame.left, x, self.left), place(frame.top, y, self.top))
    }

    /// Returns the position of one of up to four panels, in words.
    pub(super) fn place(&self, panel: usize) -> &'static str {
        let names: &[&'static str] = match (self.columns, self.rows) {
            (1, 1) => &[""],
            (2, 1) => &["left", "right"],
            (1, 2) => &["top", "bottom"],
            (3, 1) => &["left", "middle", "right"],
            (1, 3) => &["top", "middle", "bottom"],
            (2, 2) => &["top left", "top right", "bottom left", "bottom right"],
            (4, 1) => &["1st from left", "2nd from left", "3rd from left", "4th from left"],
            _ => &["1st from top", "2nd from top", "3rd from top", "4th from top"],
        };
        names.get(panel).copied().unwrap_or_default()
    }
}

/// One panel of a picture.
pub(super) struct Panel<'a> {
    pub(super) canvas: &'a mut Canvas,
    pub(super) frame: Area,
    pub(super) layout: &'a Layout,
}

impl<'a> Panel<'a> {
    /// Creates the panel with this number.
    pub(super) fn new(canvas: &'a mut Canvas, layout: &'a Layout, number: usize) -> Self {
        Self { canvas, frame: layout.frame(number as u32), layout }
    }

    /// Writes the first of these labels that fits above the panel.
    pub(super) fn label(&mut self, labels: &[String]) {
        let room = self.frame.right - self.frame.left;
        let scale = self.layout.style.label / bitmap_text::line_height(1);
        if let Some(label) = labels.iter().find(|label| bitmap_text::width(label, scale) <= room) {
            let top = self.frame.top - self.layout.style.label;
            bitmap_text::draw(self.canvas, (self.frame.left, top), scale, INK, label);
        }
    }

    /// Paints all cells in their colors. A pixel shared by several cells gets their mean.
    pub(super) fn ground(&mut self, cell: impl Fn(Cell) -> Colour) {
        let Layout { left, top, width, height, zoom, .. } = *self.layout;
        match zoom {
            Zoom::In(k) => {
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let colour = cell((left + x, top + y));
                    for (dx, dy) in (0..k).flat_map(|dy| (0..k).map(move |dx| (dx, dy))) {
                        self.canvas.set((self.frame.left + x * k + dx, self.frame.top + y * k + dy), colour);
                    }
                }
            }
            Zoom::Out(k) => {
                let Area { left, top, right, bottom } = self.frame;
                for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
                    let colour = self.mean(&cell, (x - left, y - top), k);
                    self.canvas.set((x, y), colour);
                }
            }
        }
    }

    /// Returns the mean color of the cells under a pixel.
    fn mean(&self, cell: impl Fn(Cell) -> Colour, (px, py): (u32, u32), k: u32) -> Colour {
        let Layout { left, top, width, height, .. } = *self.layout;
        let (mut sum, mut count) = ([0; 3], 0);
        for y in py * k..(py * k + k).min(height) {
            for x in px * k..(px * k + k).min(width) {
                let colour = cell((left + x, top + y));
                (0..3).for_each(|k| sum[k] += u32::from(colour[k]));
                count += 1;
            }
        }
        sum.map(|sum| (sum / count.max(1)) as u8)
    }

    pub(super) fn centre(&self, cell: Cell) -> Point {
        self.layout.centre(self.frame, cell)
    }

    pub(super) fn line(&mut self, (from, to): (Cell, Cell), width: f64, colour: Colour) {
        let ends = (self.centre(from), self.centre(to));
        self.canvas.line(self.frame, ends, width, colour);
    }

    /// Draws a line along adjacent cells.
    pub(super) fn path(&mut self, cells: &[Cell], width: f64, colour: Colour) {
        for step in cells.windows(2) {
            self.line((step[0], step[1]), width, colour);
        }
    }

    pub(super) fn disc(&mut self, cell: Cell, radius: f64, colour: Colour) {
        self.canvas.disc(self.frame, self.layout.centre(self.frame, cell), radius, colour);
    }

    /// Draws the mark of a step back.
    pub(super) fn step_back(&mut self, cell: Cell, radius: f64) {
        self.disc(cell, radius + 1.0, INK);
        self.disc(cell, radius, PAPER);
    }

    /// Draws start and goal, which differ in shape and color, with a rim that contrasts with any terrain.
    pub(super) fn ends(&mut self, (start, goal): (Cell, Cell), side: f64) {
        let rim = (side / 7.0).max(1.2);
        let (start, goal) = (self.centre(start), self.centre(goal));
        for (grow, ink) in [(2.0 * rim, Some(PAPER)), (rim, Some(INK)), (0.0, None)] {
            self.canvas.square(self.frame, start, side + 2.0 * grow, ink.unwrap_or(START));
            self.canvas.diamond(self.frame, goal, side * 0.72 + grow, ink.unwrap_or(GOAL));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIGHT: Style = Style { gap: 8, edge: 0, largest: 24, margin: 3, label: 0 };
    const WIDE: Style = Style { gap: 12, edge: 12, largest: 32, margin: 4, label: 0 };

    #[test]
    fn shows_all_cells_within_the_side() {
        for style in [TIGHT, WIDE] {
            for (map, panels, side) in
                [((40, 40), 1, 640), ((1024, 700), 4, 300), ((1, 1), 3, 90), ((9, 2000), 2, 64)]
            {
                let layout = Layout::new(style, map, &[(0, 0), (map.0 - 1, map.1 - 1)], panels, side);
                let (width, height) = layout.size();
                let most = side.max(panels * 13 + 24);
                assert!(width <= most && height <= most, "{layout:?}");
                for panel in 0..panels {
                    let frame = layout.frame(panel);
                    assert!(frame.right <= width && frame.bottom <= height);
                    let (x, y) = layout.centre(frame, (map.0 - 1, map.1 - 1));
                    assert!(x <= f64::from(frame.right) && y <= f64::from(frame.bottom));
                }
            }
        }
    }

    #[test]
    fn panels_show_the_content_and_little_else() {
        let region = |cells: &[Cell]| {
            let Layout { left, top, width, height, .. } = Layout::new(WIDE, (300, 200), cells, 1, 2000);
            (left, top, width, height)
        };
        assert_eq!(region(&[(100, 90), (102, 90)]), (96, 86, 11, 9));
        assert_eq!(region(&[(100, 90), (160, 90), (101, 30)]), (95, 25, 71, 71));
        assert_eq!(region(&[(100, 90), (299, 90), (1, 1)]), (0, 0, 300, 98), "most of it is all of it");
    }

    #[test]
    fn cells_are_as_large_as_fits() {
        let layout = |width, height, panels| {
            let cells = [(0, 0), (width - 1, height - 1)];
            let layout = Layout::new(WIDE, (width, height), &cells, panels, 2000);
            assert!(layout.size().0 <= 2000 && layout.size().1 <= 2000);
            (layout.columns, layout.rows, layout.zoom)
        };
        assert_eq!(layout(512, 512, 1), (1, 1, Zoom::In(3)));
        assert_eq!(layout(100, 100, 2), (2, 1, Zoom::In(9)));
        assert_eq!(layout(300, 40, 2), (1, 2, Zoom::In(6)), "wide maps one below the other");
        assert_eq!(layout(100, 100, 4), (2, 2, Zoom::In(9)));
        assert_eq!(layout(40, 300, 4), (4, 1, Zoom::In(6)));
        assert_eq!(layout(8, 4, 3), (3, 1, Zoom::In(32)));
        assert_eq!(layout(4096, 4096, 1), (1, 1, Zoom::Out(3)));
        assert_eq!(layout(4096, 1000, 2), (1, 2, Zoom::Out(3)));
    }

    #[test]
    fn panels_have_names_of_their_own() {
        for (columns, rows) in [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2), (4, 1), (1, 4)] {
            let layout = Layout { columns, rows, ..Layout::new(TIGHT, (9, 9), &[(4, 4)], 1, 99) };
            let mut names: Vec<_> = (0..(columns * rows) as usize).map(|k| layout.place(k)).collect();
            names.dedup();
            assert_eq!(names.len(), (columns * rows) as usize);
        }
    }
}
