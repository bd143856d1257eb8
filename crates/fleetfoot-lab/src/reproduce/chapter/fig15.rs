//! Figure 15: RIBS and LRTA* in a local minimum of growing size.

use std::sync::Arc;

use fleetfoot::{Diagonal, Rules};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::{Evidence, Setup, Study};
use super::PAPER;
use crate::number;
use crate::places::{Made, MapSource, Place, Scene};
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Finding, Measured, Report, Table, Verdict};
use crate::run::{About, Job, Plan, Problem, Row};
use crate::stats::{Fit, log_log};

pub(in super::super) const STUDY: Study = Study {
    id: "chapter-fig15",
    title: "The chapter, Figure 15: RIBS and LRTA* in a local minimum",
    paper: PAPER,
    claims: &["C3a", "C3b", "C3c", "C3d", "C3e"],
    plan,
    judge,
};

const SIDES: [u32; 12] = [10, 14, 20, 28, 34, 40, 56, 80, 112, 160, 226, 320];
const PLANNERS: [(&str, &str, Budget); 5] = [
    ("RIBS", "ribs", Budget::Unlimited),
    ("LRTA*", "lrta", Budget::Unlimited),
    ("LSS-LRTA* (10)", "lss-lrta(lookahead=10)", Budget::Unlimited),
    ("LSS-LRTA* (100)", "lss-lrta(lookahead=100)", Budget::Unlimited),
    ("TBA* (R=10)", "tba", Budget::Expansions(10)),
];

fn label(name: &str, side: u32) -> String {
    format!("{name} {side}")
}

fn sides(evidence: &Evidence<'_>) -> Vec<u32> {
    SIDES.into_iter().filter(|side| evidence.has(&label("RIBS", *side))).collect()
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let largest = setup.scale.pick(160, 320) as u32;
    let mut jobs = Vec::new();
    for side in SIDES.into_iter().filter(|side| *side <= largest) {
        let map = MapSource::Made(Made::Corner { side });
        let made = map.load()?;
        let (start, goal) = made.start.zip(made.goal).unwrap_or_default();
        let rules = Rules { diagonal: Diagonal::D14, ..Rules::default() };
        let place = Arc::new(Place { rules, ..Place::new(map, Scene::KNOWN) });
        for (name, spec, budget) in PLANNERS {
            let spec =
                spec.parse().map_err(|error| InputError::new(format!("{error}"), "use a later version"))?;
            let job = Job::new(&place, Problem { index: u64::from(side), start, goal }, spec, budget);
            jobs.push(job.labelled(label(name, side)));
        }
    }
    let notes = vec![
        format!(
            "maps: a square with a wall bent around the way to the goal, 10×10 to {largest}×{largest}; start upper left, goal lower right; one problem each, so there are no intervals"
        ),
        "eight moves, 1 and 1.4, no corner cutting; known, still".into(),
        "LRTA*: its neighbours only, raises its own state; RIBS: one step of its search per move".into(),
        "map states: the square of the side, as in the chapter".into(),
    ];
    Plan::new(About { notes, ..About::default() }, jobs)
}

fn work(row: &Row) -> f64 {
    row.expansions as f64
}

fn curve(evidence: &Evidence<'_>, name: &str) -> Vec<(f64, f64)> {
    let point = |side: u32| (f64::from(side * side), evidence.mean(&label(name, side), work));
    sides(evidence).into_iter().map(point).collect()
}

/// The power law of the larger maps, where the walls' thickness no longer counts.
fn fit(evidence: &Evidence<'_>, name: &str) -> Fit {
    let large: Vec<(f64, f64)> =
        curve(evidence, name).into_iter().filter(|(states, _)| *states >= 1600.0).collect();
    log_log(&large).unwrap_or(Fit { slope: f64::NAN, factor: f64::NAN, r2: f64::NAN })
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let findings = vec![
        power(
            evidence,
            ("C3a", "RIBS", 1.0, 10.0),
            "RIBS expands linearly in the size of the map: y ≈ 10·x for large maps",
        ),
        power(evidence, ("C3b", "LRTA*", 1.5, 0.14), "LRTA*'s expansions grow as y ≈ 0.14·x^1.5"),
        crossover(evidence),
        larger_spaces(evidence),
        in_practice(evidence),
    ];
    let mut table = Table::new(
        "Expansions by size",
        &[
            "side",
            "map states",
            "RIBS",
            "LRTA*",
            "LSS-LRTA* (10)",
            "LSS-LRTA* (100)",
            "TBA* (R=10)",
            "optimal cost",
            "RIBS cost",
            "TBA* cost",
        ],
    );
    for side in sides(evidence) {
        let mut line = vec![side.to_string(), (side * side).to_string()];
        line.extend(PLANNERS.iter().map(|(name, _, _)| number(evidence.mean(&label(name, side), work))));
        line.push(number(evidence.mean(&label("RIBS", side), |row| row.optimal.unwrap_or(f64::NAN))));
        line.extend(
            ["RIBS", "TBA* (R=10)"].map(|name| number(evidence.mean(&label(name, side), |row| row.cost))),
        );
        table.push(line);
    }
    let shown = |name: &str| {
        Series::line(name, curve(evidence, name).into_iter().map(|(x, y)| Point::new(x, y)).collect())
    };
    let law = |name: &str, factor: f64, slope: f64| {
        let points =
            curve(evidence, "RIBS").into_iter().map(|(x, _)| Point::new(x, factor * x.powf(slope))).collect();
        Series::line(name, points)
    };
    let figure = Figure {
        name: "fig15".into(),
        caption: "One problem for each size; hollow: the chapter's fits.".into(),
        plot: Plot {
            title: "RIBS and LRTA* in a local minimum".into(),
            x: Axis::log("states of the map"),
            y: Axis::log("states expanded"),
            series: vec![
                shown("RIBS"),
                shown("LRTA*"),
                shown("LSS-LRTA* (10)"),
                shown("LSS-LRTA* (100)"),
                law("chapter: 10·x", 10.0, 1.0).like(0),
                law("chapter: 0.14·x^1.5", 0.14, 1.5).like(1),
            ],
        },
    };
    Report { findings, tables: vec![table], figures: vec![figure], ..Report::default() }
}

