//! Which planners suit a world.

use fleetfoot::registry::{self, Facts, Spec};
use fleetfoot_sim::formats::script::Trend;

/// Why a planner does not suit a world, and which would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incompatible {
    /// What is wrong.
    pub what: String,
    /// The keys of planners that suit it.
    pub able: String,
}

/// Whether a planner does not understand such worlds at all.
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

/// Whether a planner promises nothing where costs go as they do in a world. It can run there all the same.
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

/// The planners of which this holds, and which can be recommended.
fn able(holds: impl Fn(&Facts) -> bool) -> String {
    let is_sound = |facts: &Facts| facts.complete && facts.polynomial && facts.bounded;
    let all = registry::ALGORITHMS.iter();
    let able = all.filter(|info| holds(&info.facts) && is_sound(&info.facts)).map(|info| info.key);
    able.collect::<Vec<_>>().join(", ")
}
