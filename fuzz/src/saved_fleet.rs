//! Saved fleets: forged bytes with a correct checksum, and damaged text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fleetfoot::Map;
use fleetfoot::fleet::{Fleet, FleetConfig, Goal, SavedFleet, Vision};
use serde_json::Value;

use crate::saved::{edited, with_checksum};

const SIDE: u32 = 24;
/// So small that searches take several ticks.
const BUDGET: u64 = 60;
/// The body starts with its version and the fingerprint of the map, followed by whether units collide.
const COLLISIONS: usize = 4 + 8;

/// Unmodified fleets: with and without collisions, of several ages.
static HONEST: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for collisions in [true, false] {
        let mut fleet = young(collisions);
        for tick in 0..40 {
            if [0, 1, 2, 5, 12, 39].contains(&tick) {
                all.push(serde_json::to_value(fleet.save()).expect("plain data"));
            }
            if tick == 8 {
                let door = fleet.map().node(11, 3).expect("inside");
                fleet.set(door, 0).expect("on the map");
            }
            fleet.tick(BUDGET);
        }
    }
    all
});

/// Two teams, one of them in fog, that pass through each other. Some units share a goal, and one goal is a wall.
fn young(collisions: bool) -> Fleet {
    let map = Map::new(SIDE, SIDE, |x, y| x % 12 != 11 || y % 9 == 3).expect("small");
    let mut config = FleetConfig::default();
    config.collisions = collisions;
    let mut fleet = Fleet::with(map, config);
    let fog = fleet.add_team(Vision::Radius(3)).expect("a second team");
    let mut units = Vec::new();
    for k in 0..16 {
        let team = if k % 2 == 0 { fleetfoot::fleet::TeamId::FIRST } else { fog };
        let at = fleet.map().node(k % 4, k / 4).expect("inside");
        units.push(fleet.spawn(team, at).expect("free"));
    }
    let cell = |x, y| fleet.map().node(x, y).expect("inside");
    let (camp, wall) = (cell(20, 20), cell(11, 0));
    let own: Vec<_> = (0..4).map(|k| cell(14 + k, 2)).collect();
    fleet.order(&units[..11], Goal::near(camp));
    for (unit, &goal) in units[11..15].chunks(1).zip(&own) {
        fleet.order(unit, Goal::at(goal));
    }
    fleet.order(&units[15..], Goal::at(wall));
    fleet
}

/// Saved fleets as text, and with forged content under a valid checksum. A fleet that loads can tick, can be saved
/// and loaded again, and never has two units in a cell.
///
/// The first two bytes select a fleet and the damaged part. Every seven bytes after them are one edit.
pub fn saved_fleet(data: &[u8]) {
    if let Ok(saved) = serde_json::from_slice(data) {
        live(&saved, false);
    }
    let Some((&[choice, what], edits)) = data.split_first_chunk() else { return };
    let mut value = HONEST[choice as usize % HONEST.len()].clone();
    if what.is_multiple_of(4) {
        let text = edits.chunks_exact(7).fold(value.to_string().into_bytes(), damaged);
        if let Ok(saved) = serde_json::from_slice(&text) {
            live(&saved, false);
        }
        return;
    }
    let bytes: Vec<u8> = serde_json::from_value(value["bytes"].take()).expect("we wrote it");
    // After the version, otherwise nothing else is read.
    let bytes = with_checksum(edits.chunks_exact(7).fold(bytes, |bytes, edit| edited(bytes, 4, edit)));
    let collide = bytes.get(COLLISIONS) == Some(&1);
    value["bytes"] = bytes.into();
    let saved = serde_json::from_value(value).expect("only numbers have changed");
    let loaded = live(&saved, collide);
    assert!(loaded || edits.len() >= 7, "an honest copy was refused");
}

/// Runs twenty ticks, if it loads.
fn live(saved: &SavedFleet, collide: bool) -> bool {
    let Ok(mut fleet) = Fleet::load(saved) else { return false };
    for _ in 0..20 {
        fleet.tick(BUDGET).for_each(drop);
        let cells: BTreeSet<_> = fleet.units().filter_map(|unit| fleet.at(unit)).collect();
        assert!(!collide || cells.len() == fleet.units().count(), "two units on a cell");
    }
    Fleet::load(&fleet.save()).expect("a fleet that ticks can be saved");
    true
}

/// Replaces a character of the text, mostly by a digit, since little else can be parsed.
fn damaged(mut text: Vec<u8>, edit: &[u8]) -> Vec<u8> {
    let at = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize % text.len();
    text[at] = if edit[4].is_multiple_of(8) { edit[5] } else { b'0' + edit[5] % 10 };
    text
}
