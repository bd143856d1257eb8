//! Tests the `map` commands.

use super::{Folder, SMALL};

#[test]
fn info_counts() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    let out = folder.good(&["map", "info", "a.map"]);
    for line in [
        "size        8x4, 32 cells",
        "passable    25 (78.1 %)",
        "components  2",
        "largest     21 (84.0 %)",
        "@ wall       7 (21.9 %)",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
}

#[test]
fn list_shows_builtins_and_files() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.file("sub/a.map", SMALL);
    folder.file("sub/a.map.scen", "version 1\n");
    folder.file("sub/bad.map", "nonsense");
    let done = folder.run(&["map", "list", "."]);
    assert_eq!(done.code, Some(0));
    assert!(done.out.contains("builtin:cave512") && done.out.contains("512x512"), "{}", done.out);
    assert!(done.out.lines().any(|line| line.contains("a.map") && line.ends_with("yes")), "{}", done.out);
    assert!(done.err.contains("bad.map:1: this is not a map"), "{}", done.err);
}

#[test]
fn generated_maps_can_be_read_and_repeat() {
    let folder = Folder::new();
    let kinds: [&[&str]; 6] = [
        &["maze", "--width", "31", "--height", "21", "--corridor", "2"],
        &["rooms", "--width", "33", "--height", "33", "--room", "7", "--doors", "60", "--centred"],
        &["random", "--width", "30", "--height", "20", "--blocked", "20"],
        &["corner", "--side", "20"],
        &["cave", "--width", "80", "--height", "64"],
        &["corridors", "--length", "20", "--width", "2", "--detour", "6"],
    ];
    for kind in kinds {
        let make = |file: &str, seed: &str| {
            folder.good(&[&["map", "generate"], kind, &["--seed", seed, "-o", file]].concat());
            folder.read(file)
        };
        let map = make("m.map", "7");
        assert_eq!(map, make("n.map", "7"));
        let has_problem = ["corner", "corridors"].contains(&kind[0]);
        assert_eq!(folder.path("m.map.scen").exists(), has_problem);
        assert_eq!(map == make("n.map", "8"), has_problem, "{kind:?}");
        assert!(folder.good(&["map", "info", "m.map"]).contains("passable"));
        let rows = if has_problem {
            folder.rows(&["m.map", "--budget", "inf"])
        } else {
            folder.rows(&["m.map", "--random", "3", "--planner", "astar"])
        };
        assert!(rows.iter().all(|row| row["ratio"] == 1.0));
        for file in folder.names() {
            std::fs::remove_file(folder.path(&file)).unwrap();
        }
    }
}

#[test]
fn generated_scenarios_state_our_lengths() {
    let folder = Folder::new();
    folder.good(&["map", "generate", "corner", "--side", "30", "-o", "c.map"]);
    let done = folder.run(&["run", "c.map"]);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
}

#[test]
fn scaling_multiplies_sides_and_lengths() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.good(&["map", "scale", "a.map", "3", "-o", "b.map"]);
    assert!(folder.good(&["map", "info", "b.map"]).contains("24x12"));
    folder.good(&["map", "scale", "b.map", "1", "-o", "c.map"]);
    assert_eq!(folder.read("b.map"), folder.read("c.map"));
}

#[test]
fn pictures_show_map_and_path() {
    let folder = Folder::new();
    folder.file("a.map", SMALL);
    folder.file("a.scen", "version 1\n0\ta.map\t8\t4\t0\t0\t4\t3\t6\n");
    let draw = |words: &[&str]| {
        folder.good(&[&["map", "render", "a.map", "-o", "a.png"], words].concat());
        folder.picture("a.png")
    };
    let (size, at) = draw(&["--scale", "10"]);
    assert_eq!(size, (80, 40));
    assert!(at(5, 5)[0] > 200 && at(15, 15)[0] < 100, "ground is pale, walls are dark");
    assert_eq!(draw(&[]).0, (8 * 32, 4 * 32));
    let vermilion = [213, 94, 0];
    let (_, with) = draw(&["--scale", "10", "--line", "0", "--path"]);
    let (_, without) = draw(&["--scale", "10", "--from", "0,0", "--to", "4,3"]);
    assert!((0..80).any(|x| with(x, 25) == vermilion || with(x, 15) == vermilion));
    assert!((0..80).all(|x| without(x, 25) != vermilion));
    assert_ne!(with(5, 5), at(5, 5), "the start is marked");
}
