//! The output: a table for readers, or rows for programs; to the terminal, or to a file.

pub(crate) mod columns;
mod table;

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fleetfoot_lab::report::{write_csv, write_jsonl};
use fleetfoot_lab::run::Row;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use fleetfoot_view::RecordFilter;
use fleetfoot_view::picture::check_name;

use crate::args::{Format, OutputArgs};
use crate::batch::Batch;
use crate::failure::Failure;

/// A batch and its results.
pub(crate) struct Results<'a> {
    pub(crate) batch: &'a Batch<'a>,
    pub(crate) rows: &'a [Row],
    /// Description of map and problems.
    pub(crate) heading: String,
    /// Notes about the times.
    pub(crate) notes: Vec<String>,
}

impl OutputArgs {
    /// Returns the requested format, or that of the file's ending.
    pub(crate) fn format(&self) -> Format {
        let ending = self.output.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
        match (self.format, ending) {
            (Some(format), _) => format,
            (None, Some("csv")) => Format::Csv,
            (None, Some("jsonl" | "ndjson")) => Format::Jsonl,
            (None, _) => Format::Table,
        }
    }

    /// Checks that the files can be written before hours are spent on their contents.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        table::check_columns(&self.columns)?;
        check_files(self.files())
    }

    fn files(&self) -> impl Iterator<Item = &PathBuf> + Clone {
        [&self.output, &self.picture, &self.learned, &self.replay].into_iter().flatten()
    }

    /// Returns the part of a run that is recorded.
    pub(crate) fn thinning(&self) -> RecordFilter {
        let window = self.replay_window.unwrap_or(RecordFilter::default().window);
        RecordFilter { every: self.replay_every, window }
    }

    /// Refuses names of pictures with the ending of another format.
    pub(crate) fn check_names(&self) -> Result<(), InputError> {
        [&self.picture, &self.learned].into_iter().flatten().try_for_each(|path| check_name(path))
    }

    /// Refuses to overwrite inputs.
    pub(crate) fn spare(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), InputError> {
        refuse_overwriting_inputs(self.files(), inputs)
    }

    /// Returns `true` if rows for programs go to the terminal, where nothing may come between them.
    pub(crate) fn prints_rows(&self) -> bool {
        self.output.is_none() && self.format() != Format::Table
    }

    /// Writes results to the requested file, or to the terminal.
    pub(crate) fn write(&self, results: &Results<'_>) -> Result<(), Failure> {
        let width = if self.output.is_none() { terminal_width() } else { None };
        let look = table::Look { width, columns: &self.columns, explain: self.explain };
        let write = |out: &mut dyn Write| match self.format() {
            Format::Table => table::write(results, &look, out),
            Format::Csv => write_csv(results.rows, out),
            Format::Jsonl => write_jsonl(results.rows, out),
        };
        match &self.output {
            Some(path) => Ok(write_atomically(path, write)?),
            None => print(write),
        }
    }
}

/// Refuses to overwrite inputs.
pub(crate) fn refuse_overwriting_inputs(
    outputs: impl IntoIterator<Item = impl AsRef<Path>>,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), InputError> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let inputs: Vec<_> = inputs.into_iter().filter_map(|path| real(path.as_ref())).collect();
    let is_input = |path: &Path| real(path).is_some_and(|path| inputs.contains(&path));
    match outputs.into_iter().find(|path| is_input(path.as_ref())) {
        None => Ok(()),
        Some(path) => Err(InputError::new("this file is read by the same command", "write to another one")
            .with_file(path.as_ref())),
    }
}

/// Checks that all files can be written, without overwriting each other.
pub(crate) fn check_files(
    paths: impl IntoIterator<Item = impl AsRef<Path>> + Clone,
) -> Result<(), InputError> {
    paths.clone().into_iter().try_for_each(|path| check_file(path.as_ref()))?;
    require_distinct(paths)
}

/// Refuses to write two outputs to one file.
pub(crate) fn require_distinct(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), InputError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let Some(file) = real(path) else { continue };
        if files.contains(&file) {
            let what = "two outputs of this command would be written to this file, and one of them be lost";
            return Err(InputError::new(what, "name a file for each").with_file(path));
        }
        files.push(file);
    }
    Ok(())
}

/// Returns the canonical path, even if the file does not exist yet. Returns `None` for terminals, pipes and devices.
fn real(path: &Path) -> Option<PathBuf> {
    if fs::metadata(path).is_ok_and(|old| !old.is_file()) {
        return None;
    }
    fs::canonicalize(path).ok().or_else(|| {
        let whole = std::path::absolute(path).ok()?;
        let folder = whole.parent()?;
        Some(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(whole.file_name()?))
    })
}

/// Checks that a folder exists or can be created, and is writable.
pub(crate) fn check_folder(path: &Path) -> Result<(), InputError> {
    let there = path.ancestors().find(|folder| folder.as_os_str().is_empty() || folder.exists());
    let there = there.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !there.is_dir() {
        let what = if there == path {
            "this is a file, not a folder"
        } else {
            "this is a file, not a folder for the output"
        };
        return Err(InputError::new(what, "name a folder").with_file(there));
    }
    probe(&there.join("folder")).map_err(|cause| InputError::io(path, "write", &cause))
}

/// Checks that a file can be written.
pub(crate) fn check_file(path: &Path) -> Result<(), InputError> {
    let refuse = |cause: &io::Error| InputError::io(path, "write", cause);
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(refuse(&io::ErrorKind::IsADirectory.into())),
        Ok(old) if !old.is_file() => Ok(()),
        _ => probe(path).map_err(|cause| refuse(&cause)),
    }
}

/// Creates a file in the same folder and removes it, as writing the real one will.
fn probe(path: &Path) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
    name.push(format!(".{}-probe", std::process::id()));
    let beside = path.with_file_name(name);
    OpenOptions::new().write(true).create_new(true).open(&beside)?;
    fs::remove_file(&beside)
}

/// Returns the number of columns of the terminal, or the variable `COLUMNS` if the output is not a terminal.
pub(crate) fn terminal_width() -> Option<usize> {
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map(|(width, _)| usize::from(width.0)).or_else(variable).filter(|width| *width > 0)
}

/// Writes to the standard output.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out)?;
    Ok(out.flush()?)
}
