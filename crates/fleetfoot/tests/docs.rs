//! What the documents say is there is there.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use fleetfoot::registry::ALGORITHMS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    read_to_string(root().join(name)).expect("the document is there")
}

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_path_that_a_document_names_exists() {
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = document(name);
        for path in quoted(&text).filter(|word| word.starts_with("crates/") || *word == "fuzz") {
            assert!(root().join(path).exists(), "{name} names {path}, which does not exist");
        }
    }
}

#[test]
fn the_readme_lists_every_planner_and_no_other() {
    let text = document("README.md");
    let rows = text.lines().filter(|line| line.starts_with("| `")).filter_map(|line| quoted(line).next());
    let keys: Vec<_> = ALGORITHMS.iter().map(|info| info.key).collect();
    assert_eq!(rows.collect::<Vec<_>>(), keys);
}
