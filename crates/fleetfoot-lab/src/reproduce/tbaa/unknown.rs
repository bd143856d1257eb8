//! Partially and completely unknown terrain: TBAA* against replanners and learners.

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::WorldSpec;

use super::super::{Evidence, Setup, Study};
use super::{
    BUDGETS, Contender, LOCAL, PAPER, best, contender, figure, intervals, label, runs, table, unsolvable,
};
use crate::places::Scene;
use crate::report::{Finding, Measured, Report, Verdict};
use crate::run::{About, Plan, PriceList, Row};

pub(in super::super) const PARTIAL: Study = Study {
    id: "tbaa-partial",
    title: "The game time model in partially unknown terrain",
    paper: PAPER,
    claims: &["B3", "B4", "B5", "B6"],
    plan: plan_partial,
    judge: judge_partial,
};

pub(in super::super) const UNKNOWN: Study = Study {
    id: "tbaa-unknown",
    title: "The game time model in unknown terrain",
    paper: PAPER,
    claims: &["B3", "B4", "B5", "B6", "B7", "B8"],
    plan: plan_unknown,
    judge: judge_unknown,
};

const GLOBAL: [Contender; 6] = [
    contender("Repeated A*", "repeated-astar"),
    contender("Adaptive A*", "adaptive-astar"),
    contender("D* Lite", "dstar-lite"),
    Contender { name: "D* Lite, keys free", spec: "dstar-lite", prices: PriceList::Expansions },
    contender("RTBA*", "rtba"),
    contender("TBAA*", "tbaa"),
];

fn contenders() -> Vec<Contender> {
    GLOBAL.into_iter().chain(LOCAL).collect()
}

/// Half of the cells hidden; which, depends on the map's number.
fn plan_partial(setup: &Setup) -> Result<Plan, InputError> {
    let scene = |number| Scene::Spec(WorldSpec::Partial { hidden: 500_000, seed: number, sight: None });
    let (jobs, mut notes) = runs(setup, setup.scale.pick(5, 300), scene, &contenders())?;
    notes.push("world: half of the cells, drawn at random, are unknown at first and taken to be free; the abstract does not say how many were".into());
    Plan::new(About { notes, ..About::default() }, jobs)
}

fn plan_unknown(setup: &Setup) -> Result<Plan, InputError> {
    let scene = |_| Scene::Spec(WorldSpec::Unknown { sight: None });
    let (mut jobs, mut notes) = runs(setup, setup.scale.pick(5, 300), scene, &contenders())?;
    jobs.extend(unsolvable::runs(setup.scale.pick(10, 100))?);
    notes.push("world: all cells are unknown at first and taken to be free".into());
    notes.push(unsolvable::NOTE.into());
    Plan::new(About { notes, ..About::default() }, jobs)
}

const RTAA: [&str; 2] = ["RTAA*", "RTAA* (1 move)"];
const DA: [&str; 2] = ["daRTAA*", "daRTAA* (1 move)"];

fn report(evidence: &Evidence<'_>, findings: Vec<Finding>, title: &str) -> Report {
    let (tables, figures) =
        (vec![table(evidence, &contenders())], vec![figure(evidence, title, &contenders())]);
    Report { findings, tables, figures, ..Report::default() }
}

fn judge_partial(evidence: &Evidence<'_>) -> Report {
    let findings = vec![real_time(evidence), ranking(evidence), near(evidence, true), at_once(evidence)];
    report(evidence, findings, "Intervals in partially unknown terrain")
}

fn judge_unknown(evidence: &Evidence<'_>) -> Report {
    let findings = vec![
        real_time(evidence),
        ranking(evidence),
        near(evidence, false),
        at_once(evidence),
        unsolvable::finding(evidence),
        work_and_time(evidence),
    ];
    report(evidence, findings, "Intervals in unknown terrain")
}

/// All real-time algorithms at a budget, each in its better form, divided by Repeated A*.
fn against_repeated(evidence: &Evidence<'_>, budget: u64) -> [(&'static str, f64); 4] {
    let base = evidence.mean(&label("Repeated A*", budget), intervals);
    [("RTAA*", &RTAA[..]), ("daRTAA*", &DA), ("RTBA*", &["RTBA*"]), ("TBAA*", &["TBAA*"])]
        .map(|(name, forms)| (name, best(evidence, forms, budget) / base))
}

fn real_time(evidence: &Evidence<'_>) -> Finding {
    let mut measured = Vec::new();
    let mut last_good = None;
    let mut all_good = true;
    for budget in BUDGETS {
        let ratios = against_repeated(evidence, budget);
        let good = ratios.iter().all(|(_, ratio)| *ratio < 1.0);
        if good && all_good {
            last_good = Some(budget);
        }
        all_good &= good;
        for (name, ratio) in ratios {
            measured.push(Measured::exact(format!("intervals at {budget}, {name} / Repeated A*"), ratio));
        }
    }
    Finding::new(
        "B3",
        "all real-time algorithms need fewer intervals than Repeated A*",
        "at the smallest budget RTAA*, daRTAA* (each in its better form), RTBA* and TBAA* all have a smaller mean than Repeated A*; as it stands if at every budget",
        measured,
        Verdict::graded(last_good.is_some(), all_good),
    )
    .explained(match last_good {
        Some(budget) => format!("holds up to {budget} expansions per interval; with more, Repeated A* mostly finishes its search at once, and learners walk more"),
        None => "already at 10 expansions per interval some learner walks so much that waiting for A* is faster".into(),
    })
}

