//! Tests the output of `run`.

use serde_json::{Value, json};

use super::{Folder, SMALL};

/// The columns of all rows, which are those of `run`, `bench` and `reproduce`.
const KEYS: [&str; 65] = [
    "index",
    "run",
    "label",
    "map",
    "world",
    "rules",
    "problem",
    "start",
    "goal",
    "planner",
    "budget",
    "prices",
    "seed",
    "trial",
    "converged",
    "outcome",
    "optimal",
    "optimal_straight",
    "optimal_diagonal",
    "cost",
    "cost_straight",
    "cost_diagonal",
    "ratio",
    "moves",
    "waits",
    "steps",
    "first_move",
    "episodes",
    "working",
    "expansions",
    "expansions_per_move",
    "max_expansions",
    "learn",
    "trace",
    "refresh",
    "change",
    "climb",
    "compare",
    "rhs",
    "scan",
    "max_work",
    "open_max",
    "closed_max",
    "memory_bytes",
    "prepared_bytes",
    "links",
    "links_longer",
    "links_excess",
    "h_states",
    "updates",
    "h_increase",
    "reversals",
    "revisits",
    "walk",
    "strayed",
    "astar_expansions",
    "astar_difficulty",
    "astar_moves",
    "plan_ns_total",
    "plan_ns_p50",
    "plan_ns_p99",
    "plan_ns_max",
    "overruns",
    "prepared_s",
    "core_share",
];

fn keys(row: &Value) -> Vec<&str> {
    row.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Removes what differs between repeated runs.
fn timeless(mut row: Value) -> Value {
    row.as_object_mut().unwrap().retain(|key, _| !key.starts_with("plan_ns_"));
    row
}

#[test]
fn rows_have_their_keys_in_order() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    let words = ["a.map", "--from", "0,0", "--to", "4,3", "--budget", "2,inf", "--planner", "astar"];
    let rows = folder.rows(&words);
    assert_eq!(rows.len(), 2);
    assert_eq!(keys(&rows[0]), KEYS);
    let row = &rows[0];
    assert_eq!((&row["map"], &row["problem"]), (&json!("a.map"), &json!(0)));
    assert_eq!((&row["start"], &row["goal"]), (&json!([0, 0]), &json!([4, 3])));
    assert_eq!(
        (&row["planner"], &row["budget"], &row["world"]),
        (&json!("astar"), &json!("2"), &json!("known"))
    );
    assert_eq!(
        (&row["outcome"], &row["ratio"], &row["max_expansions"]),
        (&json!("arrived"), &json!(1.0), &json!(2))
    );
    assert_eq!(row["max_work"], 2.0);
    assert_eq!(row["steps"].as_u64(), row["moves"].as_u64().zip(row["waits"].as_u64()).map(|(m, w)| m + w));
    assert_eq!(
        (&rows[1]["budget"], &rows[1]["first_move"], &rows[1]["waits"]),
        (&json!("inf"), &json!(1), &json!(0))
    );
    let length = 5.0 + std::f64::consts::SQRT_2;
    assert!((row["optimal"].as_f64().unwrap() - length).abs() < 1e-9, "{}", row["optimal"]);
    assert_eq!(row["optimal"], row["cost"]);
}

#[test]
fn nothing_to_walk_and_nowhere_to_get() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    let there = &folder.rows(&["a.map", "--from", "3,3", "--to", "3,3"])[0];
    assert_eq!((&there["cost"], &there["ratio"], &there["steps"]), (&json!(0.0), &json!(1.0), &json!(0)));
    assert_eq!((&there["outcome"], &there["optimal"]), (&json!("arrived"), &json!(0.0)));
    let nowhere = &folder.rows(&["a.map", "--from", "0,0", "--to", "7,3"])[0];
    assert_eq!(
        (&nowhere["outcome"], &nowhere["optimal"], &nowhere["ratio"]),
        (&json!("no-path"), &json!(null), &json!(null))
    );
    let late = &folder.rows(&["builtin:corner40", "--budget", "10", "--max-ticks", "5"])[0];
    assert_eq!(
        (&late["outcome"], &late["ratio"], &late["steps"]),
        (&json!("gave-up"), &json!(null), &json!(5))
    );
}

