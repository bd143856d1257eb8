//! Pictures of walks and of learned values: the same part of the map once per walk, side by side.

mod changes;

use fleetfoot::{Cost, Graph, Grid, NodeId, SearchEvent, SearchProbe};
use fleetfoot_sim::generate::problems::Pair;
use fleetfoot_sim::map::{GridMap, is_passable};

use self::changes::Changes;
use super::panel::{Cell, Layout, Panel, Style};
use crate::canvas::{Area, Canvas, Colour, blend};
use crate::palette::{self, INK, PAPER, along};

/// Maximum length of a side, in pixels.
const SIDE: u32 = 2000;
const STYLE: Style = Style { gap: 12, edge: 12, largest: 32, margin: 4, label: 0 };
/// Overlay of expanded cells.
const SEARCHED: Colour = [120, 178, 222];
/// From the first move to the last (after matplotlib's plasma, without its brightest end): evenly from dark to
/// bright, and distinct from all terrain, also for color-blind readers.
const RAMP: [Colour; 6] =
    [[13, 8, 135], [84, 2, 163], [143, 13, 164], [191, 56, 132], [225, 100, 98], [249, 149, 64]];

/// A picture, and the position of each walk in it, in words.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The picture.
    pub canvas: Canvas,
    /// The position of each walk's panel.
    pub places: Vec<&'static str>,
}

/// One walk, and the cells that were searched for it.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The start, then the cell of each move, with its tick.
    steps: Vec<(u64, Cell)>,
    /// Cells where the agent turned to step back to the cell it had just left, without duplicates.
    turns: Vec<Cell>,
    /// By row and column.
    searched: Vec<bool>,
    /// By row and column: the agent's estimate of the cost to its goal, in cost units. `None` where it cannot be.
    values: Vec<Option<u32>>,
    /// Changes of the world during the walk.
    changes: Changes,
    /// The shortest path in the first tick, if the world changes.
    way: Vec<Cell>,
}

/// Records a walk while it goes on.
#[derive(Clone, Debug)]
pub struct WalkRecorder<'a> {
    grid: &'a Grid,
    /// By node.
    searched: Vec<bool>,
    learned: Vec<Option<Cost>>,
}

impl<'a> WalkRecorder<'a> {
    /// Creates a recorder for a walk on this map.
    pub fn new(grid: &'a Grid) -> Self {
        Self { grid, searched: vec![false; grid.bound()], learned: vec![None; grid.bound()] }
    }

    /// Returns the walk, given its start and goal and its moves with their ticks.
    pub fn finish(self, (start, goal): (NodeId, NodeId), moves: &[(u64, NodeId)]) -> Walk {
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

impl SearchProbe for WalkRecorder<'_> {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Expand { node, .. } => self.searched[node.index()] = true,
            SearchEvent::Learn { node, new, .. } => self.learned[node.index()] = Some(new),
            _ => {}
        }
    }
}

/// Draws up to four walks of a problem.
pub fn draw(map: &GridMap, walks: &[Walk], pair: Pair) -> Picture {
    panels(map, walks, pair, |panel, walk| {
        panel.0.ground(|cell| walk.weighed(cell, ground(map, walk, cell)));
        panel.changes(walk);
        panel.walk(walk);
        panel.ends(pair);
        // Drawn last, since some walks turn at their start.
        panel.steps_back(walk);
    })
}

/// Draws the values at the end of up to four walks of a problem, in bands of `band` cost units.
pub fn draw_values(map: &GridMap, walks: &[Walk], pair: Pair, band: u32) -> Picture {
    let highest = walks.iter().map(Walk::highest).max().unwrap_or(0);
    panels(map, walks, pair, |panel, walk| {
        panel.0.ground(|(x, y)| match walk.values[(y * map.width() + x) as usize] {
            None => palette::ground(map.letter(x, y)),
            Some(value) => banded(value, band, highest),
        });
        panel.ends(pair);
    })
}

