//! Runs recorded, for replays.

use fleetfoot_sim::episode::Runner;
use fleetfoot_sim::map::GridMap;
use fleetfoot_view::{Label, MOST_LIVES, Record, RecordError, Scene, Thinning};

use crate::run::{Ground, Job, LabError};

/// Makes runs of one problem, the first four of them, and records them. The map is that of the ground, with its letters.
///
/// # Errors
/// If there is no run, a planner cannot be built or breaks a rule, or a life is too long or too short to be recorded.
pub fn record(ground: &Ground, map: &GridMap, jobs: &[&Job], thinning: Thinning) -> Result<Record, LabError> {
    let world = ground.world();
    let Some(first) = jobs.first() else {
        return Err(LabError::Build("there is nothing to record; name a planner and a budget".into()));
    };
    let trip = &first.trip(world)?;
    let mut runner = Runner::new();
    let optimal = runner.optimal(trip);
    let mut lives = Vec::new();
    for job in &jobs[..jobs.len().min(MOST_LIVES)] {
        let mut planner = ground.planner(job)?;
        let label = Label { planner: job.spec.to_string(), name: job.spec.info().name.into() };
        let terms = job.terms(world);
        let life = fleetfoot_view::record(trip, &terms, &mut *planner, runner.scratch(), label, thinning);
        lives.push(life.map_err(|error| match error {
            RecordError::Foul(foul) => LabError::Foul(format!("{job}: {foul}")),
            RecordError::TooLong(error) | RecordError::TooShort(error) => {
                LabError::Build(format!("{} with budget {}: {error}", job.spec, job.budget))
            }
        })?);
        planner.release(runner.scratch());
    }
    let scene = Scene {
        map_name: &first.place.map.to_string(),
        map,
        world: &first.place.scene.to_string(),
        rules: &first.place.rules_text(),
        problem: first.problem.index,
        optimal: optimal.map(|length| length.value(world.truth().rules().diagonal)),
        prices: first.prices.prices(),
    };
    Ok(Record::new(&scene, trip, &first.terms(world), lives))
}
