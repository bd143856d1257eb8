//! Tables and plots: one of walks in known worlds, ticks and pairs by world and set, and where corner search loses.

use super::super::Evidence;
use super::super::limits::cell;
use super::claims::Best;
use super::{CORNERS, DOORS, KNOWN, NEAR, TBA, WORLDS, World, expansions, ratio, sets, ticks};
use fleetfoot_lab::number;
use fleetfoot_lab::plot::{Axis, Plot, Point, Series};
use fleetfoot_lab::report::{Figure, Table};
use fleetfoot_lab::run::{PriceList, Row};
use fleetfoot_lab::stats::{Interval, Paired, bootstrap, mean, paired};

pub(super) fn all(evidence: &Evidence<'_>) -> Vec<Table> {
    let mut tables =
        vec![losses(evidence), walks(evidence, PriceList::Papers), walks(evidence, PriceList::AllWork)];
    tables.extend(WORLDS.iter().map(|world| bests(evidence, world)));
    for world in &WORLDS {
        for set in sets(evidence, world) {
            tables.push(times(evidence, world, set));
            tables.push(pairs(evidence, world, set));
        }
    }
    tables
}

/// Formats a budget for the head of a column.
fn column((prices, limit): (PriceList, u64)) -> String {
    match prices {
        PriceList::AllWork => format!("{limit}, all"),
        _ => limit.to_string(),
    }
}

