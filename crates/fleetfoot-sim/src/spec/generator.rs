//! Generators of maps as text: the one list of their parameters and defaults.

use std::fmt;
use std::str::FromStr;

use crate::call::Call;
use crate::error::InputError;
use crate::generate::{Generated, cave, corner, corridors::Corridors, maze, random, rooms::Rooms};

/// A generator with all its parameters, as text: `maze(width=151,height=151,corridor=1,seed=0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// `maze(width,height,corridor,seed)`: a perfect maze.
    Maze {
        /// Columns and rows.
        size: (u32, u32),
        /// Width of corridors.
        corridor: u32,
        /// Seed.
        seed: u64,
    },
    /// `cave(width,height,seed)`: a game-like landscape.
    Cave {
        /// Columns and rows.
        size: (u32, u32),
        /// Seed.
        seed: u64,
    },
    /// `rooms(width,height,room,doors,centred,connected,seed)`: rooms with doors.
    Rooms {
        /// Columns and rows.
        size: (u32, u32),
        /// Side of a room without walls.
        room: u32,
        /// Probability of a door between two adjacent rooms, in percent.
        doors: u32,
        /// Doors are in the middle of their walls instead of at a random position.
        centred: bool,
        /// Adds doors until every room is reachable.
        connected: bool,
        /// Seed.
        seed: u64,
    },
    /// `random(width,height,blocked,seed)`: scattered obstacles.
    Random {
        /// Columns and rows.
        size: (u32, u32),
        /// Share of blocked cells, in percent.
        blocked: u32,
        /// Seed.
        seed: u64,
    },
    /// `corner(side)`: a wall bent around the path to the goal.
    Corner {
        /// Columns and rows.
        side: u32,
    },
    /// `corridors(length,width,detour,hall)`: two corridors, of which the tempting one is longer or a dead end.
    Corridors(Corridors),
}

/// The generators with their parameters and the defaults of these.
const GENERATORS: [(&str, &[(&str, &str)]); 6] = [
    ("maze", &[("width", "151"), ("height", "151"), ("corridor", "1"), ("seed", "0")]),
    ("cave", &[("width", "512"), ("height", "512"), ("seed", "0")]),
    (
        "rooms",
        &[
            ("width", "100"),
            ("height", "100"),
            ("room", "10"),
            ("doors", "100"),
            ("centred", "true"),
            ("connected", "true"),
            ("seed", "0"),
        ],
    ),
    ("random", &[("width", "512"), ("height", "512"), ("blocked", "25"), ("seed", "0")]),
    ("corner", &[("side", "40")]),
    ("corridors", &[("length", "60"), ("width", "3"), ("detour", "20"), ("hall", "0")]),
];

impl Made {
    /// Returns the generators and their parameters, for error messages.
    pub(super) fn list() -> String {
        let one = |(name, params): &(&str, &[(&str, &str)])| {
            let names: Vec<_> = params.iter().map(|(name, _)| *name).collect();
            format!("{name}({})", names.join(","))
        };
        let all: Vec<_> = GENERATORS.iter().map(one).collect();
        format!("{}, scaled(MAP,FACTOR)", all.join(", "))
    }

    /// Returns `true` if a text begins with the name of a generator.
    pub(super) fn is_named(text: &str) -> bool {
        let name = text.split('(').next().unwrap_or_default().trim();
        GENERATORS.iter().any(|(known, _)| *known == name)
    }

    /// Returns columns and rows of the map; they saturate.
    pub fn size(&self) -> (u32, u32) {
        match *self {
            Self::Maze { size, .. }
            | Self::Cave { size, .. }
            | Self::Rooms { size, .. }
            | Self::Random { size, .. } => size,
            Self::Corner { side } => (side, side),
            Self::Corridors(corridors) => corridors.size(),
        }
    }

