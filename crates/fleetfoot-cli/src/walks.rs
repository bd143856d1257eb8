//! Walks as pictures: the same part of the map once per walk, side by side.

use fleetfoot::{Event, Graph, Grid, NodeId, Probe};
use fleetfoot_sim::map::{GridMap, is_passable};

use crate::canvas::{Canvas, Colour, Frame, Point, blend};
use crate::paint;
use crate::source::Pair;

/// No side of a picture is longer, in pixels.
const SIDE: u32 = 2000;
/// Pixels per cell at most.
const LARGEST: u32 = 32;
/// Pixels between two panels.
const GAP: u32 = 12;

const PAPER: Colour = [255, 255, 255];
const INK: Colour = [20, 20, 24];
/// What lies over cells that were expanded.
const SEARCHED: Colour = [120, 178, 222];
/// From the first move to the last (after matplotlib's plasma, without its brightest end): evenly darker to
/// brighter, and clear of all terrain, for the colour-blind too.
const RAMP: [Colour; 6] =
    [[13, 8, 135], [84, 2, 163], [143, 13, 164], [191, 56, 132], [225, 100, 98], [249, 149, 64]];

/// One walk, and what was searched for it.
pub(crate) struct Walk {
    /// The start, and the cell that each move led to, with its tick.
    steps: Vec<(u64, (u32, u32))>,
    /// Where the agent turned to step back to the cell it had just left, each once.
    turns: Vec<(u32, u32)>,
    /// By row and column.
    searched: Vec<bool>,
}

/// Writes a walk down while it is walked.
pub(crate) struct Scribe<'a> {
    grid: &'a Grid,
    /// By node.
    searched: Vec<bool>,
}

impl<'a> Scribe<'a> {
    pub(crate) fn new(grid: &'a Grid) -> Self {
        Self { grid, searched: vec![false; grid.bound()] }
    }

    /// The walk, given where it began and its moves, each with its tick.
    pub(crate) fn finish(self, start: NodeId, moves: &[(u64, NodeId)]) -> Walk {
        let grid = self.grid;
        let cells = [(0, start)].into_iter().chain(moves.iter().copied());
        let steps: Vec<_> = cells.map(|(tick, node)| (tick, grid.xy(node))).collect();
        let mut turns: Vec<_> =
            steps.windows(3).filter(|three| three[0].1 == three[2].1).map(|three| three[1].1).collect();
        turns.sort_unstable();
        turns.dedup();
        let node = |k: u32| grid.node(k % grid.width(), k / grid.width());
        let is_searched = |k| node(k).is_some_and(|node| self.searched[node.index()]);
        let searched = (0..grid.width() * grid.height()).map(is_searched).collect();
        Walk { steps, turns, searched }
    }
}

impl Probe for Scribe<'_> {
    fn event(&mut self, event: Event) {
        if let Event::Expand { node, .. } = event {
            self.searched[node.index()] = true;
        }
    }
}

