//! Experiments in TOML, with the specs of maps and worlds in them.

use std::path::Path;

use fleetfoot::registry::Spec;
use fleetfoot_lab::experiment::parse;
use fleetfoot_lab::places::{Files, MapSource, Scene};

/// Accepted experiments have runs, and the map, world and planner of each are the same after being written and read
/// again.
pub fn experiment(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if is_large(text) {
        return;
    }
    let nowhere = Path::new("/nowhere");
    let Ok(plan) = parse(text, nowhere, "fuzz") else { return };
    assert!(!plan.jobs().is_empty());
    for job in plan.jobs().iter().take(20) {
        let (map, scene) = (job.place.map.to_string(), job.place.scene.to_string());
        assert_eq!(MapSource::parse(&map, nowhere).expect("we wrote it"), job.place.map);
        assert_eq!(Scene::parse(&scene, &Files::at(nowhere)).expect("we wrote it"), job.place.scene);
        assert_eq!(job.spec.to_string().parse::<Spec>().expect("we wrote it"), job.spec);
    }
}

/// Numbers above 99 create maps and lists that take long, which is not a fault.
fn is_large(text: &str) -> bool {
    let mut digits = 0;
    text.len() > 2000
        || text.bytes().any(|byte| {
            digits = if byte.is_ascii_digit() || byte == b'_' { digits + 1 } else { 0 };
            digits > 2
        })
}
