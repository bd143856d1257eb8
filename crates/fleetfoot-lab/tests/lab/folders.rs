//! Tests the contents of folders after changes of plans, files and programs: nothing stale, lost or mixed.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fleetfoot_lab::experiment::{parse, summarise};
use fleetfoot_lab::run::{Done, Plan, Settings, Shard, Silent, Watch, carry_out, merge};

/// Collects notes. Interrupts before the first run on request.
#[derive(Default)]
struct Notes {
    notes: Mutex<Vec<String>>,
    is_cut_off: bool,
}

impl Watch for Notes {
    fn begin(&self, _: usize, _: usize) {
        assert!(!self.is_cut_off, "cut off");
    }
    fn one_more(&self) {}
    fn end(&self) {}
    fn note(&self, text: &str) {
        self.notes.lock().unwrap().push(text.to_owned());
    }
}

fn plan(planners: &str, random: u32) -> Plan {
    let text = format!(
        "maps = [\"maze(width=21,height=21)\"]\nplanners = [{planners}]\nbudgets = [5]\n[problems]\nrandom = {random}"
    );
    parse(&text, Path::new(""), "x").unwrap()
}

const BOTH: &str = "\"astar\", \"tba\"";

fn settings<'a>(out: &'a Path, shard: &str, watch: &'a dyn Watch) -> Settings<'a> {
    Settings { out, threads: 2, shard: shard.parse().unwrap(), fresh: false, watch }
}

/// Executes a plan. Returns its result and the notes.
fn noted(plan: &Plan, out: &Path, shard: &str) -> (Done, Vec<String>) {
    let watch = Notes::default();
    let done = carry_out(plan, &settings(out, shard, &watch)).unwrap();
    (done, watch.notes.into_inner().unwrap())
}

fn carried(plan: &Plan, out: &Path, shard: &str) -> Done {
    noted(plan, out, shard).0
}

/// Leaves a folder as a process does that is killed after preparing it.
fn killed(plan: &Plan, out: &Path) {
    let watch = Notes { is_cut_off: true, ..Notes::default() };
    let run = AssertUnwindSafe(|| carry_out(plan, &settings(out, "1/1", &watch)).map(drop));
    assert!(catch_unwind(run).is_err());
}

fn report(plan: &Plan, done: &Done, out: &Path) {
    summarise(&plan.about, &done.rows).write(out, &done.rows).unwrap();
}

fn refusal(parts: &[PathBuf], out: &Path) -> String {
    merge(parts, out, &Silent).unwrap_err().to_string()
}

#[test]
fn a_different_script_of_the_same_name_repeats_runs() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.map"), "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n").unwrap();
    let text = "maps = [\"a.map\"]\nplanners = [\"dstar-lite\"]\nworlds = [\"dynamic(s.txt)\"]\n[problems]\npairs = [[0, 0, 4, 0]]";
    let carry = |script: &str| {
        fs::write(at("s.txt"), format!("fleetfoot-script 1\nsize 5 3\n{script}")).unwrap();
        let plan = parse(text, folder.path(), "x").unwrap();
        let done = carried(&plan, &at("out"), "1/1");
        (done.made_before, done.rows[0].cost, done.rows[0].world.clone())
    };
    let (before, free, world) = carry("");
    assert_eq!((before, world.as_str()), (0, "dynamic(s.txt)"), "the name is as it was written");
    let (before, blocked, _) = carry("1 close 3 0\n");
    assert_eq!(before, 0, "rows of another script");
    assert!(blocked > free + 1.0, "{blocked} and {free}");
    assert_eq!(carry("1 close 3 0\n").0, 1, "the same again");
    // Rows of the first one were not discarded.
    assert_eq!(carry("").0, 1);
    let unread = text.replace("s.txt", "no.txt");
    let told = parse(&unread, folder.path(), "x").unwrap_err().to_string();
    assert!(told.starts_with("line 3: ") && told.contains("no.txt: cannot read"), "{told}");
}

