//! The two enhancements: searching for shortcuts, and not switching to a path that makes less progress.

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::corridors::Corridors;

use super::super::{Evidence, Setup, Study, limits, paper_job};
use super::{Entry, LIMITS, PAPER, runs};
use fleetfoot_lab::number;
use fleetfoot_lab::places::{Made, MapSource, Place, Scene};
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Finding, Measured, Report, Table, Verdict};
use fleetfoot_lab::run::{Plan, Problem, Row};
use fleetfoot_lab::stats::{Interval, bootstrap_many, mean};

pub(in super::super) const STUDY: Study = Study {
    id: "tba-enhancements",
    title: "TBA*: the two enhancements",
    paper: PAPER,
    claims: &["A5", "A6"],
    plan,
    judge,
};

/// Name, and addition to the spec.
const VARIANTS: [(&str, &str); 4] = [
    ("basic", "tba"),
    ("shortcut", "tba(shortcut=per-step)"),
    ("persistent shortcut", "tba(shortcut=persistent)"),
    ("switch rule", "tba(switch-rule=on)"),
];

fn label(variant: &str, limit: u64) -> String {
    format!("{variant} R={limit}")
}

/// The map of the paper's Figure 2: two corridors with an opening half-way. The hall keeps the search busy until the
/// agent has passed the opening. Without one (40 long, 2 wide, R=5) the agent was still in the lower corridor when
/// the best path was found, and the shortcut gained only one step to the side.
const CONTRIVED: Corridors = Corridors { length: 100, width: 1, detour: 20, hall: 15 };

/// Limits with which the search ends after the agent has passed the opening, and before it is out of the corridor.
const BUSY: [u64; 6] = [20, 25, 30, 35, 40, 50];

fn contrived(variant: &str, limit: u64) -> String {
    format!("{variant}, two corridors, R={limit}")
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let mut entries = Vec::new();
    for limit in LIMITS {
        for (name, spec) in VARIANTS {
            entries.push(Entry::new(label(name, limit), spec, Budget::Expansions(limit)));
        }
    }
    let (mut jobs, mut about) = runs(setup, 100, &entries)?;
    let map = MapSource::Made(Made::Corridors(CONTRIVED));
    let made = map.load()?;
    let place = Arc::new(Place::new(map, Scene::KNOWN));
    let (start, goal) = made.start.zip(made.goal).unwrap_or_default();
    for (name, spec) in VARIANTS {
        let spec = limits::spec(spec)?;
        let problem = Problem { index: 0, start, goal };
        for limit in BUSY {
            let job = paper_job(&place, problem, spec.clone(), Budget::Expansions(limit));
            jobs.push(job.labelled(contrived(name, limit)));
        }
    }
    about.notes.push(format!(
        "besides: a map of two corridors with an opening half-way, R = {BUSY:?}, after the paper's Figure 2, which is not in the text; its measures were chosen such that the opening matters, with results in view"
    ));
    Plan::new(about, jobs)
}

fn ratio(row: &Row) -> f64 {
    row.ratio.unwrap_or(f64::NAN)
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let mut table = Table::new(
        "Mean cost, divided by that of basic TBA* on the same problems",
        &[
            "R",
            "basic: cost / optimal",
            "shortcut",
            "persistent shortcut",
            "switch rule",
            "reversals per run: basic",
            "with switch rule",
        ],
    );
    for limit in LIMITS {
        let mut line = vec![limit.to_string(), number(evidence.mean(&label("basic", limit), ratio))];
        for (name, _) in &VARIANTS[1..] {
            let (value, interval) =
                evidence.ratio(&label(name, limit), &label("basic", limit), |row| row.cost);
            line.push(fleetfoot_lab::with_interval(value, interval));
        }
        for name in ["basic", "switch rule"] {
            line.push(number(evidence.mean(&label(name, limit), |row| row.reversals as f64)));
        }
        table.push(line);
    }
    let findings = vec![shortcut(evidence), switching(evidence)];
    Report { findings, tables: vec![table], figures: vec![figure(evidence)], ..Report::default() }
}

/// Returns a measure of a variant by problem, averaged over these limits.
fn pooled(evidence: &Evidence<'_>, variant: &str, limits: &[u64], of: fn(&Row) -> f64) -> Vec<f64> {
    let by_limit: Vec<Vec<f64>> =
        limits.iter().map(|limit| evidence.values(&label(variant, *limit), of)).collect();
    let problems = by_limit.first().map_or(0, Vec::len);
    let one = |k: usize| by_limit.iter().map(|values| values[k]).sum::<f64>() / by_limit.len() as f64;
    (0..problems).map(one).collect()
}

