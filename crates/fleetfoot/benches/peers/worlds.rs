//! Maps for comparisons: generated ones, and published ones if available.

use std::path::{Path, PathBuf};

use fleetfoot_sim::formats::{map::read_map, scen::read_scen};
use fleetfoot_sim::map::GridMap;

use crate::common::{Case, Pair};

/// The published sets that come from games or cities.
const SETS: [&str; 5] = ["bg512", "wc3maps512", "dao", "sc1", "street"];

/// Returns landscapes of 512² to 1024² cells.
pub(crate) fn game_like(quick: bool) -> Vec<(String, Case)> {
    let (seeds, per_set) = if quick { (1, 1) } else { (3, 3) };
    let sides = [512, 768, 1024].into_iter();
    let mut cases: Vec<(String, Case)> =
        sides.flat_map(|side| (1..=seeds).map(move |seed| cave(side, seed, 8))).collect();
    for set in SETS {
        cases.extend(
            published(set, per_set, 8).into_iter().map(|(name, map, pairs)| (name, Case::new(&map, &pairs))),
        );
    }
    cases
}

fn cave(side: u32, seed: u64, problems: usize) -> (String, Case) {
    (format!("cave{side}-{seed}"), Case::cave(side, seed, problems))
}

/// Returns maps of 4096² cells: a generated one, and published ones scaled up.
pub(crate) fn huge() -> Vec<(String, Case)> {
    let mut cases = vec![cave(4096, 1, 3)];
    for set in ["bg512", "wc3maps512"] {
        for (name, map, pairs) in published(set, 1, 3) {
            let map = map.scaled(8).expect("4096² cells");
            let centre = |(x, y)| (8 * x + 4, 8 * y + 4);
            let pairs: Vec<Pair> = pairs.into_iter().map(|(a, b)| (centre(a), centre(b))).collect();
            cases.push((format!("{name} x8"), Case::new(&map, &pairs)));
        }
    }
    cases
}

/// Returns up to `count` maps of a published set, evenly chosen among those with 512² to 1024² cells, each with
/// problems from the harder half of its scenario.
fn published(set: &str, count: usize, problems: usize) -> Vec<(String, GridMap, Vec<Pair>)> {
    let Some(folder) = std::env::var_os("FLEETFOOT_MAPS") else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(Path::new(&folder).join(set)) else {
        println!("there is no {set} in FLEETFOOT_MAPS; skipped");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "map"));
    files.sort();
    let maps = files.iter().filter_map(|path| Some((path, read_map(path).ok()?)));
    let fitting = |map: &GridMap| [map.width(), map.height()].iter().all(|side| (512..=1025).contains(side));
    let maps: Vec<_> = maps.filter(|(_, map)| fitting(map)).collect();
    let count = count.min(maps.len());
    let chosen = (0..count).map(|k| &maps[k * maps.len() / count]);
    let with_problems = chosen.filter_map(|(path, map)| {
        let lines = read_scen(path.with_extension("map.scen")).ok()?;
        let half = lines.len() / 2;
        let pairs =
            (0..problems).map(|k| &lines[half + k * half / problems]).map(|line| (line.start, line.goal));
        let name = path.file_stem()?.to_string_lossy();
        Some((format!("{set}/{name}"), map.clone(), pairs.collect()))
    });
    with_problems.collect()
}