#[test]
fn rows_of_another_build_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (two, four) = (plan(BOTH, 2), plan(BOTH, 4));
    let (done, notes) = noted(&two, folder.path(), "1/1");
    assert_eq!((done.rows.len(), notes), (4, vec![]));
    drop(done);
    let lab = folder.path().join("lab.json");
    let ours = fs::read_to_string(&lab).unwrap();
    let (_, build) = ours.split_once("\"4 ").unwrap();
    let build = &build[..16];
    // A folder from another build, and one from a program that did not record builds.
    let unknown: String = {
        let mut value: serde_json::Value = serde_json::from_str(&ours).unwrap();
        value.as_object_mut().unwrap().remove("builds").unwrap();
        value.to_string()
    };
    for text in [ours.replace(build, "0123456789abcdef"), unknown] {
        fs::write(&lab, text).unwrap();
        let rows = fs::read(folder.path().join("rows.jsonl")).unwrap();
        for _ in 0..2 {
            let (done, notes) = noted(&two, folder.path(), "1/1");
            assert_eq!(done.made_before, 4, "they are reused as well");
            assert_eq!(notes.len(), 1, "{notes:?}");
            assert!(notes[0].starts_with("4 rows were made by another build of fleetfoot 0."), "{notes:?}");
            assert!(notes[0].ends_with("; --fresh makes them anew"), "{notes:?}");
        }
        assert_eq!(fs::read(folder.path().join("rows.jsonl")).unwrap(), rows);
    }
    // Our own rows among them are not counted, even after an interruption.
    killed(&four, folder.path());
    for _ in 0..2 {
        let (done, notes) = noted(&four, folder.path(), "1/1");
        assert!(notes[0].starts_with("4 rows were made"), "{notes:?}");
        assert_eq!(done.rows.len(), 8);
    }
    let watch = Notes::default();
    carry_out(&four, &Settings { fresh: true, ..settings(folder.path(), "1/1", &watch) }).unwrap();
    assert!(watch.notes.into_inner().unwrap().is_empty());
}

#[test]
fn parts_of_several_builds_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let parts = ["1/2", "2/2"].map(|shard| folder.path().join(shard.replace('/', "-")));
    let plan = plan(BOTH, 4);
    carried(&plan, &parts[0], "1/2");
    carried(&plan, &parts[1], "2/2");
    let lab = parts[1].join("lab.json");
    let text = fs::read_to_string(&lab).unwrap();
    let build = text.split_once("\"4 ").unwrap().1[..16].to_owned();
    fs::write(&lab, text.replace(&build, "0123456789abcdef")).unwrap();
    let out = folder.path().join("out");
    assert_eq!(merge(&parts, &out, &Silent).unwrap().rows.len(), 8);
    let (done, notes) = noted(&plan, &out, "1/1");
    assert_eq!(done.made_before, 8);
    assert!(notes[0].starts_with("4 rows were made by another build"), "{notes:?}");
}

#[test]
fn an_interrupted_change_of_plan_is_not_mixed_up() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (old, new) = (plan("\"astar\"", 6), plan("\"tba\"", 6));
    let done = carried(&old, &at("a"), "1/1");
    report(&old, &done, &at("a"));
    drop(done);
    killed(&new, &at("a"));
    let told = refusal(&[at("a")], &at("m"));
    assert!(told.contains("6 of 6 runs are missing"), "{told}");
    assert!(!at("m").exists() && !at("a/report.md").exists() && !at("a/rows.csv").exists());
    // Fewer runs than rows.
    carried(&plan("\"astar\"", 6), &at("b"), "1/1");
    killed(&plan("\"tba\"", 1), &at("b"));
    let told = refusal(&[at("b")], &at("m"));
    assert!(told.contains("1 of 1 runs are missing"), "{told}");
    assert_eq!(carried(&old, &at("a"), "1/1").made_before, 6, "and nothing is lost");
}

