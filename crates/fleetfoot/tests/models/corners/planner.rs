//! Properties of Corner TBA* beyond the conformance kit.

use fleetfoot::planners::{CornerTba, OffPathPolicy};
use fleetfoot::registry::Spec;
use fleetfoot::{
    ChangeLog, Decision, Diagonal, Grid, Meter, NodeId, Planner, Prices, Rules, Scratch, SearchEvent,
    SearchProbe, StepContext, Work, WorkKind,
};
use fleetfoot_testkit::{Rng, oracle, worlds};

use super::rules;

/// Records the expansions of the first search.
#[derive(Default)]
struct FirstSearch {
    searches: usize,
    expanded: Vec<NodeId>,
}

impl SearchProbe for FirstSearch {
    fn event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Search { .. } => self.searches += 1,
            SearchEvent::Expand { node, .. } if self.searches == 1 => self.expanded.push(node),
            _ => {}
        }
    }
}

struct Agent {
    planner: CornerTba,
    scratch: Scratch,
    at: NodeId,
    goal: NodeId,
}

impl Agent {
    fn new(grid: &Grid, at: NodeId, goal: NodeId) -> Self {
        Self { planner: CornerTba::new(OffPathPolicy::Choose, grid), scratch: Scratch::new(), at, goal }
    }

    fn step(
        &mut self,
        grid: &Grid,
        log: &ChangeLog,
        mut meter: Meter,
        watch: &mut FirstSearch,
    ) -> (Decision, Work) {
        let (meter, scratch) = (&mut meter, &mut self.scratch);
        let (at, goal) = (self.at, self.goal);
        let probe: Option<&mut dyn SearchProbe> = Some(watch);
        let step = StepContext::new(grid, at, goal, meter, scratch).with_changes(log);
        let decision = match probe {
            Some(probe) => self.planner.step(step.with_probe(probe)),
            None => self.planner.step(step),
        };
        if let Decision::Go(to) = decision {
            assert!(oracle::edge(grid, at, to).is_finite(), "a legal move");
            self.at = to;
        }
        (decision, *meter.work())
    }
}

fn random(rng: &mut Rng, size: u32, blocked: u32, four: bool) -> (Grid, NodeId, NodeId) {
    loop {
        let grid = worlds::random_grid(rng, (size, size), rules(four), blocked, 1);
        let cells = worlds::free_cells(&grid);
        let (start, goal) = (rng.pick(&cells), rng.pick(&cells));
        if start != goal && oracle::distance(&grid, start, goal).is_finite() {
            return (grid, start, goal);
        }
    }
}

/// Within a search, the order of expansions does not depend on the slicing of the budget or on prices.
#[test]
fn the_first_search_does_not_depend_on_slices() {
    let mut rng = Rng::new(1);
    for k in 0..40 {
        let (grid, start, goal) = random(&mut rng, 48, 12, k % 2 == 1);
        let expanded = |budget: Option<u64>, prices| {
            let (mut agent, mut watch) = (Agent::new(&grid, start, goal), FirstSearch::default());
            while agent.at != goal {
                let meter = budget.map_or_else(Meter::unlimited, |budget| Meter::priced(budget, prices));
                agent.step(&grid, &ChangeLog::new(), meter, &mut watch);
            }
            watch.expanded
        };
        let whole = expanded(None, Prices::PAPERS);
        for budget in [1, 2, 7, 50] {
            let sliced = expanded(Some(budget), Prices::PAPERS);
            // The agent may arrive before its search ends.
            assert!(whole.starts_with(&sliced), "{budget}: {whole:?} {sliced:?}");
        }
        // If all work is charged, the agent may make its first move before the search starts, and search from
        // there.
        assert!(whole.starts_with(&expanded(Some(30), Prices::ALL_WORK)));
    }
}

/// It moves in the first tick with a budget of 1, and no step reads more words than its budget allows, on maps of
/// any size.
#[test]
fn it_moves_at_once_and_scans_are_bounded() {
    for (size, four) in [(64, false), (256, false), (1024, false), (64, true), (1024, true)] {
        let mut rng = Rng::new(2);
        let grid = worlds::random_grid(&mut rng, (size, size), rules(four), 1, 1);
        let cells = worlds::free_cells(&grid);
        for prices in [Prices::PAPERS, Prices::ALL_WORK] {
            for _ in 0..5 {
                let (start, goal) = (rng.pick(&cells), rng.pick(&cells));
                let mut agent = Agent::new(&grid, start, goal);
                for tick in 0..200 {
                    if agent.at == goal {
                        break;
                    }
                    let meter = Meter::priced(1, prices);
                    let (decision, work) =
                        agent.step(&grid, &ChangeLog::new(), meter, &mut FirstSearch::default());
                    assert!(tick > 0 || matches!(decision, Decision::Go(_)), "{size}: {decision:?}");
                    assert!(work[WorkKind::Scan] <= 256, "{size}: {work:?}");
                    assert!(work[WorkKind::Expand] <= 1 && work[WorkKind::Trace] <= 10, "{size}: {work:?}");
                }
            }
        }
    }
}

/// Changes in every tick that do not affect the path do not keep the agent from arriving.
#[test]
fn changes_in_every_tick_do_not_starve_it() {
    let mut rng = Rng::new(3);
    for (budget, four) in [(1, false), (5, false), (100, false), (1, true), (100, true)] {
        let (mut grid, start, goal) = random(&mut rng, 40, 15, four);
        let (mut agent, mut log) = (Agent::new(&grid, start, goal), ChangeLog::new());
        let mut ticks = 0;
        while agent.at != goal {
            // Two cells flicker; the goal stays reachable, and no wall is built on the agent.
            for _ in 0..2 {
                let cells = worlds::free_cells(&grid);
                let n = rng.pick(&cells);
                grid.set(n, 0, &mut log).unwrap();
                let is_cut =
                    n == goal || n == agent.at || !oracle::distance(&grid, agent.at, goal).is_finite();
                if is_cut || rng.below(2) == 0 {
                    grid.set(n, 1, &mut log).unwrap();
                }
            }
            agent.step(&grid, &log, Meter::priced(budget, Prices::PAPERS), &mut FirstSearch::default());
            ticks += 1;
            assert!(ticks < 3000, "budget {budget}: starved");
        }
    }
}

/// On unsupported maps it cannot be built, and the error names alternatives.
#[test]
fn other_grounds_are_refused() {
    let refusal = |grid: &Grid| match "corner-tba".parse::<Spec>().unwrap().build(grid) {
        Ok(_) => panic!("it has been built"),
        Err(error) => error.to_string(),
    };
    let plain = Rules::default();
    let cutting = Rules { cut_corners: true, diagonal: Diagonal::Sqrt2, ..plain };
    for (rules, weight, why) in [(cutting, 1, "cut corners"), (plain, 3, "weights"), (plain, 1, "no index")] {
        let mut grid = Grid::new(5, 5, rules, |x, _| if x == 2 { weight } else { 1 }).unwrap();
        if why != "no index" {
            assert!(!grid.index_corners());
        }
        let text = refusal(&grid);
        assert!(
            text.contains(why) && text.contains("tbaa") && text.contains("rtd(share-leftover=on)"),
            "{text}"
        );
    }
}
