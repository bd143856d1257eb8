//! The same work natively and in the page, for comparing their speed.

use fleetfoot::registry::Spec;
use fleetfoot::{ChangeLog, Decision, Meter, NodeId, Prices, Rules, Scratch, StepContext};
use fleetfoot_sim::generate::{cave, problems::random_problems};
use fleetfoot_sim::world::Terrain;

/// A planner on some problems of a cave.
#[derive(Debug)]
pub struct Measure {
    spec: Spec,
    grid: fleetfoot::Grid,
    pairs: Vec<(NodeId, NodeId)>,
    scratch: Scratch,
}

/// The result of a walk, for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Number of steps.
    pub steps: u64,
    /// A checksum of all cells.
    pub digest: u64,
}

impl Measure {
    /// Creates a planner on a cave of 512 x 512 cells.
    ///
    /// # Panics
    /// If there is no such planner.
    pub fn new(planner: &str, problems: usize) -> Self {
        let map = cave::generate(512, 512, 3).expect("a cave").map;
        let grid = Terrain::default().grid(&map, Rules::default()).expect("a small map");
        let pairs = random_problems(&map, problems, 7).expect("a cave has ways");
        let node = |(x, y)| grid.node(x, y).expect("on the map");
        let pairs = pairs.into_iter().map(|(start, goal)| (node(start), node(goal))).collect();
        Self { spec: planner.parse().expect("a planner"), grid, pairs, scratch: Scratch::new() }
    }

    /// Walks all problems.
    ///
    /// # Panics
    /// If the planner cannot be built on grids.
    pub fn walk(&mut self, budget: u64) -> Walked {
        let (mut walked, log) = (Walked { steps: 0, digest: 17 }, ChangeLog::new());
        for &(start, goal) in &self.pairs {
            let mut planner = self.spec.build(&self.grid).expect("a planner for grids");
            let mut at = start;
            for _ in 0..20_000 {
                let mut meter = Meter::priced(budget, Prices::PAPERS);
                let step =
                    StepContext::new(&self.grid, at, goal, &mut meter, &mut self.scratch).with_changes(&log);
                walked.steps += 1;
                match planner.step(step) {
                    Decision::Go(to) => at = to,
                    Decision::Wait => {}
                    Decision::NoPath => break,
                }
                walked.digest = walked.digest.wrapping_mul(31).wrapping_add(at.index() as u64);
                if at == goal {
                    break;
                }
            }
            planner.release(&mut self.scratch);
        }
        walked
    }
}
