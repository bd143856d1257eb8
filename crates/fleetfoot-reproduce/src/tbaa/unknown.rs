//! Terrain that is partly or entirely unknown.

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::WorldSpec;

use super::super::{Evidence, Setup, Study};
use super::{Entry, PAPER, figures, first_moves, orders, runs, table, unsolvable};
use fleetfoot_lab::places::Scene;
use fleetfoot_lab::report::{Finding, Report, Verdict};
use fleetfoot_lab::run::{Plan, PriceList};

pub(in super::super) const PARTIAL: Study = Study {
    id: "tbaa-partial",
    title: "TBAA*, partially unknown terrain: steps and moves",
    paper: PAPER,
    claims: &["B3", "B4", "B5", "B6", "B8"],
    plan: partial,
    judge: |evidence| judge(evidence, true),
};

pub(in super::super) const UNKNOWN: Study = Study {
    id: "tbaa-unknown",
    title: "TBAA*, completely unknown terrain: steps and moves",
    paper: PAPER,
    claims: &["B3", "B4", "B5", "B6", "B7", "B8"],
    plan: unknown,
    judge: |evidence| judge(evidence, false),
};

/// D* Lite occurs twice: with key refreshes charged as expansions, and with free refreshes.
const ENTRIES: [Entry; 10] = [
    ("Repeated A*", "repeated-astar", PriceList::Papers),
    ("AA*", "adaptive-astar", PriceList::Papers),
    ("D* Lite", "dstar-lite", PriceList::Papers),
    (orders::FREE_REFRESHES, "dstar-lite", PriceList::Expansions),
    ("RTAA*", "rtaa", PriceList::Papers),
    ("RTAA* (1 move)", "rtaa(moves=1)", PriceList::Papers),
    ("daRTAA*", "da-rtaa", PriceList::Papers),
    ("daRTAA* (1 move)", "da-rtaa(moves=1)", PriceList::Papers),
    ("RTBA*", "rtba", PriceList::Papers),
    ("TBAA*", "tbaa", PriceList::Papers),
];

fn partial(setup: &Setup) -> Result<Plan, InputError> {
    let scene = |seed| Scene::Spec(WorldSpec::Partial { hidden: 500_000, seed, sight: None });
    let (jobs, mut about) = runs(setup, scene, &ENTRIES)?;
    about.notes.push("world: half of the cells, drawn at random, are hidden at first and assumed to be free; the agent sees its eight neighbors; the paper does not say how much it hid".into());
    Plan::new(about, jobs)
}

fn unknown(setup: &Setup) -> Result<Plan, InputError> {
    let scene = |_| Scene::Spec(WorldSpec::Unknown { sight: None });
    let (mut jobs, mut about) = runs(setup, scene, &ENTRIES)?;
    jobs.extend(unsolvable::runs(setup.scale.pick(20, 100))?);
    about.notes.push(
        "world: all cells are unknown and assumed to be free; the agent sees its eight neighbors".into(),
    );
    Plan::new(about, jobs)
}

fn judge(evidence: &Evidence<'_>, is_partial: bool) -> Report {
    let mut findings = vec![
        orders::than_repeated(evidence),
        orders::best(evidence),
        orders::than_dstar(evidence, is_partial),
        moves_at_once(evidence),
    ];
    if !is_partial {
        findings.push(unsolvable::finding(evidence));
    }
    findings.push(orders::work_and_time(evidence));
    Report {
        findings,
        tables: vec![table(evidence, &ENTRIES)],
        figures: figures(evidence, &ENTRIES),
        ..Report::default()
    }
}

fn moves_at_once(evidence: &Evidence<'_>) -> Finding {
    let (at_once, waits, numbers) = first_moves(evidence, &["TBAA*"], &["Repeated A*", "D* Lite"]);
    Finding::new(
        "B6",
        "with TBAA* the agent moves from the first interval on; with A* and D* Lite it waits for the search",
        "the first move of TBAA* is in step 1 in every run at every budget, and those of Repeated A* and D* Lite are later at the smallest budget",
        numbers,
        Verdict::of(waits.and(at_once)),
    )
}
