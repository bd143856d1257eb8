//! Includes the book's pages about planners in the program, for `run --replay … --story`.
//!
//! They are in the folder `book`, which is a link in the repository and a folder in the published package. Without
//! links, they are read from the link's target.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let home = env::var("CARGO_MANIFEST_DIR")?;
    let places = [Path::new(&home).join("book"), Path::new(&home).join("../../book/src/planners")];
    let folder = places.iter().find(|place| place.is_dir()).ok_or("the folder `book` is missing")?;
    let mut pages: Vec<_> = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    pages.sort_by_key(fs::DirEntry::file_name);
    let mut list = String::from("&[\n");
    for page in pages {
        let (path, name) = (page.path().canonicalize()?, page.file_name());
        let Some(key) = name.to_str().and_then(|name| name.strip_suffix(".md")) else { continue };
        writeln!(list, "    ({key:?}, include_str!({:?})),", path.display().to_string())?;
        println!("cargo::rerun-if-changed={}", path.display());
    }
    list.push_str("]\n");
    println!("cargo::rerun-if-changed={}", folder.display());
    fs::write(Path::new(&env::var("OUT_DIR")?).join("book.rs"), list)?;
    Ok(())
}
