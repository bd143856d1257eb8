//! The rules of movement as text.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use fleetfoot::{Diagonal, Neighborhood, Rules};

use crate::error::InputError;
use crate::world::Terrain;

/// The rules of movement with the weights of the map's letters: `moves=8,diagonal=sqrt2,cut-corners,terrain(S=3)`.
///
/// ```
/// use fleetfoot_sim::spec::Movement;
/// let movement: Movement = "moves=4,terrain(S=3)".parse()?;
/// assert_eq!(movement.to_string(), "moves=4,terrain(S=3)");
/// assert_eq!(Movement::default().to_string(), "moves=8,diagonal=sqrt2");
/// # Ok::<(), fleetfoot_sim::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Movement {
    /// Neighbors, diagonals and corners.
    pub rules: Rules,
    /// The weights of the map's letters.
    pub terrain: Terrain,
}

impl Movement {
    /// Returns the options of the program that set these rules, each after a space. Defaults are omitted.
    pub fn options(&self) -> String {
        let Self { rules, terrain } = self;
        let mut options = String::new();
        if rules.neighborhood == Neighborhood::Four {
            options += " --moves 4";
        }
        if rules.diagonal != Diagonal::Sqrt2 {
            let _ = write!(options, " --diagonal {}", rules.diagonal.length());
        }
        if rules.cut_corners {
            options += " --cut-corners";
        }
        if *terrain != Terrain::default() {
            let _ = write!(options, " --terrain {terrain}");
        }
        options
    }
}

/// Parses a number of moves: `4` or `8`.
///
/// # Errors
/// If it is another one.
pub fn neighborhood(text: &str) -> Result<Neighborhood, InputError> {
    match text {
        "4" => Ok(Neighborhood::Four),
        "8" => Ok(Neighborhood::Eight),
        _ => Err(InputError::new(format!("moves = {text} cannot be"), "moves is 4 or 8")),
    }
}

/// Parses the length of a diagonal move: `sqrt2`, `1.4` or `1.5`.
///
/// # Errors
/// If it is another one.
pub fn diagonal(text: &str) -> Result<Diagonal, InputError> {
    match text {
        "sqrt2" => Ok(Diagonal::Sqrt2),
        "1.4" => Ok(Diagonal::D14),
        "1.5" => Ok(Diagonal::D15),
        _ => {
            let what = format!("a diagonal of length `{text}` cannot be");
            Err(InputError::new(what, "diagonal is \"sqrt2\", 1.4 or 1.5"))
        }
    }
}

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, terrain } = self;
        match (rules.neighborhood, rules.diagonal) {
            (Neighborhood::Four, _) => f.write_str("moves=4")?,
            (Neighborhood::Eight, Diagonal::Sqrt2) => f.write_str("moves=8,diagonal=sqrt2")?,
            (Neighborhood::Eight, other) => write!(f, "moves=8,diagonal={}", other.length())?,
        }
        if rules.cut_corners {
            f.write_str(",cut-corners")?;
        }
        if *terrain != Terrain::default() {
            write!(f, ",terrain({terrain})")?;
        }
        Ok(())
    }
}

impl FromStr for Movement {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut movement = Self::default();
        let (text, terrain) =
            text.split_once("terrain(").map_or((text, None), |(rest, list)| (rest, Some(list)));
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("moves", moves)) => movement.rules.neighborhood = neighborhood(moves)?,
                Some(("diagonal", length)) => movement.rules.diagonal = diagonal(length)?,
                None if part == "cut-corners" => movement.rules.cut_corners = true,
                _ => {
                    let remedy =
                        "write moves=4|8, diagonal=sqrt2|1.4|1.5, cut-corners and terrain(LETTER=W,…)";
                    return Err(InputError::new(format!("there is no rule `{part}`"), remedy));
                }
            }
        }
        if let Some(list) = terrain {
            let Some(list) = list.trim_end().strip_suffix(')') else {
                return Err(InputError::new("terrain has no closing bracket", "write terrain(S=3)"));
            };
            movement.terrain = list.parse()?;
        }
        Ok(movement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_print_back() {
        for text in [
            "moves=4",
            "moves=4,cut-corners",
            "moves=8,diagonal=sqrt2",
            "moves=8,diagonal=1.4,cut-corners",
            "moves=8,diagonal=1.5,terrain(G=2,S=3)",
        ] {
            assert_eq!(text.parse::<Movement>().unwrap().to_string(), text);
        }
        assert_eq!("".parse::<Movement>().unwrap(), Movement::default());
    }

    #[test]
    fn errors_say_what_rules_there_are() {
        let error = |text: &str| text.parse::<Movement>().unwrap_err().to_string();
        assert!(error("moves=6").contains("moves is 4 or 8"));
        assert!(error("diagonal=2").contains("1.4 or 1.5"));
        assert!(error("jumps").contains("cut-corners"));
        assert!(error("terrain(S=0)").contains("S=0"));
        assert!(error("terrain(S=3").contains("closing bracket"));
    }
}
