//! Which planners suit a world.

use fleetfoot::registry::{self, Facts, Spec};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::World;

use crate::args::RunArgs;
use crate::failure::{Failure, warn};

/// The planners asked for. Refuses those that do not understand such worlds at all.
pub(super) fn planners(args: &RunArgs, budgets: &[Budget]) -> Result<Vec<Spec>, Failure> {
    let mut planners = args.planners.clone();
    if planners.is_empty() {
        planners.push(args.world.world.default_planner().parse().map_err(Failure::input)?);
    }
    for spec in &planners {
        let facts = spec.facts();
        if args.world.world.is_unknown() && !facts.unknown_terrain {
            let what = format!("planner {spec} works in known worlds only");
            let able = able(|facts| facts.unknown_terrain);
            return Err(InputError::new(what, format!("use --world known, or one of {able}")).into());
        }
        if !facts.scales && budgets.iter().any(|budget| matches!(budget, Budget::Unlimited)) {
            let what = format!("planner {spec} may take for ever over a step without a budget");
            return Err(InputError::new(what, "give it one, such as --budget 1000").into());
        }
        if args.world.world.is_dynamic() && facts.still {
            let what = format!("planner {spec} works only where nothing changes");
            let able = able(|facts| facts.rising_costs && facts.falling_costs);
            return Err(InputError::new(what, format!("use --world known, or one of {able}")).into());
        }
    }
    Ok(planners)
}

/// Refuses planners that promise nothing where costs go as they do in this world, or warns of them if they are to run all
/// the same.
pub(super) fn check_trend(args: &RunArgs, planners: &[Spec], world: &World) -> Result<(), Failure> {
    let trend = world.trend();
    let copes = |facts: &Facts| {
        let changes = trend.rise || trend.fall;
        (facts.rising_costs || !trend.rise)
            && (facts.falling_costs || !trend.fall)
            && !(facts.still && changes)
    };
    for spec in planners.iter().filter(|spec| !copes(&spec.facts())) {
        let rising = trend.rise && !spec.facts().rising_costs;
        let falling = trend.fall && !spec.facts().falling_costs;
        let (how, does) = match (rising, falling) {
            (true, true) => ("change", "makes them rise and fall"),
            (true, false) => ("rise", "makes them rise"),
            (false, _) => ("fall", "makes them fall"),
        };
        let what = format!("planner {spec} promises nothing where costs {how}, and the script {does}");
        if args.force {
            warn("warning", what);
            continue;
        }
        let is_unknown = args.world.world.is_unknown();
        let able = able(|facts| copes(facts) && (facts.unknown_terrain || !is_unknown));
        let remedy = format!("use one of {able}, or --force to run it all the same");
        return Err(InputError::new(what, remedy).into());
    }
    Ok(())
}

/// The planners of which this holds, and which can be recommended.
fn able(holds: impl Fn(&Facts) -> bool) -> String {
    let is_sound = |facts: &Facts| facts.complete && facts.scales && facts.bounded;
    let all = registry::ALGORITHMS.iter();
    let able = all.filter(|info| holds(&info.facts) && is_sound(&info.facts)).map(|info| info.key);
    able.collect::<Vec<_>>().join(", ")
}
