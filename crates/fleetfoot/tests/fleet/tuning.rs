//! Constants of policy: what they change, their ranges, and that saves contain them.

use fleetfoot::fleet::{Event, Fleet, FleetConfig, Goal, Resolver, ResolverConfig, TeamId, Tuning};
use fleetfoot::{Neighborhood, SaveReader};
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance;

use super::units::{ground, rooms};

/// Returns a fleet with constants that make it decide otherwise, in mid-search.
fn tuned() -> Fleet {
    let mut config = FleetConfig::default();
    config.tuning.search.short = 3;
    config.tuning.search.very_short = 2;
    config.tuning.route.looks_every = 1;
    config.tuning.crowd.patience = 40;
    config.resolver.tuning.learns_after = 2;
    config.resolver.tuning.stall = 12;
    let map = rooms(90, Neighborhood::Eight, 3);
    let mut rng = Rng::new(7);
    let cells = ground(&map);
    let (starts, goals) = (instance::some(&mut rng, &cells, 250), instance::some(&mut rng, &cells, 250));
    let mut fleet = Fleet::with(map, config);
    let units: Vec<_> =
        starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
    for (&unit, &goal) in units.iter().zip(&goals) {
        fleet.order(&[unit], Goal::at(goal));
    }
    fleet.order(&units[..60], Goal::near(goals[0]));
    fleet
}

fn events(fleet: &mut Fleet, ticks: usize) -> Vec<Event> {
    (0..ticks).flat_map(|_| fleet.tick(300).collect::<Vec<_>>()).collect()
}

#[test]
fn saves_contain_the_constants() {
    let mut fleet = tuned();
    events(&mut fleet, 5);
    let mut again = Fleet::load(&fleet.save()).expect("its own save");
    assert_eq!(events(&mut fleet, 150), events(&mut again, 150));
}

#[test]
fn constants_outside_their_ranges_are_clamped() {
    let mut tuning = Tuning::default();
    assert_eq!(tuning, tuning.within_ranges());
    tuning.budget.learn = 0;
    tuning.crowd.insists = u64::MAX;
    assert_eq!((tuning.within_ranges().budget.learn, tuning.within_ranges().crowd.insists), (1, 1024));
    let mut fleet = tuned();
    let mut config = FleetConfig::default();
    config.tuning = tuning;
    config.resolver.tuning.units_per_reading = 0;
    let map = fleet.map().clone();
    let mut other = Fleet::with(map, config);
    for unit in fleet.units().collect::<Vec<_>>() {
        other.spawn(TeamId::FIRST, fleet.at(unit).expect("there")).expect("a free cell");
    }
    events(&mut other, 5);
    events(&mut fleet, 5);
}

#[test]
fn saves_of_another_format_version_are_refused_by_its_number() {
    let map = rooms(30, Neighborhood::Eight, 3);
    let resolver = Resolver::new(map.grid(), ResolverConfig::default());
    let mut bytes: Vec<u8> = Vec::new();
    resolver.save(&mut bytes);
    assert!(Resolver::load(map.grid(), &mut SaveReader::new(&bytes)).is_ok());
    bytes[0] = 3;
    let error = Resolver::load(map.grid(), &mut SaveReader::new(&bytes)).expect_err("an old version");
    assert!(error.to_string().contains("format version 3"), "{error}");
}
