//! Routes of many units that break at once.

use fleetfoot::fleet::{Fleet, Goal, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Map, Neighborhood, NodeId, Rules};
use fleetfoot_testkit::Rng;
use fleetfoot_testkit::fleet::instance;

use super::units::{ground, rooms};

/// Two halls full of pillars with a wall between them, and in it two gates: the second one is far from the first.
fn halls(side: u32) -> (Map, [Vec<NodeId>; 2]) {
    let mut rng = Rng::new(11);
    let pillars: Vec<bool> = (0..side * side).map(|_| rng.below(100) < 12).collect();
    let gates = [side / 5..side / 5 + 4, side * 4 / 5..side * 4 / 5 + 4];
    let is_gate = |y: u32| gates.iter().any(|gate| gate.contains(&y));
    let map = Map::new(side, side, |x, y| {
        let is_wall = x == side / 2;
        if is_wall { is_gate(y) } else { x.abs_diff(side / 2) < 3 || !pillars[(y * side + x) as usize] }
    });
    let map = map.expect("a valid map");
    let cells =
        |gate: std::ops::Range<u32>| -> Vec<NodeId> { gate.filter_map(|y| map.node(side / 2, y)).collect() };
    let gates = gates.map(cells);
    (map, gates)
}

/// Returns units in the western hall that are sent to a place in the eastern one.
fn sent(map: Map, vision: Vision, count: usize) -> (Fleet, Vec<UnitId>) {
    let side = map.grid().width();
    let mut fleet = Fleet::new(map);
    let team = fleet.add_team(vision).expect("a team");
    let cells: Vec<NodeId> = (0..side)
        .flat_map(|y| (2..side / 3).map(move |x| (x, y)))
        .filter_map(|(x, y)| fleet.map().node(x, y))
        .filter(|&n| fleet.map().is_free(n))
        .step_by(5)
        .take(count)
        .collect();
    let units: Vec<UnitId> = cells.iter().map(|&at| fleet.spawn(team, at).expect("a free cell")).collect();
    assert_eq!(units.len(), count);
    let goal = (side / 2..side * 9 / 10)
        .rev()
        .find_map(|x| fleet.map().node(x, side / 5).filter(|&n| fleet.map().is_free(n)));
    fleet.order(&units, Goal::near(goal.expect("free ground")));
    (fleet, units)
}

/// Units in the western hall whose route does not lead out of it.
fn without_route(fleet: &Fleet, units: &[UnitId]) -> usize {
    let middle = fleet.map().grid().width() / 2;
    let is_west = |n: NodeId| fleet.map().xy(n).0 < middle;
    let is_without = |unit: &&UnitId| {
        is_west(fleet.at(**unit).expect("there")) && fleet.path(**unit).last().is_none_or(|&n| is_west(n))
    };
    units.iter().filter(is_without).count()
}

#[test]
fn a_gate_that_shuts_costs_a_group_one_search() {
    let (map, [near, _]) = halls(240);
    let (mut fleet, units) = sent(map, Vision::All, 1000);
    for _ in 0..60 {
        fleet.tick(2000);
    }
    for &cell in &near {
        fleet.set(cell, 0).expect("a cell");
    }
    // The order given once more, by hand.
    let mut again = fleet.clone();
    let goal = again.goal(units[500]).expect("an order");
    again.order(&units, Goal::near(goal));
    let broken = without_route(&fleet, &units);
    assert!(broken > 800, "{broken} of {} units have lost their routes", units.len());
    let ticks = |fleet: &mut Fleet| {
        let mut seeking = 0;
        let ticks = (1..1500).find(|_| {
            fleet.tick(2000);
            seeking = seeking.max(fleet.summary().seeking);
            20 * without_route(fleet, &units) < broken
        });
        (ticks.unwrap_or(1500), seeking)
    };
    let (by_hand, repaired) = (ticks(&mut again), ticks(&mut fleet));
    let figures = format!("ticks and most units that seek: by hand {by_hand:?}, repaired {repaired:?}");
    assert!(by_hand.0 < 600 && repaired.0 <= 2 * by_hand.0, "{figures}");
    assert!(2 * repaired.1 as usize > broken, "{figures}");
}

/// On small maps units wait for exact distances instead of routes, which there are not for some ticks after an edit.
#[test]
fn a_search_does_not_get_lost_when_distances_become_available() {
    for ticks in 50..70 {
        let map = rooms(44, Neighborhood::Eight, 3);
        let cells = ground(&map);
        let wall = map.node(0, 43).expect("a cell");
        let mut fleet = Fleet::new(map);
        let unit = fleet.spawn(TeamId::FIRST, cells[0]).expect("a free cell");
        let weight = u8::from(!fleet.map().is_free(wall));
        fleet.set(wall, weight).expect("a weight");
        (0..ticks).for_each(|_| drop(fleet.tick(2)));
        fleet.order(&[unit], Goal::at(cells[cells.len() - 1]));
        let took = (0..1500).find(|_| {
            fleet.tick(2);
            fleet.status(unit) == Some(UnitStatus::Arrived)
        });
        assert!(took.is_some(), "an order in tick {ticks} is lost: {:?}", fleet.status(unit));
    }
}

/// Two halls with a narrow gap between them, and all units of both sent near one cell, until all have arrived. Units that are pushed out of
/// sight of their routes return to them.
#[test]
fn every_unit_that_has_lost_sight_of_its_route_asks_for_another() {
    for (neighborhood, seed) in [(Neighborhood::Eight, 1), (Neighborhood::Four, 2)] {
        let rules = Rules { neighborhood, ..Rules::default() };
        let is_free = |x: u32, y: u32| x != 64 || (64..68).contains(&y);
        let map = Map::with_rules(128, 128, rules, |x, y| u8::from(is_free(x, y))).expect("a valid map");
        let cells = ground(&map);
        let mut rng = Rng::new(seed);
        let goal = rng.pick(&cells);
        let mut fleet = Fleet::new(map);
        let starts = instance::some(&mut rng, &cells, 1500);
        let units: Vec<UnitId> =
            starts.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect();
        fleet.order(&units, Goal::near(goal));
        // By unit: for how many ticks it has not seen the next corner of its route.
        let mut blind = vec![0; units.len()];
        for tick in 0..1500 {
            fleet.tick(5000);
            for (&unit, blind) in units.iter().zip(&mut blind) {
                let sees = fleet.next(unit).is_some() || fleet.status(unit) == Some(UnitStatus::Arrived);
                *blind = if sees || fleet.blocked_by(unit).is_some() { 0 } else { *blind + 1 };
                assert!(
                    *blind < 100 || fleet.stalled(unit) < 100,
                    "{neighborhood:?}: {unit:?} is lost in tick {tick}"
                );
            }
            if fleet.summary().underway == 0 {
                break;
            }
        }
        assert_eq!(fleet.summary().underway, 0, "{neighborhood:?}");
    }
}
