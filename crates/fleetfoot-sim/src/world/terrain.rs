//! Converts map letters to cell weights.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use fleetfoot::{Grid, GridError, Rules};

use super::wider;
use crate::error::InputError;
use crate::map::GridMap;

/// The weights of passable letters; the default is 1.
///
/// ```
/// use fleetfoot_sim::world::Terrain;
/// let terrain: Terrain = "S=3, G=2".parse()?;
/// assert_eq!((terrain.weight(b'S'), terrain.weight(b'.'), terrain.weight(b'@')), (3, 1, 0));
/// assert_eq!(terrain.to_string(), "G=2,S=3");
/// # Ok::<(), fleetfoot_sim::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terrain {
    ground: u8,
    grass: u8,
    swamp: u8,
}

impl Default for Terrain {
    fn default() -> Self {
        Self { ground: 1, grass: 1, swamp: 1 }
    }
}

impl Terrain {
    /// Returns the weight of a letter; 0 is blocked.
    pub fn weight(&self, letter: u8) -> u8 {
        match letter {
            b'.' => self.ground,
            b'G' => self.grass,
            b'S' => self.swamp,
            _ => 0,
        }
    }

    /// Creates the grid of a map.
    ///
    /// It has an index of its corners if rules and weights allow one.
    ///
    /// # Errors
    /// If the map is too large for the costs of these rules and weights.
    pub fn grid(&self, map: &GridMap, rules: Rules) -> Result<Grid, InputError> {
        let weight = |x, y| self.weight(map.letter(x, y));
        let grid = Grid::new(map.width(), map.height(), rules, weight).map_err(|error| refused(&error))?;
        Ok(grid.with_landmarks())
    }

    /// Returns the range of weights, whatever letters a map has: what an agent may know in advance.
    pub fn weights(&self) -> RangeInclusive<u8> {
        let all = [self.ground, self.grass, self.swamp];
        all.into_iter().fold(all[0]..=all[0], |range, w| wider(range, w..=w))
    }

    fn of(&mut self, letter: u8) -> Option<&mut u8> {
        match letter {
            b'.' => Some(&mut self.ground),
            b'G' => Some(&mut self.grass),
            b'S' => Some(&mut self.swamp),
            _ => None,
        }
    }
}

/// Converts a grid's error: both have a text, and a remedy after a semicolon.
pub(super) fn refused(error: &GridError) -> InputError {
    let text = error.to_string();
    let (what, remedy) = text.split_once("; ").unwrap_or((&text, "use another map"));
    InputError::new(what, remedy)
}

impl FromStr for Terrain {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut terrain = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (letter, weight) = part.split_once('=').unwrap_or((part, ""));
            let weight = weight.trim().parse().ok().filter(|weight| *weight > 0);
            let place = match letter.trim().as_bytes() {
                &[letter] => terrain.of(letter),
                _ => None,
            };
            let (Some(place), Some(weight)) = (place, weight) else {
                let what = format!("`{part}` gives no letter a weight");
                let remedy = "write letters `.`, `G`, `S` and weights from 1 to 255, such as S=3,G=1";
                return Err(InputError::new(what, remedy));
            };
            *place = weight;
        }
        Ok(terrain)
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for letter in *b".GS" {
            if self.weight(letter) != 1 {
                write!(f, "{comma}{}={}", letter as char, self.weight(letter))?;
                comma = ",";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_invalid_weights() {
        for bad in ["S", "S=", "S=0", "S=256", "@=2", "x=2", "SG=2", "=2"] {
            assert!(bad.parse::<Terrain>().unwrap_err().to_string().contains("such as S=3"), "{bad}");
        }
        assert_eq!("".parse(), Ok(Terrain::default()));
        assert_eq!(Terrain::default().to_string(), "");
        assert_eq!(".=2,S=255".parse::<Terrain>().unwrap().to_string(), ".=2,S=255");
    }

    #[test]
    fn grids_weigh_what_the_letters_say() {
        let map = GridMap::from_rows(&[".GS@"]).unwrap();
        let grid = "S=3".parse::<Terrain>().unwrap().grid(&map, Rules::default()).unwrap();
        let weights = [0, 1, 2, 3].map(|x| grid.weight(grid.node(x, 0).unwrap()));
        assert_eq!(weights, [1, 1, 3, 0]);
    }

    #[test]
    fn a_map_with_excessive_costs_is_refused() {
        let map = GridMap::new(2000, 2000, b'S').unwrap();
        let error = "S=255".parse::<Terrain>().unwrap().grid(&map, Rules::default()).unwrap_err();
        assert!(error.remedy().contains("smaller weights"), "{error}");
    }
}
