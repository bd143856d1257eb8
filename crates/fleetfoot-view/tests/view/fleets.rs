//! Checks that records of fleets are true and small, and that damaged files are refused.

use fleetfoot::Rules;
use fleetfoot_sim::fleet::{FleetLimits, FleetRun, Ground, Scenario};
use fleetfoot_sim::generate::builtin;
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::world::WorldSpec;
use fleetfoot_view::fleet::{FleetRecord, FleetRecorder, FleetScene, UnitColors, gif, png};
use fleetfoot_view::{Record, html};

/// A unit as the run shows it: cell, goal, blocking unit, and waypoints.
type Seen = (Option<u32>, Option<u32>, Option<u32>, Vec<u32>);

fn map() -> GridMap {
    builtin::find("rooms100").unwrap().make().unwrap().map
}

/// Records a run. Returns the record, and every unit after every tick.
fn recorded(scenario: Scenario, units: usize, world: &WorldSpec) -> (FleetRecord, Vec<Vec<Seen>>) {
    let map = map();
    let ground = Ground::load(&map, Rules::default(), world).unwrap();
    let muster = scenario.muster(&map, units, 1).unwrap();
    let mut run =
        FleetRun::new(&ground, &muster, &FleetLimits { ticks: 300, ..FleetLimits::default() }).unwrap();
    let scene = FleetScene {
        map_name: "rooms",
        map: &map,
        world: "known",
        rules: "8 moves",
        fleet: scenario.name(),
        budget: "10000",
    };
    let mut recorder = FleetRecorder::new(&scene, &run);
    let mut seen = Vec::new();
    while let Some(row) = run.tick() {
        recorder.note(&run, &row);
        let fleet = run.fleet();
        let cell = |n| fleet.map().xy(n).1 * map.width() + fleet.map().xy(n).0;
        let unit = |k: usize| {
            let id = run.id(k);
            let by = fleet.blocked_by(id).map(|by| by.index() as u32);
            (run.at(k).map(cell), run.goal(k).map(cell), by, fleet.corners_ahead(id).map(cell).collect())
        };
        seen.push((0..run.len()).map(unit).collect());
    }
    (recorder.finish(), seen)
}

#[test]
fn a_record_is_true() {
    for scenario in [Scenario::Swarm, Scenario::Patrol, Scenario::Evacuate] {
        let (record, seen) = recorded(scenario, 60, &WorldSpec::Known);
        assert_eq!(record.meta().ticks, seen.len() as u64);
        let again = FleetRecord::from_bytes(&record.to_bytes()).unwrap();
        assert_eq!(again.to_bytes(), record.to_bytes());
        let page = html::fleet_page(&record);
        assert!(FleetRecord::is_one(page.as_bytes()));
        assert_eq!(FleetRecord::from_bytes(page.as_bytes()).unwrap().to_bytes(), record.to_bytes());
        let mut player = again.play();
        for (tick, units) in seen.iter().enumerate() {
            assert!(player.advance().unwrap());
            for (k, ((at, goal, by, way), played)) in units.iter().zip(player.units()).enumerate() {
                let what = format!("{scenario}, tick {tick}, unit {k}");
                assert_eq!(*at, (!played.is_gone()).then_some(played.at), "{what}");
                if at.is_some() {
                    assert_eq!((*goal, way.as_slice()), (played.goal, played.way()), "{what}");
                    assert!(played.by.is_none() || played.by == *by, "{what}");
                }
            }
        }
        assert!(!player.advance().unwrap());
    }
}

