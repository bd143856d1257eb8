//! `fleetfoot list`: the planners in the registry.

use std::io::{self, Write};

use fleetfoot::registry::{ALGORITHMS, Facts, Param, PlannerInfo, Values, find, suggest};
use fleetfoot_lab::catalogue::{as_json, bound, facts};
use fleetfoot_sim::error::InputError;
use serde_json::Value;

use crate::args::ListArgs;
use crate::failure::Failure;
use crate::output::columns::fold;
use crate::output::{print, terminal_width};

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    let chosen = args.key.as_deref().map(one).transpose()?;
    match (chosen, args.json) {
        (Some(info), true) => print(|out| writeln!(out, "{:#}", as_json(info))),
        (None, true) => {
            let all: Value = ALGORITHMS.iter().map(as_json).collect();
            print(|out| writeln!(out, "{all:#}"))
        }
        (Some(info), false) => print(|out| detail(info, out)),
        (None, false) => print(overview),
    }
}

/// Maximum width of a line.
const WIDTH: usize = 100;

/// Returns the width of lines.
fn width() -> usize {
    terminal_width().unwrap_or(WIDTH).clamp(40, WIDTH)
}

fn one(key: &str) -> Result<&'static PlannerInfo, InputError> {
    find(key).ok_or_else(|| {
        let keys: Vec<_> = ALGORITHMS.iter().map(|info| info.key).collect();
        InputError::new(format!("there is no planner `{key}`"), suggest(key, &keys))
    })
}

fn overview(out: &mut dyn Write) -> io::Result<()> {
    let widest = |of: fn(&PlannerInfo) -> &str| {
        ALGORITHMS.iter().map(|info| of(info).chars().count()).max().unwrap_or(0)
    };
    let (keys, names) = (widest(|info| info.key), widest(|info| info.name));
    for info in ALGORITHMS {
        let line = format!("{:<keys$}  {:<names$}  {}", info.key, info.name, info.paper);
        let fits = line.chars().count() <= width();
        writeln!(out, "{}", if fits { line } else { format!("{:<keys$}  {}", info.key, info.name) })?;
        let kept = facts(&info.facts).into_iter().filter(|fact| fact.1);
        let kept: Vec<_> = kept.map(|(name, ..)| short(name)).collect();
        writeln!(out, "    {}", fold(&kept.join(", "), width() - 4).join("\n    "))?;
        if !fits {
            writeln!(out, "    {}", fold(info.paper, width() - 4).join("\n    "))?;
        }
        if needs(&info.facts) != PREDECESSORS {
            let lines = fold(&format!("needs {}", needs(&info.facts)), width() - 4);
            writeln!(out, "    {}", lines.join("\n    "))?;
        }
    }
    writeln!(out, "\nWhat they promise:")?;
    for (name, _, text) in facts(&ALGORITHMS[0].facts) {
        writeln!(out, "  {:<15}  {text}", short(name))?;
    }
    let text = format!("Parameters are set in parentheses: {}. `fleetfoot list KEY` shows them.", example());
    writeln!(out, "\n{}", fold(&text, width()).join("\n"))
}

/// Returns a spec that changes a parameter from its default.
fn example() -> String {
    let set = |info: &PlannerInfo| {
        let other = |p: &Param| match p.values {
            Values::OneOf(words) => words.iter().find(|word| **word != p.default).map(|word| (p.name, *word)),
            _ => None,
        };
        info.params.iter().find_map(other).map(|(name, word)| format!("`{}({name}={word})`", info.key))
    };
    ALGORITHMS.iter().find_map(set).unwrap_or_default()
}

fn detail(info: &PlannerInfo, out: &mut dyn Write) -> io::Result<()> {
    let summary = fold(info.summary, width()).join("\n");
    writeln!(out, "{}  {}  ({})\n{summary}\n", info.key, info.name, info.paper)?;
    let lines = fold(&needs(&info.facts), width() - 10);
    writeln!(out, "needs     {}", lines.join("\n          "))?;
    for (k, (_, holds, text)) in facts(&info.facts).into_iter().enumerate() {
        let label = if k == 0 { "promises" } else { "" };
        writeln!(out, "{label:<8}  {}  {text}", if holds { "yes" } else { "no " })?;
    }
    if let Some(bound) = bound(info) {
        let lines = fold(bound, width() - 10);
        writeln!(out, "bound     {}", lines.join("\n          "))?;
    }
    if info.params.is_empty() {
        return writeln!(out, "\nNothing can be set.");
    }
    writeln!(out, "\nparameters, what they are if not given, and what they can be")?;
    for param in info.params {
        writeln!(out, "{}={}  ({})", param.name, param.default, values(param))?;
        for line in fold(param.doc, width() - 4) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// Needed by every planner, so it is not listed.
const PREDECESSORS: &str = "predecessors";

fn needs(facts: &Facts) -> String {
    let needs = [
        (facts.needs_undirected, "moves that can be undone"),
        (facts.needs_positions, "positions"),
        (facts.static_only, "a world that does not change"),
        (
            facts.needs_corner_index,
            "a grid with four neighbors, or eight without corner cutting, and one weight",
        ),
    ];
    let needs: Vec<_> = needs.into_iter().filter(|(needed, _)| *needed).map(|(_, what)| what).collect();
    if needs.is_empty() { PREDECESSORS.into() } else { needs.join(", ") }
}

/// Abbreviates the name of a property.
fn short(name: &'static str) -> &'static str {
    match name {
        "proves_no_path" => "proves no path",
        "slice_invariant" => "slice-invariant",
        "unknown_terrain" => "unknown",
        "rising_costs" => "rising",
        "falling_costs" => "falling",
        other => other,
    }
}

fn values(param: &Param) -> String {
    match param.values {
        Values::OneOf(words) => words.join(" | "),
        Values::Int(least, u64::MAX) => format!("{least} or more"),
        Values::Int(least, most) => format!("{least} to {most}"),
        Values::IntOr(word, least, most) => format!("{word}, or {least} to {most}"),
        Values::Share => "0 to 1, or 0% to 100%".into(),
        Values::Decimal(least, most) => format!("{least} to {most}, with decimals"),
        Values::Text => "text".into(),
    }
}
