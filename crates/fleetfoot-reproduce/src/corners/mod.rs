//! Corner search compared with the papers' planners: known, unknown and changing worlds, budgets of 1 to 1000, two
//! price lists.
//!
//! This is not a table of a paper: the claims are those about Corner TBA*. Every rule is next to its function, and a
//! separate table shows where another planner is faster.

mod claims;
pub(super) mod maps;
mod tables;

use std::sync::Arc;

use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::WorldSpec;

use super::limits::spec;
use super::rtd::fig4;
use super::{Evidence, Setup, Study, paper_job};
use fleetfoot_lab::places::{Place, Scene};
use fleetfoot_lab::report::Report;
use fleetfoot_lab::run::{About, Job, Plan, PriceList, Row};

pub(super) const STUDY: Study = Study {
    id: "corners",
    title: "Corner TBA* against the papers' planners, in every world",
    paper: "our own",
    claims: &["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11"],
    plan,
    judge,
};

/// A planner: its name and its spec.
type Entry = (&'static str, &'static str);

const CORNERS: Entry = ("Corner TBA*", "corner-tba");
const TBA: &str = "TBA*";

/// A kind of world, with its planners and budgets.
struct World {
    name: &'static str,
    /// Expansions per tick at the papers' prices.
    limits: &'static [u64],
    /// Expansions per tick with all work charged.
    all_work: &'static [u64],
    /// The papers' planners for such worlds.
    rivals: &'static [Entry],
}

const KNOWN: World = World {
    name: "known",
    limits: &[1, 5, 10, 50, 100, 1000],
    all_work: &[1, 10, 100, 1000],
    rivals: &[
        (TBA, "tba"),
        ("TBA* (switch, hold)", "tba(switch-rule=on,hold-at-frontier=on)"),
        ("TBAA*", "tbaa"),
        ("daRTAA*", "da-rtaa"),
        ("daLSS-LRTA*", "da-lss-lrta"),
        ("RTD* (purse)", "rtd(share-leftover=on)"),
        ("RTD* (AD*)", "rtd(global=ad-star)"),
        ("D* Lite", "dstar-lite"),
        ("AD*", "ad-star"),
    ],
};

const DISCOVERERS: &[Entry] = &[
    ("TBAA*", "tbaa"),
    ("daRTAA*", "da-rtaa"),
    ("daRTAA* (1 move)", "da-rtaa(moves=1)"),
    ("daLSS-LRTA*", "da-lss-lrta"),
    ("RTD* (purse)", "rtd(share-leftover=on)"),
    ("RTD* (AD*)", "rtd(global=ad-star)"),
    ("D* Lite", "dstar-lite"),
    ("AD*", "ad-star"),
];

const NEAR: World =
    World { name: "unknown", limits: &[1, 10, 50, 200, 1000], all_work: &[10, 200], rivals: DISCOVERERS };

const FAR: World = World {
    name: "unknown, radius 7",
    limits: &[1, 8, 64, 512, 1000],
    all_work: &[8, 64, 512],
    rivals: DISCOVERERS,
};

const DOORS: World = World {
    name: "changing",
    limits: &[1, 8, 16, 32, 64, 128, 512, 1000],
    all_work: &[8, 64, 512],
    rivals: &[
        ("LSS-LRTA*", "lss-lrta"),
        ("TBAA*", "tbaa"),
        ("daRTAA*", "da-rtaa"),
        ("daLSS-LRTA*", "da-lss-lrta"),
        ("RTD* (purse)", "rtd(share-leftover=on)"),
        ("RTD* (AD*)", "rtd(global=ad-star)"),
        ("D* Lite", "dstar-lite"),
        ("AD*", "ad-star"),
    ],
};

const WORLDS: [World; 4] = [KNOWN, NEAR, FAR, DOORS];
/// The name of the rooms with doors among the sets of maps.
const ROOMS: &str = "rooms with doors";

/// Step limit. Agents that exceed it are counted with the limit, which favors them.
const MOST_TICKS: u64 = 50_000;
/// Step limit on maps that agents have to discover, in small studies.
const FEWER_TICKS: u64 = 10_000;

impl World {
    /// Returns the label of rows. Folders of maps have no `/` in their names.
    fn label(&self, set: &str, prices: PriceList, planner: &str, limit: u64) -> String {
        format!("{}/{set}/{}/{planner} at {limit}", self.name, prices.name())
    }

    /// Returns the label of runs without a limit.
    fn unlimited(&self, set: &str) -> String {
        format!("{}/{set}/papers/{} at inf", self.name, CORNERS.0)
    }

    /// Returns all price lists with their limits.
    fn terms(&self) -> impl Iterator<Item = (PriceList, u64)> {
        let papers = self.limits.iter().map(|limit| (PriceList::Papers, *limit));
        papers.chain(self.all_work.iter().map(|limit| (PriceList::AllWork, *limit)))
    }

