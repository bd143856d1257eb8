//! Searches for units: from a unit to its goal, or from a goal to everywhere, for all units that share it. They pause when
//! the budget ends and go on in the next tick, whatever has changed on the map meanwhile; who takes a way out of one
//! looks whether it is still open.
//!
//! Where the grid has an index of corners the search is among corners, else among cells.

use alloc::vec::Vec;

use super::landmarks::{COUNT, Landmarks, Row, at_least};
use super::sight::Sight;
use crate::corners::{Cell, Corners, OPEN, Scan, Turns, cell, node};
use crate::graph::{Graph, Grid};
use crate::id::{Cost, NodeId};
use crate::meter::Kind;
use crate::parts::{Bush, Nodes, Rooted, Search, Tools};

/// What work takes, in quarters of the reading of a word: a connection that no shortest way follows, one that does, and
/// one that is new or better than what is known.
const LOOK: u32 = 1;
const FOLLOW: u32 = 3;
const OPEN_NODE: u32 = 8;
/// Quarters in a word.
const WHOLE: u32 = 4;
/// Connections between two looks at the meter.
const SOME: usize = 16;
/// Corners in sight of a unit and of its goal are looked for in rings of tiles around theirs: twice as far as the first lies, and no
/// farther than this.
const MOST_RINGS: i32 = 20;
/// So many corners are looked at. Where there are more just around, or none is in sight, a scan finds all that are directly connected,
/// which is as fast there.
const MOST_NEARBY: usize = 48;
/// What it takes to look whether a corner is in sight, to look at a ring of tiles or at two corners' tiles, and at eight tiles that
/// have none, in quarters.
const GLANCE: u32 = 3;
const TILE: u32 = 4;
const EIGHT_TILES: u32 = 1;

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// None has begun.
    Idle,
    /// It goes on.
    Runs,
    /// The goal has been reached, or everything where there is none.
    Done,
    /// There is no way.
    NoWay,
}

/// A node that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// None if no expansion is under way.
    pub(super) node: NodeId,
    pub(super) f: Cost,
    /// How many of its stored connections have been followed.
    pub(super) next: u32,
    /// The look around it, if its connections are not stored.
    pub(super) scan: Option<Scan>,
}

impl Pending {
    pub(super) const NONE: Self = Self { node: NodeId::NONE, f: Cost::ZERO, next: 0, scan: None };
}

/// What a search goes over.
#[derive(Clone, Copy)]
struct Terrain<'a> {
    grid: &'a Grid,
    corners: &'a Corners,
    landmarks: Option<&'a Landmarks>,
    /// What a unit and its goal are joined with corners by; nothing if by scans.
    sight: Option<&'a Sight>,
}

impl Terrain<'_> {
    /// Whether a goal is in sight from a cell.
    fn is_in_sight(&self, n: NodeId, goal: NodeId) -> bool {
        goal.is_some()
            && self.sight.is_some_and(|sight| sight.is_open(cell(self.grid, n), cell(self.grid, goal)))
    }

    /// The corners in sight of a cell that lie near; what looking for them takes. Nothing if a scan is to find them.
    fn nearby(&self, at: Cell) -> (Option<Nearby>, u32) {
        let Some(sight) = self.sight else { return (None, 0) };
        let mut nearby = Nearby { cells: [(0, 0); MOST_NEARBY], len: 0 };
        let (mut found, mut looked) = (0, 0);
        let (mut last, mut is_crowded) = (MOST_RINGS, false);
        for ring in 0..=MOST_RINGS {
            looked += EIGHT_TILES * ring.cast_unsigned() + TILE;
            for dy in -ring..=ring {
                // The upper and the lower edge, and the two ends between.
                let step = if dy.abs() == ring { 1 } else { 2 * ring };
                for dx in (-ring..=ring).step_by(step.max(1).cast_unsigned() as usize) {
                    let tile = ((at.0 >> 4) + dx, (at.1 >> 4) + dy);
                    self.corners.for_each_in_tile(self.grid, tile, |corner| {
                        found += 1;
                        if found <= MOST_NEARBY && corner != at && sight.is_open(at, corner) {
                            nearby.cells[nearby.len] = corner;
                            nearby.len += 1;
                        }
                    });
                }
            }
            // Where the first one lies far away, others may lie a little farther on the other side.
            if nearby.len > 0 {
                last = last.min(2 * ring + 1);
            }
            is_crowded = found > MOST_NEARBY && ring <= 1;
            if ring >= last || found > MOST_NEARBY {
                break;
            }
        }
        looked += (GLANCE + TILE / 2) * found.min(MOST_NEARBY) as u32;
        (Some(nearby).filter(|nearby| nearby.len > 0 && !is_crowded), looked)
    }
}