#[test]
fn intervals_count_overruns() {
    let folder = Folder::new();
    for clock in ["wall", "cpu"] {
        let rows = folder.rows(&["builtin:corner40", "--interval", "200us,0.1ms", "--clock", clock]);
        assert_eq!((&rows[0]["budget"], &rows[1]["budget"]), (&json!("200us"), &json!("100us")));
        assert_eq!(keys(&rows[0]), KEYS);
        assert!(rows[0]["overruns"].is_u64());
    }
}

#[test]
fn csv_has_the_same_columns() {
    let folder = Folder::new();
    let words = ["builtin:corner40", "--budget", "20", "--planner", "astar"];
    let row = &folder.rows(&words)[0];
    let out = folder.good(&[&["run"], &words[..], &["--format", "csv"]].concat());
    let mut lines = out.lines();
    assert_eq!(lines.next().unwrap(), KEYS.join(","));
    let line = lines.next().unwrap();
    assert!(
        line.contains(
            ",builtin:corner40,known,\"moves=8,diagonal=sqrt2\",0,\"0,0\",\"39,39\",astar,20,all,0,,,arrived,"
        ),
        "{line}"
    );
    assert!(line.contains(&format!(",{},", row["expansions"])), "{line}");
    assert_eq!(lines.next(), None);
}

#[test]
fn threads_change_nothing_but_times() {
    let folder = Folder::new();
    let words = [
        "builtin:rooms100",
        "--random",
        "12",
        "--seed",
        "5",
        "--budget",
        "7,200",
        "--world",
        "unknown(radius=5)",
        "--planner",
        "repeated-astar",
        "--planner",
        "astar(direction=backward)",
        "--threads",
    ];
    let rows = |threads| {
        folder.rows(&[&words[..], &[threads]].concat()).into_iter().map(timeless).collect::<Vec<_>>()
    };
    let one = rows("1");
    assert_eq!(one.len(), 48);
    assert_eq!(one, rows("4"));
    let order = |row: &Value| {
        (row["planner"].to_string(), row["budget"].as_str().map(str::to_owned), row["problem"].as_u64())
    };
    assert_eq!(order(&one[0]), ("\"repeated-astar\"".into(), Some("7".into()), Some(0)));
    assert_eq!(order(&one[13]), ("\"repeated-astar\"".into(), Some("200".into()), Some(1)));
    assert_eq!(order(&one[24]), ("\"astar(direction=backward)\"".into(), Some("7".into()), Some(0)));
}

#[test]
fn rules_of_movement_and_terrain_count() {
    let folder = Folder::new();
    folder.file("s.map", "type octile\nheight 2\nwidth 3\nmap\n.S.\n.@.\n");
    let optimal = |words: &[&str]| {
        folder.rows(&[&["s.map", "--from", "0,1", "--to", "2,1"], words].concat())[0]["optimal"]
            .as_f64()
            .unwrap()
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    close(optimal(&[]), 4.0);
    close(optimal(&["--cut-corners"]), 8f64.sqrt());
    close(optimal(&["--cut-corners", "--diagonal", "1.4"]), 2.8);
    close(optimal(&["--cut-corners", "--diagonal", "1.5"]), 3.0);
    close(optimal(&["--cut-corners", "--moves", "4"]), 4.0);
    close(optimal(&["--terrain", "S=3"]), 6.0);
}

#[test]
fn worlds_that_change() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("door.script", "fleetfoot-script 1\nsize 8 4\n30 open 6 3\n");
    let words =
        ["a.map", "--from", "0,0", "--to", "7,0", "--world", "dynamic(door.script)", "--budget", "5,inf"];
    for row in folder.rows(&[&words[..], &["-p", "repeated-astar"]].concat()) {
        assert_eq!(
            (&row["outcome"], &row["optimal"], &row["ratio"]),
            (&json!("arrived"), &json!(null), &json!(null))
        );
        assert_eq!(row["world"], "dynamic(door.script)");
        assert!(row["first_move"].as_u64().unwrap() > 30);
    }
}

