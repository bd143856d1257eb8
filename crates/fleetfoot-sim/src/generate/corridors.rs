//! Two corridors side by side: the one that looks shorter is longer or blocked at its far end, and an opening
//! half-way lets an agent cross over instead of going back to the start.

use super::Generated;
use crate::error::InputError;
use crate::map::GridMap;

/// Thickness of the wall between the corridors without a hall. Start and goal are in its first row, one row from the
/// upper corridor and three from the lower: a search prefers the upper one, and changing over half-way costs more
/// than taking the lower one at once.
const WALL: u32 = 3;

/// The map of two corridors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corridors {
    /// Columns from the start's chamber to the goal's.
    pub length: u32,
    /// Rows of each corridor, and columns of the chambers.
    pub width: u32,
    /// 0: the upper corridor is a dead end. From 3 on: it continues through a loop that climbs this number of rows,
    /// which is the longer path. From 5 on an agent half-way does better to cross over than to continue.
    pub detour: u32,
    /// Rows of a hall above the upper corridor, from behind the opening to its end; 0: no hall. The wall is then as
    /// thick as hall and corridor together are high, so that a search explores all of them before it tries the lower
    /// corridor. Meanwhile the agent of a slow search passes the opening, and is far down the wrong corridor when the
    /// best path is found, as in the TBA* paper's Figure 2, if its budget suits the map.
    pub hall: u32,
}

impl Corridors {
    /// Returns columns and rows of the map; they saturate.
    pub fn size(&self) -> (u32, u32) {
        let &Self { length, width, detour, hall } = self;
        let columns = length.saturating_add(width.saturating_mul(2)).saturating_add(2);
        let climb = detour.saturating_add(hall);
        let rows =
            climb.saturating_add(width.saturating_mul(2)).saturating_add(self.thick()).saturating_add(2);
        (columns, rows)
    }

    /// Returns the rows of the wall between the corridors.
    fn thick(&self) -> u32 {
        let &Self { width, hall, .. } = self;
        if hall == 0 { WALL } else { hall.saturating_add(width).saturating_add(1).max(WALL) }
    }

