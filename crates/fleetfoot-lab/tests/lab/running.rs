//! Checks that interruptions, shards and threads change no byte of the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use fleetfoot_lab::experiment::{parse, summarise};
use fleetfoot_lab::run::{
    About, Done, LabError, Plan, Row, Settings, Shard, Silent, Watch, carry_out, merge,
};

const EXPERIMENT: &str = r#"
maps = ["maze(width=31,height=31,seed={seed})", "cave(width=64,height=64,seed=3)"]
planners = ["repeated-astar", "rtaa(ties={seed})", "tbaa"]
budgets = [3, 20]
worlds = ["unknown", "partial(hidden=0.5,seed={seed})"]
seeds = [1, 2]
[problems]
random = 4
"#;

fn plan() -> Plan {
    parse(EXPERIMENT, Path::new(""), "test").unwrap()
}

fn settings(out: &Path) -> Settings<'_> {
    Settings { out, threads: 2, shard: Shard::WHOLE, fresh: false, watch: &Silent }
}

fn report(about: &About, rows: &[Row], out: &Path) {
    summarise(about, rows).write(out, rows).unwrap();
}

fn whole(out: &Path, threads: usize) -> Done {
    let plan = plan();
    let done = carry_out(&plan, &Settings { threads, ..settings(out) }).unwrap();
    report(&done.about, &done.rows, out);
    done
}

/// Returns all files in a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn same(a: &Path, b: &Path) {
    let (a, b) = (files(a), files(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (path, bytes) in &a {
        assert!(bytes == &b[path], "{} differs", path.display());
    }
    assert!(a.len() >= 7, "{:?}", a.keys());
}

#[test]
fn threads_make_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    let done = whole(&one, 1);
    assert_eq!(done.rows.len(), 2 * 2 * 2 * 4 * 3 * 2);
    assert!(done.rows.iter().all(|row| row.arrived() && row.ratio.unwrap() >= 1.0 - 1e-9));
    assert!(done.rows.iter().all(|row| row.plan_ns_total.is_none() && row.core_share.is_none()));
    assert!(done.rows.iter().all(|row| row.astar_difficulty.unwrap() >= 0.5));
    whole(&many, 5);
    same(&one, &many);
}

/// Leaves a folder as a process does that is killed before its first row.
fn cut_off(out: &Path) {
    struct Killer;
    impl Watch for Killer {
        fn begin(&self, _: usize, _: usize) {
            panic!("cut off");
        }
        fn one_more(&self) {}
        fn end(&self) {}
    }
    let run = || carry_out(&plan(), &Settings { watch: &Killer, ..settings(out) }).map(drop);
    assert!(std::panic::catch_unwind(run).is_err());
}

/// Checks that a stopped experiment keeps its rows and continues with the next call.
#[test]
fn a_stopped_experiment_continues() {
    struct Patience(AtomicUsize);
    impl Watch for Patience {
        fn begin(&self, _: usize, _: usize) {}
        fn one_more(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn end(&self) {}
        fn is_stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) >= 5
        }
    }
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let watch = Patience(AtomicUsize::new(0));
    let stopped = carry_out(&plan(), &Settings { watch: &watch, ..settings(folder.path()) });
    assert!(matches!(stopped, Err(LabError::Stopped)));
    let done = whole(folder.path(), 2);
    assert!(done.made_before >= 5 && done.made_before < done.rows.len());
    whole(other.path(), 1);
    same(folder.path(), other.path());
}

#[test]
fn a_truncated_journal_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (straight, cut) = (folder.path().join("straight"), folder.path().join("cut"));
    whole(&straight, 2);
    let rows = fs::read_to_string(straight.join("rows.jsonl")).unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    // As after a crash: some rows in another order, the last one truncated.
    for (kept, torn) in [(0, 10), (1, 0), (50, 300), (lines.len(), 0)] {
        let _ = fs::remove_dir_all(&cut);
        fs::create_dir_all(&cut).unwrap();
        cut_off(&cut);
        let mut backwards: Vec<&str> = lines[..kept].iter().rev().copied().collect();
        backwards.push(&lines[0][..torn]);
        let journal = backwards.join("\n");
        fs::write(cut.join("journal.jsonl"), journal).unwrap();
        let done = whole(&cut, 2);
        assert_eq!(done.made_before, kept);
        same(&straight, &cut);
    }
    // Nothing is left to do.
    assert_eq!(whole(&cut, 2).made_before, lines.len());
    same(&straight, &cut);
    // A fresh start repeats everything.
    let again = carry_out(&plan(), &Settings { fresh: true, ..settings(&cut) }).unwrap();
    assert_eq!(again.made_before, 0);
}

