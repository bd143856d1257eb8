//! Tests the choice of a scenario's lines.

use std::fmt::Write;

use super::{Done, Folder};

/// Returns a corridor of 40 cells, with problems of lengths 1 to 30 along it.
fn corridor() -> Folder {
    let folder = Folder::new();
    folder.file("c.map", &format!("type octile\nheight 1\nwidth 40\nmap\n{}\n", ".".repeat(40)));
    let mut scenario = String::from("version 1\n");
    for length in 1..=30 {
        writeln!(scenario, "0\tfolder/c.map\t40\t1\t5\t0\t{}\t0\t{length}", 5 + length).unwrap();
    }
    folder.file("c.map.scen", &scenario);
    folder
}

fn chosen(folder: &Folder, words: &[&str]) -> Vec<u64> {
    let rows = folder.rows(&[&["c.map"], words].concat());
    rows.iter().map(|row| row["problem"].as_u64().unwrap()).collect()
}

#[test]
fn optimal_filters_then_take_spreads() {
    let folder = corridor();
    assert_eq!(chosen(&folder, &[]), (0..30).collect::<Vec<_>>());
    assert_eq!(chosen(&folder, &["--optimal", "11..13"]), [10, 11, 12]);
    assert_eq!(chosen(&folder, &["--optimal", "28.."]), [27, 28, 29]);
    assert_eq!(chosen(&folder, &["--optimal", "..2"]), [0, 1]);
    assert_eq!(chosen(&folder, &["--take", "4"]), [0, 7, 15, 22]);
    assert_eq!(chosen(&folder, &["--optimal", "11..20", "--take", "3"]), [10, 13, 16]);
    assert_eq!(chosen(&folder, &["--optimal", "11..12", "--take", "9"]), [10, 11]);
}

#[test]
fn scenarios_are_found_beside_the_map() {
    let folder = corridor();
    std::fs::rename(folder.path("c.map.scen"), folder.path("c.scen")).unwrap();
    assert_eq!(chosen(&folder, &["--take", "1"]), [0]);
    std::fs::rename(folder.path("c.scen"), folder.path("x.scen")).unwrap();
    assert_eq!(folder.run(&["run", "c.map"]).code, Some(2));
    assert_eq!(chosen(&folder, &["--scen", "x.scen", "--take", "1"]), [0]);
}

#[test]
fn differing_lengths_cause_one_warning() {
    let folder = corridor();
    let warnings = |words: &[&str]| {
        let Done { code, err, .. } = folder
            .run(&[&["run", "c.map", "--planner", "astar", "--planner", "repeated-astar"], words].concat());
        assert_eq!(code, Some(0), "{err}");
        err
    };
    assert_eq!(warnings(&[]), "");
    let scenario = folder.read("c.map.scen");
    folder.file(
        "c.map.scen",
        &scenario.replace("\t3\n", "\t3.00001\n").replace("\t7\n", "\t7.5\n").replace("\t9\n", "\t8\n"),
    );
    let expected =
        "warning: c.map.scen:8: the stated optimal length is 7.5, ours is 7; 1 more problem differs too\n";
    assert_eq!(warnings(&[]), expected);
    // With other rules of movement other lengths are correct.
    assert_eq!(warnings(&["--diagonal", "1.5"]), "");
}

#[test]
fn random_problems_depend_on_the_seed() {
    let folder = Folder::new();
    let starts = |seed| {
        let rows = folder.rows(&["builtin:maze151", "--random", "3", "--seed", seed, "--budget", "inf"]);
        rows.iter().map(|row| row["start"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(starts("1"), starts("1"));
    assert_ne!(starts("1"), starts("2"));
}

/// `run`, an experiment's file and the library draw the same problems from the same seed, also on a map with that seed.
#[test]
fn equal_seeds_mean_equal_problems_in_runs_and_experiments() {
    let folder = Folder::new();
    let map = "maze(width=41,height=41,seed=7)";
    let ends = |row: &serde_json::Value| (row["start"].to_string(), row["goal"].to_string());
    folder.file(
        "map.toml",
        &format!("maps = [\"{map}\"]\nplanners = [\"astar\"]\nseeds = [7]\n[problems]\nrandom = 5\n"),
    );
    folder.good(&["bench", "map.toml", "-o", "out"]);
    let rows = folder.read("out/rows.jsonl");
    let bench: Vec<_> = rows.lines().map(|line| ends(&serde_json::from_str(line).unwrap())).collect();
    folder
        .good(&["map", "generate", "maze", "--width", "41", "--height", "41", "--seed", "7", "-o", "m.map"]);
    let rows = folder.rows(&["m.map", "--random", "5", "--seed", "7", "--budget", "inf", "-p", "astar"]);
    assert_eq!(rows.iter().map(ends).collect::<Vec<_>>(), bench);
    assert_eq!(bench.len(), 5);
}
