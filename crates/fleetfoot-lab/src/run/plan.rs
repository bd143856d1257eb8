//! All runs of an experiment, and its description.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot::database::checksum;
use fleetfoot::registry;
use fleetfoot_sim::error::InputError;
use serde::{Deserialize, Serialize};

use super::job::Job;
use crate::places::{Files, told_maps};

/// Describes an experiment without its runs, for reports. Stored in `lab.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
pub struct About {
    /// Id of the study, or `None` for a user-defined experiment.
    pub study: Option<String>,
    /// Its title.
    pub title: String,
    /// Its size: `quick`, `full`, or empty.
    pub scale: String,
    /// Choices and facts for readers: problems, rules, ties, seeds.
    pub notes: Vec<String>,
    /// Which maps were taken, and which were missing or did not fit. Reports show these notes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub map_notes: Vec<String>,
    /// Mean number of free cells per map, in studies that divide by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_free_cells: Option<f64>,
    /// The experiment file, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The command that repeats it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Its maps: name, size, checksum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<String>,
    /// How its problems were chosen, by map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Incompatible pairs of planner and world that were skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Builds of its rows, with their machines. Known once there are rows.
    #[serde(skip)]
    pub made: Vec<String>,
}

impl About {
    /// Returns the part that distinguishes experiments, independent of files and builds.
    pub(super) fn essence(&self) -> (&Option<String>, &str, &str, [&[String]; 2]) {
        (&self.study, &self.title, &self.scale, [&self.map_notes, &self.notes])
    }

    /// Returns all notes in the order of reports: those about maps first.
    pub fn all_notes(&self) -> Vec<String> {
        [&self.map_notes[..], &self.notes].concat()
    }
}

/// A file that describes an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Name without its folder.
    pub name: String,
    /// Text, with absolute paths reduced to file names.
    pub text: String,
}

/// All runs of an experiment, in the order of its rows.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its description.
    pub about: About,
    jobs: Vec<Job>,
    keys: Vec<String>,
}

impl Plan {
    /// Creates an experiment. Runs of the same problem should be consecutive: they share their world.
    ///
    /// # Errors
    /// If there is no run, a run occurs twice, or a database cannot be read.
    pub fn new(about: About, mut jobs: Vec<Job>) -> Result<Self, InputError> {
        if jobs.is_empty() {
            return Err(InputError::new("there is nothing to run", "name a map, a problem and a planner"));
        }
        let files = Files::at(Path::new(""));
        for job in jobs.iter_mut().filter(|job| job.database.is_none()) {
            job.database = registry::database(&job.spec).map(|name| files.get(name)).transpose()?;
        }
        let keys: Vec<String> = jobs.iter().map(Job::key).collect();
        let mut seen = HashMap::with_capacity(keys.len());
        for (key, job) in keys.iter().zip(&jobs) {
            if let Some(other) = seen.insert(key.as_str(), &job.label) {
                let what = format!("the run `{key}` is there twice (as {other} and as {})", job.label);
                return Err(InputError::new(what, "name every map, problem, planner and budget once"));
            }
        }
        Ok(Self { about, jobs, keys })
    }

    /// Returns the runs.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Returns the number of problems. A [`Shard`](super::Shard) consists of whole problems.
    pub fn problems(&self) -> usize {
        self.trips().last().map_or(0, |last| last + 1)
    }

    /// Returns the files that the runs depend on, without duplicates: maps, scripts and databases, but not scenarios.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        for job in &self.jobs {
            files.extend(job.place.map.path().map(Path::to_owned));
            files.extend(job.place.scene.script().map(Path::to_owned));
            files.extend(job.database.as_ref().map(|file| file.path().to_owned()));
        }
        files
    }

    /// Describes the maps for reports, without duplicates.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn told_maps(&self) -> Result<Vec<String>, InputError> {
        let mut seen = HashSet::new();
        let places = self.jobs.iter().map(|job| &job.place);
        let first = places.filter(|place| seen.insert(Arc::as_ptr(place)));
        told_maps(first.map(|place| &place.map))
    }

    /// Returns the keys of the runs.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Returns a checksum of all runs and their labels.
    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(self.keys.iter().zip(&self.jobs).map(|(key, job)| (key.as_str(), job.label.as_str())))
    }

    /// Returns the index of each run's problem, counted over the whole experiment. Runs of one problem have the same
    /// index.
    pub(crate) fn trips(&self) -> Vec<usize> {
        let mut trip = 0;
        let number = |k: usize| {
            if k > 0 && !self.jobs[k].shares_trip(&self.jobs[k - 1]) {
                trip += 1;
            }
            trip
        };
        (0..self.jobs.len()).map(number).collect()
    }
}

/// Returns a checksum of runs, given by keys and labels in order.
pub(super) fn fingerprint<'a>(runs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let text = runs.flat_map(|(key, label)| [key, "\0", label, "\n"]).collect::<String>();
    format!("{:016x}", checksum(text.as_bytes()))
}
