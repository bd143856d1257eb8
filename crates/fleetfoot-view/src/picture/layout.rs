//! Which part of the map is drawn, how large, and where its panels go.

use crate::canvas::{Frame, Point};

/// Pixels between two panels.
const GAP: u32 = 8;
/// Pixels per cell at most.
const LARGEST: u32 = 24;

/// How panels are arranged, and what they show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    columns: u32,
    rows: u32,
    /// First cell, and how many.
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) zoom: Zoom,
}

/// How large a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zoom {
    /// So many pixels per cell.
    In(u32),
    /// So many cells per pixel.
    Out(u32),
}

impl Zoom {
    fn pixels(self, cells: u32) -> u32 {
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
    /// Panels that show these cells of a map as large as fits into a square of `side` pixels.
    pub(super) fn new(map: (u32, u32), cells: &[(u32, u32)], panels: u32, side: u32) -> Self {
        let span = |of: fn(&(u32, u32)) -> u32, all: u32| {
            let (low, high) = cells.iter().map(of).fold((u32::MAX, 0), |(a, b), k| (a.min(k), b.max(k)));
            let margin = ((high - low) / 12).max(3);
            let (low, high) = (low.saturating_sub(margin), (high + margin + 1).min(all));
            // Not much less than all is all.
            if (high - low) * 5 >= all * 4 { (0, all) } else { (low, high - low) }
        };
        let ((left, width), (top, height)) = (span(|c| c.0, map.0), span(|c| c.1, map.1));
        let arrange = |columns: u32| {
            let rows = panels.div_ceil(columns);
            let room = |panels: u32| (side.saturating_sub(GAP * (panels - 1)) / panels).max(1);
            let (across, down) = (room(columns), room(rows));
            let zoom = match (across / width).min(down / height) {
                0 => Zoom::Out(width.div_ceil(across).max(height.div_ceil(down))),
                k => Zoom::In(k.min(LARGEST)),
            };
            Self { columns, rows, left, top, width, height, zoom }
        };
        let better = |a: Self, b: Self| if b.zoom.factor() > a.zoom.factor() { b } else { a };
        (1..=panels)
            .rev()
            .filter(|columns| panels.is_multiple_of(*columns))
            .map(arrange)
            .reduce(better)
            .unwrap_or_else(|| arrange(1))
    }

    /// Pixels of the whole picture.
    pub(super) fn size(&self) -> (u32, u32) {
        let side = |panels: u32, cells: u32| panels * self.zoom.pixels(cells) + GAP * (panels - 1);
        (side(self.columns, self.width), side(self.rows, self.height))
    }

    /// Where a panel is.
    pub(super) fn frame(&self, panel: u32) -> Frame {
        let (width, height) = (self.zoom.pixels(self.width), self.zoom.pixels(self.height));
        let (left, top) = (panel % self.columns * (width + GAP), panel / self.columns * (height + GAP));
        Frame { left, top, right: left + width, bottom: top + height }
    }

    /// The middle of a cell in a panel.
    pub(super) fn centre(&self, frame: Frame, (x, y): (u32, u32)) -> Point {
        let place = |edge: u32, cell: u32, first: u32| {
            f64::from(edge) + (f64::from(cell) - f64::from(first) + 0.5) * self.zoom.factor()
        };
        (place(frame.left, x, self.left), place(frame.top, y, self.top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_all_cells_within_the_side() {
        for (map, panels, side) in
            [((40, 40), 1, 640), ((1024, 700), 4, 300), ((1, 1), 3, 64), ((9, 2000), 2, 64)]
        {
            let layout = Layout::new(map, &[(0, 0), (map.0 - 1, map.1 - 1)], panels, side);
            let (width, height) = layout.size();
            assert!(width <= side.max(panels * 9) && height <= side.max(panels * 9), "{layout:?}");
            for panel in 0..panels {
                let frame = layout.frame(panel);
                assert!(frame.right <= width && frame.bottom <= height);
                let (x, y) = layout.centre(frame, (map.0 - 1, map.1 - 1));
                assert!(x <= f64::from(frame.right) && y <= f64::from(frame.bottom));
            }
        }
    }
}
