//! Tests the fleet of the page.

use fleetfoot::{Meter, Prices};
use fleetfoot_sim::generate::cave;
use fleetfoot_sim::map::GridMap;
use fleetfoot_web::troop::FleetSession;

fn tick(troop: &mut FleetSession, ticks: u32) {
    for _ in 0..ticks {
        troop.tick(&mut Meter::priced(2000, Prices::ALL_WORK));
    }
}

/// Returns the cells of all units.
fn cells(troop: &FleetSession) -> Vec<u32> {
    troop.places().into_iter().map(|place| place & 0x0fff_ffff).collect()
}

#[test]
fn units_are_scattered_ordered_and_arrive() {
    let map = cave::generate(96, 96, 2).unwrap().map;
    let mut troop = FleetSession::new(&map, false).unwrap();
    assert_eq!(troop.scatter(300, 5), 300);
    let all: Vec<u32> = (0..300).collect();
    let before = cells(&troop);
    assert_eq!(troop.order(&all[..150], (before[7] % 96, before[7] / 96)), 150);
    tick(&mut troop, 600);
    let after = cells(&troop);
    let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert!(moved >= 140, "{moved}");
    assert!(troop.tally().arrived >= 140, "{:?}", troop.tally());
    // No two units share a cell.
    let mut sorted = after.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 300);
    troop.roam(3);
    tick(&mut troop, 1);
    assert!(!troop.path(0).is_empty() || troop.summary().seeking > 0);
}

#[test]
fn walls_are_drawn_around_units_and_not_on_them() {
    let map = GridMap::from_rows(&["....", "....", "...."]).unwrap();
    let mut troop = FleetSession::new(&map, false).unwrap();
    assert_eq!(troop.scatter(2, 1), 2);
    let at = cells(&troop)[0];
    assert!(!troop.edit(at % 4, at / 4, 0).unwrap());
    let free = (0..12).find(|cell| !cells(&troop).contains(cell)).unwrap();
    assert!(troop.edit(free % 4, free / 4, 0).unwrap());
    assert_eq!(troop.weights()[free as usize], 0);
    // An order to a wall goes to the nearest free cell.
    assert_eq!(troop.order(&[0, 1, 99], (free % 4, free / 4)), 2);
    assert!(troop.edit(9, 9, 0).is_err());
    assert!(troop.edit(0, 0, 4).unwrap_err().to_string().contains("turn weights on"));
}
