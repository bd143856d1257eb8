//! Units that follow given paths: through each other, or with the fleet's own resolver.

use fleetfoot::fleet::{Costs, Resolver, ResolverConfig};
use fleetfoot::{Cost, Graph, Grid, NodeId};

/// Number of cells ahead of a unit that are checked for walls.
const LOOK_AHEAD: usize = 16;
/// Number of cells ahead to which a displaced unit may return directly.
const WINDOW: usize = 3;
/// Number of ticks without progress after which a unit requests a new path.
const PATIENCE: u16 = 48;

/// A path, and the unit's position on it.
#[derive(Clone, Default)]
struct Path {
    cells: Vec<NodeId>,
    at: usize,
    /// Rest of the path's cost from there.
    rest: u32,
    idle: u16,
}

impl Path {
    /// Returns waypoints near the unit, with their indices and the rest of the cost from each.
    fn near<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = (usize, NodeId, u32)> + 'a {
        let mut rest = self.rest;
        let last = self.cells.len().min(self.at + WINDOW);
        (self.at..last).map(move |k| {
            let (cell, left) = (self.cells[k], rest);
            rest = rest.saturating_sub(self.cells.get(k + 1).map_or(0, |&next| grid.h(cell, next).raw()));
            (k, cell, left)
        })
    }

    /// Updates the position after the unit has moved.
    fn track(&mut self, grid: &Grid, at: NodeId) {
        let nearest = self.near(grid).min_by_key(|&(k, cell, _)| (grid.h(at, cell), usize::MAX - k));
        let Some((k, _, rest)) = nearest else { return };
        self.idle = if k > self.at || k + 1 == self.cells.len() { 0 } else { self.idle.saturating_add(1) };
        (self.at, self.rest) = (k, rest);
    }
}

pub(crate) struct Walkers {
    pub(crate) at: Vec<NodeId>,
    paths: Vec<Path>,
    resolver: Option<Resolver>,
}

impl Walkers {
    pub(crate) fn new(grid: &Grid, starts: &[NodeId], collisions: bool) -> Self {
        let resolver = collisions.then(|| resolver(grid, starts));
        Self { at: starts.to_vec(), paths: vec![Path::default(); starts.len()], resolver }
    }

    pub(crate) fn has_path(&self, unit: usize) -> bool {
        !self.paths[unit].cells.is_empty()
    }

    /// Sets a unit's path. An empty one makes it wait.
    pub(crate) fn give(&mut self, grid: &Grid, unit: usize, cells: Vec<NodeId>) {
        let rest = cells.windows(2).map(|pair| grid.h(pair[0], pair[1]).raw()).sum();
        self.paths[unit] = Path { cells, at: 0, rest, idle: 0 };
        if let Some(resolver) = &mut self.resolver {
            resolver.renew(unit as u32);
        }
    }

    /// Returns the rest of a unit's path.
    pub(crate) fn ahead(&self, unit: usize) -> &[NodeId] {
        self.paths[unit].cells.get(self.paths[unit].at..).unwrap_or_default()
    }

    /// Returns `true` if a unit needs a new path: a wall blocks it, or it makes no progress.
    pub(crate) fn is_broken(&mut self, known: &Grid, unit: usize) -> bool {
        let path = &mut self.paths[unit];
        let is_lost = path.idle > PATIENCE;
        if is_lost {
            path.idle = 0;
        }
        is_lost || self.ahead(unit).iter().take(LOOK_AHEAD).any(|&cell| !known.is_free(cell))
    }

    pub(crate) fn map_changed(&mut self, grid: &Grid, cell: NodeId) {
        if let Some(resolver) = &mut self.resolver {
            resolver.map_changed(grid, cell);
        }
    }

    /// Moves all units. Joint searches of the resolver have the same share of a budget as in a fleet.
    pub(crate) fn step(&mut self, grid: &Grid, budget: u64) {
        match &mut self.resolver {
            Some(resolver) => {
                let mut along = Along { grid, paths: &self.paths, at: &self.at };
                resolver.tick(grid, &mut along, budget / 6);
                self.at.clear();
                self.at.extend(resolver.cells());
            }
            None => {
                for (at, path) in self.at.iter_mut().zip(&self.paths) {
                    let next = path.cells.get(path.at + 1).copied();
                    *at = next.filter(|&next| grid.is_free(next)).unwrap_or(*at);
                }
            }
        }
        for (path, &at) in self.paths.iter_mut().zip(&self.at) {
            path.track(grid, at);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let paths = self.paths.iter().map(|path| size_of::<Path>() + 4 * path.cells.capacity());
        paths.sum::<usize>() + 4 * self.at.capacity() + self.resolver.as_ref().map_or(0, Resolver::unit_bytes)
    }
}

pub(crate) fn resolver(grid: &Grid, starts: &[NodeId]) -> Resolver {
    let mut resolver = Resolver::new(grid, ResolverConfig::default());
    for &start in starts {
        resolver.place(grid, start).expect("starts are free and different");
    }
    resolver
}

/// The cost of a cell is the rest of the path, plus the cost of returning to it. A unit without a path waits, and can
/// be pushed away.
struct Along<'a> {
    grid: &'a Grid,
    paths: &'a [Path],
    at: &'a [NodeId],
}

impl Costs for Along<'_> {
    fn cost(&mut self, unit: u32, cell: NodeId) -> Cost {
        let near = self.paths[unit as usize].near(self.grid);
        let values = near.map(|(_, point, rest)| self.grid.h(cell, point).raw() + rest);
        Cost::new(values.min().unwrap_or(u32::from(cell != self.at[unit as usize])))
    }
}
