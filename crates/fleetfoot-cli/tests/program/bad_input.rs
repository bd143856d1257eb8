//! Checks that every bad input ends with code 2 and a short message that names the fault and the remedy.

use super::{Folder, SMALL};

/// Executes a command that must be refused with a text that contains all parts, and leave no file behind.
pub(super) fn refused(folder: &Folder, words: &[&str], parts: &[&str]) {
    let before = folder.names();
    let done = folder.run(words);
    assert_eq!(done.code, Some(2), "{words:?}: {}", done.err);
    assert_eq!(done.out, "", "{words:?}");
    assert!(done.err.starts_with("error: "), "{words:?}: {}", done.err);
    for part in parts {
        assert!(done.err.contains(part), "{words:?} should say {part:?}: {}", done.err);
    }
    assert!(!done.err.contains("panicked") && !done.err.contains("backtrace"), "{}", done.err);
    assert_eq!(folder.names(), before, "{words:?}");
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder
}

#[test]
fn invalid_maps_are_refused() {
    let folder = folder();
    refused(&folder, &["run", "no.map"], &["no.map: cannot read", "check the path"]);
    refused(&folder, &["run", "cave512"], &["did you mean builtin:cave512?"]);
    refused(&folder, &["run", "."], &[".: cannot read: this is a folder", "name a file"]);
    refused(&folder, &["run", "builtin:cave5"], &["no map builtin:cave5", "`cave256` or `cave512`"]);
    let cases = [
        ("type octile\nheight 2\nwidth 2\nmap\n..\n.", "bad.map:6: row has 1 cells"),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n...\n", "bad.map:6: row has 3 cells"),
        ("type octile\nheight 3\nwidth 2\nmap\n..\n..\n", "bad.map:6: the file ends after 2 rows"),
        ("type hex\nheight 2\n", "bad.map:1: maps of type \"hex\""),
        ("height 2\n", "bad.map:1: this is not a map"),
        ("type octile\nheight 99999999999\nwidth 99999999999\nmap\n..\n", "bad.map:4: a map of"),
        ("type octile\nheight 1\nwidth 2\nmap\n.x\n", "bad.map:5: unknown cell letter 'x' in column 2"),
        ("", "bad.map: the file is empty"),
    ];
    for (text, expected) in cases {
        folder.file("bad.map", text);
        refused(&folder, &["run", "bad.map"], &[expected, "; "]);
        refused(&folder, &["map", "info", "bad.map"], &[expected]);
    }
    std::fs::write(folder.path("bad.map"), b"type octile\nheight 1\nwidth 2\nmap\n.\xff\n").unwrap();
    refused(&folder, &["run", "bad.map"], &["bad.map:5: byte 0xff is not text"]);
}

#[test]
fn unsuitable_scenarios_are_refused() {
    let folder = folder();
    refused(
        &folder,
        &["run", "a.map"],
        &["a.map: there is no scenario next to the map", "--scen FILE", "--random N"],
    );
    refused(&folder, &["run", "a.map", "--scen", "no.scen"], &["no.scen: cannot read"]);
    refused(&folder, &["run", "a.map", "--scen", "a.map"], &["a.map:1: this is not a scenario"]);
    let cases = [
        ("0\tb.map\t8\t4\t0\t0\t1\t0\t1", "a.scen:2: the problem is for map \"b.map\", not for \"a.map\""),
        ("0\ta.map\t9\t4\t0\t0\t1\t0\t1", "a.scen:2: the problem is for a 9x4 map, this one has 8x4"),
        ("0\ta.map\t8\t4\t8\t0\t1\t0\t1", "a.scen:2: the start (8, 0) is outside"),
        ("0\ta.map\t8\t4\t0\t0\t1\t1\t1", "a.scen:2: the goal (1, 1) is blocked"),
        ("0\ta.map\t8\t4\t0\t0\t1", "a.scen:2: the line has 7 fields instead of 9"),
        ("", "a.scen: the scenario has no problems"),
    ];
    for (line, expected) in cases {
        folder.file("a.scen", &format!("version 1\n{line}\n"));
        refused(&folder, &["run", "a.map"], &[expected, "; "]);
    }
    folder.file("a.scen", "version 1\n0\ta.map\t8\t4\t0\t0\t1\t0\t1\n");
    refused(
        &folder,
        &["run", "a.map", "--optimal", "5..6"],
        &["a.scen: no problem has", "5..6", "from 1 to 1"],
    );
    refused(&folder, &["run", "builtin:corner40", "--take", "3"], &["--take", "use --random N"]);
}

