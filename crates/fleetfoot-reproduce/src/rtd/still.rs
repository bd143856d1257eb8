//! RTD* in static worlds: what it finds without a limit, and that it arrives with one.

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::limits::{label, spec};
use super::super::{Evidence, paper_job};
use super::{Entry, LIMITS};
use fleetfoot_lab::places::{MapSource, Place, Scene};
use fleetfoot_lab::report::{Finding, Measured, Verdict};
use fleetfoot_lab::run::{Job, Problem, Row};
use fleetfoot_lab::stats::{Summary, bootstrap, mean};

/// RTD* without a limit in a known world, and the search that it should equal.
const KNOWN: [Entry; 3] = [
    ("RTD* (LRTA*)", "rtd(local=tla,ratio=25%)"),
    ("RTD* (LSS-LRTA*)", "rtd(local=lss-lrta,ratio=75%)"),
    (BACKWARD, "repeated-astar(direction=backward,open=heap,ties=smaller-g)"),
];
const BACKWARD: &str = "backward A*";

fn name(planner: &str) -> String {
    format!("{planner}, known, no limit")
}

/// Returns the runs of these problems in a known world.
pub(super) fn runs(map: &MapSource, problems: &[Problem]) -> Result<Vec<Job>, InputError> {
    let place = Arc::new(Place::new(map.clone(), Scene::KNOWN));
    let mut jobs = Vec::new();
    for &problem in problems {
        for (planner, text) in KNOWN {
            jobs.push(paper_job(&place, problem, spec(text)?, Budget::Unlimited).labelled(name(planner)));
        }
    }
    Ok(jobs)
}

fn is_shortest(row: &Row) -> bool {
    (Some(row.cost_straight), Some(row.cost_diagonal)) == (row.optimal_straight, row.optimal_diagonal)
        || row.optimal.is_some_and(|optimal| row.cost <= optimal * (1.0 + 1e-9))
}

/// Judges the claim. `limited` are the planners that the study runs in unknown worlds, with every limit.
pub(super) fn finding(evidence: &Evidence<'_>, limited: &[&str]) -> Finding {
    let (mut measured, mut holds, mut alike) = (Vec::new(), true, true);
    for (planner, _) in KNOWN.into_iter().filter(|(planner, _)| *planner != BACKWARD) {
        let rows = evidence.rows(&name(planner));
        let shortest = rows.iter().filter(|row| row.arrived() && is_shortest(row)).count();
        holds &= shortest == rows.len();
        let what = format!("{planner}, known, no limit: walks that are shortest, of {}", rows.len());
        measured.push(Measured::count(what, shortest, rows.len()));
        let pairs = rows.iter().zip(evidence.rows(&name(BACKWARD)));
        let ratios: Vec<f64> =
            pairs.map(|(ours, theirs)| ours.expansions as f64 / theirs.expansions.max(1) as f64).collect();
        let Summary { min, max, .. } = Summary::of(&ratios);
        alike &= !ratios.is_empty() && min >= 0.95 && max <= 1.05;
        let what = format!("{planner}: expansions by those of backward A*, {} problems", ratios.len());
        let value = if ratios.is_empty() { f64::NAN } else { mean(&ratios) };
        measured.push(Measured::new(what, value, bootstrap(&ratios, mean)));
        measured.extend(
            [("least", min), ("most", max)]
                .map(|(which, value)| Measured::exact(format!("{planner}: the {which} of these"), value)),
        );
    }
    for planner in limited {
        for limit in LIMITS {
            let rows = evidence.rows(&label(planner, limit));
            let arrived = rows.iter().filter(|row| row.arrived()).count();
            holds &= arrived == rows.len();
            let what = format!("{planner}, unknown: runs that arrive, of {} at {limit}", rows.len());
            measured.push(Measured::count(what, arrived, rows.len()));
        }
    }
    Finding::new(
        "E11",
        "without a limit, in a static world, RTD* searches like A* and walks a shortest path; with a limit that is large enough it arrives",
        "in known worlds every walk without a limit is shortest, and in unknown ones every run with a limit arrives; as it stands if on each problem RTD* expands as much as A* from the goal with ties to smaller g, within 5 %",
        measured,
        Verdict::graded(holds, alike),
    )
    .explained("D* Lite stops when the agent's state is settled, A* when it is selected: the last layer of equal f may differ")
}
