//! Real planners in worlds of all kinds, checked by the referee.

use std::sync::Arc;

use fleetfoot::registry::{BoxedPlanner, Spec};
use fleetfoot::{Diagonal, Graph, Grid, Neighborhood, NodeId, Prices, Reset, Rules, Scratch, WorkKind};
use fleetfoot_sim::budget::{Budget, monotonic_nanos, thread_nanos};
use fleetfoot_sim::episode::{Episode, RunLimits, Runner, Series, Task};
use fleetfoot_sim::formats::script::{Change, ChangeKind, Script};
use fleetfoot_sim::generate::problems::random_problems;
use fleetfoot_sim::generate::{Generated, SeededRng, cave, maze, random, rooms};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::metrics::{Outcome, RunMetrics};
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::{Terrain, World, WorldSpec};

const BUDGETS: [Budget; 4] =
    [Budget::Expansions(1), Budget::Expansions(7), Budget::Expansions(100), Budget::Unlimited];

fn maps() -> Vec<Generated> {
    vec![
        maze::generate(41, 31, 1, 1).unwrap(),
        random::generate(40, 40, 25, 2).unwrap(),
        cave::generate(64, 64, 3).unwrap(),
        rooms_with_doors(),
    ]
}

fn rooms_with_doors() -> Generated {
    let rooms =
        rooms::Rooms { width: 37, height: 37, size: 5, door_percent: 80, centred: true, connected: true };
    rooms.generate(4).unwrap()
}

fn rules() -> [Rules; 3] {
    let eight = Rules::default();
    let four = Rules { neighborhood: Neighborhood::Four, ..eight };
    [eight, four, Rules { cut_corners: true, diagonal: Diagonal::D15, ..eight }]
}

fn grid(map: &GridMap, rules: Rules) -> Arc<Grid> {
    Arc::new(Terrain::default().grid(map, rules).unwrap())
}

fn planner(spec: &str, world: &World) -> BoxedPlanner<Grid> {
    spec.parse::<Spec>().unwrap().build(world.graph()).unwrap()
}

fn live(runner: &mut Runner, trip: &Task<'_>, terms: &RunLimits, spec: &str) -> RunMetrics {
    let mut planner = planner(spec, trip.world());
    let run = runner.run(trip, terms, &mut *planner);
    planner.release(runner.scratch());
    run.unwrap_or_else(|foul| panic!("{spec} with {}: {foul}", terms.budget))
}

/// Returns doors that open and close at random, and return to their initial state at the end.
fn doors(made: &Generated, ticks: u64, seed: u64) -> Script {
    let mut dice = SeededRng::new(seed);
    let mut open = vec![true; made.doors.len()];
    let mut changes = Vec::new();
    for tick in 0..ticks {
        for (open, &(x, y)) in open.iter_mut().zip(&made.doors) {
            if dice.below(100) < 10 {
                let what = if *open { ChangeKind::Close } else { ChangeKind::Open };
                changes.push(Change { tick, x, y, what });
                *open = !*open;
            }
        }
    }
    for (open, &(x, y)) in open.iter().zip(&made.doors).filter(|(open, _)| !**open) {
        assert!(!open);
        changes.push(Change { tick: ticks, x, y, what: ChangeKind::Open });
    }
    Script { changes, ..Script::empty(made.map.width(), made.map.height()) }
}

/// Returns the limits of the papers' model: reading a path out of a search is free.
fn papers(budget: Budget) -> RunLimits {
    RunLimits { prices: Prices::PAPERS, ..RunLimits::new(budget) }
}

#[test]
fn astar_takes_exactly_as_many_intervals_as_the_model_says() {
    let mut runner = Runner::new();
    for (made, rules) in maps().iter().flat_map(|made| rules().map(|rules| (made, rules))) {
        let world = World::known(&grid(&made.map, rules));
        for (start, goal) in random_problems(&made.map, 5, 1).unwrap() {
            let trip = Task::new(&world, start, goal).unwrap();
            let whole = live(&mut runner, &trip, &RunLimits::new(Budget::Unlimited), "astar");
            assert_eq!((whole.outcome, whole.steps, whole.first_move), (Outcome::Arrived, whole.moves, 1));
            assert_eq!(Some(whole.cost), runner.optimal(&trip));
            for budget in [1, 7, 100] {
                let run = live(&mut runner, &trip, &papers(Budget::Expansions(budget)), "astar");
                assert_eq!(
                    (run.outcome, run.expansions, run.moves),
                    (whole.outcome, whole.expansions, whole.moves)
                );
                assert_eq!(run.steps, run.expansions.div_ceil(budget) - 1 + run.moves);
                assert_eq!(run.first_move, run.expansions.div_ceil(budget));
                assert_eq!(run.max_expansions, budget.min(run.expansions));
                assert_eq!((run.reversals, run.revisits, run.cost), (0, 0, whole.cost));
            }
        }
    }
}

