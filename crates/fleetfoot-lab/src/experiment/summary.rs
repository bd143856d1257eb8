//! What an experiment of one's own has to tell: everything from its rows.

use std::collections::BTreeMap;

use crate::number;
use crate::plot::{Axis, Plot, Point, Series};
use crate::report::{Figure, Report, Table};
use crate::run::{About, Row};
use crate::stats::{Interval, Paired, Summary, bootstrap, mean, paired};

/// A number of a row, and its name.
type Measure<T> = (&'static str, fn(&Row) -> T);

/// The report of an experiment.
pub fn summarise(about: &About, rows: &[Row]) -> Report {
    let groups = by_label(rows);
    let mut setup = about.notes.clone();
    setup.push(format!("runs: {}", rows.len()));
    setup.push("intervals in brackets: 95 %, percentile bootstrap over problems".into());
    let mut tables = vec![summary(&groups), spread(&groups), problems(rows)];
    if rows.iter().any(|row| row.core_share.is_some()) {
        tables.push(times(&groups));
    }
    tables.extend(comparison(&groups));
    Report { title: about.title.clone(), setup, findings: Vec::new(), tables, figures: vec![pareto(&groups)] }
}

/// Rows with the same label, in the order in which labels first appear.
fn by_label(rows: &[Row]) -> Vec<(&str, Vec<&Row>)> {
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        let k = *place.entry(&row.label).or_insert_with(|| {
            groups.push((&row.label, Vec::new()));
            groups.len() - 1
        });
        groups[k].1.push(row);
    }
    groups
}

fn values(rows: &[&Row], of: impl Fn(&Row) -> f64) -> Vec<f64> {
    rows.iter().map(|row| of(row)).collect()
}

fn ratios(rows: &[&Row]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.ratio).collect()
}

fn with_interval(values: &[f64]) -> String {
    if values.is_empty() {
        return "–".into();
    }
    format!("{} ({})", number(mean(values)), bootstrap(values, mean))
}

fn summary(groups: &[(&str, Vec<&Row>)]) -> Table {
    let columns = [
        "planner and budget",
        "arrived",
        "cost / optimal",
        "s.e.",
        "intervals",
        "first move",
        "expansions",
        "per move",
        "worst step",
        "open + closed",
        "memory, bytes",
    ];
    let mut table = Table::new("Means", &columns);
    for (label, rows) in groups {
        let ratios = ratios(rows);
        let arrived = rows.iter().filter(|row| row.arrived()).count();
        let worst = rows.iter().map(|row| row.max_expansions).max().unwrap_or(0);
        let average = |of: fn(&Row) -> f64| number(mean(&values(rows, of)));
        table.push(vec![
            (*label).to_owned(),
            format!("{arrived}/{}", rows.len()),
            with_interval(&ratios),
            number(Summary::of(&ratios).error),
            with_interval(&values(rows, |row| row.intervals as f64)),
            average(|row| row.first_move as f64),
            with_interval(&values(rows, |row| row.expansions as f64)),
            average(|row| row.expansions_per_move),
            number(worst as f64),
            average(|row| (row.open_max + row.closed_max) as f64),
            average(|row| row.memory_bytes as f64),
        ]);
    }
    table.noted(
        "cost / optimal: of the runs that arrived. Worst step: most expansions in an interval of any run.",
    )
}

fn spread(groups: &[(&str, Vec<&Row>)]) -> Table {
    let columns = [
        "planner and budget",
        "measure",
        "n",
        "mean",
        "s.e.",
        "least",
        "25 %",
        "median",
        "75 %",
        "95 %",
        "most",
    ];
    let mut table = Table::new("Spread", &columns);
    for (label, rows) in groups {
        let measures = [
            ("cost / optimal", ratios(rows)),
            ("intervals", values(rows, |row| row.intervals as f64)),
            ("expansions", values(rows, |row| row.expansions as f64)),
        ];
        for (name, values) in measures {
            let s = Summary::of(&values);
            let mut line = vec![(*label).to_owned(), name.to_owned(), s.n.to_string()];
            line.extend([s.mean, s.error, s.min, s.q25, s.median, s.q75, s.q95, s.max].map(number));
            table.push(line);
        }
    }
    table
}

/// What the problems are like, each counted once.
fn problems(rows: &[Row]) -> Table {
    let mut once: BTreeMap<(&str, &str, [u32; 4]), &Row> = BTreeMap::new();
    for row in rows {
        let ends = [row.start_x, row.start_y, row.goal_x, row.goal_y];
        once.entry((&row.map, &row.rules, ends)).or_insert(row);
    }
    let columns = ["of the problems", "n", "mean", "least", "25 %", "median", "75 %", "most"];
    let mut table = Table::new("Problems", &columns);
    let measures: [Measure<Option<f64>>; 3] = [
        ("optimal length", |row| row.optimal),
        ("A* expansions", |row| row.astar_expansions.map(|n| n as f64)),
        ("A* difficulty (expansions per edge of its path)", |row| row.astar_difficulty),
    ];
    for (name, of) in measures {
        let values: Vec<f64> = once.values().filter_map(|row| of(row)).collect();
        let s = Summary::of(&values);
        let mut line = vec![name.to_owned(), s.n.to_string()];
        line.extend([s.mean, s.min, s.q25, s.median, s.q75, s.max].map(number));
        table.push(line);
    }
    table
}

