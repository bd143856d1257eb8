//! Landscapes like those of games: open areas, rock, cliffs with few passages, and woods.

use super::join::{fill_small, join_all};
use super::noise::{field, percentile};
use super::{Generated, SeededRng};
use crate::error::InputError;
use crate::map::GridMap;

/// Valid sides of a landscape: smaller ones have no space for its features, larger ones take too long.
pub const SIDES: std::ops::RangeInclusive<u32> = 64..=4096;

/// Share of rock in percent of the map; cliffs and woods are added.
const ROCK: usize = 30;
/// Share of cliffs in percent of the map.
const CLIFFS: usize = 7;
/// Share of woods in percent of the map, and percentage of trees in them.
const WOODS: (usize, u32) = (18, 22);

/// Generates a landscape of `width` by `height` cells. About 45 to 70 % of them are passable, and all of those are
/// connected.
///
/// Rock fills the low parts of a random field. Cliffs follow the contour line of a second field, so they are long,
/// thin and winding; a cellular automaton rounds both. The components that they separate are joined where the walls
/// are thinnest, which makes narrow passes and long detours. A third field determines the woods.
///
/// # Errors
/// If a side is not in [`SIDES`].
pub fn generate(width: u32, height: u32, seed: u64) -> Result<Generated, InputError> {
    if !SIDES.contains(&width) || !SIDES.contains(&height) {
        let what = format!("a landscape cannot have {width}x{height} cells");
        let remedy = format!("make both sides {} to {}", SIDES.start(), SIDES.end());
        return Err(InputError::new(what, remedy));
    }
    let dice = &mut SeededRng::new(seed);
    // Features grow with the map only up to a point: a large game map has more of them, not larger ones.
    let period = (width.min(height) / 5).min(120);
    let mut map = GridMap::new(width, height, b'.')?;
    raise_walls(&mut map, period, dice);
    for _ in 0..3 {
        round_off(&mut map);
    }
    close_border(&mut map);
    plant(&mut map, period / 2, dice);
    fill_small(&mut map, width * height / 2048, b'T');
    // Done last, since trees block narrow places as well.
    join_all(&mut map, 1);
    Ok(Generated::plain(map))
}

fn raise_walls(map: &mut GridMap, period: u32, dice: &mut SeededRng) {
    let (width, height) = (map.width(), map.height());
    let ground = field(width, height, period, 2, dice);
    let mut slope = field(width, height, period, 8, dice);
    let contour = percentile(&slope, 50);
    for value in &mut slope {
        *value = (*value - contour).abs();
    }
    let (rock, cliff) = (percentile(&ground, ROCK), percentile(&slope, CLIFFS));
    for (cell, (&ground, &slope)) in map.cells_mut().iter_mut().zip(ground.iter().zip(&slope)) {
        if ground < rock || slope < cliff {
            *cell = b'@';
        }
    }
}

/// Executes one step of a cellular automaton: a cell becomes what most of the nine cells around it are.
fn round_off(map: &mut GridMap) {
    let width = map.width() as usize;
    let old = map.cells().to_vec();
    let wall = |cell: u8| u8::from(cell != b'.');
    let mut columns = vec![0; width];
    let mut lines = map.cells_mut().chunks_exact_mut(width).skip(1);
    for three in old.windows(3 * width).step_by(width) {
        for (x, column) in columns.iter_mut().enumerate() {
            *column = wall(three[x]) + wall(three[x + width]) + wall(three[x + 2 * width]);
        }
        let Some(line) = lines.next() else { return };
        for (cell, around) in line[1..].iter_mut().zip(columns.windows(3)) {
            *cell = if around[0] + around[1] + around[2] >= 5 { b'@' } else { b'.' };
        }
    }
}

fn close_border(map: &mut GridMap) {
    let (width, height) = (map.width(), map.height());
    map.fill(0, 0, width, 1, b'@');
    map.fill(0, height - 1, width, 1, b'@');
    map.fill(0, 0, 1, height, b'@');
    map.fill(width - 1, 0, 1, height, b'@');
}

/// Plants trees on open ground, dense in the woods and rare outside them. Rock in the woods is overgrown.
fn plant(map: &mut GridMap, period: u32, dice: &mut SeededRng) {
    let wood = field(map.width(), map.height(), period, 2, dice);
    let edge = percentile(&wood, 100 - WOODS.0);
    for (cell, &wood) in map.cells_mut().iter_mut().zip(&wood) {
        let chance = match (*cell, wood > edge) {
            (b'.', true) => WOODS.1,
            (b'.', false) => 1,
            (_, true) => 100,
            (_, false) => 0,
        };
        // Outside the woods, a chance of 1 % times 20 %.
        if dice.percent(chance) && (chance > 1 || dice.percent(20)) {
            *cell = b'T';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::checksum;
    use super::*;

    #[test]
    fn is_connected_and_neither_full_nor_empty() {
        for (width, height) in [(64, 64), (64, 512), (300, 100), (512, 512)] {
            for seed in 0..10 {
                let map = generate(width, height, seed).unwrap().map;
                let percent = u64::from(map.passable_count()) * 100 / u64::from(width * height);
                assert!((45..=70).contains(&percent), "{width}x{height} seed {seed}: {percent} %");
                assert_eq!(map.components().sizes.len(), 1);
                assert!((0..width).all(|x| !map.passable(x, 0) && !map.passable(x, height - 1)));
            }
        }
    }

    #[test]
    fn golden() {
        assert_eq!(checksum(&generate(128, 96, 1).unwrap().map), 2_100_595_796_187_876_197);
    }

    #[test]
    fn rounds_off() {
        let mut map = GridMap::from_rows(&["@@@@@", "@.@..", "@@@..", "@....", "@.@.."]).unwrap();
        round_off(&mut map);
        assert_eq!(map, GridMap::from_rows(&["@@@@@", "@@@@.", "@@...", "@@...", "@.@.."]).unwrap());
    }

    #[test]
    fn refuses() {
        for (width, height) in [(63, 64), (64, 63), (4097, 64), (64, u32::MAX), (0, 0)] {
            assert!(generate(width, height, 0).is_err());
        }
    }
}