/// Returns ratios and expansions of TBA* and Corner TBA* in known worlds, by set.
fn walks(evidence: &Evidence<'_>, prices: PriceList) -> Table {
    let limits = if prices == PriceList::AllWork { KNOWN.all_work } else { KNOWN.limits };
    let mut columns = vec!["set".to_owned(), "problems".into()];
    columns
        .extend(limits.iter().flat_map(|limit| [format!("TBA* at {limit}"), format!("corners at {limit}")]));
    columns.extend(["TBA*'s expansions", "corners', at 10", "/ TBA*'s"].map(str::to_owned));
    let title = match prices {
        PriceList::AllWork => "Known worlds: walked / shortest, all work charged",
        _ => "Known worlds: walked / shortest",
    };
    let mut table = Table::new(title, &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for set in sets(evidence, &KNOWN) {
        let label = |planner: &str, limit: u64| KNOWN.label(set, prices, planner, limit);
        let (tba, ours) = (label(TBA, 10), label(CORNERS.0, 10));
        let mut line = vec![set.to_owned(), evidence.rows(&ours).len().to_string()];
        for limit in limits {
            line.push(number(evidence.mean(&label(TBA, *limit), ratio)));
            line.push(cell(evidence, &label(CORNERS.0, *limit), ratio));
        }
        line.push(number(evidence.mean(&tba, expansions)));
        line.push(number(evidence.mean(&ours, expansions)));
        line.push(number(evidence.ratio(&ours, &tba, expansions).0));
        table.push(line);
    }
    table.noted(
        "Means, with 95 % intervals for Corner TBA*. A walk that did not end counts with its length so far, which favors agents that wait: \
         see the tables of ticks.",
    )
}

/// Compares Corner TBA* with the best of the papers' planners at each budget.
fn bests(evidence: &Evidence<'_>, world: &World) -> Table {
    let columns: Vec<String> = ["set".to_owned()].into_iter().chain(world.terms().map(column)).collect();
    let title = format!("{}: ticks / those of the best of the papers' planners", heading(world));
    let mut table = Table::new(title, &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for set in sets(evidence, world) {
        let one = |(prices, limit)| {
            Best::of(evidence, world, set, prices, limit).map_or("–".into(), |best| {
                format!("{}, {}", fleetfoot_lab::with_interval(best.ratio, best.interval), best.rival)
            })
        };
        table.push([set.to_owned()].into_iter().chain(world.terms().map(one)).collect());
    }
    table.noted("Below 1 corner search arrives sooner; 95 % intervals. The best is chosen by its mean at each budget.")
}

fn heading(world: &World) -> String {
    let mut name = world.name.to_owned();
    name[..1].make_ascii_uppercase();
    name
}

/// Returns ticks until arrival, by planner and budget.
fn times(evidence: &Evidence<'_>, world: &World, set: &str) -> Table {
    let mut columns: Vec<String> =
        ["planner".to_owned()].into_iter().chain(world.terms().map(column)).collect();
    columns.push("arrived".into());
    let title = format!("{}, {set}: ticks until arrival", heading(world));
    let mut table = Table::new(title, &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for (planner, _) in [CORNERS].iter().chain(world.rivals) {
        let labels: Vec<String> =
            world.terms().map(|(prices, limit)| world.label(set, prices, planner, limit)).collect();
        let rows: Vec<&Row> = labels.iter().flat_map(|label| evidence.rows(label).to_vec()).collect();
        let mut line = vec![(*planner).to_owned()];
        line.extend(
            labels
                .iter()
                .map(|label| if evidence.has(label) { cell(evidence, label, ticks) } else { "–".into() }),
        );
        line.push(format!("{}/{}", rows.iter().filter(|row| row.arrived()).count(), rows.len()));
        table.push(line);
    }
    let without = evidence.mean(&world.unlimited(set), ticks);
    table.noted(format!("Means with 95 % intervals; Corner TBA* without a limit: {}.", number(without)))
}

/// Compares one planner's ticks with those of Corner TBA* on the same problems. Returns `None` without runs.
fn pair(
    evidence: &Evidence<'_>,
    world: &World,
    set: &str,
    rival: &str,
    (prices, limit): (PriceList, u64),
) -> Option<Paired> {
    let [a, b] =
        [rival, CORNERS.0].map(|planner| evidence.values(&world.label(set, prices, planner, limit), ticks));
    (a.len() == b.len() && !a.is_empty()).then(|| paired(&a, &b))
}

fn pairs(evidence: &Evidence<'_>, world: &World, set: &str) -> Table {
    let columns: Vec<String> = ["against".to_owned()].into_iter().chain(world.terms().map(column)).collect();
    let title = format!("{}, {set}: pairs", heading(world));
    let mut table = Table::new(title, &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for (rival, _) in world.rivals {
        let one = |terms| {
            pair(evidence, world, set, rival, terms).map_or("–".into(), |p| {
                format!(
                    "{}, {}:{}:{}",
                    fleetfoot_lab::with_interval(p.ratio, p.ratio_interval),
                    p.less,
                    p.equal,
                    p.more
                )
            })
        };
        table.push([(*rival).to_owned()].into_iter().chain(world.terms().map(one)).collect());
    }
    table.noted("Ticks of Corner TBA* / the planner's, with 95 % intervals, and on how many problems they were fewer, equal, more.")
}

/// Lists all comparisons that another planner wins.
fn losses(evidence: &Evidence<'_>) -> Table {
    let columns = ["world and set", "prices", "budget", "sooner", "ticks, corners / its", "fewer:equal:more"];
    let mut table = Table::new("Where corner search loses", &columns);
    let (mut compared, mut won) = (0, 0);
    for world in &WORLDS {
        for set in sets(evidence, world) {
            for (prices, limit) in world.terms() {
                for (rival, _) in world.rivals {
                    let Some(p) = pair(evidence, world, set, rival, (prices, limit)) else { continue };
                    compared += 1;
                    won += usize::from(p.ratio_interval.high < 1.0);
                    if p.ratio_interval.low > 1.0 {
                        table.push(vec![
                            format!("{}, {set}", world.name),
                            prices.name().into(),
                            limit.to_string(),
                            (*rival).to_owned(),
                            fleetfoot_lab::with_interval(p.ratio, p.ratio_interval),
                            format!("{}:{}:{}", p.less, p.equal, p.more),
                        ]);
                    }
                }
            }
        }
    }
    let lost = table.lines.len();
    table.noted(format!(
        "Of {compared} comparisons (a planner, a set, a budget) corner search wins {won} with the whole 95 % interval of the ratio of ticks, \
         loses these {lost} so, and {} are open.",
        compared - won - lost
    ))
}

/// Returns curves by budget for each world and set, and the ratios of all sets in known worlds.
pub(super) fn figures(evidence: &Evidence<'_>) -> Vec<Figure> {
    let mut figures = vec![known(evidence)];
    for world in &WORLDS {
        for set in sets(evidence, world) {
            figures.push(curves(evidence, world, set));
        }
    }
    figures
}

fn point(evidence: &Evidence<'_>, label: &str, limit: u64, of: fn(&Row) -> f64) -> Point {
    let values = evidence.values(label, of);
    let Interval { low, high, .. } = bootstrap(&values, mean);
    Point { x: limit as f64, y: mean(&values), bar: Some((low, high)) }
}

fn known(evidence: &Evidence<'_>) -> Figure {
    let line = |set: &str| {
        let label = |limit: &u64| KNOWN.label(set, PriceList::Papers, CORNERS.0, *limit);
        let points = KNOWN.limits.iter().map(|limit| point(evidence, &label(limit), *limit, ratio)).collect();
        Series::line(set, points)
    };
    Figure {
        name: "known-walks".into(),
        caption: "Corner TBA* on known maps, by set. Means with 95 % intervals.".into(),
        plot: Plot {
            title: "Corner TBA*, known worlds: walked / shortest".into(),
            x: axis(&KNOWN),
            y: Axis::log("walked / shortest, mean").showing([1.0]),
            series: sets(evidence, &KNOWN).into_iter().map(line).collect(),
        },
    }
}

fn axis(world: &World) -> Axis {
    Axis::log("expansions per tick").with_ticks(world.limits.iter().map(|limit| *limit as f64))
}

fn curves(evidence: &Evidence<'_>, world: &World, set: &str) -> Figure {
    let line = |(planner, _): &super::Entry| {
        let label = |limit: &u64| world.label(set, PriceList::Papers, planner, *limit);
        let has = |limit: &&u64| evidence.has(&label(limit));
        let points = world
            .limits
            .iter()
            .filter(has)
            .map(|limit| point(evidence, &label(limit), *limit, ticks))
            .collect();
        Series::line(*planner, points)
    };
    let place = if world.name == DOORS.name { set.to_owned() } else { format!("{}, {set}", world.name) };
    let word = |text: &str| {
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("-")
    };
    let sight = if world.name == NEAR.name { " The agent sees its 8 neighbours." } else { "" };
    Figure {
        name: format!("{}-{}", word(world.name), word(set)),
        caption: format!("Means with 95 % intervals, at the papers' prices.{sight}"),
        plot: Plot {
            title: format!("Ticks until arrival: {place}"),
            x: axis(world),
            y: Axis::log("ticks, mean"),
            series: [CORNERS].iter().chain(world.rivals).map(line).collect(),
        },
    }
}
