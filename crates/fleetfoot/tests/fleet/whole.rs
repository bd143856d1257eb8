//! Whole fleets in worlds in which random runs have found defects.

use fleetfoot::fleet::{Event, Fleet, FleetConfig, Goal, TeamId, UnitId, UnitStatus};
use fleetfoot::{Grid, LandmarkMode, Map, MapConfig, Meter, Prices, Rules};
use fleetfoot_testkit::{Rng, worlds};

fn fleet_on(map: Map, config: &FleetConfig, units: u32) -> (Fleet, Vec<UnitId>) {
    let mut fleet = Fleet::with(map, *config);
    let cells = worlds::free_cells(fleet.map().grid());
    let all = cells.iter().take(units as usize).map(|&n| fleet.spawn(TeamId::FIRST, n).expect("free"));
    let all = all.collect();
    (fleet, all)
}

/// Units that walk through each other break ties by the seed of the resolver, which they do not have.
#[test]
fn units_that_walk_through_each_other_go_on_as_they_were_saved() {
    let mut config = FleetConfig::default();
    (config.collisions, config.resolver.seed) = (false, 706);
    let map = Map::new(24, 24, |_, _| true).expect("a small map");
    let (mut fleet, all) = fleet_on(map, &config, 9);
    for (k, &unit) in (0..).zip(&all) {
        let goal = fleet.map().node(23 - k, 9 + k).expect("on the map");
        fleet.order(&[unit], Goal::at(goal));
    }
    fleet.tick(1000);
    let mut twin = Fleet::load(&fleet.save()).expect("a save");
    assert_eq!(twin.config().resolver.seed, 706);
    for _ in 0..40 {
        let events: Vec<Event> = fleet.tick(1000).collect();
        assert_eq!(events, twin.tick(1000).collect::<Vec<_>>());
    }
}

/// The ground of a crowd is made over many ticks. Another crowd that is ordered meanwhile waits.
#[test]
fn a_crowd_that_is_ordered_while_another_one_is_worked_on_can_be_saved() {
    let map = Map::new(50, 40, |_, _| true).expect("a small map");
    let (mut fleet, all) = fleet_on(map, &FleetConfig::default(), 90);
    let (first, second) = all.split_at(45);
    let cell = |x, y| fleet.map().node(x, y).expect("on the map");
    let (camp, other) = (cell(40, 30), cell(10, 30));
    fleet.order(first, Goal::near(camp));
    for tick in 0..60 {
        let mut fork = fleet.clone();
        fork.order(second, Goal::near(other));
        for later in 0..4 {
            fork.tick(40);
            let saved = Fleet::load(&fork.save());
            assert!(saved.is_ok(), "ordered in tick {tick}, {later} ticks later: {:?}", saved.err());
        }
        fleet.tick(40);
    }
}

/// Members of a large crowd take their seats on its ground over several ticks, in the order in which they joined.
#[test]
fn a_crowd_that_takes_its_seats_goes_on_as_it_was_saved() {
    let map = Map::new(60, 60, |_, _| true).expect("a small map");
    let (mut fleet, all) = fleet_on(map, &FleetConfig::default(), 300);
    let cell = |x, y| fleet.map().node(x, y).expect("on the map");
    let (camp, wall) = (cell(40, 40), cell(44, 40));
    // Units with high numbers join first.
    for group in all.rchunks(100) {
        fleet.order(group, Goal::near(camp));
    }
    for tick in 0..120 {
        if tick % 40 == 20 {
            fleet.set(wall, u8::from(tick == 60)).expect("on the map");
        }
        let mut twin = Fleet::load(&fleet.save()).expect("a save");
        let mut fork = fleet.clone();
        for later in 0..12 {
            let events: Vec<Event> = fork.tick(40).collect();
            assert_eq!(
                events,
                twin.tick(40).collect::<Vec<_>>(),
                "saved in tick {tick}, {later} ticks later"
            );
        }
        fleet.tick(40);
    }
}

/// Without an index of reachability, all slots beside a blocked goal seem to be in reach of a unit that is cut off from them.
#[test]
fn a_unit_that_is_cut_off_from_all_slots_of_its_crowd_ends_its_tick() {
    let grid = Grid::new(12, 1, Rules::default(), |x, _| u8::from(x != 3)).expect("a small map");
    let (mut fleet, all) = fleet_on(Map::without_index(grid), &FleetConfig::default(), 1);
    let camp = fleet.map().node(8, 0).expect("on the map");
    fleet.order(&all, Goal::near(camp));
    fleet.set(camp, 0).expect("on the map");
    for _ in 0..20 {
        fleet.tick(1000);
    }
    assert_eq!(fleet.status(all[0]), Some(UnitStatus::Unreachable));
}

/// A rebuild of landmarks begins with a copy of the index of corners, which is paid for over several ticks.
#[test]
fn landmarks_of_a_large_map_are_made_within_a_small_budget() {
    let mut config = MapConfig::default();
    config.landmarks = LandmarkMode::InSlices;
    let grid: Grid = worlds::random_grid(&mut Rng::new(4), (180, 180), Rules::default(), 40, 1);
    let (mut fleet, _) = fleet_on(Map::with_config(grid, config), &FleetConfig::default(), 3);
    for tick in 0..50 {
        let mut meter = Meter::priced(10, Prices::ALL_WORK);
        fleet.tick_with(&mut meter);
        let spent = meter.work().priced(&Prices::ALL_WORK);
        assert!(spent <= 100, "{spent} tenths in tick {tick}");
    }
}
