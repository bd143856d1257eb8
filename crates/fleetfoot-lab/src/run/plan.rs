//! All runs of an experiment, and what has to be known of it besides.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fleetfoot::database::checksum;
use fleetfoot::registry;
use fleetfoot_sim::error::InputError;
use serde::{Deserialize, Serialize};

use super::job::Job;
use crate::places::{Files, told_maps};

/// What an experiment is, without its runs: what reports need besides rows. Kept in `lab.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct About {
    /// The id of the study that it is, or nothing for an experiment of one's own.
    pub study: Option<String>,
    /// What it is called.
    pub title: String,
    /// How large it is: `quick`, `full`, or nothing.
    pub scale: String,
    /// What was chosen, and what readers should know: maps, problems, rules, ties, seeds, what is missing.
    pub notes: Vec<String>,
    /// The file that describes it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The command that makes it again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Its maps: name, size, checksum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<String>,
    /// How its problems were chosen, map by map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Pairs of planner and world that do not fit and were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Which builds made its rows, and on which machines: known when there are rows.
    #[serde(skip)]
    pub made: Vec<String>,
}

impl About {
    /// What tells experiments apart: not how their files were written, nor by whom.
    pub(super) fn essence(&self) -> (&Option<String>, &str, &str, &[String]) {
        (&self.study, &self.title, &self.scale, &self.notes)
    }
}

/// A file that describes an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its name, without its folder.
    pub name: String,
    /// What it says, absolute paths cut down to the names of their files.
    pub text: String,
}

/// All runs of an experiment, in the order of its rows.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is.
    pub about: About,
    jobs: Vec<Job>,
    keys: Vec<String>,
}

impl Plan {
    /// An experiment. Runs of the same problem should follow each other: they share their world.
    ///
    /// # Errors
    /// If there is no run, one is there twice, or a database cannot be read.
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

    /// The runs.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// How many problems they are about; a [`Shard`](super::Shard) is made of whole problems.
    pub fn problems(&self) -> usize {
        self.trips().last().map_or(0, |last| last + 1)
    }

    /// The files that they depend on, each once: maps, scripts and databases. Not those that the problems came from.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        for job in &self.jobs {
            files.extend(job.place.map.path().map(Path::to_owned));
            files.extend(job.place.scene.script().map(Path::to_owned));
            files.extend(job.database.as_ref().map(|file| file.path().to_owned()));
        }
        files
    }

    /// The maps, each once, as reports tell of them.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn told_maps(&self) -> Result<Vec<String>, InputError> {
        let mut seen = HashSet::new();
        let places = self.jobs.iter().map(|job| &job.place);
        let first = places.filter(|place| seen.insert(Arc::as_ptr(place)));
        told_maps(first.map(|place| &place.map))
    }

    /// What identifies them.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// A fingerprint of all runs and their labels.
    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(self.keys.iter().zip(&self.jobs).map(|(key, job)| (key.as_str(), job.label.as_str())))
    }

    /// By run: the number of its problem, counted over the whole experiment. Runs of one problem have one number.
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

/// A fingerprint of runs, given by keys and labels in order.
pub(super) fn fingerprint<'a>(runs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let text = runs.flat_map(|(key, label)| [key, "\0", label, "\n"]).collect::<String>();
    format!("{:016x}", checksum(text.as_bytes()))
}
