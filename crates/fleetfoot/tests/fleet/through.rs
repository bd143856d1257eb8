//! Units that walk through each other: their speeds, and walls that are built on several of them.

use fleetfoot::fleet::{Event, Fleet, FleetConfig, Goal, Speed, TeamId, UnitId, UnitStatus, Vision};
use fleetfoot::{Map, NodeId};

/// Returns a fleet without collisions on open ground. Maps of more than 4,096 free cells have routes instead of rows of distances.
fn open(side: u32) -> Fleet {
    let mut config = FleetConfig::default();
    config.collisions = false;
    Fleet::with(Map::new(side, side, |_, _| true).expect("a valid map"), config)
}

fn cell(fleet: &Fleet, x: u32, y: u32) -> NodeId {
    fleet.map().node(x, y).expect("a cell")
}

#[test]
fn slow_units_without_collisions_move_as_often_as_their_speed_says() {
    for side in [60, 90] {
        let mut fleet = open(side);
        let speeds =
            [Speed::EveryTicks(10), Speed::EveryTicks(3), Speed::Hundredths(25), Speed::EveryTicks(1)];
        let units: Vec<UnitId> = (0..4)
            .map(|y| {
                let at = cell(&fleet, 2, 2 + y);
                fleet.spawn(TeamId::FIRST, at).expect("free")
            })
            .collect();
        for (y, (&unit, speed)) in (0..).zip(units.iter().zip(speeds)) {
            fleet.set_speed(unit, speed).expect("there");
            let goal = cell(&fleet, 50, 2 + y);
            fleet.order(&[unit], Goal::at(goal));
        }
        for tick in 0..40 {
            fleet.tick(1000);
            if tick == 17 {
                fleet = Fleet::load(&fleet.save()).expect("what was saved");
            }
        }
        let gone: Vec<u32> =
            units.iter().map(|&unit| fleet.map().xy(fleet.at(unit).expect("there")).0 - 2).collect();
        assert_eq!(gone, [4, 14, 10, 40], "{side}");
    }
}

#[test]
fn every_unit_on_a_cell_that_is_freed_is_dug_out() {
    for side in [30, 90] {
        for vision in [Vision::All, Vision::Radius(5)] {
            let mut fleet = open(side);
            let team = fleet.add_team(vision).expect("a team");
            let (at, goal) = (cell(&fleet, 3, 3), cell(&fleet, 20, 20));
            let units = [0; 5].map(|_| fleet.spawn(team, at).expect("free"));
            fleet.order(&units, Goal::at(goal));
            fleet.set(at, 0).expect("on the map");
            let buried: Vec<Event> = (0..3).flat_map(|_| fleet.tick(1000)).collect();
            assert_eq!(buried, units.map(|unit| Event::Buried { unit }), "{side}, {vision:?}");
            fleet.set(at, 1).expect("on the map");
            assert!(
                units.iter().all(|&unit| fleet.status(unit) != Some(UnitStatus::Buried)),
                "{side}, {vision:?}"
            );
            for _ in 0..60 {
                fleet.tick(1000);
            }
            assert!(units.iter().all(|&unit| fleet.at(unit) == Some(goal)), "{side}, {vision:?}");
        }
    }
}
