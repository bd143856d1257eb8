//! Checks that everything the documents refer to exists.

use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

use fleetfoot::registry::ALGORITHMS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    read_to_string(root().join(name)).expect("the document is there")
}

/// Returns the words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns `true` for words that look like a path of this repository: their first folder is one of it.
fn is_path(word: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let folder = word.split('/').next().unwrap_or_default();
    is_plain
        && word.contains('/')
        && !folder.is_empty()
        && !folder.starts_with('.')
        && root().join(folder).is_dir()
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut count = 0;
    for page in documents() {
        let text = read_to_string(&page).unwrap();
        for path in quoted(&text).filter(|word| {
            is_path(word) && !["target/", "book/src/replays"].iter().any(|made| word.starts_with(made))
        }) {
            assert!(root().join(path).exists(), "{}: {path} does not exist", page.display());
            count += 1;
        }
    }
    assert!(count > 50, "paths are not found any more");
}

/// Returns all files of a folder and below it, without what is built or fetched.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    const SKIPPED: [&str; 4] = ["target", ".git", "node_modules", "__pycache__"];
    for entry in read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("can be read").path();
        if !path.is_dir() {
            found.push(path);
        } else if !SKIPPED.iter().any(|name| path.ends_with(name)) {
            files(&path, found);
        }
    }
}

/// Returns the comment of a line, if it has one.
fn comment<'a>(line: &'a str, ending: &str) -> Option<&'a str> {
    let marks: &[&str] = if ending == "rs" || ending.ends_with("js") { &["//", "/*", " *"] } else { &["#"] };
    marks.iter().filter_map(|mark| line.find(mark)).min().map(|at| &line[at..])
}

/// Returns the words of a text that look like names of source files: `planners/tba.rs`, `main.js`.
fn source_files(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "/._-".contains(c)));
    let is_file = |word: &&str| {
        let stem = [".rs", ".js", ".mjs", ".py", ".pyi"].iter().find_map(|ending| word.strip_suffix(ending));
        stem.is_some_and(|stem| stem.ends_with(|c: char| c.is_ascii_alphanumeric()))
    };
    words.map(|word| word.trim_end_matches('.')).filter(is_file)
}

/// Headers, comments and documents name files by their path, or by the end of it.
#[test]
fn every_source_file_that_a_comment_names_exists() {
    let mut all = Vec::new();
    files(&root(), &mut all);
    // Written by the build of the playground.
    let made = |name: &str| name.ends_with("playground.wasm.js");
    let mut count = 0;
    for file in &all {
        let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        if !["rs", "js", "mjs", "py", "pyi", "toml", "md"].contains(&&*ending) {
            continue;
        }
        let text = read_to_string(file).unwrap();
        let comments = text.lines().filter_map(|line| match &*ending {
            "md" => Some(line),
            _ => comment(line, &ending),
        });
        for name in comments.flat_map(source_files).filter(|name| !made(name)) {
            let name = Path::new(name.trim_start_matches("../").trim_start_matches("./"));
            assert!(
                all.iter().any(|other| other.ends_with(name)),
                "{}: {} does not exist",
                file.display(),
                name.display()
            );
            count += 1;
        }
    }
    assert!(count > 40, "names of files are not found any more: {count}");
}

/// Returns the documents at the root, and the pages of the book.
fn documents() -> Vec<PathBuf> {
    let names = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"];
    let mut found: Vec<_> = names.map(|name| root().join(name)).into();
    for folder in ["book/src", "book/src/planners", "docs/decisions"] {
        let entries = read_dir(root().join(folder)).expect("the book is there");
        let paths = entries.map(|entry| entry.expect("can be read").path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    found
}

/// Returns the link targets of a page, except for those in code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
}

/// Returns the anchor of a heading: lower-case letters and digits, with dashes for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for page in documents() {
        let text = read_to_string(&page).unwrap();
        // Replays are written by `just book-replays`; the book's own test checks that each of them is.
        let is_here = |link: &&str| !link.starts_with("https://") && !link.starts_with("../replays/");
        for link in links(&text).filter(is_here) {
            let (file, place) =
                link.split_once('#').map_or((link, None), |(file, place)| (file, Some(place)));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name("").join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if let Some(place) = place {
                let target = read_to_string(&target).unwrap();
                let mut headings = target.lines().filter(|line| line.starts_with('#'));
                let is_there = headings.any(|line| anchor(line.trim_start_matches('#').trim()) == place);
                assert!(is_there, "{}: {link} names a heading that is not there", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 100, "links are not found any more");
}

#[test]
fn the_contents_of_the_book_are_all_its_pages_in_the_order_of_the_registry() {
    let contents = document("book/src/SUMMARY.md");
    let pages: Vec<_> = links(&contents).collect();
    let keys: Vec<_> = pages.iter().filter_map(|page| page.strip_prefix("planners/")).collect();
    assert_eq!(keys, ALGORITHMS.iter().map(|info| format!("{}.md", info.key)).collect::<Vec<_>>());
    for page in documents().iter().filter_map(|page| page.strip_prefix(root().join("book/src")).ok()) {
        let is_there = pages.iter().any(|name| Path::new(name) == page) || page == Path::new("SUMMARY.md");
        assert!(is_there, "{} is not in SUMMARY.md", page.display());
    }
}
