//! Walks, and what was learned on them, as pictures: the same part of the map once per walk, side by side.

mod changes;
mod layout;

use fleetfoot::{Cost, Event, Graph, Grid, NodeId, Probe};
use fleetfoot_sim::map::{GridMap, is_passable};

pub(crate) use layout::Layout;

use self::changes::Changes;
use self::layout::{GAP, Region, Zoom};
use crate::paint;
use crate::source::Pair;
use fleetfoot_view::canvas::{Canvas, Colour, Frame, Point, blend};

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
    /// By row and column, in cost units: what the agent takes for the cost to its goal; nothing where it cannot be.
    values: Vec<Option<u32>>,
    /// What the world changed meanwhile.
    changes: Changes,
    /// The shortest way in the first tick, if the world changes.
    way: Vec<(u32, u32)>,
}

/// Writes a walk down while it is walked.
pub(crate) struct Scribe<'a> {
    grid: &'a Grid,
    /// By node.
    searched: Vec<bool>,
    learned: Vec<Option<Cost>>,
}

impl<'a> Scribe<'a> {
    pub(crate) fn new(grid: &'a Grid) -> Self {
        Self { grid, searched: vec![false; grid.bound()], learned: vec![None; grid.bound()] }
    }

    /// The walk, given where it began and was to end, and its moves, each with its tick.
    pub(crate) fn finish(self, (start, goal): (NodeId, NodeId), moves: &[(u64, NodeId)]) -> Walk {
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
        let value = |n: NodeId| self.learned[n.index()].unwrap_or_else(|| grid.h(n, goal)).raw();
        let values = (0..grid.width() * grid.height())
            .map(|k| node(k).filter(|n| grid.is_free(*n)).map(value))
            .collect();
        Walk { steps, turns, searched, values, changes: Changes::new(), way: Vec::new() }
    }
}

impl Probe for Scribe<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Expand { node, .. } => self.searched[node.index()] = true,
            Event::Learn { node, new, .. } => self.learned[node.index()] = Some(new),
            _ => {}
        }
    }
}

/// Draws up to four walks of a problem.
pub(crate) fn draw(map: &GridMap, walks: &[Walk], pair: Pair) -> (Canvas, Layout) {
    panels(map, walks, pair, |panel, walk| {
        panel.ground(|cell| walk.weighed(cell, ground(map, walk, cell)));
        panel.changes(walk);
        panel.walk(walk);
        panel.ends(pair);
        // Last, since some turn at their start.
        panel.turns(walk);
    })
}

/// Draws the values at the end of up to four walks of a problem, in bands of so many cost units.
pub(crate) fn draw_values(map: &GridMap, walks: &[Walk], pair: Pair, band: u32) -> (Canvas, Layout) {
    let highest = walks.iter().map(Walk::highest).max().unwrap_or(0);
    panels(map, walks, pair, |panel, walk| {
        panel.ground(|(x, y)| match walk.values[(y * map.width() + x) as usize] {
            None => paint::colour(map.letter(x, y)),
            Some(value) => banded(value, band, highest),
        });
        panel.ends(pair);
    })
}

impl Walk {
    /// The highest value; what is known to be a dead end does not count.
    pub(crate) fn highest(&self) -> u32 {
        self.values.iter().flatten().copied().filter(|value| *value < u32::MAX / 2).max().unwrap_or(0)
    }
}

/// Near the goal bright, far from it dark; every other band is a little darker, so that its edges show.
fn banded(value: u32, band: u32, highest: u32) -> Colour {
    let share = f64::from(value.min(highest)) / f64::from(highest.max(1));
    let colour = ramp(1.0 - share);
    let paler = blend(colour, PAPER, 0.25);
    if (value / band.max(1)).is_multiple_of(2) { paler } else { blend(paler, INK, 0.12) }
}

/// The same part of the map once per walk.
fn panels(
    map: &GridMap,
    walks: &[Walk],
    pair: Pair,
    paint: impl Fn(&mut Panel<'_>, &Walk),
) -> (Canvas, Layout) {
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
        paint(&mut panel, walk);
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
    fn ground(&mut self, cell: impl Fn((u32, u32)) -> Colour) {
        let Frame { left, top, right, bottom } = self.frame;
        for y in top..bottom {
            for x in left..right {
                let colour = self.mean(&cell, (x - left, y - top));
                self.canvas.set((x, y), colour);
            }
        }
    }

    /// The colour of a pixel: that of its cell, or the mean of its cells.
    fn mean(&self, cell: impl Fn((u32, u32)) -> Colour, (px, py): (u32, u32)) -> Colour {
        let Region { x, y, width, height } = self.region;
        let k = match self.zoom {
            Zoom::In(k) => return cell((x + px / k, y + py / k)),
            Zoom::Out(k) => k,
        };
        let (mut sum, mut count) = ([0; 3], 0);
        for cy in py * k..(py * k + k).min(height) {
            for cx in px * k..(px * k + k).min(width) {
                let colour = cell((x + cx, y + cy));
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
mod tests;
