//! One picture: the same part of the map once per life.

use super::layout::{Layout, Zoom};
use crate::canvas::{Canvas, Colour, Frame, Point, blend};
use crate::palette::{self, AGENTS, FOLLOWED, GOAL, INK, NEAR, PAPER, START};
use crate::record::Record;
use crate::state::State;

/// Moves of the walk that are drawn wide.
const RECENT: usize = 150;

pub(super) fn draw(record: &Record, states: &[&State], layout: &Layout) -> Canvas {
    let (width, height) = layout.size();
    let mut canvas = Canvas::new(width, height, PAPER);
    for (k, state) in states.iter().enumerate() {
        let highest = record.meta.lives[k].highest;
        let (frame, agent) = (layout.frame(k as u32), AGENTS[k % AGENTS.len()]);
        Panel { canvas: &mut canvas, frame, layout, record, state, highest, agent }.paint();
    }
    canvas
}

struct Panel<'a> {
    canvas: &'a mut Canvas,
    frame: Frame,
    layout: &'a Layout,
    record: &'a Record,
    state: &'a State,
    highest: u32,
    /// The colour of the agent and its walk.
    agent: Colour,
}

impl Panel<'_> {
    fn paint(mut self) {
        self.ground();
        let state = self.state;
        let pen = (self.layout.zoom.factor() * 0.35).clamp(1.2, 6.0);
        self.path(&state.followed, pen * 0.8, FOLLOWED);
        self.near();
        let (trail, agent) = (&state.trail, self.agent);
        // A long walk thin, its last part wide.
        let (old, recent) = trail.split_at(trail.len().saturating_sub(RECENT));
        self.path(old, (pen * 0.5).max(1.0), blend(agent, PAPER, 0.3));
        let recent = &trail[trail.len() - recent.len() - usize::from(!old.is_empty())..];
        self.path(recent, pen + (0.5 * pen).min(1.6), PAPER);
        self.path(recent, pen, agent);
        self.turns(pen);
        self.ends();
        if let Some(&at) = trail.last() {
            let (goal, width) = (self.record.meta.goal, self.record.meta.width);
            // An agent that has arrived leaves its goal to be seen.
            let share = if at == goal.1 * width + goal.0 { 0.5 } else { 1.0 };
            let (centre, radius) = (self.centre(at), (self.layout.zoom.factor() * 0.42).max(3.0) * share);
            self.canvas.disc(self.frame, centre, radius + 2.2 * share, INK);
            self.canvas.disc(self.frame, centre, radius + 1.1 * share, PAPER);
            self.canvas.disc(self.frame, centre, radius, agent);
        }
    }

    /// Dots for the near-sighted search of a planner that has two: full where it has expanded, hollow where it may yet.
    fn near(&mut self) {
        let marks = &self.state.near;
        if marks.search == 0 {
            return;
        }
        let radius = (self.layout.zoom.factor() * 0.22).max(1.2);
        for cell in 0..marks.cells.len() {
            let is_open = marks.is_open(cell);
            if !is_open && !marks.is_closed(cell) {
                continue;
            }
            let centre = self.centre(cell as u32);
            self.canvas.disc(self.frame, centre, radius, NEAR);
            if is_open && radius > 2.0 {
                self.canvas.disc(self.frame, centre, radius * 0.55, PAPER);
            }
        }
    }

    fn ground(&mut self) {
        let Layout { left, top, width, height, zoom, .. } = *self.layout;
        match zoom {
            Zoom::In(k) => {
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let colour = self.cell(left + x, top + y);
                    for (dx, dy) in (0..k).flat_map(|dy| (0..k).map(move |dx| (dx, dy))) {
                        self.canvas.set((self.frame.left + x * k + dx, self.frame.top + y * k + dy), colour);
                    }
                }
            }
            Zoom::Out(k) => {
                let Frame { left, top, right, bottom } = self.frame;
                for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
                    let colour = self.mean(x - left, y - top, k);
                    self.canvas.set((x, y), colour);
                }
            }
        }
    }

    /// The mean of the cells under a pixel.
    fn mean(&self, px: u32, py: u32, k: u32) -> Colour {
        let Layout { left, top, width, height, .. } = *self.layout;
        let (mut sum, mut count) = ([0; 3], 0);
        for y in py * k..(py * k + k).min(height) {
            for x in px * k..(px * k + k).min(width) {
                let colour = self.cell(left + x, top + y);
                (0..3).for_each(|k| sum[k] += u32::from(colour[k]));
                count += 1;
            }
        }
        sum.map(|sum| (sum / count.max(1)) as u8)
    }

    fn cell(&self, x: u32, y: u32) -> Colour {
        let cell = (y * self.record.meta.width + x) as usize;
        let state = self.state;
        let mut colour = self.ground_of(cell);
        let rise = state.rise[cell];
        if rise > 0 {
            let share = f64::from(rise) / f64::from(self.highest.max(1));
            colour = blend(colour, palette::heat(share.sqrt()), 0.84);
        }
        // What was learned shows through what was searched.
        let tint = |over: Colour, share: f64| blend(colour, over, if rise > 0 { share / 2.0 } else { share });
        let far = &state.far;
        match cell {
            _ if far.is_fresh(cell, state.now) => tint(palette::NOW, 0.88),
            _ if far.is_open(cell) => tint(palette::OPEN, 0.78),
            _ if far.is_closed(cell) => tint(palette::CLOSED, 0.8),
            _ if far.cells[cell].expanded > 0 && rise == 0 => tint(palette::EARLIER, 0.66),
            _ => colour,
        }
    }

    /// The ground as the agent takes it to be, and, in other shades, walls that it does not know of.
    fn ground_of(&self, cell: usize) -> Colour {
        let (truth, believed) = (self.state.truth[cell], self.state.believed[cell]);
        if truth == 0 && believed > 0 {
            palette::HIDDEN
        } else if !self.state.known[cell] {
            palette::FOG
        } else if truth > 0 && believed == 0 {
            palette::PHANTOM
        } else {
            self.terrain(cell)
        }
    }

    /// Ground and walls; what has changed since the beginning stands out.
    fn terrain(&self, cell: usize) -> Colour {
        let (was, is) = (self.record.weights[cell], self.state.truth[cell]);
        match (was == 0, is == 0) {
            (false, true) => palette::SHUT,
            (true, false) => blend(palette::ground(b'.'), palette::OPENED, 0.45),
            _ => palette::ground(self.record.letters[cell]),
        }
    }

    fn centre(&self, cell: u32) -> Point {
        let width = self.record.meta.width;
        self.layout.centre(self.frame, (cell % width, cell / width))
    }

    fn path(&mut self, cells: &[u32], width: f64, colour: Colour) {
        for step in cells.windows(2) {
            let line = (self.centre(step[0]), self.centre(step[1]));
            self.canvas.line(self.frame, line, width, colour);
        }
    }

    fn turns(&mut self, pen: f64) {
        let radius = (0.6 * pen).max(1.5);
        let turns: Vec<_> = self.state.turns().collect();
        for cell in turns {
            let centre = self.centre(cell);
            self.canvas.disc(self.frame, centre, radius + 1.0, INK);
            self.canvas.disc(self.frame, centre, radius, PAPER);
        }
    }

    /// Start and goal, told apart by shape as well as colour, with a rim that stands out from any ground.
    fn ends(&mut self) {
        let side = (self.layout.zoom.factor() * 0.9).max(8.0);
        let rim = (side / 7.0).max(1.2);
        let width = self.record.meta.width;
        let cell = |(x, y): (u32, u32)| y * width + x;
        let (start, goal) =
            (self.centre(cell(self.record.meta.start)), self.centre(cell(self.record.meta.goal)));
        for (grow, ink) in [(2.0 * rim, Some(PAPER)), (rim, Some(INK)), (0.0, None)] {
            self.canvas.square(self.frame, start, side + 2.0 * grow, ink.unwrap_or(START));
            self.canvas.diamond(self.frame, goal, side * 0.72 + grow, ink.unwrap_or(GOAL));
        }
    }
}
