//! Units that were sent to one place come to rest there.

use fleetfoot::fleet::{Event, Fleet, Goal, Speed, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Map, Neighborhood, NodeId, Rules};
use fleetfoot_testkit::Rng;

/// Sides of open maps: the first one has rows of distances, the second one routes.
const SIDES: [u32; 2] = [64, 120];

fn moves(events: impl Iterator<Item = Event>) -> usize {
    events.filter(|event| matches!(event, Event::Moved { .. })).count()
}

/// Returns a fleet on open ground with units side by side in a corner.
fn mustered(side: u32, neighborhood: Neighborhood, count: u32) -> (Fleet, Vec<UnitId>) {
    let rules = Rules { neighborhood, ..Rules::default() };
    let map = Map::with_rules(side, side, rules, |_, _| 1).expect("a valid map");
    let cells: Vec<NodeId> = (0..count).filter_map(|k| map.node(2 + k % 30, 2 + k / 30)).collect();
    let mut fleet = Fleet::new(map);
    let units = cells.iter().map(|&cell| fleet.spawn(TeamId::FIRST, cell).expect("a free cell")).collect();
    (fleet, units)
}

/// Asserts that no unit moves any more, and that all that are not buried have arrived, each on a goal of its own.
fn assert_rest(fleet: &mut Fleet, units: &[UnitId], what: &str) {
    let moved: usize = (0..50).map(|_| moves(fleet.tick(4000))).sum();
    let has_arrived = |&unit: &UnitId| {
        fleet.status(unit) == Some(UnitStatus::Arrived) && fleet.at(unit) == fleet.goal(unit)
    };
    let others = units.iter().filter(|unit| fleet.status(**unit) != Some(UnitStatus::Buried));
    assert_eq!((moved, others.filter(|unit| !has_arrived(unit)).count()), (0, 0), "{what}");
}

/// A passage one cell wide is too narrow to pass in: units of several teams take the slots that they can get.
#[test]
fn teams_that_know_the_whole_map_exchange_slots() {
    // A hall far away makes the map too large for rows of distances.
    for height in [1, 500] {
        let map = Map::new(12, height, |_, y| y == 0 || y > 2).expect("a valid map");
        let cells: Vec<NodeId> = (0..12).map(|x| map.node(x, 0).expect("a cell")).collect();
        let mut fleet = Fleet::new(map);
        let teams = [Vision::All; 2].map(|vision| fleet.add_team(vision).expect("a team"));
        let units: Vec<UnitId> =
            (0..3).map(|k| fleet.spawn(teams[k % 2], cells[[0, 1, 3][k]]).expect("free")).collect();
        fleet.order(&units, Goal::near(cells[2]));
        for tick in 0..100 {
            fleet.tick(1000);
            if tick % 10 == 3 {
                let events: Vec<Event> = fleet.clone().tick(1000).collect();
                fleet = Fleet::load(&fleet.save()).expect("what was saved");
                assert_eq!(fleet.clone().tick(1000).collect::<Vec<_>>(), events);
            }
        }
        assert_rest(&mut fleet, &units, &format!("height {height}"));
    }
}

/// Slots that become walls are given up for others around the building.
#[test]
fn slow_units_come_to_rest_around_a_building_on_their_goal() {
    for side in SIDES {
        for (neighborhood, built) in
            [(Neighborhood::Eight, 20), (Neighborhood::Eight, 60), (Neighborhood::Four, 60)]
        {
            let (mut fleet, units) = mustered(side, neighborhood, 900);
            for &unit in &units {
                fleet.set_speed(unit, Speed::EveryTicks(2)).expect("there");
            }
            let middle = side * 2 / 3;
            fleet.order(&units, Goal::near(fleet.map().node(middle, middle).expect("a cell")));
            for tick in 0..700 {
                if tick == built {
                    for k in 0..400 {
                        let cell = fleet.map().node(middle - 10 + k % 20, middle - 10 + k / 20);
                        fleet.set(cell.expect("a cell"), 0).expect("a weight");
                    }
                }
                if tick == built + 7 || tick == built + 90 {
                    let mut twin = Fleet::load(&fleet.save()).expect("what was saved");
                    let mut original = fleet.clone();
                    for _ in 0..20 {
                        let events: Vec<Event> = original.tick(4000).collect();
                        assert_eq!(twin.tick(4000).collect::<Vec<_>>(), events, "{side}, {neighborhood:?}");
                    }
                }
                // What cannot be reached is sought for nearby, as a game would do.
                for event in fleet.tick(4000) {
                    if let Event::Unreachable { unit, nearest: Some(cell) } = event {
                        fleet.order(&[unit], Goal::near(cell));
                    }
                }
            }
            assert_rest(&mut fleet, &units, &format!("side {side}, {neighborhood:?}, built in tick {built}"));
        }
    }
}

/// Crowds whose slots lie between each other's are one crowd.
#[test]
fn units_sent_near_neighboring_cells_one_by_one_come_to_rest() {
    for side in SIDES {
        for neighborhood in [Neighborhood::Eight, Neighborhood::Four] {
            for (spread, together) in [(6, 1), (12, 1), (12, 10)] {
                let (mut fleet, units) = mustered(side, neighborhood, 600);
                let mut rng = Rng::new(7);
                for some in units.chunks(together) {
                    let mut draw = || side * 2 / 3 + rng.below(spread) as u32;
                    let cell = fleet.map().node(draw(), draw()).expect("a cell");
                    fleet.order(some, Goal::near(cell));
                }
                for tick in 0..400 {
                    fleet.tick(4000);
                    if tick == 40 {
                        fleet = Fleet::load(&fleet.save()).expect("what was saved");
                    }
                }
                let what = format!("side {side}, {neighborhood:?}, {together} of {spread}");
                assert_rest(&mut fleet, &units, &what);
            }
        }
    }
}