#[test]
fn all_arrive_in_all_worlds_with_all_budgets() {
    let mut runner = Runner::new();
    for (made, rules) in maps().iter().flat_map(|made| rules().map(|rules| (made, rules))) {
        let grid = grid(&made.map, rules);
        for text in
            ["known", "unknown", "unknown(radius=7)", "partial(hidden=0.5,seed=3)", "partial(radius=4)"]
        {
            let world = text.parse::<WorldSpec>().unwrap().load(&grid, 1..=1).unwrap();
            for (start, goal) in random_problems(&made.map, 2, 2).unwrap() {
                let trip = Task::new(&world, start, goal).unwrap();
                let optimal = runner.optimal(&trip).unwrap();
                for (budget, prices) in
                    BUDGETS.iter().flat_map(|b| [(b, Prices::PAPERS), (b, Prices::ALL_WORK)])
                {
                    let terms = RunLimits { prices, ..RunLimits::new(*budget) };
                    for spec in ["astar", "repeated-astar", "repeated-astar(direction=backward)"] {
                        let run = live(&mut runner, &trip, &terms, spec);
                        assert_eq!(run.outcome, Outcome::Arrived, "{spec} in {text} with {budget}");
                        assert_eq!(run.steps, run.moves + run.waits);
                        assert!(run.ratio(optimal, rules.diagonal) > 1.0 - 1e-5);
                    }
                }
            }
        }
    }
}

#[test]
fn all_arrive_in_changing_worlds() {
    let mut runner = Runner::new();
    let made = rooms_with_doors();
    let script = doors(&made, 300, 4);
    let grid = grid(&made.map, Rules::default());
    for sight in [None, Some(Sight::Eight), Some(Sight::Radius(7))] {
        let world = World::dynamic(&grid, 1..=1, &script, sight).unwrap();
        for (start, goal) in random_problems(&made.map, 6, 3).unwrap() {
            let trip = Task::new(&world, start, goal).unwrap();
            for budget in BUDGETS {
                for spec in ["astar", "repeated-astar", "repeated-astar(direction=backward)"] {
                    let run = live(&mut runner, &trip, &RunLimits::new(budget), spec);
                    let may_fail = sight.is_some(); // a door seen closed may have opened out of sight
                    assert!(run.outcome == Outcome::Arrived || may_fail && run.outcome == Outcome::GaveUp);
                }
            }
        }
    }
}

#[test]
fn rough_ground_is_walked_and_paid_for() {
    let mut map = cave::generate(64, 64, 9).unwrap().map;
    let mut dice = SeededRng::new(5);
    let free: Vec<_> =
        (0..64).flat_map(|y| (0..64).map(move |x| (x, y))).filter(|&(x, y)| map.passable(x, y)).collect();
    for (x, y) in free {
        map.set(x, y, b".GS"[dice.below(3) as usize]);
    }
    let terrain: Terrain = "G=2,S=5".parse().unwrap();
    let grid = Arc::new(terrain.grid(&map, Rules::default()).unwrap());
    let mut runner = Runner::new();
    for text in ["known", "unknown", "partial(hidden=0.3,seed=1,radius=3)"] {
        let world = text.parse::<WorldSpec>().unwrap().load(&grid, terrain.weights()).unwrap();
        for (start, goal) in random_problems(&map, 3, 7).unwrap() {
            let trip = Task::new(&world, start, goal).unwrap();
            let optimal = runner.optimal(&trip).unwrap();
            let run = live(&mut runner, &trip, &RunLimits::new(Budget::Expansions(50)), "repeated-astar");
            assert_eq!(run.outcome, Outcome::Arrived);
            assert!(run.ratio(optimal, Diagonal::Sqrt2) > 1.0 - 1e-5);
            assert!(text != "known" || run.cost == optimal);
        }
    }
}

