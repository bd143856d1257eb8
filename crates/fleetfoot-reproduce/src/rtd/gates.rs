//! Two doors that close alternately: no planner is complete in such a world.

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::super::limits::spec;
use super::super::{Evidence, paper_job};
use super::Entry;
use fleetfoot_lab::places::{Made, MapSource, Place, Scene};
use fleetfoot_lab::report::{Finding, Measured, Verdict};
use fleetfoot_lab::run::{Job, Problem};

/// Planners that handle all changes, and one that learns.
const PLANNERS: [Entry; 5] = [
    ("RTD* (D* Lite, LSS-LRTA*)", "rtd(local=lss-lrta,ratio=50%)"),
    (
        "RTD* (AD*, LSS-LRTA*)",
        "rtd(global=ad-star,local=lss-lrta,ratio=50%,epsilon=3,decrease=0.5,increase=0.1)",
    ),
    ("Non-RTD*", "non-rtd"),
    ("Repeated A*", "repeated-astar"),
    ("LSS-LRTA*", "lss-lrta"),
];
/// Rooms of 23×23 cells. The agent's room has a door to the right and one below.
const ROOM: u32 = 23;
const SIDE: u32 = 2 * (ROOM + 1) + 1;
/// A door closes if the agent is within `radius`, for `ticks` ticks. It opens before the agent reaches the other
/// door, but by then the other door is nearer.
const SCENE: Scene = Scene::Gates { radius: 3, ticks: 5 };
const LIMIT: u64 = 512;
/// Step limit: more than a hundred times the length of the path.
const PATIENCE: u64 = 20_000;

fn name(planner: &str, shuts: bool) -> String {
    format!("{planner}, doors that {}", if shuts { "shut" } else { "stay open" })
}

/// Returns runs of each planner with doors that close before the agent, and with doors that do not.
pub(super) fn runs() -> Result<Vec<Job>, InputError> {
    let mut jobs = Vec::new();
    for (shuts, scene) in [(true, SCENE), (false, Scene::KNOWN)] {
        let map = MapSource::Made(Made::Rooms {
            size: (SIDE, SIDE),
            room: ROOM,
            doors: 100,
            centred: true,
            connected: true,
            seed: 0,
        });
        let place = Arc::new(Place::new(map, scene));
        let middle = 1 + ROOM / 2;
        let problem =
            Problem { index: 0, start: (middle, middle), goal: (SIDE - 1 - middle, SIDE - 1 - middle) };
        for (planner, text) in PLANNERS {
            let budget = if planner == "Non-RTD*" { Budget::Unlimited } else { Budget::Expansions(LIMIT) };
            let job = paper_job(&place, problem, spec(text)?, budget);
            jobs.push(Job { max_steps: Some(PATIENCE), ..job.labelled(name(planner, shuts)) });
        }
    }
    Ok(jobs)
}

pub(super) fn note() -> String {
    format!(
        "for claim E12: four rooms of {ROOM}×{ROOM} cells, a door in the middle of every shared wall that shuts when the agent is within 3 cells of it, for 5 ticks at least; \
         {LIMIT} expansions per step, {PATIENCE} ticks"
    )
}

pub(super) fn finding(evidence: &Evidence<'_>) -> Finding {
    let arrived = |planner: &str, shuts: bool| {
        evidence.rows(&name(planner, shuts)).iter().filter(|row| row.arrived()).count()
    };
    let (mut measured, mut kept_out, mut arrive) = (Vec::new(), true, true);
    for (planner, _) in PLANNERS {
        let (shut, open) = (arrived(planner, true), arrived(planner, false));
        (kept_out, arrive) = (kept_out && shut == 0, arrive && open > 0);
        let rows = evidence.rows(&name(planner, true)).len();
        measured.push(Measured::count(format!("{planner}: runs that arrive, doors that shut"), shut, rows));
        let moves = evidence.mean(&name(planner, true), |row| row.moves as f64);
        measured.push(Measured::exact(format!("{planner}: moves in {PATIENCE} ticks"), moves));
        let open_moves = evidence.mean(&name(planner, false), |row| row.moves as f64);
        measured
            .push(Measured::exact(format!("{planner}: moves to the goal, doors that stay open"), open_moves));
    }
    Finding::new(
        "E12",
        "no planner is complete where the world changes: two doors that close alternately keep an agent out forever",
        "with doors that shut before the agent, one of which is always open, no planner arrives within 20,000 ticks, and with doors that stay open every one does",
        measured,
        Verdict::of(kept_out && arrive),
    )
    .explained("a planner that waits where both doors are out of reach of its rule, or reaches one that has just opened, gets through")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the agent's room has two doors at the distance that the rule needs.
    #[test]
    fn there_are_two_doors() {
        let jobs = runs().unwrap();
        let made = jobs[0].place.map.load().unwrap();
        let wall = ROOM + 1;
        assert!(made.doors.contains(&(wall, 1 + ROOM / 2)) && made.doors.contains(&(1 + ROOM / 2, wall)));
        assert_eq!(made.doors.len(), 4);
    }
}