fn power(evidence: &Evidence<'_>, (id, name, slope, factor): (&str, &str, f64, f64), says: &str) -> Finding {
    let found = fit(evidence, name);
    let at = 1600.0f64;
    let ratio = found.factor * at.powf(found.slope) / (factor * at.powf(slope));
    Finding::new(
        id,
        says,
        "on large maps, of at least 1600 states, the slope on logarithmic axes is within 0.15 of the chapter's; as it stands if the fitted expansions at 1600 states are within a factor of 2 of the chapter's",
        vec![
            Measured::exact(format!("slope (chapter: {slope})"), found.slope),
            Measured::exact("share of variance explained", found.r2),
            Measured::exact("fitted expansions at 1600 states, ours / chapter's", ratio),
        ],
        Verdict::graded((found.slope - slope).abs() <= 0.15, (0.5..=2.0).contains(&ratio)),
    )
    .explained("the chapter does not draw its wall to scale; ours leaves four cells behind it")
}

fn crossover(evidence: &Evidence<'_>) -> Finding {
    let (ribs, lrta) = (curve(evidence, "RIBS"), curve(evidence, "LRTA*"));
    let wins: Vec<bool> = ribs.iter().zip(&lrta).map(|(r, l)| r.1 < l.1).collect();
    let first = wins.iter().position(|win| *win);
    let once = first.is_some_and(|k| k > 0 && wins[k..].iter().all(|win| *win));
    let (below, above) =
        first.filter(|k| *k > 0).map_or((f64::NAN, f64::NAN), |k| (ribs[k - 1].0, ribs[k].0));
    Finding::new(
        "C3c",
        "RIBS beats LRTA* from about 1500 states on, a room of 40×40",
        "there is a size from which on RIBS expands less at every larger one, and more at every smaller one; as it stands if that lies between 1000 and 2200 states",
        vec![
            Measured::exact("the largest map on which LRTA* expands less, states", below),
            Measured::exact("the smallest on which RIBS does", above),
        ],
        Verdict::graded(once, below >= 1000.0 && above <= 2200.0),
    )
    .explained("the crossover moves with the shape of the wall")
}

fn larger_spaces(evidence: &Evidence<'_>) -> Finding {
    let slopes = ["LSS-LRTA* (10)", "LSS-LRTA* (100)"].map(|name| fit(evidence, name).slope);
    let ribs = fit(evidence, "RIBS").slope;
    Finding::new(
        "C3d",
        "enlarging LRTA*'s local spaces does not change the picture",
        "the slopes of LSS-LRTA* with 10 and 100 expansions are both above RIBS's by at least 0.1; as it stands if both are within 0.25 of 1.5",
        vec![
            Measured::exact("slope, LSS-LRTA* (10)", slopes[0]),
            Measured::exact("slope, LSS-LRTA* (100)", slopes[1]),
            Measured::exact("slope, RIBS", ribs),
        ],
        Verdict::graded(slopes.iter().all(|s| *s >= ribs + 0.1), slopes.iter().all(|s| (s - 1.5).abs() <= 0.25)),
    )
    .explained("LSS-LRTA* learns the whole of what it has searched at once; with 100 expansions the smaller maps are no local minimum to it")
}

fn in_practice(evidence: &Evidence<'_>) -> Finding {
    let cost = |name: &str, side: u32| evidence.mean(&label(name, side), |row| row.cost);
    let all = sides(evidence);
    let better = all.iter().filter(|side| cost("TBA* (R=10)", **side) < cost("RIBS", **side)).count();
    let arrived = all.iter().all(|side| evidence.rows(&label("RIBS", *side)).iter().all(|row| row.arrived()));
    Finding::new(
        "C3e",
        "RIBS knows the optimal cost when it arrives, yet TBA* and kNN LRTA* perform better in practice",
        "RIBS arrives on every map, and TBA* with 10 expansions per move walks less on every map (what RIBS knows is a property test; kNN LRTA* is in chapter-tables)",
        vec![Measured::exact(format!("maps (of {}) on which TBA* walks less", all.len()), better as f64)],
        Verdict::of(arrived && better == all.len()),
    )
}