#[test]
fn a_budget_of_one_suffices_where_all_work_is_charged() {
    let folder = Folder::new();
    let rows = folder.rows(&["builtin:corner40", "--budget", "1,10", "--planner", "repeated-astar"]);
    assert_eq!((&rows[0]["outcome"], &rows[0]["max_expansions"]), (&json!("arrived"), &json!(1)));
    assert_eq!(rows[1]["outcome"], "arrived");
}

#[test]
fn all_work_is_charged_unless_other_prices_are_named() {
    let folder = Folder::new();
    let words = [
        "builtin:corner40",
        "--random",
        "3",
        "--budget",
        "5,20",
        "-p",
        "tba",
        "-p",
        "rtaa",
        "-p",
        "dstar-lite",
    ];
    // Times differ between repeated runs.
    let rows = |prices: &[&str]| {
        let mut rows = folder.rows(&[&words[..], prices].concat());
        for row in &mut rows {
            row.as_object_mut().unwrap().retain(|name, _| !name.starts_with("plan_ns"));
        }
        rows
    };
    let usual = rows(&[]);
    assert!(usual.iter().all(|row| row["prices"] == "all"));
    assert_eq!(usual, rows(&["--prices", "all"]));
    assert_eq!(usual, rows(&["--prices", "honest"]), "the name that it had before");
    let papers = rows(&["--prices", "papers"]);
    assert!(usual.iter().zip(&papers).any(|(all, papers)| all["steps"] != papers["steps"]));
}

#[test]
fn headings_name_the_prices() {
    let folder = Folder::new();
    let heading = |more: &[&str]| {
        let words = ["run", "builtin:corner40", "--random", "1", "-p", "tba", "-b", "10,inf"];
        folder.good(&[&words[..], more].concat()).lines().nth(2).unwrap().to_owned()
    };
    assert_eq!(heading(&[]), "budget 10, inf expansions a tick, all work charged");
    let papers = "budget 10, inf expansions a tick, expansions and key refreshes charged, as in the papers";
    assert_eq!(heading(&["--prices", "papers"]), papers);
    assert_eq!(
        heading(&["--prices", "expansions"]),
        "budget 10, inf expansions a tick, only expansions charged"
    );
    let by_time =
        folder.good(&["run", "builtin:corner40", "--random", "1", "-p", "tba", "--interval", "1ms"]);
    assert_eq!(by_time.lines().nth(2), Some("budget 1ms a tick"));
    let help = folder.good(&["run", "--help"]);
    assert!(help.contains("[default: all]") && !help.contains("honest"), "{help}");
}

#[test]
fn files_are_written_whole_and_by_their_ending() {
    let folder = Folder::new();
    folder.file("r.jsonl", "old\n");
    for (file, first) in
        [("r.jsonl", "{\"index\""), ("r.csv", "index,run"), ("r.txt", "builtin:corner40: 40x40")]
    {
        let done = folder.run(&["run", "builtin:corner40", "--output", file]);
        assert_eq!((done.code, done.out.as_str()), (Some(0), ""));
        assert!(done.err.contains(&format!("to {file}")), "{}", done.err);
        assert!(folder.read(file).starts_with(first), "{}", folder.read(file));
    }
    assert_eq!(folder.names(), ["r.csv", "r.jsonl", "r.txt"]);
}

