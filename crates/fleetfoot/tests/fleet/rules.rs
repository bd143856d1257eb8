//! Every rule can be switched off alone: it has an effect, and a fleet without it keeps its invariants.

use fleetfoot::Neighborhood::{Eight, Four};
use fleetfoot::fleet::{Fleet, FleetConfig, Goal, TeamId, UnitId};
use fleetfoot::{Grid, Map, NodeId};
use fleetfoot_testkit::fleet::instance::{self, Instance};
use fleetfoot_testkit::fleet::referee;
use fleetfoot_testkit::fleet::rules::RULES;
use fleetfoot_testkit::fleet::solvable;
use fleetfoot_testkit::{Rng, worlds};

const BUDGET: u64 = 4000;

/// What units are sent for.
#[derive(Clone, Copy, PartialEq)]
enum Orders {
    /// One task after another.
    Tasks,
    /// The first half gets tasks. The second half is sent near one cell, and near another one later.
    Rallies,
    /// All are sent near one cell.
    Rally,
    /// Each gets one goal, and stays there.
    Once,
}

/// Units on some ground.
struct Scene {
    instance: Instance,
    orders: Orders,
    ticks: u64,
}

impl Scene {
    fn new(grid: Grid, units: usize, orders: Orders, ticks: u64) -> Self {
        Self { instance: Instance::random(grid, units, 7), orders, ticks }
    }
}

/// Returns grounds of all kinds: small maps have distance rows, large ones routes.
fn scenes() -> Vec<Scene> {
    let clutter = |side, percent, neighborhood| {
        worlds::random_grid(&mut Rng::new(3), (side, side), instance::rules(neighborhood), percent, 1)
    };
    let (hall, wall) = (".........", "@@@@@@@@@@@@@@");
    let closed = [hall, wall, hall, wall, hall].concat();
    let open = [hall, &".".repeat(14), hall, &".".repeat(14), hall].concat();
    let lines: Vec<&str> = (0..15).map(|y| if y % 5 == 2 { &open[..] } else { &closed[..] }).collect();
    let halls = |neighborhood| instance::grid_of(&lines, neighborhood);
    let mut scenes = vec![
        Scene::new(clutter(24, 25, Four), 180, Orders::Tasks, 500),
        Scene::new(halls(Four), 120, Orders::Tasks, 500),
        Scene::new(instance::maze(31, 2, Eight), 40, Orders::Rallies, 500),
        Scene::new(halls(Eight), 140, Orders::Rallies, 400),
        Scene::new(clutter(75, 12, Four), 700, Orders::Rallies, 200),
        Scene::new(instance::maze(129, 2, Eight), 300, Orders::Once, 300),
        Scene::new(clutter(90, 30, Eight), 900, Orders::Rally, 200),
    ];
    let puzzle = instance::grid_of(&[".@@@", "....", ".@@@", ".@@@", ".@@@"], Four);
    let is_solvable = |i: &Instance| solvable::makespan(&i.grid, &i.starts, &i.goals).is_some();
    let puzzles = (0..).map(|seed| Instance::random(puzzle.clone(), 3, seed)).filter(is_solvable).take(80);
    scenes.extend(puzzles.map(|instance| Scene { instance, orders: Orders::Once, ticks: 800 }));
    scenes
}

/// A scene that is played.
struct Play<'a> {
    scene: &'a Scene,
    fleet: Fleet,
    units: Vec<UnitId>,
    rng: Rng,
}

impl<'a> Play<'a> {
    fn new(scene: &'a Scene, change: fn(&mut FleetConfig)) -> Self {
        let mut config = FleetConfig::default();
        change(&mut config);
        let Instance { grid, starts, .. } = &scene.instance;
        let mut fleet = Fleet::with(Map::from(grid.clone()), config);
        let units = starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
        Self { scene, fleet, units, rng: Rng::new(7) }
    }

    fn at(&self) -> Vec<NodeId> {
        self.units.iter().map(|&unit| self.fleet.at(unit).expect("no unit is removed")).collect()
    }

    fn give_orders(&mut self) {
        let (goals, half) = (&self.scene.instance.goals, self.units.len() / 2);
        let orders = self.scene.orders;
        if orders == Orders::Rally && self.fleet.ticks() == 0 {
            self.fleet.order(&self.units, Goal::near(goals[0]));
        }
        if orders == Orders::Rallies && self.fleet.ticks().is_multiple_of(150) {
            self.fleet.order(&self.units[half..], Goal::near(self.rng.pick(goals)));
        }
        for (k, &unit) in self.units.iter().enumerate() {
            let goal = self.fleet.goal(unit);
            match orders {
                Orders::Once if goal.is_none() => {
                    self.fleet.order(&[unit], Goal::at(goals[k]));
                }
                Orders::Once | Orders::Rally => {}
                Orders::Rallies if k >= half => {}
                _ if goal.is_none_or(|goal| self.fleet.at(unit) == Some(goal)) => {
                    self.fleet.order(&[unit], Goal::at(self.rng.pick(goals)));
                }
                _ => {}
            }
        }
    }

    /// Runs a tick, checks its moves, and returns where the units are.
    fn tick(&mut self) -> Vec<NodeId> {
        self.give_orders();
        let before = self.at();
        self.fleet.tick(BUDGET);
        let after = self.at();
        referee::check(self.fleet.map().grid(), &before, &after, false).expect("a legal joint move");
        after
    }

    /// Checks that a loaded save makes the same moves.
    fn check_save(&self) {
        let mut fleet = self.fleet.clone();
        let mut loaded = Fleet::load(&fleet.save()).expect("its own save");
        for _ in 0..3 {
            assert_eq!(fleet.tick(BUDGET).collect::<Vec<_>>(), loaded.tick(BUDGET).collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_rule_has_an_effect_and_none_is_needed_for_the_invariants() {
    let scenes = scenes();
    let with: Vec<Vec<Vec<NodeId>>> = scenes
        .iter()
        .map(|scene| {
            let mut play = Play::new(scene, |_| {});
            (0..scene.ticks).map(|_| play.tick()).collect()
        })
        .collect();
    let mut without_effect = Vec::new();
    for rule in RULES {
        let mut has_effect = false;
        for (scene, with) in scenes.iter().zip(&with) {
            let mut play = Play::new(scene, rule.switch_off);
            for (tick, with) in with.iter().enumerate() {
                if tick % 200 == 150 {
                    play.check_save();
                }
                let is_other = play.tick() != *with;
                has_effect |= is_other;
                // The rest would differ as well.
                if is_other && tick > 160 {
                    break;
                }
            }
        }
        if !has_effect {
            without_effect.push(rule.name);
        }
    }
    assert!(without_effect.is_empty(), "these change nothing: {without_effect:?}");
}

/// A switch that a save forgot would come back on.
#[test]
fn saves_contain_every_switch() {
    let scene = scenes().swap_remove(0);
    let saved = |change: fn(&mut FleetConfig)| {
        let fleet = Play::new(&scene, change).fleet;
        let again = Fleet::load(&fleet.save()).expect("its own save");
        (format!("{:?}", fleet.save()), format!("{:?}", again.save()))
    };
    let (default, _) = saved(|_| {});
    // On maps with distance rows units never keep right.
    for rule in RULES.iter().filter(|rule| rule.name != "keeps_right") {
        let (without, again) = saved(rule.switch_off);
        assert!(without != default, "{} is not saved", rule.name);
        assert!(without == again, "{} is not loaded", rule.name);
    }
}
