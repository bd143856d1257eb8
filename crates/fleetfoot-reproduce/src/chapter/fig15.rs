//! Figure 15: RIBS and LRTA* in a corner, by the size of the map.

use std::sync::Arc;

use fleetfoot::{Diagonal, Rules};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::limits::{Against, crossing, spec};
use super::super::{Evidence, Setup, Study, paper_job};
use super::PAPER;
use fleetfoot_lab::number;
use fleetfoot_lab::places::{Made, MapSource, Place, Scene};
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Finding, Measured, Report, Table, Verdict};
use fleetfoot_lab::run::{About, Job, Plan, Problem, Row};
use fleetfoot_lab::stats::{Fit, Interval, TriState, bootstrap_many, log_log};

pub(in super::super) const STUDY: Study = Study {
    id: "chapter-fig15",
    title: "The chapter, Figure 15: RIBS and LRTA* in a local minimum",
    paper: PAPER,
    claims: &["C3a", "C3b", "C3c", "C3d", "C3e", "C3f"],
    plan,
    judge,
};

/// Sides of the maps. Each doubles the number of states, with more maps near the crossover.
const SIDES: [u32; 15] = [8, 11, 16, 22, 27, 32, 38, 45, 64, 90, 128, 181, 256, 362, 512];
const QUICK: usize = 12;
/// Minimum number of states of a large map. Straight lines are fitted to large maps.
const LARGE: f64 = 1000.0;
/// Maximum length of a walk: far more than any known walk takes.
const PATIENCE: u64 = 1_000_000_000;

/// Planners of the figure and of further claims. The last two get the average budget per move of RIBS.
const ENTRIES: [(&str, &str, Budget); 6] = [
    ("RIBS", "ribs", Budget::Unlimited),
    ("LRTA*", "lrta", Budget::Unlimited),
    ("LSS-LRTA* (10)", "lss-lrta(lookahead=10)", Budget::Unlimited),
    ("LSS-LRTA* (100)", "lss-lrta(lookahead=100)", Budget::Unlimited),
    ("TBA*", "tba", Budget::Expansions(1)),
    (KNN, "knn-lrta", Budget::Expansions(1)),
];

const KNN: &str = "kNN LRTA*";

/// Returns a database whose size grows with the map. Without enough records kNN LRTA* behaves like LRTA* (claim C1a).
fn records(side: u32) -> String {
    format!("knn-lrta(records={})", 8 * side)
}

/// Returns the label of a planner that runs with diagonals of 1.5, as in the chapter's example.
fn steeper(planner: &str) -> String {
    format!("{planner}, diagonal 1.5")
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let sizes = setup.scale.pick(QUICK as u64, SIDES.len() as u64) as usize;
    let mut jobs = Vec::new();
    for (index, side) in (0..).zip(SIDES.into_iter().take(sizes)) {
        let problem = Problem { index, start: (0, 0), goal: (side - 1, side - 1) };
        for diagonal in [Diagonal::D14, Diagonal::D15] {
            let map = MapSource::Made(Made::Corner { side });
            let rules = Rules { diagonal, ..Rules::default() };
            let place = Arc::new(Place { rules, ..Place::new(map, Scene::KNOWN) });
            let is_main = diagonal == Diagonal::D14;
            for (name, text, budget) in ENTRIES.into_iter().take(if is_main { ENTRIES.len() } else { 2 }) {
                let text = if name == KNN { records(side) } else { text.to_owned() };
                let job = paper_job(&place, problem, spec(&text)?, budget);
                let name = if is_main { name.to_owned() } else { steeper(name) };
                jobs.push(Job { max_steps: Some(PATIENCE), ..job.labelled(name) });
            }
        }
    }
    jobs.extend(example_runs()?);
    let map_notes = vec![format!(
        "maps: a wall bent around the way to the goal, generated, sides {:?}; start upper left, goal lower right; one problem each, nothing is drawn",
        &SIDES[..sizes]
    )];
    let notes = vec![
        "world: known, eight moves, no corner cutting, diagonals of 1.4 and, for comparison, of 1.5: with √2 f-values are so dense that RIBS does not get on".into(),
        "LRTA*: looks at its neighbors, raises the current state (mini-min); RIBS: with pruning, one expansion per move".into(),
        "TBA* and kNN LRTA* (eight records per unit of the side, found on each map beforehand): one expansion per move, as RIBS".into(),
        "intervals: of slopes, bootstrap over sizes".into(),
    ];
    Plan::new(About { map_notes, notes, ..About::default() }, jobs)
}

