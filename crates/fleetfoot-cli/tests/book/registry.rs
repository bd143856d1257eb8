//! Formats the registry for the book.

use fleetfoot::registry::{ALGORITHMS, Param, PlannerInfo, Values, find};
use fleetfoot::{Prices, WorkKind};

fn info(key: &str) -> &'static PlannerInfo {
    find(key).unwrap_or_else(|| panic!("there is no planner {key}"))
}

/// Escapes stars and bars for Markdown.
pub(super) fn escaped(text: &str) -> String {
    text.replace('*', "\\*").replace('|', "\\|")
}

/// Returns a table of a planner's properties and needs.
pub(super) fn facts(key: &str) -> String {
    let facts = info(key).facts;
    let promises = [
        (facts.bounded, "No step exceeds its budget"),
        (facts.complete, "Arrives if a path exists and the world does not change"),
        (facts.proves_no_path, "Reports that no path exists, after a bounded search"),
        (facts.slice_invariant, "Expands the same states in the same order whatever the budget"),
        (facts.optimal, "Walks a shortest path in a known, unchanging world without a budget"),
        (facts.unknown_terrain, "Works on a map that has to be discovered"),
        (facts.rising_costs, "Keeps its promises when costs rise or cells close"),
        (facts.falling_costs, "Keeps its promises when costs fall or cells open"),
        (facts.polynomial, "Keeps its promises on graphs of any size"),
    ];
    let needs = [
        (facts.needs_undirected, "moves that can be undone"),
        (facts.needs_positions, "positions of nodes"),
        (facts.needs_corner_index, "a grid with an index of its corners"),
        (facts.static_only, "a world that does not change"),
        (
            facts.needs_corner_index,
            "a grid with four neighbors, or eight without corner cutting, and one weight",
        ),
    ];
    let rows = promises.map(|(holds, text)| format!("| {text} | {} |\n", if holds { "yes" } else { "no" }));
    let needs: Vec<_> = needs.into_iter().filter(|need| need.0).map(|need| need.1).collect();
    let needs = if needs.is_empty() { "nothing special".to_owned() } else { needs.join(", ") };
    format!("| promise | |\n|---|---|\n{}\nNeeds: {needs}.", rows.concat())
}

/// Returns a table of a planner's parameters.
pub(super) fn parameters(key: &str) -> String {
    let params = info(key).params;
    if params.is_empty() {
        return "Nothing can be set.".into();
    }
    let row = |param: &Param| {
        let Param { name, default, doc, .. } = param;
        format!("| `{name}` | `{default}` | {} | {} |\n", values(param), escaped(doc))
    };
    let rows: String = params.iter().map(row).collect();
    format!("| parameter | default | values | what it does |\n|---|---|---|---|\n{rows}")
}

fn values(param: &Param) -> String {
    match param.values {
        Values::OneOf(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        Values::Int(least, u64::MAX) => format!("{least} or more"),
        Values::Int(least, most) => format!("{least} to {most}"),
        Values::IntOr(word, least, u64::MAX) => format!("`{word}`, or {least} or more"),
        Values::IntOr(word, least, most) => format!("`{word}`, or {least} to {most}"),
        Values::Share => "0 to 1, or 0% to 100%".into(),
        Values::Decimal(least, most) => format!("{least} to {most}, with decimals"),
        Values::Text => "text".into(),
    }
}

/// Returns a table of all planners with links to their pages.
pub(super) fn planners() -> String {
    let row = |info: &PlannerInfo| {
        let PlannerInfo { key, name, summary, .. } = info;
        format!("| [`{key}`](planners/{key}.md) | {} | {} |\n", escaped(name), escaped(summary))
    };
    let rows: String = ALGORITHMS.iter().map(row).collect();
    format!("| key | name | in a line |\n|---|---|---|\n{rows}")
}

/// Returns a table of the kinds of work with their prices in tenths of an expansion.
pub(super) fn prices() -> String {
    let about = |kind: WorkKind| match kind {
        WorkKind::Expand => "a state and all its neighbors",
        WorkKind::Learn => "a learned value updated, or a step of the search that does so",
        WorkKind::Trace => "a step back along a path that is read out of a search",
        WorkKind::Refresh => "a stale queue key renewed, in D\\* Lite and its relatives",
        WorkKind::Change => "an edge whose cost has changed digested",
        WorkKind::Climb => "a step of hill climbing",
        WorkKind::Compare => "a candidate compared, where there are many",
        WorkKind::Page => "a piece of memory touched for the first time",
        WorkKind::Rhs => "a value recomputed after a change, in D\\* Lite and its relatives",
        WorkKind::Scan => {
            "a word of 64 cells read while corners are looked for, or a part of a connection between corners"
        }
        other => panic!("say here what {} is", other.name()),
    };
    let row = |kind: WorkKind| {
        let [all, papers, expansions] =
            [Prices::ALL_WORK, Prices::PAPERS, Prices::EXPANSIONS].map(|prices| prices.of(kind));
        format!("| {} | {} | {all} | {papers} | {expansions} |\n", kind.name(), about(kind))
    };
    let rows: String = WorkKind::ALL.into_iter().map(row).collect();
    format!("| kind | what it is | `all` | `papers` | `expansions` |\n|---|---|---|---|---|\n{rows}")
}
