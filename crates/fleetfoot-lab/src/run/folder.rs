//! The folder of an experiment: `lab.json`, `rows.jsonl`, and a journal while it runs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use serde::{Deserialize, Serialize};

use super::journal::{self, Journal};
use super::plan::{About, Plan};
use super::row::Row;

/// What `lab.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    program: String,
    pub(super) about: About,
    /// How many runs the whole experiment has.
    pub(super) runs: u64,
    plan: String,
}

impl Manifest {
    pub(super) fn of(plan: &Plan) -> Self {
        let (about, runs) = (plan.about.clone(), plan.jobs().len() as u64);
        Self { program: program(), about, runs, plan: plan.fingerprint() }
    }
}

/// Rows of another version are not mixed with ours.
fn program() -> String {
    format!("fleetfoot {}", env!("CARGO_PKG_VERSION"))
}

/// The folder of an experiment.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    fn manifest(&self) -> PathBuf {
        self.0.join("lab.json")
    }

    fn journal(&self) -> PathBuf {
        self.0.join("journal.jsonl")
    }

    fn rows(&self) -> PathBuf {
        self.0.join("rows.jsonl")
    }

    /// Whether it holds an experiment.
    pub(super) fn is_one(&self) -> bool {
        self.manifest().is_file()
    }

    /// Makes the folder ready for a plan: with the rows that were made before, unless they are to be forgotten.
    pub(super) fn open(&self, plan: &Plan, fresh: bool) -> Result<(Journal, Vec<Row>), InputError> {
        fs::create_dir_all(&self.0).map_err(|cause| InputError::io(&self.0, "create", &cause))?;
        if fresh {
            for path in [self.journal(), self.rows(), self.manifest()] {
                match fs::remove_file(&path) {
                    Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                        return Err(InputError::io(&path, "remove", &cause));
                    }
                    _ => {}
                }
            }
        }
        if self.is_one() {
            self.read_manifest()?;
        }
        let (earlier, _) = journal::read(&self.rows())?;
        let (journal, latest) = Journal::open(&self.journal())?;
        let kept = adopt(plan, earlier.into_iter().chain(latest));
        self.write_manifest(&Manifest::of(plan))?;
        Ok((journal, kept))
    }

    pub(super) fn write_manifest(&self, manifest: &Manifest) -> Result<(), InputError> {
        write_atomically(self.manifest(), |out| {
            let text = serde_json::to_string_pretty(manifest).expect("plain data");
            writeln!(out, "{text}")
        })
    }

    /// Writes all rows in order, and drops the journal, which has nothing more to say.
    pub(super) fn finish(&self, rows: &[Row]) -> Result<(), InputError> {
        write_rows(&self.rows(), rows)?;
        let path = self.journal();
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                Err(InputError::io(&path, "remove", &cause))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn read_manifest(&self) -> Result<Manifest, InputError> {
        let path = self.manifest();
        let bytes = fs::read(&path).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::NotFound => {
                let remedy = "name the folders that `bench --out` or `reproduce --out` wrote";
                InputError::new("there is no experiment in this folder", remedy).with_file(&self.0)
            }
            _ => InputError::io(&path, "read", &cause),
        })?;
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(|cause| {
            let remedy = "choose another folder with --out, or remove this one";
            InputError::new(format!("this does not describe an experiment: {cause}"), remedy).with_file(&path)
        })?;
        if manifest.program != program() {
            let what = format!("the rows are from {}, this is {}", manifest.program, program());
            let remedy = "choose another folder with --out, or start afresh with --fresh";
            return Err(InputError::new(what, remedy).with_file(&path));
        }
        Ok(manifest)
    }

    /// All whole rows, in no order.
    pub(super) fn read_rows(&self) -> Result<Vec<Row>, InputError> {
        let (mut rows, _) = journal::read(&self.rows())?;
        rows.extend(journal::read(&self.journal())?.0);
        Ok(rows)
    }
}

/// Of earlier rows those of this plan's runs, once each, with their numbers and labels in this plan.
fn adopt(plan: &Plan, rows: impl Iterator<Item = Row>) -> Vec<Row> {
    let mut wanted: HashMap<&str, usize> =
        plan.keys().iter().enumerate().map(|(index, key)| (key.as_str(), index)).collect();
    let mine = |mut row: Row| {
        let index = wanted.remove(row.run.as_str())?;
        let job = &plan.jobs()[index];
        row.index = index as u64;
        row.label.clone_from(&job.label);
        Some(row)
    };
    rows.filter_map(mine).collect()
}

/// Writes rows as JSON lines, whole or not at all.
pub(super) fn write_rows(path: &Path, rows: &[Row]) -> Result<(), InputError> {
    write_atomically(path, |out| {
        for row in rows {
            serde_json::to_writer(&mut *out, row)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })
}
