//! Measures how directly hill climbing follows the records of kNN LRTA*.

use fleetfoot::database::KnnDatabase;
use fleetfoot::search::{Climb, climb};
use fleetfoot::{Cost, Graph, Grid, Meter, NodeId, Scratch, shortest_path};

/// Number of records that are measured, evenly spread over the database.
const RECORDS: u32 = 500;

/// Links between consecutive states of records: climbs compared with shortest paths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Links {
    /// Number of measured links.
    pub(crate) all: u64,
    /// Number of links that are climbed by a detour.
    pub(crate) longer: u64,
    /// Total excess length of all climbs, as a share of the shortest paths.
    pub(crate) excess: f64,
}

impl Links {
    pub(crate) fn of(database: &KnnDatabase, grid: &Grid, scratch: &mut Scratch) -> Self {
        let (mut all, mut longer, mut walked, mut shortest) = (0, 0, 0.0, 0.0);
        let step = database.records().div_ceil(RECORDS).max(1) as usize;
        for record in (0..database.records()).step_by(step) {
            let states: Vec<NodeId> = database.record(record).collect();
            for link in states.windows(2) {
                let found = shortest_path(grid, link[0], link[1], &mut Meter::unlimited(), scratch);
                let Some((_, straight)) = found.path() else { continue };
                let climbed = climbed(grid, link[0], link[1]);
                all += 1;
                longer += u64::from(climbed > straight);
                walked += climbed.raw() as f64;
                shortest += straight.raw() as f64;
            }
        }
        Self { all, longer, excess: if all == 0 { 0.0 } else { walked / shortest - 1.0 } }
    }
}

/// Returns the cost of climbing, or infinity if it does not reach the goal.
fn climbed(grid: &Grid, mut at: NodeId, goal: NodeId) -> Cost {
    let mut cost = Cost::ZERO;
    while at != goal {
        let Climb::To(next) = climb(grid, at, goal) else { return Cost::INF };
        cost += grid.cost(at, next);
        at = next;
    }
    cost
}

#[cfg(test)]
mod tests {
    use fleetfoot::Rules;
    use fleetfoot::database::KnnBuildInfo;
    use fleetfoot_sim::generate::SeededRng;

    use super::*;

    /// Checks that direct climbs and detours are distinguished among scattered obstacles.
    #[test]
    fn detours_are_distinguished_from_direct_climbs() {
        let mut dice = SeededRng::new(1);
        let free: Vec<u8> = (0..900).map(|_| u8::from(dice.below(10) > 2)).collect();
        let grid = Grid::new(30, 30, Rules::default(), |x, y| free[(y * 30 + x) as usize]).unwrap();
        let scratch = &mut Scratch::new();
        let nodes: Vec<NodeId> = (0..900).filter_map(|i| grid.node(i % 30, i / 30)).collect();
        let (mut straight, mut detours) = (Vec::new(), Vec::new());
        for _ in 0..2000 {
            let [a, b] = [0; 2].map(|_| nodes[dice.below(nodes.len() as u32) as usize]);
            let found = shortest_path(&grid, a, b, &mut Meter::unlimited(), scratch);
            let (Some((_, least)), true) = (found.path(), a != b) else { continue };
            match climbed(&grid, a, b) {
                cost if cost == least => straight.push(vec![a, b]),
                cost if cost.is_finite() => detours.push(vec![a, b]),
                _ => {}
            }
        }
        assert!(straight.len() > 20 && detours.len() > 2, "{} and {}", straight.len(), detours.len());
        let (some, many) = (detours.len() as u64, straight.len() as u64);
        let origin = KnnBuildInfo { seed: 1, is_exact: false, covers: false, path_edges: 0 };
        let mut look = |records| Links::of(&KnnDatabase::new(&grid, origin, records), &grid, scratch);
        assert_eq!(look(straight.clone()), Links { all: many.min(500), longer: 0, excess: 0.0 });
        let both = look([&straight[..100.min(straight.len())], &detours].concat());
        assert_eq!((both.longer, both.all), (some, 100.min(many) + some));
        assert!(both.excess > 0.0 && both.excess < look(detours).excess);
    }
}
