//! Which planners suit a world.

use fleetfoot::registry::Spec;
use fleetfoot_lab::places::{Unsuited, unpromising, unsuited};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::World;

use crate::args::RunArgs;
use crate::failure::{Failure, warn};

/// The planners asked for. Refuses those that do not understand such worlds at all.
pub(super) fn planners(args: &RunArgs, budgets: &[Budget]) -> Result<Vec<Spec>, Failure> {
    let world = &args.world.world;
    let mut planners = args.planners.clone();
    if planners.is_empty() {
        planners.push("auto".parse().map_err(Failure::input)?);
    }
    for spec in &planners {
        if let Some(Unsuited { what, able }) = unsuited(spec, world.is_unknown(), world.is_dynamic()) {
            return Err(InputError::new(what, format!("use --world known, or one of {able}")).into());
        }
        if !spec.facts().scales && budgets.iter().any(|budget| matches!(budget, Budget::Unlimited)) {
            let what = format!("planner {spec} may take for ever over a step without a budget");
            return Err(InputError::new(what, "give it one, such as --budget 1000").into());
        }
    }
    Ok(planners)
}

/// Refuses planners that promise nothing where costs go as they do in this world, or warns of them if they are to run all
/// the same.
pub(super) fn check_trend(args: &RunArgs, planners: &[Spec], world: &World) -> Result<(), Failure> {
    let is_unknown = args.world.world.is_unknown();
    for spec in planners {
        let Some(Unsuited { what, able }) = unpromising(spec, is_unknown, world.trend()) else { continue };
        if args.force {
            warn("warning", what);
            continue;
        }
        let remedy = format!("use one of {able}, or --force to run it all the same");
        return Err(InputError::new(what, remedy).into());
    }
    Ok(())
}
