//! Tests `list`.

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
        assert!(!info.facts.proves_no_path || out.contains("proves no path"), "what is promised is listed");
        let detail = folder.good(&["list", info.key]);
        assert!(detail.lines().all(|line| line.chars().count() <= 100), "{detail}");
        let detail = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        for param in info.params {
            assert!(detail.contains(param.name) && detail.contains(param.doc), "{}", param.name);
        }
    }
}

#[test]
fn the_list_fits_a_terminal_and_shows_properties() {
    let out = Folder::new().good(&["list"]);
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    for info in fleetfoot::registry::ALGORITHMS {
        let mut lines = out.lines().skip_while(|line| !line.starts_with(&format!("{} ", info.key)));
        let promises = lines.nth(1).unwrap();
        for (name, holds) in [
            ("bounded", info.facts.bounded),
            ("complete", info.facts.complete),
            ("proves no path", info.facts.proves_no_path),
            ("optimal", info.facts.optimal),
            ("unknown", info.facts.unknown_terrain),
            ("rising", info.facts.rising_costs),
            ("falling", info.facts.falling_costs),
        ] {
            assert_eq!(promises.contains(name), holds, "{}: {promises}", info.key);
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
    let listed = all.as_array().unwrap().iter().find(|info| info["key"] == "astar");
    assert_eq!(Some(&one), listed);
    assert_eq!(one["facts"]["complete"], true);
    assert_eq!(one["parameters"][0]["default"], "forward");
    assert_eq!(one["parameters"][0]["values"]["one_of"][1], "backward");
}
