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
