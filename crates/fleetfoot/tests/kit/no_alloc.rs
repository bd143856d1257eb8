//! With a filled pool and a built planner, no step of any planner allocates: not the first one, not the first after
//! a reset, not after a change of the world, for any budget.

use fleetfoot::registry::{BoxedPlanner, Resources, Spec};
use fleetfoot::{
    ChangeLog, Decision, Graph, Grid, Meter, NodeId, PlannerState, Prices, Reset, Rules, Scratch, StepContext,
};
use fleetfoot_testkit::alloc::{Taken, counted};
use fleetfoot_testkit::conformance::every_spec;
use fleetfoot_testkit::{Rng, worlds};

const SIZE: u32 = 256;

struct Agent<'a> {
    grid: &'a Grid,
    planner: BoxedPlanner<Grid>,
    at: NodeId,
    goal: NodeId,
}

impl Agent<'_> {
    /// Performs steps until the agent has arrived, there is no path, or `most` steps are done. Returns the
    /// allocations.
    fn walk(&mut self, scratch: &mut Scratch, log: &ChangeLog, budget: Option<u64>, most: usize) -> Taken {
        let mut taken = Taken::NOTHING;
        for _ in 0..most {
            let mut meter = budget.map_or_else(Meter::unlimited, |b| Meter::priced(b, Prices::ALL_WORK));
            let (decision, step) = counted(|| {
                self.planner.step(
                    StepContext::new(self.grid, self.at, self.goal, &mut meter, scratch).with_changes(log),
                )
            });
            taken += step;
            match decision {
                Decision::Go(to) => self.at = to,
                Decision::Wait if self.at != self.goal => {}
                _ => break,
            }
        }
        taken
    }
}

fn scratch(planner: &dyn PlannerState, grid: &Grid) -> Scratch {
    let mut scratch = Scratch::new();
    scratch.reserve(planner, grid.bound());
    scratch.reserve_search(grid.bound(), grid.max_f_increase());
    scratch
}

#[test]
fn no_step_allocates() {
    let mut rng = Rng::new(11);
    // The second grid is for planners that would build a large database for the first.
    let grids =
        [SIZE, SIZE / 4].map(|size| worlds::random_grid(&mut rng, (size, size), Rules::default(), 20, 1));
    let mut made = [Resources::EMPTY, Resources::EMPTY];
    let log = ChangeLog::new();
    for spec in every_spec() {
        made[0].prepare(&spec, &grids[0]);
        let k = usize::from(spec.build_with(&grids[0], &made[0]).is_err());
        made[k].prepare(&spec, &grids[k]);
        let (grid, made) = (&grids[k], &made[k]);
        let cells = worlds::free_cells(grid);
        // Without a budget, a step of a planner that is not polynomial need not end.
        let endless = spec.facts().polynomial.then_some(None);
        for budget in [Some(1), Some(30), Some(1000)].into_iter().chain(endless) {
            let planner = spec.build_with(grid, made).expect("planners can be built on grids");
            let mut scratch = scratch(&*planner, grid);
            let mut agent = Agent { grid, planner, at: rng.pick(&cells), goal: rng.pick(&cells) };
            let most = 4000;
            assert_eq!(agent.walk(&mut scratch, &log, budget, most), Taken::NOTHING, "{spec}, {budget:?}");
            for keep in [Reset::KeepLearned, Reset::Full] {
                agent.planner.reset(keep);
                (agent.at, agent.goal) = (rng.pick(&cells), rng.pick(&cells));
                let taken = agent.walk(&mut scratch, &log, budget, most);
                assert_eq!(taken, Taken::NOTHING, "{spec}, {budget:?}, after {keep:?}");
            }
            // The released pages are used by the next planner.
            agent.planner.release(&mut scratch);
            agent.planner = spec.build_with(grid, made).expect("planners can be built on grids");
            agent.at = rng.pick(&cells);
            let taken = agent.walk(&mut scratch, &log, budget, most);
            assert_eq!(taken, Taken::NOTHING, "{spec}, {budget:?}, after a release");
        }
    }
}

#[test]
fn no_step_allocates_in_a_world_that_changes() {
    let mut rng = Rng::new(12);
    let mut grid = worlds::random_grid(&mut rng, (SIZE, SIZE), Rules::default(), 20, 1);
    let cells = worlds::free_cells(&grid);
    for spec in every_spec().into_iter().filter(|spec| spec.info().facts.falling_costs) {
        let mut log = ChangeLog::new();
        let planner = spec.build(&grid).expect("planners can be built on grids");
        let mut scratch = scratch(&*planner, &grid);
        let mut planner = Some(planner);
        let (mut at, goal) = (rng.pick(&cells), rng.pick(&cells));
        for _ in 0..40 {
            let n = rng.pick(&cells);
            grid.set(n, u8::from(!grid.is_free(n)), &mut log).expect("weights of 0 and 1");
            let mut agent = Agent { grid: &grid, planner: planner.take().expect("put back below"), at, goal };
            let taken = agent.walk(&mut scratch, &log, Some(500), 10);
            assert_eq!(taken, Taken::NOTHING, "{spec}");
            at = agent.at;
            planner = Some(agent.planner);
        }
    }
}

/// Checks the allocator: with an empty pool a step allocates pages.
#[test]
fn an_empty_pool_shows() {
    let grid = Grid::new(SIZE, SIZE, Rules::default(), |_, _| 1).expect("a valid grid");
    let planner = "astar".parse::<Spec>().expect("a spec").build(&grid).expect("A* can be built");
    let ends = (grid.node(0, 0), grid.node(200, 100));
    let (Some(at), Some(goal)) = ends else { panic!("cells of the grid") };
    let mut agent = Agent { grid: &grid, planner, at, goal };
    let taken = agent.walk(&mut Scratch::new(), &ChangeLog::new(), None, 1);
    assert!(taken.calls > 0 && taken.bytes > 0);
}
