//! Hill climbing (Bulitko, Björnsson & Lawrence 2010): from where one is to the neighbour n with the least c + h(n)
//! among those with h(n) below one's own h; of equal ones to that with the larger c, then to the first.
//!
//! The chapter words its failure as "all children have h no less", its program tests only the best child; the two agree
//! here, since only children with a smaller h are looked at.

use crate::graph::Graph;
use crate::id::NodeId;
use crate::meter::{Meter, WorkKind};

/// What a step of hill climbing comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Climb {
    /// The best neighbour.
    To(NodeId),
    /// All neighbours are as far or farther, by their h.
    Stuck,
    /// There is no neighbour.
    Shut,
}

/// One step.
#[inline]
pub fn climb<G: Graph>(graph: &G, at: NodeId, goal: NodeId) -> Climb {
    // Most steps lead straight on, and databases are made of billions of them.
    if let Some(next) = graph.as_grid().and_then(|grid| grid.towards(at, goal)) {
        return Climb::To(next);
    }
    climb_around(graph, at, goal)
}

/// One step with a look at all neighbours.
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
        None if shut => Climb::Shut,
        None => Climb::Stuck,
    }
}

/// Whether a goal can be reached by hill climbing: a test that can be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ascent {
    pub(crate) at: NodeId,
    pub(crate) goal: NodeId,
    /// Steps that may still be made.
    pub(crate) left: u32,
}

/// How far an [`Ascent`] has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ascending {
    /// It is there.
    Arrived,
    /// It will not get there.
    Failed,
    /// It goes on with the next call.
    Paused,
}

impl Ascent {
    /// About to set off, with at most so many steps to make.
    pub const fn new(at: NodeId, goal: NodeId, most: u32) -> Self {
        Self { at, goal, left: most }
    }

    /// Climbs until it is known, the meter refuses, or `quota` steps are made, which are taken off it.
    pub fn run<G: Graph>(&mut self, graph: &G, quota: &mut u32, meter: &mut Meter) -> Ascending {
        while self.at != self.goal {
            if self.left == 0 {
                return Ascending::Failed;
            }
            if *quota == 0 || !meter.charge(WorkKind::Climb) {
                return Ascending::Paused;
            }
            *quota -= 1;
            self.left -= 1;
            let Climb::To(next) = climb(graph, self.at, self.goal) else { return Ascending::Failed };
            self.at = next;
        }
        Ascending::Arrived
    }
}

/// Whether `b` can be reached from `a` by hill climbing, however many steps it takes.
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
    use crate::graph::{Diagonal, Grid, Neighborhood, Rules, splitmix64};
    use std::vec::Vec;

    /// Straight on is what a look at all neighbours comes to, by all rules and over ground of all kinds.
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
