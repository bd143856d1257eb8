//! Tests `fleetfoot bench` and `fleetfoot merge`.

use std::path::Path;

use super::Folder;
use super::bad_input::refused;

const TINY: &str = "title = \"Tiny\"\nmaps = [\"maze(width=21,height=21,seed={seed})\"]\nplanners = [\"astar\", \"tba\"]\n\
                    budgets = [5, 50]\nseeds = [1, 2]\n[problems]\nrandom = 3\n";

#[test]
fn an_experiment_leaves_rows_plots_and_reports() {
    let folder = Folder::new();
    folder.file("tiny.toml", TINY);
    let done = folder.run(&["bench", "tiny.toml"]);
    assert_eq!((done.code, done.out.trim()), (Some(0), "tiny/report.html"));
    assert!(done.err.contains("expansions a tick, all work charged"), "{}", done.err);
    let rows = folder.read("tiny/rows.jsonl");
    assert_eq!(rows.lines().count(), 2 * 3 * 2 * 2);
    assert_eq!(folder.read("tiny/rows.csv").lines().count(), 2 * 3 * 2 * 2 + 1);
    let report = folder.read("tiny/report.md");
    for part in ["# Tiny", "## Means", "tba at 50", "A\\* difficulty", "## Pairs", "figures/pareto.svg"] {
        assert!(report.contains(part), "{part} is missing:\n{report}");
    }
    let png = std::fs::read(folder.path("tiny/figures/pareto.png")).unwrap();
    let info = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap().info().size();
    assert!(info.0 > 500 && info.1 > 500);
    // Repeated: nothing to do, the same files.
    let done = folder.run(&["bench", "tiny.toml", "--threads", "3"]);
    assert!(!done.err.contains("runs in"), "{}", done.err);
    assert_eq!(folder.read("tiny/rows.jsonl"), rows);
    assert_eq!(folder.read("tiny/report.md"), report);
}

#[test]
fn shards_are_joined() {
    let folder = Folder::new();
    folder.file("tiny.toml", TINY);
    folder.good(&["bench", "tiny.toml"]);
    for part in ["1/2", "2/2"] {
        let out = format!("part{}", &part[..1]);
        let done = folder.run(&["bench", "tiny.toml", "--shard", part, "--output", &out]);
        assert!(done.err.contains("fleetfoot merge") && done.out.is_empty(), "{}", done.err);
        assert!(!folder.path(&out).join("report.md").exists());
    }
    refused(
        &folder,
        &["merge", "part1", "--output", "joined"],
        &["12 of 24 runs are missing", "other shards"],
    );
    folder.good(&["merge", "part1", "part2", "--output", "joined"]);
    for file in ["rows.jsonl", "rows.csv", "report.md", "report.html", "figures/pareto.svg", "lab.json"] {
        assert_eq!(folder.read(&format!("joined/{file}")), folder.read(&format!("tiny/{file}")), "{file}");
    }
    refused(
        &folder,
        &["merge", "nowhere", "--output", "x"],
        &["nowhere: there is no experiment in this folder"],
    );
    refused(&folder, &["bench", "tiny.toml", "--shard", "3/2"], &["there is no part 3 of 2"]);
}

#[test]
fn bad_experiments_are_refused_by_line() {
    let folder = Folder::new();
    refused(&folder, &["bench", "no.toml"], &["no.toml: cannot read", "check the path"]);
    let cases = [
        (
            "planners = [\"tba\"]\nmaps = [\"corner\"]\nbudget = 3",
            "bad.toml:3: unknown field `budget`",
            "budgets",
        ),
        (
            "maps = [\"corner\"]\nplanners = [\"tbx\"]",
            "bad.toml:2: there is no planner `tbx`",
            "did you mean `tba`",
        ),
        (
            "maps = [\"a.map\"]\nplanners = [\"tba\"]",
            "bad.toml:1: there is no map `a.map`",
            "builtin:cave256",
        ),
        ("maps = \"corner\"\nplanners = [\"tba\"]", "bad.toml:1: invalid type", "maps"),
    ];
    for (text, what, choices) in cases {
        folder.file("bad.toml", text);
        refused(&folder, &["bench", "bad.toml"], &[what, choices]);
    }
}

