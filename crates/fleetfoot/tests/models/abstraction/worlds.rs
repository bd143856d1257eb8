//! Maps for tests.

use std::path::Path;

use fleetfoot::{Grid, NodeId, Rules};
use fleetfoot_sim::formats::map::read_map;
use fleetfoot_sim::generate::{cave, maze, random};
use fleetfoot_sim::map::GridMap;

/// Returns the grid of a map.
pub(crate) fn grid(map: &GridMap, rules: Rules) -> Grid {
    Grid::new(map.width(), map.height(), rules, |x, y| u8::from(map.passable(x, y))).expect("a valid grid")
}

/// Creates a map of one of several kinds.
pub(crate) fn map(kind: u32, side: u32, seed: u64) -> GridMap {
    let made = match kind % 4 {
        0 => random::generate(side, side + 3, 20, seed),
        1 => cave::generate(side.max(64), side.max(64), seed),
        2 => maze::generate(side | 1, side | 1, 1, seed),
        _ => random::generate(side, side, 40, seed),
    };
    made.expect("a side that all kinds can have").map
}

/// Returns all nodes with an edge.
pub(crate) fn nodes(grid: &Grid) -> Vec<NodeId> {
    use fleetfoot::Graph;
    let all = (0..grid.bound()).map(NodeId::from_index);
    all.filter(|&n| grid.succs(n).next().is_some()).collect()
}

/// Returns some benchmark maps, if their folder is set.
pub(crate) fn published(set: &str, most: usize) -> Vec<Grid> {
    let Some(folder) = std::env::var_os("FLEETFOOT_MAPS") else { return Vec::new() };
    let Ok(files) = std::fs::read_dir(Path::new(&folder).join(set)) else { return Vec::new() };
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    let maps = paths.iter().filter(|path| path.extension().is_some_and(|e| e == "map"));
    maps.take(most).map(|path| grid(&read_map(path).expect("a map"), Rules::default())).collect()
}
