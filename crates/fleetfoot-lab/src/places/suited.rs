//! Checks whether planners support a world.

use fleetfoot::registry::{self, Facts, Spec};
use fleetfoot_sim::formats::script::Trend;

/// The reason that a planner does not support a world, and planners that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incompatible {
    /// What is wrong.
    pub what: String,
    /// Keys of planners that support it.
    pub able: String,
}

/// Returns an error if a planner cannot run in such worlds.
pub fn check_knowledge(spec: &Spec, is_unknown: bool, is_dynamic: bool) -> Option<Incompatible> {
    let facts = spec.facts();
    if is_unknown && !facts.unknown_terrain {
        let what = format!("planner {spec} works in known worlds only");
        return Some(Incompatible { what, able: able(|facts| facts.unknown_terrain) });
    }
    if is_dynamic && facts.static_only {
        let what = format!("planner {spec} works only where nothing changes");
        return Some(Incompatible { what, able: able(|facts| facts.rising_costs && facts.falling_costs) });
    }
    None
}

/// Returns an error if a planner makes no guarantees for the cost changes of a world. It can run there nevertheless.
pub fn check_cost_changes(spec: &Spec, is_unknown: bool, trend: Trend) -> Option<Incompatible> {
    let copes = |facts: &Facts| {
        let changes = trend.rise || trend.fall;
        (facts.rising_costs || !trend.rise)
            && (facts.falling_costs || !trend.fall)
            && !(facts.static_only && changes)
    };
    if copes(&spec.facts()) {
        return None;
    }
    let rising = trend.rise && !spec.facts().rising_costs;
    let falling = trend.fall && !spec.facts().falling_costs;
    let (how, does) = match (rising, falling) {
        (true, true) => ("change", "makes them rise and fall"),
        (true, false) => ("rise", "makes them rise"),
        (false, _) => ("fall", "makes them fall"),
    };
    let what = format!("planner {spec} promises nothing where costs {how}, and the script {does}");
    Some(Incompatible { what, able: able(|facts| copes(facts) && (facts.unknown_terrain || !is_unknown)) })
}

/// Lists the recommended planners with a property.
fn able(holds: impl Fn(&Facts) -> bool) -> String {
    let is_sound = |facts: &Facts| facts.complete && facts.polynomial && facts.bounded;
    let all = registry::ALGORITHMS.iter();
    let able = all.filter(|info| holds(&info.facts) && is_sound(&info.facts)).map(|info| info.key);
    able.collect::<Vec<_>>().join(", ")
}
