use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use super::*;
use fleetfoot_lab::report::{Finding, Table};
use fleetfoot_lab::run::{Live, Row, Settings, Shard, Silent, carry_out, make};

/// The plan without a folder of maps, which is slow to make.
static PLAN: LazyLock<Plan> = LazyLock::new(|| plan(&Setup::default()).unwrap());

/// Returns the terms of the artificial rows.
fn terms() -> Terms {
    Terms::all().find(|terms| terms.world == World::Known && terms.budget == 100).unwrap()
}

/// Creates a run that arrives after `ticks`, or never.
fn made_up(planner: &str, map: &str, problem: u64, ticks: Option<u64>) -> Row {
    static ROW: LazyLock<Row> = LazyLock::new(|| {
        let text = "maps = [\"corner(side=12)\"]\nplanners = [\"lrta\"]";
        let plan = fleetfoot_lab::experiment::parse(text, Path::new(""), "x").unwrap();
        make(&plan, &Live { threads: 1, trials: None, until: None, ground: None, watch: &Silent })
            .unwrap()
            .remove(0)
    });
    Row {
        label: format!("{}kind/{planner}", terms().start()),
        planner: planner.to_owned(),
        map: map.to_owned(),
        problem,
        optimal: Some(150.0),
        outcome: if ticks.is_some() { "arrived" } else { "no-path" }.to_owned(),
        // A planner that gives up early is charged the limit as well.
        steps: ticks.unwrap_or(7),
        walk: format!("{ticks:?}"),
        ..ROW.clone()
    }
}

/// Creates runs of a planner on two maps with the same number of problems.
fn runs(planner: &str, problems: u64, ticks: impl Fn(u64) -> Option<u64>) -> Vec<Row> {
    let on = |map: &'static str| (0..problems).map(move |problem| (map, problem));
    on("a").chain(on("b")).map(|(map, problem)| made_up(planner, map, problem, ticks(problem))).collect()
}

/// Judges rows. Returns the report with their finding and their line of the table.
fn judged(rows: &[Row]) -> (Finding, Vec<String>, Report) {
    let about = About::default();
    let report = judge(&Evidence::new(&about, rows));
    let place = Terms::all().position(|other| other.start() == terms().start()).unwrap();
    let finding = report.findings[place].clone();
    let others = report.findings.iter().enumerate().filter(|(k, _)| *k != place);
    assert!(others.into_iter().all(|(_, finding)| finding.verdict.to_string() == "not measured"));
    let line = report.tables[0].lines.first().cloned().unwrap_or_default();
    (finding, line, report)
}

fn verdict(auto: impl Fn(u64) -> Option<u64>, rival: impl Fn(u64) -> Option<u64>) -> String {
    judged(&[runs("auto", 6, auto), runs("tba", 6, rival)].concat()).0.verdict.to_string()
}

#[test]
fn verdicts_follow_from_regret() {
    assert_eq!(verdict(|_| Some(400), |_| Some(440)), "holds", "auto is the best");
    assert_eq!(verdict(|_| Some(600), |_| Some(400)), "fails", "auto is the worst");
    assert_eq!(verdict(|k| Some(400 + k), |k| Some(400 + k)), "holds", "a tie");
    // The bound depends on the number of ticks of the best planner.
    assert_eq!(verdict(|_| Some(432), |_| Some(400)), "fails");
    assert_eq!(verdict(|_| Some(216), |_| Some(200)), "holds");
    // Each is better on half of the problems.
    let swings = |odd: bool| move |k: u64| Some(if k.is_multiple_of(2) == odd { 300 } else { 900 });
    assert_eq!(verdict(swings(false), swings(true)), "undecided");
    // Fewer than five problems on a map decide nothing.
    let few = [runs("auto", 4, |_| Some(600)), runs("tba", 4, |_| Some(400))].concat();
    assert_eq!(judged(&few).0.verdict.to_string(), "undecided");
}

