//! The cell nearest to a goal that cannot be reached, where no index says what can be.

use alloc::collections::{BTreeSet, BinaryHeap};
use core::cmp::Reverse;

use crate::graph::Graph;
use crate::id::NodeId;
use crate::map::Map;

/// Number of cells in a row that are no nearer than the best one, after which a search ends. Enough for most obstacles; a search of the
/// whole map would cost as much as a route.
const PATIENCE: u32 = 256;

/// Returns a cell near `goal` that can be reached from `from`, and the number of cells that were looked at. A search that always goes on from
/// the nearest cell finds the nearest one of all, by straight-line distance, unless a long way round leads to it.
pub(crate) fn nearest_by_search(map: &Map, from: NodeId, goal: (u32, u32)) -> (NodeId, u32) {
    let grid = map.grid();
    let goal = (goal.0.min(grid.width() - 1), goal.1.min(grid.height() - 1));
    let distance = |n: NodeId| {
        let (x, y) = map.xy(n);
        u64::from(x.abs_diff(goal.0)).pow(2) + u64::from(y.abs_diff(goal.1)).pow(2)
    };
    let mut seen = BTreeSet::from([from]);
    let mut open = BinaryHeap::from([Reverse((distance(from), from.raw()))]);
    let (mut best, mut in_vain, mut cells) = ((u64::MAX, from), 0, 0);
    while let Some(Reverse((distance_here, here))) = open.pop() {
        cells += 1;
        in_vain += 1;
        if distance_here < best.0 {
            (best, in_vain) = ((distance_here, NodeId::new(here)), 0);
        }
        if distance_here == 0 || in_vain > PATIENCE {
            break;
        }
        for to in grid.succs(NodeId::new(here)).map(|edge| edge.to) {
            if seen.insert(to) {
                open.push(Reverse((distance(to), to.raw())));
            }
        }
    }
    (best.1, cells)
}
