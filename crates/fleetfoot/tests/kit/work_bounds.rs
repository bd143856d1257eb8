//! The number of loop iterations in a step is bounded by the budget alone: the same bound for 64², 256² and 1024²
//! cells. Work of every kind is counted, including pages.

use fleetfoot::registry::Spec;
use fleetfoot::{
    ChangeLog, Decision, Grid, Meter, NodeId, Prices, Rules, Scratch, StepContext, Work, WorkKind,
};
use fleetfoot_testkit::conformance::every_spec;
use fleetfoot_testkit::{Rng, worlds};

/// Returns the maximum work of a step for each kind, and the maximum number of iterations of a step, without those
/// of kind `but`.
fn dearest_step(
    spec: &Spec,
    grid: &Grid,
    ends: (NodeId, NodeId),
    (budget, prices): (u64, Prices),
    but: Option<WorkKind>,
) -> (u64, Work) {
    let mut planner = spec.build(grid).expect("planners can be built on grids");
    let (mut scratch, log) = (Scratch::new(), ChangeLog::new());
    let (mut at, goal) = ends;
    let (mut most, mut dearest) = (0, Work::NONE);
    for _ in 0..3000 {
        let mut meter = Meter::priced(budget, prices);
        let (meter, scratch) = (&mut meter, &mut scratch);
        let decision = planner.step(StepContext::new(grid, at, goal, meter, scratch).with_changes(&log));
        let work = *meter.work();
        let turns: u64 =
            WorkKind::ALL.into_iter().filter(|&kind| Some(kind) != but).map(|kind| work[kind]).sum();
        (most, dearest) = (turns.max(most), dearest.max(work));
        match decision {
            Decision::Go(to) => at = to,
            Decision::Wait if at != goal => {}
            _ => break,
        }
    }
    (most, dearest)
}

/// Returns the iterations that a budget allows: each tenth of an expansion pays for at most one unit of work, an
/// expansion takes at most four pages, and a step may start a search and a path.
fn allowed(budget: u64) -> u64 {
    10 * budget + 4 * budget + 8
}

fn world(size: u32) -> (Grid, Vec<(NodeId, NodeId)>) {
    let mut rng = Rng::new(u64::from(size));
    let grid = worlds::random_grid(&mut rng, (size, size), Rules::default(), 15, 1);
    let cells = worlds::free_cells(&grid);
    // Near enough to arrive, and as far apart as the map allows.
    let place = |x: u32, y: u32| {
        let nearest = cells.iter().min_by_key(|&&n| {
            let (a, b) = grid.xy(n);
            a.abs_diff(x) + b.abs_diff(y)
        });
        *nearest.expect("free cells")
    };
    let problems = vec![(place(5, 5), place(58, 40)), (place(0, 0), place(size - 1, size - 1))];
    (grid, problems)
}

#[test]
fn turns_are_bounded_by_the_budget_alone() {
    for size in [64, 256, 1024] {
        let (grid, problems) = world(size);
        // At the papers' prices, planners with precomputed data compare and climb for free, within bounds that
        // tests/models checks. So do scans for corners.
        let has_this_bound = |spec: &Spec| {
            let facts = spec.info().facts;
            facts.bounded && !facts.needs_positions && !facts.needs_corner_index && spec.info().key != "auto"
        };
        for spec in every_spec().into_iter().filter(has_this_bound) {
            for &ends in &problems {
                for budget in [1, 10, 100] {
                    let case = format!("{spec} on {size}² at {budget}");
                    let (turns, work) = dearest_step(&spec, &grid, ends, (budget, Prices::ALL_WORK), None);
                    assert!(turns <= allowed(budget), "{case}, all work charged: {turns} turns, {work:?}");
                    // The papers do not charge for tracing a finished path; each planner has its own bound.
                    let purse = (budget, Prices::PAPERS);
                    let (turns, work) = dearest_step(&spec, &grid, ends, purse, Some(WorkKind::Trace));
                    assert!(
                        turns <= allowed(budget),
                        "{case}, at the papers' prices: {turns} turns, {work:?}"
                    );
                    assert!(work[WorkKind::Expand] <= budget, "{case}: {work:?}");
                }
            }
        }
    }
}

/// A flood of changes is processed in bounded portions.
#[test]
fn a_flood_of_changes_is_taken_in_portions() {
    const CHANGES_PER_STEP: u64 = 4096;
    let mut grid = Grid::new(256, 256, Rules::default(), |_, _| 1).expect("a valid grid").with_corners();
    let mut log = ChangeLog::new();
    let mut rng = Rng::new(8);
    let ends = (grid.node(2, 2), grid.node(40, 30));
    let (Some(start), Some(goal)) = ends else { panic!("cells of the grid") };
    let promising = |spec: &Spec| spec.facts().falling_costs && spec.facts().bounded;
    for spec in every_spec().into_iter().filter(promising) {
        for prices in [Prices::PAPERS, Prices::ALL_WORK] {
            let mut planner = spec.build(&grid).expect("planners can be built on grids");
            let (mut scratch, mut at) = (Scratch::new(), start);
            for tick in 0..400 {
                if tick % 20 == 5 {
                    for _ in 0..1500 {
                        let n =
                            grid.node(rng.between(45, 255), rng.between(0, 255)).expect("a cell of the grid");
                        grid.set(n, u8::from(!grid.is_free(n)), &mut log).expect("weights of 0 and 1");
                    }
                }
                let mut meter = Meter::priced(20, prices);
                let (meter, scratch) = (&mut meter, &mut scratch);
                let decision =
                    planner.step(StepContext::new(&grid, at, goal, meter, scratch).with_changes(&log));
                let work = *meter.work();
                let turns: u64 =
                    WorkKind::ALL.into_iter().map(|kind| work[kind]).sum::<u64>() - work[WorkKind::Trace];
                let most = if prices == Prices::PAPERS { CHANGES_PER_STEP } else { 0 };
                assert!(turns <= allowed(20) + most, "{spec}, tick {tick}: {work:?}");
                match decision {
                    Decision::Go(to) => at = to,
                    _ if at == goal => at = start,
                    _ => {}
                }
            }
        }
    }
}
