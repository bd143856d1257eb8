//! `fleetfoot map generate`.

use std::path::{Path, PathBuf};

use fleetfoot::{Diagonal, Rules};
use fleetfoot_sim::episode::{Runner, Task};
use fleetfoot_sim::error::InputError;
use fleetfoot_sim::formats::map::write_map;
use fleetfoot_sim::formats::scen::{Problem, write_scen};
use fleetfoot_sim::generate::problems::Pair;
use fleetfoot_sim::generate::{Generated, corridors::Corridors};
use fleetfoot_sim::map::GridMap;
use fleetfoot_sim::spec::Made;
use fleetfoot_sim::world::{Terrain, World};

use crate::args::{GenerateArgs, Generator, SizeArgs};
use crate::failure::Failure;

pub(super) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    let Some(file) = &args.output else {
        return Err(InputError::new("no file is named for the map", "add -o FILE").into());
    };
    let Generated { map, start, goal, .. } = args.kind.with_seed(args.seed).make()?;
    let problem = start.zip(goal).map(|pair| problem(&map, file, pair)).transpose()?;
    write_map(file, &map)?;
    if let Some(problem) = problem {
        let mut scenario = file.clone().into_os_string();
        scenario.push(".scen");
        write_scen(PathBuf::from(scenario), &[problem])?;
    }
    Ok(())
}

impl Generator {
    /// Returns the generator with its parameters.
    fn with_seed(&self, seed: u64) -> Made {
        let both = |size: SizeArgs| (size.width, size.height);
        match *self {
            Self::Maze { size, corridor } => Made::Maze { size: both(size), corridor, seed },
            Self::Rooms { size, room, doors, centred, unconnected } => {
                Made::Rooms { size: both(size), room, doors, centred, connected: !unconnected, seed }
            }
            Self::Random { size, blocked } => Made::Random { size: both(size), blocked, seed },
            Self::Corner { side } => Made::Corner { side },
            Self::Cave { size } => Made::Cave { size: both(size), seed },
            Self::Corridors { length, width, detour, hall } => {
                Made::Corridors(Corridors { length, width, detour, hall })
            }
        }
    }
}

/// Returns the problem that a map was made around, as a line of a scenario.
fn problem(map: &GridMap, file: &Path, (start, goal): Pair) -> Result<Problem, InputError> {
    let grid = Terrain::default().grid(map, Rules::default())?;
    let world = World::known(&grid.into());
    let length = Runner::new().optimal(&Task::new(&world, start, goal)?);
    let Some(length) = length else {
        return Err(InputError::new("the map has no path from start to goal", "choose other parameters"));
    };
    let optimal = length.value(Diagonal::Sqrt2);
    #[expect(clippy::cast_sign_loss, reason = "lengths are not negative")]
    let bucket = (optimal / 4.0) as u32;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Problem {
        bucket,
        map: name,
        width: map.width(),
        height: map.height(),
        start,
        goal,
        optimal,
        line: None,
    })
}
