//! The index of corners against one made anew, and paths among them against Dijkstra.

mod index;
mod paths;
mod planner;

use fleetfoot::{Neighborhood, Rules};

/// The rules that corners hold for.
fn rules(four: bool) -> Rules {
    let neighborhood = if four { Neighborhood::Four } else { Neighborhood::Eight };
    Rules { neighborhood, ..Rules::default() }
}
