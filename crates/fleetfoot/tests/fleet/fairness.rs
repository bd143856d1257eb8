//! Who is searched for, and when: every unit that waits for a route gets it within the bound of the scheduler.

use fleetfoot::fleet::{Event, Fleet, Goal, TeamId, UnitId, UnitStatus};
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
        let waits = self.units.iter().zip(&self.since).filter(|&(&unit, _)| {
            self.fleet.status(unit) == Some(UnitStatus::Seeking)
        });
        waits.map(|(_, since)| self.fleet.ticks() - since).max().unwrap_or(0)
    }
}

#[test]
fn stranded_units_are_served_first_come_first_served() {
    for (side, count, work) in [(300, 400, 2500), (300, 400, 600), (150, 300, 600)] {
        let mut errands = Errands::new(clutter(side, 27, 3), count, 5);
        let mut longest = 0;
        for _ in 0..1500 {
            errands.tick(work);
            longest = longest.max(errands.longest_wait());
        }
        eprintln!("{side} {count} {work}: longest {longest}, arrived {}", errands.arrived);
    }
}
