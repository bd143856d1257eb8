//! Teams: what their units have seen, and what has changed of that.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use crate::corners::{Cell, cell, node};
use crate::fleet::knowledge::fog::Fog;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::tuning::FogTuning;
use crate::fleet::types::Vision;
use crate::graph::{Graph, Grid, GridError};
use crate::id::{Cost, NodeId};
use crate::map::Map;

/// Cells that have become free and are looked at together, at most, and how far they lie from the first.
pub(crate) const TOGETHER: usize = 16;
const NEAR: i32 = 16;

/// A team.
#[derive(Clone, Debug)]
pub(crate) struct Team {
    pub(crate) fog: Option<Box<Fog>>,
    /// Cells that have become free for this team, and wait to be looked at: somebody may have a shorter way.
    pub(crate) opened: VecDeque<NodeId>,
    /// How many of the first of them are looked at together, and the unit that is to look next.
    pub(crate) together: u32,
    pub(crate) next_to_look: u32,
    /// How many units have still to look whether their ways are broken, and the next of them.
    pub(crate) unchecked: u32,
    pub(crate) next_to_check: u32,
    /// How many units wait for searches, and where the first of them stands: of the tick, where it is asked.
    pub(crate) waiting: u32,
    pub(crate) around: NodeId,
}

/// Some cells that have become free, and the corners of the rectangle around them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Openings {
    cells: [NodeId; TOGETHER],
    len: usize,
    least: Cell,
    most: Cell,
}

impl Team {
    pub(crate) fn knowing_all() -> Self {
        Self {
            fog: None,
            opened: VecDeque::new(),
            together: 0,
            next_to_look: 0,
            unchecked: 0,
            next_to_check: 0,
            waiting: 0,
            around: NodeId::NONE,
        }
    }

    pub(crate) fn new(truth: &Map, vision: Vision, tuning: FogTuning) -> Result<Self, GridError> {
        let fog = match vision {
            Vision::All => None,
            // A unit that does not see the cells around it would walk against walls for ever.
            Vision::Radius(radius) => Some(Box::new(Fog::new(truth.grid(), radius.max(1), tuning)?)),
        };
        Ok(Self { fog, ..Self::knowing_all() })
    }

    pub(crate) fn vision(&self) -> Vision {
        self.fog.as_ref().map_or(Vision::All, |fog| Vision::Radius(fog.radius))
    }

    /// The map as the team knows it.
    pub(crate) fn map<'a>(&'a self, truth: &'a Map) -> &'a Map {
        self.fog.as_ref().map_or(truth, |fog| fog.belief.map())
    }

    /// The open ground as the team knows it.
    pub(crate) fn sight<'a>(&'a self, truth: &'a SightLines) -> &'a SightLines {
        self.fog.as_ref().map_or(truth, |fog| &fog.sight)
    }

    /// A cell is free now, or blocked, as the team knows the map.
    pub(crate) fn changed(&mut self, n: NodeId, is_free: bool) {
        if is_free {
            self.opened.push_back(n);
        } else {
            self.unchecked = u32::MAX;
        }
    }

    /// The cells that are to be looked at next, as those of a door are: near each other, and not too many.
    pub(crate) fn openings(&mut self, grid: &Grid) -> Option<Openings> {
        let first = cell(grid, *self.opened.front()?);
        if self.together == 0 || self.together as usize > self.opened.len() {
            let is_near = |&&n: &&NodeId| {
                let (x, y) = cell(grid, n);
                (x - first.0).abs().max((y - first.1).abs()) <= NEAR
            };
            let near = self.opened.iter().take(TOGETHER).take_while(is_near);
            self.together = near.count() as u32;
        }
        let mut openings = Openings { cells: [NodeId::NONE; TOGETHER], len: 0, least: first, most: first };
        for &n in self.opened.iter().take(self.together as usize) {
            let (x, y) = cell(grid, n);
            openings.cells[openings.len] = n;
            openings.len += 1;
            openings.least = (openings.least.0.min(x), openings.least.1.min(y));
            openings.most = (openings.most.0.max(x), openings.most.1.max(y));
        }
        Some(openings)
    }

    /// All units have looked at these.
    pub(crate) fn close(&mut self, openings: &Openings) {
        self.opened.drain(..openings.len);
        (self.together, self.next_to_look) = (0, 0);
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let fog = self.fog.as_ref().map_or(0, |fog| {
            let bits = 8 * (fog.seen.capacity() + fog.is_due.capacity()) + 4 * fog.due.capacity();
            let marks = fog.marks.as_ref().map_or(0, |marks| marks.memory_bytes());
            let making = fog.making.as_ref().map_or(0, |making| making.memory_bytes());
            let marks = marks + making;
            fog.belief.map().memory_bytes() + fog.sight.memory_bytes() + bits + marks
        });
        fog + 4 * self.opened.capacity()
    }
}

impl Openings {
    /// Whether a way over one of the cells may be shorter than so much.
    pub(crate) fn may_shorten(&self, grid: &Grid, from: NodeId, to: NodeId, rest: Cost) -> bool {
        // Most units have nothing to do with a door: a look at the rectangle around its cells tells that.
        let nearest = |n: NodeId| {
            let (x, y) = cell(grid, n);
            node(grid, (x.clamp(self.least.0, self.most.0), y.clamp(self.least.1, self.most.1)))
        };
        grid.h(from, nearest(from)) + grid.h(nearest(to), to) < rest
            && self.cells[..self.len].iter().any(|&n| grid.h(from, n) + grid.h(n, to) < rest)
    }
}
