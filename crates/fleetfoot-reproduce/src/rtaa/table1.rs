//! Table 1: every measure by look-ahead, in 2,500 mazes.

use fleetfoot_sim::error::InputError;

use super::super::{Evidence, Setup, Study};
use super::numbers::{LOOKAHEADS, LSS, Line, OTHERS, RTAA, paper_error};
use super::{PAPER, about, label, runs, times};
use fleetfoot_lab::number;
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Finding, Measured, Report, Table, Verdict};
use fleetfoot_lab::run::{Plan, Row};
use fleetfoot_lab::stats::{Interval, TriState, mean, standard_error};

pub(in super::super) const STUDY: Study = Study {
    id: "rtaa-table1",
    title: "RTAA*, Table 1: mazes by look-ahead",
    paper: PAPER,
    claims: &["D1", "D2", "D2a", "D2b", "D2c", "D2d", "D2e", "D2f", "D2g", "D2h", "D2i", "D2j", "D2l"],
    plan,
    judge,
};

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (mazes, timed) = (setup.scale.pick(40, 2500), setup.scale.pick(20, 60));
    let mut jobs = Vec::new();
    for seed in 0..mazes {
        jobs.extend(runs(seed, &LOOKAHEADS, true, seed < timed)?);
    }
    Plan::new(about(mazes, timed), jobs)
}

/// Returns the number of searches. All planners except the learners begin one when an action on their path becomes
/// more expensive.
pub(super) fn episodes(row: &Row) -> f64 {
    row.episodes as f64
}

/// A cell of the table, computed from rows.
pub(super) struct Cell {
    /// Our number.
    pub(super) ours: f64,
    /// Its standard error.
    error: f64,
    /// Number of mazes.
    mazes: usize,
    paper: f64,
}

/// Columns b, c, d, e and i, in this order, with their indices in the paper's lines.
const COLUMNS: [(&str, usize); 5] =
    [("expansions b", 0), ("episodes c", 1), ("cost d", 2), ("actions per episode e", 3), ("h rise i", 7)];

impl Cell {
    fn of(evidence: &Evidence<'_>, label: &str, column: usize, paper: f64) -> Self {
        let means = |of: fn(&Row) -> f64| (evidence.mean(label, of), evidence.error(label, of));
        let quotient = |over: fn(&Row) -> f64, under: fn(&Row) -> f64| {
            let (value, Interval { low, high, .. }) = evidence.quotient(label, over, under);
            (value, (high - low) / 3.92)
        };
        let (ours, error) = match column {
            0 => means(|row| row.expansions as f64),
            1 => means(episodes),
            2 => means(|row| row.cost),
            3 => quotient(|row| row.cost, episodes),
            _ => quotient(|row| row.h_increase * row.updates as f64, |row| row.updates as f64),
        };
        Self { ours, error, mazes: evidence.rows(label).len(), paper }
    }

    fn off(&self) -> f64 {
        self.ours / self.paper - 1.0
    }

    /// Returns whether it differs from the paper's number by at most 10 %.
    fn agrees(&self) -> TriState {
        interval(self.ours, self.error, self.mazes).near(self.paper, 0.10)
    }

    /// Returns the difference in standard errors of the difference. An unknown error of the paper is assumed to equal
    /// ours.
    fn errors_off(&self, paper: Option<f64>) -> f64 {
        (self.ours - self.paper) / self.error.hypot(paper.unwrap_or(self.error))
    }

    fn shown(&self) -> [String; 2] {
        [format!("{} ({:+.1} %)", number(self.ours), 100.0 * self.off()), number(self.paper)]
    }
}

/// Returns the 95 % interval of a mean with this standard error.
fn interval(mean: f64, error: f64, n: usize) -> Interval {
    Interval { low: mean - 1.96 * error, high: mean + 1.96 * error, n }
}

