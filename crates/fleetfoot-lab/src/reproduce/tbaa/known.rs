//! Known terrain: TBA* against A* and the learners.

use fleetfoot_sim::error::InputError;

use super::super::{Evidence, Setup, Study};
use super::{BUDGETS, Contender, LOCAL, PAPER, best, contender, figure, intervals, label, runs, table};
use crate::places::Scene;
use crate::report::{Finding, Measured, Report, Verdict};
use crate::run::{About, Plan, Row};

pub(in super::super) const STUDY: Study = Study {
    id: "tbaa-known",
    title: "The game time model in known terrain",
    paper: PAPER,
    claims: &["B1", "B2", "B6", "B8"],
    plan,
    judge,
};

const GLOBAL: [Contender; 2] = [contender("A*", "astar"), contender("TBA*", "tba")];

fn contenders() -> Vec<Contender> {
    GLOBAL.into_iter().chain(LOCAL).collect()
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (jobs, notes) = runs(setup, setup.scale.pick(12, 300), |_| Scene::KNOWN, &contenders())?;
    Plan::new(About { notes, ..About::default() }, jobs)
}

const RTAA: [&str; 2] = ["RTAA*", "RTAA* (1 move)"];
const DA: [&str; 2] = ["daRTAA*", "daRTAA* (1 move)"];

fn judge(evidence: &Evidence<'_>) -> Report {
    let findings = vec![not_fewer(evidence), tba_best(evidence), at_once(evidence), least_work(evidence)];
    let (tables, figures) = (
        vec![table(evidence, &contenders())],
        vec![figure(evidence, "Intervals in known terrain", &contenders())],
    );
    Report { findings, tables, figures, ..Report::default() }
}

fn not_fewer(evidence: &Evidence<'_>) -> Finding {
    let mut measured = Vec::new();
    let (mut trend, mut strict) = (true, true);
    for budget in BUDGETS {
        let astar = evidence.mean(&label("A*", budget), intervals);
        let others = [
            ("TBA*", best(evidence, &["TBA*"], budget)),
            ("RTAA*", best(evidence, &RTAA, budget)),
            ("daRTAA*", best(evidence, &DA, budget)),
        ];
        for (name, value) in others {
            trend &= value / astar >= 0.9;
            strict &= value / astar >= 0.98;
            measured.push(Measured::exact(format!("intervals at {budget}, {name} / A*"), value / astar));
        }
    }
    Finding::new(
        "B1",
        "in known terrain all real-time algorithms need about as many intervals as A*, or more",
        "TBA*, RTAA* and daRTAA* need at least 0.9 times the mean intervals of A* at every budget; as it stands if at least 0.98 times",
        measured,
        Verdict::graded(trend, strict),
    )
    .explained("an agent that moves from the first interval on can be ahead of one that waits for a long search")
}

fn tba_best(evidence: &Evidence<'_>) -> Finding {
    let (mut fewer, mut alike, mut measured) = (true, true, Vec::new());
    for budget in BUDGETS {
        let tba = evidence.mean(&label("TBA*", budget), intervals);
        let local = best(evidence, &RTAA, budget).min(best(evidence, &DA, budget));
        fewer &= tba < local;
        let (ratio, interval) = evidence.ratio(&label("TBA*", budget), &label("A*", budget), intervals);
        alike &= (0.8..=1.25).contains(&ratio);
        measured.push(Measured::new(format!("intervals at {budget}, TBA* / A*"), ratio, interval));
        measured
            .push(Measured::exact(format!("intervals at {budget}, the best learner / TBA*"), local / tba));
    }
    Finding::new(
        "B2",
        "TBA* needs fewer intervals than RTAA* and daRTAA*, and about as many as A*",
        "at every budget TBA*'s mean is below that of the better form of both; as it stands if TBA* / A* is, besides, between 0.8 and 1.25 at every budget",
        measured,
        Verdict::graded(fewer, alike),
    )
    .explained("at small budgets TBA*'s steps before the search ends are partly in vain")
}

fn at_once(evidence: &Evidence<'_>) -> Finding {
    let first = |row: &Row| row.first_move as f64;
    let all = BUDGETS.iter().all(|b| evidence.rows(&label("TBA*", *b)).iter().all(|row| row.first_move == 1));
    let waits = evidence.mean(&label("A*", 10), first);
    Finding::new(
        "B6",
        "with TBA* the agent moves from the first interval on; with A* it waits",
        "TBA*'s first move is in interval 1 in every run, and A*'s mean first move at 10 expansions is later than interval 10",
        vec![
            Measured::exact("A*: mean interval of the first move at 10 expansions", waits),
            Measured::exact("A*: the same at 1000", evidence.mean(&label("A*", 1000), first)),
        ],
        Verdict::of(all && waits > 10.0),
    )
}

fn least_work(evidence: &Evidence<'_>) -> Finding {
    let work = |row: &Row| row.expansions as f64;
    let astar = evidence.mean(&label("A*", 50), work);
    let others = ["TBA*", "RTAA*", "daRTAA*"].map(|name| evidence.mean(&label(name, 50), work) / astar);
    Finding::new(
        "B8",
        "A* needs the least CPU time of forward searches that find shortest paths, and yet is not best in intervals where terrain is unknown",
        "in known terrain A* expands no more than TBA*, which finds the same path; the part about unknown terrain is judged in tbaa-unknown",
        vec![
            Measured::exact("expansions at 50, TBA* / A*", others[0]),
            Measured::exact("expansions at 50, RTAA* / A*", others[1]),
            Measured::exact("expansions at 50, daRTAA* / A*", others[2]),
        ],
        Verdict::of(others[0] >= 1.0),
    )
}
