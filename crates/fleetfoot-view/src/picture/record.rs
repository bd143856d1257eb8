//! A picture of a moment of a record: the same part of the map once per track.

use super::panel::{Cell, Layout, Panel};
use crate::canvas::{Canvas, Colour, blend};
use crate::palette::{self, AGENTS, FOLLOWED, INK, NEAR, PAPER};
use crate::record::Record;
use crate::state::State;

/// Number of recent moves that are drawn wide.
const RECENT: usize = 150;

/// Draws a panel for each track at tick `now`, with its planner and its tick above it.
pub(super) fn draw(record: &Record, states: &[&State], layout: &Layout, now: u64) -> Canvas {
    let (width, height) = layout.size();
    let mut canvas = Canvas::new(width, height, PAPER);
    for (k, state) in states.iter().enumerate() {
        let highest = record.meta.lives[k].highest;
        let track = &record.meta.lives[k];
        let tick = now.min(track.first + track.ticks);
        let mut panel = Panel::new(&mut canvas, layout, k);
        panel.label(&[format!("{}: tick {tick}", track.name), format!("{}: {tick}", track.planner)]);
        LifePanel { panel, record, state, highest, agent: AGENTS[k % AGENTS.len()] }.paint();
    }
    canvas
}

struct LifePanel<'a> {
    panel: Panel<'a>,
    record: &'a Record,
    state: &'a State,
    highest: u32,
    /// Color of the agent and its walk.
    agent: Colour,
}

impl LifePanel<'_> {
    fn paint(mut self) {
        let Self { record, state, highest, agent, .. } = self;
        self.panel.ground(|cell| Look { record, state, highest }.cell(cell));
        let zoom = self.panel.layout.zoom.factor();
        let pen = (zoom * 0.35).clamp(1.2, 6.0);
        self.path(&state.followed, pen * 0.8, FOLLOWED);
        self.near();
        let trail = &state.trail;
        // A long walk is thin, its recent part wide.
        let (old, recent) = trail.split_at(trail.len().saturating_sub(RECENT));
        self.path(old, (pen * 0.5).max(1.0), blend(agent, PAPER, 0.3));
        let recent = &trail[trail.len() - recent.len() - usize::from(!old.is_empty())..];
        self.path(recent, pen + (0.5 * pen).min(1.6), PAPER);
        self.path(recent, pen, agent);
        for cell in state.steps_back() {
            self.panel.step_back(self.xy(cell), (0.6 * pen).max(1.5));
        }
        self.panel.ends((record.meta.start, record.meta.goal), (zoom * 0.9).max(8.0));
        if let Some(at) = trail.last().map(|at| self.xy(*at)) {
            // An arrived agent is smaller, so that its goal stays visible.
            let share = if at == record.meta.goal { 0.5 } else { 1.0 };
            let radius = (zoom * 0.42).max(3.0) * share;
            self.panel.disc(at, radius + 2.2 * share, INK);
            self.panel.disc(at, radius + 1.1 * share, PAPER);
            self.panel.disc(at, radius, agent);
        }
    }

    /// Draws dots for the local search of a planner that has two: filled for expanded cells, hollow for open ones.
    fn near(&mut self) {
        let marks = &self.state.near;
        if marks.search == 0 {
            return;
        }
        let radius = (self.panel.layout.zoom.factor() * 0.22).max(1.2);
        for cell in 0..marks.cells.len() {
            let is_open = marks.is_open(cell);
            if !is_open && !marks.is_closed(cell) {
                continue;
            }
            let cell = self.xy(cell as u32);
            self.panel.disc(cell, radius, NEAR);
            if is_open && radius > 2.0 {
                self.panel.disc(cell, radius * 0.55, PAPER);
            }
        }
    }

    fn xy(&self, cell: u32) -> Cell {
        let width = self.record.meta.width;
        (cell % width, cell / width)
    }

    fn path(&mut self, cells: &[u32], width: f64, colour: Colour) {
        for step in cells.windows(2) {
            self.panel.line((self.xy(step[0]), self.xy(step[1])), width, colour);
        }
    }
}

/// Determines the colors of cells.
#[derive(Clone, Copy)]
struct Look<'a> {
    record: &'a Record,
    state: &'a State,
    highest: u32,
}

impl Look<'_> {
    fn cell(&self, (x, y): Cell) -> Colour {
        let cell = (y * self.record.meta.width + x) as usize;
        let state = self.state;
        let mut colour = self.ground_of(cell);
        let rise = state.rise[cell];
        if rise > 0 {
            let share = f64::from(rise) / f64::from(self.highest.max(1));
            colour = blend(colour, palette::heat(share.sqrt()), 0.84);
        }
        // Learned values shine through searched cells.
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

    /// Returns the terrain as the agent believes it, with separate shades for walls that it does not know of.
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

    /// Returns terrain and walls, with separate colors for cells that have changed since the beginning.
    fn terrain(&self, cell: usize) -> Colour {
        let (was, is) = (self.record.weights[cell], self.state.truth[cell]);
        match (was == 0, is == 0) {
            (false, true) => palette::SHUT,
            (true, false) => blend(palette::ground(b'.'), palette::OPENED, 0.45),
            _ => palette::ground(self.record.letters[cell]),
        }
    }
}
