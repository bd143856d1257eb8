//! Tables 1 to 5: time per move, suboptimality and memory of kNN LRTA* by records, TBA* by slices, and A*.
//!
//! Small studies run on maps twice as large as the game's with half of the chapter's records: what matters is the
//! number of records that start and end in each pocket of a map, whatever its scale. Full studies run on maps scaled
//! to the chapter's size with its records.

use std::fmt::Write as _;
use std::sync::Arc;

use fleetfoot::{Diagonal, Rules};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::games::{Needs, Wanted, cave, choose};
use super::super::{Evidence, Scale, Setup, Study, limits, paper_job};
use super::{ASTAR, KNN, Line, PAPER, TBA, claims};
use fleetfoot_lab::number;
use fleetfoot_lab::places::{MapSource, Place, Scene};
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::problems::{LengthRange, random_within};
use fleetfoot_lab::report::{Figure, Report, Table};
use fleetfoot_lab::run::{About, Job, Plan, Problem, Row};
use fleetfoot_lab::stats::{bootstrap, mean};

pub(in super::super) const STUDY: Study = Study {
    id: "chapter-tables",
    title: "kNN LRTA*, TBA* and A* on large maps, Tables 1 to 5",
    paper: PAPER,
    claims: &["C1a", "C1b", "C1c", "C1d", "C1e", "C1f", "C1g", "C1h", "C1i", "C1j"],
    plan,
    judge,
};

/// The records of the chapter's databases, including those that its tables omit.
const RECORDS: [u64; 6] = [1_000, 5_000, 10_000, 40_000, 60_000, 80_000];
/// Limits of climbs that are tried besides the chapter's 250.
pub(super) const LIMITS: [u64; 3] = [50, 250, 500];
/// The chapter's slices.
pub(super) const SLICES: [u64; 4] = [5, 10, 50, 100];

const WANTED: [Wanted; 4] = [
    Wanted { set: "bg512", file: "AR0011SR.map", instead: cave(256, 1) },
    Wanted { set: "bg512", file: "AR0500SR.map", instead: cave(256, 2) },
    Wanted { set: "bg512", file: "AR0072SR.map", instead: cave(256, 3) },
    Wanted { set: "bg512", file: "AR0411SR.map", instead: cave(256, 4) },
];

/// The differences between a small and a full study.
struct Size {
    maps: usize,
    /// Scale factor of game maps. Generated maps, which are half as wide, are scaled by twice that.
    factor: u32,
    problems: usize,
    timed: usize,
    /// Divisor of the chapter's numbers of records.
    fewer: u64,
    shortest: f64,
}

/// Maximum length of a walk, in multiples of the length of the shortest problem. A walk without a record is 100 to
/// 10,000 times too long. Waiting for all of them takes a day, and the mean is hundreds of thousands of percent
/// either way.
const PATIENCE: f64 = 1200.0;

impl Size {
    /// Returns the number of steps after which a walk ends.
    #[expect(clippy::cast_sign_loss, reason = "lengths are positive")]
    fn max_steps(&self) -> u64 {
        (PATIENCE * self.shortest) as u64
    }

    fn of(scale: Scale) -> Self {
        match scale {
            Scale::Quick => Self { maps: 2, factor: 2, problems: 20, timed: 10, fewer: 2, shortest: 250.0 },
            Scale::Full => Self { maps: 4, factor: 9, problems: 250, timed: 10, fewer: 1, shortest: 1000.0 },
        }
    }
}

/// Returns the numbers of records in a study of this size.
pub(super) fn records(is_full: bool) -> [u64; 6] {
    let fewer = Size::of(if is_full { Scale::Full } else { Scale::Quick }).fewer;
    RECORDS.map(|records| records / fewer)
}

pub(super) fn knn(records: u64) -> String {
    format!("kNN LRTA* {records}")
}

pub(super) fn tba(slice: u64) -> String {
    format!("TBA* {slice}")
}

pub(super) const ASTAR_LABEL: &str = "A*";

/// Returns the label of runs whose climbs have a different limit.
pub(super) fn climbing(records: u64, limit: u64) -> String {
    format!("kNN LRTA* {records}, climbs of {limit}")
}