fn ranking(evidence: &Evidence<'_>) -> Finding {
    let (mut replanners, mut learners, mut alike, mut measured) = (0, 0, 0, Vec::new());
    for budget in BUDGETS {
        let tbaa = evidence.mean(&label("TBAA*", budget), intervals);
        let replanner = best(evidence, &["Repeated A*", "Adaptive A*"], budget);
        let learner = best(evidence, &RTAA, budget).min(best(evidence, &DA, budget));
        let (dstar, interval) = evidence.ratio(&label("TBAA*", budget), &label("D* Lite", budget), intervals);
        replanners += usize::from(tbaa < replanner);
        learners += usize::from(tbaa < learner);
        alike += usize::from((0.8..=1.25).contains(&dstar));
        measured.push(Measured::exact(
            format!("intervals at {budget}, TBAA* / better of Repeated and Adaptive A*"),
            tbaa / replanner,
        ));
        measured
            .push(Measured::exact(format!("intervals at {budget}, TBAA* / best learner"), tbaa / learner));
        measured.push(Measured::new(format!("intervals at {budget}, TBAA* / D* Lite"), dstar, interval));
        let (free, interval) =
            evidence.ratio(&label("TBAA*", budget), &label("D* Lite, keys free", budget), intervals);
        measured.push(Measured::new(
            format!("intervals at {budget}, TBAA* / D* Lite with key refreshes free"),
            free,
            interval,
        ));
    }
    Finding::new(
        "B4",
        "TBAA* needs fewer intervals than Repeated A*, Adaptive A*, RTAA* and daRTAA*, and about as many as D* Lite",
        "TBAA*'s mean is below both replanners' at three budgets of four and below every learner's at two; as it stands if below all of them at every budget, and TBAA* / D* Lite is between 0.8 and 1.25 at every budget",
        measured,
        Verdict::graded(replanners >= 3 && learners >= 2, replanners == 4 && learners == 4 && alike == 4),
    )
    .explained("with large budgets searches end at once and waiting costs nothing, while daRTAA*'s look-ahead covers most dead ends; what D* Lite needs at small budgets depends on whether renewed keys are charged")
}

fn near(evidence: &Evidence<'_>, is_partial: bool) -> Finding {
    let says = if is_partial {
        "TBAA* seems slightly better than D* Lite in partially unknown terrain (perhaps not significantly)"
    } else {
        "D* Lite seems slightly better than TBAA* in completely unknown terrain (perhaps not significantly)"
    };
    let (mut measured, mut bearable, mut nowhere_worse) = (Vec::new(), 0, 0);
    // What a renewed key costs decides much: both ways of counting are judged.
    for dstar in ["D* Lite", "D* Lite, keys free"] {
        let (over, under) = if is_partial { ("TBAA*", dstar) } else { (dstar, "TBAA*") };
        let ratios: Vec<_> =
            BUDGETS.iter().map(|b| evidence.ratio(&label(over, *b), &label(under, *b), intervals)).collect();
        let better = ratios.iter().filter(|(_, interval)| interval.high < 1.0).count();
        let worse = ratios.iter().filter(|(_, interval)| interval.low > 1.0).count();
        bearable += usize::from(better >= worse);
        nowhere_worse += usize::from(worse == 0);
        for (budget, (ratio, interval)) in BUDGETS.iter().zip(ratios) {
            measured.push(Measured::new(format!("intervals at {budget}, {over} / {under}"), ratio, interval));
        }
    }
    Finding::new(
        "B5",
        says,
        "with renewed keys charged or free, the claimed side is not significantly worse at more budgets than it is significantly better; as it stands if it is nowhere significantly worse either way",
        measured,
        Verdict::graded(bearable >= 1, nowhere_worse == 2),
    )
    .explained("which of the two is ahead depends on the budget and on what a renewed key costs")
}

fn at_once(evidence: &Evidence<'_>) -> Finding {
    let moves_at_once = |name: &str| {
        BUDGETS.iter().all(|b| evidence.rows(&label(name, *b)).iter().all(|row| row.first_move == 1))
    };
    let first = |name: &str| evidence.mean(&label(name, 10), |row: &Row| row.first_move as f64);
    Finding::new(
        "B6",
        "with TBAA* the agent moves from the first interval on; with D* Lite it waits",
        "TBAA*'s and RTBA*'s first move is in interval 1 in every run, and D* Lite's mean first move at 10 expansions is later than interval 10",
        vec![
            Measured::exact("D* Lite: mean interval of the first move at 10 expansions", first("D* Lite")),
            Measured::exact("Repeated A*: the same", first("Repeated A*")),
        ],
        Verdict::of(moves_at_once("TBAA*") && moves_at_once("RTBA*") && first("D* Lite") > 10.0),
    )
}

fn work_and_time(evidence: &Evidence<'_>) -> Finding {
    let fewer = BUDGETS
        .iter()
        .filter(|b| best(evidence, &["TBAA*", "D* Lite"], **b) < best(evidence, &["Repeated A*"], **b))
        .count();
    let measured = BUDGETS.map(|b| {
        let (ratio, interval) = evidence.ratio(&label("Repeated A*", b), &label("TBAA*", b), intervals);
        Measured::new(format!("intervals at {b}, Repeated A* / TBAA*"), ratio, interval)
    });
    Finding::new(
        "B8",
        "A* is not best in intervals where terrain is unknown",
        "TBAA* or D* Lite has a smaller mean than Repeated A* at every budget",
        measured.to_vec(),
        Verdict::of(fewer == BUDGETS.len()),
    )
}
