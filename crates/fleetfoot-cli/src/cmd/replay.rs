//! `fleetfoot run --replay` and `fleetfoot replay`: records, and what is made from them.

use std::path::{Path, PathBuf};

use fleetfoot_lab::run::{Job, LabError};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::{read_file, write_atomically};
use fleetfoot_view::fleet::{self, FleetRecord};
use fleetfoot_view::story::Chapter;
use fleetfoot_view::{MAX_TRACKS, Record, RecordFilter, html, jsonl, picture, posthoc};

use crate::args::{ReplayArgs, ReplayFormat, UnitColorsArg};
use crate::batch::Batch;
use crate::failure::{Failure, warn};
use crate::output::columns::{bytes, whole};
use crate::output::{check_files, refuse_overwriting_inputs};

impl ReplayFormat {
    /// Returns the format for the ending of a file name.
    fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "html" | "htm" => Self::Html,
            "ffr" => Self::Ffr,
            "png" => Self::Png,
            "gif" => Self::Gif,
            "jsonl" | "ndjson" => Self::Jsonl,
            "yaml" | "yml" => Self::Posthoc,
            "workspace" => Self::Workspace,
            _ => return None,
        })
    }

    /// The valid endings, for error messages.
    const ENDINGS: &str = ".html, .ffr, .png, .gif, .jsonl, .yaml or .workspace (posthoc)";

    fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Ffr => "ffr",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Jsonl => "jsonl",
            Self::Posthoc => "trace.yaml",
            Self::Workspace => "workspace",
        }
    }
}

/// Returns `true` if the file is for a bare record, and `false` if it is for a page. Refuses other endings.
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

/// A record or a page that is ready to be written.
pub(super) struct Replay<'a> {
    file: &'a Path,
    bytes: Vec<u8>,
    legend: String,
}

impl Replay<'_> {
    /// Writes the file. Returns its description.
    pub(super) fn write(self) -> Result<String, Failure> {
        write_atomically(self.file, |out| out.write_all(&self.bytes))?;
        Ok(self.legend)
    }
}

/// Repeats the walks of the first problem with each planner and budget, and makes the record or the page.
pub(super) fn record<'f>(
    batch: &Batch<'_>,
    file: &'f Path,
    thinning: RecordFilter,
    is_story: bool,
) -> Result<Replay<'f>, Failure> {
    let bare = is_bare(file)?;
    let trials = batch.common.trials;
    let jobs: Vec<Job> =
        (0..batch.entries.len()).map(|entry| Job { trials, ..batch.job(entry, 0).clone() }).collect();
    let jobs: Vec<&Job> = jobs.iter().collect();
    let record = fleetfoot_lab::record::record(&batch.ground, batch.source.map(), &jobs, thinning);
    let record = record.map_err(|error| match error {
        // The run is too long or too short. Planners that cannot be built were refused before.
        LabError::Build(text) => Failure::input(format!("{}: {text}", file.display())),
        error => error.into(),
    })?;
    let bytes = match (bare, is_story) {
        (true, _) => record.to_bytes(),
        (false, false) => html::page(&record).into_bytes(),
        (false, true) => html::story(&record, &chapters(&record)).into_bytes(),
    };
    let legend = legend(batch, file, &record, bytes.len());
    Ok(Replay { file, bytes, legend })
}

/// The book's pages about planners, by key.
static BOOK: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/book.rs"));

