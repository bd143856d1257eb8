//! Square rooms with doors between adjacent rooms.

use super::{Generated, SeededRng, check_percent, rooms_along};
use crate::error::InputError;
use crate::map::{GridMap, Sets};

/// A map of square rooms with walls of one cell between and around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rooms {
    /// Columns of the map. Cells that do not make up a whole room stay wall.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// Side of a room, without walls.
    pub size: u32,
    /// Probability of a door between two adjacent rooms, in percent.
    pub door_percent: u32,
    /// Doors are in the middle of the shared wall instead of at a random position.
    pub centred: bool,
    /// Adds doors until every room is reachable.
    pub connected: bool,
}

impl Rooms {
    /// Generates the map with a list of its doors.
    ///
    /// # Errors
    /// If a room has no cells, a side is too short for a room, the percentage is above 100, or the map would be too
    /// large.
    pub fn generate(&self, seed: u64) -> Result<Generated, InputError> {
        if self.size == 0 {
            return Err(InputError::new("the rooms have 0 cells", "make their side at least 1"));
        }
        check_percent("the share of doors", self.door_percent)?;
        let across = rooms_along("width", self.width, self.size)?;
        let down = rooms_along("height", self.height, self.size)?;
        let mut map = GridMap::new(self.width, self.height, b'@')?;
        for y in 0..down {
            for x in 0..across {
                map.fill(self.corner(x), self.corner(y), self.size, self.size, b'.');
            }
        }
        let mut doors = self.doors(across, down, &mut SeededRng::new(seed));
        doors.sort_unstable_by_key(|&(x, y)| (y, x));
        for &(x, y) in &doors {
            map.set(x, y, b'.');
        }
        Ok(Generated { doors, ..Generated::plain(map) })
    }

    fn corner(&self, room: u32) -> u32 {
        1 + room * (self.size + 1)
    }

    fn doors(&self, across: u32, down: u32, dice: &mut SeededRng) -> Vec<(u32, u32)> {
        let mut joined = Sets::with_len(across * down);
        let (mut doors, mut closed) = (Vec::new(), Vec::new());
        for (x, y) in (0..down).flat_map(|y| (0..across).map(move |x| (x, y))) {
            let room = y * across + x;
            let right = (x + 1 < across).then(|| (room + 1, self.door(x, y, true, dice)));
            let below = (y + 1 < down).then(|| (room + across, self.door(x, y, false, dice)));
            for (other, door) in right.into_iter().chain(below) {
                if dice.percent(self.door_percent) {
                    joined.join(room, other);
                    doors.push(door);
                } else {
                    closed.push((room, other, door));
                }
            }
        }
        if self.connected {
            dice.shuffle(&mut closed);
            for (room, other, door) in closed {
                if joined.find(room) != joined.find(other) {
                    joined.join(room, other);
                    doors.push(door);
                }
            }
        }
        doors
    }

    /// Returns the cell of the door to the room on the right, or below.
    fn door(&self, x: u32, y: u32, right: bool, dice: &mut SeededRng) -> (u32, u32) {
        let along = if self.centred { self.size / 2 } else { dice.below(self.size) };
        let (left, top) = (self.corner(x), self.corner(y));
        if right { (left + self.size, top + along) } else { (left + along, top + self.size) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::checksum;
    use super::*;

    const ROOMS: Rooms =
        Rooms { width: 65, height: 41, size: 7, door_percent: 50, centred: false, connected: true };

    #[test]
    fn doors_are_cells_of_walls_between_rooms() {
        let made = ROOMS.generate(3).unwrap();
        assert_eq!(made.map.passable_count() as usize, 8 * 5 * 49 + made.doors.len());
        for &(x, y) in &made.doors {
            assert!(made.map.passable(x, y));
            assert!((x % 8 == 0) != (y % 8 == 0), "({x}, {y})");
        }
        assert!(made.doors.is_sorted_by_key(|&(x, y)| (y, x)));
        // 67 shared walls in all, half of them with a door, and some more to connect.
        assert!((28..60).contains(&made.doors.len()), "{}", made.doors.len());
    }

    #[test]
    fn connects_if_asked() {
        let parts = |rooms: Rooms, seed| rooms.generate(seed).unwrap().map.components().sizes.len();
        for seed in 0..20 {
            assert_eq!(parts(ROOMS, seed), 1);
            assert_eq!(parts(Rooms { door_percent: 0, ..ROOMS }, seed), 1);
        }
        let tree = Rooms { door_percent: 0, ..ROOMS }.generate(1).unwrap();
        assert_eq!(tree.doors.len(), 8 * 5 - 1);
        assert_eq!(parts(Rooms { door_percent: 0, connected: false, ..ROOMS }, 1), 40);
        let all = Rooms { door_percent: 100, centred: true, ..ROOMS }.generate(1).unwrap();
        assert_eq!(all.doors.len(), 7 * 5 + 8 * 4);
        assert!(all.doors.iter().all(|&(x, y)| x % 8 == 4 || y % 8 == 4));
    }

    #[test]
    fn golden() {
        assert_eq!(checksum(&ROOMS.generate(1).unwrap().map), 5_156_915_380_142_822_055);
    }

    #[test]
    fn refuses() {
        assert!(Rooms { size: 0, ..ROOMS }.generate(0).is_err());
        assert!(Rooms { size: u32::MAX, ..ROOMS }.generate(0).is_err());
        assert!(Rooms { width: 8, ..ROOMS }.generate(0).is_err());
        assert!(Rooms { door_percent: 101, ..ROOMS }.generate(0).is_err());
        assert!(Rooms { width: u32::MAX, height: u32::MAX, size: 1, ..ROOMS }.generate(0).is_err());
    }
}
