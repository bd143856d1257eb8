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
    let done = carry_out(&plan, &settings).unwrap();
    summarise(&done.about, &done.rows)
}

fn table<'a>(report: &'a Report, title: &str) -> &'a Table {
    report.tables.iter().find(|table| table.title.starts_with(title)).unwrap()
}

fn cell<'a>(table: &'a Table, line: usize, column: &str) -> &'a str {
    let k = table.columns.iter().position(|name| name == column).unwrap();
    &table.lines[line][k]
}

/// Checks that reporting no path is counted separately from giving up.
#[test]
fn no_path_is_not_giving_up() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.map"), "type octile\nheight 1\nwidth 5\nmap\n..@..\n").unwrap();
    let text = "maps = [\"a.map\"]\nplanners = [\"astar\", \"lrta\"]\nmax-steps = 30\n[problems]\npairs = [[0, 0, 4, 0], [0, 0, 1, 0]]";
    let plan = parse(text, folder.path(), "x").unwrap();
    let out = folder.path().join("out");
    let settings = Settings { out: &out, threads: 1, shard: Shard::WHOLE, fresh: false, watch: &Silent };
    let report = summarise(&plan.about, &carry_out(&plan, &settings).unwrap().rows);
    let (means, outcomes) = (table(&report, "Means"), table(&report, "Outcomes"));
    let told = |line| {
        let [none, late] = ["no path", "gave up"].map(|column| cell(outcomes, line, column));
        [cell(means, line, "arrived"), none, late]
    };
    assert_eq!(told(0), ["1/2", "1", "0"]);
    assert_eq!(told(1), ["1/2", "0", "1"]);
}

/// Checks that planners are compared only with the first one, not with other specs of it.
#[test]
fn one_base_of_comparison() {
    let report = report(
        "maps = [\"maze(width=21,height=21)\"]\nplanners = [\"tba(r=0.9)\", \"tba(r=0.5)\", \"astar\"]\nbudgets = [5, 50]\nprices = [\"papers\", \"all\"]\n[problems]\nrandom = 2",
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

/// Checks that several maps have a section each, and equal weight in totals.
#[test]
fn maps_count_the_same() {
    let report = report(
        "maps = [\"corner(side=12)\", \"maze(width=61,height=61,seed={seed})\"]\nplanners = [\"astar\", \"tba\"]\nbudgets = [5, 50]\nseeds = [1, 2]\n[problems]\nrandom = 6",
    );
    let names: Vec<&str> = report.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(names, ["corner(side=12)", "maze(width=61,height=61,corridor=1,seed={seed})"]);
    let number = |table: &Table, line| -> f64 {
        let text = cell(table, line, "steps").split(' ').next().unwrap().replace(',', "");
        text.parse().unwrap()
    };
    let all = table(&report, "Means over all maps");
    for line in 0..4 {
        let each: Vec<f64> = report.sections.iter().map(|section| number(&section.tables[0], line)).collect();
        assert!((number(all, line) - f64::midpoint(each[0], each[1])).abs() <= 2.0, "{line}: {each:?}");
        assert!(each[1] > 3.0 * each[0], "{each:?}");
    }
    let problems = table(&report, "Problems");
    assert_eq!((problems.lines.len(), cell(problems, 1, "problems")), (2, "12"));
    // Points are labeled with the budget; every map has a plot with its own name.
    assert_eq!(report.figures[0].plot.series[1].labels, ["5", "50"]);
    let figures: Vec<&str> = report.sections.iter().map(|section| section.figures[0].name.as_str()).collect();
    assert_eq!(figures, ["pareto-1-corner-side-12", "pareto-2-maze-width-61-height-61-corridor-1-seed"]);
    assert!(
        report
            .sections
            .iter()
            .all(|section| section.tables.iter().any(|table| table.title.starts_with("Pairs")))
    );
    let pairs = table(&report, "Pairs");
    assert!(pairs.note.contains("geometric mean over maps"));
    // Six runs per map and seed are enough. With fewer, the interval has a mark.
    assert!(!cell(all, 0, "steps").contains('⚠'));
    let small = few("maps = [\"corner(side=12)\"]\nplanners = [\"tba\"]\n[problems]\nrandom = 4");
    assert!(cell(table(&small, "Means"), 0, "steps").contains("⚠ n = 4") && small.sections.is_empty());
}

fn few(text: &str) -> Report {
    report(text)
}

#[test]
fn the_report_states_its_conditions() {
    let report = report(
        "maps = [\"corner(side=12)\"]\nplanners = [\"tba\"]\nprices = [\"all\"]\n[problems]\nrandom = 3",
    );
    let condition = |name: &str| {
        report
            .conditions
            .iter()
            .find(|condition| condition.name == name)
            .unwrap_or_else(|| panic!("{name}"))
            .values[0]
            .as_str()
    };
    assert!(condition("prices").starts_with("all: expansion 1, learned value 0.3"));
    assert!(condition("maps").contains("12×12") && condition("problems").contains("3 random ones"));
    assert_eq!(
        (condition("made again by"), condition("runs"), condition("seeds")),
        ("fleetfoot bench x.toml", "3", "0")
    );
    assert!(condition("made by").starts_with("fleetfoot ") && condition("made by").contains(" on "));
    assert!(report.source.as_ref().unwrap().text.contains("prices"));
    let folder = tempfile::tempdir().unwrap();
    report.write(folder.path(), &[]).unwrap();
    for name in ["report.md", "report.html", "report.json"] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.contains("all: expansion 1") && text.contains("fleetfoot bench x.toml"), "{name}");
    }
}
