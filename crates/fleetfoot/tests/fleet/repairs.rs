//! Routes of many units that break at once.

use fleetfoot::fleet::{Fleet, Goal, UnitId, Vision};
use fleetfoot::{Map, NodeId};
use fleetfoot_testkit::Rng;

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

/// Units in the western hall that are on their way to a place in the eastern one.
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
    assert!(fleet.summary().seeking < 20, "{}", fleet.summary().seeking);
    for &cell in &near {
        fleet.set(cell, 0).expect("a cell");
    }
    // The order given once more, by hand.
    let mut again = fleet.clone();
    let goal = again.goal(units[500]).expect("an order");
    again.order(&units, Goal::near(goal));
    let ticks = |fleet: &mut Fleet| {
        let mut seeking = 0;
        eprintln!("before {}", without_route(fleet, &units));
        let ticks = (1..2500).find(|_| {
            fleet.tick(2000);
            let left = without_route(fleet, &units);
            seeking = seeking.max(fleet.summary().seeking);
            left == 0
        });
        (ticks, seeking)
    };
    let (by_hand, repaired) = (ticks(&mut again), ticks(&mut fleet));
    eprintln!("by hand {by_hand:?}, repaired {repaired:?}");
}
