//! Rows of other plans, kept in `others.jsonl` for reuse.
//!
//! One JSON object per line: a row and the build that made it. As in the journal, only complete lines count.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use serde::{Deserialize, Serialize};

use super::journal::{append, read_lines, write_line};
use super::manifest::Made;
use super::row::Row;

#[derive(Serialize, Deserialize)]
struct Line<R> {
    build: Option<String>,
    row: R,
}

/// The file next to `rows.jsonl`.
#[derive(Clone, Debug)]
pub(super) struct Others(pub(super) PathBuf);

impl Others {
    /// Reads all rows.
    pub(super) fn read(&self) -> Result<Vec<Made>, InputError> {
        // Rows of older programs have no checksums.
        let lines = read_lines::<Line<Row>>(&self.0, false)?.rows;
        Ok(lines.into_iter().map(|line| (line.row, line.build.map(Into::into))).collect())
    }

    /// Adds rows, so that they are on the disk when this returns.
    pub(super) fn add(&self, rows: &[Made]) -> Result<(), InputError> {
        if rows.is_empty() {
            return Ok(());
        }
        let add = || {
            let (mut file, _) = append(&self.0)?;
            let mut lines = Vec::new();
            write(&mut lines, rows)?;
            file.write_all(&lines)?;
            file.sync_all()
        };
        add().map_err(|cause| InputError::io(&self.0, "write", &cause))
    }

    /// Removes the rows of these runs, and duplicates.
    pub(super) fn drop(&self, runs: &HashSet<&str>) -> Result<(), InputError> {
        let (mut rows, before) = (self.read()?, fs::metadata(&self.0).map_or(0, |about| about.len()));
        if before == 0 {
            return Ok(());
        }
        let mut seen = HashSet::new();
        rows.retain(|(row, _)| !runs.contains(row.run.as_str()) && seen.insert((row.run.clone(), row.trial)));
        if rows.is_empty() {
            return remove(&self.0);
        }
        write_atomically(&self.0, |out| write(out, &rows))
    }
}

fn write(out: &mut (impl Write + ?Sized), rows: &[Made]) -> io::Result<()> {
    let mut lines = Vec::new();
    for (row, build) in rows {
        lines.clear();
        write_line(&Line { build: build.as_deref().map(str::to_owned), row }, &mut lines);
        out.write_all(&lines)?;
    }
    Ok(())
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), InputError> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(InputError::io(path, "remove", &cause)),
        _ => Ok(()),
    }
}

/// Removes the tables that a report has written: their names begin with a number.
fn remove_tables(folder: &Path) -> Result<(), InputError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_ours = name.split_once('-').is_some_and(|(number, rest)| {
            let is_number = number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
            is_number && Path::new(rest).extension().is_some_and(|extension| extension == "tex")
        });
        if is_ours {
            remove(&path)?;
        }
    }
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Removes the report of a folder, whose rows have changed. Returns `true` if there was one.
pub(super) fn remove_report(folder: &Path) -> Result<bool, InputError> {
    let report = folder.join("report.md");
    // Users may keep pictures of their own in the folder: only those in the report are removed.
    let text = fs::read_to_string(&report).unwrap_or_default();
    let shown = text.split("](figures/").skip(1).filter_map(|rest| rest.split_once(".svg)"));
    let figures = folder.join("figures");
    for (name, _) in shown.filter(|(name, _)| !name.contains(['/', '\\'])) {
        for ending in ["svg", "png"] {
            remove(&figures.join(format!("{name}.{ending}")))?;
        }
    }
    // Fails if the folder is not empty, as intended.
    let _ = fs::remove_dir(&figures);
    remove_tables(&folder.join("tables"))?;
    let mut was_there = false;
    for name in ["report.html", "report.json", "rows.csv", "rows.parquet", "report.md"] {
        let path = folder.join(name);
        was_there |= path.exists();
        remove(&path)?;
    }
    Ok(was_there)
}
