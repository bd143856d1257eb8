//! `fleetfoot run --replay` and `fleetfoot replay`: records, and what can be made of them.

use std::path::{Path, PathBuf};

use fleetfoot_sim::episode::Runner;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::{read_file, write_atomically};
use fleetfoot_view::{
    Label, MOST_LIVES, Record, RecordError, Scene, Thinning, html, jsonl, picture, posthoc,
};

use crate::args::{ReplayArgs, ReplayFormat};
use crate::batch::{Batch, Entry};
use crate::failure::{Failure, warn};
use crate::output::columns::whole;
use crate::source::Source;

impl ReplayFormat {
    /// What a file's name promises.
    fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "html" | "htm" => Self::Html,
            "ffr" => Self::Ffr,
            "png" => Self::Png,
            "gif" => Self::Gif,
            "jsonl" | "ndjson" => Self::Jsonl,
            "json" => Self::Posthoc,
            _ => return None,
        })
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Ffr => "ffr",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Jsonl => "jsonl",
            Self::Posthoc => "trace.json",
        }
    }
}

/// Whether a replay can be written to such a file: as a page, or as a bare record (then this is true).
pub(super) fn is_bare(file: &Path) -> Result<bool, InputError> {
    match ReplayFormat::of(file) {
        Some(ReplayFormat::Html) => Ok(false),
        Some(ReplayFormat::Ffr) => Ok(true),
        _ => {
            let what = "a replay is a page (.html) or a bare record (.ffr)";
            let remedy = "name such a file; `fleetfoot replay` makes pictures and traces of it";
            Err(InputError::new(what, remedy).with_file(file))
        }
    }
}

/// Walks the first problem again with each planner and budget, writes the record or the page that plays it, and
/// says what is in it.
pub(super) fn record(
    batch: &Batch<'_>,
    source: &Source,
    file: &Path,
    thinning: Thinning,
) -> Result<String, Failure> {
    let bare = is_bare(file)?;
    let trips = batch.trips()?;
    let Some(trip) = trips.first() else { return Ok(String::new()) };
    let mut runner = Runner::new();
    let optimal = runner.optimal(trip);
    let entries = &batch.entries[..batch.entries.len().min(MOST_LIVES)];
    let mut lives = Vec::new();
    for entry in entries {
        let mut planner = batch.planner(&entry.spec)?;
        let label = Label { planner: entry.spec.to_string(), name: entry.spec.info().name.into() };
        let terms = batch.terms(entry);
        let life = fleetfoot_view::record(trip, &terms, &mut *planner, runner.scratch(), label, thinning);
        lives.push(life.map_err(|error| match error {
            RecordError::Foul(foul) => batch.failure(entry, 0, &foul),
            RecordError::TooLong(error) => Failure::input(format!(
                "{}: {} with budget {}: {error}",
                file.display(),
                entry.spec,
                entry.budget
            )),
        })?);
        planner.release(runner.scratch());
    }
    let task = &batch.tasks.list[0];
    let scene = Scene {
        map_name: batch.map,
        map: &source.map,
        world: &batch.world_name,
        rules: &batch.rules,
        problem: task.index as u64,
        optimal: optimal.map(|length| length.value(batch.world.truth().rules().diagonal)),
        prices: batch.prices,
    };
    let record = Record::new(&scene, trip, &batch.terms(&entries[0]), lives);
    let bytes = if bare { record.to_bytes() } else { html::page(&record).into_bytes() };
    write_atomically(file, |out| out.write_all(&bytes))?;
    Ok(legend(batch, file, &record, bytes.len()))
}

fn legend(batch: &Batch<'_>, file: &Path, record: &Record, size: usize) -> String {
    let meta = record.meta();
    let ((sx, sy), (gx, gy)) = (meta.start, meta.goal);
    let place = format!("problem {}, from {sx},{sy} to {gx},{gy}", meta.problem);
    let mut lines = vec![format!("{}: {place}; {}", file.display(), bytes(size))];
    for (what, all, shown) in [
        ("problems", batch.tasks.list.len(), 1),
        ("combinations of planner and budget", batch.entries.len(), meta.lives.len()),
    ] {
        if all > shown {
            let first = if shown == 1 { "is".into() } else { format!("{shown} are") };
            lines.push(format!("(of {all} {what} the first {first} recorded)"));
        }
    }
    for (life, Entry { spec, budget }) in meta.lives.iter().zip(&batch.entries) {
        let end = life.outcome.as_deref().unwrap_or("not over");
        lines.push(format!("  {spec}, budget {budget}: {} ticks, {end}", whole(life.ticks)));
    }
    lines.join("\n") + "\n"
}

/// A size for people.
fn bytes(n: usize) -> String {
    match n {
        0..1000 => format!("{n} bytes"),
        1000..1_000_000 => format!("{} KB", n / 1000),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// `fleetfoot replay`.
pub(crate) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let (format, file) = target(args)?;
    let bytes = read_file(&args.record)?;
    let record = Record::from_bytes(&bytes).map_err(|error| error.with_file(&args.record))?;
    let place = |error: InputError| error.with_file(&args.record);
    let out = match format {
        ReplayFormat::Html => html::page(&record).into_bytes(),
        ReplayFormat::Ffr => record.to_bytes(),
        ReplayFormat::Png => picture::png(&record, args.tick, args.side.unwrap_or(2000)).map_err(place)?,
        ReplayFormat::Gif => picture::gif(&record, args.frames, args.side.unwrap_or(640)).map_err(place)?,
        ReplayFormat::Jsonl => jsonl::lines(&record).map_err(place)?,
        ReplayFormat::Posthoc => posthoc::trace(&record, args.life as usize - 1).map_err(place)?,
    };
    write_atomically(&file, |to| to.write_all(&out))?;
    warn("note", format!("wrote {} to {}", self::bytes(out.len()), file.display()));
    Ok(())
}

/// What is to be written, and where.
fn target(args: &ReplayArgs) -> Result<(ReplayFormat, PathBuf), Failure> {
    let named = args.output.as_deref().and_then(ReplayFormat::of);
    let format = args.to.or(named).unwrap_or(ReplayFormat::Html);
    let file = args.output.clone().unwrap_or_else(|| args.record.with_extension(format.ending()));
    let same = std::fs::canonicalize(&file)
        .is_ok_and(|file| std::fs::canonicalize(&args.record).is_ok_and(|r| r == file));
    if same {
        let error =
            InputError::new("this file is read by the same command", "name another one with --output");
        return Err(error.with_file(&file).into());
    }
    if args.tick.is_some() && format != ReplayFormat::Png {
        return Err(InputError::new("--tick chooses what a png shows", "add --to png").into());
    }
    Ok((format, file))
}
