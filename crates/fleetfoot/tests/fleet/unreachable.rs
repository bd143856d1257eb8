//! Goals that cannot be reached: what is reported of them, and what units do when the map opens a way.

use fleetfoot::fleet::{Event, Fleet, Goal, TeamId, UnitId};
use fleetfoot::{Grid, Map, NodeId, Rules};
use fleetfoot_testkit::oracle;

fn spawn(fleet: &mut Fleet, count: u32) -> Vec<UnitId> {
    let cells: Vec<NodeId> = (0..count).filter_map(|k| fleet.map().node(2 + k % 8, 5 + k / 8)).collect();
    cells.iter().map(|&at| fleet.spawn(TeamId::FIRST, at).expect("a free cell")).collect()
}

#[test]
fn without_an_index_the_nearest_cell_is_one_that_can_be_reached() {
    for side in [40, 100] {
        for budget in [60, 1000] {
            let weight =
                |x: u32, y: u32| u8::from(!(side / 2..side / 2 + 3).contains(&x) && (x + 2 * y) % 7 != 0);
            let grid = Grid::new(side, side, Rules::default(), weight).expect("a valid grid");
            for grid in [grid.clone(), grid.with_corners()] {
                let mut fleet = Fleet::new(Map::without_index(grid));
                let at = fleet.map().node(3, 3).expect("a cell");
                let unit = fleet.spawn(TeamId::FIRST, at).expect("free");
                let mut goal = fleet.map().node(side - 3, side - 5).expect("a cell");
                let mut reports = 0;
                fleet.order(&[unit], Goal::at(goal));
                // A game that follows what it is told searches once.
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