#[test]
fn the_table_fits_and_names_the_runs() {
    let folder = Folder::new();
    let specs = ["--planner", "astar", "--planner", "repeated-astar(direction=backward,replan=any-change)"];
    let out = folder.good(
        &[
            &["run", "builtin:rooms100", "--random", "5", "--world", "unknown", "--budget", "10,inf"],
            &specs[..],
        ]
        .concat(),
    );
    assert!(out.starts_with(
        "builtin:rooms100: 101x101, 8,234 free cells; 5 random problems (seed 0)\nworld unknown"
    ));
    assert!(out.contains("[2] repeated-astar(direction=backward,replan=any-change)\n"), "{out}");
    assert!(out.contains(" 5/5 "), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
    let done = folder.run(&["run"]);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    assert!(done.out.contains("20/20"), "{}", done.out);
}

#[test]
fn auto_runs_by_default_in_every_world() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("door.script", "fleetfoot-script 1\nsize 8 4\n30 open 6 3\n");
    for world in
        ["known", "unknown", "partial(hidden=0.3)", "dynamic(door.script)", "dynamic(door.script,sight=8)"]
    {
        let planner = "auto";
        let words = ["run", "a.map", "--from", "0,0", "--to", "5,3", "--world", world];
        let said = "no --planner named: auto";
        let table = folder.run(&words);
        assert_eq!((table.code, table.err.as_str()), (Some(0), ""), "{world}");
        assert_eq!(table.out.lines().nth(3).map(|line| line.starts_with(said)), Some(true), "{}", table.out);
        let rows = folder.run(&[&words[..], &["--format", "jsonl"]].concat());
        assert!(rows.err.starts_with(&format!("note: {said}")), "{}", rows.err);
        let row: Value = serde_json::from_str(rows.out.trim()).unwrap();
        assert_eq!((&row["planner"], &row["outcome"]), (&json!(planner), &json!("arrived")), "{world}");
        let named = folder.run(&[&words[..], &["--planner", "repeated-astar"]].concat());
        assert!(!named.out.contains("no --planner named"));
    }
}

#[test]
fn the_table_shows_informative_columns() {
    let folder = Folder::new();
    let table = |words: &[&str]| folder.good(&[&["run", "builtin:corner40"], words].concat());
    let still = table(&["--planner", "astar"]);
    assert!(!still.contains("reversals  revisits") && !still.contains("overruns"), "{still}");
    let paces = table(&["--planner", "astar", "--planner", "late-tba", "--budget", "50", "--explain"]);
    assert!(paces.contains("  reversals  revisits  ") && paces.contains("steps back to the cell"), "{paces}");
    for clock in ["wall", "cpu"] {
        let timed = table(&["--interval", "300us,1500us", "--clock", clock]);
        assert!(timed.contains("  overruns  ") && timed.contains(" 1500us "), "{timed}");
    }
}

/// Checks a goal behind a door that is closed at first, in a scenario and as an argument.
#[test]
fn a_goal_may_be_blocked_at_first_in_a_world_that_changes() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("a.scen", "version 1\n0\ta.map\t8\t4\t0\t0\t6\t3\t6\n");
    folder.file("door.script", "fleetfoot-script 1\nsize 8 4\n30 open 6 3\n");
    for words in [&["a.map"][..], &["a.map", "--from", "0,0", "--to", "6,3"]] {
        let rows = folder.rows(&[words, &["--world", "dynamic(door.script)"]].concat());
        assert_eq!((&rows[0]["outcome"], &rows[0]["optimal"]), (&json!("arrived"), &json!(null)));
        let still = folder.run(&[&["run"], words].concat());
        assert!(still.code == Some(2) && still.err.contains("the goal (6, 3) is blocked"), "{}", still.err);
    }
}

/// Checks that the optimum is that of the world in the first tick, in which the door opens.
#[test]
fn changes_of_the_first_tick_count_for_the_optimum() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("door.script", "fleetfoot-script 1\nsize 8 4\n0 open 6 0\n");
    let words =
        ["a.map", "--from", "0,0", "--to", "7,0", "--world", "dynamic(door.script)", "--budget", "inf"];
    let row = &folder.rows(&words)[0];
    assert_eq!((&row["optimal"], &row["ratio"]), (&json!(7.0), &json!(1.0)));
}

