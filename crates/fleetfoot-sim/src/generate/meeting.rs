//! Maps where many units meet: rooms connected by a passage, a crossing, a field.

use super::Generated;
use crate::error::InputError;
use crate::map::GridMap;

/// Generates two square rooms side by side, connected by a passage in the middle of their walls.
///
/// # Errors
/// If the passage is wider than the rooms, or the map would be too large.
pub fn rooms(side: u32, width: u32, length: u32) -> Result<Generated, InputError> {
    if width > side {
        let what = format!("a passage {width} wide does not fit rooms of {side} cells");
        return Err(InputError::new(what, "make the rooms larger, or the passage narrower"));
    }
    let mut map = GridMap::new(side.saturating_mul(2).saturating_add(length), side, b'@')?;
    map.fill(0, 0, side, side, b'.');
    map.fill(side + length, 0, side, side, b'.');
    map.fill(side, (side - width) / 2, length, width, b'.');
    Ok(Generated::plain(map))
}

/// Generates four arms that meet in the middle.
///
/// # Errors
/// If the map would be too large or has no cell.
pub fn crossing(arm: u32, width: u32) -> Result<Generated, InputError> {
    let side = arm.saturating_mul(2).saturating_add(width);
    let mut map = GridMap::new(side, side, b'@')?;
    map.fill(0, arm, side, width, b'.');
    map.fill(arm, 0, width, side, b'.');
    Ok(Generated::plain(map))
}

/// Generates open ground.
///
/// # Errors
/// If the map would be too large or has no cell.
pub fn field(width: u32, height: u32) -> Result<Generated, InputError> {
    GridMap::new(width, height, b'.').map(Generated::plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let rows = |made: Generated| {
            let rows = made.map.cells().chunks(made.map.width() as usize);
            rows.map(|row| String::from_utf8(row.to_vec()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(rows(rooms(3, 1, 2).unwrap()), ["...@@...", "........", "...@@..."]);
        assert_eq!(rows(crossing(1, 2).unwrap()), ["@..@", "....", "....", "@..@"]);
        assert_eq!(rows(field(3, 1).unwrap()), ["..."]);
        assert!(rooms(3, 4, 2).is_err() && field(0, 1).is_err() && crossing(u32::MAX, 1).is_err());
    }
}
