//! Maps that change, and maps that are discovered: searches stay cheap, and a unit that is cut off waits where it can go on.

use fleetfoot::fleet::{Event, Fleet, Goal, SavedFleet, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Map, Neighborhood, NodeId, Rules};
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance;

use super::units::{Watched, ground, rooms};
use crate::regimes::{self, in_both_regimes};

in_both_regimes!(a_crowd_that_is_cut_off_comes_to_rest);

/// Sends every unit to a random cell.
fn scatter(fleet: &mut Fleet, units: &[UnitId], cells: &[NodeId], rng: &mut Rng) {
    for (unit, goal) in units.chunks(1).zip(instance::some(rng, cells, units.len())) {
        fleet.order(unit, Goal::at(goal));
    }
}

/// Returns the work of all ticks until every unit has arrived.
fn work_until_there(watched: &mut Watched, units: &[UnitId], budget: u64) -> u64 {
    let mut work = 0;
    for _ in 0..2000 {
        watched.tick(budget);
        work += watched.fleet.summary().work;
        let is_there = |&unit: &UnitId| watched.fleet.at(unit) == watched.fleet.goal(unit);
        if units.iter().all(is_there) {
            return work;
        }
    }
    panic!("some are not there after 2000 ticks");
}

#[test]
fn a_map_that_has_been_discovered_is_searched_like_a_known_one() {
    let map = rooms(150, Neighborhood::Eight, 5);
    let cells = ground(&map);
    let work = [Vision::All, Vision::Radius(8)].map(|vision| {
        let mut rng = Rng::new(4);
        let mut fleet = regimes::fleet(map.clone());
        let team = fleet.add_team(vision).expect("a second team");
        let starts = instance::some(&mut rng, &cells, 60);
        let units: Vec<UnitId> =
            starts.into_iter().map(|at| fleet.spawn(team, at).expect("a free cell")).collect();
        let mut watched = Watched::new(fleet);
        // They see the map.
        for _ in 0..4 {
            scatter(&mut watched.fleet, &units, &cells, &mut rng);
            work_until_there(&mut watched, &units, 4000);
        }
        // What they know of it is put in order.
        for _ in 0..200 {
            watched.tick(4000);
        }
        scatter(&mut watched.fleet, &units, &cells, &mut rng);
        work_until_there(&mut watched, &units, 4000)
    });
    // A known map has landmarks besides.
    assert!(work[1] < 3 * work[0], "{work:?}");
}

/// Where many wait for searches, a team makes landmarks of what it knows. Half-made ones are saved as well.
#[test]
fn many_in_the_fog_make_landmarks() {
    let map = rooms(200, Neighborhood::Eight, 6);
    let cells = ground(&map);
    let work = [Vision::All, Vision::Radius(8)].map(|vision| {
        let mut rng = Rng::new(4);
        let mut fleet = regimes::fleet(map.clone());
        let team = fleet.add_team(vision).expect("a second team");
        let starts = instance::some(&mut rng, &cells, 400);
        let units: Vec<UnitId> =
            starts.into_iter().map(|at| fleet.spawn(team, at).expect("a free cell")).collect();
        let (mut work, mut searches) = (0, 0);
        for tick in 0..900 {
            if tick % 150 == 0 {
                scatter(&mut fleet, &units, &cells, &mut rng);
            }
            if tick % 50 == 20 {
                let mut twin = Fleet::load(&fleet.save()).expect("what was saved");
                let mut original = fleet.clone();
                for _ in 0..15 {
                    let events: Vec<Event> = original.tick(1000).collect();
                    assert_eq!(events, twin.tick(1000).collect::<Vec<Event>>(), "tick {tick}");
                    assert_eq!(original.summary(), twin.summary(), "tick {tick}");
                }
            }
            drop(fleet.tick(1000));
            // By then the map is known.
            if tick >= 600 {
                work += fleet.summary().work;
                searches += u64::from(fleet.summary().searches);
            }
        }
        work / searches
    });
    // Without landmarks it is three and a half times as much. Making them, and learning what is still new, costs something as well.
    assert!(5 * work[1] < 11 * work[0], "work for each search: {work:?}");
}

