//! Goals that cannot be reached: what is reported of them, and what units do when the map opens a way.

use std::sync::atomic::{AtomicU64, Ordering};

use fleetfoot::fleet::{Event, Fleet, Goal, TeamId, UnitId, UnitStatus};
use fleetfoot::{Clock, Grid, Map, Meter, NodeId, Rules};
use fleetfoot_testkit::oracle;

/// Two shores with a river between them.
fn river(side: u32) -> Map {
    Map::new(side, side, |x, _| !(side / 2..side / 2 + 3).contains(&x)).expect("a valid map")
}

fn spawn(fleet: &mut Fleet, count: u32) -> Vec<UnitId> {
    let cells: Vec<NodeId> = (0..count).filter_map(|k| fleet.map().node(2 + k % 8, 5 + k / 8)).collect();
    cells.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect()
}

#[test]
fn near_a_place_that_cannot_be_reached_units_do_not_arrive() {
    for side in [40, 100] {
        for count in [1, 4, 30] {
            let mut fleet = Fleet::new(river(side));
            let units = spawn(&mut fleet, count);
            let place = fleet.map().node(side - 8, side / 2).expect("a cell");
            fleet.order(&units, Goal::near(place));
            let mut reports = vec![0; units.len()];
            for tick in 0..150 {
                for event in fleet.tick(1000) {
                    match event {
                        Event::Arrived { .. } => panic!("{side}, {count}: arrived on the wrong shore"),
                        Event::Unreachable { unit, nearest } => {
                            reports[unit.index()] += 1;
                            let nearest = fleet.map().xy(nearest.expect("their own shore"));
                            assert_eq!(nearest, (side / 2 - 1, side / 2));
                        }
                        _ => {}
                    }
                }
                if tick % 20 == 7 {
                    fleet = Fleet::load(&fleet.save()).expect("what was saved");
                }
            }
            assert_eq!(reports, vec![1; units.len()], "{side}, {count}");
            let status = |fleet: &Fleet, unit: UnitId| fleet.status(unit).expect("there");
            assert!(units.iter().all(|&unit| status(&fleet, unit) == UnitStatus::Unreachable));
            // They wait together, as near to the place as they get.
            for &unit in &units {
                let (x, y) = fleet.map().xy(fleet.at(unit).expect("there"));
                assert!(x + 8 > side / 2 && y.abs_diff(side / 2) < 8, "waits at ({x}, {y})");
            }
            // A bridge is built.
            for x in side / 2..side / 2 + 3 {
                let cell = fleet.map().node(x, 3).expect("a cell");
                fleet.set(cell, 1).expect("a weight");
            }
            for tick in 0..300 {
                fleet.tick(1000);
                if tick % 50 == 3 {
                    fleet = Fleet::load(&fleet.save()).expect("what was saved");
                }
            }
            for &unit in &units {
                assert_eq!(status(&fleet, unit), UnitStatus::Arrived, "{side}, {count}");
                let (x, y) = fleet.map().xy(fleet.at(unit).expect("there"));
                assert!(x.abs_diff(side - 8) < 5 && y.abs_diff(side / 2) < 5, "arrived at ({x}, {y})");
            }
        }
    }
}

#[test]
fn without_an_index_the_nearest_cell_is_one_that_can_be_reached() {
    for side in [40, 100] {
        for budget in [60, 1000] {
            let weight = |x: u32, y: u32| {
                u8::from(!(side / 2..side / 2 + 3).contains(&x) && !(x + 2 * y).is_multiple_of(7))
            };
            let grid = Grid::new(side, side, Rules::default(), weight).expect("a valid grid");
            for grid in [grid.clone(), grid.with_corners()] {
                let mut fleet = Fleet::new(Map::without_index(grid));
                let at = fleet.map().node(3, 3).expect("a cell");
                let unit = fleet.spawn(TeamId::FIRST, at).expect("free");
                let mut goal = fleet.map().node(side - 3, side - 5).expect("a cell");
                let mut reports = 0;
                fleet.order(&[unit], Goal::at(goal));
                // A game that follows the report searches once.
                for _ in 0..3000 {
                    for event in fleet.tick(budget) {
                        if let Event::Unreachable { unit, nearest } = event {
                            let nearest = nearest.expect("its own shore");
                            let at = fleet.at(unit).expect("there");
                            let is_joined = oracle::distance(fleet.map().grid(), at, nearest).is_finite();
                            assert!(
                                nearest != goal && is_joined,
                                "{side}, {budget}: {:?}",
                                fleet.map().xy(nearest)
                            );
                            reports += 1;
                            goal = nearest;
                            fleet.order(&[unit], Goal::at(goal));
                        }
                    }
                }
                assert_eq!((reports, fleet.at(unit)), (1, Some(goal)), "{side}, {budget}");
                let (x, _) = fleet.map().xy(goal);
                assert!(
                    x + 3 > side / 2,
                    "{side}, {budget}: {:?} is far from the shore",
                    fleet.map().xy(goal)
                );
            }
        }
    }
}

/// There is not enough budget to look at all units at once.
#[test]
fn a_goal_that_is_freed_before_the_tick_is_not_reported() {
    for side in [40, 100] {
        for has_index in [true, false] {
            let grid =
                Grid::new(side, side, Rules::default(), |_, _| 1).expect("a valid grid").with_corners();
            let map = if has_index { Map::from(grid) } else { Map::without_index(grid) };
            let mut fleet = Fleet::new(map);
            let units = spawn(&mut fleet, 200);
            let goal = fleet.map().node(20, 20).expect("a cell");
            fleet.set(goal, 0).expect("a weight");
            fleet.tick(1000);
            fleet.order(&units, Goal::at(goal));
            fleet.set(goal, 1).expect("a weight");
            for tick in 0..200 {
                for event in fleet.tick(30) {
                    let is_reported = matches!(event, Event::Unreachable { .. });
                    assert!(!is_reported, "{side}, index: {has_index}: {event:?} in tick {tick}");
                }
            }
            assert!(units.iter().any(|&unit| fleet.at(unit) == Some(goal)), "{side}, index: {has_index}");
        }
    }
}

/// The time of a tick is not enough to look at all cells between a goal and the nearest one that can be reached.
#[test]
fn under_a_deadline_the_nearest_cell_is_found_all_the_same() {
    fn clock() -> u64 {
        static NOW: AtomicU64 = AtomicU64::new(0);
        NOW.fetch_add(1, Ordering::Relaxed)
    }
    for side in [60, 120] {
        for time in [0, 10, 60] {
            let map = Map::new(side, side, |x, _| x < 12 || x > side - 3).expect("a valid map");
            let mut fleet = Fleet::new(map);
            let units = spawn(&mut fleet, 150);
            let goal = fleet.map().node(side - 1, side / 2).expect("a cell");
            for &unit in &units {
                fleet.order(&[unit], Goal::at(goal));
            }
            let mut reports = vec![0; units.len()];
            for _ in 0..2000 {
                let mut meter = Meter::until(clock as Clock, clock() + time);
                for event in fleet.tick_with(&mut meter) {
                    if let Event::Unreachable { unit, nearest } = event {
                        let (x, _) = fleet.map().xy(nearest.expect("their own shore"));
                        assert_eq!(x, 11, "{side}, {time}");
                        reports[unit.index()] += 1;
                    }
                }
            }
            assert_eq!(reports, vec![1; units.len()], "{side}, {time}");
        }
    }
}
