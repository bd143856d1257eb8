//! Tests the `world` commands, and runs in changing worlds.

use serde_json::json;

use super::Folder;
use super::bad_input::refused;

/// Two paths from left to right; both pass a door.
const TWO_DOORS: &str = "type octile\nheight 3\nwidth 21\nmap\n.....................\n@@.@@@@@@@@@@@@@@@.@@\n\
                         .....................\n";

const KINDS: [&[&str]; 4] = [
    &["doors", "builtin:doors100", "--ticks", "500"],
    &["bridges", "builtin:cave256", "--ticks", "500"],
    &["terrain", "builtin:cave256", "--ticks", "500"],
    &["shortcuts", "builtin:maze151", "--from", "1,1", "--to", "149,149"],
];

#[test]
fn scripts_can_be_read_and_repeat() {
    for kind in KINDS {
        let folder = Folder::new();
        let make = |file: &str, seed: &str| {
            let done = folder.run(&[&["world"], kind, &["--seed", seed, "-o", file]].concat());
            assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
            assert!(
                done.err.starts_with("note: ") && done.err.contains(&format!("to {file}")),
                "{}",
                done.err
            );
            folder.read(file)
        };
        let script = make("a.script", "7");
        assert!(
            script.starts_with("fleetfoot-script 1\nsize ") && script.contains("\n# builtin:"),
            "{kind:?}"
        );
        assert_eq!(script, make("b.script", "7"));
        assert_ne!(script, make("b.script", "8"), "{kind:?}");
        let info = folder.good(&["world", "info", "a.script", "--map", kind[1]]);
        let lines = script.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
        assert!(info.contains(&format!("changes     {}", thousands(lines))), "{info}");
        assert!(info.contains("costs fall  yes, by ") && info.contains("busiest     tick "), "{info}");
        assert_eq!(info.contains("costs rise  no"), kind[0] == "shortcuts", "{info}");
        assert_eq!(folder.names(), ["a.script", "b.script"]);
    }
}

fn thousands(n: usize) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) }
}

#[test]
fn every_kind_of_world_can_be_lived_in() {
    for kind in KINDS {
        let folder = Folder::new();
        folder.good(&[&["world"], kind, &["-o", "w.script"]].concat());
        let problem: &[&str] =
            if kind[0] == "shortcuts" { &["--from", "1,1", "--to", "149,149"] } else { &["--random", "3"] };
        for world in ["dynamic(w.script)", "dynamic(w.script,radius=7)"] {
            let words = [&[kind[1]], problem, &["--world", world, "--budget", "200,inf"]].concat();
            let rows = folder.rows(&words);
            let arrived = rows.iter().filter(|row| row["outcome"] == "arrived").count();
            // An agent that sees only near cells may believe that an opened path is closed.
            assert!(arrived == rows.len() || arrived > 0 && world.contains("radius"), "{kind:?} {world}");
        }
    }
}

#[test]
fn a_shortcut_is_taken_and_shown() {
    let folder = Folder::new();
    folder.good(&[&["world"], KINDS[3], &["-o", "w.script"]].concat());
    let words = [
        "builtin:maze151",
        "--from",
        "1,1",
        "--to",
        "149,149",
        "--world",
        "dynamic(w.script)",
        "--budget",
        "inf",
    ];
    let row = &folder.rows(&words)[0];
    assert!(row["ratio"].as_f64().unwrap() < 0.75, "{row}");
    let out = folder.good(&[&["run"], &words[..], &["--picture", "w.png"]].concat());
    assert!(out.contains("Yellow: opened. Dashed gray: the shortest path in the first tick."), "{out}");
    assert!(!out.contains("Brown"), "{out}");
    let ((width, height), at) = folder.picture("w.png");
    let has = |colour: [u8; 3]| (0..height).any(|y| (0..width).any(|x| at(x as usize, y as usize) == colour));
    assert!(has([240, 228, 66]) && has([96, 96, 100]) && !has([196, 84, 40]));
    // Nothing of that in a static world.
    let out = folder.good(&[&["run"], &words[..5], &["--picture", "w.png"]].concat());
    assert!(!out.contains("Yellow") && !out.contains("Dashed"), "{out}");
}