#[test]
fn runs_that_never_arrive_are_charged_the_limit() {
    let limit = World::Known.most_ticks(100, 150.0);
    let late = |k: u64| (k > 0).then_some(300);
    let (finding, line, report) = judged(&[runs("auto", 6, late), runs("tba", 6, |_| Some(300))].concat());
    let mean = (limit + 5 * 300) as f64 / 6.0;
    let number =
        |what: &str| finding.measured.iter().find(|number| number.what.starts_with(what)).unwrap().value;
    assert!((number("mean ticks of auto") - mean).abs() < 1e-9);
    assert!((number("runs of auto that never arrive") - 2.0).abs() < 1e-9);
    assert_eq!((line[3].clone(), line[4].as_str()), (fleetfoot_lab::number(mean), "2"));
    let all = report.tables.iter().find(|table| table.title.starts_with("Known, all work")).unwrap();
    let cells: Vec<&str> = all.lines.iter().map(|line| line[3].as_str()).collect();
    assert_eq!(cells, [format!("{} [2]", fleetfoot_lab::number(mean)), "≈ 300".to_owned()]);
    // If no planner arrives, none is better.
    assert_eq!(verdict(|_| None, |_| None), "holds");
}

#[test]
fn planners_are_compared_on_the_same_problems() {
    let auto = runs("auto", 6, |_| Some(500));
    let mut lucky = runs("frit", 6, |_| Some(100));
    lucky.pop();
    let (finding, line, report) =
        judged(&[auto.clone(), lucky.clone(), runs("tba", 6, |_| Some(490))].concat());
    assert_eq!((finding.verdict.to_string().as_str(), line[6].as_str()), ("holds", "tba"));
    assert!(report.tables.iter().any(|table| table.note.contains("other problems than auto: frit")));
    for rows in [[auto, lucky].concat(), runs("tba", 6, |_| Some(400))] {
        assert_eq!(judged(&rows).0.verdict.to_string(), "not measured");
    }
}

#[test]
fn auto_is_recognized_by_its_walks() {
    let own = |k: u64| Some(400 + k);
    let half = |k: u64| Some(if k < 3 { 400 + k } else { 800 });
    let of = |rivals: &[Vec<Row>]| judged(&[runs("auto", 6, own), rivals.concat()].concat()).1[5].clone();
    assert_eq!(of(&[runs("tbaa", 6, own), runs("rtba", 6, half)]), "tbaa");
    // Of planners with equal walks, the first in the registry is named.
    assert_eq!(of(&[runs("tbaa", 6, own), runs("tba", 6, own)]), "tba");
    assert_eq!(of(&[runs("tbaa", 6, half)]), "tbaa 6, itself 6");
    assert_eq!(of(&[runs("tbaa", 6, |_| Some(900))]), "itself");
}

/// Checks that one half of the problems chooses the best planner, and the other half measures it.
#[test]
fn luck_does_not_count_in_the_fair_regret() {
    let lucky = |odd: u64| move |k: u64| Some(if k % 2 == odd { 200 } else { 500 });
    let rows = [runs("auto", 6, |_| Some(400)), runs("tba", 6, lucky(0)), runs("rtba", 6, lucky(1))].concat();
    let (finding, ..) = judged(&rows);
    let fair = finding.measured.iter().find(|number| number.what.contains("other half")).unwrap().value;
    assert!((finding.measured[0].value - 400.0 / 350.0).abs() < 1e-9);
    assert!((fair - 400.0 / 500.0).abs() < 1e-9, "{fair}");
}

