//! Grids: four or eight neighbors, corner rule, diagonal cost, and a weight per cell.
//!
//! Cells are numbered by tiles of 16×16, so that a page of 256 nodes is a compact part of the map. Each cell has a
//! byte with its legal moves, which is all that an expansion reads.

mod components;
mod moves;
#[cfg(feature = "serde")]
mod plain;
mod scale;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

pub use scale::{Diagonal, Length};

use self::moves::{CLASS, DIRECTIONS, Step};
use self::scale::Scale;
use crate::graph::{
    ChangeLog, Edge, EdgeChange, Embedded, Graph, Limits, ReverseGraph, Undirected, splitmix64,
};
#[cfg(feature = "serde")]
pub(crate) use components::Plain as ComponentsPlain;
pub use components::{Components, Reachability};

use crate::corners::{Corners, LandmarkUpkeep, MAX_LANDMARK_CORNERS};
use crate::id::{Cost, NodeId};

/// The number of neighbors of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Neighborhood {
    /// Right, down, left, up.
    Four,
    /// The four straight neighbors and the diagonal ones.
    Eight,
}

/// The movement rules of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rules {
    /// Four or eight neighbors.
    pub neighborhood: Neighborhood,
    /// If `true`, a diagonal move only needs a free target cell. If `false` (the default, and the rule of the
    /// `MovingAI` benchmarks), both adjacent cells must be free as well.
    pub cut_corners: bool,
    /// The cost of a diagonal move.
    pub diagonal: Diagonal,
}

impl Default for Rules {
    fn default() -> Self {
        Self { neighborhood: Neighborhood::Eight, cut_corners: false, diagonal: Diagonal::Sqrt2 }
    }
}

/// The reason a grid cannot be built or edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    TooLarge {
        width: u32,
        height: u32,
    },
    TooDear {
        width: u32,
        height: u32,
        weight: u8,
    },
    Outside {
        x: u32,
        y: u32,
        width: u32,
        height: u32,
    },
    Weight {
        weight: u8,
        min: u8,
        max: u8,
    },
    #[cfg(feature = "serde")]
    Landmarks,
    #[cfg(feature = "serde")]
    Cells {
        cells: usize,
        width: u32,
        height: u32,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Empty => f.write_str("a grid needs at least one cell"),
            Kind::TooLarge { width, height } => {
                write!(f, "{width}x{height} cells are more than a grid can number (2^28); split the map")
            }
            Kind::TooDear { width, height, weight } => write!(
                f,
                "a path over {width}x{height} cells of weight {weight} could overflow 32-bit costs; \
                 use smaller weights, or a diagonal of 1.5 or 1.4"
            ),
            Kind::Outside { x, y, width, height } => {
                write!(f, "cell {x},{y} lies outside the {width}x{height} grid")
            }
            #[cfg(feature = "serde")]
            Kind::Landmarks => {
                f.write_str("this saved grid is damaged: its landmarks do not belong to its cells")
            }
            #[cfg(feature = "serde")]
            Kind::Cells { cells, width, height } => {
                write!(
                    f,
                    "{cells} cells are given for a {width}x{height} grid; give one for each cell, row by row"
                )
            }
            Kind::Weight { weight, min, max } => write!(
                f,
                "weight {weight} lies outside {min}..={max}, the range the grid was built for; \
                 build it with a wider range"
            ),
        }
    }
}

impl core::error::Error for GridError {}

