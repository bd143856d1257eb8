//! A claim for every cell: the regret of `auto` is small.

use super::Terms;
use super::cell::{Cell, Regret};
use fleetfoot_lab::report::{Finding, Measured, Verdict};

/// The ids of the claims, in the order of [`Terms::all`].
pub(super) const IDS: [&str; 32] = [
    "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14", "G15", "G16",
    "G17", "G18", "G19", "G20", "G21", "G22", "G23", "G24", "G25", "G26", "G27", "G28", "G29", "G30", "G31",
    "G32",
];

/// The claimed bound of the regret.
const BOUND: f64 = 1.05;
/// The bound where the best planner needs fewer than [`SHORT`] ticks: a few ticks are a larger share there.
const SHORT_BOUND: f64 = 1.10;
const SHORT: f64 = 300.0;

/// Returns the findings on all cells.
pub(super) fn all(cells: &[Cell<'_>]) -> Vec<Finding> {
    cells.iter().zip(IDS).map(|(cell, id)| finding(id, cell)).collect()
}

/// Returns the claimed bound of a cell's regret.
pub(super) fn bound(regret: &Regret) -> f64 {
    if regret.best_mean < SHORT { SHORT_BOUND } else { BOUND }
}

fn finding(id: &str, cell: &Cell<'_>) -> Finding {
    let says = format!("{}: taking auto costs next to nothing", named(cell.terms));
    let rule = format!(
        "the mean ticks of auto are at most {BOUND} times those of the best other planner ({SHORT_BOUND} times where these are fewer than \
         {SHORT}); in every resample the best planner is chosen again"
    );
    let Some(regret) = &cell.regret else {
        return Finding::not_measured(
            id,
            &says,
            &rule,
            "there are no runs of auto and another planner on the same problems",
        );
    };
    let (bound, Regret { ratio, interval, .. }) = (bound(regret), regret.clone());
    let mut numbers = vec![
        Measured::new(format!("regret, against {} (claimed: at most {bound})", regret.best), ratio, interval),
        Measured::exact("mean ticks of auto", regret.auto),
        Measured::exact(format!("mean ticks of {}", regret.best), regret.best_mean),
    ];
    if !regret.fair.is_nan() {
        let what = "regret, with the best planner chosen by the other half of the problems";
        numbers.push(Measured::exact(what, regret.fair));
    }
    let never = cell.auto.as_ref().map_or(0, |auto| auto.never);
    numbers.push(Measured::count(
        format!("runs of auto that never arrive, of {}", cell.problems()),
        never,
        cell.problems(),
    ));
    let why =
        format!("{} is better on these problems; the table of all planners shows by how much", regret.best);
    Finding::new(id, &says, &rule, numbers, Verdict::of(interval.at_most(bound))).explained(why)
}

/// Describes a cell.
pub(super) fn named(terms: Terms) -> String {
    let expansions = if terms.budget == 1 { "expansion" } else { "expansions" };
    format!(
        "{}, {}, {} {expansions} a tick",
        terms.world.name(),
        prices(terms),
        fleetfoot_lab::whole(terms.budget)
    )
}

/// Describes a price list.
pub(super) fn prices(terms: Terms) -> &'static str {
    if terms.prices.name() == "papers" { "papers' prices" } else { "all work charged" }
}

/// Capitalizes the first letter of a text.
pub(super) fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    text[..1].make_ascii_uppercase();
    text
}
