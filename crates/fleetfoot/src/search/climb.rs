//! Hill climbing (Bulitko, Björnsson & Lawrence 2010): moves to the neighbor n with the smallest c + h(n) among
//! those with h(n) < h(current). Ties: larger c, then first.
//!
//! The chapter defines failure as "all children have h no less", while its program tests only the best child. Both
//! agree here, since only children with a smaller h are considered.

use crate::graph::Graph;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};

/// The result of a step of hill climbing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Climb {
    /// The best neighbor.
    To(NodeId),
    /// No neighbor has a smaller h.
    Stuck,
    /// There are no neighbors.
    NoNeighbors,
}

/// Performs one step of hill climbing.
#[inline]
pub fn climb<G: Graph>(graph: &G, at: NodeId, goal: NodeId) -> Climb {
    // Fast path: most steps go straight toward the goal, and building a database takes billions of them.
    if let Some(next) = graph.toward(at, goal) {
        return Climb::To(next);
    }
    climb_around(graph, at, goal)
}

/// Performs one step by examining all neighbors.
fn climb_around<G: Graph>(graph: &G, at: NodeId, goal: NodeId) -> Climb {
    let (here, mut best, mut shut) = (graph.h(at, goal), None, true);
    for edge in graph.succs(at).filter(|edge| edge.to != at) {
        shut = false;
        let h = graph.h(edge.to, goal);
        let f = edge.cost + h;
        if h < here && best.is_none_or(|(least, c, _)| f < least || f == least && edge.cost > c) {
            best = Some((f, edge.cost, edge.to));
        }
    }
    match best {
        Some((.., n)) => Climb::To(n),
        None if shut => Climb::NoNeighbors,
        None => Climb::Stuck,
    }
}

/// Tests whether a goal can be reached by hill climbing. The test can be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClimbTest {
    pub(crate) at: NodeId,
    pub(crate) goal: NodeId,
    /// Number of steps left.
    pub(crate) left: u32,
}

/// The state of an [`ClimbTest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClimbProgress {
    /// The goal was reached.
    Arrived,
    /// The goal cannot be reached.
    Failed,
    /// Call it again to continue.
    Paused,
}

impl ClimbTest {
    /// Creates a test of at most `most` steps.
    pub const fn new(at: NodeId, goal: NodeId, most: u32) -> Self {
        Self { at, goal, left: most }
    }

    /// Climbs until the result is known, the budget is exhausted, or `quota` steps were made. The steps are
    /// subtracted from `quota`.
    pub fn run<G: Graph>(&mut self, graph: &G, quota: &mut u32, meter: &mut Meter) -> ClimbProgress {
        while self.at != self.goal {
            if self.left == 0 {
                return ClimbProgress::Failed;
            }
            if *quota == 0 || !meter.charge(WorkKind::Climb) {
                return ClimbProgress::Paused;
            }
            *quota -= 1;
            self.left -= 1;
            let Climb::To(next) = climb(graph, self.at, self.goal) else { return ClimbProgress::Failed };
            self.at = next;
        }
        ClimbProgress::Arrived
    }
}

/// Returns `true` if `b` can be reached from `a` by hill climbing in any number of steps.
pub(crate) fn is_climbable<G: Graph>(graph: &G, mut a: NodeId, b: NodeId) -> bool {
    while a != b {
        let Climb::To(next) = climb(graph, a, b) else { return false };
        a = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::splitmix64;
    use crate::grid::{Diagonal, Grid, Neighborhood, Rules};
    use std::vec::Vec;

    /// The fast path must agree with examining all neighbors, for all movement rules and weights.
    #[test]
    fn the_move_ahead_is_the_best_one() {
        let (side, mut ahead) = (19_u32, 0);
        for k in 0..48_u64 {
            let neighborhood = if k % 4 == 0 { Neighborhood::Four } else { Neighborhood::Eight };
            let diagonal = [Diagonal::Sqrt2, Diagonal::D14, Diagonal::D15][k as usize % 3];
            let rules = Rules { neighborhood, diagonal, cut_corners: k % 8 < 4 };
            let cell = |x: u32, y: u32| {
                let bits = splitmix64(k << 20 | u64::from(y * side + x)) % 100;
                if bits < k % 40 {
                    0
                } else if k < 32 {
                    1
                } else {
                    1 + (bits % 3) as u8
                }
            };
            let grid = Grid::new(side, side, rules, cell).unwrap();
            let free: Vec<NodeId> = (0..side * side)
                .filter_map(|i| grid.node(i % side, i / side))
                .filter(|n| grid.is_free(*n))
                .collect();
            for &a in &free {
                for &b in free.iter().filter(|b| **b != a) {
                    assert_eq!(climb(&grid, a, b), climb_around(&grid, a, b), "{k}: {a:?} to {b:?}");
                    ahead += u32::from(grid.towards(a, b).is_some());
                }
            }
        }
        assert!(ahead > 1_000_000, "{ahead}");
    }
}
