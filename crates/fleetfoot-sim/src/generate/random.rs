//! Randomly scattered obstacles.

use super::{Generated, SeededRng, check_percent};
use crate::error::InputError;
use crate::map::GridMap;

/// Generates a map each of whose cells is blocked with a probability of `percent` in 100, independently of the
/// others.
///
/// # Errors
/// If the percentage is above 100, a side is 0, or the map would be too large.
pub fn generate(width: u32, height: u32, percent: u32, seed: u64) -> Result<Generated, InputError> {
    check_percent("the share of obstacles", percent)?;
    let mut map = GridMap::new(width, height, b'.')?;
    let mut dice = SeededRng::new(seed);
    for cell in map.cells_mut() {
        if dice.percent(percent) {
            *cell = b'@';
        }
    }
    Ok(Generated::plain(map))
}

#[cfg(test)]
mod tests {
    use super::super::tests::checksum;
    use super::*;

    #[test]
    fn blocks_the_share_asked_for() {
        let free = |percent| generate(200, 300, percent, 1).unwrap().map.passable_count();
        assert_eq!((free(0), free(100)), (60_000, 0));
        assert!((38_600..39_400).contains(&free(35)), "{}", free(35));
    }

    #[test]
    fn golden() {
        assert_eq!(checksum(&generate(64, 48, 35, 1).unwrap().map), 11_399_390_198_939_134_261);
    }

    #[test]
    fn refuses() {
        assert!(generate(10, 10, 101, 0).is_err());
        assert!(generate(0, 10, 10, 0).is_err());
        assert!(generate(u32::MAX, 10_000, 10, 0).is_err());
    }
}
