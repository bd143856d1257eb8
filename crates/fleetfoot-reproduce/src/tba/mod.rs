//! The experiments with TBA*: three maps, problems of optimal cost 230 to 320, known worlds.

pub(super) mod enhancements;
pub(super) mod fig3;
pub(super) mod fig4;
pub(super) mod table1;

use std::sync::Arc;

use fleetfoot::Rules;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

use super::games::{Needs, Wanted, cave, choose};
use super::{Setup, limits, paper_job};
use fleetfoot_lab::places::{Place, Scene};
use fleetfoot_lab::problems::{LengthRange, random_within};
use fleetfoot_lab::run::{About, Job, Problem};

/// Where it was published.
const PAPER: &str = "Björnsson, Bulitko, Sturtevant: TBA*: Time-Bounded A*, 2009";

/// Warcraft maps scaled to 512×512, the first three by name; the paper does not name its own.
const MAPS: [Wanted; 3] = [
    Wanted { set: "wc3maps512", file: "blastedlands.map", instead: cave(512, 1) },
    Wanted { set: "wc3maps512", file: "bootybay.map", instead: cave(512, 2) },
    Wanted { set: "wc3maps512", file: "darkforest.map", instead: cave(512, 3) },
];

/// The paper's resource limits.
const LIMITS: [u64; 8] = [10, 25, 50, 75, 100, 200, 500, 1000];

/// A planner with a budget and a label.
struct Entry {
    label: String,
    spec: String,
    budget: Budget,
}

impl Entry {
    fn new(label: impl Into<String>, spec: impl Into<String>, budget: Budget) -> Self {
        Self { label: label.into(), spec: spec.into(), budget }
    }
}

/// Returns the runs of all entries on `problems` problems of each map, and notes for the report.
fn runs(setup: &Setup, problems: u64, entries: &[Entry]) -> Result<(Vec<Job>, About), InputError> {
    let window = LengthRange::new(230.0, 320.0);
    let used = "three maps in the style of a strategy game, scaled to 512×512";
    let (maps, map_notes) = choose(setup, used, &MAPS, Needs::Any(Some(window)))?;
    let mut jobs = Vec::new();
    for map in maps {
        let made = map.load()?;
        let pairs = random_within(&made.map, Rules::default(), Some(window), problems as usize, 1)?;
        let place = Arc::new(Place::new(map, Scene::KNOWN));
        for (index, (start, goal)) in (0..).zip(pairs) {
            let problem = Problem { index, start, goal };
            for Entry { label, spec, budget } in entries {
                jobs.push(paper_job(&place, problem, limits::spec(spec)?, *budget).labelled(label));
            }
        }
    }
    let mut notes = vec![format!(
        "problems: {problems} per map, random (seed 1), optimal cost 230 to 320; the paper: 100 per map"
    )];
    notes.push("world: known; eight moves, 1 and √2, no corner cutting, octile distance".into());
    notes.push("ties: last in, first out among equal f; counted: expansions (TBA*: its tracing within r = 0.9, c = 10)".into());
    Ok((jobs, About { map_notes, notes, ..About::default() }))
}