/// Returns a measure with a variant divided by that without, over all these limits. The interval resamples whole
/// problems.
fn gain(evidence: &Evidence<'_>, variant: &str, limits: &[u64], of: fn(&Row) -> f64) -> (f64, Interval) {
    let [with, without] = [variant, "basic"].map(|name| pooled(evidence, name, limits, of));
    super::super::evidence::quotient(&with, &without)
}

fn shortcut(evidence: &Evidence<'_>) -> Finding {
    let (per_step, a) = gain(evidence, "shortcut", &LIMITS, ratio);
    let (persistent, b) = gain(evidence, "persistent shortcut", &LIMITS, ratio);
    let gains = |name: &str| {
        let walked = |name: &str, limit: u64| evidence.mean(&contrived(name, limit), |row| row.cost);
        BUSY.map(|limit| walked(name, limit) / walked("basic", limit))
    };
    let mut measured = vec![
        Measured::new("cost, per-step / basic", per_step, a),
        Measured::new("cost, persistent / basic", persistent, b),
    ];
    for (name, what) in [("shortcut", "per-step"), ("persistent shortcut", "persistent")] {
        let cell = |(limit, gain): (&u64, f64)| {
            Measured::exact(format!("cost in two corridors by R, {what} / basic at {limit}"), gain)
        };
        measured.extend(BUSY.iter().zip(gains(name)).map(cell));
    }
    let best = mean(&gains("shortcut")).min(mean(&gains("persistent shortcut")));
    let unchanged = |interval: Interval| interval.within(0.98, 1.005);
    Finding::new(
        "A5",
        "looking for shortcuts gains next to nothing on average, and much where there is an opening between two corridors",
        "mean cost over all R changes by −2 % to +0.5 % for either kind; as it stands if, besides, walks through two corridors become at least 10 % shorter, on average over R, with one of them",
        measured,
        Verdict::graded(unchanged(a).and(unchanged(b)), best <= 0.9),
    )
    .explained("to keep the step's bound, the per-step search seeds only the states of the path nearest to where backtracking meets it, as many as a step may trace, and an opening farther on is beyond it; the persistent search seeds them all over several steps, and finds it if backtracking takes long enough")
}

fn switching(evidence: &Evidence<'_>) -> Finding {
    let small: Vec<u64> = LIMITS.into_iter().filter(|limit| *limit <= 100).collect();
    let large: Vec<u64> = LIMITS.into_iter().filter(|limit| *limit > 100).collect();
    let (less, interval) = gain(evidence, "switch rule", &small, ratio);
    let (rest, rest_interval) = gain(evidence, "switch rule", &large, ratio);
    let (turns, turns_interval) = gain(evidence, "switch rule", &small, |row| row.reversals as f64);
    let [a, b] = ["switch rule", "basic"].map(|name| pooled(evidence, name, &small, ratio));
    let [c, d] = ["switch rule", "basic"].map(|name| pooled(evidence, name, &large, ratio));
    let smaller = bootstrap_many([&a, &b, &c, &d], |[a, b, c, d]| mean(c) / mean(d) - mean(a) / mean(b));
    let trend = interval.below(1.0).and(turns_interval.below(1.0)).and(smaller.above(0.0));
    let near = interval.within(0.96, 0.99).and(rest_interval.near(1.0, 0.01));
    Finding::new(
        "A6",
        "the switch rule makes walks about 2 % shorter for R ≤ 100 and makes no difference for larger R",
        "for R ≤ 100 mean cost is lower with it, and there are fewer reversals, and above 100 the gain is smaller; as it stands if the gain is 1 to 4 %, and above 100 below 1 %",
        vec![
            Measured::new("cost with / without, R ≤ 100", less, interval),
            Measured::new("cost with / without, R > 100", rest, rest_interval),
            Measured::new("reversals with / without, R ≤ 100", turns, turns_interval),
        ],
        Verdict::graded(trend, near),
    )
    .explained("perhaps these maps have more paths of nearly equal promise, between which an agent without the rule goes back and forth")
}

fn figure(evidence: &Evidence<'_>) -> Figure {
    let points = |name: &str| {
        let point = |limit: &u64| {
            let (y, Interval { low, high, .. }) =
                evidence.ratio(&label(name, *limit), &label("basic", *limit), |row| row.cost);
            Point { x: *limit as f64, y, bar: Some((low, high)) }
        };
        LIMITS.iter().map(point).collect::<Vec<_>>()
    };
    Figure {
        name: "enhancements".into(),
        caption: "Mean cost divided by that of basic TBA* on the same problems, with 95 % intervals.".into(),
        plot: Plot {
            title: "What the enhancements gain".into(),
            x: Axis::log("resource limit R").with_ticks(LIMITS.map(|limit| limit as f64)),
            y: Axis::linear("cost / cost of basic TBA*").showing([1.0]),
            series: VARIANTS[1..].iter().map(|(name, _)| Series::line(*name, points(name))).collect(),
        },
    }
}