#[test]
fn nothing_of_the_truth_leaks() {
    let map = random::generate(30, 30, 30, 8).unwrap().map;
    let grid = grid(&map, Rules::default());
    let nodes = || (0..30).flat_map(|y| (0..30).map(move |x| (x, y)));
    for sight in [Sight::Eight, Sight::Radius(3)] {
        let world = World::unknown(&grid, 1..=1, sight).unwrap();
        let (start, goal) = random_problems(&map, 1, 5).unwrap()[0];
        let trip = Task::new(&world, start, goal).unwrap();
        let mut planner = planner("repeated-astar", &world);
        let mut scratch = Scratch::new();
        let mut episode = Episode::new(&trip, &RunLimits::new(Budget::Expansions(20)));
        let mut seen = vec![false; grid.bound()];
        while episode.outcome().is_none() {
            let at = episode.at();
            episode.tick(&mut *planner, &mut scratch, None).unwrap();
            world.sensor().unwrap().cells(&grid, at).for_each(|cell| seen[cell.index()] = true);
            for (x, y) in nodes() {
                let cell = grid.node(x, y).unwrap();
                let expected = if seen[cell.index()] { grid.weight(cell) } else { 1 };
                assert_eq!(episode.believed().weight(cell), expected, "({x}, {y})");
                assert_eq!(episode.is_known(cell), seen[cell.index()]);
            }
        }
        assert_eq!(episode.outcome(), Some(Outcome::Arrived));
        assert!(seen.iter().filter(|seen| **seen).count() < 900);
    }
}

#[test]
fn no_path_is_proved_where_there_is_none() {
    let map = GridMap::from_rows(&["......@..", "......@..", "......@@@", "........."]).unwrap();
    let mut runner = Runner::new();
    for (rules, text) in rules().iter().flat_map(|r| ["known", "unknown", "partial"].map(|text| (r, text))) {
        let grid = grid(&map, Rules { cut_corners: false, ..*rules });
        let world = text.parse::<WorldSpec>().unwrap().load(&grid, 1..=1).unwrap();
        let trip = Task::new(&world, (0, 0), (8, 0)).unwrap();
        assert_eq!(runner.optimal(&trip), None);
        for (budget, spec) in BUDGETS.iter().flat_map(|b| ["astar", "repeated-astar"].map(|spec| (b, spec))) {
            let run = live(&mut runner, &trip, &RunLimits::new(*budget), spec);
            assert_eq!(run.outcome, Outcome::NoPath, "{spec} in {text}");
        }
    }
}

#[test]
fn agents_wait_for_a_closed_path() {
    let map = GridMap::from_rows(&["....."]).unwrap();
    let change = |tick, what| Change { tick, x: 2, y: 0, what };
    let script = Script {
        changes: vec![change(0, ChangeKind::Close), change(40, ChangeKind::Open)],
        ..Script::empty(5, 1)
    };
    let world = World::dynamic(&grid(&map, Rules::default()), 1..=1, &script, None).unwrap();
    let trip = Task::new(&world, (0, 0), (4, 0)).unwrap();
    for spec in ["astar", "repeated-astar"] {
        let run = live(&mut Runner::new(), &trip, &RunLimits::new(Budget::Unlimited), spec);
        assert_eq!((run.outcome, run.first_move, run.steps), (Outcome::Arrived, 41, 44));
    }
}

#[test]
fn a_runner_repeats_runs_exactly() {
    let made = cave::generate(64, 64, 5).unwrap();
    let world = World::unknown(&grid(&made.map, Rules::default()), 1..=1, Sight::Eight).unwrap();
    let (start, goal) = random_problems(&made.map, 1, 1).unwrap()[0];
    let trip = Task::new(&world, start, goal).unwrap();
    let timeless = |run: RunMetrics| RunMetrics {
        plan_ns_total: 0,
        plan_ns_p50: 0,
        plan_ns_p99: 0,
        plan_ns_max: 0,
        ..run
    };
    let terms = RunLimits::new(Budget::Expansions(30));
    let mut runner = Runner::new();
    let first = timeless(live(&mut runner, &trip, &terms, "repeated-astar"));
    live(&mut runner, &trip, &terms, "astar");
    assert_eq!(timeless(live(&mut runner, &trip, &terms, "repeated-astar")), first);
}