    /// Generates the map, with start and goal.
    ///
    /// # Errors
    /// If the corridors are shorter than 9 or have no rows, the detour is 1 or 2, or the map would be too large.
    pub fn generate(&self) -> Result<Generated, InputError> {
        let &Self { length, width, detour, hall } = self;
        if length < 9 {
            let what = format!("corridors of {length} cells are too short to part");
            return Err(InputError::new(what, "make them at least 9 long"));
        }
        if width == 0 {
            return Err(InputError::new("the corridors are 0 cells wide", "make them at least 1 wide"));
        }
        if (1..3).contains(&detour) {
            let what = format!("with a detour of {detour} the upper corridor can be the shorter one");
            return Err(InputError::new(what, "make it at least 3, or 0 for a dead end"));
        }
        let ((columns, rows), thick, climb) = (self.size(), self.thick(), detour.saturating_add(hall));
        let mut map = GridMap::new(columns, rows, b'@')?;
        let (upper, wall, lower) = (1 + climb, 1 + climb + width, 1 + climb + width + thick);
        let (begin, end) = (1 + width, 1 + width + length);
        for chamber in [1, end] {
            map.fill(chamber, upper, width, rows - 1 - upper, b'.');
        }
        // One column before the goal's chamber stays closed.
        map.fill(begin, upper, length - 1, width, b'.');
        map.fill(begin, lower, length, width, b'.');
        map.fill(begin + length / 2, wall, 1, thick, b'.');
        let behind = begin + length / 2 + 2;
        map.fill(behind, 1 + detour, end - 3 - behind, hall, b'.');
        if detour > 0 {
            map.fill(end - 2, 1, 1, climb, b'.');
            map.fill(end - 1, 1, 1, 1, b'.');
            map.fill(end, 1, 1, climb, b'.');
        }
        Ok(Generated::problem(map, (1, wall), (columns - 2, wall)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{checksum, distances};
    use super::*;

    const PLAIN: Corridors = Corridors { length: 9, width: 2, detour: 0, hall: 0 };

    #[test]
    fn looks_as_drawn() {
        let made = PLAIN.generate().unwrap();
        let drawn = [
            "@@@@@@@@@@@@@@@",
            "@..........@..@",
            "@..........@..@",
            "@..@@@@.@@@@..@",
            "@..@@@@.@@@@..@",
            "@..@@@@.@@@@..@",
            "@.............@",
            "@.............@",
            "@@@@@@@@@@@@@@@",
        ];
        assert_eq!(made.map, GridMap::from_rows(&drawn).unwrap());
        assert_eq!((made.start, made.goal), (Some((1, 3)), Some((13, 3))));
        let looped = Corridors { detour: 3, ..PLAIN }.generate().unwrap();
        let rows = ["@@@@@@@@@@@@@@@", "@@@@@@@@@@...@@", "@@@@@@@@@@.@.@@"];
        assert!(looped.map.cells().starts_with(rows.concat().as_bytes()));
        let made = Corridors { length: 14, width: 1, detour: 3, hall: 2 }.generate().unwrap();
        let drawn = [
            "@@@@@@@@@@@@@@@@@@",
            "@@@@@@@@@@@@@@...@",
            "@@@@@@@@@@@@@@.@.@",
            "@@@@@@@@@@@@@@.@.@",
            "@@@@@@@@@@@..@.@.@",
            "@@@@@@@@@@@..@.@.@",
            "@..............@.@",
            "@.@@@@@@@.@@@@@@.@",
            "@.@@@@@@@.@@@@@@.@",
            "@.@@@@@@@.@@@@@@.@",
            "@.@@@@@@@.@@@@@@.@",
            "@................@",
            "@@@@@@@@@@@@@@@@@@",
        ];
        assert_eq!(made.map, GridMap::from_rows(&drawn).unwrap());
    }

    /// Checks that the optimal path takes the lower corridor from the start, and that the opening saves going back
    /// from half-way down the upper one.
    #[test]
    fn the_lower_corridor_is_best_and_the_opening_a_shortcut() {
        let plain =
            [(9, 1, 0), (60, 3, 0), (60, 3, 3), (9, 1, 3), (9, 1, 5), (9, 9, 3), (200, 8, 5), (200, 1, 9)];
        let halls = [(14, 1, 0, 2), (100, 1, 20, 15), (60, 2, 5, 9)];
        let plain = plain.map(|(length, width, detour)| (length, width, detour, 0));
        for (length, width, detour, hall) in plain.into_iter().chain(halls) {
            let made = Corridors { length, width, detour, hall }.generate().unwrap();
            let thick = if hall == 0 { WALL } else { hall + width + 1 };
            let (start, goal) = (made.start.unwrap(), made.goal.unwrap());
            let best = distances(&made.map, goal)(start.0, start.1).unwrap();
            let row = start.1;
            let opening = 1 + width + length / 2;
            // The estimate at the end of the upper corridor is still better than the best path.
            let end = (1 + width + length - 2, row - 1);
            let believed =
                distances(&made.map, start)(end.0, end.1).unwrap() + 1000 * u64::from(goal.0 - end.0) + 414;
            assert!(believed < best);
            let mut without_lower = made.map.clone();
            without_lower.fill(opening - 2, row + thick, 1, width, b'@');
            let worse = distances(&without_lower, goal)(start.0, start.1).unwrap();
            assert!(worse > best, "{length} {width} {detour}: {worse} {best}");
            let mut without_opening = made.map.clone();
            without_opening.fill(opening, row, 1, thick, b'@');
            let far = (opening + 1, row - 1);
            let with = distances(&made.map, goal)(far.0, far.1).unwrap();
            let back = distances(&without_opening, goal)(far.0, far.1).unwrap();
            assert!(with < back || (1..5).contains(&detour), "{length} {width} {detour}: {with} {back}");
            assert_eq!(distances(&without_opening, goal)(start.0, start.1).unwrap(), best);
        }
    }

    #[test]
    fn golden() {
        assert_eq!(
            checksum(&Corridors { length: 100, width: 5, detour: 4, hall: 0 }.generate().unwrap().map),
            16_511_212_700_879_422_188
        );
    }

    #[test]
    fn refuses() {
        assert!(Corridors { length: 8, ..PLAIN }.generate().is_err());
        assert!(Corridors { width: 0, ..PLAIN }.generate().is_err());
        assert!(Corridors { detour: 1, ..PLAIN }.generate().is_err());
        assert!(Corridors { detour: 2, ..PLAIN }.generate().is_err());
        for size in [1 << 29, u32::MAX] {
            assert!(Corridors { length: size, ..PLAIN }.generate().is_err());
            assert!(Corridors { width: size, ..PLAIN }.generate().is_err());
            assert!(Corridors { detour: size, ..PLAIN }.generate().is_err());
            assert!(Corridors { hall: size, ..PLAIN }.generate().is_err());
        }
    }
}