/// Checks that a script that only closes cells supports more planners than one that opens them again.
#[test]
fn planners_that_promise_nothing_there_are_refused() {
    let folder = Folder::new();
    folder.file("a.map", TWO_DOORS);
    let head = "fleetfoot-script 1\nsize 21 3\n";
    folder.file("rise.script", &format!("{head}4 close 2 1\n4 weight 9 0 3\n"));
    folder.file("fall.script", &format!("{head}4 open 10 1\n"));
    folder.file("both.script", &format!("{head}4 close 2 1\n9 open 2 1\n"));
    folder.file("still.script", &format!("{head}4 open 2 1\n9 close 4 1\n"));
    folder.file("rule.script", "fleetfoot-script 2\nsize 21 3\nrule shut-near 2 1 radius 2 ticks 4\n");
    let run = |script: &str, planner: &str, more: &[&str]| {
        let world = format!("dynamic({script}.script)");
        let words =
            ["run", "a.map", "--from", "10,0", "--to", "10,2", "--planner", planner, "--world", &world];
        folder.run(&[&words, more].concat())
    };
    let both =
        "promises nothing where costs change, and the script makes them rise and fall; use one of auto";
    let cases = [
        (
            "rise",
            "tba",
            Some("promises nothing where costs rise, and the script makes them rise; use one of auto"),
        ),
        ("rise", "tbaa", None),
        ("rise", "rtaa", None),
        ("rise", "repeated-astar", None),
        (
            "fall",
            "tba",
            Some("promises nothing where costs fall, and the script makes them fall; use one of auto"),
        ),
        ("fall", "tbaa", Some("where costs fall")),
        ("both", "tba", Some(both)),
        ("both", "rtaa", Some("where costs fall")),
        ("both", "astar", None),
        ("rule", "tbaa", Some("where costs fall")),
        ("still", "tba", None),
    ];
    for (script, planner, refusal) in cases {
        let done = run(script, planner, &[]);
        let Some(refusal) = refusal else {
            assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{planner} in {script}");
            continue;
        };
        assert_eq!(done.code, Some(2), "{planner} in {script}");
        assert!(done.err.starts_with(&format!("error: planner {planner} ")), "{}", done.err);
        assert!(done.err.contains(refusal) && done.out.is_empty(), "{}", done.err);
        assert!(done.err.contains("repeated-astar") && done.err.ends_with("or --force to run it anyway\n"));
        assert!(!done.err.contains(", tba,"), "{}", done.err);
        let forced = run(script, planner, &["--force", "--max-ticks", "500"]);
        assert_eq!(forced.code, Some(0), "{}", forced.err);
        assert!(
            forced.err.starts_with(&format!("warning: planner {planner} promises nothing")),
            "{}",
            forced.err
        );
    }
    // Impossible combinations cannot be forced.
    let done = run("both", "ribs", &["--force"]);
    assert!(done.code == Some(2) && done.err.contains("works only where nothing changes"), "{}", done.err);
    // In an unknown world planners must support that as well.
    let words = ["run", "a.map", "--from", "10,0", "--to", "10,2", "--planner", "tbaa", "--world"];
    let done = folder.run(&[&words[..], &["dynamic(fall.script,sight=8)"]].concat());
    assert!(
        done.code == Some(2) && done.err.contains("use one of auto, corner-tba, astar, repeated-astar"),
        "{}",
        done.err
    );
}

#[test]
fn two_doors_keep_an_agent_out() {
    let folder = Folder::new();
    folder.file("a.map", TWO_DOORS);
    let rules = "rule shut-near 2 1 radius 3 ticks 9\nrule shut-near 18 1 radius 3 ticks 9\n";
    folder.file("two.script", &format!("fleetfoot-script 2\nsize 21 3\n{rules}"));
    let words =
        ["a.map", "--from", "10,0", "--to", "10,2", "--world", "dynamic(two.script)", "--budget", "inf"];
    let row = &folder.rows(&[&words[..], &["--max-ticks", "2000"]].concat())[0];
    assert_eq!((&row["outcome"], &row["steps"], &row["waits"]), (&json!("gave-up"), &json!(2000), &json!(0)));
    assert!(row["revisits"].as_u64().unwrap() > 1_900, "{row}");
    let info = folder.good(&["world", "info", "two.script"]);
    assert!(info.contains("rules       2") && info.contains("ticks       none"), "{info}");
    assert!(info.contains("costs fall  yes, by rules"), "{info}");
}

