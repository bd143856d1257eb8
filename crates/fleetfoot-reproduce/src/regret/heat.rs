//! The picture of the study: the regret of every cell.

use super::cell::Cell;
use super::{BUDGETS, World, claims};
use fleetfoot_lab::plot::{HeatCell, HeatMap};
use fleetfoot_lab::report::Heat;

/// The regret with the strongest color.
const MOST: f64 = 8.0;

/// Returns the heat map of all cells: a row for each world, a group of columns for each price list.
pub(super) fn of(cells: &[Cell<'_>]) -> Heat {
    let shown = |cell: &Cell<'_>| {
        let regret = cell.regret.as_ref()?;
        Some(HeatCell { value: regret.ratio, note: plain(&regret.best) })
    };
    let row = |world: World| {
        let cells = cells.iter().filter(|cell| cell.terms.world == world);
        (world.name().to_owned(), cells.map(shown).collect())
    };
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.terms.world == World::Known) {
        let (name, budget) = (claims::prices(cell.terms), fleetfoot_lab::whole(cell.terms.budget));
        match groups.last_mut().filter(|(last, _)| last == name) {
            Some((_, columns)) => columns.push(budget),
            None => groups.push((name.to_owned(), vec![budget])),
        }
    }
    debug_assert!(groups.iter().all(|(_, columns)| columns.len() == BUDGETS.len()), "groups are whole");
    Heat {
        name: "regret".into(),
        caption: "Mean ticks of auto divided by those of the best other planner, which stands below the number. White: as good. Blue: auto is \
                  better. Orange: another planner is better."
            .into(),
        map: HeatMap {
            title: "Regret of auto, by world, prices and budget".into(),
            groups,
            x: "expansions per tick".into(),
            rows: World::ALL.map(row).into(),
            most: MOST,
        },
    }
}

/// Returns a planner without its parameters, since a cell has little space.
fn plain(planner: &str) -> String {
    planner.split_once('(').map_or_else(|| planner.to_owned(), |(key, _)| format!("{key}(…)"))
}