/// Saved and loaded while connections are stored, forgotten and stored again.
#[test]
fn in_the_fog_a_saved_fleet_goes_on_alike() {
    for (neighborhood, budget) in [(Neighborhood::Eight, 2000), (Neighborhood::Four, 300)] {
        let map = rooms(100, neighborhood, 8);
        let cells = ground(&map);
        let mut rng = Rng::new(9);
        let mut fleet = regimes::fleet(map);
        let fog = fleet.add_team(Vision::Radius(6)).expect("a second team");
        let starts = instance::some(&mut rng, &cells, 40);
        let units: Vec<UnitId> =
            starts.into_iter().map(|at| fleet.spawn(fog, at).expect("a free cell")).collect();
        let mut twin = fleet.clone();
        for tick in 0..700 {
            if tick % 23 == 5 {
                let text = serde_json::to_string(&twin.save()).expect("plain data");
                let saved: SavedFleet = serde_json::from_str(&text).expect("what was written");
                twin = Fleet::load(&saved).expect("what was saved");
            }
            let (a, goal, wall) = (rng.pick(&units), rng.pick(&cells), rng.pick(&cells));
            let again = rng.clone();
            for fleet in [&mut fleet, &mut twin] {
                rng = again.clone();
                match tick {
                    _ if tick % 120 == 0 => scatter(fleet, &units, &cells, &mut rng),
                    // Walls come and go in the midst, a few or very many at once.
                    _ if tick % 300 == 299 => {
                        for &cell in cells.iter().step_by(3).take(900) {
                            fleet.set(cell, (tick % 600 > 300).into()).expect("on the map");
                        }
                    }
                    _ if tick % 11 == 0 => {
                        fleet.set(wall, u8::from(tick % 2 == 1)).expect("on the map");
                    }
                    _ if tick % 7 == 0 => drop(fleet.order(&[a], Goal::at(goal))),
                    _ => {}
                }
            }
            let events: Vec<Event> = fleet.tick(budget).collect();
            let theirs: Vec<Event> = twin.tick(budget).collect();
            assert_eq!(events, theirs, "in tick {tick}");
            assert_eq!(fleet.summary(), twin.summary(), "in tick {tick}");
        }
    }
}

/// Returns a fleet with a unit on each of these cells, which is sent to the goal listed with it.
fn sent(map: Map, cells: &[NodeId], goals: &[NodeId]) -> (Watched, Vec<UnitId>) {
    let mut fleet = regimes::fleet(map);
    let units: Vec<UnitId> =
        cells.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
    for (unit, &goal) in units.chunks(1).zip(goals) {
        fleet.order(unit, Goal::at(goal));
    }
    (Watched::new(fleet), units)
}

/// Two halls with a wall between them, and in it a door.
fn halls() -> (Map, NodeId) {
    let map = Map::new(81, 21, |x, y| x != 40 || y == 10).expect("a valid map");
    let door = map.node(40, 10).expect("a cell");
    (map, door)
}

#[test]
fn who_is_cut_off_waits_at_the_door() {
    let (map, door) = halls();
    let cells: Vec<NodeId> = (0..6).filter_map(|k| map.node(2, 3 * k)).collect();
    let goals: Vec<NodeId> = (0..6).filter_map(|k| map.node(78, 3 * k)).collect();
    let (mut watched, units) = sent(map, &cells, &goals);
    for _ in 0..10 {
        watched.tick(500);
    }
    watched.fleet.set(door, 0).expect("on the map");
    let told: Vec<Event> = (0..80).flat_map(|_| watched.tick(500)).collect();
    let told = told.iter().filter(|event| matches!(event, Event::Unreachable { .. })).count();
    assert_eq!(told, units.len(), "each is reported once");
    for &unit in &units {
        assert_eq!(watched.fleet.status(unit), Some(UnitStatus::Unreachable));
        let (x, y) = watched.fleet.map().xy(watched.fleet.at(unit).expect("there"));
        assert!(x >= 36 && y.abs_diff(10) <= 4, "it waits at ({x}, {y})");
    }
    // There they rest.
    assert_eq!((0..20).map(|_| watched.tick(500).len()).sum::<usize>(), 0);
    watched.fleet.set(door, 1).expect("on the map");
    let is_there = |fleet: &Fleet| units.iter().all(|&unit| fleet.at(unit) == fleet.goal(unit));
    let took = (1..200).find(|_| {
        watched.tick(500);
        is_there(&watched.fleet)
    });
    assert!(took.is_some_and(|ticks| ticks < 60), "{took:?}");
}

