//! The rules of movement as text.

use fleetfoot::{Diagonal, Neighborhood, Rules};
use fleetfoot_sim::world::Terrain;

/// Formats the rules as the options that set them: `moves=8,diagonal=sqrt2,terrain(S=3)`.
pub fn rules_text(rules: Rules, terrain: Terrain) -> String {
    let moves = match (rules.neighborhood, rules.diagonal) {
        (Neighborhood::Four, _) => "moves=4".to_owned(),
        (Neighborhood::Eight, Diagonal::Sqrt2) => "moves=8,diagonal=sqrt2".to_owned(),
        (Neighborhood::Eight, other) => format!("moves=8,diagonal={}", other.length()),
    };
    let corners = if rules.cut_corners { ",cut-corners" } else { "" };
    let terrain = if terrain == Terrain::default() { String::new() } else { format!(",terrain({terrain})") };
    format!("{moves}{corners}{terrain}")
}
