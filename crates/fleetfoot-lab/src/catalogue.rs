//! The planners as data, for the program's `list` and for programs in other languages.

use fleetfoot::registry::{Facts, Param, PlannerInfo, Values};
use serde_json::{Value, json};

/// Returns the proven bound of the work between two moves whatever the budget, if it is known in advance.
pub fn bound(info: &PlannerInfo) -> Option<&'static str> {
    match info.key {
        "pr-lrta" => Some(
            "an episode expands at most the regions fewer than `depth` edges away, and the cells of one region",
        ),
        "knn-lrta" => Some(
            "a move expands 1 state; for a new goal, at most one comparison a record and climbs of `limit` steps, \
             1 to the goal and 2 for each of `candidates` records, `limit` steps of them in a tick at the papers' prices",
        ),
        "d-lrta" => Some(
            "a step expands at most the cells fewer than `depth` edges away: (2·depth−1)² with 8 neighbors",
        ),
        _ => None,
    }
}

/// Lists the properties of an algorithm: name, value, and explanation.
pub fn facts(facts: &Facts) -> [(&'static str, bool, &'static str); 9] {
    [
        ("bounded", facts.bounded, "no step exceeds its budget"),
        ("complete", facts.complete, "arrives if a path exists"),
        ("proves_no_path", facts.proves_no_path, "reports that no path exists, after a bounded search"),
        ("slice_invariant", facts.slice_invariant, "the same search however the budget slices it"),
        ("optimal", facts.optimal, "shortest path in a known world without a budget"),
        ("unknown_terrain", facts.unknown_terrain, "works on a map that has to be discovered"),
        ("rising_costs", facts.rising_costs, "works when costs rise or cells close"),
        ("falling_costs", facts.falling_costs, "works when costs fall or cells open"),
        ("scales", facts.polynomial, "keeps its promises on graphs of any size"),
    ]
}

/// Describes a planner as JSON: its name, needs, properties and parameters.
pub fn as_json(info: &PlannerInfo) -> Value {
    let facts: serde_json::Map<_, _> =
        facts(&info.facts).into_iter().map(|(name, holds, _)| (name.to_owned(), json!(holds))).collect();
    let params: Vec<Value> = info.params.iter().map(param_json).collect();
    json!({
        "key": info.key,
        "name": info.name,
        "paper": info.paper,
        "summary": info.summary,
        "needs": {
            "undirected": info.facts.needs_undirected,
            "coordinates": info.facts.needs_positions,
            "still": info.facts.static_only,
            "corners": info.facts.needs_corner_index,
        },
        "facts": facts,
        "bound": bound(info),
        "parameters": params,
    })
}

fn param_json(param: &Param) -> Value {
    let values = match param.values {
        Values::OneOf(words) => json!({ "one_of": words }),
        Values::Int(least, most) => json!({ "least": least, "most": most }),
        Values::IntOr(word, least, most) => json!({ "word": word, "least": least, "most": most }),
        Values::Share => json!({ "share": true }),
        Values::Decimal(least, most) => json!({ "least": least, "most": most, "decimals": true }),
        Values::Text => json!({ "text": true }),
    };
    json!({ "name": param.name, "default": param.default, "values": values, "doc": param.doc })
}
