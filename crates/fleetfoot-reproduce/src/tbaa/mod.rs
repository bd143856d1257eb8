//! The experiments with TBAA* in the game time model: six game maps, random problems, known, partly known or unknown.

pub(super) mod known;
mod orders;
pub(super) mod unknown;
mod unsolvable;

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::random_problems;

use super::games::{Needs, Wanted, cave, choose};
use super::limits::{cell, label, series, spec};
use super::{Evidence, Setup};
use fleetfoot_lab::places::{Place, Scene};
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Measured, Table};
use fleetfoot_lab::run::{About, Job, PriceList, Problem, Row};
use fleetfoot_lab::stats::TriState;

/// Where it was published.
const PAPER: &str = "Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, 2012";

/// Maps of two games. The paper does not name its six.
const MAPS: [Wanted; 6] = [
    Wanted { set: "bg512", file: "AR0011SR.map", instead: cave(512, 1) },
    Wanted { set: "bg512", file: "AR0012SR.map", instead: cave(512, 2) },
    Wanted { set: "bg512", file: "AR0400SR.map", instead: cave(512, 3) },
    Wanted { set: "dao", file: "brc202d.map", instead: cave(512, 4) },
    Wanted { set: "dao", file: "den501d.map", instead: cave(512, 5) },
    Wanted { set: "dao", file: "orz100d.map", instead: cave(512, 6) },
];

/// Expansions per step. The paper's intervals are times, 0.3 to 1.5 ms, which is hundreds to a few thousand
/// expansions. Smaller budgets show where orders change.
const BUDGETS: [u64; 4] = [10, 50, 200, 1000];

/// A planner of a study: its name, its spec, its price list.
type Entry = (&'static str, &'static str, PriceList);

fn steps(row: &Row) -> f64 {
    row.steps as f64
}

fn moves(row: &Row) -> f64 {
    row.moves as f64
}

fn expansions(row: &Row) -> f64 {
    row.expansions as f64
}

fn first_move(row: &Row) -> f64 {
    row.first_move as f64
}

/// Returns the runs of all planners with all budgets on all maps, and notes for the report.
fn runs(
    setup: &Setup,
    scene: impl Fn(u64) -> Scene,
    entries: &[Entry],
) -> Result<(Vec<Job>, About), InputError> {
    let (maps, map_notes) =
        choose(setup, "six maps of games from the MovingAI collection", &MAPS, Needs::Any(None))?;
    let problems = setup.scale.pick(16, 300);
    let mut jobs = Vec::new();
    for (number, map) in (1..).zip(maps) {
        let pairs = random_problems(&map.load()?.map, problems as usize, number)?;
        let place = Arc::new(Place::new(map, scene(number)));
        for (index, (start, goal)) in (0..).zip(pairs) {
            for &(name, text, prices) in entries {
                for budget in BUDGETS {
                    let job = Job::new(
                        &place,
                        Problem { index, start, goal },
                        spec(text)?,
                        Budget::Expansions(budget),
                    );
                    jobs.push(Job { prices, ..job.labelled(label(name, budget)) });
                }
            }
        }
    }
    let mut notes = vec![format!(
        "problems: {problems} per map, random and solvable (the map's number is the seed); the paper: 300 per map"
    )];
    notes.push("moves: eight, 1 and √2, no corner cutting, octile distance; ties: larger g, then the first or last in line, nothing is drawn".into());
    notes.push(format!(
        "game time: per interval one search within the budget, counted in expansions ({BUDGETS:?}; the paper: 0.3 to 1.5 ms), and one move at most, \
         made in the interval in which its search ends"
    ));
    notes.push("counted: expansions and key refreshes; time-bounded planners keep a tenth of the budget for tracing (r = 0.9, c = 10); learning is free".into());
    Ok((jobs, About { map_notes, notes, ..About::default() }))
}

/// Returns all measures by planner and budget.
fn table(evidence: &Evidence<'_>, entries: &[Entry]) -> Table {
    let columns = ["planner and budget", "steps", "moves", "first move", "expansions"];
    let mut table = Table::new("Intervals and moves until the goal is reached", &columns);
    for (name, ..) in entries {
        for budget in BUDGETS {
            let name = label(name, budget);
            let mut line = vec![name.clone()];
            line.extend([steps, moves, first_move, expansions].map(|of| cell(evidence, &name, of)));
            table.push(line);
        }
    }
    table.noted("Means with 95 % intervals. The text of the paper gives no table.")
}

/// Returns intervals and moves by budget, and work against time.
fn figures(evidence: &Evidence<'_>, entries: &[Entry]) -> Vec<Figure> {
    let by_budget = |name: &str, title: &str, y: &str, of: fn(&Row) -> f64| Figure {
        name: name.into(),
        caption: "Means with 95 % intervals.".into(),
        plot: Plot {
            title: title.into(),
            x: Axis::log("expansions per interval").with_ticks(BUDGETS.map(|k| k as f64)),
            y: Axis::log(y),
            series: entries.iter().map(|(planner, ..)| series(evidence, &BUDGETS, planner, of)).collect(),
        },
    };
    let scatter = |(planner, ..): &Entry| {
        let point = |k: &u64| {
            let name = label(planner, *k);
            Point::new(evidence.mean(&name, expansions), evidence.mean(&name, steps))
        };
        let labels = BUDGETS.iter().map(ToString::to_string).collect();
        Series::scatter(*planner, BUDGETS.iter().map(point).collect()).labelled(labels)
    };
    vec![
        by_budget("steps", "Time to the goal by budget", "steps, mean", steps),
        by_budget("moves", "Moves by budget", "moves, mean", moves),
        Figure {
            name: "work-time".into(),
            caption:
                "One point per budget: the planner with the least work is not always the first to arrive."
                    .into(),
            plot: Plot {
                title: "Work against time".into(),
                x: Axis::log("expansions, mean"),
                y: Axis::log("steps, mean"),
                series: entries.iter().map(scatter).collect(),
            },
        },
    ]
}

/// Returns whether the planners `at_once` always move in the first interval, whether those of `late` wait at the
/// smallest budget, and the numbers.
fn first_moves(evidence: &Evidence<'_>, at_once: &[&str], late: &[&str]) -> (bool, TriState, Vec<Measured>) {
    let name = |planner: &&str| label(planner, BUDGETS[0]);
    let is_first = |row: &&Row| row.first_move == 1;
    let all_first =
        |planner: &&str| BUDGETS.iter().all(|k| evidence.rows(&label(planner, *k)).iter().all(is_first));
    let seen = at_once.iter().chain(late).map(|planner| {
        evidence.measured(
            &format!("{planner}: interval of the first move at {}", BUDGETS[0]),
            &name(planner),
            first_move,
        )
    });
    let measured: Vec<Measured> = seen.collect();
    let waits = TriState::all(measured[at_once.len()..].iter().map(|m| m.span().above(1.0)));
    (at_once.iter().all(all_first), waits, measured)
}
