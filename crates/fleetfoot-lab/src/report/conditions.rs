//! The conditions of a report: everything that is needed to repeat it.

use fleetfoot::WorkKind;
use fleetfoot_sim::budget::{PriceList, describe};
use serde::Serialize;

use crate::run::{About, Row};
use crate::stats::FEW;

/// A condition: its name and values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// Collects the conditions of an experiment from its description and rows.
pub fn conditions(about: &About, rows: &[Row]) -> Vec<Condition> {
    let texts = |of: fn(&Row) -> &str| distinct(rows.iter().map(of));
    let prices = texts(|row| &row.prices);
    let lists: Vec<PriceList> = prices.iter().filter_map(|name| name.parse().ok()).collect();
    let budgets = texts(|row| &row.budget);
    let budgets = describe(&budgets.iter().map(String::as_str).collect::<Vec<_>>(), &lists);
    let seeds = ranges(rows.iter().map(|row| row.seed).collect());
    let trials = rows.iter().filter_map(|row| row.trial).max();
    let all = [
        ("made again by", vec![about.command.clone()]),
        ("made by", about.made.clone()),
        ("runs", vec![crate::whole(runs(rows))]),
        ("maps", about.maps.clone()),
        ("problems", about.problems.clone()),
        ("worlds", texts(|row| &row.world)),
        ("moves", texts(|row| &row.rules)),
        ("planners", texts(|row| &row.planner)),
        ("budgets", vec![budgets]),
        ("prices", prices.iter().map(|name| priced(name)).collect()),
        ("seeds", vec![seeds]),
        ("trials", trials.map(|most| format!("up to {most} by each agent")).into_iter().collect()),
        ("left out", about.skipped.clone()),
        (
            "intervals",
            vec![format!(
                "95 %, percentile bootstrap over problems unless stated otherwise; ⚠: of fewer than {FEW} runs (on a map, where there are several), and too narrow"
            )],
        ),
    ];
    let condition = |(name, values): (&str, Vec<String>)| Condition { name: name.to_owned(), values };
    let is_told = |(_, values): &(&str, Vec<String>)| values.iter().any(|value| !value.is_empty());
    all.into_iter().filter(is_told).map(condition).collect()
}

/// Returns the number of runs. A run of several trials has several rows.
fn runs(rows: &[Row]) -> u64 {
    rows.iter().filter(|row| row.trial.is_none_or(|trial| trial == 1)).count() as u64
}

/// Removes duplicates and keeps the order.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (mut seen, mut all) = (std::collections::HashSet::new(), Vec::new());
    for text in texts {
        if seen.insert(text) {
            all.push(text.to_owned());
        }
    }
    many(all)
}

/// Shortens a long list: texts that differ only by their seed are listed once.
fn many(all: Vec<String>) -> Vec<String> {
    const MOST: usize = 12;
    if all.len() <= MOST {
        return all;
    }
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for text in &all {
        let kind = without_seed(text);
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let told =
        |(kind, count): (String, usize)| if count == 1 { kind } else { format!("{kind} ({count} of them)") };
    kinds.into_iter().map(told).collect()
}

/// Replaces every seed in a text by `…`.
pub(crate) fn without_seed(text: &str) -> String {
    let mut parts = ["seed=", "ties="].iter().fold(vec![text.to_owned()], |parts, key| {
        let split = |part: String| {
            let pieces: Vec<String> = part.split_inclusive(*key).map(str::to_owned).collect();
            pieces
        };
        parts.into_iter().flat_map(split).collect()
    });
    for part in parts.iter_mut().skip(1) {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part.replace_range(..end, "…");
    }
    parts.concat()
}

/// Describes what a price list charges.
fn priced(name: &str) -> String {
    let Ok(list) = name.parse::<PriceList>() else { return name.to_owned() };
    let kinds: [(WorkKind, &str); 9] = [
        (WorkKind::Expand, "expansion"),
        (WorkKind::Learn, "learned value"),
        (WorkKind::Trace, "step of tracing"),
        (WorkKind::Refresh, "key refreshed"),
        (WorkKind::Change, "change digested"),
        (WorkKind::Climb, "climbing step"),
        (WorkKind::Compare, "record compared"),
        (WorkKind::Rhs, "value computed anew"),
        (WorkKind::Scan, "word scanned"),
    ];
    let price = |(kind, what): &(WorkKind, &str)| {
        let tenths = list.prices().of(*kind);
        (tenths > 0).then(|| format!("{what} {}", f64::from(tenths) / 10.0))
    };
    let charged: Vec<String> = kinds.iter().filter_map(price).collect();
    let free = if charged.len() == kinds.len() { "" } else { "; all else is free" };
    format!("{list}: {}{free}", charged.join(", "))
}

/// Formats numbers; consecutive ones as ranges.
fn ranges(mut numbers: Vec<u64>) -> String {
    numbers.sort_unstable();
    numbers.dedup();
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for n in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => ranges.push((n, n)),
        }
    }
    let told = |(first, last): &(u64, u64)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    ranges.iter().map(told).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_prices_in_words() {
        assert_eq!(ranges(vec![3, 1, 2, 9, 7, 8, 20, 1, 30, 31]), "1 to 3, 7 to 9, 20, 30, 31");
        assert_eq!(priced("expansions"), "expansions: expansion 1; all else is free");
        assert!(priced("all").contains("expansion 1, learned value 0.3") && !priced("all").contains("free"));
        assert_eq!(priced(PriceList::FORMER_NAME), priced("all"));
        assert_eq!(without_seed("maze(width=9,seed=12,corridor=1)"), "maze(width=9,seed=…,corridor=1)");
        assert_eq!(without_seed("rtaa(lookahead=9,ties=7)"), "rtaa(lookahead=9,ties=…)");
        let all: Vec<String> = (0..20).map(|seed| format!("maze(seed={seed})")).chain(["b".into()]).collect();
        assert_eq!(distinct(all.iter().map(String::as_str)), ["maze(seed=…) (20 of them)", "b"]);
        let ties: Vec<String> = (0..20).map(|seed| format!("rtaa(ties={seed})")).collect();
        assert_eq!(distinct(ties.iter().map(String::as_str)), ["rtaa(ties=…) (20 of them)"]);
    }
}