/// Sixty units before a passage one cell wide, whose door is shut: they come to rest, though only one can be at the door.
fn a_crowd_that_is_cut_off_comes_to_rest() {
    for (neighborhood, budget) in
        [(Neighborhood::Four, 5000), (Neighborhood::Four, 500), (Neighborhood::Eight, 30)]
    {
        let rules = Rules { neighborhood, ..Rules::default() };
        let is_free = |x: u32, y: u32| !(20..=60).contains(&x) || y == 20;
        let map = Map::with_rules(81, 41, rules, |x, y| u8::from(is_free(x, y))).expect("a valid map");
        let door = map.node(50, 20).expect("a cell");
        let cells: Vec<NodeId> = (0..60).filter_map(|k| map.node(8 + k % 10, 15 + k / 10)).collect();
        let goals: Vec<NodeId> = (0..60).filter_map(|k| map.node(65 + k % 10, 15 + k / 10)).collect();
        let (mut watched, _) = sent(map, &cells, &goals);
        for _ in 0..12 {
            watched.tick(budget);
        }
        watched.fleet.set(door, 0).expect("on the map");
        for _ in 0..600 {
            watched.tick(budget);
        }
        let told: usize = (0..100).map(|_| watched.tick(budget).len()).sum();
        assert_eq!((told, watched.fleet.summary().underway), (0, 0), "{neighborhood:?}, {budget}");
    }
}

/// A wall among walls has no moves, so no edge changes with it: a unit in sight still sees it.
#[test]
fn who_stands_still_sees_what_changes_among_walls() {
    let map = Map::new(30, 30, |x, y| x < 10 || y < 10).expect("a valid map");
    let (at, inside) = (map.node(8, 20).expect("a cell"), map.node(14, 20).expect("a cell"));
    let mut fleet = regimes::fleet(map);
    let fog = fleet.add_team(Vision::Radius(8)).expect("a second team");
    fleet.spawn(fog, at).expect("a free cell");
    for _ in 0..40 {
        fleet.tick(1000);
    }
    fleet.set(inside, 1).expect("on the map");
    let mut twin = Fleet::load(&fleet.save()).expect("what was saved");
    for _ in 0..10 {
        let events: Vec<Event> = fleet.tick(1000).collect();
        assert_eq!(events, twin.tick(1000).collect::<Vec<Event>>());
        assert_eq!(fleet.summary(), twin.summary());
    }
}

/// While doors open and close elsewhere all the time, units whose goals are shut off are found out, and not sought for again and
/// again.
#[test]
fn goals_behind_closed_doors_cost_no_searches() {
    let side = 120;
    let is_free =
        |x: u32, y: u32| !x.is_multiple_of(12) && !y.is_multiple_of(12) || x % 12 == 6 || y % 12 == 6;
    let mut map = Map::new(side, side, is_free).expect("a valid map");
    // The last room is shut.
    for cell in [(114, 108), (108, 114)] {
        let n = map.node(cell.0, cell.1).expect("a cell");
        map.set(n, 0).expect("on the map");
    }
    let cells = ground(&map);
    let shut: Vec<NodeId> = (109..120)
        .flat_map(|x| (109..120).map(move |y| (x, y)))
        .filter_map(|(x, y)| map.node(x, y))
        .collect();
    let doors: Vec<NodeId> = (1..9).filter_map(|k| map.node(12 * k, 12 * k + 6)).collect();
    let mut rng = Rng::new(2);
    let mut fleet = regimes::fleet(map);
    let units: Vec<UnitId> = instance::some(&mut rng, &cells, 100)
        .into_iter()
        .map(|at| fleet.spawn(TeamId::FIRST, at).expect("a free cell"))
        .collect();
    for (unit, &goal) in units.chunks(1).zip(&shut) {
        fleet.order(unit, Goal::at(goal));
    }
    let mut late = 0;
    for tick in 0..400_usize {
        let door = doors[tick / 2 % doors.len()];
        if tick % 2 == 0 && fleet.unit_on(door).is_none() {
            fleet.set(door, u8::from(!fleet.map().is_free(door))).expect("on the map");
        }
        fleet.tick(600);
        late += if tick >= 100 { fleet.summary().searches } else { 0 };
    }
    assert_eq!(units.iter().filter(|&&unit| fleet.status(unit) != Some(UnitStatus::Unreachable)).count(), 0);
    assert_eq!(late, 0, "no search is in vain");
}
