//! Records runs for replays.

use fleetfoot_sim::episode::{Runner, Task};
use fleetfoot_sim::map::GridMap;
use fleetfoot_view::{Label, MAX_TRACKS, Record, RecordError, RecordFilter, Scene};

use crate::run::{Ground, Job, LabError};

/// Records up to four runs of one problem. Of runs with trials, some trials are recorded. The map is that of the
/// world, with its letters.
///
/// # Errors
/// If there is no run, a planner cannot be built or breaks a rule, or a run is too long or too short to be recorded.
pub fn record(
    ground: &Ground,
    map: &GridMap,
    jobs: &[&Job],
    thinning: RecordFilter,
) -> Result<Record, LabError> {
    let world = ground.world();
    let Some(first) = jobs.first() else {
        return Err(LabError::Build("there is nothing to record; name a planner and a budget".into()));
    };
    let trip = &first.trip(world)?;
    let mut runner = Runner::new();
    let optimal = runner.optimal(trip);
    let mut lives = Vec::new();
    for (job, trial) in shown(ground, jobs, trip, &mut runner)? {
        let mut planner = ground.planner(job)?;
        let name = job.spec.info().name.to_owned()
            + &trial.map(|(k, of)| format!(", trial {k} of {of}")).unwrap_or_default();
        let label = Label { planner: job.spec.to_string(), name };
        let (terms, before) = (job.terms(world), trial.map_or(0, |(k, _)| k - 1));
        let life = fleetfoot_view::record_trial(
            trip,
            &terms,
            &mut *planner,
            runner.scratch(),
            label,
            thinning,
            before,
        );
        lives.push(life.map_err(|error| match error {
            RecordError::RuleViolation(foul) => LabError::RuleViolation(format!("{job}: {foul}")),
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

/// A trial, counted from 1, and the number of trials.
type Trial = (u64, u64);

/// Selects what is recorded: the first four runs. With trials, the first and the last trial of one or two agents,
/// with more between them if there is space, and the last trial of more agents.
fn shown<'j>(
    ground: &Ground,
    jobs: &[&'j Job],
    trip: &Task<'_>,
    runner: &mut Runner,
) -> Result<Vec<(&'j Job, Option<Trial>)>, LabError> {
    let jobs = &jobs[..jobs.len().min(MAX_TRACKS)];
    let mut shown = Vec::new();
    for job in jobs {
        let Some(most) = job.trials else {
            shown.push((*job, None));
            continue;
        };
        let trials = trip.trials(most)?;
        let mut planner = ground.planner(job)?;
        let series = runner.run_trials(&trials, &job.terms(ground.world()), &mut *planner);
        let all = series.map_err(|foul| LabError::RuleViolation(format!("{job}: {foul}")))?.runs.len() as u64;
        planner.release(runner.scratch());
        let mut chosen = match MAX_TRACKS / jobs.len() {
            4.. => vec![1, 2, all.div_ceil(2), all],
            2.. => vec![1, all],
            _ => vec![all],
        };
        chosen.retain(|trial| *trial <= all);
        chosen.sort_unstable();
        chosen.dedup();
        shown.extend(chosen.into_iter().map(|trial| (*job, Some((trial, all)))));
    }
    Ok(shown)
}
