//! Tests `fleetfoot fleet`: scenarios, files, measures, and unusable input.

use serde_json::Value;

use super::bad_input::refused;
use super::{Folder, SMALL};

const KEYS: [&str; 21] = [
    "agents",
    "ticks",
    "finished",
    "finished_by_quarter",
    "arrived",
    "unreachable",
    "stuck",
    "conflicts",
    "first_move_p50",
    "first_move_p99",
    "first_move_max",
    "work_max",
    "budget",
    "prices",
    "plan_us_p50",
    "plan_us_p99",
    "plan_us_max",
    "ratio",
    "waits",
    "left_out",
    "memory_bytes",
];

fn object(folder: &Folder, words: &[&str]) -> Value {
    let out = folder.good(&[&["fleet"], words, &["--format", "json"]].concat());
    assert_eq!(out.lines().count(), 1, "{out}");
    let object: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    object
}

fn number(object: &Value, key: &str) -> u64 {
    object[key].as_u64().unwrap_or_else(|| panic!("{key}: {object}"))
}

/// Removes what depends on the machine.
fn timeless(mut object: Value) -> Value {
    for key in ["plan_us_p50", "plan_us_p99", "plan_us_max"] {
        assert!(object[key].as_f64().unwrap() > 0.0);
        object[key] = Value::Null;
    }
    object
}

#[test]
fn every_scenario_keeps_the_rules() {
    let folder = Folder::new();
    let cases: [(&str, &str, &str); 7] = [
        ("swarm", "builtin:rooms100", "60"),
        ("cross", "builtin:crossing", "24"),
        ("streams", "builtin:passage2", "20"),
        ("doorway", "builtin:doorway", "30"),
        ("patrol", "builtin:rooms100", "30"),
        ("evacuate", "builtin:rooms100", "40"),
        ("rally", "builtin:rooms100", "40"),
    ];
    for (scenario, map, agents) in cases {
        let words = [map, "--scenario", scenario, "--agents", agents, "--max-ticks", "1500", "--seed", "3"];
        let found = object(&folder, &words);
        assert_eq!(number(&found, "conflicts"), 0, "{scenario}");
        assert_eq!(number(&found, "agents").to_string(), agents);
        assert_eq!(number(&found, "unreachable"), 0, "{scenario}");
        assert!(number(&found, "work_max") <= number(&found, "budget"), "{scenario}: {found}");
        let quarters = found["finished_by_quarter"].as_array().unwrap();
        assert_eq!(quarters.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), number(&found, "finished"));
        if scenario == "patrol" {
            assert_eq!(number(&found, "ticks"), 1500);
            assert!(number(&found, "finished") > 100, "{found}");
        } else {
            assert_eq!(number(&found, "arrived").to_string(), agents, "{scenario}: {found}");
            assert_eq!(number(&found, "finished").to_string(), agents, "{scenario}: {found}");
        }
        assert!(found["ratio"].as_f64().unwrap() >= 1.0, "{scenario}: {found}");
        assert!(number(&found, "first_move_p50") >= 1);
        assert_eq!(timeless(found), timeless(object(&folder, &words)), "{scenario}: the same again");
    }
}

#[test]
fn worlds_moves_and_switches() {
    let folder = Folder::new();
    let base = ["builtin:rooms100", "--agents", "20", "--max-ticks", "2000"];
    let with = |more: &[&str]| object(&folder, &[&base, more].concat());
    let known = with(&[]);
    let foggy = with(&["--world", "unknown(radius=7)"]);
    assert_eq!(number(&foggy, "arrived"), 20, "{foggy}");
    assert!(foggy["ratio"].as_f64() > known["ratio"].as_f64(), "{foggy} {known}");
    let alone = with(&["--world", "unknown(radius=7)", "--no-share"]);
    assert_eq!(number(&alone, "arrived"), 20, "{alone}");
    assert!(number(&alone, "memory_bytes") > number(&foggy, "memory_bytes"), "a map each: {alone} {foggy}");
    assert_eq!(number(&with(&["--moves", "4"]), "conflicts"), 0);
    let through = with(&["--no-collisions"]);
    assert_eq!((number(&through, "arrived"), number(&through, "stuck")), (20, 0), "{through}");
    let timed = with(&["--interval", "1ms"]);
    assert_eq!(timed["budget"], "1ms");
    assert_eq!(with(&["--budget", "inf"])["budget"], "inf");
    assert_eq!(with(&["--budget", "1"])["budget"], 1);
    folder.good(&["world", "doors", "builtin:doors100", "--ticks", "300", "-o", "doors.script"]);
    let doors = object(
        &folder,
        &["builtin:doors100", "--agents", "20", "--max-ticks", "400", "--world", "dynamic(doors.script)"],
    );
    assert_eq!(number(&doors, "conflicts"), 0, "{doors}");
}

