//! Maps and problems: those of a folder by sets, or generated ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fleetfoot::Rules;
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::generate::Generated;

use super::super::Setup;
use super::super::games::cave;
use fleetfoot_lab::places::{Made, MapSource};
use fleetfoot_lab::problems::{LengthRange, ScenarioSelection, numbered, random_within, scenario_beside};
use fleetfoot_lab::run::Problem;

/// Maps of one kind, with their problems.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) maps: Vec<(MapSource, Vec<Problem>)>,
}

/// Maximum depth of nested folders.
const DEPTH: u32 = 4;
/// Seed of random problems.
const SEED: u64 = 1;

/// Maps that are generated without a folder of maps.
const GENERATED: [(&str, Made); 7] = [
    ("caves", cave(512, 1)),
    ("caves", cave(512, 2)),
    ("caves", cave(512, 3)),
    ("clutter", Made::Random { size: (256, 256), blocked: 25, seed: 1 }),
    ("mazes", Made::Maze { size: (161, 161), corridor: 4, seed: 1 }),
    ("rooms", Made::Rooms { size: (256, 256), room: 15, doors: 80, centred: true, connected: true, seed: 1 }),
    ("rooms", Made::Rooms { size: (256, 256), room: 7, doors: 80, centred: true, connected: true, seed: 2 }),
];

/// Returns all sets, and notes about their maps.
pub(super) fn sets(setup: &Setup) -> Result<(Vec<Set>, Vec<String>), InputError> {
    let each = setup.scale.pick(4, 15);
    let mut notes = Vec::new();
    let mut sets: BTreeMap<String, Vec<(MapSource, Vec<Problem>)>> = BTreeMap::new();
    if let Some(folder) = &setup.maps {
        let mut skipped = Vec::new();
        for (set, paths) in found(folder)? {
            let few = if super::claims::is_warcraft(&set) { 6 } else { 3 };
            let most = setup.scale.pick(few, u64::MAX);
            for path in spread(&paths, most) {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                let (map, name) = (MapSource::file(&format!("{set}/{file}"), path)?, format!("{set}/{file}"));
                match problems(&map, Some(path), window(&set), each)? {
                    Some(problems) => sets.entry(set.clone()).or_default().push((map, problems)),
                    None => skipped.push(name),
                }
            }
        }
        if !skipped.is_empty() {
            notes.push(format!("maps without two cells that are connected: {}", skipped.join(", ")));
        }
    } else {
        notes.push(
            "generated maps, since no folder of game maps was given (--maps DIR or FLEETFOOT_MAPS)".into(),
        );
        for (set, made) in GENERATED {
            let map = MapSource::Made(made);
            if let Some(problems) = problems(&map, None, window(set), each)? {
                sets.entry(set.into()).or_default().push((map, problems));
            }
        }
    }
    if sets.is_empty() {
        let what = "there is no map in this folder that one can walk on";
        let remedy = "name a folder with MovingAI maps (*.map) in it or in its folders, or leave --maps out";
        let error = InputError::new(what, remedy);
        return Err(match &setup.maps {
            Some(folder) => error.with_file(folder),
            None => error,
        });
    }
    for (set, maps) in &sets {
        let names: Vec<String> =
            maps.iter().map(|(map, problems)| format!("{map} ({})", problems.len())).collect();
        notes.push(format!("maps of set {set}, with problems: {}", names.join(", ")));
    }
    Ok((sets.into_iter().map(|(name, maps)| Set { name, maps }).collect(), notes))
}

/// Returns the lengths of problems, from the papers if they give any.
fn window(set: &str) -> LengthRange {
    if super::claims::is_warcraft(set) {
        LengthRange::new(230.0, 320.0)
    } else {
        LengthRange::new(100.0, f64::INFINITY)
    }
}