/// A grid map. Cells are blocked, or free with a weight (default 1).
///
/// A move costs its length times the mean weight of its two cells, so every move costs the same in both directions.
///
/// ```
/// use fleetfoot::{Graph, Grid, Rules};
/// let grid = Grid::new(4, 3, Rules::default(), |x, y| u8::from((x, y) != (1, 1)))?;
/// let (a, b) = (grid.node(0, 0).unwrap(), grid.node(3, 2).unwrap());
/// assert_eq!(grid.succs(a).count(), 2); // the blocked cell takes the diagonal with it
/// assert_eq!(grid.h(a, b).raw(), 2 * 577 + 408);
/// # Ok::<(), fleetfoot::GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "plain::Plain", try_from = "plain::Plain"))]
pub struct Grid {
    width: u32,
    height: u32,
    /// Number of tiles per row, and the factor that replaces the division by it.
    tiles: u32,
    tiles_inverse: u64,
    /// The weight of each node; 0 if blocked or outside the map.
    cells: Vec<u8>,
    /// For each node, a bit per direction: set if the move is legal.
    moves: Vec<u8>,
    /// The moves, by class of the position within a tile and by direction.
    steps: [[Step; 8]; 9],
    /// The offsets of the moves, stored consecutively.
    offsets: [[u32; 8]; 9],
    /// The legal moves, by the set of free neighbors.
    legal: Box<[u8; 256]>,
    /// The moves kept by canonical pruning, by direction and legal moves.
    kept: Box<[[u8; 256]; 8]>,
    /// `true` if corners are cut and `kept` refers to the moves of the cell itself.
    is_cutting: bool,
    rules: Rules,
    scale: Scale,
    /// `true` unless all cells have, and keep, weight 1.
    weighted: bool,
    weights: (u8, u8),
    fingerprint: u64,
    /// The corner index, if enabled.
    corners: Option<Box<Corners>>,
}

impl Grid {
    /// Creates a grid from a function that returns the weight of each cell: 0 is blocked, 1 is plain ground, more
    /// is rough.
    pub fn new(
        width: u32,
        height: u32,
        rules: Rules,
        mut weight: impl FnMut(u32, u32) -> u8,
    ) -> Result<Self, GridError> {
        let mut grid = Self::blank(width, height, rules)?;
        let (mut min, mut max) = (u8::MAX, 1);
        for y in 0..height {
            for x in 0..width {
                let (w, n) = (weight(x, y), grid.number(x, y));
                grid.cells[n] = w;
                if w > 0 {
                    (min, max) = (min.min(w), max.max(w));
                }
            }
        }
        grid.finish((min.min(max), max))
    }

    /// Allows cells to get any weight in this range later. The heuristic must hold for the smallest weight, so it
    /// becomes weaker.
    pub fn with_weights(mut self, min: u8, max: u8) -> Result<Self, GridError> {
        let (least, most) = (self.weights.0.min(min.max(1)), self.weights.1.max(max));
        self.fingerprint = 0;
        let was_indexed = self.corners.is_some();
        let landmarks = self.corners().map(|corners| corners.landmark_upkeep().max_corners);
        let mut grid = self.finish((least, most))?;
        if was_indexed {
            grid.index_corners();
        }
        if let Some(max_corners) = landmarks.filter(|max| *max > 0) {
            grid.build_landmarks(true, max_corners);
        }
        Ok(grid)
    }

    /// Returns the grid behind a graph, if the graph is one or refers to one.
    #[inline]
    pub(crate) fn of<G: Graph>(graph: &G) -> Option<&Self> {
        graph.as_any()?.downcast_ref()
    }

    /// Adds a corner index, if rules and weights support it.
    #[must_use]
    pub fn with_corners(mut self) -> Self {
        self.index_corners();
        self
    }

    /// Adds a corner index, which is then kept up to date. Returns `false` if rules or weights do not support it.
    /// Edits then cost more, by a few scans around the edited cell.
    pub fn index_corners(&mut self) -> bool {
        self.corners = Corners::new(self).map(Box::new);
        self.corners.is_some()
    }

    /// Adds a corner index and landmarks, if rules and weights support them.
    #[must_use]
    pub fn with_landmarks(mut self) -> Self {
        self.index_corners();
        self.build_landmarks(true, MAX_LANDMARK_CORNERS);
        self
    }

