//! User-defined experiments: a TOML file lists planners, maps and budgets, and all runs follow from it.
//!
//! ```toml
//! title = "TBA* and A* on a cave"
//! maps = ["builtin:cave256"]      # files, folders of maps, generators such as "maze(width=51,seed={seed})"
//! planners = ["astar", "tba"]
//! budgets = [10, 100]
//!
//! [problems]
//! random = 20
//! optimal = "50..200"
//! ```
//!
//! `{seed}` in a map, planner or world is replaced by each of `seeds`. The book's page on the laboratory describes the
//! file.

mod expand;
mod file;
mod lists;
mod summary;
mod tasks;

use std::path::Path;

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::spec::RunSpec;

pub use summary::{by_map, summarise};

use crate::places::Files;
use crate::report::shorten;
use crate::run::{Plan, Source};

/// Reads an experiment, and lists all its runs.
///
/// # Errors
/// If the file cannot be read or contains an error, or a map, scenario or world cannot be used. Errors name the line
/// and the valid values.
pub fn read(path: &Path) -> Result<Plan, InputError> {
    let text = std::fs::read_to_string(path).map_err(|cause| InputError::io(path, "read", &cause))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut plan = parse(&text, base, &name).map_err(|error| error.with_file(path))?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    plan.about.command = again(&file);
    plan.about.source = Some(Source { name: file, text: shorten(&text) });
    Ok(plan)
}

/// Returns the command that repeats an experiment.
fn again(file: &str) -> String {
    let quote = if file.contains(' ') { "'" } else { "" };
    format!("fleetfoot bench {quote}{file}{quote}")
}

/// Parses the text of an experiment. Paths in it are relative to `base`; `name` is the default title.
///
/// # Errors
/// As for [`read`].
pub fn parse(text: &str, base: &Path, name: &str) -> Result<Plan, InputError> {
    let file = file::File::parse(text)?;
    let files = Files::at(base);
    let mut plan = expand::Expansion { text, base, file: &file, files }.plan(name)?;
    let file = format!("{name}.toml");
    plan.about.command = again(&file);
    plan.about.source = Some(Source { name: file, text: shorten(text) });
    plan.about.maps = plan.told_maps()?;
    Ok(plan)
}

/// Lists all runs of a run given as text. Paths in it are relative to `base`.
///
/// # Errors
/// As for [`read`], without lines.
pub fn plan(run: &RunSpec, base: &Path) -> Result<Plan, InputError> {
    let file = file::File::from(run);
    let expansion = expand::Expansion { text: "", base, file: &file, files: Files::at(base) };
    // There is no file with lines.
    let without_line = |error: InputError| match error.file() {
        Some(_) => error,
        None => InputError::new(error.what(), error.remedy()),
    };
    let mut plan = expansion.plan("run").map_err(without_line)?;
    plan.about.command = run.to_string().replace(" \\\n   ", "");
    plan.about.maps = plan.told_maps()?;
    Ok(plan)
}

#[cfg(test)]
mod tests;