#[test]
fn impossible_problems_are_refused() {
    let folder = folder();
    let from = |from: &str, to: &str, parts: &[&str]| {
        refused(&folder, &["run", "a.map", "--from", from, "--to", to], parts);
    };
    from("8,0", "0,0", &["a.map: the start (8, 0) is outside the 8x4 map", "count from 0"]);
    from("0,0", "0,4", &["a.map: the goal (0, 4) is outside"]);
    from("1,1", "0,0", &["a.map: the start (1, 1) is blocked", "free cell"]);
    from("0,0", "6,2", &["a.map: the goal (6, 2) is blocked"]);
    from("0", "0,0", &["--from", "such as 12,34"]);
    from("0,0", "-1,0", &["--to", "such as 12,34"]);
    refused(&folder, &["run", "a.map", "--from", "0,0"], &["--to"]);
    refused(&folder, &["run", "a.map", "--random", "0"], &["--random", "1 to 1000000"]);
    refused(
        &folder,
        &["run", "a.map", "--random", "2", "--from", "0,0", "--to", "1,0"],
        &["cannot be used with"],
    );
    folder.file("wall.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    refused(
        &folder,
        &["run", "wall.map", "--random", "2"],
        &["wall.map: the map has no two connected free cells"],
    );
}

#[test]
fn invalid_settings_are_refused() {
    let folder = folder();
    let with = |words: &[&str], parts: &[&str]| {
        refused(&folder, &[&["run", "a.map", "--from", "0,0", "--to", "5,3"], words].concat(), parts);
    };
    with(&["--budget", "0"], &["--budget", "at least 1, or `inf`"]);
    with(&["--budget", "10,x"], &["--budget", "`x` is not a budget"]);
    with(&["--interval", "5"], &["such as 500us"]);
    with(&["--interval", "0us"], &["such as 500us"]);
    with(&["--interval", "5us", "--budget", "5"], &["cannot be used with"]);
    with(&["--planner", "dijkstra"], &["no planner `dijkstra`", "astar, repeated-astar"]);
    with(&["--planner", "astar(speed=9)"], &["no parameter `speed`", "direction, open"]);
    with(&["--planner", "astar(open=tree)"], &["one of ring, heap"]);
    with(&["--planner", "astar(ties=smaller-g)"], &["planner astar(ties=smaller-g)", "add open=heap"]);
    with(&["--world", "foggy"], &["no world `foggy`", "use known, unknown"]);
    with(&["--world", "unknown(sight=4)"], &["sight=4", "use sight=8"]);
    with(&["--world", "dynamic(no.script)"], &["no.script: cannot read"]);
    with(&["--terrain", "X=3"], &["--terrain", "such as S=3"]);
    with(&["--moves", "6"], &["--moves", "4, 8"]);
    with(&["--diagonal", "2"], &["--diagonal", "sqrt2, 1.4, 1.5"]);
    with(&["--prices", "fair"], &["all, papers, expansions"]);
    with(&["--max-ticks", "0"], &["at least 1"]);
    with(&["--trials", "0"], &["at least 1"]);
    with(&["--trials", "2", "--picture", "a.png"], &["cannot be used with"]);
    with(&["--threads", "0"], &["at least 1"]);
    with(&["--take", "0"], &["at least 1"]);
    with(&["--format", "xml"], &["table, csv, jsonl"]);
    with(&["--nonsense"], &["--nonsense"]);
    refused(&folder, &["run", "a.map", "--optimal", "5..3"], &["smaller length first"]);
    refused(&folder, &["run", "a.map", "--optimal", "5"], &["LO..HI"]);
    folder.file("other.script", "fleetfoot-script 1\nsize 3 3\n");
    with(
        &["--world", "dynamic(other.script)"],
        &["other.script: the script is for a 3x3 map, this one has 8x4"],
    );
    folder.file("door.script", "fleetfoot-script 1\nsize 8 4\n30 open 6 3\n");
    with(
        &["--planner", "ribs", "--world", "dynamic(door.script)"],
        &[
            "planner ribs works only where nothing changes",
            "use --world known, or one of auto, corner-tba, astar, repeated-astar",
        ],
    );
    with(
        &["--planner", "ribs(expansions=2)", "--world", "unknown"],
        &["planner ribs(expansions=2) works in known worlds only", ", ribs"],
    );
    refused(&folder, &["fly"], &["fly"]);
    refused(&folder, &["list", "dijkstra"], &["no planner `dijkstra`", "astar, repeated-astar"]);
}