/// Returns the number of free cells: (side - 1)² + 10.
fn states(row: &Row) -> f64 {
    f64::from(row.goal.0).powi(2) + 10.0
}

/// Returns the number of states inside the corner's walls on a map with this number of states.
fn inside(states: f64) -> f64 {
    ((states - 10.0).sqrt() + 1.0 - 5.0).powi(2)
}

fn curve(evidence: &Evidence<'_>, label: &str, of: fn(&Row) -> f64) -> Vec<(f64, f64)> {
    evidence.rows(label).iter().map(|row| (states(row), of(row))).collect()
}

fn expansions(row: &Row) -> f64 {
    row.expansions as f64
}

/// Fits a line to the large maps. Returns it with an interval of its slope.
fn line(evidence: &Evidence<'_>, label: &str) -> (Fit, Interval) {
    let points = curve(evidence, label, expansions);
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.into_iter().filter(|(x, _)| *x >= LARGE).unzip();
    let fit = |[xs, ys]: [&[f64]; 2]| {
        let points: Vec<(f64, f64)> = xs.iter().copied().zip(ys.iter().copied()).collect();
        log_log(&points).unwrap_or(Fit { slope: f64::NAN, factor: f64::NAN, r2: f64::NAN })
    };
    let interval = bootstrap_many([&xs, &ys], |points| fit(points).slope);
    (fit([&xs, &ys]), interval)
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let findings = vec![
        power(
            evidence,
            "RIBS",
            1.0,
            10.0,
            ("C3a", "RIBS expands linearly in the size of the map: 10 x for large maps"),
        ),
        power(evidence, "LRTA*", 1.5, 0.14, ("C3b", "LRTA* expands 0.14 x^1.5 states")),
        crossover(evidence),
        larger_spaces(evidence),
        in_practice(evidence),
        example(evidence),
    ];
    Report { findings, tables: vec![table(evidence)], figures: vec![figure(evidence)], ..Report::default() }
}

/// The chapter's example: how LRTA* begins to fill a corner, with diagonals of 1.5. The figure is not in the text,
/// but only one position fits it: the goal is two diagonal moves away, behind the corner, so that the values are 3 in
/// the corner and 4 next to it.
const EXAMPLE: u32 = 12;
/// The rise of h after one, two and three steps (3 to 5, 4 to 5.5, 4 to 5.5), and the length of the walk.
const RISES: [f64; 3] = [2.0, 3.5, 5.0];
const WALKED: [f64; 3] = [1.0, 2.5, 3.5];

fn steps_name(steps: u64) -> String {
    format!("LRTA* in the example, {steps} steps")
}

fn example_runs() -> Result<Vec<Job>, InputError> {
    let map = MapSource::Made(Made::Corner { side: EXAMPLE });
    let rules = Rules { diagonal: Diagonal::D15, ..Rules::default() };
    let place = Arc::new(Place { rules, ..Place::new(map, Scene::KNOWN) });
    // The wall's corner is five cells from the far side.
    let wall = EXAMPLE - 5;
    let problem = Problem { index: 0, start: (wall - 1, wall - 1), goal: (wall + 1, wall + 1) };
    (1..=3)
        .map(|steps| {
            let job = paper_job(&place, problem, spec("lrta")?, Budget::Unlimited);
            Ok(Job { max_steps: Some(steps), ..job.labelled(steps_name(steps)) })
        })
        .collect()
}

fn example(evidence: &Evidence<'_>) -> Finding {
    let (mut numbers, mut holds) = (Vec::new(), true);
    for (steps, (rise, walked)) in (1..).zip(RISES.into_iter().zip(WALKED)) {
        let name = steps_name(steps);
        let risen = evidence.mean(&name, |row| row.h_increase * row.updates as f64);
        let cost = evidence.mean(&name, |row| row.cost);
        holds &= (risen - rise).abs() < 1e-6 && (cost - walked).abs() < 1e-6;
        numbers
            .push(Measured::exact(format!("rise of h in all after {steps} steps (chapter: {rise})"), risen));
        numbers.push(Measured::exact(format!("length walked by then (chapter: {walked})"), cost));
    }
    Finding::new(
        "C3f",
        "in the chapter's example LRTA* raises the values in a corner step by step: 3 to 5, then two of 4 to 5.5",
        "with the goal two diagonals of 1.5 behind the corner, where values are as in the example, the first three updates raise h by 2, 1.5 and 1.5, and the agent goes from the corner to the state next to it and over to the one on its other side",
        numbers,
        Verdict::of(holds),
    )
    .explained("other ties lead to other states")
}

