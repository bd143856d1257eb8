//! The worlds of the benchmarks.

use fleetfoot::{Grid, NodeId, Rules};
use fleetfoot_sim::generate::cave;
use fleetfoot_sim::generate::problems::{SEED_OFFSET, random_problems};
use fleetfoot_sim::map::GridMap;

/// A start and a goal, each as column and row.
pub(crate) type Pair = ((u32, u32), (u32, u32));

/// A map and problems on it.
pub(crate) struct Case {
    pub(crate) grid: Grid,
    pub(crate) problems: Vec<(NodeId, NodeId)>,
}

impl Case {
    pub(crate) fn new(map: &GridMap, pairs: &[Pair]) -> Self {
        let grid = grid(map);
        let node = |(x, y)| grid.node(x, y).expect("problems lie on their map");
        let problems = pairs.iter().map(|&(a, b)| (node(a), node(b))).collect();
        Self { grid, problems }
    }

    /// Returns a generated game-like landscape.
    pub(crate) fn cave(side: u32, seed: u64, problems: usize) -> Self {
        let map = cave::generate(side, side, seed).expect("a side that caves can have").map;
        // The farther half of many, evenly chosen: near problems measure how a search starts.
        // The seed of the problems on which the committed counts were measured.
        let drawn = random_problems(&map, 8 * problems, seed.wrapping_sub(SEED_OFFSET));
        let mut pairs = drawn.expect("caves are connected");
        pairs.sort_by_key(|&((ax, ay), (bx, by))| ax.abs_diff(bx).max(ay.abs_diff(by)));
        let pairs: Vec<Pair> = pairs.split_off(4 * problems).into_iter().step_by(4).collect();
        Self::new(&map, &pairs)
    }
}

/// Returns the grid of a map with the rules of the benchmark sets.
pub(crate) fn grid(map: &GridMap) -> Grid {
    Grid::new(map.width(), map.height(), Rules::default(), |x, y| u8::from(map.passable(x, y)))
        .expect("maps are smaller than grids may be")
}
