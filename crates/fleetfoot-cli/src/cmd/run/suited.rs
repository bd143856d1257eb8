//! Checks planners against a world and its problems.

use fleetfoot::registry::Spec;
use fleetfoot::{Components, Reachability};
use fleetfoot_lab::places::{Incompatible, check_cost_changes, check_knowledge};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::World;

use crate::args::RunArgs;
use crate::batch::HOPELESS_STEPS;
use crate::failure::{Failure, warn};
use crate::output::columns::whole;
use crate::problems::ProblemSet;

/// Returns the requested planners. Refuses planners that do not support such worlds.
pub(super) fn planners(args: &RunArgs, budgets: &[Budget]) -> Result<Vec<Spec>, Failure> {
    let world = &args.world.world;
    let mut planners = args.planners.clone();
    if planners.is_empty() {
        planners.push("auto".parse().map_err(Failure::input)?);
    }
    for spec in &planners {
        if let Some(Incompatible { what, able }) =
            check_knowledge(spec, world.is_unknown(), world.is_dynamic())
        {
            return Err(InputError::new(what, format!("use --world known, or one of {able}")).into());
        }
        if !spec.facts().polynomial && budgets.iter().any(|budget| matches!(budget, Budget::Unlimited)) {
            let what = format!("planner {spec} may need unbounded time for a step without a budget");
            return Err(InputError::new(what, "give it one, such as --budget 1000").into());
        }
    }
    Ok(planners)
}

/// Refuses planners that guarantee nothing for the cost changes of this world, or warns with `--force`.
pub(super) fn check_trend(args: &RunArgs, planners: &[Spec], world: &World) -> Result<(), Failure> {
    let is_unknown = args.world.world.is_unknown();
    for spec in planners {
        let Some(Incompatible { what, able }) = check_cost_changes(spec, is_unknown, world.trend()) else {
            continue;
        };
        if args.force {
            warn("warning", what);
            continue;
        }
        let remedy = format!("use one of {able}, or --force to run it anyway");
        return Err(InputError::new(what, remedy).into());
    }
    Ok(())
}

/// Marks unreachable goals, by an index of the map's components, and warns of planners that cannot prove it. In a
/// changing world a path may open, so nothing is marked.
pub(super) fn note_hopeless(args: &RunArgs, planners: &[Spec], world: &World, tasks: &mut ProblemSet) {
    if world.is_dynamic() {
        return;
    }
    let (grid, index) = (world.truth(), Components::new(world.truth()));
    for task in &mut tasks.list {
        let ends = [task.problem.start, task.problem.goal].map(|(x, y)| grid.node(x, y));
        // Blocked ends are rejected later, by `Batch::check`.
        if let [Some(start), Some(goal)] = ends {
            let are_free = grid.is_free(start) && grid.is_free(goal);
            task.is_hopeless = are_free && index.reachability(start, goal) == Reachability::Unreachable;
        }
    }
    let mut hopeless = tasks.list.iter().filter(|task| task.is_hopeless).map(|task| task.problem);
    let Some(first) = hopeless.next() else { return };
    let unaware: Vec<String> =
        planners.iter().filter(|spec| !spec.facts().proves_no_path).map(ToString::to_string).collect();
    if unaware.is_empty() {
        return;
    }
    let ((x, y), (to_x, to_y)) = (first.start, first.goal);
    let more = match hopeless.count() {
        0 => String::new(),
        1 => ", nor in 1 more problem".into(),
        n => format!(", nor in {n} more problems"),
    };
    let most = args.limits.max_ticks.unwrap_or(HOPELESS_STEPS);
    warn(
        "warning",
        format!(
            "no path leads from {x},{y} to {to_x},{to_y}{more}. A learner cannot prove that: {} will give up after {} ticks \
             (--max-ticks) at the latest; a game asks `Map::reachability` before it sends an agent",
            unaware.join(", "),
            whole(most)
        ),
    );
}