fn power(evidence: &Evidence<'_>, label: &str, slope: f64, factor: f64, (id, says): (&str, &str)) -> Finding {
    let (fit, interval) = line(evidence, label);
    let (other, other_interval) = line(evidence, &steeper(label));
    let (x, y) = curve(evidence, label, expansions).last().copied().unwrap_or_default();
    let last = y / x.powf(slope);
    Finding::new(
        id,
        says,
        "on maps of 1000 states and more the slope on logarithmic axes is within 0.1 of the chapter's exponent; as it stands if expansions / states^exponent on the largest map is within 25 % of the chapter's factor",
        vec![
            Measured::new(format!("slope (chapter: {slope})"), fit.slope, interval),
            Measured::exact("share of the variance that the line explains", fit.r2),
            Measured::exact(format!("expansions / states^{slope} at {x} states (chapter: {factor})"), last),
            Measured::new("slope with diagonals of 1.5", other.slope, other_interval),
        ],
        Verdict::graded(interval.within(slope - 0.1, slope + 0.1), (last / factor - 1.0).abs() <= 0.25),
    )
    .explained("the factor depends on how much of the map lies inside the corner, and how deep: the chapter shows no measures of its map")
}

/// Compares LRTA* with RIBS by states. Nothing is random, so ratios are exact.
fn ratios(evidence: &Evidence<'_>, over: &str, under: &str) -> Vec<Against> {
    let (over, under) = (curve(evidence, over, expansions), curve(evidence, under, expansions));
    let one = |((x, a), (_, b)): (&(f64, f64), &(f64, f64))| {
        let ratio = a / b;
        #[expect(clippy::cast_sign_loss, reason = "a count")]
        Against { limit: *x as u64, ratio, interval: Interval::exact(ratio) }
    };
    over.iter().zip(&under).map(one).collect()
}

fn crossover(evidence: &Evidence<'_>) -> Finding {
    let all = ratios(evidence, "LRTA*", "RIBS");
    let found = crossing(&all).filter(|_| all.first().is_some_and(|a| a.ratio < 1.0));
    let other = crossing(&ratios(evidence, &steeper("LRTA*"), &steeper("RIBS")));
    let mut numbers = vec![Measured::count("maps", all.len(), all.len())];
    if let Some(at) = found {
        numbers.push(Measured::exact("states of the map at the crossover", at));
        numbers.push(Measured::exact("states inside the corner's walls there (chapter: 1500)", inside(at)));
    }
    numbers.extend(other.map(|at| Measured::exact("the same with diagonals of 1.5", inside(at))));
    Finding::new(
        "C3c",
        "RIBS overtakes LRTA* where about 1500 states are in the local minimum, a room of 40×40",
        "LRTA* expands less on the smallest map and more from some size on; as it stands if, between sizes in logarithms, that is at 1500 states inside the corner's walls, within a third",
        numbers,
        Verdict::graded(found.is_some(), found.is_some_and(|at| (1000.0..=2000.0).contains(&inside(at)))),
    )
    .explained("curves of nearly the same height near their crossing: a few percent more or less move it far")
}

fn larger_spaces(evidence: &Evidence<'_>) -> Finding {
    let (ribs, _) = line(evidence, "RIBS");
    let (mut numbers, mut steeper_too, mut overtaken) = (Vec::new(), TriState::Yes, true);
    for planner in ["LSS-LRTA* (10)", "LSS-LRTA* (100)"] {
        let (fit, interval) = line(evidence, planner);
        let all = ratios(evidence, planner, "RIBS");
        steeper_too = steeper_too.and(interval.above(ribs.slope + 0.2));
        overtaken &= all.last().is_some_and(|a| a.ratio > 1.0);
        numbers.push(Measured::new(format!("slope, {planner}"), fit.slope, interval));
        let place = format!("states of the map where RIBS overtakes {planner}");
        numbers.extend(crossing(&all).map(|at| Measured::exact(place, at)));
    }
    Finding::new(
        "C3d",
        "larger local search spaces for LRTA* do not change the picture",
        "LSS-LRTA* with 10 and with 100 expansions has a slope steeper than RIBS's by more than 0.2; as it stands if RIBS expands less than both on the largest map",
        numbers,
        Verdict::graded(steeper_too, overtaken),
    )
    .explained("larger spaces save a constant factor, which moves the crossover to larger maps")
}

