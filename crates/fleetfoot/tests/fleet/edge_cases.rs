//! Odd cases: goals that become walls, orders that are taken back, maps that mislead, saves of every kind.

use fleetfoot::fleet::{Event, Fleet, Goal, ResolverConfig, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Grid, Map, NodeId, Rules};

use crate::regimes::{self, in_both_regimes};

in_both_regimes!(
    no_way_is_not_told_where_there_is_one,
    a_wall_on_a_goal_is_told,
    orders_that_were_replaced_cost_nothing,
    a_unit_in_the_fog_is_dug_out_though_its_team_never_saw_the_wall,
    small_budgets_learn_in_the_fog,
    saves_of_every_kind_are_read,
    saves_do_not_grow,
);

fn open(side: u32) -> Map {
    Map::new(side, side, |_, _| true).expect("a valid map")
}

/// Units in the first rows, from the left.
fn units(fleet: &mut Fleet, count: u32) -> Vec<UnitId> {
    let width = fleet.map().grid().width();
    let cells: Vec<NodeId> =
        (0..count).map(|k| fleet.map().node(k % width, k / width).expect("on the map")).collect();
    cells.iter().map(|&cell| fleet.spawn(TeamId::FIRST, cell).expect("free")).collect()
}

/// Corridors three cells wide: the corners nearest to a unit are not all that it needs.
fn no_way_is_not_told_where_there_is_one() {
    let rooms = [
        ".....@.@.........",
        "@@@@.@.@.@@@@@@@.",
        "...@.@...@.@.....",
        ".@.@.@@@.@.@.@@@.",
        ".@.@...@...@.@...",
        ".@.@@@.@@@@@.@.@@",
        ".@...........@...",
    ];
    let free = |x: u32, y: u32| {
        let room = rooms.get((y / 3).wrapping_sub(1) as usize);
        room.and_then(|room| room.as_bytes().get((x / 3).wrapping_sub(1) as usize)) == Some(&b'.')
    };
    let map = Map::new(57, 27, free).expect("a valid map");
    let (from, to) = (map.node(29, 5).unwrap(), map.node(39, 14).unwrap());
    let mut fleet = regimes::fleet(map);
    let unit = fleet.spawn(TeamId::FIRST, from).expect("free");
    fleet.order(&[unit], Goal::at(to));
    let told = (0..60).any(|_| fleet.tick(10_000).any(|event| matches!(event, Event::Unreachable { .. })));
    assert!(!told && fleet.at(unit) == Some(to));
}

fn a_wall_on_a_goal_is_told() {
    // With exact distances, and without.
    for side in [20, 120] {
        for budget in [3, 1000] {
            let mut fleet = regimes::fleet(open(side));
            let (from, to) = (fleet.map().node(2, 2).unwrap(), fleet.map().node(12, 2).unwrap());
            let unit = fleet.spawn(TeamId::FIRST, from).expect("free");
            fleet.order(&[unit], Goal::at(to));
            (0..6).for_each(|_| drop(fleet.tick(budget)));
            fleet.set(to, 0).expect("on the map");
            let told = (0..400)
                .flat_map(|_| fleet.tick(budget))
                .filter(|event| matches!(event, Event::Unreachable { .. }))
                .count();
            assert_eq!((told, fleet.status(unit)), (1, Some(UnitStatus::Unreachable)), "{side}, {budget}");
        }
    }
}

/// A player who clicks in every frame: only the last order is searched for.
fn orders_that_were_replaced_cost_nothing() {
    let waits = |clicks: u32| {
        let mut fleet = regimes::fleet(open(200));
        let all = units(&mut fleet, 100);
        for k in 0..clicks {
            let cell = fleet.map().node(40 + k % 100, 150).unwrap();
            fleet.order(&all, Goal::near(cell));
            drop(fleet.tick(300));
        }
        let cell = fleet.map().node(180, 180).unwrap();
        fleet.order(&all, Goal::near(cell));
        (0..2000).find(|_| {
            drop(fleet.tick(300));
            all.iter().all(|&unit| fleet.status(unit) != Some(UnitStatus::Seeking))
        })
    };
    let (once, often) = (waits(0).expect("served"), waits(100).expect("served"));
    assert!(often <= once + 2, "{once} ticks, {often} after other orders");
}