/// Checks that databases and scripts are found next to the file, and that rows of different contents are not reused.
#[test]
fn files_beside_the_experiment() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    let text =
        "maps = [\"builtin:rooms100\"]\nplanners = [\"knn-lrta(database=k.db)\"]\n[problems]\nrandom = 3";
    folder.file("sub/e.toml", text);
    refused(&folder, &["bench", "sub/e.toml"], &["sub/e.toml:2: ", "k.db: cannot read"]);
    let build = |seed: &str| {
        folder.good(&[
            "database",
            "build",
            "builtin:rooms100",
            "--records",
            "50",
            "--seed",
            seed,
            "-o",
            "sub/k.db",
        ]);
        folder.run(&["bench", "sub/e.toml", "--threads", "1"])
    };
    let first = build("1");
    assert!(first.err.contains("3 runs in") && first.err.contains("on 1 thread:"), "{}", first.err);
    assert!(folder.read("e/rows.csv").contains("knn-lrta(database=k.db)"));
    std::fs::remove_file(folder.path("sub/k.db")).unwrap();
    let second = build("2");
    assert!(second.err.contains("3 runs in"), "rows of another database: {}", second.err);
    let again = folder.run(&["bench", "sub/e.toml"]);
    assert!(!again.err.contains("runs in"), "{}", again.err);
    // A database of another map is refused with the line before anything is run.
    folder.file("sub/f.toml", &text.replace("rooms100", "corner40"));
    refused(&folder, &["bench", "sub/f.toml"], &["sub/f.toml:2: ", "k.db: "]);
    folder.file("sub/g.toml", &format!("{SCRIPTED}\"dynamic(s.txt)\"]"));
    refused(&folder, &["bench", "sub/g.toml"], &["sub/g.toml:3: ", "s.txt: cannot read"]);
    folder.file("sub/s.txt", "fleetfoot-script 1\nsize 40 40\n9 shut 1 1\n");
    refused(&folder, &["bench", "sub/g.toml"], &["sub/g.toml:3: ", "s.txt:3: "]);
    folder.file("sub/s.txt", "fleetfoot-script 1\nsize 40 40\n");
    folder.good(&["bench", "sub/g.toml"]);
}

const SCRIPTED: &str = "maps = [\"corner\"]\nplanners = [\"dstar-lite\"]\nworlds = [";

#[test]
fn notes_say_what_happens_to_rows() {
    let folder = Folder::new();
    folder.file("tiny.toml", TINY);
    folder.good(&["bench", "tiny.toml"]);
    let part = folder.run(&["bench", "tiny.toml", "--shard", "1/2"]);
    for note in ["note: 12 rows are not wanted now; others.jsonl", "note: the report of the rows", "part 1/2"]
    {
        assert!(part.err.contains(note), "{}", part.err);
    }
    assert!(!folder.path("tiny/report.html").exists() && !folder.path("tiny/rows.csv").exists());
    let whole = folder.run(&["bench", "tiny.toml"]);
    assert!(!whole.err.contains("runs in"), "nothing is made again: {}", whole.err);
    assert_eq!(folder.read("tiny/rows.csv").lines().count(), 2 * 3 * 2 * 2 + 1);
    let lab = folder.read("tiny/lab.json");
    let build = &lab.split_once("\"24 ").unwrap().1[..16];
    folder.file("tiny/lab.json", &lab.replace(build, "0123456789abcdef"));
    let told = folder.run(&["bench", "tiny.toml"]).err;
    assert!(told.contains("note: 24 rows were made by another build of fleetfoot 0."), "{told}");
    assert!(told.contains("--fresh makes them anew"), "{told}");
    // The file has no ending, so the folder would be the file itself.
    folder.file("plain", TINY);
    refused(
        &folder,
        &["bench", "plain"],
        &["plain: the results need a folder, and this is a file", "--output"],
    );
}

/// Checks the book's examples: the smallest is executed, the others are read.
#[test]
fn the_books_experiments() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/experiments");
    let mut count = 0;
    for entry in std::fs::read_dir(book).unwrap() {
        let path = entry.unwrap().path();
        let plan = fleetfoot_lab::experiment::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(plan.jobs().len() >= 60 && !plan.about.title.is_empty());
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn studies_are_listed_and_refused() {
    let folder = Folder::new();
    let list = folder.good(&["reproduce", "--list"]);
    for id in [
        "rtaa-table1",
        "rtaa-fig9",
        "tba-table1",
        "tba-fig3",
        "tbaa-unknown",
        "rtd-fig4",
        "chapter-fig15",
        "corners",
        "regret",
    ] {
        assert!(list.contains(id), "{id} is missing:\n{list}");
    }
    refused(&folder, &["reproduce", "rtaa-table2"], &["there is no study `rtaa-table2`", "rtaa-table1"]);
    refused(&folder, &["reproduce"], &["no ID is given", "--list"]);
    refused(
        &folder,
        &["reproduce", "tba-table1", "--maps", "nowhere"],
        &["nowhere: there is no such folder of maps", "wc3maps512"],
    );
}

/// Checks that replacements of missing maps are reported before the runs.
#[test]
fn missing_maps_are_reported_before_the_runs() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("maps")).unwrap();
    folder.file("maps/mine.map", "type octile\nheight 2\nwidth 9\nmap\n.........\n.........\n");
    let told = |maps: Option<&str>, more: &[&str]| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot"));
        // One of many parts: hardly any runs.
        command.args(["reproduce", "tbaa-known", "--shard", "1/9999"]).args(more);
        maps.map(|value| command.env("FLEETFOOT_MAPS", value));
        let output = command.current_dir(folder.path("")).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{err}");
        err
    };
    for maps in [None, Some("")] {
        let err = told(maps, &[]);
        let (before, _) = err.split_once("part 1/9999").unwrap();
        assert!(before.contains("no folder of game maps was given"), "{err}");
    }
    let err = told(Some("nowhere"), &["--maps", "maps"]);
    assert!(err.contains("missing in the folder of maps") && err.contains("maps: maps/mine.map"), "{err}");
}

