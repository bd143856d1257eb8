//! What `lab.json` says of a folder's rows.

use serde::{Deserialize, Serialize};

use super::build::{self, Build, program};
use super::plan::{About, Plan, fingerprint};
use super::row::Row;

/// A row, and which build made it.
pub(super) type Made = (Row, Build);

/// What `lab.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) program: String,
    pub(super) about: About,
    /// How many runs the whole experiment has.
    pub(super) runs: u64,
    plan: String,
    /// Whether every row has a checksum. Folders of earlier programs do not say, and theirs have none.
    #[serde(default)]
    pub(super) sealed: bool,
    /// Which builds made the lines of `rows.jsonl`. Folders of earlier programs do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    builds: Vec<String>,
    /// Which build writes the journal, while there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    journal: Option<String>,
}

impl Manifest {
    /// For a plan, of which these rows are in `rows.jsonl`.
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

    /// The same, with these rows in `rows.jsonl`, and no journal.
    pub(super) fn with_rows(self, rows: &[Made]) -> Self {
        Self {
            sealed: true,
            builds: build::encode(rows.iter().map(|(_, build)| build)),
            journal: None,
            ..self
        }
    }

    /// The same, while this build writes a journal.
    pub(super) fn with_journal(self, build: &Build) -> Self {
        Self { journal: build.as_deref().map(str::to_owned), ..self }
    }

    /// Whether both are about the same runs, whoever made them.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        fn of(manifest: &Manifest) -> impl PartialEq + '_ {
            let Manifest { program, about, runs, plan, .. } = manifest;
            (program, about.essence(), runs, plan)
        }
        of(self) == of(other)
    }

    /// Whether these are the rows of all runs, in order.
    pub(super) fn is_whole(&self, rows: &[Made]) -> bool {
        // A run of several trials is there once.
        let first = || rows.iter().map(|(row, _)| row).filter(|row| row.trial.is_none_or(|trial| trial == 1));
        let pairs = first().map(|row| (row.run.as_str(), row.label.as_str()));
        first().count() as u64 == self.runs && fingerprint(pairs) == self.plan
    }

    /// The builds of so many lines of `rows.jsonl`.
    pub(super) fn builds(&self, rows: usize) -> Vec<Build> {
        build::decode(&self.builds, rows)
    }

    /// The build that wrote the journal.
    pub(super) fn journal(&self) -> Build {
        self.journal.as_deref().map(Into::into)
    }
}
