//! What comes out: a table for people, or rows for programs; to the terminal, or to a file.

pub(crate) mod columns;
mod table;

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use fleetfoot_lab::report::{write_csv, write_jsonl};
use fleetfoot_lab::run::Row;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::write_atomically;
use fleetfoot_view::Thinning;
use fleetfoot_view::picture::check_name;

use crate::args::{Format, OutputArgs};
use crate::batch::Batch;
use crate::failure::Failure;

/// A batch and what came of it.
pub(crate) struct Results<'a> {
    pub(crate) batch: &'a Batch<'a>,
    pub(crate) rows: &'a [Row],
    /// What was run, for people: map and problems.
    pub(crate) heading: String,
    /// What the reader of the times should know.
    pub(crate) notes: Vec<String>,
}

impl OutputArgs {
    /// The format asked for, or the one that the file's name promises.
    pub(crate) fn format(&self) -> Format {
        let ending = self.output.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
        match (self.format, ending) {
            (Some(format), _) => format,
            (None, Some("csv")) => Format::Csv,
            (None, Some("jsonl" | "ndjson")) => Format::Jsonl,
            (None, _) => Format::Table,
        }
    }

    /// Finds out whether the files can be written before hours are spent on what should go there.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        let all = [&self.output, &self.picture, &self.learned, &self.replay];
        all.into_iter().flatten().try_for_each(|path| check_file(path))
    }

    /// What of a life goes into a replay.
    pub(crate) fn thinning(&self) -> Thinning {
        let window = self.replay_window.unwrap_or(Thinning::default().window);
        Thinning { every: self.replay_every, window }
    }

    /// Refuses names of pictures that promise another format.
    pub(crate) fn check_names(&self) -> Result<(), InputError> {
        [&self.picture, &self.learned].into_iter().flatten().try_for_each(|path| check_name(path))
    }

    /// Refuses to write over what is read.
    pub(crate) fn spare(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), InputError> {
        spare_inputs([&self.output, &self.picture, &self.learned, &self.replay].into_iter().flatten(), inputs)
    }

    /// Whether rows for programs go to the terminal, where nothing may come between them.
    pub(crate) fn prints_rows(&self) -> bool {
        self.output.is_none() && self.format() != Format::Table
    }

    /// Writes results where it was asked for.
    pub(crate) fn write(&self, results: &Results<'_>) -> Result<(), Failure> {
        let write = |out: &mut dyn Write| match self.format() {
            Format::Table => table::write(results, out),
            Format::Csv => write_csv(results.rows, out),
            Format::Jsonl => write_jsonl(results.rows, out),
        };
        match &self.output {
            Some(path) => Ok(write_atomically(path, write)?),
            None => print(write),
        }
    }
}

/// Refuses to write over what is read.
pub(crate) fn spare_inputs(
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

/// Finds out whether a file can be written.
pub(crate) fn check_file(path: &Path) -> Result<(), InputError> {
    let refuse = |cause: &io::Error| InputError::io(path, "write", cause);
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(refuse(&io::ErrorKind::IsADirectory.into())),
        Ok(old) if !old.is_file() => Ok(()),
        _ => probe(path).map_err(|cause| refuse(&cause)),
    }
}

/// Creates a file beside and takes it away again, as the real one will be written.
fn probe(path: &Path) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_owned();
    name.push(format!(".{}-probe", std::process::id()));
    let beside = path.with_file_name(name);
    OpenOptions::new().write(true).create_new(true).open(&beside)?;
    fs::remove_file(&beside)
}

/// Writes to the terminal, or whatever reads us.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out)?;
    Ok(out.flush()?)
}
