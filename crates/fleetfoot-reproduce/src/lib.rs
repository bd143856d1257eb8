//! Reproduces tables and figures of papers: one file per table or figure, which describes the runs and the rules for
//! claims.
//!
//! A study's rules are in its file, next to the functions that compute the verdicts. No figure is typed by hand.

mod chapter;
mod corners;
mod curves;
mod evidence;
mod games;
mod limits;
mod regret;
mod rtaa;
mod rtd;
mod tba;
mod tbaa;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use fleetfoot::registry::Spec;
use fleetfoot_sim::budget::Budget;
use fleetfoot_sim::error::InputError;

pub use evidence::Evidence;

use fleetfoot_lab::places::Place;
use fleetfoot_lab::report::{Report, conditions};
use fleetfoot_lab::run::{About, Job, Plan, PriceList, Problem, Row};
use fleetfoot_lab::stats::{Summary, deviation};

/// The size of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// About a minute on two cores.
    #[default]
    Quick,
    /// The paper's number of problems.
    Full,
}

impl Scale {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// Returns the number for this size.
    pub const fn pick(self, quick: u64, full: u64) -> u64 {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// The options of a study.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Its size.
    pub scale: Scale,
    /// A folder of `MovingAI` maps.
    pub maps: Option<PathBuf>,
}

impl Setup {
    /// Returns the option that names the folder of maps, without its path, which differs between machines.
    fn told_maps(&self) -> String {
        let name =
            |folder: &PathBuf| folder.file_name().unwrap_or("DIR".as_ref()).to_string_lossy().into_owned();
        self.maps.as_ref().map(|folder| format!(" --maps {}", name(folder))).unwrap_or_default()
    }
}

/// A table or figure of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// The ids of the claims that it examines.
    pub claims: &'static [&'static str],
    /// Plans all runs.
    plan: fn(&Setup) -> Result<Plan, InputError>,
    /// Computes the report from their rows.
    judge: fn(&Evidence<'_>) -> Report,
}

/// All studies, in the order of `fleetfoot reproduce --list`.
pub const STUDIES: &[Study] = &[
    rtaa::table1::STUDY,
    rtaa::fig9::STUDY,
    tba::table1::STUDY,
    tba::fig3::STUDY,
    tba::fig4::STUDY,
    tba::enhancements::STUDY,
    tbaa::known::STUDY,
    tbaa::unknown::PARTIAL,
    tbaa::unknown::UNKNOWN,
    chapter::tables::STUDY,
    chapter::fig15::STUDY,
    rtd::fig3::STUDY,
    rtd::fig4::STUDY,
    corners::STUDY,
    regret::STUDY,
];

/// Returns the study with this id.
///
/// # Errors
/// If there is none; the error lists them.
pub fn find(id: &str) -> Result<&'static Study, InputError> {
    STUDIES.iter().find(|study| study.id == id).ok_or_else(|| {
        let ids: Vec<&str> = STUDIES.iter().map(|study| study.id).collect();
        InputError::new(format!("there is no study `{id}`"), format!("there are {}, and all", ids.join(", ")))
    })
}

impl Study {
    /// Plans all its runs.
    ///
    /// # Errors
    /// If a map cannot be read.
    pub fn plan(&self, setup: &Setup) -> Result<Plan, InputError> {
        let mut plan = (self.plan)(setup)?;
        plan.about.study = Some(self.id.to_owned());
        plan.about.title = format!("{} ({})", self.title, self.paper);
        setup.scale.name().clone_into(&mut plan.about.scale);
        plan.about.command =
            format!("fleetfoot reproduce {} --{}{}", self.id, setup.scale.name(), setup.told_maps());
        plan.about.maps = plan.told_maps()?;
        Ok(plan)
    }

    /// Computes the report from its rows. The study computes claims, tables and plots; this function adds the
    /// description of the runs.
    pub fn judge(&self, about: &About, rows: &[Row]) -> Report {
        let mut report = (self.judge)(&Evidence::new(about, rows));
        let size = match about.scale.as_str() {
            "full" => "with as many problems as in the paper (--full)",
            _ => "small (--quick): intervals are wide, and more claims undecided than with --full",
        };
        let mut setup = about.all_notes();
        setup.push(format!("size: {size}"));
        setup.extend(problems(rows));
        setup.append(&mut report.setup);
        let sections = fleetfoot_lab::experiment::by_map(rows);
        Report { title: about.title.clone(), conditions: conditions(about, rows), setup, sections, ..report }
    }
}

/// Creates a run as papers count: expansions and key refreshes are charged, all other work is free.
fn paper_job(place: &Arc<Place>, problem: Problem, spec: Spec, budget: Budget) -> Job {
    Job { prices: PriceList::Papers, ..Job::new(place, problem, spec, budget) }
}

/// Describes lengths and difficulties of the problems, counting each problem once.
fn problems(rows: &[Row]) -> Option<String> {
    let (mut seen, mut lengths, mut difficulties) = (HashSet::new(), Vec::new(), Vec::new());
    for row in rows {
        let ends = (row.start, row.goal);
        if seen.insert((&row.map, &row.world, row.problem, ends))
            && let (Some(length), Some(difficulty)) = (row.optimal, row.astar_difficulty)
        {
            lengths.push(length);
            difficulties.push(difficulty);
        }
    }
    let told = |values: &[f64]| {
        let Summary { mean, median, min, max, .. } = Summary::of(values);
        let [mean, median, min, max, sd] =
            [mean, median, min, max, deviation(values)].map(fleetfoot_lab::number);
        format!("mean {mean}, median {median}, standard deviation {sd}, {min} to {max}")
    };
    (!lengths.is_empty()).then(|| {
        format!(
            "{} different problems; length of a shortest path: {}; A* difficulty (expansions per edge of the path, map known): {}",
            lengths.len(),
            told(&lengths),
            told(&difficulties)
        )
    })
}

/// Computes the report of any experiment.
///
/// # Errors
/// If the study is unknown.
pub fn report(about: &About, rows: &[Row]) -> Result<Report, InputError> {
    match &about.study {
        None => Ok(fleetfoot_lab::experiment::summarise(about, rows)),
        Some(id) => Ok(find(id)?.judge(about, rows)),
    }
}
