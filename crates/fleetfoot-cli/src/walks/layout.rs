//! Which part of the map is drawn, how large, and where its panels go.

use fleetfoot_sim::map::GridMap;

use super::Walk;
use crate::source::Pair;

/// No side of a picture is longer, in pixels.
pub(super) const SIDE: u32 = 2000;
/// Pixels per cell at most.
pub(super) const LARGEST: u32 = 32;
/// Pixels between two panels.
pub(super) const GAP: u32 = 12;

/// A part of the map: its first cell, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Region {
    /// All that was walked, searched or would have been walked, with a margin; the whole map if that is not much more.
    pub(super) fn of(map: &GridMap, walks: &[Walk], pair: Pair) -> Self {
        let mut bounds = Bounds::default();
        bounds.add(pair.0);
        bounds.add(pair.1);
        for walk in walks {
            walk.steps.iter().for_each(|(_, cell)| bounds.add(*cell));
            walk.way.iter().for_each(|cell| bounds.add(*cell));
            for (y, row) in walk.searched.chunks_exact(map.width() as usize).enumerate() {
                let ends = [row.iter().position(|s| *s), row.iter().rposition(|s| *s)];
                ends.into_iter().flatten().for_each(|x| bounds.add((x as u32, y as u32)));
            }
        }
        let side = |low: u32, high: u32, all: u32| {
            let margin = ((high - low) / 12).max(4);
            let (low, high) = (low.saturating_sub(margin), (high + margin + 1).min(all));
            if (high - low) * 5 >= all * 4 { (0, all) } else { (low, high - low) }
        };
        let (x, width) = side(bounds.left, bounds.right, map.width());
        let (y, height) = side(bounds.top, bounds.bottom, map.height());
        Self { x, y, width, height }
    }
}

struct Bounds {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { left: u32::MAX, top: u32::MAX, right: 0, bottom: 0 }
    }
}

impl Bounds {
    fn add(&mut self, (x, y): (u32, u32)) {
        (self.left, self.right) = (self.left.min(x), self.right.max(x));
        (self.top, self.bottom) = (self.top.min(y), self.bottom.max(y));
    }
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

    /// Larger is better.
    fn rank(self) -> i64 {
        match self {
            Self::In(k) => i64::from(k),
            Self::Out(k) => 1 - i64::from(k),
        }
    }
}

/// How panels are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) zoom: Zoom,
}

impl Layout {
    /// The arrangement that shows the cells largest; side by side if that is as good as any.
    pub(super) fn of(region: Region, panels: u32) -> Self {
        let mut best: Option<Self> = None;
        for columns in (1..=panels).rev().filter(|columns| panels.is_multiple_of(*columns)) {
            let rows = panels / columns;
            let room = |panels: u32| (SIDE - GAP * (panels + 1)) / panels;
            let (across, down) = (room(columns), room(rows));
            let zoom = match (across / region.width).min(down / region.height) {
                0 => Zoom::Out(region.width.div_ceil(across).max(region.height.div_ceil(down))),
                k => Zoom::In(k.min(LARGEST)),
            };
            if best.is_none_or(|best| zoom.rank() > best.zoom.rank()) {
                best = Some(Self { columns, rows, zoom });
            }
        }
        best.unwrap_or(Self { columns: 1, rows: 1, zoom: Zoom::In(1) })
    }

    /// Where a panel is, in words.
    pub(crate) fn place(self, panel: usize) -> &'static str {
        match (self.columns, self.rows) {
            (1, 1) => "",
            (2, 1) => ["left", "right"][panel],
            (1, 2) => ["top", "bottom"][panel],
            (3, 1) => ["left", "middle", "right"][panel],
            (1, 3) => ["top", "middle", "bottom"][panel],
            (2, 2) => ["top left", "top right", "bottom left", "bottom right"][panel],
            (4, 1) => ["1st from left", "2nd from left", "3rd from left", "4th from left"][panel],
            _ => ["1st from top", "2nd from top", "3rd from top", "4th from top"][panel],
        }
    }
}