#[test]
fn an_interval_is_a_budget_too() {
    let made = cave::generate(128, 128, 6).unwrap();
    let world = World::known(&grid(&made.map, Rules::default()));
    let (start, goal) = random_problems(&made.map, 1, 2).unwrap()[0];
    let trip = Task::new(&world, start, goal).unwrap();
    let terms = RunLimits::new(Budget::interval("20us", monotonic_nanos).unwrap());
    let run = live(&mut Runner::new(), &trip, &terms, "astar");
    assert_eq!((run.outcome, Some(run.cost)), (Outcome::Arrived, Runner::new().optimal(&trip)));
}

/// Checks that agents begin every trial with what they know and have learned, until nothing changes.
#[test]
fn trials_keep_the_belief_and_converge() {
    let mut runner = Runner::new();
    let made = cave::generate(64, 64, 5).unwrap();
    let grid = grid(&made.map, Rules::default());
    let terms = RunLimits::new(Budget::Expansions(30));
    for text in ["known", "unknown", "partial(hidden=0.5,seed=3)"] {
        let world = text.parse::<WorldSpec>().unwrap().load(&grid, 1..=1).unwrap();
        for (start, goal) in random_problems(&made.map, 4, 1).unwrap() {
            let trip = Task::new(&world, start, goal).unwrap();
            let optimal = runner.optimal(&trip);
            for spec in ["astar", "repeated-astar", "adaptive-astar", "rtba", "tbaa"] {
                let series = trials(&mut runner, &trip, &terms, spec, 200);
                let (runs, last) = (&series.runs, series.converged.unwrap());
                assert_eq!(runs.len() as u64, last, "it ends where it converges");
                let (end, before) = (&runs[runs.len() - 1], &runs[runs.len() - 2]);
                assert!(
                    end.repeats(before)
                        && !runs[1..runs.len() - 1].iter().zip(runs).any(|(b, a)| b.repeats(a))
                );
                assert!(runs.iter().all(|run| run.outcome == Outcome::Arrived), "{spec} in {text}");
                // Complete planners end with a shortest path: all cells that a shorter one could use are known.
                if !["rtba", "tbaa"].contains(&spec) {
                    assert_eq!(Some(end.cost), optimal, "{spec} in {text}");
                }
                let alone = live(&mut runner, &trip, &terms, spec);
                assert_eq!((alone.walk, alone.expansions), (runs[0].walk, runs[0].expansions));
                // Without stopping there, nothing would have changed.
                let more = trials_by_hand(&trip, &terms, spec, last + 3);
                assert!(more[runs.len() - 2..].windows(2).all(|two| two[0] == two[1]), "{spec} in {text}");
                let (moves, expansions) =
                    (|run: &RunMetrics| run.moves as usize, |run: &RunMetrics| run.expansions);
                assert!(more.iter().zip(runs).all(|(a, b)| (a.0.len(), a.1) == (moves(b), expansions(b))));
            }
        }
    }
}

/// Returns the walks and expansions of `count` trials, and does not stop when they converge.
fn trials_by_hand(trip: &Task<'_>, terms: &RunLimits, spec: &str, count: u64) -> Vec<(Vec<NodeId>, u64)> {
    let (mut planner, mut scratch) = (planner(spec, trip.world()), Scratch::new());
    let mut episode = Episode::new(trip, terms);
    let live = |_| {
        let (mut walk, mut expansions) = (Vec::new(), 0);
        while episode.outcome().is_none() {
            let tick = episode.tick(&mut *planner, &mut scratch, None).unwrap();
            expansions += tick.work[WorkKind::Expand];
            walk.extend((episode.at() != tick.at).then_some(episode.at()));
        }
        planner.reset(Reset::KeepLearned);
        episode.again().unwrap();
        (walk, expansions)
    };
    (0..count).map(live).collect()
}

fn trials(runner: &mut Runner, trip: &Task<'_>, terms: &RunLimits, spec: &str, most: u64) -> Series {
    let mut planner = planner(spec, trip.world());
    let series = runner.run_trials(&trip.trials(most).unwrap(), terms, &mut *planner).unwrap();
    planner.release(runner.scratch());
    series
}

