//! Unreachable goals: which planners detect them.

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::problem_rng;
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::world::WorldSpec;

use super::super::limits::spec;
use super::super::{Evidence, paper_job};
use super::steps;
use fleetfoot_lab::places::{Made, MapSource, Place, Scene};
use fleetfoot_lab::report::{Finding, Measured, Verdict};
use fleetfoot_lab::run::{Job, Problem, Row};
use fleetfoot_lab::stats::{bootstrap, mean};

/// Planners that detect it, and planners that cannot do so efficiently.
const PLANNERS: [(&str, &str); 4] =
    [("RTBA*", "rtba"), ("TBAA*", "tbaa"), ("RTAA*", "rtaa"), ("daRTAA*", "da-rtaa")];
const SIDE: u32 = 64;
const BUDGET: u64 = 50;
/// Step limit: far more than detection takes, ten steps per cell.
const PATIENCE: u64 = 50_000;

fn name(planner: &str) -> String {
    format!("walled in: {planner}")
}

/// Returns runs on scattered obstacles from the largest component to another one.
pub(super) fn runs(maps: u64) -> Result<Vec<Job>, InputError> {
    let mut jobs = Vec::new();
    for seed in 0..maps {
        let map = MapSource::Made(Made::Random { size: (SIDE, SIDE), blocked: 40, seed });
        let Some((start, goal)) = apart(&map.load()?.map, seed) else { continue };
        let place = Arc::new(Place::new(map, Scene::Spec(WorldSpec::Unknown { sight: None })));
        for (planner, text) in PLANNERS {
            let problem = Problem { index: seed, start, goal };
            let job = paper_job(&place, problem, spec(text)?, Budget::Expansions(BUDGET));
            jobs.push(Job { max_steps: Some(PATIENCE), ..job.labelled(name(planner)) });
        }
    }
    Ok(jobs)
}

/// Returns a start in the largest component and a goal outside it. Returns `None` if there is no other component.
fn apart(map: &GridMap, seed: u64) -> Option<((u32, u32), (u32, u32))> {
    let (parts, (largest, _)) = (map.components(), map.largest_component()?);
    let cell = |index: usize| (index as u32 % map.width(), index as u32 / map.width());
    let free = (0..parts.labels.len()).filter(|i| map.passable(cell(*i).0, cell(*i).1));
    let (inside, outside): (Vec<usize>, Vec<usize>) = free.partition(|i| parts.labels[*i] == largest);
    let mut dice = problem_rng(seed);
    let mut pick = |from: &[usize]| {
        let n = u32::try_from(from.len()).ok().filter(|n| *n > 0)?;
        Some(cell(from[dice.below(n) as usize]))
    };
    Some((pick(&inside)?, pick(&outside)?))
}

pub(super) fn finding(evidence: &Evidence<'_>) -> Finding {
    let share = |planner: &str| {
        evidence.values(&name(planner), |row: &Row| f64::from(u8::from(row.outcome == "no-path")))
    };
    let mut measured = Vec::new();
    for (planner, _) in PLANNERS {
        let values = share(planner);
        measured.push(Measured::new(
            format!("{planner}: share of {} runs that report it within {PATIENCE} steps", values.len()),
            mean(&values),
            bootstrap(&values, mean),
        ));
    }
    let of = |a: &str, b: &str| evidence.ratio(&name(a), &name(b), steps);
    let (rtaa, da) = (of("RTAA*", "TBAA*"), of("daRTAA*", "TBAA*"));
    measured.push(Measured::new("steps, RTAA* / TBAA*", rtaa.0, rtaa.1));
    measured.push(Measured::new("steps, daRTAA* / TBAA*", da.0, da.1));
    let detect = ["RTBA*", "TBAA*"].iter().all(|planner| {
        let values = share(planner);
        !values.is_empty() && values.iter().all(|value| *value > 0.0)
    });
    Finding::new(
        "B7",
        "RTBA* and TBAA* detect that a goal cannot be reached; many real-time planners cannot do so efficiently",
        "on random 64×64 maps with goals in another part of the map, unknown, 50 expansions per interval, every run of RTBA* and TBAA* reports it; \
         as it stands if RTAA* and daRTAA* take at least twice as long as TBAA* on average (who has not found out by then is counted with its patience)",
        measured,
        Verdict::graded(detect, rtaa.1.at_least(2.0).and(da.1.at_least(2.0))),
    )
    .explained("a learner reports it when a look-ahead holds all that can be reached; where that is little, it is soon found out by anyone")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_out_of_reach() {
        for job in runs(6).unwrap().iter().step_by(PLANNERS.len()) {
            let map = job.place.map.load().unwrap().map;
            let parts = map.components();
            let label = |(x, y): (u32, u32)| parts.labels[(y * map.width() + x) as usize];
            assert!(map.passable(job.problem.goal.0, job.problem.goal.1));
            assert_ne!(label(job.problem.start), label(job.problem.goal));
        }
    }
}