impl Walk {
    /// Returns the highest value, without known dead ends.
    pub fn highest(&self) -> u32 {
        self.values.iter().flatten().copied().filter(|value| *value < u32::MAX / 2).max().unwrap_or(0)
    }
}

/// Returns the color of a value: bright near the goal, dark far from it. Every second band is darker, so that its
/// edges are visible.
fn banded(value: u32, band: u32, highest: u32) -> Colour {
    let share = f64::from(value.min(highest)) / f64::from(highest.max(1));
    let colour = along(&RAMP, 1.0 - share);
    let paler = blend(colour, PAPER, 0.25);
    if (value / band.max(1)).is_multiple_of(2) { paler } else { blend(paler, INK, 0.12) }
}

/// Draws the same part of the map once per walk, large enough for everything that was walked or searched, and for the
/// original shortest paths.
fn panels(map: &GridMap, walks: &[Walk], pair: Pair, paint: impl Fn(&mut WalkPanel<'_>, &Walk)) -> Picture {
    let mut cells = vec![pair.0, pair.1];
    for walk in walks {
        cells.extend(walk.steps.iter().map(|(_, cell)| *cell).chain(walk.way.iter().copied()));
        for (y, row) in walk.searched.chunks_exact(map.width() as usize).enumerate() {
            let ends = [row.iter().position(|s| *s), row.iter().rposition(|s| *s)];
            cells.extend(ends.into_iter().flatten().map(|x| (x as u32, y as u32)));
        }
    }
    let layout = Layout::new(STYLE, (map.width(), map.height()), &cells, walks.len() as u32, SIDE);
    let (width, height) = layout.size();
    let mut canvas = Canvas::new(width, height, PAPER);
    for (k, walk) in walks.iter().enumerate() {
        paint(&mut WalkPanel(Panel::new(&mut canvas, &layout, k)), walk);
    }
    Picture { canvas, places: (0..walks.len()).map(|k| layout.place(k)).collect() }
}

struct WalkPanel<'a>(Panel<'a>);

impl WalkPanel<'_> {
    fn walk(&mut self, walk: &Walk) {
        let pen = self.pen();
        let cells: Vec<Cell> = walk.steps.iter().map(|(_, cell)| *cell).collect();
        self.0.path(&cells, pen + (0.35 * pen).min(1.6), PAPER);
        let first = walk.steps.get(1).map_or(0, |(tick, _)| *tick);
        let last = walk.steps.last().map_or(0, |(tick, _)| *tick);
        for (step, (tick, _)) in cells.windows(2).zip(walk.steps.iter().skip(1)) {
            let time = (tick - first) as f64 / (last - first).max(1) as f64;
            self.0.line((step[0], step[1]), pen, along(&RAMP, time));
        }
    }

    fn steps_back(&mut self, walk: &Walk) {
        let radius = (0.62 * self.pen()).max(1.6);
        for &cell in &walk.turns {
            self.0.step_back(cell, radius);
        }
    }

    fn ends(&mut self, pair: Pair) {
        self.0.ends(pair, (self.zoom() * 0.9).max(self.visible() * 3.5).max(9.0));
    }

    fn zoom(&self) -> f64 {
        self.0.layout.zoom.factor()
    }

    /// Returns the minimum width that is visible in a panel of this size.
    fn visible(&self) -> f64 {
        let Area { left, top, right, bottom } = self.0.frame;
        f64::from((right - left).max(bottom - top)) / 330.0
    }

    /// Returns the width of the line. It leaves the crossed cells visible, unless they are tiny.
    fn pen(&self) -> f64 {
        (0.4 * self.zoom()).max(self.visible()).max(2.0)
    }
}

fn ground(map: &GridMap, walk: &Walk, (x, y): Cell) -> Colour {
    let letter = map.letter(x, y);
    let colour = palette::ground(letter);
    let share = match (walk.searched[(y * map.width() + x) as usize], is_passable(letter)) {
        (false, _) => return colour,
        (true, true) => 0.45,
        // Assumed free until it was seen.
        (true, false) => 0.25,
    };
    blend(colour, SEARCHED, share)
}

#[cfg(test)]
mod tests;
