//! The corner depression: a wall bent around the path to the goal, so that the heuristic leads into its corner.

use super::Generated;
use crate::error::InputError;
use crate::map::GridMap;

/// Cells between the wall and the far sides of the map.
const BEHIND: u32 = 4;

/// Generates a square map with the start in its upper left corner, the goal in the lower right one, and between them
/// a wall along one row and one column that meet near the goal.
///
/// Both arms end one cell before the map's edge: the paths around it are as far as possible from the straight line.
/// The map is connected and has side² − 2·side + 11 free cells.
///
/// # Errors
/// If the side is below 7, which leaves no depression, or the map would be too large.
pub fn generate(side: u32) -> Result<Generated, InputError> {
    if side < BEHIND + 3 {
        let what = format!("a side of {side} leaves no space for the corner");
        return Err(InputError::new(what, format!("make the side at least {}", BEHIND + 3)));
    }
    let mut map = GridMap::new(side, side, b'.')?;
    let corner = side - 1 - BEHIND;
    map.fill(1, corner, corner, 1, b'@');
    map.fill(corner, 1, 1, corner, b'@');
    Ok(Generated::problem(map, (0, 0), (side - 1, side - 1)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{checksum, distances};
    use super::*;

    #[test]
    fn leads_into_the_corner_and_leaves_a_way_round() {
        for side in [7, 14, 44, 100] {
            let made = generate(side).unwrap();
            let map = &made.map;
            let corner = side - 5;
            assert_eq!(map.passable_count(), side * side - 2 * side + 11);
            assert_eq!(map.components().sizes.len(), 1);
            assert!((0..corner).all(|i| map.passable(i, i)) && !map.passable(corner, corner));
            assert!(map.passable(0, corner) && map.passable(corner, 0));
            let length = distances(map, (0, 0))(side - 1, side - 1).unwrap();
            assert!(length > u64::from(side - 1) * 1414, "{side}");
        }
        let drawn = [".......", "..@....", ".@@....", ".......", ".......", ".......", "......."];
        let small = generate(7).unwrap();
        assert_eq!(small.map, GridMap::from_rows(&drawn).unwrap());
        assert_eq!((small.start, small.goal), (Some((0, 0)), Some((6, 6))));
    }

    #[test]
    fn golden() {
        assert_eq!(checksum(&generate(50).unwrap().map), 3_228_221_206_943_543_643);
    }

    #[test]
    fn refuses() {
        for side in [0, 1, 6, 20_000, u32::MAX] {
            assert!(generate(side).is_err(), "{side}");
        }
    }
}