fn times(groups: &[(&str, Vec<&Row>)]) -> Table {
    let columns =
        ["planner and budget", "µs in all", "µs per interval", "p99", "longest", "least share of a core"];
    let mut table = Table::new("Times", &columns);
    for (label, rows) in groups {
        let taken = |of: fn(&Row) -> Option<f64>| rows.iter().filter_map(|row| of(row)).collect::<Vec<_>>();
        let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
        let share = taken(|row| row.core_share).into_iter().fold(1.0, f64::min);
        table.push(vec![
            (*label).to_owned(),
            with_interval(&taken(|row| row.time_us)),
            with_interval(&taken(|row| row.time_us_per_step)),
            number(mean(&taken(|row| row.time_us_p99))),
            number(most(taken(|row| row.time_us_max))),
            number(share),
        ]);
    }
    table.noted("Timed runs are made one at a time. Those that were on a core for less than 95 % of the time, because of other programs, have no times.")
}

/// What makes two runs comparable: everything but the planner.
fn question(row: &Row) -> (&str, &str, &str, [u32; 4], &str, &str, u64) {
    let ends = [row.start_x, row.start_y, row.goal_x, row.goal_y];
    (&row.map, &row.world, &row.rules, ends, &row.budget, &row.prices, row.seed)
}

/// Every planner against the first one on the same problems under the same budget.
fn comparison(groups: &[(&str, Vec<&Row>)]) -> Option<Table> {
    let columns = [
        "planner and budget",
        "against",
        "measure",
        "n",
        "difference of means",
        "ratio of means",
        "less",
        "equal",
        "more",
    ];
    let mut table = Table::new("Pairs: the same problems, the same budget", &columns);
    let first = groups.first()?.1.first()?.planner.split('(').next()?.to_owned();
    let is_first =
        |rows: &[&Row]| rows.first().is_some_and(|row| row.planner.split('(').next() == Some(&first));
    let measures: [Measure<f64>; 3] = [
        ("cost", |row| row.cost),
        ("intervals", |row| row.intervals as f64),
        ("expansions", |row| row.expansions as f64),
    ];
    for (base_label, base) in groups.iter().filter(|(_, rows)| is_first(rows)) {
        let theirs: BTreeMap<_, &Row> =
            base.iter().filter(|row| row.arrived()).map(|row| (question(row), *row)).collect();
        for (label, rows) in groups.iter().filter(|(label, _)| label != base_label) {
            let pairs: Vec<(&Row, &Row)> = rows
                .iter()
                .filter(|row| row.arrived())
                .filter_map(|row| Some((*theirs.get(&question(row))?, *row)))
                .collect();
            if pairs.is_empty() {
                continue;
            }
            for (name, of) in measures {
                let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(a, b)| (of(a), of(b))).unzip();
                table.push(pair_line(label, base_label, name, &paired(&a, &b)));
            }
        }
    }
    let is_empty = table.lines.is_empty();
    let note = "Less: on how many problems the planner was below the one it is compared with. Only problems on which both arrived.";
    (!is_empty).then(|| table.noted(note))
}

fn pair_line(label: &str, base: &str, measure: &str, pair: &Paired) -> Vec<String> {
    let with = |value: f64, interval: Interval| format!("{} ({interval})", number(value));
    vec![
        label.to_owned(),
        base.to_owned(),
        measure.to_owned(),
        pair.n.to_string(),
        with(pair.difference, pair.difference_interval),
        with(pair.ratio, pair.ratio_interval),
        pair.less.to_string(),
        pair.equal.to_string(),
        pair.more.to_string(),
    ]
}

/// Work per move against the quality of the walk: who is nearest to the lower left corner?
fn pareto(groups: &[(&str, Vec<&Row>)]) -> Figure {
    let mut series: Vec<Series> = Vec::new();
    for (label, rows) in groups {
        let ratios = ratios(rows);
        let Some(first) = rows.first().filter(|_| !ratios.is_empty()) else { continue };
        // One line per planner, one point per budget.
        let name = label.replacen(&format!(" at {}", first.budget), "", 1);
        let Interval { low, high } = bootstrap(&ratios, mean);
        let work = mean(&values(rows, |row| row.expansions_per_move));
        let point = Point { x: work, y: mean(&ratios), bar: Some((low, high)) };
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series::line(name, vec![point])),
        }
    }
    Figure {
        name: "pareto".into(),
        caption: "Means over all runs that arrived, one point per budget; bars: 95 % intervals. Lower left is better.".into(),
        plot: Plot {
            title: "Work per move against cost".into(),
            x: Axis::log("expansions per move"),
            y: Axis::log("cost / optimal"),
            series,
        },
    }
}
