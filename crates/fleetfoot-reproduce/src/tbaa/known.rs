//! Known terrain: TBA* compared with A* and the learners.

use fleetfoot_sim::error::InputError;

use super::super::limits::{Against, against, measured};
use super::super::{Evidence, Setup, Study};
use super::{BUDGETS, Entry, PAPER, expansions, figures, first_moves, runs, steps, table};
use fleetfoot_lab::places::Scene;
use fleetfoot_lab::report::{Finding, Measured, Report, Verdict};
use fleetfoot_lab::run::{Plan, PriceList};
use fleetfoot_lab::stats::TriState;

pub(in super::super) const STUDY: Study = Study {
    id: "tbaa-known",
    title: "TBAA*, known terrain: steps and moves",
    paper: PAPER,
    claims: &["B1", "B2", "B6", "B8"],
    plan,
    judge,
};

const ENTRIES: [Entry; 6] = [
    ("A*", "astar", PriceList::Papers),
    ("TBA*", "tba", PriceList::Papers),
    ("RTAA*", "rtaa", PriceList::Papers),
    ("RTAA* (1 move)", "rtaa(moves=1)", PriceList::Papers),
    ("daRTAA*", "da-rtaa", PriceList::Papers),
    ("daRTAA* (1 move)", "da-rtaa(moves=1)", PriceList::Papers),
];

/// The learners, with all moves to the end of a look-ahead or one move per look-ahead: the paper does not say which.
const LEARNERS: [&str; 4] = ["RTAA*", "RTAA* (1 move)", "daRTAA*", "daRTAA* (1 move)"];

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (jobs, mut about) = runs(setup, |_| Scene::KNOWN, &ENTRIES)?;
    about.notes.push("world: known".into());
    Plan::new(about, jobs)
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let findings =
        vec![no_faster(evidence), time_bounded(evidence), moves_at_once(evidence), least_work(evidence)];
    Report {
        findings,
        tables: vec![table(evidence, &ENTRIES)],
        figures: figures(evidence, &ENTRIES),
        ..Report::default()
    }
}

fn no_faster(evidence: &Evidence<'_>) -> Finding {
    let mut numbers = Vec::new();
    let mut no_less = TriState::Yes;
    for planner in ["TBA*"].into_iter().chain(LEARNERS) {
        let all = against(evidence, &BUDGETS, (planner, "A*"), steps);
        no_less = no_less.and(TriState::all(all.iter().map(|a| a.interval.at_least(0.95))));
        numbers.extend(measured(&format!("steps, {planner} / A*"), &all));
    }
    Finding::new(
        "B1",
        "where the map is known, no real-time planner needs clearly fewer steps than A*: about as many, or more",
        "planner / A* is at least 0.95 for each planner at every budget",
        numbers,
        Verdict::of(no_less),
    )
    .explained("A* waits while it searches; a planner that walks in roughly the right direction meanwhile arrives first if the search is long compared with the path")
}

fn time_bounded(evidence: &Evidence<'_>) -> Finding {
    let mut numbers = Vec::new();
    let mut more = Vec::new();
    for planner in LEARNERS {
        let all = against(evidence, &BUDGETS, (planner, "TBA*"), steps);
        more.extend(all.iter().map(Against::more));
        numbers.extend(measured(&format!("steps, {planner} / TBA*"), &all));
    }
    let astar = against(evidence, &BUDGETS, ("TBA*", "A*"), steps);
    let near = TriState::all(astar.iter().map(|a| a.even(0.10)));
    numbers.extend(measured("steps, TBA* / A*", &astar));
    Finding::new(
        "B2",
        "TBA* needs fewer steps than RTAA* and daRTAA*, and about as many as A*",
        "of the 16 comparisons with learners (two in two forms, 4 budgets) none is against TBA* and most are for it; \
         as it stands if TBA* / A* is within 10 % of 1 at every budget",
        numbers,
        Verdict::graded(TriState::most(9, &more), near),
    )
    .explained("TBA* walks after half-finished searches and has to come back; A* stands, and loses only its search. A learner with a look-ahead as large as A*'s whole search is A*")
}

fn moves_at_once(evidence: &Evidence<'_>) -> Finding {
    let (at_once, waits, numbers) = first_moves(evidence, &["TBA*"], &["A*"]);
    Finding::new(
        "B6",
        "with TBA* the agent moves from the first interval on; with A* it waits for the search",
        "the first move of TBA* is in step 1 in every run at every budget, and that of A* is later at the smallest budget",
        numbers,
        Verdict::of(waits.and(at_once)),
    )
}

fn least_work(evidence: &Evidence<'_>) -> Finding {
    let mut numbers: Vec<Measured> = Vec::new();
    let (mut no_less, mut tied) = (TriState::Yes, TriState::Yes);
    for planner in ["TBA*"].into_iter().chain(LEARNERS) {
        let all = against(evidence, &BUDGETS, (planner, "A*"), expansions);
        no_less = no_less.and(TriState::all(all.iter().map(|a| a.interval.at_least(0.98))));
        if planner == "TBA*" {
            tied = TriState::all(all.iter().map(|a| a.even(0.02)));
        }
        numbers.extend(measured(&format!("expansions, {planner} / A*"), &all));
    }
    Finding::new(
        "B8",
        "among forward searches A* works least, up to ties",
        "the expansions of TBA*, which finds the same paths, are those of A* within 2 %, and no learner has fewer than 98 % of A*'s at any budget",
        numbers,
        Verdict::of(tied.and(no_less)),
    )
    .explained("A* works least among those that find shortest paths; a learner that takes what path it comes upon may do with less")
}