#[test]
fn what_was_seen_shortens_the_next_trial() {
    // A dead end that the agent enters once.
    let map = GridMap::from_rows(&[
        ".@@@@@@@@.", //
        "........@.",
        ".@@@@@@@@.",
        "..........",
    ]);
    let grid = grid(&map.unwrap(), Rules::default());
    let world = World::unknown(&grid, 1..=1, Sight::Eight).unwrap();
    let trip = Task::new(&world, (0, 1), (9, 0)).unwrap();
    let mut runner = Runner::new();
    for spec in ["repeated-astar", "tbaa"] {
        let series = trials(&mut runner, &trip, &RunLimits::new(Budget::Expansions(10)), spec, 20);
        assert!(series.runs[0].moves > 20 && series.runs[1].moves < 15, "{spec}");
        assert!(series.converged.is_some_and(|trial| trial >= 3));
        let two = trials(&mut runner, &trip, &RunLimits::new(Budget::Expansions(10)), spec, 2);
        assert_eq!((two.runs.len(), two.converged), (2, None));
    }
}

#[test]
fn no_path_is_proved_again_at_once() {
    let map = GridMap::from_rows(&["......@..", "......@..", "......@@@", "........."]).unwrap();
    let world = World::unknown(&grid(&map, Rules::default()), 1..=1, Sight::Eight).unwrap();
    let trip = Task::new(&world, (0, 0), (8, 0)).unwrap();
    let series = trials(&mut Runner::new(), &trip, &RunLimits::new(Budget::Expansions(5)), "tbaa", 9);
    assert!(series.runs.iter().all(|run| run.outcome == Outcome::NoPath));
    assert!(series.runs[0].moves > 0 && series.runs.last().unwrap().moves <= series.runs[0].moves);
    assert!(series.converged.is_some());
}

#[test]
fn trials_need_a_static_world() {
    let made = rooms_with_doors();
    let grid = grid(&made.map, Rules::default());
    let world = World::dynamic(&grid, 1..=1, &doors(&made, 20, 4), None).unwrap();
    let (start, goal) = random_problems(&made.map, 1, 3).unwrap()[0];
    let trip = Task::new(&world, start, goal).unwrap();
    let error = trip.trials(5).unwrap_err().to_string();
    assert!(error.starts_with("trials need a static world, and this one changes; use"), "{error}");
    assert!(Episode::new(&trip, &RunLimits::new(Budget::Unlimited)).again().is_err());
}

/// Checks that the optimum is that of the world in the first tick.
#[test]
fn changes_in_the_first_tick_count_for_the_optimum() {
    let map = GridMap::from_rows(&[".....", ".@@@.", "....."]).unwrap();
    let change = |tick, x, what| Change { tick, x, y: 0, what };
    let optimal = |changes| {
        let script = Script { changes, ..Script::empty(5, 3) };
        let world = World::dynamic(&grid(&map, Rules::default()), 1..=1, &script, None).unwrap();
        let trip = Task::new(&world, (0, 0), (4, 0)).unwrap();
        let length = Runner::new().optimal(&trip).map(|length| length.value(Diagonal::Sqrt2));
        (length, live(&mut Runner::new(), &trip, &RunLimits::new(Budget::Unlimited), "astar").length)
    };
    assert_eq!(optimal(vec![change(0, 2, ChangeKind::Close)]), (Some(8.0), 8.0));
    assert_eq!(optimal(vec![change(1, 2, ChangeKind::Close)]).0, Some(4.0));
    // A door does not close on the agent.
    assert_eq!(optimal(vec![change(0, 0, ChangeKind::Close)]), (Some(4.0), 4.0));
}

#[test]
fn the_processor_clock_limits_as_well() {
    let made = cave::generate(128, 128, 6).unwrap();
    let world = World::known(&grid(&made.map, Rules::default()));
    let (start, goal) = random_problems(&made.map, 1, 2).unwrap()[0];
    let trip = Task::new(&world, start, goal).unwrap();
    for (spec, text) in [("astar", "20us"), ("tba", "20us"), ("tba", "1ms")] {
        let terms = RunLimits::new(Budget::interval(text, thread_nanos).unwrap());
        let run = live(&mut Runner::new(), &trip, &terms, spec);
        assert_eq!(run.outcome, Outcome::Arrived, "{spec} {text}");
    }
}
