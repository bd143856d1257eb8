//! Teams: what their units have seen, and what has changed of that.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use crate::corners::{Cell, cell, node};
use crate::fleet::knowledge::fog::Fog;
use crate::fleet::line_of_sight::SightLines;
use crate::fleet::tuning::FogTuning;
use crate::fleet::types::Vision;
use crate::graph::Graph;
use crate::grid::{Grid, GridError};
use crate::id::{Cost, NodeId};
use crate::map::Map;

/// Maximum number of freed cells that are examined together, and maximum distance from the first of them.
pub(crate) const TOGETHER: usize = 16;
const NEAR: i32 = 16;

/// A team.
#[derive(Clone, Debug)]
pub(crate) struct Team {
    pub(crate) fog: Option<Box<Fog>>,
    /// Cells that have become free for this team, and wait to be examined: some routes may become shorter.
    pub(crate) opened: VecDeque<NodeId>,
    /// The number of the first of them that are examined together, and the unit that examines them next.
    pub(crate) together: u32,
    pub(crate) next_to_look: u32,
    /// The number of units whose routes must still be checked, and the next of them.
    pub(crate) unchecked: u32,
    pub(crate) next_to_check: u32,
    /// The number of units that wait for searches, and the cell of the first of them, as of the tick in which they are counted.
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
            // A unit that does not see the cells around it would walk against walls forever.
            Vision::Radius(radius) => Some(Box::new(Fog::new(truth.grid(), radius.max(1), tuning)?)),
        };
        Ok(Self { fog, ..Self::knowing_all() })
    }

    pub(crate) fn vision(&self) -> Vision {
        self.fog.as_ref().map_or(Vision::All, |fog| Vision::Radius(fog.radius))
    }

    /// Returns the map as the team knows it.
    pub(crate) fn map<'a>(&'a self, truth: &'a Map) -> &'a Map {
        self.fog.as_ref().map_or(truth, |fog| fog.belief.map())
    }

    /// Returns the lines of sight as the team knows them.
    pub(crate) fn sight<'a>(&'a self, truth: &'a SightLines) -> &'a SightLines {
        self.fog.as_ref().map_or(truth, |fog| &fog.sight)
    }

    /// Notes that a cell is free now, or blocked, as the team knows the map.
    pub(crate) fn changed(&mut self, n: NodeId, is_free: bool) {
        if is_free {
            self.opened.push_back(n);
        } else {
            self.unchecked = u32::MAX;
        }
    }

    /// Returns the cells that are examined next: near each other and few, like those of a door.
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

    /// Removes these cells, because all units have examined them.
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
    /// Returns `true` if a route over one of the cells may cost less than this.
    pub(crate) fn may_shorten(&self, grid: &Grid, from: NodeId, to: NodeId, rest: Cost) -> bool {
        // Most units have nothing to do with a door: the rectangle around its cells rules them out.
        let nearest = |n: NodeId| {
            let (x, y) = cell(grid, n);
            node(grid, (x.clamp(self.least.0, self.most.0), y.clamp(self.least.1, self.most.1)))
        };
        grid.h(from, nearest(from)) + grid.h(nearest(to), to) < rest
            && self.cells[..self.len].iter().any(|&n| grid.h(from, n) + grid.h(n, to) < rest)
    }
}
