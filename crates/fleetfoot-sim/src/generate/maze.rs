//! Perfect mazes by depth-first search: exactly one path between any two places, long and winding.

use super::{Generated, SeededRng, rooms_along};
use crate::error::InputError;
use crate::map::GridMap;

/// Generates a maze of `width` by `height` cells with corridors of `corridor` cells, and walls of one cell between
/// and around them.
///
/// With corridors of one cell the places are the cells with two odd coordinates: a maze of 151×151 has 75×75 of them.
/// Cells that do not make up a whole place stay wall.
///
/// # Errors
/// If the corridor is 0 wide, a side is too short for one place, or the map would be too large.
pub fn generate(width: u32, height: u32, corridor: u32, seed: u64) -> Result<Generated, InputError> {
    if corridor == 0 {
        return Err(InputError::new("the corridors are 0 cells wide", "make them at least 1 wide"));
    }
    let across = rooms_along("width", width, corridor)?;
    let down = rooms_along("height", height, corridor)?;
    let mut map = GridMap::new(width, height, b'@')?;
    carve(&mut map, across, down, corridor, &mut SeededRng::new(seed));
    Ok(Generated::plain(map))
}

/// Carves the maze with an explicit stack: the path through a large maze is far longer than the call stack is deep.
fn carve(map: &mut GridMap, across: u32, down: u32, corridor: u32, dice: &mut SeededRng) {
    let corner = |place: u32| 1 + place * (corridor + 1);
    let (x, y) = (dice.below(across), dice.below(down));
    map.fill(corner(x), corner(y), corridor, corridor, b'.');
    let mut stack = vec![(x, y)];
    while let Some(&(x, y)) = stack.last() {
        let neighbors = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let mut fresh = [(0, 0); 4];
        let mut count = 0;
        for (nx, ny) in neighbors {
            if nx < across && ny < down && !map.passable(corner(nx), corner(ny)) {
                fresh[count] = (nx, ny);
                count += 1;
            }
        }
        if count == 0 {
            stack.pop();
            continue;
        }
        let (nx, ny) = fresh[dice.below(count as u32) as usize];
        // One block that covers both places and the wall between them.
        let (left, top) = (corner(x.min(nx)), corner(y.min(ny)));
        let (right, bottom) = (corner(x.max(nx)) + corridor, corner(y.max(ny)) + corridor);
        map.fill(left, top, right - left, bottom - top, b'.');
        stack.push((nx, ny));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::checksum;
    use super::*;

    #[test]
    fn is_perfect() {
        for (width, height, seed) in [(151, 151, 0), (31, 9, 1), (3, 3, 2), (5, 30, 3)] {
            let map = generate(width, height, 1, seed).unwrap().map;
            let (across, down) = ((width - 1) / 2, (height - 1) / 2);
            // A tree: every place, and one passage less than places.
            assert_eq!(map.passable_count(), 2 * across * down - 1);
            assert_eq!(map.components().sizes.len(), 1);
            assert!((0..width).all(|x| !map.passable(x, 0) && !map.passable(x, height - 1)));
            assert!((0..height).all(|y| !map.passable(0, y) && !map.passable(width - 1, y)));
        }
    }

    #[test]
    fn wide_corridors() {
        let map = generate(41, 33, 3, 5).unwrap().map;
        assert_eq!(map.components().sizes, [80 * 9 + 79 * 3]);
        assert_eq!(generate(41, 33, 3, 5).unwrap().map, map);
        assert_ne!(generate(41, 33, 3, 6).unwrap().map, map);
    }

    #[test]
    fn golden() {
        assert_eq!(checksum(&generate(151, 151, 1, 1).unwrap().map), 2_198_533_897_316_104_385);
        assert_eq!(checksum(&generate(100, 60, 4, 1).unwrap().map), 10_308_746_792_181_317_725);
    }

    #[test]
    fn refuses() {
        assert!(generate(151, 151, 0, 0).is_err());
        assert!(generate(2, 151, 1, 0).is_err());
        assert!(generate(151, 0, 1, 0).is_err());
        assert!(generate(151, 151, u32::MAX, 0).is_err());
        assert!(generate(u32::MAX, u32::MAX, 1, 0).is_err());
    }
}
