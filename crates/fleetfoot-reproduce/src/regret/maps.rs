//! Maps and problems: those of a folder by sets, or generated ones; and rooms with doors.

use std::path::{Path, PathBuf};

use fleetfoot::{Rules, Scratch};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::world::Terrain;

use super::super::Setup;
use super::super::corners::maps::found;
use super::super::games::cave;
use super::Stage;
use fleetfoot_lab::places::{Made, MapSource};
use fleetfoot_lab::problems::{
    LengthRange, ScenarioSelection, numbered, optimal_length, random_within, scenario_beside,
};
use fleetfoot_lab::run::Problem;

/// Maps of one kind.
#[derive(Debug)]
pub(super) struct Set {
    /// The name of their folder, or of their generator.
    pub(super) name: String,
    pub(super) stages: Vec<Stage>,
}

/// Costs of shortest paths.
pub(super) const WINDOW: LengthRange = LengthRange::new(150.0, 350.0);
/// Seed of random problems.
const SEED: u64 = 1;
/// Number of maps of each set, and of problems on each map. Fewer than five problems would leave every claim undecided.
const MAPS: [u64; 2] = [3, 6];
const PROBLEMS: [u64; 2] = [5, 10];

/// Generated maps by kind, for use without a folder of maps.
const GENERATED: [(&str, [Made; 6]); 4] = [
    ("caves", [cave(512, 1), cave(384, 2), cave(256, 3), cave(512, 4), cave(384, 5), cave(256, 6)]),
    (
        "clutter",
        [clutter(10, 1), clutter(20, 2), clutter(30, 3), clutter(15, 4), clutter(25, 5), clutter(35, 6)],
    ),
    (
        "mazes",
        [
            maze(161, 8, 1),
            maze(161, 4, 2),
            maze(81, 1, 3),
            maze(257, 16, 4),
            maze(241, 8, 5),
            maze(121, 2, 6),
        ],
    ),
    (
        "rooms",
        [
            halls(15, 80, 1),
            halls(7, 80, 2),
            halls(31, 90, 3),
            halls(15, 60, 4),
            halls(7, 60, 5),
            halls(31, 70, 6),
        ],
    ),
];

const fn clutter(blocked: u32, seed: u64) -> Made {
    Made::Random { size: (256, 256), blocked, seed }
}

const fn maze(side: u32, corridor: u32, seed: u64) -> Made {
    Made::Maze { size: (side, side), corridor, seed }
}

const fn halls(room: u32, doors: u32, seed: u64) -> Made {
    Made::Rooms { size: (256, 256), room, doors, centred: true, connected: true, seed }
}

/// Returns the sets of maps, and notes about their maps.
pub(super) fn sets(setup: &Setup) -> Result<(Vec<Set>, Vec<String>), InputError> {
    let [maps, each] = [MAPS, PROBLEMS].map(|[quick, full]| setup.scale.pick(quick, full));
    let mut notes = Vec::new();
    let mut sets = Vec::new();
    if let Some(folder) = &setup.maps {
        for (name, paths) in found(folder)? {
            let stages = of_folder(&name, &paths, maps, each)?;
            if stages.is_empty() {
                notes.push(format!("not taken, since no map has problems of cost {WINDOW}: {name}"));
            } else {
                sets.push(Set { name, stages });
            }
        }
    } else {
        notes.push(
            "maps: generated, since no folder of game maps was given (--maps DIR or FLEETFOOT_MAPS)".into(),
        );
        for (name, made) in GENERATED {
            let maps =
                made.into_iter().take(usize::try_from(maps).unwrap_or(usize::MAX)).map(MapSource::Made);
            let stages = maps.filter_map(|map| drawn(map, each).transpose()).collect::<Result<_, _>>()?;
            sets.push(Set { name: name.to_owned(), stages });
        }
    }
    if sets.is_empty() {
        let what = format!("no map in this folder has problems of cost {WINDOW}");
        let error = InputError::new(what, "name a folder with larger maps, or leave --maps out");
        return Err(match &setup.maps {
            Some(folder) => error.with_file(folder),
            None => error,
        });
    }
    for Set { name, stages } in &sets {
        let names: Vec<String> =
            stages.iter().map(|(map, problems)| format!("{map} ({})", problems.len())).collect();
        notes.push(format!("maps of set {name}, with problems: {}", names.join(", ")));
    }
    Ok((sets, notes))
}

