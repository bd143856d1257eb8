//! `fleetfoot map list`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::map::read_map;

use crate::failure::{Failure, warn};
use crate::output::columns::{Columns, whole};
use crate::output::{print, terminal_width};
use crate::problems::beside;
use fleetfoot_sim::generate::builtin::{BUILTINS, PREFIX};

pub(super) fn run(dir: Option<&Path>) -> Result<(), Failure> {
    let mut builtins = builtins()?;
    builtins.shrink(terminal_width().unwrap_or(usize::MAX), &["free cells"]);
    let files = dir.map(files).transpose()?;
    print(|out| {
        builtins.write(out)?;
        let Some(files) = files else { return Ok(()) };
        writeln!(out)?;
        files.write(out)
    })
}

fn builtins() -> Result<Columns, InputError> {
    let mut columns = Columns::new(&["map", "what", "size", "free cells"], 2);
    for builtin in BUILTINS {
        let map = builtin.make()?.map;
        let size = format!("{}x{}", map.width(), map.height());
        let free = whole(u64::from(map.passable_count()));
        columns.push(vec![format!("{PREFIX}{}", builtin.name), builtin.about.into(), size, free]);
    }
    Ok(columns)
}

fn files(dir: &Path) -> Result<Columns, InputError> {
    let mut found = Vec::new();
    find(dir, &mut found).map_err(|cause| InputError::io(dir, "read", &cause))?;
    if found.is_empty() {
        let what = "there is no file that ends in .map in this folder";
        return Err(InputError::new(what, "check the path").with_file(dir));
    }
    found.sort();
    let mut columns = Columns::new(&["map", "size", "free cells", "scenario"], 1);
    for file in found {
        match read_map(&file) {
            Ok(map) => {
                let size = format!("{}x{}", map.width(), map.height());
                let scenario = if beside(&file).is_ok() { "yes" } else { "no" };
                let free = whole(u64::from(map.passable_count()));
                columns.push(vec![file.display().to_string(), size, free, scenario.into()]);
            }
            Err(error) => warn("warning", error),
        }
    }
    Ok(columns)
}

/// Collects all map files below a folder. Links to folders are not followed, since they may lead in circles.
fn find(dir: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "map") {
            found.push(path);
        }
    }
    Ok(())
}
