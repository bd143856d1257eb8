//! The map of a case: made once as the judges' ground, and once as the library's map.

use fleetfoot::{Diagonal, Grid, LandmarkMode, Map, MapConfig, Neighborhood, NodeId, Rules};
use fleetfoot_sim::generate::{cave, corner, corridors, maze, meeting, random, rooms};
use fleetfoot_sim::map::GridMap;

use super::{DiagonalKind, IndexKind, MapKind, World};
use crate::judges::ground::{Cell, Ground, Moves, NOWHERE};
use crate::rng::Rng;

/// Stream of the weights of cells.
const WEIGHTS: u64 = 1;

impl World {
    /// Makes the map. A generator that cannot make it so small gives open ground.
    pub(crate) fn ground(&self, seed: u64) -> Ground {
        let made = self.generate(seed).filter(|map| map.passable_count() > 0);
        let (width, height) = made.as_ref().map_or(self.size, |map| (map.width(), map.height()));
        let mut rng = Rng::of(seed, WEIGHTS, 0);
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let weights = cells.map(|(x, y)| {
            let is_free = made.as_ref().is_none_or(|map| map.passable(x, y));
            if is_free { rng.between(1, u32::from(self.weights)) as u8 } else { 0 }
        });
        Ground::new(width, height, self.moves, weights.collect())
    }

    fn generate(&self, seed: u64) -> Option<GridMap> {
        let (width, height) = self.size;
        let least = width.min(height);
        let made = match self.map {
            MapKind::Field => return None,
            MapKind::Maze => maze::generate(width, height, 1, seed),
            MapKind::WideMaze => maze::generate(width, height, 2 + (seed % 3) as u32, seed),
            MapKind::Rooms => {
                let size = (least / 4).clamp(2, 15);
                let (centred, connected) = (seed.is_multiple_of(3), !seed.is_multiple_of(5));
                rooms::Rooms { width, height, size, door_percent: 60, centred, connected }.generate(seed)
            }
            MapKind::Random => random::generate(width, height, 10 + (seed % 25) as u32, seed),
            MapKind::Dense => random::generate(width, height, 40 + (seed % 15) as u32, seed),
            MapKind::Corner => corner::generate(least),
            MapKind::Cave => cave::generate(width, height, seed),
            MapKind::Corridors => {
                let (length, broad) = (width.saturating_sub(4).max(4), 1 + (seed % 3) as u32);
                corridors::Corridors { length, width: broad, detour: height / 3, hall: 0 }.generate()
            }
            MapKind::Meeting => meeting::rooms(least / 2, 1 + (seed % 2) as u32, 2 + least / 8),
            MapKind::Crossing => meeting::crossing(least / 2, 1 + (seed % 3) as u32),
        };
        // A size that a generator does not make is none that the map may have.
        let fits = |map: &GridMap| u64::from(map.width()) * u64::from(map.height()) <= 1 << 22;
        made.ok().map(|made| made.map).filter(fits)
    }

    /// Returns the lengths of a straight and of a diagonal move, as whole numbers.
    pub(crate) fn lengths(&self) -> (u64, u64) {
        match self.diagonal {
            DiagonalKind::Sqrt2 => (408, 577),
            DiagonalKind::D14 => (5, 7),
            DiagonalKind::D15 => (2, 3),
        }
    }

    fn rules(&self) -> Rules {
        Rules {
            neighborhood: if self.moves == Moves::Four { Neighborhood::Four } else { Neighborhood::Eight },
            cut_corners: self.moves == Moves::Cutting,
            diagonal: match self.diagonal {
                DiagonalKind::Sqrt2 => Diagonal::Sqrt2,
                DiagonalKind::D14 => Diagonal::D14,
                DiagonalKind::D15 => Diagonal::D15,
            },
        }
    }

    /// Makes the library's grid of a ground.
    pub(crate) fn grid(&self, ground: &Ground) -> Grid {
        let weight = |x, y| ground.cell(x, y).map_or(0, |cell| ground.weight(cell));
        let grid = Grid::new(ground.width, ground.height, self.rules(), weight).expect("a small map");
        if self.weights > 1 { grid.with_weights(1, self.weights).expect("a small map") } else { grid }
    }

    /// Makes the library's map of a ground.
    pub(crate) fn map(&self, ground: &Ground) -> Map {
        let grid = self.grid(ground);
        let mut config = MapConfig::default();
        match self.index {
            IndexKind::Full => {}
            IndexKind::Slices => config.landmarks = LandmarkMode::InSlices,
            IndexKind::Corners => config.landmarks = LandmarkMode::Off,
            IndexKind::None => return Map::without_index(grid),
        }
        Map::with_config(grid, config)
    }

    /// Returns the rules of an agent's belief about the map.
    pub(crate) fn belief_rules(&self) -> Rules {
        self.rules()
    }
}

/// The judges' cells and the library's nodes.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    nodes: Vec<NodeId>,
    cells: Vec<Cell>,
}

impl Names {
    /// Names all cells of a map.
    pub(crate) fn new(ground: &Ground, grid: &Grid) -> Self {
        let node = |cell| {
            let (x, y) = ground.xy(cell);
            grid.node(x, y).expect("on the map")
        };
        let nodes: Vec<NodeId> = (0..ground.len() as Cell).map(node).collect();
        let bound = nodes.iter().map(|n| n.index() + 1).max().unwrap_or(0);
        let mut cells = vec![NOWHERE; bound];
        for (cell, n) in (0..).zip(&nodes) {
            cells[n.index()] = cell;
        }
        Self { nodes, cells }
    }

    /// Returns the node of a cell. Returns `NodeId::NONE` for [`NOWHERE`].
    pub(crate) fn node(&self, cell: Cell) -> NodeId {
        self.nodes.get(cell as usize).copied().unwrap_or(NodeId::NONE)
    }

    /// Returns the cell of a node; [`NOWHERE`] if it is not on the map.
    pub(crate) fn cell(&self, n: NodeId) -> Cell {
        self.cells.get(n.index()).copied().unwrap_or(NOWHERE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Case;
    use super::*;

    #[test]
    fn every_kind_of_map_can_be_made_of_many_sizes() {
        for (k, &map) in MapKind::ALL.iter().enumerate() {
            for side in [1, 2, 3, 5, 9, 24, 70] {
                let world = World { map, size: (side, side + k as u32 % 3), ..Case::draw(1).world };
                let ground = world.ground(side.into());
                assert!(ground.len() > 0 && !ground.free().is_empty(), "{map:?} {side}");
                let names = Names::new(&ground, world.map(&ground).grid());
                assert!((0..ground.len() as Cell).all(|cell| names.cell(names.node(cell)) == cell));
            }
        }
    }
}