/// Returns all lines of the table: label, and the paper's numbers.
fn lines() -> Vec<(String, Vec<(usize, f64)>)> {
    let learner = |name: &str, lines: &[Line]| {
        let line = |(a, line): (&Option<u32>, &Line)| {
            (label(name, *a), COLUMNS.iter().map(|(_, k)| (*k, line[*k])).collect())
        };
        LOOKAHEADS.iter().zip(lines).map(line).collect::<Vec<_>>()
    };
    let mut all = learner("RTAA*", &RTAA);
    all.extend(learner("LSS-LRTA*", &LSS));
    let other = |(name, _, line): &(&str, &str, [f64; 7])| {
        ((*name).to_owned(), (0..4).map(|k| (k, line[k])).collect())
    };
    all.extend(OTHERS.iter().map(other));
    all
}

fn judge(evidence: &Evidence<'_>) -> Report {
    let mut findings = vec![
        columns(evidence),
        equal_costs(evidence),
        order(evidence),
        small_lookaheads(evidence),
        less_informed(evidence),
        lookahead_one(evidence),
    ];
    findings.extend(times::findings(evidence));
    findings.push(directions(evidence));
    findings.push(Finding::not_measured(
        "D1",
        "in the paper's example forward A* expands 23 cells, RTAA* 20 and LSS-LRTA* 19; RTAA* with look-ahead 4 walks 12 and expands 17",
        "none here",
        "the example's maze is a figure that is not in the text, nor is its size; which planner expands more, and what a smaller look-ahead does, is measured on whole mazes by D2b and D2c",
    ));
    findings.push(theorems(evidence));
    let tables = vec![beside(evidence), times::table(evidence)];
    Report { findings, tables, figures: figures(evidence), ..Report::default() }
}

/// Judges Theorems 3 and 5, run by run. Theorems 1, 2 and 4 are about values, which rows do not contain.
fn theorems(evidence: &Evidence<'_>) -> Finding {
    let mut numbers = Vec::new();
    let mut holds = true;
    for name in ["RTAA*", "LSS-LRTA*"] {
        let rows: Vec<&Row> =
            LOOKAHEADS.iter().flat_map(|a| evidence.rows(&label(name, *a))).copied().collect();
        let arrived = rows.iter().filter(|row| row.arrived()).count();
        holds &= arrived == rows.len();
        let what = format!("{name}: runs that arrive, of {} with all look-aheads", rows.len());
        numbers.push(Measured::count(what, arrived, rows.len()));
    }
    let [rtaa, lss] = ["RTAA*", "LSS-LRTA*"].map(|name| evidence.rows(&label(name, Some(1))));
    let same = |(a, b): &(&&Row, &&Row)| {
        a.walk == b.walk && a.updates == b.updates && (a.h_increase - b.h_increase).abs() < 1e-12
    };
    let equal = rtaa.iter().zip(lss).filter(same).count();
    holds &= equal == rtaa.len() && rtaa.len() == lss.len();
    let what = format!(
        "look-ahead 1: mazes of {} in which both walk cell by cell the same and learn as much",
        rtaa.len()
    );
    numbers.push(Measured::count(what, equal, rtaa.len()));
    Finding::new(
        "D2l",
        "theorems 1 to 5: values only rise and stay consistent, agents arrive, trials converge, and with look-ahead 1 RTAA* is LSS-LRTA*",
        "every run of both arrives (theorem 3), and with look-ahead 1 they walk the same way and learn the same (theorem 5); what 1, 2 and 4 say of values is held by tests of the library: known_grids_are_walked_as_published, looking_ahead_to_the_end_plans_shortest_paths, trials_converge",
        numbers,
        Verdict::of(holds),
    )
}

fn beside(evidence: &Evidence<'_>) -> Table {
    let names = [
        "planner", "b ours", "b paper", "c ours", "c paper", "d ours", "d paper", "e ours", "e paper",
        "i ours", "i paper",
    ];
    let mut table = Table::new("The paper's table and ours", &names);
    for (label, cells) in lines() {
        let mut line = vec![label.clone()];
        for (column, paper) in cells {
            line.extend(Cell::of(evidence, &label, column, paper).shown());
        }
        line.resize(names.len(), "–".into());
        table.push(line);
    }
    table.noted("b: expansions, c: search episodes, d: trajectory cost, e: actions per episode, i: rise of h per update. In brackets: off the paper's number by.")
}

