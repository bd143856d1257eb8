//! Tests `run --replay` and `replay`.

use super::Folder;

const WORDS: [&str; 6] = ["run", "builtin:corridors", "--planner", "tba", "--budget", "5"];

/// Records a short run. Returns the folder.
fn recorded(file: &str) -> Folder {
    let folder = Folder::new();
    let out = folder.good(&[&WORDS[..], &["--replay", file]].concat());
    assert!(out.contains(&format!("{file}: problem 0, from 1,24 to 66,24; ")), "{out}");
    assert!(out.contains("  tba, budget 5: ") && out.contains(" ticks, arrived"), "{out}");
    folder
}

#[test]
fn a_page_and_a_record_hold_the_same() {
    let folder = recorded("w.html");
    let page = folder.read("w.html");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    folder.good(&["replay", "w.html", "--to", "ffr"]);
    folder.good(&["replay", "w.ffr", "-o", "again.html"]);
    assert_eq!(folder.read("again.html"), page);
    assert_eq!(folder.names(), ["again.html", "w.ffr", "w.html"]);
}

#[test]
fn makes_pictures_and_traces() {
    let folder = recorded("w.ffr");
    for (words, name, magic) in [
        (&["--to", "png", "--tick", "20"][..], "w.png", &b"\x89PNG"[..]),
        (&["--to", "gif", "--frames", "5", "--side", "200"], "w.gif", b"GIF89a"),
        (&["--to", "jsonl"], "w.jsonl", b"{"),
        (&["--to", "posthoc"], "w.trace.yaml", b"{"),
        (&["--to", "workspace", "--life", "1"], "w.workspace", b""),
        (&["-o", "x.html"], "x.html", b"<!doctype html>"),
    ] {
        let done = folder.run(&[&["replay", "w.ffr"], words].concat());
        assert!(done.code == Some(0) && done.err.contains(name), "{}", done.err);
        assert!(std::fs::read(folder.path(name)).unwrap().starts_with(magic), "{name}");
    }
    // The map of a trace is a file of its own.
    assert!(folder.read("w.grid").starts_with("type octile\nheight "));
}

#[test]
fn a_story_has_the_book_in_it() {
    let folder = Folder::new();
    folder.good(&[&WORDS[..], &["--replay", "w.html", "--story"]].concat());
    let page = folder.read("w.html");
    assert!(page.contains("<script id=\"story\"") && page.contains("Time-bounded A*"));
    // It is still a page with a record.
    folder.good(&["replay", "w.html", "--to", "ffr"]);
}

#[test]
fn a_window_and_fewer_searches() {
    let folder = Folder::new();
    let words =
        ["--replay", "w.ffr", "--replay-window", "10..30", "--replay-every", "3", "--format", "jsonl"];
    let done = folder.run(&[&WORDS[..], &words].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.lines().count() == 1 && done.out.starts_with('{'), "rows stay pure: {}", done.out);
    assert!(done.err.contains("20 ticks, not over"), "{}", done.err);
    folder.good(&["replay", "w.ffr", "--to", "jsonl"]);
    let text = folder.read("w.jsonl");
    let second = text.lines().nth(1).unwrap();
    assert!(
        second.contains("\"tick\":11,") && text.lines().count() == 21,
        "the first tick after the tenth: {second}"
    );
}

#[test]
fn legends_list_omitted_planners() {
    let folder = Folder::new();
    let words = ["run", "builtin:rooms100", "--random", "3", "-b", "5,10,20,40,80", "--replay", "w.html"];
    let out = folder.good(&words);
    assert!(out.contains("(of 3 problems the first is recorded)"), "{out}");
    assert!(out.contains("(of 5 combinations of planner and budget the first 4 are recorded)"), "{out}");
}