#[test]
fn the_plan_covers_every_cell_and_is_always_the_same() {
    let again = plan(&Setup::default()).unwrap();
    assert_eq!((PLAN.keys(), &PLAN.about), (again.keys(), &again.about));
    for terms in Terms::all() {
        let mut problems: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut per_map: BTreeMap<String, u64> = BTreeMap::new();
        for job in PLAN.jobs().iter().filter(|job| job.label.starts_with(&terms.start())) {
            let planner = job.spec.to_string();
            assert!(matches!(job.budget, Budget::Expansions(budget) if budget == terms.budget));
            assert_eq!(job.prices, terms.prices);
            assert!(
                job.max_steps.is_some_and(|most| most >= terms.world.patience(terms.budget).min(60) * 150)
            );
            *per_map.entry(job.place.map.to_string()).or_default() += u64::from(planner == AUTO);
            let problem = format!("{} {:?} {:?}", job.place.map, job.place.scene, job.problem);
            assert!(problems.entry(planner).or_default().insert(problem));
        }
        let (taken, skipped) = planners(terms.world).unwrap();
        assert_eq!(taken.len(), problems.len());
        assert!(taken.iter().all(|spec| problems[&spec.to_string()] == problems[AUTO]), "{}", terms.start());
        assert!(per_map.len() >= 3 && per_map.values().all(|problems| *problems >= 5), "{per_map:?}");
        let known: BTreeSet<&str> =
            taken.iter().chain(skipped.iter().map(|(spec, _)| spec)).map(|s| s.info().key).collect();
        assert!(ALGORITHMS.iter().all(|info| known.contains(info.key)), "a planner is missing");
    }
    assert_eq!(Terms::all().count(), claims::IDS.len());
    assert!(
        PLAN.about
            .skipped
            .iter()
            .any(|text| text.starts_with("tba in unknown; unknown, radius 7: it works in known"))
    );
    assert!(PLAN.about.skipped.iter().any(|text| text.starts_with("knn-lrta in all worlds: it needs data")));
}

/// Executes a few of the study's runs, from the plan to the table.
#[test]
fn rows_become_a_table() {
    let start = terms().start();
    let wanted = |job: &&Job| {
        let is_one = job.label.starts_with(&start) && job.place.map.to_string().starts_with("maze(width=81");
        is_one && ["auto", "astar", "tba"].contains(&job.spec.to_string().as_str())
    };
    let few: Vec<Job> = PLAN.jobs().iter().filter(wanted).cloned().collect();
    let small = Plan::new(PLAN.about.clone(), few).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings =
        Settings { out: folder.path(), threads: 2, shard: Shard::WHOLE, fresh: false, watch: &Silent };
    let rows = carry_out(&small, &settings).unwrap().rows;
    let mean = |planner: &str| {
        let ticks: Vec<f64> =
            rows.iter().filter(|row| row.planner == planner).map(|row| row.steps as f64).collect();
        assert_eq!(ticks.len(), 5);
        fleetfoot_lab::stats::mean(&ticks)
    };
    assert!(rows.iter().all(Row::arrived));
    let (finding, line, report) = judged(&rows);
    let best = if mean("tba") < mean("astar") { "tba" } else { "astar" };
    assert_eq!((line[6].as_str(), line[10].as_str()), (best, "5"));
    assert!((finding.measured[0].value - mean("auto") / mean(best)).abs() < 1e-9);
    let table: &Table =
        report.tables.iter().find(|table| table.title.starts_with("Known, all work")).unwrap();
    assert_eq!(table.lines.iter().map(|line| line[0].as_str()).collect::<Vec<_>>(), ["auto", "astar", "tba"]);
    let kinds =
        report.tables.iter().find(|table| table.title.starts_with("Known: the best planners")).unwrap();
    let short = &report.tables[1].lines[0];
    assert_eq!(short[..2], ["known", "all work charged"]);
    assert_eq!(short[4], format!("{:.2}, {best}", mean("auto") / mean(best)));
    assert_eq!(kinds.lines.len(), 1);
    assert_eq!(kinds.lines[0][0], "mazes");
    let cell = report.heats[0].map.rows[0].1[2].as_ref().unwrap();
    assert_eq!((cell.note.as_str(), report.heats[0].map.rows.len()), (best, 4));
    report.write(folder.path(), &rows).unwrap();
    assert!(
        std::fs::read_to_string(folder.path().join("figures/regret.svg")).unwrap().contains("Regret of auto")
    );
}