#[test]
fn tasks_one_after_the_other() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("a.agents", "2\n0\n24\n");
    folder.file("a.tasks", "5\n5\n24\n0\n29\n3\n");
    let words = ["a.map", "--lifelong", "a.agents", "a.tasks", "--moves", "4", "--max-ticks", "200"];
    let found = object(&folder, &words);
    assert_eq!((number(&found, "agents"), number(&found, "ticks")), (2, 200));
    // Unit 0 walks 5 cells and then about 8 from task to task; unit 1 begins at its first task.
    assert!(number(&found, "finished") > 20, "{found}");
    assert_eq!(number(&found, "conflicts"), 0);
    let first = object(&folder, &[&words[..], &["--agents", "1"]].concat());
    assert_eq!(number(&first, "agents"), 1);
    let one = object(
        &folder,
        &["a.map", "--lifelong", "a.agents", "a.tasks", "--agents", "1", "--max-ticks", "5", "--moves", "4"],
    );
    assert_eq!(
        (number(&one, "finished"), number(&one, "arrived")),
        (1, 1),
        "five moves to the first task: {one}"
    );
    assert!((one["ratio"].as_f64().unwrap() - 1.0).abs() < 1e-9);
}

#[test]
fn problems_of_a_scenario_file() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    // The second has a blocked goal, the third one a goal in another component.
    folder.file(
        "a.scen",
        "version 1\n0\ta.map\t8\t4\t0\t0\t5\t0\t5\n0\ta.map\t8\t4\t0\t2\t1\t1\t1\n0\ta.map\t8\t4\t0\t3\t7\t3\t1\n",
    );
    let found = object(&folder, &["a.map", "--scen", "a.scen"]);
    assert_eq!(
        (number(&found, "agents"), number(&found, "arrived"), number(&found, "unreachable")),
        (3, 1, 2)
    );
    assert_eq!(number(&found, "stuck"), 0);
    let found = object(&folder, &["a.map", "--scen", "a.scen", "--agents", "1"]);
    assert_eq!((number(&found, "agents"), number(&found, "ticks")), (1, 5));
}

#[test]
fn a_table_a_row_per_tick_and_plots() {
    let folder = Folder::new();
    let words = ["fleet", "--scenario", "cross", "--agents", "20", "--csv", "ticks.csv", "--plots", "plots"];
    let table = folder.good(&words);
    for part in ["builtin:crossing: 44x44", "20 units, scenario cross", "arrived", "20 of 20", "conflicts"] {
        assert!(table.contains(part), "{table}");
    }
    let csv = folder.read("ticks.csv");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("tick,moved,waiting,seeking,arrived,finished,conflicts,work,plan_us,left_out")
    );
    // All columns except the last: a time, and what depends on it.
    let row = |line: &str| line.split(',').take(8).map(|word| word.parse().unwrap()).collect();
    let rows: Vec<Vec<u64>> = lines.map(row).collect();
    assert!(rows.len() > 20 && rows.iter().zip(1..).all(|(row, tick)| row[0] == tick));
    assert_eq!(rows.iter().map(|row| row[5]).sum::<u64>(), 20);
    assert_eq!(rows.last().unwrap()[4], 20);
    for name in ["frame-time", "work", "moving", "waiting"] {
        assert!(folder.read(&format!("plots/{name}.svg")).starts_with("<svg"), "{name}");
    }
    folder.good(&["fleet", "--scenario", "cross", "--agents", "4", "-o", "cross.json"]);
    assert!(folder.read("cross.json").starts_with("{\"agents\":4,"));
}

