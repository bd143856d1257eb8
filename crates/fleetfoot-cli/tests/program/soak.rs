//! `soak`: random worlds, judged.

use serde_json::Value;

use super::Folder;

#[test]
fn a_soak_reports_what_it_did_and_goes_on() {
    let folder = Folder::new();
    let out = folder.good(&["soak", "--cases", "6", "--seed", "5", "--threads", "1", "-o", "soak.json"]);
    assert!(out.starts_with("6 cases of seed 5") && out.contains("0 failed"), "{out}");
    let out = folder.good(&["soak", "--cases", "9", "--seed", "5", "-o", "soak.json", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["cases"], &report["failures"]), (&9.into(), &Value::Array(Vec::new())));
    let tally = &report["tally"];
    assert_eq!(tally["fleets"].as_u64().unwrap() + tally["agents"].as_u64().unwrap(), 9);
    let journal: Value = serde_json::from_str(&folder.read("soak.json")).unwrap();
    assert_eq!(journal, report);
}

#[test]
fn a_case_runs_alone() {
    let case = "agent seed=1 map=field size=9x9 moves=8 diagonal=sqrt2 weights=1 index=full span=1 ticks=0 budget=50 \
                edits=0..0 acts=0..0 saves=0..0 planner=tba sight=0 all-work=yes";
    let folder = Folder::new();
    let out = folder.good(&["soak", "--case", case]);
    assert!(out.contains("cases of agents"), "{out}");
    let bad = folder.run(&["soak", "--case", "agent seed=1"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("`map=`"), "{}", bad.err);
    let both = folder.run(&["soak", "--case", case, "--deadline", "1ms"]);
    assert_eq!(both.code, Some(2));
}

#[test]
fn the_soak_has_help_and_is_hidden() {
    let folder = Folder::new();
    assert!(folder.good(&["help", "soak"]).contains("referee"));
    assert!(!folder.good(&["-h"]).contains("soak"));
}
