//! The layers of the fleet: what each part may use. Nothing points back, files stay short, and the façade stays small.

use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of lines in a file.
const LINES: usize = 400;
/// Maximum number of public methods of a fleet.
const METHODS: usize = 45;

/// The parts of the fleet, lowest first. Each may use those in its list.
const LAYERS: [(&str, &[&str]); 15] = [
    ("cell_set", &[]),
    ("line_of_sight", &[]),
    ("types", &[]),
    ("tuning", &[]),
    ("knowledge", &["types", "tuning", "line_of_sight"]),
    ("route", &["cell_set", "tuning", "line_of_sight"]),
    ("state", &["cell_set", "types", "tuning", "knowledge", "route"]),
    ("scheduler", &["types", "tuning", "knowledge", "route", "state"]),
    ("resolver", &["cell_set", "tuning"]),
    ("unjam", &["cell_set", "tuning", "resolver"]),
    ("moves", &["cell_set", "types", "tuning", "resolver", "unjam"]),
    ("guide", &["cell_set", "tuning", "line_of_sight", "knowledge", "route", "state", "resolver"]),
    ("fleet", &["cell_set", "types", "tuning", "knowledge", "state", "scheduler", "guide", "moves"]),
    ("tick", &["types", "tuning", "scheduler", "guide", "moves", "state", "fleet"]),
    (
        "save",
        &[
            "cell_set",
            "types",
            "tuning",
            "line_of_sight",
            "knowledge",
            "route",
            "state",
            "scheduler",
            "moves",
            "guide",
            "fleet",
            "unjam",
            "resolver",
        ],
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/fleet")
}

/// Returns all source files of the fleet with their text.
fn files() -> Vec<(PathBuf, String)> {
    let (mut folders, mut files) = (vec![folder()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                files.push((path.strip_prefix(self::folder()).expect("inside").to_path_buf(), text));
            }
        }
    }
    files
}

/// Returns the part that a file belongs to: its folder, or its own name.
fn part_of(path: &Path) -> String {
    let first = path.components().next().expect("a name").as_os_str();
    Path::new(first).file_stem().expect("a name").to_string_lossy().into_owned()
}

/// Returns the parts that a text names.
fn used(text: &str) -> Vec<String> {
    let names = text.split("crate::fleet::").skip(1);
    let end = |name: &&str| name.find(|c: char| !c.is_alphanumeric() && c != '_');
    names.filter_map(|name| Some(name[..end(&name)?].to_owned())).collect()
}

#[test]
fn no_layer_points_back() {
    for (k, (part, uses)) in LAYERS.iter().enumerate() {
        for other in *uses {
            let place = LAYERS.iter().position(|(name, _)| name == other).expect("a layer");
            assert!(place < k, "{part} uses {other}, which is not below it");
        }
    }
    for (path, text) in files() {
        let part = part_of(&path);
        if part == "mod" {
            continue;
        }
        let layer = LAYERS.iter().find(|(name, _)| *name == part);
        let (_, uses) = layer.unwrap_or_else(|| panic!("{} is in no layer", path.display()));
        for other in used(&text) {
            let may_use = other == part || uses.contains(&other.as_str());
            assert!(may_use, "{} uses {other}: {part} may use {uses:?}", path.display());
        }
        assert!(!text.contains("super::super"), "{} hides what it uses", path.display());
    }
}

#[test]
fn no_file_is_long() {
    for (path, text) in files() {
        let lines = text.lines().count();
        assert!(lines <= LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn the_facade_is_small() {
    let count = |path: &str| {
        let text = fs::read_to_string(folder().join(path)).expect("a source file");
        text.lines().filter(|line| line.starts_with("    pub fn ")).count()
    };
    let methods = count("fleet.rs") + count("save.rs");
    assert!((30..=METHODS).contains(&methods), "{methods} public methods");
}
