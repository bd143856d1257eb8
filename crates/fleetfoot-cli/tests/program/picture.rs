//! Tests `run --picture`.

use super::Folder;

const WORDS: [&str; 4] = ["run", "builtin:corridors", "--budget", "5"];

#[test]
fn shows_walks_side_by_side_with_a_legend() {
    let folder = Folder::new();
    let planners = ["--planner", "astar", "--planner", "tba", "--picture", "w.png"];
    let out = folder.good(&[&WORDS[..], &planners].concat());
    let legend = &out[out.find("w.png: problem 0, from 1,24 to 66,24").unwrap()..];
    let line = |place: &str| {
        let line = legend.lines().find(|line| line.starts_with(place)).unwrap_or_else(|| panic!("{out}"));
        line[place.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let (astar, tba) = (line("top "), line("bottom "));
    // planner, budget, outcome, moves, waits, first move, ratio, reversals, revisits
    assert_eq!((astar[0].as_str(), astar[1].as_str(), astar[2].as_str()), ("astar", "5", "arrived"));
    assert_eq!((astar[6].as_str(), astar[7].as_str()), ("1.0000", "0"));
    assert_eq!((tba[0].as_str(), tba[4].as_str(), tba[5].as_str()), ("tba", "0", "1"));
    assert!(tba[7] != "0" && tba[6] > astar[6], "{out}");
    assert!(legend.contains("White dots") && legend.lines().all(|line| line.chars().count() <= 120));
    let ((width, height), at) = folder.picture("w.png");
    assert!(width <= 2000 && height <= 2000 && width > 1000, "{width}x{height}");
    let has = |rows: std::ops::Range<u32>, colour: [u8; 3]| {
        rows.into_iter().any(|y| (0..width).any(|x| at(x as usize, y as usize) == colour))
    };
    for rows in [0..height / 2, height / 2..height] {
        for (what, colour) in [("start", [0, 84, 170]), ("goal", [204, 84, 150]), ("ground", [247, 244, 236])]
        {
            assert!(has(rows.clone(), colour), "{what}");
        }
    }
    assert_eq!(folder.names(), ["w.png"]);
}

#[test]
fn legends_do_not_mix_with_rows() {
    let folder = Folder::new();
    folder.file("w.png", "old");
    let words =
        ["run", "builtin:rooms100", "--random", "3", "--world", "unknown", "--budget", "5,10,20,40,80"];
    let done = folder.run(&[&words[..], &["--picture", "w.png", "--format", "jsonl"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.lines().all(|line| line.starts_with('{')) && done.out.lines().count() == 15);
    assert!(done.err.contains("(of 3 problems the first is drawn)"), "{}", done.err);
    assert!(
        done.err.contains("(of 5 combinations of planner and budget the first 4 are drawn)"),
        "{}",
        done.err
    );
    let ((width, height), _) = folder.picture("w.png");
    assert!(width.max(height) <= 2000);
    // With the rows in a file the terminal is free.
    let words = [&words[..7], &["5", "--picture", "w.png", "--output", "r.csv"]].concat();
    let done = folder.run(&words);
    assert!(done.code == Some(0) && done.out.starts_with("w.png: problem 0"), "{}{}", done.out, done.err);
    assert_eq!(folder.names(), ["r.csv", "w.png"]);
}

/// Checks that equal walks give equal pictures, even without moves.
#[test]
fn is_the_same_again() {
    let folder = Folder::new();
    folder.file("a.map", super::SMALL);
    for to in ["5,3", "0,0", "7,3"] {
        let draw = |file: &str| {
            folder.good(&["run", "a.map", "--from", "0,0", "--to", to, "--picture", file]);
            std::fs::read(folder.path(file)).unwrap()
        };
        assert_eq!(draw("a.png"), draw("b.png"), "{to}");
    }
}
