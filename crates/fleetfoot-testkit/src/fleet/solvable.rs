//! Decides whether a tiny instance can be solved: breadth-first search over all joint states.

use std::collections::{HashSet, VecDeque};

use fleetfoot::{Graph, Grid, NodeId};

use super::referee;

/// Returns the minimum number of steps until all units are at their goals at the same time. `None` if that is
/// impossible. Only for a few units on a few cells.
pub fn makespan(grid: &Grid, starts: &[NodeId], goals: &[NodeId]) -> Option<usize> {
    let mut seen = HashSet::from([starts.to_vec()]);
    let mut queue = VecDeque::from([(starts.to_vec(), 0)]);
    while let Some((state, steps)) = queue.pop_front() {
        if state == goals {
            return Some(steps);
        }
        let mut joint = vec![Vec::new()];
        for &at in &state {
            let mut longer = Vec::new();
            for moves in joint {
                let all = grid.succs(at).map(|edge| edge.to).chain([at]);
                for to in all.filter(|to| !moves.contains(to)) {
                    let mut moves: Vec<NodeId> = moves.clone();
                    moves.push(to);
                    longer.push(moves);
                }
            }
            joint = longer;
        }
        for next in joint {
            if !seen.contains(&next) && referee::check(grid, &state, &next, false).is_ok() {
                seen.insert(next.clone());
                queue.push_back((next, steps + 1));
            }
        }
    }
    None
}