    /// Generates the map.
    ///
    /// # Errors
    /// If the parameters make no map.
    pub fn make(&self) -> Result<Generated, InputError> {
        match *self {
            Self::Maze { size: (w, h), corridor, seed } => maze::generate(w, h, corridor, seed),
            Self::Cave { size: (w, h), seed } => cave::generate(w, h, seed),
            Self::Rooms { size: (width, height), room, doors, centred, connected, seed } => {
                Rooms { width, height, size: room, door_percent: doors, centred, connected }.generate(seed)
            }
            Self::Random { size: (w, h), blocked, seed } => random::generate(w, h, blocked, seed),
            Self::Corner { side } => corner::generate(side),
            Self::Corridors(corridors) => corridors.generate(),
        }
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Maze { size: (w, h), corridor, seed } => {
                write!(f, "maze(width={w},height={h},corridor={corridor},seed={seed})")
            }
            Self::Cave { size: (w, h), seed } => write!(f, "cave(width={w},height={h},seed={seed})"),
            Self::Rooms { size: (w, h), room, doors, centred, connected, seed } => {
                write!(f, "rooms(width={w},height={h},room={room},doors={doors}")?;
                if !centred {
                    f.write_str(",centred=false")?;
                }
                if !connected {
                    f.write_str(",connected=false")?;
                }
                write!(f, ",seed={seed})")
            }
            Self::Random { size: (w, h), blocked, seed } => {
                write!(f, "random(width={w},height={h},blocked={blocked},seed={seed})")
            }
            Self::Corner { side } => write!(f, "corner(side={side})"),
            Self::Corridors(Corridors { length, width, detour, hall: 0 }) => {
                write!(f, "corridors(length={length},width={width},detour={detour})")
            }
            Self::Corridors(Corridors { length, width, detour, hall }) => {
                write!(f, "corridors(length={length},width={width},detour={detour},hall={hall})")
            }
        }
    }
}

impl FromStr for Made {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let call = Call::parse(text)?;
        let Some((_, params)) = GENERATORS.iter().find(|(name, _)| *name == call.name()) else {
            let what = format!("there is no generator `{}`", call.name());
            return Err(InputError::new(what, format!("use one of {}", Self::list())));
        };
        let names: Vec<_> = params.iter().map(|(name, _)| *name).collect();
        call.only(&names)?;
        let default =
            |name: &str| params.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        let number = |name: &str| call.value(name, default(name).parse().unwrap_or(0));
        let is_on = |name: &str| call.value(name, default(name) == "true");
        let size = || Ok::<_, InputError>((number("width")?, number("height")?));
        let seed = || call.value("seed", 0);
        Ok(match call.name() {
            "maze" => Self::Maze { size: size()?, corridor: number("corridor")?, seed: seed()? },
            "cave" => Self::Cave { size: size()?, seed: seed()? },
            "rooms" => Self::Rooms {
                size: size()?,
                room: number("room")?,
                doors: number("doors")?,
                centred: is_on("centred")?,
                connected: is_on("connected")?,
                seed: seed()?,
            },
            "random" => Self::Random { size: size()?, blocked: number("blocked")?, seed: seed()? },
            "corner" => Self::Corner { side: number("side")? },
            _ => Self::Corridors(Corridors {
                length: number("length")?,
                width: number("width")?,
                detour: number("detour")?,
                hall: number("hall")?,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generator_has_its_defaults_and_prints_back() {
        for (name, params) in GENERATORS {
            let made: Made = name.parse().unwrap();
            let given: Vec<_> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(format!("{name}({})", given.join(",")).parse::<Made>().unwrap(), made);
            assert_eq!(made.to_string().parse::<Made>().unwrap(), made);
            let error = format!("{name}(speed=1)").parse::<Made>().unwrap_err().to_string();
            assert!(params.iter().all(|(name, _)| error.contains(name)), "{error}");
        }
        assert!("cavern".parse::<Made>().unwrap_err().to_string().contains("cave(width,height,seed)"));
    }

    #[test]
    fn rooms_may_have_doors_anywhere_and_rooms_without_one() {
        let text = "rooms(width=41,height=41,room=9,doors=30,centred=false,connected=false,seed=2)";
        let made: Made = text.parse().unwrap();
        assert_eq!(made.to_string(), text);
        let usual: Made = "rooms(width=41,height=41,room=9,doors=30,seed=2)".parse().unwrap();
        assert_ne!(made.make().unwrap().map, usual.make().unwrap().map);
    }
}
