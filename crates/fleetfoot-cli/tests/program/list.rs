//! What `list` says.

use serde_json::Value;

use super::Folder;

#[test]
fn every_planner_is_listed() {
    let folder = Folder::new();
    let out = folder.good(&["list"]);
    for info in fleetfoot::registry::ALGORITHMS {
        for word in [info.key, info.name, info.paper] {
            assert!(out.contains(word), "{word}");
        }
        let detail = folder.good(&["list", info.key]);
        for param in info.params {
            assert!(detail.contains(param.name) && detail.contains(param.doc), "{}", param.name);
        }
    }
}

#[test]
fn json_is_json() {
    let folder = Folder::new();
    let all: Value = serde_json::from_str(&folder.good(&["list", "--json"])).unwrap();
    let keys: Vec<_> = all.as_array().unwrap().iter().map(|info| info["key"].as_str().unwrap()).collect();
    assert_eq!(keys, fleetfoot::registry::ALGORITHMS.iter().map(|info| info.key).collect::<Vec<_>>());
    let one: Value = serde_json::from_str(&folder.good(&["list", "astar", "--json"])).unwrap();
    assert_eq!(one, all[0]);
    assert_eq!(one["facts"]["complete"], true);
    assert_eq!(one["parameters"][0]["default"], "forward");
    assert_eq!(one["parameters"][0]["values"]["one_of"][1], "backward");
}