/// Returns the book's chapters about the planners of a record, without duplicates.
fn chapters(record: &Record) -> Vec<Chapter> {
    let mut keys: Vec<&str> = Vec::new();
    for life in &record.meta().lives {
        let key = life.planner.split('(').next().unwrap_or_default();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let page = |key: &str| BOOK.iter().find(|(name, _)| *name == key).map(|(_, page)| *page);
    keys.into_iter().filter_map(page).map(Chapter::from_markdown).collect()
}

/// Size in bytes above which a page opens slowly.
const LARGE: usize = 10_000_000;

/// Suggests options for a smaller record, if it is large.
fn thinner(record: &Record, size: usize) -> Option<String> {
    let life = record.meta().lives.iter().max_by_key(|life| life.ticks).filter(|_| size > LARGE)?;
    let (every, half) = (life.every.saturating_mul(10), life.first + life.ticks / 2);
    let (first, all) = (life.first, "all moves and updates stay");
    Some(format!(
        "(large for a page: --replay-every {every} keeps fewer searches, {all}; --replay-window {first}..{half} a part)"
    ))
}

fn legend(batch: &Batch<'_>, file: &Path, record: &Record, size: usize) -> String {
    let meta = record.meta();
    let ((sx, sy), (gx, gy)) = (meta.start, meta.goal);
    let place = format!("problem {}, from {sx},{sy} to {gx},{gy}", meta.problem);
    let mut lines = vec![format!("{}: {place}; {}", file.display(), bytes(size as f64))];
    for (what, all, shown) in [
        ("problems", batch.tasks.list.len(), 1),
        ("combinations of planner and budget", batch.entries.len(), batch.entries.len().min(MAX_TRACKS)),
    ] {
        if all > shown {
            let first = if shown == 1 { "is".into() } else { format!("{shown} are") };
            lines.push(format!("(of {all} {what} the first {first} recorded)"));
        }
    }
    lines.extend(thinner(record, size));
    for life in &meta.lives {
        let (planner, budget) = (&life.planner, &life.budget);
        let trial =
            life.name.split_once(", trial ").map(|(_, trial)| format!(", trial {trial}")).unwrap_or_default();
        let end = life.outcome.as_deref().unwrap_or("not over");
        lines.push(format!("  {planner}, budget {budget}{trial}: {} ticks, {end}", whole(life.ticks)));
    }
    lines.join("\n") + "\n"
}

/// Executes `fleetfoot replay`.
pub(crate) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let (format, file) = target(args)?;
    let bytes = read_file(&args.record)?;
    if FleetRecord::is_one(&bytes) {
        return run_fleet(args, &bytes, format, &file);
    }
    let record = Record::from_bytes(&bytes).map_err(|error| error.with_file(&args.record))?;
    let place = |error: InputError| error.with_file(&args.record);
    let life = args.life.unwrap_or(1) as usize - 1;
    let out = match format {
        ReplayFormat::Html => html::page(&record).into_bytes(),
        ReplayFormat::Ffr => record.to_bytes(),
        ReplayFormat::Png => picture::png(&record, args.tick, args.side.unwrap_or(2000)).map_err(place)?,
        ReplayFormat::Gif => {
            picture::gif(&record, args.frames.unwrap_or(120), args.side.unwrap_or(640)).map_err(place)?
        }
        ReplayFormat::Jsonl => jsonl::lines(&record).map_err(place)?,
        ReplayFormat::Posthoc => {
            let trace = posthoc::trace(&record, life).map_err(place)?;
            write_out(&base_of(&file), &posthoc::base(&record))?;
            trace
        }
        ReplayFormat::Workspace => posthoc::workspace(&record, life).map_err(place)?,
    };
    write_out(&file, &out)
}

/// Returns the file of the map that belongs to a trace.
fn base_of(trace: &Path) -> PathBuf {
    let stem = trace.with_extension("");
    let stem =
        if stem.extension().is_some_and(|end| end == "trace") { stem.with_extension("") } else { stem };
    stem.with_extension("grid")
}

/// Executes `fleetfoot replay` on a fleet's record.
fn run_fleet(args: &ReplayArgs, bytes: &[u8], format: ReplayFormat, file: &Path) -> Result<(), Failure> {
    let place = |error: InputError| error.with_file(&args.record);
    let record = FleetRecord::from_bytes(bytes).map_err(place)?;
    let colors = args.color_by.map(UnitColorsArg::colors).unwrap_or_default();
    let out = match format {
        ReplayFormat::Html => html::fleet_page(&record).into_bytes(),
        ReplayFormat::Ffr => record.to_bytes(),
        ReplayFormat::Png => {
            fleet::png(&record, args.tick, args.side.unwrap_or(2000), colors).map_err(place)?
        }
        ReplayFormat::Gif => {
            fleet::gif(&record, args.frames.unwrap_or(120), args.side.unwrap_or(640), colors)
                .map_err(place)?
        }
        ReplayFormat::Jsonl | ReplayFormat::Posthoc | ReplayFormat::Workspace => {
            let what = "this is the record of a fleet, which has no search to trace";
            return Err(place(InputError::new(what, "use --to html, ffr, png or gif")).into());
        }
    };
    write_out(file, &out)
}

