//! The modules of the library use each other in one direction only.
//!
//! `fleet` has layers of its own, which `tests/fleet/layers.rs` checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

/// Modules that count as one: a grid owns its index of corners, and the index is made from the grid.
const TOGETHER: [(&str, &str); 1] = [("corners", "grid")];

/// Public fronts, which only re-export. Modules use what is behind them.
const FRONTS: [&str; 1] = ["database"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("can be read").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Returns the module at the top level that a file belongs to.
fn module(file: &Path) -> String {
    let name = file.strip_prefix(source()).expect("a file of the library").iter().next();
    let name = name.expect("a name").to_string_lossy();
    let name = name.trim_end_matches(".rs");
    TOGETHER.iter().find(|(part, _)| *part == name).map_or(name, |(_, whole)| whole).to_owned()
}

/// Returns the code of a file without comments, and without the tests at its end.
fn code(file: &Path) -> String {
    let text = read_to_string(file).expect("a file of the library");
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the first names of all paths that begin with `crate::`. A list in braces has several.
fn used(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let list = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default(),
        };
        found.extend(list.split(',').map(|item| item.trim().split("::").next().unwrap_or_default()));
    }
    found
}

/// Returns which modules each module uses, with a file that does so.
fn uses() -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let mut files = Vec::new();
    rust_files(&source(), &mut files);
    files.retain(|file| !file.ends_with("lib.rs") && !file.ends_with("tests.rs"));
    let modules: BTreeSet<String> = files.iter().map(|file| module(file)).collect();
    let front = read_to_string(source().join("lib.rs")).expect("lib.rs");
    let mut uses: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for file in &files {
        let from = module(file);
        for name in used(&code(file)) {
            // What the crate re-exports belongs to the module that it comes from.
            let to = if modules.contains(name) || TOGETHER.iter().any(|(part, _)| *part == name) {
                module(&source().join(name))
            } else if let Some(to) = exported_from(&front, name) {
                module(&source().join(to))
            } else {
                continue;
            };
            if to != from {
                uses.entry(from.clone()).or_default().entry(to).or_insert_with(|| file.clone());
            }
        }
    }
    uses
}

/// Returns the module from which `lib.rs` exports a name.
fn exported_from<'a>(front: &'a str, name: &str) -> Option<&'a str> {
    let statements = front.split("pub use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(s, _)| s);
    let words = |text: &'a str| text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut exports = statements.filter(|statement| words(statement).skip(1).any(|word| word == name));
    exports.find_map(|statement| words(statement).next())
}

#[test]
fn no_module_uses_one_that_uses_it() {
    let uses = uses();
    assert!(uses.len() > 12 && uses["planners"].contains_key("search"), "modules are not found: {uses:?}");
    // Modules that use nothing but sorted ones come next.
    let mut sorted: BTreeSet<&str> = BTreeSet::new();
    let all: BTreeSet<&str> =
        uses.iter().flat_map(|(from, to)| to.keys().chain([from])).map(|m| &**m).collect();
    loop {
        let is_next = |m: &&str| {
            let mut needed = uses.get(*m).into_iter().flat_map(|to| to.keys());
            !sorted.contains(*m) && needed.all(|to| sorted.contains(&**to))
        };
        let next: Vec<&str> = all.iter().copied().filter(|m| is_next(m)).collect();
        if next.is_empty() {
            break;
        }
        sorted.extend(next);
    }
    let cyclic: BTreeSet<_> = all.difference(&sorted).copied().collect();
    let edges: Vec<String> = cyclic
        .iter()
        .flat_map(|from| uses[*from].iter().map(move |(to, file)| (from, to, file)))
        .filter(|(_, to, _)| cyclic.contains(&***to))
        .map(|(from, to, file)| format!("{from} uses {to}: {}", file.display()))
        .collect();
    assert!(cyclic.is_empty(), "modules that use each other:\n{}", edges.join("\n"));
}

#[test]
fn fronts_are_for_users_only() {
    for (from, to) in uses() {
        for front in FRONTS {
            assert!(!to.contains_key(front), "{from} uses {front}: {}", to[front].display());
        }
    }
}
