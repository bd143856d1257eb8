//! Regret of `auto`: the loss of a user of `auto` compared with the best planner for the problem.
//!
//! Not a table of a paper. Every planner that runs without a database runs in known, unknown and changing worlds, with 1 to
//! 1,000 expansions a tick, with all work charged and at the papers' prices. A cell of the study is a world, a price list
//! and a budget. Its regret is the mean number of ticks of `auto`, divided by that of the best other planner.

mod cell;
mod claims;
mod heat;
mod maps;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use fleetfoot::registry::{ALGORITHMS, Resources, Spec};
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::scripts::Chance;
use fleetfoot_sim::sensor::Sight;
use fleetfoot_sim::world::WorldSpec;
use rayon::prelude::*;

use self::cell::Cell;
use self::maps::Set;
use super::limits::spec;
use super::{Evidence, Setup, Study};
use fleetfoot_lab::places::{MapSource, Place, Scene, check_knowledge};
use fleetfoot_lab::report::Report;
use fleetfoot_lab::run::{About, Job, Plan, PriceList, Problem};

pub(super) const STUDY: Study = Study {
    id: "regret",
    title: "Regret of auto: its ticks compared with those of the best planner",
    paper: "our own",
    claims: &claims::IDS,
    plan,
    judge,
};

/// The planner whose choice is judged.
const AUTO: &str = "auto";

/// Specs with parameters that the book recommends, in addition to every planner with its defaults.
const FORMS: [&str; 4] = [
    "tba(switch-rule=on,hold-at-frontier=on)",
    "da-rtaa(moves=1)",
    "rtd(share-leftover=on)",
    "rtd(global=ad-star)",
];

/// Expansions per tick.
const BUDGETS: [u64; 4] = [1, 10, 100, 1000];

/// Price lists by name: all work charged, and the papers' prices. The first known name is used.
const PRICES: [&[&str]; 2] = [&["all", "honest"], &["papers"]];

/// A kind of world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum World {
    /// The map is known and does not change.
    Known,
    /// The agent discovers the map and sees its eight neighbors.
    Near,
    /// The agent discovers the map and sees seven cells far.
    Far,
    /// Rooms whose doors open and close. The agent knows the map and is informed of every change.
    Doors,
}

impl World {
    const ALL: [Self; 4] = [Self::Known, Self::Near, Self::Far, Self::Doors];

    const fn name(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Near => "unknown",
            Self::Far => "unknown, radius 7",
            Self::Doors => "doors",
        }
    }

    const fn is_unknown(self) -> bool {
        matches!(self, Self::Near | Self::Far)
    }

    /// Returns the world of a problem with this number.
    fn scene(self, problem: u64) -> Scene {
        match self {
            Self::Known => Scene::KNOWN,
            Self::Near => Scene::Spec(WorldSpec::Unknown { sight: None }),
            Self::Far => Scene::Spec(WorldSpec::Unknown { sight: Some(Sight::Radius(7)) }),
            Self::Doors => {
                let chance = Chance::millionths(10_000);
                Scene::Doors { open: chance, close: chance, ticks: DOOR_TICKS, seed: problem }
            }
        }
    }

    /// Returns the number of ticks after which a run ends, in multiples of the cost of a shortest path. A tick with a
    /// small budget takes little time, and even the best planners need many of them.
    const fn patience(self, budget: u64) -> u64 {
        match budget {
            ..10 => 200,
            10..100 => 100,
            // Discovering a maze takes more than 50 times as long as crossing it.
            _ if self.is_unknown() => 100,
            _ => 20,
        }
    }

    /// Returns the number of ticks after which a run ends, which is also what it is charged if it does not arrive.
    fn most_ticks(self, budget: u64, optimal: f64) -> u64 {
        #[expect(clippy::cast_sign_loss, reason = "costs are positive")]
        let most = self.patience(budget) * optimal.ceil() as u64;
        if self == Self::Doors { most.min(DOOR_TICKS) } else { most }
    }
}

/// Number of ticks with moving doors. Afterwards all of them stay open, so no run may be longer.
const DOOR_TICKS: u64 = 10_000;

/// A world, a price list and a budget.
#[derive(Clone, Copy, Debug)]
struct Terms {
    world: World,
    prices: PriceList,
    budget: u64,
}

impl Terms {
    /// Returns all terms, in the order of the tables.
    fn all() -> impl Iterator<Item = Self> {
        World::ALL.into_iter().flat_map(|world| {
            price_lists().flat_map(move |prices| BUDGETS.map(|budget| Self { world, prices, budget }))
        })
    }

    /// Returns the beginning of the labels of all rows on these terms.
    fn start(self) -> String {
        format!("{}/{}/{}/", self.world.name(), self.prices.name(), self.budget)
    }

    /// Returns the label of a planner's rows on maps of a set. Sets have no `/` in their names.
    fn label(self, set: &str, planner: &Spec) -> String {
        format!("{}{set}/{planner}", self.start())
    }
}

fn price_lists() -> impl Iterator<Item = PriceList> {
    PRICES.into_iter().filter_map(|names| names.iter().find_map(|name| name.parse().ok()))
}

/// A planner that does not run in a world, and why.
type Skipped = (Spec, String);