/// Checks folders that a careless program left, or that users have mixed up.
#[test]
fn rows_that_do_not_belong_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, planner, random) in [("a", "\"astar\"", 6), ("b", "\"tba\"", 6), ("c", "\"tba\"", 2)] {
        carried(&plan(planner, random), &at(name), "1/1");
    }
    for (from, told) in [("b", "not those of the experiment"), ("c", "4 of 6 runs are missing")] {
        fs::create_dir_all(at("x")).unwrap();
        fs::copy(at("a/lab.json"), at("x/lab.json")).unwrap();
        fs::copy(at(from).join("rows.jsonl"), at("x/rows.jsonl")).unwrap();
        let refused = refusal(&[at("x")], &at("m"));
        assert!(refused.contains(told), "{refused}");
    }
    fs::copy(at("c/lab.json"), at("x/lab.json")).unwrap();
    fs::copy(at("a/rows.jsonl"), at("x/rows.jsonl")).unwrap();
    let refused = refusal(&[at("x")], &at("m"));
    assert!(refused.contains("x: the row of") && refused.contains("astar"), "{refused}");
    // Two parts that contradict each other.
    fs::copy(at("a/lab.json"), at("x/lab.json")).unwrap();
    fs::copy(at("b/rows.jsonl"), at("x/rows.jsonl")).unwrap();
    let refused = refusal(&[at("a"), at("x")], &at("m"));
    assert!(refused.contains("x: the row of") && refused.contains("tba"), "{refused}");
    assert!(!at("m").exists());
}

#[test]
fn rows_that_are_not_wanted_now_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (large, small) = (plan(BOTH, 6), plan("\"tba\"", 6));
    let done = carried(&large, &at("a"), "1/1");
    report(&large, &done, &at("a"));
    let rows = fs::read(at("a/rows.jsonl")).unwrap();
    drop(done);
    fs::write(at("a/figures/mine.svg"), "my own").unwrap();
    // One planner less, a part, the other part, the part of a part: existing rows are never made again.
    let calls = [(&small, "1/1", 6, 6), (&large, "1/2", 6, 6), (&large, "2/2", 6, 6), (&small, "1/3", 2, 2)];
    for (k, (plan, shard, wanted, before)) in calls.into_iter().enumerate() {
        let (done, notes) = noted(plan, &at("a"), shard);
        assert_eq!((done.rows.len(), done.made_before), (wanted, before), "{shard}");
        assert!(notes.iter().any(|note| note.contains("others.jsonl keeps them")), "{notes:?}");
        assert_eq!(notes.iter().any(|note| note.contains("report")), k == 0, "{notes:?}");
        assert!(!at("a/report.md").exists() && !at("a/report.html").exists() && !at("a/rows.csv").exists());
        assert!(!at("a/figures/pareto.svg").exists() && at("a/figures/mine.svg").exists());
        assert!(done.rows.iter().zip(0..).all(|(row, index)| shard != "1/1" || row.index == index));
    }
    let done = carried(&large, &at("a"), "1/1");
    assert_eq!((done.made_before, fs::read(at("a/rows.jsonl")).unwrap()), (12, rows));
    assert!(!at("a/others.jsonl").exists(), "all are wanted again");
    drop(done);
    // Merging into a folder with rows keeps them.
    carried(&small, &at("b"), "1/1");
    merge(&[at("b")], &at("a"), &Silent).unwrap();
    assert_eq!(carried(&large, &at("a"), "1/1").made_before, 12);
    // A fresh start discards all of them.
    carried(&small, &at("a"), "1/1");
    let out = at("a");
    let fresh = Settings { fresh: true, ..settings(&out, "1/1", &Silent) };
    carry_out(&small, &fresh).unwrap();
    assert_eq!(carried(&large, &at("a"), "1/1").made_before, 6);
}