    /// Adds landmarks to the corner index: lower bounds on distances, for searches on corners. They are computed at
    /// once or in slices. Edits weaken them but never invalidate them; [`Map::prepare`](crate::Map::prepare)
    /// improves them again.
    pub(crate) fn build_landmarks(&mut self, is_at_once: bool, max_corners: usize) {
        self.change_corners(|corners, grid| {
            corners.widen(grid);
            let mut landmarks = LandmarkUpkeep::none_yet(max_corners);
            if is_at_once {
                landmarks.make_at_once(grid, corners);
            }
            corners.put_landmarks(landmarks);
        });
    }

    /// Returns the corner index, if there is one.
    #[inline]
    pub fn corners(&self) -> Option<&Corners> {
        self.corners.as_deref()
    }

    /// Applies `change` to the corner index, if there is one.
    pub(crate) fn change_corners<R>(&mut self, change: impl FnOnce(&mut Corners, &Self) -> R) -> Option<R> {
        let mut corners = self.corners.take()?;
        let outcome = change(&mut corners, self);
        self.corners = Some(corners);
        Some(outcome)
    }

    /// Updates connections between corners after edits, by scanning `words` words of 64 cells, but at least one
    /// tile. Returns `true` if all are current. Outdated connections are found when they are needed.
    pub fn repair_corners(&mut self, words: u64) -> bool {
        self.change_corners(|corners, grid| corners.repair(grid, words)).unwrap_or(true)
    }