fn columns(evidence: &Evidence<'_>) -> Finding {
    let (mut agree, mut worst) = (Vec::new(), (String::new(), 0.0f64));
    let mut beyond = Vec::new();
    for (label, cells) in lines() {
        for (column, paper) in cells {
            let cell = Cell::of(evidence, &label, column, paper);
            let name = COLUMNS.iter().find(|(_, k)| *k == column).map_or("", |(name, _)| name);
            let name = format!("{label}, {name}");
            agree.push(cell.agrees());
            if cell.agrees() == TriState::No {
                let what = format!("{name}: off by so many standard errors of the difference");
                beyond.push(Measured::exact(what, cell.errors_off(paper_error(&label, column))));
            }
            if cell.off().is_nan() || cell.off().abs() > worst.1.abs() {
                worst = (name, cell.off());
            }
        }
    }
    let all = agree.len();
    let count = |answer: TriState| agree.iter().filter(|other| **other == answer).count() as f64;
    let mut measured = vec![
        Measured::exact(format!("cells within 10 %, of {all}"), count(TriState::Yes)),
        Measured::exact(format!("cells that may be within 10 % or not, of {all}"), count(TriState::Open)),
        Measured::exact(format!("cells that are not, of {all}"), count(TriState::No)),
        Measured::exact(format!("farthest off, in percent ({})", worst.0), 100.0 * worst.1),
    ];
    let by_chance = beyond.iter().all(|cell| cell.value.abs() <= 3.5);
    measured.extend(beyond);
    Finding::new(
        "D2",
        "columns b, c, d, e and i of Table 1 by look-ahead, in 2,500 mazes",
        "every cell within 10 % of the paper's, with its interval of 1.96 standard errors; another number if at least 90 % of the cells are",
        measured,
        Verdict::graded(TriState::at_least((9 * all).div_ceil(10), agree.iter().copied()), TriState::all(agree.iter().copied())),
    )
    .explained(if by_chance {
        "chance may be all of it: each cell that is off is so by at most 3.5 standard errors of the difference, in a table of many cells"
    } else {
        "see the cells that are off in the table: chance does not explain them"
    })
}

const FAR: [&str; 5] = ["RTAA* a=∞", "LSS-LRTA* a=∞", "D* Lite", "forward A*", "backward A*"];

fn equal_costs(evidence: &Evidence<'_>) -> Finding {
    let cost = |row: &Row| row.cost;
    let mut widest = (0.0, Interval::NONE, String::new());
    let mut near = TriState::Yes;
    for (k, over) in FAR.iter().enumerate() {
        for under in FAR.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, label)| label) {
            let (ratio, interval) = evidence.ratio(over, under, cost);
            near = near.and(interval.at_most(1.10));
            if ratio > widest.0 {
                widest = (ratio, interval, format!("{over} / {under}"));
            }
        }
    }
    let (ratio, interval, what) = widest;
    let mut measured = FAR.map(|label| evidence.measured(label, label, cost)).to_vec();
    measured.push(Measured::new(format!("the widest ratio: {what}"), ratio, interval));
    Finding::new(
        "D2a",
        "with unlimited look-ahead all have about the same trajectory cost: 5354 to 5731",
        "no mean is more than 10 % above another (the paper's own: 7 %)",
        measured,
        Verdict::of(near),
    )
    .explained("perhaps ties, which decide where they walk")
}

fn order(evidence: &Evidence<'_>) -> Finding {
    let ordered = ["backward A*", "forward A*", "RTAA* a=∞", "LSS-LRTA* a=∞", "D* Lite"];
    let paper = [
        5_245_087.82 / 1_857_468.48,
        1_857_468.48 / 642_823.02,
        642_823.02 / 348_072.76,
        348_072.76 / 47458.83,
    ];
    let expansions = |row: &Row| row.expansions as f64;
    let ratios: Vec<(f64, Interval)> =
        ordered.windows(2).map(|pair| evidence.ratio(pair[0], pair[1], expansions)).collect();
    let trend = TriState::all(ratios.iter().map(|(_, interval)| interval.above(1.0)));
    let exact =
        TriState::all(ratios.iter().zip(&paper).map(|((_, interval), paper)| interval.near(*paper, 0.10)));
    let measured = ordered.windows(2).zip(&ratios).zip(paper).map(|((pair, (ratio, interval)), paper)| {
        Measured::new(format!("{} / {} (paper: {})", pair[0], pair[1], number(paper)), *ratio, *interval)
    });
    Finding::new(
        "D2b",
        "expansions: backward A* > forward A* > RTAA*(∞) > LSS-LRTA*(∞) > D* Lite",
        "every ratio of adjacent look-aheads is above 1; as it stands if each is within 10 % of the paper's",
        measured.collect(),
        Verdict::graded(trend, exact),
    )
    .explained(
        "perhaps ties: the paper breaks those of A* at random, here they are broken by order of insertion",
    )
}

