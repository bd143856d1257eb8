//! Tables: the regret of every cell, every planner in every cell, and the best planners by kind of map.

use super::cell::{Cell, Regret, Sample};
use super::{BUDGETS, World, claims};
use fleetfoot_lab::report::Table;
use fleetfoot_lab::{number, with_interval};

/// A planner is as good as the best if it needs at most this many times its ticks.
const CLOSE: f64 = 1.05;

/// Returns all tables.
pub(super) fn all(cells: &[Cell<'_>]) -> Vec<Table> {
    let mut tables = vec![regrets(cells), short(cells)];
    tables.extend(cells.chunks(BUDGETS.len()).map(planners));
    tables.extend(World::ALL.map(|world| kinds(cells, world)));
    tables
}

/// Returns the regret of every cell.
fn regrets(cells: &[Cell<'_>]) -> Table {
    let columns = [
        "world",
        "prices",
        "budget",
        "auto",
        "never",
        "auto runs as",
        "best other",
        "its ticks",
        "regret",
        "fair",
        "problems",
    ];
    let mut table = Table::new("Regret of auto", &columns);
    for cell in cells {
        let Some(regret) = cell.regret.clone() else { continue };
        let Regret { auto, best, best_mean, ratio, interval, fair } = regret;
        table.push(vec![
            cell.terms.world.name().into(),
            cell.terms.prices.name().into(),
            cell.terms.budget.to_string(),
            number(auto),
            cell.auto.as_ref().map_or(0, |auto| auto.never).to_string(),
            chosen(cell),
            best,
            number(best_mean),
            with_interval(ratio, interval),
            number((fair * 100.0).round() / 100.0),
            cell.problems().to_string(),
        ]);
    }
    table.noted(
        "Mean ticks until arrival; never: runs that do not arrive, which are charged the limit. Regret: the ticks of auto divided by those of the \
         best other planner, with a 95 % interval in which the best planner is chosen again in every resample. Fair: the same with the best \
         planner chosen by one half of the problems and compared on the other half, so that its luck does not count. Auto runs as: the planner \
         whose runs auto repeats step by step, and on how many problems where it is not on all.",
    )
}

/// Returns the regrets in short: a line for each world and price list, a column for each budget.
fn short(cells: &[Cell<'_>]) -> Table {
    let columns: Vec<String> = ["world", "prices"]
        .map(str::to_owned)
        .into_iter()
        .chain(BUDGETS.map(|budget| format!("{} a tick", fleetfoot_lab::whole(budget))))
        .collect();
    let mut table =
        Table::new("Regret of auto in short", &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for cells in cells.chunks(BUDGETS.len()) {
        let terms = cells[0].terms;
        let one = |cell: &Cell<'_>| {
            let told = |regret: &Regret| format!("{:.2}, {}", regret.ratio, regret.best);
            cell.regret.as_ref().map_or("–".into(), told)
        };
        let names = [terms.world.name(), claims::prices(terms)].map(str::to_owned);
        table.push(names.into_iter().chain(cells.iter().map(one)).collect());
    }
    table.noted("Mean ticks of auto divided by those of the best other planner, by expansions a tick, and the name of that planner.")
}

/// Describes the choice of `auto`.
fn chosen(cell: &Cell<'_>) -> String {
    let (chosen, all) = (cell.chosen(), cell.problems());
    match &chosen[..] {
        [] => "itself".into(),
        [(planner, count)] if *count == all => (*planner).to_owned(),
        several => {
            let parts: Vec<String> =
                several.iter().map(|(planner, count)| format!("{planner} {count}")).collect();
            let rest = all - several.iter().map(|(_, count)| count).sum::<usize>();
            let rest = if rest > 0 { format!(", itself {rest}") } else { String::new() };
            parts.join(", ") + &rest
        }
    }
}

/// Returns mean ticks of every planner in a world at one price list.
fn planners(cells: &[Cell<'_>]) -> Table {
    let terms = cells[0].terms;
    let title = format!(
        "{}, {}: mean ticks until arrival",
        claims::capital(terms.world.name()),
        claims::prices(terms)
    );
    let columns: Vec<String> =
        ["planner".to_owned()].into_iter().chain(BUDGETS.map(|budget| budget.to_string())).collect();
    let mut table = Table::new(title, &columns.iter().map(String::as_str).collect::<Vec<_>>());
    let mut names: Vec<&str> = Vec::new();
    for sample in cells.iter().flat_map(Cell::samples) {
        if !names.contains(&sample.planner.as_str()) {
            names.push(&sample.planner);
        }
    }
    for name in names {
        let one = |cell: &Cell<'_>| {
            let sample = cell.samples().find(|sample| sample.planner == name);
            sample.map_or("–".into(), |sample| ticks(cell, sample))
        };
        table.push([name.to_owned()].into_iter().chain(cells.iter().map(one)).collect());
    }
    let mut note = "By expansions a tick. In brackets: runs that never arrive, which are charged the limit. ≈: at most 5 % above the best.".to_owned();
    let missing: Vec<&str> = cells.iter().flat_map(|cell| &cell.incomplete).map(String::as_str).collect();
    if !missing.is_empty() {
        note += " Left out, since they ran on other problems than auto: ";
        note += &(missing.join(", ") + ".");
    }
    table.noted(note)
}

/// Formats mean ticks of a planner, with a mark if it is among the best.
fn ticks(cell: &Cell<'_>, sample: &Sample<'_>) -> String {
    let least = cell.samples().map(Sample::mean).fold(f64::INFINITY, f64::min);
    let mark = if sample.mean() <= CLOSE * least { "≈ " } else { "" };
    let never = if sample.never > 0 { format!(" [{}]", sample.never) } else { String::new() };
    format!("{mark}{}{never}", number(sample.mean()))
}

/// Returns the best planners by kind of map.
fn kinds(cells: &[Cell<'_>], world: World) -> Table {
    let columns = ["set", "prices", "budget", "auto", "regret", "best ticks", "within 5 % of the best"];
    let title = format!("{}: the best planners by kind of map", claims::capital(world.name()));
    let mut table = Table::new(title, &columns);
    for cell in cells.iter().filter(|cell| cell.terms.world == world) {
        for set in cell.sets() {
            let part = cell.only(set);
            let Some(auto) = &part.auto else { continue };
            let mut samples: Vec<&Sample<'_>> = part.samples().collect();
            samples.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
            let least = samples[0].mean();
            let close: Vec<String> = samples
                .iter()
                .filter(|sample| sample.mean() <= CLOSE * least)
                .map(|sample| format!("{} {}", sample.planner, number(sample.mean())))
                .collect();
            table.push(vec![
                set.to_owned(),
                part.terms.prices.name().into(),
                part.terms.budget.to_string(),
                format!(
                    "{}{}",
                    number(auto.mean()),
                    if auto.never > 0 { format!(" [{}]", auto.never) } else { String::new() }
                ),
                number(auto.mean() / least),
                number(least),
                close.join(", "),
            ]);
        }
    }
    table.noted("Few problems each, so no intervals. Regret is against the best planner, auto included.")
}