    fn blank(width: u32, height: u32, rules: Rules) -> Result<Self, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError(Kind::Empty));
        }
        let (tiles, rows) = (width.div_ceil(16), height.div_ceil(16));
        let count = u64::from(tiles) * u64::from(rows);
        if count > 1 << 20 {
            return Err(GridError(Kind::TooLarge { width, height }));
        }
        let padded = (count << 8) as usize;
        let (steps, mut offsets) = (moves::steps(tiles), [[0; 8]; 9]);
        for (steps, offsets) in steps.iter().zip(&mut offsets) {
            steps.iter().zip(offsets).for_each(|(step, offset)| *offset = step.offset);
        }
        Ok(Self {
            width,
            height,
            tiles,
            tiles_inverse: Self::inverse(tiles),
            cells: vec![0; padded],
            moves: vec![0; padded],
            steps,
            offsets,
            legal: Box::new(moves::legal(rules)),
            kept: Box::new(moves::kept(rules)),
            is_cutting: rules.cut_corners && rules.neighborhood == Neighborhood::Eight,
            rules,
            scale: Scale::default(),
            weighted: false,
            weights: (1, 1),
            fingerprint: 0,
            corners: None,
        })
    }

    /// Computes everything that depends on the cells.
    fn finish(mut self, weights: (u8, u8)) -> Result<Self, GridError> {
        let (width, height) = (self.width, self.height);
        self.weights = weights;
        self.weighted = weights != (1, 1);
        self.scale = Scale::choose(self.rules, u64::from(width) * u64::from(height), weights)
            .ok_or(GridError(Kind::TooDear { width, height, weight: weights.1 }))?;
        for steps in &mut self.steps {
            steps.iter_mut().enumerate().for_each(|(d, step)| step.cost = self.scale.plain(d).raw());
        }
        self.fingerprint = splitmix64(u64::from(width) << 32 | u64::from(height))
            ^ splitmix64(self.scale.key() << 8 | u64::from(self.rules.cut_corners))
            ^ splitmix64(u64::from(weights.0) << 8 | u64::from(weights.1));
        for y in 0..height {
            for x in 0..width {
                let n = self.number(x, y);
                self.moves[n] = self.legal_moves(x, y);
                self.fingerprint = self.fingerprint.wrapping_add(self.cell_hash(n));
            }
        }
        Ok(self)
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the movement rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the node at column `x` and row `y`, free or blocked. Returns `None` outside the map.
    pub fn node(&self, x: u32, y: u32) -> Option<NodeId> {
        (x < self.width && y < self.height).then(|| NodeId::from_index(self.number(x, y)))
    }

    /// Returns the minimum and maximum weight that cells can have.
    pub(crate) fn weights(&self) -> (u8, u8) {
        self.weights
    }

    /// Returns the bytes held by cells, moves, tables and the corner index.
    pub fn memory_bytes(&self) -> usize {
        let tables = size_of_val(&*self.legal) + size_of_val(&*self.kept);
        let corners = self.corners().map_or(0, Corners::memory_bytes);
        self.cells.capacity() + self.moves.capacity() + tables + corners
    }

    /// Returns column and row of a node.
    #[inline]
    pub fn xy(&self, n: NodeId) -> (u32, u32) {
        let tile = n.raw() >> 8;
        let row = ((u64::from(tile) * self.tiles_inverse) >> 40) as u32; // tile / tiles, exact since both are at most 2^20
        let column = tile.wrapping_sub(row * self.tiles); // wraps only for nodes far outside the map
        (column << 4 | (n.raw() & 15), row << 4 | (n.raw() >> 4 & 15))
    }

    /// Returns the weight of a node; 0 if blocked.
    #[inline]
    pub fn weight(&self, n: NodeId) -> u8 {
        self.cells[n.index()]
    }

    /// Returns the eight cells around a cell by direction, and a bit for each legal move. Entries without a bit may
    /// be invalid.
    #[inline]
    pub(crate) fn around(&self, n: NodeId) -> ([NodeId; 8], u8) {
        let offsets = &self.offsets[CLASS[n.index() & 255] as usize];
        (offsets.map(|offset| NodeId::new(n.raw().wrapping_add(offset))), self.moves[n.index()])
    }

    /// Returns the legal moves of a cell, a bit per direction; the straight ones come first.
    #[inline]
    pub(crate) fn moves(&self, n: NodeId) -> u8 {
        self.moves[n.index()]
    }

    /// Returns the neighbor in a direction, or `NONE` if that move is illegal.
    #[inline]
    pub(crate) fn beside(&self, n: NodeId, direction: usize) -> NodeId {
        self.steps[CLASS[n.index() & 255] as usize][direction].from(n)
    }

    /// Returns `true` if there is a move from one cell to the other. `from` is a cell; `to` may be anything.
    #[inline]
    pub(crate) fn has_move(&self, from: NodeId, to: NodeId) -> bool {
        let direction = moves::direction(from, to);
        self.moves[from.index()] >> direction & 1 == 1 && self.beside(from, direction) == to
    }

    /// Returns the number of legal moves of a cell.
    #[inline]
    pub(crate) fn degree_of(&self, n: NodeId) -> u32 {
        self.moves[n.index()].count_ones()
    }

    /// Returns `true` if all free cells have weight 1, now and after any change.
    pub fn is_uniform(&self) -> bool {
        !self.weighted
    }

    /// Returns `true` if a node is free.
    #[inline]
    pub fn is_free(&self, n: NodeId) -> bool {
        self.weight(n) > 0
    }

    /// Returns the exact length of the move from `a` to its neighbor `b`, with weights, independent of the cost
    /// scale.
    pub fn length(&self, a: NodeId, b: NodeId) -> Length {
        let ((ax, ay), (bx, by)) = (self.xy(a), self.xy(b));
        let halves = u64::from(self.weight(a)) + u64::from(self.weight(b));
        if ax != bx && ay != by { Length::diagonal(halves) } else { Length::straight(halves) }
    }

    /// Returns the cost of a path over free ground to a cell `dx` columns and `dy` rows away.
    #[inline]
    pub(crate) fn over_open_ground(&self, dx: i32, dy: i32) -> Cost {
        self.scale.distance(dx.unsigned_abs(), dy.unsigned_abs())
    }

    /// Returns the move toward another cell, diagonal if possible, if it is legal. On ground of a single weight, no
    /// other move has a smaller c + h, and it has the largest c of all moves with that sum.
    #[inline]
    pub(crate) fn towards(&self, at: NodeId, goal: NodeId) -> Option<NodeId> {
        let ((x, y), (goal_x, goal_y)) = (self.xy(at), self.xy(goal));
        let d = moves::towards(goal_x.cmp(&x) as i32, goal_y.cmp(&y) as i32)?;
        let is_sure = !self.weighted && self.moves[at.index()] >> d & 1 == 1;
        is_sure.then(|| self.steps[CLASS[at.index() & 255] as usize][d].from(at))
    }

    /// Returns the cost of a straight move of weight 1. Divide costs by it to get lengths.
    pub fn unit(&self) -> u32 {
        self.scale.unit
    }

    /// Sets the weight of a cell (0 blocks it) and logs all edges that change: those of the cell and, without
    /// corner cutting, the diagonals past it.
    pub fn set(&mut self, n: NodeId, weight: u8, log: &mut ChangeLog) -> Result<(), GridError> {
        let (x, y) = self.xy(n);
        let (width, height) = (self.width, self.height);
        if n.index() >= self.cells.len() || x >= width || y >= height {
            return Err(GridError(Kind::Outside { x, y, width, height }));
        }
        let (min, max) = self.weights;
        if weight != 0 && !(min..=max).contains(&weight) {
            return Err(GridError(Kind::Weight { weight, min, max }));
        }
        let old = self.cells[n.index()];
        if old == weight {
            return Ok(());
        }
        self.fingerprint = self.fingerprint.wrapping_sub(self.cell_hash(n.index()));
        self.cells[n.index()] = weight;
        self.fingerprint = self.fingerprint.wrapping_add(self.cell_hash(n.index()));
        for cy in y.saturating_sub(1)..(y + 2).min(height) {
            for cx in x.saturating_sub(1)..(x + 2).min(width) {
                self.refresh(cx, cy, (n, old), log);
            }
        }
        if let Some(mut corners) = self.corners.take() {
            corners.edit(self, (x.cast_signed(), y.cast_signed()), weight > 0);
            self.corners = Some(corners);
        }
        Ok(())
    }

    /// Recomputes the moves of a cell after the weight of `changed` changed, and logs the differences.
    fn refresh(&mut self, x: u32, y: u32, changed: (NodeId, u8), log: &mut ChangeLog) {
        let c = self.number(x, y);
        let (before, now) = (self.moves[c], self.legal_moves(x, y));
        self.moves[c] = now;
        // If the cell was or is blocked, only added and removed moves change their costs.
        let is_free_all_along = changed.1 > 0 && self.weight(changed.0) > 0;
        let mut due = if is_free_all_along { before | now } else { before ^ now };
        let from = NodeId::from_index(c);
        while due != 0 {
            let d = due.trailing_zeros() as usize;
            due &= due - 1;
            let to = self.steps[CLASS[c & 255] as usize][d].from(from);
            let weight_before = |n: NodeId| if n == changed.0 { changed.1 } else { self.weight(n) };
            let old = self.scale.cost(d, weight_before(from), weight_before(to));
            let new = self.scale.cost(d, self.weight(from), self.weight(to));
            let old = if before >> d & 1 == 0 { Cost::INF } else { old };
            let new = if now >> d & 1 == 0 { Cost::INF } else { new };
            if old != new {
                log.push(EdgeChange { from, to, old, new });
            }
        }
    }

    /// Returns the factor for [`Grid::xy`]. Its relative error is at most `tiles / 2^40`, which is exact for tile
    /// numbers below 2^20.
    const fn inverse(tiles: u32) -> u64 {
        (1 << 40) / tiles as u64 + 1
    }

    fn number(&self, x: u32, y: u32) -> usize {
        (((y >> 4) * self.tiles + (x >> 4)) << 8 | (y & 15) << 4 | (x & 15)) as usize
    }

    fn cell_hash(&self, n: usize) -> u64 {
        splitmix64((n as u64) << 8 | u64::from(self.cells[n]))
    }

    fn legal_moves(&self, x: u32, y: u32) -> u8 {
        let n = self.number(x, y);
        if self.cells[n] == 0 {
            return 0;
        }
        let inside = (1..self.width - 1).contains(&x) && (1..self.height - 1).contains(&y);
        let free = if inside {
            let steps = &self.steps[CLASS[n & 255] as usize];
            let cell = |d: usize| self.cells[steps[d].from(NodeId::from_index(n)).index()];
            (0..8).fold(0, |free, d| free | u8::from(cell(d) > 0) << d)
        } else {
            DIRECTIONS.iter().enumerate().fold(0, |free, (d, &(dx, dy))| {
                let there = self.node(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                free | u8::from(there.is_some_and(|n| self.is_free(n))) << d
            })
        };
        self.legal[free as usize]
    }

    #[inline]
    fn edges(&self, n: NodeId, mask: u8) -> Edges<'_> {
        let steps = &self.steps[CLASS[n.index() & 255] as usize];
        Edges { cells: if self.weighted { &self.cells } else { &[] }, from: n, steps, mask: u32::from(mask) }
    }
}