#[test]
fn a_study_is_made_and_judged() {
    let folder = Folder::new();
    let told = folder.good(&["reproduce", "chapter-fig15", "--shard", "1/2", "--output", "a"]);
    assert_eq!(told, "");
    folder.good(&["reproduce", "chapter-fig15", "--shard", "2/2", "--output", "b"]);
    folder.good(&["merge", "a/chapter-fig15", "b/chapter-fig15", "--output", "c"]);
    let told = folder.good(&["reproduce", "chapter-fig15", "--output", "whole"]);
    assert!(told.contains("C3c: holds") && told.contains("whole/chapter-fig15/report.html"), "{told}");
    let charged = "expansions a tick, expansions and key refreshes charged, as in the papers\n";
    assert!(told.lines().nth(1).unwrap().starts_with("  budgets: ") && told.contains(charged), "{told}");
    for file in ["rows.jsonl", "rows.csv", "report.md", "report.html", "figures/fig15.svg", "lab.json"] {
        let whole = folder.read(&format!("whole/chapter-fig15/{file}"));
        assert_eq!(folder.read(&format!("c/{file}")), whole, "{file}");
    }
}

/// Checks Ctrl-C in the middle: the message says what was kept, the exit code is that of shells, and the same command
/// continues.
#[test]
#[cfg(unix)]
fn ctrl_c_reports_the_kept_rows() {
    let folder = Folder::new();
    let long = "maps = [\"maze(width=61,height=61,seed={seed})\"]\nplanners = [\"lrta\", \"rtaa\"]\nbudgets = [5]\nmoves = 4\n\
                worlds = [\"unknown\"]\nseeds = [1, 2, 3, 4]\n[problems]\nrandom = 5\n";
    folder.file("long.toml", long);
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("fleetfoot"));
    command.args(["bench", "long.toml", "--threads", "1"]).current_dir(folder.path(""));
    let mut running =
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // The journal exists from the first run on. Its first rows may come too late: a fast machine ends within the half
    // second that they are delayed, and the journal is gone then.
    let journal = folder.path("long/journal.jsonl");
    while !journal.exists() && running.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    let ended = running.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    // A fast machine may have finished before.
    if ended.status.code() == Some(0) {
        return;
    }
    assert_eq!(ended.status.code(), Some(130), "{err}");
    assert!(err.contains("note: stopping when the runs under way are made"), "{err}");
    let kept = err.split_once("note: stopped: ").unwrap().1;
    assert!(
        kept.contains(" of 40 runs are made and kept in long; the same command goes on from there"),
        "{err}"
    );
    let made: usize = kept.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), made);
    let again = folder.run(&["bench", "long.toml"]);
    let told = format!("note: {made} runs were made before, {} remain", 40 - made);
    assert_eq!(again.err.contains(&told), made > 0, "{}", again.err);
    assert_eq!(folder.read("long/rows.jsonl").lines().count(), 40);
}

/// Checks that an edited row is reported with its line, that known and unknown worlds share an experiment, and that
/// the report has its conditions.
#[test]
fn reports_say_how_they_were_made() {
    let folder = Folder::new();
    let both = "title = \"Both\"\nmaps = [\"corner(side=14)\", \"maze(width=31,height=31)\"]\nplanners = [\"tba\", \"rtaa\"]\n\
                budgets = [5]\nworlds = [\"known\", \"unknown\"]\nprices = [\"all\"]\nskip = true\ntrials = 4\n[problems]\nrandom = 3\n";
    folder.file("both.toml", both);
    let done = folder.run(&["bench", "both.toml"]);
    assert!(
        done.err.contains("note: skipped: tba in unknown: planner tba works in known worlds only"),
        "{}",
        done.err
    );
    for name in ["report.md", "report.html", "report.json"] {
        let text = folder.read(&format!("both/{name}"));
        for part in [
            "fleetfoot bench both.toml",
            "5 expansions a tick, all work charged",
            "all: expansion 1",
            "tba in unknown",
            "checksum",
            "Learning",
        ] {
            assert!(text.contains(part), "{part} is missing in {name}");
        }
        assert!(!text.contains(folder.path("").to_str().unwrap()), "an absolute path in {name}");
    }
    let rows = folder.read("both/rows.jsonl");
    folder.file("both/rows.jsonl", &rows.replacen("\"arrived\"", "\"gave-up\"", 1));
    let told = folder.run(&["bench", "both.toml"]);
    assert_eq!(told.code, Some(2), "{}", told.err);
    for part in ["error: both/rows.jsonl:1: this row was changed", "remove the line"] {
        assert!(told.err.contains(part), "{}", told.err);
    }
}