/// Returns whether the mean of a measure falls from one label to another on the same problems.
fn falls(evidence: &Evidence<'_>, from: &str, to: &str, of: fn(&Row) -> f64) -> TriState {
    let pairs = evidence.values(from, of).into_iter().zip(evidence.values(to, of));
    let differences: Vec<f64> = pairs.map(|(from, to)| to - from).collect();
    interval(mean(&differences), standard_error(&differences), differences.len()).below(0.0)
}

pub(super) fn small_lookaheads(evidence: &Evidence<'_>) -> Finding {
    let expansions = |row: &Row| row.expansions as f64;
    let (mut trend, mut exact, mut measured) = (TriState::Yes, TriState::Yes, Vec::new());
    for name in ["RTAA*", "LSS-LRTA*"] {
        let labels: Vec<String> = LOOKAHEADS.iter().map(|a| label(name, *a)).collect();
        let works: Vec<f64> = labels.iter().map(|label| evidence.mean(label, expansions)).collect();
        let least = (0..works.len()).min_by(|a, b| works[*a].total_cmp(&works[*b])).unwrap_or(0);
        let fall = |pair: &[String]| falls(evidence, &pair[0], &pair[1], |row| row.cost);
        let falling: Vec<TriState> = labels.windows(2).map(fall).collect();
        let below = |k: usize, other: usize| falls(evidence, &labels[other], &labels[k], expansions);
        let (first, last) = (0, labels.len() - 1);
        trend = trend.and(TriState::all(falling.iter().copied()));
        trend = trend.and(below(least, first)).and(below(least, last));
        exact = exact.and(TriState::all((0..labels.len()).filter(|k| *k != 2).map(|k| below(2, k))));
        for (answer, what) in [(TriState::Yes, "falls"), (TriState::No, "rises")] {
            let count = falling.iter().filter(|other| **other == answer).count();
            let what = format!("{name}: steps (of 12) to the next look-ahead at which mean cost {what}");
            measured.push(Measured::count(what, count, evidence.rows(&labels[0]).len()));
        }
        let a = f64::from(LOOKAHEADS[least].unwrap_or(u32::MAX));
        measured.push(Measured::exact(format!("{name}: look-ahead with the fewest expansions"), a));
        measured.push(evidence.measured(&format!("{name}: its expansions"), &labels[least], expansions));
    }
    Finding::new(
        "D2c",
        "a smaller look-ahead makes the trajectory more expensive; expansions fall at first and then rise, least at 17 for both",
        "mean cost falls from each look-ahead to the next, and the fewest expansions are fewer than at 1 and at ∞; as it stands if those at 17 are fewer than at every other look-ahead",
        measured,
        Verdict::graded(trend, exact),
    )
    .explained("see the table: the curve is flat near its minimum")
}

