use std::path::Path;

use super::*;
use crate::experiment::parse;
use crate::report::Table;
use crate::run::{Settings, Shard, Silent, carry_out};

fn report(text: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let plan = parse(text, Path::new(""), "x").unwrap();
    let settings =
        Settings { out: folder.path(), threads: 2, shard: Shard::WHOLE, fresh: false, watch: &Silent };
    summarise(&plan.about, &carry_out(&plan, &settings).unwrap().rows)
}

fn table<'a>(report: &'a Report, title: &str) -> &'a Table {
    report.tables.iter().find(|table| table.title.starts_with(title)).unwrap()
}

fn cell<'a>(table: &'a Table, line: usize, column: &str) -> &'a str {
    let k = table.columns.iter().position(|name| name == column).unwrap();
    &table.lines[line][k]
}

/// Who finds that there is no path is told from who gives up.
#[test]
fn no_path_is_not_giving_up() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.map"), "type octile\nheight 1\nwidth 5\nmap\n..@..\n").unwrap();
    let text = "maps = [\"a.map\"]\nplanners = [\"astar\", \"lrta\"]\nmax-steps = 30\n[problems]\npairs = [[0, 0, 4, 0], [0, 0, 1, 0]]";
    let plan = parse(text, folder.path(), "x").unwrap();
    let out = folder.path().join("out");
    let settings = Settings { out: &out, threads: 1, shard: Shard::WHOLE, fresh: false, watch: &Silent };
    let report = summarise(&plan.about, &carry_out(&plan, &settings).unwrap().rows);
    let means = table(&report, "Means");
    let told = |line| ["arrived", "no path", "gave up"].map(|column| cell(means, line, column));
    assert_eq!(told(0), ["1/2", "1", "0"]);
    assert_eq!(told(1), ["1/2", "0", "1"]);
}

/// Only the first planner is what others are compared with, not another form of it.
#[test]
fn one_base_of_comparison() {
    let report = report(
        "maps = [\"maze(width=21,height=21)\"]\nplanners = [\"tba(r=0.9)\", \"tba(r=0.5)\", \"astar\"]\nbudgets = [5, 50]\nprices = [\"papers\", \"honest\"]\n[problems]\nrandom = 2",
    );
    let pairs = table(&report, "Pairs");
    // Two others, two budgets, two price lists, three measures.
    assert_eq!(pairs.lines.len(), 2 * 2 * 2 * 3);
    for line in 0..pairs.lines.len() {
        let (against, who) = (cell(pairs, line, "against"), cell(pairs, line, "planner and budget"));
        assert!(against.starts_with("tba(r=0.9) at ") && !who.starts_with("tba(r=0.9)"), "{who}: {against}");
        assert_eq!(against.split_once(" at ").unwrap().1, who.split_once(" at ").unwrap().1);
    }
}

#[test]
fn times_say_of_how_many_runs() {
    let report = report(
        "maps = [\"maze(width=21,height=21)\"]\nplanners = [\"tba\"]\ntimed = true\n[problems]\nrandom = 3",
    );
    let n = cell(table(&report, "Times"), 0, "n");
    assert!(["0/3", "1/3", "2/3", "3/3"].contains(&n), "{n}");
}