#[test]
fn unusable_input_is_refused() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("one.agents", "1\n0\n");
    folder.file("one.tasks", "1\n5\n");
    let fleet = |words: &[&str], parts: &[&str]| refused(&folder, &[&["fleet"], words].concat(), parts);
    fleet(&["no.map"], &["no.map: cannot read"]);
    fleet(&["a.map", "--agents", "0"], &["at least 1"]);
    fleet(&["a.map", "--agents", "22"], &["22 units do not fit", "ask for fewer units"]);
    fleet(&["a.map", "--agents", "20", "--scenario", "streams"], &["no room to pass", "ask for fewer units"]);
    fleet(&["a.map", "--scenario", "swam"], &["no scenario `swam`", "did you mean `swarm`"]);
    fleet(&["a.map", "--budget", "0"], &["not a budget", "at least 1"]);
    fleet(&["a.map", "--agents", "1", "--interval", "1"], &["such as 500us"]);
    fleet(&["a.map", "--agents", "1", "--world", "partial"], &["a fleet knows the whole map", "use known"]);
    fleet(&["a.map", "--agents", "1", "--csv", "no/such.csv"], &["no/such.csv", "create the folder first"]);
    fleet(&["a.map", "--agents", "1", "--csv", "a.map"], &["read by the same command"]);
    fleet(
        &["a.map", "--agents", "1", "--plots", "a.map"],
        &["a.map: this is a file, not a folder; name a folder"],
    );
    fleet(
        &["a.map", "--agents", "1", "--plots", "a.map/p"],
        &["a.map: this is a file, not a folder for the output"],
    );
    let lost = "would be written to this file, and one of them be lost; name a file for each";
    fleet(&["a.map", "--agents", "1", "-o", "x", "--csv", "./x"], &["./x: two outputs", lost]);
    fleet(
        &["a.map", "--agents", "1", "--csv", "x.html", "--replay", "x.html"],
        &["x.html: two outputs", lost],
    );
    fleet(&["a.map", "--agents", "1", "--plots", "p", "--csv", "p/work.svg"], &["p/work.svg"]);
    fleet(&["a.map", "--agents", "1", "--plots", ".", "--csv", "work.svg"], &["work.svg: two outputs", lost]);
    fleet(&["--lifelong", "one.agents", "one.tasks"], &["MAP"]);
    fleet(&["a.map", "--lifelong", "one.agents"], &["2 values required"]);
    fleet(&["a.map", "--lifelong", "no.agents", "one.tasks"], &["no.agents: cannot read"]);
    fleet(
        &["a.map", "--lifelong", "one.agents", "one.tasks", "--scenario", "swarm"],
        &["cannot be used with"],
    );
    let lists = [
        ("agents", "2\n0\n0\n", "bad.agents:3: two units begin in (0, 0), as in line 2; give each"),
        ("agents", "1\n9\n", "bad.agents:2: the start (1, 1) is blocked ('@'); choose"),
        ("agents", "1\n32\n", "bad.agents:2: cell 32 is outside the 8x4 map"),
        ("agents", "0\n", "bad.agents: there are no units; list at least one"),
        ("agents", "3\n0\n", "bad.agents:2: the file ends after 1 cells"),
        ("tasks", "0\n", "bad.tasks: there are no tasks"),
        ("tasks", "1\nhere\n", "bad.tasks:2: the cell \"here\" is not a whole number"),
        ("tasks", "", "bad.tasks: the file is empty"),
    ];
    for (kind, text, expected) in lists {
        let name = format!("bad.{kind}");
        folder.file(&name, text);
        let files = if kind == "agents" { [&*name, "one.tasks"] } else { ["one.agents", &*name] };
        fleet(&["a.map", "--lifelong", files[0], files[1]], &[expected]);
    }
    fleet(
        &["a.map", "--lifelong", "one.agents", "one.tasks", "--agents", "2"],
        &["1 units, and 2 units are asked"],
    );
    let scens = [
        ("0\ta.map\t8\t4\t1\t1\t0\t0\t1", "a.scen:2: the start (1, 1) is blocked"),
        ("0\ta.map\t8\t4\t0\t0\t9\t0\t1", "a.scen:2: the goal (9, 0) is outside the map"),
        ("0\tb.map\t8\t4\t0\t0\t1\t0\t1", "a.scen:2: the problem is for map \"b.map\""),
        (
            "0\ta.map\t8\t4\t0\t0\t1\t0\t1\n0\ta.map\t8\t4\t0\t0\t2\t0\t1",
            "a.scen:3: two units begin in (0, 0), as in line 2",
        ),
        ("", "a.scen: there are no problems"),
    ];
    for (line, expected) in scens {
        folder.file("a.scen", &format!("version 1\n{line}\n"));
        fleet(&["a.map", "--scen", "a.scen"], &[expected]);
    }
    folder.file("rule.script", "fleetfoot-script 2\nsize 8 4\nrule shut-near 3 0 radius 2 ticks 9\n");
    fleet(
        &["a.map", "--agents", "1", "--world", "dynamic(rule.script)"],
        &["rule.script: the script has doors that answer to a single agent"],
    );
}