#[test]
fn unwritable_output_is_refused() {
    let folder = folder();
    folder.file("old.csv", "old");
    folder.file("old.png", "old");
    std::fs::create_dir(folder.path("dir")).unwrap();
    let to = |file: &str, parts: &[&str]| {
        refused(&folder, &["run", "a.map", "--random", "2", "--output", file], parts);
        refused(&folder, &["map", "render", "a.map", "-o", file], parts);
        refused(&folder, &["map", "scale", "a.map", "2", "-o", file], parts);
        refused(&folder, &["map", "generate", "corner", "-o", file], parts);
    };
    let draw = |file, parts: &[&str]| {
        refused(&folder, &["run", "a.map", "--random", "2", "--picture", file], parts);
    };
    draw("no/x.png", &["no/x.png: cannot write", "create the folder first"]);
    draw("dir", &["dir: cannot write: this is a folder", "name a file"]);
    to("no/x.csv", &["no/x.csv: cannot write", "create the folder first"]);
    to("dir", &["dir: cannot write", "name a file"]);
    // A failure for another reason leaves an old file unchanged.
    refused(
        &folder,
        &["run", "a.map", "--random", "2", "--planner", "astar(ties=larger-g)", "-o", "old.csv"],
        &[],
    );
    refused(
        &folder,
        &["map", "render", "a.map", "--from", "0,0", "--to", "7,0", "--path", "-o", "old.png"],
        &["no path"],
    );
    assert_eq!((folder.read("old.csv"), folder.read("old.png")), ("old".into(), "old".into()));
}

#[test]
fn map_commands() {
    let folder = folder();
    refused(&folder, &["map", "list", "no"], &["no: cannot read", "check the path"]);
    refused(&folder, &["map", "list", "a.map"], &["a.map: cannot read: this is no folder", "name a folder"]);
    refused(&folder, &["map", "scale", "a.map", "0", "-o", "b.map"], &["a.map: the scale factor is 0"]);
    refused(&folder, &["map", "scale", "a.map", "99999", "-o", "b.map"], &["more than"]);
    refused(&folder, &["map", "generate", "cave", "--width", "9", "-o", "b.map"], &["64 to 4096"]);
    refused(&folder, &["map", "generate", "maze", "--corridor", "0", "-o", "b.map"], &["at least 1 wide"]);
    refused(&folder, &["map", "generate", "random", "--blocked", "101", "-o", "b.map"], &["0 to 100"]);
    refused(&folder, &["map", "generate", "corner"], &["add -o FILE"]);
    refused(&folder, &["map", "render", "a.map", "--scale", "0", "-o", "b.png"], &["--scale from 1 to"]);
    refused(&folder, &["map", "render", "a.map", "--scale", "99999", "-o", "b.png"], &["--scale from 1 to"]);
    refused(&folder, &["map", "render", "a.map", "--path", "-o", "b.png"], &["a path needs a problem"]);
    refused(&folder, &["map", "render", "a.map", "--line", "0", "-o", "b.png"], &["no scenario next to"]);
    let jpg = ["b.jpg: pictures are written as PNG", "name a file that ends in .png"];
    refused(&folder, &["map", "render", "a.map", "-o", "b.jpg"], &jpg);
    for option in ["--picture", "--learned"] {
        refused(&folder, &["run", "a.map", "--from", "0,0", "--to", "4,3", option, "b.jpg"], &jpg);
    }
    refused(
        &folder,
        &["map", "render", "a.map", "--from", "1,1", "--to", "0,0", "-o", "b.png"],
        &["is blocked"],
    );
    folder.file("a.scen", "version 1\n0\ta.map\t8\t4\t0\t0\t1\t0\t1\n");
    refused(
        &folder,
        &["map", "render", "a.map", "--line", "1", "-o", "b.png"],
        &["a.scen: there is no problem 1"],
    );
}

#[test]
fn inputs_are_never_overwritten() {
    let folder = folder();
    let words = ["run", "a.map", "--from", "0,0", "--to", "4,3"];
    for output in [["--output", "a.map"], ["--picture", "./a.map"]] {
        refused(
            &folder,
            &[&words[..], &output[..]].concat(),
            &["a.map: this file is read", "write to another"],
        );
    }
}