/// Checks that a folder that was interrupted between any two files continues without repeating a run.
#[test]
fn a_crash_between_files_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (large, small) = (plan(BOTH, 3), plan("\"tba\"", 3));
    carried(&large, &at("a"), "1/1");
    let [old_lab, old_rows] = ["lab.json", "rows.jsonl"].map(|name| fs::read(at("a").join(name)).unwrap());
    carried(&small, &at("a"), "1/1");
    let others = fs::read(at("a/others.jsonl")).unwrap();
    let new_rows = fs::read(at("a/rows.jsonl")).unwrap();
    let half = &others[..others.len() - 7];
    for (lab, rows, others) in [
        (Some(&old_lab), &old_rows, half),
        (Some(&old_lab), &old_rows, &others[..]),
        (None, &old_rows, &others[..]),
        (None, &new_rows, &others[..]),
    ] {
        fs::remove_dir_all(at("a")).unwrap();
        fs::create_dir(at("a")).unwrap();
        if let Some(lab) = lab {
            fs::write(at("a/lab.json"), lab).unwrap();
        }
        fs::write(at("a/rows.jsonl"), rows).unwrap();
        fs::write(at("a/others.jsonl"), others).unwrap();
        assert_eq!(carried(&small, &at("a"), "1/1").made_before, 3);
        assert_eq!(fs::read(at("a/rows.jsonl")).unwrap(), new_rows);
        assert_eq!(carried(&large, &at("a"), "1/1").made_before, 6);
        assert_eq!(fs::read(at("a/rows.jsonl")).unwrap(), old_rows);
        assert!(!at("a/others.jsonl").exists());
    }
}

#[test]
fn one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(BOTH, 2);
    let first = carried(&plan, folder.path(), "1/1");
    let second = carry_out(&plan, &settings(folder.path(), "1/1", &Silent)).unwrap_err().to_string();
    assert!(second.contains("another process is at work in this folder"), "{second}");
    assert!(second.contains("--output"), "{second}");
    let out = folder.path().to_owned();
    assert!(refusal(std::slice::from_ref(&out), &out).contains("another process"));
    drop(first);
    assert_eq!(carried(&plan, folder.path(), "1/1").made_before, 4);
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let told = carry_out(&plan, &settings(&file, "1/1", &Silent)).unwrap_err().to_string();
    assert!(told.contains("this is a file; choose a folder with --output"), "{told}");
}

/// Checks that runs that depend on the clock are executed one at a time, like timed ones.
#[test]
fn budgets_in_time_are_timed() {
    let folder = tempfile::tempdir().unwrap();
    let text = "maps = [\"maze(width=21,height=21)\"]\nplanners = [\"tba\"]\nbudgets = [5, \"500us\"]\n[problems]\nrandom = 2";
    let plan = parse(text, Path::new(""), "x").unwrap();
    assert!(plan.about.notes.iter().any(|note| note.contains("500us") && note.contains("not reproducible")));
    let settings = Settings { shard: Shard::WHOLE, ..settings(folder.path(), "1/1", &Silent) };
    for row in carry_out(&plan, &settings).unwrap().rows {
        assert_eq!(row.core_share.is_some(), row.budget == "500us", "{}", row.budget);
        assert_eq!(row.run.contains("|timed"), row.budget == "500us", "{}", row.run);
    }
}

