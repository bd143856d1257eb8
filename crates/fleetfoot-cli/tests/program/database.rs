//! Tests the `database` commands, and planners that use their output.

use std::fs;

use super::Folder;
use super::bad_input::refused;

const BUILD: [&str; 6] = ["database", "build", "builtin:rooms100", "--records", "300", "-o"];

fn build(folder: &Folder, file: &str, more: &[&str]) -> Vec<u8> {
    let done = folder.run(&[&BUILD[..], &[file], more].concat());
    assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
    fs::read(folder.path(file)).unwrap()
}

#[test]
fn the_same_bytes_for_any_threads_and_shards() {
    let folder = Folder::new();
    let whole = build(&folder, "a.knn", &["--threads", "1"]);
    assert_eq!(build(&folder, "b.knn", &["--threads", "3"]), whole);
    assert_ne!(build(&folder, "c.knn", &["--seed", "2"]), whole);
    for (part, threads) in [("1/3", "1"), ("2/3", "2"), ("3/3", "5")] {
        build(&folder, &part.replace('/', "-"), &["--shard", part, "--threads", threads]);
    }
    folder.good(&["database", "merge", "builtin:rooms100", "3-3", "1-3", "2-3", "-o", "d.knn"]);
    assert_eq!(fs::read(folder.path("d.knn")).unwrap(), whole);
    assert_eq!(folder.names(), ["1-3", "2-3", "3-3", "a.knn", "b.knn", "c.knn", "d.knn"]);
    let info = folder.good(&["database", "info", "2-3"]);
    assert!(info.contains("shard       2 of 3\ndone        100 of 100"), "{info}");
    let merge = ["database", "merge", "builtin:rooms100", "-o", "e.knn"];
    refused(&folder, &[&merge[..], &["1-3", "3-3"]].concat(), &["shard 2/3: missing"]);
    refused(&folder, &[&merge[..], &["1-3", "2-3", "1-3"]].concat(), &["1-3: it is the same shard as 1-3"]);
    refused(
        &folder,
        &[&merge[..], &["1-3", "a.knn"]].concat(),
        &["a.knn: it is a whole database, not a part of one"],
    );
    let other = ["database", "merge", "builtin:maze151", "1-3", "2-3", "3-3", "-o", "e.knn"];
    refused(&folder, &other, &["1-3: it was made for another map"]);
    let over = ["database", "merge", "builtin:rooms100", "1-3", "2-3", "3-3", "-o", "2-3"];
    refused(&folder, &over, &["2-3: this file is read by the same command"]);
    build(&folder, "other", &["--shard", "2/3", "--seed", "9"]);
    refused(
        &folder,
        &[&merge[..], &["1-3", "other", "3-3"]].concat(),
        &["other: it belongs to a different build than 1-3"],
    );
}

/// Checks that a journal that was truncated anywhere is continued.
#[test]
fn an_interrupted_build_goes_on() {
    let folder = Folder::new();
    let whole = build(&folder, "a.knn", &[]);
    // A shard is a finished journal.
    let journal = build(&folder, "a.part", &["--shard", "1/1"]);
    for cut in [10, 70, journal.len() / 3, journal.len() - 1, journal.len()] {
        fs::write(folder.path("b.knn.part"), &journal[..cut]).unwrap();
        assert_eq!(build(&folder, "b.knn", &[]), whole, "cut at {cut}");
        assert!(!folder.path("b.knn.part").exists());
    }
    fs::write(folder.path("b.knn.part"), &journal).unwrap();
    let other = [&BUILD[..], &["b.knn", "--seed", "5"]].concat();
    refused(&folder, &other, &["b.knn.part: it belongs to a different build", "delete the file"]);
    refused(
        &folder,
        &["run", "builtin:rooms100", "-p", "knn-lrta(database=b.knn.part)"],
        &["a part of a database"],
    );
    fs::write(folder.path("b.knn.part"), "mine").unwrap();
    refused(&folder, &[&BUILD[..], &["b.knn"]].concat(), &["b.knn.part: it is no database"]);
    fs::remove_file(folder.path("b.knn.part")).unwrap();
}