/// A part of the map: its first cell, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Region {
    /// All that was walked or searched, with a margin; the whole map if that is not much more.
    fn of(map: &GridMap, walks: &[Walk], pair: Pair) -> Self {
        let mut bounds = Bounds::default();
        bounds.add(pair.0);
        bounds.add(pair.1);
        for walk in walks {
            walk.steps.iter().for_each(|(_, cell)| bounds.add(*cell));
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
enum Zoom {
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

    fn factor(self) -> f64 {
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
    columns: u32,
    rows: u32,
    zoom: Zoom,
}

impl Layout {
    /// The arrangement that shows the cells largest; side by side if that is as good as any.
    fn of(region: Region, panels: u32) -> Self {
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

/// Draws up to four walks of a problem.
pub(crate) fn draw(map: &GridMap, walks: &[Walk], pair: Pair) -> (Canvas, Layout) {
    let region = Region::of(map, walks, pair);
    let layout = Layout::of(region, walks.len() as u32);
    let Layout { columns, rows, zoom } = layout;
    let (width, height) = (zoom.pixels(region.width), zoom.pixels(region.height));
    let side = |panels: u32, pixels: u32| panels * (pixels + GAP) + GAP;
    let mut canvas = Canvas::new(side(columns, width), side(rows, height), PAPER);
    for (k, walk) in walks.iter().enumerate() {
        let (column, row) = (k as u32 % columns, k as u32 / columns);
        let (left, top) = (GAP + column * (width + GAP), GAP + row * (height + GAP));
        let frame = Frame { left, top, right: left + width, bottom: top + height };
        let mut panel = Panel { canvas: &mut canvas, frame, region, zoom };
        panel.ground(map, walk);
        panel.walk(walk);
        panel.ends(pair);
        // Last, since some turn at their start.
        panel.turns(walk);
    }
    (canvas, layout)
}

struct Panel<'a> {
    canvas: &'a mut Canvas,
    frame: Frame,
    region: Region,
    zoom: Zoom,
}

impl Panel<'_> {
    fn ground(&mut self, map: &GridMap, walk: &Walk) {
        let Frame { left, top, right, bottom } = self.frame;
        for y in top..bottom {
            for x in left..right {
                let colour = self.mean(map, walk, (x - left, y - top));
                self.canvas.set((x, y), colour);
            }
        }
    }

    /// The colour of a pixel: that of its cell, or the mean of its cells.
    fn mean(&self, map: &GridMap, walk: &Walk, (px, py): (u32, u32)) -> Colour {
        let Region { x, y, width, height } = self.region;
        let k = match self.zoom {
            Zoom::In(k) => return ground(map, walk, (x + px / k, y + py / k)),
            Zoom::Out(k) => k,
        };
        let (mut sum, mut count) = ([0; 3], 0);
        for cy in py * k..(py * k + k).min(height) {
            for cx in px * k..(px * k + k).min(width) {
                let colour = ground(map, walk, (x + cx, y + cy));
                (0..3).for_each(|k| sum[k] += u32::from(colour[k]));
                count += 1;
            }
        }
        sum.map(|sum| (sum / count.max(1)) as u8)
    }

    fn walk(&mut self, walk: &Walk) {
        let pen = self.pen();
        let points: Vec<Point> = walk.steps.iter().map(|(_, cell)| self.centre(*cell)).collect();
        for step in points.windows(2) {
            self.canvas.line(self.frame, (step[0], step[1]), pen + (0.35 * pen).min(1.6), PAPER);
        }
        let first = walk.steps.get(1).map_or(0, |(tick, _)| *tick);
        let last = walk.steps.last().map_or(0, |(tick, _)| *tick);
        for (step, (tick, _)) in points.windows(2).zip(walk.steps.iter().skip(1)) {
            let time = (tick - first) as f64 / (last - first).max(1) as f64;
            self.canvas.line(self.frame, (step[0], step[1]), pen, ramp(time));
        }
    }

    fn turns(&mut self, walk: &Walk) {
        let radius = (0.62 * self.pen()).max(1.6);
        for &cell in &walk.turns {
            let centre = self.centre(cell);
            self.canvas.disc(self.frame, centre, radius + 1.1, INK);
            self.canvas.disc(self.frame, centre, radius, PAPER);
        }
    }

    /// Start and goal, told apart by shape as well as colour, with a rim that stands out from any ground.
    fn ends(&mut self, (start, goal): Pair) {
        let side = (self.zoom.factor() * 0.9).max(self.visible() * 3.5).max(9.0);
        let rim = (side / 7.0).max(1.2);
        let (start, goal) = (self.centre(start), self.centre(goal));
        let inks = [(2.0 * rim, None), (rim, Some(INK)), (0.0, Some(paint::START))];
        for (grow, ink) in inks {
            self.canvas.square(self.frame, start, side + 2.0 * grow, ink.unwrap_or(PAPER));
        }
        let inks = [(2.0 * rim, None), (rim, Some(INK)), (0.0, Some(paint::GOAL))];
        for (grow, ink) in inks {
            let radius = side * 0.7 + grow * std::f64::consts::SQRT_2;
            self.canvas.diamond(self.frame, goal, radius, ink.unwrap_or(PAPER));
        }
    }

    /// A width that the eye finds in a panel of this size.
    fn visible(&self) -> f64 {
        let Frame { left, top, right, bottom } = self.frame;
        f64::from((right - left).max(bottom - top)) / 330.0
    }

    /// How wide the line is: not so wide that it hides which cells it crosses, unless they are tiny.
    fn pen(&self) -> f64 {
        (0.4 * self.zoom.factor()).max(self.visible()).max(2.0)
    }

    fn centre(&self, (x, y): (u32, u32)) -> Point {
        let place = |cell: u32, first: u32, edge: u32| {
            f64::from(edge) + (f64::from(cell) - f64::from(first) + 0.5) * self.zoom.factor()
        };
        (place(x, self.region.x, self.frame.left), place(y, self.region.y, self.frame.top))
    }
}

fn ground(map: &GridMap, walk: &Walk, (x, y): (u32, u32)) -> Colour {
    let letter = map.letter(x, y);
    let colour = paint::colour(letter);
    let share = match (walk.searched[(y * map.width() + x) as usize], is_passable(letter)) {
        (false, _) => return colour,
        (true, true) => 0.45,
        // Taken to be free until it was seen.
        (true, false) => 0.25,
    };
    blend(colour, SEARCHED, share)
}

/// The colour of a time from 0 to 1.
fn ramp(time: f64) -> Colour {
    let place = time.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    #[expect(clippy::cast_sign_loss, reason = "clamped")]
    let k = (place.floor() as usize).min(RAMP.len() - 2);
    blend(RAMP[k], RAMP[k + 1], place - k as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fleetfoot::{Cost, Rules};
    use fleetfoot_sim::world::Terrain;

    /// A walk along a row of an open map.
    fn walk(map: &GridMap, columns: &[u32], row: u32, searched: &[(u32, u32)]) -> Walk {
        let grid = Terrain::default().grid(map, Rules::default()).unwrap();
        let node = |x, y| grid.node(x, y).unwrap();
        let mut scribe = Scribe::new(&grid);
        for &(x, y) in searched {
            let node = node(x, y);
            scribe.event(Event::Expand { node, parent: NodeId::NONE, g: Cost::ZERO, f: Cost::ZERO });
            scribe.event(Event::Search { root: node });
        }
        let moves: Vec<_> = (3..).zip(columns[1..].iter().map(|x| node(*x, row))).collect();
        scribe.finish(node(columns[0], row), &moves)
    }

    #[test]
    fn a_step_back_is_a_turn() {
        let map = GridMap::new(9, 3, b'.').unwrap();
        let walk = walk(&map, &[2, 3, 4, 3, 4, 5, 4], 1, &[(8, 2), (0, 1)]);
        assert_eq!(walk.turns, [(3, 1), (4, 1), (5, 1)], "each once");
        assert_eq!((walk.steps[0], walk.steps[1]), ((0, (2, 1)), (3, (3, 1))));
        let searched: Vec<_> = (0..27).filter(|k| walk.searched[*k]).collect();
        assert_eq!(searched, [9, 26], "by row and column");
    }

    #[test]
    fn what_was_walked_or_searched_is_shown_and_little_else() {
        let map = GridMap::new(300, 200, b'.').unwrap();
        let region = |searched: &[(u32, u32)], end| {
            let walks = [walk(&map, &[100, 101, 102], 90, searched)];
            let Region { x, y, width, height } = Region::of(&map, &walks, ((100, 90), (end, 90)));
            (x, y, width, height)
        };
        assert_eq!(region(&[], 102), (96, 86, 11, 9));
        assert_eq!(region(&[(160, 90), (101, 30)], 102), (95, 25, 71, 71));
        assert_eq!(region(&[(1, 1)], 299), (0, 0, 300, 98), "most of it is all of it");
    }

    #[test]
    fn cells_are_as_large_as_fits() {
        let layout = |width, height, panels| {
            let Layout { columns, rows, zoom } = Layout::of(Region { x: 0, y: 0, width, height }, panels);
            let side = |n: u32, cells| n * (zoom.pixels(cells) + GAP) + GAP;
            assert!(side(columns, width) <= SIDE && side(rows, height) <= SIDE);
            (columns, rows, zoom)
        };
        assert_eq!(layout(512, 512, 1), (1, 1, Zoom::In(3)));
        assert_eq!(layout(100, 100, 2), (2, 1, Zoom::In(9)));
        assert_eq!(layout(300, 40, 2), (1, 2, Zoom::In(6)), "wide maps one below the other");
        assert_eq!(layout(100, 100, 4), (2, 2, Zoom::In(9)));
        assert_eq!(layout(40, 300, 4), (4, 1, Zoom::In(6)));
        assert_eq!(layout(8, 4, 3), (3, 1, Zoom::In(LARGEST)));
        assert_eq!(layout(4096, 4096, 1), (1, 1, Zoom::Out(3)));
        assert_eq!(layout(4096, 1000, 2), (1, 2, Zoom::Out(3)));
    }

    #[test]
    fn every_panel_has_a_place_of_its_own() {
        for (columns, rows) in [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2), (4, 1), (1, 4)] {
            let layout = Layout { columns, rows, zoom: Zoom::In(1) };
            let mut names: Vec<_> = (0..(columns * rows) as usize).map(|k| layout.place(k)).collect();
            names.dedup();
            assert_eq!(names.len(), (columns * rows) as usize);
        }
    }

    #[test]
    fn colours_of_time_become_brighter_evenly() {
        let brightness =
            |[r, g, b]: Colour| 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
        let along: Vec<_> = (0..=50).map(|k| brightness(ramp(f64::from(k) / 50.0))).collect();
        assert!(along.windows(2).all(|two| two[0] < two[1]), "{along:?}");
        assert!(along[50] - along[0] > 100.0);
        assert_eq!((ramp(-1.0), ramp(2.0)), (RAMP[0], RAMP[RAMP.len() - 1]));
    }

    /// Maps larger than a picture are drawn with several cells to a pixel.
    #[test]
    fn huge_maps_are_drawn_too() {
        let map = GridMap::new(2500, 3, b'.').unwrap();
        let walks = [walk(&map, &[0, 1, 2], 1, &[(2499, 2)])];
        let (canvas, layout) = draw(&map, &walks, ((0, 1), (2499, 2)));
        assert_eq!(layout.zoom, Zoom::Out(2));
        canvas.write(&mut Vec::new()).unwrap();
    }
}