fn less_informed(evidence: &Evidence<'_>) -> Finding {
    let finite = &LOOKAHEADS[1..12];
    let (mut counts, mut all) = ([0usize; 3], TriState::Yes);
    for &a in finite {
        let (rtaa, lss) = (label("RTAA*", a), label("LSS-LRTA*", a));
        let changes = [
            falls(evidence, &lss, &rtaa, |row| row.h_increase),
            falls(evidence, &rtaa, &lss, |row| row.expansions as f64),
            falls(evidence, &rtaa, &lss, |row| row.cost),
        ];
        for (count, answer) in counts.iter_mut().zip(changes) {
            *count += usize::from(answer == TriState::Yes);
            all = all.and(answer);
        }
    }
    let at = |a| (label("RTAA*", Some(a)), label("LSS-LRTA*", Some(a)));
    let (rtaa, lss) = at(41);
    let (ratio, interval) = evidence.ratio(&rtaa, &lss, |row| row.cost);
    let mut measured: Vec<Measured> = ["h rises less per update", "more expansions", "dearer trajectory"]
        .iter()
        .zip(counts)
        .map(|(what, n)| {
            let what = format!("look-aheads (of 11) at which RTAA* clearly has: {what}");
            Measured::count(what, n, evidence.rows("RTAA* a=41").len())
        })
        .collect();
    measured.push(Measured::new("cost at look-ahead 41, RTAA* / LSS-LRTA* (paper: 1.078)", ratio, interval));
    Finding::new(
        "D2d",
        "for look-aheads between 1 and ∞ RTAA* raises h less per update, expands more and walks farther than LSS-LRTA*, in less time",
        "every difference of means is as claimed at all 11 look-aheads; time is judged on its own",
        measured,
        Verdict::of(all),
    )
    .explained("see the table: adjacent look-aheads differ by little")
}

fn lookahead_one(evidence: &Evidence<'_>) -> Finding {
    let (rtaa, lss) = (evidence.rows("RTAA* a=1"), evidence.rows("LSS-LRTA* a=1"));
    let same = |(a, b): &(&&Row, &&Row)| {
        (a.expansions, a.episodes, a.moves, &a.walk) == (b.expansions, b.episodes, b.moves, &b.walk)
    };
    let equal = rtaa.iter().zip(lss).filter(same).count();
    Finding::new(
        "D2e",
        "with look-ahead 1 both are the same: equal b, c and d",
        "expansions, episodes, moves and the walk itself are equal in every maze",
        vec![Measured::count(format!("mazes with the same walk, of {}", rtaa.len()), equal, rtaa.len())],
        Verdict::of(equal == rtaa.len() && equal == lss.len()),
    )
}

fn directions(evidence: &Evidence<'_>) -> Finding {
    let (ratio, interval) = evidence.ratio("backward A*", "forward A*", |row| row.expansions as f64);
    Finding::new(
        "D2j",
        "in unknown terrain forward A* expands far less than backward A*: 2.8 times less",
        "the ratio lies above 1; as it stands if it is within 10 % of 2.82",
        vec![Measured::new("expansions, backward / forward", ratio, interval)],
        Verdict::graded(interval.above(1.0), interval.near(2.82, 0.10)),
    )
    .explained(
        "perhaps ties: the paper breaks those of A* at random, here they are broken by order of insertion",
    )
}

fn figures(evidence: &Evidence<'_>) -> Vec<Figure> {
    let points = |name: &str, of: fn(&Row) -> f64| {
        let finite = LOOKAHEADS.iter().flatten();
        let point = |&a: &u32| {
            let values = evidence.values(&label(name, Some(a)), of);
            let Interval { low, high, .. } = fleetfoot_lab::stats::bootstrap(&values, mean);
            Point { x: f64::from(a), y: mean(&values), bar: Some((low, high)) }
        };
        finite.map(point).collect::<Vec<_>>()
    };
    let paper = |lines: &[Line], column: usize| {
        let finite = LOOKAHEADS.iter().zip(lines).filter_map(|(a, line)| Some(((*a)?, line[column])));
        finite.map(|(a, y)| Point::new(f64::from(a), y)).collect::<Vec<_>>()
    };
    let figure = |name: &str, title: &str, y: &str, of: fn(&Row) -> f64, column: usize| Figure {
        name: name.into(),
        caption: "Means with 95 % intervals; hollow: the paper's numbers.".into(),
        plot: Plot {
            title: title.into(),
            x: Axis::linear("look-ahead (expansions per episode)"),
            y: Axis::log(y),
            series: vec![
                Series::line("RTAA*", points("RTAA*", of)),
                Series::line("LSS-LRTA*", points("LSS-LRTA*", of)),
                Series::line("RTAA*, paper", paper(&RTAA, column)).like(0),
                Series::line("LSS-LRTA*, paper", paper(&LSS, column)).like(1),
            ],
        },
    };
    vec![
        figure("expansions", "Expansions by look-ahead", "expansions", |row| row.expansions as f64, 0),
        figure("cost", "Trajectory cost by look-ahead", "trajectory cost", |row| row.cost, 2),
    ]
}