#[test]
fn planners_use_it() {
    let folder = Folder::new();
    build(&folder, "a.knn", &[]);
    let info = folder.good(&["database", "info", "a.knn"]);
    assert!(info.contains("records     300\n") && info.contains("seed 1, random problems"), "{info}");
    let run = |map: &'static str, planner: &'static str| {
        ["run", map, "--random", "20", "-b", "1", "-p", planner, "--format", "csv"]
    };
    let rows = folder.good(&run("builtin:rooms100", "knn-lrta(database=a.knn)"));
    assert_eq!(rows.lines().count(), 21);
    assert!(rows.lines().skip(1).all(|row| row.contains("arrived")), "{rows}");
    refused(
        &folder,
        &run("builtin:maze151", "knn-lrta(database=a.knn)"),
        &["a.knn: it was built for another map"],
    );
    refused(&folder, &run("builtin:rooms100", "knn-lrta(database=b.knn)"), &["b.knn", "cannot read"]);
    refused(&folder, &run("builtin:rooms100", "knn-lrta(database=a.knn,seed=3)"), &["leave them out"]);
    let cut = fs::read(folder.path("a.knn")).unwrap();
    fs::write(folder.path("cut.knn"), &cut[..cut.len() / 2]).unwrap();
    refused(
        &folder,
        &run("builtin:rooms100", "knn-lrta(database=cut.knn)"),
        &["cut.knn: it is damaged or cut off"],
    );
    refused(&folder, &["database", "info", "cut.knn"], &["cut.knn: it is damaged or cut off"]);
    folder.file("text", "type octile\n");
    refused(&folder, &["database", "info", "text"], &["text: it is not a Fleetfoot database"]);
    let over = [&run("builtin:rooms100", "knn-lrta(database=a.knn)")[..], &["-o", "a.knn"]].concat();
    assert_eq!(folder.run(&over).code, Some(2), "a database is not written over");
}

#[test]
fn few_records_cover() {
    let folder = Folder::new();
    let done =
        folder.run(&["database", "build", "builtin:rooms100", "--records", "3000", "--cover", "-o", "a.knn"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    folder.good(&["database", "build", "builtin:rooms100", "--records", "3000", "-o", "b.knn"]);
    let ratio = |file: &str| {
        let planner = format!("knn-lrta(database={file})");
        let rows =
            folder.rows(&["builtin:rooms100", "--random", "200", "--seed", "77", "-b", "1", "-p", &planner]);
        rows.iter().map(|row| row["ratio"].as_f64().unwrap()).sum::<f64>() / rows.len() as f64
    };
    let (covering, random) = (ratio("a.knn"), ratio("b.knn"));
    assert!(covering < random, "{covering} against {random}");
}

#[test]
fn regions_for_d_lrta() {
    let folder = Folder::new();
    let map = folder.file(
        "a.map",
        &format!(
            "type octile\nheight 40\nwidth 40\nmap\n{}",
            "..........@...................@.........\n".repeat(40).replacen('@', ".", 1)
        ),
    );
    let map = map.to_str().unwrap();
    let build = ["database", "build", map, "--kind", "d-lrta", "--depth", "4", "-o"];
    let done = folder.run(&[&build[..], &["a.dlrta", "--threads", "1"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.contains("regions: the file will take"), "{}", done.err);
    for part in ["1/2", "2/2"] {
        folder.good(&[&build[..], &[&part.replace('/', "-"), "--shard", part, "--threads", "3"]].concat());
    }
    folder.good(&["database", "merge", map, "2-2", "1-2", "-o", "b.dlrta"]);
    assert_eq!(fs::read(folder.path("a.dlrta")).unwrap(), fs::read(folder.path("b.dlrta")).unwrap());
    let info = folder.good(&["database", "info", "b.dlrta"]);
    assert!(info.contains("level 3") && info.contains("49 expansions"), "{info}");
    let rows = folder.rows(&[map, "--random", "20", "-b", "20", "-p", "d-lrta(database=b.dlrta)"]);
    refused(&folder, &[&build[..], &["c", "--records", "5"]].concat(), &["--records is for --kind knn"]);
    let info = folder.good(&["database", "info", "2-2"]);
    assert!(info.contains("of          a d-lrta database") && info.contains("depths up to 4"), "{info}");
    assert!(rows.iter().all(|row| row["outcome"] == "arrived"));
    folder.good(&[&build[..], &["paper.dlrta", "--published"]].concat());
    let info = folder.good(&["database", "info", "paper.dlrta"]);
    assert!(info.contains("may lead in circles"), "{info}");
    refused(
        &folder,
        &["run", map, "--random", "2", "-p", "d-lrta(goals=onward,database=paper.dlrta)"],
        &["goals=published"],
    );
    refused(
        &folder,
        &["run", map, "--random", "2", "-p", "knn-lrta(database=a.dlrta)"],
        &["for another planner"],
    );
}
