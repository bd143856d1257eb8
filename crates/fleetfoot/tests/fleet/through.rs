//! Units that walk through each other.

use fleetfoot::fleet::{Fleet, FleetConfig, Goal, Speed, TeamId, UnitId};
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