/// Returns the label of timed runs.
pub(super) fn timed(label: &str) -> String {
    format!("{label}, timed")
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let size = Size::of(setup.scale);
    let used = "four game maps of between 4096×4604 and 7261×4096 cells, with 1000 problems";
    // Before scaling.
    let times = f64::from(size.factor);
    let needed = Needs::Any(Some(LengthRange::new(size.shortest / times, 3.0 * size.shortest / times)));
    let (maps, map_notes) = choose(setup, used, &WANTED[..size.maps], needed)?;
    let numbers = records(setup.scale == Scale::Full);
    let (mut jobs, mut cells) = (Vec::new(), Vec::new());
    for map in maps {
        let factor = if matches!(map, MapSource::Made(_)) { 2 * size.factor } else { size.factor };
        let map = MapSource::Scaled(Box::new(map), factor);
        let rules = Rules { diagonal: Diagonal::D14, ..Rules::default() };
        let loaded = map.load()?.map;
        cells.push(f64::from(loaded.passable_count()));
        let lengths = LengthRange::new(size.shortest, 3.0 * size.shortest);
        let problems = random_within(&loaded, rules, Some(lengths), size.problems, 2011)?;
        let place = Arc::new(Place { rules, ..Place::new(map, Scene::KNOWN) });
        for (index, (start, goal)) in (0_u64..).zip(problems) {
            let problem = Problem { index, start, goal };
            let is_timed = (index as usize) < size.timed;
            jobs.extend(runs(&place, problem, &numbers, is_timed, size.max_steps())?);
        }
    }
    let mean_free_cells = Some(mean(&cells));
    let notes = vec![format!(
        "{} problems per map with optimal lengths of {} to three times that, diagonals of 1.4, databases of one seed; kNN LRTA* with 10 \
         candidates and climbs of 250 steps at a budget of 1; walks are given up after {} steps; times from {} problems per map",
        size.problems,
        size.shortest,
        fleetfoot_lab::whole(size.max_steps()),
        size.timed
    )];
    Plan::new(About { map_notes, mean_free_cells, notes, ..About::default() }, jobs)
}

fn runs(
    place: &Arc<Place>,
    problem: Problem,
    records: &[u64; 6],
    is_timed: bool,
    max_steps: u64,
) -> Result<Vec<Job>, InputError> {
    let mut jobs = Vec::new();
    let index = problem.index;
    let mut add = |label: String, spec: &str, budget: Budget, times: bool| {
        let job =
            Job { max_steps: Some(max_steps), ..paper_job(place, problem, limits::spec(spec)?, budget) };
        if times && is_timed {
            jobs.push(Job { timed: true, ..job.clone() }.labelled(timed(&label)));
        }
        // The memory of its records is measured once per map.
        let watched = index == 0 && label == knn(records[5]);
        jobs.push(Job { watched, ..job.labelled(label) });
        Ok::<_, InputError>(())
    };
    let one = Budget::Expansions(1);
    for &n in records {
        add(knn(n), &format!("knn-lrta(records={n})"), one, true)?;
    }
    for n in [records[1], records[3], records[5]] {
        for limit in LIMITS.into_iter().filter(|limit| *limit != 250) {
            add(climbing(n, limit), &format!("knn-lrta(records={n},limit={limit})"), one, false)?;
        }
    }
    for slice in SLICES {
        add(tba(slice), "tba", Budget::Expansions(slice), true)?;
    }
    add(ASTAR_LABEL.into(), "astar", Budget::Unlimited, true)?;
    Ok(jobs)
}

/// Returns the excess over a shortest path in percent. It is a lower bound if the walk did not end.
pub(super) fn above(row: &Row) -> f64 {
    row.optimal.map_or(0.0, |optimal| 100.0 * (row.cost / optimal - 1.0))
}

pub(super) fn micros(row: &Row) -> f64 {
    row.plan_us().unwrap_or(f64::NAN) / row.moves.max(1) as f64
}

pub(super) fn online(row: &Row) -> f64 {
    row.memory_bytes as f64 / 1024.0
}

fn line(evidence: &Evidence<'_>, label: &str) -> Line {
    let beside = |row: &Row| row.prepared_bytes.unwrap_or(0) as f64 / 1024.0;
    Line {
        micros: evidence.mean(&timed(label), micros),
        above: evidence.mean(label, above),
        online: evidence.mean(label, online),
        cumulative: evidence.mean(label, |row| online(row) + beside(row)),
    }
}

fn judge(evidence: &Evidence<'_>) -> Report {
    Report {
        findings: claims::all(evidence),
        tables: vec![table(evidence), databases(evidence)],
        figures: figures(evidence),
        ..Report::default()
    }
}

