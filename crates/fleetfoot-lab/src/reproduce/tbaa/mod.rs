//! The game time model: known, partially known and unknown terrain; intervals until the goal is reached.

pub(super) mod known;
pub(super) mod unknown;
mod unsolvable;

use std::sync::Arc;

use fleetfoot::registry::Spec;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::random_problems;

use super::games::{Wanted, cave, choose};
use super::{Evidence, Setup};
use crate::number;
use crate::places::{Place, Scene};
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Table};
use crate::run::{Job, PriceList, Problem, Row};
use crate::stats::{Interval, bootstrap, mean};

const PAPER: &str = "Hernández, Baier, Uras, Koenig: Time-Bounded Adaptive A*, 2012 (extended abstract)";

/// Six maps of three games; the abstract does not name its own.
const MAPS: [Wanted; 6] = [
    Wanted { set: "dao", file: "arena2.map", instead: cave(256, 1) },
    Wanted { set: "dao", file: "den501d.map", instead: cave(256, 2) },
    Wanted { set: "dao", file: "orz100d.map", instead: cave(384, 3) },
    Wanted { set: "bg512", file: "AR0400SR.map", instead: cave(512, 4) },
    Wanted { set: "bg512", file: "AR0500SR.map", instead: cave(512, 5) },
    Wanted { set: "wc3maps512", file: "blastedlands.map", instead: cave(512, 6) },
];

/// Expansions per interval, in place of 0.3 to 1.5 milliseconds.
const BUDGETS: [u64; 4] = [10, 50, 200, 1000];

/// A planner of the comparison.
#[derive(Clone, Copy)]
struct Contender {
    name: &'static str,
    spec: &'static str,
    prices: PriceList,
}

const fn contender(name: &'static str, spec: &'static str) -> Contender {
    Contender { name, spec, prices: PriceList::Papers }
}

/// Those that look ahead from where the agent is: with all moves to where they ended, or one per search.
const LOCAL: [Contender; 4] = [
    contender("RTAA*", "rtaa"),
    contender("RTAA* (1 move)", "rtaa(moves=1)"),
    contender("daRTAA*", "da-rtaa"),
    contender("daRTAA* (1 move)", "da-rtaa(moves=1)"),
];

fn label(name: &str, budget: u64) -> String {
    format!("{name} at {budget}")
}

fn intervals(row: &Row) -> f64 {
    row.intervals as f64
}

/// All contenders on so many random problems of each map.
fn runs(
    setup: &Setup,
    problems: u64,
    scene: impl Fn(u64) -> Scene,
    contenders: &[Contender],
) -> Result<(Vec<Job>, Vec<String>), InputError> {
    let (maps, mut notes) = choose(setup, "six game maps of the MovingAI collection", &MAPS)?;
    let mut jobs = Vec::new();
    for (number, map) in (0..).zip(maps) {
        let pairs = random_problems(&map.load()?.map, problems as usize, 1)?;
        let place = Arc::new(Place::new(map, scene(number)));
        for (index, (start, goal)) in (0..).zip(pairs) {
            for contender in contenders {
                let spec: Spec = contender
                    .spec
                    .parse()
                    .map_err(|error| InputError::new(format!("{error}"), "use a later version"))?;
                for budget in BUDGETS {
                    let problem = Problem { index, start, goal };
                    let job = Job::new(&place, problem, spec.clone(), Budget::Expansions(budget));
                    let label = label(contender.name, budget);
                    jobs.push(Job { prices: contender.prices, ..job.labelled(label) });
                }
            }
        }
    }
    notes.push(format!(
        "problems: {problems} per map, any two connected cells (seed 1); the paper: 300 per map"
    ));
    notes.push(
        "eight moves, 1 and √2, no corner cutting, octile distance; the agent sees its eight neighbours"
            .into(),
    );
    notes.push("intervals of 10, 50, 200 and 1000 expansions in place of 0.3 to 1.5 ms; a search that ends within an interval moves in that interval".into());
    notes.push("RTAA* and daRTAA*: all moves to where a look-ahead ended, and one move per look-ahead; claims take the better of the two".into());
    Ok((jobs, notes))
}

/// The mean intervals of a planner at a budget; of several forms the best.
fn best(evidence: &Evidence<'_>, names: &[&str], budget: u64) -> f64 {
    names.iter().map(|name| evidence.mean(&label(name, budget), intervals)).fold(f64::INFINITY, f64::min)
}

fn table(evidence: &Evidence<'_>, contenders: &[Contender]) -> Table {
    let names: Vec<String> = std::iter::once("planner".to_owned())
        .chain(BUDGETS.iter().map(|budget| format!("intervals at {budget}")))
        .chain(["moves at 50".into(), "first move at 50".into(), "expansions at 50".into(), "arrived".into()])
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut table = Table::new("Means over all problems", &names);
    for Contender { name, .. } in contenders {
        let mut line = vec![(*name).to_owned()];
        for budget in BUDGETS {
            let values = evidence.values(&label(name, budget), intervals);
            line.push(format!("{} ({})", number(mean(&values)), bootstrap(&values, mean)));
        }
        let at = label(name, 50);
        line.push(number(evidence.mean(&at, |row| row.moves as f64)));
        line.push(number(evidence.mean(&at, |row| row.first_move as f64)));
        line.push(number(evidence.mean(&at, |row| row.expansions as f64)));
        let arrived: usize = BUDGETS
            .iter()
            .map(|b| evidence.rows(&label(name, *b)).iter().filter(|row| row.arrived()).count())
            .sum();
        let all: usize = BUDGETS.iter().map(|b| evidence.rows(&label(name, *b)).len()).sum();
        line.push(format!("{arrived}/{all}"));
        table.push(line);
    }
    table
}

fn figure(evidence: &Evidence<'_>, title: &str, contenders: &[Contender]) -> Figure {
    let points = |name: &str| {
        let point = |budget: &u64| {
            let values = evidence.values(&label(name, *budget), intervals);
            let Interval { low, high } = bootstrap(&values, mean);
            Point { x: *budget as f64, y: mean(&values), bar: Some((low, high)) }
        };
        BUDGETS.iter().map(point).collect::<Vec<_>>()
    };
    Figure {
        name: "intervals".into(),
        caption: "Mean intervals until the goal is reached, with 95 % intervals.".into(),
        plot: Plot {
            title: title.into(),
            x: Axis::log("expansions per interval").with_ticks(BUDGETS.map(|b| b as f64)),
            y: Axis::log("intervals"),
            series: contenders.iter().map(|c| Series::line(c.name, points(c.name))).collect(),
        },
    }
}