/// The legal moves of a cell, as edges.
struct Edges<'a> {
    /// The weights; empty if all are 1.
    cells: &'a [u8],
    from: NodeId,
    steps: &'a [Step; 8],
    /// A bit for each remaining move.
    mask: u32,
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if self.mask == 0 {
            return None;
        }
        let step = self.steps[self.mask.trailing_zeros() as usize & 7];
        self.mask &= self.mask - 1;
        let to = step.from(self.from);
        let mut cost = step.cost;
        if !self.cells.is_empty() {
            let weight = |n: NodeId| u32::from(self.cells[n.index()]);
            cost *= weight(self.from) + weight(to);
        }
        Some(Edge { to, cost: Cost::new(cost) })
    }
}

impl Graph for Grid {
    #[inline]
    fn limits(&self) -> Limits {
        let max_edge_cost = self.scale.max_edge_cost(self.rules, self.weights.1);
        let max_degree = if self.rules.neighborhood == Neighborhood::Four { 4 } else { 8 };
        Limits::new(self.cells.len(), max_edge_cost)
            .with_max_degree(max_degree)
            .with_max_f_increase(max_edge_cost + max_edge_cost)
    }

    fn is_node(&self, n: NodeId) -> bool {
        self.cells.get(n.index()).is_some_and(|weight| *weight > 0)
    }

