//! Units that follow paths which others have found for them: through each other, or with the fleet's own resolver.

use fleetfoot::fleet::{Costs, Resolver, ResolverConfig};
use fleetfoot::{Cost, Graph, Grid, NodeId};

/// Cells ahead of a unit that are looked at for walls.
const LOOK_AHEAD: usize = 16;
/// Cells of its path that a unit may take a short cut to when others have pushed it about.
const WINDOW: usize = 3;
/// After so many ticks without coming on, a unit asks for another path.
const PATIENCE: u16 = 48;

/// A path, and how far its unit has come.
#[derive(Clone, Default)]
struct Path {
    cells: Vec<NodeId>,
    at: usize,
    /// What is left from there.
    rest: u32,
    idle: u16,
}

impl Path {
    /// Points near the unit, with their numbers and what is left from each.
    fn near<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = (usize, NodeId, u32)> + 'a {
        let mut rest = self.rest;
        let last = self.cells.len().min(self.at + WINDOW);
        (self.at..last).map(move |k| {
            let (cell, left) = (self.cells[k], rest);
            rest = rest.saturating_sub(self.cells.get(k + 1).map_or(0, |&next| grid.h(cell, next).raw()));
            (k, cell, left)
        })
    }

    /// The unit stands here now.
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

    /// A unit's path from now on; an empty one lets it stand.
    pub(crate) fn give(&mut self, grid: &Grid, unit: usize, cells: Vec<NodeId>) {
        let rest = cells.windows(2).map(|pair| grid.h(pair[0], pair[1]).raw()).sum();
        self.paths[unit] = Path { cells, at: 0, rest, idle: 0 };
        if let Some(resolver) = &mut self.resolver {
            resolver.renew(unit as u32);
        }
    }

    /// The rest of a unit's path.
    pub(crate) fn ahead(&self, unit: usize) -> &[NodeId] {
        self.paths[unit].cells.get(self.paths[unit].at..).unwrap_or_default()
    }

    /// Whether a unit needs another path: a wall is in its way, or it does not come on.
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

    /// Everybody moves. Joint searches of the resolver have the same share of a budget as in a fleet.
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

/// A cell is worth what is left of the path, and what it takes to get back to it. Who has no path stands, and lets others
/// push it away.
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