/// Checks that edited rows are reported with their line, as are rows whose checksum was removed.
#[test]
fn edited_rows_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(BOTH, 2);
    let rows = folder.path().join("rows.jsonl");
    carried(&plan, folder.path(), "1/1");
    let whole = fs::read_to_string(&rows).unwrap();
    let told = || carry_out(&plan, &settings(folder.path(), "1/1", &Silent)).unwrap_err().to_string();
    let steps = whole.lines().nth(1).unwrap().split_once("\"steps\":").unwrap().1.split(',').next().unwrap();
    let edited: Vec<String> =
        (0..)
            .zip(whole.lines())
            .map(|(k, line)| {
                if k == 1 { line.replace(&format!("\"steps\":{steps}"), "\"steps\":1") } else { line.into() }
            })
            .collect();
    fs::write(&rows, edited.join("\n") + "\n").unwrap();
    assert!(told().contains("rows.jsonl:2: this row was changed after it was made"), "{}", told());
    let out = folder.path().join("merged");
    assert!(refusal(&[folder.path().to_owned()], &out).contains("rows.jsonl:2: this row was changed"));
    let bare: Vec<String> =
        whole.lines().map(|line| line.split(",\"sum\":").next().unwrap().to_owned() + "}").collect();
    fs::write(&rows, bare.join("\n") + "\n").unwrap();
    assert!(told().contains("rows.jsonl:1: this row has no checksum"), "{}", told());
    // The run of a removed line is repeated.
    let rest: Vec<&str> = whole.lines().enumerate().filter(|(k, _)| *k != 1).map(|(_, line)| line).collect();
    fs::write(&rows, rest.join("\n") + "\n").unwrap();
    assert_eq!(carried(&plan, folder.path(), "1/1").made_before, 3);
    assert_eq!(fs::read_to_string(&rows).unwrap(), whole);
    // Rows of earlier programs have no checksums: they are read with a note, and get checksums.
    let lab = folder.path().join("lab.json");
    let old = fs::read_to_string(&lab).unwrap().replace("  \"sealed\": true,\n", "");
    for journal in [false, true] {
        fs::write(&lab, &old).unwrap();
        fs::write(&rows, bare.join("\n") + "\n").unwrap();
        if journal {
            fs::rename(&rows, folder.path().join("journal.jsonl")).unwrap();
        }
        let (done, notes) = noted(&plan, folder.path(), "1/1");
        assert_eq!(done.made_before, 4);
        drop(done);
        assert!(notes.iter().any(|note| note.starts_with("4 rows are of an older form")), "{notes:?}");
        assert_eq!(fs::read_to_string(&rows).unwrap(), whole);
    }
}

/// Checks that trials are several rows of one run, in interruptions, shards and merges.
#[test]
fn trials_are_rows_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = "maps = [\"corner(side=14)\", \"maze(width=21,height=21)\"]\nplanners = [\"lrta\", \"rtaa\"]\nbudgets = [3]\nworlds = [\"known\", \"unknown\"]\n\
                trials = 6\n[problems]\nrandom = 3";
    let plan = parse(text, Path::new(""), "x").unwrap();
    let whole = carried(&plan, &at("a"), "1/1");
    let rows = whole.rows.clone();
    drop(whole);
    assert!(rows.len() > 2 * plan.jobs().len() && rows.iter().any(|row| row.converged == Some(true)));
    let order: Vec<_> = rows.iter().map(|row| (row.index, row.trial)).collect();
    assert!(order.is_sorted() && order[0] == (0, Some(1)));
    let lines = fs::read_to_string(at("a/rows.jsonl")).unwrap();
    // Nothing is repeated, except a run that was interrupted between two trials.
    assert_eq!(carried(&plan, &at("a"), "1/1").made_before, plan.jobs().len());
    let cut: Vec<&str> = lines.lines().take(2).collect();
    fs::write(at("a/rows.jsonl"), cut.join("\n") + "\n").unwrap();
    assert_eq!(carried(&plan, &at("a"), "1/1").made_before, usize::from(rows[2].index == 1));
    assert_eq!(fs::read_to_string(at("a/rows.jsonl")).unwrap(), lines);
    for part in ["1/2", "2/2"] {
        carried(&plan, &at(&part[..1]), part);
    }
    let merged = merge(&[at("1"), at("2")], &at("m"), &Silent).unwrap();
    assert_eq!((merged.rows.len(), fs::read_to_string(at("m/rows.jsonl")).unwrap()), (rows.len(), lines));
    // The report has the curve; other tables are about the first trial.
    let report = summarise(&plan.about, &rows);
    assert!(report.tables[0].title.starts_with("Learning") && report.figures[0].plot.series.len() == 4);
    let series = &report.figures[0].plot.series[0];
    assert!(series.points.len() == 6 && series.points[0].y >= series.points[5].y, "{series:?}");
    assert!(report.tables[1].lines.iter().all(|line| line[1] == "6/6"), "{:?}", report.tables[1].lines);
}