#[test]
fn doors_can_be_named() {
    let folder = Folder::new();
    folder.file("a.map", TWO_DOORS);
    let words = ["world", "doors", "a.map", "--close-chance", "30%", "--open-chance", "0.3", "--ticks", "90"];
    let cells = |more: &[&str]| {
        folder.good(&[&words[..], more, &["-o", "d.script"]].concat());
        let script = folder.read("d.script");
        let lines = script.lines().filter(|line| !line.starts_with('#') && line.contains(" close "));
        let mut cells: Vec<_> = lines.map(|line| line.split_once("close ").unwrap().1.to_owned()).collect();
        cells.sort();
        cells.dedup();
        cells
    };
    assert_eq!(cells(&[]), ["18 1", "2 1"]);
    assert_eq!(cells(&["--goal", "2,1"]), ["18 1"]);
    assert_eq!(cells(&["--door", "0,0", "--door", "20,2"]), ["0 0", "20 2"]);
}

#[test]
fn help_shows_examples() {
    let folder = Folder::new();
    for kind in ["doors", "bridges", "terrain", "shortcuts", "info"] {
        let out = folder.good(&["world", kind, "--help"]);
        assert!(out.contains("Examples:") && out.contains(&format!("fleetfoot world {kind} ")), "{out}");
    }
    assert!(folder.good(&["run", "--help"]).contains("--force"));
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::new();
    folder.file("a.map", TWO_DOORS);
    folder.file("open.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    let with = |words: &[&str], parts: &[&str]| {
        refused(&folder, &[&["world"], words, &["-o", "x.script"]].concat(), parts);
        assert_eq!(folder.names(), ["a.map", "open.map"]);
    };
    with(&["doors", "no.map"], &["no.map: cannot read", "check the path"]);
    with(&["doors", "open.map"], &["open.map: the map has no doors", "name the cells of doors"]);
    with(&["doors", "a.map", "--door", "0,1"], &["a.map: the door (0, 1) is blocked"]);
    with(&["doors", "a.map", "--door", "x"], &["--door", "such as 12,34"]);
    with(&["doors", "a.map", "--goal", "99,1"], &["a.map: the goal (99, 1) is blocked or outside"]);
    with(&["doors", "a.map", "--open-chance", "2"], &["--open-chance", "a number from 0 to 1"]);
    with(&["doors", "a.map", "--close-chance", "-1"], &["--close-chance", "a number from 0 to 1"]);
    with(&["doors", "a.map", "--ticks", "0"], &["0 ticks cannot be recorded", "from 1 to 10000000"]);
    with(&["doors", "a.map", "--ticks", "99999999999"], &["cannot be recorded"]);
    with(&["bridges", "open.map"], &["open.map: no bridge of at most 16 cells", "allow longer"]);
    with(&["bridges", "a.map", "--over", "x"], &["'x' is no letter of blocked cells", "@, O, T and W"]);
    with(&["bridges", "a.map", "--saves", "0"], &["the number of moves saved is 0"]);
    with(&["terrain", "a.map", "--radius", "0"], &["the radius is 0", "from 1 to"]);
    with(&["terrain", "a.map", "--heavier", "300"], &["the weight that is added is 300"]);
    with(&["shortcuts", "a.map"], &["add --from X,Y --to X,Y"]);
    with(&["shortcuts", "a.map", "--from", "0,0", "--to", "0,2"], &["no tunnel of at most 16 cells"]);
    with(&["shortcuts", "a.map", "--from", "0,0", "--to", "0,1"], &["the goal (0, 1) is blocked"]);
    with(&["shortcuts", "a.map", "--from", "0,0", "--to", "0,2", "--max-ratio", "0"], &["the share is 0"]);
    refused(&folder, &["world", "doors", "a.map", "-o", "a.map"], &["a.map: this file is read", "another"]);
    refused(
        &folder,
        &["world", "doors", "a.map", "-o", "no/x.script"],
        &["no/x.script: cannot write", "create"],
    );
    refused(&folder, &["world", "doors", "a.map"], &["--output"]);
    refused(&folder, &["world", "info", "a.map"], &["a.map:1: this is not a script"]);
    refused(&folder, &["world", "info", "no.script"], &["no.script: cannot read"]);
    folder.file("bad.script", "fleetfoot-script 2\nsize 21 3\nrule shut-near 2 1 radius 0 ticks 4\n");
    refused(
        &folder,
        &["world", "info", "bad.script"],
        &["bad.script:3: a door cannot shut at a radius of 0"],
    );
    folder.file("wall.script", "fleetfoot-script 2\nsize 21 3\nrule shut-near 0 1 radius 1 ticks 4\n");
    refused(
        &folder,
        &["run", "a.map", "--from", "0,0", "--to", "5,0", "--world", "dynamic(wall.script)"],
        &["wall.script: the rule's cell (0, 1) is blocked on the map"],
    );
    refused(
        &folder,
        &["world", "info", "wall.script", "--map", "open.map"],
        &["wall.script: the script is for a 21x3"],
    );
}