fn in_practice(evidence: &Evidence<'_>) -> Finding {
    let cost = |row: &Row| row.cost;
    let ribs = curve(evidence, "RIBS", cost);
    let mut numbers = Vec::new();
    let mut all = true;
    for planner in ["TBA*", KNN] {
        let other = curve(evidence, planner, cost);
        let less = other.iter().zip(&ribs).filter(|((_, a), (_, b))| a < b).count();
        all &= less == ribs.len() && evidence.rows(planner).iter().all(|row| row.arrived());
        let (_, last) = other.last().copied().unwrap_or_default();
        numbers.push(Measured::exact(
            format!("maps of {} on which {planner} walks less", ribs.len()),
            less as f64,
        ));
        numbers.push(Measured::exact(
            format!("cost on the largest map, RIBS / {planner}"),
            ribs.last().map_or(f64::NAN, |(_, cost)| *cost) / last,
        ));
    }
    Finding::new(
        "C3e",
        "RIBS knows the optimal cost when it arrives; in practice TBA* and kNN LRTA* do better",
        "TBA* and kNN LRTA* walk less than RIBS on every map (that RIBS knows the optimal cost is held by a test of the library: it_walks_as_specified_and_g_is_optimal_when_first_expanded)",
        numbers,
        Verdict::of(all),
    )
    .explained("where no record fits, kNN LRTA* is LRTA*, which RIBS overtakes")
}

fn table(evidence: &Evidence<'_>) -> Table {
    let labels: Vec<String> =
        ENTRIES.iter().map(|(name, ..)| (*name).to_owned()).chain(["RIBS", "LRTA*"].map(steeper)).collect();
    let columns: Vec<&str> = ["states"].into_iter().chain(labels.iter().map(String::as_str)).collect();
    let mut table = Table::new("Expansions by states of the map", &columns);
    for (k, (x, _)) in curve(evidence, "RIBS", expansions).into_iter().enumerate() {
        let mut line = vec![number(x)];
        line.extend(labels.iter().map(|label| {
            curve(evidence, label, expansions).get(k).map_or("–".into(), |(_, y)| number(*y))
        }));
        table.push(line);
    }
    table.noted("The chapter gives 10 x for RIBS and 0.14 x^1.5 for LRTA*.")
}

fn figure(evidence: &Evidence<'_>) -> Figure {
    let points = |label: &str| -> Vec<Point> {
        curve(evidence, label, expansions).into_iter().map(|(x, y)| Point::new(x, y)).collect()
    };
    let law = |factor: f64, slope: f64| -> Vec<Point> {
        points("RIBS").iter().map(|point| Point::new(point.x, factor * point.x.powf(slope))).collect()
    };
    Figure {
        name: "fig15".into(),
        caption: "Hollow: the chapter's lines.".into(),
        plot: Plot {
            title: "Expansions in a corner, by size of the map".into(),
            x: Axis::log("states of the map"),
            y: Axis::log("states expanded"),
            series: vec![
                Series::line("RIBS", points("RIBS")),
                Series::line("LRTA*", points("LRTA*")),
                Series::line("LSS-LRTA* (10)", points("LSS-LRTA* (10)")),
                Series::line("LSS-LRTA* (100)", points("LSS-LRTA* (100)")),
                Series::line("chapter: 10 x", law(10.0, 1.0)).like(0),
                Series::line("chapter: 0.14 x^1.5", law(0.14, 1.5)).like(1),
            ],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the number of states computed from the row is the map's number of free cells, and that those
    /// inside the walls form a square.
    #[test]
    fn states_are_free_cells() {
        for side in [8u32, 45, 128] {
            let free = MapSource::Made(Made::Corner { side }).load().unwrap().map.passable_count();
            let counted = f64::from(side - 1).powi(2) + 10.0;
            assert!((counted - f64::from(free)).abs() < 1e-9);
            assert!((inside(counted) - f64::from(side - 5).powi(2)).abs() < 1e-6);
        }
    }
}