#[test]
fn a_record_shows_what_has_been_seen_and_takes_no_byte_for_it() {
    let map = map();
    let known = recorded(Scenario::Swarm, 20, &WorldSpec::Known).0;
    assert!(known.play().seen().iter().all(|seen| *seen));
    for share in [true, false] {
        let world: WorldSpec = "unknown(radius=5)".parse().unwrap();
        let ground = Ground::load(&map, Rules::default(), &world).unwrap();
        let muster = Scenario::Evacuate.muster(&map, 20, 1).unwrap();
        let terms = FleetLimits { ticks: 300, share, ..FleetLimits::default() };
        let mut run = FleetRun::new(&ground, &muster, &terms).unwrap();
        let (rules, fleet, budget) = ("8 moves", "evacuate", "10000");
        let scene = FleetScene { map_name: "rooms", map: &map, world: "unknown", rules, fleet, budget };
        let mut recorder = FleetRecorder::new(&scene, &run);
        let teams: Vec<_> = (0..run.len()).map(|k| run.fleet().team(run.id(k)).unwrap()).collect();
        let mut seen: Vec<Vec<bool>> = Vec::new();
        while let Some(row) = run.tick() {
            recorder.note(&run, &row);
            let fleet = run.fleet();
            let is_seen =
                |x, y| teams.iter().any(|&team| fleet.has_seen(team, fleet.map().node(x, y).unwrap()));
            let cells = (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y)));
            seen.push(cells.map(|(x, y)| is_seen(x, y)).collect());
        }
        let record = FleetRecord::from_bytes(&recorder.finish().to_bytes()).unwrap();
        assert_eq!((record.meta().sight, record.meta().alone), (Some(5), !share));
        let mut player = record.play();
        assert!(!player.seen().contains(&true));
        for (tick, seen) in seen.iter().enumerate() {
            assert!(player.advance().unwrap());
            assert!(player.seen() == seen, "tick {}, share {share}", tick + 1);
        }
        let (some, all) = (player.seen().iter().filter(|seen| **seen).count(), player.seen().len());
        assert!(all / 10 < some && some < all, "{some} of {all}");
        assert!(
            png(&record, Some(3), 300, UnitColors::Status).unwrap()
                != png(&known, Some(3), 300, UnitColors::Status).unwrap()
        );
    }
}

#[test]
fn a_record_takes_little_room() {
    let (record, seen) = recorded(Scenario::Swarm, 200, &WorldSpec::Known);
    let bytes = record.to_bytes().len() - 3000;
    let moments = 200 * seen.len();
    assert!(bytes * 2 < moments, "{bytes} bytes for {moments} units and ticks");
}

#[test]
fn pictures() {
    let (record, _) = recorded(Scenario::Evacuate, 40, &WorldSpec::Known);
    for tick in [Some(0), Some(10), None] {
        assert!(png(&record, tick, 300, UnitColors::Status).unwrap().starts_with(b"\x89PNG"));
    }
    assert!(gif(&record, 5, 101, UnitColors::Heading).unwrap().starts_with(b"GIF89a"));
    let by = |colors| png(&record, Some(3), 300, colors).unwrap();
    assert!(by(UnitColors::Status) != by(UnitColors::Heading));
    let error = png(&record, Some(10_000), 300, UnitColors::Status).unwrap_err().to_string();
    assert!(error.starts_with("the record has no tick 10000; choose one from 0 to"), "{error}");
}

#[test]
fn refuses_damaged_and_foreign_records() {
    let (record, _) = recorded(Scenario::Rally, 10, &WorldSpec::Known);
    let bytes = record.to_bytes();
    assert!(Record::from_bytes(&bytes).is_err());
    for length in (0..bytes.len()).step_by(97) {
        assert!(FleetRecord::from_bytes(&bytes[..length]).is_err());
        assert!(!FleetRecord::is_one(&bytes[..length]));
    }
    for place in (12..bytes.len()).step_by(31) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x10;
        assert!(FleetRecord::from_bytes(&changed).is_err(), "byte {place}");
    }
    // Changes under the checksums are refused, or the record can be played to its end.
    for byte in 0..60 {
        for section in 0..8 {
            if let Ok(record) = record.damaged(&vec![(section, byte * 47, 3)]) {
                png(&record, None, 64, UnitColors::Heading).unwrap();
            }
        }
    }
}
