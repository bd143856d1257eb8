//! What the resolver solves beyond plain priority inheritance.

use fleetfoot::Neighborhood::{Eight, Four};
use fleetfoot::fleet::ResolverConfig;
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance::{self, Instance, Lifelong};
use fleetfoot_testkit::fleet::run::{self, Mover};
use fleetfoot_testkit::fleet::solvable;

use super::Fleet;

const BUDGET: u64 = 4000;

fn mover(instance: &Instance, config: ResolverConfig) -> Mover {
    Mover::resolver(&instance.grid, &instance.starts, config, BUDGET)
}

/// A dead-end passage with one place to pass: most random instances are beyond the swap rule.
#[test]
fn it_solves_what_the_swap_rule_cannot() {
    let grid = instance::grid_of(&[".@@@", "....", ".@@@", ".@@@", ".@@@"], Four);
    let random = (0..).map(|seed| Instance::random(grid.clone(), 3, seed));
    let is_solvable = |i: &Instance| solvable::makespan(&i.grid, &i.starts, &i.goals).is_some();
    let instances: Vec<Instance> = random.filter(is_solvable).take(40).collect();
    let solved =
        |config| instances.iter().filter(|i| run::one_shot(i, mover(i, config), 1000).solved).count();
    let (plain, ladder) = (solved(ResolverConfig::plain()), solved(ResolverConfig::default()));
    assert!(plain < 32 && ladder >= 39, "{plain} and {ladder} of 40");
}

/// Two streams through a passage one cell wide pass in platoons.
#[test]
fn streams_pass_in_platoons() {
    for neighborhood in [Four, Eight] {
        let instance = Instance::streams(20, 1, 20, neighborhood);
        let steps = |config| {
            let outcome = run::one_shot(&instance, mover(&instance, config), 2000);
            assert!(outcome.solved);
            outcome.steps
        };
        let (plain, ladder) = (steps(ResolverConfig::plain()), steps(ResolverConfig::default()));
        assert!(ladder < plain && ladder < 115, "{plain} and {ladder} steps");
    }
}

/// On two-connected ground every unit reaches its goal eventually, however full it is.
#[test]
fn on_two_connected_ground_every_unit_arrives() {
    for (k, neighborhood) in [Four, Eight].into_iter().cycle().take(6).enumerate() {
        let grid = instance::grid_of(
            &["........", ".@@..@@.", ".@@..@@.", "........", "...@@...", "........"],
            neighborhood,
        );
        let cells = instance::joined(&grid).len();
        let units = [cells / 2, cells - 2, cells][k / 2];
        let Instance { grid, starts, goals } = Instance::random(grid, units, k as u64);
        // With eight moves the swap rule can be at odds with the promise.
        let swaps = neighborhood == Four;
        for config in [ResolverConfig::plain(), ResolverConfig::default()] {
            let config = ResolverConfig { swaps, ..config };
            let mut fleet = Fleet::new(&grid, &starts, &goals, config);
            let mut arrived = vec![false; units];
            for _ in 0..4000 {
                fleet.tick(BUDGET);
                (0..units).for_each(|unit| arrived[unit] |= fleet.is_there(unit));
            }
            assert!(arrived.iter().all(|&there| there), "run {k}, {config:?}");
        }
    }
}

/// Random ground that jams forever under plain priority inheritance: the rules for stuck units keep up some flow.
#[test]
fn jams_do_not_stop_the_flow() {
    let mut rng = Rng::new(5);
    let grid = fleetfoot_testkit::worlds::random_grid(&mut rng, (24, 24), instance::rules(Four), 20, 1);
    let instance = Lifelong::random(grid, 180, 20_000, 3);
    let quarters = |config, budget| {
        let mover = Mover::resolver(&instance.grid, &instance.starts, config, budget);
        run::lifelong(&instance, mover, 2000).quarters
    };
    let ladder = quarters(ResolverConfig::default(), BUDGET);
    let plain = quarters(ResolverConfig::plain(), 0);
    assert!(ladder[3] >= 2 * plain[3], "{ladder:?}, without {plain:?}");
    // The referee watches this one too. A budget this poor is known to let the jam win: nothing is promised of its flow.
    quarters(ResolverConfig::default(), 50);
}

/// Aisles one cell wide that cross: under the swap rule, queues that meet there lock up.
#[test]
fn queues_in_aisles_pass_each_other() {
    let shelves = [".@@.@@.@@.@@.@@.@@.", "..................."];
    let lines: Vec<&str> =
        [shelves[1]].into_iter().chain((0..6).flat_map(|_| [shelves[0], shelves[0], shelves[1]])).collect();
    let instance = Lifelong::random(instance::grid_of(&lines, Four), 90, 40_000, 2);
    let quarters = |config| {
        let mover = Mover::resolver(&instance.grid, &instance.starts, config, BUDGET);
        run::lifelong(&instance, mover, 2000).quarters
    };
    let ladder = quarters(ResolverConfig::default());
    let swaps = quarters(ResolverConfig { rings: false, penalties: false, ..ResolverConfig::default() });
    assert!(20 * ladder[3] >= 19 * ladder[0], "{ladder:?}");
    let sum = |quarters: [usize; 4]| quarters.iter().sum::<usize>();
    assert!(10 * sum(ladder) >= 15 * sum(swaps), "{ladder:?}, with swaps everywhere {swaps:?}");
}

/// Ground with many dead ends: units that make no progress learn to go elsewhere.
#[test]
fn penalties_keep_up_the_flow() {
    let mut rng = Rng::new(1);
    let grid = fleetfoot_testkit::worlds::random_grid(&mut rng, (32, 32), instance::rules(Four), 30, 1);
    let instance = Lifelong::random(grid, 150, 60_000, 1);
    let quarters = |penalties| {
        let config = ResolverConfig { penalties, ..ResolverConfig::default() };
        let mover = Mover::resolver(&instance.grid, &instance.starts, config, BUDGET);
        run::lifelong(&instance, mover, 2000).quarters
    };
    let (with, without) = (quarters(true), quarters(false));
    assert!(5 * with[3] >= 8 * without[3], "{with:?}, without {without:?}");
    assert!(5 * with[3] >= 3 * with[0], "{with:?}");
}

/// One-wide passages that lead into one-wide passages have no direction: a unit that waits outside would block others.
#[test]
fn mazes_are_solved() {
    let instances = (0..4).map(|seed| Instance::random(instance::maze(41, seed, Four), 24, seed));
    let solved =
        instances.filter(|i| run::one_shot(i, mover(i, ResolverConfig::default()), 3000).solved).count();
    assert!(solved == 4, "{solved} of 4");
}

/// Halls joined by passages, with goals inside of the passages: such a passage loses its direction.
#[test]
fn passages_with_goals_inside_do_not_stop_the_flow() {
    let hall = ".......@@@@@@@@@@@@.......";
    let joined = "..........................";
    let instance =
        Lifelong::random(instance::grid_of(&[hall, hall, joined, hall, hall], Four), 24, 20_000, 4);
    let finished = |lanes| {
        let config = ResolverConfig { lanes, ..ResolverConfig::default() };
        let mover = Mover::resolver(&instance.grid, &instance.starts, config, BUDGET);
        run::lifelong(&instance, mover, 3000).quarters.iter().sum::<usize>()
    };
    let (with, without) = (finished(true), finished(false));
    assert!(with >= without, "{with} with directions, {without} without");
}