fn write_out(file: &Path, out: &[u8]) -> Result<(), Failure> {
    write_atomically(file, |to| to.write_all(out))?;
    warn("note", format!("wrote {} to {}", bytes(out.len() as f64), file.display()));
    Ok(())
}

/// Returns the format and the file of the output.
fn target(args: &ReplayArgs) -> Result<(ReplayFormat, PathBuf), Failure> {
    if args.record.is_dir() {
        let error =
            InputError::new("this is a folder", "name a file that `fleetfoot run … --replay FILE` wrote");
        return Err(error.with_file(&args.record).into());
    }
    let format = format(args)?;
    let file = args.output.clone().unwrap_or_else(|| args.record.with_extension(format.ending()));
    let base = (format == ReplayFormat::Posthoc).then(|| base_of(&file));
    let files = || [Some(&file), base.as_ref()].into_iter().flatten();
    refuse_overwriting_inputs(files(), [&args.record])?;
    check_files(files().collect::<Vec<_>>())?;
    Ok((format, file))
}

/// Returns the requested format, or that of the file's ending. Refuses options that do not apply to it.
fn format(args: &ReplayArgs) -> Result<ReplayFormat, InputError> {
    let format = match (args.to, args.output.as_deref()) {
        (Some(format), _) => format,
        (None, None) => ReplayFormat::Html,
        (None, Some(file)) => ReplayFormat::of(file).ok_or_else(|| {
            let what = "nothing is known to be written to such a file";
            let remedy =
                format!("name one that ends in {}, or say what to write with --to", ReplayFormat::ENDINGS);
            InputError::new(what, remedy).with_file(file)
        })?,
    };
    let (png, gif) = (format == ReplayFormat::Png, format == ReplayFormat::Gif);
    let posthoc = matches!(format, ReplayFormat::Posthoc | ReplayFormat::Workspace);
    // Other endings are possible for the other formats.
    let is_strict = png || gif || posthoc;
    if let Some(file) =
        args.output.as_deref().filter(|file| is_strict && ReplayFormat::of(file) != Some(format))
    {
        let what = format!("a {} would be written, and this name has a different ending", format.ending());
        let remedy = format!("name a file that ends in .{}", format.ending());
        return Err(InputError::new(what, remedy).with_file(file));
    }
    for (is_wrong, what, remedy) in [
        (args.tick.is_some() && !png, "--tick chooses what a png shows", "add --to png"),
        (args.frames.is_some() && !gif, "--frames is for a gif", "leave it out, or add --to gif"),
        (
            args.side.is_some() && !(png || gif),
            "--side is for a png or a gif",
            "leave it out, or add --to png",
        ),
        (
            args.life.is_some() && !posthoc,
            "--life chooses what a posthoc trace shows",
            "leave it out, or add --to posthoc",
        ),
    ] {
        if is_wrong {
            return Err(InputError::new(what, remedy));
        }
    }
    Ok(format)
}

#[cfg(test)]
mod tests {
    use fleetfoot::registry;

    use super::*;

    /// Checks that no markup of the book remains in a story.
    #[test]
    fn the_book_has_a_chapter_on_every_planner() {
        for info in registry::ALGORITHMS {
            let page = BOOK.iter().find(|(key, _)| *key == info.key);
            let chapter = Chapter::from_markdown(page.expect(info.key).1);
            assert_eq!(chapter.title, info.name, "{}", info.key);
            assert!(chapter.blocks.len() > 3, "{}", info.key);
            for block in &chapter.blocks {
                let left = ["](", "<!--", "```", "\\"].iter().find(|mark| block.text.contains(**mark));
                assert_eq!(left, None, "{}: {}", info.key, block.text);
            }
        }
    }
}