fn a_unit_in_the_fog_is_dug_out_though_its_team_never_saw_the_wall() {
    let mut fleet = regimes::fleet(open(30));
    let team = fleet.add_team(Vision::Radius(5)).expect("a team");
    let (from, to) = (fleet.map().node(3, 3).unwrap(), fleet.map().node(20, 20).unwrap());
    let unit = fleet.spawn(team, from).expect("free");
    fleet.order(&[unit], Goal::at(to));
    fleet.set(from, 0).expect("on the map");
    fleet.order(&[unit], Goal::at(to));
    assert_eq!(fleet.status(unit), Some(UnitStatus::Buried), "an order does not dig it out");
    fleet.set(from, 1).expect("on the map");
    let twin = Fleet::load(&fleet.save()).expect("what was saved");
    assert_eq!(twin.status(unit), fleet.status(unit));
    (0..60).for_each(|_| drop(fleet.tick(1000)));
    assert_eq!(fleet.at(unit), Some(to));
}

fn small_budgets_learn_in_the_fog() {
    let map = Map::new(12, 12, |x, y| x != 6 || y == 11).expect("a valid map");
    let mut fleet = regimes::fleet(map);
    let team = fleet.add_team(Vision::Radius(3)).expect("a team");
    let (from, to) = (fleet.map().node(2, 2).unwrap(), fleet.map().node(10, 2).unwrap());
    let unit = fleet.spawn(team, from).expect("free");
    fleet.order(&[unit], Goal::at(to));
    assert!((0..20_000).any(|_| {
        drop(fleet.tick(2));
        fleet.at(unit) == Some(to)
    }));
}

/// Rules switched off, goals off the map, ties by another seed without collisions: a loaded save continues alike.
fn saves_of_every_kind_are_read() {
    let plain = ResolverConfig { seed: 9, ..ResolverConfig::default() };
    let configs = [
        plain,
        ResolverConfig { lanes: false, joint_searches: false, ..plain },
        ResolverConfig { swaps: false, lanes: false, ..plain },
        ResolverConfig { steady: false, penalties: false, ..plain },
    ];
    for (resolver, collisions) in configs.into_iter().zip([true, true, true, true]).chain([(plain, false)]) {
        let mut config = regimes::config();
        (config.resolver, config.collisions) = (resolver, collisions);
        let mut fleet = Fleet::with(open(40), config);
        let all = units(&mut fleet, 60);
        let middle = fleet.map().node(25, 25).unwrap();
        fleet.order(&all[..40], Goal::near(middle));
        fleet.order(&all[40..50], Goal::at(NodeId::new(1 << 30)));
        fleet.order(&all[50..55], Goal::near(NodeId::new(1 << 30)));
        fleet.order(&all[55..], Goal::at(NodeId::NONE));
        for _ in 0..5 {
            let mut twin = Fleet::load(&fleet.save()).expect("what was saved");
            for _ in 0..6 {
                let events: Vec<Event> = fleet.tick(200).collect();
                assert_eq!(twin.tick(200).collect::<Vec<_>>(), events);
            }
        }
    }
}

/// Back and forth between two cells for long: the stored distances do not grow.
fn saves_do_not_grow() {
    let grid = Grid::new(12, 12, Rules::default(), |_, _| 1).expect("a valid grid");
    let mut fleet = regimes::fleet(Map::from(grid));
    let ends = [(1, 1), (9, 9)].map(|(x, y)| fleet.map().node(x, y).unwrap());
    let unit = fleet.spawn(TeamId::FIRST, ends[0]).expect("free");
    let mut size = |trips: usize| {
        for k in 0..trips {
            fleet.order(&[unit], Goal::at(ends[(k + 1) % 2]));
            (0..10).for_each(|_| drop(fleet.tick(1000)));
        }
        serde_json::to_string(&fleet.save()).expect("plain data").len()
    };
    let (early, late) = (size(20), size(2000));
    assert!(late < early + 200, "{early} bytes, then {late}");
}
