//! Named maps, generated on demand and always equal.

use super::{Generated, cave, corner, corridors::Corridors, maze, meeting, random, rooms::Rooms};
use crate::error::InputError;
use fleetfoot::registry::suggest;

/// Prefix of a map argument that names one of these.
pub const PREFIX: &str = "builtin:";

/// A map that is generated on demand.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Name after `builtin:`.
    pub name: &'static str,
    /// Description.
    pub about: &'static str,
    make: fn() -> Result<Generated, InputError>,
}

impl Builtin {
    /// Generates the map.
    ///
    /// # Errors
    /// Never for built-in maps (tested). The signature is that of the generators.
    pub fn make(&self) -> Result<Generated, InputError> {
        (self.make)()
    }
}

/// All built-in maps. A name never changes its map, since results refer to it.
pub const BUILTINS: &[Builtin] = &[
    Builtin { name: "cave256", about: "game-like landscape", make: || cave::generate(256, 256, 1) },
    Builtin { name: "cave512", about: "game-like landscape", make: || cave::generate(512, 512, 1) },
    Builtin { name: "cave1024", about: "game-like landscape", make: || cave::generate(1024, 1024, 1) },
    Builtin { name: "maze151", about: "maze, corridors of 1 cell", make: || maze::generate(151, 151, 1, 1) },
    Builtin { name: "maze512", about: "maze, corridors of 4 cells", make: || maze::generate(512, 512, 4, 1) },
    Builtin { name: "rooms100", about: "rooms of 9x9 cells", make: || rooms(101, 9) },
    Builtin { name: "rooms512", about: "rooms of 31x31 cells", make: || rooms(513, 31) },
    Builtin { name: "doors100", about: "rooms of 10x10 cells, all doors there", make: || doors(100, 10) },
    Builtin {
        name: "random512",
        about: "25 % of the cells blocked",
        make: || random::generate(512, 512, 25, 1),
    },
    Builtin { name: "corner40", about: "the corner depression", make: || corner::generate(40) },
    Builtin {
        name: "corridors",
        about: "two corridors, the tempting one is longer",
        make: || Corridors { length: 60, width: 3, detour: 20, hall: 0 }.generate(),
    },
    Builtin {
        name: "passage1",
        about: "two rooms, a passage of 30x1 cells",
        make: || meeting::rooms(17, 1, 30),
    },
    Builtin { name: "passage2", about: "the same, 2 cells wide", make: || meeting::rooms(17, 2, 30) },
    Builtin { name: "passage3", about: "the same, 3 cells wide", make: || meeting::rooms(17, 3, 30) },
    Builtin { name: "doorway", about: "two rooms, a door of 1 cell", make: || meeting::rooms(31, 1, 1) },
    Builtin { name: "crossing", about: "four arms, 4 cells wide", make: || meeting::crossing(20, 4) },
    Builtin { name: "field", about: "open ground", make: || meeting::field(68, 44) },
];

fn rooms(side: u32, size: u32) -> Result<Generated, InputError> {
    Rooms { width: side, height: side, size, door_percent: 70, centred: false, connected: true }.generate(1)
}

/// Generates rooms as in the experiments with real-time D*: a door in the middle of every shared wall.
fn doors(side: u32, size: u32) -> Result<Generated, InputError> {
    Rooms { width: side, height: side, size, door_percent: 100, centred: true, connected: true }.generate(1)
}

/// Returns the map with this name, without `builtin:`.
///
/// # Errors
/// If there is none; the error lists the names.
pub fn find(name: &str) -> Result<&'static Builtin, InputError> {
    BUILTINS.iter().find(|builtin| builtin.name == name).ok_or_else(|| {
        let names: Vec<_> = BUILTINS.iter().map(|builtin| builtin.name).collect();
        InputError::new(format!("there is no map {PREFIX}{name}"), suggest(name, &names))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_can_be_made_and_have_a_way() {
        for builtin in BUILTINS {
            let made = builtin.make().unwrap();
            let (_, size) = made.map.largest_component().unwrap();
            assert!(size > made.map.passable_count() / 2, "{}", builtin.name);
        }
        assert!(find("cave").is_err_and(|e| e.to_string().contains("cave512")));
    }
}
