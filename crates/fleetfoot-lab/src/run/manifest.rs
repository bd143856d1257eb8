//! The contents of `lab.json`.

use serde::{Deserialize, Serialize};

use super::build::{self, Build, program};
use super::plan::{About, Plan, fingerprint};
use super::row::Row;

/// A row, and the build that made it.
pub(super) type Made = (Row, Build);

/// What `lab.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) program: String,
    pub(super) about: About,
    /// Number of runs of the whole experiment.
    pub(super) runs: u64,
    plan: String,
    /// Every row has a checksum. Absent in folders of earlier programs, whose rows have none.
    #[serde(default)]
    pub(super) sealed: bool,
    /// Builds of the lines of `rows.jsonl`. Absent in folders of earlier programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    builds: Vec<String>,
    /// Build that writes the journal, while there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    journal: Option<String>,
}

impl Manifest {
    /// Creates the manifest of a plan with these rows in `rows.jsonl`.
    pub(super) fn of(plan: &Plan, rows: &[Made]) -> Self {
        let (about, runs) = (plan.about.clone(), plan.jobs().len() as u64);
        let manifest = Self {
            program: program(),
            about,
            runs,
            plan: plan.fingerprint(),
            sealed: true,
            builds: Vec::new(),
            journal: None,
        };
        manifest.with_rows(rows)
    }

    /// Sets the rows in `rows.jsonl`, without a journal.
    pub(super) fn with_rows(self, rows: &[Made]) -> Self {
        Self {
            sealed: true,
            builds: build::encode(rows.iter().map(|(_, build)| build)),
            journal: None,
            ..self
        }
    }

    /// Sets the build that writes the journal.
    pub(super) fn with_journal(self, build: &Build) -> Self {
        Self { journal: build.as_deref().map(str::to_owned), ..self }
    }

    /// Returns `true` if both describe the same runs, whatever their builds.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        fn of(manifest: &Manifest) -> impl PartialEq + '_ {
            let Manifest { program, about, runs, plan, .. } = manifest;
            (program, about.essence(), runs, plan)
        }
        of(self) == of(other)
    }

    /// Returns `true` if these are the rows of all runs, in order.
    pub(super) fn is_whole(&self, rows: &[Made]) -> bool {
        // A run of several trials counts once.
        let first = || rows.iter().map(|(row, _)| row).filter(|row| row.trial.is_none_or(|trial| trial == 1));
        let pairs = first().map(|row| (row.run.as_str(), row.label.as_str()));
        first().count() as u64 == self.runs && fingerprint(pairs) == self.plan
    }

    /// Returns the builds of `rows` lines of `rows.jsonl`.
    pub(super) fn builds(&self, rows: usize) -> Vec<Build> {
        build::decode(&self.builds, rows)
    }

    /// Returns the build that wrote the journal.
    pub(super) fn journal(&self) -> Build {
        self.journal.as_deref().map(Into::into)
    }
}
