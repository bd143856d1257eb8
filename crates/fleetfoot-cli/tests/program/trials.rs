//! Tests `run --trials`.

use serde_json::{Value, json};

use super::Folder;

const WORDS: [&str; 9] =
    ["builtin:rooms100", "--world", "unknown", "--random", "4", "--seed", "3", "--budget", "30"];

fn rows(folder: &Folder, words: &[&str]) -> Vec<Value> {
    folder.rows(&[&WORDS, words].concat())
}

#[test]
fn every_trial_has_a_row_until_nothing_changes() {
    let folder = Folder::new();
    let planners = ["--planner", "repeated-astar", "--planner", "tbaa"];
    let all = rows(&folder, &[&planners[..], &["--trials", "60"]].concat());
    let mut converged = 0;
    for (k, row) in all.iter().enumerate() {
        let same =
            |other: &Value| (&other["planner"], &other["problem"]) == (&row["planner"], &row["problem"]);
        let before = k.checked_sub(1).map(|k| &all[k]).filter(|before| same(before));
        let expected = before.map_or(1, |before| before["trial"].as_u64().unwrap() + 1);
        assert_eq!((&row["trial"], &row["outcome"]), (&json!(expected), &json!("arrived")));
        let is_last = all.get(k + 1).is_none_or(|next| !same(next));
        assert_eq!(row["converged"], is_last, "it ends where it converges");
        if is_last {
            converged += 1;
            for key in ["cost", "moves", "steps", "expansions", "reversals"] {
                assert_eq!(row[key], before.unwrap()[key], "{key}");
            }
            assert!(row["planner"] == "tbaa" || row["ratio"] == 1.0, "what A* has explored it knows: {row}");
        }
    }
    assert_eq!(converged, 8);
    let first: Vec<_> = all.iter().filter(|row| row["trial"] == 1).collect();
    for (trial, alone) in first.iter().zip(rows(&folder, &planners)) {
        assert_eq!((&trial["cost"], &trial["expansions"]), (&alone["cost"], &alone["expansions"]));
        assert_eq!((&alone["trial"], &alone["converged"]), (&json!(null), &json!(null)));
    }
}

#[test]
fn trials_end_when_there_have_been_enough() {
    let folder = Folder::new();
    let some = rows(&folder, &["--trials", "2", "--threads", "1"]);
    assert_eq!(some.len(), 8);
    assert!(some.iter().all(|row| row["converged"] == false));
    let order: Vec<_> = some.iter().map(|row| (row["problem"].as_u64(), row["trial"].as_u64())).collect();
    assert_eq!(order[..3], [(Some(0), Some(1)), (Some(0), Some(2)), (Some(1), Some(1))]);
    let timed = folder.rows(&["builtin:corner40", "--trials", "2", "--interval", "1ms"]);
    assert!(timed[0]["overruns"].is_u64() && timed[0]["trial"] == 1);
    let out = folder.good(&[&["run"], &WORDS[..], &["--trials", "2", "--format", "csv"]].concat());
    assert!(out.lines().next().unwrap().contains(",prices,seed,trial,converged,outcome,"), "{out}");
    assert!(out.lines().nth(2).unwrap().contains(",all,3,2,false,arrived,"), "{out}");
}

#[test]
fn the_table_goes_trial_by_trial() {
    let folder = Folder::new();
    let out = folder.good(&[&["run"], &WORDS[..], &["-p", "tbaa", "--trials", "60"]].concat());
    let lines: Vec<Vec<&str>> = out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|w: &Vec<_>| w.first() == Some(&"tbaa"))
        .collect();
    let (first, last) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((first[2], first[3], last[3]), ("1", "0/4", "4/4"), "{out}");
    assert_eq!(last[2], lines.len().to_string());
    let ratio = |line: &[&str]| line[5].parse::<f64>().unwrap();
    assert!(ratio(last) < ratio(first), "{out}");
    assert!(out.contains("trial  converged  arrived   ratio  steps  expanded"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
}

#[test]
fn worlds_that_change_have_no_trials() {
    let folder = Folder::new();
    folder.file("a.map", super::SMALL);
    folder.file("door.script", "fleetfoot-script 1\nsize 8 4\n30 open 6 3\n");
    let words =
        ["run", "a.map", "--from", "0,0", "--to", "5,3", "--world", "dynamic(door.script)", "--trials", "3"];
    let done = folder.run(&words);
    assert_eq!(done.code, Some(2));
    assert!(done.err.starts_with("error: trials need a static world"), "{}", done.err);
}