fn table(evidence: &Evidence<'_>) -> Table {
    let names = [
        "planner",
        "µs/move",
        "chapter",
        "above optimal, %",
        "chapter",
        "on-line KB",
        "chapter",
        "with database KB",
        "chapter",
        "arrived",
    ];
    let mut table = Table::new("Tables 1 to 5 of the chapter, and ours", &names);
    let mut push = |name: String, label: &str, theirs: Option<Line>| {
        let ours = line(evidence, label);
        let cells = |line: Line| [line.micros, line.above, line.online, line.cumulative].map(number);
        let theirs = theirs.map_or_else(|| ["", "", "", ""].map(str::to_owned), cells);
        let mut text = vec![name];
        cells(ours).into_iter().zip(theirs).for_each(|(ours, theirs)| text.extend([ours, theirs]));
        let rows = evidence.rows(label);
        text.push(format!("{}/{}", rows.iter().filter(|row| row.arrived()).count(), rows.len()));
        table.push(text);
    };
    for (n, original) in records(evidence.is_full()).into_iter().zip(RECORDS) {
        let theirs = KNN.iter().find(|(theirs, _)| *theirs == original).map(|(_, line)| *line);
        let name = if n == original { knn(n) } else { format!("{} (chapter: {original})", knn(n)) };
        push(name, &knn(n), theirs);
    }
    for slice in SLICES {
        push(tba(slice), &tba(slice), TBA.iter().find(|(theirs, _)| *theirs == slice).map(|(_, line)| *line));
    }
    push(ASTAR_LABEL.into(), ASTAR_LABEL, Some(ASTAR));
    table.noted(
        "A walk that did not end counts as long as it got. The chapter's machine was of 2.1 GHz, its program in Java. A* is \
         all its time divided by its moves.",
    )
}

fn databases(evidence: &Evidence<'_>) -> Table {
    let mut table = Table::new(
        "Databases",
        &[
            "records",
            "per free cell",
            "KB",
            "states per record",
            "seconds to make, on all cores",
            "records per second",
        ],
    );
    for n in records(evidence.is_full()) {
        let made = claims::Made::of(evidence, n);
        let cells =
            [per_cell(evidence, n), made.bytes / 1024.0, made.states, made.seconds, n as f64 / made.seconds];
        let mut text = vec![n.to_string()];
        text.extend(cells.map(number));
        table.push(text);
    }
    table
}

/// Returns the number of records per free cell.
fn per_cell(evidence: &Evidence<'_>, records: u64) -> f64 {
    records as f64 / evidence.about.mean_free_cells.unwrap_or(f64::NAN)
}

fn figures(evidence: &Evidence<'_>) -> Vec<Figure> {
    let point = |x: f64, label: &str, of: fn(&Row) -> f64| {
        let values = evidence.values(label, of);
        let bar = bootstrap(&values, mean);
        Point { x, y: mean(&values).max(1e-3), bar: Some((bar.low.max(1e-3), bar.high.max(1e-3))) }
    };
    let numbers = records(evidence.is_full());
    let curve = numbers.iter().map(|&n| point(per_cell(evidence, n), &knn(n), above)).collect();
    let memory = numbers.iter().map(|&n| point(n as f64, &knn(n), online)).collect();
    let plane = |labels: Vec<String>| {
        let place = |label: &String| point(evidence.mean(&timed(label), micros), label, above);
        labels.iter().map(place).collect::<Vec<_>>()
    };
    let mut caption = "Each line goes from few records, or small slices, to many.".to_owned();
    let _ = write!(
        caption,
        " A* is where nothing is above the optimum: {} µs.",
        number(evidence.mean(&timed(ASTAR_LABEL), micros))
    );
    vec![
        Figure {
            name: "collapse".into(),
            caption: "Suboptimality against the density of records, on problems that are in no database."
                .into(),
            plot: Plot {
                title: "kNN LRTA*: where records suffice".into(),
                x: Axis::log("records per free cell"),
                y: Axis::log("above optimal, %"),
                series: vec![Series::line("kNN LRTA*", curve)],
            },
        },
        Figure {
            name: "time-quality".into(),
            caption,
            plot: Plot {
                title: "Time per move and quality".into(),
                x: Axis::log("µs per move"),
                y: Axis::log("above optimal, %"),
                series: vec![
                    Series::line("kNN LRTA*, by records", plane(numbers.map(knn).to_vec()))
                        .labelled(numbers.map(|n| n.to_string()).to_vec()),
                    Series::line("TBA*, by slice", plane(SLICES.map(tba).to_vec()))
                        .labelled(SLICES.map(|slice| slice.to_string()).to_vec()),
                ],
            },
        },
        Figure {
            name: "memory".into(),
            caption: "What an agent holds beside the database.".into(),
            plot: Plot {
                title: "kNN LRTA*: memory on-line".into(),
                x: Axis::log("records"),
                y: Axis::log("KB"),
                series: vec![Series::line("kNN LRTA*", memory)],
            },
        },
    ]
}