#[test]
fn help_teaches_and_fits_a_screen() {
    let out = in_columns(80, &["run", "--help"]);
    assert!(out.contains("Examples:") && out.contains("--world 'unknown(radius=7)'"), "{out}");
    assert!(out.lines().count() <= 61 && out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

/// Returns the output of a command whose terminal has this number of columns.
fn in_columns(columns: u32, words: &[&str]) -> String {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot"));
    let output = command.args(words).env("COLUMNS", columns.to_string()).output().unwrap();
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn tables_fit_narrow_terminals() {
    let words = ["run", "builtin:corner40", "-p", "astar", "-p", "late-tba", "-b", "50"];
    let out = in_columns(80, &words);
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    assert!(out.contains("Hidden in this narrow terminal: p99, max/step"), "{out}");
    assert!(out.contains("--explain describes the columns."), "{out}");
    let all = in_columns(80, &[&words[..], &["--columns", "all"]].concat());
    assert!(all.contains("  max/step  ") && !all.contains("Hidden"), "{all}");
    let some = in_columns(80, &[&words[..], &["--columns", "budget,steps"]].concat());
    assert!(some.contains("planner   budget  steps\n"), "{some}");
    let unknown = Folder::new().run(&["run", "builtin:corner40", "--columns", "speed"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.err.starts_with("error: there is no column `speed`; name some of planner"),
        "{}",
        unknown.err
    );
    for words in [&["list"][..], &["map", "list"], &["reproduce", "--list"], &["list", "tba"]] {
        let out = in_columns(80, words);
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
    let fleet = in_columns(80, &["fleet", "builtin:passage1", "--agents", "4", "--max-ticks", "9"]);
    let table = fleet.split("measure").nth(1).unwrap();
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{fleet}");
}

/// Checks `fleetfoot run … | head`.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_fault() {
    use std::process::{Command, Stdio};
    for format in ["csv", "jsonl", "table"] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot"))
            .args(["run", "builtin:corner40", "--random", "300", "--budget", "inf", "--planner", "astar"])
            .args(["--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{format}");
    }
}

/// Checks that a failure to write is an error for every command.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    use std::process::Command;
    let calls: [&[&str]; 6] =
        [&["--help"], &["-h"], &["--version"], &["run", "--help"], &["help", "fleet"], &["list"]];
    for words in calls {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let program =
            Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot")).args(words).stdout(full).output();
        let output = program.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("cannot write the output"), "{words:?}: {said}");
    }
}

#[test]
fn rows_say_under_which_rules_they_were_made() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    let words = ["a.map", "--from", "0,0", "--to", "4,3", "--planner", "astar"];
    let row = &folder.rows(&words)[0];
    assert_eq!((&row["rules"], &row["prices"]), (&json!("moves=8,diagonal=sqrt2"), &json!("all")));
    let more = ["--diagonal", "1.4", "--cut-corners", "--terrain", "S=3", "--prices", "papers"];
    let row = &folder.rows(&[&words[..], &more[..]].concat())[0];
    assert_eq!(row["rules"], json!("moves=8,diagonal=1.4,cut-corners,terrain(S=3)"));
    assert_eq!(row["prices"], json!("papers"));
}

/// Checks that planners with restrictions for changing worlds run in static ones.
#[test]
fn every_planner_runs_where_nothing_changes() {
    let folder = Folder::new();
    folder.file("small.map", SMALL);
    let keys: Vec<_> = fleetfoot::registry::ALGORITHMS.iter().map(|info| info.key).collect();
    for key in keys {
        let words = ["small.map", "--from", "0,0", "--to", "5,3", "-p", key, "--max-ticks", "500"];
        assert_eq!(folder.rows(&words).len(), 1, "{key}");
    }
}

/// The playground prints runs as commands.
#[test]
fn a_run_prints_as_a_command_that_the_program_takes() {
    let folder = Folder::new();
    let mut run = fleetfoot_sim::spec::RunSpec::new("builtin:corner40");
    run.planners = vec!["rtd".into(), "astar(open=heap)".into()];
    run.rules = "moves=8,diagonal=1.4,cut-corners,terrain(G=2,S=4)".parse().unwrap();
    (run.world, run.prices) = ("unknown(radius=7)".into(), "papers".parse().unwrap());
    (run.max_steps, run.force) = (Some(90), true);
    run.problems.pairs = Some(vec![[0, 0, 3, 0]]);
    let takes = |run: &fleetfoot_sim::spec::RunSpec| {
        let text = run.to_string().replace("\\\n", "");
        let words: Vec<&str> = text.split_whitespace().skip(1).map(|word| word.trim_matches('\'')).collect();
        folder.good(&words);
    };
    takes(&run);
    (run.problems.pairs, run.problems.random, run.trials) = (None, Some(2), Some(2));
    takes(&run);
}
