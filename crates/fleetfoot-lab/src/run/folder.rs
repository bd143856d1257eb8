//! The folder of an experiment: `lab.json`, `rows.jsonl`, a journal while it runs, and rows of other plans.
//!
//! The files are consistent at any time, wherever the process is interrupted: `lab.json` is never next to rows of
//! another plan, and a row is removed from one file only after it is in another.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;

use super::Watch;
use super::build::{is_ours, ours, program};
use super::hold::Hold;
use super::journal::{self, Journal};
use super::manifest::{Made, Manifest};
use super::others::{Others, remove, remove_report};
use super::plan::Plan;

/// The folder of an experiment.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

/// A folder that is ready for a plan.
pub(super) struct Opened {
    pub(super) hold: Hold,
    pub(super) journal: Journal,
    /// Existing rows that the plan needs.
    pub(super) kept: Vec<Made>,
}

/// The rows in a folder, by their destination.
#[derive(Default)]
struct Sorted {
    kept: Vec<Made>,
    aside: Vec<Made>,
    /// Some of the kept rows were in `others.jsonl`.
    is_fetched: bool,
}

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

    fn others(&self) -> Others {
        Others(self.0.join("others.jsonl"))
    }

    /// Returns `true` if it contains an experiment.
    pub(super) fn is_one(&self) -> bool {
        self.manifest().is_file()
    }

    /// Creates the folder if necessary, and locks it.
    pub(super) fn take(&self, watch: &dyn Watch) -> Result<Hold, InputError> {
        if self.0.exists() && !self.0.is_dir() {
            let what = "the results need a folder, and this is a file";
            return Err(InputError::new(what, "choose a folder with --output").with_file(&self.0));
        }
        fs::create_dir_all(&self.0).map_err(|cause| InputError::io(&self.0, "create", &cause))?;
        let hold = Hold::take(&self.0)?;
        if !hold.is_locked() {
            watch.note("this disk does not support locks: make sure that no other process uses the folder");
        }
        Ok(hold)
    }

    /// Prepares the folder for the wanted runs of a plan, with the existing rows unless `fresh` is set.
    pub(super) fn open(
        &self,
        plan: &Plan,
        wanted: &dyn Fn(usize) -> bool,
        fresh: bool,
        watch: &dyn Watch,
    ) -> Result<Opened, InputError> {
        let hold = self.take(watch)?;
        if fresh {
            self.forget()?;
        }
        let old = if self.is_one() { Some(self.read_manifest()?) } else { None };
        let Sorted { mut kept, aside, is_fetched } = self.sort(old.as_ref(), plan, wanted, watch)?;
        kept.sort_by_key(|(row, _)| (row.index, row.trial));
        let new = Manifest::of(plan, &kept).with_journal(&ours());
        let is_same = old.as_ref().is_some_and(|old| old.is_of(&new)) && aside.is_empty() && !is_fetched;
        let (goes_on, build) = (self.journal().exists(), old.as_ref().and_then(Manifest::journal));
        if !is_same {
            self.set_aside(&aside, watch)?;
        }
        // A journal has rows of one build only.
        let is_old = old.as_ref().is_some_and(|old| !old.sealed);
        if !is_same || is_old || (goes_on && build != ours()) {
            self.put(&new, &kept)?;
        } else if !goes_on {
            self.write_manifest(&new)?;
        }
        let foreign = kept.iter().filter(|(_, build)| !is_ours(build)).count();
        if foreign > 0 {
            let rows = if foreign == 1 { "row was" } else { "rows were" };
            let what = format!("{foreign} {rows} made by another build of {}", program());
            watch.note(&format!("{what}; --fresh makes them anew"));
        }
        Ok(Opened { hold, journal: Journal::open(&self.journal())?, kept })
    }

    /// Removes everything that earlier calls have left.
    fn forget(&self) -> Result<(), InputError> {
        remove_report(&self.0)?;
        [self.manifest(), self.journal(), self.rows(), self.others().0]
            .iter()
            .try_for_each(|path| remove(path))
    }

    /// Reads all complete rows with their builds, except `others.jsonl`. Unordered; may contain duplicates. Notes
    /// rows without checksums.
    fn stored(&self, manifest: Option<&Manifest>, watch: &dyn Watch) -> Result<Vec<Made>, InputError> {
        let sealed = manifest.is_some_and(|manifest| manifest.sealed);
        let (rows, latest) = (journal::read(&self.rows(), sealed)?, journal::read(&self.journal(), sealed)?);
        let unsealed = rows.unsealed + latest.unsealed;
        if unsealed > 0 {
            let n = if unsealed == 1 { "1 row is".to_owned() } else { format!("{unsealed} rows are") };
            watch.note(&format!(
                "{n} of an older form, without checksums: edits cannot be detected; --fresh makes them again"
            ));
        }
        let (rows, latest) = (rows.rows, latest.rows);
        let builds = manifest.map_or_else(|| vec![None; rows.len()], |manifest| manifest.builds(rows.len()));
        let build = manifest.and_then(Manifest::journal);
        let latest = latest.into_iter().map(|row| (row, build.clone()));
        Ok(rows.into_iter().zip(builds).chain(latest).collect())
    }

    /// Finds the rows of the wanted runs of a plan without duplicates, with their indices and labels in this plan.
    fn sort(
        &self,
        manifest: Option<&Manifest>,
        plan: &Plan,
        wanted: &dyn Fn(usize) -> bool,
        watch: &dyn Watch,
    ) -> Result<Sorted, InputError> {
        let keys = plan.keys().iter().enumerate().filter(|(index, _)| wanted(*index));
        let runs: HashMap<&str, usize> = keys.map(|(index, key)| (key.as_str(), index)).collect();
        let mut sorted = Sorted::default();
        let mut found: HashMap<usize, Vec<Made>> = HashMap::new();
        let mut put = |made: Made| match runs.get(made.0.run.as_str()) {
            Some(index) => {
                found.entry(*index).or_default().push(made);
                None
            }
            None => Some(made),
        };
        for made in self.stored(manifest, watch)? {
            sorted.aside.extend(put(made));
        }
        let whole = |rows: &mut Vec<Made>, index: usize| {
            // There may be duplicates.
            rows.sort_by_key(|(row, _)| row.trial);
            rows.dedup_by_key(|(row, _)| row.trial);
            plan.jobs()[index].is_whole(&rows.iter().map(|(row, _)| row).collect::<Vec<_>>())
        };
        // A run that was interrupted between two trials is repeated.
        found.retain(|index, rows| whole(rows, *index));
        if found.len() < runs.len() {
            let mut fetched: HashMap<usize, Vec<Made>> = HashMap::new();
            for made in self.others().read()? {
                let index = runs.get(made.0.run.as_str()).filter(|index| !found.contains_key(index));
                if let Some(index) = index {
                    fetched.entry(*index).or_default().push(made);
                }
            }
            fetched.retain(|index, rows| whole(rows, *index));
            sorted.is_fetched = !fetched.is_empty();
            found.extend(fetched);
        }
        for (index, rows) in found {
            for (mut row, build) in rows {
                row.index = index as u64;
                row.label.clone_from(&plan.jobs()[index].label);
                sorted.kept.push((row, build));
            }
        }
        Ok(sorted)
    }

    /// Keeps unneeded rows in `others.jsonl`, and removes the report about them.
    fn set_aside(&self, aside: &[Made], watch: &dyn Watch) -> Result<(), InputError> {
        self.others().add(aside)?;
        if !aside.is_empty() {
            let (n, rows) = (aside.len(), if aside.len() == 1 { "row is" } else { "rows are" });
            watch.note(&format!("{n} {rows} not wanted now; others.jsonl keeps them until they are"));
        }
        if remove_report(&self.0)? {
            watch.note(
                "the report of the rows that were here before is removed; whole experiments get a new one",
            );
        }
        Ok(())
    }

    /// Replaces the rows in the folder by these, which are in order.
    fn put(&self, manifest: &Manifest, rows: &[Made]) -> Result<(), InputError> {
        if self.is_one() && !self.read_manifest()?.is_of(manifest) {
            remove(&self.manifest())?;
        }
        if !rows.is_empty() || self.rows().exists() {
            write_rows(&self.rows(), rows)?;
        }
        // All rows of the journal are in the file now.
        remove(&self.journal())?;
        self.write_manifest(manifest)
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), InputError> {
        write_atomically(self.manifest(), |out| {
            let text = serde_json::to_string_pretty(manifest).expect("plain data");
            writeln!(out, "{text}")
        })
    }

    /// Writes all rows in order, and removes the journal.
    pub(super) fn finish(&self, manifest: Manifest, rows: &[Made]) -> Result<(), InputError> {
        self.put(&manifest.with_rows(rows), rows)?;
        self.others().drop(&rows.iter().map(|(row, _)| row.run.as_str()).collect())
    }

    /// Writes rows that come from elsewhere. Other rows in the folder are kept in `others.jsonl`.
    pub(super) fn replace(
        &self,
        manifest: Manifest,
        rows: &[Made],
        watch: &dyn Watch,
    ) -> Result<(), InputError> {
        let old = if self.is_one() { Some(self.read_manifest()?) } else { None };
        let runs: HashSet<&str> = rows.iter().map(|(row, _)| row.run.as_str()).collect();
        let mut aside = self.stored(old.as_ref(), watch)?;
        aside.retain(|(row, _)| !runs.contains(row.run.as_str()));
        if !aside.is_empty() || old.is_none_or(|old| !old.is_of(&manifest)) {
            self.set_aside(&aside, watch)?;
        }
        self.finish(manifest, rows)
    }

    pub(super) fn read_manifest(&self) -> Result<Manifest, InputError> {
        let path = self.manifest();
        let bytes = fs::read(&path).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::NotFound => {
                let remedy = "name the folders that `bench --output` or `reproduce --output` wrote";
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

    /// Reads the manifest, and all complete rows with their builds, in no order.
    pub(super) fn read(&self, watch: &dyn Watch) -> Result<(Manifest, Vec<Made>), InputError> {
        let manifest = self.read_manifest()?;
        let rows = self.stored(Some(&manifest), watch)?;
        Ok((manifest, rows))
    }
}

/// Writes rows as JSON Lines, completely or not at all.
fn write_rows(path: &Path, rows: &[Made]) -> Result<(), InputError> {
    write_atomically(path, |out| {
        let mut lines = Vec::new();
        for (row, _) in rows {
            lines.clear();
            journal::write_line(row, &mut lines);
            out.write_all(&lines)?;
        }
        Ok(())
    })
}
