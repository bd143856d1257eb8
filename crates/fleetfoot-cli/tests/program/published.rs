//! Compares our optimal lengths with those of published maps, if `FLEETFOOT_MAPS` names a folder of them.

use std::path::{Path, PathBuf};

use super::Folder;

fn maps(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            maps(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "map")
            && path.with_extension("map.scen").exists()
        {
            found.push(path);
        }
    }
}

#[test]
fn optimal_lengths_are_reproduced() {
    let Some(folder) = std::env::var_os("FLEETFOOT_MAPS") else { return };
    let mut found = Vec::new();
    maps(Path::new(&folder), &mut found);
    found.sort();
    for map in found.iter().step_by(8) {
        let done = Folder::new().run(&[
            "run",
            map.to_str().unwrap(),
            "--budget",
            "inf",
            "--take",
            "5",
            "--format",
            "jsonl",
        ]);
        // Differing lengths would cause a warning.
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{}", map.display());
        assert!(done.out.lines().all(|row| row.contains("\"ratio\":1.0,")), "{}", map.display());
    }
}