    /// Returns the runs of all planners with all budgets and prices on one problem.
    fn runs(
        &self,
        set: &str,
        job: impl Fn(&str, Budget) -> Result<Job, InputError>,
    ) -> Result<Vec<Job>, InputError> {
        let mut jobs = vec![job(CORNERS.1, Budget::Unlimited)?.labelled(self.unlimited(set))];
        for (name, text) in [CORNERS].iter().chain(self.rivals) {
            for (prices, limit) in self.terms() {
                let label = self.label(set, prices, name, limit);
                jobs.push(Job { prices, ..job(text, Budget::Expansions(limit))?.labelled(label) });
            }
        }
        Ok(jobs)
    }
}

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (sets, map_notes) = maps::sets(setup)?;
    let mut notes = vec![
        "problems: from the scenario beside a map, evenly; random ones where there is none; 230 to 320 long on Warcraft maps and caves, 100 or more elsewhere, \
         any length where a map has no such problem"
            .to_owned(),
    ];
    let mut jobs = Vec::new();
    for (world, scene) in [
        (KNOWN, Scene::KNOWN),
        (NEAR, Scene::Spec(WorldSpec::Unknown { sight: None })),
        (FAR, Scene::Spec(WorldSpec::Unknown { sight: Some(Sight::Radius(7)) })),
    ] {
        // Discovering a map takes longer, mazes above all. Claims about unknown maps are judged on Warcraft maps.
        let is_known = world.name == KNOWN.name;
        let most = if is_known { MOST_TICKS } else { setup.scale.pick(FEWER_TICKS, MOST_TICKS) };
        for set in &sets {
            let all = is_known || claims::is_warcraft(&set.name);
            let every = if all { 1 } else { setup.scale.pick(4, 1) as usize };
            for (map, problems) in &set.maps {
                let place = Arc::new(Place::new(map.clone(), scene.clone()));
                // Starts at the middle, since scenarios begin with their shortest problems.
                let first = (every / 2).min(problems.len().saturating_sub(1));
                for problem in problems.iter().skip(first).step_by(every) {
                    let job = |text: &str, budget| {
                        let job = paper_job(&place, *problem, spec(text)?, budget);
                        Ok(Job { max_steps: Some(most), ..job })
                    };
                    jobs.extend(world.runs(&set.name, job)?);
                }
            }
        }
    }
    let scripts = setup.scale.pick(20, 100);
    for seed in 0..scripts {
        let place = fig4::place(fig4::USUAL, seed);
        jobs.extend(DOORS.runs(ROOMS, |text, budget| fig4::run(&place, seed, text, budget))?);
    }
    notes.push(format!(
        "changing: rooms of 10×10 cells on 100×100 with 144 doors, each of which changes with a chance of 1 % per tick, all known to the agent; \
         {scripts} recorded scripts, upper left to lower right; at most {} ticks",
        fig4::TICKS
    ));
    notes.push("unknown: the agent assumes that unseen cells are free, and sees its 8 neighbors, or all cells within 7 cells".into());
    notes.push("moves: eight, 1 and √2, no corner cutting; one search within the budget and one move at most per tick".into());
    notes.push("prices: the papers' (expansions and key refreshes; of a corner as of a cell), and all work (scans, learning, tracing and repairs as well)".into());
    notes.push(format!(
        "a run that has not arrived after {MOST_TICKS} ticks ({} where the map is unknown) has given up and counts with these",
        setup.scale.pick(FEWER_TICKS, MOST_TICKS)
    ));
    Plan::new(About { map_notes, notes, ..About::default() }, jobs)
}

fn judge(evidence: &Evidence<'_>) -> Report {
    Report {
        findings: claims::all(evidence),
        tables: tables::all(evidence),
        figures: tables::figures(evidence),
        ..Report::default()
    }
}

/// Returns the sets of maps with runs in a world, by name.
fn sets<'a>(evidence: &Evidence<'a>, world: &World) -> Vec<&'a str> {
    let start = format!("{}/", world.name);
    let labels = evidence.labels(&start);
    let mut sets: Vec<&str> =
        labels.iter().filter_map(|label| label[start.len()..].split('/').next()).collect();
    sets.dedup();
    sets
}

fn ticks(row: &Row) -> f64 {
    row.steps as f64
}

/// Returns the length of the walk divided by that of a shortest path. A walk that did not end counts with its length
/// so far.
fn ratio(row: &Row) -> f64 {
    row.optimal.map_or(f64::NAN, |optimal| row.cost / optimal)
}

fn expansions(row: &Row) -> f64 {
    row.expansions as f64
}