/// Returns the planners that run in a world, and those that do not, with the reason.
fn planners(world: World) -> Result<(Vec<Spec>, Vec<Skipped>), InputError> {
    let (mut taken, mut skipped) = (Vec::new(), Vec::new());
    let texts = ALGORITHMS.iter().map(|info| info.key).chain(FORMS);
    for text in texts {
        let spec = spec(text)?;
        let reason = if !Resources::names(&spec).is_empty() {
            Some("needs data that are computed of the map beforehand".to_owned())
        } else if !spec.facts().bounded {
            Some("does not keep to a budget".to_owned())
        } else {
            let lacking = check_knowledge(&spec, world.is_unknown(), world == World::Doors);
            lacking.map(|lacking| lacking.what.replace(&format!("planner {spec} "), ""))
        };
        match reason {
            Some(reason) => skipped.push((spec, reason)),
            None => taken.push(spec),
        }
    }
    Ok((taken, skipped))
}

/// A map with problems, and the cost of a shortest path for each problem.
type Stage = (MapSource, Vec<(Problem, f64)>);

fn plan(setup: &Setup) -> Result<Plan, InputError> {
    let (sets, map_notes) = maps::sets(setup)?;
    let mut notes = vec![format!(
        "problems: from the scenario beside a map, evenly, or random ones where there is none; cost of a shortest path: {}",
        maps::WINDOW
    )];
    let rooms = maps::rooms(setup)?;
    let mut jobs = Vec::new();
    let mut skipped: Vec<(Spec, String, Vec<&str>)> = Vec::new();
    for world in World::ALL {
        let (planners, left_out) = planners(world)?;
        for (spec, reason) in left_out {
            match skipped.iter_mut().find(|(other, why, _)| (other, why) == (&spec, &reason)) {
                Some((_, _, worlds)) => worlds.push(world.name()),
                None => skipped.push((spec, reason, vec![world.name()])),
            }
        }
        let sets = if world == World::Doors { std::slice::from_ref(&rooms) } else { &sets[..] };
        for Set { name, stages } in sets {
            for stage in stages {
                runs(&mut jobs, world, name, stage, &planners);
            }
        }
    }
    notes.extend(conditions());
    let told = |(spec, reason, worlds): (Spec, String, Vec<&str>)| {
        let all = worlds.len() == World::ALL.len();
        let worlds = if all { "all worlds".to_owned() } else { worlds.join("; ") };
        format!("{spec} in {worlds}: it {reason}")
    };
    let skipped = skipped.into_iter().map(told).collect();
    Plan::new(About { map_notes, notes, skipped, ..About::default() }, jobs)
}

/// Adds the runs of all planners on the problems of a map.
fn runs(jobs: &mut Vec<Job>, world: World, set: &str, (map, problems): &Stage, planners: &[Spec]) {
    let mut shared: Option<Arc<Place>> = None;
    for &(problem, optimal) in problems {
        // Every problem with doors has its own script. All problems of a map share the other worlds.
        let scene = world.scene(problem.index);
        let place = shared.take().filter(|place| place.scene == scene);
        let place = place.unwrap_or_else(|| Arc::new(Place::new(map.clone(), scene)));
        for prices in price_lists() {
            for budget in BUDGETS {
                let terms = Terms { world, prices, budget };
                for planner in planners {
                    let job = Job::new(&place, problem, planner.clone(), Budget::Expansions(budget));
                    let max_steps = Some(world.most_ticks(budget, optimal));
                    jobs.push(Job { prices, max_steps, ..job.labelled(terms.label(set, planner)) });
                }
            }
        }
        shared = Some(place);
    }
}

/// Describes the conditions of all runs.
fn conditions() -> [String; 5] {
    let known = BUDGETS.map(|budget| World::Known.patience(budget).to_string()).join(", ");
    let unknown = BUDGETS.map(|budget| World::Near.patience(budget).to_string()).join(", ");
    let budgets = BUDGETS.map(|budget| budget.to_string()).join(", ");
    [
        format!(
            "limits: a run that does not arrive ends after a multiple of the cost of a shortest path, is charged that number of ticks, \
             and is counted as never; with {budgets} expansions a tick: {known} times, on maps that have to be discovered {unknown} times; \
             among doors at most {DOOR_TICKS} ticks"
        ),
        "unknown: the agent takes cells that it has not seen for free, and sees its eight neighbors, or what is within seven cells".into(),
        "doors: rooms of 10×10 cells with a door in every shared wall; each door changes with a chance of 1 % per tick; the agent knows the map \
         and is told of every change; every problem has its own recorded script; planners that promise nothing where costs fall run there, too"
            .into(),
        "planners: every planner with its defaults that needs no data made beforehand, and forms with parameters that the book recommends".into(),
        "means: every map counts the same (a mean of the maps' means); problems are paired, and intervals draw problems map by map".into(),
    ]
}

fn judge(evidence: &Evidence<'_>) -> Report {
    // Resampling takes nearly all the time of the report.
    let all: Vec<Terms> = Terms::all().collect();
    let cells: Vec<Cell<'_>> = all.into_par_iter().map(|terms| Cell::of(evidence, terms)).collect();
    Report {
        findings: claims::all(&cells),
        tables: tables::all(&cells),
        heats: vec![heat::of(&cells)],
        ..Report::default()
    }
}