#[test]
fn shards_merge_to_the_whole_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    whole(&at("whole"), 2);
    let parts: Vec<PathBuf> = (1..=3).map(|k| at(&format!("part{k}"))).collect();
    for (k, part) in parts.iter().enumerate() {
        let shard = format!("{}/3", k + 1).parse().unwrap();
        carry_out(&plan(), &Settings { shard, ..settings(part) }).unwrap();
    }
    let missing = merge(&parts[..2], &at("merged"), &Silent).unwrap_err().to_string();
    assert!(missing.contains("runs are missing") && !at("merged").exists(), "{missing}");
    let merged = merge(&parts, &at("merged"), &Silent).unwrap();
    report(&merged.about, &merged.rows, &at("merged"));
    same(&at("whole"), &at("merged"));
    // A folder without an experiment, and one of another experiment.
    let none = merge(&[at("nowhere")], &at("m"), &Silent).unwrap_err().to_string();
    assert!(none.contains("there is no experiment in this folder"), "{none}");
    let other = parse("maps = [\"corner\"]\nplanners = [\"astar\"]", Path::new(""), "x").unwrap();
    carry_out(&other, &settings(&at("other"))).unwrap();
    let mixed = merge(&[parts[0].clone(), at("other")], &at("m"), &Silent).unwrap_err().to_string();
    assert!(mixed.contains("not a shard of the experiment"), "{mixed}");
}

#[test]
fn a_changed_experiment_keeps_what_it_can() {
    let folder = tempfile::tempdir().unwrap();
    whole(folder.path(), 2);
    let more = EXPERIMENT.replace("[3, 20]", "[3, 20, 90]").replace("\"repeated-astar\", ", "");
    let more = parse(&more, Path::new(""), "test").unwrap();
    let done = carry_out(&more, &settings(folder.path())).unwrap();
    assert_eq!((done.rows.len(), done.made_before), (2 * 2 * 2 * 4 * 2 * 3, 2 * 2 * 2 * 4 * 2 * 2));
    assert!((0..).zip(&done.rows).all(|(index, row)| row.index == index));
}

#[test]
fn damaged_rows_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    whole(folder.path(), 2);
    fs::write(folder.path().join("journal.jsonl"), "{\"a\":1}\n").unwrap();
    let Err(LabError::Input(error)) = carry_out(&plan(), &settings(folder.path())) else {
        panic!("no error")
    };
    assert!(error.to_string().contains("journal.jsonl:1: this is no row"), "{error}");
    fs::remove_file(folder.path().join("journal.jsonl")).unwrap();
    let text = fs::read_to_string(folder.path().join("lab.json")).unwrap();
    fs::write(folder.path().join("lab.json"), text.replace("fleetfoot 0", "fleetfoot 999")).unwrap();
    let Err(LabError::Input(error)) = carry_out(&plan(), &settings(folder.path())) else {
        panic!("no error")
    };
    assert!(error.to_string().contains("the rows are from fleetfoot 999"), "{error}");
}

#[test]
fn timed_runs_have_times() {
    let folder = tempfile::tempdir().unwrap();
    let text = "maps = [\"cave(width=64,height=64)\"]\nplanners = [\"astar\", \"tba\"]\ntimed = true\n[problems]\nrandom = 2";
    let plan = parse(text, Path::new(""), "timed").unwrap();
    let done = carry_out(&plan, &settings(folder.path())).unwrap();
    // A run has times exactly if it had its core to itself, which no test can ensure.
    for row in &done.rows {
        let share = row.core_share.unwrap();
        assert_eq!(row.plan_ns_total.is_some(), share >= 0.95, "{share}");
        assert!(row.plan_ns_total.is_none_or(|time| time > 0) && share > 0.0);
    }
    report(&plan.about, &done.rows, folder.path());
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(html.contains("µs per step") && html.contains("<svg"));
    let text = fs::read_to_string(folder.path().join("rows.csv")).unwrap();
    let mut lines = text.lines().map(words);
    let names = lines.next().unwrap();
    for (row, line) in done.rows.iter().zip(lines.by_ref()) {
        let get = |name: &str| &line[names.iter().position(|other| other == name).unwrap()];
        assert_eq!((line.len(), get("run"), get("planner")), (names.len(), &row.run, &row.planner));
        assert_eq!(get("cost").parse(), Ok(row.cost));
        assert_eq!(*get("start"), format!("{},{}", row.start.0, row.start.1));
        assert_eq!(*get("trial"), "");
    }
    assert_eq!(lines.next(), None);
}

/// Splits a line of CSV.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_holds_the_same_rows() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let folder = tempfile::tempdir().unwrap();
    let done = whole(folder.path(), 2);
    let file = fs::File::open(folder.path().join("rows.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let read: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(read.len(), done.rows.len());
    for (read, row) in read.iter().zip(&done.rows) {
        let get = |name: &str| read.get_column_iter().find(|(other, _)| *other == name).unwrap().1.clone();
        assert_eq!(get("index"), Field::Long(i64::try_from(row.index).unwrap()));
        assert_eq!(get("planner"), Field::Str(row.planner.clone()));
        assert_eq!(get("cost"), Field::Double(row.cost));
        assert_eq!(get("optimal"), Field::Double(row.optimal.unwrap()));
        assert_eq!(get("plan_ns_total"), Field::Null);
    }
}