#[test]
fn bad_input_is_reported_and_leaves_no_file() {
    let folder = recorded("w.ffr");
    let whole = std::fs::read(folder.path("w.ffr")).unwrap();
    let mut newer = whole.clone();
    newer[8] = 9;
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 4;
    for (name, bytes) in [
        ("cut.ffr", &whole[..whole.len() - 9]),
        ("newer.ffr", &newer),
        ("damaged.ffr", &damaged),
        ("empty.ffr", b""),
        ("text.ffr", b"type octile\nheight 1\n"),
        ("page.html", b"<!doctype html>\n<title>x</title>"),
    ] {
        std::fs::write(folder.path(name), bytes).unwrap();
    }
    let before = folder.names();
    for (words, expected) in [
        (
            &["replay", "cut.ffr"][..],
            "cut.ffr: the record ends too early: it is cut off; copy the file again",
        ),
        (
            &["replay", "newer.ffr", "--to", "gif"],
            "newer.ffr: the record has format 9, and this program reads format 2",
        ),
        (&["replay", "damaged.ffr"], "damaged.ffr: the record is damaged: a checksum does not match; record"),
        (&["replay", "empty.ffr"], "empty.ffr: the file is empty; record a run with"),
        (&["replay", "text.ffr"], "text.ffr: this is no Fleetfoot record; make one with"),
        (&["replay", "page.html", "--to", "png"], "page.html: this page holds no Fleetfoot record; make one"),
        (&["replay", "none.ffr"], "none.ffr: cannot read"),
        (
            &["replay", "w.ffr", "-o", "w.ffr"],
            "w.ffr: this file is read by the same command; write to another one",
        ),
        (
            &["replay", "w.ffr", "--to", "png", "--tick", "99999"],
            "w.ffr: the record has no tick 99999; choose one from 0 to",
        ),
        (&["replay", "w.ffr", "--tick", "9"], "--tick chooses what a png shows; add --to png"),
        (&["replay", "w.ffr", "--to", "png", "--frames", "9"], "--frames is for a gif; leave it out"),
        (&["replay", "w.ffr", "--side", "99"], "--side is for a png or a gif"),
        (&["replay", "w.ffr", "--to", "gif", "--life", "1"], "--life chooses what a posthoc trace shows"),
        (&["replay", "."], ".: this is a folder; name a file that"),
        (
            &["replay", "w.ffr", "-o", "q.txt"],
            "q.txt: nothing is known to be written to such a file; name one that ends in .html, .ffr, .png, .gif",
        ),
        (
            &[&WORDS[..], &["--replay", "late.html", "--replay-window", "5000..6000"]].concat(),
            "late.html: tba with budget 5: the run ends at tick ",
        ),
        (
            &["replay", "w.ffr", "--to", "posthoc", "--life", "2"],
            "w.ffr: the record has no planner 2; choose a --life from 1 to 1",
        ),
        (&["replay", "w.ffr", "-o", "nowhere/w.html"], "nowhere/w.html: cannot write"),
        (
            &["replay", "w.ffr", "--to", "posthoc", "-o", "w.json"],
            "w.json: a trace.yaml would be written, and this name has a different ending; name a file that ends in .trace.yaml",
        ),
        (
            &["run", "builtin:corridors", "-o", "w.html", "--replay", "./w.html"],
            "./w.html: two outputs of this command would be written to this file, and one of them be lost; name a file",
        ),
        (
            &["run", "builtin:corridors", "--replay", "w.png"],
            "w.png: a replay is a page (.html) or a bare record (.ffr)",
        ),
        (
            &["run", "builtin:corridors", "--replay", "w.html", "--replay-window", "9..3"],
            "write the earlier tick first",
        ),
        (&["run", "builtin:corridors", "--replay-every", "3"], "--replay <FILE>"),
        (&["run", "builtin:corridors", "--story"], "--replay <FILE>"),
        (
            &["run", "builtin:corridors", "--replay", "w.ffr", "--story"],
            "--story is for a page, and a bare record is to be written; name a file that ends in .html",
        ),
    ] {
        let done = folder.run(words);
        assert_eq!(done.code, Some(2), "{words:?}");
        assert!(done.err.contains(expected), "{words:?}: {}", done.err);
        assert_eq!(folder.names(), before, "{words:?}");
    }
}

/// Checks that the first, second, middle and last of an agent's trials are recorded, and that each walks as in its
/// row.
#[test]
fn trials_are_recorded() {
    let folder = Folder::new();
    let words = [
        "run",
        "builtin:corner40",
        "--from",
        "30,30",
        "--to",
        "39,39",
        "--world",
        "unknown",
        "-b",
        "5",
        "--trials",
        "9",
    ];
    let rows = folder.good(&[&words[..], &["-p", "rtaa", "--format", "jsonl"]].concat());
    let steps: Vec<u64> = rows
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["steps"].as_u64().unwrap())
        .collect();
    assert!(steps.len() >= 4 && steps[0] > *steps.last().unwrap(), "{steps:?}");
    let told = folder.good(&[&words[..], &["-p", "rtaa", "--replay", "t.ffr"]].concat());
    let record = fleetfoot_view::Record::from_bytes(&std::fs::read(folder.path("t.ffr")).unwrap()).unwrap();
    let all = steps.len();
    let chosen = [1, 2, all.div_ceil(2), all];
    for (life, trial) in record.meta().lives.iter().zip(chosen) {
        assert_eq!(
            (life.ticks, life.name.as_str()),
            (steps[trial - 1], &*format!("RTAA*, trial {trial} of {all}"))
        );
        assert!(told.contains(&format!("rtaa, budget 5, trial {trial} of {all}: ")), "{told}");
    }
    assert_eq!(record.meta().lives.len(), 4);
    // Two planners: the first and the last trial of each.
    folder.good(&[&words[..], &["-p", "rtaa", "-p", "lss-lrta", "--replay", "u.html"]].concat());
    folder.good(&["replay", "u.html", "--to", "png", "-o", "u.png"]);
}
