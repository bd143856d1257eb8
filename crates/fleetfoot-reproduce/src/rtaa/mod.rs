//! What the table and the figure of Real-Time Adaptive A* share: mazes, look-aheads, the paper's numbers.

pub(super) mod fig9;
mod numbers;
pub(super) mod table1;
mod times;

use std::sync::Arc;

use fleetfoot::{Neighborhood, Rules};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::problems::random_problems;
use fleetfoot_sim::world::{Terrain, WorldSpec};

use self::numbers::OTHERS;
use super::limits::spec;
use super::paper_job;
use fleetfoot_lab::places::{Made, MapSource, Place, Scene};
use fleetfoot_lab::run::{About, Job, Problem};

/// Where it was published.
const PAPER: &str = "Koenig, Likhachev: Real-Time Adaptive A*, 2006";

/// Returns the label of a learner's runs.
fn label(planner: &str, lookahead: Option<u32>) -> String {
    format!("{planner} a={}", lookahead.map_or("∞".to_owned(), |a| a.to_string()))
}

/// Returns the label of timed runs.
fn timed(label: &str) -> String {
    format!("{label}, timed")
}

/// Returns the problem of a maze: two random free cells, four moves, the agent sees adjacent cells.
fn maze(seed: u64) -> Result<(Arc<Place>, Problem), InputError> {
    let map = MapSource::Made(Made::Maze { size: (151, 151), corridor: 1, seed });
    let (start, goal) = random_problems(&map.load()?.map, 1, seed)?[0];
    let rules = Rules { neighborhood: Neighborhood::Four, ..Rules::default() };
    let scene = Scene::Spec(WorldSpec::Unknown { sight: None });
    let place = Place { map, rules, terrain: Terrain::default(), scene };
    Ok((Arc::new(place), Problem { index: seed, start, goal }))
}

/// Returns all runs in one maze: learners with these look-aheads, and, if `others`, planners without look-ahead.
fn runs(
    seed: u64,
    lookaheads: &[Option<u32>],
    others: bool,
    timed_too: bool,
) -> Result<Vec<Job>, InputError> {
    let (place, problem) = maze(seed)?;
    let mut jobs = Vec::new();
    for (name, key) in [("RTAA*", "rtaa"), ("LSS-LRTA*", "lss-lrta")] {
        for &lookahead in lookaheads {
            let limit = lookahead.map(|a| format!("lookahead={a},")).unwrap_or_default();
            let spec = spec(&format!("{key}({limit}ties={seed})"))?;
            jobs.push(paper_job(&place, problem, spec, Budget::Unlimited).labelled(label(name, lookahead)));
        }
    }
    if others {
        for (name, text, _) in OTHERS {
            jobs.push(paper_job(&place, problem, spec(text)?, Budget::Unlimited).labelled(name));
        }
    }
    for job in &mut jobs {
        job.seed = seed;
    }
    if timed_too {
        let again = |job: &Job| Job { timed: true, label: timed(&job.label), ..job.clone() };
        jobs.extend(jobs.iter().map(again).collect::<Vec<_>>());
    }
    Ok(jobs)
}

/// Describes a study on these mazes for reports.
fn about(mazes: u64, timed: u64) -> About {
    let map_notes = vec![format!(
        "maps: {mazes} perfect mazes of 151×151 cells (75×75 places, corridors and walls of one cell), by depth-first \
         search, generated; start and goal any two free cells; seeds 0 to {}",
        mazes - 1
    )];
    let notes = vec![
        "world: unknown, the agent sees its four neighbors; four moves, Manhattan distance".into(),
        "ties: larger g, then at random from the maze's seed (learners), or by order of insertion (A*); D* Lite by its keys".into(),
        "look-ahead: constant, all moves to where it ended; A* plans again when its path is blocked; an episode of D* Lite is a repair that changes its way".into(),
        "counted: expansions of searches; learning, key refreshes and repairs are not".into(),
        format!("times: {timed} of the mazes again, one run at a time"),
    ];
    About { map_notes, notes, ..About::default() }
}