/// Some corners.
struct Nearby {
    cells: [Cell; MOST_NEARBY],
    len: usize,
}

impl Nearby {
    fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells[..self.len].iter().copied()
    }
}

/// A search.
#[derive(Clone, Debug)]
pub(super) struct Seeker {
    pub(super) search: Search<Bush>,
    pub(super) stage: Stage,
    pub(super) pending: Pending,
    /// The look around the goal, and the corners that it has found: sorted once it is done.
    pub(super) joining: Scan,
    pub(super) ends: Vec<NodeId>,
    /// What the landmarks know of the goal, and their edition; nothing where there are none.
    pub(super) row: Option<(u32, Row)>,
    /// Quarters of words read that are still to be paid for.
    pub(super) debt: u32,
    pub(super) root: NodeId,
    /// None if everything is sought.
    pub(super) goal: NodeId,
    /// The length of the map's log when it began.
    pub(super) begun: u64,
    /// Steps of its way that have been paid for.
    pub(super) traced: u64,
    /// Whether root and goal are joined with all corners that they are connected with, not only with those nearby.
    pub(super) is_thorough: bool,
}

impl Seeker {
    pub(super) fn new(bound: usize) -> Self {
        Self {
            search: Search::new(Bush::new(bound), OPEN, bound, Cost::INF),
            stage: Stage::Idle,
            pending: Pending::NONE,
            joining: Scan::done(),
            ends: Vec::new(),
            row: None,
            debt: 0,
            root: NodeId::NONE,
            goal: NodeId::NONE,
            begun: 0,
            traced: 0,
            is_thorough: false,
        }
    }

    /// Begins a search; `goal` is none if it is to reach everything. `log` is the length of the map's log.
    pub(super) fn begin(&mut self, grid: &Grid, root: NodeId, goal: NodeId, log: u64, tools: &mut Tools<'_>) {
        self.is_thorough = false;
        self.start(grid, root, goal, log, tools);
    }

    fn start(&mut self, grid: &Grid, root: NodeId, goal: NodeId, log: u64, tools: &mut Tools<'_>) {
        (self.root, self.goal, self.begun, self.traced) = (root, goal, log, 0);
        let h = self.h(grid, root);
        self.search.clear(h);
        self.search.seed(root, Cost::ZERO, h, tools);
        self.pending = Pending::NONE;
        self.ends.clear();
        self.row = None;
        let around = grid.corners().filter(|_| goal.is_some()).map(|corners| (corners, cell(grid, goal)));
        self.joining = match around {
            // A goal that is a corner is found like any other.
            Some((corners, at)) if !corners.is_corner(at) => Scan::new(at, at),
            _ => Scan::done(),
        };
        self.stage = Stage::Runs;
    }

    /// The nodes that have been found and not expanded.
    pub(super) fn open(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.search.open.iter().map(|(n, _)| n)
    }