/// Returns rooms of 10×10 cells with doors, and problems that cross several of them.
pub(super) fn rooms(setup: &Setup) -> Result<Set, InputError> {
    let [maps, each] = [setup.scale.pick(3, 6), setup.scale.pick(5, 15)];
    let room = |seed: u64| Made::Rooms {
        size: (160, 160),
        room: 10,
        doors: 100,
        centred: true,
        connected: true,
        seed,
    };
    let stages = (1..=maps).map(|seed| drawn(MapSource::Made(room(seed)), each));
    let stages: Vec<Option<Stage>> = stages.collect::<Result<_, _>>()?;
    Ok(Set { name: "rooms with doors".into(), stages: stages.into_iter().flatten().collect() })
}

/// Chooses maps of a folder, evenly spread over their names. A map without problems is replaced by the next one.
fn of_folder(name: &str, paths: &[PathBuf], most: u64, each: u64) -> Result<Vec<Stage>, InputError> {
    let most = paths.len().min(usize::try_from(most).unwrap_or(usize::MAX));
    let (mut stages, mut next) = (Vec::new(), 0);
    for k in 0..most {
        next = next.max(k * paths.len() / most);
        while let Some(path) = paths.get(next) {
            next += 1;
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let map = MapSource::file(&format!("{name}/{file}"), path)?;
            if let Some(stage) = chosen(map, path, each)? {
                stages.push(stage);
                break;
            }
        }
    }
    Ok(stages)
}

/// Returns a map with problems of its scenario, or with random ones. Returns `None` if none has such a cost.
fn chosen(map: MapSource, path: &Path, each: u64) -> Result<Option<Stage>, InputError> {
    let Some(scen) = scenario_beside(path) else { return drawn(map, each) };
    let made = map.load()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let read = |window| ScenarioSelection::read(&scen, (&made.map, &name), false, window, Some(each));
    let Ok(chosen) = read(Some(WINDOW)) else {
        // An error in the file itself is reported by the second attempt.
        read(None)?;
        return Ok(None);
    };
    let problem = |(index, line): &(usize, fleetfoot_sim::formats::scen::Problem)| Problem {
        index: *index as u64,
        start: line.start,
        goal: line.goal,
    };
    let problems: Vec<Problem> = chosen.lines.iter().map(problem).collect();
    measured(map, problems)
}

/// Returns a map with random problems. Returns `None` if there are not enough of such a cost.
fn drawn(map: MapSource, each: u64) -> Result<Option<Stage>, InputError> {
    let made = map.load()?;
    let each = usize::try_from(each).unwrap_or(usize::MAX);
    let pairs = random_within(&made.map, Rules::default(), Some(WINDOW), each, SEED);
    pairs.map_or(Ok(None), |pairs| measured(map, numbered(pairs)))
}

/// Returns the problems with the costs of their shortest paths.
fn measured(map: MapSource, problems: Vec<Problem>) -> Result<Option<Stage>, InputError> {
    let made = map.load()?;
    let grid = Terrain::default().grid(&made.map, Rules::default())?;
    let mut scratch = Scratch::new();
    let cost = |problem: Problem| {
        let cost = optimal_length(&grid, (problem.start, problem.goal), &mut scratch)?;
        Some((problem, cost))
    };
    let problems: Vec<(Problem, f64)> = problems.into_iter().filter_map(cost).collect();
    Ok((!problems.is_empty()).then_some((map, problems)))
}