    #[inline]
    fn succs(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.edges(n, self.moves[n.index()])
    }

    /// Canonical pruning: of all equally cheap paths over free ground only the one with its diagonal moves first is
    /// searched. Grids with weights are not pruned.
    #[inline]
    fn pruned_successors(&self, n: NodeId, from: NodeId) -> impl Iterator<Item = Edge> + '_ {
        let mut mask = self.moves[n.index()];
        if from.is_some() && !self.weighted {
            let moves = if self.is_cutting { mask } else { self.moves[from.index()] };
            mask &= self.kept[moves::direction(from, n)][moves as usize];
        }
        self.edges(n, mask)
    }

    #[inline]
    fn h(&self, a: NodeId, b: NodeId) -> Cost {
        let ((ax, ay), (bx, by)) = (self.xy(a), self.xy(b));
        self.scale.distance(ax.abs_diff(bx), ay.abs_diff(by))
    }

    fn cost(&self, a: NodeId, b: NodeId) -> Cost {
        self.succs(a).find(|e| e.to == b).map_or(Cost::INF, |e| e.cost)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    #[inline]
    fn toward(&self, at: NodeId, goal: NodeId) -> Option<NodeId> {
        self.towards(at, goal)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

impl ReverseGraph for Grid {
    #[inline]
    fn preds(&self, n: NodeId) -> impl Iterator<Item = Edge> + '_ {
        self.succs(n)
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

impl Undirected for Grid {}

impl Embedded for Grid {
    fn position(&self, n: NodeId) -> (i32, i32) {
        let (x, y) = self.xy(n);
        (x.cast_signed(), y.cast_signed())
    }

    fn min_cost_per_unit(&self) -> Cost {
        self.scale.distance(1, 0)
    }
}

#[cfg(test)]
mod tests;
