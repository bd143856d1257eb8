//! Experiments of one's own: a TOML file says which planners run where, and everything follows from it.
//!
//! ```toml
//! title = "TBA* and A* on a cave"
//! maps = ["builtin:cave256"]          # files, folders of maps, generators such as "maze(width=51,seed={seed})"
//! planners = ["astar", "tba"]
//! budgets = [10, 100]
//!
//! [problems]
//! random = 20
//! optimal = "50..200"
//! ```
//!
//! `{seed}` in a map, planner or world stands for each of `seeds` in turn. The book's page on the laboratory tells the rest.

mod expand;
mod file;
mod lists;
mod summary;
mod tasks;

use std::path::Path;

use fleetfoot_sim::error::InputError;

pub use summary::{by_map, summarise};

use crate::places::Files;
use crate::report::shorten;
use crate::run::{Plan, Source};

/// Reads an experiment, and lists all its runs.
///
/// # Errors
/// If the file cannot be read, something in it cannot be understood, or a map, scenario or world that it names cannot be
/// used: with the line, and what would do.
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

/// The command that makes an experiment again.
fn again(file: &str) -> String {
    let quote = if file.contains(' ') { "'" } else { "" };
    format!("fleetfoot bench {quote}{file}{quote}")
}

/// The same for a text. Paths in it are relative to `base`; `name` is the title if it has none.
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

#[cfg(test)]
mod tests;