/// Finds maps and groups them by the folder that contains them, in alphabetical order.
pub(in super::super) fn found(folder: &Path) -> Result<BTreeMap<String, Vec<PathBuf>>, InputError> {
    if !folder.is_dir() {
        let what = "there is no such folder of maps";
        let remedy = "name a folder with MovingAI maps (*.map) in it or in its folders, such as wc3maps512, or leave --maps out";
        return Err(InputError::new(what, remedy).with_file(folder));
    }
    let mut sets: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((here, depth)) = folders.pop() {
        let refuse = |cause: std::io::Error| InputError::io(&here, "read", &cause);
        for entry in fs::read_dir(&here).map_err(refuse)? {
            let path = entry.map_err(refuse)?.path();
            if path.is_dir() && depth < DEPTH {
                folders.push((path, depth + 1));
            } else if path.is_file() && path.extension().is_some_and(|ending| ending == "map") {
                let set = here.file_name().map_or("maps".into(), |name| name.to_string_lossy().into_owned());
                sets.entry(set).or_default().push(path);
            }
        }
    }
    for paths in sets.values_mut() {
        paths.sort();
    }
    Ok(sets)
}

/// Selects at most `most` maps, evenly spread.
fn spread(paths: &[PathBuf], most: u64) -> impl Iterator<Item = &PathBuf> {
    let take = paths.len().min(usize::try_from(most).unwrap_or(usize::MAX));
    (0..take).map(move |k| &paths[k * paths.len() / take])
}

/// Returns a map's problems. Returns `None` if the map has no two connected cells.
fn problems(
    map: &MapSource,
    path: Option<&Path>,
    window: LengthRange,
    each: u64,
) -> Result<Option<Vec<Problem>>, InputError> {
    let Generated { map: grid, .. } = map.load()?;
    if let Some((path, scen)) = path.and_then(|path| Some((path, scenario_beside(path)?))) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let read = |window| ScenarioSelection::read(&scen, (&grid, &name), false, window, Some(each));
        // An error in the file itself is reported by the second attempt.
        let chosen = read(Some(window)).or_else(|_| read(None))?;
        // Some scenarios have lines with equal start and goal.
        let lines = chosen.lines.into_iter().filter(|(_, line)| line.start != line.goal);
        let problems: Vec<Problem> = lines
            .map(|(index, line)| Problem { index: index as u64, start: line.start, goal: line.goal })
            .collect();
        if !problems.is_empty() {
            return Ok(Some(problems));
        }
    }
    let draw = |window| random_within(&grid, Rules::default(), window, each as usize, SEED);
    Ok(draw(Some(window)).or_else(|_| draw(None)).ok().map(numbered))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n....\n....\n";

    fn setup(maps: &Path) -> Setup {
        Setup { maps: Some(maps.to_owned()), ..Setup::default() }
    }

    #[test]
    fn any_folder_will_do() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(sets(&setup(folder.path())).unwrap_err().to_string().contains("no map in this folder"));
        assert!(sets(&setup(&at("x"))).unwrap_err().to_string().contains("no such folder of maps"));
        fs::create_dir_all(at("deep/b")).unwrap();
        fs::create_dir_all(at("a")).unwrap();
        // One with a scenario, one without, one without free cells.
        fs::write(at("a/one.map"), MAP).unwrap();
        fs::write(at("a/one.map.scen"), "version 1\n0\tone.map\t4\t2\t0\t0\t3\t1\t3.41421356\n").unwrap();
        fs::write(at("deep/b/two.map"), MAP).unwrap();
        fs::write(at("deep/b/wall.map"), MAP.replace('.', "@")).unwrap();
        let (found, notes) = sets(&setup(folder.path())).unwrap();
        let names: Vec<&str> = found.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(found[0].maps[0].1, [Problem { index: 0, start: (0, 0), goal: (3, 1) }]);
        assert_eq!((found[1].maps.len(), found[1].maps[0].1.len()), (1, 4));
        assert!(notes.iter().any(|note| note.contains("b/wall.map")), "{notes:?}");
        fs::write(at("a/one.map.scen"), "version 1\nnonsense\n").unwrap();
        assert!(sets(&setup(folder.path())).unwrap_err().to_string().contains("one.map.scen"));
        fs::remove_file(at("a/one.map.scen")).unwrap();
        fs::write(at("a/one.map"), "type octile\nheight 9\n").unwrap();
        assert!(sets(&setup(folder.path())).unwrap_err().to_string().contains("one.map"));
    }

    #[test]
    fn generated_maps_need_no_folder() {
        let (found, notes) = sets(&Setup::default()).unwrap();
        let names: Vec<&str> = found.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["caves", "clutter", "mazes", "rooms"]);
        assert!(found.iter().all(|set| set.maps.iter().all(|(_, problems)| problems.len() == 4)));
        assert!(notes[0].contains("no folder of game maps was given"));
    }
}