    /// How many nodes have been expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.search.closed()
    }

    #[inline]
    fn h(&self, grid: &Grid, n: NodeId) -> Cost {
        if self.goal.is_some() { grid.h(n, self.goal) } else { Cost::ZERO }
    }

    /// Goes on as far as the budget goes, and no farther than so many expansions.
    pub(super) fn go_on(
        &mut self,
        grid: &Grid,
        landmarks: Option<&Landmarks>,
        sight: Option<&Sight>,
        log: u64,
        most: u64,
        tools: &mut Tools<'_>,
    ) -> Stage {
        let Some(corners) = grid.corners() else { return self.among_cells(grid, log, most, tools) };
        let landmarks = landmarks.filter(|marks| marks.is_valid());
        let sight = sight.filter(|_| self.goal.is_some() && !self.is_thorough);
        let mut ground = Terrain { grid, corners, landmarks, sight };
        let mut left = most;
        while self.stage == Stage::Runs && self.step(&ground, log, &mut left, tools) {}
        if self.stage == Stage::NoWay && ground.sight.is_some() {
            // Corners that are not nearby were left out: only a search with all of them proves that there is no way.
            self.is_thorough = true;
            ground.sight = None;
            self.start(grid, self.root, self.goal, log, tools);
            while self.stage == Stage::Runs && self.step(&ground, log, &mut left, tools) {}
        }
        tools.meter.count(Kind::Page, tools.pools.fills());
        self.stage
    }

    /// The search has come to its end: nothing is left to be expanded.
    fn end(&mut self, log: u64) {
        self.stage = if !self.goal.is_some() {
            Stage::Done
        } else if log == self.begun {
            Stage::NoWay
        } else {
            // What has changed meanwhile may have opened a way.
            Stage::Idle
        };
    }

    /// The same without an index of corners: from cell to cell.
    fn among_cells(&mut self, grid: &Grid, log: u64, most: u64, tools: &mut Tools<'_>) -> Stage {
        for _ in 0..most {
            let Some((n, _)) = self.search.top() else {
                self.end(log);
                break;
            };
            if n == self.goal {
                self.stage = Stage::Done;
                break;
            }
            if !tools.meter.expand() {
                break;
            }
            self.search.skip();
            self.search.closed += 1;
            let so_far = self.search.nodes.g(n);
            for edge in grid.succs(n) {
                let g = so_far + edge.cost;
                let search = &mut self.search;
                if let Some(place) = search.nodes.relax(edge.to, g, n, tools.pools) {
                    let h = if self.goal.is_some() { grid.h(edge.to, self.goal) } else { Cost::ZERO };
                    search.open.put(edge.to, (g + h, g), place, &mut search.nodes, tools.pools);
                }
            }
        }
        self.stage
    }

    /// One piece of work; false if the search has ended or the meter refuses.
    fn step(&mut self, ground: &Terrain<'_>, log: u64, left: &mut u64, tools: &mut Tools<'_>) -> bool {
        if !self.settle(tools) {
            return false;
        }
        if self.pending.node.is_some() {
            self.expand_on(ground, tools);
            return true;
        }
        let Some((n, f)) = self.search.top() else {
            self.end(log);
            return false;
        };
        if n == self.goal {
            self.stage = Stage::Done;
            return false;
        }
        if n == self.root && ground.is_in_sight(n, self.goal) {
            // No corner is needed.
            self.joining = Scan::done();
        }
        // A scan finds the goal by itself; where connections are stored one must know from where it can be reached. What
        // landmarks know of the goal they know by the corners around it.
        let is_stored = n != self.root && ground.corners.connections(n).is_some();
        let is_to_be_joined = is_stored || ground.landmarks.is_some() || ground.sight.is_some();
        if !self.joining.is_done() && is_to_be_joined {
            self.join_on(ground);
            return true;
        }
        if let Some(landmarks) = ground.landmarks
            && self.row.is_none_or(|(edition, _)| edition != landmarks.edition)
            && self.goal.is_some()
        {
            self.row = Some((landmarks.edition, self.goal_row(ground.grid, landmarks)));
        }
        if *left == 0 || !tools.meter.expand() {
            return false;
        }
        *left -= 1;
        self.search.skip();
        self.search.closed += 1;
        self.pending = Pending { node: n, f, ..Pending::NONE };
        true
    }

    /// Pays for what was read; whether all of it is paid for.
    pub(super) fn settle(&mut self, tools: &mut Tools<'_>) -> bool {
        let words = u64::from(self.debt / WHOLE);
        self.debt -= WHOLE * tools.meter.charge_some(Kind::Scan, words) as u32;
        self.debt < WHOLE
    }

    /// What the landmarks know of the goal: over the nearest of the corners around it.
    fn goal_row(&self, grid: &Grid, landmarks: &Landmarks) -> Row {
        if let Some(row) = landmarks.row(self.goal) {
            return *row;
        }
        let mut least = [Cost::INF; COUNT];
        for &end in &self.ends {
            // In the fog, corners may be newer than the landmarks.
            let Some(row) = landmarks.row(end) else { return [Cost::INF; COUNT] };
            let last = grid.h(end, self.goal);
            least.iter_mut().zip(row).for_each(|(least, &known)| *least = (*least).min(known + last));
        }
        least
    }

    /// Looks on around the goal.
    fn join_on(&mut self, ground: &Terrain<'_>) {
        if self.joining == Scan::new(cell(ground.grid, self.goal), cell(ground.grid, self.goal)) {
            let (nearby, looked) = ground.nearby(cell(ground.grid, self.goal));
            self.debt += looked;
            if let Some(nearby) = nearby {
                self.ends.extend(nearby.iter().map(|corner| node(ground.grid, corner)));
                self.ends.sort_unstable();
                self.joining = Scan::done();
                return;
            }
        }
        let (ends, mut found) = (&mut self.ends, 0);
        let words = self.joining.advance(ground.corners, |corner| {
            found += 1;
            ends.push(node(ground.grid, corner));
        });
        self.debt += WHOLE * words + FOLLOW * found;
        if self.joining.is_done() {
            self.ends.sort_unstable();
        }
    }

    /// Follows some more connections of the node that is being expanded.
    fn expand_on(&mut self, ground: &Terrain<'_>, tools: &mut Tools<'_>) {
        let Terrain { grid, corners, .. } = *ground;
        let Pending { node: n, next, scan, .. } = self.pending;
        let at = cell(grid, n);
        if n == self.root && scan.is_none() && ground.is_in_sight(n, self.goal) {
            self.debt += GLANCE;
            self.follow(ground, (n, at), offset(at, cell(grid, self.goal)), tools);
            self.pending = Pending::NONE;
            return;
        }
        if n == self.root && scan.is_none() && corners.is_free(at) {
            let (nearby, looked) = ground.nearby(at);
            self.debt += looked;
            if let Some(nearby) = nearby {
                for to in nearby.iter() {
                    self.follow(ground, (n, at), offset(at, to), tools);
                }
                self.pending = Pending::NONE;
                return;
            }
        }
        // A corner that is in sight of the root need not be directly connected with it, and may be left in any direction.
        let is_nearby = |before: &NodeId| ground.sight.is_some() && *before == self.root;
        let before = self.search.nodes.parent(n).some().filter(|before| !is_nearby(before));
        let turns = before.map_or(Turns::ALL, |before| corners.turns(cell(grid, before), at));
        let source = (n, at, turns);
        let list = if n == self.root || scan.is_some() { None } else { corners.connections(n) };
        let is_last = if !corners.is_free(at) {
            true
        } else if let Some(mut list) = list {
            if next > 0 {
                list.nth(next as usize - 1);
            }
            for offset in list.by_ref().take(SOME) {
                self.relax(ground, source, offset, tools);
                self.pending.next += 1;
            }
            list.next().is_none()
        } else {
            let aim = if self.goal.is_some() { cell(grid, self.goal) } else { at };
            let mut scan = scan.unwrap_or_else(|| Scan::new(at, aim));
            let words =
                scan.advance_within(corners, turns, |to| self.relax(ground, source, offset(at, to), tools));
            self.debt += WHOLE * words;
            self.pending.scan = Some(scan);
            scan.is_done()
        };
        if is_last {
            if self.ends.binary_search(&n).is_ok() {
                self.follow(ground, (n, at), offset(at, cell(grid, self.goal)), tools);
            }
            self.pending = Pending::NONE;
        }
    }

    /// The node being expanded leads somewhere by so many columns and rows: most of what it leads to is no use.
    #[inline]
    fn relax(
        &mut self,
        ground: &Terrain<'_>,
        (n, at, turns): (NodeId, Cell, Turns),
        by: Cell,
        tools: &mut Tools<'_>,
    ) {
        if turns.allow(by) {
            self.follow(ground, (n, at), by, tools);
        } else {
            self.debt += LOOK;
        }
    }

    /// The same where it may be of use. Asked for in five places, so it is one function.
    #[inline(never)]
    fn follow(
        &mut self,
        ground: &Terrain<'_>,
        (n, at): (NodeId, Cell),
        (dx, dy): Cell,
        tools: &mut Tools<'_>,
    ) {
        let grid = ground.grid;
        let to = node(grid, (at.0 + dx, at.1 + dy));
        self.debt += FOLLOW;
        let g = self.search.nodes.g(n) + grid.over_open_ground(dx, dy);
        let search = &mut self.search;
        let Some(place) = search.nodes.relax(to, g, n, tools.pools) else { return };
        self.debt += OPEN_NODE;
        let mut h = if self.goal.is_some() { grid.h(to, self.goal) } else { Cost::ZERO };
        if let (Some(landmarks), Some((edition, goal))) = (ground.landmarks, &self.row)
            && *edition == landmarks.edition
            && let Some(row) = landmarks.row(to)
        {
            h = h.max(at_least(row, goal));
        }
        let f = self.pending.f.max(g + h);
        search.open.put(to, (f, g), place, &mut search.nodes, tools.pools);
    }

    /// How many nodes there are on the way to this one.
    pub(super) fn depth(&self, n: NodeId) -> u32 {
        self.search.nodes.depth(n)
    }

    /// What it costs from the root to a node; infinite if it was not reached.
    pub(super) fn g(&self, n: NodeId) -> Cost {
        self.search.nodes.g(n)
    }

    /// The nodes from this one back to the root, both included, each with its cost from the root.
    pub(super) fn back_from(&self, n: NodeId) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let tree = &self.search.nodes;
        core::iter::successors(n.some(), |&n| tree.parent(n).some()).map(|n| (n, tree.g(n)))
    }

    /// The end of the most promising way so far, and what a way over it costs at least.
    pub(super) fn most_promising(&mut self) -> Option<(NodeId, Cost)> {
        let next = self.pending.node.some().map(|n| (n, self.pending.f));
        next.or_else(|| self.search.top()).filter(|(n, _)| *n != self.root)
    }

    /// The node of a tree of everything over which a cell lies nearest to the root, and the cost of that; quarters of words read.
    pub(super) fn join(&self, grid: &Grid, from: NodeId) -> (Option<(NodeId, Cost)>, u32) {
        let Some(corners) = grid.corners() else {
            let g = self.g(from);
            return (g.is_finite().then_some((from, g)), 1);
        };
        let (at, root) = (cell(grid, from), cell(grid, self.root));
        let (mut scan, mut words) = (Scan::new(at, root), 0);
        let mut best = if self.g(from).is_finite() { Some((from, self.g(from))) } else { None };
        while !scan.is_done() {
            let mut found = 0;
            let read = scan.advance(corners, |to| {
                found += 1;
                let n = node(grid, to);
                let cost = self.g(n) + grid.h(from, n);
                if cost.is_finite() && best.is_none_or(|(_, least)| cost < least) {
                    best = Some((n, cost));
                }
            });
            words += WHOLE * read + FOLLOW * found;
        }
        (best, words)
    }
}

/// Columns and rows from one cell to another.
fn offset(from: Cell, to: Cell) -> Cell {
    (to.0 - from.0, to.1 - from.1)
}
