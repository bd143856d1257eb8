//! Searches take turns: every unit that waits for a route gets it within the bound of the scheduler.

use fleetfoot::fleet::{Event, Fleet, FleetConfig, Goal, TeamId, UnitId, UnitStatus};
use fleetfoot::{Map, Neighborhood, NodeId, Rules};
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance;

use super::units::ground;

/// A map with blocked cells at random places, in percent. More than 4,096 free cells are joined, so that units follow routes.
fn clutter(side: u32, percent: usize, seed: u64) -> Map {
    let mut rng = Rng::new(seed);
    let blocked: Vec<bool> = (0..side * side).map(|_| rng.below(100) < percent).collect();
    let rules = Rules { neighborhood: Neighborhood::Eight, ..Rules::default() };
    let map = Map::with_rules(side, side, rules, |x, y| u8::from(!blocked[(y * side + x) as usize]));
    let map = map.expect("a valid map");
    assert!(ground(&map).len() > 4096);
    map
}

/// Units that get a new order as soon as they have arrived, and for how long each waits for its route.
struct Errands {
    fleet: Fleet,
    units: Vec<UnitId>,
    cells: Vec<NodeId>,
    rng: Rng,
    /// By unit: the tick of its last order.
    since: Vec<u64>,
    arrived: usize,
}

impl Errands {
    fn new(map: Map, count: usize, seed: u64) -> Self {
        let (cells, mut rng) = (ground(&map), Rng::new(seed));
        let mut fleet = Fleet::new(map);
        let starts = instance::some(&mut rng, &cells, count);
        let units: Vec<UnitId> =
            starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
        let mut errands = Self { since: vec![0; units.len()], fleet, units, cells, rng, arrived: 0 };
        (0..count).for_each(|unit| errands.send(unit));
        errands
    }

    fn send(&mut self, unit: usize) {
        let goal = self.rng.pick(&self.cells);
        self.fleet.order(&self.units[unit..=unit], Goal::at(goal));
        self.since[unit] = self.fleet.ticks();
    }

    fn tick(&mut self, work: u64) {
        for event in self.fleet.tick(work) {
            if let Event::Arrived { unit } = event {
                self.arrived += 1;
                self.send(unit.index());
            }
        }
    }

    /// The longest time for which a unit has been waiting for its first route.
    fn longest_wait(&self) -> u64 {
        let waits = self
            .units
            .iter()
            .zip(&self.since)
            .filter(|&(&unit, _)| self.fleet.status(unit) == Some(UnitStatus::Seeking));
        waits.map(|(_, since)| self.fleet.ticks() - since).max().unwrap_or(0)
    }
}

/// With a stack instead of a queue, units waited for 492, 1,500 (the whole run) and 1,345 ticks.
#[test]
fn stranded_units_are_served_first_come_first_served() {
    for (side, count, work, most) in [(300, 400, 2500, 300), (300, 400, 600, 900), (150, 300, 600, 350)] {
        let mut errands = Errands::new(clutter(side, 27, 3), count, 5);
        let mut longest = 0;
        for _ in 0..1500 {
            errands.tick(work);
            longest = longest.max(errands.longest_wait());
        }
        assert!(longest < most, "a unit has waited for {longest} ticks; budget {work}, side {side}");
        assert!(errands.arrived > 2 * count, "{} of {count} units have arrived", errands.arrived);
    }
}

/// Preferred units and others wait all the time. Routes come from long searches alone, while the map changes in every tick.
#[test]
fn units_that_are_not_preferred_have_their_share() {
    let mut config = FleetConfig::default();
    (config.tuning.search.short, config.tuning.search.very_short) = (1, 1);
    let map = clutter(110, 8, 2);
    let cells = ground(&map);
    let mut rng = Rng::new(3);
    let mut fleet = Fleet::with(map, config);
    let starts = instance::some(&mut rng, &cells, 160);
    let units: Vec<UnitId> =
        starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
    let is_preferred = |unit: &UnitId| unit.index() < 100;
    for unit in &units {
        fleet.prefer(*unit, is_preferred(unit)).expect("there");
        fleet.order(&[*unit], Goal::at(rng.pick(&cells)));
    }
    let mut served = [0, 0];
    for _ in 0..600 {
        let cell = rng.pick(&cells);
        if fleet.unit_on(cell).is_none() {
            fleet.set(cell, u8::from(!fleet.map().is_free(cell))).expect("a weight");
        }
        fleet.tick(400);
        for unit in &units {
            if fleet.status(*unit) != Some(UnitStatus::Seeking) {
                served[usize::from(is_preferred(unit))] += 1;
                fleet.order(&[*unit], Goal::at(rng.pick(&cells)));
            }
        }
    }
    let all: usize = served.iter().sum();
    assert!(all > 200 && 4 * served[0] > all, "{served:?}");
}

/// One sentence says for how long a unit may have to wait, wherever it is said.
#[test]
fn the_bound_is_stated_once() {
    let bound = "A unit that waits for a long search behind k others in its queue has it within 8 · (k + 2) · C / L ticks, where C \
                 is the cost of the most expensive search and L what a tick leaves for long searches.";
    for text in [include_str!("../../src/fleet/mod.rs"), include_str!("../../src/fleet/scheduler/mod.rs")] {
        let words: Vec<&str> = text.split_whitespace().filter(|&word| word != "//!").collect();
        assert!(words.join(" ").contains(bound));
    }
}
