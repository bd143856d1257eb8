//! The corner index against a new one, and corner paths against Dijkstra's algorithm.

mod index;
mod landmarks;
mod paths;
mod planner;

use fleetfoot::{Neighborhood, Rules};

/// Returns the rules that the corner index supports.
fn rules(four: bool) -> Rules {
    let neighborhood = if four { Neighborhood::Four } else { Neighborhood::Eight };
    Rules { neighborhood, ..Rules::default() }
}
